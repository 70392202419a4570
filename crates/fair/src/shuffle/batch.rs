//! The verifier: all equations of one shuffle, or of several that follow each other, in one multiplication.

use super::Entry;
use super::verify::Claim;
use crate::primitives::Transcript;
use alloc::vec::Vec;
use curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT;
use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::{IsIdentity, VartimeMultiscalarMul};

/// Returns whether all equations of all these claims hold; `true` for no claims. It does not say which claim
/// is false. All claims must be about one lock and one set of generators. If the outputs of one claim and the
/// inputs of the next are the same slice, it is verified faster.
///
/// The equations are weighted with numbers that depend on everything claimed, so every verifier gets the same
/// verdict: for one claim they come from its own transcript, for several from one over all of them.
pub(super) fn claims_hold<const COLUMNS: usize>(claims: &[Claim<'_, COLUMNS>]) -> bool {
    let mut sum = Sum::default();
    match claims {
        [claim] => sum.add(claim, &Weights::draw(&mut claim.transcript.clone(), claim)),
        claims => {
            let mut joint = Transcript::new("shuffles", &[]);
            for claim in claims {
                joint.append("proof", &claim.transcript.state());
            }
            for claim in claims {
                sum.add(claim, &Weights::draw(&mut joint, claim));
            }
        }
    }
    sum.vanishes(claims.first())
}

/// What the equations of a claim are multiplied with.
struct Weights<const COLUMNS: usize> {
    /// E1, E2, E3
    rho: [Scalar; 3],
    /// E4 of each column, in both halves
    rho4: [[Scalar; 2]; COLUMNS],
    /// The chain. They are negative: −γ stands before the points t̂, and should be short.
    gamma: Vec<Scalar>,
}

impl<const COLUMNS: usize> Weights<COLUMNS> {
    /// Draws the weights with which the equations of a claim are multiplied from `transcript`, which it
    /// advances. Those of the chain are cut to 128 bits and negated. The claim must have at least one input.
    fn draw(transcript: &mut Transcript, claim: &Claim<'_, COLUMNS>) -> Self {
        let drawn = transcript.challenge_scalars("batch", claim.inputs.len() + 3 + 2 * COLUMNS);
        let mut next = drawn.iter().copied();
        let mut next = || next.next().unwrap_or(Scalar::ONE);
        let rho = core::array::from_fn(|_| next());
        let rho4 = core::array::from_fn(|_| [next(), next()]);
        let gamma = claim.inputs.iter().map(|_| -half(&next())).collect();
        Self { rho, rho4, gamma }
    }
}

/// Returns the lower 128 bits of a weight. They are as safe as the group, and a multiplication by half the
/// digits takes half the time; only weights that stand alone before a point gain by it.
fn half(weight: &Scalar) -> Scalar {
    let mut bytes = weight.to_bytes();
    bytes[16..].fill(0);
    Scalar::from_bytes_mod_order(bytes)
}

/// What entries are multiplied with, in both halves of each column.
type Factors<const COLUMNS: usize> = Vec<[[Scalar; 2]; COLUMNS]>;

/// The weighted sum of equations: multiples of public points. Points that several claims speak about are met
/// once: the generators, the key, and the entries that one shuffle has put out and the next has taken in.
#[derive(Default)]
struct Sum<'a, const COLUMNS: usize> {
    /// The factors of `points`, in the same order.
    scalars: Vec<Scalar>,
    /// The points that only one claim speaks about.
    points: Vec<&'a RistrettoPoint>,
    /// The factors of G, Y and H.
    base: Scalar,
    key: Scalar,
    chain: Scalar,
    /// The factors of h_i.
    cards: Vec<Scalar>,
    /// The outputs of the last claim and their factors, which are not in the sum yet.
    last: Option<(&'a [Entry<COLUMNS>], Factors<COLUMNS>)>,
}

impl<'a, const COLUMNS: usize> Sum<'a, COLUMNS> {
    /// Adds the term `scalar · point` to the sum.
    fn push(&mut self, scalar: Scalar, point: &'a RistrettoPoint) {
        self.scalars.push(scalar);
        self.points.push(point);
    }

    /// Adds the ciphertexts of a pile to the sum, each half (a and b) multiplied by its factor. Both lists
    /// are in the order of the pile.
    fn entries(&mut self, entries: &'a [Entry<COLUMNS>], factors: &Factors<COLUMNS>) {
        for (entry, factors) in entries.iter().zip(factors) {
            for (cipher, [a, b]) in entry.iter().zip(factors) {
                // Public cards enter a pile with a = 0: nothing to multiply.
                if !cipher.a.is_identity() {
                    self.push(*a, cipher.a.point());
                }
                self.push(*b, cipher.b.point());
            }
        }
    }

    /// Adds all equations of a claim, which must have at least one input, with their weights. The outputs are
    /// held back until the next claim or the end: if they are the same slice as the inputs of the next claim,
    /// the factors are merged.
    fn add(&mut self, claim: &Claim<'a, COLUMNS>, weights: &Weights<COLUMNS>) {
        let Weights { rho, rho4, gamma } = weights;
        let (proof, c) = (claim.proof, claim.c);
        let n = claim.inputs.len();

        // E4: the entries before and after.
        let scaled = |factor: Scalar| rho4.map(|column| column.map(|rho| rho * factor));
        let mut inputs: Factors<COLUMNS> = proof.u.iter().map(|u| scaled(-(c * u))).collect();
        let outputs = proof.s_prime.iter().map(|s| scaled(*s)).collect();
        if let Some((entries, factors)) = self.last.replace((claim.outputs, outputs)) {
            if core::ptr::eq(entries, claim.inputs) {
                let both = inputs.iter_mut().flatten().flatten().zip(factors.iter().flatten().flatten());
                both.for_each(|(input, output)| *input += output);
            } else {
                self.entries(entries, &factors);
            }
        }
        self.entries(claim.inputs, &inputs);
        for ((t4, s4), [rho_a, rho_b]) in proof.t4.iter().zip(&proof.s4).zip(rho4) {
            self.base -= rho_a * s4;
            self.key -= rho_b * s4;
            self.push(-rho_a, t4.a.point());
            self.push(-rho_b, t4.b.point());
        }

        // E1 to E3, and the chain.
        self.base += rho.iter().zip(&proof.s).map(|(rho, s)| rho * s).sum::<Scalar>();
        self.base += gamma.iter().zip(&proof.s_hat).map(|(gamma, s)| gamma * s).sum::<Scalar>();
        self.chain += rho[1] * c * proof.u.iter().product::<Scalar>() + gamma[0] * proof.s_prime[0];
        for (rho, t) in rho.iter().zip(&proof.t) {
            self.push(-rho, t.point());
        }
        self.cards.resize(n.max(self.cards.len()), Scalar::ZERO);
        for i in 0..n {
            self.cards[i] += rho[0] * c + rho[2] * proof.s_prime[i];
            self.push(-c * (rho[0] + rho[2] * proof.u[i]), proof.matrix[i].point());
            self.push(-gamma[i], proof.chain_nonces[i].point());
            let onward = if i + 1 < n { gamma[i + 1] * proof.s_prime[i + 1] } else { -rho[1] * c };
            self.push(onward - c * gamma[i], proof.chain[i].point());
        }
    }

    /// Returns whether the sum is the neutral element, that is, whether all added equations hold. `about` is
    /// any of the claims and gives the lock and the generators; `None` (no claims) gives `true`.
    fn vanishes(mut self, about: Option<&Claim<'a, COLUMNS>>) -> bool {
        let Some(Claim { lock, generators, .. }) = about else { return true };
        if let Some((entries, factors)) = self.last.take() {
            self.entries(entries, &factors);
        }
        self.push(self.base, &RISTRETTO_BASEPOINT_POINT);
        self.push(self.key, lock.element.point());
        self.push(self.chain, &generators.chain);
        let cards = core::mem::take(&mut self.cards);
        cards.into_iter().zip(&generators.cards).for_each(|(scalar, card)| self.push(scalar, card));
        RistrettoPoint::vartime_multiscalar_mul(&self.scalars, self.points.iter().copied()).is_identity()
    }
}
