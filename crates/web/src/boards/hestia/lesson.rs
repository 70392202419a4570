//! The guided first game of The Hestian Civil Wars.

use crate::board::{Lesson, Until};

const fn tell(at: &'static str, say: &'static str) -> Lesson {
    Lesson { at, say, until: Until::Next }
}

const fn does(at: &'static str, say: &'static str, what: &'static str) -> Lesson {
    Lesson { at, say, until: Until::Does(what) }
}

/// What is said, step by step.
#[rustfmt::skip]
pub(super) const LESSON: &[Lesson] = &[
    tell("board", "Two realms, fourteen city-states with red names. Whoever has won over more of them after the last year wins."),
    tell("place KAD", "Blue Lenisia starts in the west with ships on Sea I, red Hathea in the east. You see the faces of your blocks; of the enemy's only the backs."),
    does("hand", "A year begins with a bid: one card each, face down. The higher card moves first. Choose one you can spare and bid it.", "bid"),
    does("prompt", "Now movement. One card buys three orders, two cards any number of marches. Cards are also what you fight with.", "cards"),
    does("hand", "Pay with the card that you need least.", "pay"),
    does("place", "Choose an army: the lit territories have blocks that can march.", "army"),
    tell("prompt", "Small armies march far, large ones slowly. Take all blocks or pick some, then march."),
    does("place", "Rivers end a march, mountains bar it, ports let armies embark. March towards a city with a red name.", "move"),
    tell("board", "An army in a city-state may place an influence token. It lies face down, and turns active at the end of your turn if you alone hold the city."),
    Lesson { at: "prompt", say: "End your orders when you are done. Where both sides stand, a battle follows; then the other side moves.", until: Until::MyTurn },
    tell("board", "In battle both choose a card in secret, to fight or to cover a retreat, and roll a three-sided die. The difference is the loser's losses."),
    tell("seats", "The large number counts active tokens. Hold your cities, take theirs, and keep cards for the next battle."),
];
