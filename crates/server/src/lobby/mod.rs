//! The lobby: tables that anybody may join. A notice board, and no more: an entry lives for a minute and a half and is
//! renewed by whoever hosts the table, so that nothing is lost when the server starts anew.

mod api;
mod memory;

pub(crate) use api::{Refusal, answer, get_one, list, put, remove};
pub use memory::Memory;

use pentarchy_net::{Invite, TableId};
use serde::{Deserialize, Serialize};
use std::future::Future;
use std::pin::Pin;

/// What the host of a table says about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listing {
    /// The game's name, as `pentarchy games` lists it. The server knows no games: it only checks the letters.
    pub game: String,
    /// What the table is called.
    #[serde(default)]
    pub title: String,
    /// What the host is called.
    #[serde(default)]
    pub host: String,
    /// How many seats it has.
    pub seats: u8,
    /// How many of them are taken.
    pub taken: u8,
    /// What stands behind the `#` of the invitation. Everybody may join an open table, so everybody may know it.
    pub key: String,
}

impl Listing {
    /// What is wrong with it, in words.
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

/// An entry of the lobby.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Which table.
    pub table: TableId,
    /// What its host says about it.
    pub listing: Listing,
    /// Where it came from: a number for an address, to count by.
    pub source: u64,
    /// When it was first listed, in seconds since 1970.
    pub since: u64,
    /// When it vanishes if it is not renewed.
    pub until: u64,
}

/// How much a store may hold.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Entries in all.
    pub entries: usize,
    /// Entries of one source.
    pub per_source: usize,
}

/// Why an entry was not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotStored {
    /// The lobby is full.
    #[error("the lobby is full")]
    Full,
    /// The source has enough.
    #[error("there are too many open tables of this address")]
    TooMany,
    /// The store does not answer.
    #[error("the lobby cannot be reached")]
    Unavailable(String),
}

/// The answer of a store, when it comes.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, NotStored>> + Send + 'a>>;

/// Where entries are kept: in memory, or in a database that several servers share. `now` is in seconds since 1970; an
/// entry whose time is over counts as absent.
pub trait Store: Send + Sync + 'static {
    /// Adds an entry, or renews the one of the same table (which keeps its `since`). True if it is new.
    fn put(&self, entry: Entry, room: Room, now: u64) -> Answer<'_, bool>;
    /// The entry of a table.
    fn get(&self, table: TableId, now: u64) -> Answer<'_, Option<Entry>>;
    /// Removes the entry of a table. True if there was one.
    fn remove(&self, table: TableId) -> Answer<'_, bool>;
    /// Entries, the newest first, of one game or of all.
    fn list(&self, game: Option<String>, limit: usize, now: u64) -> Answer<'_, Vec<Entry>>;
    /// Forgets entries whose time is over; gives the number of those that stay.
    fn sweep(&self, now: u64) -> Answer<'_, usize>;
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
