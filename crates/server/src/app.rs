//! Routing of requests, and the checks before their handlers.

use crate::addresses::{Address, Addresses, Reservation, Resource, Traffic};
use crate::headers;
use crate::limits::Limits;
use crate::metrics::{self, Metrics};
use crate::open_tables::{self, TableStore};
use crate::origin::{self, Origin};
use crate::page::{self, PageFiles};
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

/// The state that all requests share.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) limits: Arc<Limits>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) addresses: Arc<Addresses>,
    pub(crate) hub: Arc<Hub>,
    pub(crate) open_tables: Arc<dyn TableStore>,
    pub(crate) page: Arc<PageFiles>,
    /// STUN servers for direct connections between pages.
    pub(crate) stun: Arc<[StunServer]>,
    /// Cancelled when the server stops.
    pub(crate) stop: CancellationToken,
    /// The open connections.
    pub(crate) connections: TaskTracker,
    /// Web sites, besides the page of this server, that may use the relay and the list of open tables.
    pub(crate) origins: Arc<[Origin]>,
    /// The reverse proxies whose `X-Forwarded-For` is trusted.
    pub(crate) proxies: Arc<[IpAddr]>,
}

/// The sender of a request.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) ip: IpAddr,
    /// Shared by all requests of the connection, and by the WebSocket that it may become.
    pub(crate) connection: Arc<Connection>,
}

/// A connection. It counts against the limits until it is dropped.
pub(crate) struct Connection {
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) _reservation: Option<Reservation>,
    /// The server waits for it during shutdown.
    pub(crate) _tracked: TaskTrackerToken,
}

impl Drop for Connection {
    /// Counts one open connection less in the metrics.
    fn drop(&mut self) {
        self.metrics.connections.dec();
    }
}

impl Caller {
    /// Returns the address that the limits count by. For a connection from a trusted proxy it is the last entry of the
    /// last `X-Forwarded-For` header, or the proxy's own if that is missing or malformed; otherwise the header is
    /// ignored. It may be any address that the proxy states; the caller counts IPv6 by its /64 network.
    pub(crate) fn address(&self, app: &App, headers: &HeaderMap) -> Address {
        // Proxies append: the last entry of the last header line is from the proxy. A client may forge everything before
        // it.
        let forwarded = || {
            let last = headers.get_all("x-forwarded-for").iter().next_back()?;
            last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
        };
        let ip = if app.is_proxy(self.ip) { forwarded().unwrap_or(self.ip) } else { self.ip };
        Address::from(ip)
    }
}

impl App {
    /// Returns whether `ip` is one of the configured reverse proxies, which forward requests of many clients.
    /// An IPv4 address counts as itself when it is mapped to IPv6.
    pub(crate) fn is_proxy(&self, ip: IpAddr) -> bool {
        self.proxies.contains(&ip.to_canonical())
    }
}

/// All paths of extensions of the server begin like one of these.
pub const EXTENSION_PATHS: [&str; 2] = ["/api/club/", "/api/notify/"];

/// Creates the router of the public listener, with its limits, checks and headers. `routes` are those of the
/// extensions: the server's limit of the body does not apply to them, but the rate limits, the check of the origin,
/// timeouts and headers do. Every request must carry a [`Caller`] as an extension of the request.
pub(crate) fn router(app: App, routes: Router) -> Router {
    let policy = headers::policy(&app.page);
    let own = Router::new()
        .route("/health", get(health))
        .route("/api/ice", get(ice))
        .route("/api/tables", get(open_tables::list))
        .route(
            "/api/tables/{id}",
            get(open_tables::get_one).put(open_tables::put).delete(open_tables::remove),
        )
        .route("/relay/{id}", get(enter_room))
        .fallback(serve_page)
        .layer(DefaultBodyLimit::max(app.limits.body_bytes))
        .with_state(app.clone());
    own.merge(routes)
        .layer(from_fn_with_state(app, check_request))
        .layer(map_response(move |response: Response| ready(headers::add_headers(policy.clone(), response))))
}

/// Creates the router of the metrics listener, which serves `/metrics` without limits and checks; everything else is
/// 404.
pub(crate) fn metrics_router(app: App) -> Router {
    Router::new().route("/metrics", get(metrics)).with_state(app)
}

/// Checks a request before its handler runs: 429 if the rate of the address is used up, 403 if a request that changes
/// something or enters a room comes from a web site that is not allowed ([`origin::is_allowed`]), 408 if the handler
/// takes longer than the request timeout (then the connection is closed). Requests that change something in an
/// extension have their own rate and timeout. Middleware: handlers get the [`Address`] as an extension. Rejections and
/// the time of handlers are counted in the metrics.
async fn check_request(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    mut request: Request,
    next: Next,
) -> Response {
    let reject = |status, words: &'static str| {
        app.metrics.refused.inc();
        open_tables::ErrorResponse(status, words.into()).into_response()
    };
    let address = caller.address(&app, request.headers());
    let path = request.uri().path();
    let relay = path.starts_with("/relay/");
    let reads = matches!(*request.method(), Method::GET | Method::HEAD) && !relay;
    let publishes = !reads && EXTENSION_PATHS.iter().any(|prefix| path.starts_with(prefix));
    let traffic = match () {
        () if publishes => Traffic::Publish,
        () if relay || path.starts_with("/api/") => Traffic::Api,
        () => Traffic::Page,
    };
    if !app.addresses.admit_request(address, traffic) {
        return reject(StatusCode::TOO_MANY_REQUESTS, "too many requests: wait a moment");
    }
    if !reads && !origin::is_allowed(request.headers(), &app.origins) {
        return reject(StatusCode::FORBIDDEN, "requests from other web sites are not allowed");
    }
    request.extensions_mut().insert(address);
    let begin = Instant::now();
    let patience = if publishes { app.limits.publish_timeout } else { app.limits.request_timeout };
    let response = timeout(patience, next.run(request)).await;
    app.metrics.request_seconds.observe(begin.elapsed().as_secs_f64());
    match response {
        Ok(response) => response,
        Err(_) => {
            let mut response = reject(StatusCode::REQUEST_TIMEOUT, "the request took too long");
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            response
        }
    }
}

/// Answers `GET /health` with JSON that has the version of the server: status 200 and `ok`, or 503 and `stopping` while
/// the server stops.
async fn health(State(app): State<App>) -> Response {
    if app.stop.is_cancelled() {
        return status_response(StatusCode::SERVICE_UNAVAILABLE, "stopping");
    }
    status_response(StatusCode::OK, "ok")
}

/// Creates a JSON response with this HTTP status that is not cached; its fields are `status`, the word, and
/// `version`, that of the server.
fn status_response(status: StatusCode, word: &str) -> Response {
    open_tables::json_response(status, &json!({ "status": word, "version": env!("CARGO_PKG_VERSION") }))
}

/// Answers `GET /metrics` with all metrics in the OpenMetrics text format, not cached. The status is 500 if they
/// cannot be formatted.
async fn metrics(State(app): State<App>) -> Response {
    let Ok(text) = app.metrics.text() else {
        return page::text_response(StatusCode::INTERNAL_SERVER_ERROR, "the metrics cannot be written");
    };
    let mut response = Response::new(Body::from(text));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(metrics::CONTENT_TYPE));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Answers `GET /api/ice` with the STUN servers that the operator has named, in their order, as JSON in `servers`; the
/// list may be empty.
async fn ice(State(app): State<App>) -> Response {
    open_tables::json_response(StatusCode::OK, &json!({ "servers": *app.stun }))
}

/// Answers every request that no other route takes: a file of the page, or 404 in JSON if the path begins with `/api/`
/// or `/relay`. Methods other than GET and HEAD get 405.
async fn serve_page(State(app): State<App>, request: Request) -> Response {
    let path = request.uri().path();
    if path.starts_with("/api/") || path.starts_with("/relay") {
        return open_tables::ErrorResponse(StatusCode::NOT_FOUND, "there is nothing here".into())
            .into_response();
    }
    app.page.respond(request.method(), path, request.headers())
}

/// Returns the first pass that a client offers as a WebSocket subprotocol, in any of its headers; `None` if it offers
/// none. Which table it opens is not checked.
fn offered_pass(headers: &HeaderMap) -> Option<RoomPass> {
    let lines = headers.get_all(SEC_WEBSOCKET_PROTOCOL).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).find_map(|offered| RoomPass::from_text(offered.trim()))
}

/// Answers `GET /relay/TABLE`: upgrades to a WebSocket in the relay room of a table, and serves the member until it
/// leaves. Behind a trusted proxy the WebSocket counts as a connection of the client's address. Answers 429 if that
/// has too many, 404 for a malformed name and 403 without the pass of the table. A limit of the relay or a stopping
/// server closes the WebSocket after the upgrade, with a reason. Rejections are counted in the metrics, except 404.
async fn enter_room(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(address): Extension<Address>,
    Path(id): Path<String>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let proxied = app.is_proxy(caller.ip);
    let reservation = if proxied { app.addresses.reserve(address, Resource::Connection) } else { None };
    if proxied && reservation.is_none() {
        app.metrics.refused.inc();
        return page::text_response(StatusCode::TOO_MANY_REQUESTS, "too many connections: wait a moment");
    }
    let Ok(table) = id.parse::<TableId>() else {
        return page::text_response(StatusCode::NOT_FOUND, "the name of a table is 26 letters and digits");
    };
    if !relay::can_enter(offered_pass(&headers).as_ref(), &table) {
        app.metrics.refused.inc();
        return page::text_response(StatusCode::FORBIDDEN, "show the pass of this table: its link has it");
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
            let _reserved = (reservation, caller.connection);
            let entered = match app.stop.is_cancelled() {
                false => app.hub.enter(table, address),
                true => Err(CloseReason::Away),
            };
            match entered {
                Ok(membership) => relay::serve_member(socket, membership, app.stop.child_token()).await,
                // Browsers do not report the status of a rejected upgrade to the page, but they report a close code.
                Err(why) => {
                    app.metrics.refused.inc();
                    tracing::info!(?table, why = why.text(), "member rejected");
                    relay::close(socket, why).await;
                }
            }
        })
}
