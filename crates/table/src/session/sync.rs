//! Keeping up: peers tell where they stand, and send each other what the other lacks. So lost messages come again, and
//! who was away catches up with the help of anybody.

use super::limits::Request;
use super::{Output, PeerId, Session, To};
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

    /// Sends a peer what it asked for: once a second, and as many bytes as its budget allows. The rest is for another
    /// request.
    fn reply(&mut self, to: PeerId, request: Request, messages: impl IntoIterator<Item = Message>) {
        if self.restoring || !self.limits.is_new(to, request, self.now) {
            return;
        }
        for (i, message) in messages.into_iter().enumerate() {
            let bytes = message.encode(&self.id);
            if !self.limits.spend(to, bytes.len(), self.now) {
                return;
            }
            if i == 0 {
                self.limits.answer(to, request, self.now);
            }
            self.out.push(Output::Send { to: To::Peer(to), bytes });
        }
    }

    /// Sends a peer what it lacks.
    pub(super) fn answer(&mut self, from: PeerId, theirs: &Standing) {
        let have = [theirs.have, theirs.keys, theirs.seals, theirs.starts];
        let request = Request::Lacking { branch: theirs.branch, seq: theirs.seq, phase: theirs.phase, have };
        if !self.limits.is_new(from, request, self.now) {
            return;
        }
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
        self.reply(from, request, lacking);
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
        let (branch, seq) = (self.branch, self.log.len() as u32);
        let links = Message::Links { branch, from: first as u32, links };
        self.reply(to, Request::Links { branch, seq }, [links]);
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
        self.reply(from, Request::Originals { branch, seq: seq as u32 }, messages);
    }
}

#[cfg(test)]
mod tests {
    use super::super::limits::{ANSWER_BURST, ANSWER_RATE, FAULT_BURST, IGNORED_MS};
    use super::super::testbed::Testbed;
    use super::*;
    use crate::session::Input;

    /// Bytes that a session sends to a peer.
    fn sent(outputs: &[Output], peer: PeerId) -> u64 {
        let sent = outputs.iter().map(|output| match output {
            Output::Send { to: To::Peer(to), bytes } if *to == peer => bytes.len() as u64,
            _ => 0,
        });
        sent.sum()
    }

    /// A request for everything since the start, as anybody can send it who has the link.
    fn request(session: &Session, seq: u32, phase: u8) -> Vec<u8> {
        let standing = Standing {
            keys: 0xff,
            seals: 0xff,
            starts: 0xff,
            branch: 0,
            seq,
            phase,
            have: 0,
            prev: session.link(seq).unwrap(),
            heard: session.heard(),
            ask: true,
        };
        Message::Standing(standing).encode(&session.id)
    }

    #[test]
    fn repeated_requests_for_the_log_get_a_bounded_number_of_bytes() {
        let mut bed = Testbed::new("ozymandias", 3, 1);
        bed.play(60);
        let session = &mut bed.sessions[0];
        let (watcher, other, seconds) = (77, 78, 60u64);
        let ask = request(session, 0, 0);
        let first = session.handle(Input::Message { from: watcher, bytes: &ask });
        assert!(sent(&first, watcher) > 30_000, "the log is long: {} bytes", sent(&first, watcher));
        assert_eq!(sent(&session.handle(Input::Message { from: watcher, bytes: &ask }), watcher), 0);
        // The same request, and all that differ a little, a hundred times a second.
        let (mut asked, mut got) = (ask.len() as u64, sent(&first, watcher));
        for now_ms in (1..seconds * 1000).step_by(10) {
            session.handle(Input::Tick { now_ms });
            let seq = (now_ms / 10 % 40) as u32;
            let ask = request(session, seq, (now_ms % 3) as u8);
            let out = session.handle(Input::Message { from: watcher, bytes: &ask });
            (asked, got) = (asked + ask.len() as u64, got + sent(&out, watcher));
        }
        let most = ANSWER_BURST + seconds * ANSWER_RATE;
        assert!(got <= most, "{got} bytes for {asked}, at most {most}");
        assert!(got > ANSWER_BURST, "a peer that lags is sent more than the burst: {got}");
        // It costs nobody else anything.
        let ask = request(session, 0, 0);
        assert_eq!(
            sent(&session.handle(Input::Message { from: other, bytes: &ask }), other),
            sent(&first, watcher)
        );
    }

    #[test]
    fn links_that_differ_are_answered_within_the_same_budget() {
        let mut bed = Testbed::new("ozymandias", 3, 1);
        bed.play(60);
        let session = &mut bed.sessions[0];
        let (from, mut got) = (77, 0);
        for i in 0..3000u32 {
            // A link that this peer has otherwise: it sends its originals of the step before.
            let (seq, links) = (1 + i % 50, vec![[i as u8; 32]]);
            let bytes = Message::Links { branch: 0, from: seq, links }.encode(&session.id);
            got += sent(&session.handle(Input::Message { from, bytes: &bytes }), from);
        }
        assert!(got > 0 && got <= ANSWER_BURST, "{got}");
    }

    #[test]
    fn a_peer_that_lags_catches_up_from_the_start() {
        let mut bed = Testbed::new("ozymandias", 3, 2);
        bed.play(80);
        // All that seat 1 has forgotten, but for its keys.
        let head = bed.sessions[1].head();
        let mut watcher = Session::watch(bed.game, bed.descriptor.clone()).unwrap();
        let helper = &mut bed.sessions[0];
        let mut now_ms = 1;
        while watcher.events() < helper.events() && now_ms < 60_000 {
            now_ms += 100;
            for output in watcher.handle(Input::Tick { now_ms }) {
                let Output::Send { bytes, .. } = output else { continue };
                for output in helper.handle(Input::Message { from: 9, bytes: &bytes }) {
                    let Output::Send { bytes, .. } = output else { continue };
                    watcher.handle(Input::Message { from: 0, bytes: &bytes });
                }
            }
            helper.handle(Input::Tick { now_ms });
        }
        assert_eq!(watcher.head(), head);
    }

    #[test]
    fn who_sends_garbage_is_ignored_for_a_while_and_others_are_heard() {
        let mut bed = Testbed::new("leduc", 2, 1);
        bed.play(4);
        let session = &mut bed.sessions[0];
        session.handle(Input::Tick { now_ms: 1 });
        let rejected = |outputs: Vec<Output>| outputs.iter().any(|o| matches!(o, Output::Rejected { .. }));
        let mut heard = 0;
        for _ in 0..10 * FAULT_BURST {
            heard += u64::from(rejected(session.handle(Input::Message { from: 5, bytes: b"garbage" })));
        }
        assert_eq!(heard, FAULT_BURST + 1);
        let ask = request(session, 0, 0);
        assert_eq!(sent(&session.handle(Input::Message { from: 5, bytes: &ask }), 5), 0, "it is ignored");
        assert!(sent(&session.handle(Input::Message { from: 6, bytes: &ask }), 6) > 0);
        session.handle(Input::Tick { now_ms: 1 + IGNORED_MS });
        assert!(sent(&session.handle(Input::Message { from: 5, bytes: &ask }), 5) > 0, "it is heard again");
    }

    #[test]
    fn early_messages_of_one_seat_do_not_keep_out_those_of_others() {
        let mut bed = Testbed::new("ozymandias", 3, 3);
        bed.play(20);
        let mut flood = Vec::new();
        {
            let [receiver, flooder, honest] = &mut bed.sessions[..] else { return };
            let seq = receiver.events();
            for (phase, ahead) in [u8::MAX, 3, 2].iter().flat_map(|&phase| (1..=512).map(move |i| (phase, i)))
            {
                flood.push(flooder.early(seq + ahead, phase));
            }
            // Every message comes from somebody else, so that nobody is ignored for it.
            for (from, bytes) in (100..).zip(&flood) {
                for output in receiver.handle(Input::Message { from, bytes }) {
                    assert!(!matches!(output, Output::Evidence(_) | Output::Broken(_)));
                }
            }
            let kept = |session: &Session, seat: u8| {
                session.pending.values().filter(|signed| signed.place.seat == seat).count()
            };
            assert!(kept(receiver, 1) <= 1024 / 3);
            assert!(
                receiver.pending.values().all(|signed| signed.place.phase < 4),
                "no step has so many phases"
            );
            // An honest seat that is ahead is still kept.
            for ahead in 1..=100 {
                let bytes = honest.early(seq + ahead, 0);
                receiver.handle(Input::Message { from: 2, bytes: &bytes });
            }
            assert_eq!(kept(receiver, 2), 100);
        }
    }
}
