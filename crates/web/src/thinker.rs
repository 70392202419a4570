//! The page's side of the bots' worker.

use crate::brain::{Task, Thought};
use crate::page;
use crate::table::GameView;
use crate::thinking::{ThinkReply, ThinkRequest, ThinkRequests};
use js_sys::Function;
use pentarchy_engine::Seat;
use pentarchy_engine::record::{Header, RecordEntry};
use std::cell::RefCell;
use std::collections::BTreeMap;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

/// The connection to the worker.
#[derive(Default)]
struct Wire {
    /// The folder of its script, with a final slash.
    made: String,
    /// The worker, once it was started.
    worker: Option<Worker>,
    /// Numbers the requests, and knows which events the mind of each seat has.
    requests: ThinkRequests,
    /// By number of the request, what resolves its promise.
    waiting: BTreeMap<u32, Function>,
}

thread_local! {
    static WIRE: RefCell<Wire> = RefCell::default();
}

/// Sets the folder from which the worker of the bots is started (its script is `worker.js`), with a final
/// slash. Call it before the first request.
pub fn set_made(made: &str) {
    WIRE.with_borrow_mut(|wire| wire.made = made.to_string());
}

/// Makes the minds of all seats start again at their next request. Call it when a new match begins or events
/// were taken back. Running requests still get their replies.
pub fn forget() {
    WIRE.with_borrow_mut(|wire| wire.requests.forget());
}

/// Asks the worker for the action of a seat of a match, and returns the promise of the reply, for
/// [`receive_thought`]. `task` has the level, seed and time of the bot. Sending is separate from waiting, so
/// that the match is not borrowed while waiting. Not checked: that the seat has to decide.
///
/// # Errors
///
/// Fails with a text for the player if the worker cannot be started or addressed. The next request for the seat
/// sends all events again.
pub fn request_thought(table: &dyn GameView, seat: Seat, task: Task) -> Result<js_sys::Promise, String> {
    request_thought_for(table.header(), table.entries(), seat, task)
}

/// Asks the worker for the action of a seat of a match that is given by its header and all its events, and
/// returns the promise of the reply, for [`receive_thought`]. `task` has the level, seed and time of the bot.
/// Sends only the events that the mind of the seat does not have yet, cut to what the seat knows; all of them
/// if there are fewer than it has, or if the last request for the seat failed. Not checked: that the seat has
/// to decide, and that the events continue those of earlier requests; otherwise call [`forget`] first.
///
/// # Errors
///
/// Fails with a text for the player if the worker cannot be started or addressed. The next request for the seat
/// sends all events again.
pub fn request_thought_for(
    header: &Header,
    entries: &[RecordEntry],
    seat: Seat,
    task: Task,
) -> Result<js_sys::Promise, String> {
    let request = WIRE.with_borrow_mut(|wire| wire.requests.create(header, entries, seat, task));
    let promise = js_sys::Promise::new(&mut |done, _| {
        WIRE.with_borrow_mut(|wire| wire.waiting.insert(request.id, done));
    });
    match post(&request) {
        Ok(()) => Ok(promise),
        Err(what) => {
            WIRE.with_borrow_mut(|wire| {
                wire.requests.close(request.id, false);
                wire.waiting.remove(&request.id);
            });
            Err(what)
        }
    }
}

/// Sends a request to the worker.
///
/// # Errors
///
/// Fails with a text for the player if the worker cannot be started or addressed.
fn post(request: &ThinkRequest) -> Result<(), String> {
    let text = serde_json::to_string(request).map_err(|e| e.to_string())?;
    let worker = worker().map_err(|e| page::error_text(&e))?;
    worker.post_message(&text.into()).map_err(|e| page::error_text(&e))
}

/// Waits for the reply to a request and returns what the bot has chosen: the canonical text of an action or
/// gesture, and the advice of a hint. `promise` comes from [`request_thought`] or [`request_thought_for`].
/// Waits without end if the worker dies.
///
/// # Errors
///
/// Fails with the worker's error, or if the reply cannot be parsed.
pub async fn receive_thought(promise: js_sys::Promise) -> Result<Thought, String> {
    let answer = JsFuture::from(promise).await.map_err(|e| page::error_text(&e))?;
    let answer: ThinkReply =
        serde_json::from_str(&answer.as_string().unwrap_or_default()).map_err(|e| e.to_string())?;
    answer.thought
}

/// Returns the worker of the bots; starts it at the first call.
///
/// # Errors
///
/// Fails with the error of the browser if the worker cannot be started.
fn worker() -> Result<Worker, JsValue> {
    if let Some(worker) = WIRE.with_borrow(|wire| wire.worker.clone()) {
        return Ok(worker);
    }
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    let script = WIRE.with_borrow(|wire| format!("{}worker.js", wire.made));
    let worker = Worker::new_with_options(&script, &options)?;
    let heard = Closure::<dyn FnMut(MessageEvent)>::new(|message: MessageEvent| {
        let text = message.data();
        let answer = serde_json::from_str::<ThinkReply>(&text.as_string().unwrap_or_default());
        let Ok(answer) = answer else { return };
        let done = WIRE.with_borrow_mut(|wire| {
            wire.requests.close(answer.id, answer.thought.is_ok());
            wire.waiting.remove(&answer.id)
        });
        if let Some(done) = done {
            let _ = done.call1(&JsValue::NULL, &text);
        }
    });
    worker.set_onmessage(Some(heard.as_ref().unchecked_ref()));
    heard.forget();
    WIRE.with_borrow_mut(|wire| wire.worker = Some(worker.clone()));
    Ok(worker)
}
