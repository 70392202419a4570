//! The WebSocket of one member.

use super::mail::{end_of, is_last_page, page_frames};
use super::queue::OverflowWatch;
use super::{Allowance, Membership};
use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket};
use futures_util::SinkExt as _;
use pentarchy_net::MailCursor;
use pentarchy_net::wire::{CloseReason, PeerFrame, RelayFrame};
use prometheus_client::metrics::counter::Counter;
use std::error::Error as _;
use std::future::ready;
use std::time::Duration;
use tokio::select;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

/// Timeout for the closing handshake.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// Serves a member until it leaves, has to be disconnected, or `stop` is cancelled. Then removes it from the room,
/// counts the reason in the metrics, and closes the socket with that reason. If the member left by itself or the
/// connection is lost, the socket is dropped instead.
pub(crate) async fn serve_member(mut socket: WebSocket, mut membership: Membership, stop: CancellationToken) {
    let closed = exchange(&mut socket, &mut membership, &stop).await;
    let metrics = &membership.hub.metrics;
    let counter = match closed {
        Some(CloseReason::Slow) => Some(&metrics.slow),
        Some(CloseReason::Malformed | CloseReason::TooLarge) => Some(&metrics.malformed),
        Some(CloseReason::Idle) => Some(&metrics.idle),
        Some(CloseReason::Moved) => Some(&metrics.moved),
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

/// Closes a connection with the code and text of a reason. Reads and drops what the other side still sends, for at most
/// a second in all, until it closes, too. Errors are ignored.
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

/// Exchanges frames between the socket and the room, and pings the member at the interval of the limits. Returns
/// `None` when the member leaves or the connection is lost, and otherwise the reason to disconnect it: too slow,
/// malformed or too large a frame, member or room silent for too long, another process has the room, or the server
/// stops. A member over its rate is not read, and gets no stored mail, for a while. A frame is charged once per
/// recipient, at least once.
async fn exchange(
    socket: &mut WebSocket,
    membership: &mut Membership,
    stop: &CancellationToken,
) -> Option<CloseReason> {
    let limits = membership.hub.limits.clone();
    let overflow = membership.inbox.watch_overflow();
    let mut allowance = Allowance::new(&limits, Instant::now());
    let mut resume = None;
    // The place up to which the member has got the mail that it fetches.
    let mut fetch: Option<MailCursor> = None;
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
                        let copies = match PeerFrame::parse(&frame) {
                            Some(PeerFrame::Message { to, payload }) => membership.send(to, payload),
                            Some(PeerFrame::Store(sealed)) => membership.store(sealed),
                            Some(PeerFrame::Fetch(after)) => {
                                membership.hub.lock().stop_mail(&membership.table, membership.member);
                                fetch = Some(after);
                                1
                            }
                            None => return Some(CloseReason::Malformed),
                        };
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
                // The queue ends when the room is closed.
                let Some(frame) = frame else { return Some(CloseReason::Moved) };
                if let Err(end) = write(socket, membership, &overflow, limits.io_timeout, vec![frame]).await {
                    return end;
                }
            }
            () = ready(()), if fetch.is_some() && resume.is_none() => {
                let page = read_page(membership, fetch.unwrap_or_default()).await;
                fetch = page.next;
                let bytes = page.frames.iter().map(|frame| frame.len() as u64).sum();
                if let Err(end) = write(socket, membership, &overflow, limits.io_timeout, page.frames).await {
                    return end;
                }
                resume = allowance.charge(1, bytes, Instant::now());
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

/// A part of a mailbox for a member.
struct PageFrames {
    frames: Vec<Bytes>,
    /// Where the next part starts; `None` after the last one.
    next: Option<MailCursor>,
}

/// Reads the part of the mailbox after a cursor, and counts its packets as delivered. The last part ends with the end
/// of the fetch, and the member gets new mail from then on, unless a packet was announced meanwhile: then there is a
/// next part. If the mailbox is off, there is only the end of the fetch. If the storage fails, logs it; the result is
/// empty and has no next part, and the member does not get the end of the fetch, so it asks again.
async fn read_page(membership: &Membership, after: MailCursor) -> PageFrames {
    let (hub, table) = (&membership.hub, &membership.table);
    let Some(mail) = &hub.mail else {
        let end = RelayFrame::MailEnd(MailCursor::default()).to_bytes();
        return PageFrames { frames: vec![end.into()], next: None };
    };
    let count = hub.lock().mail_count(table);
    let page = match mail.read(*table, after).await {
        Ok(page) => page,
        Err(error) => {
            tracing::error!(%error, "cannot read mail");
            hub.metrics.mail_failed.inc();
            return PageFrames { frames: Vec::new(), next: None };
        }
    };
    let (frames, next) = page_frames(&page, after);
    hub.metrics.mail_delivered.inc_by(frames.len() as u64);
    let mut frames: Vec<Bytes> = frames.iter().map(|frame| frame.to_bytes().into()).collect();
    if is_last_page(&page, next) && hub.lock().start_mail(table, membership.member, count) {
        frames.push(RelayFrame::MailEnd(end_of(&page)).to_bytes().into());
        return PageFrames { frames, next: None };
    }
    PageFrames { frames, next: Some(next) }
}

/// Writes `frames`, and then all queued frames, to the socket, within `io_timeout`. `overflow` is the watch
/// of the member's queue.
///
/// # Errors
///
/// Fails with `None` if the connection is lost, and with `Slow` if the member reads too slowly or its queue
/// overflows. A part of the frames may have been sent.
async fn write(
    socket: &mut WebSocket,
    membership: &mut Membership,
    overflow: &OverflowWatch,
    io_timeout: Duration,
    frames: Vec<Bytes>,
) -> Result<(), Option<CloseReason>> {
    let all = async {
        for frame in frames {
            socket.feed(Message::Binary(frame)).await?;
        }
        while let Some(frame) = membership.inbox.try_next() {
            socket.feed(Message::Binary(frame)).await?;
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

/// Returns the close reason for an error of the WebSocket, by its text: `TooLarge` or `Malformed`; `None` for all
/// others, such as a lost connection.
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
