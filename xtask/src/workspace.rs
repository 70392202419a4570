//! The workspace, as `cargo metadata` describes it.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use serde::Deserialize;

use crate::{
    task_error::{Context, Result, TaskError},
    tools,
};

/// The package of the `pentarchy` program, and the folder in which it lives.
pub(crate) const PROGRAM: (&str, &str) = ("pentarchy", "crates/cli");

/// The folder of the workspace.
pub(crate) struct Workspace {
    /// Its path.
    root: PathBuf,
}

/// The part of `cargo metadata` that the tasks use.
#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    /// The workspace's packages and everything they depend on, on any platform.
    pub(crate) packages: Vec<Package>,
    /// The target folder.
    pub(crate) target_directory: PathBuf,
}

/// A package of the dependency graph.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    /// Its name.
    pub(crate) name: String,
    /// Its version.
    pub(crate) version: String,
    /// Its licence as an SPDX expression, if it states one.
    pub(crate) license: Option<String>,
    /// Its source; `None` for a folder on this machine.
    pub(crate) source: Option<String>,
    /// The path of its Cargo.toml.
    pub(crate) manifest_path: PathBuf,
    /// Its targets.
    pub(crate) targets: Vec<Target>,
    /// Its direct dependencies, as its Cargo.toml lists them.
    pub(crate) dependencies: Vec<Dependency>,
}

/// A direct dependency of a package.
#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    /// The name of the package that is depended on.
    pub(crate) name: String,
    /// `dev` or `build`; nothing for a normal dependency.
    pub(crate) kind: Option<String>,
}

/// A target of a package.
#[derive(Debug, Deserialize)]
pub(crate) struct Target {
    /// Its name.
    pub(crate) name: String,
    /// `lib`, `bin`, `test`, `bench`, …
    pub(crate) kind: Vec<String>,
}

impl Workspace {
    /// Returns the workspace that holds the package of this program: the parent of the folder that cargo names at run
    /// time, or named when it was built. Whether it is a workspace is not checked.
    ///
    /// # Errors
    ///
    /// Fails if this program is not in a folder of a workspace.
    pub(crate) fn find() -> Result<Self> {
        let here = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
        let root =
            here.parent().ok_or_else(|| TaskError::new("xtask must live in a folder of the workspace"))?;
        Ok(Self { root: root.to_path_buf() })
    }

    /// Returns the path of the folder of the workspace.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns whether a file or folder, relative to the workspace, exists.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// Returns the text of a file, given relative to the workspace.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read as text.
    pub(crate) fn read(&self, path: &str) -> Result<String> {
        fs::read_to_string(self.root.join(path)).context(format!("cannot read {path}"))
    }

    /// Checks that the folder of the `pentarchy` program exists in this tree.
    ///
    /// # Errors
    ///
    /// Fails if it does not.
    pub(crate) fn need_program(&self) -> Result<()> {
        let (name, folder) = PROGRAM;
        if self.has(folder) {
            Ok(())
        } else {
            Err(TaskError::new(format!("the program `{name}` is not in this tree: there is no {folder}")))
        }
    }

    /// Runs `cargo metadata` and returns its result: all packages of the dependency graph, and the target
    /// folder. Nothing is cached.
    ///
    /// # Errors
    ///
    /// Fails if cargo cannot be started or fails, or its output cannot be read.
    pub(crate) fn metadata(&self) -> Result<Metadata> {
        let mut cargo = tools::cargo(self);
        cargo.args(["metadata", "--format-version=1", "--quiet"]).stderr(Stdio::inherit());
        let output = cargo.output().context("cannot start cargo")?;
        if !output.status.success() {
            return Err(TaskError::new("`cargo metadata` failed: see its message above"));
        }
        serde_json::from_slice(&output.stdout).context("cannot read the output of `cargo metadata`")
    }
}

impl Dependency {
    /// Returns whether the package needs the dependency outside its tests; `true` also for build
    /// dependencies.
    pub(crate) fn is_linked(&self) -> bool {
        self.kind.as_deref() != Some("dev")
    }
}

impl Package {
    /// Returns `name version`, for messages.
    pub(crate) fn label(&self) -> String {
        format!("{} {}", self.name, self.version)
    }

    /// Returns whether the package has a bench target of exactly this name, whether declared or found by cargo.
    pub(crate) fn has_bench(&self, name: &str) -> bool {
        self.targets
            .iter()
            .any(|target| target.name == name && target.kind.iter().any(|kind| kind == "bench"))
    }
}
