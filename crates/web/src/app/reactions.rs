//! The countdown of a reaction, and the delay of a pass at an online table.

use super::App;
use crate::shell::Sight;
use crate::{clock, page};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

/// Bounds of the delay before a pass is sent at an online table, in milliseconds. The delay is drawn at random for
/// each window, whatever the hand holds, so that the time of the reply reveals nothing. See "What the time of an
/// answer tells" in docs/fair-play.md.
const PASS_DELAY: (i32, i32) = (1_200, 2_400);

impl App {
    /// Installs an effect that runs at every change of the match. It starts the countdown of a
    /// reaction, which passes when the time of the preferences is over; at an online table, it also
    /// draws the delay of a pass and plays moves that leave no choice. Call it once per board.
    /// `sight` is the derived state of the screen.
    pub fn watch_for_reactions(self, sight: Sight) {
        let play = self.play;
        Effect::new(move |_| {
            let (settings, version, mine) = (self.settings.get(), play.version.get(), play.is_own_decision());
            let reacts = sight.scene.with(|s| s.as_ref().is_some_and(|s| s.reacts));
            let pass = sight.choices.with(|all| all.iter().find(|c| c.passes).map(|c| c.action.clone()));
            self.countdown.set(None);
            if !mine {
                return;
            }
            if self.online.is_online() {
                self.draw_pass_delay(version);
                if !settings.ask_single && self.play_only_move(version) {
                    return;
                }
            }
            let Some(pass) = pass.filter(|_| reacts && settings.react_seconds > 0) else { return };
            self.countdown.set(Some(settings.react_seconds));
            spawn_local(async move {
                page::sleep(1000 * i32::from(settings.react_seconds)).await;
                if play.version.get_untracked() == version && play.is_own_decision() {
                    self.play_action(&pass);
                }
            });
        });
    }

    /// Draws the time before which no pass is sent for the decision of this version of the match. Does
    /// nothing if it was drawn before, so each decision has one delay.
    fn draw_pass_delay(self, version: u32) {
        if self.window.with_value(|(of, _)| *of != version) {
            let (least, most) = PASS_DELAY;
            let delay = least + (clock::seed() % (most - least) as u64) as i32;
            self.window.set_value((version, clock::now() + f64::from(delay)));
        }
    }

    /// Plays the forced move of the player at an online table, when the drawn delay is over; until then the
    /// move is shown. Returns `false`, and does nothing, if there is a choice. The move is not sent if the
    /// match is no longer at this `version`, or the display is cancelled meanwhile. Call
    /// [`draw_pass_delay`](Self::draw_pass_delay) for the version first.
    fn play_only_move(self, version: u32) -> bool {
        let play = self.play;
        let Some(auto) = play.with_match_untracked(|table| table.auto_move()).flatten() else { return false };
        play.forced.set(Some(auto.label));
        let opens = self.window.with_value(|(_, opens)| *opens);
        spawn_local(async move {
            page::sleep((opens - clock::now()).max(0.0) as i32).await;
            if play.version.get_untracked() == version && play.forced.with_untracked(Option::is_some) {
                self.online.play_action(&auto.action);
            }
        });
        true
    }

    /// Allows to send another action before the board has changed. Call it when the last one was rejected.
    pub(crate) fn allow_resending(self) {
        self.sent.set_value(None);
    }

    /// Sends an action, in canonical text, to the online table, which checks it. Does nothing if one was sent
    /// that the board does not show yet: the second click of a double click means the same action. A pass is
    /// delayed until its drawn time and shown as a forced move until then, so that the time of the reply does
    /// not reveal whether there was a choice; it is not sent if the match changes meanwhile.
    pub(crate) fn send_action(self, action: &str) {
        let play = self.play;
        let version = play.version.get_untracked();
        let before = self.sent.try_update_value(|sent| sent.replace(version)).flatten();
        if before == Some(version) {
            return;
        }
        let passes = untrack(|| play.legal_actions()).iter().any(|c| c.action == action && c.passes);
        let wait = self.window.with_value(|(_, opens)| opens - clock::now());
        if !passes || wait <= 0.0 {
            return self.online.play_action(action);
        }
        let action = action.to_string();
        play.forced.set(Some("Passing…".to_string()));
        spawn_local(async move {
            page::sleep(wait as i32).await;
            if play.version.get_untracked() == version {
                self.online.play_action(&action);
            }
        });
    }
}
