//! Batches: many matches that are stepped together, into arrays of the caller.

use crate::errors;
use numpy::{Element, PyReadonlyArray1, PyReadwriteArrayDyn};
use pentarchy_batch::{AnyBatch, AnySetup, BatchArrays, BatchPlan};
use pyo3::intern;
use pyo3::prelude::*;
use std::sync::Arc;

/// Most matches of a batch.
const MOST_MATCHES: usize = 1 << 24;
/// Most threads of a batch.
const MOST_THREADS: usize = 1024;

/// Many matches of one game that are stepped together.
#[pyclass(module = "pentarchy._core")]
pub(crate) struct Batch {
    inner: Box<dyn AnyBatch>,
    setup: Arc<dyn AnySetup>,
}

/// The arrays of the caller, borrowed for one call.
struct Borrowed<'py> {
    observations: PyReadwriteArrayDyn<'py, f32>,
    features: PyReadwriteArrayDyn<'py, f32>,
    counts: PyReadwriteArrayDyn<'py, i32>,
    seats: PyReadwriteArrayDyn<'py, i32>,
    rewards: PyReadwriteArrayDyn<'py, f32>,
    done: PyReadwriteArrayDyn<'py, u8>,
}

impl<'py> Borrowed<'py> {
    /// Borrows the arrays `observations`, `features`, `counts`, `seats`, `rewards` and `done`, which are
    /// attributes of `out`.
    ///
    /// # Errors
    ///
    /// Fails with an `AttributeError` if one is missing, and with a `ValueError` that names it if it has
    /// another type, is not writeable, or is borrowed already.
    fn new(out: &Bound<'py, PyAny>) -> PyResult<Self> {
        let py = out.py();
        Ok(Borrowed {
            observations: borrow(out.getattr(intern!(py, "observations"))?, "observations", "float32")?,
            features: borrow(out.getattr(intern!(py, "features"))?, "features", "float32")?,
            counts: borrow(out.getattr(intern!(py, "counts"))?, "counts", "int32")?,
            seats: borrow(out.getattr(intern!(py, "seats"))?, "seats", "int32")?,
            rewards: borrow(out.getattr(intern!(py, "rewards"))?, "rewards", "float32")?,
            done: borrow(out.getattr(intern!(py, "done"))?, "done", "uint8")?,
        })
    }

    /// Returns the arrays as slices. Their lengths are not checked.
    ///
    /// # Errors
    ///
    /// Fails with a `ValueError` that names the first array that is not contiguous.
    fn slices(&mut self) -> PyResult<BatchArrays<'_>> {
        Ok(BatchArrays {
            observations: slice(&mut self.observations, "observations")?,
            features: slice(&mut self.features, "features")?,
            counts: slice(&mut self.counts, "counts")?,
            seats: slice(&mut self.seats, "seats")?,
            rewards: slice(&mut self.rewards, "rewards")?,
            done: slice(&mut self.done, "done")?,
        })
    }
}

/// Borrows an array for writing. `name` and `kind` name the array and its element type in the error.
///
/// # Errors
///
/// Fails with a `ValueError` if it is no writeable numpy array of this type, or is borrowed already.
fn borrow<'py, T: Element>(
    array: Bound<'py, PyAny>,
    name: &str,
    kind: &str,
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    array.extract().map_err(|_| errors::value(format!("`{name}` must be a writeable numpy array of {kind}")))
}

/// Returns a borrowed array as a slice; `name` names it in the error.
///
/// # Errors
///
/// Fails with a `ValueError` if it is not contiguous.
fn slice<'a, T: Element>(array: &'a mut PyReadwriteArrayDyn<'_, T>, name: &str) -> PyResult<&'a mut [T]> {
    array.as_slice_mut().map_err(|_| errors::value(format!("the array `{name}` is not contiguous")))
}

impl Batch {
    /// Creates a batch whose matches are at their first decisions; the seed determines all chance. A match is
    /// cut off after `limit` decisions; 0 sets no limit. `actions` is the number of legal actions for which
    /// each row has room; 0 takes what the setup suggests.
    ///
    /// # Errors
    ///
    /// Fails with a `ValueError` unless there are 1 to [`MOST_MATCHES`] matches and 1 to [`MOST_THREADS`]
    /// threads, and with a `GameError` if threads cannot be started or the rules contradict themselves.
    pub(crate) fn new(
        py: Python<'_>,
        setup: Arc<dyn AnySetup>,
        matches: usize,
        seed: u64,
        threads: usize,
        limit: u32,
        actions: usize,
    ) -> PyResult<Self> {
        if !(1..=MOST_MATCHES).contains(&matches) {
            return Err(errors::value(format!("a batch has 1 to {MOST_MATCHES} matches, not {matches}")));
        }
        if !(1..=MOST_THREADS).contains(&threads) {
            return Err(errors::value(format!("a batch has 1 to {MOST_THREADS} threads, not {threads}")));
        }
        let plan = BatchPlan { matches, seed, threads, limit, actions };
        let inner = py.detach(|| Arc::clone(&setup).batch(plan)).map_err(errors::environment)?;
        Ok(Batch { inner, setup })
    }
}

#[pymethods]
impl Batch {
    /// Number of matches.
    #[getter]
    fn n(&self) -> usize {
        self.inner.plan().matches
    }

    /// Number of seats.
    #[getter]
    fn seats(&self) -> u8 {
        self.setup.seats()
    }

    /// Length of the vector of an observation.
    #[getter]
    fn observation_size(&self) -> usize {
        self.setup.size().observation
    }

    /// Length of the vector of the features of an action.
    #[getter]
    fn action_size(&self) -> usize {
        self.setup.size().action
    }

    /// Number of legal actions for which there is room in each row. Longer lists are cut, and the actions
    /// beyond cannot be played.
    #[getter]
    fn max_actions(&self) -> usize {
        self.inner.plan().actions
    }

    /// Begins all matches again with this seed and writes their first decisions into the arrays of `out`,
    /// with rewards and ends 0. Raises `AttributeError` if an array is missing and `ValueError` if one has
    /// another type or length; nothing has changed then. Raises `GameError` if the rules contradict
    /// themselves.
    fn reset(&mut self, py: Python<'_>, seed: u64, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut arrays = Borrowed::new(out)?;
        let (slices, inner) = (arrays.slices()?, &mut self.inner);
        py.detach(|| inner.reset(seed, slices)).map_err(errors::environment)
    }

    /// Writes the decisions that are awaited now into the arrays of `out` without a step, with rewards and
    /// ends 0. Raises `AttributeError` if an array is missing and `ValueError` if one has another type or
    /// length.
    fn observe(&mut self, py: Python<'_>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut arrays = Borrowed::new(out)?;
        let (slices, inner) = (arrays.slices()?, &mut self.inner);
        py.detach(|| inner.observe(slices)).map_err(errors::environment)
    }

    /// Plays one action in each match, each an index into its legal list, lets nature play, and writes the
    /// next decisions into the arrays of `out`. A match that ends gives its rewards, one that reaches the
    /// limit is cut off with rewards 0; both begin again. Raises `IndexError` if an index is not in its list,
    /// `AttributeError` if an array is missing, and `ValueError` if one has another type or length; nothing
    /// has changed then. Raises `GameError` if the rules contradict themselves.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions: PyReadonlyArray1<'_, i32> = actions
            .extract()
            .map_err(|_| errors::value("`actions` must be a numpy array of int32 with one dimension"))?;
        let actions =
            actions.as_slice().map_err(|_| errors::value("the array `actions` is not contiguous"))?;
        let mut arrays = Borrowed::new(out)?;
        let (slices, inner) = (arrays.slices()?, &mut self.inner);
        py.detach(|| inner.step(actions, slices)).map_err(errors::environment)
    }

    /// Plays uniformly random actions for `steps` steps, writes the decisions, rewards and ends of the last
    /// step into the arrays of `out` (nothing for 0 steps), and returns the number of matches that ended or
    /// were cut off in all steps. Raises `AttributeError` if an array is missing, `ValueError` if one has
    /// another type or length, and `GameError` if the rules contradict themselves.
    fn play_random(&mut self, py: Python<'_>, steps: u32, out: &Bound<'_, PyAny>) -> PyResult<u64> {
        let mut arrays = Borrowed::new(out)?;
        let (slices, inner) = (arrays.slices()?, &mut self.inner);
        py.detach(|| inner.play_random(steps, slices)).map_err(errors::environment)
    }
}
