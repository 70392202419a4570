//! The server: page, list of open tables and relay. It knows no games and stores nothing but sealed mail itself, but
//! it serves the code that holds the players' keys, and it can drop their traffic. `docs/threat-model.md` states what
//! an operator can do, `docs/network.md` describes the interface.
//!
//! * The **page** is embedded when the program is built, or read from a folder ([`PageFiles`]).
//! * The **open tables** are listed for strangers; their hosts renew the entries ([`open_tables`]).
//! * The **relay** forwards opaque messages between the members of a room. Peers encrypt them end to end. The signalling
//!   of WebRTC is a message like any other.
//! * The **mailbox** stores packets for absent members, which the server cannot open.
//! * An **extension** adds routes and tasks of another component, such as the club or notifications, which the server does
//!   not know ([`EXTENSION_PATHS`]).
//!
//! ```no_run
//! # fn main() -> Result<(), pentarchy_server::ServerError> {
//! let server = pentarchy_server::BackgroundServer::start(pentarchy_server::ServerConfig::default())?;
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
mod metrics;
pub mod open_tables;
mod origin;
mod page;
mod relay;
mod server;
mod timed;

pub use app::EXTENSION_PATHS;
pub use background::{BackgroundServer, serve};
pub use limits::{Limits, Rate};
pub use origin::{Origin, OriginError};
pub use page::{PageFiles, Representation};
pub use relay::{Allowance, Entered, Inbox, RelayRooms};
#[cfg(feature = "sqlite")]
pub use server::{ExtensionFactory, ExtensionHost};
pub use server::{MailboxConfig, Server, ServerConfig, ServerError};
