//! Continuing a match from what this machine has stored.

use crate::Lobby;
use crate::signed_start::SignedStart;
use pentarchy_net::MailCursor;
use pentarchy_table::{Descriptor, PeerSession, RestoreError};

/// The first byte of a stored item: the number of the session that it belongs to, or one of these marks.
pub(crate) const SIGNED_START: u8 = u8::MAX;
/// Marks the identifier of a table that this device has agreed to.
pub(crate) const AGREED: u8 = u8::MAX - 1;
/// Marks the cursor of the mail that was handled.
pub(crate) const MAIL_CURSOR: u8 = u8::MAX - 2;
/// Marks the descriptor whose terms the player has confirmed.
pub(crate) const CONFIRMED: u8 = u8::MAX - 3;

impl Lobby {
    /// Returns the item that a caller may store like the persisted ones, so that [`restore`](Self::restore) knows which
    /// terms the player has confirmed; `None` if they have confirmed none. A later item replaces an earlier one.
    pub fn confirmed_terms_item(&self) -> Option<Vec<u8>> {
        self.confirmed.as_ref().map(|table| [&[CONFIRMED], &table.encode()[..]].concat())
    }

    /// Restores a match from all persisted items, in order. Call it before [`start`](Self::start), with the
    /// same seed, and with the same bots seated. If a crash has left less than the keys of this peer's seat,
    /// nothing was ever sent: then the match has not started here, and there is no session afterwards. A host
    /// signs a start that is not stored again. Nothing is sent.
    ///
    /// # Errors
    ///
    /// Fails with `Damaged` and the number of an item that is malformed or belongs to no session, or
    /// with the error of a session whose items are damaged or belong to another version of the protocol or of
    /// the rules. The lobby must not be used then.
    pub fn restore(&mut self, persisted: impl Iterator<Item = Vec<u8>>) -> Result<(), RestoreError> {
        let mut logs = vec![Vec::new(); self.bots.len() + 1];
        let mut signed_start = None;
        for (at, item) in persisted.enumerate() {
            let Some((&mark, item)) = item.split_first() else { return Err(RestoreError::Damaged(at)) };
            if mark == SIGNED_START {
                // A later start replaces an earlier one of which a crash has left nothing.
                signed_start = Some(postcard::from_bytes(item).map_err(|_| RestoreError::Damaged(at))?);
                logs.iter_mut().for_each(Vec::clear);
                self.mail.stored = MailCursor::default();
                continue;
            }
            if mark == MAIL_CURSOR {
                self.mail.stored = postcard::from_bytes(item).map_err(|_| RestoreError::Damaged(at))?;
                continue;
            }
            if mark == AGREED {
                self.agreed.insert(item.try_into().map_err(|_| RestoreError::Damaged(at))?);
                continue;
            }
            if mark == CONFIRMED {
                self.confirmed = Some(Descriptor::decode(item).map_err(|_| RestoreError::Damaged(at))?);
                continue;
            }
            let log = logs.get_mut(usize::from(mark)).ok_or(RestoreError::Damaged(at))?;
            // A bot's session that was started again after a crash repeats its first item.
            if log.len() == 1 && log[0] == item {
                continue;
            }
            log.push(item.to_vec());
        }
        let mut logs = logs.into_iter();
        let Some(own) = logs.next().filter(|log| has_keys(log)) else {
            self.mail.stored = MailCursor::default();
            return Ok(());
        };
        let session = PeerSession::restore(self.find, own.into_iter(), self.draw_entropy())?;
        self.signed_start = signed_start;
        if self.is_host() && self.signed_start.is_none() {
            self.signed_start = Some(SignedStart::new(&self.identity, session.descriptor().encode()));
        }
        self.session = Some(session);
        for (number, log) in logs.enumerate().filter(|(_, log)| has_keys(log)) {
            let session = PeerSession::restore(self.find, log.into_iter(), self.draw_entropy())?;
            self.bots[number].1 = Some(session);
        }
        Ok(())
    }
}

/// Returns whether a stored session has its second item, which holds its keys. Nothing is sent before it is
/// stored.
fn has_keys(log: &[Vec<u8>]) -> bool {
    log.len() > 1
}
