//! The map: sectors, stacks of cities on their corners, and the night sky behind them.

use super::faces::sigil;
use super::{crisis, keys, words};
use crate::icons::icon_at;
use crate::markup::{El, el, g, path, points, short};
use crate::ui::{Ui, zoomable};
use pentarchy_engine::Position;
use pentarchy_engine::sorting::{sort_by, sort_by_key};
use pentarchy_ozymandias::cards::{TILES, Thing};
use pentarchy_ozymandias::map::{Corner, Hex};
use pentarchy_ozymandias::state::{Pile, Sector};
use pentarchy_ozymandias::{DecisionKind, Ozymandias};

/// The side of a hex, in map coordinates.
const SIDE: f32 = 62.0;
/// The square root of 3.
const ROOT3: f32 = 1.732_050_8;

/// Returns the centre of a hex in map coordinates, in which a hex has sides of `SIDE` and a corner at the top.
fn middle(hex: Hex) -> (f32, f32) {
    let (q, r) = (f32::from(hex.q), f32::from(hex.r));
    (SIDE * ROOT3 * (q + r / 2.0), SIDE * 1.5 * r)
}

/// Returns the position of a corner in map coordinates, those of [`middle`].
fn corner_position(corner: Corner) -> (f32, f32) {
    let (x, y) = middle(Hex { q: corner.q, r: corner.r });
    (x, if corner.k == 0 { y - SIDE } else { y + SIDE })
}

/// Returns the outline of a hex as the attribute `points` of an SVG polygon, in map coordinates.
fn outline(hex: Hex) -> String {
    points(hex.corners().map(corner_position))
}

/// Returns the `viewBox` `[x, y, width, height]` that holds these hexes and the centre of the map with a margin. It
/// is at least 430 wide and 330 high.
fn view_frame(hexes: impl Iterator<Item = Hex>) -> [f32; 4] {
    let (mut left, mut top, mut right, mut bottom) = (0f32, 0f32, 0f32, 0f32);
    for (x, y) in hexes.map(middle) {
        (left, right) = (left.min(x), right.max(x));
        (top, bottom) = (top.min(y), bottom.max(y));
    }
    let (wide, high) = (SIDE * ROOT3 / 2.0 + 34.0, SIDE + 34.0);
    let (mut x, mut y, mut w, mut h) =
        (left - wide, top - high, right - left + 2.0 * wide, bottom - top + 2.0 * high);
    let (least_w, least_h) = (430.0, 330.0);
    if w < least_w {
        x -= (least_w - w) / 2.0;
        w = least_w;
    }
    if h < least_h {
        y -= (least_h - h) / 2.0;
        h = least_h;
    }
    [x, y, w, h]
}

/// Draws the map of the galaxy: sectors, stacks of cities, free corners to build on, and the places for a new sector.
/// Returns the zoomable map and its buttons. On a narrow screen it shows only the surroundings of a crisis.
pub(super) fn map(view: &Position<Ozymandias>, ui: &Ui) -> [El; 2] {
    let state = view.state();
    let ghosts =
        if state.decision_kind() == DecisionKind::Place { state.frontier_hexes() } else { Vec::new() };
    let all = state.sectors().iter().map(|s| s.hex).chain(ghosts.iter().copied());
    let crisis = crisis::place(view, ui);
    // A phone shows the crisis sector and what is around it.
    let [x, y, w, h] = match state.in_crisis().map(|(hex, _)| middle(hex)).filter(|_| ui.narrow) {
        Some((x, y)) => [x - 165.0, y - 105.0, 330.0, 210.0],
        None => view_frame(all),
    };
    let mut stacks: Vec<&Pile> = state.stacks().iter().collect();
    sort_by(&mut stacks, |a, b| corner_position(a.corner).1.total_cmp(&corner_position(b.corner).1));
    // The crisis sector is drawn last, so that no neighbour covers its outline.
    let mut sectors: Vec<&Sector> = state.sectors().iter().collect();
    sort_by_key(&mut sectors, |s| crisis == Some(s.hex));
    let map = el("svg")
        .class("ozmap")
        .set("viewBox", format!("{} {} {} {}", short(x), short(y), short(w), short(h)))
        .set("preserveAspectRatio", "xMidYMid meet")
        .set("role", "group")
        .set("aria-label", "Map of sectors")
        .kid(g("").kids(sectors.iter().map(|s| draw_sector(view, ui, s, crisis))))
        .kid(g("").kids(ghosts.iter().map(|&hex| draw_free_place(ui, hex))))
        .kid(g("").kids(draw_free_corners(view, ui)))
        .kid(g("").kids(stacks.iter().map(|pile| draw_stack(view, ui, pile))));
    zoomable([map], (0.5, 0.5), (w * 0.52, h * 0.52))
}

/// Draws a sector with its name and value as a piece. The sector of the `crisis` and a newly explored one are marked.
/// The name is empty if the observer does not know the tile.
fn draw_sector(view: &Position<Ozymandias>, ui: &Ui, sector: &Sector, crisis: Option<Hex>) -> El {
    let (x, y) = middle(sector.hex);
    let value = view.state().sector_value(sector);
    let name = match view.face(sector.tile) {
        Some(Thing::Tile(i)) => TILES[usize::from(i)].title,
        _ => "",
    };
    let key = keys::hex(sector.hex);
    let new = view.state().explored() == Some(sector.hex);
    let hex = el("polygon").class(format!("sec v{value}")).set("points", outline(sector.hex));
    let piece = g("hx")
        .class_if(crisis == Some(sector.hex), "crisis")
        .class_if(new, "new")
        .kid(hex)
        .kid(el("text").class("sv").tick(&key).num("x", x).num("y", y - 3.0).text(value.to_string()))
        .kid(
            el("text")
                .class("sn")
                .class_if(name.len() > 12, "long")
                .num("x", x)
                .num("y", y + 14.0)
                .text(name),
        );
    ui.piece(piece, &key, format!("{name}, value {value}"))
}

/// Draws a place on the map where the new sector may go, with a plus, as the piece of its hex: it can be clicked if
/// `ui` says so.
fn draw_free_place(ui: &Ui, hex: Hex) -> El {
    let (x, y) = middle(hex);
    let shape = g("gh")
        .kid(el("polygon").set("points", outline(hex)))
        .kid(path("", format!("M{} {}h24M{} {}v24", short(x - 12.0), short(y), short(x), short(y - 12.0))));
    ui.piece(shape, &keys::hex(hex), "A place for the new sector")
}

/// Draws the corners without a stack that can be clicked now or are selected, each with a wide ring for fingers.
fn draw_free_corners(view: &Position<Ozymandias>, ui: &Ui) -> Vec<El> {
    let state = view.state();
    let mut corners: Vec<Corner> = state.sectors().iter().flat_map(|s| s.hex.corners()).collect();
    sort_by(&mut corners, Ord::cmp);
    corners.dedup();
    corners
        .into_iter()
        .filter(|&c| state.pile(c).is_none())
        .filter(|&c| ui.lit(&keys::corner(c)) || ui.chosen(&keys::corner(c)))
        .map(|c| {
            let (x, y) = corner_position(c);
            let key = keys::corner(c);
            let ring = el("circle").class("op fr").class_if(ui.chosen(&key), "sel").num("cx", x).num("cy", y);
            // A wide ring that nobody sees, for fingers.
            let reach = el("circle").class("reach").num("cx", x).num("cy", y).set("r", "20");
            let piece = g("").kid(reach).kid(ring.set("r", "7"));
            ui.piece(piece, &key, format!("{}, free", words::corner(view, c)))
        })
        .collect()
}

/// Draws a stack of cities as a piece: discs from the bottom up, the icon of the ruling faction on the top one. A
/// stack that can be clicked has a ring; one that was just built on is marked.
fn draw_stack(view: &Position<Ozymandias>, ui: &Ui, pile: &Pile) -> El {
    let (x, y) = corner_position(pile.corner);
    let key = keys::corner(pile.corner);
    let (lit, chosen) = (ui.lit(&key), ui.chosen(&key));
    let mut drawn = g("stk1").class_if(view.state().built() == Some(pile.corner), "new");
    if lit || chosen || ui.hinted(&key) {
        let ring = el("ellipse").class("op").class_if(chosen || ui.hinted(&key), "sel");
        drawn = drawn.kid(ring.num("cx", x).num("cy", y + 4.0).set("rx", "25").set("ry", "15"));
    }
    let height = pile.height();
    for (i, faction) in pile.iter().enumerate() {
        let top = y + 5.0 - i as f32 * 11.0;
        let side = format!("M{} {}v7a17 8.5 0 0 0 34 0v-7z", short(x - 17.0), short(top));
        let disc = el("ellipse").class("tp").num("cx", x).num("cy", top).set("rx", "17").set("ry", "8.5");
        let city = g(format!("ct {faction}")).kid(path("sd", side)).kid(disc);
        let ruling = i + 1 == height;
        drawn = drawn.kid(city.kid_if(ruling.then(|| icon_at(sigil(faction), x, top, 16.0).class("sg"))));
    }
    let cities: Vec<String> = pile.iter().map(|f| f.to_string()).collect();
    let said = format!("{}: {} from the bottom up", words::corner(view, pile.corner), cities.join(", "));
    ui.piece(drawn, &key, said)
}

/// Draws the background: stars, dunes, and a ruined statue. It is always the same and hidden from screen readers.
pub(super) fn night() -> El {
    let mut seed = 7u32;
    let mut next = || {
        seed = ((u64::from(seed) * 16807) % 2_147_483_647) as u32;
        seed as f32 / 2_147_483_647.0
    };
    let stars: Vec<El> = (0..150)
        .map(|_| {
            let r = next();
            let (x, y) = (next() * 800.0, next() * 500.0);
            el("circle")
                .num("cx", x)
                .num("cy", y)
                .set("r", format!("{:.2}", r * r * 1.7 + 0.35))
                .set("fill", if r > 0.9 { "#ffe2a8" } else { "#cfd8ff" })
                .set("opacity", format!("{:.2}", 0.25 + r * 0.6))
        })
        .collect();
    el("svg")
        .class("ozsky")
        .set("viewBox", "0 0 800 500")
        .set("preserveAspectRatio", "xMidYMax slice")
        .set("aria-hidden", "true")
        .kid(g("").kids(stars))
        .kid(path("", "M0 440Q130 380 250 420T480 428 640 404 800 430V500H0z").set("fill", "#1d2344"))
        .kid(
            path(
                "",
                "M50 430l4-74q2-12 14-12t14 12l4 70zM98 428l3-84q2-13 14-13t15 13l5 82zM28 438h118v14h-118z",
            )
            .set("fill", "#2a2c4e"),
        )
        .kid(path("", "M640 440q-6-34 22-40t38 22q4 14-4 24z").set("fill", "#2a2c4e"))
        .kid(path("", "M0 464Q200 420 380 456T640 440 800 462V500H0z").set("fill", "#232445"))
}
