//! Checks of the notation that do not depend on a position.

use super::{LawResult, demand};
use pentarchy_engine::notation::zone_named;
use pentarchy_engine::{Back, Face, Game, MAX_SEATS, Size, Zone};

/// Checks that faces, zones and the description of the game are consistent: ranges, unique names, and words
/// that parse back.
///
/// # Errors
///
/// Fails with the violated law.
pub(super) fn basics<G: Game>() -> LawResult {
    let info = G::INFO;
    let seats = info.min_seats..=info.max_seats;
    demand!(info.min_seats >= 1 && usize::from(info.max_seats) <= MAX_SEATS, Basics, "seats {seats:?}");
    demand!(seats.contains(&info.default_seats), Basics, "{} seats by default", info.default_seats);
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    demand!(!info.name.is_empty() && info.name.chars().all(plain), Basics, "the name `{}`", info.name);
    demand!(G::Face::KINDS <= 128 && G::Size::ZONES < 255 && G::Size::TOKENS < 65_000, Basics, "too large");
    for i in 0..G::Face::KINDS as u8 {
        let face = G::Face::nth(i);
        let word = face.to_string();
        demand!(face.index() == i, Basics, "face {i} says that it is number {}", face.index());
        demand!(
            word.parse::<G::Face>().as_ref() == Ok(&face),
            Notation,
            "the face `{word}` is not read back"
        );
        let clean = !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || "#@:,?".contains(c));
        demand!(clean, Notation, "the face `{word}` is not one plain word");
        demand!(face.back() != Back::HIDDEN, Basics, "the back of `{word}` cannot be shown");
    }
    for z in (0..G::Size::ZONES as u8).map(Zone) {
        let name = G::zone_name(z);
        demand!(zone_named::<G>(&name) == Some(z), Notation, "two zones are called `{name}`");
        demand!(!name.contains(['#', ':']), Notation, "the zone name `{name}`");
    }
    Ok(())
}
