//! Verifiable shuffles: a pile is permuted and re-masked, and a proof after Terelius and Wikström shows that
//! nothing else happened to it.

mod batch;
mod equations;
mod generators;
mod mixing;
mod prove;
mod verify;
mod wire;

pub use generators::Generators;
pub use mixing::Mixing;
pub(crate) use prove::prove;
use verify::{Claim, Proof};

use crate::error::{Equation, Message, MessageError, OperationError, VerifyError};
use crate::keys::{LockKey, PreparedLock};
use crate::primitives::Transcript;
use crate::seats::{Phase, SeatIndex, Seats};
use crate::secrets::SeatSecrets;
use crate::token::{Backed, Cipher, CipherToken};
use alloc::vec::Vec;
use pentarchy_keys::Entropy;
use zeroize::Zeroizing;

/// The largest number of entries of a pile.
pub const MAX_PILE: usize = 4096;

/// One entry: a face, or a face and a back.
pub(crate) type Entry<const COLUMNS: usize> = [Cipher; COLUMNS];

/// A pile about to be shuffled, or shuffled by some seats: `COLUMNS` is 1 for faces, 2 for faces with backs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pile<const COLUMNS: usize> {
    /// The seats under whose joint lock the pile is shuffled.
    locks: Seats,
    /// The entries in order; at least one.
    entries: Vec<Entry<COLUMNS>>,
    /// The seats whose shuffles were verified, or made here.
    shuffled_by: Seats,
}

/// A pile of tokens.
pub type Deck = Pile<1>;

/// A pile of tokens with backs that can be opened alone.
pub type BackedDeck = Pile<2>;

/// The order that an owner gives to a pile: place `i` gets what was at place `order[i]`. Wiped when dropped.
pub struct Arrangement(Zeroizing<Vec<u32>>);

impl Arrangement {
    /// Creates an arrangement: place `i` of the shuffled pile gets what was at place `order[i]`.
    ///
    /// # Errors
    ///
    /// Fails with `NoPermutation` if `order` is not a permutation of `0..order.len()`.
    pub fn new(order: Vec<u32>) -> Result<Self, OperationError> {
        let order = Zeroizing::new(order);
        let mut seen = alloc::vec![false; order.len()];
        for &i in &*order {
            match seen.get_mut(i as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => return Err(OperationError::NoPermutation),
            }
        }
        Ok(Self(order))
    }

    /// Returns the order: place `i` of the shuffled pile gets what was at place `order[i]`.
    pub(crate) fn order(&self) -> &[u32] {
        &self.0
    }
}

/// Returns the ciphertext with which a token enters a pile under `lock`. Public tokens enter unmasked.
///
/// # Errors
///
/// Fails with `OtherLocks` if the token has locks other than exactly those of `lock`.
fn admit(token: &CipherToken, lock: &LockKey) -> Result<Cipher, OperationError> {
    let locks = token.locks();
    if locks.is_empty() || locks == lock.seats() {
        Ok(token.cipher())
    } else {
        Err(OperationError::OtherLocks { expected: lock.seats(), found: locks })
    }
}

impl Deck {
    /// Lays tokens on a pile under `lock`, in this order. Each must be public or have exactly the locks of
    /// `lock`: lift private tokens first. Nothing is hidden until a seat shuffles.
    ///
    /// # Errors
    ///
    /// Fails with `Empty` if there are no tokens, `TooMany` if there are more than [`MAX_PILE`], and
    /// `OtherLocks` if one has other locks.
    pub fn new(lock: &LockKey, tokens: &[CipherToken]) -> Result<Self, OperationError> {
        Self::of(lock, tokens, |token| Ok([admit(token, lock)?]))
    }

    /// Returns the tokens in their new order, under the locks of the pile. `required` are the seats that must
    /// have shuffled: every live seat for a pile whose order nobody may know, the owner alone for a hand.
    ///
    /// # Errors
    ///
    /// Fails with `Unshuffled` and the seats of `required` that have not shuffled, and with `Empty` if
    /// `required` is empty.
    pub fn release(&self, required: Seats) -> Result<Vec<CipherToken>, OperationError> {
        self.shuffled(required)?;
        Ok(self.entries.iter().map(|[face]| CipherToken::new(self.locks, face)).collect())
    }
}

impl BackedDeck {
    /// Lays tokens with backs on a pile under `lock`, in this order. Each face and back must be public or
    /// have exactly the locks of `lock`. Nothing is hidden until a seat shuffles.
    ///
    /// # Errors
    ///
    /// Fails with `Empty` if there are no tokens, `TooMany` if there are more than [`MAX_PILE`], and
    /// `OtherLocks` if a face or back has other locks.
    pub fn new(lock: &LockKey, tokens: &[Backed]) -> Result<Self, OperationError> {
        Self::of(lock, tokens, |token| Ok([admit(token.face(), lock)?, admit(token.back(), lock)?]))
    }

    /// Returns the tokens with their backs in their new order, both under the locks of the pile. `required`
    /// are the seats that must have shuffled.
    ///
    /// # Errors
    ///
    /// Fails with `Unshuffled` and the seats of `required` that have not shuffled, and with `Empty` if
    /// `required` is empty.
    pub fn release(&self, required: Seats) -> Result<Vec<Backed>, OperationError> {
        self.shuffled(required)?;
        Ok(self.entries.iter().map(|entry| Backed::new(self.locks, entry)).collect())
    }
}

impl<const COLUMNS: usize> Pile<COLUMNS> {
    /// The kind of proof.
    const LABEL: &'static str = if COLUMNS == 1 { "shuffle" } else { "shuffle2" };

    /// Builds an unshuffled pile from tokens, each converted by `entry`.
    ///
    /// # Errors
    ///
    /// Fails with `Empty` if there are no tokens, `TooMany` if there are more than [`MAX_PILE`], or with the
    /// error of `entry`.
    fn of<T>(
        lock: &LockKey,
        tokens: &[T],
        entry: impl Fn(&T) -> Result<Entry<COLUMNS>, OperationError>,
    ) -> Result<Self, OperationError> {
        if tokens.is_empty() {
            return Err(OperationError::Empty);
        }
        if tokens.len() > MAX_PILE {
            return Err(OperationError::TooMany { limit: MAX_PILE, found: tokens.len() });
        }
        let entries = tokens.iter().map(entry).collect::<Result<_, _>>()?;
        Ok(Self { locks: lock.seats(), entries, shuffled_by: Seats::EMPTY })
    }

    /// Checks that all seats in `required` have shuffled.
    ///
    /// # Errors
    ///
    /// Fails with `Unshuffled` and the seats that have not, or with `Empty` if the set is empty.
    fn shuffled(&self, required: Seats) -> Result<(), OperationError> {
        if required.is_empty() {
            return Err(OperationError::Empty);
        }
        let missing = required.minus(self.shuffled_by);
        if missing.is_empty() { Ok(()) } else { Err(OperationError::Unshuffled(missing)) }
    }

    /// Returns the number of entries.
    #[expect(clippy::len_without_is_empty, reason = "a pile is never empty")]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the seats whose shuffles of this pile were verified, or made here. Empty for a new pile.
    pub fn shuffled_by(&self) -> Seats {
        self.shuffled_by
    }

    /// Encodes the entries in order as a ‖ b (‖ a⁺ ‖ b⁺ with backs): 64 or 128 bytes each, for hashes of the
    /// pile.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.entries.iter().flatten().flat_map(|cipher| cipher.to_bytes()).collect()
    }

    /// Shuffles the pile. Returns the new pile, which counts the seat of `secrets` as a shuffler, and the
    /// message to send, `outputs ‖ proof`: 224·N + 288 bytes for N entries (288·N + 384 with backs). It is
    /// valid only in `phase`. `self` does not change.
    ///
    /// Without an arrangement the order is drawn at random and forgotten: the seat itself does not learn it.
    /// Order, masks and nonces come from the seed of the seat and from `entropy`, which must be fresh. The
    /// seat need not be one of the lock's.
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
        self.fits(lock.key(), generators)?;
        if let Some(arrangement) = arrangement
            && arrangement.order().len() != self.len()
        {
            return Err(OperationError::Count { expected: self.len(), found: arrangement.order().len() });
        }
        let transcript = Transcript::new(Self::LABEL, &phase.context(secrets.seat()));
        let (entries, message) = prove(
            transcript,
            lock,
            generators,
            &self.entries,
            arrangement.map(Arrangement::order),
            &secrets.hedge(entropy),
        );
        Ok((self.next(secrets.seat(), entries), message))
    }

    /// Verifies a message of [`Pile::shuffle`]: the shuffle of this pile by `seat` in `phase`. Returns the
    /// shuffled pile, which counts that seat as a shuffler. `self` does not change.
    ///
    /// # Errors
    ///
    /// Returns a [`MessageError`] that names the seat if the pile does not fit the lock and the generators,
    /// the message has the wrong length or is not canonical, or the proof does not hold; then the fault names
    /// the first false equation.
    pub fn verify(
        &self,
        phase: &Phase,
        seat: SeatIndex,
        lock: &LockKey,
        generators: &Generators,
        message: &[u8],
    ) -> Result<Self, MessageError> {
        let rejected = Message::Shuffle.of(seat);
        let (outputs, proof) = self.read(phase, seat, lock, generators, message).map_err(rejected)?;
        let claim = Claim { lock, generators, inputs: &self.entries, outputs: &outputs, proof: &proof };
        if !batch::claims_hold(core::slice::from_ref(&claim)) {
            return Err(rejected(claim.fault()));
        }
        Ok(self.next(seat, outputs))
    }

    /// Returns all equations that a shuffle by `seat` violates, in order; empty if [`Pile::verify`] would
    /// accept it. Each equation is checked separately, so it is much slower: for diagnosis and tests.
    ///
    /// # Errors
    ///
    /// Returns a [`MessageError`] that names the seat if the pile does not fit the lock and the generators,
    /// or the message cannot be decoded.
    pub fn failing(
        &self,
        phase: &Phase,
        seat: SeatIndex,
        lock: &LockKey,
        generators: &Generators,
        message: &[u8],
    ) -> Result<Vec<Equation>, MessageError> {
        let read = self.read(phase, seat, lock, generators, message).map_err(Message::Shuffle.of(seat))?;
        let (outputs, proof) = (&read.0, &read.1);
        Ok(Claim { lock, generators, inputs: &self.entries, outputs, proof }.failing())
    }

    /// Decodes a shuffle of this pile by `seat`. Returns the new entries and the proof, which is not yet
    /// checked.
    ///
    /// # Errors
    ///
    /// Fails if the pile does not fit the lock and the generators, or the message has the wrong length or is
    /// not canonical.
    fn read(
        &self,
        phase: &Phase,
        seat: SeatIndex,
        lock: &LockKey,
        generators: &Generators,
        message: &[u8],
    ) -> Result<(Vec<Entry<COLUMNS>>, Proof<COLUMNS>), VerifyError> {
        self.fits(lock, generators)?;
        let transcript = Transcript::new(Self::LABEL, &phase.context(seat));
        Proof::read(transcript, lock, &self.entries, message)
    }

    /// Checks that `lock` has the seats of the pile's lock, and that the pile is not larger than the
    /// generators allow. The keys themselves are not compared.
    ///
    /// # Errors
    ///
    /// Fails with `OtherLocks` if the seats differ, and with `TooMany` if the pile is too large.
    fn fits(&self, lock: &LockKey, generators: &Generators) -> Result<(), OperationError> {
        if lock.seats() != self.locks {
            return Err(OperationError::OtherLocks { expected: lock.seats(), found: self.locks });
        }
        if self.len() > generators.len() {
            return Err(OperationError::TooMany { limit: generators.len(), found: self.len() });
        }
        Ok(())
    }

    /// Returns a pile with these entries and the same locks that counts `seat` as one more shuffler. Nothing
    /// is verified.
    fn next(&self, seat: SeatIndex, entries: Vec<Entry<COLUMNS>>) -> Self {
        Self { locks: self.locks, entries, shuffled_by: self.shuffled_by.with(seat) }
    }
}
