//! Cheaters and oracles for tests. This module is in the place of `honest` with the feature `cheat` only.
//!
//! | module | concept |
//! | --- | --- |
//! | `scheme` | what a cheater prepares beside its honest contributions |
//! | `forgery` | messages of a page with a changed script |
//! | `resign` | any message, signed again, for fuzz targets |
//! | `history`, `difference` | what oracles read of a session |

mod difference;
mod forgery;
mod history;
mod resign;
mod scheme;

pub(crate) use super::snapshot::is_snapshot;
pub use forgery::Forgery;
pub(super) use scheme::Scheme;

use super::PeerSession;
use crate::plan::Duty;
use crate::wire::Signed;

/// The hook by which a cheater sees what its session signs: what it has prepared so far; `None` in an honest session.
pub(super) struct CheatHook(Option<Box<Scheme>>);

impl CheatHook {
    /// The hook of an honest session.
    pub(super) const NONE: Self = CheatHook(None);

    /// Notes that the seat has made its contribution to a phase, other than an action. `duty` is what it owed. The
    /// contribution is not stored or sent yet.
    pub(super) fn note_duty(&mut self, duty: &Duty) {
        if let Some(scheme) = &mut self.0 {
            scheme.duty = Some(duty.clone());
        }
    }
}

impl PeerSession {
    /// Makes this session remember, from its next contribution on, what it owed and alternatives to its actions, as a
    /// cheater needs them. The session itself stays honest. What was prepared before is forgotten.
    pub(crate) fn turn_bad(&mut self) {
        self.hook.0 = Some(Box::default());
    }

    /// Returns what this session has prepared for its last contribution; `None` if [`Self::turn_bad`] was not called.
    pub(crate) fn scheme(&self) -> Option<&Scheme> {
        self.hook.0.as_deref()
    }

    /// Notes that the seat has made the action `signed`, which is not stored or sent yet: prepares alternatives to it, in
    /// place of everything prepared before. `text` is its canonical text.
    pub(super) fn note_action(&mut self, signed: &Signed, text: &str) {
        if self.hook.0.is_some() {
            self.hook.0 = Some(Box::new(self.prepare_scheme(signed, text)));
        }
    }
}
