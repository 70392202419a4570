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
    asked: bool,
    /// Tokens of which this seat has proved something and that it shows next.
    pub(super) pledged: Vec<Token>,
}

impl OwnTurn {
    /// Forgets everything: the step under way is void.
    pub(super) fn reset(&mut self) {
        *self = OwnTurn::default();
    }

    /// Returns the action to sign: the one that this seat has signed before, which must not change, or
    /// otherwise the one that the player has chosen, which is used up. `None` if there is neither.
    pub(super) fn next_action(&mut self) -> Option<String> {
        self.made.clone().or_else(|| self.chosen.take())
    }

    /// Notes that the player is asked for their action in this step. Returns whether they were not asked yet:
    /// only then must the caller ask them. [`Self::ask_again`] forgets it.
    pub(super) fn note_asked(&mut self) -> bool {
        !std::mem::replace(&mut self.asked, true)
    }

    /// Forgets that the player was asked: a step has begun, or the session was restored.
    pub(super) fn ask_again(&mut self) {
        self.asked = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signed_action_is_never_replaced_by_a_later_choice() {
        let mut turn = OwnTurn { chosen: Some("fold".into()), ..OwnTurn::default() };
        assert_eq!((turn.next_action().as_deref(), turn.next_action()), (Some("fold"), None), "used up");
        turn.made = Some("raise".into());
        turn.chosen = Some("fold".into());
        assert_eq!(turn.next_action().as_deref(), Some("raise"));
        assert_eq!(turn.next_action().as_deref(), Some("raise"), "it is signed again after a crash");
        turn.reset();
        assert_eq!(turn.next_action(), None, "the step is void");
    }

    #[test]
    fn the_player_is_asked_once_in_a_step() {
        let mut turn = OwnTurn::default();
        assert_eq!([turn.note_asked(), turn.note_asked()], [true, false]);
        turn.ask_again();
        assert_eq!([turn.note_asked(), turn.note_asked()], [true, false]);
        turn.reset();
        assert!(turn.note_asked());
    }
}
