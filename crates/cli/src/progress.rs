//! Progress bars.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Creates a progress bar for a number of steps, called `what` in the plural, at step 0. It is shown on stderr if that
/// is a terminal, at most ten times a second; the caller counts the steps with it, and finishes or clears it.
pub(crate) fn bar(steps: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr_with_hz(10));
    let template = format!("{{wide_bar}} {{percent:>3}} % of {{human_len}} {what}, {{eta}} left");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}
