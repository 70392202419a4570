//! `cargo xtask web`: build the browser client to `target/web/dist`.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use crate::{
    build_progress::{self, BuildJob},
    new,
    task_error::{Result, TaskError},
    tools,
    workspace::Workspace,
};

/// The folder of the client, a workspace of its own.
pub(crate) const CLIENT: &str = "crates/web";

/// The target triple of the client.
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

/// Builds the client, the shipped form or with `--dev` that of the tests, whose pages can cheat, and writes it to the
/// folder of `--dist`, or else to the one that is served; a relative path counts from the root of the workspace. The old
/// content of that folder is deleted once everything is compiled. Installs the wasm target if it is missing. Returns
/// `SUCCESS`.
///
/// # Errors
///
/// Fails if the target cannot be installed or the build fails; the folder is unchanged then. Fails if the bundling fails;
/// the folder may be incomplete then.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    let kind = if args.dev { PageBuild::Tests } else { PageBuild::Shipped };
    build(workspace, kind, args.dist.clone())?;
    Ok(ExitCode::SUCCESS)
}

/// Runs the step `web` of `cargo xtask test`: builds the client quickly, in the form whose pages can cheat, into the
/// folder that is served, whose old content is deleted. Installs the wasm target if it is missing.
///
/// # Errors
///
/// Fails if the target cannot be installed, or the build or the bundling fails.
pub(crate) fn for_tests(workspace: &Workspace) -> Result<()> {
    build(workspace, PageBuild::Tests, None).map(|_| ())
}

/// Returns the command that compiles the client quickly for the browser tests; it does not make the served folder. It
/// is not run. Installs the wasm target if it is missing.
///
/// # Errors
///
/// Fails if the target cannot be installed.
pub(crate) fn compile_for_tests(workspace: &Workspace) -> Result<Command> {
    have_target(workspace)?;
    Ok(module(workspace, PageBuild::Tests))
}

/// Runs the step `web-format`: checks the format of the client and of the bundler, and changes nothing. The client is a
/// workspace of its own, which `cargo fmt` does not reach from here.
///
/// # Errors
///
/// Fails if a file is not formatted, or cargo fmt cannot be run.
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

/// Runs the step `web-lints`: clippy on the client for the browser, where warnings are errors. Installs the wasm target
/// if it is missing.
///
/// # Errors
///
/// Fails if clippy has a warning, or the target cannot be installed.
pub(crate) fn lints(workspace: &Workspace) -> Result<()> {
    have_target(workspace)?;
    let (client, target) = places(workspace);
    let mut clippy = inside(workspace, &client, &target);
    clippy.args(["clippy", "--package", "pentarchy-web", "--target", TARGET, "--", "-D", "warnings"]);
    tools::must(&mut clippy)
}

/// Returns the folder of the client (`crates/web`), and its target folder (`web` in `CARGO_TARGET_DIR`, or in `target`
/// of the workspace), in this order.
fn places(workspace: &Workspace) -> (PathBuf, PathBuf) {
    // A folder of its own below the usual one, because its profiles differ.
    let target =
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace.root().join("target"), PathBuf::from);
    (workspace.root().join(CLIENT), target.join("web"))
}

/// A way to build the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PageBuild {
    /// As it is shipped: small and fast, takes many minutes.
    Shipped,
    /// Built in a fraction of that time, for `cargo xtask play`.
    Quick,
    /// As `Quick`, and its pages can cheat, for the tests.
    Tests,
}

/// Builds the client in the form of `kind` and returns the folder that it was written to: `dist` if given, else what
/// PENTARCHY_WEB_DIST names, else target/web/dist. Its old content is deleted. Installs the wasm target if it is
/// missing.
///
/// # Errors
///
/// Fails if the target cannot be installed, or the build or the bundling fails.
pub(crate) fn build(workspace: &Workspace, kind: PageBuild, dist: Option<PathBuf>) -> Result<PathBuf> {
    have_target(workspace)?;
    let dist = dist.unwrap_or_else(|| served_folder(workspace));
    tools::must(&mut module(workspace, kind))?;
    tools::must(&mut bundler(workspace))?;
    bundle(workspace, kind, &dist)?;
    Ok(dist)
}

/// Returns the folder from which the server takes the page: what PENTARCHY_WEB_DIST names, or target/web/dist.
pub(crate) fn served_folder(workspace: &Workspace) -> PathBuf {
    let named = env::var_os("PENTARCHY_WEB_DIST").map(PathBuf::from);
    named.unwrap_or_else(|| workspace.root().join("target/web/dist"))
}

/// Builds the page for `cargo xtask play` into `dist`, at the same time as the job `other`, and shows the progress.
/// Installs the wasm target if it is missing; the old content of `dist` is deleted.
///
/// # Errors
///
/// Fails if the target cannot be installed, or a build or the bundling fails.
pub(crate) fn build_beside(workspace: &Workspace, other: BuildJob, dist: &Path) -> Result<()> {
    have_target(workspace)?;
    build_progress::build_all(lanes(workspace, other, None))?;
    bundle(workspace, PageBuild::Quick, dist)
}

/// Returns the builds of the page for `cargo xtask play` and of the bundler, beside the job `other`, as lanes for
/// [`build_progress::build_all`]: the page in one, `other` and then the bundler in the second. Nothing is run. `target`
/// replaces the target folder of the page; the bundler's is `bundler` in it.
pub(crate) fn lanes(workspace: &Workspace, other: BuildJob, target: Option<&Path>) -> Vec<Vec<BuildJob>> {
    let (client, usual) = places(workspace);
    let tree = |package: &str| {
        let mut tree = inside(workspace, &client, &usual);
        tree.args(["tree", "--quiet", "--prefix", "none", "--edges", "normal,build", "--package", package]);
        tree
    };
    let mut page_tree = tree("pentarchy-web");
    page_tree.args(["--target", TARGET]);
    let mut page =
        BuildJob { name: "the page", build: module(workspace, PageBuild::Quick), packages: page_tree };
    let mut bundler =
        BuildJob { name: "the bundler", build: bundler(workspace), packages: tree("pentarchy-web-bundle") };
    if let Some(target) = target {
        page.build.env("CARGO_TARGET_DIR", target);
        bundler.build.env("CARGO_TARGET_DIR", target.join("bundler"));
    }
    vec![vec![page], vec![other, bundler]]
}

/// Builds the client quickly with the shipped games that `feature` selects, and those that are in every build. Writes
/// it to `dist`, whose old content is deleted. Installs the wasm target if it is missing.
///
/// # Errors
///
/// Fails if the target cannot be installed, there is no such feature, or the build or the bundling fails.
pub(crate) fn build_games(workspace: &Workspace, feature: Option<&str>, dist: &Path) -> Result<()> {
    have_target(workspace)?;
    let mut module = module(workspace, PageBuild::Quick);
    module.arg("--no-default-features").args(feature.map(|name| format!("--features={name}")));
    tools::must(&mut module)?;
    tools::must(&mut bundler(workspace))?;
    bundle(workspace, PageBuild::Quick, dist)
}

/// Returns the cargo feature of the client that adds the game of exactly this name: its name, `classics` for a classic,
/// or `None` for a game that is in every build, as those of `cargo xtask new` are.
///
/// # Errors
///
/// Fails if there is no such game, or a manifest cannot be read.
pub(crate) fn feature_of(workspace: &Workspace, game: &str) -> Result<Option<String>> {
    if new::classics(workspace.root())?.iter().any(|classic| classic == game) {
        return Ok(Some("classics".to_owned()));
    }
    if !workspace.has(&format!("crates/games/{game}/Cargo.toml")) || game == "classics" {
        return Err(TaskError::new(format!("there is no game `{game}`")));
    }
    let manifest = workspace.read(&format!("{CLIENT}/Cargo.toml"))?;
    let is_optional = manifest.lines().any(|line| line.starts_with(&format!("{game} = [")));
    Ok(is_optional.then(|| game.to_owned()))
}

/// Returns the command that compiles the client to WebAssembly: in release for the shipped page, else a debug build,
/// with the feature `cheat` for the tests. It is not run.
fn module(workspace: &Workspace, kind: PageBuild) -> Command {
    let (client, target) = places(workspace);
    let mut cargo = inside(workspace, &client, &target);
    cargo.args(["build", "--lib", "--package", "pentarchy-web", "--target", TARGET]);
    cargo.args(match kind {
        PageBuild::Shipped => ["--release"].as_slice(),
        PageBuild::Quick => &[],
        PageBuild::Tests => &["--features", "cheat"],
    });
    cargo
}

/// Returns the command that compiles the program that makes the served folder; it is not run. It
/// has a target folder of its own, so that it can be built at the same time as the client.
fn bundler(workspace: &Workspace) -> Command {
    let (client, target) = places(workspace);
    let mut cargo = inside(workspace, &client, &target.join("bundler"));
    cargo.args(["build", "--package", "pentarchy-web-bundle"]);
    cargo
}

/// Builds the page of another workspace with the games that are in every build, and that can cheat, as
/// [`PageBuild::Tests`]. `copy` is its folder, `target` the target folder of this workspace, whose compiled
/// dependencies it shares. Writes it to `dist`, whose old content is deleted. Installs the wasm target if it is
/// missing.
///
/// # Errors
///
/// Fails if the target cannot be installed, or the build or the bundling fails.
pub(crate) fn build_copy(workspace: &Workspace, copy: &Path, target: &Path, dist: &Path) -> Result<()> {
    have_target(workspace)?;
    let (client, target) = (copy.join(CLIENT), target.join("web"));
    let mut module = inside(workspace, &client, &target);
    module.args(["build", "--quiet", "--lib", "--package", "pentarchy-web", "--target", TARGET]);
    tools::must(module.args(["--no-default-features", "--features", "cheat"]))?;
    tools::must(&mut bundler(workspace))?;
    bundle_at(copy, &target, PageBuild::Tests, dist)
}

/// Makes the served folder from the client that was compiled in the form of `kind`, with the compiled bundler; for the
/// shipped form with the best compression. The caller must have built both. The old content of `dist` is deleted.
///
/// # Errors
///
/// Fails if the bundler cannot be started or fails.
fn bundle(workspace: &Workspace, kind: PageBuild, dist: &Path) -> Result<()> {
    bundle_at(workspace.root(), &places(workspace).1, kind, dist)
}

/// Makes the served folder `dist` from the client and by the bundler that were compiled into `target`, the target
/// folder of the page of the workspace at `root`; for the shipped form with the best compression. The caller must have
/// built both. The old content of `dist` is deleted.
///
/// # Errors
///
/// Fails if the bundler cannot be started or fails.
fn bundle_at(root: &Path, target: &Path, kind: PageBuild, dist: &Path) -> Result<()> {
    let profile = if kind == PageBuild::Shipped { "release" } else { "debug" };
    let mut bundler = Command::new(target.join("bundler/debug/pentarchy-web-bundle"));
    bundler.current_dir(root);
    bundler.arg(target.join(TARGET).join(profile).join("pentarchy_web.wasm"));
    bundler.arg(root.join(CLIENT)).arg(root.join("docs/rules")).arg(dist);
    if kind != PageBuild::Shipped {
        bundler.arg("quick");
    }
    tools::must(&mut bundler)
}

/// Returns a cargo command without arguments that runs in the folder `client`, with `target` as target folder and
/// without the compiler flags of native builds.
fn inside(workspace: &Workspace, client: &Path, target: &Path) -> Command {
    let mut cargo = tools::cargo(workspace);
    // Settings for native builds must not reach this one.
    cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    cargo.current_dir(client).env("CARGO_TARGET_DIR", target);
    cargo
}

/// Installs the WebAssembly target by rustup if this compiler does not have it; does nothing if it has.
///
/// # Errors
///
/// Fails with advice if it cannot be installed.
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

/// Returns whether this compiler has the standard library for the wasm target on this machine; `false` if rustc cannot
/// be run.
fn has_target(workspace: &Workspace) -> bool {
    let mut rustc = Command::new("rustc");
    rustc.current_dir(workspace.root()).args(["--print", "target-libdir", "--target", TARGET]);
    rustc.output().is_ok_and(|output| {
        output.status.success() && Path::new(String::from_utf8_lossy(&output.stdout).trim()).exists()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_a_feature_unless_it_is_in_every_build() {
        let workspace = Workspace::find().unwrap();
        let feature = |game: &str| feature_of(&workspace, game);
        assert_eq!(feature("kuhn").unwrap().as_deref(), Some("classics"));
        for name in ["hegemony", "hestia", "numeral", "ozymandias", "vires"] {
            assert_eq!(feature(name).unwrap().as_deref(), Some(name));
        }
        for name in ["chess", "classics", ""] {
            assert!(feature(name).is_err(), "{name}");
        }
    }

    /// A game that the registry makes optional and the page does not would be missing in a page of one game.
    #[test]
    fn the_games_of_the_registry_are_features_of_boards_and_page() {
        let workspace = Workspace::find().unwrap();
        let registry = workspace.read("crates/registry/Cargo.toml").unwrap();
        let lines = registry.lines().filter(|line| line.contains("path = \"../games/"));
        let optional = lines.filter(|line| line.contains("optional = true"));
        let games: Vec<&str> =
            optional.filter_map(|line| line.split_once(" = ")).map(|(name, _)| name).collect();
        assert!(games.len() >= 6, "{games:?}");
        for manifest in ["crates/boards/Cargo.toml", "crates/web/Cargo.toml"] {
            let text = workspace.read(manifest).unwrap();
            for game in &games {
                let feature = format!("{game} = [");
                assert!(text.lines().any(|line| line.starts_with(&feature)), "{manifest} lacks {game}");
            }
        }
    }
}
