//! Games that break one law each: the suite must notice, and name the law.

use crate::snug::{BUG, Bug, Snug};
use pentarchy_testkit::conformance::{self, ConformanceError, ConformancePlan, Law, Soak};

fn run(bug: Bug) -> Result<conformance::ConformanceReport, Box<ConformanceError>> {
    BUG.set(bug);
    let result =
        conformance::run::<Snug>(&ConformancePlan { cap: 500, every: 3, ..ConformancePlan::quick() });
    BUG.set(Bug::None);
    result
}

/// The suite notices the bug as the breach of one of these laws. (Some are met first in an imagined game.)
#[track_caller]
fn breaks(bug: Bug, laws: &[Law]) {
    match run(bug) {
        Ok(report) => panic!("{bug:?} was not noticed: {report:?}"),
        Err(violation) => assert!(laws.contains(&violation.law), "{bug:?}: {violation}"),
    }
}

#[test]
fn without_a_bug_the_game_keeps_the_laws() {
    let report = run(Bug::None).unwrap_or_else(|violation| panic!("{violation}"));
    assert!(report.refused > 1_000 && report.worlds > 100, "{report:?}");
}

#[test]
fn what_claims_say_must_not_be_branched_on() {
    breaks(Bug::BranchesOnClaim, &[Law::ListedApplies]);
    breaks(Bug::SwallowsClaim, &[Law::Atomic]);
    breaks(Bug::SkipsByClaim, &[Law::ListedApplies, Law::Determinize]);
    breaks(Bug::ReadsHiddenFace, &[Law::FaceNeeded]);
}

#[test]
fn tokens_must_not_be_traceable() {
    breaks(Bug::ForgetsRearrange, &[Law::Untraceable]);
    breaks(Bug::RearrangesBlindly, &[Law::Node, Law::Determinize]);
    breaks(Bug::IdleReveal, &[Law::Node]);
}

#[test]
fn lists_and_rules_must_agree() {
    breaks(Bug::ListsTwice, &[Law::List]);
    breaks(Bug::EmptyList, &[Law::List]);
    breaks(Bug::DutyWithTwoEntries, &[Law::Duty]);
    breaks(Bug::ChangesThenChecks, &[Law::Atomic]);
    breaks(Bug::AcceptsUnlisted, &[Law::UnlistedRefused]);
    breaks(Bug::RefusesListed, &[Law::ListedApplies]);
    breaks(Bug::PanicsOnStrangeToken, &[Law::NoPanic]);
}

#[test]
fn forms_of_actions_must_fit() {
    breaks(Bug::ShowsForeignToken, &[Law::Shows, Law::ListedApplies]);
    breaks(Bug::VeilTellsChoice, &[Law::Veil]);
    breaks(Bug::VeilHidesWithoutSlip, &[Law::Veil]);
    breaks(Bug::LossyNotation, &[Law::Notation]);
    breaks(Bug::NatureLikeNotation, &[Law::Notation]);
    breaks(Bug::FaceWithTwoWords, &[Law::Notation]);
    breaks(Bug::ZonesOfOneName, &[Law::Notation]);
    breaks(Bug::NoMapTokens, &[Law::MapTokens]);
}

#[test]
fn what_is_known_must_be_true() {
    breaks(Bug::AdmitsDeniesTruth, &[Law::Groups]);
    breaks(Bug::NarrowsWithoutClaim, &[Law::Groups, Law::Determinize]);
    breaks(Bug::ForgetsPromise, &[Law::Determinize]);
    breaks(Bug::SkipsFieldInState, &[Law::Encoding]);
    breaks(Bug::FactOfOneObserver, &[Law::Facts]);
}

#[test]
fn games_must_end_in_order() {
    breaks(Bug::NeverEnds, &[Law::Ends]);
    breaks(Bug::OutcomeTooEarly, &[Law::Outcome]);
    breaks(Bug::OutcomeForAnotherTable, &[Law::Outcome]);
    breaks(Bug::HastyPlayout, &[Law::Playout]);
}

#[test]
fn what_is_encoded_must_be_known_to_the_seat() {
    breaks(Bug::ObservesHiddenFace, &[Law::Observation]);
    breaks(Bug::ActionTellsHiddenFace, &[Law::Observation]);
    breaks(Bug::ObservesBeyondRange, &[Law::Observation]);
    breaks(Bug::ForgetsAnEntry, &[Law::Observation]);
}

#[test]
fn a_soak_compares_playouts_with_the_game() {
    let soak = || conformance::soak::<Snug>(&Soak { games: 20, cap: 500, ..Soak::default() });
    assert_eq!(soak().map(|report| report.games).map_err(|violation| violation.law), Ok(20));
    BUG.set(Bug::HastyPlayout);
    let found = soak().map_err(|violation| violation.law);
    BUG.set(Bug::None);
    assert_eq!(found, Err(Law::Playout));
}

#[test]
fn a_violation_is_a_bug_report() {
    let violation = run(Bug::NeverEnds).unwrap_err();
    let text = violation.to_string();
    for part in
        ["snug", "Ends", "500 decisions", "options: {}", "ConformancePlan::only(2, 0)", "awaiting decide"]
    {
        assert!(text.contains(part), "{part} is missing in: {text}");
    }
    BUG.set(Bug::NeverEnds);
    let again = conformance::run::<Snug>(&ConformancePlan::only(violation.seats, violation.seed).cap(500))
        .unwrap_err();
    BUG.set(Bug::None);
    assert_eq!((again.law, again.step), (violation.law, violation.step));
}
