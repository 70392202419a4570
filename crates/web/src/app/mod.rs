//! The client: which screen is shown, the preferences, and the match at this page.
//!
//! | module | concept |
//! | --- | --- |
//! | `matches` | matches that begin, and the way between the screens |
//! | `club` | the pages of the club |
//! | `saving` | matches saved in this browser, and records as files |
//! | `reactions` | the countdown of a reaction, and the delay of a pass at an online table |
//! | `mount` | the client in the document |

mod club;
mod matches;
mod mount;
mod reactions;
mod saving;

pub use matches::NAMES;
pub use mount::mount;

use crate::club::ClubPlace;
use crate::guide::GuideCard;
use crate::online::Online;
use crate::play::Play;
use crate::saved::{SaveProgress, SavedSummary};
use crate::settings::Preferences;
use crate::shell::Bubble;
use leptos::prelude::*;

/// The screen that is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Screen {
    /// Home: the list of games.
    Home,
    /// A match, or its replay.
    Table,
    /// The result of a match.
    End,
    /// The lobby of an online table.
    Waiting,
    /// A page of the club.
    Club,
}

/// A dialog over the screen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sheet {
    /// The set-up of the game with this index in the list.
    Setup(usize),
    /// The set-up of an online table for the game with this index in the list.
    Friends(usize),
    /// The chat of an online table.
    Chat,
    /// What happened at an online table while the player was away, or why its match ended.
    Away,
    /// The rules of the game of this name.
    Rules(String),
    /// The preferences.
    Settings,
    /// The saved match with this id is open in another tab; whether it was taken over from this tab.
    Elsewhere(String, bool),
    /// The trust panel: what was verified.
    Trust,
    /// How the server notifies the player.
    Notifications,
    /// The identity of this browser.
    Identity,
    /// About and credits.
    Credits,
}

/// A message at the edge of the page, with buttons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// The message.
    pub text: String,
    /// Its buttons.
    pub offers: Vec<Offer>,
    /// The identity that it is about.
    pub identity: Option<[u8; 32]>,
}

/// What a notice says while a hint is computed.
pub const LOOKING_AHEAD: &str = "Looking ahead…";

impl Notice {
    /// Returns whether the notice is a hint, or says that one is being computed.
    pub fn is_hint(&self) -> bool {
        self.text == LOOKING_AHEAD || self.offers.iter().any(|offer| offer.why.is_some())
    }
}

/// A button of a notice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// The command that it runs, see [`App::run_command`].
    pub what: String,
    /// Its label.
    pub label: String,
    /// For a hint: the name of the action and the reason.
    pub why: Option<(String, String)>,
}

/// The client's state as signals. `Copy`, so every view and event handler can own one.
#[derive(Clone, Copy)]
pub struct App {
    /// The screen that is shown.
    pub page: RwSignal<Screen>,
    /// The page of the club that was shown last.
    pub place: RwSignal<Option<ClubPlace>>,
    /// The dialog over the screen.
    pub sheet: RwSignal<Option<Sheet>>,
    /// The preferences.
    pub settings: RwSignal<Preferences>,
    /// The matches saved in this browser.
    pub saves: RwSignal<Vec<SavedSummary>>,
    /// The message at the edge of the page.
    pub notice: RwSignal<Option<Notice>>,
    /// The match at this page.
    pub play: Play,
    /// The online table.
    pub online: Online,
    /// The search text of the list of actions.
    pub filter: RwSignal<String>,
    /// The tab that a narrow screen shows.
    pub tab: RwSignal<String>,
    /// The tooltip of a piece.
    pub bubble: RwSignal<Option<Bubble>>,
    /// The step of the guide from which the next card is searched; `None` without a guide.
    pub guide: RwSignal<Option<usize>>,
    /// The cards of the guide that were read, in order.
    pub guide_read: RwSignal<Vec<GuideCard>>,
    /// Number of cards that the player has paged back; 0 for the current one.
    pub guide_back: RwSignal<usize>,
    /// The step at which the guide was closed.
    pub guide_left: RwSignal<Option<usize>>,
    /// Seconds left of the countdown of a reaction.
    pub countdown: RwSignal<Option<u8>>,
    /// Progress of saving the match.
    saving: StoredValue<SaveProgress>,
    /// The decision of this player at an online table: version of the match, and the time before which no pass is
    /// sent.
    window: StoredValue<(u32, f64)>,
    /// The version of the match in which an action of this player was sent to the online table.
    sent: StoredValue<Option<u32>>,
}

impl App {
    /// Creates the client with the stored preferences, which it applies to the page, at the home screen and
    /// without a match. Call it inside a reactive owner, once.
    fn new() -> Self {
        let settings = Preferences::load();
        settings.apply();
        App {
            page: RwSignal::new(Screen::Home),
            place: RwSignal::new(None),
            sheet: RwSignal::new(None),
            settings: RwSignal::new(settings),
            saves: RwSignal::new(Vec::new()),
            notice: RwSignal::new(None),
            play: Play::new(),
            online: Online::new(),
            filter: RwSignal::new(String::new()),
            tab: RwSignal::new("table".to_string()),
            bubble: RwSignal::new(None),
            guide: RwSignal::new(None),
            guide_read: RwSignal::new(Vec::new()),
            guide_back: RwSignal::new(0),
            guide_left: RwSignal::new(None),
            countdown: RwSignal::new(None),
            saving: StoredValue::new(SaveProgress::default()),
            window: StoredValue::new((0, 0.0)),
            sent: StoredValue::new(None),
        }
    }

    /// Returns how long an event is shown at the current speed, in milliseconds; 0 at Instant. Does not track
    /// the preferences.
    pub fn pause_millis(self) -> i32 {
        self.settings.get_untracked().pause()
    }

    /// Returns how long a Hard bot, a hint or Emperor in an analysis may think about a decision, by the
    /// preferences, in milliseconds. Does not track the preferences.
    pub fn thinking_time(self) -> f64 {
        1000.0 * f64::from(self.settings.get_untracked().think_seconds)
    }

    /// Shows a message at the edge of the page, without buttons. It replaces the notice that is shown.
    pub fn show_message(self, text: String) {
        self.notice.set(Some(Notice { text, offers: Vec::new(), identity: None }));
    }

    /// Handles Escape. Closes the first of these that is there: the dialog, the report, the tooltip (if
    /// nothing is selected), the last click or pending confirmation, a tab other than the table.
    pub fn escape(self) {
        if self.sheet.with_untracked(Option::is_some) {
            self.sheet.set(None);
        } else if self.play.close_report() {
        } else if self.bubble.with_untracked(Option::is_some)
            && self.play.chosen.with_untracked(Vec::is_empty)
        {
            self.bubble.set(None);
        } else if !self.undo_click() && self.tab.with_untracked(|tab| tab != "table") {
            self.tab.set("table".to_string());
        }
    }

    /// Opens the rules of the game at this page. Does nothing without a match.
    pub fn open_rules(self) {
        if let Some(name) = self.play.with_match_untracked(|table| table.info().name) {
            self.sheet.set(Some(Sheet::Rules(name.to_string())));
        }
    }
}
