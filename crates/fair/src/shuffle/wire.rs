//! The layout of a shuffle message: `outputs | c[N] ĉ[N] t̂[N] t₁ t₂ t₃ t₄… | s₁ s₂ s₃ s₄… ŝ[N] s'[N]`.

use core::ops::Range;

/// Where the parts of a message about `n` entries of `columns` columns lie. All parts of a proof are appended
/// to the transcript straight from the message, so nothing is encoded twice.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    /// Number of entries.
    n: usize,
    /// Columns of an entry: 1 for faces, 2 for faces with backs.
    columns: usize,
}

impl Layout {
    /// Creates the layout of a message about `n` entries of `columns` columns (1 or 2).
    pub(crate) fn new(n: usize, columns: usize) -> Self {
        Self { n, columns }
    }

    /// Returns the byte range of the shuffled entries in the message.
    pub(crate) fn outputs(self) -> Range<usize> {
        0..64 * self.n * self.columns
    }

    /// Returns the byte range of the commitments c to the permutation.
    pub(crate) fn matrix(self) -> Range<usize> {
        after(self.outputs(), 32 * self.n)
    }

    /// Returns the byte range of the chain ĉ.
    pub(crate) fn chain(self) -> Range<usize> {
        after(self.matrix(), 32 * self.n)
    }

    /// Returns the byte range of the commitments t̂ of the chain.
    pub(crate) fn chain_nonces(self) -> Range<usize> {
        after(self.chain(), 32 * self.n)
    }

    /// Returns the byte range of t₁, t₂, t₃ and two points per column.
    pub(crate) fn nonces(self) -> Range<usize> {
        after(self.chain_nonces(), 32 * (3 + 2 * self.columns))
    }

    /// Returns the byte range of all responses, which end the message.
    pub(crate) fn responses(self) -> Range<usize> {
        after(self.nonces(), 32 * (3 + self.columns + 2 * self.n))
    }

    /// Returns the length of the message in bytes.
    pub(crate) fn len(self) -> usize {
        self.responses().end
    }
}

/// Returns the range of `len` bytes that follows another range.
fn after(previous: Range<usize>, len: usize) -> Range<usize> {
    previous.end..previous.end + len
}
