//! How long games are and who wins them: `cargo run --release -p pentarchy-hegemony --example balance`.
//!
//! Prints the tables of the balance section of the rules, with the sensible player of `heuristic.rs` in all
//! seats, with one of them among random players, and with random players alone.

use pentarchy_engine::{Heuristic, Node, Position, Rng, Seat, options};
use pentarchy_hegemony::{Action, Ending, Hegemony, Options, Side};

/// Any error; the program prints it and exits.
type Error = Box<dyn std::error::Error>;

/// Counts over games with equal options and seats. `wins` and `firsts` are indexed by seat, or by distance
/// from the seat that uses the heuristic if not all do.
#[derive(Default)]
struct Tally {
    /// Number of games.
    games: u32,
    /// The last round of each game, in the order of play.
    rounds: Vec<u16>,
    /// Decisions in all games; the forced choice of how a drawn card lies is not counted.
    decisions: u64,
    /// Games that each place has won, shared victories included.
    wins: [u32; 6],
    /// Games in which each place had rank 1, whether or not a player won.
    firsts: [u32; 6],
    /// Games that no player won.
    empire: u32,
    /// Games that ended with the last round allowed.
    capped: u32,
    /// Players alive at the end, summed over the games.
    living: u32,
    /// The longest list of legal actions.
    widest: usize,
}

/// Who plays, and how.
#[derive(Clone, Copy)]
struct Players {
    /// The seats below this use the heuristic, the others choose at random.
    sensible: u8,
    /// Percentage of turns after the Empire's fall in which a sensible player draws fresh cards regardless of
    /// ratings.
    fresh: u32,
}

/// Plays one game of `seats` seats from this seed and adds it to the tally. Equal arguments give equal games.
/// A seat with the heuristic plays one of its best-rated actions at random. The seats that use it rotate with
/// the seed; unless all do, the tally counts by distance from the first of them.
///
/// # Errors
///
/// Fails if the options are invalid or the rules reject an event.
fn play(seats: u8, options: &Options, players: Players, seed: u64, tally: &mut Tally) -> Result<(), Error> {
    let Players { sensible, fresh } = players;
    let mut game = Position::<Hegemony>::new(seats, options)?;
    let mut rng = Rng::stream(seed, u64::from(seats));
    // The sensible ones sit elsewhere in each game.
    let shift = (seed % u64::from(seats)) as u8;
    let (mut list, mut rates) = (Vec::new(), Vec::new());
    loop {
        game.settle(&mut rng, &mut list)?;
        let Node::Decide(seat) = game.node() else { break };
        game.legal(&mut list)?;
        tally.widest = tally.widest.max(list.len());
        tally.decisions += u64::from(list.len() > 1 || !matches!(list[0], Action::Enter(_)));
        let thinks = (seat.0 + seats - shift) % seats < sensible;
        if thinks {
            rates.clear();
            game.state().rate(&game.own(seat), &list, &mut rates);
            let fallen = !game.state().is_in(Side::EMPIRE);
            if fresh > 0 && fallen && list.contains(&Action::Fresh) && rng.below(100) >= 100 - fresh {
                rates = list.iter().map(|&action| i32::from(action == Action::Fresh)).collect();
            }
            let best = rates.iter().copied().max().unwrap_or(0);
            let mut keep = rates.iter();
            list.retain(|_| keep.next() == Some(&best));
        }
        game.play(list[rng.below(list.len() as u32) as usize])?;
    }
    let (state, outcome) = (game.state(), game.outcome().ok_or("no outcome")?);
    tally.games += 1;
    tally.rounds.push(state.round());
    let place = |seat: u8| if sensible == seats { seat } else { (seat + seats - shift) % seats };
    tally.empire += u32::from(!outcome.is_won());
    tally.capped += u32::from(state.ending() == Some(Ending::Cap));
    outcome.winners().for_each(|s| tally.wins[usize::from(place(s.0))] += 1);
    for s in (0..seats).filter(|&s| outcome.rank(Seat(s)) == 1) {
        tally.firsts[usize::from(place(s))] += 1;
    }
    tally.living += (0..seats).filter(|&s| state.is_in(Side(s))).count() as u32;
    Ok(())
}

/// Prints a line of the table: number of games; rounds at the 10th, 50th, 90th and 100th percentile; shares
/// of wins and first ranks by place, of victories of the Empire and of games at the cap, in percent; mean of
/// the players alive at the end and of the decisions per game; the longest list of actions. Sorts the rounds
/// of the tally. Panics if the tally has no game.
fn print_line(name: &str, seats: u8, tally: &mut Tally) {
    tally.rounds.sort_unstable();
    let at = |percent: usize| tally.rounds[(tally.rounds.len() - 1) * percent / 100];
    let share = |n: u32| (f64::from(100 * n) / f64::from(tally.games)).round();
    let shares = |counts: &[u32; 6]| {
        counts[..usize::from(seats)].iter().map(|&n| share(n).to_string()).collect::<Vec<_>>().join(" ")
    };
    println!(
        "{name:>22} | {seats} | {:>6} | {} / {} / {} / {} | wins {} | first {} | Empire {} | cap {} | alive {:.2} | {} decisions, widest {}",
        tally.games,
        at(10),
        at(50),
        at(90),
        at(100),
        shares(&tally.wins),
        shares(&tally.firsts),
        share(tally.empire),
        share(tally.capped),
        f64::from(tally.living) / f64::from(tally.games),
        tally.decisions / u64::from(tally.games),
        tally.widest
    );
}

/// Runs `balance [GAMES] [NAME=VALUE ...]` and prints one line for each mix of players and each number of
/// seats from 1 to 6, over GAMES games (300 by default) with the seeds from 0. NAME is an option of the game,
/// or `fresh`, which sets [`Players::fresh`] (0 by default, at most 100).
///
/// # Errors
///
/// Fails if an argument is malformed, an option does not exist or does not fit, or the rules reject an event.
fn main() -> Result<(), Error> {
    let mut args = std::env::args().skip(1);
    let games = args.next().map_or(Ok(300), |n| n.parse())?;
    let (mut chosen, mut fresh) = (Options::default(), 0);
    for arg in args {
        match arg.split_once('=').ok_or("options are given as NAME=VALUE")? {
            ("fresh", percent) => fresh = percent.parse::<u32>()?.min(100),
            (name, value) => options::set(&mut chosen, name, value)?,
        }
    }
    for (name, sensible) in [("sensible", u8::MAX), ("one among random", 1), ("random", 0)] {
        for seats in 1..=6 {
            if sensible == 1 && seats == 1 {
                continue;
            }
            let mut tally = Tally::default();
            for seed in 0..games {
                let players = Players { sensible: sensible.min(seats), fresh };
                play(seats, &chosen, players, seed, &mut tally)?;
            }
            print_line(name, seats, &mut tally);
        }
    }
    Ok(())
}
