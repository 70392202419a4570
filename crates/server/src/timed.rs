//! A stream whose writes time out when the peer reads too slowly.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// Fails a write with [`io::ErrorKind::TimedOut`] if the peer does not keep up.
///
/// While data waits to be written, the peer has a time budget of at most `stall`. Waiting uses it up, and each byte
/// that is written earns `1 / bytes_per_second` seconds. So a peer that stops reading is dropped after `stall`, and
/// so is one that reads single bytes to look alive. Reads and idle connections are not limited here.
pub(crate) struct Timed<S> {
    stream: S,
    stall: Duration,
    bytes_per_second: u64,
    /// When the budget is used up. Set while data waits to be written.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl<S> Timed<S> {
    /// Wraps a stream. `stall` is the longest time that a write may wait, `bytes_per_second` the slowest
    /// acceptable rate (0 counts as 1).
    pub(crate) fn new(stream: S, stall: Duration, bytes_per_second: u64) -> Self {
        Self { stream, stall, bytes_per_second: bytes_per_second.max(1), deadline: None }
    }

    /// Passes on the result of a write. The first pending one starts the deadline; later ones keep it.
    /// Written bytes extend a running deadline by what they earn, at most to the longest stall from now.
    ///
    /// # Errors
    ///
    /// Fails with `TimedOut` if the write is pending and the deadline has passed.
    fn charge(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match (&written, &mut self.deadline) {
            (Poll::Pending, deadline) => {
                let deadline = deadline.get_or_insert_with(|| Box::pin(sleep(self.stall)));
                ready!(deadline.as_mut().poll(cx));
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            }
            (Poll::Ready(Ok(bytes)), Some(deadline)) => {
                let earned = Duration::from_millis(*bytes as u64 * 1000 / self.bytes_per_second);
                let most = Instant::now() + self.stall;
                let extended = (deadline.deadline() + earned).min(most);
                deadline.as_mut().reset(extended);
                written
            }
            _ => written,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Timed<S> {
    /// Reads from the stream without a time limit.
    ///
    /// # Errors
    ///
    /// Fails with the error of the stream.
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Timed<S> {
    /// Writes to the stream, within the time budget.
    ///
    /// # Errors
    ///
    /// Fails with `TimedOut` if the budget is used up, and with the error of the stream.
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.charge(cx, written)
    }

    /// Writes several buffers to the stream, within the time budget.
    ///
    /// # Errors
    ///
    /// Fails with `TimedOut` if the budget is used up, and with the error of the stream.
    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.charge(cx, written)
    }

    /// Returns whether the stream writes several buffers at once efficiently.
    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Flushes the stream, and ends the time budget once that is complete: nothing waits any more. It has no
    /// timeout itself.
    ///
    /// # Errors
    ///
    /// Fails with the error of the stream.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.stream).poll_flush(cx))?;
        // Callers flush after they have written everything: nothing waits any more.
        self.deadline = None;
        Poll::Ready(Ok(()))
    }

    /// Shuts the stream down for writing, without a timeout.
    ///
    /// # Errors
    ///
    /// Fails with the error of the stream.
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    /// Writes 6,000 bytes to a peer that reads `chunk` bytes every 5 seconds; 10 bytes a second are the minimum. Returns the
    /// seconds that passed and whether everything was written. The clock is simulated.
    async fn write_to(chunk: usize) -> (u64, bool) {
        let (near, mut far) = duplex(100);
        let reader = tokio::spawn(async move {
            let mut buf = vec![0; chunk];
            loop {
                sleep(Duration::from_secs(5)).await;
                far.read_exact(&mut buf).await.unwrap();
            }
        });
        let begin = Instant::now();
        let mut timed = Timed::new(near, Duration::from_secs(10), 10);
        let written = timed.write_all(&[0; 6000]).await;
        reader.abort();
        assert!(written.as_ref().err().is_none_or(|error| error.kind() == io::ErrorKind::TimedOut));
        (begin.elapsed().as_secs(), written.is_ok())
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_reads_nothing_times_out() {
        assert_eq!(write_to(0).await, (10, false));
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_reads_single_bytes_times_out() {
        let (seconds, complete) = write_to(1).await;
        assert!(!complete && seconds < 15, "{seconds}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_just_above_the_minimum_gets_everything() {
        let (seconds, complete) = write_to(60).await;
        assert!(complete && seconds >= 490, "{seconds}");
    }
}
