//! Soak test: hundreds of thousands of games with the most important checks only.

use super::playouts::FinishedPlayout;
use super::{
    ConformanceError, Law, LawError, LawResult, Scene, deal, demand, guarded, sound, trial::unexpected,
};
use pentarchy_engine::{Game, Node, Position, Rng};

/// The parameters of a soak test.
#[derive(Clone, Debug)]
pub struct Soak {
    /// Seed of the first game; even seeds use the default options, odd ones random options.
    pub seed: u64,
    /// Number of games.
    pub games: u64,
    /// A game must end within this number of decisions.
    pub cap: u32,
    /// Number of seats; `None`: all numbers in turn.
    pub seats: Option<u8>,
    /// Number of decisions between two checks of the tokens; 0 counts as 1.
    pub every: u32,
}

impl Default for Soak {
    /// Returns the plan of 1000 games from seed 0, at most 100,000 decisions each, over all numbers
    /// of seats, with checks at every 64th decision.
    fn default() -> Self {
        Soak { seed: 0, games: 1_000, cap: 100_000, seats: None, every: 64 }
    }
}

/// Counts of what was tested.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SoakReport {
    /// Games played to the end.
    pub games: u64,
    /// Decisions in these games.
    pub decisions: u64,
    /// Maximum number of decisions in one game.
    pub longest: u32,
    /// Games that ended at the limit of their own rules.
    pub capped: u64,
    /// Number of checks of a whole state.
    pub checks: u64,
}

impl SoakReport {
    /// Returns the report of two tests together: the sums of their counts, and as `longest` the greater
    /// one.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        SoakReport {
            games: self.games + other.games,
            decisions: self.decisions + other.decisions,
            longest: self.longest.max(other.longest),
            capped: self.capped + other.capped,
            checks: self.checks + other.checks,
        }
    }
}

/// Plays random games of consecutive seeds by the plan and checks the most important laws: invariants of the
/// tokens, the list, the end and the outcome of each game, and that a playout gives the same game. Returns
/// the counts of what was tested. Divide the seeds to use several cores.
///
/// # Errors
///
/// Returns the first violation; the counts are then lost. A number of seats that the game does not allow
/// violates [`Law::Basics`].
pub fn soak<G: Game>(plan: &Soak) -> Result<SoakReport, Box<ConformanceError>> {
    let info = G::INFO;
    let counts = u64::from(info.max_seats - info.min_seats) + 1;
    let (mut report, mut list) = (SoakReport::default(), Vec::new());
    for seed in plan.seed..plan.seed.saturating_add(plan.games) {
        // Halve the seed: its lowest bit selects the options.
        let seats = plan.seats.unwrap_or(info.min_seats + (seed / 2 % counts) as u8);
        let mut scene = Scene::new::<G>(seats, seed);
        let result = guarded(|| {
            let (mut game, options) = deal::<G>(seats, seed)?;
            scene.options =
                pentarchy_engine::options::to_value(&options).map_or_else(|e| e.0, |v| v.to_string());
            one(&mut game, plan, &mut scene, &mut list, &mut report)
        });
        result.map_err(|broken| scene.violation(broken))?;
    }
    Ok(report)
}

/// Plays one game from `game`, its first position, to its end, checks its tokens at every `plan.every`th
/// decision and at the end, compares it with a playout, and adds it to `report`. Counts the decisions in
/// `scene`, whose seed it plays. `list` is a reusable buffer.
///
/// # Errors
///
/// Fails with the first violated law; `report` has then got some of the checks.
fn one<G: Game>(
    game: &mut Position<G>,
    plan: &Soak,
    scene: &mut Scene,
    list: &mut Vec<G::Action>,
    report: &mut SoakReport,
) -> LawResult {
    let (start, mut rng) = (game.clone(), Rng::stream(scene.seed, 0));
    loop {
        game.settle(&mut rng, list).map_err(|e| unexpected("the game does not go on", e))?;
        if game.node() == Node::Over {
            break;
        }
        if scene.step.is_multiple_of(plan.every.max(1)) {
            sound::tokens(game)?;
            sound::groups(game)?;
            report.checks += 1;
        }
        demand!(scene.step < plan.cap, Ends, "{} decisions, and the game goes on", plan.cap);
        game.legal(list).map_err(|e| unexpected("there is no list", e))?;
        let action =
            *rng.choose(list).ok_or(LawError { law: Law::List, detail: "it is empty".to_string() })?;
        game.play(action).map_err(|e| unexpected(&format!("the listed `{action}` is refused"), e))?;
        scene.step += 1;
    }
    sound::tokens(game)?;
    sound::groups(game)?;
    let outcome = game.outcome();
    demand!(outcome.is_some_and(|o| o.seats() == game.seats()), Outcome, "there is no fitting outcome");
    FinishedPlayout::play(&start, &Rng::stream(scene.seed, 0))?.compare(game, scene.step, &rng)?;
    report.games += 1;
    report.checks += 1;
    report.decisions += u64::from(scene.step);
    report.longest = report.longest.max(scene.step);
    report.capped += u64::from(outcome.is_some_and(|o| o.is_capped()));
    Ok(())
}
