//! Requests of the page to the minds of bots, and the minds that answer them.
//!
//! The page sends each seat's mind only the events that it does not have yet. [`ThinkRequests`] is the page's side,
//! [`Minds`] the worker's. A request that fails makes the next one start the mind of its seat again.

use crate::Clock;
use crate::brain::{Mind, Task, Thought};
use pentarchy_engine::Seat;
use pentarchy_engine::record::{Header, RecordEntry, RecordKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A request of the page: think about the current decision of a seat.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ThinkReply {
    /// Number of the request.
    pub id: u32,
    /// The chosen action, or the error.
    pub thought: Result<Thought, String>,
}

/// The page's side: numbers the requests, and counts the events that the mind of each seat has.
#[derive(Debug, Default)]
pub struct ThinkRequests {
    /// Number of the last request; 0 before the first.
    last: u32,
    /// Number of the match that the minds follow.
    game: u32,
    /// By seat, the number of events that its mind has.
    told: BTreeMap<u8, usize>,
    /// By number, the match and the seat of the requests without a reply.
    open: BTreeMap<u32, (u32, u8)>,
}

impl ThinkRequests {
    /// Makes the minds of all seats start again, with all events, at their next request. Call it when a new match
    /// begins or events were taken back. Running requests still get their replies; their failures no longer matter.
    pub fn forget(&mut self) {
        self.game += 1;
        self.told.clear();
    }

    /// Creates the next request for a seat of a match that is given by its header and all its events. It holds the
    /// events that the mind of the seat does not have yet, cut to what the seat knows; all of them if there are fewer
    /// than it has. Counts them as delivered until [`close`](Self::close) reports a failure. Not checked: that the
    /// seat has to decide, and that the events continue those of earlier requests; otherwise call
    /// [`forget`](Self::forget) first.
    pub fn create(
        &mut self,
        header: &Header,
        entries: &[RecordEntry],
        seat: Seat,
        task: Task,
    ) -> ThinkRequest {
        self.last += 1;
        let told = self.told.insert(seat.0, entries.len());
        let after = told.filter(|&told| told <= entries.len()).unwrap_or(0);
        self.open.insert(self.last, (self.game, seat.0));
        let mut header = header.clone();
        (header.kind, header.seed) = (RecordKind::Seat(seat), None);
        let entries = entries[after..].iter().map(|e| e.cut(RecordKind::Seat(seat))).collect();
        ThinkRequest { id: self.last, game: self.game, seat: seat.0, header, after, entries, task }
    }

    /// Ends the request with this number: it was answered, or, unless `succeeded`, answered with an error or not
    /// sent. After a failure the next request for its seat starts a new mind with all events. Ignores unknown
    /// numbers, and failures of matches before [`forget`](Self::forget).
    pub fn close(&mut self, id: u32, succeeded: bool) {
        let request = self.open.remove(&id);
        if let Some((_, seat)) = request.filter(|(game, _)| !succeeded && *game == self.game) {
            self.told.remove(&seat);
        }
    }
}

/// The worker's side: the minds of the seats of one match.
#[derive(Default)]
pub struct Minds(BTreeMap<(u32, u8), Box<dyn Mind>>);

impl Minds {
    /// Passes the new events of a request to the mind of its seat, lets it think, and returns the reply with its
    /// choice, or with an error. Creates the mind if there is none or `after` is 0, and drops the minds of other
    /// matches. Blocks for the thinking time of the task, measured with `clock`.
    pub fn answer(&mut self, request: &ThinkRequest, clock: Clock) -> ThinkReply {
        ThinkReply { id: request.id, thought: self.think(request, clock) }
    }

    /// Passes the new events of a request to the mind of its seat, lets it think, and returns its choice. Creates the
    /// mind if there is none or `request.after` is 0; drops the minds of other matches.
    ///
    /// # Errors
    ///
    /// Fails if the game or the level is unknown, the header is invalid, the number of events that the mind has is
    /// not `request.after`, the mind rejects an event, or the seat has no decision. The mind keeps the events before
    /// the rejected one.
    fn think(&mut self, request: &ThinkRequest, clock: Clock) -> Result<Thought, String> {
        let key = (request.game, request.seat);
        self.0.retain(|(game, _), _| *game == request.game);
        if request.after == 0 || !self.0.contains_key(&key) {
            self.0.insert(key, crate::find(&request.header.game)?.mind(&request.header, request.seat)?);
        }
        let mind = self.0.get_mut(&key).ok_or("there is nobody to think")?;
        if mind.event_count() != request.after {
            return Err("the events do not follow on those told before".to_string());
        }
        request.entries.iter().try_for_each(|entry| mind.follow(entry))?;
        mind.think(&request.task, clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GAMES;
    use crate::table::GameView;
    use pentarchy_engine::Node;
    use serde_json::Value;

    /// What happens to a request in the test.
    #[derive(Clone, Copy, PartialEq)]
    enum Fate {
        Answered,
        /// It cannot be posted.
        Lost,
        /// The mind rejects its last event.
        Garbled,
    }

    /// Advances to the next decision and returns its seat; `None` at the end of the match.
    fn decider(table: &mut dyn GameView) -> Option<Seat> {
        loop {
            match table.node() {
                Node::Decide(seat) => return Some(seat),
                Node::Over => return None,
                _ => drop(table.advance().unwrap()),
            }
        }
    }

    #[test]
    fn a_request_that_fails_does_not_make_later_ones_fail() {
        for game in GAMES.iter() {
            for fate in [Fate::Answered, Fate::Lost, Fate::Garbled] {
                let mut table = game.start(game.info.default_seats, &Value::Null, 3).unwrap();
                let (mut page, mut worker) = (ThinkRequests::default(), Minds::default());
                for turn in 0..9 {
                    let Some(seat) = decider(&mut *table) else { break };
                    let task = Task { level: "random".to_string(), seed: turn, millis: 0.0 };
                    let ask = |page: &mut ThinkRequests| {
                        page.create(table.header(), table.entries(), seat, task.clone())
                    };
                    if turn % 3 == 1 && fate != Fate::Answered {
                        let mut request = ask(&mut page);
                        if fate == Fate::Garbled {
                            if let Some(last) = request.entries.last_mut() {
                                last.event = "no event".to_string();
                            }
                            let reply = worker.answer(&request, || 0.0);
                            assert_eq!(reply.thought.is_err(), !request.entries.is_empty());
                            page.close(reply.id, reply.thought.is_ok());
                        } else {
                            page.close(request.id, false);
                        }
                    }
                    let request = ask(&mut page);
                    let reply = worker.answer(&request, || 0.0);
                    page.close(reply.id, reply.thought.is_ok());
                    let thought = reply.thought.unwrap_or_else(|e| panic!("{}: {e}", game.info.name));
                    table.play(&thought.action).unwrap();
                }
            }
        }
    }
}
