//! Answers: an object, or why there is none.

use pentarchy_engine::record::RecordError;
use pentarchy_engine::{AnyError, Outcome};
use serde_json::{Map, Value, json};
use std::fmt::Display;

/// Why a request was not carried out. Nothing has changed.
#[derive(Debug)]
pub(super) struct Refused {
    kind: &'static str,
    message: String,
}

impl Refused {
    /// The request is not what it should be: a mistake of the program that asks.
    pub(super) fn request(message: impl Display) -> Self {
        Refused { kind: "request", message: message.to_string() }
    }

    /// The rules of the game, or its position, do not allow it.
    pub(super) fn rules(message: impl Display) -> Self {
        Refused { kind: "refused", message: message.to_string() }
    }
}

impl From<AnyError> for Refused {
    fn from(error: AnyError) -> Self {
        match error {
            AnyError::Rejected(_) => Refused::rules(error),
            _ => Refused::request(error),
        }
    }
}

impl From<RecordError> for Refused {
    fn from(error: RecordError) -> Self {
        Refused::rules(error)
    }
}

/// What a command gives.
pub(super) type Answer = Result<Value, Refused>;

/// The answer to a request with this id.
pub(super) fn answer(id: Option<Value>, given: Answer) -> Value {
    match given {
        Ok(fields) => with_id(id, fields),
        Err(why) => refused(id, why),
    }
}

/// The answer that says why not.
pub(super) fn refused(id: Option<Value>, why: Refused) -> Value {
    with_id(id, json!({ "error": why.message, "kind": why.kind }))
}

fn with_id(id: Option<Value>, fields: Value) -> Value {
    let mut all = Map::new();
    if let Some(id) = id {
        all.insert("id".to_string(), id);
    }
    if let Value::Object(fields) = fields {
        all.extend(fields);
    }
    Value::Object(all)
}

/// An outcome as data.
pub(super) fn outcome(outcome: Option<Outcome>) -> Value {
    let Some(outcome) = outcome else { return Value::Null };
    json!({
        "ranks": outcome.ranks(),
        "scores": outcome.scores(),
        "winners": outcome.winners().collect::<Vec<_>>(),
        "capped": outcome.is_capped(),
    })
}
