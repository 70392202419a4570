//! The public seed of a tournament (`docs/club.md`): what a player needs to check it.

/// Returns the hash by which a server commits to its share of a tournament's seed before anybody can enter.
/// `secret` is that share: 32 random bytes, which the server shows when it draws the seed.
pub fn tournament_commitment(secret: &[u8; 32]) -> [u8; 32] {
    blake3::derive_key("pentarchy tournament commitment v1", secret)
}

/// A player of a tournament with the random bytes that they have added to the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeedShare {
    /// The public key of the player.
    pub identity: [u8; 32],
    /// The random bytes.
    pub share: [u8; 32],
}

/// Returns the seed of a tournament: the hash of `secret`, the server's share, of the identifier of the
/// tournament, and of the players with their shares in the given order, which must be that in which they
/// entered. That the share is the one of [`tournament_commitment`] is not checked.
pub fn tournament_seed(secret: &[u8; 32], tournament: &[u8; 32], shares: &[SeedShare]) -> [u8; 32] {
    let mut hash = blake3::Hasher::new_derive_key("pentarchy tournament seed v1");
    hash.update(secret).update(tournament);
    for SeedShare { identity, share } in shares {
        hash.update(identity).update(share);
    }
    *hash.finalize().as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_depends_on_every_share_and_their_order() {
        let share = |i: u8| SeedShare { identity: [i; 32], share: [i + 100; 32] };
        let seed = tournament_seed(&[1; 32], &[2; 32], &[share(1), share(2)]);
        assert_eq!(seed, tournament_seed(&[1; 32], &[2; 32], &[share(1), share(2)]));
        let changed = SeedShare { share: [9; 32], ..share(2) };
        for other in [
            tournament_seed(&[3; 32], &[2; 32], &[share(1), share(2)]),
            tournament_seed(&[1; 32], &[3; 32], &[share(1), share(2)]),
            tournament_seed(&[1; 32], &[2; 32], &[share(2), share(1)]),
            tournament_seed(&[1; 32], &[2; 32], &[share(1), changed]),
            tournament_seed(&[1; 32], &[2; 32], &[share(1)]),
        ] {
            assert_ne!(seed, other);
        }
        assert_ne!(tournament_commitment(&[1; 32]), tournament_commitment(&[2; 32]));
    }
}
