//! Tokens against plain models of them.

use crate::face::{Face, FaceSet};
use crate::notation::ParseError;
use crate::rng::Rng;
use crate::seat::{Known, Seat};
use crate::size::Sz;
use crate::token::{Back, Token, Zone};
use crate::tokens::{NONE, Tokens};
use std::{fmt, str::FromStr};

/// Six letters; the last three have another back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Letter(u8);

impl Face for Letter {
    type Bits = u8;
    const KINDS: usize = 6;
    fn index(self) -> u8 {
        self.0
    }
    fn nth(index: u8) -> Self {
        Letter(index)
    }
    fn back(self) -> Back {
        Back(self.0 / 3)
    }
}

impl fmt::Display for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", (b'a' + self.0) as char)
    }
}

impl FromStr for Letter {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        (0..6).map(Letter).find(|l| l.to_string() == text).ok_or_else(|| ParseError::new(text, "a letter"))
    }
}

type Some12 = Tokens<Letter, Sz<12, 4>>;

/// Returns `n` tokens a, b, …, f, a, … in zone 0.
fn some(n: u8) -> Some12 {
    let mut tokens = Tokens::new();
    for i in 0..n {
        tokens.add(Letter(i % 6), Zone(0)).unwrap();
    }
    tokens
}

fn bytes(tokens: &Some12) -> Vec<u8> {
    postcard::to_allocvec(tokens).unwrap()
}

#[test]
fn moves_are_those_of_lists() {
    let (mut rng, mut tokens) = (Rng::new(3), some(12));
    let mut model: Vec<Vec<u16>> = vec![(0..12).collect(), vec![], vec![], vec![]];
    for _ in 0..20_000 {
        let (t, z) = (rng.below(12) as u16, rng.below(4) as usize);
        let other = rng.below(4) as usize;
        match rng.below(8) {
            0 => {
                tokens.exchange(Zone(z as u8), Zone(other as u8));
                model.swap(z, other);
            }
            1 if z != other => {
                tokens.put_all(Zone(z as u8), Zone(other as u8));
                let moved = std::mem::take(&mut model[z]);
                model[other].extend(moved);
            }
            kind => {
                model.iter_mut().for_each(|zone| zone.retain(|&u| u != t));
                if kind < 5 {
                    tokens.put(Token(t), Zone(z as u8));
                    model[z].push(t);
                } else {
                    tokens.put_on_top(Token(t), Zone(z as u8));
                    model[z].insert(0, t);
                }
            }
        }
        for (i, expected) in model.iter().enumerate() {
            let zone = Zone(i as u8);
            assert!(tokens.iter(zone).map(|t| t.0).eq(expected.iter().copied()));
            assert_eq!(tokens.len(zone), expected.len());
            assert_eq!(tokens.top(zone).map(|t| t.0), expected.first().copied());
            assert_eq!(tokens.bottom(zone).map(|t| t.0), expected.last().copied());
            assert!(expected.iter().all(|&t| tokens.in_zone(Token(t), zone)));
            assert!(expected.windows(2).all(|w| tokens.below(Token(w[0])) == Some(Token(w[1]))));
        }
    }
}

#[test]
fn a_group_is_not_named_after_a_token_that_leaves_it() {
    let mut tokens = some(6);
    tokens.reissue(&[0, 1, 2], Known::NOBODY);
    tokens.show(Token(0), 0).unwrap();
    // The token that left starts a group of its own; the one it left stays apart.
    tokens.reissue(&[0, 3], Known::NOBODY);
    assert!(tokens.same_group(Token(0), Token(3)) && tokens.same_group(Token(1), Token(2)));
    assert!(!tokens.same_group(Token(0), Token(1)) && !tokens.same_group(Token(3), Token(2)));
    assert_eq!(
        (tokens.count_in_group(Token(0), Letter(3)), tokens.count_in_group(Token(1), Letter(3))),
        (1, 0)
    );
    // A mixing across both makes one group of all their members.
    tokens.reissue(&[2, 3], Known::NOBODY);
    assert!([0, 1, 3].iter().all(|&t| tokens.same_group(Token(2), Token(t))));
    assert!(!tokens.same_group(Token(4), Token(5)), "public tokens are in no group");
}

#[test]
fn names_of_groups_are_given_anew_when_they_run_out() {
    let mut tokens = some(6);
    tokens.reissue(&[0, 1], Known::NOBODY);
    // As after very many shuffles: the next names are the last, and then the first again.
    tokens.groups = 0x8000 - 1;
    tokens.reissue(&[2, 3], Known::NOBODY);
    tokens.groups = u16::MAX - 2;
    tokens.reissue(&[4, 5], Known::NOBODY);
    assert!(tokens.groups <= 3);
    for (a, b) in (0..6).flat_map(|a| (0..6).map(move |b| (a, b))) {
        assert_eq!(tokens.same_group(Token(a), Token(b)), a / 2 == b / 2, "{a} and {b}");
    }
}

#[test]
fn an_arrangement_that_says_nothing_is_the_same_whatever_the_truth() {
    let mut one = some(6);
    one.reissue(&[0, 2, 4], Known::NOBODY);
    let mut other = one;
    other.lay_out(&[0, 2, 4], &[4, 0, 2]);
    one.disarrange();
    other.disarrange();
    assert_eq!(one.face, other.face);
    assert!([0, 2, 4].iter().all(|&f| one.count_in_group(Token(0), Letter(f)) == 1));
    assert_eq!(one.face(Token(5)), Ok(Letter(5)), "public faces stay where they are");
}

#[test]
fn a_mixing_unites_what_was_assured_and_hides_different_backs() {
    let mut tokens = some(6);
    tokens.reissue(&[0, 1], Known::only(Seat(1)));
    assert_eq!((tokens.back(Token(0)), tokens.known(Token(0))), (Back(0), Known::only(Seat(1))));
    assert_eq!(tokens.may(Token(0)), [Letter(0), Letter(1)].into_iter().collect());
    tokens.narrow(Token(0), FaceSet::only(Letter(0)));
    assert!(!tokens.may_be(Token(0), FaceSet::only(Letter(1))));
    tokens.reissue(&[0, 1, 5], Known::NOBODY);
    assert_eq!(tokens.back(Token(0)), Back::HIDDEN);
    assert_eq!(tokens.may(Token(0)).len(), 3);
    assert!(tokens.face(Token(0)).is_err() && tokens.rewrite(Token(0), Letter(2)).is_err());
    assert_eq!(tokens.face(Token(2)), Ok(Letter(2)));
}

#[test]
fn a_face_that_cannot_be_is_refused() {
    let mut tokens = some(6);
    tokens.reissue(&[0, 1, 2], Known::NOBODY);
    assert!(tokens.show(Token(0), 4).is_err(), "not in the group");
    tokens.narrow(Token(0), FaceSet::only(Letter(1)).complement());
    assert!(tokens.show(Token(0), 1).is_err(), "assured not to be");
    tokens.reissue(&[0, 1, 2, 3, 4, 5], Known::NOBODY);
    tokens.show_back(Token(0), Back(1));
    assert!(tokens.show(Token(0), 2).is_err(), "another back");
    tokens.show(Token(0), 5).unwrap();
    assert!(tokens.show(Token(1), 5).is_err(), "there was only one");
}

#[test]
fn numbers_that_are_no_tokens_are_harmless() {
    let mut tokens = some(6);
    for t in [Token(6), Token(11), Token(12), Token(u16::MAX)] {
        assert_eq!(tokens.zone(t), Zone::NOWHERE);
        assert!(tokens.known(t) == Known::NOBODY && !tokens.is_public(t) && !tokens.is_marked(t));
        assert!(tokens.may(t).is_empty() && !tokens.same_group(t, t) && tokens.below(t).is_none());
        assert!(tokens.face(t).is_err_and(|e| e.missing_face().is_none()));
        assert!(tokens.rewrite(t, Letter(0)).is_err());
        tokens.narrow(t, FaceSet::all());
    }
}

/// Random mixings, revelations and rewritings, with the true faces beside: groups stay exact, a refusal
/// can be taken back, the encoding does not depend on the arrangement.
#[test]
fn groups_are_exact_whatever_happens() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let mut tokens = some(12);
        let mut truth: Vec<u8> = (0..12).map(|i| i % 6).collect();
        for _ in 0..60 {
            let mut all: Vec<u16> = (0..12).collect();
            rng.shuffle(&mut all);
            all.truncate(1 + rng.below(5) as usize);
            all.sort_unstable();
            let t = Token(all[0]);
            match rng.below(4) {
                0 | 1 => {
                    let mut faces: Vec<u8> = all.iter().map(|&t| truth[t as usize]).collect();
                    rng.shuffle(&mut faces);
                    all.iter().zip(faces).for_each(|(&t, f)| truth[t as usize] = f);
                    let known = if rng.below(2) == 0 { Known::NOBODY } else { Known::only(Seat(0)) };
                    tokens.reissue(&all, known);
                }
                2 if !tokens.is_public(t) => {
                    let before = (bytes(&tokens), tokens);
                    let undo = tokens.show(t, truth[t.index()]).unwrap();
                    tokens.take_back(&undo);
                    assert_eq!(bytes(&tokens), before.0);
                    assert_eq!(tokens.face.as_ref(), before.1.face.as_ref());
                    tokens.show(t, truth[t.index()]).unwrap();
                }
                3 if tokens.is_public(t) => {
                    truth[t.index()] = rng.below(6) as u8;
                    tokens.rewrite(t, Letter(truth[t.index()])).unwrap();
                }
                _ => {}
            }
            for t in tokens.all() {
                let group = tokens.group[t.index()];
                assert_eq!(tokens.is_public(t), group == NONE);
                assert!(tokens.may(t).has(Letter(truth[t.index()])));
                assert!([Back::HIDDEN, Letter(truth[t.index()]).back()].contains(&tokens.back(t)));
                for face in 0..6 {
                    let members = tokens.all().filter(|u| group != NONE && tokens.group[u.index()] == group);
                    let true_count = members.filter(|u| truth[u.index()] == face).count();
                    assert_eq!(tokens.count_in_group(t, Letter(face)), true_count, "seed {seed}");
                }
            }
        }
        // The same state with the multisets arranged otherwise is the same state.
        let mut other = tokens;
        for i in 0..12 {
            for j in 0..i {
                if tokens.same_group(Token(i), Token(j)) {
                    other.face.swap(i as usize, j as usize);
                }
            }
        }
        assert_eq!(bytes(&tokens), bytes(&other));
        let text = serde_json::to_string(&tokens).unwrap();
        assert_eq!(bytes(&serde_json::from_str::<Some12>(&text).unwrap()), bytes(&tokens));
        assert_eq!(bytes(&postcard::from_bytes::<Some12>(&bytes(&tokens)).unwrap()), bytes(&tokens));
    }
}

#[test]
fn data_that_does_not_hold_together_is_refused() {
    let mut tokens = some(4);
    tokens.reissue(&[0, 1], Known::NOBODY);
    let good = serde_json::to_value(tokens).unwrap();
    let bad = |path: &str, value: serde_json::Value| {
        let mut data = good.clone();
        *data.pointer_mut(path).unwrap() = value;
        serde_json::from_value::<Some12>(data).unwrap_err().to_string()
    };
    use serde_json::json;
    assert!(bad("/zones", json!([[0, 1, 2, 3]])).contains("4 zones"));
    assert!(bad("/zones/1", json!([0])).contains("two places"));
    assert!(bad("/zones/1", json!([99])).contains("no token"));
    assert!(bad("/known", json!([0])).contains("4 entries"));
    assert!(bad("/groups/0/0", json!([0, 0])).contains("two groups"));
    assert!(bad("/groups/0/0", json!([0])).contains("1 tokens and 2 faces"));
    assert!(bad("/groups/0/0", json!([0, 2])).contains("public"));
    assert!(bad("/groups/0/1", json!(["a", "z"])).contains("not a letter"));
    assert!(bad("/faces", json!([])).contains("public tokens"));
    assert!(bad("/faces/0/1", json!("f")).contains("may not be"));
    assert!(bad("/marked", json!([7])).contains("nowhere"));
}

#[test]
fn marking_a_zone_marks_its_tokens_and_no_others() {
    let mut tokens = Tokens::<Letter, Sz<8, 2>>::new();
    let all: Vec<Token> = (0..6).map(|i| tokens.add(Letter(i), Zone(i % 2)).unwrap()).collect();
    tokens.mark(all[1]);
    tokens.mark_zone(Zone(0));
    tokens.mark_zone(Zone(0));
    assert!(all.iter().all(|&t| tokens.is_marked(t) == (tokens.zone(t) == Zone(0) || t == all[1])));
    tokens.unmark_all();
    assert!(!all.iter().any(|&t| tokens.is_marked(t)));
}
