//! Forged messages of the player's session, for tests of how peers detect them. This module is in the place of `honest` with
//! the feature `cheat` only.

use crate::sessions::OWN;
use crate::{Lobby, LobbyOutput};
use pentarchy_table::sim::Forgery;
use pentarchy_table::{PeerSession, Recipient};

/// What the player forges, if anything.
pub(crate) struct OwnForgery(Option<Forgery>);

impl OwnForgery {
    /// Nothing is forged.
    pub(crate) const NONE: Self = OwnForgery(None);

    /// Returns the bytes to send in place of `message`, a message of the player's session `session`: the
    /// forged ones while a forgery is set that applies to this message, otherwise `message`.
    pub(crate) fn replace(&self, session: Option<&PeerSession>, message: Vec<u8>) -> Vec<u8> {
        self.0.and_then(|forgery| session?.forged(forgery, &message)).unwrap_or(message)
    }
}

impl Lobby {
    /// Forges messages of the player on their way to the others from now on, for tests of how that is
    /// detected: every action (`State`, `Illegal`), or one action out of turn as soon as another seat is to
    /// act (`Turn`, `Name`). Returns the outputs.
    pub fn forge(&mut self, forgery: Forgery) -> Vec<LobbyOutput> {
        self.forgery.0 = Some(forgery);
        self.session.as_mut().into_iter().for_each(PeerSession::prepare_forgery);
        self.take_outputs()
    }

    /// Sends the action out of turn of a forgery to all, once another seat is to act, and ends the forgery.
    /// Does nothing without a forgery of that kind.
    pub(crate) fn send_uncalled(&mut self) {
        let session = self.session.as_ref();
        if let Some(message) = self.forgery.0.and_then(|forgery| session?.uncalled(forgery)) {
            self.forgery.0 = None;
            self.route_message(OWN, Recipient::All, message, false);
        }
    }
}
