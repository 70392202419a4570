//! Matches in the arena: `--sprt`, and the result by sets.

use crate::command_error::{CommandError, Outcome};
use crate::style::thousands;
use pentarchy_arena::TournamentPlan;
use pentarchy_arena::sprt::{BotMatch, Sprt, SprtVerdict};
use pentarchy_bots::{Budget, Level};
use std::io::{self, Write};

/// Number of games at which an undecided match ends, unless `--games` says another.
pub(crate) const MOST_GAMES: u64 = 20_000;

/// The arguments of a sequential test.
#[derive(clap::Args)]
pub(crate) struct MatchArgs {
    /// Stop as soon as it is known whether the first bot scores LOW or HIGH of its games, e.g. 0.50,0.60
    #[arg(long, value_name = "LOW,HIGH", value_parser = parse_scores, conflicts_with_all = ["interval", "part", "join"])]
    sprt: Option<(f64, f64)>,

    /// Probability that --sprt accepts HIGH although LOW is true
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt")]
    alpha: f64,

    /// Probability that --sprt accepts LOW although HIGH is true
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt")]
    beta: f64,
}

impl MatchArgs {
    /// Returns whether `--sprt` is given, so that a sequential test decides when the match ends.
    pub(crate) fn is_test(&self) -> bool {
        self.sprt.is_some()
    }

    /// Creates the match that counts the first bot of the plan by sets of games with equal dice, with the sequential
    /// test of the arguments if there is one. Nothing is played. Without a test the match only counts sets, and its
    /// verdict stays open.
    ///
    /// # Errors
    ///
    /// Fails if the scores or error rates are invalid, if there is only one seat, or if a bot has a budget in
    /// wall-clock time, with which the result would depend on the load of the machine. Without a test it does not fail.
    pub(crate) fn start(&self, plan: &TournamentPlan) -> Outcome<BotMatch> {
        let Some((low, high)) = self.sprt else { return Ok(BotMatch::new(plan.seats(), None)) };
        let test = Sprt::new(low, high, self.alpha, self.beta).map_err(CommandError::usage)?;
        if plan.seats() < 2 {
            return Err(CommandError::usage("a match needs at least two seats"));
        }
        let timed = |bot: &&pentarchy_bots::Spec| {
            bot.level == Level::Emperor && matches!(bot.budget, Budget::Time(_))
        };
        if let Some(bot) = plan.bots.iter().find(timed) {
            return Err(CommandError::usage(format_args!("the budget of {bot} is wall-clock time"))
                .hint("a match takes iterations (emperor:500) or CPU time (emperor:0.2cpu)"));
        }
        Ok(BotMatch::new(plan.seats(), Some(test)))
    }
}

/// Parses two scores, such as `0.50,0.60`, into the low and the high one. Their range and order are not checked. Spaces
/// around the numbers are ignored.
///
/// # Errors
///
/// Fails if the text is not two numbers separated by a comma.
fn parse_scores(text: &str) -> Result<(f64, f64), String> {
    let numbers = text
        .split_once(',')
        .and_then(|(low, high)| Some((low.trim().parse::<f64>().ok()?, high.trim().parse::<f64>().ok()?)));
    numbers.ok_or_else(|| "it takes two scores, like 0.50,0.60".to_string())
}

/// Prints the result of the first bot in the match by sets of games with equal dice: for two seats the number of pairs
/// with each score, for more the number of sets; then its mean score with the interval in percent. With `--sprt`, adds
/// which of the two scores its test has accepted, or that it is not known. Prints nothing for a single seat or before
/// the first set is complete.
///
/// # Errors
///
/// Fails if the output is closed.
pub(crate) fn report(
    out: &mut impl Write,
    args: &MatchArgs,
    plan: &TournamentPlan,
    bout: &BotMatch,
) -> io::Result<()> {
    let scores = bout.scores();
    if plan.seats() < 2 || scores.sets() == 0 {
        return Ok(());
    }
    let (interval, sets) = (scores.interval(), thousands(scores.sets()));
    let (mean, low, high) = (100.0 * scores.mean(), 100.0 * interval.low, 100.0 * interval.high);
    let first = plan.bots[0];
    match scores.pentanomial() {
        Some([lost, behind, even, ahead, won]) => {
            writeln!(
                out,
                "\n  pairs of {first}      0: {lost}, ½: {behind}, 1: {even}, 1½: {ahead}, 2: {won}"
            )?;
        }
        None => writeln!(out, "\n  sets of {} games     {sets}", plan.seats())?,
    }
    writeln!(
        out,
        "  score of {first}      {mean:.2} % ({low:.2} – {high:.2}, from {sets} sets with equal dice)"
    )?;
    let Some((low, high)) = args.sprt else { return Ok(()) };
    let (low, high) = (100.0 * low, 100.0 * high);
    match bout.verdict() {
        SprtVerdict::High => writeln!(out, "  known: {first} scores {high:.1} % rather than {low:.1} %"),
        SprtVerdict::Low => writeln!(out, "  known: {first} scores {low:.1} % rather than {high:.1} %"),
        SprtVerdict::Open => {
            writeln!(out, "  not known after {} games: {low:.1} % or {high:.1} %", thousands(scores.games()))
        }
    }
}
