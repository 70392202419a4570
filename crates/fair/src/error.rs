//! Errors of the protocol: faults of messages, and operations that cannot begin.

use crate::seats::{SeatIndex, Seats};
use core::fmt;
use thiserror::Error;

/// A message of another seat did not verify.
///
/// The signed message itself is the evidence: anybody who verifies it gets the same verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("seat {seat}, {message}: {fault}")]
pub struct MessageError {
    /// Whose message it was.
    pub seat: SeatIndex,
    /// What it was meant to be.
    pub message: Message,
    /// What is wrong with it.
    pub fault: VerifyError,
}

/// The kinds of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Message {
    /// Keys of a seat with their proofs.
    SeatKeys,
    /// A value for a joint roll.
    Dice,
    /// Decryption shares.
    Shares,
    /// A private copy of a joint token.
    View,
    /// A private token under another lock.
    Lift,
    /// A shuffled pile.
    Shuffle,
    /// A hidden choice from a menu.
    Mint,
    /// "The face is one of these."
    Category,
    /// "These two faces are equal."
    Same,
    /// "These two faces differ", "this is not that face".
    Different,
    /// "One of these combinations holds."
    Branches,
    /// The opening of a committed choice.
    Choice,
    /// Blinded entries of a salvage.
    Tags,
    /// Sealed shares of a seat's keys.
    Escrow,
    /// A complaint about a sealed share.
    Complaint,
    /// A share that stands in for an absent seat.
    StandIn,
    /// Secrets published for the audit.
    Secrets,
}

impl fmt::Display for Message {
    /// Writes the kind of message as a lower-case phrase without an article, such as `seat keys`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SeatKeys => "seat keys",
            Self::Dice => "dice value",
            Self::Shares => "shares",
            Self::View => "view",
            Self::Lift => "lift",
            Self::Shuffle => "shuffle",
            Self::Mint => "mint",
            Self::Category => "category claim",
            Self::Same => "claim of equal faces",
            Self::Different => "claim of different faces",
            Self::Branches => "branch claim",
            Self::Choice => "opened choice",
            Self::Tags => "salvage tags",
            Self::Escrow => "sealed shares",
            Self::Complaint => "complaint",
            Self::StandIn => "stand-in share",
            Self::Secrets => "published secrets",
        })
    }
}

/// What is wrong with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The statement fixes the length of the message, and this is another.
    #[error("{found} bytes where {expected} are due")]
    Length {
        /// The length that was due.
        expected: usize,
        /// The length that came.
        found: usize,
    },
    /// The message is longer than the protocol allows.
    #[error("{found} bytes where at most {limit} are allowed")]
    TooLong {
        /// The limit.
        limit: usize,
        /// The length that came.
        found: usize,
    },
    /// Bytes that are not the canonical encoding of anything.
    #[error("{0} is not canonically encoded")]
    Encoding(Part),
    /// A neutral element where it would void the protection.
    #[error("{0} is the neutral element")]
    Identity(Part),
    /// The statement of the message cannot be made by this seat about this token.
    #[error("does not apply: {0}")]
    Misplaced(OperationError),
    /// A complaint about a share that is right.
    #[error("the share complained about is right")]
    Groundless,
    /// A verification equation does not hold.
    #[error("{0} does not hold")]
    Equation(Equation),
}

/// A part of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Part {
    /// A lock key Y.
    LockKey,
    /// A dice key K.
    DiceKey,
    /// A session signing key.
    SessionKey,
    /// A dice value V.
    DiceValue,
    /// A share D.
    Share,
    /// The a or b of a token.
    Token,
    /// A commitment inside a proof.
    Commitment,
    /// A challenge or response inside a proof.
    Response,
    /// The difference C of an inequality proof.
    Difference,
    /// A blinding key Z.
    BlindingKey,
    /// A blinded point.
    Blinded,
    /// A commitment to a coefficient, or a share key made of them.
    Coefficient,
    /// The sealing point E, or the secret made of it.
    Seal,
    /// A published secret.
    Secret,
}

impl fmt::Display for Part {
    /// Writes the part as a phrase with its article, such as `the lock key`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LockKey => "the lock key",
            Self::DiceKey => "the dice key",
            Self::SessionKey => "the session key",
            Self::DiceValue => "the dice value",
            Self::Share => "a share",
            Self::Token => "a token",
            Self::Commitment => "a commitment",
            Self::Response => "a challenge or response",
            Self::Difference => "the difference",
            Self::BlindingKey => "the blinding key",
            Self::Blinded => "a blinded point",
            Self::Coefficient => "a coefficient",
            Self::Seal => "a seal",
            Self::Secret => "a secret",
        })
    }
}

/// A verification equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Equation {
    /// Knowledge of the lock key.
    LockKnown,
    /// Knowledge of the dice key.
    DiceKnown,
    /// Knowledge of the exponent of a seal.
    SealKnown,
    /// Equality of two (or of many pairs of) logarithms.
    EqualLogs,
    /// The three equations of a lift.
    Lift,
    /// The challenges of an either–or proof do not sum to the drawn one.
    Either,
    /// The two equations of an inequality proof.
    Unequal,
    /// Shuffle E1: every card is counted once.
    RowSums,
    /// Shuffle E2: the weights are a permutation.
    Product,
    /// Shuffle E3: and it is the committed permutation.
    Matrix,
    /// Shuffle E4 in column 0 (faces) or 1 (backs): outputs re-encrypt inputs.
    Reencryption {
        /// The column.
        column: usize,
    },
    /// Shuffle E5: a link of the chain.
    Chain {
        /// The link.
        link: usize,
    },
    /// A signature.
    Signature,
    /// A commitment and what is said to open it.
    Opening,
    /// A share and the polynomial it should lie on.
    Polynomial,
    /// A published secret and its public key.
    PublicKey,
}

impl fmt::Display for Equation {
    /// Writes what the equation states as a phrase, with the column or link of a shuffle, such as `E5 (chain,
    /// link 3)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LockKnown => f.write_str("knowledge of the lock key"),
            Self::DiceKnown => f.write_str("knowledge of the dice key"),
            Self::SealKnown => f.write_str("knowledge of the seal"),
            Self::EqualLogs => f.write_str("equality of logarithms"),
            Self::Lift => f.write_str("the lift"),
            Self::Either => f.write_str("the sum of the branches"),
            Self::Unequal => f.write_str("inequality"),
            Self::RowSums => f.write_str("E1 (row sums)"),
            Self::Product => f.write_str("E2 (product)"),
            Self::Matrix => f.write_str("E3 (committed matrix)"),
            Self::Reencryption { column } => write!(f, "E4 (re-encryption, column {column})"),
            Self::Chain { link } => write!(f, "E5 (chain, link {link})"),
            Self::Signature => f.write_str("the signature"),
            Self::Opening => f.write_str("the commitment"),
            Self::Polynomial => f.write_str("the share polynomial"),
            Self::PublicKey => f.write_str("the public key"),
        }
    }
}

/// An operation cannot be done on these arguments. Nothing was computed and nothing leaked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OperationError {
    /// The list is empty.
    #[error("nothing to work on")]
    Empty,
    /// The list is longer than the protocol allows.
    #[error("{found} entries where at most {limit} are allowed")]
    TooMany {
        /// The limit.
        limit: usize,
        /// The length of the list.
        found: usize,
    },
    /// Two lists that belong together have different lengths.
    #[error("{found} entries where {expected} are due")]
    Count {
        /// The length that was due.
        expected: usize,
        /// The length that came.
        found: usize,
    },
    /// The seat has no lock on that token.
    #[error("seat {0} has no lock on that token")]
    NoLock(SeatIndex),
    /// The token or the shares belong to this seat, not to the one that acts or is named.
    #[error("the token is private to seat {0}")]
    NotOwner(SeatIndex),
    /// The token is under other locks.
    #[error("the token is under other locks ({found}) than those named ({expected})")]
    OtherLocks {
        /// The locks named.
        expected: Seats,
        /// The locks of the token.
        found: Seats,
    },
    /// A share was made for another token, or a blinding or a stand-in share for something else.
    #[error("the share is for another token")]
    OtherToken,
    /// A seat has no keys or no value here, is not one of the live seats, or cannot act because it is absent.
    #[error("seat {0} is not at the table")]
    Absent(SeatIndex),
    /// Two entries for one seat.
    #[error("seat {0} is named twice")]
    Twice(SeatIndex),
    /// The keys of the set sum to the neutral element.
    #[error("the keys cancel")]
    Cancelled,
    /// These seats must shuffle before a token of the pile may be used.
    #[error("not yet shuffled by {0}")]
    Unshuffled(Seats),
    /// The list is no permutation.
    #[error("not a permutation")]
    NoPermutation,
    /// The claim is false, or the face is not on the menu.
    #[error("the claim is false")]
    False,
    /// A branch is empty or names a token out of range, or a menu names a face twice.
    #[error("the statement is malformed")]
    Malformed,
    /// The point is no face (back) of the table: the token is a back (face), or was opened with secrets of
    /// another game.
    #[error("no face of the table")]
    NoFace,
    /// The escrow threshold is impossible for that number of holders, the holders or parts are too few, or
    /// the game has no escrow.
    #[error("no such threshold")]
    Threshold,
    /// A value belongs to another phase.
    #[error("the value belongs to another phase")]
    OtherPhase,
    /// A tag of a held card has no partner in the list of all cards.
    #[error("a held card is not in the list of all cards")]
    Unmatched,
}

impl Message {
    /// Returns a function that turns a fault into a [`MessageError`] with this kind of message and the seat
    /// that sent it, for `map_err`.
    pub(crate) fn of(self, seat: SeatIndex) -> impl Fn(VerifyError) -> MessageError + Copy {
        move |fault| MessageError { seat, message: self, fault }
    }
}

impl From<OperationError> for VerifyError {
    /// Returns `Misplaced` with the error: a message about something that its statement cannot be about.
    fn from(refused: OperationError) -> Self {
        Self::Misplaced(refused)
    }
}

impl Equation {
    /// Returns `Ok` if `holds` is true.
    ///
    /// # Errors
    ///
    /// Returns `VerifyError::Equation` with this equation if `holds` is false.
    pub(crate) fn require(self, holds: bool) -> Result<(), VerifyError> {
        if holds { Ok(()) } else { Err(VerifyError::Equation(self)) }
    }
}
