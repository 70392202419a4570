//! What the server does with a request.

use crate::addresses::{Address, Addresses, Held, Traffic, What};
use crate::headers;
use crate::limits::Limits;
use crate::lobby::{self, Store};
use crate::metrics::{self, Metrics};
use crate::origin::{self, Origin};
use crate::page::{self, Page};
use crate::relay::{self, Hub};
use axum::Router;
use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{DefaultBodyLimit, Extension, Path, Request, State};
use axum::http::header::{CACHE_CONTROL, CONNECTION, CONTENT_TYPE, HeaderMap, SEC_WEBSOCKET_PROTOCOL};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state, map_response};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use pentarchy_net::wire::{CloseReason, PROTOCOL, TO_LEN};
use pentarchy_net::{RoomPass, StunServer, TableId};
use serde_json::json;
use std::future::ready;
use std::net::IpAddr;
use std::sync::Arc;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

/// Everything that requests share.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) limits: Arc<Limits>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) addresses: Arc<Addresses>,
    pub(crate) hub: Arc<Hub>,
    pub(crate) lobby: Arc<dyn Store>,
    pub(crate) page: Arc<Page>,
    /// What helps pages in different networks to find each other.
    pub(crate) stun: Arc<[StunServer]>,
    /// Cancelled when the server stops.
    pub(crate) stop: CancellationToken,
    /// The connections that are open.
    pub(crate) open: TaskTracker,
    /// Web sites, besides the own page, that may use the relay and the lobby.
    pub(crate) origins: Arc<[Origin]>,
    /// The reverse proxies whose `X-Forwarded-For` is trusted.
    pub(crate) proxies: Arc<[IpAddr]>,
}

/// Who asks.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) ip: IpAddr,
    /// Held as long as the connection, whatever becomes of it.
    pub(crate) connection: Arc<Connection>,
}

/// A connection, counted until it is dropped.
pub(crate) struct Connection {
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) _held: Option<Held>,
    /// The server waits for this when it stops.
    pub(crate) _tracked: TaskTrackerToken,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.metrics.connections.dec();
    }
}

impl Caller {
    /// The address that the limits count by.
    pub(crate) fn address(&self, app: &App, headers: &HeaderMap) -> Address {
        // Proxies append: the last entry of the last header line is the proxy's own, everything before it may be the
        // client's invention.
        let told = || {
            let last = headers.get_all("x-forwarded-for").iter().next_back()?;
            last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
        };
        let ip = if app.is_proxy(self.ip) { told().unwrap_or(self.ip) } else { self.ip };
        Address::from(ip)
    }
}

impl App {
    /// Whether connections from this address are those of a trusted reverse proxy, which speaks for many clients.
    pub(crate) fn is_proxy(&self, ip: IpAddr) -> bool {
        self.proxies.contains(&ip.to_canonical())
    }
}

/// All paths.
pub(crate) fn router(app: App) -> Router {
    let policy = headers::policy(&app.page);
    Router::new()
        .route("/health", get(health))
        .route("/api/ice", get(ice))
        .route("/api/tables", get(lobby::list))
        .route("/api/tables/{id}", get(lobby::get_one).put(lobby::put).delete(lobby::remove))
        .route("/relay/{id}", get(enter))
        .fallback(other)
        .layer(DefaultBodyLimit::max(app.limits.body_bytes))
        .layer(from_fn_with_state(app.clone(), guard))
        .layer(map_response(move |response: Response| ready(headers::add(policy.clone(), response))))
        .with_state(app)
}

/// The path of the listener for metrics.
pub(crate) fn metrics_router(app: App) -> Router {
    Router::new().route("/metrics", get(metrics)).with_state(app)
}

/// Checks every request before its handler sees it: the rate of its address, its origin, and the time that it takes. Handlers
/// get the [`Address`] as an extension.
async fn guard(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    mut request: Request,
    next: Next,
) -> Response {
    let refuse = |status, words: &'static str| {
        app.metrics.refused.inc();
        lobby::Refusal(status, words.into()).into_response()
    };
    let address = caller.address(&app, request.headers());
    let path = request.uri().path();
    let relay = path.starts_with("/relay/");
    let traffic = if relay || path.starts_with("/api/") { Traffic::Api } else { Traffic::Page };
    if !app.addresses.request(address, traffic) {
        return refuse(StatusCode::TOO_MANY_REQUESTS, "too many requests: wait a moment");
    }
    let reads = matches!(*request.method(), Method::GET | Method::HEAD) && !relay;
    if !reads && !origin::is_allowed(request.headers(), &app.origins) {
        return refuse(StatusCode::FORBIDDEN, "requests from other web sites are not allowed");
    }
    request.extensions_mut().insert(address);
    let begin = Instant::now();
    let answered = timeout(app.limits.request_time, next.run(request)).await;
    app.metrics.request_seconds.observe(begin.elapsed().as_secs_f64());
    match answered {
        Ok(response) => response,
        Err(_) => {
            let mut response = refuse(StatusCode::REQUEST_TIMEOUT, "the request took too long");
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            response
        }
    }
}

async fn health(State(app): State<App>) -> Response {
    if app.stop.is_cancelled() {
        return lobby_answer(StatusCode::SERVICE_UNAVAILABLE, "stopping");
    }
    lobby_answer(StatusCode::OK, "ok")
}

fn lobby_answer(status: StatusCode, word: &str) -> Response {
    lobby::answer(status, &json!({ "status": word, "version": env!("CARGO_PKG_VERSION") }))
}

async fn metrics(State(app): State<App>) -> Response {
    let Ok(text) = app.metrics.text() else {
        return page::plain(StatusCode::INTERNAL_SERVER_ERROR, "the metrics cannot be written");
    };
    let mut response = Response::new(Body::from(text));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(metrics::CONTENT_TYPE));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// `GET /api/ice`: the STUN servers that the operator has named.
async fn ice(State(app): State<App>) -> Response {
    lobby::answer(StatusCode::OK, &json!({ "servers": *app.stun }))
}

/// Whatever is not served elsewhere is the page's, except below the paths that programs ask.
async fn other(State(app): State<App>, request: Request) -> Response {
    let path = request.uri().path();
    if path.starts_with("/api/") || path.starts_with("/relay") {
        return lobby::Refusal(StatusCode::NOT_FOUND, "there is nothing here".into()).into_response();
    }
    app.page.answer(request.method(), path, request.headers())
}

/// The pass that a client offers as a subprotocol beside that of the relay.
fn pass(headers: &HeaderMap) -> Option<RoomPass> {
    let lines = headers.get_all(SEC_WEBSOCKET_PROTOCOL).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).find_map(|offered| RoomPass::from_text(offered.trim()))
}

/// `GET /relay/TABLE`: a WebSocket into the room of a table, for those who have its link.
async fn enter(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(address): Extension<Address>,
    Path(id): Path<String>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let proxied = app.is_proxy(caller.ip);
    let held = if proxied { app.addresses.hold(address, What::Connection) } else { None };
    if proxied && held.is_none() {
        app.metrics.refused.inc();
        return page::plain(StatusCode::TOO_MANY_REQUESTS, "too many connections: wait a moment");
    }
    let Ok(table) = id.parse::<TableId>() else {
        return page::plain(StatusCode::NOT_FOUND, "the name of a table is 26 letters and digits");
    };
    if !relay::may_enter(pass(&headers).as_ref(), &table) {
        app.metrics.refused.inc();
        return page::plain(StatusCode::FORBIDDEN, "show the pass of this table: its link has it");
    }
    let largest = app.limits.message_bytes + TO_LEN;
    upgrade
        .protocols([PROTOCOL])
        .max_message_size(largest)
        .max_frame_size(largest)
        // Small buffers: most connections are idle most of the time.
        .read_buffer_size(4 * 1024)
        .write_buffer_size(4 * 1024)
        .max_write_buffer_size(2 * largest + 64 * 1024)
        .on_upgrade(async move |socket| {
            let _held = (held, caller.connection);
            let entered = match app.stop.is_cancelled() {
                false => app.hub.enter(table, address),
                true => Err(CloseReason::Away),
            };
            match entered {
                Ok(seated) => relay::run(socket, seated, app.stop.child_token()).await,
                // A browser is not told the status of a refused upgrade, but it is told this.
                Err(why) => {
                    app.metrics.refused.inc();
                    tracing::info!(?table, why = why.text(), "refused");
                    relay::close(socket, why).await;
                }
            }
        })
}
