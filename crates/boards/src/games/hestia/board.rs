//! The pieces on the map: influence tokens, blocks, and clickable places.

use super::faces::{self, BLOCK, side};
use super::ground::{FRAME, ground, marks, middle, outline};
use super::keys;
use crate::icons::icon_at;
use crate::markup::{El, div, el, g, path, short};
use crate::ui::{Ui, zoomable};
use pentarchy_engine::{Game, Position, Seat, Token};
use pentarchy_hestia::map::{CITIES, Place, at};
use pentarchy_hestia::state::{H, L, land, ships};
use pentarchy_hestia::{DecisionKind, Hestia};

type View = Position<Hestia>;

/// Draws the whole board: the map with tokens, blocks and buttons, zoomable and opened around the home of `ui.seat`
/// (Lenisia's for spectators), and the bid over it.
pub(super) fn draw(view: &View, ui: &Ui) -> El {
    let live = el("svg")
        .class("hmap")
        .set("viewBox", FRAME)
        .set("role", "group")
        .set("aria-label", "Map of Hestia")
        .kid(g("").kids(Place::all().map(|p| draw_place(view, ui, p))))
        .kid(g("").kids(draw_march_mark(view)))
        .kid(g("").kids(CITIES.iter().flat_map(|&p| draw_tokens(view, p))))
        .kid(g("").kids(Place::all().flat_map(|p| draw_blocks(view, ui, p))))
        .kid(g("").kids(draw_badges(view, ui)));
    let home = if ui.seat == Some(H) { 0.9 } else { 0.2 };
    let map = zoomable([ground(), marks(), live], (home, 0.4), (563.0, 396.0));
    div("hst0").kids(map).kid_if(super::battle::bid(view, ui))
}

/// Draws the clickable area of a place, named with its blocks and tokens for screen readers. It is visible only if it
/// can be clicked, is selected or hinted, or has the current battle.
fn draw_place(view: &View, ui: &Ui, place: Place) -> El {
    let state = view.state();
    let key = keys::place(place);
    let class = if ui.chosen(&key) {
        "rch on"
    } else if ui.lit(&key) {
        "rch"
    } else if state.fought().is_some_and(|f| f.place == place) {
        "rch war"
    } else if ui.hinted(&key) {
        "rch on"
    } else {
        "tch"
    };
    let count = |seat: Seat| state.land_units(place, seat) + state.ship_count(place, seat);
    let mut said = place.spot().name.to_string();
    for seat in [L, H] {
        match count(seat) {
            0 => {}
            1 => said.push_str(&format!(", 1 {} block", Hestia::side_name(seat))),
            n => said.push_str(&format!(", {n} {} blocks", Hestia::side_name(seat))),
        }
        if state.is_active(place, seat) {
            said.push_str(&format!(", active token of {}", Hestia::side_name(seat)));
        } else if state.has_token(place, seat) {
            said.push_str(&format!(", inactive token of {}", Hestia::side_name(seat)));
        }
    }
    let shape = el("polygon").class(class).set("points", outline(place));
    ui.piece(shape, &key, said)
}

/// Draws a circle at the place of an army that has begun to march; empty if there is none, or it has not moved yet.
fn draw_march_mark(view: &View) -> Vec<El> {
    let state = view.state();
    let Some(army) = state.marching().filter(|army| army.stepped) else { return Vec::new() };
    let (x, y) = middle(army.place);
    vec![el("circle").class("rt1").num("cx", x).num("cy", y + 6.0).set("r", "44")]
}

/// Draws the influence tokens in a city-state: one on the disc, two in a capsule, Lenisia's left. An active token has
/// a temple, an inactive one a dash. Empty without tokens.
fn draw_tokens(view: &View, place: Place) -> Vec<El> {
    let state = view.state();
    let (x, y) = middle(place);
    let held: Vec<Seat> = [L, H].into_iter().filter(|&seat| state.has_token(place, seat)).collect();
    let token = |seat: Seat, x: f32| {
        let on = state.is_active(place, seat);
        let body = g(format!("tok {}", side(seat)))
            .class_if(on, "on")
            .set("transform", format!("translate({} {})", short(x), short(y + 2.0)))
            .kid(el("circle").set("r", "11"))
            .token(format!("token {place} {}", seat.0));
        if on {
            body.kid(icon_at("greek-temple", 0.0, -0.5, 16.0))
        } else {
            body.kid(path("", "M-4 0h8").set("stroke-width", "2.5"))
        }
    };
    match held[..] {
        [] => Vec::new(),
        [one] => vec![token(one, x)],
        _ => {
            let capsule = el("rect")
                .class("cap")
                .num("x", x - 33.0)
                .num("y", y - 16.0)
                .set("width", "66")
                .set("height", "36")
                .set("rx", "18");
            vec![capsule, token(L, x - 14.0), token(H, x + 14.0)]
        }
    }
}

/// Returns where the first row of blocks stands in a place, in map coordinates, and the distance down to the next
/// row. A distance of 0 means that the place has one row.
fn block_rows(place: Place) -> ((f32, f32), f32) {
    let (x, y) = middle(place);
    match place {
        at::BAT => ((x + 60.0, y + 2.0), 0.0),
        at::LRE => ((x, y + 8.0), 0.0),
        at::LNA => ((x, y - 4.0), 36.0),
        p if p.is_sea() => ((x, y + 34.0), 32.0),
        p if p.city().is_some() => ((x, y + 33.0), 20.0),
        _ => ((x, y + 7.0), 32.0),
    }
}

/// Draws both sides' blocks in a place, Lenisia's first: each side in a row, its ships in a row of their own, and
/// more than 4 blocks in two rows. Where both sides have land units on land, they face each other in one row, west
/// and east. Empty without blocks.
fn draw_blocks(view: &View, ui: &Ui, place: Place) -> Vec<El> {
    let state = view.state();
    let ((x, y), step) = block_rows(place);
    let mut out = Vec::new();
    let mut line = 0;
    // Where both sides stand on land they face each other, west and east.
    let faced = place.is_land() && [L, H].iter().all(|&seat| state.land_units(place, seat) > 0);
    for seat in [L, H] {
        for (zone, naval) in [(Some(land(place, seat)), false), (ships(place, seat), true)] {
            let Some(zone) = zone else { continue };
            let all: Vec<Token> = state.tokens().iter(zone).collect();
            if all.is_empty() {
                continue;
            }
            let x = match (faced, seat) {
                (true, L) => x - 29.0,
                (true, _) => x + 29.0,
                _ => x,
            };
            let wide = if faced {
                20.0
            } else if place.is_box() && place != at::BAT {
                34.0
            } else {
                70.0
            };
            // Many blocks stand in two rows, so that each can be seen and clicked.
            let per_row = if all.len() > 4 && !faced { all.len().div_ceil(2) } else { all.len() };
            for row in all.chunks(per_row) {
                let gap = if row.len() > 1 { (wide / (row.len() - 1) as f32).min(BLOCK + 2.0) } else { 0.0 };
                let first = x - gap * (row.len() - 1) as f32 / 2.0;
                for (i, &t) in row.iter().enumerate() {
                    let spot = (first + gap * i as f32, y + step * line as f32);
                    out.push(draw_block(view, ui, seat, t, naval, spot));
                }
                if !faced {
                    line += 1;
                }
            }
        }
    }
    out
}

/// Draws block `t` of `seat` at a spot in map coordinates. A block whose key can be clicked is a piece; any other
/// lets clicks through to the place below it. `naval` is whether it is a ship, for blocks that the observer does not
/// know. Blocks on the march, and those that cannot move any more in this order, are marked.
fn draw_block(view: &View, ui: &Ui, seat: Seat, t: Token, naval: bool, spot: (f32, f32)) -> El {
    let state = view.state();
    let key = keys::block(view, ui, t);
    let marches = state.marches(t);
    let orders = matches!(state.decision_kind(), DecisionKind::Orders | DecisionKind::Pick);
    let spent = orders && seat == state.mover() && !state.may_move(t) && !marches;
    let shape = faces::block(view, seat, t, naval, spot).class_if(marches, "mar").class_if(spent, "spent");
    let said = faces::block_name(view, seat, t, naval);
    let live = ui.lit(&key) || ui.chosen(&key);
    // A block with which nothing can be done lets the place below it be clicked.
    let shape = if live {
        ui.piece(shape, &key, said)
    } else {
        shape.class("still").set("aria-label", said).set("role", "img")
    };
    shape.token(t)
}

/// Draws the round buttons for actions at a place other than marching: rallying blocks or ships, placing a token.
/// Only those that can be clicked or are selected are drawn.
fn draw_badges(view: &View, ui: &Ui) -> Vec<El> {
    let mut out = Vec::new();
    let mut badge = |key: String, icon: &str, (x, y): (f32, f32), said: String| {
        if ui.lit(&key) || ui.chosen(&key) {
            let shape = g("bdg")
                .set("transform", format!("translate({} {})", short(x), short(y)))
                .kid(el("circle").set("r", "22").class("reach"))
                .kid(el("circle").set("r", "13"))
                .kid(icon_at(icon, 0.0, 0.0, 16.0));
            out.push(ui.piece(shape, &key, said));
        }
    };
    for place in Place::all() {
        let (x, y) = middle(place);
        let name = place.spot().name;
        // Where a badge covers neither the name nor the blocks.
        let spot = match place {
            at::BAT => (x + 105.0, y),
            place if place.is_box() => (x + 29.0, y + 30.0),
            _ => (x + 38.0, y + 2.0),
        };
        badge(keys::rally(place, None), "rally-the-troops", spot, format!("Rally in {name}"));
        for (i, sea) in place.coasts().enumerate() {
            let top = if place.city().is_some() { 2.0 } else { -28.0 };
            let spot = (x - 42.0, y + top + 27.0 * i as f32);
            badge(
                keys::rally(place, Some(sea)),
                "trireme",
                spot,
                format!("Rally a ship of {name} in {}", sea.spot().name),
            );
        }
    }
    // An army that stands there places the token; any other marches there first.
    let here = view.state().marching().map(|army| army.place);
    for &city in CITIES.iter() {
        let (x, y) = middle(city);
        let name = city.spot().name;
        let said = if here == Some(city) {
            "Place a token".to_string()
        } else {
            format!("March to {name} and place a token")
        };
        badge(keys::influence(city), "greek-temple", (x + 34.0, y - 4.0), said);
    }
    out
}
