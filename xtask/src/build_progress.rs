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
/// What is assumed about the speed before anything is ready: the time of a unit of weight on one core. Four minutes for
/// the page and the server on two cores.
const PRIOR_TIME: Duration = Duration::from_millis(480);
/// The assumption weighs as much as this share of the work.
const PRIOR_SHARE: f64 = 0.1;
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

/// Runs a `cargo tree` command, which prints one package per line, and returns these lines without surrounding spaces,
/// sorted and each once. Errors of cargo go to standard error.
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

/// Returns the weight of a package, given by its line or identifier: its share of the work in the progress. It is
/// [`OWN_WEIGHT`] if the text contains `pentarchy`, else 1.
fn weight(package: &str) -> u32 {
    if package.contains("pentarchy") { OWN_WEIGHT } else { 1 }
}

/// Runs a build and calls `done` with the weight of each package of `plan` when it is ready, and after a success with
/// the weight of those that cargo did not mention: together the weight of the plan. Adds the option for JSON messages
/// and turns incremental compilation off. Returns when the build has ended. Warnings are not printed.
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

/// Prints the line of the progress at this time to standard error: over the last line on a terminal, else on a line of
/// its own. `begin` is the start of the builds.
fn show(progress: &Mutex<Progress>, begin: Instant) {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let line = progress.lock().unwrap_or_else(PoisonError::into_inner).line(begin.elapsed(), cores);
    if io::stderr().is_terminal() {
        eprint!("\r\u{1b}[K{line}");
    } else {
        eprintln!("{line}");
    }
}

impl Progress {
    /// Returns the progress as one line: the time passed, the share done in whole percent, the running jobs and an
    /// estimate of the time left on this number of cores. While no job runs or the packages are unknown it has only the
    /// time and says that they are looked up.
    fn line(&self, elapsed: Duration, cores: usize) -> String {
        let jobs: Vec<&str> = self.current.iter().copied().filter(|name| !name.is_empty()).collect();
        if self.total == 0 || jobs.is_empty() {
            return format!(
                "{}  looking up packages, and downloading those that are missing",
                duration(elapsed)
            );
        }
        let percent = 100 * self.done / self.total;
        let left = duration(self.time_left(elapsed, cores));
        format!("{}  {percent:>3} %  building {}, about {left} left", duration(elapsed), jobs.join(" and "))
    }

    /// Returns the estimated time left: at the speed so far, mixed with an assumed speed for this number of cores that
    /// counts as much as a tenth of the work. So there is an estimate from the first second on, and later it follows
    /// this machine.
    fn time_left(&self, elapsed: Duration, cores: usize) -> Duration {
        let (total, done) = (f64::from(self.total), f64::from(self.done));
        let assumed = PRIOR_SHARE * total;
        let time = elapsed + PRIOR_TIME.mul_f64(assumed / cores.max(1) as f64);
        time.mul_f64((total - done) / (done + assumed).max(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_is_built_and_how_long_it_takes() {
        let mut progress = Progress { current: vec!["the page", ""], ..Progress::default() };
        assert!(progress.line(Duration::from_secs(1), 2).contains("looking up packages"));
        (progress.total, progress.done) = (1000, 0);
        let line = progress.line(Duration::ZERO, 2);
        let begin = format!("  0 %  building the page, about {} left", duration(Duration::from_secs(240)));
        assert!(line.ends_with(&begin), "an estimate from the first second: {line}");
        progress.done = 500;
        progress.current[1] = "the server";
        let line = progress.line(Duration::from_secs(60), 2);
        assert!(line.contains(" 50 %  building the page and the server, about "), "{line}");
    }

    #[test]
    fn the_estimate_follows_the_speed_of_the_machine() {
        let progress = Progress { total: 1000, done: 900, current: Vec::new() };
        // Ten times as slow as assumed.
        let slow = progress.time_left(Duration::from_secs(2160), 2);
        assert!((Duration::from_secs(200)..Duration::from_secs(240)).contains(&slow), "{slow:?}");
        assert_eq!(Progress { done: 1000, ..progress }.time_left(Duration::from_secs(5), 2), Duration::ZERO);
    }

    #[test]
    fn our_crates_weigh_more() {
        assert!(weight("pentarchy-engine v0.1.0") > weight("serde v1.0.0"));
    }
}
