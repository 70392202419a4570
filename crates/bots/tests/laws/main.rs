//! What holds for every bot in every game.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper of a test fails as a test does")]

mod blind;
mod classics;
mod imagined;
mod kuhn;
mod search;
mod table;

/// A test for each game, of which `check::<Game>(seats)` is the body.
macro_rules! in_every_game {
    ($check:ident) => {
        #[test]
        fn hegemony() {
            $check::<pentarchy_hegemony::Hegemony>(3);
        }
        #[test]
        fn numeral() {
            $check::<pentarchy_numeral::Numeral>(2);
        }
        #[test]
        fn ozymandias() {
            $check::<pentarchy_ozymandias::Ozymandias>(3);
        }
        #[test]
        fn vires() {
            $check::<pentarchy_vires::Vires>(3);
        }
        #[test]
        fn hestia() {
            $check::<pentarchy_hestia::Hestia>(2);
        }
        #[test]
        fn classics() {
            $check::<pentarchy_classics::TicTacToe>(2);
            $check::<pentarchy_classics::ConnectFour>(2);
            $check::<pentarchy_classics::Kuhn>(2);
            $check::<pentarchy_classics::Leduc>(2);
        }
    };
}
pub(crate) use in_every_game;
