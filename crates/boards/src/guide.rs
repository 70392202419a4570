//! The guided first match: a prepared deal, and steps that follow the position.
//!
//! A step is shown when [`GuideStep::when`] holds, not after a number of clicks. A step either explains something
//! and waits for *Next*, or recommends a move and waits until the player has moved. At a decision without a step,
//! the guide recommends the best-rated move (without ratings, that of a Captain), so a learner always knows what to do.

use crate::board::{Board, Key};
use crate::gesture::{AND, completed};
use crate::pace::auto_move;
use pentarchy_bots::{BotPlayer, Captain};
use pentarchy_engine::{Game, Position, Seat};
use serde_json::Value;

/// The guided first match of one game.
pub struct Guide<G: Board> {
    /// The prepared deal.
    pub deal: Deal,
    /// The steps, in the order in which they may appear.
    pub steps: &'static [GuideStep<G>],
    /// The text of the card at a decision without a step.
    pub otherwise: &'static str,
    /// Returns the move that is recommended there. A move that ends an idle turn ([`Board::idle`]) comes first.
    pub fallback: fn(&Position<G>, Seat) -> Option<G::Action>,
    /// The last card, after all steps.
    pub farewell: &'static str,
}

/// The prepared deal of a guided first match.
#[derive(Clone, Copy)]
pub struct Deal {
    /// Number of seats. The learner has the first one.
    pub seats: u8,
    /// The seed. Bots use it too, so the match is the same each time.
    pub seed: u64,
    /// Options that differ from the defaults, as a JSON object.
    pub options: fn() -> Value,
    /// The level of the bots: `recruit` or `captain`.
    pub bots: &'static str,
}

/// One step of the guide.
pub struct GuideStep<G: Board> {
    /// The text of the card: at most 25 words.
    pub text: &'static str,
    /// Returns whether the step fits the position, in the view of the learner (the second argument).
    pub when: fn(&Position<G>, Seat) -> bool,
    /// What the step points at, and what ends it.
    pub shows: Shows<G>,
}

/// Picks the two actions of a recommended gesture.
pub type PickGesture<G> = fn(&Position<G>, Seat) -> Option<[<G as Game>::Action; 2]>;

/// Lists the gestures that reach a goal, the recommended one first.
pub type ListGestures<G> = fn(&Position<G>, Seat) -> Vec<[<G as Game>::Action; 2]>;

/// What a step of the guide points at, and what ends it.
pub enum Shows<G: Board> {
    /// A part of the page: `prompt`, `hand`, `list`, `seats`, `log`, `board`, `dialog`, or the id of an element of the
    /// board. Ends with *Next*; bots wait until then.
    Part(&'static str),
    /// A piece of the board or the hand. Ends with *Next*; bots wait until then.
    Piece(fn(&Position<G>, Seat) -> Option<Key>),
    /// A recommended move of the learner; not shown if there is none or the learner does not decide. The next click
    /// that leads to it is highlighted. Ends when the learner has moved, whatever the move.
    ///
    /// If the action only selects something, the best-rated action that can follow is recommended with it.
    Move(fn(&Position<G>, Seat) -> Option<G::Action>),
    /// A recommended gesture: an action that selects, and the action that follows; not shown if there is none or the
    /// learner does not decide. Ends when the learner has moved, whatever the move.
    Gesture(PickGesture<G>),
    /// Several gestures that reach a goal; the first is recommended. Ends only when the learner has made one of them;
    /// not shown if there is none or the learner does not decide.
    Goal(ListGestures<G>),
    /// A recommended route ([`Board::routes`]); not shown if it is empty or the learner does not decide. Ends when
    /// the learner has moved, whatever the move.
    Route(fn(&Position<G>, Seat) -> Vec<G::Action>),
}

/// The card that the guide shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GuideCard {
    /// Index of the step, from 0; the number of steps for a card without a step.
    pub step: usize,
    /// The number of steps.
    pub steps: usize,
    /// The text of the card.
    pub text: &'static str,
    /// What is highlighted.
    pub target: GuideTarget,
    /// The moves that end the step. Empty if every move ends it.
    pub goals: Vec<String>,
}

impl GuideCard {
    /// Returns whether this action of the learner, in canonical text, ends the step. Only a step that recommends a
    /// move can be ended so: one with goals only by one of them, any other by whatever the learner plays. Always
    /// false for cards without a step.
    pub fn ends_with(&self, action: &str) -> bool {
        let reached = self.goals.is_empty() || self.goals.iter().any(|goal| goal == action);
        reached && self.step < self.steps && matches!(self.target, GuideTarget::Move(_))
    }
}

/// What the guide highlights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GuideTarget {
    /// A part of the page.
    Part(&'static str),
    /// A piece, by its key; nothing if it is not there.
    Piece(Option<Key>),
    /// A recommended move: the canonical text of the action, or of the actions of a gesture.
    Move(String),
    /// Nothing: the guide is at its end.
    End,
}

impl<G: Board> Guide<G> {
    /// Returns the card for this position: the first step with an index of at least `from` (counted from 0)
    /// that fits. If there is none, a card that recommends a move of the learner (`seat`), or the last card
    /// if `from` is past all steps. `view` must be the learner's view.
    ///
    /// A step fits if [`GuideStep::when`] holds; one that recommends a move must also have a move to
    /// recommend, and the learner must be deciding. Returns `None` if no step fits, `from` is not past all
    /// steps, and the learner does not decide, has no choice, or gets no move from [`Board::idle`] and
    /// [`Guide::fallback`].
    pub fn card(&self, view: &Position<G>, seat: Seat, from: usize) -> Option<GuideCard> {
        let steps = self.steps.len();
        let card = |step: usize, text, target| GuideCard { step, steps, text, target, goals: Vec::new() };
        let decides = view.node() == pentarchy_engine::Node::Decide(seat);
        for (i, step) in self.steps.iter().enumerate().skip(from) {
            if !(step.when)(view, seat) {
                continue;
            }
            let target = match step.shows {
                Shows::Part(part) => GuideTarget::Part(part),
                Shows::Piece(piece) => GuideTarget::Piece(piece(view, seat)),
                Shows::Move(action) => match action(view, seat).filter(|_| decides) {
                    Some(action) => GuideTarget::Move(completed(view, seat, action)),
                    None => continue,
                },
                Shows::Gesture(actions) => match actions(view, seat).filter(|_| decides) {
                    Some(pair) => GuideTarget::Move(join_pair(pair)),
                    None => continue,
                },
                Shows::Goal(list) => {
                    let goals: Vec<String> = list(view, seat).into_iter().map(join_pair).collect();
                    let Some(first) = goals.first().filter(|_| decides) else { continue };
                    let target = GuideTarget::Move(first.clone());
                    return Some(GuideCard { goals, ..card(i, step.text, target) });
                }
                Shows::Route(route) => {
                    let actions: Vec<String> = route(view, seat).iter().map(ToString::to_string).collect();
                    if actions.is_empty() || !decides {
                        continue;
                    }
                    GuideTarget::Move(actions.join(AND))
                }
            };
            return Some(card(i, step.text, target));
        }
        if from >= steps {
            return Some(card(steps, self.farewell, GuideTarget::End));
        }
        // Without a step, the page plays a forced move.
        if !decides || !has_choice(view) {
            return None;
        }
        let action = G::idle(view).or_else(|| (self.fallback)(view, seat))?;
        Some(card(steps, self.otherwise, GuideTarget::Move(completed(view, seat, action))))
    }
}

/// Returns the canonical text of a gesture of two actions, joined by [`AND`].
fn join_pair<A: std::fmt::Display>([first, second]: [A; 2]) -> String {
    format!("{first}{AND}{second}")
}

/// Returns the action that the heuristic rates highest among all legal actions of the seat, the first of
/// equals; in a game without ratings the one that a Captain chooses, always the same. The fallback of most
/// guides. `None` if the seat does not decide, or its legal actions are not known in `view`.
pub fn best_of_all<G: Board>(view: &Position<G>, seat: Seat) -> Option<G::Action> {
    best(view, seat, |_| true)
}

/// Returns whether the awaited seat has a choice that the page does not make itself ([`auto_move`]). `view` must be
/// that seat's view; false if its legal actions are not known in it.
fn has_choice<G: Board>(view: &Position<G>) -> bool {
    let mut list = Vec::new();
    view.legal(&mut list).is_ok() && auto_move(view, &list).is_none()
}

/// Returns the action that the heuristic rates highest among the legal actions of the seat that `fits`
/// accepts; the first of equals. In a game without ratings, the action after which random games end best, as
/// a Captain chooses it; the same each time. `None` if the seat has no decision, its legal actions are not
/// known in `view`, or `fits` accepts none.
pub fn best<G: Board>(
    view: &Position<G>,
    seat: Seat,
    fits: impl Fn(&G::Action) -> bool,
) -> Option<G::Action> {
    best_fitting(view, seat, &fits)
}

/// Returns the action that the heuristic rates highest among the legal actions of the seat that `fits` accepts, the
/// first of equals; in a game without ratings the one that a Captain chooses. `None` if the seat does not decide,
/// its legal actions are not known in `view`, or `fits` accepts none. `fits` is an object, so that this is compiled
/// once per game and not per closure.
fn best_fitting<G: Board>(
    view: &Position<G>,
    seat: Seat,
    fits: &dyn Fn(&G::Action) -> bool,
) -> Option<G::Action> {
    if view.node() != pentarchy_engine::Node::Decide(seat) {
        return None;
    }
    let (mut list, mut rates) = (Vec::new(), Vec::new());
    view.legal(&mut list).ok()?;
    view.state().rate(&view.own(seat), &list, &mut rates);
    if rates.is_empty() {
        list.retain(fits);
        let chosen = Captain::new(0).choose(view, &list);
        return list.get(chosen).copied();
    }
    let rated = list.into_iter().zip(rates).filter(|(action, _)| fits(action));
    // Of equally rated actions, the first.
    rated.reduce(|a, b| if b.1 > a.1 { b } else { a }).map(|(action, _)| action)
}
