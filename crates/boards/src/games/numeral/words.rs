//! Texts about hexes and marches, with the numbers of both sides. Places are highlighted, never named by
//! coordinates.

use super::{cell_of, icon, map, upgrade_of};
use crate::board::{ActionRow, Ask, Note};
use crate::ui::{Amount, Ui};
use pentarchy_engine::describe::who;
use pentarchy_engine::{Observer, Position, Seat};
use pentarchy_numeral::{Action, Amounts, Cell, Direction, Numeral, Phase, Stage, Upgrade};

/// Returns the hex that the rules have as selected for placing or marching; `None` if no hex is. The selection of the
/// page does not count.
pub(super) fn chosen(game: &Numeral) -> Option<Cell> {
    match game.stage() {
        Stage::PlaceAt(cell) | Stage::MarchFrom(cell) => Some(cell),
        _ => None,
    }
}

/// Returns the number of hexes outside the Home on which the active player has soldiers that can still march this
/// turn.
pub(super) fn armies_left(game: &Numeral) -> usize {
    let home = game.board().home(game.active());
    game.board().awake().iter().filter(|&cell| Some(cell) != home).count()
}

/// Formats a number of soldiers: `1 soldier`, `3 soldiers`.
pub(super) fn soldiers(n: u32) -> String {
    if n == 1 { "1 soldier".to_string() } else { format!("{n} soldiers") }
}

/// Returns the owner of a hex if it is not the active player; `None` for own and free hexes.
pub(super) fn enemy(game: &Numeral, cell: Cell) -> Option<Seat> {
    game.board().owner(cell).filter(|&owner| owner != game.active())
}

/// Returns how many of the soldiers on `from` that can move a click with this amount sends to `to`. Against an enemy
/// hex, the number that just beats its defence is offered, too. 0 if none can move.
pub(super) fn amount(game: &Numeral, amount: Amount, from: Cell, to: Cell) -> u32 {
    let offered = Amounts::marching(game.board().ready(from));
    match enemy(game, to) {
        Some(owner) => amount.of(offered.against(game.defence(to, owner)).as_slice()),
        None => amount.of(offered.as_slice()),
    }
}

/// Formats the result of sending `n` soldiers of the active player to a hex, with the CSS class of its label. Against
/// an enemy hex: `wins, 3 left` with `win`; `all die` (as many as its defence) or `fails, 2 left` (defenders) with
/// `lose`. `free` with `free` on free land, and `4 + 3` (own soldiers there, and `n`) with `join`. `None` for an own
/// hex without soldiers, and on a narrow screen for every own hex. Not checked: whether the march is possible.
pub(super) fn outcome(game: &Numeral, to: Cell, n: u32, narrow: bool) -> Option<(String, &'static str)> {
    let board = game.board();
    match (enemy(game, to), board.owner(to)) {
        (Some(owner), _) => {
            let defence = game.defence(to, owner);
            Some(match n.checked_sub(defence) {
                Some(0) => ("all die".to_string(), "lose"),
                Some(left) => (format!("wins, {left} left"), "win"),
                None => (format!("fails, {} left", defence - n), "lose"),
            })
        }
        (None, None) => Some(("free".to_string(), "free")),
        (None, Some(_)) if narrow || board.soldiers(to) == 0 => None,
        (None, Some(_)) => Some((format!("{} + {n}", board.soldiers(to)), "join")),
    }
}

/// Returns whether an action is an attack from the selected hex with no more soldiers than its goal has defence, so
/// that the hex is not taken; `false` for all other actions, and while the rules have no hex selected.
pub(super) fn fails(game: &Numeral, action: Action) -> bool {
    let (Action::March(direction, n), Some(from)) = (action, chosen(game)) else { return false };
    let to = game.target(from, direction);
    to.and_then(|to| Some(n <= game.defence(to, enemy(game, to)?))).unwrap_or(false)
}

/// Describes in one sentence how an attack of the active player by `n` soldiers ends: what they take and how many
/// remain, or how many defenders do; `None` if the hex has no enemy owner.
pub(super) fn battle(game: &Numeral, to: Cell, n: u32) -> Option<String> {
    let defence = game.defence(to, enemy(game, to)?);
    let prize = match game.board().upgrade(to) {
        Upgrade::None => "the hex".to_string(),
        upgrade if game.razes_buildings() && upgrade != Upgrade::Home => {
            format!("the hex and destroy the {}", upgrade.name())
        }
        upgrade => format!("the {}", upgrade.name()),
    };
    Some(match n.checked_sub(defence) {
        Some(0) => format!("{n} against {defence}: all die, the attack fails."),
        Some(left) => format!("{n} against {defence}: you take {prize}, {left} left."),
        None if defence - n == 1 => format!("{n} against {defence}: the attack fails, 1 defender left."),
        None => format!("{n} against {defence}: the attack fails, {} defenders left.", defence - n),
    })
}

/// Returns the question before an action of the active player, with its consequence in numbers. The end of
/// the turn always has one. `None` for selections, for other actions while the rules have no hex selected,
/// and for a march where there is no land.
pub(super) fn ask(game: &Numeral, action: Action) -> Option<Ask> {
    let board = game.board();
    let gold = board.storage(game.active());
    match (action, chosen(game)) {
        (Action::Done, _) => {
            let consequence = match (game.phase(), armies_left(game)) {
                (Phase::Placing, _) => format!("{gold} gold stays at Home."),
                (_, 0) if !board.awake().is_empty() => {
                    format!("Only your Home ({gold} gold) can still move.")
                }
                (_, 0) => "All armies have moved.".to_string(),
                (_, 1) => "1 army can still move.".to_string(),
                (_, n) => format!("{n} armies can still move."),
            };
            Some(Ask { question: "End your turn?".to_string(), consequence, verb: "End turn".to_string() })
        }
        (Action::Place(n), Some(cell)) => Some(Ask {
            question: format!("Place {}?", soldiers(n)),
            consequence: format!("{} here, {} gold left.", board.soldiers(cell) + n, gold.saturating_sub(n)),
            verb: format!("Place {n}"),
        }),
        (Action::Build(upgrade), Some(_)) => {
            let cost = board.cost(upgrade);
            Some(Ask {
                question: format!("Build {} for {cost}?", with_article(upgrade)),
                consequence: format!(
                    "{} {} gold left.",
                    describe_building(game, upgrade),
                    gold.saturating_sub(cost)
                ),
                verb: format!("Build for {cost}"),
            })
        }
        (Action::March(direction, n), Some(from)) => {
            let to = game.target(from, direction)?;
            let keep = board.soldiers(from).saturating_sub(n);
            let question = match (n, keep) {
                (1, 0) => "Move 1 soldier?".to_string(),
                (_, 0) => format!("Move all {n}?"),
                _ => format!("Move {n}, keep {keep}?"),
            };
            let consequence = match battle(game, to, n) {
                Some(battle) => battle,
                None if board.owner(to).is_none() => "You take the free land.".to_string(),
                None if board.home(game.active()) == Some(to) => {
                    let they = if n == 1 { "It becomes" } else { "They become" };
                    format!("{they} {n} gold in your Home.")
                }
                None => format!("{} there.", soldiers(board.soldiers(to) + n)),
            };
            Some(Ask { question, consequence, verb: format!("Move {n}") })
        }
        _ => None,
    }
}

/// Formats a building with its indefinite article: `a Farm`, `an Archology`.
fn with_article(upgrade: Upgrade) -> String {
    let name = upgrade.name();
    format!("{} {name}", if name.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" })
}

/// Describes the effect of a building in one sentence: what its hex then earns each round, or for a Tower that its
/// soldiers also defend the 6 hexes around it.
fn describe_building(game: &Numeral, upgrade: Upgrade) -> String {
    match upgrade {
        Upgrade::Tower => "Its soldiers also defend your 6 hexes around it.".to_string(),
        _ => format!("The hex then earns {} each round.", game.board().yields(upgrade)),
    }
}

/// Returns the prompt for what is selected (`ui.chosen`): a building with its cost, or in the Attacking
/// phase an army with the number that a click sends. Without a selection, how to place soldiers. `None` if
/// none of these fits; the usual prompt is shown then. The prompts have no verb.
pub(super) fn narrowed(game: &Numeral, ui: &Ui) -> Option<Ask> {
    let Some(first) = ui.chosen.first() else { return how_to_place(game, ui) };
    if let Some(upgrade) = upgrade_of(first) {
        let (cost, gold) = (game.board().cost(upgrade), game.board().storage(game.active()));
        let left = gold.saturating_sub(cost);
        return Some(Ask {
            question: format!("Choose a hex for the {}", upgrade.name()),
            consequence: format!("{} Costs {cost}, {left} gold left.", describe_building(game, upgrade)),
            verb: String::new(),
        });
    }
    let from = map::source(game, ui).filter(|_| game.phase() == Phase::Attacking)?;
    let ready = game.board().ready(from);
    let click = if ui.narrow { "Tap" } else { "Click" };
    let send = match ui.amount {
        _ if ready == 1 => "send it".to_string(),
        Amount::All => format!("send all {ready}"),
        amount => format!("send {}", amount.of(Amounts::marching(ready).as_slice())),
    };
    let fewer = match (ready, ui.narrow) {
        (1, _) => String::new(),
        (_, true) => " Hold to send another number.".to_string(),
        (_, false) => " Hold or type to send another number.".to_string(),
    };
    let question = if ready == 1 {
        "Choose where the soldier goes".to_string()
    } else {
        format!("Choose where the {ready} soldiers go")
    };
    let other = if ui.preselected && armies_left(game) > 1 { ", or another army" } else { "" };
    Some(Ask {
        question,
        consequence: format!("{click} a hex to {send}{other}.{fewer}"),
        verb: String::new(),
    })
}

/// Returns the prompt that explains how to place soldiers with the current amount: only its consequence. `None`
/// outside the placing step or without gold.
fn how_to_place(game: &Numeral, ui: &Ui) -> Option<Ask> {
    let gold = game.board().storage(game.active());
    if game.stage() != Stage::Place || gold == 0 {
        return None;
    }
    let n = ui.amount.of(Amounts::placing(gold).as_slice());
    let click = if ui.narrow { "Tap" } else { "Click" };
    let all = if ui.narrow { "" } else { " Shift-click: all." };
    let consequence = format!("{click} a hex: +{n}.{all} Drag from your Home for another number.");
    Some(Ask { consequence, ..Ask::default() })
}

/// Formats where a hex is, in steps from the Home of the active player: `north-east of Home`,
/// `2 east, 1 north-east of Home`. Returns `Home` for the Home itself, and for a player without one.
fn from_home(game: &Numeral, cell: Cell) -> String {
    const STEPS: [(i32, i32); 6] = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];
    let Some(home) = game.board().home(game.active()).filter(|&home| home != cell) else {
        return "Home".to_string();
    };
    let (x, y) = (cell.hex().x - home.hex().x, cell.hex().y - home.hex().y);
    // Of two neighbouring directions one pair leads there without a step back; turning left has determinant -1.
    let pairs = (0..6).map(|i| {
        let ((ax, ay), (bx, by)) = (STEPS[i], STEPS[(i + 1) % 6]);
        [(i, y * bx - x * by), ((i + 1) % 6, x * ay - y * ax)]
    });
    let pair = pairs.into_iter().find(|pair| pair.iter().all(|(_, n)| *n >= 0)).unwrap_or_default();
    let say = |(i, n): &(usize, i32)| match (*n, Direction::ALL[*i].name()) {
        (0, _) => None,
        (1, name) if x.abs().max(y.abs()).max((x + y).abs()) == 1 => Some(name.to_string()),
        (n, name) => Some(format!("{n} {name}")),
    };
    format!("{} of Home", pair.iter().filter_map(say).collect::<Vec<_>>().join(", "))
}

/// Returns icon, label and value of an action in the list of actions. The end of the turn has no value. A
/// selection: the building or `Land`, and the soldiers there or those that can move. Placing: number,
/// place, and the soldiers there then. Building: name, place and price. A march: number, direction and
/// result. Empty for the last three while the rules have no hex selected, and for a march where there is no
/// land.
pub(super) fn row(game: &Numeral, action: Action) -> ActionRow {
    let board = game.board();
    match (action, chosen(game)) {
        (Action::Done, _) => {
            ActionRow { icon: Some("hourglass"), label: Some("End turn".to_string()), value: None }
        }
        (Action::Select(cell), _) => {
            let label = match board.upgrade(cell) {
                Upgrade::None => "Land".to_string(),
                upgrade => upgrade.name().to_string(),
            };
            let value = match game.phase() {
                Phase::Attacking => format!("{} can move", board.ready(cell)),
                Phase::Placing => board.soldiers(cell).to_string(),
            };
            ActionRow {
                icon: icon(board.upgrade(cell)).or(Some("meeple")),
                label: Some(label),
                value: Some(value),
            }
        }
        (Action::Place(n), Some(cell)) => {
            let there = match (board.upgrade(cell), board.soldiers(cell)) {
                (Upgrade::None, 0) => String::new(),
                (Upgrade::None, there) => format!(" on your {there},"),
                (upgrade, _) => format!(" on the {},", upgrade.name()),
            };
            ActionRow {
                icon: Some("meeple"),
                label: Some(format!("{n}{there} {}", from_home(game, cell))),
                value: Some(format!("{} there", board.soldiers(cell) + n)),
            }
        }
        (Action::Build(upgrade), Some(cell)) => {
            let there = match board.soldiers(cell) {
                0 => String::new(),
                n => format!(" on your {n},"),
            };
            ActionRow {
                icon: icon(upgrade),
                label: Some(format!("{}{there} {}", upgrade.name(), from_home(game, cell))),
                value: Some(format!("costs {}", board.cost(upgrade))),
            }
        }
        (Action::March(direction, n), Some(from)) => {
            let Some(to) = game.target(from, direction) else { return ActionRow::default() };
            let value =
                outcome(game, to, n, false).map_or_else(|| "to empty land".to_string(), |(text, _)| text);
            let icon = icon(board.upgrade(to)).or(Some("meeple"));
            let army = match board.ready(from) {
                _ if board.home(game.active()) == Some(from) => format!("{n} from Home"),
                ready if ready == n => format!("Your {n}"),
                ready => format!("{n} of your {ready}"),
            };
            ActionRow { icon, label: Some(format!("{army} {}", direction.name())), value: Some(value) }
        }
        _ => ActionRow::default(),
    }
}

/// Returns a sentence without the coordinates of a hex and the colon at its beginning, which are for the command
/// line. Other sentences are returned as they are.
pub(super) fn without_places(sentence: &str) -> String {
    match sentence.split_once(": ") {
        Some((place, rest)) if place.parse::<Cell>().is_ok() => rest.to_string(),
        _ => sentence.to_string(),
    }
}

/// Returns the accessible name of a hex: owner (`Your`, the name, or `Neutral`), building or `land`,
/// soldiers or the gold of a Home, how many can move, and the result of a march of the selected army to it.
/// Neutral land has no numbers.
pub(super) fn name(game: &Numeral, ui: &Ui, cell: Cell) -> String {
    let board = game.board();
    let what = match board.upgrade(cell) {
        Upgrade::None => "land",
        upgrade => upgrade.name(),
    };
    let n = board.soldiers(cell);
    let here = match (board.upgrade(cell), n) {
        (Upgrade::Home, n) => format!("{n} gold"),
        (_, 0) => "empty".to_string(),
        (_, n) => soldiers(n),
    };
    let ready = match board.ready(cell) {
        0 => String::new(),
        n => format!(", {n} can move"),
    };
    let whose = match board.owner(cell) {
        None => return format!("Neutral {what}{}", said_result(game, ui, cell)),
        Some(seat) if Some(seat) == ui.seat => "Your".to_string(),
        Some(seat) => format!("{}'s", ui.name(seat)),
    };
    format!("{whose} {what}: {here}{ready}{}", said_result(game, ui, cell))
}

/// Returns the result of a march of the selected army with the current amount to a hex, for its accessible name:
/// `; wins, 3 left`. Empty if the player at this screen does not decide, the hex is no target or there is nothing to
/// say.
fn said_result(game: &Numeral, ui: &Ui, cell: Cell) -> String {
    let from = map::source(game, ui).filter(|&from| from != cell && ui.mine && ui.lit(&super::hex_key(cell)));
    let from = from.filter(|_| {
        game.phase() == Phase::Attacking && !(ui.preselected && ui.start.contains(&super::hex_key(cell)))
    });
    let said = from.and_then(|from| outcome(game, cell, amount(game, ui.amount, from, cell), false));
    said.map_or_else(String::new, |(text, _)| format!("; {text}"))
}

/// Returns the note about the hex or building that a key names: owner, soldiers, income and defence, or cost and
/// effect. `None` if it names neither. Seats are written `@0`; the observer's own hexes are `Yours`.
pub(super) fn explain(view: &Position<Numeral>, key: &str) -> Option<Note> {
    let game = view.state();
    if let Some(upgrade) = upgrade_of(key) {
        let text = format!("Costs {}. {}", game.board().cost(upgrade), describe_building(game, upgrade));
        return Some(Note { title: upgrade.name().to_string(), text });
    }
    let cell = cell_of(key)?;
    let board = game.board();
    let (upgrade, n) = (board.upgrade(cell), board.soldiers(cell));
    let income = format!("Income {}.", board.yields(upgrade));
    let Some(owner) = board.owner(cell) else {
        let title = if upgrade == Upgrade::None {
            "Neutral land".to_string()
        } else {
            format!("Neutral {}", upgrade.name())
        };
        return Some(Note { title, text: format!("Move 1 soldier here to take it. {income}") });
    };
    let mine = view.observer() == Observer::Seat(owner);
    let title = match upgrade {
        Upgrade::None => "Land".to_string(),
        upgrade => upgrade.name().to_string(),
    };
    let whose = if mine { "Yours.".to_string() } else { format!("{}'s.", who(owner)) };
    let here = match (n, board.ready(cell)) {
        (0, _) => "Empty.".to_string(),
        (n, 0) => format!("{}.", soldiers(n)),
        (n, ready) if ready == n => format!("{}, can move.", soldiers(n)),
        (n, ready) => format!("{}, {ready} can move.", soldiers(n)),
    };
    let mut text = match upgrade {
        Upgrade::Home => format!("{whose} {n} gold, which also defends it. {income}"),
        Upgrade::Tower => {
            format!("{whose} {here} Soldiers here also defend the owner's 6 hexes around it. {income}")
        }
        _ => format!("{whose} {here} {income}"),
    };
    let defence = game.defence(cell, owner);
    if defence > n {
        text += &format!(" Towers add {}: defence {defence}.", defence - n);
    }
    Some(Note { title, text })
}

/// Explains why a hex or a building cannot be used now by the active player. A building always has a reason: too
/// expensive, no hex without a building, or another phase. A hex has one by the stage: not theirs, the Home, no gold,
/// a building, no soldiers, moved before, another hex is selected, or not adjacent. `None` if the key names neither,
/// and for a hex without such a reason. Not checked: whether it can in fact be used.
pub(super) fn why_not(game: &Numeral, key: &str) -> Option<String> {
    let board = game.board();
    let gold = board.storage(game.active());
    if let Some(upgrade) = upgrade_of(key) {
        let cost = board.cost(upgrade);
        let says = match game.stage() {
            Stage::Place | Stage::PlaceAt(_) if cost > gold => format!("Costs {cost} gold, you have {gold}."),
            Stage::Place | Stage::PlaceAt(_) => "All your hexes have a building.".to_string(),
            _ => "You build in the Placing phase.".to_string(),
        };
        return Some(says);
    }
    let cell = cell_of(key)?;
    let mine = board.owner(cell) == Some(game.active());
    let says = match game.stage() {
        Stage::Place if !mine => "Not your land.".to_string(),
        Stage::Place if board.home(game.active()) == Some(cell) => {
            "Drag gold from here to a hex.".to_string()
        }
        Stage::Place if gold == 0 => "Your Home has no gold.".to_string(),
        Stage::Place => "This hex has a building.".to_string(),
        Stage::March if !mine => "Choose one of your armies first.".to_string(),
        Stage::March if board.soldiers(cell) == 0 => "No soldiers here.".to_string(),
        Stage::March => "These soldiers have moved this turn.".to_string(),
        Stage::PlaceAt(_) => "Place or build on the selected hex first.".to_string(),
        Stage::MarchFrom(from) if from.distance(cell) != 1 => "Soldiers move 1 hex a turn.".to_string(),
        _ => return None,
    };
    Some(says)
}
