//! A match at this terminal: decisions, news for each seat, undo.

use super::bots::Bots;
use super::command::{self, Command, HELP};
use super::ending;
use super::list::List;
use super::names;
use super::roles::Role;
use super::ui::Ui;
use crate::cards::cards;
use crate::command_error::{CommandError, Outcome};
use crate::records;
use crate::style::{BAD, DIM, KEY, TITLE, paint, width};
use pentarchy_engine::describe::with_names;
use pentarchy_engine::record::{Record, RecordKind};
use pentarchy_engine::{AnyError, AnyGame, AnyPosition, Node, Observer, Rng, Seat};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A match at this terminal.
pub(super) struct TerminalMatch {
    /// The game.
    game: &'static dyn AnyGame,
    /// Who plays at each seat.
    roles: Vec<Role>,
    /// The bots of the match.
    bots: Bots,
    /// The name of each seat.
    names: Vec<String>,
    /// The seed of dice, shuffles and bots.
    seed: u64,
    /// The current position, which knows everything.
    position: Box<dyn AnyPosition>,
    /// The full record so far.
    record: Record,
    /// For each event, its text for each seat, and last for a spectator.
    told: Vec<Vec<Option<String>>>,
    /// The positions in which a person decided, for undo.
    asked: Vec<Asked>,
    /// Number of events that each seat has read, and last a spectator.
    heard: Vec<usize>,
    /// The seat that looked at the screen last.
    looking: Option<Seat>,
    /// The file in which the match is saved.
    file: Option<PathBuf>,
}

/// A decision of a person.
struct Asked {
    /// The seat that decided.
    seat: Seat,
    /// The position of the decision.
    position: Box<dyn AnyPosition>,
    /// Number of events before it.
    events: usize,
}

/// What a person did at a decision.
enum Turn {
    /// The match goes on, or back.
    Moved,
    /// The person left.
    Left,
}

impl TerminalMatch {
    /// Creates a match at its first position, before the first event, with nothing to undo and no file. Plays and
    /// prints nothing. `roles` and `names` have an entry for each seat; `options` are all options. The seed determines
    /// dice, shuffles and bots.
    ///
    /// # Errors
    ///
    /// Fails if the options or the number of seats are invalid, or the registry has no bots for the game.
    pub(super) fn start(
        game: &'static dyn AnyGame,
        roles: Vec<Role>,
        names: Vec<String>,
        options: Value,
        seed: u64,
    ) -> Outcome<Self> {
        let seats = roles.len() as u8;
        let position = game.start(seats, &options)?;
        let record = game.record(seats, &options, Some(seed))?;
        Self::new(game, roles, names, seed, position, record)
    }

    /// Resumes a saved match at its last event, and replays the record for news and undo. `players` returns roles and
    /// names for the game and number of seats of the record. A record without a seed goes on with a random one. A
    /// person's decisions before the last event can be undone; nobody counts as having read the news, and the match has
    /// no file until [`save_to`](Self::save_to).
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or is not the full, valid record of a match, or if `players` fails.
    pub(super) fn resume(
        file: &Path,
        players: impl FnOnce(&'static dyn AnyGame, u8) -> Outcome<(Vec<Role>, Vec<String>)>,
    ) -> Outcome<Self> {
        let (record, game) = records::read(file)?;
        if record.header.kind != RecordKind::Full {
            let what = "what is hidden is missing: only a full record can be resumed";
            return Err(CommandError::file("resume", file, what));
        }
        let (roles, names) = players(game, record.header.seats)?;
        let options = record.header.options.clone();
        let empty = Record { entries: Vec::new(), ..record.clone() };
        let seed = record.header.seed.unwrap_or_else(super::random_seed);
        let start = game.start(record.header.seats, &options).map_err(|e| records::unsound(file, &e))?;
        let mut session = Self::new(game, roles, names, seed, start, empty)?;
        let replayed = game.replay(&record, RecordKind::Full, usize::MAX, &mut |position| {
            session.position = position.clone_box();
            session.record_event();
            session.add_undo_point();
        });
        replayed.map_err(|e| records::unsound(file, &e))?;
        // The current decision is asked again; it is not an undo point.
        if session.deciding_person().is_some() {
            session.asked.pop();
        }
        Ok(session)
    }

    /// Creates a match at a position with its record; nobody has read any news, and there is
    /// nothing to undo. `roles` and `names` have an entry for each seat; the seed determines later
    /// chance and bots.
    ///
    /// # Errors
    ///
    /// Fails if the registry has no bots for the game.
    fn new(
        game: &'static dyn AnyGame,
        roles: Vec<Role>,
        names: Vec<String>,
        seed: u64,
        position: Box<dyn AnyPosition>,
        record: Record,
    ) -> Outcome<Self> {
        let heard = vec![0; roles.len() + 1];
        Ok(TerminalMatch {
            game,
            bots: Bots::new(game, roles.len())?,
            roles,
            names,
            seed,
            position,
            record,
            told: Vec::new(),
            asked: Vec::new(),
            heard,
            looking: None,
            file: None,
        })
    }

    /// Sets the file in which the match is saved at each decision of a person and at the end; `None` for none. The file
    /// is also the default of the command `save`. Does not save now, and does not check the path.
    pub(super) fn save_to(&mut self, file: Option<PathBuf>) {
        self.file = file;
    }

    /// Returns the game that is played.
    pub(super) fn game(&self) -> &'static dyn AnyGame {
        self.game
    }

    /// Returns the roles of the seats, by seat.
    pub(super) fn roles(&self) -> &[Role] {
        &self.roles
    }

    /// Returns the seed of the record; `None` for a resumed match whose record has none.
    pub(super) fn seed(&self) -> Option<u64> {
        self.record.header.seed
    }

    /// Returns the name of a seat with its colour codes; `@` and the number for a seat that has none.
    pub(super) fn name(&self, seat: Seat) -> String {
        names::in_sentence(&pentarchy_engine::describe::who(seat), &self.names)
    }

    /// Returns the seats of people, ascending.
    fn people(&self) -> Vec<Seat> {
        let seats = (0..self.roles.len() as u8).map(Seat);
        seats.filter(|seat| self.roles[seat.index()] == Role::Human).collect()
    }

    /// Returns the seat of the person who must choose an action now; `None` if a bot decides, a seat only has to
    /// declare, the rules wait for nature, or the match is over.
    fn deciding_person(&self) -> Option<Seat> {
        match self.position.node() {
            Node::Decide(seat) => Some(seat).filter(|seat| self.roles[seat.index()] == Role::Human),
            _ => None,
        }
    }

    /// Returns a new generator for what happens at the next event: chance, a bot or a hint. It depends only on the seed
    /// and the number of events so far, so that the same decisions give the same match whether it was played at once,
    /// resumed, or with undo. Each call returns it at its beginning.
    fn rng(&self) -> Rng {
        Rng::stream(self.seed, self.record.entries.len() as u64)
    }

    /// Appends the last event of the position to the record, and its texts for each observer to the news. The caller
    /// must call it once after each event: another call adds the event again. Does nothing if there is no event yet.
    fn record_event(&mut self) {
        let Some(entry) = self.position.last_entry(self.record.entries.len() as u32 + 1) else { return };
        self.record.entries.push(entry);
        let told = |observer| self.position.last_log(observer);
        let seats = (0..self.roles.len() as u8).map(|seat| told(Observer::Seat(Seat(seat))));
        self.told.push(seats.chain([told(Observer::Spectator)]).collect());
    }

    /// Remembers the current position and the number of events as the last undo point, if a person decides now;
    /// otherwise does nothing.
    fn add_undo_point(&mut self) {
        if let Some(seat) = self.deciding_person() {
            let (position, events) = (self.position.clone(), self.record.entries.len());
            self.asked.push(Asked { seat, position, events });
        }
    }

    /// Plays to the end, or until a person leaves: resolves chance, lets bots choose and asks people. Saves the match
    /// before each decision of a person and at the end, if it has a file. Prints the ranking at the end; without people
    /// also every event. Can be called once: after the end or after a person left, another call asks again or prints
    /// the end again.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject an event, a file cannot be written, the output is closed, or the input ends before the
    /// match is over.
    pub(super) fn play(&mut self, ui: &mut Ui) -> Outcome {
        let watched = self.people().is_empty();
        loop {
            if self.position.advance(&mut self.rng())? {
                self.record_event();
            } else if let Some(seat) = self.deciding_person() {
                self.autosave()?;
                if let Turn::Left = self.ask_person(seat, ui)? {
                    return Ok(());
                }
            } else if let Node::Decide(seat) = self.position.node() {
                let Role::Bot(spec) = self.roles[seat.index()] else { continue };
                let action = self.bots.choose(&*self.position, seat, spec, &mut self.rng())?;
                self.position.play(&action)?;
                self.record_event();
            } else {
                break;
            }
            if watched {
                self.print_news(self.roles.len(), ui)?;
            }
        }
        self.autosave()?;
        self.print_end(ui)
    }

    /// Writes the record so far to the file of the match, in place of what is there; does nothing if it has none.
    /// Prints nothing.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    fn autosave(&self) -> Outcome {
        self.file.as_deref().map_or(Ok(()), |file| records::write(&self.record, file))
    }

    /// Prints the news that an observer (the index of a seat, or the number of seats for a spectator) has
    /// not read, after a blank line if people play and there are any, and marks them as read.
    ///
    /// # Errors
    ///
    /// Fails if the output is closed.
    fn print_news(&mut self, observer: usize, ui: &mut Ui) -> Outcome {
        let from = std::mem::replace(&mut self.heard[observer], self.told.len());
        if self.people().is_empty() || self.told[from..].iter().all(|told| told[observer].is_none()) {
            return self.print_news_since(observer, from, ui);
        }
        ui.line("")?;
        self.print_news_since(observer, from, ui)
    }

    /// Prints the news of an observer (the index of a seat, or the number of seats for a spectator) from event number
    /// `from` (from 0, at most the number of events) on, each with a bullet. Events without a text for the observer are
    /// left out. Does not change what they have read.
    ///
    /// # Errors
    ///
    /// Fails if the output is closed.
    fn print_news_since(&self, observer: usize, from: usize, ui: &mut Ui) -> Outcome {
        for text in self.told[from..].iter().filter_map(|told| told[observer].as_ref()) {
            for (i, line) in text.lines().enumerate() {
                let bullet = if i == 0 { "·" } else { " " };
                ui.line(&format!("{} {}", paint(DIM, bullet), names::in_sentence(line, &self.names)))?;
            }
        }
        Ok(())
    }

    /// Prints the board with the names of the players, as the observer of `view` sees it, between two blank lines.
    ///
    /// # Errors
    ///
    /// Fails if the output is closed.
    fn print_table(&self, view: &dyn AnyPosition, ui: &mut Ui) -> Outcome {
        let table = names::in_table(view.table().trim_end(), &self.names);
        ui.line(&format!("\n{table}\n"))
    }

    /// Clears the screen and waits for Enter before another person than the last one looks at it, if the game hides
    /// something, several people play, and input and output are terminals; else prints nothing and does not wait.
    /// Clears the screen again after Enter. In any case remembers `seat` as the one who looks. Returns `false` only if
    /// the input has ended while it waited.
    ///
    /// # Errors
    ///
    /// Fails if the output is closed or the input cannot be read.
    fn pass_screen(&mut self, seat: Seat, ui: &mut Ui) -> Outcome<bool> {
        let other = self.looking.replace(seat) != Some(seat);
        if !other || !ui.is_live() || !self.game.hides() || self.people().len() < 2 {
            return Ok(true);
        }
        ui.wipe()?;
        ui.line(&format!("{} is to decide; the others look away.", self.name(seat)))?;
        let ready = ui.read_line("Press Enter")?.is_some();
        ui.wipe()?;
        Ok(ready)
    }

    /// Shows the news and the decision to the person at `seat`, who must be the one to decide, and handles commands
    /// until they play an action or undo (returns [`Turn::Moved`]) or leave ([`Turn::Left`]). Played actions are
    /// recorded, with an undo point. If the list, or what the last words found, has a single action, Enter takes it.
    /// Words that match no entry are tried as an action that is not listed. Leaving saves the match if it has a file.
    ///
    /// # Errors
    ///
    /// Fails if the input ends (the match is saved first, if it has a file), the output is closed, a file cannot be
    /// written on leaving, or the rules reject a listed action.
    fn ask_person(&mut self, seat: Seat, ui: &mut Ui) -> Outcome<Turn> {
        if !self.pass_screen(seat, ui)? {
            return self.end_of_input();
        }
        let view = self.position.view(seat);
        let mut legal = view.legal()?;
        for choice in &mut legal {
            choice.label = with_names(&choice.label, &self.names);
        }
        let list = List::new(legal);
        self.print_news(seat.index(), ui)?;
        self.print_table(&*view, ui)?;
        ui.line(&names::in_sentence(&view.awaited(), &self.names))?;
        ui.text(&list.format_entries(&list.all(), width(), true))?;
        let mut only = Some(0).filter(|_| list.all().len() == 1);
        loop {
            if only.is_some() {
                ui.line(&paint(DIM, "Enter takes it."))?;
            }
            let Some(line) = ui.read_line(&self.names[seat.index()])? else { return self.end_of_input() };
            let command = match (command::read(&line, &list), only.take()) {
                (Command::Nothing, Some(entry)) => Command::Take(entry),
                (command, _) => command,
            };
            match command {
                Command::Take(entry) => {
                    let action = list.get(entry).map(|choice| choice.canonical.clone()).unwrap_or_default();
                    self.play_action(&action)?;
                    return Ok(Turn::Moved);
                }
                Command::Words(words) => {
                    let found = list.matching(&words);
                    match found.as_slice() {
                        [] => match self.play_unlisted(&words) {
                            Ok(()) => return Ok(Turn::Moved),
                            Err(why) => ui.line(&paint(BAD, why))?,
                        },
                        [one] => {
                            ui.text(&list.format_entries(&found, width(), false))?;
                            only = Some(*one);
                        }
                        _ => ui.text(&list.format_entries(&found, width(), false))?,
                    }
                }
                Command::Nothing => ui.text(&list.format_entries(&list.all(), width(), true))?,
                Command::List(words) => match list.matching(&words) {
                    found if found.is_empty() => ui.line(&paint(BAD, "nothing in the list fits"))?,
                    found => ui.text(&list.format_entries(&found, width(), false))?,
                },
                Command::Table => {
                    self.print_table(&*view, ui)?;
                    ui.line(&names::in_sentence(&view.awaited(), &self.names))?;
                }
                Command::Log => self.print_news_since(seat.index(), 0, ui)?,
                Command::Help => self.print_help(ui)?,
                Command::Hint => ui.text(&self.bots.hint(&*view, &list, &mut self.rng())?)?,
                Command::Rules => ui.line(self.game.summary().trim_end())?,
                Command::Cards(name) => match cards(self.game, name.as_deref()) {
                    Ok(text) => ui.text(&text)?,
                    Err(why) => ui.line(&paint(BAD, why))?,
                },
                Command::Undo => {
                    if self.undo(seat) {
                        ui.line(&paint(DIM, "Back to your last decision."))?;
                        return Ok(Turn::Moved);
                    }
                    ui.line(&paint(BAD, "this is your first decision"))?;
                }
                Command::Save(file) => self.save(file.as_deref(), ui)?,
                Command::Quit => {
                    self.autosave()?;
                    let left = match &self.file {
                        Some(file) => self.how_to_resume(file),
                        None => "Left; the game was not saved.".to_string(),
                    };
                    ui.line(&paint(DIM, left))?;
                    return Ok(Turn::Left);
                }
            }
        }
    }

    /// Saves the match, if it has a file, and returns the error that the input has ended, with the command that resumes
    /// it. It returns no value, so that its type fits the result of any caller.
    ///
    /// # Errors
    ///
    /// Always fails: with `Ended`, or with the error of the file if it cannot be written.
    fn end_of_input<T>(&self) -> Outcome<T> {
        self.autosave()?;
        let kept =
            self.file.as_deref().map_or(String::new(), |file| format!("; {}", self.how_to_resume(file)));
        Err(CommandError::Ended(format!("the input ended before the game did{kept}")))
    }

    /// Plays an action of the deciding person, given in canonical text, with an undo point before it, and records it.
    /// The caller must have checked that a person is to decide.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the rules reject the action.
    fn play_action(&mut self, action: &str) -> Outcome {
        self.add_undo_point();
        let played = self.position.play(action);
        if played.is_err() {
            self.asked.pop();
        }
        played?;
        self.record_event();
        Ok(())
    }

    /// Plays an action that the list does not name, such as the twin of a listed one, with an undo point before it, and
    /// records it. On `Err` nothing has changed.
    ///
    /// # Errors
    ///
    /// Fails with a sentence: the reason of the rules, or that the text is no action.
    fn play_unlisted(&mut self, words: &str) -> Result<(), String> {
        let mut copy = self.position.clone();
        match copy.play(words) {
            Ok(()) => {
                self.add_undo_point();
                self.position = copy;
                self.record_event();
                Ok(())
            }
            Err(AnyError::Rejected(why)) => Err(format!("not possible: {why}")),
            Err(_) => Err(format!("nothing in the list fits `{words}`; `help` tells what you can type")),
        }
    }

    /// Undoes everything back to the last decision of this seat, also decisions of others since then: position, record,
    /// news and undo points. What was undone counts as not read. The seat is asked again at that decision. The file of
    /// the match is not written. Returns `false` and changes nothing if there is none.
    fn undo(&mut self, seat: Seat) -> bool {
        let Some(at) = self.asked.iter().rposition(|asked| asked.seat == seat) else { return false };
        let Some(asked) = self.asked.drain(at..).next() else { return false };
        self.position = asked.position;
        self.record.entries.truncate(asked.events);
        self.told.truncate(asked.events);
        for heard in &mut self.heard {
            *heard = (*heard).min(asked.events);
        }
        true
    }

    /// Prints the commands that can be typed at a decision, each on a line with its meaning ([`HELP`]).
    ///
    /// # Errors
    ///
    /// Fails if the output is closed.
    fn print_help(&self, ui: &mut Ui) -> Outcome {
        let widest = HELP.iter().map(|(what, _)| what.len()).max().unwrap_or(0);
        for (what, help) in HELP {
            ui.line(&format!("  {}  {help}", paint(KEY, format_args!("{what:<widest$}"))))?;
        }
        Ok(())
    }

    /// Saves the match to a file, or to the one of [`save_to`](Self::save_to) if none is named, in place of what is
    /// there, and prints how to resume it. Prints a message if there is none or it cannot be written. Does not change
    /// where the match is saved from now on.
    ///
    /// # Errors
    ///
    /// Fails if the output is closed.
    fn save(&mut self, file: Option<&str>, ui: &mut Ui) -> Outcome {
        let Some(file) = file.map(PathBuf::from).or_else(|| self.file.clone()) else {
            return ui.line(&paint(BAD, "save where? `save FILE`"));
        };
        match records::write(&self.record, &file) {
            Ok(()) => ui.line(&paint(DIM, self.how_to_resume(&file))),
            Err(CommandError::Usage { message, .. }) => ui.line(&paint(BAD, message)),
            Err(other) => Err(other),
        }
    }

    /// Returns the sentence that the match is saved in a file, with the command that resumes it with the same roles.
    /// The path is not quoted, and names are left out.
    fn how_to_resume(&self, file: &Path) -> String {
        let role = |role: &Role| match role {
            Role::Human => "human".to_string(),
            Role::Bot(bot) => bot.to_string(),
        };
        let roles: Vec<String> = self.roles.iter().map(role).collect();
        let (file, roles) = (file.display(), roles.join(","));
        format!("saved; go on with `pentarchy play --resume {file} --seats {roles}`")
    }

    /// Prints the last news, the board, that the game is over, and the ranking: for a single person as they see it,
    /// otherwise as a spectator does. Several people read what happened since the last of them decided. Without an
    /// outcome there is no ranking.
    ///
    /// # Errors
    ///
    /// Fails if the output is closed.
    fn print_end(&mut self, ui: &mut Ui) -> Outcome {
        let (people, everybody) = (self.people(), self.roles.len());
        let (observer, view) = match people.as_slice() {
            [alone] => (alone.index(), self.position.view(*alone)),
            _ => (everybody, self.position.spectator()),
        };
        if people.len() > 1 {
            // Several people read together what happened since the last of them decided.
            self.heard[everybody] = people.iter().map(|seat| self.heard[seat.index()]).max().unwrap_or(0);
        }
        self.print_news(observer, ui)?;
        self.print_table(&*view, ui)?;
        ui.line(&paint(TITLE, "The game is over."))?;
        if let Some(outcome) = self.position.outcome() {
            ui.text(&ending::ranking(&outcome, &self.names))?;
        }
        Ok(())
    }
}
