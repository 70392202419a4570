//! The expectations of a scenario, and messages that say what was there instead.

use super::file::{Counts, Ending, Legal, Scenario, ScenarioStep, Table, Texts};
use super::run::{Runner, find_zone};
use super::values;
use crate::arrange::{self, Laid, MORE};
use pentarchy_engine::describe::Describe;
use pentarchy_engine::notation::node_text;
use pentarchy_engine::{Game, Known, Node, Outcome, Position, Seat};
use serde_json::Value;
use toml::Spanned;

/// A line number of the file and an error message.
pub(super) type LineError = (usize, String);

/// The tokens of a zone, and whether others may follow below.
pub(super) type Contents<F> = (Vec<Laid<F>>, bool);

/// Maximum number of entries of a list in a message.
const MOST_LISTED: usize = 24;

/// Checks all expectations of a step against the current position and log of the runner. Returns one message
/// with its line per failed expectation; empty if all hold.
pub(super) fn check<G: Game + Describe>(
    runner: &Runner<'_, G>,
    scenario: &Scenario,
    step: &ScenarioStep,
) -> Vec<LineError> {
    let checker = Checker { position: &runner.position, scenario };
    let mut wrong = Vec::new();
    if let Some(node) = &step.node
        && !is_node::<G>(runner.position.node(), node.get_ref())
    {
        let there = node_text::<G>(runner.position.node());
        wrong.push((
            scenario.line(node),
            format!("the node should be `{}`, but is `{there}`", node.get_ref()),
        ));
    }
    if let Some(legal) = &step.legal {
        checker.legal(legal, &mut wrong);
    }
    checker.values(&step.value, &mut wrong);
    checker.zones(&step.zone, true, &mut wrong);
    checker.zones(&step.holds, false, &mut wrong);
    checker.known(&step.known, &mut wrong);
    for text in step.log.iter().filter(|t| !runner.log.iter().any(|l| l.contains(t.get_ref().as_str()))) {
        let there = if runner.log.is_empty() { "nothing".to_string() } else { runner.log.join(" / ") };
        wrong.push((
            scenario.line(text),
            format!("the log should say `{}`, but says: {there}", text.get_ref()),
        ));
    }
    if let Some(ending) = &step.outcome {
        let line = scenario.line(ending);
        checker.outcome(ending.get_ref(), line, &mut wrong);
    }
    if let Some(over) = &step.over
        && *over.get_ref() != (runner.position.node() == Node::Over)
    {
        let there = node_text::<G>(runner.position.node());
        let should = if *over.get_ref() { "should" } else { "should not" };
        wrong.push((scenario.line(over), format!("the game {should} be over, but the node is `{there}`")));
    }
    wrong
}

/// Returns whether `text` names this node: in full, or by its first whole words. `decide` and `decide 0` name the
/// decision of seat 0.
pub(super) fn is_node<G: Game>(node: Node, text: &str) -> bool {
    node_text::<G>(node)
        .strip_prefix(text.trim())
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// Returns whether two positions have equal public states, and hold equal private faces and notes.
pub(super) fn is_same_position<G: Game>(a: &Position<G>, b: &Position<G>) -> bool {
    a.encode() == b.encode() && a.has_same_knowledge(b)
}

/// Returns the legal actions of the acting seat in spoken text, in the order of the list; empty if no seat is to act.
pub(super) fn spoken<G: Game>(position: &Position<G>) -> Vec<String> {
    let mut list = Vec::new();
    match position.legal(&mut list) {
        Ok(()) => list.into_iter().map(|a| position.format_action(a)).collect(),
        Err(_) => Vec::new(),
    }
}

/// Joins texts in code quotes for a message; after [`MOST_LISTED`] it only counts the others, and
/// an empty list gives `nothing`.
pub(super) fn listed(texts: &[String]) -> String {
    let shown = texts.iter().take(MOST_LISTED).map(|t| format!("`{t}`")).collect::<Vec<_>>().join(", ");
    match texts.len().saturating_sub(MOST_LISTED) {
        0 if texts.is_empty() => "nothing".to_string(),
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Parses the entries of a zone from the top. Returns the tokens, and whether the last entry is `...`, so
/// that more may follow below. `seats` is the number of seats.
///
/// # Errors
///
/// Fails with the line of the first malformed entry.
pub(super) fn tokens_from<G: Game>(
    scenario: &Scenario,
    texts: &Texts,
    seats: u8,
) -> Result<Contents<G::Face>, LineError> {
    let mut tokens = Vec::new();
    for (i, text) in texts.iter().enumerate() {
        let line = scenario.line(text);
        if text.get_ref() == MORE {
            if i + 1 < texts.len() {
                return Err((line, format!("`{MORE}` must be the last entry")));
            }
            return Ok((tokens, true));
        }
        tokens
            .extend(arrange::laid_from::<G::Face>(text.get_ref(), seats).map_err(|e| (line, e.to_string()))?);
    }
    Ok((tokens, false))
}

/// Checks the expectations of a step against a position.
struct Checker<'a, G: Game> {
    /// The position after the step.
    position: &'a Position<G>,
    /// The scenario, for line numbers.
    scenario: &'a Scenario,
}

impl<G: Game + Describe> Checker<'_, G> {
    /// Checks the expected legal actions (`has`, `lacks`, `is`, `count`), and adds each failed expectation
    /// with its line to `wrong`. Texts are spoken or canonical. In `has`, `lacks` and `count` a text that
    /// ends in `*` stands for all that begin with it.
    fn legal(&self, legal: &Legal, wrong: &mut Vec<LineError>) {
        let mut list = Vec::new();
        let asked = self.position.legal(&mut list);
        let spoken: Vec<String> = list.iter().map(|a| self.position.format_action(*a)).collect();
        let canonical: Vec<String> = list.iter().map(ToString::to_string).collect();
        let count = |text: &str| {
            let (text, begins) = text.strip_suffix('*').map_or((text, false), |text| (text, true));
            let is = |s: &String| if begins { s.starts_with(text) } else { s == text };
            spoken.iter().zip(&canonical).filter(|(s, c)| is(s) || is(c)).count()
        };
        let there = match &asked {
            Ok(()) => format!("legal is: {}", listed(&spoken)),
            Err(_) => format!("nobody is asked: the node is `{}`", node_text::<G>(self.position.node())),
        };
        for text in legal.has.iter().filter(|t| count(t.get_ref()) == 0) {
            wrong.push((self.scenario.line(text), format!("`{}` should be legal; {there}", text.get_ref())));
        }
        for text in legal.lacks.iter().filter(|t| count(t.get_ref()) > 0) {
            wrong.push((
                self.scenario.line(text),
                format!("`{}` should not be legal; {there}", text.get_ref()),
            ));
        }
        if let Some(is) = &legal.is {
            let wanted = |s: &String, c: &String| is.iter().any(|t| t.get_ref() == s || t.get_ref() == c);
            let extra: Vec<String> = spoken
                .iter()
                .zip(&canonical)
                .filter(|(s, c)| !wanted(s, c))
                .map(|(s, _)| s.clone())
                .collect();
            let missing: Vec<String> =
                is.iter().map(Spanned::get_ref).filter(|t| count(t) == 0).cloned().collect();
            if !(extra.is_empty() && missing.is_empty()) {
                let (missing, extra) = (listed(&missing), listed(&extra));
                let message =
                    format!("the legal list is another: {missing} is missing, {extra} is too much; {there}");
                wrong.push((self.scenario.line(&is.place()), message));
            }
        }
        let Some(counts) = &legal.count else { return };
        let mut expect = |what: &str, expected: usize, found: usize| {
            if expected != found {
                let message =
                    format!("there should be {expected} legal actions{what}, but there are {found}; {there}");
                wrong.push((self.scenario.line(counts), message));
            }
        };
        match counts.get_ref() {
            Counts::All(expected) => expect("", *expected, list.len()),
            Counts::Each(each) => {
                each.iter()
                    .for_each(|(text, expected)| expect(&format!(" `{text}`"), *expected, count(text)));
            }
        }
    }

    /// Checks the expected values, given by their paths, against the readable state of the game, and adds
    /// each failed expectation with its line to `wrong`; also each path that does not exist.
    fn values(&self, table: &Table<Spanned<Value>>, wrong: &mut Vec<LineError>) {
        if table.is_empty() {
            return;
        }
        let picture = self.position.state().picture();
        for (path, expected) in table {
            let (line, name) = (self.scenario.line(expected), path.get_ref());
            match values::at(&picture, name) {
                Some(there) if values::is_match(&there, expected.get_ref()) => {}
                Some(there) => {
                    let expected = expected.get_ref();
                    wrong.push((line, format!("`{name}` should be {expected}, but is {there}")));
                }
                None => {
                    let names = values::names_at(&picture, name);
                    wrong.push((line, format!("there is no value `{name}`; {names}")));
                }
            }
        }
    }

    /// Returns the true faces of a zone from the top, each with who knows it; `?` for a slip without a
    /// choice.
    ///
    /// # Errors
    ///
    /// Fails with its line and a message if there is no such zone.
    fn faces(&self, name: &Spanned<String>) -> Result<Vec<(String, Known)>, LineError> {
        let zone = find_zone::<G>(name.get_ref()).map_err(|e| (self.scenario.line(name), e))?;
        let tokens = self.position.state().tokens();
        let face = |t| self.position.face(t).map_or_else(|| "?".to_string(), |f| f.to_string());
        Ok(tokens.iter(zone).map(|t| (face(t), tokens.known(t))).collect())
    }

    /// Checks the expected faces of all zones in the table, from the top if `ordered`, else in any order, and
    /// adds each failed expectation with its line to `wrong`; also each zone that does not exist or has a
    /// malformed entry.
    fn zones(&self, table: &Table<Texts>, ordered: bool, wrong: &mut Vec<LineError>) {
        for (name, texts) in table {
            if let Err(e) = self.zone(name, texts, ordered) {
                wrong.push(e);
            }
        }
    }

    /// Checks the expected faces `texts` of the zone `name`, and who knows them where that is given: from the
    /// top if `ordered`, else in any order. A last `...` allows further tokens.
    ///
    /// # Errors
    ///
    /// Fails with the line and a message if the zone does not exist, an entry is malformed, or its
    /// tokens differ.
    fn zone(&self, name: &Spanned<String>, texts: &Texts, ordered: bool) -> Result<(), LineError> {
        let there = self.faces(name)?;
        let (wanted, more) = tokens_from::<G>(self.scenario, texts, self.position.seats())?;
        let fits = |laid: &Laid<G::Face>, (face, known): &(String, Known)| {
            laid.face.to_string() == *face && laid.known.is_none_or(|k| k == *known)
        };
        let count = there.len() == wanted.len() || (more && there.len() > wanted.len());
        let same = if ordered {
            wanted.iter().zip(&there).all(|(laid, found)| fits(laid, found))
        } else {
            let mut left = there.clone();
            wanted.iter().all(|laid| {
                left.iter().position(|found| fits(laid, found)).map(|i| left.swap_remove(i)).is_some()
            })
        };
        if count && same {
            return Ok(());
        }
        let says_known = wanted.iter().any(|laid| laid.known.is_some());
        let found = |(face, known): &(String, Known)| match says_known {
            true => format!("{face}@{}", arrange::known_text(*known)),
            false => face.clone(),
        };
        let found: Vec<String> = there.iter().map(found).collect();
        let wanted: Vec<&str> = texts.iter().map(|t| t.get_ref().as_str()).collect();
        Err((self.scenario.line(&texts.place()), different(name.get_ref(), "hold", &wanted, &found)))
    }

    /// Checks which seats know the tokens of all zones in the table, from the top, and adds each failed
    /// expectation with its line to `wrong`; also each zone that does not exist or has a malformed entry.
    fn known(&self, table: &Table<Texts>, wrong: &mut Vec<LineError>) {
        for (name, texts) in table {
            if let Err(e) = self.known_in(name, texts) {
                wrong.push(e);
            }
        }
    }

    /// Checks which seats know the tokens of the zone `name`, from the top; `texts` are the
    /// expectations, and a last `...` allows further tokens.
    ///
    /// # Errors
    ///
    /// Fails with the line and a message if the zone does not exist, an entry is malformed, or the
    /// knowledge differs.
    fn known_in(&self, name: &Spanned<String>, texts: &Texts) -> Result<(), LineError> {
        let there: Vec<String> = self.faces(name)?.iter().map(|(_, k)| arrange::known_text(*k)).collect();
        let more = texts.last().is_some_and(|t| t.get_ref() == MORE);
        let mut wanted = Vec::new();
        for text in texts.iter().take(texts.len() - usize::from(more)) {
            let known = arrange::known_from(text.get_ref(), self.position.seats());
            wanted.push(arrange::known_text(known.map_err(|e| (self.scenario.line(text), e.to_string()))?));
        }
        let fits = if more { there.starts_with(&wanted) } else { there == wanted };
        if fits {
            return Ok(());
        }
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        Err((self.scenario.line(&texts.place()), different(name.get_ref(), "be known to", &wanted, &there)))
    }

    /// Checks the expected ranks, scores, winners and cap, as far as they are given, and adds each failed
    /// expectation with `line` to `wrong`; only one message if the game is not over.
    fn outcome(&self, ending: &Ending, line: usize, wrong: &mut Vec<LineError>) {
        let Some(outcome) = self.position.outcome() else {
            let node = node_text::<G>(self.position.node());
            return wrong.push((line, format!("there should be an outcome, but the node is `{node}`")));
        };
        let mut expect = |what: &str, expected: Option<Value>, there: Value| {
            if let Some(expected) = expected.filter(|e| *e != there) {
                wrong.push((line, format!("the {what} should be {expected}, but are {there}")));
            }
        };
        let winners = |o: &Outcome| o.winners().map(|Seat(s)| s).collect::<Vec<u8>>();
        expect("ranks", ending.ranks.clone().map(Value::from), outcome.ranks().into());
        expect("scores", ending.scores.clone().map(Value::from), outcome.scores().into());
        expect("winners", ending.winners.clone().map(Value::from), winners(&outcome).into());
        if ending.capped.is_some_and(|capped| capped != outcome.is_capped()) {
            let not = if outcome.is_capped() { "" } else { "not " };
            wrong.push((line, format!("the game did {not}end at its cap")));
        }
    }
}

/// Returns the message that the zone `name` should `verb` (such as "hold") the wanted texts, but has the found ones,
/// both in order.
fn different(name: &str, verb: &str, wanted: &[&str], found: &[String]) -> String {
    let show = |texts: Vec<&str>| if texts.is_empty() { "nothing".to_string() } else { texts.join(" | ") };
    let found = show(found.iter().map(String::as_str).collect());
    format!("the {name} should {verb}: {}, but there is: {found}", show(wanted.to_vec()))
}
