//! Undo: which decisions of a match can be taken back.

use super::{LocalMatch, seen_by};
use crate::board::Board;
use crate::gesture;
use crate::pace::auto_move;
use pentarchy_engine::{Chance, Event, LoggedEventOf, Node, Observer, Position, Rng, Seat, SeatSet};

/// Whether the seat of an event had a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Decision {
    /// A decision with a choice that the page leaves to a person.
    Chosen,
    /// A decision that the page makes for a person: it has only one option, or a routine one.
    Forced,
    /// Not a decision: chance, a duty, a rearrangement.
    None,
}

/// The information that an event revealed.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Revealed {
    /// For chance that decided something: why the event cannot be undone. Holds for all observers.
    chance: Option<&'static str>,
    /// The seats that learned a face or a back.
    learned: SeatSet,
}

impl Revealed {
    /// Determines what an event reveals, from the event and the position before it: for a roll, coin, lot or secret
    /// dice the reason, as a sentence, why nobody can undo it; and the seats that learned something. A seat learns if
    /// the event shows it a face or a back that it did not know, and all seats but the declaring one learn from a
    /// declaration.
    pub(super) fn of<G: Board>(before: &Position<G>, line: &LoggedEventOf<G>) -> Self {
        let chance = match (line.event, before.node()) {
            (Event::Rolled(_), Node::Chance(Chance::Roll { .. })) => Some("Can't undo: a die was rolled."),
            (Event::Rolled(_), Node::Chance(Chance::Pick { of: 2 })) => {
                Some("Can't undo: a coin was flipped.")
            }
            (_, Node::Chance(Chance::Cast { .. })) => Some("Can't undo: dice were rolled."),
            (Event::Rolled(_), _) => Some("Can't undo: lots were drawn."),
            _ => None,
        };
        let tokens = before.state().tokens();
        let mut learned = SeatSet::NONE;
        for seat in (0..before.seats()).map(Seat) {
            let shown = line.shown.iter().map(|(token, _)| *token);
            let shown = shown.chain(line.backs.iter().map(|(token, _)| *token));
            let own = line.annexes.iter().filter(|annex| annex.to == Some(seat));
            let own = own.flat_map(|annex| annex.learned.iter().map(|(token, _)| *token));
            let learns = shown.chain(own).any(|token| !tokens.known(token).to(seat));
            // A declaration reveals faces that only its seat knew.
            let told = matches!(before.node(), Node::Declare(by) if by != seat);
            if learns || told {
                learned.insert(seat);
            }
        }
        Revealed { chance, learned }
    }

    /// Returns why the event cannot be undone by this seat: `Can't undo: a die was rolled.`, `… a coin was flipped.`,
    /// `… dice were rolled.`, `… lots were drawn.` or, if the seat learned a card, `… cards were revealed.` `None` if
    /// it can.
    fn undo_obstacle(self, seat: Seat) -> Option<&'static str> {
        let cards = self.learned.has(seat).then_some("Can't undo: cards were revealed.");
        self.chance.or(cards)
    }
}

impl<G: Board> LocalMatch<G> {
    /// Returns whether an action or gesture of the awaited seat cannot be undone: it or what follows without a
    /// decision shows the seat a face or a back, or casts a die, coin or lot, before a seat decides; or the answers
    /// of others reveal something later ([`Board::reveals_later`]). Plays on a copy, with the chance of this match.
    /// False if no seat decides, or the text cannot be parsed or played.
    pub(super) fn is_revealing(&self, action: &str) -> bool {
        let Node::Decide(seat) = self.now.node() else { return false };
        let mut next = self.now.clone();
        let mut events = self.lines.len() as u64;
        // Play on a copy, including what follows without a decision.
        for action in action.split(gesture::AND) {
            let (before, Ok(action)) = (next.clone(), action.parse::<G::Action>()) else { return false };
            if G::reveals_later(&seen_by(&before, Observer::Seat(seat)), action) {
                return true;
            }
            let Ok(line) = next.play_line(action) else { return false };
            if Revealed::of(&before, &line).undo_obstacle(seat).is_some() {
                return true;
            }
            events += 1;
        }
        for n in events.. {
            let before = next.clone();
            let mut rng = Rng::stream(self.header.seed.unwrap_or_default(), n);
            match next.advance_facts(&mut rng) {
                Ok(Some((line, _))) if Revealed::of(&before, &line).undo_obstacle(seat).is_some() => {
                    return true;
                }
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => return false,
            }
        }
        false
    }

    /// Returns the number of events to take back in order to undo the last choice of this seat: all events from the
    /// beginning of the gesture to which it belongs. A choice is a decision that the page left to a person. Moves of
    /// seats that are not in `people`, such as bots, do not prevent it, and neither do declarations and
    /// rearrangements. Does not take anything back.
    ///
    /// # Errors
    ///
    /// Fails with a sentence for players: `Nothing to undo yet.` if the seat has made no choice;
    /// `Can't undo: another player has moved.` if another seat of `people` has decided since then, even without a
    /// choice; or the reason of the event since then that revealed something to the seat or cast a die, coin or lot.
    pub(super) fn count_undoable(&self, seat: Seat, people: &[Seat]) -> Result<usize, &'static str> {
        let own = |i: &usize| self.decisions[*i] == Decision::Chosen && self.actors[*i] == Some(seat);
        let last = (0..self.lines.len()).rev().find(own).ok_or("Nothing to undo yet.")?;
        for i in (last..self.lines.len()).rev() {
            if let Some(why) = self.revealed[i].undo_obstacle(seat) {
                return Err(why);
            }
            let other = self.actors[i].is_some_and(|actor| actor != seat && people.contains(&actor));
            if other && self.decisions[i] != Decision::None {
                return Err("Can't undo: another player has moved.");
            }
        }
        Ok(self.lines.len() - self.gesture_start(last))
    }

    /// Returns whether the awaited `seat` has a choice that the page leaves to a person: false if the page plays a
    /// forced or routine move for it ([`auto_move`]). True if its legal actions are not known. Not checked: whether
    /// that seat is awaited.
    pub(super) fn has_choice(&self, seat: Seat) -> bool {
        let mut list = Vec::new();
        if self.now.legal(&mut list).is_err() {
            return true;
        }
        auto_move(&seen_by(&self.now, Observer::Seat(seat)), &list).is_none()
    }

    /// Returns the index of the first event of the gesture to which event number `event` (from 0) belongs: goes back
    /// over the actions just before it that the same seat played and that only selected something
    /// ([`Board::selects`]). Returns `event` itself if there is none. The match must have that event.
    fn gesture_start(&self, event: usize) -> usize {
        let mut start = event;
        while start > 0 && self.actors[start - 1] == self.actors[event] {
            match self.lines[start - 1].event {
                Event::Act(action) if G::selects(&self.at(start - 1), action) => start -= 1,
                _ => break,
            }
        }
        start
    }
}
