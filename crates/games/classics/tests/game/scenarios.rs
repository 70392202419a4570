//! The rules of the classics as runnable examples: see `scenarios/classics`.

use pentarchy_classics::{ConnectFour, Kuhn, Leduc, LiarsDice, TicTacToe};
use pentarchy_testkit::scenario::{self, CoverageError, Scenario};

const ALL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../scenarios/classics");

#[test]
fn tic_tac_toe() -> Result<(), CoverageError> {
    scenario::check_dir::<TicTacToe>(format!("{ALL}/tic-tac-toe"), &["line", "free", "draw"])
}

#[test]
fn connect_four() -> Result<(), CoverageError> {
    scenario::check_dir::<ConnectFour>(format!("{ALL}/connect-four"), &["line", "full"])
}

#[test]
fn kuhn() -> Result<(), CoverageError> {
    scenario::check_dir::<Kuhn>(format!("{ALL}/kuhn"), &["fold", "showdown", "say"])
}

#[test]
fn leduc() -> Result<(), CoverageError> {
    scenario::check_dir::<Leduc>(format!("{ALL}/leduc"), &["pair", "split", "raises"])
}

#[test]
fn liars_dice() -> Result<(), CoverageError> {
    scenario::check_dir::<LiarsDice>(format!("{ALL}/liars-dice"), &["R1..R9"])
}

#[test]
fn a_missing_rule_and_a_wrong_game_are_named() {
    let missing = scenario::check_dir::<Kuhn>(format!("{ALL}/kuhn"), &["say", "E1..E3"]).unwrap_err();
    assert!(missing.to_string().ends_with("no scenario shows E1, E2, E3"), "{missing}");
    let wrong = scenario::check_dir::<Kuhn>(format!("{ALL}/leduc"), &[]).unwrap_err().to_string();
    assert!(
        wrong.contains("a-pair-beats-a-king.toml: line 3: this is a scenario of leduc, not of kuhn"),
        "{wrong}"
    );
    assert!(scenario::check_dir::<Kuhn>(format!("{ALL}/whist"), &[]).is_err());
}

/// The example of the documentation is a scenario that passes.
#[test]
fn the_documented_example_passes() {
    let page = include_str!("../../../../../docs/scenarios.md");
    let example = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let report = scenario::run::<Leduc>(&Scenario::parse(example).unwrap());
    assert!(report.passed(), "{:#?}", report.failures);
}
