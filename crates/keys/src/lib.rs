//! The keys of peers and the randomness behind them: what the transport and the fair-play protocol both need.
//!
//! * [`SigningSecret`] and [`VerifyKey`]: Ed25519 signatures, strictly verified.
//! * [`Entropy`]: 32 fresh bytes from the operating system, spent by the operation they are given to.
//! * [`Drbg`]: a deterministic stream of pseudorandom values, derived from a seed.
//! * [`base32`]: the text form of keys, names and invitations.
//!
//! The crate knows no game, no table and no network. It needs only `alloc` and runs in browsers.
#![no_std]

extern crate alloc;

pub mod base32;
mod drbg;
mod entropy;
mod sign;

pub use drbg::Drbg;
pub use entropy::Entropy;
pub use sign::{MalformedKeyError, SigningSecret, VerifyKey};
