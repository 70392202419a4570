//! The hook for forged messages in a program that has none: it does nothing. With the feature `cheat` the module `forging`
//! is in its place.

use crate::Lobby;
use pentarchy_table::PeerSession;

/// Nothing: every message is sent as it is.
pub(crate) struct OwnForgery;

impl OwnForgery {
    /// Nothing is forged.
    pub(crate) const NONE: Self = OwnForgery;

    /// Returns `message` unchanged.
    pub(crate) fn replace(&self, _session: Option<&PeerSession>, message: Vec<u8>) -> Vec<u8> {
        message
    }
}

impl Lobby {
    /// Does nothing. Called before the outputs of an input are returned.
    pub(crate) fn send_uncalled(&mut self) {}
}
