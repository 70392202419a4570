//! The frames between a peer and the relay: who is in the room, and opaque messages.
//!
//! | from | bytes |
//! | --- | --- |
//! | peer: a message to one member, or to all others | `to: u32` (`0xffff_ffff`: all others), `payload…` |
//! | relay: welcome, the first frame | `0`, `you: u32`, `others: u32…` |
//! | relay: a member joined | `1`, `member: u32` |
//! | relay: a member left | `2`, `member: u32` |
//! | relay: a message | `3`, `from: u32`, `payload…` |
//!
//! Numbers are little-endian. Every frame is one binary WebSocket message. The relay numbers members in the order in which
//! they join and never reuses a number while it runs. It does not read payloads.

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

/// Bytes before the payload in a frame to the relay.
pub const TO_LEN: usize = 4;
/// Bytes before the payload in a frame from the relay.
pub const FROM_LEN: usize = 5;

impl Destination {
    /// Encodes the frame with which a peer sends `payload` to this destination: the number of the member,
    /// then the payload.
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

    /// Parses a frame of a peer into destination and payload, which may be empty; `None` if it is shorter
    /// than [`TO_LEN`]. That the member exists is not checked.
    pub fn parse_frame(frame: &[u8]) -> Option<(Self, &[u8])> {
        let (to, payload) = frame.split_first_chunk()?;
        let to = match u32::from_le_bytes(*to) {
            OTHERS => Destination::Others,
            id => Destination::One(Member(id)),
        };
        Some((to, payload))
    }
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
}

impl<'a> RelayFrame<'a> {
    /// Encodes the frame: a byte for its kind, member numbers in little-endian, the payload.
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
        }
    }

    /// Parses a frame of the relay; `None` if it is shorter than its kind requires, has extra bytes, or is of
    /// an unknown kind.
    pub fn parse(frame: &'a [u8]) -> Option<Self> {
        let (&tag, rest) = frame.split_first()?;
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
}

/// Code, meaning, and text of the close frame. Both go over the wire.
const CODES: [(u16, CloseReason, &str); 8] = [
    (4000, CloseReason::Full, "the room is full"),
    (4001, CloseReason::Slow, "reading too slowly"),
    (4002, CloseReason::Malformed, "not a frame of the relay"),
    (4003, CloseReason::Idle, "nothing heard for too long"),
    (4004, CloseReason::TooMany, "too many tables of this address"),
    (4005, CloseReason::Crowded, "too many connections of this address to the room"),
    (1009, CloseReason::TooLarge, "the message is too large"),
    (1001, CloseReason::Away, "the server goes down"),
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
        for frame in [
            RelayFrame::Welcome { you: Member(3), others: vec![] },
            RelayFrame::Welcome { you: Member(3), others: vec![Member(1), Member(2)] },
            RelayFrame::Joined(Member(9)),
            RelayFrame::Left(Member(u32::MAX)),
            RelayFrame::Message { from: Member(1), payload: b"" },
            RelayFrame::Message { from: Member(1), payload: b"xyz" },
        ] {
            assert_eq!(RelayFrame::parse(&frame.to_bytes()), Some(frame.clone()));
        }
    }

    #[test]
    fn malformed_frames_are_rejected() {
        assert_eq!(Destination::parse_frame(&[1, 2, 3]), None);
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
