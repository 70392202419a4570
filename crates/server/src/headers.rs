//! The headers that every answer carries.

use crate::page::Page;
use axum::http::HeaderValue;
use axum::http::header::{
    CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::response::Response;

/// Everything comes from this server and nothing from anywhere else; WebAssembly may be compiled, text may not be
/// executed, but for the scripts that stand in the page itself. Styles may stand in attributes, for the page places things
/// by them.
pub(crate) fn policy(page: &Page) -> HeaderValue {
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
    // The name of a private table is part of the address, and no other site has to learn it.
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=(), payment=()"),
];

/// Adds them to an answer.
pub(crate) fn add(policy: HeaderValue, mut response: Response) -> Response {
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
