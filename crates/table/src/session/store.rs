//! Persistence: an append-only store of everything that the session accepted or signed, and a session restored from it.
//! Nothing is signed a second time: after a crash the stored bytes are sent again. Otherwise a seat could sign two different
//! messages for one place, which is proof of cheating.

use super::snapshot::{PlacedSnapshot, Saver, is_snapshot};
use super::{PeerSession, SessionRequest};
use crate::descriptor::{Descriptor, DescriptorError};
use crate::record::Ending;
use crate::wire::{Message, WireError};
use pentarchy_engine::AnyGame;
use pentarchy_fair::Entropy;
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

/// The store as the session sees it.
pub(super) struct Storage {
    pub(super) snapshots: Saver,
    /// Only [`PeerSession::without_outputs`] changes it, so that no return can leave it set.
    restoring: bool,
}

impl Storage {
    /// Creates the store of a session for which nothing is stored yet and that is not being restored. `snapshots`
    /// keeps account of its items.
    pub(super) fn new(snapshots: Saver) -> Self {
        Self { snapshots, restoring: false }
    }

    /// Returns whether a stored session is being read, or the log is replayed: nothing is sent, stored or reported then.
    pub(super) fn is_restoring(&self) -> bool {
        self.restoring
    }
}

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

/// A stored session cannot be restored.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RestoreError {
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
    Message(#[from] WireError),
    /// The table cannot be opened.
    #[error(transparent)]
    Descriptor(#[from] DescriptorError),
    /// The game is not known here.
    #[error("there is no game `{0}` here")]
    NoGame(String),
}

impl PeerSession {
    /// Runs `replay` while [`Storage::is_restoring`] returns `true`, so that it sends, stores and reports nothing, and
    /// returns its result. Afterwards the flag is what it was before. Calls may be nested.
    pub(super) fn without_outputs<T>(&mut self, replay: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.storage.restoring, true);
        let result = replay(self);
        self.storage.restoring = before;
        result
    }

    /// Requests that an item is stored, and counts it for the snapshots; no effect for a spectator and while
    /// a stored session is read.
    pub(super) fn persist(&mut self, item: &Stored) {
        if !self.storage.is_restoring() && self.me.is_some() {
            let bytes = postcard::to_allocvec(item).unwrap_or_default();
            self.storage.snapshots.note(&bytes);
            self.request(SessionRequest::Persist(bytes));
        }
    }

    /// Requests that a message is stored; no effect for a spectator and while a stored session is read.
    pub(super) fn persist_message(&mut self, message: &Message) {
        if !self.storage.is_restoring() && self.me.is_some() {
            let bytes = message.encode(&self.id);
            self.persist(&Stored::Message(bytes));
        }
    }

    /// Restores a session from everything it persisted, in order. If a crash has cut the last item short, it
    /// is left out: nothing that depends on it was sent. What a sound snapshot covers is not verified again.
    /// `find` finds a game by its name; `entropy` are 32 fresh bytes from the operating system. The session
    /// has no outputs before the next input. If the player of this seat had given up, the game has ended for
    /// it. Its clock starts at 0 again, and no seat is late.
    ///
    /// # Errors
    ///
    /// Fails with `Empty` if there is nothing, `Damaged`, `Message` or `Unfit` if an item that is no snapshot
    /// is damaged or does not follow from those before it, and `NoGame` or `Descriptor` if the game is
    /// unknown or the descriptor cannot be used.
    pub fn restore(
        find: impl Fn(&str) -> Option<&'static dyn AnyGame>,
        persisted: impl Iterator<Item = Vec<u8>>,
        entropy: Entropy,
    ) -> Result<Self, RestoreError> {
        let mut items = persisted.enumerate().peekable();
        let (_, first) = items.next().ok_or(RestoreError::Empty)?;
        let Ok(Stored::Created { descriptor, seat, seed }) = postcard::from_bytes(&first) else {
            return Err(RestoreError::Damaged(0));
        };
        let descriptor = Descriptor::decode(&descriptor)?;
        let game = find(&descriptor.game).ok_or_else(|| RestoreError::NoGame(descriptor.game.clone()))?;
        let mut session = Self::build(game, descriptor, seat, &Zeroizing::new(seed))?;
        session.draw.mix(entropy);
        session.storage.snapshots.note(&first);
        // The log after its first item, with the number of each in the store; and the snapshots, each with its place.
        let (mut log, mut snapshots) = (Vec::new(), Vec::new());
        while let Some((at, bytes)) = items.next() {
            if is_snapshot(&bytes) {
                snapshots.push(PlacedSnapshot { place: session.storage.snapshots.place(), item: bytes });
                continue;
            }
            let item = match postcard::from_bytes(&bytes) {
                Ok(Stored::Message(message)) => Item::Message(Message::decode(&session.id, &message)?),
                Ok(Stored::Mine(text)) => Item::Mine(text),
                Err(_) if items.peek().is_none() => break,
                Ok(Stored::Created { .. }) | Err(_) => return Err(RestoreError::Damaged(at)),
            };
            session.storage.snapshots.note(&bytes);
            log.push((at, item));
        }
        session.without_outputs(|session| session.reread_all(log, &snapshots))?;
        // Who has given up does not go on after a restart.
        let claim = session.claims().into_iter().find(|(author, _)| Some(*author) == seat);
        session.status.ending = session.status.ending.or(claim.map(|(_, late)| Ending::Claimed(late)));
        // What is drawn from now on was never drawn before, even if the fresh bytes are not fresh.
        session.draw.drawn = session.storage.snapshots.place().0 << 32;
        session.out.clear();
        session.turn.ask_again();
        session.reported_trust = session.trust.clone();
        Ok(session)
    }

    /// Takes the stored items again: those of the opening, then the last sound snapshot in place of what it
    /// covers, then what was stored after it, which is verified. Without a sound snapshot everything is
    /// verified. `log` are the items after the first, without snapshots, each with its number in the store.
    /// Call it without outputs.
    ///
    /// # Errors
    ///
    /// Fails with `Unfit` if an item does not follow from those before it.
    fn reread_all(
        &mut self,
        log: Vec<(usize, Item)>,
        snapshots: &[PlacedSnapshot],
    ) -> Result<(), RestoreError> {
        let mut done = 0;
        while let Some((at, item)) = log.get(done).filter(|_| !self.log.is_open()) {
            self.reread_item(*at, item)?;
            done += 1;
        }
        let steps = || {
            log.iter().map(|(_, item)| match item {
                Item::Message(Message::Step(signed)) => Some(signed),
                _ => None,
            })
        };
        if self.log.is_open()
            && let Some(covered) = self.load(steps, snapshots)
        {
            done = done.max(covered);
            self.advance();
        }
        log[done..].iter().try_for_each(|(at, item)| self.reread_item(*at, item))
    }

    /// Takes one stored item, number `at` of the store: a message, after which the session advances, or the
    /// text of this player's own action, which is remembered for the step to come.
    ///
    /// # Errors
    ///
    /// Fails with `Unfit` if a message does not follow from the items before it.
    fn reread_item(&mut self, at: usize, item: &Item) -> Result<(), RestoreError> {
        match item {
            Item::Mine(text) => self.turn.made = Some(text.clone()),
            Item::Message(message) => {
                self.reread(message.clone()).map_err(|why| RestoreError::Unfit { at, why })?;
                self.advance();
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TablePlayer;
    use crate::session::testbed::Testbed;
    use crate::session::{Input, SessionOutput};
    use pentarchy_fair::{Entropy, SigningSecret};

    fn restore(bed: &Testbed, disk: &[Vec<u8>]) -> Result<PeerSession, RestoreError> {
        PeerSession::restore(|_| Some(bed.game), disk.iter().cloned(), Entropy::new([7; 32]))
    }

    fn played() -> Testbed {
        let mut bed = Testbed::new("leduc", 2, 1);
        bed.play(8);
        bed
    }

    #[test]
    fn an_item_that_a_crash_has_cut_is_left_out_if_it_is_the_last() {
        let bed = played();
        let disk = &bed.disks[0];
        let whole = restore(&bed, &disk[..disk.len() - 1]).unwrap();
        let mut cut = disk.clone();
        cut.last_mut().unwrap().truncate(3);
        assert_eq!(restore(&bed, &cut).unwrap().difference(&whole), None);
        for at in 0..disk.len() - 1 {
            let mut damaged = disk.clone();
            damaged[at].truncate(1);
            assert_eq!(restore(&bed, &damaged).err(), Some(RestoreError::Damaged(at)));
        }
    }

    #[test]
    fn a_store_with_missing_foreign_or_repeated_items_is_refused() {
        let (bed, other) = (played(), Testbed::new("leduc", 2, 2));
        let disk = &bed.disks[0];
        assert_eq!(restore(&bed, &[]).err(), Some(RestoreError::Empty));
        assert_eq!(restore(&bed, &disk[1..]).err(), Some(RestoreError::Damaged(0)), "no beginning");
        let no_game = PeerSession::restore(|_| None, disk.iter().cloned(), Entropy::new([7; 32]));
        assert_eq!(no_game.err(), Some(RestoreError::NoGame("leduc".into())));
        let mut twice = disk.clone();
        twice.insert(3, disk[0].clone());
        assert_eq!(restore(&bed, &twice).err(), Some(RestoreError::Damaged(3)), "two beginnings");
        let mut foreign = disk.clone();
        foreign[1] = other.disks[0][1].clone();
        assert!(matches!(restore(&bed, &foreign), Err(RestoreError::Message(_))), "of another table");
        let is_step = |item: &Vec<u8>| match postcard::from_bytes(item) {
            Ok(Stored::Message(bytes)) => {
                matches!(Message::decode(&bed.sessions[0].id, &bytes), Ok(Message::Step(_)))
            }
            _ => false,
        };
        let mut gap = disk.clone();
        let first = gap.iter().position(is_step).unwrap();
        gap.remove(first);
        assert!(matches!(restore(&bed, &gap), Err(RestoreError::Unfit { .. })), "a message is missing");
    }

    #[test]
    fn nothing_is_stored_sent_or_reported_while_a_stored_session_is_read() {
        let mut bed = played();
        let session = &mut bed.sessions[0];
        session.without_outputs(|session| {
            session.persist(&Stored::Mine("call".into()));
            assert!(session.handle(Input::Chat("hello")).is_empty());
            assert!(session.handle(Input::Connected(1)).is_empty());
        });
        session.persist(&Stored::Mine("call".into()));
        let stored = |output: &SessionOutput| {
            matches!(output, SessionOutput::Request(SessionRequest::Persist(item))
                if matches!(postcard::from_bytes(item), Ok(Stored::Mine(text)) if text == "call"))
        };
        assert!(std::mem::take(&mut session.out).iter().any(stored));
        let mut spectator = PeerSession::watch(bed.game, bed.descriptor.clone()).unwrap();
        spectator.persist(&Stored::Mine("call".into()));
        assert!(spectator.out.is_empty(), "a spectator stores nothing");
    }

    #[test]
    fn a_store_of_a_seat_that_no_table_has_is_refused() {
        let game = pentarchy_registry::find("kuhn").unwrap();
        let player = |i| TablePlayer {
            identity: *SigningSecret::new(Entropy::new([i; 32])).public().bytes(),
            name: String::new(),
            host: None,
        };
        let players = vec![player(1), player(2)];
        let descriptor = Descriptor::new(game, &serde_json::json!({}), players, [9; 32]).unwrap().encode();
        let restored = |seat| {
            let created = Stored::Created { descriptor: descriptor.clone(), seat, seed: [3; 32] };
            PeerSession::restore(
                |_| Some(game),
                [postcard::to_allocvec(&created).unwrap()].into_iter(),
                Entropy::new([7; 32]),
            )
        };
        for seat in [None, Some(0), Some(1)] {
            assert!(restored(seat).is_ok(), "{seat:?}");
        }
        for seat in [2, 7, 8, 31, 32, 40, 255] {
            assert!(matches!(restored(Some(seat)), Err(RestoreError::Descriptor(_))), "{seat}");
        }
    }
}
