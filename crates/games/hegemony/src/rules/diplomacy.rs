//! The effects of Diplomacy cards after their Sabotage window has closed.

use crate::active::Slots;
use crate::agenda::{Aim, Task};
use crate::cards::{Card, Category};
use crate::facts::{Context, Fact};
use crate::places::{ASIDE, COMMON, Side, deck, discard, slot};
use crate::state::Hegemony;
use pentarchy_engine::{RuleError, Seat, Set, Token, ensure};

impl Hegemony {
    /// Ends the use of the Diplomacy card `t` by `user` at `aim`. Emits `WasBlocked` if `blocked`, else
    /// `TookEffect`, but not for a Sabotage.
    ///
    /// Discards the card to the pile of `user`, except a Sabotage (already discarded) and an unblocked card
    /// that raises a Hegemony roll (it stays until the end of the Hegemony Action). A blocked card then has
    /// no effect.
    ///
    /// Pity Party pays at once. Sanctions, Embargo and Gridlock mark the target. Collateral Damage discards
    /// the cards of the target's slot. False Flag discards the cards of the slot of `user` that `aim` names
    /// and gives the target a flag. Secret Agent pushes its look, Offer its exchange, Assassin its strike if
    /// the victim still lies in a slot of the target. Sabotage pops the window on top and blocks the card
    /// used below it. A card at an aim that is not its own has no effect.
    ///
    /// # Errors
    ///
    /// Fails if the card is hidden, or the agenda is full.
    pub(crate) fn used(
        &mut self,
        cx: &mut Context<'_>,
        user: Side,
        t: Token,
        aim: Aim,
        blocked: bool,
    ) -> Result<(), RuleError> {
        let card = self.tokens.face(t)?;
        if blocked {
            cx.emit(move || Fact::WasBlocked(t, card));
        } else if aim != Aim::Use {
            cx.emit(move || Fact::TookEffect(t, card));
        }
        match aim {
            // A Sabotage was discarded when it was played.
            Aim::Use => {
                if !blocked {
                    self.block();
                }
                return Ok(());
            }
            // A card that raises a Hegemony roll stays until the end of the Hegemony Action.
            Aim::Roll if !blocked => return Ok(()),
            _ => match self.slot_of(t) {
                Some((side, i)) => self.put_from_slot(t, side, i, discard(user)),
                None => self.tokens.put(t, discard(user)),
            },
        }
        if blocked {
            return Ok(());
        }
        if let (Card::Sanctions | Card::Embargo | Card::Gridlock, Aim::Slot(target, _) | Aim::Side(target)) =
            (card, aim)
        {
            self.slot_cache.restricted.insert(Seat(target.0));
        }
        match (card, aim, user.seat()) {
            (Card::PityParty, Aim::Loss, _) => self.console(cx, user),
            (Card::Sanctions, Aim::Slot(target, i), _) => self.players[target.index()].sanctions |= 1 << i,
            (Card::Embargo, Aim::Side(target), _) => self.players[target.index()].embargo = true,
            (Card::Gridlock, Aim::Side(target), _) => self.players[target.index()].gridlock = true,
            (Card::CollateralDamage, Aim::Slot(target, i), _) => self.empty_slot(target, i),
            (Card::FalseFlag, Aim::Slot(target, i), _) => {
                self.empty_slot(user, i);
                let flags = &mut self.players[target.index()].flags;
                *flags = flags.saturating_add(1);
            }
            (Card::SecretAgent, Aim::Pool(target), Some(seat)) => {
                self.push_task(Task::Shuffle(deck(target)))?;
                self.push_task(Task::Peek(Set::Zones(deck(target), discard(target)), seat))?;
            }
            (Card::SecretAgent, Aim::Slot(target, i), Some(seat)) => {
                self.push_task(Task::Peek(Set::Zone(slot(target, i)), seat))?;
            }
            (Card::Offer, Aim::Pool(target), Some(seat)) => self.make_offer(seat, Seat(target.0))?,
            (Card::Assassin, Aim::Card(target, victim), _) => {
                // The victim may have left its slot during the Sabotage window.
                if let Some((side, i)) = self.slot_of(victim).filter(|&(side, _)| side == target) {
                    self.push_task(Task::Strike(side, i, victim))?;
                    self.push_task(Task::Show(Set::One(victim)))?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Moves the Assassin's victim, which must have been shown, from slot `i` to the common pool, where it is
    /// for sale (a Partisan to the reserve). A building stays, without any effect. If the victim was the base
    /// of two or more other cards, pushes tasks that show these and discard what does not fit behind the new
    /// base.
    ///
    /// # Errors
    ///
    /// Fails if the victim is hidden, or the agenda is full.
    pub(crate) fn strike(&mut self, side: Side, i: u8, victim: Token) -> Result<(), RuleError> {
        if self.tokens.face(victim)?.is_building() {
            return Ok(());
        }
        self.leave_slot(side, i, victim, COMMON)
    }

    // --- An Offer You Can't Refuse

    /// Pushes the tasks of an Offer: `user` sees and permutes the target's pool and takes a card, then sees
    /// and permutes its own and gives one. The target sees both cards, they are exchanged, and both decks are
    /// shuffled. Moves no card itself.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    fn make_offer(&mut self, user: Seat, target: Seat) -> Result<(), RuleError> {
        self.push_task(Task::Shuffle(deck(target.into())))?;
        self.push_task(Task::Shuffle(deck(user.into())))?;
        self.push_task(Task::Swap(user, target))?;
        self.push_task(Task::Peek(Set::Zone(ASIDE), target))?;
        self.push_task(Task::Give(user))?;
        self.open_pool(user, user)?;
        self.push_task(Task::Take(user, target))?;
        self.open_pool(user, target)
    }

    /// Pushes tasks in which `user` sees the deck and discard pile of `whose`, both become one pile in the
    /// deck, and `user` permutes it. Moves nothing itself.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    fn open_pool(&mut self, user: Seat, whose: Seat) -> Result<(), RuleError> {
        let side = Side::from(whose);
        self.push_task(Task::Mix(deck(side), user))?;
        self.push_task(Task::Merge(side))?;
        self.push_task(Task::Peek(Set::Zones(deck(side), discard(side)), user))
    }

    /// Moves a side's discard pile to the bottom of its deck. Never fails.
    pub(crate) fn merge(&mut self, side: Side) -> Result<(), RuleError> {
        self.tokens.put_all(discard(side), deck(side));
        Ok(())
    }

    /// Moves the card `t` of the deck of `whose` to the end of the cards that an Offer exchanges, and pops
    /// the task: the card taken must be set aside first, the card given second. The caller emits `Took` or
    /// `Gave`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is not in that deck.
    pub(crate) fn set_aside(&mut self, whose: Seat, t: Token) -> Result<(), RuleError> {
        ensure(self.tokens.in_zone(t, deck(whose.into())), "this card is not in that pool")?;
        self.agenda.pop();
        self.tokens.put(t, ASIDE);
        Ok(())
    }

    /// Exchanges the two cards of an Offer: the one taken goes to the bottom of the user's deck, the one
    /// given to the bottom of the target's. Records in the slot cache what both may own now. Emits nothing;
    /// no effect if no card was set aside. Never fails.
    pub(crate) fn swap(&mut self, user: Seat, target: Seat) -> Result<(), RuleError> {
        if let (Some(taken), Some(given)) = (self.tokens.top(ASIDE), self.tokens.bottom(ASIDE)) {
            self.cache_owned_cards(user, self.tokens.may(taken).bits());
            self.cache_owned_cards(target, self.tokens.may(given).bits());
            self.tokens.put(taken, deck(user.into()));
            self.tokens.put(given, deck(target.into()));
        }
        Ok(())
    }

    // --- slots by category

    /// Iterates over the occupied Military slots of a side, ascending, disabled ones included.
    pub(crate) fn military_slots(&self, side: Side) -> Slots {
        Slots(self.slots_of(side, Category::Military))
    }

    /// Iterates over the occupied Trade and Diplomacy slots of a side, ascending, disabled ones included.
    pub(crate) fn civil_slots(&self, side: Side) -> Slots {
        Slots(self.slots_of(side, Category::Trade) | self.slots_of(side, Category::Diplomacy))
    }
}
