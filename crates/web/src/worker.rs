//! The worker of the bots: answers the requests of the page.

use crate::clock;
use crate::thinking::{Minds, ThinkReply, ThinkRequest};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

thread_local! {
    static MINDS: RefCell<Minds> = RefCell::default();
}

/// Handles a request, given as the JSON text of a `ThinkRequest`, in the worker, and returns the reply
/// (`ThinkReply`) as JSON text: the action of the bot, or an error. The minds of the seats are kept for the
/// next request. Blocks for the thinking time. A request that cannot be parsed gets a reply with the id 0.
#[wasm_bindgen]
pub fn think(question: &str) -> String {
    let answer = match serde_json::from_str::<ThinkRequest>(question) {
        Ok(question) => MINDS.with_borrow_mut(|minds| minds.answer(&question, clock::now)),
        Err(e) => ThinkReply { id: 0, thought: Err(e.to_string()) },
    };
    serde_json::to_string(&answer).unwrap_or_default()
}
