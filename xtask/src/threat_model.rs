//! Checks that docs/threat-model.md names only tests that exist.

use crate::workspace::Workspace;

#[test]
fn every_test_in_the_threat_model_exists() {
    let workspace = Workspace::find().unwrap();
    let page = workspace.read("docs/threat-model.md").unwrap();
    let named = page.split('`').skip(1).step_by(2).filter_map(|text| text.split_once(".rs::"));
    let mut count = 0;
    for (file, test) in named {
        let text = workspace.read(&format!("{file}.rs")).unwrap();
        let function = text.split(&format!("fn {test}()")).next().filter(|before| before.len() < text.len());
        let attributes = function.map(|before| before.trim_end().trim_end_matches("async").trim_end());
        assert!(attributes.is_some_and(|text| text.ends_with("#[test]")), "{file}.rs has no test {test}");
        count += 1;
    }
    assert!(count > 20, "only {count} tests were found: is the page still a table?");
}
