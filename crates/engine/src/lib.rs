//! The engine of Pentarchy: a game is a fold over a log of events.
//!
//! A game implements [`Game`]: pure, deterministic rules over public state. At every moment exactly one
//! thing is awaited, a [`Node`]; an [`Event`] resolves it. What can lie face down is a [`Token`]; the
//! public state never holds a face that is not public. A [`Position`] adds the faces that one observer
//! knows, so that the same rules run for a simulator, a seat and a spectator, and agree on the digest.

pub mod any;
mod apply;
mod cast;
mod claims;
pub mod describe;
mod determinize;
mod digest;
pub mod encode;
mod face;
mod faces;
mod facts;
mod forms;
mod game;
mod heuristic;
mod layout;
mod line;
mod metrics;
mod nature;
mod node;
pub mod notation;
mod option_values;
pub mod options;
mod outcome;
mod position;
mod preset_file;
#[cfg(feature = "raw")]
pub mod raw;
pub mod record;
mod rejected;
mod rng;
mod seat;
mod sim;
mod size;
pub mod sorting;
mod stack;
mod token;
mod tokens;
mod tokens_known;
mod tokens_serde;
#[cfg(test)]
mod tokens_tests;
mod weights;
mod words;

pub use any::{AnyError, AnyGame, AnyPosition, LegalAction};
pub use claims::{Claim, Cx};
pub use describe::Describe;
pub use digest::Digest;
pub use encode::{Encode, Encoder, EncodingNames, EncodingSize, Exploration, ExploredEncoder, MOST_ENCODED};
pub use face::{Bits, Face, FaceSet, NoFace};
pub use faces::Faces;
pub use facts::{AppliedEvent, EventFacts, Trace, TraceOf};
#[doc(hidden)]
pub use forms::{FormFields, RangeLabel, read_label, unknown_form};
pub use game::{Action, Game, GameInfo, Promise, SeatView, Slip, Slips, TokensOf};
pub use heuristic::{Heuristic, SearchHints, best_rated, odds, rate_actions};
pub use layout::{FaceLook, Grid, GridCell, GridPiece, GridShape, TableLayout, TableNumber};
pub use line::{Annex, LoggedEvent};
pub use metrics::{Deed, Item, Metrics, TurnId, Verb};
pub use node::{Audience, Chance, Event, Node, Set, Side};
pub use notation::{ParseError, ScriptError};
pub use options::{Field, NoOptions, OptionKind, Options, OptionsError, Preset};
pub use outcome::Outcome;
pub use position::{Claimed, LoggedEventOf, MOST_SHOWN, Observer, Position};
pub use preset_file::PresetFile;
pub use rejected::{RuleError, ensure};
pub use rng::Rng;
pub use seat::{Known, MAX_SEATS, Seat, SeatSet};
pub use sim::Sim;
pub use size::{Array, ArrayElement, Size, Sz};
pub use stack::Stack;
pub use token::{Back, Token, Zone};
pub use tokens::{Iter, Tokens};
pub use weights::{NamedWeight, NoWeights, WeightTable};
#[doc(hidden)]
pub use words::unknown_word;
