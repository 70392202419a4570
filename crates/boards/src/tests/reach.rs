//! Checks whole games before every decision: each clickable key is drawn for its observer and has texts.

use crate::board::{Board, Key};
use crate::games::with_games;
use crate::gesture::{Gesture, gestures};
use crate::markup::{El, MarkupNode};
use crate::ui::Ui;
use pentarchy_engine::{Game, Node, Position, Rng, Seat};
use std::collections::BTreeSet;

/// Adds the keys in a tree that can be clicked to `out`.
pub(super) fn live(el: &El, out: &mut BTreeSet<Key>) {
    if let Some(key) = el.get("data-key")
        && el.get("role") == Some("button")
        && el.get("aria-disabled").is_none()
    {
        out.insert(key.to_string());
    }
    for kid in &el.kids {
        if let MarkupNode::El(kid) = kid {
            live(kid, out);
        }
    }
}

/// Adds the keys in a tree that are greyed to `out`.
fn greyed(el: &El, out: &mut BTreeSet<Key>) {
    if let Some(key) = el.get("data-key").filter(|_| el.get("aria-disabled").is_some()) {
        out.insert(key.to_string());
    }
    for kid in &el.kids {
        if let MarkupNode::El(kid) = kid {
            greyed(kid, out);
        }
    }
}

/// Returns whether there is text in a tree.
fn has_words(el: &El) -> bool {
    el.kids.iter().any(|kid| match kid {
        MarkupNode::Text(text) => !text.trim().is_empty(),
        MarkupNode::El(kid) => has_words(kid),
    })
}

/// Counts the pieces of a tree that can be clicked and have no name for screen readers: neither a label nor
/// text.
pub(super) fn unnamed(el: &El) -> usize {
    let named = el.get("aria-label").is_some_and(|name| !name.is_empty()) || has_words(el);
    let own = usize::from(el.get("role") == Some("button") && !named);
    let kids = el.kids.iter().map(|kid| if let MarkupNode::El(kid) = kid { unnamed(kid) } else { 0 });
    own + kids.sum::<usize>()
}

/// Returns the paths of all gestures, and checks that their texts can be made; empty if no seat decides.
fn paths<G: Board>(view: &Position<G>) -> Vec<Vec<Key>> {
    let mut paths = Vec::new();
    if !matches!(view.node(), Node::Decide(_)) {
        return paths;
    }
    gestures(view, |Gesture { at, action, path, .. }| {
        G::row(at, action);
        G::worded(at, G::label(at, action));
        G::fails(at, action);
        if let Some(ask) = G::ask(at, action) {
            assert!(!ask.question.is_empty() && !ask.verb.is_empty(), "a question about `{action}`");
        }
        paths.push(path);
    });
    paths
}

/// Returns what the page of a seat knows once these keys have been clicked.
pub(super) fn page<G: Board>(
    view: &Position<G>,
    seat: Option<Seat>,
    paths: &[Vec<Key>],
    chosen: &[Key],
) -> Ui {
    let open = paths.iter().filter(|path| path.starts_with(chosen));
    Ui {
        seat,
        names: (0..view.seats()).map(|s| format!("Player {s}")).collect(),
        colours: G::LOOK.colours.to_vec(),
        lit: open.filter_map(|path| path.get(chosen.len()).cloned()).collect(),
        start: paths.iter().filter_map(|path| path.first().cloned()).collect(),
        chosen: chosen.to_vec(),
        mine: seat.is_some() && view.actor() == seat,
        ..Ui::default()
    }
}

/// Draws everything that this page shows; the keys that can be clicked. Whatever is greyed says why.
fn drawn<G: Board>(view: &Position<G>, ui: &Ui) -> BTreeSet<Key> {
    let mut all = vec![G::draw(view, ui)];
    if let Some(hand) = G::hand(view, ui) {
        all.extend(hand.cards);
        all.extend(hand.beside);
    }
    all.extend(G::dialog(view, ui));
    all.extend(G::rail(view, ui));
    let mut keys = BTreeSet::new();
    let mut grey = BTreeSet::new();
    all.iter().for_each(|el| greyed(el, &mut grey));
    let mute: Vec<&Key> = grey.iter().filter(|key| G::why_not(view, key).is_none()).collect();
    assert!(
        mute.is_empty(),
        "{}: {mute:?} do not say why they are greyed: {}",
        G::INFO.title,
        G::awaited(view)
    );
    for el in &all {
        live(el, &mut keys);
        assert_eq!(unnamed(el), 0, "a piece of {} has no name", G::INFO.title);
    }
    keys
}

/// Checks one decision from the view of its seat, after every prefix of the clicks.
fn look_at<G: Board>(view: &Position<G>, seat: Seat) {
    let paths = paths(view);
    let mut stages: Vec<&[Key]> = vec![&[]];
    for path in &paths {
        for upto in 1..path.len() {
            if !stages.contains(&&path[..upto]) && stages.len() < 5 {
                stages.push(&path[..upto]);
            }
        }
    }
    for chosen in stages {
        let ui = page(view, Some(seat), &paths, chosen);
        let keys = drawn(view, &ui);
        G::narrowed(view, &ui);
        // Numbers are drawn by the shell.
        let missing: Vec<&Key> =
            ui.lit.iter().filter(|key| !key.starts_with("n ") && !keys.contains(*key)).collect();
        assert!(missing.is_empty(), "{} after {chosen:?}: {missing:?} cannot be clicked", G::INFO.title);
        for key in keys.iter().take(12) {
            G::explain(view, key);
            G::why_not(view, key);
        }
    }
    if let Some(key) = G::preselect(view, None) {
        let chosen = vec![key.clone()];
        assert!(
            paths.iter().any(|path| path.starts_with(&chosen)),
            "{}: {key} cannot be selected",
            G::INFO.title
        );
        let mut ui = page(view, Some(seat), &paths, &chosen);
        ui.preselected = true;
        ui.lit.extend(ui.start.iter().cloned());
        let keys = drawn(view, &ui);
        assert!(ui.lit.iter().all(|key| key.starts_with("n ") || keys.contains(key)));
    }
    let steps = G::steps(view);
    assert!(steps.at < steps.names.len().max(1), "{}: step {} of {:?}", G::INFO.title, steps.at, steps.names);
    for seat in (0..view.seats()).map(Seat) {
        assert!(!G::seat(view, seat).number.is_empty());
    }
}

/// Plays a game, partly well and partly at random, and looks at it all along.
fn play<G: Board>(seats: u8, seed: u64, events: u32) {
    let mut position = Position::<G>::new(seats, &G::Options::default()).unwrap();
    let mut rng = Rng::stream(seed, 7);
    let (mut list, mut rates) = (Vec::new(), Vec::new());
    for turn in 0..events {
        match position.node() {
            Node::Over => break,
            Node::Decide(seat) => {
                look_at(&position.view(seat), seat);
                position.legal(&mut list).unwrap();
                rates.clear();
                position.state().rate(&position.own(seat), &list, &mut rates);
                let best = rates.iter().max().copied();
                let any = rng.below(list.len() as u32) as usize;
                let good = rates.iter().position(|&rate| Some(rate) == best);
                let chosen = if rng.below(3) == 0 { any } else { good.unwrap_or(any) };
                position.play(list[chosen]).unwrap();
            }
            _ => assert!(position.advance(&mut rng, &mut list).unwrap()),
        }
        if turn % 9 == 0 {
            let watched = position.spectator();
            drawn(&watched, &page(&watched, None, &[], &[]));
        }
    }
    drawn(&position, &page(&position, None, &[], &[]));
    if position.node() == Node::Over {
        G::verdict(&position);
        for seat in (0..seats).map(Seat) {
            assert!(G::parts(&position, seat).len() <= G::LOOK.parts.len());
        }
    }
}

/// Number of events that are looked at. Numeral Empire has long lists of moves, so less of it is played.
fn most_events(game: &str) -> u32 {
    if game == "numeral" { 300 } else { 1500 }
}

macro_rules! reach_tests {
    ($([$board:ident] $name:ident: $game:ty,)*) => {$(
        #[test]
        fn $name() {
            let info = <$game>::INFO;
            for (seed, seats) in (1..).zip(BTreeSet::from([info.min_seats, info.default_seats, info.max_seats])) {
                play::<$game>(seats, seed, most_events(info.name));
            }
        }
    )*};
}
with_games!(reach_tests);
