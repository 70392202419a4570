//! Many random games with the core checks: `SOAK=100000 cargo test --release -p pentarchy-hestia --test game
//! soak`.

use pentarchy_hestia::Hestia;
use pentarchy_testkit::conformance::{ConformanceError, Soak, soak};

/// How many games, half of them with random options.
fn games() -> u64 {
    std::env::var("SOAK").ok().and_then(|n| n.parse().ok()).unwrap_or(400)
}

#[test]
fn random_games_break_nothing() -> Result<(), Box<ConformanceError>> {
    let report = soak::<Hestia>(&Soak { seed: 1_000_000, games: games(), ..Soak::default() })?;
    println!("{report:?}");
    Ok(())
}
