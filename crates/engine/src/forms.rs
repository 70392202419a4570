//! Actions with parameters, written as a form: `bid {count} {face}` is written `bid 3 5`.

use crate::notation::ParseError;
use std::{fmt, str::FromStr};

/// Defines the actions of a game, or a group of values that an action names, with their notation: each variant has a
/// form, whose words are separated by single spaces. A word in braces is a field, every other word stands for itself.
/// A field can have any type that is `Copy`, `Eq`, `Hash`, `Debug` and can be written and read as one word: numbers,
/// [`Seat`](crate::Seat), [`Token`](crate::Token), enums of [`words!`](crate::words!), values of
/// [`numbered!`](crate::numbered!). A field at the end of a form takes all that is left, so it may have several words.
///
/// `Display` writes the form. `FromStr` reads it, with any white space between the words; the first form that fits
/// counts. It checks the form only, not whether the action is legal. Its error lists the forms.
///
/// ```
/// use pentarchy_engine::{Seat, Token, actions};
///
/// actions! {
///     /// An offer.
///     pub struct Price {
///         /// Coins that are paid.
///         pub coins: u8,
///         /// The seat that gets them.
///         pub to: Seat,
///     } = "{coins} to {to}"
/// }
///
/// actions! {
///     /// What a player does.
///     pub enum Action {
///         /// Buy a card.
///         Buy {
///             /// The card.
///             card: Token,
///             /// Its price.
///             price: Price,
///         } = "buy {card} for {price}",
///         /// Throw a card away.
///         Discard(card: Token) = "discard {card}",
///         /// Do nothing.
///         Pass = "pass",
///     }
/// }
/// let buy = Action::Buy { card: Token(17), price: Price { coins: 3, to: Seat(1) } };
/// assert_eq!(buy.to_string(), "buy #17 for 3 to 1");
/// assert_eq!("buy #17 for 3 to 1".parse(), Ok(buy));
/// assert_eq!("discard #2".parse(), Ok(Action::Discard(Token(2))));
/// assert_eq!(
///     "buy 17".parse::<Action>().unwrap_err().to_string(),
///     "`buy 17` is not buy CARD for PRICE, discard CARD or pass"
/// );
/// ```
#[macro_export]
macro_rules! actions {
    (
        $(#[$about:meta])*
        $vis:vis enum $name:ident { $(
            $(#[$one:meta])*
            $value:ident
            $(($($item:ident: $item_type:ty),+ $(,)?))?
            $({ $($(#[$field_about:meta])* $field:ident: $field_type:ty),+ $(,)? })?
            = $form:literal
        ),+ $(,)? }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        $vis enum $name { $(
            $(#[$one])*
            $value $(($($item_type),+))? $({ $($(#[$field_about])* $field: $field_type),+ })?
        ),+ }

        impl ::std::fmt::Display for $name {
            /// Writes the form of the value with its fields.
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match *self { $(
                    $name::$value $(($($item),+))? $({ $($field),+ })? => ::std::write!(f, $form)
                ),+ }
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::ParseError;
            /// Reads a value by the first form that fits. Whether it makes sense is not checked.
            ///
            /// # Errors
            ///
            /// Fails if no form fits, with the list of the forms.
            fn from_str(text: &str) -> ::std::result::Result<Self, $crate::ParseError> {
                $(
                    let value = $crate::FormFields::read($form, text).and_then(|_fields| {
                        ::std::option::Option::Some($name::$value
                            $(($(_fields.get(::std::stringify!($item))?),+))?
                            $({ $($field: _fields.get(::std::stringify!($field))?),+ })?)
                    });
                    if let ::std::option::Option::Some(value) = value {
                        return ::std::result::Result::Ok(value);
                    }
                )+
                ::std::result::Result::Err($crate::unknown_form(text, &[$($form),+]))
            }
        }
    };
    (
        $(#[$about:meta])*
        $vis:vis struct $name:ident { $(
            $(#[$field_about:meta])* $field_vis:vis $field:ident: $field_type:ty
        ),+ $(,)? } = $form:literal
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        $vis struct $name { $($(#[$field_about])* $field_vis $field: $field_type),+ }

        impl ::std::fmt::Display for $name {
            /// Writes the form with the fields.
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                let $name { $($field),+ } = *self;
                ::std::write!(f, $form)
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::ParseError;
            /// Reads the form. Whether the values make sense is not checked.
            ///
            /// # Errors
            ///
            /// Fails if the form does not fit; the error names it.
            fn from_str(text: &str) -> ::std::result::Result<Self, $crate::ParseError> {
                let read = || {
                    let fields = $crate::FormFields::read($form, text)?;
                    ::std::option::Option::Some($name { $($field: fields.get(::std::stringify!($field))?),+ })
                };
                read().ok_or_else(|| $crate::unknown_form(text, &[$form]))
            }
        }
    };
}

/// Defines a number with a range, such as a square, a row or a column. It is counted from 0 in the code and written from
/// the first to the last value of the range, which are numbers or letters. `COUNT` is how many values there are; `all`
/// iterates over them. `FromStr` accepts what a number of Rust may have in front: a `+`, zeros.
///
/// ```
/// pentarchy_engine::numbered! {
///     /// A column, from 0.
///     pub struct Column = "a column", 'a'..='g'
/// }
/// pentarchy_engine::numbered! {
///     /// A row, from 0.
///     pub struct Row = "a row", 1..=6
/// }
/// assert_eq!((Column(1).to_string(), "b".parse()), ("b".to_owned(), Ok(Column(1))));
/// assert_eq!((Row(0).to_string(), Row::COUNT), ("1".to_owned(), 6));
/// assert_eq!("7".parse::<Row>().unwrap_err().to_string(), "`7` is not a row from 1 to 6");
/// ```
#[macro_export]
macro_rules! numbered {
    (
        $(#[$about:meta])*
        $vis:vis struct $name:ident = $noun:literal, $first:literal..=$last:literal
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        $vis struct $name(pub u8);

        #[allow(dead_code, reason = "not every range is walked")]
        impl $name {
            /// Number of values.
            $vis const COUNT: u8 = ($last as u32 - $first as u32 + 1) as u8;

            /// Iterates over all values, ascending.
            $vis fn all() -> impl Iterator<Item = $name> {
                (0..$name::COUNT).map($name)
            }
        }

        impl ::std::fmt::Display for $name {
            /// Writes the value as a number or letter of the range.
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::write!(f, "{}", $crate::RangeLabel::plus($first, self.0))
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::ParseError;
            /// Reads a number or letter of the range.
            ///
            /// # Errors
            ///
            /// Fails for any other text; the error names the range.
            fn from_str(text: &str) -> ::std::result::Result<Self, $crate::ParseError> {
                $crate::read_label(text, $noun, $first, $last).map($name)
            }
        }
    };
}

/// The texts of the fields of a form, by their names.
#[derive(Debug)]
pub struct FormFields<'f, 't>(Vec<(&'f str, &'t str)>);

impl<'f, 't> FormFields<'f, 't> {
    /// Returns the texts of the fields of `text`, or `None` if it does not have this form. In `form`, such as
    /// `give {count} to {to}`, a word in braces is a field and every other word stands for itself. A field is
    /// one word; one at the end of the form has all words that are left, at least one.
    pub fn read(form: &'f str, text: &'t str) -> Option<Self> {
        let mut fields = Vec::new();
        let mut rest = text.trim();
        let mut words = form.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let (own, after) = match words.peek() {
                None => (rest, ""),
                Some(_) => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
            };
            match field_name(word) {
                Some(name) if !own.is_empty() => fields.push((name, own)),
                None if own == word => {}
                _ => return None,
            }
            rest = after.trim_start();
        }
        Some(FormFields(fields))
    }

    /// Returns the value of the field `name`; `None` if the form has no such field or its text cannot be read.
    pub fn get<T: FromStr>(&self, name: &str) -> Option<T> {
        self.0.iter().find(|(known, _)| *known == name)?.1.parse().ok()
    }
}

/// Returns the number of words of a form.
fn words(form: &str) -> usize {
    form.split_whitespace().count()
}

/// Returns the name of the field that a word of a form stands for; `None` for a word that stands for itself.
fn field_name(word: &str) -> Option<&str> {
    word.strip_prefix('{')?.strip_suffix('}')
}

/// Returns the error for a text whose fields cannot be read by any of the forms. It lists the forms with the
/// names of their fields in capitals. If `text` fits some of the forms that have a word besides their fields,
/// it lists only those: a field of them is then wrong.
pub fn unknown_form(text: &str, forms: &[&str]) -> ParseError {
    let fits = |form: &&&str| FormFields::read(form, text).is_some_and(|fields| fields.0.len() < words(form));
    let fitting: Vec<&str> = forms.iter().filter(fits).copied().collect();
    let forms = if fitting.is_empty() { forms } else { &fitting };
    let word = |word: &str| field_name(word).map_or_else(|| word.to_owned(), str::to_uppercase);
    let shown = |form: &&str| form.split_whitespace().map(word).collect::<Vec<_>>().join(" ");
    let forms: Vec<String> = forms.iter().map(shown).collect();
    crate::unknown_word(text, &forms.iter().map(String::as_str).collect::<Vec<_>>())
}

/// What the values of [`numbered!`](crate::numbered!) are written as: a number or a letter.
pub trait RangeLabel: Copy + PartialOrd + fmt::Display + FromStr {
    /// Returns the label `n` places further; too large sums give the last label of the type.
    fn plus(self, n: u8) -> Self;
    /// Returns how many places this label comes after `first`, which must not be greater; at most 255.
    fn places_after(self, first: Self) -> u8;
}

impl RangeLabel for u8 {
    fn plus(self, n: u8) -> Self {
        self.saturating_add(n)
    }
    fn places_after(self, first: Self) -> u8 {
        self.saturating_sub(first)
    }
}

impl RangeLabel for char {
    fn plus(self, n: u8) -> Self {
        char::from_u32(u32::from(self) + u32::from(n)).unwrap_or(char::MAX)
    }
    fn places_after(self, first: Self) -> u8 {
        u32::from(self).saturating_sub(u32::from(first)).min(255) as u8
    }
}

/// Reads a label from `first` to `last` and returns its place in this range, 0 for `first`.
///
/// # Errors
///
/// Fails for any other text: it is not `noun` from `first` to `last`.
pub fn read_label<L: RangeLabel>(text: &str, noun: &str, first: L, last: L) -> Result<u8, ParseError> {
    let label = text.parse().ok().filter(|label| (first..=last).contains(label));
    let unreadable = || ParseError::new(text, format!("{noun} from {first} to {last}"));
    label.map(|label: L| label.places_after(first)).ok_or_else(unreadable)
}

#[cfg(test)]
mod tests {
    use crate::{Seat, words};

    words! {
        /// A direction.
        enum Way {
            /// Left.
            Left = "left",
            /// Right.
            Right = "right",
        }
    }

    crate::numbered! {
        /// A square.
        struct Square = "a square", 1..=9
    }

    crate::actions! {
        /// Actions with each kind of field.
        enum Act {
            /// A form that begins with a field.
            Take(square: Square) = "{square}",
            /// A secret choice.
            Vote(way: Way) = "vote {way}",
            /// Its public form.
            Voted = "vote ?",
            /// Two fields and a word between them.
            Give { count: u8, to: Seat } = "give {count} to {to}",
        }
    }

    #[test]
    fn actions_are_read_as_they_are_written() {
        let give = Act::Give { count: 12, to: Seat(3) };
        for (act, text) in [
            (Act::Take(Square(8)), "9"),
            (Act::Vote(Way::Left), "vote left"),
            (Act::Voted, "vote ?"),
            (give, "give 12 to 3"),
        ] {
            assert_eq!((act.to_string().as_str(), text.parse()), (text, Ok(act)));
        }
        assert_eq!("  give 12\tto  3 ".parse(), Ok(give));
        for text in
            ["", "0", "10", "vote", "vote up", "vote left right", "give 12", "give 12 to", "give 300 to 1"]
        {
            assert!(text.parse::<Act>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_error_lists_the_forms() {
        let trouble = |text: &str| text.parse::<Act>().unwrap_err().to_string();
        assert_eq!(trouble("vote"), "`vote` is not SQUARE, vote WAY, vote ? or give COUNT to TO");
        assert_eq!(trouble("vote up"), "`vote up` is not vote WAY");
    }

    #[test]
    fn a_value_outside_its_range_is_written_without_a_panic() {
        assert_eq!(Square(255).to_string(), "255");
        assert_eq!(Square::all().count(), 9);
    }
}
