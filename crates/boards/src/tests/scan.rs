//! Decodes the QR code of a table's link, as the camera of a phone would.

use crate::markup::{El, MarkupNode};
use crate::qr::qr;
use rqrr::{Grid, MetaData, PreparedImage};

/// So wide is the picture in the page, in pixels.
const WIDE: usize = 156;
/// Number of characters shown on each side of a finding.
const AROUND: usize = 40;

/// A rectangle that is filled: its place, its size, and whether it is light.
struct Fill {
    at: [f64; 2],
    size: [f64; 2],
    light: bool,
}

/// Returns the rectangles of a path, `M1 2h3v4h-3z` each. Panics if the path has another form.
fn fills(path: &El) -> Vec<Fill> {
    let light = path.get("fill") == Some("#fff");
    let rectangle = |text: &str| {
        let numbers: Vec<f64> = text.split([' ', 'h', 'v', 'z']).filter_map(|n| n.parse().ok()).collect();
        let [x, y, wide, high, back] = numbers[..] else { panic!("{text} is no rectangle") };
        assert_eq!((wide, format!("M{x} {y}h{wide}v{high}h-{wide}z")), (-back, format!("M{text}")));
        Fill { at: [x, y], size: [wide, high], light }
    };
    path.get("d").unwrap().split('M').skip(1).map(rectangle).collect()
}

/// Returns the rectangles of a picture in drawing order, and its width in its own units.
fn drawn(picture: &El) -> (Vec<Fill>, f64) {
    let view: Vec<f64> =
        picture.get("viewBox").unwrap().split(' ').map(|number| number.parse().unwrap()).collect();
    let [0.0, 0.0, wide, high] = view[..] else { panic!("{view:?}") };
    assert_eq!(wide, high);
    let path = |kid: &MarkupNode| match kid {
        MarkupNode::El(el) => fills(el),
        MarkupNode::Text(_) => panic!("a text in a picture"),
    };
    (picture.kids.iter().flat_map(path).collect(), wide)
}

/// Reads what a camera sees of a dark page with the picture in it.
fn read(picture: &El) -> (MetaData, String) {
    let (fills, wide) = drawn(picture);
    let grey = |x: usize, y: usize| {
        let unit = |pixel: usize| (pixel as f64 + 0.5 - AROUND as f64) * wide / WIDE as f64;
        let point = [unit(x), unit(y)];
        let covers =
            |fill: &&Fill| (0..2).all(|i| (fill.at[i]..fill.at[i] + fill.size[i]).contains(&point[i]));
        fills.iter().rev().find(covers).map_or(17, |fill| if fill.light { 255 } else { 17 })
    };
    let side = WIDE + 2 * AROUND;
    let mut seen = PreparedImage::prepare_from_greyscale(side, side, grey);
    let found: Vec<Grid<_>> = seen.detect_grids();
    let [code] = &found[..] else { panic!("{} codes are seen", found.len()) };
    code.decode().unwrap()
}

#[test]
fn a_telephone_reads_the_link_of_a_table() {
    let table = "/t/abcdefghijklmnopqrstuvwxyz#abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrst";
    for server in ["http://[::1]:7878", "http://192.168.178.120:7878", "https://games.example.org/pentarchy"]
    {
        let link = format!("{server}{table}");
        let picture = qr(&link, "Code").unwrap();
        let (meta, text) = read(&picture);
        assert_eq!(text, link);
        // Nothing is drawn where cameras expect nothing: four modules wide on every side.
        let (fills, wide) = drawn(&picture);
        let modules = meta.version.to_size() as f64;
        assert_eq!(wide, modules + 8.0);
        assert!(fills[0].light && fills[0].at == [0.0; 2] && fills[0].size == [wide; 2]);
        let inside =
            |fill: &Fill| (0..2).all(|i| fill.at[i] >= 4.0 && fill.at[i] + fill.size[i] <= wide - 4.0);
        assert!(fills[1..].iter().all(|fill| !fill.light && inside(fill)));
    }
    assert!(qr(&"x".repeat(3000), "Code").is_none(), "too long for any code");
}
