//! The identifiers of the log: steps, phases, contributions and the links between steps.

use pentarchy_fair::{GameId, PhaseId};

/// Hashes the concatenated parts with BLAKE3 in key derivation mode for this context. The parts are not framed:
/// their lengths must be fixed or unambiguous.
pub(crate) fn hash(context: &str, parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    for part in parts {
        hasher.update(part);
    }
    *hasher.finalize().as_bytes()
}

/// The version of the layout below. The version of the protocol is in the descriptor, which the game's identifier covers.
const STEP_LAYOUT: u16 = 1;

/// What a step is about, hashed into its identifier.
pub(crate) struct StepOf<'a> {
    pub(crate) game: &'a GameId,
    pub(crate) epoch: u16,
    pub(crate) seq: u32,
    pub(crate) prev: &'a [u8; 32],
    pub(crate) kind: u8,
    /// The acting seat, or 255 for none.
    pub(crate) actor: u8,
    pub(crate) body: &'a str,
    pub(crate) digest: &'a [u8; 32],
}

impl StepOf<'_> {
    /// Returns the identifier of the step, a hash of all its fields.
    pub(crate) fn id(&self) -> [u8; 32] {
        hash(
            "pentarchy step v1",
            &[
                &STEP_LAYOUT.to_le_bytes(),
                &self.game.0,
                &self.epoch.to_le_bytes(),
                &self.seq.to_le_bytes(),
                self.prev,
                &[self.kind, self.actor],
                &(self.body.len() as u32).to_le_bytes(),
                self.body.as_bytes(),
                self.digest,
            ],
        )
    }
}

/// Returns the identifier of phase number `phase` of a step: a hash of the step, the number, and the contents
/// of all contributions to earlier phases, in the order of phases and seats.
pub(crate) fn phase_id<'a>(
    step: &[u8; 32],
    phase: u8,
    earlier: impl Iterator<Item = &'a [u8; 32]>,
) -> PhaseId {
    let number = [phase];
    let mut parts: Vec<&[u8]> = vec![step, &number];
    parts.extend(earlier.map(|hash| hash.as_slice()));
    PhaseId(hash("pentarchy phase v1", &parts))
}

/// Returns the link to the next step: a hash of the step and the contents of all its contributions, in the
/// order of phases and seats.
pub(crate) fn closing_link<'a>(step: &[u8; 32], all: impl Iterator<Item = &'a [u8; 32]>) -> [u8; 32] {
    let mut parts: Vec<&[u8]> = vec![step];
    parts.extend(all.map(|hash| hash.as_slice()));
    hash("pentarchy close v1", &parts)
}
