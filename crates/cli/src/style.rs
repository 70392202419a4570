//! Colours and text layout that all commands share.

pub(crate) use pentarchy_arena::thousands;

use anstyle::{AnsiColor, Style};
use pentarchy_engine::Seat;

/// Headings and titles.
pub(crate) const TITLE: Style = Style::new().bold();
/// Secondary text.
pub(crate) const DIM: Style = Style::new().dimmed();
/// Text that the user can type.
pub(crate) const KEY: Style = AnsiColor::Cyan.on_default().bold();
/// Errors.
pub(crate) const BAD: Style = AnsiColor::Red.on_default();

/// The colours of the seats, by seat.
const SEATS: [AnsiColor; 7] = [
    AnsiColor::Yellow,
    AnsiColor::Blue,
    AnsiColor::Green,
    AnsiColor::Magenta,
    AnsiColor::Cyan,
    AnsiColor::Red,
    AnsiColor::White,
];

/// Returns the style of the name of a seat: bold in the colour of the seat. Colours repeat after seven seats.
pub(crate) fn seat(seat: Seat) -> Style {
    SEATS[seat.index() % SEATS.len()].on_default().bold()
}

/// Returns a text with the codes of a style around it. Print it with `anstream`, which strips them where
/// there are no colours.
pub(crate) fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Returns the width of the terminal in columns, clamped to 40 to 120; 80 if standard output, error and input are no
/// terminal.
pub(crate) fn width() -> usize {
    terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0)).clamp(40, 120)
}

/// Wraps text to lines of at most `width` columns (characters), each with this indent, which counts, and a line break.
/// Line breaks of the text are kept, an empty line as the indent alone; other spaces are reduced to one. A word that is
/// too long stays whole. Empty for an empty text.
pub(crate) fn wrap(text: &str, indent: &str, width: usize) -> String {
    let mut out = String::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let length = indent.chars().count() + line.chars().count() + 1 + word.chars().count();
            if !line.is_empty() && length > width {
                out += &format!("{indent}{line}\n");
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line += word;
        }
        out += &format!("{indent}{line}\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_wrapped_at_words() {
        assert_eq!(wrap("one two three", "  ", 10), "  one two\n  three\n");
        assert_eq!(wrap("a\n\nb", "", 10), "a\n\nb\n");
    }
}
