//! Tournaments of bots: shares of wins with intervals, and ratings.

use crate::balance::WHOLE;
use crate::play::{AnyArena, GameRunner};
use crate::run::{self, RunError};
use crate::seating::Draw;
use crate::statistics::{Interval, Moments, wilson};
use crate::story::Story;
use pentarchy_bots::Spec;
use pentarchy_engine::{AnyError, MAX_SEATS, Outcome, RuleError, Seat};
use serde_json::{Value, json};
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};
use std::ops::ControlFlow;

/// Number of games between two checks of the intervals.
const LOOK_EVERY: u64 = 100;

/// The parameters of a tournament.
#[derive(Clone, Debug)]
pub struct TournamentPlan {
    /// The game.
    pub game: &'static dyn AnyArena,
    /// All its options.
    pub options: Value,
    /// The bot of each seat.
    pub bots: Vec<Spec>,
    /// Seed of all games.
    pub seed: u64,
    /// Number of games.
    pub games: u64,
    /// Stop as soon as no bot's 95 % interval is wider than this.
    pub interval: Option<f64>,
}

/// The result of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// Number of the game.
    pub game: u64,
    /// The final ranking.
    pub outcome: Outcome,
    /// Number of decisions.
    pub decisions: u32,
}

/// Why a tournament or a simulation could not be played.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// The options or the number of seats are invalid.
    #[error(transparent)]
    Options(#[from] AnyError),
    /// A game failed.
    #[error("game {game} of seed {seed} failed: {reason}")]
    Game {
        /// Seed of all games.
        seed: u64,
        /// Number of the game.
        game: u64,
        /// The reason of the rules.
        reason: RuleError,
    },
    /// A game panicked.
    #[error("a game panicked; `pentarchy soak` finds which")]
    Panicked,
}

impl TournamentPlan {
    /// Returns the number of seats: that of the bots.
    pub fn seats(&self) -> u8 {
        self.bots.len() as u8
    }

    /// Returns the seat assignment and dice of all games, by the bots and the seed of the plan.
    pub fn draw(&self) -> Draw {
        Draw::new(&self.bots, self.seed)
    }

    /// Creates the runner of the games, with the seats and options of the plan.
    ///
    /// # Errors
    ///
    /// Fails if the options or the number of seats are invalid.
    pub fn table(&self) -> Result<Box<dyn GameRunner>, AnyError> {
        self.game.table(self.seats(), &self.options)
    }

    /// Plays the games that `tally` does not contain yet on this number of threads (at least 1), and adds
    /// them in order. Calls `each` with every game in order, with its story if `decisions` is set. Stops when
    /// `each` breaks, or when the intervals are narrow enough ([`is_settled`](Self::is_settled)). The results
    /// do not depend on the number of threads.
    ///
    /// # Errors
    ///
    /// Fails if the options are invalid, or a game fails or panics. Games delivered before stay in
    /// `tally`.
    pub fn play(
        &self,
        tally: &mut TournamentTally,
        threads: usize,
        decisions: bool,
        mut each: impl FnMut(&GameResult, Option<&Story>) -> ControlFlow<()>,
    ) -> Result<(), TournamentError> {
        let (table, draw) = (self.table()?, self.draw());
        let items = self.game.items().len();
        let work = |game: u64| {
            let mut story = decisions.then(|| Story::new(items, self.seats(), true));
            let played = table.play(draw.seating(game), story.as_mut()).map_err(|reason| (game, reason))?;
            Ok((GameResult { game, outcome: played.outcome, decisions: played.decisions }, story))
        };
        if self.is_settled(tally) {
            return Ok(());
        }
        let ended = run::run(tally.games..self.games.max(tally.games), threads, work, |_, (row, story)| {
            tally.add(self, &row);
            let go_on = each(&row, story.as_ref());
            if self.is_settled(tally) { ControlFlow::Break(()) } else { go_on }
        });
        ended.map_err(|broken| match broken {
            RunError::Failed((game, reason)) => TournamentError::Game { seed: self.seed, game, reason },
            RunError::Panicked => TournamentError::Panicked,
        })
    }

    /// Returns whether all intervals are narrow enough; always `false` if the plan has no interval. Checked
    /// only after every 100 games and whole sets, so that a single lucky game does not end the tournament;
    /// `false` in between.
    pub fn is_settled(&self, tally: &TournamentTally) -> bool {
        let Some(wanted) = self.interval else { return false };
        let every = LOOK_EVERY.next_multiple_of(self.draw().set());
        let look = tally.games > 0 && tally.games.is_multiple_of(every);
        look && (0..self.bots.len()).all(|bot| tally.interval(bot).width() <= wanted)
    }
}

/// The results so far: sums by bot, in the order of the plan.
#[derive(Clone, PartialEq, Debug)]
pub struct TournamentTally {
    /// Number of games.
    pub games: u64,
    /// Number of games that each bot won alone.
    pub wins: Vec<u64>,
    /// Victories of each bot, shared ones in part, in parts of [`WHOLE`].
    parts: Vec<u64>,
    /// Number of games that each seat won alone.
    pub seat_wins: [u64; MAX_SEATS],
    /// Number of shared victories.
    pub draws: u64,
    /// Number of games that no seat won.
    pub nobody: u64,
    /// Number of games that ended at their limit.
    pub capped: u64,
    /// Scores of each bot.
    pub scores: Vec<Moments>,
    /// Decisions per game.
    pub decisions: Moments,
    /// Rating of each bot.
    pub ratings: Vec<WengLinRating>,
}

impl TournamentTally {
    /// Creates the results of a tournament of this number of bots, without games.
    pub fn new(bots: usize) -> Self {
        TournamentTally {
            games: 0,
            wins: vec![0; bots],
            parts: vec![0; bots],
            seat_wins: [0; MAX_SEATS],
            draws: 0,
            nobody: 0,
            capped: 0,
            scores: vec![Moments::default(); bots],
            decisions: Moments::default(),
            ratings: vec![WengLinRating::new(); bots],
        }
    }

    /// Adds a game to counts, scores and ratings. A victory shared by several seats counts in `draws` and
    /// gives each of their bots an equal part; one of a single seat also counts in the wins of its bot and of
    /// the seat; a game without a winner counts in `nobody`. `plan` must be that of the tournament. Games
    /// must be added in order, because ratings depend on it; the order is not checked.
    pub fn add(&mut self, plan: &TournamentPlan, row: &GameResult) {
        let (outcome, places) = (&row.outcome, plan.draw().places(row.game));
        self.games += 1;
        self.capped += u64::from(outcome.is_capped());
        self.decisions.add(i64::from(row.decisions));
        let winners = outcome.winners().count() as u64;
        self.nobody += u64::from(winners == 0);
        self.draws += u64::from(winners > 1);
        for (seat, &bot) in places.iter().enumerate() {
            let seat = Seat(seat as u8);
            self.scores[bot].add(i64::from(outcome.score(seat)));
            if outcome.is_won() && outcome.rank(seat) == 1 {
                self.parts[bot] += WHOLE / winners.max(1);
                self.wins[bot] += u64::from(winners == 1);
                self.seat_wins[seat.index()] += u64::from(winners == 1);
            }
        }
        self.rate(outcome, &places);
    }

    /// Updates the ratings of all bots of a game (Weng and Lin) with the ranks of its outcome; `places` are
    /// the bots by seat, as indexes in the plan. No effect with fewer than two seats.
    fn rate(&mut self, outcome: &Outcome, places: &[usize]) {
        if places.len() < 2 {
            return;
        }
        let players: Vec<[WengLinRating; 1]> = places.iter().map(|&bot| [self.ratings[bot]]).collect();
        let ranks = outcome.ranks().iter().map(|&rank| MultiTeamOutcome::new(usize::from(rank)));
        let teams: Vec<_> = players.iter().map(|player| &player[..]).zip(ranks).collect();
        let rated = weng_lin_multi_team(&teams, &WengLinConfig::new());
        for (&bot, team) in places.iter().zip(rated) {
            self.ratings[bot] = team.first().copied().unwrap_or_default();
        }
    }

    /// Returns the share of games that a bot won, from 0 to 1; a shared victory counts in part. 0 without
    /// games. `bot` is its index in the plan; others panic.
    pub fn share(&self, bot: usize) -> f64 {
        self.parts[bot] as f64 / WHOLE as f64 / self.games.max(1) as f64
    }

    /// Returns the 95 % interval of the share of a bot, from 0 to 1. The whole range without games. `bot` is
    /// its index in the plan; others panic.
    pub fn interval(&self, bot: usize) -> Interval {
        wilson(self.parts[bot] as f64 / WHOLE as f64, self.games)
    }

    /// Returns all results as one JSON object: the parameters (`game` to `games`), `wins`, `shares` with 95 %
    /// `intervals`, `draws`, `nobody`, `capped`, `seat_wins`, `mean_scores`, `mean_decisions`, `ratings` with
    /// their uncertainty, and whether the plan is `settled`. Lists are by bot in the order of the plan,
    /// `seat_wins` by seat. `plan` must be that of the tally.
    pub fn as_data(&self, plan: &TournamentPlan) -> Value {
        let info = plan.game.info();
        let bots = 0..plan.bots.len();
        let pair = |interval: Interval| json!([interval.low, interval.high]);
        let rating = |r: &WengLinRating| json!({ "rating": r.rating, "uncertainty": r.uncertainty });
        json!({
            "game": info.name,
            "rules_version": info.rules_version,
            "seats": plan.seats(),
            "seed": plan.seed,
            "bots": plan.bots.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "options": plan.options,
            "games": self.games,
            "wins": self.wins,
            "shares": bots.clone().map(|bot| self.share(bot)).collect::<Vec<_>>(),
            "intervals": bots.map(|bot| pair(self.interval(bot))).collect::<Vec<_>>(),
            "draws": self.draws,
            "nobody": self.nobody,
            "capped": self.capped,
            "seat_wins": self.seat_wins[..plan.bots.len()],
            "mean_scores": self.scores.iter().map(Moments::mean).collect::<Vec<_>>(),
            "mean_decisions": self.decisions.mean(),
            "ratings": self.ratings.iter().map(rating).collect::<Vec<_>>(),
            "settled": plan.is_settled(self),
        })
    }
}
