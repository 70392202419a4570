//! Words for people: the table, what actions do, what has happened.

mod labels;
mod log;
mod picture;
mod table;
mod texts;

use crate::actions::Action;
use crate::agenda::Step;
use crate::cards::{Card, Category};
use crate::places::Side;
use crate::state::Hegemony;
use pentarchy_engine::describe::{Describe, awaited_plainly, who};
use pentarchy_engine::{LineOf, Node, Position, Token};
use serde_json::Value;

type View = Position<Hegemony>;

impl Describe for Hegemony {
    const SUMMARY: &'static str = texts::SUMMARY;

    fn table(view: &View) -> String {
        table::table(view)
    }

    fn label(view: &View, action: Action) -> String {
        labels::label(view, action)
    }

    fn kind(action: Action) -> &'static str {
        labels::kind(action)
    }

    fn awaited(view: &View) -> String {
        awaited(view)
    }

    fn log(before: &View, line: &LineOf<Self>, after: &View) -> Option<String> {
        log::log(before, line, after)
    }

    fn card_text(card: Card) -> Option<String> {
        let p = card.printed();
        let power = match card.category() {
            Category::Military => format!(" {}/{}", p.attack, p.defence),
            _ => String::new(),
        };
        let head = format!("{} ({}{power}, cost {})", p.title, card.category().title(), p.cost);
        Some(format!("{head}: {}", texts::card(card)))
    }

    fn picture(&self) -> Value {
        picture::picture(self)
    }

    fn arranged(&self, differences: &Value) -> Result<Self, String> {
        picture::arranged(self, differences)
    }
}

/// A side in a text.
fn name(side: Side) -> String {
    side.seat().map_or_else(|| "the Empire".to_string(), who)
}

/// The same at the beginning of a sentence.
fn subject(side: Side) -> String {
    side.seat().map_or_else(|| "The Empire".to_string(), who)
}

/// A card with its article; one of them brings its own.
fn the(title: &str) -> String {
    if title.starts_with("An ") { title.to_string() } else { format!("the {title}") }
}

/// A card as this observer sees it, with its article where it is unknown.
fn card_name(view: &View, t: Token) -> String {
    match view.face(t) {
        Some(card) => card.title().to_string(),
        None if view.state().slot_of(t).is_some() => {
            format!("a face-down {} card", view.state().category(t).title())
        }
        None => "a card".to_string(),
    }
}

/// Cards in a row: `Archer, Cavalry and 2 Laborers`.
fn row(cards: impl Iterator<Item = Card>) -> String {
    let mut counted: Vec<(Card, usize)> = Vec::new();
    for card in cards {
        match counted.iter_mut().find(|(c, _)| *c == card) {
            Some((_, n)) => *n += 1,
            None => counted.push((card, 1)),
        }
    }
    let texts: Vec<String> = counted
        .into_iter()
        .map(|(card, n)| if n == 1 { card.title().to_string() } else { format!("{n} × {}", card.title()) })
        .collect();
    match texts.split_last() {
        None => "nothing".to_string(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

fn awaited(view: &View) -> String {
    let state = view.state();
    let title = |t: Token| state.tokens.public_face(t).map_or("card", Card::title);
    match state.top() {
        Step::Scalp(seat, _) => format!("{}'s Scalper marks a card of the common pool.", who(seat)),
        Step::Upkeep(seat, 0) => format!("Upkeep: {} may use Diplomacy cards.", who(seat)),
        Step::Upkeep(seat, ships) => {
            let cards = if ships == 1 { "a card".to_string() } else { format!("up to {ships} cards") };
            format!("Upkeep: {} may buy {cards} with Cargo Ships and use Diplomacy cards.", who(seat))
        }
        Step::Target(seat, t) => format!("{} chooses whom the {} is used on.", who(seat), title(t)),
        Step::Aim(seat, t, target) => format!("{} aims the {} at {}.", who(seat), title(t), name(target)),
        Step::Take(seat, target) => format!("{} takes a card of {}.", who(seat), who(target)),
        Step::Give(seat) => format!("{} gives a card in return.", who(seat)),
        Step::Replace(seat, need, replaced) => match i32::from(need) - replaced.count_ones() as i32 {
            owed if owed > 0 => format!("{} must still replace {owed} of its slots.", who(seat)),
            _ => format!("{} may place and station more cards.", who(seat)),
        },
        Step::Lobby(seat, _) => format!("{}'s Lobbyist names a category.", who(seat)),
        Step::Purchase(seat, left) => format!("{} may buy {left} more cards.", who(seat)),
        Step::Act(seat) => format!("{} chooses an action: war, trade or fresh cards.", who(seat)),
        Step::Trade(seat, left, _) => format!("{} may buy {left} more cards from the Empire.", who(seat)),
        Step::Answer(seat, i) => {
            let card = state.base(Side::EMPIRE, i).map_or("card", title);
            format!("{} may buy the {card}.", who(seat))
        }
        Step::Enter(seat, i) => format!("{} lays the card drawn into slot {i}.", who(seat)),
        Step::Refill(side) => format!("{} may refill an empty slot.", name(side)),
        Step::Window { user, asked, .. } => {
            let used = state.agenda.iter().rev().find_map(|step| match step {
                Step::Used { card, .. } => Some(title(*card)),
                _ => None,
            });
            let asked = state.in_window(user, asked).map_or_else(String::new, who);
            format!("{} uses {}. {asked} may play a Sabotage.", subject(user), used.unwrap_or("a card"))
        }
        Step::Raze(_) if !state.victor().is_empire() => {
            format!("{} may raze a Military slot of {}.", name(state.victor()), name(state.loser()))
        }
        Step::Ruin(side, _) if !side.is_empire() => {
            format!("{} may ruin a Trade or Diplomacy slot of {}.", name(side), name(state.loser()))
        }
        Step::Raze(_) | Step::Ruin(..) | Step::Pick(..) => "The Empire picks its target.".to_string(),
        Step::Die(seat) => format!("The Hegemony roll of {}.", who(seat)),
        Step::Combat(which, i, k) => {
            let side = state.battle.map(|b| b.order()[usize::from(which)]).unwrap_or(Side::EMPIRE);
            let card = state.tokens.iter(crate::places::slot(side, i)).nth(k.into());
            let card = card.map_or_else(|| "card".to_string(), |t| card_name(view, t));
            format!("A combat roll for the {card} of {}.", name(side))
        }
        Step::Over => over(state),
        _ => awaited_plainly::<Hegemony>(view.node()),
    }
}

/// How the game has ended.
fn over(state: &Hegemony) -> String {
    use crate::state::Ending;
    if state.awaited() != Node::Over || state.ending.is_none() {
        return "The game is over.".to_string();
    }
    let winners: Vec<String> = state.ranking().iter().flat_map(|o| o.winners().map(who)).collect();
    let why = match state.ending {
        Some(Ending::Toppled) => "The Empire has fallen.",
        Some(Ending::EmpireWins) => "All players are defeated: the Empire has won.",
        Some(Ending::LastOne) => "The Empire has fallen, and the rivals with it.",
        _ => "The last round is over.",
    };
    match winners.len() {
        0 if state.ending == Some(Ending::EmpireWins) => why.to_string(),
        0 => format!("{why} Nobody has won."),
        1 => format!("{why} {} has won.", winners[0]),
        _ => format!("{why} {} share the victory.", winners.join(" and ")),
    }
}
