//! The hash of a game's rules data, so that players with different data notice it before they play.

use crate::hash::hash;
use pentarchy_engine::AnyGame;

/// Returns the hash of the data that a game's rules consist of and that can be read without its types: name,
/// version, seat counts, options with their ranges, names of faces and zones, and for each seat count the
/// default options and the digest of the first position. Seat counts that the default options do not allow
/// are left out. The code of the rules is not covered; its version number is. It starts a match for each seat
/// count, so it takes a moment.
pub fn rules_hash(game: &dyn AnyGame) -> [u8; 32] {
    let mut data = Vec::new();
    let mut put = |bytes: &[u8]| {
        data.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        data.extend_from_slice(bytes);
    };
    let info = game.info();
    put(info.name.as_bytes());
    put(&info.rules_version.to_le_bytes());
    put(&[info.min_seats, info.max_seats]);
    for field in game.fields() {
        put(field.name.as_bytes());
        put(field.kind.to_string().as_bytes());
        put(&[u8::from(field.tuning)]);
    }
    for (name, _) in game.cards() {
        put(name.as_bytes());
    }
    for zone in game.zones() {
        put(zone.as_bytes());
    }
    for seats in info.min_seats..=info.max_seats {
        // A seat count that the default options do not allow has no first position.
        let Ok(options) = game.options(seats, &serde_json::json!({}), &[]) else { continue };
        let Ok(start) = game.start(seats, &options) else { continue };
        put(&[seats]);
        put(options.to_string().as_bytes());
        put(&start.digest().0);
    }
    hash("pentarchy rules data v1", &[&data])
}
