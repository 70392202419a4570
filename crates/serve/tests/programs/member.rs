//! Light members of tables: they exchange numbered messages and store mail, and connect again like real ones.

use futures_util::{SinkExt as _, StreamExt as _};
use pentarchy_net::wire::{Destination, PROTOCOL, PeerFrame, RelayFrame};
use pentarchy_net::{
    Backoff, HostTag, Invite, InviteKey, MailCursor, OwnerProof, OwnerSecret, TableId, packet_id,
};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};
use tokio::net::{TcpSocket, TcpStream};
use tokio::select;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{interval, sleep, timeout};
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

/// How often a table exchanges a message.
const ASK: Duration = Duration::from_millis(1_000);
/// The pause between the acknowledgement of a packet and the next one of a member.
const POST: Duration = Duration::from_millis(3_000);

/// What the test tells all members.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Orders {
    /// Whether they store mail.
    pub(crate) posts: bool,
    /// The first member of each table connects again when this changes.
    pub(crate) visit: u32,
    /// Whether they fetch the rest of their mail and end.
    pub(crate) ends: bool,
}

/// The mail of one member.
#[derive(Debug, Default)]
pub(crate) struct MemberMail {
    /// The packets that the relay has acknowledged, with their numbers.
    pub(crate) acknowledged: Vec<(Vec<u8>, u32)>,
    /// The place up to which the member has got mail, without a gap.
    pub(crate) cursor: MailCursor,
}

/// What one table has done so far.
#[derive(Debug)]
pub(crate) struct TableProgress {
    number: u16,
    /// When the last question was asked that was answered, in milliseconds of [`now_ms`].
    pub(crate) last_asked: AtomicU64,
    /// How often its members have connected.
    pub(crate) connections: AtomicU32,
    /// Packets that are not acknowledged yet.
    pub(crate) waiting: AtomicU32,
    pub(crate) mail: Mutex<[MemberMail; 2]>,
}

/// Returns the milliseconds since the first call.
pub(crate) fn now_ms() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_millis() as u64
}

impl TableProgress {
    /// Creates table `number` before its members have connected.
    pub(crate) fn new(number: u16) -> Self {
        Self {
            number,
            last_asked: AtomicU64::new(0),
            connections: AtomicU32::new(0),
            waiting: AtomicU32::new(0),
            mail: Mutex::default(),
        }
    }

    /// Returns the secret of the owner of the table.
    fn secret(&self) -> OwnerSecret {
        let mut secret = [0; 32];
        secret[..2].copy_from_slice(&self.number.to_le_bytes());
        OwnerSecret::new(secret)
    }

    /// Returns the invitation to the table, without a server.
    pub(crate) fn invite(&self) -> Invite {
        let (key, host) = (InviteKey([1; 16]), HostTag::of(&[1; 32]));
        Invite { server: String::new(), key, host, owner: self.secret().tag() }
    }

    /// Returns the proof of the owner of the table.
    pub(crate) fn proof(&self) -> OwnerProof {
        self.secret().proof(&InviteKey([1; 16]))
    }

    /// Returns the name of the table.
    pub(crate) fn table(&self) -> TableId {
        self.invite().table()
    }

    /// Returns the address of this machine from which its members connect. Limits count by it, so each table has its own.
    fn source(&self) -> Ipv4Addr {
        let [low, high] = self.number.to_le_bytes();
        Ipv4Addr::new(127, 1, high, low)
    }
}

/// Starts the two members of a table, which connect to `proxy`, and returns their tasks. They end when `orders` says so.
pub(crate) fn play_table(
    table: Arc<TableProgress>,
    proxy: SocketAddr,
    orders: &watch::Receiver<Orders>,
) -> [JoinHandle<()>; 2] {
    [0, 1].map(|seat| {
        let member =
            Member { table: Arc::clone(&table), seat, proxy, orders: orders.clone(), post: None, posted: 0 };
        tokio::spawn(member.run())
    })
}

/// A packet on its way to the mailbox.
struct Post {
    sealed: Vec<u8>,
    /// When it may be sent; it is sent again after each reconnect.
    from: Instant,
    is_sent: bool,
}

struct Member {
    table: Arc<TableProgress>,
    /// The first one asks, the second one answers.
    seat: usize,
    proxy: SocketAddr,
    orders: watch::Receiver<Orders>,
    post: Option<Post>,
    posted: u32,
}

impl Member {
    /// Connects until the orders end it. Waits between attempts as real clients do.
    async fn run(mut self) {
        let mut backoff = Backoff::default();
        loop {
            let opened = Instant::now();
            if let Ok(Ok(socket)) = timeout(Duration::from_secs(30), self.connect()).await {
                self.table.connections.fetch_add(1, Relaxed);
                if self.exchange(socket).await.is_ok_and(|ends| ends) {
                    return;
                }
                backoff.end_connection(opened.elapsed().as_millis() as u64);
            }
            let jitter = u32::from(self.table.number) * 7_919 + self.seat as u32 * 104_729;
            sleep(Duration::from_millis(backoff.next_delay_ms(jitter))).await;
        }
    }

    /// Connects to the room of the table.
    ///
    /// # Errors
    ///
    /// Fails if the proxy or the relay does not accept it.
    async fn connect(&self) -> Result<WebSocketStream<TcpStream>, Error> {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::new(self.table.source().into(), 0))?;
        let stream = socket.connect(self.proxy).await?;
        stream.set_nodelay(true)?;
        let (pass, table) = (self.table.invite().pass(), self.table.table());
        let mut request = format!("ws://{}/relay/{table}", self.proxy).into_client_request()?;
        let offer = format!("{PROTOCOL}, {}", pass.to_text()).parse().unwrap();
        request.headers_mut().insert("sec-websocket-protocol", offer);
        Ok(client_async(request, stream).await?.0)
    }

    /// Plays on a connection. Resolves to whether the orders end the member; `false` if it has to connect again.
    ///
    /// # Errors
    ///
    /// Fails if the connection does.
    async fn exchange(&mut self, mut socket: WebSocketStream<TcpStream>) -> Result<bool, Error> {
        if let Some(post) = &mut self.post {
            post.is_sent = false;
        }
        let visit = self.orders.borrow().visit;
        let mut is_fetching = true;
        socket.send(frame(&PeerFrame::Fetch(self.cursor()))).await?;
        let mut tick = interval(ASK);
        loop {
            select! {
                message = socket.next() => {
                    let Some(message) = message else { return Ok(false) };
                    let Message::Binary(bytes) = message? else { continue };
                    match RelayFrame::parse(&bytes) {
                        Some(RelayFrame::Message { payload, .. }) => self.hear(&mut socket, payload).await?,
                        Some(RelayFrame::Mail { at, .. }) => {
                            let cursor = self.cursor();
                            let is_next = cursor.mailbox != at.mailbox && at.number == 1
                                || cursor.mailbox == at.mailbox && at.number == cursor.number + 1;
                            // As in real clients: a gap is fetched, and what was on its way meanwhile is ignored.
                            if is_next {
                                self.set_cursor(at);
                            } else if !is_fetching && at.number > cursor.number {
                                is_fetching = true;
                                socket.send(frame(&PeerFrame::Fetch(cursor))).await?;
                            }
                        }
                        Some(RelayFrame::MailEnd(end)) => {
                            assert_eq!(self.cursor().number, end.number, "the end of the mailbox");
                            is_fetching = false;
                        }
                        Some(RelayFrame::Stored { at, id }) => {
                            let cursor = self.cursor();
                            if !is_fetching && at.number > cursor.number {
                                if at.number == cursor.number + 1 {
                                    self.set_cursor(at);
                                } else {
                                    is_fetching = true;
                                    socket.send(frame(&PeerFrame::Fetch(cursor))).await?;
                                }
                            }
                            self.acknowledge(at, id);
                        }
                        Some(RelayFrame::MailRefused { .. }) => {
                            // A real client waits for 30 seconds.
                            if let Some(post) = &mut self.post {
                                (post.from, post.is_sent) = (Instant::now() + POST, false);
                            }
                        }
                        _ => {}
                    }
                }
                _ = tick.tick() => {
                    let orders = *self.orders.borrow();
                    if self.seat == 0 {
                        let ask = [&b"ask "[..], &now_ms().to_le_bytes()[..]].concat();
                        socket.send(frame(&PeerFrame::Message { to: Destination::Others, payload: &ask })).await?;
                    }
                    if orders.posts && self.post.is_none() {
                        self.write_post();
                    }
                    if let Some(post) = self.post.as_mut().filter(|post| !post.is_sent && post.from <= Instant::now()) {
                        post.is_sent = true;
                        let sealed = post.sealed.clone();
                        socket.send(frame(&PeerFrame::Store(&sealed))).await?;
                    }
                    if orders.ends && !is_fetching {
                        return Ok(true);
                    }
                    if orders.visit != visit && (self.seat == 0 || !orders.posts) {
                        return Ok(false);
                    }
                }
            }
        }
    }

    /// Handles a message: answers a question, or notes when the question of an answer was asked.
    ///
    /// # Errors
    ///
    /// Fails if the connection does.
    async fn hear(&mut self, socket: &mut WebSocketStream<TcpStream>, payload: &[u8]) -> Result<(), Error> {
        if let Some(question) = payload.strip_prefix(b"ask ") {
            let answer = [&b"yes "[..], question].concat();
            let message = PeerFrame::Message { to: Destination::Others, payload: &answer };
            socket.send(frame(&message)).await?;
        } else if let Some(Ok(asked)) = payload.strip_prefix(b"yes ").map(<[u8; 8]>::try_from) {
            self.table.last_asked.fetch_max(u64::from_le_bytes(asked), Relaxed);
        }
        Ok(())
    }

    /// Writes the next packet, to be sent after a pause.
    fn write_post(&mut self) {
        self.posted += 1;
        self.table.waiting.fetch_add(1, Relaxed);
        let sealed = format!("packet {} of member {} at table {}", self.posted, self.seat, self.table.number);
        // The first packets of all members are spread over the pause.
        let from = Instant::now() + POST * (u32::from(self.table.number) % 8 + 1) / 8;
        self.post = Some(Post { sealed: sealed.into_bytes(), from, is_sent: false });
    }

    /// Notes that the packet on its way is stored at a place. Ignores the acknowledgement of another one.
    fn acknowledge(&mut self, at: MailCursor, id: [u8; 16]) {
        if let Some(post) = self.post.take_if(|post| packet_id(&post.sealed) == id) {
            self.table.mail.lock().unwrap()[self.seat].acknowledged.push((post.sealed, at.number));
            self.table.waiting.fetch_sub(1, Relaxed);
        }
    }

    /// Returns the place up to which the member has got mail.
    fn cursor(&self) -> MailCursor {
        self.table.mail.lock().unwrap()[self.seat].cursor
    }

    /// Notes that the member has got mail up to a place.
    fn set_cursor(&self, at: MailCursor) {
        self.table.mail.lock().unwrap()[self.seat].cursor = at;
    }
}

/// Returns the message with a frame.
fn frame(frame: &PeerFrame<'_>) -> Message {
    Message::Binary(frame.to_bytes().into())
}
