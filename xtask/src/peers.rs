//! The peers of `cargo xtask bench --peers`: other engines, measured on the same games in the same run.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    bench::Figure,
    task_error::{Context, Result, TaskError},
    tools::{self, Stream},
    workspace::Workspace,
};

/// The note below the comparison.
pub(crate) const NOTE: &str = "\
OpenSpiel's playouts run inside its C++ core (the random rollouts of its MCTS; Python starts tens of
thousands at a time). Its poker playouts start after the deal, which is in its favour: ours deal too.";

/// The script that measures OpenSpiel, from the workspace's folder.
const SCRIPT: &str = "xtask/peers/open_spiel.py";

/// OpenSpiel in a virtual environment.
pub(crate) struct Peer {
    /// The interpreter of the environment.
    python: PathBuf,
    /// The path of the script that measures.
    script: PathBuf,
}

/// Creates the virtual environment with OpenSpiel in `peers/venv` below the folder `target`, if it does not work
/// already, and returns what is needed to run the script in it. Downloads packages and prints that. An environment that
/// does not work is replaced.
///
/// # Errors
///
/// Fails if there is no Python 3.9 or newer, or if Python or pip fails.
pub(crate) fn prepare(workspace: &Workspace, target: &Path) -> Result<Peer> {
    let home = target.join("peers").join("venv");
    let python =
        if cfg!(windows) { home.join("Scripts").join("python.exe") } else { home.join("bin").join("python") };
    let script = workspace.root().join(SCRIPT);
    let ready = || tools::quiet(Command::new(&python).args(["-c", "import pyspiel"]));
    if !ready() {
        let system = ["python3", "python"]
            .into_iter()
            .find(|name| {
                tools::quiet(
                    Command::new(name).args(["-c", "import venv, sys; assert sys.version_info >= (3, 9)"]),
                )
            })
            .ok_or_else(|| {
                TaskError::new(
                    "OpenSpiel needs Python 3.9 or newer with its `venv` module: please install it",
                )
            })?;
        fs::create_dir_all(&home).context(format!("cannot make {}", home.display()))?;
        println!("Installing OpenSpiel into {}", home.display());
        tools::must(Command::new(system).args(["-m", "venv", "--clear"]).arg(&home))?;
        tools::must(Command::new(&python).args(["-m", "pip", "install", "--quiet", "open_spiel"]))?;
    }
    Ok(Peer { python, script })
}

impl Peer {
    /// Prints that it measures, runs the script, which takes minutes, and returns the figures that it prints, in their
    /// order. Other lines are printed.
    ///
    /// # Errors
    ///
    /// Fails if the script cannot be started or fails.
    pub(crate) fn measure(&self) -> Result<Vec<Figure>> {
        println!("Measuring OpenSpiel");
        let mut figures = Vec::new();
        let mut command = Command::new(&self.python);
        let status = tools::listen(command.arg(&self.script), Stream::Out, |line| {
            let figure = Figure::read(line);
            let shown = figure.is_none();
            figures.extend(figure);
            shown
        })?;
        if status.success() {
            Ok(figures)
        } else {
            Err(TaskError::new(format!("{SCRIPT} failed ({status})")))
        }
    }
}
