//! What goes on by itself: nature, duties, bots, moves without a choice; and what the player does.

use crate::app::{App, Notice, Offer};
use crate::brain::{HINT, Task};
use crate::pace::TurnBudget;
use crate::shell::{UndoOffer, numbers};
use crate::table::{GameView, ListedAction};
use crate::{clock, page, thinker};
use leptos::prelude::*;
use pentarchy_engine::{Node, Observer, Seat};
use wasm_bindgen_futures::spawn_local;

/// What comes next at the table.
enum Next {
    /// Nature, or a duty.
    Nature { silent: bool },
    /// A person.
    Person(Seat),
    /// A bot.
    Bot(Seat, String),
    /// Nothing any more.
    Over,
}

impl App {
    /// Goes on with the game: from now on, whatever went on before stops.
    pub fn go_on(self) {
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
        // Whether events have happened that are not drawn yet.
        let mut undrawn = false;
        loop {
            let asleep = clock::now();
            while self.waits() && !stopped() {
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
                    self.finished();
                    return Ok(());
                }
                Next::Person(seat) => {
                    self.draw(&mut undrawn);
                    turn.end();
                    if !self.face(seat) || !self.move_alone(run).await? {
                        self.end_skip();
                        return Ok(());
                    }
                }
                Next::Nature { silent } => {
                    play.touch(|table| table.advance()).ok_or("there is no table")??;
                    let ui = untrack(|| play.ui(&[]));
                    let weight = play.peek(|table| table.weight(&ui)).unwrap_or(1);
                    // Before a move that the page makes by itself there is no question to read.
                    let wanted = if silent || self.moves_alone() { 0 } else { self.pause() * weight };
                    let pause = self.shown_for(&turn, wanted);
                    self.event_happened(pause > 0 || !silent, &mut undrawn);
                    if pause > 0 {
                        page::nap(pause).await;
                    }
                }
                Next::Bot(seat, level) => {
                    let reacts = play.peek(|table| table.reacts()).unwrap_or(false);
                    if turn.ask(seat, reacts, clock::now()) {
                        self.draw(&mut undrawn);
                    }
                    let began = clock::now();
                    let millis = turn.thought(self.thinking_time(), began);
                    let task = Task { level, seed: self.bot_seed(), millis };
                    let promise = play.peek(|table| thinker::prepare(table, seat, task));
                    let thought = thinker::receive(promise.ok_or("there is no table")??).await?;
                    let pause = self.shown_for(&turn, self.pause()) - (clock::now() - began) as i32;
                    if pause > 0 {
                        page::nap(pause).await;
                    }
                    if stopped() {
                        return Ok(());
                    }
                    play.touch(|table| table.play(&thought.action)).ok_or("there is no table")??;
                    self.event_happened(self.shown_for(&turn, self.pause()) > 0, &mut undrawn);
                }
            }
        }
    }

    /// Whether the game waits for the player to read something, or to go on watching.
    fn waits(self) -> bool {
        let play = self.play;
        play.paused.get_untracked() || self.guide_explains() || untrack(|| play.reads_report())
    }

    /// How long an event is shown that one would like to see for `wanted` milliseconds.
    fn shown_for(self, turn: &TurnBudget, wanted: i32) -> i32 {
        if self.play.skipping.get_untracked() {
            return 0;
        }
        turn.pause(f64::from(wanted), clock::now()) as i32
    }

    /// An event has happened. It is drawn at once if it is looked at; else with the next one that is.
    fn event_happened(self, shown: bool, undrawn: &mut bool) {
        let shown = shown && !self.play.skipping.get_untracked();
        if shown || self.guide.with_untracked(Option::is_some) {
            *undrawn = false;
            self.after_event();
        } else {
            *undrawn = true;
            self.autosave();
        }
        self.tell();
    }

    /// Shows the report of the last event, unless nothing is to be waited for.
    pub fn tell(self) {
        if self.pause() > 0 && !self.play.skipping.get_untracked() {
            self.play.show_report();
        }
    }

    fn draw(self, undrawn: &mut bool) {
        if std::mem::take(undrawn) {
            self.play.changed();
        }
    }

    /// Skips everything until the player's next decision.
    pub fn skip(self) {
        if untrack(|| self.play.mine()) {
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
                // What was skipped is drawn first, without moving.
                page::sleep(60).await;
                self.settings.get_untracked().apply();
            });
        }
    }

    /// The move that the page makes for the person who is asked; nothing if the person decides.
    fn auto_move(self) -> Option<crate::table::Auto> {
        if self.settings.get_untracked().ask_single || self.guide_recommends() {
            return None;
        }
        self.play.peek(|table| table.auto_move()).flatten()
    }

    /// Whether a person is asked next, and the page makes the move at once.
    fn moves_alone(self) -> bool {
        matches!(self.next(), Some(Next::Person(_))) && self.auto_move().is_some_and(|auto| auto.routine)
    }

    /// Makes the move of the person who is asked, if there is nothing to decide; false if the person decides.
    async fn move_alone(self, run: u32) -> Result<bool, String> {
        let play = self.play;
        let Some(auto) = self.auto_move() else { return Ok(false) };
        if !auto.routine && self.pause() > 0 && !play.skipping.get_untracked() {
            play.forced.set(Some(auto.label));
            page::nap(2 * self.pause()).await;
            if play.run.get_untracked() != run {
                return Ok(true);
            }
        }
        play.touch(|table| table.play(&auto.action)).ok_or("there is no table")??;
        self.after_event();
        self.tell();
        Ok(true)
    }

    /// Ends what is only shown for a while; false if there was nothing such.
    pub fn hurry(self) -> bool {
        let shown = self.play.forced.with_untracked(Option::is_some) && !self.online.is_online();
        if shown {
            page::wake();
        }
        shown
    }

    /// From now on the player is asked even when there is only one option, and is asked now.
    pub fn ask_single(self) {
        self.settings.update(|settings| settings.ask_single = true);
        if self.online.is_online() {
            self.play.forced.set(None);
        } else {
            self.go_on();
        }
    }

    /// The seed of a bot's next decision. It follows from the game, so that the same moves have the same answers.
    fn bot_seed(self) -> u64 {
        let seed = |table: &dyn GameView| {
            table.header().seed.map(|seed| seed.wrapping_add(table.entries().len() as u64))
        };
        self.play.peek(seed).flatten().unwrap_or_else(clock::seed)
    }

    fn next(self) -> Option<Next> {
        let node = self.play.peek(|table| table.node())?;
        Some(match node {
            Node::Over => Next::Over,
            Node::Decide(seat) => {
                let kind = self.play.players.with_untracked(|p| p.get(seat.index()).map(|p| p.kind))?;
                if kind.is_person() { Next::Person(seat) } else { Next::Bot(seat, kind.level()) }
            }
            node => Next::Nature { silent: crate::session::is_silent(node) },
        })
    }

    /// A person is asked: the table is shown with that person's eyes, behind a curtain if somebody else had been
    /// looking. Returns whether that person has the screen.
    ///
    /// The curtain also comes before a move without a choice: that there is none may follow from a hidden hand.
    fn face(self, seat: Seat) -> bool {
        let play = self.play;
        if play.eyes.get_untracked().0 == Observer::Seat(seat) {
            return true;
        }
        play.eyes.set(crate::play::Eyes(Observer::Spectator));
        play.curtain.set(Some(seat));
        false
    }

    /// The person to whom the screen was passed has it.
    pub fn lift_curtain(self) {
        if let Some(seat) = self.play.curtain.get_untracked() {
            self.play.eyes.set(crate::play::Eyes(Observer::Seat(seat)));
            self.play.curtain.set(None);
            self.go_on();
        }
    }

    /// The player at the screen wants this action, by whatever way: a piece, a row of the list, a key. It is done, or
    /// asked about first if it cannot be undone; wanting it again does it.
    pub fn choose(self, action: &str) {
        let play = self.play;
        if !play.mine() {
            return;
        }
        let asked = play.asked.with_untracked(|asked| asked.as_deref() == Some(action));
        let choices = play.choices();
        let Some(choice) = choices.iter().find(|choice| choice.action == action) else { return };
        if asked || !self.needs_question(choice) {
            return self.act(action);
        }
        play.chosen.set(choice.path.clone());
        play.asked.set(Some(choice.action.clone()));
    }

    /// Whether an action is asked about before it is done: where it cannot be undone, because a die follows, a card is
    /// turned up, or other people see it immediately. Letting a reaction pass and ending a turn are never asked about.
    fn needs_question(self, choice: &ListedAction) -> bool {
        if choice.safer.is_some() {
            return true;
        }
        if choice.quick || choice.passes || (choice.path.is_empty() && !choice.asks) {
            return false;
        }
        if self.online.is_online() {
            // The last click of several is the answer.
            return choice.path.len() < 2;
        }
        self.play.peek(|table| table.is_final(&choice.action)).unwrap_or(false)
    }

    /// Does an action of the player at the screen.
    pub fn act(self, action: &str) {
        let play = self.play;
        if !play.mine() {
            return;
        }
        self.bubble.set(None);
        if self.online.is_online() {
            self.notice.set(None);
            self.filter.set(String::new());
            return self.send(action);
        }
        self.guide_moved(action);
        let before = play.peek(|table| table.entries().len()).unwrap_or(0);
        match play.touch(|table| table.play(action)) {
            Some(Ok(())) => {
                self.notice.set(None);
                self.filter.set(String::new());
                self.after_event();
                self.tell();
                play.since.set(play.peek(|table| table.entries().len()).unwrap_or(0));
                self.go_on();
                self.offer_undo(before);
            }
            Some(Err(what)) => play.trouble.set(Some(what)),
            None => {}
        }
    }

    /// Offers to undo the action that was done after so many events. In the guided first game the card has the room.
    fn offer_undo(self, after: usize) {
        let play = self.play;
        let eyes = play.eyes.get_untracked().0;
        let lines = play.peek(|table| table.log(after, eyes)).unwrap_or_default();
        let said = lines.into_iter().next().filter(|_| self.guide.with_untracked(Option::is_none));
        let ui = untrack(|| play.ui(&[]));
        play.offer.set(said.map(|line| UndoOffer {
            text: crate::words::plain(&line.text.replace('\n', " "), &ui),
            number: play.run.get_untracked(),
        }));
    }

    /// A piece was clicked: the choices narrow to what can be done with it; what is complete is done or asked about.
    pub fn click(self, key: &str) {
        let play = self.play;
        if !play.mine() {
            return;
        }
        let choices = play.choices();
        let mut chosen = play.chosen.get_untracked();
        // What the page has selected gives way to what the player selects.
        let begins = |key: &str| choices.iter().any(|c| c.path.first().is_some_and(|first| first == key));
        if play.preselected.get_untracked() && begins(key) {
            chosen.clear();
        }
        play.preselected.set(false);
        let fits = |path: &[String]| choices.iter().filter(|c| c.path.starts_with(path)).collect::<Vec<_>>();
        if chosen.last().is_some_and(|last| last == key) {
            // A second click on the same piece does what was asked about, or puts the piece back.
            match fits(&chosen)[..] {
                [only] if only.path.len() == chosen.len() => return self.act(&only.action),
                _ => {
                    chosen.pop();
                    play.asked.set(None);
                    return play.chosen.set(chosen);
                }
            }
        }
        play.asked.set(None);
        chosen.push(key.to_string());
        // What does not go on from here may begin anew.
        while fits(&chosen).is_empty() && chosen.len() > 1 {
            chosen.remove(chosen.len() - 2);
        }
        match fits(&chosen)[..] {
            [] => {}
            [only] if only.path.len() == chosen.len() => {
                play.last.set_value(chosen.first().filter(|_| chosen.len() > 1).cloned());
                self.choose(&only.action);
            }
            _ => match numbers::usual(&choices, &chosen, play.amount()).map(|c| c.action.clone()) {
                // Only the number is left: the amount that the player has chosen for a click.
                Some(action) => {
                    play.last.set_value(chosen.first().filter(|_| chosen.len() > 1).cloned());
                    self.choose(&action);
                }
                None => play.chosen.set(chosen),
            },
        }
    }

    /// Puts the last clicked piece back, or what was asked about; false if there was nothing such.
    pub fn back(self) -> bool {
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

    /// What the search would do in the player's place: its places light up, and a sentence says why.
    pub fn hint(self) {
        let play = self.play;
        let Some(seat) = play.seat().filter(|_| play.mine()) else {
            return self.say("You can ask for a hint when it is your turn.".to_string());
        };
        let task = Task { level: HINT.to_string(), seed: clock::seed(), millis: self.thinking_time() };
        let version = play.version.get_untracked();
        self.say("Looking ahead…".to_string());
        spawn_local(async move {
            let Some(promise) = play.peek(|table| thinker::prepare(table, seat, task)) else { return };
            let thought = match promise {
                Ok(promise) => thinker::receive(promise).await,
                Err(what) => Err(what),
            };
            if play.version.get_untracked() != version {
                return self.notice.set(None);
            }
            match thought {
                Ok(thought) => {
                    let whole = play.peek(|table| table.completed(&thought.action, seat)).unwrap_or_default();
                    let choices = untrack(|| play.choices());
                    let best = choices.iter().find(|choice| choice.action == whole);
                    let (Some(best), Some(advice)) = (best, thought.advice.into_iter().next()) else {
                        return self.notice.set(None);
                    };
                    let ui = untrack(|| play.ui(&choices));
                    let name = crate::words::plain(best.label.trim_end_matches('.'), &ui);
                    let what = format!("act {}", best.action);
                    play.advised.set(best.path.clone());
                    let merit = play.peek(|table| table.merit(&best.action)).flatten();
                    let why = merit.map_or(advice.why, |merit| crate::words::plain(&merit, &ui));
                    let offer = Offer { what, label: "Play it".to_string(), why: Some((name, why)) };
                    self.notice.set(Some(Notice {
                        text: advice.chance,
                        offers: vec![offer],
                        identity: None,
                    }));
                }
                Err(what) => self.say(what),
            }
        });
    }

    /// Undoes the last decision of the player at the screen, or says why that is impossible.
    pub fn undo(self) {
        let play = self.play;
        let Some(seat) = play.seat().filter(|_| !self.online.is_online()) else {
            if self.online.is_online() {
                self.say("Can't undo: the other players have seen it.".to_string());
            }
            return;
        };
        let people = play.people();
        match play.peek(|table| table.undoable(seat, &people)) {
            Some(Ok(back)) => {
                play.stop();
                play.offer.set(None);
                play.reports.set(Vec::new());
                play.at.set(None);
                play.touch(|table| table.take_back(back));
                thinker::forget();
                self.unsave();
                play.renew_log();
                self.notice.set(None);
                self.after_event();
                play.since.set(play.last_own_deed());
                self.go_on();
            }
            Some(Err(why)) => self.say(why.to_string()),
            None => {}
        }
    }
}
