//! Who may change a tournament, and its limits.

use crate::common::{TestClub, unlimited};
use crate::tournaments::{Cup, ORGANISER, next_time, terms};
use pentarchy_club::ClubLimits;
use pentarchy_storage::tournament::TournamentLimits;
use serde_json::{Value, json};

#[test]
fn requests_need_a_signature_of_the_right_player_now_and_once() {
    let cup = Cup::open();
    let unsigned = cup.club.request("POST /api/club/tournaments", &[], terms().to_string().as_bytes());
    assert!(unsigned.error(401).contains("sign the request"));
    let (head, body) = ("POST /api/club/tournaments", terms().to_string());
    let time = next_time();
    let signed = cup.sign(ORGANISER, time, head, &body);
    assert!(
        cup.send(&signed, head, &body.replace("Autumn", "Forged")).error(401).contains("does not verify")
    );
    assert!(
        cup.send(&cup.sign(ORGANISER, time - 900, head, &body), head, &body).error(401).contains("clock")
    );
    let created = cup.send(&signed, head, &body);
    assert_eq!(created.status, 201);
    assert!(cup.send(&signed, head, &body).error(409).contains("received before"), "a copy counts once");
    let path = format!("/{}", created.json()["id"].as_str().unwrap());
    // A copy of an entry does not enter a player again who has withdrawn.
    let head = format!("PUT /api/club/tournaments{path}/entry");
    let entry = json!({ "name": "Ada", "share": "00".repeat(32) }).to_string();
    let signed = cup.sign(1, next_time(), &head, &entry);
    assert_eq!(cup.send(&signed, &head, &entry).status, 200);
    assert!(cup.send(&signed, &head, &entry).error(409).contains("you have entered"));
    let withdraw = format!("DELETE /api/club/tournaments{path}/entry");
    let withdrawal = cup.sign(1, next_time(), &withdraw, "");
    assert_eq!(cup.send(&withdrawal, &withdraw, "").status, 200);
    assert!(cup.send(&signed, &head, &entry).error(409).contains("sign the request again"));
    assert_eq!(cup.enter(&path, 1).status, 200);
    assert!(cup.send(&withdrawal, &withdraw, "").error(409).contains("sign the request again"));
    assert_eq!(cup.enter(&path, 2).status, 200);
    // Only the organiser starts, declares and cancels.
    let start = format!("{path}/start");
    assert!(cup.signed(1, "POST", &start, &Value::Null).error(403).contains("only the organiser"));
    cup.start(&path);
    assert!(cup.signed(ORGANISER, "POST", &start, &Value::Null).error(409).contains("has started"));
    assert!(cup.enter(&path, 3).error(409).contains("has started"));
    let forfeit = format!("{path}/tables/1/1/forfeit");
    let absent = json!({ "absent": [0] });
    assert!(cup.signed(1, "POST", &forfeit, &absent).error(403).contains("only the organiser"));
    for (wrong, words) in
        [(json!([]), "name the absent"), (json!([2]), "each absent"), (json!([0, 0]), "each absent")]
    {
        let answer = cup.signed(ORGANISER, "POST", &forfeit, &json!({ "absent": wrong }));
        assert!(answer.error(422).contains(words));
    }
    assert!(cup.signed(1, "DELETE", &path, &Value::Null).error(403).contains("only the organiser"));
    let head = format!("POST /api/club/tournaments{forfeit}");
    let signed = cup.sign(ORGANISER, next_time(), &head, &absent.to_string());
    assert_eq!(cup.send(&signed, &head, &absent.to_string()).status, 200);
    assert!(cup.send(&signed, &head, &absent.to_string()).error(409).contains("sign the request again"));
    assert_eq!(cup.get(&path)["phase"], "finished");
}

#[test]
fn a_signature_for_another_club_is_refused() {
    let (cup, other) = (Cup::open(), Cup::open());
    assert_ne!(cup.identifier, other.identifier);
    let (head, body) = ("POST /api/club/tournaments", terms().to_string());
    let signed = cup.sign(ORGANISER, next_time(), head, &body);
    assert!(other.send(&signed, head, &body).error(401).contains("does not verify"));
}

#[test]
fn an_open_tournament_is_cancelled_and_stays_so() {
    let cup = Cup::open();
    let path = cup.create(&terms());
    assert!(
        cup.signed(ORGANISER, "POST", &format!("{path}/start"), &Value::Null)
            .error(409)
            .contains("not enough")
    );
    cup.enter(&path, 1);
    assert_eq!(cup.signed(ORGANISER, "DELETE", &path, &Value::Null).status, 200);
    assert_eq!(cup.get(&path)["phase"], "cancelled");
    assert!(cup.enter(&path, 2).error(409).contains("was cancelled"));
    assert!(cup.signed(ORGANISER, "DELETE", &path, &Value::Null).error(409).contains("was cancelled"));
    assert_eq!(cup.club.get("tournaments?phase=open").json()["tournaments"], json!([]));
}

#[test]
fn terms_that_cannot_be_used_are_refused_with_a_reason() {
    let cup = Cup::open();
    let with = |name: &str, value: Value| {
        let mut terms = terms();
        terms[name] = value;
        terms
    };
    for (terms, status, words) in [
        (with("name", json!("")), 422, "a name of 1 to 64 bytes"),
        (with("name", json!("x".repeat(65))), 422, "a name of 1 to 64 bytes"),
        (with("game", json!("koon")), 404, "there is no game"),
        (with("seats", json!(9)), 422, ""),
        (with("system", json!("knockout")), 400, "unknown variant"),
        (with("rounds", json!(3)), 422, "follows from its players"),
        (with("stall_ms", json!(1_000)), 422, "30 seconds to 30 days"),
        (with("options", json!({ "colour": "red" })), 422, "colour"),
        (with("start_players", json!(1)), 422, "with 2 to 24 players"),
        (with("start_players", json!(25)), 422, "with 2 to 24 players"),
        (with("colour", json!("red")), 400, "unknown field"),
    ] {
        let answer = cup.signed(ORGANISER, "POST", "", &terms);
        assert!(answer.error(status).contains(words), "{terms}: {}", answer.text());
    }
    let mut swiss = with("system", json!("swiss"));
    for rounds in [0, 17] {
        swiss["rounds"] = json!(rounds);
        assert!(cup.signed(ORGANISER, "POST", "", &swiss).error(422).contains("1 to 16 rounds"));
    }
    let large = with("name", json!("x".repeat(20_000)));
    assert_eq!(cup.signed(ORGANISER, "POST", "", &large).error(413), "the body is too large");
    let path = cup.create(&terms());
    let entry = |name: &str, share: &str| {
        cup.signed(1, "PUT", &format!("{path}/entry"), &json!({ "name": name, "share": share })).error(422)
    };
    assert!(entry(" Ada", &"00".repeat(32)).contains("a name has"));
    assert!(entry("Ada", "00").contains("64 hexadecimal digits"));
    for (path, status) in
        [("tournaments/12", 400), ("tournaments?phase=late", 400), ("tournaments?player=1", 400)]
    {
        cup.club.get(path).error(status);
    }
    assert!(
        cup.club.get(&format!("tournaments/{}", "0".repeat(64))).error(404).contains("no such tournament")
    );
}

#[test]
fn tournaments_of_an_organiser_and_entries_of_a_player_are_limited() {
    let tournaments =
        TournamentLimits { per_organiser: 2, per_player: 1, unfinished: 3, total: 10, lifetime: 1_000 };
    let limits = ClubLimits { tournaments, ..ClubLimits::default() };
    let cup = Cup::of(TestClub::start(limits, unlimited()));
    let (first, second) = (cup.create(&terms()), cup.create(&terms()));
    assert!(cup.signed(ORGANISER, "POST", "", &terms()).error(429).contains("you organise too many"));
    assert_eq!(cup.signed(2, "POST", "", &terms()).status, 201);
    assert!(cup.signed(3, "POST", "", &terms()).error(507).contains("too many tournaments"));
    assert_eq!(cup.enter(&first, 1).status, 200);
    assert!(cup.enter(&second, 1).error(429).contains("you have entered too many"));
    assert_eq!(cup.get(&second)["players"], json!([]));
    for i in 2..=24 {
        assert_eq!(cup.enter(&first, i).status, 200);
    }
    assert!(cup.enter(&first, 25).error(409).contains("full"));
}

/// Entries at the same time are all stored: a change that meets another one is tried again.
#[test]
fn players_enter_at_the_same_time() {
    let cup = Cup::open();
    let path = cup.create(&terms());
    std::thread::scope(|scope| {
        for i in 1..=8 {
            let (cup, path) = (&cup, &path);
            scope.spawn(move || assert_eq!(cup.enter(path, i).status, 200));
        }
    });
    let state = cup.get(&path);
    let shares: std::collections::BTreeSet<String> =
        state["players"].as_array().unwrap().iter().map(|player| player["share"].to_string()).collect();
    assert_eq!(shares.len(), 8);
}
