//! The guided first game of Numeral: a small map, one opponent, a fight in the second or third round.

use super::hex_key;
use crate::board::Key;
use crate::gesture::gestures;
use crate::guide::{Deal, Guide, GuideStep, Shows};
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
    farewell: "You won a fight. To win the game, take every Home, or have the most soldiers and gold after the last round.",
};

const STEPS: &[GuideStep<Numeral>] = &[
    GuideStep {
        text: "Every hex can hold soldiers: that is the number on it. Blue land is yours. Grey land belongs to nobody yet.",
        when: |view, seat| at(view, seat, Stage::Place) && round(view) == 1,
        shows: Shows::Part("board"),
    },
    GuideStep {
        text: "This is your Home. Its number is your gold, and your gold also defends it.",
        when: |view, seat| at(view, seat, Stage::Place) && round(view) == 1,
        shows: Shows::Piece(home),
    },
    GuideStep {
        text: "A soldier costs 1 gold. Click the highlighted hex to place 5 soldiers at your border.",
        when: |view, seat| at(view, seat, Stage::Place) && round(view) == 1,
        shows: Shows::Gesture(place_five),
    },
    GuideStep {
        text: "Buildings raise your income. A Farm costs 3 gold and earns 1 more each round. Choose it, then the highlighted hex.",
        when: |view, seat| at(view, seat, Stage::Place) && round(view) == 1,
        shows: Shows::Gesture(build_farm),
    },
    GuideStep {
        text: "Keep the rest: it defends your Home. End your turn; then your opponent places.",
        when: |view, seat| at(view, seat, Stage::Place) && round(view) == 1,
        shows: Shows::Move(done),
    },
    GuideStep {
        text: "Now armies move, one hex each. Your army is selected. Labels say what happens: grey land is free.",
        when: |view, seat| at(view, seat, Stage::March) && round(view) == 1,
        shows: Shows::Piece(army),
    },
    GuideStep {
        text: "1 soldier is enough to take free land. Choose 1 here, then click the highlighted hex.",
        when: |view, seat| at(view, seat, Stage::March) && round(view) == 1,
        shows: Shows::Gesture(take_with_one),
    },
    GuideStep {
        text: "That land is yours and earns 1 gold a round. The army is still selected: take another hex.",
        when: |view, seat| at(view, seat, Stage::March) && round(view) == 1,
        shows: Shows::Gesture(take_with_one),
    },
    GuideStep {
        text: "A mistake? Undo takes back one move at a time, until you end your turn.",
        when: |view, seat| at(view, seat, Stage::March) && round(view) == 1,
        shows: Shows::Part("undo"),
    },
    GuideStep {
        text: "A new round: your land paid you. Each hex earns 1, buildings earn more, and 2 soldiers outside the Home cost 1.",
        when: |view, seat| at(view, seat, Stage::Place) && round(view) > 1,
        shows: Shows::Piece(home),
    },
    GuideStep {
        text: "These numbers decide the game: all soldiers and gold of a player. The small number is the income.",
        when: |view, seat| at(view, seat, Stage::Place) && round(view) > 1,
        shows: Shows::Part("seats"),
    },
    GuideStep {
        text: "Fights are subtraction. Here you win: the label says how many of yours are left. Attack!",
        when: |view, seat| at(view, seat, Stage::March) && attack(view, seat).is_some(),
        shows: Shows::Gesture(attack),
    },
];

fn round(view: &Position<Numeral>) -> u16 {
    view.state().round()
}

/// Whether the learner decides at this stage.
fn at(view: &Position<Numeral>, seat: Seat, stage: Stage) -> bool {
    view.node() == Node::Decide(seat) && view.state().stage() == stage
}

fn home(view: &Position<Numeral>, seat: Seat) -> Option<Key> {
    view.state().board().home(seat).map(hex_key)
}

fn done(_view: &Position<Numeral>, _seat: Seat) -> Option<Action> {
    Some(Action::Done)
}

/// The army that the page selects.
fn army(view: &Position<Numeral>, _seat: Seat) -> Option<Key> {
    <Numeral as crate::board::Board>::preselect(view, None)
}

/// The best gesture of two actions, by a rating of the selected hex and the second action; nothing where none is rated.
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

/// How many of the neighbours of a hex fit.
fn neighbours(game: &Numeral, cell: Cell, fits: impl Fn(Option<Seat>) -> bool) -> u32 {
    let land = Direction::ALL.into_iter().filter_map(|direction| game.target(cell, direction));
    land.filter(|&next| fits(game.board().owner(next))).count() as u32
}

/// Five soldiers where the most free land lies around.
fn place_five(view: &Position<Numeral>, _seat: Seat) -> Option<[Action; 2]> {
    let game = view.state();
    best_pair(view, |cell, action| {
        let free = neighbours(game, cell, |owner| owner.is_none());
        (action == Action::Place(5) && free > 1).then_some(free)
    })
}

/// A Farm where the most own land lies around.
fn build_farm(view: &Position<Numeral>, seat: Seat) -> Option<[Action; 2]> {
    let game = view.state();
    best_pair(view, |cell, action| {
        let empty = game.board().soldiers(cell) == 0;
        let own = neighbours(game, cell, |owner| owner == Some(seat));
        (action == Action::Build(Upgrade::Farm) && empty).then_some(own)
    })
}

/// One soldier of the army that is selected takes free land.
fn take_with_one(view: &Position<Numeral>, seat: Seat) -> Option<[Action; 2]> {
    let game = view.state();
    let army = army(view, seat)?;
    best_pair(view, |cell, action| {
        let Action::March(direction, 1) = action else { return None };
        let to = game.target(cell, direction)?;
        let free = game.board().owner(to).is_none() && hex_key(cell) == army && game.board().ready(cell) > 1;
        free.then(|| neighbours(game, to, |owner| owner.is_none()))
    })
}

/// A whole army beats defenders.
fn attack(view: &Position<Numeral>, seat: Seat) -> Option<[Action; 2]> {
    let game = view.state();
    best_pair(view, |cell, action| {
        let Action::March(direction, n) = action else { return None };
        let to = game.target(cell, direction)?;
        let enemy = game.board().owner(to).filter(|&owner| owner != seat)?;
        let defence = game.defence(to, enemy);
        let whole = n == game.board().ready(cell) && game.board().home(seat) != Some(cell);
        (whole && defence > 0 && n > defence).then_some(defence)
    })
}
