//! `pentarchy verify-page URL`: checks that a server serves the page that is built into this program.

use crate::ca::CaArg;
use crate::command_error::{CommandError, Outcome};
use data_encoding::HEXLOWER;
use pentarchy_net::http_types::{Request, StatusCode, header};
use pentarchy_net::{DialError, Dialer};
use pentarchy_server::{PageFiles, Representation};
use sha2::{Digest as _, Sha256};
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

/// Timeout of a connection, and of each part of a response.
const TIMEOUT: Duration = Duration::from_secs(10);
/// A path within the page: the server must respond with the page itself.
const PLACE: &str = "t/aaaaaaaaaaaaaaaaaaaaaaaaaa";

/// Check that a server serves the page that is built into this program
///
/// Your page holds your keys, so a server that serves a changed page can read your cards. This command fetches every
/// file of the page in every encoding and compares the SHA-256 hashes with those of the page in this program. Each
/// difference is printed. Exit code: 0 if the pages are equal, 1 if they differ, 2 if the server cannot be reached.
///
/// It shows what the server sends to this program now. A server can send something else to another address or later.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pentarchy verify-page http://localhost:7878
  pentarchy verify-page https://play.example.org --page target/web/dist")]
pub(crate) struct Args {
    /// The address of the server
    url: String,

    /// Compare with the page in this folder instead of the one inside this program
    #[arg(long, value_name = "FOLDER")]
    page: Option<PathBuf>,

    #[command(flatten)]
    ca: CaArg,
}

/// Runs `pentarchy verify-page`: fetches every file of the page in every encoding from a server, the page itself also
/// at the root and at a path within it. Compares each with the built page, that of `--page` or of this program. Prints
/// each difference with its path and encoding, or that all are equal. A trailing `/` of the URL is cut off. Compares
/// status, encoding and SHA-256 of the body.
///
/// # Errors
///
/// Fails if there is no built page, its folder or the certificate cannot be read, the server cannot be reached or is
/// overloaded (all bad usage), a file differs (a failed check), or the output cannot be written.
pub(crate) fn run(args: &Args) -> Outcome {
    let page = match &args.page {
        Some(folder) => {
            PageFiles::from_folder(folder).map_err(|error| CommandError::file("read", folder, error))?
        }
        None => PageFiles::embedded(),
    };
    if page.is_placeholder() {
        return Err(CommandError::usage("this program was built without the page")
            .hint("build it with `cargo xtask web`, or name its folder with --page"));
    }
    let dialer = args.ca.dialer()?;
    let url = args.url.trim_end_matches('/');
    let mut out = anstream::stdout();
    let (mut checked, mut differing) = (0, 0);
    for expected in page.representations() {
        // The page itself is also served at the root and at paths within it.
        let places: &[&str] = if expected.path == "index.html" { &["", PLACE] } else { &[] };
        for path in places.iter().copied().chain([expected.path]) {
            let served = fetch(&dialer, &format!("{url}/{path}"), expected.encoding, expected.bytes.len())
                .map_err(|error| CommandError::usage(format_args!("cannot fetch {url}/{path}: {error}")))?;
            checked += 1;
            if let Some(difference) = difference(&expected, &served) {
                differing += 1;
                writeln!(out, "/{path} ({}): {difference}", expected.encoding)?;
            }
        }
    }
    if differing > 0 {
        return Err(CommandError::Check(format!(
            "{differing} of {checked} files of {url} are not those expected"
        )));
    }
    writeln!(out, "{url} serves the expected page: {checked} files are equal")?;
    Ok(())
}

/// Returns how a response first differs from the expected file (status, encoding or hash), in words; `None` if it
/// does not.
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

/// A server's response.
struct Response {
    /// The status code.
    status: u16,
    /// The value of `Content-Encoding`, or `identity`.
    encoding: String,
    /// The bytes, as they were sent.
    body: Vec<u8>,
}

/// Fetches an address, with `encoding` as the only accepted one; that the server follows that is not checked. The body
/// is not decoded; it is truncated soon after `limit` bytes. Waits at most [`TIMEOUT`] for the connection and for each
/// part of the response. A response without `Content-Encoding` counts as `identity`.
///
/// # Errors
///
/// Fails if the address is invalid, the server cannot be reached or is not trusted, its response is invalid, or its
/// status is 429 or 500 and above.
fn fetch(dialer: &Dialer, url: &str, encoding: &str, limit: usize) -> Result<Response, DialError> {
    let request = Request::get(url).header(header::ACCEPT_ENCODING, encoding).body(Vec::new());
    let request = request.map_err(|_| DialError::Address(url.to_owned()))?;
    let answer = dialer.fetch(request, TIMEOUT, limit)?;
    let status = answer.status();
    if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() {
        return Err(DialError::Answer(format!("the server answers with status {}", status.as_u16())));
    }
    let named = answer.headers().get(header::CONTENT_ENCODING).and_then(|value| value.to_str().ok());
    let encoding = named.unwrap_or("identity").to_owned();
    Ok(Response { status: status.as_u16(), encoding, body: answer.into_body() })
}
