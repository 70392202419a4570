//! The laws of the engine as tests: one call checks that a game keeps them all.
//!
//! ```text
//! #[test]
//! fn keeps_the_laws() {
//!     conformance::check::<MyGame>(&ConformancePlan::quick());
//! }
//! ```
//!
//! Random games are played at every number of seats, with the default options (even seeds) and with random
//! ones (odd seeds). Beside the omniscient game runs a copy for each seat and one for a spectator, which are
//! given only what they may know. A [`ConformanceError`] names the law, the seats, options, seed and step: it is
//! a bug report by itself, and [`ConformancePlan::only`] plays that one game again.

mod actions;
mod candidates;
mod hostile;
mod observations;
mod playouts;
mod records;
mod soak;
mod sound;
mod strength;
mod trial;
mod views;
mod words;
mod worlds;

pub use soak::{Soak, SoakReport, soak};
pub use strength::beats_random;

use pentarchy_engine::options;
use pentarchy_engine::{Encode, Game, Position, Rng};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use trial::Trial;

/// How much is tested. [`ConformancePlan::quick`] suits a test that runs with every build.
#[derive(Clone, Debug)]
pub struct ConformancePlan {
    /// Seed of the first game; each further game increments it.
    pub seed: u64,
    /// Maximum number of games per number of seats.
    pub games: u32,
    /// No further game with a number of seats starts after this number of events; at least two are played.
    pub events: u32,
    /// A game must end within this number of decisions.
    pub cap: u32,
    /// Mean number of events between two runs of the expensive checks.
    pub every: u32,
    /// Number of unlisted actions to try at each of these.
    pub tries: u32,
    /// Only this number of seats; `None`: all.
    pub seats: Option<u8>,
    /// The rules allow tokens to be traced when they leave a zone face down: law 4 is not checked.
    pub traceable: bool,
}

impl ConformancePlan {
    /// Returns the plan for tests that run with every build: for each number of seats up to 400
    /// games or 6000 events. It takes a few seconds.
    pub const fn quick() -> Self {
        ConformancePlan {
            seed: 0,
            games: 400,
            events: 6_000,
            cap: 20_000,
            every: 12,
            tries: 24,
            seats: None,
            traceable: false,
        }
    }

    /// Returns the plan for tests before a release: for each number of seats up to 20,000 games or 400,000
    /// events, with more expensive checks. It takes minutes.
    pub const fn thorough() -> Self {
        ConformancePlan { games: 20_000, events: 400_000, every: 5, tries: 48, ..Self::quick() }
    }

    /// Returns the plan that replays only the game with this number of seats and seed, as a
    /// violation names them, with the expensive checks at every event.
    pub const fn only(seats: u8, seed: u64) -> Self {
        ConformancePlan { seed, games: 1, seats: Some(seats), every: 1, ..Self::quick() }
    }

    /// Returns this plan with another maximum number of decisions per game: a longer game violates
    /// [`Law::Ends`].
    pub const fn cap(self, cap: u32) -> Self {
        ConformancePlan { cap, ..self }
    }

    /// Returns this plan with exactly this number of games per number of seats, without a limit on events.
    pub const fn games(self, games: u32) -> Self {
        ConformancePlan { games, events: u32::MAX, ..self }
    }

    /// Returns this plan without law 4, for rules that allow tokens to be traced when they leave a zone face
    /// down.
    pub const fn traceable(self) -> Self {
        ConformancePlan { traceable: true, ..self }
    }
}

/// A property that every game must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Law {
    /// Nothing panics.
    NoPanic,
    /// Faces, zones and the description of the game are consistent.
    Basics,
    /// A list of legal actions is not empty and has no duplicates.
    List,
    /// The list of a `Declare` has exactly one entry.
    Duty,
    /// Every listed action is accepted.
    ListedApplies,
    /// An action that is neither listed nor the twin of a listed one is rejected.
    UnlistedRefused,
    /// A rejection changes nothing.
    Atomic,
    /// The rules never read a face that is not public.
    FaceNeeded,
    /// Texts parse to the value that they were formatted from.
    Notation,
    /// `map_tokens` replaces the tokens that the notation names.
    MapTokens,
    /// `veil` is idempotent and lays the same slips without choices for a public form.
    Veil,
    /// An action shows only tokens that the actor owns and knows.
    Shows,
    /// A `Reveal` or `Rearrange` has an effect, and the seat that rearranges tokens knows them.
    Node,
    /// Zones and tokens are consistent, and no token is lost.
    Tokens,
    /// The faces of a group's members are the group's multiset, and satisfy backs, possible faces and
    /// `admits`.
    Groups,
    /// The state survives serialisation.
    Encoding,
    /// Every observer's copy stays equal to the omniscient position in all public parts.
    InStep,
    /// The deciding seat derives its list from its own view.
    OwnList,
    /// An observer holds exactly the faces that it may know.
    Holds,
    /// All observers derive the same claims.
    Claims,
    /// All observers derive the same facts.
    Facts,
    /// The choice of a token gives nothing away (law 4).
    Untraceable,
    /// A determinized position agrees with all that the observer knows, and can be played on.
    Determinize,
    /// Hidden faces have no effect before they are shown.
    Swap,
    /// An encoded observation or action follows from what its seat may know, and its numbers are in range.
    Observation,
    /// The game ends within the limit of decisions.
    Ends,
    /// A playout gives the same game as event-by-event play.
    Playout,
    /// There is an outcome exactly if the game is over, and its ranks are well-formed.
    Outcome,
    /// A record replays to the same digests, and a public one contains only public information.
    Record,
}

/// A broken law with all data to reproduce it.
#[derive(Clone, Debug)]
pub struct ConformanceError {
    /// The name of the game.
    pub game: &'static str,
    /// The number of seats.
    pub seats: u8,
    /// The seed of the game.
    pub seed: u64,
    /// The options as JSON.
    pub options: String,
    /// The number of events before the violation.
    pub step: u32,
    /// The awaited node.
    pub node: String,
    /// The last events, in canonical text.
    pub recent: Vec<String>,
    /// The broken law.
    pub law: Law,
    /// What was wrong, in words.
    pub detail: String,
}

impl fmt::Display for ConformanceError {
    /// Writes a bug report of five lines: law and detail, position, last events, options, and the plan that
    /// repeats the game.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} breaks the law `{:?}`: {}", self.game, self.law, self.detail)?;
        writeln!(f, "  after {} events, awaiting {}", self.step, self.node)?;
        writeln!(f, "  the last events: {}", self.recent.join(" · "))?;
        writeln!(f, "  options: {}", self.options)?;
        write!(f, "  again with: ConformancePlan::only({}, {})", self.seats, self.seed)
    }
}
impl std::error::Error for ConformanceError {}

/// Counts of what was tested.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ConformanceReport {
    /// Games played to the end.
    pub games: u32,
    /// Events in these games.
    pub events: u64,
    /// Decisions in these games.
    pub decisions: u64,
    /// Maximum number of decisions in one game.
    pub longest: u32,
    /// Listed actions that were tried on a copy.
    pub listed: u64,
    /// Unlisted actions that were rejected.
    pub refused: u64,
    /// Unlisted actions that were accepted as twins of listed ones.
    pub twins: u64,
    /// Determinized positions that were played on.
    pub worlds: u64,
    /// Events that were replayed with other hidden faces.
    pub swapped: u64,
}

/// A broken law, before the position is added.
pub(crate) struct LawError {
    /// The broken law.
    law: Law,
    /// What was wrong, in words.
    detail: String,
}

/// The result of a check.
pub(crate) type LawResult<T = ()> = Result<T, LawError>;

/// Returns with a broken law from the enclosing function unless the condition holds.
macro_rules! demand {
    ($holds:expr, $law:ident, $($detail:tt)+) => {
        if !$holds {
            return Err($crate::conformance::LawError {
                law: $crate::conformance::Law::$law,
                detail: format!($($detail)+),
            });
        }
    };
}
pub(crate) use demand;

/// Plays random games by the plan and checks all laws; the single line of a game's test. Returns
/// the counts of what was tested.
///
/// # Panics
///
/// Panics with the first violation.
#[track_caller]
pub fn check<G: Encode>(plan: &ConformancePlan) -> ConformanceReport {
    match run::<G>(plan) {
        Ok(report) => report,
        #[expect(clippy::panic, reason = "this is the body of a test")]
        Err(violation) => panic!("{violation}"),
    }
}

/// Plays random games at every number of seats that the game allows, or only at `plan.seats`, and checks
/// all laws; a panic breaks one, too. At each number of seats plays `plan.games` games, but starts no third
/// or later game after `plan.events` events. Returns the counts of what was tested: zeros if the game does
/// not allow `plan.seats`.
///
/// # Errors
///
/// Returns the first violation.
pub fn run<G: Encode>(plan: &ConformancePlan) -> Result<ConformanceReport, Box<ConformanceError>> {
    let mut report = ConformanceReport::default();
    let mut pool = candidates::Pool::new();
    let info = G::INFO;
    for seats in info.min_seats..=info.max_seats {
        if plan.seats.is_some_and(|only| only != seats) {
            continue;
        }
        let start = report.events;
        for game in 0..plan.games {
            if game >= 2 && report.events - start >= u64::from(plan.events) {
                break;
            }
            one::<G>(plan, seats, plan.seed + u64::from(game), &mut pool, &mut report)?;
        }
    }
    Ok(report)
}

/// Plays the game of this seed with this number of seats and all checks, and adds it to `report`; its actions are
/// added to `pool` for later games.
///
/// # Errors
///
/// Fails with the first violated law (a panic is one) and the scene in which that happened. `report` and `pool`
/// have then got a part of the game.
fn one<G: Encode>(
    plan: &ConformancePlan,
    seats: u8,
    seed: u64,
    pool: &mut candidates::Pool<G>,
    report: &mut ConformanceReport,
) -> Result<(), Box<ConformanceError>> {
    let mut scene = Scene::new::<G>(seats, seed);
    let result = guarded(|| {
        words::basics::<G>()?;
        let (first, options) = deal::<G>(seats, seed)?;
        scene.options = options::to_value(&options).map_or_else(|e| e.to_string(), |v| v.to_string());
        let start = first.clone();
        Trial::new(plan, first, seed, &options, &mut scene, pool, report)?.run()?;
        playouts::check(&start, seed)
    });
    result.map_err(|broken| scene.violation(broken))
}

/// Runs a check, returns its value, and converts a panic into a violation of [`Law::NoPanic`] with the text
/// of the panic. The hook still prints its message.
///
/// # Errors
///
/// Fails with the law that the check violates, or if it panics.
fn guarded<T>(run: impl FnOnce() -> LawResult<T>) -> LawResult<T> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        Err(LawError { law: Law::NoPanic, detail: text.unwrap_or_else(|| "a panic".to_string()) })
    })
}

/// Returns the initial position for this number of seats, and the options, of the game with this
/// seed: default options for even seeds, random ones for odd seeds (the default ones if 200 draws
/// are rejected).
///
/// # Errors
///
/// Fails if the default options are rejected or the table of options does not fit them.
fn deal<G: Game>(seats: u8, seed: u64) -> LawResult<(Position<G>, G::Options)> {
    let refused = |e: options::OptionsError| LawError {
        law: Law::Basics,
        detail: format!("the default options are refused for {seats} seats: {e}"),
    };
    let mut rng = Rng::stream(seed, 2);
    if !seed.is_multiple_of(2) && !<G::Options as options::Options>::FIELDS.is_empty() {
        // Not every combination of options is valid; draw again if the game rejects one.
        for _ in 0..200 {
            let options = options::random::<G::Options>(&mut rng).map_err(|e| LawError {
                law: Law::Basics,
                detail: format!("the table of options does not fit the options: {e}"),
            })?;
            if let Ok(position) = Position::new(seats, &options) {
                return Ok((position, options));
            }
        }
    }
    let options = G::Options::default();
    Ok((Position::new(seats, &options).map_err(refused)?, options))
}

/// The position of a check, for its violation.
pub(crate) struct Scene {
    /// The name of the game.
    game: &'static str,
    /// Number of seats.
    seats: u8,
    /// The seed of the game.
    seed: u64,
    /// The options as JSON; empty while they are not known.
    options: String,
    /// Number of events (in a soak test: decisions) so far.
    step: u32,
    /// The awaited node, in words.
    node: String,
    /// The last events, at most eight, in canonical text.
    recent: Vec<String>,
}

impl Scene {
    /// Creates the scene of a game with this number of seats and seed before its first event; its
    /// options are not known yet.
    fn new<G: Game>(seats: u8, seed: u64) -> Self {
        let game = G::INFO.name;
        let (options, node) = (String::new(), "the start".to_string());
        Scene { game, seats, seed, options, step: 0, node, recent: Vec::new() }
    }

    /// Counts an event, given in canonical text, and keeps the last eight for the report of a violation.
    fn add_event(&mut self, event: String) {
        self.step += 1;
        if self.recent.len() == 8 {
            self.recent.remove(0);
        }
        self.recent.push(event);
    }

    /// Combines a broken law and this scene, in which it broke, into a violation for the report.
    fn violation(self, broken: LawError) -> Box<ConformanceError> {
        let LawError { law, detail } = broken;
        let Scene { game, seats, seed, options, step, node, recent } = self;
        Box::new(ConformanceError { game, seats, seed, options, step, node, recent, law, detail })
    }
}
