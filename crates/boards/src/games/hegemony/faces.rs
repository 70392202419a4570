//! Drawing of the cards of Hegemony: icon, short text, and what an observer sees of a token.

use crate::card::CardFace;
use crate::markup::Text;
use pentarchy_engine::{Game, Position, Seat, Token};
use pentarchy_hegemony::places::Place;
use pentarchy_hegemony::{Card, Category, Hegemony, Side, places};

/// Icon name and effect text of each card, indexed by `Card as usize`.
#[rustfmt::skip]
const ART: [(&str, &str); 36] = [
    ("pitchfork", "Lost: stays on 17+ as Partisan"),
    ("bandana", "Won: promoted on 18+"),
    ("bowman", "Stays after a battle"),
    ("daggers", "Won: loser −1 VP. Lost: pay 2"),
    ("centurion-helmet", "Lost: stays on 11+"),
    ("cavalry", "Stays on 14+, else to the deck"),
    ("spyglass", "+2 to combat rolls"),
    ("siege-tower", "Won: empty one Military slot"),
    ("catapult", "Doubled against Archers"),
    ("medieval-barracks", "Room for 3 Military cards"),
    ("defensive-wall", "Room for 3. Slot attack −5"),
    ("caesar", "+1 to all others, +2 to rolls"),
    ("wheelbarrow", "+1 VP each turn"),
    ("cargo-ship", "+2 VP, and buy 1 in upkeep"),
    ("shaking-hands", "+1 VP per trade gain of anyone"),
    ("robber-hand", "Pool costs 1 less"),
    ("price-tag", "One pool card costs 2 more"),
    ("checklist", "Bought cards go on the deck"),
    ("discussion", "Empire costs 1 less"),
    ("convince", "One category costs 2 less"),
    ("shop", "Pool costs 1 less. Sell cards"),
    ("factory", "Room for 3 Laborers"),
    ("old-wagon", "+3 to the Hegemony roll"),
    ("blacksmith", "Laborers pay +1 VP"),
    ("scroll-quill", "+3 to the Hegemony roll"),
    ("spy", "Look at a deck or a slot"),
    ("unlit-bomb", "Cancel a Diplomacy card"),
    ("tear-tracks", "+3 VP after a lost battle"),
    ("black-flag", "−5 to their Hegemony roll"),
    ("linked-rings", "+5 to the Hegemony roll"),
    ("horse-head", "Swap a card with a player"),
    ("interdiction", "Switch off one slot"),
    ("demolish", "Won: empty one slot"),
    ("crossed-chains", "Switch off Trade cards"),
    ("cog-lock", "Switch off Diplomacy cards"),
    ("hooded-assassin", "Remove one card"),
];

/// Returns the name of a card's icon in the icon set, from `ART`.
pub(super) fn icon(card: Card) -> &'static str {
    ART[card as usize].0
}

/// Returns the name of a category's icon in the icon set: `crossed-swords` for Military, `two-coins` for Trade,
/// `quill-ink` for Diplomacy.
pub(super) fn category_icon(category: Category) -> &'static str {
    match category {
        Category::Military => "crossed-swords",
        Category::Trade => "two-coins",
        Category::Diplomacy => "quill-ink",
    }
}

/// Returns the CSS class of a category: `mil`, `tra` or `dip`.
pub(super) fn category_class(category: Category) -> &'static str {
    match category {
        Category::Military => "mil",
        Category::Trade => "tra",
        Category::Diplomacy => "dip",
    }
}

/// Builds the face of a known card: name, category, icon, printed cost, effect text and, for a Military card, attack
/// and defence. `key` is what a click on it selects. It is not marked as usable; the caller may do that.
pub(super) fn open(state: &Hegemony, card: Card, key: String) -> CardFace {
    let category = card.category();
    let foot = match category {
        Category::Military => {
            let (attack, defence) = state.powers_of(card);
            vec![("gladius", attack.to_string()), ("roman-shield", defence.to_string())]
        }
        _ => Vec::new(),
    };
    let cost = state.cost_of(card);
    let powers = foot.iter().map(|(_, n)| n.as_str()).collect::<Vec<_>>().join("/");
    let powers = if powers.is_empty() { powers } else { format!(" {powers}") };
    CardFace {
        key,
        class: category_class(category).into(),
        name: card.title().into(),
        spoken: format!("{}{powers}, cost {cost}", category.title()),
        icon: icon(card).into(),
        category: Some(category_icon(category)),
        cost: Some(cost.to_string()),
        text: ART[card as usize].1.into(),
        foot,
        ..CardFace::default()
    }
}

/// Builds the back of a card of which only the category is known: its icon and name, `face down`. `key` is what a
/// click on it selects.
pub(super) fn back(category: Category, key: String) -> CardFace {
    CardFace {
        key,
        class: format!("{} down", category_class(category)).into(),
        name: category.title().into(),
        spoken: "face down".to_string(),
        icon: category_icon(category).into(),
        ..CardFace::default()
    }
}

/// Builds the card `t`, which must lie in a slot, as the observer sees it: its face if they know it, otherwise the
/// back of its category. `key` is what a click on it selects. The printed cost is shown only for open cards of the
/// Empire. Marks cards that lie face down or are switched off, and the category that a Lobbyist names. A back has no
/// marks.
pub(super) fn slotted(view: &Position<Hegemony>, t: Token, key: String) -> CardFace {
    let state = view.state();
    let place = places::place(state.tokens().zone(t));
    let (side, i) = if let Place::Slot(side, i) = place { (side, i) } else { (Side::EMPIRE, 0) };
    let down = state.is_face_down(side, i, t);
    let Some(card) = view.face(t) else { return back(state.category_of(t), key) };
    let mut face = open(state, card, key);
    if !side.is_empire() {
        face.cost = None;
    }
    if down {
        let class: Text = format!("{} down mine", face.class).into();
        face.class = class;
        face.cost = None;
        face.spoken.push_str(", face down");
    }
    if let Some(cause) = state.switched_off(side, i) {
        face.class = format!("{} off", face.class).into();
        face.spoken.push_str(&format!(", switched off by {}", cause.title()));
    }
    if card == Card::Lobbyist
        && let Some(seat) = side.seat()
    {
        let named = state.lobbied(seat, i).title();
        face.tag = Some(named.to_string());
        face.spoken.push_str(&format!(", for {named}"));
    }
    face
}

/// Returns whether card `t` in slot `i` (from 0) of a side lies face down and a seat other than its owner knows it;
/// for the Empire, any seat. Not checked: whether the card lies in that slot.
pub(super) fn is_seen(view: &Position<Hegemony>, side: Side, i: u8, t: Token) -> bool {
    let known = view.state().tokens().known(t);
    let others = match side.seat() {
        Some(owner) => known.beyond(owner),
        None => known.is_public() || (0..view.seats()).any(|s| known.to(Seat(s))),
    };
    others && view.state().is_face_down(side, i, t)
}
