//! Liar's dice: bids on the dice under all cups, of which each player sees only their own.
//!
//! Each round all players roll in secret. In turn they raise the bid or challenge it. After a challenge all
//! dice are shown, and the player who was wrong loses a die. The last player with dice wins. The template for
//! a game with private dice ([`Chance::Cast`]).

mod bid;
mod describe;
mod heuristic;
mod options;

pub use bid::{Action, Bid, Pip};
pub use options::{LiarsDiceOptions, Wild};

use pentarchy_engine::{
    Audience, Chance, Cx, Event, Face, Game, GameInfo, Node, OptionsError, Outcome, RuleError, Seat,
    SeatView, Set, Side, Sz, Tokens, TokensOf, Zone, ensure,
};
use serde::{Deserialize, Serialize};

/// Maximum number of players, and the number of their cups.
const MOST: u8 = 6;
/// The dice that players have lost.
const LOST: Zone = Zone(MOST);

/// A game of Liar's dice.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct LiarsDice {
    /// Number of players.
    seats: u8,
    /// Number of sides of a die.
    sides: u8,
    /// The side that counts as every other one; 0 for none.
    wild: u8,
    /// What is awaited.
    stage: Stage,
    /// The player to act; after a round, the player who was wrong.
    turn: Seat,
    /// The last bid of the round and its bidder.
    bid: Option<(Seat, Bid)>,
    /// By seat: how many players had lost all dice, this one included, when it lost its last; 0 before.
    out: [u8; MOST as usize],
    /// The dice. Those under the cups are marked.
    tokens: Tokens<Pip, Sz<36, 7>>,
}

/// What is awaited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Stage {
    /// The secret roll of all dice.
    Roll,
    /// A bid or a challenge.
    Bid,
    /// All dice are shown after a challenge.
    Show,
    /// Nothing.
    Over,
}

/// What the rules report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// All players have rolled their dice.
    Rolled,
    /// A player has made a bid.
    Bid {
        /// The bidder.
        seat: Seat,
        /// The bid.
        bid: Bid,
    },
    /// A player has challenged the last bid.
    Challenged {
        /// The challenger.
        seat: Seat,
        /// The bidder.
        bidder: Seat,
        /// The bid.
        bid: Bid,
    },
    /// All dice were shown and counted, and a player has lost a die.
    Counted {
        /// The bid that was challenged.
        bid: Bid,
        /// How many dice match it.
        found: u8,
        /// The player who was wrong.
        loser: Seat,
        /// The dice that this player has left.
        left: u8,
    },
    /// The last player with dice has won.
    Won {
        /// The winner.
        seat: Seat,
    },
}

/// Returns the zone of a player's dice, which has the number of the seat.
pub const fn cup(seat: Seat) -> Zone {
    Zone(seat.0)
}

impl LiarsDice {
    /// Returns the number of dice that a player has; 0 for one who is out. The number of the seat
    /// must be below 6.
    pub fn dice_of(&self, seat: Seat) -> u8 {
        self.tokens.len(cup(seat)) as u8
    }

    /// Returns the number of dice that all players together have left.
    pub fn dice_in_play(&self) -> u8 {
        (0..self.seats).map(|seat| self.dice_of(Seat(seat))).sum()
    }

    /// Returns the last bid of the round and its bidder; `None` before the first.
    pub fn last_bid(&self) -> Option<(Seat, Bid)> {
        self.bid
    }

    /// Returns whether a die that shows `pip` counts for a bid on `face`: it shows this side, or the wild
    /// one.
    fn counts(&self, pip: Pip, face: u8) -> bool {
        let shown = pip.index() + 1;
        shown == face || shown == self.wild
    }

    /// Returns the next player after `seat` who has dice; `seat` itself if no other has.
    fn next(&self, seat: Seat) -> Seat {
        let after = (1..=self.seats).map(|step| Seat((seat.0 + step) % self.seats));
        after.into_iter().find(|&next| self.dice_of(next) > 0).unwrap_or(seat)
    }

    /// Marks the dice of all players, which the next roll or show is about, and unmarks all others.
    fn mark_cups(&mut self) {
        self.tokens.unmark_all();
        (0..self.seats).for_each(|seat| self.tokens.mark_zone(cup(Seat(seat))));
    }

    /// Checks that a bid is possible and higher than the last one: by count, then by side. Does not check the
    /// stage.
    ///
    /// # Errors
    ///
    /// Fails with a reason for players if the dice have no such side, the count is 0 or above the number of
    /// dice in play, or the bid is not higher.
    fn check_bid(&self, bid: Bid) -> Result<(), RuleError> {
        ensure((1..=self.sides).contains(&bid.face), "the dice have no such side")?;
        ensure(bid.count > 0, "a bid is about at least one die")?;
        ensure(bid.count <= self.dice_in_play(), "the bid names more dice than there are")?;
        let higher = self.bid.is_none_or(|(_, last)| bid > last);
        ensure(higher, "a bid must be higher: more dice, or as many of a higher side")
    }

    /// Counts the public dice against the last bid and takes a die from the player who was wrong: the
    /// challenger if at least as many dice match as the bid says, else the bidder. Clears the bid and emits
    /// `Counted`. Ends the game and emits `Won` if one player is left, and otherwise begins the next round:
    /// the player who was wrong starts, or the next one who has dice.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if there is no bid or a die is hidden.
    fn settle_challenge(&mut self, cx: &mut Cx<'_, Pip, Fact>) -> Result<(), RuleError> {
        let (bidder, bid) = self.bid.ok_or(RuleError::new("there is no bid"))?;
        let mut found = 0;
        for seat in (0..self.seats).map(Seat) {
            for t in self.tokens.iter(cup(seat)) {
                found += u8::from(self.counts(self.tokens.face(t)?, bid.face));
            }
        }
        let loser = if found >= bid.count { self.turn } else { bidder };
        if let Some(die) = self.tokens.bottom(cup(loser)) {
            self.tokens.put(die, LOST);
        }
        let left = self.dice_of(loser);
        cx.emit(move || Fact::Counted { bid, found, loser, left });
        if left == 0 {
            self.out[loser.index()] = 1 + self.out.iter().filter(|&&place| place > 0).count() as u8;
        }
        self.turn = if left > 0 { loser } else { self.next(loser) };
        self.bid = None;
        self.mark_cups();
        let alive = (0..self.seats).filter(|&seat| self.dice_of(Seat(seat)) > 0).count();
        self.stage = if alive > 1 { Stage::Roll } else { Stage::Over };
        if alive == 1 {
            let seat = self.turn;
            cx.emit(move || Fact::Won { seat });
        }
        Ok(())
    }
}

impl Game for LiarsDice {
    type Options = LiarsDiceOptions;
    type Action = Action;
    type Face = Pip;
    type Size = Sz<36, 7>;
    type Fact = Fact;

    const INFO: GameInfo = GameInfo {
        name: "liars-dice",
        title: "Liar's dice",
        pitch: "Bid on dice that nobody sees in full, and call the bluff.",
        designer: "traditional",
        min_seats: 2,
        max_seats: MOST,
        default_seats: 3,
        minutes: 10,
        rules_version: 1,
    };

    /// Creates the state before the first roll: each player has their dice under the cup, and seat 0 begins.
    ///
    /// # Errors
    ///
    /// Fails only if the token table has no room for the dice, which its size excludes.
    fn new(seats: u8, options: &LiarsDiceOptions) -> Result<Self, OptionsError> {
        let wild = match options.wild {
            Wild::Ones => 1,
            Wild::Highest => options.sides,
            Wild::None => 0,
        };
        let mut game = LiarsDice {
            seats,
            sides: options.sides,
            wild,
            stage: Stage::Roll,
            turn: Seat(0),
            bid: None,
            out: [0; MOST as usize],
            tokens: Tokens::new(),
        };
        for seat in (0..seats).map(Seat) {
            for _ in 0..options.dice {
                game.tokens.add_slip(cup(seat)).map_err(|e| OptionsError::new(e.to_string()))?;
            }
        }
        game.mark_cups();
        Ok(game)
    }

    /// Returns the number of seats.
    fn seats(&self) -> u8 {
        self.seats
    }

    /// Returns the tokens: all dice, their zones and who knows them.
    #[inline(always)]
    fn tokens(&self) -> &TokensOf<Self> {
        &self.tokens
    }

    /// Returns the tokens for the engine, which casts and reveals them.
    #[inline(always)]
    fn tokens_mut(&mut self) -> &mut TokensOf<Self> {
        &mut self.tokens
    }

    /// Returns the seat whose cup the zone is, also if no player has this seat; `None` for the lost dice.
    fn owner(&self, zone: Zone) -> Option<Seat> {
        (zone != LOST).then_some(Seat(zone.0))
    }

    /// Returns whether dice in this zone are face up: only the lost ones.
    fn open(&self, zone: Zone) -> bool {
        zone == LOST
    }

    /// Returns the name of a zone: `cup 0` to `cup 5`, or `lost`.
    fn zone_name(zone: Zone) -> String {
        if zone == LOST { "lost".to_string() } else { format!("cup {}", zone.0) }
    }

    /// Returns the next node: the secret roll of all dice under the cups, a bid or challenge of the player to
    /// act, the public show of these dice after a challenge, or the end.
    fn node(&self) -> Node {
        match self.stage {
            Stage::Roll => Node::Chance(Chance::Cast { set: Set::Marked, first: 0, sides: self.sides }),
            Stage::Bid => Node::Decide(self.turn),
            Stage::Show => Node::Reveal { set: Set::Marked, to: Audience::All, side: Side::Face },
            Stage::Over => Node::Over,
        }
    }

    /// Appends the challenge, if there is a bid, and then all higher bids, ascending, up to the number of
    /// dice in play.
    fn legal(&self, _own: &SeatView<'_, Self>, out: &mut Vec<Action>) {
        let mut next = Bid { count: 1, face: 1 };
        if let Some((_, last)) = self.bid {
            out.push(Action::Liar);
            next = Bid { face: last.face + 1, ..last };
        }
        for count in next.count..=self.dice_in_play() {
            out.extend((next.face..=self.sides).map(|face| Action::Bid(Bid { count, face })));
            next.face = 1;
        }
    }

    /// Applies an event: opens the bidding after a roll (emits `Rolled`), takes a bid and passes the turn to
    /// the next player with dice (`Bid`), takes a challenge, after which all dice are shown (`Challenged`),
    /// and settles it after the show (`Counted`, and `Won` at the end).
    ///
    /// # Errors
    ///
    /// Fails, without a change, if another kind of event is awaited, if a bid is impossible or not higher
    /// than the last one, or if there is no bid to challenge.
    fn apply(&mut self, cx: &mut Cx<'_, Pip, Fact>, event: Event<Action>) -> Result<(), RuleError> {
        match (self.stage, event) {
            (Stage::Roll, Event::Done) => {
                self.stage = Stage::Bid;
                cx.emit(|| Fact::Rolled);
                Ok(())
            }
            (Stage::Bid, Event::Act(Action::Bid(bid))) => {
                self.check_bid(bid)?;
                let seat = self.turn;
                self.bid = Some((seat, bid));
                self.turn = self.next(seat);
                cx.emit(move || Fact::Bid { seat, bid });
                Ok(())
            }
            (Stage::Bid, Event::Act(Action::Liar)) => {
                let (bidder, bid) = self.bid.ok_or(RuleError::new("there is no bid to challenge"))?;
                self.stage = Stage::Show;
                let seat = self.turn;
                cx.emit(move || Fact::Challenged { seat, bidder, bid });
                Ok(())
            }
            (Stage::Show, Event::Done) => self.settle_challenge(cx),
            _ => Err(RuleError::new("something else is awaited")),
        }
    }

    /// Returns the ranks once the game is over, the later a player lost their last die the better; the winner
    /// scores one point for each other player, who scores −1. `None` before.
    fn outcome(&self) -> Option<Outcome> {
        if self.stage != Stage::Over {
            return None;
        }
        let seats = usize::from(self.seats);
        let mut scores = [-1; MOST as usize];
        scores[self.turn.index()] = i32::from(self.seats) - 1;
        let place = |seat: Seat| if seat == self.turn { u8::MAX } else { self.out[seat.index()] };
        Some(Outcome::by_key(&scores[..seats], place))
    }
}
