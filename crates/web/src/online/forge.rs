//! Forged messages of the player of this page, for tests of how other pages detect them.

use super::pump::app;
use pentarchy_table::sim::Forgery;
use wasm_bindgen::prelude::*;

/// Makes the player's session forge messages from now on, for tests. `what` is `state` or `illegal` (every
/// action of the player), `turn` or `name` (one action while another seat is to act). Other words, and all
/// before an online table is open, are ignored.
#[wasm_bindgen]
pub fn forge(what: &str) {
    if let (Some(app), Some(forgery)) = (app(), Forgery::named(what)) {
        app.online.call_lobby(move |lobby| lobby.forge(forgery));
    }
}
