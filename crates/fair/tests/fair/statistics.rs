//! Dice and shuffles are uniform, as far as a chi-square test with fixed seeds can tell.

use crate::common::{Party, phase, set};
use pentarchy_fair::primitives::Drbg;
use pentarchy_fair::*;
use std::num::NonZeroU32;

/// χ² of counts that should all be equal.
fn chi_square(counts: &[u32]) -> f64 {
    let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    counts.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum()
}

/// Fails if a uniform source would give such counts less than once in a thousand times. (Wilson and
/// Hilferty's approximation of the quantile.)
fn assert_uniform(name: &str, counts: &[u32], lost_degrees: usize) {
    let df = (counts.len() - lost_degrees) as f64;
    let spread = 2.0 / (9.0 * df);
    let limit = df * (1.0 - spread + 3.0902 * spread.sqrt()).powi(3);
    let found = chi_square(counts);
    assert!(found < limit, "{name}: χ² = {found:.1}, limit {limit:.1}: {counts:?}");
}

fn sides(n: u32) -> NonZeroU32 {
    NonZeroU32::new(n).unwrap()
}

#[test]
fn dice_of_many_phases() {
    let party = Party::new(2);
    let (mut d6, mut d20, mut coins) = ([0; 6], [0; 20], [0; 2]);
    let mut pairs = [0; 36];
    for i in 0..400 {
        let p = phase(i);
        let values: Vec<DiceValue> =
            party.secrets.iter().map(|secrets| contribute(&p, secrets, party.entropy()).0).collect();
        let mut roll = Roll::new(&p.id, party.all(), &values).unwrap();
        for _ in 0..250 {
            let first = roll.die(sides(6)) as usize - 1;
            let second = roll.die(sides(6)) as usize - 1;
            d6[first] += 1;
            pairs[6 * first + second] += 1;
            d20[roll.die(sides(20)) as usize - 1] += 1;
            coins[usize::from(roll.coin())] += 1;
        }
    }
    assert_eq!(d6.iter().sum::<u32>(), 100_000);
    assert_uniform("d6", &d6, 1);
    assert_uniform("two d6", &pairs, 1);
    assert_uniform("d20", &d20, 1);
    assert_uniform("coin", &coins, 1);
}

#[test]
fn first_die_of_a_hundred_thousand_streams() {
    let mut d6 = [0; 6];
    let mut d100 = [0; 100];
    let mut orders = [0; 24];
    for i in 0..100_000_u32 {
        let mut stream = Drbg::new(&i.to_le_bytes(), "roll");
        d6[stream.below(sides(6)) as usize] += 1;
        d100[stream.below(sides(100)) as usize] += 1;
        let order = stream.perm(4);
        let rank = order
            .iter()
            .enumerate()
            .fold(0, |rank, (i, x)| rank * (4 - i) + order[i + 1..].iter().filter(|y| *y < x).count());
        orders[rank] += 1;
    }
    assert_uniform("d6", &d6, 1);
    assert_uniform("d100", &d100, 1);
    assert_uniform("orders of four", &orders, 1);
}

#[test]
fn one_honest_shuffler_is_enough() {
    const N: usize = 5;
    let party = Party::new(3);
    let lock = party.lock(party.all()).prepare();
    let faces: Vec<CipherToken> = (0..N as u32).map(|f| CipherToken::of_face(&party.face(f))).collect();
    let idle = Arrangement::new((0..N as u32).collect()).unwrap();
    let mut positions = [0; N * N];
    let audit = |secrets: &SeatSecrets| {
        Published::verify(party.roster.key(secrets.seat()).unwrap(), &publish(secrets)).unwrap()
    };
    let audit = Audit::new(party.secrets.iter().map(audit).collect());
    for round in 0..600 {
        let honest = round % 3;
        let mut pile = Deck::new(lock.key(), &faces).unwrap();
        for (i, secrets) in party.secrets.iter().enumerate() {
            let arrangement = (i != honest).then_some(&idle);
            let p = phase(round as u32);
            pile =
                pile.shuffle(&p, secrets, &lock, &party.generators, arrangement, party.entropy()).unwrap().0;
        }
        for (place, token) in pile.release(set(&[0, 1, 2])).unwrap().iter().enumerate() {
            let face = audit.face(token, &party.faces).unwrap().index() as usize;
            positions[N * face + place] += 1;
        }
    }
    // Rows and columns all have the same sum: 16 degrees of freedom are left.
    assert_uniform("faces and places", &positions, 2 * N - 1);
}
