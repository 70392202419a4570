//! A bar while something takes long: on a terminal only.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar for so many steps of this kind, shown on stderr if that is a terminal.
pub(crate) fn bar(steps: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr_with_hz(10));
    let template = format!("{{wide_bar}} {{percent:>3}} % of {{human_len}} {what}, {{eta}} left");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}
