//! `cargo xtask web`: build the browser client to `target/web/dist`.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use crate::{
    task_error::{Result, TaskError},
    tools,
    workspace::Workspace,
};

/// The folder of the client, a workspace of its own.
pub(crate) const CLIENT: &str = "crates/web";

const TARGET: &str = "wasm32-unknown-unknown";

/// Build the browser client to target/web/dist, from which the server takes it.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Build quickly, as the tests do: larger, slower, less compressed
    #[arg(long)]
    dev: bool,

    /// Write to this folder [default: target/web/dist, or what PENTARCHY_WEB_DIST names]
    #[arg(long, value_name = "FOLDER")]
    dist: Option<PathBuf>,
}

/// Builds the client and replaces the folder that is served, whose old content is deleted. Installs the wasm target if it
/// is missing. Returns success if it does not fail.
///
/// # Errors
///
/// Fails if the target cannot be installed, or the build or the bundling fails.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    build(workspace, args.dev, args.dist.clone())?;
    Ok(ExitCode::SUCCESS)
}

/// Runs the step `web` of `cargo xtask test`.
///
/// # Errors
///
/// Fails if a build fails.
pub(crate) fn for_tests(workspace: &Workspace) -> Result<()> {
    build(workspace, true, None).map(|_| ())
}

/// Runs the step `web-format`: the client is a workspace of its own, which `cargo fmt` does not reach from here.
///
/// # Errors
///
/// Fails if a file is not formatted.
pub(crate) fn format(workspace: &Workspace) -> Result<()> {
    let (client, target) = places(workspace);
    // Not --all: that would include all local dependencies.
    tools::must(inside(workspace, &client, &target).args([
        "fmt",
        "--check",
        "--package",
        "pentarchy-web",
        "--package",
        "pentarchy-web-bundle",
    ]))
}

/// Runs the step `web-lints`.
///
/// # Errors
///
/// Fails if clippy has a warning.
pub(crate) fn lints(workspace: &Workspace) -> Result<()> {
    have_target(workspace)?;
    let (client, target) = places(workspace);
    let mut clippy = inside(workspace, &client, &target);
    clippy.args(["clippy", "--package", "pentarchy-web", "--target", TARGET, "--", "-D", "warnings"]);
    tools::must(&mut clippy)
}

/// Returns the folder of the client, and its target folder.
fn places(workspace: &Workspace) -> (PathBuf, PathBuf) {
    // A folder of its own below the usual one, because its profiles differ.
    let target =
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace.root().join("target"), PathBuf::from);
    (workspace.root().join(CLIENT), target.join("web"))
}

/// Builds the client and returns the folder that it was written to.
///
/// # Errors
///
/// Fails if a build fails.
pub(crate) fn build(workspace: &Workspace, dev: bool, dist: Option<PathBuf>) -> Result<PathBuf> {
    have_target(workspace)?;
    let (client, target) = places(workspace);
    let dist = dist
        .or_else(|| env::var_os("PENTARCHY_WEB_DIST").map(PathBuf::from))
        .unwrap_or_else(|| workspace.root().join("target/web/dist"));

    let mut module = inside(workspace, &client, &target);
    module.args(["build", "--lib", "--package", "pentarchy-web", "--target", TARGET]);
    // The tests also need a page that can cheat; the release build cannot.
    module.args(if dev { ["--features", "cheat"].as_slice() } else { &["--release"] });
    tools::must(&mut module)?;
    let profile = if dev { "debug" } else { "release" };
    let module = target.join(TARGET).join(profile).join("pentarchy_web.wasm");

    let mut bundle = inside(workspace, &client, &target);
    bundle.args(["run", "--quiet", "--package", "pentarchy-web-bundle", "--"]);
    bundle.arg(&module).arg(&client).arg(workspace.root().join("docs/rules")).arg(&dist);
    if dev {
        bundle.arg("quick");
    }
    tools::must(&mut bundle)?;
    Ok(dist)
}

/// Returns a cargo command in the client's workspace.
fn inside(workspace: &Workspace, client: &Path, target: &Path) -> Command {
    let mut cargo = tools::cargo(workspace);
    // Settings for native builds must not reach this one.
    cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    cargo.current_dir(client).env("CARGO_TARGET_DIR", target);
    cargo
}

/// Installs the WebAssembly target if this compiler does not have it.
///
/// # Errors
///
/// Fails if it cannot be installed.
fn have_target(workspace: &Workspace) -> Result<()> {
    if has_target(workspace) {
        return Ok(());
    }
    let mut rustup = Command::new("rustup");
    rustup.current_dir(workspace.root()).args(["target", "add", TARGET]);
    if tools::must(&mut rustup).is_ok() && has_target(workspace) {
        return Ok(());
    }
    Err(TaskError::new(format!(
        "this compiler cannot build for the browser: install its target {TARGET} (rustup target add {TARGET})"
    )))
}

/// Returns whether the wasm target is installed.
fn has_target(workspace: &Workspace) -> bool {
    let mut rustc = Command::new("rustc");
    rustc.current_dir(workspace.root()).args(["--print", "target-libdir", "--target", TARGET]);
    rustc.output().is_ok_and(|output| {
        output.status.success() && Path::new(String::from_utf8_lossy(&output.stdout).trim()).exists()
    })
}
