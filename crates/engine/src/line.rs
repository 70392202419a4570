//! What travels and is recorded of an event: its public part, and annexes for those entitled to them.

use crate::face::Face;
use crate::node::Event;
use crate::seat::Seat;
use crate::token::{Back, Token};

/// One event of a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<A, F> {
    /// What the rules see.
    pub event: Event<A>,
    /// The faces that become public with it, by ascending token.
    pub shown: Vec<(Token, F)>,
    /// The backs that become public with it, by ascending token.
    pub backs: Vec<(Token, Back)>,
    /// What only some may know. Cutting these out gives the public log.
    pub annexes: Vec<Annex<A, F>>,
}

/// The private part of a line for one reader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annex<A, F> {
    /// For whom; nobody at the table for the order of a shuffle.
    pub to: Option<Seat>,
    /// How the faces were permuted, tokens ascending: the i-th token has the face that the `order[i]`-th had.
    pub order: Vec<u16>,
    /// The faces that the reader learned, by ascending token.
    pub learned: Vec<(Token, F)>,
    /// The action with its secret choice.
    pub sealed: Option<A>,
}

impl<A: Copy, F: Face> Line<A, F> {
    /// A line of this event, with nothing shown and no annex.
    pub fn new(event: Event<A>) -> Self {
        Line { event, shown: Vec::new(), backs: Vec::new(), annexes: Vec::new() }
    }

    /// The line as one observer gets it: a seat its own annex, a spectator none.
    pub fn for_seat(&self, seat: Option<Seat>) -> Self {
        let mut line = self.clone();
        line.annexes.retain(|a| seat.is_some() && a.to == seat);
        line
    }

    pub(crate) fn annex(&mut self, to: Option<Seat>) -> &mut Annex<A, F> {
        let place = self.annexes.iter().position(|a| a.to == to).unwrap_or_else(|| {
            self.annexes.push(Annex { to, order: Vec::new(), learned: Vec::new(), sealed: None });
            self.annexes.len() - 1
        });
        &mut self.annexes[place]
    }
}
