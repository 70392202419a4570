//! Claims about hidden cards, proved without showing them: "it is one of these", "it is not that", "these two
//! are equal", "one of these combinations holds".
//!
//! A claim is about private tokens of the claimant; for a joint card the claimant takes a view first.

mod branches;
mod category;
mod mint;
mod relation;

pub use branches::{Branches, Is};
pub use category::Category;
pub use mint::{mint, verify_mint};
pub use relation::{Different, IsNot, Same};

use crate::error::{OperationError, VerifyError};
use crate::primitives::Reader;
use crate::proof::Response;
use alloc::vec::Vec;

/// The largest number of branches (faces of a menu) of one claim.
pub const MAX_BRANCHES: usize = 4096;

/// Checks that a number of branches is between 1 and [`MAX_BRANCHES`].
///
/// # Errors
///
/// Fails with `Empty` for 0 and with `TooMany` above the limit.
fn bounded(len: usize) -> Result<(), OperationError> {
    match len {
        0 => Err(OperationError::Empty),
        1..=MAX_BRANCHES => Ok(()),
        found => Err(OperationError::TooMany { limit: MAX_BRANCHES, found }),
    }
}

/// Encodes responses one after the other, 64 bytes each, in order.
fn encode(responses: &[Response]) -> Vec<u8> {
    responses.iter().flat_map(|response| response.to_bytes()).collect()
}

/// Reads `n` responses of 64 bytes from the reader.
///
/// # Errors
///
/// Fails if bytes are missing or a scalar is not canonical.
fn decode(reader: &mut Reader<'_>, n: usize) -> Result<Vec<Response>, VerifyError> {
    (0..n).map(|_| Response::read(reader)).collect()
}
