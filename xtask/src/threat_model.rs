//! Checks that docs/threat-model.md and the attack catalogue of docs/fair-play.md name only tests that exist.

use crate::workspace::Workspace;

/// Checks that the tests which a page of the workspace names as `path.rs::name` in code quotes exist and have the
/// attribute `#[test]` or `#[tokio::test]` right before them; a bare file name is in `folder`. Returns their number, repeated ones counted
/// each time. Panics if one is missing or a file cannot be read. A page without such names gives 0.
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
