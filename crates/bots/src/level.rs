//! Levels of bots, and search budgets.

use crate::captain::Captain;
use crate::emperor::Emperor;
use crate::player::{BotPlayer, Random};
use crate::recruit::Recruit;
use pentarchy_engine::Heuristic;
use pentarchy_engine::notation::nearest;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The strength of a bot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// Random legal actions.
    Random,
    /// Makes human-like mistakes.
    Recruit,
    /// Follows the game's heuristic.
    Captain,
    /// Searches.
    Emperor,
}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Level; 4] = [Level::Random, Level::Recruit, Level::Captain, Level::Emperor];

    /// Returns the name in commands, in lower case; `FromStr` parses it.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Random => "random",
            Level::Recruit => "recruit",
            Level::Captain => "captain",
            Level::Emperor => "emperor",
        }
    }

    /// Returns the name as people write it, with a capital letter: `Captain`.
    pub const fn title(self) -> &'static str {
        match self {
            Level::Random => "Random",
            Level::Recruit => "Recruit",
            Level::Captain => "Captain",
            Level::Emperor => "Emperor",
        }
    }

    /// Returns a one-line description: a clause without a subject, e.g. "takes any legal action".
    pub const fn about(self) -> &'static str {
        match self {
            Level::Random => "takes any legal action",
            Level::Recruit => "knows the game, but overlooks things and is easily tempted",
            Level::Captain => "follows sound advice, without looking ahead",
            Level::Emperor => "looks ahead for as long as it may think",
        }
    }
}

impl fmt::Display for Level {
    /// Writes the name in lower case, padded to the width of the format.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Level {
    type Err = UnknownBotError;
    /// Parses the name of a level in lower case.
    ///
    /// # Errors
    ///
    /// Fails for any other text; the message lists the levels.
    fn from_str(text: &str) -> Result<Self, UnknownBotError> {
        let found = Level::ALL.into_iter().find(|level| level.name() == text);
        found.ok_or_else(|| UnknownBotError::name(text))
    }
}

/// How long a search runs at each decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Budget {
    /// This number of iterations: gives the same choice on every machine.
    Iterations(u32),
    /// This time on the clock of the machine.
    Time(Duration),
    /// This CPU time of each search thread, which does not depend on the load of the machine. Where it cannot
    /// be read (in the browser, and without the feature `cpu-time` on Unix) it is like [`Time`](Self::Time).
    Cpu(Duration),
}

impl Budget {
    /// The default budget of an Emperor.
    pub const FULL: Budget = Budget::Time(Duration::from_secs(1));
}

impl Default for Budget {
    /// Returns [`Budget::FULL`].
    fn default() -> Self {
        Budget::FULL
    }
}

impl fmt::Display for Budget {
    /// Writes iterations as `500`, time in seconds as `0.2s` and CPU time in seconds as `0.2cpu`; `FromStr`
    /// parses them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Iterations(n) => n.fmt(f),
            Budget::Time(time) => write!(f, "{}s", time.as_secs_f64()),
            Budget::Cpu(time) => write!(f, "{}cpu", time.as_secs_f64()),
        }
    }
}

impl FromStr for Budget {
    type Err = UnknownBotError;
    /// Parses a budget: a positive number of iterations (`500`), or a time from a microsecond to a day in
    /// seconds (`0.2s`), milliseconds (`200ms`) or seconds of CPU time (`0.2cpu`).
    ///
    /// # Errors
    ///
    /// Fails for any other text and for values out of range.
    fn from_str(text: &str) -> Result<Self, UnknownBotError> {
        let time = |number: &str, unit: f64| {
            let seconds =
                number.parse().ok().map(|n: f64| n * unit).filter(|n| (1e-6..=86_400.0).contains(n));
            seconds.map(Duration::from_secs_f64)
        };
        let budget = if let Some(number) = text.strip_suffix("ms") {
            time(number, 1e-3).map(Budget::Time)
        } else if let Some(number) = text.strip_suffix('s') {
            time(number, 1.0).map(Budget::Time)
        } else if let Some(number) = text.strip_suffix("cpu") {
            time(number, 1.0).map(Budget::Cpu)
        } else {
            text.parse().ok().filter(|&n| n > 0).map(Budget::Iterations)
        };
        budget.ok_or_else(|| {
            UnknownBotError(format!(
                "`{text}` is no budget: write iterations like 500, or time like 0.2s or 0.2cpu"
            ))
        })
    }
}

/// A level with its budget and threads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Spec {
    /// The strength.
    pub level: Level,
    /// The budget per decision; only used by an Emperor.
    pub budget: Budget,
    /// Number of search threads. With several threads an iteration budget still gives the same choice on
    /// every machine. One thread does the work where there are no threads.
    pub threads: u16,
}

impl Spec {
    /// Creates a spec of this level with the full budget and one thread.
    pub const fn new(level: Level) -> Self {
        Spec { level, budget: Budget::FULL, threads: 1 }
    }

    /// Returns this spec with another budget per decision. Only an Emperor uses it.
    pub const fn budget(self, budget: Budget) -> Self {
        Spec { budget, ..self }
    }

    /// Returns this spec with another number of search threads; 0 counts as 1. Only an Emperor uses it.
    pub const fn threads(self, threads: u16) -> Self {
        Spec { threads, ..self }
    }

    /// Creates a player for one seat of one match. Makes the same choices for the same seed, unless it is an
    /// Emperor with a budget in time or CPU time.
    pub fn player<G: Heuristic>(&self, seed: u64) -> Box<dyn BotPlayer<G>> {
        match self.level {
            Level::Random => Box::new(Random::new(seed)),
            Level::Recruit => Box::new(Recruit::new(seed)),
            Level::Captain => Box::new(Captain::new(seed)),
            Level::Emperor => Box::new(Emperor::<G>::new(self.budget, self.threads, seed)),
        }
    }
}

impl From<Level> for Spec {
    /// Returns the spec of this level with the full budget and one thread.
    fn from(level: Level) -> Self {
        Spec::new(level)
    }
}

impl fmt::Display for Spec {
    /// Writes the name of the level, for an Emperor with another budget than the full one followed by it:
    /// `emperor:500`. The number of threads is not written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.level, self.budget) {
            (Level::Emperor, budget) if budget != Budget::FULL => write!(f, "{}:{budget}", self.level),
            (level, _) => write!(f, "{level}"),
        }
    }
}

impl FromStr for Spec {
    type Err = UnknownBotError;
    /// Parses a level, for an Emperor optionally with a budget: `captain`, `emperor`, `emperor:500`,
    /// `emperor:0.2s`, `emperor:0.2cpu`. The result has one thread.
    ///
    /// # Errors
    ///
    /// Fails if the level is unknown, if the budget is invalid, or if a level other than Emperor has one.
    fn from_str(text: &str) -> Result<Self, UnknownBotError> {
        let Some((level, budget)) = text.split_once(':') else {
            return text.parse().map(Spec::new);
        };
        match level.parse()? {
            Level::Emperor => Ok(Spec::new(Level::Emperor).budget(budget.parse()?)),
            level => Err(UnknownBotError(format!("a {level} does not search: only an emperor has a budget"))),
        }
    }
}

/// An unknown level or an invalid budget; the text lists what exists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownBotError(String);

impl UnknownBotError {
    /// Creates the error for a text that names no level. The message lists the levels and suggests the one
    /// with the nearest name, if one is near.
    fn name(text: &str) -> Self {
        let names = Level::ALL.map(Level::name);
        let hint = match nearest(text, names.into_iter()) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => String::new(),
        };
        let [first @ .., last] = names;
        UnknownBotError(format!("there is no bot `{text}`: there are {} and {last}{hint}", first.join(", ")))
    }
}

impl fmt::Display for UnknownBotError {
    /// Writes the message.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UnknownBotError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_are_written_as_they_are_read() {
        for text in
            ["random", "recruit", "captain", "emperor", "emperor:500", "emperor:0.2s", "emperor:0.2cpu"]
        {
            assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
        }
        let quick: Spec = "emperor:50ms".parse().unwrap();
        assert_eq!(quick.budget, Budget::Time(Duration::from_millis(50)));
        assert_eq!("emperor:1s".parse::<Spec>().unwrap(), Spec::new(Level::Emperor));
    }

    #[test]
    fn what_is_no_bot_is_refused_in_a_line() {
        let refused = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
        assert_eq!(
            refused("capitan"),
            "there is no bot `capitan`: there are random, recruit, captain and emperor; did you mean `captain`?"
        );
        assert_eq!(refused("captain:5"), "a captain does not search: only an emperor has a budget");
        for budget in ["", "0", "-1", "1.5", "0s", "inf s", "infs", "nans", "1e99s", "0cpu", "cpu", "x"] {
            let told = refused(&format!("emperor:{budget}"));
            assert!(told.starts_with(&format!("`{budget}` is no budget")), "{told}");
        }
    }
}
