//! Ratings in a database.

use crate::club::{
    ArchivedGame, CLUB_PAGE, LeaderboardQuery, PlayerKey, PlayerRating, PlayerTotals, RatingMethod,
    RatingPoint, SkillEstimate,
};
use crate::sql::{SqlConnection, SqlRow, values};

/// Games that are read at once when all ratings are computed again.
const GAMES_AT_ONCE: u32 = 500;

/// What ratings need to know about a game.
pub(super) struct RatedGame {
    number: u64,
    game: String,
    players: Vec<PlayerKey>,
    ranks: Vec<u8>,
    /// Whether each seat won.
    wins: Vec<bool>,
}

impl RatedGame {
    /// Returns what ratings need to know about a game, with this number instead of its own. Whether it is rated is not
    /// checked. A draw counts as a win of nobody.
    pub(super) fn of(number: u64, game: &ArchivedGame) -> Self {
        use crate::club::SeatResult;
        RatedGame {
            number,
            game: game.game.clone(),
            players: game.seats.iter().map(|seat| seat.identity).collect(),
            ranks: game.seats.iter().map(|seat| seat.rank).collect(),
            wins: game.seats.iter().map(|seat| seat.result == SeatResult::Won).collect(),
        }
    }
}

/// The stored rating of a player.
struct RatingRow {
    estimate: SkillEstimate,
    games: u64,
    wins: u64,
}

/// Changes the ratings of the players of a game and appends them to the history. A player without a rating in this game
/// and number of seats gets the initial one first. The caller must add games in the order of their numbers, each once,
/// must have checked that they are rated, and must commit.
///
/// # Errors
///
/// Fails if the database does, also if the game was added before.
pub(super) async fn add_game(
    write: &mut SqlConnection,
    game: &RatedGame,
    method: &dyn RatingMethod,
) -> Result<(), sqlx::Error> {
    let seats = game.players.len() as u32;
    let find = "SELECT mean, deviation, games, wins FROM club_ratings
        WHERE game = $1 AND seats = $2 AND identity = $3";
    let mut rows = Vec::with_capacity(game.players.len());
    for identity in &game.players {
        let row = write.row(find, values![game.game.as_str(), seats, identity]).await?;
        rows.push(match row {
            Some(row) => RatingRow {
                estimate: SkillEstimate { mean: row.integer(0)?, deviation: row.integer(1)? },
                games: row.unsigned(2)?,
                wins: row.unsigned(3)?,
            },
            None => RatingRow { estimate: method.initial(), games: 0, wins: 0 },
        });
    }
    let before: Vec<SkillEstimate> = rows.iter().map(|row| row.estimate).collect();
    let after = method.update(&before, &game.ranks);
    let store = "INSERT INTO club_ratings (game, seats, identity, mean, deviation, floor, games, wins)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (game, seats, identity) DO UPDATE SET mean = excluded.mean, deviation = excluded.deviation,
        floor = excluded.floor, games = excluded.games, wins = excluded.wins";
    let note = "INSERT INTO club_rating_history (identity, game, seats, number, mean, deviation)
        VALUES ($1, $2, $3, $4, $5, $6)";
    for (((identity, row), estimate), is_won) in game.players.iter().zip(&rows).zip(&after).zip(&game.wins) {
        let SkillEstimate { mean, deviation } = *estimate;
        let (games, wins) = (row.games + 1, row.wins + u64::from(*is_won));
        let floor = estimate.floor();
        let name = game.game.as_str();
        write.execute(store, values![name, seats, identity, mean, deviation, floor, games, wins]).await?;
        write.execute(note, values![identity, name, seats, game.number, mean, deviation]).await?;
    }
    Ok(())
}

/// Deletes all ratings and their history, and computes them again from the rated games in the order of their numbers,
/// within a transaction that writes. Returns the number of rated games. The caller must commit.
///
/// # Errors
///
/// Fails if the database does; the caller must not commit then.
pub(super) async fn recompute(
    write: &mut SqlConnection,
    method: &dyn RatingMethod,
) -> Result<u64, sqlx::Error> {
    write.execute("DELETE FROM club_ratings", &[]).await?;
    write.execute("DELETE FROM club_rating_history", &[]).await?;
    let (mut after, mut count) = (0u64, 0);
    loop {
        let games =
            "SELECT number, game FROM club_games WHERE number > $1 AND unrated = '' ORDER BY number LIMIT $2";
        let games = write.rows(games, values![after, GAMES_AT_ONCE]).await?;
        if games.is_empty() {
            return Ok(count);
        }
        for row in games {
            after = row.unsigned(0)?;
            let game = read_rated(write, after, row.text(1)?).await?;
            add_game(write, &game, method).await?;
            count += 1;
        }
    }
}

/// Reads what ratings need to know about the archived game with this number, in the order of its seats. `game` is its
/// name. The lists are empty if there is no such game.
///
/// # Errors
///
/// Fails if the database does, or a column cannot be decoded.
async fn read_rated(read: &mut SqlConnection, number: u64, game: String) -> Result<RatedGame, sqlx::Error> {
    let seats = "SELECT identity, rank, result FROM club_seats WHERE number = $1 ORDER BY seat";
    let rows = read.rows(seats, values![number]).await?;
    let mut rated = RatedGame { number, game, players: Vec::new(), ranks: Vec::new(), wins: Vec::new() };
    for row in rows {
        rated.players.push(row.array(0)?);
        rated.ranks.push(row.unsigned(1)?);
        rated.wins.push(row.text(2)? == "won");
    }
    Ok(rated)
}

/// The columns of a rating with the name of the profile, and where they come from.
const RATING: &str =
    "SELECT r.identity, COALESCE(p.name, ''), r.game, r.seats, r.mean, r.deviation, r.games, r.wins
    FROM club_ratings r LEFT JOIN club_profiles p ON p.identity = r.identity";

/// Converts a row of [`RATING`] to a rating.
///
/// # Errors
///
/// Fails with a decoding error if a column has another type or is out of range.
fn from_row(row: &SqlRow) -> Result<PlayerRating, sqlx::Error> {
    Ok(PlayerRating {
        identity: row.array(0)?,
        name: row.text(1)?,
        game: row.text(2)?,
        seats: row.unsigned(3)?,
        estimate: SkillEstimate { mean: row.integer(4)?, deviation: row.integer(5)? },
        games: row.unsigned(6)?,
        wins: row.unsigned(7)?,
    })
}

/// Reads the ratings of a player, those with the most games first, then by name of the game and number of seats; empty
/// if there are none.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn of_player(
    read: &mut SqlConnection,
    identity: &PlayerKey,
) -> Result<Vec<PlayerRating>, sqlx::Error> {
    let find = sqlx::AssertSqlSafe(format!("{RATING} WHERE r.identity = $1"));
    let rows = read.rows(find, values![identity]).await?;
    let mut ratings = rows.iter().map(from_row).collect::<Result<Vec<_>, _>>()?;
    // Sorted here: the two databases order texts differently.
    ratings.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| (&a.game, a.seats).cmp(&(&b.game, b.seats))));
    Ok(ratings)
}

/// Reads a page of a leaderboard: the ratings with enough games, the highest floor first and equals by their keys,
/// after those to skip; at most [`CLUB_PAGE`].
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn leaderboard(
    read: &mut SqlConnection,
    query: &LeaderboardQuery,
) -> Result<Vec<PlayerRating>, sqlx::Error> {
    let find = sqlx::AssertSqlSafe(format!(
        "{RATING} WHERE r.game = $1 AND r.seats = $2 AND r.games >= $3
        ORDER BY r.floor DESC, r.identity LIMIT $4 OFFSET $5"
    ));
    let LeaderboardQuery { game, seats, least_games, skip } = query;
    let rows = read.rows(find, values![game.as_str(), *seats, *least_games, CLUB_PAGE, *skip]).await?;
    rows.iter().map(from_row).collect()
}

/// Reads the ratings of a player in a game with this number of seats after each game whose number is below `before`
/// (any for `None`), the newest first, at most [`CLUB_PAGE`].
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn history(
    read: &mut SqlConnection,
    identity: &PlayerKey,
    game: &str,
    seats: u8,
    before: Option<u64>,
) -> Result<Vec<RatingPoint>, sqlx::Error> {
    let find = "SELECT h.number, g.published, h.mean, h.deviation
        FROM club_rating_history h JOIN club_games g ON g.number = h.number
        WHERE h.identity = $1 AND h.game = $2 AND h.seats = $3 AND h.number < $4
        ORDER BY h.number DESC LIMIT $5";
    let before = before.unwrap_or(u64::MAX);
    let rows = read.rows(find, values![identity, game, seats, before, CLUB_PAGE]).await?;
    let point = |row: &SqlRow| {
        let estimate = SkillEstimate { mean: row.integer(2)?, deviation: row.integer(3)? };
        Ok(RatingPoint { number: row.unsigned(0)?, published: row.unsigned(1)?, estimate })
    };
    rows.iter().map(point).collect()
}

/// Counts the seats of a player in archived games, and those of them that the player left. A game with two seats of the
/// player counts twice.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn totals(
    read: &mut SqlConnection,
    identity: &PlayerKey,
) -> Result<PlayerTotals, sqlx::Error> {
    let count =
        "SELECT COUNT(*), COALESCE(CAST(SUM(has_left) AS BIGINT), 0) FROM club_seats WHERE identity = $1";
    let row = read.row(count, values![identity]).await?.ok_or(sqlx::Error::RowNotFound)?;
    Ok(PlayerTotals { games: row.unsigned(0)?, left: row.unsigned(1)? })
}
