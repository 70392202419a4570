//! Which records count.

use crate::common::{TestClub, key, play, unlimited};
use pentarchy_club::{ClubLimits, ExamineError, examine};
use pentarchy_server::{Limits, Rate};
use pentarchy_table::sim::{SimPlan, run};
use pentarchy_table::{Recovery, TableRecord};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(600);

#[test]
fn a_signed_record_is_archived_once() {
    let club = TestClub::open();
    let record = play("kuhn", [1, 2], 1);
    let game = club.archive(&record);
    assert_eq!((game["number"].as_u64(), game["game"].as_str()), (Some(1), Some("kuhn")));
    assert_eq!((game["rated"].as_bool(), game["ending"].as_str()), (Some(true), Some("played")));
    assert_eq!(game["seats"][0]["identity"], key(1));
    assert_eq!(game["seats"][1]["name"], "Player 2");
    let again = club.publish(&record.encode());
    assert_eq!((again.status, again.json()), (200, game.clone()));
    let found = club.get("games").json();
    assert_eq!(found["games"].as_array().unwrap().len(), 1);
    let rating = &club.get(&format!("players/{}", key(1))).json()["ratings"][0];
    assert_eq!(rating["games"], 1, "it counts once");
    let file = club.get(&format!("games/{}/record", game["id"].as_str().unwrap()));
    assert_eq!((file.status, &file.body), (200, &record.encode()));
    assert!(file.head.contains("content-disposition: attachment"), "{}", file.head);
    assert!(
        TableRecord::decode(&file.body).unwrap().verify(pentarchy_registry::find("kuhn").unwrap()).is_ok()
    );
}

/// Every altered byte is noticed: nothing is archived, and the error says what is wrong.
#[test]
fn forged_and_altered_records_are_rejected() {
    let club = TestClub::open();
    let bytes = play("kuhn", [1, 2], 1).encode();
    // The name of a player, a signature at the end, and places in between.
    let name = bytes.windows(8).position(|word| word == b"Player 1").unwrap();
    let places = [name + 7, bytes.len() / 4, bytes.len() / 2, bytes.len() - 100, bytes.len() - 1];
    for place in places {
        let mut altered = bytes.clone();
        altered[place] ^= 1;
        let answer = club.publish(&altered);
        assert!(!answer.error(422).is_empty(), "{place}");
    }
    assert!(club.publish(&bytes[..bytes.len() / 2]).error(422).contains("it breaks off"));
    assert!(club.publish(b"hello").error(422).contains("not the record of a table"));
    assert!(club.publish(b"").error(422).contains("not the record of a table"));
    assert_eq!(club.get("games").json()["games"].as_array().unwrap().len(), 0);
    assert_eq!(club.get(&format!("players/{}", key(1))).status, 404);
    // A result that its players have not signed: the record of another game under this table.
    let mut forged = play("kuhn", [1, 2], 2);
    forged.descriptor.nonce = [1; 32];
    assert!(club.publish(&forged.encode()).error(422).starts_with("after event 0"));
}

#[test]
fn only_finished_games_between_people_are_rated() {
    let game = pentarchy_registry::find("liars-dice").unwrap();
    let record = |plan: SimPlan| run(game, plan).unwrap().record.unwrap().encode();
    let unfinished = record(SimPlan { most_events: 5, ..SimPlan::new(2, 1) });
    assert_eq!(examine(&unfinished, PATIENCE), Err(ExamineError::Unfinished));
    let ended = SimPlan { leaver: Some((2, 6)), recovery: Recovery::End, ..SimPlan::new(3, 1) };
    let dropped = examine(&record(ended), PATIENCE).unwrap();
    assert_eq!((dropped.game.is_played, dropped.moves.len()), (false, 0));
    assert!(dropped.game.seats[2].has_left && !dropped.game.seats[0].has_left);
    assert_eq!(dropped.game.unrated, "it was not played to its end");
    let taken_over =
        examine(&record(SimPlan { leaver: Some((2, 6)), ..SimPlan::new(3, 1) }), PATIENCE).unwrap();
    assert_eq!(taken_over.game.unrated, "a player left, and a bot played on");
    let hosted = examine(&record(SimPlan::new(3, 2).hosting(1)), PATIENCE).unwrap();
    assert_eq!(hosted.game.unrated, "a bot of another player had a seat");
    let alone = examine(&play("kuhn", [1, 1], 3).encode(), PATIENCE).unwrap();
    assert_eq!(alone.game.unrated, "a player had two seats");
    let normal = examine(&record(SimPlan::new(3, 2)), PATIENCE).unwrap();
    assert_eq!((normal.game.unrated.as_str(), normal.game.is_played), ("", true));
    assert!(!normal.moves.is_empty());
}

#[test]
fn a_record_that_takes_too_long_is_rejected() {
    let bytes = play("kuhn", [1, 2], 1).encode();
    assert_eq!(examine(&bytes, Duration::ZERO), Err(ExamineError::TooLong(0)));
}

#[test]
fn sizes_and_rates_are_limited() {
    let record = play("kuhn", [1, 2], 1).encode();
    let small =
        TestClub::start(ClubLimits { record_bytes: record.len() - 1, ..ClubLimits::default() }, unlimited());
    assert_eq!(small.publish(&record).error(413), "the body is too large");
    let full = TestClub::start(ClubLimits { archive_bytes: 10, ..ClubLimits::default() }, unlimited());
    assert_eq!(full.publish(&record).error(507), "the archive is full");
    let busy = TestClub::start(ClubLimits { waiting: 0, ..ClubLimits::default() }, unlimited());
    assert!(busy.publish(&record).error(503).contains("try again"));
    let rate = Rate { burst: 2, per_second: 0 };
    let limited = TestClub::start(ClubLimits::default(), Limits { publish_rate: rate, ..unlimited() });
    assert_eq!(limited.publish(&record).status, 201);
    assert_eq!(limited.publish(b"hello").status, 422);
    assert!(limited.publish(&record).error(429).contains("wait"));
    assert_eq!(limited.get("games").status, 200, "reading is not affected");
}

#[test]
fn other_web_sites_publish_nothing() {
    let club = TestClub::open();
    let record = play("kuhn", [1, 2], 1).encode();
    let answer = club.request("POST /api/club/games", &[("origin", "https://evil.example")], &record);
    assert_eq!(answer.status, 403);
    assert_eq!(club.get("games").json()["games"].as_array().unwrap().len(), 0);
}
