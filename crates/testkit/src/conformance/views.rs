//! Checks of partial views: a copy for every seat and for a spectator, which receives only what that observer
//! may know.

use super::trial::{Trial, unexpected};
use super::{LawResult, demand};
use pentarchy_engine::{Game, LoggedEventOf, Observer, Seat, TraceOf};

impl<G: Game> Trial<'_, G> {
    /// Applies the logged event to the copy of every observer, with the annexes that it may read, and checks
    /// that each derives the claims and facts of `trace` and stays consistent with the omniscient position,
    /// which is the one after the event. `dear` enables the expensive checks.
    ///
    /// # Errors
    ///
    /// Fails with the violated law.
    pub(super) fn views_follow(
        &mut self,
        line: &LoggedEventOf<G>,
        trace: &TraceOf<G>,
        dear: bool,
    ) -> LawResult {
        let node = self.full.node();
        let code = if dear { self.full.encode() } else { Vec::new() };
        for view in &mut self.views {
            let who = name(view.observer());
            let seat = match view.observer() {
                Observer::Seat(seat) => Some(seat),
                _ => None,
            };
            let seen = view.apply_traced(&line.for_seat(seat));
            let seen = seen.map_err(|e| {
                let mut broken = unexpected(&format!("{who} cannot follow"), e);
                if e.missing_face().is_none() {
                    broken.law = super::Law::InStep;
                }
                broken
            })?;
            let (own, all) = (&seen.claims, &trace.claims);
            demand!(own == all, Claims, "{who} derives the claims {own:?} instead of {all:?}");
            let (own, all) = (&seen.facts, &trace.facts);
            demand!(own == all, Facts, "{who} derives the facts {own:?} instead of {all:?}");
            demand!(view.node() == node, InStep, "{who} awaits {:?} instead of {node:?}", view.node());
            demand!(view.holds_exactly_its_faces(), Holds, "{who} holds other faces than it may know");
            if dear {
                demand!(view.encode() == code, InStep, "{who} has another public state");
                let wrong = view
                    .state()
                    .tokens()
                    .all()
                    .find(|&t| view.face(t).is_some_and(|f| self.full.face(t) != Some(f)));
                demand!(wrong.is_none(), Holds, "{who} is wrong about {wrong:?}");
            }
        }
        Ok(())
    }

    /// Checks that the acting seat derives the same list from its own copy. No check if no seat is to act.
    ///
    /// # Errors
    ///
    /// Fails with the violated law.
    pub(super) fn check_own_list(&mut self) -> LawResult {
        let Some(seat) = self.full.actor() else { return Ok(()) };
        let mut own = Vec::new();
        let view = &self.views[seat.index()];
        view.legal(&mut own).map_err(|e| unexpected("the seat has no list of its own", e))?;
        demand!(own == self.list, OwnList, "seat {seat} derives another list: {own:?}, not {:?}", self.list);
        Ok(())
    }
}

/// Returns the name of an observer for a message: "the simulator", "a spectator" or, for example,
/// "seat 1".
pub(super) fn name(observer: Observer) -> String {
    match observer {
        Observer::All => "the simulator".to_string(),
        Observer::Seat(Seat(seat)) => format!("seat {seat}"),
        Observer::Spectator => "a spectator".to_string(),
    }
}
