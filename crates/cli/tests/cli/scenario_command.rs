//! `pentarchy scenario` as people meet it.

use std::path::PathBuf;
use std::process::Command;

const CLASSICS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/classics");

/// Runs `pentarchy scenario` with these arguments. Returns its exit code, its output and its errors.
fn run(args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_pentarchy")).arg("scenario").args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Creates a folder of this name for one test, in place of an older one, with these files and a folder `below`. Returns
/// its path.
fn files(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(dir.join("below")).unwrap();
    for (file, text) in files {
        std::fs::write(dir.join(file), text).unwrap();
    }
    dir
}

const GOOD: &str = "title = \"Good\"\ngame = \"tic-tac-toe\"\n[[step]]\ndo = \"5\"\nnode = \"decide 1\"\n";
const BAD: &str =
    "title = \"Bad\"\nrule = \"E1\"\ngame = \"tic-tac-toe\"\n[[step]]\ndo = \"5\"\nover = true\n";

#[test]
fn the_classics_pass() {
    let (code, out, _) = run(&[CLASSICS]);
    assert_eq!(code, 0, "{out}");
    assert!(out.lines().last().unwrap().ends_with(" passed, 0 failed"), "{out}");
    assert!(out.contains("a-bluff-wins-the-ante.toml: A player who folds to a bet"), "{out}");
    let (code, out, _) = run(&["-v", &format!("{CLASSICS}/kuhn")]);
    assert!(code == 0 && out.contains("step 2: bet\n") && out.contains("@0 bets."), "{out}");
}

#[test]
fn failures_are_told_with_their_lines_and_the_exit_code() {
    let dir =
        files("failures", &[("a.toml", GOOD), ("below/b.toml", BAD), ("c.toml", "title = 3"), ("d.txt", "")]);
    let dir = dir.to_str().unwrap();
    let (code, out, _) = run(&[dir]);
    assert_eq!(code, 1);
    assert!(out.contains("ok   ") && out.contains("b.toml: Bad (E1)\n"), "{out}");
    assert!(out.contains("line 6, step 1: the game should be over, but the node is `decide 1`"), "{out}");
    assert!(out.contains("line 1: invalid type: integer `3`"), "{out}");
    assert!(out.ends_with("1 passed, 2 failed\n"), "{out}");
    let (code, out, _) = run(&["-q", dir]);
    assert_eq!(code, 1);
    assert!(out.starts_with(".FF\nFAIL ") && !out.contains("ok  "), "{out}");
}

#[test]
fn an_unknown_game_is_a_failure_and_an_unknown_file_a_mistake() {
    let dir = files("unknown", &[("a.toml", "title = \"X\"\ngame = \"tic-tac-two\"")]);
    let (code, out, _) = run(&[dir.to_str().unwrap()]);
    assert!(
        code == 1 && out.contains("line 2: there is no game `tic-tac-two`; did you mean `tic-tac-toe`?"),
        "{out}"
    );
    let (code, _, err) = run(&["no/such/file.toml"]);
    assert!(code == 2 && err.contains("cannot read no/such/file.toml"), "{err}");
    let (code, _, err) = run(&[dir.join("below").to_str().unwrap()]);
    assert!(code == 2 && err.contains("there is no scenario in"), "{err}");
}
