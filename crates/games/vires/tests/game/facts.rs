//! What the rules report must account for what they did.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails as a test does")]

use pentarchy_engine::{AppliedEvent, Game, Node, Position, Rng, Seat};
use pentarchy_vires::{Card, Fact, Options, TieBreak, Vires};

/// Plays random games of three with these options and calls `check` for each event.
fn each_event(options: &Options, mut check: impl FnMut(&AppliedEvent<'_, Vires>)) {
    for seed in 0..60 {
        let mut game = Position::<Vires>::new(3, options).unwrap();
        let (mut rng, mut list) = (Rng::new(seed), Vec::new());
        while game.node() != Node::Over {
            let before = game.clone();
            let line = match game.actor() {
                Some(_) => {
                    game.legal(&mut list).unwrap();
                    game.play_line(*rng.choose(&list).unwrap()).unwrap()
                }
                None => game.resolve_line(&mut rng).unwrap(),
            };
            let facts = before.facts(&line);
            check(&AppliedEvent { before: &before, line: &line, facts: &facts, after: &game });
        }
    }
}

#[test]
fn counted_votes_say_what_all_agreed_on_and_whether_they_are_repeated() {
    let (mut unanimous, mut repeated, mut failed) = (0, 0, 0);
    each_event(&Options::default(), |event| {
        for fact in event.facts {
            let Fact::VotesCounted { votes, agreed, again } = *fact else { continue };
            let cast: Vec<Card> = votes.iter().flatten().copied().collect();
            assert_eq!(cast.len(), 3, "{fact:?}");
            assert_eq!(agreed.is_some(), cast.iter().all(|vote| *vote == cast[0]), "{fact:?}");
            let gained = (0..3)
                .map(Seat)
                .any(|seat| event.after.state().score(seat) > event.before.state().score(seat));
            assert!(agreed == Some(Card::VoteCoin) || !gained, "{fact:?}");
            unanimous += usize::from(agreed.is_some());
            repeated += usize::from(again);
            failed += usize::from(agreed.is_none() && !again);
            assert!(agreed.is_none() || !again);
        }
    });
    assert!(unanimous > 0 && repeated + failed > 0, "{unanimous} {repeated} {failed}");
}

#[test]
fn the_ending_names_the_winners_and_the_tie_break() {
    let (mut chains, mut hands) = (0, 0);
    each_event(&Options { max_rounds: Some(4), ..Options::default() }, |event| {
        let game = event.after.state();
        assert_eq!(game.ending().is_some(), game.outcome().is_some());
        let (Some(ending), Some(outcome)) = (game.ending(), game.outcome()) else { return };
        assert_eq!(ending.winners, outcome.winners().collect::<Vec<_>>());
        assert_eq!(ending.tie_break.is_none(), ending.leaders == ending.winners);
        let winner = ending.winners[0];
        match ending.tie_break {
            None => {}
            Some(TieBreak::Chain(own, other)) => {
                chains += 1;
                assert!(own > other && own == game.blocks(winner));
            }
            Some(TieBreak::Hr(own, other)) => {
                hands += 1;
                assert!(own > other && own == game.open_hr(winner));
            }
        }
        assert!(game.end_text().unwrap().contains(&ending.points.to_string()));
    });
    assert!(chains > 0 && hands > 0, "{chains} {hands}");
}
