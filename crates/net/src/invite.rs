//! Invitations: the name of a table on the server, the secrets that open it, and the link that carries them.
//!
//! The name of a table is a hash of two other hashes. So a server without storage can check, also after a restart, whether a
//! client may enter the relay room ([`RoomPass`], which every holder of the link can compute) and whether it owns the table
//! ([`OwnerProof`], which only the owner can compute).

use crate::base32;
use std::fmt;
use std::str::FromStr;
use zeroize::{Zeroize as _, ZeroizeOnDrop, Zeroizing};

/// Returns the first 16 bytes of a hash of the concatenated `parts` under a context. The parts are not
/// framed, so each must have a fixed length.
fn tag(context: &str, parts: &[&[u8]]) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    for part in parts {
        hasher.update(part);
    }
    let mut tag = [0; 16];
    tag.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    tag
}

/// The name of a table on the server, and of its relay room: the hash of a [`RoomPass`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId([u8; 16]);

impl TableId {
    /// Creates the name of a table from its bytes. That a table has this name is not checked.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes of the name.
    pub fn bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Display for TableId {
    /// Writes the whole name, 26 lower-case letters and digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&base32::encode(&self.0))
    }
}

impl fmt::Debug for TableId {
    /// Writes the first letters only: logs must not contain the whole name of a private table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}…", base32::encode(&self.0[..3]))
    }
}

impl FromStr for TableId {
    type Err = InviteError;

    /// Parses the 26 letters and digits of a table's name, in either case.
    ///
    /// # Errors
    ///
    /// Fails with `Table` for every other text.
    fn from_str(text: &str) -> Result<Self, InviteError> {
        base32::decode(text).map(Self).ok_or(InviteError::Table)
    }
}

/// The hash of the secret of the owner of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnerTag([u8; 16]);

/// The secret of the owner of a table. Wiped when dropped.
#[derive(Clone, ZeroizeOnDrop)]
pub struct OwnerSecret([u8; 32]);

impl OwnerSecret {
    /// Creates a secret from 32 bytes, which must be fresh and random. Keep it on the owner's device.
    pub fn new(random: [u8; 32]) -> Self {
        Self(random)
    }

    /// Returns the hash of this secret, 16 bytes. It is public: a part of the link.
    pub fn tag(&self) -> OwnerTag {
        OwnerTag(tag("pentarchy owner v2", &[&self.0]))
    }

    /// Returns the proof that the holder of this secret owns the table that this secret and `key` name. It
    /// contains the secret itself: send it only to the server of the table, over TLS.
    pub fn proof(&self, key: &InviteKey) -> OwnerProof {
        OwnerProof { owner: self.clone(), room: key.room_token() }
    }
}

impl fmt::Debug for OwnerSecret {
    /// Writes the name of the type without the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OwnerSecret(…)")
    }
}

/// The proof with which the owner of a table changes its entry in the server's list of open tables.
#[derive(Clone)]
pub struct OwnerProof {
    owner: OwnerSecret,
    room: [u8; 16],
}

impl OwnerProof {
    /// Computes the table whose ownership this proves. A server compares it with the table of the request:
    /// nothing else makes the proof valid.
    pub fn table(&self) -> TableId {
        RoomPass { owner: self.owner.tag(), room: self.room }.table()
    }

    /// Encodes the proof as 77 letters and digits, for an `Authorization: Bearer` header.
    pub fn to_text(&self) -> String {
        let mut bytes = Zeroizing::new([0; 48]);
        bytes[..32].copy_from_slice(&self.owner.0);
        bytes[32..].copy_from_slice(&self.room);
        base32::encode(&*bytes)
    }

    /// Decodes the text of [`OwnerProof::to_text`]; `None` if it is not 77 letters and digits in canonical
    /// form. Every such text gives a proof, of some table: compare [`OwnerProof::table`].
    pub fn from_text(text: &str) -> Option<Self> {
        let bytes: Zeroizing<[u8; 48]> = base32::decode(text).map(Zeroizing::new)?;
        let (owner, room) = bytes.split_first_chunk()?;
        Some(Self { owner: OwnerSecret(*owner), room: room.try_into().ok()? })
    }
}

/// The credential for the relay room of a table. Every holder of the link can compute it. The server checks that its hash is
/// the name of the table, and learns nothing about the key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RoomPass {
    owner: OwnerTag,
    room: [u8; 16],
}

impl fmt::Debug for OwnerProof {
    /// Writes the name of the type without the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OwnerProof(…)")
    }
}

impl fmt::Debug for RoomPass {
    /// Writes the name of the type without the pass.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RoomPass(…)")
    }
}

impl RoomPass {
    /// Computes the table whose room this opens. A server compares it with the table of the request: nothing
    /// else makes the pass valid.
    pub fn table(&self) -> TableId {
        TableId(tag("pentarchy table v2", &[&self.owner.0, &self.room]))
    }

    /// Encodes the pass as 52 letters and digits, for the subprotocol header of the WebSocket.
    pub fn to_text(&self) -> String {
        base32::encode(&[self.owner.0, self.room].concat())
    }

    /// Decodes the text of [`RoomPass::to_text`]; `None` if it is not 52 letters and digits in canonical
    /// form. Every such text gives a pass, of some table: compare [`RoomPass::table`].
    pub fn from_text(text: &str) -> Option<Self> {
        let bytes: [u8; 32] = base32::decode(text)?;
        let (owner, room) = bytes.split_first_chunk()?;
        Some(Self { owner: OwnerTag(*owner), room: room.try_into().ok()? })
    }
}

/// The secret that the peers of a table share. The server does not learn it: it is in the fragment of the link (behind the
/// `#`), which browsers do not send. Wiped when dropped.
#[derive(Clone, PartialEq, Eq, ZeroizeOnDrop)]
pub struct InviteKey(pub [u8; 16]);

impl InviteKey {
    /// Derives the part of the room pass that only holders of the key can compute. It does not reveal the
    /// key.
    fn room_token(&self) -> [u8; 16] {
        tag("pentarchy room v2", &[&self.0])
    }
}

impl fmt::Debug for InviteKey {
    /// Writes the name of the type without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InviteKey(…)")
    }
}

/// The hash of the host's identity. A guest accepts the seating and the start only from this identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostTag([u8; 16]);

impl HostTag {
    /// Computes the tag of an identity, which is the player's public key.
    pub fn of(identity: &[u8; 32]) -> Self {
        Self(tag("pentarchy host v1", &[identity]))
    }
}

/// The version of links: the first character of the fragment. Links of version 1 had none.
const LINK_VERSION: char = '2';

/// An invitation to a table: `http://host:port/t/TABLE#SECRET`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invite {
    /// The server: `http://host[:port]` or `https://host[:port]`, and a path if it is not at the root, without a
    /// final slash.
    pub server: String,
    /// The key that the peers share.
    pub key: InviteKey,
    /// The hash of the host's identity.
    pub host: HostTag,
    /// The hash of the owner's secret.
    pub owner: OwnerTag,
}

impl Invite {
    /// Computes the name of the table from the key and the owner's tag.
    pub fn table(&self) -> TableId {
        self.pass().table()
    }

    /// Computes the credential for the relay room of the table.
    pub fn pass(&self) -> RoomPass {
        RoomPass { owner: self.owner, room: self.key.room_token() }
    }

    /// Returns the fragment of the link, 78 characters: a version, then the key and the tags of host and
    /// owner in base32. It contains the key, so it admits its reader to the table. Open tables publish it in
    /// the server's list.
    pub fn secret_part(&self) -> String {
        let mut bytes = Zeroizing::new([0; 48]);
        for (place, part) in bytes.chunks_mut(16).zip([&self.key.0, &self.host.0, &self.owner.0]) {
            place.copy_from_slice(part);
        }
        format!("{LINK_VERSION}{}", base32::encode(&*bytes))
    }

    /// Decodes the invitation to a table at `server` from the fragment of its link (behind the `#`). `server`
    /// is stored as it is, without a check.
    ///
    /// # Errors
    ///
    /// Fails with `Old` for 52 letters and digits (a link of version 1), `New` for another text that begins
    /// with a digit from 3 to 9 (a link of a later version), and `Key` for every other text that is not of
    /// the form of [`Invite::secret_part`].
    pub fn from_secret_part(server: &str, text: &str) -> Result<Self, InviteError> {
        // 52 letters and digits without a version.
        if base32::decode::<32>(text).is_some() {
            return Err(InviteError::Old);
        }
        let (version, letters) = text.split_at_checked(1).ok_or(InviteError::Key)?;
        if ("3"..="9").contains(&version) {
            return Err(InviteError::New);
        }
        let bytes = base32::decode::<48>(letters).filter(|_| version.starts_with(LINK_VERSION));
        let mut bytes = bytes.ok_or(InviteError::Key)?;
        let part = |i: usize| {
            let mut part = [0; 16];
            part.copy_from_slice(&bytes[16 * i..16 * (i + 1)]);
            part
        };
        let (key, host, owner) = (InviteKey(part(0)), HostTag(part(1)), OwnerTag(part(2)));
        bytes.zeroize();
        Ok(Self { server: server.to_owned(), key, host, owner })
    }

    /// Returns the WebSocket address of the relay room of the table: `wss://…` if the server has `https://`,
    /// otherwise `ws://…`.
    pub fn relay_url(&self) -> String {
        relay_url(&self.server, &self.table())
    }
}

/// Returns the WebSocket address of the relay room of a table at a server: `wss://…` for `https://…`,
/// `ws://…` for `http://…` or an address without a scheme. `server` must not end with a slash and is not
/// checked.
pub fn relay_url(server: &str, table: &TableId) -> String {
    let socket = match server.strip_prefix("https://") {
        Some(rest) => format!("wss://{rest}"),
        None => format!("ws://{}", server.strip_prefix("http://").unwrap_or(server)),
    };
    format!("{socket}/relay/{table}")
}

impl fmt::Display for Invite {
    /// Writes the whole link with its secret part.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/t/{}#{}", self.server, self.table(), self.secret_part())
    }
}

impl FromStr for Invite {
    type Err = InviteError;

    /// Parses a whole link; spaces around it are ignored. That host and port are valid is not checked.
    ///
    /// # Errors
    ///
    /// Fails with `NoKey` without a `#`, `NoTable` without a `/t/`, `Server` if the address before the `/t/`
    /// is not `http://host` or `https://host` with an optional path, ends with a slash, or contains a
    /// character that is not printable ASCII or is one of `?@\"<>`, `Table` or an error of
    /// [`Invite::from_secret_part`] if one half is malformed, and `Mismatch` if the halves belong to
    /// different tables.
    fn from_str(text: &str) -> Result<Self, InviteError> {
        let (address, key) = text.trim().split_once('#').ok_or(InviteError::NoKey)?;
        let (server, table) = address.rsplit_once("/t/").ok_or(InviteError::NoTable)?;
        let host = server.strip_prefix("http://").or_else(|| server.strip_prefix("https://"));
        let host = host.ok_or(InviteError::Server)?;
        let plain = |c: char| c.is_ascii_graphic() && !"?#@\\\"<>".contains(c);
        if host.is_empty() || host.starts_with('/') || host.ends_with('/') || !host.chars().all(plain) {
            return Err(InviteError::Server);
        }
        let table: TableId = table.parse()?;
        let invite = Self::from_secret_part(server, key)?;
        if invite.table() == table { Ok(invite) } else { Err(InviteError::Mismatch) }
    }
}

/// Why a text is not an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InviteError {
    /// No `#`.
    #[error("Incomplete link: the part after # is missing.")]
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
    /// Not 78 letters and digits.
    #[error("the part of the link behind the `#` is 78 letters and digits. Was the link cut short?")]
    Key,
    /// The key is not that of the table.
    #[error("the two halves of the link do not belong together")]
    Mismatch,
    /// A link of version 1.
    #[error("This link was made by an older version of Pentarchy. Ask the host for a new one.")]
    Old,
    /// A link of a later version.
    #[error("This link was made by a newer version of Pentarchy. Update this program to join.")]
    New,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invite(server: &str) -> Invite {
        Invite {
            server: server.to_owned(),
            key: InviteKey([9; 16]),
            host: HostTag::of(&[8; 32]),
            owner: OwnerSecret::new([7; 32]).tag(),
        }
    }

    #[test]
    fn links_round_trip() {
        for server in ["http://localhost:7878", "https://play.example.org/games", "http://[::1]:7878"] {
            let invite = invite(server);
            assert_eq!(invite.to_string().parse(), Ok(invite));
        }
    }

    /// Other programs, links that people keep, and the tables of servers hold these texts.
    #[test]
    fn texts_stay_as_they_are() {
        let invite = invite("http://a");
        let proof = OwnerSecret::new([7; 32]).proof(&invite.key);
        let link = "http://a/t/222e2y3mid76ofq7zrqodviooe#\
                    2beeqscijbeeqscijbeeqscijbhwvgkbo45n4nzkwv7mnw4yvzgpffodhgdv2i6nkysj524ni3ueju";
        assert_eq!(invite.to_string(), link);
        assert_eq!(invite.pass().to_text(), "kk4gomhlur42vret3vy2rxiitivlewdpaoo7hwoxwmal4z2mcvaa");
        let text = "a4dqobyha4dqobyha4dqobyha4dqobyha4dqobyha4dqobyha4dsvmsyn4bz346z26zqbpthjqkua";
        assert_eq!(proof.to_text(), text);
    }

    /// The codec for the page agrees with the general one.
    #[test]
    fn base32_is_that_of_the_standard() {
        for length in 0..=80_u8 {
            let bytes: Vec<u8> = (0..length).map(|i| i.wrapping_mul(151) ^ length).collect();
            let text = data_encoding::BASE32_NOPAD.encode(&bytes).to_lowercase();
            assert_eq!((base32::encode(&bytes), base32::decode_all(&text)), (text, Some(bytes)));
        }
    }

    #[test]
    fn the_relay_is_beside_the_page() {
        let table = invite("").table();
        assert_eq!(invite("http://a:1").relay_url(), format!("ws://a:1/relay/{table}"));
        assert_eq!(invite("https://a/b").relay_url(), format!("wss://a/b/relay/{table}"));
    }

    #[test]
    fn errors_of_links_are_distinguished() {
        let good = invite("http://a").to_string();
        let (front, _) = good.split_once('#').unwrap();
        let read = |text: &str| text.parse::<Invite>().unwrap_err();
        assert_eq!(read(front), InviteError::NoKey);
        assert_eq!(read(&good[..good.len() - 1]), InviteError::Key);
        assert_eq!(read(&good.replace("/t/", "/u/")), InviteError::NoTable);
        assert_eq!(read(&good.replace("/t/", "/t/a")), InviteError::Table);
        assert_eq!(read(&good.replace("http://a", "ftp://a")), InviteError::Server);
        assert_eq!(read(&good.replace("http://a", "http://")), InviteError::Server);
        assert_eq!(read(&good.replace("http://a", "http://u@a")), InviteError::Server);
        let other = Invite { key: InviteKey([1; 16]), ..invite("http://a") };
        assert_eq!(read(&format!("{front}#{}", other.secret_part())), InviteError::Mismatch);
    }

    #[test]
    fn links_of_other_versions_are_recognized() {
        // A link as version 1 made it.
        let old = format!("http://a/t/{}#{}", base32::encode(&[7; 16]), base32::encode(&[9; 32]));
        let old = old.parse::<Invite>().unwrap_err();
        let text = "This link was made by an older version of Pentarchy. Ask the host for a new one.";
        assert_eq!((old, old.to_string().as_str()), (InviteError::Old, text));
        let good = invite("http://a").to_string();
        let (front, secret) = good.split_once('#').unwrap();
        assert_eq!(format!("{front}#3{}", &secret[1..]).parse::<Invite>(), Err(InviteError::New));
        assert_eq!(format!("{front}#a{}", &secret[1..]).parse::<Invite>(), Err(InviteError::Key));
    }

    #[test]
    fn the_name_of_a_table_is_the_hash_of_pass_and_proof() {
        let (owner, other) = (OwnerSecret::new([7; 32]), OwnerSecret::new([8; 32]));
        let invite = invite("http://a");
        let pass = RoomPass::from_text(&invite.pass().to_text()).unwrap();
        assert_eq!((pass, pass.table()), (invite.pass(), invite.table()));
        let proof = OwnerProof::from_text(&owner.proof(&invite.key).to_text()).unwrap();
        assert_eq!(proof.table(), invite.table());
        assert_ne!(other.proof(&invite.key).table(), invite.table());
        assert_ne!(owner.proof(&InviteKey([0; 16])).table(), invite.table());
        assert!(OwnerProof::from_text(&pass.to_text()).is_none());
        assert_eq!(format!("{proof:?} {pass:?}"), "OwnerProof(…) RoomPass(…)");
    }

    #[test]
    fn secrets_do_not_print() {
        assert_eq!(
            format!("{:?} {:?}", OwnerSecret::new([1; 32]), InviteKey([1; 16])),
            "OwnerSecret(…) InviteKey(…)"
        );
        assert!(format!("{:?}", invite("").table()).len() < 10);
    }
}
