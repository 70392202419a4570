//! The guided first game.

use crate::board::{Lesson, Until};

/// Its steps.
pub(super) const STEPS: &[Lesson] = &[
    Lesson {
        at: "board",
        say: "Every player has a lane: the chain of blocks, the bank with coins, the cards in hand. Blocks and coins are points.",
        until: Until::Next,
    },
    Lesson {
        at: "hand",
        say: "Your hand. HR are HashRates: they mine blocks. The other cards help you or hurt the others; point at one to read it.",
        until: Until::Next,
    },
    Lesson {
        at: "board",
        say: "The dashed square is your next block. It costs as many HR as your chain is long, and pays a coin.",
        until: Until::Next,
    },
    Lesson {
        at: "list",
        say: "Here is everything you can do now. Mine if you can, play a card if you like; then end the main phase.",
        until: Until::Does("end"),
    },
    Lesson {
        at: "prompt",
        say: "At the end of your turn you may dismiss cards. When you like your hand, end the turn.",
        until: Until::Does("done"),
    },
    Lesson {
        at: "log",
        say: "The others play now. If somebody hits you, you are asked whether you answer with a Flash card.",
        until: Until::MyTurn,
    },
    Lesson {
        at: "board",
        say: "Everybody who might hold an answer is asked, so being asked tells nothing about a hand.",
        until: Until::Next,
    },
    Lesson {
        at: "seats",
        say: "The first chain of the required length ends the game at once. Most points win, so mind the coins. Good luck.",
        until: Until::Next,
    },
];
