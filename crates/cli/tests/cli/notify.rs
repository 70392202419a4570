//! Notifications from end to end: two terminal programs play over days, and the server notifies one of them.

use crate::common::folder;
use crate::online::{free_port, text};
use crate::running::{PATIENCE, Running};
use pentarchy_identity::{IdentityFile, IdentityKey, PlayerRequest};
use pentarchy_net::Dialer;
use pentarchy_net::http_types::Request;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{SystemTime, UNIX_EPOCH};

/// Starts a receiver of webhooks on a free port. Returns its address and the bodies that it receives.
fn webhook_receiver() -> (SocketAddr, Receiver<Value>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (tell, bodies) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            receive(stream, &tell);
        }
    });
    (address, bodies)
}

/// Receives one webhook, passes its body on and accepts it. Does nothing if the connection breaks.
fn receive(mut stream: TcpStream, tell: &Sender<Value>) -> Option<()> {
    let mut input = BufReader::new(stream.try_clone().ok()?);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        input.read_line(&mut head).ok().filter(|read| *read > 0)?;
    }
    let head = head.to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok())?;
    let mut body = vec![0; length];
    input.read_exact(&mut body).ok()?;
    tell.send(serde_json::from_slice(&body).ok()?).ok()?;
    stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n").ok()
}

/// Sends a request that a player has signed now, and returns the JSON of the response. Panics if it is refused.
fn signed(url: &str, key: &IdentityKey, method: &str, path: &str, body: &str) -> Value {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let request = PlayerRequest { public_url: url, method, path, body: body.as_bytes() };
    let request = Request::builder()
        .method(method)
        .uri(format!("{url}{path}"))
        .header("authorization", request.authorization(key, now))
        .body(body.as_bytes().to_vec())
        .unwrap();
    let response = Dialer::default().fetch(request, PATIENCE, 1 << 20).unwrap();
    let text = String::from_utf8_lossy(response.body()).into_owned();
    assert!(response.status().is_success(), "{text}");
    serde_json::from_str(&text).unwrap()
}

/// Waits until a player is asked to choose, or the game is over. Returns whether they are asked.
fn is_asked(peer: &mut Running) -> bool {
    loop {
        let line = peer.until("");
        if line.contains("The game is over.") || line.trim_start().starts_with("1  ") {
            return !line.contains("The game is over.");
        }
    }
}

#[test]
fn each_turn_of_a_player_who_is_away_is_one_webhook() {
    let (data, port) = (text(&folder("notify-days")), free_port());
    let url = format!("http://127.0.0.1:{port}");
    let stored = text(&folder("notify-server"));
    let serve = ["serve", "--port", &port, "--data", &stored, "--public-url", &url];
    let mut server = Running::start(&[&serve[..], &["--allow-private-webhooks"]].concat());
    server.until("Pentarchy is at");
    let (sink, bodies) = webhook_receiver();
    let mut ada =
        Running::start(&["host", "tic-tac-toe", "--server", &url, "--name", "Ada", "--data", &data]);
    let link = ada.until("/t/");
    let join = |name: &str| {
        let asks: &[&str] = if name == "Bob" { &["--notify", "--accept"] } else { &[] };
        Running::start(&[&["join", &link, "--name", name, "--data", &data][..], asks].concat())
    };
    let mut bob = join("Bob");
    bob.until("fingerprint");
    bob.until("The server notifies you when it is your turn");
    let file = std::fs::read_to_string(Path::new(&data).join("Bob.identity")).unwrap();
    let key = IdentityFile::parse(&file).unwrap().open(None).unwrap();
    let hook = json!({ "channel": "webhook", "address": format!("http://{sink}/hook") }).to_string();
    signed(&url, &key, "POST", "/api/notify/subscriptions", &hook);
    assert!(is_asked(&mut ada), "Ada begins");
    for peer in [&mut bob, &mut ada] {
        peer.types("quit");
        peer.until("Left.");
        assert_eq!(peer.end(), Some(0), "{}", peer.said);
    }
    // Ada and Bob take turns, never together, and each visits once more without a move: that is no new turn.
    let mut turns = Vec::new();
    for _ in 0..2 {
        for is_moving in [true, false] {
            let mut ada = join("Ada");
            if is_moving {
                assert!(is_asked(&mut ada));
                ada.types("1");
                ada.until("Saved for Bob, who is offline.");
            } else {
                ada.until("Resuming");
            }
            ada.types("quit");
            ada.until("Left.");
            assert_eq!(ada.end(), Some(0), "{}", ada.said);
        }
        let message = bodies.recv_timeout(PATIENCE).unwrap();
        assert_eq!((&message["type"], &message["seat"]), (&json!("turn"), &json!(1)), "{message}");
        assert_eq!(message["label"], "Tic-tac-toe with Ada");
        assert_eq!(
            format!("{}#", message["url"].as_str().unwrap()),
            link.split_inclusive('#').next().unwrap()
        );
        turns.push(message["turn"].as_u64().unwrap());
        let mut bob = join("Bob");
        assert!(is_asked(&mut bob));
        bob.types("1");
        bob.until("Saved for Ada, who is offline.");
        bob.types("quit");
        bob.until("Left.");
        assert_eq!(bob.end(), Some(0), "{}", bob.said);
    }
    assert_eq!(turns, [2, 4], "the events that the table waits for");
    let all = signed(&url, &key, "GET", "/api/notify/player", "");
    let messages = all["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 2, "one message for each turn: {all}");
    assert!(bodies.try_recv().is_err(), "nothing else was sent");
    assert_eq!((&all["seats"][0]["turn"], &all["seats"][0]["waiting"]), (&json!(5), &json!([0])), "{all}");
}
