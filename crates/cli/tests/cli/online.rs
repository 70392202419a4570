//! `serve`, `host` and `join` as people start them, in processes of their own: whole games between bots over loopback,
//! with a player and a server that are killed in the middle.

use crate::common::folder;
use crate::running::{PATIENCE, Running};
use pentarchy_identity::{key_fingerprint, short_name};
use pentarchy_keys::{Entropy, SigningSecret};
use pentarchy_lobby::{Lobby, LobbyAction, LobbyEvent, LobbyOutput, TableSetup};
use pentarchy_net::{Dialer, HostTag, Invite, InviteKey, NativeTransport, NetEvent, OwnerSecret};
use pentarchy_server::{BackgroundServer, ServerConfig};
use pentarchy_table::{Recovery, SessionEvent};
use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// Returns a path as text. Panics if it is no UTF-8.
pub(crate) fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

/// Returns a port of loopback that is free now.
pub(crate) fn free_port() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string()
}

/// Returns the whole answer of the server at this port of loopback to `GET path`; empty if there is none.
pub(crate) fn ask(port: &str, path: &str) -> String {
    let ask = || -> std::io::Result<String> {
        let mut stream = TcpStream::connect(format!("127.0.0.1:{port}"))?;
        write!(stream, "GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    };
    ask().unwrap_or_default()
}

#[test]
fn a_host_and_a_guest_play_and_both_have_the_record() {
    let folder = folder("online-kuhn");
    let (data, ada, bob) = (text(&folder), text(&folder.join("ada.rec")), text(&folder.join("bob.rec")));
    let common = ["--bot", "random", "--data", &data];
    let host = ["host", "kuhn", "--port", "0", "--name", "Ada", "--record", &ada];
    let mut host = Running::start(&[&host[..], &common].concat());
    let link = host.until("/t/");
    let mut guest =
        Running::start(&[&["join", &link, "--name", "Bob", "--record", &bob][..], &common].concat());
    for peer in [&mut guest, &mut host] {
        peer.until("fingerprint");
        peer.until("The game is over.");
        assert_eq!(peer.end(), Some(0), "{}", peer.said);
    }
    for record in [&ada, &bob] {
        let mut verify = Running::start(&["verify", record]);
        assert_eq!(verify.end(), Some(0));
    }
    let kept = std::fs::read_dir(&folder).unwrap().filter(|file| {
        file.as_ref().unwrap().path().extension().is_some_and(|extension| extension == "seat")
    });
    assert_eq!(kept.count(), 0, "a game that is over is not kept");
}

#[test]
fn a_person_plays_in_the_terminal_and_talks() {
    let folder = folder("online-person");
    let data = text(&folder);
    let host = ["host", "kuhn", "--port", "0", "--name", "Ada", "--bot", "random", "--data", &data];
    let mut host = Running::start(&[&host[..], &["--stun", "stun:stun.example.org"]].concat());
    let link = host.until("/t/");
    let port = link.split("/t/").next().unwrap().rsplit(':').next().unwrap();
    let told = ask(port, "/api/ice");
    assert!(told.ends_with(r#"{"servers":["stun:stun.example.org"]}"#), "what pages are told: {told}");
    let mut guest = Running::start(&["join", &link, "--name", "Bob", "--data", &data]);
    guest.until("Do you accept these terms?");
    guest.types("yes");
    guest.until("fingerprint");
    guest.types("help");
    guest.until("to the others at the table");
    guest.types("say Good evening");
    host.until("Bob: Good evening");
    // Whenever something is asked, perhaps before the help was read, the first action of the list is taken by its number.
    if guest.said.lines().any(|line| line.trim_start().starts_with("1  ")) {
        guest.types("1");
    }
    while !guest.until("").contains("The game is over.") {
        if guest.said.lines().last().is_some_and(|line| line.trim_start().starts_with("1  ")) {
            guest.types("1");
        }
    }
    guest.until("all seats agree");
    assert_eq!((guest.end(), host.end()), (Some(0), Some(0)), "{}", guest.said);
}

#[test]
fn players_who_are_never_online_together_finish_a_game() {
    let (data, port) = (text(&folder("online-days")), free_port());
    let mut server = Running::start(&["serve", "--port", &port]);
    server.until("Pentarchy is at");
    let url = format!("http://127.0.0.1:{port}");
    let mut ada =
        Running::start(&["host", "tic-tac-toe", "--server", &url, "--name", "Ada", "--data", &data]);
    let link = ada.until("/t/");
    let mut bob = Running::start(&["join", &link, "--name", "Bob", "--data", &data, "--accept"]);
    bob.until("fingerprint");
    while !ada.until("").trim_start().starts_with("1  ") {}
    for peer in [&mut bob, &mut ada] {
        peer.types("quit");
        peer.until("Left.");
        assert_eq!(peer.end(), Some(0), "{}", peer.said);
    }
    // From now on one of them is there at a time. Each takes the first action of the list.
    let mut over = 0;
    for visit in 0..20 {
        let (name, other) = if visit % 2 == 0 { ("Ada", "Bob") } else { ("Bob", "Ada") };
        let mut peer = Running::start(&["join", &link, "--name", name, "--data", &data]);
        let is_over = loop {
            let line = peer.until("");
            if line.contains("The game is over.") || line.trim_start().starts_with("1  ") {
                break line.contains("The game is over.");
            }
        };
        if is_over {
            over += 1;
        } else {
            peer.types("1");
            peer.until(&format!("Saved for {other}, who is offline."));
            peer.types("quit");
            peer.until("Left.");
        }
        assert_eq!(peer.end(), Some(0), "{}", peer.said);
        if over == 2 {
            return;
        }
    }
    panic!("the game does not end");
}

#[test]
fn a_host_mutes_and_removes_a_guest_before_the_game() {
    let data = text(&folder("online-remove"));
    let common = ["--data", &data, "--name"];
    let host = ["host", "hegemony", "--seats", "3", "--port", "0"];
    let mut host = Running::start(&[&host[..], &common, &["Ada"]].concat());
    let link = host.until("/t/");
    let mut bob = Running::start(&[&["join", &link][..], &common, &["Bob"]].concat());
    host.until(", Bob (");
    bob.types("say first");
    host.until("Bob: first");
    host.types("mute bob");
    host.until("Bob is muted");
    bob.types("say second");
    bob.types("remove Ada");
    bob.until("Only the host can remove somebody");
    host.types("remove Eve");
    host.until("There is nobody called `Eve` here. At the table: Bob.");
    host.types("remove Bob");
    host.until("Bob is removed.");
    assert_eq!(bob.end(), Some(2), "{}", bob.said);
    let mut cy = Running::start(&[&["join", &link][..], &common, &["Cy"]].concat());
    host.until(", Cy (");
    cy.types("say hello");
    host.until("Cy: hello");
    assert!(!host.said.contains("second"), "{}", host.said);
}

#[test]
fn a_game_survives_the_death_of_a_player_and_of_the_server() {
    let folder = folder("online-hegemony");
    let (data, port) = (text(&folder), free_port());
    let log = folder.join("server.log");
    let serve = || {
        let file = OpenOptions::new().create(true).append(true).open(&log).unwrap();
        let mut server = Running::start_logged(&["serve", "--port", &port, "--log", "debug"], file.into());
        server.until("Pentarchy is at");
        server
    };
    let server = serve();
    assert!(ask(&port, "/health").contains("\"ok\""));
    assert!(ask(&port, "/api/ice").ends_with(r#"{"servers":[]}"#), "nobody is named to pages by default");
    let url = format!("http://127.0.0.1:{port}");
    let common = ["--bot", "random", "--data", &data];
    let host = ["host", "hegemony", "--seats", "3", "--server", &url, "--name", "Ada", "--listed"];
    let mut ada = Running::start(&[&host[..], &common].concat());
    let link = ada.until("/t/");
    let join = |name: &str| Running::start(&[&["join", &link, "--name", name][..], &common].concat());
    let mut bob = join("Bob");
    let mut cy = join("Cy");
    cy.until("fingerprint");
    cy.some(10);
    cy.kill();
    let mut cy = join("Cy");
    cy.until("Resuming");
    cy.some(10);
    server.kill();
    bob.until("No connection");
    let _server = serve();
    for peer in [&mut ada, &mut bob, &mut cy] {
        peer.until("The game is over.");
        assert_eq!(peer.end(), Some(0), "{}", peer.said);
    }
    // What is logged tells what happens, and nothing by which somebody could join: not even the table's whole name.
    let log = std::fs::read_to_string(&log).unwrap();
    assert!(log.contains("INFO") && log.contains("table="), "{log}");
    let (table, secret) = link.rsplit('/').next().unwrap().split_once('#').unwrap();
    for word in [table, secret.trim(), "Ada", "Bob"] {
        assert!(!log.contains(word), "`{word}` is in the log:\n{log}");
    }
}

/// Returns the game of exactly this name from the registry; `None` if there is none.
pub(crate) fn find(name: &str) -> Option<&'static dyn pentarchy_engine::AnyGame> {
    pentarchy_registry::find(name).ok()
}

/// Sits at a table in this process as Mallory until `done` gets a message or is closed, and signs two different actions
/// where one is asked for. With a `setup`, hosts the table. Panics after [`PATIENCE`].
fn two_faced(invite: &Invite, identity: [u8; 32], setup: Option<TableSetup>, done: &Receiver<()>) {
    let identity = || SigningSecret::from_bytes(&identity);
    let lobby =
        |setup| Lobby::new(find, identity(), "Mallory", invite.host, setup, [7; 32], Entropy::new([8; 32]));
    let net = NativeTransport::connect(&Dialer::default(), invite, &identity(), [8; 32]).unwrap();
    let (mut me, begin) = (lobby(setup), Instant::now());
    let (mut outputs, mut kept, mut others) = (me.start(), Vec::new(), Vec::new());
    while done.try_recv().is_err() {
        let mut asked = false;
        for output in outputs.drain(..) {
            match output {
                LobbyOutput::Action(LobbyAction::Send(peer, message)) => net.send(peer, message),
                LobbyOutput::Action(LobbyAction::SendBulk(peer, message)) => net.send_bulk(peer, message),
                LobbyOutput::Action(LobbyAction::Persist(item)) => kept.push(item),
                LobbyOutput::Event(LobbyEvent::Session(SessionEvent::Choose)) => asked = true,
                _ => {}
            }
        }
        if asked {
            let choices = me.session().unwrap().position().legal().unwrap();
            // The same seat once more, as it was stored: it knows nothing of what it has already signed.
            let mut twin = lobby(None);
            twin.restore(kept.clone().into_iter()).unwrap();
            for up in &others {
                twin.handle_event(NetEvent::clone(up));
            }
            outputs = me.choose_action(&choices[0].canonical);
            let second = twin.choose_action(&choices[1].canonical);
            outputs.extend(second.into_iter().filter(|output| {
                matches!(output, LobbyOutput::Action(LobbyAction::Send(..) | LobbyAction::SendBulk(..)))
            }));
            continue;
        }
        if let Some(event) = net.next_event(Duration::from_millis(20)) {
            others.extend(Some(event.clone()).filter(|event| matches!(event, NetEvent::PeerUp { .. })));
            outputs = me.handle_event(event);
        }
        outputs.extend(me.tick(begin.elapsed().as_millis() as u64));
        assert!(begin.elapsed() < PATIENCE, "nobody minds");
    }
}

/// Asserts that the terminal says that Mallory at this seat has cheated and keeps the proof in `folder`, that
/// `pentarchy verify` accepts the proof and names the identity `mallory`, and that it rejects an altered one.
fn proves(terminal: &mut Running, seat: u8, folder: &Path, mallory: &[u8; 32]) {
    terminal.until("Mallory has cheated: signed two different messages");
    let said = terminal.until("The proof is in ");
    let proof = said.split("The proof is in ").nth(1).unwrap().split(": `pentarchy").next().unwrap();
    assert_eq!(Path::new(proof).parent(), Some(folder));
    let mut verify = Running::start(&["verify", proof]);
    let verdict = verify.until("cheated");
    let named = format!("evidence: seat {seat} (Mallory) cheated at event ");
    assert!(verdict.contains(": sound") && verdict.contains(&named), "{verdict}");
    let (name, fingerprint) = (short_name(mallory), key_fingerprint(mallory));
    assert!(terminal.said.contains(&name) && terminal.said.contains(&fingerprint), "{}", terminal.said);
    verify.until(&format!("Mallory: {name} (fingerprint {fingerprint})"));
    assert_eq!(verify.end(), Some(0));
    // With another signature under one of the two messages it proves nothing.
    let mut bytes = std::fs::read(proof).unwrap();
    let signature = bytes.len() - 2;
    bytes[signature] ^= 1;
    std::fs::write(proof, bytes).unwrap();
    assert_eq!(Running::start(&["verify", proof]).end(), Some(1));
}

#[test]
fn a_terminal_keeps_the_proof_that_a_guest_or_the_host_has_cheated() {
    let folder = folder("online-cheat");
    let data = text(&folder);
    let terminal = ["--name", "Ada", "--bot", "random", "--data", &data];
    let mut host = Running::start(&[&["host", "kuhn", "--port", "0"][..], &terminal].concat());
    let invite: Invite = host.until("/t/").trim().parse().unwrap();
    let (done, until) = mpsc::channel();
    let guest = std::thread::spawn(move || two_faced(&invite, [1; 32], None, &until));
    proves(&mut host, 1, &folder, SigningSecret::from_bytes(&[1; 32]).public().bytes());
    done.send(()).unwrap();
    guest.join().unwrap();

    let server = BackgroundServer::start(ServerConfig { port: 0, ..ServerConfig::default() }).unwrap();
    let identity = [2; 32];
    let invite = Invite {
        server: format!("http://{}", server.address()),
        owner: OwnerSecret::new([3; 32]).tag(),
        key: InviteKey([4; 16]),
        host: HostTag::of(SigningSecret::from_bytes(&identity).public().bytes()),
    };
    let mut guest = Running::start(&[&["join", &invite.to_string()][..], &terminal].concat());
    let setup = TableSetup {
        game: find("kuhn").unwrap(),
        options: serde_json::Value::Null,
        seats: 2,
        recovery: Recovery::End,
        stall_ms: 200_000,
        starts_automatically: true,
        tag: None,
    };
    let (done, until) = mpsc::channel();
    let host = std::thread::spawn(move || two_faced(&invite, identity, Some(setup), &until));
    proves(&mut guest, 0, &folder, SigningSecret::from_bytes(&identity).public().bytes());
    done.send(()).unwrap();
    host.join().unwrap();
}

#[test]
fn a_second_program_with_the_same_identity_is_refused_and_the_first_plays_on() {
    let folder = folder("online-twin");
    let data = text(&folder);
    let shared = text(&folder.join("shared.identity"));
    let mut host =
        Running::start(&["host", "vires", "--port", "0", "--seats", "3", "--name", "Ada", "--data", &data]);
    let link = host.until("/t/");
    let join = |name: &str, identity: &str| {
        let args =
            ["join", &link, "--name", name, "--data", &data, "--bot", "random", "--identity", identity];
        Running::start_logged(&args, Stdio::piped())
    };
    let why = |mut running: Running| {
        assert_eq!(running.end(), Some(2), "{}", running.said);
        let mut said = String::new();
        running.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        said
    };
    let mut bob = join("Bob", &shared);
    host.until("Bob (");
    let said = why(join("Robert", &shared));
    assert!(said.contains("your identity is at this table already"), "{said}");
    let said = why(join("Ada again", &text(&folder.join("Ada.identity"))));
    assert!(said.contains("your identity hosts this table") && said.contains("--identity"), "{said}");
    // The seat of the first one is still taken, under its name: one more makes the table complete.
    let mut eve = join("Eve", &text(&folder.join("Eve.identity")));
    for peer in [&mut bob, &mut eve, &mut host] {
        peer.until("fingerprint");
    }
    assert!(!host.said.contains("Robert"), "{}", host.said);
}

#[test]
fn links_and_ports_that_cannot_be_used_are_explained() {
    let mut join = Running::start(&["join", "http://localhost:7878/t/abc"]);
    assert_eq!(join.end(), Some(2));
    let mut host = Running::start(&["host", "kuhn", "--seats", "9", "--port", "0"]);
    assert_eq!(host.end(), Some(2));
    for stun in [&["--stun", "turn:x"][..], &["--stun", "x"], &["--stun", "stun:x"].repeat(5)] {
        let mut serve = Running::start(&[&["serve", "--port", "0"], stun].concat());
        assert_eq!(serve.end(), Some(2), "{stun:?}");
    }
    let port = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut serve = Running::start(&["serve", "--port", &port.local_addr().unwrap().port().to_string()]);
    assert_eq!(serve.end(), Some(2));
}
