//! Structured logs on standard error: a line of `key=value` for each event.
//!
//! ```text
//! 2026-01-31T12:00:00Z INFO joined table=mzxw6… member=17
//! ```

use std::fmt::{self, Write as _};
use std::io::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};
use tracing::field::{Field, Visit};
use tracing::span;
use tracing::{Event, Metadata, Subscriber};

pub use tracing::Level;

/// Writes the logs of this process from now on; `level` and what is more urgent. Only the first call counts.
pub fn to_stderr(level: Level) {
    tracing::subscriber::set_global_default(Lines { level }).ok();
}

struct Lines {
    level: Level,
}

impl Subscriber for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && *metadata.level() <= self.level && metadata.target().starts_with("pentarchy")
    }

    fn event(&self, event: &Event<'_>) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let mut line = format!("{} {}", utc(now), event.metadata().level());
        event.record(&mut Words(&mut line));
        line.push('\n');
        // Nobody to tell that the log is closed.
        std::io::stderr().lock().write_all(line.as_bytes()).ok();
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }
    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}

struct Words<'a>(&'a mut String);

impl Visit for Words<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let text = format!("{value:?}");
        // One event is one line, whatever somebody put into a field.
        let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let _ = match field.name() {
            "message" => write!(self.0, " {text}"),
            name => write!(self.0, " {name}={text}"),
        };
    }
}

/// Seconds since 1970 as a date and a time, by the calendar in 400-year cycles.
fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let shifted = days + 719_468; // days since 1 March of the year 0
    let (cycle, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = cycle * 400 + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{date:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_right() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(utc(4_107_542_400), "2100-03-01T00:00:00Z");
        assert_eq!(utc(1_767_225_599), "2025-12-31T23:59:59Z");
    }
}
