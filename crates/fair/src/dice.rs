//! Joint randomness: one verifiable pseudorandom value per seat and roll, hashed together.
//!
//! A seat's value is the only one that verifies for its key and the phase, and nobody else can predict it. One honest
//! seat makes the result uniform. The last to publish sees it first and can only refuse.

use crate::error::{Equation, Fault, Message, MessageError, OperationError, Part};
use crate::keys::SeatKey;
use crate::primitives::{Drbg, Element, Reader, Transcript, hash_to_group};
use crate::proof::{Response, dleq};
use crate::seats::{Phase, PhaseId, SeatIndex, Seats};
use crate::secrets::{Nonces, SeatSecrets};
use alloc::vec::Vec;
use core::num::NonZeroU32;
use pentarchy_keys::Entropy;

const LABEL: &str = "vrf";
const LEN: usize = 32 + Response::LEN;

/// A verified contribution to a roll.
#[derive(Clone, Copy, Debug)]
pub struct DiceValue {
    pub(crate) phase: PhaseId,
    pub(crate) seat: SeatIndex,
    pub(crate) value: Element,
}

impl DiceValue {
    /// Returns the seat of the value.
    pub fn seat(&self) -> SeatIndex {
        self.seat
    }
}

/// Returns the point that all values of a phase are multiples of.
pub(crate) fn input(phase: &PhaseId) -> Element {
    hash_to_group(LABEL, &phase.0)
}

/// Makes a seat's contribution to the roll of this phase: `V ‖ proof`, 96 bytes.
pub fn contribute(phase: &Phase, secrets: &SeatSecrets, entropy: Entropy) -> (DiceValue, Vec<u8>) {
    let seat = secrets.seat();
    let input = input(&phase.id);
    let value = Element::new(input.point() * secrets.dice());
    let y = secrets.dice_public();
    let statement = dleq::Statement { y, bases: &[input], images: &[value] };
    let hedge = secrets.hedge(entropy);
    let proof = statement.prove(Transcript::new(LABEL, &phase.context(seat)), secrets.dice(), |transcript| {
        hedge.stream(transcript).scalar()
    });
    let mut message = Vec::with_capacity(LEN);
    message.extend_from_slice(value.bytes());
    message.extend_from_slice(&proof.to_bytes());
    (DiceValue { phase: phase.id, seat, value }, message)
}

/// Verifies another seat's contribution and returns its value.
///
/// # Errors
///
/// Fails if the message is malformed or the proof does not hold.
pub fn verify_contribution(phase: &Phase, key: &SeatKey, message: &[u8]) -> Result<DiceValue, MessageError> {
    check(phase, key, message).map_err(Message::Dice.of(key.seat()))
}

/// Decodes a dice value and verifies its proof.
///
/// # Errors
///
/// Fails if the message is malformed or the proof does not hold.
fn check(phase: &Phase, key: &SeatKey, message: &[u8]) -> Result<DiceValue, Fault> {
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
    /// Combines the values of all live seats.
    ///
    /// For a roll that one seat keeps secret, that seat alone can combine, since only it has its own value.
    ///
    /// # Errors
    ///
    /// Fails if a value is missing, duplicate, of another phase, or of a seat that is not live.
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

    /// Rolls a die with `sides` sides: 1 to `sides`.
    pub fn die(&mut self, sides: NonZeroU32) -> u32 {
        // below(2³²−1) is at most 2³²−2, so this cannot overflow.
        self.0.below(sides) + 1
    }

    /// Flips a coin.
    pub fn coin(&mut self) -> bool {
        self.pick(NonZeroU32::MIN.saturating_add(1)) == 1
    }

    /// Draws a number below `of`.
    pub fn pick(&mut self, of: NonZeroU32) -> u32 {
        self.0.below(of)
    }

    /// Draws a public random order of `0..n`.
    pub fn order(&mut self, n: u32) -> Vec<u32> {
        self.0.perm(n)
    }
}

/// Returns the generator of a roll: `Drbg(phase_id ‖ V_0 ‖ … ‖ V_{n−1}, "roll")`.
pub(crate) fn stream<'a>(phase: &'a PhaseId, values: impl Iterator<Item = &'a [u8; 32]>) -> Drbg {
    let parts: Vec<&[u8]> = core::iter::once(&phase.0).chain(values).map(|part| part.as_slice()).collect();
    Drbg::from_parts(&parts, "roll")
}
