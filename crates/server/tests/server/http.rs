//! The page and the small endpoints.

use crate::common::{Folder, connect, get, read_answer, request, start};
use pentarchy_server::{BackgroundServer, Limits, PageFiles, Rate, ServerConfig, ServerError};
use std::io::{Read, Write};
use std::time::Duration;

/// Starts a server with a small page: a route, a file in three encodings with a content hash, one without, and a hidden
/// file. Returns its folder and the server.
fn page() -> (Folder, BackgroundServer) {
    let folder = Folder::new(
        "page",
        &[
            ("index.html", b"<!doctype html>the page<script>start()</script>"),
            ("assets/app-0123abcd.js", b"plain"),
            ("assets/app-0123abcd.js.br", b"brotli"),
            ("assets/app-0123abcd.js.gz", b"gzip"),
            ("assets/app_bg.wasm", b"\0asm"),
            (".secret", b"hidden"),
        ],
    );
    let page = PageFiles::from_folder(folder.path()).unwrap();
    (folder, BackgroundServer::start(ServerConfig { port: 0, page, ..ServerConfig::default() }).unwrap())
}

#[test]
fn files_are_answered_as_the_browser_asks() {
    let (_folder, server) = page();
    let at = server.address();
    let index = get(at, "/");
    assert_eq!(
        (index.status, index.text().as_str()),
        (200, "<!doctype html>the page<script>start()</script>")
    );
    assert_eq!(index.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(index.header("cache-control"), "no-cache");
    let policy = index.header("content-security-policy");
    // printf %s 'start()' | openssl dgst -sha256 -binary | base64
    assert!(policy.contains("'sha256-DIm7WJS6ZKDYe5qFLPy+h4JFI9Bol5QmYC57mt3Fb00='"), "{policy}");

    let ask = |encodings| request(at, "GET /assets/app-0123abcd.js", &[("accept-encoding", encodings)], "");
    for (encodings, body, encoding) in
        [("gzip, br", "brotli", "br"), ("gzip", "gzip", "gzip"), ("br;q=0", "plain", ""), ("", "plain", "")]
    {
        let answer = ask(encodings);
        assert_eq!((answer.text().as_str(), answer.header("content-encoding")), (body, encoding));
        assert_eq!(answer.header("vary"), "accept-encoding");
        assert_eq!(answer.header("cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(answer.header("content-type"), "text/javascript; charset=utf-8");
    }
    let (br, gzip) = (ask("br"), ask("gzip"));
    assert_ne!(br.header("etag"), gzip.header("etag"));
    let again = [("accept-encoding", "br"), ("if-none-match", br.header("etag"))];
    let again = request(at, "GET /assets/app-0123abcd.js", &again, "");
    assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, br.header("etag")));

    let wasm = request(at, "HEAD /assets/app_bg.wasm", &[], "");
    assert_eq!((wasm.status, wasm.header("content-type"), wasm.body.len()), (200, "application/wasm", 0));
    assert_eq!(wasm.header("cache-control"), "no-cache");
}

#[test]
fn places_within_the_page_are_the_page_and_the_rest_is_not_found() {
    let (_folder, server) = page();
    let at = server.address();
    for path in ["/t/abc", "/rules/hegemony", "/t/abc?x=1.js", "/index.html"] {
        assert!(get(at, path).text().starts_with("<!doctype html>the page"), "{path}");
    }
    for path in [
        "/missing.js",
        "/.secret",
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/api/no",
        "/relay",
        "/assets/x.br",
    ] {
        assert_eq!(get(at, path).status, 404, "{path}");
    }
    assert_eq!(get(at, "/assets/app-0123abcd.js.br").status, 404, "an encoding is no file of its own");
    assert_eq!(get(at, "/t/assets/app-0123abcd.js").text(), "plain", "relative to a place within the page");
    assert_eq!(get(at, "/t/assets/app_bg.wasm").status, 404, "only what never changes");
    let post = request(at, "POST /", &[], "x");
    assert_eq!((post.status, post.header("allow")), (405, "GET, HEAD"));
}

#[test]
fn every_answer_is_guarded() {
    let server = start(Limits::default());
    for path in ["/", "/health", "/api/tables", "/missing.js"] {
        let answer = get(server.address(), path);
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("default-src 'none'") && policy.contains("'wasm-unsafe-eval'"), "{path}");
        assert!(!policy.contains("http"), "no other host: {policy}");
        // Inline styles are the only exception to what the page server itself sends.
        let inline: Vec<&str> = policy.split("; ").filter(|part| part.contains("'unsafe-")).collect();
        assert_eq!(inline, ["style-src 'self' 'unsafe-inline'"], "{path}");
        for part in ["connect-src 'self'", "font-src 'self'", "form-action 'none'", "base-uri 'none'"] {
            assert!(policy.split("; ").any(|other| other == part), "{path}: {part}");
        }
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
    }
    let health = get(server.address(), "/health");
    assert_eq!((health.status, health.json()["status"].as_str()), (200, Some("ok")));
}

#[test]
fn metrics_are_served_at_their_own_address_only() {
    let server = start(Limits::default());
    for path in ["/", "/health", "/api/tables"] {
        assert_eq!(get(server.address(), path).status, 200);
    }
    let public = get(server.address(), "/metrics");
    assert!(!public.text().contains("pentarchy_requests"), "{}", public.text());
    let at = server.metrics_address().unwrap();
    let metrics = get(at, "/metrics");
    assert!(metrics.header("content-type").starts_with("application/openmetrics-text; version=1.0.0"));
    assert!(metrics.text().contains("pentarchy_request_seconds_count 4"), "{}", metrics.text());
    assert!(metrics.text().contains("pentarchy_requests_total 4"), "{}", metrics.text());
    for path in ["/", "/health", "/api/tables"] {
        assert_eq!(get(at, path).status, 404, "{path}");
    }
    let without = BackgroundServer::start(ServerConfig { port: 0, ..ServerConfig::default() }).unwrap();
    assert_eq!(without.metrics_address(), None);
}

#[test]
fn requests_for_the_page_are_counted() {
    let rate = Rate { burst: 5, per_second: 0 };
    let server = start(Limits { page_rate: rate, ..Limits::default() });
    let paths = ["/", "/t/abc", "/health", "/missing.js", "/index.html", "/", "/health", "/missing.js"];
    let refused = paths.map(|path| get(server.address(), path).status == 429);
    assert_eq!(refused, [false, false, false, false, false, true, true, true]);
    assert_eq!(get(server.address(), "/api/tables").status, 200, "the interface has a rate of its own");
}

#[test]
fn pages_are_told_which_servers_help_them_to_find_each_other() {
    let servers = |server: &BackgroundServer| {
        let answer = get(server.address(), "/api/ice");
        assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"));
        answer.text()
    };
    // No third party learns who plays unless the operator names a STUN server.
    assert_eq!(servers(&start(Limits::default())), r#"{"servers":[]}"#);
    let stun = ["stun:stun.example.org:3478", "stun:[2001:db8::7]"].map(|name| name.parse().unwrap());
    let server =
        BackgroundServer::start(ServerConfig { port: 0, stun: stun.into(), ..ServerConfig::default() })
            .unwrap();
    assert_eq!(servers(&server), r#"{"servers":["stun:stun.example.org:3478","stun:[2001:db8::7]"]}"#);
}

#[test]
fn a_taken_port_is_said_to_be_taken() {
    let server = start(Limits::default());
    let config = ServerConfig { port: server.address().port(), ..ServerConfig::default() };
    assert!(matches!(BackgroundServer::start(config), Err(ServerError::Taken(at)) if at == server.address()));
}

#[test]
fn dawdlers_and_crowds_are_turned_away() {
    let limits =
        Limits { io_timeout: Duration::from_millis(200), connections_per_address: 2, ..Limits::default() };
    let server = start(limits);
    let mut slow = connect(server.address());
    slow.write_all(b"GET / HTTP/1.1\r\nhost: x\r\nx-slow:").unwrap();
    let _idle = connect(server.address());
    let mut third = connect(server.address());
    let mut bytes = Vec::new();
    assert_eq!(third.read_to_end(&mut bytes).unwrap_or(0), 0, "two connections are enough");
    slow.read_to_end(&mut bytes).ok();
    assert!(bytes.is_empty() || read_answer(&bytes).status == 408, "half a request is not waited for");
    crate::common::eventually("the place is free again", || {
        let mut stream = connect(server.address());
        let mut bytes = Vec::new();
        let asked = stream.write_all(b"GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
        asked.is_ok() && stream.read_to_end(&mut bytes).is_ok_and(|n| n > 0)
    });
}

#[test]
fn nonsense_is_refused() {
    let server = start(Limits::default());
    for nonsense in [&b"\0\0\0\0\r\n\r\n"[..], b"GET / HTTP/9.9\r\n\r\n", &[b'A'; 40_000]] {
        let mut stream = connect(server.address());
        stream.write_all(nonsense).ok();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).ok();
        assert!(bytes.is_empty() || read_answer(&bytes).status >= 400);
    }
    assert_eq!(get(server.address(), "/health").status, 200);
}
