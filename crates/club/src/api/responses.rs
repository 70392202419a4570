//! Responses and errors.

use crate::{ExamineError, ProfileError};
use axum::body::Body;
use axum::extract::Query;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use data_encoding::HEXLOWER;
use pentarchy_storage::StorageError;
use serde_json::{Value, json};

/// Why a request to the club fails: the status, and a sentence for people.
pub(super) struct ClubError(pub(super) StatusCode, pub(super) String);

/// The result of a handler.
pub(super) type ClubResult = Result<Response, ClubError>;

impl ClubError {
    /// Creates an error with this status and a sentence for people.
    pub(super) fn new(status: StatusCode, words: impl std::fmt::Display) -> Self {
        ClubError(status, words.to_string())
    }

    /// Creates the error 404 (not found) with a sentence for people.
    pub(super) fn missing(words: &str) -> Self {
        ClubError::new(StatusCode::NOT_FOUND, words)
    }
}

impl IntoResponse for ClubError {
    /// Returns the status with the JSON `{"error": sentence}`.
    fn into_response(self) -> Response {
        json_response(self.0, &json!({ "error": self.1 }))
    }
}

impl From<StorageError> for ClubError {
    /// Returns 503, and logs the reason: it concerns the operator, and may name the database.
    fn from(error: StorageError) -> Self {
        tracing::error!(%error, "the storage of the club fails");
        ClubError::new(StatusCode::SERVICE_UNAVAILABLE, "the storage does not answer: try again later")
    }
}

impl From<ExamineError> for ClubError {
    /// Returns 422 with the reason.
    fn from(error: ExamineError) -> Self {
        ClubError::new(StatusCode::UNPROCESSABLE_ENTITY, error)
    }
}

impl From<ProfileError> for ClubError {
    /// Returns 403 for a wrong signature, and 422 for everything else.
    fn from(error: ProfileError) -> Self {
        let status = match error {
            ProfileError::Signature => StatusCode::FORBIDDEN,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        ClubError::new(status, error)
    }
}

impl From<BytesRejection> for ClubError {
    /// Returns 413 for a body that is too large, and 400 for one that breaks off.
    fn from(error: BytesRejection) -> Self {
        match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => ClubError::new(error.status(), "the body is too large"),
            _ => ClubError::new(StatusCode::BAD_REQUEST, "the body cannot be read"),
        }
    }
}

/// Unwraps the parameters that were read from the query of a request.
///
/// # Errors
///
/// Fails with 400 and a sentence if one is unknown, missing or malformed.
pub(super) fn parameters<T>(query: Result<Query<T>, QueryRejection>) -> Result<T, ClubError> {
    match query {
        Ok(Query(parameters)) => Ok(parameters),
        Err(error) => Err(ClubError::new(StatusCode::BAD_REQUEST, error.body_text())),
    }
}

/// Parses 32 bytes from 64 hexadecimal digits in lower case.
///
/// # Errors
///
/// Fails with 400 for anything else; the sentence begins with `what`, such as "a player".
pub(super) fn parse_id(text: &str, what: &str) -> Result<[u8; 32], ClubError> {
    let bytes = HEXLOWER.decode(text.as_bytes()).ok().and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    let wrong = || ClubError::new(StatusCode::BAD_REQUEST, format_args!("{what} has 64 hexadecimal digits"));
    bytes.ok_or_else(wrong)
}

/// Creates a JSON response with this status that is not cached.
pub(super) fn json_response(status: StatusCode, body: &Value) -> Response {
    let mut response = Response::new(Body::from(body.to_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Creates a response with status 200 and the content type `kind` that is not cached, and that browsers save as a
/// file of this name. The name must be ASCII without quotes, which is not checked. If it contains a control
/// character, the header with the name is left out.
pub(super) fn file_response(body: Body, kind: &'static str, name: &str) -> Response {
    let mut response = Response::new(body);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
        response.headers_mut().insert(CONTENT_DISPOSITION, value);
    }
    response
}
