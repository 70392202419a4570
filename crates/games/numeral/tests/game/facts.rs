//! What the rules report must account for what they did.

use pentarchy_engine::{AppliedEvent, Node, Position, Rng, Seat, options};
use pentarchy_numeral::{Captured, Fact, Numeral, Options, TieBreak, Upgrade};
use serde_json::{Value, json};

/// Plays random games of three with these options and calls `check` for each event.
fn each_event(given: &Value, mut check: impl FnMut(&AppliedEvent<'_, Numeral>)) {
    let options: Options = options::from_value(given).unwrap();
    for seed in 0..8 {
        let mut game = Position::<Numeral>::new(3, &options).unwrap();
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

/// Returns the soldiers of a seat outside its Home.
fn army(game: &Numeral, seat: Seat) -> u32 {
    game.board().total(seat) - game.board().storage(seat)
}

#[test]
fn income_reports_the_soldiers_that_died_and_the_gold_that_is_left() {
    for starve in ["storage", "smallest", "largest"] {
        let mut spared = 0;
        let mut died = 0;
        each_event(&json!({ "size": "small", "round_limit": 12, "starve": starve }), |event| {
            for fact in event.facts {
                let Fact::Income { seat, gross, upkeep, deaths, gold } = *fact else { continue };
                if event.facts.iter().any(|fact| matches!(fact, Fact::MapDrawn(_))) {
                    continue;
                }
                let (before, after) = (event.before.state(), event.after.state());
                assert_eq!(gold, after.board().storage(seat), "{fact:?}");
                assert_eq!(deaths, army(before, seat) - army(after, seat), "{fact:?}");
                died += deaths;
                spared += u32::from(upkeep > gross && deaths < upkeep - gross);
            }
        });
        assert!(died > 0 || spared > 0, "{starve}");
        assert!(starve != "storage" || spared > 0, "gold pays before soldiers die");
    }
}

#[test]
fn an_attack_reports_what_it_captured_and_destroyed() {
    for (option, razes) in [("keep", false), ("raze", true)] {
        let (mut buildings, mut failures) = (0, 0);
        each_event(&json!({ "size": "small", "round_limit": 25, "capture_buildings": option }), |event| {
            for fact in event.facts {
                let Fact::Fought { soldiers, defence, result, .. } = *fact else { continue };
                match result {
                    Ok(Captured { upgrade, razed, left }) => {
                        assert_eq!(left, soldiers - defence, "{fact:?}");
                        let building = upgrade != Upgrade::None && upgrade != Upgrade::Home;
                        assert_eq!(razed, building && razes, "{fact:?}");
                        buildings += usize::from(building);
                    }
                    Err(left) => {
                        assert_eq!(left, defence - soldiers, "{fact:?}");
                        failures += 1;
                    }
                }
            }
        });
        assert!(buildings > 0 && failures > 10, "{option}: {buildings} {failures}");
    }
}

#[test]
fn the_ending_names_the_winners_and_the_tie_break() {
    let mut ties = 0;
    // One round without much to do often ends in a tie.
    each_event(&json!({ "size": "small", "round_limit": 1, "start_storage": 3 }), |event| {
        let game = event.after.state();
        assert_eq!(game.ending().is_some(), event.after.outcome().is_some());
        let (Some(ending), Some(outcome)) = (game.ending(), event.after.outcome()) else { return };
        assert_eq!(ending.winners, outcome.winners().collect::<Vec<_>>());
        let hexes = |seat: &Seat| game.board().held(*seat).len();
        let most = ending.leaders.iter().map(hexes).max().unwrap();
        match ending.tie_break {
            None => assert_eq!(ending.leaders, ending.winners),
            Some(TieBreak::Hexes) => {
                ties += 1;
                let ahead = ending.leaders.iter().filter(|seat| hexes(seat) == most).count();
                assert_eq!(ahead, ending.winners.len());
            }
            Some(TieBreak::Income) => {
                ties += 1;
                assert!(ending.leaders.iter().filter(|seat| hexes(seat) == most).count() > 1);
            }
        }
        let text = game.end_text().unwrap();
        assert_eq!(text.contains("each."), ending.leaders.len() > 1, "{text}");
    });
    assert!(ties > 0);
}
