//! The guided first game of Hegemony: one round with a won battle, and the beginning of the next.

use crate::board::Key;
use crate::guide::{Deal, Guide, GuideStep, Shows, best, best_of_all};
use pentarchy_engine::{Game, Node, Position, Seat};
use pentarchy_hegemony::places::{COMMON, slot};
use pentarchy_hegemony::{Action, Card, Hegemony, Side, Task};

type View = Position<Hegemony>;

/// The guided first game.
pub(super) const GUIDE: Guide<Hegemony> = Guide {
    // Fewer soldiers in the starting decks: a rival without any is soon found.
    deal: Deal {
        seats: 3,
        seed: 321,
        options: || serde_json::json!({ "cards": { "archer": { "start": 1 }, "conscript": { "start": 3 } } }),
        bots: "recruit",
    },
    steps: STEPS,
    otherwise: "Your move. The highlighted one is a good choice.",
    fallback: best_of_all,
    farewell: "You know a whole round now. Have the most VP when the Empire falls. Keep playing!",
};

/// The steps of the guide, in the order in which they may appear.
const STEPS: &[GuideStep<Hegemony>] = &[
    GuideStep {
        text: "Victory points (VP) are your score and your money. Have the most when the Empire falls.",
        when: is_deciding,
        shows: Shows::Part("seats"),
    },
    GuideStep {
        text: "The Empire's row is at the top, with its VP. When it has 0 VP, the game ends.",
        when: is_deciding,
        shows: Shows::Part("empire-row"),
    },
    GuideStep {
        text: "First, each player's five slots are filled from their deck. This happens by itself: there is nothing to choose yet.",
        when: |view, seat| is_deciding(view, seat) && replaced_count(view, seat).is_none(),
        shows: Shows::Part("own-row"),
    },
    GuideStep {
        text: "Your five slots are at the bottom. Your Military cards there add up to your attack and defence.",
        when: |view, seat| replaced_count(view, seat) == Some(0),
        shows: Shows::Part("own-row"),
    },
    GuideStep {
        text: "Each turn, replace at least 2 slots. Choose the highlighted hand card, then the highlighted slot.",
        when: |view, seat| replaced_count(view, seat) == Some(0),
        shows: Shows::Move(|view, seat| best(view, seat, |action| matches!(action, Action::Place(..)))),
    },
    GuideStep {
        text: "Replace one more. The old card goes to your discard pile; you will draw it again later.",
        when: |view, seat| replaced_count(view, seat) == Some(1),
        shows: Shows::Move(|view, seat| best(view, seat, |action| matches!(action, Action::Place(..)))),
    },
    GuideStep {
        text: "You may replace more, but two are enough. The rest of your hand is discarded. Choose Continue.",
        when: |view, seat| replaced_count(view, seat) >= Some(2),
        shows: Shows::Move(|view, seat| best(view, seat, |action| *action == Action::Done)),
    },
    GuideStep {
        text: "The common pool: cards for sale. The number in the corner is the price in VP.",
        when: |view, seat| {
            matches!(view.state().step(), Task::Purchase(who, 1..) if who == seat) && is_deciding(view, seat)
        },
        shows: Shows::Piece(|view, _| first_for_sale(view)),
    },
    GuideStep {
        text: "Buy this card. It goes to your discard pile and comes into your hand in a later turn.",
        when: |view, seat| matches!(view.state().step(), Task::Purchase(who, 1..) if who == seat),
        shows: Shows::Move(|view, seat| best(view, seat, |action| matches!(action, Action::Buy(_)))),
    },
    GuideStep {
        text: "Keep some VP: a lost battle costs you VP, and without any you are out. Choose Continue.",
        when: |view, seat| matches!(view.state().step(), Task::Purchase(who, 1..) if who == seat),
        shows: Shows::Move(|view, seat| best(view, seat, |action| *action == Action::Done)),
    },
    GuideStep {
        text: "Each turn you choose one action: attack somebody, trade with the Empire, or draw fresh cards.",
        when: |view, seat| view.state().step() == Task::Act(seat),
        shows: Shows::Part("prompt"),
    },
    GuideStep {
        text: "This rival has no soldiers, so you win for sure. The winner takes the difference in VP: attack!",
        when: |view, seat| easy_prey(view, seat).is_some(),
        shows: Shows::Move(|view, seat| easy_prey(view, seat).map(Action::War)),
    },
    GuideStep {
        text: "Some cards leave after a battle. Choose the empty slot to fill it from your deck.",
        when: |view, seat| view.state().step() == Task::Refill(seat.into()),
        shows: Shows::Move(|view, seat| best(view, seat, |action| *action == Action::Refill)),
    },
    GuideStep {
        text: "Now the others take their turns. The log tells you what they do.",
        when: |view, seat| {
            let turn = view.state().turn().and_then(Side::seat);
            turn.is_some_and(|other| other != seat)
                && matches!(view.node(), Node::Decide(other) if other != seat)
        },
        shows: Shows::Part("log"),
    },
    GuideStep {
        text: "At the end of a round the Empire deals with every player. It takes the unsold cards and replaces its own.",
        when: |view, _| view.state().turn() == Some(Side::EMPIRE),
        shows: Shows::Part("board"),
    },
    GuideStep {
        text: "You roll a d20 plus your bonuses. 10 or less: the Empire attacks you. 11 or more: you trade and gain VP.",
        when: |view, seat| view.state().step() == Task::Die(seat),
        shows: Shows::Part("board"),
    },
    GuideStep {
        text: "Round 2. Your Laborers and Cargo Ships paid you VP when your turn began.",
        when: |view, seat| {
            view.state().round() >= 2 && replaced_count(view, seat) == Some(0) && has_income_card(view, seat)
        },
        shows: Shows::Part("seats"),
    },
];

/// Returns whether `seat`, the learner, decides now.
fn is_deciding(view: &View, seat: Seat) -> bool {
    view.node() == Node::Decide(seat)
}

/// Returns how many slots the learner has replaced this turn; `None` if it is not their step of replacing slots.
fn replaced_count(view: &View, seat: Seat) -> Option<u32> {
    match view.state().step() {
        Task::Replace(who, _, done) if who == seat => Some(done.count_ones()),
        _ => None,
    }
}

/// Returns the key (`#17`) of the first card of the common pool in the order of its zone; `None` if the pool is
/// empty.
fn first_for_sale(view: &View) -> Option<Key> {
    view.state().tokens().iter(COMMON).next().map(|t| t.to_string())
}

/// Returns the first player in legal order that the learner may attack now and beats for certain: no Military card of
/// the defender is unknown to the observer, and the attack exceeds the defence. `None` if there is none or the
/// learner is not choosing an action. `view` must be the learner's.
fn easy_prey(view: &View, seat: Seat) -> Option<Side> {
    if view.state().step() != Task::Act(seat) {
        return None;
    }
    let sure = |side: Side| {
        let attack = view.state().explain_attack(seat.into(), side, |t| view.face(t)).total;
        let (defence, unknown) = super::words::defence_seen(view, side);
        unknown == 0 && attack > defence
    };
    let mut list = Vec::new();
    view.legal(&mut list).ok()?;
    list.into_iter().find_map(|action| match action {
        Action::War(side) if !side.is_empire() && sure(side) => Some(side),
        _ => None,
    })
}

/// Returns whether the learner (`seat`) has a Laborer or Cargo Ship that the observer knows in a slot, cards which
/// pay VP at the beginning of a turn. Slots that are switched off count, too.
fn has_income_card(view: &View, seat: Seat) -> bool {
    let side = Side::from(seat);
    let cards = view.state().occupied_slots(side).flat_map(|i| view.state().tokens().iter(slot(side, i)));
    cards.filter_map(|t| view.face(t)).any(|card| matches!(card, Card::Laborer | Card::CargoShip))
}
