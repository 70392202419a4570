//! What the player does at the screen: clicks on pieces, actions, hints and undo.

use crate::app::{App, LOOKING_AHEAD, Notice, Offer};
use crate::brain::{HINT, Task};
use crate::shell::{UndoOffer, numbers};
use crate::table::ListedAction;
use crate::{clock, thinker};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

impl App {
    /// Handles that the player has selected an action, given by its canonical text, by a piece, a row of the
    /// list or a key. Plays it, unless it needs a confirmation and is neither marked nor exactly the current
    /// selection: then marks it and selects its keys, and selecting it again plays it. An action with a safer
    /// alternative is always marked first. Does nothing if the player does not have to decide or the action
    /// is not legal.
    pub fn select_action(self, action: &str) {
        let play = self.play;
        if !play.is_own_decision() {
            return;
        }
        let asked = play.asked.with_untracked(|asked| asked.as_deref() == Some(action));
        let choices = play.legal_actions();
        let Some(choice) = choices.iter().find(|choice| choice.action == action) else { return };
        // A button for what was selected before is the second click already, such as Fight after the card.
        let selected = !choice.path.is_empty() && choice.path == play.chosen.get_untracked();
        if asked || (selected && choice.safer.is_none()) || !self.needs_confirmation(choice) {
            return self.play_action(action);
        }
        play.chosen.set(choice.path.clone());
        play.asked.set(Some(choice.action.clone()));
    }

    /// Returns whether an action needs a confirmation. Always if a safer action is known. Otherwise never for
    /// a free action, a pass, or an action without keys for which the board has no question of its own, such
    /// as ending a turn. Of the others, at an online table those of fewer than two clicks, because all see
    /// them immediately; locally those that cannot be undone, because a die follows or a card is turned up.
    fn needs_confirmation(self, choice: &ListedAction) -> bool {
        if choice.safer.is_some() {
            return true;
        }
        if choice.quick || choice.passes || (choice.path.is_empty() && !choice.asks) {
            return false;
        }
        if self.online.is_online() {
            // The last of several clicks counts as the confirmation.
            return choice.path.len() < 2;
        }
        self.play.with_match_untracked(|table| table.is_final(&choice.action)).unwrap_or(false)
    }

    /// Plays a legal action of the player at the screen, given by its canonical text, without a confirmation:
    /// locally, or by sending it to the online table. Removes the tooltip, the notice and the filter. Locally
    /// it also ends a step of the guide that recommends it, saves the match, shows the report, offers an undo
    /// and runs the driver. Does nothing if the player does not have to decide; an action that the rules
    /// reject is shown as an error.
    pub fn play_action(self, action: &str) {
        let play = self.play;
        if !play.is_own_decision() {
            return;
        }
        self.bubble.set(None);
        if self.online.is_online() {
            self.notice.set(None);
            self.filter.set(String::new());
            return self.send_action(action);
        }
        self.end_step_by_move(action);
        let before = play.with_match_untracked(|table| table.entries().len()).unwrap_or(0);
        match play.update_match(|table| table.play(action)) {
            Some(Ok(())) => {
                self.notice.set(None);
                self.filter.set(String::new());
                self.save_after_event();
                self.show_last_report();
                play.since.set(play.with_match_untracked(|table| table.entries().len()).unwrap_or(0));
                self.run_driver();
                self.offer_undo(before);
            }
            Some(Err(what)) => play.trouble.set(Some(what)),
            None => {}
        }
    }

    /// Offers to undo the action that was played after the first `after` events, with its line of the log as
    /// the text, as the player sees it. In the guided first match, whose card needs the space, and if there
    /// is no line, it removes the current offer instead. Does not check whether the action can be undone.
    fn offer_undo(self, after: usize) {
        let play = self.play;
        let observer = play.observer.get_untracked().0;
        let lines = play.with_match_untracked(|table| table.log(after, observer)).unwrap_or_default();
        let said = lines.into_iter().next().filter(|_| self.guide.with_untracked(Option::is_none));
        let ui = untrack(|| play.ui(&[]));
        play.offer.set(said.map(|line| UndoOffer {
            text: crate::words::plain(&line.text.replace('\n', " "), &ui),
            number: play.run.get_untracked(),
        }));
    }

    /// Handles a click on the piece with this key. It extends the selection; a preselection by the page is
    /// replaced if an action begins with the key. A selection that names one action plays it, or marks it for
    /// confirmation; if only its number is open, the amount of a click is used. The first piece of an action of
    /// several clicks is remembered in `Play::last`, for the next decision. If no action continues the
    /// selection with the key, the last keys of the selection are removed until one does; a key with which no
    /// action begins leaves the selection. A second click on the last piece plays its action, or deselects the
    /// piece. Does nothing if the player does not have to decide.
    pub fn click_piece(self, key: &str) {
        let play = self.play;
        if !play.is_own_decision() {
            return;
        }
        let choices = play.legal_actions();
        let mut chosen = play.chosen.get_untracked();
        // A selection by the player replaces a preselection by the page.
        let begins = |key: &str| choices.iter().any(|c| c.path.first().is_some_and(|first| first == key));
        if play.preselected.get_untracked() && begins(key) {
            chosen.clear();
        }
        play.preselected.set(false);
        let fits = |path: &[String]| choices.iter().filter(|c| c.path.starts_with(path)).collect::<Vec<_>>();
        if chosen.last().is_some_and(|last| last == key) {
            // A second click on the same piece confirms the marked action, or removes the piece from the selection.
            match fits(&chosen)[..] {
                [only] if only.path.len() == chosen.len() => return self.play_action(&only.action),
                _ => {
                    chosen.pop();
                    play.asked.set(None);
                    return play.chosen.set(chosen);
                }
            }
        }
        play.asked.set(None);
        chosen.push(key.to_string());
        // A click that does not continue the selection starts a new one.
        while fits(&chosen).is_empty() && chosen.len() > 1 {
            chosen.remove(chosen.len() - 2);
        }
        match fits(&chosen)[..] {
            [] => {}
            [only] if only.path.len() == chosen.len() => {
                play.last.set_value(chosen.first().filter(|_| chosen.len() > 1).cloned());
                self.select_action(&only.action);
            }
            _ => match numbers::usual(&choices, &chosen, play.click_amount()).map(|c| c.action.clone()) {
                // Only the number is open: use the amount that the player has chosen for clicks.
                Some(action) => {
                    play.last.set_value(chosen.first().filter(|_| chosen.len() > 1).cloned());
                    self.select_action(&action);
                }
                None => play.chosen.set(chosen),
            },
        }
    }

    /// Takes back the last click and the pending confirmation. Returns `false` if there was neither.
    pub fn undo_click(self) -> bool {
        let asked = self.play.asked.with_untracked(Option::is_some);
        let any = asked || !self.play.chosen.with_untracked(Vec::is_empty);
        if any {
            self.play.asked.set(None);
            self.play.chosen.update(|chosen| {
                chosen.pop();
            });
        }
        any
    }

    /// Lets the search choose an action for the player, in the background; then highlights its places,
    /// preselects its piece and shows the reason with a button that plays it. Shows a message if the player
    /// does not have to decide or the search fails. Only removes the message "Looking ahead…" if the match
    /// has changed meanwhile or the search gives no reason.
    pub fn show_hint(self) {
        let play = self.play;
        let Some(seat) = play.observer_seat().filter(|_| play.is_own_decision()) else {
            return self.show_message("You can ask for a hint when it is your turn.".to_string());
        };
        let task = Task { level: HINT.to_string(), seed: clock::seed(), millis: self.thinking_time() };
        let version = play.version.get_untracked();
        self.show_message(LOOKING_AHEAD.to_string());
        spawn_local(async move {
            let Some(promise) =
                play.with_match_untracked(|table| thinker::request_thought(table, seat, task))
            else {
                return;
            };
            let thought = match promise {
                Ok(promise) => thinker::receive_thought(promise).await,
                Err(what) => Err(what),
            };
            if play.version.get_untracked() != version {
                return self.notice.set(None);
            }
            match thought {
                Ok(thought) => {
                    let choices = untrack(|| play.legal_actions());
                    let best = choices.iter().find(|choice| choice.action == thought.action);
                    let (Some(best), Some(advice)) = (best, thought.advice) else {
                        return self.notice.set(None);
                    };
                    let ui = untrack(|| play.ui(&choices));
                    let name = crate::words::plain(best.label.trim_end_matches('.'), &ui);
                    let what = format!("play-hint {}", best.action);
                    play.advised.set(best.path.clone());
                    let path = best.path.clone();
                    request_animation_frame(move || crate::motion::reveal(&path));
                    // Preselect the piece, so that a click on its target is enough.
                    if let [piece, target, ..] = &best.path[..]
                        && !target.starts_with("n ")
                    {
                        play.chosen.set(vec![piece.clone()]);
                        play.preselected.set(true);
                    }
                    let merit = play.with_match_untracked(|table| table.merit(&best.action)).flatten();
                    let merit = merit.map(|merit| crate::words::plain(&merit, &ui));
                    let why =
                        merit.filter(|merit| !crate::words::repeats(&name, merit)).unwrap_or(advice.why);
                    let offer = Offer { what, label: "Play it".to_string(), why: Some((name, why)) };
                    self.notice.set(Some(Notice {
                        text: advice.chance,
                        offers: vec![offer],
                        identity: None,
                    }));
                }
                Err(what) => self.show_message(what),
            }
        });
    }

    /// Takes back the events since the last decision of the player at the screen, that decision included,
    /// saves that and runs the driver. Shows a message with the reason if it cannot be undone, as always at
    /// an online table. Does nothing unless the view of a seat is drawn.
    pub fn undo_decision(self) {
        let play = self.play;
        let Some(seat) = play.observer_seat().filter(|_| !self.online.is_online()) else {
            if self.online.is_online() {
                self.show_message("Can't undo: the other players have seen it.".to_string());
            }
            return;
        };
        let people = play.local_seats();
        match play.with_match_untracked(|table| table.undoable(seat, &people)) {
            Some(Ok(back)) => {
                play.stop();
                play.offer.set(None);
                play.reports.set(Vec::new());
                play.at.set(None);
                play.update_match(|table| table.take_back(back));
                thinker::forget();
                self.mark_taken_back();
                play.mark_log_stale();
                self.notice.set(None);
                self.save_after_event();
                play.since.set(play.events_at_last_move());
                self.run_driver();
            }
            Some(Err(why)) => self.show_message(why.to_string()),
            None => {}
        }
    }
}
