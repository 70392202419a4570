//! Shared parts of the games on a grid.

use pentarchy_engine::{GridPiece, Outcome, Seat, TableNumber};

/// Returns the piece of a seat (0 or 1) with the sign of this seat: `signs[seat]`.
pub fn piece(seat: usize, signs: [&'static str; 2]) -> GridPiece {
    GridPiece { seat: Some(Seat(seat as u8)), sign: signs[seat & 1].to_string(), id: None }
}

/// Returns the signs of seats 0 and 1, each as a number of its seat that the table shows under the name
/// `sign`.
pub fn signs(signs: [&'static str; 2]) -> Vec<TableNumber> {
    let sign = |(seat, sign): (u8, &str)| TableNumber {
        seat: Some(Seat(seat)),
        name: "sign",
        value: sign.to_string(),
    };
    (0..).zip(signs).map(sign).collect()
}

/// Returns the end of the log sentence about the last move of a board game: ` and wins`, `; the game is
/// drawn`, or nothing if `outcome` is `None` (the game goes on).
pub fn ending(outcome: Option<Outcome>) -> &'static str {
    match outcome.map(|outcome| outcome.winner()) {
        Some(Some(_)) => " and wins",
        Some(None) => "; the game is drawn",
        None => "",
    }
}

/// Builds a table of legal actions: entry `s` has the numbers of the bit set `s` in ascending order, padded
/// with 0 to length `N`, and their count. `SETS` must be at most 2 to the power of `N`. Copying from the
/// table replaces a search per position.
pub const fn lists<const N: usize, const SETS: usize>() -> [([u8; N], u8); SETS] {
    let mut lists = [([0; N], 0); SETS];
    let mut set = 0;
    while set < SETS {
        let mut i = 0;
        while i < N {
            if set >> i & 1 != 0 {
                let (list, count) = &mut lists[set];
                list[*count as usize] = i as u8;
                *count += 1;
            }
            i += 1;
        }
        set += 1;
    }
    lists
}
