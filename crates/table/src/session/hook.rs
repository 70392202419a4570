//! The hook through which simulated cheaters see what their session signs. No honest session has one.

use super::PeerSession;
use crate::plan::Duty;
use crate::wire::Signed;

/// Sees every contribution of a session's own seat before it is stored and sent.
pub(crate) trait ContributionHook {
    /// Notes that the seat has made its contribution to a phase, other than an action. `duty` is what it
    /// owed. The contribution is not stored or sent yet.
    fn duty_made(&mut self, session: &PeerSession, duty: &Duty);

    /// Notes that the seat has made the action `signed`. `text` is its canonical text. The action is not sent
    /// yet.
    fn action_made(&mut self, session: &PeerSession, signed: &Signed, text: &str);

    /// Returns the material that a cheater has prepared so far.
    fn scheme(&self) -> &super::Scheme;
}

impl PeerSession {
    /// Calls the hook of a simulated cheater; does nothing in an honest session. The hook only reads the
    /// session.
    pub(super) fn run_hook(&mut self, call: impl FnOnce(&mut dyn ContributionHook, &PeerSession)) {
        if let Some(mut hook) = self.hook.take() {
            call(&mut *hook, self);
            self.hook = Some(hook);
        }
    }
}
