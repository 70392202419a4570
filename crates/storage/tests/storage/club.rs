//! The club in both databases: they give equal results, which a simple model confirms.

use crate::backup::{Steps, new_game};
use crate::common::{Folder, Numbers, open};
use pentarchy_storage::SqlStorage;
use pentarchy_storage::club::{
    ArchiveOutcome, ArchivedGame, CLUB_PAGE, ClubProfile, ClubStorage, GameQuery, LeaderboardQuery,
    RatingMethod as _, SeatResult,
};
use pentarchy_storage::testing::PostgresServer;
use std::collections::BTreeMap;

#[tokio::test]
async fn a_file_passes_the_suite_of_the_club() {
    let folder = Folder::new("club");
    passes(&open(&folder).await).await;
}

#[tokio::test]
async fn a_server_passes_the_suite_of_the_club() {
    let Some(server) = PostgresServer::start() else { return };
    let address = server.database("club").await;
    passes(&SqlStorage::open_postgres(&address).await.unwrap()).await;
}

/// Runs all checks of the club on an empty database.
async fn passes(storage: &SqlStorage) {
    profiles_are_replaced_by_later_ones(storage).await;
    let games = games_are_archived_once(storage).await;
    searches_find_what_a_scan_finds(storage, &games).await;
    ratings_follow_from_the_archive(storage, &games).await;
    moves_are_counted(storage).await;
}

/// Asserts that a later profile replaces an earlier one, and that profiles are found by the beginnings of their names.
async fn profiles_are_replaced_by_later_ones(storage: &SqlStorage) {
    let profile = |i: u8, name: &str, signed_at| ClubProfile {
        identity: [i; 32],
        name: name.into(),
        signed_at,
        signature: [i; 64],
    };
    assert_eq!(storage.profile([1; 32]).await.unwrap(), None);
    assert!(storage.put_profile(profile(1, "Ada", 10)).await.unwrap());
    assert!(storage.put_profile(profile(1, "Ada", 10)).await.unwrap(), "it is stored already");
    assert!(!storage.put_profile(profile(1, "Old", 9)).await.unwrap());
    assert!(!storage.put_profile(profile(1, "Twin", 10)).await.unwrap());
    assert!(storage.put_profile(profile(1, "ADAM", 11)).await.unwrap());
    assert!(storage.put_profile(profile(2, "ada", 1)).await.unwrap());
    assert!(storage.put_profile(profile(3, "Änne", 1)).await.unwrap());
    assert!(storage.put_profile(profile(4, "Zoë", 1)).await.unwrap());
    let find = async |name: &str| {
        let found = storage.find_profiles(name.into()).await.unwrap();
        found.into_iter().map(|profile| profile.identity[0]).collect::<Vec<u8>>()
    };
    assert_eq!(find("aDa").await, [2, 1]);
    assert_eq!(find("ADAM").await, [1]);
    assert_eq!(find("änn").await, [3]);
    assert_eq!(find("").await, [2, 1, 4, 3]);
    assert_eq!(find("%").await, [0u8; 0]);
    assert_eq!(storage.profile([1; 32]).await.unwrap(), Some(profile(1, "ADAM", 11)));
}

/// Archives 150 games, most of them twice, asserts the results, and returns the games as they are stored.
async fn games_are_archived_once(storage: &SqlStorage) -> Vec<ArchivedGame> {
    let numbers = &mut Numbers(11);
    let (mut stored, mut now, mut bytes) = (Vec::new(), 1_000, 0);
    for id in 0..150u8 {
        let first = numbers.below(6) as u8;
        let players = [first, (first + 1 + numbers.below(2) as u8) % 6, (first + 4) % 6];
        let unrated = if numbers.below(5) == 0 { "why not" } else { "" };
        let new = new_game(id, players, unrated);
        // The clock goes back now and then.
        let clock = if numbers.below(4) == 0 { now - 50 } else { now };
        let number = u64::from(id) + 1;
        let outcome = storage.archive(new.clone(), &Steps, 1 << 20, clock).await.unwrap();
        assert_eq!(outcome, ArchiveOutcome::Stored(number));
        if numbers.below(3) > 0 {
            let again = storage.archive(new.clone(), &Steps, 1 << 20, now + 5).await.unwrap();
            assert_eq!(again, ArchiveOutcome::Duplicate(number));
        }
        bytes += new.game.bytes;
        let published = stored.last().map_or(clock, |last: &ArchivedGame| clock.max(last.published));
        stored.push(ArchivedGame { number, published, ..new.game });
        now += numbers.below(20);
    }
    let more = storage.archive(new_game(250, [0, 1, 2], ""), &Steps, bytes + 10, now).await.unwrap();
    assert_eq!(more, ArchiveOutcome::Full);
    assert_eq!(storage.game([250; 32]).await.unwrap(), None);
    assert_eq!(storage.game([20; 32]).await.unwrap().as_ref(), stored.get(20));
    let (game, record) = storage.next_record(20).await.unwrap().unwrap();
    assert_eq!((&game, record.len() as u64), (&stored[20], stored[20].bytes));
    assert!(storage.next_record(150).await.unwrap().is_none());
    let usage = storage.archive_usage().await.unwrap();
    assert_eq!((usage.games, usage.bytes), (150, bytes));
    stored
}

/// Asserts that random searches, page by page, find what a scan of all games finds. `games` are those that are stored.
async fn searches_find_what_a_scan_finds(storage: &SqlStorage, games: &[ArchivedGame]) {
    let numbers = &mut Numbers(5);
    let mut found_some = 0;
    for _ in 0..60 {
        let mut maybe = |n: u64| (numbers.below(2) == 0).then(|| numbers.below(n));
        let time = |past: u64| 900 + 10 * past;
        let query = GameQuery {
            player: maybe(7).map(|i| [i as u8; 32]),
            result: maybe(3).map(|i| SeatResult::ALL[i as usize]),
            game: maybe(3).map(|i| ["alpha", "beta", "o'none"][i as usize].to_owned()),
            seats: maybe(2).map(|i| 3 + i as u8),
            since: maybe(60).map(time),
            until: maybe(200).map(time),
            before: None,
        };
        let fits = |game: &&ArchivedGame| {
            let plays = |player| {
                game.seats.iter().any(|seat| {
                    seat.identity == player && query.result.is_none_or(|result| seat.result == result)
                })
            };
            query.player.is_none_or(plays)
                && query.game.as_ref().is_none_or(|name| *name == game.game)
                && query.seats.is_none_or(|seats| usize::from(seats) == game.seats.len())
                && query.since.is_none_or(|since| game.published >= since)
                && query.until.is_none_or(|until| game.published < until)
        };
        let expected: Vec<ArchivedGame> = games.iter().rev().filter(fits).cloned().collect();
        found_some += usize::from(!expected.is_empty());
        let (mut found, mut page) = (Vec::new(), query.clone());
        loop {
            let part = storage.search(page.clone()).await.unwrap();
            assert!(part.len() <= CLUB_PAGE as usize);
            let Some(last) = part.last() else { break };
            page.before = Some(last.number);
            found.extend(part);
        }
        assert_eq!(found, expected, "{query:?}");
    }
    assert!(found_some > 15, "{found_some}");
}

/// Asserts that ratings, histories, leaderboards and totals equal those of a model of `games`, which are stored, and
/// that computing them again changes nothing.
async fn ratings_follow_from_the_archive(storage: &SqlStorage, games: &[ArchivedGame]) {
    let mut model = BTreeMap::new();
    let mut history: BTreeMap<_, Vec<u64>> = BTreeMap::new();
    for game in games.iter().filter(|game| game.unrated.is_empty()) {
        let key = |i: usize| (game.game.clone(), game.seats[i].identity);
        let before = [0, 1, 2].map(|i| model.get(&key(i)).map_or(Steps.initial(), |(estimate, _)| *estimate));
        let after = Steps.update(&before, &[1, 2, 3]);
        for (i, estimate) in after.into_iter().enumerate() {
            let entry = model.entry(key(i)).or_insert((estimate, 0));
            *entry = (estimate, entry.1 + 1);
            history.entry(key(i)).or_default().push(game.number);
        }
    }
    for round in 0..2 {
        for ((game, identity), (estimate, count)) in &model {
            let ratings = storage.ratings(*identity).await.unwrap();
            let rating = ratings.iter().find(|rating| rating.game == *game).unwrap();
            assert_eq!((rating.estimate, rating.games), (*estimate, *count), "round {round}");
            let points = storage.history(*identity, game.clone(), 3, None).await.unwrap();
            let numbers: Vec<u64> = points.iter().rev().map(|point| point.number).collect();
            assert_eq!(numbers, history[&(game.clone(), *identity)]);
            assert_eq!(points[0].estimate, *estimate);
            let earlier = storage.history(*identity, game.clone(), 3, Some(numbers[1])).await.unwrap();
            assert_eq!(earlier.len(), 1);
        }
        let board = LeaderboardQuery { game: "alpha".into(), seats: 3, least_games: 1, skip: 0 };
        let best = storage.leaderboard(board.clone()).await.unwrap();
        assert_eq!(best.len(), 6);
        assert!(best.is_sorted_by(|a, b| a.estimate.floor() >= b.estimate.floor()));
        assert!(best.iter().any(|rating| rating.name == "ADAM" && rating.identity == [1; 32]));
        let rest = storage.leaderboard(LeaderboardQuery { skip: 2, ..board.clone() }).await.unwrap();
        assert_eq!(rest, best[2..]);
        let strict = LeaderboardQuery { least_games: best[0].games + 1, ..board };
        assert!(!storage.leaderboard(strict).await.unwrap().contains(&best[0]));
        let rated = games.iter().filter(|game| game.unrated.is_empty()).count() as u64;
        assert_eq!(storage.recompute_ratings(&Steps).await.unwrap(), rated);
    }
    let totals = storage.totals([1; 32]).await.unwrap();
    let seats = || games.iter().flat_map(|game| &game.seats).filter(|seat| seat.identity == [1; 32]);
    assert_eq!(totals.games, seats().count() as u64);
    assert_eq!(totals.left, seats().filter(|seat| seat.has_left).count() as u64);
}

/// Asserts that a position has the moves of the games of [`games_are_archived_once`], with their sums, the most
/// frequent first.
async fn moves_are_counted(storage: &SqlStorage) {
    let mut expected: BTreeMap<String, (u64, u64, u64)> = BTreeMap::new();
    for id in 0..150u8 {
        for played in new_game(id, [0, 1, 2], "").moves.iter().filter(|played| played.position == [2; 16]) {
            let entry = expected.entry(played.action.clone()).or_default();
            entry.0 += 1;
            entry.1 += u64::from(played.is_won);
            entry.2 += u64::from(played.points);
        }
    }
    let moves = storage.explore([2; 16]).await.unwrap();
    assert!(moves.is_sorted_by(|a, b| a.games >= b.games));
    let found: BTreeMap<String, (u64, u64, u64)> =
        moves.into_iter().map(|m| (m.action, (m.games, m.wins, m.points))).collect();
    assert_eq!(found, expected);
    assert_eq!(storage.explore([99; 16]).await.unwrap(), []);
}
