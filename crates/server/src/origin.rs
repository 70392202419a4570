//! Which web sites may use this server from a visitor's browser.

use axum::http::header::{HOST, HeaderMap, HeaderName, ORIGIN};
use std::str::FromStr;

/// The origin of a web site: scheme, host and port, as browsers send it in the `Origin` header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    scheme: &'static str,
    /// In lower case, without the default port of the scheme.
    host: String,
}

/// A text that is not an origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an origin is http:// or https://, a host and possibly a port, like https://play.example.org")]
pub struct OriginError;

impl FromStr for Origin {
    type Err = OriginError;

    /// Parses `http://host[:port]` or `https://host[:port]`, in any case. The default port of the scheme is dropped.
    /// The form of host and port is not checked further.
    ///
    /// # Errors
    ///
    /// Fails for another scheme, an empty host, and characters other than letters, digits, `.`, `-`, `:` and brackets.
    fn from_str(text: &str) -> Result<Self, OriginError> {
        let (scheme, host) = text.split_once("://").ok_or(OriginError)?;
        let scheme = ["http", "https"].into_iter().find(|known| known.eq_ignore_ascii_case(scheme));
        let scheme = scheme.ok_or(OriginError)?;
        let allowed = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
        if host.is_empty() || !host.chars().all(allowed) {
            return Err(OriginError);
        }
        Ok(Self { scheme, host: without_default_port(scheme, host) })
    }
}

/// Returns the host in lower case, without `:443` for `https` or `:80` for any other scheme. Nothing is checked.
fn without_default_port(scheme: &str, host: &str) -> String {
    let port = if scheme == "https" { ":443" } else { ":80" };
    host.strip_suffix(port).unwrap_or(host).to_ascii_lowercase()
}

/// Returns whether the `Origin` header of a request lets it use this server.
///
/// Browsers send `Origin` with every WebSocket handshake and every changing request, and pages cannot forge
/// it. A request without it comes from a native program and is allowed. Otherwise the origin must be one of
/// `named`, or its host must be the one in `Host`. The scheme is not compared: behind a proxy that terminates
/// TLS this server sees `http`. A malformed or repeated header is not allowed.
pub(crate) fn is_allowed(headers: &HeaderMap, named: &[Origin]) -> bool {
    if !headers.contains_key(ORIGIN) {
        return true;
    }
    let Some(origin) = single(headers, ORIGIN).and_then(|text| text.parse::<Origin>().ok()) else {
        return false;
    };
    let is_host = |host| without_default_port(origin.scheme, host) == origin.host;
    named.contains(&origin) || single(headers, HOST).is_some_and(is_host)
}

/// Returns the value of a header that occurs exactly once; `None` if it is missing, repeated or not visible
/// ASCII.
fn single(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether a request with these `Origin` and `Host` headers is allowed where `named` are the allowed sites.
    fn allowed(origins: &[&str], hosts: &[&str], named: &[&str]) -> bool {
        let mut headers = HeaderMap::new();
        for origin in origins {
            headers.append(ORIGIN, origin.parse().unwrap());
        }
        for host in hosts {
            headers.append(HOST, host.parse().unwrap());
        }
        let named: Vec<Origin> = named.iter().map(|text| text.parse().unwrap()).collect();
        is_allowed(&headers, &named)
    }

    #[test]
    fn native_programs_and_the_own_page_are_allowed() {
        assert!(allowed(&[], &["play.example.org"], &[]));
        for (origin, host) in [
            ("http://localhost:7878", "localhost:7878"),
            ("https://play.example.org", "play.example.org"),
            ("https://Play.Example.org", "play.example.ORG:443"),
            ("http://[::1]:7878", "[::1]:7878"),
            ("http://192.168.0.7", "192.168.0.7:80"),
        ] {
            assert!(allowed(&[origin], &[host], &[]), "{origin}");
        }
    }

    #[test]
    fn other_sites_are_refused_unless_named() {
        let here = ["play.example.org"];
        for origin in [
            "https://evil.example",
            "null",
            "",
            "https://play.example.org.evil.example",
            "https://play.example.org:8443",
        ] {
            assert!(!allowed(&[origin], &here, &[]), "{origin}");
        }
        assert!(!allowed(&["https://play.example.org", "https://evil.example"], &here, &[]), "two origins");
        assert!(
            !allowed(&["https://play.example.org"], &["play.example.org", "evil.example"], &[]),
            "two hosts"
        );
        assert!(!allowed(&["https://play.example.org"], &[], &[]), "no host");
        assert!(allowed(&["https://other.example"], &here, &["https://other.example:443"]));
        assert!(
            !allowed(&["http://other.example"], &here, &["https://other.example"]),
            "the scheme is named"
        );
    }

    #[test]
    fn only_origins_are_named() {
        for text in
            ["play.example.org", "ftp://x", "https://", "https://x/path", "https://u@x", "https://x y"]
        {
            assert_eq!(text.parse::<Origin>(), Err(OriginError), "{text}");
        }
    }
}
