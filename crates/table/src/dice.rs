//! Private dice of the table: rolled by all seats, read by one.
//!
//! The joint roll of a cast gives a seed. Each die has an identifier that follows from the seed and its token. The face
//! follows from the owner's dice value for that identifier, so the owner alone can compute it. A peer that gets the value can
//! check it, because there is only one that verifies.

use crate::cards::fair_seat;
use crate::hash::hash;
use pentarchy_engine::Token;
use pentarchy_fair::{DiceValue, GameId, OperationError, Phase, PhaseId, Roll, Seats};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;

/// A die that was cast and whose face is not public.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Die {
    id: [u8; 32],
    /// The seat that can read it.
    pub(crate) owner: u8,
    /// The number of the lowest face.
    first: u8,
    sides: u8,
}

impl Die {
    /// Creates the die of a token after the joint roll with this seed: `sides` faces from number `first` on, which the seat
    /// `owner` can read. The caller must make sure that the game has these faces.
    pub(crate) fn new(seed: &[u8; 32], t: Token, owner: u8, first: u8, sides: u8) -> Self {
        Die { id: hash("pentarchy die v1", &[seed, &t.0.to_le_bytes()]), owner, first, sides }
    }

    /// Returns the phase for which the owner's dice value is made and verified. `game` is the identifier of
    /// the match.
    pub(crate) fn phase(&self, game: GameId) -> Phase {
        Phase { game, id: PhaseId(self.id) }
    }

    /// Returns the number of the face that follows from the owner's value. The value must have been verified.
    ///
    /// # Errors
    ///
    /// Fails with `OtherPhase` or `Absent` if the value is of another die or another seat, and with `Empty`
    /// if the die has no sides.
    pub(crate) fn face(&self, value: DiceValue) -> Result<u8, OperationError> {
        let mut roll = Roll::new(&PhaseId(self.id), Seats::one(fair_seat(self.owner)), &[value])?;
        let sides = NonZeroU32::new(self.sides.into()).ok_or(OperationError::Empty)?;
        Ok(self.first + roll.pick(sides) as u8)
    }

    /// Appends the die as the digest of the token table has it: 2, owner, lowest face, sides, identifier.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&[2, self.owner, self.first, self.sides]);
        out.extend_from_slice(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarchy_fair::{Entropy, SeatSecrets, contribute, dice_value};

    fn secrets(seat: u8) -> SeatSecrets {
        SeatSecrets::new(fair_seat(seat), Entropy::new([seat + 1; 32]))
    }

    #[test]
    fn the_owner_reads_the_face_that_its_published_value_shows() {
        let (owner, game) = (secrets(2), GameId([7; 32]));
        let mut seen = [0u32; 8];
        for n in 0..600u16 {
            let die = Die::new(&[1; 32], Token(n), 2, 1, 6);
            let own = die.face(dice_value(&die.phase(game).id, &owner)).unwrap();
            let published = contribute(&die.phase(game), &owner, Entropy::new([n as u8; 32])).0;
            assert_eq!(die.face(published).unwrap(), own);
            seen[usize::from(own)] += 1;
        }
        // Chi-square with 5 degrees of freedom: beyond 20.5 once in a thousand. Faces 0 and 7 are no sides.
        let chi: f64 = seen[1..7].iter().map(|&n| (f64::from(n) - 100.0).powi(2) / 100.0).sum();
        assert!(seen[0] == 0 && seen[7] == 0 && chi < 20.5, "{seen:?}");
    }

    #[test]
    fn values_of_other_dice_and_other_seats_are_rejected() {
        let die = Die::new(&[1; 32], Token(0), 2, 0, 6);
        let other = Die::new(&[1; 32], Token(1), 2, 0, 6);
        let id = |die: &Die| die.phase(GameId([7; 32])).id;
        assert_eq!(die.face(dice_value(&id(&other), &secrets(2))), Err(OperationError::OtherPhase));
        assert_eq!(die.face(dice_value(&id(&die), &secrets(1))), Err(OperationError::Absent(fair_seat(1))));
        assert_ne!(id(&die), id(&Die::new(&[2; 32], Token(0), 2, 0, 6)));
    }
}
