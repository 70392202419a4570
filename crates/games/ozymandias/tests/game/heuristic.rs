//! The sensible player: better than chance, and games of the lengths that the rules promise.

use pentarchy_engine::{Describe, Outcome, Position, Rng, Seat};
use pentarchy_ozymandias::{Action, Options, Ozymandias};
use pentarchy_testkit::advised::play_advised;
use std::error::Error;

/// Who plays a seat.
#[derive(Clone, Copy, PartialEq)]
enum Player {
    Sensible,
    Random,
}

/// What one game shows.
struct Played {
    outcome: Outcome,
    /// The seat that began.
    first: Seat,
    turns: u64,
    decisions: u64,
    bankrupt: bool,
    /// How often a turn was an expansion, a crisis, an exploration.
    actions: [u64; 3],
}

fn game(players: &[Player], seed: u64) -> Result<Played, Box<dyn Error>> {
    let mut rng = Rng::new(seed);
    let mut game = Position::<Ozymandias>::new(players.len() as u8, &Options::default())?;
    let (mut first, mut decisions, mut actions) = (None, 0, [0; 3]);
    let is_sensible = |seat: Seat| players[seat.index()] == Player::Sensible;
    let outcome = play_advised(&mut game, is_sensible, &mut rng, |game, _, action| {
        first = first.or(game.actor());
        decisions += 1;
        match action {
            Action::Expand(_) => actions[0] += 1,
            Action::Crisis => actions[1] += 1,
            Action::Explore(_) => actions[2] += 1,
            _ => {}
        }
    })?;
    let end = game.state().picture();
    Ok(Played {
        outcome,
        first: first.ok_or("no decision")?,
        turns: end["turn"].as_u64().ok_or("no turn")? + 1,
        decisions,
        bankrupt: !end["bankrupt"].is_null(),
        actions,
    })
}

/// What many games among equals show.
#[derive(Default)]
struct Series {
    /// Games won by each place in turn order.
    won: Vec<u64>,
    /// Turns, ascending.
    turns: Vec<u64>,
    decisions: u64,
    capped: u64,
    bankrupt: u64,
    actions: [u64; 3],
    /// The sum of the winners' scores.
    score: i64,
}

impl Series {
    fn play(player: Player, seats: u8, games: u64) -> Result<Self, Box<dyn Error>> {
        let mut series = Series { won: vec![0; seats.into()], ..Series::default() };
        for seed in 0..games {
            let played = game(&vec![player; seats.into()], seed)?;
            let winner = played.outcome.winners().next().ok_or("nobody has won")?;
            series.won[usize::from((winner.0 + seats - played.first.0) % seats)] += 1;
            series.turns.push(played.turns);
            series.decisions += played.decisions;
            series.capped += u64::from(played.outcome.is_capped());
            series.bankrupt += u64::from(played.bankrupt);
            series.score += i64::from(played.outcome.score(winner));
            (0..3).for_each(|i| series.actions[i] += played.actions[i]);
        }
        series.turns.sort_unstable();
        Ok(series)
    }

    fn percent(&self, count: u64) -> f64 {
        100.0 * count as f64 / self.turns.len() as f64
    }

    /// Returns the rounds within which this number of tenths of the games have ended.
    fn rounds(&self, tenths: usize) -> f64 {
        self.turns[(self.turns.len() - 1) * tenths / 10] as f64 / self.won.len() as f64
    }

    /// A row of the table in the book.
    fn print(&self, who: &str) {
        let games = self.turns.len() as u64;
        let won: Vec<String> = self.won.iter().map(|&w| format!("{:.0}", self.percent(w))).collect();
        let history = games - self.bankrupt - self.capped;
        let ends = [history, self.bankrupt, self.capped].map(|n| format!("{:.0}", self.percent(n)));
        let all = self.actions.iter().sum::<u64>();
        let shares = self.actions.map(|n| format!("{:.0}", 100.0 * n as f64 / all as f64));
        println!(
            "| {} {who} ({games}) | {} | {} | {:.1}, {:.1} | {} | {} | {} |",
            self.won.len(),
            won.join(" / "),
            ends.join(" / "),
            self.rounds(5),
            self.rounds(9),
            self.decisions / games,
            self.score / games as i64,
            shares.join(" / ")
        );
    }
}

/// The balance section of the book is made of these lines: `GAMES=1000 cargo test --release`.
fn games(usual: u64) -> u64 {
    std::env::var("GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

#[test]
fn sensible_games_have_the_lengths_of_the_book() -> Result<(), Box<dyn Error>> {
    for (seats, (least, most)) in (2..=5).zip([(15.0, 28.0), (9.0, 18.0), (6.0, 13.0), (4.0, 10.0)]) {
        let series = Series::play(Player::Sensible, seats, games(60))?;
        series.print("sensible");
        let median = series.rounds(5);
        assert!((least..=most).contains(&median), "{seats} players: a median of {median} rounds");
    }
    Ok(())
}

#[test]
fn random_games_have_the_lengths_of_the_book() -> Result<(), Box<dyn Error>> {
    for (seats, (least, most)) in (2..=5).zip([(3.0, 6.5), (1.6, 4.0), (1.2, 3.0), (1.0, 2.4)]) {
        let series = Series::play(Player::Random, seats, games(300))?;
        series.print("random");
        let median = series.rounds(5);
        assert!((least..=most).contains(&median), "{seats} players: a median of {median} rounds");
    }
    Ok(())
}

#[test]
fn one_among_random_players_wins_most_games() -> Result<(), Box<dyn Error>> {
    for (seats, least) in (2..=5u8).zip([90.0, 65.0, 45.0, 35.0]) {
        let (mut won, all) = (0, games(300));
        for seed in 0..all {
            let mut players = vec![Player::Random; seats.into()];
            let seat = Seat((seed % u64::from(seats)) as u8);
            players[seat.index()] = Player::Sensible;
            won += u64::from(game(&players, seed)?.outcome.rank(seat) == 1);
        }
        let percent = 100.0 * won as f64 / all as f64;
        println!("one among {} random players wins {percent:.1} %", seats - 1);
        assert!(percent >= least, "{seats} players: {percent} %");
    }
    Ok(())
}
