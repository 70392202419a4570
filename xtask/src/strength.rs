//! The strength of the bots: an Emperor with a fixed number of iterations against Captains, in every game.

use std::process::Command;

use serde_json::{Value, json};

use crate::{
    measure::Figures,
    task_error::{Result, TaskError},
    tools,
    workspace::Workspace,
};

/// Iterations per decision of the Emperor.
const ITERATIONS: u32 = 1_000;

/// A row of the table: a game with a number of seats, and the number of sets of games. A set has one game per seat,
/// with the same dice and the Emperor on each seat in turn. The numbers are fixed in advance, so that the intervals
/// hold, and chosen so that all rows together take less than an hour on two cores.
struct Row {
    /// The name of the game.
    game: &'static str,
    /// Its title, for the page.
    title: &'static str,
    /// The number of seats.
    seats: u8,
    /// The number of sets of games.
    sets: u32,
}

/// All rows, in the order of the page.
const ROWS: [Row; 9] = [
    Row { game: "hegemony", title: "Hegemony", seats: 2, sets: 30 },
    Row { game: "hegemony", title: "Hegemony", seats: 6, sets: 5 },
    Row { game: "vires", title: "Vires In Numeris", seats: 2, sets: 50 },
    Row { game: "vires", title: "Vires In Numeris", seats: 6, sets: 10 },
    Row { game: "ozymandias", title: "Ozymandias", seats: 2, sets: 30 },
    Row { game: "ozymandias", title: "Ozymandias", seats: 5, sets: 8 },
    Row { game: "hestia", title: "The Hestian Civil Wars", seats: 2, sets: 30 },
    Row { game: "numeral", title: "Numeral Empire", seats: 2, sets: 3 },
    Row { game: "numeral", title: "Numeral Empire", seats: 6, sets: 1 },
];

/// Plays all rows one after the other with the release build of the terminal and returns their figures in order. Prints
/// each to standard error when it is done. A `trial` plays one set per row with 5 iterations and the debug build.
///
/// # Errors
///
/// Fails if the program cannot be built or a match fails.
pub(crate) fn rows(workspace: &Workspace, trial: bool) -> Result<Vec<Figures>> {
    let mut rows = Vec::new();
    for row in &ROWS {
        let mut cargo = tools::cargo(workspace);
        cargo.args(["run", "--quiet", "--package", "pentarchy"]);
        if !trial {
            cargo.arg("--release");
        }
        let (iterations, sets) = if trial { (5, 1) } else { (ITERATIONS, row.sets) };
        let found = play(cargo.arg("--"), row, iterations, sets)?;
        eprintln!("{}, {} seats: {}", row.title, row.seats, found);
        rows.push(serde_json::from_value(found).map_err(|e| TaskError::new(format!("no figures: {e}")))?);
    }
    Ok(rows)
}

/// Plays one row with this number of iterations per decision of the Emperor and sets of games, with the seed 1, and
/// returns its figures. `command` runs the terminal and lacks only its arguments.
///
/// # Errors
///
/// Fails if the program cannot be started or fails, or does not print a match.
fn play(command: &mut Command, row: &Row, iterations: u32, sets: u32) -> Result<Value> {
    let captains = ",captain".repeat(usize::from(row.seats) - 1);
    command.args(["arena", row.game, "--json", "--seed", "1"]);
    command.args(["--bots", &format!("emperor:{iterations}{captains}")]);
    command.args(["--games", &(sets * u32::from(row.seats)).to_string()]);
    let failed =
        |why: &str| TaskError::new(format!("the match of {} with {} seats {why}", row.game, row.seats));
    let output = command.output().map_err(|e| failed(&format!("did not start: {e}")))?;
    if !output.status.success() {
        return Err(failed(&format!("failed: {}", String::from_utf8_lossy(&output.stderr).trim())));
    }
    let data: Value =
        serde_json::from_slice(&output.stdout).map_err(|e| failed(&format!("printed no JSON: {e}")))?;
    figures(row, &data).ok_or_else(|| failed("printed no result"))
}

/// Returns the figures of a row as JSON (`row`: its title, `figures`: a list of names with values) from what `pentarchy
/// arena --json` printed: seats, games, the share of wins of the Emperor with its interval, and the share of equal
/// bots, with two decimals. `None` if the match is not in it.
fn figures(row: &Row, data: &Value) -> Option<Value> {
    let result = &data["match"];
    let (mean, low, high) =
        (result["mean"].as_f64()?, result["interval"][0].as_f64()?, result["interval"][1].as_f64()?);
    Some(json!({
        "row": row.title,
        "figures": [
            ["seats", row.seats],
            ["games", data["games"].as_u64()?],
            ["Emperor wins", format!("{mean:.2}")],
            ["95 % interval", format!("{low:.2} – {high:.2}")],
            ["equal share", format!("{:.2}", 1.0 / f64::from(row.seats))],
        ],
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_the_score_of_the_match_and_not_that_of_the_tournament() {
        let data =
            json!({ "games": 60, "shares": [0.1, 0.9], "match": { "mean": 0.75, "interval": [0.6, 0.9] } });
        let row = figures(&ROWS[0], &data).expect("figures").to_string();
        assert!(row.contains("0.75") && row.contains("0.60 – 0.90") && row.contains("0.50"), "{row}");
        assert!(figures(&ROWS[0], &json!({})).is_none());
    }
}
