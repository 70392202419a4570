//! The short name and the fingerprint of a public key.

use pentarchy_keys::base32;

/// Consonants of proquints: five letters that can be pronounced hold 16 bits (arXiv:0901.4016).
const CONSONANTS: &[u8; 16] = b"bdfghjklmnprstvz";
/// Vowels of proquints.
const VOWELS: &[u8; 4] = b"aiou";
/// Words of a short name.
const WORDS: usize = 3;
/// Bytes of a fingerprint.
const FINGERPRINT_LEN: usize = 20;

/// Hashes a public key for its name and fingerprint. Names change if this does.
fn hash(public: &[u8; 32]) -> [u8; 32] {
    blake3::derive_key("pentarchy identity name v1", public)
}

/// Returns the short name of a public key: three words that can be pronounced, such as `lusab-babad-gutih`.
/// They hold 48 bits of the hash of the key: enough to tell players apart, but not a proof, because an
/// attacker can search for a key with a given name. For that there is the [fingerprint](key_fingerprint).
pub fn short_name(public: &[u8; 32]) -> String {
    let hash = hash(public);
    let word = |i: usize| {
        let bits = u16::from_be_bytes([hash[2 * i], hash[2 * i + 1]]);
        let letter =
            |letters: &[u8], shift: u32| char::from(letters[usize::from(bits >> shift) % letters.len()]);
        [
            letter(CONSONANTS, 12),
            letter(VOWELS, 10),
            letter(CONSONANTS, 6),
            letter(VOWELS, 4),
            letter(CONSONANTS, 0),
        ]
        .iter()
        .collect::<String>()
    };
    (0..WORDS).map(word).collect::<Vec<_>>().join("-")
}

/// Returns the fingerprint of a public key: 160 bits of its hash as 32 lower-case letters and digits in
/// groups of four, separated by spaces. People compare it to prove an identity.
pub fn key_fingerprint(public: &[u8; 32]) -> String {
    let letters = base32::encode(&hash(public)[..FINGERPRINT_LEN]);
    let groups: Vec<&str> = (0..letters.len() / 4).filter_map(|i| letters.get(4 * i..4 * i + 4)).collect();
    groups.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_three_words_of_five_letters() {
        for seed in 0..200u8 {
            let name = short_name(&[seed; 32]);
            let words: Vec<&str> = name.split('-').collect();
            assert_eq!(words.len(), WORDS, "{name}");
            for word in words {
                let fits = |(i, letter): (usize, u8)| {
                    if i % 2 == 0 { CONSONANTS.contains(&letter) } else { VOWELS.contains(&letter) }
                };
                assert!(word.len() == 5 && word.bytes().enumerate().all(fits), "{name}");
            }
        }
    }

    /// Each letter takes all its values, and no letter follows from another one.
    #[test]
    fn every_letter_depends_on_the_hash() {
        let names: Vec<String> = (0..=255u8).map(|seed| short_name(&[seed; 32])).collect();
        let values = |one: usize, two: usize| {
            let pairs = names.iter().map(|name| (name.as_bytes()[one], name.as_bytes()[two]));
            pairs.collect::<BTreeSet<_>>().len()
        };
        let letters = || (0..17).filter(|at| at % 6 != 5);
        for at in letters() {
            assert_eq!(values(at, at), if at % 6 % 2 == 0 { 16 } else { 4 }, "letter {at}");
            for other in letters().filter(|&other| other != at) {
                assert!(values(at, other) > values(at, at), "letter {other} follows from letter {at}");
            }
        }
    }

    #[test]
    fn fingerprints_are_eight_groups_of_four() {
        let fingerprint = key_fingerprint(&[1; 32]);
        assert_eq!(fingerprint.len(), 39, "{fingerprint}");
        assert_eq!(fingerprint.split(' ').count(), 8);
        // People have compared and written down these texts.
        assert_eq!(short_name(&[1; 32]), "fuvor-mumot-tigov");
        assert_eq!(fingerprint, "f6vy 4lou 5yjk ksyh cbos tsx3 p54y ndgi");
        assert_ne!(fingerprint, key_fingerprint(&[2; 32]));
    }

    /// People know players by these: they must not change with a release.
    #[test]
    fn names_stay_as_they_are() {
        assert_eq!(short_name(&[0; 32]), "kitas-fujut-lohom");
        assert_eq!(key_fingerprint(&[0; 32]), "m5gc 27lz fcq5 ooec pjzo 3n7a 4vqz qovl");
    }
}
