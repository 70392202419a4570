//! Prompts: what the acting seat must do, what another seat does, and what happens without a decision.

use super::View;
use super::names::new_tile;
use crate::cards::Myth;
use crate::state::{Memo, Ozymandias, Task, hand};
use pentarchy_engine::describe::who;
use pentarchy_engine::{Observer, Seat};

/// Returns what is awaited: an instruction if the observer decides, a sentence about the deciding seat for
/// others, and a description of what is resolved without a decision.
pub(super) fn awaited(view: &View) -> String {
    match view.actor() {
        Some(seat) if view.observer() == Observer::Seat(seat) => instruction(view, seat),
        Some(seat) => format!("{} {}.", who(seat), deed(view)),
        None => nature(view).to_string(),
    }
}

/// Returns the instruction for `seat`, which decides, in about eight words, like `Choose a card, or start a
/// crisis`; empty if the current task is no decision.
fn instruction(view: &View, seat: Seat) -> String {
    let game = view.state();
    match game.step() {
        Task::Action if game.cities.is_empty() => "Choose a card to build a city".to_string(),
        Task::Action if game.tokens.is_empty(hand(seat)) => "Start a crisis".to_string(),
        Task::Action => "Choose a card, or start a crisis".to_string(),
        Task::Place => format!("Place {} next to a city", new_tile(view)),
        Task::Build(faction) => format!("Choose a corner for the {faction} city"),
        Task::Window(_) => "Use tableau cards, or continue".to_string(),
        Task::Prelude => "Take back tableau cards, or continue".to_string(),
        Task::Sector => "Choose where the crisis happens".to_string(),
        Task::Contribute(_) => "Contribute a card face down, or pass".to_string(),
        Task::Purchase(_) => format!("Buy a card (you have {} influence)", game.influence(seat)),
        Task::Choose { card, memo, .. } => aim(game, card, memo),
        _ => String::new(),
    }
}

/// Returns the instruction to choose a target for `card`, in about eight words; `Choose a target` for cards
/// without an own text. `memo` tells the first from the second of two choices.
fn aim(game: &Ozymandias, card: Myth, memo: Memo) -> String {
    let text = match card {
        Myth::ScorchedEarth => "Remove the crisis sector, or skip",
        Myth::Remembrance => "Choose a faction to raise by 1 space",
        Myth::ThaniWanderers if memo == Memo::Nothing => "Choose a red city to move",
        Myth::ThaniWanderers => "Choose a corner for the red city",
        Myth::FiresAtNight | Myth::BerserkersOfGrotl | Myth::GunsOfAugust => "Choose a city to destroy",
        Myth::GeminiCoup => "Choose a city to build a red city on",
        Myth::ShieldRhetoric => "Choose a stack for white to rule",
        Myth::CrusaderFleet => "Choose a hand card to sell",
        Myth::CrusadeOfTheSun => "Choose a corner for the white city",
        Myth::PilgrimsOfChera => "Choose a white card to buy",
        Myth::SilverSwordUprising => "Choose a faction that loses a city",
        Myth::SpymasterHuryThezal => "Choose a hand card for the market",
        Myth::BookOfChanges => "Choose a card to contribute instead",
        Myth::XinPilgrims => "Choose a corner for the blue city",
        Myth::TreatyOfChengHuang if memo == Memo::Nothing => "Choose a hand card to exchange",
        Myth::TreatyOfChengHuang => "Choose a market card to take",
        Myth::TidalPools => "Choose a stack: its top city moves down",
        Myth::SpymasterAtherNesimm => "Choose whose hand you look at",
        Myth::IonPulse => "Choose a faction to weaken",
        Myth::HaniosResistance => "Choose a stack: its bottom city moves up",
        Myth::MaengalisDiscovery => "Choose a hand card for your tableau",
        Myth::WhispersInTheDeep => "Choose a stack for the black city",
        Myth::MaengalisAltar => "Choose a hand card for your vault",
        Myth::HanianCultists => {
            return format!("Choose who loses {} influence to you", game.settings.cultists_take);
        }
        Myth::WreckageOfTheXyri => "Choose a sector to remove",
        Myth::RafiasNightmare => "Choose a faction to lower by 1 space",
        Myth::CyrisTreachery => "Choose who swaps contributions with you",
        _ => "Choose a target",
    };
    text.to_string()
}

/// Describes what the deciding seat is doing, as a verb phrase without a full stop that follows its name:
/// `buys a card`; `is busy` if the current task is no decision.
fn deed(view: &View) -> String {
    match view.state().step() {
        Task::Action => "chooses an action".to_string(),
        Task::Place => format!("places {}", new_tile(view)),
        Task::Build(faction) => format!("builds a {faction} city"),
        Task::Window(_) => "uses tableau cards".to_string(),
        Task::Prelude => "takes back tableau cards".to_string(),
        Task::Sector => "chooses where the crisis happens".to_string(),
        Task::Contribute(_) => "chooses a card for the crisis".to_string(),
        Task::Purchase(_) => "buys a card".to_string(),
        Task::Choose { card, .. } => format!("chooses a target for {}", card.printed().title),
        _ => "is busy".to_string(),
    }
}

/// Describes what is resolved without a decision, like `Shuffling the deck…`; `The game is over.` at the end
/// and for tasks without a text.
fn nature(view: &View) -> &'static str {
    match view.state().step() {
        Task::ShuffleTiles => "Shuffling the sectors…",
        Task::ShuffleDeck => "Shuffling the deck…",
        Task::Deal(_) => "Dealing cards…",
        Task::Start => "Choosing who starts…",
        Task::Show(_) => "Drawing a sector…",
        Task::ShowMarket => "Dealing new cards to the market…",
        Task::ShowMarked if view.state().is_over() => "Opening the vaults…",
        Task::ShowMarked => "Revealing the contributions…",
        Task::Learn(..) => "Drawing a card…",
        Task::Look { .. } => "Showing a hand…",
        Task::Mix(_) => "Shuffling a hand…",
        _ => "The game is over.",
    }
}
