//! A direct connection to one peer over WebRTC. Its signalling messages travel sealed through the relay.

use super::{Inner, with};
use crate::mesh::PeerId;
use crate::stun::StunServer;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    MessageEvent, RtcConfiguration, RtcDataChannel, RtcDataChannelInit, RtcDataChannelType,
    RtcIceCandidateInit, RtcIceServer, RtcPeerConnection, RtcPeerConnectionIceEvent, RtcSdpType,
    RtcSessionDescriptionInit,
};

/// Maximum number of candidates that wait for the remote description.
const MAX_WAITING: usize = 64;

/// A signalling message between two browsers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Signal {
    /// The description of the side that opens the connection.
    Offer(String),
    /// The description of the side that accepts it.
    Answer(String),
    /// An address at which the sender may be reached.
    Candidate { candidate: String, mid: Option<String>, line: Option<u16> },
}

impl Signal {
    /// Parses a signalling message, as JSON; `None` if it is malformed.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    /// Encodes the signalling message as JSON, which [`Signal::parse`] reads.
    fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// A direct connection, open or being opened.
pub(super) struct DirectConnection {
    connection: RtcPeerConnection,
    channel: RtcDataChannel,
    waiting: Rc<RefCell<Waiting>>,
    _message: Closure<dyn FnMut(MessageEvent)>,
    _open: Closure<dyn FnMut()>,
    _close: Closure<dyn FnMut()>,
    _candidate: Closure<dyn FnMut(RtcPeerConnectionIceEvent)>,
}

/// Candidates that arrived before the remote description.
#[derive(Default)]
struct Waiting {
    described: bool,
    candidates: Vec<RtcIceCandidateInit>,
}

impl Drop for DirectConnection {
    /// Removes the handlers and closes channel and connection, so that the mesh hears nothing more of them.
    fn drop(&mut self) {
        self.channel.set_onmessage(None);
        self.channel.set_onopen(None);
        self.channel.set_onclose(None);
        self.connection.set_onicecandidate(None);
        self.channel.close();
        self.connection.close();
    }
}

impl DirectConnection {
    /// Starts a connection to `peer`: makes an offer without `offer`, otherwise answers that one. The
    /// handshake goes on in the background; its signalling messages, packets and changes of state go to the
    /// mesh of `inner`. A failure after this call is silent: the relay then carries all packets. Dropping the
    /// result closes the connection.
    ///
    /// # Errors
    ///
    /// Fails with the browser's error if it does not support WebRTC, or refuses the configuration.
    pub(super) fn new(
        inner: Weak<RefCell<Inner>>,
        peer: PeerId,
        stun: &[StunServer],
        offer: Option<String>,
    ) -> Result<Self, JsValue> {
        let configuration = RtcConfiguration::new();
        let servers = js_sys::Array::new();
        for address in stun {
            let server = RtcIceServer::new();
            server.set_urls(&JsValue::from_str(address.as_str()));
            servers.push(&server);
        }
        configuration.set_ice_servers(&servers);
        let connection = RtcPeerConnection::new_with_configuration(&configuration)?;
        // A negotiated channel: both sides open it by its number, which saves a round trip.
        let settings = RtcDataChannelInit::new();
        settings.set_negotiated(true);
        settings.set_id(0);
        let channel = connection.create_data_channel_with_data_channel_dict("pentarchy", &settings);
        channel.set_binary_type(RtcDataChannelType::Arraybuffer);

        let me = inner.clone();
        let message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let packet = js_sys::Uint8Array::new(&event.data()).to_vec();
            with(&me, |inner| inner.mesh.handle_direct_packet(peer, &packet));
        });
        let me = inner.clone();
        let open = Closure::<dyn FnMut()>::new(move || with(&me, |inner| inner.mesh.handle_direct_up(peer)));
        let me = inner.clone();
        let close = Closure::<dyn FnMut()>::new(move || {
            with(&me, |inner| {
                inner.mesh.handle_direct_down(peer);
                inner.close_direct(peer);
            });
        });
        let me = inner.clone();
        let candidate =
            Closure::<dyn FnMut(RtcPeerConnectionIceEvent)>::new(move |event: RtcPeerConnectionIceEvent| {
                let Some(found) = event.candidate() else { return };
                let (candidate, mid, line) = (found.candidate(), found.sdp_mid(), found.sdp_m_line_index());
                let signal = Signal::Candidate { candidate, mid, line };
                with(&me, |inner| inner.mesh.send_signal(peer, &signal.to_bytes()));
            });
        channel.set_onmessage(Some(message.as_ref().unchecked_ref()));
        channel.set_onopen(Some(open.as_ref().unchecked_ref()));
        channel.set_onclose(Some(close.as_ref().unchecked_ref()));
        connection.set_onicecandidate(Some(candidate.as_ref().unchecked_ref()));

        let waiting = Rc::new(RefCell::new(Waiting::default()));
        let (opening, candidates) = (connection.clone(), waiting.clone());
        spawn_local(async move {
            let signal = match offer {
                None => describe(&opening, RtcSdpType::Offer).await.map(Signal::Offer),
                Some(sdp) => match accept(&opening, &candidates, RtcSdpType::Offer, &sdp).await {
                    Ok(()) => describe(&opening, RtcSdpType::Answer).await.map(Signal::Answer),
                    Err(error) => Err(error),
                },
            };
            // If it fails, the relay continues to carry all packets.
            if let Ok(signal) = signal {
                with(&inner, |inner| inner.mesh.send_signal(peer, &signal.to_bytes()));
            }
        });
        Ok(Self {
            connection,
            channel,
            waiting,
            _message: message,
            _open: open,
            _close: close,
            _candidate: candidate,
        })
    }

    /// Sends a packet to the peer over the data channel. Returns `true` if the channel has accepted it, and
    /// `false` if not, for example because it is not open: then nothing was sent.
    pub(super) fn send(&self, packet: &[u8]) -> bool {
        self.channel.send_with_u8_array(packet).is_ok()
    }

    /// Handles a signalling message of the peer: applies an answer in the background, and adds a candidate.
    /// Candidates that arrive before the peer's description wait for it, at most [`MAX_WAITING`]; more are
    /// dropped. Ignores offers and all errors.
    pub(super) fn handle_signal(&self, signal: Signal) {
        let (connection, waiting) = (self.connection.clone(), self.waiting.clone());
        match signal {
            Signal::Offer(_) => {}
            Signal::Answer(sdp) => spawn_local(async move {
                accept(&connection, &waiting, RtcSdpType::Answer, &sdp).await.ok();
            }),
            Signal::Candidate { candidate, mid, line } => {
                let init = RtcIceCandidateInit::new(&candidate);
                init.set_sdp_mid(mid.as_deref());
                init.set_sdp_m_line_index(line);
                let mut held = waiting.borrow_mut();
                if held.described {
                    add_candidate(&connection, &init);
                } else if held.candidates.len() < MAX_WAITING {
                    held.candidates.push(init);
                }
            }
        }
    }
}

/// Creates the description of this side, applies it to the connection and returns its text for the peer.
/// `kind` must be `Offer` or `Answer`.
///
/// # Errors
///
/// Fails with the browser's error if it cannot create or apply the description.
async fn describe(connection: &RtcPeerConnection, kind: RtcSdpType) -> Result<String, JsValue> {
    let made = match kind {
        RtcSdpType::Offer => connection.create_offer(),
        _ => connection.create_answer(),
    };
    let made: JsValue = JsFuture::from(made).await?.into();
    let sdp = js_sys::Reflect::get(&made, &"sdp".into())?.as_string().ok_or("no description")?;
    let description = RtcSessionDescriptionInit::new(kind);
    description.set_sdp(&sdp);
    JsFuture::from(connection.set_local_description(&description)).await?;
    Ok(sdp)
}

/// Applies the description `sdp` of the peer, then adds the candidates that waited for it. Later candidates
/// are added immediately. `kind` says whether the description is an `Offer` or an `Answer`.
///
/// # Errors
///
/// Fails with the browser's error if it rejects the description; the candidates go on waiting.
async fn accept(
    connection: &RtcPeerConnection,
    waiting: &RefCell<Waiting>,
    kind: RtcSdpType,
    sdp: &str,
) -> Result<(), JsValue> {
    let description = RtcSessionDescriptionInit::new(kind);
    description.set_sdp(sdp);
    JsFuture::from(connection.set_remote_description(&description)).await?;
    let mut waiting = waiting.borrow_mut();
    waiting.described = true;
    for init in waiting.candidates.drain(..) {
        add_candidate(connection, &init);
    }
    Ok(())
}

/// Adds an ICE candidate in the background. A candidate that cannot be used is ignored.
fn add_candidate(connection: &RtcPeerConnection, init: &RtcIceCandidateInit) {
    let adding = connection.add_ice_candidate_with_opt_rtc_ice_candidate_init(Some(init));
    spawn_local(async move {
        // A candidate that cannot be used is ignored.
        JsFuture::from(adding).await.ok();
    });
}
