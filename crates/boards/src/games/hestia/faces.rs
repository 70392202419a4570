//! Drawing of the cards and blocks of Hestia.

use crate::card::{CardFace, CardSize, card as draw_card};
use crate::icons::icon_at;
use crate::markup::{El, el, g, path};
use crate::ui::Ui;
use pentarchy_engine::{Position, Seat, Token};
use pentarchy_hestia::Hestia;
use pentarchy_hestia::blocks::Unit;
use pentarchy_hestia::cards::{Card, Category};
use pentarchy_hestia::face::Shown;

/// Icon name and effect text of each card, indexed by `Card as usize`. A card without an effect has an empty text.
#[rustfmt::skip]
const ART: [(&str, &str); 20] = [
    ("warlord-helmet", "Worth 4 against a Commander"),
    ("galea", "Add up to 2 Infantry, +1 each"),
    ("crested-helmet", "Add up to 2 Cavalry, +1 each"),
    ("spears", "Add up to 3 Phalanx, +1 each"),
    ("roman-shield", ""),
    ("spartan", ""),
    ("shield-echoes", "If you lose, you lose 2 less"),
    ("pikeman", "Worth 3 against Cavalry"),
    ("horse-head", "Worth 3 if the enemy retreats"),
    ("mounted-knight", "Worth 3 against Missiles"),
    ("elephant", "Worth 1 if your die shows 1"),
    ("thrown-spear", "Worth 2 against Infantry"),
    ("bow-arrow", "If you don't win, the enemy loses 1"),
    ("siege-ram", "Worth 3 if you attack a city-state"),
    ("encirclement", "Add up to 2 cards, at most +2 each"),
    ("hidden", "Worth 3 if you defend"),
    ("moon", "Worth 3 if you attack"),
    ("detour", "Cancels the enemy card's effect"),
    ("raven", "Roll 2 dice, use the higher"),
    ("rally-the-troops", "After losses, a block regains 1"),
];

/// Returns the name of a card's icon in the icon set, from `ART`.
pub(super) fn icon(card: Card) -> &'static str {
    ART[card as usize].0
}

/// Returns the name of a category's icon in the icon set: one of `laurel-crown`, `roman-shield`, `horse-head`,
/// `bow-arrow` and `chess-knight`.
fn category_icon(category: Category) -> &'static str {
    match category {
        Category::Commander => "laurel-crown",
        Category::Infantry => "roman-shield",
        Category::Cavalry => "horse-head",
        Category::Missile => "bow-arrow",
        Category::Tactic => "chess-knight",
    }
}

/// Returns the card of a token; `None` if the observer does not know it or it is not a card.
pub(super) fn card_of(view: &Position<Hestia>, t: Token) -> Option<Card> {
    view.face(t).and_then(Shown::card)
}

/// Returns the kind and current strength of a block; `None` if the observer does not know it or it is not a
/// block.
pub(super) fn block_of(view: &Position<Hestia>, t: Token) -> Option<(Unit, u8)> {
    view.face(t).and_then(Shown::block)
}

/// Draws card `t`, or its back if the observer does not know it. Animations follow it as `t`; a click selects `key`
/// (for a back, `t` itself). If `usable`, a card whose key cannot be clicked is greyed while the player at this
/// screen decides; whether a click works depends on `ui` alone. The value of the card stands in the place of the
/// cost.
pub(super) fn card(
    view: &Position<Hestia>,
    ui: &Ui,
    t: Token,
    key: String,
    size: CardSize,
    usable: bool,
) -> El {
    let Some(card) = card_of(view, t) else { return back(ui, t, size) };
    let p = card.printed();
    let face = CardFace {
        key,
        class: format!("he {:?}", p.category).into(),
        name: p.name.into(),
        spoken: format!("{:?}, {}", p.category, p.value),
        icon: icon(card).into(),
        category: Some(category_icon(p.category)),
        cost: None,
        text: ART[card as usize].1.into(),
        usable,
        ..CardFace::default()
    };
    let mut drawn = draw_card(&face, size, ui).token(t);
    // The value stands where other games have a cost, without the disc.
    if let Some(crate::markup::MarkupNode::El(top)) = drawn.kids.first_mut()
        && let Some(first) = top.kids.first_mut()
    {
        *first = el("b").class("num").text(p.value.to_string()).into();
    }
    drawn
}

/// Draws the back of card `t` in a size; a click on it selects `t`.
pub(super) fn back(ui: &Ui, t: Token, size: CardSize) -> El {
    let face = CardFace {
        key: t.to_string(),
        class: "he down".into(),
        name: "Face down".into(),
        icon: "fire-bowl".into(),
        ..CardFace::default()
    };
    draw_card(&face, size, ui)
}

/// Returns the name of the icon of a kind of block in the icon set, such as `laurel-crown` for commanders and
/// `trireme` for ships; `pitchfork` for kinds without one of their own.
pub(super) fn unit_icon(unit: Unit) -> &'static str {
    match unit {
        Unit::MERCENARY => "crossed-sabres",
        Unit::L_ELITES | Unit::H_ELITES => "spartan-helmet",
        Unit::L_LEVY | Unit::H_LEVY => "spears",
        unit if unit.is_commander() => "laurel-crown",
        unit if unit.is_naval() => "trireme",
        unit if unit.full() == 2 => "guarded-tower",
        _ => "pitchfork",
    }
}

/// Returns the letter of a side in CSS classes: `L` for seat 0, `H` for seat 1.
pub(super) fn side(seat: Seat) -> &'static str {
    if seat.0 == 0 { "L" } else { "H" }
}

/// Formats the name and strength of block `t` of `seat` as far as the observer knows them, for screen
/// readers and tooltips: `Levy, strength 2 of 3`; a block without strength, such as a ship, by name alone.
/// An unknown one is a `ship` if `naval`, else a `hidden Hathea block` (with the name of its side).
pub(super) fn block_name(view: &Position<Hestia>, seat: Seat, t: Token, naval: bool) -> String {
    match block_of(view, t) {
        Some((unit, 0)) => unit.name(),
        Some((unit, strength)) => format!("{}, strength {strength} of {}", unit.name(), unit.full()),
        None if naval => format!("{} ship", Hestia::side_name(seat)),
        None => format!("hidden {} block", Hestia::side_name(seat)),
    }
}

/// The side of a block, in units of the map.
pub(super) const BLOCK: f32 = 34.0;

/// Draws block `t` of `seat` on the map, centred at these coordinates: icon and strength if the observer knows it,
/// otherwise a ship (`naval`) or a striped back. It cannot be clicked; the caller may make it a piece.
pub(super) fn block(view: &Position<Hestia>, seat: Seat, t: Token, naval: bool, (x, y): (f32, f32)) -> El {
    let corner = format!(
        "translate({} {})",
        crate::markup::short(x - BLOCK / 2.0),
        crate::markup::short(y - BLOCK / 2.0)
    );
    let square = |class: &'static str, x: &'static str, y: &'static str| {
        el("rect").class(class).set("x", x).set("y", y).set("width", "34").set("height", "34").set("rx", "3")
    };
    let body = g(format!("blkk {}", side(seat)))
        .set("transform", corner)
        .kid(square("sh", "3", "4"))
        .kid(square("fc", "0", "0"));
    match block_of(view, t) {
        Some((unit, strength)) => {
            let full = unit.full();
            let y = if full == 0 { 17.0 } else { 13.0 };
            let first = BLOCK / 2.0 - (f32::from(full) * 7.0 - 2.0) / 2.0;
            let pips = (0..full).map(|i| {
                el("rect")
                    .class(if i < strength { "pp" } else { "pe" })
                    .num("x", first + f32::from(i) * 7.0)
                    .set("y", "26")
                    .set("width", "5")
                    .set("height", "5")
            });
            body.kid(icon_at(unit_icon(unit), 17.0, y, 20.0)).kids(pips)
        }
        None if naval => body.kid(icon_at("trireme", 17.0, 17.0, 20.0)),
        None => body.kid(path("bkx", "M10 5v24M17 5v24M24 5v24")),
    }
}
