//! A playout makes no heap allocation once its list has grown.

use pentarchy_classics::{ConnectFour, Kuhn, Leduc, TicTacToe};
use pentarchy_engine::{Game, NoOptions, Position, Rng};

fn playouts_allocate_nothing<G: Game<Options = NoOptions>>() {
    let start = Position::<G>::new(2, &NoOptions {}).expect("two seats and no options");
    let (mut rng, mut list) = (Rng::new(1), Vec::new());
    let mut play = |games| {
        for _ in 0..games {
            start.clone().playout(&mut rng, &mut list).expect("a random game ends");
        }
    };
    play(10);
    let spent = allocation_counter::measure(|| play(1_000));
    assert_eq!(spent.count_total, 0, "{}: {} bytes", G::INFO.name, spent.bytes_total);
}

#[test]
fn tic_tac_toe() {
    playouts_allocate_nothing::<TicTacToe>();
}

#[test]
fn connect_four() {
    playouts_allocate_nothing::<ConnectFour>();
}

#[test]
fn kuhn() {
    playouts_allocate_nothing::<Kuhn>();
}

#[test]
fn leduc() {
    playouts_allocate_nothing::<Leduc>();
}

/// The counter counts.
#[test]
fn a_new_list_is_an_allocation() {
    let spent = allocation_counter::measure(|| {
        std::hint::black_box(vec![1u8]);
    });
    assert_eq!(spent.count_total, 1);
}
