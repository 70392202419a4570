//! A dishonest host before the start: what its changed client sends instead of the seating and the start.

use pentarchy_engine::Rng;
use pentarchy_keys::SigningSecret;
use pentarchy_lobby::Seating;
use pentarchy_net::PeerId;
use pentarchy_table::{Descriptor, Recovery};
use serde::{Deserialize, Serialize};

/// The first bytes of what a host tells its guests: the seating, and the start.
const SEATS: [u8; 2] = [0, 1];
const BEGIN: [u8; 2] = [0, 2];

/// The host's signed start, as it travels.
#[derive(Serialize, Deserialize)]
struct SignedStart {
    host: [u8; 32],
    descriptor: Vec<u8>,
    signature: ([u8; 32], [u8; 32]),
}

/// A host that lies.
#[derive(Clone)]
pub(crate) struct LyingHost {
    /// Starts another table than it showed.
    pub(crate) switches: bool,
    /// Shows guests different seatings.
    pub(crate) differs: bool,
    /// Starts before anybody is ready.
    pub(crate) hurries: bool,
    pub(crate) rng: Rng,
    /// How often it switched, differed and hurried.
    pub(crate) done: [u64; 3],
}

impl LyingHost {
    /// Returns what the host sends to each of `peers` instead of the lobby message `bytes`, in order. Depending on the
    /// lies of this host, guests with an odd peer number get a changed seating, a start follows a full seating without
    /// consent, and a start carries another descriptor, signed with `identity`. Other messages go out unchanged. Counts
    /// each lie in `done`. A start that cannot be decoded is not sent if the host switches tables.
    pub(crate) fn rewrite(
        &mut self,
        identity: &SigningSecret,
        peers: &[PeerId],
        bytes: Vec<u8>,
    ) -> Vec<(PeerId, Vec<u8>)> {
        let mut sent = Vec::new();
        for &peer in peers {
            let seating =
                bytes.strip_prefix(&SEATS).and_then(|rest| postcard::from_bytes::<Seating>(rest).ok());
            let start =
                bytes.strip_prefix(&BEGIN).and_then(|rest| postcard::from_bytes::<SignedStart>(rest).ok());
            match (seating, start) {
                (Some(mut seating), _) => {
                    if self.differs && peer % 2 == 1 {
                        self.done[1] += 1;
                        self.change_seating(&mut seating);
                    }
                    let table = seating.descriptor();
                    sent.push((peer, framed(SEATS, &seating)));
                    if self.hurries && seating.chairs.iter().all(Option::is_some) && self.rng.below(2) == 0 {
                        self.done[2] += 1;
                        sent.push((peer, framed(BEGIN, &signed(identity, &table))));
                    }
                }
                (_, Some(start)) if self.switches => {
                    let Ok(mut table) = Descriptor::decode(&start.descriptor) else { continue };
                    self.done[0] += 1;
                    self.change_table(&mut table);
                    sent.push((peer, framed(BEGIN, &signed(identity, &table))));
                }
                _ => sent.push((peer, bytes.clone())),
            }
        }
        sent
    }

    /// Changes one random field of a seating: the time limit, the nonce, or the name of the first player. Without a
    /// player nothing may change.
    fn change_seating(&mut self, seating: &mut Seating) {
        match self.rng.below(3) {
            0 => seating.stall_ms += 30_000,
            1 => seating.nonce[0] ^= 1,
            _ => {
                if let Some(chair) = seating.chairs.iter_mut().flatten().next() {
                    chair.name.push('!');
                }
            }
        }
    }

    /// Changes one random field of a descriptor: the time limit, the recovery (only at a table of
    /// more than two machines that had none; else the nonce), the audit, or the nonce.
    fn change_table(&mut self, table: &mut Descriptor) {
        match self.rng.below(4) {
            0 => table.stall_ms += 1_000,
            1 if table.recovery == Recovery::End && table.machines() > 2 => {
                table.recovery = Recovery::for_machines(table.machines());
            }
            2 => table.audit = !table.audit,
            _ => table.nonce[5] ^= 4,
        }
    }
}

/// Encodes a lobby message: the two bytes of its kind, then the body in postcard (empty if the body
/// cannot be encoded).
fn framed(kind: [u8; 2], body: &impl Serialize) -> Vec<u8> {
    [&kind[..], &postcard::to_allocvec(body).unwrap_or_default()].concat()
}

/// Returns the start of a match with any descriptor, signed by `identity`, without the checks of an honest host.
fn signed(identity: &SigningSecret, table: &Descriptor) -> SignedStart {
    let descriptor = table.encode();
    let signature = identity.sign(&blake3::derive_key("pentarchy begin v1", &descriptor));
    let (mut r, mut s) = ([0; 32], [0; 32]);
    r.copy_from_slice(&signature[..32]);
    s.copy_from_slice(&signature[32..]);
    SignedStart { host: *identity.public().bytes(), descriptor, signature: (r, s) }
}
