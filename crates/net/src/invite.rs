//! Where a table meets: its name on the server, the key that opens it, and the link that carries both.

use crate::base32;
use std::fmt;
use std::str::FromStr;

/// The name of a table on the server, and of its relay room: 16 bytes that nobody guesses.
///
/// It is the hash of a secret of whoever opened the table. So the server can tell the owner by the secret without
/// having kept anything, and still can after a restart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId([u8; 16]);

impl TableId {
    /// The name as bytes.
    pub fn bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&base32::encode(&self.0))
    }
}

impl fmt::Debug for TableId {
    /// A few letters: whoever knows the whole name of a private table can knock at its door, so logs do not have it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}…", base32::encode(&self.0[..3]))
    }
}

impl FromStr for TableId {
    type Err = BadInvite;

    fn from_str(text: &str) -> Result<Self, BadInvite> {
        base32::decode(text).map(Self).ok_or(BadInvite::Table)
    }
}

/// What whoever opened a table shows to change its entry in the lobby.
#[derive(Clone)]
pub struct OwnerSecret([u8; 32]);

impl OwnerSecret {
    /// A secret from fresh random bytes.
    pub fn new(random: [u8; 32]) -> Self {
        Self(random)
    }

    /// The table that this secret owns.
    pub fn table(&self) -> TableId {
        let hash = blake3::derive_key("pentarchy table v1", &self.0);
        let mut id = [0; 16];
        id.copy_from_slice(&hash[..16]);
        TableId(id)
    }

    /// The secret as text, for an `Authorization: Bearer` header.
    pub fn to_text(&self) -> String {
        base32::encode(&self.0)
    }

    /// The secret from its text.
    pub fn from_text(text: &str) -> Option<Self> {
        base32::decode(text).map(Self)
    }
}

impl fmt::Debug for OwnerSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OwnerSecret(…)")
    }
}

/// What peers of a table have in common and a server does not learn: it stands behind the `#` of the link, which
/// browsers do not send.
#[derive(Clone, PartialEq, Eq)]
pub struct InviteKey(pub [u8; 16]);

impl fmt::Debug for InviteKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InviteKey(…)")
    }
}

/// The hash of the identity of whoever opened a table: a guest takes the seating from nobody else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostTag([u8; 16]);

impl HostTag {
    /// The tag of an identity.
    pub fn of(identity: &[u8; 32]) -> Self {
        let hash = blake3::derive_key("pentarchy host v1", identity);
        let mut tag = [0; 16];
        tag.copy_from_slice(&hash[..16]);
        Self(tag)
    }
}

/// An invitation to a table: `http://host:port/t/TABLE#KEY`. What stands behind the `#` is the key, and the tag of the
/// host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invite {
    /// The server: `http://host[:port]` or `https://host[:port]`, and a path if it is not at the root, without a
    /// final slash.
    pub server: String,
    /// The table.
    pub table: TableId,
    /// The key.
    pub key: InviteKey,
    /// Who opened the table.
    pub host: HostTag,
}

impl Invite {
    /// What stands behind the `#`, and in the lobby's list for an open table.
    pub fn secret_part(&self) -> String {
        base32::encode(&[self.key.0, self.host.0].concat())
    }

    /// The address of the relay room.
    pub fn relay_url(&self) -> String {
        relay_url(&self.server, &self.table)
    }
}

/// The address of the relay room of a table at a server (`http://…` or `https://…`).
pub fn relay_url(server: &str, table: &TableId) -> String {
    let socket = match server.strip_prefix("https://") {
        Some(rest) => format!("wss://{rest}"),
        None => format!("ws://{}", server.strip_prefix("http://").unwrap_or(server)),
    };
    format!("{socket}/relay/{table}")
}

impl fmt::Display for Invite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/t/{}#{}", self.server, self.table, self.secret_part())
    }
}

impl FromStr for Invite {
    type Err = BadInvite;

    fn from_str(text: &str) -> Result<Self, BadInvite> {
        let (address, key) = text.trim().split_once('#').ok_or(BadInvite::NoKey)?;
        let (server, table) = address.rsplit_once("/t/").ok_or(BadInvite::NoTable)?;
        let host = server.strip_prefix("http://").or_else(|| server.strip_prefix("https://"));
        let host = host.ok_or(BadInvite::Server)?;
        let plain = |c: char| c.is_ascii_graphic() && !"?#@\\\"<>".contains(c);
        if host.is_empty() || host.starts_with('/') || host.ends_with('/') || !host.chars().all(plain) {
            return Err(BadInvite::Server);
        }
        let table = table.parse()?;
        let secret: [u8; 32] = base32::decode(key).ok_or(BadInvite::Key)?;
        let (mut key, mut host) = ([0; 16], [0; 16]);
        key.copy_from_slice(&secret[..16]);
        host.copy_from_slice(&secret[16..]);
        Ok(Self { server: server.to_owned(), table, key: InviteKey(key), host: HostTag(host) })
    }
}

/// Why a text is no invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadInvite {
    /// No `#`.
    #[error("the link has no key: nothing stands behind a `#`. Was it cut short?")]
    NoKey,
    /// No `/t/`.
    #[error("the link names no table: there is no `/t/` in it")]
    NoTable,
    /// Not `http://host` or `https://host`.
    #[error("the link does not begin with http:// or https:// and a host")]
    Server,
    /// Not 26 letters and digits.
    #[error("the name of a table is 26 letters and digits")]
    Table,
    /// Not 52 letters and digits.
    #[error("the key of a table is 52 letters and digits. Was the link cut short?")]
    Key,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invite(server: &str) -> Invite {
        Invite {
            server: server.to_owned(),
            table: OwnerSecret::new([7; 32]).table(),
            key: InviteKey([9; 16]),
            host: HostTag::of(&[8; 32]),
        }
    }

    #[test]
    fn links_round_trip() {
        for server in ["http://localhost:7878", "https://play.example.org/games", "http://[::1]:7878"] {
            let invite = invite(server);
            assert_eq!(invite.to_string().parse(), Ok(invite));
        }
    }

    #[test]
    fn the_relay_is_beside_the_page() {
        let table = invite("").table;
        assert_eq!(invite("http://a:1").relay_url(), format!("ws://a:1/relay/{table}"));
        assert_eq!(invite("https://a/b").relay_url(), format!("wss://a/b/relay/{table}"));
    }

    #[test]
    fn bad_links_are_told_apart() {
        let good = invite("http://a").to_string();
        let (front, _) = good.split_once('#').unwrap();
        let read = |text: &str| text.parse::<Invite>().unwrap_err();
        assert_eq!(read(front), BadInvite::NoKey);
        assert_eq!(read(&good[..good.len() - 1]), BadInvite::Key);
        assert_eq!(read(&good.replace("/t/", "/u/")), BadInvite::NoTable);
        assert_eq!(read(&good.replace("/t/", "/t/a")), BadInvite::Table);
        assert_eq!(read(&good.replace("http://a", "ftp://a")), BadInvite::Server);
        assert_eq!(read(&good.replace("http://a", "http://")), BadInvite::Server);
        assert_eq!(read(&good.replace("http://a", "http://u@a")), BadInvite::Server);
    }

    #[test]
    fn secrets_do_not_print() {
        assert_eq!(
            format!("{:?} {:?}", OwnerSecret::new([1; 32]), InviteKey([1; 16])),
            "OwnerSecret(…) InviteKey(…)"
        );
        assert!(format!("{:?}", invite("").table).len() < 10);
    }
}
