//! Whole games between peers in threads, over a real server on loopback: with a peer that dies and comes back, and with a
//! server that does.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper of a test fails as a test does")]

use pentarchy_engine::any::{BasicBot, any};
use pentarchy_engine::record::RecordKind;
use pentarchy_engine::{AnyGame, Rng, Seat};
use pentarchy_fair::{Entropy, SigningSecret};
use pentarchy_net::{Dialer, HostTag, Invite, InviteKey, Native, OwnerSecret, Party, Setup, Step};
use pentarchy_server::{Background, Config};
use pentarchy_table::{Output, Recovery};
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(240);

fn find(name: &str) -> Option<&'static dyn AnyGame> {
    let games: [&'static dyn AnyGame; 2] =
        [any::<pentarchy_classics::Kuhn>(), any::<pentarchy_ozymandias::Ozymandias>()];
    games.into_iter().find(|game| game.info().name == name)
}

fn secret(i: u8) -> SigningSecret {
    SigningSecret::new(Entropy::new([i; 32]))
}

/// What all peers of a test share.
struct Table {
    invite: Invite,
    game: &'static str,
    seats: u8,
    /// How far the furthest peer is.
    furthest: AtomicU32,
    /// How many have finished.
    finished: AtomicU32,
}

impl Table {
    fn new(port: u16, game: &'static str, seats: u8) -> Arc<Self> {
        let invite = Invite {
            server: format!("http://127.0.0.1:{port}"),
            owner: OwnerSecret::new([seats; 32]).tag(),
            key: InviteKey([5; 16]),
            host: HostTag::of(secret(0).public().bytes()),
        };
        let zero = || AtomicU32::new(0);
        Arc::new(Self { invite, game, seats, furthest: zero(), finished: zero() })
    }
}

/// What a peer has stored; it survives the peer.
type Disk = Arc<Mutex<Vec<Vec<u8>>>>;

/// How a peer ended.
struct End {
    head: [u8; 32],
    digest: String,
    record: Option<Vec<u8>>,
}

/// Plays in a seat until everybody has finished; dies after so many events, if told to.
fn play(table: &Table, i: u8, disk: &Disk, dies_after: Option<u32>) -> Option<End> {
    let setup = (i == 0).then(|| Setup {
        game: find(table.game).unwrap(),
        options: serde_json::Value::Null,
        seats: table.seats,
        recovery: Recovery::End,
        stall_ms: 200_000,
        at_once: true,
    });
    let life = disk.lock().unwrap().len() as u8;
    let net = Native::connect(&Dialer::default(), &table.invite, &secret(i), [(100 + i) ^ life; 32]).unwrap();
    let mut party = Party::new(
        find,
        secret(i),
        &format!("peer {i}"),
        table.invite.host,
        setup,
        [50 + i; 32],
        Entropy::new([i; 32]),
    );
    let stored = disk.lock().unwrap().clone();
    if !stored.is_empty() {
        party.resume(stored.into_iter()).unwrap();
    }
    let mut rng = Rng::new(u64::from(i) + 1);
    let begin = Instant::now();
    let mut steps = party.start();
    let (mut over, mut ticked) = (false, Instant::now());
    loop {
        let mut choose = false;
        for step in steps.drain(..) {
            match step {
                Step::Send(peer, message) => net.send(peer, message),
                Step::SendBulk(peer, message) => net.send_bulk(peer, message),
                Step::Persist(bytes) => disk.lock().unwrap().push(bytes),
                Step::Session(Output::Choose) => choose = true,
                Step::Session(Output::Over(_)) => over = true,
                Step::Session(
                    bad @ (Output::Broken(_)
                    | Output::Evidence(_)
                    | Output::Stalled { .. }
                    | Output::Refused(_)),
                ) => {
                    panic!("peer {i}: {bad:?}")
                }
                Step::Begun => {
                    let players = &party.session().unwrap().descriptor().players;
                    net.reserve(players.iter().map(|player| player.identity).collect());
                }
                Step::Refused(why) => panic!("peer {i}: {why}"),
                _ => {}
            }
        }
        if let Some(session) = party.session() {
            table.furthest.fetch_max(session.events(), SeqCst);
            if dies_after.is_some_and(|events| session.events() >= events) {
                return None;
            }
            if choose {
                let text = session.position().choose(BasicBot::Random, &mut rng).unwrap();
                steps = party.choose(&text);
                continue;
            }
        }
        if over {
            over = false;
            table.finished.fetch_add(1, SeqCst);
        }
        if table.finished.load(SeqCst) >= u32::from(table.seats) {
            let session = party.session().unwrap();
            let record = session.record().encode();
            replays(session);
            return Some(End {
                head: session.head(),
                digest: session.position().digest().to_string(),
                record: Some(record),
            });
        }
        if let Some(event) = net.next(Duration::from_millis(20)) {
            steps = party.event(event);
        }
        if ticked.elapsed() > Duration::from_millis(100) {
            ticked = Instant::now();
            steps.extend(party.tick(begin.elapsed().as_millis() as u64));
        }
        assert!(
            begin.elapsed() < PATIENCE,
            "peer {i} waits at event {:?}",
            party.session().map(|s| s.events())
        );
    }
}

/// What a seat has seen is a record of its own: it replays to the same position.
fn replays(session: &pentarchy_table::Session) {
    let (game, seat) = (session.game(), Seat(session.seat().unwrap()));
    let options = serde_json::from_str(&session.descriptor().options).unwrap();
    let mut record = game.record(session.descriptor().seats(), &options, None).unwrap();
    (record.header.kind, record.entries) = (RecordKind::Seat(seat), session.entries().to_vec());
    let end = game.replay(&record, RecordKind::Seat(seat), usize::MAX, &mut |_| {}).unwrap();
    assert_eq!(end.digest(), session.position().digest());
}

/// Plays a whole game; `dies` is a seat that is killed after so many events and started again.
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

fn server() -> Background {
    Background::start(Config { port: 0, ..Config::default() }).unwrap()
}

#[test]
fn two_peers_play_a_game() {
    let server = server();
    game(&Table::new(server.address().port(), "kuhn", 2), None, || {});
}

#[test]
fn a_peer_dies_and_comes_back() {
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
        let second = Background::start(Config { port, ..Config::default() }).unwrap();
        // It is needed as long as the game goes on, which ends by itself.
        std::mem::forget(second);
    });
}
