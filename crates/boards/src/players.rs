//! The players of a match in the page.

use serde::{Deserialize, Serialize};

/// The player at a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeatPlayer {
    /// The display name.
    pub name: String,
    /// The colour, 1 to 6.
    pub colour: u8,
    /// The kind of player.
    pub kind: PlayerKind,
}

/// The kind of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum PlayerKind {
    /// The player of this page.
    Me,
    /// Another person at this page (hotseat).
    Here,
    /// A person or bot at another machine.
    Far,
    /// A bot that plays random actions.
    Random,
    /// Easy bot.
    Recruit,
    /// Medium bot.
    Captain,
    /// Hard bot: searches ahead.
    Emperor,
}

impl PlayerKind {
    /// Returns whether a person at this page decides for the seat: its own player (`Me`) or another one (`Here`).
    /// False for bots and for all players at other machines.
    pub fn is_person(self) -> bool {
        matches!(self, PlayerKind::Me | PlayerKind::Here)
    }

    /// Returns the tag beside the name: "here" for a further person at this page, "Random", "Easy",
    /// "Medium" or "Hard" for a bot. Empty for the player of this page and for players at other
    /// machines.
    pub fn tag(self) -> &'static str {
        match self {
            PlayerKind::Me | PlayerKind::Far => "",
            PlayerKind::Here => "here",
            PlayerKind::Random => "Random",
            PlayerKind::Recruit => "Easy",
            PlayerKind::Captain => "Medium",
            PlayerKind::Emperor => "Hard",
        }
    }

    /// Returns the level's name as the laboratory and the terminal use it: "Recruit", "Captain" or
    /// "Emperor". `None` for people and the random bot.
    pub fn rank(self) -> Option<&'static str> {
        match self {
            PlayerKind::Recruit => Some("Recruit"),
            PlayerKind::Captain => Some("Captain"),
            PlayerKind::Emperor => Some("Emperor"),
            _ => None,
        }
    }

    /// Returns the bot of this level (`random`, `recruit`, `captain` or `emperor`); a Captain if the level is
    /// unknown.
    pub fn of_level(level: &str) -> PlayerKind {
        let all = [PlayerKind::Random, PlayerKind::Recruit, PlayerKind::Captain, PlayerKind::Emperor];
        all.into_iter().find(|who| who.level() == level).unwrap_or(PlayerKind::Captain)
    }

    /// Returns the name of the bot's level: `random`, `recruit`, `captain` or `emperor`. For people
    /// the result has no meaning.
    pub fn level(self) -> String {
        self.rank().unwrap_or(self.tag()).to_lowercase()
    }
}
