//! The page: its files in memory, with content negotiation and caching.

mod folder;

use axum::body::{Body, Bytes};
use axum::http::header::{
    ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, HeaderName,
    IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::Response;
use data_encoding::BASE64;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

/// The page that existed when this program was built.
const EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

const PLACEHOLDER: &str = include_str!("placeholder.html");

/// Content types by file extension.
const TYPES: &[(&str, &str)] = &[
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("wasm", "application/wasm"),
    ("json", "application/json"),
    ("jsonl", "application/jsonl"),
    ("map", "application/json"),
    ("webmanifest", "application/manifest+json"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("webp", "image/webp"),
    ("ico", "image/x-icon"),
    ("woff2", "font/woff2"),
    ("ogg", "audio/ogg"),
    ("mp3", "audio/mpeg"),
    ("toml", "text/plain; charset=utf-8"),
    ("md", "text/plain; charset=utf-8"),
    ("txt", "text/plain; charset=utf-8"),
];

/// The encodings of precompressed files, the best first: the HTTP name and the suffix of the file.
const ENCODINGS: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

/// All files of the page, with their precompressed variants.
pub struct PageFiles {
    files: BTreeMap<String, File>,
    placeholder: bool,
}

/// A file of the page in one encoding.
#[derive(Clone, Copy, Debug)]
pub struct Representation<'a> {
    /// Its path, without a leading slash.
    pub path: &'a str,
    /// The HTTP name of its encoding: `identity`, `br` or `gzip`.
    pub encoding: &'static str,
    /// Its bytes in this encoding.
    pub bytes: &'a [u8],
}

struct File {
    mime: &'static str,
    cache: &'static str,
    plain: Variant,
    /// In the order of [`ENCODINGS`].
    encoded: [Option<Variant>; 2],
}

struct Variant {
    bytes: Bytes,
    etag: HeaderValue,
}

impl Variant {
    /// Creates a variant of a file with a strong `ETag` from the first 80 bits of the hash of its bytes.
    fn new(bytes: Bytes) -> Self {
        let hash = blake3::hash(&bytes).to_hex();
        let etag = HeaderValue::from_str(&format!("\"{}\"", &hash[..20]));
        Self { bytes, etag: etag.unwrap_or(HeaderValue::from_static("\"\"")) }
    }
}

impl PageFiles {
    /// Returns the page that was embedded when this program was built, or a placeholder that explains how to
    /// build it ([`PageFiles::is_placeholder`]).
    pub fn embedded() -> Self {
        if EMBEDDED.is_empty() {
            let placeholder = ("index.html".to_owned(), Bytes::from_static(PLACEHOLDER.as_bytes()));
            return Self { placeholder: true, ..Self::new([placeholder].into()) };
        }
        Self::new(
            EMBEDDED.iter().map(|&(path, bytes)| (path.to_owned(), Bytes::from_static(bytes))).collect(),
        )
    }

    /// Reads a page from a folder with its subfolders into memory, without dot files. Later changes of the folder have
    /// no effect.
    ///
    /// # Errors
    ///
    /// Fails with `NotFound` if there is no `index.html`, or with the error of a file or folder that cannot be read.
    pub fn from_folder(root: &Path) -> io::Result<Self> {
        let files = folder::files(root)?;
        if files.is_empty() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "there is no index.html"));
        }
        let read = |path: String| fs::read(root.join(&path)).map(|bytes| (path, bytes.into()));
        Ok(Self::new(files.into_iter().map(read).collect::<io::Result<_>>()?))
    }

    /// Creates the page from its files, by relative path. A file that ends in `.br` or `.gz` becomes an
    /// encoded variant if its original is there, and an ordinary file otherwise. Browsers may keep a file
    /// with a content hash in its path for a year, and must revalidate others.
    fn new(mut raw: BTreeMap<String, Bytes>) -> Self {
        let mut beside = BTreeMap::new();
        for (i, (_, end)) in ENCODINGS.iter().enumerate() {
            let ends: Vec<String> = raw.keys().filter(|path| path.ends_with(end)).cloned().collect();
            for path in ends {
                let original = path[..path.len() - end.len()].to_owned();
                if raw.contains_key(&original)
                    && let Some(bytes) = raw.remove(&path)
                {
                    beside.insert((original, i), Variant::new(bytes));
                }
            }
        }
        let files = raw.into_iter().map(|(path, bytes)| {
            let name = path.rsplit('/').next().unwrap_or(&path);
            let file = File {
                mime: mime(name),
                cache: if is_hashed(&path) { "public, max-age=31536000, immutable" } else { "no-cache" },
                plain: Variant::new(bytes),
                encoded: [0, 1].map(|i| beside.remove(&(path.clone(), i))),
            };
            (path, file)
        });
        Self { files: files.collect(), placeholder: false }
    }

    /// Returns whether this is the placeholder, because no page was built.
    pub fn is_placeholder(&self) -> bool {
        self.placeholder
    }

    /// Iterates over the base64 SHA-256 hashes of the inline scripts of `index.html`, in order. Scripts with a `src`
    /// are skipped. Yields nothing if there is no such file or it is not UTF-8. Recognises `<script` and `</script>`
    /// only in lower case.
    pub(crate) fn inline_scripts(&self) -> impl Iterator<Item = String> + '_ {
        let html = self.files.get("index.html").and_then(|file| std::str::from_utf8(&file.plain.bytes).ok());
        html.unwrap_or("").split("<script").skip(1).filter_map(|rest| {
            let (attributes, rest) = rest.split_once('>')?;
            let (script, _) = rest.split_once("</script>")?;
            let hash = || BASE64.encode(&Sha256::digest(script.as_bytes()));
            (!attributes.contains("src=")).then(hash)
        })
    }

    /// Iterates over all files in all their encodings: sorted by path, compressed variants before the plain
    /// one.
    pub fn representations(&self) -> impl Iterator<Item = Representation<'_>> {
        self.files.iter().flat_map(|(path, file)| {
            let encoded = ENCODINGS.iter().zip(&file.encoded);
            let encoded = encoded.filter_map(|((encoding, _), variant)| Some((*encoding, variant.as_ref()?)));
            let all = encoded.chain([("identity", &file.plain)]);
            all.map(move |(encoding, variant)| Representation { path, encoding, bytes: &variant.bytes })
        })
    }

    /// Returns the response to a request for a path, with leading slashes ignored: the file, or `index.html` for a path
    /// without an extension, which is a route within the page. Files with a content hash are found below any route.
    /// Answers 404 if there is no such file, and 405 for other methods than GET and HEAD. Nothing in the path is
    /// decoded.
    pub(crate) fn respond(&self, method: &Method, path: &str, headers: &HeaderMap) -> Response {
        if method != Method::GET && method != Method::HEAD {
            let mut response = text_response(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD");
            response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
            return response;
        }
        let path = path.trim_start_matches('/');
        let is_route = !path.rsplit('/').next().is_some_and(|name| name.contains('.'));
        let index = || self.files.get("index.html").filter(|_| is_route);
        // The page refers to its files by relative paths, also at routes within it.
        let nested = || {
            let below = path.match_indices('/').filter_map(|(at, _)| path.get(at + 1..));
            below.filter(|path| is_hashed(path)).find_map(|path| self.files.get(path))
        };
        let Some(file) = self.files.get(path).or_else(index).or_else(nested) else {
            return text_response(StatusCode::NOT_FOUND, "there is no such file");
        };
        file.respond(method, headers)
    }
}

impl File {
    /// Returns the response to a request for this file in the best encoding that the client accepts (Brotli, then gzip,
    /// else plain), with its `ETag` and how long browsers may keep it. Answers 304 without a body if the client has
    /// this version, and sends no body for `HEAD`. The caller must have checked the method.
    fn respond(&self, method: &Method, headers: &HeaderMap) -> Response {
        let accepted = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or("");
        let best = ENCODINGS.iter().zip(&self.encoded).find_map(|((name, _), variant)| {
            variant.as_ref().filter(|_| is_accepted(accepted, name)).map(|variant| (*name, variant))
        });
        let (encoding, variant) = best.map_or((None, &self.plain), |(name, variant)| (Some(name), variant));
        let fresh = headers.get(IF_NONE_MATCH).is_some_and(|known| has_etag(known, &variant.etag));
        let body = if fresh || method == Method::HEAD { Bytes::new() } else { variant.bytes.clone() };
        let mut response = Response::new(Body::from(body));
        let mut set = |name: HeaderName, value| response.headers_mut().insert(name, value);
        set(ETAG, variant.etag.clone());
        set(CACHE_CONTROL, HeaderValue::from_static(self.cache));
        set(VARY, HeaderValue::from_static("accept-encoding"));
        if fresh {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return response;
        }
        set(CONTENT_TYPE, HeaderValue::from_static(self.mime));
        if let Some(name) = encoding {
            set(CONTENT_ENCODING, HeaderValue::from_static(name));
        }
        response
    }
}

/// Creates a plain-text response with this status and these words that is not cached.
pub(crate) fn text_response(status: StatusCode, words: &'static str) -> Response {
    let mut response = Response::new(Body::from(words));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Returns the media type of a file by the extension of its name; `application/octet-stream` if it is unknown. The
/// extension is compared in lower case only.
fn mime(name: &str) -> &'static str {
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    TYPES.iter().find(|(known, _)| *known == end).map_or("application/octet-stream", |(_, mime)| mime)
}

/// Returns whether a path contains a content hash, so that the file never changes: a part between `/`, `-`, `_` and `.` of
/// eight or more hexadecimal characters, at least one of them a digit.
fn is_hashed(path: &str) -> bool {
    path.split(['/', '-', '_', '.']).any(|part| {
        part.len() >= 8
            && part.bytes().all(|c| c.is_ascii_hexdigit())
            && part.bytes().any(|c| c.is_ascii_digit())
    })
}

/// Returns whether an `Accept-Encoding` header names this encoding without `q=0`. A wildcard does not count. A
/// malformed `q` counts as accepted.
fn is_accepted(header: &str, encoding: &str) -> bool {
    header.split(',').any(|item| {
        let mut parts = item.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(encoding));
        let refused = parts.any(|p| p.strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0f32)));
        named && !refused
    })
}

/// Returns whether an `If-None-Match` header contains this tag, also if it is marked as weak there, or is `*`.
/// `false` if the header is not visible ASCII.
fn has_etag(known: &HeaderValue, etag: &HeaderValue) -> bool {
    let (Ok(known), Ok(etag)) = (known.to_str(), etag.to_str()) else { return false };
    known.split(',').map(str::trim).any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_hashes_are_recognized() {
        for name in ["app-0f3c9a1b.js", "app-0f3c9a1b22_bg.wasm", "style.12345678.css"] {
            assert!(is_hashed(name), "{name}");
        }
        assert!(is_hashed("0f3c9a1b22ee/app.js"));
        for name in ["index.html", "app.js", "app_bg.wasm", "deadbeef.svg", "a-1234567.js", "icon-512.png"] {
            assert!(!is_hashed(name), "{name}");
        }
    }

    #[test]
    fn encodings_are_negotiated() {
        assert!(is_accepted("gzip, deflate, br", "br"));
        assert!(is_accepted("gzip;q=0.5,BR ; q=1", "br"));
        assert!(!is_accepted("gzip, br;q=0", "br"));
        assert!(!is_accepted("gzip, brotli", "br"));
        assert!(!is_accepted("", "gzip"));
    }

    #[test]
    fn etags_are_compared_weakly() {
        let etag = HeaderValue::from_static("\"abc\"");
        for known in ["\"abc\"", "W/\"abc\"", "\"x\", \"abc\"", "*"] {
            assert!(has_etag(&HeaderValue::from_static(known), &etag), "{known}");
        }
        assert!(!has_etag(&HeaderValue::from_static("\"ab\""), &etag));
    }

    #[test]
    fn an_encoded_file_alone_is_a_file() {
        let raw = [("a.js", "a"), ("a.js.br", "b"), ("b.gz", "c")];
        let page = PageFiles::new(raw.map(|(path, text)| (path.to_owned(), text.into())).into());
        assert_eq!(page.files.keys().collect::<Vec<_>>(), ["a.js", "b.gz"]);
        assert!(page.files["a.js"].encoded[0].is_some() && page.files["a.js"].encoded[1].is_none());
    }
}
