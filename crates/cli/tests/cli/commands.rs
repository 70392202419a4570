//! The other commands, help, and mistakes.

use crate::common::{arg, folder, run};
use serde_json::Value;
use std::fs;

#[test]
fn the_games_are_listed() {
    let said = run(&["games"]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let all: Value = serde_json::from_str(&run(&["games", "--json"]).out).unwrap();
    for game in all.as_array().unwrap() {
        assert!(said.out.contains(game["name"].as_str().unwrap()), "{}", said.out);
    }
    let kuhn = all.as_array().unwrap().iter().find(|game| game["name"] == "kuhn").unwrap();
    assert_eq!((&kuhn["min_seats"], &kuhn["max_seats"]), (&Value::from(2), &Value::from(2)));
}

#[test]
fn every_game_has_rules_that_fit_a_page() {
    let all: Value = serde_json::from_str(&run(&["games", "--json"]).out).unwrap();
    for game in all.as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        let said = run(&["rules", name]);
        assert_eq!((said.code, said.err.as_str()), (0, ""));
        assert!(said.out.contains(game["title"].as_str().unwrap()), "{}", said.out);
        let data: Value = serde_json::from_str(&run(&["rules", name, "--json"]).out).unwrap();
        assert!(data["summary"].as_str().unwrap().len() > 50 && data["options"].is_array());
    }
}

#[test]
fn cards_are_shown_or_there_are_none() {
    let said = run(&["cards", "kuhn"]);
    assert_eq!(said.code, 0);
    assert!(said.out.contains("queen"), "{}", said.out);
    assert_eq!(
        run(&["cards", "kuhn", "quean"]).err,
        "error: there is no card `quean`; did you mean `queen`?\n"
    );
    assert_eq!(run(&["cards", "tic-tac-toe"]).err, "error: Tic-tac-toe has no cards\n");
}

#[test]
fn completions_know_commands_and_games() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let said = run(&["completions", shell]);
        assert_eq!((said.code, said.err.as_str()), (0, ""));
        assert!(said.out.contains("verify"), "{shell}");
    }
    assert!(run(&["completions", "bash"]).out.contains("connect-four"));
}

#[test]
fn there_is_a_manual() {
    let said = run(&["man"]);
    assert_eq!(said.code, 0);
    assert!(said.out.contains(".TH pentarchy") && said.out.contains("Exit codes"), "{}", said.out);
    let folder = folder("man").join("man1");
    assert_eq!(run(&["man", arg(&folder)]).code, 0);
    assert!(fs::read_to_string(folder.join("pentarchy-play.1")).unwrap().contains("undo"));
}

#[test]
fn help_has_examples_and_codes_and_fits_the_terminal() {
    let said = run(&["--help"]);
    assert_eq!(said.code, 0);
    assert!(said.out.contains("Examples:") && said.out.contains("Exit codes:"), "{}", said.out);
    for command in ["play", "sim", "replay", "verify", "soak"] {
        let said = run(&[command, "--help"]);
        assert!(said.out.contains("Examples:"), "{command}");
        assert!(said.out.lines().all(|line| line.chars().count() <= 100), "{command}");
    }
}

#[test]
fn a_soak_test_passes_and_takes_one_game_or_all() {
    let said = run(&["soak", "--games", "40"]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    assert!(
        said.out.contains("kuhn: 40 games") && said.out.contains("tic-tac-toe: 40 games"),
        "{}",
        said.out
    );
    let said = run(&["soak", "leduc", "--games", "10", "--seats", "2"]);
    assert_eq!((said.code, said.out.lines().count()), (0, 1));
    let said = run(&["soak", "lednuc"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("did you mean `leduc`?"), "{}", said.err);
    assert_eq!(run(&["soak", "kuhn", "--seats", "5"]).code, 2);
}

#[test]
fn mistakes_are_told_on_stderr_with_code_2() {
    for args in [&["plya"][..], &["play", "--sed", "1"], &["rules"], &["rules", "nothing"], &[]] {
        let said = run(args);
        assert_eq!(said.code, 2, "{args:?}");
        assert!(said.out.is_empty() && !said.err.is_empty(), "{args:?}");
    }
    assert!(run(&["plya"]).err.contains("play"));
}

#[test]
fn an_options_file_is_read_as_toml_or_json() {
    let folder = folder("options");
    let file = folder.join("options.toml");
    for (text, expected) in [
        ("size = 4", "there is no option `size`"),
        ("{\"size\": 4}", "there is no option `size`"),
        ("size = ", "cannot read"),
        ("{\"size\"", "cannot read"),
    ] {
        fs::write(&file, text).unwrap();
        let said = run(&["sim", "tic-tac-toe", "--options", arg(&file)]);
        assert_eq!(said.code, 2, "{text}: {}", said.err);
        assert!(said.err.contains(expected), "{text}: {}", said.err);
    }
    fs::write(&file, "").unwrap();
    assert_eq!(run(&["sim", "tic-tac-toe", "--games", "5", "--options", arg(&file)]).code, 0);
}
