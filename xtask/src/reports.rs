//! `cargo xtask reports`: the balance reports of all games but the classics.

use std::process::ExitCode;

use crate::{
    games::{self, ListedGame},
    task_error::{Result, TaskError},
    tools,
    workspace::{PROGRAM, Workspace},
};

/// The sizes of the samples in the reports of a game.
#[derive(Clone, Copy)]
struct Samples {
    /// The preset that the page plays by default, for a game that has presets.
    preset: Option<&'static str>,
    /// Iterations per decision of an Emperor.
    budget: u32,
    /// Games of each pair of strategies; a fifth where one searches.
    rivals: u32,
    /// Pairs of games of restricted play for each option, at most.
    restrict: u32,
    /// Games of Emperors.
    emperors: u32,
}

/// The sizes for a game without an entry in [`TUNED`].
const USUAL: Samples = Samples { preset: None, budget: 50, rivals: 100, restrict: 10_000, emperors: 100 };

/// Games with sizes of their own: a decision of the search costs a hundred times more in one than in another.
const TUNED: [(&str, Samples); 3] = [
    ("hegemony", Samples { budget: 20, ..USUAL }),
    ("numeral", Samples { preset: Some("standard"), budget: 10, rivals: 60, restrict: 1_000, emperors: 30 }),
    ("vires", Samples { emperors: 60, ..USUAL }),
];

/// The folder of the reports.
const FOLDER: &str = "docs/reports";

/// Write the balance reports of all games but the classics into docs/reports.
///
/// Two pages a game: many games of Captains with restricted play, and fewer of Emperors with a small budget. The same
/// seed, so that a page changes only where the rules, the advice or the report have changed.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only these games [default: all but the classics]
    #[arg(value_name = "GAME")]
    games: Vec<String>,

    /// Number of games of Captains
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    captains: u64,

    /// Number of games of Emperors [default: depends on the game]; 0: none
    #[arg(long, value_name = "N")]
    emperors: Option<u32>,
}

/// Builds the program in release and writes the balance reports of the chosen games to [`FOLDER`], one game after the
/// other. Existing pages are replaced.
///
/// # Errors
///
/// Fails if there is no game of a name, or if a build or a report fails. Reports written before stay.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    workspace.need_program()?;
    let games = args.chosen(&games::list(workspace, "release")?)?;
    std::fs::create_dir_all(workspace.root().join(FOLDER))
        .map_err(|e| TaskError::new(format!("cannot make {FOLDER}: {e}")))?;
    for game in games {
        for words in args.pages(&game) {
            println!("\n{}", tools::bold(&format!("pentarchy {}", words.join(" "))));
            let mut cargo = tools::cargo(workspace);
            tools::must(cargo.args(["run", "--release", "--quiet", "-p", PROGRAM.0, "--"]).args(words))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// Returns the names of the games that the arguments select from `listed`, in its order and each once; all but the
    /// classics if they name none.
    ///
    /// # Errors
    ///
    /// Fails if there is no game of a name.
    fn chosen(&self, listed: &[ListedGame]) -> Result<Vec<String>> {
        if let Some(unknown) = self.games.iter().find(|name| listed.iter().all(|game| game.name != **name)) {
            let names: Vec<&str> = listed.iter().map(|game| game.name.as_str()).collect();
            return Err(TaskError::new(format!(
                "there is no game `{unknown}`; there are {}",
                names.join(", ")
            )));
        }
        let wanted = |game: &&ListedGame| {
            if self.games.is_empty() { !game.classic } else { self.games.contains(&game.name) }
        };
        Ok(listed.iter().filter(wanted).map(|game| game.name.clone()).collect())
    }

    /// Returns the arguments of the commands that write the pages of a game, each as words after the name of the
    /// program: one of Captains, and one of Emperors unless their number is 0. Sizes are those of [`TUNED`] or
    /// [`USUAL`]; paths are relative to the workspace.
    fn pages(&self, game: &str) -> Vec<Vec<String>> {
        let samples = TUNED.iter().find(|(name, _)| *name == game).map_or(USUAL, |(_, samples)| *samples);
        let Samples { preset, budget, rivals, restrict, .. } = samples;
        let (captains, emperors) = (self.captains, self.emperors.unwrap_or(samples.emperors));
        let preset = preset.map_or(String::new(), |name| format!("--preset {name}"));
        let mut pages = vec![format!(
            "lab {game} {preset} --games {captains} --restrict --restrict-games {restrict} --rivals random,recruit,captain,emperor:{budget} \
             --rival-games {rivals} --out {FOLDER}/{game}.html"
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

    /// Returns arguments that name these games, with ten games of Captains.
    fn args(games: &[&str], emperors: Option<u32>) -> Args {
        Args { games: games.iter().map(|g| (*g).to_string()).collect(), captains: 10, emperors }
    }

    /// Returns a list of two games and one classic.
    fn listed() -> [ListedGame; 3] {
        [("vires", false), ("tavern", false), ("kuhn", true)].map(|(name, classic)| ListedGame {
            name: name.to_owned(),
            min_seats: 2,
            max_seats: 4,
            classic,
        })
    }

    #[test]
    fn all_games_but_the_classics_have_reports() {
        assert_eq!(args(&[], None).chosen(&listed()).unwrap(), ["vires", "tavern"]);
        assert_eq!(args(&["kuhn"], None).chosen(&listed()).unwrap(), ["kuhn"]);
        let trouble = args(&["chess"], None).chosen(&listed()).unwrap_err();
        assert_eq!(trouble.to_string(), "there is no game `chess`; there are vires, tavern, kuhn");
    }

    #[test]
    fn a_game_has_two_pages_with_its_own_samples() {
        let pages = args(&[], None).pages("vires");
        assert_eq!((pages.len(), pages[0][1].as_str()), (2, "vires"));
        assert!(pages[1].contains(&"60".to_string()));
        assert_eq!(pages[1].last().unwrap(), "docs/reports/vires-emperors.html");
        assert!(args(&[], None).pages("tavern")[1].contains(&"100".to_string()));
        assert_eq!(args(&[], Some(0)).pages("vires").len(), 1);
    }
}
