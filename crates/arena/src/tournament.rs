//! Bots against each other: who wins how often, with intervals and ratings.

use crate::play::{AnyArena, Table};
use crate::run::{self, Broken};
use crate::seating::Draw;
use crate::statistics::{Interval, Moments, wilson};
use crate::story::Story;
use pentarchy_bots::Spec;
use pentarchy_engine::{AnyError, MAX_SEATS, Outcome, Rejected, Seat};
use serde_json::{Value, json};
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};
use std::ops::ControlFlow;

/// What a shared victory is divided into: so that any number of seats can share it without a remainder.
const WHOLE: u64 = 420;

/// Between two looks at the intervals.
const LOOK_EVERY: u64 = 100;

/// What a tournament plays.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The game.
    pub game: &'static dyn AnyArena,
    /// All its options.
    pub options: Value,
    /// The bots, one for each seat.
    pub bots: Vec<Spec>,
    /// The seed from which all games follow.
    pub seed: u64,
    /// How many games.
    pub games: u64,
    /// Stop as soon as no bot's 95 % interval is wider than this share.
    pub interval: Option<f64>,
}

/// What is kept of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its number.
    pub game: u64,
    /// The final ranking.
    pub outcome: Outcome,
    /// How many decisions there were.
    pub decisions: u32,
}

/// Why a tournament could not be played.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// The options or the number of seats were refused.
    #[error(transparent)]
    Options(#[from] AnyError),
    /// A game broke off.
    #[error("game {game} of seed {seed} broke off: {reason}")]
    Game {
        /// The seed.
        seed: u64,
        /// The number of the game.
        game: u64,
        /// Why.
        reason: Rejected,
    },
    /// A game panicked.
    #[error("a game panicked; `pentarchy soak` finds which")]
    Panicked,
}

impl Plan {
    /// How many seats play.
    pub fn seats(&self) -> u8 {
        self.bots.len() as u8
    }

    /// Who sits where in which game.
    pub fn draw(&self) -> Draw {
        Draw::new(&self.bots, self.seed)
    }

    /// The table, if options and seats allow one.
    pub fn table(&self) -> Result<Box<dyn Table>, AnyError> {
        self.game.table(self.seats(), &self.options)
    }

    /// Plays the games from this number on, on so many threads, and counts them. `each` gets every row in
    /// order, with its story if decisions are wanted.
    pub fn play(
        &self,
        tally: &mut Tally,
        threads: usize,
        decisions: bool,
        mut each: impl FnMut(&Row, Option<&Story>) -> ControlFlow<()>,
    ) -> Result<(), Trouble> {
        let (table, draw) = (self.table()?, self.draw());
        let items = self.game.items().len();
        let work = |game: u64| {
            let mut story = decisions.then(|| Story::new(items, self.seats(), true));
            let played = table.play(draw.seating(game), story.as_mut()).map_err(|reason| (game, reason))?;
            Ok((Row { game, outcome: played.outcome, decisions: played.decisions }, story))
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
            Broken::Failed((game, reason)) => Trouble::Game { seed: self.seed, game, reason },
            Broken::Panicked => Trouble::Panicked,
        })
    }

    /// Whether all intervals are narrow enough. Looked at only now and then and after whole sets, so that
    /// the end does not hang on one lucky game.
    pub fn is_settled(&self, tally: &Tally) -> bool {
        let Some(wanted) = self.interval else { return false };
        let every = LOOK_EVERY.next_multiple_of(self.draw().set());
        let look = tally.games > 0 && tally.games.is_multiple_of(every);
        look && (0..self.bots.len()).all(|bot| tally.interval(bot).width() <= wanted)
    }
}

/// What came of the games so far: sums by bot as listed.
#[derive(Clone, PartialEq, Debug)]
pub struct Tally {
    /// How many games.
    pub games: u64,
    /// How often each bot was alone in front.
    pub wins: Vec<u64>,
    /// The same with shared victories divided, in parts of [`WHOLE`].
    parts: Vec<u64>,
    /// How often each seat was alone in front.
    pub seat_wins: [u64; MAX_SEATS],
    /// How often a victory was shared.
    pub draws: u64,
    /// How often nobody won.
    pub nobody: u64,
    /// How many games ended at their cap.
    pub capped: u64,
    /// The scores of each bot.
    pub scores: Vec<Moments>,
    /// Decisions in a game.
    pub decisions: Moments,
    /// The rating of each bot.
    pub ratings: Vec<WengLinRating>,
}

impl Tally {
    /// Before the first game.
    pub fn new(bots: usize) -> Self {
        Tally {
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

    /// Counts a game; they come in order.
    pub fn add(&mut self, plan: &Plan, row: &Row) {
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

    /// The share of games that a bot won, shared victories divided.
    pub fn share(&self, bot: usize) -> f64 {
        self.parts[bot] as f64 / WHOLE as f64 / self.games.max(1) as f64
    }

    /// The 95 % interval of the share of games that a bot won alone.
    pub fn interval(&self, bot: usize) -> Interval {
        wilson(self.wins[bot] as f64, self.games)
    }

    /// Everything as data.
    pub fn as_data(&self, plan: &Plan) -> Value {
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
