//! Windows: who is asked for a reaction, and what reactions do.

use super::{Flow, Ran};
use crate::cards::{Card, FLASH};
use crate::state::{BANKS, GARBAGE, HANDS, Loss, OFFER, Step, TABLE, Then, Vires, hand};
use pentarchy_engine::{FaceSet, Rejected, Seat, Token, ensure};

impl Vires {
    /// The cards that can be used in a window.
    #[inline]
    pub(super) fn usable(&self, window: Step) -> FaceSet<Card> {
        match window {
            Step::Cancel { .. } => Card::Test.only(),
            Step::Protect(_, Loss::Hr) => Card::Hodl.only().or(Card::Offline.only()),
            Step::Protect(_, Loss::Coin) => Card::Hodl.only(),
            Step::Protect(who, Loss::Block) if self.losable(who) > 0 => {
                Card::Agree.only().or(Card::Hodl.only())
            }
            Step::Protect(_, Loss::Block) => Card::Agree.only(),
            Step::Challenge { .. } => Card::Strong.only().or(Card::Weak.only()),
            _ => FaceSet::none(),
        }
    }

    /// Whether a copy of one of these cards is not public: somebody might hold it.
    #[inline]
    fn unseen(&self, usable: FaceSet<Card>) -> bool {
        FLASH.iter().any(|&card| usable.has(card) && self.tokens.hides(card))
    }

    /// Whether somebody is asked in a window at all: a copy is not public, or lies in a Hand for all to see.
    #[inline]
    fn anybody(&self, usable: FaceSet<Card>, unseen: bool) -> bool {
        unseen || FLASH.iter().any(|&card| usable.has(card) && self.tokens.shows_in(card, HANDS..BANKS))
    }

    /// Whether a player is asked in a window: judged from public information alone.
    #[inline]
    fn is_asked(&self, x: Seat, usable: FaceSet<Card>, unseen: bool) -> bool {
        if self.turn.locked && x == self.active {
            return false;
        }
        self.tokens.iter(hand(x)).any(|t| match self.tokens.public_face(t) {
            Some(card) => usable.has(card) && !self.is_barred(t, x),
            None => unseen,
        })
    }

    /// The first of these players who is asked, and how many are left with him.
    #[inline]
    fn first_asked(
        &self,
        mut at: Seat,
        mut left: u8,
        usable: FaceSet<Card>,
        unseen: bool,
    ) -> Option<(Seat, u8)> {
        while left > 0 {
            if self.is_asked(at, usable, unseen) {
                return Some((at, left));
            }
            at = self.after(at);
            left -= 1;
        }
        None
    }

    // --- windows open

    /// So many players, from this one on, may cancel the card on the table.
    #[inline]
    pub(super) fn open_cancel(&mut self, at: Seat, left: u8) -> Ran {
        let usable = Card::Test.only();
        let unseen = self.unseen(usable);
        if !self.anybody(usable, unseen) {
            return Ok(Flow::Go);
        }
        match self.first_asked(at, left, usable, unseen) {
            Some((at, left)) => self.wait(Step::Cancel { at, left, unseen }),
            None => Ok(Flow::Go),
        }
    }

    /// So many players, from this one on, may decide a challenge.
    pub(super) fn open_challenge(
        &mut self,
        of: Seat,
        duel: bool,
        fixed: Option<bool>,
        at: Seat,
        left: u8,
    ) -> Ran {
        let usable = Card::Strong.only().or(Card::Weak.only());
        let unseen = self.unseen(usable);
        let left = if self.anybody(usable, unseen) { left } else { 0 };
        self.ask_about_challenge(Step::Challenge { of, duel, fixed, at, left, unseen })
    }

    // --- windows are gone through

    #[inline]
    pub(super) fn ask_to_cancel(&mut self, at: Seat, left: u8, unseen: bool) -> Ran {
        match self.first_asked(at, left, Card::Test.only(), unseen) {
            Some((at, left)) => self.wait_as(Step::Cancel { at, left, unseen }),
            None => self.go_on(),
        }
    }

    pub(super) fn ask_to_protect(&mut self, who: Seat, loss: Loss) -> Ran {
        let window = Step::Protect(who, loss);
        let usable = self.usable(window);
        if self.is_asked(who, usable, self.unseen(usable)) { self.wait(window) } else { Ok(Flow::Go) }
    }

    /// The player who is asked about a challenge lets it pass.
    pub(super) fn pass_challenge(&mut self, window: Step) -> Ran {
        let Step::Challenge { of, duel, fixed, at, left, unseen } = window else { return Ok(Flow::Go) };
        let (at, left) = (self.after(at), left - 1);
        self.off().ask_about_challenge(Step::Challenge { of, duel, fixed, at, left, unseen })
    }

    pub(super) fn ask_about_challenge(&mut self, window: Step) -> Ran {
        let Step::Challenge { of, duel, fixed, at, left, unseen } = window else { return Ok(Flow::Go) };
        match (self.first_asked(at, left, self.usable(window), unseen), fixed) {
            (Some((at, left)), _) => self.wait(Step::Challenge { of, duel, fixed, at, left, unseen }),
            (None, Some(won)) => self.decided(won),
            (None, None) => self.wait(Step::Flip),
        }
    }

    // --- reactions

    /// What a reaction makes of a challenge: true if the challengee wins.
    pub(super) fn outcome_fixed(card: Card, of: Seat, party: Seat) -> bool {
        (card == Card::Strong) == (party == of)
    }

    /// Whether a card may be used in a window, naming this party. The one place that says so.
    pub(super) fn reaction(&self, window: Step, card: Card, party: Option<Seat>) -> Result<(), Rejected> {
        ensure(self.usable(window).has(card), "this card cannot be used here")?;
        match (window, party) {
            (Step::Challenge { of, duel, fixed, .. }, Some(party)) => {
                let is_party = party == of || (duel && party == self.active);
                ensure(is_party, "this player is no party of the challenge")?;
                let won = Self::outcome_fixed(card, of, party);
                ensure(fixed != Some(won), "the challenge is decided like that already")
            }
            (Step::Challenge { .. }, None) => Err(Rejected::new("a party of the challenge must be named")),
            (_, Some(_)) => Err(Rejected::new("there is no challenge")),
            (_, None) => Ok(()),
        }
    }

    /// A reaction is put on the table; the others may cancel it.
    pub(super) fn react(&mut self, window: Step, card: Token, party: Option<Seat>) -> Ran {
        let (Step::Cancel { at: by, .. } | Step::Challenge { at: by, .. } | Step::Protect(by, _)) = window
        else {
            return Err(Rejected::new("nothing can be answered now"));
        };
        ensure(self.tokens.in_zone(card, hand(by)), "this card is not in the Hand")?;
        ensure(!self.is_barred(card, by), "this card was cancelled in this turn")?;
        self.reaction(window, self.tokens.face(card)?, party)?;
        self.tokens.put(card, TABLE);
        self.then(Step::React { card, by, party })?;
        self.open_cancel(self.after(by), self.seats - 1)
    }

    /// A reaction was not cancelled: it does what it says to the window below it.
    pub(super) fn stands(&mut self, card: Token, by: Seat, party: Option<Seat>) -> Ran {
        let face = self.tokens.face(card)?;
        self.tokens.put(card, GARBAGE);
        match self.agenda.pop() {
            Some(Step::Cancel { .. }) => self.cancel_below(),
            Some(Step::Protect(..)) => self.protected(face),
            Some(Step::Challenge { of, duel, .. }) => {
                let won = Self::outcome_fixed(face, of, party.unwrap_or(of));
                self.open_challenge(of, duel, Some(won), self.after(by), self.seats - 1)
            }
            _ => Err(Rejected::new("a reaction answers a window")),
        }
    }

    /// The card below is cancelled. If it was itself a reaction its player may use another one.
    fn cancel_below(&mut self) -> Ran {
        match self.agenda.pop() {
            Some(Step::Effect(t, _)) => self.cancelled(t, self.active)?,
            Some(Step::React { card, by, .. }) => {
                self.cancelled(card, by)?;
                if let Some(Step::Challenge { of, duel, fixed, .. }) = self.agenda.top() {
                    let seats = self.seats;
                    return self.off().open_challenge(of, duel, fixed, by, seats);
                }
            }
            _ => return Err(Rejected::new("only a card can be cancelled")),
        }
        Ok(Flow::Go)
    }

    /// The loss below does not take place; with HODL against the loss of a Block, its Coin is kept.
    fn protected(&mut self, card: Card) -> Ran {
        match self.agenda.pop() {
            Some(Step::Block { from, stolen, .. }) if card == Card::Hodl => {
                self.then(Step::Block { from, stolen, coin: false })?;
            }
            Some(Step::Pay(bill)) if bill.then == Then::Offer => {
                self.tokens.put_all(OFFER, hand(self.active));
            }
            _ => {}
        }
        Ok(Flow::Go)
    }
}
