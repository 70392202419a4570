//! What has happened, in a line or two.

use super::{View, card_name, name, over, row, subject, the};
use crate::actions::{Action, Lie};
use crate::agenda::{Aim, Step};
use crate::cards::Card;
use crate::places::{Place, Side, place, slot};
use crate::state::{Battle, Hegemony, Verdict};
use pentarchy_engine::describe::who;
use pentarchy_engine::{Event, LineOf, Node, Seat, Set, Token};

pub(super) fn log(before: &View, line: &LineOf<Hegemony>, after: &View) -> Option<String> {
    let mut lines: Vec<String> = Vec::new();
    lines.extend(match line.event {
        Event::Act(action) => acted(before, action, after),
        Event::Rolled(n) => rolled(before, n as i32, after),
        Event::Done => happened(before, line),
    });
    lines.extend(clash(before, line.event, after));
    lines.extend(effect(before, after));
    lines.extend(points(before.state(), after.state()));
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

fn acted(before: &View, action: Action, after: &View) -> Option<String> {
    let state = before.state();
    let seat = before.actor()?;
    let player = who(seat);
    let side = Side::from(seat);
    // After the event more may be known of a card than before.
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
        Action::Scalp(t) => format!("{player}'s Scalper marks {}.", card(t)),
        Action::Buy(t) | Action::Ebuy(t) => format!("{player} buys {} for {}.", card(t), paid()),
        Action::Use(t) => format!("{player} uses {}.", card(t)),
        Action::Target(target) => format!("{player} names {}.", name(target)),
        Action::LookPool => format!("{player} wants to see the whole pool."),
        Action::Look(i) | Action::Slot(i) => format!("{player} names slot {i}."),
        Action::Hit(i, _) => format!("{player} names a card in slot {i}."),
        Action::Take(t) => format!("{player} takes {}.", seen(before, t)),
        Action::Give(t) => format!("{player} gives {}.", seen(before, t)),
        Action::Place(t, i, lie) => format!("{player} places {} in slot {i}.", hidden(lie, t)),
        Action::Station(t, i) => format!("{player} stations {} in slot {i}.", seen(after, t)),
        Action::Enter(lie) => {
            let Step::Enter(_, i) = state.top() else { return None };
            let t = state.base(side, i)?;
            format!("{player} lays {} in slot {i}.", hidden(lie, t))
        }
        Action::Lobby(category) => format!("{player}'s Lobbyist works for {category}."),
        Action::Sell(t) => format!("{player} sells {}.", card(t)),
        Action::War(on) => format!("{player} makes war on {}.", name(on)),
        Action::Trade => format!("{player} trades with the Empire."),
        Action::Fresh => format!("{player} takes fresh cards."),
        Action::Ask(i) => format!("{player} asks for the card in slot {i} of the Empire."),
        Action::Accept => format!("{player} buys it for {}.", paid()),
        Action::Decline => format!("{player} declines."),
        Action::Sabotage(_) => format!("{player} plays a Sabotage."),
        Action::Raze(i) => format!("{player} razes slot {i} of {}.", name(state.loser())),
        Action::Ruin(i) => format!("{player} wants to ruin slot {i} of {}.", name(state.loser())),
        Action::Show(t) => format!("{player} shows {}.", card(t)),
        Action::Refill | Action::Stop | Action::Rest | Action::Done | Action::Pass => return None,
    })
}

/// A card as the observer saw it, which may be not at all.
fn seen(view: &View, t: Token) -> String {
    view.face(t).map_or_else(|| "a card".to_string(), |c| the(c.title()))
}

fn rolled(before: &View, n: i32, after: &View) -> Option<String> {
    let state = before.state();
    match state.top() {
        Step::Die(seat) => {
            let modifiers = state.explain_roll(seat, |t| state.tokens.public_face(t));
            let total = n + modifiers.total;
            let result = if total <= state.rules.n.war_up_to { "war" } else { "trade" };
            let parts: Vec<String> =
                modifiers.parts.iter().map(|p| format!("{} {:+}", p.what, p.amount)).collect();
            let sum =
                if parts.is_empty() { String::new() } else { format!(" ({}) = {total}", parts.join(", ")) };
            Some(format!("{} rolls {n}{sum}: {result} with the Empire.", who(seat)))
        }
        Step::Combat(which, i, k) => {
            let battle = state.battle?;
            let side = battle.order()[usize::from(which)];
            let t = state.tokens.iter(slot(side, i)).nth(k.into())?;
            let (card, now) = (state.tokens.public_face(t)?, after.state().tokens.public_face(t));
            let bonus = battle.bonus[battle.part(side)];
            let sum = if bonus != 0 { format!(" {bonus:+} = {}", n + bonus) } else { String::new() };
            let fate = match now {
                Some(other) if other != card => format!("becomes a {}", other.title()),
                _ if after.state().slot_of(t) == Some((side, i)) => "stays".to_string(),
                _ => "leaves".to_string(),
            };
            Some(format!("The {} of {} rolls {n}{sum}: it {fate}.", card.title(), name(side)))
        }
        Step::Pick(i, leader, _) => {
            let card = state.base(Side::EMPIRE, i).and_then(|t| state.tokens.public_face(t))?;
            Some(format!("The Empire uses the {} on {}.", card.title(), who(leader)))
        }
        Step::Raze(_) => Some(format!("The Empire razes a Military slot of {}.", name(state.loser()))),
        Step::Ruin(..) => Some(format!("The Empire wants to ruin a slot of {}.", name(state.loser()))),
        _ => None,
    }
}

fn happened(before: &View, line: &LineOf<Hegemony>) -> Option<String> {
    let state = before.state();
    let shown = || row(line.shown.iter().map(|&(_, card)| card));
    match state.top() {
        Step::Shuffle(pile) => Some(match place(pile) {
            Place::Deck(side) => format!("The deck of {} is shuffled.", name(side)),
            _ => "The pool deck is shuffled.".to_string(),
        }),
        Step::Show(Set::Zone(crate::places::COMMON)) => Some(format!("For sale: {}.", shown())),
        Step::Show(Set::Marked) if state.battle.is_none() && !line.shown.is_empty() => Some(
            if line.shown.iter().all(|&(t, _)| state.slot_of(t).is_some_and(|(side, _)| side.is_empire())) {
                format!("The Empire lays out {}.", shown())
            } else {
                format!("Shown: {}.", shown())
            },
        ),
        Step::Show(_) if !line.shown.is_empty() => Some(format!("Shown: {}.", shown())),
        Step::Peek(Set::Zones(..), seat) => Some(format!("{} looks through a pool.", who(seat))),
        Step::Peek(Set::Zone(zone), seat) => match place(zone) {
            Place::Slot(side, i) => Some(format!("{} looks at slot {i} of {}.", who(seat), name(side))),
            Place::Hand(_) => Some(format!("{} draws {} cards.", who(seat), state.tokens.len(zone))),
            _ => None,
        },
        _ => None,
    }
}

/// The powers of a battle that has just been decided.
fn clash(before: &View, event: Event<Action>, after: &View) -> Option<String> {
    let (b, a) = (before.state(), after.state());
    let sides = match (b.battle, event, b.top()) {
        (Some(battle), ..) if battle.verdict == Verdict::Open => Some((battle.attacker, battle.defender)),
        (None, Event::Act(Action::War(on)), Step::Act(seat)) => Some((seat.into(), on)),
        (None, Event::Rolled(n), Step::Die(seat)) => {
            let (modifier, _) = b.roll_modifiers(seat, |t| b.tokens.public_face(t), ());
            let war = n as i32 + modifier <= b.rules.n.war_up_to;
            war.then_some((Side::EMPIRE, seat.into()))
        }
        _ => None,
    };
    let (attacker, defender) = sides.filter(|_| a.battle.is_none_or(|now| now.verdict != Verdict::Open))?;
    let mut fought = *b;
    fought.battle = Some(Battle {
        attacker,
        defender,
        verdict: Verdict::Open,
        attack: 0,
        defence: 0,
        bonus: [0; 2],
        towers: 0,
        catapult: false,
        returned: [false; 2],
    });
    // Promotions happen later: what was public before is what fought.
    let face = |t: Token| b.tokens.public_face(t).or_else(|| a.tokens.public_face(t));
    let attack = fought.explain_attack(attacker, defender, face);
    let defence = fought.explain_defence(defender, face);
    let verdict = match attack.total.cmp(&defence.total) {
        std::cmp::Ordering::Greater => format!("{} wins", subject(attacker)),
        std::cmp::Ordering::Less => format!("{} wins", subject(defender)),
        std::cmp::Ordering::Equal => "Nobody wins".to_string(),
    };
    Some(format!(
        "Battle: {} attacks with {attack}, {} defends with {defence}. {verdict}.",
        name(attacker),
        name(defender)
    ))
}

/// What became of the Diplomacy cards whose windows have just closed.
fn effect(before: &View, after: &View) -> Option<String> {
    let (b, a) = (before.state(), after.state());
    // The Empire plays its Sabotage by itself, after all others.
    let empire_blocks = b.count(Side::EMPIRE, Card::Sabotage) > a.count(Side::EMPIRE, Card::Sabotage)
        && matches!(b.top(), Step::Window { against_empire: true, .. } | Step::Aim(..));
    let (mut texts, mut blocked_from_above) = (Vec::new(), empire_blocks);
    for step in b.agenda.iter().rev() {
        let Step::Used { user, card, aim, blocked } = *step else { continue };
        if a.agenda.iter().any(|s| matches!(s, Step::Used { card: c, .. } if *c == card)) {
            break;
        }
        let blocked = blocked || blocked_from_above;
        blocked_from_above = aim == Aim::Use && !blocked;
        let title = b.tokens.public_face(card).map_or("card", Card::title);
        if blocked {
            texts.push(format!("The {title} of {} is blocked.", name(user)));
        } else if aim != Aim::Use {
            texts.push(format!("The {title} of {} takes effect.", name(user)));
        }
    }
    if texts.is_empty() { None } else { Some(texts.join(" ")) }
}

/// Who has gained and lost Victory Points.
fn points(b: &Hegemony, a: &Hegemony) -> Option<String> {
    let sides = (0..a.seats).map(Side).chain([Side::EMPIRE]);
    let changes: Vec<String> = sides
        .filter(|&side| b.points(side) != a.points(side))
        .map(|side| {
            let (was, is) = (b.points(side), a.points(side));
            (side, format!("{:+} = {is} VP", is - was))
        })
        .enumerate()
        .map(|(k, (side, change))| format!("{} {change}", if k == 0 { subject(side) } else { name(side) }))
        .collect();
    if changes.is_empty() { None } else { Some(changes.join(", ")) }
}
