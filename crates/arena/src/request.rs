//! Requests: what somebody asks of a run, before the game has checked it.

use crate::lab::{Lab, Setting};
use crate::play::AnyArena;
use pentarchy_bots::Spec;
use pentarchy_engine::{AnyError, AnyGame};
use serde_json::Value;

/// Maximum number of settings side by side.
const MOST_SETTINGS: usize = 16;

/// Why a request cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// The options or the number of seats are invalid.
    #[error(transparent)]
    Options(#[from] AnyError),
    /// The number of bots is neither 1 nor that of the seats.
    #[error("{bots} bots are named for {seats} seats")]
    Bots {
        /// Number of bots.
        bots: usize,
        /// Number of seats.
        seats: u8,
    },
    /// An option is swept twice.
    #[error("`{0}` is swept twice")]
    SweptTwice(String),
    /// The sweeps have too many combinations.
    #[error("more than {MOST_SETTINGS} settings are to be compared")]
    TooManySettings,
    /// The game names nothing that restricted play could deny.
    #[error("{0} names no cards or actions that can be denied")]
    NothingToDeny(&'static str),
}

/// The arguments of a lab run.
#[derive(Clone, Debug)]
pub struct LabRequest {
    /// Number of seats; `None` for the number of bots, or the default of the game for a single bot.
    pub seats: Option<u8>,
    /// The bot of each seat, or one for all.
    pub bots: Vec<Spec>,
    /// Seed of all games.
    pub seed: u64,
    /// Number of games per setting.
    pub games: u64,
    /// A table of the options that differ from the defaults; null for none.
    pub options: Value,
    /// Options by name and value that are set after [`options`](Self::options).
    pub set: Vec<(String, String)>,
    /// Options and the values to compare.
    pub sweep: Vec<(String, Vec<String>)>,
    /// The strategies to play against each other.
    pub rivals: Vec<Spec>,
    /// Number of games per pair of strategies; `None` for a tenth of the games, 60 to 1000.
    pub rival_games: Option<u64>,
    /// Whether restricted play is wanted.
    pub restrict: bool,
    /// Maximum number of pairs of restricted play per option; `None` for the number of games.
    pub restrict_games: Option<u64>,
    /// Stop as soon as the share of every seat is known to this much up or down (0.01 is one point).
    pub until: Option<f64>,
}

impl LabRequest {
    /// Returns the lab run of this request. Nothing is played yet. `game` and `arena` must be the same game.
    ///
    /// # Errors
    ///
    /// Fails if seats, bots or options do not fit the game, if a sweep is invalid or has too many combinations, or if
    /// restricted play has nothing to deny.
    pub fn lab(&self, game: &dyn AnyGame, arena: &'static dyn AnyArena) -> Result<Lab, RequestError> {
        let seats = seat_count(game, self.seats, &self.bots);
        // Options come first, so that wrong ones give the same error in every command.
        let usual = game.options(seats, &self.options, &self.set)?;
        let bots = seat_bots(&self.bots, seats)?;
        let settings = self.settings(game, seats, &usual)?;
        if self.restrict && arena.items().is_empty() {
            return Err(RequestError::NothingToDeny(game.info().name));
        }
        let restrict_games = if self.restrict { self.restrict_games.unwrap_or(self.games) } else { 0 };
        Ok(Lab {
            game: arena,
            bots,
            seed: self.seed,
            games: self.games,
            settings,
            rivals: self.rivals.clone(),
            rival_games: self.rival_games.unwrap_or((self.games / 10).clamp(60, 1000)),
            restrict_games: restrict_games.min(self.games),
            until: self.until,
        })
    }

    /// Returns all combinations of the swept values as settings with all options of the game for this number of seats;
    /// one setting if nothing is swept. The one with the options `usual` comes first, if it is among them. The others
    /// keep the order of the request, with the values of the last option changing fastest. The name of a setting is its
    /// swept values, or the values of [`set`](Self::set) if nothing is swept.
    ///
    /// # Errors
    ///
    /// Fails if an option is swept twice, a combination is invalid, or there are more than [`MOST_SETTINGS`].
    fn settings(&self, game: &dyn AnyGame, seats: u8, usual: &Value) -> Result<Vec<Setting>, RequestError> {
        let mut all: Vec<Vec<(String, String)>> = vec![Vec::new()];
        for (given, values) in &self.sweep {
            let name = field_to_sweep(game, given, values);
            if all.iter().flatten().any(|(swept, _)| *swept == name) {
                return Err(RequestError::SweptTwice(name));
            }
            let longer = |old: &Vec<(String, String)>, value: &String| {
                old.iter().cloned().chain([(name.clone(), value.clone())]).collect()
            };
            all = all.iter().flat_map(|old| values.iter().map(move |value| longer(old, value))).collect();
            if all.len() > MOST_SETTINGS {
                return Err(RequestError::TooManySettings);
            }
        }
        let named = |pairs: &[(String, String)]| {
            let pairs: Vec<String> = pairs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            pairs.join(", ")
        };
        let mut settings = Vec::new();
        for values in all {
            let set: Vec<_> = self.set.iter().chain(&values).cloned().collect();
            let options = game.options(seats, &self.options, &set)?;
            let name = if values.is_empty() { named(&self.set) } else { named(&values) };
            settings.push(Setting { name, options });
        }
        settings.sort_by_key(|setting| setting.options != *usual);
        Ok(settings)
    }
}

/// Returns the number of seats of a run: `wanted`, else the number of bots, or the default of the game for a single
/// bot. Whether the game allows it is not checked.
pub fn seat_count(game: &dyn AnyGame, wanted: Option<u8>, bots: &[Spec]) -> u8 {
    match (wanted, bots.len()) {
        (Some(seats), _) => seats,
        (None, 1) => game.info().default_seats,
        (None, named) => u8::try_from(named).unwrap_or(u8::MAX),
    }
}

/// Returns a bot for each seat, in the order given; a single bot plays all seats.
///
/// # Errors
///
/// Fails if the number of bots is neither 1 nor that of the seats.
pub fn seat_bots(given: &[Spec], seats: u8) -> Result<Vec<Spec>, RequestError> {
    match given {
        [one] => Ok(vec![*one; usize::from(seats)]),
        many if many.len() == usize::from(seats) => Ok(many.to_vec()),
        many => Err(RequestError::Bots { bots: many.len(), seats }),
    }
}

/// Returns the full name of the option of the game to sweep: `name` if it can have these values, else the
/// only option whose last part begins with `name` and that can have them. Returns `name` itself if there is
/// no such one or several. Values are checked with the default number of seats and the defaults of all other
/// options.
pub fn field_to_sweep(game: &dyn AnyGame, name: &str, values: &[String]) -> String {
    let seats = game.info().default_seats;
    let takes = |field: &str| {
        let set =
            |value: &String| game.options(seats, &Value::Null, &[(field.to_string(), value.clone())]).is_ok();
        values.iter().all(set)
    };
    let last = |field: &'static str| field.rsplit('.').next().unwrap_or(field);
    let mut others = game.fields().iter().map(|f| f.name).filter(|f| last(f).starts_with(name) && takes(f));
    match (takes(name), others.next(), others.next()) {
        (false, Some(only), None) => only.to_string(),
        _ => name.to_string(),
    }
}
