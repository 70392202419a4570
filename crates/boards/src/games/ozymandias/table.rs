//! The board: the history track, the map, the market, tableaus.

use super::faces::{class, icon, kind, myth, sigil};
use super::{crisis, faces, keys, sky, words};
use crate::icons::ic;
use crate::markup::{El, b, div, el, span};
use crate::ui::Ui;
use pentarchy_engine::{Game, Position, Seat, Token};
use pentarchy_ozymandias::cards::FACTIONS;
use pentarchy_ozymandias::state::{DECK, MARKET, TILE_STACK, TRACK, hand, tableau, vault};
use pentarchy_ozymandias::{DecisionKind, Ozymandias};

type View = Position<Ozymandias>;

/// Draws the whole board: the track, the map over the night sky, the buttons of players that can be chosen, and
/// beside it the market or, in a crisis, its panel.
pub(super) fn draw(view: &View, ui: &Ui) -> El {
    let panel = crisis::panel(view, ui);
    let sky = div("ozw").kid(sky::night()).kids(sky::map(view, ui)).kid_if(draw_players(view, ui));
    let crisis = panel.is_some();
    let panel = panel.unwrap_or_else(|| draw_market(view, ui));
    // A phone has no room for both: the track goes unless a faction is to be chosen on it.
    let chooses = FACTIONS.into_iter().any(|f| ui.lit(&keys::faction(f)));
    let board = div("ozb").class_if(crisis, "cr").class_if(chooses, "ft");
    board.kid(draw_track(view, ui)).kid(sky).kid(panel)
}

/// Draws the history track: a line of spaces with their values, and the factions on it as pieces. The last space is
/// marked as the end.
fn draw_track(view: &View, ui: &Ui) -> El {
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
            .kid(div("hmk").kids(markers))
    });
    div("hist")
        .set_if(ui.narrow, "tabindex", "0")
        .set("role", "group")
        .set("aria-label", "History track")
        .kids(spaces)
}

/// Draws buttons for the players that can be clicked as a target or are selected, in the order of seats; `None` if
/// there are none.
fn draw_players(view: &View, ui: &Ui) -> Option<El> {
    let each = (0..view.seats()).map(|s| (format!("player {s}"), Seat(s)));
    let each = each.filter(|(key, _)| ui.lit(key) || ui.chosen(key)).map(|(key, seat)| {
        let name = ui.name(seat).to_string();
        ui.piece(span("lever").kid(ui.mark(seat)).text(name.clone()), &key, name)
    });
    let all: Vec<El> = each.collect();
    (!all.is_empty()).then(|| div("ozact").kids(all))
}

/// Draws the market: cards with their current prices, the deck with its price and size, the number of unexplored
/// sectors, the cities left, and a warning of bankruptcy. While somebody buys, what cannot be clicked is greyed for
/// the player who decides.
fn draw_market(view: &View, ui: &Ui) -> El {
    let state = view.state();
    let buying = state.decision_kind() == DecisionKind::Buy;
    let row = |t: Token| {
        let myth = myth(view, t)?;
        let (kind_icon, kind_name) = kind(myth.kind());
        let price = state.value(myth.faction());
        let title = myth.printed().title;
        let effect = el("small").kid(ic(kind_icon).set("aria-label", kind_name)).text(faces::effect(myth));
        let shape = div(format!("mrow {}", class(myth.faction())))
            .kid(crisis::swatch(myth))
            .kid(span("t").text(title).kid(effect))
            .kid(b(price.to_string()).class("num"));
        let said = format!("{title}, {} {}, {kind_name}, costs {price}", myth.faction(), myth.rank());
        let key = t.to_string();
        Some(if buying { ui.usable(shape, &key, said) } else { ui.piece(shape, &key, said) }.token(&key))
    };
    let rows: Vec<El> = state.tokens().iter(MARKET).filter_map(row).collect();
    let deck = div("mrow deck")
        .kid(span("sw").kid(ic("card-pick")))
        .kid(
            span("t")
                .text("Deck")
                .kid(el("small").text(format!("{} unseen cards", state.tokens().len(DECK)))),
        )
        .kid(b(state.deck_price().to_string()).class("num"));
    let said = format!("The deck, costs {}", state.deck_price());
    let deck = if buying { ui.usable(deck, "deck", said) } else { ui.piece(deck, "deck", said) };
    let left = state.tokens().len(TILE_STACK);
    // A phone shows the effects where something can be bought, else icons and prices.
    let slim = ui.narrow && !buying && !state.tokens().iter(MARKET).any(|t| ui.lit(&t.to_string()));
    let none = rows.is_empty().then(|| el("p").class("lbl none").text("No card is for sale but the deck."));
    el("aside")
        .class("mkt")
        .set("aria-label", "Market")
        .class_if(slim, "slim")
        .kid(
            div("mh")
                .kid(el("h3").text("Market"))
                .kid(span("lbl").text(format!("{left} sectors unexplored"))),
        )
        .kid_if(draw_bankruptcy_warning(view, ui))
        .kid(div("mrows").set("tabindex", "0").kids(rows).kid_if(none))
        .kid(deck)
        .kid(draw_supplies(view))
}

/// Draws a warning if the player of this screen must buy a card this turn and cannot pay for it; otherwise, and after
/// the end, `None`.
fn draw_bankruptcy_warning(view: &View, ui: &Ui) -> Option<El> {
    let state = view.state();
    let seat = ui.seat?;
    let purchase = state.purchase_due(seat).filter(|p| !p.is_affordable() && state.outcome().is_none())?;
    let advice = match state.decision_kind() {
        DecisionKind::Action if state.active() == seat => " Explore to earn influence.",
        _ => "",
    };
    let text = format!(
        "You have {}, so you must buy one this turn. {}{advice}",
        words::cards(purchase.cards),
        crisis::unpaid(purchase)
    );
    Some(div("crv bad").set("role", "alert").kid(b("Bankruptcy threatens")).text(text))
}

/// Draws the number of cities of each faction that can still be built.
fn draw_supplies(view: &View) -> El {
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

/// Draws the cards of a seat's hand in size L; backs for those that the observer does not know. While the action of a
/// turn is chosen or carried out (sector, city, effects) and in contributions, those that cannot be clicked are
/// greyed for the player who decides.
pub(super) fn hand_cards(view: &View, ui: &Ui, seat: Seat) -> Vec<El> {
    let usable = matches!(
        view.state().decision_kind(),
        DecisionKind::Action
            | DecisionKind::Contribute
            | DecisionKind::Place
            | DecisionKind::Build(_)
            | DecisionKind::Effects
    );
    view.state().tokens().iter(hand(seat)).map(|t| faces::card(view, ui, t, "L", usable)).collect()
}

/// Draws the vault of a seat as tiles and its tableau as cards, for the place beside the hand; `None` if both are
/// empty. While effects are used, tableau cards that cannot be clicked are greyed for the player who decides.
pub(super) fn beside(view: &View, ui: &Ui, seat: Seat) -> Option<El> {
    let tokens = view.state().tokens();
    let usable = view.state().decision_kind() == DecisionKind::Effects;
    let cards: Vec<El> = tokens.iter(tableau(seat)).map(|t| faces::card(view, ui, t, "M", usable)).collect();
    let locked: Vec<El> = tokens.iter(vault(seat)).map(|t| draw_tile(view, t)).collect();
    if cards.is_empty() && locked.is_empty() {
        return None;
    }
    let shelf = (!cards.is_empty())
        .then(|| div("tabl1").kid(span("lbl").text("Your tableau")).kid(div("tabc").kids(cards)));
    let vault = (!locked.is_empty())
        .then(|| div("tabl1").kid(span("lbl").text("Your vault")).kid(span("tb").kids(locked)));
    Some(div("tabl").kid_if(vault).kid_if(shelf))
}

/// Draws a card as a small tile with its key for the tooltip; it is not a button. Cards that the observer does not
/// know are hidden.
fn draw_tile(view: &View, t: Token) -> El {
    let tile = match myth(view, t) {
        Some(m) => el("i").class(class(m.faction())).kid(ic(icon(m))).set("aria-label", m.printed().title),
        None => el("i").kid(ic("pharoah")).set("aria-label", "a hidden card"),
    };
    tile.set("role", "img").set("data-key", t.to_string()).token(t)
}

/// Draws the tableau of a seat as a row of tiles for its panel; `None` if it is empty.
pub(super) fn tiles(view: &View, seat: Seat) -> Option<El> {
    let tokens = view.state().tokens();
    let tiles: Vec<El> = tokens.iter(tableau(seat)).map(|t| draw_tile(view, t)).collect();
    (!tiles.is_empty()).then(|| span("tb").kids(tiles))
}
