//! Words for people: they fit the screen, they exist for everything, and they tell no secret.

use pentarchy_engine::{AppliedEvent, Describe, Event, Game, Node, Position, Rng, Seat};
use pentarchy_hegemony::cards::CARDS;
use pentarchy_hegemony::{Action, Hegemony, Options};

#[test]
fn every_card_has_a_text_and_the_summary_fits_a_page() {
    for card in CARDS {
        let text = Hegemony::card_text(card).unwrap();
        assert!(text.starts_with(card.title()) && text.ends_with('.'), "{text}");
    }
    let lines: Vec<&str> = Hegemony::SUMMARY.lines().collect();
    assert!(lines.len() <= 60 && lines.iter().all(|line| line.chars().count() <= 80));
}

#[test]
fn tables_labels_and_logs_fit_and_tell_no_secret() {
    let (mut list, mut said) = (Vec::new(), 0);
    for seed in 0..30 {
        let seats = 1 + (seed % 6) as u8;
        let mut game = Position::<Hegemony>::new(seats, &Options::default()).unwrap();
        let mut rng = Rng::new(seed);
        while game.node() != Node::Over {
            let before = game.clone();
            let line = match game.actor() {
                Some(seat) => {
                    game.legal(&mut list).unwrap();
                    let view = game.view(seat);
                    for &action in &list {
                        assert!(!Hegemony::label(&view, action).is_empty());
                        assert!(!Hegemony::kind(action).is_empty());
                    }
                    for line in Hegemony::table(&view).lines() {
                        assert!(line.chars().count() <= 80, "{line}");
                    }
                    let instruction = Hegemony::awaited(&view);
                    if matches!(game.node(), Node::Decide(_)) {
                        assert!(
                            instruction.split(' ').count() <= 10 && !instruction.ends_with('.'),
                            "{instruction}"
                        );
                        let sentence = Hegemony::awaited(&game);
                        assert!(
                            sentence.contains(&format!("@{seat}")) && sentence.ends_with('.'),
                            "{sentence}"
                        );
                    }
                    game.play_line(*rng.choose(&list).unwrap()).unwrap()
                }
                None => game.resolve_line(&mut rng).unwrap(),
            };
            let (seen, facts) = (before.spectator(), before.facts(&line));
            let after = game.spectator();
            let told =
                Hegemony::log(&AppliedEvent { before: &seen, line: &line, facts: &facts, after: &after });
            said += usize::from(told.is_some());
            if let Event::Act(Action::Place(t, ..)) = line.event
                && !game.state().tokens().is_public(t)
            {
                let title = game.face(t).unwrap().title();
                assert!(!told.unwrap().contains(title), "a spectator is told of a hidden {title}");
            }
        }
        assert!(Hegemony::awaited(&game).ends_with('.'));
    }
    assert!(said > 1000);
}

#[test]
fn a_price_is_the_sum_of_its_parts_and_what_is_paid() {
    let (mut list, mut paid) = (Vec::new(), 0);
    for seed in 0..40 {
        let mut game = Position::<Hegemony>::new(3, &Options::default()).unwrap();
        let mut rng = Rng::new(seed);
        loop {
            game.settle(&mut rng, &mut list).unwrap();
            let Node::Decide(seat) = game.node() else { break };
            game.legal(&mut list).unwrap();
            let action = *rng.choose(&list).unwrap();
            let price = match action {
                Action::Buy(t) | Action::Ebuy(t) => Some(game.state().explain_price(seat, t).unwrap()),
                _ => None,
            };
            let had = points(&game, seat);
            game.play(action).unwrap();
            if let Some(price) = price {
                assert_eq!(price.total, price.parts.iter().map(|part| part.amount).sum::<i32>());
                // The last purchase may end the turn and begin the next player's; never one's own.
                assert_eq!(had - points(&game, seat), price.total, "{price}");
                paid += 1;
            }
        }
    }
    assert!(paid > 200, "{paid}");
}

fn points(game: &Position<Hegemony>, seat: Seat) -> i32 {
    game.state().points(seat.into())
}
