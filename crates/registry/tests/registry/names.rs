//! Games and players by name.

use pentarchy_registry::{GAMES, find};

#[test]
fn every_game_is_found_by_its_name_alone() {
    for game in GAMES {
        let info = game.info();
        assert_eq!(find(info.name).unwrap().info().title, info.title);
        assert!(info.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", info.name);
        assert!((info.min_seats..=info.max_seats).contains(&info.default_seats), "{}", info.name);
        assert!(game.start(info.default_seats, &Default::default()).is_ok(), "{}", info.name);
        let wide = game.summary().lines().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None, "the summary of {} is wider than 80 columns", info.name);
    }
    #[cfg(feature = "arena")]
    assert!(GAMES.iter().map(|g| g.info().name).eq(pentarchy_registry::ARENAS.iter().map(|a| a.info().name)));
    let names: std::collections::BTreeSet<_> = GAMES.iter().map(|game| game.info().name).collect();
    assert_eq!(names.len(), GAMES.len());
}

macro_rules! identifiers {
    ($($name:ident: $game:ty,)*) => {
        [$((stringify!($name), <$game as pentarchy_engine::Game>::INFO.name)),*]
    };
}

/// The list of types is that of the games, and a type has the name of its game: `TicTacToe` is `tic-tac-toe`.
#[test]
fn types_have_the_names_of_their_games() {
    let listed = pentarchy_registry::with_games!(identifiers);
    assert!(listed.iter().map(|(_, name)| *name).eq(GAMES.iter().map(|game| game.info().name)));
    for (identifier, name) in listed {
        assert_eq!(identifier.replace('_', "-"), name);
    }
}

#[cfg(all(feature = "arena", feature = "bots"))]
#[test]
fn games_of_a_simulation_are_the_same_in_any_division() {
    use pentarchy_arena::{SimulationPlan, SimulationTally};
    for &game in pentarchy_registry::ARENAS {
        for bot in ["random", "captain"] {
            let bots = vec![bot.parse().unwrap(); usize::from(game.info().default_seats)];
            let plan = SimulationPlan { game, options: Default::default(), bots, seed: 9 };
            let (mut whole, mut parts) = (SimulationTally::default(), SimulationTally::default());
            plan.play(0..12, &mut whole).unwrap();
            for range in [7..12, 0..3, 3..7] {
                let mut part = SimulationTally::default();
                plan.play(range, &mut part).unwrap();
                parts.merge(&part);
            }
            assert_eq!(whole, parts);
            assert_eq!(whole.games, 12);
            assert_eq!(whole.wins.iter().sum::<u64>() + whole.draws + whole.unwon, 12);
            assert!(whole.length_at(0) <= whole.length_at(50) && whole.length_at(50) <= whole.length_at(100));
        }
    }
}

#[cfg(feature = "bots")]
#[test]
fn every_game_has_its_players() {
    let names = |game: &&dyn pentarchy_engine::AnyGame| game.info().name;
    let players: Vec<_> = pentarchy_registry::BOTS.iter().map(|bots| names(&bots.game())).collect();
    assert_eq!(players, GAMES.iter().map(names).collect::<Vec<_>>());
    assert!(pentarchy_registry::bots_of("chess").is_err());
}

#[test]
fn a_misspelt_name_is_recognised() {
    let meant = |name: &str| find(name).map(|_| ()).unwrap_err().to_string();
    assert_eq!(meant("Tic Tac Toe"), "there is no game `Tic Tac Toe`; did you mean `tic-tac-toe`?");
    assert_eq!(meant("conect-fuor"), "there is no game `conect-fuor`; there are ".to_string() + &all());
    assert_eq!(meant("connect-for"), "there is no game `connect-for`; did you mean `connect-four`?");
    assert_eq!(meant("tic"), "there is no game `tic`; did you mean `tic-tac-toe`?");
    assert_eq!(meant(""), "there is no game ``; there are ".to_string() + &all());
}

fn all() -> String {
    GAMES.iter().map(|game| game.info().name).collect::<Vec<_>>().join(", ")
}
