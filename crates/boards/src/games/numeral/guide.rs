//! The guided first game of Numeral: a small map, one opponent, a fight in the second or third round.

use super::{has_prey, hex_key};
use crate::board::Key;
use crate::gesture::gestures;
use crate::guide::{Deal, Guide, GuideStep, Shows, best};
use pentarchy_engine::sorting::sort_by_key;
use pentarchy_engine::{Node, Position, Seat};
use pentarchy_numeral::{Action, Cell, Direction, Numeral, Stage, Upgrade};

/// The guided first game.
pub(super) const GUIDE: Guide<Numeral> = Guide {
    deal: Deal {
        seats: 2,
        seed: 199,
        options: || serde_json::json!({ "size": "small", "round_limit": 6, "start_storage": 12 }),
        bots: "recruit",
    },
    steps: STEPS,
    otherwise: "Your move. The highlighted one is a good choice.",
    fallback,
    farewell: "You won a fight. To win the game, take every Home, or have the most soldiers and gold after the last round.",
};

/// The steps of the guide, in the order in which they may appear.
const STEPS: &[GuideStep<Numeral>] = &[
    GuideStep {
        text: "Every hex can hold soldiers: that is the number on it. Blue land is yours. Grey land belongs to nobody yet.",
        when: |view, seat| is_at_stage(view, seat, Stage::Place) && round(view) == 1,
        shows: Shows::Part("board"),
    },
    GuideStep {
        text: "This is your Home. Its number is your gold, and your gold also defends it.",
        when: |view, seat| is_at_stage(view, seat, Stage::Place) && round(view) == 1,
        shows: Shows::Piece(home_key),
    },
    GuideStep {
        text: "A soldier costs 1 gold. Choose the highlighted hex to place 5 soldiers at your border.",
        when: |view, seat| is_at_stage(view, seat, Stage::Place) && round(view) == 1,
        shows: Shows::Gesture(place_five),
    },
    GuideStep {
        text: "Buildings raise your income. A Farm costs 3 gold and earns 1 more each round. Choose it, then the highlighted hex.",
        when: |view, seat| is_at_stage(view, seat, Stage::Place) && round(view) == 1,
        shows: Shows::Gesture(build_farm),
    },
    GuideStep {
        text: "Keep the rest: it defends your Home. End your turn; then your opponent places.",
        when: |view, seat| is_at_stage(view, seat, Stage::Place) && round(view) == 1,
        shows: Shows::Move(end_turn),
    },
    GuideStep {
        text: "Now armies move, one hex each. Your army is selected. Labels say what happens: grey land is free.",
        when: |view, seat| is_at_stage(view, seat, Stage::March) && round(view) == 1,
        shows: Shows::Piece(largest_army),
    },
    GuideStep {
        text: "1 soldier is enough to take free land. Choose 1 here, then the highlighted hex.",
        when: |view, seat| is_at_stage(view, seat, Stage::March) && round(view) == 1,
        shows: Shows::Gesture(take_with_one),
    },
    GuideStep {
        text: "That land is yours and earns 1 gold a round. The army is still selected: take another hex.",
        when: |view, seat| is_at_stage(view, seat, Stage::March) && round(view) == 1,
        shows: Shows::Gesture(take_with_one),
    },
    GuideStep {
        text: "A mistake? Undo takes back one move at a time, until you end your turn.",
        when: |view, seat| is_at_stage(view, seat, Stage::March) && round(view) == 1,
        shows: Shows::Part("undo"),
    },
    GuideStep {
        text: "A new round: your land paid you. Each hex earns 1, buildings earn more, and 2 soldiers outside the Home cost 1.",
        when: |view, seat| is_at_stage(view, seat, Stage::Place) && round(view) > 1,
        shows: Shows::Piece(home_key),
    },
    GuideStep {
        text: "These numbers decide the game. Each counts all soldiers and all gold of a player.",
        when: |view, seat| is_at_stage(view, seat, Stage::Place) && round(view) > 1,
        shows: Shows::Part("seats"),
    },
    GuideStep {
        text: "Place 5 soldiers on the highlighted hex, next to enemy soldiers, to attack them this round.",
        when: |view, seat| is_at_stage(view, seat, Stage::Place) && round(view) > 1,
        shows: Shows::Gesture(place_at_enemy),
    },
    GuideStep {
        text: "Keep the rest of your gold in your Home, and end your turn.",
        when: |view, seat| is_at_stage(view, seat, Stage::Place) && round(view) > 1,
        shows: Shows::Move(end_turn),
    },
    GuideStep {
        text: "Fights are subtraction, and here you win. Your whole army is selected: choose the enemy hex. The label says how many remain.",
        when: |view, seat| is_at_stage(view, seat, Stage::March),
        shows: Shows::Goal(list_attacks),
    },
];

/// Returns the number of the current round: 1 in the first round and while the map is drawn.
fn round(view: &Position<Numeral>) -> u16 {
    view.state().round()
}

/// Returns whether `seat`, the learner, decides now, at this stage.
fn is_at_stage(view: &Position<Numeral>, seat: Seat, stage: Stage) -> bool {
    view.node() == Node::Decide(seat) && view.state().stage() == stage
}

/// Returns the key of the Home of the learner (`seat`); `None` if they have none.
fn home_key(view: &Position<Numeral>, seat: Seat) -> Option<Key> {
    view.state().board().home(seat).map(hex_key)
}

/// Returns the action that ends the turn: always [`Action::Done`], never `None`. Not checked: whether it is
/// legal.
fn end_turn(_view: &Position<Numeral>, _seat: Seat) -> Option<Action> {
    Some(Action::Done)
}

/// Returns the key of the largest army outside the Home that can take a hex, the last of equals in the order of the
/// board; `None` if there is none. Armies are those of the active player; `seat` must be that player.
fn largest_army(view: &Position<Numeral>, seat: Seat) -> Option<Key> {
    let (game, board) = (view.state(), view.state().board());
    let armies = board.awake().iter().filter(|&cell| board.home(seat) != Some(cell) && has_prey(game, cell));
    armies.max_by_key(|&cell| board.ready(cell)).map(hex_key)
}

/// Returns the action that the heuristic rates highest. Of the selections only armies outside the Home that can take
/// a hex count: so it is mostly a march that takes one, otherwise the end of the turn. The gold stays in the Home and
/// defends it. `None` if the seat does not decide.
fn fallback(view: &Position<Numeral>, seat: Seat) -> Option<Action> {
    let (game, home) = (view.state(), view.state().board().home(seat));
    let can_march = |cell| game.stage() == Stage::March && Some(cell) != home && has_prey(game, cell);
    best(view, seat, |action| match *action {
        Action::Select(cell) => can_march(cell),
        _ => true,
    })
}

/// Returns the gesture that places 5 soldiers outside the Home where they and those already there beat the strongest
/// adjacent defence that can be beaten. `None` if that is nowhere possible.
fn place_at_enemy(view: &Position<Numeral>, seat: Seat) -> Option<[Action; 2]> {
    let game = view.state();
    let defence =
        |to: Cell| game.board().owner(to).filter(|&owner| owner != seat).map(|owner| game.defence(to, owner));
    best_pair(view, |cell, action| {
        let strength = game.board().soldiers(cell) + 5;
        let near = Direction::ALL.into_iter().filter_map(|direction| defence(game.target(cell, direction)?));
        let beaten = near.filter(|&defence| defence > 0 && defence < strength).max();
        beaten.filter(|_| action == Action::Place(5) && game.board().home(seat) != Some(cell))
    })
}

/// Returns the gesture of a selection and a second action with the highest rating, the first of equals in legal
/// order. Other gestures do not count. `rate` gets the selected hex and the second action, and returns `None` for
/// gestures that do not count; `None` if none does.
fn best_pair(view: &Position<Numeral>, rate: impl Fn(Cell, Action) -> Option<u32>) -> Option<[Action; 2]> {
    let mut best: Option<(u32, [Action; 2])> = None;
    gestures(view, |gesture| {
        let Some(first @ Action::Select(cell)) = gesture.first else { return };
        let Some(rated) = rate(cell, gesture.action) else { return };
        if best.is_none_or(|(most, _)| rated > most) {
            best = Some((rated, [first, gesture.action]));
        }
    });
    best.map(|(_, pair)| pair)
}

/// Counts the land hexes next to a hex whose owner (`None` for nobody) satisfies `fits`.
fn count_neighbours(game: &Numeral, cell: Cell, fits: impl Fn(Option<Seat>) -> bool) -> u32 {
    let land = Direction::ALL.into_iter().filter_map(|direction| game.target(cell, direction));
    land.filter(|&next| fits(game.board().owner(next))).count() as u32
}

/// Returns the gesture that places 5 soldiers next to the most free hexes, the first of equals in legal order; `None`
/// if no hex has at least 2.
fn place_five(view: &Position<Numeral>, _seat: Seat) -> Option<[Action; 2]> {
    let game = view.state();
    best_pair(view, |cell, action| {
        let free = count_neighbours(game, cell, |owner| owner.is_none());
        (action == Action::Place(5) && free > 1).then_some(free)
    })
}

/// Returns the gesture that builds a Farm on a hex without soldiers next to the most own hexes, the first of equals
/// in legal order; `None` if no Farm can be built on such a hex.
fn build_farm(view: &Position<Numeral>, seat: Seat) -> Option<[Action; 2]> {
    let game = view.state();
    best_pair(view, |cell, action| {
        let empty = game.board().soldiers(cell) == 0;
        let own = count_neighbours(game, cell, |owner| owner == Some(seat));
        (action == Action::Build(Upgrade::Farm) && empty).then_some(own)
    })
}

/// Returns the gesture that takes a free hex with one soldier of the learner's largest army, next to the most other
/// free hexes; `None` if there is none or the army has only one soldier.
fn take_with_one(view: &Position<Numeral>, seat: Seat) -> Option<[Action; 2]> {
    let game = view.state();
    let army = largest_army(view, seat)?;
    best_pair(view, |cell, action| {
        let Action::March(direction, 1) = action else { return None };
        let to = game.target(cell, direction)?;
        let free = game.board().owner(to).is_none() && hex_key(cell) == army && game.board().ready(cell) > 1;
        free.then(|| count_neighbours(game, to, |owner| owner.is_none()))
    })
}

/// Returns the gestures with which an army outside the Home takes a defended enemy hex. Marches of a whole army come
/// first, then those against more defenders, then those with more soldiers. Empty if there is none.
fn list_attacks(view: &Position<Numeral>, seat: Seat) -> Vec<[Action; 2]> {
    let (game, board) = (view.state(), view.state().board());
    let mut rated = Vec::new();
    gestures(view, |gesture| {
        let Some(first @ Action::Select(cell)) = gesture.first else { return };
        let Action::March(direction, n) = gesture.action else { return };
        let Some(to) = game.target(cell, direction) else { return };
        let Some(enemy) = board.owner(to).filter(|&owner| owner != seat) else { return };
        let defence = game.defence(to, enemy);
        if board.home(seat) != Some(cell) && defence > 0 && n > defence {
            rated.push(((n == board.ready(cell), defence, n), [first, gesture.action]));
        }
    });
    sort_by_key(&mut rated, |&(rate, _)| std::cmp::Reverse(rate));
    rated.into_iter().map(|(_, pair)| pair).collect()
}
