//! Transports between peers: in memory, by the relay, and their encryption.

pub mod base32;
mod invite;
pub mod wire;

pub use invite::{BadInvite, Invite, InviteKey, OwnerSecret, TableId, relay_url};
