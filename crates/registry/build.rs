//! Writes the list of games from the dependencies of this package on `../games/*`, in their order.
//!
//! `games.rs` in the output folder has the crates of the games and the macro `with_games!`. Crates that
//! depend on this one get the list in the variable `DEP_PENTARCHY_GAMES_LIST`: `name=crate::Type`, separated
//! by commas. Games whose feature is off are left out of all of them.

use std::{env, error::Error, fs, path::Path};

/// The result of a function of this script; every error stops the build.
type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A game of the list.
struct Listed {
    /// Its name as an identifier: `tic_tac_toe`.
    name: String,
    /// The dependency that it is part of: `classics`.
    krate: String,
    /// Its type: `TicTacToe`.
    kind: String,
}

/// Writes `games.rs` and the variable for dependent build scripts. Reads the dependencies that stand in one
/// line of `Cargo.toml` as `name = { path = "../games/…", … }`.
///
/// # Errors
///
/// Fails if a manifest cannot be read or the file cannot be written.
fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=Cargo.toml");
    let mut listed = Vec::new();
    for line in fs::read_to_string("Cargo.toml")?.lines() {
        let Some((krate, rest)) = line.split_once(" = {") else { continue };
        let Some(folder) = quoted_after(rest, "path = ").filter(|path| path.starts_with("../games/")) else {
            continue;
        };
        let feature = format!("CARGO_FEATURE_{}", krate.to_uppercase().replace('-', "_"));
        if rest.contains("optional = true") && env::var_os(feature).is_none() {
            continue;
        }
        let krate = krate.replace('-', "_");
        for kind in types(&Path::new(folder).join("Cargo.toml"), &krate)? {
            listed.push(Listed { name: snake_case(&kind), krate: krate.clone(), kind });
        }
    }
    let list: Vec<String> =
        listed.iter().map(|Listed { name, krate, kind }| format!("{name}={krate}::{kind}")).collect();
    println!("cargo::metadata=LIST={}", list.join(","));
    fs::write(Path::new(&env::var("OUT_DIR")?).join("games.rs"), source(&listed))?;
    Ok(())
}

/// Returns the types of the games in a crate: the entries of `games = [...]` in the section
/// `[package.metadata.pentarchy]` of its manifest, or one that has the crate's name. Makes cargo run this
/// script again when the manifest changes.
///
/// # Errors
///
/// Fails if the manifest cannot be read.
fn types(manifest: &Path, krate: &str) -> Result<Vec<String>> {
    println!("cargo::rerun-if-changed={}", manifest.display());
    let text = fs::read_to_string(manifest).map_err(|e| format!("{}: {e}", manifest.display()))?;
    let section = text.split_once("[package.metadata.pentarchy]").map_or("", |(_, rest)| rest);
    let section = section.split("\n[").next().unwrap_or_default();
    let games = section.split_once("games = [").and_then(|(_, rest)| rest.split_once(']'));
    Ok(match games {
        Some((names, _)) => names.split('"').skip(1).step_by(2).map(str::to_owned).collect(),
        None => vec![camel_case(krate)],
    })
}

/// Returns the text in quotation marks directly after the first `key` in the line; `None` if the line has no
/// `key`, or no quotation mark follows it. If the closing mark is missing, the text ends with the line.
fn quoted_after<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    line.split_once(key)?.1.strip_prefix('"')?.split('"').next()
}

/// Returns `tic_tac_toe` as `TicTacToe`: the words between underscores, each with a capital first letter,
/// joined. The words must begin with an ASCII character, else it panics.
fn camel_case(name: &str) -> String {
    let word = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('_').filter(|part| !part.is_empty()).map(word).collect()
}

/// Returns `TicTacToe` as `tic_tac_toe`: in lower case, with an underscore before each capital letter but the
/// first character.
fn snake_case(kind: &str) -> String {
    let mut name = String::new();
    for c in kind.chars() {
        if c.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(c.to_lowercase());
    }
    name
}

/// Returns the Rust text of `games.rs`: the module `crates`, which re-exports the crate of each game once,
/// and the macro `with_games!`, which lists the games in the order of `listed`. Games of one crate must be
/// neighbours.
fn source(listed: &[Listed]) -> String {
    let mut crates: Vec<&str> = listed.iter().map(|game| game.krate.as_str()).collect();
    crates.dedup();
    let uses: String = crates.iter().map(|krate| format!("    pub use ::{krate};\n")).collect();
    let entries: String = listed
        .iter()
        .map(|Listed { name, krate, kind }| format!("            {name}: $crate::crates::{krate}::{kind},\n"))
        .collect();
    format!(
        "/// The crates of the games in this build.
pub mod crates {{
{uses}}}

/// Calls the macro `then` with `name: Type,` for each game of this build, in the order in which they are
/// shown. What follows `then` comes first, with a semicolon: `with_games!(test_all, check)` calls `test_all!
/// {{ check; … }}`.
#[macro_export]
macro_rules! with_games {{
    ($then:ident $(, $($first:tt)+)?) => {{
        $then! {{
            $($($first)+;)?
{entries}        }}
    }};
}}
"
    )
}
