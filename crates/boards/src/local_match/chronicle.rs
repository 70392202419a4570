//! What a match says about its past events: log, reports, ledger, story and the chart of scores.

use super::{LocalMatch, seen_by};
use crate::board::{Board, Chapter, EventReport, SeenEvent};
use crate::table::{Cast, LogLine, RaceSample};
use crate::ui::{Change, Ui};
use pentarchy_engine::{Chance, Event, LoggedEventOf, Node, Observer, Position, Seat};

impl<G: Board> LocalMatch<G> {
    /// Returns the log sentences about the events after the first `from`, as the observer knows them; seats are
    /// written `@0`. Events without a sentence are left out. Empty if there are no events after `from`.
    pub(super) fn log_lines(&self, from: usize, observer: Observer) -> Vec<LogLine> {
        let mut out = Vec::new();
        let mut position = self.at(from);
        for (i, line) in self.lines.iter().enumerate().skip(from) {
            let Some(event) = apply_seen(&mut position, line, observer) else { break };
            let after = seen_by(&position, observer);
            if let Some(text) = G::log(&event.applied(&after)) {
                out.push(LogLine { at: i + 1, actor: self.actors[i], text: G::worded(&after, text) });
            }
        }
        out
    }

    /// Returns the report of the last of the first `at` events, as the observer knows it; of the whole episode if
    /// this event ended one. `None` at the start, inside an episode, and if the board has nothing to report. `at`
    /// beyond the end means all events.
    pub(super) fn find_report(&self, at: usize, observer: Observer, ui: &Ui) -> Option<EventReport> {
        let at = at.min(self.lines.len());
        let last = at.checked_sub(1)?;
        if self.is_unfolding(at) {
            return None;
        }
        let first = (0..last).rev().take_while(|&i| self.episodes[i]).last().unwrap_or(last);
        let mut position = self.at(first);
        let mut events = Vec::with_capacity(at - first);
        for line in &self.lines[first..at] {
            events.push(apply_seen(&mut position, line, observer)?);
        }
        G::retell(&events, &seen_by(&position, observer), ui)
    }

    /// Returns the die or coin that was cast by the last of the first `at` events, with its log sentence as the
    /// observer knows it; `None` at the start, and if that event cast none. The sentence is empty if the game has
    /// none. A coin has 2 sides and shows 1 or 2. `at` beyond the end means all events.
    pub(super) fn find_cast(&self, at: usize, observer: Observer) -> Option<Cast> {
        let at = at.min(self.lines.len());
        let line = self.lines.get(at.checked_sub(1)?)?;
        let Event::Rolled(number) = line.event else { return None };
        let mut position = self.at(at - 1);
        let (sides, shows) = match position.node() {
            Node::Chance(Chance::Roll { sides }) => (sides, number),
            Node::Chance(Chance::Pick { of: 2 }) => (2, number + 1),
            _ => return None,
        };
        let event = apply_seen(&mut position, line, observer)?;
        let after = seen_by(&position, observer);
        let text = G::log(&event.applied(&after)).map(|text| G::worded(&after, text));
        Some(Cast { at, sides, shows, text: text.unwrap_or_default() })
    }

    /// Returns whether the position after the first `at` events is inside an episode. False at the start and beyond
    /// the end.
    pub(super) fn is_unfolding(&self, at: usize) -> bool {
        at.checked_sub(1).and_then(|i| self.episodes.get(i)).is_some_and(|&open| open)
    }

    /// Returns the changes of a seat's points in the first `at` events, in order: only those of the last two rounds
    /// in which its points changed. Empty without a seat.
    pub(super) fn changes(&self, at: usize, seat: Option<Seat>) -> Vec<Change> {
        let own = self.ledger.iter().filter(|(event, change)| *event <= at && Some(change.seat) == seat);
        let mut own: Vec<Change> = own.map(|(_, change)| change.clone()).collect();
        let (mut rounds, mut last) = (0, None);
        let from = own.iter().rposition(|change| {
            if last != Some(&change.round) {
                (rounds, last) = (rounds + 1, Some(&change.round));
            }
            rounds > 2
        });
        own.drain(..from.map_or(0, |i| i + 1));
        own
    }

    /// Returns the texts of the current chapter, in order: those since the last [`Chapter::Begins`] (or the start) up
    /// to and including event number `at`, counted from 1.
    pub(super) fn story(&self, at: usize) -> Vec<String> {
        let told = self.chapters.iter().filter(|(event, _)| *event <= at).rev();
        let parts = told.map_while(|(_, chapter)| match chapter {
            Chapter::Begins => None,
            Chapter::GoesOn(text) => Some(text.clone()),
        });
        let mut parts: Vec<String> = parts.collect();
        parts.reverse();
        parts
    }

    /// Returns scores and estimated chances (0 to 1000) of all seats at the start, at each decision and after the
    /// last event. A sample with the numbers of the one before is left out.
    pub(super) fn race_samples(&self) -> Vec<RaceSample> {
        let mut out: Vec<RaceSample> = Vec::new();
        let mut position = self.at(0);
        for at in 0..=self.lines.len() {
            if at > 0 && position.apply(&self.lines[at - 1]).is_err() {
                break;
            }
            let deciding = matches!(position.node(), Node::Decide(_) | Node::Over);
            if at > 0 && at < self.lines.len() && !deciding {
                continue;
            }
            let seats = (0..position.seats()).map(Seat);
            let moment = RaceSample {
                at,
                round: G::steps(&position).round,
                scores: seats.clone().map(|s| G::score(&position, s)).collect(),
                chances: seats.map(|s| position.state().evaluate(&position.own(s), s)).collect(),
            };
            if out.last().is_none_or(|last| last.scores != moment.scores || last.chances != moment.chances) {
                out.push(moment);
            }
        }
        out
    }
}

/// Applies an event to `position`, the match's own, and returns the event as the observer knows it: without the
/// annexes of others, with its facts and with the observer's view of the position before it. `None`, with `position`
/// unchanged, if the rules reject it.
fn apply_seen<G: Board>(
    position: &mut Position<G>,
    line: &LoggedEventOf<G>,
    observer: Observer,
) -> Option<SeenEvent<G>> {
    let before = seen_by(position, observer);
    let facts = position.apply_facts(line).ok()?;
    let line = match observer {
        Observer::All => line.clone(),
        Observer::Seat(seat) => line.for_seat(Some(seat)),
        Observer::Spectator => line.for_seat(None),
    };
    Some(SeenEvent { before, line, facts })
}
