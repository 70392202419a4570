//! While people sit down the page gets ready, so that the game opens at once.

use super::table::find;
use super::{Online, Stage};
use crate::icons::ic;
use crate::{dom, page};
use leptos::prelude::*;
use pentarchy_table::{OpeningRehearsal, ShuffleRehearsal, prepare};

/// Between two pieces of the work the page answers whoever uses it.
const PAUSE: i32 = 4;
/// How often it is asked whether the game is known, in milliseconds.
const ASK: i32 = 50;

impl Online {
    fn waits(self) -> bool {
        let begun =
            || self.desk.with_value(|desk| desk.as_ref().is_none_or(|desk| desk.lobby.session().is_some()));
        self.stage.with_untracked(|stage| *stage == Stage::Waiting) && !begun()
    }

    /// Rehearses the proofs; and as soon as it is known which game is played, makes what it needs and rehearses how it opens.
    pub(super) async fn get_ready(self) {
        read_icons();
        let mut rehearsal = ShuffleRehearsal::new();
        while self.waits() && rehearsal.as_mut().is_some_and(ShuffleRehearsal::go_on) {
            page::sleep(PAUSE).await;
        }
        while self.waits() {
            let seating = self.seating.with_untracked(|seating| {
                seating
                    .as_ref()
                    .map(|seating| (seating.game.clone(), seating.options.clone(), seating.seats()))
            });
            if let Some((game, options, seats)) = seating {
                let options = serde_json::from_str(&options).unwrap_or_default();
                let Some(game) = find(&game) else { return };
                // Where it cannot be played, that is said when it begins.
                let _ = prepare(game, &options, seats);
                let mut opening = OpeningRehearsal::new(game);
                while self.waits() && opening.as_mut().is_some_and(OpeningRehearsal::go_on) {
                    page::sleep(PAUSE).await;
                }
                return;
            }
            page::sleep(ASK).await;
        }
    }
}

/// Has the browser read the sheet of icons now, and keep it: else it does when the first piece is drawn, and takes as long
/// for that as for all the rest of a table.
fn read_icons() {
    let icon = ic("").set("style", "position:absolute;width:0;height:0");
    if let Some(body) = page::document().and_then(|document| document.body()) {
        dom::add(&body, icon);
    }
}
