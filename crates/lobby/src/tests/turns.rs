//! Announcements of turns: a client, its table and a server that may be away, driven at random.

use super::*;
use pentarchy_net::MailCursor;

/// A turn with a limit of one day.
fn awaited(turn: u32, waiting: &[u8], are_away: bool, silence_ms: u64) -> AwaitedTurn {
    AwaitedTurn { turn, waiting: waiting.to_vec(), are_away, silence_ms, limit_ms: 86_400_000 }
}

/// A table that changes at random, as one client sees it, and the server that the client tells.
struct Model {
    announcer: TurnAnnouncer,
    rng: Rng,
    now: u64,
    state: Option<AwaitedTurn>,
    heard: u64,
    /// What the server knows, and whether it answers.
    server: Option<TurnAnnouncement>,
    is_up: bool,
    pending: Option<AnnounceRequest>,
    requests: usize,
}

impl Model {
    fn new(seed: u64, server: Option<TurnAnnouncement>) -> Self {
        let announcer = TurnAnnouncer::default();
        let (rng, state, pending) = (Rng::new(seed), None, None);
        Model { announcer, rng, now: 0, state, heard: 0, server, is_up: true, pending, requests: 0 }
    }

    /// Changes the table at random: the next turn, a seat that has acted, players who come and go or give a sign, the end.
    fn change(&mut self) {
        let kind = self.rng.below(40);
        let Some(state) = &mut self.state else {
            self.state = Some(awaited(1, &[0, 1, 2], false, 0));
            self.heard = self.now;
            return;
        };
        if state.waiting.is_empty() {
            return;
        }
        match kind {
            0..5 => {
                let waiting: Vec<u8> = (0..3).filter(|_| self.rng.below(2) == 0).collect();
                state.turn += 1;
                state.waiting = if waiting.is_empty() { vec![1] } else { waiting };
                self.heard = self.now;
            }
            5..8 if state.waiting.len() > 1 => drop(state.waiting.remove(0)),
            8..11 => state.are_away = !state.are_away,
            11..14 => self.heard = self.now,
            14 => (state.turn, state.waiting, state.are_away) = (state.turn + 1, Vec::new(), true),
            _ => {}
        }
    }

    /// Lets time pass, and makes the request that is due and answers one that is under way, unless the network is slow.
    fn step(&mut self, millis: u64, is_leaving: bool) {
        self.now += millis;
        if let Some(state) = &mut self.state {
            state.silence_ms = self.now - self.heard;
        }
        let before = self.announcer.known_turn().cloned();
        let unix = 1_790_000_000 + self.now / 1_000;
        let due = self.announcer.next_request(self.state.as_ref(), self.now, unix, is_leaving);
        if let Some(request) = due {
            assert!(self.pending.is_none(), "one request at a time");
            let state = self.state.as_ref().expect("nothing is announced before the log is agreed");
            assert!(state.are_away || state.silence_ms >= 60_000, "{state:?}: the players are here");
            if let AnnounceRequest::Announce(announced) = &request {
                assert_eq!(
                    (announced.turn, &announced.waiting),
                    (state.turn, &state.waiting),
                    "the newest turn"
                );
                assert_ne!(before.as_ref(), Some(announced), "what the server knows is not announced");
            }
            self.requests += 1;
            self.pending = Some(request);
        }
        if self.rng.below(3) > 0
            && let Some(request) = self.pending.take()
        {
            let reply = match request {
                _ if !self.is_up => AnnounceReply::Failed,
                AnnounceRequest::Look => AnnounceReply::Known(self.server.clone()),
                AnnounceRequest::Announce(announced) => {
                    self.server = Some(announced);
                    AnnounceReply::Taken
                }
            };
            self.announcer.handle_reply(reply, self.now);
        }
    }
}

#[test]
fn every_turn_that_lasts_is_announced_once_and_as_it_is() {
    let mut ends = 0;
    for seed in 0..200 {
        let mut model = Model::new(seed, None);
        for _ in 0..400 {
            if model.rng.below(30) == 0 {
                model.is_up = !model.is_up;
            }
            model.change();
            let (millis, is_leaving) = (u64::from(model.rng.below(3_000)), model.rng.below(20) == 0);
            model.step(millis, is_leaving);
        }
        // From now on the table stays as it is, and the server answers. The longest pause is five minutes.
        model.is_up = true;
        (0..400).for_each(|_| model.step(1_000, false));
        let state = model.state.clone().unwrap();
        let told = model.server.clone();
        if state.waiting.is_empty() {
            ends += 1;
            assert!(told.is_none_or(|told| told.waiting.is_empty()), "seed {seed}: the end is announced");
        } else {
            let told = told.unwrap();
            assert_eq!((told.turn, told.waiting), (state.turn, state.waiting), "seed {seed}");
        }
        let requests = model.requests;
        (0..400).for_each(|_| model.step(1_000, true));
        assert_eq!(model.requests, requests, "seed {seed}: nothing is announced again");
    }
    assert!(ends > 20, "{ends} games have ended");
}

#[test]
fn a_turn_of_players_who_are_away_has_to_settle_unless_the_player_leaves() {
    for (is_leaving, after) in [(false, 3_000), (true, 100)] {
        let mut announcer = TurnAnnouncer::default();
        let state = awaited(1, &[1], true, 0);
        let mut next = |now| announcer.next_request(Some(&state), now, now / 1_000, is_leaving);
        assert_eq!(next(0), Some(AnnounceRequest::Look));
        assert_eq!(next(0), None, "one request at a time");
        announcer.handle_reply(AnnounceReply::Known(None), 100);
        let mut next = |now| announcer.next_request(Some(&state), now, now / 1_000, is_leaving);
        if !is_leaving {
            assert_eq!(next(after - 1), None);
        }
        assert!(matches!(next(after), Some(AnnounceRequest::Announce(_))));
    }
}

#[test]
fn nothing_is_sent_to_a_server_without_notifications() {
    let mut announcer = TurnAnnouncer::default();
    let state = awaited(1, &[1], true, 0);
    assert_eq!(announcer.next_request(Some(&state), 0, 0, false), Some(AnnounceRequest::Look));
    announcer.handle_reply(AnnounceReply::Off, 3_000);
    for turn in 2..100 {
        let now = 100_000 * u64::from(turn);
        let state = awaited(turn, &[1], true, 0);
        assert_eq!(announcer.next_request(Some(&state), now, now / 1_000, true), None);
    }
}

#[test]
fn a_game_of_people_who_are_all_here_announces_nothing() {
    let mut model = Model::new(1, None);
    for turn in 1..500 {
        model.state = Some(awaited(turn, &[(turn % 2) as u8], false, 0));
        model.heard = model.now;
        (0..50).for_each(|_| model.step(1_000, true));
    }
    assert_eq!(model.requests, 0);
    model.state = Some(awaited(500, &[], true, 0));
    (0..50).for_each(|_| model.step(1_000, false));
    assert_eq!((model.requests, model.server), (1, None), "the server knows no turn that could end");
}

#[test]
fn failures_are_retried_with_growing_pauses() {
    let mut model = Model::new(1, None);
    model.is_up = false;
    model.state = Some(awaited(1, &[1], true, 0));
    (0..3_600).for_each(|_| model.step(1_000, true));
    assert!((8..=22).contains(&model.requests), "{} requests in an hour", model.requests);
}

#[test]
fn a_visit_keeps_the_deadline_that_the_server_knows() {
    let deadline = Some(1_790_003_600);
    let known = TurnAnnouncement { turn: 7, waiting: vec![1], deadline };
    let mut model = Model::new(1, Some(known.clone()));
    model.state = Some(awaited(7, &[1], true, 0));
    (0..100).for_each(|_| model.step(1_000, false));
    assert_eq!((model.requests, model.server.as_ref()), (1, Some(&known)), "nothing is new");
    // Another seat has acted, the deadline stays; then another turn has its own.
    model.state = Some(awaited(7, &[0, 1], true, 0));
    (0..100).for_each(|_| model.step(1_000, false));
    assert_eq!(model.server.as_ref().unwrap().deadline, deadline);
    model.state = Some(awaited(8, &[1], true, 0));
    (0..100).for_each(|_| model.step(1_000, false));
    let later = model.server.unwrap().deadline.unwrap();
    assert!((1_790_086_400..1_790_086_800).contains(&later) && later.is_multiple_of(60), "{later}");
    // A limit that counts only while somebody is there is no deadline.
    let mut model = Model::new(1, None);
    model.state = Some(AwaitedTurn { limit_ms: 600_000, ..awaited(1, &[1], true, 0) });
    (0..100).for_each(|_| model.step(1_000, false));
    assert_eq!(model.server, Some(TurnAnnouncement { turn: 1, waiting: vec![1], deadline: None }));
}

/// Returns the turn and the waiting seats of each peer of a hub.
fn turns(hub: &Hub) -> Vec<Option<(u32, Vec<u8>)>> {
    let turn = |peer: &Lobby| peer.awaited_turn().map(|awaited| (awaited.turn, awaited.waiting));
    hub.peers.iter().map(turn).collect()
}

#[test]
fn all_players_see_the_same_turns_from_the_opening_to_the_end() {
    for game in ["tic-tac-toe", "connect-four", "kuhn"] {
        let setup = TableSetup { game: find(game).unwrap(), ..setup(false) };
        let mut hub = Hub::new(vec![lobby(0, Some(setup)), lobby(1, None), lobby(2, None)]);
        hub.request(2, SeatRequest::Watch);
        hub.request(1, SeatRequest::Sit { seat: None, ready: true });
        assert_eq!(turns(&hub), [None, None, None], "no match");
        for i in 0..3 {
            let outputs = hub.peers[i].handle_event(NetEvent::MailCaughtUp(MailCursor::default()));
            hub.follow(i, outputs);
        }
        let outputs = hub.peers[0].start_match();
        hub.follow(0, outputs);
        let mut seen: Vec<(u32, Vec<u8>)> = Vec::new();
        let mut awaited = BTreeSet::new();
        for now in 1..200u64 {
            // One message at a time, so that the peers are at different places in between.
            while let Some((from, to, bytes)) = hub.mail.pop_front() {
                let outputs = hub.peers[to].handle_event(NetEvent::Message(from as PeerId, bytes));
                hub.follow(to, outputs);
                let turns = turns(&hub);
                assert_eq!(turns[2], None, "spectators announce nothing");
                awaited.extend(turns.iter().flatten().flat_map(|(_, waiting)| waiting).copied());
                if hub.peers[0].session().is_some_and(|session| session.head() == [0; 32]) {
                    assert_eq!(turns[0], None, "{game}: the opening is not agreed");
                }
                if let (Some(a), Some(b)) = (&turns[0], &turns[1])
                    && a.0 == b.0
                    && hub.mail.is_empty()
                {
                    assert_eq!(a, b, "{game}: peers with the same log");
                }
                if let Some(turn) = &turns[0] {
                    assert!(
                        seen.last().is_none_or(|last| last.0 <= turn.0),
                        "{game}: {last:?}",
                        last = seen.last()
                    );
                    seen.push(turn.clone());
                }
            }
            for i in 0..3 {
                let outputs = hub.peers[i].tick(now * 500);
                hub.follow(i, outputs);
            }
        }
        assert!(hub.peers[0].is_over() && hub.peers[1].is_over());
        let events = hub.peers[0].session().unwrap().events();
        let end = Some((events + 1, Vec::new()));
        assert_eq!(turns(&hub), [end.clone(), end, None], "{game}");
        assert_eq!(awaited, BTreeSet::from([0, 1]), "{game}: each is awaited");
    }
}
