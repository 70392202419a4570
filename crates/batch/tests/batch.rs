//! Batches, matches and game trees of two classics: equal for all numbers of threads, and right in detail. (The tests
//! of the Python package have all games; each one here takes seconds to compile.)

#![allow(clippy::panic, clippy::unwrap_used)] // Helpers of tests may do as tests do.

use pentarchy_batch::{AnySetup, Batch, BatchArrays, BatchPlan, EnvironmentError, Setup, TreeAwaits, any};
use pentarchy_classics::{ConnectFour, Kuhn};
use pentarchy_engine::{Encode, Exploration, Heuristic, Rng, Seat};
use std::sync::Arc;

/// A short exploration: these games are small.
const EXPLORATION: Exploration = Exploration { games: 12, positions: 400 };

fn setup<G: Encode + Heuristic>(seats: u8) -> Arc<Setup<G>> {
    Arc::new(Setup::new(seats, &G::Options::default(), EXPLORATION).unwrap())
}

/// Arrays for a batch, owned.
struct Owned {
    observations: Vec<f32>,
    features: Vec<f32>,
    counts: Vec<i32>,
    seats: Vec<i32>,
    rewards: Vec<f32>,
    done: Vec<u8>,
}

impl Owned {
    fn new<G: Encode + Heuristic>(setup: &Setup<G>, plan: BatchPlan) -> Self {
        let (n, size) = (plan.matches, setup.size());
        Owned {
            observations: vec![0.0; n * size.observation],
            features: vec![0.0; n * plan.actions * size.action],
            counts: vec![0; n],
            seats: vec![0; n],
            rewards: vec![0.0; n * usize::from(setup.seats())],
            done: vec![0; n],
        }
    }

    fn arrays(&mut self) -> BatchArrays<'_> {
        BatchArrays {
            observations: &mut self.observations,
            features: &mut self.features,
            counts: &mut self.counts,
            seats: &mut self.seats,
            rewards: &mut self.rewards,
            done: &mut self.done,
        }
    }
}

/// Plays random actions and returns all that was written, as text.
fn transcript<G: Encode + Heuristic>(setup: &Arc<Setup<G>>, threads: usize) -> String {
    let plan = BatchPlan { matches: 5, seed: 9, threads, limit: 30, actions: 0 };
    let mut batch = Batch::new(Arc::clone(setup), plan).unwrap();
    let mut out = Owned::new(setup, batch.plan());
    batch.observe(out.arrays()).unwrap();
    let (mut rng, mut text) = (Rng::new(1), String::new());
    for _ in 0..80 {
        let actions: Vec<i32> = out.counts.iter().map(|&n| rng.below(n as u32) as i32).collect();
        batch.step(&actions, out.arrays()).unwrap();
        let Owned { observations, features, counts, seats, rewards, done } = &out;
        text += &format!("{observations:?}{features:?}{counts:?}{seats:?}{rewards:?}{done:?}");
    }
    text
}

fn equal_for_all_threads<G: Encode + Heuristic>(seats: u8) {
    let setup = setup::<G>(seats);
    let one = transcript(&setup, 1);
    assert_eq!(one, transcript(&setup, 2));
    assert_eq!(one, transcript(&setup, 7));
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    equal_for_all_threads::<ConnectFour>(2);
    equal_for_all_threads::<Kuhn>(2);
}

#[test]
fn a_wrong_action_changes_nothing() {
    let setup = setup::<ConnectFour>(2);
    let plan = BatchPlan { matches: 2, seed: 1, threads: 1, limit: 0, actions: 0 };
    let mut batch = Batch::new(Arc::clone(&setup), plan).unwrap();
    let mut out = Owned::new(&setup, batch.plan());
    batch.observe(out.arrays()).unwrap();
    let before = out.observations.clone();
    let refused = batch.step(&[0, 7], out.arrays());
    assert_eq!(refused, Err(EnvironmentError::Action { index: 1, action: 7, count: 7 }));
    let short = batch.step(&[0], out.arrays());
    assert_eq!(short, Err(EnvironmentError::Length { name: "actions", given: 1, wanted: 2 }));
    out.counts.push(0);
    let long = batch.observe(out.arrays());
    assert_eq!(long, Err(EnvironmentError::Length { name: "counts", given: 3, wanted: 2 }));
    out.counts.pop();
    batch.observe(out.arrays()).unwrap();
    assert_eq!(out.observations, before);
}

/// Connect four: every match has between 7 and 42 decisions, and its rewards add up to 0.
#[test]
fn matches_end_and_begin_again() {
    let setup = setup::<ConnectFour>(2);
    let plan = BatchPlan { matches: 8, seed: 1, threads: 1, limit: 0, actions: 0 };
    let mut batch = Batch::new(Arc::clone(&setup), plan).unwrap();
    let mut out = Owned::new(&setup, batch.plan());
    let (mut rng, mut length, mut ended) = (Rng::new(1), [0; 8], 0);
    batch.observe(out.arrays()).unwrap();
    for _ in 0..400 {
        let actions: Vec<i32> = out.counts.iter().map(|&n| rng.below(n as u32) as i32).collect();
        batch.step(&actions, out.arrays()).unwrap();
        for (i, length) in length.iter_mut().enumerate() {
            *length += 1;
            let rewards = &out.rewards[2 * i..2 * i + 2];
            assert!(rewards[0] + rewards[1] == 0.0 && (out.done[i] == 1 || rewards[0] == 0.0));
            if out.done[i] == 1 {
                assert!((7..=42).contains(length), "{length}");
                assert_eq!((out.seats[i], out.counts[i]), (0, 7), "the next match has begun");
                (*length, ended) = (0, ended + 1);
            }
        }
    }
    assert!(ended > 60, "{ended}");
}

/// The numbers of nodes and ends below a state.
fn census(state: &dyn pentarchy_batch::AnyTree) -> (u32, u32) {
    let (mut nodes, mut ends) = (1, u32::from(state.awaits() == TreeAwaits::Over));
    for index in 0..state.count() {
        let mut next = state.clone_tree();
        next.step(index).unwrap();
        let below = census(&*next);
        (nodes, ends) = (nodes + below.0, ends + below.1);
    }
    (nodes, ends)
}

fn kuhn() -> Arc<dyn AnySetup> {
    any::any::<Kuhn>().setup(2, &serde_json::Value::Null, EXPLORATION).unwrap()
}

#[test]
fn a_tree_has_the_published_number_of_histories() {
    assert_eq!(census(&*kuhn().tree().unwrap()), (58, 30));
}

#[test]
fn a_recorded_match_can_be_verified() {
    let mut playing = kuhn().single(3, true).unwrap();
    let mut rng = Rng::new(1);
    while !playing.is_over() {
        playing.step(rng.below(playing.count() as u32) as usize).unwrap();
    }
    let record = playing.record().unwrap();
    let verified = pentarchy_engine::record::verify::<Kuhn>(record).unwrap();
    assert_eq!(verified.outcome.ranks().len(), 2);
    assert_eq!(playing.reward(Seat(0)) + playing.reward(Seat(1)), 0.0);
    assert_eq!(playing.step(0), Err(EnvironmentError::Over));
}

/// The encoding is the same in every process: a saved network stays usable.
#[test]
fn the_default_encoding_is_fixed() {
    let names = kuhn().names();
    assert_eq!(names, kuhn().names());
    assert!(names.observation.contains(&"hand 0: king".to_string()), "{names:?}");
    assert!(names.observation.iter().all(|name| !name.contains("tokens.")), "{names:?}");
    let size = kuhn().size();
    assert_eq!((size.action, size.actions), (4, 2), "check, bet, call and fold, one-hot; two at a time");
}
