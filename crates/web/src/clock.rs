//! The browser's clock, in the page and in a worker alike.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn performance_now() -> f64;
}

/// Milliseconds since some moment.
pub fn now() -> f64 {
    performance_now()
}

/// A number that differs each time: the seed of a new game.
pub fn seed() -> u64 {
    (js_sys::Math::random() * 9_007_199_254_740_992.0) as u64
}

/// A name that no other game in this browser has.
pub fn name() -> String {
    format!("{:x}", seed())
}
