//! `verify-page` against real servers.

use crate::common::{arg, folder, run};
use pentarchy_server::{BackgroundServer, PageFiles, ServerConfig};
use std::fs;
use std::path::{Path, PathBuf};

/// Writes a page with a file in three encodings to a new folder of this name, and returns its path.
fn page(name: &str) -> PathBuf {
    let folder = folder(name);
    for (file, text) in [
        ("index.html", "<!doctype html>"),
        ("app.js", "start()"),
        ("app.js.br", "brotli"),
        ("app.js.gz", "gzip"),
    ] {
        fs::write(folder.join(file), text).unwrap();
    }
    folder
}

/// Serves the page in a folder at a free port of loopback. Returns the server, which stops when it is dropped, and its
/// URL.
fn serve(folder: &Path) -> (BackgroundServer, String) {
    let page = PageFiles::from_folder(folder).unwrap();
    let server = BackgroundServer::start(ServerConfig { port: 0, page, ..ServerConfig::default() }).unwrap();
    let url = format!("http://{}", server.address());
    (server, url)
}

#[test]
fn an_unchanged_page_is_confirmed() {
    let folder = page("page-unchanged");
    let (_server, url) = serve(&folder);
    let said = run(&["verify-page", &url, "--page", arg(&folder)]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    // index.html at three paths, app.js in three encodings.
    assert!(said.out.contains("6 files are equal"), "{}", said.out);
}

#[test]
fn every_changed_file_is_named() {
    let expected = page("page-expected");
    let cases: [(&str, &[&str]); 4] = [
        ("index.html", &["/ (identity)", "/index.html (identity)", "/t/"]),
        ("app.js", &["/app.js (identity)"]),
        // What browsers get is the encoded file.
        ("app.js.br", &["/app.js (br)"]),
        ("app.js.gz", &["/app.js (gzip)"]),
    ];
    for (changed, named) in cases {
        let served = page("page-changed");
        fs::write(served.join(changed), "changed").unwrap();
        let (_server, url) = serve(&served);
        let said = run(&["verify-page", &url, "--page", arg(&expected)]);
        assert_eq!(said.code, 1, "{changed}: {}{}", said.out, said.err);
        assert_eq!(said.out.lines().count(), named.len(), "{}", said.out);
        for name in named {
            assert!(said.out.contains(name), "{name} is not in\n{}", said.out);
        }
    }
    let served = page("page-missing");
    fs::remove_file(served.join("app.js.br")).unwrap();
    let (_server, url) = serve(&served);
    let said = run(&["verify-page", &url, "--page", arg(&expected)]);
    assert_eq!(
        (said.code, said.out.as_str()),
        (1, "/app.js (br): the server sends it in the encoding identity\n")
    );
}

#[test]
fn the_page_inside_the_program_is_the_default() {
    let embedded = PageFiles::embedded();
    let built = !embedded.is_placeholder();
    let server =
        BackgroundServer::start(ServerConfig { port: 0, page: embedded, ..ServerConfig::default() }).unwrap();
    let said = run(&["verify-page", &format!("http://{}/", server.address())]);
    assert_eq!(said.code, if built { 0 } else { 2 }, "{}{}", said.out, said.err);
    drop(server);
    if built {
        let folder = page("page-other");
        let (_server, url) = serve(&folder);
        assert_eq!(run(&["verify-page", &url]).code, 1);
    }
}

#[test]
fn servers_that_cannot_be_asked_are_no_difference() {
    let folder = page("page-unreachable");
    let (server, url) = serve(&folder);
    drop(server);
    for url in [url.as_str(), "https://localhost", "localhost"] {
        let said = run(&["verify-page", url, "--page", arg(&folder)]);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{url}: {}", said.err);
    }
}
