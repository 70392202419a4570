//! Parts of `pentarchy arena`.

use crate::arena::{Args, Files, report, tournament_error};
use crate::arena_match;
use crate::command_error::Outcome;
use crate::output::Output;
use crate::parallel;
use crate::parts::{self, PartArg};
use crate::progress;
use pentarchy_arena::lab::part_of;
use pentarchy_arena::{TournamentPart, TournamentPlan};
use std::io::Write;
use std::path::PathBuf;

/// Plays the games of a part of the tournament and writes them to the file of `--out`, with a header that describes the
/// whole tournament. The file appears only if all games succeed. Shows a progress bar and prints nothing else. The
/// caller must have checked that `--out` is given; without it, the games are played and lost.
///
/// # Errors
///
/// Fails if the file cannot be written, or a game fails.
pub(crate) fn play(args: &Args, plan: &TournamentPlan, part: PartArg) -> Outcome {
    let file = Output::begin_optional(args.out.as_deref())?;
    let range = part_of(plan.games, part.part.into(), part.parts.into());
    let bar = progress::bar(range.end - range.start, "games");
    let threads = parallel::thread_count(args.threads);
    let played = plan.play_part(range, threads, || bar.inc(1));
    bar.finish_and_clear();
    let header = parts::header("arena", plan.game, (plan.seed, plan.games), &plan.as_plan(), part);
    let played = played.map_err(tournament_error)?;
    file.map_or(Ok(()), |file| parts::write(file, &header, &played))
}

/// Plays nothing. Joins the parts of a tournament in the files `paths`, given in any order, writes `--out` and `--csv`,
/// and prints the report, or with `--json` the JSON object. The plan comes from the parts, not from `args`. The output
/// files appear only if everything succeeds.
///
/// # Errors
///
/// Fails if the parts are malformed or do not make a whole run, a file cannot be read or written, or the output is
/// closed.
pub(crate) fn join(args: &Args, paths: &[PathBuf]) -> Outcome {
    let joined = parts::read::<TournamentPart>("arena", paths)?;
    let plan = TournamentPlan::from_plan(joined.game, &joined.plan).ok_or_else(parts::malformed)?;
    let mut files = Files::begin(args)?;
    let mut bout = args.test.start(&plan)?;
    let mut written = Ok(());
    let tally = plan.join(&joined.parts, |row| {
        bout.add(&plan, row);
        if written.is_ok() {
            written = files.write_game(&plan, row, None);
        }
    });
    written?;
    let mut data = tally.as_data(&plan);
    data["match"] = bout.as_data();
    if let Some(out) = &mut files.out {
        out.write(&format!("{data:#}\n"))?;
    }
    files.finish()?;
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(out, "{data}")?;
    } else {
        report(&mut out, &plan, &tally, None)?;
        arena_match::report(&mut out, &args.test, &plan, &bout)?;
    }
    Ok(())
}
