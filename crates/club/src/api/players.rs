//! Players: profiles, ratings and leaderboards.

use super::responses::{ClubError, ClubResult, json_response, parameters, parse_id};
use super::{Club, unix_time};
use crate::verify_profile;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use data_encoding::HEXLOWER;
use pentarchy_identity::short_name;
use pentarchy_storage::club::{
    CLUB_PAGE, ClubProfile, ClubStorage as _, LeaderboardQuery, PlayerKey, PlayerRating, RatingPoint,
    SkillEstimate,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Returns millionths as a number with decimals (`1_500_000` is 1.5), the nearest `f64`.
fn decimal(millionths: i64) -> f64 {
    millionths as f64 / 1e6
}

/// Returns an estimate as the fields `rating` (the cautious value by which players are ranked), `mean` and `deviation`,
/// as numbers with decimals.
fn estimate_to_json(estimate: SkillEstimate) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("rating".into(), decimal(estimate.floor()).into());
    fields.insert("mean".into(), decimal(estimate.mean).into());
    fields.insert("deviation".into(), decimal(estimate.deviation).into());
    fields
}

/// Converts a rating to the JSON of the interface: the fields of its estimate, `game`, `seats`, `games` and `wins`. The
/// player is not named.
fn rating_to_json(rating: &PlayerRating) -> Value {
    let mut fields = estimate_to_json(rating.estimate);
    fields.insert("game".into(), rating.game.as_str().into());
    fields.insert("seats".into(), rating.seats.into());
    fields.insert("games".into(), rating.games.into());
    fields.insert("wins".into(), rating.wins.into());
    fields.into()
}

/// Returns the fields that name a player: `identity` (hexadecimal digits), `short` (the short name of the key) and
/// `name`, which is empty for a player without a profile.
fn player_to_json(identity: &PlayerKey, name: &str) -> Value {
    json!({ "identity": HEXLOWER.encode(identity), "short": short_name(identity), "name": name })
}

/// Returns `object` with the fields of `more` added; equal keys are replaced. Returns it unchanged if either is no JSON
/// object.
fn joined(mut object: Value, more: Value) -> Value {
    if let (Value::Object(fields), Value::Object(more)) = (&mut object, more) {
        fields.extend(more);
    }
    object
}

/// A profile as a player sends it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SentProfile {
    name: String,
    signed_at: u64,
    signature: String,
}

/// Answers `PUT /api/club/players/IDENTITY` by the player: verifies the signed profile and stores it in place of an
/// earlier one. Answers with the fields that name the player.
///
/// # Errors
///
/// Fails with 400 for a malformed identity, signature or JSON, 403 for a wrong signature, 404 if the player has no
/// archived game, 409 if a profile that is not earlier is stored, 413 if the body is too large, 422 for a name that
/// cannot be used, an identity that is no key, or a time in the future, and 503 if the storage fails.
pub(super) async fn put_profile(
    State(club): State<Club>,
    Path(identity): Path<String>,
    body: Result<Bytes, BytesRejection>,
) -> ClubResult {
    let identity = parse_id(&identity, "a player")?;
    let bad = |why: String| ClubError::new(StatusCode::BAD_REQUEST, why);
    let sent: SentProfile =
        serde_json::from_slice(&body?).map_err(|error| bad(format!("not a profile: {error}")))?;
    let signature = HEXLOWER.decode(sent.signature.as_bytes()).ok().and_then(|bytes| bytes.try_into().ok());
    let signature = signature.ok_or_else(|| bad("a signature has 128 hexadecimal digits".into()))?;
    let profile = ClubProfile { identity, name: sent.name, signed_at: sent.signed_at, signature };
    verify_profile(&profile, unix_time())?;
    // Keys cost nothing: without this anybody could fill the storage with profiles.
    if club.storage.totals(identity).await?.games == 0 {
        return Err(ClubError::missing("only players of archived games have profiles: publish a game first"));
    }
    if !club.storage.put_profile(profile.clone()).await? {
        return Err(ClubError::new(StatusCode::CONFLICT, "a later profile of this player is stored"));
    }
    Ok(json_response(StatusCode::OK, &player_to_json(&identity, &profile.name)))
}

/// Answers `GET /api/club/players/IDENTITY` with the profile, the number of games, how many of them the player left,
/// and all ratings of a player. Without a profile the name is empty and `profile` is null.
///
/// # Errors
///
/// Fails with 400 for a malformed key, 404 if the player has no archived game, and 503 if the storage fails.
pub(super) async fn get_one(State(club): State<Club>, Path(identity): Path<String>) -> ClubResult {
    let identity = parse_id(&identity, "a player")?;
    let totals = club.storage.totals(identity).await?;
    if totals.games == 0 {
        return Err(ClubError::missing("this player has no game in the archive"));
    }
    let profile = club.storage.profile(identity).await?;
    let ratings = club.storage.ratings(identity).await?;
    let ratings: Vec<Value> = ratings.iter().map(rating_to_json).collect();
    let signature = profile.as_ref().map(
        |profile| json!({ "signed_at": profile.signed_at, "signature": HEXLOWER.encode(&profile.signature) }),
    );
    let name = profile.map(|profile| profile.name).unwrap_or_default();
    let rest =
        json!({ "games": totals.games, "left": totals.left, "ratings": ratings, "profile": signature });
    Ok(json_response(StatusCode::OK, &joined(player_to_json(&identity, &name), rest)))
}

/// The parameters of a search for players.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NameParameters {
    name: String,
}

/// Answers `GET /api/club/players?name=BEGINNING` with the players whose profiles have a name that begins so, as the
/// storage finds them: a bounded list, each with the fields that name the player.
///
/// # Errors
///
/// Fails with 400 if a parameter is unknown or missing, and with 503 if the storage fails.
pub(super) async fn find(
    State(club): State<Club>,
    query: Result<Query<NameParameters>, QueryRejection>,
) -> ClubResult {
    let found = club.storage.find_profiles(parameters(query)?.name).await?;
    let players: Vec<Value> =
        found.iter().map(|profile| player_to_json(&profile.identity, &profile.name)).collect();
    Ok(json_response(StatusCode::OK, &json!({ "players": players })))
}

/// The parameters of a history.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HistoryParameters {
    game: String,
    seats: u8,
    before: Option<u64>,
}

/// Answers `GET /api/club/players/IDENTITY/history?game=NAME&seats=N[&before=NUMBER]` with the rating of a player
/// after each rated game with this number of seats, the newest first. Returns a page of at most [`CLUB_PAGE`]
/// games whose numbers are below `before`, or the newest without it. `next` is the `before` of the next page; it is
/// null if this page is not full. The list is empty if there are no such games, also for an unknown player or game.
///
/// # Errors
///
/// Fails with 400 if the identity is malformed or a parameter is unknown, missing or malformed, and with 503 if the
/// storage fails.
pub(super) async fn history(
    State(club): State<Club>,
    Path(identity): Path<String>,
    query: Result<Query<HistoryParameters>, QueryRejection>,
) -> ClubResult {
    let identity = parse_id(&identity, "a player")?;
    let HistoryParameters { game, seats, before } = parameters(query)?;
    let points = club.storage.history(identity, game, seats, before).await?;
    let is_full = points.len() == CLUB_PAGE as usize;
    let next = points.last().filter(|_| is_full).map(|point| point.number);
    let point = |point: &RatingPoint| {
        let place = json!({ "number": point.number, "published": point.published });
        joined(place, estimate_to_json(point.estimate).into())
    };
    let points: Vec<Value> = points.iter().map(point).collect();
    Ok(json_response(StatusCode::OK, &json!({ "history": points, "next": next })))
}

/// The parameters of a leaderboard.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LeaderboardParameters {
    game: String,
    seats: u8,
    skip: Option<u32>,
}

/// Answers `GET /api/club/ratings?game=NAME&seats=N[&skip=N]` with a page of the best players of a game with this
/// number of seats who have at least [`ClubLimits::least_games`](super::ClubLimits) rated games, the best first, after
/// the first `skip` (0 by default). `next` is the `skip` of the next page; null if this page is not full. The list is
/// empty for an unknown game.
///
/// # Errors
///
/// Fails with 400 if a parameter is unknown, missing or malformed, and with 503 if the storage fails.
pub(super) async fn leaderboard(
    State(club): State<Club>,
    query: Result<Query<LeaderboardParameters>, QueryRejection>,
) -> ClubResult {
    let LeaderboardParameters { game, seats, skip } = parameters(query)?;
    let skip = skip.unwrap_or(0);
    let least_games = club.limits.least_games;
    let best = club.storage.leaderboard(LeaderboardQuery { game, seats, least_games, skip }).await?;
    let is_full = best.len() == CLUB_PAGE as usize;
    let next = is_full.then(|| skip.saturating_add(CLUB_PAGE));
    let player = |rating: &PlayerRating| {
        joined(player_to_json(&rating.identity, &rating.name), rating_to_json(rating))
    };
    let players: Vec<Value> = best.iter().map(player).collect();
    let body = json!({ "players": players, "next": next, "least_games": least_games });
    Ok(json_response(StatusCode::OK, &body))
}
