//! Which Actions may be played: the one place that decides it, for the list and for the check.

use super::FlowResult;
use crate::actions::Aim;
use crate::cards::{Aims, Card, Kind};
use crate::facts::{Context, Fact};
use crate::state::{GARBAGE, TABLE, Task, Vires, hand};
use pentarchy_engine::{RuleError, Seat, Token, ensure};

impl Vires {
    /// Checks with public information that an Action may be played in the main phase with this aim. Cards
    /// that must be shown for it are checked elsewhere.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the aim does not fit, the card is no Action, or it would have no use.
    #[inline]
    pub(super) fn playable(&self, card: Card, aim: Aim) -> Result<(), RuleError> {
        let p = self.active;
        match (card.aims(), aim) {
            (Aims::Nothing, Aim::Nothing) | (Aims::Mode, Aim::Gain | Aim::Attack) => {}
            (Aims::Foe, Aim::At(x)) => ensure(x.0 < self.seats && x != p, "this is no opponent")?,
            (Aims::Foe, _) => return Err(RuleError::new("an opponent must be named")),
            (Aims::Mode, _) => return Err(RuleError::new("`gain` or `attack` must be named")),
            _ => return Err(RuleError::new("this card is not aimed at anything")),
        }
        match card.kind() {
            Kind::Action | Kind::Paid => {}
            Kind::Flash => return Err(RuleError::new("a Flash card is a reaction")),
            _ => return Err(RuleError::new("this is not an Action")),
        }
        self.has_use(card)?;
        self.has_use_with(card, aim)
    }

    /// Checks with public information that an Action could be played in the main phase, its aim
    /// disregarded. A paid card needs the Coins. FLIP never fits; FORK and NONCE need a turn without a
    /// Block so far, NONCE also enough HR in the Pool; BULL, SAT and STABLE need HR in the Pool; DCA and
    /// MINER a Coin; DEX another card; DIFF-- a Block that costs something. `Ok` for all others.
    ///
    /// # Errors
    ///
    /// Fails with the reason if it may not.
    #[inline]
    pub(super) fn has_use(&self, card: Card) -> Result<(), RuleError> {
        let p = self.active;
        if card.kind() == Kind::Paid {
            ensure(self.coins(p) >= self.price(card), "there is no Coin to pay with")?;
        }
        match card {
            Card::Flip => ensure(false, "FLIP is played at the end of a turn"),
            Card::Fork => ensure(!self.turn.gained, "only one Block is gained in a turn"),
            Card::Nonce => {
                ensure(!self.turn.gained, "only one Block is gained in a turn")?;
                let there = u16::from(self.pool()) + u16::from(self.price(card));
                ensure(there >= u16::from(self.cost(p).max(1)), "the Pool has too few HR")
            }
            Card::Bull | Card::Sat | Card::Stable => ensure(self.pool() > 0, "the Pool is empty"),
            Card::Dca | Card::Miner => ensure(self.coins(p) > 0, "there is no Coin to pay with"),
            Card::Dex => ensure(self.cards(p) >= 2, "there is no other card to offer"),
            Card::DiffDown => ensure(self.cost(p) > 0, "the next Block is free already"),
            _ => Ok(()),
        }
    }

    /// Checks with public information that `aim` gives the Action something to do. 51% and FORK: a Block
    /// besides Genesis. BEAR, SCAM and WHALE as an attack: HR that an opponent may lose. REKT and ORACLE:
    /// cards in the Hand. MARGIN: a Coin that can be lost. WHALE for a gain: HR in the Pool. TIME-LOCK: no
    /// such mark yet. `Ok` for all others. Price and form of the aim are checked elsewhere.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the aim is not possible.
    #[inline]
    pub(super) fn has_use_with(&self, card: Card, aim: Aim) -> Result<(), RuleError> {
        let x = if let Aim::At(x) = aim { x } else { self.active };
        match card {
            Card::Attack51 | Card::Fork => ensure(self.blocks(x) >= 2, "Genesis cannot be lost"),
            Card::Bear | Card::Scam => ensure(self.can_lose_hr(x), "there is nothing to lose"),
            Card::Rekt | Card::Oracle => ensure(self.cards(x) > 0, "this Hand is empty"),
            Card::Margin => ensure(self.losable(x) > 0, "there is no Coin to lose"),
            Card::Whale if aim == Aim::Gain => ensure(self.pool() > 0, "the Pool is empty"),
            Card::Whale => ensure(self.others().any(|x| self.can_lose_hr(x)), "there is nothing to lose"),
            Card::TimeLock => ensure(!self.players[x.index()].timelock, "there is a time-lock already"),
            _ => Ok(()),
        }
    }

    /// Returns whether a player has a card in the Hand or a Coin to lose, so that a loss of HR may have an
    /// effect.
    fn can_lose_hr(&self, x: Seat) -> bool {
        self.cards(x) > 0 || self.losable(x) > 0
    }

    /// Returns the card that must be shown from the Hand to play `card`: an HR for BOT, ICO and CEX if `hr`,
    /// the number of public HR in the Hand, is 0; a FIAT for STABLE if none is public there (`fiat`) or in
    /// the Garbage; else `None`.
    #[inline]
    pub(super) fn must_show(&self, card: Card, hr: u8, fiat: bool) -> Option<Card> {
        match card {
            Card::Bot | Card::Ico | Card::Cex if hr == 0 => Some(Card::Hr),
            Card::Stable if !fiat && !self.in_garbage(Card::Fiat) => Some(Card::Fiat),
            _ => None,
        }
    }

    /// Returns whether a card of this face lies in the Garbage, whose cards are public.
    fn in_garbage(&self, card: Card) -> bool {
        self.tokens.iter(GARBAGE).any(|t| self.tokens.is_face(t, card))
    }

    /// Checks an Action of the active player, emits `Played`, puts it on the table, pushes its effect, and
    /// opens the window in which the others may cancel it. `showing` is the card of the Hand shown for it.
    /// `hr` and `fiat` say how many HR and whether a FIAT were public in the Hand before this event. Returns
    /// `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is not in the Hand or was cancelled this turn, the play is not
    /// legal, or the shown card is missing, wrong or needless; or if the agenda is full.
    pub(super) fn play(
        &mut self,
        cx: &mut Context<'_>,
        card: Token,
        aim: Aim,
        showing: Option<Token>,
        hr: u8,
        fiat: bool,
    ) -> FlowResult {
        let p = self.active;
        ensure(self.tokens.in_zone(card, hand(p)), "this card is not in the Hand")?;
        ensure(!self.is_barred(card, p), "this card was cancelled in this turn")?;
        let face = self.tokens.face(card)?;
        self.playable(face, aim)?;
        match (self.must_show(face, hr, fiat), showing) {
            (None, None) => {}
            (Some(_), None) => return Err(RuleError::new("a card of the Hand must be shown for this")),
            (None, Some(_)) => return Err(RuleError::new("nothing need be shown for this")),
            (Some(needed), Some(t)) => {
                ensure(self.tokens.in_zone(t, hand(p)), "the shown card is not in the Hand")?;
                ensure(self.tokens.face(t)? == needed, "another card must be shown for this")?;
            }
        }
        cx.emit(move || Fact::Played { seat: p, card, aim, showing });
        self.lay(card, aim)
    }

    /// Puts an Action on the table, pushes its effect, and above it the window in which the others may cancel
    /// it. The caller has checked that the play is legal. Returns `Wait` if an event is needed next, else
    /// `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    #[inline(always)]
    pub(super) fn lay(&mut self, card: Token, aim: Aim) -> FlowResult {
        self.tokens.put(card, TABLE);
        self.push_task(Task::Effect(card, aim))?;
        self.open_cancel(self.after(self.active), self.seats - 1)
    }
}
