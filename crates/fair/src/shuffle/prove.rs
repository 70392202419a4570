//! The prover of shuffles.

use super::wire::Layout;
use super::{Entry, Generators};
use crate::keys::PreparedLock;
use crate::primitives::{Drbg, Element, Transcript, encode_doubles};
use crate::secrets::Nonces;
use crate::token::Cipher;
use alloc::vec::Vec;
use core::ops::Range;
use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::MultiscalarMul;
use zeroize::Zeroizing;

/// A message under construction: every part goes into the transcript as it is written.
struct Writer {
    /// The bytes written so far.
    message: Vec<u8>,
    /// The transcript of the proof.
    transcript: Transcript,
}

impl Writer {
    /// Appends encoded points to the message, and to the transcript as one value under `label`.
    fn points(&mut self, label: &str, encodings: impl IntoIterator<Item = [u8; 32]>) {
        let start = self.message.len();
        self.message.extend(encodings.into_iter().flatten());
        self.transcript.append(label, self.message.get(start..).unwrap_or_default());
    }
}

/// Appends what is fixed before the prover does anything to the transcript: the joint lock key, the number of
/// the inputs, and the inputs in order.
pub(super) fn open<const COLUMNS: usize>(
    transcript: &mut Transcript,
    key: &Element,
    inputs: &[Entry<COLUMNS>],
) {
    transcript.append("Y", key.bytes());
    transcript.append("n", &(inputs.len() as u32).to_le_bytes());
    let bytes: Vec<u8> = inputs.iter().flatten().flat_map(|cipher| cipher.to_bytes()).collect();
    transcript.append("in", &bytes);
}

/// Shuffles `inputs` and proves it. Returns the outputs and the message `outputs ‖ proof`. The caller must
/// have checked that the inputs are not more than the generators, and that `arrangement`, if given, is a
/// permutation of their indices; without one the order is random.
///
/// All arithmetic on secrets is constant-time; places in memory do depend on the permutation.
pub(crate) fn prove<const COLUMNS: usize>(
    mut transcript: Transcript,
    lock: &PreparedLock,
    generators: &Generators,
    inputs: &[Entry<COLUMNS>],
    arrangement: Option<&[u32]>,
    nonces: &impl Nonces,
) -> (Vec<Entry<COLUMNS>>, Vec<u8>) {
    let n = inputs.len();
    open(&mut transcript, &lock.key.element, inputs);
    let (psi, mut stream) = draw_order(&transcript, n, arrangement, nonces);
    let masks: [_; COLUMNS] = core::array::from_fn(|_| stream.scalars(n));
    let outputs = remask(lock, inputs, &psi, &masks);

    let mut writer = Writer { message: Vec::with_capacity(Layout::new(n, COLUMNS).len()), transcript };
    writer.points("out", outputs.iter().flatten().flat_map(|cipher| [*cipher.a.bytes(), *cipher.b.bytes()]));

    // Commit to the permutation matrix, column by column.
    let r = stream.scalars(n);
    let mut halves = alloc::vec![RistrettoPoint::default(); n];
    for (&j, half) in psi.iter().zip(&generators.halves) {
        halves[j as usize] = RistrettoPoint::mul_base(&r[j as usize].div_by_2()) + half;
    }
    writer.points("cp", encode_doubles(&halves));
    let u = writer.transcript.challenge_scalars("u", n);
    let permuted = Zeroizing::new(psi.iter().map(|&j| u[j as usize]).collect::<Vec<_>>());

    // The chain ĉ_i = R_i G + U_i H shows that the permuted challenges have the same product as the challenges.
    let r_hat = stream.scalars(n);
    let chain = Chain::new(&r_hat, &permuted);
    writer.points("ch", combine(generators, chain.links(1..n + 1)));

    let omega = stream.scalars(3);
    let omega4: [_; COLUMNS] = core::array::from_fn(|_| Zeroizing::new(stream.scalar()));
    let omega_hat = stream.scalars(n);
    let omega_prime = stream.scalars(n);
    let t3 = RistrettoPoint::mul_base(&omega[2])
        + RistrettoPoint::multiscalar_mul(omega_prime.iter(), generators.cards.iter().take(n));
    let mut commitments =
        alloc::vec![RistrettoPoint::mul_base(&omega[0]), RistrettoPoint::mul_base(&omega[1]), t3];
    for (column, omega4) in omega4.iter().enumerate() {
        let sum = |half: fn(&Cipher) -> &Element| {
            let points = outputs.iter().map(|entry| half(&entry[column]).point());
            RistrettoPoint::multiscalar_mul(omega_prime.iter(), points)
        };
        commitments.push(sum(|cipher| &cipher.a) - RistrettoPoint::mul_base(omega4));
        commitments.push(sum(|cipher| &cipher.b) - &*lock.table * &**omega4);
    }
    let chain_nonces = Zeroizing::new(
        chain
            .links(0..n)
            .zip(omega_hat.iter().zip(omega_prime.iter()))
            .map(|((big_r, big_u), (hat, prime))| (hat + prime * big_r, prime * big_u))
            .collect::<Vec<_>>(),
    );
    let chain_nonces = combine(generators, chain_nonces.iter().copied());
    // On the wire the commitments of the chain come first, in the transcript last.
    writer.message.extend(chain_nonces.as_flattened());
    writer.points("t", commitments.iter().map(|point| point.compress().to_bytes()));
    writer.transcript.append("th", chain_nonces.as_flattened());

    let c = writer.transcript.challenge_scalar("c");
    let weighted = |values: &[Scalar]| values.iter().zip(&u).map(|(value, u)| value * u).sum::<Scalar>();
    let mut respond = |nonce: &Scalar, secret: &Scalar| {
        writer.message.extend_from_slice((nonce + c * secret).as_bytes());
    };
    respond(&omega[0], &r.iter().sum());
    respond(&omega[1], &chain.last_r());
    respond(&omega[2], &weighted(&r));
    for (omega4, masks) in omega4.iter().zip(&masks) {
        respond(omega4, &weighted(masks));
    }
    for (omega, r) in omega_hat.iter().zip(r_hat.iter()) {
        respond(omega, r);
    }
    for (omega, u) in omega_prime.iter().zip(permuted.iter()) {
        respond(omega, u);
    }
    (outputs, writer.message)
}

/// Returns the permutation of `0..n` (the arrangement, or a random one) and the stream of nonces for the rest
/// of the proof.
fn draw_order(
    transcript: &Transcript,
    n: usize,
    arrangement: Option<&[u32]>,
    nonces: &impl Nonces,
) -> (Zeroizing<Vec<u32>>, Drbg) {
    match arrangement {
        None => {
            let mut stream = nonces.stream(transcript);
            (Zeroizing::new(stream.perm(n as u32)), stream)
        }
        Some(order) => {
            // Two arrangements of one pile must not share nonces, even if the entropy repeats.
            let mut fork = transcript.clone();
            let bytes: Zeroizing<Vec<u8>> =
                Zeroizing::new(order.iter().flat_map(|i| i.to_le_bytes()).collect());
            fork.append("order", &bytes);
            (Zeroizing::new(order.to_vec()), nonces.stream(&fork))
        }
    }
}

/// Returns the outputs: entry i is input ψ(i), re-encrypted in each column with the mask of that input.
fn remask<const COLUMNS: usize>(
    lock: &PreparedLock,
    inputs: &[Entry<COLUMNS>],
    psi: &[u32],
    masks: &[Zeroizing<Vec<Scalar>>; COLUMNS],
) -> Vec<Entry<COLUMNS>> {
    psi.iter()
        .map(|&j| {
            core::array::from_fn(|column| {
                let (cipher, mask) = (&inputs[j as usize][column], &masks[column][j as usize]);
                Cipher {
                    a: Element::new(cipher.a.point() + RistrettoPoint::mul_base(mask)),
                    b: Element::new(cipher.b.point() + &*lock.table * mask),
                }
            })
        })
        .collect()
}

/// The exponents (R_i, U_i) of the chain to the bases G and H, from (R_{−1}, U_{−1}) = (0, 1) on.
struct Chain(Zeroizing<Vec<(Scalar, Scalar)>>);

impl Chain {
    /// Computes the exponents of all links from their masks and the permuted challenges, which must be
    /// equally many.
    fn new(r_hat: &[Scalar], permuted: &[Scalar]) -> Self {
        let mut links = Zeroizing::new(Vec::with_capacity(r_hat.len() + 1));
        let (mut big_r, mut big_u) = (Scalar::ZERO, Scalar::ONE);
        links.push((big_r, big_u));
        for (r, u) in r_hat.iter().zip(permuted) {
            (big_r, big_u) = (r + u * big_r, u * big_u);
            links.push((big_r, big_u));
        }
        Self(links)
    }

    /// Iterates over the exponents (of G and H) of these links, where 0 is the start (0, 1); empty if the
    /// range is out of bounds.
    fn links(&self, range: Range<usize>) -> impl Iterator<Item = (Scalar, Scalar)> {
        self.0.get(range).unwrap_or_default().iter().copied()
    }

    /// Returns the exponent of G in the last link; 0 without links.
    fn last_r(&self) -> Scalar {
        self.0.last().map_or(Scalar::ZERO, |(big_r, _)| *big_r)
    }
}

/// Returns the encodings of xG + yH for all pairs (x, y), in order.
fn combine(generators: &Generators, pairs: impl Iterator<Item = (Scalar, Scalar)>) -> Vec<[u8; 32]> {
    let half = |(x, y): (Scalar, Scalar)| {
        RistrettoPoint::mul_base(&x.div_by_2()) + &*generators.chain_table * &y.div_by_2()
    };
    encode_doubles(&pairs.map(half).collect::<Vec<_>>())
}
