//! The driver of a match: plays chance, duties, bots and forced moves, and handles clicks and actions of the
//! player.

use crate::app::{App, LOOKING_AHEAD, Notice, Offer};
use crate::brain::{HINT, Task};
use crate::pace::TurnBudget;
use crate::shell::{UndoOffer, numbers};
use crate::table::{GameView, ListedAction};
use crate::{clock, page, thinker};
use leptos::prelude::*;
use pentarchy_engine::{Node, Observer, Seat};
use wasm_bindgen_futures::spawn_local;

/// What the match waits for.
enum Next {
    /// Chance, or a duty of a seat; `silent` if it needs no time on the screen.
    Nature { silent: bool },
    /// A decision of a person.
    Person(Seat),
    /// A decision of a bot of this level.
    Bot(Seat, String),
    /// Nothing: the match is over.
    Over,
}

impl App {
    /// Starts the driver. A driver that is already running stops at its next step.
    pub fn run_driver(self) {
        self.play.stop();
        let run = self.play.run.get_untracked();
        spawn_local(async move {
            if let Err(what) = self.run(run).await {
                self.play.trouble.set(Some(what));
            }
        });
    }

    async fn run(self, run: u32) -> Result<(), String> {
        let play = self.play;
        let stopped = || play.run.get_untracked() != run;
        let mut turn = TurnBudget::new(self.settings.get_untracked().turn());
        // Whether there are events that are not drawn yet.
        let mut undrawn = false;
        loop {
            let asleep = clock::now();
            while self.must_wait() && !stopped() {
                self.draw(&mut undrawn);
                page::sleep(60).await;
            }
            turn.exclude(clock::now() - asleep);
            if stopped() {
                return Ok(());
            }
            match self.next().ok_or("there is no table")? {
                Next::Over => {
                    self.draw(&mut undrawn);
                    self.end_skip();
                    self.show_result();
                    return Ok(());
                }
                Next::Person(seat) => {
                    self.draw(&mut undrawn);
                    turn.enter(self.turn(), clock::now());
                    if !self.hand_screen_to(seat) || !self.play_forced_move(run).await? {
                        self.end_skip();
                        return Ok(());
                    }
                }
                Next::Nature { silent } => {
                    turn.enter(self.turn(), clock::now());
                    play.update_match(|table| table.advance()).ok_or("there is no table")??;
                    let ui = untrack(|| play.ui(&[]));
                    let weight = play.with_match_untracked(|table| table.weight(&ui)).unwrap_or(1);
                    // No pause before a forced move: there is no question to read.
                    let wanted =
                        if silent || self.has_forced_move() { 0 } else { self.pause_millis() * weight };
                    let pause = self.pause_for(&turn, wanted);
                    self.finish_event(pause > 0 || !silent, &mut undrawn);
                    if pause > 0 {
                        page::nap(pause).await;
                    }
                }
                Next::Bot(seat, level) => {
                    if turn.enter(self.turn(), clock::now()) {
                        self.draw(&mut undrawn);
                    }
                    let began = clock::now();
                    let millis = turn.thought(self.thinking_time(), began);
                    let task = Task { level, seed: self.bot_seed(), millis };
                    let promise = play.with_match_untracked(|table| thinker::prepare(table, seat, task));
                    let thought = thinker::receive(promise.ok_or("there is no table")??).await?;
                    let pause = self.pause_for(&turn, self.pause_millis()) - (clock::now() - began) as i32;
                    if pause > 0 {
                        page::nap(pause).await;
                    }
                    if stopped() {
                        return Ok(());
                    }
                    play.update_match(|table| table.play(&thought.action)).ok_or("there is no table")??;
                    self.finish_event(self.pause_for(&turn, self.pause_millis()) > 0, &mut undrawn);
                }
            }
        }
    }

    /// Returns whether the driver must wait: for a report to be closed, or because bots are paused.
    fn must_wait(self) -> bool {
        let play = self.play;
        play.paused.get_untracked() || self.guide_explains() || untrack(|| play.has_open_dialog())
    }

    /// The seat whose turn it is; nothing if the next event belongs to the turn before.
    fn turn(self) -> Option<Seat> {
        self.play.with_match_untracked(|table| table.turn()).flatten()
    }

    /// How long an event is shown that one would like to see for `wanted` milliseconds.
    fn pause_for(self, turn: &TurnBudget, wanted: i32) -> i32 {
        if self.play.skipping.get_untracked() {
            return 0;
        }
        turn.pause(f64::from(wanted), clock::now()) as i32
    }

    /// Saves an event and updates the board. With `shown` the board is drawn now, else together with the next event
    /// that is.
    fn finish_event(self, shown: bool, undrawn: &mut bool) {
        let shown = shown && !self.play.skipping.get_untracked();
        if shown || self.guide.with_untracked(Option::is_some) {
            *undrawn = false;
            self.save_after_event();
        } else {
            *undrawn = true;
            self.autosave();
        }
        self.show_last_report();
    }

    /// Shows the report of the last event, unless events are being skipped.
    pub fn show_last_report(self) {
        if self.pause_millis() > 0 && !self.play.skipping.get_untracked() {
            self.play.show_report();
        }
    }

    fn draw(self, undrawn: &mut bool) {
        if std::mem::take(undrawn) {
            self.play.notify_changed();
        }
    }

    /// Skips all animations and pauses up to the player's next decision.
    pub fn skip_to_decision(self) {
        if untrack(|| self.play.is_own_decision()) {
            return;
        }
        self.play.skipping.set(true);
        crate::motion::set_pace(0.0);
        crate::motion::skip();
        page::wake();
    }

    fn end_skip(self) {
        if self.play.skipping.get_untracked() {
            self.play.skipping.set(false);
            spawn_local(async move {
                // Draw the skipped events first, without animation.
                page::sleep(60).await;
                self.settings.get_untracked().apply();
            });
        }
    }

    /// Returns the move that the page plays for the person who has to decide; `None` if they have a choice.
    fn auto_move(self) -> Option<crate::table::Auto> {
        if self.settings.get_untracked().ask_single || self.guide_recommends() {
            return None;
        }
        self.play.with_match_untracked(|table| table.auto_move()).flatten()
    }

    /// Returns whether the next decision is a person's and the page plays it at once.
    fn has_forced_move(self) -> bool {
        matches!(self.next(), Some(Next::Person(_))) && self.auto_move().is_some_and(|auto| auto.routine)
    }

    /// Plays the move of the person who has to decide, if it is forced. Returns false if they have a choice.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject the move.
    async fn play_forced_move(self, run: u32) -> Result<bool, String> {
        let play = self.play;
        let Some(auto) = self.auto_move() else { return Ok(false) };
        if !auto.routine && self.pause_millis() > 0 && !play.skipping.get_untracked() {
            play.forced.set(Some(auto.label));
            page::nap(2 * self.pause_millis()).await;
            if play.run.get_untracked() != run {
                return Ok(true);
            }
        }
        play.update_match(|table| table.play(&auto.action)).ok_or("there is no table")??;
        self.save_after_event();
        self.show_last_report();
        Ok(true)
    }

    /// Closes what is shown for a limited time. Returns false if there was nothing to close.
    pub fn close_transients(self) -> bool {
        let shown = self.play.forced.with_untracked(Option::is_some) && !self.online.is_online();
        if shown {
            page::wake();
        }
        shown
    }

    /// Turns on the preference to ask even for forced moves, and stops the pending one.
    pub fn ask_single(self) {
        self.settings.update(|settings| settings.ask_single = true);
        if self.online.is_online() {
            self.play.forced.set(None);
        } else {
            self.run_driver();
        }
    }

    /// Returns the seed of a bot's next decision. It is derived from the match, so that the same moves get the same
    /// replies.
    fn bot_seed(self) -> u64 {
        let seed = |table: &dyn GameView| {
            table.header().seed.map(|seed| seed.wrapping_add(table.entries().len() as u64))
        };
        self.play.with_match_untracked(seed).flatten().unwrap_or_else(clock::seed)
    }

    fn next(self) -> Option<Next> {
        let node = self.play.with_match_untracked(|table| table.node())?;
        Some(match node {
            Node::Over => Next::Over,
            Node::Decide(seat) => {
                let kind = self.play.players.with_untracked(|p| p.get(seat.index()).map(|p| p.kind))?;
                if kind.is_person() { Next::Person(seat) } else { Next::Bot(seat, kind.level()) }
            }
            node => Next::Nature { silent: crate::session::is_silent(node) },
        })
    }

    /// Prepares the screen for the person at a seat: their view, behind a curtain if another person had the screen.
    /// Returns whether they have the screen now.
    ///
    /// The curtain also comes before a forced move: that it is forced can follow from a hidden hand.
    fn hand_screen_to(self, seat: Seat) -> bool {
        let play = self.play;
        if play.eyes.get_untracked().0 == Observer::Seat(seat) {
            return true;
        }
        play.eyes.set(crate::play::Eyes(Observer::Spectator));
        play.curtain.set(Some(seat));
        false
    }

    /// Removes the curtain and shows the view of the person it was for.
    pub fn lift_curtain(self) {
        if let Some(seat) = self.play.curtain.get_untracked() {
            self.play.eyes.set(crate::play::Eyes(Observer::Seat(seat)));
            self.play.curtain.set(None);
            self.run_driver();
        }
    }

    /// Plays an action that the player has selected by a piece, a row of the list or a key. If it cannot be undone,
    /// it is marked for confirmation first; selecting it again plays it.
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

    /// Returns whether an action needs a confirmation: it cannot be undone, because a die follows, a card is turned
    /// up, or other people see it immediately. Passing a reaction and ending a turn never need one.
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

    /// Plays an action of the player at the screen: locally, or by sending it to the online table.
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

    /// Offers to undo the action that was played after event `after`. Not in the guided first match: its card needs
    /// the space.
    fn offer_undo(self, after: usize) {
        let play = self.play;
        let eyes = play.eyes.get_untracked().0;
        let lines = play.with_match_untracked(|table| table.log(after, eyes)).unwrap_or_default();
        let said = lines.into_iter().next().filter(|_| self.guide.with_untracked(Option::is_none));
        let ui = untrack(|| play.ui(&[]));
        play.offer.set(said.map(|line| UndoOffer {
            text: crate::words::plain(&line.text.replace('\n', " "), &ui),
            number: play.run.get_untracked(),
        }));
    }

    /// Handles a click on a piece: extends the selection. A selection that names one action plays it, or marks it
    /// for confirmation.
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

    /// Undoes the last click, or the pending confirmation. Returns false if there was none.
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

    /// Lets the search choose an action for the player, highlights its places and shows the reason.
    pub fn show_hint(self) {
        let play = self.play;
        let Some(seat) = play.observer_seat().filter(|_| play.is_own_decision()) else {
            return self.show_message("You can ask for a hint when it is your turn.".to_string());
        };
        let task = Task { level: HINT.to_string(), seed: clock::seed(), millis: self.thinking_time() };
        let version = play.version.get_untracked();
        self.show_message(LOOKING_AHEAD.to_string());
        spawn_local(async move {
            let Some(promise) = play.with_match_untracked(|table| thinker::prepare(table, seat, task)) else {
                return;
            };
            let thought = match promise {
                Ok(promise) => thinker::receive(promise).await,
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

    /// Undoes the last decision of the player at the screen, or shows why that is impossible.
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
                self.save_after_undo();
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
