//! Tournaments as the JSON of the interface.

use crate::tournament::{SignedRequest, StateRound, StateTable, TableResult, TournamentState};
use data_encoding::HEXLOWER;
use pentarchy_identity::short_name;
use pentarchy_storage::tournament::{StoredTournament, TournamentPhase};
use serde_json::{Value, json};

/// Returns what lists show of a tournament, as a JSON object in the text that is stored: its terms, the number of
/// players, of rounds that have begun (`round`) and of all rounds, and the names of those in first place (`winners`),
/// which is empty until it is finished.
pub(super) fn summary(state: &TournamentState) -> String {
    let terms = &state.terms;
    let winners: Vec<&str> = match state.phase {
        TournamentPhase::Finished => {
            let standings = state.standings();
            let first = standings.iter().filter(|standing| standing.place == 1);
            first.filter_map(|standing| Some(state.players.get(standing.player)?.name.as_str())).collect()
        }
        _ => Vec::new(),
    };
    json!({
        "name": terms.name, "game": terms.game, "seats": terms.seats, "system": terms.system.word(),
        "players": state.players.len(), "start_players": terms.start_players, "round": state.rounds.len(),
        "rounds": state.planned_rounds(), "created": state.created, "winners": winners,
    })
    .to_string()
}

/// Converts a tournament of a list to the JSON of the interface: its stored summary with `id`, `number` and `phase`.
/// A summary that cannot be parsed counts as empty.
pub(super) fn listed(stored: &StoredTournament) -> Value {
    let mut fields: Value = serde_json::from_str(&stored.summary).unwrap_or_else(|_| json!({}));
    if let Value::Object(fields) = &mut fields {
        fields.insert("id".into(), HEXLOWER.encode(&stored.id).into());
        fields.insert("number".into(), stored.number.into());
        fields.insert("phase".into(), stored.phase.word().into());
    }
    fields
}

/// Converts a signed request to the JSON of the interface: `time`, `body` and `signature`.
fn signed(request: &SignedRequest) -> Value {
    json!({ "time": request.time, "body": request.body, "signature": request.signature })
}

/// Converts a table to the JSON of the interface: the players by seat, the tag, and the result, null before there is
/// one. Of a link only the seat is shown that has posted it (`hosted_by`, else null): the link itself is for the
/// players of the table.
fn table(table: &StateTable) -> Value {
    let result = table.result.as_ref().map(|result| {
        let forfeit = result.forfeit.as_ref().map(signed);
        json!({ "ranks": result.ranks, "game": result.game, "forfeit": forfeit })
    });
    json!({
        "seats": table.seats, "tag": HEXLOWER.encode(&table.tag), "result": result,
        "hosted_by": table.link.as_ref().map(|link| link.seat),
    })
}

/// Converts a round to the JSON of the interface: when it began, its tables, and the players with a bye.
fn round(round: &StateRound) -> Value {
    let tables: Vec<Value> = round.tables.iter().map(table).collect();
    json!({ "started": round.started, "tables": tables, "byes": round.byes })
}

/// Returns what a player has got in each round that has begun, in order: the points, `"bye"` for a bye, and null for
/// a table without a result.
fn results(state: &TournamentState, player: usize) -> Vec<Value> {
    let result = |round: &StateRound| {
        if round.byes.contains(&player) {
            return "bye".into();
        }
        let seat = |table: &StateTable| table.seats.iter().position(|other| *other == player);
        let table = round.tables.iter().find_map(|table| Some((seat(table)?, table.result.as_ref()?)));
        let points = table.and_then(|(seat, result)| {
            TableResult { ranks: result.ranks.clone() }.half_points().get(seat).copied()
        });
        points.map_or(Value::Null, |points| (f64::from(points) / 2.0).into())
    };
    state.rounds.iter().map(result).collect()
}

/// Converts a tournament to the JSON of the interface, with terms, players, rounds and standings. Numbers of players
/// are indices of `players`. `secret`, the server's share of the seed, and `seed` are null until the first round is
/// drawn. The points of a standing are whole points, not the half points of the state.
pub(super) fn whole(state: &TournamentState) -> Value {
    let terms = &state.terms;
    let players: Vec<Value> = state
        .players
        .iter()
        .map(|player| {
            json!({
                "identity": HEXLOWER.encode(&player.identity), "short": short_name(&player.identity),
                "name": player.name, "share": HEXLOWER.encode(&player.share), "signed": signed(&player.signed),
            })
        })
        .collect();
    let standings: Vec<Value> = state
        .standings()
        .iter()
        .map(|standing| {
            json!({
                "player": standing.player, "place": standing.place,
                "points": f64::from(standing.half_points) / 2.0,
                "tie_break": f64::from(standing.sonneborn_berger) / 4.0, "wins": standing.wins,
                "results": results(state, standing.player),
            })
        })
        .collect();
    let is_drawn = !state.rounds.is_empty();
    let options: Value = serde_json::from_str(&terms.options).unwrap_or_default();
    json!({
        "id": HEXLOWER.encode(&state.id), "phase": state.phase.word(), "created": state.created,
        "organiser": HEXLOWER.encode(&state.organiser), "short": short_name(&state.organiser),
        "signed": signed(&state.signed), "name": terms.name, "game": terms.game, "options": options,
        "seats": terms.seats, "system": terms.system.word(), "stall_ms": terms.stall_ms,
        "start_players": terms.start_players, "least_players": state.least_players(),
        "most_players": state.most_players(), "planned_rounds": state.planned_rounds(),
        "commitment": HEXLOWER.encode(&state.commitment()),
        "secret": is_drawn.then(|| HEXLOWER.encode(&state.secret)),
        "seed": is_drawn.then(|| HEXLOWER.encode(&state.seed())),
        "players": players, "rounds": state.rounds.iter().map(round).collect::<Vec<Value>>(), "standings": standings,
    })
}
