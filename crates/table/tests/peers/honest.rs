//! Honest peers finish and agree at every event, whatever the network does, and the record convinces anybody.

use crate::wire::{opening, sends};
use pentarchy_engine::{Seat, SeatSet};
use pentarchy_registry::find;
use pentarchy_table::sim::{Faults, SimPlan, SimReport, judge, run};
use pentarchy_table::{Ending, Input, Recovery, SessionEvent, SessionOutput, TableRecord};

fn played(name: &str, plan: &SimPlan) -> SimReport {
    let game = find(name).unwrap();
    let report = run(game, plan.clone())
        .unwrap_or_else(|e| panic!("{name}, {} seats, seed {}: {e}", plan.seats, plan.seed));
    judge(game, plan, &report)
        .unwrap_or_else(|e| panic!("{name}, {} seats, seed {}: {e}", plan.seats, plan.seed));
    assert!(report.evidence.is_empty());
    report
}

fn verified(name: &str, report: &SimReport) {
    let (game, record) = (find(name).unwrap(), report.record.as_ref().unwrap());
    let again = TableRecord::decode(&record.encode()).unwrap();
    assert_eq!(again, *record);
    let verdict = again.verify(game).unwrap();
    assert_eq!(verdict.ending, Some(Ending::Played));
    assert!(verdict.outcome.is_some());
    game.verify(&verdict.public).unwrap();
}

#[test]
fn small_games_finish() {
    for name in ["tic-tac-toe", "connect-four", "kuhn", "leduc"] {
        for seed in 0..40 {
            let report = played(name, &SimPlan::new(2, seed));
            assert!(report.stalls.is_empty());
            if seed % 8 == 0 {
                verified(name, &report);
            }
        }
    }
}

#[test]
fn who_gives_up_signs_it_and_the_record_says_whose_claim_it_is() {
    let (mut sessions, mut queue) = opening();
    while !queue.is_empty() {
        let (from, bytes) = queue.remove(0);
        let outputs = sessions[1 - from].handle(Input::Message { from: 0, bytes: &bytes });
        queue.extend(sends(1 - from, outputs));
    }
    // Both are dealt a card, and the first to decide does not.
    let late = usize::from(sessions[0].due()[0]);
    let waits = &mut sessions[1 - late];
    let patience = u64::from(waits.descriptor().stall_ms);
    waits.handle(Input::Tick { now_ms: 1 });
    let told = waits.handle(Input::Tick { now_ms: 1 + patience });
    assert!(told.iter().any(|o| matches!(o, SessionOutput::Event(SessionEvent::Stalled { seat, .. }) if usize::from(*seat) == late)));
    let told = waits.handle(Input::GiveUp);
    let record = told.iter().find_map(|output| match output {
        SessionOutput::Event(SessionEvent::Over(record)) => Some(record.encode()),
        _ => None,
    });
    let (game, mut record) = (find("kuhn").unwrap(), record.unwrap());
    let verdict = |record: &[u8]| TableRecord::decode(record).unwrap().verify(game);
    let claimed = |record: &[u8]| {
        let verdict = verdict(record).unwrap();
        assert_eq!(verdict.signers(), SeatSet::NONE, "nobody else has signed it");
        verdict.claims
    };
    let claim = [(1 - late as u8, SeatSet(1 << late))];
    assert_eq!(claimed(&record), claim);
    // It does not end the game of the other, who hears it and may still come back.
    for (_, bytes) in sends(1 - late, told) {
        sessions[late].handle(Input::Message { from: 0, bytes: &bytes });
    }
    assert!(!sessions[late].is_over());
    assert_eq!(claimed(&sessions[late].record().encode()), claim);
    // Nobody can put it into somebody's mouth.
    *record.last_mut().unwrap() ^= 1;
    assert!(verdict(&record).unwrap_err().to_string().contains("not signed by its seat"));
}

#[test]
fn a_bad_network_changes_nothing() {
    let mut crashes = 0;
    for name in ["connect-four", "kuhn", "leduc"] {
        for seed in 0..60 {
            let report = played(name, &SimPlan { faults: Faults::BAD, ..SimPlan::new(2, seed) });
            assert!(report.record.is_some());
            crashes += report.crashes;
        }
    }
    assert!(crashes > 10, "the network is not bad enough: {crashes} crashes");
}

#[test]
fn the_shorter_of_the_five_games_finish() {
    for (name, seats) in [("hestia", 2), ("ozymandias", 3), ("ozymandias", 5)] {
        for seed in 0..2 {
            let report = played(name, &SimPlan { faults: Faults::BAD, ..SimPlan::new(seats, seed) });
            verified(name, &report);
        }
    }
}

#[test]
fn every_game_begins_at_its_usual_number_of_seats() {
    for game in pentarchy_registry::GAMES {
        let info = game.info();
        let plan = SimPlan { most_events: 40, ..SimPlan::new(info.default_seats, 2) };
        assert!(played(info.name, &plan).events > 0, "{}", info.name);
    }
}

#[test]
fn the_longer_ones_begin() {
    for (name, seats) in [("vires", 4), ("hegemony", 3), ("numeral", 6)] {
        let plan = SimPlan { faults: Faults::BAD, most_events: 150, ..SimPlan::new(seats, 1) };
        assert!(played(name, &plan).events >= 150);
    }
}

#[test]
fn a_pile_that_everybody_has_locked_is_rearranged_by_one_who_has_seen_it() {
    // An Offer: its user looks through another's deck, mixes it unseen, takes a card out of it, and gives one of their own.
    let options = serde_json::json!({ "cards": { "offer": { "start": 4 } } });
    let prefer = &["use offer", "target", "take", "give"][..];
    let plan = SimPlan { options, prefer, faults: Faults::BAD, most_events: 90, ..SimPlan::new(3, 1) };
    let report = played("hegemony", &plan);
    let mixed: u32 =
        report.happened.iter().filter(|(what, _)| what.starts_with("rearrange: deck")).map(|(_, n)| n).sum();
    assert!(mixed >= 2, "{:?}", report.happened);
}

#[test]
fn all_survivors_sign_the_end_without_a_seat_that_is_gone() {
    for seed in 0..3 {
        let plan = SimPlan { leaver: Some((1, 20)), most_events: 1000, ..SimPlan::new(4, seed) };
        let report = played("vires", &SimPlan { recovery: Recovery::End, ..plan });
        assert!(report.stalls.iter().all(|(_, late)| *late == 1));
        let ended = report.endings.iter().filter(|end| **end == Some(Ending::Dropped(SeatSet(0b10)))).count();
        assert_eq!(ended, 3, "{:?}", report.endings);
        let verdict = report.record.unwrap().verify(find("vires").unwrap()).unwrap();
        assert_eq!(verdict.ending, Some(Ending::Dropped(SeatSet(0b10))));
        let voters: SeatSet = verdict.votes.iter().map(|vote| Seat(vote.by)).collect();
        assert_eq!(verdict.signers(), voters);
        assert!(voters.len() >= 2 && !voters.has(Seat(1)), "{voters:?}");
    }
}

#[test]
fn a_bot_takes_the_seat_of_whoever_leaves() {
    for (name, seats, after) in [("vires", 4, 40), ("hegemony", 3, 25), ("numeral", 3, 30)] {
        let leaver = Some((1, after));
        let plan = SimPlan { leaver, most_events: 110, faults: Faults::BAD, ..SimPlan::new(seats, 1) };
        let report = played(name, &plan);
        assert!(report.events >= 110, "{name}: {:?}", report.endings);
        assert_eq!(
            report.taken_over.iter().filter(|seats| **seats == SeatSet(0b10)).count(),
            usize::from(seats) - 1
        );
    }
}

#[test]
fn whenever_a_seat_leaves_the_others_play_to_the_end() {
    let mut taken_over_games = 0;
    for after in (1..40).step_by(3) {
        let leaver = Some(((after % 3) as u8, after));
        let report = played("ozymandias", &SimPlan { leaver, ..SimPlan::new(3, u64::from(after)) });
        // The engine refuses a face that its group does not have, so a verified record has lost no card.
        verified("ozymandias", &report);
        taken_over_games += u32::from(report.taken_over.iter().any(|seats| !seats.is_empty()));
    }
    assert!(taken_over_games > 5, "only {taken_over_games} left before the end");
}

#[test]
fn those_who_are_too_few_to_open_the_cards_of_others_end_the_game() {
    let plan = SimPlan { leaver: Some((2, 12)), ..SimPlan::new(5, 3) };
    for (recovery, goes_on) in
        [(Recovery::Escrow(4), true), (Recovery::Escrow(2), true), (Recovery::End, false)]
    {
        let report = played("ozymandias", &SimPlan { recovery, ..plan.clone() });
        let taken_over = report.taken_over.iter().any(|seats| !seats.is_empty());
        assert_eq!(taken_over, goes_on, "{recovery:?}: {:?}", report.endings);
    }
    assert_eq!(Recovery::named("escrow:3", 5), Some(Recovery::Escrow(3)));
    assert_eq!(Recovery::named("escrow", 2), Some(Recovery::End));
    assert_eq!(Recovery::named("escrow:5", 5), None);
}

#[test]
fn only_a_majority_goes_on_when_the_table_falls_apart() {
    let mut taken_over_games = 0;
    for seed in 0..3 {
        let report = played("ozymandias", &SimPlan { faults: Faults::SPLIT, ..SimPlan::new(3, seed) });
        verified("ozymandias", &report);
        for (seat, ending) in report.endings.iter().enumerate() {
            let out = matches!(ending, Some(Ending::Dropped(seats)) if seats.has(Seat(seat as u8)));
            assert!(out || *ending == Some(Ending::Played), "seat {seat}: {ending:?}");
        }
        taken_over_games += u32::from(report.taken_over.iter().any(|seats| !seats.is_empty()));
    }
    assert!(taken_over_games > 0, "the network never fell apart for long");
}

#[test]
fn a_peer_in_the_minority_half_learns_that_it_was_dropped() {
    // Tables like these once stopped for good, or asked a seat that had just been dropped.
    let mut fell = 0;
    for (seed, crashes) in [(46, 400), (57, 400), (21, 0), (22, 0), (23, 0)] {
        let faults = Faults { crashes, ..Faults::SPLIT };
        let most_events = if crashes == 0 { 300 } else { 80 };
        let report = played("ozymandias", &SimPlan { faults, most_events, ..SimPlan::new(5, seed) });
        fell += u32::from(!report.stalls.is_empty());
    }
    assert!(fell >= 3, "the network fell apart for long in {fell} tables only");
}

#[test]
fn a_peer_that_comes_back_from_a_snapshot_is_like_one_that_verifies_everything() {
    let mut shortened = 0;
    let often = Faults { crashes: 60, ..Faults::BAD };
    let plans = [
        ("vires", 3, often, Some((1, 60)), 160),
        ("hegemony", 3, often, Some((2, 50)), 140),
        ("ozymandias", 5, Faults { crashes: 100, ..Faults::SPLIT }, None, 120),
    ];
    for (name, seats, faults, leaver, most_events) in plans {
        let plan = SimPlan { faults, leaver, most_events, compare_restores: true, ..SimPlan::new(seats, 2) };
        shortened += played(name, &plan).shortened;
    }
    assert!(shortened > 10, "only {shortened} came back from a snapshot");
}

#[test]
fn a_statement_of_which_nothing_will_come_is_refused_at_once() {
    // Peers that crash so often never wait for long, so they stood still for as long as the network fell apart.
    let faults = Faults { crashes: 400, ..Faults::SPLIT };
    let report = played("ozymandias", &SimPlan { faults, most_events: 12, ..SimPlan::new(5, 37) });
    assert!(report.taken_over.iter().any(|seats| !seats.is_empty()), "no seat was dropped");
    assert_eq!(report.calmed, 0, "they came to no agreement on a network that falls apart");
}
