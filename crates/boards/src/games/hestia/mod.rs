//! The board of The Hestian Civil Wars.
//!
//! | module | concept |
//! | --- | --- |
//! | `faces` | cards and blocks: icons, words, backs |
//! | `keys` | what can be touched, and what an action touches |
//! | `ground` | the painted map, which never changes |
//! | `board` | what stands on it |
//! | `battle` | the bid and the battle |
//! | `report` | a bid, a clash and a year afterwards |
//! | `routes` | marches in one click |
//! | `merit` | the reasons of hints |
//! | `words` | questions, rows, reasons |
//! | `guide` | the guided first game |

mod battle;
mod board;
mod faces;
mod ground;
mod guide;
mod keys;
mod merit;
mod report;
mod routes;
mod texts;
mod words;

use crate::board::{
    ActionRow, Ask, Board, Chapter, EventReport, Hand, Key, Look, Note, PromptButton, SeatPanel, Steps,
};
use crate::card::{CardSize, twin};
use crate::guide::Guide;
use crate::icons::ic;
use crate::markup::{El, b, div, el, span};
use crate::ui::Ui;
use pentarchy_engine::{AppliedEvent, Game, Position, Seat};
use pentarchy_hestia::state::hand;
use pentarchy_hestia::{Action, DecisionKind, Hestia};

type View = Position<Hestia>;

impl Board for Hestia {
    const LOOK: Look = Look {
        emblem: "fire-bowl",
        pitch: "Two armies, hidden blocks, fourteen city-states to win.",
        cover: include_str!("cover.svg"),
        colours: [1, 6, 3, 4, 5, 2],
        counts: "city-states won",
        parts: &["City-states", "Inactive tokens"],
    };

    const GUIDE: Guide<Self> = guide::GUIDE;

    /// Draws the map with tokens, blocks and buttons, zoomable and opened around the home of `ui.seat`, and over it
    /// the bid while it goes on.
    fn draw(view: &View, ui: &Ui) -> El {
        board::draw(view, ui)
    }

    /// Draws the cards of `ui.seat`'s hand; `None` for a spectator, no cards for an empty hand. Equal cards share the
    /// key of the first; unknown ones are backs. In decisions about cards (bid, addition, payment, replacement,
    /// discard and clash) those that cannot be clicked are greyed for the player who decides.
    fn hand(view: &View, ui: &Ui) -> Option<Hand> {
        let seat = ui.seat?;
        let state = view.state();
        let usable = matches!(
            state.decision_kind(),
            DecisionKind::Bid
                | DecisionKind::Add
                | DecisionKind::Pay
                | DecisionKind::Swap
                | DecisionKind::Halve(_)
                | DecisionKind::Clash
        );
        let cards = state.tokens().iter(hand(seat)).map(|t| {
            let key = keys::first_twin(view, t);
            let drawn = faces::card(view, ui, t, key.to_string(), CardSize::L, usable);
            if t == key { drawn } else { twin(drawn) }
        });
        Some(Hand { label: "".into(), note: "".into(), cards: cards.collect(), beside: None })
    }

    /// Returns the city-states won, with the side's name, the tokens left and the number of cards. `doing` is what
    /// the current decision is about, whichever seat decides. No seat is ever out.
    fn seat(view: &View, seat: Seat) -> SeatPanel {
        let state = view.state();
        SeatPanel {
            number: state.active_count(seat).to_string(),
            small: vec![
                (Hestia::side_name(seat).into(), String::new()),
                ("tokens left".into(), state.tokens_left(seat).to_string()),
                ("cards".into(), state.tokens().len(hand(seat)).to_string()),
            ],
            doing: words::doing(view),
            out: false,
            more: None,
        }
    }

    /// Returns `Year 2 of 5`, or `Year 2` while the last year is open, and the steps Bid, Movement, Combat and
    /// Influence. Discarding half of a hand counts as Bid, chance outside bid and combat as Influence, all the rest
    /// as Movement.
    fn steps(view: &View) -> Steps {
        let state = view.state();
        let round = match state.last_year() {
            Some(last) => format!("Year {} of {last}", state.year()),
            None => format!("Year {}", state.year()),
        };
        let at = match state.decision_kind() {
            _ if state.is_bidding() => 0,
            DecisionKind::Halve(_) => 0,
            _ if state.is_fighting() => 2,
            DecisionKind::Nature => 3,
            _ => 1,
        };
        Steps { round, names: &["Bid", "Movement", "Combat", "Influence"], at }
    }

    /// Appends the key that a player clicks for the action: of its card, block, place, rally or influence
    /// token. At most one; nothing for actions that have only a button. Not checked: whether the action is
    /// legal.
    fn touches(view: &View, action: Action, path: &mut Vec<Key>) {
        keys::touches(view, action, path);
    }

    /// Returns the sequences of actions that one click stands for: while an army is formed or marches, those
    /// that send it to a place within reach, also to place a token there; on the march also those that stop
    /// it and give the next order. Empty at other decisions, and if no seat decides.
    fn routes(view: &View) -> Vec<Vec<Action>> {
        routes::routes(view)
    }

    /// Returns whether the action needs no confirmation: choosing and forming armies, rallies, tokens, cards
    /// that are paid, replaced, discarded or added, losses, the choice of a battle, marches to a place
    /// without enemy land units, and all but the last step of the enemy's retreat. `false` if no seat
    /// decides.
    fn quick(view: &View, action: Action) -> bool {
        words::quick(view, action)
    }

    /// Returns whether the action is a bid (`Bid`) or a sealed choice of a clash (`Clash`, or `Hold` without
    /// cards): what both sides have chosen is turned up when both have chosen. Does not look at the position,
    /// so also true for the side that chooses last. False for all other actions.
    fn reveals_later(_view: &View, action: Action) -> bool {
        matches!(action, Action::Bid(_) | Action::Clash(..) | Action::Hold(_))
    }

    /// Returns whether a battle goes on and the seat that decides is not the one whose turn it is, so that it answers
    /// an attack. False if no seat decides.
    fn reacts(view: &View) -> bool {
        view.state().fought().is_some() && view.actor().is_some_and(|seat| seat != view.state().mover())
    }

    /// Describes what the action achieves for the deciding seat, in one sentence with numbers. `None` if no
    /// seat decides, for most cards and blocks that the observer does not know, if the army or battle of the
    /// action is missing, and for being done outside of additions and the replacement of cards. Not checked:
    /// whether the action is legal.
    fn merit(view: &View, action: Action) -> Option<String> {
        merit::merit(view, action)
    }

    /// Returns the question for marches, tokens, blocks left behind, cards that are played or spent, rallies and
    /// retreats, with its consequence. `None` if no seat decides, and for other actions.
    fn ask(view: &View, action: Action) -> Option<Ask> {
        words::ask(view, action)
    }

    /// Returns a prompt that also offers to send the army to a place, if the sentence is the prompt of the
    /// observer who forms an army now and a place is within reach. Returns any other sentence unchanged.
    fn worded(view: &View, sentence: String) -> String {
        words::worded(view, sentence)
    }

    /// Returns the primary button `Place token` for placing a token; `None` for other actions.
    fn button(_view: &View, action: Action) -> Option<PromptButton> {
        let label = "Place token".to_string();
        (action == Action::Influence).then_some(PromptButton { label, primary: true, narrow_only: false })
    }

    /// Returns icon, label and value of an action in the list: the value of a card, the strength of a block,
    /// the number of blocks of an army, or of enemies at a place. Actions without a card, block or place have
    /// only an icon, so that the list shows their full label. Empty if no seat decides.
    fn row(view: &View, action: Action) -> ActionRow {
        words::row(view, action)
    }

    /// Explains why a card cannot be used now by the deciding seat (it cannot be added, or comes later), a place
    /// cannot be the goal of the march, or own blocks there cannot get an order. `None` for other keys and decisions.
    /// Not checked: whether the piece can in fact be used.
    fn why_not(view: &View, key: &str) -> Option<String> {
        words::why_not(view, key)
    }

    /// Returns the note about a card or block that the observer knows, about the influence token, or about the tokens
    /// and blocks in a place. `None` for other keys.
    fn explain(view: &View, key: &str) -> Option<Note> {
        words::explain(view, key)
    }

    /// Returns `Begins` when a battle starts and `GoesOn("3 to 1")`, attacker first, when a clash is decided;
    /// otherwise `None`.
    fn chapter(event: &AppliedEvent<'_, Self>) -> Option<Chapter> {
        battle::chapter(event)
    }

    /// Draws the legend of the map: the same `Some` in every position.
    fn rail(_view: &View, _ui: &Ui) -> Option<El> {
        Some(
            div("legend1")
                .kid(b("Map"))
                .kid(div("").kid(span("lg rv")).text(" River: ends the march"))
                .kid(div("").kid(span("lg mt").text("▲")).text(" Mountains: no way through"))
                .kid(div("").kid(ic("anchor")).text(" Port: armies embark here"))
                .kid(div("").kid(ic("greek-temple")).text(" Active token: city-state won"))
                .kid(el("div").kid(span("lg dash").text("–")).text(" Inactive token")),
        )
    }

    /// Draws the battle over the map: cards, dice and blocks of both sides, and its past clashes from `ui.story`.
    /// `None` without a battle, and while the retreat of a side is chosen on the map.
    fn dialog(view: &View, ui: &Ui) -> Option<El> {
        battle::dialog(view, ui)
    }

    /// Builds the report of a decided bid, a clash, or the end of a year: a dialog for players (that of a bid
    /// closes by itself), a note for spectators. `None` for other events, and for those without a log
    /// sentence.
    fn report(event: &AppliedEvent<'_, Self>, ui: &Ui) -> Option<EventReport> {
        report::report(event, ui)
    }

    /// Returns the number of city-states that the seat has won: its active tokens.
    fn score(view: &View, seat: Seat) -> i32 {
        view.state().active_count(seat).into()
    }

    /// Returns the numbers of active and of inactive tokens of the seat on the map.
    fn parts(view: &View, seat: Seat) -> Vec<String> {
        let count = view.state().token_count(seat);
        vec![count.active.to_string(), count.inactive.to_string()]
    }

    const EXPLAINS_TIES: bool = true;

    /// Explains how many city-states each side has won, and what broke a tie; seats are written `@0`. `None` before
    /// the end.
    fn verdict(view: &View) -> Option<String> {
        view.state().end_text()
    }
}
