//! Exact walks where tokens are mixed that somebody knew: the chances must be those of the table.

use pentarchy_engine::{
    Audience, Chance, Cx, Event, Face, Game, GameInfo, NoOptions, Node, OptionsError, Outcome, ParseError,
    Position, RuleError, Seat, SeatView, Set, Side, Sz, Token, Tokens, Zone,
};
use pentarchy_testkit::exact::{self, Tree};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Seat 1 points at a token and wins if its face is 0. What is mixed before is what a game of this family
/// differs by.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Guess<const RETURN: bool> {
    at: u8,
    pointed: Token,
    tokens: Tokens<Coin, Sz<3, 3>>,
}

/// Two cups, a coin under one: seat 0 exchanges them unseen.
type Cups = Guess<false>;
/// Of three coins seat 1 sees one; it is mixed with another; the third stays apart.
type Return = Guess<true>;

const DECK: Zone = Zone(0);
const HAND: Zone = Zone(1);
const PILE: Zone = Zone(2);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Coin(u8);

impl Face for Coin {
    type Bits = u8;
    const KINDS: usize = 3;
    fn index(self) -> u8 {
        self.0
    }
    fn nth(index: u8) -> Self {
        Coin(index)
    }
}

impl fmt::Display for Coin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "coin{}", self.0)
    }
}

impl FromStr for Coin {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        (0..3).map(Coin).find(|coin| coin.to_string() == text).ok_or_else(|| ParseError::new(text, "a coin"))
    }
}

impl<const RETURN: bool> Game for Guess<RETURN> {
    type Options = NoOptions;
    type Action = Token;
    type Face = Coin;
    type Size = Sz<3, 3>;
    type Fact = ();

    const INFO: GameInfo = GameInfo {
        name: "guess",
        title: "Guess",
        pitch: "Where is it?",
        designer: "traditional",
        min_seats: 2,
        max_seats: 2,
        default_seats: 2,
        minutes: 0,
        rules_version: 1,
    };

    fn new(_seats: u8, _options: &NoOptions) -> Result<Self, OptionsError> {
        let mut tokens = Tokens::new();
        for coin in 0..if RETURN { 3 } else { 2 } {
            tokens.add(Coin(coin), DECK).map_err(|e| OptionsError::new(e.to_string()))?;
        }
        Ok(Guess { at: 0, pointed: Token(0), tokens })
    }

    fn seats(&self) -> u8 {
        2
    }

    fn tokens(&self) -> &Tokens<Coin, Sz<3, 3>> {
        &self.tokens
    }

    fn tokens_mut(&mut self) -> &mut Tokens<Coin, Sz<3, 3>> {
        &mut self.tokens
    }

    fn node(&self) -> Node {
        let before: &[Node] = if RETURN {
            &[
                Node::Chance(Chance::Shuffle { pile: DECK }),
                Node::Reveal { set: Set::Zone(HAND), to: Audience::Seat(Seat(1)), side: Side::Face },
                Node::Chance(Chance::Shuffle { pile: PILE }),
            ]
        } else {
            &[Node::Rearrange { set: Set::Zone(DECK), by: Seat(0) }]
        };
        match (self.at as usize).checked_sub(before.len()) {
            None => before[self.at as usize],
            Some(0) => Node::Decide(Seat(1)),
            Some(1) => Node::Reveal { set: Set::One(self.pointed), to: Audience::All, side: Side::Face },
            Some(_) => Node::Over,
        }
    }

    fn legal(&self, _own: &SeatView<'_, Self>, out: &mut Vec<Token>) {
        out.extend(if RETURN { [Token(0), Token(2)] } else { [Token(0), Token(1)] });
    }

    fn apply(&mut self, _cx: &mut Cx<'_, Coin>, event: Event<Token>) -> Result<(), RuleError> {
        match (self.at, event) {
            (_, Event::Act(t)) => self.pointed = t,
            (0, _) if RETURN => self.tokens.put(Token(0), HAND),
            (1, _) if RETURN => [0, 1].into_iter().for_each(|t| self.tokens.put(Token(t), PILE)),
            _ => {}
        }
        self.at += 1;
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        let face = self.tokens.public_face(self.pointed).filter(|_| self.node() == Node::Over)?;
        Some(Outcome::by_score(if face == Coin(0) { &[-1, 1] } else { &[1, -1] }))
    }
}

fn start<G: Game<Options = NoOptions>>() -> Position<G> {
    Position::new(2, &NoOptions {}).expect("two seats and no options")
}

#[track_caller]
fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
}

#[test]
fn a_rearrangement_cannot_be_followed_by_others() {
    let census = exact::census(&start::<Cups>()).unwrap();
    // The two ways to lie, each drawn coin by coin; then one decision that looks the same in both.
    assert_eq!((census.chance, census.decision, census.terminal), (3, 2, 4));
    assert_eq!(census.information_sets, 1);
    let tree = Tree::new(&start::<Cups>(), 100).unwrap();
    assert_near(tree.best_response(Seat(1), &tree.uniform()), 0.0);
}

#[test]
fn a_known_token_is_mixed_with_an_unknown_one_and_not_with_all() {
    let tree = Tree::new(&start::<Return>(), 100).unwrap();
    assert_eq!(tree.information_sets(), 3);
    // Coin 0 seen: the token that was it has it still with 1/2, the third never. Another one seen: with 1/4,
    // and with 1/2. So the best is 1/2 always, and pointing at random 1/3: a gain of 0, and of -1/3.
    assert_near(tree.best_response(Seat(1), &tree.uniform()), 0.0);
    assert_near(tree.value(&tree.uniform()), 1.0 / 3.0);
}

#[test]
fn a_tree_that_is_too_large_is_refused() {
    assert!(Tree::new(&start::<Return>(), 10).is_err());
    assert!(exact::census(&start::<Return>().view(Seat(0))).is_err());
}
