//! Enums whose values are written as one word: actions without a parameter, and faces of tokens.

use crate::notation::ParseError;

/// Defines an enum whose values are each written as one word: `Display` writes it, `FromStr` reads it, and
/// its error lists the words. `ALL` has the values in order, `word` is the word of one.
///
/// ```
/// pentarchy_engine::words! {
///     /// What a player says.
///     pub enum Say {
///         /// Go on.
///         Raise = "raise",
///         /// Give up.
///         Fold = "fold",
///     }
/// }
/// assert_eq!(Say::Fold.to_string(), "fold");
/// assert_eq!("raise".parse(), Ok(Say::Raise));
/// assert_eq!("rise".parse::<Say>().unwrap_err().to_string(), "`rise` is not raise or fold");
/// ```
#[macro_export]
macro_rules! words {
    (
        $(#[$about:meta])*
        $vis:vis enum $name:ident { $($(#[$one:meta])* $value:ident = $word:literal),+ $(,)? }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        $vis enum $name { $($(#[$one])* $value),+ }

        #[allow(dead_code, reason = "not every list of words is walked")]
        impl $name {
            /// All values, in the order of their definition.
            $vis const ALL: [$name; [$($word),+].len()] = [$($name::$value),+];

            /// Returns the word of the value.
            $vis const fn word(self) -> &'static str {
                match self { $($name::$value => $word),+ }
            }
        }

        impl ::std::fmt::Display for $name {
            /// Writes the word of the value.
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.word())
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::ParseError;
            /// Reads a value by its word.
            ///
            /// # Errors
            ///
            /// Fails for any other text, with the list of the words.
            fn from_str(text: &str) -> ::std::result::Result<Self, $crate::ParseError> {
                let found = $name::ALL.into_iter().find(|value| value.word() == text);
                found.ok_or_else(|| $crate::unknown_word(text, &[$($word),+]))
            }
        }
    };
}

/// Defines the faces of a game's tokens: an enum as by [`words!`](crate::words!) that implements
/// [`Face`](crate::Face), numbered in the order of their definition, all with the same back. The type after
/// the colon is an unsigned integer with at least as many bits as there are faces.
///
/// ```
/// use pentarchy_engine::{Face, faces};
///
/// faces! {
///     /// A side of a coin.
///     pub enum Coin: u8 {
///         /// The head.
///         Heads = "heads",
///         /// The number.
///         Tails = "tails",
///     }
/// }
/// assert_eq!((Coin::KINDS, Coin::nth(1), Coin::Tails.index()), (2, Coin::Tails, 1));
/// ```
#[macro_export]
macro_rules! faces {
    (
        $(#[$about:meta])*
        $vis:vis enum $name:ident: $bits:ty { $($(#[$one:meta])* $value:ident = $word:literal),+ $(,)? }
    ) => {
        $crate::words! {
            $(#[$about])*
            $vis enum $name { $($(#[$one])* $value = $word),+ }
        }

        impl $crate::Face for $name {
            type Bits = $bits;
            const KINDS: usize = $name::ALL.len();

            /// Returns the number of the face, from 0 in the order of the definition.
            #[inline(always)]
            fn index(self) -> u8 {
                self as u8
            }

            /// Returns the face of a number; too large numbers give the last face.
            #[inline(always)]
            fn nth(index: u8) -> Self {
                $name::ALL[usize::from(index).min(Self::KINDS - 1)]
            }
        }
    };
}

/// Returns the error for a text that is none of the words: it lists them as `a, b or c`.
pub fn unknown_word(text: &str, words: &[&str]) -> ParseError {
    let expected = match words {
        [] => "a word: there are none".to_owned(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    };
    ParseError::new(text, expected)
}
