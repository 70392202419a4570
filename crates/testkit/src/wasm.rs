//! Builds a package for the browser and runs it in node, for the tests that compare it with the native one.

use std::path::Path;
use std::process::Command;

/// The target of rustc for browsers.
const TARGET: &str = "wasm32-unknown-unknown";

/// Why a browser build could not be run.
#[derive(Debug)]
pub enum WasmError {
    /// The machine lacks this tool.
    Missing(&'static str),
    /// The build or the run failed with this output.
    Failed(String),
}

/// Builds the package in `folder` for the browser in debug, with `target` as the target directory and the further
/// arguments `options` of cargo, and runs `run.mjs` beside its manifest in node. The arguments of the script are
/// `words`, then the path of the module `name.wasm`. Returns what the script prints to standard output.
///
/// # Errors
///
/// Fails with [`WasmError::Missing`] if the machine lacks node or the target of rustc, and with
/// [`WasmError::Failed`] if the build or the script fails.
pub fn run(
    folder: &str,
    name: &str,
    target: &str,
    options: &[&str],
    words: &[&str],
) -> Result<String, WasmError> {
    missing().map_or(Ok(()), |what| Err(WasmError::Missing(what)))?;
    let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    build
        .args(["build", "--quiet", "--target", TARGET, "--manifest-path"])
        .arg(format!("{folder}/Cargo.toml"));
    build.args(["--target-dir", target]).args(options);
    // Settings meant for the tests must not reach the other build.
    for setting in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_PROFILE_DEV_OPT_LEVEL"] {
        build.env_remove(setting);
    }
    answer(&mut build)?;
    let module = format!("{target}/{TARGET}/debug/{name}.wasm");
    answer(Command::new("node").arg(format!("{folder}/run.mjs")).args(words).arg(module))
}

/// Returns the first tool to build and run wasm that the machine lacks: "node", or the wasm target with the command
/// that installs it. `None` if it has all. Runs `node` and `rustc` to find out.
fn missing() -> Option<&'static str> {
    if answer(Command::new("node").arg("--version")).is_err() {
        return Some("node");
    }
    let libraries = answer(Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]));
    let installed = libraries.is_ok_and(|path| Path::new(path.trim()).exists());
    if installed { None } else { Some("the target wasm32-unknown-unknown (rustup target add)") }
}

/// Runs a command to its end and returns its standard output; invalid UTF-8 is replaced.
///
/// # Errors
///
/// Fails with [`WasmError::Failed`] and the error output if the command cannot be started or does
/// not succeed.
fn answer(command: &mut Command) -> Result<String, WasmError> {
    let what = match command.output() {
        Ok(output) if output.status.success() => {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        Ok(output) => String::from_utf8_lossy(&output.stderr).into_owned(),
        Err(error) => error.to_string(),
    };
    Err(WasmError::Failed(format!("{command:?}: {what}")))
}
