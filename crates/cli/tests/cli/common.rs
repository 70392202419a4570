//! Running the program as a user does.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// What the program said.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs the program with these arguments and without input to its end, and returns its exit code and output.
pub(crate) fn run(args: &[&str]) -> Said {
    talk(args, "")
}

/// Runs the program with these arguments and this input to its end, and returns its exit code and output. Panics if a
/// signal ends it or its output is no UTF-8.
pub(crate) fn talk(args: &[&str], input: &str) -> Said {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pentarchy"))
        .args(args)
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that ends before it has read everything closes the pipe: no fault of this test.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Said { code: status.code().unwrap(), out: text(stdout), err: text(stderr) }
}

/// Creates an empty folder of this name in the folder of temporary test files, and deletes an older one. Returns its
/// path.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns a path as an argument. Panics if it is no UTF-8.
pub(crate) fn arg(path: &std::path::Path) -> &str {
    path.to_str().unwrap()
}
