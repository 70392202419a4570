//! The default encoder: it plays random games and gives a number to everything that changes in them.

use super::actions::visit_action;
use super::survey::{Plan, PlanWriter, ROOT, Survey};
use super::tokens::{TokenPlan, TokenSurvey};
use super::walk::visit_value;
use super::{Encoder, EncodingNames, EncodingSize, Exploration};
use crate::game::Game;
use crate::options::{self, OptionKind, Options};
use crate::position::Position;
use crate::seat::Seat;
use serde_json::Value;
use std::marker::PhantomData;

/// A number of the state with at most this number of values is written one-hot.
const FEW_IN_STATE: usize = 8;
/// A number of an action with at most this number of values is written one-hot.
const FEW_IN_ACTION: usize = 128;

/// Encodes any game from its parts:
///
/// - the seat itself and the seat to act, one-hot;
/// - the options for players (not the tuning numbers), which are constant;
/// - for each zone in use, the number of tokens, of those that the seat knows, of public ones, and how often
///   it knows each face there;
/// - the public state, as it is serialised: every number that changed in the explored games. Numbers of at
///   most 8 values are one-hot, others are scaled by a power of two; large ones also have their binary
///   digits, since they may be bit sets. A list has its length, its entries from the start, and its last one;
/// - for an action, the numbers in it, and the face (if the seat knows it) and zone of each token that it
///   names.
///
/// The public state never holds a hidden face, and the faces of tokens are read through the view of the seat.
pub struct ExploredEncoder<G: Game> {
    /// The values of the options.
    options: Vec<f32>,
    /// Number of seats.
    seats: usize,
    /// How tokens are written.
    tokens: TokenPlan,
    /// How the public state is written.
    state: Plan,
    /// How the numbers of an action are written.
    action: Plan,
    /// The lengths of the vectors.
    size: EncodingSize,
    /// Numbers of an action before those of its tokens.
    plain: usize,
    /// The names of the numbers.
    names: EncodingNames,
    game: PhantomData<fn() -> G>,
}

impl<G: Game> ExploredEncoder<G> {
    /// Creates an encoder: plays random games with a fixed seed from `start`, the simulator's initial
    /// position with these options, and gives a number to everything that changed in them. `exploration`
    /// limits these games. `most_actions` is an upper bound of the length of a legal list; for 0 the longest
    /// one of the exploration plus half of it is taken. Equal arguments give equal encoders.
    pub fn new(
        start: &Position<G>,
        options: &G::Options,
        exploration: Exploration,
        most_actions: usize,
    ) -> Self {
        let (mut states, mut actions) = (Survey::new(FEW_IN_STATE), Survey::new(FEW_IN_ACTION));
        let (mut tokens, mut longest) = (TokenSurvey::new::<G>(), 1);
        exploration.play(start, |game, position, list| {
            states.game = game;
            visit_value(position.state(), ROOT, &mut states);
            tokens.mark_seen(position);
            for &action in list {
                let named = visit_action::<G>(action, &mut actions);
                tokens.named = tokens.named.max(named.count);
            }
            longest = longest.max(list.len());
        });

        let seats = usize::from(start.seats());
        let mut names = EncodingNames { observation: Vec::new(), action: Vec::new() };
        names.observation.extend((0..seats).map(|seat| format!("own seat = {seat}")));
        names.observation.extend((0..seats).map(|seat| format!("seat to act = {seat}")));
        let options = encode_options(options, &mut names.observation);
        let named = tokens.named;
        let tokens = tokens.plan::<G>(names.observation.len(), &mut names.observation);
        let state = states.plan(names.observation.len(), &mut names.observation);
        let action = actions.plan(0, &mut names.action);
        let plain = names.action.len();
        (0..named).for_each(|nth| tokens.name_token::<G>(nth, &mut names.action));
        let size = EncodingSize {
            observation: names.observation.len(),
            action: names.action.len(),
            actions: if most_actions > 0 { most_actions } else { longest + longest / 2 },
        };
        ExploredEncoder { options, seats, tokens, state, action, size, plain, names, game: PhantomData }
    }
}

impl<G: Game> Encoder<G> for ExploredEncoder<G> {
    /// Returns the lengths that the exploration has fixed.
    fn size(&self) -> EncodingSize {
        self.size
    }

    /// Returns the names that the exploration has fixed, in the order of the numbers: `hand 0: king`,
    /// `players.0.storage`, `stage = 2`.
    fn names(&self) -> EncodingNames {
        self.names.clone()
    }

    /// Overwrites `out` with the seat, the seat to act, the options, what the seat knows of the tokens, and
    /// the public state. A seat that does not exist has no own number and knows only public faces. Panics
    /// unless `out` has the length of an observation.
    fn observe(&self, position: &Position<G>, seat: Seat, out: &mut [f32]) {
        assert_eq!(out.len(), self.size.observation, "the length of an observation");
        out.fill(0.0);
        if seat.index() < self.seats {
            out[seat.index()] = 1.0;
        }
        if let Some(actor) = position.actor() {
            out[self.seats + actor.index()] = 1.0;
        }
        out[2 * self.seats..][..self.options.len()].copy_from_slice(&self.options);
        self.tokens.write(position, &position.own(seat), out);
        visit_value(position.state(), ROOT, &mut PlanWriter { plan: &self.state, out });
    }

    /// Overwrites `out` with the numbers of the action and what the seat knows of its tokens. Does not check
    /// that the action is legal. Panics unless `out` has the length of an action.
    fn encode_action(&self, position: &Position<G>, seat: Seat, action: G::Action, out: &mut [f32]) {
        assert_eq!(out.len(), self.size.action, "the length of an action");
        out.fill(0.0);
        let named = visit_action::<G>(action, &mut PlanWriter { plan: &self.action, out });
        if out.len() > self.plain {
            self.tokens.write_named(position, seat, &named, &mut out[self.plain..]);
        }
    }
}

/// Returns the options for players as numbers from 0 to 1 and appends their names to `names`: a flag as 0 or 1, a
/// number as its part of its range (0 for none), a choice one-hot. Tuning numbers are left out.
fn encode_options<O: Options>(options: &O, names: &mut Vec<String>) -> Vec<f32> {
    let (all, mut out) = (options::to_value(options).unwrap_or(Value::Null), Vec::new());
    for field in O::FIELDS.iter().filter(|field| !field.tuning) {
        let value = options::get(&all, field.name).unwrap_or(&Value::Null);
        match field.kind {
            OptionKind::Flag => out.push(f32::from(u8::from(value == &Value::Bool(true)))),
            OptionKind::Int { min, max } | OptionKind::Maybe { min, max } => {
                let part = |n: i64| (n - min) as f32 / (max - min).max(1) as f32;
                out.push(value.as_i64().map_or(0.0, part));
            }
            OptionKind::Choice(words) => {
                out.extend(words.iter().map(|word| f32::from(u8::from(value.as_str() == Some(word)))));
                names.extend(words.iter().map(|word| format!("option {} = {word}", field.name)));
                continue;
            }
        }
        names.push(format!("option {}", field.name));
    }
    out
}
