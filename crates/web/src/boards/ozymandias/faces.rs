//! The myths as they are drawn: an icon and a few words for each, in the colours of their faction.

use crate::icons::ic;
use crate::markup::{El, b, div};
use crate::ui::Ui;
use pentarchy_engine::{Position, Token};
use pentarchy_ozymandias::Ozymandias;
use pentarchy_ozymandias::cards::{Faction, Kind, Myth, Thing};

/// Icon and effect of each myth, in the order of the rules.
#[rustfmt::skip]
const ART: [(&str, &str); 48] = [
    ("spyglass", "+½ red, + the new sector"),
    ("wildfires", "Red wins: remove the sector"),
    ("tribal-mask", "+2 for each sector at the corner"),
    ("dripping-stone", "+4, +1 per empty sector, at most 8"),
    ("abacus", "+½ red"),
    ("martyr-memorial", "A loser moves up one"),
    ("camel", "Move a red city here. +5"),
    ("campfire", "Burn a neighbouring city. +3"),
    ("drakkar", "Red wins: +2 per fallen city"),
    ("barbarian", "Destroy a city near by. +5"),
    ("gemini", "Red city on any single city. +3"),
    ("field-gun", "Destroy a city beside the crisis"),
    ("public-speaker", "A white city rises to the top. +3"),
    ("peace-dove", "No city is destroyed"),
    ("holy-grail", "+½ white, +2 × sector"),
    ("angel-wings", "White cities are safe"),
    ("receive-money", "+½ best of the stack, +1 per other"),
    ("interceptor-ship", "Sell another card for value + 3"),
    ("heraldic-sun", "White city on a free corner. +2"),
    ("earth-africa-europe", "+3, +2 per sector of 0, at most 9"),
    ("planet-conquest", "+1 strength per white stack"),
    ("prayer", "Buy a white card 4 cheaper"),
    ("winged-sword", "Destroy a covered city. +4"),
    ("coliseum", "Later cards lose their effects"),
    ("microscope", "Draw for half the deck price"),
    ("grain-bundle", "+2, + the sectors here, at most 7"),
    ("spy", "Draw, then put one on the market. +4"),
    ("book-aura", "Exchange this contribution"),
    ("archive-research", "Blue city at the bottom. +3"),
    ("psychic-waves", "+1 for each city at the sector"),
    ("hiking", "Blue city on a free corner. +5"),
    ("scroll-unfurled", "+½ blue, +1 per covered blue"),
    ("contract", "Exchange with the market. +4"),
    ("energy-shield", "Blue does not win: +3, take it back"),
    ("high-tide", "Top city to the bottom. +3"),
    ("all-seeing-eye", "Look at a hand. +3"),
    ("locked-chest", "+2, +2 per vault card, at most 10"),
    ("soul-vessel", "Covered cities are safe"),
    ("evil-book", "+½ black, +1 per card in hand"),
    ("ion-cannon-blast", "A faction’s cities give no strength"),
    ("uprising", "Bottom city to the top. +3"),
    ("ancient-ruins", "Lay a card in your tableau. +5"),
    ("kraken-tentacle", "Black city at the bottom. +3"),
    ("star-altar", "Black wins: lock a card away"),
    ("cultist", "Take up to 3 from a richer player"),
    ("ship-wreck", "Remove a sector. +5, +2 × it"),
    ("haunting", "A faction moves back one. +4"),
    ("backstab", "Exchange contributions"),
];

/// The icon of a myth.
pub(super) fn icon(myth: Myth) -> &'static str {
    ART[myth as usize].0
}

/// The sigil of a faction.
pub(super) fn sigil(faction: Faction) -> &'static str {
    match faction {
        Faction::Red => "flame",
        Faction::White => "templar-shield",
        Faction::Blue => "open-book",
        Faction::Black => "eclipse",
    }
}

/// The class of a faction's colours.
pub(super) fn class(faction: Faction) -> String {
    format!("f-{faction}")
}

/// The icon and the name of the time at which a card works.
pub(super) fn kind(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::Explore => ("telescope", "Exploration"),
        Kind::Expand => ("egyptian-temple", "Expansion"),
        Kind::Reveal | Kind::Aftermath => ("crossed-swords", "Crisis"),
    }
}

/// The myth of a token, if the observer knows it.
pub(super) fn myth(view: &Position<Ozymandias>, t: Token) -> Option<Myth> {
    view.face(t).and_then(Thing::myth)
}

/// A card with its band, large in the hand, middle in a tableau.
pub(super) fn card(view: &Position<Ozymandias>, ui: &Ui, t: Token, size: &'static str, usable: bool) -> El {
    let Some(myth) = myth(view, t) else { return back(ui, t, size) };
    let (kind_icon, kind_name) = kind(myth.kind());
    let (title, faction) = (myth.printed().title, myth.faction());
    let shape = div(format!("card oz {size} {}", class(faction)))
        .kid(div("band").kid(b(myth.rank().to_string()).class("num")).kid(ic(sigil(faction))))
        .kid(div("art").kid(ic(icon(myth))))
        .kid(div("nm").text(title))
        .kid(div("tx").text(ART[myth as usize].1))
        .kid(div("kind").kid(ic(kind_icon)).text(kind_name));
    let key = t.to_string();
    let said = format!("{title}, {faction} {}, {kind_name}", myth.rank());
    let piece = if usable { ui.usable(shape, &key, said) } else { ui.piece(shape, &key, said) };
    piece.token(&key)
}

/// The back of a card.
pub(super) fn back(ui: &Ui, t: Token, size: &'static str) -> El {
    let shape = div(format!("card oz {size} down")).kid(div("art").kid(ic("pharoah")));
    ui.piece(shape, &t.to_string(), "a hidden card").token(t)
}
