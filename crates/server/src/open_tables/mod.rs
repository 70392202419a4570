//! The list of open tables, which anybody may join. An entry expires after a minute and a half unless the host of the table
//! renews it, so a restart of the server loses nothing.

mod api;
#[cfg(feature = "sqlite")]
mod database;
mod memory;

pub(crate) use api::{ErrorResponse, get_one, json_response, list, put, remove};
#[cfg(feature = "sqlite")]
pub(crate) use database::DatabaseStore;
pub use memory::MemoryStore;

use pentarchy_net::{Invite, TableId};
use serde::{Deserialize, Serialize};
use std::future::Future;
use std::pin::Pin;

/// The description of a table by its host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listing {
    /// The name of the game, as `pentarchy games` lists it. The server knows no games: it only checks the characters.
    pub game: String,
    /// The title of the table.
    #[serde(default)]
    pub title: String,
    /// The display name of the host.
    #[serde(default)]
    pub host: String,
    /// The number of seats.
    pub seats: u8,
    /// The number of taken seats.
    pub taken: u8,
    /// The fragment of the invitation (behind the `#`). Everybody may join an open table, so it is public.
    pub key: String,
}

impl Listing {
    /// Checks that all fields are within bounds: game 1 to 40 lower-case letters, digits and hyphens; title
    /// at most 80 and host at most 40 characters without control characters; 1 to 16 seats, of which at most
    /// all are taken; a key of the right form. That the game exists and the key belongs to the table is not
    /// checked.
    ///
    /// # Errors
    ///
    /// Fails with a sentence for the host of the table that names the first field that is wrong.
    pub fn check(&self) -> Result<(), &'static str> {
        let letters = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-';
        let words = |text: &str, max| text.chars().count() <= max && !text.chars().any(char::is_control);
        if self.game.is_empty() || self.game.len() > 40 || !self.game.bytes().all(letters) {
            Err("`game` is 1 to 40 small letters, digits and hyphens")
        } else if !words(&self.title, 80) || !words(&self.host, 40) {
            Err("`title` has at most 80 and `host` at most 40 characters, none of them a control character")
        } else if self.seats == 0 || self.seats > 16 || self.taken > self.seats {
            Err("`seats` is 1 to 16, and `taken` not more")
        } else if Invite::from_secret_part("", &self.key).is_err() {
            Err("`key` is what stands behind the `#` of the invitation: 78 letters and digits")
        } else {
            Ok(())
        }
    }
}

/// A listed table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedTable {
    /// The name of the table.
    pub table: TableId,
    /// Its description.
    pub listing: Listing,
    /// The address that listed it, as a number. Limits count by it.
    pub source: u64,
    /// How many members its room had when it was last put.
    pub members: u32,
    /// When it was first listed, in seconds since 1970.
    pub since: u64,
    /// When it expires, in seconds since 1970.
    pub until: u64,
}

/// The capacity of a store.
#[derive(Clone, Copy, Debug)]
pub struct StoreLimits {
    /// Maximum number of entries.
    pub entries: usize,
    /// Maximum number of entries per source.
    pub per_source: usize,
}

/// Why a store has failed or rejected an entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The store is full.
    #[error("the list of open tables is full")]
    Full,
    /// The source has too many entries.
    #[error("there are too many open tables of this address")]
    TooMany,
    /// The store does not answer, for this reason.
    #[error("the list of open tables is not available")]
    Unavailable(String),
}

/// The future result of a store.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// A store of listed tables: in memory, or a database that several servers share. `now` is in seconds since 1970. Expired
/// entries count as absent. Every method fails with [`StoreError::Unavailable`] if the store does not answer.
pub trait TableStore: Send + Sync + 'static {
    /// Adds an entry, or renews the entry of the same table, which keeps its `since` if that is earlier. Entries of other
    /// tables that expire later were listed while the clock was ahead, and are removed. Resolves to whether it is new at
    /// `now`. Fails with `Full` or `TooMany` if a new entry would exceed the limits; a renewal
    /// never does.
    fn put(&self, entry: ListedTable, limits: StoreLimits, now: u64) -> StoreFuture<'_, bool>;
    /// Resolves to the entry of a table; `None` if it is not listed or has expired at `now`.
    fn get(&self, table: TableId, now: u64) -> StoreFuture<'_, Option<ListedTable>>;
    /// Removes the entry of a table. Resolves to whether there was one that has not expired at `now`.
    fn remove(&self, table: TableId, now: u64) -> StoreFuture<'_, bool>;
    /// Resolves to at most `limit` entries of one game, or of all for `None`, that have not expired at `now`,
    /// the newest first.
    fn list(&self, game: Option<String>, limit: usize, now: u64) -> StoreFuture<'_, Vec<ListedTable>>;
    /// Removes the entries that have expired at `now`. Resolves to the number of those that remain.
    fn sweep(&self, now: u64) -> StoreFuture<'_, usize>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarchy_net::base32;

    #[test]
    fn listings_are_checked() {
        let good = Listing {
            game: "tic-tac-toe".into(),
            title: "Ädas Tisch".into(),
            host: String::new(),
            seats: 2,
            taken: 1,
            key: format!("2{}", base32::encode(&[1; 48])),
        };
        assert_eq!(good.check(), Ok(()));
        for bad in [
            Listing { game: String::new(), ..good.clone() },
            Listing { game: "Kuhn".into(), ..good.clone() },
            Listing { game: "a".repeat(41), ..good.clone() },
            Listing { title: "x".repeat(81), ..good.clone() },
            Listing { host: "a\nb".into(), ..good.clone() },
            Listing { seats: 0, taken: 0, ..good.clone() },
            Listing { seats: 17, ..good.clone() },
            Listing { taken: 3, ..good.clone() },
            Listing { key: "abc".into(), ..good },
        ] {
            assert!(bad.check().is_err(), "{bad:?}");
        }
    }
}
