//! Drawing of the myths: an icon and a short text for each, in the colours of their faction.

use crate::icons::ic;
use crate::markup::{El, b, div};
use crate::ui::Ui;
use pentarchy_engine::{Position, Token};
use pentarchy_ozymandias::Ozymandias;
use pentarchy_ozymandias::cards::{Faction, Kind, Myth, Thing};

/// Icon name and effect text of each myth, indexed by `Myth as usize`.
#[rustfmt::skip]
const ART: [(&str, &str); 48] = [
    ("spyglass", "+½ red value, + new sector’s value"),
    ("wildfires", "If red wins: remove the sector"),
    ("tribal-mask", "+2 per sector at the corner"),
    ("dripping-stone", "+4, +1 per sector without city (max 8)"),
    ("abacus", "+½ red value"),
    ("martyr-memorial", "A losing faction rises 1 space"),
    ("camel", "Move a red city here. +5"),
    ("campfire", "Destroy a nearby city. +3"),
    ("drakkar", "If red wins: +2 per destroyed city"),
    ("barbarian", "Destroy a nearby city. +5"),
    ("gemini", "Red city on a single city. +3"),
    ("field-gun", "Destroy a city next to the crisis"),
    ("public-speaker", "A white city moves to the top. +3"),
    ("peace-dove", "No city is destroyed"),
    ("holy-grail", "+½ white value, +2 × new sector"),
    ("angel-wings", "White cities are safe"),
    ("receive-money", "+½ best value in stack, +1 per other faction"),
    ("interceptor-ship", "Sell a card for its value + 3"),
    ("heraldic-sun", "White city on a free corner. +2"),
    ("earth-africa-europe", "+3, +2 per sector of value 0 (max 9)"),
    ("planet-conquest", "+1 strength per stack white rules"),
    ("prayer", "Buy a white card 4 cheaper"),
    ("winged-sword", "Destroy a covered city. +4"),
    ("coliseum", "Later cards lose their effects"),
    ("microscope", "Draw for half the deck price"),
    ("grain-bundle", "+2, + sector values here (max 7)"),
    ("spy", "Draw 1, put 1 in the market. +4"),
    ("book-aura", "Contribute another card instead"),
    ("archive-research", "Blue city at the bottom. +3"),
    ("psychic-waves", "+1 per city at the sector"),
    ("hiking", "Blue city on a free corner. +5"),
    ("scroll-unfurled", "+½ blue value, +1 per covered blue city"),
    ("contract", "Exchange with the market. +4"),
    ("energy-shield", "If blue loses: +3, take it back"),
    ("high-tide", "Top city to the bottom. +3"),
    ("all-seeing-eye", "Look at a hand. +3"),
    ("locked-chest", "+2, +2 per card in your vault (max 10)"),
    ("soul-vessel", "Covered cities are safe"),
    ("evil-book", "+½ black value, +1 per hand card"),
    ("ion-cannon-blast", "A faction’s cities add no strength"),
    ("uprising", "Bottom city to the top. +3"),
    ("ancient-ruins", "Put a card in your tableau. +5"),
    ("kraken-tentacle", "Black city at the bottom. +3"),
    ("star-altar", "If black wins: pay, vault a hand card"),
    ("cultist", "Take 3 from a richer player"),
    ("ship-wreck", "Remove a sector. +5, +2 × its value"),
    ("haunting", "A faction falls 1 space. +4"),
    ("backstab", "Swap contributions with a player"),
];

/// Returns the name of a myth's icon in the icon set, from `ART`.
pub(super) fn icon(myth: Myth) -> &'static str {
    ART[myth as usize].0
}

/// Returns the effect of a myth in a few words, from `ART`.
pub(super) fn effect(myth: Myth) -> &'static str {
    ART[myth as usize].1
}

/// Returns the name of a faction's icon in the icon set: `flame`, `templar-shield`, `open-book` or `eclipse`.
pub(super) fn sigil(faction: Faction) -> &'static str {
    match faction {
        Faction::Red => "flame",
        Faction::White => "templar-shield",
        Faction::Blue => "open-book",
        Faction::Black => "eclipse",
    }
}

/// Returns the CSS class of a faction's colours: `f-red`, `f-white`, `f-blue` or `f-black`.
pub(super) fn class(faction: Faction) -> String {
    format!("f-{faction}")
}

/// Returns the icon name and the name of the phase in which a card of this kind works: `telescope` and Exploration,
/// `egyptian-temple` and Expansion, or `crossed-swords` and Crisis.
pub(super) fn kind(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::Explore => ("telescope", "Exploration"),
        Kind::Expand => ("egyptian-temple", "Expansion"),
        Kind::Reveal | Kind::Aftermath => ("crossed-swords", "Crisis"),
    }
}

/// Returns the myth of a token; `None` if the observer does not know it or it is not a myth.
pub(super) fn myth(view: &Position<Ozymandias>, t: Token) -> Option<Myth> {
    view.face(t).and_then(Thing::myth)
}

/// Draws card `t`, which is its key, too, or its back if the observer does not know it. `size` is its CSS class: `L`
/// or `M`. If `usable`, a card that cannot be clicked while the player decides is greyed and says why; whether a
/// click works depends on `ui` alone.
pub(super) fn card(view: &Position<Ozymandias>, ui: &Ui, t: Token, size: &'static str, usable: bool) -> El {
    let Some(myth) = myth(view, t) else { return back(ui, t, size) };
    let (kind_icon, kind_name) = kind(myth.kind());
    let (title, faction) = (myth.printed().title, myth.faction());
    let shape = div(format!("card oz {size} {}", class(faction)))
        .kid(div("band").kid(b(myth.rank().to_string()).class("num")).kid(ic(sigil(faction))))
        .kid(div("art").kid(ic(icon(myth))))
        .kid(div("nm").set("title", title.to_string()).text(title))
        .kid(div("tx").set("title", ART[myth as usize].1).text(ART[myth as usize].1))
        .kid(div("kind").kid(ic(kind_icon)).text(kind_name));
    let key = t.to_string();
    let said = format!("{title}, {faction} {}, {kind_name}", myth.rank());
    let piece = if usable { ui.usable(shape, &key, said) } else { ui.piece(shape, &key, said) };
    piece.token(&key)
}

/// Draws the back of card `t`; `size` is its CSS class. A click selects `t`.
pub(super) fn back(ui: &Ui, t: Token, size: &'static str) -> El {
    let shape = div(format!("card oz {size} down")).kid(div("art").kid(ic("pharoah")));
    ui.piece(shape, &t.to_string(), "a hidden card").token(t)
}
