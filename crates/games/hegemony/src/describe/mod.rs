//! Texts for people: the table, the actions, the log.

mod ending;
mod labels;
mod log;
mod picture;
mod table;
mod texts;

use crate::actions::Action;
use crate::agenda::Task;
use crate::cards::{Card, Category};
use crate::places::Side;
use crate::state::Hegemony;
use ending::ending;
use pentarchy_engine::describe::{Describe, join_list, who};
use pentarchy_engine::{AppliedEvent, Node, Observer, Position, Seat, Set, Token, fill_text};
use serde_json::Value;
use texts::LOG;

/// A position of Hegemony.
type View = Position<Hegemony>;

impl pentarchy_engine::Encode for Hegemony {}

impl Hegemony {
    /// Describes in one line how the game ended, who won, and what broke a tie; `None` before the end, also
    /// while the cards of tied players are still to be shown. Seats are written `@0`.
    pub fn end_text(&self) -> Option<String> {
        ending(self)
    }
}

impl Describe for Hegemony {
    const SUMMARY: &'static str = texts::SUMMARY;

    /// Draws the table as text of at most 78 columns, with what the observer of the position knows: round,
    /// common pool, Empire, players.
    fn table(view: &View) -> String {
        table::table(view)
    }

    /// Returns the text of an action of the deciding seat on a button, with prices and contents as the
    /// observer knows them; `?` for a price that cannot be computed. While nobody decides, the action counts
    /// as one of seat 0. Does not check that the action is legal.
    fn label(view: &View, action: Action) -> String {
        labels::label(view, action)
    }

    /// Returns the heading under which a list of actions shows this one: `Buy`, `Ask`, `Sell`, `Diplomacy`,
    /// `Aim`, `Place`, `Station`, `War`, `Continue`, or `Actions`.
    fn kind(action: Action) -> &'static str {
        labels::kind(action)
    }

    /// Returns what is awaited: an instruction if the observer decides, else a sentence about the deciding
    /// player or about what is resolved without a decision.
    fn awaited(view: &View) -> String {
        awaited(view)
    }

    /// Describes an event for the log from its facts, in lines, as the observer sees it; `None` if it needs
    /// no entry.
    fn log(event: &AppliedEvent<'_, Self>) -> Option<String> {
        log::log(event)
    }

    /// Returns the text of a card with its printed numbers, whatever the options: `Archer (Military 1/3, cost
    /// 2): …` with title, category, attack and defence (Military cards only), cost and effect; never `None`.
    fn card_text(card: Card) -> Option<String> {
        let p = card.printed();
        let power = match card.category() {
            Category::Military => format!(" {}/{}", p.attack, p.defence),
            _ => String::new(),
        };
        let head = format!("{} ({}{power}, cost {})", p.title, card.category().title(), p.cost);
        Some(format!("{head}: {}", texts::card(card)))
    }

    /// Returns the public state as a JSON object: round, turn, points, slots, common pool, players by seat,
    /// marks, battle and ending. A hidden card is written as its category with `?`.
    fn picture(&self) -> Value {
        picture::picture(self)
    }

    /// Returns a copy with the values of a scenario. `differences` must be a JSON object: `vp` (a list by
    /// seat), `empire` (its points), `at` (the next task, like `act 0`, where 0 is a seat), and any field of
    /// the serialised state. Without `at` the agenda is unchanged.
    ///
    /// # Errors
    ///
    /// Fails if a name is unknown, a value does not fit, or the task that `at` names cannot be performed.
    fn arranged(&self, differences: &Value) -> Result<Self, String> {
        picture::arranged(self, differences)
    }
}

/// Formats a side within a sentence: `@0` or `the Empire`.
fn name(side: Side) -> String {
    side.seat().map_or_else(|| LOG.empire.to_string(), who)
}

/// Formats a side at the beginning of a sentence: `@0` or `The Empire`.
fn subject(side: Side) -> String {
    side.seat().map_or_else(|| LOG.empire_subject.to_string(), who)
}

/// Returns the title of a card with its article: `the Archer`. `An Offer You Can't Refuse` and titles that
/// take no article, such as `Insider Trading`, are unchanged.
fn the(title: &str) -> String {
    let is_bare = title.starts_with("An ") || matches!(title, "Insider Trading" | "Collateral Damage");
    if is_bare { title.to_string() } else { fill_text!(LOG.the_card, card = title) }
}

/// Returns a card of a side within a sentence: `@0's Archer`, `the Empire's Archer`; a title with an article
/// gives `An Offer You Can't Refuse of @0`.
fn owned(side: Side, title: &str) -> String {
    if title.starts_with("An ") {
        format!("{title} of {}", name(side))
    } else {
        format!("{}'s {title}", name(side))
    }
}

/// Returns the title of a card if the observer knows it, like `Archer`; otherwise `a face-down Military
/// card`, by its category, in a slot, or `a card` elsewhere.
fn card_name(view: &View, t: Token) -> String {
    match view.face(t) {
        Some(card) => card.title().to_string(),
        None if view.state().slot_of(t).is_some() => {
            format!("a face-down {} card", view.state().category(t).title())
        }
        None => "a card".to_string(),
    }
}

/// Joins cards in the order of first occurrence, equal ones counted: `Archer, Cavalry and 2 × Laborer`;
/// `nothing` for none.
fn row(cards: impl Iterator<Item = Card>) -> String {
    let mut counted: Vec<(Card, usize)> = Vec::new();
    for card in cards {
        match counted.iter_mut().find(|(c, _)| *c == card) {
            Some((_, n)) => *n += 1,
            None => counted.push((card, 1)),
        }
    }
    let text = |(card, n): (Card, usize)| match n {
        1 => card.title().to_string(),
        n => fill_text!(LOG.several, n = n, card = card.title()),
    };
    let texts: Vec<String> = counted.into_iter().map(text).collect();
    if texts.is_empty() { LOG.nothing.to_string() } else { join_list(&texts, LOG.comma, LOG.and) }
}

/// Returns `instruction` if the observer is `seat`, else the placeholder of the seat, `sentence` and a full
/// stop: `@0 replaces cards.`
fn asked(view: &View, seat: Seat, instruction: String, sentence: &str) -> String {
    if view.observer() == Observer::Seat(seat) { instruction } else { format!("{} {sentence}.", who(seat)) }
}

/// Formats the number `n` with the noun `what` in the singular, or with `s` appended: `1 card`, `2 cards`.
fn many(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// Returns the prompt for the current task as the observer of the position reads it: an instruction if the
/// observer decides, a sentence about the deciding player for others. For what is resolved without a decision
/// it says what happens (`Rolling the die…`), at the end how the game ended. Seats are written `@0`.
fn awaited(view: &View) -> String {
    let state = view.state();
    let title = |t: Token| state.tokens.public_face(t).map_or("card", Card::title);
    let ask =
        |seat: Seat, instruction: &str, sentence: &str| asked(view, seat, instruction.to_string(), sentence);
    match state.top() {
        Task::Scalp(seat, _) => {
            let instruction = format!("Mark a pool card: it costs {} more", state.rules.n.scalper);
            asked(view, seat, instruction, "marks a card in the pool")
        }
        Task::Upkeep(seat, 0) => ask(seat, "Use a Diplomacy card, or continue", "considers Diplomacy cards"),
        Task::Upkeep(seat, ships) => {
            let cards = many(ships.into(), "card");
            let up_to = if ships == 1 { "" } else { "up to " };
            let instruction = format!("Buy {up_to}{cards} (Cargo Ship), or continue");
            asked(view, seat, instruction, "buys with a Cargo Ship")
        }
        Task::Target(seat, t) => {
            asked(view, seat, format!("Choose a target for {}", the(title(t))), "chooses a target")
        }
        Task::Aim(seat, t, target) => {
            let instruction = match state.tokens.public_face(t) {
                Some(Card::SecretAgent) => "Choose what to look at",
                Some(Card::Sanctions) => "Choose a slot to switch off",
                Some(Card::FalseFlag) => "Choose one of your Military slots to empty",
                Some(Card::Assassin) => "Choose a card to remove",
                _ => "Choose a target",
            };
            let sentence = format!("aims {} at {}", the(title(t)), name(target));
            asked(view, seat, instruction.to_string(), &sentence)
        }
        Task::Take(seat, target) => {
            ask(seat, "Take 1 card", &format!("takes one of {}'s cards", who(target)))
        }
        Task::Give(seat) => ask(seat, "Give 1 card in return", "gives a card in return"),
        Task::Replace(seat, need, replaced) => {
            let done = replaced.count_ones() as usize;
            let instruction = match usize::from(need).saturating_sub(done) {
                0 => "Replace more cards, or continue".to_string(),
                owed if done == 0 => format!("Replace {}: choose a hand card", many(owed, "slot")),
                owed => format!("Replace {owed} more {}", if owed == 1 { "slot" } else { "slots" }),
            };
            asked(view, seat, instruction, "replaces cards")
        }
        Task::Lobby(seat, _) => {
            ask(seat, "Choose a category for your Lobbyist", "chooses a category for a Lobbyist")
        }
        Task::Purchase(seat, 0) => ask(seat, "Sell cards, or continue", "considers selling"),
        Task::Purchase(seat, left) => {
            let cards = many(left.into(), "card");
            let up_to = if left == 1 { "" } else { "up to " };
            asked(view, seat, format!("Buy {up_to}{cards}, or continue"), "considers buying")
        }
        Task::Act(seat) => ask(seat, "Choose an action: war, trade or fresh cards", "chooses an action"),
        Task::Trade(seat, left, _) => {
            let cards = many(left.into(), "Empire card");
            let up_to = if left == 1 { "" } else { "up to " };
            asked(view, seat, format!("Buy {up_to}{cards}, or continue"), "trades with the Empire")
        }
        Task::Answer(seat, i) => {
            let card = state.base(Side::EMPIRE, i).map_or("card", title);
            asked(
                view,
                seat,
                format!("Buy {}, or pass", the(card)),
                &format!("considers buying {}", the(card)),
            )
        }
        Task::Enter(seat, _) => ask(seat, "Place the card face up or face down", "places a card"),
        Task::Refill(side) => match side.seat() {
            Some(seat) => ask(seat, "Refill your empty slots, or continue", "refills empty slots"),
            None => "The Empire refills its slots…".to_string(),
        },
        Task::Window { user, asked: place, .. } => {
            let used = state.agenda.iter().rev().find_map(|task| match task {
                Task::Used { card, .. } => Some(title(*card)),
                _ => None,
            });
            let title = used.unwrap_or("card");
            let used = owned(user, title);
            match state.in_window(user, place) {
                Some(seat) if view.observer() == Observer::Seat(seat) => {
                    format!("Sabotage {used}, or pass")
                }
                Some(seat) => format!("{} may sabotage {used}.", who(seat)),
                None => format!("{} uses {}.", subject(user), the(title)),
            }
        }
        Task::Raze(_) if !state.victor().is_empire() => {
            razing(view, state.victor(), "Empty a Military slot of @, or pass")
        }
        Task::Ruin(side, _) if !side.is_empire() => {
            razing(view, side, "Empty a Trade or Diplomacy slot, or pass")
        }
        Task::Raze(_) | Task::Ruin(..) | Task::Pick(..) => "The Empire chooses its target…".to_string(),
        Task::Die(_) => "Rolling the die…".to_string(),
        Task::Combat(..) => "Rolling for the troops…".to_string(),
        Task::Over => ending(state).unwrap_or_else(|| LOG.over.to_string()),
        _ => match view.node() {
            Node::Decide(seat) => format!("{} decides.", who(seat)),
            Node::Declare(_) | Node::Rearrange { .. } => "Checking hidden cards…".to_string(),
            Node::Chance(_) => "Shuffling…".to_string(),
            Node::Reveal { set: Set::Zone(crate::places::COMMON), .. } => "Dealing new cards…".to_string(),
            Node::Reveal { .. } if state.battle.is_some() => "Revealing the troops…".to_string(),
            Node::Reveal { .. } => "Dealing new cards…".to_string(),
            Node::Over => ending(state).unwrap_or_else(|| LOG.over.to_string()),
        },
    }
}

/// Returns the prompt while `victor` may empty a slot of the battle's loser: for the victor `instruction`
/// with each `@` replaced by the loser; for other observers a sentence about the victor. If the Empire is the
/// victor, all observers read that it chooses its target.
fn razing(view: &View, victor: Side, instruction: &str) -> String {
    let loser = name(view.state().loser());
    match victor.seat() {
        Some(seat) => {
            let sentence = format!("chooses one of {loser}'s slots");
            asked(view, seat, instruction.replace('@', &loser), &sentence)
        }
        None => "The Empire chooses its target…".to_string(),
    }
}
