//! Who plays at each seat.

use pentarchy_bots::{Level, Spec};
use pentarchy_engine::notation::nearest;
use std::str::FromStr;

/// Who plays at a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// A person at this terminal.
    Human,
    /// A bot.
    Bot(Spec),
}

impl FromStr for Role {
    type Err = String;
    /// Parses `human` or a bot with its budget, e.g. `emperor:0.2s`, with surrounding spaces ignored.
    ///
    /// # Errors
    ///
    /// Fails with a sentence: what is wrong with the budget of a known bot, else a list of the roles and the most
    /// similar one, if any.
    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "human" => Ok(Role::Human),
            word => word.parse().map(Role::Bot).map_err(|unknown| {
                let levels = || Level::ALL.map(Level::name).into_iter();
                if word.split(':').next().is_some_and(|name| levels().any(|level| level == name)) {
                    return unknown.to_string();
                }
                let near = nearest(word, ["human"].into_iter().chain(levels()));
                let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                format!(
                    "nobody is called `{word}`: a seat takes human, {}{hint}",
                    Vec::from_iter(levels()).join(", ")
                )
            }),
        }
    }
}

/// The argument of `--seats`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum SeatsArg {
    /// Only a number: a person at the first seat, bots at the others.
    Count(u8),
    /// The player of each seat.
    Roles(Vec<Role>),
}

impl SeatsArg {
    /// Returns a role for each seat, in the order of the seats. A mere count means one person at the first seat and
    /// Captain bots at the others; empty for a count of 0.
    pub(super) fn roles(&self) -> Vec<Role> {
        match self {
            SeatsArg::Count(count) => {
                let role = |seat| if seat == 0 { Role::Human } else { Role::Bot(Spec::new(Level::Captain)) };
                (0..*count).map(role).collect()
            }
            SeatsArg::Roles(roles) => roles.clone(),
        }
    }
}

impl FromStr for SeatsArg {
    type Err = String;
    /// Parses a number of seats (0 to 255, not checked against any game), or a list of roles separated by commas.
    ///
    /// # Errors
    ///
    /// Fails with a sentence about the first role that is unknown.
    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(count) = text.trim().parse() {
            return Ok(SeatsArg::Count(count));
        }
        text.split(',').map(str::parse).collect::<Result<_, _>>().map(SeatsArg::Roles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_a_number_or_a_list() {
        let bot = |level| Role::Bot(Spec::new(level));
        let two: SeatsArg = "2".parse().unwrap();
        assert_eq!(two.roles(), [Role::Human, bot(Level::Captain)]);
        let four: SeatsArg = "random, human,captain,emperor".parse().unwrap();
        let levels = [Level::Random, Level::Captain, Level::Emperor].map(bot);
        assert_eq!(four.roles(), [levels[0], Role::Human, levels[1], levels[2]]);
        assert!("human,randon".parse::<SeatsArg>().unwrap_err().contains("did you mean `random`"));
        assert!("human,emperor:soon".parse::<SeatsArg>().unwrap_err().contains("`soon` is no budget"));
        assert!("".parse::<SeatsArg>().is_err());
    }
}
