//! The trace of a run: lines whose hash shows whether two runs are identical.

use std::fmt::Arguments;

/// The trace of a run.
pub(crate) struct Trace {
    hasher: blake3::Hasher,
    kept: Option<Vec<String>>,
}

impl Trace {
    /// Creates an empty trace. It always hashes its lines, and stores them only with `keep`.
    pub(crate) fn new(keep: bool) -> Self {
        Self { hasher: blake3::Hasher::new(), kept: keep.then(Vec::new) }
    }

    /// Adds a line with the time `now` (virtual ms) in front to the hash, and to the kept lines if
    /// they are kept.
    pub(crate) fn line(&mut self, now: u64, what: Arguments<'_>) {
        let line = format!("{:>9} {what}", now);
        self.hasher.update(line.as_bytes());
        self.hasher.update(b"\n");
        if let Some(kept) = &mut self.kept {
            kept.push(line);
        }
    }

    /// Returns the BLAKE3 hash of all lines, and the lines in order; the list is empty if they were
    /// not kept.
    pub(crate) fn finish(self) -> ([u8; 32], Vec<String>) {
        (*self.hasher.finalize().as_bytes(), self.kept.unwrap_or_default())
    }
}
