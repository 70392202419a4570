//! Tournaments: requests that players and organisers sign, and what everybody can read.

use super::responses::{ClubError, ClubResult, json_response, parameters, parse_id};
use super::tournament_json::{listed, summary, whole};
use super::{Club, unix_time};
use crate::profile::is_name;
use crate::tournament::{
    EntryRequest, SignedRequest, TournamentChangeError, TournamentState, TournamentSystem, TournamentTerms,
};
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use data_encoding::HEXLOWER;
use pentarchy_identity::{PlayerRequest, RequestSigner, request_digest, tournament_commitment};
use pentarchy_storage::club::{ArchivedGame, CLUB_PAGE, PlayerKey};
use pentarchy_storage::tournament::{
    CreateTournamentOutcome, NewTournament, TableTag, TournamentId, TournamentPhase, TournamentQuery,
    TournamentStorage as _, TournamentUpdate, UpdateTournamentOutcome,
};
use pentarchy_table::{Descriptor, MIN_STALL_MS};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The longest time limit of the tables, in milliseconds: 30 days.
const MAX_STALL_MS: u32 = 30 * 24 * 3600 * 1000;
/// Maximum number of rounds of the Swiss system.
const MAX_ROUNDS: u8 = 16;
/// Maximum bytes of the body of an entry, which is stored.
const ENTRY_BYTES: usize = 512;
/// How often a change is tried again if others change the same tournament.
const ATTEMPTS: u32 = 16;

/// Returns the error 400 for a body that is no JSON of the expected form, with the reason.
fn malformed(error: &serde_json::Error) -> ClubError {
    ClubError::new(StatusCode::BAD_REQUEST, format_args!("the body: {error}"))
}

/// Parses the JSON body of a request.
///
/// # Errors
///
/// Fails with 400 and the reason if it is no JSON, or fields are missing, unknown or of another type.
fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, ClubError> {
    serde_json::from_slice(body).map_err(|error| malformed(&error))
}

impl From<TournamentChangeError> for ClubError {
    /// Returns 403, 404, 409 or 422 with the reason.
    fn from(error: TournamentChangeError) -> Self {
        let status = match error {
            TournamentChangeError::Forbidden(_) => StatusCode::FORBIDDEN,
            TournamentChangeError::Missing(_) => StatusCode::NOT_FOUND,
            TournamentChangeError::Conflict(_) => StatusCode::CONFLICT,
            TournamentChangeError::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
        };
        ClubError::new(status, error)
    }
}

/// Returns 32 random bytes from the operating system.
///
/// # Errors
///
/// Fails with 500 if the operating system has none.
fn random() -> Result<[u8; 32], ClubError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|_| ClubError::new(StatusCode::INTERNAL_SERVER_ERROR, "there are no random bytes"))?;
    Ok(bytes)
}

/// The parts of a request that its signature covers.
pub(super) struct SignedParts {
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
}

/// What an extractor of [`SignedParts`] needs.
impl<S: Send + Sync> axum::extract::FromRequest<S> for SignedParts {
    type Rejection = ClubError;

    /// Reads the whole request.
    ///
    /// # Errors
    ///
    /// Fails with 413 if the body is too large, and with 400 if it breaks off.
    async fn from_request(request: axum::extract::Request, state: &S) -> Result<Self, ClubError> {
        let (method, uri, headers) =
            (request.method().clone(), request.uri().clone(), request.headers().clone());
        let body: Result<Bytes, BytesRejection> = Bytes::from_request(request, state).await;
        Ok(Self { method, uri, headers, body: body? })
    }
}

impl SignedParts {
    /// Checks the signature in the header `Authorization` for the club with this identifier and the current
    /// time. Returns who has signed the request, when, and the signature. It covers method, path and body.
    /// Whether the request is a copy of an earlier one is not checked.
    ///
    /// # Errors
    ///
    /// Fails with 401 if the request is not signed, signed too long ago or in the future, or the signature
    /// is wrong.
    fn verify(&self, club: &str) -> Result<RequestSigner, ClubError> {
        let (method, path) = (self.method.as_str(), self.uri.path());
        let request = PlayerRequest { public_url: club, method, path, body: &self.body };
        let header =
            self.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
        request.verify(header, unix_time()).map_err(|why| ClubError::new(StatusCode::UNAUTHORIZED, why))
    }
}

impl Club {
    /// Returns the identifier of this club, which signatures cover: 64 hexadecimal digits. It follows from
    /// a secret that is drawn and stored at the first use, so it is equal in all processes.
    ///
    /// # Errors
    ///
    /// Fails with 503 if the storage does, and with 500 if no random bytes can be drawn.
    async fn identifier(&self) -> Result<&str, ClubError> {
        let draw = async {
            let secret = self.storage.server_secret("club", random()?).await?;
            Ok::<_, ClubError>(HEXLOWER.encode(&blake3::derive_key("pentarchy club identifier v1", &secret)))
        };
        Ok(self.identifier.get_or_try_init(|| draw).await?)
    }

    /// Checks the signature of a request for this club, and returns who has signed it, when, and the
    /// signature.
    ///
    /// # Errors
    ///
    /// Fails with 401 if it is not signed, too old or in the future, or signed wrongly, and with 503 if the
    /// storage fails.
    async fn signer(&self, parts: &SignedParts) -> Result<RequestSigner, ClubError> {
        parts.verify(self.identifier().await?)
    }

    /// Reads a tournament. Returns its state and the version under which it is stored, which an update must
    /// name.
    ///
    /// # Errors
    ///
    /// Fails with 404 if there is none, with 500 if its state cannot be read, and with 503 if the storage
    /// fails.
    async fn load(&self, id: TournamentId) -> Result<(TournamentState, u64), ClubError> {
        let stored = self.storage.tournament(id).await?;
        let stored = stored.ok_or_else(|| ClubError::missing("there is no such tournament"))?;
        let state = serde_json::from_str(&stored.state).map_err(|error| {
            tracing::error!(%error, "the state of a tournament cannot be read");
            ClubError::new(StatusCode::INTERNAL_SERVER_ERROR, "the tournament cannot be read")
        })?;
        Ok((state, stored.version))
    }

    /// Reads a tournament, changes it with `apply`, and stores it. `apply` returns what else is stored, or
    /// `None` if the tournament stays as it is: then nothing is stored. If another request has changed the
    /// tournament meanwhile, calls `apply` again with the new state, [`ATTEMPTS`] times at most. Returns
    /// the tournament afterwards.
    ///
    /// # Errors
    ///
    /// Fails with the error of `apply`, with 404 if there is no such tournament, 429 if the player who
    /// enters has entered too many, 500 if the state cannot be read, and 503 if others change it again and
    /// again or the storage fails. Nothing has changed then.
    async fn change(
        &self,
        id: TournamentId,
        apply: impl Fn(&mut TournamentState) -> Result<Option<Effects>, TournamentChangeError> + Send,
    ) -> Result<TournamentState, ClubError> {
        for _ in 0..ATTEMPTS {
            let (mut state, version) = self.load(id).await?;
            let Some(Effects { entered, withdrawn, tags }) = apply(&mut state)? else { return Ok(state) };
            let (phase, summary) = (state.phase, summary(&state));
            let text = serde_json::to_string(&state).map_err(|error| malformed(&error))?;
            let update =
                TournamentUpdate { id, version, phase, summary, state: text, entered, withdrawn, tags };
            match self.storage.update_tournament(update, self.limits.tournaments, unix_time()).await? {
                UpdateTournamentOutcome::Stored => return Ok(state),
                UpdateTournamentOutcome::Conflict => {}
                UpdateTournamentOutcome::TooMany => {
                    let words = "you have entered too many tournaments that are not over";
                    return Err(ClubError::new(StatusCode::TOO_MANY_REQUESTS, words));
                }
            }
        }
        Err(ClubError::new(StatusCode::SERVICE_UNAVAILABLE, "others change this tournament: try again"))
    }

    /// Enters the result of an archived game in the tournament whose tag its verified record carries; the
    /// next round is drawn if that was the last result of the round. Returns the JSON of the interface for
    /// that: `id`, the tournament, and `not_counted`, the reason why the result does not count, empty if it
    /// does. `None` if the record carries no tag of a tournament.
    ///
    /// # Errors
    ///
    /// Fails with 503 if the storage fails or others change the tournament again and again.
    pub(super) async fn enter_result(
        &self,
        descriptor: &Descriptor,
        game: &ArchivedGame,
    ) -> Result<Option<Value>, ClubError> {
        let Some(id) = self.storage.tournament_of_table(descriptor.tag()).await? else { return Ok(None) };
        let now = unix_time();
        let entered =
            self.change(id, |state| Ok(state.enter_result(descriptor, game, now)?.map(Effects::tables)));
        let not_counted = match entered.await {
            Ok(_) => String::new(),
            Err(ClubError(StatusCode::SERVICE_UNAVAILABLE, words)) => {
                return Err(ClubError::new(StatusCode::SERVICE_UNAVAILABLE, words));
            }
            Err(ClubError(_, words)) => words,
        };
        Ok(Some(json!({ "id": HEXLOWER.encode(&id), "not_counted": not_counted })))
    }
}

/// What is stored besides the state of a tournament.
#[derive(Default)]
struct Effects {
    entered: Option<PlayerKey>,
    withdrawn: Option<PlayerKey>,
    tags: Vec<TableTag>,
}

impl Effects {
    /// Returns the effects of new tables with these tags: no player enters or withdraws.
    fn tables(tags: Vec<TableTag>) -> Self {
        Self { tags, ..Self::default() }
    }
}

/// Creates a response with this status and a tournament in the JSON of the interface, which is public.
fn respond(status: StatusCode, state: &TournamentState) -> ClubResult {
    Ok(json_response(status, &whole(state)))
}

/// Parses the identifier of a tournament: 64 hexadecimal digits in lower case.
///
/// # Errors
///
/// Fails with 400 if it is malformed.
fn parse_tournament(text: &str) -> Result<TournamentId, ClubError> {
    parse_id(text, "a tournament")
}

/// The parameters of a list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ListParameters {
    phase: Option<String>,
    player: Option<String>,
    before: Option<u64>,
}

/// Answers `GET /api/club/tournaments?…` with a page of at most [`CLUB_PAGE`] tournaments that match all parameters
/// (`phase`, `player`, `before`), the newest first, and with the identifier of the club, which signatures cover
/// (`club`). `next` is the parameter `before` of the next page; null if this page is not full.
///
/// # Errors
///
/// Fails with 400 if a parameter is unknown or malformed, and with 503 if the storage fails.
pub(super) async fn list(
    State(club): State<Club>,
    query: Result<Query<ListParameters>, QueryRejection>,
) -> ClubResult {
    let ListParameters { phase, player, before } = parameters(query)?;
    let unknown =
        || ClubError::new(StatusCode::BAD_REQUEST, "a phase is open, running, finished or cancelled");
    let phase = phase.map(|word| TournamentPhase::from_word(&word).ok_or_else(unknown)).transpose()?;
    let player = player.as_deref().map(|text| parse_id(text, "a player")).transpose()?;
    let found = club.storage.tournaments(TournamentQuery { phase, player, before }).await?;
    let is_full = found.len() == CLUB_PAGE as usize;
    let next = found.last().filter(|_| is_full).map(|tournament| tournament.number);
    let tournaments: Vec<Value> = found.iter().map(listed).collect();
    let body = json!({ "club": club.identifier().await?, "tournaments": tournaments, "next": next });
    Ok(json_response(StatusCode::OK, &body))
}

/// What an organiser sends.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TournamentRequest {
    name: String,
    game: String,
    #[serde(default)]
    options: Value,
    seats: u8,
    system: TournamentSystem,
    #[serde(default)]
    rounds: u8,
    stall_ms: u32,
    #[serde(default)]
    start_players: u8,
}

impl TournamentRequest {
    /// Checks the request and returns the terms of the tournament: the options completed with their
    /// defaults, as JSON, and the name of the game as the registry spells it. The range of `start_players`
    /// is not checked.
    ///
    /// # Errors
    ///
    /// Fails with 404 if there is no such game, and with 422 if the name, options, seats, system, rounds or
    /// time limit are out of range or do not fit the game.
    fn terms(self) -> Result<TournamentTerms, ClubError> {
        let bad = |words: String| ClubError::new(StatusCode::UNPROCESSABLE_ENTITY, words);
        let TournamentRequest { name, game, options, seats, system, rounds, stall_ms, start_players } = self;
        if !is_name(&name) {
            return Err(bad("a tournament has a name of 1 to 64 bytes that can be printed".into()));
        }
        let any = pentarchy_registry::find(&game).map_err(|error| ClubError::missing(&error.to_string()))?;
        let options = if options.is_null() { json!({}) } else { options };
        let options = any.options(seats, &options, &[]).map_err(|error| bad(error.to_string()))?;
        any.start(seats, &options).map_err(|error| bad(error.to_string()))?;
        match system {
            _ if seats < 2 => return Err(bad("a table has at least 2 seats".into())),
            TournamentSystem::RoundRobin if seats != 2 => {
                return Err(bad("a round robin has tables of 2 seats".into()));
            }
            TournamentSystem::RoundRobin if rounds != 0 => {
                return Err(bad("the number of rounds of a round robin follows from its players".into()));
            }
            TournamentSystem::Swiss if !(1..=MAX_ROUNDS).contains(&rounds) => {
                return Err(bad(format!("a Swiss tournament has 1 to {MAX_ROUNDS} rounds")));
            }
            _ => {}
        }
        if !(MIN_STALL_MS..=MAX_STALL_MS).contains(&stall_ms) {
            return Err(bad("the time per move is 30 seconds to 30 days".into()));
        }
        let options = options.to_string();
        let game = any.info().name.to_owned();
        Ok(TournamentTerms { name, game, options, seats, system, rounds, stall_ms, start_players })
    }
}

/// Answers `POST /api/club/tournaments`, signed by the organiser: creates a tournament that players can enter. Draws
/// and stores the server's share of the seed. Answers 201 with the tournament.
///
/// # Errors
///
/// Fails with 401 without a valid signature, 400 if the body is malformed, 404 if there is no such game, 409 if the
/// request was received before, 413 if the body is too large, 422 if terms cannot be used, 429 if the organiser has
/// too many tournaments that are not over, 507 if there are too many, and 503 if the storage fails.
pub(super) async fn create(State(club): State<Club>, parts: SignedParts) -> ClubResult {
    let signer = club.signer(&parts).await?;
    let terms = parse::<TournamentRequest>(&parts.body)?.terms()?;
    let identifier = club.identifier().await?;
    let digest =
        request_digest(identifier, signer.time, parts.method.as_str(), parts.uri.path(), &parts.body);
    let mut request = blake3::Hasher::new_derive_key("pentarchy tournament request v1");
    let request = *request.update(&signer.identity).update(&digest).finalize().as_bytes();
    let secret = random()?;
    let mut id = blake3::Hasher::new_derive_key("pentarchy tournament id v1");
    let id = *id.update(&request).update(&tournament_commitment(&secret)).finalize().as_bytes();
    let now = unix_time();
    let state = TournamentState {
        id,
        terms,
        organiser: signer.identity,
        created: now,
        signed: SignedRequest::new(&signer, &parts.body),
        organiser_time: signer.time,
        secret,
        phase: TournamentPhase::Open,
        players: Vec::new(),
        withdrawn: Vec::new(),
        rounds: Vec::new(),
    };
    let (least, most, start) = (state.least_players(), state.most_players(), state.terms.start_players);
    if start > 0 && !(least..=most).contains(&usize::from(start)) {
        let words = format!("the tournament can start by itself with {least} to {most} players");
        return Err(ClubError::new(StatusCode::UNPROCESSABLE_ENTITY, words));
    }
    let text = serde_json::to_string(&state).map_err(|error| malformed(&error))?;
    let new =
        NewTournament { id, request, organiser: signer.identity, summary: summary(&state), state: text };
    match club.storage.create_tournament(new, club.limits.tournaments, now).await? {
        CreateTournamentOutcome::Stored => respond(StatusCode::CREATED, &state),
        CreateTournamentOutcome::Duplicate => {
            Err(ClubError::new(StatusCode::CONFLICT, "this request was received before"))
        }
        CreateTournamentOutcome::TooMany => {
            let words = "you organise too many tournaments that are not over";
            Err(ClubError::new(StatusCode::TOO_MANY_REQUESTS, words))
        }
        CreateTournamentOutcome::Full => {
            Err(ClubError::new(StatusCode::INSUFFICIENT_STORAGE, "this server has too many tournaments"))
        }
    }
}

/// Answers `GET /api/club/tournaments/ID` with a tournament: terms, players, rounds, results and standings.
///
/// # Errors
///
/// Fails with 400 for a malformed identifier, 404 if there is no such tournament, and 503 if the storage fails.
pub(super) async fn get_one(State(club): State<Club>, Path(id): Path<String>) -> ClubResult {
    let (state, _) = club.load(parse_tournament(&id)?).await?;
    respond(StatusCode::OK, &state)
}

/// Answers `PUT /api/club/tournaments/ID/entry`, signed by a player, who enters with a name and a share of the seed.
/// If that is the player with whom the tournament starts by itself, draws the first round. Answers with the
/// tournament.
///
/// # Errors
///
/// Fails with 401 without a valid signature, 400 or 422 if the identifier or the body cannot be used, 404 if there is
/// no such tournament, 409 if it is not open or full, the player has entered, or the request is a copy, 413 if the
/// body is too large, 429 if they have entered too many, and 503 if the storage fails.
pub(super) async fn enter(
    State(club): State<Club>,
    Path(id): Path<String>,
    parts: SignedParts,
) -> ClubResult {
    let id = parse_tournament(&id)?;
    let signer = club.signer(&parts).await?;
    let entry: EntryRequest = parse(&parts.body)?;
    if !is_name(&entry.name) || parts.body.len() > ENTRY_BYTES {
        let words = "a name has 1 to 64 bytes of text that can be printed, without spaces at its ends";
        return Err(ClubError::new(StatusCode::UNPROCESSABLE_ENTITY, words));
    }
    let now = unix_time();
    let change = |state: &mut TournamentState| {
        let tags = state.enter(&signer, entry.clone(), &parts.body, now)?;
        Ok(Some(Effects { entered: Some(signer.identity), ..Effects::tables(tags) }))
    };
    respond(StatusCode::OK, &club.change(id, change).await?)
}

/// Answers `DELETE /api/club/tournaments/ID/entry`, signed by a player, who withdraws before the start. Answers with
/// the tournament.
///
/// # Errors
///
/// Fails with 401 without a valid signature, 400 for a malformed identifier, 404 if there is no such tournament, 409
/// if it is not open, the player has not entered, the request is a copy, or too many have just withdrawn, and 503 if
/// the storage fails.
pub(super) async fn withdraw(
    State(club): State<Club>,
    Path(id): Path<String>,
    parts: SignedParts,
) -> ClubResult {
    let id = parse_tournament(&id)?;
    let signer = club.signer(&parts).await?;
    let now = unix_time();
    let change = |state: &mut TournamentState| {
        state.withdraw(&signer, now)?;
        Ok(Some(Effects { withdrawn: Some(signer.identity), ..Effects::default() }))
    };
    respond(StatusCode::OK, &club.change(id, change).await?)
}

/// Answers `POST /api/club/tournaments/ID/start`, signed by the organiser: draws the first round, after which nobody
/// can enter or withdraw. Answers with the tournament.
///
/// # Errors
///
/// Fails with 401 without a valid signature, 400 for a malformed identifier, 403 if the signer is not the organiser,
/// 404 if there is no such tournament, 409 if it is not open, has too few players, or the request is a copy, and 503
/// if the storage fails.
pub(super) async fn start(
    State(club): State<Club>,
    Path(id): Path<String>,
    parts: SignedParts,
) -> ClubResult {
    let id = parse_tournament(&id)?;
    let signer = club.signer(&parts).await?;
    let now = unix_time();
    let change = |state: &mut TournamentState| Ok(Some(Effects::tables(state.start(&signer, now)?)));
    respond(StatusCode::OK, &club.change(id, change).await?)
}

/// Answers `DELETE /api/club/tournaments/ID`, signed by the organiser: cancels a tournament that is not over. It
/// stays in the storage, with its results and without the links to its tables. Answers with the tournament.
///
/// # Errors
///
/// Fails with 401 without a valid signature, 400 for a malformed identifier, 403 if the signer is not the organiser,
/// 404 if there is no such tournament, 409 if it is over or the request is a copy, and 503 if the storage fails.
pub(super) async fn cancel(
    State(club): State<Club>,
    Path(id): Path<String>,
    parts: SignedParts,
) -> ClubResult {
    let id = parse_tournament(&id)?;
    let signer = club.signer(&parts).await?;
    let change = |state: &mut TournamentState| {
        state.cancel(&signer)?;
        Ok(Some(Effects::default()))
    };
    respond(StatusCode::OK, &club.change(id, change).await?)
}

/// A table in the path of a request: tournament, round and place, the latter two from 1.
type TablePath = Path<(String, usize, usize)>;

/// What a player sends who has opened a table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LinkRequest {
    link: String,
}

/// Answers `PUT /api/club/tournaments/ID/tables/ROUND/PLACE/link`, signed by a player of the table: stores the link
/// by which the others join, in place of an earlier one. Answers with the tournament, which does not show the link.
///
/// # Errors
///
/// Fails with 401 without a valid signature, 400 or 422 if path or body cannot be used, 403 if the signer does not
/// play at the table, 404 if there is no such table, 409 if the tournament is not running, or the table has a result
/// or a later link, and 503 if the storage fails.
pub(super) async fn put_link(
    State(club): State<Club>,
    Path((id, round, place)): TablePath,
    parts: SignedParts,
) -> ClubResult {
    let id = parse_tournament(&id)?;
    let signer = club.signer(&parts).await?;
    let LinkRequest { link } = parse(&parts.body)?;
    let change = |state: &mut TournamentState| {
        state.host_link(&signer, round, place, link.clone())?;
        Ok(Some(Effects::default()))
    };
    respond(StatusCode::OK, &club.change(id, change).await?)
}

/// Answers `GET /api/club/tournaments/ID/tables/ROUND/PLACE/link`, signed by a player of the table, with the link and
/// the seat (from 0) that has posted it: both null if nobody has, or the table has a result.
///
/// # Errors
///
/// Fails with 401 without a valid signature, 400 for a malformed path, 403 if the signer does not play at the table,
/// 404 if there is no such table, and 503 if the storage fails.
pub(super) async fn get_link(
    State(club): State<Club>,
    Path((id, round, place)): TablePath,
    parts: SignedParts,
) -> ClubResult {
    let id = parse_tournament(&id)?;
    let signer = club.signer(&parts).await?;
    let (mut state, _) = club.load(id).await?;
    let link = state.link_for(&signer.identity, round, place)?;
    let body =
        json!({ "link": link.as_ref().map(|link| &link.link), "seat": link.as_ref().map(|link| link.seat) });
    Ok(json_response(StatusCode::OK, &body))
}

/// What an organiser sends about a table that was not played.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ForfeitRequest {
    absent: Vec<usize>,
}

/// Answers `POST /api/club/tournaments/ID/tables/ROUND/PLACE/forfeit`, signed by the organiser: declares that the
/// seats `absent` of the body (from 0) were absent, so that all others at the table have beaten them. Draws the next
/// round if that was the last result. Answers with the tournament.
///
/// # Errors
///
/// Fails with 401 without a valid signature, 400 or 422 if path or body cannot be used, 403 if the signer is not the
/// organiser, 404 if there is no such table, 409 if the tournament is not running, the table has a result, or the
/// request is a copy, and 503 if the storage fails.
pub(super) async fn forfeit(
    State(club): State<Club>,
    Path((id, round, place)): TablePath,
    parts: SignedParts,
) -> ClubResult {
    let id = parse_tournament(&id)?;
    let signer = club.signer(&parts).await?;
    let ForfeitRequest { absent } = parse(&parts.body)?;
    let now = unix_time();
    let change = |state: &mut TournamentState| {
        let tags = state.forfeit(&signer, round, place, &absent, &parts.body, now)?;
        Ok(Some(Effects::tables(tags)))
    };
    respond(StatusCode::OK, &club.change(id, change).await?)
}
