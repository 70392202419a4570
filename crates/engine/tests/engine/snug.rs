//! A very small game that can be given one bug at a time, to see whether the laws notice.
//!
//! Two seats hold three cards each, red or black. In turn each may `lay` a red one face down, `turn` a black
//! one up, `swap` hands, `bid` secretly, `pay` with two reds, or `pass`. At the end both show their reds.

use pentarchy_engine::{
    Audience, Chance, Cx, Encode, Encoder, EncodingNames, EncodingSize, Event, Exploration, ExploredEncoder,
    Face, FaceSet, Field, Game, GameInfo, Node, Options, OptionsError, Outcome, ParseError, Position,
    Promise, RuleError, Seat, SeatView, Set, Side, Sim, Slips, Stack, Sz, Token, Tokens, Zone, ensure,
};
use serde::{Deserialize, Serialize};
use std::{cell::Cell, fmt, str::FromStr};

/// What is wrong with the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) enum Bug {
    #[default]
    None,
    BranchesOnClaim,
    SwallowsClaim,
    SkipsByClaim,
    ForgetsRearrange,
    ShowsForeignToken,
    ListsTwice,
    EmptyList,
    DutyWithTwoEntries,
    ChangesThenChecks,
    AcceptsUnlisted,
    RefusesListed,
    VeilTellsChoice,
    VeilHidesWithoutSlip,
    LossyNotation,
    NatureLikeNotation,
    NoMapTokens,
    ReadsHiddenFace,
    SkipsFieldInState,
    NeverEnds,
    OutcomeTooEarly,
    OutcomeForAnotherTable,
    PanicsOnStrangeToken,
    AdmitsDeniesTruth,
    NarrowsWithoutClaim,
    IdleReveal,
    RearrangesBlindly,
    ForgetsPromise,
    FaceWithTwoWords,
    ZonesOfOneName,
    HastyPlayout,
    FactOfOneObserver,
    ObservesHiddenFace,
    ActionTellsHiddenFace,
    ObservesBeyondRange,
    ForgetsAnEntry,
}

thread_local! {
    /// The bug of the games that are started on this thread.
    pub(crate) static BUG: Cell<Bug> = const { Cell::new(Bug::None) };
}

fn now(bug: Bug) -> bool {
    BUG.get() == bug
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Snug {
    bug: Bug,
    turn: u8,
    points: [i32; 2],
    agenda: Stack<Task, 8>,
    tokens: Tokens<Color, Sz<14, 4>>,
    #[serde(skip)]
    secret: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
enum Task {
    #[default]
    Over,
    Await(Node),
    Turn(Seat),
    Pay(Seat, u8),
    Tell(Seat),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Nothing {}
impl Options for Nothing {
    const FIELDS: &'static [Field] = &[];
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Color {
    Red,
    Black,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Act {
    Lay(Token),
    Turn(Token),
    Swap,
    Bid(Option<bool>),
    Pay,
    Pass,
    Show(Token),
    Rest,
}

const DECK: Zone = Zone(2);
const TABLE: Zone = Zone(3);
const TURNS: u8 = 8;
const SLIP: Token = Token(12);

fn hand(seat: Seat) -> Zone {
    Zone(seat.0)
}

fn red() -> FaceSet<Color> {
    FaceSet::only(Color::Red)
}

impl Snug {
    fn is(&self, bug: Bug) -> bool {
        self.bug == bug
    }

    fn next(&mut self) -> Result<(), RuleError> {
        self.agenda.clear();
        self.turn += 1;
        let seat = Seat(self.turn % 2);
        let endless = self.is(Bug::NeverEnds);
        if self.turn >= TURNS && !endless {
            self.agenda.push(Task::Over)?;
            self.agenda.push(Task::Tell(Seat(1)))?;
            return self.agenda.push(Task::Tell(Seat(0)));
        }
        self.turn = if endless { self.turn % 2 } else { self.turn };
        self.agenda.push(Task::Turn(seat))?;
        let seen = self.tokens.iter(hand(seat)).any(|t| self.tokens.known(t).beyond(seat));
        if seen && self.tokens.len(hand(seat)) > 1 && !self.is(Bug::ForgetsRearrange) {
            let by = if self.is(Bug::RearrangesBlindly) { Seat(1 - seat.0) } else { seat };
            self.agenda.push(Task::Await(Node::Rearrange { set: Set::Zone(hand(seat)), by }))?;
        }
        if self.is(Bug::IdleReveal) {
            let (set, to, side) = (Set::Zone(hand(seat)), Audience::Seat(seat), Side::Face);
            self.agenda.push(Task::Await(Node::Reveal { set, to, side }))?;
        }
        Ok(())
    }

    fn act(&mut self, cx: &mut Cx<'_, Color, usize>, seat: Seat, act: Act) -> Result<(), RuleError> {
        let mine = |t: Token| self.tokens.in_zone(t, hand(seat));
        match act {
            Act::Lay(t) => {
                if self.is(Bug::PanicsOnStrangeToken) {
                    assert!(t.0 < 100, "no such token");
                }
                if self.is(Bug::ChangesThenChecks) {
                    self.points[1] += 1;
                }
                ensure(
                    self.tokens.in_zone(t, hand(seat)) || self.is(Bug::AcceptsUnlisted),
                    "not in the hand",
                )?;
                ensure(self.tokens.zone(t) != Zone::NOWHERE && t != SLIP && t.0 < 12, "no card")?;
                if self.is(Bug::ReadsHiddenFace) {
                    ensure(self.tokens.face(t)? == Color::Red, "not red")?;
                }
                let mut value = 1;
                match cx.require(&self.tokens, t, red()) {
                    Err(_) if self.is(Bug::BranchesOnClaim) => value = -1,
                    Err(_) if self.is(Bug::SwallowsClaim) => {}
                    other => other?,
                }
                self.points[seat.index()] += value;
                cx.emit(|| match self.is(Bug::FactOfOneObserver) {
                    true => std::ptr::from_ref(self).addr(),
                    false => t.index(),
                });
                self.tokens.narrow(t, red());
                self.tokens.put(t, TABLE);
            }
            Act::Turn(t) => {
                ensure(mine(t) && self.tokens.face(t)? == Color::Black, "not a black card of the hand")?;
                self.tokens.put(t, TABLE);
                self.secret = self.is(Bug::SkipsFieldInState);
            }
            Act::Swap => {
                ensure(
                    !self.tokens.is_empty(hand(Seat(0))) && !self.tokens.is_empty(hand(Seat(1))),
                    "no cards",
                )?;
                self.tokens.exchange(hand(Seat(0)), hand(Seat(1)));
                self.next()?;
                for to in [Seat(0), Seat(1)] {
                    let (set, side) = (Set::Zone(hand(to)), Side::Face);
                    let reveal = Node::Reveal { set, to: Audience::Seat(to), side };
                    if !self.tokens.idle(reveal) {
                        self.agenda.push(Task::Await(reveal))?;
                    }
                }
                return Ok(());
            }
            Act::Pay => {
                cx.require_some(&self.tokens, self.tokens.iter(hand(seat)), red(), 2)?;
                self.agenda.pop();
                return self.agenda.push(Task::Pay(seat, 2));
            }
            Act::Bid(None) | Act::Pass => {
                if self.is(Bug::NarrowsWithoutClaim)
                    && let Some(t) = self.tokens.top(hand(seat))
                {
                    self.tokens.narrow(t, red());
                }
                ensure(!self.is(Bug::RefusesListed), "no")?;
            }
            _ => return Err(RuleError::new("not now")),
        }
        self.next()
    }

    fn tell(&mut self, cx: &mut Cx<'_, Color, usize>, seat: Seat, act: Act) -> Result<(), RuleError> {
        match act {
            Act::Show(t) => {
                let good = self.tokens.in_zone(t, hand(seat)) && self.tokens.face(t)? == Color::Red;
                ensure(good, "not a red card of the hand")?;
                self.tokens.put(t, TABLE);
                if self.is(Bug::SkipsByClaim)
                    && cx.require_none(&self.tokens, self.tokens.iter(hand(seat)), red()).is_ok()
                {
                    self.agenda.pop();
                }
            }
            Act::Rest => {
                cx.require_none(&self.tokens, self.tokens.iter(hand(seat)), red())?;
                self.agenda.pop();
            }
            _ => return Err(RuleError::new("not now")),
        }
        Ok(())
    }

    fn pay(&mut self, seat: Seat, left: u8, t: Token) -> Result<(), RuleError> {
        let good = self.tokens.in_zone(t, hand(seat)) && self.tokens.face(t)? == Color::Red;
        ensure(good, "not a red card of the hand")?;
        self.tokens.put(t, TABLE);
        self.agenda.pop();
        if left == 1 { self.next() } else { self.agenda.push(Task::Pay(seat, left - 1)) }
    }
}

impl Game for Snug {
    type Options = Nothing;
    type Action = Act;
    type Face = Color;
    type Size = Sz<14, 4>;
    /// The token that was laid.
    type Fact = usize;
    const INFO: GameInfo = GameInfo {
        name: "snug",
        title: "Snug",
        pitch: "Has a bug.",
        designer: "nobody",
        min_seats: 2,
        max_seats: 2,
        default_seats: 2,
        minutes: 0,
        rules_version: 1,
    };

    fn new(_: u8, _: &Nothing) -> Result<Self, OptionsError> {
        let mut tokens = Tokens::new();
        let full = |e: RuleError| OptionsError::new(e.to_string());
        for i in 0..12 {
            tokens.add(if i % 2 == 0 { Color::Red } else { Color::Black }, DECK).map_err(full)?;
        }
        tokens.add_slip(TABLE).map_err(full)?;
        let mut agenda = Stack::new();
        agenda.push(Task::Await(Node::Chance(Chance::Shuffle { pile: DECK }))).map_err(full)?;
        Ok(Snug { bug: BUG.get(), turn: 0, points: [0; 2], agenda, tokens, secret: false })
    }

    fn seats(&self) -> u8 {
        2
    }
    fn tokens(&self) -> &Tokens<Color, Sz<14, 4>> {
        &self.tokens
    }
    fn tokens_mut(&mut self) -> &mut Tokens<Color, Sz<14, 4>> {
        &mut self.tokens
    }
    fn owner(&self, zone: Zone) -> Option<Seat> {
        (zone.0 < 2).then_some(Seat(zone.0))
    }
    fn zone_name(zone: Zone) -> String {
        if now(Bug::ZonesOfOneName) { "zone".to_string() } else { format!("zone {}", zone.0) }
    }

    fn node(&self) -> Node {
        match self.agenda.top() {
            _ if self.secret => Node::Over,
            Some(Task::Await(node)) => node,
            Some(Task::Turn(seat)) => Node::Decide(seat),
            Some(Task::Pay(seat, _) | Task::Tell(seat)) => Node::Declare(seat),
            _ => Node::Over,
        }
    }

    fn legal(&self, own: &SeatView<'_, Self>, out: &mut Vec<Act>) {
        let seat = own.seat();
        let cards = || self.tokens.iter(hand(seat));
        let first_red = || cards().find(|&t| own.is(t, Color::Red));
        match self.agenda.top() {
            Some(Task::Turn(_)) => {
                let alike = |t: Token, u: Token| {
                    own.face(t) == own.face(u) && self.tokens.known(t) == self.tokens.known(u)
                };
                let different = || cards().filter(|&t| cards().find(|&u| alike(t, u)) == Some(t));
                let any = self.is(Bug::BranchesOnClaim);
                out.extend(different().filter(|&t| any || own.is(t, Color::Red)).map(Act::Lay));
                out.extend(different().filter(|&t| own.is(t, Color::Black)).map(Act::Turn));
                if !self.tokens.is_empty(hand(Seat(0))) && !self.tokens.is_empty(hand(Seat(1))) {
                    out.push(Act::Swap);
                }
                out.extend([Act::Bid(Some(true)), Act::Bid(Some(false))]);
                if cards().filter(|&t| own.is(t, Color::Red)).count() >= 2 {
                    out.push(Act::Pay);
                }
                out.push(Act::Pass);
                if self.is(Bug::ListsTwice) {
                    out.push(Act::Pass);
                }
                if self.is(Bug::EmptyList) && cards().count() < 3 {
                    out.clear();
                }
            }
            Some(Task::Pay(..)) => out.extend(first_red().map(Act::Show)),
            _ => {
                out.push(first_red().map_or(Act::Rest, Act::Show));
                if self.is(Bug::DutyWithTwoEntries) && out[0] != Act::Rest {
                    out.push(Act::Rest);
                }
            }
        }
    }

    fn veil(&self, act: Act) -> (Act, Slips<Color>) {
        let Act::Bid(choice) = act else { return (act, Slips::none()) };
        let face = choice.map(|c| if c { Color::Red } else { Color::Black });
        match self.bug {
            Bug::VeilTellsChoice => (act, Slips::one(SLIP, FaceSet::all(), face)),
            Bug::VeilHidesWithoutSlip => (Act::Bid(None), Slips::none()),
            _ => (Act::Bid(None), Slips::one(SLIP, FaceSet::all(), face)),
        }
    }

    fn shows(&self, act: Act, out: &mut impl FnMut(Token)) {
        if let Act::Turn(t) | Act::Show(t) = act {
            out(t);
            if self.is(Bug::ShowsForeignToken)
                && let Some(foreign) = self.tokens.top(hand(Seat(1 - self.turn % 2)))
            {
                out(foreign);
            }
        }
    }

    fn map_tokens(act: Act, map: &mut dyn FnMut(Token) -> Token) -> Act {
        match act {
            Act::Lay(t) if !now(Bug::NoMapTokens) => Act::Lay(map(t)),
            Act::Turn(t) => Act::Turn(map(t)),
            Act::Show(t) => Act::Show(map(t)),
            other => other,
        }
    }

    fn apply(&mut self, cx: &mut Cx<'_, Color, usize>, event: Event<Act>) -> Result<(), RuleError> {
        match (self.agenda.top(), event) {
            (Some(Task::Await(Node::Chance(_))), Event::Done) => {
                self.agenda.clear();
                self.agenda.push(Task::Turn(Seat(0)))?;
                for seat in [Seat(0), Seat(1)] {
                    for _ in 0..3 {
                        if let Some(t) = self.tokens.top(DECK) {
                            self.tokens.put(t, hand(seat));
                        }
                    }
                    let (set, to, side) = (Set::Zone(hand(seat)), Audience::Seat(seat), Side::Face);
                    self.agenda.push(Task::Await(Node::Reveal { set, to, side }))?;
                }
                Ok(())
            }
            (Some(Task::Await(_)), Event::Done) => {
                self.agenda.pop();
                Ok(())
            }
            (Some(Task::Turn(seat)), Event::Act(act)) => self.act(cx, seat, act),
            (Some(Task::Pay(seat, left)), Event::Act(Act::Show(t))) => self.pay(seat, left, t),
            (Some(Task::Tell(seat)), Event::Act(act)) => self.tell(cx, seat, act),
            _ => Err(RuleError::new("something else is awaited")),
        }
    }

    fn admits(&self, t: Token, face: Color) -> bool {
        !(self.is(Bug::AdmitsDeniesTruth) && t.0 < 3 && face == Color::Red)
    }

    fn play_on(&mut self, sim: &mut Sim<'_, Self>) -> Result<(), RuleError> {
        if self.is(Bug::HastyPlayout) {
            sim.pick(2);
        }
        Ok(())
    }

    fn promise(&self) -> Option<Promise<Color>> {
        match self.agenda.top() {
            Some(Task::Pay(seat, least)) if !self.is(Bug::ForgetsPromise) => {
                Some(Promise { zone: hand(seat), set: red(), least })
            }
            _ => None,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let over = self.node() == Node::Over || self.is(Bug::OutcomeTooEarly) && self.turn > 4;
        let scores = if self.is(Bug::OutcomeForAnotherTable) { &[1, 2, 3][..] } else { &self.points[..] };
        over.then(|| Outcome::by_score(scores))
    }
}

impl Encode for Snug {
    fn encoder(
        start: &Position<Self>,
        options: &Nothing,
        exploration: Exploration,
    ) -> Box<dyn Encoder<Self>> {
        Box::new(BuggyEncoder(ExploredEncoder::new(start, options, exploration, 0)))
    }
}

/// The default encoder, with a bug.
struct BuggyEncoder(ExploredEncoder<Snug>);

impl Encoder<Snug> for BuggyEncoder {
    fn size(&self) -> EncodingSize {
        self.0.size()
    }
    fn names(&self) -> EncodingNames {
        self.0.names()
    }
    fn observe(&self, position: &Position<Snug>, seat: Seat, out: &mut [f32]) {
        let forgotten = out[0];
        self.0.observe(position, seat, out);
        match BUG.get() {
            Bug::ObservesHiddenFace if position.face(Token(0)) == Some(Color::Red) => out[0] = 0.5,
            Bug::ObservesBeyondRange => out[0] = 3.0,
            Bug::ForgetsAnEntry => out[0] = forgotten,
            _ => {}
        }
    }
    fn encode_action(&self, position: &Position<Snug>, seat: Seat, act: Act, out: &mut [f32]) {
        self.0.encode_action(position, seat, act, out);
        if now(Bug::ActionTellsHiddenFace) && position.face(Token(0)) == Some(Color::Red) {
            out[0] = 0.5;
        }
    }
}

impl Face for Color {
    type Bits = u8;
    const KINDS: usize = 2;
    fn index(self) -> u8 {
        self as u8
    }
    fn nth(index: u8) -> Self {
        [Color::Red, Color::Black][usize::from(index)]
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Red if now(Bug::FaceWithTwoWords) => "bright red",
            Color::Red => "red",
            Color::Black => "black",
        })
    }
}

impl FromStr for Color {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let all = [Color::Red, Color::Black];
        all.into_iter().find(|c| c.to_string() == text).ok_or_else(|| ParseError::new(text, "a colour"))
    }
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Act::Lay(t) if now(Bug::LossyNotation) => write!(f, "lay #{}", t.0 / 2),
            Act::Lay(t) => write!(f, "lay {t}"),
            Act::Turn(t) => write!(f, "turn {t}"),
            Act::Swap => f.write_str("swap"),
            Act::Bid(Some(true)) => f.write_str("bid red"),
            Act::Bid(Some(false)) => f.write_str("bid black"),
            Act::Bid(None) => f.write_str("bid ?"),
            Act::Pay => f.write_str("pay"),
            Act::Pass if now(Bug::NatureLikeNotation) => f.write_str("roll: 1"),
            Act::Pass => f.write_str("pass"),
            Act::Show(t) => write!(f, "show {t}"),
            Act::Rest => f.write_str("rest"),
        }
    }
}

impl FromStr for Act {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let words: Vec<&str> = text.split(' ').collect();
        Ok(match words[..] {
            ["lay", t] => Act::Lay(t.parse()?),
            ["turn", t] => Act::Turn(t.parse()?),
            ["swap"] => Act::Swap,
            ["bid", "red"] => Act::Bid(Some(true)),
            ["bid", "black"] => Act::Bid(Some(false)),
            ["bid", "?"] => Act::Bid(None),
            ["pay"] => Act::Pay,
            ["pass"] | ["roll:", "1"] => Act::Pass,
            ["show", t] => Act::Show(t.parse()?),
            ["rest"] => Act::Rest,
            _ => return Err(ParseError::new(text, "an action")),
        })
    }
}
