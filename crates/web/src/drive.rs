//! The driver of a match: plays chance, duties, bots and forced moves. What the player does is in `choose`.

use crate::app::App;
use crate::brain::Task;
use crate::pace::TurnBudget;
use crate::table::GameView;
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
    /// Starts the driver of the match in the background. A driver that is already running stops at its next
    /// step, and a forced move that it shows is not played. An error is shown in place of the prompt.
    pub fn run_driver(self) {
        self.play.stop();
        let run = self.play.run.get_untracked();
        spawn_local(async move {
            if let Err(what) = self.run(run).await {
                self.play.trouble.set(Some(what));
            }
        });
    }

    /// Plays until a person has to decide, the match is over (then it shows the result), or another driver
    /// takes over (`run` is no longer the current number). Forced moves of people are played as the
    /// preferences say. If the screen must be handed to another person, it draws the curtain and returns.
    /// Draws events and pauses between them within the time budget of a turn, and starts saving after each.
    /// Waits while bots are paused, a card of the guide is to be read or a modal report is open.
    ///
    /// # Errors
    ///
    /// Fails with a text for the player if there is no match, a seat has no player, a bot fails, or the rules
    /// reject an event. Earlier events stay played and saved.
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
                    let promise =
                        play.with_match_untracked(|table| thinker::request_thought(table, seat, task));
                    let thought = thinker::receive_thought(promise.ok_or("there is no table")??).await?;
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

    /// Returns whether the driver must wait: bots are paused, a card of the guide is to be read, or a modal
    /// report is open.
    fn must_wait(self) -> bool {
        let play = self.play;
        play.paused.get_untracked() || self.guide_explains() || untrack(|| play.has_open_dialog())
    }

    /// Returns the seat whose turn the next event belongs to; `None` if that is the turn of the event before,
    /// and without a match.
    fn turn(self) -> Option<Seat> {
        self.play.with_match_untracked(|table| table.turn()).flatten()
    }

    /// Returns the pause after an event in milliseconds: at most `wanted` and what the budget `turn` allows
    /// ([`TurnBudget::pause`]); 0 while the player skips.
    fn pause_for(self, turn: &TurnBudget, wanted: i32) -> i32 {
        if self.play.skipping.get_untracked() {
            return 0;
        }
        turn.pause(f64::from(wanted), clock::now()) as i32
    }

    /// Handles that an event was played: starts saving, and shows its report. With `shown`, unless the player
    /// skips, and always with a guide, the board is drawn now and `undrawn` is cleared. Otherwise `undrawn`
    /// is set, and the caller must call [`draw`](Self::draw) later.
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

    /// Queues the report of the last event, if it has one. Does nothing while events are skipped or at
    /// Instant speed.
    pub fn show_last_report(self) {
        if self.pause_millis() > 0 && !self.play.skipping.get_untracked() {
            self.play.show_report();
        }
    }

    /// Notifies the page of events that are not drawn yet, if `undrawn` is set, and clears it.
    fn draw(self, undrawn: &mut bool) {
        if std::mem::take(undrawn) {
            self.play.notify_changed();
        }
    }

    /// Skips all animations and pauses up to the next decision of a person at this page, or to the end. Does
    /// nothing if the player has to decide now.
    pub fn skip_to_decision(self) {
        if untrack(|| self.play.is_own_decision()) {
            return;
        }
        self.play.skipping.set(true);
        crate::motion::set_pace(0.0);
        crate::motion::skip();
        page::wake();
    }

    /// Ends skipping to the next decision, and restores the animations after the skipped events are drawn.
    /// Does nothing if nothing is skipped.
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

    /// Returns the move that the page plays for the person who has to decide, with its label and whether it is
    /// routine (played without showing it); does not play it. `None` if they have a choice, want to be asked
    /// always, or the guide recommends a move, if no seat decides, and without a match.
    fn auto_move(self) -> Option<crate::table::Auto> {
        if self.settings.get_untracked().ask_single || self.guide_recommends() {
            return None;
        }
        self.play.with_match_untracked(|table| table.auto_move()).flatten()
    }

    /// Returns whether a person has to decide next and the page plays their move immediately, without showing
    /// it. `false` for a forced move that is shown, and if the player wants to be asked always.
    fn has_forced_move(self) -> bool {
        matches!(self.next(), Some(Next::Person(_))) && self.auto_move().is_some_and(|auto| auto.routine)
    }

    /// Plays the move of the person who has to decide, if [`auto_move`](Self::auto_move) has one; then saves
    /// the match and shows the report. Unless the move is routine, it is shown for two pauses first, but not
    /// at Instant speed and while the player skips. Returns `false`, and does nothing, if there is no such
    /// move. Returns `true` without playing if `run` is no longer the number of the current driver after the
    /// pauses.
    ///
    /// # Errors
    ///
    /// Fails with a text for the player if the rules reject the move or there is no match.
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

    /// Ends the display of a forced move, so that the driver plays it at once. Returns whether one is shown;
    /// always `false` at an online table, where it does nothing.
    pub fn end_forced_display(self) -> bool {
        let shown = self.play.forced.with_untracked(Option::is_some) && !self.online.is_online();
        if shown {
            page::wake();
        }
        shown
    }

    /// Turns on the preference to ask even for forced moves, and cancels the one that is shown; locally by
    /// restarting the driver. A pass that the player has chosen at an online table is not cancelled.
    pub fn always_ask(self) {
        self.settings.update(|settings| settings.ask_single = true);
        if self.online.is_online() {
            self.play.forced.set(None);
        } else {
            self.run_driver();
        }
    }

    /// Returns the seed of a bot's next decision: the seed of the match plus its number of events, so that
    /// the same moves get the same replies; a random number if there is no match or it has no seed.
    fn bot_seed(self) -> u64 {
        let seed = |table: &dyn GameView| {
            table.header().seed.map(|seed| seed.wrapping_add(table.entries().len() as u64))
        };
        self.play.with_match_untracked(seed).flatten().unwrap_or_else(clock::seed)
    }

    /// Returns what the match waits for: the end, a person, a bot or nature. `None` without a match, or if
    /// the awaited seat has no player.
    fn next(self) -> Option<Next> {
        let node = self.play.with_match_untracked(|table| table.node())?;
        Some(match node {
            Node::Over => Next::Over,
            Node::Decide(seat) => {
                let kind = self.play.players.with_untracked(|p| p.get(seat.index()).map(|p| p.kind))?;
                if kind.is_person() { Next::Person(seat) } else { Next::Bot(seat, kind.level()) }
            }
            node => Next::Nature { silent: crate::pace::is_silent(node) },
        })
    }

    /// Prepares the screen for the person at a seat. Returns `true` if their view is drawn already; otherwise
    /// draws the view of a spectator behind a curtain, which the person lifts, and returns `false`.
    ///
    /// The curtain also comes before a forced move: that it is forced can follow from a hidden hand.
    fn hand_screen_to(self, seat: Seat) -> bool {
        let play = self.play;
        if play.observer.get_untracked().0 == Observer::Seat(seat) {
            return true;
        }
        play.observer.set(crate::play::ShownObserver(Observer::Spectator));
        play.curtain.set(Some(seat));
        false
    }

    /// Removes the curtain, draws the view of the person it was for and runs the driver. Does nothing without
    /// a curtain.
    pub fn lift_curtain(self) {
        if let Some(seat) = self.play.curtain.get_untracked() {
            self.play.observer.set(crate::play::ShownObserver(Observer::Seat(seat)));
            self.play.curtain.set(None);
            self.run_driver();
        }
    }
}
