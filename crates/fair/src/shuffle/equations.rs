//! The equations of a shuffle proof one by one: to name what failed, and to check the batch against.

use super::verify::Claim;
use crate::error::{Equation, VerifyError};
use crate::primitives::Element;
use crate::token::Cipher;
use alloc::vec::Vec;
use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::VartimeMultiscalarMul;

impl<const COLUMNS: usize> Claim<'_, COLUMNS> {
    /// Returns all equations that do not hold, in the order E1 to E5; empty if the proof is valid. Much
    /// slower than [`batch::claims_hold`](super::batch::claims_hold).
    pub(super) fn failing(&self) -> Vec<Equation> {
        let mut failing = Vec::new();
        let mut check = |holds: bool, equation| {
            if !holds {
                failing.push(equation);
            }
        };
        check(self.row_sums(), Equation::RowSums);
        check(self.product(), Equation::Product);
        check(self.committed_matrix(), Equation::Matrix);
        for column in 0..COLUMNS {
            check(self.reencryption(column), Equation::Reencryption { column });
        }
        for link in 0..self.inputs.len() {
            check(self.chain_link(link), Equation::Chain { link });
        }
        failing
    }

    /// Returns the first false equation as a fault. Call it only if the proof is false; for a valid one the
    /// answer (`Product`) is meaningless.
    pub(super) fn fault(&self) -> VerifyError {
        VerifyError::Equation(self.failing().into_iter().next().unwrap_or(Equation::Product))
    }

    /// Returns whether E1 holds, which says that the committed matrix counts every entry once: s₁G = t₁ + c(Σ
    /// c_j − Σ h_j).
    fn row_sums(&self) -> bool {
        let rows: RistrettoPoint = self.matrix.iter().map(Element::point).sum();
        let cards: RistrettoPoint = self.generators.cards.iter().take(self.inputs.len()).sum();
        RistrettoPoint::mul_base(&self.s[0]) == self.t[0].point() + (rows - cards) * self.c
    }

    /// Returns whether E2 holds, which says that the permuted weights have the same product as the weights
    /// u_j: s₂G = t₂ + c(ĉ_{N−1} − (Π u_j)H).
    fn product(&self) -> bool {
        let product: Scalar = self.u.iter().product();
        let last = self.chain.last().map_or(self.generators.chain, |link| *link.point());
        let claimed = last - self.generators.chain * product;
        RistrettoPoint::mul_base(&self.s[1]) == self.t[1].point() + claimed * self.c
    }

    /// Returns whether E3 holds, which says that the weights are permuted as the committed matrix says: s₃G +
    /// Σ s'_i h_i = t₃ + c Σ u_j c_j.
    fn committed_matrix(&self) -> bool {
        let left = RistrettoPoint::mul_base(&self.s[2])
            + sum(&self.s_prime, self.generators.cards.iter().take(self.inputs.len()));
        left == self.t[2].point() + sum(&self.u, self.matrix.iter().map(Element::point)) * self.c
    }

    /// Returns whether E4 holds for one column (0 faces, 1 backs), which says that the outputs re-encrypt the
    /// permuted inputs: Σ s'_i ẽ_i − s₄(G, Y) = t₄ + c Σ u_j e_j, in both halves of the ciphertexts. Panics
    /// if there is no such column.
    fn reencryption(&self, column: usize) -> bool {
        let half = |half: fn(&Cipher) -> &Element, base: RistrettoPoint| {
            let outputs = sum(&self.s_prime, self.outputs.iter().map(|entry| half(&entry[column]).point()));
            let inputs = sum(&self.u, self.inputs.iter().map(|entry| half(&entry[column]).point()));
            outputs - base == half(&self.t4[column]).point() + inputs * self.c
        };
        half(|cipher| &cipher.a, RistrettoPoint::mul_base(&self.s4[column]))
            && half(|cipher| &cipher.b, self.lock.element.point() * self.s4[column])
    }

    /// Returns whether E5 holds for one link, which says that the chain multiplies in permuted weight number
    /// `link`: ŝ_iG + s'_i ĉ_{i−1} = t̂_i + c ĉ_i, where ĉ_{−1} = H. Panics if there is no such link.
    fn chain_link(&self, link: usize) -> bool {
        let previous = match link.checked_sub(1) {
            Some(previous) => self.chain[previous].point(),
            None => &self.generators.chain,
        };
        RistrettoPoint::mul_base(&self.s_hat[link]) + previous * self.s_prime[link]
            == self.chain_nonces[link].point() + self.chain[link].point() * self.c
    }
}

/// Returns Σ scalar·point. The lists must be equally long. Not constant-time.
fn sum<'a>(scalars: &[Scalar], points: impl Iterator<Item = &'a RistrettoPoint>) -> RistrettoPoint {
    let points: Vec<&RistrettoPoint> = points.collect();
    RistrettoPoint::vartime_multiscalar_mul(scalars, points)
}
