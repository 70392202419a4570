//! Replaying and verifying records, sound and tampered with.

use crate::common::{arg, folder, run, talk};
use pentarchy_keys::{Entropy, SigningSecret};
use pentarchy_table::{Descriptor, Input, PeerSession, SessionOutput, SessionRequest, TablePlayer};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// Plays a game of Kuhn poker to its end in a new folder of this name and returns the file of its record.
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
    assert!(start.out.contains("must be shuffled"), "{}", start.out);
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

/// Plays a game of Kuhn poker between peers and returns the file of its signed record, in a new folder of this name,
/// and the content of the file.
fn signed(name: &str) -> (PathBuf, Vec<u8>) {
    let file = folder(name).join("kuhn.table");
    let said = run(&["peers", "kuhn", "--seeds", "3..4", "--record", arg(&file)]);
    assert_eq!(said.code, 0, "{}", said.err);
    let bytes = fs::read(&file).unwrap();
    (file, bytes)
}

#[test]
fn a_signed_record_is_verified_and_replayed_like_any_other() {
    let (file, _) = signed("signed");
    let said = run(&["verify", arg(&file)]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    assert!(said.out.contains("signed by Player 0 and Player 1; won by Player"), "{}", said.out);
    let story = run(&["replay", arg(&file)]);
    assert_eq!((story.code, story.err.as_str()), (0, ""));
    for words in ["signatures and", "signed by Player 0 and Player 1", "Player 0 is dealt a card.", "is over"]
    {
        assert!(story.out.contains(words), "{words}: {}", story.out);
    }
    // What nobody has shown is not in it: nobody's hand can be looked at.
    let start = run(&["replay", arg(&file), "--at", "3", "--json"]);
    let start: Value = serde_json::from_str(&start.out).unwrap();
    assert_eq!((start["observer"].as_str(), start["node"].as_str()), (Some("spectator"), Some("decide 0")));
    assert_eq!(start["position"]["faces"].as_array().map_or(0, Vec::len), 0);
    let hand = run(&["replay", arg(&file), "--seat", "0"]);
    assert_eq!(hand.code, 2);
    assert!(hand.err.contains("public information only"), "{}", hand.err);
    let resumed = run(&["play", "--resume", arg(&file)]);
    assert_eq!(resumed.code, 2);
    assert!(resumed.err.contains("signed record of a table"), "{}", resumed.err);
}

#[test]
fn a_trace_has_a_line_for_every_event_of_a_signed_record() {
    let (file, _) = signed("trace");
    let said = run(&["trace", arg(&file)]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let lines: Vec<Value> = said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let replayed = run(&["replay", arg(&file), "--json"]);
    let events: Vec<Value> = replayed.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), events.len() + 2);
    assert_eq!((lines[0]["trace"].as_u64(), lines[0]["game"].as_str()), (Some(1), Some("kuhn")));
    // The digest of a line is that before its event; the last line has that of the end.
    for (i, event) in events.iter().enumerate() {
        assert_eq!(lines[i + 1]["event"], event["event"]);
        assert_eq!(lines[i + 2]["digest"], event["digest"]);
    }
    let last = &lines[lines.len() - 1];
    assert_eq!(last["node"]["kind"], "over");
    assert_eq!(last["winners"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_game_that_was_stopped_leaves_a_record_and_a_trace() {
    let file = folder("stopped").join("numeral.table");
    let said = run(&[
        "peers",
        "numeral",
        "--seats",
        "2",
        "--seeds",
        "0..1",
        "--events",
        "10",
        "--record",
        arg(&file),
    ]);
    assert_eq!(said.code, 0, "{}", said.err);
    let strict = run(&["verify", arg(&file)]);
    assert_eq!(strict.code, 1);
    assert!(strict.err.contains("not finished"), "{}", strict.err);
    assert_eq!(run(&["verify", "--unfinished", arg(&file)]).code, 0);
    let trace = run(&["trace", arg(&file)]);
    assert_eq!((trace.code, trace.out.lines().count()), (0, 12), "{}", trace.err);
}

#[test]
fn a_damaged_signed_record_is_refused_with_the_place_and_the_reason() {
    let (file, bytes) = signed("damaged");
    let refused = |bytes: &[u8], expected: &str| {
        fs::write(&file, bytes).unwrap();
        for command in ["replay", "verify"] {
            let said = run(&[command, arg(&file)]);
            assert_eq!((said.code, said.out.as_str()), (1, ""), "{expected}: {}", said.err);
            assert!(said.err.contains(expected), "{expected}: {}", said.err);
        }
    };
    refused(&bytes[..bytes.len() / 2], "it breaks off");
    refused(&[&bytes[..], b"more"].concat(), "something follows its end");
    let mut late = bytes.clone();
    *late.last_mut().unwrap() ^= 1;
    refused(&late, "");
    // Another player's name, of the same length, is another table: nothing that was signed there holds here.
    let mut renamed = bytes.clone();
    let at = renamed.windows(8).position(|word| word == b"Player 0").unwrap();
    renamed[at..at + 8].copy_from_slice(b"Somebody");
    refused(&renamed, "after event 0: ");
    let mut changed = bytes.clone();
    let at = bytes.len() - 200;
    changed[at] ^= 1;
    refused(&changed, "after event ");
}

#[test]
fn a_record_says_who_did_not_wait_for_whom() {
    let game = pentarchy_registry::find("kuhn").unwrap();
    let identities = [1, 2].map(|i| SigningSecret::from_bytes(&[i; 32]));
    let players = ["Ada", "Bob"].iter().zip(&identities).map(|(name, identity)| TablePlayer {
        identity: *identity.public().bytes(),
        name: (*name).into(),
        host: None,
    });
    let table = Descriptor::new(game, &Value::Null, players.collect(), [3; 32]).unwrap();
    let (mut seats, mut sent) = (Vec::new(), Vec::new());
    for (seat, identity) in identities.iter().enumerate() {
        let (session, said) =
            PeerSession::new(game, table.clone(), seat as u8, identity, [4; 32], Entropy::new([5; 32]))
                .unwrap();
        seats.push(session);
        sent.extend(said.into_iter().map(|output| (seat, output)));
    }
    while !sent.is_empty() {
        let (seat, output) = sent.remove(0);
        if let SessionOutput::Request(SessionRequest::Send { bytes, .. }) = output {
            let said = seats[1 - seat].handle(Input::Message { from: 0, bytes: &bytes });
            sent.extend(said.into_iter().map(|output| (1 - seat, output)));
        }
    }
    // Ada is to decide, and does not.
    for now_ms in [1, 1 + u64::from(table.stall_ms)] {
        seats[1].handle(Input::Tick { now_ms });
    }
    seats[1].handle(Input::GiveUp);
    let file = folder("claimed").join("kuhn.table");
    fs::write(&file, seats[1].record().encode()).unwrap();
    let claim = "not finished; Bob has signed not to wait any longer for Ada";
    let said = run(&["verify", arg(&file)]);
    assert!(said.code == 1 && said.err.contains(claim), "{}", said.err);
    let said = run(&["verify", "--unfinished", arg(&file)]);
    assert!(said.code == 0 && said.out.contains(claim), "{}{}", said.out, said.err);
}
