//! Signs any message with the keys of a seat, for fuzz targets.

use crate::session::PeerSession;
use crate::wire::{Complaint, Message, Seals, SignedStatement};

impl PeerSession {
    /// Returns the message with this seat as its author, signed again. Of a proof of cheating only the
    /// messages of this seat are signed again; a complaint only if the shares that it is about have arrived.
    /// Messages without a signature of the session key stay as they are. `None` if the bytes are no message
    /// of this table, or this is a spectator.
    pub fn resigned(&self, message: &[u8]) -> Option<Vec<u8>> {
        let mut message = Message::decode(&self.id, message).ok()?;
        let seat = self.seat()?;
        match &mut message {
            Message::Step(signed) => {
                signed.place.seat = seat;
                self.resign(signed);
            }
            Message::Proof(list) => {
                list.iter_mut()
                    .filter(|signed| signed.place.seat == seat)
                    .for_each(|signed| self.resign(signed));
            }
            Message::Statement(said) => {
                said.seat = seat;
                said.signature =
                    self.sign_digest(&SignedStatement::content(&self.id, seat, &said.statement))?;
            }
            Message::Seals(seals) => {
                seals.seat = seat;
                seals.signature = self.sign_digest(&Seals::content(&self.id, seat, &seals.body))?;
            }
            Message::Complaint(complaint) => {
                complaint.seat = seat;
                if let Some(about) =
                    self.opening.seals.get(usize::from(complaint.dealer)).and_then(Option::as_ref)
                {
                    let content = Complaint::content(&self.id, seat, about, complaint.which, &complaint.body);
                    complaint.signature = self.sign_digest(&content)?;
                }
            }
            Message::Keys { .. } | Message::Start { .. } | Message::Standing(_) | Message::Links { .. } => {}
        }
        Some(message.encode(&self.id))
    }
}
