//! Records: written, read, replayed to any point; tampering is reported with its line.

use crate::parlour::{Parlour, ParlourOptions};
use pentarchy_engine::record::{Record, RecordError, RecordKind, Replay, verify};
use pentarchy_engine::{Digest, Node, Observer, Position, Rng, Seat};

/// A full record of a random game, and the digests along the way.
fn play(seats: u8, seed: u64) -> (Record, Vec<Digest>) {
    let options = ParlourOptions::default();
    let mut game = Position::<Parlour>::new(seats, &options).unwrap();
    let mut record = Record::new::<Parlour>(seats, &options, Some(seed)).unwrap();
    let (mut rng, mut list) = (Rng::new(seed), Vec::new());
    let mut digests = vec![game.digest()];
    while game.node() != Node::Over {
        let node = game.node();
        let line = if game.actor().is_some() {
            game.legal(&mut list).unwrap();
            game.play_line(*rng.choose(&list).unwrap()).unwrap()
        } else {
            game.resolve_line(&mut rng).unwrap()
        };
        record.push::<Parlour>(node, &line, game.digest());
        digests.push(game.digest());
    }
    (record, digests)
}

fn check(text: &str) -> Result<(), RecordError> {
    verify::<Parlour>(&Record::read(text.as_bytes())?).map(|_| ())
}

#[track_caller]
fn refused(text: &str, line: usize, because: &str) {
    let error = check(text).unwrap_err();
    assert!(error.line == line && error.what.contains(because), "{error} (expected line {line}: {because})");
}

/// The text with one line changed.
fn with(text: &str, line: usize, change: impl Fn(&str) -> String) -> String {
    let lines = text.lines().enumerate();
    lines.map(|(i, l)| if i + 1 == line { change(l) } else { l.to_string() } + "\n").collect()
}

/// The number of the first line that contains this.
fn find(text: &str, part: &str) -> usize {
    text.lines().position(|l| l.contains(part)).unwrap() + 1
}

#[test]
fn a_record_replays_to_any_point_with_each_ones_eyes() {
    let (record, digests) = play(3, 5);
    for kind in [RecordKind::Full, RecordKind::Seat(Seat(2)), RecordKind::Public] {
        let cut = Record::read(record.cut(kind).unwrap().text().as_bytes()).unwrap();
        for at in [0, 1, digests.len() / 2, digests.len() - 1] {
            let mut replay = Replay::<Parlour>::start(&cut).unwrap();
            let there = replay.to(at).unwrap();
            assert_eq!(there.digest(), digests[at]);
            assert!(there.holds_exactly_its_faces());
        }
    }
    // A seat's eyes on the full record see what its own record tells.
    let own = record.cut(RecordKind::Seat(Seat(1))).unwrap();
    let mut from_full = Replay::<Parlour>::start_as(&record, RecordKind::Seat(Seat(1))).unwrap();
    let mut from_own = Replay::<Parlour>::start(&own).unwrap();
    while from_own.step().unwrap().is_some() {
        from_full.step().unwrap();
        let (a, b) = (from_full.position(), from_own.position());
        assert_eq!(a.observer(), Observer::Seat(Seat(1)));
        assert!((0..34).map(pentarchy_engine::Token).all(|t| a.face(t) == b.face(t)));
    }
    assert_eq!(from_full.done(), record.entries.len());
}

#[test]
fn a_saved_game_goes_on() {
    let (mut record, digests) = play(2, 8);
    record.entries.truncate(20);
    let saved = Record::read(record.text().as_bytes()).unwrap();
    let mut replay = Replay::<Parlour>::start(&saved).unwrap();
    replay.to(usize::MAX).unwrap();
    let mut game = replay.into_position();
    assert_eq!(game.digest(), digests[20]);
    game.playout(&mut Rng::new(1), &mut Vec::new()).unwrap();
    let error = verify::<Parlour>(&saved).unwrap_err();
    assert_eq!((error.line, error.what.starts_with("the record breaks off here")), (21, true), "{error}");
}

#[test]
fn the_public_record_tells_neither_seed_nor_secrets() {
    let (record, _) = play(4, 3);
    let text = record.cut(RecordKind::Public).unwrap().text();
    for secret in ["seed", "annexes", "learned", "order", "sealed", "vote yes", "vote no"] {
        assert!(!text.contains(secret), "the public record tells {secret}");
    }
    let seats = record.cut(RecordKind::Seat(Seat(0))).unwrap();
    assert!(!seats.text().contains("seed") && seats.text().contains("vote "));
    assert!(seats.entries.iter().flat_map(|e| &e.annexes).all(|a| a.to == Some(Seat(0))));
    assert_eq!(seats.cut(RecordKind::Public).unwrap(), record.cut(RecordKind::Public).unwrap());
    assert!(seats.cut(RecordKind::Seat(Seat(1))).is_err() && seats.cut(RecordKind::Full).is_err());
}

#[test]
fn tampering_is_noticed_and_the_line_is_named() {
    let (record, _) = play(3, 11);
    let text = record.text();
    check(&text).unwrap();
    let end = text.lines().count();

    refused("", 1, "empty");
    refused(&text[..text.len() - 20], end, "breaks off");
    refused(&with(&text, 10, |_| "{}".to_string()), 10, "missing field");
    refused(&with(&text, 10, |l| l.replacen("\"n\":9", "\"n\":8", 1)), 10, "stands where 9 should");
    refused(&with(&text, 10, |l| l.replacen("\"n\":9", "\"n\":9,\"x\":1", 1)), 10, "unknown field");
    refused(&with(&text, 10, |l| l.replacen("\"n\":9", "\"n\": 9", 1)), 10, "not written as");
    let missing: String =
        text.lines().take(9).chain(text.lines().skip(10)).map(|l| format!("{l}\n")).collect();
    refused(&missing, 10, "stands where 9 should");

    let digest = record.entries[14].digest.clone();
    refused(&with(&text, 16, |l| l.replace(&digest, &record.entries[13].digest)), 16, "the digest is");
    let turn = find(&text, "\"pass\"").min(find(&text, "\"peek\""));
    refused(
        &with(&text, turn, |l| l.replacen("\"pass\"", "\"rest\"", 1).replacen("\"peek\"", "\"rest\"", 1)),
        turn,
        "is refused",
    );
    refused(
        &with(&text, turn, |l| l.replacen("\"pass\"", "\"dance\"", 1).replacen("\"peek\"", "\"dance\"", 1)),
        turn,
        "is not offer CARD, match FIRST SECOND",
    );
    let ballots = find(&text, "reveal: ballots");
    let other_vote = |l: &str| {
        let (from, to) = if l.contains("[\"yes#") { ("[\"yes#", "[\"no#") } else { ("[\"no#", "[\"yes#") };
        l.replacen(from, to, 1)
    };
    refused(&with(&text, ballots, other_vote), ballots, "is refused");
    refused(
        &with(&text, ballots, |l| l.replacen("reveal: ballots", "reveal: deck", 1)),
        ballots,
        "awaited is reveal ballots to all",
    );
    let vote = find(&text, "vote ?");
    refused(
        &with(&text, vote, |l| l.replacen("\"sealed\":\"vote ", "\"sealed\":\"ask ", 1)),
        vote,
        "is not ask SEAT",
    );
    refused(&with(&text, 2, |l| l.replacen("\"order\":[", "\"order\":[77,", 1)), 2, "not an order");

    refused(&with(&text, 1, |l| l.replacen("\"parlour\"", "\"kuhn\"", 1)), 1, "a game of kuhn");
    refused(&with(&text, 1, |l| l.replacen("\"rules\":1", "\"rules\":9", 1)), 1, "rules 9");
    refused(&with(&text, 1, |l| l.replacen("\"pentarchy\":1", "\"pentarchy\":2", 1)), 1, "format 2");
    refused(&with(&text, 1, |l| l.replacen("\"seats\":3", "\"seats\":5", 1)), 1, "seats");
    refused(&with(&text, 1, |l| l.replacen("\"rose\":5", "\"rose\":99", 1)), 1, "deck.rose");
    refused(&with(&text, 1, |l| l.replacen("\"rose\":5", "\"rosa\":5", 1)), 1, "did you mean");
    refused(&with(&text, 1, |l| l.replacen("\"full\"", "\"public\"", 1)), 1, "seed");
    let stolen = with(&text, 1, |l| l.replacen("\"full\",\"seed\":11", "{\"seat\":1}", 1));
    refused(&stolen, 2, "an annex for nature does not belong");
    refused(&format!("{text}{}\n", "x".repeat(1 << 20)), end + 1, "too long");
    let mut bytes = text.clone().into_bytes();
    let place = text.lines().take(4).map(|l| l.len() + 1).sum::<usize>() + 3;
    bytes[place] = 0xff;
    assert_eq!(Record::read(&bytes[..]).unwrap_err().line, 5);
}

#[test]
fn no_byte_of_a_public_record_can_be_changed() {
    let (record, _) = play(2, 4);
    let text = record.cut(RecordKind::Public).unwrap().text();
    let mut rng = Rng::new(4);
    for _ in 0..1_500 {
        let mut bytes = text.clone().into_bytes();
        let place = rng.below(bytes.len() as u32) as usize;
        let old = bytes[place];
        bytes[place] = b' ' + rng.below(95) as u8;
        // The last line break says nothing; a record may be without it.
        if bytes[place] != old && place + 1 < text.len() {
            let read = Record::read(&bytes[..]).and_then(|r| verify::<Parlour>(&r));
            let line = text[..place].matches('\n').count() + 1;
            let named = read.as_ref().is_err_and(|e| e.line.abs_diff(line) <= 1 || line == 1);
            assert!(named, "byte {place} in line {line}: {read:?}");
        }
    }
}
