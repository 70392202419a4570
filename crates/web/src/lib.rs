//! The browser client: rules, bots and tables in the page.
//!
//! | module | concept |
//! | --- | --- |
//! | `board`, `boards/` | what a game gives the shell: how it looks and which places an action touches |
//! | `markup`, `dom`, `card`, `icons`, `ui` | drawing: trees of elements as data |
//! | `table`, `session` | a game under way, without and with its types |
//! | `brain`, `worker`, `thinker` | bots: the mind, the worker it lives in, the page's wire to it |
//! | `app`, `play`, `drive`, `shell/` | the client: state, what goes on, what is shown |

mod app;
mod board;
mod boards;
mod brain;
mod card;
mod clock;
mod dom;
mod drive;
mod icons;
mod markup;
mod page;
mod play;
mod session;
mod shell;
mod table;
mod thinker;
mod ui;
mod worker;

use wasm_bindgen::prelude::*;

/// Starts the client in a page; `made` is the folder of the files that were made with it.
#[wasm_bindgen]
pub fn start(made: &str) {
    icons::set_sprite(format!("{made}icons.svg"));
    thinker::set_made(made);
    app::mount();
}
