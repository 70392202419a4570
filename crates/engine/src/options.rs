//! Options of a game and tuning numbers of its design: typed, documented and range-checked.

use crate::option_values;
use crate::rng::Rng;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fmt::{self, Debug};

/// The options of a game: a plain struct with serde's `default` and `deny_unknown_fields`, described by
/// [`FIELDS`](Self::FIELDS).
pub trait Options:
    Clone + Default + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// One row per field, in the order of the struct. A dot in the name leads into a nested struct.
    const FIELDS: &'static [Field];

    /// Named sets of options. The browser uses the first one by default; records and the command line use the
    /// default options unless another preset is named.
    const PRESETS: &'static [Preset] = &[];

    /// Checks conditions between fields, for a game with `seats` seats. The range of each single field has
    /// been checked before. The default accepts everything.
    ///
    /// # Errors
    ///
    /// Fails with a sentence for players if the fields do not fit together or do not fit the number of seats.
    fn check(&self, _seats: u8) -> Result<(), OptionsError> {
        Ok(())
    }
}

/// A named set of options.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name, as in `--preset NAME`.
    pub name: &'static str,
    /// The purpose, in one sentence.
    pub about: &'static str,
    /// The options that differ from the defaults, as a JSON object.
    pub options: fn() -> Value,
}

impl Preset {
    /// Returns the preset with this name, ignoring the case of ASCII letters.
    ///
    /// # Errors
    ///
    /// Fails if there is no such preset; the message lists all presets, or says that the game has none.
    pub fn find(presets: &'static [Preset], name: &str) -> Result<&'static Preset, OptionsError> {
        let found = presets.iter().find(|preset| preset.name.eq_ignore_ascii_case(name));
        found.ok_or_else(|| {
            let names: Vec<&str> = presets.iter().map(|preset| preset.name).collect();
            OptionsError(match names.is_empty() {
                true => "this game has no presets".to_string(),
                false => format!("there is no preset `{name}`; choose {}", names.join(" or ")),
            })
        })
    }
}

/// The description of one option.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The name, as in `--set name=value`.
    pub name: &'static str,
    /// Type and range.
    pub kind: OptionKind,
    /// Whether this is a number of the design that only designers vary, rather than a choice for players.
    pub tuning: bool,
    /// What the option does, for `--help` and the rules page.
    pub doc: &'static str,
}

impl Field {
    /// Describes a choice for players, as opposed to a tuning number; `doc` says what it does.
    pub const fn option(name: &'static str, kind: OptionKind, doc: &'static str) -> Self {
        Field { name, kind, tuning: false, doc }
    }

    /// Describes a tuning number for designers, from `min` to `max` inclusive.
    pub const fn tuning(name: &'static str, min: i64, max: i64, doc: &'static str) -> Self {
        Field { name, kind: OptionKind::Int { min, max }, tuning: true, doc }
    }
}

/// Type and range of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// An integer.
    Int {
        /// Smallest allowed value.
        min: i64,
        /// Largest allowed value.
        max: i64,
    },
    /// An integer or `none`.
    Maybe {
        /// Smallest allowed value.
        min: i64,
        /// Largest allowed value.
        max: i64,
    },
    /// A Boolean.
    Flag,
    /// One of these words.
    Choice(&'static [&'static str]),
}

impl fmt::Display for OptionKind {
    /// Writes what values the option takes: `1–5`, `none or 1–5`, `true or false`, or the words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionKind::Int { min, max } => write!(f, "{min}–{max}"),
            OptionKind::Maybe { min, max } => write!(f, "none or {min}–{max}"),
            OptionKind::Flag => f.write_str("true or false"),
            OptionKind::Choice(words) => f.write_str(&words.join(", ")),
        }
    }
}

/// Invalid options, with a sentence that says why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionsError(pub String);

impl OptionsError {
    /// Creates the error with this sentence.
    pub fn new(message: impl Into<String>) -> Self {
        OptionsError(message.into())
    }
}

impl fmt::Display for OptionsError {
    /// Writes the sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
impl std::error::Error for OptionsError {}

/// The options of a game that has none.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NoOptions {}

impl Options for NoOptions {
    const FIELDS: &'static [Field] = &[];
}

/// Parses `text` and sets the field `name` (a dotted path into nested structs) to it, as `--set` does. `text`
/// is an integer, `none` for a [`OptionKind::Maybe`], `true` or `false`, or a word of the choice. Checks type
/// and range of this field, but not [`Options::check`]. On `Err` nothing has changed.
///
/// # Errors
///
/// Fails if there is no such field or if the value does not fit its type and range.
pub fn set<O: Options>(options: &mut O, name: &str, text: &str) -> Result<(), OptionsError> {
    let field = find(O::FIELDS, name)?;
    let value = match field.kind {
        OptionKind::Int { .. } => text.parse::<i64>().map(Value::from).ok(),
        OptionKind::Maybe { .. } if text == "none" => Some(Value::Null),
        OptionKind::Maybe { .. } => text.parse::<i64>().map(Value::from).ok(),
        OptionKind::Flag => text.parse::<bool>().map(Value::from).ok(),
        OptionKind::Choice(_) => Some(Value::from(text)),
    };
    let value = value.ok_or_else(|| wrong(field, text))?;
    check_field(field, &value)?;
    let mut all = to_value(options)?;
    put(&mut all, name, value);
    *options = option_values::read(all).map_err(|e| OptionsError(format!("{name}: {e}")))?;
    Ok(())
}

/// Creates options from a JSON object that names only the fields that differ from the defaults; `Null` gives
/// the defaults. A field of a nested struct stands in a nested object or under its dotted path. Checks names,
/// types and ranges, but not [`Options::check`].
///
/// # Errors
///
/// Fails if the value is neither an object nor `Null`, and at the first unknown name or invalid value.
pub fn from_value<O: Options>(value: &Value) -> Result<O, OptionsError> {
    let mut all = to_value(&O::default())?;
    if !value.is_null() {
        let given = value
            .as_object()
            .ok_or_else(|| OptionsError::new("options must be a table of names and values"))?;
        merge(O::FIELDS, &mut all, given, "")?;
    }
    option_values::read(all).map_err(|e| OptionsError(e.to_string()))
}

/// Writes the given options over those in `all`, a complete table of options with these `fields`. `given` has
/// nested tables or dotted paths for nested structs. `prefix` is the dotted path of the nested struct to
/// which `given` belongs, with a final dot; empty at the top.
///
/// # Errors
///
/// Fails if a name is unknown or a value does not fit; earlier fields have then been changed.
fn merge(
    fields: &'static [Field],
    all: &mut Value,
    given: &Map<String, Value>,
    prefix: &str,
) -> Result<(), OptionsError> {
    for (name, value) in given {
        let path = format!("{prefix}{name}");
        match value {
            Value::Object(inner) if get(all, &path).is_some_and(Value::is_object) => {
                merge(fields, all, inner, &format!("{path}."))?;
            }
            _ => {
                check_field(find(fields, &path)?, value)?;
                put(all, &path, value.clone());
            }
        }
    }
    Ok(())
}

/// Returns all fields of the options, defaults included, as a JSON object.
///
/// # Errors
///
/// Fails only if the type's `Serialize` does.
pub fn to_value<O: Options>(options: &O) -> Result<Value, OptionsError> {
    serde_json::to_value(options).map_err(|e| OptionsError(e.to_string()))
}

/// Returns the default options with some fields drawn with `rng` within their ranges, for property tests: on
/// average a third of the players' options, and a third of the tuning numbers but no more than about a dozen.
/// Three of four numbers are drawn near their default, and a maximum of 65,535 or more counts as 200, so that
/// games stay playable. Does not check [`Options::check`].
///
/// # Errors
///
/// Fails only if the table of fields does not match the struct.
pub fn random<O: Options>(rng: &mut Rng) -> Result<O, OptionsError> {
    let mut all = to_value(&O::default())?;
    // Change only about a dozen of many tuning numbers: a game with all of them changed is not playable.
    let tunings = O::FIELDS.iter().filter(|f| f.tuning).count() as u32;
    for field in O::FIELDS {
        let rarity = if field.tuning { (tunings / 12).max(3) } else { 3 };
        if rng.below(rarity) != 0 {
            continue;
        }
        let value = match field.kind {
            OptionKind::Flag => Value::from(rng.below(2) == 1),
            OptionKind::Choice(words) => Value::from(*rng.choose(words).unwrap_or(&"")),
            OptionKind::Maybe { .. } if rng.below(2) == 0 => Value::Null,
            OptionKind::Int { min, max } | OptionKind::Maybe { min, max } => {
                // A limit of tens of thousands of rounds makes random games that do not end.
                let endless = matches!(field.kind, OptionKind::Int { .. }) && max >= 65_535;
                let max = if endless { min.max(200) } else { max };
                let default = get(&all, field.name).and_then(Value::as_i64);
                let (min, max) = match default.filter(|_| rng.below(4) != 0) {
                    Some(usual) => {
                        let reach = (usual.saturating_abs() / 2).max(2);
                        (min.max(usual.saturating_sub(reach)), max.min(usual.saturating_add(reach)))
                    }
                    None => (min, max),
                };
                let span = u32::try_from(max.saturating_sub(min)).unwrap_or(u32::MAX).min(u32::MAX - 1);
                Value::from(min + i64::from(rng.below(span + 1)))
            }
        };
        put(&mut all, field.name, value);
    }
    option_values::read(all).map_err(|e| OptionsError(e.to_string()))
}

/// Checks all fields against their ranges, then calls [`Options::check`] for `seats` seats. Changes nothing.
///
/// # Errors
///
/// Fails with the first field that is out of range, or with the error of `check`.
pub fn validate<O: Options>(options: &O, seats: u8) -> Result<(), OptionsError> {
    check_all(O::FIELDS, &to_value(options)?)?;
    options.check(seats)
}

/// Checks that each of `fields` has a value in the table `all`, at its dotted path, that fits it. A missing
/// value counts as `Null`.
///
/// # Errors
///
/// Fails with the first field that is out of range.
fn check_all(fields: &[Field], all: &Value) -> Result<(), OptionsError> {
    fields.iter().try_for_each(|field| check_field(field, get(all, field.name).unwrap_or(&Value::Null)))
}

/// Returns the value at a dotted path of a JSON table; `None` if there is none. Lists are not entered.
pub fn get<'a>(all: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(all, |at, name| at.get(name))
}

/// Sets the value at a dotted path; missing tables and fields are added. Panics if a value on the way is
/// neither a table nor null, which cannot happen for the name of a field.
fn put(all: &mut Value, path: &str, value: Value) {
    let mut at = all;
    for name in path.split('.') {
        at = &mut at[name];
    }
    *at = value;
}

/// Maximum number of field names in an error message.
const MOST_NAMED: usize = 8;

/// Returns the one of `fields` with this name, dots included.
///
/// # Errors
///
/// Fails if there is no such field. The message suggests the nearest name; else it lists all names, or only
/// their number if they are more than [`MOST_NAMED`].
fn find(fields: &'static [Field], name: &str) -> Result<&'static Field, OptionsError> {
    fields.iter().find(|f| f.name == name).ok_or_else(|| {
        let near = crate::notation::nearest(name, fields.iter().map(|f| f.name));
        let hint = match near {
            Some(near) => format!("; did you mean `{near}`?"),
            None if fields.is_empty() => "; this game has none".to_string(),
            None if fields.len() > MOST_NAMED => {
                format!("; there are {}, and the rules list them", fields.len())
            }
            None => {
                format!("; there are {}", fields.iter().map(|f| f.name).collect::<Vec<_>>().join(", "))
            }
        };
        OptionsError(format!("there is no option `{name}`{hint}"))
    })
}

/// Checks that a value fits the type and range of a field. `Null` fits only [`OptionKind::Maybe`].
///
/// # Errors
///
/// Fails if it does not; the message names the field, the value and the allowed ones.
fn check_field(field: &Field, value: &Value) -> Result<(), OptionsError> {
    let fits = match field.kind {
        OptionKind::Int { min, max } => value.as_i64().is_some_and(|n| (min..=max).contains(&n)),
        OptionKind::Maybe { min, max } => {
            value.is_null() || value.as_i64().is_some_and(|n| (min..=max).contains(&n))
        }
        OptionKind::Flag => value.is_boolean(),
        OptionKind::Choice(words) => value.as_str().is_some_and(|w| words.contains(&w)),
    };
    if fits { Ok(()) } else { Err(wrong(field, value.to_string().trim_matches('"'))) }
}

/// Creates the error that the value `text` does not fit a field; it names the field, the value, and what the
/// field takes.
fn wrong(field: &Field, text: &str) -> OptionsError {
    OptionsError(format!("`{}` cannot be `{text}`: it takes {}", field.name, field.kind))
}
