//! Every march against a second, naive reading of the rules: random positions, random marches, and at each
//! decision exactly what the naive reading allows.

use crate::naive::{enter, foe, is_city, is_sea, position, step, steps};
use pentarchy_engine::{Game, Position, Rng, Seat, Token};
use pentarchy_hestia::face::NAVAL;
use pentarchy_hestia::map::Place;
use pentarchy_hestia::options::{Logistics, Neutral};
use pentarchy_hestia::state::{hand, land, ships};
use pentarchy_hestia::{Action, Hestia, Options};

/// What a person at the table would remember of a march.
struct March {
    at: Place,
    blocks: Vec<Token>,
    left: u8,
    ended: bool,
    met: bool,
    forced: bool,
    stepped: bool,
}

/// The blocks of the army, as the public state tells.
fn army(game: &Hestia) -> Vec<Token> {
    let state = serde_json::to_value(game).unwrap();
    let mask = state["army"]["blocks"].as_u64().unwrap();
    (0..62).filter(|i| mask >> i & 1 != 0).map(|i| Token(108 + i)).collect()
}

fn allowance(settings: &Options, blocks: usize) -> u8 {
    match settings.logistics {
        Logistics::Graduated => [0, 3, 3, 3, 3, 2, 2, 1, 1].get(blocks).copied().unwrap_or(0),
        Logistics::Simple => [0, 3, 3, 3, 3].get(blocks).copied().unwrap_or(1),
    }
}

impl March {
    fn column(&self, game: &Hestia) -> (usize, usize) {
        let fleet = self.blocks.iter().filter(|&&t| game.tokens().back(t) == NAVAL).count();
        (self.blocks.len() - fleet, fleet)
    }

    fn ways(&self, game: &Hestia, seat: Seat) -> Vec<Place> {
        let (lands, fleet) = self.column(game);
        steps(game, seat, self.at, lands, fleet)
    }

    fn moves(&self) -> bool {
        self.left > 0 && !self.ended
    }

    fn may_force(&self, game: &Hestia, seat: Seat) -> bool {
        let cards = game.tokens().len(hand(seat));
        !self.forced && !self.moves() && !self.met && cards > 0 && !self.ways(game, seat).is_empty()
    }

    fn may_place(&self, game: &Hestia, seat: Seat, settings: &Options) -> bool {
        let placed = Place::all().filter(|&p| game.has_token(p, seat)).count();
        let neutral = settings.neutral == Neutral::Open || !game.is_active(self.at, foe(seat));
        let room = placed < usize::from(settings.tokens) && !game.has_token(self.at, seat);
        self.column(game).0 > 0 && is_city(self.at) && neutral && room
    }
}

/// Compares the list of a march with the naive reading, or its end with the absence of any choice.
fn compare(game: &Position<Hestia>, march: &March, seat: Seat, settings: &Options) -> Vec<Action> {
    let mut list = Vec::new();
    if game.actor() == Some(seat) {
        game.legal(&mut list).unwrap();
    }
    let state = game.state();
    let ways = if march.moves() { march.ways(state, seat) } else { Vec::new() };
    let force = march.may_force(state, seat);
    let place = march.may_place(state, seat, settings);
    if ways.is_empty() && !force && !place {
        assert!(!list.contains(&Action::Stop), "a march that can do nothing ends by itself");
        return Vec::new();
    }
    let mut found: Vec<Place> =
        list.iter().filter_map(|act| if let Action::Move(p) = act { Some(*p) } else { None }).collect();
    found.sort();
    assert_eq!(found, ways, "from {}", march.at);
    assert_eq!(list.contains(&Action::Influence), place, "a token in {}", march.at);
    assert_eq!(list.iter().any(|a| matches!(a, Action::Force(_))), force, "force in {}", march.at);
    let drop = march.stepped && march.blocks.len() > 1 && (!ways.is_empty() || force);
    assert_eq!(list.iter().any(|a| matches!(a, Action::Drop(_))), drop, "drop in {}", march.at);
    for act in &list {
        if let Action::Drop(t) = act {
            assert!(march.blocks.contains(t));
        }
    }
    assert!(list.contains(&Action::Stop));
    for to in Place::all().filter(|to| !ways.contains(to)) {
        assert!(game.clone().play(Action::Move(to)).is_err(), "{} to {to}", march.at);
    }
    list
}

/// Whether some army of unmoved blocks could leave a place or place a token in it: all numbers are tried.
fn could_act(game: &Hestia, seat: Seat, at: Place, moved: &[Token], settings: &Options) -> bool {
    let fresh = |zone| game.tokens().iter(zone).filter(|t| !moved.contains(t)).count();
    let lands = fresh(land(at, seat));
    let fleet = ships(at, seat).map_or(0, fresh);
    let limit = match at.to_string().as_str() {
        "LRE" | "LNA" => (1, 1),
        "BAT" => (2, 0),
        _ => (99, 99),
    };
    let largest = if settings.logistics == Logistics::Simple { 99 } else { 8 };
    let leaves = (0..=lands.min(limit.0)).any(|l| {
        (0..=fleet.min(limit.1))
            .any(|f| (1..=largest).contains(&(l + f)) && !steps(game, seat, at, l, f).is_empty())
    });
    let march = March { at, blocks: vec![], left: 0, ended: true, met: false, forced: true, stepped: false };
    let places = lands > 0 && {
        let one = game.tokens().iter(land(at, seat)).take(1).collect();
        March { blocks: one, ..march }.may_place(game, seat, settings)
    };
    leaves || places
}

fn try_position(rng: &mut Rng, settings: &Options) -> u32 {
    let seat = Seat(rng.below(2) as u8);
    let start = position(rng, settings, None);
    let mut game = enter(&start, rng, "orders", seat);
    let (mut list, mut moved, mut checked) = (Vec::new(), Vec::new(), 0);
    for _ in 0..6 {
        list.clear();
        if game.actor() != Some(seat) || game.legal(&mut list).is_err() || !list.contains(&Action::End) {
            break;
        }
        for at in Place::all() {
            let offered = list.contains(&Action::Army(at));
            assert_eq!(offered, could_act(game.state(), seat, at, &moved, settings), "army {at}");
        }
        list.retain(|a| matches!(a, Action::Army(_)));
        let Some(&Action::Army(at)) = rng.choose(&list) else { break };
        game.play(Action::Army(at)).unwrap();
        // Picking, as long as it is asked for; then the army is known by the blocks that are marked in it.
        let mut picked = Vec::new();
        let blocks = loop {
            if game.actor().is_none() {
                game.resolve(rng).unwrap();
                continue;
            }
            list.clear();
            game.legal(&mut list).unwrap();
            if !list.iter().any(|a| matches!(a, Action::Pick(_))) {
                break if list.contains(&Action::Stop) { army(game.state()) } else { picked };
            }
            let act = *rng.choose(&list).unwrap();
            if let Action::Pick(t) = act {
                picked.push(t);
            }
            game.play(act).unwrap();
        };
        assert!(!blocks.is_empty(), "nobody marches from {at}");
        moved.extend(&blocks);
        let left = allowance(settings, blocks.len());
        let mut march = March { at, blocks, left, ended: false, met: false, forced: false, stepped: false };
        loop {
            let list = compare(&game, &march, seat, settings);
            checked += 1;
            let Some(&act) = rng.choose(&list) else { break };
            let (lands, fleet) = march.column(game.state());
            let before = game.clone();
            game.play(act).unwrap();
            match act {
                Action::Move(to) => {
                    let ends = step(before.state(), seat, march.at, to, lands, fleet).unwrap();
                    let landing = is_sea(march.at) && !is_sea(to);
                    if landing {
                        march.blocks.retain(|&t| game.state().tokens().back(t) != NAVAL);
                    }
                    let enemy = foe(seat);
                    let sea_foes = if is_sea(to) { before.state().ship_count(to, enemy) } else { 0 };
                    march.met = before.state().land_units(to, enemy) + sea_foes > 0;
                    march.ended = ends || march.met;
                    march.left -= 1;
                    march.at = to;
                    march.stepped = true;
                    for &t in &march.blocks {
                        let zone = game.state().tokens().zone(t);
                        assert!(zone == land(to, seat) || Some(zone) == ships(to, seat));
                    }
                }
                Action::Drop(t) => march.blocks.retain(|&b| b != t),
                Action::Force(_) => {
                    (march.forced, march.left, march.ended) = (true, 1, false);
                }
                Action::Influence => assert!(game.state().has_token(march.at, seat)),
                _ => break,
            }
        }
    }
    checked
}

#[test]
fn marches_are_what_the_rules_say() {
    let mut rng = Rng::new(11);
    let usual = Options::default();
    let simple = Options { logistics: Logistics::Simple, neutral: Neutral::Open, ..usual };
    let mut checked = 0;
    for i in 0..400 {
        checked += try_position(&mut rng, if i % 3 == 0 { &simple } else { &usual });
    }
    println!("{checked} decisions of marches compared");
    assert!(checked > 2000, "{checked}");
}
