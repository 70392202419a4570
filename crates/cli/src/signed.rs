//! Files of online tables: signed records, and evidence of cheating.

use crate::command_error::{CommandError, Outcome};
use crate::records::unsound;
use pentarchy_engine::AnyGame;
use pentarchy_identity::{key_fingerprint, short_name};
use pentarchy_net::fingerprint;
use pentarchy_table::{Ending, Evidence, Record, Verdict};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The signed record of a table, verified in full.
pub(crate) struct Signed {
    /// The game.
    pub(crate) game: &'static dyn AnyGame,
    /// The result of the verification.
    pub(crate) verdict: Verdict,
    /// Names of the players.
    pub(crate) names: Vec<String>,
    fingerprint: String,
    /// Name and identity of each seat, in words.
    identities: Vec<String>,
}

impl Signed {
    /// Reads and verifies a file; `None` if it is not a signed record.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or the record does not verify.
    pub(crate) fn read(file: &Path) -> Outcome<Option<Self>> {
        let Some(bytes) = contents(file, Record::is_record)? else { return Ok(None) };
        let record = Record::decode(&bytes).map_err(|e| unsound(file, &e))?;
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

    /// Returns what was verified, and who signed it, in a line.
    pub(crate) fn summary(&self) -> String {
        let Verdict { events, proofs, signatures, .. } = self.verdict;
        let (print, end) = (&self.fingerprint, self.end());
        format!(
            "{events} events, {signatures} signatures and {proofs} proofs verified; fingerprint {print}; {end}"
        )
    }

    /// Returns a line for each seat: name, identity, fingerprint.
    pub(crate) fn identities(&self) -> &[String] {
        &self.identities
    }

    /// Returns how the match ended, and who signed that.
    pub(crate) fn end(&self) -> String {
        let votes = self.verdict.votes.iter().filter(|vote| vote.unreachable != 0);
        let reach = votes.map(|vote| {
            let (who, whom) = (self.named(1 << vote.by), self.named(vote.unreachable));
            format!("; {who} reached {whom} by no path")
        });
        self.signed_end() + &reach.collect::<String>()
    }

    fn signed_end(&self) -> String {
        let signers = self.named(self.verdict.signers());
        match (self.verdict.ending, &self.verdict.outcome) {
            (Some(Ending::Played), Some(outcome)) => {
                let winners = outcome.winners().fold(0, |bits, seat| bits | 1 << seat.0);
                let won = if winners == 0 { "nobody".into() } else { self.named(winners) };
                let out = match self.verdict.vacant {
                    0 => String::new(),
                    out => format!(", not by {}, for whom a bot played on", self.named(out)),
                };
                format!("signed by {signers}{out}; won by {won}")
            }
            (Some(Ending::Without(out)), _) => {
                format!("ended without {}, signed by {signers}", self.named(out))
            }
            _ => {
                let claims = self.verdict.claims.iter().map(|&(seat, gone)| {
                    let (who, whom) = (self.named(1 << seat), self.named(gone));
                    format!("; {who} has signed not to wait any longer for {whom}")
                });
                format!("not finished{}", claims.collect::<String>())
            }
        }
    }

    /// Returns whether the match has an end that was signed.
    pub(crate) fn is_over(&self) -> bool {
        self.verdict.signers() != 0
    }

    /// Returns the names of the seats of a bit set.
    fn named(&self, seats: u8) -> String {
        let names: Vec<&str> = (0..8)
            .zip(&self.names)
            .filter(|(seat, _)| seats >> seat & 1 != 0)
            .map(|(_, name)| name.as_str())
            .collect();
        match names.as_slice() {
            [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            _ => names.concat(),
        }
    }
}

/// Verifies a file with evidence. Returns what it proves, and the identity against which; `None` if it is not
/// evidence.
///
/// # Errors
///
/// Fails if the file cannot be read or the evidence does not verify.
pub(crate) fn judge(file: &Path) -> Outcome<Option<(String, Vec<String>)>> {
    let Some(bytes) = contents(file, Evidence::is_evidence)? else { return Ok(None) };
    let evidence = Evidence::decode(&bytes).map_err(|e| unsound(file, &e))?;
    let judged = evidence.judge(find(file, evidence.game())?).map_err(|e| unsound(file, &e))?;
    let (seat, name, event) = (judged.offender, plain(&judged.name), judged.event);
    let told = format!("evidence: seat {seat} ({name}) cheated at event {event}: {}", judged.what);
    let identity = evidence.identity().map(|identity| format!("{name}: {}", named_identity(identity)));
    Ok(Some((told, identity.into_iter().collect())))
}

/// Returns an identity in words: its short name and its fingerprint.
pub(crate) fn named_identity(identity: &[u8; 32]) -> String {
    format!("{} (fingerprint {})", short_name(identity), key_fingerprint(identity))
}

/// Returns a name chosen by others without control characters, safe for a terminal.
pub(crate) fn plain(name: &str) -> String {
    pentarchy_table::printable(name)
}

/// Reads a file if it has the expected magic bytes.
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

fn find(file: &Path, name: &str) -> Outcome<&'static dyn AnyGame> {
    pentarchy_registry::find(name).map_err(|e| unsound(file, &e))
}
