//! Shared parts of Kuhn and Leduc poker: ranks, actions, and a betting round between two players.

use pentarchy_engine::{Audience, Node, Outcome, RuleError, Seat, Set, Side, Zone, faces, words};
use serde::{Deserialize, Serialize};

faces! {
    /// The rank of a card.
    pub enum Rank: u8 {
        /// The lowest rank.
        Jack = "jack",
        /// The middle rank.
        Queen = "queen",
        /// The highest rank.
        King = "king",
    }
}

words! {
    /// An action in a betting round.
    pub enum Say {
        /// Pay nothing while there is no bet to match.
        Check = "check",
        /// Be the first of the round to pay more.
        Bet = "bet",
        /// Give up the chips paid so far.
        Fold = "fold",
        /// Match the bet of the opponent.
        Call = "call",
        /// Match the bet and pay more.
        Raise = "raise",
    }
}

/// The limits of a betting round.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// How much a bet or raise exceeds what the opponent has paid.
    pub size: u8,
    /// Maximum number of bets and raises.
    pub raises: u8,
}

/// The chips that two players have paid, and the actions of this round. Seat 0 acts first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Betting {
    /// The chips that each seat has paid in the whole game.
    paid: [u8; 2],
    /// Number of actions in this round.
    spoken: u8,
    /// Number of bets and raises in this round.
    raises: u8,
}

/// What follows an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Then {
    /// The opponent acts.
    Answer,
    /// Both have paid the same: the round is over.
    Even,
    /// A player folded: this seat has won.
    Won(Seat),
}

impl Betting {
    /// Both players have paid the ante of one chip.
    pub const ANTES: Betting = Betting { paid: [1, 1], spoken: 0, raises: 0 };

    /// Begins the next round: seat 0 acts first again and there is no bet. The chips paid so far stay in the
    /// pot.
    #[inline]
    pub fn next_round(&mut self) {
        (self.spoken, self.raises) = (0, 0);
    }

    /// Returns the seat to act: seat 0 begins a round, then the seats alternate.
    #[inline]
    pub fn speaker(&self) -> Seat {
        Seat(self.spoken & 1)
    }

    /// Returns the chips that a seat (0 or 1) has paid in the whole game, the ante included.
    pub fn paid(&self, seat: Seat) -> u8 {
        self.paid[seat.index() & 1]
    }

    /// Appends the legal actions of the seat to act: check and bet before a bet; fold and call after one,
    /// then raise if the round has had fewer than `limit.raises` bets and raises.
    #[inline(always)]
    pub fn legal(&self, limit: Limit, out: &mut Vec<Say>) {
        out.extend(if self.raises == 0 { [Say::Check, Say::Bet] } else { [Say::Fold, Say::Call] });
        if (1..limit.raises).contains(&self.raises) {
            out.push(Say::Raise);
        }
    }

    /// Returns whether the seat to act may take this action: a pure check that agrees with the list of legal
    /// actions.
    #[inline(always)]
    fn allows(&self, say: Say, limit: Limit) -> bool {
        match say {
            Say::Check | Say::Bet => self.raises == 0,
            Say::Fold | Say::Call => self.raises > 0,
            Say::Raise => (1..limit.raises).contains(&self.raises),
        }
    }

    /// Returns the reason why an action is not legal, for players: no bet to answer, no further raise, or a
    /// bet to answer. Call it only for an action that the bets do not allow.
    #[cold]
    fn objection(&self, say: Say) -> RuleError {
        RuleError::new(match say {
            _ if self.raises == 0 => "there is no bet: check or bet",
            Say::Raise => "there is no further raise in this round",
            _ => "there is a bet: answer it",
        })
    }

    /// Checks an action of the seat to act and applies it: sets the chips paid by that seat, counts a bet or
    /// raise, and passes on. A bet or raise pays what the opponent has paid plus `limit.size`. Returns what
    /// follows; the caller ends the round or the game.
    ///
    /// # Errors
    ///
    /// Fails with a reason, without a change, if the action is not legal.
    #[inline(always)]
    pub fn say(&mut self, say: Say, limit: Limit) -> Result<Then, RuleError> {
        if !self.allows(say, limit) {
            return Err(self.objection(say));
        }
        let (me, other) = (self.speaker(), Seat(1 - self.speaker().0));
        let more = matches!(say, Say::Bet | Say::Raise);
        if say != Say::Fold {
            self.paid[me.index()] = self.paid[other.index()] + if more { limit.size } else { 0 };
        }
        self.raises += u8::from(more);
        self.spoken += 1;
        let answered = more || (say == Say::Check && self.spoken == 1);
        Ok(match say {
            Say::Fold => Then::Won(other),
            _ if answered => Then::Answer,
            _ => Then::Even,
        })
    }

    /// Returns the outcome in chips won or lost: the winner gets what the opponent has paid. Without a winner
    /// both seats get 0: they take their own chips back. The winner must be seat 0 or 1.
    #[inline]
    pub fn outcome(&self, winner: Option<Seat>) -> Outcome {
        let won = winner.map_or(0, |seat| i32::from(self.paid[1 - seat.index()]));
        let first = if winner == Some(Seat(0)) { won } else { -won };
        Outcome::by_score(&[first, -first])
    }
}

/// Returns the zone of a seat's hand, which has the seat's number. Further zones belong to the game.
pub const fn hand(seat: Seat) -> Zone {
    Zone(seat.0)
}

/// Returns the node at which this seat alone learns the face of the card in its hand.
#[inline(always)]
pub(crate) const fn dealt_to(seat: Seat) -> Node {
    Node::Reveal { set: Set::Zone(hand(seat)), to: Audience::Seat(seat), side: Side::Face }
}

/// Texts for people, common to both games.
pub(crate) mod words {
    use super::{Betting, Say, hand};
    use pentarchy_engine::describe::who;
    use pentarchy_engine::{
        Audience, Describe, Event, LoggedEventOf, Node, Outcome, Position, Seat, TableLayout, TableNumber,
        Zone,
    };

    /// Formats the top card in a zone as this observer knows it: `[king]`, or `[?]` if it is face down. Empty
    /// if the zone has no card.
    pub(crate) fn card<G: Describe>(view: &Position<G>, zone: Zone) -> String {
        match view.state().tokens().top(zone) {
            Some(t) => view.face(t).map_or_else(|| "[?]".to_string(), |face| format!("[{face}]")),
            None => String::new(),
        }
    }

    /// Formats one line per seat, seat 0 first: its card as this observer knows it, and the chips that it has
    /// paid.
    pub(crate) fn players<G: Describe>(view: &Position<G>, betting: &Betting) -> String {
        let line = |seat| {
            let chips = chips(betting.paid(seat).into());
            format!("{}  {:<8} {chips} in the pot\n", who(seat), card(view, hand(seat)))
        };
        [Seat(0), Seat(1)].map(line).concat()
    }

    /// Returns the numbers for the table: the chips that each seat has paid, seat 0 first, then the pot. No
    /// grids.
    pub(crate) fn layout(betting: &Betting) -> TableLayout {
        let number = |seat, name, chips: u8| TableNumber { seat, name, value: chips.to_string() };
        let paid = [Seat(0), Seat(1)].map(|seat| betting.paid(seat));
        let numbers = vec![
            number(Some(Seat(0)), "chips paid", paid[0]),
            number(Some(Seat(1)), "chips paid", paid[1]),
            number(None, "chips in the pot", paid[0] + paid[1]),
        ];
        TableLayout { grids: Vec::new(), numbers }
    }

    /// Describes an action of the seat to act with the chips that it costs, like `bet: pay 1 chip`; `check`
    /// and `fold` alone. `size` is the amount of a bet or raise in this round. Whether the action is legal is
    /// not checked.
    pub(crate) fn label(betting: &Betting, size: u8, say: Say) -> String {
        let (me, other) = (betting.speaker(), Seat(1 - betting.speaker().0));
        let due = betting.paid(other) - betting.paid(me).min(betting.paid(other));
        match say {
            Say::Check | Say::Fold => say.to_string(),
            Say::Call => format!("call: pay {}", chips(due.into())),
            Say::Bet | Say::Raise => format!("{say}: pay {}", chips((due + size).into())),
        }
    }

    /// Describes an event between two positions for the log: a dealt card (named only if the observer knows
    /// it), shown cards or an action, and the result if `after` is final. `None` for shuffles.
    pub(crate) fn log<G: Describe<Action = Say>>(
        before: &Position<G>,
        line: &LoggedEventOf<G>,
        after: &Position<G>,
    ) -> Option<String> {
        let mut text = match (before.node(), line.event) {
            (Node::Decide(seat), Event::Act(say)) => format!("{} {say}s.", who(seat)),
            (Node::Reveal { to: Audience::Seat(seat), .. }, _) => {
                let dealt = after.state().tokens().top(hand(seat)).and_then(|t| after.face(t));
                let dealt = dealt.map_or_else(|| "a card".to_string(), |face| face.to_string());
                format!("{} is dealt {dealt}.", who(seat))
            }
            (Node::Reveal { .. }, _) => {
                let shown =
                    |&(t, face): &(_, G::Face)| match after.state().owner(after.state().tokens().zone(t)) {
                        Some(seat) => format!("{} shows {face}.", who(seat)),
                        None => format!("On the board: {face}."),
                    };
                line.shown.iter().map(shown).collect::<Vec<_>>().join(" ")
            }
            _ => return None,
        };
        if let Some(outcome) = after.outcome() {
            text += &result(&outcome);
        }
        Some(text)
    }

    /// Describes a final outcome as a sentence with a leading space: ` @0 wins 2 chips.` or ` The pot is
    /// split.`
    fn result(outcome: &Outcome) -> String {
        match outcome.winner() {
            Some(seat) => format!(" {} wins {}.", who(seat), chips(outcome.score(seat))),
            None => " The pot is split.".to_string(),
        }
    }

    /// Formats a number of chips: `1 chip`, `2 chips`.
    fn chips(n: i32) -> String {
        format!("{n} chip{}", if n == 1 { "" } else { "s" })
    }
}
