//! The guided first turn of a game without a guide of its own.

use crate::board::Board;
use crate::guide::{Deal, Guide, GuideStep, Shows, best_of_all};
use pentarchy_engine::{Node, Position, Seat};

impl<G: Board> Guide<G> {
    /// The guide of the first turn: the game's lesson ([`Describe::LESSON`]), the parts of the page, and the best-rated
    /// move. It uses the default number of seats and the default options.
    ///
    /// [`Describe::LESSON`]: pentarchy_engine::Describe::LESSON
    pub const FIRST_TURN: Self = Guide {
        deal: Deal {
            seats: G::INFO.default_seats,
            seed: 1,
            options: || serde_json::json!({}),
            bots: "recruit",
        },
        steps: &[
            GuideStep { text: G::LESSON[0], when: is_deciding, shows: Shows::Part("board") },
            GuideStep { text: G::LESSON[1], when: is_deciding, shows: Shows::Part("board") },
            GuideStep { text: G::LESSON[2], when: is_deciding, shows: Shows::Part("prompt") },
            GuideStep {
                text: "These are the players. The framed one has to decide.",
                when: is_deciding,
                shows: Shows::Part("seats"),
            },
            GuideStep {
                text: "This list has everything that you can do now.",
                when: is_deciding,
                shows: Shows::Part("list"),
            },
            GuideStep {
                text: "The log says what has happened. Choose a line to look back.",
                when: is_deciding,
                shows: Shows::Part("log"),
            },
            GuideStep {
                text: "Your move. What is highlighted is a good choice.",
                when: is_deciding,
                shows: Shows::Move(best_of_all),
            },
        ],
        otherwise: "Your move. The highlighted one is a good choice.",
        fallback: best_of_all,
        farewell: "You know how to play. The hint recommends a move at any time; the rules say the rest.",
    };
}

/// Returns whether the learner (`me`) decides now: the condition of all steps of this guide.
fn is_deciding<G: Board>(view: &Position<G>, me: Seat) -> bool {
    view.node() == Node::Decide(me)
}
