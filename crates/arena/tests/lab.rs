//! The lab as a whole: restricted play, early stops, and parts that join to the same page.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails as a test does")]

use pentarchy_arena::findings::WorthState;
use pentarchy_arena::lab::part_of;
use pentarchy_arena::{Denial, Lab, Setting, Story, TournamentPlan, arena, data, report};
use pentarchy_arena::{SimulationPlan, SimulationTally};
use pentarchy_classics::Leduc;
use pentarchy_engine::{Rng, Seat, Verb};
use serde_json::Value;

/// Bet and Fold of Leduc poker, as items.
const BET: u16 = 1;
const FOLD: u16 = 2;

fn lab(games: u64, restrict_games: u64, until: Option<f64>) -> Lab {
    Lab {
        game: arena::<Leduc>(),
        bots: vec!["captain".parse().unwrap(); 2],
        seed: 3,
        games,
        settings: vec![Setting { name: String::new(), options: Value::Null }],
        rivals: ["random", "captain"].map(|bot| bot.parse().unwrap()).to_vec(),
        rival_games: 40,
        restrict_games,
        until,
    }
}

/// Returns a random number of parts, from 1 to `most`.
fn random_parts(rng: &mut Rng, most: u32) -> u64 {
    u64::from(1 + rng.below(most))
}

#[test]
fn parts_of_any_number_join_to_the_page_of_the_whole() {
    let mut rng = Rng::new(17);
    for round in 0..12 {
        let games = u64::from(60 + rng.below(400));
        let until = (round % 3 == 0).then_some(0.08);
        let lab = lab(games, if round % 2 == 0 { games } else { 0 }, until);
        let whole = lab.run(2, |_| {}).unwrap();
        let page = report::page(&lab, &whole, "pentarchy lab leduc");
        let parts = random_parts(&mut rng, 13);
        let mut played: Vec<_> =
            (1..=parts).map(|part| lab.run_part((part, parts), 2, |_| {}).unwrap()).collect();
        // Any order of the parts.
        let at = rng.below(played.len() as u32) as usize;
        played.rotate_left(at);
        let joined = lab.join(played);
        assert!(report::page(&lab, &joined, "pentarchy lab leduc") == page, "{games} games, {parts} parts");
        assert_eq!(data::as_data(&lab, &joined), data::as_data(&lab, &whole));
        let again = Lab::from_plan(lab.game, &lab.as_plan()).unwrap();
        assert_eq!(again.as_plan(), lab.as_plan());
    }
}

#[test]
fn parts_of_tournaments_and_simulations_join_to_the_whole() {
    let mut rng = Rng::new(23);
    for round in 0..8 {
        let bots: Vec<_> = ["captain", "random"].map(|bot| bot.parse().unwrap()).to_vec();
        let games = u64::from(150 + rng.below(500));
        let interval = (round % 2 == 0).then_some(0.2);
        let game = arena::<Leduc>();
        let plan =
            TournamentPlan { game, options: Value::Null, bots: bots.clone(), seed: 5, games, interval };
        let mut whole = pentarchy_arena::TournamentTally::new(2);
        let mut rows = Vec::new();
        plan.play(&mut whole, 2, false, |row, _| {
            rows.push(row.clone());
            std::ops::ControlFlow::Continue(())
        })
        .unwrap();
        let parts = random_parts(&mut rng, 9);
        let range = |part| part_of(games, part, parts);
        let played: Vec<_> = (1..=parts).map(|p| plan.play_part(range(p), 2, || {}).unwrap()).collect();
        let mut joined = Vec::new();
        assert_eq!(plan.join(&played, |row| joined.push(row.clone())), whole);
        assert_eq!(joined, rows);
        assert_eq!(TournamentPlan::from_plan(game, &plan.as_plan()).unwrap().as_plan(), plan.as_plan());
        let plan = SimulationPlan { game, options: Value::Null, bots, seed: 9 };
        let (mut whole, mut sum) = (SimulationTally::default(), SimulationTally::default());
        plan.play(0..games, &mut whole).unwrap();
        for part in 1..=parts {
            let mut tally = SimulationTally::default();
            plan.play(range(part), &mut tally).unwrap();
            sum.merge(&tally);
        }
        assert_eq!(sum, whole);
    }
}

#[test]
fn a_denied_seat_does_without_and_the_rest_of_the_game_is_the_same() {
    let lab = lab(1, 0, None);
    let table = lab.game.table(2, &Value::Null).unwrap();
    let draw = pentarchy_arena::Draw::new(&lab.bots, 3);
    let (mut same, mut other) = (0, 0);
    for game in 0..300 {
        let seat = Seat((game % 2) as u8);
        let mut story = Story::new(5, 2, false);
        let played = table.play(draw.seating(game), Some(&mut story)).unwrap();
        for item in [BET, FOLD] {
            let denial = Denial { seat, verb: Verb::Played, item };
            let (denied, forced) = table.play_denied(draw.seating(game), denial).unwrap();
            // A seat that may bet may check, and one that may fold may call.
            assert_eq!(forced, 0);
            if !story.offered_to[usize::from(item)][Verb::Played.index()].has(seat) {
                assert_eq!(denied, played);
                same += 1;
            } else {
                other += u32::from(denied != played);
            }
        }
    }
    assert!(same > 10 && other > 50, "{same} {other}");
}

#[test]
fn restricted_play_finds_what_is_worth_having() {
    let lab = lab(4000, 4000, None);
    let found = lab.run(2, |_| {}).unwrap();
    let bet = &found.worths[usize::from(BET)];
    // Captains bet with good cards; a seat that never bets gives that away.
    assert!(bet.tally.offered > 0 && bet.pairs() <= 4000, "{bet:?}");
    for worth in &found.worths {
        let (mean, interval) = (worth.mean(), worth.interval());
        assert!(interval.has(mean) && worth.tally.offered <= worth.pairs());
        match worth.state {
            WorthState::Sure => assert!(!interval.has(0.0)),
            WorthState::Precise => assert!(interval.width() <= 2.0),
            WorthState::Open => assert!(worth.pairs() == 4000 && worth.pairs_needed().is_some()),
            WorthState::NeverOffered => assert_eq!(worth.tally.offered, 0),
        }
    }
    let fold = &found.worths[usize::from(FOLD)];
    assert_eq!(fold.tally.forced, 0, "a seat that may fold may call");
    // The worth of an option that Captains can decide on early takes fewer games than those that stay open.
    assert!(found.worths.iter().any(|w| w.pairs() < 4000), "{:?}", found.worths);
    let page = report::page(&lab, &found, "pentarchy lab leduc --restrict");
    assert!(page.contains("worth of having it") && page.contains("How many games it needs"));
    assert!(!page.contains("NaN") && !page.contains("inf"));
}

#[test]
fn a_run_stops_when_the_shares_are_known() {
    let lab = lab(20_000, 0, Some(0.05));
    let found = lab.run(2, |_| {}).unwrap();
    let games = found.settings[0].balance().games;
    assert!(found.stopped && games < 20_000 && games.is_multiple_of(500), "{games}");
    assert!(found.seats.iter().all(|seat| seat.interval.width() <= 0.1));
    let never = Lab { until: None, ..lab };
    let found = Lab { games: 500, ..never }.run(2, |_| {}).unwrap();
    assert!(!found.stopped && found.settings[0].balance().games == 500);
}
