//! The log: one sentence per event. Events without news for a person get no line.

use crate::actions::Action;
use crate::describe::name;
use crate::face::{Mode, Shown};
use crate::map::{CITIES, Place};
use crate::prompt::{count, list};
use crate::state::{GONE, H, Hestia, L, POOL, Task, deck, enemy, hand, land, lead};
use crate::view::Fought;
use pentarchy_engine::describe::who;
use pentarchy_engine::{Event, LoggedEventOf, Position, Seat, Token};
use std::fmt::Write as _;

type View = Position<Hestia>;

/// Describes an event; `None` if it needs no line.
pub(crate) fn log(before: &View, line: &LoggedEventOf<Hestia>, after: &View) -> Option<String> {
    let text = match line.event {
        Event::Act(act) => own(before, act, after)?,
        _ => chance(before, line, after),
    };
    let text = text.unwrap_or_default() + &news(before.state(), after.state());
    let text = text.trim_start();
    (!text.is_empty()).then(|| text.to_string())
}

/// Describes what the acting seat did. The inner value is `None` for actions without a sentence of their own.
fn own(before: &View, act: Action, after: &View) -> Option<Option<String>> {
    let old = before.state();
    let seat = before.actor()?;
    let me = who(seat);
    let at = |p: Place| p.spot().name;
    let text = match act {
        // One line for all discards, at the last one.
        Action::Discard(_) if matches!(old.step(), Task::Half(_, 1)) => {
            format!("{me} discards half of the hand.")
        }
        Action::Done => match old.step() {
            Task::Swap(_, replaced @ 1..) => format!("{me} discards {}.", count(replaced.into(), "card")),
            _ => return Some(None),
        },
        Action::Add(t) => format!("{me} adds {}.", name(after, t)),
        Action::Cards(0) => format!("{me} spends no card."),
        Action::Cards(n) => format!("{me} spends {} on movement.", count(n.into(), "card")),
        Action::Rally(p, sea) => {
            let raised = |t: &Token| old.tokens.zone(*t) == POOL && after.state().tokens.zone(*t) != POOL;
            let names: Vec<String> = old
                .tokens
                .iter(POOL)
                .filter(raised)
                .filter_map(|t| old.block(t).ok())
                .map(|(unit, _)| unit.name())
                .collect();
            let place = at(sea.unwrap_or(p));
            // The mercenaries are named after their place.
            let place =
                if names.iter().any(|name| name == place) { String::new() } else { format!(" in {place}") };
            format!("{me} rallies {}{place}.", list(&names))
        }
        Action::Move(p) => {
            let blocks = old.army.blocks.count_ones() as usize;
            format!("{me} moves {} to {}.", count(blocks, "block"), at(p))
        }
        Action::Influence => format!("{me} places a token in {}.", at(old.army.place)),
        Action::Drop(_) => format!("{me} leaves 1 block in {}.", at(old.army.place)),
        Action::Force(_) => format!("{me} spends a card for 1 more move."),
        Action::Hold(_) => format!("{me} has no card to play."),
        Action::Lose(t) => match before.face(t).and_then(Shown::block) {
            Some((unit, strength @ 2..)) => {
                format!("{}: strength {strength} to {}.", unit.name(), strength - 1)
            }
            _ => return Some(None),
        },
        Action::Heal(t) => match before.face(t).and_then(Shown::block) {
            Some((unit, strength)) => format!("{}: strength {strength} to {}.", unit.name(), strength + 1),
            None => return Some(None),
        },
        _ => return Some(None),
    };
    Some(Some(text))
}

/// Describes the results of dice and reveals.
fn chance(before: &View, line: &LoggedEventOf<Hestia>, after: &View) -> Option<String> {
    let old = before.state();
    match (old.step(), line.event) {
        (Task::OpenLeads, _) => Some(each(|seat| led(old, after, seat, "bids"))),
        (Task::Muster, _) => {
            let attacker = old.battle.attacker;
            let army = |seat| {
                let blocks = old.tokens.iter(land(old.battle.place, seat));
                list(&blocks.map(|t| name(after, t)).collect::<Vec<_>>())
            };
            let (a, d) = (attacker, enemy(attacker));
            Some(format!("{} attacks with {}. {} defends with {}.", who(a), army(a), who(d), army(d)))
        }
        (Task::OpenModes, _) => {
            let modes = after.state().battle.mode;
            Some(each(|seat| {
                let verb = match modes[seat.index()]? {
                    Mode::Fight => "fights",
                    Mode::Stand => "stands",
                    Mode::Retreat | Mode::Withdraw => "retreats",
                };
                Some(format!("{} {verb}.", who(seat)))
            }))
        }
        (Task::ShowLeads, _) => Some(each(|seat| led(old, after, seat, "plays"))),
        (Task::Count, _) => Some("All blocks are revealed and counted.".to_string()),
        (Task::Roll(seat, _), Event::Rolled(n)) => {
            let result = old.decided(n).as_ref().map(clash).unwrap_or_default();
            Some(format!("{} rolls {n}.{result}", who(seat)))
        }
        (Task::Shuffle(seat), _) if old.year > 1 => {
            Some(format!("{} reshuffles the discard pile.", who(seat)))
        }
        _ => None,
    }
}

/// Joins a sentence about each seat, Lenisia first.
fn each(of: impl Fn(Seat) -> Option<String>) -> String {
    [L, H].into_iter().filter_map(of).collect::<Vec<_>>().join(" ")
}

/// Returns the card with which a seat bids or fights, once it is revealed.
fn led(old: &Hestia, after: &View, seat: Seat, verb: &str) -> Option<String> {
    Some(format!("{} {verb} {}.", who(seat), name(after, old.tokens.top(lead(seat))?)))
}

/// Returns the result of a clash after its last die.
fn clash(fought: &Fought) -> String {
    let attacker = fought.attacker;
    let (a, d) = (fought.scores[attacker.index()], fought.scores[enemy(attacker).index()]);
    let mut text = format!(" Clash: {a} to {d}.");
    for seat in [L, H].into_iter().filter(|seat| fought.due[seat.index()] > 0) {
        let _ = write!(text, " {} loses {} strength.", who(seat), fought.due[seat.index()]);
    }
    if fought.due == [0; 2] {
        text.push_str(" Nobody loses strength.");
    }
    text
}

/// Describes what followed from an event without a decision.
fn news(old: &Hestia, new: &Hestia) -> String {
    let mut text = String::new();
    let bid = |game: &Hestia| game.tokens.top(lead(L)).or(game.tokens.top(lead(H))).is_some();
    if bid(old) && !bid(new) && old.battle.mode == [None; 2] && matches!(new.step(), Task::Cards(_)) {
        let _ = write!(text, " {} moves first.", who(new.first));
    }
    fallen(old, new, &mut text);
    retreats(old, new, &mut text);
    if let Some(fought) = new.fought()
        && old.fought().is_none_or(|before| before.place != fought.place)
    {
        let _ = write!(text, " Battle of {}.", fought.place.spot().name);
    }
    for seat in [L, H] {
        let won = new.active[seat.index()] & !old.active[seat.index()];
        let lost = old.active[seat.index()] & !new.active[seat.index()];
        for (cities, verb) in [(won, "wins"), (lost, "loses")] {
            let named = CITIES.iter().enumerate().filter(|(i, _)| cities >> i & 1 != 0);
            let names: Vec<String> = named.map(|(_, city)| city.spot().name.to_string()).collect();
            if !names.is_empty() {
                let _ = write!(text, " {} {verb} {}.", who(seat), list(&names));
            }
        }
    }
    if let (None, Some(last)) = (old.last_year, new.last_year) {
        let _ = write!(text, " Year {last} will be the last.");
    }
    if new.year != old.year {
        let _ = write!(text, " Year {} begins.", new.year);
    }
    drawn(old, new, &mut text);
    text
}

/// Blocks that were on the map and are in the pool or gone now.
fn fallen(old: &Hestia, new: &Hestia, text: &mut String) {
    let fallen =
        |t: &Token| old.tokens.zone(*t).0 < POOL.0 && (POOL.0..=GONE.0).contains(&new.tokens.zone(*t).0);
    let units = old.tokens.all().filter(fallen).filter_map(|t| new.block(t).ok());
    let names: Vec<String> = units.map(|(unit, _)| unit.name()).collect();
    if !names.is_empty() {
        let _ = write!(text, " Destroyed: {}.", list(&names));
    }
}

/// Armies that have left the battlefield.
fn retreats(old: &Hestia, new: &Hestia, text: &mut String) {
    if matches!(old.step(), Task::March(_) | Task::Pick(_) | Task::Orders(_)) {
        return;
    }
    let field = old.battle.place;
    for seat in [L, H] {
        let left = |t: &Token| {
            let to = new.tokens.zone(*t);
            to.0 < 96 && to != land(field, seat)
        };
        if let Some(t) = old.tokens.iter(land(field, seat)).find(left) {
            let to = Place(new.tokens.zone(t).0 / 2).spot().name;
            let _ = write!(text, " {} retreats to {to}.", who(seat));
        }
    }
}

/// Cards that were drawn.
fn drawn(old: &Hestia, new: &Hestia, text: &mut String) {
    for seat in [L, H] {
        let fresh = |t: &Token| old.tokens.zone(*t) == deck(seat);
        let cards = new.tokens.iter(hand(seat)).filter(fresh).count();
        if cards > 0 {
            let _ = write!(text, " {} draws {}.", who(seat), count(cards, "card"));
        }
    }
}
