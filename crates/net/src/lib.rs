//! Transports between peers: in memory, by the relay, and their encryption.

pub mod base32;
mod invite;
pub mod memory;
mod mesh;
mod secure;
pub mod wire;

pub use invite::{BadInvite, Invite, InviteKey, OwnerSecret, TableId, relay_url};
pub use mesh::{Identity, MAX_MESSAGE, Mesh, Output, Path, PeerId};
