//! How often a session runs the rules for one move.

use pentarchy_engine::any::{LastEvent, any};
use pentarchy_engine::{
    AppliedEvent, Cx, Describe, Event, Game, GameInfo, Heuristic, NoFace, NoOptions, NoWeights, Node,
    OptionsError, Outcome, ParseError, Position, RuleError, Seat, SeatView, Sz, Tokens,
};
use pentarchy_fair::{Entropy, SigningSecret};
use pentarchy_table::{
    AppliedPosition, Descriptor, Input, PeerSession, SessionEvent, SessionOutput, SessionRequest, TablePlayer,
};
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::{fmt, str::FromStr};

thread_local! {
    /// Number of calls of [`Counted::apply`].
    static RUNS: Cell<u32> = const { Cell::new(0) };
}

/// A game of two seats that say `tick` in turn, ten times. It counts how often its rules run.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Counted {
    ticks: u8,
    tokens: Tokens<NoFace, Sz<0, 0>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Tick;

impl fmt::Display for Tick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tick")
    }
}

impl FromStr for Tick {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        if text == "tick" { Ok(Tick) } else { Err(ParseError::new(text, "tick")) }
    }
}

impl Game for Counted {
    type Options = NoOptions;
    type Action = Tick;
    type Face = NoFace;
    type Size = Sz<0, 0>;
    type Fact = u8;

    const INFO: GameInfo = GameInfo {
        name: "counted",
        title: "Counted",
        pitch: "",
        designer: "",
        min_seats: 2,
        max_seats: 2,
        default_seats: 2,
        minutes: 0,
        rules_version: 1,
    };

    fn new(_seats: u8, _options: &NoOptions) -> Result<Self, OptionsError> {
        Ok(Counted { ticks: 0, tokens: Tokens::new() })
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
        if self.ticks < 10 { Node::Decide(Seat(self.ticks % 2)) } else { Node::Over }
    }

    fn legal(&self, _own: &SeatView<'_, Self>, out: &mut Vec<Tick>) {
        out.push(Tick);
    }

    fn apply(&mut self, cx: &mut Cx<'_, NoFace, u8>, _event: Event<Tick>) -> Result<(), RuleError> {
        RUNS.set(RUNS.get() + 1);
        self.ticks += 1;
        let ticks = self.ticks;
        cx.emit(move || ticks);
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.node() == Node::Over).then(|| Outcome::by_score(&[1, 1]))
    }
}

impl Describe for Counted {
    const SUMMARY: &'static str = "";

    fn table(_view: &Position<Self>) -> String {
        String::new()
    }

    fn log(event: &AppliedEvent<'_, Self>) -> Option<String> {
        Some(format!("{:?}", event.facts))
    }
}

impl Heuristic for Counted {
    type Weights = NoWeights;
}

/// Two sessions that deliver each other's messages at once.
struct Table {
    sessions: Vec<PeerSession>,
    applied: Vec<Vec<AppliedPosition>>,
}

impl Table {
    fn open() -> Self {
        let identities: Vec<_> = (1..=2u8).map(|i| SigningSecret::new(Entropy::new([i; 32]))).collect();
        let player = |identity: &SigningSecret| TablePlayer {
            identity: *identity.public().bytes(),
            name: String::new(),
            host: None,
        };
        let players = identities.iter().map(player).collect();
        let game = any::<Counted>();
        let descriptor = Descriptor::new(game, &serde_json::json!({}), players, [7; 32]).unwrap();
        let mut table = Table { sessions: Vec::new(), applied: vec![Vec::new(); 2] };
        let mut opened = Vec::new();
        for (seat, identity) in (0u8..).zip(&identities) {
            let entropy = Entropy::new([seat + 5; 32]);
            let (session, outputs) =
                PeerSession::new(game, descriptor.clone(), seat, identity, [seat + 9; 32], entropy).unwrap();
            table.sessions.push(session);
            opened.push(outputs);
        }
        for (seat, outputs) in opened.into_iter().enumerate() {
            table.deliver(seat, outputs);
        }
        table
    }

    fn deliver(&mut self, from: usize, outputs: Vec<SessionOutput>) {
        for output in outputs {
            match output {
                SessionOutput::Request(SessionRequest::Send { bytes, .. }) => {
                    let to = 1 - from;
                    let answer = self.sessions[to].handle(Input::Message { from: 0, bytes: &bytes });
                    self.deliver(to, answer);
                }
                SessionOutput::Event(SessionEvent::Applied { position, .. }) => {
                    self.applied[from].push(position);
                }
                _ => {}
            }
        }
    }
}

#[test]
fn an_own_move_runs_the_rules_at_most_twice_and_its_event_carries_the_result() {
    let mut table = Table::open();
    for n in 0..10usize {
        let seat = n % 2;
        RUNS.set(0);
        let outputs = table.sessions[seat].handle(Input::Choose("tick"));
        // In debug builds a session checks its own contribution, too.
        assert!(RUNS.get() <= 2, "move {n} ran the rules {} times", RUNS.get());
        table.deliver(seat, outputs);
        RUNS.set(0);
        for applied in &table.applied {
            let position = applied.last().unwrap();
            let after = position.typed().downcast_ref::<Position<Counted>>().unwrap();
            let last = position.last_typed().unwrap().downcast_ref::<LastEvent<Counted>>().unwrap();
            assert_eq!(usize::from(after.state().ticks), n + 1);
            assert_eq!((last.before.state().ticks, &last.facts), (n as u8, &vec![n as u8 + 1]));
        }
        assert_eq!(RUNS.get(), 0);
    }
    assert!(table.sessions.iter().all(PeerSession::is_over));
}
