//! The list of legal actions as text: numbered, grouped when long, filtered by words.

use crate::style::{DIM, KEY, TITLE, paint};
use pentarchy_engine::LegalAction;

/// Maximum number of entries without groups.
const FEW: usize = 9;
/// Maximum number of lines that are shown completely.
const SHORT: usize = 14;
/// Number of entries of each group in a longer list.
const GLIMPSE: usize = 3;
/// Maximum width of labels that are set in columns.
const NARROW: usize = 26;

/// The legal actions with their numbers.
pub(super) struct List {
    /// The legal actions, in their order.
    choices: Vec<LegalAction>,
    /// The number of each action.
    keys: Vec<u64>,
}

impl List {
    /// Creates a list of these actions, numbered from 1. Where the notation of an action is itself a number, as in
    /// tic-tac-toe, that is its number, so that `5` has one meaning. The others get the lowest numbers that no notation
    /// uses.
    pub(super) fn new(choices: Vec<LegalAction>) -> Self {
        let own: Vec<Option<u64>> = choices.iter().map(|choice| choice.canonical.parse().ok()).collect();
        let mut free = (1..).filter(|n| !own.contains(&Some(*n)));
        let keys = own.iter().map(|key| key.or_else(|| free.next()).unwrap_or(0)).collect();
        List { choices, keys }
    }

    /// Returns an entry by its index, which is not its number; `None` if there is no such one.
    pub(super) fn get(&self, entry: usize) -> Option<&LegalAction> {
        self.choices.get(entry)
    }

    /// Returns the number that people type for the entry with this index; `None` if there is no such one.
    pub(super) fn key(&self, entry: usize) -> Option<u64> {
        self.keys.get(entry).copied()
    }

    /// Returns the index of the first entry with this number, canonical notation, spoken notation or label, in this
    /// order of priority; ignores case and extra spaces. `None` if there is none.
    pub(super) fn find(&self, text: &str) -> Option<usize> {
        let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let text = squeezed(text);
        let is = |word: &str| squeezed(word) == text;
        let by_key = text.parse().ok().and_then(|n: u64| self.keys.iter().position(|&key| key == n));
        by_key
            .or_else(|| self.choices.iter().position(|c| is(&c.canonical)))
            .or_else(|| self.choices.iter().position(|c| is(&c.spoken)))
            .or_else(|| self.choices.iter().position(|c| is(&c.label)))
    }

    /// Returns the indexes of the entries that contain all these words in label, notation or heading,
    /// ignoring case, in the order of the list; all for no words.
    pub(super) fn matching(&self, words: &str) -> Vec<usize> {
        let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        let fits = |choice: &LegalAction| {
            let all = format!("{}\n{}\n{}", choice.label, choice.spoken, choice.kind).to_lowercase();
            words.iter().all(|word| all.contains(word))
        };
        (0..self.choices.len()).filter(|&i| fits(&self.choices[i])).collect()
    }

    /// Returns the indexes of all entries, in the order of the list.
    pub(super) fn all(&self) -> Vec<usize> {
        (0..self.choices.len()).collect()
    }

    /// Returns entries, given by their indexes in the list, as lines of text. More than [`FEW`] entries of several
    /// kinds are grouped under headings in the order in which the kinds first occur. If there are more than [`SHORT`]
    /// lines, headings state the number of entries, and with `in_short` only the first lines of each group
    /// ([`GLIMPSE`], or [`SHORT`] without headings) are shown, and how to see the rest. `width` is that of the terminal
    /// in columns. An index out of range panics.
    pub(super) fn format_entries(&self, entries: &[usize], width: usize, in_short: bool) -> String {
        let mut kinds: Vec<(&str, Vec<usize>)> = Vec::new();
        for &entry in entries {
            let kind = self.choices[entry].kind;
            match kinds.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, members)) => members.push(entry),
                None => kinds.push((kind, vec![entry])),
            }
        }
        let whole: Vec<Vec<String>> = kinds.iter().map(|(_, members)| self.lines(members, width)).collect();
        let headings = if kinds.len() > 1 && entries.len() > FEW { kinds.len() } else { 0 };
        let long = whole.iter().map(Vec::len).sum::<usize>() + headings > SHORT;
        let mut out = String::new();
        for ((kind, members), lines) in kinds.iter().zip(&whole) {
            if headings > 0 {
                let count = if long { format!(" ({})", members.len()) } else { String::new() };
                out += &format!("  {}{}\n", paint(TITLE, kind), paint(DIM, count));
            }
            let glimpse = if headings > 0 { GLIMPSE } else { SHORT };
            let cut = in_short && long && lines.len() > glimpse + 1;
            for line in lines.iter().take(if cut { glimpse } else { lines.len() }) {
                out += line;
                out.push('\n');
            }
            if cut {
                let more = format!("       … `list` shows all {}; or type part of the words", entries.len());
                let more =
                    if headings > 0 { format!("       … `list {}`", kind.to_lowercase()) } else { more };
                out += &format!("{}\n", paint(DIM, more));
            }
        }
        out
    }

    /// Returns entries, given by their indexes, as lines without line breaks. Entries whose labels are their numbers
    /// stand in one line. More than three with labels of at most [`NARROW`] characters stand in columns, others on a
    /// line each. The latter have their notation at the end if there is room, unless it is a number or the label begins
    /// with it. `width` is that of the terminal in columns. An index out of range panics.
    fn lines(&self, entries: &[usize], width: usize) -> Vec<String> {
        let length = |text: &str| text.chars().count();
        let labels = || entries.iter().map(|&i| self.choices[i].label.as_str());
        let widest = labels().map(length).max().unwrap_or(0);
        let key = |i: usize| paint(KEY, format_args!("{:>4}", self.keys[i]));
        if entries.iter().all(|&i| self.choices[i].label == self.keys[i].to_string()) {
            return vec![entries.iter().map(|&i| key(i)).collect()];
        }
        if widest <= NARROW && entries.len() > 3 {
            let column = widest + 8;
            let per_line = (width / column).max(1);
            let cell = |&i: &usize| format!("{}  {:<widest$}  ", key(i), self.choices[i].label);
            let line = |part: &[usize]| part.iter().map(cell).collect::<String>().trim_end().to_string();
            return entries.chunks(per_line).map(line).collect();
        }
        let line = |&i: &usize| {
            let LegalAction { label, spoken, .. } = &self.choices[i];
            let room = 8 + widest.max(length(label)) + length(spoken) <= width;
            let told = label.to_lowercase().starts_with(&spoken.to_lowercase());
            if told || spoken.parse::<u64>().is_ok() || !room {
                format!("{}  {label}", key(i))
            } else {
                format!("{}  {label:<widest$}  {}", key(i), paint(DIM, spoken))
            }
        };
        entries.iter().map(line).collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Creates a list of actions from their canonical and spoken texts. Labels are `to` and the spoken text; those that
    /// begin with `buy` are of the kind `Market`, others of `Others`.
    pub(in super::super) fn list(actions: &[(&str, &str)]) -> List {
        let choice = |&(canonical, spoken): &(&str, &str)| LegalAction {
            canonical: canonical.to_string(),
            spoken: spoken.to_string(),
            label: format!("to {spoken}"),
            kind: if spoken.starts_with("buy") { "Market" } else { "Others" },
        };
        List::new(actions.iter().map(choice).collect())
    }

    /// Returns the text without colours.
    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn numbers_that_are_notation_stand_for_themselves() {
        let list = list(&[("3", "3"), ("7", "7"), ("pass", "pass"), ("1", "1"), ("wait", "wait")]);
        assert_eq!(list.keys, [3, 7, 2, 1, 4]);
        assert_eq!(list.find("7"), Some(1));
        assert_eq!(list.find("2"), Some(2));
        assert_eq!(list.find("5"), None);
    }

    #[test]
    fn words_filter_the_list() {
        let list = list(&[("buy #1", "buy archer"), ("buy #2", "buy knight"), ("done", "done")]);
        assert_eq!(list.matching("BUY"), [0, 1]);
        assert_eq!(list.matching("kni buy"), [1]);
        assert_eq!(list.matching("market"), [0, 1]);
        assert_eq!(list.matching("xyz"), [] as [usize; 0]);
    }

    #[test]
    fn a_long_list_is_grouped_and_cut_and_shown_whole_when_asked() {
        let names: Vec<(String, String)> = (0..40)
            .map(|i| {
                let verb = if i < 30 { "buy the very long-winded thing number" } else { "sell thing number" };
                (format!("{verb} #{i}"), format!("{verb} {i}"))
            })
            .collect();
        let pairs: Vec<(&str, &str)> = names.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        let list = list(&pairs);
        let short = plain(&list.format_entries(&list.all(), 80, true));
        assert!(short.lines().count() <= 2 * (GLIMPSE + 2), "{short}");
        assert!(short.contains("Market (30)") && short.contains("`list market`"), "{short}");
        let whole = plain(&list.format_entries(&list.all(), 80, false));
        assert!((0..40).all(|i| whole.contains(&format!("{:>4}  to", i + 1))), "{whole}");
        assert!(whole.lines().all(|line| line.chars().count() <= 80), "{whole}");
    }
}
