//! The mailbox of the table: messages for people who are away.
//!
//! While a person of the match is away, this peer posts everything durable that its sessions broadcast. When somebody goes
//! away, and when a match is restored, it posts what they may lack. A peer that opens the table reads the mailbox first,
//! so it catches up with nobody else there.
//!
//! Mail is handled like messages of a peer, but it is in no particular order: messages whose time has not come wait here.
//! The stored cursor never passes one of them, so nothing is lost if the process ends meanwhile.
//!
//! Anybody with the invitation can post, so the memory for waiting mail is bounded. A message for which there is no room is
//! skipped: the cursor does not pass it, and it is fetched again once the session has progressed. Messages whose time has
//! come need no room, so a flood delays mail but loses none.

use crate::message::{LOBBY, LobbyMessage, MAX_LOBBY_MESSAGE, SESSION};
use crate::restore::MAIL_CURSOR;
use crate::{Lobby, LobbyAction, LobbyEvent};
use pentarchy_engine::Seat;
use pentarchy_engine::sorting::sort_by_key;
use pentarchy_net::{MailCursor, PeerId, PublicIdentity};
use pentarchy_table::{Input, MAILBOX, MailTiming, PeerSession, SessionProgress};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of messages that wait until their time has come, and of their bytes.
pub(crate) const MAX_WAITING: usize = 8_192;
const MAX_WAITING_BYTES: usize = 16 << 20;
/// Minimum milliseconds between two fetches of skipped mail: a flood must not make every event of the match cost a
/// fetch.
const REFETCH_MS: u64 = 5_000;

/// A message from the mailbox whose time has not come.
struct WaitingMail {
    at: MailCursor,
    timing: MailTiming,
    /// The message for the sessions, without the byte that says so.
    bytes: Vec<u8>,
}

impl WaitingMail {
    /// Returns the key by which waiting mail is sorted: the place of the message in the log of the table ([`u64::MAX`] if
    /// it has none), then its number in the mailbox. Messages that others depend on come first.
    fn order(&self) -> (u64, u32) {
        let order = match self.timing {
            MailTiming::Later(order) => order,
            _ => u64::MAX,
        };
        (order, self.at.number)
    }
}

/// Messages from the mailbox for which there was no room.
struct SkippedMail {
    /// The first of them.
    first: MailCursor,
    /// How far the session had come when the first was skipped.
    progress: Option<SessionProgress>,
    /// Whether one was skipped when the session had come to another place. Its time may have come where the session is now.
    is_mixed: bool,
}

/// What this peer has read of the mailbox, and what it owes to it.
#[derive(Default)]
pub(crate) struct MailState {
    /// The cursor that is stored: everything up to it was handled.
    pub(crate) stored: MailCursor,
    /// The last message that came.
    read: MailCursor,
    /// By mailbox and number, so that a message that comes again waits once.
    waiting: BTreeMap<(u64, u32), WaitingMail>,
    waiting_bytes: usize,
    skipped: Option<SkippedMail>,
    /// The earliest time, in milliseconds, of the next fetch of skipped mail.
    refetch_at: u64,
    /// Whether a fetch is under way.
    is_fetching: bool,
    /// How far the session had come when the waiting mail was last tried.
    tried_at: Option<SessionProgress>,
    /// Whether all mail that was there at the start has come.
    is_caught_up: bool,
    /// Whether people who are away may lack something that this peer has not posted.
    pub(crate) owes_backlog: bool,
    /// The numbers under which people were connected to this process.
    peers: BTreeMap<PublicIdentity, PeerId>,
}

impl Lobby {
    /// Requests the mail after the stored cursor. During a match, notes that people who are away may lack
    /// something. Call it once, when the lobby starts.
    pub(crate) fn request_mail(&mut self) {
        self.mail.read = self.mail.stored;
        self.mail.owes_backlog = self.session.is_some();
        self.fetch_mail(self.mail.stored);
    }

    /// Asks the caller, with `FetchMail`, for all mail after the cursor `after`, and notes that a fetch is
    /// under way.
    fn fetch_mail(&mut self, after: MailCursor) {
        self.mail.is_fetching = true;
        self.act(LobbyAction::FetchMail(after));
    }

    /// Returns the people of the match who are not connected, with their seats, in the order of seats. Bots
    /// and the player of this peer are not among them; people whose seat was dropped are only with
    /// `dropped`. Empty before the match.
    fn absent_people(&self, dropped: bool) -> Vec<(u8, PublicIdentity)> {
        let Some(session) = &self.session else { return Vec::new() };
        let mine = *self.identity.public().bytes();
        let is_here = |identity: &PublicIdentity| {
            *identity == mine || self.present.values().any(|present| present == identity)
        };
        let players = (0u8..).zip(&session.descriptor().players);
        let people = players
            .filter(|(seat, player)| player.host.is_none() && (dropped || session.live().has(Seat(*seat))));
        people
            .filter(|(_, player)| !is_here(&player.identity))
            .map(|(s, player)| (s, player.identity))
            .collect()
    }

    /// Returns the seats of the people of the match who are not connected and were not dropped, ascending: what this peer
    /// sends now is posted for them. Empty before the match.
    pub fn absent_seats(&self) -> Vec<u8> {
        self.absent_people(false).into_iter().map(|(seat, _)| seat).collect()
    }

    /// Returns whether what the sessions broadcast is posted: a person of the match is away who was not
    /// dropped. `false` before the match.
    pub(crate) fn is_posting(&self) -> bool {
        !self.absent_people(false).is_empty()
    }

    /// Posts the message `bytes` of a session to the mailbox if the player's session says that it is
    /// durable: that a peer which returns needs it. Drops other messages, and all before the match. The
    /// caller must have checked that somebody is away.
    pub(crate) fn post_broadcast(&mut self, bytes: &[u8]) {
        if self.session.as_ref().is_some_and(|session| session.is_durable(bytes)) {
            self.act(LobbyAction::Post(framed(SESSION, bytes)));
        }
    }

    /// Returns whether the first fetch of mail has ended: all mail that was in the mailbox when the lobby
    /// started has come. Stays `true`.
    pub(crate) fn is_mail_read(&self) -> bool {
        self.mail.is_caught_up
    }

    /// Notes under which number a person is connected, in place of an earlier number. The number stays
    /// noted when they disconnect: the backlog is chosen by what the session has sent to it.
    pub(crate) fn note_peer(&mut self, peer: PeerId, identity: PublicIdentity) {
        self.mail.peers.insert(identity, peer);
    }

    /// Posts everything that people who are away may lack, once after each reason for it, as soon as the mailbox was read:
    /// the signed start for players who have not published keys, and the backlog of the player's session. Does nothing for a
    /// spectator.
    pub(crate) fn post_backlog(&mut self) {
        let Some(session) = self.session.as_ref().filter(|session| session.seat().is_some()) else { return };
        if !self.mail.owes_backlog || !self.mail.is_caught_up {
            return;
        }
        let absent = self.absent_people(true);
        let mut posts = Vec::new();
        if let Some(start) = self.signed_start.clone()
            && absent.iter().any(|(seat, _)| !session.has_keys_of(*seat))
        {
            let start = postcard::to_allocvec(&LobbyMessage::Start(start)).unwrap_or_default();
            posts.push(framed(LOBBY, &start));
        }
        let mut known = BTreeSet::new();
        for (seat, identity) in absent {
            let lacking = session.backlog(seat, self.mail.peers.get(&identity).copied());
            let new = lacking.into_iter().filter(|bytes| known.insert(*blake3::hash(bytes).as_bytes()));
            posts.extend(new.map(|bytes| framed(SESSION, &bytes)));
        }
        self.mail.owes_backlog = false;
        posts.into_iter().for_each(|post| self.act(LobbyAction::Post(post)));
    }

    /// Handles the message at cursor `at` of the mailbox. A signed start begins the match; other messages
    /// of lobbies are ignored. A message of a session goes to the sessions, or waits until its time has
    /// come. Once the mailbox was read to its end, waiting mail is tried again, too. Notes `at` as read.
    /// Ignores malformed messages.
    pub(crate) fn receive_mail(&mut self, at: MailCursor, message: &[u8]) {
        self.move_cursor(at);
        // The first skipped message is here again, and those after it follow.
        self.mail.skipped.take_if(|skipped| skipped.first == at || skipped.first.mailbox != at.mailbox);
        match message.split_first() {
            Some((&LOBBY, bytes)) if bytes.len() <= MAX_LOBBY_MESSAGE => self.receive_start(bytes),
            Some((&SESSION, bytes)) => self.judge_mail(at, bytes.to_vec()),
            _ => {}
        }
        if self.mail.is_caught_up {
            self.deliver_waiting_mail();
        }
    }

    /// Starts the sessions of this machine if `bytes` are a start that the host signed and no match has
    /// started. Emits `Refused` if this start cannot be used. Ignores everything else.
    fn receive_start(&mut self, bytes: &[u8]) {
        if let Ok(LobbyMessage::Start(start)) = postcard::from_bytes(bytes)
            && self.session.is_none()
            && start.is_signed_by(self.host)
            && let Err(unusable) = self.start_sessions(start)
        {
            self.emit(LobbyEvent::Refused(unusable.to_string()));
        }
    }

    /// Handles the end of a fetch: all mail up to the cursor `at` has come. Handles what waited for it, and posts what
    /// people lack who are away.
    pub(crate) fn finish_mail(&mut self, at: MailCursor) {
        self.move_cursor(at);
        // A mailbox that ends before the skipped mail does not have it any more.
        let is_gone = |first: MailCursor| first.mailbox != at.mailbox || first.number > at.number;
        self.mail.skipped.take_if(|skipped| is_gone(skipped.first));
        (self.mail.is_caught_up, self.mail.is_fetching) = (true, false);
        self.deliver_waiting_mail();
        self.post_backlog();
    }

    /// Notes that the mailbox was read up to `at`. If the mailbox is another one, or `at` is before the
    /// last cursor, what this peer has posted may be lost: then notes that the backlog must be posted
    /// again. Posts nothing itself.
    fn move_cursor(&mut self, at: MailCursor) {
        let read = self.mail.read;
        if at.mailbox != read.mailbox || at.number < read.number {
            self.mail.owes_backlog = true;
        }
        self.mail.read = at;
    }

    /// Passes the message at cursor `at` of the mailbox to the sessions, keeps it if its time has not come, or drops it if
    /// that never comes. Before the match every message waits. Skips a message that would have to wait if [`MAX_WAITING`]
    /// messages or [`MAX_WAITING_BYTES`] bytes wait.
    fn judge_mail(&mut self, at: MailCursor, bytes: Vec<u8>) {
        let before_match = MailTiming::Later(0);
        match self.session.as_ref().map_or(before_match, |session| session.mail_timing(&bytes)) {
            MailTiming::Now => self.feed_all(Input::Message { from: MAILBOX, bytes: &bytes }),
            timing @ (MailTiming::Later(_) | MailTiming::Unplaced) => {
                self.keep_mail(WaitingMail { at, timing, bytes });
            }
            MailTiming::Never => {}
        }
    }

    /// Keeps a message until its time has come. Without room for it notes that it was skipped, so that it
    /// is fetched again later. Does nothing if it waits already.
    fn keep_mail(&mut self, message: WaitingMail) {
        let (progress, mail) = (self.session_progress(), &mut self.mail);
        let place = (message.at.mailbox, message.at.number);
        if mail.waiting.contains_key(&place) {
            return;
        }
        let bytes = mail.waiting_bytes + message.bytes.len();
        if mail.waiting.len() < MAX_WAITING && bytes <= MAX_WAITING_BYTES {
            mail.waiting_bytes = bytes;
            mail.waiting.insert(place, message);
        } else if let Some(skipped) = &mut mail.skipped {
            skipped.is_mixed |= skipped.progress != progress;
        } else {
            mail.skipped = Some(SkippedMail { first: message.at, progress, is_mixed: false });
        }
    }

    /// Removes and returns all waiting mail, by mailbox and number.
    fn take_waiting_mail(&mut self) -> Vec<WaitingMail> {
        self.mail.waiting_bytes = 0;
        std::mem::take(&mut self.mail.waiting).into_values().collect()
    }

    /// Returns how far the player's session has come, as a value to compare: while it is equal, no waiting
    /// message's time can have come. `None` before the match.
    fn session_progress(&self) -> Option<SessionProgress> {
        self.session.as_ref().map(PeerSession::progress)
    }

    /// Tries the waiting mail again until the session makes no more progress. Unless a fetch is under way, stores the
    /// cursor and fetches skipped mail again. When only messages are left whose place is not found, no fetch is under way
    /// and none was skipped, no message is missing: they are about the past and are dropped.
    pub(crate) fn deliver_waiting_mail(&mut self) {
        while !self.mail.waiting.is_empty()
            && self.session.is_some()
            && self.session_progress() != self.mail.tried_at
        {
            self.mail.tried_at = self.session_progress();
            let mut waiting = self.take_waiting_mail();
            sort_by_key(&mut waiting, WaitingMail::order);
            waiting.into_iter().for_each(|mail| self.judge_mail(mail.at, mail.bytes));
        }
        if self.mail.is_fetching {
            return;
        }
        let mut waiting = self.mail.waiting.values();
        if self.mail.skipped.is_none() && waiting.all(|mail| mail.timing == MailTiming::Unplaced) {
            self.take_waiting_mail();
        }
        self.store_cursor();
        self.refetch_skipped_mail();
    }

    /// Fetches the mail from the first skipped message on, if one of the skipped messages may fit now and the
    /// last fetch of this kind is [`REFETCH_MS`] milliseconds ago. One may fit if the session has progressed
    /// since the first was skipped, or had when another was. The caller must have checked that no fetch is
    /// under way.
    fn refetch_skipped_mail(&mut self) {
        let progress = self.session_progress();
        let Some(skipped) = &self.mail.skipped else { return };
        let may_fit = skipped.is_mixed || skipped.progress != progress;
        if may_fit && self.now >= self.mail.refetch_at {
            let after = MailCursor { number: skipped.first.number.saturating_sub(1), ..skipped.first };
            self.mail.refetch_at = self.now + REFETCH_MS;
            self.mail.read = after;
            self.fetch_mail(after);
        }
    }

    /// Persists the cursor up to which all mail was handled, if it has moved: before the first message that waits or was
    /// skipped. Does nothing for a spectator and before the match.
    fn store_cursor(&mut self) {
        if self.session.as_ref().is_none_or(|session| session.seat().is_none()) {
            return;
        }
        let read = self.mail.read;
        let mut waiting = self.mail.waiting.range((read.mailbox, 0)..=(read.mailbox, u32::MAX));
        let skipped = self.mail.skipped.as_ref().map(|skipped| skipped.first);
        let skipped = skipped.filter(|first| first.mailbox == read.mailbox).map(|first| first.number);
        let first = waiting.next().map(|((_, number), _)| *number).into_iter().chain(skipped).min();
        let number = first.map_or(read.number, |first| first.saturating_sub(1).min(read.number));
        let cursor = MailCursor { number, ..read };
        if cursor != self.mail.stored {
            self.mail.stored = cursor;
            let item = postcard::to_allocvec(&cursor).unwrap_or_default();
            self.act(LobbyAction::Persist(framed(MAIL_CURSOR, &item)));
        }
    }
}

/// Returns a message of the mailbox or a stored item: the byte `mark`, which says what `bytes` are, then `bytes`.
fn framed(mark: u8, bytes: &[u8]) -> Vec<u8> {
    let mut framed = Vec::with_capacity(bytes.len() + 1);
    framed.push(mark);
    framed.extend_from_slice(bytes);
    framed
}
