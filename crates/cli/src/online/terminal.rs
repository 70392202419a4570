//! The terminal of an online table. Input is read while the network runs.

use crate::command_error::Outcome;
use crate::play::names;
use crate::style::{DIM, KEY, paint};
use pentarchy_engine::{AnyPosition, LegalAction};
use std::io::BufRead as _;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;
use std::time::Instant;

/// Maximum number of list entries that are shown at once.
const SHOWN: usize = 24;

/// A command that a person typed.
pub(super) enum Typed {
    /// Play an action, given by its canonical text.
    Play(String),
    /// Send a line of chat.
    Say(String),
    /// Mute or unmute a player.
    Mute { name: String, is_muted: bool },
    /// Remove a player from the table, before the match.
    Remove(String),
    /// Accept the terms about which the player is asked.
    Accept,
    /// Vote to drop the player of this name.
    Drop(String),
    /// Keep waiting for the late players.
    Wait,
    /// End a match in which a player does not come back.
    End,
    /// Leave.
    Quit,
}

/// Reads the lines that a person types.
pub(super) struct Terminal {
    /// The lines, each with the time at which it was read.
    lines: Receiver<(Instant, String)>,
    /// The legal actions of the decision that is shown; `None` while no decision is awaited.
    choices: Option<Vec<LegalAction>>,
    /// Whether the input has ended.
    closed: bool,
    /// Whether the match has begun.
    begun: bool,
    /// Whether a player is late enough that the match may be ended.
    late: bool,
    /// Whether the player is asked to drop a seat.
    drops: bool,
    /// Since when the player is asked about the terms of the table.
    asked: Option<Instant>,
    /// Whether anything was typed since the last [`take_activity`](Self::take_activity).
    active: bool,
    /// Whether the match is over.
    over: bool,
}

impl Terminal {
    /// Creates the terminal of a match that has not begun, with a thread that reads lines from standard input until it
    /// ends, cannot be read, or a line comes after the terminal was dropped.
    pub(super) fn new() -> Self {
        let (tell, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in std::io::stdin().lock().lines() {
                if !line.is_ok_and(|line| tell.send((Instant::now(), line)).is_ok()) {
                    break;
                }
            }
        });
        Self::from_lines(lines)
    }

    /// Creates the terminal of a match that has not begun, which gets its lines from this channel, each with the time
    /// at which it was read. The input has ended once all senders are dropped.
    fn from_lines(lines: Receiver<(Instant, String)>) -> Self {
        Self {
            lines,
            choices: None,
            closed: false,
            begun: false,
            late: false,
            drops: false,
            asked: None,
            active: false,
            over: false,
        }
    }

    /// Returns whether the input has ended, as far as [`next_command`](Self::next_command) has noticed.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Prints the board, what is awaited and the legal actions of a decision (at most [`SHOWN`]), and accepts actions
    /// from now on, until [`clear_decision`](Self::clear_decision). `players` are the names by seat.
    ///
    /// # Errors
    ///
    /// Fails if the observer of the position may not list the actions. The board is printed then, and no actions are
    /// accepted that were not before.
    pub(super) fn show_decision(&mut self, position: &dyn AnyPosition, players: &[String]) -> Outcome {
        anstream::println!("\n{}", names::in_table(&position.table(), players));
        let choices = position.legal()?;
        anstream::println!("{}", names::in_sentence(&position.awaited(), players));
        print_actions(&choices, "");
        self.choices = Some(choices);
        Ok(())
    }

    /// Notes that the match has begun: `remove` is no command any more.
    pub(super) fn note_begin(&mut self) {
        self.begun = true;
    }

    /// Notes that the decision is no longer awaited, that no player is late, and that nobody is to be dropped: actions,
    /// `end`, `drop` and `wait` are not accepted until they are noted again.
    pub(super) fn clear_decision(&mut self) {
        self.choices = None;
        (self.late, self.drops) = (false, false);
    }

    /// Notes that the player is asked to drop a seat: `drop` and `wait` are accepted until
    /// [`clear_decision`](Self::clear_decision).
    pub(super) fn note_drop_question(&mut self) {
        self.drops = true;
    }

    /// Notes that the player is asked now about the terms of the table: `yes` and `no` are accepted until
    /// [`withdraw_question`](Self::withdraw_question). A `yes` that was typed before is about other terms and does not
    /// count.
    pub(super) fn note_question(&mut self) {
        self.asked = Some(Instant::now());
    }

    /// Notes that the player is not asked about the terms of the table any more: `yes` and `no` are not accepted until
    /// [`note_question`](Self::note_question).
    pub(super) fn withdraw_question(&mut self) {
        self.asked = None;
    }

    /// Returns whether a line was typed since the last call, as far as [`next_command`](Self::next_command) has read
    /// it, and resets that.
    pub(super) fn take_activity(&mut self) -> bool {
        std::mem::take(&mut self.active)
    }

    /// Notes that the match is over: no action is accepted any more, and a line that looks like one is answered with
    /// that. All other commands are accepted as before.
    pub(super) fn note_end(&mut self) {
        self.choices = None;
        self.over = true;
    }

    /// Notes that a player is late, so that `end` is accepted until [`clear_decision`](Self::clear_decision), and
    /// prints that.
    pub(super) fn note_late_player(&mut self) {
        self.late = true;
        anstream::println!("{}", paint(DIM, "`end` ends the game, if you do not want to wait any longer."));
    }

    /// Returns the next typed command; `None` if no complete line waits, for an empty line, or after a message (the
    /// help, or why a line is no command). Takes one line at most and never blocks. Counts any line as activity. Notes
    /// the end of the input. `no` leaves the table, as `quit` does. `end`, `drop`, `wait`, `yes`, `no` and `remove` are
    /// commands only while they are accepted; else they are tried as actions, as are all other lines.
    pub(super) fn next_command(&mut self) -> Option<Typed> {
        let (typed_at, line) = match self.lines.try_recv() {
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
            ("yes", "") if self.asked.is_some_and(|asked| asked <= typed_at) => Some(Typed::Accept),
            ("no", "") if self.asked.is_some() => Some(Typed::Quit),
            ("mute", name) => Some(Typed::Mute { name: name.to_owned(), is_muted: true }),
            ("unmute", name) => Some(Typed::Mute { name: name.to_owned(), is_muted: false }),
            ("remove", name) if !self.begun => Some(Typed::Remove(name.to_owned())),
            ("say", text) => Some(Typed::Say(text.to_owned())),
            ("help" | "?", "") => {
                anstream::println!("{}", paint(DIM, HELP));
                None
            }
            _ => self.parse_action(line),
        }
    }

    /// Interprets a line as an action of the current decision, by its canonical, spoken or label text in any case, else
    /// by its number from 1. Returns `None` after a message if it is not the player's turn, and after a list of all
    /// actions if the line is `list`. For any other line returns `None` and prints the actions that contain its words,
    /// or that none does. Why it is no turn is said in words: the match is over or has not begun, a question is open,
    /// or another seat acts.
    fn parse_action(&mut self, line: &str) -> Option<Typed> {
        let Some(choices) = &self.choices else {
            let why = if self.over {
                "The game is over. `quit` leaves; `say …` speaks to the others."
            } else if self.asked.is_some() {
                "Type `yes` to accept the terms that are shown now, or `no` to leave. `say …` speaks to the others."
            } else if !self.begun {
                "Waiting for players. `say …` speaks to the others."
            } else {
                "It is not your turn. `say …` speaks to the others."
            };
            anstream::println!("{}", paint(DIM, why));
            return None;
        };
        if line == "list" {
            print_actions(choices, "");
            return None;
        }
        let by_number = || line.parse::<usize>().ok().and_then(|n| choices.get(n.checked_sub(1)?));
        let is = |text: &str| text.eq_ignore_ascii_case(line);
        let by_text = choices.iter().find(|c| is(&c.canonical) || is(&c.spoken) || is(&c.label));
        if let Some(choice) = by_text.or_else(by_number) {
            return Some(Typed::Play(choice.canonical.clone()));
        }
        if print_actions(choices, line) == 0 {
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
    yes, no  before the game: accept the terms of the table, or leave\n\
    drop … go on without a player, once you are asked\n\
    wait   wait longer for them\n\
    end    end the game, once somebody is too late\n\
    quit   leave; `pentarchy join` with the same link goes on";

/// Prints those of `choices` that contain all words, ignoring case, with their numbers from 1; all for no words. Prints
/// at most [`SHOWN`] and the number of the others. Returns the number of all that match. Label, notation and heading
/// are searched.
fn print_actions(choices: &[LegalAction], words: &str) -> usize {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_yes_that_was_typed_before_the_question_accepts_nothing() {
        let (tell, lines) = mpsc::channel();
        let mut terminal = Terminal::from_lines(lines);
        let types = |typed_at: Instant, line: &str| {
            tell.send((typed_at, line.to_owned())).unwrap();
        };
        let before = Instant::now().checked_sub(Duration::from_secs(1)).unwrap();
        types(Instant::now(), "yes");
        assert!(terminal.next_command().is_none(), "nothing is asked");
        terminal.note_question();
        types(before, "yes");
        assert!(terminal.next_command().is_none(), "it was meant for other terms");
        types(Instant::now(), "yes");
        assert!(matches!(terminal.next_command(), Some(Typed::Accept)));
        types(Instant::now(), "no");
        assert!(matches!(terminal.next_command(), Some(Typed::Quit)));
        terminal.withdraw_question();
        types(Instant::now(), "yes");
        assert!(terminal.next_command().is_none());
    }
}
