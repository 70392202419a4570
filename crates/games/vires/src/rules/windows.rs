//! Reaction windows: which players are asked, and the effects of reactions.

use super::{Flow, FlowResult};
use crate::cards::{Card, FLASH};
use crate::facts::{Context, Fact, Kept};
use crate::state::{BANKS, GARBAGE, HANDS, Loss, OFFER, TABLE, Task, Then, Vires, hand};
use pentarchy_engine::{FaceSet, RuleError, Seat, Token, ensure};

impl Vires {
    /// Returns the Flash cards that can be used in a reaction window: TEST to cancel; HODL and OFFLINE
    /// against a loss of HR, HODL against that of a Coin, AGREE against that of a Block, and HODL too if the
    /// player can lose a Coin with it; STRONG and WEAK in a challenge; the empty set for other tasks.
    #[inline]
    pub(super) fn usable(&self, window: Task) -> FaceSet<Card> {
        match window {
            Task::Cancel { .. } => Card::Test.only(),
            Task::Protect(_, Loss::Hr) => Card::Hodl.only().or(Card::Offline.only()),
            Task::Protect(_, Loss::Coin) => Card::Hodl.only(),
            Task::Protect(who, Loss::Block) if self.losable(who) > 0 => {
                Card::Agree.only().or(Card::Hodl.only())
            }
            Task::Protect(_, Loss::Block) => Card::Agree.only(),
            Task::Challenge { .. } => Card::Strong.only().or(Card::Weak.only()),
            _ => FaceSet::none(),
        }
    }

    /// Returns whether a copy of one of the Flash cards `usable` is hidden anywhere, so that a player might
    /// hold it.
    #[inline]
    fn unseen(&self, usable: FaceSet<Card>) -> bool {
        FLASH.iter().any(|&card| usable.has(card) && self.tokens.hides(card))
    }

    /// Returns whether any player can be asked in a window for the cards `usable`: `unseen`, a copy is
    /// hidden, or one lies face up in a Hand.
    #[inline]
    fn anybody(&self, usable: FaceSet<Card>, unseen: bool) -> bool {
        unseen || FLASH.iter().any(|&card| usable.has(card) && self.tokens.shows_in(card, HANDS..BANKS))
    }

    /// Returns whether player `x` is asked in a window for the cards `usable`: a public one in the Hand that
    /// is not barred, or a hidden card while a usable one is `unseen`. Not the active player in a locked
    /// turn. Depends on public information only.
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

    /// Returns the first of the `left` players from `at` on who is asked for the cards `usable`, and how many
    /// are left including that one; `None` if no player is asked. `unseen`: a usable card is hidden.
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

    /// Pushes a window in which the `left` players from `at` on may cancel the card on the table, and waits
    /// for the first who is asked. Returns `Go`, without a change, if none is.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    #[inline]
    pub(super) fn open_cancel(&mut self, at: Seat, left: u8) -> FlowResult {
        let usable = Card::Test.only();
        let unseen = self.unseen(usable);
        if !self.anybody(usable, unseen) {
            return Ok(Flow::Go);
        }
        match self.first_asked(at, left, usable, unseen) {
            Some((at, left)) => self.push_and_wait(Task::Cancel { at, left, unseen }),
            None => Ok(Flow::Go),
        }
    }

    /// Opens a window in which the `left` players from `at` on may decide the challenge of `of` above its
    /// verdict. `duel`: the active player is a party too. `fixed`: the result so far, if a reaction has
    /// decided it. Without a player to ask the challenge is decided or the coin flipped. Returns `Wait` if an
    /// event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails if there is no verdict below, or the agenda is full.
    pub(super) fn open_challenge(
        &mut self,
        cx: &mut Context<'_>,
        of: Seat,
        duel: bool,
        fixed: Option<bool>,
        at: Seat,
        left: u8,
    ) -> FlowResult {
        let usable = Card::Strong.only().or(Card::Weak.only());
        let unseen = self.unseen(usable);
        let left = if self.anybody(usable, unseen) { left } else { 0 };
        self.ask_about_challenge(cx, Task::Challenge { of, duel, fixed, at, left, unseen })
    }

    // --- windows are gone through

    /// Updates the window on top to the first of the `left` players from `at` on who is asked, and waits;
    /// pops the window if none is. `unseen`: a TEST is hidden. Never fails. Returns `Wait` if an event is
    /// needed next, else `Go`.
    #[inline]
    pub(super) fn ask_to_cancel(&mut self, at: Seat, left: u8, unseen: bool) -> FlowResult {
        match self.first_asked(at, left, Card::Test.only(), unseen) {
            Some((at, left)) => self.replace_and_wait(Task::Cancel { at, left, unseen }),
            None => self.pop_and_continue(),
        }
    }

    /// Pushes the window in which `who` may protect themselves against the loss that the caller has pushed,
    /// and returns `Wait`; returns `Go`, without a change, if they have no card that may protect by public
    /// information.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn ask_to_protect(&mut self, who: Seat, loss: Loss) -> FlowResult {
        let window = Task::Protect(who, loss);
        let usable = self.usable(window);
        if self.is_asked(who, usable, self.unseen(usable)) {
            self.push_and_wait(window)
        } else {
            Ok(Flow::Go)
        }
    }

    /// Handles the pass of the player who is asked about a challenge: pops the window and asks the next one.
    /// No effect for other tasks. Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails if there is no verdict below, or the agenda is full.
    pub(super) fn pass_challenge(&mut self, cx: &mut Context<'_>, window: Task) -> FlowResult {
        let Task::Challenge { of, duel, fixed, at, left, unseen } = window else { return Ok(Flow::Go) };
        let (at, left) = (self.after(at), left - 1);
        self.pop_tasks(1).ask_about_challenge(cx, Task::Challenge { of, duel, fixed, at, left, unseen })
    }

    /// Pushes the window for the next player who may decide a challenge, and waits; without one decides it as
    /// fixed, or waits for the coin flip. The caller has popped the old window. No effect for other tasks.
    /// Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails if there is no verdict below, or the agenda is full.
    pub(super) fn ask_about_challenge(&mut self, cx: &mut Context<'_>, window: Task) -> FlowResult {
        let Task::Challenge { of, duel, fixed, at, left, unseen } = window else { return Ok(Flow::Go) };
        match (self.first_asked(at, left, self.usable(window), unseen), fixed) {
            (Some((at, left)), _) => {
                self.push_and_wait(Task::Challenge { of, duel, fixed, at, left, unseen })
            }
            (None, Some(won)) => self.decided(cx, won, false),
            (None, None) => self.push_and_wait(Task::Flip),
        }
    }

    // --- reactions

    /// Returns the result that `card`, STRONG or WEAK for `party`, gives the challenge of `of`: `true` if
    /// `of` wins. Any card but STRONG counts as WEAK.
    pub(super) fn outcome_fixed(card: Card, of: Seat, party: Seat) -> bool {
        (card == Card::Strong) == (party == of)
    }

    /// Checks that a card may be used in a window with this party; `None` if no party is named. The list and
    /// the check of reactions both use it.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the card does not fit the window, or the party is missing, needless, wrong or
    /// would change nothing.
    pub(super) fn reaction(&self, window: Task, card: Card, party: Option<Seat>) -> Result<(), RuleError> {
        ensure(self.usable(window).has(card), "this card cannot be used here")?;
        match (window, party) {
            (Task::Challenge { of, duel, fixed, .. }, Some(party)) => {
                let is_party = party == of || (duel && party == self.active);
                ensure(is_party, "this player is no party of the challenge")?;
                let won = Self::outcome_fixed(card, of, party);
                ensure(fixed != Some(won), "the challenge is decided like that already")
            }
            (Task::Challenge { .. }, None) => Err(RuleError::new("a party of the challenge must be named")),
            (_, Some(_)) => Err(RuleError::new("there is no challenge")),
            (_, None) => Ok(()),
        }
    }

    /// Checks a reaction of the player who is asked in `window`, emits `Reacted`, puts it on the table, and
    /// pushes it, and above it the window in which the others may cancel it. Returns `Wait` if an event is
    /// needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if no window is open, or the card is not in the Hand, was cancelled this
    /// turn, or cannot be used here; or if the agenda is full.
    pub(super) fn react(
        &mut self,
        cx: &mut Context<'_>,
        window: Task,
        card: Token,
        party: Option<Seat>,
    ) -> FlowResult {
        let (Task::Cancel { at: by, .. } | Task::Challenge { at: by, .. } | Task::Protect(by, _)) = window
        else {
            return Err(RuleError::new("nothing can be answered now"));
        };
        ensure(self.tokens.in_zone(card, hand(by)), "this card is not in the Hand")?;
        ensure(!self.is_barred(card, by), "this card was cancelled in this turn")?;
        self.reaction(window, self.tokens.face(card)?, party)?;
        cx.emit(|| {
            let against = self.in_question().and_then(|(t, _)| self.tokens.public_face(t));
            Fact::Reacted { seat: by, card, party, against }
        });
        self.tokens.put(card, TABLE);
        self.push_task(Task::React { card, by, party })?;
        self.open_cancel(self.after(by), self.seats - 1)
    }

    /// Applies the reaction of `by` that was not cancelled to the window below it, pops that window, and
    /// moves the card to the Garbage: cancels a card, prevents a loss, or decides a challenge for `party`,
    /// which others may still change. The caller has popped the reaction. Returns `Wait` if an event is
    /// needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails if there is no window below, or the agenda is full.
    pub(super) fn stands(
        &mut self,
        cx: &mut Context<'_>,
        card: Token,
        by: Seat,
        party: Option<Seat>,
    ) -> FlowResult {
        let face = self.tokens.face(card)?;
        self.tokens.put(card, GARBAGE);
        match self.agenda.pop() {
            Some(Task::Cancel { .. }) => self.cancel_below(cx),
            Some(Task::Protect(who, loss)) => self.protected(cx, who, loss, face),
            Some(Task::Challenge { of, duel, .. }) => {
                let won = Self::outcome_fixed(face, of, party.unwrap_or(of));
                self.open_challenge(cx, of, duel, Some(won), self.after(by), self.seats - 1)
            }
            _ => Err(RuleError::new("a reaction answers a window")),
        }
    }

    /// Pops the task of the card below the window and cancels the card: it returns to its player, an Event
    /// goes to the Garbage; emits `Cancelled`. If it was itself a reaction to a challenge, its player may use
    /// another one. Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails if there is no card below, or the agenda is full.
    fn cancel_below(&mut self, cx: &mut Context<'_>) -> FlowResult {
        match self.agenda.pop() {
            Some(Task::Effect(t, _)) => self.cancelled(cx, t, self.active)?,
            Some(Task::React { card, by, .. }) => {
                self.cancelled(cx, card, by)?;
                if let Some(Task::Challenge { of, duel, fixed, .. }) = self.agenda.top() {
                    let seats = self.seats;
                    return self.pop_tasks(1).open_challenge(cx, of, duel, fixed, by, seats);
                }
            }
            _ => return Err(RuleError::new("only a card can be cancelled")),
        }
        Ok(Flow::Go)
    }

    /// Pops the loss below and prevents it with `card`; emits `Kept`. HODL against the loss of a Block keeps
    /// only its Coin: the loss of the Block is pushed again. A prevented payment for DEX returns the offered
    /// card. Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    fn protected(&mut self, cx: &mut Context<'_>, who: Seat, loss: Loss, card: Card) -> FlowResult {
        let prevented = self.agenda.pop();
        cx.emit(|| {
            let what = match (loss, card) {
                (Loss::Block, Card::Agree) => Kept::BlockAndCoin,
                (Loss::Block | Loss::Coin, _) => Kept::Coin,
                (Loss::Hr, _) => Kept::Hr,
            };
            let no_trade = matches!(prevented, Some(Task::Pay(bill)) if bill.then == Then::Offer);
            Fact::Kept { seat: who, what, no_trade }
        });
        match prevented {
            Some(Task::Block { from, stolen, .. }) if card == Card::Hodl => {
                self.push_task(Task::Block { from, stolen, coin: false })?;
            }
            Some(Task::Pay(bill)) if bill.then == Then::Offer => {
                self.tokens.put_all(OFFER, hand(self.active));
            }
            _ => {}
        }
        Ok(Flow::Go)
    }
}
