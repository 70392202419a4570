//! The browser client: rules, bots and tables in the page.
//!
//! | module | concept |
//! | --- | --- |
//! | `board`, `boards/` | what a game gives the shell: how it looks and which places an action touches |
//! | `markup`, `dom`, `card`, `icons`, `ui` | drawing: trees of elements as data |
//! | `table`, `session` | a game under way, without and with its types |
//! | `brain`, `worker`, `thinker` | bots: the mind, the worker it lives in, the page's wire to it |
//! | `app`, `play`, `drive` | the client: state, and what goes on |
//! | `gesture` | several actions of the rules that a person does in one go |
//! | `pace` | what a person is asked, and how long things take |
//! | `guide` | the guided first game, driven by the state of the game |
//! | `online/` | the client as one peer of several |
//! | `opened` | files that somebody gives us: records, signed ones, evidence |
//! | `shell/`, `pages/` | what is shown: the table that all games share; the pages around it |
//! | `store`, `files`, `settings`, `motion`, `words`, `search`, `page`, `clock` | the browser, one thing each |

mod app;
mod board;
mod boards;
mod brain;
mod card;
mod clock;
mod dom;
mod drive;
mod files;
mod gesture;
mod guide;
mod icons;
mod markup;
mod motion;
mod online;
mod opened;
mod pace;
mod page;
mod pages;
mod play;
mod search;
mod session;
mod settings;
mod shell;
mod store;
mod table;
mod thinker;
mod ui;
mod words;
mod worker;

use wasm_bindgen::prelude::*;

/// Starts the client in a page; `made` is the folder of the files that were made with it.
#[wasm_bindgen]
pub fn start(made: &str) {
    icons::set_sprite(format!("{made}icons.svg"));
    thinker::set_made(made);
    page::set_made(made);
    std::panic::set_hook(Box::new(|info| fatal(&info.to_string(), &page::hash())));
    app::mount();
}

/// How many random games of this name are played to their end in a second on this machine, measured for so many
/// milliseconds; 0 if there is no such game.
#[wasm_bindgen]
pub fn playouts(game: &str, millis: f64) -> f64 {
    let table = boards::find(game).and_then(|g| g.start(g.info.default_seats, &serde_json::Value::Null, 1));
    table.map_or(0.0, |table| table.speed(millis))
}

/// What the player of this page does next is forged on its way to the others, so that it can be seen what then happens:
/// `state`, `illegal`, `turn` or `name`.
#[cfg(feature = "cheat")]
#[wasm_bindgen]
pub fn forge(what: &str) {
    online::forge(what);
}

/// Fails on purpose, so that it can be seen what then happens.
#[wasm_bindgen]
pub fn fail(message: &str) {
    assert!(message.is_empty(), "{message}");
}

#[wasm_bindgen(module = "/js/fatal.js")]
extern "C" {
    /// Shows that the program has failed, keeps the game, and offers its record.
    fn fatal(message: &str, game: &str);
}
