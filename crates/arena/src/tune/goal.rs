//! Goals of tuning: what a figure of the games should be, and how far it is away.

use super::sample::DesignSample;
use crate::statistics::z_for;
use pentarchy_engine::notation::nearest;
use std::fmt;
use std::str::FromStr;

/// What a goal is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GoalKind {
    /// All seats win equally often.
    Seats,
    /// The estimated minutes of a game between people.
    Minutes,
    /// The number of rounds.
    Rounds,
    /// The number of cards, buildings and actions that are hardly ever used.
    Dead,
    /// The share of games that the leader at half-time wins.
    Lead,
}

impl GoalKind {
    /// All kinds, in the order of reports.
    pub const ALL: [GoalKind; 5] =
        [GoalKind::Seats, GoalKind::Minutes, GoalKind::Rounds, GoalKind::Dead, GoalKind::Lead];

    /// Returns the name in `--goal NAME=VALUE`: `seats`, `minutes`, `rounds`, `dead` or `lead`.
    pub const fn name(self) -> &'static str {
        match self {
            GoalKind::Seats => "seats",
            GoalKind::Minutes => "minutes",
            GoalKind::Rounds => "rounds",
            GoalKind::Dead => "dead",
            GoalKind::Lead => "lead",
        }
    }

    /// Returns what the figure of the goal is, in words for the heading of a table: `Largest deviation of a
    /// seat`.
    pub const fn title(self) -> &'static str {
        match self {
            GoalKind::Seats => "Largest deviation of a seat",
            GoalKind::Minutes => "Minutes (estimated)",
            GoalKind::Rounds => "Rounds",
            GoalKind::Dead => "Dead options",
            GoalKind::Lead => "Leader at half-time wins",
        }
    }

    /// Returns a figure of this kind as text: `2.1 points` for seats, `64 %` for the lead, a number with one digit
    /// after the point for others.
    pub fn format(self, figure: f64) -> String {
        match self {
            GoalKind::Seats => format!("{:.1} points", 100.0 * figure),
            GoalKind::Minutes | GoalKind::Rounds | GoalKind::Dead => format!("{figure:.1}"),
            GoalKind::Lead => format!("{:.0} %", 100.0 * figure),
        }
    }
}

/// A goal: the range in which a figure should lie.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Goal {
    /// What it is about.
    pub kind: GoalKind,
    /// Lowest wanted figure.
    pub low: f64,
    /// Highest wanted figure.
    pub high: f64,
}

impl Goal {
    /// Returns the figure of these games in the unit of the goal: the largest deviation of a seat (0 to 1), minutes,
    /// rounds, number of dead options, or share of halfway leaders that win (0 to 1). `None` if the game does not
    /// have it or there are no games.
    pub fn figure(&self, sample: &DesignSample) -> Option<f64> {
        match self.kind {
            GoalKind::Seats => sample.deviation(),
            GoalKind::Minutes => sample.minutes(),
            GoalKind::Rounds => sample.rounds(),
            GoalKind::Dead => sample.dead(),
            GoalKind::Lead => sample.lead(),
        }
    }

    /// Returns how far the games are from the goal: 0 if it is met, about 1 for a clear miss (5 points of a seat, a
    /// quarter of the length, 5 options, 10 points of the lead). 0 for a figure that the game does not have.
    pub fn loss(&self, sample: &DesignSample) -> f64 {
        let Some(figure) = self.figure(sample) else { return 0.0 };
        let outside = (self.low - figure).max(figure - self.high).max(0.0);
        let scale = match self.kind {
            GoalKind::Seats => 0.05,
            GoalKind::Minutes | GoalKind::Rounds => 0.125 * (self.low + self.high),
            GoalKind::Dead => 5.0,
            GoalKind::Lead => 0.1,
        };
        outside / scale.max(1e-9)
    }

    /// Returns whether the games meet the goal: the figure lies in the range; for `seats`, no seat deviates from its
    /// fair share by more than noise (95 %, corrected for the number of seats). Also true for a figure that the game
    /// does not have.
    pub fn is_met(&self, sample: &DesignSample) -> bool {
        match self.kind {
            GoalKind::Seats => sample.is_fair(z_for(usize::from(sample.seats()))),
            // Half an option is none.
            GoalKind::Dead => self.figure(sample).is_none_or(|dead| dead < self.high + 0.5),
            _ => self.loss(sample) == 0.0,
        }
    }
}

impl fmt::Display for Goal {
    /// Writes the goal as on the command line: `seats=fair`, `dead=0`, `minutes=30..45`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.kind.name();
        match self.kind {
            GoalKind::Seats => write!(f, "{name}=fair"),
            GoalKind::Dead => write!(f, "{name}={}", self.high),
            _ => write!(f, "{name}={}..{}", self.low, self.high),
        }
    }
}

impl FromStr for Goal {
    type Err = String;
    /// Parses a goal: `seats=fair`, `minutes=30..45`, `rounds=8..12`, `dead=0` or `lead=0.55..0.75`.
    ///
    /// # Errors
    ///
    /// Fails for an unknown goal, and for a value or range that does not fit it.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("a goal has a value, like `minutes=30..45`")?;
        let kind = GoalKind::ALL.into_iter().find(|kind| kind.name() == name.trim()).ok_or_else(|| {
            let names = GoalKind::ALL.map(GoalKind::name);
            let hint = nearest(name, names.into_iter()).map(|near| format!("; did you mean `{near}`?"));
            format!("there is no goal `{name}`: there are {}{}", names.join(", "), hint.unwrap_or_default())
        })?;
        let value = value.trim();
        match kind {
            GoalKind::Seats if value == "fair" => Ok(Goal { kind, low: 0.0, high: 0.0 }),
            GoalKind::Seats => Err(format!("the goal `seats` takes `fair`, not `{value}`")),
            GoalKind::Dead => match value.parse::<u16>() {
                Ok(most) => Ok(Goal { kind, low: 0.0, high: most.into() }),
                Err(_) => {
                    Err(format!("the goal `dead` takes the highest number of dead options, not `{value}`"))
                }
            },
            _ => {
                let number =
                    |text: &str| text.trim().parse::<f64>().ok().filter(|n| n.is_finite() && *n >= 0.0);
                let ends = value.split_once("..").and_then(|(low, high)| Some((number(low)?, number(high)?)));
                let most = if kind == GoalKind::Lead { 1.0 } else { f64::MAX };
                match ends {
                    Some((low, high)) if low > high => {
                        Err(format!("the range of the goal `{text}` is empty"))
                    }
                    Some((low, high)) if high <= most => Ok(Goal { kind, low, high }),
                    Some(_) => Err(format!("the goal `lead` is a share from 0 to 1, not `{value}`")),
                    None => Err(format!("the goal `{}` takes a range, not `{value}`", kind.name())),
                }
            }
        }
    }
}

/// Checks that there is at least one goal and at most one of each kind.
///
/// # Errors
///
/// Fails if there are none, or if two are about the same figure: contradictory ones, or ones that could be a single
/// one.
pub fn check_goals(goals: &[Goal]) -> Result<(), String> {
    if goals.is_empty() {
        return Err("there is no goal".to_owned());
    }
    for (i, one) in goals.iter().enumerate() {
        if let Some(other) = goals[..i].iter().find(|other| other.kind == one.kind) {
            let apart = one.low > other.high || other.low > one.high;
            let what = if apart { "contradict each other" } else { "are about the same figure" };
            return Err(format!("the goals `{other}` and `{one}` {what}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_written_as_they_are_read_and_bad_ones_rejected_in_a_line() {
        for text in ["seats=fair", "minutes=30..45", "rounds=8..12.5", "dead=0", "lead=0.55..0.75"] {
            assert_eq!(text.parse::<Goal>().unwrap().to_string(), text);
        }
        let error = |text: &str| text.parse::<Goal>().unwrap_err();
        assert_eq!(
            error("minuts=3..4"),
            "there is no goal `minuts`: there are seats, minutes, rounds, dead, lead; did you mean `minutes`?"
        );
        assert_eq!(error("minutes=45..30"), "the range of the goal `minutes=45..30` is empty");
        assert_eq!(error("minutes=45"), "the goal `minutes` takes a range, not `45`");
        assert_eq!(error("seats=1"), "the goal `seats` takes `fair`, not `1`");
        assert_eq!(error("lead=40..60"), "the goal `lead` is a share from 0 to 1, not `40..60`");
        for text in
            ["", "minutes", "minutes=", "minutes=..", "minutes=-1..2", "minutes=NaN..2", "dead=-1", "dead=x"]
        {
            assert!(text.parse::<Goal>().is_err(), "{text}");
        }
        let checked =
            |texts: &[&str]| check_goals(&texts.iter().map(|t| t.parse().unwrap()).collect::<Vec<_>>());
        assert!(checked(&["seats=fair", "minutes=30..45"]).is_ok());
        assert_eq!(
            checked(&["minutes=30..45", "minutes=60..90"]).unwrap_err(),
            "the goals `minutes=30..45` and `minutes=60..90` contradict each other"
        );
        assert!(checked(&["minutes=30..45", "minutes=40..90"]).unwrap_err().contains("same figure"));
        assert!(checked(&[]).is_err());
    }
}
