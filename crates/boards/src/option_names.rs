//! Titles and groups of a game's options.

use crate::words::capital;
use pentarchy_engine::Field;

/// The group of numbers that belong to no card or building.
const GENERAL: &str = "General";

/// Groups the options of `fields` by card, building or the game as a whole, for the set-up. The title of a group is
/// the text before `: ` in the option's description, or else the last part but one of its dotted name, as people
/// write it ([`spoken`]). Options without either, and groups of one, are in the group `General`, which comes first;
/// the others follow in the order of their first option. Empty groups are left out.
pub fn groups(fields: &[&'static Field]) -> Vec<(String, Vec<&'static Field>)> {
    let group_of = |field: &Field| match (field.doc.split_once(": "), field.name.rsplit_once('.')) {
        (Some((group, _)), _) => group.to_string(),
        (None, Some((group, _))) => spoken(group),
        (None, None) => GENERAL.to_string(),
    };
    let mut groups: Vec<(String, Vec<&'static Field>)> = vec![(GENERAL.to_string(), Vec::new())];
    for &field in fields {
        let title = group_of(field);
        match groups.iter_mut().find(|(group, _)| *group == title) {
            Some((_, list)) => list.push(field),
            None => groups.push((title, vec![field])),
        }
    }
    // A group of one is merged into the general one.
    let (mut kept, single): (Vec<_>, Vec<_>) =
        groups.into_iter().partition(|(title, list)| title == GENERAL || list.len() > 1);
    kept[0].1.extend(single.into_iter().flat_map(|(_, list)| list));
    kept.retain(|(_, list)| !list.is_empty());
    kept
}

/// Returns the description of an option from the game's rules, with a capital first letter and without full stops at
/// its end.
pub fn described(field: &Field) -> String {
    capital(field.doc.trim_end_matches('.'))
}

/// Returns the title of an option: its description if it is a number of the design (`field.tuning`), which tells more
/// than its key; otherwise its key as people write it ([`spoken`]).
pub fn title(field: &Field) -> String {
    if field.tuning { described(field) } else { spoken(field.name) }
}

/// Returns the last part of a dotted key as people write it: `start_storage` becomes "Start storage". `vp` and `byz`
/// are written in capitals.
pub fn spoken(name: &str) -> String {
    let words = name.rsplit('.').next().unwrap_or(name).replace(['_', '-'], " ");
    let written = |word: &str| match word {
        "vp" | "byz" => word.to_uppercase(),
        word => word.to_string(),
    };
    capital(&words.split(' ').map(written).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameListing;
    use std::collections::BTreeSet;

    #[test]
    fn keys_are_spoken_as_people_write_them() {
        assert_eq!(spoken("start_storage"), "Start storage");
        assert_eq!(spoken("empire_vp"), "Empire VP");
        assert_eq!(spoken("cards.archer.cost"), "Cost");
    }

    /// Titles are readable and different within their part of the set-up, and every number is in exactly one group.
    fn check(game: &GameListing) {
        let fields = || game.fields.iter();
        let rules: Vec<String> = fields().filter(|field| !field.tuning).map(title).collect();
        let numbers: Vec<&'static Field> = fields().filter(|field| field.tuning).collect();
        let different: BTreeSet<&String> = rules.iter().collect();
        assert_eq!(different.len(), rules.len(), "titles of {} rules: {rules:?}", game.info.name);
        let groups = groups(&numbers);
        assert_eq!(groups.iter().map(|(_, list)| list.len()).sum::<usize>(), numbers.len());
        for (group, list) in &groups {
            assert!(group == GENERAL || list.len() > 1, "{}: {group} has one number", game.info.name);
            let different: BTreeSet<String> = list.iter().map(|field| title(field)).collect();
            // A number is titled by what it does, not by its key, which is often one word.
            let words = |title: &String| title.split(' ').count() > 1;
            assert!(different.iter().all(words), "{}, {group}: {different:?}", game.info.name);
            assert_eq!(different.len(), list.len(), "{}, {group}: {different:?}", game.info.name);
        }
        for text in rules.into_iter().chain(numbers.into_iter().map(title)) {
            let is_readable = !text.contains('_') && !text.ends_with('.') && text.chars().count() <= 120;
            assert!(is_readable, "{}: {text}", game.info.name);
            assert!(text.starts_with(|c: char| !c.is_lowercase()), "{}: {text}", game.info.name);
        }
    }

    #[test]
    fn titles_of_options_are_readable_and_different() {
        crate::GAMES.iter().for_each(check);
    }
}
