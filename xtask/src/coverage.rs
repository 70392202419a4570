//! `cargo xtask coverage`: measure the test coverage of the code that handles bytes from the network.

use std::{
    collections::BTreeMap,
    fmt::Write,
    fs,
    path::Path,
    process::{Command, ExitCode},
};

use serde::Deserialize;

use crate::{
    task_error::{Context, Result, TaskError},
    tools,
    workspace::Workspace,
};

/// The crates that handle bytes from the network. Each is measured by its own tests and by those of the others.
const CRATES: &[&str] = &["keys", "fair", "table", "net", "lobby", "server"];

/// The page that is written.
const PAGE: &str = "docs/coverage.md";

/// Error paths that no message can reach.
const RULED_OUT: &str = "an error that the checks before it rule out";
/// Functions that only return a field.
const ACCESSOR: &str = "an accessor without branches";
const UNUSED: &str = "public API of the crate that no table uses";
const FILES: &str = "reads a file of this device: tested by `crates/cli/tests`";
const PLAYER: &str =
    "an action of the player at this device: tested by `crates/cli/tests` and `cargo xtask e2e`";
const PROGRAM: &str = "called by the program: tested by `crates/cli/tests`";
const PAGE_ONLY: &str = "called by the page: tested by `cargo xtask e2e`";
const SIMULATION: &str = "for `crates/simulation`, whose tests run it";

/// Why functions are not run by these tests: the first entry whose path is a prefix of the file's, and whose word is
/// empty or one of the words in the name of the function.
const REASONS: &[(&str, &str, &str)] = &[
    ("crates/fair/src/selftest.rs", "", "run in the browser build, by `crates/fair/tests/fair/wasm.rs`"),
    ("crates/fair/src/audit.rs", "back", UNUSED),
    ("crates/fair/src/seats.rs", "first", UNUSED),
    ("crates/fair/src/shuffle/verify.rs", "", RULED_OUT),
    ("crates/fair/src/token.rs", "locks", ACCESSOR),
    (
        "crates/fair/src/token.rs",
        "rejoined",
        "run by `Cards::backed`, but inlined there, where it is not counted",
    ),
    ("crates/fair/src/token.rs", "", UNUSED),
    ("crates/fair/src", "own_lock", ACCESSOR),
    ("crates/fair/src", "seat", ACCESSOR),
    ("crates/keys/src/entropy.rs", "draw", PROGRAM),
    ("crates/lobby/src/lib.rs", "sessions_mut", SIMULATION),
    ("crates/lobby/src/lib.rs", "", PLAYER),
    ("crates/lobby/src/restore.rs", "", FILES),
    ("crates/lobby/src/terms.rs", "takeover_refusal", PROGRAM),
    ("crates/net/src/browser", "", PAGE_ONLY),
    ("crates/net/src/mesh", "footprint", SIMULATION),
    ("crates/net/src/mesh", "waiting_bytes", SIMULATION),
    ("crates/net/src/mesh", "set_busy", PAGE_ONLY),
    ("crates/net/src/native", "", "TLS, HTTP and errors of the terminal: tested by `crates/cli/tests`"),
    ("crates/net/src/noise.rs", "", "required by a trait of `snow`, which does not call it"),
    ("crates/net/src/secure.rs", "handshake_messages_cannot_be_modified_or_replayed", "part of a test"),
    ("crates/net/src/stun.rs", "as_str", ACCESSOR),
    ("crates/server/src/background.rs", "", PROGRAM),
    ("crates/server/src/page", "", PROGRAM),
    ("crates/server/src/relay", "waiting_bytes", SIMULATION),
    ("crates/server/src/relay", "has_overflowed", SIMULATION),
    ("crates/server/src/relay/rooms.rs", "", SIMULATION),
    ("crates/server/src/relay/socket.rs", "close_reason", "an error of axum without a source: none is known"),
    ("crates/server/src/server.rs", "listen", "an error of the operating system"),
    ("crates/table/src/sim", "", "the simulator: behind the feature `cheat`"),
    ("crates/table/src/session/cheat/scheme.rs", "", "cheats of the simulator: behind the feature `cheat`"),
    ("crates/table/src/session/cheat/forgery.rs", "", "for tests, behind the feature `cheat`"),
    ("crates/table/src/session/cheat/resign.rs", "", "for fuzz targets, behind the feature `cheat`"),
    ("crates/table/src/session/cheat/history.rs", "", "for `crates/simulation`, whose tests run it"),
    ("crates/table/src", "lying", "cheats of the simulator: behind the feature `cheat`"),
    ("crates/table/src", "forge", "cheats of the simulator: behind the feature `cheat`"),
    ("crates/table/src/descriptor.rs", "new", "an error of the host's own input"),
    ("crates/table/src/descriptor.rs", "start", RULED_OUT),
    ("crates/table/src/evidence.rs", "", FILES),
    ("crates/table/src/plan.rs", "no_way", RULED_OUT),
    ("crates/table/src/plan.rs", "lifts", RULED_OUT),
    ("crates/table/src/plan.rs", "reveal_to_all", RULED_OUT),
    ("crates/table/src/plan.rs", "reveal_to", RULED_OUT),
    ("crates/table/src/plan.rs", "reveal_to_bot", RULED_OUT),
    ("crates/table/src/plan.rs", "reveal_backs", RULED_OUT),
    ("crates/table/src/plan.rs", "plan", "a seat rearranges tokens that it does not hold: no game does this"),
    (
        "crates/table/src/proofs.rs",
        "pair",
        "a claim about two tokens: no game makes one; `crates/fair/tests` has its proof",
    ),
    ("crates/table/src/record.rs", "is_record", FILES),
    ("crates/table/src/record.rs", "", RULED_OUT),
    ("crates/table/src/rehearsal.rs", "", PAGE_ONLY),
    ("crates/table/src/session", "heard_at", PAGE_ONLY),
    ("crates/table/src/session", "silence_ms", PAGE_ONLY),
    ("crates/table/src/session", "taken_over_position", PAGE_ONLY),
    ("crates/table/src/session/io.rs", "", ACCESSOR),
    ("crates/table/src/session", "rewind", RULED_OUT),
    ("crates/table/src/session", "replay_step", RULED_OUT),
    ("crates/table/src/session", "make_act_with", RULED_OUT),
    ("crates/table/src/session", "check", RULED_OUT),
    ("crates/table/src/session", "build", RULED_OUT),
    ("crates/table/src/session", "take_keys", RULED_OUT),
    ("crates/table/src/session", "sealed_for", RULED_OUT),
    ("crates/table/src/session", "apply_event", RULED_OUT),
    ("crates/table/src/session/takeover.rs", "", RULED_OUT),
    ("crates", "fmt", "text for people: a `Display` or `Debug` implementation"),
    ("crates", "expecting", "text for people: what a decoder expected"),
    ("crates", "drop", "wipes secrets; has no branches"),
];

/// Measure the coverage of keys, fair, table, net, lobby and server by their tests, and write docs/coverage.md.
///
/// Needs cargo-llvm-cov and the component llvm-tools. What a test of the browser or of the terminal runs does not
/// count.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The crates to measure [default: keys, fair, table, net, lobby, server]
    #[arg(value_name = "CRATE")]
    crates: Vec<String>,

    /// Do not run the tests: use this export of `cargo llvm-cov --json`
    #[arg(long, value_name = "FILE")]
    from: Option<std::path::PathBuf>,
}

/// The part of an export that the page shows.
#[derive(Deserialize)]
struct Export {
    data: Vec<Data>,
}

/// The figures of a run: its files and functions.
#[derive(Deserialize)]
struct Data {
    files: Vec<File>,
    functions: Vec<Function>,
}

/// A source file with its figures.
#[derive(Deserialize)]
struct File {
    /// The absolute path.
    filename: String,
    summary: Summary,
}

/// The counts of a file.
#[derive(Deserialize)]
struct Summary {
    lines: Count,
    regions: Count,
}

/// Number of all items, and of those that were run.
#[derive(Clone, Copy, Default, Deserialize)]
struct Count {
    count: u64,
    covered: u64,
}

/// An instance of a function or closure.
#[derive(Deserialize)]
struct Function {
    /// The mangled name.
    name: String,
    /// How often it was run.
    count: u64,
    /// The files with its code; the first has its beginning.
    filenames: Vec<String>,
    /// First line, first column, and more.
    regions: Vec<Vec<u64>>,
}

impl Count {
    /// Adds another count, covered and total, to this one.
    fn add(&mut self, other: Count) {
        self.count += other.count;
        self.covered += other.covered;
    }

    /// Formats the covered share as a percentage with one decimal (`87.5 %`); `–` if there is
    /// nothing to cover.
    fn percent(self) -> String {
        match self.count {
            0 => "–".to_owned(),
            count => format!("{:.1} %", 100.0 * self.covered as f64 / count as f64),
        }
    }
}

/// Runs the tests of the crates of the arguments (by default all of [`CRATES`]) with counters, or reads the export of
/// `--from`, and writes docs/coverage.md. The page names the current commit, also for an older export; without git it
/// names none.
///
/// # Errors
///
/// Fails if a crate is not one that is measured, cargo-llvm-cov is missing, a test fails, the export cannot be read, or
/// the page cannot be written.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    let crates: Vec<&str> = match args.crates.as_slice() {
        [] => CRATES.to_vec(),
        chosen => chosen.iter().map(String::as_str).collect(),
    };
    if let Some(other) = crates.iter().find(|name| !CRATES.contains(name)) {
        return Err(TaskError::new(format!(
            "`{other}` is not measured; the crates are {}",
            CRATES.join(", ")
        )));
    }
    let path = match &args.from {
        Some(path) => path.clone(),
        None => measure(workspace, &crates)?,
    };
    let text = fs::read_to_string(&path).context(format!("cannot read {}", path.display()))?;
    let export: Export = serde_json::from_str(&text).context("cannot read the export of llvm-cov")?;
    let commit =
        Command::new("git").current_dir(workspace.root()).args(["rev-parse", "--short=10", "HEAD"]).output();
    let commit = commit.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let page = page(workspace.root(), &crates, &export, &commit.unwrap_or_default())?;
    fs::write(workspace.root().join(PAGE), page).context(format!("cannot write {PAGE}"))?;
    println!("{PAGE} is written");
    Ok(ExitCode::SUCCESS)
}

/// Runs the tests of the crates (names without `pentarchy-`) with coverage counters, and returns the path of the export
/// in JSON, `coverage.json` in the target folder. Skips tests that build for WebAssembly.
///
/// # Errors
///
/// Fails if cargo-llvm-cov or the target folder cannot be found, or a test fails.
fn measure(workspace: &Workspace, crates: &[&str]) -> Result<std::path::PathBuf> {
    if !tools::has_cargo(workspace, "llvm-cov") {
        return Err(TaskError::new(
            "this needs cargo-llvm-cov and the tools of LLVM: cargo install cargo-llvm-cov --locked && \
             rustup component add llvm-tools",
        ));
    }
    let path = workspace.metadata()?.target_directory.join("coverage.json");
    let mut cargo = tools::cargo(workspace);
    cargo.args(["llvm-cov", "test", "--tests", "--json", "--output-path"]).arg(&path);
    for name in crates {
        cargo.args(["--package", &format!("pentarchy-{name}")]);
    }
    // It builds for WebAssembly, for which Rust has no profiler runtime.
    cargo.args(["--", "--skip", "native_and_wasm_agree"]);
    tools::must(&mut cargo)?;
    Ok(path)
}

/// Returns the page as Markdown: a table of the crates, one of the files of each, and the functions that no test runs
/// with their reasons. `root` is the folder of the workspace, `crates` are names without `pentarchy-`, `commit` is
/// named on the page. Writes nothing. Functions are sorted by file and line; one without a reason is marked as such. A
/// generic function counts as run if one of its instances is.
///
/// # Errors
///
/// Fails only if text cannot be formatted.
fn page(root: &Path, crates: &[&str], export: &Export, commit: &str) -> Result<String> {
    let mut files: BTreeMap<String, (Count, Count)> = BTreeMap::new();
    let mut unrun: BTreeMap<(String, u64), (String, bool)> = BTreeMap::new();
    for data in &export.data {
        for file in &data.files {
            if let Some(name) = measured(root, crates, &file.filename) {
                let (lines, regions) = files.entry(name).or_default();
                lines.add(file.summary.lines);
                regions.add(file.summary.regions);
            }
        }
        for function in &data.functions {
            let Some(name) = function.filenames.first().and_then(|name| measured(root, crates, name)) else {
                continue;
            };
            let line = function.regions.first().and_then(|region| region.first()).copied().unwrap_or(0);
            // A generic function is listed once per instance: one run counts for all.
            let entry = unrun.entry((name, line)).or_insert_with(|| (readable(&function.name), true));
            entry.1 &= function.count == 0;
        }
    }
    unrun.retain(|_, (_, is_unrun)| *is_unrun);

    let mut page = format!(
        "# Coverage\n\nGenerated by `cargo xtask coverage` at commit {commit}; do not edit. It says which lines and regions of the crates that\n\
         handle bytes from strangers are run by the tests of these crates. Test code counts where it is in the same file. Tests of\n\
         the terminal and of the page run more; they are not measured here.\n\n\
         | crate | lines | covered | regions | covered |\n| --- | ---: | ---: | ---: | ---: |\n"
    );
    let row = |page: &mut String, name: &str, (lines, regions): &(Count, Count)| {
        writeln!(
            page,
            "| {name} | {} | {} | {} | {} |",
            lines.count,
            lines.percent(),
            regions.count,
            regions.percent()
        )
        .context("cannot write the page")
    };
    for name in crates {
        let mut sum = (Count::default(), Count::default());
        for (_, (lines, regions)) in files.iter().filter(|(file, _)| is_of(file, name)) {
            sum.0.add(*lines);
            sum.1.add(*regions);
        }
        row(&mut page, name, &sum)?;
    }
    for name in crates {
        write!(page, "\n## {name}\n\n| file | lines | covered | regions | covered |\n| --- | ---: | ---: | ---: | ---: |\n")
            .context("cannot write the page")?;
        for (file, counts) in files.iter().filter(|(file, _)| is_of(file, name)) {
            row(&mut page, file, counts)?;
        }
    }
    page.push_str(
        "\n## Functions that no test runs\n\nClosures count as functions; their line is given. The reasons are in `xtask/src/coverage.rs`. A function \
         without one\nneeds a test.\n\n| function | reason |\n| --- | --- |\n",
    );
    for ((file, line), (name, _)) in &unrun {
        let why = REASONS.iter().find(|(path, word, _)| file.starts_with(path) && has_word(name, word));
        let why = why.map_or("**none: needs a test**", |(_, _, why)| why);
        writeln!(page, "| `{name}`, {file}:{line} | {why} |").context("cannot write the page")?;
    }
    Ok(page)
}

/// Returns whether `word` is one of the identifiers in `name`, the path of a function; `true` for an empty word. Case
/// counts.
fn has_word(name: &str, word: &str) -> bool {
    word.is_empty() || name.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part == word)
}

/// Returns whether a file, relative to the workspace, is in the folder `crates/NAME/`.
fn is_of(file: &str, name: &str) -> bool {
    file.starts_with(&format!("crates/{name}/"))
}

/// Returns the path, relative to the workspace `root` and with `/`, of a source file in the folder `src` of one of the
/// crates (names without `pentarchy-`), given by its absolute path; `None` for other files and for test code (`tests/`,
/// `tests.rs`, `testbed.rs`, `oracle.rs`).
fn measured(root: &Path, crates: &[&str], file: &str) -> Option<String> {
    let path = Path::new(file).strip_prefix(root).ok()?.to_str()?.replace('\\', "/");
    let is_source = crates.iter().any(|name| path.starts_with(&format!("crates/{name}/src/")));
    let is_test = path.contains("/tests/")
        || ["/tests.rs", "/testbed.rs", "/oracle.rs"].iter().any(|end| path.ends_with(end));
    (is_source && !is_test).then_some(path)
}

/// Returns the last two parts of the demangled path of a function, without the mark of a function's first closure
/// and with `/` for `|`; enough to find the function with its file and line.
fn readable(mangled: &str) -> String {
    let path = format!("{:#}", rustc_demangle::demangle(mangled));
    let path = path.replace("::{closure#0}", "").replace('|', "/");
    let mut names: Vec<&str> = path.rsplit("::").take(2).collect();
    names.reverse();
    names.join("::")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mangled_names_become_readable() {
        assert_eq!(
            readable("_ZN14pentarchy_fair4view11verify_view17h0123456789abcdefE"),
            "view::verify_view"
        );
    }

    #[test]
    fn the_page_lists_files_and_functions_without_a_test() {
        let json = r#"{"data":[{"files":[{"filename":"/w/crates/net/src/wire.rs","summary":
            {"lines":{"count":10,"covered":5},"regions":{"count":4,"covered":4}}},
            {"filename":"/w/crates/cli/src/main.rs","summary":
            {"lines":{"count":10,"covered":5},"regions":{"count":4,"covered":4}}}],
            "functions":[{"name":"_ZN4wire4readE","count":0,"filenames":["/w/crates/net/src/wire.rs"],"regions":[[7,1]]},
            {"name":"_ZN4wire5writeE","count":0,"filenames":["/w/crates/net/src/wire.rs"],"regions":[[9,1]]},
            {"name":"_ZN4wire5writeE","count":3,"filenames":["/w/crates/net/src/wire.rs"],"regions":[[9,1]]}]}]}"#;
        let page = page(Path::new("/w"), &["net"], &serde_json::from_str(json).unwrap(), "abc").unwrap();
        assert!(page.contains("| crates/net/src/wire.rs | 10 | 50.0 % | 4 | 100.0 % |"), "{page}");
        assert!(
            page.contains("| `wire::read`, crates/net/src/wire.rs:7 | **none: needs a test** |"),
            "{page}"
        );
        assert!(!page.contains("wire::write") && !page.contains("crates/cli"), "{page}");
    }
}
