//! The guided first game of Hestia: one year with a bid, three orders, a forced march, a battle and two city-states.

use super::{keys, routes};
use crate::guide::{Deal, Guide, GuideStep, Shows, best, best_of_all};
use pentarchy_engine::{Game, Node, Position, Seat};
use pentarchy_hestia::face::{Mode, Shown};
use pentarchy_hestia::map::{Place, at};
use pentarchy_hestia::state::enemy;
use pentarchy_hestia::{Action, DecisionKind, Hestia};

type View = Position<Hestia>;

/// The guided first game. The seed is chosen so that Hathea wins the bid, takes Zekula, and loses the battle there.
pub(super) const GUIDE: Guide<Hestia> = Guide {
    deal: Deal {
        seats: Hestia::INFO.default_seats,
        seed: 5089,
        options: || serde_json::Value::Null,
        bots: "recruit",
    },
    steps: STEPS,
    otherwise: "Your move. The highlighted one is a good choice.",
    fallback: best_of_all,
    farewell: "That was a year of war. Play on: the game lasts three to six years.",
};

/// Returns whether `seat`, the learner, decides now and the decision is of this kind.
fn is_asked(view: &View, seat: Seat, kind: DecisionKind) -> bool {
    view.node() == Node::Decide(seat) && view.state().decision_kind() == kind
}

/// Returns whether an army, of either side, is formed or marches in this place.
fn has_army_in(view: &View, place: Place) -> bool {
    view.state().marching().is_some_and(|army| army.place == place)
}

/// Returns whether the learner decides now where to march with an army in this place. Not checked: whether it has
/// moves left.
fn is_marching_from(view: &View, seat: Seat, place: Place) -> bool {
    is_asked(view, seat, DecisionKind::March) && has_army_in(view, place)
}

/// Returns `action` if it is legal for the learner now; otherwise `None`.
fn find_exact(view: &View, seat: Seat, action: Action) -> Option<Action> {
    best(view, seat, |a| *a == action)
}

/// Returns the legal action that `act` builds from the card of lowest value in the learner's hand, the
/// first of equals; a card that the observer does not know counts as the dearest. `None` if it is legal
/// with no card or the learner does not decide.
fn find_cheapest(view: &View, seat: Seat, act: fn(pentarchy_engine::Token) -> Action) -> Option<Action> {
    if view.node() != Node::Decide(seat) {
        return None;
    }
    let mut list = Vec::new();
    view.legal(&mut list).ok()?;
    let hand = view.state().tokens().iter(pentarchy_hestia::state::hand(seat));
    let value =
        |t: &pentarchy_engine::Token| view.face(*t).and_then(Shown::card).map_or(9, |card| card.value());
    hand.filter(|&t| list.contains(&act(t))).min_by_key(value).map(act)
}

/// The steps of the guide, in the order in which they may appear.
const STEPS: &[GuideStep<Hestia>] = &[
    GuideStep {
        text: "You lead Lenisia, the blue army. The red names are city-states: win more of them than Hathea does.",
        when: |view, seat| is_asked(view, seat, DecisionKind::Bid),
        shows: Shows::Part("board"),
    },
    GuideStep {
        text: "Your main army is here. Only you see its blocks; the small squares show their strength.",
        when: |view, seat| is_asked(view, seat, DecisionKind::Bid),
        shows: Shows::Piece(|_, _| Some(keys::place(at::KAD))),
    },
    GuideStep {
        text: "Each year both sides bid a card for the first turn. Bid a weak card; strong cards win battles.",
        when: |view, seat| is_asked(view, seat, DecisionKind::Bid),
        shows: Shows::Move(|view, seat| find_cheapest(view, seat, Action::Bid)),
    },
    GuideStep {
        text: "Hathea moved first and now holds Zekula. Cards pay for orders: spend 1 card for 3 orders.",
        when: |view, seat| {
            is_asked(view, seat, DecisionKind::Cards) && view.state().land_units(at::ZEK, enemy(seat)) > 0
        },
        shows: Shows::Move(|view, seat| find_exact(view, seat, Action::Cards(1))),
    },
    GuideStep {
        text: "Choose the card to spend. Hathea does not see which one it is.",
        when: |view, seat| is_asked(view, seat, DecisionKind::Pay),
        shows: Shows::Move(|view, seat| best(view, seat, |_| true)),
    },
    GuideStep {
        text: "An order moves one army or rallies new blocks. First order: choose your army in Kaderessa.",
        when: |view, seat| is_asked(view, seat, DecisionKind::Orders),
        shows: Shows::Move(|view, seat| find_exact(view, seat, Action::Army(at::KAD))),
    },
    GuideStep {
        text: "Choose Maudret: all 4 blocks march there. Up to 4 blocks have 3 moves; bigger armies are slower.",
        when: |view, seat| is_asked(view, seat, DecisionKind::Pick) && has_army_in(view, at::KAD),
        shows: Shows::Route(|view, _| routes::ending(view, Action::Move(at::MAU))),
    },
    GuideStep {
        text: "Place an influence token here. It becomes active after a turn if your blocks are near and no enemy is.",
        when: |view, seat| is_marching_from(view, seat, at::MAU),
        shows: Shows::Move(|view, seat| find_exact(view, seat, Action::Influence)),
    },
    GuideStep {
        text: "The enemy in Zekula is too near. No moves are left, so spend a card for 1 more.",
        when: |view, seat| {
            is_marching_from(view, seat, at::MAU) && view.state().land_units(at::ZEK, enemy(seat)) > 0
        },
        shows: Shows::Move(|view, seat| find_cheapest(view, seat, Action::Force)),
    },
    GuideStep {
        text: "Attack Zekula. The battle begins after your last order.",
        when: |view, seat| {
            is_marching_from(view, seat, at::MAU) && view.state().land_units(at::ZEK, enemy(seat)) > 0
        },
        shows: Shows::Move(|view, seat| find_exact(view, seat, Action::Move(at::ZEK))),
    },
    GuideStep {
        text: "Second order: choose the two Levies on a ship in Sea I. They can land on any coast.",
        when: |view, seat| is_asked(view, seat, DecisionKind::Orders),
        shows: Shows::Move(|view, seat| find_exact(view, seat, Action::Army(at::S1))),
    },
    GuideStep {
        text: "Choose Firukal: both Levies land there, and the ship stays at sea. A landing ends the march.",
        when: |view, seat| is_asked(view, seat, DecisionKind::Pick) && has_army_in(view, at::S1),
        shows: Shows::Route(|view, _| routes::ending(view, Action::Move(at::FIR))),
    },
    GuideStep {
        text: "Place a token here, too: a city-state counts for you only with a token. You have 8 in all.",
        when: |view, seat| is_marching_from(view, seat, at::FIR) && !view.state().has_token(at::FIR, seat),
        shows: Shows::Move(|view, seat| find_exact(view, seat, Action::Influence)),
    },
    GuideStep {
        text: "Last order: choose this box to rally. A new Levy appears there and can march next year.",
        when: |view, seat| is_marching_from(view, seat, at::FIR) && view.state().has_token(at::FIR, seat),
        shows: Shows::Route(|view, _| routes::ending(view, Action::Rally(at::LRE, None))),
    },
    GuideStep {
        text: "Both sides play a card in secret and add a die. The lower total loses the difference in strength.",
        when: |view, seat| is_asked(view, seat, DecisionKind::Clash),
        shows: Shows::Part("dialog"),
    },
    GuideStep {
        text: "Choose this card, then Fight. Retreat instead if you want to save a losing army.",
        when: |view, seat| is_asked(view, seat, DecisionKind::Clash),
        shows: Shows::Move(|view, seat| {
            best(view, seat, |a| matches!(a, Action::Clash(_, Some(Mode::Fight))))
        }),
    },
    GuideStep {
        text: "You win the battle: the enemy retreats, and you choose where. Drive them to Bramble Fords.",
        when: |view, seat| is_asked(view, seat, DecisionKind::Flee),
        shows: Shows::Move(|view, seat| find_exact(view, seat, Action::Flee(at::BRA))),
    },
    GuideStep {
        text: "No enemy is near your tokens, so they became active: you win Maudret and Firukal. Each counts 1.",
        when: |view, seat| {
            let state = view.state();
            state.is_active(at::MAU, seat) && state.is_active(at::FIR, seat)
        },
        shows: Shows::Part("seats"),
    },
];
