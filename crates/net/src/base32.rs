//! RFC 4648 base32 in lower case without padding, for text that people read aloud and type.

use data_encoding::{BASE32_NOPAD, BASE32_NOPAD_NOCASE};

/// Encodes bytes as lower-case base32 text without padding. Empty bytes give an empty text.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = BASE32_NOPAD.encode(bytes);
    text.make_ascii_lowercase();
    text
}

/// Decodes a text to exactly `N` bytes. Upper-case letters are accepted. Returns `None` for every other
/// deviation from the canonical encoding of `N` bytes: another length, padding, spaces, other characters or
/// non-zero trailing bits.
pub fn decode<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    let is_long_enough = BASE32_NOPAD_NOCASE.decode_len(text.len()) == Ok(N);
    let decoded = is_long_enough.then(|| BASE32_NOPAD_NOCASE.decode_mut(text.as_bytes(), &mut bytes));
    matches!(decoded, Some(Ok(_))).then_some(bytes)
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
        }
        assert_eq!(decode::<6>("MZXW6ytboi"), Some(*b"foobar"));
    }

    #[test]
    fn only_the_canonical_encoding_decodes() {
        assert_eq!(decode::<1>("my"), Some(*b"f"));
        for wrong in ["m", "mz", "myy", "my======", "m1", "mé", ""] {
            assert_eq!(decode::<1>(wrong), None, "{wrong}");
        }
    }
}
