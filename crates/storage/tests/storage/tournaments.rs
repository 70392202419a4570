//! Tournaments in both databases.

use crate::common::{Folder, open};
use pentarchy_storage::SqlStorage;
use pentarchy_storage::testing::PostgresServer;
use pentarchy_storage::tournament::{
    CreateTournamentOutcome, NewTournament, StoredTournament, TournamentLimits, TournamentPhase,
    TournamentQuery, TournamentStorage, TournamentUpdate, UpdateTournamentOutcome,
};

const LIMITS: TournamentLimits =
    TournamentLimits { per_organiser: 3, per_player: 2, unfinished: 6, total: 7, lifetime: 1_000 };

/// Returns tournament `i` of an organiser, to be created.
fn new(i: u8, organiser: u8) -> NewTournament {
    NewTournament {
        id: [i; 32],
        request: [i + 100; 32],
        organiser: [organiser; 32],
        summary: format!("{{\"name\":\"Cup {i}\"}}"),
        state: format!("state {i}"),
    }
}

/// Creates tournament `i` at this time, and returns the outcome.
async fn create(storage: &SqlStorage, i: u8, organiser: u8, now: u64) -> CreateTournamentOutcome {
    storage.create_tournament(new(i, organiser), LIMITS, now).await.unwrap()
}

/// Returns a change of tournament `i` of this version that sets its phase.
fn change(i: u8, version: u64, phase: TournamentPhase) -> TournamentUpdate {
    TournamentUpdate {
        id: [i; 32],
        version,
        phase,
        summary: format!("summary {version}"),
        state: format!("state {i} {version}"),
        entered: None,
        withdrawn: None,
        tags: Vec::new(),
    }
}

/// Stores a change at the time 1,000 and returns the outcome.
async fn update(storage: &SqlStorage, update: TournamentUpdate) -> UpdateTournamentOutcome {
    storage.update_tournament(update, LIMITS, 1_000).await.unwrap()
}

/// Returns the first bytes of the identifiers in a list, in its order.
async fn listed(storage: &SqlStorage, query: TournamentQuery) -> Vec<u8> {
    storage.tournaments(query).await.unwrap().iter().map(|tournament| tournament.id[0]).collect()
}

/// Stores two tournaments, one with a player and a table. Equal each time.
pub(crate) async fn fill(storage: &SqlStorage) {
    assert_eq!(create(storage, 1, 1, 900).await, CreateTournamentOutcome::Stored);
    assert_eq!(create(storage, 2, 1, 900).await, CreateTournamentOutcome::Stored);
    let entered = TournamentUpdate {
        entered: Some([5; 32]),
        tags: vec![[7; 16]],
        ..change(2, 1, TournamentPhase::Running)
    };
    assert_eq!(update(storage, entered).await, UpdateTournamentOutcome::Stored);
}

/// Returns everything that can be asked about tournaments as text, for comparisons.
pub(crate) async fn contents(storage: &SqlStorage) -> String {
    let all = storage.tournaments(TournamentQuery::default()).await.unwrap();
    let mut text = format!("{all:?}");
    for tournament in all {
        text += &format!("{:?}", storage.tournament(tournament.id).await.unwrap());
    }
    let own = TournamentQuery { player: Some([5; 32]), ..TournamentQuery::default() };
    text += &format!("{:?}", storage.tournaments(own).await.unwrap());
    text + &format!("{:?}", storage.tournament_of_table([7; 16]).await.unwrap())
}

#[tokio::test]
async fn a_file_passes_the_suite_of_tournaments() {
    let folder = Folder::new("tournaments");
    passes(&open(&folder).await).await;
}

#[tokio::test]
async fn a_server_passes_the_suite_of_tournaments() {
    let Some(server) = PostgresServer::start() else { return };
    let address = server.database("tournaments").await;
    passes(&SqlStorage::open_postgres(&address).await.unwrap()).await;
    changes_of_two_processes_do_not_overwrite_each_other(&server.database("together").await).await;
}

/// Runs all checks of tournaments on an empty database.
async fn passes(storage: &SqlStorage) {
    a_request_counts_once_and_limits_hold(storage).await;
    a_change_needs_the_current_version(storage).await;
    tournaments_are_listed_by_phase_and_player(storage).await;
    abandoned_tournaments_are_removed(storage).await;
}

/// Asserts that a request counts once, and that an organiser has at most three unfinished tournaments. Leaves those
/// with the numbers 1 to 6.
async fn a_request_counts_once_and_limits_hold(storage: &SqlStorage) {
    use CreateTournamentOutcome::{Duplicate, Full, Stored, TooMany};
    assert_eq!(create(storage, 1, 1, 1_000).await, Stored);
    assert_eq!(create(storage, 1, 1, 1_000).await, Duplicate);
    let replayed = NewTournament { id: [99; 32], ..new(1, 1) };
    assert_eq!(storage.create_tournament(replayed, LIMITS, 1_000).await.unwrap(), Duplicate);
    assert_eq!(create(storage, 2, 1, 1_000).await, Stored);
    assert_eq!(create(storage, 3, 1, 1_000).await, Stored);
    assert_eq!(create(storage, 4, 1, 1_000).await, TooMany);
    assert_eq!(create(storage, 4, 2, 1_000).await, Stored);
    assert_eq!(create(storage, 5, 2, 1_000).await, Stored);
    assert_eq!(create(storage, 6, 3, 1_000).await, Stored);
    assert_eq!(create(storage, 7, 3, 1_000).await, Full);
    let first = storage.tournament([1; 32]).await.unwrap().unwrap();
    let expected = StoredTournament {
        id: [1; 32],
        number: 1,
        organiser: [1; 32],
        phase: TournamentPhase::Open,
        version: 1,
        summary: new(1, 1).summary,
        state: "state 1".into(),
        changed: 1_000,
    };
    assert_eq!(first, expected);
    assert_eq!(storage.tournament([7; 32]).await.unwrap(), None);
}

/// Asserts that a change of an old version changes nothing, that players enter at most two, and that tables are found by
/// their tags.
async fn a_change_needs_the_current_version(storage: &SqlStorage) {
    use TournamentPhase::{Finished, Open, Running};
    use UpdateTournamentOutcome::{Conflict, Stored, TooMany};
    let enters = |i, version| TournamentUpdate { entered: Some([50; 32]), ..change(i, version, Open) };
    assert_eq!(update(storage, enters(1, 1)).await, Stored);
    assert_eq!(update(storage, enters(1, 1)).await, Conflict);
    assert_eq!(update(storage, enters(2, 1)).await, Stored);
    assert_eq!(update(storage, enters(3, 1)).await, TooMany);
    assert_eq!(storage.tournament([3; 32]).await.unwrap().unwrap().version, 1);
    let leaves = TournamentUpdate { withdrawn: Some([50; 32]), ..change(2, 2, Open) };
    assert_eq!(update(storage, leaves).await, Stored);
    assert_eq!(update(storage, enters(3, 1)).await, Stored);
    let starts = TournamentUpdate { tags: vec![[1; 16], [2; 16]], ..change(1, 2, Running) };
    assert_eq!(update(storage, starts).await, Stored);
    assert_eq!(storage.tournament_of_table([2; 16]).await.unwrap(), Some([1; 32]));
    assert_eq!(storage.tournament_of_table([3; 16]).await.unwrap(), None);
    assert_eq!(update(storage, change(1, 3, Finished)).await, Stored);
    let finished = storage.tournament([1; 32]).await.unwrap().unwrap();
    assert_eq!((finished.phase, finished.version), (Finished, 4));
    assert_eq!((finished.summary.as_str(), finished.state.as_str()), ("summary 3", "state 1 3"));
    assert_eq!(update(storage, change(9, 1, Open)).await, Conflict, "there is none");
    // A finished one no longer counts for its player.
    assert_eq!(update(storage, enters(4, 1)).await, Stored);
    assert_eq!(update(storage, enters(5, 1)).await, TooMany);
}

/// Asserts what lists show.
async fn tournaments_are_listed_by_phase_and_player(storage: &SqlStorage) {
    let all = TournamentQuery::default();
    assert_eq!(listed(storage, all.clone()).await, [6, 5, 4, 3, 2, 1]);
    assert_eq!(listed(storage, TournamentQuery { before: Some(4), ..all.clone() }).await, [3, 2, 1]);
    let finished = TournamentQuery { phase: Some(TournamentPhase::Finished), ..all.clone() };
    assert_eq!(listed(storage, finished).await, [1]);
    let own = TournamentQuery { player: Some([50; 32]), ..all.clone() };
    assert_eq!(listed(storage, own.clone()).await, [4, 3, 1]);
    let open = TournamentQuery { phase: Some(TournamentPhase::Open), ..own };
    assert_eq!(listed(storage, open).await, [4, 3]);
    assert!(storage.tournaments(all).await.unwrap().iter().all(|listed| listed.state.is_empty()));
}

/// Asserts that open tournaments are removed after their lifetime, and others are not, and that their numbers are not
/// used again.
async fn abandoned_tournaments_are_removed(storage: &SqlStorage) {
    let running = change(6, 1, TournamentPhase::Running);
    assert_eq!(update(storage, running).await, UpdateTournamentOutcome::Stored);
    assert_eq!(create(storage, 8, 3, 2_000).await, CreateTournamentOutcome::Stored);
    assert_eq!(create(storage, 9, 4, 2_000).await, CreateTournamentOutcome::Full);
    assert_eq!(create(storage, 9, 4, 2_001).await, CreateTournamentOutcome::Stored);
    assert_eq!(listed(storage, TournamentQuery::default()).await, [9, 8, 6, 1]);
    let own = TournamentQuery { player: Some([50; 32]), ..TournamentQuery::default() };
    assert_eq!(listed(storage, own).await, [1]);
    // All count for the total. A running one without changes does not count as unfinished.
    assert_eq!(create(storage, 10, 4, 2_001).await, CreateTournamentOutcome::Stored);
    assert_eq!(create(storage, 11, 4, 2_001).await, CreateTournamentOutcome::Stored);
    assert_eq!(create(storage, 12, 5, 2_001).await, CreateTournamentOutcome::Stored);
    assert_eq!(create(storage, 13, 5, 2_001).await, CreateTournamentOutcome::Full);
    // The newest one is removed, too, but its number is not used again.
    let newest = storage.tournament([12; 32]).await.unwrap().unwrap().number;
    assert_eq!(create(storage, 14, 5, 9_000).await, CreateTournamentOutcome::Stored);
    assert_eq!(listed(storage, TournamentQuery::default()).await, [14, 6, 1]);
    assert_eq!(storage.tournament([14; 32]).await.unwrap().unwrap().number, newest + 1);
}

/// Asserts that of two changes of one version, made at the same time by two processes, one is stored.
async fn changes_of_two_processes_do_not_overwrite_each_other(address: &str) {
    let (one, two) = (
        SqlStorage::open_postgres(address).await.unwrap(),
        SqlStorage::open_postgres(address).await.unwrap(),
    );
    create(&one, 1, 1, 1_000).await;
    for version in 1..20 {
        let outcomes = tokio::join!(
            update(&one, change(1, version, TournamentPhase::Open)),
            update(&two, change(1, version, TournamentPhase::Open))
        );
        let outcomes = <[_; 2]>::from(outcomes);
        let stored = outcomes.iter().filter(|outcome| **outcome == UpdateTournamentOutcome::Stored);
        assert_eq!(stored.count(), 1, "{outcomes:?}");
    }
}
