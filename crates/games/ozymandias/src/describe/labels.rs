//! Labels of actions.

use super::View;
use super::names::{capital, neighbours, target_text, title};
use crate::actions::{Action, Target};
use crate::cards::{FACTIONS, Thing};
use crate::state::tableau;
use crate::table::{card_name, sector_title};
use pentarchy_engine::Token;

/// Returns the text of an action of the deciding seat on a button, like `Buy Xin Harvest (blue 1, expansion)
/// for 6`, with what it pays, costs or counts. Cards are named as far as the observer knows them. Does not
/// check that the action is legal.
pub(super) fn label(view: &View, action: Action) -> String {
    let game = view.state();
    let myth = |t| view.face(t).and_then(Thing::myth);
    let value = |t| myth(t).map_or(0, |m| game.value(m.faction()));
    match action {
        Action::Explore(t) => format!("Explore: sell {} for {}", card_name(view, t), value(t)),
        Action::Expand(t) => match myth(t) {
            Some(m) => format!("Expand with {}: build a {} city", card_name(view, t), m.faction()),
            None => "Expand with a card: build a city".to_string(),
        },
        Action::Crisis => "Start a crisis".to_string(),
        Action::Withdraw => "Take back your tableau".to_string(),
        Action::Place(hex) => format!("Place the sector next to {}", neighbours(game, hex)),
        Action::Build(corner) => format!("Build at {}", target_text(view, Target::Corner(corner))),
        Action::Activate(t) => format!("Use {}: {}", title(view, t), effect(view, t)),
        Action::Done => "Continue".to_string(),
        Action::Pickup(t) => format!("Take back {}", card_name(view, t)),
        Action::PickupAll => match game.tokens.len(tableau(game.active)) {
            1 => "Take back 1 card".to_string(),
            cards => format!("Take back all cards ({cards})"),
        },
        Action::Sector(hex) => {
            let here = FACTIONS.into_iter().map(|f| (game.cities_of(f, hex), f)).filter(|(n, _)| *n > 0);
            let here: Vec<String> = here.map(|(n, f)| format!("{n} {f}")).collect();
            format!("Crisis at {}: {}", sector_title(game, hex), here.join(", "))
        }
        Action::Contribute(t) => match myth(t) {
            Some(m) => {
                let strength = game.strength_at(m, game.crisis.sector).total();
                format!("Contribute {}, strength {strength}", card_name(view, t))
            }
            None => "Contribute a card".to_string(),
        },
        Action::Pass => "Pass".to_string(),
        Action::BuyDeck => format!("Buy the top card of the deck for {}", game.deck_price()),
        Action::Buy(t) => format!("Buy {} for {}", card_name(view, t), value(t)),
        Action::Choose(Target::None) => "Skip".to_string(),
        Action::Choose(target) => capital(&target_text(view, target)),
    }
}

/// Returns the text of a card's effect; empty if the observer does not know the card.
fn effect(view: &View, t: Token) -> &'static str {
    view.face(t).and_then(Thing::myth).map_or("", |m| m.printed().text)
}
