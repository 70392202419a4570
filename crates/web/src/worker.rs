//! The bots' worker: what the page sends it, what it answers, and both ends of the wire.

use crate::boards;
use crate::brain::{Mind, Task, Thought};
use pentarchy_engine::record::{Header, RecordEntry};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;
use wasm_bindgen::prelude::*;

/// What the page asks of the worker.
#[derive(Serialize, Deserialize)]
pub struct ThinkRequest {
    /// Which question: the answer names it.
    pub id: u32,
    /// Which game at this page.
    pub game: u32,
    /// For which seat.
    pub seat: u8,
    /// The first line of the record.
    pub header: Header,
    /// After how many events those that follow come; 0 begins anew.
    pub after: usize,
    /// The events since, with that seat's annexes only.
    pub entries: Vec<RecordEntry>,
    /// How to think.
    pub task: Task,
}

/// What the worker answers.
#[derive(Serialize, Deserialize)]
pub struct ThinkReply {
    /// Which question.
    pub id: u32,
    /// What it thought, or what went wrong.
    pub thought: Result<Thought, String>,
}

thread_local! {
    static MINDS: RefCell<BTreeMap<(u32, u8), Box<dyn Mind>>> = const { RefCell::new(BTreeMap::new()) };
}

/// Answers a question, in the worker.
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
    mind.think(&question.task)
}
