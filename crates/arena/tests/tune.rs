//! Matches and tuning as a whole: the same whatever the threads and the interruptions.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails as a test does")]

use pentarchy_arena::part::PartError;
use pentarchy_arena::report::tuning;
use pentarchy_arena::sprt::{BotMatch, SetScores, Sprt, SprtVerdict};
use pentarchy_arena::tune::design::{DesignTuning, TunedDesign, TunedOption};
use pentarchy_arena::tune::fit::{FitTable, WeightFit};
use pentarchy_arena::tune::journal::TuneJournal;
use pentarchy_arena::{AnyArena, GameSeating, TournamentPlan, TournamentTally, arena};
use pentarchy_classics::{ConnectFour, Leduc};
use pentarchy_engine::{Options, Rng, options};
use pentarchy_hestia::Hestia;
use pentarchy_hestia::options::Options as HestiaOptions;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::PathBuf;

fn file(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("pentarchy-tuned-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    dir.join(name)
}

/// Plays a match until its test is decided, or to the end of the plan.
fn decide(game: &'static dyn AnyArena, bots: &[&str], threads: usize) -> (u64, BotMatch) {
    let bots: Vec<_> = bots.iter().map(|bot| bot.parse().unwrap()).collect();
    let mut bout = BotMatch::new(bots.len() as u8, Some(Sprt::new(0.5, 0.6, 0.05, 0.05).unwrap()));
    let plan = TournamentPlan { game, options: Value::Null, bots, seed: 3, games: 4000, interval: None };
    let mut tally = TournamentTally::new(plan.bots.len());
    plan.play(&mut tally, threads, false, |row, _| {
        bout.add(&plan, row);
        if bout.verdict() == SprtVerdict::Open { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })
    .unwrap();
    (tally.games, bout)
}

#[test]
fn a_match_ends_when_it_is_known_with_any_number_of_threads() {
    let (games, bout) = decide(arena::<ConnectFour>(), &["captain", "random"], 1);
    assert_eq!(bout.verdict(), SprtVerdict::High);
    assert!(games < 200 && games % 2 == 0 && bout.scores().games() == games, "{games}");
    let (again, other) = decide(arena::<ConnectFour>(), &["captain", "random"], 3);
    assert_eq!((games, bout.scores()), (again, other.scores()));
    assert_eq!(decide(arena::<ConnectFour>(), &["random", "captain"], 2).1.verdict(), SprtVerdict::Low);
    // Equal bots: the dice of a pair are independent, and the lower hypothesis is accepted.
    assert_eq!(decide(arena::<Leduc>(), &["random", "random"], 2).1.verdict(), SprtVerdict::Low);
}

#[test]
fn a_captain_with_the_shipped_weights_is_a_captain() {
    let game = arena::<Hestia>();
    let table = game.table(2, &Value::Null).unwrap();
    let shipped: Vec<i32> = game.weights().iter().map(|weight| weight.value).collect();
    for seed in 0..5 {
        let nature = Rng::new(seed);
        let players = vec![("captain".parse().unwrap(), seed), ("captain".parse().unwrap(), seed + 9)];
        let usual = table.play(GameSeating { nature: nature.clone(), players }, None).unwrap();
        let weighted = table.play_captains(nature, &[(&shipped, seed), (&shipped, seed + 9)]).unwrap();
        assert_eq!(usual, weighted);
    }
}

fn fit() -> WeightFit {
    let options = options::to_value(&HestiaOptions::default()).unwrap();
    let tables = vec![FitTable { seats: 2, options }];
    WeightFit { game: arena::<Hestia>(), tables, seed: 7, budget: 160, batch: 8, confirm: 20 }
}

#[test]
fn fitted_weights_depend_on_the_seed_alone() {
    let run = |threads, journal: &mut TuneJournal| {
        let mut games = 0;
        let found = fit().run(threads, journal, |n| games += n).unwrap();
        (found.weights, found.confirmed, games)
    };
    let first = run(1, &mut TuneJournal::in_memory());
    assert_eq!(first, run(3, &mut TuneJournal::in_memory()));
    let path = file("fit");
    let heading = fit().heading();
    assert_eq!(first, run(2, &mut TuneJournal::open(&path, &heading).unwrap()));
    let whole = std::fs::read(&path).unwrap();
    for part in [3, 2] {
        std::fs::write(&path, &whole[..whole.len() / part]).unwrap();
        assert_eq!(first, run(2, &mut TuneJournal::open(&path, &heading).unwrap()));
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }
    let tables = vec![FitTable { seats: 2, options: Value::Null }];
    let none = WeightFit { game: arena::<Leduc>(), tables, ..fit() };
    let error = none.run(1, &mut TuneJournal::in_memory(), |_| ()).unwrap_err();
    assert_eq!(error.to_string(), "the bots of leduc have no weights");
}

fn tuning(goals: &[&str]) -> DesignTuning {
    let usual = HestiaOptions::FIELDS.iter().any(|field| field.name == "first_hand");
    assert!(usual, "the option under test exists");
    DesignTuning {
        game: arena::<Hestia>(),
        options: options::to_value(&HestiaOptions::default()).unwrap(),
        seats: 2,
        bots: vec!["captain".parse().unwrap(), "emperor:1".parse().unwrap()],
        goals: goals.iter().map(|goal| goal.parse().unwrap()).collect(),
        varied: vec![TunedOption {
            name: "first_hand".to_owned(),
            values: (5..=9).map(|n| json!(n)).collect(),
            usual: 2,
        }],
        seed: 4,
        budget: 200,
        confirm: 20,
    }
}

#[test]
fn a_tuned_design_depends_on_the_seed_alone_and_its_page_names_every_setting() {
    let plan = tuning(&["seats=fair", "minutes=10..300", "lead=0.5..0.9", "dead=3"]);
    let run = |threads, journal: &mut TuneJournal| {
        let found = plan.run(threads, journal, |_| ()).unwrap();
        tuning::as_data(&plan, &found).to_string() + &tuning::page(&plan, &found, "pentarchy tune hestia")
    };
    let first = run(1, &mut TuneJournal::in_memory());
    assert_eq!(first, run(3, &mut TuneJournal::in_memory()));
    assert!(
        first.contains("the designer&#39;s numbers") || first.contains("the designer's numbers"),
        "{first}"
    );
    let path = file("design");
    assert_eq!(first, run(2, &mut TuneJournal::open(&path, &plan.heading()).unwrap()));
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(first, run(2, &mut TuneJournal::open(&path, &plan.heading()).unwrap()));
    assert_eq!(std::fs::read(&path).unwrap(), whole);
}

#[test]
fn a_goal_that_is_met_by_another_value_moves_the_design_there() {
    // More cards give longer games, so a wish for short ones leads below the designer's seven cards.
    let mut plan = tuning(&["minutes=0..1"]);
    plan.bots.truncate(1);
    let found = plan.run(2, &mut TuneJournal::in_memory(), |_| ()).unwrap();
    let minutes = |index: usize| plan.goals[0].figure(&found.settings[index].confirmed[0]).unwrap();
    assert!(found.best > 0 && minutes(found.best) < minutes(0), "{} {}", found.best, minutes(0));
    assert!(found.tried > 1 && found.games <= plan.budget);
}

#[test]
fn invalid_options_of_the_designer_are_named() {
    let error =
        |plan: DesignTuning| plan.run(1, &mut TuneJournal::in_memory(), |_| ()).unwrap_err().to_string();
    let mut unknown = tuning(&["minutes=10..300"]);
    unknown.options["foo"] = json!(1);
    assert!(error(unknown).starts_with("there is no option `foo`"));
    let crowded = DesignTuning { seats: 3, ..tuning(&["minutes=10..300"]) };
    let told = error(crowded.clone());
    assert_eq!(told, crowded.game.table(3, &crowded.options).err().unwrap().to_string());
}

#[test]
fn sets_survive_the_way_through_a_journal() {
    let mut scores = SetScores::new(3);
    [0, 420, 420, 140, 1260].into_iter().for_each(|parts| scores.add(parts));
    assert_eq!(SetScores::from_counts(3, scores.clone().into_counts()), scores);
    assert_eq!((scores.sets(), scores.games(), scores.pentanomial()), (5, 15, None));
}

#[test]
fn parts_join_to_a_single_run_whatever_the_split() {
    let (plan, fit) = (tuning(&["seats=fair", "minutes=10..300", "dead=3"]), fit());
    let said = |found: &TunedDesign| {
        tuning::as_data(&plan, found).to_string() + &tuning::page(&plan, found, "pentarchy tune hestia")
    };
    let whole = said(&plan.run(2, &mut TuneJournal::in_memory(), |_| ()).unwrap());
    let fitted = fit.run(2, &mut TuneJournal::in_memory(), |_| ()).unwrap();
    // The journals of the searches serve all parts: what a part plays is not stored in them.
    let (design_search, fit_search) = (file("design-search"), file("fit-search"));
    plan.run_search(2, &mut TuneJournal::open(&design_search, &plan.heading()).unwrap(), |_| ()).unwrap();
    fit.run_search(2, &mut TuneJournal::open(&fit_search, &fit.heading()).unwrap(), |_| ()).unwrap();
    let searched = [&design_search, &fit_search].map(|path| std::fs::read(path).unwrap());
    for parts in [1, 4] {
        let mut designs = Vec::new();
        let mut fits = Vec::new();
        let mut games = 0;
        for part in 1..=parts {
            let mut journal = TuneJournal::open(&design_search, &plan.heading()).unwrap();
            designs.push(plan.run_part((part, parts), 1, &mut journal, |n| games += n).unwrap());
            let mut journal = TuneJournal::open(&fit_search, &fit.heading()).unwrap();
            fits.push(fit.run_part((part, parts), 1, &mut journal, |_| ()).unwrap());
        }
        let read = DesignTuning::from_heading(plan.game, &plan.heading()).unwrap();
        assert_eq!(said(&read.join(&designs).unwrap()), whole, "{parts} parts");
        let read = WeightFit::from_heading(fit.game, &fit.heading()).unwrap();
        let joined = read.join(&fits).unwrap();
        assert_eq!((joined.weights, joined.confirmed), (fitted.weights.clone(), fitted.confirmed.clone()));
        assert!(games > parts * 200, "{games}");
    }
    assert_eq!([&design_search, &fit_search].map(|path| std::fs::read(path).unwrap()), searched);
    // A part of another search, or of a run with another form.
    let small = DesignTuning { budget: 40, ..plan.clone() };
    let part = |plan: &DesignTuning| plan.run_part((1, 9), 2, &mut TuneJournal::in_memory(), |_| ()).unwrap();
    let (mine, theirs) = (part(&small), part(&DesignTuning { seed: 5, ..small.clone() }));
    assert_eq!(plan.join(&[mine.clone(), theirs]), Err(PartError::Diverged { part: 2 }));
    let wider = DesignTuning { goals: plan.goals[..2].to_vec(), ..plan.clone() };
    assert_eq!(wider.join(&[mine]), Err(PartError::Malformed));
    assert_eq!(plan.join(&[]), Err(PartError::Nothing));
    let mut damaged = fit.heading();
    damaged["weights"][0][1] = json!(77);
    assert!(WeightFit::from_heading(fit.game, &damaged).is_none());
}
