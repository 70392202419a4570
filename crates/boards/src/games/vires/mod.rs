//! The board of Vires In Numeris: a network of lanes, one for each miner.

mod cards;
mod coin;
mod guide;
mod lanes;
mod merit;
mod middle;
mod words;

use crate::board::{
    ActionRow, Ask, Board, EventReport, Hand, Key, Look, Note, PromptButton, SeatPanel, Steps,
};
use crate::guide::Guide;
use crate::markup::{El, div, el, path};
use crate::ui::Ui;
use pentarchy_engine::{AppliedEvent, Position, Seat};
use pentarchy_vires::{Action, Aim, Phase, Vires};

impl Board for Vires {
    const LOOK: Look = Look {
        emblem: "mesh-network",
        pitch: "Mine blocks, hoard coins, and trust nobody with your hash rate.",
        cover: include_str!("cover.svg"),
        colours: [1, 2, 3, 4, 5, 6],
        counts: "Blocks and Coins",
        parts: &["Blocks", "Coins", "HR (tie-break)"],
    };

    const GUIDE: Guide<Self> = guide::GUIDE;

    fn draw(view: &Position<Self>, ui: &Ui) -> El {
        div("vires").kid(traces()).kid(lanes::draw(view, ui)).kid(middle::draw(view, ui))
    }

    fn hand(view: &Position<Self>, ui: &Ui) -> Option<Hand> {
        Some(cards::hand_of(view, ui.seat?, ui))
    }

    fn seat(view: &Position<Self>, seat: Seat) -> SeatPanel {
        let game = view.state();
        SeatPanel {
            number: game.score(seat).to_string(),
            small: Vec::new(),
            doing: words::doing(game, seat),
            out: false,
            more: None,
        }
    }

    fn steps(view: &Position<Self>) -> Steps {
        let game = view.state();
        let at = match game.turn_phase() {
            Phase::Draw => 0,
            Phase::Main | Phase::Reaction => 1,
            Phase::End | Phase::Over => 2,
        };
        Steps { round: format!("Round {}", game.round()), names: &["Draw", "Play", "End"], at }
    }

    fn touches(_view: &Position<Self>, action: Action, path: &mut Vec<Key>) {
        match action {
            Action::Mine => path.push("mine".to_string()),
            Action::Play { card, aim, .. } => {
                path.push(card.to_string());
                if let Aim::At(seat) = aim {
                    path.push(lanes::key(seat));
                }
            }
            Action::React { card, party } => {
                path.push(card.to_string());
                path.extend(party.map(lanes::key));
            }
            // A card that can be played is discarded by way of the Garbage.
            Action::Dismiss(card) => path.extend([middle::GARBAGE_KEY.to_string(), card.to_string()]),
            Action::Offer(card) | Action::Show(card) => path.push(card.to_string()),
            Action::End
            | Action::Done
            | Action::Pass
            | Action::Choose(_)
            | Action::Vote(_)
            | Action::Kyc { .. }
            | Action::Rest => {}
        }
    }

    fn quick(_view: &Position<Self>, action: Action) -> bool {
        // Nobody clicks these by accident: what they cost is written where they are clicked.
        matches!(
            action,
            Action::Mine | Action::React { .. } | Action::Dismiss(_) | Action::Offer(_) | Action::Show(_)
        )
    }

    /// Returns whether an action only selects: ending the main phase and ending the turn (or discarding) is one
    /// gesture.
    fn selects(view: &Position<Self>, action: Action) -> bool {
        action == Action::End && view.state().cards(view.state().active()) > 0
    }

    /// Returns the key that counts as selected: in the end phase a click on a card discards it.
    fn preselect(view: &Position<Self>, _last: Option<&str>) -> Option<Key> {
        (view.state().phase() == Phase::End).then(|| middle::GARBAGE_KEY.to_string())
    }

    fn narrowed(view: &Position<Self>, ui: &Ui) -> Option<Ask> {
        words::narrowed(view, ui)
    }

    fn report(event: &AppliedEvent<'_, Self>, ui: &Ui) -> Option<EventReport> {
        coin::report(event, ui)
    }

    fn reacts(view: &Position<Self>) -> bool {
        view.state().phase() == Phase::Reaction
    }

    /// Draws, votes and other answers belong to the turn of the active player.
    fn turn(view: &Position<Self>) -> Option<Seat> {
        Some(view.state().active())
    }

    fn passes(_view: &Position<Self>, action: Action) -> bool {
        action == Action::Pass
    }

    fn merit(view: &Position<Self>, action: Action) -> Option<String> {
        merit::merit(view, action)
    }

    fn ask(view: &Position<Self>, action: Action) -> Option<Ask> {
        words::ask(view, action)
    }

    fn button(view: &Position<Self>, action: Action) -> Option<PromptButton> {
        let label = format!("Mine Block {}", view.state().blocks(view.state().active()));
        (action == Action::Mine).then_some(PromptButton { label, primary: true, narrow_only: false })
    }

    fn row(view: &Position<Self>, action: Action) -> ActionRow {
        words::row(view, action)
    }

    fn why_not(view: &Position<Self>, key: &str) -> Option<String> {
        words::why_not(view, key)
    }

    fn explain(view: &Position<Self>, key: &str) -> Option<Note> {
        words::explain(view, key)
    }

    fn rail(view: &Position<Self>, _ui: &Ui) -> Option<El> {
        let blocks = view.state().rules().blocks;
        let says = format!("A Chain of {blocks} Blocks ends the game. Each Block and each Coin is 1 point.");
        Some(el("p").class("lbl railnote").text(says))
    }

    fn score(view: &Position<Self>, seat: Seat) -> i32 {
        i32::from(view.state().score(seat))
    }

    fn parts(view: &Position<Self>, seat: Seat) -> Vec<String> {
        let game = view.state();
        vec![game.blocks(seat).to_string(), game.coins(seat).to_string(), game.open_hr(seat).to_string()]
    }

    fn verdict(view: &Position<Self>) -> Option<String> {
        view.state().ending()
    }
}

/// Draws the circuit traces of the background.
fn traces() -> El {
    const LINES: &str = "M0 520H180l40-40H520l60-60V-10M0 532H210l40-40H544l54-54V-10\
        M0 544H240l40-40H568l48-48V-10M0 556H270l40-40H592l42-42V-10\
        M888 430H700l-30 30V620M888 442H686l-30 30V620M888 454H672l-30 30V620\
        M888 466H658l-30 30V620M888 478H644l-30 30V620";
    let dots = [("180", "520"), ("210", "532"), ("520", "480"), ("700", "430"), ("686", "442")];
    let dot = |(x, y)| el("circle").set("cx", x).set("cy", y).set("r", "5").set("fill", "currentColor");
    el("svg")
        .class("pcb")
        .set("viewBox", "0 0 888 600")
        .set("preserveAspectRatio", "xMidYMid slice")
        .set("aria-hidden", "true")
        .kid(path("", LINES).set("fill", "none").set("stroke", "currentColor").set("stroke-width", "2"))
        .kids(dots.map(dot))
}
