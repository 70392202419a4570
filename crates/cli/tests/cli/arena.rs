//! Tournaments and balance reports, as a user meets them.

use crate::common::{arg, folder, run};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Runs the program with these arguments and `--json`, and returns the object that it prints. Asserts that it succeeds
/// and prints one line and no error.
fn json(args: &[&str]) -> Value {
    let said = run(&[args, &["--json"]].concat());
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{}", said.out);
    assert_eq!(said.out.lines().count(), 1);
    serde_json::from_str(&said.out).unwrap()
}

/// Returns the names of the files in a folder, sorted.
fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_object_has_all_that_is_promised() {
    let all = json(&["arena", "leduc", "--bots", "captain,random", "--games", "600", "--seed", "3"]);
    assert_eq!((&all["game"], &all["games"], &all["seats"]), (&"leduc".into(), &600.into(), &2.into()));
    assert_eq!(all["bots"], serde_json::json!(["captain", "random"]));
    let numbers = |name: &str| -> Vec<f64> {
        all[name].as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect()
    };
    let (wins, shares, scores) = (numbers("wins"), numbers("shares"), numbers("mean_scores"));
    let draws = all["draws"].as_f64().unwrap();
    assert_eq!(wins.iter().sum::<f64>() + draws, 600.0);
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{all}");
    // Who plays poker well wins fewer pots, and more chips.
    assert!(scores[0] > scores[1], "{all}");
    for (&share, interval) in shares.iter().zip(all["intervals"].as_array().unwrap()) {
        assert!(interval[0].as_f64().unwrap() < share && share < interval[1].as_f64().unwrap(), "{all}");
    }
    assert_eq!((&all["nobody"], &all["capped"]), (&0.into(), &0.into()));
    let rating = |bot: usize| all["ratings"][bot]["rating"].as_f64().unwrap();
    assert_eq!(rating(0) > rating(1), shares[0] > shares[1], "{all}");
    assert!(all["seconds"].as_f64().unwrap() > 0.0);
}

#[test]
fn three_bots_sit_at_a_table_for_three_and_the_games_do_not_depend_on_threads() {
    let counts = ["1", "3"].map(|threads| {
        let mut all = json(&[
            "arena",
            "ozymandias",
            "--bots",
            "captain,random,random",
            "--games",
            "12",
            "--threads",
            threads,
        ]);
        all.as_object_mut().unwrap().retain(|name, _| !["seconds", "threads"].contains(&name.as_str()));
        all
    });
    assert_eq!(counts[0]["seats"], 3);
    assert_eq!(counts[0], counts[1]);
}

#[test]
fn files_are_written_whole_and_an_interrupted_tournament_goes_on() {
    let home = folder("arena-files");
    let path = |name: &str| home.join(name);
    let base = ["arena", "kuhn", "--bots", "captain,random"];
    let (csv, decisions, out) = (path("g.csv"), path("d.csv"), path("o.json"));
    let rest = ["--games", "20", "--csv", arg(&csv), "--decisions", arg(&decisions), "--out", arg(&out)];
    let whole = json(&[&base[..], &rest].concat());
    let text = fs::read_to_string(&csv).unwrap();
    assert_eq!(
        (text.lines().count(), text.lines().next()),
        (21, Some("game,decisions,capped,unwon,bot_0,bot_1,rank_0,rank_1,score_0,score_1"))
    );
    assert!(fs::read_to_string(&decisions).unwrap().lines().count() > 40);
    let kept: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    assert_eq!(kept["wins"], whole["wins"]);
    let journal = path("kuhn.arena");
    json(&[&base[..], &["--games", "9", "--resume", arg(&journal)]].concat());
    let again =
        json(&[&base[..], &["--games", "20", "--resume", arg(&journal), "--csv", arg(&csv)]].concat());
    assert_eq!(
        (&again["resumed"], &again["wins"], &again["ratings"]),
        (&9.into(), &whole["wins"], &whole["ratings"])
    );
    assert_eq!(fs::read_to_string(&csv).unwrap(), text);
    assert_eq!(files(&home), ["d.csv", "g.csv", "kuhn.arena", "o.json"]);
    // A damaged journal is refused and stays as it is.
    let damaged = fs::read_to_string(&journal).unwrap().replacen("[4,", "[5,", 1);
    fs::write(&journal, &damaged).unwrap();
    let said = run(&[&base[..], &["--games", "20", "--resume", arg(&journal)]].concat());
    assert_eq!((said.code, said.out.as_str()), (2, ""));
    assert!(said.err.contains("cannot resume") && said.err.contains("line 6 is damaged"), "{}", said.err);
    assert_eq!(fs::read_to_string(&journal).unwrap(), damaged);
}

#[test]
fn the_balance_report_is_one_page_that_needs_nothing_else() {
    let home = folder("lab");
    let page = home.join("kuhn.html");
    let all = json(&["lab", "kuhn", "--games", "400", "--rivals", "random,captain", "--out", arg(&page)]);
    assert_eq!((&all["games"], &all["settings"][0]["nobody"]), (&400.into(), &0.into()));
    assert!(all["verdicts"][0]["text"].as_str().unwrap().contains("seat"), "{all}");
    assert_eq!(all["rivals"].as_array().unwrap().len(), 1);
    let text = fs::read_to_string(&page).unwrap();
    for part in [
        "Who wins",
        "How long it takes",
        "How it ends",
        "What there is to choose",
        "Strategies",
        "<svg",
        "95 %",
    ] {
        assert!(text.contains(part), "{part}");
    }
    for foreign in ["src=", "href=", "url(", "@import", "http://", "https://", "<script"] {
        assert!(!text.contains(foreign), "{foreign}");
    }
    assert!(text.len() < 60_000 && !text.contains("NaN"));
    assert_eq!(files(&home), ["kuhn.html"]);
}

#[test]
fn settings_are_compared_game_by_game() {
    let home = folder("sweep");
    let page = home.join("numeral.html");
    let all = json(&[
        "lab",
        "numeral",
        "--games",
        "3",
        "--seats",
        "2",
        "--rivals",
        "none",
        "--set",
        "round_limit=4",
        "--sweep",
        "tower_cost=5,15",
        "--sweep",
        "start=20,25",
        "--out",
        arg(&page),
    ]);
    let settings = all["settings"].as_array().unwrap();
    let names: Vec<&str> = settings.iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 4);
    assert!(names.contains(&"tower_cost = 5, start_storage = 25"), "{names:?}");
    assert_eq!(settings[0]["differences"]["rounds"]["mean"], 0.0);
    assert!(settings[3]["differences"]["decisions"]["low"].is_number(), "{all}");
    assert!(fs::read_to_string(&page).unwrap().contains("Settings side by side"));
}

#[test]
fn what_cannot_be_played_is_refused_in_one_line_and_nothing_is_written() {
    let home = folder("refused");
    let out = home.join("out.html");
    let nowhere = home.join("no").join("such").join("out.html");
    let cases: &[(&[&str], &str)] = &[
        (&["arena", "kuhn", "--bots", "capitan,random"], "there is no bot `capitan`"),
        (&["arena", "kuhn", "--bots", "captain:5,random"], "a captain does not search"),
        (&["arena", "kuhn", "--bots", "captain,random,random"], "Kuhn poker is for 2 seats, not 3"),
        (&["arena", "vires", "--bots", "captain,random", "--seats", "4"], "2 bots are named for 4 seats"),
        (&["arena", "vires", "--bots", "captain", "--seats", "9"], "is for 2 to 6 seats, not 9"),
        (&["arena", "vires", "--bots", "captain", "--set", "drow=3"], "there is no option `drow`"),
        (&["arena", "kuhn", "--games", "0"], "expected a whole number from 1"),
        (&["arena", "kuhn", "--interval=-3"], "invalid value '-3'"),
        (&["arena", "kuhn", "--out", arg(&nowhere)], "cannot write "),
        (&["arena", "kuhn", "--csv", arg(&home)], "it is a folder"),
        (
            &["arena", "kuhn", "--csv", arg(&out), "--resume", arg(&out)],
            "--csv and --resume name the same file",
        ),
        (&["lab", "kuhn", "--bots", "clever", "--out", arg(&out)], "there is no bot `clever`"),
        (&["lab", "kuhn", "--rivals", "clever", "--out", arg(&out)], "there is no bot `clever`"),
        (
            &["lab", "numeral", "--sweep", "tower_coast=5", "--out", arg(&out)],
            "there is no option `tower_coast`; did you mean `tower_cost`?",
        ),
        (
            &["lab", "numeral", "--sweep", "tower_cost=5,900", "--out", arg(&out)],
            "`tower_cost` cannot be `900`",
        ),
        (&["lab", "numeral", "--sweep", "tower_cost", "--out", arg(&out)], "it takes a name and values"),
        (
            &["lab", "numeral", "--sweep", "tower_cost=5", "--sweep", "tower_cost=7", "--out", arg(&out)],
            "`tower_cost` is swept twice",
        ),
        (&["lab", "numeral", "--sweep", "tower_cost=5,,6", "--out", arg(&out)], "a value is missing"),
        (
            &[
                "lab",
                "numeral",
                "--sweep",
                "tower_cost=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
                "--out",
                arg(&out),
            ],
            "more than 16 settings",
        ),
        (&["lab", "kuhn", "--seats", "3", "--out", arg(&out)], "Kuhn poker is for 2 seats, not 3"),
        (&["lab", "kuhn", "--out", arg(&nowhere)], "cannot write "),
    ];
    for (args, expected) in cases {
        let said = run(args);
        assert_eq!(said.code, 2, "{args:?}: {}", said.err);
        assert!(said.err.starts_with("error: ") && said.err.contains(expected), "{args:?}: {}", said.err);
        assert_eq!((said.out.as_str(), files(&home).len()), ("", 0), "{args:?}");
    }
}
