//! Salvage: when a seat is gone, the survivors find out which cards of a group are lost, without learning who
//! holds which of the others.
//!
//! Both the cards that survivors hold (O) and all cards of the group (W) are shuffled under the survivors'
//! key. Then every survivor multiplies every entry by a secret z_i; the sums, stripped, are tags z·M: equal
//! for equal faces, and otherwise telling nothing. What is left of W when the tags of O are crossed off is
//! the lost cards, hidden and in random order.

use crate::error::{Equation, Message, MessageError, OperationError, Part, VerifyError};
use crate::keys::{LockKey, SeatKey};
use crate::primitives::{Element, Reader, Transcript, digest};
use crate::proof::{Response, dleq};
use crate::seats::{Phase, SeatIndex, Seats};
use crate::secrets::{Nonces, SeatSecrets};
use crate::strip::MAX_BATCH;
use crate::token::{Cipher, CipherToken};
use alloc::vec::Vec;
use curve25519_dalek::ristretto::RistrettoPoint;
use pentarchy_keys::Entropy;
use zeroize::Zeroizing;

/// The kind of proof.
const LABEL: &str = "tag";

/// The entries to be tagged: the held cards O' and then all cards W', both shuffled by all survivors.
pub struct Salvage {
    /// The seats that are left.
    survivors: Seats,
    /// O' and then W'.
    entries: Vec<Cipher>,
    /// A digest of the entries, so that blindings of different lists cannot be mixed up.
    id: [u8; 32],
}

/// A survivor's verified blinding of all entries.
pub struct Blinding {
    /// The digest of the entries that were blinded.
    salvage: [u8; 32],
    /// The seat that made it.
    seat: SeatIndex,
    /// The public key Z = zG of the blinding.
    key: Element,
    /// The entries times z, in their order.
    blinded: Vec<Cipher>,
}

impl Blinding {
    /// Returns the seat that made the blinding.
    pub fn seat(&self) -> SeatIndex {
        self.seat
    }
}

impl Salvage {
    /// Prepares the tagging of `held` (O', the cards that survivors hold) and `all` (W', all cards of the
    /// group). Both must already be shuffled by all survivors under `lock`, the key of exactly the survivors;
    /// the shuffling is not checked here. `held` may be empty.
    ///
    /// # Errors
    ///
    /// Fails with `Empty` if `all` is empty, `TooMany` if both together have more than [`MAX_BATCH`] tokens,
    /// and `OtherLocks` if a token is not under exactly the seats of `lock`.
    pub fn new(lock: &LockKey, held: &[CipherToken], all: &[CipherToken]) -> Result<Self, OperationError> {
        if all.is_empty() {
            return Err(OperationError::Empty);
        }
        let found = held.len() + all.len();
        if found > MAX_BATCH {
            return Err(OperationError::TooMany { limit: MAX_BATCH, found });
        }
        let entry = |token: &CipherToken| {
            let locks = token.locks();
            if locks == lock.seats() {
                Ok(token.cipher())
            } else {
                Err(OperationError::OtherLocks { expected: lock.seats(), found: locks })
            }
        };
        let entries = held.iter().chain(all).map(entry).collect::<Result<Vec<_>, _>>()?;
        let bytes: Vec<u8> = entries.iter().flat_map(|cipher| cipher.to_bytes()).collect();
        let id = digest("pentarchy salvage v1", &[&bytes]);
        Ok(Self { survivors: lock.seats(), entries, id })
    }

    /// Multiplies every entry by a secret z (round 1). Returns the blinding and the message to send, `Z ‖
    /// (z·a ‖ z·b)[L] ‖ proof` (64·L + 96 bytes for L entries), which is valid only in `phase`.
    ///
    /// z and the nonce come from the seed of the seat and from `entropy`, which must be fresh. z is not kept:
    /// store the message before you send it, since a second call with other entropy makes another blinding.
    ///
    /// # Errors
    ///
    /// Fails with `Absent` if the seat of `secrets` is not a survivor.
    pub fn blind(
        &self,
        phase: &Phase,
        secrets: &SeatSecrets,
        entropy: Entropy,
    ) -> Result<(Blinding, Vec<u8>), OperationError> {
        let seat = secrets.seat();
        if !self.survivors.contains(seat) {
            return Err(OperationError::Absent(seat));
        }
        let transcript = Transcript::new(LABEL, &phase.context(seat));
        let bases = self.bases();
        let mut fork = transcript.clone();
        fork.append_elements("entries", &bases);
        let mut stream = secrets.hedge(entropy).stream(&fork);
        let z = Zeroizing::new(stream.scalar());
        let key = Element::new(RistrettoPoint::mul_base(&z));
        let images: Vec<Element> = bases.iter().map(|base| Element::new(base.point() * *z)).collect();
        let statement = dleq::Statement { y: &key, bases: &bases, images: &images };
        let proof = statement.prove(transcript, &z, |_| stream.scalar());
        let mut message = Vec::with_capacity(self.len());
        message.extend_from_slice(key.bytes());
        for image in &images {
            message.extend_from_slice(image.bytes());
        }
        message.extend_from_slice(&proof.to_bytes());
        Ok((Blinding { salvage: self.id, seat, key, blinded: pair(&images) }, message))
    }

    /// Verifies a message of [`Salvage::blind`] by the seat that `key` belongs to, made in `phase` for these
    /// entries, and returns the blinding for [`Salvage::combine`].
    ///
    /// # Errors
    ///
    /// Returns a [`MessageError`] that names the seat if the message has the wrong length, the seat is not a
    /// survivor, the key Z is the neutral element, a part is not canonically encoded, or the proof does not
    /// hold.
    pub fn verify_blinding(
        &self,
        phase: &Phase,
        key: &SeatKey,
        message: &[u8],
    ) -> Result<Blinding, MessageError> {
        self.check(phase, key.seat(), message).map_err(Message::Tags.of(key.seat()))
    }

    /// Decodes the blinding of all entries by `seat`, verifies its proof for the phase, and returns it.
    /// `verify_blinding` adds the seat to the error.
    ///
    /// # Errors
    ///
    /// Fails if the message has the wrong length, the seat is not a survivor, a part is malformed, or the
    /// proof does not hold.
    fn check(&self, phase: &Phase, seat: SeatIndex, message: &[u8]) -> Result<Blinding, VerifyError> {
        let mut reader = Reader::exact(message, self.len())?;
        if !self.survivors.contains(seat) {
            return Err(OperationError::Absent(seat).into());
        }
        let key = reader.nonzero(Part::BlindingKey)?;
        let images = reader.elements(2 * self.entries.len(), Part::Blinded)?;
        let proof = Response::read(&mut reader)?;
        let statement = dleq::Statement { y: &key, bases: &self.bases(), images: &images };
        Equation::EqualLogs
            .require(statement.verify(Transcript::new(LABEL, &phase.context(seat)), &proof))?;
        Ok(Blinding { salvage: self.id, seat, key, blinded: pair(&images) })
    }

    /// Sums the blindings of all survivors. Returns one token per entry, first those of `held` and then those
    /// of `all`, each an encryption of z times its face. In round 2 every survivor strips all of them
    /// ([`crate::strip()`]); then [`cross_off`] compares them.
    ///
    /// # Errors
    ///
    /// Fails with `OtherToken` for a blinding of another salvage, `Twice` for a second blinding of one seat,
    /// `Absent` for the first survivor without one, and `Cancelled` if the keys Z sum to the neutral element.
    pub fn combine(&self, blindings: &[Blinding]) -> Result<Vec<CipherToken>, OperationError> {
        let mut due = self.survivors;
        for blinding in blindings {
            if blinding.salvage != self.id {
                return Err(OperationError::OtherToken);
            }
            if !due.contains(blinding.seat) {
                return Err(OperationError::Twice(blinding.seat));
            }
            due = due.without(blinding.seat);
        }
        if let Some(seat) = due.iter().next() {
            return Err(OperationError::Absent(seat));
        }
        let z: RistrettoPoint = blindings.iter().map(|blinding| blinding.key.point()).sum();
        if z == RistrettoPoint::default() {
            return Err(OperationError::Cancelled);
        }
        let sum = |i: usize, half: fn(&Cipher) -> &Element| {
            Element::new(blindings.iter().map(|blinding| half(&blinding.blinded[i]).point()).sum())
        };
        Ok((0..self.entries.len())
            .map(|i| Cipher { a: sum(i, |cipher| &cipher.a), b: sum(i, |cipher| &cipher.b) })
            .map(|cipher| CipherToken::new(self.survivors, &cipher))
            .collect())
    }

    /// Returns the points of all entries in order: a and b of the first, a and b of the second, and so on.
    fn bases(&self) -> Vec<Element> {
        self.entries.iter().flat_map(|cipher| [cipher.a, cipher.b]).collect()
    }

    /// Returns the length of a blinding message in bytes.
    fn len(&self) -> usize {
        32 + 64 * self.entries.len() + Response::LEN
    }
}

/// Combines each two consecutive points to a ciphertext (a, b). An odd last point is dropped.
fn pair(images: &[Element]) -> Vec<Cipher> {
    images.chunks_exact(2).map(|pair| Cipher { a: pair[0], b: pair[1] }).collect()
}

/// Crosses off in `all` one equal tag per tag of `held`. Returns the indices in `all` that remain, ascending:
/// the cards that are lost with the seat.
///
/// Both lists are the stripped tokens of [`Salvage::combine`], split at the length of the `held` of
/// [`Salvage::new`].
///
/// # Errors
///
/// Fails with `OtherLocks` if a tag still has a lock, and with `Unmatched` if `held` has a tag more often
/// than `all`.
pub fn cross_off(held: &[CipherToken], all: &[CipherToken]) -> Result<Vec<usize>, OperationError> {
    let tag = |token: &CipherToken| match token.public() {
        Some(public) => Ok(*public.element.bytes()),
        None => Err(OperationError::OtherLocks { expected: Seats::EMPTY, found: token.locks() }),
    };
    let mut left = all.iter().map(|token| tag(token).map(Some)).collect::<Result<Vec<_>, _>>()?;
    for token in held {
        let tag = Some(tag(token)?);
        match left.iter_mut().find(|entry| **entry == tag) {
            Some(entry) => *entry = None,
            None => return Err(OperationError::Unmatched),
        }
    }
    Ok((0..left.len()).filter(|i| left[*i].is_some()).collect())
}
