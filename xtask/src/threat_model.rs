//! Checks that docs/threat-model.md and the attack catalogue of docs/fair-play.md name only tests and tasks that exist.

use clap::Parser;

use crate::{Cli, workspace::Workspace};

/// Checks that the tests which a page of the workspace names as `path.rs::name` in code quotes exist and have the
/// attribute `#[test]` or `#[tokio::test]` right before them; a bare file name is in `folder`. Returns their number,
/// repeated ones counted each time; 0 for a page without such names. Panics if one is missing or a file cannot be read.
fn check(page: &str, folder: &str) -> usize {
    let workspace = Workspace::find().unwrap();
    let text = workspace.read(page).unwrap();
    let named = text.split('`').skip(1).step_by(2).filter_map(|text| text.split_once(".rs::"));
    let mut count = 0;
    for (file, test) in named {
        let file = if file.contains('/') { format!("{file}.rs") } else { format!("{folder}/{file}.rs") };
        let text = workspace.read(&file).unwrap();
        let function = text.split(&format!("fn {test}()")).next().filter(|before| before.len() < text.len());
        let attributes = function.map(|before| before.trim_end().trim_end_matches("async").trim_end());
        let attribute = attributes.and_then(|text| text.lines().next_back()).unwrap_or_default().trim();
        assert!(
            attribute == "#[test]" || attribute.starts_with("#[tokio::test"),
            "{page}: {file} has no test {test}"
        );
        count += 1;
    }
    count
}

/// Checks the browser tests that a page names: a script in code quotes and then, in brackets, parts of the names of its
/// tests in code quotes. The script must have a test for each of them. Returns their number. Panics if a script cannot
/// be read, names no test, or lacks one.
fn check_browser_tests(page: &str) -> usize {
    let workspace = Workspace::find().unwrap();
    let text = workspace.read(page).unwrap();
    let mut count = 0;
    for (before, rest) in text.match_indices(".mjs`").map(|(at, end)| (&text[..at], &text[at + end.len()..]))
    {
        let script = format!("{}.mjs", before.rsplit('`').next().unwrap_or_default());
        let tests = rest.strip_prefix(" (").and_then(|rest| rest.split_once(')')).map(|(tests, _)| tests);
        let tests =
            tests.unwrap_or_else(|| panic!("{page}: {script} is named without its tests in brackets"));
        let source = workspace.read(&script).unwrap();
        let names: Vec<&str> =
            source.split("test(\"").skip(1).filter_map(|test| test.split('"').next()).collect();
        for wanted in tests.split('`').skip(1).step_by(2) {
            assert!(
                names.iter().any(|name| name.contains(wanted)),
                "{page}: {script} has no test `{wanted}`"
            );
            count += 1;
        }
    }
    count
}

/// Checks that the tasks that a page names in code quotes, as in `cargo xtask deploy-test`, exist with the arguments
/// that it gives them. Returns their number. Panics if one does not.
fn check_tasks(page: &str) -> usize {
    let text = Workspace::find().unwrap().read(page).unwrap();
    let tasks = text.split('`').skip(1).step_by(2).filter_map(|text| text.strip_prefix("cargo xtask "));
    tasks
        .map(|task| {
            let words = std::iter::once("xtask").chain(task.split_whitespace());
            Cli::try_parse_from(words).map(|_| ()).unwrap_or_else(|e| panic!("{page}: {task}: {e}"));
        })
        .count()
}

/// Checks that each test that docs/threat-model.md names exists, and that it names more than 20.
#[test]
fn every_test_in_the_threat_model_exists() {
    let count = check("docs/threat-model.md", ".");
    assert!(count > 20, "only {count} tests were found: is the page still a table?");
}

/// Checks that each test that docs/fair-play.md names exists, and that it names more than 30.
#[test]
fn every_test_in_the_attack_catalogue_exists() {
    let count = check("docs/fair-play.md", "crates/fair/tests/fair");
    assert!(count > 30, "only {count} tests were found: is the catalogue still a table?");
}

/// Checks that the browser tests and the tasks of the repository that both pages name exist, and that the threat model
/// names some.
#[test]
fn every_browser_test_and_task_in_the_threat_model_exists() {
    let [model, catalogue] = ["docs/threat-model.md", "docs/fair-play.md"];
    assert!(check_browser_tests(model) >= 2 && check_tasks(model) >= 2);
    check_tasks(catalogue);
}
