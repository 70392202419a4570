//! Results as CSV for other programs: one row per game, or one row per decision.

use crate::tournament::{GameResult, TournamentPlan};
use std::borrow::Cow;
use std::fmt::Write;

/// Formats a text as a field, quoted if necessary.
pub(crate) fn quoted(text: &str) -> Cow<'_, str> {
    if text.contains(['"', ',', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(text)
    }
}

/// Returns the heading of the rows of games.
pub fn games_heading(seats: u8) -> String {
    let columns =
        ["bot", "rank", "score"].iter().flat_map(|name| (0..seats).map(move |seat| format!("{name}_{seat}")));
    format!("game,decisions,capped,unwon,{}", columns.collect::<Vec<_>>().join(","))
}

/// Returns the row of a game: the bot at each seat, and its result.
pub fn game(plan: &TournamentPlan, row: &GameResult) -> String {
    let outcome = &row.outcome;
    let counts = [row.game, row.decisions.into(), outcome.is_capped().into(), (!outcome.is_won()).into()];
    let places = plan.draw().places(row.game);
    let mut fields: Vec<String> = counts.iter().map(u64::to_string).collect();
    fields.extend(places.iter().map(|&place| quoted(&plan.bots[place].to_string()).into_owned()));
    fields.extend(outcome.ranks().iter().map(u8::to_string));
    fields.extend(outcome.scores().iter().map(i32::to_string));
    fields.join(",")
}

/// The heading of the rows of decisions.
pub const DECISIONS_HEADING: &str = "game,decision,bot,seat,round,turn,actions,chosen,action";

/// Returns the rows of the decisions of a game; `told` holds the end of each row.
pub fn decisions(plan: &TournamentPlan, game: u64, told: &[String]) -> String {
    let places = plan.draw().places(game);
    let mut out = String::new();
    for (i, row) in told.iter().enumerate() {
        let seat = row.split(',').next().and_then(|s| s.parse::<usize>().ok()).unwrap_or(0);
        let bot = places.get(seat).map_or(String::new(), |&place| plan.bots[place].to_string());
        let _ = writeln!(out, "{game},{i},{},{row}", quoted(&bot));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(quoted("mine"), "mine");
        assert_eq!(quoted("select 3,-1"), "\"select 3,-1\"");
        assert_eq!(quoted("say \"x\""), "\"say \"\"x\"\"\"");
    }
}
