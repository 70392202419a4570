//! What holds for every bot in every game.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper of a test fails as a test does")]

mod blind;
mod classics;
mod imagined;
mod kuhn;
mod observers;
mod one_ply;
mod search;
mod table;

/// A test for each game of the registry, of which `check::<Game>(seats)` is the body.
macro_rules! in_every_game {
    ($check:ident) => {
        pentarchy_registry::with_games!(test_games, $check);
    };
}
pub(crate) use in_every_game;

macro_rules! test_games {
    ($check:ident; $($name:ident: $game:ty,)*) => {
        $(
            #[test]
            fn $name() {
                let info = <$game as pentarchy_engine::Game>::INFO;
                $check::<$game>(info.default_seats.min(3).max(info.min_seats));
            }
        )*
    };
}
pub(crate) use test_games;
