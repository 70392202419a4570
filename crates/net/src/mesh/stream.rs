//! A stream of pieces to one peer and one back: numbered, acknowledged, kept until they have arrived.
//!
//! Paths are mostly reliable, but they end: the relay restarts, a phone sleeps, a direct connection takes over. A stream
//! outlives them, as long as both processes do.

use super::packet::{Lane, Packet, Piece};
use std::collections::{BTreeMap, VecDeque};

/// Bytes of a piece: what every browser's data channel takes in one go.
pub(crate) const PIECE: usize = 16 * 1024 - 256;
/// Bytes of a message.
pub const MAX_MESSAGE: usize = (1 << 20) + 4096;
/// Bytes that may wait for a peer that is away.
const MAX_WAITING: usize = 8 << 20;
/// Pieces that may be under way.
const IN_FLIGHT: u64 = 256;
/// Pieces that may be under way when one of a bulk message is sent. They lie in front of whatever is said next, in the
/// buffers of the connection: no more than 256 KB.
const BULK_IN_FLIGHT: u64 = 16;
/// Milliseconds after which pieces that were not acknowledged are sent again.
const AGAIN: u64 = 4_000;
/// Pieces that may come before one that is missing.
const AHEAD: u64 = IN_FLIGHT;
/// Pieces that may come before they are acknowledged.
const ACK_EVERY: u32 = 8;
/// And so many milliseconds a piece may wait for it, unless something is sent back sooner.
const ACK_AFTER: u64 = 500;

/// The pieces that this side sends.
pub(crate) struct Outgoing {
    pub(crate) id: u32,
    /// The number of the first piece that is kept.
    base: u64,
    kept: VecDeque<Piece>,
    /// Pieces of bulk messages that have no number yet: all others go first.
    bulk: VecDeque<Piece>,
    bytes: usize,
    /// The number of the next piece to send.
    next: u64,
    /// When the peer last acknowledged something new, or everything was sent again.
    progress: u64,
}

/// The stream cannot hold more.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Overflow;

impl Outgoing {
    pub(crate) fn new(id: u32) -> Self {
        Self { id, base: 0, kept: VecDeque::new(), bulk: VecDeque::new(), bytes: 0, next: 0, progress: 0 }
    }

    /// Adds a message.
    pub(crate) fn push(&mut self, lane: Lane, message: &[u8]) -> Result<(), Overflow> {
        if self.bytes + message.len() > MAX_WAITING {
            return Err(Overflow);
        }
        let queue = if lane == Lane::Bulk { &mut self.bulk } else { &mut self.kept };
        let mut chunks = message.chunks(PIECE).peekable();
        if chunks.peek().is_none() {
            queue.push_back(Piece { lane, more: false, bytes: Vec::new() });
        }
        while let Some(chunk) = chunks.next() {
            self.bytes += chunk.len();
            queue.push_back(Piece { lane, more: chunks.peek().is_some(), bytes: chunk.to_vec() });
        }
        Ok(())
    }

    /// The next packet to send, if there is one and not too many are under way. Bulk messages wait while `busy`.
    pub(crate) fn next(&mut self, ack: u64, now: u64, busy: bool) -> Option<Packet> {
        if self.next >= self.base + IN_FLIGHT {
            return None;
        }
        let under_way = self.next - self.base;
        if under_way == self.kept.len() as u64 && under_way < BULK_IN_FLIGHT && !busy {
            self.kept.extend(self.bulk.pop_front());
        }
        let piece = self.kept.get((self.next - self.base) as usize)?.clone();
        if self.next == self.base {
            self.progress = now;
        }
        let packet = Packet::Data { stream: self.id, seq: self.next, ack, piece };
        self.next += 1;
        Some(packet)
    }

    /// The peer lacks `next` and has everything before.
    pub(crate) fn acknowledged(&mut self, next: u64, now: u64) {
        // What was never sent cannot have arrived.
        while self.base < next.min(self.next) {
            self.bytes -= self.kept.pop_front().map_or(0, |piece| piece.bytes.len());
            self.base += 1;
            self.progress = now;
        }
    }

    /// Bytes that wait to be acknowledged.
    pub(crate) fn waiting_bytes(&self) -> usize {
        self.bytes
    }

    /// Whether a piece, and everything after it, is still here.
    pub(crate) fn holds(&self, number: u64) -> bool {
        number >= self.base
    }

    /// Whether anything of the stream is gone because it has arrived.
    pub(crate) fn has_begun(&self) -> bool {
        self.base > 0
    }

    /// Everything that was not acknowledged is sent again.
    pub(crate) fn again(&mut self, now: u64) {
        self.next = self.base;
        self.progress = now;
    }

    /// Whether what was sent has been waiting for an acknowledgement for too long.
    pub(crate) fn is_late(&self, now: u64) -> bool {
        self.next > self.base && now.saturating_sub(self.progress) >= AGAIN
    }
}

/// The pieces that come from the peer.
#[derive(Default)]
pub(crate) struct Incoming {
    /// 0 before the first.
    pub(crate) id: u32,
    /// The number of the piece that is lacking.
    pub(crate) next: u64,
    ahead: BTreeMap<u64, Piece>,
    /// The beginnings of messages, by lane.
    begun: [Vec<u8>; 3],
    /// How many pieces have come since the last acknowledgement.
    pub(crate) unacknowledged: u32,
    /// When that was first seen.
    waiting_since: Option<u64>,
}

/// A message is longer than any may be.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLong;

impl Incoming {
    pub(crate) fn new(id: u32) -> Self {
        Self { id, ..Self::default() }
    }

    /// Takes a piece; gives the messages that it completes, in order.
    pub(crate) fn take(&mut self, seq: u64, piece: Piece) -> Result<Vec<(Lane, Vec<u8>)>, TooLong> {
        self.unacknowledged += 1;
        if seq >= self.next && seq - self.next < AHEAD {
            self.ahead.insert(seq, piece);
        }
        let mut done = Vec::new();
        while let Some(piece) = self.ahead.remove(&self.next) {
            self.next += 1;
            let begun = &mut self.begun[piece.lane as usize];
            begun.extend_from_slice(&piece.bytes);
            if begun.len() > MAX_MESSAGE {
                return Err(TooLong);
            }
            if !piece.more {
                done.push((piece.lane, std::mem::take(begun)));
            }
        }
        Ok(done)
    }

    /// Bytes of messages that are not complete.
    pub(crate) fn waiting_bytes(&self) -> usize {
        let ahead = self.ahead.values().map(|piece| piece.bytes.len());
        ahead.chain(self.begun.iter().map(Vec::len)).sum()
    }

    /// Whether it is time to acknowledge.
    pub(crate) fn wants_ack(&self) -> bool {
        self.unacknowledged >= ACK_EVERY
    }

    /// Whether something has waited for an acknowledgement for long enough. Every packet costs time on both sides, and
    /// most are acknowledged by what is sent back anyway.
    pub(crate) fn wants_ack_at(&mut self, now: u64) -> bool {
        if self.unacknowledged == 0 {
            self.waiting_since = None;
            return false;
        }
        now.saturating_sub(*self.waiting_since.get_or_insert(now)) >= ACK_AFTER
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(out: &mut Outgoing) -> Vec<(u64, Piece)> {
        let mut list = Vec::new();
        while let Some(Packet::Data { seq, piece, .. }) = out.next(0, 0, false) {
            list.push((seq, piece));
        }
        list
    }

    #[test]
    fn messages_are_cut_and_put_together_in_order() {
        let mut out = Outgoing::new(1);
        let long: Vec<u8> = (0..PIECE * 2 + 5).map(|i| i as u8).collect();
        out.push(Lane::Game, &long).unwrap();
        out.push(Lane::Signal, b"").unwrap();
        out.push(Lane::Game, b"short").unwrap();
        let mut list = pieces(&mut out);
        assert_eq!(list.len(), 5);
        list.reverse();
        list.push(list[2].clone());
        let mut incoming = Incoming::new(1);
        let mut done = Vec::new();
        for (seq, piece) in list {
            done.extend(incoming.take(seq, piece).unwrap());
        }
        assert_eq!(done, [(Lane::Game, long), (Lane::Signal, vec![]), (Lane::Game, b"short".to_vec())]);
        assert_eq!(incoming.next, 5);
    }

    #[test]
    fn what_is_not_acknowledged_is_kept_and_sent_again() {
        let mut out = Outgoing::new(1);
        for i in 0..4u8 {
            out.push(Lane::Game, &[i]).unwrap();
        }
        assert_eq!(pieces(&mut out).len(), 4);
        out.acknowledged(2, 10);
        out.acknowledged(99, 10);
        assert_eq!((out.base, out.bytes), (4, 0), "no more than was sent");
        out.push(Lane::Game, &[9]).unwrap();
        out.push(Lane::Game, &[10]).unwrap();
        assert_eq!(pieces(&mut out).len(), 2);
        out.acknowledged(5, 20);
        assert!(!out.is_late(20 + AGAIN - 1) && out.is_late(20 + AGAIN));
        out.again(30);
        assert_eq!(pieces(&mut out)[0].0, 5);
    }

    #[test]
    fn a_move_does_not_wait_for_a_long_answer() {
        let (mut out, mut incoming) = (Outgoing::new(1), Incoming::new(1));
        let answer = |i: u8| vec![i; 40_000];
        (0..13).for_each(|i| out.push(Lane::Bulk, &answer(i)).unwrap());
        let mut flying: VecDeque<_> = pieces(&mut out).into();
        let ahead: usize = flying.iter().map(|(_, piece)| piece.bytes.len()).sum();
        assert!(ahead <= BULK_IN_FLIGHT as usize * PIECE && ahead > 100_000, "{ahead} bytes are under way");
        out.push(Lane::Game, b"a move").unwrap();
        let mut heard = Vec::new();
        while let Some((seq, piece)) = flying.pop_front() {
            heard.extend(incoming.take(seq, piece).unwrap());
            if incoming.wants_ack() {
                incoming.unacknowledged = 0;
                out.acknowledged(incoming.next, 0);
            }
            // Lost pieces come again under the numbers that they had.
            if heard.len() == 5 && flying.len() > 3 {
                flying.clear();
                out.again(0);
            }
            flying.extend(pieces(&mut out));
            if flying.is_empty() {
                out.acknowledged(incoming.next, 0);
                flying.extend(pieces(&mut out));
            }
        }
        let at = heard.iter().position(|(_, message)| message == b"a move").unwrap();
        assert!(at < 8, "{at} answers went first");
        let answers: Vec<_> = heard.into_iter().filter(|(lane, _)| *lane == Lane::Bulk).collect();
        assert_eq!(answers, (0..13).map(|i| (Lane::Bulk, answer(i))).collect::<Vec<_>>());
        // While the connection is busy, only what is needed now goes out.
        out.push(Lane::Bulk, b"later").unwrap();
        out.push(Lane::Game, b"now").unwrap();
        assert!(matches!(out.next(0, 0, true), Some(Packet::Data { piece, .. }) if piece.bytes == b"now"));
        assert!(out.next(0, 0, true).is_none() && out.next(0, 0, false).is_some());
    }

    #[test]
    fn nothing_grows_without_bound() {
        let mut out = Outgoing::new(1);
        let large = vec![0; 1 << 20];
        assert_eq!((0..9).map(|_| out.push(Lane::Game, &large)).filter(Result::is_ok).count(), 8);
        assert_eq!(pieces(&mut out).len() as u64, IN_FLIGHT);
        let mut incoming = Incoming::new(1);
        let piece = Piece { lane: Lane::Game, more: true, bytes: vec![0; PIECE] };
        for seq in 1..2 * AHEAD {
            incoming.take(seq, piece.clone()).unwrap();
        }
        assert_eq!(incoming.ahead.len() as u64, AHEAD - 1);
        assert_eq!(incoming.take(0, piece), Err(TooLong));
    }
}
