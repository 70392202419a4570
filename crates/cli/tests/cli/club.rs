//! The club of a server: publish, back up, restore, recompute.

use crate::common::{arg, folder, run};
use crate::running::Running;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;

/// Starts a server at a free port with this data folder and further arguments. Returns it with its address,
/// `host:port`.
fn serve(data: &Path, more: &[&str]) -> (Running, String) {
    let mut server = Running::start(&[&["serve", "--port", "0", "--data", arg(data)], more].concat());
    let line = server.until("Pentarchy is at http://");
    let address = line.split("http://").nth(1).unwrap().split_whitespace().next().unwrap();
    (server, address.to_owned())
}

/// Sends a request on a connection of its own (`head` is the method and the path) and returns the whole answer, with
/// its head.
fn request(address: &str, head: &str, body: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let len = body.len();
    let text =
        format!("{head} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {len}\r\n\r\n");
    stream.write_all(&[text.as_bytes(), body].concat()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_published_game_survives_backup_and_restore() {
    let here = folder("club");
    let (record, backup) = (here.join("kuhn.table"), here.join("club.backup"));
    let (data, restored) = (here.join("data"), here.join("restored"));
    assert_eq!(run(&["peers", "kuhn", "--seeds", "3..4", "--record", arg(&record)]).code, 0);
    let (server, address) = serve(&data, &["--mailbox", "off"]);
    let answer = request(&address, "POST /api/club/games", &fs::read(&record).unwrap());
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
    // The server runs meanwhile.
    let said = run(&["backup", arg(&backup), "--data", arg(&data)]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    assert!(said.out.contains("rows are in"), "{}", said.out);
    server.kill();
    let damaged = here.join("damaged.backup");
    let mut bytes = fs::read(&backup).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&damaged, bytes).unwrap();
    let said = run(&["restore", arg(&damaged), "--data", arg(&restored)]);
    assert_eq!(said.code, 2);
    assert!(
        said.err.contains("the backup is damaged") && said.err.contains("nothing was changed"),
        "{}",
        said.err
    );
    let said = run(&["restore", arg(&backup), "--data", arg(&restored)]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let said = run(&["restore", arg(&backup), "--data", arg(&restored)]);
    assert!(said.code == 2 && said.err.contains("not empty"), "{}", said.err);
    let said = run(&["ratings", "--data", arg(&restored)]);
    assert_eq!((said.code, said.out.as_str()), (0, "all 1 records of the archive are sound\n"));
    let said = run(&["ratings", "--recompute", "--data", arg(&restored)]);
    assert_eq!((said.code, said.out.as_str()), (0, "ratings are computed from 1 rated games\n"));
    let (server, address) = serve(&restored, &[]);
    let answer = request(&address, "GET /api/club/games?game=kuhn", b"");
    assert!(answer.contains("\"number\":1"), "{answer}");
    server.kill();
    let (server, address) = serve(&restored, &["--club", "off"]);
    assert!(request(&address, "GET /api/club/games", b"").starts_with("HTTP/1.1 404"));
    server.kill();
}

#[test]
fn a_database_that_cannot_be_used_is_named_with_a_hint() {
    let said = run(&["serve", "--port", "0", "--database", "mysql://localhost/pentarchy"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("begins with postgres://") && said.err.contains("--data"), "{}", said.err);
    let said = run(&["backup", "/no/such/folder/file", "--data", arg(&folder("club-empty"))]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("/no/such/folder/file"), "{}", said.err);
}
