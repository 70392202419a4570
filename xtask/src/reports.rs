//! `cargo xtask reports`: the balance reports of the five games.

use std::process::ExitCode;

use crate::{
    tools,
    trouble::{Result, Trouble},
    workspace::{PROGRAM, Workspace},
};

/// The games that have reports.
const GAMES: [&str; 5] = ["hegemony", "numeral", "ozymandias", "vires", "hestia"];

/// Where they are kept.
const FOLDER: &str = "docs/reports";

/// Write the balance reports of the five games into docs/reports.
///
/// Two pages a game: many games of Captains, and fewer of Emperors with a small budget. The same seed, so that a
/// page changes only where the rules, the advice or the report have changed.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only these games [default: all five]
    #[arg(value_name = "GAME")]
    games: Vec<String>,

    /// How many games of Captains
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    captains: u64,

    /// How many games of Emperors; 0: none
    #[arg(long, value_name = "N", default_value_t = 200)]
    emperors: u64,

    /// How many iterations an Emperor has for a decision
    #[arg(long, value_name = "N", default_value_t = 50)]
    budget: u32,
}

/// Builds the program in release and lets it write the pages.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    let games = args.chosen()?;
    workspace.need_program()?;
    std::fs::create_dir_all(workspace.root().join(FOLDER))
        .map_err(|e| Trouble::new(format!("cannot make {FOLDER}: {e}")))?;
    tools::must(tools::cargo(workspace).args(["build", "--release", "-p", PROGRAM.0]))?;
    for game in games {
        for words in args.pages(game) {
            println!("\n{}", tools::bold(&format!("pentarchy {}", words.join(" "))));
            let mut cargo = tools::cargo(workspace);
            tools::must(cargo.args(["run", "--release", "--quiet", "-p", PROGRAM.0, "--"]).args(words))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn chosen(&self) -> Result<Vec<&'static str>> {
        if let Some(unknown) = self.games.iter().find(|game| !GAMES.contains(&game.as_str())) {
            return Err(Trouble::new(format!(
                "there is no report of `{unknown}`; there are {}",
                GAMES.join(", ")
            )));
        }
        Ok(GAMES
            .into_iter()
            .filter(|game| self.games.is_empty() || self.games.iter().any(|g| g == game))
            .collect())
    }

    /// The commands that write the pages of a game.
    fn pages(&self, game: &str) -> Vec<Vec<String>> {
        let mut pages = vec![format!(
            "lab {game} --games {} --rivals random,recruit,captain,emperor:{} --out {FOLDER}/{game}.html",
            self.captains, self.budget
        )];
        if self.emperors > 0 {
            pages.push(format!(
                "lab {game} --games {} --bots emperor:{} --rivals none --out {FOLDER}/{game}-emperors.html",
                self.emperors, self.budget
            ));
        }
        pages.iter().map(|page| page.split(' ').map(str::to_string).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(games: &[&str], emperors: u64) -> Args {
        Args { games: games.iter().map(|g| (*g).to_string()).collect(), captains: 10, emperors, budget: 5 }
    }

    #[test]
    fn a_game_has_two_pages_and_an_unknown_one_none() {
        assert_eq!(args(&[], 3).chosen().unwrap(), GAMES);
        assert_eq!(args(&["vires"], 3).chosen().unwrap(), ["vires"]);
        assert!(args(&["chess"], 3).chosen().unwrap_err().to_string().contains("no report of `chess`"));
        let pages = args(&[], 3).pages("vires");
        assert_eq!(
            (pages.len(), pages[0][1].as_str(), pages[1].last().unwrap().as_str()),
            (2, "vires", "docs/reports/vires-emperors.html")
        );
        assert_eq!(args(&[], 0).pages("vires").len(), 1);
    }
}
