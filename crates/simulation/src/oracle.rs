//! The oracles: what must hold in every run, under any faults.

use crate::adapter::{History, Standpoint};
use pentarchy_engine::{AnyGame, Seat, SeatSet};
use pentarchy_net::Footprint;
use pentarchy_table::sim::Tapped;
use pentarchy_table::{Descriptor, Evidence};
use std::collections::BTreeMap;

/// Upper bounds on what a mesh holds: those that the mesh itself promises.
const MOST_PEERS: usize = 256;
const MOST_VISITORS: usize = 64;
/// Bytes that wait for one peer, in both directions.
const MOST_BYTES: usize = 14 << 20;
/// Upper bound on stored items per event and seat, and before the first event.
const MOST_ITEMS: (usize, usize) = (40, 600);

/// A rule that a run has broken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OracleError {
    /// The rule.
    pub oracle: &'static str,
    /// What happened.
    pub what: String,
}

/// Returns the violation of the named oracle as an error; `what` describes it for the report.
///
/// # Errors
///
/// Always fails.
fn violated(oracle: &'static str, what: String) -> Result<(), OracleError> {
    Err(OracleError { oracle, what })
}

/// Everything that the oracles remember.
#[derive(Default)]
pub(crate) struct Oracles {
    /// The honest sessions that were at each event of each epoch.
    heads: BTreeMap<(u16, u32), Vec<(usize, Standpoint)>>,
    /// What honest seats have signed for each place.
    signed: BTreeMap<(u8, u16, u32, u8), [u8; 32]>,
    /// The seats against which there is evidence.
    pub(crate) convicted: SeatSet,
    /// The epoch and the events that the mailbox has acknowledged as a whole.
    posted: Option<(u16, u32)>,
}

impl Oracles {
    /// Checks that honest sessions in the same epoch have the same head at the same event. `at` is a session of
    /// `machine` as it is now, which is recorded for later comparisons.
    ///
    /// Two sessions are compared if their seats play with each other, or if their earlier epochs ended equally.
    /// Otherwise the protocol allows different logs for a while. A watcher, and a seat that is being dropped, may have
    /// acted on votes that the survivors have superseded, and do not know it yet. The seats `splitting` have
    /// shown different histories to different peers, so nothing is compared before they are dropped. In both cases
    /// [`Self::check_convergence`] compares the logs at the end of the run. A session that has not opened is neither
    /// compared nor recorded.
    ///
    /// # Errors
    ///
    /// Fails if another session had a different head at the same event.
    pub(crate) fn check_agreement(
        &mut self,
        machine: usize,
        at: &Standpoint,
        splitting: SeatSet,
    ) -> Result<(), OracleError> {
        if !at.is_open() || at.live.meets(splitting) {
            return Ok(());
        }
        let seen = self.heads.entry((at.epoch, at.events)).or_default();
        let conflicts = |(_, other): &&(usize, Standpoint)| {
            other.head != at.head && (other.ends == at.ends || other.plays_with(at))
        };
        if let Some((first, _)) = seen.iter().find(conflicts) {
            let (epoch, events) = (at.epoch, at.events);
            return violated(
                "agreement",
                format!(
                    "machines {first} and {machine} have different logs at event {events} of epoch {epoch}"
                ),
            );
        }
        if !seen.iter().any(|(_, other)| (other.seat, other.head) == (at.seat, at.head)) {
            seen.push((machine, at.clone()));
        }
        Ok(())
    }

    /// Checks that the logs of honest sessions, each with its machine, are those of one table: all that have not ended
    /// without seats are in the epoch of the player that got furthest, and of two logs the shorter one is a prefix of
    /// the longer one. Seats that this player's table has dropped are not compared. Without a player nothing is
    /// compared. Each history must have a link.
    ///
    /// # Errors
    ///
    /// Fails if a session is in another epoch or has another log.
    pub(crate) fn check_convergence(&self, histories: &[(usize, History)]) -> Result<(), OracleError> {
        let players = histories.iter().filter(|(_, history)| history.at.seat.is_some());
        let Some((first, longest)) = players.max_by_key(|(_, it)| (it.at.epoch, it.at.events)) else {
            return Ok(());
        };
        for (machine, history) in histories {
            let at = &history.at;
            let is_compared = at.seat.is_none() || at.plays_with(&longest.at);
            let last = history.links.len().min(longest.links.len()) - 1;
            let is_same = at.epoch == longest.at.epoch && history.links[last] == longest.links[last];
            if is_compared && !is_same {
                let (epoch, events) = (at.epoch, at.events);
                return violated(
                    "agreement",
                    format!(
                        "machine {machine}, at event {events} of epoch {epoch}, does not return to the log of machine {first}"
                    ),
                );
            }
        }
        Ok(())
    }

    /// Records that the mailbox has acknowledged everything that a session at this standpoint has posted. Does nothing
    /// before the table is open, or if another session was further.
    pub(crate) fn note_posted(&mut self, at: &Standpoint) {
        let posted = (at.epoch, at.events);
        if at.is_open() && self.posted.is_none_or(|before| before < posted) {
            self.posted = Some(posted);
        }
    }

    /// Checks that a session that has read all mail is as far as those were whose posts the mailbox has acknowledged. A
    /// session of another epoch, or that has ended otherwise, is not compared. Nothing is compared before the first
    /// acknowledgement.
    ///
    /// # Errors
    ///
    /// Fails if the session lacks an event.
    pub(crate) fn check_mail(&self, machine: usize, at: &Standpoint) -> Result<(), OracleError> {
        let Some((epoch, events)) = self.posted else { return Ok(()) };
        if epoch == at.epoch && at.events < events && !at.is_over {
            return violated(
                "mail",
                format!("machine {machine} has read all mail and is at event {} of {events}", at.events),
            );
        }
        Ok(())
    }

    /// Checks that an honest seat signs only one content for a place (seat, epoch, event, phase),
    /// even after a damaged disk. Records the first content. `seats` are the seats of the honest
    /// `machine`; messages of other seats, and those without a place, are not checked.
    ///
    /// # Errors
    ///
    /// Fails if the seat signed another content for this place before.
    pub(crate) fn check_signature(
        &mut self,
        machine: usize,
        seats: SeatSet,
        tapped: &Tapped,
    ) -> Result<(), OracleError> {
        let Some((epoch, event, phase)) = tapped.place.filter(|_| seats.has(Seat(tapped.seat))) else {
            return Ok(());
        };
        let place = (tapped.seat, epoch, event, phase);
        let first = *self.signed.entry(place).or_insert(tapped.content);
        if first != tapped.content {
            let seat = tapped.seat;
            return violated(
                "one signature",
                format!("seat {seat} on honest machine {machine} signed two contents for {place:?}"),
            );
        }
        Ok(())
    }

    /// Checks that evidence which an honest `machine` shows names no honest seat, and still convicts the offender after
    /// encoding and decoding. `honest` are the honest seats. Records the offender as convicted.
    ///
    /// # Errors
    ///
    /// Fails with the oracle `no false evidence` if one of the two does not hold.
    pub(crate) fn check_evidence(
        &mut self,
        game: &'static dyn AnyGame,
        machine: usize,
        honest: SeatSet,
        evidence: &Evidence,
    ) -> Result<(), OracleError> {
        let offender = evidence.offender;
        if honest.has(Seat(offender)) {
            return violated(
                "no false evidence",
                format!("machine {machine} accuses honest seat {offender}: {}", evidence.crime),
            );
        }
        self.convicted.insert(Seat(offender));
        let judged = Evidence::decode(&evidence.encode()).and_then(|again| again.judge(game));
        match judged {
            Ok(judgement) if judgement.offender == offender => Ok(()),
            Ok(judgement) => {
                violated("no false evidence", format!("the evidence convicts seat {}", judgement.offender))
            }
            Err(why) => violated(
                "no false evidence",
                format!("evidence against seat {offender} does not convince: {why}"),
            ),
        }
    }

    /// Checks that the match that began has the terms which the player confirmed (game, rules,
    /// options, recovery, time limit, audit, and which seats are bots), and equals the table that
    /// was `shown` last. Without `shown` only the terms are compared. `machine` is the number for
    /// the message.
    ///
    /// # Errors
    ///
    /// Fails if the match has other terms, is not the table that was shown, or nothing was
    /// confirmed.
    pub(crate) fn check_consent(
        &self,
        machine: usize,
        begun: &Descriptor,
        shown: Option<&Descriptor>,
        confirmed: Option<&Descriptor>,
    ) -> Result<(), OracleError> {
        let same_terms = |confirmed: &Descriptor| {
            let bots = |table: &Descriptor| -> Vec<bool> {
                table.players.iter().map(|player| player.host.is_some()).collect()
            };
            (&confirmed.game, confirmed.rules, &confirmed.options)
                == (&begun.game, begun.rules, &begun.options)
                && (confirmed.recovery, confirmed.stall_ms, confirmed.audit)
                    == (begun.recovery, begun.stall_ms, begun.audit)
                && bots(confirmed) == bots(begun)
        };
        if !confirmed.is_some_and(same_terms) {
            return violated(
                "consent",
                format!("machine {machine} plays on terms that its player did not confirm"),
            );
        }
        if shown.is_some_and(|shown| shown != begun) {
            return violated("consent", format!("machine {machine} plays a table that was not shown"));
        }
        Ok(())
    }

    /// Checks that the items that were durable before a crash are the first ones after it, in
    /// order. More items after it are allowed. `machine` is the number for the message.
    ///
    /// # Errors
    ///
    /// Fails if an item is missing or differs.
    pub(crate) fn check_durability(
        &self,
        machine: usize,
        before: &[Vec<u8>],
        after: &[Vec<u8>],
    ) -> Result<(), OracleError> {
        if after.get(..before.len()) != Some(before) {
            let (had, has) = (before.len(), after.len());
            return violated(
                "durability",
                format!("machine {machine} had {had} durable items and finds {has}, or others"),
            );
        }
        Ok(())
    }

    /// Checks that the memory of the mesh (`held`) and the number of stored `items` stay within the bounds `MOST_…` for
    /// this many events and seats. `machine` is the number for the message. The bound on bytes is per peer, at least
    /// for one.
    ///
    /// # Errors
    ///
    /// Fails if a bound is exceeded.
    pub(crate) fn check_bounds(
        &self,
        machine: usize,
        held: Footprint,
        items: usize,
        events: u32,
        seats: u8,
    ) -> Result<(), OracleError> {
        let most = MOST_ITEMS.1 + MOST_ITEMS.0 * usize::from(seats) * events as usize;
        let peers = held.peers <= MOST_PEERS && held.visitors <= MOST_VISITORS;
        if !peers || held.bytes > MOST_BYTES * held.peers.max(1) || items > most {
            return violated(
                "bounded memory",
                format!("machine {machine} holds {held:?} and {items} items after {events} events"),
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the standpoint of a session after one event of epoch 1, in which the seats `live` (bits) play. The epoch
    /// began without the other seats. `head` is the byte that its head repeats; a watcher has no seat.
    fn session(seat: Option<u8>, live: u8, head: u8) -> Standpoint {
        let ends = vec![(1, SeatSet(!live))];
        let due = Vec::new();
        Standpoint {
            seat,
            epoch: 1,
            events: 1,
            head: [head; 32],
            live: SeatSet(live),
            ends,
            due,
            ending: None,
            is_over: false,
        }
    }

    /// Returns whether these sessions, each on a machine of its own and checked in order, agree if the seats
    /// `splitting` (bits) show different histories.
    fn agree(sessions: &[Standpoint], splitting: u8) -> bool {
        let mut oracles = Oracles::default();
        (0..)
            .zip(sessions)
            .all(|(machine, at)| oracles.check_agreement(machine, at, SeatSet(splitting)).is_ok())
    }

    #[test]
    fn seats_that_play_with_each_other_agree() {
        let (one, two) = (session(Some(0), 0b0111, 7), session(Some(1), 0b0011, 8));
        assert!(!agree(&[one.clone(), two.clone()], 0), "their epochs began without different seats");
        assert!(agree(&[one.clone(), session(Some(1), 0b0111, 7)], 0));
        assert!(
            agree(&[session(Some(2), 0b0111, 7), two.clone()], 0),
            "seat 2 is dropped at the table of seat 1"
        );
        assert!(agree(&[one.clone(), session(Some(1), 0b0111, 8)], 0b0100), "seat 2 splits histories");
        assert!(!agree(&[one, two], 0b1000), "it is dropped");
    }

    #[test]
    fn a_watcher_agrees_with_those_that_have_dropped_the_same_seats() {
        let player = session(Some(0), 0b0011, 7);
        assert!(agree(&[player.clone(), session(None, 0b0111, 8)], 0));
        assert!(!agree(&[player, session(None, 0b0011, 8)], 0));
    }

    #[test]
    fn all_logs_are_those_of_one_table_at_the_end() {
        let history = |seat, epoch, links: &[u8]| {
            let at = Standpoint { epoch, events: links.len() as u32 - 1, ..session(seat, 0b0011, 0) };
            History { at, links: links.iter().map(|link| [*link; 32]).collect() }
        };
        let converged = |other: History| {
            let player = history(Some(0), 1, &[1, 2, 3]);
            Oracles::default().check_convergence(&[(0, player), (1, other)]).is_ok()
        };
        assert!(converged(history(Some(1), 1, &[1, 2])) && converged(history(None, 1, &[1, 2, 3, 4])));
        for seat in [Some(1), None] {
            assert!(!converged(history(seat, 1, &[1, 9])), "another log");
            assert!(!converged(history(seat, 0, &[1, 2])), "an earlier epoch");
        }
        assert!(converged(history(Some(2), 0, &[1, 9])), "a dropped seat");
    }
}
