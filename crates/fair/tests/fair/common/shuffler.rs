//! A shuffle prover that commits to any matrix, uses any other, and outputs anything.

use super::{bytes, point};
use pentarchy_fair::primitives::curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT as G;
use pentarchy_fair::primitives::curve25519_dalek::ristretto::RistrettoPoint;
use pentarchy_fair::primitives::curve25519_dalek::scalar::Scalar;
use pentarchy_fair::primitives::{Drbg, Transcript, hash_to_group};

pub type Matrix = Vec<Vec<Scalar>>;
/// (a, b) in each column.
pub type Entry = Vec<[RistrettoPoint; 2]>;

/// What the prover does; see [`Shuffler::honest`].
#[derive(Clone)]
pub struct Shuffler {
    pub ctx: Vec<u8>,
    pub key: RistrettoPoint,
    pub inputs: Vec<Entry>,
    /// Row i, column j: how much of input j is in output i, as committed.
    pub committed: Matrix,
    /// The same as used everywhere else.
    pub used: Matrix,
    /// ρ_j per column.
    pub masks: Vec<Vec<Scalar>>,
    pub outputs: Vec<Entry>,
    /// Bend one link of the chain so that its end has the right product.
    pub bent_link: Option<usize>,
    /// Generators of the prover's choice instead of the hashed ones.
    pub prepared: Option<Vec<RistrettoPoint>>,
}

pub fn identity(n: usize) -> Matrix {
    map(&(0..n).collect::<Vec<_>>())
}

/// The matrix that puts input `psi[i]` at place i.
pub fn map(psi: &[usize]) -> Matrix {
    let one = |hit| if hit { Scalar::ONE } else { Scalar::ZERO };
    psi.iter().map(|j| (0..psi.len()).map(|k| one(k == *j)).collect()).collect()
}

/// Solves mᵀ·outputs = targets by elimination.
fn solve_transposed(m: &Matrix, targets: &[Entry]) -> Vec<Entry> {
    let n = m.len();
    let mut rows: Vec<Vec<Scalar>> = (0..n).map(|j| (0..n).map(|i| m[i][j]).collect()).collect();
    let mut values = targets.to_vec();
    for pivot in 0..n {
        let found = (pivot..n).find(|r| rows[*r][pivot] != Scalar::ZERO).unwrap();
        rows.swap(pivot, found);
        values.swap(pivot, found);
        let scale = rows[pivot][pivot].invert();
        rows[pivot].iter_mut().for_each(|x| *x *= scale);
        values[pivot].iter_mut().flatten().for_each(|x| *x *= scale);
        for r in (0..n).filter(|r| *r != pivot) {
            let factor = rows[r][pivot];
            for k in 0..n {
                let term = rows[pivot][k] * factor;
                rows[r][k] -= term;
            }
            for column in 0..values[r].len() {
                for half in 0..2 {
                    let term = values[pivot][column][half] * factor;
                    values[r][column][half] -= term;
                }
            }
        }
    }
    values
}

/// Inputs with their masks: what the outputs must be, permuted.
pub fn masked(inputs: &[Entry], masks: &[Vec<Scalar>], key: RistrettoPoint) -> Vec<Entry> {
    let mask = |j: usize| {
        let column =
            |(c, [a, b]): (usize, &[RistrettoPoint; 2])| [a + G * masks[c][j], b + key * masks[c][j]];
        inputs[j].iter().enumerate().map(column).collect()
    };
    (0..inputs.len()).map(mask).collect()
}

impl Shuffler {
    /// A prover consistent with the matrix `m` in every equation that any matrix can satisfy.
    pub fn with_matrix(ctx: &[u8], key: &[u8], inputs: &[Entry], m: Matrix) -> Self {
        let key = point(key);
        let mut stream = Drbg::new(ctx, "masks");
        let masks: Vec<Vec<Scalar>> =
            inputs[0].iter().map(|_| inputs.iter().map(|_| stream.scalar()).collect()).collect();
        let outputs = solve_transposed(&m, &masked(inputs, &masks, key));
        Self {
            ctx: ctx.to_vec(),
            key,
            inputs: inputs.to_vec(),
            committed: m.clone(),
            used: m,
            masks,
            outputs,
            bent_link: None,
            prepared: None,
        }
    }

    /// An honest prover.
    pub fn honest(ctx: &[u8], key: &[u8], inputs: &[Entry], psi: &[usize]) -> Self {
        Self::with_matrix(ctx, key, inputs, map(psi))
    }

    pub fn message(&self) -> Vec<u8> {
        let n = self.inputs.len();
        let columns = self.masks.len();
        let generator = |i: usize| *hash_to_group("shuffle h", &(i as u32).to_le_bytes()).point();
        let h = self.prepared.clone().unwrap_or_else(|| (0..n).map(generator).collect());
        let start = *hash_to_group("shuffle H", &[]).point();
        let flat =
            |entries: &[Entry]| bytes(&entries.iter().flatten().flatten().copied().collect::<Vec<_>>());
        let mut t = Transcript::new(if columns == 1 { "shuffle" } else { "shuffle2" }, &self.ctx);
        t.append("Y", &bytes(&[self.key]));
        t.append("n", &(n as u32).to_le_bytes());
        t.append("in", &flat(&self.inputs));
        t.append("out", &flat(&self.outputs));

        let mut stream = Drbg::new(&self.ctx, "shuffler");
        let r: Vec<Scalar> = (0..n).map(|_| stream.scalar()).collect();
        let commit =
            |j: usize| G * r[j] + (0..n).map(|i| h[i] * self.committed[i][j]).sum::<RistrettoPoint>();
        let matrix: Vec<RistrettoPoint> = (0..n).map(commit).collect();
        t.append("cp", &bytes(&matrix));
        let u = t.challenge_scalars("u", n);
        let dot = |x: &[Scalar], y: &[Scalar]| x.iter().zip(y).map(|(x, y)| x * y).sum::<Scalar>();
        let u_used: Vec<Scalar> = self.used.iter().map(|row| dot(row, &u)).collect();

        let r_hat: Vec<Scalar> = (0..n).map(|_| stream.scalar()).collect();
        let bend = u.iter().product::<Scalar>() * u_used.iter().product::<Scalar>().invert();
        let (mut chain, mut big_r, mut big_u) = (Vec::new(), Scalar::ZERO, Scalar::ONE);
        for i in 0..n {
            big_r = r_hat[i] + u_used[i] * big_r;
            big_u *= u_used[i];
            if self.bent_link == Some(i) {
                big_u *= bend;
            }
            chain.push(G * big_r + start * big_u);
        }
        t.append("ch", &bytes(&chain));

        let omega: Vec<Scalar> = (0..3).map(|_| stream.scalar()).collect();
        let omega4: Vec<Scalar> = (0..columns).map(|_| stream.scalar()).collect();
        let omega_hat: Vec<Scalar> = (0..n).map(|_| stream.scalar()).collect();
        let omega_prime: Vec<Scalar> = (0..n).map(|_| stream.scalar()).collect();
        let sum = |points: &mut dyn Iterator<Item = RistrettoPoint>| {
            points.zip(&omega_prime).map(|(point, omega)| point * omega).sum::<RistrettoPoint>()
        };
        let mut nonces = vec![G * omega[0], G * omega[1], G * omega[2] + sum(&mut h.iter().copied())];
        for column in 0..columns {
            for (half, base) in [G, self.key].into_iter().enumerate() {
                let outputs = sum(&mut self.outputs.iter().map(|entry| entry[column][half]));
                nonces.push(outputs - base * omega4[column]);
            }
        }
        let before = |i: usize| if i == 0 { start } else { chain[i - 1] };
        let chain_nonces: Vec<RistrettoPoint> =
            (0..n).map(|i| G * omega_hat[i] + before(i) * omega_prime[i]).collect();
        t.append("t", &bytes(&nonces));
        t.append("th", &bytes(&chain_nonces));
        let c = t.challenge_scalar("c");

        let mut responses =
            vec![omega[0] + c * r.iter().sum::<Scalar>(), omega[1] + c * big_r, omega[2] + c * dot(&r, &u)];
        responses.extend((0..columns).map(|column| omega4[column] + c * dot(&self.masks[column], &u)));
        responses.extend((0..n).map(|i| omega_hat[i] + c * r_hat[i]));
        responses.extend((0..n).map(|i| omega_prime[i] + c * u_used[i]));
        let mut message = flat(&self.outputs);
        message.extend(bytes(&matrix));
        message.extend(bytes(&chain));
        message.extend(bytes(&chain_nonces));
        message.extend(bytes(&nonces));
        message.extend(responses.iter().flat_map(Scalar::to_bytes));
        message
    }
}
