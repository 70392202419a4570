//! The messages between the page and the bots' worker, and the worker's side.

use crate::brain::{Mind, Task, Thought};
use crate::{boards, clock};
use pentarchy_engine::record::{Header, RecordEntry};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;
use wasm_bindgen::prelude::*;

/// A request of the page: think about the current decision of a seat.
#[derive(Serialize, Deserialize)]
pub struct ThinkRequest {
    /// Number of the request; the reply repeats it.
    pub id: u32,
    /// Number of the match at this page.
    pub game: u32,
    /// The seat to decide for.
    pub seat: u8,
    /// The first line of the record.
    pub header: Header,
    /// Number of events that the worker already has; 0 starts a new mind.
    pub after: usize,
    /// The events after those, with this seat's annexes only.
    pub entries: Vec<RecordEntry>,
    /// Level, seed and time.
    pub task: Task,
}

/// The worker's reply.
#[derive(Serialize, Deserialize)]
pub struct ThinkReply {
    /// Number of the request.
    pub id: u32,
    /// The chosen action, or the error.
    pub thought: Result<Thought, String>,
}

thread_local! {
    static MINDS: RefCell<BTreeMap<(u32, u8), Box<dyn Mind>>> = const { RefCell::new(BTreeMap::new()) };
}

/// Handles a request, given as JSON, in the worker and returns the reply as JSON. Blocks for the
/// thinking time. A request that cannot be parsed gets a reply with the id 0.
#[wasm_bindgen]
pub fn think(question: &str) -> String {
    let answer = match serde_json::from_str::<ThinkRequest>(question) {
        Ok(question) => {
            let id = question.id;
            ThinkReply { id, thought: MINDS.with_borrow_mut(|minds| answer(minds, question)) }
        }
        Err(e) => ThinkReply { id: 0, thought: Err(e.to_string()) },
    };
    serde_json::to_string(&answer).unwrap_or_default()
}

/// Passes the new events of a request to the mind of its seat, lets it think, and returns its choice. Creates
/// the mind if there is none or `after` is 0, and drops the minds of other matches.
///
/// # Errors
///
/// Fails if the game or the level is unknown, the header is invalid, the events do not follow those received
/// before, the mind rejects one, or the seat has no decision. The mind keeps the events before the rejected
/// one.
fn answer(minds: &mut BTreeMap<(u32, u8), Box<dyn Mind>>, question: ThinkRequest) -> Result<Thought, String> {
    let key = (question.game, question.seat);
    minds.retain(|(game, _), _| *game == question.game);
    if question.after == 0 || !minds.contains_key(&key) {
        minds.insert(key, boards::find(&question.header.game)?.mind(&question.header, question.seat)?);
    }
    let mind = minds.get_mut(&key).ok_or("there is nobody to think")?;
    if mind.told() != question.after {
        return Err("the events do not follow on those told before".to_string());
    }
    question.entries.iter().try_for_each(|entry| mind.follow(entry))?;
    mind.think(&question.task, clock::now)
}
