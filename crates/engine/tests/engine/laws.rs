//! Parlour keeps all laws; golden playthroughs of it.

use crate::parlour::Parlour;
use pentarchy_testkit::conformance::{self, ConformancePlan, Soak};
use pentarchy_testkit::golden;

#[test]
fn parlour_keeps_the_laws() {
    let report = conformance::check::<Parlour>(&ConformancePlan {
        events: 12_000,
        every: 4,
        ..ConformancePlan::quick()
    });
    assert!(
        report.games > 30 && report.twins > 0 && report.worlds > 1_000 && report.swapped > 1_000,
        "{report:?}"
    );
}

#[test]
fn parlour_soaks() {
    let report = conformance::soak::<Parlour>(&Soak { games: 2_000, ..Soak::default() }).unwrap();
    assert_eq!(report.games, 2_000);
    assert!(report.decisions > 20_000 && report.capped == 0, "{report:?}");
}

#[test]
fn parlour_golden() {
    golden::check::<Parlour>("playthroughs/parlour-3.txt", 3, 1);
}
