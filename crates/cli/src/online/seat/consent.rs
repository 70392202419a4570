//! The consent of a guest: the terms of the table are printed, and the person answers a question about them. Only then
//! is the seat ready, and the lobby starts no match with other terms.

use super::{Seat, Who, capitalized, print_styled};
use crate::command_error::Outcome;
use crate::online::find;
use crate::style::{BAD, DIM, KEY, TITLE};
use pentarchy_engine::options;
use pentarchy_lobby::{Chair, LobbyOutput, SeatRequest, Seating, changed_terms, limit_text, recovery_text};
use pentarchy_net::PublicIdentity;
use pentarchy_table::Descriptor;
use serde_json::Value;

/// What a player has been shown of the terms of a table, and has answered.
#[derive(Default)]
pub(super) struct Consent {
    /// Whether all terms are accepted without a question, by `--accept`.
    accepts_all: bool,
    /// The table whose terms were printed last.
    printed: Option<Descriptor>,
    /// The table about which the person is asked now.
    question: Option<Descriptor>,
    /// Whether the player has requested to be ready, and the terms have not changed since then.
    is_ready: bool,
    /// The line about the seats that was printed last.
    seats: String,
    /// The confirmed terms that are stored.
    stored: Option<Descriptor>,
}

impl Seat {
    /// Sets whether this player accepts all terms and later changes of them without a question, and returns the seat. A
    /// bot always does, and a host is not asked about its own terms, whatever is set.
    pub(crate) fn accepting_terms(mut self, accepts_all: bool) -> Self {
        self.consent.accepts_all = accepts_all;
        self
    }

    /// Returns whether this player is never asked about the terms: a bot, the host, and a player for whom
    /// [`accepting_terms`](Self::accepting_terms) was set.
    fn accepts_all_terms(&self) -> bool {
        self.consent.accepts_all || matches!(self.player, Who::Bot(..)) || self.lobby.is_host()
    }

    /// Requests any free seat without being ready, so that the player can read the terms first. Requests nothing if
    /// this player accepts all terms, has confirmed some on an earlier visit (the lobby compares these with the ones of
    /// the table), or if the match has started: then the lobby requests what it needs by itself. Notes which terms were
    /// confirmed. Call it once, before the lobby starts. Returns the outputs of the lobby, which must be performed.
    pub(super) fn request_first_seat(&mut self) -> Vec<LobbyOutput> {
        self.consent.stored = self.lobby.confirmed_terms().cloned();
        self.consent.is_ready = self.accepts_all_terms() || self.consent.stored.is_some();
        if self.consent.is_ready || self.lobby.session().is_some() {
            return Vec::new();
        }
        self.lobby.request_seat(&self.name, SeatRequest::Sit { seat: None, ready: false })
    }

    /// Appends the terms that the player has confirmed to the stored table, if they differ from those stored last. Does
    /// nothing once the match has started. Call it before anything is sent.
    ///
    /// # Errors
    ///
    /// Fails if they cannot be stored.
    pub(super) fn store_confirmed_terms(&mut self) -> Outcome {
        if self.lobby.session().is_none() && self.lobby.confirmed_terms() != self.consent.stored.as_ref() {
            self.consent.stored = self.lobby.confirmed_terms().cloned();
            if let Some(item) = self.lobby.confirmed_terms_item() {
                self.store.append(&item)?;
            }
        }
        Ok(())
    }

    /// Handles a change of the terms, described by `change`, after the player has confirmed others: prints it. A player
    /// who accepts all terms confirms the new ones at once, and the outputs of that are returned; they must be
    /// performed. Any other has to be asked again.
    pub(super) fn handle_changed_terms(&mut self, change: &str) -> Vec<LobbyOutput> {
        if self.accepts_all_terms() {
            print_styled(BAD, &format!("{}.", capitalized(change)));
            return self.confirm_terms();
        }
        print_styled(BAD, &format!("{}. You are not ready any more.", capitalized(change)));
        (self.consent.is_ready, self.consent.question) = (false, None);
        Vec::new()
    }

    /// Prints the question whether the player accepts the terms, if a person has a seat and is not ready, unless they
    /// are asked about these terms already. If the terms have changed since the question, prints the change first; a
    /// `yes` that was typed before does not count. Withdraws the question if the person has no seat, is ready or never
    /// asked, or the match has started. Does nothing for a bot.
    pub(super) fn ask_about_terms(&mut self) {
        let is_ready = self.consent.is_ready || self.accepts_all_terms() || self.lobby.session().is_some();
        let seating = self.lobby.seating().filter(|seating| seating.seat_of(&self.identity).is_some());
        let asked = seating.filter(|_| !is_ready).map(Seating::descriptor);
        let Who::Person(terminal) = &mut self.player else { return };
        let Some(table) = asked else {
            self.consent.question = None;
            terminal.withdraw_question();
            return;
        };
        match self.consent.question.as_ref().map(|question| changed_terms(question, &table)) {
            Some(None) => return,
            Some(Some(change)) => print_styled(BAD, &format!("{}.", capitalized(&change))),
            None => {}
        }
        self.consent.question = Some(table);
        // Before the question appears, so that no answer is older than it.
        terminal.note_question();
        print_styled(
            KEY,
            "Do you accept these terms? Type `yes` to be ready, or `no` to leave. Compare the fingerprint with the others \
             to be sure that you see the same table.",
        );
    }

    /// Confirms the terms about which the person was asked, prints that the player is ready, and returns the outputs of
    /// the lobby, which must be performed. If nothing was asked or the table has other terms by now, does nothing and
    /// returns none: those are asked about next.
    pub(super) fn accept_terms(&mut self) -> Vec<LobbyOutput> {
        let now = self.lobby.seating().map(Seating::descriptor);
        let is_same = |asked: &Descriptor| now.is_some_and(|now| changed_terms(asked, &now).is_none());
        if !self.consent.question.as_ref().is_some_and(is_same) {
            return Vec::new();
        }
        print_styled(DIM, "You are ready. The game begins when all seats are taken and everybody is ready.");
        self.confirm_terms()
    }

    /// Requests any free seat as ready under this player's name, which confirms the terms of the current seating, and
    /// returns the outputs of the lobby, which must be performed. From now on the player counts as ready. After the
    /// start of the match it changes nothing at the table.
    fn confirm_terms(&mut self) -> Vec<LobbyOutput> {
        self.consent.is_ready = true;
        self.lobby.request_seat(&self.name, SeatRequest::Sit { seat: None, ready: true })
    }

    /// Prints a line about the seats unless that was printed last: the number of taken seats and of all, who has a
    /// seat, each with the short name of their identity or marked as a bot, and the fingerprint of the table. Prints
    /// the terms first if they differ from those printed last.
    pub(super) fn print_seating(&mut self, seating: &Seating) {
        let table = seating.descriptor();
        if self.consent.printed.as_ref().is_none_or(|printed| changed_terms(printed, &table).is_some()) {
            terms_lines(seating).iter().for_each(|line| print_styled(TITLE, line));
            self.consent.printed = Some(table);
        }
        let called = |chair: &Chair| chair_text(chair, &seating.host);
        let names: Vec<String> = seating.players().map(called).collect();
        let (taken, all, letters) = (names.len(), seating.seats(), seating.fingerprint());
        let line = format!("{taken} of {all} seats: {}. Fingerprint: {letters}", names.join(", "));
        if self.consent.seats != line {
            print_styled(DIM, &line);
            self.consent.seats = line;
        }
    }
}

/// Returns who sits in a chair: `NAME (SHORT)` with the short name of their identity, `NAME (SHORT, host)` for the
/// identity `host`, or `NAME (bot of the host)` for a bot.
fn chair_text(chair: &Chair, host: &PublicIdentity) -> String {
    let short = pentarchy_identity::short_name(&chair.identity);
    match chair.bot {
        Some(_) => format!("{} (bot of the host)", chair.name),
        None if chair.identity == *host => format!("{} ({short}, host)", chair.name),
        None => format!("{} ({short})", chair.name),
    }
}

/// Returns everything that a guest of a table confirms as lines: game, number of seats, version and data of the rules,
/// options, time limit, what happens when a player leaves, and the bots of the host.
fn terms_lines(seating: &Seating) -> Vec<String> {
    let title = find(&seating.game).map_or(seating.game.as_str(), |game| game.info().title);
    let [a, b, c, d, ..] = seating.rules_hash;
    let (limit, leaves) = (limit_text(seating.stall_ms), recovery_text(seating.recovery));
    let bots = (1..).zip(&seating.chairs).filter_map(|(seat, chair)| {
        let chair = chair.as_ref().filter(|chair| chair.bot.is_some())?;
        Some(format!("{} in seat {seat}", chair.name))
    });
    let bots: Vec<String> = bots.collect();
    let mut lines = vec![
        format!("{title}, {} seats. Time limit: {limit}. If a player leaves: {leaves}.", seating.seats()),
        format!(
            "Options: {}. Version {} of the rules, data {a:02x}{b:02x} {c:02x}{d:02x}.",
            options_text(seating),
            seating.rules
        ),
    ];
    if !bots.is_empty() {
        lines.push(format!(
            "Bots: {}. They run on the host's machine, which knows their cards.",
            bots.join(", ")
        ));
    }
    lines
}

/// Returns the options of a table that differ from their defaults as `NAME=VALUE`, separated by commas, or `standard`
/// if none does. Returns `unknown to this program` if there is no such game here, or if the text of the host is no set
/// of options of it.
fn options_text(seating: &Seating) -> String {
    let unknown = || "unknown to this program".to_owned();
    let Some(game) = find(&seating.game) else { return unknown() };
    let Ok(all) = serde_json::from_str::<Value>(&seating.options) else { return unknown() };
    let Ok(complete) = game.options(seating.seats(), &all, &[]) else { return unknown() };
    let Ok(usual) = game.options(seating.seats(), &Value::Null, &[]) else { return unknown() };
    let changed = game.fields().iter().filter_map(|field| {
        let value = options::get(&complete, field.name)?;
        (Some(value) != options::get(&usual, field.name)).then(|| format!("{}={value}", field.name))
    });
    let changed: Vec<String> = changed.collect();
    if changed.is_empty() { "standard".to_owned() } else { changed.join(", ") }
}
