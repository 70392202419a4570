//! The headers of every response.

use crate::page::PageFiles;
use axum::http::HeaderValue;
use axum::http::header::{
    CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::response::Response;

/// Returns the value of the Content-Security-Policy header for this page. All resources come from this server.
/// WebAssembly may be compiled; of inline scripts only those of the page run, by their hashes. Inline styles are
/// allowed, because the page positions elements with `style` attributes, and pictures that it inserts have them. They
/// cannot send anything away: pictures and fonts come from this server only. If the hashes do not fit a header, no
/// script runs at all.
pub(crate) fn policy(page: &PageFiles) -> HeaderValue {
    let scripts: String = page.inline_scripts().map(|hash| format!(" 'sha256-{hash}'")).collect();
    let policy = format!("script-src 'self' 'wasm-unsafe-eval'{scripts}; {POLICY}");
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static(POLICY))
}

const POLICY: &str = "default-src 'none'; worker-src 'self' blob:; \
    style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; media-src 'self'; \
    connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 7] = [
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    // The address contains the name of a private table, which other sites must not learn.
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=(), payment=()"),
];

/// Returns the response with the policy and the security headers of every response. Those that the response has are kept:
/// an extension may answer with a small page of its own, which has a form.
pub(crate) fn add_headers(policy: HeaderValue, mut response: Response) -> Response {
    response.headers_mut().entry(CONTENT_SECURITY_POLICY).or_insert(policy);
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}
