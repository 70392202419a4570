//! "The face of this token is one of these."

use super::{bounded, decode, encode};
use crate::error::{Equation, Fault, Message, MessageError, OperationError};
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
    /// Proves the claim: 64 bytes per face. Neither the proof nor the time it takes shows which face it is.
    ///
    /// # Errors
    ///
    /// Fails if the menu is malformed, the token has another owner, or the face is not on the menu.
    pub fn prove(
        &self,
        phase: &Phase,
        secrets: &SeatSecrets,
        entropy: Entropy,
    ) -> Result<Vec<u8>, OperationError> {
        self.prove_with(phase, secrets, &secrets.hedge(entropy))
    }

    /// Proves the claim with nonces from `hedge`.
    ///
    /// # Errors
    ///
    /// Fails if the menu is malformed, the token has another owner, or the face is not on the menu.
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

    /// Verifies a proof by the token's owner.
    ///
    /// # Errors
    ///
    /// Fails if the menu or the message is malformed, the token has another owner, or the proof does not hold.
    pub fn verify(&self, phase: &Phase, key: &SeatKey, message: &[u8]) -> Result<(), MessageError> {
        self.check(phase, key, message).map_err(Message::Category.of(key.seat()))
    }

    /// Verifies a proof of the claim.
    ///
    /// # Errors
    ///
    /// Fails if the menu or the message is malformed, the token has another owner, or the proof does not hold.
    pub(super) fn check(&self, phase: &Phase, key: &SeatKey, message: &[u8]) -> Result<(), Fault> {
        let mut reader = Reader::exact(message, Response::LEN * self.menu.len())?;
        self.check_menu()?;
        self.token.owned_by(key.seat())?;
        let responses = decode(&mut reader, self.menu.len())?;
        let transcript = self.open(phase, key.lock());
        Equation::Either.require(either::verify(transcript, key.lock(), &self.branches(), &responses))
    }

    /// Checks that the menu is neither empty nor too large and has no duplicates.
    ///
    /// # Errors
    ///
    /// Fails if it does not.
    fn check_menu(&self) -> Result<(), OperationError> {
        bounded(self.menu.len())?;
        let mut faces: Vec<u32> = self.menu.iter().map(FacePoint::index).collect();
        faces.sort_unstable();
        if faces.windows(2).any(|pair| pair[0] == pair[1]) { Err(OperationError::Malformed) } else { Ok(()) }
    }

    /// Starts the transcript with the statement: key, token and menu.
    fn open(&self, phase: &Phase, y: &Element) -> Transcript {
        let mut transcript = Transcript::new("category", &phase.context(self.token.owner));
        transcript.append("Y", y.bytes());
        transcript.append("ct", &self.token.cipher.to_bytes());
        let menu: Vec<&Element> = self.menu.iter().map(FacePoint::element).collect();
        transcript.append_elements("cat", menu);
        transcript
    }

    /// Returns a branch with the pair (a, b − M) for each M of the menu, which must satisfy b − M = x·a.
    fn branches(&self) -> Vec<Branch> {
        let cipher = &self.token.cipher;
        let pair = |face: &FacePoint| (*cipher.a.point(), cipher.b.point() - face.element().point());
        self.menu.iter().map(|face| alloc::vec![pair(face)]).collect()
    }
}
