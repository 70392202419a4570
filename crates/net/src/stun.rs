//! Addresses of STUN servers, which tell a browser its public address. Browsers in different networks need one for a direct
//! connection.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// Maximum length of a host name.
const MAX_HOST: usize = 253;

/// The address of a STUN server, checked: `stun:host`, `stun:host:port`, or the same with `stuns:`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct StunServer(String);

impl StunServer {
    /// Maximum number of servers: more only slow browsers down.
    pub const MAX: usize = 4;

    /// Returns the address in the form that browsers accept.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Why a text is not the address of a STUN server.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StunError {
    /// It names a TURN server.
    #[error("TURN is not needed: without a direct connection the relay of this server carries all messages")]
    Turn,
    /// The scheme is missing or unknown.
    #[error("the address of a STUN server has the form stun:host or stun:host:3478")]
    Form,
    /// The host is invalid.
    #[error("the host is neither a name nor an IP address (IPv6 in brackets)")]
    Host,
    /// The port is invalid.
    #[error("the port must be a number from 1 to 65535")]
    Port,
}

impl FromStr for StunServer {
    type Err = StunError;

    /// Parses an address and keeps its text. `host` is a name, an IPv4 address, or an IPv6 address in
    /// brackets; the port is optional.
    ///
    /// # Errors
    ///
    /// Fails with `Turn` for a TURN server, `Form` for another scheme or no host, and `Host` or `Port` if
    /// that part is invalid.
    fn from_str(text: &str) -> Result<Self, StunError> {
        let (scheme, place) = text.split_once(':').ok_or(StunError::Form)?;
        match scheme {
            "stun" | "stuns" => {}
            "turn" | "turns" => return Err(StunError::Turn),
            _ => return Err(StunError::Form),
        }
        let (host, port) = match place.strip_prefix('[') {
            Some(rest) => {
                let (host, port) = rest.split_once(']').ok_or(StunError::Host)?;
                host.parse::<Ipv6Addr>().map_err(|_| StunError::Host)?;
                let port =
                    if port.is_empty() { None } else { Some(port.strip_prefix(':').ok_or(StunError::Port)?) };
                (host, port)
            }
            None => {
                let (host, port) =
                    place.split_once(':').map_or((place, None), |(host, port)| (host, Some(port)));
                if !is_host(host) {
                    return Err(if host.is_empty() { StunError::Form } else { StunError::Host });
                }
                (host, port)
            }
        };
        let number =
            |port: &str| port.bytes().all(|c| c.is_ascii_digit()) && port.parse().is_ok_and(|p: u16| p > 0);
        if !port.is_none_or(number) || host.is_empty() {
            return Err(StunError::Port);
        }
        Ok(Self(text.to_owned()))
    }
}

/// Returns whether the text is a host name (at most 253 characters, labels of letters, digits and inner
/// hyphens, possibly a final dot) or an IPv4 address.
fn is_host(host: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let numeric = host.bytes().all(|c| c.is_ascii_digit() || c == b'.');
    let named = host.len() <= MAX_HOST && host.strip_suffix('.').unwrap_or(host).split('.').all(label);
    if numeric { host.parse::<Ipv4Addr>().is_ok() } else { named }
}

impl fmt::Display for StunServer {
    /// Writes the address as it was given.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for StunServer {
    type Error = StunError;

    /// Parses an address and keeps its text: `stun:host`, `stuns:host:port` or an IPv6 address in brackets.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the text is not the address of a STUN server.
    fn try_from(text: String) -> Result<Self, StunError> {
        text.parse()
    }
}

impl From<StunServer> for String {
    /// Returns the address as it was given.
    fn from(stun: StunServer) -> Self {
        stun.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_addresses_round_trip() {
        for good in [
            "stun:stun.example.org",
            "stun:stun.example.org:3478",
            "stuns:stun.example.org:5349",
            "stun:192.0.2.7:3478",
            "stun:[2001:db8::7]",
            "stun:[2001:db8::7]:3478",
            "stun:localhost:1",
        ] {
            assert_eq!(good.parse::<StunServer>().map(|stun| stun.to_string()), Ok(good.to_owned()));
        }
    }

    #[test]
    fn invalid_addresses_are_rejected_with_a_reason() {
        for (bad, why) in [
            ("", StunError::Form),
            ("stun.example.org:3478", StunError::Form),
            ("http://stun.example.org", StunError::Form),
            ("stun:", StunError::Form),
            ("stun:://x", StunError::Form),
            ("turn:relay.example.org", StunError::Turn),
            ("stun:two words", StunError::Host),
            ("stun:-x.org", StunError::Host),
            ("stun:a..b", StunError::Host),
            ("stun:300.1.1.1", StunError::Host),
            ("stun:[::1", StunError::Host),
            ("stun:[x]", StunError::Host),
            ("stun:user@host", StunError::Host),
            ("stun:host?transport=udp", StunError::Host),
            ("stun:host:", StunError::Port),
            ("stun:host:0", StunError::Port),
            ("stun:host:65536", StunError::Port),
            ("stun:host:+80", StunError::Port),
            ("stun:[::1]80", StunError::Port),
        ] {
            assert_eq!(bad.parse::<StunServer>(), Err(why), "{bad}");
        }
        assert!(serde_json::from_str::<Vec<StunServer>>(r#"["stun:a","javascript:x"]"#).is_err());
    }
}
