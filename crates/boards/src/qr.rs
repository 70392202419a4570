//! QR codes of links and identities.

use crate::markup::{El, el, path};
use qrcodegen::{QrCode, QrCodeEcc};
use std::fmt::Write as _;

/// Draws a text as a QR code of medium error correction, black on white with a border, as an SVG image. `label` is
/// its text for screen readers. Returns `None` if the text is too long for a QR code.
pub fn qr(text: &str, label: &'static str) -> Option<El> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
    // Scanners expect an empty border of four modules.
    let (size, quiet) = (code.size(), 4);
    let mut dark = String::new();
    for y in 0..size {
        let mut x = 0;
        while x < size {
            let run = (x..size).take_while(|&x| code.get_module(x, y)).count() as i32;
            if run > 0 {
                let _ = write!(dark, "M{} {}h{run}v1h-{run}z", x + quiet, y + quiet);
            }
            x += run + 1;
        }
    }
    let whole = size + 2 * quiet;
    Some(
        el("svg")
            .class("qr")
            .set("viewBox", format!("0 0 {whole} {whole}"))
            .set("role", "img")
            .set("aria-label", label)
            .set("shape-rendering", "crispEdges")
            .kid(path("", format!("M0 0h{whole}v{whole}h-{whole}z")).set("fill", "#fff"))
            .kid(path("", dark).set("fill", "#111")),
    )
}
