//! The weights of a heuristic: a table of named integers, which `pentarchy tune bot:GAME` fits.

use std::fmt::Debug;

/// One entry of a table of weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamedWeight {
    /// The name of the field, e.g. `general_worth`.
    pub name: &'static str,
    /// The value that bots use.
    pub value: i32,
}

/// The weights of a heuristic. [`weights!`](crate::weights!) defines a struct that implements it.
pub trait WeightTable: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// The weights that bots use.
    const SHIPPED: Self;

    /// All weights by name with the shipped values, in the order of the fields. Empty for a game without
    /// weights.
    const ROWS: &'static [NamedWeight];

    /// Returns a table with these values in the order of [`ROWS`](Self::ROWS); `None` unless there is one
    /// value per row.
    fn from_values(values: &[i32]) -> Option<Self>;
}

/// The table of a game whose heuristic has no weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoWeights;

impl WeightTable for NoWeights {
    const SHIPPED: Self = NoWeights;
    const ROWS: &'static [NamedWeight] = &[];

    /// Returns the empty table for an empty list; `None` otherwise.
    fn from_values(values: &[i32]) -> Option<Self> {
        values.is_empty().then_some(NoWeights)
    }
}

/// Defines the weights of a heuristic: a struct of integers that implements
/// [`WeightTable`]. The value after `=` is the one that bots use.
///
/// ```
/// use pentarchy_engine::{WeightTable, weights};
///
/// weights! {
///     /// What cards are worth.
///     pub struct Weights {
///         /// Worth of an Archer.
///         archer = 36,
///         /// Worth of a Scout.
///         scout = -4,
///     }
/// }
/// assert_eq!((Weights::SHIPPED.archer, Weights::ROWS[1].name), (36, "scout"));
/// assert_eq!(Weights::from_values(&[1, 2]), Some(Weights { archer: 1, scout: 2 }));
/// assert_eq!(Weights::from_values(&[1]), None);
/// ```
#[macro_export]
macro_rules! weights {
    (
        $(#[$about:meta])*
        $vis:vis struct $name:ident { $($(#[$one:meta])* $field:ident = $value:expr),+ $(,)? }
    ) => {
        $(#[$about])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        $vis struct $name { $($(#[$one])* $vis $field: i32),+ }

        impl $crate::WeightTable for $name {
            const SHIPPED: Self = $name { $($field: $value),+ };
            const ROWS: &'static [$crate::NamedWeight] =
                &[$($crate::NamedWeight { name: stringify!($field), value: $value }),+];

            /// Returns a table with these values in the order of the fields; `None` unless there is one value
            /// per field.
            fn from_values(values: &[i32]) -> ::std::option::Option<Self> {
                let [$($field),+] = *values else { return None };
                Some($name { $($field),+ })
            }
        }
    };
}
