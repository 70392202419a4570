//! Takeover: a bot plays each dropped seat for all peers.
//!
//! By the rules a dropped seat continues as before, with its hand and its secrets. The first step of the new epoch opens
//! everything that the seat knew: the other machines stand in for it with the shares of its keys. From then on every peer
//! follows the game with the knowledge of that seat, too, and the joint dice choose its actions. All peers run the same bot
//! with the same dice, so no peer has to send its moves.

use super::absence::OpenRoll;
use super::{LogStep, PeerSession, SessionEvent};
use crate::cards::fair_seat;
use crate::plan::Cell;
use crate::record::OpenChoice;
use pentarchy_engine::any::{RawEvent, RawEventKind};
use pentarchy_engine::{AnyPosition, Audience, Chance, Node, Rng, Seat, SeatSet, Side, Token};
use pentarchy_fair::escrow::{Absence, DueContribution, StandIn};
use pentarchy_fair::{self as fair, OperationError, Phase};
use std::num::NonZeroU32;

/// A dropped seat that a bot plays.
pub(super) struct BotSeat {
    pub(super) seat: u8,
    /// The position with the knowledge of this seat.
    pub(super) rules: Box<dyn AnyPosition>,
}

/// The dropped seats that bots play, and the takeover under way.
#[derive(Default)]
pub(super) struct Takeover {
    pub(super) seats: Vec<BotSeat>,
    /// The dropped seats whose takeover is the step under way.
    pub(super) departing: Option<SeatSet>,
    /// The roll that was open when they were dropped, until it is completed.
    pub(super) open_roll: Option<OpenRoll>,
}

impl Takeover {
    /// Forgets everything: the log is replayed from its start.
    pub(super) fn clear(&mut self) {
        *self = Takeover::default();
    }

    /// Returns whether a takeover, or a roll that one has interrupted, is under way.
    pub(super) fn is_under_way(&self) -> bool {
        self.departing.is_some() || self.open_roll.is_some()
    }

    /// Returns the seats that bots play.
    pub(super) fn seats(&self) -> SeatSet {
        self.seats.iter().map(|bot| Seat(bot.seat)).collect()
    }

    /// Returns the position with the knowledge of a seat that a bot plays; `None` for other seats.
    pub(super) fn position(&self, seat: u8) -> Option<&dyn AnyPosition> {
        self.seats.iter().find(|bot| bot.seat == seat).map(|bot| &*bot.rules)
    }
}

impl PeerSession {
    /// Returns the position after all closed steps with the knowledge of a dropped seat that a bot plays for all peers;
    /// `None` for other seats, and until the takeover of the seat is complete.
    pub fn taken_over_position(&self, seat: u8) -> Option<&dyn AnyPosition> {
        self.takeover.position(seat)
    }

    /// Returns the dropped seats that bots play for all peers. A seat whose takeover is under way is not among them
    /// yet.
    pub fn taken_over(&self) -> SeatSet {
        self.takeover.seats()
    }

    /// Returns whether the others can continue without these seats: the table has escrow, at least two
    /// machines and a majority remain, and enough of them to open what the seats held, if there is anything
    /// to open or a roll to complete. Fewer may drop proved cheaters, but a record does not hold the proofs,
    /// and nobody could verify how it goes on. Begins the next step if there is none, to see whether it is a
    /// roll; breaks the session if it cannot be planned.
    pub(super) fn can_go_on(&mut self, seats: SeatSet) -> bool {
        let Some(threshold) = self.descriptor.threshold() else { return false };
        let (voters, holders) = (self.voters(), self.voters() - seats);
        let leaving = seats | self.takeover.departing.unwrap_or_default();
        let plan = crate::plan::departure(&*self.state.rules, &self.state.cards, holders, leaving);
        let needs_shares = plan.phases.iter().any(|due| !due.is_empty()) || self.find_open_roll().is_some();
        let is_majority = 2 * holders.len() > voters.len();
        is_majority && holders.len() >= 2 && (!needs_shares || usize::from(holders.len()) >= threshold.get())
    }

    /// Completes a takeover: takes the locks of the dropped seats off all ciphertexts, sets up the bots that
    /// play them with everything the seats knew, and emits `Replaced` for each. `step` is the step of the
    /// takeover, with all contributions.
    ///
    /// # Errors
    ///
    /// Fails with the reason if no takeover is under way, or something that a seat knew cannot be opened. The
    /// state may be partly changed then: the caller must stop the session.
    pub(super) fn complete_takeover(&mut self, step: &LogStep) -> Result<(), String> {
        let gone = self.takeover.departing.take().ok_or("nobody departs")?;
        self.unlock_departed(step).map_err(|e| e.to_string())?;
        self.open_departed_dice(step).map_err(|e| e.to_string())?;
        self.state.cards.forget_copies(gone);
        for Seat(seat) in gone.iter() {
            let mut faces = Vec::new();
            for t in (0..self.state.rules.token_count()).map(Token) {
                let fact = self.state.rules.token_info(t);
                if fact.public.is_none() && fact.known.to(Seat(seat)) {
                    let face = self.state.cards.open_face(t);
                    faces.push((t, face.ok_or_else(|| format!("what seat {seat} knew of {t} is lost"))?));
                }
            }
            self.takeover.seats.push(BotSeat { seat, rules: self.state.rules.knowing(Seat(seat), &faces) });
            self.emit(SessionEvent::Replaced { seat });
        }
        Ok(())
    }

    /// Takes the locks of the dropped seats off all ciphertexts, with the shares that the step has collected.
    /// Faces that only these seats could read become known to all peers.
    ///
    /// # Errors
    ///
    /// Fails if a share does not fit, or too few have come. Some locks may have been taken off then.
    fn unlock_departed(&mut self, step: &LogStep) -> Result<(), OperationError> {
        let due = step.plan.phases.first().and_then(|due| due.first());
        let stands = due.map(|(_, duty)| duty.stands.clone()).unwrap_or_default();
        let phase = Phase { game: self.id, id: Self::phase_id(step).ok_or(OperationError::OtherPhase)? };
        for (gone, cells) in stands {
            let cell = |cell: &Cell| step.work.cell(&self.state.cards, gone, *cell);
            let tokens =
                cells.iter().map(cell).collect::<Result<Vec<fair::CipherToken>, OperationError>>()?;
            let roster = self.opening.roster.as_ref().ok_or(OperationError::Empty)?;
            let absence = Absence { key: roster.key(fair_seat(gone))?, due: DueContribution::Strip(&tokens) };
            let parts = step.work.stands.iter().filter(|(seat, _)| *seat == gone);
            let parts: Vec<StandIn> = parts.map(|(_, part)| part.clone()).collect();
            let shares = absence.recover(&phase, &parts)?.shares();
            for ((cell, token), share) in cells.iter().zip(&tokens).zip(&shares) {
                let open = token.unlock(share)?;
                match *cell {
                    Cell::Main(t) => self.state.cards.slot_mut(t)?.main = Some(open),
                    Cell::Back(t) => self.state.cards.slot_mut(t)?.back = Some(open),
                    Cell::Own(t) | Cell::View(t) => self.state.cards.note_open_face(t, &open)?,
                }
            }
        }
        Ok(())
    }

    /// Chooses the action of a seat that a bot plays, and applies it to the position of this peer: its duty,
    /// or the best rated action, with the joint dice where several are rated alike. All peers choose the
    /// same. A secret choice is laid as an open token and listed in the log. The positions of the bots do not
    /// change: the caller passes the result to [`Self::update_bots`]. Returns the public event, and the
    /// action with its secret choice in canonical text.
    ///
    /// # Errors
    ///
    /// Fails with the reason if no bot plays the seat, or the rules reject the action. A secret choice may
    /// have been laid then.
    pub(super) fn bot_acts(&mut self, step: &LogStep, seat: u8) -> Result<(RawEvent, String), String> {
        let eyes = self.takeover.position(seat).ok_or("nobody plays this seat")?;
        let text = match self.state.rules.node() {
            Node::Declare(_) => eyes.duty().map_err(|e| e.to_string())?,
            _ => {
                let mut roll = self.joint_roll(step).map_err(|e| e.to_string())?;
                let mut half = || u64::from(roll.pick(NonZeroU32::MAX));
                let mut rng = Rng::new(half() << 32 | half());
                eyes.choose_best_rated(&mut rng).map_err(|e| e.to_string())?
            }
        };
        let act = eyes.act(&text).map_err(|e| e.to_string())?;
        let mut line = RawEvent::new(RawEventKind::Act(act.public));
        for t in act.shows {
            line.shown.push((t, eyes.token_info(t).face.ok_or("a bot shows what its seat does not know")?));
        }
        if let Some(slip) = act.slip {
            let choice = slip.choice.ok_or("a sealed choice without a choice")?;
            self.state.cards.lay_open(slip.token, choice).map_err(|e| e.to_string())?;
            let event = self.log.entries.len() as u32 + 1;
            self.log.open_choices.push(OpenChoice { event, token: slip.token, face: choice });
        }
        // Its claims need no proof: every peer knows what the seat knows.
        self.state.rules.follow_line(&line).map_err(|e| e.to_string())?;
        Ok((line, text))
    }

    /// Applies an event to the positions of all seats that bots play, each with what the seat learns from it.
    /// `node` is what the rules waited for before the event; `private` is the action of one of these seats
    /// (seat, text) with its secret choice, if it has made the event.
    ///
    /// # Errors
    ///
    /// Fails with the reason if a face that a seat learns cannot be read, or the rules reject the event. Some
    /// positions may be updated then.
    pub(super) fn update_bots(
        &mut self,
        node: Node,
        line: &RawEvent,
        private: Option<(u8, String)>,
    ) -> Result<(), String> {
        let cards = &self.state.cards;
        for bot in &mut self.takeover.seats {
            let (seat, rules) = (Seat(bot.seat), &mut bot.rules);
            let mut told = RawEvent {
                order: Vec::new(),
                learned: Vec::new(),
                sealed: private.as_ref().filter(|(by, _)| *by == seat.0).map(|(_, text)| text.clone()),
                ..line.clone()
            };
            match node {
                Node::Reveal { set, to: Audience::Seat(to), side: Side::Face } if to == seat => {
                    for t in rules.members(set) {
                        let fact = rules.token_info(t);
                        if fact.public.is_none() && !fact.known.to(seat) {
                            let face = cards.open_face(t).ok_or("a face that a bot learns cannot be read")?;
                            told.learned.push((t, face));
                        }
                    }
                }
                Node::Chance(Chance::Cast { set, .. }) => {
                    for t in rules.members(set) {
                        if rules.token_info(t).owner == Some(seat) {
                            let face = cards.open_face(t).ok_or("a die of a bot cannot be read")?;
                            told.learned.push((t, face));
                        }
                    }
                }
                Node::Rearrange { set, by } if by == seat => {
                    told.order = (0..rules.members(set).len() as u16).collect();
                }
                _ => {}
            }
            rules.follow_line(&told).map_err(|e| format!("at the bot of seat {}: {e}", seat.0))?;
        }
        Ok(())
    }

    /// Notes that a seat that a bot plays has learned the face of a token: all peers have read it. The token
    /// stays open if the seat owns it (`owns`) or it was under a joint lock. Does nothing if the step has
    /// opened nothing, because the face was known.
    ///
    /// # Errors
    ///
    /// Fails with `NoFace` if the opened ciphertext still has locks or holds no face, or there is no such
    /// token.
    pub(super) fn reveal_to_bot(
        &mut self,
        step: &LogStep,
        t: Token,
        owns: bool,
    ) -> Result<(), OperationError> {
        let Some(open) = step.work.opened.get(&Cell::Main(t)) else { return Ok(()) };
        self.state.cards.note_open_face(t, open)?;
        let slot = self.state.cards.slot_mut(t)?;
        // A seat keeps what it holds under its lock; a token without a holder is open from now on.
        if owns || slot.main.is_some_and(|main| main.joint().is_some()) {
            slot.main = Some(*open);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::testbed::Testbed;
    use pentarchy_fair::PhaseId;

    #[test]
    fn bots_play_the_dropped_seats_and_no_others() {
        let bed = Testbed::new("ozymandias", 3, 1);
        let mut takeover = Takeover::default();
        assert!(takeover.seats().is_empty() && takeover.position(1).is_none());
        for seat in [2, 1] {
            let rules = bed.descriptor.start(bed.game).unwrap();
            takeover.seats.push(BotSeat { seat, rules });
        }
        assert_eq!(takeover.seats(), SeatSet(0b110));
        assert!(takeover.position(1).is_some() && takeover.position(2).is_some());
        assert!(takeover.position(0).is_none() && takeover.position(3).is_none());
    }

    #[test]
    fn a_takeover_is_under_way_until_its_roll_is_completed() {
        let mut takeover = Takeover { departing: Some(SeatSet(0b100)), ..Takeover::default() };
        assert!(takeover.is_under_way(), "the keys of the seat are being opened");
        takeover.departing = None;
        assert!(!takeover.is_under_way());
        takeover.open_roll = Some(OpenRoll { phase: PhaseId([1; 32]), seats: SeatSet(0b111) });
        assert!(takeover.is_under_way(), "the roll that it interrupted is open");
        takeover.clear();
        assert!(!takeover.is_under_way() && takeover.seats().is_empty());
    }
}
