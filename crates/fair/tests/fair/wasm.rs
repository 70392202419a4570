//! The browser's build gives the same bytes as the native one: known answers and a scripted game with every
//! message.

#[path = "../../wasm/src/scenario.rs"]
mod scenario;

use pentarchy_testkit::wasm::WasmError;

#[test]
fn native_and_wasm_agree() {
    let native: String = scenario::play().iter().map(|byte| format!("{byte:02x}")).collect();
    let package = concat!(env!("CARGO_MANIFEST_DIR"), "/wasm");
    // That of the page, which has compiled most of it already.
    let target = concat!(env!("CARGO_TARGET_TMPDIR"), "/../web");
    let wasm = match pentarchy_testkit::wasm::run(package, "pentarchy_fair_wasm", target, &[], &["check"]) {
        Err(WasmError::Missing(what)) => {
            eprintln!("SKIPPED: wasm was NOT checked, for lack of {what}");
            return;
        }
        answer => answer.unwrap(),
    };
    assert_eq!(wasm.trim(), native);
}
