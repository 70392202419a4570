//! The browser client: rules, bots and tables in the page.
//!
//! Boards, texts and matches are in the crate `pentarchy-boards`, which needs no browser. Its modules are imported here
//! under their own names.
//!
//! | module | concept |
//! | --- | --- |
//! | `dom` | elements of `boards::markup` as elements of the page |
//! | `worker`, `thinker` | bots: their worker, and the page's side of the worker |
//! | `app`, `play`, `drive`, `choose` | the client: state as signals, the driver of a match, and what the player does |
//! | `online/` | the client as one peer of several |
//! | `club` | requests to the club of the server |
//! | `opened` | opened files: records, signed records, evidence |
//! | `shell/`, `pages/` | the screen of a match, shared by all games; the screens around it |
//! | `store`, `files`, `settings`, `motion`, `page`, `clock` | browser functions, one concept each |

mod app;
mod choose;
mod clock;
mod club;
mod dom;
mod drive;
mod files;
mod motion;
mod notify;
mod online;
mod opened;
mod page;
mod pages;
mod play;
mod settings;
mod shell;
mod store;
mod thinker;
mod tournament;
mod worker;

use pentarchy_boards as boards;
use pentarchy_boards::{
    board, brain, chat, gesture, guide, icons, markup, option_names, pace, players, qr, result, saved,
    search, table, thinking, turning, ui, words,
};
use wasm_bindgen::prelude::*;

/// Starts the client in a page, once; `made` is the folder of its generated files, with a final slash. A
/// panic from then on shows the error screen.
#[wasm_bindgen]
pub fn start(made: &str) {
    icons::set_sprite(format!("{made}icons.svg"));
    thinker::set_made(made);
    page::set_made(made);
    std::panic::set_hook(Box::new(|info| fatal(&info.to_string(), &page::hash())));
    app::mount();
}

/// Returns the number of random games per second that this machine plays of the game with this name, measured
/// for `millis` milliseconds, during which the thread is blocked; 0 if there is no such game.
#[wasm_bindgen]
pub fn playouts(game: &str, millis: f64) -> f64 {
    let table = boards::find(game).and_then(|g| g.start(g.info.default_seats, &serde_json::Value::Null, 1));
    table.map_or(0.0, |table| table.speed(millis, clock::now))
}

/// Makes the player's session forge messages from now on, for tests. `what` is `state` or `illegal` (every
/// action of the player), `turn` or `name` (one action while another seat is to act). Other words, and all
/// before an online table is open, are ignored.
#[cfg(feature = "cheat")]
#[wasm_bindgen]
pub fn forge(what: &str) {
    online::forge(what);
}

/// Panics with this message on purpose, for tests of the error screen. Does nothing if the message is empty.
#[wasm_bindgen]
pub fn fail(message: &str) {
    assert!(message.is_empty(), "{message}");
}

#[wasm_bindgen(module = "/js/fatal.js")]
extern "C" {
    /// Shows the error screen with this message, unless it is shown already. Its button saves the record of
    /// the saved match with the id `game` as a file, which is empty if there is no such match.
    fn fatal(message: &str, game: &str);
}
