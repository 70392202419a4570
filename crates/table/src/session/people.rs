//! What people have to do with seats that are late: a player who is thinking says so, a seat is reached or not, and
//! nobody is dropped before the person at a seat has agreed.

use super::{Output, Session};
use crate::record::DropVote;
use crate::wire::{Lateness, Saying};

/// A seat that says that it is thinking is late at this many time limits after the last progress at the latest.
const MOST_LIMITS: u64 = 5;
/// A player who is thinking says so at most this often within a time limit.
const THINKING_PER_LIMIT: u64 = 4;

/// What one seat said last about thinking.
#[derive(Clone, Copy, Default)]
struct Thinking {
    n: u32,
    at: Option<u64>,
}

/// What is known of the people at the table.
pub(super) struct People {
    /// By seat.
    thinking: Vec<Thinking>,
    /// The seats of persons, as bits, whose machines are reached by no path.
    unreachable: u8,
    /// Seats, as bits, that the person at this seat has agreed to drop, and those that they were asked about.
    agreed: u8,
    asked: u8,
}

impl People {
    pub(super) fn new(seats: usize) -> Self {
        People { thinking: vec![Thinking::default(); seats], unreachable: 0, agreed: 0, asked: 0 }
    }
}

impl Session {
    /// Whether this session's seat votes: it is a person's, and lives. Bots never do; their machine has one vote.
    pub(super) fn is_voter(&self) -> bool {
        self.seat().is_some_and(|seat| (self.live & self.descriptor.voters()) >> seat & 1 != 0)
    }

    /// Something has happened at the table: what people answered before is past.
    pub(super) fn forget_answers(&mut self) {
        (self.people.agreed, self.people.asked) = (0, 0);
        self.people.thinking.fill(Thinking::default());
    }

    /// When something was last heard of what is due: the last progress, or a seat that is due was thinking.
    pub(super) fn heard_at(&self) -> u64 {
        let due = self.due();
        let thought = due.iter().filter_map(|&seat| self.thought_at(seat));
        thought.fold(self.progress_at, u64::max)
    }

    /// When a seat last said that it is thinking, as far as that still counts.
    fn thought_at(&self, seat: u8) -> Option<u64> {
        let limit = u64::from(self.descriptor.stall_ms);
        let at = self.people.thinking.get(usize::from(seat))?.at?;
        (self.now - self.progress_at < MOST_LIMITS * limit).then_some(at)
    }

    /// Whether a seat that is due is still thinking.
    pub(super) fn is_thinking(&self, seat: u8) -> bool {
        self.thought_at(seat).is_some_and(|at| self.now - at < u64::from(self.descriptor.stall_ms))
    }

    /// The player is there: says so if their seat is to decide.
    pub(super) fn think(&mut self) {
        let Some(seat) = self.seat().filter(|&seat| self.duty(seat).is_some_and(|duty| duty.act)) else {
            return;
        };
        let (Some(phase), false) = (self.waiting_phase(), self.is_over()) else { return };
        let Some(last) = self.people.thinking.get(usize::from(seat)).copied() else { return };
        let pause = u64::from(self.descriptor.stall_ms) / THINKING_PER_LIMIT;
        if self.now - last.at.unwrap_or(self.progress_at) < pause || !self.due().contains(&seat) {
            return;
        }
        let n = last.n + 1;
        self.people.thinking[usize::from(seat)] = Thinking { n, at: Some(self.now) };
        self.say(Saying::Thinking { phase, n });
    }

    /// A seat says that it is thinking. What it said before does not count twice, whoever repeats it.
    pub(super) fn hear_thinking(&mut self, seat: u8, n: u32) {
        let (now, restoring) = (self.now, self.restoring);
        let Some(known) = self.people.thinking.get_mut(usize::from(seat)).filter(|known| n > known.n) else {
            return;
        };
        *known = Thinking { n, at: (!restoring).then_some(now) };
        if self.is_thinking(seat) {
            let machine = self.descriptor.whole_machines(1 << seat);
            self.late &= !machine;
            self.people.asked &= !machine;
            self.people.agreed &= !machine;
        }
    }

    /// A machine is reached, or not any more.
    pub(super) fn reach(&mut self, seat: u8, reachable: bool) {
        if seat < self.descriptor.seats().min(8) {
            self.people.unreachable &= !(1 << seat);
            self.people.unreachable |= u8::from(!reachable) << seat;
        }
    }

    /// Those of these seats, as bits, whose machines are reached by no path.
    pub(super) fn unreachable(&self, seats: u8) -> u8 {
        seats & self.descriptor.whole_machines(self.people.unreachable)
    }

    /// How a seat is absent.
    pub(super) fn lateness(&self, seat: u8) -> Lateness {
        if self.unreachable(1 << seat) == 0 { Lateness::Silent } else { Lateness::Unreachable }
    }

    /// Whether the person at this seat has agreed to drop these seats, as bits, or need not be asked: a seat was proved to
    /// have cheated, or was voted out here before. Else they are asked, once.
    pub(super) fn is_agreed(&mut self, gone: u8) -> bool {
        let voted = self.bound().fold(0, |seats, it| seats | it.gone);
        let open = gone & !self.guilty() & !self.people.agreed & !voted;
        if open == 0 {
            return true;
        }
        if open & !self.people.asked != 0 {
            self.people.asked |= gone;
            let unreachable = self.unreachable(gone);
            self.emit(Output::AskDrop { seats: gone, unreachable });
        }
        false
    }

    /// The person at this seat agrees to drop these seats, as bits, as far as they were asked about them. An answer that
    /// comes after the seat was heard of again is void.
    pub(super) fn agree_to_drop(&mut self, seats: u8) {
        if self.is_voter() {
            self.people.agreed |= self.people.asked & self.descriptor.whole_machines(seats & self.live);
            self.consider_ending();
        }
    }

    /// The person at this seat would rather wait: votes of others for what they were asked about are refused, and the time
    /// limit begins again. A vote that this seat has signed stands.
    pub(super) fn wait_longer(&mut self) {
        if !self.is_voter() || self.is_frozen() {
            return;
        }
        let mine = self.seat().map_or(0, |seat| 1u8 << seat);
        let here = |it: &crate::wire::Without| {
            it.branch == self.branch && it.seq as usize == self.log.len() && it.prev == self.prev
        };
        let votes = self.said.iter().filter_map(|said| said.saying.vote());
        let votes: Vec<_> = votes.filter(|it| here(it) && it.gone & (mine | self.guilty()) == 0).collect();
        votes.into_iter().for_each(|it| self.refuse(it));
        (self.people.agreed, self.people.asked, self.late) = (0, 0, 0);
        self.progress_at = self.now;
    }

    /// The votes that dropped seats so far.
    pub(crate) fn drop_votes(&self) -> Vec<DropVote> {
        let vote = |said: &crate::wire::Said| {
            let it = said.saying.vote()?;
            let unreachable = match said.saying {
                Saying::Drop { unreachable, .. } => unreachable & it.gone,
                _ => 0,
            };
            let settled =
                self.departures.get(usize::from(it.branch)).is_some_and(|(_, gone)| *gone == it.gone)
                    || self.ending == Some(crate::Ending::Without(it.gone));
            settled.then_some(DropVote { by: said.seat, gone: it.gone, unreachable })
        };
        self.said.iter().filter_map(vote).collect()
    }
}
