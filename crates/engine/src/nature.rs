//! Nature in a simulation: resolves dice, shuffles, rearrangements and reveals from one generator.

use crate::claims::Cx;
use crate::face::Face;
use crate::faces::UNKNOWN;
use crate::facts::TraceOf;
use crate::game::Game;
use crate::line::LoggedEvent;
use crate::node::{Audience, Chance, Event, Node, Set, Side};
use crate::outcome::Outcome;
use crate::position::{LoggedEventOf, Observer, Position};
use crate::rejected::RuleError;
use crate::rng::Rng;
use crate::seat::{Known, Seat};
use crate::sim::Sim;
use crate::size::Size;
use crate::token::{Back, Token, Zone};

/// A source of answers to chance nodes.
pub(crate) trait Nature {
    /// Returns a number below `n`.
    fn below(&mut self, n: u32) -> u32;
    /// Permutes `things` in place.
    ///
    /// # Errors
    ///
    /// Rejects a prepared order that is not a permutation of `things`.
    fn permute<X: Copy>(&mut self, things: &mut [X]) -> Result<(), RuleError>;
}

impl Nature for Rng {
    #[inline(always)]
    fn below(&mut self, n: u32) -> u32 {
        Rng::below(self, n)
    }
    #[inline(always)]
    fn permute<X: Copy>(&mut self, things: &mut [X]) -> Result<(), RuleError> {
        self.shuffle(things);
        Ok(())
    }
}

/// Prepared answers, as scripts give them: a number, or an order (`None` keeps the order).
pub(crate) struct Prepared {
    pub(crate) number: u32,
    pub(crate) order: Option<Vec<u16>>,
}

impl Nature for Prepared {
    fn below(&mut self, _: u32) -> u32 {
        self.number
    }
    fn permute<X: Copy>(&mut self, things: &mut [X]) -> Result<(), RuleError> {
        let Some(order) = &self.order else { return Ok(()) };
        crate::apply::permutation(order, things.len())?;
        let old = things.to_vec();
        for (thing, &from) in things.iter_mut().zip(order) {
            *thing = old[from as usize];
        }
        Ok(())
    }
}

impl<G: Game> Position<G> {
    /// Resolves the awaited chance, reveal or rearrange node at random. The position must know all faces.
    ///
    /// # Errors
    ///
    /// Fails if a seat is to decide, if the game is over, or if this observer lacks a face.
    #[inline(always)]
    pub fn resolve(&mut self, rng: &mut Rng) -> Result<(), RuleError> {
        self.resolve_by(rng, None, None)
    }

    /// Resolves the awaited chance, reveal or rearrange node at random and returns its line with all annexes.
    ///
    /// # Errors
    ///
    /// Fails if a seat is to decide, if the game is over, or if this observer lacks a face.
    pub fn resolve_line(&mut self, rng: &mut Rng) -> Result<LoggedEventOf<G>, RuleError> {
        let mut line = LoggedEvent::new(Event::Done);
        self.resolve_by(rng, Some(&mut line), None)?;
        Ok(line)
    }

    /// Resolves the awaited chance, reveal or rearrange node at random and returns its line, claims and facts.
    ///
    /// # Errors
    ///
    /// Fails if a seat is to decide, if the game is over, or if this observer lacks a face.
    pub(crate) fn resolve_traced(
        &mut self,
        rng: &mut Rng,
    ) -> Result<(LoggedEventOf<G>, TraceOf<G>), RuleError> {
        let (mut line, mut trace) = (LoggedEvent::new(Event::Done), TraceOf::<G>::new());
        self.resolve_by(rng, Some(&mut line), Some(&mut trace))?;
        Ok((line, trace))
    }

    /// Resolves the awaited chance, reveal or rearrange node with a given result and returns its line: `number`
    /// (from 0) for a roll or pick, `order` for a mix (tokens ascending: the i-th gets the face that the
    /// `order[i]`-th had; `None` keeps the order).
    ///
    /// # Errors
    ///
    /// Fails if the number is out of range, if the order is not a permutation, or if a seat is to decide.
    pub fn resolve_with(
        &mut self,
        number: u32,
        order: Option<Vec<u16>>,
    ) -> Result<LoggedEventOf<G>, RuleError> {
        let outcomes = match self.node() {
            Node::Chance(Chance::Roll { sides: n } | Chance::Pick { of: n }) => n,
            _ => u32::MAX,
        };
        if number >= outcomes {
            return Err(RuleError::new("this number is out of range"));
        }
        let mut line = LoggedEvent::new(Event::Done);
        self.resolve_by(&mut Prepared { number, order }, Some(&mut line), None)?;
        Ok(line)
    }

    /// Resolves the awaited node with answers from `nature`; fills in `line` and appends to `trace` if given.
    ///
    /// # Errors
    ///
    /// Fails if a seat is to decide, the game is over, or this observer lacks a face.
    #[inline(always)]
    pub(crate) fn resolve_by(
        &mut self,
        nature: &mut impl Nature,
        line: Option<&mut LoggedEventOf<G>>,
        trace: Option<&mut TraceOf<G>>,
    ) -> Result<(), RuleError> {
        self.resolve_node(self.node(), nature, line, trace)
    }

    /// Resolves `node`, which the caller has just read from the rules; fills in `line` and appends to `trace` if
    /// given.
    ///
    /// # Errors
    ///
    /// Fails if a seat is to decide, the game is over, or this observer lacks a face.
    #[inline(always)]
    fn resolve_node(
        &mut self,
        node: Node,
        nature: &mut impl Nature,
        mut line: Option<&mut LoggedEventOf<G>>,
        trace: Option<&mut TraceOf<G>>,
    ) -> Result<(), RuleError> {
        let event = match node {
            Node::Chance(Chance::Roll { sides }) => Event::Rolled(nature.below(sides) + 1),
            Node::Chance(Chance::Pick { of }) => Event::Rolled(nature.below(of)),
            Node::Chance(Chance::Shuffle { pile }) => {
                self.mix(Set::Zone(pile), None, nature, line.as_deref_mut())?;
                Event::Done
            }
            Node::Rearrange { set, by } => {
                self.mix(set, Some(by), nature, line.as_deref_mut())?;
                Event::Done
            }
            Node::Reveal { set, to, side } => {
                self.reveal(set, to, side, line.as_deref_mut())?;
                Event::Done
            }
            Node::Decide(_) | Node::Declare(_) => return Err(RuleError::new("a seat is asked, not nature")),
            Node::Over => return Err(RuleError::new("the game is over")),
        };
        if let Some(line) = line {
            line.event = event;
        }
        let mut cx = Cx::new(self.faces.face.as_ref(), trace);
        self.state.apply(&mut cx, event)?;
        cx.verdict()
    }

    /// Mixes a set of tokens: a shuffle if `by` is `None`, else a rearrangement by that seat.
    ///
    /// # Errors
    ///
    /// Fails if this position is not the simulator's, or `nature` cannot permute.
    #[inline(always)]
    fn mix(
        &mut self,
        set: Set,
        by: Option<Seat>,
        nature: &mut impl Nature,
        line: Option<&mut LoggedEventOf<G>>,
    ) -> Result<(), RuleError> {
        if self.observer != Observer::All {
            return Err(RuleError::new("only the simulator can shuffle alone"));
        }
        let known = by.map_or(Known::NOBODY, Known::only);
        if let Some(line) = line {
            let mut tokens = G::Size::tok(0u16);
            let n = self.state.tokens().collect(set, &mut tokens);
            let tokens = &tokens.as_ref()[..n];
            let mut order: Vec<u16> = (0..n as u16).collect();
            nature.permute(&mut order)?;
            self.permute(tokens, &order);
            line.annex(by).order = order;
            self.state.tokens_mut().reissue(tokens, known);
            return Ok(());
        }
        // Without a line the order is not recorded: permute the faces directly, with the same random numbers.
        self.state
            .tokens_mut()
            .mix(set, known, &mut self.faces.face, self.aligned, |faces| nature.permute(faces))
    }

    /// Writes the faces of `tokens`, public or known to this observer, to the front of `faces`.
    ///
    /// An out parameter: returning the array would copy bytes right after writing them one by one, which misses
    /// store forwarding.
    #[inline(always)]
    fn faces_of(&self, tokens: &[u16], faces: &mut <G::Size as Size>::Tok<u8>) {
        for (face, &t) in faces.as_mut().iter_mut().zip(tokens) {
            *face = self.state.tokens().true_face(t, &self.faces.face);
        }
    }

    /// Permutes the private faces of `tokens` by `order`, and the bytes of the token table too if they are
    /// aligned.
    pub(crate) fn permute(&mut self, tokens: &[u16], order: &[u16]) {
        let mut old = G::Size::tok(UNKNOWN);
        self.faces_of(tokens, &mut old);
        for (&t, &from) in tokens.iter().zip(order) {
            self.faces.face[t as usize] = old[from as usize];
            if self.aligned {
                self.state.tokens_mut().lay_out(&[t], &[old[from as usize]]);
            }
        }
    }

    /// Reveals a set of tokens to an observer; fills in `line` if given.
    ///
    /// # Errors
    ///
    /// Fails if this observer lacks a face.
    #[inline(always)]
    fn reveal(
        &mut self,
        set: Set,
        to: Audience,
        side: Side,
        mut line: Option<&mut LoggedEventOf<G>>,
    ) -> Result<(), RuleError> {
        match set {
            Set::One(t) => return self.reveal_one(t, to, side, line),
            // Without a line the order of tokens does not matter, and walking the zone is shorter than scanning
            // all tokens.
            Set::Zone(a) if line.is_none() => return self.reveal_zone(a, to, side),
            Set::Zones(a, b) if line.is_none() => {
                self.reveal_zone(a, to, side)?;
                return self.reveal_zone(b, to, side);
            }
            Set::Marked if line.is_none() => {
                let mut next = self.state.tokens().last_marked();
                while let Some(t) = next {
                    self.reveal_one(t, to, side, None)?;
                    next = self.state.tokens().marked_before(t);
                }
                return Ok(());
            }
            _ => {}
        }
        for t in (0..G::Size::TOKENS as u16).map(Token) {
            if self.state.tokens().in_set(t, set) {
                self.reveal_one(t, to, side, line.as_deref_mut())?;
            }
        }
        Ok(())
    }

    /// Reveals all tokens of a zone to an audience, from top to bottom; public ones are skipped.
    ///
    /// # Errors
    ///
    /// Fails if this observer lacks a face.
    #[inline(always)]
    fn reveal_zone(&mut self, zone: Zone, to: Audience, side: Side) -> Result<(), RuleError> {
        let mut next = self.state.tokens().top(zone);
        while let Some(t) = next {
            self.reveal_one(t, to, side, None)?;
            next = self.state.tokens().below(t);
        }
        Ok(())
    }

    /// Reveals one token to an audience, and adds it to `line` if there is one. No effect if it is public.
    ///
    /// # Errors
    ///
    /// Fails if this observer lacks the face.
    #[inline(always)]
    fn reveal_one(
        &mut self,
        t: Token,
        to: Audience,
        side: Side,
        line: Option<&mut LoggedEventOf<G>>,
    ) -> Result<(), RuleError> {
        if self.state.tokens().is_public(t) {
            return Ok(());
        }
        if let (Audience::All, Side::Face) = (to, side) {
            let face = self.open_own(t)?;
            if let Some(line) = line {
                line.shown.push((t, G::Face::nth(face)));
            }
            return Ok(());
        }
        let face = self.faces.get(t).ok_or(RuleError::face_needed(t))?;
        match (to, side) {
            (Audience::Seat(seat), Side::Face) => {
                let new = !self.state.tokens().known(t).to(seat);
                self.state.tokens_mut().tell(t, seat);
                if let Some(line) = line.filter(|_| new) {
                    line.annex(Some(seat)).learned.push((t, G::Face::nth(face)));
                }
            }
            _ => {
                let back = G::Face::nth(face).back();
                if self.state.tokens().back(t) == Back::HIDDEN {
                    self.state.tokens_mut().show_back(t, back);
                    if let Some(line) = line {
                        line.backs.push((t, back));
                    }
                }
            }
        }
        Ok(())
    }

    /// Resolves all nodes without a choice (chance, reveal, rearrange, declare) up to the next decision or the
    /// end. `list` is a reusable buffer.
    ///
    /// # Errors
    ///
    /// Fails if this observer lacks a face or the rules reject an event.
    #[inline(always)]
    pub fn settle(&mut self, rng: &mut Rng, list: &mut Vec<G::Action>) -> Result<(), RuleError> {
        loop {
            match self.node() {
                Node::Decide(_) | Node::Over => return Ok(()),
                Node::Declare(seat) => self.do_duty(seat, list)?,
                node => self.resolve_node(node, rng, None, None)?,
            }
        }
    }

    /// Plays random actions to the end of the game. Returns the outcome and the number of decisions. `list` is
    /// a reusable buffer.
    ///
    /// # Errors
    ///
    /// Fails if this position does not know all faces, or if the rules contradict themselves.
    #[inline(always)]
    pub fn playout(&mut self, rng: &mut Rng, list: &mut Vec<G::Action>) -> Result<(Outcome, u32), RuleError> {
        let mut decisions = 0;
        if G::Size::TOKENS > 0 && self.observer != Observer::All {
            return Err(RuleError::new("only the simulator can play for all seats"));
        }
        let plain = self.faces.notes.is_empty();
        // Equivalent to `settle` plus a decision, but matches the node only once per event. That match is the
        // largest cost of a small game (bench `playouts`).
        loop {
            if plain {
                let mut sim = Sim::new(&mut self.faces, self.aligned, rng, list);
                self.state.play_on(&mut sim)?;
                decisions += sim.decisions;
            }
            match self.node() {
                Node::Decide(seat) => {
                    let action = self.state.choose(&self.own(seat), list, |n| rng.below(n as u32) as usize);
                    let action = action.ok_or(RuleError::new("a decision without a legal action"))?;
                    self.act_listed(seat, action)?;
                    decisions += 1;
                }
                Node::Over => {
                    let outcome =
                        self.outcome().ok_or(RuleError::new("the game is over without an outcome"))?;
                    return Ok((outcome, decisions));
                }
                Node::Declare(seat) => self.do_duty(seat, list)?,
                node => self.resolve_node(node, rng, None, None)?,
            }
        }
    }

    /// Plays the only entry of a declaration.
    ///
    /// # Errors
    ///
    /// Fails if the list is empty or the rules reject the entry.
    fn do_duty(&mut self, seat: Seat, list: &mut Vec<G::Action>) -> Result<(), RuleError> {
        self.list_of(seat, list)?;
        let duty = *list.first().ok_or(RuleError::new("a duty without an entry"))?;
        self.act_listed(seat, duty)
    }
}
