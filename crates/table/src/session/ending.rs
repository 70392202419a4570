//! How a game ends otherwise than by the rules: stalls, claims, and the signatures of those who remain.

use super::{Output, PeerId, Session, To};
use crate::record::Ending;
use crate::wire::{MAX_CHAT, Message, Said, Saying};

impl Session {
    /// Signs a statement and sends it to all.
    fn say(&mut self, saying: Saying) {
        let Some(me) = &self.me else { return };
        let signature = me.session.sign(&Said::content(&self.id, me.seat, &saying)).into();
        let said = Said { seat: me.seat, saying, signature };
        let message = Message::Said(said.clone());
        if !matches!(said.saying, Saying::Chat { .. }) {
            self.persist_message(&message);
            self.said.push(said);
        }
        self.send(To::All, &message);
    }

    pub(super) fn chat(&mut self, text: &str) {
        if text.len() > MAX_CHAT {
            return self.emit(Output::Refused("this is too long for a line of chat".into()));
        }
        self.chats += 1;
        self.say(Saying::Chat { n: self.chats, text: text.to_string() });
    }

    /// A signed statement of another seat.
    pub(super) fn hear_said(&mut self, _from: PeerId, said: Said) {
        match &said.saying {
            Saying::Chat { text, .. } => {
                let (seat, text) = (said.seat, text.clone());
                return self.emit(Output::Chat { seat, text });
            }
            Saying::Without { branch, seq, gone, .. } => {
                // Nobody can sign himself out, and old branches are settled.
                if *branch != self.branch || gone >> said.seat & 1 != 0 || *seq > self.log.len() as u32 + 1 {
                    return;
                }
            }
            Saying::Stall { .. } | Saying::Resume { .. } => {}
        }
        if self.said.len() < 1024 {
            self.persist_message(&Message::Said(said.clone()));
            self.said.push(said);
        }
        self.consider_ending();
    }

    /// What a seat owes, in words.
    fn owes(&self, seat: u8) -> String {
        let what = self.duty(seat).map_or("its keys or its signature of the start", |duty| {
            if duty.act {
                "its move"
            } else if duty.dice {
                "its part of a roll"
            } else if duty.mix {
                "its shuffle"
            } else if duty.close {
                "its signature of the result"
            } else {
                "its part of a revelation"
            }
        });
        what.to_string()
    }

    /// After the table's time limit whoever is due is said to stall.
    pub(super) fn watch_for_stalls(&mut self) {
        let limit = u64::from(self.descriptor.stall_ms);
        if self.is_over() || self.now - self.progress_at < limit {
            return;
        }
        let me = self.seat();
        let due: Vec<u8> = self.due().into_iter().filter(|&seat| Some(seat) != me).collect();
        let phase = self.waiting_phase();
        for &seat in due.iter().filter(|&&seat| self.late >> seat & 1 == 0).collect::<Vec<_>>() {
            self.late |= 1 << seat;
            let owes = self.owes(seat);
            self.emit(Output::Stalled { seat, owes });
            if let Some(phase) = phase {
                self.say(Saying::Stall { phase, accused: seat });
            }
        }
        self.consider_ending();
    }

    /// What a seat that stalls is late with: the phase, or the step before whose header is missing.
    fn waiting_phase(&self) -> Option<[u8; 32]> {
        let step = self.step.as_ref()?;
        Some(Self::phase_id(step).map_or(self.prev, |id| id.0))
    }

    /// The seats that have signed a statement, as bits.
    fn signers(&self, is: impl Fn(&Saying) -> bool) -> u8 {
        self.said.iter().filter(|said| is(&said.saying)).fold(0, |bits, said| bits | 1 << said.seat)
    }

    /// The seats that are out: proved to have cheated, or said to stall by all others who answer, a majority.
    fn out(&self) -> u8 {
        let mut out = self.cheats & self.live;
        let Some(phase) = self.waiting_phase() else { return out };
        let late = self.late & self.live;
        let patient = self.now - self.progress_at < 2 * u64::from(self.descriptor.stall_ms);
        for seat in (0..8).filter(|seat| late >> seat & 1 != 0) {
            let signed = self.live & self.signers(|s| *s == Saying::Stall { phase, accused: seat });
            let silent = self.live & !late & !signed;
            // Who neither says so nor brings the message in time is out as well.
            let answered = silent == 0 || !patient;
            if answered && 2 * signed.count_ones() > self.live.count_ones() {
                out |= silent | 1 << seat;
            }
        }
        out
    }

    /// Whether the game goes on without somebody, or ends; and what this seat has to sign for that.
    pub(super) fn consider_ending(&mut self) {
        if self.is_over() || self.prev == [0; 32] {
            return;
        }
        let (branch, seq, prev) = (self.branch, self.log.len() as u32, self.prev);
        let gone = self.out();
        let me = self.seat().map_or(0, |seat| 1u8 << seat);
        if gone != 0 && gone & me == 0 {
            let saying = Saying::Without { prev, branch, seq, gone };
            if me != 0 && self.signers(|s| *s == saying) & me == 0 {
                self.say(saying);
            }
        }
        // All survivors have signed the same: it is done.
        let mut proposals: Vec<u8> = Vec::new();
        for said in &self.said {
            if let Saying::Without { branch: of, gone, .. } = said.saying
                && of == branch
                && !proposals.contains(&gone)
            {
                proposals.push(gone);
            }
        }
        for gone in proposals {
            let agrees = |s: &Saying| matches!(s, Saying::Without { branch: of, gone: g, .. } if *of == branch && *g == gone);
            let signed = self.signers(agrees);
            let survivors = self.live & !gone;
            if survivors != 0 && signed & survivors == survivors {
                self.without(gone);
                return;
            }
        }
    }

    /// The survivors have agreed.
    fn without(&mut self, gone: u8) {
        self.finish(Ending::Without(gone));
    }

    /// The player does not wait any longer.
    pub(super) fn give_up(&mut self) {
        if !self.is_over() {
            self.finish(Ending::Claimed(self.late));
        }
    }

    pub(super) fn finish(&mut self, ending: Ending) {
        if self.ending.is_none() {
            self.ending = Some(ending);
            let record = Box::new(self.record());
            self.emit(Output::Over(record));
        }
    }
}
