//! A server with notifications, and players who use it.

use crate::sinks::PATIENCE;
use pentarchy_identity::{IdentityKey, PlayerRequest};
use pentarchy_net::http_types::Request;
use pentarchy_net::{Dialer, HostTag, Invite, InviteKey, OwnerSecret, RoomPass, TableId};
use pentarchy_notify::{MailConfig, NotifyConfig, start};
use pentarchy_server::{BackgroundServer, Limits, MailboxConfig, Rate, ServerConfig};
use pentarchy_storage::DatabaseLocation;
use serde_json::{Value, json};
use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The public address of the server: signatures cover it, and links begin with it.
pub(crate) const URL: &str = "https://play.example.org";
/// How long a worker has a message for itself here.
pub(crate) const LEASE: Duration = Duration::from_secs(2);

/// A server with notifications.
pub(crate) struct TestServer {
    pub(crate) database: DatabaseLocation,
    folder: Option<PathBuf>,
    mail: Option<SocketAddr>,
    allow_private: bool,
    server: Option<BackgroundServer>,
}

impl TestServer {
    /// Starts a server with an SQLite database in a new folder, which is removed with it. It sends mail by the server at
    /// `mail`, and reaches addresses of this machine if `allow_private`.
    pub(crate) fn start(mail: Option<SocketAddr>, allow_private: bool) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let unique = format!("pentarchy-notify-{}-{}", std::process::id(), COUNT.fetch_add(1, Relaxed));
        let folder = std::env::temp_dir().join(unique);
        let database = DatabaseLocation::Folder(folder.clone());
        let mut server = Self { database, folder: Some(folder), mail, allow_private, server: None };
        server.launch();
        server
    }

    /// Starts a server with this database.
    pub(crate) fn with_database(database: DatabaseLocation, allow_private: bool) -> Self {
        let mut server = Self { database, folder: None, mail: None, allow_private, server: None };
        server.launch();
        server
    }

    /// Starts the server again after [`TestServer::stop`].
    pub(crate) fn launch(&mut self) {
        let mail = self.mail.map(|address| {
            MailConfig::new(&format!("smtp://{address}"), "Pentarchy <games@example.org>").unwrap()
        });
        let config = NotifyConfig {
            mail,
            allow_private: self.allow_private,
            lease: LEASE,
            poll: Duration::from_millis(100),
            ..NotifyConfig::new(URL.parse().unwrap())
        };
        let rate = Rate { burst: 1 << 30, per_second: 1 << 20 };
        let config = ServerConfig {
            port: 0,
            limits: Limits { request_rate: rate, publish_rate: rate, ..Limits::default() },
            mailbox: MailboxConfig::Off,
            database: Some(self.database.clone()),
            metrics: Some("127.0.0.1:0".parse().unwrap()),
            extensions: vec![Box::new(|host| {
                let (routes, work) = start(host.storage, config, host.metrics, host.stop);
                host.tasks.spawn(work);
                routes
            })],
            ..ServerConfig::default()
        };
        self.server = Some(BackgroundServer::start(config).unwrap());
    }

    /// Stops the server. Its database stays.
    pub(crate) fn stop(&mut self) {
        self.server = None;
    }

    /// Sends a request and returns status and body.
    pub(crate) fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> (u16, String) {
        let address = self.server.as_ref().unwrap().address();
        self.send(address, method, path, headers, body)
    }

    /// Sends a request to an address and returns status and body.
    fn send(
        &self,
        address: SocketAddr,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> (u16, String) {
        let mut request = Request::builder().method(method).uri(format!("http://{address}{path}"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(body.as_bytes().to_vec()).unwrap();
        let response = Dialer::default().fetch(request, PATIENCE, 1 << 20).unwrap();
        (response.status().as_u16(), String::from_utf8(response.into_body()).unwrap())
    }

    /// Returns the metrics.
    pub(crate) fn metrics(&self) -> String {
        let address = self.server.as_ref().unwrap().metrics_address().unwrap();
        self.send(address, "GET", "/metrics", &[], "").1
    }

    /// Announces a turn of table `i`, and returns status and body.
    pub(crate) fn announce(&self, i: u8, body: &Value) -> (u16, String) {
        let path = format!("/api/notify/tables/{}/turn", table(i));
        let pass = format!("Bearer {}", pass(i).to_text());
        self.request("PUT", &path, &[("authorization", &pass)], &body.to_string())
    }

    /// Sends a request that player `i` has signed now, and returns status and JSON.
    pub(crate) fn signed(&self, i: u8, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let header = signature(i, URL, method, path, &body, now());
        let (status, text) = self.request(method, path, &[("authorization", &header)], &body);
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// Subscribes player `i` for all tables, and returns the subscription. Panics if it is not accepted.
    pub(crate) fn subscribe(&self, i: u8, channel: &str, address: &str) -> Value {
        let body = json!({ "channel": channel, "address": address });
        let (status, subscription) = self.signed(i, "POST", "/api/notify/subscriptions", &body);
        assert_eq!(status, 200, "{subscription}");
        subscription
    }

    /// Lets player `i` follow a seat of table `t`. Panics if it is not accepted.
    pub(crate) fn follow(&self, i: u8, t: u8, seat: u8) {
        let body = json!({ "pass": pass(t).to_text(), "label": "Hegemony with Ada" });
        let (status, text) = self.signed(i, "PUT", &format!("/api/notify/seats/{}/{seat}", table(t)), &body);
        assert_eq!(status, 200, "{text}");
    }

    /// Returns what the server stores about player `i`.
    pub(crate) fn player(&self, i: u8) -> Value {
        let (status, body) = self.signed(i, "GET", "/api/notify/player", &Value::Null);
        assert_eq!(status, 200, "{body}");
        body
    }

    /// Waits until the latest message of player `i` has this state, and returns it.
    pub(crate) fn wait_for(&self, i: u8, state: &str) -> Value {
        let start = Instant::now();
        loop {
            let latest = self.player(i)["messages"][0].clone();
            if latest["state"] == state {
                return latest;
            }
            assert!(start.elapsed() < PATIENCE, "{latest}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.server = None;
        if let Some(folder) = &self.folder {
            fs::remove_dir_all(folder).ok();
        }
    }
}

/// Returns the value of the header that signs a request of player `i`.
pub(crate) fn signature(i: u8, url: &str, method: &str, path: &str, body: &str, time: u64) -> String {
    let request = PlayerRequest { public_url: url, method, path, body: body.as_bytes() };
    request.authorization(&IdentityKey::from_bytes([i; 32]), time)
}

/// Returns the room pass of table `i`.
pub(crate) fn pass(i: u8) -> RoomPass {
    let owner = OwnerSecret::new([i; 32]).tag();
    Invite { server: String::new(), key: InviteKey([i; 16]), host: HostTag::of(&[i; 32]), owner }.pass()
}

/// Returns the name of table `i`.
pub(crate) fn table(i: u8) -> TableId {
    pass(i).table()
}

/// Returns the seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}
