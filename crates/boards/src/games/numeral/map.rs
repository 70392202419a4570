//! The map: water lines, land with its owners' colours and patterns, borders, highlights, numbers.

use super::{hex_key, icon, words};
use crate::icons::{icon_at, patterns};
use crate::markup::{El, div, el, g, path, points, short};
use crate::ui::{Ui, zoomable};
use pentarchy_engine::Seat;
use pentarchy_numeral::{Cell, Direction, Numeral, Phase, Stage, Upgrade};

/// The distance from the centre of a hex to its corners, in map coordinates.
const SIZE: f32 = 40.0;
/// How far the three water lines reach beyond the land, in map coordinates.
const WATER: [f32; 3] = [31.0, 22.0, 13.0];

/// Draws the whole board: the map, zoomable and opened around the Home of `ui.seat`, or its middle for spectators and
/// players without one.
pub(super) fn draw(game: &Numeral, ui: &Ui) -> El {
    let frame = Frame::around(game, ui.narrow);
    let home =
        ui.seat.and_then(|seat| game.board().home(seat)).map_or((0.5, 0.5), |cell| frame.part(middle(cell)));
    // A finger needs 44 pixels, and what can be touched of a hex is 68 wide.
    let least = (frame.wide() * 0.66, frame.high() * 0.66);
    div("numeral").kids(zoomable([draw_map(game, ui, &frame)], home, least))
}

/// Draws the map as SVG: sea, land, borders, numbers, clickable hexes, the planned march and the results of marches.
fn draw_map(game: &Numeral, ui: &Ui, frame: &Frame) -> El {
    let land = game.board().land();
    let water = WATER.iter().zip(["w0", "w1", "w2"]).map(|(reach, class)| {
        g(class).kids(land.iter().map(|cell| draw_hexagon(middle(cell), SIZE + reach)))
    });
    el("svg")
        .class("nmap")
        .set("viewBox", frame.view_box())
        .set("role", "group")
        .set("aria-label", "Map")
        .kid(patterns())
        .kids(draw_grid())
        .kid_if((!ui.narrow).then(|| draw_rose(frame)))
        .kids(water)
        .kid(g("land").kids(land.iter().flat_map(|cell| draw_ground(game, ui, cell))))
        .kid(g("borders").kids(land.iter().flat_map(|cell| draw_borders(game, ui, cell))))
        .kid(
            g("tx")
                .set("aria-hidden", "true")
                .kids(land.iter().filter_map(|cell| draw_number(game, ui, cell))),
        )
        .kid(g("cells").kids(land.iter().map(|cell| draw_hex(game, ui, cell))))
        .kid_if(draw_march_arrow(game, ui))
        .kid(
            g("results")
                .set("aria-hidden", "true")
                .kids(land.iter().filter_map(|cell| draw_result(game, ui, frame, cell))),
        )
}

/// Returns the hex of the selected army: the one that the rules have as selected, or, while an army is chosen for a
/// march, the first key of `ui.chosen`, which the player or the page chose. `None` if there is none, or that key is
/// no hex.
pub(super) fn source(game: &Numeral, ui: &Ui) -> Option<Cell> {
    match game.stage() {
        Stage::PlaceAt(cell) | Stage::MarchFrom(cell) => Some(cell),
        Stage::March => ui.chosen.first().and_then(|key| super::cell_of(key)),
        _ => None,
    }
}

/// Returns how many soldiers a click would send from one hex to another: the number of the stepper if it is open on
/// `to`, else that of the chosen amount. 0 if no soldier there can move.
fn soldiers_sent(game: &Numeral, ui: &Ui, from: Cell, to: Cell) -> u32 {
    match &ui.stepper {
        Some((key, n)) if *key == hex_key(to) => *n,
        _ => words::amount(game, ui.amount, from, to),
    }
}

/// Returns whether the selected army can go to a hex: armies march, it is not the hex of that army, and it can be
/// clicked or has the stepper. If the page selected the army, a hex that could start another march is no target,
/// unless it has the stepper.
fn is_target(game: &Numeral, ui: &Ui, cell: Cell) -> bool {
    let key = hex_key(cell);
    let marching = matches!(game.stage(), Stage::March | Stage::MarchFrom(_));
    let other = ui.preselected && ui.start.contains(&key);
    let stepped = ui.stepper.as_ref().is_some_and(|(at, _)| *at == key);
    marching && source(game, ui).is_some_and(|from| from != cell) && (ui.lit(&key) && !other || stepped)
}

/// Draws the outcome of a march of the selected army to a hex, on an empty hex in its middle, otherwise at its upper
/// or lower edge away from the army, and inside `frame`. `None` if the player at this screen does not decide, the hex
/// is no target, another hex has the stepper, or there is nothing to say.
fn draw_result(game: &Numeral, ui: &Ui, frame: &Frame, cell: Cell) -> Option<El> {
    let from = source(game, ui).filter(|_| is_target(game, ui, cell) && ui.mine)?;
    if ui.stepper.as_ref().is_some_and(|(at, _)| *at != hex_key(cell)) {
        return None;
    }
    let (text, class) = words::outcome(game, cell, soldiers_sent(game, ui, from, cell), ui.narrow)?;
    let ((x, y), (_, from_y)) = (middle(cell), middle(from));
    // Above what lies above the army, below what lies below it: never over the army.
    let dy = if game.board().soldiers(cell) == 0 && game.board().upgrade(cell) == Upgrade::None {
        0.0
    } else if y > from_y + 1.0 {
        31.0
    } else {
        -31.0
    };
    let wide = 18.0 + 8.0 * text.chars().count() as f32;
    let x = x.clamp(frame.left + wide / 2.0, frame.right - wide / 2.0);
    Some(
        g("res")
            .class(class)
            .set("transform", format!("translate({} {})", short(x), short(y + dy)))
            .kid(
                el("rect")
                    .num("x", -wide / 2.0)
                    .set("y", "-12")
                    .num("width", wide)
                    .set("height", "24")
                    .set("rx", "12"),
            )
            .kid(el("text").set("y", "5").text(text)),
    )
}

/// The part of the map that is shown, in map coordinates.
struct Frame {
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
}

impl Frame {
    /// Returns the frame around all land, with a margin that is smaller on a narrow screen; a fixed frame while there
    /// is no land.
    fn around(game: &Numeral, narrow: bool) -> Self {
        let margin = if narrow { SIZE + 16.0 } else { SIZE + 34.0 };
        let mut frame = Frame { left: -200.0, top: -200.0, right: 200.0, bottom: 200.0 };
        for (n, cell) in game.board().land().iter().enumerate() {
            let (x, y) = middle(cell);
            if n == 0 {
                frame = Frame { left: x, top: y, right: x, bottom: y };
            }
            frame.left = frame.left.min(x);
            frame.right = frame.right.max(x);
            frame.top = frame.top.min(y);
            frame.bottom = frame.bottom.max(y);
        }
        frame.left -= margin;
        frame.top -= margin;
        frame.right += margin;
        frame.bottom += margin;
        frame
    }

    /// Returns the width, in map coordinates.
    fn wide(&self) -> f32 {
        self.right - self.left
    }

    /// Returns the height, in map coordinates.
    fn high(&self) -> f32 {
        self.bottom - self.top
    }

    /// Returns the position of a point in the frame as fractions of width and height, 0 to 1 for a point inside.
    fn part(&self, (x, y): (f32, f32)) -> (f32, f32) {
        ((x - self.left) / self.wide(), (y - self.top) / self.high())
    }

    /// Formats the frame as the value of an SVG `viewBox`: `x y width height`.
    fn view_box(&self) -> String {
        let [x, y] = [short(self.left), short(self.top)];
        format!("{x} {y} {} {}", short(self.wide()), short(self.high()))
    }
}

/// Returns the centre of a hex in map coordinates. Hexes have a corner at the top.
fn middle(cell: Cell) -> (f32, f32) {
    let (q, r) = (cell.hex().x as f32, cell.hex().y as f32);
    (SIZE * 3.0_f32.sqrt() * (q + r / 2.0), SIZE * 1.5 * r)
}

/// Returns corner `n` (0 to 5) of a hexagon with this centre and radius, counted clockwise from the top.
fn corner((x, y): (f32, f32), n: usize, size: f32) -> (f32, f32) {
    let angle = (60.0 * n as f32 - 90.0).to_radians();
    (x + size * angle.cos(), y + size * angle.sin())
}

/// Draws a hexagon with this centre and radius, a corner at the top.
fn draw_hexagon(at: (f32, f32), size: f32) -> El {
    el("polygon").set("points", points((0..6).map(|n| corner(at, n, size))))
}

/// Returns the number of a seat's colour, 1 to 6; 0 for no owner.
fn colour(ui: &Ui, owner: Option<Seat>) -> u8 {
    owner.map_or(0, |seat| ui.colour(seat))
}

/// Draws the ground of a hex as one or two layers: its owner's colour, and the pattern that goes with it. Free land
/// and colour 1 have no pattern.
fn draw_ground(game: &Numeral, ui: &Ui, cell: Cell) -> Vec<El> {
    let (at, c) = (middle(cell), colour(ui, game.board().owner(cell)));
    let mut layers = vec![draw_hexagon(at, SIZE - 0.6).class(format!("hex o{c}"))];
    if c > 1 {
        layers.push(draw_hexagon(at, SIZE - 0.6).set("fill", format!("url(#p{c})")));
    }
    layers
}

/// Draws the edges of an owned hex towards the sea and land of another owner; empty for free land.
fn draw_borders(game: &Numeral, ui: &Ui, cell: Cell) -> Vec<El> {
    /// The two corners of the edge in each direction.
    const EDGES: [[usize; 2]; 6] = [[1, 2], [0, 1], [5, 0], [4, 5], [3, 4], [2, 3]];
    let board = game.board();
    let Some(owner) = board.owner(cell) else { return Vec::new() };
    let foreign = Direction::ALL.into_iter().zip(EDGES).filter(|(direction, _)| {
        game.target(cell, *direction).is_none_or(|next| board.owner(next) != Some(owner))
    });
    let class = format!("bd b{}", ui.colour(owner));
    let line = |(_, edge): (Direction, [usize; 2])| {
        let [(ax, ay), (bx, by)] = edge.map(|n| corner(middle(cell), n, SIZE - 2.5));
        path(class.clone(), format!("M{},{} {},{}", short(ax), short(ay), short(bx), short(by)))
    };
    foreign.map(line).collect()
}

/// Draws the building, the number of soldiers, or both on a hex; `None` if it has neither. A Home always shows its
/// number, which is the gold.
fn draw_number(game: &Numeral, ui: &Ui, cell: Cell) -> Option<El> {
    let board = game.board();
    let (upgrade, soldiers) = (board.upgrade(cell), board.soldiers(cell));
    let (x, y) = middle(cell);
    let number = |dy: f32, class: &'static str| {
        el("text").class(class).tick(hex_key(cell)).num("x", x).num("y", y + dy).text(soldiers.to_string())
    };
    let fitted = if soldiers > 999 { "n long" } else { "n" };
    match (icon(upgrade), soldiers) {
        (Some(home), _) if upgrade == Upgrade::Home => {
            let c = colour(ui, board.owner(cell));
            let mark = g("home")
                .set("style", format!("--hc:var(--h{c})"))
                .kid(draw_hexagon((x, y), SIZE - 7.0).class("hm"))
                .kid(icon_at(home, x, y - 18.0, 18.0).class("up"));
            Some(mark.kid(number(18.0, if soldiers > 999 { "n long" } else { "n hn" })))
        }
        (None, 0) => None,
        (None, _) => Some(number(11.0, if soldiers > 99 { fitted } else { "n big" })),
        (Some(icon), 0) => Some(icon_at(icon, x, y, 26.0).class("up")),
        (Some(icon), _) => {
            Some(g("").kid(icon_at(icon, x, y - 18.0, 18.0).class("up")).kid(number(18.0, fitted)))
        }
    }
}

/// Draws the clickable piece of a hex: its rings and marks, focus and label. The classes `from` and `maybe` mark the
/// selected army, `to` its targets, `army` those that can be selected, and `store` the Home from which gold is
/// dragged. `placing` marks all hexes of the Placing phase, and `amt` targets of an army that the player selected.
fn draw_hex(game: &Numeral, ui: &Ui, cell: Cell) -> El {
    let (at, key) = (middle(cell), hex_key(cell));
    let chosen = source(game, ui) == Some(cell);
    let target = is_target(game, ui, cell);
    let store = game.stage() == Stage::Place && ui.mine && game.board().home(game.active()) == Some(cell);
    // An army that can be chosen carries a small disc; rings are for where something can go.
    let army = game.stage() == Stage::March && ui.mine && ui.start.contains(&key) && !chosen;
    let (x, y) = (at.0 + SIZE * 0.5, at.1 - SIZE * 0.5);
    let pip = || el("circle").class("pip").num("cx", x).num("cy", y).num("r", 6.0);
    let ring = |class: &'static str| draw_hexagon(at, SIZE - 4.0).class(class);
    let shape = g("cell")
        .class_if(chosen && !ui.preselected, "from")
        .class_if(chosen && ui.preselected, "maybe")
        .class_if(target, "to")
        .class_if(target && !ui.preselected, "amt")
        .class_if(army && !target, "army")
        .class_if(game.phase() == Phase::Placing, "placing")
        .class_if(store, "store")
        .kid(ring("ring case"))
        .kid(ring("ring"))
        .kid_if(army.then(pip))
        .kid(draw_hexagon(at, SIZE - 0.6).class("hit"));
    ui.piece(shape, &key, words::name(game, ui, cell))
}

/// Draws an arrow for the march of the list entry under the pointer (from the first to the last hex of `ui.hinted`),
/// else for that of the stepper. `None` if there is neither, the hexes are not adjacent, or no army marches now.
fn draw_march_arrow(game: &Numeral, ui: &Ui) -> Option<El> {
    let last = |keys: &[String]| keys.iter().filter_map(|key| super::cell_of(key)).next_back();
    let marching = matches!(game.stage(), Stage::March | Stage::MarchFrom(_));
    let listed = || {
        let first = ui.hinted.first().and_then(|key| super::cell_of(key))?;
        Some((first, last(&ui.hinted).filter(|&to| to != first)?))
    };
    let stepped = || Some((source(game, ui)?, ui.stepper.as_ref().and_then(|(key, _)| super::cell_of(key))?));
    let (from, to) = listed().or_else(stepped).filter(|(from, to)| marching && from.distance(*to) == 1)?;
    let ((ax, ay), (bx, by)) = (middle(from), middle(to));
    let (dx, dy) = ((bx - ax) / (SIZE * 1.732), (by - ay) / (SIZE * 1.732));
    let line = format!(
        "M{},{} {},{}",
        short(ax + dx * 24.0),
        short(ay + dy * 24.0),
        short(bx - dx * 30.0),
        short(by - dy * 30.0)
    );
    let (px, py) = (bx - dx * 22.0, by - dy * 22.0);
    let head = [
        (px, py),
        (px - dx * 14.0 - dy * 9.0, py - dy * 14.0 + dx * 9.0),
        (px - dx * 14.0 + dy * 9.0, py - dy * 14.0 - dx * 9.0),
    ];
    let arrow = g("plan")
        .kid(path("arr case", line.clone()))
        .kid(path("arr", line))
        .kid(el("polygon").class("arh").set("points", points(head)));
    Some(arrow)
}

/// Draws the 13 grid lines of the sea in each direction, the same for every map.
fn draw_grid() -> impl Iterator<Item = El> {
    (-6..=6).map(|i| {
        let (x, y) = (i * 115, i * 92);
        path("grat", format!("M{x} -900Q{} 0 {x} 900M-1200 {y}Q0 {} 1200 {y}", i * 125, y + 14))
    })
}

/// Draws the compass rose beside the map: 20 units right of the frame and 70 above its lower edge, hidden from screen
/// readers.
fn draw_rose(frame: &Frame) -> El {
    let [x, y] = [short(frame.right + 20.0), short(frame.bottom - 70.0)];
    g("rose")
        .set("transform", format!("translate({x} {y})"))
        .set("aria-hidden", "true")
        .kid(
            el("circle")
                .set("r", "31")
                .set("fill", "none")
                .set("stroke", "currentColor")
                .set("stroke-width", "1.5"),
        )
        .kid(path("", "M0-42 6-6 0 0-6-6zM0 42 6 6 0 0-6 6zM-42 0-6-6 0 0-6 6zM42 0 6-6 0 0 6 6z"))
        .kid(el("text").class("north").set("y", "-48").set("text-anchor", "middle").text("N"))
}
