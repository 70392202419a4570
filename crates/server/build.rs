//! Embeds the built page in the program.
//!
//! `cargo xtask web` leaves the page in `target/web/dist`; `PENTARCHY_WEB_DIST` names another folder. Without a page,
//! the list is empty and the server shows a placeholder that says how to build it.

use std::{env, fmt::Write as _, fs, io, path::Path, path::PathBuf};

#[path = "src/page/folder.rs"]
mod folder;

/// Writes the list of the page's files, with their contents as `include_bytes!`, to `page.rs` in the build
/// directory. The list is empty if there is no page. Creates the usual folder of the page if it does not
/// exist.
///
/// # Errors
///
/// Fails if the folder of the page cannot be read or the list cannot be written.
fn main() -> io::Result<()> {
    println!("cargo::rerun-if-env-changed=PENTARCHY_WEB_DIST");
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let dist = match env::var_os("PENTARCHY_WEB_DIST") {
        Some(named) => PathBuf::from(named),
        None => {
            let usual = here.join("../../target/web/dist");
            // Cargo treats a missing path as changed at every build, so the folder is created. If that fails, the only cost
            // is a rebuild.
            fs::create_dir_all(&usual).ok();
            usual
        }
    };
    println!("cargo::rerun-if-changed={}", dist.display());
    let mut list = String::from("&[\n");
    for file in folder::files(&dist)? {
        let path = fs::canonicalize(dist.join(&file))?;
        writeln!(list, "    ({file:?}, include_bytes!({path:?})),").map_err(io::Error::other)?;
    }
    list.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    write_if_changed(&out.join("page.rs"), &list)
}

/// Writes a file unless it already has this content, so that its modification time changes only with the
/// content.
///
/// # Errors
///
/// Fails if the file cannot be written.
fn write_if_changed(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) { Ok(()) } else { fs::write(path, text) }
}
