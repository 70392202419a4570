//! What waits for one member: bounded in messages and in bytes. Who lets it overflow is dropped.

use axum::body::Bytes;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use tokio::sync::Notify;
use tokio::sync::mpsc::{self, Receiver, Sender};

struct Shared {
    /// Bytes that wait.
    bytes: AtomicUsize,
    limit: usize,
    overflowed: AtomicBool,
    overflow: Notify,
}

/// The end into which the room puts frames.
pub(crate) struct Outbox {
    frames: Sender<Bytes>,
    shared: Arc<Shared>,
}

/// The frames that wait for one member of a room.
pub struct Inbox {
    frames: Receiver<Bytes>,
    shared: Arc<Shared>,
}

/// An empty queue for so many messages and bytes.
pub(crate) fn new(messages: usize, bytes: usize) -> (Outbox, Inbox) {
    let (sender, receiver) = mpsc::channel(messages.max(1));
    let shared = Arc::new(Shared {
        bytes: AtomicUsize::new(0),
        limit: bytes,
        overflowed: AtomicBool::new(false),
        overflow: Notify::new(),
    });
    (Outbox { frames: sender, shared: Arc::clone(&shared) }, Inbox { frames: receiver, shared })
}

impl Outbox {
    /// Adds a frame; if there is no room for it the member is told to go, and gets nothing more: a gap in what it
    /// reads would be worse than an end.
    pub(crate) fn push(&self, frame: Bytes) -> bool {
        if self.shared.overflowed.load(Relaxed) {
            return false;
        }
        let len = frame.len();
        let waiting = self.shared.bytes.fetch_add(len, Relaxed);
        let fits = waiting.saturating_add(len) <= self.shared.limit && self.frames.try_send(frame).is_ok();
        if !fits {
            self.shared.overflowed.store(true, Relaxed);
            self.shared.overflow.notify_one();
        }
        fits
    }
}

impl Inbox {
    /// The next frame, when there is one.
    pub(crate) async fn next(&mut self) -> Option<Bytes> {
        let frame = self.frames.recv().await?;
        self.shared.bytes.fetch_sub(frame.len(), Relaxed);
        Some(frame)
    }

    /// The next frame, if there is one already.
    pub fn ready(&mut self) -> Option<Bytes> {
        let frame = self.frames.try_recv().ok()?;
        self.shared.bytes.fetch_sub(frame.len(), Relaxed);
        Some(frame)
    }

    /// The bytes that wait.
    pub fn waiting_bytes(&self) -> usize {
        self.shared.bytes.load(Relaxed)
    }

    /// Whether more came than may wait: the member gets nothing more and has to go.
    pub fn has_overflowed(&self) -> bool {
        self.shared.overflowed.load(Relaxed)
    }

    /// A watch on the queue that can be kept while frames are taken.
    pub(crate) fn watch(&self) -> Watch {
        Watch(Arc::clone(&self.shared))
    }
}

/// Tells when a queue overflows.
pub(crate) struct Watch(Arc<Shared>);

impl Watch {
    /// Returns when the queue has overflowed.
    pub(crate) async fn overflow(&self) {
        while !self.0.overflowed.load(Relaxed) {
            self.0.overflow.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(len: usize) -> Bytes {
        vec![0; len].into()
    }

    #[test]
    fn too_many_messages_overflow() {
        let (outbox, mut inbox) = new(2, 100);
        assert!(outbox.push(frame(1)) && outbox.push(frame(1)));
        assert!(inbox.ready().is_some() && outbox.push(frame(1)));
        assert!(!outbox.push(frame(1)));
        assert!(inbox.ready().is_some() && !outbox.push(frame(1)), "nothing after a gap");
    }

    #[test]
    fn too_many_bytes_overflow() {
        let (outbox, mut inbox) = new(100, 10);
        assert!(outbox.push(frame(6)) && outbox.push(frame(4)));
        assert!(inbox.ready().is_some() && outbox.push(frame(6)));
        assert!(!outbox.push(frame(1)));
    }
}
