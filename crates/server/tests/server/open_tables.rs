//! The list of open tables.

use crate::common::{Answer, Peer, get, invite, proof, request, start, table};
use pentarchy_server::{Limits, Rate};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Duration;

/// Returns a valid description of an open table of this game, as JSON.
fn listing(game: &str) -> Value {
    json!({ "game": game, "title": "Evening", "host": "Ada", "seats": 3, "taken": 1, "key": invite(5).secret_part() })
}

/// Sends a request about table `i` with this method, the proof of the owner of table `secret` if given, and this body.
/// Returns the answer.
fn ask(at: SocketAddr, verb: &str, i: u8, secret: Option<u8>, body: &str) -> Answer {
    let bearer = secret.map(|i| format!("Bearer {}", proof(i).to_text()));
    let headers: Vec<(&str, &str)> = bearer.iter().map(|value| ("authorization", value.as_str())).collect();
    request(at, &format!("{verb} /api/tables/{}", table(i)), &headers, body)
}

/// Lists table `i` with this description, as its owner, and returns the answer.
fn put(at: SocketAddr, i: u8, listing: &Value) -> Answer {
    ask(at, "PUT", i, Some(i), &listing.to_string())
}

#[test]
fn tables_are_listed_found_and_removed() {
    let server = start(Limits::default());
    let at = server.address();
    assert_eq!(get(at, "/api/tables").json(), json!({ "tables": [] }));
    assert_eq!(put(at, 1, &listing("kuhn")).status, 201);
    assert_eq!(put(at, 1, &listing("kuhn")).status, 200, "renewed");
    assert_eq!(put(at, 2, &listing("hegemony")).status, 201);
    let tables = get(at, "/api/tables").json();
    assert_eq!(tables["tables"].as_array().unwrap().len(), 2);
    let kuhn = get(at, "/api/tables?game=kuhn").json();
    let [entry] = &kuhn["tables"].as_array().unwrap()[..] else { panic!("{kuhn}") };
    assert_eq!(
        (entry["id"].as_str(), entry["host"].as_str()),
        (Some(table(1).to_string().as_str()), Some("Ada"))
    );
    assert_eq!(
        (entry["seats"].as_u64(), entry["taken"].as_u64(), entry["members"].as_u64()),
        (Some(3), Some(1), Some(0))
    );

    assert_eq!(ask(at, "DELETE", 1, Some(1), "").status, 200);
    assert_eq!(ask(at, "DELETE", 1, Some(1), "").status, 404);
    assert_eq!(ask(at, "GET", 1, None, "").status, 404);
    assert_eq!(ask(at, "GET", 2, None, "").json()["game"], "hegemony");
}

#[test]
fn a_private_table_is_seen_by_those_who_know_its_name() {
    let server = start(Limits::default());
    let at = server.address();
    let _peer = Peer::enter(at, 7);
    assert_eq!(get(at, "/api/tables").json(), json!({ "tables": [] }));
    assert_eq!(ask(at, "GET", 7, None, "").json(), json!({ "id": table(7).to_string(), "members": 1 }));
}

#[test]
fn only_the_owner_changes_an_entry() {
    let server = start(Limits::default());
    let at = server.address();
    assert_eq!(put(at, 1, &listing("kuhn")).status, 201);
    let text = listing("leduc").to_string();
    assert_eq!(ask(at, "PUT", 1, None, &text).status, 401);
    assert_eq!(ask(at, "PUT", 1, Some(2), &text).status, 403);
    assert_eq!(ask(at, "DELETE", 1, Some(2), "").status, 403);
    let bad = [("authorization", "Bearer x")];
    assert_eq!(request(at, &format!("PUT /api/tables/{}", table(1)), &bad, &text).status, 401);
    assert_eq!(ask(at, "GET", 1, None, "").json()["game"], "kuhn");
}

#[test]
fn what_is_no_table_is_refused_with_a_reason() {
    let server = start(Limits::default());
    let at = server.address();
    let mut odd = listing("kuhn");
    odd["colour"] = json!("red");
    let mut bad = listing("kuhn");
    bad["seats"] = json!(99);
    for (body, status, words) in [
        ("{".to_owned(), 400, "not a table"),
        (odd.to_string(), 400, "colour"),
        ("[]".to_owned(), 400, "not a table"),
        (bad.to_string(), 422, "seats"),
        ("x".repeat(5_000), 413, ""),
    ] {
        let answer = ask(at, "PUT", 1, Some(1), &body);
        assert_eq!(answer.status, status, "{body:.40}");
        assert!(answer.text().contains(words), "{}", answer.text());
    }
    assert_eq!(get(at, "/api/tables/none").status, 404);
    assert_eq!(request(at, "POST /api/tables", &[], "{}").status, 405);
}

#[test]
fn entries_are_limited_and_vanish() {
    let limits = Limits {
        listings_per_address: 2,
        listing_lifetime: Duration::from_secs(2),
        request_rate: Rate { burst: 10_000, per_second: 10_000 },
        ..Limits::default()
    };
    let server = start(limits);
    let at = server.address();
    for i in 1..=2 {
        assert_eq!(put(at, i, &listing("kuhn")).status, 201);
    }
    assert_eq!(put(at, 3, &listing("kuhn")).status, 429);
    crate::common::eventually("the entries vanish", || {
        get(at, "/api/tables").json() == json!({ "tables": [] })
    });
    assert_eq!(put(at, 3, &listing("kuhn")).status, 201);
}

#[test]
fn requests_are_counted() {
    let rate = Rate { burst: 5, per_second: 0 };
    let server = start(Limits { request_rate: rate, ..Limits::default() });
    let answers: Vec<u16> = (0..8).map(|_| get(server.address(), "/api/tables").status).collect();
    assert_eq!(answers.iter().filter(|&&status| status == 200).count(), 5, "{answers:?}");
    assert_eq!(answers[7], 429);
    assert_eq!(get(server.address(), "/api/ice").status, 429);
    assert_eq!(get(server.address(), "/").status, 200, "the page has a rate of its own");
}

#[test]
fn other_web_sites_change_nothing() {
    let server = start(Limits::default());
    let at = server.address();
    let send = |verb: &str, origin: &str, body: &str| {
        let bearer = format!("Bearer {}", proof(1).to_text());
        let headers = [("authorization", bearer.as_str()), ("origin", origin)];
        request(at, &format!("{verb} /api/tables/{}", table(1)), &headers, body).status
    };
    let (evil, own, body) = ("https://evil.example", format!("http://{at}"), listing("kuhn").to_string());
    assert_eq!(send("PUT", evil, &body), 403);
    assert_eq!(send("GET", evil, ""), 404, "nothing was listed; reading is allowed");
    assert_eq!(send("PUT", &own, &body), 201);
    assert_eq!(send("DELETE", evil, ""), 403);
    assert_eq!(send("DELETE", &own, ""), 200);
}

#[test]
fn only_a_trusted_proxy_names_the_client() {
    let limits = Limits { listings_per_address: 1, ..Limits::default() };
    let serve = |proxy: [u8; 4]| {
        let (limits, proxies) = (limits.clone(), vec![proxy.into()]);
        let config = pentarchy_server::ServerConfig { port: 0, limits, proxies, ..Default::default() };
        pentarchy_server::BackgroundServer::start(config).unwrap()
    };
    let put = |at, i: u8, lines: &[&str]| {
        let bearer = format!("Bearer {}", proof(i).to_text());
        let mut headers = vec![("authorization", bearer.as_str())];
        headers.extend(lines.iter().map(|line| ("x-forwarded-for", *line)));
        let head = format!("PUT /api/tables/{}", table(i));
        request(at, &head, &headers, &listing("kuhn").to_string()).status
    };
    let server = serve([127, 0, 0, 1]);
    let at = server.address();
    assert_eq!(put(at, 1, &["10.0.0.1"]), 201);
    assert_eq!(put(at, 2, &["10.0.0.9, 10.0.0.1"]), 429, "the last entry is the proxy's");
    assert_eq!(put(at, 2, &["10.0.0.9", "10.0.0.1"]), 429, "and so is the last line");
    assert_eq!(put(at, 2, &["10.0.0.2"]), 201);
    // The header is ignored in requests that do not come from the proxy.
    let server = serve([10, 0, 0, 77]);
    let at = server.address();
    assert_eq!((put(at, 1, &["10.0.0.1"]), put(at, 2, &["10.0.0.2"])), (201, 429));
}
