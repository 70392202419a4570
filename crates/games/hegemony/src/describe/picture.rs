//! The public state as readable data, and the positions of scenarios.

use crate::agenda::Task;
use crate::places::{COMMON, Side, deck, discard, hand, slot};
use crate::state::Hegemony;
use pentarchy_engine::describe::overlay;
use pentarchy_engine::{Seat, Token};
use serde_json::{Value, json};

/// Returns the public state as a JSON object, with which scenarios compare: `round`, `turn`, `vp` by seat,
/// `empire` (its points), `standing`, `living`, `common`, `for_sale`, `empire_slots`, `empire_cards`,
/// `players` by seat, `marks`, `battle` and `ending`. A hidden card is written as its category with `?`, a
/// public one by its word, even if it lies face down; sets of slots are lists of numbers from 0.
pub(super) fn picture(state: &Hegemony) -> Value {
    let seats = || (0..state.seats).map(Seat);
    let face = |t: Token| match state.tokens.public_face(t) {
        Some(card) => card.to_string(),
        None => format!("{}?", state.category(t)),
    };
    let slots = |side: Side| -> Vec<Vec<String>> {
        (0..state.slots(side)).map(|i| state.tokens.iter(slot(side, i)).map(face).collect()).collect()
    };
    let bits = |bits: u8| (0..8u8).filter(|i| bits >> i & 1 != 0).collect::<Vec<_>>();
    let players: Vec<Value> = seats()
        .map(|seat| {
            let p = &state.players[seat.index()];
            json!({
                "vp": state.points(seat.into()),
                "slots": slots(seat.into()),
                "occupied": state.occupied(seat.into()).count(),
                "deck": state.tokens.len(deck(seat.into())),
                "discard": state.tokens.len(discard(seat.into())),
                "hand": state.tokens.len(hand(seat)),
                "sanctions": bits(p.sanctions),
                "down": bits(p.down),
                "embargo": p.embargo,
                "gridlock": p.gridlock,
                "false_flags": p.flags,
                "lobby": p.lobby,
                "scalped": p.scalped,
                "defeated": p.fell > 0,
            })
        })
        .collect();
    let marks: Vec<Value> =
        state.marks.iter().map(|m| json!({ "card": face(m.token), "by": m.by })).collect();
    json!({
        "round": state.round,
        "turn": state.turn.map(|side| side.to_string()),
        "vp": seats().map(|s| state.points(s.into())).collect::<Vec<_>>(),
        "empire": state.points(Side::EMPIRE),
        "standing": state.standing,
        "living": seats().filter(|&s| state.living.has(s)).collect::<Vec<_>>(),
        "common": state.tokens.iter(COMMON).map(face).collect::<Vec<_>>(),
        "for_sale": state.tokens.len(COMMON),
        "empire_slots": slots(Side::EMPIRE),
        "empire_cards": state.occupied(Side::EMPIRE).count(),
        "players": players,
        "marks": marks,
        "battle": state.battle,
        "ending": state.ending,
    })
}

/// Returns a copy of the state with the values of a scenario. `differences` must be a JSON object: `vp` is a
/// list by seat, `empire` the Empire's points, and `at` the next task: `round`, `turn 0`, `replace 0`,
/// `purchase 0`, `act 0`, `empire` or `hegemony 0`, where 0 is a seat. All other entries are overlaid on the
/// serialised state, whose field names they use. With `at` tasks are performed up to the first event; without
/// it the agenda is unchanged.
///
/// # Errors
///
/// Fails if a name is unknown, a value does not fit, or the task that `at` names cannot be performed.
pub(super) fn arranged(state: &Hegemony, differences: &Value) -> Result<Hegemony, String> {
    let mut differences = differences.clone();
    let given = differences.as_object_mut().ok_or("a position is a table of names and values")?;
    let (vp, empire, at) = (given.remove("vp"), given.remove("empire"), given.remove("at"));
    let mut all = serde_json::to_value(state).map_err(|e| e.to_string())?;
    overlay(&mut all, &differences, "")?;
    let mut state: Hegemony = serde_json::from_value(all).map_err(|e| e.to_string())?;
    if let Some(vp) = vp {
        let vp: Vec<i32> = serde_json::from_value(vp).map_err(|e| format!("vp: {e}"))?;
        if vp.len() != usize::from(state.seats) {
            return Err(format!("vp: a number for each of the {} seats", state.seats));
        }
        state.vp[..vp.len()].copy_from_slice(&vp);
    }
    if let Some(empire) = empire {
        state.vp[Side::EMPIRE.index()] =
            serde_json::from_value(empire).map_err(|e| format!("empire: {e}"))?;
    }
    if let Some(at) = at {
        let at = at.as_str().ok_or("at: a text like `act 0`")?;
        begin_at(&mut state, at)?;
    }
    Ok(state)
}

/// Replaces the agenda by the tasks of a round from the one on that a scenario names as `at`: `turn`,
/// `replace`, `purchase`, `act` or `hegemony` with a seat (`act 1`; 0 if none is named), `round` or `empire`.
/// Drops the current battle, sets whose turn it is, and performs tasks up to the first event; no facts are
/// emitted.
///
/// # Errors
///
/// Fails if there is no such task or seat, or a task cannot be performed. After a failure other than of the
/// seat the state is partly changed.
fn begin_at(state: &mut Hegemony, at: &str) -> Result<(), String> {
    let wrong = || format!("at: `{at}` is no task like `turn 0`, `act 1`, `empire` or `hegemony 0`");
    let (what, seat) = at.split_once(' ').unwrap_or((at, "0"));
    let seat = seat.parse().ok().filter(|&s| s < state.seats).map(Seat).ok_or_else(wrong)?;
    let k = state.order().position(|s| s == seat).unwrap_or(0) as u8;
    state.agenda.clear();
    state.battle = None;
    let mut tasks = vec![Task::EndRound, Task::Empire, Task::Turns(k + 1), Task::EndTurn(seat)];
    state.turn = Some(seat.into());
    let purchases = state.rules.n.purchases as u8;
    match what {
        "turn" => tasks.splice(3.., [Task::Turn(seat)]).for_each(drop),
        "replace" => tasks.extend([Task::Act(seat), Task::Purchase(seat, purchases), Task::Unfold(seat)]),
        "purchase" => tasks.extend([Task::Act(seat), Task::Purchase(seat, purchases)]),
        "act" => tasks.push(Task::Act(seat)),
        "round" => {
            tasks = vec![Task::Round];
            state.turn = None;
        }
        "empire" => {
            tasks = vec![Task::EndRound, Task::Empire];
            state.turn = None;
        }
        "hegemony" => {
            state.turn = Some(Side::EMPIRE);
            tasks = vec![Task::EndRound, Task::Withdraw, Task::Hegemony(k + 1)];
            tasks.extend([Task::Die(seat), Task::Confess(seat), Task::Court(seat, 0)]);
        }
        _ => return Err(wrong()),
    }
    for task in tasks {
        state.push_task(task).map_err(|e| e.to_string())?;
    }
    state.run(&mut pentarchy_engine::Cx::silent()).map_err(|e| e.to_string())
}
