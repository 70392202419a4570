//! Texts for people: the table, prompts, labels of actions, the log.

mod changes;
mod ending;
mod flip;
mod log;
mod picture;
mod prompt;
mod table;
mod texts;

use crate::actions::{Action, Aim, Good};
use crate::cards::{Aims, Card, Kind};
use crate::state::{Loss, Task, Vires};
use ending::ending;
pub use flip::CoinFlip;
use pentarchy_engine::describe::{fill_count, join_list, who};
use pentarchy_engine::{AppliedEvent, Describe, Position, Seat, Token, fill_text};
use serde_json::Value;
use texts::LOG;

impl Vires {
    /// Describes how the game ended and which player won, with how many points, and by which tie-break;
    /// `None` before the end. Seats are written `@0`.
    pub fn end_text(&self) -> Option<String> {
        ending(self)
    }
}

impl pentarchy_engine::Encode for Vires {}

impl Describe for Vires {
    const SUMMARY: &'static str = include_str!("summary.txt");

    /// Draws the table as text, with what the observer of the position knows: a heading, two lines per
    /// player, and the cards on the table, on offer and in the Garbage.
    fn table(view: &Position<Self>) -> String {
        table::draw(view)
    }

    /// Returns the text of an action of the deciding seat on a button, with cards as the observer knows them.
    /// Does not check that the action is legal.
    fn label(view: &Position<Self>, action: Action) -> String {
        label(view, action)
    }

    /// Returns the heading under which a list of actions shows this one: `Mine`, `Play a card`, `Discard`,
    /// `End turn`, `React`, `Show` or `Choose`.
    fn kind(action: Action) -> &'static str {
        match action {
            Action::Mine => "Mine",
            Action::Play { .. } => "Play a card",
            Action::Dismiss(_) => "Discard",
            Action::End | Action::Done => "End turn",
            Action::Pass | Action::React { .. } => "React",
            Action::Show(_) | Action::Rest => "Show",
            Action::Offer(_) | Action::Choose(_) | Action::Vote(_) | Action::Kyc { .. } => "Choose",
        }
    }

    /// Returns what is awaited: an instruction if the observer decides, else a sentence about the deciding
    /// player or about what is resolved without a decision.
    fn awaited(view: &Position<Self>) -> String {
        prompt::awaited(view)
    }

    /// Describes an event for the log from its facts, as the observer sees it; `None` if it needs no entry.
    fn log(event: &AppliedEvent<'_, Self>) -> Option<String> {
        log::log(event)
    }

    /// Returns the kind of the card and its effect, `Flash: …`, with the printed numbers; for a ballot only
    /// the effect. Never `None`.
    fn card_text(face: Card) -> Option<String> {
        let row = face.row();
        Some(match row.kind {
            Kind::Ballot => row.text.to_string(),
            kind => format!("{}: {}", kind.word(), row.text),
        })
    }

    /// Returns the public state as data: round, phase, players, piles and markers.
    fn picture(&self) -> Value {
        picture::of(self)
    }

    /// Returns a copy with other markers (`round`, `active`, `turn`, `players`). With `phase` (`begin`,
    /// `main` or `end`) that phase of the active player's turn begins: its markers are reset, cards on the
    /// table go to the Garbage and those on offer to the active Hand, and tasks are performed up to the first
    /// event. Without `phase` the agenda is unchanged.
    ///
    /// # Errors
    ///
    /// Fails if a name is unknown, a seat or phase does not exist, a value does not fit, or the tasks of the
    /// phase cannot be performed.
    fn arranged(&self, differences: &Value) -> Result<Self, String> {
        picture::arranged(self, differences)
    }
}

/// Formats a number of HR: `2 HR`.
fn hr(n: u8) -> String {
    fill_text!(LOG.hr, n = n)
}

/// Formats a number of Blocks: `1 Block`, `2 Blocks`.
fn blocks(n: u8) -> String {
    fill_count(n.into(), LOG.one_block, LOG.blocks)
}

/// Formats a number of Coins: `1 Coin`, `2 Coins`.
fn coins(n: u8) -> String {
    fill_count(n.into(), LOG.one_coin, LOG.coins)
}

/// Joins names: "a, b and c". Empty for no names.
fn and(names: Vec<String>) -> String {
    join_list(&names, LOG.comma, LOG.and)
}

/// Returns the name of the card `t` within a sentence, like `SAT` or `HR`; `a card` if the observer does not
/// know it.
fn name(view: &Position<Vires>, t: Token) -> &'static str {
    match view.face(t) {
        Some(card) => card_in_sentence(card),
        None => LOG.unknown_card,
    }
}

/// Returns the name of a card within a sentence: without the full stop of AGREE. and BYZ., and `HR` for a
/// HashRate.
fn card_in_sentence(card: Card) -> &'static str {
    if card == Card::Hr { "HR" } else { card.name().trim_end_matches('.') }
}

/// Returns the name of the card that is being resolved, which is public as it lies on the table; `the card`
/// if there is none.
fn card_in_question(state: &Vires) -> &'static str {
    let card = state.in_question().and_then(|(t, _)| state.tokens.public_face(t));
    card.map_or(LOG.card_in_question, card_in_sentence)
}

/// Returns the text of an action of the deciding seat on a button, with its cost, gain and effect; cards are
/// named as far as the observer knows them. Does not check that the action is legal.
fn label(view: &Position<Vires>, action: Action) -> String {
    let state = view.state();
    match action {
        Action::Mine => {
            let p = state.active;
            let (cost, reward) = (state.cost(p), state.reward(p));
            format!("Mine Block {} for {}: get {}", state.blocks(p), hr(cost), coins(reward))
        }
        Action::Play { card, aim, showing } => play_label(view, card, aim, showing),
        Action::End | Action::Done => "End turn".to_string(),
        Action::Dismiss(t) => format!("Discard {}", name(view, t)),
        Action::Pass => "Pass".to_string(),
        Action::React { card, party } => react_label(state, name(view, card), view.face(card), party),
        Action::Offer(t) => format!("Offer {}", name(view, t)),
        Action::Choose(good) => {
            let verb = match state.agenda.top() {
                Some(Task::Choose { by, from }) if by == from => "Give",
                _ => "Take",
            };
            format!("{verb} {}", if good == Good::Coin { "a Coin" } else { "an HR" })
        }
        Action::Vote(Some(Good::Coin)) => "Vote for Coins".to_string(),
        Action::Vote(Some(Good::Hr)) => "Vote for HR".to_string(),
        Action::Vote(None) => "Vote".to_string(),
        Action::Kyc { reveal: true } => "Show your hand".to_string(),
        Action::Kyc { reveal: false } => "Skip your turn".to_string(),
        Action::Show(_) => "Show an HR".to_string(),
        Action::Rest => "Show that no HR is left".to_string(),
    }
}

/// Returns the text of playing a card: name, price, target, the card that is shown for it, effect. Only `Play
/// a card` if the observer does not know the card.
fn play_label(view: &Position<Vires>, card: Token, aim: Aim, showing: Option<Token>) -> String {
    let state = view.state();
    let name = name(view, card);
    let Some(face) = view.face(card) else { return "Play a card".to_string() };
    let price = if face.kind() == Kind::Paid {
        format!(" ({})", if state.price(face) == 0 { "free".to_string() } else { coins(state.price(face)) })
    } else {
        String::new()
    };
    let shown = showing.map_or_else(String::new, |t| format!(" (shows {})", self::name(view, t)));
    match (aim, face.aims()) {
        (Aim::At(x), _) => format!("{name}{price} on {}{shown}: {}", who(x), face.row().text),
        (Aim::Gain, _) => format!("{name}: get {}", hr(state.rules.tuning.whale_gain)),
        (Aim::Attack, _) => format!("{name}: each opponent loses {}", hr(state.rules.tuning.whale_loss)),
        (Aim::Nothing, Aims::Nothing | Aims::Foe | Aims::Mode | Aims::Party) => {
            format!("{name}{price}{shown}: {}", face.row().text)
        }
    }
}

/// Returns the text of a reaction with the card `face`, called `name`, in the open window: what it cancels,
/// keeps or decides. `party` is the player that STRONG or WEAK names. Only the name if the card is not known.
fn react_label(state: &Vires, name: &str, face: Option<Card>, party: Option<Seat>) -> String {
    match (face, state.agenda.top(), party) {
        (Some(Card::Test), ..) => format!("{name}: cancel {}", card_in_question(state)),
        (Some(Card::Hodl), Some(Task::Protect(_, Loss::Block)), _) => {
            format!("{name}: keep the Coin, lose the Block")
        }
        (Some(Card::Agree), ..) => format!("{name}: keep the Block and its Coin"),
        (_, Some(Task::Protect(_, Loss::Coin)), _) => format!("{name}: keep the Coin"),
        (_, Some(Task::Protect(..)), _) => format!("{name}: keep all HR"),
        (Some(Card::Strong), _, Some(x)) => format!("{name}: {} wins the coin flip", who(x)),
        (Some(Card::Weak), _, Some(x)) => format!("{name}: {} loses the coin flip", who(x)),
        _ => name.to_string(),
    }
}
