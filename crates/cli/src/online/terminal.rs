//! A person at the terminal, asked while the network goes on.

use crate::failure::Outcome;
use crate::play::names;
use crate::style::{DIM, KEY, paint};
use pentarchy_engine::{AnyPosition, LegalAction};
use std::io::BufRead as _;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;

/// Entries of a list that are shown at once.
const SHOWN: usize = 24;

/// What a person typed.
pub(super) enum Typed {
    /// An action: canonical text.
    Play(String),
    /// A line of chat.
    Say(String),
    /// To hide the lines of somebody, or to show them again.
    Mute { name: String, is_muted: bool },
    /// To remove somebody from the table, before the game.
    Remove(String),
    /// The player is ready to play on the terms that were shown.
    Ready,
    /// To go on without the player of this name.
    Drop(String),
    /// To wait longer for those who are late.
    Wait,
    /// To end a game in which somebody does not come back.
    End,
    /// To leave.
    Quit,
}

/// The lines that a person types.
pub(super) struct Terminal {
    lines: Receiver<String>,
    choices: Option<Vec<LegalAction>>,
    closed: bool,
    /// Whether the game has begun.
    begun: bool,
    /// Whether somebody is so late that the game may be ended.
    late: bool,
    /// Whether the player is asked to go on without somebody.
    drops: bool,
    /// Whether anything was typed since this was last asked.
    active: bool,
    /// Whether the game is over.
    over: bool,
}

impl Terminal {
    /// Listens to the keyboard.
    pub(super) fn new() -> Self {
        let (tell, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in std::io::stdin().lock().lines() {
                if !line.is_ok_and(|line| tell.send(line).is_ok()) {
                    break;
                }
            }
        });
        Self {
            lines,
            choices: None,
            closed: false,
            begun: false,
            late: false,
            drops: false,
            active: false,
            over: false,
        }
    }

    /// Whether nothing more will be typed.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Shows the table and what may be done.
    pub(super) fn ask(&mut self, position: &dyn AnyPosition, players: &[String]) -> Outcome {
        anstream::println!("\n{}", names::in_table(&position.table(), players));
        let choices = position.legal()?;
        anstream::println!("{}", names::in_sentence(&position.awaited(), players));
        show(&choices, "");
        self.choices = Some(choices);
        Ok(())
    }

    /// The game begins.
    pub(super) fn begin(&mut self) {
        self.begun = true;
    }

    /// The decision that was asked for is no longer awaited.
    pub(super) fn settled(&mut self) {
        self.choices = None;
        (self.late, self.drops) = (false, false);
    }

    /// The player is asked whether to go on without somebody.
    pub(super) fn asks_to_drop(&mut self) {
        self.drops = true;
    }

    /// Whether anything was typed since the last call.
    pub(super) fn take_activity(&mut self) -> bool {
        std::mem::take(&mut self.active)
    }

    /// The game is over: nothing can be played any more.
    pub(super) fn finished(&mut self) {
        self.choices = None;
        self.over = true;
    }

    /// Somebody is late: the player may end the game.
    pub(super) fn waits(&mut self) {
        self.late = true;
        anstream::println!("{}", paint(DIM, "`end` ends the game, if you do not want to wait any longer."));
    }

    /// The next command that was typed, if there is one.
    pub(super) fn typed(&mut self) -> Option<Typed> {
        let line = match self.lines.try_recv() {
            Ok(line) => line,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => {
                self.closed = true;
                return None;
            }
        };
        self.active = true;
        let line = line.trim();
        match line.split_once(' ').unwrap_or((line, "")) {
            ("", _) => None,
            ("quit" | "exit", "") => Some(Typed::Quit),
            ("end", "") if self.late => Some(Typed::End),
            ("drop", who) if self.drops => Some(Typed::Drop(who.to_owned())),
            ("wait", "") if self.drops => Some(Typed::Wait),
            ("ready", "") if self.choices.is_none() => Some(Typed::Ready),
            ("mute", name) => Some(Typed::Mute { name: name.to_owned(), is_muted: true }),
            ("unmute", name) => Some(Typed::Mute { name: name.to_owned(), is_muted: false }),
            ("remove", name) if !self.begun => Some(Typed::Remove(name.to_owned())),
            ("say", text) => Some(Typed::Say(text.to_owned())),
            ("help" | "?", "") => {
                anstream::println!("{}", paint(DIM, HELP));
                None
            }
            _ => self.play(line),
        }
    }

    fn play(&mut self, line: &str) -> Option<Typed> {
        let Some(choices) = &self.choices else {
            let why = if self.over {
                "The game is over. `quit` leaves; `say …` speaks to the others."
            } else {
                "It is not your turn. `say …` speaks to the others."
            };
            anstream::println!("{}", paint(DIM, why));
            return None;
        };
        if line == "list" {
            show(choices, "");
            return None;
        }
        let by_number = || line.parse::<usize>().ok().and_then(|n| choices.get(n.checked_sub(1)?));
        let is = |text: &str| text.eq_ignore_ascii_case(line);
        let by_text = choices.iter().find(|c| is(&c.canonical) || is(&c.spoken) || is(&c.label));
        if let Some(choice) = by_text.or_else(by_number) {
            return Some(Typed::Play(choice.canonical.clone()));
        }
        if show(choices, line) == 0 {
            anstream::println!("Nothing fits `{line}`; `list` shows what you may do.");
        }
        None
    }
}

const HELP: &str = "Type the number of an action, its notation, or part of its words to see only what fits.\n\
    list   what you may do\n\
    say …  to the others at the table\n\
    mute NAME, unmute NAME  hide what somebody says, or show it again\n\
    remove NAME  before the game, if you are the host: take somebody off the table\n\
    ready  agree to the terms of the table, if they changed before the game\n\
    drop … go on without a player, once you are asked\n\
    wait   wait longer for them\n\
    end    end the game, once somebody is too late\n\
    quit   leave; `pentarchy join` with the same link goes on";

/// Shows the choices that contain all words; gives their number.
fn show(choices: &[LegalAction], words: &str) -> usize {
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let fits = |choice: &LegalAction| {
        let all = format!("{}\n{}\n{}", choice.label, choice.spoken, choice.kind).to_lowercase();
        words.iter().all(|word| all.contains(word))
    };
    let fitting: Vec<(usize, &LegalAction)> = (1..).zip(choices).filter(|(_, choice)| fits(choice)).collect();
    for (n, choice) in fitting.iter().take(SHOWN) {
        anstream::println!("{}  {}", paint(KEY, format_args!("{n:>4}")), choice.label);
    }
    if fitting.len() > SHOWN {
        let more = format!("      … and {} more: type part of the words", fitting.len() - SHOWN);
        anstream::println!("{}", paint(DIM, more));
    }
    fitting.len()
}
