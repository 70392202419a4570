//! The queue of one member, bounded in messages and in bytes. A member whose queue overflows is dropped.

use axum::body::Bytes;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use tokio::sync::Notify;
use tokio::sync::mpsc::{self, Receiver, Sender};

struct Shared {
    /// Bytes in the queue.
    bytes: AtomicUsize,
    limit: usize,
    overflowed: AtomicBool,
    overflow: Notify,
}

/// The sending end of the queue of a member.
pub(crate) struct Outbox {
    frames: Sender<Bytes>,
    shared: Arc<Shared>,
}

/// The receiving end of the queue of a member.
pub struct Inbox {
    frames: Receiver<Bytes>,
    shared: Arc<Shared>,
}

/// Creates an empty queue for at most `messages` frames (0 counts as 1) and `bytes` bytes. Returns its sending and its
/// receiving end.
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
    /// Appends a frame without waiting. Returns `false` if the queue overflows, is closed, or has overflowed before:
    /// then the member gets nothing more, because a gap would be worse than a closed connection. Wakes the
    /// [`OverflowWatch`] of the queue then. Frames that were queued before can still be received.
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
    /// Waits for the next frame and removes it from the queue; `None` once the sending end is dropped and the
    /// queue is empty.
    pub(crate) async fn next(&mut self) -> Option<Bytes> {
        let frame = self.frames.recv().await?;
        self.shared.bytes.fetch_sub(frame.len(), Relaxed);
        Some(frame)
    }

    /// Removes and returns the next frame without waiting; `None` if there is none.
    pub fn try_next(&mut self) -> Option<Bytes> {
        let frame = self.frames.try_recv().ok()?;
        self.shared.bytes.fetch_sub(frame.len(), Relaxed);
        Some(frame)
    }

    /// Returns the bytes of the frames in the queue. After an overflow it also counts the frame that did not
    /// fit.
    pub fn waiting_bytes(&self) -> usize {
        self.shared.bytes.load(Relaxed)
    }

    /// Returns whether the queue has overflowed: the member gets nothing more and has to be disconnected.
    pub fn has_overflowed(&self) -> bool {
        self.shared.overflowed.load(Relaxed)
    }

    /// Returns a watch for the overflow of this queue. It does not borrow the inbox, so it can be used while
    /// frames are received.
    pub(crate) fn watch_overflow(&self) -> OverflowWatch {
        OverflowWatch(Arc::clone(&self.shared))
    }
}

/// Waits for the overflow of a queue.
pub(crate) struct OverflowWatch(Arc<Shared>);

impl OverflowWatch {
    /// Waits until the queue has overflowed; returns at once if it has. Only one task at a time may wait.
    pub(crate) async fn wait(&self) {
        while !self.0.overflowed.load(Relaxed) {
            self.0.overflow.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a frame of this number of bytes.
    fn frame(len: usize) -> Bytes {
        vec![0; len].into()
    }

    #[test]
    fn too_many_messages_overflow() {
        let (outbox, mut inbox) = new(2, 100);
        assert!(outbox.push(frame(1)) && outbox.push(frame(1)));
        assert!(inbox.try_next().is_some() && outbox.push(frame(1)));
        assert!(!outbox.push(frame(1)));
        assert!(inbox.try_next().is_some() && !outbox.push(frame(1)), "nothing after an overflow");
    }

    #[test]
    fn too_many_bytes_overflow() {
        let (outbox, mut inbox) = new(100, 10);
        assert!(outbox.push(frame(6)) && outbox.push(frame(4)));
        assert!(inbox.try_next().is_some() && outbox.push(frame(6)));
        assert!(!outbox.push(frame(1)));
    }
}
