//! The numbers of a serialisable value, place by place: a serializer that writes to a visitor.

use super::survey::{DEAD, PartName, Visit};
use serde::ser::{self, Serialize, Serializer};
use std::fmt;

/// Entries of a list beyond this number are left out, except for the last one.
const MOST_ENTRIES: u32 = 256;

/// The name under which [`Tokens`](crate::Tokens) are serialised; they are encoded by themselves.
pub(crate) const TOKENS_NAME: &str = "pentarchy tokens";

/// Visits the numbers of a value, which lies at `place`. A flag is 0 or 1, an enum the number of its variant, a
/// list its length, a text a hash. Tokens are left out. If the value's own `Serialize` fails, the rest is left out.
pub(super) fn visit_value<V: Visit>(value: &impl Serialize, place: u32, visit: &mut V) {
    // The only error is one of the value's own `Serialize`; what it has written up to there stands.
    let _ = value.serialize(Walk { visit, place });
}

/// The serializer of the value at one place.
struct Walk<'v, V> {
    visit: &'v mut V,
    place: u32,
}

impl<'v, V: Visit> Walk<'v, V> {
    /// Visits a number at this place. Never fails.
    #[inline]
    fn number(self, value: i64) -> Result<(), WalkError> {
        self.visit.number(self.place, value);
        Ok(())
    }

    /// Visits the lowest `count` words of 32 bits of a long number, the lowest first, as the parts 0, 1, … of
    /// this place, except those for which the visitor returns [`DEAD`]. Never fails.
    fn words(self, value: u128, count: u32) -> Result<(), WalkError> {
        for key in 0..count {
            let part = self.visit.part(self.place, key, PartName::Entry(key));
            if part != DEAD {
                self.visit.number(part, i64::from((value >> (32 * key)) as u32));
            }
        }
        Ok(())
    }

    /// Visits the part of this value under `key`, unless the visitor returns [`DEAD`] for it. The place must
    /// not be [`DEAD`].
    ///
    /// # Errors
    ///
    /// Fails if the part's own `Serialize` fails.
    #[inline]
    fn part<T: Serialize + ?Sized>(self, key: u32, name: PartName, value: &T) -> Result<(), WalkError> {
        match self.visit.part(self.place, key, name) {
            DEAD => Ok(()),
            place => value.serialize(Walk { visit: self.visit, place }),
        }
    }

    /// Begins a value of several parts. `last` is the number of the last entry of a list, [`DEAD`] if its
    /// length is unknown; `None` for parts that every value of the type has.
    fn parts(self, last: Option<u32>) -> Parts<'v, V> {
        Parts { visit: self.visit, place: self.place, next: 0, last }
    }

    /// Visits the number of a variant and returns the serializer of its content. Its place is [`DEAD`] if the
    /// content is not visited.
    fn variant(self, index: u32, name: &'static str) -> Walk<'v, V> {
        self.visit.number(self.place, index.into());
        let place = match self.place {
            DEAD => DEAD,
            place => self.visit.part(place, index, PartName::Field(name)),
        };
        Walk { visit: self.visit, place }
    }
}

/// Writes the methods of a serializer for integers of at most 32 bits, and signed ones.
macro_rules! visit_integers {
    ($($name:ident($int:ty)),*) => {$(
        #[inline]
        fn $name(self, value: $int) -> Result<(), WalkError> {
            self.number(value.into())
        }
    )*};
}

impl<'v, V: Visit> Serializer for Walk<'v, V> {
    type Ok = ();
    type Error = WalkError;
    type SerializeSeq = Parts<'v, V>;
    type SerializeTuple = Parts<'v, V>;
    type SerializeTupleStruct = Parts<'v, V>;
    type SerializeTupleVariant = Parts<'v, V>;
    type SerializeMap = Parts<'v, V>;
    type SerializeStruct = Parts<'v, V>;
    type SerializeStructVariant = Parts<'v, V>;

    visit_integers!(
        serialize_bool(bool),
        serialize_u8(u8),
        serialize_u16(u16),
        serialize_u32(u32),
        serialize_i8(i8),
        serialize_i16(i16),
        serialize_i32(i32),
        serialize_i64(i64)
    );

    /// Returns `false`: values are visited in their compact form.
    fn is_human_readable(&self) -> bool {
        false
    }
    /// Visits two words of 32 bits, the lower first. Never fails.
    fn serialize_u64(self, value: u64) -> Result<(), WalkError> {
        self.words(value.into(), 2)
    }
    /// Visits four words of 32 bits, the lowest first. Never fails.
    fn serialize_u128(self, value: u128) -> Result<(), WalkError> {
        self.words(value, 4)
    }
    /// Visits four words of 32 bits in two's complement, the lowest first. Never fails.
    fn serialize_i128(self, value: i128) -> Result<(), WalkError> {
        self.words(value as u128, 4)
    }
    /// Visits the number without its fraction. Never fails.
    fn serialize_f32(self, value: f32) -> Result<(), WalkError> {
        self.number(value as i64)
    }
    /// Visits the number without its fraction. Never fails.
    fn serialize_f64(self, value: f64) -> Result<(), WalkError> {
        self.number(value as i64)
    }
    /// Visits the code point. Never fails.
    fn serialize_char(self, value: char) -> Result<(), WalkError> {
        self.number(u32::from(value).into())
    }
    /// Visits a 32-bit hash of the text. Never fails.
    fn serialize_str(self, value: &str) -> Result<(), WalkError> {
        self.serialize_bytes(value.as_bytes())
    }
    /// Visits a 32-bit hash of the bytes. Never fails.
    fn serialize_bytes(self, value: &[u8]) -> Result<(), WalkError> {
        // FNV-1a, 32 bits.
        let hash = value.iter().fold(0x811C_9DC5u32, |h, &b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193));
        self.number(hash.into())
    }
    /// Visits 0. Never fails.
    fn serialize_none(self) -> Result<(), WalkError> {
        self.number(0)
    }
    /// Visits 1, and the value as part 0.
    ///
    /// # Errors
    ///
    /// Fails if the value's own `Serialize` fails.
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), WalkError> {
        self.visit.number(self.place, 1);
        self.part(0, PartName::Field("some"), value)
    }
    /// Visits nothing. Never fails.
    fn serialize_unit(self) -> Result<(), WalkError> {
        Ok(())
    }
    /// Visits nothing. Never fails.
    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), WalkError> {
        Ok(())
    }
    /// Visits the number of the variant. Never fails.
    fn serialize_unit_variant(
        self,
        _name: &'static str,
        index: u32,
        _variant: &'static str,
    ) -> Result<(), WalkError> {
        self.number(index.into())
    }
    /// Visits the inner value at this place.
    ///
    /// # Errors
    ///
    /// Fails if the value's own `Serialize` fails.
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<(), WalkError> {
        value.serialize(self)
    }
    /// Visits the number of the variant, and its content as the part with that number.
    ///
    /// # Errors
    ///
    /// Fails if the content's own `Serialize` fails.
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), WalkError> {
        match self.variant(index, variant) {
            Walk { place: DEAD, .. } => Ok(()),
            inner => value.serialize(inner),
        }
    }
    /// Visits the length, if it is known, and begins the entries. Never fails.
    fn serialize_seq(self, len: Option<usize>) -> Result<Parts<'v, V>, WalkError> {
        let len = len.and_then(|len| u32::try_from(len).ok());
        if let Some(len) = len {
            self.visit.number(self.place, len.into());
        }
        Ok(self.parts(Some(len.map_or(DEAD, |len| len.wrapping_sub(1)))))
    }
    /// Begins the entries; the length is not visited. Never fails.
    fn serialize_tuple(self, _len: usize) -> Result<Parts<'v, V>, WalkError> {
        Ok(self.parts(None))
    }
    /// Begins the entries; the length is not visited. Never fails.
    fn serialize_tuple_struct(self, _: &'static str, _len: usize) -> Result<Parts<'v, V>, WalkError> {
        Ok(self.parts(None))
    }
    /// Visits the number of the variant and begins its entries. Never fails.
    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Parts<'v, V>, WalkError> {
        Ok(self.variant(index, variant).parts(None))
    }
    /// Begins the keys and values; the length is not visited. Never fails.
    fn serialize_map(self, _len: Option<usize>) -> Result<Parts<'v, V>, WalkError> {
        Ok(self.parts(None))
    }
    /// Begins the fields. Those of [`Tokens`](crate::Tokens) are not visited. Never fails.
    fn serialize_struct(self, name: &'static str, _len: usize) -> Result<Parts<'v, V>, WalkError> {
        let place = if name == TOKENS_NAME { DEAD } else { self.place };
        Ok(Walk { visit: self.visit, place }.parts(None))
    }
    /// Visits the number of the variant and begins its fields. Never fails.
    fn serialize_struct_variant(
        self,
        _name: &'static str,
        index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Parts<'v, V>, WalkError> {
        Ok(self.variant(index, variant).parts(None))
    }
}

/// The parts of a value that are still to come.
struct Parts<'v, V> {
    visit: &'v mut V,
    /// The place of the value; [`DEAD`] if none of its parts is visited.
    place: u32,
    /// The number of the next part.
    next: u32,
    /// For a list, the number of its last entry ([`DEAD`] if that is not known); `None` for parts that are
    /// always there.
    last: Option<u32>,
}

impl<V: Visit> Parts<'_, V> {
    /// Visits the next part, named by its number if `name` is `None`, and moves on. Its key is its number
    /// from 0; in a list it is the number plus 1. The last entry of a list, if the length is known, is
    /// visited under key 0 too, before that. Entries of a list from number [`MOST_ENTRIES`] on are left out,
    /// except for key 0. Visits nothing if the place is [`DEAD`].
    ///
    /// # Errors
    ///
    /// Fails if the part's own `Serialize` fails.
    #[inline]
    fn next<T: Serialize + ?Sized>(
        &mut self,
        name: Option<&'static str>,
        value: &T,
    ) -> Result<(), WalkError> {
        let n = self.next;
        self.next += 1;
        if self.place == DEAD {
            return Ok(());
        }
        let name = name.map_or(PartName::Entry(n), PartName::Field);
        // The last entry of a list is visited twice: a stack is read from its top, a list from its start.
        match self.last {
            None => self.visit_part(n, name, value),
            Some(last) => {
                if n == last {
                    self.visit_part(0, PartName::Last, value)?;
                }
                if n < MOST_ENTRIES { self.visit_part(n + 1, name, value) } else { Ok(()) }
            }
        }
    }

    /// Visits a part under this key, unless the visitor returns [`DEAD`] for it.
    ///
    /// # Errors
    ///
    /// Fails if the part's own `Serialize` fails.
    #[inline]
    fn visit_part<T: Serialize + ?Sized>(
        &mut self,
        key: u32,
        name: PartName,
        value: &T,
    ) -> Result<(), WalkError> {
        Walk { visit: &mut *self.visit, place: self.place }.part(key, name, value)
    }
}

/// Implements the traits of serde whose parts have no names.
macro_rules! visit_entries {
    ($($trait:ident::$method:ident),*) => {$(
        impl<V: Visit> ser::$trait for Parts<'_, V> {
            type Ok = ();
            type Error = WalkError;
            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WalkError> {
                self.next(None, value)
            }
            /// Does nothing. Never fails.
            fn end(self) -> Result<(), WalkError> {
                Ok(())
            }
        }
    )*};
}
visit_entries!(
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field
);

/// Implements the traits of serde whose parts have names.
macro_rules! visit_fields {
    ($($trait:ident),*) => {$(
        impl<V: Visit> ser::$trait for Parts<'_, V> {
            type Ok = ();
            type Error = WalkError;
            /// Visits the next field under its name.
            ///
            /// # Errors
            ///
            /// Fails if the field's own `Serialize` fails.
            #[inline]
            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), WalkError> {
                self.next(Some(key), value)
            }
            /// Does nothing. Never fails.
            fn end(self) -> Result<(), WalkError> {
                Ok(())
            }
        }
    )*};
}
visit_fields!(SerializeStruct, SerializeStructVariant);

impl<V: Visit> ser::SerializeMap for Parts<'_, V> {
    type Ok = ();
    type Error = WalkError;
    /// Visits a key of a map as the next part.
    ///
    /// # Errors
    ///
    /// Fails if the key's own `Serialize` fails.
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), WalkError> {
        self.next(None, key)
    }
    /// Visits a value of a map as the next part.
    ///
    /// # Errors
    ///
    /// Fails if the value's own `Serialize` fails.
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WalkError> {
        self.next(None, value)
    }
    /// Does nothing. Never fails.
    fn end(self) -> Result<(), WalkError> {
        Ok(())
    }
}

/// An error of a value's own `Serialize`.
#[derive(Debug)]
struct WalkError;

impl fmt::Display for WalkError {
    /// Writes a sentence without the cause.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value cannot be serialised")
    }
}
impl std::error::Error for WalkError {}
impl ser::Error for WalkError {
    /// Returns the error; the message is dropped.
    fn custom<T: fmt::Display>(_: T) -> Self {
        WalkError
    }
}
