//! The reasons of hints: what an action achieves, in one sentence with numbers.

use super::words::{count, short};
use pentarchy_engine::describe::who;
use pentarchy_engine::{Game, Position, Seat};
use pentarchy_vires::{Action, Aim, Card, Good, Phase, Vires};

/// Describes in one sentence why the deciding seat may want an action: the points of a Block, the text of a
/// card, the points of its target, or what the seat keeps. Seats are written `@0`. `None` if no seat decides,
/// if the observer does not know the card (except for a reaction that names a player), and for forced
/// actions: sealed votes, shown HR, and *Done* outside of the end phase. Not checked: whether the action is
/// legal.
pub(super) fn merit(view: &Position<Vires>, action: Action) -> Option<String> {
    let game = view.state();
    let me = view.actor()?;
    Some(match action {
        Action::Mine => {
            let coins = game.reward(me);
            let points = count(usize::from(coins) + 1, "point");
            format!("A Block and {} are worth {points}.", count(coins.into(), "Coin"))
        }
        Action::Play { card, aim, .. } => {
            let face = view.face(card)?;
            match aim {
                Aim::At(seat) => explain_target(game, me, seat),
                _ => face.row().text.to_string(),
            }
        }
        Action::React { card, party } => match party {
            Some(seat) if seat == me => "You decide your own coin flip.".to_string(),
            Some(seat) => explain_target(game, me, seat),
            None => view.face(card)?.row().text.to_string(),
        },
        Action::Dismiss(card) => match view.face(card)? {
            Card::Hr => "You have more HR than your next Block costs.".to_string(),
            face => format!("{} helps you least, and you draw new cards.", short(face)),
        },
        Action::Offer(card) => format!("{} helps you least.", short(view.face(card)?)),
        Action::End => "No card or Block gains more this turn.".to_string(),
        Action::Done => match game.phase() {
            Phase::End => "You keep the rest of your hand.".to_string(),
            _ => return None,
        },
        Action::Pass => "You keep your cards for a greater danger.".to_string(),
        Action::Choose(Good::Coin) | Action::Vote(Some(Good::Coin)) => {
            "Each Coin is a point at the end.".to_string()
        }
        Action::Choose(Good::Hr) | Action::Vote(Some(Good::Hr)) => {
            format!("Your next Block costs {} HR.", game.cost(me))
        }
        Action::Kyc { reveal: true } => "You show your hand and keep your turn.".to_string(),
        Action::Kyc { reveal: false } => "You skip the turn and keep your hand secret.".to_string(),
        Action::Vote(None) | Action::Show(_) | Action::Rest => return None,
    })
}

/// Describes why `seat` is the target of `me`, by its points: that it has the most of the rivals; else both
/// scores if it has at least as many as `me`; else that it is the best target.
fn explain_target(game: &Vires, me: Seat, seat: Seat) -> String {
    let points = game.score(seat);
    let others = (0..game.seats()).map(Seat).filter(|&other| other != me);
    let leads = others.map(|other| game.score(other)).max() == Some(points);
    let said = count(points.into(), "point");
    match (leads, points >= game.score(me)) {
        (true, _) => format!("{} has {said}, the most of your rivals.", who(seat)),
        (false, true) => format!("{} has {said}, you have {}.", who(seat), game.score(me)),
        (false, false) => format!("{} has {said} and is the best target for it.", who(seat)),
    }
}
