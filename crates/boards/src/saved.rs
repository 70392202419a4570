//! A match that is saved in the browser: its summary, and the progress of saving it.

use crate::players::{PlayerKind, SeatPlayer};
use crate::table::GameView;
use crate::words::and;
use pentarchy_engine::Node;
use serde::{Deserialize, Serialize};

/// A saved match without its events.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SavedSummary {
    /// Its id.
    pub id: String,
    /// The first line of its record.
    pub header: String,
    /// The players, by seat.
    pub players: Vec<SeatPlayer>,
    /// The round, in words.
    pub round: String,
    /// The name of the player that decides next; `None` if it is the player of this page or nobody.
    pub awaited: Option<String>,
    /// Whether the player of this page decides next. Summaries of older versions lack it: they name every other
    /// player that is awaited.
    #[serde(default = "default_own_turn")]
    pub own_turn: bool,
    /// Whether it is over.
    pub over: bool,
    /// When it was saved, in milliseconds.
    pub when: f64,
}

/// Returns true, the value of [`SavedSummary::own_turn`] for a summary of an older version, which lacks it.
fn default_own_turn() -> bool {
    true
}

impl SavedSummary {
    /// Summarises the current position of a match. `id` is the id under which it is saved, `players` are by seat,
    /// `when` is the time in milliseconds. A seat without a player in `players` is treated as nobody: no one is
    /// awaited then.
    pub fn new(table: &dyn GameView, id: String, players: Vec<SeatPlayer>, when: f64) -> Self {
        let decider = match table.node() {
            Node::Decide(seat) => players.get(seat.index()),
            _ => None,
        };
        let own = |player: &&SeatPlayer| player.kind == PlayerKind::Me;
        SavedSummary {
            id,
            header: serde_json::to_string(table.header()).unwrap_or_default(),
            round: table.round(),
            awaited: decider.filter(|player| !own(player)).map(|player| player.name.clone()),
            own_turn: decider.as_ref().is_some_and(own),
            over: table.outcome().is_some(),
            when,
            players,
        }
    }

    /// Returns whether the player of this page decides next. Summaries of older versions do not say it; for them,
    /// returns whether no other player is awaited.
    pub fn is_own_turn(&self) -> bool {
        self.own_turn && self.awaited.is_none()
    }

    /// Returns whom the match waits for, as the list of matches shows it: "Your turn", "Sena moves next", or "In
    /// progress" if it waits for nobody, as before a roll of the dice or after the end.
    pub fn status(&self) -> String {
        match &self.awaited {
            Some(name) => format!("{name} moves next"),
            None if self.own_turn => "Your turn".to_string(),
            None => "In progress".to_string(),
        }
    }

    /// Returns the round and the players other than the player of this page: "Round 3, with Sena and Ilex". A part
    /// that is empty is left out, so the text may be empty.
    pub fn detail(&self) -> String {
        let others = self.players.iter().filter(|player| player.kind != PlayerKind::Me);
        let others = and(&others.map(|player| player.name.clone()).collect::<Vec<String>>());
        let with = if others.is_empty() { String::new() } else { format!("with {others}") };
        [self.round.clone(), with].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
    }
}

/// The progress of saving the match at this page. Saving takes time, in which another match may begin: everything
/// that a save under way reports names the match by its number, and is ignored if that is not the current one.
#[derive(Clone, Copy, Debug, Default)]
pub struct SaveProgress {
    /// Number of the match, counted from the start of the page.
    number: u32,
    /// Number of saved events.
    events: usize,
    /// The generation of the match in the database; `None` before it is claimed.
    generation: Option<u32>,
    /// Whether a save is running.
    busy: bool,
    /// Whether another save is needed after it.
    due: bool,
}

impl SaveProgress {
    /// Makes another match the current one, of which `events` events are saved. `generation` is its generation in the
    /// database if it was claimed. No save of it is running or requested; a save of the match before, still under
    /// way, has no effect any more.
    pub fn begin_match(&mut self, events: usize, generation: Option<u32>) {
        let number = self.number + 1;
        *self = SaveProgress { number, events, generation, ..SaveProgress::default() };
    }

    /// Returns whether this is the number of the current match, and not of one before it.
    pub fn is_current(&self, number: u32) -> bool {
        self.number == number
    }

    /// Requests that the current match is saved. Returns its number if the caller must start to save: it saves as
    /// long as [`next`](Self::next) returns true for that number. `None` if somebody does so already; the running
    /// save is then followed by another one.
    pub fn request(&mut self) -> Option<u32> {
        self.due = true;
        (!std::mem::replace(&mut self.busy, true)).then_some(self.number)
    }

    /// Returns whether the match with this number has to be saved (again) now. True takes the request: a save begins.
    /// False ends the run of saves, so that the next [`request`](Self::request) returns the number again. Returns
    /// false, and changes nothing, if it is not the current match.
    pub fn next(&mut self, number: u32) -> bool {
        if !self.is_current(number) {
            return false;
        }
        self.busy = std::mem::take(&mut self.due);
        self.busy
    }

    /// Notes that saving the match with this number has stopped after an error: no save is running. It is not
    /// repeated by itself; the next [`request`](Self::request) starts one. Ignored if it is not the current match.
    pub fn stop(&mut self, number: u32) {
        if self.is_current(number) {
            self.busy = false;
        }
    }

    /// Returns the number of events of the current match that are saved.
    pub fn events(&self) -> usize {
        self.events
    }

    /// Returns the generation of the current match in the database; `None` before it is claimed.
    pub fn generation(&self) -> Option<u32> {
        self.generation
    }

    /// Notes the generation that the match with this number has in the database, because it was claimed. Ignored if
    /// it is not the current match.
    pub fn set_generation(&mut self, number: u32, generation: u32) {
        if self.is_current(number) {
            self.generation = Some(generation);
        }
    }

    /// Notes that the first `to` events of the match with this number are saved. `from` is the number that was saved
    /// when the save began. Ignored if it is not the current match, or if the number of saved events is not `from`
    /// any more, because events were taken back meanwhile.
    pub fn set_saved(&mut self, number: u32, from: usize, to: usize) {
        if self.is_current(number) && self.events == from {
            self.events = to;
        }
    }

    /// Notes that the current match has only this number of events left, because events were taken back: no more than
    /// these count as saved.
    pub fn take_back(&mut self, events: usize) {
        self.events = self.events.min(events);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GAMES;
    use pentarchy_engine::Seat;
    use serde_json::Value;

    /// Returns players of a match with the player of this page at seat `own`, and bots elsewhere.
    fn players(seats: u8, own: Option<u8>) -> Vec<SeatPlayer> {
        let player = |seat: u8| match Some(seat) == own {
            true => SeatPlayer { name: "Me".to_string(), colour: 1, kind: PlayerKind::Me },
            false => SeatPlayer { name: format!("Bot {seat}"), colour: 2, kind: PlayerKind::Captain },
        };
        (0..seats).map(player).collect()
    }

    #[test]
    fn it_is_your_turn_only_if_your_seat_decides() {
        for game in GAMES.iter() {
            let seats = game.info.default_seats;
            let mut table = game.start(seats, &Value::Null, 5).unwrap();
            for _ in 0..40 {
                for own in (0..seats).map(Some).chain([None]) {
                    let about = SavedSummary::new(&*table, String::new(), players(seats, own), 0.0);
                    let (mine, status) = match table.node() {
                        Node::Decide(Seat(seat)) if Some(seat) == own => (true, "Your turn".to_string()),
                        Node::Decide(Seat(seat)) => (false, format!("Bot {seat} moves next")),
                        _ => (false, "In progress".to_string()),
                    };
                    assert_eq!((about.is_own_turn(), about.status()), (mine, status), "{}", game.info.name);
                    assert!(!about.detail().contains("Me"), "{}", about.detail());
                    let others = (0..seats).filter(|seat| Some(*seat) != own);
                    others.for_each(|seat| assert!(about.detail().contains(&format!("Bot {seat}"))));
                    let text = serde_json::to_string(&about).unwrap();
                    assert_eq!(serde_json::from_str::<SavedSummary>(&text).unwrap(), about);
                }
                if !table.advance().unwrap() {
                    let Node::Decide(seat) = table.node() else { break };
                    let choices = table.choices(usize::MAX, pentarchy_engine::Observer::Seat(seat));
                    table.play(&choices[0].action).unwrap();
                }
            }
        }
    }

    #[test]
    fn summaries_of_older_versions_name_every_awaited_player_but_you() {
        let old = |awaited: &str| {
            let text = format!(
                r#"{{"id":"a","header":"","players":[],"round":"","awaited":{awaited},"over":false,"when":0}}"#
            );
            serde_json::from_str::<SavedSummary>(&text).unwrap()
        };
        assert_eq!((old("null").is_own_turn(), old("null").status()), (true, "Your turn".to_string()));
        let sena = old(r#""Sena""#);
        assert_eq!((sena.is_own_turn(), sena.status()), (false, "Sena moves next".to_string()));
    }

    #[test]
    fn the_save_of_an_earlier_match_changes_nothing_of_the_next() {
        let mut saving = SaveProgress::default();
        saving.begin_match(0, None);
        let old = saving.request().unwrap();
        assert!(saving.next(old), "the first save runs");
        saving.begin_match(7, Some(2));
        let new = saving.request().unwrap();
        assert_ne!(old, new);
        assert!(saving.next(new));
        assert_eq!(saving.request(), None, "an event during a save needs another one");
        // The save of the old match ends now: well, or with an error.
        saving.set_generation(old, 9);
        saving.set_saved(old, 7, 8);
        assert!(!saving.next(old));
        saving.stop(old);
        assert_eq!((saving.events(), saving.generation()), (7, Some(2)));
        assert_eq!(saving.request(), None, "the save of the new match still runs");
        saving.set_saved(new, 7, 9);
        assert!(saving.next(new), "and saves the event");
        assert!(!saving.next(new));
        assert_eq!((saving.events(), saving.request()), (9, Some(new)));
    }

    #[test]
    fn events_that_were_taken_back_during_a_save_do_not_count_as_saved() {
        let mut saving = SaveProgress::default();
        saving.begin_match(4, Some(1));
        let number = saving.request().unwrap();
        assert!(saving.next(number));
        saving.take_back(3);
        saving.set_saved(number, 4, 6);
        assert_eq!(saving.events(), 3);
        saving.stop(number);
        assert_eq!(saving.request(), Some(number), "a save can follow an error");
    }
}
