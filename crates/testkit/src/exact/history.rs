//! Histories of a game in which hidden faces are drawn lazily, when an observer learns them.

use super::chain::Chain;
use pentarchy_engine::raw::UNKNOWN;
use pentarchy_engine::{
    Chance, Cx, Event, Face, Game, Known, LoggedEvent, LoggedEventOf, MAX_SEATS, Node, Observer, Outcome,
    Position, RuleError, Seat, Set, Size, Token,
};

/// The pool of a token that is not undrawn.
const NO_POOL: u16 = u16::MAX;

/// One step of a history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeStep<A> {
    /// The decision of a seat.
    Act(A),
    /// The result of a chance node, counted from 0.
    Number(u32),
    /// The face (by number) that a token turns out to have.
    Face(Token, u8),
}

/// The possible continuations of a history.
#[derive(Clone, PartialEq, Debug)]
pub enum TreeTurn<A> {
    /// A chance node: the possible steps with their weights, to which their probabilities are proportional.
    Chance(Vec<(TreeStep<A>, u32)>),
    /// A decision of a seat: the legal actions.
    Decision(Seat, Vec<A>),
    /// The end of the game.
    Over(Outcome),
}

impl<A: Copy> TreeTurn<A> {
    /// Returns all steps that can continue the history, in a fixed order; none at the end of the game.
    pub fn steps(&self) -> Vec<TreeStep<A>> {
        match self {
            TreeTurn::Chance(steps) => steps.iter().map(|&(step, _)| step).collect(),
            TreeTurn::Decision(_, list) => list.iter().copied().map(TreeStep::Act).collect(),
            TreeTurn::Over(_) => Vec::new(),
        }
    }
}

/// A sequence of steps and the position that it leads to.
///
/// A mixed token is *undrawn* until an observer learns its face. Undrawn tokens that were mixed together form
/// a *pool*; each has a lot, and the lots of a pool are, together, its faces in an arbitrary order.
#[derive(Clone, Debug)]
pub struct History<G: Game> {
    /// The position; undrawn faces are unknown in it.
    position: Position<G>,
    /// The name of each token's pool; [`NO_POOL`] if it is not undrawn.
    pool: <G::Size as Size>::Tok<u16>,
    /// The lot of each undrawn token: the number of a face of its pool.
    lot: <G::Size as Size>::Tok<u8>,
    /// Whether the awaited rearrangement has mixed its tokens; their new faces are now drawn for the seat
    /// that did it.
    mixed: bool,
    /// The sides, from 0, that the first dice of the awaited cast have shown.
    cast: Vec<u16>,
    /// What each seat has observed.
    seen: [Chain; MAX_SEATS],
    /// Number of decisions since the start.
    decisions: u32,
}

impl<G: Game> History<G> {
    /// Creates the empty history of a simulator's position, and resolves what is not a step. Earlier shuffles
    /// keep their result.
    ///
    /// # Errors
    ///
    /// Fails if the position is not the simulator's, or the rules reject an event.
    pub fn new(position: &Position<G>) -> Result<Self, RuleError> {
        if position.observer() != Observer::All {
            return Err(RuleError::new("only the simulator's position can be walked"));
        }
        let mut history = History {
            position: position.clone(),
            pool: G::Size::tok(NO_POOL),
            lot: G::Size::tok(UNKNOWN),
            mixed: false,
            cast: Vec::new(),
            seen: [Chain::START; MAX_SEATS],
            decisions: 0,
        };
        *history.position.raw_mut().aligned = false;
        history.settle()?;
        Ok(history)
    }

    /// Returns the position; undrawn faces are unknown in it.
    pub fn position(&self) -> &Position<G> {
        &self.position
    }

    /// Returns the number of decisions since the start of the history.
    pub fn decisions(&self) -> u32 {
        self.decisions
    }

    /// Returns the hash of what this seat has observed since the start of the history: its information set,
    /// if it decides. Equal observations give equal hashes. Panics from seat 7 on.
    pub fn observed(&self, seat: Seat) -> u64 {
        self.seen[seat.index()].value()
    }

    /// Returns how the history can continue: the legal actions of a decision, the possible results of chance
    /// with their weights, or the outcome.
    ///
    /// # Errors
    ///
    /// Fails if the rules contradict themselves.
    pub fn turn(&self) -> Result<TreeTurn<G::Action>, RuleError> {
        Ok(match self.position.node() {
            Node::Decide(seat) => {
                let mut list = Vec::new();
                self.position.legal(&mut list)?;
                TreeTurn::Decision(seat, list)
            }
            Node::Over => {
                let outcome = self.position.outcome();
                TreeTurn::Over(outcome.ok_or(RuleError::new("the game is over without an outcome"))?)
            }
            Node::Chance(Chance::Roll { sides: n } | Chance::Pick { of: n }) => {
                TreeTurn::Chance((0..n).map(|i| (TreeStep::Number(i), 1)).collect())
            }
            Node::Chance(Chance::Cast { set, first, sides }) => {
                let t = self.to_cast(set).ok_or(RuleError::new("there are no dice to cast"))?;
                let faces = (0..sides).map(|side| first + side);
                TreeTurn::Chance(faces.map(|face| (TreeStep::Face(t, face), 1)).collect())
            }
            node => {
                let t = self.to_draw(node).ok_or(RuleError::new("there is nothing to draw"))?;
                let mut steps: Vec<(TreeStep<G::Action>, u32)> = Vec::new();
                for u in self.pool_of(t) {
                    let step = TreeStep::Face(t, self.lot[u]);
                    match steps.iter_mut().find(|(other, _)| *other == step) {
                        Some((_, weight)) => *weight += 1,
                        None => steps.push((step, 1)),
                    }
                }
                TreeTurn::Chance(steps)
            }
        })
    }

    /// Returns the history with one more step, which must be one of those that [`turn`](Self::turn) allows,
    /// and with everything after it that is not a step. This history does not change.
    ///
    /// # Errors
    ///
    /// Fails if the step is not possible, or if the rules reject an event.
    pub fn after(&self, step: TreeStep<G::Action>) -> Result<Self, RuleError> {
        let mut next = self.clone();
        match step {
            TreeStep::Act(action) => {
                let line = next.position.play_line(action)?;
                next.observe(&line);
                next.decisions += 1;
            }
            TreeStep::Number(n) => {
                let line = next.position.resolve_with(n, None)?;
                next.observe(&line);
            }
            TreeStep::Face(t, face) => next.draw(t, face)?,
        }
        next.settle()?;
        Ok(next)
    }

    /// Gives the face with this number to `t`: to the next die of the awaited cast, or to an undrawn token,
    /// whose pool loses the token and one such face. The position then knows the face of the token; the
    /// sides of dice are applied when all are drawn.
    ///
    /// # Errors
    ///
    /// Fails if `t` is not the die that is drawn next, has no such side, or no such face is left in its
    /// pool; nothing has changed then.
    fn draw(&mut self, t: Token, face: u8) -> Result<(), RuleError> {
        if let Node::Chance(Chance::Cast { set, first, sides }) = self.position.node() {
            let next = self.to_cast(set) == Some(t);
            let side = face.checked_sub(first).filter(|&side| next && side < sides);
            self.cast.push(side.ok_or(RuleError::of("the die has no such side", t))?.into());
            return Ok(());
        }
        let holder = self.pool_of(t).find(|&u| self.lot[u] == face);
        let holder = holder.ok_or(RuleError::of("there is no such face left for this token", t))?;
        self.lot[holder] = self.lot[t.index()];
        self.lot[t.index()] = UNKNOWN;
        self.pool[t.index()] = NO_POOL;
        self.position.raw_mut().faces[t.index()] = face;
        Ok(())
    }

    /// Resolves everything that is not a step, up to the next one: shuffles, declarations, and reveals of
    /// faces that are drawn already. After an error the history must be discarded.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject an event.
    fn settle(&mut self) -> Result<(), RuleError> {
        loop {
            let node = self.position.node();
            if self.to_draw(node).is_some() {
                return Ok(());
            }
            match node {
                Node::Decide(_) | Node::Over | Node::Chance(Chance::Roll { .. } | Chance::Pick { .. }) => {
                    return Ok(());
                }
                Node::Declare(seat) => {
                    let duty = self.position.duty(seat, &mut Vec::new())?;
                    let line = self.position.play_line(duty)?;
                    self.observe(&line);
                }
                Node::Reveal { .. } => {
                    let line = self.position.resolve_with(0, None)?;
                    self.observe(&line);
                }
                Node::Chance(Chance::Cast { .. }) => {
                    let sides = std::mem::take(&mut self.cast);
                    let line = self.position.resolve_with(0, Some(sides))?;
                    self.observe(&line);
                }
                Node::Chance(Chance::Shuffle { pile }) => {
                    self.mix(Set::Zone(pile), Known::NOBODY);
                    self.apply_mix()?;
                }
                Node::Rearrange { set, by } if !self.mixed => {
                    self.mix(set, Known::only(by));
                    self.mixed = true;
                }
                Node::Rearrange { set, by } => {
                    for t in self.position.state().tokens().set(set) {
                        let face = self.position.raw_faces()[t.index()];
                        self.seen[by.index()].learn(t.0, face);
                    }
                    self.mixed = false;
                    self.apply_mix()?;
                }
            }
        }
    }

    /// Returns the next die of the cast of `set` whose side is not drawn yet; `None` if all are.
    fn to_cast(&self, set: Set) -> Option<Token> {
        self.position.state().tokens().set(set).nth(self.cast.len())
    }

    /// Returns the next token whose face must be drawn before `node` can be resolved; `None` if none must.
    /// For a cast it is the next die, for a reveal, and for a rearrangement that has mixed its tokens, an
    /// undrawn token of the set. Before a mix it is one whose pool extends beyond the mixed set. If all
    /// tokens of the set belong to one pool, a mix changes nothing, and no face must be drawn.
    fn to_draw(&self, node: Node) -> Option<Token> {
        let tokens = self.position.state().tokens();
        let undrawn = |t: &Token| self.pool[t.index()] != NO_POOL;
        let mixing = match node {
            Node::Chance(Chance::Cast { set, .. }) => return self.to_cast(set),
            Node::Reveal { set, .. } => return tokens.set(set).find(undrawn),
            Node::Rearrange { set, .. } if self.mixed => return tokens.set(set).find(undrawn),
            Node::Rearrange { set, .. } => set,
            Node::Chance(Chance::Shuffle { pile }) => Set::Zone(pile),
            _ => return None,
        };
        let alone = |t: &Token| tokens.set(mixing).all(|u| self.pool[u.index()] == self.pool[t.index()]);
        let beyond = |t: &Token| self.pool_of(*t).any(|u| !tokens.in_set(Token(u as u16), mixing));
        tokens.set(mixing).filter(undrawn).find(|t| beyond(t) && !alone(t))
    }

    /// Iterates over the undrawn tokens of this undrawn token's pool, itself included, ascending; over none
    /// if the token is drawn.
    fn pool_of(&self, t: Token) -> impl Iterator<Item = usize> + '_ {
        let pool = self.pool[t.index()];
        (0..G::Size::TOKENS).filter(move |&u| pool != NO_POOL && self.pool[u] == pool)
    }

    /// Merges the tokens of a set into one pool of undrawn faces and into one group; afterwards only
    /// `known` knows them. Faces that were drawn become unknown again. If all tokens of the set belong to
    /// one pool already, the pools stay as they are.
    fn mix(&mut self, set: Set, known: Known) {
        let members: Vec<u16> = self.position.state().tokens().set(set).map(|t| t.0).collect();
        let pools = self.pool.as_ref();
        let Some(name) = (0..=G::Size::TOKENS as u16).find(|name| !pools.contains(name)) else { return };
        let one_pool = members.first().is_some_and(|&t| {
            pools[t as usize] != NO_POOL && members.iter().all(|&u| pools[u as usize] == pools[t as usize])
        });
        for &t in members.iter().filter(|_| !one_pool) {
            let i = t as usize;
            if self.pool[i] == NO_POOL {
                self.lot[i] = self.position.face(Token(t)).map_or(UNKNOWN, Face::index);
            }
            self.position.raw_mut().faces[i] = UNKNOWN;
            self.pool[i] = name;
        }
        self.position.raw_mut().state.tokens_mut().regroup(&members, known);
    }

    /// Applies the awaited shuffle or rearrangement to the rules, after the caller has mixed the tokens, and
    /// lets all seats observe it.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject it. The history must then be discarded.
    fn apply_mix(&mut self) -> Result<(), RuleError> {
        self.position.raw_mut().state.apply(&mut Cx::silent(), Event::Done)?;
        self.observe(&LoggedEvent::new(Event::Done));
        Ok(())
    }

    /// Adds a logged event to the observations of all seats; each seat gets the public part and its own
    /// annex.
    fn observe(&mut self, line: &LoggedEventOf<G>) {
        for seat in (0..self.position.seats()).map(Seat) {
            self.seen[seat.index()].observe(line, seat);
        }
    }
}
