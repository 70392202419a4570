//! Whole matches between peers in threads, over a real server on the loopback interface, with crashes of peers and of the
//! server.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper of a test fails as a test does")]

use pentarchy_engine::any::any;
use pentarchy_engine::record::RecordKind;
use pentarchy_engine::{AnyGame, Rng, Seat};
use pentarchy_keys::{Entropy, SigningSecret};
use pentarchy_lobby::{Lobby, LobbyAction, LobbyEvent, LobbyOutput, TableSetup};
use pentarchy_net::{Dialer, HostTag, Invite, InviteKey, NativeTransport, NetEvent, OwnerSecret};
use pentarchy_server::{BackgroundServer, ServerConfig};
use pentarchy_table::{Recovery, SessionEvent};
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Numbers the tables of this process.
static NEXT_TABLE: AtomicU32 = AtomicU32::new(0);

const PATIENCE: Duration = Duration::from_secs(240);

fn find(name: &str) -> Option<&'static dyn AnyGame> {
    let games: [&'static dyn AnyGame; 3] = [
        any::<pentarchy_classics::Kuhn>(),
        any::<pentarchy_classics::TicTacToe>(),
        any::<pentarchy_ozymandias::Ozymandias>(),
    ];
    games.into_iter().find(|game| game.info().name == name)
}

fn secret(i: u8) -> SigningSecret {
    SigningSecret::new(Entropy::new([i; 32]))
}

/// The state that all peers of a test share.
struct Table {
    invite: Invite,
    game: &'static str,
    seats: u8,
    /// The largest number of events at any peer.
    furthest: AtomicU32,
    /// The number of peers that have finished.
    finished: AtomicU32,
}

impl Table {
    fn new(port: u16, game: &'static str, seats: u8) -> Arc<Self> {
        let invite = Invite {
            server: format!("http://127.0.0.1:{port}"),
            // A table of its own for each match.
            owner: OwnerSecret::new([NEXT_TABLE.fetch_add(1, SeqCst) as u8; 32]).tag(),
            key: InviteKey([5; 16]),
            host: HostTag::of(secret(0).public().bytes()),
        };
        let zero = || AtomicU32::new(0);
        Arc::new(Self { invite, game, seats, furthest: zero(), finished: zero() })
    }
}

/// The items that a peer has stored. They survive a crash of the peer.
type Disk = Arc<Mutex<Vec<Vec<u8>>>>;

/// The final state of a peer.
struct End {
    head: [u8; 32],
    digest: String,
    record: Option<Vec<u8>>,
}

/// Creates the transport and the lobby of a peer, with what it has stored.
fn connect(table: &Table, i: u8, disk: &Disk) -> (NativeTransport, Lobby) {
    let setup = (i == 0).then(|| TableSetup {
        game: find(table.game).unwrap(),
        options: serde_json::Value::Null,
        seats: table.seats,
        recovery: Recovery::End,
        stall_ms: 200_000,
        starts_automatically: true,
        tag: None,
    });
    let stored = disk.lock().unwrap().clone();
    let seed = [(100 + i) ^ stored.len() as u8; 32];
    let net = NativeTransport::connect(&Dialer::default(), &table.invite, &secret(i), seed).unwrap();
    let name = format!("peer {i}");
    let (host, entropy) = (table.invite.host, Entropy::new([i; 32]));
    let mut lobby = Lobby::new(find, secret(i), &name, host, setup, [50 + i; 32], entropy);
    if !stored.is_empty() {
        lobby.restore(stored.into_iter()).unwrap();
    }
    (net, lobby)
}

/// Carries out an action of a lobby.
fn perform(action: LobbyAction, net: &NativeTransport, disk: &Disk) {
    match action {
        LobbyAction::Send(peer, message) => net.send(peer, message),
        LobbyAction::SendBulk(peer, message) => net.send_bulk(peer, message),
        LobbyAction::Persist(bytes) => disk.lock().unwrap().push(bytes),
        LobbyAction::Post(message) => net.post(message).unwrap(),
        LobbyAction::FetchMail(after) => net.fetch_mail(after),
    }
}

/// Plays a seat until all peers have finished. Returns nothing if the peer crashes, after `dies_after` events.
fn play(table: &Table, i: u8, disk: &Disk, dies_after: Option<u32>) -> Option<End> {
    let (net, mut lobby) = connect(table, i, disk);
    let mut rng = Rng::new(u64::from(i) + 1);
    let begin = Instant::now();
    let mut outputs = lobby.start();
    let (mut over, mut ticked) = (false, Instant::now());
    loop {
        let mut choose = false;
        for output in outputs.drain(..) {
            match output {
                LobbyOutput::Action(action) => perform(action, &net, disk),
                LobbyOutput::Event(LobbyEvent::Session(SessionEvent::Choose)) => choose = true,
                LobbyOutput::Event(LobbyEvent::Session(SessionEvent::Over(_))) => over = true,
                LobbyOutput::Event(LobbyEvent::Session(
                    bad @ (SessionEvent::Broken(_)
                    | SessionEvent::Evidence(_)
                    | SessionEvent::Stalled { .. }
                    | SessionEvent::Refused(_)),
                )) => {
                    panic!("peer {i}: {bad:?}")
                }
                LobbyOutput::Event(LobbyEvent::Started) => {
                    let players = &lobby.session().unwrap().descriptor().players;
                    net.reserve(players.iter().map(|player| player.identity).collect());
                }
                LobbyOutput::Event(LobbyEvent::Refused(why)) => panic!("peer {i}: {why}"),
                _ => {}
            }
        }
        if let Some(session) = lobby.session() {
            table.furthest.fetch_max(session.events(), SeqCst);
            if dies_after.is_some_and(|events| session.events() >= events) {
                return None;
            }
            if choose {
                let text = session.position().choose_random(&mut rng).unwrap();
                outputs = lobby.choose_action(&text);
                continue;
            }
        }
        if over {
            over = false;
            table.finished.fetch_add(1, SeqCst);
        }
        if table.finished.load(SeqCst) >= u32::from(table.seats) {
            let session = lobby.session().unwrap();
            let record = session.record().encode();
            check_replay(session);
            return Some(End {
                head: session.head(),
                digest: session.position().digest().to_string(),
                record: Some(record),
            });
        }
        if let Some(event) = net.next_event(Duration::from_millis(20)) {
            outputs = lobby.handle_event(event);
        }
        if ticked.elapsed() > Duration::from_millis(100) {
            ticked = Instant::now();
            outputs.extend(lobby.tick(begin.elapsed().as_millis() as u64));
        }
        assert!(
            begin.elapsed() < PATIENCE,
            "peer {i} waits at event {:?}",
            lobby.session().map(|s| s.events())
        );
    }
}

/// Checks that the record of a seat's own view replays to the same position.
fn check_replay(session: &pentarchy_table::PeerSession) {
    let (game, seat) = (session.game(), Seat(session.seat().unwrap()));
    let options = serde_json::from_str(&session.descriptor().options).unwrap();
    let mut record = game.record(session.descriptor().seats(), &options, None).unwrap();
    (record.header.kind, record.entries) = (RecordKind::Seat(seat), session.entries().to_vec());
    let end = game.replay(&record, RecordKind::Seat(seat), usize::MAX, &mut |_| {}).unwrap();
    assert_eq!(end.digest(), session.position().digest());
}

/// Plays a whole match. `dies` names a seat that crashes after a number of events and is restarted.
fn game(table: &Arc<Table>, dies: Option<(u8, u32)>, meanwhile: impl FnOnce()) {
    let threads: Vec<_> = (0..table.seats)
        .map(|i| {
            let table = Arc::clone(table);
            thread::spawn(move || {
                let disk = Disk::default();
                let dies_after = dies.filter(|(seat, _)| *seat == i).map(|(_, events)| events);
                play(&table, i, &disk, dies_after).or_else(|| {
                    thread::sleep(Duration::from_millis(300));
                    play(&table, i, &disk, None)
                })
            })
        })
        .collect();
    meanwhile();
    let ends: Vec<End> = threads.into_iter().map(|thread| thread.join().unwrap().unwrap()).collect();
    for end in &ends {
        assert_eq!(end.head, ends[0].head, "the same log");
        assert_eq!(end.digest, ends[0].digest, "the same position");
        assert!(end.record.is_some());
    }
}

fn server() -> BackgroundServer {
    BackgroundServer::start(ServerConfig { port: 0, ..ServerConfig::default() }).unwrap()
}

/// Opens the table of a peer alone, reads the mail, makes a move if it is asked to, waits until the server has stored it,
/// and closes the table. Returns the number of events, the head, and whether the match is over.
fn visit(table: &Table, i: u8, disk: &Disk, rng: &mut Rng) -> (u32, [u8; 32], bool) {
    let (net, mut lobby) = connect(table, i, disk);
    let begin = Instant::now();
    let (mut outputs, mut is_caught_up, mut asked) = (lobby.start(), false, false);
    loop {
        for output in outputs.drain(..) {
            match output {
                LobbyOutput::Action(action) => perform(action, &net, disk),
                LobbyOutput::Event(LobbyEvent::Session(SessionEvent::Choose)) => asked = true,
                LobbyOutput::Event(LobbyEvent::Refused(why)) => panic!("peer {i}: {why}"),
                _ => {}
            }
        }
        if is_caught_up && std::mem::take(&mut asked) {
            let text = lobby.session().unwrap().position().choose_random(rng).unwrap();
            outputs = lobby.choose_action(&text);
        } else if let Some(event) = net.next_event(Duration::from_millis(20)) {
            is_caught_up |= matches!(event, NetEvent::MailCaughtUp(_));
            outputs = lobby.handle_event(event);
        } else if is_caught_up && !net.has_unsent() {
            let session = lobby.session().unwrap();
            return (session.events(), session.head(), session.is_over());
        }
        assert!(begin.elapsed() < PATIENCE, "peer {i} waits");
    }
}

#[test]
fn two_peers_that_are_never_online_together_play_a_game() {
    let server = server();
    for game in ["tic-tac-toe", "kuhn"] {
        let table = Table::new(server.address().port(), game, 2);
        let disks = [Disk::default(), Disk::default()];
        // They are online together until the match has begun.
        let both: Vec<_> = (0..2u8)
            .map(|i| {
                let (table, disk) = (Arc::clone(&table), Arc::clone(&disks[usize::from(i)]));
                thread::spawn(move || play(&table, i, &disk, Some(0)).is_none())
            })
            .collect();
        assert!(both.into_iter().all(|peer| peer.join().unwrap()));
        let mut rng = Rng::new(5);
        let mut last = [(0, [0; 32], false); 2];
        for round in 0..60 {
            for i in 0..2u8 {
                last[usize::from(i)] = visit(&table, i, &disks[usize::from(i)], &mut rng);
            }
            if last.iter().all(|(.., is_over)| *is_over) {
                break;
            }
            assert!(round < 59, "{game}: {last:?}");
        }
        assert_eq!(last[0], last[1]);
    }
}

#[test]
fn two_peers_play_a_game() {
    let server = server();
    game(&Table::new(server.address().port(), "kuhn", 2), None, || {});
}

#[test]
fn a_peer_crashes_and_returns() {
    let server = server();
    for seat in 0..2 {
        game(&Table::new(server.address().port(), "kuhn", 2), Some((seat, 2)), || {});
    }
}

#[test]
fn three_peers_play_a_big_game_and_one_of_them_and_the_server_die_in_the_middle() {
    let first = server();
    let port = first.address().port();
    let table = Table::new(port, "ozymandias", 3);
    game(&table, Some((2, 20)), || {
        let begin = Instant::now();
        while table.furthest.load(SeqCst) < 30 {
            assert!(begin.elapsed() < PATIENCE);
            thread::sleep(Duration::from_millis(5));
        }
        first.stop();
        thread::sleep(Duration::from_millis(200));
        let second = BackgroundServer::start(ServerConfig { port, ..ServerConfig::default() }).unwrap();
        // The server must run until the match is over.
        std::mem::forget(second);
    });
}
