//! Servers for those who do not wait themselves.

use crate::server::{Config, Failed, Server};
use std::net::SocketAddr;
use std::thread::{self, JoinHandle};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;

/// Serves until the process is told to stop (SIGINT or SIGTERM). `ready` is told the address.
pub fn serve(config: Config, ready: impl FnOnce(SocketAddr)) -> Result<(), Failed> {
    raise_descriptors();
    let runtime = runtime()?;
    runtime.block_on(async {
        let server = Server::bind(config).await?;
        ready(server.address());
        server.run(told_to_stop()).await;
        Ok(())
    })
}

/// A server on a thread of its own: it stops when this is dropped.
pub struct Background {
    address: SocketAddr,
    metrics_address: Option<SocketAddr>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Background {
    /// Starts a server; it listens when this returns.
    pub fn start(config: Config) -> Result<Self, Failed> {
        let runtime = runtime()?;
        let server = runtime.block_on(Server::bind(config))?;
        let (address, metrics_address) = (server.address(), server.metrics_address());
        let (stop, stopped) = oneshot::channel();
        let run = move || {
            runtime.block_on(server.run(async {
                // Dropping the other end means the same.
                stopped.await.ok();
            }));
        };
        let thread = thread::Builder::new().name("server".into()).spawn(run).map_err(Failed::Start)?;
        Ok(Self { address, metrics_address, stop: Some(stop), thread: Some(thread) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where it serves metrics, if it does.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics_address
    }

    /// Stops it and waits until it has stopped.
    pub fn stop(self) {}
}

impl Drop for Background {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().ok();
        }
    }
}

fn runtime() -> Result<Runtime, Failed> {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(Failed::Start)
}

#[cfg(unix)]
async fn told_to_stop() {
    use tokio::signal::unix::{SignalKind, signal};
    let one = async |kind| match signal(kind) {
        Ok(mut signal) => {
            signal.recv().await;
        }
        Err(error) => {
            tracing::warn!(%error, "cannot hear a signal");
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = one(SignalKind::interrupt()) => {}
        () = one(SignalKind::terminate()) => {}
    }
}

#[cfg(not(unix))]
async fn told_to_stop() {
    tokio::signal::ctrl_c().await.ok();
}

/// A connection is a descriptor, and the usual limit of a thousand is soon reached: takes as many as it may.
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
