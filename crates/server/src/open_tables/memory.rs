//! A store in memory.

use super::{ListedTable, StoreError, StoreFuture, StoreLimits, TableStore};
use pentarchy_net::TableId;
use std::collections::BTreeMap;
use std::future::ready;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The list of open tables of a single server.
#[derive(Default)]
pub struct MemoryStore(Mutex<BTreeMap<TableId, ListedTable>>);

impl MemoryStore {
    /// Locks the entries until the guard is dropped. A panic while they were locked leaves valid entries, so
    /// poisoning is ignored.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<TableId, ListedTable>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Inserts an entry, or replaces that of the same table, which keeps its `since`. Removes entries that have expired
    /// at `now` first, and those that expire later than the new one: they were listed while the clock was ahead. Returns
    /// whether the table is new.
    ///
    /// # Errors
    ///
    /// Fails with `Full` or `TooMany` if a new entry would exceed the limits of the store or of its source. Renewals
    /// never fail.
    fn insert(&self, mut entry: ListedTable, limits: StoreLimits, now: u64) -> Result<bool, StoreError> {
        let mut entries = self.lock();
        entries.retain(|_, old| old.until > now && (old.until <= entry.until || old.table == entry.table));
        if let Some(old) = entries.get(&entry.table) {
            entry.since = old.since.min(entry.since);
        } else {
            if entries.len() >= limits.entries {
                return Err(StoreError::Full);
            }
            if entries.values().filter(|other| other.source == entry.source).count() >= limits.per_source {
                return Err(StoreError::TooMany);
            }
        }
        Ok(entries.insert(entry.table, entry).is_none())
    }
}

impl TableStore for MemoryStore {
    /// Adds an entry, or renews that of the same table, which keeps its `since`; resolves to whether it is
    /// new at `now`. Fails with `Full` or `TooMany` if a new entry would exceed the limits.
    fn put(&self, entry: ListedTable, limits: StoreLimits, now: u64) -> StoreFuture<'_, bool> {
        Box::pin(ready(self.insert(entry, limits, now)))
    }

    /// Resolves to the entry of a table; `None` if it is not listed or has expired at `now`. Never fails.
    fn get(&self, table: TableId, now: u64) -> StoreFuture<'_, Option<ListedTable>> {
        let entry = self.lock().get(&table).filter(|entry| entry.until > now).cloned();
        Box::pin(ready(Ok(entry)))
    }

    /// Removes the entry of a table. Resolves to whether there was one that has not expired at `now`. Never
    /// fails.
    fn remove(&self, table: TableId, now: u64) -> StoreFuture<'_, bool> {
        let removed = self.lock().remove(&table);
        Box::pin(ready(Ok(removed.is_some_and(|entry| entry.until > now))))
    }

    /// Resolves to at most `limit` entries of one game, or of all for `None`, that have not expired at `now`:
    /// by descending `since`, equal ones by the name of the table. Never fails.
    fn list(&self, game: Option<String>, limit: usize, now: u64) -> StoreFuture<'_, Vec<ListedTable>> {
        let entries = self.lock();
        let wanted = |entry: &&ListedTable| {
            entry.until > now && game.as_ref().is_none_or(|g| *g == entry.listing.game)
        };
        let mut found: Vec<ListedTable> = entries.values().filter(wanted).cloned().collect();
        found.sort_by_key(|entry| (std::cmp::Reverse(entry.since), entry.table));
        found.truncate(limit);
        Box::pin(ready(Ok(found)))
    }

    /// Removes the entries that have expired at `now`. Resolves to the number of those that remain. Never
    /// fails.
    fn sweep(&self, now: u64) -> StoreFuture<'_, usize> {
        let mut entries = self.lock();
        entries.retain(|_, entry| entry.until > now);
        Box::pin(ready(Ok(entries.len())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open_tables::Listing;
    use pentarchy_net::{InviteKey, OwnerSecret};

    const LIMITS: StoreLimits = StoreLimits { entries: 3, per_source: 2 };

    /// Returns the entry of table `i` from this source, listed at `since` for 10 seconds: of Kuhn poker for an even
    /// `i`, else of Leduc.
    fn entry(i: u8, source: u64, since: u64) -> ListedTable {
        ListedTable {
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
            members: 1,
            since,
            until: since + 10,
        }
    }

    #[test]
    fn entries_are_bounded_renewed_and_forgotten() {
        let store = MemoryStore::default();
        assert_eq!(store.insert(entry(0, 1, 100), LIMITS, 100), Ok(true));
        assert_eq!(store.insert(entry(1, 1, 101), LIMITS, 101), Ok(true));
        assert_eq!(store.insert(entry(2, 1, 101), LIMITS, 101), Err(StoreError::TooMany));
        assert_eq!(store.insert(entry(2, 2, 102), LIMITS, 102), Ok(true));
        assert_eq!(store.insert(entry(3, 3, 102), LIMITS, 102), Err(StoreError::Full));
        assert_eq!(store.insert(entry(0, 1, 105), LIMITS, 105), Ok(false));
        let since: Vec<u64> = store.lock().values().map(|entry| entry.since).filter(|s| *s == 100).collect();
        assert_eq!(since, [100], "renewed, not listed again");
        assert_eq!(store.insert(entry(3, 3, 113), LIMITS, 113), Ok(true), "two have expired");
        assert_eq!(store.lock().len(), 2);
    }

    #[tokio::test]
    async fn an_expired_entry_is_removed_and_counts_as_absent() {
        let store = MemoryStore::default();
        for (now, is_listed) in [(109, true), (110, false), (111, false)] {
            store.insert(entry(0, 1, 100), LIMITS, 100).unwrap();
            assert_eq!(store.remove(entry(0, 1, 100).table, now).await, Ok(is_listed), "at {now}");
            assert!(store.lock().is_empty());
        }
    }

    #[tokio::test]
    async fn entries_of_a_clock_that_was_ahead_do_not_stay() {
        let store = MemoryStore::default();
        for i in 0..2 {
            store.insert(entry(i, i.into(), 9_000), LIMITS, 9_000).unwrap();
        }
        // The clock is set back. One of the hosts is still there and renews its entry.
        assert_eq!(store.insert(entry(0, 0, 100), LIMITS, 100), Ok(false));
        let listed = store.list(None, 9, 100).await.unwrap();
        assert_eq!(listed, [entry(0, 0, 100)]);
    }

    #[tokio::test]
    async fn lists_are_filtered_and_the_newest_comes_first() {
        let store = MemoryStore::default();
        for i in 0..3 {
            store.insert(entry(i, i.into(), 100 + u64::from(i)), LIMITS, 100).unwrap();
        }
        let titles = |entries: Vec<ListedTable>| entries.iter().map(|entry| entry.since).collect::<Vec<_>>();
        assert_eq!(titles(store.list(None, 9, 105).await.unwrap()), [102, 101, 100]);
        assert_eq!(titles(store.list(Some("kuhn".into()), 9, 105).await.unwrap()), [102, 100]);
        assert_eq!(titles(store.list(None, 1, 105).await.unwrap()), [102]);
        assert_eq!(titles(store.list(None, 9, 111).await.unwrap()), [102]);
        assert_eq!(store.sweep(111).await, Ok(1));
        assert!(store.get(entry(2, 2, 102).table, 111).await.unwrap().is_some());
        assert!(store.get(entry(2, 2, 102).table, 112).await.unwrap().is_none());
    }
}
