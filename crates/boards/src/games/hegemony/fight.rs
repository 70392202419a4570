//! The middle row of the table during a battle or a Hegemony roll. The reports afterwards are in `report`.

use super::{faces, words};
use crate::icons::ic;
use crate::markup::{El, b, div, span};
use crate::ui::Ui;
use pentarchy_engine::{Game, Position, Seat, Token};
use pentarchy_hegemony::places::slot;
use pentarchy_hegemony::{Category, Hegemony, Reckoned, Side, Task, Verdict};

type View = Position<Hegemony>;

/// Draws the battle in the middle row: the fighting cards of both sides with a word between them (`against`, `beats`,
/// `loses to`, `ties with`), and the totals at the outer ends. The totals are those of the battle once it has them,
/// before that the sums of the cards that the observer knows. Marks the card whose combat roll is awaited. Draws an
/// empty row if there is no battle.
pub(super) fn battle_line(view: &View, ui: &Ui) -> El {
    let state = view.state();
    let Some(battle) = state.fought() else { return div("row fight") };
    let [attacker, defender] = battle.sides();
    let totals = battle.totals();
    let rolling = match state.step() {
        Task::Combat(which, i, k) => {
            let side = battle.rolling(which);
            state.tokens().iter(slot(side, i)).nth(k.into())
        }
        _ => None,
    };
    let face = |t: Token| view.face(t);
    let attack = state.explain_attack(attacker, defender, face);
    let defence = state.explain_defence(defender, face);
    let (a, d) = totals.unwrap_or((attack.total, defence.total));
    let line = div("cards")
        .set_if(ui.narrow, "tabindex", "0")
        .kids(draw_fighters(view, attacker, 0, rolling))
        .kid(div("vs1").text(match battle.verdict() {
            Verdict::Open => "against",
            Verdict::Attacker => "beats",
            Verdict::Defender => "loses to",
            Verdict::Tie => "ties with",
        }))
        .kids(draw_fighters(view, defender, 1, rolling));
    div("row fight")
        .set("role", "group")
        .set("aria-label", "Battle")
        .kid(draw_total(ui, attacker, "attacks", a, &attack))
        .kid(line)
        .kid(draw_total(ui, defender, "defends", d, &defence).class("r"))
}

/// Returns the name of a side: a player's (`You` for the player at this screen), or `The Empire`.
fn side_name(ui: &Ui, side: Side) -> String {
    side.seat().map_or("The Empire".to_string(), |seat| ui.name(seat).to_string())
}

/// Draws the total `n` of a side under its name and `verb`, which is in the third person (`attacks`) and loses its
/// `s` after `You`. The tooltip lists the parts of `sum`.
fn draw_total(ui: &Ui, side: Side, verb: &str, n: i32, sum: &Reckoned) -> El {
    let class = side.seat().map_or("c0".to_string(), |seat| ui.c(seat));
    let name = side_name(ui, side);
    let verb = if name == "You" { verb.trim_end_matches('s') } else { verb };
    div(format!("tot {class}"))
        .set("title", words::sum(sum))
        .kid(span("lbl").text(format!("{name} {verb}")))
        .kid(div("num").tick(verb).text(n.to_string()))
}

/// Draws the Military cards of a side in slots that are not switched off, in the order of the slots, each with a
/// printed number: `part` 0 is the attack, 1 the defence, `?` for an unknown card. `rolling` is the card whose combat
/// roll is awaited; it is marked.
fn draw_fighters(view: &View, side: Side, part: usize, rolling: Option<Token>) -> Vec<El> {
    let state = view.state();
    let slots = state.occupied_slots(side).filter(|&i| state.switched_off(side, i).is_none());
    let cards = slots.flat_map(|i| state.tokens().iter(slot(side, i)).map(move |t| (i, t)));
    let cards = cards.filter(|&(_, t)| state.category_of(t) == Category::Military);
    cards
        .map(|(_, t)| {
            let shown = view.face(t);
            let icon = shown.map_or("crossed-swords", faces::icon);
            let name = shown.map_or("Military", |card| card.title());
            let power = shown.map(|card| state.powers_of(card));
            let power = power.map(|(a, d)| if part == 0 { a } else { d });
            let art = div("card S mil").class_if(shown.is_none(), "down").kid(div("art").kid(ic(icon)));
            let art = art.set("role", "img").set("aria-label", name).set("data-key", t.to_string()).token(t);
            div("fgt")
                .class_if(rolling == Some(t), "now")
                .kid(art)
                .kid(b(power.map_or("?".to_string(), |n| n.to_string())).class("num"))
        })
        .collect()
}

/// Draws the middle row before a Hegemony roll of `seat`: its name, and the bonuses that the observer knows, or
/// `no bonus`.
pub(super) fn roll_line(view: &View, ui: &Ui, seat: Seat) -> El {
    let sum = view.state().explain_roll(seat, |t| view.face(t));
    let parts = if sum.parts.is_empty() { "no bonus".to_string() } else { words::sum(&sum) };
    let whose = match ui.name(seat) {
        "You" => "Your roll".to_string(),
        name => format!("{name}’s roll"),
    };
    div("row pool")
        .kid(div("pl").kid(span("lbl").text("Hegemony roll")))
        .kid(div("cards").kid(div("say1").kid(ui.mark(seat)).text(format!("{whose}: {parts}"))))
}
