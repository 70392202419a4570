//! The board of Ozymandias.
//!
//! | module | concept |
//! | --- | --- |
//! | `faces` | the cards: icon, words, colours of the factions |
//! | `keys` | what can be touched, and what an action touches |
//! | `sky` | the map and the night behind it |
//! | `table` | track, market, tableaus, crisis |
//! | `words` | questions, rows, reasons |
//! | `lesson` | the guided first game |

mod faces;
mod keys;
mod lesson;
mod sky;
mod table;
mod words;

use crate::board::{Ask, Board, Hand, Key, Look, Note, Row, SeatPanel, Steps};
use crate::markup::{El, el};
use crate::ui::Ui;
use pentarchy_engine::describe::who;
use pentarchy_engine::{Game, Position, Seat};
use pentarchy_ozymandias::state::{hand, vault};
use pentarchy_ozymandias::{Act, Moment, Ozymandias};

type View = Position<Ozymandias>;

impl Board for Ozymandias {
    const LOOK: Look = Look {
        emblem: "pharoah",
        minutes: 45,
        pitch: "Gods above four factions. Raise one, then bury it in your vault.",
        colours: [1, 2, 3, 5, 4, 6],
        counts: "influence",
        parts: &["Influence", "Vault"],
        lesson: lesson::LESSON,
    };

    fn draw(view: &View, ui: &Ui) -> El {
        table::draw(view, ui)
    }

    fn hand(view: &View, ui: &Ui) -> Option<Hand> {
        let seat = ui.seat?;
        Some(Hand {
            label: "".into(),
            note: "".into(),
            cards: table::hand_cards(view, ui, seat),
            beside: table::beside(view, ui, seat),
        })
    }

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

    fn steps(view: &View) -> Steps {
        let state = view.state();
        let round = format!("Turn {}", state.turn() + 1);
        if state.in_crisis().is_some() || matches!(state.moment(), Moment::Prelude | Moment::Sector) {
            let at = match state.moment() {
                Moment::Prelude => 0,
                Moment::Sector => 1,
                Moment::Contribute => 2,
                _ => 3,
            };
            return Steps { round, names: &["Pick up", "Sector", "Contribute", "Outcome"], at };
        }
        let at = match state.moment() {
            Moment::Place | Moment::Build(_) => 1,
            Moment::Effects => 2,
            Moment::Choose(_) => 2,
            Moment::Buy => 3,
            _ if state.working().is_some() => 2,
            _ => 0,
        };
        Steps { round, names: &["Action", "Build", "Effects", "Buy"], at }
    }

    fn touches(_view: &View, action: Act, path: &mut Vec<Key>) {
        keys::touches(action, path);
    }

    fn reacts(view: &View) -> bool {
        view.actor().is_some_and(|seat| seat != view.state().active())
            && matches!(view.state().moment(), Moment::Contribute | Moment::Effects)
    }

    fn passes(_view: &View, action: Act) -> bool {
        action == Act::Pass
    }

    fn ask(view: &View, action: Act) -> Option<Ask> {
        words::ask(view, action)
    }

    fn worded(view: &View, sentence: String) -> String {
        words::places_by_name(view, &sentence)
    }

    fn row(view: &View, action: Act) -> Row {
        words::row(view, action)
    }

    fn why_not(view: &View, key: &str) -> Option<String> {
        words::why_not(view, key)
    }

    fn explain(view: &View, key: &str) -> Option<Note> {
        words::explain(view, key)
    }

    fn rail(_view: &View, _ui: &Ui) -> Option<El> {
        let text = "The large number is influence. Small tiles are face-up tableaus.";
        Some(el("p").class("lbl note1").text(text))
    }

    fn score(view: &View, seat: Seat) -> i32 {
        view.state().score_of(seat)
    }

    fn parts(view: &View, seat: Seat) -> Vec<String> {
        let state = view.state();
        let influence = state.influence(seat);
        vec![influence.to_string(), (state.score_of(seat) - influence).to_string()]
    }

    fn verdict(view: &View) -> Option<String> {
        let winners: Vec<String> = view.outcome()?.winners().map(who).collect();
        let winners = winners.join(" and ");
        let state = view.state();
        Some(match state.bankrupt() {
            Some(seat) => format!("{} had to buy and could not pay; {winners} had the most.", who(seat)),
            None if state.is_ending() => {
                format!("A faction reached the end of history, and {winners} had buried the most.")
            }
            None => format!("The last round is over, and {winners} had the most."),
        })
    }
}
