//! What is in the workspace, as `cargo metadata` tells it.

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
    root: PathBuf,
}

/// The part of `cargo metadata` that the tasks look at.
#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    /// The workspace's packages and everything they depend on, on any platform.
    pub(crate) packages: Vec<Package>,
    /// Where cargo puts what it builds.
    pub(crate) target_directory: PathBuf,
}

/// One package of the dependency graph.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    /// Its name.
    pub(crate) name: String,
    /// Its version.
    pub(crate) version: String,
    /// Its licence as an SPDX expression, if it states one.
    pub(crate) license: Option<String>,
    /// Where it comes from; nothing for a folder on this machine.
    pub(crate) source: Option<String>,
    /// The path of its Cargo.toml.
    pub(crate) manifest_path: PathBuf,
    /// What it builds.
    pub(crate) targets: Vec<Target>,
}

/// One thing that a package builds.
#[derive(Debug, Deserialize)]
pub(crate) struct Target {
    /// Its name.
    pub(crate) name: String,
    /// `lib`, `bin`, `test`, `bench`, …
    pub(crate) kind: Vec<String>,
}

impl Workspace {
    /// The workspace to which this program belongs.
    pub(crate) fn find() -> Result<Self> {
        let here = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
        let root =
            here.parent().ok_or_else(|| TaskError::new("xtask must live in a folder of the workspace"))?;
        Ok(Self { root: root.to_path_buf() })
    }

    /// The folder of the workspace.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Is there such a file or folder in the workspace?
    pub(crate) fn has(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// The text of a file of the workspace.
    pub(crate) fn read(&self, path: &str) -> Result<String> {
        fs::read_to_string(self.root.join(path)).context(format!("cannot read {path}"))
    }

    /// Checks that the `pentarchy` program is there to be started.
    pub(crate) fn need_program(&self) -> Result<()> {
        let (name, folder) = PROGRAM;
        if self.has(folder) {
            Ok(())
        } else {
            Err(TaskError::new(format!("the program `{name}` is not in this tree: there is no {folder}")))
        }
    }

    /// Asks cargo for all packages.
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

impl Package {
    /// `name version`, as people write it.
    pub(crate) fn label(&self) -> String {
        format!("{} {}", self.name, self.version)
    }

    /// Does it have a bench target of this name?
    pub(crate) fn has_bench(&self, name: &str) -> bool {
        self.targets
            .iter()
            .any(|target| target.name == name && target.kind.iter().any(|kind| kind == "bench"))
    }
}
