//! The plan of a run: the game, the machines and their users, drawn from the seed.

use crate::cheating::draw_cheats;
use crate::faults::{FaultKind, FaultMix};
use pentarchy_engine::{AnyGame, Rng};
use pentarchy_table::Recovery;
use pentarchy_table::sim::Cheat;

/// A deliberate bug, for tests that the oracles find it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mutant {
    /// A client that confirms changed terms without asking its player.
    ConfirmsByItself,
    /// A client that sends what it signed before that is durable.
    SendsBeforeDurable,
    /// A relay that asks nobody for the pass of a room.
    RoomWithoutPass,
    /// A client that returns after a crash without what it had stored.
    ForgetsItsLog,
    /// A client that posts nothing for players who are away.
    PostsNothing,
}

/// What to simulate.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// From which everything follows.
    pub seed: u64,
    /// The game; none to draw one.
    pub game: Option<&'static dyn AnyGame>,
    /// The name of the mix of faults.
    pub mix: String,
    /// The faults themselves; none to draw them by the name.
    pub faults: Option<FaultMix>,
    /// How one seat cheats; none to draw it, if the faults ask for a cheater.
    pub cheat: Option<&'static Cheat>,
    /// A deliberate bug.
    pub mutant: Option<Mutant>,
    /// Whether to keep the lines of the trace.
    pub trace: bool,
}

impl Simulation {
    /// Creates the run of a seed with the mix `swarm`: game, table and faults are drawn from the
    /// seed. No forced cheat, no mutant, and the trace is not kept.
    pub fn new(seed: u64) -> Self {
        Simulation {
            seed,
            game: None,
            mix: "swarm".into(),
            faults: None,
            cheat: None,
            mutant: None,
            trace: false,
        }
    }
}

/// The table of a run.
pub(crate) struct TablePlan {
    pub(crate) game: &'static dyn AnyGame,
    pub(crate) seats: u8,
    pub(crate) bots: u8,
    pub(crate) recovery: Recovery,
    pub(crate) watchers: u8,
    /// Number of events after which the run ends.
    pub(crate) most_events: u32,
    /// By machine: how its own seat cheats; the host is machine 0.
    pub(crate) cheats: Vec<(usize, &'static Cheat)>,
    /// How a bot of the host cheats.
    pub(crate) bot_cheats: Option<&'static Cheat>,
    /// The machine that leaves for good.
    pub(crate) leaver: Option<usize>,
}

/// Games with a share of their own: how many of a hundred runs play them, and after how many events a run ends. Short
/// games are played to their ends. All other games of the registry get [`OTHER`].
const GAMES: &[(&str, u32, u32)] = &[
    ("kuhn", 22, u32::MAX),
    ("liars-dice", 4, 30),
    ("leduc", 16, u32::MAX),
    ("tic-tac-toe", 10, u32::MAX),
    ("connect-four", 6, u32::MAX),
    ("numeral", 16, 24),
    ("ozymandias", 14, 14),
    ("hestia", 4, 16),
    ("vires", 4, 10),
    ("hegemony", 4, 10),
];

/// Share and number of events, as in [`GAMES`], of each game that is not listed there.
const OTHER: (u32, u32) = (4, 30);

/// Returns all games of the registry with share and number of events, those of [`GAMES`] first. A game of that list
/// which this build does not have keeps its share, so that a seed draws the same game in every build.
fn shares() -> impl Iterator<Item = (&'static str, u32, u32)> {
    let names = pentarchy_registry::GAMES.iter().map(|game| game.info().name);
    let others = names.filter(|name| GAMES.iter().all(|(listed, ..)| listed != name));
    GAMES.iter().copied().chain(others.map(|name| (name, OTHER.0, OTHER.1)))
}

impl TablePlan {
    /// Draws the table of a run from its generator: game (unless the run names one), seats, bots,
    /// watchers, recovery, cheaters (unless the run names one), who leaves, and the number of
    /// events after which the run ends. A coalition gets at least three seats, and a named cheat as
    /// many as it needs: whether the game allows them is not checked. `None` if the drawn game is
    /// not in the registry.
    pub(crate) fn draw(run: &Simulation, mix: &FaultMix, rng: &mut Rng) -> Option<Self> {
        let needs_three = mix.has(FaultKind::Coalition);
        let mut roll = rng.below(shares().map(|(_, share, _)| share).sum());
        let mut drawn = ("kuhn", u32::MAX);
        for (name, share, events) in shares() {
            if roll < share {
                drawn = (name, events);
                break;
            }
            roll -= share;
        }
        if needs_three && drawn.1 == u32::MAX {
            drawn = [("numeral", 24), ("ozymandias", 14)][rng.below(2) as usize];
        }
        let game = match run.game {
            Some(game) => game,
            None => pentarchy_registry::find(drawn.0).ok()?,
        };
        let info = game.info();
        let events = shares().find(|(name, ..)| *name == info.name).map_or(OTHER.1, |(.., events)| events);
        let fewest = if needs_three { info.min_seats.max(3) } else { info.min_seats };
        let fewest = run.cheat.map_or(fewest, |cheat| fewest.max(cheat.seats));
        let most = info.max_seats.min(6);
        // Large tables are slow: two of three draws are small.
        let most = if rng.below(3) > 0 { most.min(fewest.max(3) + 1) } else { most };
        let seats = fewest + rng.below(u32::from(most.saturating_sub(fewest)) + 1) as u8;
        let bots = if rng.below(3) == 0 { rng.below(u32::from(seats) - 1) as u8 } else { 0 };
        // The shares of bots are those of their host's machine.
        let escrow = bots == 0 && seats > 2 && rng.below(2) == 0;
        let recovery = if escrow { Recovery::for_machines(seats) } else { Recovery::End };
        let machines = usize::from(seats - bots);
        let together = mix.has(FaultKind::Coalition);
        let list = if let Some(cheat) = run.cheat {
            vec![cheat]
        } else if together || mix.has(FaultKind::Cheat) {
            draw_cheats(together, seats, game.hides(), rng)
        } else {
            Vec::new()
        };
        let first = rng.below(machines as u32) as usize;
        let (mut cheats, mut bot_cheats) = (Vec::new(), None);
        match list.as_slice() {
            [one, two] if bots > 0 && rng.below(2) == 0 => {
                cheats.push((0, *one));
                bot_cheats = Some(*two);
            }
            [one, two] if machines > 1 => cheats.extend([(first, *one), ((first + 1) % machines, *two)]),
            [one, ..] => cheats.push((first, *one)),
            [] => {}
        }
        let needs_leaver = list.iter().any(|cheat| cheat.needs_leaver());
        let honest: Vec<usize> = (1..machines).filter(|m| cheats.iter().all(|(bad, _)| bad != m)).collect();
        let leaver =
            if needs_leaver || mix.has(FaultKind::Leave) { rng.choose(&honest).copied() } else { None };
        Some(TablePlan {
            game,
            seats,
            bots,
            recovery,
            watchers: rng.below(3) as u8,
            most_events: events,
            cheats,
            bot_cheats,
            leaver,
        })
    }
}
