//! A small game with private dice and without advice: what a board learns from an event, and what the default guide
//! recommends.

use super::guided::follow;
use crate::board::{Board, EventReport, ReportDisplay};
use crate::guide::{GuideTarget, best, best_of_all};
use crate::local_match::LocalMatch;
use crate::markup::{El, MarkupNode, div};
use crate::table::GameView;
use crate::ui::Ui;
use pentarchy_engine::{
    AppliedEvent, Chance, Cx, Describe, Event, Game, GameInfo, Heuristic, NoOptions, NoWeights, Node,
    Observer, OptionsError, Outcome, ParseError, Position, Rng, RuleError, Seat, SeatView, Set, Sz, Tokens,
    Zone, ensure, faces,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{fmt, str::FromStr};

faces! {
    /// A side of the dice.
    pub(crate) enum Pip: u8 { Low = "low", High = "high" }
}

/// Each seat rolls a die that only it sees. Then the seats take 1 to 3 of 10 sticks in turn, and who takes the last one
/// wins.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Sticks {
    sticks: u8,
    turn: u8,
    rolled: bool,
    tokens: Tokens<Pip, Sz<2, 2>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Take(u8);

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

impl Game for Sticks {
    type Options = NoOptions;
    type Action = Take;
    type Face = Pip;
    type Size = Sz<2, 2>;
    type Fact = ();

    const INFO: GameInfo = GameInfo {
        name: "sticks",
        title: "Sticks",
        pitch: "Take the last stick.",
        designer: "traditional",
        min_seats: 2,
        max_seats: 2,
        default_seats: 2,
        minutes: 1,
        rules_version: 1,
    };

    fn new(_: u8, _: &NoOptions) -> Result<Self, OptionsError> {
        let mut tokens = Tokens::new();
        for zone in [Zone(0), Zone(1)] {
            tokens.add_slip(zone).map_err(|e| OptionsError::new(e.to_string()))?;
            tokens.mark_zone(zone);
        }
        Ok(Sticks { sticks: 10, turn: 0, rolled: false, tokens })
    }

    fn seats(&self) -> u8 {
        2
    }

    fn tokens(&self) -> &Tokens<Pip, Sz<2, 2>> {
        &self.tokens
    }

    fn tokens_mut(&mut self) -> &mut Tokens<Pip, Sz<2, 2>> {
        &mut self.tokens
    }

    fn owner(&self, zone: Zone) -> Option<Seat> {
        Some(Seat(zone.0))
    }

    fn node(&self) -> Node {
        match self.sticks {
            _ if !self.rolled => Node::Chance(Chance::Cast { set: Set::Marked, first: 0, sides: 2 }),
            0 => Node::Over,
            _ => Node::Decide(Seat(self.turn)),
        }
    }

    fn legal(&self, _own: &SeatView<'_, Self>, out: &mut Vec<Take>) {
        out.extend((1..=self.sticks.min(3)).map(Take));
    }

    fn apply(&mut self, _cx: &mut Cx<'_, Pip>, event: Event<Take>) -> Result<(), RuleError> {
        match (self.node(), event) {
            (Node::Chance(_), Event::Done) => {
                self.tokens.unmark_all();
                self.rolled = true;
            }
            (Node::Decide(_), Event::Act(Take(n))) => {
                ensure((1..=self.sticks.min(3)).contains(&n), "too many sticks")?;
                self.sticks -= n;
                self.turn = 1 - self.turn;
            }
            _ => return Err(RuleError::new("something else is awaited")),
        }
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = 1 - self.turn;
        (self.sticks == 0).then(|| Outcome::by_score(&[0, 1].map(|seat| i32::from(seat == winner))))
    }
}

impl Describe for Sticks {
    const SUMMARY: &'static str = "Take the last stick.";

    fn table(view: &Position<Self>) -> String {
        format!("{} sticks", view.state().sticks)
    }

    fn log(event: &AppliedEvent<'_, Self>) -> Option<String> {
        Some(readers(event))
    }
}

impl Heuristic for Sticks {
    type Weights = NoWeights;
}

impl Board for Sticks {
    fn report(event: &AppliedEvent<'_, Self>, _ui: &Ui) -> Option<EventReport> {
        Some(EventReport { el: div(""), display: ReportDisplay::Note, summary: readers(event) })
    }
}

/// Names the readers of the annexes that the event has.
fn readers(event: &AppliedEvent<'_, Sticks>) -> String {
    let seats = event.line.annexes.iter().filter_map(|annex| annex.to);
    format!("for {:?}", seats.map(|seat| seat.0).collect::<Vec<_>>())
}

/// Returns a position with this number of sticks, after the dice; seat 0 is to move.
fn position(sticks: u8) -> Position<Sticks> {
    let mut position = Position::<Sticks>::new(2, &NoOptions {}).unwrap();
    assert!(position.advance(&mut Rng::new(1), &mut Vec::new()).unwrap());
    for _ in 0..(10 - sticks) {
        position.play(Take(1)).unwrap();
    }
    assert_eq!(position.actor(), Some(Seat(sticks % 2)));
    position
}

#[test]
fn reports_and_log_get_only_the_annexes_of_their_observer() {
    let mut table = LocalMatch::<Sticks>::new(2, &Value::Null, 1).unwrap();
    assert!(table.advance().unwrap());
    for (observer, readers) in [
        (Observer::Seat(Seat(0)), "for [0]"),
        (Observer::Seat(Seat(1)), "for [1]"),
        (Observer::Spectator, "for []"),
        (Observer::All, "for [0, 1]"),
    ] {
        let report = table.report(1, observer, &Ui::default()).unwrap();
        assert_eq!(report.summary, readers, "{observer:?}");
        assert_eq!(table.log(0, observer)[0].text, readers, "{observer:?}");
    }
}

#[test]
fn the_guide_of_a_game_without_advice_recommends_a_good_move() {
    for sticks in [4, 6, 8] {
        let view = position(sticks).view(Seat(0));
        let recommended = best_of_all(&view, Seat(0)).unwrap();
        assert_eq!(best_of_all(&view, Seat(0)), Some(recommended), "the same each time");
        let less = best(&view, Seat(0), |take| take.0 < 2);
        assert_eq!(less, Some(Take(1)));
        assert_eq!(best(&view, Seat(0), |_| false), None);
        assert_eq!(best_of_all(&view, Seat(1)), None, "it is not their turn");
        let card = Sticks::GUIDE.card(&view, Seat(0), Sticks::GUIDE.steps.len() - 1).unwrap();
        assert_eq!(card.target, GuideTarget::Move(recommended.to_string()));
    }
    let two = position(2).view(Seat(0));
    assert_eq!(best_of_all(&two, Seat(0)), Some(Take(2)));
    follow::<Sticks>();
}

/// Returns the names of the dice in an element, in the order of the drawing.
fn dice(el: &El) -> Vec<String> {
    let kids = el.kids.iter().filter_map(|kid| if let MarkupNode::El(kid) = kid { Some(kid) } else { None });
    el.get("data-die").map(str::to_string).into_iter().chain(kids.flat_map(dice)).collect()
}

#[test]
fn private_dice_tumble_after_their_cast_and_not_later() {
    let mut table = LocalMatch::<Sticks>::new(2, &Value::Null, 1).unwrap();
    let ui = Ui { seat: Some(Seat(0)), ..Ui::default() };
    let drawn = |table: &LocalMatch<Sticks>, at| {
        let scene = table.scene(at, Observer::Seat(Seat(0)), &ui);
        let hand = scene.hand.map(|hand| hand.cards).unwrap_or_default();
        hand.iter().chain([&scene.board]).flat_map(dice).collect::<Vec<_>>()
    };
    assert!(drawn(&table, 0).is_empty());
    assert!(table.advance().unwrap());
    // The own die in the hand, and that of the other player, whose face is hidden.
    assert_eq!(drawn(&table, 1), ["#0 1", "#1 1"]);
    table.play("take 1").unwrap();
    assert!(drawn(&table, 2).is_empty());
    assert_eq!(drawn(&table, 1).len(), 2, "in a replay");
    table.take_back(2);
    assert!(drawn(&table, 0).is_empty());
}
