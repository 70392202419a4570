//! Every cheat of the catalogue behaves as its row says, and no honest peer is accused.

use pentarchy_registry::find;
use pentarchy_table::Evidence;
use pentarchy_table::sim::{CHEATS, Cheat, Expect, Faults, SimPlan, judge, run};

/// Runs a cheat at some tables; gives how often it was tried.
fn tried(cheat: &'static Cheat, name: &str, seats: u8, seeds: u64, most_events: u32) -> u32 {
    let game = find(name).unwrap();
    let mut tried = 0;
    for seed in 0..seeds {
        let plan = SimPlan { most_events, ..SimPlan::new(seats, seed) };
        let plan = plan.cheating((seed % u64::from(seats)) as u8, cheat);
        let report = run(game, plan.clone()).unwrap_or_else(|e| panic!("{} {name} {seed}: {e}", cheat.name));
        judge(game, &plan, &report).unwrap_or_else(|e| panic!("{name} with {seats}, seed {seed}: {e}"));
        tried += u32::from(report.cheated > 0);
    }
    tried
}

#[test]
fn every_cheat_ends_as_the_catalogue_says() {
    for cheat in CHEATS {
        let small = if cheat.seats == 2 { tried(cheat, "leduc", 2, 4, u32::MAX) } else { 0 };
        let seats = cheat.seats.max(3);
        // A whole game where the end matters.
        let large = match cheat.name {
            "refuse-audit" => tried(cheat, "ozymandias", seats, 1, u32::MAX),
            "refuse-open" => tried(cheat, "hegemony", seats, 1, 300),
            "false-claim" => tried(cheat, "hegemony", seats, 1, 80),
            "false-die" => tried(cheat, "liars-dice", seats, 3, 100),
            "leave-roll" => tried(cheat, "numeral", seats, 3, 100),
            "leave-shuffle" | "false-dice" => tried(cheat, "vires", seats, 3, 100),
            _ => tried(cheat, "vires", seats, 1, 80),
        };
        assert!(small + large > 0, "`{}` was never tried", cheat.name);
    }
}

#[test]
fn evidence_that_was_changed_does_not_convince() {
    let game = find("leduc").unwrap();
    for cheat in CHEATS.iter().filter(|cheat| cheat.expect == Expect::Evidence) {
        for seed in 0..2 {
            let report = run(game, SimPlan::new(2, seed).cheating(0, cheat)).unwrap();
            let Some((_, evidence)) = report.evidence.first() else { continue };
            let bytes = evidence.encode();
            assert_eq!(evidence.judge(game).unwrap().offender, 0);
            assert!(Evidence::decode(&bytes[..bytes.len() / 2]).is_err() && Evidence::decode(b"no").is_err());
            for at in (21..bytes.len()).step_by(bytes.len() / 40 + 1) {
                let mut changed = bytes.clone();
                changed[at] ^= 1;
                // Some bytes say nothing (a name, a reason in words). None may convict anybody else.
                let judged = Evidence::decode(&changed).map(|evidence| evidence.judge(game));
                if let Ok(Ok(judged)) = judged {
                    assert_eq!(judged.offender, 0, "{} byte {at}", cheat.name);
                }
            }
        }
    }
}

#[test]
fn who_says_much_does_not_make_the_others_repeat_it() {
    let game = find("ozymandias").unwrap();
    let plan = SimPlan { faults: Faults::BAD, ..SimPlan::new(3, 0) };
    let quiet = run(game, plan.clone()).unwrap();
    let loud = plan.cheating(0, Cheat::find("expel").unwrap());
    let report = run(game, loud.clone()).unwrap();
    judge(game, &loud, &report).unwrap();
    let per_event = |messages: u64, events: u32| messages / u64::from(events);
    let (own, most) = (20, 2 * per_event(quiet.messages, quiet.events));
    let told = per_event(report.messages, report.events);
    assert!(told < own + most, "{told} messages an event, {most} without such a seat");
}
