//! What can be touched on the table of Ozymandias, and which of it an action touches.
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
use pentarchy_ozymandias::{Act, Target};

/// The key of a sector.
pub(super) fn hex(hex: Hex) -> Key {
    format!("hex {hex}")
}

/// The key of a corner.
pub(super) fn corner(corner: Corner) -> Key {
    format!("corner {corner}")
}

/// The key of a faction.
pub(super) fn faction(faction: Faction) -> Key {
    format!("faction {faction}")
}

/// The sector that a key names.
pub(super) fn hex_of(key: &str) -> Option<Hex> {
    key.strip_prefix("hex ").and_then(|hex| hex.parse().ok())
}

/// The token that a key names.
pub(super) fn token_of(key: &str) -> Option<Token> {
    key.starts_with('#').then(|| key.parse().ok()).flatten()
}

/// The places that an action touches, in the order of the clicks.
pub(super) fn touches(action: Act, path: &mut Vec<Key>) {
    match action {
        Act::Explore(t) | Act::Expand(t) => path.push(t.to_string()),
        Act::Place(at) | Act::Sector(at) => path.push(hex(at)),
        Act::Build(at) => path.push(corner(at)),
        Act::Activate(t) | Act::Pickup(t) | Act::Contribute(t) | Act::Buy(t) => path.push(t.to_string()),
        Act::BuyDeck => path.push("deck".to_string()),
        Act::Choose(target) => match target {
            Target::Card(t) => path.push(t.to_string()),
            Target::Corner(at) => path.push(corner(at)),
            Target::Sector(at) => path.push(hex(at)),
            Target::Faction(one) => path.push(faction(one)),
            Target::Player(seat) => path.push(format!("player {}", seat.0)),
            Target::None => {}
        },
        Act::Crisis | Act::Withdraw | Act::Done | Act::PickupAll | Act::Pass => {}
    }
}
