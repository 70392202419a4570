//! A mesh in a browser: the relay by a WebSocket, and WebRTC where the browsers find a way to each other.

mod direct;

use crate::event::{Backoff, Event, Status};
use crate::invite::{Invite, RoomPass};
use crate::mesh::{Identity, Mesh, Output, PeerId};
use crate::stun::Stun;
use crate::wire::{Closed, PROTOCOL};
use direct::Direct;
use pentarchy_keys::SigningSecret;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;
use web_sys::{BinaryType, CloseEvent, MessageEvent, WebSocket};

/// How often the mesh hears the time.
const TICK: i32 = 100;
/// A connection that is not open after so long is given up.
const PATIENCE: u64 = 10_000;
/// Bytes that the browser may still have to send when a bulk message is given to it.
const MOST_BUFFERED: u32 = 64 << 10;
/// Whoever has not heard the time for so long has slept; a page that is not looked at hears it once a minute.
const SLEEP: u64 = 90_000;

/// A connection to a table from a browser. It comes back by itself when it breaks, and ends when this is dropped.
pub struct Browser {
    inner: Rc<RefCell<Inner>>,
    timer: i32,
    _tick: Closure<dyn FnMut()>,
}

struct Inner {
    me: Weak<RefCell<Inner>>,
    mesh: Mesh,
    mine: Identity,
    url: String,
    /// What opens the room.
    pass: RoomPass,
    /// Servers that tell a browser its own address; none on a local network.
    stun: Vec<Stun>,
    socket: Option<Socket>,
    backoff: Backoff,
    /// When the server is tried again.
    retry_at: u64,
    /// When the time was heard last.
    ticked: u64,
    direct: BTreeMap<PeerId, Direct>,
    tell: Rc<RefCell<dyn FnMut(Event)>>,
    news: Vec<Event>,
    /// Whether somebody up the stack is passing news on already.
    passing: bool,
}

/// A WebSocket with those who listen to it.
struct Socket {
    socket: WebSocket,
    since: u64,
    open: bool,
    _message: Closure<dyn FnMut(MessageEvent)>,
    _open: Closure<dyn FnMut()>,
    _close: Closure<dyn FnMut(CloseEvent)>,
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.socket.set_onmessage(None);
        self.socket.set_onopen(None);
        self.socket.set_onclose(None);
        self.socket.close().ok();
    }
}

impl Browser {
    /// Connects to a table; `tell` hears what happens. `seed` is 32 fresh random bytes; `stun` are servers that help browsers in
    /// different networks to find each other; without any only those in one network do.
    pub fn connect(
        invite: &Invite,
        identity: &SigningSecret,
        seed: [u8; 32],
        stun: &[Stun],
        tell: impl FnMut(Event) + 'static,
    ) -> Result<Self, JsValue> {
        let mine = *identity.public().bytes();
        let inner = Rc::new_cyclic(|me| {
            RefCell::new(Inner {
                me: me.clone(),
                mesh: Mesh::new(invite.table(), &invite.key, identity, seed),
                mine,
                url: invite.relay_url(),
                pass: invite.pass(),
                stun: stun.to_vec(),
                socket: None,
                backoff: Backoff::default(),
                retry_at: 0,
                ticked: now(),
                direct: BTreeMap::new(),
                tell: Rc::new(RefCell::new(tell)),
                news: Vec::new(),
                passing: false,
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

    /// Somebody looks at the page again: if the server is to be tried again, it is tried at once.
    pub fn hurry(&self) {
        with(&Rc::downgrade(&self.inner), |inner| {
            inner.retry_at = 0;
            inner.tick();
        });
    }

    /// The network has come back: what was connected before may be dead without a word, so the server is connected anew.
    pub fn renew(&self) {
        with(&Rc::downgrade(&self.inner), Inner::renew);
    }

    /// Keeps places for the players of the game; see [`Mesh::reserve`].
    pub fn reserve(&self, players: impl IntoIterator<Item = Identity>) {
        with(&Rc::downgrade(&self.inner), |inner| inner.mesh.reserve(players));
    }

    /// Sends a message to a peer; see [`Mesh::send`].
    pub fn send(&self, peer: PeerId, message: &[u8]) {
        with(&Rc::downgrade(&self.inner), |inner| inner.mesh.send(peer, message));
    }

    /// Sends a message for which everything else does not wait; see [`Mesh::send_bulk`].
    pub fn send_bulk(&self, peer: PeerId, message: &[u8]) {
        with(&Rc::downgrade(&self.inner), |inner| {
            inner.measure();
            inner.mesh.send_bulk(peer, message);
        });
    }
}

impl Drop for Browser {
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

/// Milliseconds of a clock that does not go backwards.
fn now() -> u64 {
    js_sys::Date::now() as u64
}

/// Does something with the state, and then passes on what came of it: outside of the borrow, for whoever hears it may want
/// to send something at once.
fn with(inner: &Weak<RefCell<Inner>>, act: impl FnOnce(&mut Inner)) {
    let Some(inner) = inner.upgrade() else { return };
    {
        let mut state = inner.borrow_mut();
        act(&mut state);
        state.settle();
        if std::mem::replace(&mut state.passing, true) {
            return;
        }
    }
    let tell = inner.borrow().tell.clone();
    loop {
        let news = std::mem::take(&mut inner.borrow_mut().news);
        if news.is_empty() {
            break;
        }
        news.into_iter().for_each(|event| tell.borrow_mut()(event));
    }
    inner.borrow_mut().passing = false;
}

impl Inner {
    fn tick(&mut self) {
        let now = now();
        self.measure();
        self.mesh.tick(now);
        if now.saturating_sub(std::mem::replace(&mut self.ticked, now)) > SLEEP {
            return self.renew();
        }
        match &self.socket {
            Some(socket) if !socket.open && now.saturating_sub(socket.since) > PATIENCE => {
                self.lost("no answer".into());
            }
            None if now >= self.retry_at => {
                if let Err(error) = self.open(now) {
                    self.lost(format!("{error:?}"));
                }
            }
            _ => {}
        }
    }

    /// Looks how much the browser still has to send to the relay: while it is much, bulk messages wait.
    fn measure(&mut self) {
        let buffered = self.socket.as_ref().map_or(0, |socket| socket.socket.buffered_amount());
        self.mesh.set_busy(buffered > MOST_BUFFERED);
    }

    fn renew(&mut self) {
        if self.socket.is_some() {
            self.lost("the network has changed".into());
        }
        self.retry_at = 0;
        self.tick();
    }

    fn open(&mut self, now: u64) -> Result<(), JsValue> {
        let protocols = js_sys::Array::of2(&PROTOCOL.into(), &self.pass.to_text().into());
        let socket = WebSocket::new_with_str_sequence(&self.url, &protocols)?;
        socket.set_binary_type(BinaryType::Arraybuffer);
        let me = self.me.clone();
        let message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let frame = js_sys::Uint8Array::new(&event.data()).to_vec();
            with(&me, |inner| inner.mesh.relay_frame(&frame));
        });
        let me = self.me.clone();
        let opened = Closure::<dyn FnMut()>::new(move || {
            with(&me, |inner| {
                if let Some(socket) = &mut inner.socket {
                    socket.open = true;
                }
                inner.backoff.succeeded();
                inner.news.push(Event::Server(Status::Connected));
            });
        });
        let me = self.me.clone();
        let closed = Closure::<dyn FnMut(CloseEvent)>::new(move |event: CloseEvent| {
            let why = Closed::of_code(event.code()).map_or("the connection is gone", Closed::reason);
            with(&me, |inner| inner.lost(why.into()));
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

    /// The connection to the server is gone; it is tried again after a while.
    fn lost(&mut self, why: String) {
        // The closure that called this lives in the socket: it goes when the browser is done with it.
        if let Some(socket) = self.socket.take() {
            wasm_bindgen_futures::spawn_local(async move { drop(socket) });
        }
        self.mesh.relay_down();
        let jitter = self.mesh.jitter();
        let after_ms = self.backoff.failed(jitter);
        self.retry_at = now() + after_ms;
        self.news.push(Event::Server(Status::Retrying { after_ms, why }));
    }

    /// Does what the mesh wants done.
    fn settle(&mut self) {
        while let Some(output) = self.mesh.poll() {
            match output {
                Output::Relay(frame) => {
                    if let Some(socket) = self.socket.as_ref().filter(|socket| socket.open) {
                        socket.socket.send_with_u8_array(&frame).ok();
                    }
                }
                Output::Direct(peer, packet) => {
                    if !self.direct.get(&peer).is_some_and(|direct| direct.send(&packet)) {
                        self.mesh.direct_down(peer);
                    }
                }
                Output::Signal(peer, message) => self.signal(peer, &message),
                Output::Up { peer, identity, fresh } => {
                    if fresh {
                        self.close_direct(peer);
                    }
                    // One of two has to begin.
                    if self.mine < identity && !self.direct.contains_key(&peer) {
                        self.connect(peer, None);
                    }
                    self.news.push(Event::Up { peer, identity, fresh });
                }
                Output::Down(peer) => {
                    self.close_direct(peer);
                    self.news.push(Event::Down(peer));
                }
                Output::Message(peer, message) => self.news.push(Event::Message(peer, message)),
                Output::Path(peer, path) => self.news.push(Event::Path(peer, path)),
                Output::Twin => self.news.push(Event::Twin),
            }
        }
    }

    /// Begins a direct connection, or answers an offer. Without WebRTC the relay carries everything.
    fn connect(&mut self, peer: PeerId, offer: Option<String>) {
        self.close_direct(peer);
        if let Ok(direct) = Direct::new(self.me.clone(), peer, &self.stun, offer) {
            self.direct.insert(peer, direct);
        }
    }

    fn signal(&mut self, peer: PeerId, message: &[u8]) {
        match direct::Signal::read(message) {
            Some(direct::Signal::Offer(sdp)) => self.connect(peer, Some(sdp)),
            Some(signal) => {
                if let Some(direct) = self.direct.get(&peer) {
                    direct.hear(signal);
                }
            }
            None => {}
        }
    }

    fn close_direct(&mut self, peer: PeerId) {
        if let Some(direct) = self.direct.remove(&peer) {
            wasm_bindgen_futures::spawn_local(async move { drop(direct) });
        }
    }
}
