//! Observations and actions as numbers, for programs that learn.
//!
//! [`Encode`] gives every game an [`Encoder`]: a vector of fixed length for what a seat may know, and one for
//! each legal action. Actions have no numbering of their own: a learner scores the entries of the legal list
//! by their features. The default, [`ExploredEncoder`], needs nothing from the game.

mod actions;
mod explored;
mod survey;
mod tokens;
mod walk;

pub use explored::ExploredEncoder;

use crate::game::Game;
use crate::node::Node;
use crate::position::Position;
use crate::rejected::RuleError;
use crate::rng::Rng;
use crate::seat::Seat;

/// Largest absolute value of an encoded number.
pub const MOST_ENCODED: f32 = 2.0;

/// How a game is shown to a program that learns. All items have defaults, so that `impl Encode for MyGame {}`
/// is enough.
pub trait Encode: Game {
    /// Upper bound of the length of a list of legal actions. 0, the default, lets the encoder estimate it
    /// from random games.
    const MOST_ACTIONS: usize = 0;

    /// Creates the encoder of matches that begin at `start`, the simulator's initial position with these
    /// options. Equal arguments give equal encoders. The default explores random games
    /// ([`ExploredEncoder`]).
    fn encoder(
        start: &Position<Self>,
        options: &Self::Options,
        exploration: Exploration,
    ) -> Box<dyn Encoder<Self>> {
        Box::new(ExploredEncoder::new(start, options, exploration, Self::MOST_ACTIONS))
    }
}

/// Writes observations and actions of one game, number of seats and set of options as numbers.
///
/// The law `Observation` of the conformance suite: what is written for a seat follows from what the seat may
/// know, for every observer of the position, and all numbers lie between −2 and 2 ([`MOST_ENCODED`]).
pub trait Encoder<G: Game>: Send + Sync {
    /// Returns the lengths of all vectors; they never change.
    fn size(&self) -> EncodingSize;

    /// Returns the names of the numbers, in their order.
    fn names(&self) -> EncodingNames;

    /// Overwrites `out` with what `seat` may know of the position. Panics unless `out` has
    /// [`EncodingSize::observation`] entries.
    fn observe(&self, position: &Position<G>, seat: Seat, out: &mut [f32]);

    /// Overwrites `out` with the features of an action that `seat` may choose in this position. Panics unless
    /// `out` has [`EncodingSize::action`] entries.
    fn encode_action(&self, position: &Position<G>, seat: Seat, action: G::Action, out: &mut [f32]);
}

/// The lengths of encoded vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EncodingSize {
    /// Numbers of an observation.
    pub observation: usize,
    /// Numbers of an action.
    pub action: usize,
    /// Number of legal actions for which a learner should have room. Longer lists are possible unless
    /// [`Encode::MOST_ACTIONS`] says otherwise.
    pub actions: usize,
}

/// The names of encoded numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EncodingNames {
    /// Those of an observation.
    pub observation: Vec<String>,
    /// Those of an action.
    pub action: Vec<String>,
}

/// How many random games an encoder looks at before it fixes its numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exploration {
    /// Maximum number of games.
    pub games: u32,
    /// Maximum number of positions in all games. One game gets at most an eighth of them.
    pub positions: u32,
}

impl Exploration {
    /// The exploration of learners: takes a fraction of a second.
    pub const FULL: Exploration = Exploration { games: 500, positions: 6_000 };
    /// A short exploration for tests: takes a millisecond.
    pub const BRIEF: Exploration = Exploration { games: 2, positions: 200 };

    /// Plays random games from `start` with a fixed seed, up to the limits of this exploration. Calls `each`
    /// with the number of the game, each position at which a seat decides with its legal list, and the final
    /// one with an empty list. A game that the rules break off or that exceeds its share of the positions
    /// ends without a final call.
    fn play<G: Game>(self, start: &Position<G>, mut each: impl FnMut(u32, &Position<G>, &[G::Action])) {
        /// The seed of the random games. Another one changes the encoding of every game.
        const SEED: u64 = 0x656E_636F_6465;
        let (mut seen, share) = (0, self.positions / 8);
        for game in 0..self.games {
            if seen >= self.positions {
                break;
            }
            // A game that the rules break off is a matter of the conformance suite, not of an encoder.
            let _ = play_one(start, &mut Rng::stream(SEED, game.into()), share, |position, list| {
                seen += 1;
                each(game, position, list);
            });
        }
    }
}

/// Plays a game of at most `positions` decisions on a copy of `start`; `rng` draws the actions, each of a
/// legal list equally likely, and the results of chance. Calls `each` with every position at which a seat
/// decides and its legal list, before the decision, and with the final position and an empty list if the game
/// ends in time. The final position counts as a decision.
///
/// # Errors
///
/// Fails if the rules contradict themselves; calls before that have been made.
fn play_one<G: Game>(
    start: &Position<G>,
    rng: &mut Rng,
    positions: u32,
    mut each: impl FnMut(&Position<G>, &[G::Action]),
) -> Result<(), RuleError> {
    let (mut position, mut list) = (start.clone(), Vec::new());
    for _ in 0..positions {
        position.settle(rng, &mut list)?;
        if position.node() == Node::Over {
            each(&position, &[]);
            break;
        }
        position.legal(&mut list)?;
        each(&position, &list);
        let Some(&action) = rng.choose(&list) else { break };
        position.play(action)?;
    }
    Ok(())
}
