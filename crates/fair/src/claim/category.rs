//! "The face of this token is one of these."

use super::{bounded, decode, encode};
use crate::error::{Equation, Message, MessageError, OperationError, VerifyError};
use crate::faces::FacePoint;
use crate::keys::SeatKey;
use crate::primitives::{Element, Reader, Transcript};
use crate::proof::Response;
use crate::proof::either::{self, Branch};
use crate::seats::Phase;
use crate::secrets::{Hedge, Nonces, SeatSecrets};
use crate::token::Private;
use alloc::vec::Vec;
use pentarchy_keys::Entropy;
use subtle::ConstantTimeEq;

/// The claim that the face of a private token is on a menu.
#[derive(Clone, Copy)]
pub struct Category<'a> {
    /// The token.
    pub token: &'a Private,
    /// The faces, in the order of the rules, each once.
    pub menu: &'a [FacePoint],
}

impl Category<'_> {
    /// Proves that the face of the token is on the menu. Returns the message to send, 64 bytes per face of
    /// the menu; it is valid only in `phase`. Neither the message nor the time shows which face it is. The
    /// nonces of the proof come from the seed of the seat and from `entropy`, which must be fresh.
    ///
    /// # Errors
    ///
    /// Fails with `Empty` if the menu is empty, `TooMany` if it has more than
    /// [`MAX_BRANCHES`](super::MAX_BRANCHES) faces, `Malformed` if it names a face twice, `NotOwner` if the
    /// token is not private to the seat of `secrets`, and `False` if the face is not on the menu.
    pub fn prove(
        &self,
        phase: &Phase,
        secrets: &SeatSecrets,
        entropy: Entropy,
    ) -> Result<Vec<u8>, OperationError> {
        self.prove_with(phase, secrets, &secrets.hedge(entropy))
    }

    /// Proves, with nonces from `hedge`, that the face of the token is on the menu. Returns the message, 64
    /// bytes per face of the menu; it is valid only in `phase`.
    ///
    /// # Errors
    ///
    /// Fails with `Empty` or `TooMany` if the menu is empty or too large, `Malformed` if it names a face
    /// twice, `NotOwner` if the token is not private to the seat of `secrets`, and `False` if the face is not
    /// on the menu.
    pub(super) fn prove_with(
        &self,
        phase: &Phase,
        secrets: &SeatSecrets,
        hedge: &Hedge<'_>,
    ) -> Result<Vec<u8>, OperationError> {
        self.check_menu()?;
        let y = secrets.lock_public();
        let face = self.token.open(secrets)?;
        let holding = self.menu.iter().map(|option| option.element().bytes().ct_eq(face.bytes()));
        let flags = either::first(holding).ok_or(OperationError::False)?;
        let responses =
            either::prove(self.open(phase, y), secrets.lock(), y, &self.branches(), &flags, |transcript| {
                hedge.stream(transcript)
            });
        Ok(encode(&responses))
    }

    /// Verifies a message of [`Category::prove`] by the seat that `key` belongs to. `Ok` means that the face
    /// of the token is on the menu. The phase must be that of the prover, and the menu must be in the order
    /// that the prover used.
    ///
    /// # Errors
    ///
    /// Returns a [`MessageError`] that names the seat if the message has another length than 64 bytes per
    /// face, a number is not canonical, the menu is empty, too large or names a face twice, the token has
    /// another owner, or the proof does not hold.
    pub fn verify(&self, phase: &Phase, key: &SeatKey, message: &[u8]) -> Result<(), MessageError> {
        self.check(phase, key, message).map_err(Message::Category.of(key.seat()))
    }

    /// Decodes a message with one response per face of the menu and verifies that it proves, for `phase` and
    /// the seat of `key`, that the face of the token is on the menu. `verify` adds the seat to the error.
    ///
    /// # Errors
    ///
    /// Fails if the menu or the message is malformed, the token has another owner, or the proof does not
    /// hold.
    pub(super) fn check(&self, phase: &Phase, key: &SeatKey, message: &[u8]) -> Result<(), VerifyError> {
        let mut reader = Reader::exact(message, Response::LEN * self.menu.len())?;
        self.check_menu()?;
        self.token.owned_by(key.seat())?;
        let responses = decode(&mut reader, self.menu.len())?;
        let transcript = self.open(phase, key.lock());
        Equation::Either.require(either::verify(transcript, key.lock(), &self.branches(), &responses))
    }

    /// Checks that the menu can be used: not empty, not too large, each face once.
    ///
    /// # Errors
    ///
    /// Fails with `Empty`, with `TooMany` for more than [`MAX_BRANCHES`](super::MAX_BRANCHES) faces, or with
    /// `Malformed` for a face that occurs twice.
    fn check_menu(&self) -> Result<(), OperationError> {
        bounded(self.menu.len())?;
        let mut faces: Vec<u32> = self.menu.iter().map(FacePoint::index).collect();
        faces.sort_unstable();
        if faces.windows(2).any(|pair| pair[0] == pair[1]) { Err(OperationError::Malformed) } else { Ok(()) }
    }

    /// Returns a new transcript, bound to the phase and to the owner of the token, with the statement in it:
    /// `y`, the owner's public lock key, then token and menu.
    fn open(&self, phase: &Phase, y: &Element) -> Transcript {
        let mut transcript = Transcript::new("category", &phase.context(self.token.owner));
        transcript.append("Y", y.bytes());
        transcript.append("ct", &self.token.cipher.to_bytes());
        let menu: Vec<&Element> = self.menu.iter().map(FacePoint::element).collect();
        transcript.append_elements("cat", menu);
        transcript
    }

    /// Returns one branch per face M of the menu, in its order. Each has the one pair (a, b − M), which
    /// satisfies b − M = x·a exactly if the token has the face M.
    fn branches(&self) -> Vec<Branch> {
        let cipher = &self.token.cipher;
        let pair = |face: &FacePoint| (*cipher.a.point(), cipher.b.point() - face.element().point());
        self.menu.iter().map(|face| alloc::vec![pair(face)]).collect()
    }
}
