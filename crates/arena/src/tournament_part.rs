//! Parts of tournaments: a range of games, played by one process and rated by another.

use crate::play::AnyArena;
use crate::run::{self, RunError};
use crate::tournament::{GameResult, TournamentError, TournamentPlan, TournamentTally};
use pentarchy_engine::Outcome;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::ops::{ControlFlow, Range};

/// The results of consecutive games of a tournament. They are stored one by one, because ratings depend on the
/// order of the games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TournamentPart {
    /// The number of the first game.
    first: u64,
    /// Decisions and outcome of each game, in order.
    games: Vec<(u32, Outcome)>,
}

impl TournamentPart {
    /// Iterates over the results of this part in the order of their games, each with the number of its game
    /// in the whole tournament.
    pub fn rows(&self) -> impl Iterator<Item = GameResult> {
        let row =
            |(game, &(decisions, outcome)): (u64, &(u32, Outcome))| GameResult { game, outcome, decisions };
        (self.first..).zip(&self.games).map(row)
    }
}

impl TournamentPlan {
    /// Plays these games on this number of threads (at least 1) and returns their results. Does not stop
    /// early. Calls `tick` on the calling thread after each game, in the order of the games.
    ///
    /// # Errors
    ///
    /// Fails if the options are invalid, or a game fails or panics. All results are then lost.
    pub fn play_part(
        &self,
        games: Range<u64>,
        threads: usize,
        mut tick: impl FnMut(),
    ) -> Result<TournamentPart, TournamentError> {
        let (table, draw) = (self.table()?, self.draw());
        let mut part = TournamentPart { first: games.start, games: Vec::new() };
        let work = |game| table.play(draw.seating(game), None).map_err(|reason| (game, reason));
        let ended = run::run(games, threads, work, |_, played| {
            part.games.push((played.decisions, played.outcome));
            tick();
            ControlFlow::Continue(())
        });
        ended.map_err(|broken| match broken {
            RunError::Failed((game, reason)) => TournamentError::Game { seed: self.seed, game, reason },
            RunError::Panicked => TournamentError::Panicked,
        })?;
        Ok(part)
    }

    /// Joins all parts, which must be in the order of their games without gaps; that is not checked. Calls
    /// `each` with every game that counts: like [`play`](Self::play), it ends as soon as the tournament is
    /// settled. Returns the results of the whole.
    pub fn join(&self, parts: &[TournamentPart], mut each: impl FnMut(&GameResult)) -> TournamentTally {
        let mut tally = TournamentTally::new(self.bots.len());
        for row in parts.iter().flat_map(TournamentPart::rows) {
            if self.is_settled(&tally) {
                break;
            }
            tally.add(self, &row);
            each(&row);
        }
        tally
    }

    /// Returns all parameters but the game as a JSON object, for the header of a part: `bots` (as texts),
    /// `options`, `seed`, `games` and `interval`. [`from_plan`](Self::from_plan) reads it.
    pub fn as_plan(&self) -> Value {
        let bots: Vec<String> = self.bots.iter().map(ToString::to_string).collect();
        json!({
            "bots": bots,
            "options": self.options,
            "seed": self.seed,
            "games": self.games,
            "interval": self.interval,
        })
    }

    /// Reads the parameters that [`as_plan`](Self::as_plan) has written; `None` if a field other than the options is
    /// missing or malformed. Options are checked when games are played.
    pub fn from_plan(game: &'static dyn AnyArena, plan: &Value) -> Option<TournamentPlan> {
        let bots = plan["bots"].as_array()?.iter().map(|bot| bot.as_str()?.parse().ok());
        let interval = match &plan["interval"] {
            Value::Null => None,
            interval => Some(interval.as_f64()?),
        };
        Some(TournamentPlan {
            game,
            options: plan["options"].clone(),
            bots: bots.collect::<Option<_>>()?,
            seed: plan["seed"].as_u64()?,
            games: plan["games"].as_u64()?,
            interval,
        })
    }
}
