//! Many random games with the core checks: `SOAK=100000 cargo test --release -p pentarchy-ozymandias --test
//! game soak`.

use pentarchy_ozymandias::Ozymandias;
use pentarchy_testkit::conformance::{ConformanceError, Soak, soak};

/// Games for each number of seats, half of them with random options.
fn games() -> u64 {
    std::env::var("SOAK").ok().and_then(|n| n.parse().ok()).unwrap_or(200)
}

#[test]
fn random_games_break_nothing() -> Result<(), Box<ConformanceError>> {
    for seats in 2..=5 {
        let plan = Soak { seed: 1_000_000, games: games(), seats: Some(seats), ..Soak::default() };
        let report = soak::<Ozymandias>(&plan)?;
        println!("{seats} seats: {report:?}");
    }
    Ok(())
}
