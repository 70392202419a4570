//! Checks the boards of the browser client without a browser.
//!
//! The client is a workspace of its own that is built for the browser only. Its boards are pure functions of a
//! position, though: here the same files are compiled natively, games are played with them, and every action of
//! every legal list must be within reach of clicks. Their unit tests run here too, and the code of a link is read as a
//! telephone does.

#![cfg(test)]
#![allow(dead_code, unreachable_pub, reason = "the shell, which is not here, needs the rest of these files")]

#[path = "../../web/src/board.rs"]
mod board;
mod boards;
#[path = "../../web/src/brain.rs"]
mod brain;
#[path = "../../web/src/card.rs"]
mod card;
mod clock;
mod faults;
mod flow;
#[path = "../../web/src/gesture.rs"]
mod gesture;
#[path = "../../web/src/guide.rs"]
mod guide;
mod guided;
#[path = "../../web/src/icons.rs"]
mod icons;
#[path = "../../web/src/markup.rs"]
mod markup;
mod merits;
mod minutes;
#[path = "../../web/src/pages/option_names.rs"]
mod option_names;
#[path = "../../web/src/pace.rs"]
mod pace;
mod prompts;
#[path = "../../web/src/online/qr.rs"]
mod qr;
mod reach;
mod scan;
#[path = "../../web/src/search.rs"]
mod search;
#[path = "../../web/src/session.rs"]
mod session;
#[path = "../../web/src/table.rs"]
mod table;
mod template;
mod texts;
#[path = "../../web/src/pages/turning.rs"]
mod turning;
#[path = "../../web/src/ui.rs"]
mod ui;
#[path = "../../web/src/words.rs"]
mod words;
