//! The relay by a native WebSocket, on a thread of its own.

mod dial;
mod http;

pub use dial::{DialError, Dialer};
/// The types of requests and responses of [`Dialer::fetch`].
pub use tokio_tungstenite::tungstenite::http as http_types;

use crate::event::{Backoff, Event, Status};
use crate::invite::{Invite, RoomPass};
use crate::mesh::{Identity, Mesh, Output, PeerId};
use crate::wire::{Closed, PROTOCOL};
use dial::Connection;
use futures_util::{SinkExt as _, StreamExt as _};
use pentarchy_keys::SigningSecret;
use std::io;
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

/// How long a connection may take to open.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often the mesh hears the time.
const TICK: Duration = Duration::from_millis(100);
/// Nothing heard for so long, not even a ping of the server, means that the connection is dead.
const SILENCE: Duration = Duration::from_secs(50);

/// The relay's WebSocket.
type Socket = WebSocketStream<Box<dyn Connection>>;

enum Command {
    Send(PeerId, Vec<u8>),
    SendBulk(PeerId, Vec<u8>),
    SendAll(Vec<u8>),
    Reserve(Vec<Identity>),
}

/// A connection to a table through the relay of a server. It comes back by itself when it breaks, and ends when this is
/// dropped.
pub struct Native {
    commands: UnboundedSender<Command>,
    events: Receiver<Event>,
}

impl Native {
    /// Connects to a table through `dialer`. `seed` is 32 fresh bytes from the operating system.
    ///
    /// # Errors
    /// The system gives no thread. A server that cannot be reached is no error: it is tried again, and an event says so.
    pub fn connect(
        dialer: &Dialer,
        invite: &Invite,
        identity: &SigningSecret,
        seed: [u8; 32],
    ) -> io::Result<Self> {
        let relay = Relay { url: invite.relay_url(), pass: invite.pass(), dialer: dialer.clone() };
        let mesh = Mesh::new(invite.table(), &invite.key, identity, seed);
        let (commands, told) = unbounded_channel();
        let (tell, events) = mpsc::channel();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let driver = Driver { mesh, told, tell, start: Instant::now() };
        thread::Builder::new().name("net".into()).spawn(move || runtime.block_on(driver.run(&relay)))?;
        Ok(Self { commands, events })
    }

    /// Sends a message to a peer; see [`Mesh::send`].
    pub fn send(&self, peer: PeerId, message: Vec<u8>) {
        self.commands.send(Command::Send(peer, message)).ok();
    }

    /// Sends a message for which everything else does not wait; see [`Mesh::send_bulk`].
    pub fn send_bulk(&self, peer: PeerId, message: Vec<u8>) {
        self.commands.send(Command::SendBulk(peer, message)).ok();
    }

    /// Sends a message to everybody who is there.
    pub fn send_all(&self, message: Vec<u8>) {
        self.commands.send(Command::SendAll(message)).ok();
    }

    /// Keeps places for the players of the game; see [`Mesh::reserve`].
    pub fn reserve(&self, players: Vec<Identity>) {
        self.commands.send(Command::Reserve(players)).ok();
    }

    /// The next event, or nothing if none comes in time.
    pub fn next(&self, wait: Duration) -> Option<Event> {
        self.events.recv_timeout(wait).ok()
    }
}

/// Where the relay is, and how it is reached.
struct Relay {
    url: String,
    /// What opens the room.
    pass: RoomPass,
    dialer: Dialer,
}

impl Relay {
    fn request(&self) -> Result<Request, String> {
        let mut request = self.url.as_str().into_client_request().map_err(|error| error.to_string())?;
        let protocols = format!("{PROTOCOL}, {}", self.pass.to_text());
        let protocols = HeaderValue::from_str(&protocols).map_err(|error| error.to_string())?;
        request.headers_mut().insert(SEC_WEBSOCKET_PROTOCOL, protocols);
        Ok(request)
    }

    async fn open(&self) -> Result<Socket, String> {
        let opening = async {
            let request = self.request()?;
            let stream = self.dialer.dial(request.uri()).await.map_err(|error| error.to_string())?;
            let config =
                WebSocketConfig::default().read_buffer_size(16 * 1024).max_message_size(Some(1 << 20));
            let opened = client_async_with_config(request, stream, Some(config)).await;
            opened.map(|(socket, _)| socket).map_err(|error| match error {
                Error::Http(answer) if answer.status() == StatusCode::FORBIDDEN => {
                    "the server refuses this link for the table".into()
                }
                error => error.to_string(),
            })
        };
        timeout(PATIENCE, opening).await.unwrap_or_else(|_| Err("no answer".into()))
    }
}

/// Why a conversation with the relay ended.
enum Ended {
    /// Whoever used it is gone.
    Done,
    /// The connection is.
    Broken(String),
}

struct Driver {
    mesh: Mesh,
    told: UnboundedReceiver<Command>,
    tell: Sender<Event>,
    start: Instant,
}

impl Driver {
    async fn run(mut self, relay: &Relay) {
        let mut backoff = Backoff::default();
        loop {
            let why = match relay.open().await {
                Ok(mut socket) => {
                    let begun = Instant::now();
                    let ended = self.converse(&mut socket).await;
                    timeout(Duration::from_secs(1), socket.close(None)).await.ok();
                    self.mesh.relay_down();
                    // A connection that breaks at once is no success.
                    if begun.elapsed() > Duration::from_secs(2) {
                        backoff.succeeded();
                    }
                    match ended {
                        Ended::Done => return,
                        Ended::Broken(why) => why,
                    }
                }
                Err(why) => why,
            };
            self.news();
            let after_ms = backoff.failed(self.mesh.jitter());
            if self.tell.send(Event::Server(Status::Retrying { after_ms, why })).is_err() {
                return;
            }
            let mut pause = std::pin::pin!(sleep(Duration::from_millis(after_ms)));
            loop {
                select! {
                    () = &mut pause => break,
                    command = self.told.recv() => match command {
                        Some(command) => self.obey(command),
                        None => return,
                    },
                }
            }
        }
    }

    async fn converse(&mut self, socket: &mut Socket) -> Ended {
        if self.tell.send(Event::Server(Status::Connected)).is_err() {
            return Ended::Done;
        }
        let mut tick = interval(TICK);
        let mut heard = Instant::now();
        loop {
            select! {
                message = socket.next() => {
                    heard = Instant::now();
                    match message {
                        Some(Ok(Message::Binary(frame))) => self.mesh.relay_frame(&frame),
                        Some(Ok(Message::Close(frame))) => {
                            let code = frame.map_or(0, |frame| frame.code.into());
                            let why = Closed::of_code(code).map_or("closed by the server", Closed::reason);
                            return Ended::Broken(why.into());
                        }
                        Some(Ok(_)) => {}
                        Some(Err(error)) => return Ended::Broken(error.to_string()),
                        None => return Ended::Broken("closed by the server".into()),
                    }
                }
                command = self.told.recv() => match command {
                    Some(command) => self.obey(command),
                    None => return Ended::Done,
                },
                _ = tick.tick() => {
                    self.mesh.tick(self.start.elapsed().as_millis() as u64);
                    if heard.elapsed() > SILENCE {
                        return Ended::Broken("the server is silent".into());
                    }
                }
            }
            let frames = self.news();
            if frames.is_empty() {
                continue;
            }
            let all = async {
                for frame in frames {
                    socket.feed(Message::Binary(frame.into())).await?;
                }
                socket.flush().await
            };
            match timeout(PATIENCE, all).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => return Ended::Broken(error.to_string()),
                Err(_) => return Ended::Broken("the server takes nothing".into()),
            }
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Send(peer, message) => self.mesh.send(peer, &message),
            Command::SendBulk(peer, message) => self.mesh.send_bulk(peer, &message),
            Command::Reserve(players) => self.mesh.reserve(players),
            Command::SendAll(message) => {
                let present: Vec<PeerId> = self.mesh.present().collect();
                for peer in present {
                    self.mesh.send(peer, &message);
                }
            }
        }
    }

    /// Passes on what has happened; gives the frames for the relay.
    fn news(&mut self) -> Vec<Vec<u8>> {
        let mut frames = Vec::new();
        while let Some(output) = self.mesh.poll() {
            let event = match output {
                Output::Relay(frame) => {
                    frames.push(frame);
                    continue;
                }
                Output::Up { peer, identity, fresh } => Event::Up { peer, identity, fresh },
                Output::Down(peer) => Event::Down(peer),
                Output::Message(peer, message) => Event::Message(peer, message),
                Output::Path(peer, path) => Event::Path(peer, path),
                Output::Twin => Event::Twin,
                // Native programs make no direct connections: they do not answer an offer of one.
                Output::Direct(..) | Output::Signal(..) => continue,
            };
            // If nobody listens any more, the next command is the end.
            self.tell.send(event).ok();
        }
        frames
    }
}
