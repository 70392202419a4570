//! `cargo xtask dev`: serve the page, build it again after every change, and reload the browser.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, ExitCode},
    thread,
    time::{Duration, Instant, SystemTime},
};

use crate::{
    play,
    table::duration,
    task_error::{Context, Result},
    tools,
    web::{self, PageBuild},
    workspace::Workspace,
};

/// The folders whose files are part of the page.
const WATCHED: [&str; 2] = ["crates", "docs/rules"];
/// Folders in them that are not: other programs, and what programs write.
const IGNORED: [&str; 5] = ["target", "node_modules", "e2e", "tests", "benches"];
/// Time between two looks at the files.
const EVERY: Duration = Duration::from_millis(400);

/// The script that reloads a page when the server has another one. A match is stored after each event, and the page
/// opens it again.
const RELOAD: &str =
    "const read = () => fetch(\"/\", { cache: \"no-store\" }).then((answer) => answer.text());
const first = await read();
setInterval(async () => {
  const now = await read().catch(() => first);
  if (now !== first) location.reload();
}, 700);
";

/// Serve the page, and after every change of a file build it again and reload the browser, which keeps the position.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Build the page with this game alone (and games that are not shipped yet), which is quicker
    #[arg(long, value_name = "GAME")]
    game: Option<String>,

    /// Arguments of `pentarchy serve`, e.g. `--port 8080`, `--open`
    #[arg(value_name = "OPTIONS", trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

/// Builds page and server and serves the page until the program is stopped. Looks at the files of the page every 0.4 s:
/// after a change it builds the page again and restarts the server with it, so that open pages reload. A page that does
/// not compile leaves the last one, and its errors are printed. Returns when the server ends by itself: success exactly
/// if it succeeded.
///
/// # Errors
///
/// Fails if there is no such game, the first build fails, a folder cannot be read, or the server cannot be started or
/// stopped.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    let dist = workspace.metadata()?.target_directory.join("web/dev");
    let game = args.game.as_deref().map(|game| web::feature_of(workspace, game)).transpose()?;
    let build_page = || build_page(workspace, game.as_ref().map(Option::as_deref), &dist);
    let (job, program) = play::server(workspace)?;
    let mut build = job.build;
    tools::must(&mut build)?;
    let mut seen = newest(workspace)?;
    build_page()?;
    let start = || start_server(&program, &dist, workspace, &args.rest);
    let mut server = start()?;
    loop {
        thread::sleep(EVERY);
        if let Some(status) = server.try_wait().context("cannot wait for the server")? {
            return Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        let now = newest(workspace)?;
        if now == seen {
            continue;
        }
        seen = now;
        let begin = Instant::now();
        match build_page() {
            Ok(()) => {
                stop(&mut server)?;
                server = start()?;
                println!("Built in {}; open pages reload.", duration(begin.elapsed()));
            }
            Err(trouble) => eprintln!("error: {trouble}\nThe last page is still served."),
        }
    }
}

/// Builds the page with the script that reloads it into `dist`, which is replaced only if the build succeeds. The
/// compressed forms of `index.html` are removed. The page has all games, or with `games` only those that this feature
/// selects (`Some(None)` for no feature) and those that are in every build.
///
/// # Errors
///
/// Fails if the build does, or the page cannot be written.
fn build_page(workspace: &Workspace, games: Option<Option<&str>>, dist: &Path) -> Result<()> {
    match games {
        None => web::build(workspace, PageBuild::Quick, Some(dist.to_path_buf())).map(|_| ())?,
        Some(feature) => web::build_games(workspace, feature, dist)?,
    }
    let index = dist.join("index.html");
    let page = fs::read_to_string(&index).context(format!("cannot read {}", index.display()))?;
    fs::write(&index, with_reload(&page)).context(format!("cannot write {}", index.display()))?;
    fs::write(dist.join("reload.js"), RELOAD).context("cannot write the script that reloads the page")?;
    // The compressed forms are those of the page without the script.
    for ending in ["br", "gz"] {
        fs::remove_file(dist.join(format!("index.html.{ending}"))).ok();
    }
    Ok(())
}

/// Returns the HTML page with a reference to the script `reload.js` before each `</body>`; unchanged if it has no such
/// tag.
fn with_reload(page: &str) -> String {
    page.replace("</body>", "<script type=\"module\" src=\"reload.js\"></script>\n</body>")
}

/// Starts the server in the folder of the workspace, with the page in `dist` and these further arguments, and does not
/// wait for it. It shares the output of this process.
///
/// # Errors
///
/// Fails if it cannot be started.
fn start_server(program: &Path, dist: &Path, workspace: &Workspace, rest: &[OsString]) -> Result<Child> {
    let mut server = Command::new(program);
    server.current_dir(workspace.root()).arg("--page").arg(dist).args(rest);
    server.spawn().context(format!("cannot start {}", program.display()))
}

/// Kills the server and waits for its end, after which its port is free.
///
/// # Errors
///
/// Fails if it cannot be ended.
fn stop(server: &mut Child) -> Result<()> {
    server.kill().and_then(|()| server.wait()).map(|_| ()).context("cannot stop the server")
}

/// The state of the watched files: how many there are, and when the newest was changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Newest {
    /// The number of files.
    files: usize,
    /// When the newest of them was changed.
    changed: SystemTime,
}

/// Returns the state of the files in [`WATCHED`] and below: their number and the time of the newest change. Hidden
/// files and folders, those of [`IGNORED`], and files that vanish meanwhile do not count.
///
/// # Errors
///
/// Fails if a folder cannot be read.
fn newest(workspace: &Workspace) -> Result<Newest> {
    let mut newest = Newest { files: 0, changed: SystemTime::UNIX_EPOCH };
    let mut folders: Vec<PathBuf> = WATCHED.iter().map(|folder| workspace.root().join(folder)).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).context(format!("cannot read {}", folder.display()))? {
            let entry = entry.context(format!("cannot read {}", folder.display()))?;
            let name = entry.file_name();
            if name.to_string_lossy().starts_with('.') || IGNORED.iter().any(|ignored| name == *ignored) {
                continue;
            }
            // A file that an editor has just replaced may be gone.
            let Ok(about) = entry.metadata() else { continue };
            if about.is_dir() {
                folders.push(entry.path());
            } else {
                newest.files += 1;
                newest.changed = newest.changed.max(about.modified().unwrap_or(SystemTime::UNIX_EPOCH));
            }
        }
    }
    Ok(newest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_is_in_the_page_once() {
        let workspace = Workspace::find().unwrap();
        let page = with_reload(&workspace.read("crates/web/index.html").unwrap());
        assert_eq!(page.matches("src=\"reload.js\"").count(), 1);
    }

    #[test]
    fn files_of_the_page_are_watched() {
        let found = newest(&Workspace::find().unwrap()).unwrap();
        assert!(found.files > 300 && found.changed > SystemTime::UNIX_EPOCH, "{found:?}");
    }
}
