//! The page, the lobby, signalling and the relay, in one server that cannot cheat: it knows no keys and no faces, and
//! keeps nothing that matters. `docs/server.md` describes what it says to whom.
//!
//! * The **page** is embedded when the program is built, or read from a folder ([`Page`]).
//! * The **lobby** lists open tables; its entries are renewed by their hosts ([`lobby`]).
//! * The **relay** passes opaque messages between the members of a room. Peers encrypt them end to end, and use the same
//!   way to arrange direct connections: the signalling of WebRTC is a message like any other.
//!
//! ```no_run
//! # fn main() -> Result<(), pentarchy_server::Failed> {
//! let server = pentarchy_server::Background::start(pentarchy_server::Config::default())?;
//! println!("http://{}", server.address());
//! server.stop();
//! # Ok(())
//! # }
//! ```

mod addresses;
mod app;
mod background;
mod headers;
mod limits;
pub mod lobby;
mod metrics;
mod origin;
mod page;
mod relay;
mod server;
mod timed;

pub use background::{Background, serve};
pub use limits::{Limits, Rate};
pub use origin::{NotAnOrigin, Origin};
pub use page::{Page, Representation};
pub use server::{Config, Failed, Server};
