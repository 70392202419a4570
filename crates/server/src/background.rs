//! Servers for callers without an async runtime.

use crate::server::{Server, ServerConfig, ServerError};
use std::net::SocketAddr;
use std::thread::{self, JoinHandle};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;

/// Serves until SIGINT or SIGTERM (Ctrl-C where there are no signals), and returns when the server has stopped. Calls
/// `ready` once with the address of the listener, before the first request is served; after an error it is not called.
/// Raises the process's limit of file descriptors. Must not be called within an async runtime, in which it panics.
///
/// # Errors
///
/// Fails with `Start` if the runtime cannot be started, `Storage` if the storage cannot be opened, `Taken` or
/// `MetricsTaken` if an address is in use, and `Listen` if it cannot be bound for another reason.
pub fn serve(config: ServerConfig, ready: impl FnOnce(SocketAddr)) -> Result<(), ServerError> {
    raise_descriptors();
    let runtime = runtime()?;
    runtime.block_on(async {
        let server = Server::bind(config).await?;
        ready(server.address());
        server.run(stop_signal()).await;
        Ok(())
    })
}

/// A server on a thread of its own. It stops when it is dropped.
pub struct BackgroundServer {
    address: SocketAddr,
    metrics_address: Option<SocketAddr>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl BackgroundServer {
    /// Starts a server on a thread of its own. It listens when this returns, and stops when the result is dropped. Must
    /// not be called within an async runtime, in which it panics. Does not react to signals.
    ///
    /// # Errors
    ///
    /// Fails with `Start` if the runtime or thread cannot be started, `Storage` if the storage cannot be opened,
    /// `Taken` or `MetricsTaken` if an address is in use, and `Listen` if it cannot be bound for another reason.
    pub fn start(config: ServerConfig) -> Result<Self, ServerError> {
        let runtime = runtime()?;
        let server = runtime.block_on(Server::bind(config))?;
        let (address, metrics_address) = (server.address(), server.metrics_address());
        let (stop, stopped) = oneshot::channel();
        let run = move || {
            runtime.block_on(server.run(async {
                // An error means that the sender was dropped, which is the signal to stop.
                stopped.await.ok();
            }));
        };
        let thread = thread::Builder::new().name("server".into()).spawn(run).map_err(ServerError::Start)?;
        Ok(Self { address, metrics_address, stop: Some(stop), thread: Some(thread) })
    }

    /// Returns the address of the listener, with the real port if the configuration named port 0.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the address of the metrics listener; `None` if the configuration has none.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics_address
    }

    /// Stops the server and blocks until it has stopped: at most for about four times the grace period of the limits,
    /// for connections, extensions, mail and database. Dropping the server does the same.
    pub fn stop(self) {}
}

impl Drop for BackgroundServer {
    /// Tells the server to stop, and blocks until its thread has ended.
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().ok();
        }
    }
}

/// Creates an async runtime with two worker threads, timers and I/O.
///
/// # Errors
///
/// Fails with `Start` if the operating system does not allow it.
fn runtime() -> Result<Runtime, ServerError> {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(ServerError::Start)
}

/// Waits for SIGINT or SIGTERM. If the handler of one of them cannot be installed, logs a warning and waits for the
/// other one only.
#[cfg(unix)]
async fn stop_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let one = async |kind| match signal(kind) {
        Ok(mut signal) => {
            signal.recv().await;
        }
        Err(error) => {
            tracing::warn!(%error, "cannot install a signal handler");
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = one(SignalKind::interrupt()) => {}
        () = one(SignalKind::terminate()) => {}
    }
}

/// Waits for Ctrl-C. Returns at once if the handler cannot be installed.
#[cfg(not(unix))]
async fn stop_signal() {
    tokio::signal::ctrl_c().await.ok();
}

/// Raises the soft limit of file descriptors of this process to the hard limit, if the system allows it:
/// every connection needs one, and the usual soft limit is about a thousand. Errors are ignored; does nothing
/// except on Unix.
fn raise_descriptors() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        if limit.current < limit.maximum {
            limit.current = limit.maximum;
            setrlimit(Resource::Nofile, limit).ok();
        }
    }
}
