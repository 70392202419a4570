//! The club of a server: `pentarchy serve` runs it in the same process, `pentarchy ratings` computes its ratings again.

use crate::command_error::{CommandError, Outcome};
use pentarchy_club::{ClubLimits, WengLinMethod, examine, routes};
use pentarchy_serve::{DatabaseArgs, ServeArgs, storage_error};
use pentarchy_server::ExtensionFactory;
use pentarchy_storage::club::ClubStorage as _;
use pentarchy_storage::{SqlStorage, StorageError};
use std::time::Duration;

// The arguments of `pentarchy serve`: those of the server, and whether it runs the club. The help is that of `ServeArgs`.
#[derive(clap::Args)]
pub(crate) struct ServeWithClub {
    #[command(flatten)]
    serve: ServeArgs,

    /// Whether to run the club: the archive of published records, ratings and the explorer, at /api/club. It uses the
    /// database of --data or --database
    #[arg(long, value_name = "on|off", value_enum, default_value_t = ClubSwitch::On, hide_possible_values = true)]
    club: ClubSwitch,
}

/// Whether a server runs the club.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ClubSwitch {
    On,
    Off,
}

/// Runs `pentarchy serve`: serves the page, the relay and the list of open tables until it is stopped, with the routes
/// of the club in the same process unless `--club off` is given.
///
/// # Errors
///
/// Fails if an argument is invalid, or the server or its database cannot start.
pub(crate) fn serve(args: &ServeWithClub) -> Outcome {
    let club: Option<ExtensionFactory> = match args.club {
        ClubSwitch::On => Some(Box::new(|host| routes(host.storage, ClubLimits::default()))),
        ClubSwitch::Off => None,
    };
    Ok(pentarchy_serve::run(&args.serve, club)?)
}

/// Check and recompute the ratings of a club
///
/// Ratings follow from the archived records alone, in the order in which they were archived. Without an option this
/// verifies every record of the archive again, as when it was published. --recompute computes all ratings from the
/// archive.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pentarchy ratings                         verify every archived record again
  pentarchy ratings --recompute
  pentarchy ratings --recompute --database postgres://pentarchy@localhost/pentarchy")]
pub(crate) struct RatingsArgs {
    /// Compute all ratings again; they are replaced at once
    #[arg(long)]
    recompute: bool,

    #[command(flatten)]
    database: DatabaseArgs,
}

/// The time that verifying one record may take here: nobody waits for it.
const PATIENCE: Duration = Duration::from_secs(3600);

/// What a check of the archive has found.
enum Checked {
    /// This many records are sound.
    Sound(u64),
    /// A record is not: its number, and why.
    Unsound(u64, String),
}

/// Verifies the records of an archive again, in the order of their numbers, and compares them with what is stored about
/// them. Stops at the first that does not verify within [`PATIENCE`] or differs, and returns its number and the reason;
/// else the number of archived games. Changes nothing.
///
/// # Errors
///
/// Fails if the storage does.
async fn verify_archive(storage: &SqlStorage) -> Result<Checked, StorageError> {
    let mut after = 0;
    while let Some((stored, record)) = storage.next_record(after).await? {
        after = stored.number;
        match examine(&record, PATIENCE) {
            Err(error) => return Ok(Checked::Unsound(after, error.to_string())),
            Ok(new) => {
                let mut game = new.game;
                (game.number, game.published) = (stored.number, stored.published);
                if game != stored {
                    return Ok(Checked::Unsound(after, "the database says something else about it".into()));
                }
            }
        }
    }
    Ok(Checked::Sound(storage.archive_usage().await?.games))
}

/// Runs `pentarchy ratings`: with `--recompute`, replaces all ratings by those that follow from the archive and prints
/// the number of rated games. Else verifies every archived record, changes nothing, and prints the number of records.
///
/// # Errors
///
/// Fails if the database cannot be used, or without `--recompute` if a record does not verify (a failed check, exit
/// code 1).
pub(crate) fn ratings(args: &RatingsArgs) -> Outcome {
    let location = args.database.location()?;
    let failed = |error: StorageError| CommandError::from(storage_error(&error));
    if args.recompute {
        let games = location.run(async |storage| storage.recompute_ratings(&WengLinMethod).await);
        let games = games.map_err(failed)?.map_err(failed)?;
        anstream::println!("ratings are computed from {games} rated games");
        return Ok(());
    }
    let checked = location.run(async |storage| verify_archive(storage).await);
    match checked.map_err(failed)?.map_err(failed)? {
        Checked::Sound(games) => {
            anstream::println!("all {games} records of the archive are sound");
            Ok(())
        }
        Checked::Unsound(number, why) => {
            Err(CommandError::Check(format!("game {number} of the archive: {why}")))
        }
    }
}
