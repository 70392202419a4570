//! Parts of runs: `--part 3/16` writes one, `--join` makes a whole of all of them.

use crate::command_error::{CommandError, Outcome};
use crate::output::Output;
use pentarchy_arena::AnyArena;
use pentarchy_arena::part::{self, JoinedParts, MOST_PARTS, PartError, PartHeader};
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

/// Parses a part, such as `3/16`: the third of sixteen. Spaces are not allowed.
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

/// Creates the header of a part of a run of this command, with the command line of this program. `numbers` are seed and
/// number of games of the whole run, in this order; `plan` holds all its parameters, from which joining the parts
/// restores the run. Nothing is checked.
pub(crate) fn header(
    command: &str,
    game: &'static dyn AnyArena,
    numbers: (u64, u64),
    plan: &Value,
    PartArg { part, parts }: PartArg,
) -> PartHeader {
    PartHeader::new(command, game, numbers, plan, &command_line(), (part, parts))
}

/// Encodes `header` and the results `payload` as a part, writes it to the temporary file of `file`, then moves it to
/// its path; an existing file there is replaced.
///
/// # Errors
///
/// Fails if the part cannot be encoded (as a failed check) or written. The path is then unchanged.
pub(crate) fn write<T: Serialize>(mut file: Output, header: &PartHeader, payload: &T) -> Outcome {
    let bytes = part::encode(header, payload).map_err(|e| CommandError::Check(e.to_string()))?;
    file.write_bytes(&bytes)?;
    file.finish()
}

/// Reads and checks the files of all parts of a run of this command, given in any order. Returns the game, the plan and
/// the results of the parts in the order of their numbers. Whether the plan fits the command is not checked.
///
/// # Errors
///
/// Fails if a file cannot be read, is damaged or belongs to another run, if parts are missing or doubled, or if this
/// program does not have the game with these rules.
pub(crate) fn read<T: DeserializeOwned>(command: &str, paths: &[PathBuf]) -> Outcome<JoinedParts<T>> {
    let mut files = Vec::new();
    for path in paths {
        let bytes = std::fs::read(path).map_err(|e| CommandError::file("read", path, e))?;
        files.push((path.display().to_string(), bytes));
    }
    JoinedParts::new(&files, command, ARENAS).map_err(CommandError::usage)
}

/// Creates the usage error for parts whose parameters this program cannot read, which says that another version wrote
/// them.
pub(crate) fn malformed() -> CommandError {
    CommandError::usage(PartError::Malformed)
}

/// Options that do not change what is played, and whether a value follows them.
const IRRELEVANT: [(&str, bool); 7] = [
    ("--out", true),
    ("--preset-out", true),
    ("--weights-out", true),
    ("--resume", true),
    ("--part", true),
    ("--threads", true),
    ("--json", false),
];

/// Returns the command line of this process as `pentarchy` and its arguments, for a report, without the options that do
/// not change what is played ([`IRRELEVANT`]). Arguments with spaces or double quotes are put
/// in single quotes; nothing is escaped.
pub(crate) fn command_line() -> String {
    shown(std::env::args().skip(1))
}

/// Returns `pentarchy` and these arguments, without the options of [`IRRELEVANT`] and their values (as `--out FILE` or
/// `--out=FILE`). Arguments with spaces or double quotes are put in single quotes; nothing is escaped.
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
