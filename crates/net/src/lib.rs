//! Transport between the peers of a table. It knows no game and no rules: messages are opaque bytes.
//!
//! * [`Invite`]: the link by which peers find each other. The server learns only one half of it.
//! * [`wire`]: the frames between a peer and the relay of a server.
//! * [`MailSealer`]: the packets that a relay stores for absent members; [`Mesh::post`] and [`Mesh::fetch_mail`] use it.
//! * [`Mesh`]: all peers of a table, with end-to-end encryption, acknowledgements and retransmission; without sockets.
//! * `NativeTransport` drives a mesh over a WebSocket, `BrowserTransport` over a browser's WebSocket and WebRTC; [`memory`] is a relay room
//!   in memory for tests.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod browser;
mod event;
mod invite;
mod mail;
pub mod memory;
mod mesh;
#[cfg(not(target_family = "wasm"))]
mod native;
mod noise;
#[cfg(any(test, all(target_family = "wasm", target_os = "unknown")))]
mod reconnect;
mod secure;
mod stun;
pub mod wire;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use browser::BrowserTransport;
pub use event::{Backoff, NetEvent, ServerStatus};
pub use invite::{
    HostTag, Invite, InviteError, InviteKey, OwnerProof, OwnerSecret, OwnerTag, RoomPass, TableId, relay_url,
};
pub use mail::{
    MAX_PACKET, MAX_POST, MailCursor, MailError, MailSealer, PacketId, PostTooLongError, packet_id,
};
pub use mesh::{Footprint, MAX_MESSAGE, Mesh, MeshAction, MeshOutput, PeerId, PeerPath, PublicIdentity};
#[cfg(not(target_family = "wasm"))]
pub use native::{DialError, Dialer, NativeTransport, http_types};
pub use pentarchy_keys::base32;
pub use stun::{StunError, StunServer};
