//! Tokens: what lies face down, and whose locks are on it.
//!
//! A token is an ElGamal ciphertext under the sum of the keys of the seats whose locks are still on it. No
//! bytes of others become one: every token comes out of a verified operation, so there is no decryption
//! oracle to abuse. The exception is [`CipherToken::restore`], for what a peer has stored and authenticated
//! itself.

use crate::error::OperationError;
use crate::faces::{BackPoint, BackTable, FacePoint, FaceTable};
use crate::primitives::Element;
use crate::seats::{SeatIndex, Seats};
use crate::secrets::SeatSecrets;
use crate::strip::Share;

/// An ElGamal ciphertext (a, b).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cipher {
    /// rG for a random r; the neutral element if nothing is hidden.
    pub(crate) a: Element,
    /// The hidden point plus r times the key.
    pub(crate) b: Element,
}

impl Cipher {
    /// Returns the ciphertext of a public point, with the neutral element as a: nothing is hidden.
    pub(crate) fn trivial(element: Element) -> Self {
        Self { a: Element::identity(), b: element }
    }

    /// Encodes the ciphertext as a ‖ b.
    pub(crate) fn to_bytes(self) -> [u8; 64] {
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(self.a.bytes());
        bytes[32..].copy_from_slice(self.b.bytes());
        bytes
    }
}

/// A token under the locks of two seats or more: nobody can read it alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joint {
    /// The seats whose locks are on it, at least two.
    pub(crate) locks: Seats,
    /// The ciphertext under the sum of their keys.
    pub(crate) cipher: Cipher,
}

/// A token under the lock of one seat: its owner can read it, show it and prove things about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Private {
    /// The seat whose lock is on it.
    pub(crate) owner: SeatIndex,
    /// The ciphertext under the key of that seat.
    pub(crate) cipher: Cipher,
}

/// A token without locks: everybody can read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Public {
    /// The point of its face or back.
    pub(crate) element: Element,
}

/// A token in any state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CipherToken {
    /// Two locks or more.
    Joint(Joint),
    /// One lock.
    Private(Private),
    /// No lock.
    Public(Public),
}

impl CipherToken {
    /// Creates the public token of a face: no lock, nothing hidden.
    pub fn of_face(face: &FacePoint) -> Self {
        Self::Public(Public { element: *face.element() })
    }

    /// Creates the public token of a back: the back column of a pair, with no lock.
    pub fn of_back(back: &BackPoint) -> Self {
        Self::Public(Public { element: *back.element() })
    }

    /// Creates a token under these locks: joint with two or more, private with one, public with none. The
    /// cipher must be encrypted under exactly these locks; of a public token only b is kept.
    pub(crate) fn new(locks: Seats, cipher: &Cipher) -> Self {
        match locks.single() {
            Some(owner) => Self::Private(Private { owner, cipher: *cipher }),
            None if locks.is_empty() => Self::Public(Public { element: cipher.b }),
            None => Self::Joint(Joint { locks, cipher: *cipher }),
        }
    }

    /// Returns the seats whose locks are on the token: none for a public one, the owner for a private one.
    pub fn locks(&self) -> Seats {
        match self {
            Self::Joint(joint) => joint.locks,
            Self::Private(private) => Seats::one(private.owner),
            Self::Public(_) => Seats::EMPTY,
        }
    }

    /// Returns the ciphertext; for a public token the trivial one.
    pub(crate) fn cipher(&self) -> Cipher {
        match self {
            Self::Joint(joint) => joint.cipher,
            Self::Private(private) => private.cipher,
            Self::Public(public) => Cipher::trivial(public.element),
        }
    }

    /// Encodes the ciphertext as a ‖ b, for storage and for the digest of the token table. The locks are not
    /// part of it.
    pub fn to_bytes(&self) -> [u8; 64] {
        self.cipher().to_bytes()
    }

    /// Decodes a token from [`CipherToken::to_bytes`], under the locks that it had. Returns `None` if the
    /// bytes are not two canonical points, or if a is the neutral element although there are locks, or is not
    /// although there are none.
    ///
    /// Use it only for bytes that this peer has stored and authenticated by itself: nothing shows that the
    /// token came out of a verified operation.
    pub fn restore(locks: Seats, bytes: &[u8; 64]) -> Option<Self> {
        let (a, b) = bytes.split_first_chunk::<32>()?;
        let cipher = Cipher { a: Element::decode(a)?, b: Element::decode(b.try_into().ok()?)? };
        // Without a lock there is nothing to strip, and with one there is.
        (cipher.a.is_identity() == locks.is_empty()).then(|| Self::new(locks, &cipher))
    }

    /// Returns the token without the lock of the share's seat; `self` does not change. Shares of different
    /// seats may be applied in any order. With the last lock off, the token is public.
    ///
    /// # Errors
    ///
    /// Fails with `NoLock` if the token does not have the seat's lock, and with `OtherToken` if the share was
    /// made for another token.
    pub fn unlock(&self, share: &Share) -> Result<Self, OperationError> {
        let (locks, cipher) = (self.locks(), self.cipher());
        if !locks.contains(share.seat) {
            return Err(OperationError::NoLock(share.seat));
        }
        if share.base != *cipher.a.bytes() {
            return Err(OperationError::OtherToken);
        }
        let b = Element::new(cipher.b.point() - share.image.point());
        let locks = locks.without(share.seat);
        let a = if locks.is_empty() { Element::identity() } else { cipher.a };
        Ok(Self::new(locks, &Cipher { a, b }))
    }

    /// Returns the token if it has exactly one lock; otherwise `None`.
    pub fn private(&self) -> Option<&Private> {
        match self {
            Self::Private(private) => Some(private),
            _ => None,
        }
    }

    /// Returns the token if it has two locks or more; otherwise `None`.
    pub fn joint(&self) -> Option<&Joint> {
        match self {
            Self::Joint(joint) => Some(joint),
            _ => None,
        }
    }

    /// Returns the token if it has no locks; otherwise `None`.
    pub fn public(&self) -> Option<&Public> {
        match self {
            Self::Public(public) => Some(public),
            _ => None,
        }
    }
}

impl Joint {
    /// Returns the seats whose locks are on the token, at least two.
    pub fn locks(&self) -> Seats {
        self.locks
    }
}

impl Private {
    /// Returns the seat that can read the token.
    pub fn owner(&self) -> SeatIndex {
        self.owner
    }

    /// Decrypts the token with the owner's secrets and returns its face. Nothing is published.
    ///
    /// # Errors
    ///
    /// Fails with `NotOwner` if the secrets are of another seat; only its number is compared. Fails with
    /// `NoFace` if the hidden point is not a face of the table, as with the secrets of the same seat from
    /// another match.
    pub fn read<'t>(
        &self,
        secrets: &SeatSecrets,
        faces: &'t FaceTable,
    ) -> Result<&'t FacePoint, OperationError> {
        faces.find(&self.open(secrets)?)
    }

    /// Decrypts the token with the owner's secrets and returns its back. The token must be the back column of
    /// a pair.
    ///
    /// # Errors
    ///
    /// Fails with `NotOwner` if the secrets are not the owner's, and with `NoFace` if the hidden point is not
    /// a back of the table.
    pub fn read_back<'t>(
        &self,
        secrets: &SeatSecrets,
        backs: &'t BackTable,
    ) -> Result<&'t BackPoint, OperationError> {
        backs.find(&self.open(secrets)?)
    }

    /// Decrypts the token and returns the hidden point b − x·a, which may be no face.
    ///
    /// # Errors
    ///
    /// Fails with `NotOwner` if the secrets are not those of the owner's seat. Only the number of the seat is
    /// compared.
    pub(crate) fn open(&self, secrets: &SeatSecrets) -> Result<Element, OperationError> {
        if secrets.seat() != self.owner {
            return Err(OperationError::NotOwner(self.owner));
        }
        Ok(Element::new(self.cipher.b.point() - self.cipher.a.point() * secrets.lock()))
    }
}

impl Public {
    /// Returns the face of the token.
    ///
    /// # Errors
    ///
    /// Fails with `NoFace` if its point is not a face of the table, for example because it is a back.
    pub fn face<'t>(&self, faces: &'t FaceTable) -> Result<&'t FacePoint, OperationError> {
        faces.find(&self.element)
    }

    /// Returns the back of the token, which must be the back column of a pair.
    ///
    /// # Errors
    ///
    /// Fails with `NoFace` if its point is not a back of the table.
    pub fn back<'t>(&self, backs: &'t BackTable) -> Result<&'t BackPoint, OperationError> {
        backs.find(&self.element)
    }
}

/// A token of a pile with two columns: its face, and a back that can be opened alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backed {
    /// The face column.
    face: CipherToken,
    /// The back column.
    back: CipherToken,
}

impl Backed {
    /// Creates a public card with its back. `back` must be the category that the game's table gives to
    /// `face`: this is not checked.
    pub fn public(face: &FacePoint, back: &BackPoint) -> Self {
        Self { face: CipherToken::of_face(face), back: CipherToken::of_back(back) }
    }

    /// Creates a pair of a hidden token and its public back. The caller must know that `back` is the back of
    /// the hidden face: this is not checked.
    pub fn with_public_back(face: &CipherToken, back: &BackPoint) -> Self {
        Self { face: *face, back: CipherToken::of_back(back) }
    }

    /// Creates a pair of a token and its own back, which came out of one pair; the face may have been lifted
    /// meanwhile. That they belong together is not checked.
    pub fn rejoined(face: &CipherToken, back: &CipherToken) -> Self {
        Self { face: *face, back: *back }
    }

    /// Creates a pair from the two ciphertexts of an entry, face and back, both under these locks.
    pub(crate) fn new(locks: Seats, [face, back]: &[Cipher; 2]) -> Self {
        Self { face: CipherToken::new(locks, face), back: CipherToken::new(locks, back) }
    }

    /// Returns the face column.
    pub fn face(&self) -> &CipherToken {
        &self.face
    }

    /// Returns the back column.
    pub fn back(&self) -> &CipherToken {
        &self.back
    }

    /// Returns the pair with one lock off the back; the face column does not change.
    ///
    /// # Errors
    ///
    /// Fails with `NoLock` if the back does not have the seat's lock, and with `OtherToken` if the share was
    /// made for another token.
    pub fn unlock_back(&self, share: &Share) -> Result<Self, OperationError> {
        Ok(Self { face: self.face, back: self.back.unlock(share)? })
    }

    /// Returns the pair with one lock off the face; the back column does not change.
    ///
    /// # Errors
    ///
    /// Fails with `NoLock` if the face does not have the seat's lock, and with `OtherToken` if the share was
    /// made for another token.
    pub fn unlock_face(&self, share: &Share) -> Result<Self, OperationError> {
        Ok(Self { face: self.face.unlock(share)?, back: self.back })
    }
}
