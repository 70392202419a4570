//! Entries in memory.

use super::{Answer, Entry, NotStored, Room, Store};
use pentarchy_net::TableId;
use std::collections::BTreeMap;
use std::future::ready;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The lobby of a single server.
#[derive(Default)]
pub struct Memory(Mutex<BTreeMap<TableId, Entry>>);

impl Memory {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<TableId, Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn insert(&self, mut entry: Entry, room: Room, now: u64) -> Result<bool, NotStored> {
        let mut entries = self.lock();
        entries.retain(|_, entry| entry.until > now);
        if let Some(old) = entries.get(&entry.table) {
            entry.since = old.since;
        } else {
            if entries.len() >= room.entries {
                return Err(NotStored::Full);
            }
            if entries.values().filter(|other| other.source == entry.source).count() >= room.per_source {
                return Err(NotStored::TooMany);
            }
        }
        Ok(entries.insert(entry.table, entry).is_none())
    }
}

impl Store for Memory {
    fn put(&self, entry: Entry, room: Room, now: u64) -> Answer<'_, bool> {
        Box::pin(ready(self.insert(entry, room, now)))
    }

    fn get(&self, table: TableId, now: u64) -> Answer<'_, Option<Entry>> {
        let entry = self.lock().get(&table).filter(|entry| entry.until > now).cloned();
        Box::pin(ready(Ok(entry)))
    }

    fn remove(&self, table: TableId) -> Answer<'_, bool> {
        Box::pin(ready(Ok(self.lock().remove(&table).is_some())))
    }

    fn list(&self, game: Option<String>, limit: usize, now: u64) -> Answer<'_, Vec<Entry>> {
        let entries = self.lock();
        let wanted =
            |entry: &&Entry| entry.until > now && game.as_ref().is_none_or(|g| *g == entry.listing.game);
        let mut found: Vec<Entry> = entries.values().filter(wanted).cloned().collect();
        found.sort_by_key(|entry| (std::cmp::Reverse(entry.since), entry.table));
        found.truncate(limit);
        Box::pin(ready(Ok(found)))
    }

    fn sweep(&self, now: u64) -> Answer<'_, usize> {
        let mut entries = self.lock();
        entries.retain(|_, entry| entry.until > now);
        Box::pin(ready(Ok(entries.len())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lobby::Listing;
    use pentarchy_net::{InviteKey, OwnerSecret};

    const ROOM: Room = Room { entries: 3, per_source: 2 };

    fn entry(i: u8, source: u64, since: u64) -> Entry {
        Entry {
            table: OwnerSecret::new([i; 32]).proof(&InviteKey([i; 16])).table(),
            listing: Listing {
                game: if i.is_multiple_of(2) { "kuhn" } else { "leduc" }.into(),
                title: String::new(),
                host: String::new(),
                seats: 2,
                taken: 1,
                key: String::new(),
            },
            source,
            since,
            until: since + 10,
        }
    }

    #[test]
    fn entries_are_bounded_renewed_and_forgotten() {
        let lobby = Memory::default();
        assert_eq!(lobby.insert(entry(0, 1, 100), ROOM, 100), Ok(true));
        assert_eq!(lobby.insert(entry(1, 1, 101), ROOM, 101), Ok(true));
        assert_eq!(lobby.insert(entry(2, 1, 101), ROOM, 101), Err(NotStored::TooMany));
        assert_eq!(lobby.insert(entry(2, 2, 102), ROOM, 102), Ok(true));
        assert_eq!(lobby.insert(entry(3, 3, 102), ROOM, 102), Err(NotStored::Full));
        assert_eq!(lobby.insert(entry(0, 1, 105), ROOM, 105), Ok(false));
        let since: Vec<u64> = lobby.lock().values().map(|entry| entry.since).filter(|s| *s == 100).collect();
        assert_eq!(since, [100], "renewed, not listed anew");
        assert_eq!(lobby.insert(entry(3, 3, 113), ROOM, 113), Ok(true), "two have vanished");
        assert_eq!(lobby.lock().len(), 2);
    }

    #[tokio::test]
    async fn lists_are_filtered_and_the_newest_comes_first() {
        let lobby = Memory::default();
        for i in 0..3 {
            lobby.insert(entry(i, i.into(), 100 + u64::from(i)), ROOM, 100).unwrap();
        }
        let titles = |entries: Vec<Entry>| entries.iter().map(|entry| entry.since).collect::<Vec<_>>();
        assert_eq!(titles(lobby.list(None, 9, 105).await.unwrap()), [102, 101, 100]);
        assert_eq!(titles(lobby.list(Some("kuhn".into()), 9, 105).await.unwrap()), [102, 100]);
        assert_eq!(titles(lobby.list(None, 1, 105).await.unwrap()), [102]);
        assert_eq!(titles(lobby.list(None, 9, 111).await.unwrap()), [102]);
        assert_eq!(lobby.sweep(111).await, Ok(1));
        assert!(lobby.get(entry(2, 2, 102).table, 111).await.unwrap().is_some());
        assert!(lobby.get(entry(2, 2, 102).table, 112).await.unwrap().is_none());
    }
}
