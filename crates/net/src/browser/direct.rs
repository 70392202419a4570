//! A direct connection to one peer by WebRTC. What is needed to arrange it travels as sealed messages through the relay.

use super::{Inner, with};
use crate::mesh::PeerId;
use crate::stun::Stun;
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

/// Candidates that may wait for the description they belong to.
const MAX_WAITING: usize = 64;

/// What two browsers say to arrange a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Signal {
    /// Let us connect: this is how.
    Offer(String),
    /// Yes: this is how.
    Answer(String),
    /// I may be reached here.
    Candidate { candidate: String, mid: Option<String>, line: Option<u16> },
}

impl Signal {
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    fn write(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// A direct connection, open or about to be.
pub(super) struct Direct {
    connection: RtcPeerConnection,
    channel: RtcDataChannel,
    waiting: Rc<RefCell<Waiting>>,
    _message: Closure<dyn FnMut(MessageEvent)>,
    _open: Closure<dyn FnMut()>,
    _close: Closure<dyn FnMut()>,
    _candidate: Closure<dyn FnMut(RtcPeerConnectionIceEvent)>,
}

/// Candidates that came before the description.
#[derive(Default)]
struct Waiting {
    described: bool,
    candidates: Vec<RtcIceCandidateInit>,
}

impl Drop for Direct {
    fn drop(&mut self) {
        self.channel.set_onmessage(None);
        self.channel.set_onopen(None);
        self.channel.set_onclose(None);
        self.connection.set_onicecandidate(None);
        self.channel.close();
        self.connection.close();
    }
}

impl Direct {
    /// Offers a connection, or answers an offer.
    pub(super) fn new(
        inner: Weak<RefCell<Inner>>,
        peer: PeerId,
        stun: &[Stun],
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
        // Both sides open the same channel by its number, so that neither waits to be told of it.
        let settings = RtcDataChannelInit::new();
        settings.set_negotiated(true);
        settings.set_id(0);
        let channel = connection.create_data_channel_with_data_channel_dict("pentarchy", &settings);
        channel.set_binary_type(RtcDataChannelType::Arraybuffer);

        let me = inner.clone();
        let message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let packet = js_sys::Uint8Array::new(&event.data()).to_vec();
            with(&me, |inner| inner.mesh.direct_frame(peer, &packet));
        });
        let me = inner.clone();
        let open = Closure::<dyn FnMut()>::new(move || with(&me, |inner| inner.mesh.direct_up(peer)));
        let me = inner.clone();
        let close = Closure::<dyn FnMut()>::new(move || {
            with(&me, |inner| {
                inner.mesh.direct_down(peer);
                inner.close_direct(peer);
            });
        });
        let me = inner.clone();
        let candidate =
            Closure::<dyn FnMut(RtcPeerConnectionIceEvent)>::new(move |event: RtcPeerConnectionIceEvent| {
                let Some(found) = event.candidate() else { return };
                let (candidate, mid, line) = (found.candidate(), found.sdp_mid(), found.sdp_m_line_index());
                let signal = Signal::Candidate { candidate, mid, line };
                with(&me, |inner| inner.mesh.signal(peer, &signal.write()));
            });
        channel.set_onmessage(Some(message.as_ref().unchecked_ref()));
        channel.set_onopen(Some(open.as_ref().unchecked_ref()));
        channel.set_onclose(Some(close.as_ref().unchecked_ref()));
        connection.set_onicecandidate(Some(candidate.as_ref().unchecked_ref()));

        let waiting = Rc::new(RefCell::new(Waiting::default()));
        let (begun, theirs) = (connection.clone(), waiting.clone());
        spawn_local(async move {
            let signal = match offer {
                None => describe(&begun, RtcSdpType::Offer).await.map(Signal::Offer),
                Some(sdp) => match accept(&begun, &theirs, RtcSdpType::Offer, &sdp).await {
                    Ok(()) => describe(&begun, RtcSdpType::Answer).await.map(Signal::Answer),
                    Err(error) => Err(error),
                },
            };
            // Where it fails the relay goes on carrying everything.
            if let Ok(signal) = signal {
                with(&inner, |inner| inner.mesh.signal(peer, &signal.write()));
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

    /// Sends a packet; false if the channel does not take it.
    pub(super) fn send(&self, packet: &[u8]) -> bool {
        self.channel.send_with_u8_array(packet).is_ok()
    }

    /// The other side says something about the connection.
    pub(super) fn hear(&self, signal: Signal) {
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
                    add(&connection, &init);
                } else if held.candidates.len() < MAX_WAITING {
                    held.candidates.push(init);
                }
            }
        }
    }
}

/// Makes this side's description and settles on it.
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

/// Takes the other side's description, and the candidates that waited for it.
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
        add(connection, &init);
    }
    Ok(())
}

fn add(connection: &RtcPeerConnection, init: &RtcIceCandidateInit) {
    let adding = connection.add_ice_candidate_with_opt_rtc_ice_candidate_init(Some(init));
    spawn_local(async move {
        // One that cannot be used is one fewer.
        JsFuture::from(adding).await.ok();
    });
}
