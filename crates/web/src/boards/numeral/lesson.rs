//! The guided first game.

use crate::board::{Lesson, Until};

/// Its steps.
pub(super) const STEPS: &[Lesson] = &[
    Lesson {
        at: "board",
        say: "This is the world. Each hex shows how many soldiers stand on it; the colour and pattern say whose it is.",
        until: Until::Next,
    },
    Lesson {
        at: "seats",
        say: "The large number counts all your soldiers. Below it: your hexes, what lies in your Home, and what each round brings.",
        until: Until::Next,
    },
    Lesson {
        at: "prompt",
        say: "Here you always read what is awaited. First you place: choose one of your hexes.",
        until: Until::Does("select"),
    },
    Lesson {
        at: "list",
        say: "The Home is treasury and garrison in one. Spend some of it: place soldiers, or build a Farm that pays every round.",
        until: Until::Next,
    },
    Lesson {
        at: "prompt",
        say: "Do as you like with the rest, then end your placing turn.",
        until: Until::Does("done"),
    },
    Lesson {
        at: "log",
        say: "The others place now. Everything that happens is told here in words; click a line to go back to it.",
        until: Until::MyTurn,
    },
    Lesson {
        at: "board",
        say: "Now you march. Armies that are ready carry a small disc: click one of them.",
        until: Until::Does("select"),
    },
    Lesson {
        at: "board",
        say: "Click where it goes, then how many. Empty land is free. A fight is a subtraction: five against three leaves two.",
        until: Until::Does("march"),
    },
    Lesson {
        at: "prompt",
        say: "Soldiers outside the Home cost money, so do not let them stand about. End your turn when you are done.",
        until: Until::Does("done"),
    },
    Lesson {
        at: "board",
        say: "Take a Home and its owner flees or falls. The last one with a Home has won. Good luck.",
        until: Until::Next,
    },
];
