//! Checks the guided first games natively: a learner who follows the guide reaches its end.

use crate::board::Board;
use crate::games::with_games;
use crate::gesture::AND;
use crate::guide::{GuideTarget, Shows};
use pentarchy_bots::{Level, Spec};
use pentarchy_engine::{Node, Position, Rng, Seat, options};

/// At most this many events until the guide has ended.
const MOST_EVENTS: u64 = 2000;

/// Follows the guide as the page does: each card is read, then what it points at is chosen. Returns the last position and
/// the moves of the learner.
pub(super) fn follow<G: Board>() -> (Position<G>, Vec<String>) {
    let (guide, deal) = (&G::GUIDE, G::GUIDE.deal);
    let title = G::INFO.title;
    for step in guide.steps {
        let words = step.text.split_whitespace().count();
        assert!(words <= 25, "{title}: {words} words in \"{}\"", step.text);
        // The same text is read with a mouse and on a touch screen.
        assert!(!step.text.to_lowercase().contains("click"), "{title}: \"{}\"", step.text);
    }
    let options: G::Options = options::from_value(&(deal.options)()).unwrap();
    let mut position = Position::<G>::new(deal.seats, &options).unwrap();
    let level: Level = deal.bots.parse().unwrap();
    let (learner, mut from, mut list) = (Seat(0), 0, Vec::new());
    let (mut seen, mut moves, mut unguided) = (Vec::new(), Vec::new(), 0);
    let mut events = 0u64;
    while events < MOST_EVENTS {
        let view = position.view(learner);
        if let Some(card) = guide.card(&view, learner, from) {
            match card.target.clone() {
                GuideTarget::End => break,
                GuideTarget::Part(_) => {}
                GuideTarget::Piece(key) => {
                    assert!(
                        key.is_some(),
                        "{title}: nothing is there to be highlighted for \"{}\"",
                        card.text
                    );
                }
                GuideTarget::Move(action) => {
                    println!("{events:4} move {action}   [{}] {}", card.step, card.text);
                    if card.ends_with(&action) {
                        assert!(
                            card.goals.is_empty() || !card.ends_with("done"),
                            "{title}: \"{}\"",
                            card.text
                        );
                        seen.push(card.step);
                        from = card.step + 1;
                    } else {
                        unguided += 1;
                    }
                    for action in action.split(AND) {
                        position.play(action.parse().map_err(|_| "unreadable").unwrap()).unwrap();
                        events += 1;
                    }
                    moves.push(action);
                    continue;
                }
            }
            println!("{events:4} read   [{}] {}", card.step, card.text);
            seen.push(card.step);
            from = card.step + 1;
            continue;
        }
        match position.node() {
            Node::Over => break,
            Node::Decide(seat) => {
                let view = position.view(seat);
                view.legal(&mut list).unwrap();
                if seat == learner {
                    // The page makes the moves that leave no choice.
                    let auto = crate::pace::auto_move(&view, &list).unwrap().action();
                    println!("{events:4}      the learner has no choice: {auto}");
                    position.play(auto).unwrap();
                    events += 1;
                    continue;
                }
                let chosen = Spec::new(level).player::<G>(deal.seed + events).choose(&view, &list);
                println!("{events:4}      seat {seat}: {}", list[chosen]);
                position.play(list[chosen]).unwrap();
            }
            _ => assert!(position.advance(&mut Rng::stream(deal.seed, events), &mut list).unwrap()),
        }
        events += 1;
    }
    println!(
        "{title}: {} steps, {} moves, {unguided} without a step, {events} events",
        seen.len(),
        moves.len()
    );
    let missed: Vec<&str> =
        (0..guide.steps.len()).filter(|i| !seen.contains(i)).map(|i| guide.steps[i].text).collect();
    assert!(missed.is_empty(), "{title}: these steps never appeared: {missed:#?}");
    assert!((6..=20).contains(&guide.steps.len()), "{title}: {} steps", guide.steps.len());
    assert!(
        guide.steps.iter().any(|step| matches!(step.shows, Shows::Move(_) | Shows::Gesture(_))),
        "{title}: no step asks for a move"
    );
    (position, moves)
}

macro_rules! guide_tests {
    ($([$board:ident] $name:ident: $game:ty,)*) => {$(
        #[test]
        fn $name() {
            follow::<$game>();
        }
    )*};
}
with_games!(guide_tests);

#[cfg(feature = "numeral")]
#[test]
fn the_guide_of_numeral_wins_a_fight_and_keeps_gold_in_the_home() {
    let (position, moves) = follow::<pentarchy_numeral::Numeral>();
    let (learner, board) = (Seat(0), position.state().board());
    let home = board.home(learner).unwrap();
    let from_home = format!("select {home}; march");
    assert!(!moves.iter().any(|action| action.starts_with(&from_home)), "{moves:?}");
    assert!(board.storage(learner) >= 3, "{} gold is left in the Home", board.storage(learner));
    assert!(moves.last().is_some_and(|action| action.contains("march")), "{moves:?}");
}
