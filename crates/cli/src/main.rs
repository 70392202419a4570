//! The `pentarchy` program: play, simulate, replay and check the games in a terminal.

mod arena;
mod arena_match;
mod arena_parts;
mod backup;
mod ca;
mod cards;
mod club;
mod command_error;
mod game_arg;
mod games;
mod host;
mod identity;
mod join;
mod lab;
mod number;
mod online;
mod output;
mod parallel;
mod parts;
mod peers;
mod play;
mod progress;
mod protocol;
mod records;
mod replay;
mod rules;
mod scenario_cmd;
mod shell;
mod signed;
mod sim;
mod simulate;
mod soak;
mod style;
mod trace;
mod tune;
mod tune_bot;
mod verify;
mod verify_page;

use clap::{Parser, Subcommand};
use command_error::{CommandError, Outcome};
use std::process::ExitCode;

/// Five games of empire, one engine, no referee.
///
/// Play in the terminal, alone against bots or around one keyboard; simulate a million games in seconds; replay and
/// verify records; run the rules as examples.
#[derive(Parser)]
#[command(name = "pentarchy", version, max_term_width = 100, after_long_help = AFTER)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The end of the long help.
const AFTER: &str = "\
Examples:
  pentarchy play                              pick a game and play
  pentarchy play connect-four --seats human,human
  pentarchy rules kuhn                        the rules on one page, and the options
  pentarchy sim connect-four --games 1000000  who wins, how long it takes
  pentarchy replay game.jsonl --at 12         the table after event 12
  pentarchy verify *.jsonl && echo honest     every event legal, every digest right

Exit codes:
  0  done
  1  a check failed: a record does not verify, a scenario or a soak test fails
  2  the command line, a file or an option cannot be used; nothing was changed
  3  the input ended before the game did

Colours appear on a terminal only, and not if NO_COLOR is set.";

#[derive(Subcommand)]
enum Command {
    Play(play::Args),
    Serve(club::ServeWithClub),
    Backup(backup::BackupArgs),
    Restore(backup::RestoreArgs),
    Ratings(club::RatingsArgs),
    Host(host::Args),
    Join(join::Args),
    Identity(identity::Args),
    Games(games::Args),
    Rules(rules::Args),
    Cards(cards::Args),
    Sim(sim::Args),
    Arena(arena::Args),
    Lab(lab::Args),
    Tune(tune::Args),
    Replay(replay::Args),
    Verify(verify::Args),
    VerifyPage(verify_page::Args),
    Trace(trace::Args),
    Scenario(scenario_cmd::Args),
    Engine(protocol::Args),
    Soak(soak::Args),
    Peers(peers::Args),
    Simulate(simulate::Args),
    Completions(shell::Completions),
    Man(shell::Man),
}

/// Parses the arguments, runs their command, and prints its error to stderr. Returns the exit code of the command or of
/// its error. Invalid arguments, `--help` and `--version` print a text and end the program (exit code 2 for the former,
/// else 0).
fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli.command) {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

/// Runs a command to its end and returns the exit code of the program: 0 for success, or that of a command with exit
/// codes of its own (`verify`, `scenario`, `engine`). Does not print the error that it returns.
///
/// # Errors
///
/// Fails if the command does; commands with exit codes of their own report their errors themselves.
fn run(command: Command) -> Result<ExitCode, CommandError> {
    let done = |result: Outcome| result.map(|()| ExitCode::SUCCESS);
    match command {
        Command::Play(args) => done(play::run(&args)),
        Command::Serve(args) => done(club::serve(&args)),
        Command::Backup(args) => done(backup::back_up(&args)),
        Command::Restore(args) => done(backup::restore(&args)),
        Command::Ratings(args) => done(club::ratings(&args)),
        Command::Host(args) => done(host::run(&args)),
        Command::Join(args) => done(join::run(&args)),
        Command::Identity(args) => done(identity::run(&args)),
        Command::Games(args) => done(games::run(&args)),
        Command::Rules(args) => done(rules::run(&args)),
        Command::Cards(args) => done(cards::run(&args)),
        Command::Sim(args) => done(sim::run(&args)),
        Command::Arena(args) => done(arena::run(&args)),
        Command::Lab(args) => done(lab::run(&args)),
        Command::Tune(args) => done(tune::run(&args)),
        Command::Replay(args) => done(replay::run(&args)),
        Command::Verify(args) => Ok(verify::run(&args)),
        Command::VerifyPage(args) => done(verify_page::run(&args)),
        Command::Trace(args) => done(trace::run(&args)),
        Command::Scenario(args) => Ok(scenario_cmd::run(&args)),
        Command::Engine(args) => Ok(protocol::run(&args)),
        Command::Soak(args) => done(soak::run(&args)),
        Command::Peers(args) => done(peers::run(&args)),
        Command::Simulate(args) => done(simulate::run(&args)),
        Command::Completions(args) => done(shell::completions(&args)),
        Command::Man(args) => done(shell::man(&args)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_and_argument_is_explained() {
        for command in Cli::command().get_subcommands() {
            assert!(command.get_about().is_some(), "{} has no help", command.get_name());
            for argument in command.get_arguments() {
                assert!(argument.get_help().is_some(), "{} {}", command.get_name(), argument.get_id());
            }
        }
    }
}
