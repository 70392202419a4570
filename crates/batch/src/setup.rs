//! What all matches of a batch share.

use pentarchy_engine::{
    Encode, Encoder, EncodingSize, Exploration, Heuristic, Node, OptionsError, Outcome, Position, Rng,
    RuleError, Seat,
};

/// A game with its number of seats, its options and its encoder.
pub struct Setup<G: Encode> {
    /// The initial position.
    pub(crate) start: Position<G>,
    /// The options.
    pub(crate) options: G::Options,
    /// Writes observations and actions as numbers.
    pub(crate) encoder: Box<dyn Encoder<G>>,
}

impl<G: Encode> Setup<G> {
    /// Creates the setup of matches with this number of seats and these options. Explores the game to fix the
    /// encoding, which takes up to a second.
    ///
    /// # Errors
    ///
    /// Fails if the game does not allow this number of seats or these options.
    pub fn new(seats: u8, options: &G::Options, exploration: Exploration) -> Result<Self, OptionsError> {
        let start = Position::new(seats, options)?;
        let encoder = G::encoder(&start, options, exploration);
        Ok(Setup { start, options: options.clone(), encoder })
    }

    /// Returns the number of seats.
    pub fn seats(&self) -> u8 {
        self.start.seats()
    }

    /// Plays this number of matches to their ends with uniformly random decisions, without encoding anything,
    /// and returns the total number of decisions: the upper bound of what a batch can do. The seed determines
    /// all chance and choices.
    ///
    /// # Errors
    ///
    /// Fails if the rules contradict themselves.
    pub fn playouts(&self, matches: u32, seed: u64) -> Result<u64, RuleError> {
        let (mut rng, mut list, mut decisions) = (Rng::new(seed), Vec::new(), 0);
        for _ in 0..matches {
            decisions += u64::from(self.start.clone().playout(&mut rng, &mut list)?.1);
        }
        Ok(decisions)
    }

    /// Returns the lengths of the vectors of an observation and of an action, and the number of legal actions
    /// for which a learner should have room. They never change.
    pub fn size(&self) -> EncodingSize {
        self.encoder.size()
    }
}

/// Plays an action of the deciding seat. Compiled once per game for all environments: [`Position::play`] is inlined
/// with all rules at each call, which multiplies the build time.
///
/// # Errors
///
/// Fails if the action is not legal; the position is then unchanged.
#[inline(never)]
pub(crate) fn play<G: Encode>(position: &mut Position<G>, action: G::Action) -> Result<(), RuleError> {
    position.play(action)
}

/// Lets nature play up to the next decision or the end, with chance from `rng`, and replaces `list` by the
/// legal actions of the deciding seat; by none at the end. Compiled once per game for all environments.
///
/// # Errors
///
/// Fails if the rules contradict themselves. The position must then be discarded.
#[inline(never)]
pub(crate) fn advance<G: Encode>(
    position: &mut Position<G>,
    rng: &mut Rng,
    list: &mut Vec<G::Action>,
) -> Result<(), RuleError> {
    position.settle(rng, list)?;
    list.clear();
    if position.node() == Node::Over { Ok(()) } else { position.legal(list) }
}

/// Returns what a seat gets at the end of a match: its score if the game is played for stakes (poker); else a
/// number from −1 (last) to 1 (sole winner), higher for a better rank. The seat must take part; that is not
/// checked.
pub fn reward<G: Heuristic>(outcome: &Outcome, seat: Seat) -> f32 {
    if G::search_hints().stakes > 0 { outcome.score(seat) as f32 } else { 2.0 * outcome.reward(seat) - 1.0 }
}

/// Something that cannot be done with a match or a batch.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum EnvironmentError {
    /// An action is not in the legal list.
    #[error("match {index}: there is no action {action}; the legal list has {count} entries")]
    Action {
        /// The number of the match.
        index: usize,
        /// The given index.
        action: i64,
        /// The length of the legal list.
        count: usize,
    },
    /// An array has another length than the batch needs.
    #[error("the array `{name}` has {given} entries; {wanted} are needed")]
    Length {
        /// The name of the array.
        name: &'static str,
        /// Its length.
        given: usize,
        /// The length that is needed.
        wanted: usize,
    },
    /// The match is over.
    #[error("the match is over")]
    Over,
    /// The next step is not of this kind.
    #[error("{0}")]
    Awaits(&'static str),
    /// There is no such seat.
    #[error("there is no seat {seat}; the match has {seats} seats, counted from 0")]
    Seat {
        /// The given number.
        seat: i64,
        /// Number of seats.
        seats: u8,
    },
    /// The pool of threads could not be made.
    #[error("the threads cannot be started: {0}")]
    Threads(String),
    /// The rules contradict themselves.
    #[error(transparent)]
    Rules(#[from] RuleError),
}
