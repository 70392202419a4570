//! Tournaments in a database.

use crate::StorageFuture;
use crate::club::{CLUB_PAGE, PlayerKey};
use crate::sql::{SqlConnection, SqlRow, SqlStorage, SqlTransaction, SqlValue, values};
use crate::tournament::{
    CreateTournamentOutcome, NewTournament, StoredTournament, TableTag, TournamentId, TournamentLimits,
    TournamentPhase, TournamentQuery, TournamentStorage, TournamentUpdate, UpdateTournamentOutcome,
};
use sqlx::AssertSqlSafe;

/// The condition that a tournament is open or running and was changed since the time in `$1`.
const UNFINISHED: &str = "(t.phase = 'open' OR t.phase = 'running') AND t.changed >= $1";

/// The condition that a tournament is abandoned: it is open or cancelled and was not changed since the time in `$1`.
const ABANDONED: &str = "(t.phase = 'open' OR t.phase = 'cancelled') AND t.changed < $1";

/// The columns of a tournament without its state.
const LISTED: &str = "t.tournament_id, t.number, t.organiser, t.phase, t.version, t.summary, t.changed";

impl TournamentStorage for SqlStorage {
    /// Stores a tournament as open and removes abandoned ones, in one transaction. Changes nothing if a limit is
    /// reached or its request was stored before.
    fn create_tournament(
        &self,
        new: NewTournament,
        limits: TournamentLimits,
        now: u64,
    ) -> StorageFuture<'_, CreateTournamentOutcome> {
        self.bounded(async move {
            let mut write = self.write().await?;
            let outcome = create(&mut write, &new, limits, now).await?;
            write.commit().await?;
            Ok(outcome)
        })
    }

    /// Replaces the state of a tournament that has the stated version, and stores who has entered or
    /// withdrawn, in one transaction. Changes nothing unless the outcome is `Stored`.
    fn update_tournament(
        &self,
        update: TournamentUpdate,
        limits: TournamentLimits,
        now: u64,
    ) -> StorageFuture<'_, UpdateTournamentOutcome> {
        self.bounded(async move {
            let mut write = self.write().await?;
            let outcome = change(&mut write, &update, limits, now).await?;
            write.commit().await?;
            Ok(outcome)
        })
    }

    /// Resolves to the tournament with this identifier, with its state; `None` if there is none.
    fn tournament(&self, id: TournamentId) -> StorageFuture<'_, Option<StoredTournament>> {
        self.bounded(async move {
            let find = format!("SELECT {LISTED}, t.state FROM club_tournaments t WHERE t.tournament_id = $1");
            let row = self.read().await?.row(AssertSqlSafe(find), values![&id]).await?;
            let with_state = |row: SqlRow| Ok(StoredTournament { state: row.text(7)?, ..from_row(&row)? });
            row.map(with_state).transpose()
        })
    }

    /// Resolves to at most [`CLUB_PAGE`] tournaments that match all conditions, without their states, the newest first.
    fn tournaments(&self, query: TournamentQuery) -> StorageFuture<'_, Vec<StoredTournament>> {
        self.bounded(async move {
            let mut sql = format!("SELECT {LISTED} FROM club_tournaments t WHERE t.number < $1");
            let mut values = vec![SqlValue::from(query.before.unwrap_or(u64::MAX))];
            if let Some(phase) = query.phase {
                values.push(phase.word().into());
                sql.push_str(&format!(" AND t.phase = ${}", values.len()));
            }
            if let Some(player) = &query.player {
                values.push(player.into());
                let own = "SELECT tournament_id FROM club_tournament_players WHERE identity";
                sql.push_str(&format!(" AND t.tournament_id IN ({own} = ${})", values.len()));
            }
            sql.push_str(&format!(" ORDER BY t.number DESC LIMIT {CLUB_PAGE}"));
            let rows = self.read().await?.rows(AssertSqlSafe(sql), &values).await?;
            rows.iter().map(from_row).collect()
        })
    }

    /// Resolves to the tournament to which the table with this tag belongs; `None` if there is none.
    fn tournament_of_table(&self, tag: TableTag) -> StorageFuture<'_, Option<TournamentId>> {
        self.bounded(async move {
            let find = "SELECT tournament_id FROM club_tournament_tables WHERE tag = $1";
            self.read().await?.row(find, values![&tag]).await?.map(|row| row.array(0)).transpose()
        })
    }
}

/// Converts a row of [`LISTED`] to a tournament without its state.
///
/// # Errors
///
/// Fails with a decoding error if the phase is unknown, or a column has another type, length or range.
fn from_row(row: &SqlRow) -> Result<StoredTournament, sqlx::Error> {
    let word = row.text(3)?;
    let unknown = || sqlx::Error::Decode(format!("the phase {word}").into());
    Ok(StoredTournament {
        id: row.array(0)?,
        number: row.unsigned(1)?,
        organiser: row.array(2)?,
        phase: TournamentPhase::from_word(&word).ok_or_else(unknown)?,
        version: row.unsigned(4)?,
        summary: row.text(5)?,
        state: String::new(),
        changed: row.unsigned(6)?,
    })
}

/// Runs a statement that selects one number, with `values` as its parameters, and returns it. The text is not
/// escaped.
///
/// # Errors
///
/// Fails if the database does.
async fn count(read: &mut SqlConnection, sql: String, values: &[SqlValue]) -> Result<u64, sqlx::Error> {
    read.row(AssertSqlSafe(sql), values).await?.ok_or(sqlx::Error::RowNotFound)?.unsigned(0)
}

/// Stores a new tournament as open, with version 1 and a number above all that were ever given. Then removes the open
/// and cancelled ones that were not changed within the lifetime, which count for no limit. Changes nothing, with the
/// outcome that says so, if its request or identifier is stored already or a limit is reached. `now` is in seconds
/// since 1970. The caller must commit.
///
/// # Errors
///
/// Fails if the database does; the caller must not commit then.
async fn create(
    write: &mut SqlTransaction,
    new: &NewTournament,
    limits: TournamentLimits,
    now: u64,
) -> Result<CreateTournamentOutcome, sqlx::Error> {
    let oldest = now.saturating_sub(limits.lifetime);
    let twin = "SELECT number FROM club_tournaments WHERE request = $1 OR tournament_id = $2";
    if write.row(twin, values![&new.request, &new.id]).await?.is_some() {
        return Ok(CreateTournamentOutcome::Duplicate);
    }
    let of_organiser =
        format!("SELECT COUNT(*) FROM club_tournaments t WHERE {UNFINISHED} AND t.organiser = $2");
    if count(write, of_organiser, values![oldest, &new.organiser]).await? >= limits.per_organiser.into() {
        return Ok(CreateTournamentOutcome::TooMany);
    }
    let unfinished = format!("SELECT COUNT(*) FROM club_tournaments t WHERE {UNFINISHED}");
    let kept = format!("SELECT COUNT(*) FROM club_tournaments t WHERE NOT ({ABANDONED})");
    if count(write, unfinished, values![oldest]).await? >= limits.unfinished.into()
        || count(write, kept, values![oldest]).await? >= limits.total.into()
    {
        return Ok(CreateTournamentOutcome::Full);
    }
    // The newest tournament is removed only together with the insertion of a newer one, so that no number is used twice.
    let newest = "SELECT COALESCE(MAX(number), 0) FROM club_tournaments".to_owned();
    let number = count(write, newest, &[]).await? + 1;
    for table in ["club_tournament_players", "club_tournament_tables", "club_tournaments"] {
        let remove = format!(
            "DELETE FROM {table} WHERE tournament_id IN (SELECT t.tournament_id FROM club_tournaments t WHERE {ABANDONED})"
        );
        write.execute(AssertSqlSafe(remove), values![oldest]).await?;
    }
    let insert = "INSERT INTO club_tournaments
        (tournament_id, number, request, organiser, phase, version, summary, state, changed)
        VALUES ($1, $2, $3, $4, 'open', 1, $5, $6, $7)";
    let NewTournament { id, request, organiser, summary, state } = new;
    let row = values![id, number, request, organiser, summary.as_str(), state.as_str(), now];
    write.execute(insert, row).await?;
    Ok(CreateTournamentOutcome::Stored)
}

/// Replaces phase, summary and state of a tournament that has the stated version, which increases by 1, and stores
/// who has entered or withdrawn and the tags of new tables. Changes nothing, with the outcome that says so, if there
/// is no such tournament with this version, or the player who enters has entered too many. The caller must commit.
///
/// # Errors
///
/// Fails if the database does; the caller must not commit then.
async fn change(
    write: &mut SqlTransaction,
    update: &TournamentUpdate,
    limits: TournamentLimits,
    now: u64,
) -> Result<UpdateTournamentOutcome, sqlx::Error> {
    let TournamentUpdate { id, version, phase, summary, state, entered, withdrawn, tags } = update;
    if let Some(identity) = entered
        && has_too_many(write, identity, limits, now).await?
    {
        return Ok(UpdateTournamentOutcome::TooMany);
    }
    let store = "UPDATE club_tournaments SET version = version + 1, phase = $3, summary = $4, state = $5, changed = $6
        WHERE tournament_id = $1 AND version = $2";
    let row = values![id, *version, phase.word(), summary.as_str(), state.as_str(), now];
    if write.execute(store, row).await? == 0 {
        return Ok(UpdateTournamentOutcome::Conflict);
    }
    if let Some(identity) = withdrawn {
        let remove = "DELETE FROM club_tournament_players WHERE identity = $1 AND tournament_id = $2";
        write.execute(remove, values![identity, id]).await?;
    }
    if let Some(identity) = entered {
        let insert = "INSERT INTO club_tournament_players (identity, tournament_id) VALUES ($1, $2)
            ON CONFLICT (identity, tournament_id) DO NOTHING";
        write.execute(insert, values![identity, id]).await?;
    }
    for tag in tags {
        let insert = "INSERT INTO club_tournament_tables (tag, tournament_id) VALUES ($1, $2)
            ON CONFLICT (tag) DO NOTHING";
        write.execute(insert, values![tag, id]).await?;
    }
    Ok(UpdateTournamentOutcome::Stored)
}

/// Returns whether a player has entered as many open and running tournaments as the limits allow. Those that were not
/// changed within the lifetime before `now` do not count.
///
/// # Errors
///
/// Fails if the database does.
async fn has_too_many(
    read: &mut SqlConnection,
    identity: &PlayerKey,
    limits: TournamentLimits,
    now: u64,
) -> Result<bool, sqlx::Error> {
    let entered = format!(
        "SELECT COUNT(*) FROM club_tournaments t JOIN club_tournament_players p ON p.tournament_id = t.tournament_id
        WHERE {UNFINISHED} AND p.identity = $2"
    );
    let oldest = now.saturating_sub(limits.lifetime);
    Ok(count(read, entered, values![oldest, identity]).await? >= limits.per_player.into())
}
