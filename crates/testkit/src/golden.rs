//! Golden playthroughs: readable logs of single games, stored in the repository and compared by tests.
//!
//! A test with `golden` in its name calls [`check`]; `cargo xtask golden` rewrites the files.

use pentarchy_engine::describe::Describe;
use pentarchy_engine::notation::event_text;
use pentarchy_engine::options;
use pentarchy_engine::{AppliedEvent, Digest, LoggedEventOf, Node, Position, Rng};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Games with more events are written in part: their beginning and their end. The hash covers all events.
const MOST_EVENTS: usize = 160;
/// Number of events written from the beginning of a long game.
const BEGINNING: usize = 110;
/// Number of events written from the end of a long game.
const END: usize = 50;
/// Number of decisions between two drawings of the table.
const TABLE_EVERY: u32 = 12;
/// Number of events between two digests.
const DIGEST_EVERY: usize = 10;

/// Plays a random game with default options from `seed` and compares its log with the file. Writes the file
/// instead if `UPDATE_GOLDEN` is set, not empty and not `0`. A relative path starts at the root of the
/// workspace: `playthroughs/kuhn-2.txt`.
///
/// # Panics
///
/// Panics with the first line that differs, if the file cannot be read or written, or if the game cannot be
/// played.
#[track_caller]
pub fn check<G: Describe>(path: &str, seats: u8, seed: u64) {
    check_with::<G>(path, seats, &G::Options::default(), seed);
}

/// Plays a random game with these options from `seed` and compares its log with the file. Writes the file
/// instead if `UPDATE_GOLDEN` is set, not empty and not `0`. A relative path starts at the root of the
/// workspace.
///
/// # Panics
///
/// Panics with the first line that differs, if the file cannot be read or written, or if the game cannot be
/// played.
#[track_caller]
pub fn check_with<G: Describe>(path: &str, seats: u8, options: &G::Options, seed: u64) {
    #[expect(clippy::panic, reason = "this is the body of a test")]
    if let Err(trouble) = compare::<G>(Path::new(path), seats, options, seed) {
        panic!("{trouble}");
    }
}

/// Plays the random game of `seed` and compares its log with the file, or writes the file if
/// `UPDATE_GOLDEN` is set, not empty and not `0`. A relative path starts at the root of the
/// workspace. Line endings do not count.
///
/// # Errors
///
/// Fails with the first line that differs, if the file cannot be read or written, or if the game
/// cannot be played.
fn compare<G: Describe>(path: &Path, seats: u8, options: &G::Options, seed: u64) -> Result<(), String> {
    let path = from_root(path);
    let now = playthrough::<G>(seats, options, seed)?;
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|v| !v.is_empty() && v != "0") {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        }
        return std::fs::write(&path, now).map_err(|e| format!("{}: {e}", path.display()));
    }
    let hint = "`cargo xtask golden` updates it";
    let then = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}; {hint}", path.display()))?;
    let then = then.replace("\r\n", "\n");
    if then == now {
        return Ok(());
    }
    let differs = then.lines().zip(now.lines()).position(|(a, b)| a != b);
    let at = differs.unwrap_or_else(|| then.lines().count().min(now.lines().count()));
    let line = |text: &str| text.lines().nth(at).unwrap_or("(the end)").to_string();
    Err(format!(
        "{}, line {}: the game has changed\n  file: {}\n  now:  {}\nIf that is on purpose, {hint}.",
        path.display(),
        at + 1,
        line(&then),
        line(&now)
    ))
}

/// Resolves a path against the root of the workspace: the nearest folder with a `Cargo.lock`. Unchanged if
/// there is none. Tests run in the folder of their crate.
fn from_root(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let root = here.ancestors().find(|folder| folder.join("Cargo.lock").is_file());
    root.map_or_else(|| path.to_path_buf(), |root| root.join(path))
}

/// Plays a random game from `seed` to its end and returns its readable log, with digests, tables and the
/// outcome. Equal arguments give equal texts. Of a long game only the beginning and the end are written; the
/// hash at the end covers all events.
///
/// # Errors
///
/// Fails if seats or options are invalid, or if the rules reject an event of the game.
pub fn playthrough<G: Describe>(seats: u8, options: &G::Options, seed: u64) -> Result<String, String> {
    let mut game = Position::<G>::new(seats, options).map_err(|e| e.to_string())?;
    let mut rng = Rng::new(seed);
    let (mut list, mut events, mut decisions) = (Vec::new(), Vec::new(), 0);
    let mut hash = blake3::Hasher::new();
    while game.node() != Node::Over {
        let before = game.clone();
        let mut text = String::new();
        let (said, done) = match game.node() {
            // `advance_facts` does not fit: a duty draws from `rng`, too, and the log shows its hidden part.
            Node::Decide(seat) | Node::Declare(seat) => {
                game.legal(&mut list).map_err(|e| e.to_string())?;
                let action = *rng.choose(&list).ok_or("a decision without a legal action")?;
                if matches!(game.node(), Node::Decide(_)) {
                    if decisions % TABLE_EVERY == 0 {
                        draw::<G>(&game, &mut text);
                    }
                    decisions += 1;
                }
                let verb = if matches!(game.node(), Node::Decide(_)) { "" } else { " (duty)" };
                let choice =
                    format!("{} of {}", 1 + list.iter().position(|&a| a == action).unwrap_or(0), list.len());
                let said = format!("@{seat}{verb}: {}   [{choice}]", game.format_action(action));
                (said, game.play_facts(action))
            }
            node => {
                let done = game.resolve_facts(&mut rng);
                let said = done.as_ref().map(|(line, _)| event_text::<G>(node, line.event));
                (said.unwrap_or_default(), done)
            }
        };
        let (line, facts) = done.map_err(|e| format!("event {}: {e}", events.len() + 1))?;
        let number = events.len() + 1;
        let _ = writeln!(text, "{number:>5}  {said}{}", shown::<G>(&line));
        let event = AppliedEvent { before: &before, line: &line, facts: &facts, after: &game };
        if let Some(log) = G::log(&event) {
            log.lines().for_each(|l| {
                let _ = writeln!(text, "         {}", plain(l).trim_end());
            });
        }
        let digest = game.digest();
        hash.update(&digest.0);
        hash.update(text.as_bytes());
        if number.is_multiple_of(DIGEST_EVERY) {
            let _ = writeln!(text, "       = {}", short(digest));
        }
        events.push(text);
    }
    let mut out = header::<G>(seats, seed, options)?;
    let elided = events.len() > MOST_EVENTS;
    for (i, text) in events.iter().enumerate() {
        if elided && (BEGINNING..events.len() - END).contains(&i) {
            if i == BEGINNING {
                let _ = writeln!(out, "       … {} more events …", events.len() - END - BEGINNING);
            }
            continue;
        }
        out.push_str(text);
    }
    let mut last = String::new();
    draw::<G>(&game, &mut last);
    out.push_str(&last);
    let outcome = game.outcome().ok_or("the game is over without an outcome")?;
    let _ = writeln!(out, "\nOver after {} events and {decisions} decisions.", events.len());
    let capped = if outcome.is_capped() { " (at the cap)" } else { "" };
    let unwon = if outcome.is_won() { "" } else { ", won by nobody" };
    let _ = writeln!(out, "Ranks {:?}, scores {:?}{unwon}{capped}.", outcome.ranks(), outcome.scores());
    let _ = writeln!(out, "Digest {}", game.digest());
    let _ = writeln!(out, "All of it {}", hash.finalize().to_hex());
    Ok(out)
}

/// Returns the header of a playthrough: a line with title, rules version, seats and seed, a line with all options as
/// `name=value`, and an empty line.
///
/// # Errors
///
/// Fails if the options cannot be serialized.
fn header<G: Describe>(seats: u8, seed: u64, options: &G::Options) -> Result<String, String> {
    let info = G::INFO;
    let mut out = format!("{} (rules {}), {seats} seats, seed {seed}\n", info.title, info.rules_version);
    let all = options::to_value(options).map_err(|e| e.to_string())?;
    let fields = <G::Options as options::Options>::FIELDS;
    let values: Vec<String> = fields
        .iter()
        .map(|f| {
            format!("{}={}", f.name, options::get(&all, f.name).map_or_else(String::new, |v| v.to_string()))
        })
        .collect();
    let _ =
        writeln!(out, "Options: {}", if values.is_empty() { "none".to_string() } else { values.join(" ") });
    out.push('\n');
    Ok(out)
}

/// Formats the faces and backs that an event made public as "   shows FACE#TOKEN …"; empty if there are none.
fn shown<G: Describe>(line: &LoggedEventOf<G>) -> String {
    let faces = line.shown.iter().map(|(t, f)| format!("{f}{t}"));
    let backs = line.backs.iter().map(|(t, b)| format!("back {}{t}", b.0));
    let all: Vec<String> = faces.chain(backs).collect();
    if all.is_empty() { String::new() } else { format!("   shows {}", all.join(" ")) }
}

/// Appends a drawing of the table of `game` without colours to `out`, between blank lines.
fn draw<G: Describe>(game: &Position<G>, out: &mut String) {
    out.push('\n');
    for line in G::table(game).lines() {
        let _ = writeln!(out, "  | {}", plain(line).trim_end());
    }
    out.push('\n');
}

/// Formats the first 8 bytes of a digest as 16 hexadecimal digits.
fn short(digest: Digest) -> String {
    digest.to_string()[..16].to_string()
}

/// Returns a text without its ANSI escape sequences: everything from an escape character to the next ASCII letter is
/// left out.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            chars.by_ref().find(char::is_ascii_alphabetic);
        } else {
            out.push(c);
        }
    }
    out
}
