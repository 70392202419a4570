//! Tools that check and measure games; no program that people play with links them.

pub mod advised;
pub mod any;
pub mod arrange;
pub mod bench;
pub mod conformance;
pub mod exact;
pub mod golden;
pub mod predictions;
pub mod scenario;
pub mod wasm;
