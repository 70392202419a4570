//! The tasks of the repository, run as `cargo xtask TASK`.
//!
//! One file per task; [`tools`] runs other programs, [`workspace`] describes the workspace.

mod advisories;
mod bench;
mod beside;
mod build_progress;
mod coverage;
mod deny;
mod deploy_test;
mod dev;
mod doc_paths;
mod e2e;
mod error_names;
mod fuzz;
mod games;
mod golden;
mod icons;
mod layers;
mod measure;
mod measure_build;
mod new;
mod path_data;
mod peers;
mod phrases;
mod play;
mod python;
mod reports;
mod soak;
mod steps;
mod strength;
mod subjects;
mod table;
mod tally;
mod task_error;
mod test;
#[cfg(test)]
mod threat_model;
mod tools;
mod type_names;
mod verifier;
mod web;
mod words;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::{task_error::Result, workspace::Workspace};

/// The tasks of the repository.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    Test(test::Args),
    Play(play::Args),
    New(new::Args),
    Dev(dev::Args),
    Bench(bench::Args),
    Golden(golden::Args),
    Reports(reports::Args),
    Soak(soak::Args),
    Web(web::Args),
    E2e(e2e::Args),
    Icons(icons::Args),
    Measure(measure::Args),
    DeployTest(deploy_test::Args),
    Advisories(advisories::Args),
    Coverage(coverage::Args),
}

/// Finds the workspace, runs a task in it and returns the exit code of the task.
///
/// # Errors
///
/// Fails if the workspace is not found or the task fails. The error is not printed here.
fn run(task: &Task) -> Result<ExitCode> {
    let workspace = Workspace::find()?;
    match task {
        Task::Test(args) => test::run(&workspace, args),
        Task::Play(args) => play::run(&workspace, args),
        Task::New(args) => new::run(&workspace, args),
        Task::Dev(args) => dev::run(&workspace, args),
        Task::Bench(args) => bench::run(&workspace, args),
        Task::Golden(args) => golden::run(&workspace, args),
        Task::Reports(args) => reports::run(&workspace, args),
        Task::Soak(args) => soak::run(&workspace, args),
        Task::Web(args) => web::run(&workspace, args),
        Task::E2e(args) => e2e::run(&workspace, args),
        Task::Icons(args) => icons::run(&workspace, args),
        Task::Measure(args) => measure::run(&workspace, args),
        Task::DeployTest(args) => deploy_test::run(&workspace, args),
        Task::Advisories(args) => advisories::run(&workspace, args),
        Task::Coverage(args) => coverage::run(&workspace, args),
    }
}

/// Parses the arguments and runs their task. Prints an error to stderr and returns exit code 1 then. Invalid arguments
/// end the program with exit code 2, `--help` with 0.
fn main() -> ExitCode {
    match run(&Cli::parse().task) {
        Ok(code) => code,
        Err(trouble) => {
            eprintln!("error: {trouble}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn arguments_after_the_game_reach_the_program() {
        let cli = Cli::try_parse_from(["xtask", "play", "hegemony", "--seed", "7"]).unwrap();
        let Task::Play(args) = cli.task else { panic!("not play") };
        assert_eq!((args.command(), args.rest()), ("play", &["hegemony", "--seed", "7"].map(Into::into)[..]));
    }

    #[test]
    fn play_without_a_game_is_in_the_browser() {
        let command = |words: &[&str]| {
            let cli = Cli::try_parse_from(["xtask", "play"].iter().chain(words)).unwrap();
            let Task::Play(args) = cli.task else { panic!("not play") };
            (args.command(), args.rest().len())
        };
        assert_eq!(command(&[]), ("serve", 0));
        assert_eq!(command(&["--port", "8080"]), ("serve", 2));
        assert_eq!(command(&["--terminal"]), ("play", 0));
        assert_eq!(command(&["--terminal", "kuhn"]), ("play", 1));
    }
}
