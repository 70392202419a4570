//! Archiving a game.

use super::ratings;
use crate::club::{ArchiveOutcome, ArchiveUsage, NewGame, PlayedMove, RatingMethod};
use crate::sql::{SqlConnection, values};

/// Stores a game within a transaction that writes: record, seats, ratings (if it is rated), moves and totals. Returns
/// the number that it gets. Returns `Duplicate` with its number if the game of this table is stored already, and `Full`
/// if the records would have more than `most_bytes`; both without a change. `now` is in seconds since 1970; the time of
/// the newest game counts if that is later. The caller must have checked that the game is consistent, and must commit.
///
/// # Errors
///
/// Fails if the database does; the caller must not commit then.
pub(super) async fn store(
    write: &mut SqlConnection,
    new: &NewGame,
    method: &dyn RatingMethod,
    most_bytes: u64,
    now: u64,
) -> Result<ArchiveOutcome, sqlx::Error> {
    let game = &new.game;
    let twin = "SELECT number FROM club_games WHERE game_id = $1";
    if let Some(row) = write.row(twin, values![&game.id]).await? {
        return Ok(ArchiveOutcome::Duplicate(row.unsigned(0)?));
    }
    let totals = "SELECT games, bytes, newest FROM club_totals WHERE row_number = 1";
    let totals = write.row(totals, &[]).await?.ok_or(sqlx::Error::RowNotFound)?;
    let (games, bytes, newest) =
        (totals.unsigned::<u64>(0)?, totals.unsigned::<u64>(1)?, totals.unsigned::<u64>(2)?);
    if bytes.saturating_add(game.bytes) > most_bytes {
        return Ok(ArchiveOutcome::Full);
    }
    let (number, now) = (games + 1, now.max(newest));
    let insert = "INSERT INTO club_games
        (number, game_id, game, seats, rules, events, ending, unrated, published, bytes)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let ending = if game.is_played { "played" } else { "dropped" };
    let row = values![
        number,
        &game.id,
        game.game.as_str(),
        game.seats.len() as u32,
        game.rules,
        game.events,
        ending,
        game.unrated.as_str(),
        now,
        game.bytes,
    ];
    write.execute(insert, row).await?;
    let record = "INSERT INTO club_records (number, record) VALUES ($1, $2)";
    write.execute(record, values![number, &new.record[..]]).await?;
    store_seats(write, number, new).await?;
    if game.unrated.is_empty() {
        ratings::add_game(write, &ratings::RatedGame::of(number, game), method).await?;
    }
    for played in &new.moves {
        store_move(write, played).await?;
    }
    let sums = "UPDATE club_totals SET games = $1, bytes = bytes + $2, newest = $3 WHERE row_number = 1";
    write.execute(sums, values![number, game.bytes, now]).await?;
    Ok(ArchiveOutcome::Stored(number))
}

/// Stores the seats of a game with this number, in order. The caller must commit.
///
/// # Errors
///
/// Fails if the database does, also if a seat is stored already.
async fn store_seats(write: &mut SqlConnection, number: u64, new: &NewGame) -> Result<(), sqlx::Error> {
    let insert = "INSERT INTO club_seats
        (number, seat, identity, name, result, rank, score, is_bot, has_left)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    for (i, seat) in (0u8..).zip(&new.game.seats) {
        let row = values![
            number,
            i,
            &seat.identity,
            seat.name.as_str(),
            seat.result.word(),
            seat.rank,
            seat.score,
            seat.is_bot,
            seat.has_left,
        ];
        write.execute(insert, row).await?;
    }
    Ok(())
}

/// Counts a move once more in its position, with its win and points, for the explorer. The caller must commit.
///
/// # Errors
///
/// Fails if the database does.
async fn store_move(write: &mut SqlConnection, played: &PlayedMove) -> Result<(), sqlx::Error> {
    let count = "INSERT INTO club_moves (position, action, games, wins, points) VALUES ($1, $2, 1, $3, $4)
        ON CONFLICT (position, action) DO UPDATE SET games = club_moves.games + 1,
        wins = club_moves.wins + excluded.wins, points = club_moves.points + excluded.points";
    let row = values![&played.position, played.action.as_str(), played.is_won, played.points];
    write.execute(count, row).await?;
    Ok(())
}

/// Reads the number of archived games and the bytes of their records, from the totals.
///
/// # Errors
///
/// Fails if the database does, or if the row of totals is missing.
pub(super) async fn usage(read: &mut SqlConnection) -> Result<ArchiveUsage, sqlx::Error> {
    let totals = "SELECT games, bytes FROM club_totals WHERE row_number = 1";
    let row = read.row(totals, &[]).await?.ok_or(sqlx::Error::RowNotFound)?;
    Ok(ArchiveUsage { games: row.unsigned(0)?, bytes: row.unsigned(1)? })
}
