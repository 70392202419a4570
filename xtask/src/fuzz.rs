//! `cargo xtask soak --fuzz`: the fuzz targets under libFuzzer, one after the other, each for a limited time.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use crate::{
    task_error::{Context, Result, TaskError},
    tools,
    workspace::Workspace,
};

/// Default time for each target, in minutes.
pub(crate) const MINUTES: f64 = 10.0;

/// The folder of the packages with targets. Each has a folder `corpus` with a folder for each target.
const PACKAGES: &str = "fuzz";

/// Coverage counters and traced comparisons for libFuzzer. These options need no nightly compiler. There is no address
/// sanitizer: the workspace has no unsafe code.
const COVERAGE: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
                        -Cllvm-args=-sanitizer-coverage-pc-table \
                        -Cllvm-args=-sanitizer-coverage-trace-compares";

/// A fuzz target and the package that it is in.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fuzzed {
    /// The folder of the package in `fuzz`.
    package: String,
    /// The name of the target, which is that of the folder of its corpus.
    target: String,
}

/// Builds the fuzz programs, and runs every target, or the one of exactly the name `only`, for `minutes` each, with the
/// output of libFuzzer on the terminal. What a run finds is kept for the next one in `target/fuzz`. A target also fails
/// on an input that takes 60 s or 2 GiB.
///
/// # Errors
///
/// Fails if a program cannot be built, no target has the name, or at the first target that fails: the message says how
/// to repeat it.
pub(crate) fn run(workspace: &Workspace, minutes: f64, only: Option<&str>) -> Result<ExitCode> {
    let all = targets(&workspace.root().join(PACKAGES))?;
    let wanted: Vec<&Fuzzed> =
        all.iter().filter(|fuzzed| only.is_none_or(|one| fuzzed.target == one)).collect();
    if wanted.is_empty() {
        let names: Vec<&str> = all.iter().map(|fuzzed| fuzzed.target.as_str()).collect();
        return Err(TaskError::new(format!("there is no such target; the targets are {}", names.join(", "))));
    }
    let host = host()?;
    let folder = workspace.metadata()?.target_directory.join("fuzz");
    build(workspace, &host, &folder, &wanted)?;
    for Fuzzed { package, target } in wanted {
        println!("\n{package}: {target}, {minutes} minutes");
        let (found, artifacts) = (folder.join("corpus").join(package).join(target), folder.join("artifacts"));
        for path in [&found, &artifacts] {
            fs::create_dir_all(path).context(format!("cannot make {}", path.display()))?;
        }
        let artifact = artifacts.join(format!("{package}-{target}-"));
        let mut command = Command::new(folder.join(&host).join("soak").join(format!("fuzz-{package}")));
        command
            .current_dir(workspace.root())
            .env("FUZZ_TARGET", target)
            .arg(format!("-max_total_time={}", (minutes * 60.0).ceil()))
            .args(["-timeout=60", "-rss_limit_mb=2048", "-print_final_stats=1", "-verbosity=0"])
            .arg(format!("-artifact_prefix={}", artifact.display()))
            .arg(&found)
            .arg(format!("{PACKAGES}/{package}/corpus/{target}"));
        if !tools::status(&mut command)?.success() {
            return Err(TaskError::new(format!(
                "{target} fails; libFuzzer has named the input above, a file {}…\nto repeat it: FUZZ_TARGET={target} {} FILE",
                artifact.display(),
                command.get_program().display(),
            )));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns all fuzz targets, sorted by package and name. The folders in `packages` are the packages, and each folder in
/// the `corpus` of a package is a target.
///
/// # Errors
///
/// Fails if a folder cannot be read, or a package has no folder `corpus`.
fn targets(packages: &Path) -> Result<Vec<Fuzzed>> {
    let mut all = Vec::new();
    for package in folders(packages)? {
        for target in folders(&packages.join(&package).join("corpus"))? {
            all.push(Fuzzed { package: package.clone(), target });
        }
    }
    Ok(all)
}

/// Returns the names of the folders in a folder, sorted. Files and symbolic links are left out; invalid UTF-8 in names
/// is replaced.
///
/// # Errors
///
/// Fails if the folder cannot be read.
fn folders(folder: &Path) -> Result<Vec<String>> {
    let read = || -> std::io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                names.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        names.sort();
        Ok(names)
    };
    read().context(format!("cannot list {}", folder.display()))
}

/// Runs `rustc -vV` and returns the target triple of this machine from its output.
///
/// # Errors
///
/// Fails if rustc cannot be started or names no host.
fn host() -> Result<String> {
    let output = Command::new("rustc").arg("-vV").output().context("cannot start rustc")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| TaskError::new("`rustc -vV` names no host"))
}

/// Builds the libFuzzer programs of the wanted packages for the target triple `host` into `folder`, with coverage
/// counters. `--target` keeps the coverage options from build scripts. `wanted` must be sorted by package.
///
/// # Errors
///
/// Fails if a build fails.
fn build(workspace: &Workspace, host: &str, folder: &PathBuf, wanted: &[&Fuzzed]) -> Result<()> {
    let mut packages: Vec<&str> = wanted.iter().map(|fuzzed| fuzzed.package.as_str()).collect();
    packages.dedup();
    let mut cargo = tools::cargo(workspace);
    cargo.args(["build", "--profile", "soak", "--bins", "--target", host, "--target-dir"]).arg(folder);
    for package in packages {
        let name = format!("pentarchy-{package}-fuzz");
        cargo.args(["--package", &name, "--features", &format!("{name}/libfuzzer")]);
    }
    // Link-time optimisation of instrumented code takes minutes and finds nothing more.
    cargo
        .env("RUSTFLAGS", COVERAGE)
        .env("CARGO_PROFILE_SOAK_LTO", "off")
        .env("CARGO_PROFILE_SOAK_CODEGEN_UNITS", "16");
    tools::must(&mut cargo)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_has_targets() {
        let workspace = Workspace::find().unwrap();
        let all = targets(&workspace.root().join(PACKAGES)).unwrap();
        for (package, target) in [("fair", "shuffle"), ("table", "departure"), ("net", "mesh")] {
            assert!(all.contains(&Fuzzed { package: package.into(), target: target.into() }), "{all:?}");
        }
    }
}
