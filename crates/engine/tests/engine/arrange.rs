//! Positions laid out by hand are consistent: no observer gets false information, and every
//! group has exactly the faces of its members.

use crate::pantry::{DECK, Pantry, TABLE, WISHES, hand};
use pentarchy_engine::{Back, Game, Known, Node, Position, Rng, Seat, Token, Zone};
use pentarchy_testkit::arrange::{
    Laid, Layout, Rest, check_faces, known_text, laid_from, lay_out, with_state,
};

fn start(seed: u64) -> Position<Pantry> {
    let mut position = Position::<Pantry>::new(2, &Default::default()).unwrap();
    position.settle(&mut Rng::new(seed), &mut Vec::new()).unwrap();
    position
}

fn layout(zone: Zone, entries: &str) -> Layout<crate::pantry::Thing> {
    let more = entries.ends_with("...");
    let entries = entries.trim_end_matches("...").split_whitespace();
    let tokens = entries.flat_map(|e| laid_from(&e.replace('*', " "), 2).unwrap()).collect();
    Layout { zone, tokens, more }
}

fn lay(position: &mut Position<Pantry>, zones: &[(Zone, &str)]) {
    let layouts: Vec<_> = zones.iter().map(|(z, entries)| layout(*z, entries)).collect();
    lay_out(position, &layouts, &Rest::default()).unwrap();
}

fn faces(position: &Position<Pantry>, zone: Zone) -> String {
    let tokens = position.state().tokens();
    let text = |t: Token| {
        format!("{}@{}", position.face(t).map_or("?".into(), |f| f.to_string()), known_text(tokens.known(t)))
    };
    tokens.iter(zone).map(text).collect::<Vec<_>>().join(" ")
}

fn backs(position: &Position<Pantry>, zone: Zone) -> Vec<Back> {
    position.state().tokens().iter(zone).map(|t| position.state().tokens().back(t)).collect()
}

#[test]
fn zones_hold_what_is_listed_and_are_known_as_usual() {
    let mut position = start(1);
    lay(&mut position, &[(hand(Seat(0)), "apple knife@all fork@0,1 pear@none"), (TABLE, "pear fork@1")]);
    assert_eq!(faces(&position, hand(Seat(0))), "apple@0 knife@all fork@0,1 pear@none");
    assert_eq!(faces(&position, TABLE), "pear@all fork@1");
    lay(&mut position, &[(DECK, "knife 2*apple ...")]);
    assert!(faces(&position, DECK).starts_with("knife@none apple@none apple@none "));
    lay(&mut position, &[(hand(Seat(1)), "")]);
    assert_eq!(faces(&position, hand(Seat(1))), "");
}

#[test]
fn displaced_tokens_go_where_the_others_came_from_or_where_it_is_said() {
    let mut position = start(2);
    lay(&mut position, &[(hand(Seat(1)), "apple")]); // So that both knives lie in the deck or the hand.
    let before = position.state().tokens().len(DECK);
    let held = position.state().tokens().len(hand(Seat(0)));
    lay(&mut position, &[(hand(Seat(0)), "2*knife")]);
    assert_eq!(position.state().tokens().len(DECK), before + held - 2);
    let rest = Rest { all: None, each: vec![(hand(Seat(0)), TABLE)] };
    lay_out(&mut position, &[layout(hand(Seat(0)), "fork")], &rest).unwrap();
    assert_eq!(faces(&position, TABLE), "knife@all knife@all");
    // The pile that takes the rest is the first to give.
    lay_out(&mut position, &[layout(hand(Seat(0)), "knife")], &rest).unwrap();
    assert_eq!(faces(&position, TABLE), "knife@all fork@all");
    let all = [(DECK, ""), (TABLE, ""), (hand(Seat(0)), ""), (hand(Seat(1)), ""), (WISHES, "")];
    let all: Vec<_> = all.iter().map(|(z, entries)| layout(*z, entries)).collect();
    let refused = lay_out(&mut position, &all, &Rest::default()).unwrap_err();
    assert!(refused.to_string().contains("name one with `rest`"), "{refused}");
    assert_eq!(faces(&position, TABLE), "knife@all fork@all", "a refusal changes nothing");
}

#[test]
fn a_category_is_public_only_where_it_is_shown_or_all_share_it() {
    let mut position = start(3);
    // Nobody has seen backs in the hands yet, and the deck is mixed.
    lay(&mut position, &[(hand(Seat(0)), "apple knife knife+back")]);
    assert_eq!(backs(&position, hand(Seat(0))), [Back::HIDDEN, Back::HIDDEN, Back(2)]);
    let shown = position.state().tokens().bottom(hand(Seat(0))).unwrap();
    assert!(!position.state().tokens().may(shown).has(crate::pantry::Thing::Apple));
    // A hand whose backs all show keeps that custom.
    lay(&mut position, &[(hand(Seat(0)), "fork+back")]);
    lay(&mut position, &[(hand(Seat(0)), "apple pear")]);
    assert_eq!(backs(&position, hand(Seat(0))), [Back(1), Back(1)]);
    // Tokens that were public and are hidden together share their back with their group.
    let mut position = Position::<Pantry>::new(2, &Default::default()).unwrap();
    lay(&mut position, &[(hand(Seat(1)), "knife fork apple"), (TABLE, "pear")]);
    assert_eq!(backs(&position, hand(Seat(1))), [Back(2), Back(2), Back(1)]);
    assert_eq!(faces(&position, hand(Seat(1))), "knife@1 fork@1 apple@1");
    let tokens = position.state().tokens();
    let held: Vec<Token> = tokens.iter(hand(Seat(1))).collect();
    assert!(tokens.same_group(held[0], held[1]) && !tokens.same_group(held[0], held[2]));
}

#[test]
fn a_secret_choice_stays_where_it_is() {
    let mut position = start(4);
    position.play(position.parse_legal("wish yes").unwrap()).unwrap();
    lay(&mut position, &[(WISHES, "apple"), (hand(Seat(0)), "knife")]);
    assert_eq!(faces(&position, WISHES), "yes@0 apple@none");
}

/// Lays out random things at random moments: the position is sound, views and determinizations of it are
/// whole, and it plays on to the end.
#[test]
fn whatever_is_laid_out_is_sound_and_plays_on() {
    let mut rng = Rng::new(11);
    let mut list = Vec::new();
    let (mut laid_out, mut refused) = (0, 0);
    for round in 0..3_000u64 {
        let mut position = start(round);
        for _ in 0..rng.below(12) {
            position.settle(&mut rng, &mut list).unwrap();
            if position.node() == Node::Over {
                break;
            }
            position.legal(&mut list).unwrap();
            let action = *rng.choose(&list).unwrap();
            position.play(action).unwrap();
        }
        position.settle(&mut rng, &mut list).unwrap();
        let mut layouts = Vec::new();
        for zone in [hand(Seat(0)), hand(Seat(1)), DECK, TABLE] {
            if rng.below(2) == 0 {
                continue;
            }
            // The rules rely on players knowing their own hands.
            let someone = position.state().owner(zone).map_or(Known::NOBODY, Known::only);
            let known = [None, Some(Known::PUBLIC), Some(someone), Some(someone.and(Seat(1)))];
            let things = ["apple", "pear", "knife", "fork"];
            let tokens = (0..rng.below(5)).map(|_| Laid {
                face: rng.choose(&things).unwrap().parse().unwrap(),
                known: *rng.choose(&known).unwrap(),
                back: rng.below(4) == 0,
            });
            layouts.push(Layout { zone, tokens: tokens.collect(), more: rng.below(3) == 0 });
        }
        let before = position.digest();
        if let Err(e) = lay_out(&mut position, &layouts, &Rest::default()) {
            let expected = e.to_string().contains("left for the") || e.to_string().contains("`rest`");
            assert!(expected, "{e}");
            assert_eq!(position.digest(), before);
            refused += 1;
            continue;
        }
        laid_out += 1;
        check_faces(&position).unwrap();
        for layout in &layouts {
            let tokens = position.state().tokens();
            let there: Vec<_> = tokens.iter(layout.zone).map(|t| position.face(t)).collect();
            let wanted: Vec<_> = layout.tokens.iter().map(|l| Some(l.face)).collect();
            assert!(there.starts_with(&wanted) && (layout.more || there.len() == wanted.len()));
        }
        for view in [position.view(Seat(0)), position.view(Seat(1)), position.spectator()] {
            assert!(view.holds_exactly_its_faces());
            assert_eq!(view.digest(), position.digest());
            let whole = view.determinize(&mut rng);
            check_faces(&whole).unwrap();
        }
        let data = serde_json::to_value(position.state()).unwrap();
        let again: Pantry = serde_json::from_value(data).unwrap();
        assert_eq!(with_state(&position, again).unwrap().digest(), position.digest());
        position.playout(&mut rng, &mut list).unwrap();
        check_faces(&position).unwrap();
    }
    assert!(laid_out > 1_000 && refused > 100, "{laid_out} laid out, {refused} refused");
}
