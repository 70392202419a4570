//! The names of the players, and texts with them.

use super::roles::Role;
use crate::style::{paint, seat as seat_style};
use pentarchy_engine::Seat;
use pentarchy_engine::describe::with_names;

/// Maximum length of a name, which the columns of boards allow for.
const LONGEST: usize = 16;

/// Returns a name for each of the roles, by seat: the given ones from the first seat on, and `Player N` or `Bot N`
/// (from 1) for the others. Given names are trimmed.
///
/// # Errors
///
/// Fails with a sentence if there are more names than seats, or if a name is empty, longer than [`LONGEST`] characters,
/// contains `@` or a control character, or occurs twice, also among the names that were not given.
pub(super) fn names(roles: &[Role], given: &[String]) -> Result<Vec<String>, String> {
    if given.len() > roles.len() {
        return Err(format!("{} names are given for {} seats", given.len(), roles.len()));
    }
    let mut names: Vec<String> = Vec::new();
    for (i, role) in roles.iter().enumerate() {
        let name = match (given.get(i), role) {
            (Some(name), _) => name.trim().to_string(),
            (None, Role::Human) => format!("Player {}", i + 1),
            (None, Role::Bot(_)) => format!("Bot {}", i + 1),
        };
        let fits = (1..=LONGEST).contains(&name.chars().count())
            && !name.contains('@')
            && !name.chars().any(char::is_control);
        if !fits {
            return Err(format!("`{name}` cannot be a name: 1 to {LONGEST} characters, without @"));
        }
        if names.contains(&name) {
            return Err(format!("two players are called `{name}`"));
        }
        names.push(name);
    }
    Ok(names)
}

/// Returns a sentence with the coloured name of the seat in place of each `@0`, `@1`, …. `names`
/// are by seat; a mark without a name stays.
pub(crate) fn in_sentence(text: &str, names: &[String]) -> String {
    let coloured: Vec<String> =
        names.iter().enumerate().map(|(i, name)| paint(seat_style(Seat(i as u8)), name)).collect();
    with_names(text, &coloured)
}

/// Returns a board with coloured names in place of `@0`, `@1`, …. Where such a mark is padded with spaces, the name
/// replaces some of them, so that columns stay aligned; where lines begin with names, shorter ones are padded to the
/// longest. A mark without a name stays. Seats have one digit.
pub(crate) fn in_table(text: &str, names: &[String]) -> String {
    let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let blank = |start: &str| !start.contains(char::is_alphanumeric);
    let rows =
        text.lines().filter(|line| line.split_once('@').is_some_and(|(start, _)| blank(start))).count() > 1;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let seat = from[1..].chars().next().and_then(|c| c.to_digit(10)).map(|d| d as usize);
        let Some((seat, name)) = seat.and_then(|seat| Some((seat, names.get(seat)?))) else {
            out.push('@');
            rest = &from[1..];
            continue;
        };
        let begins = out.rsplit('\n').next().is_some_and(blank);
        out.push_str(&paint(seat_style(Seat(seat as u8)), name));
        rest = &from[2..];
        let (length, spaces) = (name.chars().count(), rest.bytes().take_while(|&b| b == b' ').count());
        if begins && rows && spaces > 0 {
            let column = (2 + spaces).max(widest + spaces.min(2));
            out.push_str(&" ".repeat(column - length));
            rest = &rest[spaces..];
        } else if spaces > 1 {
            rest = &rest[length.saturating_sub(2).min(spaces - 1)..];
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarchy_bots::{Level, Spec};

    const ROLES: [Role; 2] = [Role::Human, Role::Bot(Spec::new(Level::Random))];

    /// Returns the text without colours.
    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn names_are_given_or_plain() {
        assert_eq!(names(&ROLES, &[]).unwrap(), ["Player 1", "Bot 2"]);
        assert_eq!(names(&ROLES, &["Ada".into()]).unwrap(), ["Ada", "Bot 2"]);
        for bad in ["", "a@b", "x\ny", "an endless name indeed"] {
            assert!(names(&ROLES, &[bad.into()]).is_err(), "{bad}");
        }
        assert!(names(&ROLES, &["Ada".into(), "Ada".into()]).is_err());
        assert!(names(&ROLES, &["A".into(), "B".into(), "C".into()]).is_err());
    }

    #[test]
    fn names_keep_the_columns_of_a_table() {
        let names = names(&ROLES, &["Ada".into()]).unwrap();
        assert_eq!(plain(&in_table("@0      5\n@1      6\n@7 @", &names)), "Ada     5\nBot 2   6\n@7 @");
        assert_eq!(plain(&in_table("@1 6, @0   7, x", &names)), "Bot 2 6, Ada  7, x");
        assert_eq!(plain(&in_table("> @0 [jack]\n  @1 [?]", &names)), "> Ada   [jack]\n  Bot 2 [?]");
        assert_eq!(plain(&in_sentence("@1 folds.", &names)), "Bot 2 folds.");
    }
}
