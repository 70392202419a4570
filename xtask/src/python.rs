//! The step `python`: builds the Python package as a wheel and runs its tests in a virtual environment. `cargo
//! xtask measure python` and `ray` run its benchmarks there.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    task_error::{Context, Result, TaskError},
    tools,
    workspace::Workspace,
};

/// The package, relative to the workspace.
const PACKAGE: &str = "crates/python";

/// What the tests need besides the package.
const PACKAGES: &[&str] = &["gymnasium", "maturin", "mypy", "numpy", "open_spiel", "pettingzoo", "pytest"];

/// Imports that show that the packages are installed.
const IMPORTS: &str = "import gymnasium, maturin, mypy, numpy, pettingzoo, pytest";

/// Returns what is missing for the step: a Python from 3.10 on with its module `venv`; `None` if it is there.
pub(crate) fn lack() -> Option<&'static str> {
    system_python().is_none().then_some("Python 3.10 or newer with its `venv` module")
}

/// Checks the format of the package, builds it in a quick profile, installs it in a virtual environment in the target
/// folder, builds the program, and returns the command that runs the tests of the package, which compare reports with
/// those of the program. Downloads packages the first time.
///
/// # Errors
///
/// Fails if the package is not formatted, or Python, pip or a build fails.
pub(crate) fn for_tests(workspace: &Workspace) -> Result<Command> {
    // A workspace of its own, which `cargo fmt` does not reach from here.
    let mut format = tools::cargo(workspace);
    format.args(["fmt", "--check", "--manifest-path"]).arg(workspace.root().join(PACKAGE).join("Cargo.toml"));
    tools::must(&mut format)?;
    let home = Home::prepare(workspace, PACKAGES)?;
    home.install_ray();
    home.install(workspace, "dev")?;
    let program = tools::program(workspace)?;
    let mut command = Command::new(&home.python);
    command.arg(workspace.root().join(PACKAGE).join("tests/run.py")).current_dir(workspace.root());
    command.env("PENTARCHY_PROGRAM", program.get_program());
    Ok(command)
}

/// Builds the package as it is shipped, installs it with PettingZoo's classics, OpenSpiel and Ray, and returns the
/// command that runs the benchmark in `file`, a file of the package. Downloads packages the first time.
///
/// # Errors
///
/// Fails if Python, pip or the build fails.
pub(crate) fn for_bench(workspace: &Workspace, file: &str) -> Result<Command> {
    let home = Home::prepare(workspace, PACKAGES)?;
    home.pip(&["install", "--quiet", "pygame"])?;
    home.install_ray();
    home.install(workspace, "release")?;
    let mut command = Command::new(&home.python);
    command.arg(workspace.root().join(PACKAGE).join(file)).current_dir(workspace.root());
    Ok(command)
}

/// Returns `python3` or else `python`, if it is a Python from 3.10 on that can make virtual environments; `None` if
/// neither is.
fn system_python() -> Option<&'static str> {
    let recent = "import ensurepip, venv, sys; assert sys.version_info >= (3, 10)";
    ["python3", "python"].into_iter().find(|name| tools::quiet(Command::new(name).args(["-c", recent])))
}

/// The virtual environment in the target folder.
struct Home {
    /// The folder of everything that belongs to Python.
    folder: PathBuf,
    /// The interpreter of the environment.
    python: PathBuf,
}

impl Home {
    /// Creates the virtual environment with these packages in `python` of the target folder, in place of an old one,
    /// unless it has the needed ones already ([`IMPORTS`]); then `packages` are not looked at. Prints that it installs.
    ///
    /// # Errors
    ///
    /// Fails if there is no Python, or if Python or pip fails.
    fn prepare(workspace: &Workspace, packages: &[&str]) -> Result<Self> {
        let folder = workspace.metadata()?.target_directory.join("python");
        let bin = if cfg!(windows) { "venv/Scripts/python.exe" } else { "venv/bin/python" };
        let home = Home { python: folder.join(bin), folder };
        if !tools::quiet(Command::new(&home.python).args(["-c", IMPORTS])) {
            let system = system_python()
                .ok_or_else(|| TaskError::new(format!("there is no {}", lack().unwrap_or("Python"))))?;
            fs::create_dir_all(&home.folder).context(format!("cannot make {}", home.folder.display()))?;
            println!("Installing the packages of the tests into {}", home.folder.display());
            tools::must(Command::new(system).args(["-m", "venv", "--clear"]).arg(home.folder.join("venv")))?;
            home.install_packages(packages)?;
        }
        Ok(home)
    }

    /// Installs the newest versions of these packages in the environment by pip. OpenSpiel has no wheel for every
    /// Python: if it cannot be installed, prints that, and some tests are skipped.
    ///
    /// # Errors
    ///
    /// Fails if pip cannot install another package.
    fn install_packages(&self, packages: &[&str]) -> Result<()> {
        let (optional, needed): (Vec<&str>, Vec<&str>) =
            packages.iter().copied().partition(|&package| package == "open_spiel");
        self.pip(&[&["install", "--quiet"], needed.as_slice()].concat())?;
        let wheel = ["install", "--quiet", "--only-binary", ":all:"];
        if self.pip(&[wheel.as_slice(), optional.as_slice()].concat()).is_err() {
            println!("OpenSpiel has no wheel for this Python: trees are not compared with it");
        }
        Ok(())
    }

    /// Installs Ray unless it is there, for the runs on a cluster. If it cannot be installed (its wheel has 80 MB, and
    /// there is none for every Python), prints that, and these tests are skipped.
    fn install_ray(&self) {
        if tools::quiet(Command::new(&self.python).args(["-c", "import ray"])) {
            return;
        }
        println!("Installing Ray into {}", self.folder.display());
        if self.pip(&["install", "--quiet", "--retries", "1", "--only-binary", ":all:", "ray"]).is_err() {
            println!("Ray cannot be installed here: runs on a cluster are not tested");
        }
    }

    /// Builds the wheel of the package in this profile of cargo and installs it in place of an older one. Wheels of
    /// earlier builds are deleted.
    ///
    /// # Errors
    ///
    /// Fails if the build or pip fails.
    fn install(&self, workspace: &Workspace, profile: &str) -> Result<()> {
        let wheels = self.folder.join("wheels");
        if wheels.is_dir() {
            fs::remove_dir_all(&wheels).context(format!("cannot empty {}", wheels.display()))?;
        }
        let manifest = workspace.root().join(PACKAGE).join("Cargo.toml");
        let mut build = Command::new(&self.python);
        build
            .args(["-m", "maturin", "build", "--locked", "--profile", profile, "--manifest-path"])
            .arg(manifest);
        build.arg("--target-dir").arg(self.folder.join("cargo")).arg("--out").arg(&wheels);
        build.arg("--interpreter").arg(&self.python);
        tools::must(&mut build)?;
        let wheel = first_wheel(&wheels)?;
        self.pip(&["install", "--quiet", "--no-deps", "--force-reinstall", &wheel.to_string_lossy()])
    }

    /// Runs pip of the environment with these arguments, with its output on the terminal.
    ///
    /// # Errors
    ///
    /// Fails if pip cannot be started or fails.
    fn pip(&self, arguments: &[&str]) -> Result<()> {
        tools::must(Command::new(&self.python).args(["-m", "pip"]).args(arguments))
    }
}

/// Returns the path of the first file in a folder, in the order of the system, whose extension is `whl`. The folder
/// should have only one.
///
/// # Errors
///
/// Fails if the folder cannot be read or has none.
fn first_wheel(folder: &Path) -> Result<PathBuf> {
    let entries = fs::read_dir(folder).context(format!("cannot read {}", folder.display()))?;
    let is_wheel = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "whl");
    let found = entries.flatten().map(|entry| entry.path()).find(is_wheel);
    found.ok_or_else(|| TaskError::new(format!("maturin has made no wheel in {}", folder.display())))
}
