//! Values in the readable state of a game, and their comparison with expectations.

use serde_json::Value;

/// Returns a copy of the value at a dotted path, where a number from 0 names an entry of a list; `None` if
/// there is none. A path that ends in `#` gives the number of entries of a list or table, `None` of anything
/// else.
pub(super) fn at(all: &Value, path: &str) -> Option<Value> {
    let mut here = all;
    let mut names = path.split('.').peekable();
    while let Some(name) = names.next() {
        if name == "#" && names.peek().is_none() {
            let count = here.as_array().map(Vec::len).or_else(|| here.as_object().map(|t| t.len()));
            return count.map(Value::from);
        }
        here = match here {
            Value::Array(list) => list.get(name.parse::<usize>().ok()?)?,
            other => other.get(name)?,
        };
    }
    Some(here.clone())
}

/// Returns a sentence about the point where a path cannot be followed, for a hint: the names of a table, the
/// length of a list, or the value.
pub(super) fn names_at(all: &Value, path: &str) -> String {
    let mut here = all;
    let mut way = String::new();
    for name in path.split('.') {
        let next = match here {
            Value::Array(list) => name.parse::<usize>().ok().and_then(|i| list.get(i)),
            other => other.get(name),
        };
        let Some(next) = next else { break };
        here = next;
        way = if way.is_empty() { name.to_string() } else { format!("{way}.{name}") };
    }
    let names = match here {
        Value::Object(table) => table.keys().cloned().collect::<Vec<_>>().join(", "),
        Value::Array(list) => format!("a list of {}", list.len()),
        other => format!("just {other}"),
    };
    if way.is_empty() { format!("there is {names}") } else { format!("at `{way}` there is {names}") }
}

/// Returns whether a value matches an expectation. A table is compared only in the expected names, lists
/// entry by entry; a text like `>= 3` compares whole numbers (`>=`, `<=`, `!=`, `>` or `<`); the text `null`
/// stands for null. Everything else must be equal.
pub(super) fn is_match(there: &Value, expected: &Value) -> bool {
    match (there, expected) {
        (Value::Null, Value::String(text)) => text == "null",
        (Value::Object(there), Value::Object(expected)) => {
            expected.iter().all(|(name, value)| there.get(name).is_some_and(|t| is_match(t, value)))
        }
        (Value::Array(there), Value::Array(expected)) => {
            there.len() == expected.len() && there.iter().zip(expected).all(|(t, e)| is_match(t, e))
        }
        (Value::Number(there), Value::String(text)) => {
            there.as_i64().zip(comparison(text)).is_some_and(|(n, (sign, with))| match sign {
                ">=" => n >= with,
                "<=" => n <= with,
                "!=" => n != with,
                ">" => n > with,
                _ => n < with,
            })
        }
        (there, expected) => there == expected,
    }
}

/// Parses a comparison like `>= 3` into its sign (">=", "<=", "!=", ">" or "<") and its whole
/// number; `None` if the text is none.
fn comparison(text: &str) -> Option<(&'static str, i64)> {
    [">=", "<=", "!=", ">", "<"]
        .into_iter()
        .find_map(|sign| Some((sign, text.strip_prefix(sign)?.trim().parse().ok()?)))
}

/// Returns a copy in which each text `null`, at any depth, is replaced by null, which TOML cannot write.
pub(super) fn with_nulls(value: &Value) -> Value {
    match value {
        Value::String(text) if text == "null" => Value::Null,
        Value::Array(list) => list.iter().map(with_nulls).collect(),
        Value::Object(table) => table.iter().map(|(name, v)| (name.clone(), with_nulls(v))).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn paths_go_through_tables_and_lists_and_count() {
        let all = json!({ "players": [{ "storage": 5 }, { "storage": 0, "hand": [1, 2] }] });
        assert_eq!(at(&all, "players.1.storage"), Some(json!(0)));
        assert_eq!(at(&all, "players.#"), Some(json!(2)));
        assert_eq!(at(&all, "players.1.hand.#"), Some(json!(2)));
        assert_eq!(at(&all, "players.2.storage"), None);
        assert_eq!(names_at(&all, "players.0.stored"), "at `players.0` there is storage");
        assert_eq!(names_at(&all, "player"), "there is players");
        assert_eq!(names_at(&all, "players.7"), "at `players` there is a list of 2");
    }

    #[test]
    fn values_are_compared_as_far_as_they_are_named() {
        assert!(is_match(&json!({ "a": 1, "b": 2 }), &json!({ "b": 2 })));
        assert!(!is_match(&json!({ "a": 1 }), &json!({ "b": 2 })));
        assert!(is_match(&json!([1, { "a": null }]), &json!([1, { "a": "null" }])));
        assert!(!is_match(&json!([1, 2]), &json!([1])));
        assert!(is_match(&json!(3), &json!(">= 3")) && !is_match(&json!(3), &json!("> 3")));
        assert!(is_match(&json!(3), &json!("!=4")) && is_match(&json!(-1), &json!("< 0")));
        assert!(!is_match(&json!("3"), &json!(3)) && is_match(&json!("> 3"), &json!("> 3")));
        assert_eq!(with_nulls(&json!({ "a": ["null", "b"] })), json!({ "a": [null, "b"] }));
    }
}
