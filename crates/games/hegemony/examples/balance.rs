//! How long games are and who wins them: `cargo run --release -p pentarchy-hegemony --example balance`.
//!
//! Prints the tables of the balance section of the rules, with the sensible player of `heuristic.rs` in all
//! seats, with one of them among random players, and with random players alone.

use pentarchy_engine::{Heuristic, Node, Position, Rng, Seat, options};
use pentarchy_hegemony::{Action, Ending, Hegemony, Options, Side};

type Error = Box<dyn std::error::Error>;

/// What was seen in a number of games.
#[derive(Default)]
struct Tally {
    games: u32,
    rounds: Vec<u16>,
    decisions: u64,
    wins: [u32; 6],
    firsts: [u32; 6],
    empire: u32,
    capped: u32,
    living: u32,
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

/// Plays one game of `seats` seats from this seed and adds it to the tally. Equal arguments give equal games. Which
/// seats use the heuristic rotates with the seed; the tally counts wins by place among the players, not by seat.
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

/// Prints a line of the table: percentiles of the rounds, shares of wins, first ranks, victories of the Empire and
/// games at the cap in percent, and means. Sorts the rounds of the tally, which must have a game.
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

/// Runs `balance [GAMES] [NAME=VALUE ...]` (300 games per line by default) and prints the tables; besides the options
/// there is `fresh`, see [`Players`].
///
/// # Errors
///
/// Fails if an argument is malformed or the rules reject an event.
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
