//! Many matches of one game that are stepped together.

use crate::arrays::{BatchArrays, RowLengths, row};
use crate::setup::{EnvironmentError, Setup, advance, play, reward};
use pentarchy_engine::{Encode, Heuristic, Node, Outcome, Position, Rng, RuleError, Seat};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;

/// How a batch is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BatchPlan {
    /// Number of matches.
    pub matches: usize,
    /// The seed of all matches.
    pub seed: u64,
    /// Number of threads; 0 and 1 play on the thread of the caller. The results do not depend on it.
    pub threads: usize,
    /// A match is cut off after this number of decisions, with rewards 0; 0 for no limit.
    pub limit: u32,
    /// Number of actions for which there is room; 0 for the encoder's estimate. A longer legal list is cut, and
    /// the actions beyond cannot be played.
    pub actions: usize,
}

/// Matches of one game that are stepped together. Nature plays itself, and a match that has ended begins
/// again. Equal plans and actions give equal results, whatever the number of threads.
pub struct Batch<G: Encode> {
    /// What the matches share.
    setup: Arc<Setup<G>>,
    /// The matches.
    matches: Vec<Running<G>>,
    /// The threads, if there are several.
    pool: Option<ThreadPool>,
    /// The lengths of rows.
    lengths: RowLengths,
    /// The plan, with the number of actions filled in.
    plan: BatchPlan,
}

/// One match of a batch.
struct Running<G: Encode> {
    position: Position<G>,
    /// The generator of this match and of its successors.
    rng: Rng,
    /// The legal actions of the seat to act, as far as there is room for them.
    list: Vec<G::Action>,
    /// Number of decisions so far.
    decisions: u32,
}

impl<G: Encode + Heuristic> Batch<G> {
    /// Creates a batch whose matches are at their first decisions. The number of matches of the plan may be
    /// 0; 0 or 1 threads play on the thread of the caller.
    ///
    /// # Errors
    ///
    /// Fails if threads cannot be started or the rules contradict themselves.
    pub fn new(setup: Arc<Setup<G>>, plan: BatchPlan) -> Result<Self, EnvironmentError> {
        let size = setup.size();
        let plan = BatchPlan { actions: if plan.actions == 0 { size.actions } else { plan.actions }, ..plan };
        let pool = (plan.threads > 1).then(|| ThreadPoolBuilder::new().num_threads(plan.threads).build());
        let pool = pool.transpose().map_err(|e| EnvironmentError::Threads(e.to_string()))?;
        let lengths = RowLengths::new(size, plan.actions, setup.seats());
        let begin = |i: usize| Running::new(&setup, Rng::stream(plan.seed, i as u64), plan.actions);
        let matches = (0..plan.matches).map(begin).collect::<Result<_, _>>()?;
        Ok(Batch { setup, matches, pool, lengths, plan })
    }

    /// Returns the plan with the seed of the last reset, and with the number of actions for which there is
    /// room in place of 0.
    pub fn plan(&self) -> BatchPlan {
        self.plan
    }

    /// Begins all matches again with this seed, which replaces that of the plan, and writes their first
    /// decisions, with rewards and ends 0.
    ///
    /// # Errors
    ///
    /// Fails if an array has another length, which changes nothing, or if the rules contradict themselves.
    pub fn reset(&mut self, seed: u64, out: BatchArrays<'_>) -> Result<(), EnvironmentError> {
        out.check(self.matches.len(), self.lengths)?;
        self.plan.seed = seed;
        let (setup, actions) = (Arc::clone(&self.setup), self.plan.actions);
        for (i, running) in self.matches.iter_mut().enumerate() {
            *running = Running::new(&setup, Rng::stream(seed, i as u64), actions)?;
        }
        self.for_each(&[], out)
    }

    /// Writes the decisions that are awaited now, with rewards and ends 0. Plays nothing.
    ///
    /// # Errors
    ///
    /// Fails if an array has another length; nothing is written then.
    pub fn observe(&mut self, out: BatchArrays<'_>) -> Result<(), EnvironmentError> {
        out.check(self.matches.len(), self.lengths)?;
        self.for_each(&[], out)
    }

    /// Plays one action in each match, each an index into its legal list, lets nature play, and writes the
    /// next decisions. A match that ends gives its rewards, one that reaches the limit of the plan is cut off
    /// with rewards 0; both begin again, so what is written is the first decision of the next match.
    ///
    /// # Errors
    ///
    /// Fails if an array has another length or an index is not in its list, which changes nothing, or if the
    /// rules contradict themselves; some matches may have been stepped then.
    pub fn step(&mut self, actions: &[i32], out: BatchArrays<'_>) -> Result<(), EnvironmentError> {
        out.check(self.matches.len(), self.lengths)?;
        if actions.len() != self.matches.len() {
            let (given, wanted) = (actions.len(), self.matches.len());
            return Err(EnvironmentError::Length { name: "actions", given, wanted });
        }
        for (index, (&action, running)) in actions.iter().zip(&self.matches).enumerate() {
            let count = running.list.len();
            if usize::try_from(action).map_or(true, |action| action >= count) {
                return Err(EnvironmentError::Action { index, action: action.into(), count });
            }
        }
        self.for_each(actions, out)
    }

    /// Plays uniformly random actions for `steps` steps, drawn from the generator of each match. Returns the
    /// number of matches that ended or were cut off. `out` has the decisions, rewards and ends of the last
    /// step afterwards, and is unchanged for 0 steps.
    ///
    /// # Errors
    ///
    /// Fails if an array has another length, which changes nothing, or if the rules contradict themselves.
    pub fn play_random(&mut self, steps: u32, mut out: BatchArrays<'_>) -> Result<u64, EnvironmentError> {
        out.check(self.matches.len(), self.lengths)?;
        let (mut ended, mut actions) = (0, vec![0; self.matches.len()]);
        for _ in 0..steps {
            for (action, running) in actions.iter_mut().zip(&mut self.matches) {
                *action = running.rng.below(running.list.len() as u32) as i32;
            }
            self.for_each(&actions, out.reborrow())?;
            ended += out.done.iter().filter(|&&done| done != 0).count() as u64;
        }
        Ok(ended)
    }

    /// Plays one action in each match, or none if `actions` is empty, on all threads, and writes all rows.
    /// The caller must have checked the lengths of the arrays and the indexes of the actions.
    ///
    /// # Errors
    ///
    /// Fails if the rules contradict themselves; other matches may have been stepped.
    fn for_each(&mut self, actions: &[i32], out: BatchArrays<'_>) -> Result<(), EnvironmentError> {
        let work = Work { setup: &self.setup, lengths: self.lengths, plan: self.plan };
        let done = match &self.pool {
            Some(pool) => pool.install(|| work.split(&mut self.matches, actions, out, self.plan.threads)),
            None => work.run(&mut self.matches, actions, out),
        };
        done.map_err(EnvironmentError::Rules)
    }
}

impl BatchArrays<'_> {
    /// Borrows all arrays again for a shorter lifetime, so that they can be written several times in one
    /// call.
    fn reborrow(&mut self) -> BatchArrays<'_> {
        BatchArrays {
            observations: self.observations,
            features: self.features,
            counts: self.counts,
            seats: self.seats,
            rewards: self.rewards,
            done: self.done,
        }
    }
}

/// What a step needs besides the matches.
struct Work<'a, G: Encode> {
    setup: &'a Setup<G>,
    lengths: RowLengths,
    plan: BatchPlan,
}

impl<G: Encode + Heuristic> Work<'_, G> {
    /// Plays one action in each match, or none if `actions` is empty, and writes all rows. Halves the matches
    /// until there are `parts` parts or single matches, and runs the parts in parallel.
    ///
    /// # Errors
    ///
    /// Fails if the rules contradict themselves; other matches may have been stepped.
    fn split(
        &self,
        matches: &mut [Running<G>],
        actions: &[i32],
        out: BatchArrays<'_>,
        parts: usize,
    ) -> Result<(), RuleError> {
        if parts < 2 || matches.len() < 2 {
            return self.run(matches, actions, out);
        }
        let half = matches.len() / 2;
        let (first, second) = matches.split_at_mut(half);
        let (early, late) = actions.split_at(half.min(actions.len()));
        let (above, below) = out.split(half, self.lengths);
        let (a, b) = rayon::join(
            || self.split(first, early, above, parts / 2),
            || self.split(second, late, below, parts - parts / 2),
        );
        a.and(b)
    }

    /// Plays one action in each of these matches, or none if `actions` is empty, and writes their rows. A
    /// match that ends or is cut off gives its rewards (0 if cut off) and begins again; the rewards and ends
    /// of all others are 0.
    ///
    /// # Errors
    ///
    /// Fails if the rules contradict themselves; matches before that one have been stepped.
    fn run(
        &self,
        matches: &mut [Running<G>],
        actions: &[i32],
        out: BatchArrays<'_>,
    ) -> Result<(), RuleError> {
        let lengths = self.lengths;
        out.rewards.fill(0.0);
        out.done.fill(0);
        for (i, running) in matches.iter_mut().enumerate() {
            if let Some(&action) = actions.get(i) {
                let end = running.play(self.setup, action as usize, self.plan)?;
                if let Some(outcome) = end {
                    for (seat, given) in row(out.rewards, i, lengths.seats).iter_mut().enumerate() {
                        *given = outcome.map_or(0.0, |outcome| reward::<G>(&outcome, Seat(seat as u8)));
                    }
                    out.done[i] = if outcome.is_some() { 1 } else { 2 };
                }
            }
            let seat = running.position.actor().unwrap_or_default();
            out.counts[i] = running.list.len() as i32;
            out.seats[i] = seat.0.into();
            let observation = row(out.observations, i, lengths.observation);
            if !observation.is_empty() {
                self.setup.encoder.observe(&running.position, seat, observation);
            }
            let features = row(out.features, i, lengths.features);
            let width = self.setup.size().action;
            if width > 0 && !features.is_empty() {
                for (&action, features) in running.list.iter().zip(features.chunks_exact_mut(width)) {
                    self.setup.encoder.encode_action(&running.position, seat, action, features);
                }
            }
        }
        Ok(())
    }
}

impl<G: Encode> Running<G> {
    /// Begins a match and advances it to its first decision. A legal list longer than `room` is cut.
    ///
    /// # Errors
    ///
    /// Fails if the rules contradict themselves.
    fn new(setup: &Setup<G>, rng: Rng, room: usize) -> Result<Self, RuleError> {
        let (position, list) = (setup.start.clone(), Vec::new());
        let mut running = Running { position, rng, list, decisions: 0 };
        running.begin(setup)?;
        running.list.truncate(room);
        Ok(running)
    }

    /// Plays entry `index` of the list and advances to the next decision. Returns `None` while the match goes
    /// on, `Some` with its outcome at its end, and `Some(None)` if it was cut off by the limit of the plan;
    /// the next match has begun then. The list is cut at the room of the plan.
    ///
    /// # Errors
    ///
    /// Fails if the list has no such entry or the rules contradict themselves.
    #[inline]
    fn play(
        &mut self,
        setup: &Setup<G>,
        index: usize,
        plan: BatchPlan,
    ) -> Result<Option<Option<Outcome>>, RuleError> {
        let action = *self.list.get(index).ok_or(RuleError::new("there is no such action"))?;
        play(&mut self.position, action)?;
        self.decisions += 1;
        advance(&mut self.position, &mut self.rng, &mut self.list)?;
        let end = match self.position.node() {
            Node::Over => Some(self.position.outcome()),
            _ if plan.limit > 0 && self.decisions >= plan.limit => Some(None),
            _ => None,
        };
        if end.is_some() {
            self.begin(setup)?;
        }
        self.list.truncate(plan.actions);
        Ok(end)
    }

    /// Begins the next match from the initial position, with the generator as it is, and advances it to its
    /// first decision. A match that ends without a decision begins again. Does not cut the list.
    ///
    /// # Errors
    ///
    /// Fails if the rules contradict themselves, or if 10,000 matches in a row end without a decision.
    fn begin(&mut self, setup: &Setup<G>) -> Result<(), RuleError> {
        /// More matches in a row without a decision count as an endless loop.
        const MOST_EMPTY: u32 = 10_000;
        self.decisions = 0;
        for _ in 0..MOST_EMPTY {
            self.position.clone_from(&setup.start);
            advance(&mut self.position, &mut self.rng, &mut self.list)?;
            if self.position.node() != Node::Over {
                return Ok(());
            }
        }
        Err(RuleError::new("the matches end without a decision"))
    }
}
