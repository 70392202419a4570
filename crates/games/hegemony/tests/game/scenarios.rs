//! Every worked example and every ruling with a visible effect, as scenario files.

use pentarchy_hegemony::Hegemony;
use pentarchy_testkit::scenario::{CoverageError, check_dir};

#[test]
fn all_examples_and_rulings_are_shown() -> Result<(), CoverageError> {
    check_dir::<Hegemony>(
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../../scenarios/hegemony"),
        &["E1..E63", "R2..R86"],
    )
}
