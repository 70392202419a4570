//! Checks whether a simulation ended as expected.

use super::{Expect, STALL, SimPlan, SimReport};
use crate::{Ending, Evidence};
use pentarchy_engine::{AnyGame, Seat, SeatSet};

/// Checks that the game ended, and ended alike, for all seats that were not dropped, except those in
/// `ignored`.
///
/// # Errors
///
/// Fails with the endings if it did not, and if no seat is left to check.
fn agreed_on_the_end(report: &SimReport, ignored: SeatSet) -> Result<(), String> {
    let was_dropped = |seat: Seat, ending: &Option<Ending>| matches!(ending, Some(Ending::Dropped(seats)) if seats.has(seat));
    let judged = (0..).map(Seat).zip(&report.endings).filter(|(seat, _)| !ignored.has(*seat));
    let mut stayed = judged.filter(|(seat, ending)| !was_dropped(*seat, ending));
    let first = stayed.next().ok_or("all seats were dropped")?.1;
    match stayed.all(|(_, ending)| ending == first) {
        true if first.is_some() => Ok(()),
        _ => Err(format!("they ended as {:?}", report.endings)),
    }
}

/// Checks that a simulation ended as the attack catalogue says, and that all evidence in it convicts the
/// cheater and no other seat. `plan` must be the plan of the report. A cheater that never cheated may end in
/// any way.
///
/// # Errors
///
/// Fails with the reason if it did not: that is a bug of the protocol or of the simulator.
pub fn judge(game: &'static dyn AnyGame, plan: &SimPlan, report: &SimReport) -> Result<(), String> {
    let bad = plan.cheat.map(|(seat, _)| seat);
    for (finder, evidence) in &report.evidence {
        if Some(evidence.offender) != bad {
            return Err(format!("seat {finder} accuses seat {}, which is honest", evidence.offender));
        }
        let again = Evidence::decode(&evidence.encode()).map_err(|e| e.to_string())?;
        let judged = again.judge(game).map_err(|e| format!("the evidence of seat {finder}: {e}"))?;
        if Some(judged.offender) != bad {
            return Err("the evidence convicts another seat".into());
        }
    }
    let left: SeatSet = plan.leaver.iter().map(|(seat, _)| Seat(*seat)).collect();
    let aside = left | plan.cheat.iter().map(|(seat, _)| Seat(*seat)).collect();
    let honest = (0..plan.seats).filter(|&s| !aside.has(Seat(s)));
    let ending = |s: u8| report.endings.get(usize::from(s)).copied().flatten();
    // Whether all honest seats dropped these: they ended the game for it, or bots play them.
    let dropped = |seats: SeatSet| {
        honest.clone().all(|s| match ending(s) {
            Some(Ending::Dropped(all)) => all.has_all(seats),
            Some(Ending::Played) | None => report.taken_over[usize::from(s)].has_all(seats),
            Some(Ending::Claimed(_)) => false,
        })
    };
    let Some((bad, cheat)) = plan.cheat else {
        if plan.leaver.is_none() && !report.cut && report.record.is_none() {
            return Err("an honest game without a record".into());
        }
        if plan.leaver.is_none() && !report.cut {
            agreed_on_the_end(report, SeatSet::NONE)?;
        }
        let has_left = plan.leaver.is_some_and(|(_, after)| report.events > after);
        if has_left && plan.machines() > 2 && !report.cut && !dropped(left) {
            let (endings, taken_over) = (&report.endings, &report.taken_over);
            return Err(format!("a seat left, and the others ended as {endings:?}, {taken_over:?}"));
        }
        return Ok(());
    };
    if report.cheated == 0 {
        return Ok(());
    }
    // Where the simulation stopped just after the cheat, the others had no time to sign anything.
    let soon = report.cut && report.events < report.cheated_at + 40;
    let stalled = report.stalls.iter().any(|(_, late)| *late == bad);
    let played = || honest.clone().all(|s| ending(s) == Some(Ending::Played));
    let alone = plan.machines() - u8::from(cheat.needs_leaver()) < 3;
    let holds = match cheat.expect {
        Expect::Evidence => {
            !report.evidence.is_empty() && (alone || soon || dropped(SeatSet::only(Seat(bad))))
        }
        // A seat that is cut off for longer than the time limit is dropped, and no cheater.
        Expect::Harmless if plan.faults.longest > STALL => {
            report.evidence.is_empty() && (report.cut || agreed_on_the_end(report, aside).is_ok())
        }
        Expect::Harmless => report.evidence.is_empty() && (report.cut || played()),
        Expect::Stall if alone => stalled,
        Expect::Stall => report.evidence.is_empty() && (soon || dropped(SeatSet::only(Seat(bad)))),
        Expect::NotOpened => report.events == 0 && !report.evidence.is_empty(),
    };
    if holds {
        return Ok(());
    }
    let (found, stalls) = (report.evidence.len(), &report.stalls);
    let (endings, taken_over) = (&report.endings, &report.taken_over);
    Err(format!(
        "the cheat `{}` should end as {:?}; evidence: {found}, stalls: {stalls:?}, endings: {endings:?}, \
         taken over: {taken_over:?}, refusals: {:?}",
        cheat.name,
        cheat.expect,
        report.refusals.iter().take(3).collect::<Vec<_>>()
    ))
}
