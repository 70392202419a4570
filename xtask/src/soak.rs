//! `cargo xtask soak`: many random games with every check on.

use std::{ffi::OsString, process::ExitCode};

use crate::{
    e2e, fuzz,
    games::{self, ListedGame},
    task_error::{Result, TaskError},
    tools,
    workspace::{PROGRAM, Workspace},
};

/// Play many random games with all checks on, and stop at the first that breaks a law.
///
/// The seed of that game is printed: it is the bug report.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Play ten thousand tables of peers instead: bad networks, seats that leave, and cheaters
    #[arg(long)]
    peers: bool,

    /// Simulate the whole system instead, with ten thousand seeds: lobby, mesh, relay, storage, clocks, adversaries
    #[arg(long, conflicts_with_all = ["peers", "page"])]
    system: bool,

    /// Check the layout laws of the page instead, at every decision and every size of screen
    #[arg(long, conflicts_with = "peers")]
    page: bool,

    /// Run the fuzz targets instead: all of them, or the one that is named
    #[arg(long, conflicts_with_all = ["peers", "page"])]
    fuzz: bool,

    /// With `--fuzz`: minutes for each target
    #[arg(long, value_name = "M", default_value_t = fuzz::MINUTES, requires = "fuzz")]
    minutes: f64,

    /// Arguments of `pentarchy soak`: a game [default: all], and options as `pentarchy soak --help` lists them.
    /// With `--system`: those of `pentarchy simulate`. With `--peers` or `--page`: the one game to play.
    /// With `--fuzz`: the one target to run
    #[arg(value_name = "GAME [OPTIONS]", trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

impl Args {
    /// Returns the arguments of `pentarchy simulate` with `--system`: the remaining ones, and [`SYSTEM_SEEDS`] unless
    /// they name seeds.
    fn of_simulate(&self) -> Vec<OsString> {
        let mut args = self.rest.clone();
        if !args.iter().any(|arg| arg.to_string_lossy().starts_with("--seeds")) {
            args.extend(["--seeds".into(), SYSTEM_SEEDS.into()]);
        }
        args
    }
}

/// Runs the soak test that the arguments choose: `--fuzz` the fuzz targets, `--peers` simulated tables, `--system`
/// simulated systems, `--page` the layout of the page, otherwise bots against the rules. The program is built with
/// overflow checks and assertions. Remaining arguments are handed to the program; with `--fuzz`, `--peers` and `--page`
/// the first one names the only target or game.
///
/// # Errors
///
/// Fails if the program is not in this tree, a build or a soak test fails, or a tool is missing.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    if args.fuzz {
        return fuzz::run(workspace, args.minutes, args.rest.first().and_then(|target| target.to_str()));
    }
    workspace.need_program()?;
    if args.peers {
        return peers(workspace, args);
    }
    if args.system {
        let mut cargo = tools::cargo(workspace);
        cargo.args(["run", "--profile", "soak", "-p", PROGRAM.0, "--", "simulate"]).args(args.of_simulate());
        tools::must(&mut cargo)?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.page {
        return e2e::soak(workspace, args.rest.first().and_then(|game| game.to_str()));
    }
    let mut cargo = tools::cargo(workspace);
    cargo.args(["run", "--profile", "soak", "-p", PROGRAM.0, "--", "soak"]).args(&args.rest);
    tools::must(&mut cargo)?;
    Ok(ExitCode::SUCCESS)
}

/// The seeds of `--system`, unless the arguments name others.
const SYSTEM_SEEDS: &str = "0..10000";

/// Games, seats, seeds and options: ten thousand seeds in all. A game without an entry gets [`OTHERS`].
const PEERS: &[(&str, u32, u32, &[&str])] = &[
    ("tic-tac-toe", 2, 300, &["--faults"]),
    ("connect-four", 2, 700, &["--faults"]),
    ("kuhn", 2, 2485, &["--faults"]),
    ("leduc", 2, 2500, &["--faults"]),
    ("leduc", 2, 50, &["--cheat", "all"]),
    ("hestia", 2, 300, &["--faults"]),
    ("ozymandias", 2, 250, &["--faults"]),
    ("ozymandias", 3, 250, &["--faults"]),
    ("ozymandias", 4, 150, &["--faults", "--leave", "30"]),
    ("ozymandias", 5, 100, &["--split"]),
    ("ozymandias", 5, 4, &["--cheat", "all"]),
    ("vires", 2, 150, &["--faults", "--events", "400"]),
    ("vires", 3, 150, &["--faults", "--events", "400", "--leave", "60"]),
    ("vires", 4, 150, &["--faults", "--events", "300"]),
    ("vires", 5, 100, &["--split", "--events", "300"]),
    ("vires", 6, 50, &["--faults", "--events", "200", "--leave", "10"]),
    ("vires", 5, 4, &["--cheat", "all", "--events", "200"]),
    ("hegemony", 2, 100, &["--faults", "--events", "400"]),
    ("hegemony", 3, 100, &["--faults", "--events", "400", "--leave", "100"]),
    ("hegemony", 4, 50, &["--faults", "--events", "400"]),
    ("hegemony", 5, 50, &["--split", "--events", "300"]),
    ("hegemony", 6, 50, &["--faults", "--events", "300", "--leave", "40"]),
    ("numeral", 2, 400, &["--faults", "--events", "500"]),
    ("numeral", 3, 400, &["--faults", "--events", "500", "--leave", "50"]),
    ("numeral", 4, 400, &["--faults", "--events", "500"]),
    ("numeral", 5, 400, &["--split", "--events", "500"]),
    ("numeral", 6, 342, &["--faults", "--events", "500", "--leave", "20"]),
    // The long games to their ends, too, at every number of seats.
    ("vires", 2, 1, &["--faults"]),
    ("vires", 3, 1, &["--faults"]),
    ("vires", 4, 1, &["--faults"]),
    ("vires", 5, 1, &["--faults"]),
    ("vires", 6, 1, &["--faults"]),
    ("hegemony", 2, 1, &["--faults"]),
    ("hegemony", 3, 1, &["--faults"]),
    ("hegemony", 4, 1, &["--faults"]),
    ("hegemony", 5, 1, &["--faults"]),
    ("hegemony", 6, 1, &["--faults"]),
    ("numeral", 2, 1, &["--faults"]),
    ("numeral", 3, 1, &["--faults"]),
    ("numeral", 4, 1, &["--faults"]),
    ("numeral", 5, 1, &["--faults"]),
    ("numeral", 6, 1, &["--faults"]),
];

/// Seeds and options of each number of seats of a game that [`PEERS`] does not have.
const OTHERS: (u32, &[&str]) = (50, &["--faults", "--events", "300"]);

/// Returns the runs of a game, each as seats, number of seeds (from 0) and options: its entries of [`PEERS`], or
/// [`OTHERS`] at every number of seats of the game from two to six. Empty for a game of one seat without an entry.
fn peers_of(game: &ListedGame) -> Vec<(u32, u32, &'static [&'static str])> {
    let entries = PEERS.iter().filter(|(name, ..)| *name == game.name);
    let mut runs: Vec<_> = entries.map(|(_, seats, seeds, how)| (*seats, *seeds, *how)).collect();
    if runs.is_empty() {
        let seats = game.min_seats.max(2)..=game.max_seats.min(6);
        runs.extend(seats.map(|seats| (seats.into(), OTHERS.0, OTHERS.1)));
    }
    runs
}

/// Plays the tables of all games of the registry, or of the game in the arguments, one after the other, and stops at
/// the first failure. The game is named exactly; other arguments are ignored.
///
/// # Errors
///
/// Fails if there is no such game, or the program cannot be run or finds a failure.
fn peers(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    let mut games = games::list(workspace, "soak")?;
    if let Some(only) = args.rest.first() {
        games.retain(|game| *only == *game.name);
        if games.is_empty() {
            return Err(TaskError::new(format!("there is no game `{}`", only.to_string_lossy())));
        }
    }
    for game in games {
        for (seats, seeds, how) in peers_of(&game) {
            let mut cargo = tools::cargo(workspace);
            cargo.args(["run", "--quiet", "--profile", "soak", "-p", PROGRAM.0, "--", "peers", &game.name]);
            cargo.args(["--seats", &seats.to_string(), "--seeds", &format!("0..{seeds}")]).args(how);
            tools::must(&mut cargo)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(clap::Parser)]
    struct Program {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    fn a_soak_of_the_system_passes_its_arguments_on() {
        let simulated = |line: &str| {
            let words = ["soak", "--system"].into_iter().chain(line.split_whitespace());
            let program: Program = clap::Parser::parse_from(words);
            program.args.of_simulate().join(" ".as_ref()).into_string().unwrap()
        };
        assert_eq!(simulated(""), "--seeds 0..10000");
        assert_eq!(simulated("kuhn --mix storage"), "kuhn --mix storage --seeds 0..10000");
        for line in ["--seeds 0..300 --mix days", "kuhn --seeds=4..5 --trace"] {
            assert_eq!(simulated(line), line);
        }
    }

    #[test]
    fn a_game_without_entries_is_played_at_every_number_of_seats() {
        let game =
            |name: &str| ListedGame { name: name.to_owned(), min_seats: 1, max_seats: 7, classic: false };
        let seats = |name: &str| peers_of(&game(name)).iter().map(|(seats, ..)| *seats).collect::<Vec<_>>();
        assert_eq!(seats("tavern"), [2, 3, 4, 5, 6]);
        assert_eq!(seats("hestia"), [2]);
    }
}
