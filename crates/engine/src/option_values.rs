//! Reads options from JSON values with little code for each field.
//!
//! The reader of `serde_json` is inlined into every field of every struct of options, and the games have hundreds of
//! fields. Here the value of a field is read by a function that is compiled once for each type of a field.

use serde::de::value::StringDeserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Error, Value, map};

/// Creates options from a JSON value: a table of their fields. Ranges are not checked; whether fields may be
/// missing or unknown is up to the `Deserialize` of the type.
///
/// # Errors
///
/// Fails if the value does not fit the type of the options.
pub(crate) fn read<O: DeserializeOwned>(value: Value) -> Result<O, Error> {
    O::deserialize(OptionValue(value))
}

/// A JSON value as the source of an option or of a struct of options.
struct OptionValue(Value);

impl<'de> Deserializer<'de> for OptionValue {
    type Error = Error;

    /// Reads a table field by field, and every other value as `serde_json` does.
    ///
    /// # Errors
    ///
    /// Fails if the value is not what the visitor expects.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Object(table) => {
                visitor.visit_map(OptionTable { rest: table.into_iter(), value: Value::Null })
            }
            value => value.deserialize_any(visitor),
        }
    }

    /// Reads null as `None` and every other value as `Some`.
    ///
    /// # Errors
    ///
    /// Fails if the value is not what the visitor expects.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    /// Reads the value as that of the inner type.
    ///
    /// # Errors
    ///
    /// Fails if the value is not what the visitor expects.
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    /// Reads an enum as `serde_json` does: a word, or a table with one entry.
    ///
    /// # Errors
    ///
    /// Fails if there is no such variant.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq
        tuple tuple_struct map struct identifier ignored_any
    }
}

/// The fields of a table that are not read yet.
struct OptionTable {
    /// The fields after the current one.
    rest: map::IntoIter,
    /// The value of the current field, until it is read.
    value: Value,
}

impl<'de> MapAccess<'de> for OptionTable {
    type Error = Error;

    /// Moves to the next field and reads its name; `None` at the end.
    ///
    /// # Errors
    ///
    /// Fails if the struct has no such field.
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some((name, value)) = self.rest.next() else { return Ok(None) };
        self.value = value;
        let name: StringDeserializer<Error> = name.into_deserializer();
        seed.deserialize(name).map(Some)
    }

    /// Reads the value of the current field. Never inlined: see the top of this file.
    ///
    /// # Errors
    ///
    /// Fails if the value does not fit the type of the field.
    #[inline(never)]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(OptionValue(self.value.take()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Colour {
        DarkRed,
        Blue,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Money(i64);

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Inner {
        limit: Option<u8>,
        colour: Option<Colour>,
        steps: Vec<u16>,
    }

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct All {
        on: bool,
        count: u16,
        signed: i8,
        name: String,
        money: Option<Money>,
        inner: Inner,
    }

    /// Values that fit and values that do not give what the reader of `serde_json` gives, errors included.
    #[test]
    fn reads_as_serde_json_does() {
        for value in [
            json!({}),
            json!({"on": true, "count": 65535, "signed": -128, "name": "é", "money": -5}),
            json!({"inner": {"limit": 3, "colour": "dark-red", "steps": [1, 2]}, "count": 0}),
            json!({"inner": {"limit": null, "colour": null}, "money": null}),
            json!({"count": 65536}),
            json!({"count": -1}),
            json!({"count": "7"}),
            json!({"count": 1.5}),
            json!({"count": null}),
            json!({"signed": -129}),
            json!({"on": 1}),
            json!({"else": 1}),
            json!({"inner": {"else": {}}}),
            json!({"inner": 4}),
            json!({"inner": {"colour": "green"}}),
            json!({"inner": {"steps": [1, -1]}}),
            json!([1, 2]),
            json!(null),
            json!("text"),
        ] {
            let usual: Result<All, Error> = serde_json::from_value(value.clone());
            let text = |e: Error| e.to_string();
            assert_eq!(read::<All>(value.clone()).map_err(text), usual.map_err(text), "{value}");
        }
    }
}
