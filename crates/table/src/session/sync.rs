//! Keeping up: peers tell where they stand, and send each other what the other lacks. So lost messages come again, and
//! who was away catches up with the help of anybody.

use super::{PeerId, Session, To};
use crate::wire::{MAX_LINKS, Message, Saying, Standing};

/// After so many milliseconds without progress a peer asks.
pub(super) const FIRST_WAIT: u64 = 400;
/// And then after twice the time, up to this.
const LONGEST_WAIT: u64 = 5_000;
/// So many bytes are sent in one answer.
const MOST_ANSWER: usize = 512 << 10;

impl Session {
    /// Something was accepted.
    pub(super) fn progressed(&mut self) {
        self.progress_at = self.now;
        self.asked_at = self.now;
        self.ask_after = FIRST_WAIT;
        if self.late != 0 || !self.said.is_empty() {
            // What was late has come: whoever said so was right, and it is over.
            self.late = 0;
            let bound = |saying: &Saying| saying.vote().is_some() || matches!(saying, Saying::Resume(_));
            self.said.retain(|said| bound(&said.saying));
        }
        self.forget_answers();
    }

    pub(super) fn tick(&mut self, now: u64) {
        if self.now == 0 {
            self.progress_at = now;
            self.asked_at = now;
        }
        self.now = self.now.max(now);
        if self.now - self.asked_at >= self.ask_after {
            self.asked_at = self.now;
            self.ask_after = (self.ask_after * 2).min(LONGEST_WAIT);
            let standing = Message::Standing(self.standing(true));
            self.send(To::All, &standing);
            self.settle();
        }
        self.watch_for_stalls();
    }

    pub(super) fn greet(&mut self, peer: PeerId) {
        let standing = Message::Standing(self.standing(true));
        self.send(To::Peer(peer), &standing);
    }

    fn standing(&self, ask: bool) -> Standing {
        let bits = |there: &mut dyn Iterator<Item = bool>| {
            there.enumerate().fold(0u8, |bits, (i, there)| bits | u8::from(there) << i)
        };
        let step = self.step.as_ref();
        Standing {
            keys: bits(&mut self.keys.iter().map(Option::is_some)),
            seals: bits(&mut self.seals.iter().map(Option::is_some)),
            starts: bits(&mut self.starts.iter().map(Option::is_some)),
            branch: self.branch,
            seq: self.log.len() as u32,
            phase: step.map_or(0, |step| step.phase),
            have: step.map_or(0, |step| step.verified.iter().fold(0, |bits, (seat, _)| bits | 1 << seat)),
            prev: self.prev,
            heard: self.heard(),
            ask,
        }
    }

    /// The same for all who know the same statements and the same cheats.
    fn heard(&self) -> u64 {
        self.said.iter().fold(u64::from(self.cheats), |all, said| all ^ said.signature.mark())
    }

    /// Sends a peer what it lacks.
    pub(super) fn answer(&mut self, from: PeerId, theirs: &Standing) {
        let mut lacking = Vec::new();
        for (seat, key) in (0u8..).zip(&self.keys) {
            if let Some((_, body)) = key.as_ref().filter(|_| theirs.keys >> seat & 1 == 0) {
                lacking.push(Message::Keys { seat, body: body.clone() });
            }
        }
        for seals in self.seals.iter().flatten().filter(|seals| theirs.seals >> seals.seat & 1 == 0) {
            lacking.push(Message::Seals(seals.clone()));
        }
        for (seat, start) in (0u8..).zip(&self.starts) {
            if let Some(signature) = start.filter(|_| theirs.starts >> seat & 1 == 0) {
                lacking.push(Message::Start { seat, signature });
            }
        }
        let seq = self.log.len() as u32;
        let open = theirs.prev != [0; 32] && self.prev != [0; 32];
        if open && theirs.branch == self.branch {
            let mine = self.log.get(theirs.seq as usize).map_or(self.prev, |step| step.prev);
            if theirs.seq <= seq && mine != theirs.prev {
                self.send_links(from);
            } else if theirs.seq > seq && theirs.ask {
                lacking.push(Message::Standing(self.standing(false)));
            } else {
                self.lacking_steps(theirs, &mut lacking);
            }
        } else if open && theirs.branch > self.branch && theirs.ask {
            lacking.push(Message::Standing(self.standing(false)));
        }
        if open && (theirs.branch < self.branch || theirs.heard != self.heard()) {
            lacking.extend(self.crimes.iter().map(|(_, proof)| Message::Proof(proof.clone())));
            lacking.extend(self.said.iter().cloned().map(Message::Said));
        }
        // After the signatures, so that they know why the log goes on elsewhere.
        if open && theirs.branch < self.branch && self.link(theirs.seq) == Some(theirs.prev) {
            self.lacking_steps(theirs, &mut lacking);
        }
        for message in lacking {
            self.send(To::Peer(from), &message);
        }
    }

    fn lacking_steps(&self, theirs: &Standing, lacking: &mut Vec<Message>) {
        let mut bytes = 0;
        let closed = self.log.iter().skip(theirs.seq as usize).flat_map(|step| &step.messages);
        let now = self.step.iter().flat_map(|step| &step.got).map(|(message, _)| message);
        for message in closed.chain(now).chain(self.pending.values()) {
            let place = message.place;
            let has = (place.branch, place.seq) == (theirs.branch, theirs.seq)
                && (place.phase < theirs.phase
                    || place.phase == theirs.phase && theirs.have >> place.seat & 1 != 0);
            if has || place.seq < theirs.seq {
                continue;
            }
            bytes += message.payload.len() + 256;
            if bytes > MOST_ANSWER && !lacking.is_empty() {
                return;
            }
            lacking.push(Message::Step(message.clone()));
        }
    }

    /// Tells a peer the links of the last steps, so that the first difference is found.
    pub(super) fn send_links(&mut self, to: PeerId) {
        let first = self.log.len().saturating_sub(MAX_LINKS - 1);
        let mut links: Vec<[u8; 32]> = self.log[first..].iter().map(|step| step.prev).collect();
        links.push(self.prev);
        self.send(To::Peer(to), &Message::Links { branch: self.branch, from: first as u32, links });
    }

    /// Finds the first step in which the histories differ, and sends this peer's originals of it. Whoever signed two
    /// different ones is known then.
    pub(super) fn compare(&mut self, from: PeerId, branch: u16, first: u32, links: &[[u8; 32]]) {
        if branch != self.branch || self.prev == [0; 32] {
            return;
        }
        let mine = |seq: usize| match self.log.get(seq) {
            Some(step) => Some(step.prev),
            None => (seq == self.log.len()).then_some(self.prev),
        };
        let differs =
            |(i, link): (usize, &[u8; 32])| mine(first as usize + i).is_some_and(|own| own != *link);
        let differing = links.iter().enumerate().find(|&(i, link)| differs((i, link)));
        let seq = match differing {
            Some((i, _)) => (first as usize + i).saturating_sub(1),
            None => self.log.len(),
        };
        let messages: Vec<Message> = match self.log.get(seq) {
            Some(step) => step.messages.iter().cloned().map(Message::Step).collect(),
            None => self
                .step
                .iter()
                .flat_map(|step| &step.got)
                .map(|(message, _)| Message::Step(message.clone()))
                .collect(),
        };
        for message in messages {
            self.send(To::Peer(from), &message);
        }
    }
}
