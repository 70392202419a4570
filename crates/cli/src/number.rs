//! Whole numbers on the command line, with errors that say what is expected.

use std::fmt::Display;
use std::str::FromStr;

/// An integer type with its bounds.
pub(crate) trait Whole: FromStr + Display + Copy {
    /// The largest value.
    const LARGEST: Self;
}

impl Whole for u8 {
    const LARGEST: Self = u8::MAX;
}
impl Whole for u16 {
    const LARGEST: Self = u16::MAX;
}
impl Whole for u32 {
    const LARGEST: Self = u32::MAX;
}
impl Whole for u64 {
    const LARGEST: Self = u64::MAX;
}
impl Whole for usize {
    const LARGEST: Self = usize::MAX;
}

/// Parses a whole number from 0 to the largest value of the type. A leading `+` is allowed, spaces are not.
///
/// # Errors
///
/// Fails with a sentence that names the range if the text is no whole number or out of range.
pub(crate) fn number<N: Whole>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("expected a whole number from 0 to {}", N::LARGEST))
}

/// Parses a whole number from 1 to the largest value of the type. A leading `+` is allowed, spaces are not.
///
/// # Errors
///
/// Fails with a sentence that names the range if the text is no whole number or out of range.
pub(crate) fn positive<N: Whole + PartialEq + Default>(text: &str) -> Result<N, String> {
    let parsed = text.parse().ok().filter(|number| *number != N::default());
    parsed.ok_or_else(|| format!("expected a whole number from 1 to {}", N::LARGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_number_is_told_with_its_range() {
        assert_eq!(number::<u8>("7"), Ok(7));
        for bad in ["", "x", "-1", "3.5", "256"] {
            assert_eq!(number::<u8>(bad), Err("expected a whole number from 0 to 255".to_string()), "{bad}");
        }
        assert_eq!(positive::<u16>("0"), Err("expected a whole number from 1 to 65535".to_string()));
        assert_eq!(positive::<u16>("65535"), Ok(65535));
    }
}
