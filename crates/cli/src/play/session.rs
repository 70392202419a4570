//! A game being played at this terminal: who is asked, what each has been told, the way back.

use super::bots::Bots;
use super::command::{self, Command, HELP};
use super::ending;
use super::list::List;
use super::names;
use super::roles::Role;
use super::ui::Ui;
use crate::cards::cards;
use crate::failure::{Failure, Outcome};
use crate::records;
use crate::style::{BAD, DIM, KEY, TITLE, paint, width};
use pentarchy_engine::describe::with_names;
use pentarchy_engine::record::{Record, RecordKind};
use pentarchy_engine::{AnyError, AnyGame, AnyPosition, Node, Observer, Rng, Seat};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A game at this terminal.
pub(super) struct Session {
    game: &'static dyn AnyGame,
    roles: Vec<Role>,
    bots: Bots,
    names: Vec<String>,
    seed: u64,
    position: Box<dyn AnyPosition>,
    record: Record,
    /// What each event of the record told each seat, and last a spectator.
    told: Vec<Vec<Option<String>>>,
    /// The positions in which a person was asked: the way back.
    asked: Vec<Asked>,
    /// How many events each seat has been told of.
    heard: Vec<usize>,
    /// Who looked at the screen last.
    looking: Option<Seat>,
    /// The file in which the game is kept.
    file: Option<PathBuf>,
}

/// A person was asked here.
struct Asked {
    seat: Seat,
    position: Box<dyn AnyPosition>,
    events: usize,
}

/// What a person did about a decision.
enum Turn {
    /// The game goes on, or back.
    Moved,
    /// The game is left.
    Left,
}

impl Session {
    /// A new game.
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
        Ok(Self::new(game, roles, names, seed, position, record))
    }

    /// A game that was saved. The players are found when the record says how many there are.
    pub(super) fn resume(
        file: &Path,
        players: impl FnOnce(&'static dyn AnyGame, u8) -> Outcome<(Vec<Role>, Vec<String>)>,
    ) -> Outcome<Self> {
        let (record, game) = records::read(file)?;
        if record.header.kind != RecordKind::Full {
            let what = "what is hidden is missing: only a full record can be resumed";
            return Err(Failure::file("go on with", file, what));
        }
        let (roles, names) = players(game, record.header.seats)?;
        let options = record.header.options.clone();
        let empty = Record { entries: Vec::new(), ..record.clone() };
        let seed = record.header.seed.unwrap_or_else(super::random_seed);
        let start = game.start(record.header.seats, &options).map_err(|e| records::unsound(file, &e))?;
        let mut session = Self::new(game, roles, names, seed, start, empty);
        let replayed = game.replay(&record, RecordKind::Full, usize::MAX, &mut |position| {
            session.position = position.clone_box();
            session.note();
            session.mark();
        });
        replayed.map_err(|e| records::unsound(file, &e))?;
        // The decision that is awaited now is asked again, not gone back to.
        if session.person().is_some() {
            session.asked.pop();
        }
        Ok(session)
    }

    fn new(
        game: &'static dyn AnyGame,
        roles: Vec<Role>,
        names: Vec<String>,
        seed: u64,
        position: Box<dyn AnyPosition>,
        record: Record,
    ) -> Self {
        let heard = vec![0; roles.len() + 1];
        Session {
            game,
            bots: Bots::new(game, roles.len()),
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
        }
    }

    /// Keeps the game in this file.
    pub(super) fn keep(&mut self, file: Option<PathBuf>) {
        self.file = file;
    }

    pub(super) fn game(&self) -> &'static dyn AnyGame {
        self.game
    }

    pub(super) fn roles(&self) -> &[Role] {
        &self.roles
    }

    pub(super) fn seed(&self) -> Option<u64> {
        self.record.header.seed
    }

    /// The coloured name of a seat.
    pub(super) fn name(&self, seat: Seat) -> String {
        names::in_sentence(&pentarchy_engine::describe::who(seat), &self.names)
    }

    /// The seats at which people sit.
    fn people(&self) -> Vec<Seat> {
        let seats = (0..self.roles.len() as u8).map(Seat);
        seats.filter(|seat| self.roles[seat.index()] == Role::Human).collect()
    }

    /// The person who decides now.
    fn person(&self) -> Option<Seat> {
        match self.position.node() {
            Node::Decide(seat) => Some(seat).filter(|seat| self.roles[seat.index()] == Role::Human),
            _ => None,
        }
    }

    /// The generator of the next event: of the seed and its number alone, so that the same decisions give
    /// the same game whether it was played in one go, saved and resumed, or with steps back.
    fn rng(&self) -> Rng {
        Rng::stream(self.seed, self.record.entries.len() as u64)
    }

    /// Writes down the event that led here.
    fn note(&mut self) {
        let Some(entry) = self.position.last_entry(self.record.entries.len() as u32 + 1) else { return };
        self.record.entries.push(entry);
        let told = |observer| self.position.last_log(observer);
        let seats = (0..self.roles.len() as u8).map(|seat| told(Observer::Seat(Seat(seat))));
        self.told.push(seats.chain([told(Observer::Spectator)]).collect());
    }

    /// Marks a decision of a person as a place to go back to.
    fn mark(&mut self) {
        if let Some(seat) = self.person() {
            let (position, events) = (self.position.clone(), self.record.entries.len());
            self.asked.push(Asked { seat, position, events });
        }
    }

    /// Plays to the end, or until somebody leaves.
    pub(super) fn play(&mut self, ui: &mut Ui) -> Outcome {
        let watched = self.people().is_empty();
        loop {
            if self.position.advance(&mut self.rng())? {
                self.note();
            } else if let Some(seat) = self.person() {
                self.autosave()?;
                if let Turn::Left = self.turn(seat, ui)? {
                    return Ok(());
                }
            } else if let Node::Decide(seat) = self.position.node() {
                let Role::Bot(spec) = self.roles[seat.index()] else { continue };
                let action = self.bots.choose(&*self.position, seat, spec, &mut self.rng())?;
                self.position.play(&action)?;
                self.note();
            } else {
                break;
            }
            if watched {
                self.news(self.roles.len(), ui)?;
            }
        }
        self.autosave()?;
        self.end(ui)
    }

    fn autosave(&self) -> Outcome {
        self.file.as_deref().map_or(Ok(()), |file| records::write(&self.record, file))
    }

    /// Tells an observer (a seat, or the spectator behind the last) what it has not heard yet.
    fn news(&mut self, observer: usize, ui: &mut Ui) -> Outcome {
        let from = std::mem::replace(&mut self.heard[observer], self.told.len());
        if self.people().is_empty() || self.told[from..].iter().all(|told| told[observer].is_none()) {
            return self.tell(observer, from, ui);
        }
        ui.line("")?;
        self.tell(observer, from, ui)
    }

    fn tell(&self, observer: usize, from: usize, ui: &mut Ui) -> Outcome {
        for text in self.told[from..].iter().filter_map(|told| told[observer].as_ref()) {
            for (i, line) in text.lines().enumerate() {
                let bullet = if i == 0 { "·" } else { " " };
                ui.line(&format!("{} {}", paint(DIM, bullet), names::in_sentence(line, &self.names)))?;
            }
        }
        Ok(())
    }

    fn table(&self, view: &dyn AnyPosition, ui: &mut Ui) -> Outcome {
        let table = names::in_table(view.table().trim_end(), &self.names);
        ui.line(&format!("\n{table}\n"))
    }

    /// Draws a curtain before somebody else looks at the screen, where there is something to hide.
    fn curtain(&mut self, seat: Seat, ui: &mut Ui) -> Outcome<bool> {
        let other = self.looking.replace(seat) != Some(seat);
        if !other || !ui.is_live() || !self.game.hides() || self.people().len() < 2 {
            return Ok(true);
        }
        ui.wipe()?;
        ui.line(&format!("{} is to decide; the others look away.", self.name(seat)))?;
        let ready = ui.ask("Press Enter")?.is_some();
        ui.wipe()?;
        Ok(ready)
    }

    /// One decision of a person.
    fn turn(&mut self, seat: Seat, ui: &mut Ui) -> Outcome<Turn> {
        if !self.curtain(seat, ui)? {
            return self.ended();
        }
        let view = self.position.view(seat);
        let mut legal = view.legal()?;
        for choice in &mut legal {
            choice.label = with_names(&choice.label, &self.names);
        }
        let list = List::new(legal);
        self.news(seat.index(), ui)?;
        self.table(&*view, ui)?;
        ui.line(&names::in_sentence(&view.awaited(), &self.names))?;
        ui.text(&list.show(&list.all(), width(), true))?;
        let mut only = Some(0).filter(|_| list.all().len() == 1);
        loop {
            if only.is_some() {
                ui.line(&paint(DIM, "Enter takes it."))?;
            }
            let Some(line) = ui.ask(&self.names[seat.index()])? else { return self.ended() };
            let command = match (command::read(&line, &list), only.take()) {
                (Command::Nothing, Some(entry)) => Command::Take(entry),
                (command, _) => command,
            };
            match command {
                Command::Take(entry) => {
                    let action = list.get(entry).map(|choice| choice.canonical.clone()).unwrap_or_default();
                    self.act(&action)?;
                    return Ok(Turn::Moved);
                }
                Command::Words(words) => {
                    let found = list.matching(&words);
                    match found.as_slice() {
                        [] => match self.try_words(&words) {
                            Ok(()) => return Ok(Turn::Moved),
                            Err(why) => ui.line(&paint(BAD, why))?,
                        },
                        [one] => {
                            ui.text(&list.show(&found, width(), false))?;
                            only = Some(*one);
                        }
                        _ => ui.text(&list.show(&found, width(), false))?,
                    }
                }
                Command::Nothing => ui.text(&list.show(&list.all(), width(), true))?,
                Command::List(words) => match list.matching(&words) {
                    found if found.is_empty() => ui.line(&paint(BAD, "nothing in the list fits"))?,
                    found => ui.text(&list.show(&found, width(), false))?,
                },
                Command::Table => {
                    self.table(&*view, ui)?;
                    ui.line(&names::in_sentence(&view.awaited(), &self.names))?;
                }
                Command::Log => self.tell(seat.index(), 0, ui)?,
                Command::Help => self.help(ui)?,
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

    fn ended<T>(&self) -> Outcome<T> {
        self.autosave()?;
        let kept =
            self.file.as_deref().map_or(String::new(), |file| format!("; {}", self.how_to_resume(file)));
        Err(Failure::Ended(format!("the input ended before the game did{kept}")))
    }

    fn act(&mut self, action: &str) -> Outcome {
        self.mark();
        let played = self.position.play(action);
        if played.is_err() {
            self.asked.pop();
        }
        played?;
        self.note();
        Ok(())
    }

    /// Takes words for an action that the list does not name, such as the twin of one that it does; a
    /// refusal says why.
    fn try_words(&mut self, words: &str) -> Result<(), String> {
        let mut copy = self.position.clone();
        match copy.play(words) {
            Ok(()) => {
                self.mark();
                self.position = copy;
                self.note();
                Ok(())
            }
            Err(AnyError::Rejected(why)) => Err(format!("not possible: {why}")),
            Err(_) => Err(format!("nothing in the list fits `{words}`; `help` tells what you can type")),
        }
    }

    /// Goes back to the last decision of this seat.
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

    fn help(&self, ui: &mut Ui) -> Outcome {
        let widest = HELP.iter().map(|(what, _)| what.len()).max().unwrap_or(0);
        for (what, help) in HELP {
            ui.line(&format!("  {}  {help}", paint(KEY, format_args!("{what:<widest$}"))))?;
        }
        Ok(())
    }

    fn save(&mut self, file: Option<&str>, ui: &mut Ui) -> Outcome {
        let Some(file) = file.map(PathBuf::from).or_else(|| self.file.clone()) else {
            return ui.line(&paint(BAD, "save where? `save FILE`"));
        };
        match records::write(&self.record, &file) {
            Ok(()) => ui.line(&paint(DIM, self.how_to_resume(&file))),
            Err(Failure::Usage { message, .. }) => ui.line(&paint(BAD, message)),
            Err(other) => Err(other),
        }
    }

    fn how_to_resume(&self, file: &Path) -> String {
        let role = |role: &Role| match role {
            Role::Human => "human".to_string(),
            Role::Bot(bot) => bot.to_string(),
        };
        let roles: Vec<String> = self.roles.iter().map(role).collect();
        let (file, roles) = (file.display(), roles.join(","));
        format!("saved; go on with `pentarchy play --resume {file} --seats {roles}`")
    }

    /// The end: what happened last, the table, who won.
    fn end(&mut self, ui: &mut Ui) -> Outcome {
        let (people, everybody) = (self.people(), self.roles.len());
        let (observer, view) = match people.as_slice() {
            [alone] => (alone.index(), self.position.view(*alone)),
            _ => (everybody, self.position.spectator()),
        };
        if people.len() > 1 {
            // Several people are told together what happened since the last of them decided.
            self.heard[everybody] = people.iter().map(|seat| self.heard[seat.index()]).max().unwrap_or(0);
        }
        self.news(observer, ui)?;
        self.table(&*view, ui)?;
        ui.line(&paint(TITLE, "The game is over."))?;
        if let Some(outcome) = self.position.outcome() {
            ui.text(&ending::ranking(&outcome, &self.names))?;
        }
        Ok(())
    }
}
