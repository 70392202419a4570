//! Rooms of a server with several processes.
//!
//! The proxy sends all members of a table to one process. When that process dies, they go to another one, and when it is
//! back, new members go to it again while old ones are still elsewhere. So each process notes in the database which rooms
//! it opens. The last one that has opened a room has it; all others close it, and their members connect again.

use super::Hub;
use pentarchy_net::TableId;
use pentarchy_storage::{SqlStorage, StorageError};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

/// How often the openings of other processes are read if nothing announces them.
const POLL: Duration = Duration::from_secs(30);
/// The pause after a failure of the database.
const PAUSE: Duration = Duration::from_secs(1);
/// Maximum rooms that are noted with one write.
const BATCH: usize = 256;

/// What a process tells the others about its rooms.
pub(crate) struct RoomMoves {
    storage: Arc<SqlStorage>,
    /// The random number of this process.
    process: u64,
    /// The last opening before this process started.
    start: u64,
    /// Rooms that were opened here and are not noted yet.
    opened: Mutex<BTreeSet<TableId>>,
    has_opened: Notify,
}

impl RoomMoves {
    /// Creates the part of a process that has opened no rooms yet. Openings of other processes count from now on.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read, or there is no random number.
    pub(crate) async fn new(storage: Arc<SqlStorage>) -> Result<Self, StorageError> {
        let start = storage.last_room_opening().await?;
        let process = getrandom::u64().map_err(|error| StorageError::Unavailable(error.to_string()))?;
        Ok(Self { storage, process, start, opened: Mutex::default(), has_opened: Notify::new() })
    }

    /// Notes that a room was opened here, and wakes the task that tells the others. They learn it only
    /// while [`RoomMoves::run`] runs.
    pub(super) fn note_opened(&self, table: TableId) {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).insert(table);
        self.has_opened.notify_one();
    }

    /// Tells other processes which rooms of `hub` are opened, and closes those that they have opened later, until the
    /// future is dropped. Goes on when the database fails, and logs it.
    pub(super) async fn run(&self, hub: &Hub) {
        let wake = Arc::new(Notify::new());
        tokio::join!(
            self.storage.listen(Arc::clone(&wake)),
            self.follow(hub, &wake),
            self.publish_opened(hub)
        );
    }

    /// Writes the rooms that are noted as opened here to the database, many at once, until the future is
    /// dropped. If that fails, logs it and tries again after a pause those that still have members.
    async fn publish_opened(&self, hub: &Hub) {
        loop {
            self.has_opened.notified().await;
            loop {
                let tables = self.take_opened(hub);
                if tables.is_empty() {
                    break;
                }
                if let Err(error) = self.storage.open_rooms(self.process, tables.clone()).await {
                    tracing::warn!(%error, "cannot tell other processes about rooms");
                    self.opened.lock().unwrap_or_else(PoisonError::into_inner).extend(tables);
                    sleep(PAUSE).await;
                }
            }
        }
    }

    /// Removes at most [`BATCH`] of the noted rooms that still have members, and returns them. Rooms
    /// without members that it passes are forgotten.
    fn take_opened(&self, hub: &Hub) -> Vec<TableId> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let mut taken = Vec::new();
        while taken.len() < BATCH
            && let Some(table) = opened.pop_first()
        {
            if hub.members(&table) > 0 {
                taken.push(table);
            }
        }
        taken
    }

    /// Reads the openings of all processes when `wake` is notified and every [`POLL`], and closes the rooms
    /// here that another process has opened last, until the future is dropped. If reading fails, logs it
    /// and tries again after a pause.
    async fn follow(&self, hub: &Hub, wake: &Notify) {
        let mut after = self.start;
        loop {
            match self.storage.room_openings(after).await {
                Ok(openings) if openings.is_empty() => {
                    timeout(POLL, wake.notified()).await.ok();
                }
                Ok(openings) => {
                    after = openings.last().map_or(after, |last| last.number);
                    let owners: HashMap<TableId, u64> =
                        openings.iter().map(|opening| (opening.table, opening.process)).collect();
                    let elsewhere = owners.iter().filter(|(_, process)| **process != self.process);
                    elsewhere.for_each(|(table, _)| hub.close_moved(table));
                }
                Err(error) => {
                    tracing::warn!(%error, "cannot read which process has which room");
                    sleep(PAUSE).await;
                }
            }
        }
    }
}
