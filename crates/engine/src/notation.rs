//! Text for actions and events. The canonical form names tokens (`eat #17`), the spoken form names faces
//! (`eat bear`).

use crate::face::Face;
use crate::game::Game;
use crate::node::{Audience, Chance, Event, Node, Set, Side};
use crate::position::{Observer, Position};
use crate::rejected::RuleError;
use crate::seat::Seat;
use crate::token::{Token, Zone};
use std::fmt;

/// A text that could not be parsed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The text.
    text: String,
    /// What it should have been: a noun phrase.
    expected: String,
}

impl ParseError {
    /// Creates an error that says "`text` is not `expected`"; `expected` is a noun phrase, e.g. `a token,
    /// like #17`.
    pub fn new(text: &str, expected: impl Into<String>) -> Self {
        ParseError { text: text.to_string(), expected: expected.into() }
    }
}

impl fmt::Display for ParseError {
    /// Writes "`text` is not `expected`".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not {}", self.text, self.expected)
    }
}
impl std::error::Error for ParseError {}

/// Returns the known word nearest to a misspelt one, for "did you mean"; of several equally near words the
/// alphabetically first. `None` if this word is not near enough: more than two insertions, deletions or
/// replacements of characters away, or more than half of its own length in bytes.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known.map(|k| (distance(word, k), k)).min().filter(|&(d, k)| d <= 2.min(k.len() / 2)).map(|(_, k)| k)
}

/// Returns the Levenshtein distance of two words, in characters: the least number of insertions, deletions
/// and replacements.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let cost = (corner + usize::from(x != *y)).min(row[j] + 1).min(row[j + 1] + 1);
            corner = std::mem::replace(&mut row[j + 1], cost);
        }
    }
    row[b.len()]
}

/// Replaces each token name (`#17`) in a text by the result of `by`, left to right. A `#` without a number
/// that is a token number stays as it is.
pub fn replace_tokens(text: &str, mut by: impl FnMut(Token) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('#') {
        out.push_str(&rest[..at]);
        let digits = rest[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        match rest[at + 1..at + 1 + digits].parse() {
            Ok(n) => out.push_str(&by(Token(n))),
            Err(_) => out.push_str(&rest[at..at + 1 + digits]),
        }
        rest = &rest[at + 1 + digits..];
    }
    out.push_str(rest);
    out
}

/// Returns the zone of game `G` with exactly this name ([`Game::zone_name`]); `None` if there is none.
pub fn zone_named<G: Game>(name: &str) -> Option<Zone> {
    use crate::size::Size;
    (0..G::Size::ZONES as u8).map(Zone).find(|&z| G::zone_name(z) == name)
}

/// Formats an event in canonical text, which [`parse_event`] reads. `node` is the node that it resolves.
/// Events that are not actions begin with a word and a colon: `roll: 4`, `pick: 17`, `shuffle: deck`, `cast:
/// cup 1`, `rearrange: hand 1 by 1`, `reveal: #5 to all`. An event that does not fit the node still gets a
/// text.
pub fn event_text<G: Game>(node: Node, event: Event<G::Action>) -> String {
    match (event, node) {
        (Event::Act(action), _) => action.to_string(),
        (Event::Rolled(n), Node::Chance(Chance::Pick { .. })) => format!("pick: {n}"),
        (Event::Rolled(n), _) => format!("roll: {n}"),
        (Event::Done, Node::Chance(Chance::Shuffle { pile })) => format!("shuffle: {}", G::zone_name(pile)),
        (Event::Done, Node::Chance(Chance::Cast { set, .. })) => format!("cast: {}", set_text::<G>(set)),
        (Event::Done, Node::Rearrange { set, by }) => format!("rearrange: {} by {by}", set_text::<G>(set)),
        (Event::Done, Node::Reveal { set, to, side }) => {
            let what = if side == Side::Back { "back of " } else { "" };
            let to = match to {
                Audience::All => "all".to_string(),
                Audience::Seat(seat) => seat.to_string(),
            };
            format!("reveal: {what}{} to {to}", set_text::<G>(set))
        }
        (Event::Done, _) => "done:".to_string(),
    }
}

/// Formats a node: `decide 0`, `declare 1`, `roll 6`, `pick 3`, `shuffle deck`, `cast cup 1`,
/// `rearrange hand 1 by 1`, `reveal #5 to all`, `reveal back of deck to all`, `over`.
pub fn node_text<G: Game>(node: Node) -> String {
    match node {
        Node::Decide(seat) => format!("decide {seat}"),
        Node::Declare(seat) => format!("declare {seat}"),
        Node::Chance(Chance::Roll { sides }) => format!("roll {sides}"),
        Node::Chance(Chance::Pick { of }) => format!("pick {of}"),
        Node::Over => "over".to_string(),
        // For these the event adds nothing to the node.
        _ => event_text::<G>(node, Event::Done).replacen(": ", " ", 1),
    }
}

/// Formats a set of tokens for an event of nature: a token, one or two zone names, or `marked`.
fn set_text<G: Game>(set: Set) -> String {
    match set {
        Set::One(t) => t.to_string(),
        Set::Zone(z) => G::zone_name(z),
        Set::Zones(a, b) => format!("{} and {}", G::zone_name(a), G::zone_name(b)),
        Set::Marked => "marked".to_string(),
    }
}

/// Parses the canonical text of an event; space around it is ignored. Text with another prefix than the words
/// of nature (`roll`, `pick`, `shuffle`, `cast`, `rearrange`, `reveal`, `done`) is parsed as an action. What
/// follows the colon of `shuffle` to `done` is not read. Does not check that the event is legal or awaited.
///
/// # Errors
///
/// Fails if the text is neither an action of this game nor an event of nature.
pub fn parse_event<G: Game>(text: &str) -> Result<Event<G::Action>, ParseError> {
    let text = text.trim();
    match text.split_once(':') {
        Some(("roll" | "pick", n)) => n
            .trim()
            .parse()
            .map(Event::Rolled)
            .map_err(|_| ParseError::new(text, "a number that nature gave, like `roll: 4`")),
        Some(("shuffle" | "cast" | "rearrange" | "reveal" | "done", _)) => Ok(Event::Done),
        _ => text.parse().map(Event::Act),
    }
}

impl<G: Game> Position<G> {
    /// Formats an action in spoken text: tokens by the faces that this observer knows (the simulator: those
    /// that the acting seat knows, if a seat is to act), `a card` where the face is not known. Whether the
    /// action is legal is not checked.
    pub fn format_action(&self, action: G::Action) -> String {
        let actor = self.actor();
        replace_tokens(&action.to_string(), |t| {
            let seen = match (self.observer, actor) {
                (Observer::All, Some(seat)) => self.face_seen_by(seat, t),
                _ => self.face(t),
            };
            seen.map_or_else(|| "a card".to_string(), |f| f.to_string())
        })
    }

    /// Returns the legal action with this spoken or canonical text; each run of white space counts as one
    /// space. Canonical text has priority; of several actions with the same spoken text the first of the list
    /// counts.
    ///
    /// # Errors
    ///
    /// Fails if no legal action has this text, if no seat is to act, or, in a game with tokens, if this
    /// observer is another seat or a spectator.
    pub fn parse_legal(&self, text: &str) -> Result<G::Action, RuleError> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut list = Vec::new();
        self.legal(&mut list)?;
        let canonical = list.iter().find(|a| a.to_string() == text);
        let spoken = || list.iter().find(|a| self.format_action(**a) == text);
        canonical.or_else(spoken).copied().ok_or(RuleError::new("this is not one of the legal actions"))
    }

    /// Parses an action from canonical or spoken text, whether or not it is legal; `None` if it does not
    /// parse, or names faces and no seat is to act. Legal actions have priority; faces of spoken text are
    /// looked up among the tokens that the actor knows, in at most 10,000 attempts. For callers that let
    /// the rules say why an illegal action is rejected.
    pub fn parse_any(&self, text: &str) -> Option<G::Action> {
        if let Ok(action) = self.parse_legal(text) {
            return Some(action);
        }
        if let Ok(action) = text.parse() {
            return Some(action);
        }
        let mut words: Vec<String> = text.split_whitespace().map(String::from).collect();
        self.parse_with_faces(self.actor()?, &mut words, 0, &mut 10_000)
    }

    /// Replaces the words from index `from` on that are faces by tokens which the actor knows to have these
    /// faces, those in the actor's zones first, and returns the first combination that parses as an action;
    /// `None` if none does or `tries` runs out. Each attempt decrements `tries`. `words` is restored unless
    /// an action is found.
    fn parse_with_faces(
        &self,
        actor: Seat,
        words: &mut [String],
        from: usize,
        tries: &mut u32,
    ) -> Option<G::Action> {
        for i in from..words.len() {
            let Ok(face) = words[i].parse::<G::Face>() else { continue };
            let tokens = self.state.tokens();
            let mut candidates: Vec<Token> =
                tokens.all().filter(|&t| self.face_seen_by(actor, t) == Some(face)).collect();
            candidates.sort_by_key(|&t| self.state.owner(tokens.zone(t)) != Some(actor));
            for t in candidates.into_iter().map(|t| t.to_string()) {
                *tries = tries.checked_sub(1)?;
                if words.contains(&t) {
                    continue;
                }
                let word = std::mem::replace(&mut words[i], t);
                let meant = words.join(" ").parse().ok();
                if let Some(action) = meant.or_else(|| self.parse_with_faces(actor, words, i + 1, tries)) {
                    return Some(action);
                }
                words[i] = word;
            }
        }
        None
    }

    /// Resolves the awaited node as a script says and returns the logged event with all annexes: `roll: 4`
    /// (or `4`), `pick: 2`, `shuffle: hr bear sat` (faces from the top; the rest follows in the order of the
    /// faces' numbers), `cast: 3 3 5` (a face for every die, in the order of [`places`](Self::places)),
    /// `rearrange: bear hr` (nothing given: keeps the order). A reveal needs no values. The word before the
    /// colon is not checked. After an error the position must be discarded.
    ///
    /// # Errors
    ///
    /// Fails if the text cannot be parsed or names a face that is not there, if a number is out of range, if
    /// a seat is to decide or declare, if the game is over, if this observer lacks a face, if something is to
    /// be shuffled, rearranged or cast and this is not the position of the simulator, or if the rules reject
    /// the event.
    pub fn script(&mut self, text: &str) -> Result<crate::position::LoggedEventOf<G>, ScriptError> {
        let text = text.trim();
        let given = text.split_once(':').map_or(text, |(_, rest)| rest).trim();
        match self.node() {
            Node::Chance(chance @ (Chance::Roll { .. } | Chance::Pick { .. })) => {
                let n: u32 = given.parse().map_err(|_| ParseError::new(given, "a number"))?;
                let number = match chance {
                    Chance::Roll { sides } if (1..=sides).contains(&n) => n - 1,
                    Chance::Pick { of } if n < of => n,
                    Chance::Roll { sides } => {
                        return Err(ParseError::new(given, format!("a number from 1 to {sides}")).into());
                    }
                    Chance::Pick { of } => {
                        return Err(ParseError::new(given, format!("a number below {of}")).into());
                    }
                    Chance::Shuffle { .. } | Chance::Cast { .. } => 0,
                };
                Ok(self.resolve_with(number, None)?)
            }
            Node::Chance(Chance::Shuffle { pile }) => {
                let order =
                    self.order_of(Set::Zone(pile), self.state.tokens().iter(pile).collect(), given)?;
                Ok(self.resolve_with(0, Some(order))?)
            }
            Node::Chance(Chance::Cast { set, first, sides }) => {
                let order = self.sides_of(set, first, sides, given)?;
                Ok(self.resolve_with(0, Some(order))?)
            }
            Node::Rearrange { set, .. } if !given.is_empty() => {
                let order = self.order_of(set, self.places(set), given)?;
                Ok(self.resolve_with(0, Some(order))?)
            }
            _ => Ok(self.resolve_with(0, None)?),
        }
    }

    /// Returns the tokens of a set in the order in which scripts name their faces: zones from the top, one
    /// after the other; marked tokens ascending; a single token if it lies in a zone.
    pub fn places(&self, set: Set) -> Vec<Token> {
        let tokens = self.state.tokens();
        match set {
            Set::Zone(z) => tokens.iter(z).collect(),
            Set::Zones(a, b) => tokens.iter(a).chain(tokens.iter(b)).collect(),
            Set::One(_) | Set::Marked => tokens.set(set).collect(),
        }
    }

    /// Returns the permutation that gives these faces, separated by spaces, to the tokens of `places` in
    /// their order, followed by the rest in the order of the faces' numbers. `places` lists the tokens of
    /// `set` from the top. Entry i belongs to the i-th token of the set, ascending: it gets the face that
    /// token number `order[i]` of the set had.
    ///
    /// # Errors
    ///
    /// Fails if a word is no face, if a face is not among the mixed tokens any more, or if this observer
    /// lacks a face.
    fn order_of(&self, set: Set, places: Vec<Token>, faces: &str) -> Result<Vec<u16>, ScriptError> {
        let tokens: Vec<Token> = self.state.tokens().set(set).collect();
        let mut left: Vec<(u8, u16)> = tokens
            .iter()
            .enumerate()
            .map(|(i, &t)| self.face(t).map(|f| (f.index(), i as u16)).ok_or(RuleError::face_needed(t)))
            .collect::<Result<_, _>>()?;
        left.sort_unstable();
        let mut from = Vec::with_capacity(left.len());
        for word in faces.split_whitespace() {
            let face: G::Face = word.parse()?;
            let Some(at) = left.iter().position(|&(f, _)| f == face.index()) else {
                return Err(ParseError::new(word, "among the tokens that are mixed (any more)").into());
            };
            from.push(left.remove(at).1);
        }
        from.extend(left.into_iter().map(|(_, i)| i));
        let mut order = vec![0; tokens.len()];
        for (place, source) in places.iter().zip(from) {
            if let Some(i) = tokens.iter().position(|t| t == place) {
                order[i] = source;
            }
        }
        Ok(order)
    }
}

/// Why a scripted event of nature failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScriptError {
    /// The text could not be parsed.
    #[error(transparent)]
    Unreadable(#[from] ParseError),
    /// The event does not resolve the awaited node.
    #[error(transparent)]
    Rejected(#[from] RuleError),
}
