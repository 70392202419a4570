//! Determinizing: how often which arrangement comes, notes, and what a tracer can guess.

use crate::parlour::{Parlour, ParlourOptions, hand};
use crate::snug::{self, BUG, Bug, Snug};
use pentarchy_engine::{
    Chance, Cx, Event, Face, FaceSet, Field, Game, GameInfo, Node, OptionKind, Options, OptionsError,
    Outcome, ParseError, Position, Rng, RuleError, Seat, SeatView, Sz, Token, Tokens, Zone,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::{fmt, str::FromStr};

/// A row of drawers, each with a different thing in it; what each may hold is public.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Drawers {
    case: u8,
    over: bool,
    tokens: Tokens<Thing, Sz<8, 1>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Thing(u8);

/// For each case the things that each drawer may hold, as bits.
const CASES: [&[u8]; 4] = [
    // Without information: 24 arrangements.
    &[0b1111, 0b1111, 0b1111, 0b1111],
    // A ring: two arrangements, and no exchange of two leads from one to the other.
    &[0b0011, 0b0110, 0b1100, 0b1001],
    // A longer ring.
    &[0b0000_0011, 0b0000_0110, 0b0000_1100, 0b0001_1000, 0b0011_0000, 0b0110_0000, 0b1100_0000, 0b1000_0001],
    // A chain with a single arrangement.
    &[0b0001, 0b0011, 0b0111, 0b1111],
];

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Case {
    case: u8,
}
impl Options for Case {
    const FIELDS: &'static [Field] =
        &[Field::option("case", OptionKind::Int { min: 0, max: 3 }, "which case")];
}

impl Game for Drawers {
    type Options = Case;
    type Action = snug::Act;
    type Face = Thing;
    type Size = Sz<8, 1>;
    type Fact = ();
    const INFO: GameInfo =
        GameInfo { name: "drawers", min_seats: 1, max_seats: 1, default_seats: 1, ..Snug::INFO };
    fn new(_: u8, options: &Case) -> Result<Self, OptionsError> {
        let mut tokens = Tokens::new();
        for thing in 0..CASES[usize::from(options.case)].len() {
            tokens.add(Thing(thing as u8), Zone(0)).map_err(|e| OptionsError::new(e.to_string()))?;
        }
        Ok(Drawers { case: options.case, over: false, tokens })
    }
    fn seats(&self) -> u8 {
        1
    }
    fn tokens(&self) -> &Tokens<Thing, Sz<8, 1>> {
        &self.tokens
    }
    fn tokens_mut(&mut self) -> &mut Tokens<Thing, Sz<8, 1>> {
        &mut self.tokens
    }
    fn node(&self) -> Node {
        if self.over { Node::Over } else { Node::Chance(Chance::Shuffle { pile: Zone(0) }) }
    }
    fn legal(&self, _: &SeatView<'_, Self>, _: &mut Vec<snug::Act>) {}
    fn apply(&mut self, _: &mut Cx<'_, Thing>, _: Event<snug::Act>) -> Result<(), RuleError> {
        for (t, &may) in CASES[usize::from(self.case)].iter().enumerate() {
            self.tokens.narrow(Token(t as u16), FaceSet::from_bits(may));
        }
        self.over = true;
        Ok(())
    }
    fn outcome(&self) -> Option<Outcome> {
        self.over.then(|| Outcome::by_score(&[0]))
    }
}

impl Face for Thing {
    type Bits = u8;
    const KINDS: usize = 8;
    fn index(self) -> u8 {
        self.0
    }
    fn nth(index: u8) -> Self {
        Thing(index)
    }
}
impl fmt::Display for Thing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "thing{}", self.0)
    }
}
impl FromStr for Thing {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        (0..8).map(Thing).find(|t| t.to_string() == text).ok_or_else(|| ParseError::new(text, "a thing"))
    }
}

/// How often a spectator imagines each arrangement.
fn frequencies(case: u8, draws: u32) -> BTreeMap<Vec<u8>, u32> {
    let mut game = Position::<Drawers>::new(1, &Case { case }).unwrap();
    // The true arrangement satisfies all public information.
    game.script("").unwrap();
    let (view, mut rng, mut seen) = (game.spectator(), Rng::new(case.into()), BTreeMap::new());
    for _ in 0..draws {
        let world = view.determinize(&mut rng);
        let faces: Vec<u8> = world.state().tokens().all().map(|t| world.face(t).unwrap().0).collect();
        let may = CASES[usize::from(case)];
        assert!(faces.iter().zip(may).all(|(f, may)| may >> f & 1 == 1), "{faces:?} does not fit");
        *seen.entry(faces).or_insert(0) += 1;
    }
    seen
}

#[test]
fn where_nothing_is_told_all_arrangements_are_equally_likely() {
    let seen = frequencies(0, 24_000);
    assert_eq!(seen.len(), 24);
    // Chi-square with 23 degrees of freedom: beyond 49.7 once in a thousand.
    let chi: f64 = seen.values().map(|&n| (f64::from(n) - 1_000.0).powi(2) / 1_000.0).sum();
    assert!(chi < 49.7, "{chi}");
}

#[test]
fn where_exchanging_two_does_not_suffice_longer_paths_are_found() {
    for case in [1, 2] {
        let seen = frequencies(case, 4_000);
        assert_eq!(seen.len(), 2, "both ways around the ring");
        assert!(seen.values().all(|&n| (1_600..2_400).contains(&n)), "{seen:?}");
    }
    assert_eq!(frequencies(3, 500).len(), 1);
}

/// Plays Parlour with views that follow; calls back after every event.
fn follow(seed: u64, mut each: impl FnMut(Node, &Position<Parlour>, &[Position<Parlour>])) {
    let mut game = Position::<Parlour>::new(3, &ParlourOptions::default()).unwrap();
    let mut views: Vec<_> = (0..3).map(|s| game.view(Seat(s))).collect();
    let (mut rng, mut list) = (Rng::new(seed), Vec::new());
    while game.node() != Node::Over {
        let node = game.node();
        let line = if game.actor().is_some() {
            game.legal(&mut list).unwrap();
            game.play_line(*rng.choose(&list).unwrap()).unwrap()
        } else {
            game.resolve_line(&mut rng).unwrap()
        };
        for (seat, view) in views.iter_mut().enumerate() {
            view.apply(&line.for_seat(Some(Seat(seat as u8)))).unwrap();
        }
        each(node, &game, &views);
    }
}

#[test]
fn a_seat_that_saw_a_hand_remembers_its_cards_after_it_was_mixed() {
    let (mut rng, mut remembered) = (Rng::new(1), 0);
    for seed in 0..40 {
        let mut saw: Option<(Seat, Seat, Vec<u8>)> = None;
        follow(seed, |node, game, views| {
            let cards = |p: &Position<Parlour>, owner: Seat| -> Option<Vec<u8>> {
                let faces = p.state().tokens().iter(hand(owner)).map(|t| p.face(t).map(|f| f.index()));
                let mut faces: Vec<u8> = faces.collect::<Option<_>>()?;
                faces.sort_unstable();
                Some(faces)
            };
            match (node, &saw) {
                // Right after the mixing the watcher knows the hand, though not which card is which.
                (Node::Rearrange { by, .. }, Some((owner, watcher, known))) if by == *owner => {
                    let view = &views[watcher.index()];
                    if cards(game, by).as_ref() == Some(known) {
                        let world = view.determinize(&mut rng);
                        assert_eq!(cards(&world, by).as_ref(), Some(known), "seed {seed}");
                        remembered += 1;
                    }
                }
                _ => {}
            }
            // Somebody who knows all of another's hand privately, just before it is mixed.
            saw = None;
            if let Node::Rearrange { by, .. } = game.node() {
                let watcher = (0..3).map(Seat).find(|&w| w != by && cards(&views[w.index()], by).is_some());
                saw = watcher.and_then(|w| Some((by, w, cards(game, by)?)));
            }
        });
    }
    assert!(remembered > 20, "{remembered}");
}

/// A tracer remembers the face that it last saw behind each number, as if nothing were ever mixed. Counts
/// how often that is true of a card in a hand of both colours, just before its owner may lay it face down.
fn tracer(bug: Bug) -> (u32, u32) {
    BUG.set(bug);
    let (mut right, mut guesses, mut list) = (0, 0, Vec::new());
    for seed in 0..3_000 {
        let mut game = Position::<Snug>::new(2, &Default::default()).unwrap();
        let (mut rng, mut memory) = (Rng::new(seed), [None; 14]);
        while game.node() != Node::Over {
            let spy = Seat(0);
            for t in game.state().tokens().all() {
                let shuffled = matches!(game.node(), Node::Chance(_));
                if let Some(face) = game.face_seen_by(spy, t).filter(|_| !shuffled) {
                    memory[t.index()] = Some(face);
                }
            }
            if let Node::Decide(Seat(1)) = game.node() {
                // Of all cards that seat 1 could lay now: what does the tracer say of a random one?
                let tokens = game.state().tokens();
                let cards: Vec<Token> = tokens.iter(Zone(1)).collect();
                let mixed = cards.iter().any(|&t| game.face(t) != game.face(cards[0]));
                if let Some(&t) = rng.choose(&cards).filter(|_| mixed)
                    && let Some(guess) = memory[t.index()]
                {
                    guesses += 1;
                    right += u32::from(game.face(t) == Some(guess));
                }
            }
            if game.actor().is_some() {
                game.legal(&mut list).unwrap();
                // The tracer sees a hand by swapping; then hands are mixed before anything leaves them.
                let swap = list.iter().find(|a| **a == snug::Act::Swap && rng.below(3) == 0).copied();
                game.play(swap.unwrap_or_else(|| *rng.choose(&list).unwrap())).unwrap();
            } else {
                game.resolve(&mut rng).unwrap();
            }
        }
    }
    BUG.set(Bug::None);
    (right, guesses)
}

#[test]
fn a_tracer_learns_nothing_from_numbers() {
    let (right, guesses) = tracer(Bug::None);
    assert!(guesses > 1_000, "{guesses}");
    // A card of two has a chance of 1/2, one of three 5/9, whatever was once behind its number.
    assert!(right * 100 < guesses * 60, "{right} of {guesses}");
    let (right, guesses) = tracer(Bug::ForgetsRearrange);
    assert_eq!(right, guesses, "with nothing mixed the tracer is always right");
}
