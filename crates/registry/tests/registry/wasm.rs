//! The browser's build, where pointers have 32 bits, plays the same games as the native one: equal digests.

#[path = "../../wasm/src/play.rs"]
mod play;

use pentarchy_testkit::wasm::WasmError;

#[test]
fn native_and_wasm_play_the_same_games() {
    let native = play::all().unwrap();
    let all = cfg!(feature = "all-games");
    assert!(native.lines().count() > if all { 300 } else { 0 }, "all games were played");
    let package = concat!(env!("CARGO_MANIFEST_DIR"), "/wasm");
    // That of the page, which has compiled most of it already.
    let target = concat!(env!("CARGO_TARGET_TMPDIR"), "/../web");
    let options: &[&str] = if all { &[] } else { &["--no-default-features"] };
    let wasm = match pentarchy_testkit::wasm::run(package, "pentarchy_registry_wasm", target, options, &[]) {
        Err(WasmError::Missing(what)) => {
            eprintln!("SKIPPED: wasm was NOT checked, for lack of {what}");
            return;
        }
        answer => answer.unwrap(),
    };
    for (n, (native, wasm)) in native.lines().zip(wasm.lines()).enumerate() {
        assert_eq!(native, wasm, "digest {n} differs");
    }
    assert_eq!(native, wasm);
}
