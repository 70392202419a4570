//! The sensible player: better than chance, and games of the length that the rules promise.

use pentarchy_engine::{Outcome, Position, Rng, Seat};
use pentarchy_testkit::advised::play_advised;
use pentarchy_vires::{Options, Vires};
use std::error::Error;

/// Who plays a seat.
#[derive(Clone, Copy, PartialEq)]
enum Player {
    Sensible,
    Random,
}

/// A game, with the number of its last round.
fn game(players: &[Player], seed: u64) -> Result<(Outcome, u16), Box<dyn Error>> {
    let mut rng = Rng::new(seed);
    let seats = players.len() as u8;
    let mut game = Position::<Vires>::new(seats, &Options::default())?;
    let is_sensible = |seat: Seat| players[seat.index()] == Player::Sensible;
    let outcome = play_advised(&mut game, is_sensible, &mut rng, |_, _, _| {})?;
    Ok((outcome, game.state().round()))
}

/// The share of games that a seat wins, a shared victory counting as a part.
fn share(outcome: &Outcome, seat: Seat) -> f64 {
    let winners = outcome.winners().count() as f64;
    if outcome.rank(seat) == 1 { 1.0 / winners } else { 0.0 }
}

/// What many games among equals show.
struct Series {
    /// Which part of the games each seat wins, in percent.
    shares: Vec<f64>,
    /// The last rounds, ascending.
    rounds: Vec<u16>,
    capped: u32,
}

impl Series {
    fn play(player: Player, seats: u8, games: u64) -> Result<Self, Box<dyn Error>> {
        let mut series = Series { shares: vec![0.0; seats.into()], rounds: Vec::new(), capped: 0 };
        for seed in 0..games {
            let (outcome, round) = game(&vec![player; seats.into()], seed)?;
            series.rounds.push(round);
            series.capped += u32::from(outcome.is_capped());
            for p in (0..seats).map(Seat) {
                series.shares[p.index()] += share(&outcome, p) * 100.0 / games as f64;
            }
        }
        series.rounds.sort_unstable();
        Ok(series)
    }

    /// Returns the round by which this number of tenths of the games have ended.
    fn round(&self, tenths: usize) -> u16 {
        self.rounds[(self.rounds.len() - 1) * tenths / 10]
    }

    fn print(&self, who: &str) {
        let shares: Vec<String> = self.shares.iter().map(|s| format!("{s:.1}")).collect();
        let rounds = [1, 5, 9, 10].map(|tenths| self.round(tenths).to_string());
        let games = self.rounds.len();
        let (n, shares, rounds) = (self.shares.len(), shares.join(" / "), rounds.join(" / "));
        println!("{n} {who}: seats {shares} %, rounds {rounds}, {} of {games} at the cap", self.capped);
    }
}

/// The balance section of the book is made of these lines: `GAMES=2000 cargo test --release`.
fn games() -> u64 {
    std::env::var("GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(40)
}

#[test]
fn sensible_games_have_the_lengths_of_the_book() -> Result<(), Box<dyn Error>> {
    let medians = [(24, 48), (14, 32), (9, 20), (6, 14), (4, 9)];
    for (seats, (least, most)) in (2..=6).zip(medians) {
        let series = Series::play(Player::Sensible, seats, games())?;
        series.print("sensible players");
        let median = series.round(5);
        assert!((least..=most).contains(&median), "{seats} players: a median of {median} rounds");
    }
    Ok(())
}

#[test]
fn random_games_have_the_lengths_of_the_book() -> Result<(), Box<dyn Error>> {
    let medians = [(90, 100), (45, 66), (25, 50), (14, 32), (7, 18)];
    for (seats, (least, most)) in (2..=6).zip(medians) {
        let series = Series::play(Player::Random, seats, games())?;
        series.print("random players");
        let median = series.round(5);
        assert!((least..=most).contains(&median), "{seats} players: a median of {median} rounds");
    }
    Ok(())
}

#[test]
fn one_among_random_players_wins_most_games() -> Result<(), Box<dyn Error>> {
    for seats in 2..=6u8 {
        let mut won = 0.0;
        for seed in 0..games() {
            let mut players = vec![Player::Random; seats.into()];
            let seat = Seat((seed % u64::from(seats)) as u8);
            players[seat.index()] = Player::Sensible;
            won += share(&game(&players, seed)?.0, seat);
        }
        let percent = 100.0 * won / games() as f64;
        println!("one among {} random players wins {percent:.1} %", seats - 1);
        assert!(percent >= 60.0 && (seats > 2 || percent >= 90.0), "{seats} players: {percent} %");
    }
    Ok(())
}
