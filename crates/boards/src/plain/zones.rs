//! Zones of the default board: piles with counts, and rows of tokens.

use super::pieces;
use crate::board::{Board, Key};
use crate::markup::{El, b, div, span};
use crate::ui::Ui;
use crate::words::capital;
use pentarchy_engine::{Position, Seat, Size, TableNumber, Token, Zone};

/// Maximum number of tokens of a zone that are drawn one by one, unless they can be clicked.
const MOST_DRAWN: usize = 12;

/// Number of cards that are drawn of a pile; the others lie below them.
const PILE_DRAWN: usize = 3;

/// Maximum number of zones of a game whose empty joint zones are drawn.
const FEW_ZONES: usize = 12;

/// Iterates over all zones of a game by their number, also those without an owner.
pub(super) fn all<G: Board>() -> impl Iterator<Item = Zone> {
    (0..G::Size::ZONES).map(|zone| Zone(zone as u8))
}

/// Returns the key that is clicked to touch a joint zone as a whole: `zone deck`, with its name. Not checked: whether
/// a seat owns it.
pub(super) fn key<G: Board>(zone: Zone) -> Key {
    format!("zone {}", G::zone_name(zone))
}

/// Iterates over the zones that a seat owns: the open ones if `open`, otherwise the others.
pub(super) fn of_seat<G: Board>(
    view: &Position<G>,
    seat: Seat,
    open: bool,
) -> impl Iterator<Item = Zone> + '_ {
    all::<G>().filter(move |&zone| view.state().owner(zone) == Some(seat) && view.state().open(zone) == open)
}

/// Draws the zones of a seat that hold tokens under its name and the first of `numbers` that is its own: all, or only
/// the open ones for `ui.seat`, whose others are its hand. `None` if there is nothing to draw.
pub(super) fn lane<G: Board>(view: &Position<G>, seat: Seat, numbers: &[TableNumber], ui: &Ui) -> Option<El> {
    let mine = ui.seat == Some(seat);
    let hidden = of_seat(view, seat, false).filter(|_| !mine);
    let zones: Vec<El> = hidden
        .chain(of_seat(view, seat, true))
        .filter(|&zone| !view.state().tokens().is_empty(zone))
        .map(|zone| div("drow").kids(row(view, zone, ui)))
        .collect();
    if zones.is_empty() {
        return None;
    }
    let number = numbers
        .iter()
        .find(|number| number.seat == Some(seat))
        .map(|number| span("lbl").text(format!("{} ", capital(number.name))).kid(b(number.value.clone())));
    let head = div("dwho").kid(ui.mark(seat)).kid(ui.who(seat)).kid_if(number);
    Some(div("dlane").class(ui.c(seat)).kid(head).kids(zones))
}

/// Draws the joint zones, which no seat owns, by their number. An empty zone is an outline if the game has at most
/// [`FEW_ZONES`] zones; otherwise it is left out.
pub(super) fn joint<G: Board>(view: &Position<G>, ui: &Ui) -> Vec<El> {
    let state = view.state();
    let shown = |zone: &Zone| {
        state.owner(*zone).is_none() && (!state.tokens().is_empty(*zone) || G::Size::ZONES <= FEW_ZONES)
    };
    all::<G>().filter(shown).map(|zone| joint_zone(view, zone, ui)).collect()
}

/// Draws a joint zone with its name: an outline if it is empty, a row if it is open or one of its tokens can be
/// clicked or is selected, otherwise a pile of its top tokens with their number. It is a piece while its own key can
/// be clicked or is selected.
fn joint_zone<G: Board>(view: &Position<G>, zone: Zone, ui: &Ui) -> El {
    let (tokens, name) = (view.state().tokens(), capital(&G::zone_name(zone)));
    let count = tokens.len(zone);
    let lit = tokens.iter(zone).any(|token| {
        let key = token.to_string();
        ui.lit(&key) || ui.chosen(&key)
    });
    let spread = view.state().open(zone) || lit;
    let shape = match count {
        0 => div("dslot"),
        _ if spread => div("drow").kids(row(view, zone, ui)),
        _ => {
            let mut top: Vec<Token> = tokens.iter(zone).take(PILE_DRAWN).collect();
            top.reverse();
            div("dpile").kids(top.into_iter().map(|token| pieces::token(view, token, "M", ui)))
        }
    };
    let counted = (count > 0 && !spread).then(|| b(format!(" {count}")).tick(key::<G>(zone)));
    let label = span("lbl").text(name.clone()).kid_if(counted);
    let el = div("dzone").kid(shape).kid(label);
    let key = key::<G>(zone);
    if ui.lit(&key) || ui.chosen(&key) { ui.piece(el, &key, format!("{name}, {count}")) } else { el }
}

/// Draws the tokens of a zone one by one: the first [`MOST_DRAWN`], all others that can be clicked or are selected,
/// and then how many more there are.
fn row<G: Board>(view: &Position<G>, zone: Zone, ui: &Ui) -> Vec<El> {
    let (mut drawn, mut left) = (Vec::new(), 0);
    for token in view.state().tokens().iter(zone) {
        let key = token.to_string();
        if drawn.len() < MOST_DRAWN || ui.lit(&key) || ui.chosen(&key) {
            drawn.push(pieces::token(view, token, "M", ui));
        } else {
            left += 1;
        }
    }
    drawn.extend((left > 0).then(|| span("lbl dmore").text(format!("and {left} more"))));
    drawn
}
