//! What goes on by itself: nature, duties, bots; and what the player does.

use crate::app::{App, Notice, Offer};
use crate::brain::{Advice, HINT, Task};
use crate::table::Choice;
use crate::{page, thinker};
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
        loop {
            while play.paused.get_untracked() && !stopped() {
                page::sleep(60).await;
            }
            if stopped() {
                return Ok(());
            }
            let began = crate::clock::now();
            match self.next().ok_or("there is no table")? {
                Next::Over => {
                    self.finished();
                    return Ok(());
                }
                Next::Person(seat) => {
                    self.face(seat);
                    return Ok(());
                }
                Next::Nature { silent } => {
                    play.touch(|table| table.advance()).ok_or("there is no table")??;
                    self.after_event();
                    let ui = play.ui(&[]);
                    let weight = play.peek(|table| table.weight(&ui)).unwrap_or(1);
                    let pause = if silent { 0 } else { self.pause() * weight };
                    if pause > 0 {
                        page::sleep(pause).await;
                    }
                }
                Next::Bot(seat, level) => {
                    let task = Task { level, seed: crate::clock::seed(), millis: self.thinking_time() };
                    let promise = play.peek(|table| thinker::prepare(table, seat, task));
                    let thought = thinker::receive(promise.ok_or("there is no table")??).await?;
                    let rest = f64::from(self.pause()) - (crate::clock::now() - began);
                    if rest > 1.0 {
                        page::sleep(rest as i32).await;
                    }
                    if stopped() {
                        return Ok(());
                    }
                    play.touch(|table| table.play(&thought.action)).ok_or("there is no table")??;
                    self.after_event();
                }
            }
        }
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

    /// A person is asked: the table is shown with that person's eyes, behind a curtain if somebody else had
    /// been looking.
    fn face(self, seat: Seat) {
        let play = self.play;
        if play.eyes.get_untracked().0 == Observer::Seat(seat) {
            return;
        }
        play.eyes.set(crate::play::Eyes(Observer::Spectator));
        play.curtain.set(Some(seat));
    }

    /// The person to whom the screen was passed has it.
    pub fn lift_curtain(self) {
        if let Some(seat) = self.play.curtain.get_untracked() {
            self.play.eyes.set(crate::play::Eyes(Observer::Seat(seat)));
            self.play.curtain.set(None);
        }
    }

    /// Does an action of the player at the screen.
    pub fn act(self, action: &str) {
        let play = self.play;
        if !play.mine() {
            return;
        }
        if self.online.on() {
            self.notice.set(None);
            self.filter.set(String::new());
            return self.online.choose(action);
        }
        match play.touch(|table| table.play(action)) {
            Some(Ok(())) => {
                self.notice.set(None);
                self.filter.set(String::new());
                self.learned(action);
                self.after_event();
                play.since.set(play.peek(|table| table.entries().len()).unwrap_or(0));
                self.go_on();
            }
            Some(Err(what)) => play.trouble.set(Some(what)),
            None => {}
        }
    }

    /// A piece was clicked: the choices narrow to what can be done with it; what is complete is done or asked.
    pub fn click(self, key: &str) {
        let play = self.play;
        if !play.mine() {
            return;
        }
        let choices = play.choices();
        let mut chosen = play.chosen.get_untracked();
        let fits = |path: &[String]| choices.iter().filter(|c| c.path.starts_with(path)).collect::<Vec<_>>();
        if chosen.last().is_some_and(|last| last == key) {
            // A second click on the same piece does what was asked about, or puts the piece back.
            match fits(&chosen)[..] {
                [only] if only.path.len() == chosen.len() => return self.act(&only.action),
                _ => {
                    chosen.pop();
                    return play.chosen.set(chosen);
                }
            }
        }
        chosen.push(key.to_string());
        // What does not go on from here may begin anew.
        while fits(&chosen).is_empty() && chosen.len() > 1 {
            chosen.remove(chosen.len() - 2);
        }
        match fits(&chosen)[..] {
            [] => {}
            [only] if only.path.len() == chosen.len() && at_once(only) => self.act(&only.action),
            _ => play.chosen.set(chosen),
        }
    }

    /// Puts the last clicked piece back; false if there was none.
    pub fn back(self) -> bool {
        let any = !self.play.chosen.with_untracked(Vec::is_empty);
        if any {
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
            return self.say("A hint can be had when it is your turn.".to_string());
        };
        let task = Task { level: HINT.to_string(), seed: crate::clock::seed(), millis: self.thinking_time() };
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
                    let choices = play.choices();
                    let found = |action: &str| choices.iter().find(|choice| choice.action == action);
                    let offer = |advice: Advice| {
                        let name = found(&advice.action)?.label.trim_end_matches('.').to_string();
                        let what = format!("act {}", advice.action);
                        Some(Offer { what, label: "Do it".to_string(), why: Some((name, advice.why)) })
                    };
                    play.hinted.set(found(&thought.action).map(|best| best.path.clone()).unwrap_or_default());
                    let offers = thought.advice.into_iter().filter_map(offer).collect();
                    self.notice
                        .set(Some(Notice { text: "Looking ahead, the best first:".to_string(), offers }));
                }
                Err(what) => self.say(what),
            }
        });
    }

    /// Takes the last deed of the player at the screen back.
    pub fn undo(self) {
        let Some(seat) = self.play.seat().filter(|_| !self.online.on()) else { return };
        let back = self.play.peek(|table| table.undoable(seat).unwrap_or(0)).unwrap_or(0);
        if back > 0 {
            self.play.stop();
            self.play.touch(|table| table.take_back(back));
            thinker::forget();
            self.unsave();
            self.play.renew_log();
            self.after_event();
            self.go_on();
        }
    }
}

/// Whether a complete path is done without a question: the last click of several is the answer, unless it chose
/// a number.
fn at_once(choice: &Choice) -> bool {
    choice.quick || (choice.path.len() > 1 && choice.path.last().is_some_and(|key| !key.starts_with("n ")))
}
