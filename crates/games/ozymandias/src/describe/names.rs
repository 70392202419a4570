//! Names of cards, corners and stacks, and lists of them.

use super::View;
use super::texts::LOG;
use crate::actions::Target;
use crate::cards::{Myth, Thing};
use crate::map::{Corner, Hex};
use crate::state::{Ozymandias, Pile, TILE_STACK};
use crate::table::{corner_name, sector_title};
use pentarchy_engine::describe::{join_list, who};
use pentarchy_engine::{Token, fill_text};

/// Returns the title of a card with faction and rank, or of a tile; `a card` if the observer does not know
/// it.
pub(super) fn title(view: &View, t: Token) -> String {
    match view.face(t) {
        Some(Thing::Myth(m)) => myth_title(m),
        Some(tile) => tile.title().to_string(),
        None => LOG.unknown_card.to_string(),
    }
}

/// Returns the title of a card with faction and rank, like `Peace Talks (white 1)`.
pub(super) fn myth_title(m: Myth) -> String {
    fill_text!(LOG.card, title = m.printed().title, faction = m.faction(), rank = m.rank())
}

/// Returns the title of the top tile of the stack, which is about to be placed; `the new sector` if the
/// observer does not know it or there is none.
pub(super) fn new_tile(view: &View) -> String {
    let tile = view.state().tokens.top(TILE_STACK).and_then(|tile| view.face(tile));
    tile.map_or("the new sector".to_string(), |tile| tile.title().to_string())
}

/// Describes a corner by one of its sectors, and the stack there (`the north corner of Holy City: red rules 3
/// cities`) or `, free`.
fn at(game: &Ozymandias, corner: Corner) -> String {
    let name = corner_name(game, corner);
    match game.pile(corner) {
        Some(pile) => format!("{name}: {}", stack_text(pile)),
        None => format!("{name}, free"),
    }
}

/// Describes a stack by its ruler and height: `red rules 3 cities`, `1 red city`; `no city` for an empty one.
fn stack_text(pile: &Pile) -> String {
    match (pile.ruler(), pile.height()) {
        (Some(ruler), 1) => format!("1 {ruler} city"),
        (Some(ruler), height) => format!("{ruler} rules {height} cities"),
        (None, _) => "no city".to_string(),
    }
}

/// Describes the target of a card: the title of a card or sector, a corner with its stack, the colour of a
/// faction, the placeholder of a seat (`@0`), or `nothing`. Begins in lower case where it is no name.
pub(super) fn target_text(view: &View, target: Target) -> String {
    match target {
        Target::Card(t) => title(view, t),
        Target::Corner(corner) => at(view.state(), corner),
        Target::Sector(hex) => sector_title(view.state(), hex),
        Target::Faction(faction) => faction.to_string(),
        Target::Player(seat) => who(seat),
        Target::None => "nothing".to_string(),
    }
}

/// Lists the titles of the sectors next to a hex, which need not have one itself: "a, b and c". Empty if
/// there is none.
pub(super) fn neighbours(game: &Ozymandias, hex: Hex) -> String {
    let near = hex.neighbours().into_iter().filter(|&n| game.has_sector(n));
    join(&near.map(|n| sector_title(game, n)).collect::<Vec<_>>())
}

/// Joins names: "a, b and c". Empty for no names.
pub(super) fn join(names: &[String]) -> String {
    join_list(names, LOG.comma, LOG.and)
}

/// Returns the text with its first letter in upper case; an empty text is unchanged.
pub(super) fn capital(text: &str) -> String {
    text.chars().take(1).flat_map(char::to_uppercase).chain(text.chars().skip(1)).collect()
}
