//! Path data of SVG drawings (the attribute `d`), with coordinates rounded to whole numbers.

use std::fmt::Write as _;

use crate::task_error::{Result, TaskError};

/// A point, or a vector.
type Point = [f64; 2];

/// One command with its arguments. Curves keep all of their points; `H`, `V` and relative commands are resolved.
#[derive(Clone, PartialEq, Debug)]
enum Segment {
    /// Starts a subpath (`M`).
    Move(Point),
    /// A line (`L`, `H`, `V`).
    Line(Point),
    /// A curve (`C`, `S`, `Q`, `T`): its letter in lower case, and its points.
    Curve(char, Vec<Point>),
    /// An arc (`A`) of an ellipse.
    Arc {
        /// Where it starts.
        start: Point,
        /// The two radii.
        radii: Point,
        /// The rotation of the ellipse, in degrees.
        rotation: f64,
        /// Whether it is the longer arc, and whether it runs clockwise.
        flags: [bool; 2],
        /// Where it ends.
        end: Point,
    },
    /// Closes the subpath (`Z`).
    Close,
}

/// Returns the path with all coordinates rounded to whole numbers, as relative commands. No error adds up: each point
/// is at most half a unit from its exact place in each direction. Radii of arcs have two decimals, and fit the rounded
/// ends. An arc whose ends would coincide, so that it would vanish, ends one unit beside its start.
///
/// # Errors
///
/// Fails if `data` is no path data.
pub(crate) fn round(data: &str) -> Result<String> {
    let mut out = String::new();
    let (mut here, mut start): (Point, Point) = ([0.0; 2], [0.0; 2]);
    let mut last = ' ';
    for segment in segments(data)? {
        // Adding zero turns a negative zero, which would be written with a minus, into zero.
        let grid = |point: &Point| point.map(|v| v.round() + 0.0);
        let from = |point: Point| [point[0] - here[0], point[1] - here[1]];
        let (letter, numbers, end) = match &segment {
            Segment::Close => ('z', Vec::new(), start),
            Segment::Move(point) => ('m', from(grid(point)).to_vec(), grid(point)),
            Segment::Line(point) => match from(grid(point)) {
                [x, 0.0] => ('h', vec![x], grid(point)),
                [0.0, y] => ('v', vec![y], grid(point)),
                both => ('l', both.to_vec(), grid(point)),
            },
            Segment::Curve(letter, points) => {
                let end = points.last().map_or(here, grid);
                (*letter, points.iter().flat_map(|point| from(grid(point))).collect(), end)
            }
            Segment::Arc { start: from_exact, radii, rotation, flags, end } => {
                let mut to = grid(end);
                let chord = (end[0] - from_exact[0]).hypot(end[1] - from_exact[1]);
                if to == here && chord > 0.0 {
                    to[0] += 1.0;
                }
                let [x, y] = from(to);
                // Where the ends are far apart, the form depends on the ratio of chord and radius.
                let is_wide = chord > radii[0].max(radii[1]);
                let fit = if is_wide { x.hypot(y) / chord } else { 1.0 };
                // Rounded down: a browser enlarges radii that are too small for a half circle, and exactly as needed.
                let [rx, ry] = radii.map(|radius| (radius * fit * 100.0).floor() / 100.0);
                ('a', vec![rx, ry, rotation.round(), f64::from(flags[0]), f64::from(flags[1]), x, y], to)
            }
        };
        write_command(&mut out, &mut last, letter, &numbers);
        here = end;
        if letter == 'm' {
            start = end;
        }
    }
    Ok(out)
}

/// Appends a command to path data whose last command is `last`, which becomes this one. Leaves out a repeated letter,
/// and spaces before a minus. The caller must give a command the numbers that it takes.
fn write_command(out: &mut String, last: &mut char, letter: char, numbers: &[f64]) {
    // Numbers after `m` would be lines.
    let mut is_first = *last != letter || letter == 'm' || letter == 'z';
    if is_first {
        out.push(letter);
    }
    for number in numbers {
        if !is_first && *number >= 0.0 {
            out.push(' ');
        }
        is_first = false;
        // Writing to a string does not fail.
        write!(out, "{number}").ok();
    }
    *last = letter;
}

/// Parses path data to segments in absolute coordinates, in order. A command without a letter repeats the last one;
/// after `M` it is a line.
///
/// # Errors
///
/// Fails at the first thing that is neither a command nor one of its numbers, and if a number is missing.
fn segments(data: &str) -> Result<Vec<Segment>> {
    let mut reader = Reader { rest: data };
    let mut found = Vec::new();
    let (mut here, mut start): (Point, Point) = ([0.0; 2], [0.0; 2]);
    while let Some(command) = reader.letter()? {
        let base = |here: Point| if command.is_ascii_lowercase() { here } else { [0.0; 2] };
        let mut is_first = true;
        while is_first || reader.has_number() {
            let origin = base(here);
            let kind = command.to_ascii_lowercase();
            let segment = match kind {
                'z' => Segment::Close,
                'm' if is_first => Segment::Move(reader.point(origin)?),
                'm' | 'l' => Segment::Line(reader.point(origin)?),
                'h' => Segment::Line([reader.number()? + origin[0], here[1]]),
                'v' => Segment::Line([here[0], reader.number()? + origin[1]]),
                'c' | 's' | 'q' | 't' => {
                    let count = match kind {
                        'c' => 3,
                        't' => 1,
                        _ => 2,
                    };
                    Segment::Curve(kind, (0..count).map(|_| reader.point(origin)).collect::<Result<_>>()?)
                }
                'a' => Segment::Arc {
                    start: here,
                    radii: reader.point([0.0; 2])?,
                    rotation: reader.number()?,
                    flags: [reader.flag()?, reader.flag()?],
                    end: reader.point(origin)?,
                },
                other => return Err(TaskError::new(format!("`{other}` is no command of a path"))),
            };
            match &segment {
                Segment::Close => here = start,
                Segment::Move(point) => (here, start) = (*point, *point),
                Segment::Line(point) | Segment::Arc { end: point, .. } => here = *point,
                Segment::Curve(_, points) => here = points.last().copied().unwrap_or(here),
            }
            found.push(segment);
            is_first = false;
            if kind == 'z' {
                break;
            }
        }
    }
    Ok(found)
}

/// What is left of the path data.
struct Reader<'a> {
    /// The part that was not read yet.
    rest: &'a str,
}

impl Reader<'_> {
    /// Skips spaces, tabs, line feeds and commas.
    fn skip(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', ',', '\n', '\t']);
    }

    /// Skips separators, returns the next ASCII letter in its case and goes past it; `None` at the end. Whether it is a
    /// command is not checked.
    ///
    /// # Errors
    ///
    /// Fails if something else is next.
    fn letter(&mut self) -> Result<Option<char>> {
        self.skip();
        let Some(letter) = self.rest.chars().next() else { return Ok(None) };
        if !letter.is_ascii_alphabetic() {
            return Err(TaskError::new(format!("a command was expected at `{}`", self.rest)));
        }
        self.rest = &self.rest[1..];
        Ok(Some(letter))
    }

    /// Skips separators and returns whether a digit, a sign or a dot follows, as a number begins.
    fn has_number(&mut self) -> bool {
        self.skip();
        self.rest.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
    }

    /// Skips separators, returns the next number and goes past it. A sign within it, a second dot or a letter other
    /// than `e` ends it.
    ///
    /// # Errors
    ///
    /// Fails if no number is next.
    fn number(&mut self) -> Result<f64> {
        self.skip();
        let (mut has_dot, mut has_exponent, mut before) = (false, false, ' ');
        let end = self.rest.find(|c: char| {
            let fits = match c {
                '0'..='9' => true,
                '-' | '+' => matches!(before, ' ' | 'e'),
                '.' => !std::mem::replace(&mut has_dot, true) && !has_exponent,
                'e' => !std::mem::replace(&mut has_exponent, true),
                _ => false,
            };
            before = c;
            !fits
        });
        let (number, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        let value = number.parse();
        let value = value.map_err(|_| TaskError::new(format!("a number was expected at `{}`", self.rest)))?;
        self.rest = rest;
        Ok(value)
    }

    /// Returns the next two numbers, added to `origin`, as a point, and goes past them.
    ///
    /// # Errors
    ///
    /// Fails if fewer numbers are next.
    fn point(&mut self, origin: Point) -> Result<Point> {
        Ok([self.number()? + origin[0], self.number()? + origin[1]])
    }

    /// Skips separators and returns the next flag of an arc, one digit that nothing needs to separate from what
    /// follows; `true` for 1. Goes past it.
    ///
    /// # Errors
    ///
    /// Fails if neither 0 nor 1 is next.
    fn flag(&mut self) -> Result<bool> {
        self.skip();
        let flag = match self.rest.chars().next() {
            Some('0') => false,
            Some('1') => true,
            _ => return Err(TaskError::new(format!("0 or 1 was expected at `{}`", self.rest))),
        };
        self.rest = &self.rest[1..];
        Ok(flag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns all points of a path in order, with the control points of curves and the ends of arcs.
    fn points(data: &str) -> Vec<Point> {
        let points = segments(data).unwrap().into_iter().flat_map(|segment| match segment {
            Segment::Move(point) | Segment::Line(point) | Segment::Arc { end: point, .. } => vec![point],
            Segment::Curve(_, points) => points,
            Segment::Close => Vec::new(),
        });
        points.collect()
    }

    #[test]
    fn commands_are_written_relative_and_short() {
        let exact = "M37 73v382h18V73zm418.045 0l1.91 382";
        assert_eq!(round(exact).unwrap(), "m37 73v382h18v-382zm418 0l2 382");
        assert_eq!(round("M0 0L1 2 3 4-5 6").unwrap(), "m0 0l1 2 2 2-8 2");
        assert_eq!(round("m1-1.2.5.5e1").unwrap(), "m1-1l1 5");
    }

    #[test]
    fn errors_of_many_small_steps_do_not_add_up() {
        let exact = format!("M0 0{}", "l.3.3c.1.1.2.2.3.3h.3v.3".repeat(200));
        let rounded = round(&exact).unwrap();
        let pairs: Vec<_> = points(&exact).into_iter().zip(points(&rounded)).collect();
        assert_eq!(pairs.len(), 1 + 200 * 6);
        for (a, b) in pairs {
            assert!((0..2).all(|i| (a[i] - b[i]).abs() <= 0.5 + 1e-6), "{a:?} became {b:?}");
        }
    }

    #[test]
    fn arcs_keep_their_flags_and_never_vanish() {
        assert_eq!(round("M5 5a4 4 0 01.1 0z").unwrap(), "m5 5a4 4 0 0 1 1 0z");
        assert_eq!(round("M5 5A4.4.2 30 1 0 9 9").unwrap(), "m5 5a4.4 0.2 30 1 0 4 4");
        assert_eq!(round("M-.2-.2a4 4 0 0 1 0 0").unwrap(), "m0 0a4 4 0 0 1 0 0", "nothing is drawn");
        assert_eq!(points("M0 0a9 9 0 0110-5").last(), Some(&[10.0, -5.0]));
    }

    #[test]
    fn a_half_circle_stays_one() {
        // Exact: radius 100.3 and a chord of 200.6. The chord becomes 201.
        assert_eq!(round("M0 0a100.3 100.3 0 0 1 200.6 0").unwrap(), "m0 0a100.5 100.5 0 0 1 201 0");
    }

    #[test]
    fn what_is_no_path_is_an_error() {
        for wrong in ["M1", "M1 x", "1 2", "M0 0a1 1 0 2 0 1 1", "M0 0y1"] {
            assert!(round(wrong).is_err(), "{wrong}");
        }
    }
}
