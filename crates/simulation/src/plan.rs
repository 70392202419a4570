//! The plan of a run: the game, the machines and their users, drawn from the seed.

use crate::cheating::draw_cheats;
use crate::faults::{FaultKind, FaultMix, find_by_name};
use pentarchy_engine::{AnyGame, Rng};
use pentarchy_table::Recovery;
use pentarchy_table::sim::Cheat;
use std::str::FromStr;

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
    /// A client that panics when it returns after a crash.
    PanicsAtReturn,
}

impl Mutant {
    /// All of them.
    pub const ALL: [Mutant; 6] = [
        Mutant::ConfirmsByItself,
        Mutant::SendsBeforeDurable,
        Mutant::RoomWithoutPass,
        Mutant::ForgetsItsLog,
        Mutant::PostsNothing,
        Mutant::PanicsAtReturn,
    ];
}

impl FromStr for Mutant {
    type Err = String;

    /// Returns the deliberate bug of this name, for instance `PostsNothing`. Case does not matter.
    ///
    /// # Errors
    ///
    /// Fails if there is no such bug; the message lists all.
    fn from_str(name: &str) -> Result<Self, String> {
        find_by_name(&Self::ALL, name)
    }
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
    /// The kinds of faults of the run, at high rates; none to draw them by the name of the mix.
    pub faults: Option<Vec<FaultKind>>,
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

/// The fewest seats of a table with a coalition: two cheaters, and one player to cheat.
const COALITION_SEATS: u8 = 3;

impl Simulation {
    /// Draws the faults of the run, unless it names them. In the mix `swarm`, which draws its adversaries, a named game
    /// with too few seats for a coalition gets one cheater instead. The generator advances in either case.
    ///
    /// # Errors
    ///
    /// Fails if there is no mix of this name, also if the run names its faults.
    pub(crate) fn draw_faults(&self, rng: &mut Rng) -> Result<FaultMix, String> {
        let drawn =
            FaultMix::draw(&self.mix, rng).ok_or_else(|| format!("there is no mix `{}`", self.mix))?;
        let is_small = self.game.is_some_and(|game| game.info().max_seats < COALITION_SEATS);
        let drawn = if self.mix == "swarm" && is_small { drawn.without_coalition() } else { drawn };
        Ok(self.faults.as_deref().map_or(drawn, FaultMix::only))
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

/// The games that seeds draw: how many of a hundred runs play them, and after how many events a run ends. Short games
/// are played to their ends. Another game of the registry is only played if the run names it, so that a new game does
/// not change what a seed means.
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

/// After how many events a run of a game ends that is not in [`GAMES`].
const OTHER_EVENTS: u32 = 30;

/// Draws one of [`GAMES`] by its share. Returns its name and after how many events a run ends: `u32::MAX` for a short
/// game, which is played to its end. Does not depend on the games of this build: the game may be missing in the registry.
fn draw_game(rng: &mut Rng) -> (&'static str, u32) {
    let mut roll = rng.below(GAMES.iter().map(|(_, share, _)| share).sum());
    for &(name, share, events) in GAMES {
        if roll < share {
            return (name, events);
        }
        roll -= share;
    }
    (GAMES[0].0, GAMES[0].2)
}

impl TablePlan {
    /// Draws the table of a run from its generator: game (unless the run names one), seats, bots, watchers, recovery,
    /// cheaters (unless the run names one), who leaves, and the number of events after which the run ends. A coalition
    /// gets at least three seats, and a named cheat as many as it needs. Tables have at most six seats, unless the game
    /// or a cheat needs more. The host (machine 0) never leaves, nor does a cheater.
    ///
    /// # Errors
    ///
    /// Fails if the drawn game is not in the registry, or the game has too few seats for the coalition or the cheat.
    pub(crate) fn draw(run: &Simulation, mix: &FaultMix, rng: &mut Rng) -> Result<Self, String> {
        let needs_three = mix.has(FaultKind::Coalition);
        let needed =
            run.cheat.map_or(0, |cheat| cheat.seats).max(if needs_three { COALITION_SEATS } else { 0 });
        let fits =
            |name: &str| pentarchy_registry::find(name).is_ok_and(|game| game.info().max_seats >= needed);
        let mut drawn = draw_game(rng);
        if needs_three && drawn.1 == u32::MAX || needed > 0 && !fits(drawn.0) {
            drawn = [("numeral", 24), ("ozymandias", 14)][rng.below(2) as usize];
        }
        let game = match run.game {
            Some(game) => game,
            None => pentarchy_registry::find(drawn.0).map_err(|unknown| unknown.to_string())?,
        };
        let info = game.info();
        if needed > info.max_seats {
            let (name, most) = (info.name, info.max_seats);
            return Err(format!("`{name}` has at most {most} seats, and this run needs {needed}"));
        }
        let listed = GAMES.iter().find(|(name, ..)| *name == info.name);
        let events = listed.map_or(OTHER_EVENTS, |(.., events)| *events);
        let fewest = info.min_seats.max(needed);
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
        Ok(TablePlan {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws the faults and the table of a run from its seed.
    ///
    /// # Errors
    ///
    /// Fails if the faults or the table cannot be drawn.
    fn draw(run: &Simulation) -> Result<(FaultMix, TablePlan), String> {
        let mut rng = Rng::new(run.seed);
        let mix = run.draw_faults(&mut rng)?;
        let plan = TablePlan::draw(run, &mix, &mut rng)?;
        Ok((mix, plan))
    }

    /// Other draws would give the pinned seeds of the tests, and those in reports of failures, another meaning.
    #[test]
    fn seeds_draw_the_games_that_they_always_drew() {
        let drawn: Vec<&str> = (0..16).map(|seed| draw_game(&mut Rng::new(seed)).0).collect();
        let expected = "leduc ozymandias ozymandias kuhn numeral leduc numeral kuhn leduc numeral liars-dice ozymandias \
                        connect-four kuhn ozymandias kuhn";
        assert_eq!(drawn.join(" "), expected);
        assert_eq!(GAMES.iter().map(|(_, share, _)| share).sum::<u32>(), 100);
        for (name, ..) in GAMES {
            assert!(pentarchy_registry::find(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn a_drawn_table_has_seats_that_its_game_allows() {
        let games = pentarchy_registry::GAMES.iter().copied().map(Some).chain([None]);
        for (game, seed) in games.flat_map(|game| (0..200).map(move |seed| (game, seed))) {
            let mixes = if game.is_some() { &["swarm"][..] } else { &["swarm", "coalition"] };
            for mix in mixes {
                let run = Simulation { game, mix: (*mix).into(), ..Simulation::new(seed) };
                let (mix, plan) = draw(&run).unwrap();
                let info = plan.game.info();
                assert!(
                    (info.min_seats..=info.max_seats).contains(&plan.seats),
                    "{}, seed {seed}",
                    info.name
                );
                let adversaries = mix.has(FaultKind::Coalition) || mix.has(FaultKind::Cheat);
                // A table of one seat has nobody to cheat.
                assert!(plan.cheats.is_empty() || adversaries, "{}, seed {seed}", info.name);
                assert!(!mix.has(FaultKind::Coalition) || plan.seats >= COALITION_SEATS);
            }
        }
    }

    #[test]
    fn a_game_with_too_few_seats_for_the_cheaters_is_an_error() {
        let game = pentarchy_registry::find("kuhn").ok();
        let run = Simulation { game, mix: "coalition".into(), ..Simulation::new(1) };
        assert_eq!(draw(&run).err().unwrap(), "`kuhn` has at most 2 seats, and this run needs 3");
        let cheat = pentarchy_table::sim::CHEATS.iter().find(|cheat| cheat.seats > 2);
        assert!(cheat.is_some() && draw(&Simulation { game, cheat, ..Simulation::new(1) }).is_err());
        assert!(draw(&Simulation { cheat, ..Simulation::new(1) }).is_ok(), "a game that fits is drawn");
    }
}
