//! The page, the lobby, signalling and the relay.
