//! The explorer: what was played in a public position.

use pentarchy_engine::any::AnyGame;
use pentarchy_engine::record::{Record, RecordError, RecordKind};
use pentarchy_engine::{Digest, Node, Outcome};
use pentarchy_storage::club::{PlayedMove, PositionKey};

/// Actions with a longer text are not counted: no index of a database takes them.
const LONGEST_ACTION: usize = 500;

/// Returns the key of a public position: the first 16 bytes of a hash of the game, the version of its rules, all
/// options as JSON, and the public digest. The JSON must be the canonical text of all options: another spelling gives
/// another key. The digest is equal for all observers, so the explorer shows nothing that was hidden.
pub fn position_key(game: &str, rules: u32, options: &str, digest: &Digest) -> PositionKey {
    let mut hash = blake3::Hasher::new_derive_key("pentarchy explorer v1");
    for part in [game.as_bytes(), &rules.to_le_bytes(), options.as_bytes(), &digest.0] {
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let mut key = PositionKey::default();
    key.copy_from_slice(&hash.finalize().as_bytes()[..16]);
    key
}

/// Returns the decisions of a verified public record in order, each with the key of its position, and what the outcome
/// was worth to the seat that decided: whether it won, and its reward in thousandths. A draw is won by nobody, also if
/// the rules list all seats as winners. Duties, chance and actions with a text of more than [`LONGEST_ACTION`] bytes
/// are left out. `options` are all options as JSON, as the table signed them.
///
/// # Errors
///
/// Fails if the record cannot be replayed.
pub(crate) fn played_moves(
    game: &dyn AnyGame,
    record: &Record,
    options: &str,
    outcome: &Outcome,
) -> Result<Vec<PlayedMove>, RecordError> {
    let info = game.info();
    let mut before = Vec::with_capacity(record.entries.len() + 1);
    game.replay(record, RecordKind::Public, usize::MAX, &mut |position| {
        let decider = match position.node() {
            Node::Decide(seat) => Some(seat),
            _ => None,
        };
        before.push(decider.map(|seat| (seat, position.digest())));
    })?;
    let decisions = before.iter().zip(&record.entries).filter_map(|(at, entry)| Some(((*at)?, entry)));
    let moves =
        decisions.filter(|(_, entry)| entry.event.len() <= LONGEST_ACTION).map(|((seat, digest), entry)| {
            PlayedMove {
                position: position_key(info.name, info.rules_version, options, &digest),
                action: entry.event.clone(),
                is_won: !outcome.is_draw() && outcome.winners().any(|winner| winner == seat),
                points: (outcome.reward(seat) * 1000.0).round() as u32,
            }
        });
    Ok(moves.collect())
}
