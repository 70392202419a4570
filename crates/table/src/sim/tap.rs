//! What an observer of the wire learns from a message, for simulations that check who signs what.

use crate::wire::{Message, Place};
use pentarchy_fair::GameId;

/// A message in which a seat speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tapped {
    /// The seat in whose name it is.
    pub seat: u8,
    /// For a contribution to the log: its epoch, step and phase.
    pub place: Option<(u16, u32, u8)>,
    /// For a contribution: the hash that the seat has signed.
    pub content: [u8; 32],
}

/// Reads a message of a session; `None` if it is malformed, or no seat speaks in it. Signatures are not
/// checked. `game` is the identifier of the game. `place` is `None` and `content` zero if the message is no
/// contribution.
pub fn tap(game: &GameId, bytes: &[u8]) -> Option<Tapped> {
    let plain = |seat| Some(Tapped { seat, place: None, content: [0; 32] });
    match Message::decode(game, bytes).ok()? {
        Message::Step(signed) => {
            let Place { epoch, seq, phase, seat } = signed.place;
            Some(Tapped { seat, place: Some((epoch, seq, phase)), content: signed.content(game) })
        }
        Message::Keys { seat, .. } | Message::Start { seat, .. } => plain(seat),
        Message::Seals(seals) => plain(seals.seat),
        Message::Statement(said) => plain(said.seat),
        Message::Complaint(complaint) => plain(complaint.seat),
        Message::Standing(_) | Message::Links { .. } | Message::Proof(_) => None,
    }
}
