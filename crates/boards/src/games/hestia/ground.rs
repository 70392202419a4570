//! The painted map, which never changes. It is a layer of its own, so that its filters run once.

use crate::icons::icon_at;
use crate::markup::{El, el, g, path, points, short};
use pentarchy_hestia::map::{BLOCKED, Edge, Place, SPOTS, Spot, Terrain, at};

/// The `viewBox` of the map: x and y of its upper left corner, width, height.
pub(super) const FRAME: &str = "0 -6 1006 708";

/// Returns the outline of a place as the attribute `points` of an SVG polygon, in map coordinates.
pub(super) fn outline(place: Place) -> String {
    points(place.spot().outline.iter().map(|&(x, y)| (f32::from(x), f32::from(y))))
}

/// Returns the centre of a place in map coordinates, those of [`FRAME`].
pub(super) fn middle(place: Place) -> (f32, f32) {
    let (x, y) = place.spot().centre;
    (f32::from(x), f32::from(y))
}

/// Returns the ends of the border that two places share: the first and last common point in the outline of `a`.
/// `None` if they share fewer than two points.
fn shared_border(a: Place, b: Place) -> Option<((f32, f32), (f32, f32))> {
    let shared: Vec<(u16, u16)> =
        a.spot().outline.iter().filter(|p| b.spot().outline.contains(p)).copied().collect();
    let (first, last) = (shared.first()?, shared.last()?);
    let point = |p: &(u16, u16)| (f32::from(p.0), f32::from(p.1));
    (shared.len() > 1).then(|| (point(first), point(last)))
}

/// Iterates over the pairs of places whose border is of this kind, each pair once, the lower place first.
fn borders(kind: Edge) -> impl Iterator<Item = (Place, Place)> {
    Place::all().flat_map(move |a| {
        a.links().iter().filter(move |(b, edge)| *edge == kind && a < *b).map(move |&(b, _)| (a, b))
    })
}

/// Draws the painted map: sea, terrain, coast, grain and waves. It is the same in every position and hidden from
/// screen readers.
pub(super) fn ground() -> El {
    let lands = || Place::lands().map(|p| el("polygon").set("points", outline(p)));
    let land = Place::lands().map(|p| {
        let class = match p.spot().terrain {
            Terrain::HomeL => "ter k-L",
            Terrain::HomeH => "ter k-H",
            _ if p.0 % 2 == 1 => "ter alt",
            _ => "ter",
        };
        el("polygon").class(class).set("points", outline(p))
    });
    let rough = g("").set("filter", "url(#rough)").kid(g("coast").kids(lands())).kids(land);
    let grain = g("gr").set("filter", "url(#grain)").kids(lands());
    let waves =
        [(110, 470), (180, 560), (400, 600), (500, 560), (600, 560), (820, 600), (960, 500), (700, 600)];
    let waves = waves.map(|(x, y)| path("wv", format!("M{x} {y}q6-6 12 0t12 0 12 0")));
    el("svg")
        .class("hmap gnd")
        .set("viewBox", FRAME)
        .set("aria-hidden", "true")
        .kid(define_filters())
        .kid(el("rect").class("seaB").set("x", "90").set("y", "-6").set("width", "916").set("height", "642"))
        .kids(waves)
        .kid(rough)
        .kid(grain)
}

/// Draws the marks that stay sharp at every size: straits, rivers, mountains, trees, discs, ports, names and the
/// boxes beside the map. They are the same in every position and hidden from screen readers.
pub(super) fn marks() -> El {
    el("svg")
        .class("hmap mks1")
        .set("viewBox", FRAME)
        .set("aria-hidden", "true")
        .kids(borders(Edge::Crossing).flat_map(|(a, b)| draw_strait(a, b, true)))
        .kids(draw_strait(at::SAL, at::ARH, false))
        .kids(borders(Edge::River).flat_map(|(a, b)| draw_river(a, b)))
        .kids(BLOCKED.iter().filter(|&&(_, b)| b != at::ARH).flat_map(|&(a, b)| draw_mountains(a, b)))
        .kids(draw_trees())
        .kids(SPOTS.iter().filter(|s| s.terrain == Terrain::City).map(draw_disc))
        .kids(SPOTS.iter().filter(|s| s.port).map(draw_port))
        .kids(SPOTS.iter().filter(|s| s.terrain == Terrain::Sea).map(draw_sea_name))
        .kids(SPOTS.iter().filter(|s| !matches!(s.terrain, Terrain::Sea | Terrain::Box)).map(draw_land_name))
        .kids(SPOTS.iter().filter(|s| s.terrain == Terrain::Box).flat_map(draw_box))
}

/// Defines the SVG filters of the map in a `defs` element: `rough` for its edges and `grain`.
fn define_filters() -> El {
    let noise = |frequency: &'static str, octaves: &'static str, seed: &'static str| {
        el("feTurbulence")
            .set("type", "fractalNoise")
            .set("baseFrequency", frequency)
            .set("numOctaves", octaves)
            .set("seed", seed)
    };
    let rough = el("filter")
        .set("id", "rough")
        .set("x", "-5%")
        .set("y", "-5%")
        .set("width", "110%")
        .set("height", "110%")
        .kid(noise(".025", "3", "4").set("result", "n"))
        .kid(el("feDisplacementMap").set("in", "SourceGraphic").set("in2", "n").set("scale", "9"));
    let grain = el("filter")
        .set("id", "grain")
        .kid(noise(".012 .02", "4", "9"))
        .kid(el("feColorMatrix").set("values", "0 0 0 0 .2  0 0 0 0 .14  0 0 0 0 .05  0 0 0 .55 -.17"))
        .kid(el("feComposite").set("in2", "SourceGraphic").set("operator", "in"));
    el("defs").kid(rough).kid(grain)
}

/// Draws a river as a wavy double stroke on the border of two places; empty if they share none.
fn draw_river(a: Place, b: Place) -> Vec<El> {
    let Some(((x0, y0), (x1, y1))) = shared_border(a, b) else { return Vec::new() };
    let (mx, my, dx, dy) = ((x0 + x1) / 2.0, (y0 + y1) / 2.0, x1 - x0, y1 - y0);
    let d = format!(
        "M{} {}Q{} {} {} {}T{} {}",
        short(x0),
        short(y0),
        short(mx - dx * 0.25 + dy * 0.12),
        short(my - dy * 0.25 - dx * 0.12),
        short(mx),
        short(my),
        short(x1),
        short(y1)
    );
    vec![path("rv0", d.clone()), path("rv", d)]
}

/// Draws the water between two lands; where it can be crossed without ships (`crossed`), also stepping stones.
/// Empty if they share no border.
fn draw_strait(a: Place, b: Place, crossed: bool) -> Vec<El> {
    let Some(((x0, y0), (x1, y1))) = shared_border(a, b) else { return Vec::new() };
    let d = format!("M{} {}L{} {}", short(x0), short(y0), short(x1), short(y1));
    let mut out = vec![path("stt", d)];
    if crossed {
        let (mx, my) = ((x0 + x1) / 2.0, (y0 + y1) / 2.0);
        let (ax, ay) = middle(a);
        let (bx, by) = middle(b);
        let long = ((bx - ax).powi(2) + (by - ay).powi(2)).sqrt();
        let (ux, uy) = ((bx - ax) / long * 15.0, (by - ay) / long * 15.0);
        let d = format!("M{} {}L{} {}", short(mx - ux), short(my - uy), short(mx + ux), short(my + uy));
        out.push(path("stn", d));
    }
    out
}

/// Draws mountains along a border that cannot be crossed; empty if the places share none.
fn draw_mountains(a: Place, b: Place) -> Vec<El> {
    let Some(((x0, y0), (x1, y1))) = shared_border(a, b) else { return Vec::new() };
    let long = ((x1 - x0).powi(2) + (y1 - y0).powi(2)).sqrt();
    let n = ((long / 17.0) as usize).max(1);
    (0..n)
        .flat_map(|i| {
            let f = (i as f32 + 0.5) / n as f32;
            let (x, y) = (x0 + (x1 - x0) * f, y0 + (y1 - y0) * f);
            [
                path("mt", format!("M{} {}l9-15 9 15z", short(x - 9.0), short(y + 6.0))),
                path("ms", format!("M{} {}l9 15h-6l-3-7z", short(x), short(y - 9.0))),
            ]
        })
        .collect()
}

/// Draws four trees in each of the five territories that are painted as woods. They are decoration only.
fn draw_trees() -> Vec<El> {
    let woods = [at::GRE, at::SAR, at::BRA, at::OXM, at::EYR];
    woods
        .into_iter()
        .flat_map(|p| {
            let (x, y) = middle(p);
            [(-44.0, 4.0), (-32.0, 14.0), (30.0, 14.0), (40.0, 2.0)]
                .map(|(dx, dy)| path("tree", format!("M{} {}l5-11 5 11z", short(x + dx), short(y + dy))))
        })
        .collect()
}

/// Draws the disc of a city-state; the caller picks the spots.
fn draw_disc(spot: &Spot) -> El {
    let (x, y) = spot.centre;
    el("circle").class("cs").num("cx", f32::from(x)).num("cy", f32::from(y) + 2.0).set("r", "17")
}

/// Draws the anchor of a port, left of its centre; the caller picks the spots.
fn draw_port(spot: &Spot) -> El {
    let (x, y) = spot.centre;
    icon_at("anchor", f32::from(x) - 34.0, f32::from(y) + 1.0, 17.0).class("pt")
}

/// Draws the number of a sea, which is its name without `Sea `, at its centre.
fn draw_sea_name(spot: &Spot) -> El {
    let (x, y) = spot.centre;
    let number = spot.name.trim_start_matches("Sea ");
    el("text").class("sean").num("x", f32::from(x)).num("y", f32::from(y) + 8.0).text(number.to_string())
}

/// Draws the name of a land above its centre, in the style of its terrain; names of more than 12 bytes are set
/// smaller.
fn draw_land_name(spot: &Spot) -> El {
    let (x, y) = spot.centre;
    let city = spot.terrain == Terrain::City;
    let kind = match spot.terrain {
        Terrain::City => "tn city",
        Terrain::HomeL => "tn L",
        Terrain::HomeH => "tn H",
        _ => "tn",
    };
    el("text")
        .class(kind)
        .class_if(spot.name.len() > 12, "long")
        .num("x", f32::from(x))
        .num("y", f32::from(y) - if city { 24.0 } else { 22.0 })
        .text(spot.name)
}

/// Draws a box beside the map, with its short name: `Reinforce`, `Navy` or (all others) `Bathradi`. The outline must
/// begin with the upper left corner and have the lower right one third. Returns one element.
fn draw_box(spot: &Spot) -> Vec<El> {
    let (x, y) = spot.outline[0];
    let (right, bottom) = spot.outline[2];
    let wide = right - x > 120;
    let name = match spot.id {
        "LRE" => "Reinforce",
        "LNA" => "Navy",
        _ => "Bathradi",
    };
    let frame = el("rect")
        .num("x", f32::from(x))
        .num("y", f32::from(y))
        .num("width", f32::from(right - x))
        .num("height", f32::from(bottom - y))
        .set("rx", "4");
    let (tx, ty) = if wide { (x + 45, (y + bottom) / 2 + 5) } else { ((x + right) / 2, y + 16) };
    let text = el("text").num("x", f32::from(tx)).num("y", f32::from(ty)).text(name);
    vec![g("box").kid(frame).kid(text)]
}
