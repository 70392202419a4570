//! What is to happen next: an agenda of small steps. The top one says what is awaited.
//!
//! A step that asks somebody stays on top until it is over; then it is *performed*, which is also what
//! happens when public information leaves nothing to choose. Windows within windows are steps on steps.

use crate::places::Side;
use crate::state::Hegemony;
use pentarchy_engine::{Chance, Node, Rejected, Seat, Set, Side as Show, Sim, To, Token, Zone};
use serde::{Deserialize, Serialize};

/// The die of all rolls.
pub(crate) const DIE: u32 = 20;

/// What a used Diplomacy card is aimed at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Aim {
    /// At a card that somebody else is using: a Sabotage.
    Use,
    /// At the Hegemony roll of its owner.
    Roll,
    /// At the battle that its owner has lost.
    Loss,
    /// At a side.
    Side(Side),
    /// At a side's deck and discard pile.
    Pool(Side),
    /// At a slot of a side; a False Flag names its target and a slot of its owner.
    Slot(Side, u8),
    /// At a card of a side.
    Card(Side, Token),
}

/// One step of the agenda.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Step {
    /// The game is over.
    #[default]
    Over,

    // --- nature and knowledge
    /// A pile is shuffled.
    Shuffle(Zone),
    /// Cards are shown to all.
    Show(Set),
    /// The backs of the marked cards are shown to all.
    Backs,
    /// Cards are shown to one seat.
    Peek(Set, Seat),
    /// A seat mixes a zone that it knows.
    Mix(Zone, Seat),

    // --- the round
    /// A round begins.
    Round,
    /// So many cards are still to be dealt to the common pool.
    Deal(u8),
    /// The turns of the round, from this place of the turn order on.
    Turns(u8),
    /// A turn begins.
    Turn(Seat),
    /// A turn ends.
    EndTurn(Seat),
    /// The round ends.
    EndRound,

    // --- upkeep
    /// So many Scalpers designate a card.
    Scalp(Seat, u8),
    /// So many Cargo Ships may still buy; Diplomacy cards may be used.
    Upkeep(Seat, u8),
    /// A used card gets its target.
    Target(Seat, Token),
    /// And the place it is aimed at.
    Aim(Seat, Token, Side),
    /// A Diplomacy card does its work, unless it was blocked.
    Used {
        /// Whose card.
        user: Side,
        /// Which card.
        card: Token,
        /// At what.
        aim: Aim,
        /// Whether a Sabotage has blocked it.
        blocked: bool,
    },
    /// The others may play a Sabotage against the step below.
    Window {
        /// Whose card could be blocked.
        user: Side,
        /// How many have been asked.
        asked: u8,
        /// Whether the card is used against the Empire.
        against_empire: bool,
    },
    /// An Assassin's victim has been shown.
    Strike(Side, u8, Token),
    /// The cards left in a slot are fitted to their new base.
    Tidy(Side, u8),
    /// A side's discard pile is put to its deck.
    Merge(Side),
    /// Offer: a seat takes a card of another's deck.
    Take(Seat, Seat),
    /// Offer: and gives one of its own.
    Give(Seat),
    /// Offer: the two cards change hands, the user's first.
    Swap(Seat, Seat),

    // --- draw, replace, buy, act
    /// So many cards are still to be drawn.
    Draw(Seat, u8),
    /// The hand is mixed if somebody else knows a card of it.
    MixHand(Seat),
    /// The replacing begins.
    Unfold(Seat),
    /// So many slots must be replaced; these have been.
    Replace(Seat, u8, u8),
    /// A Lobbyist in this slot names a category.
    Lobby(Seat, u8),
    /// So many purchases are left.
    Purchase(Seat, u8),
    /// The Player Action.
    Act(Seat),
    /// So many purchases from the Empire are left; these slots have been asked for.
    Trade(Seat, u8, u16),
    /// The card in this slot has been shown: buy it or not.
    Answer(Seat, u8),
    /// These slots, one bit each, get cards from the deck.
    Fill(Seat, u8),
    /// The card drawn into this slot comes to lie there.
    Enter(Seat, u8),
    /// Empty slots may be refilled; the Empire's are.
    Refill(Side),

    // --- the Empire
    /// The Empire's turn.
    Empire,
    /// It uses its cards, from this slot on.
    Intrigue(u8),
    /// It picks what the card in this slot is aimed at, of so many.
    Pick(u8, Seat, u8),
    /// Hegemony Actions, from this place of the turn order on.
    Hegemony(u8),
    /// The target's Diplomacy cards are put to the roll, from this slot on.
    Court(Seat, u8),
    /// The target shows what weighs on the roll.
    Confess(Seat),
    /// The Hegemony roll.
    Die(Seat),
    /// The Diplomacy cards in these slots are spent.
    Spend(Seat, u8),
    /// All its cards are discarded.
    Withdraw,
    /// Its empty slots are filled.
    Muster,
    /// Its new cards' backs are known.
    Mustered,

    // --- battle
    /// All are shown: powers are compared.
    Clash,
    /// The loser's Pity Parties pay, from this slot on.
    Pity(u8),
    /// Who has fallen? The second time only the Empire is asked.
    Reckon(bool),
    /// The loser's Mercenaries are paid.
    Fees,
    /// The cards of the first or second side in order, from this slot and place on.
    Aftermath(u8, u8, u8),
    /// A combat roll for this card.
    Combat(u8, u8, u8),
    /// Slots are tidied.
    TidyAll,
    /// So many Siege Towers may still raze a slot.
    Raze(u8),
    /// Decks that got cards back are shuffled.
    Reshuffle,
    /// A side shows its Collateral Damage.
    Reveal(Side),
    /// A side's Collateral Damage cards, from this slot on.
    Collateral(Side, u8),
    /// The Collateral Damage in this slot may ruin a slot of the loser.
    Ruin(Side, u8),
    /// The battle is over.
    Peace,
    /// The cards of these sides, one bit each, leave the game.
    Bury(u8),
    /// Is the game over?
    Check,
    /// The game ends: those who are tied show all they own.
    Finish,
}

impl Step {
    /// The seat that decides at this step, where the step alone says so. (All these name the seat first: which
    /// of them it is need not be asked.)
    #[inline(always)]
    const fn decided_by(&self) -> Option<Seat> {
        match *self {
            Step::Scalp(seat, _)
            | Step::Upkeep(seat, _)
            | Step::Target(seat, _)
            | Step::Aim(seat, ..)
            | Step::Take(seat, _)
            | Step::Give(seat)
            | Step::Replace(seat, ..)
            | Step::Lobby(seat, _)
            | Step::Purchase(seat, _)
            | Step::Act(seat)
            | Step::Trade(seat, ..)
            | Step::Answer(seat, _)
            | Step::Enter(seat, _) => Some(seat),
            Step::Refill(side) => Some(Seat(side.0)),
            _ => None,
        }
    }
}

impl Hegemony {
    /// Puts a step on the agenda: what is to happen first is put there last.
    #[inline]
    pub(crate) fn then(&mut self, step: Step) -> Result<(), Rejected> {
        self.agenda.push(step)
    }

    /// The step on top goes on as this one.
    #[inline]
    pub(crate) fn goes_on_as(&mut self, step: Step) {
        if let Some(top) = self.agenda.last_mut() {
            *top = step;
        }
    }

    /// The marked cards are shown to all, then the marks are taken away.
    pub(crate) fn show_marked(&mut self, any: bool) -> Result<(), Rejected> {
        if any { self.then(Step::Show(Set::Marked)) } else { Ok(()) }
    }

    /// The step on top.
    #[inline(always)]
    pub(crate) fn top(&self) -> Step {
        *self.peek()
    }

    /// The step on top where it lies.
    #[inline(always)]
    fn peek(&self) -> &Step {
        self.agenda.peek_or_default()
    }

    /// What is awaited now.
    #[inline(always)]
    pub(crate) fn awaited(&self) -> Node {
        let step = self.peek();
        if let Some(seat) = step.decided_by() {
            return Node::Decide(seat);
        }
        match *step {
            Step::Shuffle(pile) => Node::Chance(Chance::Shuffle { pile }),
            Step::Show(set) => Node::Reveal { set, to: To::All, side: Show::Face },
            Step::Backs => Node::Reveal { set: Set::Marked, to: To::All, side: Show::Back },
            Step::Peek(set, seat) => Node::Reveal { set, to: To::Seat(seat), side: Show::Face },
            Step::Mix(zone, by) => Node::Rearrange { set: Set::Zone(zone), by },
            Step::Window { user, asked, .. } => self.in_window(user, asked).map_or(Node::Over, Node::Decide),
            Step::Confess(seat) => Node::Declare(seat),
            Step::Reveal(side) => Node::Declare(Seat(side.0)),
            Step::Die(_) | Step::Combat(..) => Node::Chance(Chance::Roll { sides: DIE }),
            Step::Pick(_, _, of) => Node::Chance(Chance::Pick { of: of.into() }),
            Step::Raze(_) => self.picked_or_decided(self.victor(), self.military_slots(self.loser()).count()),
            Step::Ruin(side, _) => self.picked_or_decided(side, self.civil_slots(self.loser()).count()),
            _ => Node::Over,
        }
    }

    /// A player decides; for the Empire nature picks one of so many.
    fn picked_or_decided(&self, side: Side, of: usize) -> Node {
        match side.seat() {
            Some(seat) => Node::Decide(seat),
            None => Node::Chance(Chance::Pick { of: of as u32 }),
        }
    }

    /// Runs off whatever awaits nothing.
    #[inline(always)]
    pub(crate) fn run(&mut self) -> Result<(), Rejected> {
        // Most often another card can be placed.
        if self.kinds.sure
            && let Step::Replace(seat, need, replaced) = *self.peek()
            && self.replacing_is_open(seat, need, replaced)
        {
            return Ok(());
        }
        self.go_on(None)
    }

    /// Goes through the agenda up to what awaits an event. Where chance answers, in a playout, that is little:
    /// dice, shuffles, revelations and what is asked often happen at once.
    ///
    /// One look at each step: what asks does so while there is something to ask, judged by public information; all
    /// others are performed.
    #[inline(always)]
    pub(crate) fn go_on(&mut self, mut chance: Option<&mut Sim<'_, Self>>) -> Result<(), Rejected> {
        /// Takes the step off the agenda and does what it is there for.
        macro_rules! perform {
            ($this:ident.$deed:ident($($of:expr),*)) => {{
                $this.agenda.pop();
                $this.$deed($($of),*)?;
            }};
        }
        /// Waits for an event while there is something to ask.
        macro_rules! wait_if {
            ($open:expr) => {{
                if $open {
                    break;
                }
                self.agenda.pop();
            }};
        }
        /// Chance answers; without it, the step waits for an event while there is something to ask.
        macro_rules! by_chance {
            ($sim:ident => $answer:expr; if $open:expr) => {
                match chance.as_deref_mut() {
                    Some($sim) => $answer?,
                    None => wait_if!($open),
                }
            };
        }
        if !self.kinds.sure {
            self.say_all_kinds();
        }
        loop {
            match *self.peek() {
                Step::Shuffle(zone) => {
                    by_chance!(sim => self.shuffle_at_random(sim, zone); if self.tokens.len(zone) >= 2);
                }
                Step::Mix(zone, by) => {
                    by_chance!(sim => self.mix_at_random(sim, zone, by); if self.tokens.len(zone) >= 2);
                }
                Step::Show(set) => {
                    by_chance!(sim => self.show_at_random(sim, set); if self.any(&set, |t| !self.tokens.is_public(t)));
                }
                Step::Backs => by_chance!(sim => self.backs_at_random(sim); if true),
                Step::Peek(set, seat) => {
                    let open = |game: &Self| game.any(&set, |t| !game.tokens.known(t).to(seat));
                    by_chance!(sim => self.peek_at_random(sim, set, seat); if open(self));
                }
                Step::Scalp(seat, left) => wait_if!(left > 0 && self.can_scalp(seat)),
                Step::Upkeep(seat, ships) => {
                    by_chance!(sim => self.keep_up_at_random(sim, seat, ships); if self.upkeep_is_open(seat, ships));
                }
                Step::Replace(seat, need, replaced) => match chance.as_deref_mut() {
                    Some(sim) => self.replace_at_random(sim, seat, need, replaced)?,
                    None if self.replacing_is_open(seat, need, replaced) => break,
                    None => perform!(self.drop_hand(seat)),
                },
                Step::Purchase(seat, left) => {
                    by_chance!(sim => self.purchase_at_random(sim, seat, left); if self.purchase_is_open(seat, left));
                }
                Step::Act(seat) => by_chance!(sim => self.act_at_random(sim, seat); if true),
                Step::Trade(seat, left, asked) => {
                    by_chance!(sim => self.trade_at_random(sim, seat, left, asked);
                        if self.trade_is_open(seat, left, asked));
                }
                Step::Answer(seat, i) => by_chance!(sim => self.answer_at_random(sim, seat, i); if true),
                Step::Fill(seat, slots) => match chance.as_deref_mut() {
                    Some(sim) => self.fill_at_random(sim, seat, slots)?,
                    None => perform!(self.fill(seat, slots)),
                },
                Step::Refill(Side::EMPIRE) | Step::Muster => match chance.as_deref_mut() {
                    Some(sim) => self.muster_at_random(sim)?,
                    None => perform!(self.muster()),
                },
                Step::Refill(side) => {
                    by_chance!(sim => self.refill_at_random(sim, side); if self.refill_is_open(side));
                }
                Step::Die(seat) => {
                    by_chance!(sim => self.hegemony_roll(seat, sim.roll(DIE) as i32); if true);
                }
                Step::Combat(which, i, k) => {
                    by_chance!(sim => self.combat_roll(which, i, k, sim.roll(DIE) as i32); if true);
                }
                Step::Pick(i, leader, of) => {
                    by_chance!(sim => self.picked(i, leader, sim.pick(of.into()) as usize); if true);
                }
                Step::Window { user, asked, against_empire } => {
                    if self.in_window(user, asked).is_some_and(|seat| self.is_entitled(seat)) {
                        break;
                    }
                    perform!(self.window_goes_on(user, asked, against_empire));
                }
                Step::Confess(seat) => wait_if!(self.hidden_warlike(seat).next().is_some()),
                Step::Reveal(side) => wait_if!(
                    !side.is_empire() && self.is_in(side) && self.hidden_collateral(side).next().is_some()
                ),
                Step::Raze(left) => wait_if!(self.razing_is_open(left)),
                Step::Target(..)
                | Step::Aim(..)
                | Step::Take(..)
                | Step::Give(_)
                | Step::Lobby(..)
                | Step::Enter(..)
                | Step::Ruin(..)
                | Step::Over => break,
                Step::Round => perform!(self.begin_round()),
                Step::Deal(left) => perform!(self.deal(left)),
                Step::Turns(k) => perform!(self.next_turn(k)),
                Step::Turn(seat) => perform!(self.begin_turn(seat)),
                Step::EndTurn(seat) => perform!(self.end_turn(seat)),
                Step::EndRound => perform!(self.end_round()),
                Step::Used { user, card, aim, blocked } => perform!(self.used(user, card, aim, blocked)),
                Step::Strike(side, i, t) => perform!(self.strike(side, i, t)),
                Step::Tidy(side, i) => perform!(self.tidy(side, i)),
                Step::Merge(side) => perform!(self.merge(side)),
                Step::Swap(user, target) => perform!(self.swap(user, target)),
                Step::Draw(seat, left) => perform!(self.draw(seat, left)),
                Step::MixHand(seat) => perform!(self.mix_hand(seat)),
                Step::Unfold(seat) => perform!(self.begin_replacing(seat)),
                Step::Empire => perform!(self.empire_turn()),
                Step::Intrigue(i) => perform!(self.intrigue(i)),
                Step::Hegemony(k) => perform!(self.next_hegemony(k)),
                Step::Court(seat, i) => perform!(self.court(seat, i)),
                Step::Spend(seat, slots) => perform!(self.spend(seat, slots)),
                Step::Withdraw => perform!(self.withdraw()),
                Step::Mustered => perform!(self.mustered()),
                Step::Clash => perform!(self.clash()),
                Step::Pity(i) => perform!(self.pity(i)),
                Step::Reckon(again) => perform!(self.reckon(again)),
                Step::Fees => perform!(self.fees()),
                Step::Aftermath(which, i, k) => perform!(self.aftermath(which, i, k)),
                Step::TidyAll => perform!(self.tidy_all()),
                Step::Reshuffle => perform!(self.reshuffle()),
                Step::Collateral(side, i) => perform!(self.collateral(side, i)),
                Step::Peace => perform!(self.peace()),
                Step::Bury(sides) => perform!(self.bury(sides)),
                Step::Check => perform!(self.check_end()),
                Step::Finish => perform!(self.finish()),
            }
        }
        #[cfg(debug_assertions)]
        debug_assert!(self.kinds_hold(), "what has been said of the slots is not so");
        Ok(())
    }

    /// Whether a card of a set is such a card. (Marks are made only where there is one.) The set is read where it
    /// lies, part by part as it was just written: as a whole it would have to reach the memory first.
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
