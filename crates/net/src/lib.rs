//! Transports between peers: in memory, by the relay, and their encryption.
