//! Servers that tell a browser under which address the world sees it, so that pages in different networks can find a
//! direct way to each other.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// The longest name of a host.
const MAX_HOST: usize = 253;

/// The address of a STUN server, checked: `stun:host`, `stun:host:port`, or the same with `stuns:`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Stun(String);

impl Stun {
    /// More than these only make browsers slower.
    pub const MOST: usize = 4;

    /// The address as browsers want it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Why an address names no STUN server.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoStun {
    /// It names a TURN server.
    #[error(
        "TURN is not needed: where no direct way exists the relay of this server carries what players say"
    )]
    Turn,
    /// It does not begin as it should.
    #[error("a STUN server is named like stun:host or stun:host:3478")]
    Form,
    /// The host is none.
    #[error("the host is neither a name nor an address (IPv6 in brackets)")]
    Host,
    /// The port is none.
    #[error("the port is a number from 1 to 65535")]
    Port,
}

impl FromStr for Stun {
    type Err = NoStun;

    fn from_str(text: &str) -> Result<Self, NoStun> {
        let (scheme, place) = text.split_once(':').ok_or(NoStun::Form)?;
        match scheme {
            "stun" | "stuns" => {}
            "turn" | "turns" => return Err(NoStun::Turn),
            _ => return Err(NoStun::Form),
        }
        let (host, port) = match place.strip_prefix('[') {
            Some(rest) => {
                let (host, port) = rest.split_once(']').ok_or(NoStun::Host)?;
                host.parse::<Ipv6Addr>().map_err(|_| NoStun::Host)?;
                let port =
                    if port.is_empty() { None } else { Some(port.strip_prefix(':').ok_or(NoStun::Port)?) };
                (host, port)
            }
            None => {
                let (host, port) =
                    place.split_once(':').map_or((place, None), |(host, port)| (host, Some(port)));
                if !is_name(host) {
                    return Err(if host.is_empty() { NoStun::Form } else { NoStun::Host });
                }
                (host, port)
            }
        };
        let number =
            |port: &str| port.bytes().all(|c| c.is_ascii_digit()) && port.parse().is_ok_and(|p: u16| p > 0);
        if !port.is_none_or(number) || host.is_empty() {
            return Err(NoStun::Port);
        }
        Ok(Self(text.to_owned()))
    }
}

/// Whether this is the name of a host, or an IPv4 address.
fn is_name(host: &str) -> bool {
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

impl fmt::Display for Stun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Stun {
    type Error = NoStun;

    fn try_from(text: String) -> Result<Self, NoStun> {
        text.parse()
    }
}

impl From<Stun> for String {
    fn from(stun: Stun) -> Self {
        stun.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_named_as_browsers_name_them() {
        for good in [
            "stun:stun.example.org",
            "stun:stun.example.org:3478",
            "stuns:stun.example.org:5349",
            "stun:192.0.2.7:3478",
            "stun:[2001:db8::7]",
            "stun:[2001:db8::7]:3478",
            "stun:localhost:1",
        ] {
            assert_eq!(good.parse::<Stun>().map(|stun| stun.to_string()), Ok(good.to_owned()));
        }
    }

    #[test]
    fn everything_else_is_refused_with_a_reason() {
        for (bad, why) in [
            ("", NoStun::Form),
            ("stun.example.org:3478", NoStun::Form),
            ("http://stun.example.org", NoStun::Form),
            ("stun:", NoStun::Form),
            ("stun:://x", NoStun::Form),
            ("turn:relay.example.org", NoStun::Turn),
            ("stun:two words", NoStun::Host),
            ("stun:-x.org", NoStun::Host),
            ("stun:a..b", NoStun::Host),
            ("stun:300.1.1.1", NoStun::Host),
            ("stun:[::1", NoStun::Host),
            ("stun:[x]", NoStun::Host),
            ("stun:user@host", NoStun::Host),
            ("stun:host?transport=udp", NoStun::Host),
            ("stun:host:", NoStun::Port),
            ("stun:host:0", NoStun::Port),
            ("stun:host:65536", NoStun::Port),
            ("stun:host:+80", NoStun::Port),
            ("stun:[::1]80", NoStun::Port),
        ] {
            assert_eq!(bad.parse::<Stun>(), Err(why), "{bad}");
        }
        assert!(serde_json::from_str::<Vec<Stun>>(r#"["stun:a","javascript:x"]"#).is_err());
    }
}
