//! Generation of land and sea.

use super::random::SplitMix64;
use super::symmetry::Symmetry;
use crate::map::{Cell, Cells};
use crate::options::{Options, Shape};
use std::collections::VecDeque;

/// Generates the land of a map within `radius` of the middle, connected and invariant under the symmetry: the
/// whole hexagon, an island of which erosion takes `coast_percent` from the coast and `lake_percent` from the
/// inside, or continents of which it takes `strait_percent`. Draws from `rng` in a fixed order, so that a
/// seed always gives this land.
pub(super) fn generate(options: &Options, radius: u32, symmetry: Symmetry, rng: &mut SplitMix64) -> Cells {
    let ball = Cells::ball(radius);
    let percent = |of: &Cells, percent: u8| of.len() * u32::from(percent) / 100;
    let tuning = &options.tuning;
    match options.shape {
        Shape::Hexagon => ball,
        Shape::Island => {
            let mut land = ball;
            erode(&mut land, percent(&ball, tuning.coast_percent), Where::Coast, symmetry, rng);
            erode(&mut land, percent(&ball, tuning.lake_percent), Where::Inside, symmetry, rng);
            land
        }
        Shape::Continents => {
            let mut land = continents(&ball, radius, symmetry, rng);
            let target = percent(&land, tuning.strait_percent);
            erode(&mut land, target, Where::Coast, symmetry, rng);
            land
        }
    }
}

/// Which hexes erosion removes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    /// Hexes with land on all sides.
    Inside,
    /// Hexes with water beside them, the edge of the map included.
    Coast,
}

/// Returns the number of land hexes next to a hex, 0 to 6.
fn land_around(land: &Cells, cell: Cell) -> u32 {
    cell.around().and(land).len()
}

/// Removes hexes of the kind `place` from the land until at least `target` hexes are gone or no candidate is
/// left. Each step takes a random orbit of the symmetry as a whole, and tries it only once. An orbit stays if
/// the land would lose its connection, or a neighbour of a removed hex would keep fewer than two land
/// neighbours. Each try takes one draw from `rng`.
fn erode(land: &mut Cells, target: u32, place: Where, symmetry: Symmetry, rng: &mut SplitMix64) {
    let (mut removed, mut tried) = (0, Cells::NONE);
    while removed < target {
        let mut candidates = symmetry.orbits(land);
        candidates.retain(|orbit| {
            let inside = land_around(land, orbit[0]) == 6;
            !tried.has(orbit[0]) && inside == (place == Where::Inside)
        });
        let Some(orbit) = rng.choice(&candidates) else { return };
        tried.insert(orbit[0]);
        let gone: Cells = orbit.iter().copied().collect();
        let rest = land.minus(&gone);
        let kept = gone.grown().and(&rest).iter().all(|cell| land_around(&rest, cell) >= 2);
        if kept && rest.connected() {
            *land = rest;
            removed += gone.len();
        }
    }
}

/// Generates land masses within `ball`: the cells with one nearest [centre](centres); the borders between two
/// are sea. Of the orbits of sea hexes that touch two masses, `(radius + 1) / 3` (at least 1) random ones
/// become land, and shortest bridges are added until all land is connected. `radius` is that of the map.
fn continents(ball: &Cells, radius: u32, symmetry: Symmetry, rng: &mut SplitMix64) -> Cells {
    let centres = centres(ball, radius, symmetry, rng);
    let mut land: Cells = ball.iter().filter(|&cell| has_one_nearest(cell, &centres)).collect();
    let sea = ball.minus(&land);
    let mut straits = symmetry.orbits(&sea);
    straits.retain(|orbit| masses_beside(&land, orbit[0]) >= 2);
    rng.shuffle(&mut straits);
    let bridges = (radius as usize + 1) / 3;
    straits.iter().take(bridges.max(1)).flatten().for_each(|&cell| land.insert(cell));
    while let Some(path) = missing_bridge(ball, &land) {
        path.iter().flat_map(|&cell| symmetry.orbit(cell)).for_each(|cell| land.insert(cell));
    }
    land
}

/// Chooses the centres of land masses on a ring of two thirds of `radius` around the middle: one orbit of the
/// symmetry, or without symmetry three hexes, each after the first as far as possible from those chosen (at
/// random among equals). Empty if there is no such ring.
fn centres(ball: &Cells, radius: u32, symmetry: Symmetry, rng: &mut SplitMix64) -> Vec<Cell> {
    let ring: Vec<Cell> = ball.iter().filter(|c| c.hex().ulength() == (2 * radius + 1) / 3).collect();
    let Some(&first) = rng.choice(&ring) else { return Vec::new() };
    if symmetry.order() >= 2 {
        return symmetry.orbit(first);
    }
    let mut centres = vec![first];
    while centres.len() < 3 {
        let gap = |cell: Cell| centres.iter().map(|&c| cell.distance(c)).min().unwrap_or(0);
        let widest = ring.iter().map(|&cell| gap(cell)).max().unwrap_or(0);
        let far: Vec<Cell> = ring.iter().copied().filter(|&cell| gap(cell) == widest).collect();
        let Some(&next) = rng.choice(&far) else { break };
        centres.push(next);
    }
    centres
}

/// Returns whether one centre is nearer to the cell than all others; `false` on a border between two, and
/// without centres.
fn has_one_nearest(cell: Cell, centres: &[Cell]) -> bool {
    let nearest = centres.iter().map(|&c| cell.distance(c)).min();
    centres.iter().filter(|&&c| Some(cell.distance(c)) == nearest).count() == 1
}

/// Returns the number of different land masses that a sea hex touches, 0 to 3.
fn masses_beside(land: &Cells, cell: Cell) -> usize {
    let mut beside = cell.around().and(land);
    let mut masses = 0;
    while let Some(shore) = beside.first() {
        beside = beside.minus(&land.component(shore));
        masses += 1;
    }
    masses
}

/// Returns the sea hexes on a shortest path within `ball` from the mass with the lowest hex to the nearest
/// other mass, from its far end back; among several shortest paths the one that a breadth-first search in the
/// order of directions finds. `None` if all land is connected or there is none.
fn missing_bridge(ball: &Cells, land: &Cells) -> Option<Vec<Cell>> {
    let mass = land.component(land.first()?);
    if mass == *land {
        return None;
    }
    let mut queue: VecDeque<Cell> = mass.iter().collect();
    let mut from = [None; crate::map::CELLS];
    let mut seen = mass;
    while let Some(cell) = queue.pop_front() {
        for next in cell.neighbours().filter(|&n| ball.has(n)) {
            if seen.has(next) {
                continue;
            }
            seen.insert(next);
            from[next.index()] = Some(cell);
            if land.has(next) {
                let way = std::iter::successors(from[next.index()], |c| from[c.index()]);
                return Some(way.filter(|&c| !land.has(c)).collect());
            }
            queue.push_back(next);
        }
    }
    None
}
