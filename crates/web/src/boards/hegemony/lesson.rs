//! The guided first game of Hegemony.

use crate::board::{Lesson, Until};

const fn tell(at: &'static str, say: &'static str) -> Lesson {
    Lesson { at, say, until: Until::Next }
}

const fn does(at: &'static str, say: &'static str, what: &'static str) -> Lesson {
    Lesson { at, say, until: Until::Does(what) }
}

/// What is said, step by step.
pub(super) const LESSON: &[Lesson] = &[
    tell(
        "board",
        "The Empire, at the top, is falling apart. When its points are gone the game ends, and whoever has the most points wins. You spend the same points to get there.",
    ),
    tell(
        "seats",
        "The large number is a player's points. At 0 you are out. Each turn has five steps; the present one is filled in the bar above.",
    ),
    tell(
        "prompt",
        "A turn begins with the upkeep: Laborers and Cargo Ships pay, blue cards may be used. If you are asked now, just go on.",
    ),
    tell(
        "hand",
        "You have drawn five cards. Red ones fight and lie face down, brown ones earn, blue ones are tricks. Two of your five slots must be replaced now.",
    ),
    does(
        "hand",
        "Choose a card of your hand; the slots where it may go light up. Then click a slot: what lies there goes to your discard pile.",
        "place",
    ),
    does("slot", "One more slot. A Laborer earns a point each turn, an Archer defends with 3.", "place"),
    does("prompt", "You may replace more slots, or go on. What is left of your hand is discarded.", "done"),
    tell(
        "board",
        "The cards in the middle are for sale. The disc is today's price; choose a card to see why it costs that. It goes to your discard pile and comes back later.",
    ),
    does("prompt", "Buy up to two cards, or none: points are also what you win by. Then go on.", "done"),
    tell(
        "side e",
        "Now one action. War compares your attack with their defence, and the difference changes hands. Trade buys cards from the Empire. Or draw five new cards.",
    ),
    Lesson {
        at: "list",
        say: "Everything you can do is also in this list, with what it costs. Do one of them and watch what the others do.",
        until: Until::MyTurn,
    },
    tell(
        "log",
        "The Empire has dealt with everybody: a D20 with your cards' numbers. Up to 10 it attacks, from 11 on it trades and you gain.",
    ),
    tell(
        "board",
        "That is the whole game: strong enough to be left alone, rich enough to buy, ahead when the Empire falls. Hover over any card to read it.",
    ),
];
