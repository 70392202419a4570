//! Checks that the minutes on the home page are those of the lab's reports.
//!
//! `docs/reports/GAME.html` examines what the page plays by default: the usual number of seats, and the first preset.

/// Returns the median minutes in a report; `None` if there is no report or it states none.
fn median(name: &str) -> Option<u32> {
    let path = format!("{}/../../docs/reports/{name}.html", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).ok()?;
    let (before, _) = text.split_once(" in the median game")?;
    before.rsplit(' ').next()?.parse().ok()
}

/// The minutes on the page differ from the report by at most a fifth. A game that is not shipped needs no report.
#[test]
fn the_minutes_on_the_home_page_are_the_laboratorys() {
    for game in crate::GAMES.iter().filter(|game| !game.is_classic) {
        let (name, shown) = (game.info.name, u32::from(game.info.minutes));
        let Some(lab) = median(name) else {
            assert!(!super::is_shipped(name), "docs/reports/{name}.html tells no minutes");
            continue;
        };
        let off = shown.abs_diff(lab);
        assert!(5 * off <= lab, "{name}: the page says {shown} minutes, the laboratory {lab}");
    }
}

/// A classic has no report; its minutes are an estimate, and it is short.
#[test]
fn classics_state_how_long_they_take() {
    for game in crate::GAMES.iter().filter(|game| game.is_classic) {
        assert!((1..=15).contains(&game.info.minutes), "{}: {} minutes", game.info.name, game.info.minutes);
    }
}
