//! Logged events: the public part of an event, and private annexes for single seats.

use crate::face::Face;
use crate::node::Event;
use crate::seat::Seat;
use crate::token::{Back, Token};

/// One event of a log with everything that travels and is recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoggedEvent<A, F> {
    /// The event as the rules see it.
    pub event: Event<A>,
    /// Faces that become public with the event, by ascending token.
    pub shown: Vec<(Token, F)>,
    /// Backs that become public with the event, by ascending token.
    pub backs: Vec<(Token, Back)>,
    /// Private parts. A logged event without them is public.
    pub annexes: Vec<Annex<A, F>>,
}

/// The private part of a logged event, for one reader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annex<A, F> {
    /// The seat that may read it. `None` for the order of a shuffle, which only the simulator knows.
    pub to: Option<Seat>,
    /// The permutation of a mix, tokens ascending: the i-th token gets the face that the `order[i]`-th had.
    pub order: Vec<u16>,
    /// Faces that the reader learns, by ascending token.
    pub learned: Vec<(Token, F)>,
    /// The action with its secret choice.
    pub sealed: Option<A>,
}

impl<A: Copy, F: Face> LoggedEvent<A, F> {
    /// Creates a logged event without shown faces, backs or annexes.
    pub fn new(event: Event<A>) -> Self {
        LoggedEvent { event, shown: Vec::new(), backs: Vec::new(), annexes: Vec::new() }
    }

    /// Returns a copy of the logged event as one observer receives it: a seat gets its own annex only, a
    /// spectator (`None`) gets none. The order of a shuffle is cut in either case: only the simulator may
    /// know it.
    pub fn for_seat(&self, seat: Option<Seat>) -> Self {
        let mut line = self.clone();
        line.annexes.retain(|a| seat.is_some() && a.to == seat);
        line
    }

    /// Returns the annex for this reader, and appends an empty one if there is none. `None` is the annex of
    /// the simulator, for the order of a shuffle.
    pub(crate) fn annex(&mut self, to: Option<Seat>) -> &mut Annex<A, F> {
        let place = self.annexes.iter().position(|a| a.to == to).unwrap_or_else(|| {
            self.annexes.push(Annex { to, order: Vec::new(), learned: Vec::new(), sealed: None });
            self.annexes.len() - 1
        });
        &mut self.annexes[place]
    }
}
