//! Builds a package for the browser and runs it in node, for the tests that compare it with the native one.

use std::path::Path;
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";

/// Why there is no answer.
#[derive(Debug)]
pub enum NoAnswer {
    /// This machine lacks something; what.
    Missing(&'static str),
    /// The build or the run failed; what it said.
    Failed(String),
}

/// Builds the package in `folder` (with the module `name.wasm`) to `target`, and passes it to the script
/// `run.mjs` beside its manifest, after the arguments `words`. Returns what the script prints.
///
/// # Errors
///
/// Fails if this machine cannot build or run wasm, or the build or the script fails.
pub fn run(folder: &str, name: &str, target: &str, words: &[&str]) -> Result<String, NoAnswer> {
    missing().map_or(Ok(()), |what| Err(NoAnswer::Missing(what)))?;
    let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    build
        .args(["build", "--quiet", "--target", TARGET, "--manifest-path"])
        .arg(format!("{folder}/Cargo.toml"));
    build.args(["--target-dir", target]);
    // Settings meant for the tests must not reach the other build.
    for setting in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_PROFILE_DEV_OPT_LEVEL"] {
        build.env_remove(setting);
    }
    answer(&mut build)?;
    let module = format!("{target}/{TARGET}/debug/{name}.wasm");
    answer(Command::new("node").arg(format!("{folder}/run.mjs")).args(words).arg(module))
}

/// Returns what this machine lacks to build and run wasm; `None` if nothing.
fn missing() -> Option<&'static str> {
    if answer(Command::new("node").arg("--version")).is_err() {
        return Some("node");
    }
    let libraries = answer(Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]));
    let installed = libraries.is_ok_and(|path| Path::new(path.trim()).exists());
    if installed { None } else { Some("the target wasm32-unknown-unknown (rustup target add)") }
}

/// Runs a command and returns its output.
///
/// # Errors
///
/// Fails if it cannot be started or does not succeed.
fn answer(command: &mut Command) -> Result<String, NoAnswer> {
    let what = match command.output() {
        Ok(output) if output.status.success() => {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        Ok(output) => String::from_utf8_lossy(&output.stderr).into_owned(),
        Err(error) => error.to_string(),
    };
    Err(NoAnswer::Failed(format!("{command:?}: {what}")))
}
