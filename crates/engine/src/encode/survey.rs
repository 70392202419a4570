//! Which numbers a tree of values has, found by looking at many examples, and how each is written.

use super::MOST_ENCODED;
use std::collections::BTreeSet;

/// The place of a value that is not followed.
pub(super) const DEAD: u32 = u32::MAX;
/// The root of every tree.
pub(super) const ROOT: u32 = 0;
/// Numbers from this one on are written with their binary digits too, because they may be bit sets.
const BINARY_FROM: i64 = 128;
/// One-hot numbers with more values than this are written as a number too.
const NUMBER_FROM: usize = 8;

/// The name of a part of a value.
#[derive(Clone, Copy)]
pub(super) enum PartName {
    /// A field of a struct.
    Field(&'static str),
    /// The entry with this number.
    Entry(u32),
    /// The last entry of a list.
    Last,
}

/// Receives the numbers in a tree of values, place by place.
pub(super) trait Visit {
    /// Returns the place of a part of the value at `place`; [`DEAD`] if the part need not be visited. `key`
    /// tells the parts of a value apart; `name` is what texts call the part. `place` is [`ROOT`] or was
    /// returned by this function.
    fn part(&mut self, place: u32, key: u32, name: PartName) -> u32;
    /// Receives the number at `place`, which is [`ROOT`] or was returned by [`part`](Self::part), and not
    /// [`DEAD`].
    fn number(&mut self, place: u32, value: i64);
}

/// Collects the places of a tree and the values at each of them.
pub(super) struct Survey {
    /// The places; the first is the root.
    places: Vec<Place>,
    /// A number with at most this number of values is written one-hot.
    few: usize,
    /// The number of the example's game.
    pub(super) game: u32,
}

/// A place of the tree.
struct Place {
    /// Its path.
    name: String,
    /// The places of its parts by key; [`DEAD`] for keys that did not occur.
    parts: Vec<u32>,
    /// The numbers seen here; `None` if there were none.
    seen: Option<Seen>,
}

/// The numbers seen at a place.
struct Seen {
    /// All values, while there are few.
    values: BTreeSet<i64>,
    /// The smallest value.
    min: i64,
    /// The largest value.
    max: i64,
    /// The first value.
    first: i64,
    /// The bits that were not always those of the first value.
    changed: u64,
    /// The number of the last game, and the first value in it.
    in_game: (u32, i64),
    /// Whether the number has changed within a game.
    moves: bool,
}

impl Survey {
    /// Creates a survey that has seen nothing. Numbers with at most `few` values will be written one-hot.
    pub(super) fn new(few: usize) -> Self {
        let root = Place { name: String::new(), parts: Vec::new(), seen: None };
        Survey { places: vec![root], few, game: 0 }
    }

    /// Returns how each number is written, in the order of the places; `offset` is the index of the first
    /// one. Appends their names to `names`. Leaves out numbers that were always equal, and large numbers that
    /// never change within a game: these are identifiers, such as a seed.
    pub(super) fn plan(&self, offset: usize, names: &mut Vec<String>) -> Plan {
        let mut plan = Plan { places: Vec::new() };
        let first = names.len();
        for place in &self.places {
            let at = offset + names.len() - first;
            let form = place.seen.as_ref().map_or(Form::Left, |seen| seen.form(at, self.few));
            form.name(&place.name, names);
            plan.places.push(PlannedPlace { parts: place.parts.clone().into(), form });
        }
        // Parts come after their place, so that one pass from the end finds all live ones.
        for i in (0..plan.places.len()).rev() {
            let mut parts = std::mem::take(&mut plan.places[i].parts);
            for part in &mut parts {
                if *part != DEAD && !plan.is_live(*part) {
                    *part = DEAD;
                }
            }
            plan.places[i].parts = parts;
        }
        plan
    }
}

impl Visit for Survey {
    /// Returns the place of the part with this key, and creates it if it is new. `name` is used only then.
    /// `place` must be one of this survey.
    fn part(&mut self, place: u32, key: u32, name: PartName) -> u32 {
        let new = self.places.len() as u32;
        let parent = &mut self.places[place as usize];
        if parent.parts.len() <= key as usize {
            parent.parts.resize(key as usize + 1, DEAD);
        }
        let part = &mut parent.parts[key as usize];
        if *part != DEAD {
            return *part;
        }
        *part = new;
        let dot = if parent.name.is_empty() { "" } else { "." };
        let name = match name {
            PartName::Field(field) => format!("{}{dot}{field}", parent.name),
            PartName::Entry(n) => format!("{}{dot}{n}", parent.name),
            PartName::Last => format!("{}{dot}last", parent.name),
        };
        self.places.push(Place { name, parts: Vec::new(), seen: None });
        new
    }

    /// Adds a value to the statistics of the place, under the number of the current game. `place` must be one
    /// of this survey.
    fn number(&mut self, place: u32, value: i64) {
        let (game, few) = (self.game, self.few);
        let seen = self.places[place as usize].seen.get_or_insert_with(|| Seen {
            values: BTreeSet::new(),
            min: value,
            max: value,
            first: value,
            changed: 0,
            in_game: (game, value),
            moves: false,
        });
        if seen.values.len() <= few {
            seen.values.insert(value);
        }
        (seen.min, seen.max) = (seen.min.min(value), seen.max.max(value));
        seen.changed |= (seen.first ^ value) as u64;
        match seen.in_game {
            (last, start) if last == game => seen.moves |= value != start,
            _ => seen.in_game = (game, value),
        }
    }
}

impl Seen {
    /// Returns how these numbers are written from index `at` on: not at all if there was only one value, as a
    /// flag for the larger one if there were two, one-hot if there were at most `few`. More values are scaled
    /// by a power of two to at most 1, except that numbers that spread over at least [`BINARY_FROM`] and
    /// never changed within a game are not written. A one-hot number with more than [`NUMBER_FROM`] values is
    /// also written scaled. More than `few` values without a negative one that reach [`BINARY_FROM`] also
    /// have each binary digit that changed.
    fn form(&self, at: usize, few: usize) -> Form {
        let at = at as u32;
        let values: Vec<i64> = self.values.iter().copied().collect();
        let large = self.min.unsigned_abs().max(self.max.unsigned_abs()).max(1);
        // A power of two: the division is exact.
        let scale = 1.0 / large.next_power_of_two().max(1) as f32;
        match values.as_slice() {
            [] | [_] => Form::Left,
            &[_, one] => Form::Flag { at, one },
            all if all.len() <= few => {
                Form::OneHot { at, values: all.into(), scale: (all.len() > NUMBER_FROM).then_some(scale) }
            }
            _ if !self.moves && self.max.abs_diff(self.min) >= BINARY_FROM as u64 => Form::Left,
            _ => {
                let binary = self.min >= 0 && self.max >= BINARY_FROM;
                let bits = (0..63u8).filter(|bit| binary && self.changed >> bit & 1 != 0).collect();
                Form::Number { at, scale, bits }
            }
        }
    }
}

/// How a number is written.
enum Form {
    /// Not at all.
    Left,
    /// As 1 if it has this value, else as 0.
    Flag { at: u32, one: i64 },
    /// As 1 at the index of its value, ascending, 0 elsewhere; then as a number if there is a scale.
    OneHot { at: u32, values: Box<[i64]>, scale: Option<f32> },
    /// Multiplied by the scale; then these binary digits.
    Number { at: u32, scale: f32, bits: Box<[u8]> },
}

impl Form {
    /// Appends one name per written number, such as `stage = 2` or `stage bit 5`; `place` is the path of the
    /// number. Appends nothing for a number that is not written.
    fn name(&self, place: &str, names: &mut Vec<String>) {
        match self {
            Form::Left => {}
            Form::Flag { one, .. } => names.push(format!("{place} = {one}")),
            Form::OneHot { values, scale, .. } => {
                names.extend(values.iter().map(|value| format!("{place} = {value}")));
                names.extend(scale.map(|_| place.to_string()));
            }
            Form::Number { bits, .. } => {
                names.push(place.to_string());
                names.extend(bits.iter().map(|bit| format!("{place} bit {bit}")));
            }
        }
    }

    /// Writes a number into the entries of `out` that belong to this form, which must be 0. A value that was
    /// never seen gives a one-hot of zeros; scaled numbers are clamped to ±[`MOST_ENCODED`].
    #[inline]
    fn write(&self, value: i64, out: &mut [f32]) {
        let scaled = |scale: f32| (value as f32 * scale).clamp(-MOST_ENCODED, MOST_ENCODED);
        match self {
            Form::Left => {}
            Form::Flag { at, one } => out[*at as usize] = f32::from(u8::from(value == *one)),
            Form::OneHot { at, values, scale } => {
                if let Ok(nth) = values.binary_search(&value) {
                    out[*at as usize + nth] = 1.0;
                }
                if let Some(scale) = scale {
                    out[*at as usize + values.len()] = scaled(*scale);
                }
            }
            Form::Number { at, scale, bits } => {
                let at = *at as usize;
                out[at] = scaled(*scale);
                for (digit, bit) in out[at + 1..].iter_mut().zip(bits) {
                    *digit = (value >> bit & 1) as f32;
                }
            }
        }
    }
}

/// How each number of a tree is written.
pub(super) struct Plan {
    /// The places; the first is the root.
    places: Vec<PlannedPlace>,
}

/// A place of a plan.
struct PlannedPlace {
    /// The places of its parts by key; [`DEAD`] where nothing is written.
    parts: Box<[u32]>,
    /// How its number is written.
    form: Form,
}

impl Plan {
    /// Returns whether anything is written at a place or below it. Its parts must have been pruned: dead ones
    /// are [`DEAD`].
    fn is_live(&self, place: u32) -> bool {
        let place = &self.places[place as usize];
        !matches!(place.form, Form::Left) || place.parts.iter().any(|&part| part != DEAD)
    }
}

/// Writes the numbers of a tree by a plan. What the plan does not know is left out.
pub(super) struct PlanWriter<'a> {
    /// The plan.
    pub(super) plan: &'a Plan,
    /// The whole vector; the entries of the plan are 0 at the start.
    pub(super) out: &'a mut [f32],
}

impl Visit for PlanWriter<'_> {
    /// Returns the place of the part with this key; [`DEAD`] if nothing of it is written or the exploration
    /// has not met it.
    #[inline]
    fn part(&mut self, place: u32, key: u32, _name: PartName) -> u32 {
        self.plan.places[place as usize].parts.get(key as usize).copied().unwrap_or(DEAD)
    }

    /// Writes the number as the plan says: nothing for a number that is left out.
    #[inline]
    fn number(&mut self, place: u32, value: i64) {
        self.plan.places[place as usize].form.write(value, self.out);
    }
}
