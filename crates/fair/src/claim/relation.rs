//! "These two faces are equal", "these two differ", "this is not that face".

use crate::error::{Equation, Message, MessageError, OperationError, Part, VerifyError};
use crate::faces::FacePoint;
use crate::keys::SeatKey;
use crate::primitives::{Element, Reader, Transcript};
use crate::proof::{Response, dleq};
use crate::seats::{Phase, SeatIndex};
use crate::secrets::{Nonces, SeatSecrets};
use crate::token::{Cipher, Private};
use alloc::vec::Vec;
use curve25519_dalek::Scalar;
use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::traits::{MultiscalarMul, VartimeMultiscalarMul};
use pentarchy_keys::Entropy;
use zeroize::Zeroizing;

/// The claim that two private tokens of one seat have the same face.
#[derive(Clone, Copy)]
pub struct Same<'a> {
    /// One token.
    pub left: &'a Private,
    /// The other.
    pub right: &'a Private,
}

/// The claim that two private tokens of one seat have different faces.
#[derive(Clone, Copy)]
pub struct Different<'a> {
    /// One token.
    pub left: &'a Private,
    /// The other.
    pub right: &'a Private,
}

/// The claim that a private token does not have a certain face.
#[derive(Clone, Copy)]
pub struct IsNot<'a> {
    /// The token.
    pub token: &'a Private,
    /// What it is not.
    pub face: &'a FacePoint,
}

/// Returns the difference `left − right` of two ciphertexts of one owner: an encryption of the difference of
/// their faces, so of zero exactly if the faces are equal.
///
/// # Errors
///
/// Fails with `NotOwner` if the owners differ.
fn difference(left: &Private, right: &Private) -> Result<Cipher, OperationError> {
    right.owned_by(left.owner)?;
    let minus = |l: &Element, r: &Element| Element::new(l.point() - r.point());
    let (left, right) = (&left.cipher, &right.cipher);
    Ok(Cipher { a: minus(&left.a, &right.a), b: minus(&left.b, &right.b) })
}

/// Opens a difference with the owner's secrets. Returns `true` if it encrypts zero, that is, if the two faces
/// are equal.
///
/// # Errors
///
/// Fails with `NotOwner` if `secrets` are not those of `owner`.
fn is_zero(difference: &Cipher, owner: SeatIndex, secrets: &SeatSecrets) -> Result<bool, OperationError> {
    Ok(Private { owner, cipher: *difference }.open(secrets)?.is_identity())
}

impl Same<'_> {
    /// Proves that both tokens have the same face, without showing it. Returns the message to send, 64 bytes,
    /// which is valid only in `phase`. The nonces of the proof come from the seed of the seat and from
    /// `entropy`, which must be fresh.
    ///
    /// # Errors
    ///
    /// Fails with `NotOwner` if the tokens have different owners or `secrets` are not theirs, and with
    /// `False` if the faces differ.
    pub fn prove(
        &self,
        phase: &Phase,
        secrets: &SeatSecrets,
        entropy: Entropy,
    ) -> Result<Vec<u8>, OperationError> {
        let difference = difference(self.left, self.right)?;
        if !is_zero(&difference, self.left.owner, secrets)? {
            return Err(OperationError::False);
        }
        let y = secrets.lock_public();
        let statement = dleq::Statement { y, bases: &[difference.a], images: &[difference.b] };
        let hedge = secrets.hedge(entropy);
        let proof =
            statement.prove(self.open(phase), secrets.lock(), |transcript| hedge.stream(transcript).scalar());
        Ok(proof.to_bytes().to_vec())
    }

    /// Verifies a message of [`Same::prove`] by the seat that `key` belongs to, for the tokens and the phase
    /// of the prover. `Ok` means that the faces are equal.
    ///
    /// # Errors
    ///
    /// Returns a [`MessageError`] that names the seat if the message does not have 64 bytes, a number is not
    /// canonical, a token has another owner, or the proof does not hold.
    pub fn verify(&self, phase: &Phase, key: &SeatKey, message: &[u8]) -> Result<(), MessageError> {
        let check = || {
            let mut reader = Reader::exact(message, Response::LEN)?;
            self.left.owned_by(key.seat())?;
            let difference = difference(self.left, self.right)?;
            let proof = Response::read(&mut reader)?;
            let statement =
                dleq::Statement { y: key.lock(), bases: &[difference.a], images: &[difference.b] };
            Equation::EqualLogs.require(statement.verify(self.open(phase), &proof))
        };
        check().map_err(Message::Same.of(key.seat()))
    }

    /// Returns a new transcript of a claim of equal faces, bound to the phase and the owner of the left
    /// token. The ciphertexts are not in it: the proof appends them.
    fn open(&self, phase: &Phase) -> Transcript {
        Transcript::new("same", &phase.context(self.left.owner))
    }
}

impl Different<'_> {
    /// Proves that the tokens have different faces, without showing them. Returns the message to send, 128
    /// bytes, which is valid only in `phase`. The nonces of the proof come from the seed of the seat and from
    /// `entropy`, which must be fresh.
    ///
    /// # Errors
    ///
    /// Fails with `NotOwner` if the tokens have different owners or `secrets` are not theirs, and with
    /// `False` if the faces are equal.
    pub fn prove(
        &self,
        phase: &Phase,
        secrets: &SeatSecrets,
        entropy: Entropy,
    ) -> Result<Vec<u8>, OperationError> {
        prove_unequal(&difference(self.left, self.right)?, self.left.owner, phase, secrets, entropy)
    }

    /// Verifies a message of [`Different::prove`] by the seat that `key` belongs to, for the phase of the
    /// prover and the tokens in the same order. `Ok` means that the faces differ.
    ///
    /// # Errors
    ///
    /// Returns a [`MessageError`] that names the seat if the message does not have 128 bytes, a part is
    /// malformed, a token has another owner, or the proof does not hold.
    pub fn verify(&self, phase: &Phase, key: &SeatKey, message: &[u8]) -> Result<(), MessageError> {
        let check = || {
            self.left.owned_by(key.seat())?;
            check_unequal(&difference(self.left, self.right)?, phase, key, message)
        };
        check().map_err(Message::Different.of(key.seat()))
    }
}

impl IsNot<'_> {
    /// Proves that the token has another face than the given one, without showing it. Returns the message to
    /// send, 128 bytes, which is valid only in `phase`. The nonces of the proof come from the seed of the
    /// seat and from `entropy`, which must be fresh.
    ///
    /// # Errors
    ///
    /// Fails with `NotOwner` if `secrets` are not the owner's, and with `False` if the token has this face.
    pub fn prove(
        &self,
        phase: &Phase,
        secrets: &SeatSecrets,
        entropy: Entropy,
    ) -> Result<Vec<u8>, OperationError> {
        prove_unequal(&self.difference(), self.token.owner, phase, secrets, entropy)
    }

    /// Verifies a message of [`IsNot::prove`] by the seat that `key` belongs to, for the token, face and
    /// phase of the prover. `Ok` means that the token has another face.
    ///
    /// # Errors
    ///
    /// Returns a [`MessageError`] that names the seat if the message does not have 128 bytes, a part is
    /// malformed, the token has another owner, or the proof does not hold.
    pub fn verify(&self, phase: &Phase, key: &SeatKey, message: &[u8]) -> Result<(), MessageError> {
        let check = || {
            self.token.owned_by(key.seat())?;
            check_unequal(&self.difference(), phase, key, message)
        };
        check().map_err(Message::Different.of(key.seat()))
    }

    /// Returns an encryption, under the owner's lock, of the token's face minus the given face: of zero
    /// exactly if the token has that face.
    fn difference(&self) -> Cipher {
        let Cipher { a, b } = self.token.cipher;
        Cipher { a, b: Element::new(b.point() - self.face.element().point()) }
    }
}

/// C ‖ c ‖ s_ρ ‖ s_μ.
const LEN: usize = 128;

/// Proves that a ciphertext (A, B) of `owner` does not encrypt zero. Returns the message `C ‖ c ‖ s_ρ ‖ s_μ`
/// (128 bytes), where C = ρB − μA with μ = ρx is a random multiple of the hidden difference. The message is
/// valid only in `phase`. ρ and the nonces come from the seed of the seat and from `entropy`, which must be
/// fresh.
///
/// # Errors
///
/// Fails with `NotOwner` if `secrets` are not the owner's, and with `False` if the ciphertext encrypts zero.
fn prove_unequal(
    Cipher { a, b }: &Cipher,
    owner: SeatIndex,
    phase: &Phase,
    secrets: &SeatSecrets,
    entropy: Entropy,
) -> Result<Vec<u8>, OperationError> {
    if is_zero(&Cipher { a: *a, b: *b }, owner, secrets)? {
        return Err(OperationError::False);
    }
    let y = secrets.lock_public();
    let transcript = Transcript::new("inequality", &phase.context(owner));
    let mut fork = transcript.clone();
    fork.append_elements("difference", [a, b]);
    let mut stream = secrets.hedge(entropy).stream(&fork);
    let rho = Zeroizing::new(stream.scalar());
    let mu = Zeroizing::new(*rho * secrets.lock());
    let apart = |rho: &Scalar, mu: &Scalar, plus: &Element, minus: &Element| {
        Element::new(RistrettoPoint::multiscalar_mul([rho, &-mu], [plus.point(), minus.point()]))
    };
    let blinded = apart(&rho, &mu, b, a);
    let (w_rho, w_mu) = (Zeroizing::new(stream.scalar()), Zeroizing::new(stream.scalar()));
    let commitments = [apart(&w_rho, &w_mu, b, a), apart(&w_rho, &w_mu, y, &Element::base())];
    let c = challenge(transcript, [y, a, b, &blinded], &commitments);
    let mut message = Vec::with_capacity(LEN);
    message.extend_from_slice(blinded.bytes());
    message.extend_from_slice(c.as_bytes());
    message.extend_from_slice((*w_rho + c * *rho).as_bytes());
    message.extend_from_slice((*w_mu + c * *mu).as_bytes());
    Ok(message)
}

/// Verifies a message of [`prove_unequal`] by the seat of `key`, made in `phase`: a ciphertext (A, B) under
/// the lock of that seat does not encrypt zero.
///
/// # Errors
///
/// Fails if the message does not have 128 bytes, a part is not canonical, C is the neutral element, or the
/// proof does not hold.
fn check_unequal(
    Cipher { a, b }: &Cipher,
    phase: &Phase,
    key: &SeatKey,
    message: &[u8],
) -> Result<(), VerifyError> {
    let mut reader = Reader::exact(message, LEN)?;
    // Equal faces give C = 0 whatever the prover does.
    let blinded = reader.nonzero(Part::Difference)?;
    let [c, s_rho, s_mu] =
        [reader.scalar(Part::Response)?, reader.scalar(Part::Response)?, reader.scalar(Part::Response)?];
    let y = key.lock();
    let t1 =
        RistrettoPoint::vartime_multiscalar_mul([s_rho, -s_mu, -c], [b.point(), a.point(), blinded.point()]);
    let t2 = RistrettoPoint::vartime_double_scalar_mul_basepoint(&s_rho, y.point(), &-s_mu);
    let transcript = Transcript::new("inequality", &phase.context(key.seat()));
    let commitments = [t1, t2].map(Element::new);
    Equation::Unequal.require(challenge(transcript, [y, a, b, &blinded], &commitments) == c)
}

/// Appends the statement (Y, A, B, C) and the two commitments to the transcript, and returns the challenge
/// that it gives then.
fn challenge(mut transcript: Transcript, statement: [&Element; 4], commitments: &[Element; 2]) -> Scalar {
    transcript.append_elements("neq", statement);
    transcript.append_elements("t", commitments);
    transcript.challenge_scalar("c")
}
