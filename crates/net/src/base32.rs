//! Bytes as words that survive being read aloud and typed: RFC 4648 base32 in small letters, without padding.

const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// The text of some bytes.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(5) * 8);
    let (mut bits, mut held) = (0u32, 0u32);
    for &byte in bytes {
        bits = (bits << 8) | u32::from(byte);
        held += 8;
        while held >= 5 {
            held -= 5;
            text.push(letter(bits >> held));
        }
    }
    if held > 0 {
        text.push(letter(bits << (5 - held)));
    }
    text
}

fn letter(bits: u32) -> char {
    char::from(LETTERS[(bits & 31) as usize])
}

/// The `N` bytes that a text stands for; nothing if it is not exactly their encoding (capital letters are read as
/// small ones).
pub fn decode<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    let (mut bits, mut held, mut at) = (0u32, 0u32, 0);
    for letter in text.bytes() {
        let value = LETTERS.iter().position(|&l| l == letter.to_ascii_lowercase())?;
        bits = (bits << 5) | value as u32;
        held += 5;
        if held >= 8 {
            held -= 8;
            *bytes.get_mut(at)? = (bits >> held) as u8;
            at += 1;
        }
    }
    let rest = bits & ((1 << held) - 1);
    let complete = at == N && text.len() == (N * 8).div_ceil(5) && rest == 0;
    complete.then_some(bytes)
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
