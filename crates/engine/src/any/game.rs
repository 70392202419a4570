//! The type-erased form of a game before it starts.

use super::data;
use super::position::ErasedPosition;
use super::{AnyError, AnyGame, AnyPosition};
use crate::describe::Describe;
use crate::face::Face;
use crate::game::{Game, GameInfo};
use crate::heuristic::Heuristic;
use crate::options::{self, Field, Options, OptionsError, Preset};
use crate::position::Position;
use crate::record::Record;
#[cfg(feature = "inspect")]
use crate::record::{RecordError, RecordKind, Replay, VerifiedGame, verify};
use crate::size::Size;
use crate::token::Zone;
use serde_json::Value;
use std::marker::PhantomData;

/// Implements [`AnyGame`] for the game `G`; has no data.
struct ErasedGame<G>(PhantomData<fn() -> G>);

/// Returns the type-erased form of a game: a static without data, so that it can be called anywhere.
pub const fn any<G: Game + Describe + Heuristic>() -> &'static dyn AnyGame {
    &ErasedGame::<G>(PhantomData)
}

impl<G: Game + Describe + Heuristic> AnyGame for ErasedGame<G> {
    /// Returns `G::INFO`.
    fn info(&self) -> GameInfo {
        G::INFO
    }

    /// Returns `G::CLASSIC`.
    fn is_classic(&self) -> bool {
        G::CLASSIC
    }

    /// Returns the descriptions of the options of `G`, in their order.
    fn fields(&self) -> &'static [Field] {
        G::Options::FIELDS
    }

    /// Returns the presets of `G`, the page's default first; may be empty.
    fn presets(&self) -> &'static [Preset] {
        G::Options::PRESETS
    }

    /// Returns all options as JSON: the defaults, changed by the table `given` (null for no change), then by
    /// each name and value of `set` in order.
    ///
    /// # Errors
    ///
    /// Fails if a name or value is invalid, or if the game does not allow the result for `seats` seats.
    fn options(&self, seats: u8, given: &Value, set: &[(String, String)]) -> Result<Value, AnyError> {
        let mut options: G::Options = options::from_value(given)?;
        for (name, text) in set {
            options::set(&mut options, name, text)?;
        }
        // Only the creation of a position checks seats and options together.
        Position::<G>::new(seats, &options)?;
        Ok(options::to_value(&options)?)
    }

    /// Returns the rules on one page, `G::SUMMARY`.
    fn summary(&self) -> &'static str {
        G::SUMMARY
    }

    /// Returns the words of all faces in the order of their numbers, each with its card text, if it has one.
    fn cards(&self) -> Vec<(String, Option<String>)> {
        let faces = (0..G::Face::KINDS).map(|i| G::Face::nth(i as u8));
        faces.map(|f| (f.to_string(), G::card_text(f))).collect()
    }

    /// Returns the names of all zones in the order of their numbers.
    fn zones(&self) -> Vec<String> {
        (0..G::Size::ZONES).map(|z| G::zone_name(Zone(z as u8))).collect()
    }

    /// Returns whether `G` has tokens.
    fn hides(&self) -> bool {
        G::Size::TOKENS > 0
    }

    /// Creates the initial position of the simulator, without a last event. `options` are those that differ
    /// from the defaults; null for none.
    ///
    /// # Errors
    ///
    /// Fails if the number of seats or the options are invalid.
    fn start(&self, seats: u8, options: &Value) -> Result<Box<dyn AnyPosition>, AnyError> {
        Ok(Box::new(ErasedPosition::new(start::<G>(seats, options)?)))
    }

    /// Parses a position from JSON that [`AnyPosition::save`] wrote. It has no last event.
    ///
    /// # Errors
    ///
    /// Fails if the data is malformed, is of another game or breaks an invariant of a position.
    #[cfg(feature = "inspect")]
    fn load(&self, data: &Value) -> Result<Box<dyn AnyPosition>, AnyError> {
        Ok(Box::new(ErasedPosition::new(super::json::load::<G>(data).map_err(AnyError::Position)?)))
    }

    /// Decodes a position from bytes that [`AnyPosition::to_bytes`] wrote. It has no last event.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are malformed or break an invariant of a position.
    fn load_bytes(&self, bytes: &[u8]) -> Result<Box<dyn AnyPosition>, AnyError> {
        Ok(Box::new(ErasedPosition::new(data::from_bytes::<G>(bytes).map_err(AnyError::Position)?)))
    }

    /// Creates a full record without events. `options` are those that differ from the defaults; the number of
    /// seats is not checked.
    ///
    /// # Errors
    ///
    /// Fails if an option is invalid.
    fn record(&self, seats: u8, options: &Value, seed: Option<u64>) -> Result<Record, AnyError> {
        Ok(Record::new::<G>(seats, &options::from_value(options)?, seed)?)
    }

    /// Replays at most `events` events of a record as an observer of this kind and returns the position
    /// reached, with its last event. Calls `each` with the first position and after each event.
    ///
    /// # Errors
    ///
    /// Fails if the header does not fit `G` or lacks the annexes of `kind`, and at the first wrong event.
    #[cfg(feature = "inspect")]
    fn replay(
        &self,
        record: &Record,
        kind: RecordKind,
        events: usize,
        each: &mut dyn FnMut(&dyn AnyPosition),
    ) -> Result<Box<dyn AnyPosition>, RecordError> {
        let mut replay = Replay::<G>::start_as(record, kind)?;
        let mut seen = ErasedPosition::new(replay.position().clone());
        each(&seen);
        while replay.done() < events
            && let Some((line, facts)) = replay.step()?
        {
            seen.follow(replay.position().clone(), line, facts);
            each(&seen);
        }
        Ok(Box::new(seen))
    }

    /// Checks a complete record: every event is legal, every digest is right, and the game is over at the
    /// end. Returns the number of events and the outcome.
    ///
    /// # Errors
    ///
    /// Fails if the header does not fit `G`, at the first wrong event, and if the game is not over.
    #[cfg(feature = "inspect")]
    fn verify(&self, record: &Record) -> Result<VerifiedGame, RecordError> {
        verify::<G>(record)
    }
}

/// Creates the initial position, for the simulator, from a JSON table of the options that differ from the
/// defaults; null gives the defaults.
///
/// # Errors
///
/// Fails if the game does not allow this number of seats, or if the options are invalid or do not fit it.
fn start<G: Game>(seats: u8, options: &Value) -> Result<Position<G>, OptionsError> {
    Position::new(seats, &options::from_value(options)?)
}
