//! The keys of the pieces of Ozymandias, and the keys that an action touches.
//!
//! | key | place |
//! | --- | --- |
//! | `#17` | a card in the hand, in a tableau, on the market, or laid for the crisis |
//! | `hex 1,-1` | a sector, or the place for one |
//! | `corner 0,1,0` | a corner and the stack on it |
//! | `faction red` | a faction's marker on the track |
//! | `player 2` | a player |
//! | `deck` | the deck in the market |

use crate::board::Key;
use pentarchy_engine::Token;
use pentarchy_ozymandias::cards::Faction;
use pentarchy_ozymandias::map::{Corner, Hex};
use pentarchy_ozymandias::{Action, Target};

/// Returns the key of a sector, or of the place for one: `hex 1,-1`.
pub(super) fn hex(hex: Hex) -> Key {
    format!("hex {hex}")
}

/// Returns the key of a corner and the stack on it: `corner 0,1,0`.
pub(super) fn corner(corner: Corner) -> Key {
    format!("corner {corner}")
}

/// Returns the key of a faction's marker on the track: `faction red`.
pub(super) fn faction(faction: Faction) -> Key {
    format!("faction {faction}")
}

/// Returns the hex that a key `hex …` names; `None` if it names none. Not checked: whether there is a sector.
pub(super) fn hex_of(key: &str) -> Option<Hex> {
    key.strip_prefix("hex ").and_then(|hex| hex.parse().ok())
}

/// Returns the token that a key such as `#17` names; `None` if it names none. Not checked: whether the match has it.
pub(super) fn token_of(key: &str) -> Option<Token> {
    key.starts_with('#').then(|| key.parse().ok()).flatten()
}

/// Appends to `path` the key that a player clicks for an action: a card, hex, corner, faction, player or the deck. At
/// most one; nothing for actions that have only a button, such as *Pass*.
pub(super) fn touches(action: Action, path: &mut Vec<Key>) {
    match action {
        Action::Explore(t) | Action::Expand(t) => path.push(t.to_string()),
        Action::Place(at) | Action::Sector(at) => path.push(hex(at)),
        Action::Build(at) => path.push(corner(at)),
        Action::Activate(t) | Action::Pickup(t) | Action::Contribute(t) | Action::Buy(t) => {
            path.push(t.to_string());
        }
        Action::BuyDeck => path.push("deck".to_string()),
        Action::Choose(target) => match target {
            Target::Card(t) => path.push(t.to_string()),
            Target::Corner(at) => path.push(corner(at)),
            Target::Sector(at) => path.push(hex(at)),
            Target::Faction(one) => path.push(faction(one)),
            Target::Player(seat) => path.push(format!("player {}", seat.0)),
            Target::None => {}
        },
        Action::Crisis | Action::Withdraw | Action::Done | Action::PickupAll | Action::Pass => {}
    }
}
