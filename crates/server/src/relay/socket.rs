//! The WebSocket of one member.

use super::queue::OverflowWatch;
use super::{Allowance, Membership};
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

/// Timeout for the closing handshake.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// Serves a member until it leaves, has to be disconnected, or `stop` is cancelled. Then removes it from the
/// room, counts the reason in the metrics, and closes the socket with that reason.
pub(crate) async fn serve_member(mut socket: WebSocket, mut membership: Membership, stop: CancellationToken) {
    let closed = exchange(&mut socket, &mut membership, &stop).await;
    let metrics = &membership.hub.metrics;
    let counter = match closed {
        Some(CloseReason::Slow) => Some(&metrics.slow),
        Some(CloseReason::Malformed | CloseReason::TooLarge) => Some(&metrics.malformed),
        Some(CloseReason::Idle) => Some(&metrics.idle),
        _ => None,
    };
    counter.map(Counter::inc);
    if let Some(closed) = closed {
        tracing::info!(table = ?membership.table, member = membership.member.0, why = closed.text(), "closing connection");
    }
    // Leave first, so that the others learn it without waiting for the closing handshake.
    drop(membership);
    if let Some(closed) = closed {
        close(socket, closed).await;
    }
}

/// Closes a connection with a reason. Waits at most a second for the other side to close, too.
pub(crate) async fn close(mut socket: WebSocket, closed: CloseReason) {
    let frame = CloseFrame { code: closed.code(), reason: closed.text().into() };
    let closing = async {
        socket.send(Message::Close(Some(frame))).await.ok();
        // Read until the other side closes, too: closing a socket with unread data sends a reset, which would discard the
        // reason.
        while let Some(Ok(_)) = socket.recv().await {}
    };
    timeout(CLOSE_TIMEOUT, closing).await.ok();
}

/// Exchanges frames between the socket and the room. Returns `None` when the member leaves or the connection
/// is lost, and otherwise the reason to disconnect it: too slow, malformed or too large a frame, silent for
/// too long, or the server stops. A member over its rate is not read for a while.
async fn exchange(
    socket: &mut WebSocket,
    membership: &mut Membership,
    stop: &CancellationToken,
) -> Option<CloseReason> {
    let limits = membership.hub.limits.clone();
    let overflow = membership.inbox.watch_overflow();
    let mut allowance = Allowance::new(&limits, Instant::now());
    let mut resume = None;
    let mut last_frame = Instant::now();
    let mut ping = interval(limits.ping_interval);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        select! {
            () = overflow.wait() => return Some(CloseReason::Slow),
            () = stop.cancelled() => return Some(CloseReason::Away),
            () = sleep_until(resume.unwrap_or(last_frame)), if resume.is_some() => resume = None,
            message = socket.recv(), if resume.is_none() => {
                last_frame = Instant::now();
                match message? {
                    Ok(Message::Binary(frame)) => {
                        let (to, payload) = match Destination::parse_frame(&frame) {
                            Some(read) => read,
                            None => return Some(CloseReason::Malformed),
                        };
                        let copies = membership.send(to, payload);
                        membership.hub.metrics.relay_seconds.observe(last_frame.elapsed().as_secs_f64());
                        resume = allowance.charge(copies.max(1), frame.len() as u64, Instant::now());
                        if resume.is_some() {
                            membership.hub.metrics.paused.inc();
                        }
                    }
                    Ok(Message::Text(_)) => return Some(CloseReason::Malformed),
                    Ok(Message::Ping(_) | Message::Pong(_)) => {}
                    Ok(Message::Close(_)) => return None,
                    Err(error) => return close_reason(&error),
                }
            }
            frame = membership.inbox.next() => {
                let frame = frame?;
                if let Err(end) = write(socket, membership, &overflow, limits.io_timeout, frame).await {
                    return end;
                }
            }
            _ = ping.tick() => {
                if last_frame.elapsed() >= limits.member_timeout && resume.is_none() || membership.room_silence() >= limits.room_timeout {
                    return Some(CloseReason::Idle);
                }
                if timeout(limits.io_timeout, socket.send(Message::Ping(Bytes::new()))).await.is_err() {
                    return Some(CloseReason::Slow);
                }
            }
        }
    }
}

/// Writes `first` and all queued frames to the socket, within `io_timeout`.
///
/// # Errors
///
/// Fails with `None` if the connection is lost, and with `Slow` if the member reads too slowly or its queue
/// overflows.
async fn write(
    socket: &mut WebSocket,
    membership: &mut Membership,
    overflow: &OverflowWatch,
    io_timeout: Duration,
    first: Bytes,
) -> Result<(), Option<CloseReason>> {
    let all = async {
        let mut next = Some(first);
        while let Some(frame) = next {
            socket.feed(Message::Binary(frame)).await?;
            next = membership.inbox.try_next();
        }
        socket.flush().await
    };
    select! {
        () = overflow.wait() => Err(Some(CloseReason::Slow)),
        written = timeout(io_timeout, all) => match written {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(None),
            Err(_) => Err(Some(CloseReason::Slow)),
        },
    }
}

/// Returns the close reason for an error of the WebSocket: too large or malformed; `None` if the connection
/// is lost.
fn close_reason(error: &axum::Error) -> Option<CloseReason> {
    // axum does not expose the type of the error, so its text is matched. A wrong guess only gives the peer a less exact
    // reason.
    let words = error.source().map_or_else(|| error.to_string(), ToString::to_string);
    if words.contains("too long") || words.contains("too big") || words.contains("limit exceeded") {
        Some(CloseReason::TooLarge)
    } else if words.contains("protocol") || words.contains("UTF-8") {
        Some(CloseReason::Malformed)
    } else {
        None
    }
}
