//! CPU time of the cryptographic operations in milliseconds, with the target of each: `cargo bench -p
//! pentarchy-fair [-- PART_OF_A_NAME]`. With `--check` the run fails if an operation takes more than twice
//! its target. With `--json` the figures are printed for `cargo xtask measure cryptography`.
#![allow(clippy::unwrap_used, unreachable_pub)]

mod operations;

use rustix::time::{ClockId, clock_gettime};
use std::process::ExitCode;

/// Measures the operations whose names contain the first argument without a dash (all without one) and prints
/// best, median and target times in milliseconds. Returns failure only with `--check`, if a median is more
/// than twice its target.
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let json = arguments.iter().any(|argument| argument == "--json");
    let check = arguments.iter().any(|argument| argument == "--check");
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-'));
    let mut over = false;
    if !json {
        println!("{:58} {:>8} {:>8} {:>8}", "operation (ms)", "best", "median", "target");
    }
    for mut operation in operations::all() {
        if wanted.is_some_and(|wanted| !operation.name.contains(wanted)) {
            continue;
        }
        let [best, median] = measure(&mut operation.run);
        let target = operation.target.map(|target| format!("{target:8.2}")).unwrap_or_default();
        if json {
            let figures = format!(
                "[\"best\", \"{best:.3}\"], [\"median\", \"{median:.3}\"], [\"target\", \"{}\"]",
                target.trim()
            );
            println!("{{\"row\": \"{}\", \"figures\": [{figures}]}}", operation.name);
        } else {
            println!("{:58} {best:8.3} {median:8.3} {target}", operation.name);
        }
        over |= operation.target.is_some_and(|target| median > 2.0 * target);
    }
    if check && over { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Returns the CPU time that this thread has used, in milliseconds. Only differences are meaningful.
fn now() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

/// Returns the best and the median CPU time of one call of `run`, in milliseconds. It calls `run` for at
/// least half a second and takes at least 11 samples. On a busy machine other processes use the caches, which
/// costs CPU time: the best is closer to the truth then.
fn measure(run: &mut dyn FnMut()) -> [f64; 2] {
    let start = now();
    run();
    let repeat = (1.0 / (now() - start).max(1e-3)).ceil() as usize;
    let mut samples = Vec::new();
    while now() - start < 500.0 || samples.len() < 11 {
        let before = now();
        (0..repeat).for_each(|_| run());
        samples.push((now() - before) / repeat as f64);
    }
    samples.sort_by(f64::total_cmp);
    [samples[0], samples[samples.len() / 2]]
}
