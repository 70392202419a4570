//! Part of the `words` check: commit subjects have at most 72 characters.

use std::process::Command;

use crate::{
    task_error::{Context, Result, TaskError},
    words::Finding,
    workspace::Workspace,
};

/// Commits before this date are not checked: the rule was not enforced then.
const SINCE: &str = "2026-11-17T17:00:00Z";

/// The limit of docs/style.md, in characters.
const LONGEST: usize = 72;

/// Reads the log of git and returns a finding for each commit of this branch since [`SINCE`] (by its committer date)
/// whose subject is too long, the newest first; empty if there is none.
///
/// # Errors
///
/// Fails if git cannot be started or cannot list the commits.
pub(crate) fn check(workspace: &Workspace) -> Result<Vec<Finding>> {
    let mut git = Command::new("git");
    git.current_dir(workspace.root()).args(["log", "--format=%h %s", "--since", SINCE]);
    let output = git.output().context("cannot start git, which lists the commits")?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        return Err(TaskError::new(format!("git cannot list the commits: {}", reason.trim())));
    }
    Ok(too_long(&String::from_utf8_lossy(&output.stdout)))
}

/// Returns a finding for each line `HASH SUBJECT` whose subject has more than [`LONGEST`] characters, in their order.
/// Lines without a space are skipped.
fn too_long(log: &str) -> Vec<Finding> {
    let commits = log.lines().filter_map(|line| line.split_once(' '));
    let counted = commits.map(|(hash, subject)| (hash, subject.chars().count()));
    let long = counted.filter(|(_, length)| *length > LONGEST);
    long.map(|(hash, length)| Finding {
        place: format!("commit {hash}"),
        message: format!("its subject has {length} characters, more than {LONGEST}"),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_of_more_than_72_characters_are_found() {
        let log = format!("aaa {}\nbbb {}\nccc {}\n", "x".repeat(72), "x".repeat(73), "ä".repeat(72));
        let places: Vec<String> = too_long(&log).into_iter().map(|finding| finding.place).collect();
        assert_eq!(places, ["commit bbb"]);
    }
}
