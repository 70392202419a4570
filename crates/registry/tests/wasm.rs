//! The browser's build, where pointers have 32 bits, plays the same games as the native one: equal digests.
#![allow(clippy::unwrap_used, unreachable_pub)]

#[path = "../wasm/src/play.rs"]
mod play;

use std::path::Path;
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";

/// What this machine lacks to build and run wasm.
fn missing() -> Option<&'static str> {
    let succeeds = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    if !succeeds(Command::new("node").arg("--version")) {
        return Some("node");
    }
    let libraries = Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    let installed = libraries.is_ok_and(|output| {
        output.status.success() && Path::new(String::from_utf8_lossy(&output.stdout).trim()).exists()
    });
    if installed { None } else { Some("the target wasm32-unknown-unknown (rustup target add)") }
}

#[test]
fn native_and_wasm_play_the_same_games() {
    let native = play::all().unwrap();
    assert!(native.lines().count() > 300, "all games were played");
    if let Some(missing) = missing() {
        eprintln!("SKIPPED: wasm was NOT checked, for lack of {missing}");
        return;
    }
    let package = concat!(env!("CARGO_MANIFEST_DIR"), "/wasm");
    let target_dir = concat!(env!("CARGO_TARGET_TMPDIR"), "/wasm");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--target", TARGET, "--manifest-path"])
        .arg(format!("{package}/Cargo.toml"))
        .args(["--target-dir", target_dir])
        // Settings meant for the tests must not reach the other build.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("CARGO_PROFILE_DEV_OPT_LEVEL")
        .status();
    assert!(built.unwrap().success(), "the wasm build failed");
    let wasm = format!("{target_dir}/{TARGET}/debug/pentarchy_registry_wasm.wasm");
    let output = Command::new("node").arg(format!("{package}/run.mjs")).arg(wasm).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let wasm = String::from_utf8_lossy(&output.stdout);
    for (n, (native, wasm)) in native.lines().zip(wasm.lines()).enumerate() {
        assert_eq!(native, wasm, "digest {n} differs");
    }
    assert_eq!(native, wasm);
}
