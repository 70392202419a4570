//! The map checked against the plane: corners as points, and distances measured.
//!
//! Points have whole coordinates: x in halves of the distance of two columns, y in quarters of a hex's
//! height. Then the squared length (3x² + y²) of an edge is 4.

use pentarchy_engine::{Describe, Node, Position, Rng};
use pentarchy_ozymandias::map::{Corner, Hex};
use pentarchy_ozymandias::{Action, Options, Ozymandias};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;

type Point = (i32, i32);

fn centre(hex: Hex) -> Point {
    (2 * i32::from(hex.q) + i32::from(hex.r), 3 * i32::from(hex.r))
}

/// The corners of a hex, drawn with a compass.
fn drawn(hex: Hex) -> [Point; 6] {
    let (x, y) = centre(hex);
    [(x, y - 2), (x + 1, y - 1), (x + 1, y + 1), (x, y + 2), (x - 1, y + 1), (x - 1, y - 1)]
}

fn point(corner: Corner) -> Point {
    let (x, y) = centre(Hex { q: corner.q, r: corner.r });
    (x, if corner.k == 0 { y - 2 } else { y + 2 })
}

fn one_edge_apart(a: Point, b: Point) -> bool {
    let (x, y) = (a.0 - b.0, a.1 - b.1);
    3 * x * x + y * y == 4
}

fn hexes(reach: i8) -> impl Iterator<Item = Hex> {
    (-reach..=reach).flat_map(move |q| (-reach..=reach).map(move |r| Hex { q, r }))
}

#[test]
fn every_corner_has_one_name() {
    let mut names = BTreeMap::new();
    for hex in hexes(9) {
        assert_eq!(hex.corners().map(point), drawn(hex), "the corners of {hex}, clockwise from north");
        for corner in hex.corners() {
            let name = *names.entry(point(corner)).or_insert(corner);
            assert_eq!(name, corner, "two names of one corner");
        }
    }
    assert_eq!(names.values().collect::<BTreeSet<_>>().len(), names.len(), "one name of two corners");
}

#[test]
fn neighbours_are_what_is_one_edge_away() {
    for hex in hexes(4) {
        for corner in hex.corners() {
            let beside: BTreeSet<Corner> = corner.neighbours().into();
            let measured = hexes(8).flat_map(Hex::corners);
            let measured = measured.filter(|&c| one_edge_apart(point(c), point(corner))).collect();
            assert_eq!(beside, measured, "around {corner}");
            let meeting: BTreeSet<Hex> = corner.hexes().into();
            let measured = hexes(8).filter(|&h| drawn(h).contains(&point(corner))).collect();
            assert_eq!(meeting, measured, "the hexes at {corner}");
        }
    }
}

/// Sectors, and stacks with their rulers, as everybody sees them.
type Seen = (Vec<Hex>, Vec<(Point, String)>);

fn seen(game: &Ozymandias) -> Result<Seen, Box<dyn Error>> {
    let picture = game.picture();
    let sectors = picture["sectors"].as_object().ok_or("no sectors")?.keys();
    let sectors = sectors.map(|hex| hex.parse()).collect::<Result<_, _>>()?;
    let mut stacks = Vec::new();
    for (corner, cities) in picture["stacks"].as_object().ok_or("no stacks")? {
        let ruler = cities.as_array().and_then(|c| c.last()?.as_str()).ok_or("an empty stack")?;
        stacks.push((point(corner.parse()?), ruler.to_string()));
    }
    Ok((sectors, stacks))
}

/// Where a city of this faction may be put, measured with a ruler.
fn measured(seen: &Seen, faction: &str) -> BTreeSet<Point> {
    let (sectors, stacks) = seen;
    let open = |at: &Point| match stacks.iter().find(|(stack, _)| stack == at) {
        Some((_, ruler)) => ruler != faction,
        None => stacks.iter().all(|(stack, _)| !one_edge_apart(*stack, *at)),
    };
    sectors.iter().flat_map(|&hex| drawn(hex)).filter(open).collect()
}

#[test]
fn cities_are_built_where_the_ruler_allows_it() -> Result<(), Box<dyn Error>> {
    // Rich players with many cities play long games on large maps.
    let settings = Options { start_influence: 100, cities: 12, round_cap: 12, ..Options::default() };
    let (mut rng, mut list, mut built, mut widest) = (Rng::new(1), Vec::new(), 0, 0);
    for _ in 0..150 {
        let mut game = Position::<Ozymandias>::new(4, &settings)?;
        let mut faction = String::new();
        loop {
            game.settle(&mut rng, &mut list)?;
            let Node::Decide(_) = game.node() else { break };
            game.legal(&mut list)?;
            let corners = list.iter().filter_map(|act| match act {
                Action::Build(corner) => Some(*corner),
                _ => None,
            });
            let corners: Vec<Corner> = corners.collect();
            if !corners.is_empty() {
                let seen = seen(game.state())?;
                assert!(corners.is_sorted(), "in ascending order");
                let points: BTreeSet<Point> = corners.iter().map(|&c| point(c)).collect();
                assert_eq!(points.len(), corners.len(), "each corner once");
                assert_eq!(points, measured(&seen, &faction), "{faction} on {seen:?}");
                for (i, (a, _)) in seen.1.iter().enumerate() {
                    assert!(seen.1[i + 1..].iter().all(|(b, _)| a != b && !one_edge_apart(*a, *b)));
                }
                built += 1;
                widest = widest.max(seen.0.len());
            }
            let action = *rng.choose(&list).ok_or("nothing is legal")?;
            game.play(action)?;
            if let Action::Expand(card) = action {
                let face = game.face(card).and_then(|thing| thing.myth()).ok_or("no card")?;
                faction = face.faction().to_string();
            }
        }
    }
    println!("{built} lists of corners, on maps of up to {widest} sectors");
    assert!(built > 1_000 && widest > 5);
    Ok(())
}
