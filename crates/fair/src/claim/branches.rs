//! "One of these combinations holds": at least one of these cards is an f, this card fits behind that one.

use super::{bounded, decode, encode};
use crate::error::{Equation, Message, MessageError, OperationError, VerifyError};
use crate::faces::FacePoint;
use crate::keys::SeatKey;
use crate::primitives::{Element, Reader, Transcript};
use crate::proof::Response;
use crate::proof::either::{self, Branch};
use crate::seats::{Phase, SeatIndex};
use crate::secrets::{Nonces, SeatSecrets};
use crate::strip::MAX_BATCH;
use crate::token::Private;
use alloc::vec::Vec;
use pentarchy_keys::Entropy;
use subtle::{Choice, ConstantTimeEq};

/// "Token number `token` has the face `face`."
#[derive(Clone, Copy, Debug)]
pub struct Is {
    /// Which of the tokens of the claim.
    pub token: u32,
    /// The face.
    pub face: FacePoint,
}

/// The claim that of several conjunctions at least one holds.
#[derive(Clone, Copy)]
pub struct Branches<'a> {
    /// The private tokens of one seat that the branches speak about.
    pub tokens: &'a [Private],
    /// The branches: all of a branch must hold.
    pub branches: &'a [Vec<Is>],
}

impl Branches<'_> {
    /// Proves that at least one branch is true, that is, that each token that it names has the face that it
    /// names. Returns the message to send, 64 bytes per branch; it is valid only in `phase`. Neither the
    /// message nor the time shows which branch is true. The nonces of the proof come from the seed of the
    /// seat and from `entropy`, which must be fresh.
    ///
    /// # Errors
    ///
    /// Fails with `Empty` if there are no branches or no tokens, `TooMany` if there are more than
    /// [`MAX_BRANCHES`](super::MAX_BRANCHES) of either or more than [`MAX_BATCH`] conditions in all,
    /// `Malformed` if a branch is empty or names a token out of range, `NotOwner` if a token is not private
    /// to the seat of `secrets`, and `False` if no branch is true.
    pub fn prove(
        &self,
        phase: &Phase,
        secrets: &SeatSecrets,
        entropy: Entropy,
    ) -> Result<Vec<u8>, OperationError> {
        let statement = self.pairs(secrets.seat())?;
        let y = secrets.lock_public();
        let faces = self.tokens.iter().map(|token| token.open(secrets)).collect::<Result<Vec<_>, _>>()?;
        let holding = self.branches.iter().map(|branch| {
            branch.iter().fold(Choice::from(1), |all, is| {
                all & faces[is.token as usize].bytes().ct_eq(is.face.element().bytes())
            })
        });
        let flags = either::first(holding).ok_or(OperationError::False)?;
        let hedge = secrets.hedge(entropy);
        let transcript = self.open(phase, secrets.seat(), y);
        let responses = either::prove(transcript, secrets.lock(), y, &statement, &flags, |transcript| {
            hedge.stream(transcript)
        });
        Ok(encode(&responses))
    }

    /// Verifies a message of [`Branches::prove`] by the seat that `key` belongs to. `Ok` means that at least
    /// one branch is true. Phase, tokens and branches must be those of the prover, in the same order.
    ///
    /// # Errors
    ///
    /// Returns a [`MessageError`] that names the seat if the message has another length than 64 bytes per
    /// branch, a number is not canonical, the claim is empty, too large or malformed, a token has another
    /// owner, or the proof does not hold.
    pub fn verify(&self, phase: &Phase, key: &SeatKey, message: &[u8]) -> Result<(), MessageError> {
        self.check(phase, key, message).map_err(Message::Branches.of(key.seat()))
    }

    /// Decodes a message with one response per branch and verifies that it proves, for `phase` and the seat
    /// of `key`, that at least one branch is true. `verify` adds the seat to the error.
    ///
    /// # Errors
    ///
    /// Fails if the message or the claim is malformed, a token has another owner, or the proof does not hold.
    fn check(&self, phase: &Phase, key: &SeatKey, message: &[u8]) -> Result<(), VerifyError> {
        let mut reader = Reader::exact(message, Response::LEN * self.branches.len())?;
        let statement = self.pairs(key.seat())?;
        let responses = decode(&mut reader, statement.len())?;
        let transcript = self.open(phase, key.seat(), key.lock());
        Equation::Either.require(either::verify(transcript, key.lock(), &statement, &responses))
    }

    /// Returns a new transcript, bound to the phase and to `seat`, with the statement in it: `y`, the public
    /// lock key of `seat`, then all tokens and branches in order.
    fn open(&self, phase: &Phase, seat: SeatIndex, y: &Element) -> Transcript {
        let mut transcript = Transcript::new("branches", &phase.context(seat));
        transcript.append("Y", y.bytes());
        let tokens: Vec<u8> = self.tokens.iter().flat_map(|token| token.cipher.to_bytes()).collect();
        transcript.append("ct", &tokens);
        let mut branches = Vec::new();
        branches.extend_from_slice(&(self.branches.len() as u32).to_le_bytes());
        for branch in self.branches {
            branches.extend_from_slice(&(branch.len() as u32).to_le_bytes());
            for is in branch {
                branches.extend_from_slice(&is.token.to_le_bytes());
                branches.extend_from_slice(is.face.element().bytes());
            }
        }
        transcript.append("br", &branches);
        transcript
    }

    /// Checks the claim for `seat` and returns for each branch the pairs (a, b − M), of which a true branch
    /// satisfies b − M = x·a.
    ///
    /// # Errors
    ///
    /// Fails with `Empty` or `TooMany` if there are no branches or tokens, more than
    /// [`MAX_BRANCHES`](super::MAX_BRANCHES) of either, or more than [`MAX_BATCH`] conditions in all;
    /// `NotOwner` if a token has another owner; `Malformed` if a branch is empty or names a token out of
    /// range.
    fn pairs(&self, seat: SeatIndex) -> Result<Vec<Branch>, OperationError> {
        bounded(self.branches.len())?;
        bounded(self.tokens.len())?;
        let size = self.branches.iter().map(Vec::len).sum();
        if size > MAX_BATCH {
            return Err(OperationError::TooMany { limit: MAX_BATCH, found: size });
        }
        for token in self.tokens {
            token.owned_by(seat)?;
        }
        let pair = |is: &Is| {
            let cipher = &self.tokens.get(is.token as usize).ok_or(OperationError::Malformed)?.cipher;
            Ok((*cipher.a.point(), cipher.b.point() - is.face.element().point()))
        };
        let conjunction = |branch: &Vec<Is>| {
            if branch.is_empty() { Err(OperationError::Malformed) } else { branch.iter().map(pair).collect() }
        };
        self.branches.iter().map(conjunction).collect()
    }
}
