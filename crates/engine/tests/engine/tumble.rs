//! Tumble: a small game with private dice that are shown, claimed about and cast again. The tests of the
//! engine and of the online table play it.

use pentarchy_engine::{
    AppliedEvent, Audience, Chance, Cx, Describe, Event, FaceSet, Game, GameInfo, Heuristic, NoOptions,
    NoWeights, Node, OptionsError, Outcome, ParseError, Position, RuleError, Seat, SeatView, Set, Side, Sz,
    Token, Tokens, Zone, faces,
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

faces! {
    /// A face; the dice have the last three.
    pub(crate) enum Pip: u8 { Coin = "coin", Low = "low", Mid = "mid", High = "high" }
}

/// Two seats roll two dice each. In turn they show a die, say that they have a high one, or pass. Then the
/// dice that were not shown are rolled once more, all dice are shown, and the higher sum wins.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Tumble {
    at: u8,
    pub(crate) tokens: Tokens<Pip, Sz<4, 3>>,
}

pub(crate) const TABLE: Zone = Zone(2);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Tell {
    Show(Token),
    High,
    Pass,
}

impl fmt::Display for Tell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tell::Show(t) => write!(f, "show {t}"),
            Tell::High => f.write_str("high"),
            Tell::Pass => f.write_str("pass"),
        }
    }
}

impl FromStr for Tell {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.split_once(' ') {
            None if text == "high" => Ok(Tell::High),
            None if text == "pass" => Ok(Tell::Pass),
            Some(("show", t)) => t.parse().map(Tell::Show),
            _ => Err(ParseError::new(text, "show, high or pass")),
        }
    }
}

impl Tumble {
    fn sum(&self, seat: Seat) -> i32 {
        let own = |t: &Token| t.0 / 2 == u16::from(seat.0);
        let faces = self.tokens.all().filter(own).filter_map(|t| self.tokens.public_face(t));
        faces.map(|face| face as i32).sum()
    }
}

impl Game for Tumble {
    type Options = NoOptions;
    type Action = Tell;
    type Face = Pip;
    type Size = Sz<4, 3>;
    type Fact = ();
    const INFO: GameInfo = GameInfo {
        name: "tumble",
        title: "Tumble",
        pitch: "",
        designer: "",
        min_seats: 2,
        max_seats: 2,
        default_seats: 2,
        minutes: 0,
        rules_version: 1,
    };
    fn new(_: u8, _: &NoOptions) -> Result<Self, OptionsError> {
        let mut tokens = Tokens::new();
        for seat in [0, 0, 1, 1] {
            tokens.add_slip(Zone(seat)).map_err(|e| OptionsError::new(e.to_string()))?;
        }
        tokens.mark_zone(Zone(0));
        tokens.mark_zone(Zone(1));
        Ok(Tumble { at: 0, tokens })
    }
    fn seats(&self) -> u8 {
        2
    }
    fn tokens(&self) -> &Tokens<Pip, Sz<4, 3>> {
        &self.tokens
    }
    fn tokens_mut(&mut self) -> &mut Tokens<Pip, Sz<4, 3>> {
        &mut self.tokens
    }
    fn owner(&self, zone: Zone) -> Option<Seat> {
        (zone != TABLE).then_some(Seat(zone.0))
    }
    fn node(&self) -> Node {
        match self.at {
            0 | 3 => Node::Chance(Chance::Cast { set: Set::Marked, first: 1, sides: 3 }),
            1 | 2 => Node::Decide(Seat(self.at - 1)),
            4 => Node::Reveal { set: Set::Marked, to: Audience::All, side: Side::Face },
            _ => Node::Over,
        }
    }
    fn legal(&self, own: &SeatView<'_, Self>, out: &mut Vec<Tell>) {
        let mut listed = FaceSet::none();
        for t in self.tokens.iter(Zone(own.seat().0)) {
            let Some(face) = own.face(t) else { continue };
            if !listed.has(face) {
                out.push(Tell::Show(t));
            }
            listed = listed.or(FaceSet::only(face));
        }
        if listed.has(Pip::High) {
            out.push(Tell::High);
        }
        out.push(Tell::Pass);
    }
    fn shows(&self, action: Tell, out: &mut impl FnMut(Token)) {
        if let Tell::Show(t) = action {
            out(t);
        }
    }
    fn map_tokens(action: Tell, map: &mut dyn FnMut(Token) -> Token) -> Tell {
        if let Tell::Show(t) = action { Tell::Show(map(t)) } else { action }
    }
    fn apply(&mut self, cx: &mut Cx<'_, Pip>, event: Event<Tell>) -> Result<(), RuleError> {
        match (self.node(), event) {
            (Node::Decide(seat), Event::Act(Tell::Show(t))) => {
                if !self.tokens.in_zone(t, Zone(seat.0)) {
                    return Err(RuleError::new("this is not your die"));
                }
                self.tokens.put(t, TABLE);
            }
            (Node::Decide(seat), Event::Act(Tell::High)) => {
                let dice = self.tokens.iter(Zone(seat.0));
                cx.require_some(&self.tokens, dice, FaceSet::only(Pip::High), 1)?;
            }
            (Node::Decide(_), Event::Act(Tell::Pass)) => {}
            (Node::Chance(_) | Node::Reveal { .. }, Event::Done) => {}
            _ => return Err(RuleError::new("something else is awaited")),
        }
        self.tokens.unmark_all();
        self.at += 1;
        if self.at > 2 {
            self.tokens.mark_zone(Zone(0));
            self.tokens.mark_zone(Zone(1));
        }
        Ok(())
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.at == 5).then(|| Outcome::by_score(&[self.sum(Seat(0)), self.sum(Seat(1))]))
    }
}

impl pentarchy_engine::Encode for Tumble {}

impl Describe for Tumble {
    const SUMMARY: &'static str = "Roll high.";
    fn table(_: &Position<Self>) -> String {
        String::new()
    }
    fn log(_: &AppliedEvent<'_, Self>) -> Option<String> {
        None
    }
}

impl Heuristic for Tumble {
    type Weights = NoWeights;
}
