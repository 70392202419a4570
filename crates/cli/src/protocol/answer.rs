//! Responses of the engine protocol.

use pentarchy_engine::record::RecordError;
use pentarchy_engine::{AnyError, Outcome};
use serde_json::{Map, Value, json};
use std::fmt::Display;

/// Why a request failed. Nothing has changed.
#[derive(Debug)]
pub(super) struct RequestError {
    /// `request` or `refused`.
    kind: &'static str,
    /// The reason, in words.
    message: String,
}

impl RequestError {
    /// Creates the error of an invalid request: a mistake of the client. Its kind in the response is
    /// `request`.
    pub(super) fn request(message: impl Display) -> Self {
        RequestError { kind: "request", message: message.to_string() }
    }

    /// Creates the error of a request that the rules or the position do not allow. Its kind in the response
    /// is `refused`.
    pub(super) fn rules(message: impl Display) -> Self {
        RequestError { kind: "refused", message: message.to_string() }
    }
}

impl From<AnyError> for RequestError {
    /// Converts a rejection by the rules to the kind `refused`, and every other error to `request`.
    fn from(error: AnyError) -> Self {
        match error {
            AnyError::Rejected(_) => RequestError::rules(error),
            _ => RequestError::request(error),
        }
    }
}

impl From<RecordError> for RequestError {
    /// Converts every error of a record to the kind `refused`.
    fn from(error: RecordError) -> Self {
        RequestError::rules(error)
    }
}

/// The result of a command.
pub(super) type Answer = Result<Value, RequestError>;

/// Returns the response to a request: the fields of `given`, which must be a JSON object (anything else is dropped), or
/// the keys `error` (the message) and `kind` (`request` or `refused`). `id` is that of the request and is repeated
/// under the key `id`; `None` if the request had none.
pub(super) fn answer(id: Option<Value>, given: Answer) -> Value {
    match given {
        Ok(fields) => with_id(id, fields),
        Err(why) => refused(id, why),
    }
}

/// Returns the error response with the keys `error` (the message) and `kind` (`request` for a mistake of the client,
/// `refused` for what the rules or the position do not allow). `id` is that of the request and is repeated under the
/// key `id`; `None` if it had none.
pub(super) fn refused(id: Option<Value>, why: RequestError) -> Value {
    with_id(id, json!({ "error": why.message, "kind": why.kind }))
}

/// Returns the fields of a response together with the key `id` of its request, if it has one. `fields` must be a JSON
/// object; anything else is dropped.
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

/// Returns an outcome as JSON: `ranks` (a list by seat; 1 is the best, equal seats share a rank), `scores` (a list by
/// seat), `winners` (a list of the seats that have won, empty if nobody has) and `capped` (whether the game ended at
/// its limit of length). Null if there is no outcome.
pub(super) fn outcome(outcome: Option<Outcome>) -> Value {
    let Some(outcome) = outcome else { return Value::Null };
    json!({
        "ranks": outcome.ranks(),
        "scores": outcome.scores(),
        "winners": outcome.winners().collect::<Vec<_>>(),
        "capped": outcome.is_capped(),
    })
}
