//! A native transport: the relay over a WebSocket, on a thread of its own.

mod dial;
mod http;
mod public;

pub use dial::{DialError, Dialer};
/// The types of requests and responses of [`Dialer::fetch`] and [`Dialer::exchange`].
pub use tokio_tungstenite::tungstenite::http as http_types;

use crate::event::{Backoff, NetEvent, ServerStatus};
use crate::invite::{Invite, RoomPass};
use crate::mail::{MailCursor, PostTooLongError, check_post};
use crate::mesh::{Mesh, MeshAction, MeshOutput, PeerId, PublicIdentity};
use crate::wire::{CloseReason, PROTOCOL};
use dial::Connection;
use futures_util::{SinkExt as _, StreamExt as _};
use pentarchy_keys::SigningSecret;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};
use tokio::select;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{interval, sleep, timeout};
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::handshake::client::Request;
use tokio_tungstenite::tungstenite::http::header::SEC_WEBSOCKET_PROTOCOL;
use tokio_tungstenite::tungstenite::http::{HeaderValue, StatusCode};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

/// Timeout for opening a connection, and for one write.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The interval of [`Mesh::tick`].
const TICK: Duration = Duration::from_millis(100);
/// A connection without any frame for this long, not even a ping of the server, is dead.
const MAX_SILENCE: Duration = Duration::from_secs(50);

/// The relay's WebSocket.
type Socket = WebSocketStream<Box<dyn Connection>>;

enum Command {
    Send(PeerId, Vec<u8>),
    SendBulk(PeerId, Vec<u8>),
    SendAll(Vec<u8>),
    Post(Vec<u8>),
    FetchMail(MailCursor),
    Reserve(Vec<PublicIdentity>),
}

/// What the owner of a transport can ask without waiting for its thread.
#[derive(Default)]
struct Progress {
    /// Commands that the thread has not carried out yet.
    commands: AtomicUsize,
    /// The last result of [`Mesh::has_unsent`].
    has_unsent: AtomicBool,
}

/// A connection to a table through the relay of a server. It reconnects automatically, and closes when it is dropped.
pub struct NativeTransport {
    commands: UnboundedSender<Command>,
    events: Receiver<NetEvent>,
    progress: Arc<Progress>,
}

impl NativeTransport {
    /// Connects to a table through `dialer`, on a thread of its own that ends when the result is dropped.
    /// Other peers see this one under the public key of `identity`. `seed` must be 32 fresh bytes from the
    /// operating system. A server that cannot be reached is no error: [`NetEvent::Server`] reports every
    /// failed attempt.
    ///
    /// # Errors
    ///
    /// Fails if the operating system cannot create the runtime or the thread.
    pub fn connect(
        dialer: &Dialer,
        invite: &Invite,
        identity: &SigningSecret,
        seed: [u8; 32],
    ) -> io::Result<Self> {
        let relay = Relay { url: invite.relay_url(), pass: invite.pass(), dialer: dialer.clone() };
        let mesh = Mesh::new(invite.table(), &invite.key, identity, seed);
        let (commands, receiver) = unbounded_channel();
        let (sender, events) = mpsc::channel();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let progress = Arc::new(Progress::default());
        let driver = Driver {
            mesh,
            commands: receiver,
            events: sender,
            progress: Arc::clone(&progress),
            start: Instant::now(),
        };
        thread::Builder::new().name("net".into()).spawn(move || runtime.block_on(driver.run(&relay)))?;
        Ok(Self { commands, events, progress })
    }

    /// Passes a command to the transport's thread and counts it as waiting until the thread has carried it
    /// out. Does nothing if the thread has ended.
    fn send_command(&self, command: Command) {
        self.progress.commands.fetch_add(1, Ordering::SeqCst);
        if self.commands.send(command).is_err() {
            self.progress.commands.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// Sends a message to a peer in the background, or queues it while the peer is not reachable. If the
    /// queue of 8 MB to the peer overflows, the whole queue and this message are dropped, and the peer gets a
    /// `fresh` [`NetEvent::PeerUp`]. Silently drops messages over [`MAX_MESSAGE`](crate::MAX_MESSAGE) bytes,
    /// those to a peer that is unknown or has not been up yet, and all after [`NetEvent::IdentityInUse`] or
    /// the end of the transport's thread.
    pub fn send(&self, peer: PeerId, message: Vec<u8>) {
        self.send_command(Command::Send(peer, message));
    }

    /// Sends a message to a peer in the background with lower priority than all others: it waits until
    /// nothing else does. While the peer is not reachable it is queued. If the queue of 8 MB to the peer
    /// overflows, the whole queue and this message are dropped, and the peer gets a `fresh`
    /// [`NetEvent::PeerUp`]. Silently drops messages over [`MAX_MESSAGE`](crate::MAX_MESSAGE) bytes, those to
    /// a peer that is unknown or has not been up yet, and all after [`NetEvent::IdentityInUse`] or the end of
    /// the transport's thread.
    pub fn send_bulk(&self, peer: PeerId, message: Vec<u8>) {
        self.send_command(Command::SendBulk(peer, message));
    }

    /// Sends a message to all peers that are reachable when the transport's thread handles it; others never
    /// get it. Silently drops messages over [`MAX_MESSAGE`](crate::MAX_MESSAGE) bytes, and all messages after
    /// [`NetEvent::IdentityInUse`] or the end of the transport's thread.
    pub fn send_all(&self, message: Vec<u8>) {
        self.send_command(Command::SendAll(message));
    }

    /// Reserves places for the players of the match, in place of those of earlier calls. A mesh keeps at most
    /// 256 peers and evicts some for new ones: the peers of these identities are never evicted, and for one
    /// of them even a reachable other peer may be. Connects to nobody.
    pub fn reserve(&self, players: Vec<PublicIdentity>) {
        self.send_command(Command::Reserve(players));
    }

    /// Posts a message to the mailbox of the table in the background: seals it for all holders of the
    /// invitation and sends it to the relay, now or after the next connection, until the relay has
    /// acknowledged it. [`NetEvent::MailStored`] reports that no post waits any more. At most 4,096 posts and
    /// 8 MB wait; one more is dropped and reported as [`NetEvent::MailRefused`]. Ignores a message that waits
    /// or is stored already, and all messages after [`NetEvent::IdentityInUse`].
    ///
    /// # Errors
    ///
    /// Fails if the message is longer than [`MAX_POST`](crate::MAX_POST). Nothing was queued.
    pub fn post(&self, message: Vec<u8>) -> Result<(), PostTooLongError> {
        check_post(&message)?;
        self.send_command(Command::Post(message));
        Ok(())
    }

    /// Fetches the mail after a cursor in the background, now or after the next connection, and then each
    /// packet that others store: as [`NetEvent::Mail`] in the order of their numbers, with
    /// [`NetEvent::MailCaughtUp`] where the fetch ends. Packets that do not open are skipped. After a
    /// reconnect it continues after the last packet that arrived. Another call starts again from its cursor.
    /// Does nothing after [`NetEvent::IdentityInUse`].
    pub fn fetch_mail(&self, after: MailCursor) {
        self.send_command(Command::FetchMail(after));
    }

    /// Returns whether a command waits for the transport's thread, or a message to a reachable peer or a post
    /// is not acknowledged yet. Posts that the relay has refused for now do not count. Wait until it returns
    /// `false`, within a time limit, before you drop the transport.
    pub fn has_unsent(&self) -> bool {
        self.progress.commands.load(Ordering::SeqCst) > 0 || self.progress.has_unsent.load(Ordering::SeqCst)
    }

    /// Returns the next event, for which it blocks up to `wait`; `None` if none arrives in that time, or at
    /// once if no event is left and the transport's thread has ended.
    pub fn next_event(&self, wait: Duration) -> Option<NetEvent> {
        self.events.recv_timeout(wait).ok()
    }
}

/// The address of a relay room, and how it is reached.
struct Relay {
    url: String,
    /// The credential for the room.
    pass: RoomPass,
    dialer: Dialer,
}

impl Relay {
    /// Builds the upgrade request of the WebSocket, with the room pass as a second subprotocol.
    ///
    /// # Errors
    ///
    /// Fails with a text for people if the address is malformed.
    fn request(&self) -> Result<Request, String> {
        let mut request = self.url.as_str().into_client_request().map_err(|error| error.to_string())?;
        let protocols = format!("{PROTOCOL}, {}", self.pass.to_text());
        let protocols = HeaderValue::from_str(&protocols).map_err(|error| error.to_string())?;
        request.headers_mut().insert(SEC_WEBSOCKET_PROTOCOL, protocols);
        Ok(request)
    }

    /// Opens a WebSocket to the room, within [`TIMEOUT`].
    ///
    /// # Errors
    ///
    /// Fails with the reason as a text for people: malformed address, no connection, rejected pass, or
    /// timeout.
    async fn connect(&self) -> Result<Socket, String> {
        let opening = async {
            let request = self.request()?;
            let stream = self.dialer.dial(request.uri()).await.map_err(|error| error.to_string())?;
            let config =
                WebSocketConfig::default().read_buffer_size(16 * 1024).max_message_size(Some(1 << 20));
            let opened = client_async_with_config(request, stream, Some(config)).await;
            opened.map(|(socket, _)| socket).map_err(|error| match error {
                Error::Http(answer) if answer.status() == StatusCode::FORBIDDEN => {
                    "the server rejects this link for the table".into()
                }
                error => error.to_string(),
            })
        };
        timeout(TIMEOUT, opening).await.unwrap_or_else(|_| Err("timeout".into()))
    }
}

/// Why a connection to the relay ended.
enum Ended {
    /// The [`NativeTransport`] was dropped.
    Dropped,
    /// The connection failed, for this reason.
    Failed(String),
}

struct Driver {
    mesh: Mesh,
    commands: UnboundedReceiver<Command>,
    events: Sender<NetEvent>,
    progress: Arc<Progress>,
    start: Instant,
}

impl Driver {
    /// Connects to the relay, and again with a backoff after each end, until the transport is dropped. Each
    /// end is reported as [`ServerStatus::Retrying`] with its reason. Commands are carried out during the
    /// pauses, too, but not while it connects. A connection that lasted two seconds resets the backoff.
    async fn run(mut self, relay: &Relay) {
        let mut backoff = Backoff::default();
        loop {
            let why = match relay.connect().await {
                Ok(mut socket) => {
                    let opened = Instant::now();
                    let ended = self.drive(&mut socket).await;
                    timeout(Duration::from_secs(1), socket.close(None)).await.ok();
                    self.mesh.handle_relay_down();
                    backoff.end_connection(opened.elapsed().as_millis() as u64);
                    match ended {
                        Ended::Dropped => return,
                        Ended::Failed(why) => why,
                    }
                }
                Err(why) => why,
            };
            self.dispatch_outputs();
            let after_ms = backoff.next_delay_ms(self.mesh.draw_jitter());
            if self.events.send(NetEvent::Server(ServerStatus::Retrying { after_ms, why })).is_err() {
                return;
            }
            let mut pause = std::pin::pin!(sleep(Duration::from_millis(after_ms)));
            loop {
                select! {
                    () = &mut pause => break,
                    command = self.commands.recv() => match command {
                        Some(command) => self.execute(command),
                        None => return,
                    },
                }
            }
        }
    }

    /// Serves one connection until it ends: reports [`ServerStatus::Connected`], passes frames, commands and
    /// ticks to the mesh, events to the user, and frames of the mesh to the socket. Returns why it ended; the
    /// socket is not closed. A connection is given up after [`MAX_SILENCE`] without a frame, or if a write
    /// takes longer than [`TIMEOUT`].
    async fn drive(&mut self, socket: &mut Socket) -> Ended {
        if self.events.send(NetEvent::Server(ServerStatus::Connected)).is_err() {
            return Ended::Dropped;
        }
        let mut tick = interval(TICK);
        let mut last_frame = Instant::now();
        loop {
            select! {
                message = socket.next() => {
                    last_frame = Instant::now();
                    match message {
                        Some(Ok(Message::Binary(frame))) => self.mesh.handle_relay_frame(&frame),
                        Some(Ok(Message::Close(frame))) => {
                            let code = frame.map_or(0, |frame| frame.code.into());
                            let why = CloseReason::from_code(code).map_or("closed by the server", CloseReason::text);
                            return Ended::Failed(why.into());
                        }
                        Some(Ok(_)) => {}
                        Some(Err(error)) => return Ended::Failed(error.to_string()),
                        None => return Ended::Failed("closed by the server".into()),
                    }
                }
                command = self.commands.recv() => match command {
                    Some(command) => self.execute(command),
                    None => return Ended::Dropped,
                },
                _ = tick.tick() => {
                    self.mesh.tick(self.start.elapsed().as_millis() as u64);
                    if last_frame.elapsed() > MAX_SILENCE {
                        return Ended::Failed("no frame from the server for too long".into());
                    }
                }
            }
            let frames = self.dispatch_outputs();
            if frames.is_empty() {
                continue;
            }
            let all = async {
                for frame in frames {
                    socket.feed(Message::Binary(frame.into())).await?;
                }
                socket.flush().await
            };
            match timeout(TIMEOUT, all).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => return Ended::Failed(error.to_string()),
                Err(_) => return Ended::Failed("timeout while sending to the server".into()),
            }
        }
    }

    /// Carries out a command of the owner of the transport on the mesh and counts it as done. The frames that
    /// result stay in the queue of the mesh until the next [`Driver::dispatch_outputs`].
    fn execute(&mut self, command: Command) {
        match command {
            Command::Send(peer, message) => self.mesh.send(peer, &message),
            Command::SendBulk(peer, message) => self.mesh.send_bulk(peer, &message),
            Command::Reserve(players) => self.mesh.reserve(players),
            // The length was checked.
            Command::Post(message) => drop(self.mesh.post(&message)),
            Command::FetchMail(after) => self.mesh.fetch_mail(after),
            Command::SendAll(message) => {
                let peers: Vec<PeerId> = self.mesh.reachable_peers().collect();
                for peer in peers {
                    self.mesh.send(peer, &message);
                }
            }
        }
        self.publish_progress();
        self.progress.commands.fetch_sub(1, Ordering::SeqCst);
    }

    /// Stores whether the mesh has something to send, for [`NativeTransport::has_unsent`].
    fn publish_progress(&self) {
        self.progress.has_unsent.store(self.mesh.has_unsent(), Ordering::SeqCst);
    }

    /// Empties the queue of the mesh: passes its events on to the user, drops packets and signals for direct
    /// connections, and returns the frames for the relay in order. The caller must send them or lose them.
    /// Also stores whether the mesh has something to send, for [`NativeTransport::has_unsent`].
    fn dispatch_outputs(&mut self) -> Vec<Vec<u8>> {
        let mut frames = Vec::new();
        while let Some(output) = self.mesh.poll() {
            match output {
                MeshOutput::Action(MeshAction::SendToRelay(frame)) => frames.push(frame),
                // Native programs have no direct connections and do not answer offers of one.
                MeshOutput::Action(MeshAction::SendDirect(..) | MeshAction::HandleSignal(..)) => {}
                // Fails if the transport was dropped; then the channel of commands is closed, too.
                MeshOutput::Event(event) => drop(self.events.send(event)),
            }
        }
        self.publish_progress();
        frames
    }
}
