//! The agenda: a stack of small tasks. The top one says what the rules wait for.
//!
//! A task that asks a seat stays on top until it is finished. A task that needs no event is popped and
//! *performed*; so is a question if public information leaves nothing to choose. Windows within windows are
//! tasks on tasks.

use crate::facts::Context;
use crate::places::Side;
use crate::state::Hegemony;
use pentarchy_engine::{Audience, Chance, Node, RuleError, Seat, Set, Side as Show, Sim, Token, Zone};
use serde::{Deserialize, Serialize};

/// Number of sides of the die.
pub(crate) const DIE: u32 = 20;

/// The target of a used Diplomacy card.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Aim {
    /// Another card that is being used (Sabotage).
    Use,
    /// The Hegemony roll of the user.
    Roll,
    /// The battle that the user has lost.
    Loss,
    /// A side.
    Side(Side),
    /// The deck and discard pile of a side.
    Pool(Side),
    /// A slot of a side. For a False Flag: the target and a slot of the user.
    Slot(Side, u8),
    /// A card of a side.
    Card(Side, Token),
}

/// An entry of the agenda.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Task {
    /// The game is over.
    #[default]
    Over,

    // --- nature and knowledge
    /// A pile is shuffled.
    Shuffle(Zone),
    /// Cards become public.
    Show(Set),
    /// The backs of the marked cards become public.
    Backs,
    /// A seat sees cards.
    Peek(Set, Seat),
    /// A seat permutes a zone that it knows.
    Mix(Zone, Seat),

    // --- the round
    /// A round begins.
    Round,
    /// This number of cards is still to be dealt to the common pool.
    Deal(u8),
    /// The turns of the round, starting at this index of the turn order.
    Turns(u8),
    /// A turn begins.
    Turn(Seat),
    /// A turn ends.
    EndTurn(Seat),
    /// The round ends.
    EndRound,

    // --- upkeep
    /// The seat marks cards with this number of Scalpers.
    Scalp(Seat, u8),
    /// Upkeep: this number of Cargo Ship purchases is left; Diplomacy cards may be used.
    Upkeep(Seat, u8),
    /// The seat names the target of the card that it uses.
    Target(Seat, Token),
    /// The seat names the slot or card of the target that the card is aimed at.
    Aim(Seat, Token, Side),
    /// A Diplomacy card takes effect, unless it was blocked.
    Used {
        /// The side that uses the card.
        user: Side,
        /// The card.
        card: Token,
        /// Its target.
        aim: Aim,
        /// Whether a Sabotage has blocked it.
        blocked: bool,
    },
    /// The other seats may play a Sabotage against the task below this one.
    Window {
        /// The side whose card could be blocked.
        user: Side,
        /// The number of seats that have been asked.
        asked: u8,
        /// Whether the card is used against the Empire, which may then play a Sabotage.
        against_empire: bool,
    },
    /// An Assassin's victim has been shown and is removed.
    Strike(Side, u8, Token),
    /// The cards left in a slot are checked against their new base card.
    Tidy(Side, u8),
    /// A side's discard pile is added to its deck.
    Merge(Side),
    /// Offer: the first seat takes a card of the second seat's pool.
    Take(Seat, Seat),
    /// Offer: the seat gives a card of its own pool.
    Give(Seat),
    /// Offer: the two cards are exchanged; the user comes first.
    Swap(Seat, Seat),

    // --- draw, replace, buy, act
    /// This number of cards is still to be drawn.
    Draw(Seat, u8),
    /// The seat permutes its hand if another seat knows a card of it.
    MixHand(Seat),
    /// The replacement of slots begins.
    Unfold(Seat),
    /// The seat places cards: at least this number of slots must be replaced; the bits are those that have
    /// been.
    Replace(Seat, u8, u8),
    /// The seat names a category for the Lobbyist in this slot.
    Lobby(Seat, u8),
    /// The seat may buy: this number of purchases is left.
    Purchase(Seat, u8),
    /// The seat chooses its Player Action.
    Act(Seat),
    /// The seat may buy from the Empire: this number of purchases is left; the bits are slots that it has
    /// asked for.
    Trade(Seat, u8, u16),
    /// The card in this slot of the Empire has been shown; the seat buys it or not.
    Answer(Seat, u8),
    /// These slots, one bit each, get cards from the deck.
    Fill(Seat, u8),
    /// The seat chooses how the card drawn into this slot lies.
    Enter(Seat, u8),
    /// A side refills its empty slots: a player may, the Empire does.
    Refill(Side),

    // --- the Empire
    /// The Empire's turn.
    Empire,
    /// The Empire uses its Diplomacy cards, starting at this slot.
    Intrigue(u8),
    /// Nature picks the target of the Empire's card in this slot among this number; the seat is the leader.
    Pick(u8, Seat, u8),
    /// Hegemony Actions, starting at this index of the turn order.
    Hegemony(u8),
    /// The target's Diplomacy cards that modify the roll are used, starting at this slot.
    Court(Seat, u8),
    /// The target declares the hidden cards that modify the roll.
    Confess(Seat),
    /// The Hegemony roll.
    Die(Seat),
    /// The Diplomacy cards in these slots, one bit each, are discarded.
    Spend(Seat, u8),
    /// The Empire discards all its cards.
    Withdraw,
    /// The Empire fills its empty slots.
    Muster,
    /// The backs of the Empire's new cards are public; all but Military cards are turned up.
    Mustered,

    // --- battle
    /// All Military cards are public; powers are compared.
    Clash,
    /// The loser's Pity Parties pay, starting at this slot.
    Pity(u8),
    /// Sides without points are defeated. `true`: only the Empire is checked again.
    Reckon(bool),
    /// The loser pays its Mercenaries.
    Fees,
    /// The cards of the first or second side, starting at this slot and position, return, stay or roll.
    Aftermath(u8, u8, u8),
    /// A combat roll for this card (side, slot, position).
    Combat(u8, u8, u8),
    /// Slots whose base card has left are checked.
    TidyAll,
    /// The victor may raze slots with this number of Siege Towers.
    Raze(u8),
    /// Decks that got cards back are shuffled.
    Reshuffle,
    /// A side declares its hidden Collateral Damage.
    Reveal(Side),
    /// A side's Collateral Damage cards are used, starting at this slot.
    Collateral(Side, u8),
    /// The Collateral Damage in this slot may ruin a slot of the loser.
    Ruin(Side, u8),
    /// The battle is over.
    Peace,
    /// The cards of these sides, one bit each, leave the game.
    Bury(u8),
    /// Checks whether the game is over.
    Check,
    /// The game ends: tied players show all their cards.
    Finish,
}

impl Task {
    /// Returns the seat that decides the task; `None` for tasks without a decision, and for windows and the
    /// choice of slots to raze or ruin, whose seat only the state tells. All variants that begin with a seat
    /// keep it at one place, so that it is loaded without distinguishing them. A `Refill` of the Empire,
    /// which is performed without a decision, gives the number of the Empire as a seat.
    #[inline(always)]
    const fn decided_by(&self) -> Option<Seat> {
        match *self {
            Task::Scalp(seat, _)
            | Task::Upkeep(seat, _)
            | Task::Target(seat, _)
            | Task::Aim(seat, ..)
            | Task::Take(seat, _)
            | Task::Give(seat)
            | Task::Replace(seat, ..)
            | Task::Lobby(seat, _)
            | Task::Purchase(seat, _)
            | Task::Act(seat)
            | Task::Trade(seat, ..)
            | Task::Answer(seat, _)
            | Task::Enter(seat, _) => Some(seat),
            Task::Refill(side) => Some(Seat(side.0)),
            _ => None,
        }
    }
}

impl Hegemony {
    /// Pushes a task. The task to do first is pushed last.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    #[inline]
    pub(crate) fn push_task(&mut self, task: Task) -> Result<(), RuleError> {
        self.agenda.push(task)
    }

    /// Pushes a task that makes the marked cards public if `any` is `true`; otherwise does nothing. The
    /// caller has marked the cards and computes `any`: whether it has marked one.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(crate) fn show_marked(&mut self, any: bool) -> Result<(), RuleError> {
        if any { self.push_task(Task::Show(Set::Marked)) } else { Ok(()) }
    }

    /// Returns a copy of the task on top; `Over` if the agenda is empty.
    #[inline(always)]
    pub(crate) fn top(&self) -> Task {
        *self.peek()
    }

    /// Returns the task on top by reference; `Over` if the agenda is empty.
    #[inline(always)]
    fn peek(&self) -> &Task {
        self.agenda.peek_or_default()
    }

    /// Returns the node that the task on top of the agenda waits for: a decision, a declaration, a reveal, a
    /// permutation or a chance event; `Over` at the end and for tasks that are performed without an event.
    /// Whether a choice is left is not checked: tasks without one must have been performed.
    #[inline(always)]
    pub(crate) fn awaited(&self) -> Node {
        let task = self.peek();
        if let Some(seat) = task.decided_by() {
            return Node::Decide(seat);
        }
        match *task {
            Task::Shuffle(pile) => Node::Chance(Chance::Shuffle { pile }),
            Task::Show(set) => Node::Reveal { set, to: Audience::All, side: Show::Face },
            Task::Backs => Node::Reveal { set: Set::Marked, to: Audience::All, side: Show::Back },
            Task::Peek(set, seat) => Node::Reveal { set, to: Audience::Seat(seat), side: Show::Face },
            Task::Mix(zone, by) => Node::Rearrange { set: Set::Zone(zone), by },
            Task::Window { user, asked, .. } => self.in_window(user, asked).map_or(Node::Over, Node::Decide),
            Task::Confess(seat) => Node::Declare(seat),
            Task::Reveal(side) => Node::Declare(Seat(side.0)),
            Task::Die(_) | Task::Combat(..) => Node::Chance(Chance::Roll { sides: DIE }),
            Task::Pick(_, _, of) => Node::Chance(Chance::Pick { of: of.into() }),
            Task::Raze(_) => self.choice_node(self.victor(), self.military_slots(self.loser()).count()),
            Task::Ruin(side, _) => self.choice_node(side, self.civil_slots(self.loser()).count()),
            _ => Node::Over,
        }
    }

    /// Returns the node of a choice of `side` among `of` entries: a player decides (`of` is then ignored),
    /// nature picks one of `of` for the Empire.
    fn choice_node(&self, side: Side, of: usize) -> Node {
        match side.seat() {
            Some(seat) => Node::Decide(seat),
            None => Node::Chance(Chance::Pick { of: of as u32 }),
        }
    }

    /// Performs the tasks on top of the agenda, one after the other, until one waits for an event: pops each
    /// and applies its rule, which may emit facts and push further tasks. A question is only popped if public
    /// information leaves no choice. Does nothing if the top task waits already, except that an invalid slot
    /// cache is recomputed.
    ///
    /// # Errors
    ///
    /// Fails if a task cannot be performed, as the agenda is full or a card that it reads is hidden.
    #[inline(always)]
    pub(crate) fn run(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
        // Fast path: most often another card can be placed.
        if self.slot_cache.valid
            && let Task::Replace(seat, need, replaced) = *self.peek()
            && self.replacing_is_open(seat, need, replaced)
        {
            return Ok(());
        }
        self.run_agenda(cx, None)
    }

    /// Performs tasks up to the next one that needs an event; recomputes the slot cache first if it is
    /// invalid. In a playout (`chance` is given) dice, shuffles, reveals and frequent decisions are resolved
    /// here too.
    ///
    /// Matches each task once: a task that asks a seat waits while public information leaves a choice; all
    /// others are performed.
    ///
    /// # Errors
    ///
    /// Fails if a task cannot be performed, as the agenda is full or a card that it reads is hidden.
    #[inline(always)]
    pub(crate) fn run_agenda(
        &mut self,
        cx: &mut Context<'_>,
        mut chance: Option<&mut Sim<'_, Self>>,
    ) -> Result<(), RuleError> {
        /// Pops the task and performs it.
        macro_rules! perform {
            ($this:ident.$deed:ident($($of:expr),*)) => {{
                $this.agenda.pop();
                $this.$deed($($of),*)?;
            }};
        }
        /// Waits for an event while there is a choice; else pops the task.
        macro_rules! wait_if {
            ($open:expr) => {{
                if $open {
                    break;
                }
                self.agenda.pop();
            }};
        }
        /// Resolves the task with the simulator; without one, waits for an event while there is a choice.
        macro_rules! by_chance {
            ($sim:ident => $answer:expr; if $open:expr) => {
                match chance.as_deref_mut() {
                    Some($sim) => $answer?,
                    None => wait_if!($open),
                }
            };
        }
        if !self.slot_cache.valid {
            self.rebuild_slot_cache();
        }
        loop {
            match *self.peek() {
                Task::Shuffle(zone) => {
                    by_chance!(sim => self.shuffle_at_random(sim, zone); if self.tokens.len(zone) >= 2);
                }
                Task::Mix(zone, by) => {
                    by_chance!(sim => self.mix_at_random(sim, zone, by); if self.tokens.len(zone) >= 2);
                }
                Task::Show(set) => {
                    by_chance!(sim => self.show_at_random(sim, set); if self.any(&set, |t| !self.tokens.is_public(t)));
                }
                Task::Backs => by_chance!(sim => self.backs_at_random(sim); if true),
                Task::Peek(set, seat) => {
                    let open = |game: &Self| game.any(&set, |t| !game.tokens.known(t).to(seat));
                    by_chance!(sim => self.peek_at_random(sim, set, seat); if open(self));
                }
                Task::Scalp(seat, left) => wait_if!(left > 0 && self.can_scalp(seat)),
                Task::Upkeep(seat, ships) => {
                    by_chance!(sim => self.keep_up_at_random(sim, seat, ships); if self.upkeep_is_open(seat, ships));
                }
                Task::Replace(seat, need, replaced) => match chance.as_deref_mut() {
                    Some(sim) => self.replace_at_random(sim, seat, need, replaced)?,
                    None if self.replacing_is_open(seat, need, replaced) => break,
                    None => perform!(self.drop_hand(seat)),
                },
                Task::Purchase(seat, left) => {
                    by_chance!(sim => self.purchase_at_random(sim, seat, left); if self.purchase_is_open(seat, left));
                }
                Task::Act(seat) => by_chance!(sim => self.act_at_random(sim, seat); if true),
                Task::Trade(seat, left, asked) => {
                    by_chance!(sim => self.trade_at_random(sim, seat, left, asked);
                        if self.trade_is_open(seat, left, asked));
                }
                Task::Answer(seat, i) => by_chance!(sim => self.answer_at_random(sim, seat, i); if true),
                Task::Fill(seat, slots) => match chance.as_deref_mut() {
                    Some(sim) => self.fill_at_random(sim, seat, slots)?,
                    None => perform!(self.fill(seat, slots)),
                },
                Task::Refill(Side::EMPIRE) | Task::Muster => match chance.as_deref_mut() {
                    Some(sim) => self.muster_at_random(sim)?,
                    None => perform!(self.muster()),
                },
                Task::Refill(side) => {
                    by_chance!(sim => self.refill_at_random(sim, side); if self.refill_is_open(side));
                }
                Task::Die(seat) => {
                    by_chance!(sim => self.hegemony_roll(cx, seat, sim.roll(DIE) as i32); if true);
                }
                Task::Combat(which, i, k) => {
                    by_chance!(sim => self.combat_roll(cx, which, i, k, sim.roll(DIE) as i32); if true);
                }
                Task::Pick(i, leader, of) => {
                    by_chance!(sim => self.picked(cx, i, leader, sim.pick(of.into()) as usize); if true);
                }
                Task::Window { user, asked, against_empire } => {
                    if self.in_window(user, asked).is_some_and(|seat| self.is_entitled(seat)) {
                        break;
                    }
                    perform!(self.continue_window(cx, user, asked, against_empire));
                }
                Task::Confess(seat) => wait_if!(self.hidden_warlike(seat).next().is_some()),
                Task::Reveal(side) => wait_if!(
                    !side.is_empire() && self.is_in(side) && self.hidden_collateral(side).next().is_some()
                ),
                Task::Raze(left) => wait_if!(self.razing_is_open(left)),
                Task::Target(..)
                | Task::Aim(..)
                | Task::Take(..)
                | Task::Give(_)
                | Task::Lobby(..)
                | Task::Enter(..)
                | Task::Ruin(..)
                | Task::Over => break,
                Task::Round => perform!(self.begin_round(cx)),
                Task::Deal(left) => perform!(self.deal(left)),
                Task::Turns(k) => perform!(self.next_turn(k)),
                Task::Turn(seat) => perform!(self.begin_turn(cx, seat)),
                Task::EndTurn(seat) => perform!(self.end_turn(seat)),
                Task::EndRound => perform!(self.end_round(cx)),
                Task::Used { user, card, aim, blocked } => perform!(self.used(cx, user, card, aim, blocked)),
                Task::Strike(side, i, t) => perform!(self.strike(side, i, t)),
                Task::Tidy(side, i) => perform!(self.tidy(cx, side, i)),
                Task::Merge(side) => perform!(self.merge(side)),
                Task::Swap(user, target) => perform!(self.swap(user, target)),
                Task::Draw(seat, left) => perform!(self.draw(seat, left)),
                Task::MixHand(seat) => perform!(self.mix_hand(seat)),
                Task::Unfold(seat) => perform!(self.begin_replacing(seat)),
                Task::Empire => perform!(self.empire_turn(cx)),
                Task::Intrigue(i) => perform!(self.intrigue(cx, i)),
                Task::Hegemony(k) => perform!(self.next_hegemony(cx, k)),
                Task::Court(seat, i) => perform!(self.court(cx, seat, i)),
                Task::Spend(seat, slots) => perform!(self.spend(seat, slots)),
                Task::Withdraw => perform!(self.withdraw()),
                Task::Mustered => perform!(self.mustered()),
                Task::Clash => perform!(self.clash(cx)),
                Task::Pity(i) => perform!(self.pity(cx, i)),
                Task::Reckon(again) => perform!(self.reckon(again)),
                Task::Fees => perform!(self.fees(cx)),
                Task::Aftermath(which, i, k) => perform!(self.aftermath(cx, which, i, k)),
                Task::TidyAll => perform!(self.tidy_all(cx)),
                Task::Reshuffle => perform!(self.reshuffle()),
                Task::Collateral(side, i) => perform!(self.collateral(side, i)),
                Task::Peace => perform!(self.peace()),
                Task::Bury(sides) => perform!(self.bury(cx, sides)),
                Task::Check => perform!(self.check_end()),
                Task::Finish => perform!(self.finish()),
            }
        }
        #[cfg(debug_assertions)]
        debug_assert!(self.slot_cache_is_valid(), "the slot cache is stale");
        Ok(())
    }

    /// Returns whether a card of the set satisfies `holds`; `false` for an empty zone. Always `true` for
    /// marked cards without a call, because tasks that name them are pushed only if a card is marked.
    ///
    /// Matched in place: a whole-struct load after partial stores misses store forwarding.
    #[inline(always)]
    fn any(&self, set: &Set, holds: impl Fn(Token) -> bool) -> bool {
        match *set {
            Set::One(t) => holds(t),
            Set::Zone(z) => self.tokens.iter(z).any(holds),
            Set::Zones(a, b) => self.tokens.iter(a).chain(self.tokens.iter(b)).any(holds),
            Set::Marked => true,
        }
    }
}
