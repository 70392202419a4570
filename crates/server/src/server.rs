//! The listener, and its connections.

use crate::addresses::{Address, Addresses, Resource};
use crate::app::{self, App, Caller, Connection};
use crate::limits::Limits;
use crate::metrics::Metrics;
#[cfg(feature = "sqlite")]
use crate::open_tables::DatabaseStore;
use crate::open_tables::{MemoryStore, TableStore};
use crate::origin::Origin;
use crate::page::PageFiles;
use crate::relay::Hub;
#[cfg(feature = "sqlite")]
use crate::relay::RoomMoves;
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
#[cfg(feature = "sqlite")]
use pentarchy_storage::{DatabaseLocation, SqlStorage};
use pentarchy_storage::{MemoryStorage, Storage, StorageError};
#[cfg(feature = "sqlite")]
use prometheus_client::registry::Registry;
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

/// Where a server stores the mail of tables.
pub enum MailboxConfig {
    /// Nowhere: posts are refused.
    Off,
    /// In this storage.
    Storage(Arc<dyn Storage>),
    /// In the database of the server.
    #[cfg(feature = "sqlite")]
    Database,
}

/// What a server has opened.
struct OpenStorage {
    mail: Option<Arc<dyn Storage>>,
    /// The routes of the extensions.
    routes: Router,
    /// The database, if something other than the mailbox uses it, too.
    database: Option<Arc<dyn Storage>>,
    /// What other processes of the server share, if there may be any.
    #[cfg(feature = "sqlite")]
    shared: Option<(Arc<dyn TableStore>, RoomMoves)>,
}

#[cfg(feature = "sqlite")]
impl OpenStorage {
    /// Opens the database of a configuration if the mailbox or an extension uses it, and starts the extensions with it.
    /// Takes the mailbox and the extensions out of the configuration. Other
    /// processes may share a database of PostgreSQL.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be opened, or is used and not named.
    async fn open(
        config: &mut ServerConfig,
        metrics: &mut Metrics,
        stop: &CancellationToken,
        tasks: &TaskTracker,
    ) -> Result<Self, StorageError> {
        let mailbox = std::mem::replace(&mut config.mailbox, MailboxConfig::Off);
        let extensions = std::mem::take(&mut config.extensions);
        let database = if !extensions.is_empty() || matches!(mailbox, MailboxConfig::Database) {
            let unnamed = || StorageError::Unavailable("no database is named".into());
            Some(Arc::new(config.database.as_ref().ok_or_else(unnamed)?.open().await?))
        } else {
            None
        };
        let mail = match mailbox {
            MailboxConfig::Off => None,
            MailboxConfig::Storage(storage) => Some(storage),
            MailboxConfig::Database => database.clone().map(|storage| storage as Arc<dyn Storage>),
        };
        let shared = match database.as_ref().filter(|storage| storage.is_shared()) {
            Some(storage) => {
                let open_tables: Arc<dyn TableStore> = Arc::new(DatabaseStore(Arc::clone(storage)));
                Some((open_tables, RoomMoves::new(Arc::clone(storage)).await?))
            }
            None => None,
        };
        let mut routes = Router::new();
        for (create, storage) in extensions.into_iter().zip(database.iter().cycle()) {
            routes = routes.merge(create(ExtensionHost {
                storage: Arc::clone(storage),
                metrics: &mut metrics.registry,
                stop: stop.clone(),
                tasks: tasks.clone(),
            }));
        }
        Ok(Self { mail, routes, database: database.map(|storage| storage as Arc<dyn Storage>), shared })
    }
}

#[cfg(not(feature = "sqlite"))]
impl OpenStorage {
    /// Returns the storage of a configuration, and takes it out of it. There are no extensions in this build.
    ///
    /// # Errors
    ///
    /// Never fails: this build has no database.
    async fn open(
        config: &mut ServerConfig,
        _: &mut Metrics,
        _: &CancellationToken,
        _: &TaskTracker,
    ) -> Result<Self, StorageError> {
        let mail = match std::mem::replace(&mut config.mailbox, MailboxConfig::Off) {
            MailboxConfig::Off => None,
            MailboxConfig::Storage(storage) => Some(storage),
        };
        Ok(Self { mail, routes: Router::new(), database: None })
    }
}

/// What a server gives to an extension.
#[cfg(feature = "sqlite")]
pub struct ExtensionHost<'a> {
    /// The database of the server.
    pub storage: Arc<SqlStorage>,
    /// Where the extension registers its metrics. Their names get the prefix `pentarchy`.
    pub metrics: &'a mut Registry,
    /// Cancelled when the server stops.
    pub stop: CancellationToken,
    /// For tasks of the extension, which must end soon after `stop` is cancelled. The server waits for them for the grace
    /// period before it closes the database.
    pub tasks: TaskTracker,
}

/// Starts a component that a server also serves, and returns its routes. All their paths begin with one of
/// [`EXTENSION_PATHS`](crate::EXTENSION_PATHS). The server counts their requests against the limits of the address, and
/// rejects those of other web sites that change something. It is called within the runtime of the server.
#[cfg(feature = "sqlite")]
pub type ExtensionFactory = Box<dyn FnOnce(ExtensionHost<'_>) -> Router + Send>;

/// The configuration of a server.
pub struct ServerConfig {
    /// The IP address to listen on.
    pub host: IpAddr,
    /// The port; 0 for any free one.
    pub port: u16,
    /// The resource limits.
    pub limits: Limits,
    /// The page.
    pub page: PageFiles,
    /// The store of open tables. Without it they are in the database if that is one of PostgreSQL, which several
    /// processes can share, and in memory otherwise.
    pub open_tables: Option<Arc<dyn TableStore>>,
    /// Where the mail of tables is stored.
    pub mailbox: MailboxConfig,
    /// The database of the mailbox and of the extensions.
    #[cfg(feature = "sqlite")]
    pub database: Option<DatabaseLocation>,
    /// Further components, which need the database.
    #[cfg(feature = "sqlite")]
    pub extensions: Vec<ExtensionFactory>,
    /// The reverse proxies in front of this server. For requests from these addresses the limits count by
    /// `X-Forwarded-For`; for all others the header is ignored.
    pub proxies: Vec<IpAddr>,
    /// Web sites, besides the page of this server, whose pages may use the relay and the list of open tables.
    pub origins: Vec<Origin>,
    /// The address of a second listener that serves `/metrics` and nothing else. It has no limits: keep it private.
    pub metrics: Option<SocketAddr>,
    /// STUN servers for direct connections between pages in different networks. None by default: the operator of a STUN
    /// server sees who plays when.
    pub stun: Vec<StunServer>,
}

impl Default for ServerConfig {
    /// Returns the configuration of a server for this machine alone: port 7878 at 127.0.0.1, the default
    /// limits, the embedded page, open tables and mail in memory, no extensions, proxies, origins, metrics or STUN servers.
    fn default() -> Self {
        Self {
            host: Ipv4Addr::LOCALHOST.into(),
            port: 7878,
            limits: Limits::default(),
            page: PageFiles::embedded(),
            open_tables: None,
            mailbox: MailboxConfig::Storage(Arc::new(MemoryStorage::default())),
            #[cfg(feature = "sqlite")]
            database: None,
            #[cfg(feature = "sqlite")]
            extensions: Vec::new(),
            proxies: Vec::new(),
            origins: Vec::new(),
            metrics: None,
            stun: Vec::new(),
        }
    }
}

/// Why a server cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Another program listens on the port.
    #[error("the port is taken: something else listens at {0}")]
    Taken(SocketAddr),
    /// Another program listens on the address of the metrics.
    #[error("the address of the metrics is taken: something else listens at {0}")]
    MetricsTaken(SocketAddr),
    /// The address cannot be bound.
    #[error("cannot listen at {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The storage cannot be opened.
    #[error("the storage cannot be used: {0}")]
    Storage(StorageError),
    /// The runtime cannot be started.
    #[error("cannot start: {0}")]
    Start(io::Error),
}

/// A server that listens and does not serve yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    metrics: Option<(TcpListener, SocketAddr)>,
    app: App,
    routes: Router,
    /// Tasks of extensions.
    tasks: TaskTracker,
    database: Option<Arc<dyn Storage>>,
}

impl Server {
    /// Opens the storage and binds the listeners. Connections queue up until [`Server::run`] serves them. Must be
    /// called within a tokio runtime.
    ///
    /// # Errors
    ///
    /// Fails with `Storage` if the storage cannot be opened, `Taken` or `MetricsTaken` if an address is in use, and
    /// `Listen` if it cannot be bound for another reason.
    pub async fn bind(mut config: ServerConfig) -> Result<Self, ServerError> {
        let (mut metrics, stop, tasks) = (Metrics::default(), CancellationToken::new(), TaskTracker::new());
        // Without the server its extensions stop, too.
        let guard = stop.clone().drop_guard();
        let storage = OpenStorage::open(&mut config, &mut metrics, &stop, &tasks).await;
        let storage = storage.map_err(ServerError::Storage)?;
        let (listener, address) = listen(SocketAddr::new(config.host, config.port)).await?;
        let metrics_listener = match config.metrics {
            Some(wanted) => Some(listen(wanted).await.map_err(|error| match error {
                ServerError::Taken(address) => ServerError::MetricsTaken(address),
                other => other,
            })?),
            None => None,
        };
        let (limits, metrics) = (Arc::new(config.limits), Arc::new(metrics));
        let addresses = Addresses::new(Arc::clone(&limits));
        #[cfg(feature = "sqlite")]
        let (shared_tables, moves) = storage.shared.unzip();
        #[cfg(not(feature = "sqlite"))]
        let shared_tables = None;
        let in_memory = || Arc::new(MemoryStore::default()) as Arc<dyn TableStore>;
        let open_tables = config.open_tables.or(shared_tables).unwrap_or_else(in_memory);
        let hub = Hub::new(
            Arc::clone(&limits),
            Arc::clone(&metrics),
            Arc::clone(&addresses),
            storage.mail,
            #[cfg(feature = "sqlite")]
            moves,
        );
        let app = App {
            limits,
            metrics,
            addresses,
            hub,
            open_tables,
            page: Arc::new(config.page),
            stun: config.stun.into(),
            stop,
            connections: TaskTracker::new(),
            origins: config.origins.into(),
            proxies: config.proxies.into(),
        };
        let (routes, database) = (storage.routes, storage.database);
        guard.disarm();
        Ok(Self { listener, address, metrics: metrics_listener, app, routes, tasks, database })
    }

    /// Returns the address of the listener, with the real port if the configuration named port 0.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the address of the metrics listener; `None` if the configuration has none.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().map(|(_, address)| *address)
    }

    /// Serves until `stop` is ready. Then accepts no more connections, closes those of room members, finishes current
    /// requests, and drops mail that is not stored yet without an acknowledgement. Returns when the last connection has
    /// ended and the storage is closed. It waits for the connections, the tasks of extensions, the storage of mail and
    /// the database at most for the grace period of the limits each; what takes longer goes on in its tasks.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let Self { listener, address, metrics, app, routes, tasks: extensions, database } = self;
        let router = app::router(app.clone(), routes);
        let mut tasks = vec![tokio::spawn(sweep(app.clone()))];
        let hub = Arc::clone(&app.hub);
        tasks.push(tokio::spawn(async move { hub.store_mail().await }));
        #[cfg(feature = "sqlite")]
        {
            let hub = Arc::clone(&app.hub);
            tasks.push(tokio::spawn(async move { hub.follow_moves().await }));
        }
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
        tracing::info!(connections = app.connections.len(), "stopping");
        app.stop.cancel();
        for task in tasks {
            task.abort();
        }
        app.connections.close();
        let in_time = timeout(app.limits.shutdown_grace, app.connections.wait()).await.is_ok();
        extensions.close();
        timeout(app.limits.shutdown_grace, extensions.wait()).await.ok();
        timeout(app.limits.shutdown_grace, app.hub.close_mail()).await.ok();
        if let Some(database) = database {
            timeout(app.limits.shutdown_grace, database.close()).await.ok();
        }
        tracing::info!(in_time, "stopped");
    }
}

/// Binds a TCP listener. Returns it with its address, which has the real port if `wanted` has port 0.
///
/// # Errors
///
/// Fails with `Taken` if the address is in use, and with `Listen` if it cannot be bound for another reason.
async fn listen(wanted: SocketAddr) -> Result<(TcpListener, SocketAddr), ServerError> {
    let listener = TcpListener::bind(wanted).await.map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => ServerError::Taken(wanted),
        _ => ServerError::Listen(wanted, error),
    })?;
    let address = listener.local_addr().map_err(|error| ServerError::Listen(wanted, error))?;
    Ok((listener, address))
}

/// Waits for the next connection, and returns it with the IP address of the client or its proxy. Logs errors
/// and retries after 100 ms.
async fn accept(listener: &TcpListener) -> (TcpStream, IpAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => return (stream, peer.ip()),
            Err(error) => {
                // Most likely out of file descriptors; some will be closed soon.
                tracing::warn!(%error, "cannot accept");
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

/// Serves a connection in a task of its own. Drops it without an answer, and counts it as refused, if there are too
/// many connections in all or from its address. Connections of trusted proxies do not count against an address. `ip` is
/// the address of the client or its proxy. Each request is counted in the metrics.
fn admit(app: &App, router: &Router, stream: TcpStream, ip: IpAddr) {
    let metrics = &app.metrics;
    let full = app.connections.len() >= app.limits.connections;
    let reservation = app.addresses.reserve(Address::from(ip), Resource::Connection);
    if full || reservation.is_none() && !app.is_proxy(ip) {
        metrics.refused.inc();
        return;
    }
    metrics.accepted.inc();
    metrics.connections.inc();
    let reservation = reservation.filter(|_| !app.is_proxy(ip));
    let connection = Arc::new(Connection {
        metrics: Arc::clone(metrics),
        _reservation: reservation,
        _tracked: app.connections.token(),
    });
    let caller = Caller { ip, connection };
    let (router, metrics) = (TowerToHyperService::new(router.clone()), Arc::clone(metrics));
    let service = service_fn(move |request: Request<Incoming>| {
        metrics.requests.inc();
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(caller.clone());
        router.call(request)
    });
    tokio::spawn(serve_connection(app.clone(), stream, service));
}

/// Accepts connections and serves metrics on them until the future is dropped; connections that are open then are
/// served on. These connections count against no limit.
async fn serve_metrics(app: App, listener: TcpListener) {
    let router = TowerToHyperService::new(app::metrics_router(app.clone()));
    loop {
        let (stream, _) = accept(&listener).await;
        let router = router.clone();
        let service = service_fn(move |request: Request<Incoming>| router.call(request.map(Body::new)));
        tokio::spawn(serve_connection(app.clone(), stream, service));
    }
}

/// Serves the HTTP/1 requests of a connection, and the WebSocket that it may become, until it ends or reads or sends
/// too slowly. When the server stops, the current request is finished first. Errors concern only the client and are
/// ignored.
async fn serve_connection<S>(app: App, stream: TcpStream, service: S)
where
    S: Service<Request<Incoming>, Response = Response, Error = Infallible>,
    S::Future: Send + 'static,
{
    stream.set_nodelay(true).ok();
    let stream = Timed::new(stream, app.limits.write_stall, app.limits.write_rate);
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(app.limits.io_timeout)
        .max_buf_size(16 * 1024)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut serving = std::pin::pin!(serving);
    // Errors of a connection concern only the client.
    tokio::select! {
        _ = &mut serving => {}
        () = app.stop.cancelled() => {
            serving.as_mut().graceful_shutdown();
            serving.await.ok();
        }
    }
}

/// Removes unused addresses, expired entries of the list and old mail every 30 seconds, at once for the first time,
/// and updates the metrics of listed tables and of mail. If a store fails, its figures stay. Runs until the future is
/// dropped.
async fn sweep(app: App) {
    let mut clock = interval(Duration::from_secs(30));
    loop {
        clock.tick().await;
        app.addresses.sweep();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        if let Ok(left) = app.open_tables.sweep(now).await {
            app.metrics.listings.set(left as i64);
        }
        app.hub.sweep_mail().await;
    }
}
