//! The public state as readable data, and the positions of scenarios.

use crate::cards::Card;
use crate::state::{DECK, GARBAGE, OFFER, Player, TABLE, Task, Turn, Vires, hand};
use pentarchy_engine::describe::overlay;
use pentarchy_engine::{Seat, Zone};
use serde_json::{Value, json};

/// Returns the public state as data: a table with `round`, `active`, `phase` (a word for what is awaited),
/// `turn` (its markers), `players` (by seat), `deck` and `pool` (numbers of cards), `garbage` and `table`
/// (words of the public cards), `barred` (pairs of card and seat), `blocks` (length that ends the game) and
/// `max_rounds`.
pub(super) fn of(state: &Vires) -> Value {
    let players: Vec<Value> = (0..state.seats).map(|p| player(state, Seat(p))).collect();
    let barred: Vec<Value> = state
        .barred
        .iter()
        .filter_map(|b| Some(json!([state.tokens.public_face(b.token)?.to_string(), b.seat.0])))
        .collect();
    json!({
        "round": state.round,
        "active": state.active.0,
        "phase": phase(state),
        "turn": state.turn,
        "players": players,
        "deck": state.tokens.len(DECK),
        "pool": state.pool(),
        "garbage": open(state, GARBAGE),
        "table": open(state, TABLE),
        "barred": barred,
        "blocks": state.rules.blocks,
        "max_rounds": state.rules.max_rounds,
    })
}

/// Returns a player as data: a table with `blocks`, `coins`, `score`, `cards` (number in the Hand), `open`
/// (words of its public cards), `no_hr` (number of hidden cards that are no HR), `cost` of the next Block,
/// and the markers of the player.
fn player(state: &Vires, p: Seat) -> Value {
    let markers = state.player(p);
    let hidden = || state.tokens.iter(hand(p)).filter(|&t| !state.tokens.is_public(t));
    json!({
        "blocks": state.blocks(p),
        "coins": state.coins(p),
        "score": state.score(p),
        "cards": state.cards(p),
        "open": open(state, hand(p)),
        "no_hr": hidden().filter(|&t| !state.tokens.may_be(t, Card::Hr.only())).count(),
        "cost": state.cost(p),
        "diff": markers.diff,
        "reward": markers.reward,
        "timelock": markers.timelock,
        "locked_next": markers.locked_next,
        "first_coin": markers.first_coin,
    })
}

/// Returns the words of the public cards of a zone, from top to bottom; hidden cards are left out.
fn open(state: &Vires, zone: Zone) -> Vec<String> {
    state.tokens.iter(zone).filter_map(|t| state.tokens.public_face(t)).map(|c| c.to_string()).collect()
}

/// Returns one word for what is awaited: `main`, `end`, `cancel`, `protect`, `challenge`, `flip`, `pay`,
/// `show`, `offer`, `choose`, `vote`, `kyc`, `shuffle`, `reveal`, `over`, or `draw` for everything else.
fn phase(state: &Vires) -> &'static str {
    match state.agenda.top().unwrap_or_default() {
        Task::Main { .. } => "main",
        Task::End { .. } => "end",
        Task::Cancel { .. } => "cancel",
        Task::Protect(..) => "protect",
        Task::Challenge { .. } => "challenge",
        Task::Flip => "flip",
        Task::Mine(_) | Task::Pay(_) => "pay",
        Task::Show { .. } => "show",
        Task::Offer(_) => "offer",
        Task::Choose { .. } => "choose",
        Task::Vote { .. } | Task::Count { .. } => "vote",
        Task::Kyc => "kyc",
        Task::Shuffle => "shuffle",
        Task::LayOpen => "reveal",
        Task::Over => "over",
        _ => "draw",
    }
}

/// The markers that a scenario may set, under the names of the state; `players` has one entry per seat.
#[derive(serde::Serialize, serde::Deserialize)]
struct Markers {
    round: u16,
    active: Seat,
    turn: Turn,
    players: Vec<Player>,
}

/// Returns a copy of the state with other markers. `differences` is a table with any of `round`, `active` (a
/// seat), `turn` (fields of [`Turn`]), `players` (a list, or a table by seat, with fields of [`Player`]) and
/// `phase`. `phase` (`begin`, `main`, `end`) sets the phase of the active player's turn, resets the markers
/// of the turn and of cancelled cards, moves the cards on the table to the Garbage and those on offer to the
/// active Hand, and performs tasks up to the first event; without it the agenda is unchanged.
///
/// # Errors
///
/// Fails if a name is unknown, a seat or phase does not exist, a value does not fit, or the tasks of the
/// phase cannot be performed.
pub(super) fn arranged(state: &Vires, differences: &Value) -> Result<Vires, String> {
    let mut differences = differences.clone();
    let phase = differences.as_object_mut().and_then(|map| map.remove("phase"));
    let mut state = state.clone();
    if phase.is_some() {
        state.turn = Turn::default();
        state.barred.clear();
    }
    let markers = Markers {
        round: state.round,
        active: state.active,
        turn: state.turn,
        players: state.players[..usize::from(state.seats)].to_vec(),
    };
    let mut all = serde_json::to_value(markers).map_err(|e| e.to_string())?;
    overlay(&mut all, &differences, "")?;
    let markers: Markers = serde_json::from_value(all).map_err(|e| e.to_string())?;
    if markers.active.0 >= state.seats || markers.players.len() != usize::from(state.seats) {
        return Err("there is no such seat".to_string());
    }
    (state.round, state.active, state.turn) = (markers.round, markers.active, markers.turn);
    state.players[..usize::from(state.seats)].copy_from_slice(&markers.players);
    let Some(phase) = phase else { return Ok(state) };
    state.tokens.put_all(TABLE, GARBAGE);
    state.tokens.put_all(OFFER, hand(state.active));
    let (main, end) = (Task::Main { hr: 0, fiat: false }, Task::End { hr: 0 });
    let tasks: &[Task] = match phase.as_str() {
        Some("begin") => &[Task::Begin],
        Some("main") => &[Task::Next, end, main],
        Some("end") => &[Task::Next, end],
        _ => return Err("a phase is `begin`, `main` or `end`".to_string()),
    };
    state.agenda.clear();
    tasks.iter().try_for_each(|&task| state.push_task(task)).map_err(|e| e.to_string())?;
    state.run(&mut pentarchy_engine::Cx::silent()).map_err(|e| e.to_string())?;
    Ok(state)
}
