//! `cargo xtask e2e`: test the page in a real browser against the real program.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use crate::{
    new,
    task_error::{Context, Result, TaskError},
    tools,
    web::{self, PageBuild},
    workspace::{PROGRAM, Workspace},
};

/// The folder of the tests.
const TESTS: &str = "crates/web/e2e";

/// The npm packages that they need, as in their `package.json`.
const PACKAGES: [&str; 3] = ["axe-core", "playwright-core", "ws"];

/// Names of the Chromium program.
/// The headless one needs a fifth less CPU time.
const CHROMIUM: [&str; 5] =
    ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Names of the Firefox program.
const FIREFOX: [&str; 2] = ["firefox", "firefox-esr"];

/// Build the page and the program, and try every screen in a real headless browser.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only the tests whose names contain this
    only: Option<String>,

    /// Test the pages of new games, made by `cargo xtask new` in a copy of the workspace and built without the others
    #[arg(long, conflicts_with = "release")]
    new: bool,

    /// Measure the page that is shipped: built in full, as `cargo xtask web` does
    #[arg(long)]
    release: bool,
}

/// Builds page and program, and runs the browser tests whose names contain the argument `only`, or all. With
/// `--release` it tests the shipped page against release builds; with `--new` it tests the page of new games in a copy
/// of the workspace instead. Installs the npm packages and a Chromium if they are missing.
///
/// # Errors
///
/// Fails if a build or a test fails, or a tool is missing.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    if args.new {
        new::check_page(workspace, args.only.as_deref())?;
        return Ok(ExitCode::SUCCESS);
    }
    let kind = if args.release { PageBuild::Shipped } else { PageBuild::Tests };
    web::build(workspace, kind, None)?;
    tools::must(&mut command(workspace, args.only.as_deref(), args.release)?)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the command of the step of `cargo xtask test`, which runs all browser tests. An earlier step has
/// built the page; the program is built here.
///
/// # Errors
///
/// Fails if a tool is missing or a build fails.
pub(crate) fn for_tests(workspace: &Workspace) -> Result<Command> {
    command(workspace, None, false)
}

/// Builds page and program, and checks the layout laws at every decision and every size, of the games whose names begin
/// with `game`, or of all, in a browser. Prints what the tests print.
///
/// # Errors
///
/// Fails if a build or a check fails, or a tool is missing.
pub(crate) fn soak(workspace: &Workspace, game: Option<&str>) -> Result<ExitCode> {
    web::build(workspace, PageBuild::Tests, None)?;
    let only = format!("layout laws: {}", game.unwrap_or_default());
    tools::must(command(workspace, Some(&only), false)?.env("SOAK", "1"))?;
    Ok(ExitCode::SUCCESS)
}

/// Builds the program and returns the command that runs another script (`file`, relative to the tests' folder) in node
/// with it. The command is not run. Installs the npm packages and a Chromium if they are missing. The caller must have
/// built the page, as a release if `release`.
///
/// # Errors
///
/// Fails if a tool is missing, npm fails, or the build of the program fails.
pub(crate) fn script(workspace: &Workspace, file: &str, release: bool) -> Result<Command> {
    node(workspace, file, release)
}

/// Installs and builds what the tests need, except the page, and returns the command that runs the browser tests whose
/// names contain `only`, or all. With `release` also builds the release program, to compare with. The command is not
/// run.
///
/// # Errors
///
/// Fails if a build fails or a tool is missing.
fn command(workspace: &Workspace, only: Option<&str>, release: bool) -> Result<Command> {
    let mut node = node(workspace, "run.mjs", release)?;
    node.args(only);
    Ok(node)
}

/// Returns the command that runs the browser tests whose names contain `only` with another program and the page in the
/// folder `dist`. Nothing is built. Installs what the tests need.
///
/// # Errors
///
/// Fails if a tool is missing, npm fails, or the program cannot be copied.
pub(crate) fn tests_of(workspace: &Workspace, program: &Path, dist: &Path, only: &str) -> Result<Command> {
    let mut node = node_with(workspace, "run.mjs", program)?;
    node.env("DIST", dist).env("PAGE", dist).arg(only);
    Ok(node)
}

/// Builds the program and returns the command that runs the script `file` in node with it ([`node_with`]). The page is
/// not built. With `release` the release program is built, too, and named in the environment.
///
/// # Errors
///
/// Fails if there is no Chromium, npm fails, or a build fails.
fn node(workspace: &Workspace, file: &str, release: bool) -> Result<Command> {
    let program = tools::program(workspace)?;
    let mut node = node_with(workspace, file, program.get_program().as_ref())?;
    if release {
        // Compare release builds of both.
        tools::must(tools::cargo(workspace).args(["build", "--release", "-p", PROGRAM.0]))?;
        let native = workspace.metadata()?.target_directory.join("release").join(PROGRAM.0);
        node.env("RELEASE", "1").env("NATIVE", native);
    }
    Ok(node)
}

/// Installs the npm packages and a Chromium if they are missing, and returns the command that runs the script `file` in
/// node, in the folder of the tests. Its environment names a copy of this program, the browsers (Firefox only if there
/// is one) and the folders of the page, for screenshots and for records.
///
/// # Errors
///
/// Fails if there is no Chromium, npm fails, or the program cannot be copied.
fn node_with(workspace: &Workspace, file: &str, program: &Path) -> Result<Command> {
    let folder = workspace.root().join(TESTS);
    let browser = browser().ok_or_else(|| {
        TaskError::new("there is no Chromium: install it (apt-get install chromium), or name it in CHROMIUM")
    })?;
    if !PACKAGES.iter().all(|name| folder.join("node_modules").join(name).exists()) {
        let mut npm = Command::new("npm");
        tools::must(npm.current_dir(&folder).args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"]))?;
    }
    let program = copy_program(workspace, program)?;
    let mut node = Command::new("node");
    node.current_dir(&folder).arg(file);
    node.env("PENTARCHY", program)
        .env("CHROMIUM", browser)
        .env("SHOTS", workspace.root().join("target/web/shots"));
    node.env("PAGE", web::served_folder(workspace));
    node.env("RECORDS", workspace.root().join("target/web/records"));
    // The page is also tested in Firefox, where it is installed.
    if let Some(firefox) = env::var_os("FIREFOX").map(PathBuf::from).or_else(|| installed(&FIREFOX)) {
        node.env("FIREFOX", firefox);
    }
    Ok(node)
}

/// Copies the program to a folder of its own and returns the copy's path: builds may replace the original while the
/// tests run. An older copy is replaced.
///
/// # Errors
///
/// Fails if it cannot be copied.
fn copy_program(workspace: &Workspace, program: &Path) -> Result<PathBuf> {
    let folder = workspace.metadata()?.target_directory.join("e2e");
    let (draft, copy) = (folder.join("draft"), folder.join(PROGRAM.0));
    // Renamed at last: a running program cannot be overwritten.
    fs::create_dir_all(&folder)
        .and_then(|()| fs::copy(program, &draft))
        .and_then(|_| fs::rename(&draft, &copy))
        .context(format!("cannot copy {} to {}", program.display(), copy.display()))?;
    Ok(copy)
}

/// Returns a Chromium of this machine: the one that `CHROMIUM` names (whether it exists is not checked), else one on
/// the path, else one that apt installs if there is apt; `None` if there is none.
fn browser() -> Option<PathBuf> {
    let named = env::var_os("CHROMIUM").map(PathBuf::from);
    named.or_else(|| installed(&CHROMIUM)).or_else(|| {
        // As root on a bare machine, such as a fresh container, it can be installed.
        let apt = Path::new("/usr/bin/apt-get");
        let mut install = Command::new(apt);
        install.args(["install", "--yes", "--no-install-recommends", "chromium"]);
        (apt.exists() && tools::must(&mut install).is_ok()).then(|| installed(&CHROMIUM)).flatten()
    })
}

/// Returns the path of one of these programs in the first folder of `PATH` that has one, in the order of the names
/// within a folder; `None` if there is none. Whether it can be run is not checked.
fn installed(names: &[&str]) -> Option<PathBuf> {
    let paths = env::var_os("PATH").unwrap_or_default();
    let mut all = env::split_paths(&paths).flat_map(|folder| names.iter().map(move |name| folder.join(name)));
    all.find(|path| path.is_file())
}
