//! Chat between the seats of a table. Lines are signed and numbered by their authors, and are not part of the log.

use super::{PeerSession, SessionEvent};
use crate::wire::{MAX_CHAT, Statement};

impl PeerSession {
    /// Signs a line of chat of this seat with the next number, stores it and sends it to all; no effect for a
    /// spectator. Emits no `Chat`, which only other peers do. A line of more than [`MAX_CHAT`] bytes is not
    /// sent and emits `Refused`.
    pub(super) fn send_chat(&mut self, text: &str) {
        if text.len() > MAX_CHAT {
            return self.emit(SessionEvent::Refused("this is too long for a line of chat".into()));
        }
        let seat = self.seat();
        let Some(last) = seat.and_then(|seat| self.sync.chat_numbers.get_mut(usize::from(seat))) else {
            return;
        };
        *last += 1;
        let n = *last;
        self.broadcast(Statement::Chat { n, text: text.to_string() });
    }

    /// Emits `Chat` with a line of a seat, made [`printable`], and notes its number `n`, which its author gave
    /// it. Drops the line if it or a later one of that seat came before, or its seat is above 7. A line that is
    /// read from the store is only noted. The caller has checked the signature.
    pub(super) fn take_chat(&mut self, seat: u8, n: u32, text: &str) {
        let Some(last) = self.sync.chat_numbers.get_mut(usize::from(seat)).filter(|last| n > **last) else {
            return;
        };
        *last = n;
        // Filtered here, so that no front end can forget it.
        self.emit(SessionEvent::Chat { seat, text: printable(text) });
    }
}

/// Returns the text without control characters (line breaks and tabs, too), which would reach a terminal as escape
/// sequences, and without the Unicode controls of the writing direction (embeddings, overrides, isolates and marks),
/// which would display it in another order than it was written.
pub fn printable(text: &str) -> String {
    let is_override =
        |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}');
    text.chars().filter(|&c| !c.is_control() && !is_override(c)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testbed::Testbed;
    use super::super::{Input, SessionEvent, SessionOutput, SessionRequest};
    use super::printable;

    /// A text that drives a terminal, and the harmless rest of it.
    const HOSTILE: &str = "a\u{1b}[2J\u{7}b\u{9b}1mc\n\u{202e}drawkcab\u{2069} Ünïcode 👑";
    const HARMLESS: &str = "a[2Jb1mcdrawkcab Ünïcode 👑";

    /// Returns the messages in the outputs of a session.
    fn sent(outputs: Vec<SessionOutput>) -> Vec<Vec<u8>> {
        let bytes = |output| match output {
            SessionOutput::Request(SessionRequest::Send { bytes, .. }) => Some(bytes),
            _ => None,
        };
        outputs.into_iter().filter_map(bytes).collect()
    }

    #[test]
    fn a_text_of_another_seat_cannot_drive_a_terminal() {
        assert_eq!(printable(HOSTILE), HARMLESS);
        let mut bed = Testbed::new("kuhn", 2, 1);
        bed.play(2);
        // A line of chat.
        let mut shown = Vec::new();
        for bytes in sent(bed.sessions[0].handle(Input::Chat(HOSTILE))) {
            for output in bed.sessions[1].handle(Input::Message { from: 0, bytes: &bytes }) {
                if let SessionOutput::Event(SessionEvent::Chat { seat, text }) = output {
                    shown.push((seat, text));
                }
            }
        }
        assert_eq!(shown, [(0, HARMLESS.to_string())]);
        // An action that does not exist: the reason for which it is wrong may quote it.
        let actor = bed.sessions.iter().position(|session| session.due() == [session.seat().unwrap()]);
        let actor = actor.unwrap();
        let text = bed.sessions[actor].position().legal().unwrap()[0].canonical.clone();
        let mut reasons = Vec::new();
        for bytes in sent(bed.sessions[actor].handle(Input::Choose(&text))) {
            let Some(bytes) = bed.sessions[actor].rewritten(&bytes, Some(HOSTILE), None) else { continue };
            for output in bed.sessions[1 - actor].handle(Input::Message { from: actor as u32, bytes: &bytes })
            {
                if let SessionOutput::Event(SessionEvent::Evidence(evidence)) = output {
                    reasons.push(evidence.crime.to_string());
                    reasons.push(evidence.judge(bed.game).unwrap().what);
                }
            }
        }
        assert_eq!(reasons.len(), 2, "the action is evidence");
        for reason in reasons {
            assert_eq!(reason, printable(&reason));
        }
    }
}
