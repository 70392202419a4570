//! What Diplomacy cards do once nobody has blocked them.

use crate::active::Slots;
use crate::agenda::{Aim, Step};
use crate::cards::{Card, Category};
use crate::places::{ASIDE, COMMON, Side, deck, discard, slot};
use crate::state::Hegemony;
use pentarchy_engine::{Rejected, Seat, Set, Token, ensure};

impl Hegemony {
    /// A Diplomacy card is spent and, unless blocked, does its work.
    pub(crate) fn used(&mut self, user: Side, t: Token, aim: Aim, blocked: bool) -> Result<(), Rejected> {
        match aim {
            // A Sabotage was discarded when it was played.
            Aim::Use => {
                if !blocked {
                    self.block();
                }
                return Ok(());
            }
            // What lifts a Hegemony roll stays until the end of the Hegemony Action.
            Aim::Roll if !blocked => return Ok(()),
            _ => match self.slot_of(t) {
                Some((side, i)) => self.put_from_slot(t, side, i, discard(user)),
                None => self.tokens.put(t, discard(user)),
            },
        }
        if blocked {
            return Ok(());
        }
        let card = self.tokens.face(t)?;
        if let (Card::Sanctions | Card::Embargo | Card::Gridlock, Aim::Slot(target, _) | Aim::Side(target)) =
            (card, aim)
        {
            self.kinds.hampered |= 1 << target.0;
        }
        match (card, aim, user.seat()) {
            (Card::PityParty, Aim::Loss, _) => self.console(user),
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
                self.then(Step::Shuffle(deck(target)))?;
                self.then(Step::Peek(Set::Zones(deck(target), discard(target)), seat))?;
            }
            (Card::SecretAgent, Aim::Slot(target, i), Some(seat)) => {
                self.then(Step::Peek(Set::Zone(slot(target, i)), seat))?;
            }
            (Card::Offer, Aim::Pool(target), Some(seat)) => self.make_offer(seat, Seat(target.0))?,
            (Card::Assassin, Aim::Card(target, victim), _) => {
                // The victim may have left through the window.
                if let Some((side, i)) = self.slot_of(victim).filter(|&(side, _)| side == target) {
                    self.then(Step::Strike(side, i, victim))?;
                    self.then(Step::Show(Set::One(victim)))?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The victim has been shown: a building stands, anything else goes to the common pool, for sale.
    pub(crate) fn strike(&mut self, side: Side, i: u8, victim: Token) -> Result<(), Rejected> {
        if self.tokens.face(victim)?.is_building() {
            return Ok(());
        }
        self.leave_slot(side, i, victim, COMMON)
    }

    // --- An Offer You Can't Refuse

    /// The user sees and mixes the target's pool and takes a card, then gives one of its own; the target is
    /// shown both, and both decks are formed anew.
    fn make_offer(&mut self, user: Seat, target: Seat) -> Result<(), Rejected> {
        self.then(Step::Shuffle(deck(target.into())))?;
        self.then(Step::Shuffle(deck(user.into())))?;
        self.then(Step::Swap(user, target))?;
        self.then(Step::Peek(Set::Zone(ASIDE), target))?;
        self.then(Step::Give(user))?;
        self.open_pool(user, user)?;
        self.then(Step::Take(user, target))?;
        self.open_pool(user, target)
    }

    /// A pool becomes one pile that the user sees and mixes.
    fn open_pool(&mut self, user: Seat, whose: Seat) -> Result<(), Rejected> {
        let side = Side::from(whose);
        self.then(Step::Mix(deck(side), user))?;
        self.then(Step::Merge(side))?;
        self.then(Step::Peek(Set::Zones(deck(side), discard(side)), user))
    }

    /// A side's discard pile is put to its deck.
    pub(crate) fn merge(&mut self, side: Side) -> Result<(), Rejected> {
        self.tokens.put_all(discard(side), deck(side));
        Ok(())
    }

    /// Takes a card out of a deck, to be exchanged.
    pub(crate) fn set_aside(&mut self, whose: Seat, t: Token) -> Result<(), Rejected> {
        ensure(self.tokens.in_zone(t, deck(whose.into())), "this card is not in that pool")?;
        self.agenda.pop();
        self.tokens.put(t, ASIDE);
        Ok(())
    }

    pub(crate) fn swap(&mut self, user: Seat, target: Seat) -> Result<(), Rejected> {
        if let (Some(taken), Some(given)) = (self.tokens.top(ASIDE), self.tokens.bottom(ASIDE)) {
            self.say_owned(user, self.tokens.may(taken).bits());
            self.say_owned(target, self.tokens.may(given).bits());
            self.tokens.put(taken, deck(user.into()));
            self.tokens.put(given, deck(target.into()));
        }
        Ok(())
    }

    // --- slots by category

    /// The Military slots of a side.
    pub(crate) fn military_slots(&self, side: Side) -> Slots {
        Slots(self.slots_of(side, Category::Military))
    }

    /// The Trade and Diplomacy slots of a side.
    pub(crate) fn civil_slots(&self, side: Side) -> Slots {
        Slots(self.slots_of(side, Category::Trade) | self.slots_of(side, Category::Diplomacy))
    }
}
