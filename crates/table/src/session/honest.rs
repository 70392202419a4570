//! The hook for cheaters in a program without them: it does nothing. With the feature `cheat` the module `cheat` is in
//! its place.

use super::PeerSession;
use crate::plan::Duty;
use crate::wire::Signed;

/// The hook of an honest session: nobody sees what it signs.
pub(super) struct CheatHook;

impl CheatHook {
    /// The hook of an honest session.
    pub(super) const NONE: Self = CheatHook;

    /// Does nothing. Called when the seat has made a contribution to a phase, other than an action.
    pub(super) fn note_duty(&mut self, _duty: &Duty) {}
}

impl PeerSession {
    /// Does nothing. Called when the seat has made the action `signed`.
    pub(super) fn note_action(&mut self, _signed: &Signed, _text: &str) {}
}
