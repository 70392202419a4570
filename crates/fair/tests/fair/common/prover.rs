//! Provers written from the protocol document alone. Each takes the equations to cheat in: honest, they pin
//! down every label and every value of the transcript; dishonest, they violate one equation and satisfy all
//! others.

use super::{bytes, context, point};
use pentarchy_fair::primitives::curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT as G;
use pentarchy_fair::primitives::curve25519_dalek::ristretto::RistrettoPoint;
use pentarchy_fair::primitives::curve25519_dalek::scalar::Scalar;
use pentarchy_fair::primitives::{Drbg, Transcript};
use pentarchy_fair::{CipherToken, LockKey, Phase, Private};

pub fn scalar(n: u64) -> Scalar {
    Scalar::from(n)
}

fn response(parts: &[Scalar]) -> Vec<u8> {
    parts.iter().flat_map(|part| part.to_bytes()).collect()
}

/// Schnorr with `x` for `y`, whether or not y = xG.
pub fn schnorr(label: &str, ctx: &[u8], x: Scalar, y: RistrettoPoint) -> Vec<u8> {
    let mut t = Transcript::new(label, ctx);
    t.append("Y", &bytes(&[y]));
    let w = Drbg::new(ctx, "test").scalar();
    t.append("t", &bytes(&[G * w]));
    let c = t.challenge_scalar("c");
    response(&[c, w + c * x])
}

/// DLEQ for (G, y; bases, images) as if all logarithms were `x`.
pub fn dleq(
    label: &str,
    ctx: &[u8],
    x: Scalar,
    y: RistrettoPoint,
    bases: &[RistrettoPoint],
    images: &[RistrettoPoint],
) -> Vec<u8> {
    let mut t = Transcript::new(label, ctx);
    t.append("Y", &bytes(&[y]));
    t.append("A", &bytes(bases));
    t.append("D", &bytes(images));
    let base: RistrettoPoint = if bases.len() == 1 {
        bases[0]
    } else {
        t.challenge_scalars("w", bases.len()).iter().zip(bases).map(|(w, base)| base * w).sum()
    };
    let w = Drbg::new(ctx, "test").scalar();
    t.append("t1", &bytes(&[G * w]));
    t.append("t2", &bytes(&[base * w]));
    let c = t.challenge_scalar("c");
    response(&[c, w + c * x])
}

/// A lift of `token` to (a', b') under `lock` as if the witnesses were `x` and `r`.
pub fn lift(
    phase: &Phase,
    token: &Private,
    lock: &LockKey,
    y: RistrettoPoint,
    lifted: [RistrettoPoint; 2],
    x: Scalar,
    r: Scalar,
) -> Vec<u8> {
    let ctx = context(phase, token.owner().index());
    let (a, b) = super::cipher(&CipherToken::Private(*token));
    let target = point(lock.bytes());
    let mut t = Transcript::new("lift", &ctx);
    t.append("YA", &bytes(&[y]));
    t.append("YR", lock.bytes());
    t.append("io", &bytes(&[a, b, lifted[0], lifted[1]]));
    let mut stream = Drbg::new(&ctx, "test");
    let (w_x, w_r) = (stream.scalar(), stream.scalar());
    t.append("t", &bytes(&[G * w_x, G * w_r, target * w_r - a * w_x]));
    let c = t.challenge_scalar("c");
    let mut message = bytes(&lifted);
    message.extend(response(&[c, w_x + c * x, w_r + c * r]));
    message
}

/// An either–or proof over `branches` of pairs (A, D), as if `x` satisfied branch `truth`.
pub fn either(
    mut t: Transcript,
    x: Scalar,
    y: RistrettoPoint,
    branches: &[Vec<(RistrettoPoint, RistrettoPoint)>],
    truth: usize,
) -> Vec<u8> {
    let mut stream = Drbg::new(b"either", "test");
    let mut parts: Vec<(Scalar, Scalar)> =
        branches.iter().map(|_| (stream.scalar(), stream.scalar())).collect();
    let w = stream.scalar();
    let mut commitments = Vec::new();
    for (i, (branch, (e, s))) in branches.iter().zip(&parts).enumerate() {
        let (e, s) = if i == truth { (Scalar::ZERO, w) } else { (*e, *s) };
        commitments.push(G * s - y * e);
        commitments.extend(branch.iter().map(|(a, d)| a * s - d * e));
    }
    t.append("t", &bytes(&commitments));
    let c = t.challenge_scalar("c");
    let others: Scalar = parts.iter().enumerate().filter(|(i, _)| *i != truth).map(|(_, (e, _))| e).sum();
    parts[truth] = (c - others, w + (c - others) * x);
    parts.iter().flat_map(|(e, s)| response(&[*e, *s])).collect()
}

/// The transcript of a branch claim; a pair is (token index, face point).
pub fn branches_transcript(
    phase: &Phase,
    seat: u8,
    y: RistrettoPoint,
    tokens: &[CipherToken],
    branches: &[Vec<(u32, RistrettoPoint)>],
) -> Transcript {
    let mut t = Transcript::new("branches", &context(phase, seat));
    t.append("Y", &bytes(&[y]));
    t.append("ct", &tokens.iter().flat_map(CipherToken::to_bytes).collect::<Vec<u8>>());
    let mut list = (branches.len() as u32).to_le_bytes().to_vec();
    for branch in branches {
        list.extend((branch.len() as u32).to_le_bytes());
        for (token, face) in branch {
            list.extend(token.to_le_bytes());
            list.extend(bytes(&[*face]));
        }
    }
    t.append("br", &list);
    t
}

/// An inequality proof about (A, B) with `c_point` as C, as if the witnesses were `rho` and `mu`.
pub fn unequal(
    phase: &Phase,
    seat: u8,
    y: RistrettoPoint,
    [a, b]: [RistrettoPoint; 2],
    c_point: RistrettoPoint,
    rho: Scalar,
    mu: Scalar,
) -> Vec<u8> {
    let mut t = Transcript::new("inequality", &context(phase, seat));
    t.append("neq", &bytes(&[y, a, b, c_point]));
    let mut stream = Drbg::new(b"unequal", "test");
    let (w_rho, w_mu) = (stream.scalar(), stream.scalar());
    t.append("t", &bytes(&[b * w_rho - a * w_mu, y * w_rho - G * w_mu]));
    let c = t.challenge_scalar("c");
    let mut message = bytes(&[c_point]);
    message.extend(response(&[c, w_rho + c * rho, w_mu + c * mu]));
    message
}
