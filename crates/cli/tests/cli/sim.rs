//! Simulations: the same counts with any number of threads.

use crate::common::run;
use serde_json::Value;

/// Runs `pentarchy sim` with these arguments and `--json`, and returns the object that it prints. Asserts that it
/// succeeds and prints one line and no error.
fn json(args: &[&str]) -> Value {
    let said = run(&[&["sim"], args, &["--json"]].concat());
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    assert_eq!(said.out.lines().count(), 1);
    serde_json::from_str(&said.out).unwrap()
}

#[test]
fn the_object_has_all_that_is_promised() {
    let all = json(&["kuhn", "--games", "5000", "--seed", "3"]);
    assert_eq!(all["games"], 5000);
    let counted = ["draws", "unwon", "capped", "median_decisions"].map(|name| all[name].as_u64().unwrap());
    assert_eq!(counted, [0, 0, 0, 2]);
    let wins: Vec<u64> = all["wins"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    assert_eq!((wins.len(), wins.iter().sum::<u64>()), (2, 5000));
    for name in ["seconds", "cpu_seconds", "games_per_cpu_second", "decisions_per_cpu_second"] {
        assert!(all[name].as_f64().unwrap() > 0.0, "{name}");
    }
    for (seat, interval) in all["win_intervals"].as_array().unwrap().iter().enumerate() {
        let share = wins[seat] as f64 / 5000.0;
        assert!(interval[0].as_f64().unwrap() < share && share < interval[1].as_f64().unwrap());
    }
}

#[test]
fn games_that_nobody_wins_are_no_draws() {
    // Players who choose at random are beaten by the Empire of Hegemony practically always.
    let all = json(&["hegemony", "--seats", "2", "--games", "50"]);
    let wins: u64 = all["wins"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
    let [draws, unwon] = ["draws", "unwon"].map(|name| all[name].as_u64().unwrap());
    assert!(unwon > 40 && wins + draws + unwon == 50, "{all}");
    let said = run(&["sim", "hegemony", "--seats", "2", "--games", "50"]);
    assert!(said.out.contains("won by nobody"), "{}", said.out);
}

#[test]
fn counts_do_not_depend_on_the_number_of_threads() {
    for bots in ["random", "captain,random"] {
        let counts = ["1", "2", "7"].map(|threads| {
            let mut all = json(&["connect-four", "--games", "3001", "--bots", bots, "--threads", threads]);
            let timed = |name: &String| name.contains("second") || name == "threads";
            all.as_object_mut().unwrap().retain(|name, _| !timed(name));
            all
        });
        assert_eq!(counts[0], counts[1]);
        assert_eq!(counts[0], counts[2]);
    }
    let seeds =
        ["1", "2"].map(|seed| json(&["tic-tac-toe", "--games", "500", "--seed", seed])["wins"].clone());
    assert_ne!(seeds[0], seeds[1]);
}

#[test]
fn random_tic_tac_toe_comes_out_as_it_must() {
    // Known exactly: 58.49 % for the first, 28.81 % for the second, 12.70 % draws.
    let all = json(&["tic-tac-toe", "--games", "100000"]);
    let share = |n: &Value| n.as_f64().unwrap() / 1000.0;
    assert!((share(&all["wins"][0]) - 58.49).abs() < 0.8, "{all}");
    assert!((share(&all["wins"][1]) - 28.81).abs() < 0.8, "{all}");
    assert!((share(&all["draws"]) - 12.70).abs() < 0.8, "{all}");
}

#[test]
fn the_report_is_for_people() {
    let said = run(&["sim", "tic-tac-toe", "--games", "1000"]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    for part in ["1,000 games", "95 % interval", "draws", "ended at the cap", "median", "a CPU second"] {
        assert!(said.out.contains(part), "{part}: {}", said.out);
    }
    assert!(said.out.lines().all(|line| line.chars().count() <= 80), "{}", said.out);
    assert!(!said.out.contains('\x1b'));
}

#[test]
fn what_cannot_be_simulated_is_refused_in_one_line() {
    let cases: &[(&[&str], &str)] = &[
        (&["tic-tac-to"], "there is no game `tic-tac-to`; did you mean `tic-tac-toe`?"),
        (&["chess"], "there is no game `chess`; there are "),
        (&["kuhn", "--seats", "3"], "Kuhn poker is for 2 seats, not 3"),
        (
            &["kuhn", "--bots", "clever"],
            "there is no bot `clever`: there are random, recruit, captain and emperor",
        ),
        (&["kuhn", "--bots", "random,random,random"], "3 bots are named for 2 seats"),
        (&["kuhn", "--games", "0"], "expected a whole number from 1"),
        (&["kuhn", "--games", "many"], "invalid value 'many'"),
        (&["kuhn", "--threads", "0"], "invalid value '0'"),
        (&["kuhn", "--set", "ante=3"], "there is no option `ante`"),
    ];
    for (args, expected) in cases {
        let said = run(&[&["sim"], *args].concat());
        assert_eq!(said.code, 2, "{args:?}: {}", said.err);
        assert!(said.err.starts_with("error: ") && said.err.contains(expected), "{args:?}: {}", said.err);
        assert_eq!(said.out, "");
    }
}

#[test]
fn a_cheat_that_was_never_tried_is_no_success() {
    let peers = |game: &str, cheat: &str| run(&["peers", game, "--seeds", "0..2", "--cheat", cheat]);
    let never = peers("tic-tac-toe", "swap-cards");
    assert_eq!(never.code, 1);
    for words in ["no occasion in these 2 games of tic-tac-toe", "hidden cards", "kuhn, leduc"] {
        assert!(never.err.contains(words), "{words}: {}", never.err);
    }
    let few = peers("tic-tac-toe", "wrong-seal");
    assert!(few.code == 1 && few.err.contains("it needs 3 seats, as there can be in "), "{}", few.err);
    let seldom = peers("kuhn", "false-claim");
    assert!(seldom.code == 1 && seldom.err.contains("try more seeds"), "{}", seldom.err);
    let tried = peers("kuhn", "swap-cards");
    assert_eq!((tried.code, tried.err.as_str()), (0, ""));
    // Among all that fit the game some find no occasion, which is no failure.
    let all = peers("tic-tac-toe", "all");
    assert!(all.code == 0 && all.out.contains("tried in 0"), "{}{}", all.out, all.err);
}
