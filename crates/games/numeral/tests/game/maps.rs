//! Properties of the generator over thousands of maps of all kinds.

use pentarchy_engine::{Game, Options as _, Seat};
use pentarchy_numeral::{Cell, Cells, Numeral, Options, Shape, Size, Start, Upgrade};

/// Every combination of players, radius, shape, symmetry and start that the options allow.
fn combinations() -> Vec<(u8, Options)> {
    let mut all = Vec::new();
    for seats in 2..=6 {
        for radius in 2..=8 {
            for shape in [Shape::Island, Shape::Hexagon, Shape::Continents] {
                for symmetry in [true, false] {
                    for start in [Start::Homestead, Start::Scattered] {
                        let size = Size::Custom;
                        let options = Options { size, radius, shape, symmetry, start, ..Options::default() };
                        if options.check(seats).is_ok() {
                            all.push((seats, options));
                        }
                    }
                }
            }
        }
    }
    all
}

/// The order of the map's symmetry, as the rules list it.
fn order(seats: u8, symmetry: bool) -> u8 {
    if symmetry { [2, 3, 2, 1, 6][usize::from(seats) - 2] } else { 1 }
}

fn check(seats: u8, options: &Options, seed: u32) {
    let game = Numeral::new(seats, &Options { map_seed: Some(seed), ..*options }).unwrap();
    let what = || format!("{seats} players, seed {seed}, {options:?}");
    game.check().unwrap_or_else(|e| panic!("{e}: {}", what()));
    let board = game.board();
    let land = board.land();
    assert!(land.connected(), "the land falls apart: {}", what());
    let radius = u32::from(options.map_radius(seats));
    assert_eq!(land.minus(&Cells::ball(radius)), Cells::NONE, "{}", what());
    assert!(land.len() >= Cells::ball(radius).len() / 3, "there is little land: {}", what());
    if options.shape == Shape::Hexagon {
        assert_eq!(*land, Cells::ball(radius), "{}", what());
    }
    let turn = |cells: &Cells| -> Cells {
        cells.iter().map(|c| c.rotated(6 / order(seats, options.symmetry))).collect()
    };
    assert_eq!(turn(land), *land, "the map is not symmetric: {}", what());

    let homes: Vec<Cell> = (0..seats).map(|s| board.home(Seat(s)).unwrap()).collect();
    let shares: Vec<u32> = (0..seats).map(|s| board.held(Seat(s)).len()).collect();
    assert!(shares.iter().all(|&n| n == shares[0]), "unequal starts {shares:?}: {}", what());
    let set: Cells = homes.iter().copied().collect();
    assert_eq!(set.len(), u32::from(seats), "{}", what());
    assert_eq!(turn(&set), set, "the Homes are not symmetric: {}", what());
    for seat in (0..seats).map(Seat) {
        let held = board.held(seat);
        match options.start {
            Start::Homestead => {
                assert!(held.connected(), "{}", what());
                let reach = u32::from(options.start_radius);
                assert!(held.iter().all(|c| c.distance(homes[seat.index()]) <= reach), "{}", what());
            }
            Start::Scattered => {
                let home = homes[seat.index()];
                let soldiers = held.iter().filter(|&c| c != home).map(|c| board.soldiers(c));
                // The first player has had an income, which may have cost soldiers.
                let garrison = u32::from(options.scatter_garrison);
                assert!(seat == Seat(0) || soldiers.into_iter().all(|n| n == garrison), "{}", what());
            }
        }
        assert!(held.iter().filter(|&c| board.upgrade(c) != Upgrade::None).count() == 1, "{}", what());
    }
}

#[test]
fn maps_of_all_kinds_are_connected_symmetric_and_equal() {
    let all = combinations();
    assert_eq!(all.len(), (5 * 7 - 3) * 12);
    let mut maps = 0;
    for (i, (seats, options)) in all.iter().enumerate() {
        for seed in 0..8 {
            check(*seats, options, seed * 7_919 + i as u32);
            maps += 1;
        }
    }
    println!("{maps} maps");
}

#[test]
fn default_maps_of_a_thousand_seeds_are_in_order() {
    for seats in 2..=6 {
        for seed in 0..200 {
            check(seats, &Options::default(), u32::MAX - seed);
        }
    }
}

#[test]
fn maps_of_odd_numbers_are_in_order() {
    let mut options = Options::default();
    for (coast, lake) in [(0, 0), (40, 20), (40, 0), (0, 20)] {
        options.tuning.coast_percent = coast;
        options.tuning.lake_percent = lake;
        options.tuning.strait_percent = coast.min(30);
        for seats in 2..=6 {
            for shape in [Shape::Island, Shape::Continents] {
                for start_radius in 0..=2 {
                    for seed in 0..6 {
                        let options = Options { shape, start_radius, size: Size::Small, ..options };
                        let game = Numeral::new(seats, &Options { map_seed: Some(seed), ..options }).unwrap();
                        game.check().unwrap();
                        assert!(game.board().land().connected());
                    }
                }
            }
        }
    }
}

/// With symmetry the starts of one orbit are exactly equal, so two, three and six players always are.
#[test]
fn symmetric_maps_look_the_same_from_every_home() {
    for seats in [2u8, 3, 6] {
        for seed in 0..60 {
            let options = Options { map_seed: Some(seed), ..Options::default() };
            let game = Numeral::new(seats, &options).unwrap();
            let board = game.board();
            // The land of one player, turned, is the land of another.
            let turn = |cells: &Cells| -> Cells { cells.iter().map(|c| c.rotated(6 / seats)).collect() };
            for seat in (0..seats).map(Seat) {
                let turned = turn(board.held(seat));
                assert!((0..seats).any(|s| *board.held(Seat(s)) == turned), "{seats} players, seed {seed}");
            }
        }
    }
}
