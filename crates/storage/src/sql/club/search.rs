//! Searching the archive.

use crate::club::{ArchivedGame, ArchivedSeat, CLUB_PAGE, ExploredMove, GameQuery, PositionKey, SeatResult};
use crate::sql::{SqlConnection, SqlRow, SqlValue, values};
use sqlx::AssertSqlSafe;

/// The columns of a game.
const GAME: &str =
    "SELECT number, game_id, game, rules, events, ending, unrated, published, bytes FROM club_games";

/// Converts a row of [`GAME`] to a game without its seats. Any other ending than `played` counts as dropped.
///
/// # Errors
///
/// Fails with a decoding error if a column has another type, length or range.
fn from_row(row: &SqlRow) -> Result<ArchivedGame, sqlx::Error> {
    Ok(ArchivedGame {
        number: row.unsigned(0)?,
        id: row.array(1)?,
        game: row.text(2)?,
        rules: row.unsigned(3)?,
        events: row.unsigned(4)?,
        is_played: row.text(5)? == "played",
        unrated: row.text(6)?,
        published: row.unsigned(7)?,
        bytes: row.unsigned(8)?,
        seats: Vec::new(),
    })
}

/// Converts a row with the columns identity, name, result, rank, score, is_bot and has_left to a seat.
///
/// # Errors
///
/// Fails with a decoding error if the result is unknown, or a column has another type, length or range.
fn seat_from_row(row: &SqlRow) -> Result<ArchivedSeat, sqlx::Error> {
    let word = row.text(2)?;
    let unknown = || sqlx::Error::Decode(format!("the result {word}").into());
    Ok(ArchivedSeat {
        identity: row.array(0)?,
        name: row.text(1)?,
        result: SeatResult::from_word(&word).ok_or_else(unknown)?,
        rank: row.unsigned(3)?,
        score: row.integer(4)?,
        is_bot: row.integer(5)? != 0,
        has_left: row.integer(6)? != 0,
    })
}

/// Reads games and their seats, in the order of the query. `rest` is the SQL after the columns (conditions, order,
/// limit) and is not escaped; `values` are its parameters.
///
/// # Errors
///
/// Fails if the database does, or a row cannot be decoded.
async fn games(
    read: &mut SqlConnection,
    rest: &str,
    values: &[SqlValue],
) -> Result<Vec<ArchivedGame>, sqlx::Error> {
    let rows = read.rows(AssertSqlSafe(format!("{GAME} {rest}")), values).await?;
    let mut games = rows.iter().map(from_row).collect::<Result<Vec<_>, _>>()?;
    let seats = "SELECT identity, name, result, rank, score, is_bot, has_left
        FROM club_seats WHERE number = $1 ORDER BY seat";
    for game in &mut games {
        let rows = read.rows(seats, values![game.number]).await?;
        game.seats = rows.iter().map(seat_from_row).collect::<Result<_, _>>()?;
    }
    Ok(games)
}

/// The conditions of a search and their parameters.
#[derive(Default)]
struct Conditions {
    sql: String,
    values: Vec<SqlValue>,
}

impl Conditions {
    /// Adds a condition with one parameter, which stands where the text has `?`, after `WHERE` for the first one, else
    /// after `AND`. The text must be a constant: only the value is escaped.
    fn add(&mut self, condition: &'static str, value: impl Into<SqlValue>) {
        self.values.push(value.into());
        let parameter = format!("${}", self.values.len());
        let word = if self.sql.is_empty() { "WHERE" } else { "AND" };
        self.sql.push_str(&format!("{word} {} ", condition.replace('?', &parameter)));
    }
}

/// Reads the games that match all conditions of a search with their seats, the highest number first, at most
/// [`CLUB_PAGE`]. A result without a player is ignored.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn find(
    read: &mut SqlConnection,
    query: &GameQuery,
) -> Result<Vec<ArchivedGame>, sqlx::Error> {
    let mut conditions = Conditions::default();
    if let Some(player) = &query.player {
        conditions.add("number IN (SELECT number FROM club_seats WHERE identity = ?", player);
        if let Some(result) = query.result {
            conditions.add("result = ?", result.word());
        }
        conditions.sql.push_str(") ");
    }
    if let Some(game) = &query.game {
        conditions.add("game = ?", game.as_str());
    }
    if let Some(seats) = query.seats {
        conditions.add("seats = ?", seats);
    }
    if let Some(since) = query.since {
        conditions.add("published >= ?", since);
    }
    if let Some(until) = query.until {
        conditions.add("published < ?", until);
    }
    if let Some(before) = query.before {
        conditions.add("number < ?", before);
    }
    let rest = format!("{} ORDER BY number DESC LIMIT {CLUB_PAGE}", conditions.sql);
    games(read, &rest, &conditions.values).await
}

/// Reads the archived game whose table has the identifier `id`, with its seats; `None` if it is not archived.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn by_id(
    read: &mut SqlConnection,
    id: &[u8; 32],
) -> Result<Option<ArchivedGame>, sqlx::Error> {
    Ok(games(read, "WHERE game_id = $1", values![id]).await?.pop())
}

/// Reads the game with the smallest number above `after` with its seats, and its record; `None` if there is none.
///
/// # Errors
///
/// Fails if the database does, or the record of the game is missing.
pub(super) async fn next_record(
    read: &mut SqlConnection,
    after: u64,
) -> Result<Option<(ArchivedGame, Vec<u8>)>, sqlx::Error> {
    let next = games(read, "WHERE number > $1 ORDER BY number LIMIT 1", values![after]).await?.pop();
    let Some(game) = next else { return Ok(None) };
    let record = "SELECT record FROM club_records WHERE number = $1";
    let record = read.row(record, values![game.number]).await?.ok_or(sqlx::Error::RowNotFound)?;
    Ok(Some((game, record.bytes(0)?)))
}

/// Reads what was played in a position, the most frequent first and equals by their texts, at most [`CLUB_PAGE`]; empty
/// for an unknown position.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn explore(
    read: &mut SqlConnection,
    position: &PositionKey,
) -> Result<Vec<ExploredMove>, sqlx::Error> {
    let find = "SELECT action, games, wins, points FROM club_moves WHERE position = $1";
    let rows = read.rows(find, values![position]).await?;
    let explored = |row: &SqlRow| {
        Ok(ExploredMove {
            action: row.text(0)?,
            games: row.unsigned(1)?,
            wins: row.unsigned(2)?,
            points: row.unsigned(3)?,
        })
    };
    let mut moves = rows.iter().map(explored).collect::<Result<Vec<_>, sqlx::Error>>()?;
    // Sorted here: the two databases order texts differently.
    moves.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.action.cmp(&b.action)));
    moves.truncate(CLUB_PAGE as usize);
    Ok(moves)
}
