//! The guided first game of Ozymandias.

use crate::board::{Lesson, Until};

const fn tell(at: &'static str, say: &'static str) -> Lesson {
    Lesson { at, say, until: Until::Next }
}

/// What is said, step by step.
pub(super) const LESSON: &[Lesson] = &[
    tell(
        "board",
        "Four factions fight over the stars. None of them is yours. You own cards, and a card is worth what its faction is worth.",
    ),
    tell(
        "faction",
        "The track of history: what a faction's cards are worth today. When one reaches the end, so does the game.",
    ),
    tell(
        "corner",
        "Cities stand on corners, one on top of the other; the top one rules. Sectors have a value, which many cards pay.",
    ),
    tell(
        "hand",
        "Your hand. The band shows the faction and the rank; below stands when a card works: exploring, expanding, or in a crisis.",
    ),
    Lesson {
        at: "hand",
        say: "A turn is one of three things. Choose a card: sell it at today's price and explore a new sector, or lay it before you and build a city.",
        until: Until::Next,
    },
    Lesson {
        at: "expand",
        say: "Let us expand. Choose a card, then lay it: it stays in your tableau and works again whenever its faction is built on.",
        until: Until::Does("expand"),
    },
    Lesson {
        at: "corner",
        say: "The lit corners are open. On another faction's stack your city rules; the corners next to a stack stay empty.",
        until: Until::Does("build"),
    },
    tell(
        "prompt",
        "Cards in all tableaus that fit may now work, in turn order. Those that pay add to your influence, the large number of your seat.",
    ),
    tell(
        "deck",
        "Whoever has fewer than four cards must buy one at the end of a turn. Who cannot pay goes bankrupt, and the game ends.",
    ),
    Lesson {
        at: "seats",
        say: "Now the others play. Watch what they lay: their tiles are in their seats.",
        until: Until::MyTurn,
    },
    tell(
        "crisis",
        "The third action is a crisis: everybody may lay a card in secret. Rank and cities decide; the winner rises, the others' cities fall.",
    ),
    tell(
        "board",
        "Cards that win a crisis go to your vault and count their value at the end. Raise a faction, bury it in your vault, and sell the rest.",
    ),
];
