//! Anti-entropy: peers tell each other their progress and send what the other lacks. This repeats lost messages,
//! and a peer that was away catches up with the help of any other.

use super::limits::{Limits, Request};
use super::pending::Pending;
use super::{PeerNumber, PeerSession, Recipient, SessionRequest};
use crate::wire::{MAX_LINKS, Message, Signed, Standing};
use pentarchy_engine::{Seat, SeatSet};
use std::collections::BTreeMap;

/// Milliseconds without progress after which a peer asks the others. The wait doubles with every request.
const FIRST_WAIT: u64 = 400;
/// Upper bound of the wait in milliseconds.
const LONGEST_WAIT: u64 = 5_000;
/// Bytes after which an answer is cut off; the rest needs another request.
const MAX_ANSWER: usize = 512 << 10;
/// Maximum number of steps that a contribution in an answer may be ahead of this peer's log. What is further ahead is useful to
/// nobody yet, and a seat that signs many early contributions would make all peers send them to each other over and over.
const MAX_AHEAD_IN_ANSWER: u32 = 8;
/// Peers whose progress is remembered.
const MAX_STANDINGS: usize = 64;

/// Time, retries, and what other peers sent too early or asked for too often.
pub(super) struct Sync {
    /// The time of the last tick, in milliseconds.
    pub(super) now: u64,
    /// When the last contribution was accepted, or the timer of the absence votes was restarted.
    pub(super) progress_at: u64,
    /// When this peer last asked the others.
    asked_at: u64,
    /// Milliseconds after which it asks again.
    ask_after: u64,
    /// Contributions to later steps and phases.
    pub(super) pending: Pending,
    pub(super) limits: Limits,
    /// By peer: the last progress that it sent.
    pub(super) standings: BTreeMap<PeerNumber, Standing>,
    /// By seat: the number of its last line of chat.
    pub(super) chat_numbers: [u32; 8],
}

impl Default for Sync {
    /// Returns the state at time 0: nothing was asked, kept or answered.
    fn default() -> Self {
        Sync {
            now: 0,
            progress_at: 0,
            asked_at: 0,
            ask_after: FIRST_WAIT,
            pending: Pending::default(),
            limits: Limits::default(),
            standings: BTreeMap::new(),
            chat_numbers: [0; 8],
        }
    }
}

impl Sync {
    /// Restarts the timeouts of seats and the wait for the next request, which is [`FIRST_WAIT`] again. Called
    /// when a message was accepted or a phase has ended.
    fn restart(&mut self) {
        (self.progress_at, self.asked_at, self.ask_after) = (self.now, self.now, FIRST_WAIT);
    }

    /// Advances the clock to `now` (milliseconds), which never goes backwards; the first call starts all
    /// waits. Returns whether it is time to ask the others; then the next wait is twice as long, up to
    /// [`LONGEST_WAIT`].
    fn advance(&mut self, now: u64) -> bool {
        if self.now == 0 {
            (self.progress_at, self.asked_at) = (now, now);
        }
        self.now = self.now.max(now);
        let is_due = self.now - self.asked_at >= self.ask_after;
        if is_due {
            self.asked_at = self.now;
            self.ask_after = (self.ask_after * 2).min(LONGEST_WAIT);
        }
        is_due
    }
}

impl PeerSession {
    /// Restarts all timeouts and the wait for the next request to others. Forgets which seats are late, the
    /// reports of late seats, signs of activity, and what the player was asked about late seats. Call it when
    /// the table has made progress: a message was accepted, or a phase or step has ended.
    pub(super) fn progressed(&mut self) {
        self.sync.restart();
        self.absence.restart();
    }

    /// Advances the clock to `now` (milliseconds), never back. If nothing has come for a while, sends this
    /// peer's progress to all, which asks them for what it lacks, and verifies the unverified shuffles. Fires
    /// the timeouts that are due.
    pub(super) fn tick(&mut self, now: u64) {
        if self.sync.advance(now) {
            let standing = Message::Standing(self.standing(true));
            self.send(Recipient::All, &standing);
            self.verify_shuffles();
        }
        self.check_timeouts();
    }

    /// Sends this peer's progress to `peer`, to whom a connection has come up, and asks for what this peer
    /// lacks. No effect while a stored session is restored.
    pub(super) fn greet(&mut self, peer: PeerNumber) {
        let standing = Message::Standing(self.standing(true));
        self.send(Recipient::Peer(peer), &standing);
    }

    /// Returns this peer's progress for another peer: the parts of the opening that it has, its place in the
    /// log, whose contributions to the phase under way have been accepted, the head, and a checksum of
    /// statements. `ask` says whether it requests an answer.
    pub(super) fn standing(&self, ask: bool) -> Standing {
        /// Returns the seats whose item is present.
        fn seats_with<T>(list: &[Option<T>]) -> SeatSet {
            (0..).zip(list).filter(|(_, item)| item.is_some()).map(|(seat, _)| Seat(seat)).collect()
        }
        let step = self.step.as_ref();
        let given = step.map(|step| step.verified.iter().map(|(seat, _)| Seat(*seat)).collect());
        Standing {
            keys: seats_with(&self.opening.keys),
            seals: seats_with(&self.opening.seals),
            starts: seats_with(&self.opening.starts),
            epoch: self.log.epoch(),
            seq: self.log.len(),
            phase: step.map_or(0, |step| step.phase),
            have: given.unwrap_or_default(),
            prev: self.log.head,
            heard: self.heard(),
            ask,
        }
    }

    /// Returns a checksum of the statements that this peer keeps and of the seats that are proved to have
    /// cheated. It is equal for peers that have the same ones, in any order. Peers with different ones may
    /// have equal checksums by chance.
    pub(super) fn heard(&self) -> u64 {
        self.absence
            .statements
            .iter()
            .fold(u64::from(self.misconduct.seats.0), |all, signed| all ^ signed.signature.mark())
    }

    /// Answers a request with as many of the messages as the budget of the peer allows, in order. The rest
    /// needs another request. No effect if the peer got an answer to an equal request within the last second,
    /// and while a stored session is restored.
    fn reply(&mut self, to: PeerNumber, request: Request, messages: impl IntoIterator<Item = Message>) {
        if self.storage.is_restoring() || !self.sync.limits.is_new(to, request, self.sync.now) {
            return;
        }
        for (i, message) in messages.into_iter().enumerate() {
            let bytes = message.encode(&self.id);
            if !self.sync.limits.spend(to, bytes.len(), self.sync.now) {
                return;
            }
            if i == 0 {
                self.sync.limits.note_answer(to, request, self.sync.now);
            }
            self.request(SessionRequest::Send { to: Recipient::Peer(to), bytes });
        }
    }

    /// Notes the progress `theirs` of a peer, of at most [`MAX_STANDINGS`] peers, and sends the peer what it
    /// lacks: parts of the opening, contributions, statements and proofs; or this peer's links if the
    /// histories differ. If the other is ahead and asks, sends this peer's progress instead. Sends as much as
    /// the budget of the peer allows, and nothing if an equal request was answered within the last second.
    pub(super) fn answer(&mut self, from: PeerNumber, theirs: &Standing) {
        if self.sync.standings.len() < MAX_STANDINGS || self.sync.standings.contains_key(&from) {
            self.sync.standings.insert(from, theirs.clone());
        }
        let have = [theirs.have, theirs.keys, theirs.seals, theirs.starts];
        let request = Request::Lacking { epoch: theirs.epoch, seq: theirs.seq, phase: theirs.phase, have };
        if !self.sync.limits.is_new(from, request, self.sync.now) {
            return;
        }
        let mut lacking = Vec::new();
        self.lacking_opening(theirs, &mut lacking);
        let seq = self.log.len();
        let open = theirs.prev != [0; 32] && self.log.is_open();
        if open && theirs.epoch == self.log.epoch() {
            let mine = self.log.steps.get(theirs.seq as usize).map_or(self.log.head, |step| step.prev);
            if theirs.seq <= seq && mine != theirs.prev {
                self.send_links(from);
            } else if theirs.seq > seq && theirs.ask {
                lacking.push(Message::Standing(self.standing(false)));
            } else {
                self.lacking_steps(theirs, MAX_ANSWER, MAX_AHEAD_IN_ANSWER, &mut lacking);
            }
        } else if open && theirs.epoch > self.log.epoch() && theirs.ask {
            lacking.push(Message::Standing(self.standing(false)));
        }
        if open && (theirs.epoch < self.log.epoch() || theirs.heard != self.heard()) {
            self.lacking_statements(&mut lacking);
        }
        // After the signatures, so that they know why the log goes on elsewhere.
        if open && theirs.epoch < self.log.epoch() && self.log.link(theirs.seq) == Some(theirs.prev) {
            self.lacking_steps(theirs, MAX_ANSWER, MAX_AHEAD_IN_ANSWER, &mut lacking);
        }
        self.reply(from, request, lacking);
    }

    /// Appends to `lacking` the parts of the opening that this peer has and a peer with the progress `theirs`
    /// lacks.
    pub(super) fn lacking_opening(&self, theirs: &Standing, lacking: &mut Vec<Message>) {
        for (seat, key) in (0u8..).zip(&self.opening.keys) {
            if let Some((_, body)) = key.as_ref().filter(|_| !theirs.keys.has(Seat(seat))) {
                lacking.push(Message::Keys { seat, body: body.clone() });
            }
        }
        for seals in self.opening.seals.iter().flatten().filter(|seals| !theirs.seals.has(Seat(seals.seat))) {
            lacking.push(Message::Seals(seals.clone()));
        }
        for (seat, start) in (0u8..).zip(&self.opening.starts) {
            if let Some(signature) = start.filter(|_| !theirs.starts.has(Seat(seat))) {
                lacking.push(Message::Start { seat, signature });
            }
        }
    }

    /// Appends to `lacking` all proofs of cheating and all statements that this peer keeps, also if the other
    /// has them.
    pub(super) fn lacking_statements(&self, lacking: &mut Vec<Message>) {
        lacking.extend(self.misconduct.proofs.iter().map(|(_, proof)| Message::Proof(proof.clone())));
        lacking.extend(self.absence.statements.iter().cloned().map(Message::Statement));
    }

    /// Appends to `lacking` the contributions that a peer with the progress `theirs` lacks, in order, those
    /// included that this peer keeps for later, at most `ahead` steps ahead of its log. Stops after about `most`
    /// bytes, but not while `lacking` is empty. The histories must agree up to `theirs.seq`: this is not checked.
    pub(super) fn lacking_steps(
        &self,
        theirs: &Standing,
        most: usize,
        ahead: u32,
        lacking: &mut Vec<Message>,
    ) {
        let mut bytes = 0;
        let is_near = |kept: &&Signed| kept.place.seq.saturating_sub(self.log.len()) <= ahead;
        let closed = self.log.steps.iter().skip(theirs.seq as usize).flat_map(|step| &step.messages);
        let now = self.step.iter().flat_map(|step| &step.got).map(|(message, _)| message);
        for message in closed.chain(now).chain(self.sync.pending.values().filter(is_near)) {
            let place = message.place;
            let has = (place.epoch, place.seq) == (theirs.epoch, theirs.seq)
                && (place.phase < theirs.phase
                    || place.phase == theirs.phase && theirs.have.has(Seat(place.seat)));
            if has || place.seq < theirs.seq {
                continue;
            }
            bytes += message.payload.len() + 256;
            if bytes > most && !lacking.is_empty() {
                return;
            }
            lacking.push(Message::Step(message.clone()));
        }
    }

    /// Sends a peer the last links of this log (the hashes before each step and the head), at most
    /// [`MAX_LINKS`], so that it finds the first step in which the logs differ. Sends nothing if the budget of
    /// the peer is used up, if it got the same links within the last second, and while a stored session is
    /// restored.
    pub(super) fn send_links(&mut self, to: PeerNumber) {
        let first = self.log.steps.len().saturating_sub(MAX_LINKS - 1);
        let mut links: Vec<[u8; 32]> = self.log.steps[first..].iter().map(|step| step.prev).collect();
        links.push(self.log.head);
        let (epoch, seq) = (self.log.epoch(), self.log.len());
        let links = Message::Links { epoch, from: first as u32, links };
        self.reply(to, Request::Links { epoch, seq }, [links]);
    }

    /// Finds the first step in which this log differs from that of the peer `from`, which sent its `links` from
    /// step `first` on, and sends that peer all contributions that this log has to the step. If none differs,
    /// it is the step under way. A seat that has signed two different contributions is then proved to have
    /// cheated. Sends within the budget of the peer. Ignores links of another epoch, and all before the table is
    /// open.
    pub(super) fn compare(&mut self, from: PeerNumber, epoch: u16, first: u32, links: &[[u8; 32]]) {
        if epoch != self.log.epoch() || !self.log.is_open() {
            return;
        }
        let seq = self.log.first_difference(first, links);
        let messages: Vec<Message> = match self.log.steps.get(seq as usize) {
            Some(step) => step.messages.iter().cloned().map(Message::Step).collect(),
            None => self
                .step
                .iter()
                .flat_map(|step| &step.got)
                .map(|(message, _)| Message::Step(message.clone()))
                .collect(),
        };
        self.reply(from, Request::Originals { epoch, seq }, messages);
    }
}

#[cfg(test)]
mod tests {
    use super::super::limits::{ANSWER_BURST, ANSWER_RATE, FAULT_BURST, IGNORED_MS};
    use super::super::testbed::Testbed;
    use super::*;
    use crate::session::{Input, SessionEvent, SessionOutput};

    /// Bytes that a session sends to a peer.
    fn sent(outputs: &[SessionOutput], peer: PeerNumber) -> u64 {
        let sent = outputs.iter().map(|output| match output {
            SessionOutput::Request(SessionRequest::Send { to: Recipient::Peer(to), bytes })
                if *to == peer =>
            {
                bytes.len() as u64
            }
            _ => 0,
        });
        sent.sum()
    }

    /// A request for everything since the start. It needs no more than the link.
    fn request(session: &PeerSession, seq: u32, phase: u8) -> Vec<u8> {
        let standing = Standing {
            keys: SeatSet(0xff),
            seals: SeatSet(0xff),
            starts: SeatSet(0xff),
            epoch: 0,
            seq,
            phase,
            have: SeatSet::NONE,
            prev: session.log.link(seq).unwrap(),
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
        // This request and similar ones, a hundred times a second.
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
        // The budget of other peers is untouched.
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
            let bytes = Message::Links { epoch: 0, from: seq, links }.encode(&session.id);
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
        let mut watcher = PeerSession::watch(bed.game, bed.descriptor.clone()).unwrap();
        let helper = &mut bed.sessions[0];
        let mut now_ms = 1;
        while watcher.events() < helper.events() && now_ms < 60_000 {
            now_ms += 100;
            for output in watcher.handle(Input::Tick { now_ms }) {
                let SessionOutput::Request(SessionRequest::Send { bytes, .. }) = output else { continue };
                for output in helper.handle(Input::Message { from: 9, bytes: &bytes }) {
                    let SessionOutput::Request(SessionRequest::Send { bytes, .. }) = output else { continue };
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
        let rejected = |outputs: Vec<SessionOutput>| {
            outputs.iter().any(|o| matches!(o, SessionOutput::Event(SessionEvent::Rejected { .. })))
        };
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
            // Each message comes from another peer, so that none of them is ignored.
            for (from, bytes) in (100..).zip(&flood) {
                for output in receiver.handle(Input::Message { from, bytes }) {
                    assert!(!matches!(
                        output,
                        SessionOutput::Event(SessionEvent::Evidence(_) | SessionEvent::Broken(_))
                    ));
                }
            }
            let kept = |session: &PeerSession, seat: u8| {
                session.sync.pending.values().filter(|signed| signed.place.seat == seat).count()
            };
            assert!(kept(receiver, 1) <= 1024 / 3);
            assert!(
                receiver.sync.pending.values().all(|signed| signed.place.phase < 4),
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

    #[test]
    fn early_messages_of_a_seat_are_not_repeated_over_and_over() {
        let mut bed = Testbed::new("ozymandias", 3, 3);
        bed.play(20);
        let [receiver, flooder, _] = &mut bed.sessions[..] else { return };
        let (seq, phase) = (receiver.events(), receiver.step.as_ref().unwrap().phase);
        receiver.handle(Input::Tick { now_ms: 1 });
        let ask = request(receiver, seq, phase);
        let quiet = sent(&receiver.handle(Input::Message { from: 2, bytes: &ask }), 2);
        for ahead in 1..=512 {
            let bytes = flooder.early(seq + ahead, 3);
            receiver.handle(Input::Message { from: 1, bytes: &bytes });
        }
        assert!(receiver.sync.pending.values().count() > 300);
        let one = flooder.early(seq + 1, 3).len() as u64;
        receiver.handle(Input::Tick { now_ms: 2_000 });
        let answer = sent(&receiver.handle(Input::Message { from: 2, bytes: &ask }), 2);
        let most = quiet + u64::from(MAX_AHEAD_IN_ANSWER + 1) * (one + 8);
        assert!(answer >= quiet + one && answer <= most, "{answer} bytes, at most {most}");
    }

    #[test]
    fn messages_that_are_too_early_to_be_kept_are_not_verified() {
        let mut bed = Testbed::new("ozymandias", 3, 3);
        bed.play(20);
        let [receiver, flooder, _] = &mut bed.sessions[..] else { return };
        let (seq, verified) = (receiver.events(), receiver.trust().signatures);
        for ahead in 513..1_000 {
            let bytes = flooder.early(seq + ahead, 3);
            receiver.handle(Input::Message { from: 1, bytes: &bytes });
        }
        assert_eq!(receiver.trust().signatures, verified);
        let bytes = flooder.early(seq + 512, 3);
        receiver.handle(Input::Message { from: 1, bytes: &bytes });
        assert_eq!(receiver.trust().signatures, verified + 1);
    }
}
