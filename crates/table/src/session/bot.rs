//! Vacant seats. By the rules such a seat goes on as before, with its hand and its secrets; at the table everybody has
//! learnt what it knows. So every peer sees the game with its eyes too, and the joint dice choose for it: the same bot
//! runs everywhere, and nobody has to send its moves.

use super::{Output, Session, Step};
use crate::cards::fair_seat;
use crate::plan::Cell;
use crate::record::OpenChoice;
use pentarchy_engine::any::{BasicBot, RawEvent, RawEventKind};
use pentarchy_engine::{AnyPosition, Audience, Node, Rng, Seat, Side, Token};
use pentarchy_fair::escrow::{Absence, DueContribution, StandIn};
use pentarchy_fair::{self as fair, OperationError, Phase};
use std::num::NonZeroU32;

/// A seat that a bot plays.
pub(super) struct Vacant {
    pub(super) seat: u8,
    /// The game with its eyes.
    pub(super) rules: Box<dyn AnyPosition>,
}

impl Session {
    /// The game as a seat sees it that a bot plays for all.
    pub fn vacant(&self, seat: u8) -> Option<&dyn AnyPosition> {
        self.vacant.iter().find(|vacant| vacant.seat == seat).map(|vacant| &*vacant.rules)
    }

    /// The seats that bots play for all, as bits.
    pub fn vacant_seats(&self) -> u8 {
        self.vacant.iter().fold(0, |bits, vacant| bits | 1 << vacant.seat)
    }

    /// Whether those who remain can go on without these seats, as bits: enough of them hold shares, or nothing has to
    /// be opened and no roll is open.
    pub(super) fn can_go_on(&mut self, gone: u8) -> bool {
        let holders = self.holders() & !gone;
        let Some(threshold) = self.descriptor.threshold() else { return false };
        let all_gone = gone | self.departing.unwrap_or(0);
        let plan = crate::plan::departure(&*self.rules, &self.cards, holders, all_gone);
        let needs = plan.phases.iter().any(|due| !due.is_empty()) || self.find_open_roll().is_some();
        holders.count_ones() >= 2 && (!needs || holders.count_ones() as usize >= threshold.get())
    }

    /// The live seats, as bits, that hold shares of the keys of others.
    pub(super) fn holders(&self) -> u8 {
        self.live & self.descriptor.voters()
    }

    /// The locks of those who are gone come off, and what they alone could read lies open.
    pub(super) fn departed(&mut self, step: &Step) -> Result<(), String> {
        let gone = self.departing.take().ok_or("nobody departs")?;
        self.unlock_departed(step).map_err(|e| e.to_string())?;
        self.cards.forget(gone);
        for seat in (0..8u8).filter(|seat| gone >> seat & 1 != 0) {
            let mut faces = Vec::new();
            for t in (0..self.rules.token_count()).map(Token) {
                let fact = self.rules.token_info(t);
                if fact.public.is_none() && fact.known.to(Seat(seat)) {
                    let face = self.cards.open_face(t);
                    faces.push((t, face.ok_or_else(|| format!("what seat {seat} knew of {t} is lost"))?));
                }
            }
            self.vacant.push(Vacant { seat, rules: self.rules.knowing(Seat(seat), &faces) });
            self.emit(Output::Replaced { seat });
        }
        Ok(())
    }

    fn unlock_departed(&mut self, step: &Step) -> Result<(), OperationError> {
        let due = step.plan.phases.first().and_then(|due| due.first());
        let stands = due.map(|(_, duty)| duty.stands.clone()).unwrap_or_default();
        let phase = Phase { game: self.id, id: Self::phase_id(step).ok_or(OperationError::OtherPhase)? };
        for (gone, cells) in stands {
            let cell = |cell: &Cell| step.work.cell(&self.cards, gone, *cell);
            let tokens =
                cells.iter().map(cell).collect::<Result<Vec<fair::CipherToken>, OperationError>>()?;
            let roster = self.roster.as_ref().ok_or(OperationError::Empty)?;
            let absence = Absence { key: roster.key(fair_seat(gone))?, due: DueContribution::Strip(&tokens) };
            let parts = step.work.stands.iter().filter(|(seat, _)| *seat == gone);
            let parts: Vec<StandIn> = parts.map(|(_, part)| part.clone()).collect();
            let shares = absence.recover(&phase, &parts)?.shares();
            for ((cell, token), share) in cells.iter().zip(&tokens).zip(&shares) {
                let open = token.unlock(share)?;
                match *cell {
                    Cell::Main(t) => self.cards.slot_mut(t)?.main = Some(open),
                    Cell::Back(t) => self.cards.slot_mut(t)?.back = Some(open),
                    Cell::Own(t) | Cell::View(t) => self.cards.read_by_all(t, &open)?,
                }
            }
        }
        Ok(())
    }

    /// What a vacant seat does: its duty, or what the joint dice choose among what a sensible player would do. Gives
    /// what all are told, and the action with its secret choice.
    pub(super) fn bot_acts(&mut self, step: &Step, seat: u8) -> Result<(RawEvent, String), String> {
        let eyes = self.vacant(seat).ok_or("nobody plays this seat")?;
        let text = match self.rules.node() {
            Node::Declare(_) => {
                let list = eyes.legal().map_err(|e| e.to_string())?;
                list.into_iter().next().ok_or("a duty without an entry")?.canonical
            }
            _ => {
                let mut roll = self.joint_roll(step).map_err(|e| e.to_string())?;
                let mut half = || u64::from(roll.pick(NonZeroU32::MAX));
                let mut rng = Rng::new(half() << 32 | half());
                eyes.choose(BasicBot::Heuristic, &mut rng).map_err(|e| e.to_string())?
            }
        };
        let act = eyes.act(&text).map_err(|e| e.to_string())?;
        let mut line = RawEvent::new(RawEventKind::Act(act.public));
        for t in act.shows {
            line.shown.push((t, eyes.token_info(t).face.ok_or("a vacant seat shows what it does not know")?));
        }
        if let Some(slip) = act.slip {
            let choice = slip.choice.ok_or("a sealed choice without a choice")?;
            self.cards.lay_open(slip.token, choice).map_err(|e| e.to_string())?;
            let event = self.entries.len() as u32 + 1;
            self.open_choices.push(OpenChoice { event, token: slip.token, face: choice });
        }
        // Its claims need no proof: with its eyes everybody checks them.
        self.rules.follow_line(&line).map_err(|e| e.to_string())?;
        Ok((line, text))
    }

    /// Every vacant seat follows the event with what it may know of it.
    pub(super) fn tell_vacant(
        &mut self,
        node: Node,
        line: &RawEvent,
        private: Option<(u8, String)>,
    ) -> Result<(), String> {
        let cards = &self.cards;
        for vacant in &mut self.vacant {
            let (seat, rules) = (Seat(vacant.seat), &mut vacant.rules);
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
                            let face = cards.open_face(t).ok_or("a vacant seat was not told a face")?;
                            told.learned.push((t, face));
                        }
                    }
                }
                Node::Rearrange { set, by } if by == seat => {
                    told.order = (0..rules.members(set).len() as u16).collect();
                }
                _ => {}
            }
            rules.follow_line(&told).map_err(|e| format!("with the eyes of seat {}: {e}", seat.0))?;
        }
        Ok(())
    }

    /// A face was told to a vacant seat: so everybody has read it.
    pub(super) fn told_to_vacant(&mut self, step: &Step, t: Token, owns: bool) -> Result<(), OperationError> {
        let Some(open) = step.work.opened.get(&Cell::Main(t)) else { return Ok(()) };
        self.cards.read_by_all(t, open)?;
        let slot = self.cards.slot_mut(t)?;
        // What a seat holds it keeps under its lock; what nobody holds lies open from now on.
        if owns || slot.main.is_some_and(|main| main.joint().is_some()) {
            slot.main = Some(*open);
        }
        Ok(())
    }
}
