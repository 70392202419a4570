//! Text helpers of the report.

use maud::html;

/// Returns the text with a no-break space in place of the space before a percent sign.
pub(super) fn join_percent(text: &str) -> String {
    text.replace(" %", "\u{a0}%")
}

/// Escapes a text for SVG that is built as a string, as content or in a double-quoted attribute (`'` is not
/// escaped), and makes a space before a percent sign a no-break space.
pub(super) fn escape(text: &str) -> String {
    html! { (join_percent(text)) }.into_string()
}

/// Formats a number for an axis or a table: `12k` from 10,000 on, whole numbers without a point; else
/// without digits after the point from 100 on, with one from 1 on, and with two below. Signs are hyphens.
pub(super) fn number(value: f64) -> String {
    match value.abs() {
        v if v >= 10_000.0 => format!("{:.0}k", value / 1000.0),
        _ if (value - value.round()).abs() < 1e-9 => format!("{value:.0}"),
        v if v >= 100.0 => format!("{value:.0}"),
        v if v >= 1.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// Formats a number with its sign, `+` or a minus sign (U+2212); 0 has none. The digits are those of [`number`]:
/// `+12k`, `+123`, `+1.5`, `−0.25`.
pub(crate) fn signed(value: f64) -> String {
    let text = number(value);
    if value > 0.0 { format!("+{text}") } else { text.replace('-', "−") }
}

/// Formats a count with commas as thousands separators: `12,345`.
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Joins names: `a, b and c`. Empty for no names.
pub(crate) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_readable() {
        let all = [0, 999, 1000, 1_234_567].map(thousands);
        assert_eq!(all, ["0", "999", "1,000", "1,234,567"]);
    }
}
