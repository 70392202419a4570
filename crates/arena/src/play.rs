//! One game from start to end: the only part that is compiled for each game.

use crate::deny::{Denial, DenialWatch, DeniedBot};
use crate::story::{Story, StoryRecorder};
use pentarchy_bots::{BotPlayer, Spec, WeightedCaptain};
use pentarchy_engine::{
    AnyError, AppliedEvent, EventFacts, Game, GameInfo, Heuristic, Item, Metrics, NamedWeight, Node, Outcome,
    Position, Rng, RuleError, Seat, Size, WeightTable, options,
};
use serde_json::Value;
use std::marker::PhantomData;
use std::ops::Range;

/// An observer of a game, which sees the simulator's position. The visitor `()` does nothing and compiles to
/// nothing.
pub trait Visitor<G: Game> {
    /// Whether [`applied`](Visitor::applied) is called. It costs a copy of the position per event.
    const WANTS_FACTS: bool = false;

    /// Called when `seat` has chosen from `list`, before the action with index `chosen` is applied to the
    /// position `at`. Also for decisions with one action. The default does nothing.
    #[inline(always)]
    fn decision(&mut self, _at: &Position<G>, _seat: Seat, _list: &[G::Action], _chosen: usize) {}

    /// Called with the position before an event without a decision is applied: a declaration, nature or a
    /// reveal. The default does nothing.
    #[inline(always)]
    fn event(&mut self, _at: &Position<G>) {}

    /// Called after each event with the positions before and after it and its facts, if
    /// [`WANTS_FACTS`](Visitor::WANTS_FACTS). The default does nothing.
    #[inline(always)]
    fn applied(&mut self, _event: &AppliedEvent<'_, G>) {}

    /// Called once with the last position, at the end of the game. The default does nothing.
    #[inline(always)]
    fn over(&mut self, _at: &Position<G>, _outcome: &Outcome) {}
}

impl<G: Game> Visitor<G> for () {}

/// Plays `position`, the simulator's, on to its end with one player per seat (a missing one takes the first
/// action) and the generator `nature` of dice and shuffles. Declarations are played without asking. Players
/// get only the view of their seat and are not asked if there is one action. Calls `visitor` at every
/// decision and event and at the end. Returns the outcome and the number of decisions, those with one action
/// included.
///
/// # Errors
///
/// Fails if the rules reject an event, if a player returns an index that is not in the list, or if the game
/// ends without an outcome. The position must then be discarded.
pub fn play<G: Game, V: Visitor<G>>(
    position: &mut Position<G>,
    players: &mut [Box<dyn BotPlayer<G>>],
    nature: &mut Rng,
    visitor: &mut V,
) -> Result<(Outcome, u32), RuleError> {
    let (mut list, mut decisions) = (Vec::new(), 0);
    loop {
        match position.node() {
            Node::Decide(seat) => {
                position.legal(&mut list)?;
                let chosen = match (list.len(), players.get_mut(seat.index())) {
                    (0 | 1, _) | (_, None) => 0,
                    // Without hidden information no view is needed.
                    (_, Some(player)) if G::Size::TOKENS == 0 => player.choose(position, &list),
                    (_, Some(player)) => player.choose(&position.view(seat), &list),
                };
                let action = *list.get(chosen).ok_or(RuleError::new("a choice that is not on the list"))?;
                visitor.decision(position, seat, &list, chosen);
                play_action(position, visitor, action)?;
                decisions += 1;
            }
            Node::Declare(seat) => {
                let duty = position.duty(seat, &mut list)?;
                visitor.event(position);
                play_action(position, visitor, duty)?;
            }
            Node::Over => {
                let outcome =
                    position.outcome().ok_or(RuleError::new("the game is over without an outcome"))?;
                visitor.over(position, &outcome);
                return Ok((outcome, decisions));
            }
            Node::Chance(_) | Node::Rearrange { .. } | Node::Reveal { .. } => {
                visitor.event(position);
                if V::WANTS_FACTS {
                    apply_facts(position, visitor, |p| p.resolve_facts(nature))?;
                } else {
                    position.resolve(nature)?;
                }
            }
        }
    }
}

/// Applies an action of the acting seat to the position; if the visitor wants facts, calls it afterwards with
/// the event and a copy of the position before it.
///
/// # Errors
///
/// Fails if the rules reject the action; the position is then unchanged, and the visitor is not called.
#[inline(always)]
fn play_action<G: Game, V: Visitor<G>>(
    position: &mut Position<G>,
    visitor: &mut V,
    action: G::Action,
) -> Result<(), RuleError> {
    if V::WANTS_FACTS {
        apply_facts(position, visitor, |p| p.play_facts(action))
    } else {
        position.play(action)
    }
}

/// Calls `apply`, which applies one event to the position, and reports the event to the visitor with its
/// facts.
///
/// # Errors
///
/// Fails if `apply` does; the visitor is then not called, and the position is as `apply` leaves it.
fn apply_facts<G: Game, V: Visitor<G>>(
    position: &mut Position<G>,
    visitor: &mut V,
    apply: impl FnOnce(&mut Position<G>) -> Result<EventFacts<G>, RuleError>,
) -> Result<(), RuleError> {
    let before = position.clone();
    let (line, facts) = apply(position)?;
    visitor.applied(&AppliedEvent { before: &before, line: &line, facts: &facts, after: position });
    Ok(())
}

/// The players of a game, and its source of chance.
#[derive(Clone, Debug)]
pub struct GameSeating {
    /// Generator of dice and shuffles.
    pub nature: Rng,
    /// The bot of each seat with its seed.
    pub players: Vec<(Spec, u64)>,
}

/// The result of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The final ranking.
    pub outcome: Outcome,
    /// Number of decisions.
    pub decisions: u32,
}

/// A game for tournaments, without generic types.
pub trait AnyArena: Send + Sync {
    /// Returns the constant facts of the game: name, numbers of seats, version of the rules, and more.
    fn info(&self) -> GameInfo;

    /// Returns the items that the game counts by name; their indexes are used in stories and figures. May be
    /// empty.
    fn items(&self) -> Vec<Item>;

    /// Returns the weights of the game's heuristic with their shipped values. May be empty.
    fn weights(&self) -> &'static [NamedWeight];

    /// Creates a runner of games with this number of seats. `options` is a JSON table of the options that
    /// differ from the defaults; null for none.
    ///
    /// # Errors
    ///
    /// Fails if the options or the number of seats are invalid.
    fn table(&self, seats: u8, options: &Value) -> Result<Box<dyn GameRunner>, AnyError>;
}

impl std::fmt::Debug for dyn AnyArena {
    /// Writes the name of the game.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.info().name)
    }
}

/// Plays games with fixed seats and options.
pub trait GameRunner: Send + Sync {
    /// Plays a game from its start to its end. A seat without a bot takes its first legal action. Fills in
    /// `story` if given, which must be new and have the items of the game. Games with equal seatings are
    /// equal, unless a bot thinks in time.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject an event, or a bot chooses an action that is not listed; the story is then
    /// incomplete.
    fn play(&self, seating: GameSeating, story: Option<&mut Story>) -> Result<Played, RuleError>;

    /// Plays a game from its start to its end in which one seat may never use an item in one way
    /// ([`Denial::verb`]). The bot of that seat chooses among the other legal actions; if there are none, it
    /// chooses among all. A seat without a bot takes its first legal action, also if that is denied. Returns
    /// the result and the number of decisions at which the seat made the denied use. If it has a bot, these
    /// are the decisions at which nothing else was legal. The game equals [`play`](Self::play) of this seating
    /// until the denied use is first on offer, unless a bot thinks in time.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject an event, a bot chooses an action that is not listed, or the game ends
    /// without an outcome.
    fn play_denied(&self, seating: GameSeating, denial: Denial) -> Result<(Played, u32), RuleError>;

    /// Plays a game of Captains from its start to its end, each with weights of its own (in the order of
    /// [`AnyArena::weights`]) and its seed, in the order of the seats. A list of another length stands for
    /// the shipped weights. A seat without a Captain takes its first legal action. `nature` is the generator
    /// of dice and shuffles.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject an event.
    fn play_captains(&self, nature: Rng, captains: &[(&[i32], u64)]) -> Result<Played, RuleError>;

    /// Plays the random games with these numbers of a seed, with the shortcuts of random playouts, and calls
    /// `each` with the outcome and the number of decisions of every game, in order. One generator, which
    /// depends on the seed and the number of the game alone, makes all choices of a game.
    ///
    /// # Errors
    ///
    /// Fails with the number of the game in which the rules reject an event; `each` has been called for those
    /// before it.
    fn playouts(
        &self,
        seed: u64,
        games: Range<u64>,
        each: &mut dyn FnMut(&Outcome, u32),
    ) -> Result<(), (u64, RuleError)>;
}

/// Implements [`AnyArena`] for the game `G`; has no data.
struct ErasedArena<G>(PhantomData<fn() -> G>);

/// Returns the game `G` for tournaments, without its type. It has no state.
pub const fn arena<G: Heuristic + Metrics>() -> &'static dyn AnyArena {
    &ErasedArena::<G>(PhantomData)
}

impl<G: Heuristic + Metrics> AnyArena for ErasedArena<G> {
    /// Returns the constant facts of the game `G`: name, numbers of seats, version of the rules, and more.
    fn info(&self) -> GameInfo {
        G::INFO
    }

    /// Returns the items that the game `G` counts by name; their indexes are used in stories and figures.
    fn items(&self) -> Vec<Item> {
        G::items()
    }

    /// Returns the weights of the game's heuristic by name, with their shipped values.
    fn weights(&self) -> &'static [NamedWeight] {
        G::Weights::ROWS
    }

    /// Creates a runner of games with this number of seats, which all begin at one first position. `options`
    /// is a JSON table of the options that differ from the defaults; null for none.
    ///
    /// # Errors
    ///
    /// Fails if the options or the number of seats are invalid.
    fn table(&self, seats: u8, options: &Value) -> Result<Box<dyn GameRunner>, AnyError> {
        Ok(Box::new(Start(Position::<G>::new(seats, &options::from_value(options)?)?)))
    }
}

/// The first position of every game of a runner.
struct Start<G: Game>(Position<G>);

impl<G: Heuristic + Metrics> GameRunner for Start<G> {
    /// Plays a copy of the first position to its end with the bots of the seating; a seat without a bot takes
    /// its first legal action. Fills in `story` if given, which must be new and have the items of the game.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject an event, a bot chooses an action that is not listed, or the game ends
    /// without an outcome; the story is then incomplete.
    fn play(&self, seating: GameSeating, story: Option<&mut Story>) -> Result<Played, RuleError> {
        let (mut position, mut nature) = (self.0.clone(), seating.nature);
        let mut players: Vec<_> =
            seating.players.iter().map(|(spec, seed)| spec.player::<G>(*seed)).collect();
        let (outcome, decisions) = match story {
            None => play(&mut position, &mut players, &mut nature, &mut ())?,
            Some(story) => play(&mut position, &mut players, &mut nature, &mut StoryRecorder::new(story))?,
        };
        Ok(Played { outcome, decisions })
    }

    /// Plays a game from its start to its end in which the denied seat uses the item in the denied way only
    /// if nothing else is legal. Returns the result and the number of decisions at which it did. A seat
    /// without a bot takes its first legal action, also if that is denied.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject an event, or a bot chooses an action that is not listed.
    fn play_denied(&self, seating: GameSeating, denial: Denial) -> Result<(Played, u32), RuleError> {
        let (mut position, mut nature) = (self.0.clone(), seating.nature);
        let player = |(seat, (spec, seed)): (usize, &(Spec, u64))| -> Box<dyn BotPlayer<G>> {
            let bot = spec.player::<G>(*seed);
            if seat == denial.seat.index() { Box::new(DeniedBot::new(bot, denial)) } else { bot }
        };
        let mut players: Vec<_> = seating.players.iter().enumerate().map(player).collect();
        let mut watch = DenialWatch::new(denial);
        let (outcome, decisions) = play(&mut position, &mut players, &mut nature, &mut watch)?;
        Ok((Played { outcome, decisions }, watch.forced))
    }

    /// Plays a game of Captains from its start to its end, each with its weights (in the order of
    /// [`AnyArena::weights`]) and the seed of its draws, in the order of the seats. A list of weights of
    /// another length stands for the shipped ones; a seat without a Captain takes its first legal action.
    /// `nature` is the generator of dice and shuffles.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject an event, or the game ends without an outcome.
    fn play_captains(&self, mut nature: Rng, captains: &[(&[i32], u64)]) -> Result<Played, RuleError> {
        let player = |&(values, seed): &(&[i32], u64)| -> Box<dyn BotPlayer<G>> {
            Box::new(WeightedCaptain::<G>::new(
                seed,
                G::Weights::from_values(values).unwrap_or(G::Weights::SHIPPED),
            ))
        };
        let mut players: Vec<_> = captains.iter().map(player).collect();
        let (outcome, decisions) = play(&mut self.0.clone(), &mut players, &mut nature, &mut ())?;
        Ok(Played { outcome, decisions })
    }

    /// Plays the random games with these numbers, game i by the generator of stream i of the seed, with the
    /// shortcuts of random playouts. Calls `each` with the outcome and the number of decisions of every game,
    /// in order.
    ///
    /// # Errors
    ///
    /// Fails with the number of the game in which the rules reject an event; `each` has been called for those
    /// before it.
    fn playouts(
        &self,
        seed: u64,
        games: Range<u64>,
        each: &mut dyn FnMut(&Outcome, u32),
    ) -> Result<(), (u64, RuleError)> {
        let mut list = Vec::new();
        for game in games {
            let played = self.0.clone().playout(&mut Rng::stream(seed, game), &mut list);
            let (outcome, decisions) = played.map_err(|reason| (game, reason))?;
            each(&outcome, decisions);
        }
        Ok(())
    }
}
