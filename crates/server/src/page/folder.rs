//! Listing of a folder, for the build script and for `--page`.

use std::{fs, io, path::Path};

/// Returns the files under `root` as sorted relative paths with `/` as separator. Returns an empty list if
/// there is no `index.html`. Dot files, dot folders and names that are not Unicode are left out. A symbolic
/// link counts as a file, even if it leads to a folder.
///
/// # Errors
///
/// Fails if a folder cannot be read.
pub(crate) fn files(root: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    if root.join("index.html").is_file() {
        walk(root, "", &mut found)?;
        found.sort();
    }
    Ok(found)
}

/// Appends the paths of all files below `folder` to `found`, each after `prefix`, in the order of the system.
/// `prefix` is the path of `folder` with a final `/`, or empty. Skips dot files, dot folders and names that
/// are not Unicode. A symbolic link counts as a file.
///
/// # Errors
///
/// Fails if a folder cannot be read. `found` then has a part of the paths.
fn walk(folder: &Path, prefix: &str, found: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        // Browsers cannot request names that are not Unicode. Dot files are not part of the page.
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
