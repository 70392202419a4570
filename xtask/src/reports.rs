//! `cargo xtask reports`: the balance reports of the five games.

use std::process::ExitCode;

use crate::{
    task_error::{Result, TaskError},
    tools,
    workspace::{PROGRAM, Workspace},
};

/// A game with reports, and the sizes of its samples.
struct Subject {
    game: &'static str,
    /// The preset that the page plays by default, for a game that has presets.
    preset: Option<&'static str>,
    /// Iterations per decision of an Emperor.
    budget: u32,
    /// Games of each pair of strategies; a fifth where one searches.
    rivals: u32,
    /// Games of Emperors.
    emperors: u32,
}

/// The five games. A decision of the search costs a hundred times more in one than in another.
const SUBJECTS: [Subject; 5] = [
    Subject { game: "hegemony", preset: None, budget: 20, rivals: 100, emperors: 100 },
    Subject { game: "numeral", preset: Some("standard"), budget: 10, rivals: 60, emperors: 30 },
    Subject { game: "ozymandias", preset: None, budget: 50, rivals: 100, emperors: 100 },
    Subject { game: "vires", preset: None, budget: 50, rivals: 100, emperors: 60 },
    Subject { game: "hestia", preset: None, budget: 50, rivals: 100, emperors: 100 },
];

/// The folder of the reports.
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

    /// Number of games of Captains
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    captains: u64,

    /// Number of games of Emperors [default: depends on the game]; 0: none
    #[arg(long, value_name = "N")]
    emperors: Option<u32>,
}

/// Builds the program in release and writes the balance reports of the chosen games to [`FOLDER`],
/// one game after the other. Existing pages are replaced.
///
/// # Errors
///
/// Fails if a game has no report, or if a build or a report fails.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    let games = args.chosen()?;
    workspace.need_program()?;
    std::fs::create_dir_all(workspace.root().join(FOLDER))
        .map_err(|e| TaskError::new(format!("cannot make {FOLDER}: {e}")))?;
    tools::must(tools::cargo(workspace).args(["build", "--release", "-p", PROGRAM.0]))?;
    for subject in games {
        for words in args.pages(subject) {
            println!("\n{}", tools::bold(&format!("pentarchy {}", words.join(" "))));
            let mut cargo = tools::cargo(workspace);
            tools::must(cargo.args(["run", "--release", "--quiet", "-p", PROGRAM.0, "--"]).args(words))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// Returns the games that the arguments select, in the order of [`SUBJECTS`]; all if they name none.
    ///
    /// # Errors
    ///
    /// Fails if a game has no report.
    fn chosen(&self) -> Result<Vec<&'static Subject>> {
        if let Some(unknown) = self.games.iter().find(|game| SUBJECTS.iter().all(|s| s.game != game.as_str()))
        {
            let names = SUBJECTS.each_ref().map(|s| s.game).join(", ");
            return Err(TaskError::new(format!("there is no report of `{unknown}`; there are {names}")));
        }
        let wanted = |s: &&Subject| self.games.is_empty() || self.games.iter().any(|game| game == s.game);
        Ok(SUBJECTS.iter().filter(wanted).collect())
    }

    /// Returns the arguments of the commands that write the pages of a game: one of Captains, and one of
    /// Emperors unless their number is 0.
    fn pages(&self, subject: &Subject) -> Vec<Vec<String>> {
        let Subject { game, budget, rivals, .. } = subject;
        let (captains, emperors) = (self.captains, self.emperors.unwrap_or(subject.emperors));
        let preset = subject.preset.map_or(String::new(), |name| format!("--preset {name}"));
        let mut pages = vec![format!(
            "lab {game} {preset} --games {captains} --rivals random,recruit,captain,emperor:{budget} --rival-games {rivals} \
             --out {FOLDER}/{game}.html"
        )];
        if emperors > 0 {
            pages.push(format!(
                "lab {game} {preset} --games {emperors} --bots emperor:{budget} --rivals none --out {FOLDER}/{game}-emperors.html"
            ));
        }
        pages.iter().map(|page| page.split_whitespace().map(str::to_string).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(games: &[&str], emperors: Option<u32>) -> Args {
        Args { games: games.iter().map(|g| (*g).to_string()).collect(), captains: 10, emperors }
    }

    #[test]
    fn a_game_has_two_pages_and_an_unknown_one_none() {
        assert_eq!(args(&[], None).chosen().unwrap().len(), 5);
        let vires = args(&["vires"], None).chosen().unwrap();
        assert_eq!((vires.len(), vires[0].game), (1, "vires"));
        let Err(trouble) = args(&["chess"], None).chosen() else { panic!("chess has no report") };
        assert!(trouble.to_string().contains("no report of `chess`"));
        let pages = args(&[], None).pages(vires[0]);
        assert_eq!((pages.len(), pages[0][1].as_str()), (2, "vires"));
        assert_eq!(pages[1].last().unwrap(), "docs/reports/vires-emperors.html");
        assert_eq!(args(&[], Some(0)).pages(vires[0]).len(), 1);
    }
}
