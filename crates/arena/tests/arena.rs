//! Tournaments as a whole: the same whatever the threads and the interruptions, fair to all seats.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails as a test does")]

use pentarchy_arena::balance::{Balance, GameSummary};
use pentarchy_arena::journal::{Journal, TournamentJournalError};
use pentarchy_arena::lab::Measure;
use pentarchy_arena::{
    AnyArena, GameResult, Lab, Setting, Story, TournamentPlan, TournamentTally, arena, csv, data, report,
};
use pentarchy_classics::{ConnectFour, Kuhn, Leduc, TicTacToe};
use serde_json::Value;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

fn plan(game: &'static dyn AnyArena, bots: &[&str], games: u64) -> TournamentPlan {
    let bots = bots.iter().map(|bot| bot.parse().unwrap()).collect();
    TournamentPlan { game, options: Value::Null, bots, seed: 5, games, interval: None }
}

fn rows(plan: &TournamentPlan, threads: usize) -> (TournamentTally, Vec<GameResult>) {
    let (mut tally, mut rows) = (TournamentTally::new(plan.bots.len()), Vec::new());
    let keep = |row: &GameResult, _: Option<&_>| {
        rows.push(row.clone());
        ControlFlow::Continue(())
    };
    plan.play(&mut tally, threads, false, keep).unwrap();
    (tally, rows)
}

fn file(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("pentarchy-arena-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    dir.join(name)
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for bots in [["captain", "random"], ["emperor:20", "recruit"]] {
        let plan = plan(arena::<Leduc>(), &bots, 301);
        let one = rows(&plan, 1);
        assert_eq!(one.0.games, 301);
        assert_eq!(one, rows(&plan, 2));
        assert_eq!(one, rows(&plan, 5));
    }
}

#[test]
fn seats_are_fair_where_bots_are_alike_and_the_better_bot_wins() {
    let (tally, _) = rows(&plan(arena::<TicTacToe>(), &["random", "random"], 20_000), 2);
    // The first seat of random tic-tac-toe wins 58.49 %, the second 28.81 %: rotated, each bot 43.65 %.
    for bot in 0..2 {
        assert!((tally.wins[bot] as f64 / 200.0 - 43.65).abs() < 1.5, "{:?}", tally.wins);
    }
    assert!((tally.seat_wins[0] as f64 / 200.0 - 58.49).abs() < 1.5, "{:?}", tally.seat_wins);
    let (tally, _) = rows(&plan(arena::<ConnectFour>(), &["random", "captain"], 400), 2);
    assert!(
        tally.interval(1).low > 0.6 && tally.ratings[1].rating > tally.ratings[0].rating + 2.0,
        "{tally:?}"
    );
    let sum: f64 = (0..2).map(|bot| tally.share(bot)).sum();
    assert!((sum - 1.0).abs() < 1e-9);
}

#[test]
fn a_share_with_draws_lies_in_its_interval() {
    // Good play of tic-tac-toe ends in draws, which are shared victories.
    let (tally, _) = rows(&plan(arena::<TicTacToe>(), &["captain", "captain"], 400), 2);
    assert!(tally.draws > 200, "{tally:?}");
    for bot in 0..2 {
        assert!(tally.interval(bot).has(tally.share(bot)), "{:?}, {}", tally.interval(bot), tally.share(bot));
    }
}

#[test]
fn paired_games_of_a_set_have_the_same_cards() {
    // Two equal players of Kuhn poker who always do the same: the better card wins, so in a pair
    // each wins once unless somebody's mood differs. Paired luck makes the difference of wins narrower.
    let paired = rows(&plan(arena::<Kuhn>(), &["captain", "random"], 4000), 2).1;
    let cards_alike = paired.chunks(2).filter(|pair| {
        let winner = |row: &GameResult| row.outcome.winner();
        winner(&pair[0]) == winner(&pair[1])
    });
    assert!(cards_alike.count() > 1100);
}

#[test]
fn a_tournament_stops_as_soon_as_the_interval_is_narrow() {
    let mut early = plan(arena::<TicTacToe>(), &["captain", "random"], 100_000);
    early.interval = Some(0.08);
    let (tally, seen) = rows(&early, 3);
    assert!(tally.games < 1000 && tally.games.is_multiple_of(100), "{}", tally.games);
    assert_eq!(seen.len() as u64, tally.games);
    assert!((0..2).all(|bot| tally.interval(bot).width() <= 0.08));
    assert_eq!(rows(&early, 1), (tally.clone(), seen));
    assert_eq!(tally.as_data(&early)["settled"], true);
}

/// Plays with a journal up to this game, then stops as if interrupted.
fn with_journal(plan: &TournamentPlan, path: &Path, stop: u64) -> TournamentTally {
    let mut tally = TournamentTally::new(plan.bots.len());
    let mut journal = Journal::open(path, plan, |row| tally.add(plan, row)).unwrap();
    let keep = |row: &GameResult, _: Option<&_>| {
        journal.append(row).unwrap();
        if row.game + 1 >= stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    plan.play(&mut tally, 2, false, keep).unwrap();
    journal.finish().unwrap();
    tally
}

#[test]
fn what_is_gone_on_with_ends_like_what_was_never_interrupted() {
    let (plan, path) = (plan(arena::<Leduc>(), &["captain", "recruit"], 500), file("resume"));
    let whole = rows(&plan, 2).0;
    with_journal(&plan, &path, 123);
    // The machine stopped in the middle of a line.
    let mut text = std::fs::read(&path).unwrap();
    text.extend_from_slice(b"[123,4,{\"sea");
    std::fs::write(&path, &text).unwrap();
    with_journal(&plan, &path, 321);
    assert_eq!(with_journal(&plan, &path, u64::MAX), whole);
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 501);
    // Nothing is left to do.
    assert_eq!(with_journal(&plan, &path, u64::MAX), whole);
}

#[test]
fn a_journal_that_does_not_fit_is_refused_and_left_alone() {
    let (plan, path) = (plan(arena::<Kuhn>(), &["captain", "random"], 40), file("damage"));
    with_journal(&plan, &path, u64::MAX);
    let good = std::fs::read_to_string(&path).unwrap();
    let refused = |plan: &TournamentPlan, text: &str| {
        std::fs::write(&path, text).unwrap();
        let error = Journal::open(&path, plan, |_| {}).unwrap_err();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        error
    };
    let changed = good.replacen("[7,", "[8,", 1);
    assert!(matches!(refused(&plan, &changed), TournamentJournalError::Damaged { line: 9 }));
    let without =
        good.lines().enumerate().filter(|(i, _)| *i != 4).fold(String::new(), |t, (_, l)| t + l + "\n");
    assert!(matches!(refused(&plan, &without), TournamentJournalError::Damaged { line: 5 }));
    assert!(matches!(refused(&plan, "Dear diary\n"), TournamentJournalError::Damaged { line: 1 }));
    assert!(matches!(refused(&plan, "Dear diary"), TournamentJournalError::Damaged { line: 1 }));
    let other = TournamentPlan { seed: 6, ..plan.clone() };
    assert!(matches!(refused(&other, &good), TournamentJournalError::Other("seed")));
    let other = TournamentPlan { bots: vec!["random".parse().unwrap(); 2], ..plan.clone() };
    assert!(matches!(refused(&other, &good), TournamentJournalError::Other("bots")));
    let other = TournamentPlan { game: arena::<Leduc>(), ..plan };
    assert!(matches!(refused(&other, &good), TournamentJournalError::Other("game")));
}

#[test]
fn rows_have_a_field_for_every_column() {
    let plan = plan(arena::<Kuhn>(), &["captain", "random"], 7);
    let columns = csv::games_heading(2).split(',').count();
    let (mut tally, mut decisions) = (TournamentTally::new(2), String::new());
    plan.play(&mut tally, 1, true, |row, story| {
        assert_eq!(csv::game(&plan, row).split(',').count(), columns);
        let told = story.unwrap().decisions.as_ref().unwrap();
        assert_eq!(told.len() as u32, row.decisions);
        decisions += &csv::decisions(&plan, row.game, told);
        ControlFlow::Continue(())
    })
    .unwrap();
    let columns = csv::decisions_heading().split(',').count();
    assert!(decisions.lines().all(|line| line.split(',').count() == columns), "{decisions}");
    assert!(decisions.starts_with("0,0,captain,0,0,1,2,"), "{decisions}");
}

#[test]
fn memory_does_not_grow_with_the_number_of_games() {
    let plan = plan(arena::<Leduc>(), &["captain", "random"], 0);
    let (table, draw) = (plan.table().unwrap(), plan.draw());
    let (mut tally, mut balance) = (TournamentTally::new(2), Balance::new(2, 0));
    let mut play = |games: std::ops::Range<u64>| {
        for game in games {
            let mut story = Story::new(0, 2, false);
            let played = table.play(draw.seating(game), Some(&mut story)).unwrap();
            balance.add(&GameSummary::new(&played, &story), &story);
            tally.add(&plan, &GameResult { game, outcome: played.outcome, decisions: played.decisions });
        }
    };
    play(0..500);
    let spent = allocation_counter::measure(|| play(500..5000));
    assert!(spent.count_total > 4500 && spent.bytes_current.abs() < 256, "{spent:?}");
}

#[test]
fn a_laboratory_compares_settings_in_pairs_and_strategies_with_each_other() {
    let setting = |name: &str| Setting { name: name.to_string(), options: Value::Null };
    let lab = Lab {
        game: arena::<Leduc>(),
        bots: vec!["captain".parse().unwrap(); 2],
        seed: 3,
        games: 300,
        settings: vec![setting("this"), setting("the same")],
        rivals: ["random", "captain", "emperor:5"].map(|bot| bot.parse().unwrap()).to_vec(),
        rival_games: 100,
        restrict_games: 0,
        until: None,
    };
    let mut heard = 0;
    let found = lab.run(2, |games| heard += games).unwrap();
    assert_eq!((heard, lab.total(1, 1)), (600 + 100 + 20 + 20, 740));
    // Equal settings differ in nothing, for certain.
    for measure in Measure::all(2) {
        if let Some(difference) = found.settings[1].difference(measure) {
            assert_eq!((difference.mean, difference.interval.width()), (0.0, 0.0), "{measure:?}");
        }
    }
    assert_eq!(found.settings[0].balance(), found.settings[1].balance());
    assert_eq!(found.duels.len(), 3);
    assert_eq!(found.duels.iter().map(|d| d.tally.games).collect::<Vec<_>>(), [100, 20, 20]);
    let page = report::page(&lab, &found, "pentarchy lab leduc");
    assert!(page.contains("Settings side by side") && page.contains("the same") && page.ends_with("</html>"));
    assert!(!page.contains("NaN") && !page.contains("inf%"));
    assert_eq!(data::as_data(&lab, &found)["settings"][1]["differences"]["turns"]["mean"], 0.0);
}
