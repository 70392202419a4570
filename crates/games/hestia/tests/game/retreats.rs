//! Retreats against all paths, enumerated naively.

use crate::naive::{enter, foe, position, retreats};
use pentarchy_engine::{Chance, Game, Known, Node, Position, Rng, Seat, Token};
use pentarchy_hestia::cards::Card;
use pentarchy_hestia::face::{Mode, Shown};
use pentarchy_hestia::map::Place;
use pentarchy_hestia::options::Retreat;
use pentarchy_hestia::state::{GONE, deck, hand, land};
use pentarchy_hestia::{Action, Hestia, Options};
use pentarchy_testkit::arrange::{Laid, Layout, Rest, lay_out};

/// Cards without text, so that equal cards and equal dice make a clash without an effect.
const PLAIN: [Card; 6] = [
    Card::HeavyInfantry,
    Card::HeavyInfantry,
    Card::HeavyInfantry,
    Card::HeavyInfantry,
    Card::Veterans,
    Card::Veterans,
];

fn deal(game: &mut Position<Hestia>, seat: Seat, cards: &[Card]) {
    let laid = |&c: &Card| Laid { face: Shown::Card(c), known: Some(Known::only(seat)), back: false };
    let layout = Layout { zone: hand(seat), tokens: cards.iter().map(laid).collect(), more: false };
    lay_out(game, &[layout], &Rest { all: None, each: vec![(hand(seat), deck(seat))] }).unwrap();
}

fn holds(game: &Position<Hestia>, seat: Seat, card: Card) -> Token {
    let mut cards = game.state().tokens().iter(hand(seat));
    cards.find(|&t| game.face(t) == Some(Shown::Card(card))).unwrap()
}

/// One battle: some clashes that cost nothing, then one side retreats in a tie. Returns how far.
fn retreat(rng: &mut Rng, settings: &Options) -> usize {
    let lands: Vec<Place> = Place::lands().collect();
    let field = *rng.choose(&lands).unwrap();
    let (attacker, loser) = (Seat(rng.below(2) as u8), Seat(rng.below(2) as u8));
    let clashes = rng.below(7) as usize;
    let spent = rng.below(2) == 0;
    let mut game = position(rng, settings, Some(field));
    for seat in [Seat(0), Seat(1)] {
        let mut cards = PLAIN[..clashes].to_vec();
        cards.push(Card::Omens);
        if seat != loser || !spent {
            cards.push(Card::Phalanx);
        }
        deal(&mut game, seat, &cards);
    }
    let mut game = enter(&game, rng, "battle", attacker);
    let start = game.state().clone();
    let commander = start.tokens().top(land(field, loser)).unwrap();
    let (mut committed, mut rolls, mut list) = ([0; 2], 0, Vec::new());
    while game.state().tokens().in_zone(commander, land(field, loser)) {
        match game.node() {
            Node::Decide(seat) => {
                list.clear();
                game.legal(&mut list).unwrap();
                if list.contains(&Action::Done) {
                    game.play(Action::Done).unwrap();
                    continue;
                }
                if matches!(list[0], Action::Flee(_)) {
                    break;
                }
                let (card, mode) = match committed[seat.index()] {
                    n if n < clashes => (PLAIN[n], Mode::Fight),
                    _ if seat == loser => (Card::Omens, Mode::Retreat),
                    _ => (Card::Phalanx, Mode::Fight),
                };
                committed[seat.index()] += 1;
                game.play(Action::Clash(holds(&game, seat, card), Some(mode))).unwrap();
            }
            Node::Chance(Chance::Roll { .. }) => {
                // Equal cards and dice; in the end a Phalanx and a 1 against a bare 2.
                let roller = if rolls % 2 == 0 { attacker } else { foe(attacker) };
                let last = committed[loser.index()] > clashes;
                game.resolve_with(u32::from(last && roller == loser), None).unwrap();
                rolls += 1;
            }
            _ => game.resolve(rng).unwrap(),
        }
    }
    let cards = clashes as u8 + 1;
    let distance = 1 + cards / 2 + u8::from(spent);
    let shortest = if settings.retreat == Retreat::Exact { distance } else { 1 };
    let mut all = (shortest..=distance).rev().map(|length| retreats(&start, loser, field, length));
    let paths = all.find(|paths| !paths.is_empty()).unwrap_or_default();
    let Some(length) = paths.first().map(Vec::len) else {
        assert!(game.state().tokens().in_zone(commander, GONE), "no way out of {field}");
        return 0;
    };
    let mut gone = Vec::new();
    while gone.len() < length {
        let mut ways: Vec<Place> =
            paths.iter().filter(|path| path.starts_with(&gone)).map(|path| path[gone.len()]).collect();
        ways.sort();
        ways.dedup();
        if ways.len() > 1 {
            assert_eq!(game.node(), Node::Decide(foe(loser)), "the winner drives");
            list.clear();
            game.legal(&mut list).unwrap();
            let mut offered: Vec<Place> =
                list.iter().filter_map(|a| if let Action::Flee(p) = a { Some(*p) } else { None }).collect();
            assert_eq!(offered.len(), list.len());
            offered.sort();
            assert_eq!(offered, ways, "{distance} spaces from {field} by {gone:?}");
            for other in Place::all().filter(|p| !ways.contains(p)) {
                assert!(game.clone().play(Action::Flee(other)).is_err());
            }
        }
        let to = *rng.choose(&ways).unwrap();
        if ways.len() > 1 {
            game.play(Action::Flee(to)).unwrap();
        }
        gone.push(to);
    }
    assert!(game.state().tokens().in_zone(commander, land(gone[length - 1], loser)));
    length
}

#[test]
fn retreats_are_what_the_rules_say() {
    let mut rng = Rng::new(23);
    let longest = Options::default();
    let exact = Options { retreat: Retreat::Exact, ..longest };
    let mut far = [0; 8];
    for i in 0..500 {
        far[retreat(&mut rng, if i % 4 == 0 { &exact } else { &longest })] += 1;
    }
    println!("how many retreats by length: {far:?}");
    assert!(far.iter().take(6).all(|&n| n > 0), "{far:?}");
}
