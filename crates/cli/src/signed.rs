//! Files of online tables: signed records, and evidence of cheating.

use crate::command_error::{CommandError, Outcome};
use crate::records::unsound;
use pentarchy_engine::{AnyGame, Seat, SeatSet};
use pentarchy_identity::{key_fingerprint, short_name};
use pentarchy_lobby::fingerprint;
use pentarchy_table::{Ending, Evidence, RecordVerdict, TableRecord};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The signed record of a table, verified in full.
pub(crate) struct Signed {
    /// The game.
    pub(crate) game: &'static dyn AnyGame,
    /// Result of the verification.
    pub(crate) verdict: RecordVerdict,
    /// Display names by seat.
    pub(crate) names: Vec<String>,
    /// The fingerprint of the table.
    fingerprint: String,
    /// A line for each seat: name, for a bot its host, and the identity in words.
    identities: Vec<String>,
}

impl Signed {
    /// Reads a signed record and verifies it in full; `None` if the file is not a signed record. A player without a
    /// name is called `Seat 0` by their number. Names are made safe for a terminal.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read (bad usage), or if it is damaged, its game is unknown, or it does not verify (a
    /// failed check).
    pub(crate) fn read(file: &Path) -> Outcome<Option<Self>> {
        let Some(bytes) = contents(file, TableRecord::is_record)? else { return Ok(None) };
        let record = TableRecord::decode(&bytes).map_err(|e| unsound(file, &e))?;
        let game = find(file, &record.descriptor.game)?;
        let verdict = record.verify(game).map_err(|e| unsound(file, &e))?;
        let players = record.descriptor.players.iter();
        let names = players.enumerate().map(|(seat, player)| {
            let name = plain(&player.name);
            if name.is_empty() { format!("Seat {seat}") } else { name }
        });
        let names: Vec<String> = names.collect();
        let fingerprint = fingerprint(&record.descriptor);
        let seats = names.iter().zip(&record.descriptor.players);
        let identities = seats.map(|(name, player)| {
            let identity = named_identity(&player.identity);
            let host = player.host.and_then(|host| names.get(usize::from(host)));
            let bot = host.map_or(String::new(), |host| format!(", a bot of {host}"));
            format!("{name}{bot}: {identity}")
        });
        let identities = identities.collect();
        Ok(Some(Signed { game, verdict, names, fingerprint, identities }))
    }

    /// Returns one line of text: how many events, signatures and proofs were verified, the fingerprint of the table,
    /// and how the match ended.
    pub(crate) fn summary(&self) -> String {
        let RecordVerdict { events, proofs, signatures, .. } = self.verdict;
        let (print, end) = (&self.fingerprint, self.end());
        format!(
            "{events} events, {signatures} signatures and {proofs} proofs verified; fingerprint {print}; {end}"
        )
    }

    /// Returns a line for each seat, in the order of the seats: `NAME: SHORT NAME (fingerprint …)`, for a bot `NAME, a
    /// bot of HOST: …`.
    pub(crate) fn identities(&self) -> &[String] {
        &self.identities
    }

    /// Returns how the match ended and who signed that (or `not finished`), then for each vote with which a seat was
    /// dropped who could not reach whom, as one clause for a person.
    pub(crate) fn end(&self) -> String {
        let votes = self.verdict.votes.iter().filter(|vote| !vote.unreachable.is_empty());
        let reach = votes.map(|vote| {
            let (who, whom) = (self.named(SeatSet::only(Seat(vote.by))), self.named(vote.unreachable));
            format!("; {who} reached {whom} by no path")
        });
        self.signed_end() + &reach.collect::<String>()
    }

    /// Returns how the match ended and who signed it, as a clause: with the winners if it was played to its end, or
    /// without whom the others ended it. Returns `not finished`, with the claims of single seats, if nobody signed an
    /// end.
    fn signed_end(&self) -> String {
        let signers = self.named(self.verdict.signers());
        match (self.verdict.ending, &self.verdict.outcome) {
            (Some(Ending::Played), Some(outcome)) => {
                let winners: SeatSet = outcome.winners().collect();
                let won = if winners.is_empty() { "nobody".into() } else { self.named(winners) };
                let bots = match self.verdict.taken_over {
                    SeatSet::NONE => String::new(),
                    seats => format!(", not by {}, for whom a bot played on", self.named(seats)),
                };
                format!("signed by {signers}{bots}; won by {won}")
            }
            (Some(Ending::Dropped(seats)), _) => {
                format!("ended without {}, signed by {signers}", self.named(seats))
            }
            _ => {
                let claims = self.verdict.claims.iter().map(|&(seat, late)| {
                    let (who, whom) = (self.named(SeatSet::only(Seat(seat))), self.named(late));
                    format!("; {who} has signed not to wait any longer for {whom}")
                });
                format!("not finished{}", claims.collect::<String>())
            }
        }
    }

    /// Returns whether the match has an end, played or dropped, that at least one seat signed. Claims of single seats
    /// do not count.
    pub(crate) fn is_over(&self) -> bool {
        !self.verdict.signers().is_empty()
    }

    /// Returns the names of the players at these seats as a list in words: `a, b and c`. Empty for no seats. Seats
    /// without a name are left out.
    fn named(&self, seats: SeatSet) -> String {
        let names = seats.iter().filter_map(|seat| self.names.get(seat.index()));
        let names: Vec<&str> = names.map(String::as_str).collect();
        match names.as_slice() {
            [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            _ => names.concat(),
        }
    }
}

/// Reads a file with evidence of cheating and verifies it by the rules of its game. Returns a sentence that names the
/// seat, the player, the event and the crime, and a list of lines with the offender's identity (none or one, if the
/// evidence has none). `None` if the file is not evidence.
///
/// # Errors
///
/// Fails if the file cannot be read (bad usage), or if it is damaged, its game is unknown, or it does not verify (a
/// failed check).
pub(crate) fn judge(file: &Path) -> Outcome<Option<(String, Vec<String>)>> {
    let Some(bytes) = contents(file, Evidence::is_evidence)? else { return Ok(None) };
    let evidence = Evidence::decode(&bytes).map_err(|e| unsound(file, &e))?;
    let judged = evidence.judge(find(file, evidence.game())?).map_err(|e| unsound(file, &e))?;
    let (seat, name, event) = (judged.offender, plain(&judged.name), judged.event);
    let told = format!("evidence: seat {seat} ({name}) cheated at event {event}: {}", judged.what);
    let identity = evidence.identity().map(|identity| format!("{name}: {}", named_identity(identity)));
    Ok(Some((told, identity.into_iter().collect())))
}

/// Returns an identity in words: `SHORT NAME (fingerprint …)`.
pub(crate) fn named_identity(identity: &[u8; 32]) -> String {
    format!("{} (fingerprint {})", short_name(identity), key_fingerprint(identity))
}

/// Returns a name chosen by others in a form that is safe for a terminal: without control characters and without
/// Unicode directional overrides.
pub(crate) fn plain(name: &str) -> String {
    pentarchy_table::printable(name)
}

/// Returns all bytes of a file if `begins` accepts its first 32 (or fewer, if it is shorter); `None` otherwise. A file
/// that is not accepted is not read further.
///
/// # Errors
///
/// Fails if the file cannot be read.
fn contents(file: &Path, begins: fn(&[u8]) -> bool) -> Outcome<Option<Vec<u8>>> {
    let unreadable = |e| CommandError::file("read", file, e);
    let mut open = File::open(file).map_err(unreadable)?;
    let mut bytes = Vec::new();
    open.by_ref().take(32).read_to_end(&mut bytes).map_err(unreadable)?;
    if !begins(&bytes) {
        return Ok(None);
    }
    open.read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(Some(bytes))
}

/// Returns the game of exactly this name from the registry. `file` is only named in the error.
///
/// # Errors
///
/// Fails with a failed check that names `file` if there is no game of exactly this name.
fn find(file: &Path, name: &str) -> Outcome<&'static dyn AnyGame> {
    pentarchy_registry::find(name).map_err(|e| unsound(file, &e))
}
