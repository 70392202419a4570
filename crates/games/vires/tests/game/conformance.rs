//! The laws of the engine, at every number of seats and over random options.

use pentarchy_testkit::conformance::{self, ConformancePlan};
use pentarchy_vires::Vires;

/// Tokens stay traceable by rule: a card keeps its identity when it changes Hands.
#[test]
fn keeps_the_laws() {
    conformance::check::<Vires>(&ConformancePlan::quick().traceable().cap(60_000));
}

#[test]
fn predicts_what_actions_use() {
    pentarchy_testkit::predictions::check_predictions::<Vires>(20, 11, 3000);
}
