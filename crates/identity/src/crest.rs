//! The picture of a public key: a coat of arms, drawn from the hash of the key.
//!
//! Its colours are dull, so that it is not taken for the colour of a seat. Shape, colours, division and
//! emblem can be told apart at 24 pixels; border and marks at 48.

use crate::charges::{Drawing, EMBLEMS, MARKS};
use std::fmt::Write as _;

/// The name of a colour, and the colour as `#rrggbb`.
type Tincture = (&'static str, &'static str);

/// The colours of fields, emblems, edges and marks.
const COLOURS: [Tincture; 8] = [
    ("wine", "#8e3b46"),
    ("blue", "#3f6690"),
    ("green", "#4b7650"),
    ("purple", "#71508a"),
    ("teal", "#35797a"),
    ("rust", "#ab5f34"),
    ("gold", "#c29a41"),
    ("slate", "#56606f"),
];
/// The colour of light plates, and of the outline.
const LIGHT: Tincture = ("bone", "#efe7d5");
/// The colour of dark plates, and of the outlines of edges and marks.
const DARK: Tincture = ("ink", "#211d18");

/// Outlines of the shield, in a square from 0 to 100.
const SHAPES: [Drawing; 5] = [
    ("heater shield", "M8 5H92V44C92 70 74 88 50 97C26 88 8 70 8 44Z"),
    ("round shield", "M50 3A47 47 0 1 1 50 97A47 47 0 1 1 50 3Z"),
    (
        "square shield",
        "M8 5H92V76C92 88 84 92 74 92H62C56 92 52 94 50 98C48 94 44 92 38 92H26C16 92 8 88 8 76Z",
    ),
    ("hexagonal shield", "M50 2L93 26V74L50 98 7 74V26Z"),
    ("swallow-tailed shield", "M8 5H92V96L50 84 8 96Z"),
];

/// What the second colour covers.
const DIVISIONS: [Drawing; 16] = [
    ("parted down the middle", "M50 0H100V100H50Z"),
    ("parted across", "M0 50H100V100H0Z"),
    ("parted diagonally from the left", "M0 0L100 100H0Z"),
    ("parted diagonally from the right", "M100 0V100H0Z"),
    ("quartered", "M50 0H100V50H50ZM0 50H50V100H0Z"),
    ("quartered diagonally", "M0 0L50 50 0 100ZM100 0L50 50 100 100Z"),
    ("with a chevron", "M50 20L100 70V100L50 50 0 100V70Z"),
    ("with a broad cross", "M36 0H64V36H100V64H64V100H36V64H0V36H36Z"),
    ("with a diagonal cross", "M0 0H18L50 32 82 0H100V18L68 50 100 82V100H82L50 68 18 100H0V82L32 50 0 18Z"),
    ("with bars", "M0 16H100V32H0ZM0 48H100V64H0ZM0 80H100V96H0Z"),
    ("with stripes", "M16 0H32V100H16ZM48 0H64V100H48ZM80 0H96V100H80Z"),
    ("with diagonal stripes", "M0 40L40 0H64L0 64ZM24 100L100 24V48L48 100ZM72 100L100 72V96L96 100Z"),
    ("with a broad bar", "M0 32H100V68H0Z"),
    ("with a broad stripe", "M32 0H68V100H32Z"),
    (
        "chequered",
        "M0 0H25V25H0ZM50 0H75V25H50ZM25 25H50V50H25ZM75 25H100V50H75ZM0 50H25V75H0ZM50 50H75V75H50ZM25 75H50V100H25ZM75 75H100V100H75Z",
    ),
    ("with a point", "M0 100L50 8 100 100Z"),
];

/// What lies under the emblem, around the middle.
const PLATES: [Drawing; 4] = [
    ("disc", "M0-29A29 29 0 1 1 0 29A29 29 0 1 1 0-29Z"),
    ("lozenge", "M0-39L35 0 0 39-35 0Z"),
    ("square", "M-26-26H26V26H-26Z"),
    ("hexagon", "M0-31L28-16V16L0 31-28 16V-16Z"),
];

/// A kind of edge.
struct Edge {
    /// Its name with the article.
    name: &'static str,
    /// Its width; 0 for no edge.
    width: u8,
    /// Its dashes, as in `stroke-dasharray`; empty for a plain edge.
    dashes: &'static str,
}

/// The kinds of edges; the first is no edge.
const EDGES: [Edge; 4] = [
    Edge { name: "no", width: 0, dashes: "" },
    Edge { name: "a plain", width: 13, dashes: "" },
    Edge { name: "a dashed", width: 13, dashes: "9 6" },
    Edge { name: "a dotted", width: 13, dashes: "3 7" },
];

/// The coat of arms of a public key. Each number is an index into the table of its part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Crest {
    /// The outline, of [`SHAPES`].
    shape: usize,
    /// The first colour.
    field: usize,
    /// The second colour, another than the first.
    second: usize,
    /// What the second colour covers, of [`DIVISIONS`].
    division: usize,
    /// What lies under the emblem, of [`PLATES`].
    plate: usize,
    /// Whether the plate is dark.
    dark_plate: bool,
    /// The emblem, of [`EMBLEMS`].
    emblem: usize,
    /// Its colour.
    emblem_colour: usize,
    /// The edge, of [`EDGES`].
    edge: usize,
    /// Its colour; 0 without an edge.
    edge_colour: usize,
    /// The two marks above, of [`MARKS`].
    upper_marks: usize,
    /// The colour of all marks.
    upper_colour: usize,
    /// The mark below, of [`MARKS`].
    foot_mark: usize,
}

impl Crest {
    /// Derives the crest of a public key. Equal keys give equal crests; different keys may share one.
    pub fn of(public: &[u8; 32]) -> Self {
        let hash = blake3::derive_key("pentarchy identity crest v1", public);
        // Two bytes for each choice: no list is long enough for the bias to be seen.
        let pick =
            |at: usize, len: usize| usize::from(u16::from_le_bytes([hash[2 * at], hash[2 * at + 1]])) % len;
        let field = pick(1, COLOURS.len());
        let edge = pick(8, EDGES.len());
        Self {
            shape: pick(0, SHAPES.len()),
            field,
            second: (field + 1 + pick(2, COLOURS.len() - 1)) % COLOURS.len(),
            division: pick(3, DIVISIONS.len()),
            plate: pick(4, PLATES.len()),
            dark_plate: pick(5, 2) == 1,
            emblem: pick(6, EMBLEMS.len()),
            emblem_colour: pick(7, COLOURS.len()),
            edge,
            // Without an edge its colour is not seen.
            edge_colour: if edge == 0 { 0 } else { pick(9, COLOURS.len()) },
            upper_marks: pick(10, MARKS.len()),
            upper_colour: pick(11, COLOURS.len()),
            foot_mark: pick(12, MARKS.len()),
        }
    }

    /// Returns the name and the colour (`#rrggbb`) of the plate under the emblem: ink if it is dark,
    /// otherwise bone.
    fn plate_tincture(&self) -> Tincture {
        if self.dark_plate { DARK } else { LIGHT }
    }

    /// Describes the picture in one line of words: shape, colours, division, plate, emblem, edge, marks.
    pub fn description(&self) -> String {
        let colour = |i: usize| COLOURS[i].0;
        let edge = match self.edge {
            0 => "no edge".to_owned(),
            edge => format!("{} {} edge", EDGES[edge].name, colour(self.edge_colour)),
        };
        format!(
            "{}, {} and {}, {}; on a {} {}, {} in {}; {}; {} {} above, {} below",
            SHAPES[self.shape].0,
            colour(self.field),
            colour(self.second),
            DIVISIONS[self.division].0,
            self.plate_tincture().0,
            PLATES[self.plate].0,
            EMBLEMS[self.emblem].0,
            colour(self.emblem_colour),
            edge,
            colour(self.upper_colour),
            MARKS[self.upper_marks].0,
            MARKS[self.foot_mark].0,
        )
    }

    /// Draws the picture as an SVG element of 100 by 100 units, hidden from screen readers. `id` must be
    /// unique in the document that holds it, and is not escaped.
    pub fn to_svg(&self, id: &str) -> String {
        let (shape, hue) = (SHAPES[self.shape].1, |i: usize| COLOURS[i].1);
        let mut svg = String::with_capacity(2048);
        let mark = |svg: &mut String, drawing: Drawing, x: f32, y: f32, scale: f32| {
            let _ = write!(
                svg,
                r#"<path transform="translate({x} {y}) scale({scale})" d="{}" fill="{}" stroke="{}" stroke-width="14" paint-order="stroke" fill-rule="evenodd"/>"#,
                drawing.1,
                hue(self.upper_colour),
                DARK.1
            );
        };
        let _ = write!(
            svg,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" aria-hidden="true" focusable="false"><clipPath id="{id}"><path d="{shape}"/></clipPath><g clip-path="url(#{id})"><path d="M0 0H100V100H0Z" fill="{}"/><path d="{}" fill="{}"/>"#,
            hue(self.field),
            DIVISIONS[self.division].1,
            hue(self.second)
        );
        let Edge { width, dashes, .. } = EDGES[self.edge];
        if width > 0 {
            let _ = write!(
                svg,
                r#"<path d="{shape}" fill="none" stroke="{}" stroke-width="{width}"/><path d="{shape}" fill="none" stroke="{}" stroke-width="{}" stroke-dasharray="{dashes}"/>"#,
                DARK.1,
                hue(self.edge_colour),
                width - 1
            );
        }
        mark(&mut svg, MARKS[self.upper_marks], 23.0, 22.0, 0.13);
        mark(&mut svg, MARKS[self.upper_marks], 77.0, 22.0, 0.13);
        mark(&mut svg, MARKS[self.foot_mark], 50.0, 85.0, 0.12);
        let plate = self.plate_tincture();
        let _ = write!(
            svg,
            r#"</g><g transform="translate(50 48)"><path d="{}" fill="{}" stroke="{}" stroke-width="2.5"/><path d="{}" transform="scale(.42)" fill="{}" fill-rule="evenodd"/></g><path d="{shape}" fill="none" stroke="{}" stroke-width="3"/></svg>"#,
            PLATES[self.plate].1,
            plate.1,
            if self.dark_plate { LIGHT.1 } else { DARK.1 },
            EMBLEMS[self.emblem].1,
            if self.dark_plate { lit(self.emblem_colour) } else { hue(self.emblem_colour) },
            LIGHT.1
        );
        svg
    }
}

/// Returns the colour of an emblem on a dark plate, as `#rrggbb`; `colour` is an index into [`COLOURS`], from
/// 0 to 7; panics for any other number.
fn lit(colour: usize) -> &'static str {
    ["#e0808c", "#86b3e3", "#8ec795", "#bf9add", "#74c6c7", "#eb9a68", "#e9c673", "#c3ccd8"][colour]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn crests(count: u32) -> impl Iterator<Item = Crest> {
        (0..count).map(|i| Crest::of(&blake3::derive_key("crest tests", &i.to_le_bytes())))
    }

    #[test]
    fn ten_thousand_keys_have_ten_thousand_pictures() {
        let described: BTreeSet<String> = crests(10_000).map(|crest| crest.description()).collect();
        assert_eq!(described.len(), 10_000);
        let drawn: BTreeSet<String> = crests(10_000).map(|crest| crest.to_svg("x")).collect();
        assert_eq!(drawn.len(), 10_000);
    }

    /// What is still seen at 24 pixels tells apart the players of a club.
    #[test]
    fn the_large_features_alone_tell_most_players_apart() {
        let large = |crest: Crest| {
            (crest.shape, crest.field, crest.second, crest.division, crest.dark_plate, crest.emblem)
        };
        let seen: BTreeSet<_> = crests(200).map(large).collect();
        assert!(seen.len() >= 198, "{}", seen.len());
    }

    #[test]
    fn every_feature_is_used() {
        let all: Vec<Crest> = crests(2_000).collect();
        let count = |feature: fn(&Crest) -> usize| all.iter().map(feature).collect::<BTreeSet<_>>().len();
        assert_eq!(count(|c| c.shape), SHAPES.len());
        assert_eq!(count(|c| c.division), DIVISIONS.len());
        assert_eq!(count(|c| c.plate), PLATES.len());
        assert_eq!(count(|c| c.emblem), EMBLEMS.len());
        assert_eq!(count(|c| c.edge), EDGES.len());
        assert_eq!(count(|c| c.upper_marks), MARKS.len());
        assert_eq!(count(|c| c.foot_mark), MARKS.len());
        assert!(all.iter().all(|crest| crest.field != crest.second));
    }

    /// The picture goes into pages as it is: it must be made of our own letters alone.
    #[test]
    fn the_drawing_is_well_formed() {
        for crest in crests(500) {
            let svg = crest.to_svg("crest-7");
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>"), "{svg}");
            assert_eq!(svg.matches("<path ").count(), svg.matches("/>").count(), "{svg}");
            assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
            assert_eq!(svg.matches("crest-7").count(), 2);
            assert_eq!(svg.matches('"').count() % 2, 0);
        }
    }

    /// People know players by these: they must not change with a release.
    #[test]
    fn pictures_stay_as_they_are() {
        assert_eq!(
            Crest::of(&[0; 32]).description(),
            "round shield, blue and green, quartered diagonally; on a bone hexagon, an eye in green; no edge; teal hexagons above, crescents below"
        );
        let digest = blake3::hash(Crest::of(&[0; 32]).to_svg("x").as_bytes()).to_hex();
        assert_eq!(&digest[..16], "5614b12a91e492a6");
    }
}
