//! Joint randomness: one verifiable pseudorandom value per seat and roll, hashed together.
//!
//! A seat's value is the only one that verifies for its key and the phase, and nobody else can predict it.
//! One honest seat makes the result uniform. The last to publish sees it first and can only refuse.

use crate::error::{Equation, Message, MessageError, OperationError, Part, VerifyError};
use crate::keys::SeatKey;
use crate::primitives::{Drbg, Element, Reader, Transcript, hash_to_group};
use crate::proof::{Response, dleq};
use crate::seats::{Phase, PhaseId, SeatIndex, Seats};
use crate::secrets::{Nonces, SeatSecrets};
use alloc::vec::Vec;
use core::num::NonZeroU32;
use pentarchy_keys::Entropy;

/// The kind of proof, and of the hash to a point.
const LABEL: &str = "vrf";
/// Bytes of a contribution: V ‖ proof.
const LEN: usize = 32 + Response::LEN;

/// A verified contribution to a roll.
#[derive(Clone, Copy, Debug)]
pub struct DiceValue {
    /// The phase that it is for.
    pub(crate) phase: PhaseId,
    /// The seat that it belongs to.
    pub(crate) seat: SeatIndex,
    /// V: the seat's dice key times the point of the phase.
    pub(crate) value: Element,
}

impl DiceValue {
    /// Returns the seat whose key made the value.
    pub fn seat(&self) -> SeatIndex {
        self.seat
    }
}

/// Returns the point of a phase: a hash of its identifier. The value of each seat is this point times the
/// seat's dice key.
pub(crate) fn input(phase: &PhaseId) -> Element {
    hash_to_group(LABEL, &phase.0)
}

/// Returns a seat's own value for the roll of a phase, without a proof: what it needs to read a roll that it
/// keeps secret. Every call for one phase returns the same value. Keep it secret as long as the roll is.
pub fn dice_value(phase: &PhaseId, secrets: &SeatSecrets) -> DiceValue {
    let value = Element::new(input(phase).point() * secrets.dice());
    DiceValue { phase: *phase, seat: secrets.seat(), value }
}

/// Makes a seat's contribution to the roll of this phase. Returns the value for [`Roll::new`] and the message
/// to send, `V ‖ proof` (96 bytes).
///
/// The value depends only on the seat's key and `phase.id`: every call for one phase returns the same value.
/// `entropy`, which must be fresh, feeds only the nonce of the proof, so the proofs differ.
pub fn contribute(phase: &Phase, secrets: &SeatSecrets, entropy: Entropy) -> (DiceValue, Vec<u8>) {
    let seat = secrets.seat();
    let own = dice_value(&phase.id, secrets);
    let y = secrets.dice_public();
    let statement = dleq::Statement { y, bases: &[input(&phase.id)], images: &[own.value] };
    let hedge = secrets.hedge(entropy);
    let proof = statement.prove(Transcript::new(LABEL, &phase.context(seat)), secrets.dice(), |transcript| {
        hedge.stream(transcript).scalar()
    });
    let mut message = Vec::with_capacity(LEN);
    message.extend_from_slice(own.value.bytes());
    message.extend_from_slice(&proof.to_bytes());
    (own, message)
}

/// Verifies the contribution of the seat that `key` belongs to and returns its value for [`Roll::new`].
///
/// # Errors
///
/// Returns a [`MessageError`] that names the seat if the message does not have 96 bytes, a part is not
/// canonically encoded, or the proof does not hold for this phase and seat.
pub fn verify_contribution(phase: &Phase, key: &SeatKey, message: &[u8]) -> Result<DiceValue, MessageError> {
    check(phase, key, message).map_err(Message::Dice.of(key.seat()))
}

/// Decodes a dice value of the seat of `key` (`V ‖ proof`, 96 bytes), verifies its proof for the phase, and
/// returns it. `verify_contribution` adds the seat to the error.
///
/// # Errors
///
/// Fails if the message has another length than 96 bytes, a part is not canonically encoded, or the proof
/// does not hold.
fn check(phase: &Phase, key: &SeatKey, message: &[u8]) -> Result<DiceValue, VerifyError> {
    let mut reader = Reader::exact(message, LEN)?;
    let value = reader.element(Part::DiceValue)?;
    let proof = Response::read(&mut reader)?;
    let statement = dleq::Statement { y: key.dice(), bases: &[input(&phase.id)], images: &[value] };
    let transcript = Transcript::new(LABEL, &phase.context(key.seat()));
    Equation::EqualLogs.require(statement.verify(transcript, &proof))?;
    Ok(DiceValue { phase: phase.id, seat: key.seat(), value })
}

/// The result of a roll: a stream that dice, coins and choices are read from in the order of the rules.
pub struct Roll(Drbg);

impl Roll {
    /// Combines the values of all live seats, in any order, to the random stream of this phase. All peers get
    /// the same stream from the same values.
    ///
    /// For a roll that one seat keeps secret, that seat alone can combine, since only it has its own value.
    ///
    /// # Errors
    ///
    /// Fails with `OtherPhase` for a value of another phase, `Absent` for a value of a seat that is not live
    /// or for a live seat without a value, `Twice` for a second value of one seat, and `Empty` if no seat is
    /// live.
    pub fn new(phase: &PhaseId, live: Seats, values: &[DiceValue]) -> Result<Self, OperationError> {
        let mut values = values.to_vec();
        values.sort_by_key(|value| value.seat);
        let mut due = live;
        for value in &values {
            if value.phase != *phase {
                return Err(OperationError::OtherPhase);
            }
            if !live.contains(value.seat) {
                return Err(OperationError::Absent(value.seat));
            }
            if !due.contains(value.seat) {
                return Err(OperationError::Twice(value.seat));
            }
            due = due.without(value.seat);
        }
        match due.iter().next() {
            Some(seat) => Err(OperationError::Absent(seat)),
            None if live.is_empty() => Err(OperationError::Empty),
            None => Ok(Self(stream(phase, values.iter().map(|value| value.value.bytes())))),
        }
    }

    /// Rolls a fair die and returns a number from 1 to `sides`. Advances the stream, so all peers must draw
    /// in the same order.
    pub fn die(&mut self, sides: NonZeroU32) -> u32 {
        // below(2³²−1) is at most 2³²−2, so this cannot overflow.
        self.0.below(sides) + 1
    }

    /// Flips a fair coin: `true` and `false` are equally likely. It draws a number below 2 from the stream,
    /// as `pick(2)` does, and returns whether it is 1.
    pub fn coin(&mut self) -> bool {
        self.pick(NonZeroU32::MIN.saturating_add(1)) == 1
    }

    /// Draws a uniform number from 0 to `of − 1` and advances the stream, so all peers must draw in the same
    /// order.
    pub fn pick(&mut self, of: NonZeroU32) -> u32 {
        self.0.below(of)
    }

    /// Draws 32 bytes and advances the stream by them. All peers must call it at the same place among their
    /// draws; call it before any other, since the protocol takes the seed from the start of the stream.
    pub fn seed(&mut self) -> [u8; 32] {
        let mut seed = [0; 32];
        self.0.fill(&mut seed);
        seed
    }

    /// Draws a uniform permutation of `0..n` and advances the stream, so all peers must draw in the same
    /// order. Entry `i` is the image of `i`. Nothing about it is secret. For `n = 0` it is empty.
    pub fn order(&mut self, n: u32) -> Vec<u32> {
        self.0.perm(n)
    }
}

/// Returns the generator of a roll: `Drbg(phase_id ‖ V_0 ‖ … ‖ V_{n−1}, "roll")`. `values` are the encoded
/// dice values in seat order; the caller must have checked that they are complete.
pub(crate) fn stream<'a>(phase: &'a PhaseId, values: impl Iterator<Item = &'a [u8; 32]>) -> Drbg {
    let parts: Vec<&[u8]> = core::iter::once(&phase.0).chain(values).map(|part| part.as_slice()).collect();
    Drbg::from_parts(&parts, "roll")
}
