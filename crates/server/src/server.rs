//! The socket, and the connections that come in by it.

use crate::addresses::{Address, Addresses, What};
use crate::app::{self, App, Caller, Connection};
use crate::limits::Limits;
use crate::lobby::{Memory, Store};
use crate::metrics::Metrics;
use crate::origin::Origin;
use crate::page::Page;
use crate::relay::Hub;
use crate::timed::Timed;
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use pentarchy_net::StunServer;
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{interval, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How a server is set up.
pub struct Config {
    /// The address to listen at.
    pub host: IpAddr,
    /// The port; 0 takes any that is free.
    pub port: u16,
    /// What nobody may have too much of.
    pub limits: Limits,
    /// The page.
    pub page: Page,
    /// Where the lobby is kept.
    pub lobby: Arc<dyn Store>,
    /// The reverse proxies in front of this server: requests from these addresses are counted by what the proxy says in
    /// `X-Forwarded-For`. The header is ignored in all other requests.
    pub proxies: Vec<IpAddr>,
    /// Web sites, besides the page of this server, whose pages may use the relay and the lobby.
    pub origins: Vec<Origin>,
    /// The address of a second listener that serves `/metrics` and nothing else. It has no limits: keep it private.
    pub metrics: Option<SocketAddr>,
    /// Servers that tell pages their own addresses, so that pages in different networks find direct ways to each other.
    /// None unless somebody names them: whoever runs one sees who plays when.
    pub stun: Vec<StunServer>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            host: Ipv4Addr::LOCALHOST.into(),
            port: 7878,
            limits: Limits::default(),
            page: Page::embedded(),
            lobby: Arc::new(Memory::default()),
            proxies: Vec::new(),
            origins: Vec::new(),
            metrics: None,
            stun: Vec::new(),
        }
    }
}

/// Why a server cannot run.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    /// Somebody else listens there.
    #[error("the port is taken: something else listens at {0}")]
    Taken(SocketAddr),
    /// It cannot listen there.
    #[error("cannot listen at {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The runtime cannot be started.
    #[error("cannot start: {0}")]
    Start(io::Error),
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    metrics: Option<(TcpListener, SocketAddr)>,
    app: App,
}

impl Server {
    /// Listens. From now on connections wait, and [`Server::run`] serves them.
    pub async fn bind(config: Config) -> Result<Self, Failed> {
        let (listener, address) = listen(SocketAddr::new(config.host, config.port)).await?;
        let metrics_listener = match config.metrics {
            Some(wanted) => Some(listen(wanted).await?),
            None => None,
        };
        let (limits, metrics) = (Arc::new(config.limits), Arc::new(Metrics::default()));
        let addresses = Addresses::new(Arc::clone(&limits));
        let hub = Hub::new(Arc::clone(&limits), Arc::clone(&metrics), Arc::clone(&addresses));
        let app = App {
            limits,
            metrics,
            addresses,
            hub,
            lobby: config.lobby,
            page: Arc::new(config.page),
            stun: config.stun.into(),
            stop: CancellationToken::new(),
            open: TaskTracker::new(),
            origins: config.origins.into(),
            proxies: config.proxies.into(),
        };
        Ok(Self { listener, address, metrics: metrics_listener, app })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where it serves metrics, if it does.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().map(|(_, address)| *address)
    }

    /// Serves until `stop` is ready; then takes no more connections, sends the members of rooms a goodbye, and ends
    /// when the last connection does, or when their grace is over.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let Self { listener, address, metrics, app } = self;
        let router = app::router(app.clone());
        let mut tasks = vec![tokio::spawn(sweep(app.clone()))];
        if let Some((listener, address)) = metrics {
            tracing::info!(%address, "serving metrics");
            tasks.push(tokio::spawn(serve_metrics(app.clone(), listener)));
        }
        tracing::info!(%address, page = !app.page.is_placeholder(), "listening");
        let mut stop = std::pin::pin!(stop);
        loop {
            tokio::select! {
                (stream, peer) = accept(&listener) => admit(&app, &router, stream, peer),
                () = &mut stop => break,
            }
        }
        drop(listener);
        tracing::info!(connections = app.open.len(), "stopping");
        app.stop.cancel();
        for task in tasks {
            task.abort();
        }
        app.open.close();
        let in_time = timeout(app.limits.grace, app.open.wait()).await.is_ok();
        tracing::info!(in_time, "stopped");
    }
}

/// Binds a listener. Returns it with its address, which differs from `wanted` if that has port 0.
async fn listen(wanted: SocketAddr) -> Result<(TcpListener, SocketAddr), Failed> {
    let listener = TcpListener::bind(wanted).await.map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => Failed::Taken(wanted),
        _ => Failed::Listen(wanted, error),
    })?;
    let address = listener.local_addr().map_err(|error| Failed::Listen(wanted, error))?;
    Ok((listener, address))
}

/// The next connection and the address of its other end.
async fn accept(listener: &TcpListener) -> (TcpStream, IpAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => return (stream, peer.ip()),
            Err(error) => {
                // Out of file descriptors, most likely: some will be free again soon.
                tracing::warn!(%error, "cannot accept");
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

/// Serves a connection in a task of its own, if there is room for it.
fn admit(app: &App, router: &Router, stream: TcpStream, ip: IpAddr) {
    let metrics = &app.metrics;
    let full = app.open.len() >= app.limits.connections;
    let held = app.addresses.hold(Address::from(ip), What::Connection);
    if full || held.is_none() && !app.is_proxy(ip) {
        metrics.refused.inc();
        return;
    }
    metrics.accepted.inc();
    metrics.connections.inc();
    let held = held.filter(|_| !app.is_proxy(ip));
    let connection =
        Arc::new(Connection { metrics: Arc::clone(metrics), _held: held, _tracked: app.open.token() });
    let caller = Caller { ip, connection };
    let (router, metrics) = (TowerToHyperService::new(router.clone()), Arc::clone(metrics));
    let service = service_fn(move |request: Request<Incoming>| {
        metrics.requests.inc();
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(caller.clone());
        router.call(request)
    });
    tokio::spawn(converse(app.clone(), stream, service));
}

/// Serves metrics, without counting these connections among those of the players.
async fn serve_metrics(app: App, listener: TcpListener) {
    let router = TowerToHyperService::new(app::metrics_router(app.clone()));
    loop {
        let (stream, _) = accept(&listener).await;
        let router = router.clone();
        let service = service_fn(move |request: Request<Incoming>| router.call(request.map(Body::new)));
        tokio::spawn(converse(app.clone(), stream, service));
    }
}

/// Answers the requests of a connection until it ends, is too slow, or the server stops.
async fn converse<S>(app: App, stream: TcpStream, service: S)
where
    S: Service<Request<Incoming>, Response = Response, Error = Infallible>,
    S::Future: Send + 'static,
{
    stream.set_nodelay(true).ok();
    let stream = Timed::new(stream, app.limits.write_stall, app.limits.write_rate);
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(app.limits.patience)
        .max_buf_size(16 * 1024)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut serving = std::pin::pin!(serving);
    // An error of a connection is the other side's problem.
    tokio::select! {
        _ = &mut serving => {}
        () = app.stop.cancelled() => {
            serving.as_mut().graceful_shutdown();
            serving.await.ok();
        }
    }
}

/// Forgets what nobody uses any more, now and then.
async fn sweep(app: App) {
    let mut clock = interval(Duration::from_secs(30));
    loop {
        clock.tick().await;
        app.addresses.sweep();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        if let Ok(left) = app.lobby.sweep(now).await {
            app.metrics.listings.set(left as i64);
        }
    }
}
