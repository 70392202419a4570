//! A game that gives no advice: Captain tries each action in random games.

use pentarchy_bots::{BotPlayer, Captain, Random};
use pentarchy_engine::{
    Cx, Event, Game, GameInfo, Heuristic, NoFace, NoOptions, NoWeights, Node, OptionsError, Outcome,
    ParseError, Position, RuleError, Seat, SeatView, Sz, Tokens, ensure,
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Nim with one heap: the seats take 1 to 3 sticks in turn, and who takes the last one wins.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Nim {
    sticks: u8,
    turn: u8,
    tokens: Tokens<NoFace, Sz<0, 0>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Take(u8);

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "take {}", self.0)
    }
}

impl FromStr for Take {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let number = text.strip_prefix("take ").and_then(|number| number.parse().ok());
        number.map(Take).ok_or_else(|| ParseError::new(text, "take N"))
    }
}

impl Game for Nim {
    type Options = NoOptions;
    type Action = Take;
    type Face = NoFace;
    type Size = Sz<0, 0>;
    type Fact = ();

    const INFO: GameInfo = GameInfo {
        name: "nim",
        title: "Nim",
        pitch: "",
        designer: "",
        min_seats: 2,
        max_seats: 2,
        default_seats: 2,
        minutes: 0,
        rules_version: 1,
    };

    fn new(_seats: u8, _options: &NoOptions) -> Result<Self, OptionsError> {
        Ok(Nim { sticks: 10, turn: 0, tokens: Tokens::new() })
    }

    fn seats(&self) -> u8 {
        2
    }

    fn tokens(&self) -> &Tokens<NoFace, Sz<0, 0>> {
        &self.tokens
    }

    fn tokens_mut(&mut self) -> &mut Tokens<NoFace, Sz<0, 0>> {
        &mut self.tokens
    }

    fn node(&self) -> Node {
        if self.sticks > 0 { Node::Decide(Seat(self.turn)) } else { Node::Over }
    }

    fn legal(&self, _own: &SeatView<'_, Self>, out: &mut Vec<Take>) {
        out.extend((1..=self.sticks.min(3)).map(Take));
    }

    fn apply(&mut self, _cx: &mut Cx<'_, NoFace, ()>, event: Event<Take>) -> Result<(), RuleError> {
        let Event::Act(Take(n)) = event else { return Err(RuleError::new("not an action")) };
        ensure((1..=self.sticks.min(3)).contains(&n), "too many sticks")?;
        self.sticks -= n;
        self.turn = 1 - self.turn;
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = usize::from(1 - self.turn);
        (self.sticks == 0).then(|| Outcome::by_score(&[i32::from(winner == 0), i32::from(winner == 1)]))
    }
}

impl Heuristic for Nim {
    type Weights = NoWeights;
}

/// Plays a game of a Captain at `seat` against a random player and returns whether the Captain wins.
fn captain_wins(seat: Seat, seed: u64) -> bool {
    let mut position = Position::<Nim>::new(2, &NoOptions {}).unwrap();
    let (mut captain, mut random, mut list) = (Captain::new(seed), Random::new(seed + 1), Vec::new());
    while let Some(actor) = position.actor() {
        position.legal(&mut list).unwrap();
        let view = position.view(actor);
        let choice = match actor == seat {
            true => captain.choose(&view, &list),
            false => random.choose(&view, &list),
        };
        position.play(list[choice]).unwrap();
    }
    position.outcome().unwrap().rank(seat) == 1
}

#[test]
fn captain_without_advice_beats_random_players() {
    let won = (0..100).filter(|&game| captain_wins(Seat(game as u8 % 2), game)).count();
    assert!(won >= 80, "{won} of 100");
}

#[test]
fn captain_without_advice_wins_at_once_if_it_can() {
    let mut position = Position::<Nim>::new(2, &NoOptions {}).unwrap();
    for n in [3, 2, 2] {
        position.play(Take(n)).unwrap();
    }
    let mut list = Vec::new();
    position.legal(&mut list).unwrap();
    for seed in 0..20 {
        let choice = Captain::new(seed).choose(&position, &list);
        assert_eq!(list[choice], Take(3));
        assert_eq!(Captain::new(seed).choose(&position, &list), choice);
    }
}
