//! Builds several packages side by side and shows what is being done and about how long it still takes.

use std::{
    collections::BTreeSet,
    io::{self, BufRead, BufReader, IsTerminal, Read},
    process::{Command, Stdio},
    sync::{Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use serde::Deserialize;

use crate::{
    table::duration,
    task_error::{Context, Result, TaskError},
    tools,
};

/// How long our own crates take to compile, compared with the average dependency.
const OWN_WEIGHT: u32 = 12;
/// Time between two lines of progress on a terminal.
const REFRESH: Duration = Duration::from_millis(500);
/// Time between two lines of progress elsewhere, as in a log.
const LOG_EVERY: Duration = Duration::from_secs(15);

/// One `cargo build`.
pub(crate) struct BuildJob {
    /// What is built, for the progress line.
    pub(crate) name: &'static str,
    /// The command `cargo build …`, without an option for its messages.
    pub(crate) build: Command,
    /// The command `cargo tree …` that lists the packages it compiles, one per line.
    pub(crate) packages: Command,
}

/// What the progress line shows of all jobs.
#[derive(Default)]
struct Progress {
    /// Sum of the weights of all packages.
    total: u32,
    /// Sum of the weights of the packages that are ready.
    done: u32,
    /// The job that each lane works on.
    current: Vec<&'static str>,
}

/// A line of cargo's JSON messages.
#[derive(Deserialize)]
struct Message {
    reason: String,
    package_id: Option<String>,
}

/// Runs the lanes at the same time, and the jobs of a lane one after the other. Prints the time passed, the share that
/// is done, the estimated time left and the current jobs to standard error, twice a second on a terminal, else every 15
/// s; at the end the total time. The errors of a failed build are printed when it ends.
///
/// # Errors
///
/// Fails with the error of the first lane (in their order) in which a build or the lookup of its packages cannot be
/// started or fails; the other lanes still run to their end, the later jobs of that lane do not.
pub(crate) fn build_all(lanes: Vec<Vec<BuildJob>>) -> Result<()> {
    let begin = Instant::now();
    let progress = Mutex::new(Progress { current: vec![""; lanes.len()], ..Progress::default() });
    show(&progress, begin);
    let ended = thread::scope(|scope| {
        let progress = &progress;
        let workers: Vec<_> = lanes
            .into_iter()
            .enumerate()
            .map(|(lane, jobs)| scope.spawn(move || run_lane(lane, jobs, progress)))
            .collect();
        let every = if io::stderr().is_terminal() { REFRESH } else { LOG_EVERY };
        let mut shown = Instant::now();
        while workers.iter().any(|worker| !worker.is_finished()) {
            thread::sleep(Duration::from_millis(50));
            if shown.elapsed() >= every {
                show(progress, begin);
                shown = Instant::now();
            }
        }
        let failed = || Err(TaskError::new("a build stopped unexpectedly"));
        workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| failed())).collect::<Vec<_>>()
    });
    if io::stderr().is_terminal() {
        eprint!("\r\u{1b}[K");
    }
    ended.into_iter().collect::<Result<()>>()?;
    eprintln!("Built in {}.", duration(begin.elapsed()));
    Ok(())
}

/// Looks up the packages of all jobs of a lane, adds their weight to the total, then runs the jobs one after the other
/// until one fails. `lane` is the index in `progress.current`, which names the running job. It stays named if its build
/// fails.
///
/// # Errors
///
/// Fails if a command cannot be started or fails.
fn run_lane(lane: usize, mut jobs: Vec<BuildJob>, progress: &Mutex<Progress>) -> Result<()> {
    let update =
        |change: &dyn Fn(&mut Progress)| change(&mut progress.lock().unwrap_or_else(PoisonError::into_inner));
    let mut plans = Vec::new();
    for job in &mut jobs {
        let own = packages(&mut job.packages)?;
        update(&|progress| progress.total += own.iter().map(|line| weight(line)).sum::<u32>());
        plans.push(own);
    }
    for (mut job, plan) in jobs.into_iter().zip(plans) {
        update(&|progress| progress.current[lane] = job.name);
        run_build(&mut job.build, &plan, &|weight| update(&|progress| progress.done += weight))?;
        update(&|progress| progress.current[lane] = "");
    }
    Ok(())
}

/// Runs a `cargo tree` command and returns the packages that it lists, each once, as its lines. Errors of cargo go to
/// standard error.
///
/// # Errors
///
/// Fails if the command does, for instance because a package cannot be downloaded.
fn packages(tree: &mut Command) -> Result<BTreeSet<String>> {
    let output =
        tree.stderr(Stdio::inherit()).output().context(format!("cannot start `{}`", tools::typed(tree)))?;
    if !output.status.success() {
        return Err(TaskError::new(format!("`{}` failed ({})", tools::typed(tree), output.status)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect())
}

/// Returns the share of a package in the progress: `OWN_WEIGHT` if its name contains `pentarchy`,
/// else 1.
fn weight(package: &str) -> u32 {
    if package.contains("pentarchy") { OWN_WEIGHT } else { 1 }
}

/// Runs a build and calls `done` with the weight of each package of `plan` when it is ready, and after a success with
/// the weight of those that cargo did not mention: together the weight of the plan. Adds the option for JSON messages
/// and turns incremental compilation off. Warnings are not printed.
///
/// # Errors
///
/// Fails if the build cannot be started or fails, after its errors are printed to standard error.
fn run_build(build: &mut Command, plan: &BTreeSet<String>, done: &dyn Fn(u32)) -> Result<()> {
    build.args(["--message-format", "json-render-diagnostics", "--quiet"]);
    // What cargo writes for the next build costs a fifth of this one.
    build.env("CARGO_INCREMENTAL", "0");
    build.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let what = tools::typed(build);
    let mut child = build.spawn().context(format!("cannot start `{what}`"))?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let errors = thread::spawn(move || {
        let mut text = String::new();
        stderr.map(|mut pipe| pipe.read_to_string(&mut text)).transpose().ok();
        text
    });
    let mut left: u32 = plan.iter().map(|line| weight(line)).sum();
    let mut seen = BTreeSet::new();
    for line in stdout.into_iter().flat_map(|pipe| BufReader::new(pipe).lines()) {
        let Ok(line) = line else { break };
        let Ok(message) = serde_json::from_str::<Message>(&line) else { continue };
        let Some(package) = message.package_id.filter(|_| message.reason == "compiler-artifact") else {
            continue;
        };
        let weight = weight(&package).min(left);
        if seen.insert(package) {
            left -= weight;
            done(weight);
        }
    }
    let status = child.wait().context(format!("cannot wait for `{what}`"))?;
    if !status.success() {
        eprintln!("\n{}", errors.join().unwrap_or_default());
        return Err(TaskError::new(format!("`{what}` failed ({status})")));
    }
    done(left);
    Ok(())
}

/// Prints the progress to standard error: over the last line on a terminal, else on a line of its
/// own. `begin` is the start of the builds.
fn show(progress: &Mutex<Progress>, begin: Instant) {
    let line = progress.lock().unwrap_or_else(PoisonError::into_inner).line(begin.elapsed());
    if io::stderr().is_terminal() {
        eprint!("\r\u{1b}[K{line}");
    } else {
        eprintln!("{line}");
    }
}

impl Progress {
    /// Returns the progress as one line: the time passed, the share done in whole percent and the running jobs. From a
    /// tenth of the work on it also has an estimate of the time left, assuming constant speed. While no job runs or the
    /// packages are unknown it has only the time.
    fn line(&self, elapsed: Duration) -> String {
        let jobs: Vec<&str> = self.current.iter().copied().filter(|name| !name.is_empty()).collect();
        if self.total == 0 || jobs.is_empty() {
            return format!("{}  looking up packages", duration(elapsed));
        }
        let percent = 100 * self.done / self.total;
        let jobs = jobs.join(" and ");
        let begun = format!("{}  {percent:>3} %  building {jobs}", duration(elapsed));
        if percent < 10 {
            return format!("{begun}, the first time takes some minutes");
        }
        let left = elapsed.mul_f64(f64::from(self.total - self.done) / f64::from(self.done));
        format!("{begun}, about {} left", duration(left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_is_built_and_how_long_it_takes() {
        let mut progress = Progress { current: vec!["the page", ""], ..Progress::default() };
        assert!(progress.line(Duration::from_secs(1)).ends_with("looking up packages"));
        (progress.total, progress.done) = (200, 10);
        assert!(progress.line(Duration::from_secs(5)).contains("5 %  building the page, the first time"));
        progress.done = 50;
        progress.current[1] = "the server";
        let line = progress.line(Duration::from_secs(60));
        assert!(line.contains(" 25 %  building the page and the server, about "), "{line}");
        assert!(line.contains(&duration(Duration::from_secs(180))), "{line}");
    }

    #[test]
    fn our_crates_weigh_more() {
        assert!(weight("pentarchy-engine v0.1.0") > weight("serde v1.0.0"));
    }
}
