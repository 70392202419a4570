//! Plain text tables, and readable numbers.

use std::{fmt, time::Duration};

/// Rows of text under headings; columns of numbers are right-aligned.
pub(crate) struct Table {
    /// The headings of the columns, without marks.
    headings: Vec<String>,
    /// For each column, whether it is right-aligned.
    right: Vec<bool>,
    /// The cells by row, as many as there are columns.
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table without rows, with a column for each of these headings; a heading that starts with `>` is that
    /// of a right-aligned column.
    pub(crate) fn new(headings: &[&str]) -> Self {
        Self {
            headings: headings.iter().map(|h| h.trim_start_matches('>').to_owned()).collect(),
            right: headings.iter().map(|h| h.starts_with('>')).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row. Missing cells are empty, surplus cells are dropped.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        let mut row: Vec<String> = cells.into_iter().map(Into::into).collect();
        row.resize(self.headings.len(), String::new());
        self.rows.push(row);
    }
}

impl fmt::Display for Table {
    /// Writes headings, a rule and the rows, each on a line, in columns as wide as their widest cell.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |column: usize| {
            let cells = self.rows.iter().chain([&self.headings]).filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.headings.len()).map(width).collect();
        let rule: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
        for row in [&self.headings, &rule].into_iter().chain(&self.rows) {
            let mut line = String::new();
            for ((cell, width), right) in row.iter().zip(&widths).zip(&self.right) {
                if !line.is_empty() {
                    line.push_str("  ");
                }
                line.push_str(&if *right { format!("{cell:>width$}") } else { format!("{cell:<width$}") });
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// Formats a duration with one decimal below a minute: `0.4 s`, `12.3 s`; from a minute on in whole seconds, rounded
/// down: `3 min 05 s`. Just below a minute it may be `60.0 s`.
pub(crate) fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 60.0 {
        format!("{seconds:.1} s")
    } else {
        let seconds = time.as_secs();
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    }
}

/// Formats a number that is not negative, rounded to three digits, with a unit: `87`, `87.0 k`, `12.5 M`, `1.20 G`.
/// Below 1,000 it is a whole number; above 999 G it has more digits.
pub(crate) fn quantity(number: f64) -> String {
    let (value, unit) = match number {
        n if n >= 999.5e6 => (n / 1e9, " G"),
        n if n >= 999.5e3 => (n / 1e6, " M"),
        n if n >= 999.5 => (n / 1e3, " k"),
        n => return format!("{n:.0}"),
    };
    let digits = if value >= 99.95 {
        0
    } else if value >= 9.995 {
        1
    } else {
        2
    };
    format!("{value:.digits$}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(&["step", "result", ">time"]);
        table.row(["words", "ok", "0.1 s"]);
        table.row(["doc-tests", "failed", "1 min 02 s"]);
        table.row(["scenarios"]);
        let expected = "\
step       result        time
---------  ------  ----------
words      ok           0.1 s
doc-tests  failed  1 min 02 s
scenarios
";
        assert_eq!(table.to_string(), expected);
    }

    #[test]
    fn times_are_readable() {
        assert_eq!(duration(Duration::from_millis(123)), "0.1 s");
        assert_eq!(duration(Duration::from_millis(12_345)), "12.3 s");
        assert_eq!(duration(Duration::from_secs(185)), "3 min 05 s");
    }

    #[test]
    fn quantities_have_three_digits() {
        let written =
            [12.0, 999.4, 87_000.0, 999_600.0, 2_512_345.0, 12_512_345.0, 125e6, 1.2e9].map(quantity);
        assert_eq!(written, ["12", "999", "87.0 k", "1.00 M", "2.51 M", "12.5 M", "125 M", "1.20 G"]);
    }
}
