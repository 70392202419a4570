//! The maps of the rules, to the last number (E40, E44).

use pentarchy_engine::{Game, Position, Rng};
use pentarchy_numeral::{Numeral, Options, Shape, Size, Start};

/// FNV-1a over all hexes at the first decision, as the rules define it.
fn fingerprint(game: &Numeral) -> u64 {
    let board = game.board();
    let mut hash = 0xCBF2_9CE4_8422_2325u64;
    for cell in board.land().iter() {
        let hex = board.hex(cell);
        let owner = hex.owner.map_or(-1, |s| i32::from(s.0));
        let text = format!("{cell},{owner},{},{};", hex.upgrade.index(), hex.soldiers);
        for byte in text.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
    hash
}

#[test]
fn e40_the_five_maps_of_the_rules() {
    let options = Options::default();
    let map = |seats, seed, options| {
        fingerprint(&Numeral::new(seats, &Options { map_seed: Some(seed), ..options }).unwrap())
    };
    assert_eq!(map(2, 1, options), 0x9265_9f96_ebe9_976b);
    assert_eq!(map(3, 2, Options { shape: Shape::Continents, ..options }), 0xa7b1_6ad6_5279_332a);
    assert_eq!(map(4, 3, options), 0xca6b_3d6a_8745_8616);
    assert_eq!(map(5, 4, Options { start: Start::Scattered, ..options }), 0xa293_d443_91b6_2bdb);
    let hexagon = Options { shape: Shape::Hexagon, size: Size::Medium, ..options };
    assert_eq!(map(6, 5, hexagon), 0x2fe9_3c48_06d3_497a);
}

#[test]
fn e44_the_seed_is_drawn_in_two_halves() {
    let mut game = Position::<Numeral>::new(2, &Options::default()).unwrap();
    game.script("pick: 0").unwrap();
    game.script("pick: 1").unwrap();
    assert_eq!(game.state().map_seed(), Some(1));
    assert_eq!(fingerprint(game.state()), 0x9265_9f96_ebe9_976b);

    let mut game = Position::<Numeral>::new(2, &Options::default()).unwrap();
    game.script("pick: 1").unwrap();
    game.script("pick: 2").unwrap();
    assert_eq!(game.state().map_seed(), Some(65538));
}

#[test]
fn drawn_seeds_differ() {
    let seed = |n| {
        let mut game = Position::<Numeral>::new(2, &Options::default()).unwrap();
        game.settle(&mut Rng::new(n), &mut Vec::new()).unwrap();
        game.state().map_seed()
    };
    assert_ne!(seed(1), seed(2));
}
