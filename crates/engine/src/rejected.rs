//! Why an event was rejected, in words for a person.

use crate::token::Token;
use std::fmt;

/// A rejected event, and why. A function that returns it has changed nothing, unless its doc comment says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleError {
    /// A whole clause.
    reason: &'static str,
    /// What the message adds to the reason.
    detail: Detail,
}

/// What the message of a [`RuleError`] adds to its reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Detail {
    /// Nothing.
    None,
    /// The token that is at fault.
    Token(Token),
    /// The token whose face is needed and unknown.
    FaceNeeded(Token),
    /// The numbers that replace `{0}` and `{1}`.
    Numbers(i32, i32),
}

impl RuleError {
    /// Creates a rejection with this reason: a whole clause, e.g. "the deck is empty".
    #[inline]
    pub const fn new(reason: &'static str) -> Self {
        RuleError { reason, detail: Detail::None }
    }

    /// Creates a rejection because of a token, whose name the message appends to `reason`: "… (#17)".
    #[cold]
    pub const fn of(reason: &'static str, token: Token) -> Self {
        RuleError { reason, detail: Detail::Token(token) }
    }

    /// Creates a rejection with two numbers that replace `{0}` and `{1}` in the reason, e.g. `"costs {0}, you
    /// have {1}"`.
    #[cold]
    pub const fn numbers(reason: &'static str, first: i32, second: i32) -> Self {
        RuleError { reason, detail: Detail::Numbers(first, second) }
    }

    /// Creates a rejection because the face of this token is needed and unknown; the token is then returned
    /// by [`missing_face`](Self::missing_face).
    #[cold]
    pub const fn face_needed(token: Token) -> Self {
        RuleError {
            reason: "the face of this token is needed and not known",
            detail: Detail::FaceNeeded(token),
        }
    }

    /// Returns the token of an error made by [`face_needed`](Self::face_needed): its face would have to be
    /// known; `None` for every other reason.
    pub const fn missing_face(&self) -> Option<Token> {
        match self.detail {
            Detail::FaceNeeded(t) => Some(t),
            _ => None,
        }
    }
}

impl fmt::Display for RuleError {
    /// Writes the reason, with its numbers filled in or the token appended.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.detail {
            Detail::None => f.write_str(self.reason),
            Detail::Token(t) | Detail::FaceNeeded(t) => write!(f, "{} ({t})", self.reason),
            Detail::Numbers(a, b) => {
                f.write_str(&self.reason.replace("{0}", &a.to_string()).replace("{1}", &b.to_string()))
            }
        }
    }
}

impl std::error::Error for RuleError {}

/// Returns `Ok` if `holds`, else a rejection with this reason: a whole clause, e.g. "the deck is empty".
///
/// # Errors
///
/// Fails exactly if `holds` is false.
#[inline(always)]
pub const fn ensure(holds: bool, reason: &'static str) -> Result<(), RuleError> {
    if holds { Ok(()) } else { Err(RuleError::new(reason)) }
}
