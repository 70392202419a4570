//! How a game ends otherwise than by the rules: stalls, claims, and the signatures of those who remain.

use super::{Output, PeerId, Session, To};
use crate::record::Ending;
use crate::wire::{MAX_CHAT, Message, Said, Saying};

/// So many statements of one seat are kept.
const MOST_SAID: usize = 64;

impl Session {
    /// Signs a statement and sends it to all.
    pub(super) fn say(&mut self, saying: Saying) {
        let Some(me) = self.me.as_ref().filter(|_| !self.restoring) else { return };
        let signature = me.session.sign(&Said::content(&self.id, me.seat, &saying)).into();
        let said = Said { seat: me.seat, saying, signature };
        let message = Message::Said(said.clone());
        // Lines of chat, too: after a crash their numbers go on.
        self.persist_message(&message);
        if !matches!(said.saying, Saying::Chat { .. }) {
            // That a seat is thinking changes its own time limit, and is nothing to agree on.
            if !matches!(said.saying, Saying::Thinking { .. }) && !self.said.contains(&said) {
                self.said.push(said);
            }
        }
        self.send(To::All, &message);
    }

    pub(super) fn chat(&mut self, text: &str) {
        if text.len() > MAX_CHAT {
            return self.emit(Output::Refused("this is too long for a line of chat".into()));
        }
        let Some(last) = self.seat().and_then(|seat| self.chats.get_mut(usize::from(seat))) else { return };
        *last += 1;
        let n = *last;
        self.say(Saying::Chat { n, text: text.to_string() });
    }

    /// Whether a statement is about the place where this peer stands, or counts it out. What is ahead of it is told again when
    /// it gets there.
    pub(super) fn concerns(&self, saying: &Saying) -> bool {
        match saying {
            Saying::Chat { .. } => true,
            Saying::Stall { phase, .. } | Saying::Late { phase, .. } | Saying::Thinking { phase, .. } => {
                self.waiting_phase() == Some(*phase)
            }
            Saying::Claim { prev, .. } => *prev == self.prev,
            Saying::Without(it) | Saying::Drop { without: it, .. } | Saying::Resume(it) => {
                let out = self.seat().is_some_and(|seat| it.gone >> seat & 1 != 0);
                let here = it.branch == self.branch && self.link(it.seq) == Some(it.prev);
                it.branch <= self.branch && (out || here || self.is_past(it))
            }
        }
    }

    /// A signed statement of another seat.
    pub(super) fn hear_said(&mut self, _from: PeerId, said: Said) {
        match &said.saying {
            Saying::Claim { .. } => {}
            Saying::Chat { n, text } => {
                // A line that was heard before, or an older one, is repeated by somebody.
                let Some(last) = self.chats.get_mut(usize::from(said.seat)) else { return };
                if *n <= *last {
                    return;
                }
                *last = *n;
                // Filtered here, so that no front end can forget it.
                let (seat, text) = (said.seat, printable(text));
                return self.emit(Output::Chat { seat, text });
            }
            Saying::Thinking { n, .. } => return self.hear_thinking(said.seat, *n),
            Saying::Without(it) | Saying::Drop { without: it, .. } => {
                let it = *it;
                // Nobody can vote themselves out, and bots have no vote.
                if (it.gone | !self.descriptor.voters()) >> said.seat & 1 != 0 {
                    return;
                }
                if self.is_past(&it) {
                    self.refuse(it);
                }
                // Old branches are settled; except for those who have not heard yet that they are out.
                let me = self.seat().map_or(0, |seat| 1u8 << seat);
                if it.branch < self.branch && it.gone & me == 0 {
                    return;
                }
            }
            Saying::Stall { .. } | Saying::Late { .. } | Saying::Resume(_) => {}
        }
        // An honest seat has little to say.
        if self.said.iter().filter(|other| other.seat == said.seat).count() < MOST_SAID {
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
            } else if !duty.stands.is_empty() {
                "its shares of the keys of a seat that is gone"
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
        let mut due = self.due();
        if self.is_frozen() {
            due.extend(self.unsigned());
        }
        due.retain(|&seat| Some(seat) != me && (self.prev == [0; 32] || self.live >> seat & 1 != 0));
        due.retain(|&seat| !self.is_thinking(seat));
        let phase = self.waiting_phase();
        for &seat in due.iter().filter(|&&seat| self.late >> seat & 1 == 0).collect::<Vec<_>>() {
            self.late |= 1 << seat;
            let (owes, how) = (self.owes(seat), self.lateness(seat));
            self.emit(Output::Stalled { seat, owes, how });
            if let Some(phase) = phase.filter(|_| self.is_voter()) {
                self.say(Saying::Late { phase, accused: seat, how });
            }
        }
        self.consider_ending();
    }

    /// The survivors who have not signed what this seat has signed last.
    fn unsigned(&self) -> Vec<u8> {
        let Some(mine) = self.bound().last() else { return Vec::new() };
        let signed = self.signers(|s| s.vote() == Some(mine));
        (0..8).filter(|seat| (self.holders() & !mine.gone & !signed) >> seat & 1 != 0).collect()
    }

    /// What a seat that stalls is late with: the phase, or the step before whose header is missing.
    pub(super) fn waiting_phase(&self) -> Option<[u8; 32]> {
        let step = self.step.as_ref()?;
        Some(Self::phase_id(step).map_or(self.prev, |id| id.0))
    }

    /// The player does not wait any longer.
    pub(super) fn give_up(&mut self) {
        if !self.is_over() {
            if self.late != 0 && self.prev != [0; 32] {
                self.say(Saying::Claim { prev: self.prev, gone: self.late });
            }
            self.finish(Ending::Claimed(self.late));
        }
    }

    /// The seats that have ended the game at the end of this log because others are late, and for whom, as bits.
    pub fn claims(&self) -> Vec<(u8, u8)> {
        let claim = |said: &Said| match said.saying {
            Saying::Claim { prev, gone } if prev == self.prev => Some((said.seat, gone)),
            _ => None,
        };
        let claims = self.said.iter().filter_map(claim);
        claims.filter(|(seat, gone)| (self.live & !gone) >> seat & 1 != 0).collect()
    }

    pub(super) fn finish(&mut self, ending: Ending) {
        if self.ending.is_none() {
            self.ending = Some(ending);
            self.unask();
            let record = Box::new(self.record());
            self.emit(Output::Over(record));
        }
    }
}

/// The text without control characters, which would reach a terminal as escape sequences, and without the Unicode
/// directional overrides, which would display it in another order than it was written.
pub fn printable(text: &str) -> String {
    let is_override =
        |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}');
    text.chars().filter(|&c| !c.is_control() && !is_override(c)).collect()
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn a_text_of_another_seat_cannot_drive_a_terminal() {
        assert_eq!(printable("a\u{1b}[2J\u{7}b\u{9b}1mc\n"), "a[2Jb1mc");
        assert_eq!(printable("\u{202e}drawkcab\u{2069} Ünïcode 👑"), "drawkcab Ünïcode 👑");
    }
}
