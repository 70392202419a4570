//! The identity of a player: one key pair per device, which lasts from table to table. No I/O.
//!
//! | module | concept |
//! | --- | --- |
//! | `key` | the key pair |
//! | `name` | the short name and the fingerprint of a public key |
//! | `crest` | the picture of a public key |
//! | `file` | export and import, optionally encrypted with a passphrase |
//! | `book` | the address book: who was met before, under which name |
//! | `profile` | the name that a player signs for a club |
//! | `request` | requests that a player signs for a server |
//! | `seed` | the public seed of a tournament |
//!
//! A table uses fresh session keys; the identity signs them when the table opens. So the identity key itself
//! signs no moves, and two tables of one player are linked by the public key alone.

mod book;
mod charges;
mod crest;
mod file;
mod key;
mod name;
mod profile;
mod request;
mod seed;

pub use book::{AddressBook, AddressBookError, CheatMark, Contact, Standing};
pub use crest::Crest;
pub use file::{IdentityFile, IdentityFileError};
pub use key::IdentityKey;
pub use name::{key_fingerprint, short_name};
pub use profile::profile_digest;
pub use request::{PlayerRequest, REQUEST_CLOCK_SKEW, RequestSigner, request_digest};
pub use seed::{SeedShare, tournament_commitment, tournament_seed};
