//! Limits on what one peer may cost this one: bytes of answers, and invalid messages.
//!
//! Requests for the log are not signed, and a short one is answered with much. So every peer has a token bucket for the
//! bytes it is sent in answers, and the same request is answered at most once a second. A peer whose messages are invalid
//! through its own fault too often is ignored for a while.

use super::PeerNumber;
use pentarchy_engine::SeatSet;
use std::collections::BTreeMap;

/// Bytes of answers that a peer gets at once, and per second after that. The relay forwards 1 MB a second of a member.
pub(super) const ANSWER_BURST: u64 = 1 << 20;
pub(super) const ANSWER_RATE: u64 = 128 << 10;
/// Milliseconds within which the same request is answered once.
const SAME_REQUEST_MS: u64 = 1_000;
/// Invalid messages that a peer may send at once, and per second after that.
pub(super) const FAULT_BURST: u64 = 32;
const FAULT_RATE: u64 = 1;
/// Milliseconds for which a peer that sent more is ignored. Well below the shortest time limit of a table, so that a
/// seat is not late because of it.
pub(super) const IGNORED_MS: u64 = 5_000;
/// Peers that are remembered, and answers of one second per peer.
const MOST_PEERS: usize = 64;
const MOST_ANSWERED: usize = 64;

/// A token bucket: a burst size and a rate per second.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    burst: u64,
    rate: u64,
    /// Thousandths of a token at that time.
    level: u64,
    at: u64,
}

impl Bucket {
    /// Creates a bucket that is full at time `now` (milliseconds): `burst` units, and `rate` more per second.
    fn new(burst: u64, rate: u64, now: u64) -> Self {
        Self { burst, rate, level: 1000 * burst, at: now }
    }

    /// Returns the thousandths of a unit that may be taken at time `now`.
    fn level(&self, now: u64) -> u64 {
        let gained = now.saturating_sub(self.at).saturating_mul(self.rate);
        self.level.saturating_add(gained).min(1000 * self.burst)
    }

    /// Takes `n` units at time `now`. Returns `false`, and takes nothing, if there are fewer.
    fn take(&mut self, n: u64, now: u64) -> bool {
        let left = self.level(now).checked_sub(1000 * n);
        if let Some(left) = left {
            (self.level, self.at) = (left, now);
        }
        left.is_some()
    }
}

/// A request for the log, as far as a repetition is to be recognised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Request {
    /// What a peer at this place lacks, given the seats whose contributions, keys, shares and starts it has.
    Lacking { epoch: u16, seq: u32, phase: u8, have: [SeatSet; 4] },
    /// The links up to a step.
    Links { epoch: u16, seq: u32 },
    /// The contributions to a step.
    Originals { epoch: u16, seq: u32 },
}

/// What one peer has cost.
struct Account {
    /// Bytes of answers that it may still get.
    answers: Bucket,
    /// Invalid messages that it may still deliver.
    faults: Bucket,
    /// The time in milliseconds up to which it is ignored; 0 if it never was.
    ignored_until: u64,
    /// Requests that were answered within the last second, and when.
    answered: Vec<(Request, u64)>,
}

impl Account {
    /// Creates the account of a peer with full budgets at time `now`.
    fn new(now: u64) -> Self {
        Account {
            answers: Bucket::new(ANSWER_BURST, ANSWER_RATE, now),
            faults: Bucket::new(FAULT_BURST, FAULT_RATE, now),
            ignored_until: 0,
            answered: Vec::new(),
        }
    }
}

/// What all peers have cost.
#[derive(Default)]
pub(super) struct Limits {
    accounts: BTreeMap<PeerNumber, Account>,
}

impl Limits {
    /// Returns the account of a peer, which is created with full budgets at time `now` if it is new. If there
    /// are [`MOST_PEERS`], the one that has cost least is forgotten: that forgives least.
    fn account(&mut self, peer: PeerNumber, now: u64) -> &mut Account {
        if !self.accounts.contains_key(&peer) && self.accounts.len() >= MOST_PEERS {
            // The one that has cost least: forgetting it forgives least.
            let cheapest = self.accounts.iter().max_by_key(|(_, account)| {
                (account.ignored_until <= now, account.answers.level(now), account.faults.level(now))
            });
            if let Some(peer) = cheapest.map(|(peer, _)| *peer) {
                self.accounts.remove(&peer);
            }
        }
        self.accounts.entry(peer).or_insert_with(|| Account::new(now))
    }

    /// Returns whether a request of a peer may be answered at time `now` (milliseconds): an equal one was not
    /// answered within the last second, and fewer than [`MOST_ANSWERED`] requests of that peer were. `true` for
    /// an unknown peer. Forgets answers that are older. Does not count as an answer: call
    /// [`Limits::note_answer`] if you do answer.
    pub(super) fn is_new(&mut self, peer: PeerNumber, request: Request, now: u64) -> bool {
        let Some(account) = self.accounts.get_mut(&peer) else { return true };
        account.answered.retain(|(_, at)| now < at + SAME_REQUEST_MS);
        account.answered.len() < MOST_ANSWERED && account.answered.iter().all(|(known, _)| *known != request)
    }

    /// Notes that a request of a peer is answered at time `now` (milliseconds), so that [`Limits::is_new`]
    /// returns `false` for an equal one within the next second. Takes nothing from the peer's budget.
    pub(super) fn note_answer(&mut self, peer: PeerNumber, request: Request, now: u64) {
        self.account(peer, now).answered.push((request, now));
    }

    /// Takes bytes of an answer from a peer's budget at time `now`. Returns `false`, and takes nothing, if
    /// too few are left: then the answer must not be sent.
    pub(super) fn spend(&mut self, peer: PeerNumber, bytes: usize, now: u64) -> bool {
        self.account(peer, now).answers.take(bytes as u64, now)
    }

    /// Notes that a peer has delivered something invalid at time `now` (milliseconds) for which no other peer
    /// can be to blame. If that exceeds the budget, the peer is ignored for [`IGNORED_MS`] from then on.
    pub(super) fn note_fault(&mut self, peer: PeerNumber, now: u64) {
        let account = self.account(peer, now);
        if !account.faults.take(1, now) {
            account.ignored_until = now + IGNORED_MS;
        }
    }

    /// Returns whether a peer is ignored at time `now` for what it has delivered.
    pub(super) fn is_ignored(&self, peer: PeerNumber, now: u64) -> bool {
        self.accounts.get(&peer).is_some_and(|account| now < account.ignored_until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_gets_its_burst_and_then_its_rate() {
        let mut limits = Limits::default();
        let mut got = 0;
        for now in (0..60_000).step_by(7) {
            while limits.spend(1, 1000, now) {
                got += 1000;
            }
        }
        let most = ANSWER_BURST + 60 * ANSWER_RATE;
        assert!(got <= most && got > most - most / 50, "{got} of {most}");
        assert!(limits.spend(2, 1000, 60_000), "another peer has its own");
    }

    #[test]
    fn those_who_cost_much_are_not_forgotten_for_many_who_cost_nothing() {
        let mut limits = Limits::default();
        while limits.spend(7, 1000, 0) {}
        (0..=FAULT_BURST).for_each(|_| limits.note_fault(8, 0));
        for peer in 100..100 + 10 * MOST_PEERS as PeerNumber {
            assert!(limits.spend(peer, 1, 0));
        }
        assert!(limits.accounts.len() <= MOST_PEERS);
        assert!(!limits.spend(7, 1000, 0) && limits.is_ignored(8, 0));
        assert!(!limits.is_ignored(8, IGNORED_MS), "for a while");
    }

    #[test]
    fn the_same_request_is_answered_once_a_second() {
        let mut limits = Limits::default();
        let request = Request::Links { epoch: 0, seq: 5 };
        let other = Request::Originals { epoch: 0, seq: 5 };
        let mut answered = 0;
        for now in (0..10_000).step_by(100) {
            if limits.is_new(1, request, now) {
                limits.note_answer(1, request, now);
                answered += 1;
            }
            assert!(limits.is_new(1, other, now) && limits.is_new(2, request, now));
        }
        assert_eq!(answered, 10);
    }
}
