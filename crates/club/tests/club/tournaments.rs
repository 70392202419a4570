//! Tournaments over HTTP: entries, rounds, results and standings.

use crate::common::{Answer, TestClub, identity, key, play, play_at};
use data_encoding::HEXLOWER;
use pentarchy_identity::{
    IdentityKey, PlayerRequest, SeedShare, request_digest, tournament_commitment, tournament_seed,
};
use pentarchy_table::TableRecord;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{SystemTime, UNIX_EPOCH};

/// The organiser of all tournaments here.
pub(crate) const ORGANISER: u8 = 40;

/// Returns a time at which no request was signed before: some minutes ago, later at each call.
pub(crate) fn next_time() -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    now - 280 + COUNT.fetch_add(1, Relaxed) % 500
}

/// Returns the body of a tournament of Kuhn poker.
pub(crate) fn terms() -> Value {
    json!({ "name": "Autumn Cup", "game": "kuhn", "seats": 2, "system": "round-robin", "stall_ms": 120_000 })
}

/// A club with tournaments.
pub(crate) struct Cup {
    pub(crate) club: TestClub,
    /// The identifier of the club, which signatures cover.
    pub(crate) identifier: String,
}

impl Cup {
    /// Starts a club that does not limit rates.
    pub(crate) fn open() -> Self {
        Self::of(TestClub::open())
    }

    /// Uses this club.
    pub(crate) fn of(club: TestClub) -> Self {
        let identifier = club.get("tournaments").json()["club"].as_str().unwrap().to_owned();
        Self { club, identifier }
    }

    /// Returns the header with which player `i` signs a request at this time.
    pub(crate) fn sign(&self, i: u8, time: u64, head: &str, body: &str) -> String {
        let (method, path) = head.split_once(' ').unwrap();
        let request = PlayerRequest { public_url: &self.identifier, method, path, body: body.as_bytes() };
        request.authorization(&IdentityKey::from_bytes([i; 32]), time)
    }

    /// Sends a request with this header. `head` is the method and the path.
    pub(crate) fn send(&self, authorization: &str, head: &str, body: &str) -> Answer {
        self.club.request(head, &[("authorization", authorization)], body.as_bytes())
    }

    /// Sends a request below `/api/club/tournaments` that player `i` signs now. `Null` is no body.
    pub(crate) fn signed(&self, i: u8, method: &str, path: &str, body: &Value) -> Answer {
        let head = format!("{method} /api/club/tournaments{path}");
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.send(&self.sign(i, next_time(), &head, &body), &head, &body)
    }

    /// Creates a tournament, which must be accepted, and returns its path.
    pub(crate) fn create(&self, terms: &Value) -> String {
        let answer = self.signed(ORGANISER, "POST", "", terms);
        assert_eq!(answer.status, 201, "{}", answer.text());
        format!("/{}", answer.json()["id"].as_str().unwrap())
    }

    /// Lets player `i` enter, and returns the answer.
    pub(crate) fn enter(&self, path: &str, i: u8) -> Answer {
        let entry = json!({ "name": format!("Player {i}"), "share": HEXLOWER.encode(&[i; 32]) });
        self.signed(i, "PUT", &format!("{path}/entry"), &entry)
    }

    /// Lets the organiser start the tournament, which must succeed, and returns it.
    pub(crate) fn start(&self, path: &str) -> Value {
        let answer = self.signed(ORGANISER, "POST", &format!("{path}/start"), &Value::Null);
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    }

    /// Returns a tournament.
    pub(crate) fn get(&self, path: &str) -> Value {
        let answer = self.club.get(&format!("tournaments{path}"));
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    }

    /// Publishes a record, and returns the reason why its result does not count; empty if it counts.
    pub(crate) fn publish(&self, record: &TableRecord) -> String {
        let answer = self.club.publish(&record.encode());
        assert!(answer.status < 300, "{}", answer.text());
        answer.json()["tournament"]["not_counted"].as_str().expect("a table of a tournament").to_owned()
    }

    /// Plays the game of a table of Kuhn poker, whose players are entered in the order 1, 2, 3, ….
    pub(crate) fn play(&self, table: &Value) -> TableRecord {
        let players = [0, 1].map(|seat| table["seats"][seat].as_u64().unwrap() as u8 + 1);
        let tag = tag(table);
        play_at("kuhn", players, |descriptor| descriptor.nonce[16..].copy_from_slice(&tag))
    }
}

/// Returns the tag of a table.
pub(crate) fn tag(table: &Value) -> Vec<u8> {
    HEXLOWER.decode(table["tag"].as_str().unwrap().as_bytes()).unwrap()
}

/// Returns 32 bytes of a JSON text.
fn bytes32(text: &Value) -> [u8; 32] {
    HEXLOWER.decode(text.as_str().unwrap().as_bytes()).unwrap().try_into().unwrap()
}

/// Returns the list of a JSON object.
fn list<'a>(object: &'a Value, name: &str) -> &'a Vec<Value> {
    object[name].as_array().unwrap()
}

#[test]
fn a_round_robin_is_played_from_entry_to_the_final_standings() {
    let cup = Cup::open();
    let path = cup.create(&terms());
    for i in [1, 2, 3] {
        assert_eq!(cup.enter(&path, i).status, 200);
    }
    let open = cup.get(&path);
    assert_eq!((open["phase"].as_str(), open["planned_rounds"].as_u64()), (Some("open"), Some(3)));
    assert!(open["secret"].is_null() && open["seed"].is_null(), "the server's share is secret");
    let mut state = cup.start(&path);
    assert_eq!(state["commitment"], open["commitment"]);
    let mut expected = [0.0; 3];
    for round in 0..3 {
        assert_eq!(list(&state, "rounds").len(), round + 1);
        let current = &state["rounds"][round];
        assert_eq!((list(current, "tables").len(), list(current, "byes").len()), (1, 1));
        expected[current["byes"][0].as_u64().unwrap() as usize] += 1.0;
        let table = &current["tables"][0];
        let record = cup.play(table);
        assert_eq!(cup.publish(&record), "");
        assert_eq!(cup.publish(&record), "", "it is published again, and counts once");
        state = cup.get(&path);
        let table = &state["rounds"][round]["tables"][0];
        let game = cup.club.get(&format!("games/{}", table["result"]["game"].as_str().unwrap())).json();
        for seat in 0..2 {
            let player = table["seats"][seat].as_u64().unwrap() as usize;
            expected[player] += f64::from(u8::from(game["seats"][seat]["result"] == "won"));
            assert_eq!(table["result"]["ranks"][seat], game["seats"][seat]["rank"]);
        }
    }
    assert_eq!(state["phase"], "finished");
    let standings = list(&state, "standings");
    assert!(standings.is_sorted_by(|a, b| a["points"].as_f64() >= b["points"].as_f64()));
    for standing in standings {
        let player = standing["player"].as_u64().unwrap() as usize;
        assert_eq!(standing["points"].as_f64(), Some(expected[player]));
        let results = list(standing, "results");
        assert_eq!(results.iter().filter(|result| **result == "bye").count(), 1);
        let sum: f64 = results.iter().filter_map(Value::as_f64).sum();
        assert_eq!(sum + 1.0, expected[player], "the bye counts one point");
    }
    let listed = cup.club.get("tournaments?phase=finished").json();
    assert_eq!(listed["tournaments"][0]["name"], "Autumn Cup");
    assert!(!list(&listed["tournaments"][0], "winners").is_empty());
    let own = cup.club.get(&format!("tournaments?player={}", key(2))).json();
    assert_eq!(list(&own, "tournaments").len(), 1);
    assert_eq!(list(&cup.club.get(&format!("tournaments?player={}", key(9))).json(), "tournaments").len(), 0);
}

/// Everything that a tournament shows can be checked: the seed follows from its parts, pairings from the seed, and all
/// requests are signed.
#[test]
fn anybody_can_check_seed_pairings_and_signatures() {
    let cup = Cup::open();
    let swiss = json!({ "name": "Swiss", "game": "kuhn", "seats": 2, "system": "swiss", "rounds": 2, "stall_ms": 120_000,
        "start_players": 4 });
    let path = cup.create(&swiss);
    for i in [1, 2, 3, 4] {
        assert_eq!(cup.get(&path)["phase"], "open");
        assert_eq!(cup.enter(&path, i).status, 200);
    }
    let state = cup.get(&path);
    assert_eq!(state["phase"], "running", "it starts by itself with four players");
    let (secret, seed) = (bytes32(&state["secret"]), bytes32(&state["seed"]));
    assert_eq!(bytes32(&state["commitment"]), tournament_commitment(&secret));
    let shares: Vec<SeedShare> = list(&state, "players")
        .iter()
        .map(|player| SeedShare { identity: bytes32(&player["identity"]), share: bytes32(&player["share"]) })
        .collect();
    assert_eq!(seed, tournament_seed(&secret, &bytes32(&state["id"]), &shares));
    let drawn = pentarchy_club::tournament::swiss_round(4, &[], &seed).unwrap();
    for (table, drawn) in list(&state["rounds"][0], "tables").iter().zip(drawn.tables) {
        assert_eq!(table["seats"], json!(drawn.seats));
    }
    let signature = |signed: &Value, head: &str, i: u8| {
        let (method, path) = head.split_once(' ').unwrap();
        let (time, body) = (signed["time"].as_u64().unwrap(), signed["body"].as_str().unwrap());
        let digest = request_digest(&cup.identifier, time, method, path, body.as_bytes());
        let bytes = HEXLOWER.decode(signed["signature"].as_str().unwrap().as_bytes()).unwrap();
        assert!(identity(i).public().verify(&digest, &bytes.try_into().unwrap()), "{head}");
    };
    signature(&state["signed"], "POST /api/club/tournaments", ORGANISER);
    for (i, player) in (1..).zip(list(&state, "players")) {
        signature(&player["signed"], &format!("PUT /api/club/tournaments{path}/entry"), i);
    }
    let forfeit = format!("{path}/tables/1/1/forfeit");
    assert_eq!(cup.signed(ORGANISER, "POST", &forfeit, &json!({ "absent": [1] })).status, 200);
    let state = cup.get(&path);
    let result = &state["rounds"][0]["tables"][0]["result"];
    assert_eq!(result["ranks"], json!([1, 0]));
    signature(&result["forfeit"], &format!("POST /api/club/tournaments{forfeit}"), ORGANISER);
    // The second round comes when the last result of the first one is there.
    assert_eq!(list(&state, "rounds").len(), 1);
    assert_eq!(cup.publish(&cup.play(&state["rounds"][0]["tables"][1])), "");
    assert_eq!(list(&cup.get(&path), "rounds").len(), 2);
}

/// A result counts only for the table whose tag the record carries, and only with its game, options, time and players.
#[test]
fn results_of_other_games_do_not_count() {
    let cup = Cup::open();
    let path = cup.create(&terms());
    for i in [1, 2] {
        cup.enter(&path, i);
    }
    let state = cup.start(&path);
    let table = &state["rounds"][0]["tables"][0];
    let seats = [0, 1].map(|seat| table["seats"][seat].as_u64().unwrap() as u8 + 1);
    let tag = tag(table);
    let untagged = cup.club.publish(&play("kuhn", seats, 7).encode());
    assert_eq!(untagged.status, 201);
    assert!(untagged.json()["tournament"].is_null(), "a game without the tag belongs to no tournament");
    let tagged = |game: &str, players: [u8; 2], stall: u32| {
        cup.publish(&play_at(game, players, |descriptor| {
            descriptor.nonce[16..].copy_from_slice(&tag);
            descriptor.stall_ms = stall;
        }))
    };
    assert!(tagged("tic-tac-toe", seats, 120_000).contains("the game or its options"));
    assert!(tagged("kuhn", seats, 60_000).contains("the time per move"));
    assert!(tagged("kuhn", [seats[1], seats[0]], 120_000).contains("in the order of its seats"));
    assert!(tagged("kuhn", [seats[0], 3], 120_000).contains("the players"));
    assert_eq!(cup.get(&path)["phase"], "running", "nothing has changed");
    assert_eq!(tagged("kuhn", seats, 120_000), "");
    assert_eq!(cup.get(&path)["phase"], "finished");
    let second = play_at("kuhn", seats, |descriptor| {
        descriptor.nonce = [9; 32];
        descriptor.nonce[16..].copy_from_slice(&tag);
    });
    assert!(cup.publish(&second).contains("another result"), "the first published game counts");
}

/// A link is stored by a player of the table and shown to the players of the table alone.
#[test]
fn links_are_for_the_players_of_a_table() {
    let cup = Cup::open();
    let path = cup.create(&terms());
    for i in [1, 2, 3, 4] {
        cup.enter(&path, i);
    }
    let state = cup.start(&path);
    let players = |place: usize| -> Vec<u8> {
        let seats = list(&state["rounds"][0]["tables"][place], "seats");
        seats.iter().map(|player| player.as_u64().unwrap() as u8 + 1).collect()
    };
    let (own, others) = (players(0), players(1));
    let link = format!("{path}/tables/1/1/link");
    let body = |link: &str| json!({ "link": link });
    let address = "https://play.example.org/t/abc#key";
    assert_eq!(cup.signed(own[1], "GET", &link, &Value::Null).json()["link"], Value::Null);
    assert!(cup.signed(others[0], "PUT", &link, &body(address)).error(403).contains("players of this table"));
    assert!(cup.signed(ORGANISER, "PUT", &link, &body(address)).error(403).contains("players of this table"));
    for malformed in ["", "javascript:/t/", "https://example.org/", "https://a/t/ b"] {
        assert!(cup.signed(own[0], "PUT", &link, &body(malformed)).error(422).contains("not the link"));
    }
    assert!(cup.signed(own[0], "PUT", &link, &body(&"x".repeat(400))).error(422).contains("not the link"));
    let shown = cup.signed(own[0], "PUT", &link, &body(address));
    assert_eq!(shown.status, 200);
    assert_eq!(shown.json()["rounds"][0]["tables"][0]["hosted_by"], 0);
    assert!(!shown.text().contains("play.example.org"), "the tournament does not show it");
    let seen = cup.signed(own[1], "GET", &link, &Value::Null);
    assert_eq!((seen.json()["link"].as_str(), seen.json()["seat"].as_u64()), (Some(address), Some(0)));
    assert!(cup.signed(others[0], "GET", &link, &Value::Null).error(403).contains("players of this table"));
    assert!(cup.club.get(&format!("tournaments{link}")).error(401).contains("sign the request"));
    for missing in ["0/1", "1/0", "1/9", "2/1"] {
        let missing = format!("{path}/tables/{missing}/link");
        assert!(cup.signed(own[0], "GET", &missing, &Value::Null).error(404).contains("no such table"));
    }
    assert_eq!(cup.publish(&cup.play(&state["rounds"][0]["tables"][0])), "");
    assert_eq!(cup.signed(own[1], "GET", &link, &Value::Null).json()["link"], Value::Null);
    assert!(cup.signed(own[0], "PUT", &link, &body(address)).error(409).contains("has a result"));
}

/// Tables of three: those without a table have a bye, and absent seats are beaten by all others.
#[test]
fn larger_tables_are_drawn_and_forfeited() {
    let cup = Cup::open();
    let three = json!({ "name": "Dice", "game": "liars-dice", "seats": 3, "system": "swiss", "rounds": 2,
        "stall_ms": 120_000 });
    let path = cup.create(&three);
    for i in 1..=7 {
        cup.enter(&path, i);
    }
    let state = cup.start(&path);
    assert_eq!(list(&state["rounds"][0], "tables").len(), 2);
    assert_eq!(list(&state["rounds"][0], "byes").len(), 1);
    for (place, absent) in [(1, json!([0, 2])), (2, json!([0]))] {
        let forfeit = format!("{path}/tables/1/{place}/forfeit");
        assert_eq!(cup.signed(ORGANISER, "POST", &forfeit, &json!({ "absent": absent })).status, 200);
    }
    let state = cup.get(&path);
    assert_eq!(list(&state, "rounds").len(), 2);
    // Two for the winner, one and a half for each of two who are left, and two for a bye in each round.
    let has_bye = |player: &Value| list(&state["rounds"][1], "byes").contains(player);
    let before = |standing: &Value| {
        standing["points"].as_f64().unwrap() - if has_bye(&standing["player"]) { 2.0 } else { 0.0 }
    };
    let mut points: Vec<f64> = list(&state, "standings").iter().map(before).collect();
    points.sort_by(|a, b| b.total_cmp(a));
    assert_eq!(points, [2.0, 2.0, 1.5, 1.5, 0.0, 0.0, 0.0]);
}
