//! The mailbox of the table at the relay: posts that wait for an acknowledgement, and the fetch of stored mail.
//!
//! The packets of a mailbox are numbered without gaps. The relay announces every number to a member that has fetched: the
//! packets of others with their content, its own as acknowledgements. A missing number makes the mesh fetch again, so a
//! lost frame delays mail until the next number or the next connection, but loses none.

use super::Mesh;
use super::output::{MeshAction, MeshOutput};
use crate::event::NetEvent;
use crate::invite::{InviteKey, TableId};
use crate::mail::{MailCursor, MailError, MailSealer, PacketId, PostTooLongError, packet_id};
use crate::wire::PeerFrame;
use std::collections::{HashSet, VecDeque};

/// Maximum number of posts that wait for an acknowledgement.
const MAX_POSTS: usize = 4096;
/// Maximum bytes of posts that wait for an acknowledgement.
const MAX_POST_BYTES: usize = 8 << 20;
/// Send window: bytes of posts that may be sent and not acknowledged. One post of any size may always be in flight.
const IN_FLIGHT: usize = 256 << 10;
/// Packets that are remembered as stored. After that many others a message may be posted again, which costs a frame.
const MAX_KNOWN: usize = 1 << 16;
/// Milliseconds without an answer after which a post or a fetch is sent again.
const TIMEOUT: u64 = 5_000;
/// Milliseconds after which a post is sent again that the relay has refused for now.
const RETRY_AFTER: u64 = 30_000;

/// What a post waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PostState {
    /// To be sent.
    Queued,
    /// The acknowledgement. The time runs from the first tick after it was sent.
    Sent(Option<u64>),
    /// A retry. Its delay runs from this time; `None` until the next tick sets it.
    Refused(Option<u64>),
}

struct Post {
    id: PacketId,
    sealed: Vec<u8>,
    state: PostState,
}

/// The fetch of stored mail.
enum Fetch {
    /// None is under way: nothing was asked for, there is no connection, or all mail is here and new mail follows.
    Idle,
    /// Asked for. The time of the last progress runs from the next tick.
    Asked(Option<u64>),
}

/// How the place of a packet relates to the cursor.
#[derive(PartialEq, Eq)]
enum Sequence {
    /// It is the next one.
    Next,
    /// It was here before.
    Old,
    /// Packets before it are missing.
    Gap,
}

/// This peer's view of the mailbox of the table.
pub(super) struct MailState {
    sealer: MailSealer,
    posts: VecDeque<Post>,
    post_bytes: usize,
    /// Packets that the relay has stored, and the same in the order in which they became known.
    known: HashSet<PacketId>,
    known_order: VecDeque<PacketId>,
    /// Everything up to here is delivered; `None` before the first fetch.
    cursor: Option<MailCursor>,
    fetch: Fetch,
    /// Fetches of this connection whose end has not arrived.
    unanswered: u32,
    /// Packets that did not open.
    damaged: u64,
}

impl MailState {
    /// Creates the state of a table's mailbox without posts that has fetched nothing.
    pub(super) fn new(table: &TableId, key: &InviteKey) -> Self {
        Self {
            sealer: MailSealer::new(table, key),
            posts: VecDeque::new(),
            post_bytes: 0,
            known: HashSet::new(),
            known_order: VecDeque::new(),
            cursor: None,
            fetch: Fetch::Idle,
            unanswered: 0,
            damaged: 0,
        }
    }

    /// Returns the bytes of sealed posts that are not acknowledged, including refused ones.
    pub(super) fn waiting_bytes(&self) -> usize {
        self.post_bytes
    }

    /// Returns whether a post is queued, or sent and not acknowledged. Posts that the relay has refused for
    /// now do not count.
    pub(super) fn has_unsent(&self) -> bool {
        self.posts.iter().any(|post| !matches!(post.state, PostState::Refused(_)))
    }

    /// Handles that the connection is new or lost: queues all posts again, also those that wait for a retry,
    /// and forgets the fetches that were not answered. The cursor stays.
    fn reset_connection(&mut self) {
        self.posts.iter_mut().for_each(|post| post.state = PostState::Queued);
        self.fetch = Fetch::Idle;
        self.unanswered = 0;
    }

    /// Notes that the relay has stored a packet. If more than [`MAX_KNOWN`] are noted then, forgets the
    /// oldest.
    fn note_stored(&mut self, id: PacketId) {
        if self.known.insert(id) {
            self.known_order.push_back(id);
        }
        if self.known_order.len() > MAX_KNOWN
            && let Some(oldest) = self.known_order.pop_front()
        {
            self.known.remove(&oldest);
        }
    }

    /// Removes a post from the queue; returns whether it was there.
    fn remove_post(&mut self, id: &PacketId) -> bool {
        let Some(at) = self.posts.iter().position(|post| post.id == *id) else { return false };
        self.post_bytes -= self.posts.remove(at).map_or(0, |post| post.sealed.len());
        true
    }

    /// Compares the place of a packet with the cursor, or with the beginning if there is none. The first
    /// packet of another mailbox is the next one, because the relay starts a mailbox again when the old one
    /// is gone.
    fn sequence_of(&self, at: MailCursor) -> Sequence {
        let cursor = self.cursor.unwrap_or_default();
        if at.mailbox != cursor.mailbox {
            return if at.number == 1 { Sequence::Next } else { Sequence::Gap };
        }
        match at.number.checked_sub(cursor.number) {
            Some(1) => Sequence::Next,
            Some(2..) => Sequence::Gap,
            _ => Sequence::Old,
        }
    }

    /// Moves the cursor to `at`, forward or back. If that is in another mailbox, forgets which packets are
    /// stored.
    fn move_to(&mut self, at: MailCursor) {
        if self.cursor.is_none_or(|cursor| cursor.mailbox != at.mailbox) {
            self.known.clear();
            self.known_order.clear();
        }
        self.cursor = Some(at);
    }
}

impl Mesh {
    /// Posts a message: seals it for all holders of the invitation and sends it to the mailbox of the relay,
    /// now or after the next connection, until the relay has acknowledged it. [`NetEvent::MailStored`]
    /// reports that the last post was acknowledged. A message that waits or, as far as this process knows, is
    /// stored already is ignored without an event. The mailbox keeps posts in the order in which it stores
    /// them, which differs from the order of the calls if it has refused one for now.
    ///
    /// At most 4,096 posts and 8 MB wait; one more is dropped and reported as [`MailError::QueueFull`]. A
    /// mesh that has reported [`NetEvent::IdentityInUse`] drops the message.
    ///
    /// # Errors
    ///
    /// Fails if the message is longer than [`MAX_POST`](crate::MAX_POST). Nothing was queued.
    pub fn post(&mut self, message: &[u8]) -> Result<(), PostTooLongError> {
        let sealed = self.mail.sealer.seal(message)?;
        let id = packet_id(&sealed);
        let mail = &mut self.mail;
        if self.is_duplicate || mail.known.contains(&id) || mail.posts.iter().any(|post| post.id == id) {
            return Ok(());
        }
        if mail.posts.len() >= MAX_POSTS || mail.post_bytes + sealed.len() > MAX_POST_BYTES {
            self.emit(NetEvent::MailRefused(MailError::QueueFull));
            return Ok(());
        }
        mail.post_bytes += sealed.len();
        mail.posts.push_back(Post { id, sealed, state: PostState::Queued });
        self.send_posts();
        Ok(())
    }

    /// Fetches all mail after a cursor, now or after the next connection, and then each packet that others
    /// store: as [`NetEvent::Mail`] in the order of their numbers, with [`NetEvent::MailCaughtUp`] where the
    /// fetch ends. Packets that do not open are skipped ([`Mesh::damaged_mail`]). After a reconnect it
    /// continues after the last packet that arrived. Another call starts again from its cursor. If the relay
    /// has another mailbox than `after` names, everything in it is delivered; if its mailbox ends before
    /// `after` (it was restored from a backup), the cursor goes back. A mesh that has reported
    /// [`NetEvent::IdentityInUse`] fetches nothing.
    pub fn fetch_mail(&mut self, after: MailCursor) {
        self.mail.cursor = Some(after);
        self.send_fetch();
    }

    /// Returns whether a message to a reachable peer, or a post, is not acknowledged yet. Posts that the
    /// relay has refused for now do not count. A mesh that has reported [`NetEvent::IdentityInUse`] has
    /// nothing to send.
    pub fn has_unsent(&self) -> bool {
        let mut reachable = self.peers.iter().filter(|peer| peer.up);
        !self.is_duplicate && (reachable.any(|peer| peer.out.has_unacknowledged()) || self.mail.has_unsent())
    }

    /// Returns the number of packets from the mailbox since this mesh was created that were ignored because
    /// they did not open: altered, or stored by somebody without the invitation.
    pub fn damaged_mail(&self) -> u64 {
        self.mail.damaged
    }

    /// Handles a new connection: sends the fetch, if [`Mesh::fetch_mail`] was called before, and the posts
    /// that fit into the send window.
    pub(super) fn restart_mail(&mut self) {
        self.mail.reset_connection();
        self.send_fetch();
        self.send_posts();
    }

    /// Handles the end of the connection: all posts wait for the next one, also those that waited for a
    /// retry, and no fetch is under way any more. The cursor stays.
    pub(super) fn suspend_mail(&mut self) {
        self.mail.reset_connection();
    }

    /// Sends again the posts that got no answer for [`TIMEOUT`] milliseconds, posts whose retry is due, and a
    /// fetch without progress for that long.
    pub(super) fn tick_mail(&mut self) {
        let now = self.now;
        for post in &mut self.mail.posts {
            let (since, limit) = match &mut post.state {
                PostState::Queued => continue,
                PostState::Sent(since) => (since, TIMEOUT),
                PostState::Refused(since) => (since, RETRY_AFTER),
            };
            if is_over(since, now, limit) {
                post.state = PostState::Queued;
            }
        }
        if let Fetch::Asked(since) = &mut self.mail.fetch
            && is_over(since, now, TIMEOUT)
        {
            self.mail.unanswered = 0;
            self.send_fetch();
        }
        self.send_posts();
    }

    /// Asks the relay for all mail after the cursor. Does nothing without a connection or a cursor, or after
    /// [`NetEvent::IdentityInUse`].
    fn send_fetch(&mut self) {
        let Some(after) = self.mail.cursor.filter(|_| self.connected && !self.is_duplicate) else { return };
        self.mail.fetch = Fetch::Asked(None);
        self.mail.unanswered += 1;
        self.queue_action(MeshAction::SendToRelay(PeerFrame::Fetch(after).to_bytes()));
    }

    /// Sends queued posts in order while the send window has room; a single post may exceed it. Does nothing
    /// without a connection, or after [`NetEvent::IdentityInUse`].
    fn send_posts(&mut self) {
        if !self.connected || self.is_duplicate {
            return;
        }
        let sent = |post: &&Post| matches!(post.state, PostState::Sent(_));
        let mut in_flight: usize = self.mail.posts.iter().filter(sent).map(|post| post.sealed.len()).sum();
        for post in self.mail.posts.iter_mut().filter(|post| post.state == PostState::Queued) {
            if in_flight > 0 && in_flight + post.sealed.len() > IN_FLIGHT {
                break;
            }
            in_flight += post.sealed.len();
            post.state = PostState::Sent(None);
            let frame = PeerFrame::Store(&post.sealed).to_bytes();
            self.outputs.push_back(MeshOutput::Action(MeshAction::SendToRelay(frame)));
        }
    }

    /// Handles packet `sealed` of the mailbox at place `at`: delivers it if it is the next one, and fetches
    /// again if packets before it are missing. Ignores it if it was here before, its place is invalid, or
    /// nothing was fetched. A packet that does not open is counted and skipped.
    pub(super) fn handle_mail(&mut self, at: MailCursor, sealed: &[u8]) {
        if self.mail.cursor.is_none() || !is_place(at) {
            return;
        }
        match self.mail.sequence_of(at) {
            Sequence::Old => {}
            Sequence::Gap => self.handle_gap(),
            Sequence::Next => {
                self.mail.move_to(at);
                if let Fetch::Asked(since) = &mut self.mail.fetch {
                    *since = None;
                }
                match self.mail.sealer.open(sealed) {
                    Some(message) => {
                        self.mail.note_stored(packet_id(sealed));
                        self.emit(NetEvent::Mail { cursor: at, message });
                    }
                    None => self.mail.damaged += 1,
                }
            }
        }
    }

    /// Handles that a number is missing: fetches from the cursor, unless a fetch is under way already.
    fn handle_gap(&mut self) {
        if matches!(self.mail.fetch, Fetch::Idle) {
            self.send_fetch();
        }
    }

    /// Handles that the relay has stored packet `id` at place `at`. Unless a fetch is under way, moves the
    /// cursor past the packet if all mail before it is here, and fetches if not. If a post has this number,
    /// removes it, emits [`NetEvent::MailStored`] if none is left, and sends the next ones. Ignores invalid
    /// places.
    pub(super) fn handle_stored(&mut self, at: MailCursor, id: PacketId) {
        if !is_place(at) {
            return;
        }
        if self.mail.cursor.is_some() && matches!(self.mail.fetch, Fetch::Idle) {
            match self.mail.sequence_of(at) {
                Sequence::Next => self.mail.move_to(at),
                Sequence::Old => {}
                Sequence::Gap => self.handle_gap(),
            }
        }
        if self.mail.remove_post(&id) {
            self.mail.note_stored(id);
            if self.mail.posts.is_empty() {
                self.emit(NetEvent::MailStored);
            }
            self.send_posts();
        }
    }

    /// Handles the end of a fetch; `at` is the place of the last packet. If it is the end of the latest fetch
    /// and all mail is here, emits [`NetEvent::MailCaughtUp`]; if mail is missing, the timeout of the fetch
    /// repeats it. A mailbox that ends before the cursor was restored from a backup: the cursor goes back, so
    /// that what is stored from now on arrives. Ignores an end that no fetch waits for.
    pub(super) fn handle_mail_end(&mut self, at: MailCursor) {
        self.mail.unanswered = self.mail.unanswered.saturating_sub(1);
        let Some(cursor) = self.mail.cursor else { return };
        if self.mail.unanswered > 0 || !matches!(self.mail.fetch, Fetch::Asked(_)) {
            return;
        }
        let is_complete =
            if at.mailbox == cursor.mailbox { at.number <= cursor.number } else { at.number == 0 };
        if !is_complete {
            return;
        }
        if at != cursor {
            // Forget which packets are stored: the relay has lost some of them.
            self.mail.known.clear();
            self.mail.known_order.clear();
            self.mail.move_to(at);
        }
        self.mail.fetch = Fetch::Idle;
        self.emit(NetEvent::MailCaughtUp(at));
    }

    /// Handles that the relay does not store a post, and emits [`NetEvent::MailRefused`]. After `Full` and
    /// `TryLater` the post is kept for a retry, otherwise it is dropped. Then it sends queued posts for which
    /// the send window has room. Ignores unknown posts.
    pub(super) fn handle_mail_refused(&mut self, id: PacketId, why: MailError) {
        let Some(post) = self.mail.posts.iter_mut().find(|post| post.id == id) else { return };
        match why {
            MailError::Full | MailError::TryLater => post.state = PostState::Refused(None),
            MailError::TooLarge | MailError::Off | MailError::QueueFull => {
                self.mail.remove_post(&id);
            }
        }
        self.emit(NetEvent::MailRefused(why));
        self.send_posts();
    }
}

/// Returns whether this can be the place of a packet: neither its mailbox nor its number is 0.
fn is_place(at: MailCursor) -> bool {
    at.mailbox != 0 && at.number != 0
}

/// Sets `since` to `now` if it is `None`. Returns whether at least `limit` milliseconds lie between the two.
fn is_over(since: &mut Option<u64>, now: u64, limit: u64) -> bool {
    now.saturating_sub(*since.get_or_insert(now)) >= limit
}
