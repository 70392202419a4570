//! A small game for the tests of scenarios: hidden hands, backs that tell a category, an open table, a die,
//! a duty, a secret choice and a mixed hand.
//!
//! The pantry holds fruit (apples, pears) and tools (a knife, a fork). Each seat gets three things. In turn
//! a seat may `draw`, `eat` a fruit (it shows it and throws the die for the points), `wish` secretly for
//! yes or no, `mix` its hand, be `honest` (show one knife, or assure that there is none) or `stop`.

use pentarchy_engine::{
    AppliedEvent, Audience, Back, Chance, Cx, Describe, Event, Face, FaceSet, Field, Game, GameInfo, Node,
    Options, OptionsError, Outcome, ParseError, Position, RuleError, Seat, SeatView, Set, Side, Slips, Sz,
    Token, Tokens, Zone, describe::who, ensure,
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Pantry {
    pub(crate) score: [i32; 2],
    limit: i32,
    turn: Seat,
    stage: Stage,
    last: Option<u32>,
    tokens: Tokens<Thing, Sz<14, 5>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Stage {
    Shuffle,
    Deal(u8),
    Turn,
    Back(Token),
    Tell(Token),
    Die,
    Honest,
    Mix,
    Over,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Limits {
    pub(crate) limit: i32,
}
impl Default for Limits {
    fn default() -> Self {
        Limits { limit: 10 }
    }
}
impl Options for Limits {
    const FIELDS: &'static [Field] = &[Field::tuning("limit", 1, 50, "the points that end the game")];
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Thing {
    Apple,
    Pear,
    Knife,
    Fork,
    Yes,
    No,
}
use Thing::{Apple, Fork, Knife, No, Pear, Yes};
const THINGS: [(Thing, &str); 6] =
    [(Apple, "apple"), (Pear, "pear"), (Knife, "knife"), (Fork, "fork"), (Yes, "yes"), (No, "no")];

impl Face for Thing {
    type Bits = u8;
    const KINDS: usize = 6;
    fn index(self) -> u8 {
        self as u8
    }
    fn nth(index: u8) -> Self {
        THINGS[index as usize].0
    }
    fn back(self) -> Back {
        Back(if matches!(self, Apple | Pear) { 1 } else { 2 })
    }
}
impl fmt::Display for Thing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(THINGS[*self as usize].1)
    }
}
impl FromStr for Thing {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let found = THINGS.iter().find(|(_, name)| *name == text).map(|(thing, _)| *thing);
        found.ok_or_else(|| ParseError::new(text, "a thing of the pantry"))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Do {
    Draw,
    Eat(Token),
    Wish(Option<bool>),
    Mix,
    Honest,
    Show(Token),
    Rest,
    Stop,
    /// Two things do not go together, whatever they are: never legal.
    Join(Token, Token),
    /// Breaks a law on purpose: is refused and changes something. Never legal.
    Spoil,
}
impl fmt::Display for Do {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Do::Draw => f.write_str("draw"),
            Do::Eat(t) => write!(f, "eat {t}"),
            Do::Wish(None) => f.write_str("wish ?"),
            Do::Wish(Some(yes)) => f.write_str(if *yes { "wish yes" } else { "wish no" }),
            Do::Mix => f.write_str("mix"),
            Do::Honest => f.write_str("honest"),
            Do::Show(t) => write!(f, "show {t}"),
            Do::Rest => f.write_str("rest"),
            Do::Stop => f.write_str("stop"),
            Do::Spoil => f.write_str("spoil"),
            Do::Join(a, b) => write!(f, "join {a} {b}"),
        }
    }
}
impl FromStr for Do {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        Ok(match text.split_whitespace().collect::<Vec<_>>()[..] {
            ["draw"] => Do::Draw,
            ["eat", t] => Do::Eat(t.parse()?),
            ["wish", "?"] => Do::Wish(None),
            ["wish", "yes"] => Do::Wish(Some(true)),
            ["wish", "no"] => Do::Wish(Some(false)),
            ["mix"] => Do::Mix,
            ["honest"] => Do::Honest,
            ["show", t] => Do::Show(t.parse()?),
            ["rest"] => Do::Rest,
            ["stop"] => Do::Stop,
            ["spoil"] => Do::Spoil,
            ["join", a, b] => Do::Join(a.parse()?, b.parse()?),
            _ => return Err(ParseError::new(text, "something to do in the pantry")),
        })
    }
}

pub(crate) const DECK: Zone = Zone(2);
pub(crate) const TABLE: Zone = Zone(3);
pub(crate) const WISHES: Zone = Zone(4);
pub(crate) const fn hand(seat: Seat) -> Zone {
    Zone(seat.0)
}
const SLIP: Token = Token(13);

impl Pantry {
    fn deal(&mut self, n: u8) {
        if let (Some(t), true) = (self.tokens.top(DECK), n < 6) {
            self.tokens.put(t, hand(Seat(n % 2)));
            self.stage = Stage::Deal(n);
        } else {
            self.stage = Stage::Turn;
        }
    }

    fn pass(&mut self) {
        self.turn = self.turn.next(2);
        let won = self.score.iter().any(|&s| s >= self.limit);
        self.stage = if won { Stage::Over } else { Stage::Turn };
    }

    fn act(&mut self, cx: &mut Cx<'_, Thing>, action: Do) -> Result<(), RuleError> {
        let mine = hand(self.turn);
        match action {
            Do::Draw => {
                let t = self.tokens.top(DECK).ok_or(RuleError::new("the deck is empty"))?;
                self.tokens.put(t, mine);
                self.stage = if self.tokens.is_public(t) { Stage::Turn } else { Stage::Back(t) };
                if self.tokens.is_public(t) {
                    self.pass();
                }
            }
            Do::Eat(t) => {
                ensure(self.tokens.in_zone(t, mine), "this is not in your hand")?;
                ensure(matches!(self.tokens.face(t)?, Apple | Pear), "only fruit can be eaten")?;
                self.tokens.put(t, TABLE);
                self.stage = Stage::Die;
            }
            Do::Wish(_) => self.pass(),
            Do::Mix if self.tokens.is_empty(mine) => return Err(RuleError::new("there is nothing to mix")),
            Do::Mix => self.stage = Stage::Mix,
            Do::Honest => self.stage = Stage::Honest,
            Do::Stop => self.stage = Stage::Over,
            Do::Spoil => {
                self.score[0] += 1;
                return Err(RuleError::new("it is spoilt"));
            }
            Do::Join(a, b) if a == b => return Err(RuleError::new("this is one thing, not two")),
            Do::Join(..) => return Err(RuleError::new("these do not go together")),
            Do::Show(_) | Do::Rest => return Err(RuleError::new("nobody asked for honesty")),
        }
        let _ = cx;
        Ok(())
    }

    fn declare(&mut self, cx: &mut Cx<'_, Thing>, action: Do) -> Result<(), RuleError> {
        let mine = hand(self.turn);
        match action {
            Do::Show(t) => {
                ensure(self.tokens.in_zone(t, mine), "this is not in your hand")?;
                ensure(self.tokens.face(t)? == Knife, "only a knife is asked for")?;
            }
            Do::Rest => {
                let hidden: Vec<Token> =
                    self.tokens.iter(mine).filter(|&t| !self.tokens.is_public(t)).collect();
                cx.require_none(&self.tokens, hidden.iter().copied(), FaceSet::only(Knife))?;
                for t in hidden {
                    self.tokens.narrow(t, FaceSet::only(Knife).complement());
                }
            }
            _ => return Err(RuleError::new("honesty is asked for")),
        }
        self.pass();
        Ok(())
    }
}

impl Game for Pantry {
    type Options = Limits;
    type Action = Do;
    type Face = Thing;
    type Size = Sz<14, 5>;
    type Fact = ();

    const INFO: GameInfo = GameInfo {
        name: "pantry",
        title: "Pantry",
        pitch: "Fruit, tools and honesty.",
        designer: "the tests",
        min_seats: 2,
        max_seats: 2,
        default_seats: 2,
        minutes: 0,
        rules_version: 1,
    };

    fn new(_: u8, options: &Limits) -> Result<Self, OptionsError> {
        let mut tokens = Tokens::new();
        let things = [Apple, Apple, Apple, Apple, Apple, Pear, Pear, Pear, Knife, Knife, Fork, Fork, Fork];
        for thing in things {
            tokens.add(thing, DECK).map_err(|e| OptionsError::new(e.to_string()))?;
        }
        tokens.add_slip(WISHES).map_err(|e| OptionsError::new(e.to_string()))?;
        let limit = options.limit;
        Ok(Pantry { score: [0; 2], limit, turn: Seat(0), stage: Stage::Shuffle, last: None, tokens })
    }
    fn seats(&self) -> u8 {
        2
    }
    fn tokens(&self) -> &Tokens<Thing, Sz<14, 5>> {
        &self.tokens
    }
    fn tokens_mut(&mut self) -> &mut Tokens<Thing, Sz<14, 5>> {
        &mut self.tokens
    }
    fn owner(&self, zone: Zone) -> Option<Seat> {
        (zone.0 < 2).then_some(Seat(zone.0))
    }
    fn open(&self, zone: Zone) -> bool {
        zone == TABLE
    }
    fn zone_name(zone: Zone) -> String {
        ["hand 0", "hand 1", "deck", "table", "wishes"][zone.index()].to_string()
    }
    fn node(&self) -> Node {
        let reveal = |t, to, side| Node::Reveal { set: Set::One(t), to, side };
        match self.stage {
            Stage::Shuffle => Node::Chance(Chance::Shuffle { pile: DECK }),
            Stage::Deal(n) => {
                let seat = Seat(n % 2);
                match self.tokens.bottom(hand(seat)) {
                    Some(t) => reveal(t, Audience::Seat(seat), Side::Face),
                    None => Node::Over,
                }
            }
            Stage::Turn => Node::Decide(self.turn),
            Stage::Back(t) => reveal(t, Audience::All, Side::Back),
            Stage::Tell(t) => reveal(t, Audience::Seat(self.turn), Side::Face),
            Stage::Die => Node::Chance(Chance::Roll { sides: 6 }),
            Stage::Honest => Node::Declare(self.turn),
            Stage::Mix => Node::Rearrange { set: Set::Zone(hand(self.turn)), by: self.turn },
            Stage::Over => Node::Over,
        }
    }
    fn legal(&self, own: &SeatView<'_, Self>, out: &mut Vec<Do>) {
        let mine = || self.tokens.iter(hand(self.turn));
        if self.stage == Stage::Honest {
            let knife = mine().find(|&t| !self.tokens.is_public(t) && own.is(t, Knife));
            return out.push(knife.map_or(Do::Rest, Do::Show));
        }
        if !self.tokens.is_empty(DECK) {
            out.push(Do::Draw);
        }
        for fruit in [Apple, Pear] {
            out.extend(mine().find(|&t| own.is(t, fruit)).map(Do::Eat));
        }
        if !self.tokens.is_empty(hand(self.turn)) {
            out.push(Do::Mix);
        }
        out.extend([Do::Wish(Some(true)), Do::Wish(Some(false)), Do::Honest, Do::Stop]);
    }
    fn veil(&self, action: Do) -> (Do, Slips<Thing>) {
        let menu = FaceSet::only(Yes).or(FaceSet::only(No));
        match action {
            Do::Wish(choice) => {
                (Do::Wish(None), Slips::one(SLIP, menu, choice.map(|yes| if yes { Yes } else { No })))
            }
            other => (other, Slips::none()),
        }
    }
    fn shows(&self, action: Do, out: &mut impl FnMut(Token)) {
        if let Do::Eat(t) | Do::Show(t) = action {
            out(t);
        }
    }
    fn apply(&mut self, cx: &mut Cx<'_, Thing>, event: Event<Do>) -> Result<(), RuleError> {
        match (self.stage, event) {
            (Stage::Shuffle, Event::Done) => self.deal(0),
            (Stage::Deal(n), Event::Done) => self.deal(n + 1),
            (Stage::Turn, Event::Act(action)) => return self.act(cx, action),
            (Stage::Honest, Event::Act(action)) => return self.declare(cx, action),
            (Stage::Back(t), Event::Done) => self.stage = Stage::Tell(t),
            (Stage::Tell(_) | Stage::Mix, Event::Done) => self.pass(),
            (Stage::Die, Event::Rolled(n)) => {
                self.score[self.turn.index()] += n as i32;
                self.last = Some(n);
                self.pass();
            }
            _ => return Err(RuleError::new("something else is awaited")),
        }
        Ok(())
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.stage == Stage::Over).then(|| Outcome::by_score(&self.score))
    }
}

impl pentarchy_engine::Encode for Pantry {}

impl Describe for Pantry {
    const SUMMARY: &'static str = "Eat fruit.";
    fn table(view: &Position<Self>) -> String {
        format!("{:?}", view.state().score)
    }
    fn log(event: &AppliedEvent<'_, Self>) -> Option<String> {
        let AppliedEvent { before, line, .. } = *event;
        let seat = who(before.state().turn);
        match (line.event, line.shown.first()) {
            (Event::Act(Do::Eat(_)), Some((_, face))) => Some(format!("{seat} eats a fine {face}.")),
            (Event::Act(Do::Show(_)), _) => Some(format!("{seat} shows a knife.")),
            (Event::Rolled(n), _) => Some(format!("{seat} scores {n}.")),
            _ => None,
        }
    }
}
