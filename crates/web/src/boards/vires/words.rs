//! What is said about cards, blocks and players, with both numbers.

use super::cards::brief;
use super::lanes;
use crate::board::{Ask, Note, Row};
use pentarchy_engine::describe::who;
use pentarchy_engine::{Describe, Game, Position, Seat, Token};
use pentarchy_vires::{Action, Aim, Card, Good, Kind, Phase, Vires, hand};

/// What a seat does while it is awaited.
pub(super) fn doing(game: &Vires, seat: Seat) -> String {
    match game.phase() {
        Phase::Reaction if super::middle::asked(game) == Some(seat) => "Asked to react".to_string(),
        Phase::Main => "Mining and playing".to_string(),
        Phase::End => "Tidying the hand".to_string(),
        Phase::Draw | Phase::Reaction => "Choosing".to_string(),
        Phase::Over => String::new(),
    }
}

/// The token of a key.
fn token(key: &str) -> Option<Token> {
    key.strip_prefix('#')?.parse().ok().map(Token)
}

/// How many HR the player at this screen holds.
fn rates(view: &Position<Vires>, seat: Seat) -> usize {
    view.state().tokens().iter(hand(seat)).filter(|&t| view.face(t) == Some(Card::Hr)).count()
}

fn coins(n: u8) -> String {
    if n == 1 { "1 coin".to_string() } else { format!("{n} coins") }
}

/// The question before an action.
pub(super) fn ask(view: &Position<Vires>, action: Action) -> Option<Ask> {
    let game = view.state();
    let me = game.active();
    let ask = |question: String, consequence: String, verb: String| Some(Ask { question, consequence, verb });
    match action {
        Action::Mine => {
            let (cost, reward) = (game.cost(me), game.reward(me));
            let left = rates(view, me).saturating_sub(usize::from(cost));
            ask(
                format!("Mine block {} for {cost} HR?", game.blocks(me)),
                format!("It pays {}. You keep {left} HR.", coins(reward)),
                format!("Mine for {cost}"),
            )
        }
        Action::Play { card, aim, .. } => {
            let face = view.face(card)?;
            let on = match aim {
                Aim::At(seat) => format!(" on {}", who(seat)),
                Aim::Gain => ": get HR".to_string(),
                Aim::Attack => ": against all".to_string(),
                Aim::Nothing => String::new(),
            };
            let verb = match (face.kind(), game.price(face)) {
                (Kind::Paid, price) if price > 0 => format!("Pay {}", coins(price)),
                _ => "Play it".to_string(),
            };
            ask(format!("Play {}{on}?", face.name()), face.row().text.to_string(), verb)
        }
        Action::React { card, party } => {
            let face = view.face(card)?;
            let on = party.map_or_else(String::new, |seat| format!(" for {}", who(seat)));
            ask(
                format!("Answer with {}{on}?", face.name()),
                face.row().text.to_string(),
                "Answer".to_string(),
            )
        }
        Action::Dismiss(card) => {
            let name = view.face(card).map_or("this card", Card::name);
            ask(
                format!("Dismiss {name}?"),
                "It goes to the garbage, an HR to the pool.".into(),
                "Dismiss".into(),
            )
        }
        Action::End => {
            ask("End the main phase?".into(), "No more mining and playing this turn.".into(), "Go on".into())
        }
        Action::Done => ask("End your turn?".into(), String::new(), "End turn".into()),
        _ => None,
    }
}

/// How the list shows an action.
pub(super) fn row(view: &Position<Vires>, action: Action) -> Row {
    let game = view.state();
    let of = |card: Token| view.face(card).map(|face| (brief(face).0, face));
    let plain = |icon, label: &str, value: Option<String>| Row {
        icon: Some(icon),
        label: Some(label.to_string()),
        value,
    };
    match action {
        Action::Mine => {
            let me = game.active();
            let label = format!("Block {}", game.blocks(me));
            plain("cube", &label, Some(format!("{} HR", game.cost(me))))
        }
        Action::Play { card, aim, .. } => {
            let Some((icon, face)) = of(card) else { return Row::default() };
            let label = match aim {
                Aim::At(seat) => format!("{} on {}", face.name(), who(seat)),
                Aim::Gain => format!("{}: get HR", face.name()),
                Aim::Attack => format!("{}: hit all", face.name()),
                Aim::Nothing => face.name().to_string(),
            };
            let value = (face.kind() == Kind::Paid).then(|| match game.price(face) {
                0 => "free".to_string(),
                price => coins(price),
            });
            plain(icon, &label, value)
        }
        Action::React { card, party } => {
            let Some((icon, face)) = of(card) else { return Row::default() };
            let label = match party {
                Some(seat) => format!("{} for {}", face.name(), who(seat)),
                None => face.name().to_string(),
            };
            plain(icon, &label, None)
        }
        Action::Dismiss(card) | Action::Offer(card) | Action::Show(card) => match of(card) {
            Some((icon, face)) => plain(icon, face.name(), None),
            None => Row::default(),
        },
        Action::Pass => Row { icon: Some("play-button"), label: None, value: None },
        Action::End | Action::Done => Row { icon: Some("hourglass"), label: None, value: None },
        Action::Choose(Good::Coin) | Action::Vote(Some(Good::Coin)) => {
            Row { icon: Some("crown-coin"), label: None, value: None }
        }
        Action::Choose(Good::Hr) | Action::Vote(_) => {
            Row { icon: Some("processor"), label: None, value: None }
        }
        Action::Kyc { .. } => Row { icon: Some("id-card"), label: None, value: None },
        Action::Rest => Row::default(),
    }
}

/// Why nothing can be done with a piece.
pub(super) fn why_not(view: &Position<Vires>, key: &str) -> Option<String> {
    let game = view.state();
    let me = game.active();
    if key == "mine" {
        let (cost, have) = (game.cost(me), rates(view, me));
        return Some(match game.phase() {
            Phase::Main if game.turn().gained => "One block in a turn is all.".to_string(),
            Phase::Main if game.turn().locked => "You are time-locked this turn.".to_string(),
            Phase::Main => format!("Costs {cost} HR, you have {have}."),
            _ => "Blocks are mined in the main phase.".to_string(),
        });
    }
    let card = token(key)?;
    let face = view.face(card)?;
    let owner =
        (0..game.seats()).map(Seat).find(|&seat| game.tokens().iter(hand(seat)).any(|t| t == card))?;
    let says = match (face.kind(), game.phase()) {
        (Kind::HashRate, _) => "HashRates are spent by mining and with other cards.".to_string(),
        (Kind::Flash, Phase::Reaction) => format!("{} does not answer this.", face.name()),
        (Kind::Flash, _) => "A Flash card only answers what others do.".to_string(),
        (_, Phase::Reaction) => "Only Flash cards are played out of turn.".to_string(),
        (_, Phase::Main) if game.turn().locked => "You are time-locked this turn.".to_string(),
        (_, Phase::Main) if game.is_barred(card, owner) => {
            "It was cancelled: not again this turn.".to_string()
        }
        (Kind::Paid, Phase::Main) if game.price(face) > game.coins(owner) => {
            format!("Costs {}, you have {}.", coins(game.price(face)), game.coins(owner))
        }
        (_, Phase::Main) if face == Card::Flip => "FLIP is played at the end of the turn.".to_string(),
        (_, Phase::Main) => "It would do nothing now, or something for it is missing.".to_string(),
        _ => "It is played in the main phase.".to_string(),
    };
    Some(says)
}

/// A piece in full.
pub(super) fn explain(view: &Position<Vires>, key: &str) -> Option<Note> {
    let game = view.state();
    if key == "mine" {
        let me = game.active();
        let blocks = game.blocks(me);
        let change = i16::from(game.cost(me)) - i16::from(blocks);
        let parts = match change {
            0 => format!("as many HR as the chain is long: {blocks}"),
            n if n < 0 => format!("{blocks} for the chain − {} = {} HR", -n, game.cost(me)),
            n => format!("{blocks} for the chain + {n} = {} HR", game.cost(me)),
        };
        let text = format!("It costs {parts}, and pays {}.", coins(game.reward(me)));
        return Some(Note { title: "The next block".to_string(), text });
    }
    if let Some(seat) = key.strip_prefix("seat ").and_then(|n| n.parse().ok()).map(Seat) {
        if seat.0 >= game.seats() {
            return None;
        }
        let marks = lanes::markers(game, seat).join(", ");
        let (blocks, money) = (game.blocks(seat), coins(game.coins(seat)));
        let mut text = format!("A chain of {blocks} and {money}: {} points.", game.score(seat));
        if !marks.is_empty() {
            text += &format!(" {marks}.");
        }
        return Some(Note { title: who(seat), text });
    }
    let face = view.face(token(key)?)?;
    Some(Note { title: face.name().to_string(), text: Vires::card_text(face)? })
}

/// Why the game ended so.
pub(super) fn verdict(game: &Vires) -> Option<String> {
    let outcome = game.outcome()?;
    let winner = outcome.winners().next()?;
    let (need, score) = (game.rules().blocks, game.score(winner));
    let done = (0..game.seats()).map(Seat).find(|&seat| game.blocks(seat) >= need);
    Some(match done {
        Some(seat) if seat == winner => {
            format!("{} closed a chain of {need} blocks, and leads with {score} points.", who(seat))
        }
        Some(seat) => {
            format!("{} closed a chain of {need} blocks, but {} has {score} points.", who(seat), who(winner))
        }
        None => format!(
            "After {} rounds nobody had {need} blocks; {} leads with {score} points.",
            game.round(),
            who(winner)
        ),
    })
}
