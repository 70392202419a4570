//! Runs all scenarios of a directory and checks which rules they cover; for the tests of a game.

use super::{Scenario, run};
use pentarchy_engine::Game;
use pentarchy_engine::describe::Describe;
use std::fmt;
use std::path::{Path, PathBuf};

/// Failed scenarios, or rules without a scenario. `Debug` prints the same text as `Display`, so that a
/// test may return it.
#[derive(Clone, PartialEq, Eq)]
pub struct CoverageError(String);

impl fmt::Display for CoverageError {
    /// Writes all faults, a line each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for CoverageError {
    /// Writes all faults, a line each, like `Display`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CoverageError {}

/// Returns the scenario files (`.toml`) of a directory and its subdirectories, sorted by path.
///
/// # Errors
///
/// Fails if a directory cannot be read.
pub fn files_in(dir: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_in(&path)?);
        } else if path.extension().is_some_and(|e| e == "toml") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Runs all scenarios of a directory and checks that each of `rules` is named by one. A rule is given by its
/// number, a range as `E1..E46` (both ends included). Prints the number of covered rules.
///
/// # Errors
///
/// Fails with all faults at once if a file cannot be read or is no scenario, a scenario fails, or a rule is
/// not covered; also if the directory has no scenario or a range is malformed.
pub fn check_dir<G: Game + Describe>(dir: impl AsRef<Path>, rules: &[&str]) -> Result<(), CoverageError> {
    let dir = dir.as_ref();
    let files = files_in(dir).map_err(|e| CoverageError(format!("{}: {e}", dir.display())))?;
    if files.is_empty() {
        return Err(CoverageError(format!("{}: there is no scenario", dir.display())));
    }
    let (mut shown, mut wrong) = (Vec::new(), Vec::new());
    for file in &files {
        let scenario = std::fs::read_to_string(file)
            .map_err(|e| e.to_string())
            .and_then(|text| Scenario::parse(&text).map_err(|e| e.to_string()));
        match scenario {
            Err(e) => wrong.push(format!("{}: {e}", file.display())),
            Ok(scenario) => {
                let report = run::<G>(&scenario);
                shown.extend(scenario.rules().into_iter().map(str::to_string));
                wrong.extend(report.failures.iter().map(|f| format!("{}: {f}", file.display())));
            }
        }
    }
    let expected = numbers(rules)?;
    let missing: Vec<&String> = expected.iter().filter(|r| !shown.contains(r)).collect();
    let covered = format!(
        "{}: {} of {} examples covered, {} scenarios",
        G::INFO.name,
        expected.len() - missing.len(),
        expected.len(),
        files.len()
    );
    println!("{covered}");
    if !missing.is_empty() {
        let names: Vec<&str> = missing.iter().map(|r| r.as_str()).collect();
        wrong.push(format!("no scenario shows {}", names.join(", ")));
    }
    if wrong.is_empty() { Ok(()) } else { Err(CoverageError(format!("{covered}\n{}", wrong.join("\n")))) }
}

/// Expands ranges such as `R1..R4` into single rule numbers, in order; other entries stay as they are.
///
/// # Errors
///
/// Fails if the ends of a range do not fit together.
fn numbers(rules: &[&str]) -> Result<Vec<String>, CoverageError> {
    let mut all = Vec::new();
    for rule in rules {
        let Some((first, last)) = rule.split_once("..") else {
            all.push((*rule).to_string());
            continue;
        };
        let split = |text: &str| {
            let digits = text.find(|c: char| c.is_ascii_digit())?;
            Some((text[..digits].to_string(), text[digits..].parse::<u32>().ok()?))
        };
        match (split(first), split(last)) {
            (Some((letter, from)), Some((same, to))) if letter == same && from <= to => {
                all.extend((from..=to).map(|n| format!("{letter}{n}")));
            }
            _ => return Err(CoverageError(format!("`{rule}` is no range of rules like E1..E46"))),
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_rules_are_written_out() {
        assert_eq!(numbers(&["E1..E3", "R12"]), Ok(["E1", "E2", "E3", "R12"].map(String::from).to_vec()));
        assert!(
            numbers(&["E3..E1"]).is_err() && numbers(&["E1..R2"]).is_err() && numbers(&["E..F"]).is_err()
        );
    }
}
