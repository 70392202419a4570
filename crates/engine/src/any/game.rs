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
    fn info(&self) -> GameInfo {
        G::INFO
    }

    fn fields(&self) -> &'static [Field] {
        G::Options::FIELDS
    }

    fn presets(&self) -> &'static [Preset] {
        G::Options::PRESETS
    }

    fn options(&self, seats: u8, given: &Value, set: &[(String, String)]) -> Result<Value, AnyError> {
        let mut options: G::Options = options::from_value(given)?;
        for (name, text) in set {
            options::set(&mut options, name, text)?;
        }
        // Only the creation of a position checks seats and options together.
        Position::<G>::new(seats, &options)?;
        Ok(options::to_value(&options)?)
    }

    fn summary(&self) -> &'static str {
        G::SUMMARY
    }

    fn cards(&self) -> Vec<(String, Option<String>)> {
        let faces = (0..G::Face::KINDS).map(|i| G::Face::nth(i as u8));
        faces.map(|f| (f.to_string(), G::card_text(f))).collect()
    }

    fn zones(&self) -> Vec<String> {
        (0..G::Size::ZONES).map(|z| G::zone_name(Zone(z as u8))).collect()
    }

    fn hides(&self) -> bool {
        G::Size::TOKENS > 0
    }

    fn start(&self, seats: u8, options: &Value) -> Result<Box<dyn AnyPosition>, AnyError> {
        Ok(Box::new(ErasedPosition::new(start::<G>(seats, options)?)))
    }

    #[cfg(feature = "inspect")]
    fn load(&self, data: &Value) -> Result<Box<dyn AnyPosition>, AnyError> {
        Ok(Box::new(ErasedPosition::new(super::json::load::<G>(data).map_err(AnyError::Position)?)))
    }

    fn load_bytes(&self, bytes: &[u8]) -> Result<Box<dyn AnyPosition>, AnyError> {
        Ok(Box::new(ErasedPosition::new(data::from_bytes::<G>(bytes).map_err(AnyError::Position)?)))
    }

    fn record(&self, seats: u8, options: &Value, seed: Option<u64>) -> Result<Record, AnyError> {
        Ok(Record::new::<G>(seats, &options::from_value(options)?, seed)?)
    }

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

    #[cfg(feature = "inspect")]
    fn verify(&self, record: &Record) -> Result<VerifiedGame, RecordError> {
        verify::<G>(record)
    }
}

/// Creates the initial position, for the simulator, from a JSON table of the options that differ from the
/// defaults.
///
/// # Errors
///
/// Fails if the options are invalid or do not fit the number of seats.
fn start<G: Game>(seats: u8, options: &Value) -> Result<Position<G>, OptionsError> {
    Position::new(seats, &options::from_value(options)?)
}
