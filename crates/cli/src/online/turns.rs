//! Announces turns to a server that notifies players who are away. A thread of its own makes the requests: nothing of
//! it disturbs the match.

use super::listing::send_call;
use pentarchy_identity::{IdentityKey, PlayerRequest};
use pentarchy_lobby::{
    AnnounceExchange, AnnounceReply, AnnounceRequest, Lobby, ServerCall, TurnAnnouncer, table_label,
};
use pentarchy_net::{Dialer, Invite};
use serde_json::{Value, json};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How long a player who leaves waits for the announcement at most.
const LONGEST_FAREWELL: Duration = Duration::from_secs(5);
/// Interval between two looks at a request under way, while a player leaves.
const FAREWELL_STEP: Duration = Duration::from_millis(20);

/// What the thread is asked to do.
enum Errand {
    /// A request of the announcer.
    Announce(AnnounceRequest),
    /// Follow this seat, with a label for the table.
    Follow { seat: u8, label: String },
}

/// The result of an errand.
enum Outcome {
    /// That of a request of the announcer.
    Announced(AnnounceReply),
    /// That of following the seat, in words for the player.
    Followed(String),
}

/// Announces the turns of one table, and follows the seat of the player if they want that.
pub(super) struct Notices {
    /// Decides which request is due.
    announcer: TurnAnnouncer,
    /// To the thread.
    errands: Sender<Errand>,
    /// From the thread: the results, in the order of the errands.
    outcomes: Receiver<Outcome>,
    /// The start of the clock that the announcer reads.
    begin: Instant,
    /// Whether the player wants to be notified, and that was not asked of the server yet.
    follows: bool,
    /// Whether an announcement is under way.
    is_busy: bool,
}

impl Notices {
    /// Starts the thread that makes the requests to the server of `invite` by `dialer`. It ends after its last errand
    /// once this value is dropped. With `follows` the server is asked to notify the player of `identity` about their
    /// seat, as soon as the match has started.
    pub(super) fn new(dialer: &Dialer, invite: &Invite, identity: IdentityKey, follows: bool) -> Self {
        let (errands, orders) = mpsc::channel::<Errand>();
        let (report, outcomes) = mpsc::channel();
        let server = NoticeServer { dialer: dialer.clone(), invite: invite.clone(), identity };
        thread::spawn(move || {
            for errand in orders {
                let outcome = match errand {
                    Errand::Announce(request) => Outcome::Announced(server.announce(request)),
                    Errand::Follow { seat, label } => Outcome::Followed(server.follow(seat, &label)),
                };
                if report.send(outcome).is_err() {
                    break;
                }
            }
        });
        let announcer = TurnAnnouncer::default();
        Self { announcer, errands, outcomes, begin: Instant::now(), follows, is_busy: false }
    }

    /// Passes the results of finished requests to the announcer, and gives the thread what is due: once after the start
    /// of the match to follow the seat, if the player wants that, and the next announcement. With `is_leaving` the
    /// player is about to leave: a turn of players who are away is announced without waiting until it has settled. Call
    /// it several times a second; it never blocks. Returns the result of following the seat, in words for the player,
    /// once it is known; else `None`.
    pub(super) fn step(&mut self, lobby: &Lobby, is_leaving: bool) -> Option<String> {
        let now = self.begin.elapsed().as_millis() as u64;
        let mut told = None;
        while let Ok(outcome) = self.outcomes.try_recv() {
            match outcome {
                Outcome::Announced(reply) => {
                    self.is_busy = false;
                    self.announcer.handle_reply(reply, now);
                }
                Outcome::Followed(words) => told = Some(words),
            }
        }
        if let Some(seat) = lobby.session().and_then(|session| session.seat())
            && std::mem::take(&mut self.follows)
        {
            self.errands.send(Errand::Follow { seat, label: label(lobby, seat) }).ok();
        }
        let awaited = lobby.awaited_turn();
        if let Some(request) = self.announcer.next_request(awaited.as_ref(), now, unix_time(), is_leaving) {
            self.is_busy = self.errands.send(Errand::Announce(request)).is_ok();
        }
        told
    }

    /// Announces the turn, or the end of the match, to the server before the player leaves, so that it can notify those
    /// for whom the table waits. Blocks until the server has answered, at most [`LONGEST_FAREWELL`]. Words about
    /// following the seat are dropped. Does nothing if no announcement is due or under way.
    pub(super) fn finish(&mut self, lobby: &Lobby) {
        let begin = Instant::now();
        self.step(lobby, true);
        while self.is_busy && begin.elapsed() < LONGEST_FAREWELL {
            thread::sleep(FAREWELL_STEP);
            self.step(lobby, true);
        }
    }
}

/// Returns the label of the table in notifications to the player of `seat`: the title of the game and the names of the
/// other players. Empty before the match.
fn label(lobby: &Lobby, seat: u8) -> String {
    let Some(session) = lobby.session() else { return String::new() };
    let others = (0u8..).zip(&session.descriptor().players).filter(|(other, _)| *other != seat);
    table_label(session.game().info().title, others.map(|(_, player)| player.name.as_str()))
}

/// Returns the seconds since 1970; 0 if the clock is before that.
fn unix_time() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// The notifications of the server of a table.
struct NoticeServer {
    /// Connects to the server.
    dialer: Dialer,
    /// The invitation to the table, which names the server.
    invite: Invite,
    /// Signs the request to follow the seat.
    identity: IdentityKey,
}

impl NoticeServer {
    /// Sends a request to the server of the table, blocks, and returns status and body of its response; `None` if there
    /// is no response.
    fn send(&self, call: &ServerCall) -> Option<(u16, Vec<u8>)> {
        let answer = send_call(&self.dialer, &self.invite.server, call)?;
        Some((answer.status().as_u16(), answer.into_body()))
    }

    /// Carries out a request of the announcer, which may take several requests to the server, and returns the result
    /// for the announcer. Blocks until the last response. A server that does not answer is a result, too.
    fn announce(&self, request: AnnounceRequest) -> AnnounceReply {
        let mut exchange = AnnounceExchange::new(request, &self.invite);
        loop {
            let response = self.send(&exchange.call());
            let response = response.as_ref().map(|(status, body)| (*status, body.as_slice()));
            if let Some(reply) = exchange.handle_response(response) {
                return reply;
            }
        }
    }

    /// Asks the server to notify this player when the table waits for `seat`, with `label` as the name of the table.
    /// First asks whether the server sends notifications; the second request is signed with the identity. Blocks until
    /// both are answered. Returns the result as a sentence for the player: followed, no notifications, refused with the
    /// reason, or no answer.
    fn follow(&self, seat: u8, label: &str) -> String {
        let call =
            |method, path: String, authorization, body| ServerCall { method, path, authorization, body };
        let offer = call("GET", "/api/notify/channels".to_owned(), String::new(), String::new());
        let Some((status, channels)) = self.send(&offer) else {
            return "The server does not answer, so it will not notify you.".to_owned();
        };
        let channels: Value = serde_json::from_slice(&channels).unwrap_or_default();
        let Some(url) = channels["url"].as_str().filter(|_| status == 200) else {
            return "This server sends no notifications.".to_owned();
        };
        let body = json!({ "pass": self.invite.pass().to_text(), "label": label }).to_string();
        let path = format!("/api/notify/seats/{}/{seat}", self.invite.table());
        let request = PlayerRequest { public_url: url, method: "PUT", path: &path, body: body.as_bytes() };
        let signed = request.authorization(&self.identity, unix_time());
        match self.send(&call("PUT", path, signed, body)) {
            Some((200, _)) => {
                "The server notifies you when it is your turn and you are away, where your identity has subscribed."
                    .to_owned()
            }
            Some((_, body)) => {
                let answer: Value = serde_json::from_slice(&body).unwrap_or_default();
                format!("The server will not notify you: {}.", answer["error"].as_str().unwrap_or("no reason"))
            }
            None => "The server does not answer, so it will not notify you.".to_owned(),
        }
    }
}
