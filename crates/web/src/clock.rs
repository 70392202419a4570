//! The browser's clock, usable in the page and in a worker.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Returns the milliseconds since the page or worker started. Never goes backwards.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn performance_now() -> f64;
}

/// Returns the milliseconds since an arbitrary start. Never goes backwards.
pub fn now() -> f64 {
    performance_now()
}

/// Returns a random number below 2⁵³, as the seed of a new match. Not cryptographic.
pub fn seed() -> u64 {
    (js_sys::Math::random() * 9_007_199_254_740_992.0) as u64
}

/// Returns a new random id for a match, as up to 14 hexadecimal digits. It is practically unique in this
/// browser; this is not checked.
pub fn new_match_id() -> String {
    format!("{:x}", seed())
}
