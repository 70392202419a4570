//! `pentarchy verify FILE…`: verifies that records are those of games played by the rules.

use crate::command_error::{CommandError, Outcome};
use crate::records;
use crate::signed::{self, Signed};
use crate::style::{DIM, paint};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Check records: every event legal, every digest right, the game over at the end
///
/// The exit code says it all: 0 if every record is sound, 1 if one is not, 2 if one cannot be read. The
/// first fault of a record is named with its line. The signed record of a table of peers is verified in full:
/// signatures, links, digests, proofs, rules. A file with evidence is judged: sound means that it proves the cheat.
/// The identities of the players are named with their fingerprints.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pentarchy verify game.jsonl
  pentarchy verify --quiet games/*.jsonl && echo all honest
  pentarchy verify --unfinished saved.jsonl
  pentarchy verify vires.table mallory.evidence")]
pub(crate) struct Args {
    /// The records
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// Accept games that were left before their end
    #[arg(long)]
    unfinished: bool,

    /// Print faults only
    #[arg(short, long)]
    quiet: bool,
}

/// Runs `pentarchy verify`: verifies all files in order and prints a verdict and the identities of each, nothing about
/// sound ones with `--quiet`; faults go to stderr. Stops if the output is closed. Returns the worst exit code: 0 if all
/// are sound, 1 if one is not, 2 if one cannot be read.
pub(crate) fn run(args: &Args) -> ExitCode {
    let mut worst = 0;
    for file in &args.files {
        let told = verify(file, args.unfinished).and_then(|verdict| {
            if !args.quiet {
                let (file, (verdict, identities)) = (file.display(), verdict);
                writeln!(anstream::stdout(), "{file}: sound  {}", paint(DIM, verdict))?;
                for identity in identities {
                    writeln!(anstream::stdout(), "  {}", paint(DIM, identity))?;
                }
            }
            Ok(())
        });
        match told {
            Ok(()) => {}
            Err(CommandError::Closed) => break,
            Err(failure) => worst = worst.max(failure.report_code()),
        }
    }
    ExitCode::from(worst)
}

/// Verifies a file: evidence, which is sound if it proves the cheat, a signed record or a plain record. Returns the
/// result in words, and a line for each identity that it names. With `unfinished`, a match that was left before its end
/// is accepted.
///
/// # Errors
///
/// Fails if the file cannot be read (bad usage), or as a failed check if it does not verify, or if its match is not
/// finished and `unfinished` is not set.
fn verify(file: &Path, unfinished: bool) -> Outcome<(String, Vec<String>)> {
    if let Some(told) = signed::judge(file)? {
        return Ok(told);
    }
    if let Some(signed) = Signed::read(file)? {
        if !signed.is_over() && !unfinished {
            return Err(records::unsound(file, &format_args!("the game is {}", signed.end())));
        }
        let told = format!("{}, {}", signed.game.info().name, signed.summary());
        return Ok((told, signed.identities().to_vec()));
    }
    let (record, game) = records::read(file)?;
    let unsound = |e: &dyn std::fmt::Display| records::unsound(file, e);
    let events = record.entries.len();
    if unfinished {
        let replayed = game.replay(&record, record.header.kind, usize::MAX, &mut |_| {});
        let position = replayed.map_err(|e| unsound(&e))?;
        if position.outcome().is_none() {
            let awaited = position.node_text();
            return Ok((format!("{}, {events} events, awaited is {awaited}", game.info().name), Vec::new()));
        }
    }
    let outcome = game.verify(&record).map_err(|e| unsound(&e))?.outcome;
    let winners: Vec<String> = outcome.winners().map(|seat| seat.to_string()).collect();
    let winners =
        if winners.is_empty() { "nobody".into() } else { format!("seat {}", winners.join(" and ")) };
    Ok((format!("{}, {events} events, won by {winners}", game.info().name), Vec::new()))
}
