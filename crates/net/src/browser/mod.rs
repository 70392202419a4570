//! A transport in a browser: the relay over a WebSocket, and WebRTC where a direct connection is possible.

mod direct;

use crate::event::{Backoff, NetEvent, ServerStatus};
use crate::invite::{Invite, RoomPass};
use crate::mail::{MailCursor, PostTooLongError};
use crate::mesh::{Mesh, MeshAction, MeshOutput, PeerId, PublicIdentity};
use crate::reconnect::{BrowserTime, ReconnectTimer};
use crate::stun::StunServer;
use crate::wire::{CloseReason, PROTOCOL};
use direct::{DirectConnection, Signal};
use pentarchy_keys::SigningSecret;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;
use web_sys::{BinaryType, CloseEvent, MessageEvent, WebSocket};

/// The interval of [`Mesh::tick`] in milliseconds.
const TICK: i32 = 100;
/// Timeout for opening a connection, in milliseconds.
const TIMEOUT: u64 = 10_000;
/// Bytes in the browser's send buffer above which bulk messages wait.
const MAX_BUFFERED: u32 = 64 << 10;

/// A connection to a table from a browser. It reconnects automatically, and closes when it is dropped.
pub struct BrowserTransport {
    inner: Rc<RefCell<Inner>>,
    timer: i32,
    _tick: Closure<dyn FnMut()>,
}

struct Inner {
    me: Weak<RefCell<Inner>>,
    mesh: Mesh,
    own_identity: PublicIdentity,
    url: String,
    /// The credential for the room.
    pass: RoomPass,
    stun: Vec<StunServer>,
    socket: Option<Socket>,
    backoff: Backoff,
    /// When the next attempt to connect is due.
    timer: ReconnectTimer,
    direct: BTreeMap<PeerId, DirectConnection>,
    on_event: Rc<RefCell<dyn FnMut(NetEvent)>>,
    /// Events that were not passed to `on_event` yet.
    events: Vec<NetEvent>,
    /// Whether a caller further up the stack is passing events on.
    is_dispatching: bool,
}

/// A WebSocket with its callbacks.
struct Socket {
    socket: WebSocket,
    /// When it was created, or opened if it is open, on the monotonic clock.
    since: u64,
    open: bool,
    _message: Closure<dyn FnMut(MessageEvent)>,
    _open: Closure<dyn FnMut()>,
    _close: Closure<dyn FnMut(CloseEvent)>,
}

impl Drop for Socket {
    /// Removes the handlers and closes the WebSocket, so that no `Retrying` is reported for it.
    fn drop(&mut self) {
        self.socket.set_onmessage(None);
        self.socket.set_onopen(None);
        self.socket.set_onclose(None);
        self.socket.close().ok();
    }
}

impl BrowserTransport {
    /// Connects to a table in the background. Other peers see this one under the public key of `identity`.
    /// `on_event` is called for every event, from callbacks of the browser and possibly during this call and
    /// calls of the object's methods. `seed` must be 32 fresh random bytes. Without a STUN server, direct
    /// connections work only within one network. A server that cannot be reached is no error:
    /// [`NetEvent::Server`] reports every failed attempt.
    ///
    /// # Errors
    ///
    /// Fails if there is no window, or it does not give a timer.
    pub fn connect(
        invite: &Invite,
        identity: &SigningSecret,
        seed: [u8; 32],
        stun: &[StunServer],
        on_event: impl FnMut(NetEvent) + 'static,
    ) -> Result<Self, JsValue> {
        let own_identity = *identity.public().bytes();
        let inner = Rc::new_cyclic(|me| {
            RefCell::new(Inner {
                me: me.clone(),
                mesh: Mesh::new(invite.table(), &invite.key, identity, seed),
                own_identity,
                url: invite.relay_url(),
                pass: invite.pass(),
                stun: stun.to_vec(),
                socket: None,
                backoff: Backoff::default(),
                timer: ReconnectTimer::new(now()),
                direct: BTreeMap::new(),
                on_event: Rc::new(RefCell::new(on_event)),
                events: Vec::new(),
                is_dispatching: false,
            })
        });
        let ticking = Rc::downgrade(&inner);
        let tick = Closure::<dyn FnMut()>::new(move || with(&ticking, Inner::tick));
        let window = web_sys::window().ok_or("there is no window")?;
        let timer = window
            .set_interval_with_callback_and_timeout_and_arguments_0(tick.as_ref().unchecked_ref(), TICK)?;
        with(&Rc::downgrade(&inner), Inner::tick);
        Ok(Self { inner, timer, _tick: tick })
    }

    /// Skips the delay before the next attempt to connect and makes the attempt now, for example because the
    /// page became visible. While a connection is open or being opened, it makes no other one.
    pub fn retry_now(&self) {
        with(&Rc::downgrade(&self.inner), |inner| {
            inner.timer.skip_delay();
            inner.tick();
        });
    }

    /// Closes the connection to the server, if there is one, reports that as `Retrying`, and opens a new one
    /// at once. Call it when the network has come back: the old connection may be dead without an error.
    /// Streams to peers continue.
    pub fn reconnect(&self) {
        with(&Rc::downgrade(&self.inner), Inner::reconnect);
    }

    /// Reserves places for the players of the match, in place of those of earlier calls. A mesh keeps at most
    /// 256 peers and evicts some for new ones: the peers of these identities are never evicted, and for one
    /// of them even a reachable other peer may be. Connects to nobody.
    pub fn reserve(&self, players: impl IntoIterator<Item = PublicIdentity>) {
        with(&Rc::downgrade(&self.inner), |inner| inner.mesh.reserve(players));
    }

    /// Sends a message to a peer, or queues it while the peer is not reachable. If the queue of 8 MB to the
    /// peer overflows, the whole queue and this message are dropped, and the peer gets a `fresh`
    /// [`NetEvent::PeerUp`]. Silently drops messages over [`MAX_MESSAGE`](crate::MAX_MESSAGE) bytes, those to
    /// a peer that is unknown or has not been up yet, and all after [`NetEvent::IdentityInUse`].
    pub fn send(&self, peer: PeerId, message: &[u8]) {
        with(&Rc::downgrade(&self.inner), |inner| inner.mesh.send(peer, message));
    }

    /// Sends a message to a peer with lower priority than all others: it waits until nothing else does and
    /// the browser's send buffer has room. While the peer is not reachable it is queued. If the queue of 8 MB
    /// to the peer overflows, the whole queue and this message are dropped, and the peer gets a `fresh`
    /// [`NetEvent::PeerUp`]. Silently drops messages over [`MAX_MESSAGE`](crate::MAX_MESSAGE) bytes, those to
    /// a peer that is unknown or has not been up yet, and all after [`NetEvent::IdentityInUse`].
    pub fn send_bulk(&self, peer: PeerId, message: &[u8]) {
        with(&Rc::downgrade(&self.inner), |inner| {
            inner.update_busy();
            inner.mesh.send_bulk(peer, message);
        });
    }

    /// Posts a message to the mailbox of the table: seals it for all holders of the invitation and sends it
    /// to the relay, now or after the next connection, until the relay has acknowledged it.
    /// [`NetEvent::MailStored`] reports that no post waits any more. At most 4,096 posts and 8 MB wait; one
    /// more is dropped and reported as [`NetEvent::MailRefused`]. Ignores a message that waits or is stored
    /// already, and all messages after [`NetEvent::IdentityInUse`].
    ///
    /// # Errors
    ///
    /// Fails if the message is longer than [`MAX_POST`](crate::MAX_POST). Nothing was queued.
    pub fn post(&self, message: &[u8]) -> Result<(), PostTooLongError> {
        let mut posted = Ok(());
        with(&Rc::downgrade(&self.inner), |inner| posted = inner.mesh.post(message));
        posted
    }

    /// Fetches the mail after a cursor, now or after the next connection, and then each packet that others
    /// store: as [`NetEvent::Mail`] in the order of their numbers, with [`NetEvent::MailCaughtUp`] where the
    /// fetch ends. Packets that do not open are skipped. After a reconnect it continues after the last packet
    /// that arrived. Another call starts again from its cursor. Does nothing after
    /// [`NetEvent::IdentityInUse`].
    pub fn fetch_mail(&self, after: MailCursor) {
        with(&Rc::downgrade(&self.inner), |inner| inner.mesh.fetch_mail(after));
    }

    /// Returns whether a message to a reachable peer, or a post, is not acknowledged yet. Posts that the
    /// relay has refused for now do not count. A page waits until it returns `false`, within a time limit,
    /// before it navigates away.
    pub fn has_unsent(&self) -> bool {
        self.inner.borrow().mesh.has_unsent()
    }
}

impl Drop for BrowserTransport {
    /// Stops the timer and closes all connections. If it happens inside a callback of this transport, they
    /// close later, with the state.
    fn drop(&mut self) {
        if let Some(window) = web_sys::window() {
            window.clear_interval_with_handle(self.timer);
        }
        if let Ok(mut inner) = self.inner.try_borrow_mut() {
            inner.socket = None;
            inner.direct.clear();
        }
    }
}

#[wasm_bindgen]
extern "C" {
    /// Returns the milliseconds since the page was opened. Never goes back.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn performance_now() -> f64;
}

/// Returns the time of the browser's two clocks, in milliseconds.
fn now() -> BrowserTime {
    BrowserTime { monotonic: performance_now() as u64, wall: js_sys::Date::now() as u64 }
}

/// Applies `act` to the state, carries out the actions of the mesh, and then passes events to the callback.
/// Does nothing if the transport was dropped. The events are passed outside of the borrow, because a callback
/// may send a message; a call from within a callback leaves its events to the outer call.
fn with(inner: &Weak<RefCell<Inner>>, act: impl FnOnce(&mut Inner)) {
    let Some(inner) = inner.upgrade() else { return };
    {
        let mut state = inner.borrow_mut();
        act(&mut state);
        state.run_outputs();
        if std::mem::replace(&mut state.is_dispatching, true) {
            return;
        }
    }
    let on_event = inner.borrow().on_event.clone();
    loop {
        let events = std::mem::take(&mut inner.borrow_mut().events);
        if events.is_empty() {
            break;
        }
        events.into_iter().for_each(|event| on_event.borrow_mut()(event));
    }
    inner.borrow_mut().is_dispatching = false;
}

impl Inner {
    /// Advances the mesh to the current time. Reconnects if the device was asleep, gives up a connection that
    /// does not open within [`TIMEOUT`], and connects when the next attempt is due.
    fn tick(&mut self) {
        let now = now();
        self.update_busy();
        self.mesh.tick(now.monotonic);
        if self.timer.tick(now) {
            return self.reconnect();
        }
        match &self.socket {
            Some(socket) if !socket.open && now.monotonic.saturating_sub(socket.since) > TIMEOUT => {
                self.handle_lost_connection("timeout".into());
            }
            None if self.timer.is_due(now) => {
                if let Err(error) = self.open_socket(now.monotonic) {
                    self.handle_lost_connection(format!("{error:?}"));
                }
            }
            _ => {}
        }
    }

    /// Tells the mesh whether the browser's send buffer holds more than [`MAX_BUFFERED`] bytes; while it
    /// does, bulk messages wait. Without a connection they do not.
    fn update_busy(&mut self) {
        let buffered = self.socket.as_ref().map_or(0, |socket| socket.socket.buffered_amount());
        self.mesh.set_busy(buffered > MAX_BUFFERED);
    }

    /// Drops the connection to the relay, if there is one, reports that as `Retrying`, and connects again
    /// without a delay.
    fn reconnect(&mut self) {
        if self.socket.is_some() {
            self.handle_lost_connection("the network has changed".into());
        }
        self.timer.skip_delay();
        self.tick();
    }

    /// Opens a WebSocket to the relay and stores it. Its handlers pass frames to the mesh, report
    /// `Connected`, and schedule a retry when it closes. `now` is the monotonic time in milliseconds.
    ///
    /// # Errors
    ///
    /// Fails with the error of the browser if the address is not allowed. Nothing was stored.
    fn open_socket(&mut self, now: u64) -> Result<(), JsValue> {
        let protocols = js_sys::Array::of2(&PROTOCOL.into(), &self.pass.to_text().into());
        let socket = WebSocket::new_with_str_sequence(&self.url, &protocols)?;
        socket.set_binary_type(BinaryType::Arraybuffer);
        let me = self.me.clone();
        let message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let frame = js_sys::Uint8Array::new(&event.data()).to_vec();
            with(&me, |inner| inner.mesh.handle_relay_frame(&frame));
        });
        let me = self.me.clone();
        let opened = Closure::<dyn FnMut()>::new(move || {
            with(&me, |inner| {
                if let Some(socket) = &mut inner.socket {
                    (socket.open, socket.since) = (true, self::now().monotonic);
                }
                inner.events.push(NetEvent::Server(ServerStatus::Connected));
            });
        });
        let me = self.me.clone();
        let closed = Closure::<dyn FnMut(CloseEvent)>::new(move |event: CloseEvent| {
            let why =
                CloseReason::from_code(event.code()).map_or("the connection was lost", CloseReason::text);
            with(&me, |inner| inner.handle_lost_connection(why.into()));
        });
        socket.set_onmessage(Some(message.as_ref().unchecked_ref()));
        socket.set_onopen(Some(opened.as_ref().unchecked_ref()));
        socket.set_onclose(Some(closed.as_ref().unchecked_ref()));
        self.socket = Some(Socket {
            socket,
            since: now,
            open: false,
            _message: message,
            _open: opened,
            _close: closed,
        });
        Ok(())
    }

    /// Drops the connection to the server, tells the mesh, schedules the next attempt after a backoff, and
    /// reports `Retrying` with the reason `why`.
    fn handle_lost_connection(&mut self, why: String) {
        let now = now();
        // The calling closure belongs to the socket, so the socket is dropped later, on an empty stack.
        if let Some(socket) = self.socket.take() {
            if socket.open {
                self.backoff.end_connection(now.monotonic.saturating_sub(socket.since));
            }
            wasm_bindgen_futures::spawn_local(async move { drop(socket) });
        }
        self.mesh.handle_relay_down();
        let jitter = self.mesh.draw_jitter();
        let after_ms = self.backoff.next_delay_ms(jitter);
        self.timer.delay(now, after_ms);
        self.events.push(NetEvent::Server(ServerStatus::Retrying { after_ms, why }));
    }

    /// Carries out all waiting actions of the mesh and collects its events, opening and closing direct
    /// connections as they demand.
    fn run_outputs(&mut self) {
        while let Some(output) = self.mesh.poll() {
            match output {
                MeshOutput::Action(action) => self.run_action(action),
                MeshOutput::Event(event) => {
                    self.update_direct_connection(&event);
                    self.events.push(event);
                }
            }
        }
    }

    /// Carries out an action of the mesh. A frame for the relay is dropped while the socket is not open; a
    /// packet that cannot be sent directly marks the direct path as down.
    fn run_action(&mut self, action: MeshAction) {
        match action {
            MeshAction::SendToRelay(frame) => {
                if let Some(socket) = self.socket.as_ref().filter(|socket| socket.open) {
                    socket.socket.send_with_u8_array(&frame).ok();
                }
            }
            MeshAction::SendDirect(peer, packet) => {
                if !self.direct.get(&peer).is_some_and(|direct| direct.send(&packet)) {
                    self.mesh.handle_direct_down(peer);
                }
            }
            MeshAction::HandleSignal(peer, message) => self.handle_signal(peer, &message),
        }
    }

    /// Closes the direct connection to a peer that is lost or has lost earlier messages. Offers a new one to
    /// a peer that is reachable, if this side has the smaller identity and there is none. Ignores all other
    /// events.
    fn update_direct_connection(&mut self, event: &NetEvent) {
        match event {
            NetEvent::PeerUp { peer, identity, fresh } => {
                if *fresh {
                    self.close_direct(*peer);
                }
                // One of the two sides has to make the offer.
                if self.own_identity < *identity && !self.direct.contains_key(peer) {
                    self.open_direct(*peer, None);
                }
            }
            NetEvent::PeerDown(peer) => self.close_direct(*peer),
            _ => {}
        }
    }

    /// Closes the direct connection to a peer, if there is one, and starts a new one: offers it without
    /// `offer`, otherwise answers the description `offer`. If the browser has no WebRTC, the relay goes on
    /// carrying all packets.
    fn open_direct(&mut self, peer: PeerId, offer: Option<String>) {
        self.close_direct(peer);
        if let Ok(direct) = DirectConnection::new(self.me.clone(), peer, &self.stun, offer) {
            self.direct.insert(peer, direct);
        }
    }

    /// Handles a signalling message of a peer: an offer starts a direct connection and replaces an older one,
    /// anything else goes to the existing one. Ignores malformed messages, and those for a connection that
    /// does not exist.
    fn handle_signal(&mut self, peer: PeerId, message: &[u8]) {
        match Signal::parse(message) {
            Some(Signal::Offer(sdp)) => self.open_direct(peer, Some(sdp)),
            Some(signal) => {
                if let Some(direct) = self.direct.get(&peer) {
                    direct.handle_signal(signal);
                }
            }
            None => {}
        }
    }

    /// Closes the direct connection to a peer, if there is one, without telling the mesh. It is dropped
    /// later, because this may run inside one of its callbacks.
    fn close_direct(&mut self, peer: PeerId) {
        if let Some(direct) = self.direct.remove(&peer) {
            wasm_bindgen_futures::spawn_local(async move { drop(direct) });
        }
    }
}
