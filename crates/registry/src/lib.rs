//! All games by name. A new game is one line in the dependencies of this crate's `Cargo.toml`.
//!
//! Each shipped game is a cargo feature. All are on by default; `--no-default-features --features vires`
//! builds one. `build.rs` reads the dependencies and writes [`with_games!`], from which all lists here
//! follow.

use pentarchy_engine::AnyGame;
use pentarchy_engine::notation::nearest;
use std::fmt;

include!(concat!(env!("OUT_DIR"), "/games.rs"));

/// Defines the lists of games.
macro_rules! lists {
    ($($name:ident: $game:ty,)*) => {
        /// All games of this build, in the order in which they are shown.
        pub static GAMES: &[&dyn AnyGame] = &[$(pentarchy_engine::any::any::<$game>(),)*];

        /// The arena of each game, in the order of [`GAMES`].
        #[cfg(feature = "arena")]
        pub static ARENAS: &[&dyn pentarchy_arena::AnyArena] = &[$(pentarchy_arena::arena::<$game>(),)*];

        /// The environments of each game, in the order of [`GAMES`].
        #[cfg(feature = "batch")]
        pub static ENVIRONMENTS: &[&dyn pentarchy_batch::AnyEnvironments] = &[$(pentarchy_batch::any::any::<$game>(),)*];

        /// The bots of each game, in the order of [`GAMES`].
        #[cfg(feature = "bots")]
        pub static BOTS: &[&dyn pentarchy_bots::AnyBots] = &[$(pentarchy_bots::any::any::<$game>(),)*];

        /// The checks of each game, in the order of [`GAMES`].
        #[cfg(feature = "tests")]
        pub static TESTS: &[&dyn pentarchy_testkit::any::AnyTests] = &[$(pentarchy_testkit::any::tests::<$game>(),)*];
    };
}

with_games!(lists);

/// Returns the checks of the game with exactly this name (lower case, words joined by hyphens) in type-erased
/// form: they run scenarios, and check laws in random games.
///
/// # Errors
///
/// Fails if this build has no such game; the message suggests a similar name or lists all.
#[cfg(feature = "tests")]
pub fn tests_of(name: &str) -> Result<&'static dyn pentarchy_testkit::any::AnyTests, UnknownGameError> {
    let found = TESTS.iter().copied().find(|tests| tests.game().info().name == name);
    found.ok_or_else(|| UnknownGameError { name: name.to_string(), near: near(name) })
}

/// Returns the environments of the game with exactly this name (lower case, words joined by hyphens): its
/// matches in numbers, for programs that learn, in type-erased form.
///
/// # Errors
///
/// Fails if this build has no such game; the message suggests a similar name or lists all.
#[cfg(feature = "batch")]
pub fn environments_of(
    name: &str,
) -> Result<&'static dyn pentarchy_batch::AnyEnvironments, UnknownGameError> {
    let found = ENVIRONMENTS.iter().copied().find(|environments| environments.game().info().name == name);
    found.ok_or_else(|| UnknownGameError { name: name.to_string(), near: near(name) })
}

/// Returns the arena of the game with exactly this name (lower case, words joined by hyphens): its
/// tournaments and laboratory in type-erased form.
///
/// # Errors
///
/// Fails if this build has no such game; the message suggests a similar name or lists all.
#[cfg(feature = "arena")]
pub fn arena_of(name: &str) -> Result<&'static dyn pentarchy_arena::AnyArena, UnknownGameError> {
    let found = ARENAS.iter().copied().find(|arena| arena.info().name == name);
    found.ok_or_else(|| UnknownGameError { name: name.to_string(), near: near(name) })
}

/// Returns the bots of the game with exactly this name (lower case, words joined by hyphens) in type-erased
/// form.
///
/// # Errors
///
/// Fails if this build has no such game; the message suggests a similar name or lists all.
#[cfg(feature = "bots")]
pub fn bots_of(name: &str) -> Result<&'static dyn pentarchy_bots::AnyBots, UnknownGameError> {
    let found = BOTS.iter().copied().find(|bots| bots.game().info().name == name);
    found.ok_or_else(|| UnknownGameError { name: name.to_string(), near: near(name) })
}

/// Returns the type-erased form of the game with exactly this name (lower case, words joined by hyphens).
///
/// # Errors
///
/// Fails if this build has no such game; the message suggests a similar name or lists all.
pub fn find(name: &str) -> Result<&'static dyn AnyGame, UnknownGameError> {
    let found = GAMES.iter().copied().find(|game| game.info().name == name);
    found.ok_or_else(|| UnknownGameError { name: name.to_string(), near: near(name) })
}

/// Returns the name of the game that is most similar to `name`; `None` if none is near. Ignores case, spaces
/// and hyphens, accepts a unique prefix of at least two characters, and allows small misspellings
/// ([`nearest`]).
fn near(name: &str) -> Option<&'static str> {
    let plain = |text: &str| text.to_lowercase().replace(['-', '_', ' '], "");
    let wanted = plain(name);
    let names = || GAMES.iter().map(|game| game.info().name);
    let same = names().find(|known| plain(known) == wanted);
    let mut begin = names().filter(|known| wanted.len() > 1 && plain(known).starts_with(&wanted));
    same.or_else(|| begin.next().filter(|_| begin.next().is_none())).or_else(|| nearest(name, names()))
}

/// There is no game of this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownGameError {
    /// The name that was asked for.
    name: String,
    /// The name of a similar game, if there is one.
    near: Option<&'static str>,
}

impl fmt::Display for UnknownGameError {
    /// Writes that there is no such game, with the nearest name or all names.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no game `{}`; ", self.name)?;
        match self.near {
            Some(near) => write!(f, "did you mean `{near}`?"),
            None => {
                let names: Vec<_> = GAMES.iter().map(|game| game.info().name).collect();
                write!(f, "there are {}", names.join(", "))
            }
        }
    }
}

impl std::error::Error for UnknownGameError {}
