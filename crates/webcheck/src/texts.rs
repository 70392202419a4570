//! Every sentence that a player can read, collected from whole games into one file per game (`docs/texts/`), so that a
//! person can read them all in one sitting. The files are golden: a change of a text shows as a difference.
//!
//! Sentences that differ only in numbers and names count as one; the first one that came up stands for them.

use crate::board::Board;
use crate::markup::{El, Node as Part};
use crate::ui::Ui;
use crate::words::{capital, plain};
use pentarchy_engine::{Face, LineOf, Metrics, Node, Options, Position, Rng, Seat};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// How many games are played for one file, and how many events of each at most.
const GAMES: u64 = 24;
const MOST_EVENTS: u64 = 1500;

/// The headings of a file, in their order.
const PROMPT: &str = "Prompts";
const OTHERS: &str = "While others decide";
const LABEL: &str = "Actions in the list";
const ASK: &str = "Questions before an action, what follows, and the button";
const LOG: &str = "Log";
const DOING: &str = "Beside a seat";
const NOTE: &str = "Tooltips";
const WHY_NOT: &str = "Why a piece cannot be used";
const LEDGER: &str = "Ledger";
const END: &str = "The end";
const GUIDE: &str = "Guide";
const CARD: &str = "Cards";
const OPTION: &str = "Options";
const ORDER: [&str; 13] =
    [GUIDE, PROMPT, OTHERS, LABEL, ASK, LOG, LEDGER, DOING, NOTE, WHY_NOT, END, CARD, OPTION];

/// The sentences found so far: by heading, the first of each kind by its template.
struct Texts {
    ui: Ui,
    found: BTreeMap<&'static str, BTreeMap<String, String>>,
    names: Vec<String>,
}

impl Texts {
    fn add(&mut self, heading: &'static str, text: &str) {
        let text = plain(text, &self.ui);
        if !text.trim().is_empty() {
            let template = template(&text, &self.names);
            self.found.entry(heading).or_default().entry(template).or_insert(text);
        }
    }
}

/// The sentence without what varies: numbers, and names of people and things.
fn template(text: &str, names: &[String]) -> String {
    let mut text = text.to_string();
    for name in names {
        text = text.replace(name.as_str(), "X");
    }
    let mut out = String::new();
    let mut number = false;
    for c in text.chars() {
        if c.is_ascii_digit() {
            if !number {
                out.push('N');
            }
            number = true;
        } else {
            number = false;
            out.push(c);
        }
    }
    // Lists of names and several numbers in a row are one of each.
    for (many, one) in [("X, X", "X"), ("X and X", "X"), ("X X", "X"), ("N, N", "N"), ("N N", "N")] {
        while out.contains(many) {
            out = out.replace(many, one);
        }
    }
    out
}

fn collect<G: Board + Metrics>(places: &[&str]) -> String {
    let players = ["You", "Sena", "Ilex", "Quill", "Tamsin", "Boreas"];
    let mut names: Vec<String> = G::items().into_iter().map(|item| item.name).collect();
    names.extend(players[1..].iter().chain(places).map(|name| name.to_string()));
    let ui = Ui {
        seat: Some(Seat(0)),
        names: players.map(str::to_string).to_vec(),
        colours: G::LOOK.colours.to_vec(),
        ..Ui::default()
    };
    // Long names first, so that no part of one is taken for another.
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let mut texts = Texts { ui, found: BTreeMap::new(), names };
    for step in G::GUIDE.steps {
        texts.add(GUIDE, step.text);
    }
    texts.add(GUIDE, G::GUIDE.otherwise);
    texts.add(GUIDE, G::GUIDE.farewell);
    for index in 0..G::Face::KINDS {
        let face = G::Face::nth(index as u8);
        if let Some(text) = G::card_text(face) {
            // Every card has its own text, even if two differ in a number only.
            let text = plain(&text, &texts.ui);
            texts.found.entry(CARD).or_default().insert(format!("{index:03}"), format!("{face}: {text}"));
        }
    }
    for field in <G::Options as Options>::FIELDS {
        texts.add(OPTION, field.doc);
    }
    for game in 0..GAMES {
        let seats = G::INFO.min_seats.max(2) + (game % 3) as u8;
        play::<G>(&mut texts, seats.min(G::INFO.max_seats), game);
    }
    let mut out = format!("# {}: every text\n\n", G::INFO.title);
    out += "Generated from whole games by `cargo xtask golden`; read it when you change a text. You are the first seat.\n";
    for heading in ORDER {
        let Some(found) = texts.found.get(heading) else { continue };
        // Writing to a string does not fail.
        let _ = write!(out, "\n## {heading}\n\n");
        for text in found.values() {
            let _ = writeln!(out, "- {}", text.replace('\n', " / "));
        }
    }
    out
}

/// Plays a game, partly well and partly at random, and listens all along at the first seat.
fn play<G: Board + Metrics>(texts: &mut Texts, seats: u8, seed: u64) {
    let Ok(mut position) = Position::<G>::new(seats, &G::Options::default()) else { return };
    let me = Seat(0);
    let mut rng = Rng::stream(seed, 11);
    let (mut list, mut rates) = (Vec::new(), Vec::new());
    for event in 0..MOST_EVENTS {
        let before = position.view(me);
        match position.node() {
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
                let line = position.play_line(list[chosen]).unwrap();
                follow(texts, &before, &line, &position.view(me));
            }
            Node::Declare(_) => {
                position.legal(&mut list).unwrap();
                let line = position.play_line(list[0]).unwrap();
                follow(texts, &before, &line, &position.view(me));
            }
            _ => {
                texts.add(OTHERS, &G::worded(&before, G::awaited(&before)));
                let line = position.resolve_line(&mut rng).unwrap();
                follow(texts, &before, &line, &position.view(me));
            }
        }
    }
    if position.node() == Node::Over {
        texts.add(END, &G::verdict(&position).unwrap_or_default());
    }
}

/// What the page says at a decision.
fn hear<G: Board>(texts: &mut Texts, view: &Position<G>, mine: bool, closely: bool) {
    let asked = G::worded(view, G::awaited(view));
    texts.add(if mine { PROMPT } else { OTHERS }, &asked);
    for seat in (0..view.seats()).map(Seat) {
        texts.add(DOING, &G::seat(view, seat).doing);
    }
    if !mine {
        return;
    }
    let mut list = Vec::new();
    view.legal(&mut list).unwrap();
    let mut keys = Vec::new();
    for &action in &list {
        let label = capital(&G::worded(view, G::label(view, action)));
        texts.add(LABEL, &format!("{}: {label}", G::kind(action)));
        if let Some(ask) = G::ask(view, action) {
            texts.add(ASK, &format!("{} {} [{}]", ask.question, ask.consequence, ask.verb));
        }
        G::touches(view, action, &mut keys);
    }
    if !closely {
        return;
    }
    // Every piece that is drawn can be asked about.
    let ui = Ui { mine, ..texts.ui.clone() };
    let mut drawn = vec![G::draw(view, &ui)];
    drawn.extend(G::hand(view, &ui).into_iter().flat_map(|hand| hand.cards));
    drawn.iter().for_each(|el| keys_of(el, &mut keys));
    keys.sort();
    keys.dedup();
    for key in &keys {
        if let Some(note) = G::explain(view, key) {
            texts.add(NOTE, &format!("{}: {}", note.title, note.text));
        }
        texts.add(WHY_NOT, &G::why_not(view, key).unwrap_or_default());
    }
}

fn keys_of(el: &El, out: &mut Vec<String>) {
    out.extend(el.get("data-key").map(str::to_string));
    for kid in &el.kids {
        if let Part::El(kid) = kid {
            keys_of(kid, out);
        }
    }
}

/// What the page says of an event.
fn follow<G: Board>(texts: &mut Texts, before: &Position<G>, line: &LineOf<G>, after: &Position<G>) {
    let told = line.for_seat(Some(Seat(0)));
    let text = G::log(before, &told, after).map(|text| G::worded(after, text));
    texts.add(LOG, &text.unwrap_or_default());
    for seat in (0..after.seats()).map(Seat) {
        if G::score(before, seat) != G::score(after, seat) {
            texts.add(LEDGER, &G::reason(before, line, after, seat));
        }
    }
}

/// Compares with the file, or writes it.
fn check<G: Board + Metrics>(places: &[&str]) {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/texts").join(format!("{}.md", G::INFO.name));
    let text = collect::<G>(places);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        return std::fs::write(&path, text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = text.lines().zip(kept.lines()).find(|(now, kept)| now != kept);
    assert!(
        text == kept,
        "{} differs at {differs:?}: run `cargo xtask golden`, read the difference, and commit it",
        path.display()
    );
}

#[test]
fn golden_texts_of_hegemony() {
    check::<pentarchy_hegemony::Hegemony>(&[]);
}

#[test]
fn golden_texts_of_hestia() {
    let places: Vec<&str> = pentarchy_hestia::map::Place::all().map(|place| place.spot().name).collect();
    check::<pentarchy_hestia::Hestia>(&places);
}

#[test]
fn golden_texts_of_numeral() {
    check::<pentarchy_numeral::Numeral>(&[]);
}

#[test]
fn golden_texts_of_ozymandias() {
    check::<pentarchy_ozymandias::Ozymandias>(&[]);
}

#[test]
fn golden_texts_of_vires() {
    check::<pentarchy_vires::Vires>(&[]);
}
