//! The plaintext of a sealed packet.

/// The priority class of a message. The pieces of messages are in order within their lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Messages of lobby and sessions.
    Game,
    /// Signalling for a direct connection.
    Signal,
    /// Answers for peers that lag behind. All other lanes have priority.
    Bulk,
}

/// A piece of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) lane: Lane,
    /// Whether the message continues in the next piece of this lane.
    pub(crate) more: bool,
    pub(crate) bytes: Vec<u8>,
}

/// A packet between two peers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Packet {
    /// The first packet on a channel: the sender's outgoing stream, the receiver's stream that the sender knows (0: none),
    /// and the next piece of it that the sender expects.
    Resume { mine: u32, yours: u32, next: u64 },
    /// Piece number `seq` of the sender's stream `stream`.
    Data { stream: u32, seq: u64, piece: Piece },
    /// An acknowledgement: `next` is the next piece that the sender expects of the receiver's `stream`.
    Ack { stream: u32, next: u64 },
}

const SIGNAL: u8 = 1;
const MORE: u8 = 2;
const BULK: u8 = 4;
/// Bytes of data packets that are 0 and ignored. They once held an acknowledgement that did not name its stream.
const RESERVED: [u8; 8] = [0; 8];

impl Packet {
    /// Encodes the packet as the plaintext of a sealed packet: a byte for its kind (0 `Resume`, 1 `Data`, 2
    /// `Ack`), its numbers in the order of the fields, little-endian, and for data 8 reserved bytes, a byte of
    /// flags (lane, and whether more follows) and the bytes.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(32);
        let mut put = |tag: u8, parts: &[&[u8]]| {
            bytes.push(tag);
            parts.iter().for_each(|part| bytes.extend_from_slice(part));
        };
        match self {
            Packet::Resume { mine, yours, next } => {
                put(0, &[&mine.to_le_bytes(), &yours.to_le_bytes(), &next.to_le_bytes()]);
            }
            Packet::Data { stream, seq, piece } => {
                let lane = match piece.lane {
                    Lane::Game => 0,
                    Lane::Signal => SIGNAL,
                    Lane::Bulk => BULK,
                };
                let flags = lane | if piece.more { MORE } else { 0 };
                put(1, &[&stream.to_le_bytes(), &seq.to_le_bytes(), &RESERVED, &[flags], &piece.bytes]);
            }
            Packet::Ack { stream, next } => put(2, &[&stream.to_le_bytes(), &next.to_le_bytes()]),
        }
        bytes
    }

    /// Decodes a packet; `None` if it is too short, has extra bytes, or is of an unknown kind or lane.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let (&tag, rest) = bytes.split_first()?;
        let (first, rest) = rest.split_first_chunk::<4>()?;
        let first = u32::from_le_bytes(*first);
        match tag {
            0 => {
                let (yours, next) = rest.split_first_chunk::<4>()?;
                let next = u64::from_le_bytes(next.try_into().ok()?);
                Some(Packet::Resume { mine: first, yours: u32::from_le_bytes(*yours), next })
            }
            1 => {
                let (seq, rest) = rest.split_first_chunk::<8>()?;
                let (_, rest) = rest.split_first_chunk::<{ RESERVED.len() }>()?;
                let (&flags, bytes) = rest.split_first()?;
                let lane = match flags & !MORE {
                    0 => Lane::Game,
                    SIGNAL => Lane::Signal,
                    BULK => Lane::Bulk,
                    _ => return None,
                };
                let piece = Piece { lane, more: flags & MORE != 0, bytes: bytes.to_vec() };
                Some(Packet::Data { stream: first, seq: u64::from_le_bytes(*seq), piece })
            }
            2 => Some(Packet::Ack { stream: first, next: u64::from_le_bytes(rest.try_into().ok()?) }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_round_trip() {
        let piece = |lane, more, bytes: &[u8]| Piece { lane, more, bytes: bytes.to_vec() };
        for packet in [
            Packet::Resume { mine: 1, yours: 2, next: u64::MAX },
            Packet::Data { stream: 7, seq: 1, piece: piece(Lane::Game, false, b"") },
            Packet::Data { stream: 7, seq: 1 << 40, piece: piece(Lane::Signal, true, b"xyz") },
            Packet::Data { stream: 7, seq: 9, piece: piece(Lane::Bulk, true, b"z") },
            Packet::Ack { stream: u32::MAX, next: 5 },
        ] {
            let bytes = packet.encode();
            assert_eq!(Packet::decode(&bytes), Some(packet.clone()));
            let is_data = matches!(packet, Packet::Data { .. });
            assert_eq!(Packet::decode(&bytes[..bytes.len() - 1]).is_some(), is_data && bytes.len() > 22);
        }
        assert_eq!(Packet::decode(&[3, 0, 0, 0, 0]), None);
        assert_eq!(Packet::decode(&[2; 14]), None, "one byte too many");
    }
}
