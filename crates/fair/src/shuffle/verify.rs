//! The verifier: all equations in one multiplication.

use super::prove::open;
use super::wire::Layout;
use super::{Entry, Generators};
use crate::error::{Fault, Part};
use crate::keys::LockKey;
use crate::primitives::{Element, Reader, Transcript};
use crate::token::Cipher;
use alloc::vec::Vec;
use curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT;
use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::{IsIdentity, VartimeMultiscalarMul};

/// A decoded claim to have shuffled, with its challenges: everything the equations speak about.
pub(crate) struct Claim<'a, const COLUMNS: usize> {
    pub(super) lock: &'a LockKey,
    pub(super) generators: &'a Generators,
    pub(super) inputs: &'a [Entry<COLUMNS>],
    pub(super) outputs: Vec<Entry<COLUMNS>>,
    /// c_j
    pub(super) matrix: Vec<Element>,
    /// ĉ_i
    pub(super) chain: Vec<Element>,
    /// t̂_i
    pub(super) chain_nonces: Vec<Element>,
    /// t₁, t₂, t₃
    pub(super) t: [Element; 3],
    /// t₄ of each column
    pub(super) t4: [Cipher; COLUMNS],
    /// s₁, s₂, s₃
    pub(super) s: [Scalar; 3],
    /// s₄ of each column
    pub(super) s4: [Scalar; COLUMNS],
    /// ŝ_i
    pub(super) s_hat: Vec<Scalar>,
    /// s'_i
    pub(super) s_prime: Vec<Scalar>,
    /// u_j
    pub(super) u: Vec<Scalar>,
    /// c
    pub(super) c: Scalar,
    /// Weights ϱ of E1–E4.
    rho: Vec<Scalar>,
    /// Weights γ of the chain. They are negative: −γ stands before the points t̂, and should be short.
    gamma: Vec<Scalar>,
}

impl<'a, const COLUMNS: usize> Claim<'a, COLUMNS> {
    /// Checks the length, decodes every value canonically and draws the challenges.
    pub(super) fn decode(
        mut transcript: Transcript,
        lock: &'a LockKey,
        generators: &'a Generators,
        inputs: &'a [Entry<COLUMNS>],
        message: &[u8],
    ) -> Result<Self, Fault> {
        let n = inputs.len();
        let layout = Layout::new(n, COLUMNS);
        let mut reader = Reader::exact(message, layout.len())?;
        let mut cipher = |part| Ok(Cipher { a: reader.element(part)?, b: reader.element(part)? });
        let mut outputs = Vec::with_capacity(n);
        for _ in 0..n {
            outputs.push(columns(|| cipher(Part::Token))?);
        }
        let matrix = reader.elements(n, Part::Commitment)?;
        let chain = reader.elements(n, Part::Commitment)?;
        let chain_nonces = reader.elements(n, Part::Commitment)?;
        let mut commitment = || reader.element(Part::Commitment);
        let t = [commitment()?, commitment()?, commitment()?];
        let t4 = columns(|| Ok(Cipher { a: commitment()?, b: commitment()? }))?;
        let mut response = || reader.scalar(Part::Response);
        let s = [response()?, response()?, response()?];
        let s4 = columns(&mut response)?;
        let s_hat = reader.scalars(n, Part::Response)?;
        let s_prime = reader.scalars(n, Part::Response)?;

        let part = |range| message.get(range).unwrap_or_default();
        open(&mut transcript, &lock.element, inputs);
        transcript.append("out", part(layout.outputs()));
        transcript.append("cp", part(layout.matrix()));
        let u = transcript.challenge_scalars("u", n);
        transcript.append("ch", part(layout.chain()));
        transcript.append("t", part(layout.nonces()));
        transcript.append("th", part(layout.chain_nonces()));
        let c = transcript.challenge_scalar("c");
        transcript.append("resp", part(layout.responses()));
        let mut rho = transcript.challenge_scalars("batch", n + 3 + 2 * COLUMNS);
        let gamma = rho.split_off(3 + 2 * COLUMNS).iter().map(|weight| -half(weight)).collect();
        Ok(Self {
            lock,
            generators,
            inputs,
            outputs,
            matrix,
            chain,
            chain_nonces,
            t,
            t4,
            s,
            s4,
            s_hat,
            s_prime,
            u,
            c,
            rho,
            gamma,
        })
    }

    pub(super) fn into_outputs(self) -> Vec<Entry<COLUMNS>> {
        self.outputs
    }

    /// Whether the weighted sum of all equations is the neutral element: one multiplication of 8N + 8 terms. The weights
    /// come from the transcript, so every verifier gets the same verdict.
    pub(super) fn holds_at_once(&self) -> bool {
        let n = self.inputs.len();
        let mut terms = Terms::with_capacity((4 + 4 * COLUMNS) * n + 6 + 2 * COLUMNS);
        let (c, rho, gamma) = (self.c, &self.rho, &self.gamma);
        let product: Scalar = self.u.iter().product();

        let mut base: Scalar = (0..3).map(|k| rho[k] * self.s[k]).sum();
        base += gamma.iter().zip(&self.s_hat).map(|(gamma, s)| gamma * s).sum::<Scalar>();
        let mut key = Scalar::ZERO;
        for column in 0..COLUMNS {
            let [rho_a, rho_b] = [rho[3 + 2 * column], rho[4 + 2 * column]];
            base -= rho_a * self.s4[column];
            key -= rho_b * self.s4[column];
            terms.push(-rho_a, self.t4[column].a.point());
            terms.push(-rho_b, self.t4[column].b.point());
            for i in 0..n {
                terms.push(rho_a * self.s_prime[i], self.outputs[i][column].a.point());
                terms.push(rho_b * self.s_prime[i], self.outputs[i][column].b.point());
                let weight = c * self.u[i];
                let Cipher { a, b } = &self.inputs[i][column];
                // Public cards enter a pile with a = 0: nothing to multiply.
                if !a.is_identity() {
                    terms.push(-rho_a * weight, a.point());
                }
                terms.push(-rho_b * weight, b.point());
            }
        }
        terms.push(base, &RISTRETTO_BASEPOINT_POINT);
        terms.push(key, self.lock.element.point());
        terms.push(rho[1] * c * product + gamma[0] * self.s_prime[0], &self.generators.chain);
        for (rho, t) in rho.iter().zip(&self.t) {
            terms.push(-rho, t.point());
        }
        for i in 0..n {
            terms.push(rho[0] * c + rho[2] * self.s_prime[i], &self.generators.cards[i]);
            terms.push(-c * (rho[0] + rho[2] * self.u[i]), self.matrix[i].point());
            terms.push(-gamma[i], self.chain_nonces[i].point());
            let onward = if i + 1 < n { gamma[i + 1] * self.s_prime[i + 1] } else { -rho[1] * c };
            terms.push(onward - c * gamma[i], self.chain[i].point());
        }
        terms.sum().is_identity()
    }
}

/// One value per column.
fn columns<T, const COLUMNS: usize>(
    mut value: impl FnMut() -> Result<T, Fault>,
) -> Result<[T; COLUMNS], Fault> {
    let values = (0..COLUMNS).map(|_| value()).collect::<Result<Vec<T>, Fault>>()?;
    values.try_into().map_err(|values: Vec<T>| Fault::Length { expected: COLUMNS, found: values.len() })
}

/// The lower half of a weight. 128 bits are as safe as the group, and a multiplication by half the digits takes half the
/// time; only weights that stand alone before a point gain by it.
fn half(weight: &Scalar) -> Scalar {
    let mut bytes = weight.to_bytes();
    bytes[16..].fill(0);
    Scalar::from_bytes_mod_order(bytes)
}

/// The terms of a sum of multiples of public points.
struct Terms<'a> {
    scalars: Vec<Scalar>,
    points: Vec<&'a RistrettoPoint>,
}

impl<'a> Terms<'a> {
    fn with_capacity(n: usize) -> Self {
        Self { scalars: Vec::with_capacity(n), points: Vec::with_capacity(n) }
    }

    fn push(&mut self, scalar: Scalar, point: &'a RistrettoPoint) {
        self.scalars.push(scalar);
        self.points.push(point);
    }

    fn sum(&self) -> RistrettoPoint {
        RistrettoPoint::vartime_multiscalar_mul(&self.scalars, self.points.iter().copied())
    }
}
