//! The frames between a peer and the relay: who is in the room, opaque messages, and the mailbox.
//!
//! | from | bytes |
//! | --- | --- |
//! | peer: a message to one member, or to all others | `to: u32` (`0xffff_ffff`: all others), `payload…` |
//! | peer: store a sealed packet in the mailbox | `0xffff_fffe: u32`, `sealed…` |
//! | peer: fetch the mail after a cursor | `0xffff_fffd: u32`, `number: u32`, `mailbox: u64` |
//! | relay: welcome, the first frame | `0`, `you: u32`, `others: u32…` |
//! | relay: a member joined | `1`, `member: u32` |
//! | relay: a member left | `2`, `member: u32` |
//! | relay: a message | `3`, `from: u32`, `payload…` |
//! | relay: a packet of the mailbox | `4`, `number: u32`, `mailbox: u64`, `sealed…` |
//! | relay: a packet is stored | `5`, `number: u32`, `mailbox: u64`, `id: [u8; 16]` |
//! | relay: end of a fetch | `6`, `number: u32`, `mailbox: u64` |
//! | relay: a packet is not stored | `7`, `reason: u8`, `id: [u8; 16]` |
//!
//! Numbers are little-endian. Every frame is one binary WebSocket message. The relay numbers members in the order in which
//! they join and never reuses a number while it runs. It does not read payloads.
//!
//! Packets of a mailbox have the numbers 1, 2, 3, … without gaps. A relay sends frames 4 and 6 only to members that have
//! fetched, and 5 and 7 only to the member that stores. After the end of a fetch, a member gets each packet that another
//! member stores as frame 4, and each of its own as frame 5: so it notices if a number is missing. An `id` is
//! [`packet_id`](crate::packet_id) of the sealed packet; the relay stores a packet once, no matter how often it is sent.

use crate::mail::{MailCursor, MailError, PacketId};

/// The WebSocket subprotocol of the relay. A client offers it and, as a second one, the text of its
/// [`RoomPass`](crate::RoomPass): unlike a query string, that header is not written to the access logs of proxies.
pub const PROTOCOL: &str = "pentarchy.2";

/// The number that the relay assigned to a member of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Member(pub u32);

/// The recipients of a message in a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// All other members of the room.
    Others,
    /// One member.
    One(Member),
}

const OTHERS: u32 = u32::MAX;
const STORE: u32 = u32::MAX - 1;
const FETCH: u32 = u32::MAX - 2;

/// Bytes before the payload in a frame to the relay.
pub const TO_LEN: usize = 4;
/// Bytes before the payload in a frame from the relay.
pub const FROM_LEN: usize = 5;

impl Destination {
    /// Encodes the frame with which a peer sends `payload` to this destination: the number of the member or
    /// `0xffff_ffff` for all others (little-endian), then the payload. A member must have a number below
    /// `0xffff_fffd`, because the higher ones mark frames for the mailbox and for all: this is not checked.
    pub fn to_frame(self, payload: &[u8]) -> Vec<u8> {
        let to = match self {
            Destination::Others => OTHERS,
            Destination::One(Member(id)) => id,
        };
        let mut frame = Vec::with_capacity(TO_LEN + payload.len());
        frame.extend_from_slice(&to.to_le_bytes());
        frame.extend_from_slice(payload);
        frame
    }

    /// Parses a message of a peer into destination and payload, which may be empty; `None` if it is shorter
    /// than [`TO_LEN`] or a frame for the mailbox. That the member exists is not checked.
    pub fn parse_frame(frame: &[u8]) -> Option<(Self, &[u8])> {
        match PeerFrame::parse(frame)? {
            PeerFrame::Message { to, payload } => Some((to, payload)),
            PeerFrame::Store(_) | PeerFrame::Fetch(_) => None,
        }
    }
}

/// A frame from a peer to the relay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeerFrame<'a> {
    /// A message to other members.
    Message {
        /// The recipients.
        to: Destination,
        /// The payload, which the relay does not read.
        payload: &'a [u8],
    },
    /// A sealed packet that the relay stores in the mailbox of the table.
    Store(&'a [u8]),
    /// A request for all mail after this cursor, and for each packet that is stored from then on.
    Fetch(MailCursor),
}

impl<'a> PeerFrame<'a> {
    /// Encodes the frame: `to: u32` (the member, or a number that marks the kind) and the payload, the sealed
    /// packet, or the cursor, little-endian. [`PeerFrame::parse`] reads it.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            PeerFrame::Message { to, payload } => to.to_frame(payload),
            PeerFrame::Store(sealed) => [&STORE.to_le_bytes()[..], sealed].concat(),
            PeerFrame::Fetch(after) => [&FETCH.to_le_bytes()[..], &cursor_bytes(*after)].concat(),
        }
    }

    /// Parses a frame of a peer; `None` if it is shorter than its kind requires or has extra bytes. That the
    /// recipient of a message exists is not checked.
    pub fn parse(frame: &'a [u8]) -> Option<Self> {
        let (to, payload) = frame.split_first_chunk()?;
        Some(match u32::from_le_bytes(*to) {
            OTHERS => PeerFrame::Message { to: Destination::Others, payload },
            STORE => PeerFrame::Store(payload),
            FETCH => match split_cursor(payload)? {
                (after, []) => PeerFrame::Fetch(after),
                _ => return None,
            },
            id => PeerFrame::Message { to: Destination::One(Member(id)), payload },
        })
    }
}

/// Encodes a cursor in little-endian: the number (4 bytes), then the mailbox (8 bytes).
fn cursor_bytes(cursor: MailCursor) -> [u8; 12] {
    let mut bytes = [0; 12];
    bytes[..4].copy_from_slice(&cursor.number.to_le_bytes());
    bytes[4..].copy_from_slice(&cursor.mailbox.to_le_bytes());
    bytes
}

/// Splits the 12 bytes of a cursor ([`cursor_bytes`]) off the front and returns it with the rest; `None` if
/// the bytes are too short.
fn split_cursor(bytes: &[u8]) -> Option<(MailCursor, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    let (mailbox, rest) = rest.split_first_chunk()?;
    let (mailbox, number) = (u64::from_le_bytes(*mailbox), u32::from_le_bytes(*number));
    Some((MailCursor { mailbox, number }, rest))
}

/// A frame from the relay to a peer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RelayFrame<'a> {
    /// The first frame after the connection opens.
    Welcome {
        /// The number of the recipient.
        you: Member,
        /// The other members of the room.
        others: Vec<Member>,
    },
    /// A member joined.
    Joined(Member),
    /// A member left.
    Left(Member),
    /// A message of a member.
    Message {
        /// The sender.
        from: Member,
        /// The payload as it was sent.
        payload: &'a [u8],
    },
    /// A packet of the mailbox.
    Mail {
        /// The place of the packet in the mailbox.
        at: MailCursor,
        /// The packet as it was stored.
        sealed: &'a [u8],
    },
    /// A packet that the recipient of this frame sent is stored.
    Stored {
        /// The place of the packet in the mailbox.
        at: MailCursor,
        /// The packet.
        id: PacketId,
    },
    /// The end of a fetch: the place of the last packet. Mailbox 0 means that the table has no mailbox.
    MailEnd(MailCursor),
    /// A packet that the recipient of this frame sent is not stored.
    MailRefused {
        /// The packet.
        id: PacketId,
        /// Why it is not stored.
        why: MailError,
    },
}

impl<'a> RelayFrame<'a> {
    /// Encodes the frame: a byte for its kind, numbers in little-endian, the payload.
    /// [`RelayFrame::parse`] reads it.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            RelayFrame::Welcome { you, others } => {
                let mut frame = vec![0];
                for Member(id) in std::iter::once(you).chain(others) {
                    frame.extend_from_slice(&id.to_le_bytes());
                }
                frame
            }
            RelayFrame::Joined(member) => tagged(1, *member, &[]),
            RelayFrame::Left(member) => tagged(2, *member, &[]),
            RelayFrame::Message { from, payload } => tagged(3, *from, payload),
            RelayFrame::Mail { at, sealed } => [&[4], &cursor_bytes(*at)[..], sealed].concat(),
            RelayFrame::Stored { at, id } => [&[5], &cursor_bytes(*at)[..], id].concat(),
            RelayFrame::MailEnd(at) => [&[6], &cursor_bytes(*at)[..]].concat(),
            RelayFrame::MailRefused { id, why } => [&[7, why.code()], &id[..]].concat(),
        }
    }

    /// Parses a frame of the relay; `None` if it is shorter than its kind requires, has extra bytes, or is of
    /// an unknown kind or with an unknown reason.
    pub fn parse(frame: &'a [u8]) -> Option<Self> {
        let (&tag, rest) = frame.split_first()?;
        match (tag, split_cursor(rest)) {
            (4, Some((at, sealed))) => return Some(RelayFrame::Mail { at, sealed }),
            (5, Some((at, id))) => return Some(RelayFrame::Stored { at, id: id.try_into().ok()? }),
            (6, Some((at, []))) => return Some(RelayFrame::MailEnd(at)),
            (4..=6, _) => return None,
            (7, _) => {
                let (&why, id) = rest.split_first()?;
                let why = MailError::from_code(why)?;
                return Some(RelayFrame::MailRefused { id: id.try_into().ok()?, why });
            }
            _ => {}
        }
        let (first, rest) = rest.split_first_chunk::<4>()?;
        let member = Member(u32::from_le_bytes(*first));
        match (tag, rest) {
            (0, others) => {
                let (others, []) = others.as_chunks::<4>() else { return None };
                let others = others.iter().map(|id| Member(u32::from_le_bytes(*id))).collect();
                Some(RelayFrame::Welcome { you: member, others })
            }
            (1, []) => Some(RelayFrame::Joined(member)),
            (2, []) => Some(RelayFrame::Left(member)),
            (3, payload) => Some(RelayFrame::Message { from: member, payload }),
            _ => None,
        }
    }
}

/// Builds a frame of the relay: the kind of the frame, the number of the member, the payload.
fn tagged(tag: u8, Member(id): Member, payload: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(FROM_LEN + payload.len());
    frame.push(tag);
    frame.extend_from_slice(&id.to_le_bytes());
    frame.extend_from_slice(payload);
    frame
}

/// Why the relay closed a connection. The codes are in WebSocket's private range where no standard code fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseReason {
    /// The room is full. A retry fails until a member leaves.
    Full,
    /// The queue overflowed because this peer read too slowly. It may reconnect immediately.
    Slow,
    /// The peer sent a malformed frame.
    Malformed,
    /// The peer or the whole room was silent for too long.
    Idle,
    /// The address has too many rooms or connections.
    TooMany,
    /// The address has too many members in the room.
    Crowded,
    /// The peer sent a message that is too large.
    TooLarge,
    /// The server is shutting down and expected back.
    Away,
    /// Another process of the server has the room now. The peer finds it there when it connects again.
    Moved,
}

/// Code, meaning, and text of the close frame. Both go over the wire.
const CODES: [(u16, CloseReason, &str); 9] = [
    (4000, CloseReason::Full, "the room is full"),
    (4001, CloseReason::Slow, "reading too slowly"),
    (4002, CloseReason::Malformed, "not a frame of the relay"),
    (4003, CloseReason::Idle, "nothing heard for too long"),
    (4004, CloseReason::TooMany, "too many tables of this address"),
    (4005, CloseReason::Crowded, "too many connections of this address to the room"),
    (1009, CloseReason::TooLarge, "the message is too large"),
    (1001, CloseReason::Away, "the server goes down"),
    (4006, CloseReason::Moved, "the table has moved to another process"),
];

impl CloseReason {
    /// Returns the WebSocket close code of this reason.
    pub fn code(self) -> u16 {
        self.row().0
    }

    /// Returns the text of the close frame, for people.
    pub fn text(self) -> &'static str {
        self.row().2
    }

    /// Returns the reason with this close code; `None` if it is not a code of the relay.
    pub fn from_code(code: u16) -> Option<Self> {
        CODES.iter().find(|row| row.0 == code).map(|row| row.1)
    }

    /// Returns code, reason and text of this reason in [`CODES`].
    fn row(self) -> (u16, CloseReason, &'static str) {
        CODES.into_iter().find(|row| row.1 == self).unwrap_or(CODES[7])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_round_trip() {
        for to in [Destination::Others, Destination::One(Member(0)), Destination::One(Member(77))] {
            assert_eq!(Destination::parse_frame(&to.to_frame(b"abc")), Some((to, &b"abc"[..])));
        }
        let at = MailCursor { mailbox: 0x0102_0304_0506_0708, number: 0x0a0b_0c0d };
        let fetch = PeerFrame::Fetch(at);
        for frame in [fetch, PeerFrame::Store(b"sealed"), PeerFrame::Store(b"")] {
            assert_eq!(PeerFrame::parse(&frame.to_bytes()), Some(frame));
            assert_eq!(Destination::parse_frame(&frame.to_bytes()), None);
        }
        assert_eq!(fetch.to_bytes(), [0xfd, 0xff, 0xff, 0xff, 13, 12, 11, 10, 8, 7, 6, 5, 4, 3, 2, 1]);
        for frame in [
            RelayFrame::Welcome { you: Member(3), others: vec![] },
            RelayFrame::Welcome { you: Member(3), others: vec![Member(1), Member(2)] },
            RelayFrame::Joined(Member(9)),
            RelayFrame::Left(Member(u32::MAX)),
            RelayFrame::Message { from: Member(1), payload: b"" },
            RelayFrame::Message { from: Member(1), payload: b"xyz" },
            RelayFrame::Mail { at, sealed: b"sealed" },
            RelayFrame::Mail { at, sealed: b"" },
            RelayFrame::Stored { at, id: [7; 16] },
            RelayFrame::MailEnd(at),
            RelayFrame::MailRefused { id: [7; 16], why: MailError::Full },
            RelayFrame::MailRefused { id: [7; 16], why: MailError::TooLarge },
            RelayFrame::MailRefused { id: [7; 16], why: MailError::Off },
            RelayFrame::MailRefused { id: [7; 16], why: MailError::TryLater },
        ] {
            assert_eq!(RelayFrame::parse(&frame.to_bytes()), Some(frame.clone()));
        }
    }

    #[test]
    fn malformed_frames_are_rejected() {
        assert_eq!(Destination::parse_frame(&[1, 2, 3]), None);
        let fetch = PeerFrame::Fetch(MailCursor::default()).to_bytes();
        assert_eq!(PeerFrame::parse(&fetch[..fetch.len() - 1]), None);
        assert_eq!(PeerFrame::parse(&[&fetch[..], &[0]].concat()), None);
        let refused = RelayFrame::MailRefused { id: [0; 16], why: MailError::Full }.to_bytes();
        for wrong in [
            &refused[..17],
            &[&refused[..], &[0]].concat(),
            &[7, 9, 0, 0],
            &[6; 12],
            &[6; 14],
            &[5; 28],
            &[5; 30],
        ] {
            assert_eq!(RelayFrame::parse(wrong), None, "{wrong:?}");
        }
        for bytes in
            [&[][..], &[3], &[3, 0, 0, 0], &[1, 0, 0, 0, 0, 0], &[0, 1, 0, 0, 0, 2], &[4, 0, 0, 0, 0]]
        {
            assert_eq!(RelayFrame::parse(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn codes_round_trip() {
        for (code, closed, words) in CODES {
            assert_eq!(
                (CloseReason::from_code(code), closed.code(), closed.text()),
                (Some(closed), code, words)
            );
        }
        assert_eq!(CloseReason::from_code(1000), None);
    }
}
