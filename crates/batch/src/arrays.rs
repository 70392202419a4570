//! The arrays into which a batch writes.

use crate::setup::EnvironmentError;
use pentarchy_engine::EncodingSize;

/// Arrays of the caller, row by row: one row per match. An empty array of observations or features is not
/// written.
#[derive(Debug)]
pub struct BatchArrays<'a> {
    /// What the seat to act knows.
    pub observations: &'a mut [f32],
    /// The features of the legal actions of the seat to act. Rows from the number of actions on are left as
    /// they are.
    pub features: &'a mut [f32],
    /// Number of legal actions.
    pub counts: &'a mut [i32],
    /// The seat to act.
    pub seats: &'a mut [i32],
    /// What each seat gets, if the match has ended in this step; else 0.
    pub rewards: &'a mut [f32],
    /// 1 if the match has ended in this step, 2 if it was cut off, else 0. The next match has begun then.
    pub done: &'a mut [u8],
}

/// The lengths of a row of each array.
#[derive(Clone, Copy)]
pub(crate) struct RowLengths {
    /// Length of an observation.
    pub(crate) observation: usize,
    /// Length of the features of all actions for which there is room.
    pub(crate) features: usize,
    /// Number of seats, which is the length of a row of rewards.
    pub(crate) seats: usize,
}

impl RowLengths {
    /// Returns the lengths for matches of this encoding and number of seats, with room for `actions` legal
    /// actions per match.
    pub(crate) fn new(size: EncodingSize, actions: usize, seats: u8) -> Self {
        let features = actions * size.action;
        RowLengths { observation: size.observation, features, seats: seats.into() }
    }
}

impl<'a> BatchArrays<'a> {
    /// Checks that all arrays have `rows` rows of these lengths. Observations and features may also be empty.
    ///
    /// # Errors
    ///
    /// Fails with the name and lengths of the first array of another length.
    pub(crate) fn check(&self, rows: usize, lengths: RowLengths) -> Result<(), EnvironmentError> {
        let optional = |len: usize, row: usize| if len == 0 { 0 } else { rows * row };
        let all = [
            ("observations", self.observations.len(), optional(self.observations.len(), lengths.observation)),
            ("features", self.features.len(), optional(self.features.len(), lengths.features)),
            ("counts", self.counts.len(), rows),
            ("seats", self.seats.len(), rows),
            ("rewards", self.rewards.len(), rows * lengths.seats),
            ("done", self.done.len(), rows),
        ];
        match all.into_iter().find(|(_, given, wanted)| given != wanted) {
            Some((name, given, wanted)) => Err(EnvironmentError::Length { name, given, wanted }),
            None => Ok(()),
        }
    }

    /// Splits all arrays at row `rows`, and returns the rows before it and the rest. Empty observations or
    /// features stay empty in both. Panics if there are fewer rows. The lengths must be those that the arrays
    /// were checked with.
    pub(crate) fn split(self, rows: usize, lengths: RowLengths) -> (BatchArrays<'a>, BatchArrays<'a>) {
        let optional = |array: &[f32], row: usize| if array.is_empty() { 0 } else { rows * row };
        let (observed, featured) =
            (optional(self.observations, lengths.observation), optional(self.features, lengths.features));
        let observations = self.observations.split_at_mut(observed);
        let features = self.features.split_at_mut(featured);
        let counts = self.counts.split_at_mut(rows);
        let seats = self.seats.split_at_mut(rows);
        let rewards = self.rewards.split_at_mut(rows * lengths.seats);
        let done = self.done.split_at_mut(rows);
        (
            BatchArrays {
                observations: observations.0,
                features: features.0,
                counts: counts.0,
                seats: seats.0,
                rewards: rewards.0,
                done: done.0,
            },
            BatchArrays {
                observations: observations.1,
                features: features.1,
                counts: counts.1,
                seats: seats.1,
                rewards: rewards.1,
                done: done.1,
            },
        )
    }
}

/// Returns row number `i` of an array with rows of this length; empty if the array is empty. Panics if a non-empty
/// array has no such row.
#[inline]
pub(crate) fn row(array: &mut [f32], i: usize, length: usize) -> &mut [f32] {
    if array.is_empty() { array } else { &mut array[i * length..(i + 1) * length] }
}
