//! Generation of actions that are probably illegal: taken from other positions, with other tokens, or with
//! changed words.

use pentarchy_engine::{Game, Rng, Size, Token};
use std::collections::BTreeSet;

/// Maximum number of stored actions, and of stored words.
const ROOM: usize = 512;

/// Actions and words of this and earlier games.
pub(crate) struct Pool<G: Game> {
    /// At most [`ROOM`] different actions.
    actions: Vec<G::Action>,
    /// At most [`ROOM`] different words of their texts.
    words: Vec<String>,
    /// The shapes of the texts from which hostile ones were made.
    shapes: BTreeSet<String>,
}

impl<G: Game> Pool<G> {
    /// Creates an empty pool.
    pub(crate) fn new() -> Self {
        Pool { actions: Vec::new(), words: Vec::new(), shapes: BTreeSet::new() }
    }

    /// Returns the stored actions in an arbitrary order.
    pub(crate) fn actions(&self) -> &[G::Action] {
        &self.actions
    }

    /// Stores the shape of a text from which hostile ones are made, and returns whether it was not stored
    /// yet.
    pub(super) fn note_shape(&mut self, shape: String) -> bool {
        self.shapes.insert(shape)
    }

    /// Stores an action and the words of its text, unless the action is stored already; a full list
    /// replaces a random entry, drawn from `dice`.
    pub(crate) fn remember(&mut self, action: G::Action, dice: &mut Rng) {
        if self.actions.contains(&action) {
            return;
        }
        store_bounded(&mut self.actions, action, dice);
        for word in action.to_string().split_whitespace() {
            if !self.words.iter().any(|w| w == word) {
                store_bounded(&mut self.words, word.to_string(), dice);
            }
        }
    }

    /// Returns a random action to try here, which may be legal: a stored one, a listed or stored one with
    /// other tokens, or one with a changed word. `list` holds the legal ones. `None` if the changed text
    /// does not parse or there is nothing to draw from. The token numbers of the result may not exist.
    pub(crate) fn candidate(&self, list: &[G::Action], dice: &mut Rng) -> Option<G::Action> {
        let source = if dice.below(3) == 0 { &self.actions[..] } else { list };
        let action = *dice.choose(source).or_else(|| dice.choose(list))?;
        match dice.below(4) {
            0 => dice.choose(&self.actions).copied(),
            1 if G::Size::TOKENS > 0 => Some(G::map_tokens(action, &mut |_| some_token::<G>(dice))),
            _ => self.change_word(&action.to_string(), dice),
        }
    }

    /// Replaces one random word of a text (a number by a neighbour or a limit, a token by a random one that
    /// may not exist, any other word by a stored one) and parses the result. `None` if it does not parse or
    /// there is no word.
    fn change_word(&self, text: &str, dice: &mut Rng) -> Option<G::Action> {
        let mut words: Vec<String> = text.split_whitespace().map(ToString::to_string).collect();
        let place = dice.below(words.len() as u32) as usize;
        let word = words.get_mut(place)?;
        if let Ok(number) = word.parse::<i64>() {
            *word = dice.choose(&other_numbers(number))?.to_string();
        } else if word.starts_with('#') {
            *word = some_token::<G>(dice).to_string();
        } else {
            *word = dice.choose(&self.words)?.clone();
        }
        words.join(" ").parse().ok()
    }
}

/// Returns the neighbours of a number, where those of the limits of the type wrap around, and limits of smaller types.
fn other_numbers(number: i64) -> [i64; 9] {
    [number.wrapping_add(1), number.wrapping_sub(1), 0, 1, 7, 255, 256, 65_535, 4_294_967_295]
}

/// Returns a random token number; about one time in eight it is one that does not exist.
fn some_token<G: Game>(dice: &mut Rng) -> Token {
    match dice.below(16) {
        0 => Token(u16::MAX),
        1 => Token(G::Size::TOKENS as u16),
        _ => Token(dice.below(G::Size::TOKENS as u32) as u16),
    }
}

/// Adds an item to a list of at most [`ROOM`] items; if the list is full, replaces a random one.
fn store_bounded<X>(items: &mut Vec<X>, item: X, dice: &mut Rng) {
    if items.len() < ROOM {
        items.push(item);
    } else {
        let place = dice.below(ROOM as u32) as usize;
        items[place] = item;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_neighbours() {
        assert_eq!(other_numbers(7)[..2], [8, 6]);
        assert_eq!(other_numbers(i64::MAX)[..2], [i64::MIN, i64::MAX - 1]);
        assert_eq!(other_numbers(i64::MIN)[..2], [i64::MIN + 1, i64::MAX]);
    }
}
