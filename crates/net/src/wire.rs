//! What travels between a peer and the relay: who is in the room, and opaque messages.
//!
//! | from | bytes |
//! | --- | --- |
//! | peer: a message to one member, or to all others | `to: u32` (`0xffff_ffff`: all others) `payload…` |
//! | relay: you are in | `0`, `you: u32`, `others: u32…` |
//! | relay: a member came | `1`, `member: u32` |
//! | relay: a member went | `2`, `member: u32` |
//! | relay: a message | `3`, `from: u32`, `payload…` |
//!
//! Numbers are little-endian. Every frame is one binary WebSocket message. The relay numbers members as they come and
//! never uses a number twice while it runs; it reads no payload.

/// The WebSocket subprotocol of the relay. A client offers it and, as a second one, the text of its
/// [`RoomPass`](crate::RoomPass): unlike a query, that header is not written to the access logs of proxies.
pub const PROTOCOL: &str = "pentarchy.2";

/// The number that the relay gave a member of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Member(pub u32);

/// To whom a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// All other members of the room.
    Others,
    /// One member.
    One(Member),
}

const OTHERS: u32 = u32::MAX;

/// Bytes before the payload in a message to the relay.
pub const TO_LEN: usize = 4;
/// Bytes before the payload in a message from the relay.
pub const FROM_LEN: usize = 5;

impl To {
    /// The frame that brings `payload` there.
    pub fn frame(self, payload: &[u8]) -> Vec<u8> {
        let to = match self {
            To::Others => OTHERS,
            To::One(Member(id)) => id,
        };
        let mut frame = Vec::with_capacity(TO_LEN + payload.len());
        frame.extend_from_slice(&to.to_le_bytes());
        frame.extend_from_slice(payload);
        frame
    }

    /// Reads a frame of a peer: to whom, and what.
    pub fn read(frame: &[u8]) -> Option<(Self, &[u8])> {
        let (to, payload) = frame.split_first_chunk()?;
        let to = match u32::from_le_bytes(*to) {
            OTHERS => To::Others,
            id => To::One(Member(id)),
        };
        Some((to, payload))
    }
}

/// A frame of the relay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromRelay<'a> {
    /// The first frame: your number, and who is here.
    Welcome {
        /// Your number.
        you: Member,
        /// The others.
        others: Vec<Member>,
    },
    /// A member came.
    Joined(Member),
    /// A member went.
    Left(Member),
    /// A message.
    Message {
        /// Who sent it.
        from: Member,
        /// What, as it was sent.
        payload: &'a [u8],
    },
}

impl<'a> FromRelay<'a> {
    /// The frame as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            FromRelay::Welcome { you, others } => {
                let mut frame = vec![0];
                for Member(id) in std::iter::once(you).chain(others) {
                    frame.extend_from_slice(&id.to_le_bytes());
                }
                frame
            }
            FromRelay::Joined(member) => tagged(1, *member, &[]),
            FromRelay::Left(member) => tagged(2, *member, &[]),
            FromRelay::Message { from, payload } => tagged(3, *from, payload),
        }
    }

    /// Reads a frame of the relay; nothing if it is none.
    pub fn read(frame: &'a [u8]) -> Option<Self> {
        let (&tag, rest) = frame.split_first()?;
        let (first, rest) = rest.split_first_chunk::<4>()?;
        let member = Member(u32::from_le_bytes(*first));
        match (tag, rest) {
            (0, others) => {
                let (others, []) = others.as_chunks::<4>() else { return None };
                let others = others.iter().map(|id| Member(u32::from_le_bytes(*id))).collect();
                Some(FromRelay::Welcome { you: member, others })
            }
            (1, []) => Some(FromRelay::Joined(member)),
            (2, []) => Some(FromRelay::Left(member)),
            (3, payload) => Some(FromRelay::Message { from: member, payload }),
            _ => None,
        }
    }
}

fn tagged(tag: u8, Member(id): Member, payload: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(FROM_LEN + payload.len());
    frame.push(tag);
    frame.extend_from_slice(&id.to_le_bytes());
    frame.extend_from_slice(payload);
    frame
}

/// Why the relay closed a connection: the codes of WebSocket's private range, and what a peer does about them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// The room is full: coming back does not help until somebody goes.
    Full,
    /// Messages piled up because this peer read too slowly: it may come back at once.
    Slow,
    /// A frame that is none.
    Malformed,
    /// Nothing was heard for too long.
    Idle,
    /// Too many tables or connections of this address.
    TooMany,
    /// Too many members of this address in the room.
    Crowded,
    /// A message is too large.
    TooLarge,
    /// The server goes down; it is expected back.
    Away,
}

/// Code, what it means, and the words of the close frame.
const CODES: [(u16, Closed, &str); 8] = [
    (4000, Closed::Full, "the room is full"),
    (4001, Closed::Slow, "reading too slowly"),
    (4002, Closed::Malformed, "not a frame of the relay"),
    (4003, Closed::Idle, "nothing heard for too long"),
    (4004, Closed::TooMany, "too many tables of this address"),
    (4005, Closed::Crowded, "too many connections of this address to the room"),
    (1009, Closed::TooLarge, "the message is too large"),
    (1001, Closed::Away, "the server goes down"),
];

impl Closed {
    /// The code of the close frame.
    pub fn code(self) -> u16 {
        self.row().0
    }

    /// The words of the close frame.
    pub fn reason(self) -> &'static str {
        self.row().2
    }

    /// What a code means; nothing if it is not one of the relay's.
    pub fn of_code(code: u16) -> Option<Self> {
        CODES.iter().find(|row| row.0 == code).map(|row| row.1)
    }

    fn row(self) -> (u16, Closed, &'static str) {
        CODES.into_iter().find(|row| row.1 == self).unwrap_or(CODES[7])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_round_trip() {
        for to in [To::Others, To::One(Member(0)), To::One(Member(77))] {
            assert_eq!(To::read(&to.frame(b"abc")), Some((to, &b"abc"[..])));
        }
        for frame in [
            FromRelay::Welcome { you: Member(3), others: vec![] },
            FromRelay::Welcome { you: Member(3), others: vec![Member(1), Member(2)] },
            FromRelay::Joined(Member(9)),
            FromRelay::Left(Member(u32::MAX)),
            FromRelay::Message { from: Member(1), payload: b"" },
            FromRelay::Message { from: Member(1), payload: b"xyz" },
        ] {
            assert_eq!(FromRelay::read(&frame.to_bytes()), Some(frame.clone()));
        }
    }

    #[test]
    fn other_bytes_are_no_frames() {
        assert_eq!(To::read(&[1, 2, 3]), None);
        for bytes in
            [&[][..], &[3], &[3, 0, 0, 0], &[1, 0, 0, 0, 0, 0], &[0, 1, 0, 0, 0, 2], &[4, 0, 0, 0, 0]]
        {
            assert_eq!(FromRelay::read(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn codes_round_trip() {
        for (code, closed, words) in CODES {
            assert_eq!((Closed::of_code(code), closed.code(), closed.reason()), (Some(closed), code, words));
        }
        assert_eq!(Closed::of_code(1000), None);
    }
}
