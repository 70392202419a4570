//! Who sits where.

use pentarchy_engine::any::Bot;
use pentarchy_engine::notation::nearest;
use std::str::FromStr;

/// Who plays at a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// A person at this terminal.
    Human,
    /// The machine.
    Bot(Bot),
}

impl FromStr for Role {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "human" => Ok(Role::Human),
            word => word.parse().map(Role::Bot).map_err(|_| {
                let near = nearest(word, ["human", "random", "heuristic"].into_iter());
                let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                format!("nobody is called `{word}`: a seat takes human, random or heuristic{hint}")
            }),
        }
    }
}

/// The argument of `--seats`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum SeatsArg {
    /// Only how many: a person at the first, bots at the others.
    Count(u8),
    /// Who sits at each.
    Roles(Vec<Role>),
}

impl SeatsArg {
    pub(super) fn roles(&self) -> Vec<Role> {
        match self {
            SeatsArg::Count(count) => {
                let role = |seat| if seat == 0 { Role::Human } else { Role::Bot(Bot::Heuristic) };
                (0..*count).map(role).collect()
            }
            SeatsArg::Roles(roles) => roles.clone(),
        }
    }
}

impl FromStr for SeatsArg {
    type Err = String;
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
        let two: SeatsArg = "2".parse().unwrap();
        assert_eq!(two.roles(), [Role::Human, Role::Bot(Bot::Heuristic)]);
        let three: SeatsArg = "random, human,heuristic".parse().unwrap();
        assert_eq!(three.roles(), [Role::Bot(Bot::Random), Role::Human, Role::Bot(Bot::Heuristic)]);
        assert!("human,randon".parse::<SeatsArg>().unwrap_err().contains("did you mean `random`"));
        assert!("".parse::<SeatsArg>().is_err());
    }
}
