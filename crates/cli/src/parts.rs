//! Parts of runs: `--part 3/16` writes one, `--join` makes a whole of all of them.

use crate::command_error::{CommandError, Outcome};
use crate::output::Output;
use pentarchy_arena::AnyArena;
use pentarchy_arena::part::{self, MOST_PARTS, PartHeader};
use pentarchy_registry::ARENAS;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::path::PathBuf;

/// The part of a run that is to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PartArg {
    /// Its number, from 1.
    pub(crate) part: u32,
    /// The number of parts.
    pub(crate) parts: u32,
}

/// Parses a part, such as `3/16`: the third of sixteen.
///
/// # Errors
///
/// Fails if the text has another form, the number is not from 1 to the number of parts, or there are more than
/// [`MOST_PARTS`] parts.
pub(crate) fn parse_part(text: &str) -> Result<PartArg, String> {
    let numbers = text.split_once('/').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    let (part, parts) = numbers.ok_or("it takes a part and the number of parts, like 3/16")?;
    if parts > MOST_PARTS {
        return Err(format!("a run has at most {MOST_PARTS} parts"));
    }
    if part < 1 || part > parts {
        return Err(format!("there is no part {part} of {parts}: parts count from 1"));
    }
    Ok(PartArg { part, parts })
}

/// Creates the header of a part of a run of this command, with the version and the command line of this program.
/// `games` is the number of games of the whole run, `plan` holds all its parameters.
pub(crate) fn header(
    command: &str,
    game: &'static dyn AnyArena,
    (seed, games): (u64, u64),
    plan: &Value,
    PartArg { part, parts }: PartArg,
) -> PartHeader {
    let info = game.info();
    PartHeader {
        command: command.to_string(),
        program: env!("CARGO_PKG_VERSION").to_string(),
        game: info.name.to_string(),
        rules_version: info.rules_version,
        seed,
        games,
        plan: plan.to_string(),
        shown: command_line(),
        part,
        parts,
    }
}

/// Writes a part to its file and moves the file to its path.
///
/// # Errors
///
/// Fails if the part cannot be encoded or written. Then no file appears at the path.
pub(crate) fn write<T: Serialize>(mut file: Output, header: &PartHeader, payload: &T) -> Outcome {
    let bytes = part::encode(header, payload).map_err(|e| CommandError::Check(e.to_string()))?;
    file.write_bytes(&bytes)?;
    file.finish()
}

/// All parts of a run, read from their files.
pub(crate) struct Joined<T> {
    /// The header of the first part.
    pub(crate) header: PartHeader,
    /// All parameters of the run.
    pub(crate) plan: Value,
    /// Its game.
    pub(crate) game: &'static dyn AnyArena,
    /// The payloads in the order of the parts.
    pub(crate) parts: Vec<T>,
}

impl<T: DeserializeOwned> Joined<T> {
    /// Reads and checks all parts of a run of this command, given in any order.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read, is damaged or belongs to another run, if parts are missing or doubled, or
    /// if this program does not have the game with these rules.
    pub(crate) fn read(command: &str, paths: &[PathBuf]) -> Outcome<Joined<T>> {
        let mut files = Vec::new();
        for path in paths {
            let bytes = std::fs::read(path).map_err(|e| CommandError::file("read", path, e))?;
            files.push((path.display().to_string(), bytes));
        }
        let (header, parts) = part::join(&files, command).map_err(CommandError::usage)?;
        let game = ARENAS.iter().copied().find(|arena| arena.info().name == header.game);
        let game = game.ok_or_else(|| {
            CommandError::usage(format_args!("the parts are of {}, a game that is not here", header.game))
        })?;
        if game.info().rules_version != header.rules_version {
            let (found, here) = (header.rules_version, game.info().rules_version);
            return Err(CommandError::usage(format_args!(
                "the parts were played by version {found} of the rules of {}; this program has version {here}",
                header.game
            )));
        }
        let plan = serde_json::from_str(&header.plan).map_err(|_| malformed())?;
        Ok(Joined { header, plan, game, parts })
    }
}

/// Creates the error for parts whose parameters this program cannot read.
pub(crate) fn malformed() -> CommandError {
    CommandError::usage("the parts were written by another version of the program")
}

/// Options that do not change what is played, and whether a value follows them.
const IRRELEVANT: [(&str, bool); 4] =
    [("--out", true), ("--part", true), ("--threads", true), ("--json", false)];

/// Returns the command line of this process for a report, without the options that do not change what is played.
/// Arguments with spaces or double quotes are put in single quotes.
pub(crate) fn command_line() -> String {
    shown(std::env::args().skip(1))
}

/// Returns `pentarchy` and these arguments, without the options of [`IRRELEVANT`] and their values. Arguments with
/// spaces or double quotes are put in single quotes.
fn shown(mut args: impl Iterator<Item = String>) -> String {
    let mut text = "pentarchy".to_string();
    while let Some(arg) = args.next() {
        let name = arg.split('=').next().unwrap_or_default();
        match IRRELEVANT.iter().find(|(option, _)| *option == name) {
            Some((_, takes_value)) => {
                if *takes_value && !arg.contains('=') {
                    args.next();
                }
            }
            None if arg.contains([' ', '"']) => text += &format!(" '{arg}'"),
            None => text += &format!(" {arg}"),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_a_fraction_and_the_command_line_forgets_where_it_was_run() {
        assert_eq!(parse_part("3/16"), Ok(PartArg { part: 3, parts: 16 }));
        for bad in ["", "3", "3/", "0/4", "5/4", "a/b", "1/0", "1/100001", "-1/4"] {
            assert!(parse_part(bad).is_err(), "{bad}");
        }
        let args = "lab kuhn --part 1/3 --games 10 --out=a.bin --json --threads 2 --set x=1".split(' ');
        assert_eq!(shown(args.map(str::to_string)), "pentarchy lab kuhn --games 10 --set x=1");
    }
}
