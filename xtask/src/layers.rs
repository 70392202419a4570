//! The `layers` check: which crates of the workspace may depend on which.
//!
//! [`ALLOWED`] lists the crates whose place in the architecture matters with their allowed direct dependencies inside
//! the workspace, so what they link transitively follows from the list. Dev-dependencies are not restricted.

use crate::{
    task_error::{Result, TaskError},
    workspace::{Package, Workspace},
};

/// Stands for all crates in `crates/games`.
const GAMES: &str = "crates/games";

/// A crate, and the crates of the workspace that it may depend on.
const ALLOWED: &[(&str, &[&str])] = &[
    ("pentarchy-engine", &[]),
    ("pentarchy-keys", &[]),
    ("pentarchy-bots", &["pentarchy-engine"]),
    ("pentarchy-arena", &["pentarchy-bots", "pentarchy-engine"]),
    ("pentarchy-batch", &["pentarchy-engine", "pentarchy-testkit"]),
    ("pentarchy-boards", &["pentarchy-bots", "pentarchy-engine", "pentarchy-registry", GAMES]),
    (
        "pentarchy-club",
        &[
            "pentarchy-engine",
            "pentarchy-identity",
            "pentarchy-keys",
            "pentarchy-registry",
            "pentarchy-storage",
            "pentarchy-table",
        ],
    ),
    ("pentarchy-fair", &["pentarchy-keys"]),
    ("pentarchy-identity", &["pentarchy-keys"]),
    ("pentarchy-net", &["pentarchy-keys"]),
    ("pentarchy-notify", &["pentarchy-identity", "pentarchy-keys", "pentarchy-net", "pentarchy-storage"]),
    (
        "pentarchy-registry",
        &[
            "pentarchy-arena",
            "pentarchy-batch",
            "pentarchy-bots",
            "pentarchy-engine",
            "pentarchy-testkit",
            GAMES,
        ],
    ),
    ("pentarchy-server", &["pentarchy-net", "pentarchy-storage"]),
    ("pentarchy-serve", &["pentarchy-net", "pentarchy-notify", "pentarchy-server", "pentarchy-storage"]),
    ("pentarchy-storage", &["pentarchy-net"]),
    ("pentarchy-testkit", &["pentarchy-engine"]),
    ("pentarchy-table", &["pentarchy-engine", "pentarchy-fair", "pentarchy-keys"]),
    ("pentarchy-lobby", &["pentarchy-engine", "pentarchy-keys", "pentarchy-net", "pentarchy-table"]),
];

/// What the crates in `crates/games` may depend on.
const ALLOWED_FOR_GAMES: &[&str] = &["pentarchy-engine"];

/// Checks the direct dependencies of every listed crate and of all games, and prints each violation, or that there is
/// none.
///
/// # Errors
///
/// Fails if a crate depends on another one that its row does not name, or a listed crate does not exist; also if cargo
/// cannot list the packages.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let packages = workspace.metadata()?.packages;
    let findings = findings(&packages);
    findings.iter().for_each(|finding| println!("error: {finding}"));
    if findings.is_empty() {
        println!("{} crates and all games depend only on the layers below them", ALLOWED.len());
        return Ok(());
    }
    Err(TaskError::new(format!("{} dependencies cross the layers of ARCHITECTURE.md", findings.len())))
}

/// Returns a sentence for each dependency that [`ALLOWED`] or [`ALLOWED_FOR_GAMES`] does not permit, for each listed
/// crate that does not exist, and if there is no game at all; empty if all is well. Crates that are not listed may
/// depend on anything.
fn findings(packages: &[Package]) -> Vec<String> {
    let mut findings = Vec::new();
    let is_game = |package: &&Package| {
        let folder = package.manifest_path.parent().and_then(|folder| folder.parent());
        folder.is_some_and(|folder| folder.ends_with(GAMES))
    };
    let games: Vec<&Package> = packages.iter().filter(is_game).collect();
    if games.is_empty() {
        findings.push(format!("there is no crate in {GAMES}: correct xtask/src/layers.rs"));
    }
    for (name, allowed) in ALLOWED {
        let mut allowed = allowed.to_vec();
        if allowed.contains(&GAMES) {
            allowed.extend(games.iter().map(|game| game.name.as_str()));
        }
        match packages.iter().find(|package| package.name == *name) {
            Some(package) => findings.extend(violations(package, &allowed)),
            None => findings.push(format!("{name} is not in the workspace: correct xtask/src/layers.rs")),
        }
    }
    findings.extend(games.into_iter().flat_map(|package| violations(package, ALLOWED_FOR_GAMES)));
    findings
}

/// Returns a sentence for each dependency of `package`, outside its tests (a build dependency counts), on a crate of
/// the workspace that is not in `allowed`. A crate is taken for one of the workspace if its name begins with
/// `pentarchy`.
fn violations(package: &Package, allowed: &[&str]) -> Vec<String> {
    let linked = package.dependencies.iter().filter(|dependency| dependency.is_linked());
    let inside = linked.map(|dependency| &dependency.name).filter(|name| name.starts_with("pentarchy"));
    let forbidden = inside.filter(|name| !allowed.contains(&name.as_str()));
    forbidden.map(|name| format!("{} must not depend on {name}", package.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Dependency;

    #[test]
    fn dependencies_point_downwards() {
        let packages = Workspace::find().unwrap().metadata().unwrap().packages;
        assert_eq!(findings(&packages), [""; 0]);
    }

    #[test]
    fn a_server_that_links_a_game_crate_is_reported() {
        let mut packages = Workspace::find().unwrap().metadata().unwrap().packages;
        let server = packages.iter_mut().find(|package| package.name == "pentarchy-server").unwrap();
        let dependency = |name: &str, kind: Option<&str>| Dependency {
            name: name.to_owned(),
            kind: kind.map(str::to_owned),
        };
        server.dependencies.push(dependency("pentarchy-table", Some("dev")));
        assert_eq!(findings(&packages), [""; 0], "tests may use anything");
        let server = packages.iter_mut().find(|package| package.name == "pentarchy-server").unwrap();
        server.dependencies.push(dependency("pentarchy-table", None));
        assert_eq!(findings(&packages), ["pentarchy-server must not depend on pentarchy-table"]);
        packages.retain(|package| package.name != "pentarchy-net");
        assert!(findings(&packages).iter().any(|finding| finding.contains("not in the workspace")));
    }
}
