//! `pentarchy play`: play in the terminal, against bots or with several people at one keyboard.

mod bots;
mod command;
mod ending;
mod list;
pub(crate) mod names;
mod picker;
mod roles;
mod session;
mod ui;

pub(crate) use ending::ranking;

use crate::command_error::{CommandError, Outcome};
use crate::game_arg::{GameArg, Settings};
use crate::number::number;
use crate::style::{DIM, TITLE, paint};
use pentarchy_engine::{AnyGame, Seat};
use roles::{Role, SeatsArg};
use session::TerminalMatch;
use std::hash::{BuildHasher, Hasher};
use std::path::PathBuf;
use ui::Ui;

/// Play a game in the terminal
///
/// Without a game, one is picked from a list. At each of your decisions you see what has happened, the
/// table, and what you may do: type the number of an action, its notation, or part of its words to see
/// only what fits. `help` lists the other commands: hint, undo, rules, cards, log, save, quit.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pentarchy play                                    pick a game
  pentarchy play kuhn                               you against a bot
  pentarchy play tic-tac-toe --seats human,human --names Ada,Bob
  pentarchy play connect-four --seats emperor,human the strongest bot begins
  pentarchy play kuhn --save kuhn.jsonl             kept after every decision of yours
  pentarchy play --resume kuhn.jsonl                go on with it
  printf '5\\n1\\n9\\n3\\n7\\n' | pentarchy play tic-tac-toe --seed 1

Around one keyboard, where a game hides something, the screen is cleared between two people.
The seed, if none is given, is taken at random and shown: the same seed and the same decisions give the
same game.")]
pub(crate) struct Args {
    /// The game, as `pentarchy games` lists them
    #[arg(hide_possible_values = true)]
    game: Option<GameArg>,

    /// Who sits where: human, random, recruit, captain or emperor for each seat (an emperor can be given time
    /// or iterations: emperor:0.2s, emperor:500); or only how many seats, and you take the first [default:
    /// you against captains]
    #[arg(long, value_name = "WHO,…|N")]
    seats: Option<SeatsArg>,

    /// Names of the players
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    names: Vec<String>,

    /// The seed of dice, shuffles and bots [default: random]
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    seed: Option<u64>,

    #[command(flatten)]
    settings: Settings,

    /// Save the game in this file: at each of your decisions and at the end
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Resume a saved game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "seed", "set", "preset", "options"])]
    resume: Option<PathBuf>,
}

/// Runs `pentarchy play`: starts or resumes a match and plays it to the end, or until a person leaves. Saves it to the
/// file of `--save`, else to the one that it was resumed from, if any. Without a file it is not saved unless the person
/// asks for it.
///
/// # Errors
///
/// Fails if an argument is invalid, a file cannot be read or written, the output is closed, or the input ends before
/// the match is over.
pub(crate) fn run(args: &Args) -> Outcome {
    let mut ui = Ui::terminal();
    let mut session = match &args.resume {
        Some(file) => resume(args, file)?,
        None => start(args, &mut ui)?,
    };
    session.save_to(args.save.clone().or_else(|| args.resume.clone()));
    greet(&session, &mut ui)?;
    session.play(&mut ui)
}

/// Starts a new match of the arguments; asks for the game if none is given, and then for the seats if they are not
/// given either. Without a question, one person sits at the first seat and Captain bots at the others by default. The
/// seed is random if none is given. Plays and saves nothing.
///
/// # Errors
///
/// Fails if seats, names or options do not fit the game, the game has no bots, the input ends, or the output is closed.
fn start(args: &Args, ui: &mut Ui) -> Outcome<TerminalMatch> {
    let (game, picked) = match args.game {
        Some(game) => (game.0, false),
        None => (picker::pick(ui)?, true),
    };
    let seats = match &args.seats {
        Some(seats) => Some(seats.clone()),
        None if picked => picker::seats(ui, game)?,
        None => None,
    };
    let roles = roles(game, seats.as_ref())?;
    let options = args.settings.resolve(game, roles.len() as u8)?;
    let names = names::names(&roles, &args.names).map_err(CommandError::usage)?;
    TerminalMatch::start(game, roles, names, options, args.seed.unwrap_or_else(random_seed))
}

/// Resumes the match whose record is in `file`. Each decision of a person in it can be undone. Roles and names come
/// from the arguments, by default one person at the first seat among Captain bots.
///
/// # Errors
///
/// Fails if the file cannot be read or is not the full record of a match, or if the given seats or names do not fit.
fn resume(args: &Args, file: &std::path::Path) -> Outcome<TerminalMatch> {
    TerminalMatch::resume(file, |game, seats| {
        let given = args.seats.clone().unwrap_or(SeatsArg::Count(seats));
        let roles = roles(game, Some(&given))?;
        if roles.len() != usize::from(seats) {
            return Err(CommandError::usage(format_args!(
                "the saved game has {seats} seats, not {}",
                roles.len()
            )));
        }
        let names = names::names(&roles, &args.names).map_err(CommandError::usage)?;
        Ok((roles, names))
    })
}

/// Returns the role of each seat of the argument; without one, one person at the first seat and Captain bots at the
/// others, for the default number of seats of the game.
///
/// # Errors
///
/// Fails if the number of roles is not one that the game allows.
fn roles(game: &'static dyn AnyGame, seats: Option<&SeatsArg>) -> Outcome<Vec<Role>> {
    let info = game.info();
    let roles = seats.unwrap_or(&SeatsArg::Count(info.default_seats)).roles();
    let count = roles.len();
    if count < usize::from(info.min_seats) || count > usize::from(info.max_seats) {
        let range = crate::games::seats(&info);
        return Err(CommandError::usage(format_args!("{} is for {range}, not {count}", info.title))
            .hint("name who sits at each seat, e.g. --seats human,random"));
    }
    Ok(roles)
}

/// Returns a random seed below 1,000,000, short enough to type. Not fit for keys.
fn random_seed() -> u64 {
    std::collections::hash_map::RandomState::new().build_hasher().finish() % 1_000_000
}

/// Prints the title of the game with the seed if it is known, and the names of the players in the order of the seats,
/// each bot with its kind. If people play, also prints how to get help.
///
/// # Errors
///
/// Fails if the output is closed.
fn greet(session: &TerminalMatch, ui: &mut Ui) -> Outcome {
    let info = session.game().info();
    let seed = session.seed().map_or(String::new(), |seed| format!("seed {seed}"));
    ui.line(&format!("\n{}  {}", paint(TITLE, info.title), paint(DIM, seed)))?;
    let seats = (0..session.roles().len() as u8).map(Seat);
    let players: Vec<String> = seats
        .map(|seat| match session.roles()[seat.index()] {
            Role::Human => session.name(seat),
            Role::Bot(bot) => format!("{} {}", session.name(seat), paint(DIM, format_args!("({bot})"))),
        })
        .collect();
    ui.line(&players.join(", "))?;
    if session.roles().contains(&Role::Human) {
        ui.line(&paint(DIM, "Type `help` at any time."))?;
    }
    Ok(())
}
