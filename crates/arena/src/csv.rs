//! Results as CSV for other programs: one row per game, or one row per decision.

use crate::story::DecisionRow;
use crate::tournament::{GameResult, TournamentPlan};

/// Formats fields as one row of CSV with its line break; fields with commas, quotes or line breaks are
/// quoted. Empty if a field is not UTF-8.
fn line<T: AsRef<[u8]>>(fields: impl IntoIterator<Item = T>) -> String {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    // Writing to memory does not fail, and fields made of text stay text.
    let written = writer.write_record(fields).ok().and_then(|()| writer.into_inner().ok());
    written.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

/// Returns the heading of the rows that [`game`] writes for this number of seats, with its line break:
/// `game`, `decisions`, `capped`, `unwon`, then `bot_0`, …, `rank_0`, …, `score_0`, ….
pub fn games_heading(seats: u8) -> String {
    let first = ["game", "decisions", "capped", "unwon"].map(str::to_string);
    let each =
        ["bot", "rank", "score"].iter().flat_map(|name| (0..seats).map(move |s| format!("{name}_{s}")));
    line(first.into_iter().chain(each))
}

/// Returns the row of a game with its line break: number, decisions, whether it was capped or unwon (0 or 1),
/// then the bots of all seats, their ranks and their scores. `plan` must be that of the game.
pub fn game(plan: &TournamentPlan, row: &GameResult) -> String {
    let outcome = &row.outcome;
    let counts = [row.game, row.decisions.into(), outcome.is_capped().into(), (!outcome.is_won()).into()];
    let places = plan.draw().places(row.game);
    let mut fields: Vec<String> = counts.iter().map(u64::to_string).collect();
    fields.extend(places.iter().map(|&place| plan.bots[place].to_string()));
    fields.extend(outcome.ranks().iter().map(u8::to_string));
    fields.extend(outcome.scores().iter().map(i32::to_string));
    line(fields)
}

/// Returns the heading of the rows that [`decisions`] writes, with its line break: `game`, `decision`, `bot`,
/// `seat`, `round`, `turn`, `actions` (number of legal ones), `chosen` (index among them), `action` (its
/// text).
pub fn decisions_heading() -> String {
    line(["game", "decision", "bot", "seat", "round", "turn", "actions", "chosen", "action"])
}

/// Returns the rows of the decisions of game number `game` of this plan in order, each with its line break
/// and the fields of [`decisions_heading`]. Games, decisions and seats count from 0, and the bot is that of
/// the seat in this game. Empty without decisions.
pub fn decisions(plan: &TournamentPlan, game: u64, rows: &[DecisionRow]) -> String {
    let places = plan.draw().places(game);
    let row = |(i, row): (usize, &DecisionRow)| {
        let bot = places.get(row.seat.index()).map_or(String::new(), |&place| plan.bots[place].to_string());
        line([
            game.to_string(),
            i.to_string(),
            bot,
            row.seat.to_string(),
            row.round.to_string(),
            row.turn.to_string(),
            row.actions.to_string(),
            row.chosen.to_string(),
            row.action.clone(),
        ])
    };
    rows.iter().enumerate().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(line(["mine", "select 3,-1", "say \"x\""]), "mine,\"select 3,-1\",\"say \"\"x\"\"\"\n");
    }
}
