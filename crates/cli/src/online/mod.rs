//! Tables with others, over the network: what `host` and `join` have in common.

mod listing;
mod seat;
mod store;
mod terminal;

pub(crate) use listing::{Listing, is_server};
pub(crate) use seat::Seat;
pub(crate) use store::{JOURNAL, Kept, Store};

use crate::ca::CaArg;
use crate::failure::{Failure, Outcome};
use crate::identity::IdentityArg;
use pentarchy_bots::Spec;
use pentarchy_identity::IdentityKey;
use std::path::PathBuf;

/// How one sits at a table with others.
#[derive(clap::Args)]
pub(crate) struct Sitting {
    /// What you are called
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Let a bot play: random, recruit, captain or emperor
    #[arg(long, value_name = "LEVEL")]
    pub(crate) bot: Option<Spec>,

    /// Write the signed record of the game to this file when it is over
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,

    /// Where the game is kept, so that it goes on after a crash [default: a folder of yours]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,

    #[command(flatten)]
    identity: IdentityArg,

    #[command(flatten)]
    pub(crate) ca: CaArg,
}

impl Sitting {
    /// The name given, or the one of the account.
    pub(crate) fn name(&self) -> Outcome<String> {
        let name = self.name.clone().or_else(|| std::env::var("USER").ok()).unwrap_or_default();
        let name = if name.trim().is_empty() { "Guest" } else { name.trim() };
        let fits = name.chars().count() <= 16 && !name.contains('@') && !name.chars().any(char::is_control);
        if !fits {
            let why = format!("`{name}` cannot be a name: 1 to 16 characters, without @");
            return Err(Failure::usage(why).hint("give another with --name"));
        }
        Ok(name.to_owned())
    }

    /// The identity of this device; it is created if there is none.
    pub(crate) fn identity(&self) -> Outcome<IdentityKey> {
        self.identity.keyring().load_or_create()
    }

    /// The folder in which games are kept.
    pub(crate) fn folder(&self) -> PathBuf {
        let of =
            |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
        let usual = || of("XDG_DATA_HOME").or_else(|| of("HOME").map(|home| home.join(".local/share")));
        let usual = || usual().or_else(|| of("LOCALAPPDATA")).unwrap_or_else(std::env::temp_dir);
        self.data.clone().unwrap_or_else(|| usual().join("pentarchy"))
    }
}

/// Fresh bytes from the operating system.
pub(crate) fn fresh<const N: usize>() -> Outcome<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::usage(format_args!("the system gives no random numbers: {error}")))?;
    Ok(bytes)
}

/// Finds a game by its name.
pub(crate) fn find(name: &str) -> Option<&'static dyn pentarchy_engine::AnyGame> {
    pentarchy_registry::find(name).ok()
}
