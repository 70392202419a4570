//! The bots that need only the game itself.

use crate::game::Game;
use crate::heuristic::Heuristic;
use crate::notation::ParseError;
use crate::position::Position;
use crate::rejected::RuleError;
use crate::rng::Rng;
use std::fmt;
use std::str::FromStr;

/// A bot that needs only the game itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BasicBot {
    /// Takes a random legal action.
    Random,
    /// Takes the action that the game's heuristic rates highest.
    Heuristic,
}

impl BasicBot {
    /// All bots.
    pub const ALL: [BasicBot; 2] = [BasicBot::Random, BasicBot::Heuristic];
}

impl fmt::Display for BasicBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BasicBot::Random => "random",
            BasicBot::Heuristic => "heuristic",
        })
    }
}

impl FromStr for BasicBot {
    type Err = ParseError;
    /// Parses the name of a bot, `random` or `heuristic`, in lower case.
    ///
    /// # Errors
    ///
    /// Fails for any other text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let found = BasicBot::ALL.into_iter().find(|bot| bot.to_string() == text);
        found.ok_or_else(|| ParseError::new(text, "a bot: random or heuristic"))
    }
}

/// Returns the action that a bot takes from `list`, the legal actions of the acting seat. Equally good
/// actions are chosen among at random. `rates` is a reusable buffer.
///
/// # Errors
///
/// Fails if the list is empty, or if the bot is the heuristic and no seat is to act.
pub(super) fn pick<G: Game + Heuristic>(
    position: &Position<G>,
    bot: BasicBot,
    rng: &mut Rng,
    list: &[G::Action],
    rates: &mut Vec<i32>,
) -> Result<G::Action, RuleError> {
    const NONE: RuleError = RuleError::new("a decision without a legal action");
    if bot == BasicBot::Random {
        return rng.choose(list).copied().ok_or(NONE);
    }
    let seat = position.actor().ok_or(RuleError::new("nobody is asked now"))?;
    rates.clear();
    position.state().rate(&position.own(seat), list, rates);
    let best = rates.iter().max().copied().unwrap_or(0);
    let is_best = |i: &usize| rates.get(*i).is_none_or(|&rate| rate == best);
    let count = (0..list.len()).filter(is_best).count();
    let chosen = (0..list.len()).filter(is_best).nth(rng.below(count as u32) as usize);
    chosen.and_then(|i| list.get(i)).copied().ok_or(NONE)
}
