//! Profiles, ratings and leaderboards.

use crate::common::{Answer, TestClub, identity, key, play};
use data_encoding::HEXLOWER;
use pentarchy_club::WengLinMethod;
use pentarchy_identity::profile_digest;
use pentarchy_storage::club::ClubStorage as _;
use serde_json::{Value, json};

/// Sends a profile of `player` with this name and time that `signer` has signed, and returns the answer.
fn put_profile(club: &TestClub, player: u8, signer: u8, name: &str, signed_at: u64) -> Answer {
    let signature = identity(signer).sign(&profile_digest(name, signed_at));
    let body = json!({ "name": name, "signed_at": signed_at, "signature": HEXLOWER.encode(&signature) });
    club.request(&format!("PUT /api/club/players/{}", key(player)), &[], body.to_string().as_bytes())
}

/// Returns what the club says about player `i`.
fn player(club: &TestClub, i: u8) -> Value {
    club.get(&format!("players/{}", key(i))).json()
}

#[test]
fn a_profile_needs_the_signature_of_its_player() {
    let club = TestClub::open();
    assert!(put_profile(&club, 1, 1, "Ada", 5).error(404).contains("publish a game first"));
    club.archive(&play("kuhn", [1, 2], 1));
    assert_eq!(player(&club, 1)["name"], "");
    assert_eq!(put_profile(&club, 1, 1, "Ada", 5).status, 200);
    assert!(put_profile(&club, 1, 2, "Eve", 6).error(403).contains("signature"));
    assert!(put_profile(&club, 1, 1, "Older", 4).error(409).contains("later"));
    assert!(put_profile(&club, 1, 1, "Late", u64::MAX / 2).error(422).contains("future"));
    for name in ["", " Ada", "A\u{202e}da", &"x".repeat(65)] {
        assert!(put_profile(&club, 1, 1, name, 7).error(422).contains("name"), "{name:?}");
    }
    let malformed = club.request(&format!("PUT /api/club/players/{}", key(1)), &[], b"{\"name\":1}");
    assert!(malformed.error(400).contains("not a profile"));
    let shown = player(&club, 1);
    assert_eq!(
        (shown["name"].as_str(), shown["games"].as_u64(), shown["left"].as_u64()),
        (Some("Ada"), Some(1), Some(0))
    );
    // Anybody can check it.
    let signature = HEXLOWER.decode(shown["profile"]["signature"].as_str().unwrap().as_bytes()).unwrap();
    assert!(identity(1).public().verify(&profile_digest("Ada", 5), &signature.try_into().unwrap()));
    let found = club.get("players?name=ad").json();
    assert_eq!(found["players"][0]["identity"], key(1));
    assert!(club.get(&format!("players/{}", key(9))).error(404).contains("no game"));
}

#[test]
fn ratings_follow_from_the_records_and_are_recomputed_equally() {
    let mut club = TestClub::open();
    let mut wins = [0u64; 4];
    for nonce in 0..12u8 {
        let players = [1 + nonce % 3, 1 + (nonce + 1 + nonce / 6) % 3];
        let game = club.archive(&play("kuhn", players, nonce));
        for (seat, i) in players.iter().enumerate() {
            wins[usize::from(*i)] += u64::from(game["seats"][seat]["result"] == "won");
        }
    }
    let best = club.get("ratings?game=kuhn&seats=2").json();
    let best = best["players"].as_array().unwrap();
    assert_eq!(best.len(), 3);
    assert!(best.is_sorted_by(|a, b| a["rating"].as_f64() >= b["rating"].as_f64()));
    for i in 1..4u8 {
        let shown = player(&club, i);
        assert_eq!(shown["ratings"][0]["wins"].as_u64(), Some(wins[usize::from(i)]));
        let history = club.get(&format!("players/{}/history?game=kuhn&seats=2", key(i))).json();
        let points = history["history"].as_array().unwrap();
        assert_eq!(points.len() as u64, shown["ratings"][0]["games"].as_u64().unwrap());
        assert_eq!(points[0]["mean"], shown["ratings"][0]["mean"]);
    }
    let all = |club: &TestClub| [1, 2, 3].map(|i| player(club, i)["ratings"].to_string());
    let before = all(&club);
    let location = club.stop();
    let recomputed = location.run(async |storage| {
        let games = storage.recompute_ratings(&WengLinMethod).await.unwrap();
        let mut ratings = Vec::new();
        for i in 1..4 {
            ratings.push(storage.ratings(*identity(i).public().bytes()).await.unwrap());
        }
        (games, ratings)
    });
    let (games, ratings) = recomputed.unwrap();
    assert_eq!(games, 12);
    for (text, ratings) in before.iter().zip(ratings) {
        let shown: Value = serde_json::from_str(text).unwrap();
        let millionths = |name: &str| (shown[0][name].as_f64().unwrap() * 1e6).round() as i64;
        assert_eq!(ratings[0].estimate.mean, millionths("mean"));
        assert_eq!(ratings[0].estimate.deviation, millionths("deviation"));
    }
}

#[test]
fn beginners_are_not_on_the_leaderboard() {
    let club = TestClub::start(pentarchy_club::ClubLimits::default(), crate::common::unlimited());
    for nonce in 0..4 {
        club.archive(&play("kuhn", [1, 2], nonce));
    }
    let board = || club.get("ratings?game=kuhn&seats=2").json();
    assert_eq!(board()["players"].as_array().unwrap().len(), 0);
    club.archive(&play("kuhn", [1, 2], 9));
    assert_eq!(board()["players"].as_array().unwrap().len(), 2);
}
