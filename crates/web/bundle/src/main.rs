//! Makes the folder that is served out of the compiled module:
//! `pentarchy-web-bundle MODULE.wasm CLIENT RULES DIST [quick]`.
//!
//! All files but the page, the service worker and the manifest lie in a folder named after their content, so that a
//! browser may keep them for ever; beside each lie its compressed forms. The service worker lists them.

use std::{
    env,
    error::Error,
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use wasm_bindgen_cli_support::Bindgen;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The style sheets that come first, in this order; the others follow by name. `base.css` stands for that of every game.
const STYLES: [&str; 8] =
    ["tokens.css", "ui.css", BASE, "pages.css", "battle.css", "end.css", "app.css", "shell.css"];

/// The folders of the games' boards with their style sheets, from the folder of the client.
const GAMES: &str = "../boards/src/games";

/// The folders of the games' crates, from the folder of the client.
const CRATES: &str = "../games";

/// The style sheet of a game that comes before the shared ones of the table, if it has one.
const BASE: &str = "base.css";

/// The style sheet of a game that comes after the shared ones of the table, if it has one.
const STYLE: &str = "style.css";

/// The style sheets of pages that scroll: what they do on a narrow screen depends on its width alone.
const PAGES: [&str; 7] =
    ["pages.css", "home.css", "end.css", "app.css", "online.css", "club.css", "tournament.css"];

/// How the sheets of the table ask for a narrow screen, and what that means: a low screen, such as a phone in
/// landscape, has the same layout. `page::is_compact` asks the same.
const NARROW: [&str; 2] = ["@media (max-width:47.5em){", "@media (max-width:47.5em),(max-height:34em){"];

/// Builds the served folder from the arguments: bindings, assets, rules and styles, each file with its compressed
/// forms. Deletes the folder first, and prints the sizes. With a fifth argument, whatever it is, the compression is
/// faster and the files larger.
///
/// # Errors
///
/// Fails if an argument is missing, or a file cannot be read, processed or written. The folder may be incomplete
/// then.
fn main() -> Result<()> {
    let mut args = env::args_os().skip(1).map(PathBuf::from);
    let mut arg = |what: &str| args.next().ok_or_else(|| format!("the {what} is missing"));
    let (module, assets) = (arg("module")?, arg("folder of the client")?);
    let (rules, dist) = (arg("folder of the rules")?, arg("folder to write")?);
    // Without the best compression, which takes many seconds.
    let quality = if args.next().is_some() { 4 } else { 11 };

    let made = dist.join("made");
    if dist.exists() {
        fs::remove_dir_all(&dist)?;
    }
    fs::create_dir_all(&made)?;
    Bindgen::new()
        .input_path(&module)
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .out_name("app")
        .generate(&made)?;

    fs::write(made.join("app.css"), styles(&assets.join("style"), &assets.join(GAMES))?)?;
    for (name, file) in rules_pages(&rules, &assets.join(CRATES))? {
        fs::write(made.join(format!("rules-{name}.html")), html(&fs::read_to_string(&file)?))?;
    }
    for script in ["worker.js", "offline.js"] {
        fs::copy(assets.join("js").join(script), made.join(script))?;
    }
    for file in fs::read_dir(assets.join("assets"))? {
        let file = file?.path();
        if let Some(name) = file.file_name() {
            fs::copy(&file, made.join(name))?;
        }
    }

    let mut files = Vec::new();
    list(&made, &mut files)?;
    files.sort();
    let mut hash = blake3::Hasher::new();
    for file in &files {
        hash.update(&fs::read(file)?);
    }
    let name = hash.finalize().to_hex()[..12].to_owned();
    let folder = dist.join(&name);
    let paths = files.iter().map(|file| served_path(file, &made, &name)).collect::<Result<Vec<_>>>()?;
    fs::rename(&made, &folder)?;
    // These have no hash in their paths: browsers ask for them again, so they say which build is the current one.
    for template in ["index.html", "app.webmanifest", "js/service-worker.js"] {
        let text = fs::read_to_string(assets.join(template))?;
        let text =
            text.replace("{made}", &name).replace("{files}", &format!("[\"{}\"]", paths.join("\", \"")));
        fs::write(dist.join(template.rsplit('/').next().unwrap_or(template)), text)?;
    }

    let mut files = Vec::new();
    list(&dist, &mut files)?;
    let (mut raw, mut small) = (0, 0);
    for file in &files {
        let content = fs::read(file)?;
        let brotli = brotli(&content, quality)?;
        raw += content.len();
        small += brotli.len();
        fs::write(beside(file, "br"), brotli)?;
        fs::write(beside(file, "gz"), gzip(&content)?)?;
    }
    println!("{}: {} files, {} KB, {} KB compressed", dist.display(), files.len(), raw / 1024, small / 1024);
    Ok(())
}

/// Returns the names of games with the paths of their rules, in the order of the system: `NAME.md` in the folder
/// `rules`, then `NAME/rules.md` in the folder `crates`. A game that has both occurs twice.
///
/// # Errors
///
/// Fails if a folder cannot be read.
fn rules_pages(rules: &Path, crates: &Path) -> Result<Vec<(String, PathBuf)>> {
    let mut pages = Vec::new();
    for file in fs::read_dir(rules)? {
        let file = file?.path();
        if let Some(name) = file.file_stem().filter(|_| file.extension().is_some_and(|e| e == "md")) {
            pages.push((name.to_string_lossy().into_owned(), file.clone()));
        }
    }
    for folder in fs::read_dir(crates)? {
        let folder = folder?;
        let page = folder.path().join("rules.md");
        if page.exists() {
            pages.push((folder.file_name().to_string_lossy().into_owned(), page));
        }
    }
    Ok(pages)
}

/// Returns the path at which the server serves a file of the folder `made`, when that is named `name`.
///
/// # Errors
///
/// Fails if the file is not in the folder, or its path is not plain text.
fn served_path(file: &Path, made: &Path, name: &str) -> Result<String> {
    let path = file.strip_prefix(made)?.to_str().filter(|path| !path.contains(['"', '\\']));
    Ok(format!("/{name}/{}", path.ok_or_else(|| format!("{} has an unusual name", file.display()))?))
}

/// Appends the paths of all files below a folder to `out`, in the order of the system.
///
/// # Errors
///
/// Fails if a folder cannot be read.
fn list(folder: &Path, out: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, out)?;
        } else {
            out.push(path);
        }
    }
    Ok(())
}

/// Returns the path of a file with a dot and `ending` appended, for its compressed form.
fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

/// Compresses bytes with brotli; `quality` is 0 (fast) to 11 (small).
///
/// # Errors
///
/// Fails if the compressor does.
fn brotli(content: &[u8], quality: u32) -> Result<Vec<u8>> {
    let mut writer = brotli::CompressorWriter::new(Vec::new(), 1 << 16, quality, 22);
    writer.write_all(content)?;
    Ok(writer.into_inner())
}

/// Compresses bytes with gzip at level 6.
///
/// # Errors
///
/// Fails if the compressor does.
fn gzip(content: &[u8]) -> Result<Vec<u8>> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    writer.write_all(content)?;
    Ok(writer.finish()?)
}

/// Returns the style sheets of the client (all files of `folder`) and of the games (folders in `games`) as one,
/// without comments: those of [`STYLES`] first, then the others by name. The style sheet of a game counts as
/// `GAME.css`. Outside of pages that scroll, narrow layouts also apply to low screens.
///
/// # Errors
///
/// Fails if a folder or a style sheet cannot be read, or one of [`STYLES`] other than `base.css` is missing.
fn styles(folder: &Path, games: &Path) -> Result<String> {
    let mut base = Vec::new();
    let mut sheets = Vec::new();
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        sheets.push((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), path));
    }
    for game in fs::read_dir(games)? {
        let game = game?.path();
        let name = game.file_name().unwrap_or_default().to_string_lossy().into_owned();
        base.extend(Some(game.join(BASE)).filter(|path| path.is_file()));
        let own = Some(game.join(STYLE)).filter(|path| path.is_file());
        sheets.extend(own.map(|path| (format!("{name}.css"), path)));
    }
    base.sort();
    sheets.sort();
    let mut order: Vec<PathBuf> = Vec::new();
    for name in STYLES {
        match name {
            BASE => order.append(&mut base),
            name => order.push(folder.join(name)),
        }
    }
    let others = sheets.into_iter().filter(|(name, _)| !STYLES.contains(&name.as_str()));
    order.extend(others.map(|(_, path)| path));
    let texts = order.iter().map(|path| {
        let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let is_page = PAGES.iter().any(|page| path.ends_with(page));
        Ok(if is_page { text } else { text.replace(NARROW[0], NARROW[1]) })
    });
    Ok(squeeze(&texts.collect::<Result<Vec<_>>>()?.join("\n")))
}

/// Converts a page of rules from Markdown to the HTML of the drawer: headings get anchors (`rule-` and their
/// text in lower case with `-` for other characters), links into the repository become text, and others open
/// a new tab.
fn html(markdown: &str) -> String {
    use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};
    let mut events: Vec<Event<'_>> = Parser::new_ext(markdown, Options::ENABLE_TABLES).collect();
    // Links into the repository lead nowhere from the drawer: their words stay.
    let mut kept = Vec::new();
    events.retain(|event| match event {
        Event::Start(Tag::Link { dest_url, .. }) => {
            kept.push(dest_url.starts_with("http"));
            kept.last().copied().unwrap_or(false)
        }
        Event::End(TagEnd::Link) => kept.pop().unwrap_or(false),
        _ => true,
    });
    let mut open = None;
    for i in 0..events.len() {
        match &events[i] {
            Event::Start(Tag::Heading { .. }) => open = Some((i, String::new())),
            Event::Text(text) | Event::Code(text) => {
                if let Some((_, words)) = &mut open {
                    words.push_str(text);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                if let Some((start, words)) = open.take()
                    && let Event::Start(Tag::Heading { id, .. }) = &mut events[start]
                {
                    let plain = |c: char| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
                    *id =
                        Some(CowStr::from(format!("rule-{}", words.chars().map(plain).collect::<String>())));
                }
            }
            _ => {}
        }
    }
    let mut out = String::new();
    pulldown_cmark::html::push_html(&mut out, events.into_iter());
    out.replace("<a href=\"http", "<a target=\"_blank\" rel=\"noopener\" href=\"http")
}

/// Removes comments, line breaks, and the white space at both ends of each line from a style sheet. A comment without
/// an end removes the rest. Texts in quotes are not recognized.
fn squeeze(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some(at) = rest.find("/*") {
        out.push_str(&rest[..at]);
        rest = rest[at..].find("*/").map_or("", |end| &rest[at + end + 2..]);
    }
    out.push_str(rest);
    out.lines().map(str::trim).collect::<Vec<_>>().join("")
}
