//! The step `new` of `cargo xtask test`: a new game works before its author writes a line.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::Value;

use super::{GAMES, LIST, create, template, tutorial};
use crate::{
    e2e,
    task_error::{Context, Result, TaskError},
    tools, web,
    workspace::{PROGRAM, Workspace},
};

/// The test program of a new game.
const TESTS: &str = "game";
/// Packages that are selected for their choice of features alone: with them the dependencies of the program have the
/// features that they have in a build of all tests, and are not compiled again. `cargo tree --format '{p} {f}'` shows
/// the features of a selection.
const SAME_FEATURES: [&str; 4] =
    ["pentarchy-batch", "pentarchy-fair", "pentarchy-server", "pentarchy-storage"];
/// The package whose tests play every game in the form of the page.
const BOARDS: &str = "pentarchy-boards";
/// The package with the list of games, and its test program, which plays every game natively and as WebAssembly.
const REGISTRY: (&str, &str) = ("pentarchy-registry", "registry");
/// The test in it.
const AS_WASM: &str = "wasm::native_and_wasm_play_the_same_games";

/// Creates a copy of each classic, and the game of the tutorial with its edits, in a copy of the workspace. Checks that
/// each changes one line outside its folder and adds no file there, then compiles the games, runs their tests and those
/// of the boards for them, and plays them at a terminal, in the lab, between peers, and as WebAssembly in node. The
/// copy stays in the target folder, so that the next run compiles only what has changed. Prints a line per check. On a
/// failure the copy stays as it is.
///
/// # Errors
///
/// Fails if the files of the workspace cannot be listed or copied, more than one line changes, a file is added outside
/// the folder of a game, or a game does not work.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let Scaffold { copy, target, games } = scaffold(workspace)?;
    let cargo = |args: &[&str]| cargo_in(workspace, &copy, &target, args);
    // The program and the tests of the games by one command, so that they share what they depend on.
    let mut build = cargo(&["build", "--quiet", "--no-default-features"]);
    build.args(["--bin", PROGRAM.0, "--test", TESTS, "--package", PROGRAM.0, "--package", BOARDS]);
    build.args(["--test", REGISTRY.1, "--package", REGISTRY.0]);
    let games_too = games.iter().map(|(name, _)| format!("pentarchy-{name}"));
    for package in SAME_FEATURES.into_iter().map(str::to_owned).chain(games_too) {
        build.args(["--package", &package]);
    }
    let programs = executables(build.args(["--message-format", "json-render-diagnostics"]))?;
    for (name, program) in programs.iter().filter(|(name, _)| name == TESTS) {
        let mut tests = Command::new(program);
        tools::must(tests.current_dir(&copy).arg("--quiet"))
            .context(format!("{name} of {}", program.display()))?;
    }
    let (_, as_wasm) = found(&programs, REGISTRY.1)?;
    tools::must(Command::new(as_wasm).current_dir(&copy).args(["--exact", AS_WASM, "--nocapture"]))?;
    // With the program's package, and so with its choice of features, which are compiled already.
    let mut boards = cargo(&["test", "--quiet", "--no-default-features", "--lib"]);
    boards.args(["--package", PROGRAM.0, "--package", BOARDS, "--", "--skip", "a_hundred_games", "minutes"]);
    tools::must(boards.args(games.iter().map(|(name, _)| name.replace('-', "_"))))?;

    let (_, program) = found(&programs, PROGRAM.0)?;
    for (name, _) in &games {
        let report = target.join("new/report.html");
        let report = report.to_string_lossy();
        for words in [
            vec!["play", name, "--seats", "random,random", "--seed", "1"],
            vec!["lab", name, "--games", "20", "--rivals", "none", "--out", &report],
            vec!["peers", name, "--seeds", "0..2", "--faults"],
        ] {
            heard(Command::new(program).current_dir(&copy).args(&words))?;
            println!("pentarchy {}: ok", words.join(" "));
        }
    }
    Ok(())
}

/// Builds the page with the new games alone, in a copy of the workspace, and tests them in a browser: those tests whose
/// names contain `only`, or for `None` all of the game of the tutorial.
///
/// # Errors
///
/// Fails if a new game changes too much ([`check`]), a build or a test fails, or a tool is missing.
pub(crate) fn check_page(workspace: &Workspace, only: Option<&str>) -> Result<()> {
    let Scaffold { copy, target, .. } = scaffold(workspace)?;
    let dist = target.join("new/page");
    web::build_copy(workspace, &copy, &target, &dist)?;
    let mut build = cargo_in(workspace, &copy, &target, &["build", "--quiet", "--no-default-features"]);
    build.args(["--package", PROGRAM.0, "--message-format", "json-render-diagnostics"]);
    let programs = executables(&mut build)?;
    let (_, program) = found(&programs, PROGRAM.0)?;
    let tutorial = format!("{}: ", tutorial::GAME.0);
    tools::must(&mut e2e::tests_of(workspace, program, &dist, only.unwrap_or(&tutorial))?)
}

/// A copy of the workspace with new games.
struct Scaffold {
    /// Its folder.
    copy: PathBuf,
    /// The target folder of the original, in which the copy is compiled, too.
    target: PathBuf,
    /// The new games, each with the classic that it copies.
    games: Vec<(String, String)>,
}

/// Creates a copy of each classic, and the game of the tutorial with its edits, in a copy of the workspace, and checks
/// that each changes one line outside its folder and adds no file there.
///
/// # Errors
///
/// Fails if the files of the workspace cannot be listed or copied, or a game changes more.
fn scaffold(workspace: &Workspace) -> Result<Scaffold> {
    let target = workspace.metadata()?.target_directory;
    let copy = target.join("new/workspace");
    let files = tracked(workspace.root())?;
    synchronize(workspace.root(), &copy, &files)?;
    let mut games: Vec<(String, String)> =
        template::classics(&copy)?.into_iter().map(|like| (format!("new-{like}"), like)).collect();
    games.push((tutorial::GAME.0.to_owned(), tutorial::GAME.1.to_owned()));
    for (name, like) in &games {
        create(&copy, name, like)?;
    }
    let edits = tutorial::edits(&workspace.read(tutorial::PAGE)?)?;
    tutorial::apply(&edits, &copy.join(GAMES).join(tutorial::GAME.0))?;
    let changed = changed_lines(workspace.root(), &copy, &files)?;
    if changed.len() != games.len() || changed.iter().any(|line| !line.starts_with(LIST)) {
        return Err(TaskError::new(format!("{} new games change these lines: {changed:#?}", games.len())));
    }
    let added = added_files(&copy, &files, games.iter().map(|(name, _)| name.as_str()))?;
    if !added.is_empty() {
        return Err(TaskError::new(format!("new games add these files outside their folders: {added:#?}")));
    }
    println!("{} new games: each changes one line outside its folder, in {LIST}", games.len());
    set_apart(&copy)?;
    Ok(Scaffold { copy, target, games })
}

/// Returns a cargo command with these arguments that runs in the folder `copy` and compiles into `target`. It is not
/// run.
fn cargo_in(workspace: &Workspace, copy: &Path, target: &Path, args: &[&str]) -> Command {
    let mut cargo = tools::cargo(workspace);
    cargo.current_dir(copy).env("CARGO_TARGET_DIR", target).args(args);
    cargo
}

/// Runs a cargo command to its end, which must have an option for messages as JSON. Returns name and path of every
/// executable that it built or that was up to date.
///
/// # Errors
///
/// Fails if it cannot be started or fails.
fn executables(build: &mut Command) -> Result<Vec<(String, PathBuf)>> {
    let output = build.stderr(Stdio::inherit()).output().context("cannot start cargo")?;
    if !output.status.success() {
        return Err(TaskError::new(format!("`{}` failed ({})", tools::typed(build), output.status)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let built = messages.filter_map(|message| {
        let path = message["executable"].as_str()?;
        Some((message["target"]["name"].as_str()?.to_owned(), PathBuf::from(path)))
    });
    Ok(built.collect())
}

/// Returns the first of the executables (name and path) with exactly this name.
///
/// # Errors
///
/// Fails if there is none.
fn found<'a>(programs: &'a [(String, PathBuf)], name: &str) -> Result<&'a (String, PathBuf)> {
    let program = programs.iter().find(|(known, _)| known == name);
    program.ok_or_else(|| TaskError::new(format!("cargo has built no program {name}")))
}

/// Gives the registry of the copy a version of its own. Cargo names the artifacts of a workspace by package and
/// version, not by folder: the crates that both workspaces share are compiled once, and the lists of games must not be
/// mixed up. Does nothing if the registry does not take its version from the workspace.
///
/// # Errors
///
/// Fails if the manifest cannot be changed.
fn set_apart(copy: &Path) -> Result<()> {
    let manifest = copy.join(LIST);
    let text = fs::read_to_string(&manifest).context(format!("cannot read {}", manifest.display()))?;
    let text = text.replacen("version.workspace = true", "version = \"0.0.0-new\"", 1);
    fs::write(&manifest, text).context(format!("cannot write {}", manifest.display()))
}

/// Runs a command to its end. Its standard output and standard error are printed only if it fails.
///
/// # Errors
///
/// Fails if it cannot be started or its exit code is not 0.
fn heard(command: &mut Command) -> Result<()> {
    let output = command.output().context(format!("cannot start `{}`", tools::typed(command)))?;
    if output.status.success() {
        return Ok(());
    }
    println!("{}", String::from_utf8_lossy(&output.stdout));
    eprintln!("{}", String::from_utf8_lossy(&output.stderr));
    Err(TaskError::new(format!("`{}` failed ({})", tools::typed(command), output.status)))
}

/// Returns the files of the repository in the folder `root`, relative to it and sorted: those that git tracks or would
/// add, and that exist.
///
/// # Errors
///
/// Fails if git cannot be started or cannot list them.
fn tracked(root: &Path) -> Result<BTreeSet<PathBuf>> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let output = git.output().context("cannot start git")?;
    if !output.status.success() {
        return Err(TaskError::new("git cannot list the files of the repository"));
    }
    let names = String::from_utf8_lossy(&output.stdout);
    let files = names.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from);
    // A deleted file is tracked until the deletion is committed.
    Ok(files.filter(|file| root.join(file).is_file()).collect())
}

/// Makes the folder `to` a copy of these files (relative paths) in `from`; a file that is written gets the time of its
/// original. A file that is equal already is not written, so that cargo does not compile it again; other files are
/// deleted, and folders of games without a manifest, too.
///
/// # Errors
///
/// Fails if a file cannot be read, written or deleted.
fn synchronize(from: &Path, to: &Path, files: &BTreeSet<PathBuf>) -> Result<()> {
    fs::create_dir_all(to).context(format!("cannot create {}", to.display()))?;
    let mut present = Vec::new();
    list(to, &mut present)?;
    for path in present {
        let kept = path.strip_prefix(to).is_ok_and(|relative| files.contains(relative));
        if !kept {
            fs::remove_file(&path).context(format!("cannot delete {}", path.display()))?;
        }
    }
    for file in files {
        let (source, copy) = (from.join(file), to.join(file));
        let content = fs::read(&source).context(format!("cannot read {}", source.display()))?;
        if fs::read(&copy).is_ok_and(|old| old == content) {
            continue;
        }
        if let Some(folder) = copy.parent() {
            fs::create_dir_all(folder).context(format!("cannot create {}", folder.display()))?;
        }
        fs::write(&copy, content).context(format!("cannot write {}", copy.display()))?;
        // With the time of the original, what is compiled from that counts as compiled from the copy.
        let time = fs::metadata(&source).and_then(|about| about.modified());
        time.and_then(|time| fs::File::options().append(true).open(&copy)?.set_modified(time))
            .context(format!("cannot set the time of {}", copy.display()))?;
    }
    // The folders of earlier games would still match the pattern of the workspace's members.
    let games = to.join(GAMES);
    for entry in fs::read_dir(&games).context(format!("cannot read {}", games.display()))? {
        let folder = entry.context("cannot read the folder of the games")?.path();
        if folder.is_dir() && !folder.join("Cargo.toml").exists() {
            fs::remove_dir_all(&folder).context(format!("cannot delete {}", folder.display()))?;
        }
    }
    Ok(())
}

/// Appends the paths of all files below a folder, with the folder in front, to `out`, in the order of the system.
/// Symbolic links to folders are followed.
///
/// # Errors
///
/// Fails if a folder cannot be read; `out` then has a part of the files.
fn list(folder: &Path, out: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).context(format!("cannot read {}", folder.display()))? {
        let path = entry.context(format!("cannot read {}", folder.display()))?.path();
        if path.is_dir() { list(&path, out)? } else { out.push(path) }
    }
    Ok(())
}

/// Returns the files below `copy`, relative to it and sorted, that are neither in `files` nor in the folder of one of
/// these games nor in cargo's.
///
/// # Errors
///
/// Fails if a folder cannot be read.
fn added_files<'a>(
    copy: &Path,
    files: &BTreeSet<PathBuf>,
    games: impl Iterator<Item = &'a str>,
) -> Result<BTreeSet<PathBuf>> {
    let mut own: Vec<PathBuf> = games.map(|name| Path::new(GAMES).join(name)).collect();
    own.push("target".into());
    let mut present = Vec::new();
    list(copy, &mut present)?;
    let relative = present.iter().filter_map(|path| path.strip_prefix(copy).ok());
    let is_added =
        |path: &&Path| !files.contains(*path) && !own.iter().any(|folder| path.starts_with(folder));
    Ok(relative.filter(is_added).map(Path::to_path_buf).collect())
}

/// Returns the lines of these files, apart from lock files, that are in `new` and not in `old` or the reverse, each as
/// `FILE: LINE`. Order and repetitions of lines do not count; files that are only in `new` are not looked at
/// ([`added_files`]).
///
/// # Errors
///
/// Fails if a file cannot be read, also if it is missing in one of the two.
fn changed_lines(old: &Path, new: &Path, files: &BTreeSet<PathBuf>) -> Result<Vec<String>> {
    let mut changed = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_none_or(|ending| ending != "lock")) {
        let read = |root: &Path| fs::read(root.join(file)).context(format!("cannot read {}", file.display()));
        let (before, after) = (read(old)?, read(new)?);
        if before == after {
            continue;
        }
        let (before, after) = (String::from_utf8_lossy(&before), String::from_utf8_lossy(&after));
        let (before, after): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
        let gone = before.iter().filter(|line| !after.contains(line));
        let added = after.iter().filter(|line| !before.contains(line));
        changed.extend(gone.chain(added).map(|line| format!("{}: {line}", file.display())));
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_outside_the_folders_of_the_games_count() {
        let copy = std::env::temp_dir().join(format!("new-files-{}", std::process::id()));
        for file in [
            "kept.md",
            "crates/games/swap-poker/rules.md",
            "crates/games/other/rules.md",
            "docs/swap-poker.md",
            "target/a",
        ] {
            fs::create_dir_all(copy.join(file).parent().unwrap()).unwrap();
            fs::write(copy.join(file), "").unwrap();
        }
        let files = BTreeSet::from(["kept.md".into()]);
        let added = added_files(&copy, &files, ["swap-poker"].into_iter()).unwrap();
        assert_eq!(
            added,
            BTreeSet::from(["crates/games/other/rules.md".into(), "docs/swap-poker.md".into()])
        );
        fs::remove_dir_all(copy).unwrap();
    }
}
