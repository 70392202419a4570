//! `cargo xtask new`: make a new game from one of the classics, and register it.

mod check;
mod name;
mod template;
mod tutorial;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
};

pub(crate) use check::{check, check_page};
use name::GameName;
pub(crate) use template::classics;

use crate::{
    task_error::{Context, Result, TaskError},
    tools,
    web::CLIENT,
    workspace::Workspace,
};

/// The folder of the games.
const GAMES: &str = "crates/games";
/// The manifest whose dependencies are the list of games.
const LIST: &str = "crates/registry/Cargo.toml";
/// The folders whose `Cargo.lock` names every game: each is a workspace of its own.
const LOCKED: [&str; 2] = [".", CLIENT];

/// Make a new game: a copy of a classic under another name, registered and with tests.
///
/// Writes the folder crates/games/NAME and one line of crates/registry/Cargo.toml. The game can be played at once;
/// comments that begin with `Change:` mark what to change. docs/first-game.md continues from there.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Name of the game in kebab case: `river-trade`
    name: String,

    /// The classic to copy: `tic-tac-toe` and `connect-four` hide nothing, `kuhn` deals one card to each seat, `leduc`
    /// adds a joint card and raises, `liars-dice` has private dice for 2 to 6 seats
    #[arg(long, value_name = "GAME", default_value = "tic-tac-toe")]
    like: String,
}

/// Creates the game of the arguments, and prints the files of its folder and the commands that play and test it. On
/// failure nothing has changed.
///
/// # Errors
///
/// Fails if the name is malformed or taken, there is no such classic, a file cannot be written, or cargo rejects the
/// result.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    let files = create(workspace.root(), &args.name, &args.like)?;
    let name = &args.name;
    println!("Created {GAMES}/{name}, a copy of {}, and its line in {LIST}:", args.like);
    for file in files {
        println!("  {GAMES}/{name}/{}", file.display());
    }
    println!("\nWhat to change is marked with `Change:`. docs/first-game.md explains it.\n");
    println!("  cargo test -p pentarchy-{name}");
    println!("  cargo run -p pentarchy --no-default-features -- play {name}");
    println!("  cargo run -p pentarchy --no-default-features -- lab {name} --games 200");
    println!("  cargo run -p pentarchy --no-default-features -- peers {name}");
    println!("  cargo xtask dev --game {name}");
    Ok(ExitCode::SUCCESS)
}

/// Creates the game `name` as a copy of the classic `like` in the workspace at `root`: its folder, its line in the list
/// of games, and the lock files. Returns the files of the folder, relative to it. On failure everything is put back as
/// it was, as far as that can be written.
///
/// # Errors
///
/// Fails if the name is malformed or taken, there is no such classic, a file cannot be written, or cargo rejects the
/// result.
fn create(root: &Path, name: &str, like: &str) -> Result<Vec<PathBuf>> {
    let name = GameName::parse(name)?;
    name.check_free(root)?;
    let files = template::files(root, &name, like)?;
    let manifest = root.join(LIST);
    let before = fs::read_to_string(&manifest).context(format!("cannot read {LIST}"))?;
    let after = registered(&before, &name)?;
    let locks: Vec<(PathBuf, Vec<u8>)> = LOCKED
        .iter()
        .map(|folder| root.join(folder).join("Cargo.lock"))
        .map(|path| {
            fs::read(&path)
                .map(|text| (path.clone(), text))
                .context(format!("cannot read {}", path.display()))
        })
        .collect::<Result<_>>()?;

    let folder = root.join(GAMES).join(name.kebab());
    let written = write_folder(root, &folder, &files).and_then(|()| {
        replace_file(&manifest, after.as_bytes())?;
        LOCKED.iter().try_for_each(|locked| lock(&root.join(locked)))
    });
    if let Err(trouble) = written {
        // Nothing more can be done if this fails, too: the first error is the one to report.
        fs::remove_dir_all(&folder).ok();
        replace_file(&manifest, before.as_bytes()).ok();
        for (path, text) in locks {
            replace_file(&path, &text).ok();
        }
        return Err(trouble);
    }
    Ok(files.into_iter().map(|(path, _)| path).collect())
}

/// Returns the manifest of the registry with a line for the game before that of the classics. Whether the game is
/// registered already is not checked.
///
/// # Errors
///
/// Fails if the manifest has no line of the classics.
fn registered(manifest: &str, name: &GameName) -> Result<String> {
    let kebab = name.kebab();
    let line = format!("{kebab} = {{ package = \"pentarchy-{kebab}\", path = \"../games/{kebab}\" }}\n");
    let at = manifest.find("\nclassics = {").ok_or_else(|| {
        TaskError::new(format!("{LIST} has no line `classics = {{ … }}`, before which a game is registered"))
    })?;
    Ok(format!("{}{line}{}", &manifest[..=at], &manifest[at + 1..]))
}

/// Writes the files (paths relative to it, and texts) into a new folder, which appears at once and complete: they are
/// written elsewhere first, and formatted there. The folder must not exist. A draft of an earlier run is deleted.
///
/// # Errors
///
/// Fails if a file cannot be written, the source cannot be formatted, or the folder exists and is not empty.
fn write_folder(root: &Path, folder: &Path, files: &[(PathBuf, String)]) -> Result<()> {
    let draft = root.join("target/new/draft");
    if draft.exists() {
        fs::remove_dir_all(&draft).context(format!("cannot remove {}", draft.display()))?;
    }
    for (path, text) in files {
        let path = draft.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).context(format!("cannot create {}", parent.display()))?;
        }
        fs::write(&path, text).context(format!("cannot write {}", path.display()))?;
    }
    let sources = files.iter().filter(|(path, _)| path.extension().is_some_and(|ending| ending == "rs"));
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--edition", "2024", "--config-path"]).arg(root.join("rustfmt.toml"));
    rustfmt.args(sources.map(|(path, _)| draft.join(path)));
    tools::must(&mut rustfmt)?;
    fs::rename(&draft, folder).context(format!("cannot create {}", folder.display()))
}

/// Replaces a file in one step: a reader sees its old or its new content. It writes a draft beside the file, with the
/// extension `new` instead of the file's, and renames it.
///
/// # Errors
///
/// Fails if it cannot be written.
fn replace_file(path: &Path, content: &[u8]) -> Result<()> {
    let draft = path.with_extension("new");
    fs::write(&draft, content)
        .and_then(|()| fs::rename(&draft, path))
        .context(format!("cannot write {}", path.display()))
}

/// Adds what is new to the `Cargo.lock` of the workspace in this folder; other entries stay. Uses the network only if
/// cargo cannot do it without, as in a clone that has never built the page: it then lacks packages of the page.
///
/// # Errors
///
/// Fails if cargo cannot be started or rejects a manifest, or a package is neither on this machine nor can be
/// downloaded.
fn lock(folder: &Path) -> Result<()> {
    let update = |network: &[&str]| {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(folder).args(["update", "--quiet", "--workspace"]).args(network);
        cargo.stdin(Stdio::null()).output().context("cannot start cargo")
    };
    if update(&["--offline"])?.status.success() {
        return Ok(());
    }
    let output = update(&[])?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(TaskError::new(format!("cargo rejects the new game: {}", said.trim())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_one_line_before_the_classics() {
        let manifest = Workspace::find().unwrap().read(LIST).unwrap();
        let after = registered(&manifest, &GameName::parse("river-trade").unwrap()).unwrap();
        let added: Vec<&str> =
            after.lines().filter(|line| !manifest.lines().any(|old| old == *line)).collect();
        assert_eq!(
            added,
            ["river-trade = { package = \"pentarchy-river-trade\", path = \"../games/river-trade\" }"]
        );
        assert_eq!(after.lines().count(), manifest.lines().count() + 1);
        let follows = after.lines().skip_while(|line| *line != added[0]).nth(1);
        assert!(follows.is_some_and(|line| line.starts_with("classics")));
        assert!(registered("[dependencies]\n", &GameName::parse("river-trade").unwrap()).is_err());
    }

    /// The names are rejected in a folder with the manifests alone, so that a mistake cannot change the repository.
    #[test]
    fn a_rejected_name_changes_nothing() {
        let (from, root) = (
            Workspace::find().unwrap(),
            std::env::temp_dir().join(format!("new-game-{}", std::process::id())),
        );
        for file in [LIST, "crates/games/classics/Cargo.toml"] {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), from.read(file).unwrap()).unwrap();
        }
        for (name, like, why) in [
            ("Bad Name", "kuhn", "`Bad Name` cannot be the name"),
            ("kuhn", "kuhn", "the name `kuhn` is taken"),
            ("river-trade", "chess", "there is no classic `chess`"),
        ] {
            let trouble = create(&root, name, like).unwrap_err().to_string();
            assert!(trouble.starts_with(why) && !trouble.contains('\n'), "{trouble}");
            assert_eq!(fs::read_dir(root.join(GAMES)).unwrap().count(), 1);
            assert_eq!(fs::read_to_string(root.join(LIST)).unwrap(), from.read(LIST).unwrap());
        }
        fs::remove_dir_all(root).unwrap();
    }
}
