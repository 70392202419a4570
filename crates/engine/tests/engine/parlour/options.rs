//! What can be chosen before the evening.

use super::cards::Card;
use pentarchy_engine::{Field, OptionKind, Options, OptionsError};
use serde::{Deserialize, Serialize};

/// Options and tuning.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ParlourOptions {
    pub(crate) rounds: u8,
    pub(crate) hand: u8,
    pub(crate) deck: Deck,
}

/// How many cards there are of each kind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Deck {
    rose: u8,
    lily: u8,
    cake: u8,
    fan: u8,
    mask: u8,
}

impl Default for ParlourOptions {
    fn default() -> Self {
        ParlourOptions { rounds: 4, hand: 4, deck: Deck::default() }
    }
}

impl Default for Deck {
    fn default() -> Self {
        Deck { rose: 5, lily: 5, cake: 5, fan: 4, mask: 4 }
    }
}

impl Deck {
    pub(super) fn counts(&self) -> [(Card, u8); 5] {
        [
            (Card::Rose, self.rose),
            (Card::Lily, self.lily),
            (Card::Cake, self.cake),
            (Card::Fan, self.fan),
            (Card::Mask, self.mask),
        ]
    }
}

impl Options for ParlourOptions {
    const FIELDS: &'static [Field] = &[
        Field::option("rounds", OptionKind::Int { min: 1, max: 8 }, "how many turns each guest has"),
        Field::option("hand", OptionKind::Int { min: 2, max: 5 }, "how many cards a guest holds"),
        Field::tuning("deck.rose", 0, 6, "roses in the deck"),
        Field::tuning("deck.lily", 0, 6, "lilies in the deck"),
        Field::tuning("deck.cake", 0, 6, "cakes in the deck"),
        Field::tuning("deck.fan", 0, 6, "fans in the deck"),
        Field::tuning("deck.mask", 0, 6, "masks in the deck"),
    ];

    fn check(&self, seats: u8) -> Result<(), OptionsError> {
        let cards: u8 = self.deck.counts().iter().map(|(_, n)| n).sum();
        if cards < seats * self.hand {
            return Err(OptionsError::new(format!(
                "{seats} hands of {} need more than {cards} cards",
                self.hand
            )));
        }
        Ok(())
    }
}
