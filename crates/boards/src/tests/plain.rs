//! Checks that the default board can draw every game, also those that have a board of their own: whatever an action names
//! is drawn, can be clicked and has a name, for the deciding seat and after every first click.

use super::reach::{live, page, unnamed};
use crate::board::{Board, Key};
use crate::games::with_games;
use crate::markup::El;
use crate::plain;
use crate::ui::Ui;
use pentarchy_engine::{Node, Position, Rng, Seat, Size, Zone};
use std::collections::BTreeSet;

/// Draws the default board with the hand; returns the keys that can be clicked.
fn drawn<G: Board>(view: &Position<G>, ui: &Ui) -> BTreeSet<Key> {
    let hand = plain::hand(view, ui).map(|hand| hand.cards).unwrap_or_default();
    let all: Vec<El> = [plain::draw(view, ui)].into_iter().chain(hand).collect();
    let mut keys = BTreeSet::new();
    for el in &all {
        live(el, &mut keys);
        assert_eq!(unnamed(el), 0, "a piece of {} has no name", G::INFO.title);
    }
    keys
}

/// Returns whether a word of an action names something that the default board draws: a token, a place of the layout or
/// a zone that is nobody's.
fn names_a_piece<G: Board>(view: &Position<G>, action: G::Action) -> bool {
    let (state, layout) = (view.state(), G::layout(view).unwrap_or_default());
    let mut names: BTreeSet<String> = state.tokens().all().map(|token| token.to_string()).collect();
    names.extend(layout.grids.iter().flat_map(|grid| &grid.cells).map(|cell| cell.place.to_string()));
    let joint = (0..G::Size::ZONES).map(|zone| Zone(zone as u8)).filter(|&zone| state.owner(zone).is_none());
    names.extend(joint.map(|zone| G::zone_name(zone)));
    action.to_string().split_whitespace().any(|word| names.contains(word))
}

/// Checks one decision, before the first click and after some first clicks.
fn look_at<G: Board>(view: &Position<G>, seat: Seat, list: &[G::Action]) {
    let path = |&action: &G::Action| {
        let mut path = Vec::new();
        plain::touches(view, action, &mut path);
        path
    };
    let paths: Vec<Vec<Key>> = list.iter().map(path).collect();
    for (action, path) in list.iter().zip(&paths) {
        let title = G::INFO.title;
        assert_eq!(
            !path.is_empty(),
            names_a_piece(view, *action),
            "{title}: what `{action}` names is clicked"
        );
    }
    let firsts: BTreeSet<Key> = paths.iter().filter_map(|path| path.first().cloned()).collect();
    for first in firsts.iter().take(3).map(Some).chain([None]) {
        let chosen: Vec<Key> = first.into_iter().cloned().collect();
        let ui = page(view, Some(seat), &paths, &chosen);
        let keys = drawn(view, &ui);
        let missing: Vec<&Key> = ui.lit.iter().filter(|key| !keys.contains(*key)).collect();
        assert!(missing.is_empty(), "{} after {chosen:?}: {missing:?} cannot be clicked", G::INFO.title);
        for key in &ui.lit {
            plain::explain(view, key);
        }
    }
    assert!(!plain::prompt(view).is_empty() && !plain::seat(view, seat).number.is_empty());
}

/// Plays a random game and looks at its decisions; a seat that does not decide and a spectator see no clickable piece.
fn play<G: Board>(seed: u64, events: u32) {
    let mut position = Position::<G>::new(G::INFO.default_seats, &G::Options::default()).unwrap();
    let (mut rng, mut list) = (Rng::stream(seed, 12), Vec::new());
    for _ in 0..events {
        position.settle(&mut rng, &mut list).unwrap();
        let Some(seat) = position.actor() else { break };
        position.legal(&mut list).unwrap();
        look_at(&position.view(seat), seat, &list);
        let watched = position.spectator();
        assert!(drawn(&watched, &page(&watched, None, &[], &[])).is_empty());
        position.play(list[rng.below(list.len() as u32) as usize]).unwrap();
    }
    if position.node() == Node::Over {
        drawn(&position, &page(&position, None, &[], &[]));
    }
    let cover = plain::cover::<G>();
    assert!(cover.contains("<rect") && !cover.contains("data-key"), "{cover}");
    assert_eq!(cover, plain::cover::<G>(), "the same cover each time");
}

macro_rules! plain_tests {
    ($([$board:ident] $name:ident: $game:ty,)*) => {$(
        #[test]
        fn $name() {
            play::<$game>(5, 60);
        }
    )*};
}
with_games!(plain_tests);
