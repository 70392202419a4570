//! The program in a process of its own, spoken to line by line.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// How long a program may take for anything.
pub(crate) const PATIENCE: Duration = Duration::from_secs(180);

/// A program that runs; it is killed with the test.
pub(crate) struct Running {
    pub(crate) child: Child,
    lines: Receiver<String>,
    pub(crate) said: String,
}

impl Running {
    /// Starts the program with these arguments and its errors on those of the test; see
    /// [`start_logged`](Self::start_logged).
    pub(crate) fn start(args: &[&str]) -> Self {
        Self::start_logged(args, Stdio::inherit())
    }

    /// Starts the program with these arguments and returns without waiting for it. Standard error goes to `log`, lines
    /// of standard output are collected. Each `--name` has an identity of its own, beside the folder of `--data`.
    pub(crate) fn start_logged(args: &[&str], log: Stdio) -> Self {
        // Each player has an identity of their own: beside the stored games, under their name.
        let after = |flag: &str| args.iter().position(|arg| *arg == flag).and_then(|at| args.get(at + 1));
        let folder = after("--data").unwrap_or(&env!("CARGO_TARGET_TMPDIR"));
        let name = after("--name").unwrap_or(&"Somebody");
        // A server stores mail in the user's data folder, where it would find that of other tests.
        let own = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("data-{}", std::process::id()));
        let mut child = Command::new(env!("CARGO_BIN_EXE_pentarchy"))
            .args(args)
            .env("XDG_DATA_HOME", own)
            .env("PENTARCHY_IDENTITY", Path::new(folder).join(format!("{name}.identity")))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (tell, lines) = mpsc::channel();
        std::thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| tell.send(line)));
        Self { child, lines, said: String::new() }
    }

    /// Waits for the next line that contains these words, and returns it. Lines before it are skipped. Panics if no
    /// line comes for [`PATIENCE`].
    pub(crate) fn until(&mut self, words: &str) -> String {
        loop {
            let Ok(line) = self.lines.recv_timeout(PATIENCE) else {
                panic!("`{words}` was never said, but:\n{}", self.said)
            };
            self.said += &format!("{line}\n");
            if line.contains(words) {
                return line;
            }
        }
    }

    /// Types a line: writes it with a line break to the program's input.
    pub(crate) fn types(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Waits for this number of further lines, with any content.
    pub(crate) fn some(&mut self, lines: usize) {
        for _ in 0..lines {
            self.until("");
        }
    }

    /// Waits for the end of the program and returns its exit code; `None` if a signal ended it. Panics after
    /// [`PATIENCE`].
    pub(crate) fn end(&mut self) -> Option<i32> {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("it does not end; it said:\n{}", self.said);
    }

    /// Kills the program, as a crash does, and waits for its end.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
