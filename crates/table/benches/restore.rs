//! How long a session takes to come back, by the length of its log: from its snapshots, and from the whole log.
//! `cargo bench -p pentarchy-table --bench restore [-- GAME SEATS EVENTS]`; by default a table of Numeral with two seats. A
//! browser is about 4.5 times slower. Without a game it also measures the CPU time of a Vires table on which a peer crashes
//! again and again: it grows in proportion to the number of events.
#![allow(clippy::unwrap_used)]

use pentarchy_engine::Rng;
use pentarchy_fair::{Entropy, SigningSecret};
use pentarchy_registry::find;
use pentarchy_table::{
    Descriptor, Input, PeerSession, SessionEvent, SessionOutput, SessionRequest, TablePlayer,
};
use pentarchy_testkit::bench::CpuClock;
use std::collections::VecDeque;

/// The first byte of a stored snapshot.
const SNAPSHOT: u8 = 3;
/// Events between two crashes of a peer.
const CRASH_EVERY: u32 = 10;

struct Table {
    sessions: Vec<PeerSession>,
    /// What the first seat has stored.
    disk: Vec<Vec<u8>>,
    queue: VecDeque<(usize, Vec<u8>)>,
    choosing: Option<usize>,
}

impl Table {
    /// Creates the sessions of a table and delivers messages until the first decision. Panics if there is no
    /// such game or seat count.
    fn open(name: &str, seats: u8) -> Self {
        let game = find(name).unwrap();
        let identities: Vec<_> = (0..seats).map(|i| SigningSecret::new(Entropy::new([i + 1; 32]))).collect();
        let player = |identity: &SigningSecret| TablePlayer {
            identity: *identity.public().bytes(),
            name: String::new(),
            host: None,
        };
        let players = identities.iter().map(player).collect();
        let descriptor = Descriptor::new(game, &serde_json::json!({}), players, [7; 32]).unwrap();
        let mut table =
            Table { sessions: Vec::new(), disk: Vec::new(), queue: VecDeque::new(), choosing: None };
        for (seat, identity) in (0u8..).zip(&identities) {
            let entropy = Entropy::new([seat; 32]);
            let made = PeerSession::new(game, descriptor.clone(), seat, identity, [seat + 9; 32], entropy);
            let (session, outputs) = made.unwrap();
            table.sessions.push(session);
            table.absorb(usize::from(seat), outputs);
        }
        table.settle();
        table
    }

    /// Queues what a session sends, stores what seat 0 persists, and notes which seat must choose.
    fn absorb(&mut self, seat: usize, outputs: Vec<SessionOutput>) {
        for output in outputs {
            match output {
                SessionOutput::Request(SessionRequest::Send { bytes, .. }) => {
                    self.queue.push_back((seat, bytes));
                }
                SessionOutput::Request(SessionRequest::Persist(item)) if seat == 0 => self.disk.push(item),
                SessionOutput::Event(SessionEvent::Choose) => self.choosing = Some(seat),
                _ => {}
            }
        }
    }

    /// Plays a random action of the seat that must choose, and delivers what follows from it. Returns false if no seat
    /// must choose: the game is over.
    fn play(&mut self, rng: &mut Rng) -> bool {
        let Some(seat) = self.choosing.take() else { return false };
        let text = self.sessions[seat].position().choose_random(rng).unwrap();
        let outputs = self.sessions[seat].handle(Input::Choose(&text));
        self.absorb(seat, outputs);
        self.settle();
        true
    }

    /// Ends the session of the first seat, restores it from what is stored, and delivers what it sends at its
    /// first tick.
    fn crash(&mut self) {
        let find = |name: &str| find(name).ok();
        let stored = self.disk.iter().cloned();
        self.sessions[0] = PeerSession::restore(find, stored, Entropy::new([1; 32])).unwrap();
        let outputs = self.sessions[0].handle(Input::Tick { now_ms: 1 });
        self.absorb(0, outputs);
        self.settle();
    }

    /// Delivers queued messages to all other seats until there are none.
    fn settle(&mut self) {
        while let Some((from, bytes)) = self.queue.pop_front() {
            for seat in (0..self.sessions.len()).filter(|&seat| seat != from) {
                let outputs = self.sessions[seat].handle(Input::Message { from: 0, bytes: &bytes });
                self.absorb(seat, outputs);
            }
        }
    }
}

/// Restores a session from its stored items three times, and returns the median CPU time in milliseconds.
fn restore(disk: &[Vec<u8>]) -> f64 {
    let mut times = [(); 3].map(|()| {
        let start = CpuClock::start();
        let find = |name: &str| find(name).ok();
        PeerSession::restore(find, disk.iter().cloned(), Entropy::new([1; 32])).unwrap();
        start.seconds() * 1e3
    });
    times.sort_by(f64::total_cmp);
    times[1]
}

/// Plays a table of Vires with three seats, of which the first crashes every [`CRASH_EVERY`] events, and prints the CPU
/// time of all peers whenever the log has doubled, up to `most` events.
fn measure_crashes(most: u32, json: bool) {
    let mut table = Table::open("vires", 3);
    let (mut rng, mut next, mut crash_at) = (Rng::new(1), most / 8, CRASH_EVERY);
    let start = CpuClock::start();
    let mut crashes = 0u32;
    while table.sessions[0].events() < most && table.play(&mut rng) {
        let events = table.sessions[0].events();
        if events >= crash_at {
            table.crash();
            crashes += 1;
            crash_at = events + CRASH_EVERY;
        }
        if events >= next {
            next *= 2;
            let total = start.seconds() * 1e3;
            let each = total / f64::from(events);
            if json {
                println!(
                    "{{\"row\": \"Vires, three seats, {events} events with {crashes} crashes\", \"figures\": \
                     [[\"all peers, ms\", \"{total:.1}\"], [\"ms per event\", \"{each:.2}\"]]}}"
                );
            } else {
                println!("{events:8} events, {crashes:4} crashes: {total:9.1} ms, {each:.2} ms per event");
            }
        }
    }
}

/// Measures the time of a restore whenever the log has doubled, and prints the figures; `--json` prints them
/// as JSON. The arguments without a dash are game, seats and number of events; without them it also measures
/// the CPU time of a table with crashes. Without `--bench` fewer events are played.
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let is_bench = std::env::args().any(|argument| argument == "--bench");
    let word = |i: usize, default: &str| arguments.get(i).cloned().unwrap_or_else(|| default.to_string());
    let (game, seats) = (word(0, "numeral"), word(1, "2").parse().unwrap());
    let most: u32 = word(2, if is_bench { "5000" } else { "100" }).parse().unwrap();
    let mut table = Table::open(&game, seats);
    let mut rng = Rng::new(1);
    let mut next = most / 8;
    let json = std::env::args().any(|argument| argument == "--json");
    if !json {
        println!("{:>8} {:>10} {:>12} {:>12} {:>14}", "events", "log", "snapshots", "restore", "whole log");
    }
    loop {
        let events = table.sessions[0].events();
        if events >= next {
            next *= 2;
            let is_snapshot = |item: &&Vec<u8>| item.first() == Some(&SNAPSHOT);
            let whole: Vec<Vec<u8>> = table.disk.iter().filter(|item| !is_snapshot(item)).cloned().collect();
            let bytes = |disk: &[Vec<u8>]| disk.iter().map(Vec::len).sum::<usize>() >> 10;
            let saved = bytes(&table.disk) - bytes(&whole);
            let (quick, slow) = (restore(&table.disk), restore(&whole));
            let log = bytes(&whole);
            if json {
                println!(
                    "{{\"row\": \"{events} events\", \"figures\": [[\"log, KB\", {log}], [\"snapshots, KB\", {saved}], \
                     [\"from the snapshot, ms\", \"{quick:.1}\"], [\"whole log, ms\", \"{slow:.1}\"]]}}"
                );
            } else {
                println!("{events:8} {log:7} KB {saved:9} KB {quick:9.1} ms {slow:11.1} ms");
            }
        }
        if events >= most || !table.play(&mut rng) {
            break;
        }
    }
    if arguments.is_empty() {
        measure_crashes(if is_bench { 800 } else { 80 }, json);
    }
}
