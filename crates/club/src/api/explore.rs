//! The explorer.

use super::Club;
use super::responses::{ClubError, ClubResult, json_response, parameters};
use crate::position_key;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use pentarchy_engine::Digest;
use pentarchy_storage::club::{ClubStorage as _, ExploredMove};
use serde::Deserialize;
use serde_json::{Value, json};

/// The parameters of the explorer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExploreParameters {
    game: String,
    seats: u8,
    /// The options that differ from the defaults, as a JSON object.
    options: Option<String>,
    /// The public digest of the position; that before the first event if it is absent.
    digest: Option<String>,
}

/// Answers `GET /api/club/explore?game=NAME&seats=N[&options=JSON][&digest=HEX]` with what was played in a public
/// position under the current rules of the game, the most frequent first. Without `digest` it is the position before
/// the first event; without `options` all have their defaults. Each move has `action`, `games`, `wins` and `score`, the
/// mean reward of the deciding seat. The list is empty if the position did not occur; whether it can occur is not
/// checked.
///
/// # Errors
///
/// Fails with 400 if a parameter is unknown, missing or malformed, or seats or options do not fit the game, with 404 if
/// there is no such game, and with 503 if the storage fails.
pub(super) async fn explore(
    State(club): State<Club>,
    query: Result<Query<ExploreParameters>, QueryRejection>,
) -> ClubResult {
    let ExploreParameters { game, seats, options, digest } = parameters(query)?;
    let bad = |why: String| ClubError::new(StatusCode::BAD_REQUEST, why);
    let game = pentarchy_registry::find(&game).map_err(|error| ClubError::missing(&error.to_string()))?;
    let options: Value = match options {
        Some(text) => serde_json::from_str(&text).map_err(|error| bad(format!("options: {error}")))?,
        None => json!({}),
    };
    let options = game.options(seats, &options, &[]).map_err(|error| bad(error.to_string()))?;
    let digest: Digest = match digest {
        Some(text) => text.parse().map_err(|error| bad(format!("digest: {error}")))?,
        None => game.start(seats, &options).map_err(|error| bad(error.to_string()))?.digest(),
    };
    let info = game.info();
    let key = position_key(info.name, info.rules_version, &options.to_string(), &digest);
    let moves = club.storage.explore(key).await?;
    let to_json = |played: &ExploredMove| {
        let score = played.points as f64 / 1000.0 / played.games.max(1) as f64;
        json!({ "action": played.action, "games": played.games, "wins": played.wins, "score": score })
    };
    let listed: Vec<Value> = moves.iter().map(to_json).collect();
    let body = json!({ "digest": digest.to_string(), "rules": info.rules_version, "moves": listed });
    Ok(json_response(StatusCode::OK, &body))
}
