//! The small parts: options, stack, notation, digest, scripts.

use crate::parlour::{Answer, Card, Do, Parlour, ParlourOptions};
use pentarchy_engine::notation::{event_text, nearest, node_text, parse_event, zone_named};
use pentarchy_engine::{Digest, Event, Node, Options, Position, Rng, Seat, Stack, Token, options};
use pentarchy_testkit::conformance::{self, ConformancePlan};
use serde_json::json;

#[test]
fn options_are_set_by_name_within_their_ranges() {
    let mut given = ParlourOptions::default();
    options::set(&mut given, "deck.cake", "6").unwrap();
    options::set(&mut given, "rounds", "2").unwrap();
    assert_eq!(options::to_value(&given).unwrap()["deck"]["cake"], 6);
    let mut wrong = |name: &str, text: &str| options::set(&mut given, name, text).unwrap_err().to_string();
    assert_eq!(wrong("rounds", "9"), "`rounds` cannot be `9`: it takes 1–8");
    assert_eq!(wrong("rounds", "many"), "`rounds` cannot be `many`: it takes 1–8");
    assert_eq!(wrong("round", "1"), "there is no option `round`; did you mean `rounds`?");
    assert!(wrong("tea", "1").contains("there are rounds, hand, deck.rose"));
    assert_eq!(given.rounds, 2, "a refusal changes nothing");
}

#[test]
fn options_from_data_name_what_differs() {
    let read = |value| options::from_value::<ParlourOptions>(&value);
    assert_eq!(read(json!(null)).unwrap(), ParlourOptions::default());
    assert_eq!(read(json!({ "deck": { "fan": 2 } })).unwrap().rounds, 4);
    assert_eq!(read(json!({ "hand": 3 })).unwrap().hand, 3);
    for wrong in [json!(7), json!({ "hand": 99 }), json!({ "deck": { "fans": 2 } }), json!({ "deck": 3 })] {
        assert!(read(wrong.clone()).is_err(), "{wrong}");
    }
}

#[test]
fn options_from_data_reject_unknown_tables_even_if_they_are_empty() {
    let read = |value| options::from_value::<ParlourOptions>(&value);
    let wrong = |value| read(value).unwrap_err().to_string();
    assert_eq!(read(json!({ "deck": {} })).unwrap(), ParlourOptions::default());
    assert!(wrong(json!({ "foo": {} })).starts_with("there is no option `foo`"));
    assert!(wrong(json!({ "deck": { "foo": {} } })).starts_with("there is no option `deck.foo`"));
    assert_eq!(wrong(json!({ "rounds": {} })), "`rounds` cannot be `{}`: it takes 1–8");
    assert!(wrong(json!({ "rounds": { "foo": 1 } })).starts_with("`rounds` cannot be"));
}

#[test]
fn options_that_fit_alone_may_not_fit_together() {
    let mut given = ParlourOptions::default();
    options::set(&mut given, "hand", "5").unwrap();
    for field in ["deck.rose", "deck.lily", "deck.cake"] {
        options::set(&mut given, field, "0").unwrap();
    }
    assert!(
        Position::<Parlour>::new(2, &given)
            .unwrap_err()
            .to_string()
            .contains("2 hands of 5 need more than 8")
    );
    assert!(Position::<Parlour>::new(7, &given).unwrap_err().to_string().contains("2 to 4 seats"));
}

#[test]
fn random_options_are_within_their_ranges() {
    let mut rng = Rng::new(1);
    let mut seen = [false; 9];
    for _ in 0..2_000 {
        let drawn = options::random::<ParlourOptions>(&mut rng).unwrap();
        let value = options::to_value(&drawn).unwrap();
        for field in ParlourOptions::FIELDS {
            let n = options::get(&value, field.name).unwrap().as_i64().unwrap();
            assert!((0..=8).contains(&n), "{} = {n}", field.name);
        }
        seen[usize::from(drawn.rounds)] = true;
    }
    assert!(seen[1..].iter().all(|&s| s), "all numbers of rounds occur: {seen:?}");
}

#[test]
fn a_stack_is_a_list_with_an_end() {
    let mut stack = Stack::<u8, 4>::new();
    assert!((1..=4).all(|i| stack.push(i).is_ok()));
    assert!(stack.push(5).is_err(), "it is full");
    assert_eq!((stack.top(), stack.height(), &stack[..]), (Some(4), 4, &[1, 2, 3, 4][..]));
    assert_eq!((stack.remove(1), stack.remove(9), &stack[..]), (Some(2), None, &[1, 3, 4][..]));
    stack.truncate(usize::MAX);
    stack.truncate(1 << 16);
    assert_eq!(stack.height(), 3);
    stack.truncate(1);
    assert_eq!((stack.pop(), stack.pop(), stack.top()), (Some(1), None, None));
    let read = serde_json::from_str::<Stack<u8, 2>>("[7,8]").unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), "[7,8]");
    assert!(serde_json::from_str::<Stack<u8, 2>>("[7,8,9]").is_err());
    // What lies above the top is no part of it.
    let (mut a, mut b) = (read, Stack::<u8, 2>::new());
    a.clear();
    assert_eq!(a, b);
    b.push(7).unwrap();
    assert_ne!(a, b);
}

#[test]
fn tokens_are_written_in_one_way() {
    assert_eq!("#17".parse(), Ok(Token(17)));
    for wrong in ["17", "#", "#-1", "#+1", "#70000", "# 1", "#1x"] {
        assert!(wrong.parse::<Token>().is_err(), "{wrong}");
    }
    let digest = Digest([0xab; 32]);
    assert_eq!(digest.to_string().parse(), Ok(digest));
    for wrong in ["ab", &"AB".repeat(32), &"+b".repeat(32), &"é".repeat(32)] {
        assert!(wrong.parse::<Digest>().is_err(), "{wrong}");
    }
}

#[test]
fn tokens_from_data_have_no_empty_groups() {
    let mut game = Position::<Parlour>::new(2, &ParlourOptions::default()).unwrap();
    game.script("shuffle: rose lily").unwrap();
    let data = serde_json::to_value(game.state()).unwrap();
    let with_empty_groups = |count: usize| {
        let mut data = data.clone();
        let groups = data["tokens"]["groups"].as_array_mut().unwrap();
        assert!(!groups.is_empty());
        groups.splice(0..0, vec![json!([[], []]); count]);
        serde_json::from_value::<Parlour>(data)
    };
    assert_eq!(serde_json::to_value(with_empty_groups(0).unwrap()).unwrap(), data);
    // The number of the last group would be that of tokens without a group.
    for count in [1, 65_535, 65_536] {
        let error = with_empty_groups(count).unwrap_err().to_string();
        assert!(error.contains("group 0 has no tokens"), "{error}");
    }
}

#[test]
fn near_misses_are_suggested() {
    let words = ["rounds", "hand", "deck.rose"];
    assert_eq!(nearest("ruonds", words.into_iter()), Some("rounds"));
    assert_eq!(nearest("hnd", words.into_iter()), Some("hand"));
    assert_eq!(nearest("table", words.into_iter()), None);
}

#[test]
fn a_game_can_be_spoken() {
    let mut game = Position::<Parlour>::new(2, &ParlourOptions::default()).unwrap();
    assert_eq!(node_text::<Parlour>(game.node()), "shuffle deck");
    assert!(game.script("shuffle: rose rose rose rose rose rose").is_err(), "there are only five");
    assert!(game.script("shuffle: tulip").is_err());
    assert_eq!(game.digest(), Position::<Parlour>::new(2, &ParlourOptions::default()).unwrap().digest());
    let line = game.script("shuffle: rose lily cake cake fan mask rose rose").unwrap();
    assert_eq!(event_text::<Parlour>(Node::Over, line.event), "done:");
    while game.actor().is_none() {
        game.script("").unwrap();
    }
    let mut list = Vec::new();
    game.legal(&mut list).unwrap();
    let said: Vec<String> = list.iter().map(|&a| game.format_action(a)).collect();
    assert_eq!(
        said,
        ["offer rose", "offer lily", "match rose lily", "feast", "ask 1", "swap 1", "peek", "pass"]
    );
    // A neighbour hears of a card, a spectator too.
    assert_eq!(game.view(Seat(0)).format_action(list[0]), "offer rose");
    assert_eq!(game.view(Seat(1)).format_action(list[0]), "offer a card");
    assert_eq!(game.spectator().format_action(list[2]), "match a card a card");
    assert_eq!(game.parse_legal("match  rose lily"), Ok(list[2]));
    assert_eq!(game.parse_legal("offer #0"), Ok(list[0]));
    assert!(game.parse_legal("offer cake").is_err());
    assert_eq!(game.parse_any("offer cake"), Some(Do::Offer(Token(2))));
    assert!(game.play(Do::Offer(Token(2))).unwrap_err().to_string().contains("not of the kind"));
    assert!(game.view(Seat(1)).legal(&mut list).is_err(), "a list is for the seat that is asked");
    assert_eq!(game.format_action(Do::Offer(Token(u16::MAX))), "offer a card");

    assert_eq!(parse_event::<Parlour>("roll: 3"), Ok(Event::Rolled(3)));
    assert_eq!(parse_event::<Parlour>("vote ?"), Ok(Event::Act(Do::Vote(Answer::Sealed))));
    assert_eq!(zone_named::<Parlour>("hand 1"), Some(crate::parlour::hand(Seat(1))));
    assert!("tulip".parse::<Card>().is_err());
}

#[test]
fn a_promise_is_kept_and_a_lie_is_refused_whatever_the_liar_says() {
    let mut game = Position::<Parlour>::new(2, &ParlourOptions::default()).unwrap();
    game.script("shuffle: rose lily cake mask fan mask rose rose").unwrap();
    while game.actor().is_none() {
        game.script("").unwrap();
    }
    let before = game.encode();
    assert!(game.play(Do::Feast).unwrap_err().to_string().contains("only 1 are there"));
    assert!(game.play(Do::Match(Token(0), Token(3))).is_err(), "rose and mask are no pair");
    assert!(game.play(Do::Leave(Token(0))).unwrap_err().to_string().contains("only a mask"));
    assert!(game.play(Do::Leave(Token(4))).unwrap_err().to_string().contains("not the actor's"));
    assert!(game.play(Do::Vote(Answer::Sealed)).is_err());
    assert_eq!(game.encode(), before, "a refused showing is taken back");
    // Seat 1 has a fan and must say so.
    game.play(Do::Ask(Seat(1))).unwrap();
    assert_eq!(game.node(), Node::Declare(Seat(1)));
    assert!(game.play(Do::Rest).unwrap_err().to_string().contains("denied"));
    game.play(Do::Show(Token(4))).unwrap();
    game.play(Do::Rest).unwrap();
}

/// The digest of a fixed game: it changes with the rules of Parlour or with the engine, never with the
/// machine.
#[test]
fn digests_are_the_same_on_every_machine() {
    let mut game = Position::<Parlour>::new(3, &ParlourOptions::default()).unwrap();
    let start = game.digest();
    let (mut rng, mut list) = (Rng::new(2026), Vec::new());
    for _ in 0..10 {
        game.settle(&mut rng, &mut list).unwrap();
        game.legal(&mut list).unwrap();
        let action = *rng.choose(&list).unwrap();
        game.play(action).unwrap();
    }
    let middle = game.digest();
    game.playout(&mut rng, &mut list).unwrap();
    let seen = [start, middle, game.digest()].map(|d| d.to_string()[..16].to_string());
    assert_eq!(seen, ["96cbb53a90a3cf72", "9eb0e8c068135db9", "4d49cfc237bdafcc"]);
    assert_eq!(game.spectator().digest(), game.digest());
    assert_eq!(game.view(Seat(1)).digest(), game.digest());
}

#[test]
fn a_plan_plays_what_it_says() {
    let report = conformance::run::<Parlour>(&ConformancePlan::only(2, 7)).unwrap();
    assert_eq!(report.games, 1);
    let report =
        conformance::run::<Parlour>(&ConformancePlan { seats: Some(4), ..ConformancePlan::quick().games(3) })
            .unwrap();
    assert_eq!(report.games, 3);
}
