//! A pile that passes from seat to seat. Each seat shuffles the output of the previous one without waiting.
//! The proofs of the others are verified together, before a token is taken from the pile.

use super::verify::{Claim, Proof};
use super::{Arrangement, BackedDeck, Deck, Entry, Generators, Pile, batch};
use crate::error::{Message, MessageError, OperationError};
use crate::keys::{LockKey, PreparedLock};
use crate::seats::{Phase, SeatIndex, Seats};
use crate::secrets::SeatSecrets;
use crate::token::{Backed, CipherToken};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use pentarchy_keys::Entropy;

/// A pile with shuffles on top of it that are not all verified. The next seat can shuffle before that: it
/// learns nothing and reveals nothing. Tokens are released only when every shuffle is settled.
#[derive(Clone, Debug)]
pub struct Mixing<const COLUMNS: usize> {
    /// Everything is verified up to here.
    pile: Pile<COLUMNS>,
    /// What follows, the last on top.
    shuffles: Vec<Arc<Shuffle<COLUMNS>>>,
}

/// A shuffle that is not settled.
struct Shuffle<const COLUMNS: usize> {
    /// The seat that made it.
    seat: SeatIndex,
    /// The pile after it.
    entries: Vec<Entry<COLUMNS>>,
    /// `None` for what was made here.
    proof: Option<Proof<COLUMNS>>,
}

impl<const COLUMNS: usize> fmt::Debug for Shuffle<COLUMNS> {
    /// Writes whether the shuffle is an own one, and its seat; no ciphertexts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whose = if self.proof.is_some() { "another's" } else { "own" };
        write!(f, "{whose} shuffle, of seat {}", self.seat)
    }
}

impl<const COLUMNS: usize> From<Pile<COLUMNS>> for Mixing<COLUMNS> {
    /// Returns a mixing without unsettled shuffles on top of the pile.
    fn from(pile: Pile<COLUMNS>) -> Self {
        Self { pile, shuffles: Vec::new() }
    }
}

impl Mixing<1> {
    /// Returns the tokens in their new order, under the locks of the pile, once every shuffle is settled
    /// ([`Mixing::settle`]). `required` are the seats that must have shuffled, not empty.
    ///
    /// # Errors
    ///
    /// Fails with `Unshuffled` and the seats of unsettled shuffles, or the seats of `required` that have not
    /// shuffled; fails with `Empty` if `required` is empty.
    pub fn release(&self, required: Seats) -> Result<Vec<CipherToken>, OperationError> {
        Deck::release(self.settled()?, required)
    }
}

impl Mixing<2> {
    /// Returns the tokens with their backs in their new order, under the locks of the pile, once every
    /// shuffle is settled ([`Mixing::settle`]). `required` are the seats that must have shuffled, not empty.
    ///
    /// # Errors
    ///
    /// Fails with `Unshuffled` and the seats of unsettled shuffles, or the seats of `required` that have not
    /// shuffled; fails with `Empty` if `required` is empty.
    pub fn release(&self, required: Seats) -> Result<Vec<Backed>, OperationError> {
        BackedDeck::release(self.settled()?, required)
    }
}

impl<const COLUMNS: usize> Mixing<COLUMNS> {
    /// Returns the number of entries.
    #[expect(clippy::len_without_is_empty, reason = "a pile is never empty")]
    pub fn len(&self) -> usize {
        self.pile.len()
    }

    /// Returns how many shuffles [`Mixing::settle`] has not yet confirmed, own ones included.
    pub fn unsettled(&self) -> usize {
        self.shuffles.len()
    }

    /// Returns the pile if all shuffles are settled.
    ///
    /// # Errors
    ///
    /// Fails with `Unshuffled` and the seats whose shuffles are not settled.
    fn settled(&self) -> Result<&Pile<COLUMNS>, OperationError> {
        if self.shuffles.is_empty() {
            return Ok(&self.pile);
        }
        Err(OperationError::Unshuffled(self.shuffles.iter().map(|shuffle| shuffle.seat).collect()))
    }

    /// Returns the pile as the last seat has put it out, verified or not. Its set of shufflers names only the
    /// settled ones and the last.
    fn top(&self) -> Pile<COLUMNS> {
        match self.shuffles.last() {
            Some(shuffle) => self.pile.next(shuffle.seat, shuffle.entries.clone()),
            None => self.pile.clone(),
        }
    }

    /// Returns a copy with one more unsettled shuffle.
    fn with(&self, shuffle: Shuffle<COLUMNS>) -> Self {
        let mut next = self.clone();
        next.shuffles.push(Arc::new(shuffle));
        next
    }

    /// Shuffles the pile that the last seat has put out, verified or not. Returns a new mixing in which this
    /// shuffle is unsettled, and the message to send, `outputs ‖ proof`, which is valid only in `phase`;
    /// `self` does not change. Without an arrangement the order is drawn at random and forgotten. Order,
    /// masks and nonces come from the seed of the seat and from `entropy`, which must be fresh.
    ///
    /// # Errors
    ///
    /// Fails with `OtherLocks` if the seats of `lock` are not the pile's, `TooMany` if the pile is larger
    /// than the generators allow, and `Count` if the arrangement has another length.
    pub fn shuffle(
        &self,
        phase: &Phase,
        secrets: &SeatSecrets,
        lock: &PreparedLock,
        generators: &Generators,
        arrangement: Option<&Arrangement>,
        entropy: Entropy,
    ) -> Result<(Self, Vec<u8>), OperationError> {
        let (pile, message) = self.top().shuffle(phase, secrets, lock, generators, arrangement, entropy)?;
        Ok((self.with(Shuffle { seat: secrets.seat(), entries: pile.entries, proof: None }), message))
    }

    /// Decodes a shuffle by `seat`, made in `phase`, of the pile that the last seat has put out. Returns a
    /// new mixing in which this shuffle is unsettled; `self` does not change. The proof is not checked here
    /// but by [`settle`](Self::settle).
    ///
    /// # Errors
    ///
    /// Returns a [`MessageError`] that names the seat if the message has the wrong length or is not
    /// canonical, or the pile does not fit the lock and the generators.
    pub fn read(
        &self,
        phase: &Phase,
        seat: SeatIndex,
        lock: &LockKey,
        generators: &Generators,
        message: &[u8],
    ) -> Result<Self, MessageError> {
        let read = self.top().read(phase, seat, lock, generators, message);
        let (entries, proof) = read.map_err(Message::Shuffle.of(seat))?;
        Ok(self.with(Shuffle { seat, entries, proof: Some(proof) }))
    }

    /// Verifies all unsettled shuffles in one multiplication; own ones are trusted. `lock` and `generators`
    /// must be those with which the shuffles were made and read: this is not checked. Afterwards nothing is
    /// unsettled. If a proof is false, the pile is reset to the state before that shuffle, and it and all
    /// later ones, own ones included, are dropped: the seats after it are not to blame and must shuffle
    /// again.
    ///
    /// # Errors
    ///
    /// Returns a [`MessageError`] for the first false shuffle, with its seat and the first equation that
    /// fails.
    pub fn settle(&mut self, lock: &LockKey, generators: &Generators) -> Result<(), MessageError> {
        let found = self.first_false(lock, generators);
        let good = found.map_or(self.shuffles.len(), |(at, _)| at);
        let by = self.shuffles.iter().take(good).map(|shuffle| shuffle.seat);
        let shuffled_by = by.fold(self.pile.shuffled_by, Seats::with);
        if let Some(last) = self.shuffles.get(good.wrapping_sub(1)) {
            self.pile = Pile { locks: self.pile.locks, entries: last.entries.clone(), shuffled_by };
        }
        self.shuffles.clear();
        found.map_or(Ok(()), |(_, rejected)| Err(rejected))
    }

    /// Returns the first unsettled shuffle with a false proof: its index among the unsettled ones, and the
    /// error that names its seat. `None` if all proofs hold. Own shuffles are not checked.
    fn first_false(&self, lock: &LockKey, generators: &Generators) -> Option<(usize, MessageError)> {
        let (mut places, mut claims, mut inputs) = (Vec::new(), Vec::new(), &self.pile.entries);
        for (at, shuffle) in self.shuffles.iter().enumerate() {
            let Shuffle { seat, entries: outputs, proof } = &**shuffle;
            if let Some(proof) = proof {
                places.push((at, *seat));
                claims.push(Claim { lock, generators, inputs, outputs, proof });
            }
            inputs = outputs;
        }
        if batch::claims_hold(&claims) {
            return None;
        }
        let mut each = places.into_iter().zip(&claims);
        let ((at, seat), claim) =
            each.find(|(_, claim)| !batch::claims_hold(core::slice::from_ref(*claim)))?;
        Some((at, Message::Shuffle.of(seat)(claim.fault())))
    }
}
