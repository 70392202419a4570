//! Differential tests of the sigma protocols against the crate `sigma-proofs`, an independent implementation.
//!
//! The two implementations hash differently, so the tests compare the algebra: the transcript is ours, and
//! the oracle evaluates commitments, responses and verification equations. Every statement and every altered
//! response gets two verdicts, which must be equal. Deviation by design: our verifiers reject the neutral
//! element as a key, the oracle does not.

use super::{Response, dleq, either, schnorr};
use crate::primitives::{Drbg, Element, Transcript, hash_to_group};
use alloc::vec;
use alloc::vec::Vec;
use core::num::NonZeroU32;
use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use sigma_proofs::composition::{ComposedCommitment, ComposedInstance, ComposedResponse, ComposedWitness};
use sigma_proofs::traits::{SigmaProtocol, SigmaProtocolSimulator};
use sigma_proofs::{Instance, LinearRelation, ProverRng};
use subtle::Choice;

/// Random statements per test. Each is verified with an honest and with several altered responses.
const CASES: u32 = 150;

/// How often both implementations accepted a proof, and how often both rejected it.
#[derive(Debug, Default)]
struct Verdicts {
    accepted: usize,
    rejected: usize,
}

impl Verdicts {
    /// Counts a verdict. Panics if the two verifiers disagree.
    fn compare(&mut self, case: &str, ours: bool, oracle: bool) {
        assert_eq!(ours, oracle, "{case}: our verifier says {ours}, the oracle {oracle}");
        if ours {
            self.accepted += 1;
        } else {
            self.rejected += 1;
        }
    }

    /// Panics unless both verdicts occurred often enough: a comparison in which one never occurs shows
    /// nothing.
    fn require_both(&self) {
        assert!(self.accepted >= 50 && self.rejected >= 50, "{self:?}");
    }
}

/// The inputs of one case, drawn from its number.
struct Draw(Drbg);

impl Draw {
    /// Creates the generator of a test case.
    fn new(test: &str, case: u32) -> Self {
        Self(Drbg::new(&case.to_le_bytes(), test))
    }

    /// Draws a number below `n`, which must not be 0.
    fn below(&mut self, n: u32) -> usize {
        self.0.below(NonZeroU32::new(n).unwrap()) as usize
    }

    /// Draws a scalar.
    fn scalar(&mut self) -> Scalar {
        self.0.scalar()
    }

    /// Draws a point.
    fn point(&mut self) -> RistrettoPoint {
        let mut seed = [0; 32];
        self.0.fill(&mut seed);
        *hash_to_group("oracle", &seed).point()
    }

    /// Creates a generator for the oracle's prover.
    fn rng(&mut self) -> ProverRng {
        let mut seed = [0; 32];
        self.0.fill(&mut seed);
        ProverRng::from_seed(seed)
    }
}

/// Returns the transcript of all cases.
fn transcript() -> Transcript {
    Transcript::new("oracle", b"context")
}

/// Encodes a point.
fn element(point: RistrettoPoint) -> Element {
    Element::new(point)
}

/// Builds the oracle's relation: `y` = xG and `image` = x·`base` for every pair.
fn relation(y: &RistrettoPoint, pairs: &[(RistrettoPoint, RistrettoPoint)]) -> Instance<RistrettoPoint> {
    let mut relation = LinearRelation::new();
    let x = relation.allocate_scalar();
    let generator = relation.generator();
    relation.allocate_eq_with(*y, x * generator);
    for (base, image) in pairs {
        let base = relation.allocate_element_with(*base);
        relation.allocate_eq_with(*image, x * base);
    }
    relation.compile().unwrap()
}

/// Returns the honest response and altered ones.
fn responses(honest: Response, draw: &mut Draw) -> [Response; 5] {
    let Response { c, s } = honest;
    [
        honest,
        Response { c, s: s + Scalar::ONE },
        Response { c: c + Scalar::ONE, s },
        Response { c: -c, s: -s },
        Response { c: draw.scalar(), s: draw.scalar() },
    ]
}

/// Returns the key of `x`, or by `kind` one that does not belong to it.
fn key(x: &Scalar, kind: usize, draw: &mut Draw) -> RistrettoPoint {
    let honest = RistrettoPoint::mul_base(x);
    match kind {
        0 => draw.point(),
        1 => -honest,
        2 => RistrettoPoint::default(),
        _ => honest,
    }
}

#[test]
fn schnorr_agrees_with_the_oracle() {
    let mut verdicts = Verdicts::default();
    for case in 0..CASES {
        let mut draw = Draw::new("schnorr", case);
        let (x, w) = (draw.scalar(), draw.scalar());
        let kind = draw.below(6);
        let y = key(&x, kind, &mut draw);
        let instance = relation(&y, &[]);
        let challenge = |commitment: &[RistrettoPoint]| {
            let mut transcript = transcript();
            transcript.append("Y", element(y).bytes());
            transcript.append("t", element(commitment[0]).bytes());
            transcript.challenge_scalar("c")
        };

        // Our prover: the oracle verifies with the commitment to the nonce.
        let honest = schnorr::prove(transcript(), &x, &element(y), |_| w);
        let commitment = instance.map(&[w]);
        for response in responses(honest, &mut draw) {
            let Response { c, s } = response;
            let ours = schnorr::verify(transcript(), &element(y), &response);
            let oracle = c == challenge(&commitment) && instance.verifier(&commitment, &c, &vec![s]).is_ok();
            verdicts.compare("schnorr", ours, oracle);
        }
        let ours = schnorr::verify(transcript(), &element(y), &honest);
        assert_eq!(ours, bool::from(instance.is_witness_valid(&[x])), "the statement is true");

        // The oracle's prover: we verify.
        let (commitment, state) = instance.prover_commit(&[x], &mut draw.rng()).unwrap();
        let c = challenge(&commitment);
        let s = instance.prover_response(state, &c).unwrap()[0];
        assert_eq!(schnorr::verify(transcript(), &element(y), &Response { c, s }), ours);
    }
    verdicts.require_both();
}

/// The one deviation: with x = 0 every equation holds, so the oracle accepts; our verifiers reject the
/// neutral key.
#[test]
fn the_neutral_key_is_the_only_deviation() {
    let (neutral, w) = (Element::identity(), Scalar::from(5_u64));
    let instance = relation(neutral.point(), &[]);
    let honest = schnorr::prove(transcript(), &Scalar::ZERO, &neutral, |_| w);
    assert!(instance.verifier(&instance.map(&[w]), &honest.c, &vec![honest.s]).is_ok());
    assert!(!schnorr::verify(transcript(), &neutral, &honest));
}

/// Draws one to four pairs, most of them with `x` as the logarithm.
fn pairs(x: &Scalar, draw: &mut Draw) -> Vec<(RistrettoPoint, RistrettoPoint)> {
    let count = 1 + draw.below(4);
    let mut pairs: Vec<_> = (0..count).map(|_| draw.point()).map(|base| (base, base * x)).collect();
    let (first, last) = (0, count - 1);
    let error = draw.point();
    match draw.below(12) {
        0 => pairs[last].1 += error,
        1 => pairs[first] = (pairs[first].1, pairs[first].0),
        2 => pairs[last].1 = RistrettoPoint::default(),
        3 => pairs[first].0 = RistrettoPoint::default(),
        // 0 = x·0 is true.
        4 => pairs[last] = Default::default(),
        // Two errors that cancel in an unweighted sum.
        5 | 6 if count > 1 => {
            pairs[first].1 += error;
            pairs[last].1 -= error;
        }
        7 if count > 1 => (pairs[first].1, pairs[last].1) = (pairs[last].1, pairs[first].1),
        _ => {}
    }
    pairs
}

#[test]
fn equal_logarithms_agree_with_the_oracle() {
    let mut verdicts = Verdicts::default();
    for case in 0..CASES {
        let mut draw = Draw::new("dleq", case);
        let (x, w) = (draw.scalar(), draw.scalar());
        let kind = draw.below(12);
        let y = key(&x, kind, &mut draw);
        let pairs = pairs(&x, &mut draw);
        // The oracle checks every pair by itself, without our weights.
        let instance = relation(&y, &pairs);
        let (bases, images): (Vec<_>, Vec<_>) = pairs.iter().map(|(a, d)| (element(*a), element(*d))).unzip();
        let y = element(y);
        let statement = dleq::Statement { y: &y, bases: &bases, images: &images };
        let challenge = |commitment: &[RistrettoPoint]| {
            let mut transcript = transcript();
            transcript.append("Y", y.bytes());
            transcript.append_elements("A", &bases);
            transcript.append_elements("D", &images);
            let weights = match bases.len() {
                1 => vec![Scalar::ONE],
                n => transcript.challenge_scalars("w", n),
            };
            let weighted: RistrettoPoint = weights.iter().zip(&commitment[1..]).map(|(w, t)| w * t).sum();
            transcript.append("t1", element(commitment[0]).bytes());
            transcript.append("t2", element(weighted).bytes());
            transcript.challenge_scalar("c")
        };

        let honest = statement.prove(transcript(), &x, |_| w);
        let commitment = instance.map(&[w]);
        for response in responses(honest, &mut draw) {
            let Response { c, s } = response;
            let oracle = c == challenge(&commitment) && instance.verifier(&commitment, &c, &vec![s]).is_ok();
            verdicts.compare("dleq", statement.verify(transcript(), &response), oracle);
        }
        let ours = statement.verify(transcript(), &honest);
        assert_eq!(ours, bool::from(instance.is_witness_valid(&[x])), "the statement is true");

        let (commitment, state) = instance.prover_commit(&[x], &mut draw.rng()).unwrap();
        let c = challenge(&commitment);
        let s = instance.prover_response(state, &c).unwrap()[0];
        assert_eq!(statement.verify(transcript(), &Response { c, s }), ours);
    }
    verdicts.require_both();
}

/// Returns the generator that the prover of an either–or draws its branches from.
fn stream(seed: [u8; 32]) -> Drbg {
    Drbg::new(&seed, "either")
}

#[test]
fn either_or_agrees_with_the_oracle() {
    let mut verdicts = Verdicts::default();
    for case in 0..CASES {
        let mut draw = Draw::new("either", case);
        let x = draw.scalar();
        let kind = draw.below(16);
        let y = key(&x, kind, &mut draw);
        let branches: Vec<either::Branch> = (0..=draw.below(4))
            .map(|_| {
                let mut branch = pairs(&x, &mut draw);
                if draw.below(3) > 0 {
                    branch[0].1 += draw.point();
                }
                branch
            })
            .collect();
        let leaves: Vec<_> = branches.iter().map(|branch| relation(&y, branch)).collect();
        let instance = ComposedInstance::or(leaves.clone()).unwrap();
        let y = element(y);
        let challenge = |commitments: &[Vec<RistrettoPoint>]| {
            let mut transcript = transcript();
            transcript.append(
                "t",
                &commitments.iter().flatten().flat_map(|t| *element(*t).bytes()).collect::<Vec<_>>(),
            );
            transcript.challenge_scalar("c")
        };
        let oracle = |commitments: &[Vec<RistrettoPoint>], responses: &[Response]| {
            let shares = responses[..responses.len() - 1].iter().map(|response| response.c).collect();
            let simple =
                responses.iter().map(|response| ComposedResponse::Simple(vec![response.s])).collect();
            let commitment = commitments.iter().cloned().map(ComposedCommitment::Simple).collect();
            let c = challenge(commitments);
            responses.iter().map(|response| response.c).sum::<Scalar>() == c
                && instance
                    .verifier(
                        &ComposedCommitment::Branches(commitment),
                        &c,
                        &ComposedResponse::Shares(shares, simple),
                    )
                    .is_ok()
        };

        // Our prover, also where no branch holds: then it claims the first.
        let holding = leaves.iter().map(|leaf| leaf.is_witness_valid(&[x]));
        let flags = either::first(holding.clone());
        let is_true = flags.is_some();
        assert_eq!(is_true, holding.clone().any(bool::from));
        let flags =
            flags.unwrap_or_else(|| (0..leaves.len()).map(|i| Choice::from(u8::from(i == 0))).collect());
        let seed = [case as u8; 32];
        let honest = either::prove(transcript(), &x, &y, &branches, &flags, |_| stream(seed));
        let mut drawn = stream(seed);
        let (e, s) = (drawn.scalars(leaves.len()), drawn.scalars(leaves.len()));
        let committed: Vec<_> = (0..leaves.len())
            .map(|i| {
                let e = if bool::from(flags[i]) { Scalar::ZERO } else { e[i] };
                leaves[i].simulate_commitment(&e, &vec![s[i]]).unwrap()
            })
            .collect();
        let changed = draw.below(honest.len() as u32);
        for response in responses(honest[changed], &mut draw) {
            let mut altered = honest.clone();
            altered[changed] = response;
            let ours = either::verify(transcript(), &y, &branches, &altered);
            verdicts.compare("either", ours, oracle(&committed, &altered));
        }
        // Challenges moved between branches keep their sum.
        if honest.len() > 1 {
            let mut altered = honest.clone();
            altered[0].c += Scalar::ONE;
            altered[1].c -= Scalar::ONE;
            let ours = either::verify(transcript(), &y, &branches, &altered);
            verdicts.compare("moved challenge", ours, oracle(&committed, &altered));
        }
        assert_eq!(either::verify(transcript(), &y, &branches, &honest), is_true);

        // The oracle's prover: we verify. Like ours, it knows no proof of a false statement.
        let witness = ComposedWitness::or(leaves.iter().map(|_| vec![x]));
        match instance.prover_commit(&witness, &mut draw.rng()) {
            Err(_) => assert!(!is_true, "the oracle proves it not"),
            Ok((commitment, state)) => {
                let commitments = simple(&commitment);
                let c = challenge(&commitments);
                let Ok(ComposedResponse::Shares(shares, responses)) = instance.prover_response(state, &c)
                else {
                    panic!("an either–or has shares");
                };
                let last = c - shares.iter().sum::<Scalar>();
                let proof: Vec<_> = shares.iter().chain([&last]).zip(&responses).map(response).collect();
                assert_eq!(either::verify(transcript(), &y, &branches, &proof), is_true);
            }
        }
    }
    verdicts.require_both();
}

/// Returns the commitments of the branches of an either–or.
fn simple(commitment: &ComposedCommitment<RistrettoPoint>) -> Vec<Vec<RistrettoPoint>> {
    let ComposedCommitment::Branches(branches) = commitment else { panic!("an either–or has branches") };
    let branch = |branch: &ComposedCommitment<_>| match branch {
        ComposedCommitment::Simple(points) => points.clone(),
        _ => panic!("a branch is a linear relation"),
    };
    branches.iter().map(branch).collect()
}

/// Converts the oracle's challenge and response of a branch to our form.
fn response((c, response): (&Scalar, &ComposedResponse<RistrettoPoint>)) -> Response {
    let ComposedResponse::Simple(s) = response else { panic!("a branch is a linear relation") };
    Response { c: *c, s: s[0] }
}
