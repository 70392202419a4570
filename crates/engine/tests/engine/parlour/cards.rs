//! The cards, and the two sides of a ballot.

use pentarchy_engine::{Back, Face, FaceSet, ParseError};
use std::{fmt, str::FromStr};

/// A card or a vote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Card {
    Rose,
    Lily,
    Cake,
    Crumbs,
    Fan,
    Mask,
    Yes,
    No,
}

/// One row each: the face, its word, its category.
const CARDS: [(Card, &str, Back); 8] = [
    (Card::Rose, "rose", FLOWER),
    (Card::Lily, "lily", FLOWER),
    (Card::Cake, "cake", SWEET),
    (Card::Crumbs, "crumbs", SWEET),
    (Card::Fan, "fan", TRINKET),
    (Card::Mask, "mask", TRINKET),
    (Card::Yes, "yes", Back::PLAIN),
    (Card::No, "no", Back::PLAIN),
];

const FLOWER: Back = Back(1);
const SWEET: Back = Back(2);
const TRINKET: Back = Back(3);

/// What goes together in a match, in this order.
pub(crate) const PAIRS: [(Card, Card); 2] = [(Card::Rose, Card::Lily), (Card::Fan, Card::Mask)];

/// The flowers.
pub(crate) fn flowers() -> FaceSet<Card> {
    FaceSet::filter(|card: Card| card.back() == FLOWER)
}

/// What the first card of a match can be, or the second.
pub(crate) fn matching(second: bool) -> FaceSet<Card> {
    PAIRS.iter().map(|&(a, b)| if second { b } else { a }).collect()
}

impl Face for Card {
    type Bits = u8;
    const KINDS: usize = CARDS.len();

    fn index(self) -> u8 {
        self as u8
    }

    fn nth(index: u8) -> Self {
        CARDS[usize::from(index)].0
    }

    fn back(self) -> Back {
        CARDS[self as usize].2
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(CARDS[*self as usize].1)
    }
}

impl FromStr for Card {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let found = CARDS.iter().find(|(_, word, _)| *word == text);
        found.map(|&(card, ..)| card).ok_or_else(|| ParseError::new(text, "a card"))
    }
}
