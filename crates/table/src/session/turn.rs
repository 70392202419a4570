//! This seat's own turn: the action that its player has chosen, and the message made from it.

use pentarchy_engine::Token;

/// The action that this seat owes or has made in the step under way.
#[derive(Default)]
pub(super) struct OwnTurn {
    /// The action that this seat has signed in the step under way, with its secret choice, in canonical text.
    pub(super) made: Option<String>,
    /// The action that the player has chosen and that is not signed yet.
    pub(super) chosen: Option<String>,
    /// Whether the player was asked in this step.
    pub(super) asked: bool,
    /// Tokens of which this seat has proved something and that it shows next.
    pub(super) pledged: Vec<Token>,
}

impl OwnTurn {
    /// Forgets everything: the step under way is void.
    pub(super) fn reset(&mut self) {
        *self = OwnTurn::default();
    }
}
