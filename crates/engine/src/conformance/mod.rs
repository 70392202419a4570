//! The laws of the engine as tests: one call checks that a game keeps them all.
//!
//! ```text
//! #[test]
//! fn keeps_the_laws() {
//!     conformance::check::<MyGame>(&Plan::quick());
//! }
//! ```
//!
//! Random games are played at every number of seats, with the default options (even seeds) and with random
//! ones (odd seeds). Beside the omniscient game runs a copy for each seat and one for a spectator, which are
//! given only what they may know. A [`Violation`] names the law, the seats, options, seed and step: it is a
//! bug report by itself, and [`Plan::only`] plays that one game again.

mod actions;
mod candidates;
mod playouts;
mod records;
mod soak;
mod sound;
mod trial;
mod views;
mod words;
mod worlds;

pub use soak::{Soak, SoakReport, soak};

use crate::game::Game;
use crate::options;
use crate::position::Position;
use crate::rng::Rng;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use trial::Trial;

/// How much is tested. The defaults of [`Plan::quick`] suit a test that runs with every build.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The seed of the first game; the next game has the next seed.
    pub seed: u64,
    /// At most so many games for each number of seats,
    pub games: u32,
    /// and no further game after so many events (two games are played in any case).
    pub events: u32,
    /// A game must end within so many decisions.
    pub cap: u32,
    /// The dear checks are made about every so many events.
    pub every: u32,
    /// So many actions that are not on the list are tried at each of them.
    pub tries: u32,
    /// Only this number of seats.
    pub seats: Option<u8>,
    /// The rules say that tokens stay traceable where they leave a zone unseen (law 4 is not checked).
    pub traceable: bool,
}

impl Plan {
    /// A few seconds: for tests that run with every build.
    pub const fn quick() -> Self {
        Plan {
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

    /// Minutes: before a release, and when something smells.
    pub const fn thorough() -> Self {
        Plan { games: 20_000, events: 400_000, every: 5, tries: 48, ..Self::quick() }
    }

    /// Just the game that a violation names.
    pub const fn only(seats: u8, seed: u64) -> Self {
        Plan { seed, games: 1, seats: Some(seats), every: 1, ..Self::quick() }
    }

    /// The same with another cap of decisions.
    pub const fn cap(self, cap: u32) -> Self {
        Plan { cap, ..self }
    }

    /// The same with this many games for each number of seats, however long they are.
    pub const fn games(self, games: u32) -> Self {
        Plan { games, events: u32::MAX, ..self }
    }

    /// The same for rules that say that tokens stay traceable when they leave a zone unseen.
    pub const fn traceable(self) -> Self {
        Plan { traceable: true, ..self }
    }
}

/// What a game promises to the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Law {
    /// Nothing panics.
    NoPanic,
    /// Faces, zones and the description of the game are in order.
    Basics,
    /// A list is never empty and has no repeats.
    List,
    /// A duty has exactly one entry.
    Duty,
    /// Every listed action is carried out.
    ListedApplies,
    /// An action that is neither listed nor the twin of a listed one is refused.
    UnlistedRefused,
    /// A refusal changes nothing.
    Atomic,
    /// The rules never read a face that is not public.
    FaceNeeded,
    /// Texts are read back as what they say.
    Notation,
    /// `map_tokens` replaces the tokens that the notation names.
    MapTokens,
    /// The public form of an action is its own public form, and lays the same slips without choices.
    Veil,
    /// An action shows only tokens that the actor owns and knows.
    Shows,
    /// A `Reveal` or `Rearrange` has something to do, and whoever rearranges knows what he rearranges.
    Node,
    /// Zones and tokens agree, and no token is lost.
    Tokens,
    /// The faces of a group's members are the group's multiset, and fit backs, assurances and `admits`.
    Groups,
    /// The state survives being written and read.
    Encoding,
    /// Every observer stays in step with the omniscient game.
    InStep,
    /// The deciding seat derives its list from its own view.
    OwnList,
    /// An observer holds exactly the faces that it may know.
    Holds,
    /// All observers derive the same claims.
    Claims,
    /// Nothing is told by which token moves.
    Untraceable,
    /// A determinized game agrees with all that the observer knows, and can be played on.
    Determinize,
    /// What an observer does not know makes no difference before it is shown.
    Swap,
    /// The game ends within the cap.
    Ends,
    /// A playout is the same game as its events one by one.
    Playout,
    /// There is an outcome exactly when the game is over, and its ranks are well-formed.
    Outcome,
    /// A record replays to the same digests, and a public one tells nothing that is not public.
    Record,
}

/// A law that a game broke, and where.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The game.
    pub game: &'static str,
    /// The number of seats.
    pub seats: u8,
    /// The seed of the game.
    pub seed: u64,
    /// The options as JSON.
    pub options: String,
    /// How many events had happened.
    pub step: u32,
    /// What was awaited.
    pub node: String,
    /// The last events.
    pub recent: Vec<String>,
    /// The law.
    pub law: Law,
    /// What was wrong.
    pub detail: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} breaks the law `{:?}`: {}", self.game, self.law, self.detail)?;
        writeln!(f, "  after {} events, awaiting {}", self.step, self.node)?;
        writeln!(f, "  the last events: {}", self.recent.join(" · "))?;
        writeln!(f, "  options: {}", self.options)?;
        write!(f, "  again with: Plan::only({}, {})", self.seats, self.seed)
    }
}
impl std::error::Error for Violation {}

/// What was tested.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Games played to the end.
    pub games: u32,
    /// Events in them.
    pub events: u64,
    /// Decisions in them.
    pub decisions: u64,
    /// The most decisions in one game.
    pub longest: u32,
    /// Listed actions that were tried on a copy.
    pub listed: u64,
    /// Other actions that were refused.
    pub refused: u64,
    /// Other actions that were accepted as twins of listed ones.
    pub twins: u64,
    /// Determinized games that were played to the end.
    pub worlds: u64,
    /// Events that were followed with other hidden faces.
    pub swapped: u64,
}

/// A law that was broken, before it is known where.
pub(crate) struct Broken {
    law: Law,
    detail: String,
}

/// Ok, or a law is broken.
pub(crate) type Kept<T = ()> = Result<T, Broken>;

/// Breaks a law unless the condition holds.
macro_rules! demand {
    ($holds:expr, $law:ident, $($detail:tt)+) => {
        if !$holds {
            return Err($crate::conformance::Broken {
                law: $crate::conformance::Law::$law,
                detail: format!($($detail)+),
            });
        }
    };
}
pub(crate) use demand;

/// Checks that a game keeps all laws: the one line of a test.
///
/// # Panics
/// With the violation, if there is one.
#[track_caller]
pub fn check<G: Game>(plan: &Plan) -> Report {
    match run::<G>(plan) {
        Ok(report) => report,
        #[expect(clippy::panic, reason = "this is the body of a test")]
        Err(violation) => panic!("{violation}"),
    }
}

/// Checks that a game keeps all laws.
pub fn run<G: Game>(plan: &Plan) -> Result<Report, Box<Violation>> {
    let mut report = Report::default();
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

/// Plays one game and checks it.
fn one<G: Game>(
    plan: &Plan,
    seats: u8,
    seed: u64,
    pool: &mut candidates::Pool<G>,
    report: &mut Report,
) -> Result<(), Box<Violation>> {
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

/// Runs a check; a panic is a broken law like any other.
fn guarded<T>(run: impl FnOnce() -> Kept<T>) -> Kept<T> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        Err(Broken { law: Law::NoPanic, detail: text.unwrap_or_else(|| "a panic".to_string()) })
    })
}

/// The first position of the game with this seed, and its options: the default ones for even seeds.
fn deal<G: Game>(seats: u8, seed: u64) -> Kept<(Position<G>, G::Options)> {
    let refused = |e: options::OptionsError| Broken {
        law: Law::Basics,
        detail: format!("the default options are refused for {seats} seats: {e}"),
    };
    let mut rng = Rng::stream(seed, 2);
    if !seed.is_multiple_of(2) && !<G::Options as options::Options>::FIELDS.is_empty() {
        // Not every combination makes a game; what the options refuse is drawn again.
        for _ in 0..200 {
            let options = options::random::<G::Options>(&mut rng).map_err(|e| Broken {
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

/// Where a check is, for its violation.
pub(crate) struct Scene {
    game: &'static str,
    seats: u8,
    seed: u64,
    options: String,
    step: u32,
    node: String,
    recent: Vec<String>,
}

impl Scene {
    fn new<G: Game>(seats: u8, seed: u64) -> Self {
        let game = G::INFO.name;
        let (options, node) = (String::new(), "the start".to_string());
        Scene { game, seats, seed, options, step: 0, node, recent: Vec::new() }
    }

    fn happened(&mut self, event: String) {
        self.step += 1;
        if self.recent.len() == 8 {
            self.recent.remove(0);
        }
        self.recent.push(event);
    }

    fn violation(self, broken: Broken) -> Box<Violation> {
        let Broken { law, detail } = broken;
        let Scene { game, seats, seed, options, step, node, recent } = self;
        Box::new(Violation { game, seats, seed, options, step, node, recent, law, detail })
    }
}
