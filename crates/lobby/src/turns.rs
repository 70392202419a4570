//! Whose turn it is, for a server that notifies players who are away: what to announce, and when.
//!
//! A client asks [`Lobby::awaited_turn`] and passes the result to a [`TurnAnnouncer`], which says what to send. Seats whose
//! players are here are announced only after a time without a sign of them, so a game between people who are all
//! online announces nothing but its end, and that only if the server knows of a turn.

use crate::Lobby;
use pentarchy_table::PeerSession;
use serde::{Deserialize, Serialize};

/// How long a turn must have been as it is before it is announced, in milliseconds. Longer than it takes to connect to
/// players who are here.
const SETTLE_MS: u64 = 3_000;
/// How long players who are connected may be silent before the turn is announced, in milliseconds.
const SILENCE_MS: u64 = 60_000;
/// The first pause after a failed request, in milliseconds. It doubles with each further one.
const FIRST_PAUSE_MS: u64 = 2_000;
/// The longest pause after a failed request, in milliseconds.
const LONGEST_PAUSE_MS: u64 = 300_000;
/// Shorter time limits have no deadline: they count only while somebody is there. In milliseconds.
const SHORTEST_DEADLINE_MS: u32 = 3_600_000;
/// Deadlines are rounded up to this many seconds, so that clients agree about them.
const DEADLINE_STEP: u64 = 60;
/// Numbers of turns in one epoch. A log that is continued after a seat was dropped may be shorter than before, but numbers
/// of turns have to grow.
const EPOCH_TURNS: u32 = 1 << 20;

/// Whose turn it is in the agreed log of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AwaitedTurn {
    /// The number of the event that the table waits for, from 1, plus 2^20 for each epoch that has ended. All peers with the
    /// same log have the same number.
    pub turn: u32,
    /// The seats of the machines that owe something, ascending; empty when the match is over.
    pub waiting: Vec<u8>,
    /// Whether none of these players is connected. `true` when the match is over.
    pub are_away: bool,
    /// Milliseconds since the last contribution or sign of activity of a player who is awaited.
    pub silence_ms: u64,
    /// The time limit of the table, in milliseconds.
    pub limit_ms: u32,
}

/// What a client tells a server about a turn, and the server says about it: the JSON of `/api/notify/tables/TABLE/turn`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TurnAnnouncement {
    /// The number of the turn.
    pub turn: u32,
    /// The seats that the table waits for, ascending; empty when the match is over.
    pub waiting: Vec<u8>,
    /// When their time ends, in seconds since 1970; `None` without a limit that counts in hours or days.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<u64>,
}

/// A request that a client must make. One is under way at a time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnnounceRequest {
    /// Ask the server whether it has notifications, and which turn of the table it knows.
    Look,
    /// Announce a turn.
    Announce(TurnAnnouncement),
}

/// The result of an [`AnnounceRequest`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnnounceReply {
    /// The server has no notifications.
    Off,
    /// The server has notifications, and this is the last turn of the table that it was told; the answer to
    /// [`AnnounceRequest::Look`].
    Known(Option<TurnAnnouncement>),
    /// The server has taken the announcement.
    Taken,
    /// The server has refused the request for good.
    Refused,
    /// The server was not reached, or cannot answer now.
    Failed,
}

impl AnnounceReply {
    /// Returns what an HTTP status of the server says about an announcement: `Taken` for 2xx, `Failed` for
    /// 408, 429 and 5xx, which may pass, and `Refused` for all others.
    pub fn of_status(status: u16) -> Self {
        match status {
            200..300 => Self::Taken,
            408 | 429 | 500.. => Self::Failed,
            _ => Self::Refused,
        }
    }
}

/// Decides what a client announces. It has no clock and no sockets, and nothing that it decides touches the match.
#[derive(Debug, Default)]
pub struct TurnAnnouncer {
    /// Whether the server has notifications; `None` while that is not known.
    is_on: Option<bool>,
    /// What was seen last, and since when, in milliseconds.
    seen: Option<(TurnAnnouncement, u64)>,
    /// What the server knows, as far as this client does.
    known: Option<TurnAnnouncement>,
    /// The request under way.
    pending: Option<AnnounceRequest>,
    /// Requests that have failed since the last success.
    failures: u32,
    /// No request before this time, in milliseconds.
    not_before: u64,
}

impl TurnAnnouncer {
    /// Returns the request that is due at the time `now_ms`, which must not go back; `unix` is the time in seconds since
    /// 1970. The caller must make it and pass its result to [`handle_reply`](Self::handle_reply); until then nothing
    /// is due. `awaited` is whose turn it is now; for `None` nothing is due. With `is_leaving`, the player is about to
    /// leave: a turn of players who are away does not have to settle.
    ///
    /// A turn is due once it has settled, unless the server knows it already. An end is due only if the server knows of an
    /// earlier turn. The server is asked before a turn of players who are away has settled, so that one request is enough
    /// for a player who leaves.
    pub fn next_request(
        &mut self,
        awaited: Option<&AwaitedTurn>,
        now_ms: u64,
        unix: u64,
        is_leaving: bool,
    ) -> Option<AnnounceRequest> {
        let awaited = awaited?;
        self.observe(awaited, now_ms, unix);
        if self.is_on == Some(false) || self.pending.is_some() || now_ms < self.not_before {
            return None;
        }
        let (seen, since) = self.seen.as_ref()?;
        let is_early = self.is_on.is_none() && !seen.waiting.is_empty();
        let is_settled = match awaited.are_away {
            true => is_early || is_leaving || now_ms >= since + SETTLE_MS,
            false => awaited.silence_ms >= SILENCE_MS,
        };
        let is_end_of_nothing = self.is_on.is_some() && seen.waiting.is_empty() && self.known.is_none();
        if !is_settled || self.known.as_ref() == Some(seen) || is_end_of_nothing {
            return None;
        }
        let request = match self.is_on {
            None => AnnounceRequest::Look,
            Some(_) => AnnounceRequest::Announce(seen.clone()),
        };
        self.pending = Some(request.clone());
        Some(request)
    }

    /// Notes the result of the request under way, at the time `now_ms`. An answer to the question switches
    /// announcements on, and the turn that it names is not announced again. An announcement that was taken,
    /// or refused for good, counts as known to the server. A failure is followed by a pause, which grows
    /// with each; what is due then may be another turn. Every other reply to the question switches
    /// announcements off. Ignores replies without a request.
    pub fn handle_reply(&mut self, reply: AnnounceReply, now_ms: u64) {
        let Some(request) = self.pending.take() else { return };
        match (request, reply) {
            (_, AnnounceReply::Failed) => {
                let pause = FIRST_PAUSE_MS << self.failures.min(16);
                self.failures += 1;
                self.not_before = now_ms + pause.min(LONGEST_PAUSE_MS);
                return;
            }
            (AnnounceRequest::Look, AnnounceReply::Known(known)) => {
                self.is_on = Some(true);
                self.adopt_deadline(known.as_ref());
                self.known = known;
            }
            // A server that refuses an announcement for good would refuse it again.
            (AnnounceRequest::Announce(announced), AnnounceReply::Taken | AnnounceReply::Refused) => {
                self.known = Some(announced);
            }
            _ => self.is_on = Some(false),
        }
        self.failures = 0;
    }

    /// Returns the turn that the server knows as far as this client does; `None` before the server has
    /// answered, or if it knows none.
    #[cfg(test)]
    pub(crate) fn known_turn(&self) -> Option<&TurnAnnouncement> {
        self.known.as_ref()
    }

    /// Notes whose turn it is in `seen`, with the deadline of the turn. If this differs from what was seen
    /// last, it counts as seen since `now_ms` (the monotonic clock). The first time that a turn is seen,
    /// its deadline is `unix` (seconds since 1970) plus what is left of the time limit, rounded up to a
    /// minute; later calls keep it. There is none if nobody is awaited or the time limit is shorter than an
    /// hour.
    fn observe(&mut self, awaited: &AwaitedTurn, now_ms: u64, unix: u64) {
        let AwaitedTurn { turn, ref waiting, limit_ms, silence_ms, .. } = *awaited;
        let deadline = match &self.seen {
            _ if waiting.is_empty() || limit_ms < SHORTEST_DEADLINE_MS => None,
            Some((seen, _)) if seen.turn == turn && seen.deadline.is_some() => seen.deadline,
            _ => {
                let left = u64::from(limit_ms).saturating_sub(silence_ms) / 1_000;
                Some((unix + left).next_multiple_of(DEADLINE_STEP))
            }
        };
        let now = TurnAnnouncement { turn, waiting: waiting.clone(), deadline };
        if self.seen.as_ref().is_none_or(|(seen, _)| *seen != now) {
            self.seen = Some((now, now_ms));
        }
    }

    /// Takes over the deadline of `known`, the turn that the server knows, if it is the turn that was seen
    /// last and both have a deadline: another client, or an earlier visit, has seen the turn first.
    fn adopt_deadline(&mut self, known: Option<&TurnAnnouncement>) {
        if let (Some((seen, _)), Some(known)) = (&mut self.seen, known)
            && seen.turn == known.turn
            && seen.deadline.is_some()
            && known.deadline.is_some()
        {
            seen.deadline = known.deadline;
        }
    }
}

impl Lobby {
    /// Returns whose turn it is in the agreed log. `None` before the opening of the match is agreed, while mail is read,
    /// between two events, for a spectator, and in a broken session. Signs of a dropped seat are not awaited.
    pub fn awaited_turn(&self) -> Option<AwaitedTurn> {
        let session = self.session.as_ref().filter(|session| session.seat().is_some())?;
        let is_ended = session.ending().is_some();
        if session.head() == [0; 32] || !self.is_mail_read() || (session.is_over() && !is_ended) {
            return None;
        }
        let waiting = if is_ended { Vec::new() } else { awaited_machines(session) };
        if waiting.is_empty() && !is_ended {
            return None;
        }
        let absent = self.absent_seats();
        Some(AwaitedTurn {
            turn: u32::from(session.epoch()) * EPOCH_TURNS + session.events() + 1,
            are_away: waiting.iter().all(|seat| absent.contains(seat)),
            waiting,
            silence_ms: session.silence_ms(),
            limit_ms: session.descriptor().stall_ms,
        })
    }
}

/// Returns the seats of the machines that owe something to a session, ascending. A bot that owes something is listed
/// as the seat of its host.
fn awaited_machines(session: &PeerSession) -> Vec<u8> {
    let descriptor = session.descriptor();
    let due = session.due();
    let owes = |seat: &u8| due.iter().any(|due| descriptor.machine(*due) == *seat);
    (0..descriptor.seats()).filter(owes).collect()
}
