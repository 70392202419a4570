//! The default board: draws any game from its zones, its tokens, its texts ([`Describe`]) and the legal list.
//!
//! Each function is the default of the method of [`Board`] with the same name. A game replaces single methods by its
//! own and keeps the rest.

mod cover;
mod grid;
mod guide;
mod pieces;
mod zones;

pub(crate) use cover::cover;

use crate::board::{Board, Hand, Key, Look, Note, SeatPanel};
use crate::markup::{El, b, div, el, span};
use crate::ui::Ui;
use crate::words::{capital, plain};
use pentarchy_engine::describe::awaited_plainly;
use pentarchy_engine::{
    Describe, Face, FaceLook, GameInfo, Node, Observer, Position, Seat, Size, TableLayout, TableNumber,
};

/// Returns the look of a game without one of its own: the pitch of `info`, the icon `poker-hand` for a game with
/// tokens and `chess-knight` for others, and no cover, which means a generated one. The seats have the colours 1 to
/// 6; the large number of a seat is called `Standing`, and the score has no parts.
pub(crate) const fn look(info: GameInfo, has_tokens: bool) -> Look {
    Look {
        emblem: if has_tokens { "poker-hand" } else { "chess-knight" },
        pitch: info.pitch,
        cover: "",
        colours: [1, 2, 3, 4, 5, 6],
        counts: "Standing",
        parts: &[],
    }
}

/// Draws the table: the zones of the other seats on top, then grids, joint zones and numbers, then the open zones of
/// `ui.seat`. Each part is left out if it is empty. A game without a [`layout`](Describe::layout) also shows its
/// table as text.
pub(crate) fn draw<G: Board>(view: &Position<G>, ui: &Ui) -> El {
    let layout = G::layout(view);
    let numbers = layout.as_ref().map_or(&[][..], |layout| &layout.numbers);
    let others: Vec<El> = (0..view.seats())
        .map(Seat)
        .filter(|seat| Some(*seat) != ui.seat)
        .filter_map(|seat| zones::lane(view, seat, numbers, ui))
        .collect();
    let own = ui.seat.and_then(|seat| zones::lane(view, seat, numbers, ui));
    let grids = layout.iter().flat_map(|layout| &layout.grids).map(|each| grid::grid(each, ui));
    let grids: Vec<El> = grids.collect();
    let joint: Vec<El> = zones::joint(view, ui)
        .into_iter()
        .chain(numbers.iter().filter(|number| number.seat.is_none()).map(number_el))
        .collect();
    let text = layout.is_none().then(|| text(view, ui));
    let middle = div("dmid")
        .class_if(grids.is_empty(), "felt")
        .kids(grids)
        .kid_if((!joint.is_empty()).then(|| div("djoint").kids(joint)))
        .kid_if(text);
    div("dboard")
        .class_if(G::Size::TOKENS == 0, "nohand")
        .kid_if((!others.is_empty()).then(|| div("dlanes").kids(others)))
        .kid(middle)
        .kid_if(own.map(|own| div("dlanes own").kid(own)))
}

/// Draws a number of the table, such as a pot, above its name. A change counts up or down when the number is drawn
/// again.
fn number_el(number: &TableNumber) -> El {
    div("dnum")
        .kid(b(number.value.clone()).class("num").tick(format!("table {}", number.name)))
        .kid(span("lbl").text(capital(number.name)))
}

/// Draws the table of the terminal as preformatted text, without colours and with the names of the players from `ui`.
fn text<G: Board>(view: &Position<G>, ui: &Ui) -> El {
    let table = without_ansi(&G::table(view));
    let lines: Vec<String> = table.trim_end().lines().map(|line| plain(line, ui)).collect();
    el("pre").class("dtext").set("tabindex", "0").text(lines.join("\n"))
}

/// Returns the text without ANSI escape sequences: drops what stands from each `ESC` to the next `m`, or to the next
/// `ESC` or the end if there is no `m`.
fn without_ansi(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |out, part| out + part.split_once('m').map_or("", |(_, rest)| rest))
}

/// Draws the tokens in the zones of `ui.seat` that are not open, in the order of zones. `None` for a spectator and
/// for a seat without such tokens.
pub(crate) fn hand<G: Board>(view: &Position<G>, ui: &Ui) -> Option<Hand> {
    let seat = ui.seat?;
    let tokens = view.state().tokens();
    let held = zones::of_seat(view, seat, false).flat_map(|zone| tokens.iter(zone));
    let cards: Vec<El> = held.map(|token| pieces::token(view, token, "L", ui)).collect();
    (!cards.is_empty()).then(|| Hand { label: "Your hand".into(), cards, ..Hand::default() })
}

/// Returns the panel of a seat. The large number is its first number of the layout; without one, its score after the
/// end, before that how many tokens its zones hold, or `–` if none. The small numbers are its other numbers of the
/// layout and, if it has tokens and their number is not the large one, how many: at most three in all. It says
/// `Choosing` while the seat decides. No seat is ever out.
pub(crate) fn seat<G: Board>(view: &Position<G>, seat: Seat) -> SeatPanel {
    let layout = G::layout(view).unwrap_or_default();
    let mut own = layout.numbers.into_iter().filter(|number| number.seat == Some(seat));
    let (held, dice) = holdings(view, seat);
    let noun = if dice { "dice" } else { "cards" };
    let first = own.next();
    let mut small: Vec<_> = own.map(|number| (number.name.into(), number.value)).collect();
    if held > 0 && (first.is_some() || view.outcome().is_some()) {
        small.push((noun.into(), held.to_string()));
    }
    small.truncate(3);
    let number = match (first, view.outcome()) {
        (Some(number), _) => number.value,
        (None, Some(outcome)) => outcome.score(seat).to_string(),
        (None, None) if held > 0 => held.to_string(),
        (None, None) => "–".to_string(),
    };
    let doing = if view.node() == Node::Decide(seat) { "Choosing" } else { "" };
    SeatPanel { number, small, doing: doing.to_string(), ..SeatPanel::default() }
}

/// Returns how many tokens the zones of a seat hold, open or not, and whether the first of them is a die (of the
/// zones that are not open, if they hold any), so that the panel can call them dice or cards. False without tokens.
fn holdings<G: Board>(view: &Position<G>, seat: Seat) -> (usize, bool) {
    let tokens = view.state().tokens();
    let held = [false, true].into_iter().flat_map(|open| zones::of_seat(view, seat, open));
    let held: Vec<_> = held.flat_map(|zone| tokens.iter(zone)).collect();
    (held.len(), held.first().is_some_and(|&token| pieces::is_die(view, token)))
}

/// Appends to `path` the keys of the tokens, places and joint zones that the canonical text of an action names, in
/// the order of its words. Other words add nothing.
pub(crate) fn touches<G: Board>(view: &Position<G>, action: G::Action, path: &mut Vec<Key>) {
    let layout = G::layout(view).unwrap_or_default();
    for word in action.to_string().split_whitespace() {
        path.extend(key_of(view, &layout, word));
    }
}

/// Returns the key of what a word of an action names, by the first that fits: a token of the match (`#17`), a place
/// of a grid (`at e4`) or a joint zone (`zone deck`). `None` if it names none of them.
fn key_of<G: Board>(view: &Position<G>, layout: &TableLayout, word: &str) -> Option<Key> {
    if word.starts_with('#') {
        let tokens = view.state().tokens();
        return tokens.all().any(|token| token.to_string() == word).then(|| word.to_string());
    }
    if layout.grids.iter().flat_map(|grid| &grid.cells).any(|cell| cell.place == word) {
        return Some(grid::key(word));
    }
    zones::all::<G>()
        .find(|&zone| view.state().owner(zone).is_none() && G::zone_name(zone) == word)
        .map(zones::key::<G>)
}

/// Returns what the prompt says is awaited: the game's own sentence, adapted by [`Board::worded`]. For a decision
/// that the game does not describe, returns an instruction to the deciding observer and `@0 is choosing.` to all
/// others.
pub(crate) fn prompt<G: Board>(view: &Position<G>) -> String {
    let said = G::awaited(view);
    match view.node() {
        Node::Decide(seat) if said == awaited_plainly::<G>(view.node()) => {
            if view.observer() == Observer::Seat(seat) {
                instruction(view).to_string()
            } else {
                format!("@{seat} is choosing.")
            }
        }
        _ => G::worded(view, said),
    }
}

/// Returns the instruction to the deciding observer, by what the legal actions touch first:
/// `Choose a highlighted place` or `Choose a highlighted card` if all touch one, otherwise `Choose an action`.
fn instruction<G: Board>(view: &Position<G>) -> &'static str {
    let mut list = Vec::new();
    // An observer that does not know the list gets the general instruction.
    let _ = view.legal(&mut list);
    let firsts: Vec<Option<Key>> = list
        .into_iter()
        .map(|action| {
            let mut path = Vec::new();
            G::touches(view, action, &mut path);
            path.into_iter().next()
        })
        .collect();
    let all =
        |prefix: &str| firsts.iter().flatten().filter(|key| key.starts_with(prefix)).count() == firsts.len();
    match () {
        () if firsts.is_empty() => "Choose an action",
        () if all("at ") => "Choose a highlighted place",
        () if all("#") => "Choose a highlighted card",
        () => "Choose an action",
    }
}

/// Returns the note about a token whose face the observer knows (name and text), or about a zone (`zone deck`, with
/// its number of tokens). The text is empty if the game has none or it repeats the name. `None` for other keys.
pub(crate) fn explain<G: Board>(view: &Position<G>, key: &str) -> Option<Note> {
    if let Some(name) = key.strip_prefix("zone ") {
        let zone = zones::all::<G>().find(|&zone| G::zone_name(zone) == name)?;
        let count = view.state().tokens().len(zone);
        return Some(Note { title: capital(name), text: format!("{count} in it.") });
    }
    let token = view.state().tokens().all().find(|token| token.to_string() == key)?;
    let face = view.face(token)?;
    let title = match G::face_look(face) {
        FaceLook::Card { name, .. } => capital(&name),
        FaceLook::Die(shows) => format!("Die: {shows}"),
    };
    let text = G::card_text(face).filter(|text| !text.eq_ignore_ascii_case(&title)).unwrap_or_default();
    Some(Note { title, text })
}

/// Returns the final score of a seat, 0 before the end.
pub(crate) fn score<G: Board>(view: &Position<G>, seat: Seat) -> i32 {
    view.outcome().map_or(0, |outcome| outcome.score(seat))
}

/// Returns whether every face that a token of this game can have is a die. False for a game without faces.
fn is_dice_game<G: Describe>() -> bool {
    let mut faces = (0..G::Face::KINDS).map(|index| G::face_look(G::Face::nth(index as u8)));
    G::Face::KINDS > 0 && faces.all(|look| matches!(look, FaceLook::Die(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_of_the_terminal_are_removed() {
        assert_eq!(without_ansi("a\u{1b}[31mred\u{1b}[0m b"), "ared b");
        assert_eq!(without_ansi("plain"), "plain");
        assert_eq!(without_ansi("cut\u{1b}[3"), "cut");
    }
}
