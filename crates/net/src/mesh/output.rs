//! The outputs of a mesh: actions for its driver, and events for the user of the transport.

use super::PeerId;
use crate::event::NetEvent;

/// The path by which a peer is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeerPath {
    /// Through the relay.
    Relay,
    /// Over a connection between the two machines.
    Direct,
}

/// Something that the driver of a [`Mesh`](super::Mesh) must do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeshAction {
    /// Send a frame to the relay. It may be dropped while there is no connection.
    SendToRelay(Vec<u8>),
    /// Send a packet over the direct connection to a peer. If that fails, call [`Mesh::handle_direct_down`](super::Mesh::handle_direct_down).
    SendDirect(PeerId, Vec<u8>),
    /// Handle a signalling message of a peer for a direct connection. Drivers without direct connections ignore it.
    HandleSignal(PeerId, Vec<u8>),
}

/// One output of a [`Mesh`](super::Mesh), in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeshOutput {
    /// To be carried out by the driver.
    Action(MeshAction),
    /// To be passed on to the user of the transport.
    Event(NetEvent),
}

/// The memory use of a [`Mesh`](super::Mesh).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Authenticated peers.
    pub peers: usize,
    /// Members of the room that have a handshake state.
    pub visitors: usize,
    /// Bytes of messages that are queued or incomplete.
    pub bytes: usize,
}
