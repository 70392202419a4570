//! The bid and the battle: two sides with their cards, the dice between them, the blocks that fight.

use super::texts::BATTLE;
use super::{faces, keys};
use crate::board::Chapter;
use crate::card::CardSize;
use crate::icons::ic;
use crate::markup::{El, b, div, el, span};
use crate::ui::Ui;
use pentarchy_engine::{AppliedEvent, Game, Position, Seat, Token, fill_text};
use pentarchy_hestia::face::Mode;
use pentarchy_hestia::state::{GONE, H, L, POOL, enemy, hand, land, lead, played};
use pentarchy_hestia::{DecisionKind, Fact, Fought, Hestia};

type View = Position<Hestia>;

/// Draws the battle under way as a dialog: cards, dice and blocks of both sides, attacker on the left, and the past
/// clashes of `ui.story`. `None` without a battle, and while a block flees or withdraws, because the map is needed
/// for that.
pub(super) fn dialog(view: &View, ui: &Ui) -> Option<El> {
    let state = view.state();
    let fought = state.fought()?;
    if matches!(state.decision_kind(), DecisionKind::Flee | DecisionKind::Withdraw) {
        return None;
    }
    let (attacker, defender) = (fought.attacker, enemy(fought.attacker));
    let title = fill_text!(BATTLE.title, place = fought.place.spot().name);
    let (mine, theirs) = (fought.cards[attacker.index()], fought.cards[defender.index()]);
    let played = (mine + theirs > 0)
        .then(|| span("tag").text(fill_text!(BATTLE.cards_played, own = mine, other = theirs)));
    let head = div("hd1").kid(el("h2").class("title").text(title.clone())).kid_if(played);
    let clash = div("clash")
        .kid(half(view, ui, &fought, attacker))
        .kid(dice(view, ui, &fought))
        .kid(half(view, ui, &fought, defender))
        .kid(army(view, None, ui, &fought, attacker))
        .kid(div(""))
        .kid(army(view, None, ui, &fought, defender).class("r"));
    let dialog = div("dialog bt1").set("role", "dialog").set("aria-label", title);
    Some(dialog.kid(head).kid(clash).kid_if(draw_clashes(ui, &fought)))
}

/// Returns the clash that an event has decided, with its dice, scores and losses, from the facts of the event; `None`
/// if it decided none.
pub(super) fn scored(facts: &[Fact]) -> Option<Fought> {
    facts.iter().find_map(|fact| match *fact {
        Fact::ClashScored(fought) => Some(fought),
        _ => None,
    })
}

/// Returns `Begins` if the event starts a battle, and `GoesOn("3 to 1")` (attacker first) if it decides a clash. `None`
/// for other events, also for the end of a battle without a decided clash.
pub(super) fn chapter(event: &AppliedEvent<'_, Hestia>) -> Option<Chapter> {
    let AppliedEvent { before, facts, after, .. } = *event;
    if before.state().fought().is_none() {
        return after.state().fought().map(|_| Chapter::Begins);
    }
    let fought = scored(facts)?;
    let scores = fought.scores;
    let (a, d) = (scores[fought.attacker.index()], scores[enemy(fought.attacker).index()]);
    Some(Chapter::GoesOn(fill_text!(BATTLE.scores, attacker = a, defender = d)))
}

/// Draws the list of the clashes of this battle with their scores from `ui.story`, and the one under way; the latest
/// is marked. `None` in the first clash until it is decided.
fn draw_clashes(ui: &Ui, fought: &Fought) -> Option<El> {
    let decided = !fought.dice.contains(&0);
    let past = ui.story.iter().enumerate().map(|(i, scores)| {
        let now = decided && i + 1 == ui.story.len();
        el("li").class_if(now, "on").text(fill_text!(BATTLE.past_clash, n = i + 1, scores = scores))
    });
    let next =
        (!decided).then(|| el("li").class("on").text(fill_text!(BATTLE.clash, n = ui.story.len() + 1)));
    (!ui.story.is_empty())
        .then(|| el("ol").class("clashes").set("aria-label", BATTLE.clashes).kids(past).kid_if(next))
}

/// Formats a seat with its part in the battle: `You attack`, `Sena defends`. `You` is the player at this screen.
fn name_with_verb(ui: &Ui, seat: Seat, fought: &Fought) -> String {
    let attacks = seat == fought.attacker;
    let name = ui.name(seat);
    let template = match (name == "You", attacks) {
        (true, true) => BATTLE.you_attack,
        (true, false) => BATTLE.you_defend,
        (false, true) => BATTLE.attacks,
        (false, false) => BATTLE.defends,
    };
    fill_text!(template, name = name)
}

/// Draws one side of a clash: its lead card, the cards that it added, and its score with its parts. The attacker is
/// on the left, the defender on the right. Cards that the observer does not know are backs; the score is shown once
/// the lead is open or the die is rolled. Without a lead card a sentence says why.
pub(super) fn half(view: &View, ui: &Ui, fought: &Fought, seat: Seat) -> El {
    let state = view.state();
    let right = seat != fought.attacker;
    let tokens = state.tokens();
    let led = tokens.top(lead(seat));
    let joined = usize::from(fought.added[seat.index()]);
    let all: Vec<Token> = tokens.iter(played(seat)).collect();
    let joined = &all[all.len().saturating_sub(joined)..];
    let first = led.map(|t| faces::card(view, ui, t, t.to_string(), CardSize::L, false));
    let rest = joined.iter().map(|&t| faces::card(view, ui, t, t.to_string(), CardSize::M, false));
    let mode = fought.modes[seat.index()];
    let none = led.is_none().then(|| {
        el("p").class("none").text(match mode {
            Some(Mode::Retreat) => BATTLE.retreats_covered,
            Some(Mode::Withdraw) => BATTLE.retreats,
            Some(Mode::Stand) => BATTLE.stands,
            _ if tokens.is_empty(hand(seat)) => BATTLE.no_cards_left,
            _ => BATTLE.no_card_yet,
        })
    });
    let title = el("h3").kid(ui.mark(seat)).text(format!(" {}", name_with_verb(ui, seat, fought)));
    let shown = led.is_some_and(|t| tokens.is_public(t)) || fought.dice[seat.index()] > 0;
    let sum = div("sum")
        .kid(span("").text(format_score(view, fought, seat)))
        .kid_if(shown.then(|| span("num").text(fought.scores[seat.index()].to_string())));
    el("section")
        .class(format!("sd1 {}", ui.c(seat)))
        .class_if(right, "r")
        .kid(title)
        .kid(div("cds").kid_if(first).kids(rest).kid_if(none))
        .kid(sum)
}

/// Formats the parts of a seat's score in the clash: `Phalanx 1 + added 1 + die 3`. A lead card whose value was
/// changed is `Archers 1 → 2`; the lead card counts only in mode `Fight`. An addition or a die of 0 is left out.
/// Empty without any part.
fn format_score(view: &View, fought: &Fought, seat: Seat) -> String {
    let state = view.state();
    let i = seat.index();
    let die = fought.dice[i];
    let lead = state.leads_with(seat).filter(|_| fought.modes[i] == Some(Mode::Fight));
    let worth = fought.worth[i];
    let mut parts = Vec::new();
    if let Some(card) = lead {
        let printed = card.value();
        let changed = if worth == printed { String::new() } else { format!("{printed} → ") };
        parts.push(format!("{} {changed}{worth}", card.printed().name));
    }
    if fought.bonus[i] > 0 {
        parts.push(fill_text!(BATTLE.added, n = fought.bonus[i]));
    }
    if die > 0 {
        parts.push(fill_text!(BATTLE.die, n = die));
    }
    parts.join(" + ")
}

/// Draws the dice of both sides, attacker first, with the strength that each side has to lose, or `A tie` if the
/// clash has no winner and nobody loses strength. A die that has not been rolled shows `?`, one that is awaited is
/// marked; before either is rolled, the word `against` stands in their place.
pub(super) fn dice(view: &View, ui: &Ui, fought: &Fought) -> El {
    let state = view.state();
    let die = |seat: Seat| {
        let n = fought.dice[seat.index()];
        let text = if n > 0 { n.to_string() } else { "?".to_string() };
        let ring = format!("--c:var(--s{})", ui.colour(seat));
        let said = fill_text!(BATTLE.die_of, name = ui.name(seat), n = text);
        div("die")
            .class_if(n == 0, "idle")
            .class_if(state.decision_kind() == DecisionKind::Roll(seat), "now")
            .die(format!("{seat}"), 3)
            .set("style", ring)
            .set("role", "img")
            .set("aria-label", said)
            .text(text)
    };
    let (attacker, defender) = (fought.attacker, enemy(fought.attacker));
    let loses = |seat: Seat| {
        let due = fought.due[seat.index()];
        let name = ui.name(seat);
        (due > 0).then(|| {
            let template = if name == "You" { BATTLE.you_lose } else { BATTLE.loses };
            el("p").class("out1").text(fill_text!(template, name = name, n = due))
        })
    };
    let rolled = fought.dice != [0, 0];
    let tied = !fought.dice.contains(&0) && fought.winner.is_none() && fought.due == [0; 2];
    div("mid1")
        .kid_if(rolled.then(|| div("dices").kid(die(attacker)).kid(die(defender))))
        .kid_if((!rolled).then(|| div("vs").text(BATTLE.against)))
        .kid_if(tied.then(|| el("p").class("out1").text(BATTLE.tie)))
        .kid_if(loses(attacker))
        .kid_if(loses(defender))
}

/// Draws the blocks of a seat in the battle, with their strength as pips; blocks that the observer does not know are
/// `hidden`. With `after`, the position after the clash, lost strength and destroyed blocks are marked and the blocks
/// are no pieces; without it they can be clicked, and the strength still to lose is named.
pub(super) fn army(view: &View, after: Option<&View>, ui: &Ui, fought: &Fought, seat: Seat) -> El {
    let state = view.state();
    let due = fought.due[seat.index()];
    let left = |t: Token, strength: u8| match after {
        Some(after) if matches!(after.state().tokens().zone(t), POOL | GONE) => 0,
        Some(after) => faces::block_of(after, t).map_or(strength, |(_, left)| left),
        None => strength,
    };
    let blocks = state.tokens().iter(land(fought.place, seat)).map(|t| {
        let shape = div(format!("bkk {}", faces::side(seat)));
        let said = faces::block_name(view, seat, t, false);
        let shape = match faces::block_of(view, t) {
            Some((unit, strength)) => {
                let left = left(t, strength);
                let pip = |i: u8| {
                    if i < left {
                        ""
                    } else if i < strength {
                        "x"
                    } else {
                        "e"
                    }
                };
                let pips = (0..unit.full()).map(|i| el("i").class(pip(i)));
                let name =
                    unit.name().trim_start_matches("Lenisia ").trim_start_matches("Hathea ").to_string();
                let gone = (left == 0).then(|| el("b").class("fell").text(BATTLE.destroyed));
                shape.kid(ic(faces::unit_icon(unit))).text(name).kid(div("").kids(pips)).kid_if(gone)
            }
            None => shape.class("bk0").text(BATTLE.hidden),
        };
        match after {
            Some(_) => shape.set("role", "img").set("aria-label", said),
            None => ui.piece(shape, &keys::block(view, ui, t), said),
        }
    });
    let blocks: Vec<El> = blocks.collect();
    let note = (due > 0 && after.is_none()).then(|| span("due").text(fill_text!(BATTLE.due, n = due)));
    div("bks").kids(blocks).kid_if(note)
}

/// Draws the bid for the first turn over the map: the cards of both sides, backs if the observer does not know them.
/// `None` outside the bid, in a battle and before the first card lies.
pub(super) fn bid(view: &View, ui: &Ui) -> Option<El> {
    let state = view.state();
    // Before the first card lies there is nothing to see, and the map needs the room.
    let laid = [L, H].iter().any(|&seat| state.tokens().top(lead(seat)).is_some());
    if !state.is_bidding() || state.fought().is_some() || !laid {
        return None;
    }
    let side = |seat: Seat| {
        let led = state.tokens().top(lead(seat));
        let card = led.map(|t| faces::card(view, ui, t, t.to_string(), CardSize::M, false));
        let joined = state
            .tokens()
            .iter(played(seat))
            .map(|t| faces::card(view, ui, t, t.to_string(), CardSize::M, false));
        let joined: Vec<El> = joined.collect();
        let none = led.is_none().then(|| div("slotE M").text(BATTLE.no_card_yet));
        div(format!("bid1 {}", ui.c(seat)))
            .kid(div("lbl").kid(ui.mark(seat)).text(format!(" {}", ui.name(seat))))
            .kid(div("cds").kid_if(card).kids(joined).kid_if(none))
    };
    let title = div("bidt").kid(b(BATTLE.bid)).kid(span("lbl").text(BATTLE.bid_rule));
    Some(div("bid").kid(side(L)).kid(title).kid(side(H)))
}
