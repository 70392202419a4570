//! Nature in a simulation: resolves dice, shuffles, rearrangements and reveals from one generator.

use crate::claims::Cx;
use crate::face::Face;
use crate::faces::UNKNOWN;
use crate::facts::EventFacts;
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
    /// Returns a number below `n`. Prepared answers return their number without a check.
    fn below(&mut self, n: u32) -> u32;
    /// Permutes `things` in place. Prepared answers without an order leave them as they are.
    ///
    /// # Errors
    ///
    /// Rejects a prepared order that is not a permutation of `things`, which are then unchanged.
    fn permute<X: Copy>(&mut self, things: &mut [X]) -> Result<(), RuleError>;
    /// Returns the side (from 0) of the `nth` of `dice` dice with this number of sides. The caller asks for
    /// them in ascending order.
    ///
    /// # Errors
    ///
    /// Rejects prepared sides if their number is not `dice` or a side is out of range.
    fn side(&mut self, nth: usize, dice: usize, sides: u8) -> Result<u8, RuleError>;
}

impl Nature for Rng {
    /// Draws a uniform number below `n`; 0 for 0.
    #[inline(always)]
    fn below(&mut self, n: u32) -> u32 {
        Rng::below(self, n)
    }
    /// Shuffles `things` uniformly.
    ///
    /// # Errors
    ///
    /// Never fails.
    #[inline(always)]
    fn permute<X: Copy>(&mut self, things: &mut [X]) -> Result<(), RuleError> {
        self.shuffle(things);
        Ok(())
    }
    /// Draws a uniform side, whichever die it is.
    ///
    /// # Errors
    ///
    /// Never fails.
    #[inline(always)]
    fn side(&mut self, _: usize, _: usize, sides: u8) -> Result<u8, RuleError> {
        Ok(Rng::below(self, sides.into()) as u8)
    }
}

/// Prepared answers, as scripts give them: a number, or an order (`None` keeps the order). For a cast the
/// order lists the sides of the dice, from 0; without one all dice show the side `number`.
pub(crate) struct Prepared {
    /// The result of a roll (minus 1) or pick, and the side of all dice of a cast without an order.
    pub(crate) number: u32,
    /// The order of a mix, or the sides of a cast.
    pub(crate) order: Option<Vec<u16>>,
}

impl Nature for Prepared {
    /// Returns the prepared number, whatever the bound.
    fn below(&mut self, _: u32) -> u32 {
        self.number
    }
    /// Permutes `things` by the prepared order: entry i gets what was at `order[i]`. Without an order they
    /// stay.
    ///
    /// # Errors
    ///
    /// Fails if the order is no permutation of `things`.
    fn permute<X: Copy>(&mut self, things: &mut [X]) -> Result<(), RuleError> {
        let Some(order) = &self.order else { return Ok(()) };
        crate::apply::check_permutation(order, things.len())?;
        let old = things.to_vec();
        for (thing, &from) in things.iter_mut().zip(order) {
            *thing = old[from as usize];
        }
        Ok(())
    }
    /// Returns entry `nth` of the prepared order, or the prepared number if there is no order.
    ///
    /// # Errors
    ///
    /// Fails if the order does not have `dice` entries, or if the side is not below `sides`.
    fn side(&mut self, nth: usize, dice: usize, sides: u8) -> Result<u8, RuleError> {
        let given = match &self.order {
            Some(order) => order.get(nth).filter(|_| order.len() == dice).copied().map(u32::from),
            None => Some(self.number),
        };
        let side = given.and_then(|side| u8::try_from(side).ok()).filter(|&side| side < sides);
        side.ok_or(RuleError::new("these are not the sides of the dice that are cast"))
    }
}

impl<G: Game> Position<G> {
    /// Resolves the awaited chance, reveal or rearrange node and applies the result. `rng` draws the roll,
    /// the pick, the dice of a cast, or the order of a shuffle or rearrangement; a reveal draws nothing.
    /// After an error the position must be discarded.
    ///
    /// # Errors
    ///
    /// Fails if a seat is to decide or declare, if the game is over, if this observer lacks a face, if
    /// something is to be shuffled, rearranged or cast and this is not the simulator's position, or if the
    /// rules reject the event.
    #[inline(always)]
    pub fn resolve(&mut self, rng: &mut Rng) -> Result<(), RuleError> {
        self.resolve_by(rng, None, None)
    }

    /// Resolves the awaited chance, reveal or rearrange node, applies the result and returns the logged event
    /// with all annexes. `rng` draws the roll, the pick, the dice of a cast, or the order of a shuffle or
    /// rearrangement; a reveal draws nothing. After an error the position must be discarded.
    ///
    /// # Errors
    ///
    /// Fails if a seat is to decide or declare, if the game is over, if this observer lacks a face, if
    /// something is to be shuffled, rearranged or cast and this is not the simulator's position, or if the
    /// rules reject the event.
    pub fn resolve_line(&mut self, rng: &mut Rng) -> Result<LoggedEventOf<G>, RuleError> {
        let mut line = LoggedEvent::new(Event::Done);
        self.resolve_by(rng, Some(&mut line), None)?;
        Ok(line)
    }

    /// Resolves the awaited chance, reveal or rearrange node, applies the result and returns the logged event
    /// with all annexes, and its claims and facts. `rng` draws the roll, the pick, the dice of a cast, or the
    /// order of a shuffle or rearrangement; a reveal draws nothing. After an error the position must be
    /// discarded.
    ///
    /// # Errors
    ///
    /// Fails if a seat is to decide or declare, if the game is over, if this observer lacks a face, if
    /// something is to be shuffled, rearranged or cast and this is not the simulator's position, or if the
    /// rules reject the event.
    pub fn resolve_traced(&mut self, rng: &mut Rng) -> Result<(LoggedEventOf<G>, TraceOf<G>), RuleError> {
        let (mut line, mut trace) = (LoggedEvent::new(Event::Done), TraceOf::<G>::new());
        self.resolve_by(rng, Some(&mut line), Some(&mut trace))?;
        Ok((line, trace))
    }

    /// Resolves the awaited chance, reveal or rearrange node with a given result and returns the logged event
    /// with all annexes: `number` (from 0, so 0 is side 1 of a die) for a roll or pick, `order` for a mix
    /// (tokens ascending: the i-th gets the face that the `order[i]`-th had; `None` keeps the order). For a
    /// cast, `order` lists the sides of the dice from 0, tokens ascending; without it all show side `number`.
    /// The value that the node does not need is ignored. After an error the position must be discarded.
    ///
    /// # Errors
    ///
    /// Fails if the number or a side is out of range, if the order is not a permutation, if a seat is to
    /// decide or declare, if the game is over, if this observer lacks a face, if something is to be shuffled,
    /// rearranged or cast and this is not the simulator's position, or if the rules reject the event.
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

    /// Resolves the awaited node with answers from `nature`; fills in `line`, which must be empty, and
    /// appends to `trace` if given. After an error the position must be discarded.
    ///
    /// # Errors
    ///
    /// Fails if a seat is to decide or declare, if the game is over, if this observer lacks a face, if
    /// something is to be shuffled, rearranged or cast and this is not the simulator's position, if `nature`
    /// rejects a prepared order or side, or if the rules reject the event.
    #[inline(always)]
    pub(crate) fn resolve_by(
        &mut self,
        nature: &mut impl Nature,
        line: Option<&mut LoggedEventOf<G>>,
        trace: Option<&mut TraceOf<G>>,
    ) -> Result<(), RuleError> {
        self.resolve_node(self.node(), nature, line, trace)
    }

    /// Resolves `node`, which the caller has just read from the rules; fills in `line`, which must be empty,
    /// and appends to `trace` if given. After an error the position must be discarded.
    ///
    /// # Errors
    ///
    /// Fails if a seat is to decide or declare, if the game is over, if this observer lacks a face, if
    /// something is to be shuffled, rearranged or cast and this is not the simulator's position, if `nature`
    /// rejects a prepared order or side, or if the rules reject the event.
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
            Node::Chance(Chance::Cast { set, first, sides }) => {
                self.cast(set, first, sides, nature, line.as_deref_mut())?;
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

    /// Mixes a set of tokens in an order that `nature` gives; they form one group afterwards. A shuffle if
    /// `by` is `None` (no seat knows them then), else a rearrangement by that seat (only it knows them). If
    /// `line` is given, writes the order to its annex for `by` (for the simulator after a shuffle); the
    /// random numbers are the same either way. The rules are not called.
    ///
    /// # Errors
    ///
    /// Fails if this position is not the simulator's, or `nature` rejects its prepared order. The position
    /// must then be discarded.
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
        // Without a logged event the order is not recorded: permute the faces directly, with the same random
        // numbers.
        self.state
            .tokens_mut()
            .mix(set, known, &mut self.faces.face, self.aligned, |faces| nature.permute(faces))
    }

    /// Writes the faces of `tokens`, public or known to this observer, to the front of `faces`. The rest of
    /// `faces` is unchanged; an unknown face gives [`UNKNOWN`].
    ///
    /// An out parameter: returning the array would copy bytes right after writing them one by one, which
    /// misses store forwarding.
    #[inline(always)]
    fn faces_of(&self, tokens: &[u16], faces: &mut <G::Size as Size>::Tok<u8>) {
        for (face, &t) in faces.as_mut().iter_mut().zip(tokens) {
            *face = self.state.tokens().true_face(t, &self.faces.face);
        }
    }

    /// Permutes the faces of `tokens` by `order`: the i-th token gets the face that the `order[i]`-th had.
    /// Writes them to the private faces, and to the bytes of the token table too if they are aligned. The
    /// caller guarantees that `order` is a permutation.
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

    /// Reveals the faces or backs of a set of tokens to an audience; fills in `line` by ascending token if
    /// given. Backs become public whatever the audience. Tokens that the audience knows already are left out
    /// of `line`.
    ///
    /// # Errors
    ///
    /// Fails if this observer lacks a face, or if public information contradicts it; earlier tokens are then
    /// revealed already.
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
            // Without a logged event the order of tokens does not matter, and walking the zone is shorter than
            // scanning all tokens.
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

    /// Reveals all tokens of a zone to an audience, from top to bottom, without a logged event; public ones
    /// are skipped.
    ///
    /// # Errors
    ///
    /// Fails if this observer lacks a face, or if public information contradicts it; earlier tokens are then
    /// revealed already.
    #[inline(always)]
    fn reveal_zone(&mut self, zone: Zone, to: Audience, side: Side) -> Result<(), RuleError> {
        let mut next = self.state.tokens().top(zone);
        while let Some(t) = next {
            self.reveal_one(t, to, side, None)?;
            next = self.state.tokens().below(t);
        }
        Ok(())
    }

    /// Reveals one token to an audience: its face to all, its face to one seat, or its back to all. Adds it
    /// to `line` if that is given and the audience did not know it. No effect if the face is public.
    ///
    /// # Errors
    ///
    /// Fails if this observer lacks the face, or if public information contradicts it; nothing has changed
    /// then.
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
                self.state.tokens_mut().add_knower(t, seat);
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

    /// Resolves all nodes without a choice up to the next decision or the end: chance, shuffles and
    /// rearrangements with numbers from `rng`, reveals, and declarations by their only legal action. Changes
    /// nothing if a decision or the end is reached already. `list` is a reusable buffer, whose content
    /// afterwards means nothing. After an error the position must be discarded.
    ///
    /// # Errors
    ///
    /// Fails if this observer lacks a face, if something is to be shuffled, rearranged or cast and this is
    /// not the simulator's position, if a seat is to declare in a game with tokens and this observer is
    /// neither that seat nor the simulator, or if the rules reject an event.
    #[inline(always)]
    pub fn settle(&mut self, rng: &mut Rng, list: &mut Vec<G::Action>) -> Result<(), RuleError> {
        while self.advance(rng, list)? {}
        Ok(())
    }

    /// Resolves the awaited node if it needs no decision and returns `true`: chance, a shuffle or a
    /// rearrangement with numbers from `rng`, a reveal, or a declaration by its only legal action. Returns
    /// `false` and changes nothing at a decision or at the end. `list` is a reusable buffer, whose content
    /// afterwards means nothing. After an error the position must be discarded.
    ///
    /// # Errors
    ///
    /// Fails if this observer lacks a face, if something is to be shuffled, rearranged or cast and this is
    /// not the simulator's position, if a seat is to declare in a game with tokens and this observer is
    /// neither that seat nor the simulator, or if the rules reject the event.
    #[inline(always)]
    pub fn advance(&mut self, rng: &mut Rng, list: &mut Vec<G::Action>) -> Result<bool, RuleError> {
        match self.node() {
            Node::Decide(_) | Node::Over => return Ok(false),
            Node::Declare(seat) => self.do_duty(seat, list)?,
            node => self.resolve_node(node, rng, None, None)?,
        }
        Ok(true)
    }

    /// Resolves the awaited node if it needs no decision, and returns the logged event with all annexes and
    /// what the rules did, in order: chance, a shuffle or a rearrangement with numbers from `rng`, a reveal,
    /// or a declaration by its only legal action. Returns `None` and changes nothing at a decision or at the
    /// end. After an error the position must be discarded.
    ///
    /// # Errors
    ///
    /// Fails if this observer lacks a face, if something is to be shuffled, rearranged or cast and this is
    /// not the simulator's position, if a seat is to declare in a game with tokens and this observer is
    /// neither that seat nor the simulator, or if the rules reject the event.
    pub fn advance_facts(&mut self, rng: &mut Rng) -> Result<Option<EventFacts<G>>, RuleError> {
        match self.node() {
            Node::Decide(_) | Node::Over => Ok(None),
            Node::Declare(seat) => self.play_facts(self.duty(seat, &mut Vec::new())?).map(Some),
            _ => self.resolve_facts(rng).map(Some),
        }
    }

    /// Returns the only legal action of a declaration. `seat` must be the declaring seat. Replaces `list` by
    /// the legal actions.
    ///
    /// # Errors
    ///
    /// Fails if, in a game with tokens, this observer is another seat or a spectator, or if the list is
    /// empty, which breaks the contract of [`Game::legal`].
    pub fn duty(&self, seat: Seat, list: &mut Vec<G::Action>) -> Result<G::Action, RuleError> {
        self.list_of(seat, list)?;
        list.first().copied().ok_or(RuleError::new("a duty without an entry"))
    }

    /// Plays to the end of the game, in this position: each decision by a uniformly random action of the
    /// legal list, each declaration by its only action, and chance at random, all with numbers from `rng`.
    /// Returns the outcome and the number of decisions on the way (declarations do not count). `list` is a
    /// reusable buffer, whose content afterwards means nothing. Does not return if the rules never end the
    /// game. After an error the position must be discarded.
    ///
    /// # Errors
    ///
    /// Fails if the game has tokens and this is not the simulator's position, if a face is unknown, or if the
    /// rules contradict themselves: a decision without a legal action, a listed action that they reject, or
    /// an end without an outcome.
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

    /// Plays the only legal action of a declaration by `seat`, the declaring seat, without undo data. `list`
    /// is a reusable buffer.
    ///
    /// # Errors
    ///
    /// Fails if the list is empty, if this observer is another seat or a spectator in a game with tokens, if
    /// a face is unknown, or if the rules reject the entry. The position must then be discarded.
    fn do_duty(&mut self, seat: Seat, list: &mut Vec<G::Action>) -> Result<(), RuleError> {
        let duty = self.duty(seat, list)?;
        self.act_listed(seat, duty)
    }
}
