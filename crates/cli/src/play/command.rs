//! Parses what a person types at a decision.

use super::list::List;

/// A command at a decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// Play this entry of the list.
    Take(usize),
    /// An empty line.
    Nothing,
    /// List all actions, or those that contain these words.
    List(String),
    /// Other words: list the actions that contain them, or try them as an action that is not listed.
    Words(String),
    /// Show the commands.
    Help,
    /// Recommend an action.
    Hint,
    /// Show the table.
    Table,
    /// Show the rules on one page.
    Rules,
    /// Show the texts of all cards, or of those whose names contain this text.
    Cards(Option<String>),
    /// Show what has happened so far.
    Log,
    /// Go back to the last decision of the person.
    Undo,
    /// Save the match to this file, or to the usual one.
    Save(Option<String>),
    /// Leave the match.
    Quit,
}

/// The commands as `help` shows them: what to type, and its meaning.
pub(super) const HELP: &[(&str, &str)] = &[
    ("5", "take the action with this number"),
    ("buy archer", "take an action by its notation, or show what fits the words"),
    ("list [WORDS]", "show all actions, or those that fit the words"),
    ("hint", "the three best actions, and why"),
    ("table", "show the table again"),
    ("log", "what has happened so far"),
    ("undo", "go back to your last decision"),
    ("rules", "the rules on one page"),
    ("cards, card NAME", "the texts of the cards"),
    ("save FILE", "keep the game, to go on with it another time"),
    ("quit", "leave the game"),
];

/// Parses a line, in any case and without surrounding spaces. An empty line is `Nothing`. A line that names an entry of
/// the list (by number, notation or label) is `Take` with its index; else the commands of [`HELP`] and their short
/// forms are recognized. A command can be written with a slash (`/undo`) where an action has the same name. An unknown
/// command with a slash is `Help`; all other text is `Words`, also a command with words after it that it does not take.
pub(super) fn read(line: &str, list: &List) -> Command {
    let line = line.trim();
    if line.is_empty() {
        return Command::Nothing;
    }
    if let Some(entry) = list.find(line) {
        return Command::Take(entry);
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = Some(rest.trim()).filter(|rest| !rest.is_empty()).map(str::to_string);
    let (word, stroke) = word.strip_prefix('/').map_or((word, false), |word| (word, true));
    match (word.to_lowercase().as_str(), rest) {
        ("help" | "h" | "?", None) => Command::Help,
        ("hint" | "hints", None) => Command::Hint,
        ("table" | "board", None) => Command::Table,
        ("rules", None) => Command::Rules,
        ("cards", rest) | ("card", rest @ Some(_)) => Command::Cards(rest),
        ("log", None) => Command::Log,
        ("undo" | "u", None) => Command::Undo,
        ("save", rest) => Command::Save(rest),
        ("quit" | "q" | "exit", None) => Command::Quit,
        ("list" | "ls", rest) => Command::List(rest.unwrap_or_default()),
        _ if stroke => Command::Help,
        _ => Command::Words(line.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::list::tests::list;
    use super::*;

    #[test]
    fn lines_are_numbers_notation_commands_or_words() {
        let list = list(&[("buy #3", "buy archer"), ("log", "log"), ("done", "done")]);
        let read = |line| read(line, &list);
        assert_eq!(read("  1 "), Command::Take(0));
        assert_eq!(read("buy  Archer"), Command::Take(0));
        assert_eq!(read("buy #3"), Command::Take(0));
        assert_eq!(read("log"), Command::Take(1));
        assert_eq!(read("/log"), Command::Log);
        assert_eq!(read("UNDO"), Command::Undo);
        assert_eq!(read("hint"), Command::Hint);
        assert_eq!(read("save my game.jsonl"), Command::Save(Some("my game.jsonl".into())));
        assert_eq!(read("card archer"), Command::Cards(Some("archer".into())));
        assert_eq!(read("buy"), Command::Words("buy".into()));
        assert_eq!(read("4"), Command::Words("4".into()));
        assert_eq!(read("/what"), Command::Help);
        assert_eq!(read(""), Command::Nothing);
    }
}
