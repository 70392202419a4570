//! Plots as inline SVG: histograms, curves, shares with whiskers. Colours come from the page's style.

use super::text::{escape, number};
use crate::statistics::HistogramBar;
use std::fmt::Write;

/// Width of all plots, in units of the drawing: that of a phone. On wider screens several stand side by side.
const WIDTH: f64 = 360.0;
/// Space left of a plot, for the numbers of its scale.
const LEFT: f64 = 40.0;
/// Space right of a plot.
const RIGHT: f64 = 10.0;
/// Space above a plot.
const TOP: f64 = 14.0;
/// Space below a plot, for two lines of text.
const BOTTOM: f64 = 40.0;
/// Height of a plot with these spaces.
const HEIGHT: f64 = 198.0;

/// Writes to a string, which does not fail.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => { let _ = write!($out, $($arg)*); };
}

/// Returns an SVG element of this height with the drawing `inside`, which is not escaped; `label` is its text
/// alternative, which is.
fn svg(height: f64, label: &str, inside: &str) -> String {
    let label = escape(label);
    format!("<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{label}\">{inside}</svg>")
}

/// Returns about `about` (more than 0) multiples of a round step (1, 2 or 5 times a power of ten) from `low` to
/// `high`, ascending; only `low` if the range is empty or not finite.
pub(super) fn ticks(low: f64, high: f64, about: f64) -> Vec<f64> {
    let span = high - low;
    if !span.is_finite() || span <= 0.0 {
        return vec![low];
    }
    let rough = span / about;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough).unwrap_or(power);
    let first = (low / step).ceil() as i64;
    (first..).map(|i| i as f64 * step).take_while(|t| *t <= high + step * 1e-9).collect()
}

/// The vertical scale of a plot.
struct Frame {
    /// The value at the bottom.
    low: f64,
    /// The value at the top.
    high: f64,
}

impl Frame {
    /// Returns the vertical position of a value, in units of the drawing. Values outside the scale lie outside the
    /// plot.
    fn y(&self, value: f64) -> f64 {
        let share = (value - self.low) / (self.high - self.low).max(1e-12);
        HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
    }

    /// Appends about four grid lines of the scale, their numbers with the unit (not escaped), and the axis to `out`.
    fn draw(&self, out: &mut String, unit: &str) {
        for tick in ticks(self.low, self.high, 4.0) {
            let (y, right) = (self.y(tick), WIDTH - RIGHT);
            put!(out, "<path class=\"grid-line\" d=\"M{LEFT} {y:.1}H{right}\"/>");
            put!(
                out,
                "<text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{}{unit}</text>",
                LEFT - 6.0,
                y + 4.0,
                number(tick)
            );
        }
        put!(out, "<path class=\"axis\" d=\"M{LEFT} {:.1}H{:.0}\"/>", HEIGHT - BOTTOM, WIDTH - RIGHT);
    }
}

/// Appends a text, which is escaped, below the plot to `out`. `x` is the position of its `anchor` (`start`, `middle`,
/// `end`), `line` the line of text below the axis, from 1.
fn below(out: &mut String, x: f64, line: f64, anchor: &str, text: &str) {
    let y = HEIGHT - BOTTOM + 14.0 * line;
    put!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>", escape(text));
}

/// Draws bars of counts in percent of `total`; the bar that holds the median is highlighted. `label` names the
/// axis. Returns an empty text without bars.
pub(super) fn histogram(bars: &[HistogramBar], total: u64, median: u64, label: &str) -> String {
    let (Some(first), Some(last)) = (bars.first(), bars.last()) else { return String::new() };
    let share = |count: u64| 100.0 * count as f64 / total.max(1) as f64;
    let most = bars.iter().map(|bar| share(bar.count)).fold(0.0, f64::max);
    let (frame, mut out) = (Frame { low: 0.0, high: most.max(1e-9) * 1.05 }, String::new());
    frame.draw(&mut out, "%");
    let (low, high) = (first.first as f64, last.last as f64 + 1.0);
    let x = |value: f64| LEFT + (value - low) / (high - low).max(1e-9) * (WIDTH - LEFT - RIGHT);
    for &HistogramBar { first: from, last: to, count } in bars {
        let (left, right, y) = (x(from as f64), x(to as f64 + 1.0), frame.y(share(count)));
        let hot = if (from..=to).contains(&median) { " hot" } else { "" };
        let gap = ((right - left) * 0.12).min(2.0);
        let (width, height) = (right - left - gap, HEIGHT - BOTTOM - y);
        put!(
            out,
            "<rect class=\"bar{hot}\" x=\"{left:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
        );
    }
    let whole: Vec<f64> = ticks(low, high - 1.0, 5.0).into_iter().filter(|t| t.fract() == 0.0).collect();
    for tick in whole {
        below(&mut out, x(tick + 0.5), 1.2, "middle", &number(tick));
    }
    below(&mut out, (LEFT + WIDTH - RIGHT) / 2.0, 2.3, "middle", label);
    svg(HEIGHT, &format!("{label}: distribution, median {median}"), &out)
}

/// A curve of evenly spaced values.
pub(super) struct Curve<'a> {
    /// Its name in the legend; empty for none.
    pub(super) name: &'a str,
    /// Its style class: `a`, `b` or `c`.
    pub(super) colour: char,
    /// Its values, from the beginning to the end of a game.
    pub(super) values: Vec<f64>,
}

/// Draws curves over the course of a game, from its beginning to its end, with a legend of those that have a
/// name. `unit` follows each number of the scale and is not escaped. `low` and `high` are the ends of the
/// scale; without `low` it begins at the least value, or at 0 if that is less; without `high` it ends 5 %
/// above the greatest value, which should be positive. `label` is the text alternative.
pub(super) fn curves(
    curves: &[Curve<'_>],
    unit: &str,
    low: Option<f64>,
    high: Option<f64>,
    label: &str,
) -> String {
    let all = || curves.iter().flat_map(|c| c.values.iter().copied());
    let least = low.unwrap_or_else(|| all().fold(f64::INFINITY, f64::min).min(0.0));
    let most = high.unwrap_or_else(|| all().fold(f64::NEG_INFINITY, f64::max) * 1.05);
    let (frame, mut out) = (Frame { low: least, high: most.max(least + 1e-9) }, String::new());
    frame.draw(&mut out, unit);
    for curve in curves {
        let step = (WIDTH - LEFT - RIGHT) / (curve.values.len().max(2) - 1) as f64;
        let point = |(i, v): (usize, &f64)| format!("{:.1} {:.1}", LEFT + i as f64 * step, frame.y(*v));
        let path: Vec<String> = curve.values.iter().enumerate().map(point).collect();
        put!(out, "<path class=\"line {}\" d=\"M{}\"/>", curve.colour, path.join("L"));
    }
    for (at, text) in [(0.0, "start"), (0.5, "halfway"), (1.0, "end")] {
        let anchor = if at == 0.0 {
            "start"
        } else if at == 1.0 {
            "end"
        } else {
            "middle"
        };
        below(&mut out, LEFT + at * (WIDTH - LEFT - RIGHT), 1.2, anchor, text);
    }
    let mut x = LEFT;
    for curve in curves.iter().filter(|c| !c.name.is_empty()) {
        let y = HEIGHT - 5.0;
        put!(
            out,
            "<circle class=\"f{}\" cx=\"{:.0}\" cy=\"{:.0}\" r=\"4\"/>",
            curve.colour,
            x + 4.0,
            y - 4.0
        );
        put!(out, "<text x=\"{:.0}\" y=\"{y:.0}\">{}</text>", x + 13.0, escape(curve.name));
        x += 30.0 + 6.2 * curve.name.chars().count() as f64;
    }
    svg(HEIGHT, label, &out)
}

/// Draws points (x from 0 to 1, y from 0 up) as dots; the vertical scale ends 5 % above the highest one. Without
/// points the plot is empty. `axis` names the horizontal axis, `label` is the text alternative.
pub(super) fn scatter(points: &[(f64, f64)], axis: &str, label: &str) -> String {
    let most = points.iter().map(|point| point.1).fold(0.0, f64::max);
    let (frame, mut out) = (Frame { low: 0.0, high: (1.05 * most).max(0.1) }, String::new());
    frame.draw(&mut out, "");
    for &(x, y) in points {
        let (x, y) = (LEFT + x * (WIDTH - LEFT - RIGHT), frame.y(y));
        put!(out, "<circle class=\"fa\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>");
    }
    for x in [0.0, 0.5, 1.0] {
        below(&mut out, LEFT + x * (WIDTH - LEFT - RIGHT), 1.2, "middle", &number(x));
    }
    below(&mut out, (LEFT + WIDTH - RIGHT) / 2.0, 2.3, "middle", axis);
    svg(HEIGHT, label, &out)
}

/// A share with its interval, in percent.
pub(super) struct ShareRow {
    /// The label of its row.
    pub(super) name: String,
    /// The share.
    pub(super) value: f64,
    /// The lower end of the interval.
    pub(super) low: f64,
    /// The upper end of the interval.
    pub(super) high: f64,
    /// Its style class: `good`, `fault` or empty.
    pub(super) class: &'static str,
}

/// Draws shares in percent as rows with name, interval and number, and a dashed line at the fair share `fair`. The
/// scale covers all intervals and the fair share with a margin. `label` is the text alternative.
pub(super) fn whiskers(rows: &[ShareRow], fair: f64, label: &str) -> String {
    let least = rows.iter().map(|r| r.low).fold(fair, f64::min);
    let most = rows.iter().map(|r| r.high).fold(fair, f64::max);
    let margin = ((most - least) * 0.12).max(1.0);
    let (least, most) = ((least - margin).max(0.0), (most + margin).min(100.0));
    let (left, height) = (54.0, 30.0 * rows.len() as f64 + 34.0);
    let x = |v: f64| left + (v - least) / (most - least).max(1e-9) * (WIDTH - left - 54.0);
    let mut out = String::new();
    for tick in ticks(least, most, 5.0) {
        put!(out, "<path class=\"grid-line\" d=\"M{:.1} 6V{:.1}\"/>", x(tick), height - 24.0);
        put!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}%</text>",
            x(tick),
            height - 8.0,
            number(tick)
        );
    }
    put!(out, "<path class=\"fair\" d=\"M{:.1} 2V{:.1}\"/>", x(fair), height - 24.0);
    for (i, row) in rows.iter().enumerate() {
        let y = 22.0 + 30.0 * i as f64;
        put!(out, "<text class=\"strong\" x=\"0\" y=\"{:.1}\">{}</text>", y + 4.0, escape(&row.name));
        put!(out, "<path class=\"whisker {}\" d=\"M{:.1} {y}H{:.1}\"/>", row.class, x(row.low), x(row.high));
        put!(out, "<circle class=\"dot {}\" cx=\"{:.1}\" cy=\"{y}\" r=\"4.5\"/>", row.class, x(row.value));
        put!(
            out,
            "<text class=\"strong\" x=\"{WIDTH}\" y=\"{:.1}\" text-anchor=\"end\">{:.1}%</text>",
            y + 4.0,
            row.value
        );
    }
    svg(height, label, &out)
}

/// Draws parts of a whole, as (name, percent), as rows with bars, in their order. `label` is the text alternative.
pub(super) fn parts(rows: &[(String, f64)], label: &str) -> String {
    let height = 38.0 * rows.len() as f64 + 4.0;
    let mut out = String::new();
    for (i, (name, share)) in rows.iter().enumerate() {
        let y = 38.0 * i as f64;
        put!(out, "<text class=\"strong\" x=\"0\" y=\"{:.1}\">{}</text>", y + 13.0, escape(name));
        put!(
            out,
            "<text class=\"strong\" x=\"{WIDTH}\" y=\"{:.1}\" text-anchor=\"end\">{share:.1}%</text>",
            y + 13.0
        );
        put!(
            out,
            "<rect class=\"bar\" opacity=\".25\" x=\"0\" y=\"{:.1}\" width=\"{WIDTH}\" height=\"8\" rx=\"2\"/>",
            y + 19.0
        );
        let width = (share / 100.0 * WIDTH).max(0.0);
        put!(
            out,
            "<rect class=\"bar hot\" x=\"0\" y=\"{:.1}\" width=\"{width:.1}\" height=\"8\" rx=\"2\"/>",
            y + 19.0
        );
    }
    svg(height, label, &out)
}

/// Draws a share with its interval for a table cell, and a dashed line at the fair share; `range` (lowest,
/// highest) is that of the whole column. All in percent; hidden from screen readers, because the cell beside
/// it has the numbers.
pub(super) fn mini(row: &ShareRow, fair: f64, range: (f64, f64)) -> String {
    let x = |v: f64| ((v - range.0) / (range.1 - range.0).max(1e-9) * 120.0).clamp(0.0, 120.0);
    format!(
        "<svg viewBox=\"0 0 120 18\" style=\"width:120px\" aria-hidden=\"true\"><path class=\"fair\" d=\"M{f:.1} 0V18\"/>\
         <path class=\"whisker {c}\" d=\"M{l:.1} 9H{h:.1}\"/><circle class=\"dot {c}\" cx=\"{v:.1}\" cy=\"9\" r=\"3.5\"/></svg>",
        f = x(fair),
        l = x(row.low),
        h = x(row.high),
        v = x(row.value),
        c = row.class,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within() {
        assert_eq!(ticks(0.0, 100.0, 4.0), [0.0, 50.0, 100.0]);
        assert_eq!(ticks(0.0, 10.0, 5.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(ticks(3.0, 3.0, 5.0), [3.0]);
        let fine = ticks(23.1, 26.9, 5.0);
        assert!(fine.iter().all(|t| (23.1..=26.9).contains(t)) && fine.len() >= 3, "{fine:?}");
    }

    #[test]
    fn the_marked_bar_holds_the_median() {
        let mut rng = pentarchy_engine::Rng::new(3);
        for spread in [3, 40, 700, 9000] {
            let mut values: Vec<u64> = (0..301).map(|_| 5 + u64::from(rng.below(spread))).collect();
            let mut histogram = crate::statistics::Histogram::default();
            values.iter().for_each(|&value| histogram.add(value));
            values.sort_unstable();
            let bars = histogram.bars(24);
            let plot = super::histogram(&bars, 301, histogram.at(50), "rounds");
            let drawn: Vec<&str> = plot.split("<rect class=\"bar").skip(1).collect();
            let marked: Vec<usize> =
                drawn.iter().enumerate().filter(|(_, bar)| bar.starts_with(" hot")).map(|(i, _)| i).collect();
            assert_eq!(marked.len(), 1, "{spread}");
            let bar = &bars[marked[0]];
            assert!((bar.first..=bar.last).contains(&values[150]), "{spread}");
        }
    }

    #[test]
    fn plots_survive_few_and_odd_values() {
        assert_eq!(histogram(&[], 0, 0, "rounds"), "");
        for plot in [
            histogram(&[HistogramBar { first: 5, last: 5, count: 1 }], 1, 5, "rounds"),
            curves(&[Curve { name: "", colour: 'a', values: vec![0.0] }], "", None, None, "flat"),
            whiskers(&[], 50.0, "none"),
            parts(&[("a < b".to_string(), 100.0)], "ends"),
        ] {
            assert!(plot.starts_with("<svg") && plot.ends_with("</svg>") && !plot.contains("NaN"), "{plot}");
            assert!(!plot.contains("a < b") && !plot.contains("inf"), "{plot}");
        }
    }
}
