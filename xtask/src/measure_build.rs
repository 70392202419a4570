//! The measurement `build`: how long builds take, from nothing and after a change.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::{
    build_progress,
    measure::Figures,
    play,
    table::duration,
    task_error::{Context, Result},
    tools,
    web::{self, PageBuild},
    workspace::{PROGRAM, Workspace},
};

/// The file of a game that is touched.
const CHANGED: &str = "crates/games/vires/src/lib.rs";

/// Builds `cargo xtask`, and the page with the server, each from nothing; then tests of a game, the terminal and the
/// page after a change in the game. Returns a row for each with its wall-clock time. A clean build has a target folder
/// of its own, which is deleted first; packages are not downloaded again. The other builds use the usual target folder
/// and change the time of [`CHANGED`].
///
/// # Errors
///
/// Fails if a build fails, or a folder cannot be deleted.
pub(crate) fn measure(workspace: &Workspace) -> Result<Vec<Figures>> {
    let target = workspace.metadata()?.target_directory;
    let clean = target.join("measure-build");
    if clean.exists() {
        fs::remove_dir_all(&clean).context(format!("cannot delete {}", clean.display()))?;
    }
    let mut rows = Vec::new();

    let mut tasks = tools::cargo(workspace);
    tasks.args(["build", "--quiet", "--package", "xtask"]).env("CARGO_TARGET_DIR", &clean);
    let begin = Instant::now();
    tools::must(&mut tasks)?;
    rows.push(row("`cargo xtask` itself, clean", begin.elapsed()));

    let begin = Instant::now();
    let (mut server, _) = play::server(workspace)?;
    server.build.env("CARGO_TARGET_DIR", &clean);
    build_progress::build_all(web::lanes(workspace, server, Some(&clean.join("web"))))?;
    rows.push(row("page and server of `cargo xtask play`, clean", begin.elapsed()));

    let game = |args: &[&str]| {
        let mut cargo = tools::cargo(workspace);
        cargo.args(args);
        cargo
    };
    let tests = || game(&["test", "--quiet", "--package", "pentarchy-vires", "--no-run"]);
    let terminal = || {
        game(&["build", "--quiet", "--package", PROGRAM.0, "--no-default-features", "--features", "vires"])
    };
    rows.push(after_a_change(workspace, "tests of a game after a change in it", || {
        tools::must(&mut tests())
    })?);
    rows.push(after_a_change(workspace, "terminal with one game after a change in it", || {
        tools::must(&mut terminal())
    })?);
    let dist = target.join("web/dev");
    rows.push(after_a_change(workspace, "page after a change in a game", || {
        web::build(workspace, PageBuild::Quick, Some(dist.clone())).map(|_| ())
    })?);
    rows.push(after_a_change(workspace, "page with one game after a change in it", || {
        web::build_games(workspace, Some("vires"), &dist)
    })?);
    Ok(rows)
}

/// Builds once, sets the time of [`CHANGED`] to now, and measures the wall-clock time of the second build. Returns it
/// as the row `what`.
///
/// # Errors
///
/// Fails if a build fails or the file cannot be touched.
fn after_a_change(workspace: &Workspace, what: &str, build: impl Fn() -> Result<()>) -> Result<Figures> {
    build()?;
    touch(&workspace.root().join(CHANGED))?;
    let begin = Instant::now();
    build()?;
    Ok(row(what, begin.elapsed()))
}

/// Sets the modification time of a file to now; its content stays.
///
/// # Errors
///
/// Fails if the file does not exist or cannot be changed.
fn touch(path: &Path) -> Result<()> {
    let file = fs::File::options().append(true).open(path);
    file.and_then(|file| file.set_modified(std::time::SystemTime::now()))
        .context(format!("cannot touch {}", path.display()))
}

/// Returns the row `what` with the time that a build took, in words, in the column `time`.
fn row(what: &str, time: Duration) -> Figures {
    Figures { row: what.to_owned(), figures: vec![("time".to_owned(), Value::String(duration(time)))] }
}
