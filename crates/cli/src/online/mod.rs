//! Online tables: what `host` and `join` share.

mod listing;
mod seat;
mod store;
mod terminal;
mod turns;

pub(crate) use listing::{Listing, is_server};
pub(crate) use seat::Seat;
pub(crate) use store::{JOURNAL, Kept, OpenSeat, Store};

use crate::ca::CaArg;
use crate::command_error::{CommandError, Outcome};
use crate::identity::IdentityArg;
use pentarchy_bots::Spec;
use pentarchy_identity::IdentityKey;
use std::path::PathBuf;

/// Arguments of a player at an online table.
#[derive(clap::Args)]
pub(crate) struct Sitting {
    /// Your name at the table
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Let a bot play: random, recruit, captain or emperor
    #[arg(long, value_name = "LEVEL")]
    pub(crate) bot: Option<Spec>,

    /// Write the signed record of the match to this file when it is over
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,

    /// The folder in which the match is stored, so that it can be resumed after a crash [default: in your data
    /// folder]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,

    /// Let the server notify you when it is your turn and you are away. You subscribe on the page of the server, with
    /// the same identity
    #[arg(long)]
    pub(crate) notify: bool,

    #[command(flatten)]
    identity: IdentityArg,

    #[command(flatten)]
    pub(crate) ca: CaArg,
}

impl Sitting {
    /// Returns the name of the player: the one of `--name`, else that of the account (`USER`), without surrounding
    /// spaces; `Guest` if that is empty or there is none.
    ///
    /// # Errors
    ///
    /// Fails if the name is longer than 16 characters, or contains `@` or a control character.
    pub(crate) fn name(&self) -> Outcome<String> {
        let name = self.name.clone().or_else(|| std::env::var("USER").ok()).unwrap_or_default();
        let name = if name.trim().is_empty() { "Guest" } else { name.trim() };
        let fits = name.chars().count() <= 16 && !name.contains('@') && !name.chars().any(char::is_control);
        if !fits {
            let why = format!("`{name}` cannot be a name: 1 to 16 characters, without @");
            return Err(CommandError::usage(why).hint("give another with --name"));
        }
        Ok(name.to_owned())
    }

    /// Returns the identity of this device, or of the file of `--identity`. Creates and stores one if there is none.
    /// Asks for the passphrase of an encrypted one on the terminal.
    ///
    /// # Errors
    ///
    /// Fails if the identity cannot be read, opened or stored, or the system gives no random numbers for a new one.
    pub(crate) fn identity(&self) -> Outcome<IdentityKey> {
        self.identity.keyring().load_or_create()
    }

    /// Returns the folder in which matches are stored: the argument, else `pentarchy` in `XDG_DATA_HOME`,
    /// in `.local/share` of `HOME`, or in `LOCALAPPDATA`, whichever variable is set first and not empty
    /// (the folder for temporary files if none is). It need not exist.
    pub(crate) fn folder(&self) -> PathBuf {
        let of =
            |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
        let usual = || of("XDG_DATA_HOME").or_else(|| of("HOME").map(|home| home.join(".local/share")));
        let usual = || usual().or_else(|| of("LOCALAPPDATA")).unwrap_or_else(std::env::temp_dir);
        self.data.clone().unwrap_or_else(|| usual().join("pentarchy"))
    }
}

/// Returns `N` bytes from the operating system's random generator, fit for keys.
///
/// # Errors
///
/// Fails with a usage error if the system provides none.
pub(crate) fn random_bytes<const N: usize>() -> Outcome<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        CommandError::usage(format_args!("the operating system returned no random bytes: {error}"))
    })?;
    Ok(bytes)
}

/// Returns the game of exactly this name from the registry, in the form that the lobby wants; `None` if there is none.
pub(crate) fn find(name: &str) -> Option<&'static dyn pentarchy_engine::AnyGame> {
    pentarchy_registry::find(name).ok()
}
