//! The club as JSON over HTTP. `docs/club.md` describes the interface.

mod archive;
mod explore;
mod games;
mod players;
mod responses;
mod tournament_json;
mod tournaments;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post, put};
use pentarchy_storage::SqlStorage;
use pentarchy_storage::tournament::TournamentLimits;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::{OnceCell, Semaphore};

/// The limits of the club, besides those of the server for each address.
#[derive(Clone, Debug)]
pub struct ClubLimits {
    /// Maximum bytes of a record.
    pub record_bytes: usize,
    /// Maximum bytes of all archived records.
    pub archive_bytes: u64,
    /// Maximum records that are verified or wait for it.
    pub waiting: usize,
    /// Records that are verified at the same time.
    pub verifying: usize,
    /// Maximum time to verify a record.
    pub patience: Duration,
    /// Downloads of the whole archive at the same time.
    pub downloads: usize,
    /// Rated games that a player needs to be on a leaderboard.
    pub least_games: u64,
    /// How many tournaments there are, in all and for each player.
    pub tournaments: TournamentLimits,
}

impl Default for ClubLimits {
    /// Returns the limits of a club on a small machine.
    fn default() -> Self {
        Self {
            record_bytes: 16 * 1024 * 1024,
            archive_bytes: 32 * 1024 * 1024 * 1024,
            waiting: 8,
            verifying: 1,
            patience: Duration::from_secs(30),
            downloads: 2,
            least_games: 5,
            tournaments: TournamentLimits {
                per_organiser: 4,
                per_player: 32,
                unfinished: 1_000,
                total: 20_000,
                lifetime: 60 * 24 * 3600,
            },
        }
    }
}

/// The state that all requests share.
#[derive(Clone)]
struct Club {
    storage: Arc<SqlStorage>,
    limits: Arc<ClubLimits>,
    waiting: Arc<Semaphore>,
    verifying: Arc<Semaphore>,
    downloads: Arc<Semaphore>,
    /// The identifier of the club, when it was read.
    identifier: Arc<OnceCell<String>>,
}

/// Returns the routes of the club, all below `/api/club/`. They enforce `limits`; each call has its own counters of
/// waiting records, verifications and downloads. The body of a request has at most `record_bytes` at
/// `/api/club/games`, 16 KiB below `/api/club/tournaments`, and 4 KiB elsewhere. The routes limit no rates and check
/// no origins: the server that serves them must limit requests per address, and reject requests of other web sites
/// that change something.
pub fn routes(storage: Arc<SqlStorage>, limits: ClubLimits) -> Router {
    let club = Club {
        waiting: Arc::new(Semaphore::new(limits.waiting)),
        verifying: Arc::new(Semaphore::new(limits.verifying)),
        downloads: Arc::new(Semaphore::new(limits.downloads)),
        identifier: Arc::new(OnceCell::new()),
        storage,
        limits: Arc::new(limits),
    };
    let small = Router::new()
        .route("/api/club/games/{id}", get(games::get_one))
        .route("/api/club/games/{id}/record", get(games::download))
        .route("/api/club/archive", get(archive::download))
        .route("/api/club/players", get(players::find))
        .route("/api/club/players/{identity}", get(players::get_one).put(players::put_profile))
        .route("/api/club/players/{identity}/history", get(players::history))
        .route("/api/club/ratings", get(players::leaderboard))
        .route("/api/club/explore", get(explore::explore))
        .layer(DefaultBodyLimit::max(4 * 1024));
    let large = Router::new()
        .route("/api/club/games", get(games::search).post(games::publish))
        .layer(DefaultBodyLimit::max(club.limits.record_bytes));
    const TABLE: &str = "/api/club/tournaments/{id}/tables/{round}/{place}";
    let tournaments = Router::new()
        .route("/api/club/tournaments", get(tournaments::list).post(tournaments::create))
        .route("/api/club/tournaments/{id}", get(tournaments::get_one).delete(tournaments::cancel))
        .route("/api/club/tournaments/{id}/entry", put(tournaments::enter).delete(tournaments::withdraw))
        .route("/api/club/tournaments/{id}/start", post(tournaments::start))
        .route(&format!("{TABLE}/link"), get(tournaments::get_link).put(tournaments::put_link))
        .route(&format!("{TABLE}/forfeit"), post(tournaments::forfeit))
        .layer(DefaultBodyLimit::max(16 * 1024));
    small.merge(tournaments).merge(large).with_state(club)
}

/// Returns the seconds since 1970; 0 if the clock is before that.
fn unix_time() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
