//! Replaying and verifying records, sound and tampered with.

use crate::common::{arg, folder, run, talk};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// A finished game of Kuhn poker.
fn kuhn(name: &str) -> PathBuf {
    let file = folder(name).join("kuhn.jsonl");
    let args = ["play", "kuhn", "--seats", "human,human", "--seed", "5", "--save", arg(&file)];
    let said = talk(&args, "bet\ncall\n");
    assert_eq!(said.code, 0, "{}", said.err);
    file
}

#[test]
fn a_sound_record_verifies() {
    let file = kuhn("sound");
    let said = run(&["verify", arg(&file)]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    assert!(said.out.contains(": sound") && said.out.contains("won by seat"), "{}", said.out);
    let said = run(&["verify", "--quiet", arg(&file), arg(&file)]);
    assert_eq!((said.code, said.out.as_str()), (0, ""));
}

#[test]
fn a_tampered_record_fails_and_the_line_is_named() {
    let file = kuhn("tampered");
    let text = fs::read_to_string(&file).unwrap();
    let bet = 1 + text.lines().position(|line| line.contains("\"bet\"")).unwrap();
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}: {text}");
        text.replacen(from, to, 1)
    };
    let lines: Vec<&str> = text.lines().collect();
    let without = |gone: usize| lines.iter().enumerate().filter(move |(i, _)| *i != gone).map(|(_, l)| *l);
    let cases = [
        (with("\"bet\"", "\"check\""), format!("line {bet}: ")),
        (with("\"bet\"", "\"bat\""), format!("line {bet}: ")),
        (without(bet - 1).collect::<Vec<_>>().join("\n"), format!("line {bet}: ")),
        (text[..text.len() / 2].to_string(), "line ".to_string()),
        (lines[..lines.len() - 1].join("\n") + "\n", format!("line {}: ", lines.len() - 1)),
        (with("\"rules\":", "\"rules\":9"), "line 1: ".to_string()),
        (with("\"kuhn\"", "\"koon\""), "line 1: there is no game `koon`".to_string()),
        (String::new(), "line 1: the record is empty".to_string()),
        ("hello".to_string(), "line 1: ".to_string()),
    ];
    for (tampered, expected) in cases {
        fs::write(&file, &tampered).unwrap();
        let said = run(&["verify", arg(&file)]);
        assert_eq!(said.code, 1, "{expected}: {}", said.err);
        assert!(said.err.contains(&expected), "{expected}: {}", said.err);
        // Whatever a replay shows, it never goes past the fault; a game that only breaks off has none.
        let cut = text.starts_with(&tampered) && tampered.ends_with('\n');
        assert_eq!(run(&["replay", arg(&file)]).code, i32::from(!cut), "{expected}");
    }
}

#[test]
fn a_changed_digest_is_noticed() {
    let file = kuhn("digest");
    let text = fs::read_to_string(&file).unwrap();
    let at = text.find("\"digest\":\"").unwrap() + 10;
    let other = if &text[at..=at] == "0" { "1" } else { "0" };
    let line = text[..at].lines().count();
    fs::write(&file, format!("{}{other}{}", &text[..at], &text[at + 1..])).unwrap();
    let said = run(&["verify", arg(&file)]);
    assert_eq!(said.code, 1);
    assert!(said.err.contains(&format!("line {line}: the digest is")), "{}", said.err);
}

#[test]
fn all_files_are_checked_and_a_missing_one_is_bad_usage() {
    let file = kuhn("several");
    let said = run(&["verify", "/no/such/file", arg(&file)]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("cannot read /no/such/file"), "{}", said.err);
    assert!(said.out.contains("sound"), "{}", said.out);
}

#[test]
fn a_replay_tells_the_story_and_shows_any_table() {
    let file = kuhn("replay");
    let story = run(&["replay", arg(&file)]);
    assert_eq!((story.code, story.err.as_str()), (0, ""));
    assert!(story.out.contains("Seat 0 bets") && story.out.contains("The game is over."), "{}", story.out);
    let start = run(&["replay", arg(&file), "--at", "0"]);
    assert_eq!(start.code, 0, "{}", start.err);
    assert!(start.out.contains("is shuffled"), "{}", start.out);
    let beyond = run(&["replay", arg(&file), "--at", "99"]);
    assert_eq!(beyond.code, 2);
    assert!(beyond.err.contains("events, not 99"), "{}", beyond.err);
}

#[test]
fn eyes_see_what_they_may() {
    let file = kuhn("eyes");
    let at = |eyes: &[&str]| {
        let said = run(&[&["replay", arg(&file), "--at", "3", "--json"], eyes].concat());
        assert_eq!(said.code, 0, "{}", said.err);
        serde_json::from_str::<Value>(&said.out).unwrap()
    };
    let faces = |eyes: &[&str]| at(eyes)["position"]["faces"].as_array().map_or(0, Vec::len);
    assert_eq!(faces(&[]), 3);
    assert_eq!((faces(&["--seat", "0"]), faces(&["--seat", "1"])), (1, 1));
    assert_eq!(faces(&["--spectator"]), 0);
    assert_eq!(at(&[])["digest"], at(&["--spectator"])["digest"]);
    assert_eq!(at(&[])["node"], "decide 0");
    let said = run(&["replay", arg(&file), "--seat", "2"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("the seats 0 to 1, not 2"), "{}", said.err);
}

#[test]
fn events_are_printed_as_json() {
    let file = kuhn("events");
    let said = run(&["replay", arg(&file), "--json"]);
    assert_eq!(said.code, 0);
    let events: Vec<Value> = said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let texts: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(texts[0], "shuffle: deck");
    assert!(texts.contains(&"bet") && texts.contains(&"call"), "{texts:?}");
    assert!(events.iter().enumerate().all(|(i, event)| event["n"] == i + 1));
}
