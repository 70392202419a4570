//! Warm-up while players choose seats, so that the match opens without a delay.

use super::table::find_game;
use super::{Online, Stage};
use crate::icons::ic;
use crate::{dom, page};
use leptos::prelude::*;
use pentarchy_table::{OpeningRehearsal, ShuffleRehearsal, prepare};

/// Pause between two parts of the work, in milliseconds, so that the page stays responsive.
const PAUSE: i32 = 4;
/// Interval between two checks whether the game is known, in milliseconds.
const ASK: i32 = 50;

impl Online {
    /// Returns whether the page is in the lobby of a table whose match has not begun; `false` without a table.
    /// Does not track changes.
    fn is_waiting(self) -> bool {
        let begun = || {
            self.peer_state.with_value(|peer_state| {
                peer_state.as_ref().is_none_or(|peer_state| peer_state.lobby.session().is_some())
            })
        };
        self.stage.with_untracked(|stage| *stage == Stage::Waiting) && !begun()
    }

    /// Runs the proofs once to warm up the code. As soon as the game is known, precomputes its tables and
    /// rehearses the opening. Works in small parts with pauses. Returns when this is done, the match begins,
    /// the page leaves the lobby, or the page does not have the game. Errors are ignored.
    pub(super) async fn warm_up(self) {
        decode_icons();
        let mut rehearsal = ShuffleRehearsal::new();
        while self.is_waiting() && rehearsal.as_mut().is_some_and(ShuffleRehearsal::go_on) {
            page::sleep(PAUSE).await;
        }
        while self.is_waiting() {
            let seating = self.seating.with_untracked(|seating| {
                seating
                    .as_ref()
                    .map(|seating| (seating.game.clone(), seating.options.clone(), seating.seats()))
            });
            if let Some((game, options, seats)) = seating {
                let options = serde_json::from_str(&options).unwrap_or_default();
                let Some(game) = find_game(&game) else { return };
                // An error is reported when the match begins.
                let _ = prepare(game, &options, seats);
                let mut opening = OpeningRehearsal::new(game);
                while self.is_waiting() && opening.as_mut().is_some_and(OpeningRehearsal::go_on) {
                    page::sleep(PAUSE).await;
                }
                return;
            }
            page::sleep(ASK).await;
        }
    }
}

/// Makes the browser decode the icon sheet now, by an invisible icon, which stays in the page. Otherwise it
/// does so when the first piece is drawn, which takes as long as the rest of the board.
fn decode_icons() {
    let icon = ic("").set("style", "position:absolute;width:0;height:0");
    if let Some(body) = page::document().and_then(|document| document.body()) {
        dom::add(&body, icon);
    }
}
