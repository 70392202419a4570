//! One machine is one party, leaving gives no new roll, and people decide whether somebody is dropped.

use pentarchy_engine::{Seat, SeatSet};
use pentarchy_fair::{Entropy, SigningSecret};
use pentarchy_registry::find;
use pentarchy_table::sim::{Cheat, SimPlan, judge, run};
use pentarchy_table::{
    Descriptor, Ending, Input, Lateness, MIN_STALL_MS, PeerSession, Recovery, SessionEvent, SessionOutput,
    SessionRequest, TablePlayer, rules_hash,
};
use std::collections::VecDeque;

fn identity(seat: u8) -> SigningSecret {
    SigningSecret::new(Entropy::new([seat + 1; 32]))
}

/// A table in which the last seats are bots of the first.
fn table(game: &str, seats: u8, bots: u8) -> Descriptor {
    let player = |seat: u8| TablePlayer {
        identity: *identity(seat).public().bytes(),
        name: format!("TablePlayer {seat}"),
        host: (seat >= seats - bots).then_some(0),
    };
    let players = (0..seats).map(player).collect();
    Descriptor::new(find(game).unwrap(), &serde_json::json!({}), players, [9; 32]).unwrap()
}

fn refusal(table: Descriptor) -> String {
    let game = find(&table.game).unwrap();
    PeerSession::watch(game, table).map(|_| ()).expect_err("the table must be refused").to_string()
}

#[test]
fn a_machine_counts_once_however_many_bots_it_hosts() {
    for (seats, bots, recovery) in [
        (2, 0, Recovery::End),
        (3, 0, Recovery::Escrow(2)),
        (3, 1, Recovery::End),
        (5, 3, Recovery::End),
        (5, 2, Recovery::Escrow(2)),
        (5, 1, Recovery::Escrow(3)),
    ] {
        let made = table("ozymandias", seats, bots);
        assert_eq!((made.recovery, made.machines()), (recovery, seats - bots));
        // As many as there are other seats were enough in version 1.
        for t in 0..=seats {
            let chosen = Descriptor { recovery: Recovery::Escrow(t), ..made.clone() };
            if (2..seats - bots).contains(&t) {
                assert!(
                    PeerSession::watch(find("ozymandias").unwrap(), chosen).is_ok(),
                    "{seats}, {bots}, {t}"
                );
            } else {
                let why = refusal(chosen);
                assert!(why.contains("the bots that they host count as one"), "{seats}, {bots}, {t}: {why}");
            }
        }
    }
    assert_eq!(Recovery::Escrow(4).limited_to(3), Recovery::Escrow(2));
    assert_eq!(Recovery::Escrow(4).limited_to(2), Recovery::End);
    assert_eq!(Recovery::End.limited_to(5), Recovery::End);
}

#[test]
fn a_table_with_unfair_terms_is_refused_with_a_reason() {
    let made = table("ozymandias", 3, 0);
    let why = refusal(Descriptor { stall_ms: MIN_STALL_MS - 1, ..made.clone() });
    assert!(why.contains("time limit") && why.contains("30 s"), "{why}");
    let mut hash = made.rules_hash;
    hash[0] ^= 1;
    let why = refusal(Descriptor { rules_hash: hash, ..made.clone() });
    assert!(why.contains("other cards, options or set-up"), "{why}");
    let mut chained = made.clone();
    (chained.players[1].host, chained.players[2].host) = (Some(2), Some(0));
    chained.recovery = Recovery::End;
    assert!(refusal(chained).contains("hosted by another bot"));
    // A reason that quotes the descriptor cannot drive a terminal.
    let why = refusal(Descriptor { options: r#"{"\u001b[2J\u009b": 1}"#.into(), ..made.clone() });
    assert!(why.contains("[2J") && !why.chars().any(char::is_control), "{why:?}");
    // 256 + 3 players are not three.
    let mut many = made;
    let first = many.players[0].clone();
    many.players.extend(std::iter::repeat_n(first, 256));
    assert!(refusal(many.clone()).contains("at most 8 seats"));
    assert!(Descriptor::decode(&many.encode()).is_err());
}

#[test]
fn the_rules_hash_tells_games_apart() {
    let names = ["kuhn", "leduc", "ozymandias", "vires"];
    let hashes: std::collections::BTreeSet<_> =
        names.iter().map(|name| rules_hash(find(name).unwrap())).collect();
    assert_eq!(hashes.len(), names.len());
    assert_eq!(rules_hash(find("kuhn").unwrap()), rules_hash(find("kuhn").unwrap()));
}

/// Plays a game honestly and with a seat that keeps its part of a roll to itself; true if it did before the end.
fn leaving_changes_nothing(name: &str, plan: &SimPlan, seat: u8) -> bool {
    let game = find(name).unwrap();
    let honest = run(game, plan.clone()).unwrap();
    let cheating = plan.clone().cheating(seat, Cheat::find("leave-roll").unwrap());
    let report = run(game, cheating.clone()).unwrap();
    let seed = plan.seed;
    judge(game, &cheating, &report).unwrap_or_else(|e| panic!("{name}, seed {seed}: {e}"));
    if report.cheated == 0 {
        return false;
    }
    let machine = |seat: u8| if seat >= plan.seats - plan.hosted { 0 } else { seat };
    let stays = (0..plan.seats).find(|&other| machine(other) != machine(seat)).map(usize::from).unwrap();
    let roll = report.cheated_roll;
    assert_eq!(
        report.rolls[stays].get(..=roll),
        honest.rolls[stays].get(..=roll),
        "{name}, seed {seed}: the roll is another without seat {seat}"
    );
    let verdict = report.record.unwrap().verify(game).unwrap();
    assert!(verdict.votes.iter().all(|vote| vote.seats.has(Seat(seat)) && vote.unreachable.is_empty()));
    true
}

#[test]
fn leaving_never_gives_a_new_roll() {
    let mut tried = 0;
    for seed in 0..30 {
        let (seat, plan) = ((seed % 3) as u8, SimPlan { most_events: 100, ..SimPlan::new(3, seed) });
        tried += u32::from(leaving_changes_nothing("numeral", &plan, seat));
        tried += u32::from(leaving_changes_nothing("ozymandias", &plan, seat));
    }
    assert!(tried >= 20, "only {tried} rolls were left");
}

#[test]
fn a_host_gets_no_new_roll_by_letting_a_bot_leave() {
    let mut tried = 0;
    for seed in 0..16 {
        let plan = SimPlan { most_events: 100, ..SimPlan::new(4, seed) }.hosting(1);
        tried += u32::from(leaving_changes_nothing("numeral", &plan, 3));
    }
    assert!(tried >= 5, "only {tried} rolls were left");
}

#[test]
fn a_second_seat_may_leave_while_the_roll_of_the_first_is_completed() {
    let game = find("numeral").unwrap();
    let mut went = 0;
    for seed in 0..16 {
        let plan = SimPlan { most_events: 100, recovery: Recovery::Escrow(2), ..SimPlan::new(5, seed) };
        let honest = run(game, plan.clone()).unwrap();
        let mut cheating = plan.cheating(0, Cheat::find("leave-roll").unwrap());
        let first = run(game, cheating.clone()).unwrap();
        // The other is gone as soon as the first has left, and owes its share of the departure or of the roll.
        cheating.leaver = Some((1, first.cheated_at));
        let report = run(game, cheating.clone()).unwrap();
        let roll = report.cheated_roll;
        if first.cheated == 0 || report.cheated == 0 || report.rolls[2].len() <= roll {
            continue;
        }
        went += 1;
        assert_eq!(report.rolls[2][..=roll], honest.rolls[2][..=roll], "seed {seed}");
        report.record.unwrap().verify(game).unwrap();
    }
    assert!(went >= 2, "only {went} tables lost two seats");
}

#[test]
fn tables_with_hosted_bots_play_and_lose_whole_machines() {
    let game = find("ozymandias").unwrap();
    for seed in 0..3 {
        // Five seats, of which two are bots of the first: when their host leaves, they leave too.
        let plan = SimPlan { leaver: Some((0, 14)), ..SimPlan::new(5, seed) }.hosting(2);
        let report = run(game, plan.clone()).unwrap();
        judge(game, &plan, &report).unwrap();
        assert_eq!(report.taken_over[1], SeatSet(0b11001), "seed {seed}: {:?}", report.endings);
        assert_eq!(report.endings[3], Some(Ending::Dropped(SeatSet(0b11001))));
        let verdict = report.record.unwrap().verify(game).unwrap();
        let mut votes: Vec<_> = verdict.votes.iter().map(|vote| (vote.by, vote.seats.0)).collect();
        votes.sort_unstable();
        assert_eq!(votes, [(1, 0b11001), (2, 0b11001)], "one vote for each machine");
        // Two machines have no majority against each other: the table stands still.
        let plan = SimPlan { leaver: Some((0, 14)), ..SimPlan::new(4, seed) }.hosting(2);
        let report = run(game, plan.clone()).unwrap();
        assert!(
            report.cut && report.endings.iter().all(Option::is_none),
            "seed {seed}: {:?}",
            report.endings
        );
    }
}

/// Sessions that hear each other at once, with one clock.
struct Players {
    sessions: Vec<PeerSession>,
    now: u64,
    /// By seat: what was told since it was last taken.
    told: Vec<Vec<SessionOutput>>,
    /// Seats whose messages go nowhere, and that hear nothing.
    cut: u8,
}

impl Players {
    fn new(game: &str, seats: u8, bots: u8) -> Self {
        let (made, game) = (table(game, seats, bots), find(game).unwrap());
        let mut all = Players { sessions: Vec::new(), now: 1, told: Vec::new(), cut: 0 };
        let mut first = VecDeque::new();
        for seat in 0..seats {
            let (session, out) = PeerSession::new(
                game,
                made.clone(),
                seat,
                &identity(seat),
                [seat; 32],
                Entropy::new([seat; 32]),
            )
            .unwrap();
            all.sessions.push(session);
            all.told.push(Vec::new());
            first.push_back((seat, out));
        }
        all.spread(first);
        all.tick(1);
        all
    }

    fn spread(&mut self, mut queue: VecDeque<(u8, Vec<SessionOutput>)>) {
        while let Some((from, outputs)) = queue.pop_front() {
            for output in outputs {
                match output {
                    SessionOutput::Request(SessionRequest::Send { bytes, .. })
                        if self.cut >> from & 1 == 0 =>
                    {
                        for to in
                            (0..self.sessions.len() as u8).filter(|&to| to != from && self.cut >> to & 1 == 0)
                        {
                            let input = Input::Message { from: u32::from(from), bytes: &bytes };
                            queue.push_back((to, self.sessions[usize::from(to)].handle(input)));
                        }
                    }
                    SessionOutput::Request(_) => {}
                    other => self.told[usize::from(from)].push(other),
                }
            }
        }
    }

    fn give(&mut self, seat: u8, input: Input<'_>) {
        let out = self.sessions[usize::from(seat)].handle(input);
        self.spread(VecDeque::from([(seat, out)]));
    }

    fn tick(&mut self, ms: u64) {
        self.now += ms;
        for seat in 0..self.sessions.len() as u8 {
            self.give(seat, Input::Tick { now_ms: self.now });
        }
    }

    /// Plays until a seat is to decide, and returns it; that seat is a person's other than seat 0's machine.
    fn until_decision_of(&mut self, wanted: &[u8]) -> u8 {
        for _ in 0..200 {
            let due = self.sessions[0].due();
            let decides = self.sessions[0].position().actor().map(|seat| seat.0).unwrap();
            assert_eq!(due, [decides]);
            if wanted.contains(&decides) {
                self.told.iter_mut().for_each(Vec::clear);
                return decides;
            }
            let text = self.sessions[usize::from(decides)].position().legal().unwrap()[0].canonical.clone();
            self.give(decides, Input::Choose(&text));
        }
        panic!("none of {wanted:?} is ever to decide");
    }

    fn asked(&self, seat: u8) -> Option<(SeatSet, SeatSet)> {
        self.told[usize::from(seat)].iter().find_map(|output| match output {
            SessionOutput::Event(SessionEvent::AskDrop { seats, unreachable }) => {
                Some((*seats, *unreachable))
            }
            _ => None,
        })
    }
}

#[test]
fn nobody_is_dropped_before_the_people_at_a_majority_of_machines_agree() {
    let limit = 120_000;
    let mut all = Players::new("ozymandias", 4, 1);
    // Seats 0 and 3 are one machine.
    let late = all.until_decision_of(&[1, 2]);
    let other = 3 - late;
    all.cut = 1 << late;
    all.give(0, Input::Reach { seat: late, reachable: false });
    all.tick(limit);
    let stalled = |told: &[SessionOutput]| {
        told.iter().find_map(|output| match output {
            SessionOutput::Event(SessionEvent::Stalled { seat, how, .. }) => Some((*seat, *how)),
            _ => None,
        })
    };
    assert_eq!(stalled(&all.told[0]), Some((late, Lateness::Unreachable)));
    assert_eq!(stalled(&all.told[usize::from(other)]), Some((late, Lateness::Silent)));
    let (bit, none) = (SeatSet::only(Seat(late)), SeatSet::NONE);
    assert_eq!(all.asked(0), Some((bit, bit)));
    assert_eq!(all.asked(other), Some((bit, none)));
    assert_eq!(all.asked(3), None, "a bot has no person to ask");
    // However long they are not answered, nothing is signed.
    for _ in 0..20 {
        all.tick(limit);
    }
    assert!(all.sessions.iter().all(|session| session.epoch() == 0 && !session.is_over()));
    // The bot's word does not count, and one person is not enough.
    all.give(3, Input::Drop(bit));
    all.give(0, Input::Drop(bit));
    for _ in 0..20 {
        all.tick(limit);
    }
    assert!(all.sessions.iter().all(|session| session.epoch() == 0 && !session.is_over()));
    all.give(other, Input::Drop(bit));
    all.tick(limit);
    for seat in [0, other, 3] {
        assert_eq!(all.sessions[usize::from(seat)].taken_over(), bit, "seat {seat}");
    }
    // The record says who reached whom.
    let verdict = all.sessions[0].record().verify(find("ozymandias").unwrap()).unwrap();
    let mut votes: Vec<_> =
        verdict.votes.iter().map(|vote| (vote.by, vote.seats, vote.unreachable)).collect();
    votes.sort_unstable_by_key(|(by, ..)| *by);
    assert_eq!(votes, [(0, bit, bit), (other, bit, none)]);
}

#[test]
fn who_would_rather_wait_frees_those_who_would_not() {
    let limit = 120_000;
    let mut all = Players::new("ozymandias", 3, 0);
    let late = all.until_decision_of(&[0, 1, 2]);
    let [one, two] = [(late + 1) % 3, (late + 2) % 3];
    all.cut = 1 << late;
    all.tick(limit);
    all.give(one, Input::Drop(SeatSet::only(Seat(late))));
    all.give(two, Input::Wait);
    // The late seat comes back and acts: everybody goes on.
    all.cut = 0;
    let text = all.sessions[usize::from(late)].position().legal().unwrap()[0].canonical.clone();
    let events = all.sessions[usize::from(one)].events();
    all.give(late, Input::Choose(&text));
    all.tick(5_000);
    all.tick(5_000);
    assert!(all.sessions.iter().all(|session| session.events() > events && session.live() == SeatSet(0b111)));
}

#[test]
fn a_player_who_is_thinking_is_not_late() {
    let limit = u64::from(table("ozymandias", 3, 0).stall_ms);
    let mut all = Players::new("ozymandias", 3, 0);
    let late = all.until_decision_of(&[0, 1, 2]);
    let waits = usize::from((late + 1) % 3);
    let stalls = |all: &Players| {
        all.told[waits].iter().any(|o| matches!(o, SessionOutput::Event(SessionEvent::Stalled { .. })))
    };
    let mut waited = 0;
    while waited + limit / 2 < 5 * limit {
        all.give(late, Input::Thinking);
        all.tick(limit / 2);
        waited += limit / 2;
        assert!(!stalls(&all), "after {waited} ms");
    }
    // At most five time limits in all.
    all.give(late, Input::Thinking);
    all.tick(limit / 2);
    assert!(stalls(&all), "a player cannot think for ever");
    // Who does not say so has one time limit.
    let mut all = Players::new("ozymandias", 3, 0);
    all.until_decision_of(&[late]);
    all.tick(limit);
    assert!(stalls(&all));
}
