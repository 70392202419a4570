//! What is stored, and a session made again from it. Nothing is ever computed and signed a second time: after a crash
//! the stored bytes are sent again.

use super::snapshot::PlacedSnapshot;
use super::snapshot::is_snapshot;
use super::{Output, Session};
use crate::descriptor::{Descriptor, Unusable};
use crate::wire::{Message, Unreadable};
use pentarchy_engine::AnyGame;
use pentarchy_fair::Entropy;
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

/// One stored item.
#[derive(Serialize, Deserialize)]
pub(super) enum Stored {
    /// The beginning.
    Created { descriptor: Vec<u8>, seat: Option<u8>, seed: [u8; 32] },
    /// A message that was accepted, or made.
    Message(#[serde(with = "crate::wire::whole")] Vec<u8>),
    /// This seat's next action, with its secret choice.
    Mine(String),
}

/// One stored item of the log, read.
enum Item {
    Message(Message),
    Mine(String),
}

/// Why a stored session could not be made again.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotRestored {
    /// Nothing is stored.
    #[error("nothing is stored")]
    Empty,
    /// An item is damaged.
    #[error("item {0} of what is stored is damaged")]
    Damaged(usize),
    /// A message of the game does not follow from those before it.
    #[error("item {at} of what is stored does not fit: {why}")]
    Unfit {
        /// Its number.
        at: usize,
        /// Why.
        why: String,
    },
    /// A message cannot be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// The table cannot be opened.
    #[error(transparent)]
    Unusable(#[from] Unusable),
    /// The game is not known here.
    #[error("there is no game `{0}` here")]
    NoGame(String),
}

impl Session {
    pub(super) fn persist(&mut self, item: &Stored) {
        if !self.restoring && self.me.is_some() {
            let bytes = postcard::to_allocvec(item).unwrap_or_default();
            self.saver.note(&bytes);
            self.out.push(Output::Persist(bytes));
        }
    }

    pub(super) fn persist_message(&mut self, message: &Message) {
        if !self.restoring && self.me.is_some() {
            let bytes = message.encode(&self.id);
            self.persist(&Stored::Message(bytes));
        }
    }

    /// Makes a session again from everything it persisted, in order. The last item may be cut short by a crash: it
    /// was then never sent, and is left out. What a sound snapshot covers is not verified again. `entropy` are 32 fresh
    /// bytes from the operating system.
    ///
    /// # Errors
    /// If there is nothing, or an item that is no snapshot is damaged or does not follow from those before it.
    pub fn restore(
        find: impl Fn(&str) -> Option<&'static dyn AnyGame>,
        persisted: impl Iterator<Item = Vec<u8>>,
        entropy: Entropy,
    ) -> Result<Self, NotRestored> {
        let mut items = persisted.enumerate().peekable();
        let (_, first) = items.next().ok_or(NotRestored::Empty)?;
        let Ok(Stored::Created { descriptor, seat, seed }) = postcard::from_bytes(&first) else {
            return Err(NotRestored::Damaged(0));
        };
        let descriptor = Descriptor::decode(&descriptor)?;
        let game = find(&descriptor.game).ok_or_else(|| NotRestored::NoGame(descriptor.game.clone()))?;
        let mut session = Self::build(game, descriptor, seat, &Zeroizing::new(seed))?;
        session.draw.mix(entropy);
        session.restoring = true;
        session.saver.note(&first);
        // The log after its first item, with the number of each in the store; and the snapshots, each with its place.
        let (mut log, mut snapshots) = (Vec::new(), Vec::new());
        while let Some((at, bytes)) = items.next() {
            if is_snapshot(&bytes) {
                snapshots.push(PlacedSnapshot { place: session.saver.place(), item: bytes });
                continue;
            }
            let item = match postcard::from_bytes(&bytes) {
                Ok(Stored::Message(message)) => Item::Message(Message::decode(&session.id, &message)?),
                Ok(Stored::Mine(text)) => Item::Mine(text),
                Err(_) if items.peek().is_none() => break,
                Ok(Stored::Created { .. }) | Err(_) => return Err(NotRestored::Damaged(at)),
            };
            session.saver.note(&bytes);
            log.push((at, item));
        }
        session.reread_all(log, &snapshots)?;
        // What is drawn from now on was never drawn before, even if the fresh bytes are not fresh.
        session.draw.drawn = session.saver.place().0 << 32;
        session.restoring = false;
        session.out.clear();
        session.asked = false;
        Ok(session)
    }

    /// Reads the opening, goes on from the last sound snapshot, and verifies what came after it.
    fn reread_all(
        &mut self,
        log: Vec<(usize, Item)>,
        snapshots: &[PlacedSnapshot],
    ) -> Result<(), NotRestored> {
        let mut done = 0;
        while let Some((at, item)) = log.get(done).filter(|_| self.prev == [0; 32]) {
            self.reread_item(*at, item)?;
            done += 1;
        }
        let steps = || {
            log.iter().map(|(_, item)| match item {
                Item::Message(Message::Step(signed)) => Some(signed),
                _ => None,
            })
        };
        if self.prev != [0; 32]
            && let Some(covered) = self.load(steps, snapshots)
        {
            done = done.max(covered);
            self.advance();
        }
        log[done..].iter().try_for_each(|(at, item)| self.reread_item(*at, item))
    }

    fn reread_item(&mut self, at: usize, item: &Item) -> Result<(), NotRestored> {
        match item {
            Item::Mine(text) => self.mine = Some(text.clone()),
            Item::Message(message) => {
                self.reread(message.clone()).map_err(|why| NotRestored::Unfit { at, why })?;
                self.advance();
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Player;
    use pentarchy_fair::{Entropy, SigningSecret};

    #[test]
    fn a_store_of_a_seat_that_no_table_has_is_refused() {
        let game = pentarchy_registry::find("kuhn").unwrap();
        let player = |i| Player {
            identity: *SigningSecret::new(Entropy::new([i; 32])).public().bytes(),
            name: String::new(),
            host: None,
        };
        let players = vec![player(1), player(2)];
        let descriptor = Descriptor::new(game, &serde_json::json!({}), players, [9; 32]).unwrap().encode();
        let restored = |seat| {
            let created = Stored::Created { descriptor: descriptor.clone(), seat, seed: [3; 32] };
            Session::restore(
                |_| Some(game),
                [postcard::to_allocvec(&created).unwrap()].into_iter(),
                Entropy::new([7; 32]),
            )
        };
        for seat in [None, Some(0), Some(1)] {
            assert!(restored(seat).is_ok(), "{seat:?}");
        }
        for seat in [2, 7, 8, 31, 32, 40, 255] {
            assert!(matches!(restored(Some(seat)), Err(NotRestored::Unusable(_))), "{seat}");
        }
    }
}
