//! One game from its first position to its end: the only part that is compiled for each game.

use crate::story::{Story, Teller};
use pentarchy_bots::{Player, Spec};
use pentarchy_engine::{
    AnyError, Game, GameInfo, Heuristic, Item, Metrics, Node, Outcome, Position, Rejected, Rng, Seat, Size,
    options,
};
use serde_json::Value;
use std::marker::PhantomData;

/// Who watches a game. Everything is told before it happens, with the simulator's eyes. Nobody, `()`, costs
/// nothing: the calls vanish when the program is compiled.
pub trait Visitor<G: Game> {
    /// A seat has chosen from its list.
    #[inline(always)]
    fn decision(&mut self, _at: &Position<G>, _seat: Seat, _list: &[G::Action], _chosen: usize) {}

    /// Something happens that nobody decides: a duty, or without an action nature, a revelation.
    #[inline(always)]
    fn event(&mut self, _at: &Position<G>, _duty: Option<G::Action>) {}

    /// The game is over.
    #[inline(always)]
    fn over(&mut self, _at: &Position<G>, _outcome: &Outcome) {}
}

impl<G: Game> Visitor<G> for () {}

/// Plays a game to its end: the outcome, and how many decisions there were.
pub fn play<G: Game, V: Visitor<G>>(
    position: &mut Position<G>,
    players: &mut [Box<dyn Player<G>>],
    nature: &mut Rng,
    visitor: &mut V,
) -> Result<(Outcome, u32), Rejected> {
    let (mut list, mut decisions) = (Vec::new(), 0);
    loop {
        match position.node() {
            Node::Decide(seat) => {
                position.legal(&mut list)?;
                let chosen = match (list.len(), players.get_mut(seat.index())) {
                    (0 | 1, _) | (_, None) => 0,
                    // Where nothing can be hidden everybody sees all there is.
                    (_, Some(player)) if G::Size::TOKENS == 0 => player.choose(position, &list),
                    (_, Some(player)) => player.choose(&position.view(seat), &list),
                };
                let action = *list.get(chosen).ok_or(Rejected::new("a choice that is not on the list"))?;
                visitor.decision(position, seat, &list, chosen);
                position.play(action)?;
                decisions += 1;
            }
            Node::Declare(_) => {
                position.legal(&mut list)?;
                let duty = *list.first().ok_or(Rejected::new("a duty without an entry"))?;
                visitor.event(position, Some(duty));
                position.play(duty)?;
            }
            Node::Over => {
                let outcome =
                    position.outcome().ok_or(Rejected::new("the game is over without an outcome"))?;
                visitor.over(position, &outcome);
                return Ok((outcome, decisions));
            }
            Node::Chance(_) | Node::Rearrange { .. } | Node::Reveal { .. } => {
                visitor.event(position, None);
                position.resolve(nature)?;
            }
        }
    }
}

/// Who sits where in a game, and what its chance comes from.
#[derive(Clone, Debug)]
pub struct Seating {
    /// The generator of dice and shuffles.
    pub nature: Rng,
    /// The player at each seat, with its own seed.
    pub players: Vec<(Spec, u64)>,
}

/// What came of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The final ranking.
    pub outcome: Outcome,
    /// How many decisions there were.
    pub decisions: u32,
}

/// A game of which tournaments can be played, without its types.
pub trait AnyArena: Send + Sync {
    /// What the game is.
    fn info(&self) -> GameInfo;

    /// What it counts by name.
    fn items(&self) -> Vec<Item>;

    /// A table for so many players with these options, at which games can be played.
    fn table(&self, seats: u8, options: &Value) -> Result<Box<dyn Table>, AnyError>;
}

impl std::fmt::Debug for dyn AnyArena {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.info().name)
    }
}

/// A table at which one game after the other is played.
pub trait Table: Send + Sync {
    /// Plays a game; the story, if one is given, is told along.
    fn play(&self, seating: Seating, story: Option<&mut Story>) -> Result<Played, Rejected>;
}

/// Stands for the game `G`, of which it has nothing but the type.
struct Erased<G>(PhantomData<fn() -> G>);

/// The arena of a game without its types.
pub const fn arena<G: Heuristic + Metrics>() -> &'static dyn AnyArena {
    &Erased::<G>(PhantomData)
}

impl<G: Heuristic + Metrics> AnyArena for Erased<G> {
    fn info(&self) -> GameInfo {
        G::INFO
    }

    fn items(&self) -> Vec<Item> {
        G::items()
    }

    fn table(&self, seats: u8, options: &Value) -> Result<Box<dyn Table>, AnyError> {
        Ok(Box::new(Start(Position::<G>::new(seats, &options::from_value(options)?)?)))
    }
}

/// The position with which every game at a table begins.
struct Start<G: Game>(Position<G>);

impl<G: Heuristic + Metrics> Table for Start<G> {
    fn play(&self, seating: Seating, story: Option<&mut Story>) -> Result<Played, Rejected> {
        let (mut position, mut nature) = (self.0.clone(), seating.nature);
        let mut players: Vec<_> =
            seating.players.iter().map(|(spec, seed)| spec.player::<G>(*seed)).collect();
        let (outcome, decisions) = match story {
            None => play(&mut position, &mut players, &mut nature, &mut ())?,
            Some(story) => play(&mut position, &mut players, &mut nature, &mut Teller::new(story))?,
        };
        Ok(Played { outcome, decisions })
    }
}
