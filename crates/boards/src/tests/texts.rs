//! The texts that a player can read, collected from whole games into one file per game (`docs/texts/`, or the folder of a game that is not shipped), so that a person
//! can read them all in one sitting. The files are golden: a change of a text shows as a difference.
//!
//! Sentences that differ only in numbers and names count as one; the first one that came up stands for them. Every
//! single text is checked by [`faults`](super::faults), not only those that are listed.

use super::faults::fault;
use super::template::{line_of, sentences, template, variable_names};
use crate::board::{Board, Chapter, SeenEvent};
use crate::games::with_games;
use crate::gesture::gestures;
use crate::markup::{El, MarkupNode};
use crate::ui::Ui;
use crate::words::{capital, plain};
use pentarchy_engine::{AppliedEvent, Face, LoggedEventOf, Metrics, Node, Options, Position, Rng, Seat};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write;
use std::path::Path;

/// How many games are played for one file, and how many events of each at most.
const GAMES: u64 = 24;
const MOST_EVENTS: u64 = 1500;

/// The names of the players. The texts are those that the first of them reads.
pub(crate) const PLAYERS: [&str; 6] = ["You", "Sena", "Ilex", "Quill", "Tamsin", "Boreas"];

/// The headings of a file, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Heading {
    Guide,
    Prompt,
    Others,
    Narrowed,
    Label,
    Row,
    Ask,
    Merit,
    Log,
    Report,
    Ledger,
    Doing,
    Panel,
    Board,
    Spoken,
    Note,
    WhyNot,
    End,
    Card,
    Options,
}

impl Heading {
    /// Returns whether these texts are taken from drawn elements.
    fn is_drawn(self) -> bool {
        matches!(self, Heading::Report | Heading::Board | Heading::Spoken)
    }

    /// Returns the title of the section.
    fn title(self) -> &'static str {
        match self {
            Heading::Guide => "Guide",
            Heading::Prompt => "Prompts",
            Heading::Others => "While others decide",
            Heading::Narrowed => "Prompts after a first click",
            Heading::Label => "Actions",
            Heading::Row => "Actions in the list",
            Heading::Ask => "Questions before an action, what follows, and the button",
            Heading::Merit => "Reasons of hints",
            Heading::Log => "Log",
            Heading::Report => "Reports and dialogs",
            Heading::Ledger => "Ledger",
            Heading::Doing => "Beside a seat",
            Heading::Panel => "Cover, seats and steps",
            Heading::Board => "On the board",
            Heading::Spoken => "For screen readers",
            Heading::Note => "Tooltips",
            Heading::WhyNot => "Why a piece cannot be used",
            Heading::End => "The end",
            Heading::Card => "Cards",
            Heading::Options => "Options",
        }
    }
}

/// What is still to be learned of one heading.
#[derive(Default)]
struct Found {
    /// The templates of all sentences so far.
    templates: BTreeSet<String>,
    /// The texts that are listed.
    texts: BTreeSet<String>,
    /// All texts so far.
    seen: HashSet<String>,
}

/// The texts found so far.
struct Texts {
    ui: Ui,
    found: BTreeMap<Heading, Found>,
    /// Names of people and things, long names first, so that no part of one is taken for another.
    names: Vec<String>,
    /// What is wrong with which text, by its template.
    faults: BTreeMap<String, String>,
}

impl Texts {
    /// Adds a text as a whole, if one of its sentences is new.
    fn add(&mut self, heading: Heading, text: &str) {
        let text = plain(text, &self.ui).trim().to_string();
        if text.is_empty() {
            return;
        }
        if !self.found.entry(heading).or_default().seen.insert(text.clone()) {
            return;
        }
        self.check(heading, &text);
        let found = self.found.entry(heading).or_default();
        let mut fresh = false;
        for sentence in sentences(&text) {
            fresh |= found.templates.insert(template(sentence, &self.names));
        }
        if fresh {
            found.texts.insert(text);
        }
    }

    /// Adds each sentence of a text for itself.
    fn add_sentences(&mut self, heading: Heading, text: &str) {
        let text = plain(text, &self.ui);
        for sentence in sentences(&text) {
            self.add(heading, sentence);
        }
    }

    /// Checks a text and notes its first fault, once for each template.
    fn check(&mut self, heading: Heading, text: &str) {
        if let Some(fault) = fault(heading, text) {
            let template = template(text, &self.names);
            self.faults.entry(template).or_insert(format!("{}: {text:?}: {fault}", heading.title()));
        }
    }

    /// Adds the texts of an element: the visible ones, and those for screen readers.
    fn add_drawn(&mut self, heading: Heading, drawn: &El) {
        self.add_spoken(drawn);
        self.add_lines(heading, drawn);
    }

    /// Adds what is drawn, line by line.
    fn add_lines(&mut self, heading: Heading, drawn: &El) {
        let is_line = matches!(drawn.tag, "p" | "h2" | "h3" | "li" | "span" | "b" | "small" | "text");
        if is_line {
            return self.add_line(heading, &line_of(drawn));
        }
        for kid in &drawn.kids {
            match kid {
                MarkupNode::El(kid) => self.add_lines(heading, kid),
                MarkupNode::Text(text) => self.add_line(heading, text),
            }
        }
    }

    /// Adds a line if it has letters.
    fn add_line(&mut self, heading: Heading, text: &str) {
        if text.contains(char::is_alphabetic) {
            self.add(heading, text);
        }
    }

    /// Adds the labels for screen readers and the titles.
    fn add_spoken(&mut self, drawn: &El) {
        for text in ["aria-label", "title"].into_iter().filter_map(|name| drawn.get(name)) {
            self.add(Heading::Spoken, text);
        }
        for kid in &drawn.kids {
            if let MarkupNode::El(kid) = kid {
                self.add_spoken(kid);
            }
        }
    }
}

/// Collects the texts of a game from whole matches. Returns the golden file and the faults.
fn collect<G: Board + Metrics>() -> (String, Vec<String>) {
    let mut names: Vec<String> = G::items().into_iter().map(|item| item.name).collect();
    names.extend(PLAYERS[1..].iter().copied().chain(variable_names(G::INFO.name)).map(str::to_string));
    // What a card does is listed once, with the card.
    let faces = || (0..G::Face::KINDS).map(|index| G::Face::nth(index as u8));
    let bare = Ui::default();
    for text in faces().filter_map(G::card_text).map(|text| plain(&text, &bare)) {
        let effect = text.split_once(": ").map_or("", |(_, effect)| effect);
        names.extend(sentences(effect).into_iter().map(str::to_string).chain([effect.to_string()]));
    }
    names.retain(|name| !name.is_empty());
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let ui = Ui {
        seat: Some(Seat(0)),
        names: PLAYERS.map(str::to_string).to_vec(),
        colours: G::LOOK.colours.to_vec(),
        ..Ui::default()
    };
    let mut texts = Texts { ui, found: BTreeMap::new(), names, faults: BTreeMap::new() };
    // Every step of the guide, card and option has its own text, even if two differ in a number only.
    let mut list = |heading: Heading, text: String| {
        let text = plain(&text, &texts.ui);
        texts.check(heading, &text);
        texts.found.entry(heading).or_default().texts.insert(text);
    };
    let steps = G::GUIDE.steps.iter().map(|step| step.text);
    for (i, text) in steps.chain([G::GUIDE.otherwise, G::GUIDE.farewell]).enumerate() {
        list(Heading::Guide, format!("{:02}. {text}", i + 1));
    }
    let mut effects = BTreeSet::new();
    for face in faces() {
        let Some(text) = G::card_text(face) else { continue };
        // Equal cards with other names, such as the militias of two cities, are listed once.
        if effects.insert(text.split_once(": ").map_or(text.clone(), |(_, effect)| effect.to_string())) {
            list(Heading::Card, format!("{face}: {text}"));
        }
    }
    for text in [G::LOOK.pitch, G::LOOK.counts].into_iter().chain(G::LOOK.parts.iter().copied()) {
        texts.add(Heading::Panel, text);
    }
    for field in <G::Options as Options>::FIELDS {
        texts.add(Heading::Options, field.doc);
    }
    for game in 0..GAMES {
        let seats = G::INFO.min_seats.max(2) + (game % 3) as u8;
        play::<G>(&mut texts, seats.min(G::INFO.max_seats), game);
    }
    let mut out = format!("# {}: every text\n\n", G::INFO.title);
    out += "Generated from whole games by `cargo xtask golden`; read it when you change a text. You are the first seat.\n";
    let templates = |heading: &Heading| texts.found[heading].templates.iter();
    let elsewhere: BTreeSet<String> =
        texts.found.keys().filter(|heading| !heading.is_drawn()).flat_map(templates).cloned().collect();
    let mut drawn: BTreeSet<String> = BTreeSet::new();
    for (&heading, found) in &texts.found {
        // Writing to a string does not fail.
        let _ = write!(out, "\n## {}\n\n", heading.title());
        for text in &found.texts {
            let mut parts = sentences(text).into_iter().map(|sentence| template(sentence, &texts.names));
            // Panels repeat much of what is said elsewhere.
            if !heading.is_drawn() || parts.any(|part| !elsewhere.contains(&part) && drawn.insert(part)) {
                let _ = writeln!(out, "- {text}");
            }
        }
    }
    (out, texts.faults.into_values().collect())
}

/// Plays a game, partly well and partly at random, and listens all along at the first seat.
fn play<G: Board + Metrics>(texts: &mut Texts, seats: u8, seed: u64) {
    let Ok(mut position) = Position::<G>::new(seats, &G::Options::default()) else { return };
    let me = Seat(0);
    let mut rng = Rng::stream(seed, 11);
    let (mut list, mut rates, mut episode) = (Vec::new(), Vec::new(), Vec::new());
    for event in 0..MOST_EVENTS {
        let before = position.view(me);
        let line = match position.node() {
            Node::Over => break,
            Node::Decide(seat) => {
                hear(texts, &before, seat == me, event % 7 == 0);
                position.legal(&mut list).unwrap();
                rates.clear();
                position.state().rate(&position.own(seat), &list, &mut rates);
                let best = rates.iter().max().copied();
                let any = rng.below(list.len() as u32) as usize;
                let good = rates.iter().position(|&rate| Some(rate) == best);
                let chosen = if rng.below(2) == 0 { any } else { good.unwrap_or(any) };
                position.play_line(list[chosen]).unwrap()
            }
            node => {
                if !matches!(node, Node::Declare(_)) {
                    texts.add(Heading::Others, &G::prompt(&before));
                }
                position.advance_facts(&mut rng).unwrap().unwrap().0
            }
        };
        follow(texts, &before, &line, &position.view(me), &mut episode);
    }
    if position.node() == Node::Over {
        texts.add_sentences(Heading::End, &G::verdict(&position).unwrap_or_default());
    }
}

/// Adds the texts of the page at a decision. `closely` adds the dialog and the texts of all pieces.
fn hear<G: Board>(texts: &mut Texts, view: &Position<G>, mine: bool, closely: bool) {
    let asked = G::prompt(view);
    texts.add(if mine { Heading::Prompt } else { Heading::Others }, &asked);
    for seat in (0..view.seats()).map(Seat) {
        let panel = G::seat(view, seat);
        texts.add(Heading::Doing, &panel.doing);
        panel.small.iter().for_each(|(what, _)| texts.add(Heading::Panel, what));
    }
    let steps = G::steps(view);
    texts.add(Heading::Panel, &steps.round);
    steps.names.iter().for_each(|name| texts.add(Heading::Panel, name));
    let mut ui = Ui { mine, ..texts.ui.clone() };
    if let Some(dialog) = G::dialog(view, &ui).filter(|_| closely) {
        texts.add_drawn(Heading::Report, &dialog);
    }
    if !mine {
        return;
    }
    let mut list = Vec::new();
    view.legal(&mut list).unwrap();
    let (mut keys, mut paths) = (Vec::new(), Vec::new());
    for &action in &list {
        let label = capital(&G::worded(view, G::label(view, action)));
        texts.add(Heading::Label, &format!("{}: {label}", G::kind(action)));
        let row = G::row(view, action);
        let row = [row.label.unwrap_or(label), row.value.unwrap_or_default()];
        texts.add(Heading::Row, capital(&row.join(" | ")).trim_end_matches([' ', '|']));
        if let Some(ask) = G::ask(view, action) {
            let text = [ask.question, ask.consequence, format!("[{}]", ask.verb)];
            texts.add(
                Heading::Ask,
                &text.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" "),
            );
        }
        let mut path = Vec::new();
        G::touches(view, action, &mut path);
        keys.extend(path.iter().cloned());
        paths.push(path);
    }
    ui.lit = paths.iter().filter_map(|path| path.first().cloned()).collect();
    if !closely {
        return;
    }
    let usable: BTreeSet<String> = keys.iter().cloned().collect();
    let firsts = ui.lit.clone();
    for key in firsts.iter().map(Some).chain([None]) {
        ui.chosen = key.into_iter().cloned().collect();
        let follows = |path: &Vec<String>| path.get(ui.chosen.len()).cloned();
        ui.lit = paths.iter().filter(|path| path.starts_with(&ui.chosen)).filter_map(follows).collect();
        if let Some(ask) = G::narrowed(view, &ui) {
            let text = [ask.question, ask.consequence].join(" / ");
            texts.add(Heading::Narrowed, text.trim_matches([' ', '/']));
        }
        texts.add(Heading::Narrowed, &G::next(view, &ui.chosen).unwrap_or_default());
    }
    gestures(view, |gesture| {
        let merit = G::merit(gesture.at, gesture.action).map(|text| G::worded(gesture.at, text));
        texts.add(Heading::Merit, &merit.unwrap_or_default());
    });
    // Every piece that is drawn can be asked about.
    let mut drawn = vec![G::draw(view, &ui)];
    if let Some(hand) = G::hand(view, &ui) {
        texts.add(Heading::Board, &hand.label);
        texts.add(Heading::Board, &hand.note);
        drawn.extend(hand.cards.into_iter().chain(hand.beside));
    }
    drawn.extend(G::rail(view, &ui));
    drawn.extend((0..view.seats()).filter_map(|seat| G::seat(view, Seat(seat)).more));
    for el in &drawn {
        keys_of(el, &mut keys);
        texts.add_drawn(Heading::Board, el);
    }
    keys.sort();
    keys.dedup();
    for key in &keys {
        if let Some(note) = G::explain(view, key) {
            texts.add(Heading::Note, format!("{}: {}", note.title, note.text).trim_end_matches(": "));
        }
        if !usable.contains(key) {
            texts.add(Heading::WhyNot, &G::why_not(view, key).unwrap_or_default());
        }
    }
}

/// Adds the keys of an element and its descendants to `out`.
fn keys_of(el: &El, out: &mut Vec<String>) {
    out.extend(el.get("data-key").map(str::to_string));
    for kid in &el.kids {
        if let MarkupNode::El(kid) = kid {
            keys_of(kid, out);
        }
    }
}

/// Adds the texts of the page about an event.
fn follow<G: Board>(
    texts: &mut Texts,
    before: &Position<G>,
    line: &LoggedEventOf<G>,
    after: &Position<G>,
    episode: &mut Vec<SeenEvent<G>>,
) {
    let told = line.for_seat(Some(Seat(0)));
    let facts = before.facts(&told);
    let event = AppliedEvent { before, line: &told, facts: &facts, after };
    let text = G::log(&event).map(|text| G::worded(after, text));
    texts.add_sentences(Heading::Log, &text.unwrap_or_default());
    for change in G::changes(&event) {
        texts.add(Heading::Ledger, &change.why);
    }
    if let Some(Chapter::GoesOn(text)) = G::chapter(&event) {
        texts.add_sentences(Heading::Report, &text);
    }
    episode.push(SeenEvent { before: before.clone(), line: told, facts });
    if !G::in_episode(after) {
        if let Some(report) = G::retell(episode, after, &texts.ui) {
            texts.add_sentences(Heading::Report, &report.summary);
            texts.add_drawn(Heading::Report, &report.el);
        }
        episode.clear();
    }
}

/// Compares with the file, or writes it: `docs/texts/NAME.md`, or `texts.md` in the folder of a game that is not shipped.
/// Such a game may have none; then the texts are only checked for faults.
fn check<G: Board + Metrics>() {
    let (root, name) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), G::INFO.name);
    let path = match super::is_shipped(name) {
        true => root.join("docs/texts").join(format!("{name}.md")),
        false => root.join("crates/games").join(name).join("texts.md"),
    };
    let (text, faults) = collect::<G>();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &text).unwrap();
    }
    assert!(faults.is_empty(), "texts with faults:\n{}", faults.join("\n"));
    if !super::is_shipped(name) && !path.exists() {
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = text.lines().zip(kept.lines()).find(|(now, kept)| now != kept);
    assert!(
        text == kept,
        "{} differs at {differs:?}: run `cargo xtask golden`, read the difference, and commit it",
        path.display()
    );
}

macro_rules! text_tests {
    ($([$board:ident] $name:ident: $game:ty,)*) => {$(
        mod $name {
            #[test]
            fn golden_texts() {
                super::check::<$game>();
            }
        }
    )*};
}
with_games!(text_tests);
