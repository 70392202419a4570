//! The combat deck: 54 cards of twenty kinds, the same for both players.

use std::fmt;

/// The category of a card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names are the categories")]
pub enum Category {
    Commander,
    Infantry,
    Cavalry,
    Missile,
    Tactic,
}

/// A kind of card.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the table below says what each one is")]
#[repr(u8)]
pub enum Card {
    Hannibal,
    Marcus,
    Lucius,
    Phalanx,
    HeavyInfantry,
    Veterans,
    ShieldWall,
    PikeHedge,
    LightHorse,
    HeavyCavalry,
    WarElephants,
    Skirmishers,
    Archers,
    SiegeTrain,
    DoubleEnvelopment,
    Ambush,
    NightAssault,
    RefusedFlank,
    Omens,
    RallyTheLine,
}

use Card::*;
use Category::{Cavalry, Commander, Infantry, Missile, Tactic};

/// What is printed on a card: a row of [`CARDS`].
pub struct Printed {
    /// The card of this row.
    card: Card,
    /// The name.
    pub name: &'static str,
    /// The word of the notation.
    pub word: &'static str,
    /// How many are in a deck.
    pub copies: u8,
    /// The category.
    pub category: Category,
    /// The printed value.
    pub value: u8,
    /// What it does.
    pub text: &'static str,
}

/// Creates a row of the card table. The rows must stand in the order of `Card`, because a card is its index
/// into the table.
const fn row(
    card: Card,
    name: &'static str,
    word: &'static str,
    copies: u8,
    category: Category,
    value: u8,
    text: &'static str,
) -> Printed {
    Printed { card, name, word, copies, category, value, text }
}

/// All kinds.
#[rustfmt::skip]
pub const CARDS: [Printed; 20] = [
    row(Hannibal, "Hannibal", "hannibal", 2, Commander, 3, "Worth 4 against a Commander. Also works in the bid."),
    row(Marcus, "Marcus", "marcus", 2, Commander, 2, "Add up to 2 Infantry cards, +1 each. Also works in the bid."),
    row(Lucius, "Lucius", "lucius", 2, Commander, 2, "Add up to 2 Cavalry cards, +1 each. Also works in the bid."),
    row(Phalanx, "Phalanx", "phalanx", 8, Infantry, 1, "Add up to 3 more Phalanx cards, +1 each. Also works in the bid."),
    row(HeavyInfantry, "Heavy Infantry", "heavy-infantry", 4, Infantry, 2, "No effect."),
    row(Veterans, "Veterans", "veterans", 2, Infantry, 3, "No effect."),
    row(ShieldWall, "Shield Wall", "shield-wall", 3, Infantry, 1, "If you lose the clash, the difference costs you 2 strength less."),
    row(PikeHedge, "Pike Hedge", "pike-hedge", 2, Infantry, 1, "Worth 3 against Cavalry."),
    row(LightHorse, "Light Horse", "light-horse", 4, Cavalry, 1, "Worth 3 if the enemy retreats in this clash."),
    row(HeavyCavalry, "Heavy Cavalry", "heavy-cavalry", 3, Cavalry, 2, "Worth 3 against Missile cards."),
    row(WarElephants, "War Elephants", "war-elephants", 2, Cavalry, 4, "Worth only 1 if your die shows 1."),
    row(Skirmishers, "Skirmishers", "skirmishers", 4, Missile, 1, "Worth 2 against Infantry."),
    row(Archers, "Archers", "archers", 2, Missile, 1, "If you don't win the clash, the enemy loses 1 strength."),
    row(SiegeTrain, "Siege Train", "siege-train", 2, Missile, 1, "Worth 3 if you attack a city-state."),
    row(DoubleEnvelopment, "Double Envelopment", "double-envelopment", 2, Tactic, 1, "Add up to 2 cards of any kind. Each adds its value, at most 2. Also works in the bid."),
    row(Ambush, "Ambush", "ambush", 2, Tactic, 1, "Worth 3 if you defend."),
    row(NightAssault, "Night Assault", "night-assault", 2, Tactic, 1, "Worth 3 if you attack."),
    row(RefusedFlank, "Refused Flank", "refused-flank", 2, Tactic, 1, "Cancels the effect of the enemy's card. Its value stays."),
    row(Omens, "Omens", "omens", 2, Tactic, 1, "Roll two dice and use the higher."),
    row(RallyTheLine, "Rally the Line", "rally-the-line", 2, Tactic, 1, "After losses, one of your damaged blocks in the battle regains 1 strength."),
];

impl Card {
    /// Returns the printed row of the card: name, word, copies in a deck, category, value and text.
    #[inline]
    pub const fn printed(self) -> &'static Printed {
        &CARDS[self as usize]
    }

    /// Returns the kind with this number, in the order of `CARDS`. The number must be below 20; a higher one
    /// panics.
    #[inline]
    pub const fn nth(index: u8) -> Card {
        CARDS[index as usize].card
    }

    /// Returns the category: Commander, Infantry, Cavalry, Missile or Tactic.
    #[inline]
    pub const fn category(self) -> Category {
        self.printed().category
    }

    /// Returns the printed value, 1 to 4, without effects.
    #[inline]
    pub const fn value(self) -> u8 {
        self.printed().value
    }

    /// Returns how many cards may be added to it as a lead: 3 for Phalanx, 2 for Marcus, Lucius and Double
    /// Envelopment, else 0.
    pub const fn most_additions(self) -> u8 {
        match self {
            Phalanx => 3,
            Marcus | Lucius | DoubleEnvelopment => 2,
            _ => 0,
        }
    }

    /// Returns the value that `other` adds if it joins this card as a lead: 1 for Infantry with Marcus and
    /// for Cavalry with Lucius, the printed value for Phalanx with Phalanx, the printed value but at most 2
    /// for any card with Double Envelopment. `None` if it may not be added. The number of additions is not
    /// checked here.
    pub fn addition(self, other: Card) -> Option<u8> {
        match self {
            Marcus if other.category() == Infantry => Some(1),
            Lucius if other.category() == Cavalry => Some(1),
            Phalanx if other == Phalanx => Some(Phalanx.value()),
            DoubleEnvelopment => Some(other.value().min(2)),
            _ => None,
        }
    }
}

impl fmt::Display for Card {
    /// Writes the word of the notation, like `heavy-infantry`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.printed().word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deck_has_54_cards() {
        assert_eq!(CARDS.iter().map(|c| c.copies).sum::<u8>(), 54);
        assert!(CARDS.iter().enumerate().all(|(i, c)| c.card as usize == i));
    }
}
