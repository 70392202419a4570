//! `cargo xtask icons`: extract the icons of the browser client from their npm package.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    fs,
    process::{Command, ExitCode},
};

use serde_json::Value;

use crate::{
    path_data,
    task_error::{Context, Result, TaskError},
    tools,
    web::CLIENT,
    workspace::Workspace,
};

/// The package of the icons of game-icons.net.
const PACKAGE: &str = "@iconify-json/game-icons";
/// The version that the list of icons was checked against.
const VERSION: &str = "1.2.4";

/// Write the icons named in crates/web/icons.txt to crates/web/assets/icons.svg; needs npm and the network.
#[derive(clap::Args)]
pub(crate) struct Args {}

/// Downloads the npm package of the icons and writes those that crates/web/icons.txt names as one sprite to
/// crates/web/assets/icons.svg. Prints the number of icons and the size. They are sorted by name, each once; empty
/// lines and those that begin with `#` are ignored.
///
/// # Errors
///
/// Fails if npm fails, an icon does not exist, or a file cannot be read or written.
pub(crate) fn run(workspace: &Workspace, _: &Args) -> Result<ExitCode> {
    let folder = workspace.root().join("target/icons");
    fs::create_dir_all(&folder).context("cannot make target/icons")?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--prefix"])
        .arg(&folder);
    tools::must(npm.arg(format!("{PACKAGE}@{VERSION}")))?;
    let text = fs::read_to_string(folder.join("node_modules").join(PACKAGE).join("icons.json"));
    let all: Value =
        serde_json::from_str(&text.context("cannot read the icons")?).context("cannot read the icons")?;

    let list = workspace.read(&format!("{CLIENT}/icons.txt"))?;
    let names: BTreeSet<&str> =
        list.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')).collect();
    let mut sprite = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><!-- Icons by the authors of game-icons.net, CC BY 3.0 -->\n",
    );
    for name in &names {
        let body = body(&all, name).ok_or_else(|| TaskError::new(format!("there is no icon `{name}`")))?;
        let body = rounded(body)?;
        writeln!(sprite, "<symbol id=\"{name}\" viewBox=\"0 0 512 512\">{body}</symbol>")
            .context("cannot write")?;
    }
    sprite.push_str("</svg>\n");
    let path = workspace.root().join(CLIENT).join("assets/icons.svg");
    fs::write(&path, &sprite).context("cannot write the icons")?;
    println!("{}: {} icons, {} KB", path.display(), names.len(), sprite.len() / 1024);
    Ok(ExitCode::SUCCESS)
}

/// Returns the SVG drawing (without the element `svg`) of the icon of this name in the collection `all` (the
/// `icons.json` of the package: `icons` by name with `body`, and `aliases` by name with `parent`), or of the icon that
/// the name is an alias of; `None` if there is neither.
fn body<'a>(all: &'a Value, name: &str) -> Option<&'a str> {
    let icons = all.get("icons")?;
    let icon =
        icons.get(name).or_else(|| icons.get(all.get("aliases")?.get(name)?.get("parent")?.as_str()?))?;
    icon.get("body")?.as_str()
}

/// Returns the drawing with rounded coordinates in its paths. They are drawn on 512 units: on a screen, where icons are
/// less than a hundred pixels wide, half a unit is a tenth of a pixel.
///
/// # Errors
///
/// Fails if a path has no closing quote or cannot be read.
fn rounded(body: &str) -> Result<String> {
    let mut parts = body.split(" d=\"");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (data, rest) =
            part.split_once('"').ok_or_else(|| TaskError::new(format!("a path has no end: {part}")))?;
        write!(out, " d=\"{}\"{rest}", path_data::round(data)?).context("cannot write")?;
    }
    Ok(out)
}
