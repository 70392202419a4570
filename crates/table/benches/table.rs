//! CPU time of a table of peers in milliseconds, as if every peer had a machine of its own: each peer has a clock, a
//! message arrives when its sender has finished, and the network takes no time.
//! `cargo bench -p pentarchy-table [-- --check]`; `--json` prints the figures for `cargo xtask measure tables`.
#![allow(clippy::unwrap_used)]

use pentarchy_engine::Rng;
use pentarchy_fair::{Entropy, SigningSecret};
use pentarchy_registry::find;
use pentarchy_table::{
    Descriptor, Input, PeerSession, Recipient, SessionEvent, SessionOutput, SessionRequest, TablePlayer,
};
use pentarchy_testkit::bench::CpuClock;
use std::collections::VecDeque;
use std::process::ExitCode;

struct Table {
    sessions: Vec<PeerSession>,
    clocks: Vec<f64>,
    /// What all of them have computed.
    work: f64,
    /// Who receives, when, what.
    queue: VecDeque<(usize, f64, Vec<u8>)>,
    choosing: Option<usize>,
}

impl Table {
    /// Creates the sessions of a table, with the CPU time that each takes on its clock, and queues their
    /// first messages. Call [`Table::settle`] to open it. Panics if there is no such game or seat count.
    fn open(game: &str, seats: u8) -> Self {
        let game = find(game).unwrap();
        let identities: Vec<_> = (0..seats).map(|i| SigningSecret::new(Entropy::new([i + 1; 32]))).collect();
        let player = |identity: &SigningSecret| TablePlayer {
            identity: *identity.public().bytes(),
            name: String::new(),
            host: None,
        };
        let players = identities.iter().map(player).collect();
        let descriptor = Descriptor::new(game, &serde_json::json!({}), players, [7; 32]).unwrap();
        let n = usize::from(seats);
        let mut table = Table {
            sessions: Vec::new(),
            clocks: vec![0.0; n],
            work: 0.0,
            queue: VecDeque::new(),
            choosing: None,
        };
        for (seat, identity) in (0u8..).zip(&identities) {
            let start = CpuClock::start();
            let made = PeerSession::new(
                game,
                descriptor.clone(),
                seat,
                identity,
                [seat + 9; 32],
                Entropy::new([seat; 32]),
            );
            let (session, outputs) = made.unwrap();
            table.clocks[usize::from(seat)] = start.seconds() * 1e3;
            table.work += table.clocks[usize::from(seat)];
            table.sessions.push(session);
            table.absorb(usize::from(seat), n, outputs);
        }
        table
    }

    /// Queues the messages of a session for the other seats at its clock time, and notes which seat must
    /// choose. `n` is the number of seats.
    fn absorb(&mut self, seat: usize, n: usize, outputs: Vec<SessionOutput>) {
        for output in outputs {
            match output {
                SessionOutput::Request(SessionRequest::Send { to: Recipient::All, bytes }) => {
                    let at = self.clocks[seat];
                    let others = (0..n).filter(|&to| to != seat);
                    self.queue.extend(others.map(|to| (to, at, bytes.clone())));
                }
                SessionOutput::Event(SessionEvent::Choose) => self.choosing = Some(seat),
                _ => {}
            }
        }
    }

    /// Passes an input that arrives at time `at` (milliseconds) to a session, adds the CPU time that it takes
    /// to the seat's clock, and queues its messages.
    fn handle(&mut self, seat: usize, at: f64, input: Input<'_>) {
        let start = CpuClock::start();
        let outputs = self.sessions[seat].handle(input);
        let took = start.seconds() * 1e3;
        self.clocks[seat] = self.clocks[seat].max(at) + took;
        self.work += took;
        self.absorb(seat, self.sessions.len(), outputs);
    }

    /// Delivers all messages. Returns the time at which the last peer has finished, in milliseconds.
    fn settle(&mut self) -> f64 {
        while let Some((to, at, bytes)) = self.queue.pop_front() {
            self.handle(to, at, Input::Message { from: 0, bytes: &bytes });
        }
        self.clocks.iter().copied().fold(0.0, f64::max)
    }
}

/// Measures the opening and the decisions of tables, and prints the figures; `--json` prints them as JSON,
/// and without `--bench` fewer are measured. With `--check` it fails if the opening takes more than 445 ms or
/// the median decision more than 30 ms.
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let check = arguments.iter().any(|argument| argument == "--check");
    let decisions = if arguments.iter().any(|argument| argument == "--bench") { 400 } else { 10 };
    let openings = (0..if decisions > 10 { 9 } else { 1 }).map(|_| {
        let mut table = Table::open("vires", 6);
        (table.settle(), table.work)
    });
    let (mut openings, mut works): (Vec<f64>, Vec<f64>) = openings.unzip();
    let [opening, work] = [&mut openings, &mut works].map(|times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    });
    let mut table = Table::open("vires", 4);
    table.settle();
    let (mut rng, mut times) = (Rng::new(1), Vec::new());
    while let Some(seat) = table.choosing.take().filter(|_| times.len() < decisions) {
        let text = table.sessions[seat].position().choose_random(&mut rng).unwrap();
        table.clocks.fill(0.0);
        let events = table.sessions[seat].events();
        table.handle(seat, 0.0, Input::Choose(&text));
        // Just the decision: what follows from it has its own time.
        let mut waiting = table.sessions.len() - 1;
        let mut verified = 0.0f64;
        while waiting > 0
            && let Some((to, at, bytes)) = table.queue.pop_front()
        {
            let before = table.sessions[to].events();
            table.handle(to, at, Input::Message { from: 0, bytes: &bytes });
            if before <= events && table.sessions[to].events() > events {
                waiting -= 1;
                verified = verified.max(table.clocks[to]);
            }
        }
        times.push(verified);
        table.settle();
    }
    times.sort_by(f64::total_cmp);
    let [median, high] = [times.len() / 2, times.len() * 95 / 100].map(|i| times[i]);
    // A browser is about 4.5 times slower: 445 ms are 2 s there.
    let rows = [
        ("open a Vires table of six: until the last peer is ready", opening, "445"),
        ("open a Vires table of six: sum of all peers", work, ""),
        ("a decision verified by all peers of a Vires table of four, median", median, "30"),
        ("a decision verified by all peers of a Vires table of four, 95th percentile", high, ""),
    ];
    for (name, figure, target) in rows {
        if arguments.iter().any(|argument| argument == "--json") {
            println!(
                "{{\"row\": \"{name}\", \"figures\": [[\"ms\", \"{figure:.1}\"], [\"target\", \"{target}\"]]}}"
            );
        } else {
            println!("{name:76} {figure:8.1} ms {target:>6}");
        }
    }
    let over = opening > 445.0 || median > 30.0;
    if check && over { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
