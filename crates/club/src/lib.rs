//! The club: what needs rules on a server. It verifies signed records of finished games, archives them, rates their players,
//! and says what was played in a position. The relay does not link it.
//!
//! | module | concept |
//! | --- | --- |
//! | `examine` | the verification of a record before it counts |
//! | `rating` | the rating method |
//! | `explorer` | the key of a public position; the decisions of a game |
//! | `profile` | signed profiles |
//! | `tournament` | tournaments: pairings, draw of seats, standings and results, without I/O |
//! | `api` | JSON over HTTP, described in `docs/club.md` |
//!
//! Everything is stored by [`pentarchy_storage::club`].

mod api;
mod examine;
mod explorer;
mod profile;
mod rating;
pub mod tournament;

pub use api::{ClubLimits, routes};
pub use examine::{ExamineError, examine};
pub use explorer::position_key;
pub use profile::{ProfileError, verify_profile};
pub use rating::WengLinMethod;
