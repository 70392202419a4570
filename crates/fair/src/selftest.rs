//! The known-answer vectors of the protocol, checked by the very code that plays.
//!
//! A client may run them at its start: they show that this build, on this machine, in this browser, speaks
//! the same protocol as everybody else's.

use crate::dice;
use crate::faces::FacePoint;
use crate::keys::LockKey;
use crate::primitives::{Drbg, Element, Transcript};
use crate::proof::dleq;
use crate::seats::{PhaseId, SeatIndex, Seats};
use crate::secrets::Nonces;
use crate::shuffle::{Generators, prove};
use crate::token::Cipher;
use alloc::vec::Vec;
use core::num::NonZeroU32;
use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use thiserror::Error;

/// A vector that came out differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("known answer '{0}' came out differently")]
pub struct SelfTestError(pub &'static str);

/// Computes all known answers and compares them with the stored ones. It changes nothing and needs no
/// entropy. A client that gets an error must not play online: its build computes another protocol.
///
/// # Errors
///
/// Fails with the name of the first answer that differs.
pub fn known_answers() -> Result<(), SelfTestError> {
    points()?;
    transcript()?;
    generator()?;
    roll()?;
    equal_logs()?;
    shuffle()
}

/// Checks a vector: returns `Ok` if `holds` is true.
///
/// # Errors
///
/// Fails with `name`, the name of the vector, if `holds` is false.
fn expect(name: &'static str, holds: bool) -> Result<(), SelfTestError> {
    if holds { Ok(()) } else { Err(SelfTestError(name)) }
}

/// Compares `bytes` with a lower-case hexadecimal string.
///
/// # Errors
///
/// Fails with `name` if the bytes or their number differ.
fn expect_hex(name: &'static str, bytes: &[u8], hex: &str) -> Result<(), SelfTestError> {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let digits = digits.map(|nibble| char::from(b"0123456789abcdef"[usize::from(nibble)]));
    expect(name, digits.eq(hex.chars()))
}

/// Recomputes the points of faces and generators and compares them with the test vectors.
///
/// # Errors
///
/// Fails with the name of the first vector that differs.
fn points() -> Result<(), SelfTestError> {
    let expect = |name, element: &Element, hex| expect_hex(name, element.bytes(), hex);
    let face = |f| *FacePoint::new(f).element();
    expect("face(0)", &face(0), "ae6f0a1185a829e8ce2223d36d6cb0da024c17cf994a99443cbb6febbad86d0a")?;
    expect("face(109)", &face(109), "18d23977ab5af35ca5a9982db1790085a88abef87d389aca532944c42a4e1b77")?;
    let h = Generators::card;
    expect("H", &Generators::chain(), "725c599bf594c2821b5ce69e85a16b03282ba02f1bd75794420e53457873d156")?;
    expect("h_0", &h(0), "6eb770c672e39da9612085e1f3a90a15288395162e8c3499a58bf74f6290873a")?;
    expect("h_1", &h(1), "8c6083dca7073ee72e56dfab9d0f5e454db932ca39067a43b5063567c093e732")
}

/// Recomputes challenges of the transcript and compares them with the test vectors.
///
/// # Errors
///
/// Fails with the name of the first vector that differs.
fn transcript() -> Result<(), SelfTestError> {
    let mut transcript = Transcript::new("kat", b"ctx");
    transcript.append("x", b"abc");
    let mut expect = |hex| expect_hex("transcript", transcript.challenge_scalar("c").as_bytes(), hex);
    expect("ab56bf930941cc898f00d2e6f303b6cc9fbfe7f907eca901ed68badf4a827f04")?;
    expect("1cbddd384a8e9027329f5de6379647af8c7da7e3283742ccb8d249dded112a0a")
}

/// Draws numbers and permutations from the generator with a fixed seed and compares them with the test vectors.
///
/// # Errors
///
/// Fails with the name of the first vector that differs.
fn generator() -> Result<(), SelfTestError> {
    let mut drbg = Drbg::new(b"seed", "label");
    let scalar = drbg.scalar();
    expect_hex(
        "drbg scalar",
        scalar.as_bytes(),
        "aeb489b5c09f222431c7fc58820e9d4fd1a12f295a8d72fa92921b6224c4c00c",
    )?;
    let twenty = NonZeroU32::MIN.saturating_add(19);
    let numbers: [u32; 8] = core::array::from_fn(|_| drbg.below(twenty));
    expect("drbg below", numbers == [2, 2, 16, 3, 5, 6, 1, 17])?;
    expect("drbg perm", Drbg::new(b"seed", "perm").perm(10) == [1, 3, 9, 6, 5, 2, 4, 7, 0, 8])
}

/// Recomputes dice values and rolls and compares them with the test vectors.
///
/// # Errors
///
/// Fails with the name of the first vector that differs.
fn roll() -> Result<(), SelfTestError> {
    let phase = PhaseId(*blake3::hash(b"event").as_bytes());
    expect_hex("phase", &phase.0, "edb2097c7a9dfd9170ebe9b5f56563fe9836e37c8e6f5877565fe2482128e6b3")?;
    let values = [1_u64, 2, 3].map(|k| Element::new(dice::input(&phase).point() * Scalar::from(k)));
    expect_hex(
        "dice value",
        values[0].bytes(),
        "788960efbc701c86e6ba5e12d484b7aed5a689b35d46dcc82432c54e4a3ce519",
    )?;
    let die = |sides: u32| {
        let mut stream = dice::stream(&phase, values.iter().map(Element::bytes));
        stream.below(NonZeroU32::MIN.saturating_add(sides - 1)) + 1
    };
    expect("dice", [die(6), die(20), die(100)] == [6, 6, 66])
}

/// Computes a proof of equal logarithms with fixed secrets, compares it with the test vector, and verifies it.
///
/// # Errors
///
/// Fails with the name of the first vector that differs.
fn equal_logs() -> Result<(), SelfTestError> {
    let x = Scalar::from(7_u64);
    let y = Element::new(RistrettoPoint::mul_base(&x));
    let a = Element::new(RistrettoPoint::mul_base(&Scalar::from(11_u64)));
    let d = Element::new(a.point() * x);
    let statement = dleq::Statement { y: &y, bases: &[a], images: &[d] };
    let transcript = Transcript::new("kat", b"ctx");
    let proof = statement.prove(transcript.clone(), &x, |_| Drbg::new(b"nonce", "dleq").scalar());
    expect_hex(
        "dleq c",
        proof.c.as_bytes(),
        "47b0cfa03aee7b64b487a644381d9999dc020fbd561e2d743472ec9eddbd7804",
    )?;
    expect_hex(
        "dleq s",
        proof.s.as_bytes(),
        "1c6ca628009816c1c56c7e1a7e0ae1247fdf5ae9a2eb350d2721e7a58d822206",
    )?;
    expect("dleq verifies", statement.verify(transcript, &proof))
}

/// Reads all of a shuffle from one stream.
struct Fixed;

impl Nonces for Fixed {
    /// Returns the fixed stream of the vectors, whatever the transcript holds.
    fn stream(&self, _: &Transcript) -> Drbg {
        Drbg::new(b"seed", "shuffle")
    }
}

/// Shuffles a pile of four with fixed secrets and compares the order, the outputs and the proof with the test
/// vectors. Does not verify the proof.
///
/// # Errors
///
/// Fails with the name of the first vector that differs.
fn shuffle() -> Result<(), SelfTestError> {
    let x = Scalar::from(7_u64);
    let seats = SeatIndex::new(0).map(Seats::one).unwrap_or_default();
    let lock = LockKey { seats, element: Element::new(RistrettoPoint::mul_base(&x)) }.prepare();
    let Ok(generators) = Generators::new(4) else { return Err(SelfTestError("generators")) };
    let inputs: Vec<[Cipher; 1]> = (0..4).map(|f| [Cipher::trivial(*FacePoint::new(f).element())]).collect();
    let (outputs, message) = prove(Transcript::new("kat", b"ctx"), &lock, &generators, &inputs, None, &Fixed);
    let opened = outputs.iter().map(|[cipher]| cipher.b.point() - cipher.a.point() * x);
    let order = [2, 1, 3, 0].map(|f| *FacePoint::new(f).element().point());
    expect("shuffle order", opened.eq(order))?;
    let (list, proof) = message.split_at(4 * 64);
    expect("shuffle proof length", proof.len() == 928)?;
    let hash = |bytes: &[u8]| *blake3::hash(bytes).as_bytes();
    expect_hex(
        "shuffle list",
        &hash(list),
        "8f34cb83e433d9d657b3a76c11f3935524e34a1e01e7122130e632523e38ee38",
    )?;
    expect_hex(
        "shuffle proof",
        &hash(proof),
        "f44a5747dd4655f7c63bcbfc9df8e1468b78dcf77f815a2fa9b51f9e3525fc10",
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn known_answers() {
        assert_eq!(super::known_answers(), Ok(()));
    }
}
