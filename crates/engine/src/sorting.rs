//! Sorting where speed does not matter: a program has the code of the sort once.
//!
//! The sorts of the standard library are compiled for every type and every comparison, with several kilobytes each,
//! which a browser has to load. Rules on the hot path use them; drawing, texts and messages sort short lists and use
//! these functions.

use std::cmp::Ordering;

/// Sorts a list by the key that `key` returns for each element, ascending. Equal elements keep their order. `key` is
/// called for every comparison.
pub fn sort_by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(list, |a, b| key(a).cmp(&key(b)));
}

/// Sorts a list by `compare`, which must be a total order. Equal elements keep their order.
pub fn sort_by<T>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut order = sorted_order(list.len(), &|a, b| compare(&list[a], &list[b]));
    // Follow each cycle of the permutation once: the element at `order[i]` belongs at `i`.
    for start in 0..order.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], at);
            if from == start || from == at {
                break;
            }
            list.swap(at, from);
            at = from;
        }
    }
}

/// Returns the numbers below `count`, sorted by `compare`; equal ones ascend.
fn sorted_order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Random lists with few different keys come out as those of the standard library, equal elements included.
    #[test]
    fn sorts_as_the_standard_library_does() {
        let mut rng = Rng::new(1);
        for length in 0..60 {
            for kinds in [1, 2, 5, 1000] {
                let list: Vec<(u32, usize)> = (0..length).map(|i| (rng.below(kinds), i)).collect();
                let (mut own, mut usual) = (list.clone(), list);
                sort_by_key(&mut own, |&(key, _)| key);
                usual.sort_by_key(|&(key, _)| key);
                assert_eq!(own, usual);
                sort_by(&mut own, |a, b| b.cmp(a));
                usual.reverse();
                usual.sort_by(|a, b| b.cmp(a));
                assert_eq!(own, usual);
            }
        }
    }
}
