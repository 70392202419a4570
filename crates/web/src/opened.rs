//! Opens files: records, signed records, evidence. Nothing is sent to a server.

use crate::app::App;
use crate::boards;
use crate::online::identity::mark_cheat;
use crate::play::{PlayerKind, SeatPlayer, ShownObserver};
use crate::words::and;
use crate::{clock, page};
use leptos::prelude::*;
use pentarchy_engine::record::{Record, RecordKind};
use pentarchy_engine::{Observer, Seat, SeatSet};
use pentarchy_identity::{IdentityFile, key_fingerprint, short_name};
use pentarchy_lobby::fingerprint;
use pentarchy_table::{Descriptor, Ending, Evidence, RecordVerdict, TableRecordError};
use std::sync::Arc;
use wasm_bindgen_futures::spawn_local;

/// Maximum time that verification blocks the page, in milliseconds.
const SLICE: f64 = 40.0;
/// The progress of a verification is shown after this time, in milliseconds.
const PATIENCE: f64 = 400.0;

/// A signed record that was verified in this page.
#[derive(Clone, PartialEq, Debug)]
pub struct Signed {
    /// The file.
    pub file: Arc<[u8]>,
    /// Number of verified events, signatures and proofs.
    pub checked: [u32; 3],
    /// How the match ended, and who signed that.
    pub end: String,
    /// The players, by seat.
    pub seats: Vec<Signer>,
    /// The fingerprint of the table.
    pub fingerprint: String,
}

/// A player of a signed record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signer {
    /// Their name.
    pub name: String,
    /// For a bot: the name of its host.
    pub host: Option<String>,
    /// Their public key.
    pub identity: [u8; 32],
    /// Whether they signed the end.
    pub signed: bool,
}

impl Signed {
    /// Collects what the page shows of a verified record: the counts of checks, the players with their
    /// signatures, the end and the fingerprint. `file` is the content of the opened file, `verdict` the
    /// result of its verification.
    fn new(file: &[u8], table: &Descriptor, verdict: &RecordVerdict) -> Self {
        let name = |seat: usize| match table.players.get(seat).map(|player| player.name.as_str()) {
            None | Some("") => format!("Seat {}", seat + 1),
            Some(name) => name.to_string(),
        };
        let signers = verdict.signers();
        let signer = |(seat, player): (usize, &pentarchy_table::TablePlayer)| Signer {
            name: name(seat),
            host: player.host.map(|host| name(host.into())),
            identity: player.identity,
            signed: signers.has(Seat(seat as u8)),
        };
        let seats: Vec<Signer> = table.players.iter().enumerate().map(signer).collect();
        let names: Vec<String> = seats.iter().map(|seat| seat.name.clone()).collect();
        Signed {
            file: file.into(),
            checked: [verdict.events, verdict.signatures, verdict.proofs],
            end: describe_end(verdict, &names),
            seats,
            fingerprint: fingerprint(table),
        }
    }

    /// Returns what was verified and how the match ended, as sentences.
    fn text(&self) -> String {
        let [events, signatures, proofs] = self.checked;
        format!("Verified: {events} events, {signatures} signatures, {proofs} proofs. {}", self.end)
    }

    /// Returns the names of the players who signed the end, joined as a phrase; empty if nobody did.
    pub fn signers(&self) -> String {
        let names: Vec<String> = self.seats.iter().filter(|s| s.signed).map(|s| s.name.clone()).collect();
        and(&names)
    }
}

/// Returns how the match of a verified record ended and who signed the end, as sentences. For a match that is
/// not finished, says that nobody signed an end, and which seats claim that others are late. `names` are the
/// players by seat.
fn describe_end(verdict: &RecordVerdict, names: &[String]) -> String {
    let named = |seats: SeatSet| {
        let names: Vec<String> = seats.iter().filter_map(|seat| names.get(seat.index())).cloned().collect();
        and(&names)
    };
    let signers = verdict.signers();
    match (verdict.ending, &verdict.outcome) {
        (Some(Ending::Played), Some(outcome)) => {
            let winners: SeatSet = outcome.winners().collect();
            let won = if winners.is_empty() { "nobody".to_string() } else { named(winners) };
            let bot = match verdict.taken_over {
                SeatSet::NONE => String::new(),
                seats => format!(" A bot played on for {}, who was out.", named(seats)),
            };
            format!("Played to the end and won by {won}. {} signed the result.{bot}", named(signers))
        }
        (Some(Ending::Dropped(seats)), _) => {
            format!("Ended without {}. {} signed that.", named(seats), named(signers))
        }
        _ => {
            let claims = verdict.claims.iter().map(|&(seat, late)| {
                let by = named(SeatSet::only(Seat(seat)));
                format!(" {by} has signed not to wait any longer for {}.", named(late))
            });
            format!("Not finished: nobody has signed an end.{}", claims.collect::<String>())
        }
    }
}

/// Describes for the player the error in a signed record and its place, with the players' names instead of
/// seat numbers; a seat without a name keeps its number.
fn describe_error_with_names(table: &Descriptor, unsound: &TableRecordError) -> String {
    // Errors name seats by number; replace the numbers by names.
    let named =
        |text: String, (seat, player): (usize, &pentarchy_table::TablePlayer)| match player.name.as_str() {
            "" => text,
            name => text.replace(&format!("seat {seat} "), &format!("{name} ")),
        };
    table.players.iter().enumerate().fold(describe_error(unsound), named)
}

/// Describes the error in a signed record for the player: damaged, cannot be opened, or up to which
/// event it holds and what is wrong after it. Seats are named by 0-based numbers.
fn describe_error(unsound: &TableRecordError) -> String {
    match unsound {
        TableRecordError::Unreadable(why) => {
            format!("This signed record is damaged or incomplete and cannot be read ({why}).")
        }
        TableRecordError::Descriptor(why) => format!("This signed record cannot be opened: {}.", why.0),
        TableRecordError::Message { after: 0, why } => {
            format!("Do not trust this record. It is wrong before its first event: {why}.")
        }
        TableRecordError::Message { after, why } => {
            format!(
                "Do not trust this record. It is correct up to event {after}; what follows is wrong: {why}."
            )
        }
        TableRecordError::Unfit { after } => {
            format!("Do not trust this record. After event {after} something is missing or out of order.")
        }
    }
}

impl App {
    /// Opens a file: a record for replay, a signed record after verification, or evidence, which is judged. A
    /// record replaces the match at this page, which stays saved. Shows a message if it is none of them or is
    /// wrong; then the match is kept. At an online table it only shows a message. Nothing is sent to a
    /// server.
    pub fn open_file(self, bytes: Vec<u8>) {
        if self.online.is_online() {
            return self
                .show_message("You are at a table with friends. Open records on the home page.".to_string());
        }
        if pentarchy_table::TableRecord::is_record(&bytes) {
            spawn_local(async move {
                if let Err(what) = self.open_signed(&bytes).await {
                    self.show_message(what);
                }
            });
        } else if Evidence::is_evidence(&bytes) {
            spawn_local(async move {
                self.show_message("This is evidence of cheating. It is being judged.".to_string());
                page::sleep(0).await;
                self.show_judgement(&bytes);
            });
        } else {
            let text = String::from_utf8(bytes).map_err(|_| "it is no text".to_string());
            if text.as_ref().is_ok_and(|text| IdentityFile::parse(text).is_ok()) {
                return self
                    .show_message("This is an identity. Open “Your identity” to import it.".to_string());
            }
            if let Err(what) = text.and_then(|text| self.open_plain(&text)) {
                self.show_message(format!("This file is not a record: {what}."));
            }
        }
    }

    /// Verifies the evidence of cheating in `bytes`, the content of a file, and shows what it proves, or why
    /// it proves nothing. If it holds, the offender is marked in the address book. Blocks the page while it
    /// verifies.
    fn show_judgement(self, bytes: &[u8]) {
        let judge = || {
            let evidence = Evidence::decode(bytes).map_err(|e| e.to_string())?;
            let judged = evidence.judge(boards::find(evidence.game())?.any).map_err(|e| e.to_string())?;
            Ok::<_, String>((judged, evidence.identity().copied().unwrap_or_default()))
        };
        match judge() {
            Ok((judged, identity)) => {
                let (name, event, what, seat) = (judged.name, judged.event, judged.what, judged.offender + 1);
                let (short, print) = (short_name(&identity), key_fingerprint(&identity));
                let text = format!(
                    "Proved: {name}, at seat {seat}, cheated at event {event}: {what}. The identity is {short}, fingerprint {print}."
                );
                self.notice.set(Some(crate::app::Notice {
                    text,
                    offers: Vec::new(),
                    identity: Some(identity),
                }));
                spawn_local(async move { drop(mark_cheat(identity, name, what).await) });
            }
            Err(why) => self.show_message(format!("This file proves nothing: {why}.")),
        }
    }

    /// Opens a record without signatures for replay, with the names `Seat 1`, `Seat 2`, ….
    ///
    /// # Errors
    ///
    /// Fails with a text for the player if the text is not a record, its game is unknown, or it cannot be
    /// replayed; then the match at this page is kept.
    fn open_plain(self, text: &str) -> Result<(), String> {
        let record = Record::read(text.as_bytes()).map_err(|e| e.to_string())?;
        let game = boards::find(&record.header.game)?;
        let mut players = Self::usual_players(game, PlayerKind::Here, PlayerKind::Here, record.header.seats);
        for (seat, player) in players.iter_mut().enumerate() {
            player.name = format!("Seat {}", seat + 1);
        }
        self.show_record(&record, players)
    }

    /// Verifies a signed record and shows it for replay, with a notice about the result. Returns `Ok`
    /// without showing it if the player starts something else meanwhile.
    ///
    /// # Errors
    ///
    /// Fails with what is wrong with it, as a sentence; then the match at this page is kept.
    async fn open_signed(self, bytes: &[u8]) -> Result<(), String> {
        let Some(name) = self.load_signed(bytes).await? else { return Ok(()) };
        self.enter(name);
        self.show_position_at(0);
        let text = self.play.signed.with_untracked(|signed| signed.as_ref().map(Signed::text));
        let label = "Who signed it".to_string();
        let offers = vec![crate::app::Offer { what: "trust".to_string(), label, why: None }];
        self.notice.set(Some(crate::app::Notice { text: text.unwrap_or_default(), offers, identity: None }));
        Ok(())
    }

    /// Verifies a signed record in slices of [`SLICE`] milliseconds, showing the progress if it takes longer
    /// than [`PATIENCE`], and sets it up in place of the match at this page, at its end. Does not change the
    /// screen. Returns the name of the game; `None`, and changes nothing, if the player starts something
    /// else meanwhile.
    ///
    /// # Errors
    ///
    /// Fails with what is wrong with it, as a sentence; then the match at this page is kept.
    pub(crate) async fn load_signed(self, bytes: &[u8]) -> Result<Option<&'static str>, String> {
        let record = pentarchy_table::TableRecord::decode(bytes).map_err(|e| describe_error(&e))?;
        let table = &record.descriptor;
        let game =
            boards::find(&table.game).map_err(|e| format!("This signed record cannot be opened: {e}."))?;
        let mut verification = record.begin(game.any).map_err(|e| describe_error_with_names(table, &e))?;
        let (run, began, mut told) = (self.play.run.get_untracked(), clock::now(), 0);
        let mut slice = began;
        while verification.step().map_err(|e| describe_error_with_names(table, &e))? {
            if clock::now() - slice < SLICE {
                continue;
            }
            let (done, all) = verification.progress();
            let tenths = 10 * done / all.max(1);
            if tenths > told && clock::now() - began > PATIENCE {
                told = tenths;
                self.show_message(format!("Verifying a signed record: {} % of {all} messages.", 10 * tenths));
            }
            page::sleep(0).await;
            // The player has started something else meanwhile.
            if self.play.run.get_untracked() != run {
                return Ok(None);
            }
            slice = clock::now();
        }
        let verdict = verification.verdict().map_err(|e| describe_error_with_names(table, &e))?;
        let signed = Signed::new(bytes, table, &verdict);
        let player = |(seat, signer): (usize, &Signer)| SeatPlayer {
            name: signer.name.clone(),
            colour: game.look.colours[seat % 6],
            kind: PlayerKind::Far,
        };
        let players = signed.seats.iter().enumerate().map(player).collect();
        let name = self
            .set_record(&verdict.public, players)
            .map_err(|e| format!("This signed record cannot be shown: {e}."))?;
        self.play.signed.set(Some(signed));
        self.notice.set(None);
        Ok(Some(name))
    }

    /// Shows a record from its first event on, in place of the match at this page, with these players by
    /// seat. It is not saved.
    ///
    /// # Errors
    ///
    /// Fails with a text for the player if the game is unknown or the rules reject an event; then nothing has
    /// changed.
    fn show_record(self, record: &Record, players: Vec<SeatPlayer>) -> Result<(), String> {
        let name = self.set_record(record, players)?;
        self.enter(name);
        self.show_position_at(0);
        Ok(())
    }

    /// Sets up a record in place of the match at this page, at its end and with these players by seat, and
    /// returns the name of the game. The view is that of the record's kind: of one seat, of everything, or
    /// of a spectator. It is not saved. The lock of the match that was at this page is released, and its
    /// guide removed. Does not change the screen.
    ///
    /// # Errors
    ///
    /// Fails with a text for the player if the game is unknown or the rules reject an event; then nothing has
    /// changed.
    fn set_record(self, record: &Record, players: Vec<SeatPlayer>) -> Result<&'static str, String> {
        let table = boards::load(record)?;
        let observer = match record.header.kind {
            RecordKind::Seat(seat) => Observer::Seat(seat),
            RecordKind::Full => Observer::All,
            RecordKind::Public => Observer::Spectator,
        };
        let name = table.info().name;
        self.remove_guide();
        self.play.set_match(table, players, String::new());
        self.release_match();
        self.play.observer.set(ShownObserver(observer));
        Ok(name)
    }
}
