//! A playout makes no heap allocation once its list has grown.

use pentarchy_engine::{Position, Rng};
use pentarchy_vires::{Options, Vires};

#[test]
fn playouts_allocate_nothing() {
    for seats in 2..=6 {
        let start = Position::<Vires>::new(seats, &Options::default()).expect("the default options");
        let (mut rng, mut list) = (Rng::new(1), Vec::with_capacity(64));
        let spent = allocation_counter::measure(|| {
            for _ in 0..50 {
                start.clone().playout(&mut rng, &mut list).expect("a random game ends");
            }
        });
        assert_eq!(spent.count_total, 0, "{seats} seats: {} bytes", spent.bytes_total);
    }
}
