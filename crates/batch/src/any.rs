//! Setups, batches, matches and trees without the generic types of their game.

use crate::arrays::BatchArrays;
use crate::batch::{Batch, BatchPlan};
use crate::picture::{TablePicture, picture};
use crate::setup::{EnvironmentError, Setup};
use crate::single::SingleMatch;
use crate::tree::{TreeAwaits, TreeState};
use pentarchy_engine::record::Record;
use pentarchy_engine::{
    AnyError, AnyGame, AnyPosition, Describe, Encode, EncodingNames, EncodingSize, Exploration, Heuristic,
    Position, Seat, options,
};
use serde_json::Value;
use std::marker::PhantomData;
use std::sync::Arc;

/// The environments of a game.
pub trait AnyEnvironments: Send + Sync {
    /// Returns the game of these environments, without its types.
    fn game(&self) -> &'static dyn AnyGame;

    /// Creates the setup of matches with this number of seats. `options` is a JSON table of the options that
    /// differ from the defaults; null for none. Plays random games, as many as `exploration` allows, to fix
    /// the encoding; `Exploration::FULL` takes up to a second.
    ///
    /// # Errors
    ///
    /// Fails if the game does not allow this number of seats or these options.
    fn setup(
        &self,
        seats: u8,
        options: &Value,
        exploration: Exploration,
    ) -> Result<Arc<dyn AnySetup>, AnyError>;
}

/// A game with its number of seats, its options and its encoder.
pub trait AnySetup: Send + Sync {
    /// Returns the game of this setup, without its types.
    fn game(&self) -> &'static dyn AnyGame;

    /// Returns the number of seats.
    fn seats(&self) -> u8;

    /// Returns all options, defaults included, as a JSON table; null if they cannot be serialised.
    fn options(&self) -> Value;

    /// Returns the lengths of the vectors of an observation and of an action, and the number of legal actions
    /// for which a learner should have room. They never change.
    fn size(&self) -> EncodingSize;

    /// Returns the names of the numbers of an observation and of those of an action, each in their order.
    fn names(&self) -> EncodingNames;

    /// Plays this number of matches to their ends with uniformly random decisions, one after the other,
    /// without encoding anything. Returns the total number of decisions. The seed determines all chance and
    /// choices.
    ///
    /// # Errors
    ///
    /// Fails if the rules contradict themselves.
    fn playouts(&self, matches: u32, seed: u64) -> Result<u64, EnvironmentError>;

    /// Creates a batch by this plan, with all matches at their first decisions ([`Batch::new`]). It writes
    /// nothing until it is reset, observed or stepped.
    ///
    /// # Errors
    ///
    /// Fails if threads cannot be started or the rules contradict themselves.
    fn batch(self: Arc<Self>, plan: BatchPlan) -> Result<Box<dyn AnyBatch>, EnvironmentError>;

    /// Begins a match and advances it to its first decision; it may be over at once ([`SingleMatch::new`]).
    /// The seed determines all chance. With `recorded` the match writes a record of all its events.
    ///
    /// # Errors
    ///
    /// Fails if the rules contradict themselves, or if the options cannot be written to a record.
    fn single(self: Arc<Self>, seed: u64, recorded: bool) -> Result<Box<dyn AnyMatch>, EnvironmentError>;

    /// Creates the root of the game tree, before anything has happened, in which each result of nature is a
    /// step ([`TreeState::new`]).
    ///
    /// # Errors
    ///
    /// Fails if the rules contradict themselves.
    fn tree(self: Arc<Self>) -> Result<Box<dyn AnyTree>, EnvironmentError>;
}

/// Matches that are stepped together; see [`Batch`].
pub trait AnyBatch: Send + Sync {
    /// Returns the plan with the seed of the last reset, and with the number of actions for which there is
    /// room in place of 0.
    fn plan(&self) -> BatchPlan;

    /// Begins all matches again with this seed, which replaces that of the plan, and writes their first
    /// decisions, with rewards and ends 0.
    ///
    /// # Errors
    ///
    /// Fails if an array has another length, which changes nothing, or if the rules contradict themselves.
    fn reset(&mut self, seed: u64, out: BatchArrays<'_>) -> Result<(), EnvironmentError>;

    /// Writes the decisions that are awaited now, with rewards and ends 0. Plays nothing.
    ///
    /// # Errors
    ///
    /// Fails if an array has another length; nothing is written then.
    fn observe(&mut self, out: BatchArrays<'_>) -> Result<(), EnvironmentError>;

    /// Plays one action in each match, each an index into its legal list, lets nature play, and writes the
    /// next decisions. A match that ends gives its rewards, one that reaches the limit of the plan is cut off
    /// with rewards 0; both begin again, so what is written is the first decision of the next match.
    ///
    /// # Errors
    ///
    /// Fails if an array has another length or an index is not in its list, which changes nothing, or if the
    /// rules contradict themselves; some matches may have been stepped then.
    fn step(&mut self, actions: &[i32], out: BatchArrays<'_>) -> Result<(), EnvironmentError>;

    /// Plays uniformly random actions for `steps` steps, drawn from the generator of each match, and writes
    /// the decisions, rewards and ends of the last step; nothing for 0 steps. Returns the number of matches
    /// that ended or were cut off in all steps.
    ///
    /// # Errors
    ///
    /// Fails if an array has another length, which changes nothing, or if the rules contradict themselves.
    fn play_random(&mut self, steps: u32, out: BatchArrays<'_>) -> Result<u64, EnvironmentError>;
}

/// One state of a match or of a game tree.
pub trait AnyState: Send + Sync {
    /// Returns the game, its options and its encoder, shared with all states of this setup.
    fn setup(&self) -> Arc<dyn AnySetup>;

    /// Returns the seat to act; `None` if nature is to act or the match is over.
    fn seat(&self) -> Option<Seat>;

    /// Returns the number of steps that can follow: the legal actions of the seat to act, or in a game tree
    /// the results of nature; 0 at the end.
    fn count(&self) -> usize;

    /// Moves to the state after the step with this index in the list of steps. In a match nature then plays
    /// up to the next decision or the end. On an error about the index nothing has changed.
    ///
    /// # Errors
    ///
    /// Fails if the match is over or there is no such step, or if the rules contradict themselves.
    fn step(&mut self, index: usize) -> Result<(), EnvironmentError>;

    /// Returns a text for the step with this index: the action in spoken text, or in a game tree the result
    /// of nature (`result: 4`, `#5: king`). `None` if there is no such step.
    fn step_text(&self, index: usize) -> Option<String>;

    /// Returns whether the match is over.
    fn is_over(&self) -> bool;

    /// Returns what a seat has got at the end ([`reward`](crate::reward)); 0 before it. The seat must take
    /// part; that is not checked.
    fn reward(&self, seat: Seat) -> f32;

    /// Overwrites `out` with the encoded observation of `seat`: what it knows of the position. Panics unless
    /// `out` has the length of an observation. The seat must take part.
    fn observe(&self, seat: Seat, out: &mut [f32]);

    /// Writes the encoded features of the legal actions of the seat to act to `out`, one row per action, as
    /// far as there is room. Other rows are left as they are, as is all of `out` when no seat is to act.
    fn features(&self, out: &mut [f32]);

    /// Returns a copy of the position, with texts. It is that of the simulator, which knows all faces; in a
    /// game tree faces that no seat has learned may be unknown in it.
    fn position(&self) -> Box<dyn AnyPosition>;

    /// Returns what the position shows to a seat, or to a spectator if `None`, as data for a program that
    /// draws it.
    fn picture(&self, seat: Option<Seat>) -> TablePicture;
}

/// One match in which nature plays itself; see [`SingleMatch`].
pub trait AnyMatch: AnyState {
    /// Returns the record of all events up to now; `None` if the match was begun without one.
    fn record(&self) -> Option<&Record>;

    /// Returns a copy that shares no state with this match, with the same generator of chance: equal actions
    /// give equal matches.
    fn clone_match(&self) -> Box<dyn AnyMatch>;
}

/// A state of a game tree; see [`TreeState`].
pub trait AnyTree: AnyState {
    /// Returns what the state waits for: a decision of a seat, a result of nature, or nothing at the end.
    fn awaits(&self) -> TreeAwaits;

    /// Returns the probabilities of the results of nature, in the order of their steps; they add up to 1.
    /// Empty unless nature is to act.
    fn probabilities(&self) -> Vec<f64>;

    /// Returns a hash of all that a seat has observed since the start: equal exactly for states that it
    /// cannot tell apart, up to collisions of 64 bits. `None` if there is no such seat.
    fn information_set(&self, seat: Seat) -> Option<u64>;

    /// Returns a copy that shares no state with this one.
    fn clone_tree(&self) -> Box<dyn AnyTree>;
}

/// Implements [`AnyEnvironments`] for the game `G`; has no data.
struct ErasedEnvironments<G>(PhantomData<fn() -> G>);

/// Returns the environments of the game `G`, without its types.
pub const fn any<G: Encode + Describe + Heuristic>() -> &'static dyn AnyEnvironments {
    &ErasedEnvironments::<G>(PhantomData)
}

impl<G: Encode + Describe + Heuristic> AnyEnvironments for ErasedEnvironments<G> {
    /// Returns the type-erased form of `G`.
    fn game(&self) -> &'static dyn AnyGame {
        pentarchy_engine::any::any::<G>()
    }

    /// Creates the setup of matches with this number of seats. `options` is a JSON table of the options that
    /// differ from the defaults; null for none. Plays random games, as many as `exploration` allows, to fix
    /// the encoding; `Exploration::FULL` takes up to a second.
    ///
    /// # Errors
    ///
    /// Fails if the game does not allow this number of seats or these options.
    fn setup(
        &self,
        seats: u8,
        options: &Value,
        exploration: Exploration,
    ) -> Result<Arc<dyn AnySetup>, AnyError> {
        let options = options::from_value(options)?;
        Ok(Arc::new(Setup::<G>::new(seats, &options, exploration)?))
    }
}

impl<G: Encode + Describe + Heuristic> AnySetup for Setup<G> {
    /// Returns the type-erased form of `G`.
    fn game(&self) -> &'static dyn AnyGame {
        pentarchy_engine::any::any::<G>()
    }

    /// Returns the number of seats.
    fn seats(&self) -> u8 {
        Setup::seats(self)
    }

    /// Returns all options, defaults included, as a JSON table; null if they cannot be serialised.
    fn options(&self) -> Value {
        options::to_value(&self.options).unwrap_or(Value::Null)
    }

    /// Returns the lengths of the vectors of an observation and of an action, and the number of legal actions
    /// for which a learner should have room. They never change.
    fn size(&self) -> EncodingSize {
        Setup::size(self)
    }

    /// Returns the names of the numbers of an observation and of those of an action, each in their order.
    fn names(&self) -> EncodingNames {
        self.encoder.names()
    }

    /// Plays this number of matches to their ends with uniformly random decisions, without encoding anything.
    /// Returns the total number of decisions. The seed determines all chance and choices.
    ///
    /// # Errors
    ///
    /// Fails if the rules contradict themselves.
    fn playouts(&self, matches: u32, seed: u64) -> Result<u64, EnvironmentError> {
        Ok(Setup::playouts(self, matches, seed)?)
    }

    /// Creates a batch by this plan, with all matches at their first decisions.
    ///
    /// # Errors
    ///
    /// Fails if threads cannot be started or the rules contradict themselves.
    fn batch(self: Arc<Self>, plan: BatchPlan) -> Result<Box<dyn AnyBatch>, EnvironmentError> {
        Ok(Box::new(Batch::new(self, plan)?))
    }

    /// Begins a match and advances it to its first decision; it may be over at once. Writes a record if
    /// `recorded`. The seed determines all chance.
    ///
    /// # Errors
    ///
    /// Fails if the rules contradict themselves, or if the options cannot be written to a record.
    fn single(self: Arc<Self>, seed: u64, recorded: bool) -> Result<Box<dyn AnyMatch>, EnvironmentError> {
        Ok(Box::new(SingleMatch::new(self, seed, recorded)?))
    }

    /// Creates the root of the game tree, before anything has happened, in which each result of nature is a
    /// step.
    ///
    /// # Errors
    ///
    /// Fails if the rules contradict themselves.
    fn tree(self: Arc<Self>) -> Result<Box<dyn AnyTree>, EnvironmentError> {
        Ok(Box::new(TreeState::new(self)?))
    }
}

impl<G: Encode + Describe + Heuristic> AnyBatch for Batch<G> {
    /// Returns the plan with the seed of the last reset, and with the number of actions for which there is
    /// room in place of 0.
    fn plan(&self) -> BatchPlan {
        Batch::plan(self)
    }

    /// Begins all matches again with this seed, which replaces that of the plan, and writes their first
    /// decisions, with rewards and ends 0.
    ///
    /// # Errors
    ///
    /// Fails if an array has another length, which changes nothing, or if the rules contradict themselves.
    fn reset(&mut self, seed: u64, out: BatchArrays<'_>) -> Result<(), EnvironmentError> {
        Batch::reset(self, seed, out)
    }

    /// Writes the decisions that are awaited now, with rewards and ends 0. Plays nothing.
    ///
    /// # Errors
    ///
    /// Fails if an array has another length; nothing is written then.
    fn observe(&mut self, out: BatchArrays<'_>) -> Result<(), EnvironmentError> {
        Batch::observe(self, out)
    }

    /// Plays one action in each match, each an index into its legal list, lets nature play, and writes the
    /// next decisions. A match that ends gives its rewards, one that reaches the limit of the plan is cut off
    /// with rewards 0; both begin again, so what is written is the first decision of the next match.
    ///
    /// # Errors
    ///
    /// Fails if an array has another length or an index is not in its list, which changes nothing, or if the
    /// rules contradict themselves; some matches may have been stepped then.
    fn step(&mut self, actions: &[i32], out: BatchArrays<'_>) -> Result<(), EnvironmentError> {
        Batch::step(self, actions, out)
    }

    /// Plays uniformly random actions for `steps` steps, drawn from the generator of each match, and writes
    /// the decisions, rewards and ends of the last step; nothing for 0 steps. Returns the number of matches
    /// that ended or were cut off in all steps.
    ///
    /// # Errors
    ///
    /// Fails if an array has another length, which changes nothing, or if the rules contradict themselves.
    fn play_random(&mut self, steps: u32, out: BatchArrays<'_>) -> Result<u64, EnvironmentError> {
        Batch::play_random(self, steps, out)
    }
}

/// Implements [`AnyState`] for a type with the methods `setup`, `position`, `list` and `reward`.
macro_rules! erase_state {
    ($state:ident, seat: $seat:expr, count: $count:expr, text: $text:expr) => {
        impl<G: Encode + Describe + Heuristic> AnyState for $state<G> {
            /// Returns the game, its options and its encoder, shared.
            fn setup(&self) -> Arc<dyn AnySetup> {
                Arc::<Setup<G>>::clone($state::setup(self))
            }
            /// Returns the seat to act; `None` if nature is to act or the match is over.
            fn seat(&self) -> Option<Seat> {
                $seat(self)
            }
            /// Returns the number of steps that can follow: legal actions, or in a game tree results of
            /// nature; 0 at the end.
            fn count(&self) -> usize {
                $count(self)
            }
            /// Moves to the state after the step with this index in the list of steps. In a match nature
            /// then plays up to the next decision or the end. On an error about the index nothing has
            /// changed.
            ///
            /// # Errors
            ///
            /// Fails if the match is over or there is no such step, or if the rules contradict themselves.
            fn step(&mut self, index: usize) -> Result<(), EnvironmentError> {
                $state::step(self, index)
            }
            /// Returns a text for the step with this index: the action in spoken text, or in a game tree
            /// the result of nature. `None` if there is no such step.
            fn step_text(&self, index: usize) -> Option<String> {
                $text(self, index)
            }
            /// Returns whether the match is over.
            fn is_over(&self) -> bool {
                $state::position(self).outcome().is_some()
            }
            /// Returns what a seat has got at the end; 0 before it. The seat must take part; that is not
            /// checked.
            fn reward(&self, seat: Seat) -> f32 {
                $state::reward(self, seat)
            }
            /// Overwrites `out` with the encoded observation of `seat`: what it knows of the position.
            /// Panics unless `out` has the length of an observation.
            fn observe(&self, seat: Seat, out: &mut [f32]) {
                $state::setup(self).encoder.observe($state::position(self), seat, out);
            }
            /// Writes the features of the legal actions, row by row, as far as `out` has room. Other rows are
            /// left as they are, as is all of `out` when no seat is to act.
            fn features(&self, out: &mut [f32]) {
                write_features($state::setup(self), $state::position(self), $state::list(self), out);
            }
            /// Returns a copy of the position, with texts. It is that of the simulator, which knows all
            /// faces; in a game tree faces that no seat has learned may be unknown in it.
            fn position(&self) -> Box<dyn AnyPosition> {
                pentarchy_engine::any::erase($state::position(self).clone())
            }
            /// Returns what the position shows to a seat, or to a spectator if `None`, as data for a
            /// program that draws it.
            fn picture(&self, seat: Option<Seat>) -> TablePicture {
                let position = $state::position(self);
                picture(&seat.map_or_else(|| position.spectator(), |seat| position.view(seat)))
            }
        }
    };
}

erase_state!(
    SingleMatch,
    seat: SingleMatch::seat,
    count: |state: &SingleMatch<G>| state.list().len(),
    text: |state: &SingleMatch<G>, index: usize| {
        let seat = state.seat()?;
        Some(state.position().view(seat).format_action(*state.list().get(index)?))
    }
);
erase_state!(
    TreeState,
    seat: |state: &TreeState<G>| match state.awaits() {
        TreeAwaits::Decision(seat) => Some(seat),
        _ => None,
    },
    count: TreeState::count,
    text: TreeState::step_text
);

impl<G: Encode + Describe + Heuristic> AnyMatch for SingleMatch<G> {
    /// Returns the record of all events up to now; `None` if the match was begun without one.
    fn record(&self) -> Option<&Record> {
        SingleMatch::record(self)
    }

    /// Returns a copy that shares no state with this match, with the same generator of chance: equal actions
    /// give equal matches.
    fn clone_match(&self) -> Box<dyn AnyMatch> {
        Box::new(self.clone())
    }
}

impl<G: Encode + Describe + Heuristic> AnyTree for TreeState<G> {
    /// Returns what the state waits for: a decision of a seat, a result of nature, or nothing at the end.
    fn awaits(&self) -> TreeAwaits {
        TreeState::awaits(self)
    }

    /// Returns the probabilities of the results of nature, in the order of their steps; they add up to 1.
    /// Empty unless nature is to act.
    fn probabilities(&self) -> Vec<f64> {
        TreeState::probabilities(self)
    }

    /// Returns a hash of all that a seat has observed: equal exactly for states that it cannot tell apart, up
    /// to collisions of 64 bits. `None` if there is no such seat.
    fn information_set(&self, seat: Seat) -> Option<u64> {
        TreeState::information_set(self, seat)
    }

    /// Returns a copy that shares no state with this one.
    fn clone_tree(&self) -> Box<dyn AnyTree> {
        Box::new(self.clone())
    }
}

/// Writes the features of the actions of `list`, row by row, as far as `out` has room. Other rows are left as they
/// are, as is all of `out` when no seat is to act. `list` must be that of the position.
fn write_features<G: Encode>(setup: &Setup<G>, position: &Position<G>, list: &[G::Action], out: &mut [f32]) {
    let (Some(seat), width) = (position.actor(), setup.size().action) else { return };
    if width > 0 {
        for (&action, row) in list.iter().zip(out.chunks_exact_mut(width)) {
            setup.encoder.encode_action(position, seat, action, row);
        }
    }
}
