//! Kuhn poker: three cards, two players, one bet. The smallest game in which bluffing pays.
//!
//! Each player antes one chip and gets one of jack, queen and king. In turn they `check` or `bet` one more;
//! a bet is answered by `call` or `fold`. Who is not out-bet compares cards. H. W. Kuhn, 1950.

use pentarchy_engine::{
    Chance, Cx, Event, Face, Game, GameInfo, NoOptions, Node, OptionsError, Outcome, Own, ParseError,
    Rejected, Seat, Set, Side, Sz, To, Tokens, Zone,
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Kuhn {
    stage: Stage,
    /// What has been said: a bit for each step, 1 for a bet or a call.
    bets: u8,
    tokens: Tokens<Card, Sz<3, 3>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Stage {
    Shuffle,
    Deal(Seat),
    /// How many have spoken.
    Bet(u8),
    Showdown,
    Over(Seat),
}

/// A card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Card {
    /// The lowest.
    Jack,
    /// The middle one.
    Queen,
    /// The highest.
    King,
}

const CARDS: [Card; 3] = [Card::Jack, Card::Queen, Card::King];

impl Face for Card {
    type Bits = u8;
    const KINDS: usize = 3;
    #[inline]
    fn index(self) -> u8 {
        self as u8
    }
    #[inline]
    fn nth(index: u8) -> Self {
        CARDS[index as usize]
    }
}

/// What a player says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Say {
    /// No bet.
    Check,
    /// One chip more.
    Bet,
    /// Give up the ante.
    Fold,
    /// Match the bet.
    Call,
}

const DECK: Zone = Zone(2);
const fn hand(seat: Seat) -> Zone {
    Zone(seat.0)
}

impl Kuhn {
    #[inline]
    fn faces_bet(&self) -> bool {
        self.bets != 0
    }

    fn deal(&mut self, seat: Seat) {
        if let Some(card) = self.tokens.top(DECK) {
            self.tokens.put(card, hand(seat));
        }
        self.stage = Stage::Deal(seat);
    }

    #[inline]
    fn say(&mut self, seat: Seat, spoken: u8, say: Say) -> Result<(), Rejected> {
        match (say, self.faces_bet()) {
            (Say::Check, false) if spoken == 0 => self.stage = Stage::Bet(1),
            (Say::Check, false) | (Say::Call, true) => {
                self.bets |= u8::from(say == Say::Call) << spoken;
                self.stage = Stage::Showdown;
            }
            (Say::Bet, false) => {
                self.bets |= 1 << spoken;
                self.stage = Stage::Bet(spoken + 1);
            }
            (Say::Fold, true) => self.stage = Stage::Over(seat.next(2)),
            (_, true) => return Err(Rejected::new("there is a bet: fold or call")),
            (_, false) => return Err(Rejected::new("there is no bet: check or bet")),
        }
        Ok(())
    }

    fn card(&self, seat: Seat) -> Option<Card> {
        self.tokens.top(hand(seat)).and_then(|t| self.tokens.public_face(t))
    }
}

impl Game for Kuhn {
    type Options = NoOptions;
    type Action = Say;
    type Face = Card;
    type Size = Sz<3, 3>;

    const INFO: GameInfo = GameInfo {
        name: "kuhn",
        title: "Kuhn poker",
        pitch: "Three cards, one bet: the smallest game in which bluffing pays.",
        designer: "Harold W. Kuhn",
        min_seats: 2,
        max_seats: 2,
        default_seats: 2,
        rules_version: 1,
    };

    fn new(_seats: u8, _options: &NoOptions) -> Result<Self, OptionsError> {
        let mut tokens = Tokens::new();
        for card in CARDS {
            tokens.add(card, DECK).map_err(|e| OptionsError::new(e.to_string()))?;
        }
        Ok(Kuhn { stage: Stage::Shuffle, bets: 0, tokens })
    }

    fn seats(&self) -> u8 {
        2
    }

    #[inline(always)]
    fn tokens(&self) -> &Tokens<Card, Sz<3, 3>> {
        &self.tokens
    }

    #[inline(always)]
    fn tokens_mut(&mut self) -> &mut Tokens<Card, Sz<3, 3>> {
        &mut self.tokens
    }

    fn owner(&self, zone: Zone) -> Option<Seat> {
        (zone != DECK).then_some(Seat(zone.0))
    }

    fn zone_name(zone: Zone) -> String {
        if zone == DECK { "deck".to_string() } else { format!("hand {}", zone.0) }
    }

    #[inline(always)]
    fn node(&self) -> Node {
        match self.stage {
            Stage::Shuffle => Node::Chance(Chance::Shuffle { pile: DECK }),
            Stage::Deal(seat) => {
                Node::Reveal { set: Set::Zone(hand(seat)), to: To::Seat(seat), side: Side::Face }
            }
            Stage::Bet(spoken) => Node::Decide(Seat(spoken & 1)),
            Stage::Showdown => {
                Node::Reveal { set: Set::Zones(hand(Seat(0)), hand(Seat(1))), to: To::All, side: Side::Face }
            }
            Stage::Over(_) => Node::Over,
        }
    }

    #[inline(always)]
    fn legal(&self, _own: &Own<'_, Self>, out: &mut Vec<Say>) {
        out.extend(if self.faces_bet() { [Say::Fold, Say::Call] } else { [Say::Check, Say::Bet] });
    }

    #[inline(always)]
    fn apply(&mut self, _cx: &mut Cx<'_, Card>, event: Event<Say>) -> Result<(), Rejected> {
        match (self.stage, event) {
            (Stage::Shuffle, Event::Done) => self.deal(Seat(0)),
            (Stage::Deal(Seat(0)), Event::Done) => self.deal(Seat(1)),
            (Stage::Deal(_), Event::Done) => self.stage = Stage::Bet(0),
            (Stage::Bet(spoken), Event::Act(say)) => self.say(Seat(spoken & 1), spoken, say)?,
            (Stage::Showdown, Event::Done) => {
                let first_wins = self.card(Seat(0)) > self.card(Seat(1));
                self.stage = Stage::Over(Seat(u8::from(!first_wins)));
            }
            _ => return Err(Rejected::new("something else is awaited")),
        }
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        let Stage::Over(winner) = self.stage else { return None };
        // A call makes it two chips; a bet that was folded to wins only the ante.
        let stake = if self.bets.count_ones() == 2 { 2 } else { 1 };
        let first = if winner == Seat(0) { stake } else { -stake };
        Some(Outcome::by_score(&[first, -first]))
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["jack", "queen", "king"][self.index() as usize])
    }
}

impl FromStr for Card {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        CARDS
            .into_iter()
            .find(|c| c.to_string() == text)
            .ok_or_else(|| ParseError::new(text, "jack, queen or king"))
    }
}

impl fmt::Display for Say {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Say::Check => "check",
            Say::Bet => "bet",
            Say::Fold => "fold",
            Say::Call => "call",
        })
    }
}

impl FromStr for Say {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        [Say::Check, Say::Bet, Say::Fold, Say::Call]
            .into_iter()
            .find(|s| s.to_string() == text)
            .ok_or_else(|| ParseError::new(text, "check, bet, fold or call"))
    }
}
