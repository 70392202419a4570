//! Checks of encoders: what is written for a seat follows from what the seat may know.

use super::trial::Trial;
use super::{LawResult, demand};
use pentarchy_engine::{Encode, MOST_ENCODED, Position, Seat};

impl<G: Encode> Trial<'_, G> {
    /// Checks that the observation of `seat` and, if it acts, the features of all its legal actions are in
    /// range, and equal in the omniscient position and in `others`, which the seat cannot tell from it.
    ///
    /// # Errors
    ///
    /// Fails with the violated law.
    pub(super) fn check_observations(&self, seat: Seat, others: &[&Position<G>]) -> LawResult {
        let size = self.encoder.size();
        let observe = |position: &Position<G>| {
            let mut out = vec![f32::NAN; size.observation];
            self.encoder.observe(position, seat, &mut out);
            out
        };
        let observed = observe(&self.full);
        self.check_range(&observed, "an observation")?;
        for other in others {
            let differs = difference(&observed, &observe(other));
            demand!(
                differs.is_none(),
                Observation,
                "seat {seat} observes what it may not know: {}",
                differs.map_or_else(String::new, |i| self.encoder.names().observation[i].clone())
            );
        }
        if self.full.actor() != Some(seat) {
            return Ok(());
        }
        for &action in &self.list {
            let encode = |position: &Position<G>| {
                let mut out = vec![f32::NAN; size.action];
                self.encoder.encode_action(position, seat, action, &mut out);
                out
            };
            let encoded = encode(&self.full);
            self.check_range(&encoded, &format!("`{action}`"))?;
            for other in others {
                let differs = difference(&encoded, &encode(other));
                demand!(
                    differs.is_none(),
                    Observation,
                    "the features of `{action}` tell seat {seat} what it may not know: {}",
                    differs.map_or_else(String::new, |i| self.encoder.names().action[i].clone())
                );
            }
        }
        Ok(())
    }

    /// Checks that all numbers of an encoded vector are written (not NaN) and at most `MOST_ENCODED` in
    /// absolute value. `what` names the vector in the message.
    ///
    /// # Errors
    ///
    /// Fails with the violated law.
    fn check_range(&self, numbers: &[f32], what: &str) -> LawResult {
        let wrong = numbers.iter().find(|n| !(-MOST_ENCODED..=MOST_ENCODED).contains(*n));
        demand!(wrong.is_none(), Observation, "{what} contains {wrong:?}");
        Ok(())
    }
}

/// Returns the first index at which two vectors of equal length differ; `None` if they are equal.
fn difference(a: &[f32], b: &[f32]) -> Option<usize> {
    a.iter().zip(b).position(|(a, b)| a != b)
}
