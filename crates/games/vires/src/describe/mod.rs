//! Words for people: the table, what is awaited, what an action does, what happened.

mod log;
mod picture;
mod table;

use crate::actions::{Action, Aim, Good};
use crate::cards::{Aims, Card, Kind};
use crate::state::{Loss, Step, Vires};
use pentarchy_engine::describe::{awaited_plainly, who};
use pentarchy_engine::{Describe, Game, LineOf, Position, Seat, Token};
use serde_json::Value;

impl Describe for Vires {
    const SUMMARY: &'static str = include_str!("summary.txt");

    fn table(view: &Position<Self>) -> String {
        table::draw(view)
    }

    fn label(view: &Position<Self>, action: Action) -> String {
        label(view, action)
    }

    fn kind(action: Action) -> &'static str {
        match action {
            Action::Mine => "Mine",
            Action::Play { .. } => "Play a card",
            Action::Dismiss(_) => "Dismiss",
            Action::End | Action::Done => "Go on",
            Action::Pass | Action::React { .. } => "React",
            Action::Show(_) | Action::Rest => "Show",
            Action::Offer(_) | Action::Choose(_) | Action::Vote(_) | Action::Kyc { .. } => "Choose",
        }
    }

    fn awaited(view: &Position<Self>) -> String {
        awaited(view.state())
    }

    fn log(before: &Position<Self>, line: &LineOf<Self>, after: &Position<Self>) -> Option<String> {
        log::tell(before, line, after)
    }

    fn card_text(face: Card) -> Option<String> {
        let row = face.row();
        Some(match row.kind {
            Kind::Ballot => row.text.to_string(),
            kind => format!("{} ({}): {}", row.name, kind.word(), row.text),
        })
    }

    fn picture(&self) -> Value {
        picture::of(self)
    }

    fn arranged(&self, differences: &Value) -> Result<Self, String> {
        picture::arranged(self, differences)
    }
}

/// A number of HR.
fn hr(n: u8) -> String {
    format!("{n} HR")
}

/// A number of Coins.
fn coins(n: u8) -> String {
    if n == 1 { "1 Coin".to_string() } else { format!("{n} Coins") }
}

/// The name of a token's card, as far as the observer knows it.
fn name(view: &Position<Vires>, t: Token) -> &'static str {
    match view.face(t) {
        Some(card) => said(card),
        None => "a card",
    }
}

/// The name of a card in a sentence: without the full stop of AGREE. and BYZ.
fn said(card: Card) -> &'static str {
    if card == Card::Hr { "HR" } else { card.name().trim_end_matches('.') }
}

/// The name of the card that a window is about. It is public: it lies on the table.
fn card_in_question(state: &Vires) -> &'static str {
    let card = state.in_question().and_then(|(t, _)| state.tokens.public_face(t));
    card.map_or("the card", said)
}

fn awaited(state: &Vires) -> String {
    let p = who(state.active);
    let card = card_in_question(state);
    match state.agenda.top().unwrap_or_default() {
        Step::Main { .. } => format!("{p} may mine, play cards, or end the main phase."),
        Step::End { .. } => format!("{p} may dismiss cards, and is done then."),
        Step::Cancel { at, .. } => format!("{} may cancel {card} with TEST.", who(at)),
        Step::Protect(x, loss) => {
            let x = who(x);
            match loss {
                Loss::Hr => format!("{x} is about to lose HR by {card}, and may protect them."),
                Loss::Coin => format!("{x} is about to lose a Coin by {card}, and may protect it."),
                Loss::Block => format!("{x} is about to lose a Block by {card}, and may protect it."),
            }
        }
        Step::Challenge { of, fixed, at, .. } => {
            let so_far = match fixed {
                None => "before the coin is flipped",
                Some(true) => "or it is won",
                Some(false) => "or it is lost",
            };
            format!(
                "{} may decide the challenge of {} ({card}) with STRONG or WEAK, {so_far}.",
                who(at),
                who(of)
            )
        }
        Step::Offer(x) => format!("{p} chooses a card to offer to {}, unseen.", who(x)),
        Step::Choose { by, from } => {
            format!("{} chooses what {} gives: a Coin or an HR.", who(by), who(from))
        }
        Step::Vote { at, .. } => format!("{} votes in secret for Coins or HR.", who(at)),
        Step::Kyc => format!("{p} shows the Hand, or skips the turn."),
        Step::Mine(left) => format!("{p} still has to show {} for the Block.", hr(left)),
        Step::Pay(bill) => format!("{} pays HR from the Hand.", who(bill.from)),
        Step::Show { who: x, .. } => format!("{} shows HR, if he has them.", who(x)),
        Step::Flip => format!("A coin is flipped ({card})."),
        _ => awaited_plainly::<Vires>(state.node()),
    }
}

fn label(view: &Position<Vires>, action: Action) -> String {
    let state = view.state();
    match action {
        Action::Mine => {
            let p = state.active;
            let (cost, reward) = (state.cost(p), state.reward(p));
            format!("Mine block {} for {}, and get {}", state.blocks(p), hr(cost), coins(reward))
        }
        Action::Play { card, aim, showing } => play_label(view, card, aim, showing),
        Action::End => "End the main phase".to_string(),
        Action::Done => "End the turn".to_string(),
        Action::Dismiss(t) => format!("Dismiss {}", name(view, t)),
        Action::Pass => match state.agenda.top() {
            Some(Step::Cancel { .. }) => format!("Pass: let {} happen", card_in_question(state)),
            Some(Step::Protect(..)) => "Pass: take the loss".to_string(),
            Some(Step::Challenge { fixed: None, .. }) => "Pass: let the coin decide".to_string(),
            _ => "Pass".to_string(),
        },
        Action::React { card, party } => react_label(state, name(view, card), view.face(card), party),
        Action::Offer(t) => format!("Offer {}", name(view, t)),
        Action::Choose(Good::Coin) => "A Coin".to_string(),
        Action::Choose(Good::Hr) => "An HR".to_string(),
        Action::Vote(Some(Good::Coin)) => "Vote for a Coin for everybody".to_string(),
        Action::Vote(Some(Good::Hr)) => "Vote for an HR for everybody".to_string(),
        Action::Vote(None) => "Vote".to_string(),
        Action::Kyc { reveal: true } => "Show the Hand, and draw openly for the rest of the turn".to_string(),
        Action::Kyc { reveal: false } => "Skip the rest of the turn".to_string(),
        Action::Show(_) => "Show an HR".to_string(),
        Action::Rest => "The rest is no HR".to_string(),
    }
}

fn play_label(view: &Position<Vires>, card: Token, aim: Aim, showing: Option<Token>) -> String {
    let state = view.state();
    let name = name(view, card);
    let Some(face) = view.face(card) else { return "Play a card".to_string() };
    let price = if face.kind() == Kind::Paid {
        format!(" ({})", if state.price(face) == 0 { "free".to_string() } else { coins(state.price(face)) })
    } else {
        String::new()
    };
    let shown = showing.map_or_else(String::new, |t| format!(", showing {}", self::name(view, t)));
    match (aim, face.aims()) {
        (Aim::At(x), _) => format!("{name}{price} on {}{shown}: {}", who(x), face.row().text),
        (Aim::Gain, _) => format!("{name}: get {}", hr(state.rules.tuning.whale_gain)),
        (Aim::Attack, _) => format!("{name}: each opponent loses {}", hr(state.rules.tuning.whale_loss)),
        (Aim::Nothing, Aims::Nothing | Aims::Foe | Aims::Mode | Aims::Party) => {
            format!("{name}{price}{shown}: {}", face.row().text)
        }
    }
}

fn react_label(state: &Vires, name: &str, face: Option<Card>, party: Option<Seat>) -> String {
    match (face, state.agenda.top(), party) {
        (Some(Card::Test), ..) => format!("{name}: cancel {}", card_in_question(state)),
        (Some(Card::Hodl), Some(Step::Protect(_, Loss::Block)), _) => {
            format!("{name}: lose the Block, keep the Coin")
        }
        (Some(Card::Agree), ..) => format!("{name}: keep the Block and the Coin"),
        (_, Some(Step::Protect(_, Loss::Coin)), _) => format!("{name}: keep the Coin"),
        (_, Some(Step::Protect(..)), _) => format!("{name}: lose no HR"),
        (Some(Card::Strong), _, Some(x)) => format!("{name}: {} wins the challenge", who(x)),
        (Some(Card::Weak), _, Some(x)) => format!("{name}: {} loses the challenge", who(x)),
        _ => name.to_string(),
    }
}
