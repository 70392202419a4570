//! Searching and downloading the archive, and the explorer.

use crate::common::{TestClub, key, play};
use pentarchy_club::{ClubLimits, examine};
use pentarchy_table::TableRecord;
use serde_json::Value;
use std::time::Duration;

/// Returns the numbers of the games on the first page of a search with these parameters, in its order. Asserts that it
/// succeeds.
fn numbers(club: &TestClub, query: &str) -> Vec<u64> {
    let answer = club.get(&format!("games?{query}"));
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["games"].as_array().unwrap().iter().map(|game| game["number"].as_u64().unwrap()).collect()
}

#[test]
fn games_are_found_by_player_game_result_and_date() {
    let club = TestClub::open();
    let games: Vec<Value> = [
        club.archive(&play("kuhn", [1, 2], 1)),
        club.archive(&play("tic-tac-toe", [2, 3], 2)),
        club.archive(&play("kuhn", [3, 1], 3)),
    ]
    .into();
    assert_eq!(numbers(&club, ""), [3, 2, 1]);
    assert_eq!(numbers(&club, &format!("player={}", key(1))), [3, 1]);
    assert_eq!(numbers(&club, "game=kuhn&seats=2"), [3, 1]);
    assert_eq!(numbers(&club, "game=kuhn&seats=3"), [0u64; 0]);
    assert_eq!(numbers(&club, &format!("player={}&game=tic-tac-toe", key(1))), [0u64; 0]);
    assert_eq!(numbers(&club, "before=3"), [2, 1]);
    let by_result = |word: &str| numbers(&club, &format!("player={}&result={word}&game=kuhn", key(1)));
    let expected: Vec<u64> = [&games[2]["seats"][1], &games[0]["seats"][0]]
        .iter()
        .zip([3, 1])
        .filter(|(seat, _)| seat["result"] == "won")
        .map(|(_, number)| number)
        .collect();
    assert_eq!(by_result("won"), expected);
    assert_eq!(by_result("won").len() + by_result("lost").len(), 2);
    let published = games[0]["published"].as_u64().unwrap();
    assert_eq!(numbers(&club, &format!("since={published}")), [3, 2, 1]);
    assert_eq!(numbers(&club, &format!("until={published}")), [0u64; 0]);
    let one = club.get(&format!("games/{}", games[1]["id"].as_str().unwrap()));
    assert_eq!((one.status, one.json()), (200, games[1].clone()));
}

#[test]
fn bad_input_gets_a_clear_error() {
    let club = TestClub::open();
    for (path, status, words) in [
        ("games?player=12", 400, "a player has 64 hexadecimal digits"),
        ("games?result=won", 400, "a result needs a player"),
        ("games?seats=many", 400, "invalid digit"),
        ("games?colour=red", 400, "unknown field"),
        ("games/12", 400, "a game has 64 hexadecimal digits"),
        ("explore?game=koon&seats=2", 404, "there is no game"),
        ("explore?game=kuhn&seats=9", 400, ""),
        ("explore?game=kuhn&seats=2&digest=12", 400, "digest"),
        ("explore?game=kuhn&seats=2&options=%7B", 400, "options"),
        ("ratings?game=kuhn", 400, "seats"),
        ("players", 400, "name"),
        ("nothing", 404, "nothing here"),
    ] {
        let error = club.get(path).error(status);
        assert!(error.contains(words), "{path}: {error}");
    }
    let missing = format!("games/{}", key(9));
    assert!(club.get(&missing).error(404).contains("not in the archive"));
    assert!(club.get(&format!("{missing}/record")).error(404).contains("not in the archive"));
    let wrong = format!("games?player={}&result=lucky", key(1));
    assert!(club.get(&wrong).error(400).contains("won, lost, draw or none"));
}

/// Returns the contents of the records in a tar file, in any order, unpacked by `tar` itself below `folder`.
fn untar(bytes: &[u8], folder: &std::path::Path) -> Vec<Vec<u8>> {
    let into = folder.join("untar");
    std::fs::create_dir_all(&into).unwrap();
    std::fs::write(into.join("archive.tar"), bytes).unwrap();
    let status =
        std::process::Command::new("tar").args(["xf", "archive.tar"]).current_dir(&into).status().unwrap();
    assert!(status.success());
    let mut files: Vec<_> = std::fs::read_dir(&into).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "table"));
    files.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

#[test]
fn the_whole_archive_is_one_download() {
    let club = TestClub::open();
    let mut records: Vec<Vec<u8>> = (1..6).map(|nonce| play("kuhn", [1, 2], nonce).encode()).collect();
    for record in &records {
        assert_eq!(club.publish(record).status, 201);
    }
    let answer = club.get("archive");
    assert_eq!(answer.status, 200);
    assert!(answer.head.contains("application/x-tar"), "{}", answer.head);
    let mut files = untar(&answer.body, &club.folder);
    files.sort();
    records.sort();
    assert_eq!(files, records);
    assert!(files.iter().all(|bytes| TableRecord::is_record(bytes)));
    let none =
        TestClub::start(ClubLimits { downloads: 0, ..ClubLimits::default() }, crate::common::unlimited());
    assert!(none.get("archive").error(503).contains("try again later"));
}

/// What the explorer says equals what the records say. A draw is not a win.
#[test]
fn the_explorer_counts_what_was_played() {
    let club = TestClub::open();
    let mut draws = 0;
    let records: Vec<TableRecord> = (1..17).map(|nonce| play("tic-tac-toe", [1, 2], nonce)).collect();
    let mut firsts = std::collections::BTreeMap::<String, (u64, u64, f64)>::new();
    for record in &records {
        club.archive(record);
        let new = examine(&record.encode(), Duration::from_secs(600)).unwrap();
        let first = &new.moves[0];
        draws += u32::from(first.points == 500);
        assert_eq!(first.is_won, first.points == 1000, "a reward of {} thousandths", first.points);
        let entry = firsts.entry(first.action.clone()).or_default();
        *entry = (entry.0 + 1, entry.1 + u64::from(first.is_won), entry.2 + f64::from(first.points) / 1000.0);
    }
    assert!(draws > 0, "no game of this test is a draw");
    let found = club.get("explore?game=tic-tac-toe&seats=2").json();
    let moves = found["moves"].as_array().unwrap();
    assert_eq!(moves.len(), firsts.len());
    for played in moves {
        let (games, wins, points) = firsts[played["action"].as_str().unwrap()];
        assert_eq!((played["games"].as_u64(), played["wins"].as_u64()), (Some(games), Some(wins)));
        assert!((played["score"].as_f64().unwrap() - points / games as f64).abs() < 1e-9);
    }
    assert!(moves.is_sorted_by(|a, b| a["games"].as_u64() >= b["games"].as_u64()));
    // A position in the middle of a game, by its public digest.
    let game = pentarchy_registry::find("tic-tac-toe").unwrap();
    let verdict = records[0].verify(game).unwrap();
    let entries = &verdict.public.entries;
    let next = club.get(&format!("explore?game=tic-tac-toe&seats=2&digest={}", entries[0].digest)).json();
    let actions: Vec<&str> =
        next["moves"].as_array().unwrap().iter().map(|played| played["action"].as_str().unwrap()).collect();
    assert!(actions.contains(&entries[1].event.as_str()), "{actions:?}");
    let nowhere = club.get(&format!("explore?game=tic-tac-toe&seats=2&digest={}", "0".repeat(64))).json();
    assert_eq!(nowhere["moves"].as_array().unwrap().len(), 0);
}
