//! The board of Ozymandias.
//!
//! | module | concept |
//! | --- | --- |
//! | `faces` | the cards: icon, words, colours of the factions |
//! | `keys` | what can be touched, and what an action touches |
//! | `sky` | the map and the night behind it |
//! | `table` | track, market, tableaus |
//! | `crisis` | the crisis panel: steps, strengths, verdict, bankruptcy |
//! | `report` | the report of a decided crisis |
//! | `merit` | the reasons of hints |
//! | `words` | questions, rows, reasons |
//! | `guide` | the guided first game |

mod crisis;
mod faces;
mod guide;
mod keys;
mod merit;
mod report;
mod sky;
mod table;
mod texts;
mod words;

use crate::board::{ActionRow, Ask, Board, EventReport, Hand, Key, Look, Note, SeatPanel, Steps};
use crate::guide::Guide;
use crate::markup::{El, el};
use crate::ui::Ui;
use pentarchy_engine::{AppliedEvent, Game, Position, Seat};
use pentarchy_ozymandias::cards::Myth;
use pentarchy_ozymandias::state::{hand, vault};
use pentarchy_ozymandias::{Action, DecisionKind, Ozymandias, Target};

type View = Position<Ozymandias>;

impl Board for Ozymandias {
    const LOOK: Look = Look {
        emblem: "pharoah",
        pitch: "You are gods above four factions. Raise a faction, and keep its cards in your vault.",
        cover: include_str!("cover.svg"),
        colours: [1, 2, 3, 5, 4, 6],
        counts: "influence",
        parts: &["Influence", "Vault"],
    };

    const GUIDE: Guide<Self> = guide::GUIDE;

    /// Draws the track with the values of the factions, the map of sectors and cities, and beside it the market or,
    /// in a crisis, its panel.
    fn draw(view: &View, ui: &Ui) -> El {
        table::draw(view, ui)
    }

    /// Draws the cards of `ui.seat`'s hand, with its tableau and vault beside them; `None` for a spectator. Cards
    /// that the observer does not know are backs. An empty hand has no cards.
    fn hand(view: &View, ui: &Ui) -> Option<Hand> {
        let seat = ui.seat?;
        Some(Hand {
            label: "".into(),
            note: "".into(),
            cards: table::hand_cards(view, ui, seat),
            beside: table::beside(view, ui, seat),
        })
    }

    /// Returns the influence of the seat, the sizes of its hand and vault, and its tableau as tiles. `doing` is what
    /// the current decision is about, whichever seat decides. No seat is ever out.
    fn seat(view: &View, seat: Seat) -> SeatPanel {
        let state = view.state();
        let tokens = state.tokens();
        SeatPanel {
            number: state.influence(seat).to_string(),
            small: vec![
                ("hand".into(), tokens.len(hand(seat)).to_string()),
                ("vault".into(), tokens.len(vault(seat)).to_string()),
            ],
            doing: words::doing(view, seat),
            out: false,
            more: table::tiles(view, seat),
        }
    }

    /// Returns `Turn 3`, with the steps Action, Place, Effects and Buy; in a crisis with Action, Crisis and Buy. A
    /// decision of no other step counts as Action.
    fn steps(view: &View) -> Steps {
        let state = view.state();
        let round = format!("Turn {}", state.turn() + 1);
        if state.in_crisis().is_some()
            || matches!(state.decision_kind(), DecisionKind::Prelude | DecisionKind::Sector)
        {
            return Steps { round, names: &["Action", "Crisis", "Buy"], at: 1 };
        }
        let at = match state.decision_kind() {
            DecisionKind::Place | DecisionKind::Build(_) => 1,
            DecisionKind::Effects => 2,
            DecisionKind::Choose(_) => 2,
            DecisionKind::Buy => 3,
            _ if state.working().is_some() => 2,
            _ => 0,
        };
        Steps { round, names: &["Action", "Place", "Effects", "Buy"], at }
    }

    /// Appends the key that a player clicks for the action: of its card, hex, corner, faction, player or the
    /// deck. At most one; nothing for actions that have only a button. Not checked: whether the action is
    /// legal.
    fn touches(_view: &View, action: Action, path: &mut Vec<Key>) {
        keys::touches(action, path);
    }

    /// Returns whether the action needs no confirmation: expanding, building, taking a card back, using an effect
    /// that reveals nothing, choosing a corner, sector or faction.
    fn quick(view: &View, action: Action) -> bool {
        match action {
            // Selling reveals a sector, drawing a card: these cannot be undone.
            Action::Expand(_) | Action::Build(_) | Action::Pickup(_) => true,
            Action::Activate(t) => {
                !matches!(faces::myth(view, t), Some(Myth::ZeleResearchLabs | Myth::SpymasterHuryThezal))
            }
            Action::Choose(Target::Corner(_) | Target::Faction(_) | Target::Sector(_)) => true,
            _ => false,
        }
    }

    /// Returns `Explore or expand with Thera?` after a card was selected for the action of the turn; otherwise
    /// `None`.
    fn next(view: &View, chosen: &[Key]) -> Option<String> {
        words::next(view, chosen)
    }

    /// Returns `Pass` instead of a contribution that risks bankruptcy, if passing is safe; otherwise `None`.
    fn safer(view: &View, action: Action) -> Option<Action> {
        words::safer(view, action)
    }

    /// Returns the active player, also while others contribute or choose. Never `None`.
    fn turn(view: &View) -> Option<Seat> {
        Some(view.state().active())
    }

    /// Returns whether a seat contributes to a crisis or uses effects of its tableau in the turn of another seat.
    /// False if no seat decides.
    fn reacts(view: &View) -> bool {
        view.actor().is_some_and(|seat| seat != view.state().active())
            && matches!(view.state().decision_kind(), DecisionKind::Contribute | DecisionKind::Effects)
    }

    /// Returns whether the action is `Pass`, which contributes no card to a crisis.
    fn passes(_view: &View, action: Action) -> bool {
        action == Action::Pass
    }

    /// Describes what the action achieves for the deciding seat, in one sentence with numbers; seats are
    /// written `@0`. `None` if no seat decides, for expanding with, taking back or contributing a card that
    /// the observer does not know, for actions outside their step, and for a sector without a known hand
    /// card. Not checked: whether the action is legal.
    fn merit(view: &View, action: Action) -> Option<String> {
        merit::merit(view, action)
    }

    /// Returns the question for an action, with its consequence in numbers; seats are written `@0`. `None` if
    /// no seat decides, for passing, finishing, withdrawing and taking back all cards, for an expansion with
    /// a card that the observer does not know, and for a city outside its decision.
    fn ask(view: &View, action: Action) -> Option<Ask> {
        words::ask(view, action)
    }

    /// Returns the icon of the card or place, its short label, and a price, strength, gain or number of
    /// cities. Actions without a card, place or target have only an icon, so that the list shows their full
    /// label. A card that the observer does not know has no icon.
    fn row(view: &View, action: Action) -> ActionRow {
        words::row(view, action)
    }

    /// Explains why a card or the deck cannot be used now by the deciding seat: too expensive, bought at another
    /// time, or its faction, kind or place does not fit. `None` for other keys, or without a known reason. Not
    /// checked: whether it can in fact be used.
    fn why_not(view: &View, key: &str) -> Option<String> {
        words::why_not(view, key)
    }

    /// Returns the note about a card, sector, stack, faction or the deck; `None` for other keys, cards that
    /// the observer does not know, hexes without a sector and corners without a stack.
    fn explain(view: &View, key: &str) -> Option<Note> {
        words::explain(view, key)
    }

    /// Draws a line that explains the numbers of the seats: the same `Some` in every position.
    fn rail(_view: &View, _ui: &Ui) -> Option<El> {
        let text = "Large number: influence, both money and points. Small tiles: tableau cards.";
        Some(el("p").class("lbl note1").text(text))
    }

    /// Returns the influence of the seat plus the worth of its vault.
    fn score(view: &View, seat: Seat) -> i32 {
        view.state().score_of(seat)
    }

    /// Returns the influence of the seat and the worth of its vault.
    fn parts(view: &View, seat: Seat) -> Vec<String> {
        let state = view.state();
        let influence = state.influence(seat);
        vec![influence.to_string(), (state.score_of(seat) - influence).to_string()]
    }

    /// Builds the report of a decided crisis: a dialog for players who contributed or must buy next, a note for
    /// others. `None` for other events.
    fn report(event: &AppliedEvent<'_, Self>, ui: &Ui) -> Option<EventReport> {
        report::report(event, ui)
    }

    /// Explains who went bankrupt, which factions reached the end of the track, or that the last round is over, and
    /// who wins with how many points; seats are written `@0`. `None` before the end.
    fn verdict(view: &View) -> Option<String> {
        view.state().end_text()
    }
}
