//! Matches over days: peers that are rarely or never online together and meet in the mailbox.

use super::*;
use crate::mail::MAX_WAITING;
use crate::message::SESSION;
use pentarchy_net::MailCursor;
use pentarchy_table::{Ending, MailTiming};

/// The time limit of these tables, in milliseconds.
const LIMIT: u64 = 60_000;

/// The mailbox of a table at a relay: stores each content once.
struct Mailbox {
    id: u64,
    mail: Vec<Vec<u8>>,
}

impl Mailbox {
    fn store(&mut self, message: Vec<u8>) {
        if !self.mail.contains(&message) {
            self.mail.push(message);
        }
    }

    fn end(&self) -> MailCursor {
        if self.mail.is_empty() {
            return MailCursor::default();
        }
        MailCursor { mailbox: self.id, number: self.mail.len() as u32 }
    }

    /// Returns the events of a fetch.
    fn fetch(&self, after: MailCursor) -> Vec<NetEvent> {
        let read = if after.mailbox == self.id { after.number as usize } else { 0 };
        let mail = self.mail.iter().enumerate().skip(read).map(|(i, message)| {
            let cursor = MailCursor { mailbox: self.id, number: i as u32 + 1 };
            NetEvent::Mail { cursor, message: message.clone() }
        });
        mail.chain([NetEvent::MailCaughtUp(self.end())]).collect()
    }
}

/// What goes wrong at a table over days.
#[derive(Clone, Copy, Default)]
struct Mishaps {
    /// A page may be closed before its last posts are acknowledged.
    loses_posts: bool,
    /// The posts of a visit are stored in any order.
    reorders: bool,
    /// Somebody with the invitation posts garbage.
    garbage: bool,
    /// The server loses the mailbox now and then.
    loses_mailbox: bool,
}

/// How a visit goes.
#[derive(Clone, Copy)]
struct Visit {
    /// Decisions that the player makes at most.
    moves: u32,
    /// How long the page is open, in milliseconds.
    stays: u64,
    /// Whether the player ends the game at the end of the visit.
    gives_up: bool,
}

const SHORT: Visit = Visit { moves: 1, stays: 1_000, gives_up: false };

/// The people of a table, each with their stored items, and the mailbox.
struct Days {
    setup: TableSetup,
    disks: Vec<Vec<Vec<u8>>>,
    mailbox: Mailbox,
    mishaps: Mishaps,
    rng: Rng,
    posts: usize,
    fetches: usize,
    /// How the session of each ended, and its log, after the last visit.
    endings: Vec<Option<Ending>>,
    heads: Vec<[u8; 32]>,
    events: Vec<u32>,
    /// Who has told each, in the last visit, that they have given up, and about whom.
    claims: Vec<Vec<(u8, SeatSet)>>,
}

impl Days {
    /// A table whose people have agreed to the match. The host starts it and closes the page, and nobody else has heard of
    /// the start.
    fn new(game: &str, seats: u8, seed: u64, mishaps: Mishaps) -> Self {
        let (game, stall_ms) = (find(game).unwrap(), LIMIT as u32);
        let setup = TableSetup { game, seats, stall_ms, ..setup(false) };
        let mut peers = vec![lobby(0, Some(setup.clone()))];
        peers.extend((1..seats).map(|i| lobby(i, None)));
        let mut hub = Hub::new(peers);
        let mut days = Days {
            setup,
            disks: Vec::new(),
            mailbox: Mailbox { id: 1, mail: Vec::new() },
            mishaps,
            rng: Rng::new(seed),
            posts: 0,
            fetches: 0,
            endings: vec![None; usize::from(seats)],
            heads: vec![[0; 32]; usize::from(seats)],
            events: vec![0; usize::from(seats)],
            claims: vec![Vec::new(); usize::from(seats)],
        };
        let mut outputs = hub.peers[0].handle_event(NetEvent::MailCaughtUp(MailCursor::default()));
        outputs.extend(hub.peers[0].start_match());
        (1..PeerId::from(seats))
            .for_each(|peer| outputs.extend(hub.peers[0].handle_event(NetEvent::PeerDown(peer))));
        days.disks = hub.disks;
        for output in outputs {
            match output {
                LobbyOutput::Action(LobbyAction::Persist(item)) => days.disks[0].push(item),
                LobbyOutput::Action(LobbyAction::Post(message)) => days.mailbox.store(message),
                _ => {}
            }
        }
        days
    }

    fn below(&mut self, n: usize) -> usize {
        self.rng.below(n as u32) as usize
    }

    /// Opens the page of a peer alone, lets it catch up and play, and closes it.
    fn visit(&mut self, i: usize, visit: Visit) {
        if self.mishaps.garbage {
            self.post_garbage();
        }
        if self.mishaps.loses_mailbox && self.below(12) == 0 {
            self.mailbox = Mailbox { id: self.mailbox.id + 1, mail: Vec::new() };
        }
        let mut peer = lobby(i as u8, (i == 0).then(|| self.setup.clone()));
        peer.restore(self.disks[i].iter().cloned()).unwrap();
        let (mut posts, mut moves, mut choose) = (Vec::new(), 0, false);
        self.claims[i].clear();
        let mut outputs = VecDeque::from(peer.start());
        let mut now = 0;
        loop {
            while let Some(output) = outputs.pop_front() {
                match output {
                    LobbyOutput::Action(LobbyAction::Persist(item)) => self.disks[i].push(item),
                    LobbyOutput::Action(LobbyAction::Post(message)) => posts.push(message),
                    LobbyOutput::Action(LobbyAction::FetchMail(after)) => {
                        self.fetches += 1;
                        for event in self.mailbox.fetch(after) {
                            outputs.extend(peer.handle_event(event));
                        }
                    }
                    LobbyOutput::Action(LobbyAction::Send(..) | LobbyAction::SendBulk(..)) => {
                        panic!("peer {i} sends to nobody");
                    }
                    LobbyOutput::Event(LobbyEvent::Refused(why)) => panic!("peer {i}: {why}"),
                    LobbyOutput::Event(LobbyEvent::Session(SessionEvent::Choose)) => choose = true,
                    LobbyOutput::Event(LobbyEvent::Session(SessionEvent::AskDrop { seats, .. })) => {
                        outputs.extend(peer.vote_to_drop(seats));
                    }
                    LobbyOutput::Event(LobbyEvent::Session(SessionEvent::Abandoned { by, seats })) => {
                        self.claims[i].push((by, seats));
                    }
                    LobbyOutput::Event(LobbyEvent::Session(
                        bad @ (SessionEvent::Broken(_) | SessionEvent::Evidence(_)),
                    )) => panic!("peer {i}: {bad:?}"),
                    _ => {}
                }
            }
            if choose && moves < visit.moves {
                (choose, moves) = (false, moves + 1);
                let session = peer.session().unwrap();
                // The choice may have been withdrawn meanwhile.
                if let Ok(text) = session.position().choose_random(&mut self.rng) {
                    outputs.extend(peer.choose_action(&text));
                }
                continue;
            }
            if now > visit.stays {
                break;
            }
            now += 500;
            outputs.extend(peer.tick(now));
        }
        if visit.gives_up {
            for output in peer.give_up() {
                match output {
                    LobbyOutput::Action(LobbyAction::Persist(item)) => self.disks[i].push(item),
                    LobbyOutput::Action(LobbyAction::Post(message)) => posts.push(message),
                    _ => {}
                }
            }
        }
        self.posts += posts.len();
        if self.mishaps.loses_posts && self.below(2) == 0 {
            let kept = self.below(posts.len() + 1);
            posts.truncate(kept);
        }
        if self.mishaps.reorders {
            for at in (1..posts.len()).rev() {
                let other = self.below(at + 1);
                posts.swap(at, other);
            }
        }
        posts.into_iter().for_each(|message| self.mailbox.store(message));
        if let Some(session) = peer.session() {
            self.endings[i] = session.ending();
            (self.heads[i], self.events[i]) = (session.head(), session.events());
        }
    }

    /// Posts random bytes, altered messages, and messages that are not for the mailbox.
    fn post_garbage(&mut self) {
        for _ in 0..self.below(40) {
            let mut message = match self.below(3) {
                0 => (0..self.below(200)).map(|_| self.rng.below(256) as u8).collect(),
                _ if self.mailbox.mail.is_empty() => vec![SESSION],
                _ => {
                    let at = self.below(self.mailbox.mail.len());
                    self.mailbox.mail[at].clone()
                }
            };
            for _ in 0..self.below(3) {
                if !message.is_empty() {
                    let at = self.below(message.len());
                    message[at] ^= 1 << self.below(8);
                }
            }
            if let Some(first) = message.first_mut().filter(|_| self.rng.below(4) > 0) {
                *first = SESSION;
            }
            self.mailbox.store(message);
        }
    }

    fn is_over(&self) -> bool {
        self.endings.iter().all(Option::is_some)
    }

    /// Lets the peers visit in random order, never together, until the game is over for all or there were this many
    /// visits.
    fn play(&mut self, visits: u32) {
        for _ in 0..visits {
            if self.is_over() {
                break;
            }
            let i = self.below(self.disks.len());
            let moves = 1 + self.rng.below(3);
            self.visit(i, Visit { moves, ..SHORT });
        }
        // Everybody sees the end.
        let mishaps = std::mem::take(&mut self.mishaps);
        for _ in 0..2 {
            (0..self.disks.len()).for_each(|i| self.visit(i, Visit { moves: 0, ..SHORT }));
        }
        self.mishaps = mishaps;
    }

    fn assert_equal_logs(&self) {
        assert!(self.heads.iter().all(|head| *head == self.heads[0]), "after {:?} events", self.events);
    }
}

const NONE: Mishaps = Mishaps { loses_posts: false, reorders: false, garbage: false, loses_mailbox: false };
const ALL: Mishaps = Mishaps { loses_posts: true, reorders: true, garbage: true, loses_mailbox: true };

#[test]
fn peers_that_are_never_online_together_play_to_the_end() {
    for (game, seats) in [("tic-tac-toe", 2), ("connect-four", 2), ("kuhn", 2), ("leduc", 2)] {
        for seed in 0..4 {
            let mut days = Days::new(game, seats, seed, NONE);
            days.play(400);
            assert!(days.is_over(), "{game}, seed {seed}: {:?}", days.events);
            days.assert_equal_logs();
            assert!(days.endings.iter().all(|ending| *ending == Some(Ending::Played)));
        }
    }
}

#[test]
fn lost_posts_reordered_mail_garbage_and_lost_mailboxes_only_cost_time() {
    for (game, seats) in [("tic-tac-toe", 2), ("connect-four", 2), ("kuhn", 2), ("leduc", 2)] {
        for seed in 0..6 {
            let mut days = Days::new(game, seats, seed, ALL);
            days.play(1_000);
            assert!(days.is_over(), "{game}, seed {seed}: {:?}", days.events);
            days.assert_equal_logs();
        }
    }
}

#[test]
fn three_peers_play_a_game_with_shares_over_days() {
    for mishaps in [NONE, ALL] {
        let mut days = Days::new("ozymandias", 3, 5, mishaps);
        days.play(120);
        days.assert_equal_logs();
        assert!(days.events[0] > 10, "{:?}", days.events);
    }
}

#[test]
fn a_visit_costs_few_posts_and_little_mail() {
    let mut days = Days::new("connect-four", 2, 1, NONE);
    while days.events.iter().any(|events| *events < 10) {
        (0..2).for_each(|i| days.visit(i, SHORT));
    }
    let (posts, stored) = (days.posts, days.mailbox.mail.len());
    (0..2).for_each(|i| days.visit(i, Visit { moves: 0, ..SHORT }));
    assert!(days.posts - posts <= 6, "only what the other may lack: {}", days.posts - posts);
    assert_eq!(days.mailbox.mail.len(), stored, "and that is stored already");
    // The cursor of the last visit is stored: nothing is read twice.
    let mut peer = lobby(1, None);
    peer.restore(days.disks[1].iter().cloned()).unwrap();
    let fetch = peer.start().into_iter().find_map(|output| match output {
        LobbyOutput::Action(LobbyAction::FetchMail(after)) => Some(after),
        _ => None,
    });
    assert_eq!(fetch, Some(days.mailbox.end()));
}

#[test]
fn mail_that_waits_is_read_again_after_a_restart() {
    let mut days = Days::new("connect-four", 2, 1, NONE);
    while days.events.iter().any(|events| *events < 4) {
        (0..2).for_each(|i| days.visit(i, SHORT));
    }
    (0..2).for_each(|i| days.visit(i, Visit { moves: 0, ..SHORT }));
    let (disk, events, read) = (days.disks[1].clone(), days.events[1], days.mailbox.mail.len());
    (0..6).for_each(|i| days.visit(i % 2, SHORT));
    assert!(days.events[0] > events + 2);
    // The first message that is new to this peer is stored after all others.
    let late = days.mailbox.mail.remove(read);
    days.disks[1] = disk;
    days.visit(1, Visit { moves: 0, ..SHORT });
    assert_eq!(days.events[1], events, "it waits for the message");
    days.mailbox.store(late);
    days.visit(1, Visit { moves: 0, ..SHORT });
    assert!(days.events[1] > events + 2, "after a restart");
    days.visit(0, Visit { moves: 0, ..SHORT });
    days.assert_equal_logs();
}

/// Somebody with the invitation fills the memory for waiting mail before the match. The mail of the host comes after that,
/// and its start last of all.
#[test]
fn mail_behind_a_flood_before_the_match_is_read() {
    let mut days = Days::new("connect-four", 2, 1, NONE);
    let flood = (0..MAX_WAITING as u32).map(|n| [&[SESSION][..], &n.to_le_bytes()].concat());
    let posted = std::mem::take(&mut days.mailbox.mail);
    let (starts, sessions): (Vec<_>, Vec<_>) = posted.into_iter().partition(|message| message[0] == LOBBY);
    assert!(!starts.is_empty() && !sessions.is_empty());
    days.mailbox.mail = flood.chain(sessions).chain(starts).collect();
    days.visit(1, SHORT);
    assert_eq!(days.fetches, 2, "what was skipped is fetched once more");
    days.play(400);
    assert!(days.is_over(), "{:?}", days.events);
    days.assert_equal_logs();
}

/// Somebody who knows the table floods the mailbox with contributions that nobody has signed. Before all keys are there,
/// that cannot be seen: they wait, and leave no room for real mail.
#[test]
fn mail_behind_a_flood_of_forgeries_is_read() {
    for seed in 0..3 {
        let reordered = Mishaps { reorders: true, ..NONE };
        let mut later = Days::new("connect-four", 2, seed, NONE);
        later.play(20);
        let mut days = Days::new("connect-four", 2, seed, reordered);
        let mut host = lobby(0, Some(days.setup.clone()));
        host.restore(days.disks[0].iter().cloned()).unwrap();
        let waits = |message: &[u8]| {
            matches!(host.session().unwrap().mail_timing(&message[1..]), MailTiming::Later(_))
        };
        let real: Vec<&Vec<u8>> =
            later.mailbox.mail.iter().filter(|mail| mail[0] == SESSION && waits(mail)).collect();
        let forge = |n: usize| {
            let mut message = real[n % real.len()].clone();
            let end = message.len() - 4;
            message[end..].copy_from_slice(&(n as u32).to_le_bytes());
            message
        };
        let mut flood: Vec<Vec<u8>> =
            (0..2 * MAX_WAITING).map(forge).filter(|message| waits(message)).collect();
        assert!(flood.len() >= MAX_WAITING, "{} forgeries wait", flood.len());
        flood.truncate(MAX_WAITING);
        flood.append(&mut days.mailbox.mail);
        days.mailbox.mail = flood;
        days.play(400);
        assert!(days.is_over(), "seed {seed}: {:?}", days.events);
        days.assert_equal_logs();
    }
}

#[test]
fn a_page_that_is_open_for_a_while_drops_nobody_who_is_away() {
    let mut days = Days::new("tic-tac-toe", 2, 3, NONE);
    (0..4).for_each(|_| (0..2).for_each(|i| days.visit(i, Visit { moves: 0, ..SHORT })));
    for _ in 0..5 {
        (0..2).for_each(|i| days.visit(i, Visit { moves: 0, stays: LIMIT - 2_000, gives_up: false }));
    }
    assert_eq!(days.endings, [None, None]);
    days.play(200);
    assert!(days.is_over() && days.endings.iter().all(|ending| *ending == Some(Ending::Played)));
}

#[test]
fn a_player_who_was_late_learns_from_the_mailbox_who_ended_the_game() {
    for game in ["connect-four", "kuhn", "leduc"] {
        for seed in 0..4 {
            let mut days = Days::new(game, 2, seed, NONE);
            for _ in 0..6 {
                (0..2).for_each(|i| days.visit(i, SHORT));
            }
            let turns: Vec<Option<Ending>> = days.endings.clone();
            if turns.iter().any(Option::is_some) {
                continue;
            }
            // One of them has moved and waits; the other one does not come within the time limit.
            days.visit(0, Visit { moves: 1, stays: LIMIT + 2_000, gives_up: true });
            assert_eq!(days.endings[0], Some(Ending::Claimed(SeatSet(0b10))), "{game}, seed {seed}");
            days.visit(1, SHORT);
            assert_eq!(days.claims[1], [(0, SeatSet(0b10))], "{game}, seed {seed}");
            days.visit(0, SHORT);
            assert_eq!(days.endings[0], Some(Ending::Claimed(SeatSet(0b10))), "it stays ended");
            days.visit(1, SHORT);
            assert_eq!(days.claims[1], [(0, SeatSet(0b10))], "{game}, seed {seed}: still");
        }
    }
}

#[test]
fn a_player_who_was_dropped_learns_it_from_the_mailbox() {
    let mut days = Days::new("ozymandias", 3, 2, NONE);
    for _ in 0..4 {
        (0..3).for_each(|i| days.visit(i, SHORT));
    }
    // Seat 2 stays away; the others wait for it, each alone.
    for _ in 0..8 {
        (0..2).for_each(|i| days.visit(i, Visit { moves: 2, stays: 3 * LIMIT, gives_up: false }));
    }
    let gone = Some(Ending::Dropped(SeatSet(0b100)));
    assert_eq!(days.endings[..2], [gone, gone]);
    days.visit(2, SHORT);
    assert_eq!(days.endings[2], gone);
}
