//! `pentarchy verify-page URL`: does a server serve the page that is built into this program?

use crate::failure::{Failure, Outcome};
use data_encoding::HEXLOWER;
use pentarchy_server::{Page, Representation};
use sha2::{Digest as _, Sha256};
use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::time::Duration;

/// How long the server may take to accept a connection, to read and to send something.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The longest head of a response that is read.
const HEAD: usize = 64 * 1024;
/// A place within the page: the server must answer it with the page itself.
const PLACE: &str = "t/aaaaaaaaaaaaaaaaaaaaaaaaaa";

/// Check that a server serves the page that is built into this program
///
/// Your page holds your keys, so a server that serves a changed page can read your cards. This command fetches every file of
/// the page in every encoding and compares the SHA-256 hashes with those of the page in this program. Each difference is
/// printed. Exit code: 0 if the pages are equal, 1 if they differ, 2 if the server cannot be reached.
///
/// It shows what the server sends to this program now. A server can send something else to another address or later.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pentarchy verify-page http://localhost:7878
  pentarchy verify-page http://play.example.org --page target/web/dist")]
pub(crate) struct Args {
    /// The address of the server
    url: String,

    /// Compare with the page in this folder instead of the one inside this program
    #[arg(long, value_name = "FOLDER")]
    page: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Outcome {
    let page = match &args.page {
        Some(folder) => Page::of_folder(folder).map_err(|error| Failure::file("read", folder, error))?,
        None => Page::embedded(),
    };
    if page.is_placeholder() {
        return Err(Failure::usage("the page is not in this program")
            .hint("build it with `cargo xtask web`, or name its folder with --page"));
    }
    let url = args.url.trim_end_matches('/');
    let mut out = anstream::stdout();
    let (mut checked, mut differing) = (0, 0);
    for expected in page.representations() {
        // The page itself is also what the root and the places within it show.
        let places: &[&str] = if expected.path == "index.html" { &["", PLACE] } else { &[] };
        for path in places.iter().copied().chain([expected.path]) {
            let served = fetch(url, path, expected.encoding, HEAD + expected.bytes.len() + 1)
                .map_err(|error| Failure::usage(format_args!("cannot fetch {url}/{path}: {error}")))?;
            checked += 1;
            if let Some(difference) = difference(&expected, &served) {
                differing += 1;
                writeln!(out, "/{path} ({}): {difference}", expected.encoding)?;
            }
        }
    }
    if differing > 0 {
        return Err(Failure::Check(format!(
            "{differing} of {checked} files of {url} are not those expected"
        )));
    }
    writeln!(out, "{url} serves the expected page: {checked} files are equal")?;
    Ok(())
}

/// How a response differs from the expected file, in words.
fn difference(expected: &Representation<'_>, served: &Response) -> Option<String> {
    let hash = |bytes: &[u8]| HEXLOWER.encode(&Sha256::digest(bytes));
    if served.status != 200 {
        return Some(format!("the server answers with status {}", served.status));
    }
    if served.encoding != expected.encoding {
        return Some(format!("the server sends it in the encoding {}", served.encoding));
    }
    let (here, there) = (hash(expected.bytes), hash(&served.body));
    (here != there).then(|| format!("sha256 {there}, expected {here}"))
}

/// What a server answered.
struct Response {
    status: u16,
    /// The value of `Content-Encoding`, or `identity`.
    encoding: String,
    body: Vec<u8>,
}

/// Fetches a path of a server in an encoding. Reads at most `limit` bytes; a longer body is cut off.
fn fetch(url: &str, path: &str, encoding: &str, limit: usize) -> io::Result<Response> {
    let (mut stream, host, prefix) = connect(url)?;
    // Version 1.0, because its responses are never chunked.
    write!(
        stream,
        "GET {prefix}/{path} HTTP/1.0\r\nhost: {host}\r\naccept-encoding: {encoding}\r\nconnection: close\r\n\r\n"
    )?;
    let mut bytes = Vec::new();
    stream.take(limit as u64).read_to_end(&mut bytes)?;
    let invalid = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why.to_owned());
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut head = httparse::Response::new(&mut headers);
    let Ok(httparse::Status::Complete(start)) = head.parse(&bytes) else {
        return Err(invalid("the answer is not HTTP"));
    };
    let header = |name: &str| {
        let found = head.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name))?;
        std::str::from_utf8(found.value).ok()
    };
    let (status, encoding) =
        (head.code.unwrap_or(0), header("content-encoding").unwrap_or("identity").to_owned());
    let length = header("content-length").and_then(|text| text.parse::<usize>().ok());
    let body = bytes.split_off(start);
    if length.is_some_and(|length| body.len() < length && start + body.len() < limit) {
        return Err(invalid("the answer ends early"));
    }
    if matches!(status, 429 | 500..) {
        return Err(invalid(&format!("the server answers with status {status}")));
    }
    Ok(Response { status, encoding, body })
}

/// Connects to the server of a URL. Returns the stream, the host for the `Host` header, and the path of the URL.
fn connect(url: &str) -> io::Result<(TcpStream, &str, &str)> {
    let rest = url
        .strip_prefix("http://")
        .ok_or_else(|| io::Error::new(io::ErrorKind::Unsupported, "the address must start with http://"))?;
    let (host, prefix) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
    let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let address = if has_port { host.to_owned() } else { format!("{host}:80") };
    let stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    Ok((stream, host, prefix))
}
