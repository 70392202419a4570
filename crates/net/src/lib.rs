//! Transports between peers, and what binds them to a table.
//!
//! * [`Invite`]: the link by which peers find each other. The server sees one half of it.
//! * [`wire`]: what is said between a peer and the relay of a server.
//! * [`Mesh`]: the peers of a table, sealed end to end, numbered and sent again until they arrive; without sockets.
//! * `Native` drives a mesh by a WebSocket, `Browser` by a browser's and by WebRTC, [`memory`] by nothing at all.
//! * [`Party`]: seats for those who come, then the session of the game.

pub mod base32;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod browser;
mod event;
mod invite;
pub mod journal;
pub mod memory;
mod mesh;
#[cfg(not(target_family = "wasm"))]
mod native;
mod noise;
mod party;
mod secret;
mod secure;
mod stun;
pub mod wire;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use browser::Browser;
pub use event::{Backoff, Event, Status};
pub use invite::{
    BadInvite, HostTag, Invite, InviteKey, OwnerProof, OwnerSecret, OwnerTag, RoomPass, TableId, relay_url,
};
pub use mesh::{Footprint, Identity, MAX_MESSAGE, Mesh, Output, Path, PeerId};
#[cfg(not(target_family = "wasm"))]
pub use native::{DialError, Dialer, Native, http_types};
pub use party::{
    Attendee, Chair, Find, Hosted, Party, Seating, Setup, Step, Wish, fingerprint, limit_text, recovery_text,
    takeover_refusal,
};
pub use secret::SecretBytes;
pub use stun::{NoStun, Stun};
