//! The table: the history track, the map, the market, tableaus, and a crisis under way.

use super::faces::{class, icon, kind, myth, sigil};
use super::{faces, keys, sky, words};
use crate::icons::ic;
use crate::markup::{El, b, div, el, span};
use crate::ui::Ui;
use pentarchy_engine::{Game, Position, Seat, Token};
use pentarchy_ozymandias::cards::FACTIONS;
use pentarchy_ozymandias::state::{DECK, MARKET, TILE_STACK, TRACK, hand, tableau, vault};
use pentarchy_ozymandias::{Moment, Ozymandias};

type View = Position<Ozymandias>;

/// The whole board.
pub(super) fn draw(view: &View, ui: &Ui) -> El {
    let mut crisis = crisis(view, ui);
    // A phone has room for one of them: during a crisis nothing is bought.
    let shelf = if ui.narrow { crisis.take() } else { None };
    let sky = div("ozw").kid(sky::night()).kids(sky::map(view, ui)).kid_if(crisis).kid(levers(view, ui));
    div("ozb").kid(track(view, ui)).kid(sky).kid(shelf.unwrap_or_else(|| market(view, ui)))
}

/// The history track: a line of spaces, and the factions on it.
fn track(view: &View, ui: &Ui) -> El {
    let state = view.state();
    let spaces = TRACK.iter().enumerate().map(|(i, value)| {
        let here: Vec<_> = FACTIONS.into_iter().filter(|&f| state.space(f) == i).collect();
        let markers = here.iter().map(|&faction| {
            let key = keys::faction(faction);
            let mark = el("i").class(format!("mkr {}", class(faction))).kid(ic(sigil(faction)));
            ui.piece(mark, &key, format!("{faction}, {value}")).token(&key)
        });
        div("sp")
            .class_if(i + 1 == TRACK.len(), "end")
            .class_if(!here.is_empty(), "has")
            .kid(span("num").text(value.to_string()))
            .kids(markers)
    });
    div("hist")
        .set_if(ui.narrow, "tabindex", "0")
        .set("role", "group")
        .set("aria-label", "History track")
        .kids(spaces)
}

/// Buttons over the map, for what has no place on it.
fn levers(view: &View, ui: &Ui) -> El {
    let state = view.state();
    let chosen = ui.chosen.first().and_then(|key| keys::token_of(key));
    let mut all = Vec::new();
    let mut lever = |key: String, icon: &str, text: String| {
        if ui.lit(&key) || ui.chosen(&key) {
            all.push(ui.piece(span("lever").kid(ic(icon)).text(text.clone()), &key, text));
        }
    };
    if let Some(myth) = chosen.and_then(|t| myth(view, t)) {
        let faction = myth.faction();
        lever("explore".into(), "telescope", format!("Sell for {} and explore", state.value(faction)));
        lever("expand".into(), "egyptian-temple", format!("Lay it and build a {faction} city"));
    }
    lever("crisis".into(), "crossed-swords", "Call a crisis".to_string());
    for seat in (0..view.seats()).map(Seat) {
        lever(format!("player {}", seat.0), "person", ui.name(seat).to_string());
    }
    div("ozact").kids(all)
}

/// The market: cards with today's prices, the deck last.
fn market(view: &View, ui: &Ui) -> El {
    let state = view.state();
    let buying = state.moment() == Moment::Buy;
    let row = |t: Token| {
        let myth = myth(view, t)?;
        let (kind_icon, kind_name) = kind(myth.kind());
        let price = state.value(myth.faction());
        let title = myth.printed().title;
        let shape = div(format!("mrow {}", class(myth.faction())))
            .kid(span("sw").kid(ic(icon(myth))))
            .kid(
                span("t")
                    .text(title)
                    .kid(el("small").kid(ic(kind_icon)).text(format!("{kind_name}, rank {}", myth.rank()))),
            )
            .kid(b(price.to_string()).class("num"));
        let said = format!("{title}, {} {}, costs {price}", myth.faction(), myth.rank());
        let key = t.to_string();
        Some(if buying { ui.usable(shape, &key, said) } else { ui.piece(shape, &key, said) }.token(&key))
    };
    let rows: Vec<El> = state.tokens().iter(MARKET).filter_map(row).collect();
    let deck = div("mrow deck")
        .kid(span("sw").kid(ic("card-pick")))
        .kid(
            span("t")
                .text("Deck")
                .kid(el("small").text(format!("{} cards, unseen", state.tokens().len(DECK)))),
        )
        .kid(b(state.deck_price().to_string()).class("num"));
    let said = format!("the deck, costs {}", state.deck_price());
    let deck = if buying { ui.usable(deck, "deck", said) } else { ui.piece(deck, "deck", said) };
    let left = state.tokens().len(TILE_STACK);
    // A phone shows names where something can be bought, else icons and prices.
    let slim = ui.narrow && !buying && !state.tokens().iter(MARKET).any(|t| ui.lit(&t.to_string()));
    el("aside")
        .class("mkt")
        .set("tabindex", "0")
        .class_if(slim, "slim")
        .kid(el("h3").class("lbl").text("Market, prices now"))
        .kid(div("mrows").set_if(ui.narrow, "tabindex", "0").kids(rows).kid(deck))
        .kid(el("p").class("lbl").text(format!("{left} sectors are still undiscovered")))
        .kid(supplies(view))
}

/// The cities that can still be built.
fn supplies(view: &View) -> El {
    let state = view.state();
    let each = FACTIONS.into_iter().map(|faction| {
        let left = state.supply(faction);
        span(format!("sup {}", class(faction)))
            .set("role", "img")
            .set("aria-label", format!("{left} {faction} cities left"))
            .kid(el("i").kid(ic(sigil(faction))))
            .text(left.to_string())
    });
    div("sups").kid(span("lbl").text("Cities left")).kids(each)
}

/// A crisis under way: who has laid what, and what it is worth.
fn crisis(view: &View, ui: &Ui) -> Option<El> {
    let state = view.state();
    let (hex, factions) = state.in_crisis()?;
    let here = factions.iter().map(|faction| {
        let cities = state.cities_of(faction, hex);
        span(format!("sup {}", class(faction)))
            .set("role", "img")
            .set("aria-label", format!("{faction}: {cities} cities"))
            .kid(el("i").kid(ic(sigil(faction))))
            .text(cities.to_string())
    });
    let laid = state.laid_cards();
    let won = state.crisis_winners();
    let rows = laid.iter().map(|it| {
        let shown = myth(view, it.card).filter(|_| state.tokens().is_public(it.card));
        let known = myth(view, it.card);
        let wins = shown.is_some_and(|m| won.has(m.faction()));
        let title = match (shown, known) {
            (Some(m), _) => m.printed().title.to_string(),
            (None, Some(m)) => format!("{}, face down", m.printed().title),
            (None, None) => "face down".to_string(),
        };
        let art = match known {
            Some(m) => span(format!("sw {}", class(m.faction()))).kid(ic(icon(m))),
            None => span("sw").kid(ic("pharoah")),
        };
        let strength = it.strength.filter(|_| shown.is_some()).map_or("?".to_string(), |n| n.to_string());
        let row = div("mrow")
            .class_if(wins, "won")
            .kid(art)
            .kid(span("t").text(title.clone()).kid(
                el("small").kid(ui.mark(it.holder)).text(ui.name(it.holder).to_string()).text(if it.mute {
                    ", no effect"
                } else {
                    ""
                }),
            ))
            .kid(b(strength).class("num"));
        ui.piece(row, &it.card.to_string(), title).token(it.card)
    });
    let none = laid.is_empty().then(|| el("p").class("lbl").text("No card has been laid yet."));
    Some(
        el("section")
            .class("cris")
            .set("aria-label", "Crisis")
            .set("tabindex", "0")
            .kid(el("h3").text(format!("Crisis at {}", words::sector(view, hex))))
            .kid(div("sups").kids(here))
            .kid(div("mrows").set_if(ui.narrow, "tabindex", "0").kids(rows))
            .kid_if(none),
    )
}

/// The cards of the hand.
pub(super) fn hand_cards(view: &View, ui: &Ui, seat: Seat) -> Vec<El> {
    let usable = matches!(
        view.state().moment(),
        Moment::Action | Moment::Contribute | Moment::Place | Moment::Build(_) | Moment::Effects
    );
    view.state().tokens().iter(hand(seat)).map(|t| faces::card(view, ui, t, "L", usable)).collect()
}

/// The tableau and the vault, at the right of the hand.
pub(super) fn beside(view: &View, ui: &Ui, seat: Seat) -> Option<El> {
    let tokens = view.state().tokens();
    let usable = view.state().moment() == Moment::Effects;
    let cards: Vec<El> = tokens.iter(tableau(seat)).map(|t| faces::card(view, ui, t, "M", usable)).collect();
    let locked: Vec<El> = tokens.iter(vault(seat)).map(|t| tile(view, t)).collect();
    if cards.is_empty() && locked.is_empty() {
        return None;
    }
    let shelf = (!cards.is_empty())
        .then(|| div("tabl1").kid(span("lbl").text("Your tableau")).kid(div("tabc").kids(cards)));
    let vault = (!locked.is_empty())
        .then(|| div("tabl1").kid(span("lbl").text("Your vault")).kid(span("tb").kids(locked)));
    Some(div("tabl").kid_if(vault).kid_if(shelf))
}

/// A card as a small tile.
fn tile(view: &View, t: Token) -> El {
    let tile = match myth(view, t) {
        Some(m) => el("i").class(class(m.faction())).kid(ic(icon(m))).set("aria-label", m.printed().title),
        None => el("i").kid(ic("pharoah")).set("aria-label", "a hidden card"),
    };
    tile.set("role", "img").set("data-key", t.to_string()).token(t)
}

/// The tableau of somebody else, as a row of tiles.
pub(super) fn tiles(view: &View, seat: Seat) -> Option<El> {
    let tokens = view.state().tokens();
    let tiles: Vec<El> = tokens.iter(tableau(seat)).map(|t| tile(view, t)).collect();
    (!tiles.is_empty()).then(|| span("tb").kids(tiles))
}
