//! The page, the lobby and the relay in one server. It takes no part in games and stores nothing, but it serves the code that
//! holds the players' keys and can drop their traffic: `docs/threat-model.md` says what an operator can do, `docs/server.md`
//! describes the interface.
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
pub use relay::{Allowance, Entered, Inbox, RelayRooms};
pub use server::{Config, Failed, Server};
