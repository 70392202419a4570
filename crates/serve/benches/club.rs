//! A busy club: `cargo bench -p pentarchy-serve --bench club`. Latency of the relay with 10,000 idle and 2,000 active
//! tables, and searches in an archive of 100,000 games, in SQLite and in PostgreSQL if it is installed.
//!
//! The server runs in a process of its own; its clients share the machine with it. `--json` prints the figures for
//! `cargo xtask measure club`; a word `relay` or `archive` runs only that part.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper of a test fails as a test does")]

use futures_util::{SinkExt as _, StreamExt as _};
use pentarchy_net::wire::{Destination, PROTOCOL, PeerFrame, RelayFrame};
use pentarchy_net::{HostTag, Invite, InviteKey, OwnerSecret, RoomPass};
use pentarchy_server::{BackgroundServer, Limits, Rate, ServerConfig};
use pentarchy_storage::club::{
    ArchivedGame, ArchivedSeat, ClubStorage as _, GameQuery, NewGame, PlayedMove, PlayerKey, PositionKey,
    RatingMethod, SeatResult, SkillEstimate,
};
use pentarchy_storage::testing::PostgresServer;
use pentarchy_storage::{SqlStorage, Storage as _};
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::{WebSocketStream, client_async};

const IDLE_TABLES: u16 = 10_000;
const ACTIVE_TABLES: u16 = 2_000;
/// How often the first of the two members of an active table sends a message, which the second one answers.
const ASK: Duration = Duration::from_secs(1);
const RUN: Duration = Duration::from_secs(20);
const GAMES: u64 = 100_000;
const PLAYERS: u64 = 2_000;
/// How often each kind of request is made.
const REQUESTS: u64 = 200;

/// Runs the parts that the arguments name, or all, and prints their figures. With `serve` runs the server that is measured.
/// Panics if something fails.
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    if has("serve") {
        return serve();
    }
    let json = has("--json");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    if !has("archive") {
        runtime.block_on(measure_relay(json));
    }
    if !has("relay") {
        runtime.block_on(measure_archive(json));
    }
}

/// Prints a row of figures: percentiles of times in milliseconds, with the goal for the largest one. `times` is sorted by
/// this. Panics if it is empty.
fn report(json: bool, row: &str, times: &mut [Duration], goal: u64) {
    times.sort_unstable();
    let ms = |per_cent: usize| times[(times.len() - 1) * per_cent / 100].as_secs_f64() * 1e3;
    let (median, most, count) = (ms(50), ms(99), times.len());
    println!("{row}: median {median:.1} ms, 99 % within {most:.1} ms of {count} (goal {goal} ms)");
    if json {
        println!(
            "{{\"row\": \"{row}\", \"figures\": [[\"median, ms\", \"{median:.1}\"], [\"99 % within, ms\", \"{most:.1}\"], [\"goal, ms\", \"{goal}\"], [\"measured\", \"{count}\"]]}}"
        );
    }
}

/// Starts a server without limits per address, because all clients share one, prints its address, and serves until
/// standard input closes.
fn serve() {
    let plenty = Rate { burst: 1 << 40, per_second: 1 << 40 };
    let limits = Limits {
        connections: 40_000,
        connections_per_address: 40_000,
        rooms_per_address: 40_000,
        request_rate: plenty,
        ..Limits::default()
    };
    let config = ServerConfig { port: 0, limits, ..ServerConfig::default() };
    let server = BackgroundServer::start(config).unwrap();
    println!("{}", server.address());
    std::io::stdin().read_to_end(&mut Vec::new()).ok();
}

/// The server that is measured. It is killed when this is dropped.
struct MeasuredServer(Child);

impl Drop for MeasuredServer {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// Starts this program with `serve`, and returns it with its address.
fn start_server() -> (MeasuredServer, SocketAddr) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let mut child = command.arg("serve").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (MeasuredServer(child), line.trim().parse().unwrap())
}

/// Returns the pass of room `i`. Different numbers give different rooms.
fn pass(i: u16) -> RoomPass {
    let mut secret = [0; 32];
    secret[..2].copy_from_slice(&i.to_le_bytes());
    let (key, owner) = (InviteKey([1; 16]), OwnerSecret::new(secret).tag());
    Invite { server: String::new(), key, host: HostTag::of(&[1; 32]), owner }.pass()
}

/// Enters room `i`, and returns the connection after the welcome.
async fn enter(address: SocketAddr, i: u16) -> WebSocketStream<TcpStream> {
    let stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let pass = pass(i);
    let mut request = format!("ws://{address}/relay/{}", pass.table()).into_client_request().unwrap();
    let offer = format!("{PROTOCOL}, {}", pass.to_text());
    request.headers_mut().insert("sec-websocket-protocol", offer.parse().unwrap());
    let mut socket = client_async(request, stream).await.unwrap().0;
    socket.next().await.unwrap().unwrap();
    socket
}

/// Measures how long messages take from one member of an active table to the other.
async fn measure_relay(json: bool) {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    setrlimit(Resource::Nofile, limit).unwrap();
    let (_server, address) = start_server();
    let mut members = JoinSet::new();
    for i in 0..IDLE_TABLES {
        let mut socket = enter(address, i).await;
        // Reading answers the pings of the relay.
        members.spawn(async move { while socket.next().await.is_some() {} });
    }
    let (start, times) = (Instant::now(), Arc::new(Mutex::new(Vec::new())));
    for i in IDLE_TABLES..IDLE_TABLES + ACTIVE_TABLES {
        for is_first in [true, false] {
            let socket = enter(address, i).await;
            members.spawn(converse(socket, is_first, start, Arc::clone(&times)));
        }
    }
    println!(
        "{} members are in {} rooms after {:.1} s",
        members.len(),
        IDLE_TABLES + ACTIVE_TABLES,
        start.elapsed().as_secs_f64()
    );
    times.lock().unwrap().clear();
    sleep(RUN).await;
    let mut times = std::mem::take(&mut *times.lock().unwrap());
    members.abort_all();
    report(json, "a message through the relay, 10,000 idle and 2,000 active tables", &mut times, 50);
}

/// Sends a message with the time since `start` each second if it is the first member, else answers each one with the
/// time of the answer. Adds how long each message took to `times`.
async fn converse(
    mut socket: WebSocketStream<TcpStream>,
    is_first: bool,
    start: Instant,
    times: Arc<Mutex<Vec<Duration>>>,
) {
    let mut tick = interval(ASK);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let payload = || [&(start.elapsed().as_nanos() as u64).to_le_bytes()[..], &[7; 192]].concat();
    loop {
        let is_due = tokio::select! {
            _ = tick.tick(), if is_first => true,
            message = socket.next() => match message {
                Some(Ok(Message::Binary(bytes))) => match RelayFrame::parse(&bytes) {
                    Some(RelayFrame::Message { payload, .. }) => {
                        let sent = payload.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
                        times.lock().unwrap().push(start.elapsed().saturating_sub(Duration::from_nanos(sent)));
                        !is_first
                    }
                    _ => false,
                },
                None | Some(Err(_)) => return,
                _ => false,
            },
        };
        if is_due {
            let payload = payload();
            let frame = PeerFrame::Message { to: Destination::Others, payload: &payload }.to_bytes();
            socket.send(Message::Binary(frame.into())).await.unwrap();
        }
    }
}

/// A small generator: the bench needs variety, not quality.
struct Numbers(u64);

impl Numbers {
    /// Returns the next pseudorandom number below `n`, which must not be 0.
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// A rating method that costs nothing.
struct Unchanged;

impl RatingMethod for Unchanged {
    fn initial(&self) -> SkillEstimate {
        SkillEstimate { mean: 25_000_000, deviation: 8_333_333 }
    }

    fn update(&self, before: &[SkillEstimate], _: &[u8]) -> Vec<SkillEstimate> {
        before.to_vec()
    }
}

/// Returns the key of a number, as `N` bytes for an identity or a position: the number in big-endian order, then
/// zeros. `N` must be at least 8.
fn key<const N: usize>(number: u64) -> [u8; N] {
    let mut bytes = [0; N];
    bytes[..8].copy_from_slice(&number.to_be_bytes());
    bytes
}

/// The names of the games.
const NAMES: [&str; 5] = ["hegemony", "vires", "numeral-empire", "hestia", "ozymandias"];

/// Returns game `i` of two to four of [`PLAYERS`], some of whom play much more often than others, with four moves: two in
/// positions that many games have, two in their own.
fn new_game(i: u64, numbers: &mut Numbers) -> NewGame {
    let (count, mut players) = (2 + numbers.below(3), Vec::new());
    while (players.len() as u64) < count {
        let most = 1 + numbers.below(PLAYERS);
        let player = numbers.below(most);
        if !players.contains(&player) {
            players.push(player);
        }
    }
    let seats = players.into_iter().zip(1u8..).map(|(player, rank)| ArchivedSeat {
        identity: key(player),
        name: format!("Player {player}"),
        result: if rank == 1 { SeatResult::Won } else { SeatResult::Lost },
        rank,
        score: -i64::from(rank),
        is_bot: false,
        has_left: false,
    });
    let seats: Vec<ArchivedSeat> = seats.collect();
    let game = NAMES[numbers.below(5) as usize];
    let moves = (0..4u64).map(|ply| PlayedMove {
        position: key(if ply < 2 { ply } else { 100 + i * 2 + ply }),
        action: format!("action {}", numbers.below(40)),
        is_won: ply % 2 == 0,
        points: 500,
    });
    let moves = moves.collect();
    let record = vec![0; 200];
    let game = ArchivedGame {
        number: 0,
        id: key(i + 1),
        game: game.into(),
        rules: 1,
        events: 100,
        is_played: true,
        unrated: String::new(),
        published: 0,
        bytes: record.len() as u64,
        seats,
    };
    NewGame { game, record, moves }
}

/// Fills an archive in SQLite, and measures searches in it; then restores it into PostgreSQL and measures them there.
async fn measure_archive(json: bool) {
    let memory = Path::new("/dev/shm");
    let temporary = if memory.is_dir() { memory.to_path_buf() } else { std::env::temp_dir() };
    let folder: PathBuf = temporary.join(format!("pentarchy-bench-club-{}", std::process::id()));
    let sqlite = SqlStorage::open_folder(&folder).await.unwrap();
    let (start, numbers) = (Instant::now(), &mut Numbers(1));
    for i in 0..GAMES {
        // A game every ten minutes.
        sqlite
            .archive(new_game(i, numbers), &Unchanged, u64::MAX >> 1, 1_700_000_000 + i * 600)
            .await
            .unwrap();
    }
    println!("{GAMES} games are archived after {:.0} s", start.elapsed().as_secs_f64());
    measure_requests(json, "SQLite", &sqlite).await;
    if let Some(postgres) = PostgresServer::start() {
        let backup = folder.join("backup");
        sqlite.back_up(&backup).await.unwrap();
        let database = SqlStorage::open_postgres(&postgres.database("club").await).await.unwrap();
        let start = Instant::now();
        database.restore(&backup).await.unwrap();
        println!("they are restored into PostgreSQL after {:.0} s", start.elapsed().as_secs_f64());
        measure_requests(json, "PostgreSQL", &database).await;
        database.close().await.unwrap();
    }
    sqlite.close().await.unwrap();
    std::fs::remove_dir_all(&folder).ok();
}

/// Draws a search of one kind.
type DrawQuery<'a> = &'a dyn Fn(&mut Numbers) -> GameQuery;

/// Measures searches of several kinds and the explorer in a full archive.
async fn measure_requests(json: bool, name: &str, storage: &SqlStorage) {
    let numbers = &mut Numbers(2);
    let player = |numbers: &mut Numbers| Some(key::<32>(numbers.below(PLAYERS)) as PlayerKey);
    let moment = |numbers: &mut Numbers| 1_700_000_000 + numbers.below(GAMES) * 600;
    let kinds: [(&str, DrawQuery<'_>); 6] = [
        ("of a player", &|numbers| GameQuery { player: player(numbers), ..GameQuery::default() }),
        ("of a player, by result and game", &|numbers| GameQuery {
            player: player(numbers),
            result: Some(SeatResult::Won),
            game: Some(NAMES[numbers.below(5) as usize].into()),
            ..GameQuery::default()
        }),
        ("of a game and number of seats", &|numbers| GameQuery {
            game: Some(NAMES[numbers.below(5) as usize].into()),
            seats: Some(2 + numbers.below(3) as u8),
            before: Some(numbers.below(GAMES)),
            ..GameQuery::default()
        }),
        ("of a day", &|numbers| {
            let since = moment(numbers);
            GameQuery { since: Some(since), until: Some(since + 86_400), ..GameQuery::default() }
        }),
        ("of a player in a month", &|numbers| {
            let since = moment(numbers);
            let until = Some(since + 30 * 86_400);
            GameQuery { player: player(numbers), since: Some(since), until, ..GameQuery::default() }
        }),
        ("of an unknown game", &|_| GameQuery { game: Some("none".into()), ..GameQuery::default() }),
    ];
    for (what, query) in kinds {
        let mut times = Vec::new();
        for _ in 0..REQUESTS {
            let query = query(numbers);
            let start = Instant::now();
            storage.search(query).await.unwrap();
            times.push(start.elapsed());
        }
        report(json, &format!("{name}: games {what}"), &mut times, 100);
    }
    let mut times = Vec::new();
    for i in 0..REQUESTS {
        let position: PositionKey =
            key(if i % 2 == 0 { numbers.below(2) } else { 100 + numbers.below(2 * GAMES) });
        let start = Instant::now();
        storage.explore(position).await.unwrap();
        times.push(start.elapsed());
    }
    report(json, &format!("{name}: a position in the explorer"), &mut times, 20);
}
