//! The engine protocol as other programs meet it: the conversation in its documentation, and the example
//! client in Python.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_pentarchy");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Returns the lines that the engine answers to this input. Asserts that it succeeds.
fn answers(input: &str) -> Vec<String> {
    let mut engine =
        Command::new(PROGRAM).arg("engine").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    engine.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = engine.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().lines().map(String::from).collect()
}

/// The conversation of the page, played again. With `UPDATE_GOLDEN=1` the page is written instead of
/// compared: `cargo xtask golden` does so.
#[test]
fn the_documented_conversation_is_golden() {
    let file = Path::new(ROOT).join("docs/engine-protocol.md");
    let page = std::fs::read_to_string(&file).unwrap();
    let (before, rest) = page.split_once("```session\n").unwrap();
    let (session, after) = rest.split_once("```").unwrap();
    let of = |mark: &str| session.lines().filter_map(|l| l.strip_prefix(mark)).collect::<Vec<_>>();
    let (requests, expected) = (of("> "), of("< "));
    assert!(requests.len() >= 15 && requests.len() == expected.len());
    let answers = answers(&(requests.join("\n") + "\n"));
    assert_eq!(answers.len(), expected.len());
    let mut now = String::new();
    for ((request, answer), expected) in requests.iter().zip(&answers).zip(expected) {
        // A line that is cut on the page stays as long as it is there.
        let answer = match expected.strip_suffix('…') {
            Some(begin) => answer.chars().take(begin.chars().count()).chain(['…']).collect(),
            None => answer.clone(),
        };
        now += &format!("> {request}\n< {answer}\n");
    }
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|v| !v.is_empty() && v != "0") {
        std::fs::write(&file, format!("{before}```session\n{now}```{after}")).unwrap();
    } else {
        let hint = "`cargo xtask golden` writes the page again";
        now.lines().zip(session.lines()).for_each(|(now, page)| assert_eq!(now, page, "{hint}"));
    }
}

#[test]
fn every_command_is_documented() {
    let page = std::fs::read_to_string(Path::new(ROOT).join("docs/engine-protocol.md")).unwrap();
    let help: serde_json::Value = serde_json::from_str(&answers("{\"cmd\": \"help\"}\n")[0]).unwrap();
    for command in help["commands"].as_array().unwrap() {
        let name = command["cmd"].as_str().unwrap();
        assert!(page.contains(&format!("\n| `{name}` |")), "`{name}` is not documented");
    }
}

#[test]
fn the_example_client_plays() {
    if Command::new("python3").arg("--version").output().is_err() {
        return; // Nothing to run it with.
    }
    for game in ["leduc", "kuhn", "connect-four"] {
        let client = Path::new(ROOT).join("examples/engine_client.py");
        let output = Command::new("python3").arg(client).args([PROGRAM, game, "7"]).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(said.lines().last().unwrap().starts_with("ranks ["), "{said}");
    }
}
