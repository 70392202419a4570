//! The guided first game of Vires: a short game of three players that the learner can win.

use crate::guide::{Deal, Guide, GuideStep, Shows, best};
use pentarchy_engine::{Game, Node, Position, Seat};
use pentarchy_vires::{Action, Aim, Card, Kind, Loss, Phase, TABLE, Vires, Window, hand};

/// The guided first game. In this deal the learner meets an Event, a coin flip and a loss to protect against, and wins.
pub(super) const GUIDE: Guide<Vires> = Guide {
    deal: Deal { seats: 3, seed: 9679, options: || serde_json::json!({ "blocks": 4 }), bots: "recruit" },
    steps: STEPS,
    otherwise: "Your move. The highlighted one is a good choice.",
    fallback,
    farewell: "You know all you need. In a game of four players, a Chain of 7 Blocks ends the game.",
};

/// The steps of the guide, in the order in which they may appear.
const STEPS: &[GuideStep<Vires>] = &[
    GuideStep {
        text: "Race for points: 1 per Block in your Chain and 1 per Coin. A Chain of 4 Blocks ends this game.",
        when: is_own_main_phase,
        shows: Shows::Part("board"),
    },
    GuideStep {
        text: "You have drawn 3 cards. HR pay for Blocks. All other cards say what they do.",
        when: is_own_main_phase,
        shows: Shows::Part("hand"),
    },
    GuideStep {
        text: "Your first Block costs 1 HR and pays 1 Coin. Choose it to mine. You can gain 1 Block per turn.",
        when: |view, me| is_own_main_phase(view, me) && view.state().blocks(me) == 1,
        shows: Shows::Move(find_mining),
    },
    GuideStep {
        text: "Each Block costs 1 HR more than the one before. The next one costs 2: save your HR.",
        when: |view, me| {
            is_own_main_phase(view, me) && view.state().turn().gained && view.state().cost(me) == 2
        },
        shows: Shows::Part("board"),
    },
    GuideStep {
        text: "Nothing more to do: end your turn. You may discard cards, but a hand has no limit.",
        when: |view, me| is_own_main_phase(view, me) && view.state().turn().gained,
        shows: Shows::Move(|view, me| best(view, me, |action| *action == Action::End)),
    },
    GuideStep {
        text: "The others have had their turns. The log tells what they did.",
        when: |view, me| is_own_main_phase(view, me) && view.state().round() == 2,
        shows: Shows::Part("log"),
    },
    GuideStep {
        text: "This card helps you. Choose it to play it. You may play any number of cards in your turn.",
        when: is_own_main_phase,
        shows: Shows::Move(|view, me| {
            best(view, me, |action| matches!(action, Action::Play { aim: Aim::Nothing | Aim::Gain, .. }))
        }),
    },
    GuideStep {
        text: "You have 2 HR now: choose your second Block to mine it.",
        when: |view, me| is_own_main_phase(view, me) && view.state().cost(me) == 2,
        shows: Shows::Move(find_mining),
    },
    GuideStep {
        text: "This card works on another player. Choose the card, then the player.",
        when: is_own_main_phase,
        shows: Shows::Move(|view, me| {
            best(view, me, |action| matches!(action, Action::Play { aim: Aim::At(_), .. }))
        }),
    },
    GuideStep {
        text: "An Event! It happens as soon as somebody draws it. The panel beside the Deck says what it does.",
        when: |view, _| has_event(view),
        shows: Shows::Part("board"),
    },
    GuideStep {
        text: "This Event needs a coin flip. The panel shows who flips and what heads and tails do.",
        when: |view, _| view.state().coin_flip().is_some(),
        shows: Shows::Part("board"),
    },
    GuideStep {
        text: "You are about to lose something. Flash cards are reactions: play this one to lose nothing.",
        when: can_protect,
        shows: Shows::Move(|view, me| best(view, me, |action| matches!(action, Action::React { .. }))),
    },
    GuideStep {
        text: "This Block completes your Chain and ends the game. You will have the most points: mine it and win!",
        when: can_win,
        shows: Shows::Move(find_mining),
    },
];

/// Returns whether the learner (`me`) decides in the main phase of their own turn.
fn is_own_main_phase(view: &Position<Vires>, me: Seat) -> bool {
    view.node() == Node::Decide(me) && view.state().phase() == Phase::Main && view.state().active() == me
}

/// Returns the action to mine if it is legal for the learner; otherwise `None`.
fn find_mining(view: &Position<Vires>, me: Seat) -> Option<Action> {
    best(view, me, |action| *action == Action::Mine)
}

/// Returns whether the learner is about to lose an HR, Coin or Block that they have, and can play a card against it
/// now.
fn can_protect(view: &Position<Vires>, me: Seat) -> bool {
    let game = view.state();
    let loses = match game.window() {
        Some(Window::Protect(seat, loss)) if seat == me => match loss {
            Loss::Hr => game.tokens().iter(hand(me)).any(|token| view.face(token) == Some(Card::Hr)),
            Loss::Coin => game.losable(me) > 0,
            Loss::Block => game.blocks(me) > 1,
        },
        _ => false,
    };
    loses && best(view, me, |action| matches!(action, Action::React { .. })).is_some()
}

/// Returns the action that the heuristic rates highest for the learner. In a reaction to a loss that cannot happen,
/// because they have nothing to lose, cards are left out, so that it recommends to pass. `None` if the learner does
/// not decide.
fn fallback(view: &Position<Vires>, me: Seat) -> Option<Action> {
    let wasted = matches!(view.state().window(), Some(Window::Protect(..))) && !can_protect(view, me);
    best(view, me, |action| !(wasted && matches!(action, Action::React { .. })))
}

/// Returns whether an Event card lies face up on the table, as it does while its effect is under way.
fn has_event(view: &Position<Vires>) -> bool {
    let tokens = view.state().tokens();
    let faces = tokens.iter(TABLE).filter_map(|token| tokens.public_face(token));
    faces.into_iter().any(|face| face.kind() == Kind::Event)
}

/// Returns whether the learner can mine the Block that completes their Chain now, and then has more points than every
/// rival has now: 1 for the Block, and the Coins that it pays as far as the Pool has them.
fn can_win(view: &Position<Vires>, me: Seat) -> bool {
    let game = view.state();
    let (need, points) = (game.rules().blocks, game.score(me) + 1 + game.reward(me).min(game.pool()));
    let rivals = (0..game.seats()).map(Seat).filter(|&seat| seat != me).map(|seat| game.score(seat)).max();
    game.blocks(me) + 1 >= need
        && rivals.is_some_and(|rival| rival < points)
        && find_mining(view, me).is_some()
}
