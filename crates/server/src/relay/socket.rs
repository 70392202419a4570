//! One member's connection.

use super::queue::Watch;
use super::{Allowance, Seated};
use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket};
use futures_util::SinkExt as _;
use pentarchy_net::wire::{CloseReason, Destination};
use prometheus_client::metrics::counter::Counter;
use std::error::Error as _;
use std::time::Duration;
use tokio::select;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

/// How long a goodbye may take.
const GOODBYE: Duration = Duration::from_secs(1);

/// Serves a member until it goes, or is made to.
pub(crate) async fn run(mut socket: WebSocket, mut seated: Seated, stop: CancellationToken) {
    let closed = converse(&mut socket, &mut seated, &stop).await;
    let metrics = &seated.hub.metrics;
    let counter = match closed {
        Some(CloseReason::Slow) => Some(&metrics.slow),
        Some(CloseReason::Malformed | CloseReason::TooLarge) => Some(&metrics.malformed),
        Some(CloseReason::Idle) => Some(&metrics.idle),
        _ => None,
    };
    counter.map(Counter::inc);
    if let Some(closed) = closed {
        tracing::info!(table = ?seated.table, member = seated.member.0, why = closed.text(), "closing");
    }
    // The others hear it before this member has read its goodbye, if it ever does.
    drop(seated);
    if let Some(closed) = closed {
        close(socket, closed).await;
    }
}

/// Says why and hangs up.
pub(crate) async fn close(mut socket: WebSocket, closed: CloseReason) {
    let frame = CloseFrame { code: closed.code(), reason: closed.text().into() };
    let goodbye = async {
        socket.send(Message::Close(Some(frame))).await.ok();
        // Reading on until the other side closes too: a connection closed with unread data would take the reason
        // down with it.
        while let Some(Ok(_)) = socket.recv().await {}
    };
    timeout(GOODBYE, goodbye).await.ok();
}

/// Goes on until the member goes (nothing) or is to be sent away (why).
async fn converse(
    socket: &mut WebSocket,
    seated: &mut Seated,
    stop: &CancellationToken,
) -> Option<CloseReason> {
    let limits = seated.hub.limits.clone();
    let queue = seated.inbox.watch();
    let mut allowance = Allowance::new(&limits, Instant::now());
    let mut resume = None;
    let mut heard = Instant::now();
    let mut ping = interval(limits.ping);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        select! {
            () = queue.overflow() => return Some(CloseReason::Slow),
            () = stop.cancelled() => return Some(CloseReason::Away),
            () = sleep_until(resume.unwrap_or(heard)), if resume.is_some() => resume = None,
            message = socket.recv(), if resume.is_none() => {
                heard = Instant::now();
                match message? {
                    Ok(Message::Binary(frame)) => {
                        let (to, payload) = match Destination::parse_frame(&frame) {
                            Some(read) => read,
                            None => return Some(CloseReason::Malformed),
                        };
                        let copies = seated.send(to, payload);
                        seated.hub.metrics.relay_seconds.observe(heard.elapsed().as_secs_f64());
                        resume = allowance.charge(copies.max(1), frame.len() as u64, Instant::now());
                        if resume.is_some() {
                            seated.hub.metrics.paused.inc();
                        }
                    }
                    Ok(Message::Text(_)) => return Some(CloseReason::Malformed),
                    Ok(Message::Ping(_) | Message::Pong(_)) => {}
                    Ok(Message::Close(_)) => return None,
                    Err(error) => return why(&error),
                }
            }
            frame = seated.inbox.next() => {
                let frame = frame?;
                if let Err(end) = write(socket, seated, &queue, limits.patience, frame).await {
                    return end;
                }
            }
            _ = ping.tick() => {
                if heard.elapsed() >= limits.silence && resume.is_none() || seated.room_silence() >= limits.room_idle {
                    return Some(CloseReason::Idle);
                }
                if timeout(limits.patience, socket.send(Message::Ping(Bytes::new()))).await.is_err() {
                    return Some(CloseReason::Slow);
                }
            }
        }
    }
}

/// Writes a frame and all that wait behind it.
async fn write(
    socket: &mut WebSocket,
    seated: &mut Seated,
    queue: &Watch,
    patience: Duration,
    first: Bytes,
) -> Result<(), Option<CloseReason>> {
    let all = async {
        let mut next = Some(first);
        while let Some(frame) = next {
            socket.feed(Message::Binary(frame)).await?;
            next = seated.inbox.ready();
        }
        socket.flush().await
    };
    select! {
        () = queue.overflow() => Err(Some(CloseReason::Slow)),
        written = timeout(patience, all) => match written {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(None),
            Err(_) => Err(Some(CloseReason::Slow)),
        },
    }
}

/// Why a connection broke: nothing if the other side is gone, so that nobody would hear it.
fn why(error: &axum::Error) -> Option<CloseReason> {
    // The library's error type is not ours to name; its words are stable enough, and a wrong guess only costs the
    // peer a less exact reason.
    let words = error.source().map_or_else(|| error.to_string(), ToString::to_string);
    if words.contains("too long") || words.contains("too big") || words.contains("limit exceeded") {
        Some(CloseReason::TooLarge)
    } else if words.contains("protocol") || words.contains("UTF-8") {
        Some(CloseReason::Malformed)
    } else {
        None
    }
}
