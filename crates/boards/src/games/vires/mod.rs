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
        parts: &["Blocks", "Coins", "HR (tie‑break)"],
    };

    const GUIDE: Guide<Self> = guide::GUIDE;

    /// Draws the lanes of the players, below them the Deck, the Pool, the current card and the Garbage, over a
    /// background.
    fn draw(view: &Position<Self>, ui: &Ui) -> El {
        div("vires").kid(traces()).kid(lanes::draw(view, ui)).kid(middle::draw(view, ui))
    }

    /// Draws the hand of `ui.seat` as piles of equal cards, with the number of HR and the cost of the next
    /// Block; unknown cards are backs at the end. `None` for a spectator.
    fn hand(view: &Position<Self>, ui: &Ui) -> Option<Hand> {
        Some(cards::hand_of(view, ui.seat?, ui))
    }

    /// Returns the points of the seat. `doing` is what an awaited seat does in this phase, empty after the end; not
    /// checked: whether this seat is awaited. There are no small numbers, and no seat is ever out.
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

    /// Returns `Round 3` and the steps Draw, Play and End. Reactions belong to Play; after the end the step is End.
    fn steps(view: &Position<Self>) -> Steps {
        let game = view.state();
        let at = match game.turn_phase() {
            Phase::Draw => 0,
            Phase::Main | Phase::Reaction => 1,
            Phase::End | Phase::Over => 2,
        };
        Steps { round: format!("Round {}", game.round()), names: &["Draw", "Play", "End"], at }
    }

    /// Appends the card that is played, offered, shown or used as a reaction and, if it has one, the lane of its
    /// target; for a discard the Garbage and then the card; `mine` for mining. Nothing for other actions.
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

    /// Returns whether the action needs no confirmation: it mines, reacts, discards, offers or shows a card, and its
    /// cost is written where it is clicked.
    fn quick(_view: &Position<Self>, action: Action) -> bool {
        // Nobody clicks these by accident: what they cost is written where they are clicked.
        matches!(
            action,
            Action::Mine | Action::React { .. } | Action::Dismiss(_) | Action::Offer(_) | Action::Show(_)
        )
    }

    /// Returns whether the action ends the main phase while the active player has cards in hand: ending the phase and
    /// what follows (ending the turn, or discarding) are then one gesture.
    fn selects(view: &Position<Self>, action: Action) -> bool {
        action == Action::End && view.state().cards(view.state().active()) > 0
    }

    /// Returns the key of the Garbage in the end phase, where a click on a card discards it; otherwise `None`.
    /// Ignores `_last`.
    fn preselect(view: &Position<Self>, _last: Option<&str>) -> Option<Key> {
        (view.state().phase() == Phase::End).then(|| middle::GARBAGE_KEY.to_string())
    }

    /// Returns the prompt after a click on the Garbage or on a card that needs a player as its target; otherwise
    /// `None`.
    fn narrowed(view: &Position<Self>, ui: &Ui) -> Option<Ask> {
        words::narrowed(view, ui)
    }

    /// Builds the report of a coin flip, also of one that STRONG or WEAK decided: a dialog for its two
    /// players, a note for others. `None` for other events, and for those without a log sentence.
    fn report(event: &AppliedEvent<'_, Self>, ui: &Ui) -> Option<EventReport> {
        coin::report(event, ui)
    }

    /// Returns whether a reaction is awaited: a seat may answer a card, a loss or a coin flip with a Flash card, or
    /// pass.
    fn reacts(view: &Position<Self>) -> bool {
        view.state().phase() == Phase::Reaction
    }

    /// Returns the active player: draws, votes and other answers belong to their turn. Never `None`.
    fn turn(view: &Position<Self>) -> Option<Seat> {
        Some(view.state().active())
    }

    /// Returns whether the action is `Pass`, which declines a reaction.
    fn passes(_view: &Position<Self>, action: Action) -> bool {
        action == Action::Pass
    }

    /// Describes what the action achieves for the deciding seat, in one sentence; seats are written `@0`.
    /// `None` if no seat decides, for forced actions (sealed votes, shown HR, *Done* outside of the end
    /// phase), and if the observer does not know the card, except for a reaction that names a player. Not
    /// checked: whether the action is legal.
    fn merit(view: &Position<Self>, action: Action) -> Option<String> {
        merit::merit(view, action)
    }

    /// Returns the question for mining, playing, reacting, discarding and offering, with its consequence; seats are
    /// written `@0`. `None` for other actions, or if the observer does not know the card.
    fn ask(view: &Position<Self>, action: Action) -> Option<Ask> {
        words::ask(view, action)
    }

    /// Returns the primary button of the prompt for mining, such as `Mine Block 3` with the number of the active
    /// player's next Block; `None` for other actions.
    fn button(view: &Position<Self>, action: Action) -> Option<PromptButton> {
        let label = format!("Mine Block {}", view.state().blocks(view.state().active()));
        (action == Action::Mine).then_some(PromptButton { label, primary: true, narrow_only: false })
    }

    /// Returns the icon of the card or action, its short label, and a cost or price as its value. Actions
    /// without a card have only an icon, so that the list shows their full label. Empty if the observer does
    /// not know the card, and for the declaration that no HR is left.
    fn row(view: &Position<Self>, action: Action) -> ActionRow {
        words::row(view, action)
    }

    /// Explains why mining (`mine`) is not possible now, or why a known card of a hand cannot be played: its
    /// kind, the phase, its price, or what is missing. `None` for other keys, cards that the observer does
    /// not know, and cards in no hand. Not checked: whether it can in fact be used.
    fn why_not(view: &Position<Self>, key: &str) -> Option<String> {
        words::why_not(view, key)
    }

    /// Returns the note about mining (`mine`), a player (`seat 0`), the Garbage or a card that the observer knows;
    /// `None` for other keys.
    fn explain(view: &Position<Self>, key: &str) -> Option<Note> {
        words::explain(view, key)
    }

    /// Draws a line with the length of the Chain that ends the game and what counts: `Some` in every position.
    fn rail(view: &Position<Self>, _ui: &Ui) -> Option<El> {
        let blocks = view.state().rules().blocks;
        let says = format!("A Chain of {blocks} Blocks ends the game. Each Block and each Coin is 1 point.");
        Some(el("p").class("lbl railnote").text(says))
    }

    /// Returns the points of the seat: its Blocks and Coins together.
    fn score(view: &Position<Self>, seat: Seat) -> i32 {
        i32::from(view.state().score(seat))
    }

    /// Returns the numbers of Blocks and Coins of the seat, and of its HR that all know, which break ties.
    fn parts(view: &Position<Self>, seat: Seat) -> Vec<String> {
        let game = view.state();
        vec![game.blocks(seat).to_string(), game.coins(seat).to_string(), game.open_hr(seat).to_string()]
    }

    const EXPLAINS_TIES: bool = true;

    /// Explains who won, with how many points and by which tie-break; seats are written `@0`. `None` before the end.
    fn verdict(view: &Position<Self>) -> Option<String> {
        view.state().end_text()
    }
}

/// Draws the circuit traces of the background, the same in every position and hidden from screen readers.
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
