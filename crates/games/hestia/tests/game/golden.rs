//! The golden playthroughs: two sets of options, since there is only one number of seats.

use pentarchy_hestia::options::{InfluenceLoss, Logistics, Neutral, Retreat};
use pentarchy_hestia::{Hestia, Options};
use pentarchy_testkit::golden::{check, check_with};

#[test]
fn golden_by_the_defaults() {
    check::<Hestia>("playthroughs/hestia-2.txt", 2, 1);
}

#[test]
fn golden_by_the_other_options() {
    let settings = Options {
        logistics: Logistics::Simple,
        neutral: Neutral::Open,
        influence_loss: InfluenceLoss::Overturn,
        retreat: Retreat::Exact,
        trigger_year: 3,
        ..Options::default()
    };
    check_with::<Hestia>("playthroughs/hestia-2-variants.txt", 2, &settings, 2);
}
