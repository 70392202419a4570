//! The files of a folder, for the build script and for `--page`.

use std::{fs, io, path::Path};

/// The files under `root`, as paths relative to it with `/` between the parts, sorted. Only a page counts: a folder
/// without an `index.html` has none.
pub(crate) fn files(root: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    if root.join("index.html").is_file() {
        walk(root, "", &mut found)?;
        found.sort();
    }
    Ok(found)
}

fn walk(folder: &Path, prefix: &str, found: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        // A name that is no Unicode cannot be asked for by a browser, and a dot file is not meant to be.
        let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
        let path = format!("{prefix}{name}");
        if entry.file_type()?.is_dir() {
            walk(&entry.path(), &format!("{path}/"), found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}
