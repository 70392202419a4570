//! Clients that send or read too slowly.

use crate::common::{Folder, connect, eventually, get, metric, proof, start_with, table};
use pentarchy_server::{BackgroundServer, Limits, PageFiles, Rate, ServerConfig};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::sleep;
use std::time::Duration;

const CLIENTS: usize = 80;

/// More than the kernel buffers for a connection whose other end reads nothing.
const LARGE: usize = 16 << 20;

/// Starts a server with these limits and a page with a large file. Returns the folder of the page and the server.
fn serve(limits: Limits) -> (Folder, BackgroundServer) {
    let folder = Folder::new("slow", &[("index.html", b"page"), ("large.wasm", &vec![7; LARGE])]);
    let page = PageFiles::from_folder(folder.path()).unwrap();
    (folder, start_with(ServerConfig { limits, page, ..ServerConfig::default() }))
}

/// Opens [`CLIENTS`] connections, sends this request on each, and returns them. Reads nothing.
fn crowd(at: SocketAddr, request: &str) -> Vec<TcpStream> {
    let knock = |_| {
        let mut stream = connect(at);
        stream.write_all(request.as_bytes()).unwrap();
        stream
    };
    (0..CLIENTS).map(knock).collect()
}

/// Waits until all clients were accepted and no connection is open any more. Calls `meanwhile` before each look.
fn all_dropped(server: &BackgroundServer, mut meanwhile: impl FnMut()) {
    eventually("all slow connections are dropped", || {
        meanwhile();
        let accepted = metric(server, "pentarchy_connections_accepted_total");
        accepted == CLIENTS as u64 && metric(server, "pentarchy_connections") == 0
    });
}

#[test]
fn slow_request_bodies_time_out() {
    let limits = Limits {
        request_timeout: Duration::from_secs(1),
        request_rate: Rate { burst: CLIENTS as u64, per_second: 0 },
        ..Limits::default()
    };
    let (_folder, server) = serve(limits);
    let at = server.address();
    let head = format!("PUT /api/tables/{} HTTP/1.1\r\nhost: {at}\r\n", table(1));
    let bearer = format!("authorization: Bearer {}\r\n", proof(1).to_text());
    let mut slow = crowd(at, &format!("{head}{bearer}content-length: 4000\r\n\r\n"));
    // A byte now and then does not extend the time.
    all_dropped(&server, || {
        for stream in &mut slow {
            stream.write_all(b" ").ok();
        }
        sleep(Duration::from_millis(100));
    });
    assert_eq!(metric(&server, "pentarchy_refused_total"), CLIENTS as u64, "for their slowness");
    assert_eq!(get(at, "/health").status, 200);
}

#[test]
fn unread_responses_time_out() {
    let limits = Limits { write_stall: Duration::from_secs(1), ..Limits::default() };
    let (_folder, server) = serve(limits);
    let at = server.address();
    let unread = crowd(at, &format!("GET /large.wasm HTTP/1.1\r\nhost: {at}\r\n\r\n"));
    all_dropped(&server, || sleep(Duration::from_millis(20)));
    for mut stream in unread {
        let mut body = Vec::new();
        // Ends early, or is reset.
        stream.read_to_end(&mut body).ok();
        assert!(body.len() < LARGE, "the whole response was delivered");
    }
    assert_eq!(get(at, "/large.wasm").body.len(), LARGE, "a client that reads gets everything");
}

#[test]
fn kept_connections_time_out() {
    let (_folder, server) = serve(Limits { io_timeout: Duration::from_secs(1), ..Limits::default() });
    let at = server.address();
    let _idle = crowd(at, &format!("GET /health HTTP/1.1\r\nhost: {at}\r\n\r\n"));
    all_dropped(&server, || sleep(Duration::from_millis(20)));
}
