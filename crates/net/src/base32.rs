//! Bytes as words that survive being read aloud and typed: RFC 4648 base32 in small letters, without padding.

use data_encoding::{BASE32_NOPAD, BASE32_NOPAD_NOCASE};

/// The text of some bytes.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = BASE32_NOPAD.encode(bytes);
    text.make_ascii_lowercase();
    text
}

/// The `N` bytes that a text stands for; nothing if it is not exactly their encoding (capital letters are read as
/// small ones).
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
    fn the_vectors_of_the_standard() {
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
    fn only_the_one_encoding_is_read() {
        assert_eq!(decode::<1>("my"), Some(*b"f"));
        for wrong in ["m", "mz", "myy", "my======", "m1", "mé", ""] {
            assert_eq!(decode::<1>(wrong), None, "{wrong}");
        }
    }
}
