//! The preferences of this browser.

use crate::pace::NORMAL_TURN;
use crate::{motion, page};
use serde::{Deserialize, Serialize};

/// The preferences.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    /// The colour theme.
    pub theme: Theme,
    /// The speed of animations and bots.
    pub speed: Speed,
    /// Whether the player is asked even when there is only one option.
    pub ask_single: bool,
    /// After how many seconds a reaction is passed; 0 for never.
    pub react_seconds: u8,
    /// Whether a turn ends automatically when nothing sensible is left to do.
    pub auto_end: bool,
    /// Maximum thinking time of Hard bots, in seconds.
    pub think_seconds: u8,
    /// Whether all hands are shown in matches of bots.
    pub open_hands: bool,
}

/// The colour theme.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Theme {
    /// Dark.
    Dark,
    /// Light.
    Light,
}

/// The speed of animations and bots.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Speed {
    /// Everything can be followed.
    Slow,
    /// About the speed of people.
    Normal,
    /// For experienced players.
    Fast,
    /// No pauses and no animations.
    Instant,
}

impl Default for Preferences {
    /// Returns the preferences of a new player: dark theme, Normal speed, one second to think for
    /// Hard bots, turns end automatically, no time limit for reactions, forced moves are played,
    /// open hands when only bots play.
    fn default() -> Self {
        Preferences {
            theme: Theme::Dark,
            speed: Speed::Normal,
            ask_single: false,
            react_seconds: 0,
            auto_end: true,
            think_seconds: 1,
            open_hands: true,
        }
    }
}

const PLACE: &str = "pentarchy.settings";

impl Preferences {
    /// Loads the preferences from local storage. A preference that is not stored has its default; all of them
    /// if none are stored or they cannot be parsed.
    pub fn load() -> Self {
        let store = page::window().and_then(|w| w.local_storage().ok().flatten());
        let text = store.and_then(|s| s.get_item(PLACE).ok().flatten());
        text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    /// Stores the preferences in local storage, sets the theme of the page and the speed of animations.
    /// Storage that is not available is ignored.
    pub fn apply(&self) {
        page::set_root("data-theme", if self.theme == Theme::Light { "light" } else { "dark" });
        motion::set_pace(match self.speed {
            Speed::Slow => 1.8,
            Speed::Normal => 1.0,
            Speed::Fast => 0.5,
            Speed::Instant => 0.0,
        });
        let store = page::window().and_then(|w| w.local_storage().ok().flatten());
        if let (Some(store), Ok(text)) = (store, serde_json::to_string(self)) {
            let _ = store.set_item(PLACE, &text);
        }
    }

    /// Returns the maximum length of a bot's turn, in milliseconds: [`NORMAL_TURN`] at Normal speed
    /// and Instant, 2.2 times that at Slow, 0.4 times at Fast. Each second of thinking time after
    /// the first is added.
    pub fn turn(&self) -> f64 {
        let pace = match self.speed {
            Speed::Slow => 2.2,
            Speed::Normal | Speed::Instant => 1.0,
            Speed::Fast => 0.4,
        };
        pace * NORMAL_TURN + 1000.0 * f64::from(self.think_seconds.saturating_sub(1))
    }

    /// Returns how long an event is shown, in milliseconds: 1300 at Slow, 600 at Normal, 200 at
    /// Fast, 0 at Instant.
    pub fn pause(&self) -> i32 {
        match self.speed {
            Speed::Slow => 1300,
            Speed::Normal => 600,
            Speed::Fast => 200,
            Speed::Instant => 0,
        }
    }
}
