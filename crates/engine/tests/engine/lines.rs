//! Lines that were tampered with: every observer who can know refuses them, and nothing changes.

use crate::parlour::{Answer, Card, Do, Parlour, ParlourOptions};
use pentarchy_engine::{
    Back, Event, Face, LoggedEventOf, Node, Observer, Position, Rng, RuleError, Seat, Token,
};

type ErasedPosition = Position<Parlour>;

/// The line as this observer gets it.
fn addressed(line: &LoggedEventOf<Parlour>, to: &ErasedPosition) -> LoggedEventOf<Parlour> {
    match to.observer() {
        Observer::All => line.clone(),
        Observer::Seat(seat) => line.for_seat(Some(seat)),
        Observer::Spectator => line.for_seat(None),
    }
}

/// The observer refuses the line and is as before.
#[track_caller]
fn refuses(seen: &ErasedPosition, line: &LoggedEventOf<Parlour>, what: &str) -> RuleError {
    let mut copy = seen.clone();
    let Err(why) = copy.apply(&addressed(line, seen)) else {
        panic!("{:?} follows {line:?} although {what}", seen.observer());
    };
    assert_eq!(copy.encode(), seen.encode());
    assert!(copy.holds_exactly_its_faces() && copy.node() == seen.node());
    why
}

/// What can be wrong with a line that this node awaits.
fn tamper(
    node: Node,
    line: &LoggedEventOf<Parlour>,
    all: &[ErasedPosition],
    rng: &mut Rng,
    tried: &mut [u32; 9],
) {
    let game = &all[0];
    for seen in all {
        let mut wrong = line.clone();
        wrong.event = match line.event {
            Event::Act(_) => Event::Done,
            Event::Rolled(_) => Event::Rolled(99),
            Event::Done => Event::Act(Do::Pass),
        };
        refuses(seen, &wrong, "something else is awaited");
        tried[0] += 1;

        if let Some(&(t, face)) = line.shown.first() {
            let mut wrong = line.clone();
            wrong.shown.remove(0);
            let why = refuses(seen, &wrong, "a face is missing");
            assert_eq!(why.missing_face(), Some(t), "the observer waits for it");
            tried[1] += 1;
            let mut wrong = line.clone();
            wrong.shown[0].1 = Card::nth((face.index() + 1) % 6);
            let knows = seen.face(t).is_some();
            let mut copy = seen.clone();
            let believed = copy.apply(&addressed(&wrong, seen)).is_ok();
            assert!(!(believed && knows), "{t} is {face}, not {}", wrong.shown[0].1);
            tried[2] += 1;
        }
        let mut wrong = line.clone();
        let hidden =
            game.state_tokens().find(|&t| game.face(t).is_some() && wrong.shown.iter().all(|s| s.0 != t));
        if let Some((t, face)) = hidden.and_then(|t| Some((t, game.face(t)?))) {
            wrong.shown.push((t, face));
            wrong.shown.sort_unstable_by_key(|s| s.0);
            refuses(seen, &wrong, "it shows more than is awaited");
            tried[3] += 1;
        }
        if let Some(&(t, back)) = line.backs.first() {
            let mut wrong = line.clone();
            wrong.backs[0].1 = Back(77);
            refuses(seen, &wrong, "no card has such a back");
            wrong.backs[0] = (Token(33), back);
            refuses(seen, &wrong, &format!("{t} is awaited"));
            tried[4] += 1;
        }
        for (i, annex) in line.annexes.iter().enumerate() {
            let reads = seen.observer() == Observer::All
                || annex.to.is_some_and(|seat| seen.observer() == Observer::Seat(seat));
            if !reads {
                continue;
            }
            let mut wrong = line.clone();
            wrong.annexes.remove(i);
            refuses(seen, &wrong, "its own annex is missing");
            tried[5] += 1;
            let mut wrong = line.clone();
            if annex.order.len() > 1 {
                wrong.annexes[i].order[0] = wrong.annexes[i].order[1];
                refuses(seen, &wrong, "this is no permutation");
                wrong.annexes[i].order.pop();
                refuses(seen, &wrong, "the order is too short");
                tried[6] += 1;
            } else if let Some(learned) = wrong.annexes[i].learned.first_mut() {
                learned.1 = Card::Yes;
                refuses(seen, &wrong, "no card can be a vote");
                tried[7] += 1;
            } else if let Some(sealed) = &mut wrong.annexes[i].sealed {
                *sealed = Do::Pass;
                refuses(seen, &wrong, "the sealed choice belongs to another action");
                let mut open = line.clone();
                open.event = Event::Act(Do::Vote(if rng.below(2) == 0 { Answer::Yes } else { Answer::No }));
                refuses(seen, &open, "the vote is not sealed");
                tried[8] += 1;
            }
        }
    }
    assert_ne!(node, Node::Over);
}

/// All tokens that are in the game, public or not.
trait StateTokens {
    fn state_tokens(&self) -> Box<dyn Iterator<Item = Token> + '_>;
}
impl StateTokens for ErasedPosition {
    fn state_tokens(&self) -> Box<dyn Iterator<Item = Token> + '_> {
        use pentarchy_engine::Game;
        Box::new(self.state().tokens().all().filter(|&t| !self.state().tokens().is_public(t)))
    }
}

#[test]
fn tampered_lines_are_refused_by_everybody_who_can_know() {
    let (mut tried, mut list) = ([0; 9], Vec::new());
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        let game = ErasedPosition::new(3, &ParlourOptions::default()).unwrap();
        let mut all: Vec<ErasedPosition> = vec![game.clone(), game.spectator()];
        all.extend((0..3).map(|s| game.view(Seat(s))));
        while all[0].node() != Node::Over {
            let (node, mut next) = (all[0].node(), all[0].clone());
            let line = if next.actor().is_some() {
                next.legal(&mut list).unwrap();
                next.play_line(*rng.choose(&list).unwrap()).unwrap()
            } else {
                next.resolve_line(&mut rng).unwrap()
            };
            tamper(node, &line, &all, &mut rng, &mut tried);
            for seen in &mut all {
                seen.apply(&addressed(&line, seen)).unwrap();
            }
        }
    }
    assert!(tried.iter().all(|&n| n > 50), "{tried:?}");
}

#[test]
fn only_whoever_knows_everything_can_play_for_nature() {
    let game = ErasedPosition::new(2, &ParlourOptions::default()).unwrap();
    for mut seen in [game.view(Seat(0)), game.spectator()] {
        assert!(seen.resolve(&mut Rng::new(1)).is_err());
        assert!(seen.play(Do::Pass).is_err(), "nobody is asked");
        assert_eq!(seen.encode(), game.encode());
    }
    let mut game = game;
    assert!(game.resolve_with(0, Some(vec![0, 0])).is_err());
    assert!(game.resolve_with(0, Some(vec![1, 0])).is_err(), "the deck has more cards");
}
