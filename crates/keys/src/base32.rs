//! RFC 4648 base32 in lower case without padding, for text that people read aloud and type.
//!
//! Written here although the crate `data-encoding` does it, which the programs use elsewhere: keys, names and invitations
//! need base32 in the page, and the general encoder has code for every alphabet and bit width. That is 122 kB of
//! WebAssembly in a test build.

use alloc::string::String;
use alloc::vec::Vec;

/// The 32 digits, in the order of their values.
const DIGITS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// Encodes bytes as lower-case base32 text without padding. Empty bytes give an empty text.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 8 / 5 + 1);
    encode_to(bytes, &mut text);
    text
}

/// Appends the lower-case base32 text of these bytes, without padding, to `text`. Allocates only if the capacity of
/// `text` does not suffice.
pub fn encode_to(bytes: &[u8], text: &mut String) {
    let (mut held, mut bits) = (0_u32, 0);
    for &byte in bytes {
        (held, bits) = (held << 8 | u32::from(byte), bits + 8);
        while bits >= 5 {
            bits -= 5;
            text.push(digit(held >> bits));
        }
    }
    if bits > 0 {
        text.push(digit(held << (5 - bits)));
    }
}

/// Returns the digit of the lowest 5 bits of `value`.
fn digit(value: u32) -> char {
    char::from(DIGITS[value as usize % 32])
}

/// Decodes a text to bytes. Upper-case letters are accepted. Returns `None` for every other deviation from the
/// canonical encoding: a length that no bytes have, padding, spaces, other characters or non-zero trailing bits.
/// Allocates once, so that no copies of a secret stay behind.
pub fn decode_all(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() * 5 / 8);
    let (mut held, mut bits) = (0_u32, 0);
    for letter in text.bytes() {
        let value = match letter {
            b'a'..=b'z' => letter - b'a',
            b'A'..=b'Z' => letter - b'A',
            b'2'..=b'7' => letter - b'2' + 26,
            _ => return None,
        };
        (held, bits) = (held << 5 | u32::from(value), bits + 5);
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
        }
    }
    // A whole digit must not be left, and the bits after the last byte must be 0.
    (bits < 5 && held & ((1 << bits) - 1) == 0).then_some(bytes)
}

/// Decodes a text to exactly `N` bytes. Upper-case letters are accepted. Returns `None` for every other
/// deviation from the canonical encoding of `N` bytes: another length, padding, spaces, other characters or
/// non-zero trailing bits.
pub fn decode<const N: usize>(text: &str) -> Option<[u8; N]> {
    if text.len() != (N * 8).div_ceil(5) {
        return None;
    }
    let bytes = zeroize::Zeroizing::new(decode_all(text)?);
    bytes.as_slice().try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_match_the_standard() {
        for (bytes, text) in [
            (&b""[..], ""),
            (b"f", "my"),
            (b"fo", "mzxq"),
            (b"foo", "mzxw6"),
            (b"foob", "mzxw6yq"),
            (b"fooba", "mzxw6ytb"),
            (b"foobar", "mzxw6ytboi"),
        ] {
            assert_eq!(encode(bytes), text);
            assert_eq!(decode_all(text).as_deref(), Some(bytes));
        }
        assert_eq!(decode::<6>("MZXW6ytboi"), Some(*b"foobar"));
    }

    #[test]
    fn only_the_canonical_encoding_decodes() {
        assert_eq!(decode::<1>("my"), Some(*b"f"));
        for wrong in ["m", "mz", "myy", "my======", "m1", "mé", "m 4", "m8", ""] {
            assert_eq!(decode::<1>(wrong), None, "{wrong}");
        }
        for wrong in ["a", "aaa", "aaaaaa", "ab", "aab=", "aaab", "aaaab", "aaaaaab"] {
            assert_eq!(decode_all(wrong), None, "{wrong}");
        }
    }

    /// Every text that decodes is the encoding of what it decodes to, and all bytes come back.
    #[test]
    fn decoding_reverses_encoding() {
        for length in 0..40_usize {
            for seed in 0..16_usize {
                let bytes: Vec<u8> =
                    (0..length).map(|i| (i * 37 + seed * 101 + i * i * seed) as u8).collect();
                let text = encode(&bytes);
                assert_eq!(text.len(), (length * 8).div_ceil(5));
                assert_eq!(decode_all(&text).as_ref(), Some(&bytes));
                let mut changed = text.into_bytes();
                for at in 0..changed.len() {
                    let before = core::mem::replace(&mut changed[at], b'q');
                    let other = core::str::from_utf8(&changed).unwrap();
                    assert!(decode_all(other).is_none_or(|bytes| encode(&bytes) == other), "{other}");
                    changed[at] = before;
                }
            }
        }
    }
}
