//! A reliable stream of pieces in each direction between two peers: numbered, acknowledged, retransmitted.
//!
//! Paths are mostly reliable, but they end: the relay restarts, a phone sleeps, a direct connection takes over. A stream
//! survives a change of path as long as both processes run.

use super::packet::{Lane, Packet, Piece};
use std::collections::{BTreeMap, VecDeque};

/// Maximum bytes of a piece: every browser's data channel accepts it as one message.
pub(crate) const PIECE: usize = 16 * 1024 - 256;
/// Maximum bytes of a message.
pub const MAX_MESSAGE: usize = (1 << 20) + 4096;
/// Maximum bytes that are queued for one peer.
const MAX_WAITING: usize = 8 << 20;
/// Send window: pieces that may be sent and not acknowledged.
const IN_FLIGHT: u64 = 256;
/// Send window of bulk messages. Their pieces delay every later message in the buffers of the connection, so they are
/// limited to 256 KB.
const BULK_IN_FLIGHT: u64 = 16;
/// Retransmission timeout in milliseconds.
const RETRANSMIT_AFTER: u64 = 4_000;
/// Receive window: pieces that are kept while an earlier one is missing.
const AHEAD: u64 = IN_FLIGHT;
/// Pieces after which an acknowledgement is sent immediately.
const ACK_EVERY: u32 = 8;
/// Milliseconds after which fewer pieces are acknowledged.
const ACK_AFTER: u64 = 500;

/// The sending side of a stream.
pub(crate) struct Outgoing {
    pub(crate) id: u32,
    /// The number of the first piece that is not acknowledged.
    base: u64,
    kept: VecDeque<Piece>,
    /// Pieces of bulk messages. They get a number when no other piece waits.
    bulk: VecDeque<Piece>,
    bytes: usize,
    /// The number of the next piece to send.
    next: u64,
    /// When the peer last acknowledged a new piece, or retransmission began.
    progress: u64,
}

/// The queue of a stream is full.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct StreamOverflowError;

impl Outgoing {
    /// Creates an empty outgoing stream. `id` is its number, random and not 0.
    pub(crate) fn new(id: u32) -> Self {
        Self { id, base: 0, kept: VecDeque::new(), bulk: VecDeque::new(), bytes: 0, next: 0, progress: 0 }
    }

    /// Queues a message, cut into pieces; a bulk message in a queue of its own. An empty message is one empty
    /// piece. The caller must have checked that it is not longer than [`MAX_MESSAGE`].
    ///
    /// # Errors
    ///
    /// Fails if more than 8 MB would be queued or unacknowledged. Nothing was queued.
    pub(crate) fn push(&mut self, lane: Lane, message: &[u8]) -> Result<(), StreamOverflowError> {
        if self.bytes + message.len() > MAX_WAITING {
            return Err(StreamOverflowError);
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

    /// Returns the next packet to send and counts it as sent; `None` if no piece waits or the send window of
    /// 256 pieces is full. A piece of a bulk message follows only if all other pieces are sent, fewer than 16
    /// are not acknowledged, and the connection is not `busy`. `now` is the time in milliseconds.
    pub(crate) fn next_packet(&mut self, now: u64, busy: bool) -> Option<Packet> {
        if self.next >= self.base + IN_FLIGHT {
            return None;
        }
        let in_flight = self.next - self.base;
        if in_flight == self.kept.len() as u64 && in_flight < BULK_IN_FLIGHT && !busy {
            self.kept.extend(self.bulk.pop_front());
        }
        let piece = self.kept.get((self.next - self.base) as usize)?.clone();
        if self.next == self.base {
            self.progress = now;
        }
        let packet = Packet::Data { stream: self.id, seq: self.next, piece };
        self.next += 1;
        Some(packet)
    }

    /// Removes all pieces before number `next`, which the peer has, and notes the progress at time `now`.
    /// Pieces that were not sent, or not again after [`Outgoing::retransmit`], stay in any case.
    pub(crate) fn acknowledge(&mut self, next: u64, now: u64) {
        // Pieces that were never sent cannot be acknowledged.
        while self.base < next.min(self.next) {
            self.bytes -= self.kept.pop_front().map_or(0, |piece| piece.bytes.len());
            self.base += 1;
            self.progress = now;
        }
    }

    /// Returns the bytes of pieces that are queued or not acknowledged.
    pub(crate) fn waiting_bytes(&self) -> usize {
        self.bytes
    }

    /// Returns whether a piece is queued or not acknowledged.
    pub(crate) fn has_unacknowledged(&self) -> bool {
        !self.kept.is_empty() || !self.bulk.is_empty()
    }

    /// Returns whether piece `number` and all later ones can still be sent: none of them was removed as
    /// acknowledged. That piece `number` exists is not checked.
    pub(crate) fn can_resume_at(&self, number: u64) -> bool {
        number >= self.base
    }

    /// Returns whether pieces were acknowledged, and so are no longer kept.
    pub(crate) fn has_dropped_pieces(&self) -> bool {
        self.base > 0
    }

    /// Makes [`Outgoing::next_packet`] return every piece again that was not acknowledged, and restarts the
    /// timeout at time `now`.
    pub(crate) fn retransmit(&mut self, now: u64) {
        self.next = self.base;
        self.progress = now;
    }

    /// Returns whether pieces are in flight and the last progress was 4 seconds or more before `now`.
    /// Progress is an acknowledgement, a retransmission, or the first piece in flight.
    pub(crate) fn is_ack_overdue(&self, now: u64) -> bool {
        self.next > self.base && now.saturating_sub(self.progress) >= RETRANSMIT_AFTER
    }
}

/// The receiving side of a stream.
#[derive(Default)]
pub(crate) struct Incoming {
    /// The stream of the peer; 0 while none is known.
    pub(crate) id: u32,
    /// The number of the next piece in order.
    pub(crate) next: u64,
    /// Pieces after a missing one.
    ahead: BTreeMap<u64, Piece>,
    /// Incomplete messages, by lane.
    partial: [Vec<u8>; 3],
    /// Pieces since the last acknowledgement.
    pub(crate) unacknowledged: u32,
    /// When the oldest of them was first noticed by [`is_ack_due_at`](Self::is_ack_due_at).
    waiting_since: Option<u64>,
}

/// A message exceeds [`MAX_MESSAGE`], or a piece exceeds [`PIECE`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MessageTooLongError;

impl Incoming {
    /// Creates an incoming stream that expects its first piece. `id` is the number that the peer gave it.
    pub(crate) fn new(id: u32) -> Self {
        Self { id, ..Self::default() }
    }

    /// Accepts piece number `seq`, and returns the messages that it completes, in order, each with its lane.
    /// The list is empty while a piece is missing. Duplicates and pieces beyond the receive window are
    /// ignored, but count as unacknowledged.
    ///
    /// # Errors
    ///
    /// Fails if a message is longer than [`MAX_MESSAGE`] or the piece longer than [`PIECE`]. Messages that the
    /// same piece has completed are lost, and the stream must not be used any more.
    pub(crate) fn receive(
        &mut self,
        seq: u64,
        piece: Piece,
    ) -> Result<Vec<(Lane, Vec<u8>)>, MessageTooLongError> {
        // Otherwise the receive window would hold four times as many bytes as an honest peer can send.
        if piece.bytes.len() > PIECE {
            return Err(MessageTooLongError);
        }
        self.unacknowledged += 1;
        if seq >= self.next && seq - self.next < AHEAD {
            self.ahead.insert(seq, piece);
        }
        let mut done = Vec::new();
        while let Some(piece) = self.ahead.remove(&self.next) {
            self.next += 1;
            let partial = &mut self.partial[piece.lane as usize];
            partial.extend_from_slice(&piece.bytes);
            if partial.len() > MAX_MESSAGE {
                return Err(MessageTooLongError);
            }
            if !piece.more {
                done.push((piece.lane, std::mem::take(partial)));
            }
        }
        Ok(done)
    }

    /// Returns the bytes of pieces and messages that are not complete yet.
    pub(crate) fn waiting_bytes(&self) -> usize {
        let ahead = self.ahead.values().map(|piece| piece.bytes.len());
        ahead.chain(self.partial.iter().map(Vec::len)).sum()
    }

    /// Returns whether 8 or more pieces arrived since the last acknowledgement, so that one must be sent
    /// immediately.
    pub(crate) fn is_ack_due(&self) -> bool {
        self.unacknowledged >= ACK_EVERY
    }

    /// Returns whether pieces have waited 500 ms for an acknowledgement at time `now`. The time runs from the
    /// first call that finds unacknowledged pieces until a call finds none, so call it regularly. The delay
    /// exists because one packet acknowledges all pieces before it.
    pub(crate) fn is_ack_due_at(&mut self, now: u64) -> bool {
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
        while let Some(Packet::Data { seq, piece, .. }) = out.next_packet(0, false) {
            list.push((seq, piece));
        }
        list
    }

    #[test]
    fn messages_are_split_and_reassembled_in_order() {
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
            done.extend(incoming.receive(seq, piece).unwrap());
        }
        assert_eq!(done, [(Lane::Game, long), (Lane::Signal, vec![]), (Lane::Game, b"short".to_vec())]);
        assert_eq!(incoming.next, 5);
    }

    #[test]
    fn pieces_without_acknowledgement_are_retransmitted() {
        let mut out = Outgoing::new(1);
        for i in 0..4u8 {
            out.push(Lane::Game, &[i]).unwrap();
        }
        assert_eq!(pieces(&mut out).len(), 4);
        out.acknowledge(2, 10);
        out.acknowledge(99, 10);
        assert_eq!((out.base, out.bytes), (4, 0), "not more than was sent");
        out.push(Lane::Game, &[9]).unwrap();
        out.push(Lane::Game, &[10]).unwrap();
        assert_eq!(pieces(&mut out).len(), 2);
        out.acknowledge(5, 20);
        assert!(!out.is_ack_overdue(20 + RETRANSMIT_AFTER - 1) && out.is_ack_overdue(20 + RETRANSMIT_AFTER));
        out.retransmit(30);
        assert_eq!(pieces(&mut out)[0].0, 5);
    }

    #[test]
    fn a_move_does_not_wait_for_a_long_answer() {
        let (mut out, mut incoming) = (Outgoing::new(1), Incoming::new(1));
        let answer = |i: u8| vec![i; 40_000];
        (0..13).for_each(|i| out.push(Lane::Bulk, &answer(i)).unwrap());
        let mut in_flight: VecDeque<_> = pieces(&mut out).into();
        let ahead: usize = in_flight.iter().map(|(_, piece)| piece.bytes.len()).sum();
        assert!(ahead <= BULK_IN_FLIGHT as usize * PIECE && ahead > 100_000, "{ahead} bytes are under way");
        out.push(Lane::Game, b"a move").unwrap();
        let mut received = Vec::new();
        while let Some((seq, piece)) = in_flight.pop_front() {
            received.extend(incoming.receive(seq, piece).unwrap());
            if incoming.is_ack_due() {
                incoming.unacknowledged = 0;
                out.acknowledge(incoming.next, 0);
            }
            // Lost pieces are retransmitted with their old numbers.
            if received.len() == 5 && in_flight.len() > 3 {
                in_flight.clear();
                out.retransmit(0);
            }
            in_flight.extend(pieces(&mut out));
            if in_flight.is_empty() {
                out.acknowledge(incoming.next, 0);
                in_flight.extend(pieces(&mut out));
            }
        }
        let at = received.iter().position(|(_, message)| message == b"a move").unwrap();
        assert!(at < 8, "{at} answers went first");
        let answers: Vec<_> = received.into_iter().filter(|(lane, _)| *lane == Lane::Bulk).collect();
        assert_eq!(answers, (0..13).map(|i| (Lane::Bulk, answer(i))).collect::<Vec<_>>());
        // While the connection is busy, bulk messages wait.
        out.push(Lane::Bulk, b"later").unwrap();
        out.push(Lane::Game, b"now").unwrap();
        assert!(
            matches!(out.next_packet(0, true), Some(Packet::Data { piece, .. }) if piece.bytes == b"now")
        );
        assert!(out.next_packet(0, true).is_none() && out.next_packet(0, false).is_some());
    }

    #[test]
    fn queues_are_bounded() {
        let mut out = Outgoing::new(1);
        let large = vec![0; 1 << 20];
        assert_eq!((0..9).map(|_| out.push(Lane::Game, &large)).filter(Result::is_ok).count(), 8);
        assert_eq!(pieces(&mut out).len() as u64, IN_FLIGHT);
        let mut incoming = Incoming::new(1);
        let piece = Piece { lane: Lane::Game, more: true, bytes: vec![0; PIECE] };
        for seq in 1..2 * AHEAD {
            incoming.receive(seq, piece.clone()).unwrap();
        }
        assert_eq!(incoming.ahead.len() as u64, AHEAD - 1);
        assert_eq!(incoming.receive(0, piece), Err(MessageTooLongError));
        let long = Piece { lane: Lane::Game, more: true, bytes: vec![0; PIECE + 1] };
        assert_eq!(Incoming::new(1).receive(1, long), Err(MessageTooLongError));
    }
}
