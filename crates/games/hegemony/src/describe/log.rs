//! Log entries: what an event did, in one or two sentences.

use super::{View, card_name, name, over, row, subject, the};
use crate::actions::{Action, Lie};
use crate::agenda::{Aim, Task};
use crate::cards::Card;
use crate::places::{Place, Side, place, slot};
use crate::state::{Battle, Hegemony, Verdict};
use pentarchy_engine::describe::who;
use pentarchy_engine::{Event, LoggedEventOf, Node, Seat, Set, Token};

/// Describes an event; `None` if it needs no entry.
pub(super) fn log(before: &View, line: &LoggedEventOf<Hegemony>, after: &View) -> Option<String> {
    let mut lines: Vec<String> = Vec::new();
    lines.extend(match line.event {
        Event::Act(action) => acted(before, action, after),
        Event::Rolled(n) => rolled(before, n as i32, after),
        Event::Done => happened(before, line),
    });
    lines.extend(clash(before, line.event, after));
    lines.extend(effect(before, after));
    lines.extend(points(before, line.event, after));
    let (b, a) = (before.state(), after.state());
    if a.round > b.round {
        lines.push(format!("Round {} begins.", a.round));
    }
    for seat in (0..a.seats).map(Seat) {
        if b.living.has(seat) && !a.living.has(seat) {
            lines.push(format!("{} is defeated.", who(seat)));
        }
    }
    if b.standing && !a.standing {
        lines.push("The Empire has fallen.".to_string());
    }
    if after.node() == Node::Over {
        lines.push(over(a));
    }
    if lines.is_empty() { None } else { Some(lines.join("\n")) }
}

/// Describes an action.
fn acted(before: &View, action: Action, after: &View) -> Option<String> {
    let state = before.state();
    let seat = before.actor()?;
    let player = who(seat);
    let side = Side::from(seat);
    // The position after the event may know more about a card than the one before.
    let card = |t: Token| after.face(t).map_or_else(|| card_name(before, t), |c| the(c.title()));
    let hidden = |lie: Lie, t: Token| match lie {
        Lie::Up => card(t),
        Lie::Down(category) => match before.face(t) {
            Some(face) => format!("{} face down", the(face.title())),
            None => format!("a {} card face down", category.title()),
        },
    };
    let paid = || state.points(side) - after.state().points(side);
    Some(match action {
        Action::Scalp(t) => format!("{player} marks {} with a Scalper.", card(t)),
        Action::Buy(t) | Action::Ebuy(t) => format!("{player} buys {} for {} VP.", card(t), paid()),
        Action::Use(t) => format!("{player} uses {}.", card(t)),
        Action::Target(target) => format!("{player} chooses {} as the target.", name(target)),
        Action::Slot(i) | Action::Hit(i, _) => match state.top() {
            Task::Aim(_, _, target) if !matches!(aimed(state), Some(Card::FalseFlag)) => {
                format!("{player} chooses {}'s slot {i}.", name(target))
            }
            _ => format!("{player} chooses slot {i}."),
        },
        Action::Take(t) => format!("{player} takes {}.", seen(before, t)),
        Action::Give(t) => format!("{player} gives {}.", seen(before, t)),
        Action::Place(t, i, lie) => format!("{player} places {} in slot {i}.", hidden(lie, t)),
        Action::Station(t, i) => format!("{player} stations {} in slot {i}.", seen(after, t)),
        Action::Enter(lie) => {
            let Task::Enter(_, i) = state.top() else { return None };
            let t = state.base(side, i)?;
            // The opening hands, and cards that the observer does not see, need no entry.
            if state.round == 0 || (lie != Lie::Up && before.face(t).is_none()) {
                return None;
            }
            format!("{player} places {} in slot {i}.", hidden(lie, t))
        }
        Action::Lobby(category) => format!("{player} chooses {} for a Lobbyist.", category.title()),
        Action::Sell(t) => format!("{player} sells {}.", card(t)),
        Action::Trade => format!("{player} trades with the Empire."),
        Action::Fresh => format!("{player} draws fresh cards."),
        Action::Ask(i) => format!("{player} asks to see the Empire's slot {i}."),
        Action::Accept => {
            let Task::Answer(_, i) = state.top() else { return None };
            let t = state.base(Side::EMPIRE, i)?;
            format!("{player} buys {} for {} VP.", card(t), paid())
        }
        Action::Sabotage(_) => format!("{player} plays a Sabotage."),
        Action::Raze(i) => {
            format!("{player} empties {}'s slot {i} with a Siege Tower.", name(state.loser()))
        }
        Action::Ruin(i) => {
            format!("{player} empties {}'s slot {i} with Collateral Damage.", name(state.loser()))
        }
        Action::Show(t) => format!("{player} shows {}.", card(t)),
        // The entry of the battle covers the war, and the reveal covers the cards of its target.
        Action::War(_)
        | Action::LookPool
        | Action::Look(_)
        | Action::Decline
        | Action::Refill
        | Action::Stop
        | Action::Rest
        | Action::Done
        | Action::Pass => return None,
    })
}

/// Returns the name of a card as far as the observer knows it.
fn seen(view: &View, t: Token) -> String {
    view.face(t).map_or_else(|| "a card".to_string(), |c| the(c.title()))
}

/// Describes the result of a die or a pick.
fn rolled(before: &View, n: i32, after: &View) -> Option<String> {
    let state = before.state();
    match state.top() {
        Task::Die(seat) => {
            let modifiers = state.explain_roll(seat, |t| state.tokens.public_face(t));
            let total = n + modifiers.total;
            let parts: String = modifiers.parts.iter().map(signed_part).collect();
            let sum = if parts.is_empty() { String::new() } else { format!("{parts} = {total}") };
            let result = if total <= state.rules.n.war_up_to {
                format!("War: the Empire attacks {}.", who(seat))
            } else {
                format!("Trade: the Empire trades with {}.", who(seat))
            };
            Some(format!("{} rolls {n}{sum}. {result}", who(seat)))
        }
        Task::Combat(which, i, k) => {
            let battle = state.battle?;
            let side = battle.order()[usize::from(which)];
            let t = state.tokens.iter(slot(side, i)).nth(k.into())?;
            let (card, now) = (state.tokens.public_face(t)?, after.state().tokens.public_face(t));
            let bonus = battle.bonus[battle.part(side)];
            let sum = match bonus {
                0 => String::new(),
                _ => format!(" {} {} = {}", sign(bonus), bonus.abs(), n + bonus),
            };
            let fate = match now {
                Some(other) if other != card => format!("becomes a {}", other.title()),
                _ if after.state().slot_of(t) == Some((side, i)) => "stays".to_string(),
                _ if card == Card::Cavalry => "returns to the deck".to_string(),
                _ => "is discarded".to_string(),
            };
            Some(format!("{} rolls {n}{sum} for {}. It {fate}.", subject(side), the(card.title())))
        }
        Task::Pick(i, leader, _) => {
            let card = state.base(Side::EMPIRE, i).and_then(|t| state.tokens.public_face(t))?;
            Some(format!("The Empire uses the {} on {}.", card.title(), who(leader)))
        }
        Task::Raze(_) => {
            Some(format!("The Empire empties one of {}'s slots with a Siege Tower.", name(state.loser())))
        }
        Task::Ruin(..) => {
            Some(format!("The Empire empties one of {}'s slots with Collateral Damage.", name(state.loser())))
        }
        _ => None,
    }
}

/// Describes a reveal.
fn happened(before: &View, line: &LoggedEventOf<Hegemony>) -> Option<String> {
    let state = before.state();
    let shown = || row(line.shown.iter().map(|&(_, card)| card));
    match state.top() {
        Task::Show(Set::Zone(crate::places::COMMON)) => Some(format!("New cards for sale: {}.", shown())),
        Task::Show(Set::Marked) if state.battle.is_none() && !line.shown.is_empty() => Some(
            if line.shown.iter().all(|&(t, _)| state.slot_of(t).is_some_and(|(side, _)| side.is_empire())) {
                format!("The Empire's new cards: {}.", shown())
            } else {
                format!("Revealed: {}.", shown())
            },
        ),
        Task::Show(_) if !line.shown.is_empty() => Some(format!("Revealed: {}.", shown())),
        Task::Peek(Set::Zones(..), seat) => {
            Some(format!("{} looks at a deck and a discard pile.", who(seat)))
        }
        Task::Peek(Set::Zone(zone), seat) => match place(zone) {
            Place::Slot(side, i) => Some(format!("{} looks at {}'s slot {i}.", who(seat), name(side))),
            Place::Hand(_) => {
                Some(format!("{} draws {}.", who(seat), super::many(state.tokens.len(zone), "card")))
            }
            _ => None,
        },
        _ => None,
    }
}

impl Hegemony {
    /// Describes a battle in two sentences: `@0 attacks @1: 13 against 8. @0 wins by 5.`
    pub fn battle_text(attacker: Side, defender: Side, attack: i32, defence: i32) -> String {
        let verdict = Self::verdict_text(attacker, defender, attack, defence);
        format!("{} attacks {}: {attack} against {defence}. {verdict}", subject(attacker), name(defender))
    }

    /// Says which side has won a battle, and by how much.
    pub fn verdict_text(attacker: Side, defender: Side, attack: i32, defence: i32) -> String {
        let margin = (attack - defence).abs();
        match attack.cmp(&defence) {
            std::cmp::Ordering::Greater => format!("{} wins by {margin}.", subject(attacker)),
            std::cmp::Ordering::Less => format!("{} wins by {margin}.", subject(defender)),
            std::cmp::Ordering::Equal => "Nobody wins.".to_string(),
        }
    }
}

/// Formats a modifier with its sign: ` − 3 Barracks`.
fn signed_part(part: &crate::rules::Contribution) -> String {
    format!(" {} {} {}", sign(part.amount), part.amount.abs(), part.what)
}

/// Returns the sign of a number.
fn sign(n: i32) -> char {
    if n < 0 { '−' } else { '+' }
}

/// Returns the card whose target is being chosen.
fn aimed(state: &Hegemony) -> Option<Card> {
    match state.top() {
        Task::Aim(_, t, _) => state.tokens.public_face(t),
        _ => None,
    }
}

/// Describes the battle that this event has decided, if it did.
fn clash(before: &View, event: Event<Action>, after: &View) -> Option<String> {
    let (b, a) = (before.state(), after.state());
    let sides = match (b.battle, event, b.top()) {
        (Some(battle), ..) if battle.verdict == Verdict::Open => Some((battle.attacker, battle.defender)),
        (None, Event::Act(Action::War(on)), Task::Act(seat)) => Some((seat.into(), on)),
        (None, Event::Rolled(n), Task::Die(seat)) => {
            let (modifier, _) = b.roll_modifiers(seat, |t| b.tokens.public_face(t), ());
            let war = n as i32 + modifier <= b.rules.n.war_up_to;
            war.then_some((Side::EMPIRE, seat.into()))
        }
        _ => None,
    };
    let (attacker, defender) = sides.filter(|_| a.battle.is_none_or(|now| now.verdict != Verdict::Open))?;
    let mut fought = *b;
    fought.battle = Some(Battle::open(attacker, defender));
    // Promotions happen later: the cards that fought are those that were public before.
    let face = |t: Token| b.tokens.public_face(t).or_else(|| a.tokens.public_face(t));
    let attack = fought.explain_attack(attacker, defender, face);
    let defence = fought.explain_defence(defender, face);
    Some(Hegemony::battle_text(attacker, defender, attack.total, defence.total))
}

/// Describes the effects of Diplomacy cards whose Sabotage windows this event has closed.
fn effect(before: &View, after: &View) -> Option<String> {
    let (b, a) = (before.state(), after.state());
    // The Empire plays its Sabotage without a decision, after all players.
    let empire_blocks = b.count(Side::EMPIRE, Card::Sabotage) > a.count(Side::EMPIRE, Card::Sabotage)
        && matches!(b.top(), Task::Window { against_empire: true, .. } | Task::Aim(..));
    let (mut texts, mut blocked_from_above) = (Vec::new(), empire_blocks);
    for task in b.agenda.iter().rev() {
        let Task::Used { card, aim, blocked, .. } = *task else { continue };
        if a.agenda.iter().any(|s| matches!(s, Task::Used { card: c, .. } if *c == card)) {
            break;
        }
        let blocked = blocked || blocked_from_above;
        blocked_from_above = aim == Aim::Use && !blocked;
        let title = b.tokens.public_face(card).map_or("card", Card::title);
        if blocked {
            texts.push(format!("A Sabotage blocks {}.", the(title)));
        } else if aim != Aim::Use {
            texts.push(format!("The {title} takes effect."));
        }
    }
    if texts.is_empty() { None } else { Some(texts.join(" ")) }
}

/// Describes gains and losses of Victory Points, except those of a purchase, which has its own entry.
fn points(before: &View, event: Event<Action>, after: &View) -> Option<String> {
    let (b, a) = (before.state(), after.state());
    let bought = matches!(event, Event::Act(Action::Buy(_) | Action::Ebuy(_) | Action::Accept));
    let buyer = before.actor().filter(|_| bought).map(Side::from);
    let sides = (0..a.seats).map(Side).chain([Side::EMPIRE]).filter(|&side| Some(side) != buyer);
    let changes: Vec<String> = sides
        .filter(|&side| b.points(side) != a.points(side))
        .map(|side| {
            let (was, is) = (b.points(side), a.points(side));
            let only_income = b.battle.is_none() && !matches!(event, Event::Act(Action::War(_)));
            let begins = a.turn == Some(side) && b.turn != a.turn;
            let income = if is > was && begins && only_income { " of income" } else { "" };
            let verb = if is > was { "gains" } else { "loses" };
            format!("{} {verb} {} VP{income} (now {is}).", subject(side), (is - was).abs())
        })
        .collect();
    if changes.is_empty() { None } else { Some(changes.join(" ")) }
}
