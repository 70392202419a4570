//! Turns of tables, and who follows their seats.

use super::outbox::{self, NewMessage};
use super::subscriptions;
use crate::club::PlayerKey;
use crate::notify::{
    FollowedSeat, NotifyEvent, NotifyLimits, Subscription, SubscriptionState, TableTurn, TurnNotice,
    TurnOutcome, TurnSeats, reminder_times,
};
use crate::sql::{SqlConnection, SqlRow, SqlTransaction, values};
use pentarchy_net::TableId;

/// Reads a turn from the columns turn, waiting, since and deadline of a row, from column `first` (counted from 0) on.
///
/// # Errors
///
/// Fails with a decoding error if a column has another type or is out of range.
fn turn_of(row: &SqlRow, first: usize) -> Result<TableTurn, sqlx::Error> {
    Ok(TableTurn {
        turn: row.unsigned(first)?,
        waiting: TurnSeats::from_bits(row.unsigned(first + 1)?),
        since: row.unsigned(first + 2)?,
        deadline: row.unsigned(first + 3)?,
    })
}

/// Reads the turn that is stored for a table: number 0 if none was announced, but a seat is followed. `None` if
/// nothing is known about the table.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn get(read: &mut SqlConnection, table: &TableId) -> Result<Option<TableTurn>, sqlx::Error> {
    let find = "SELECT turn, waiting, since, deadline FROM notify_tables WHERE table_id = $1";
    let row = read.row(find, values![&table.bytes()[..]]).await?;
    row.map(|row| turn_of(&row, 0)).transpose()
}

/// Stores the turn of a table in place of an earlier one, as used at `now`. `is_new` says that the table is not
/// stored yet, which is not checked. Returns `false`, without a change, if it is new and there are as many tables as
/// the limit allows. The caller must commit.
///
/// # Errors
///
/// Fails if the database does.
async fn store(
    write: &mut SqlTransaction,
    table: &TableId,
    turn: TableTurn,
    is_new: bool,
    limits: &NotifyLimits,
    now: u64,
) -> Result<bool, sqlx::Error> {
    if is_new {
        let count = write.row("SELECT COUNT(*) FROM notify_tables", &[]).await?;
        if count.ok_or(sqlx::Error::RowNotFound)?.unsigned::<u64>(0)? >= limits.tables {
            return Ok(false);
        }
    }
    let change = "INSERT INTO notify_tables (table_id, turn, waiting, since, deadline, last_used)
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (table_id) DO UPDATE
        SET turn = $2, waiting = $3, since = $4, deadline = $5, last_used = $6";
    let TableTurn { turn, waiting, since, deadline } = turn;
    write.execute(change, values![&table.bytes()[..], turn, waiting.bits(), since, deadline, now]).await?;
    Ok(true)
}

/// Stores the announcement of a turn, and puts messages about it into the outbox: for each follower of a seat that
/// the table newly waits for that it is their turn, and reminders for all seats that it waits for. Returns how many
/// messages are new. Changes nothing for an earlier turn than the stored one, an equal announcement, and a new table
/// beyond the limit. The same turn with other seats or another deadline keeps the time since when it lasts. The
/// caller must commit.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn put(
    write: &mut SqlTransaction,
    notice: &TurnNotice,
    limits: &NotifyLimits,
    now: u64,
) -> Result<TurnOutcome, sqlx::Error> {
    let TurnNotice { table, turn, waiting, deadline } = *notice;
    let found = get(write, &table).await?;
    let old = found.unwrap_or_default();
    if turn < old.turn {
        return Ok(TurnOutcome::Stale);
    }
    let is_same_turn = turn == old.turn;
    if is_same_turn && (waiting, deadline) == (old.waiting, old.deadline) {
        return Ok(TurnOutcome::Duplicate);
    }
    let new = TableTurn { turn, waiting, since: if is_same_turn { old.since } else { now }, deadline };
    if !store(write, &table, new, found.is_none(), limits, now).await? {
        return Ok(TurnOutcome::Full);
    }
    let newly = if is_same_turn { waiting.minus(old.waiting) } else { waiting };
    let mut messages = 0;
    for seat in waiting.iter() {
        let players = "SELECT identity FROM notify_seats WHERE table_id = $1 AND seat = $2";
        for row in write.rows(players, values![&table.bytes()[..], seat]).await? {
            let identity = row.array(0)?;
            for subscription in subscriptions::of_player(write, &identity).await? {
                let is_new = newly.has(seat);
                messages += announce(write, &table, seat, &new, &subscription, is_new, limits, now).await?;
            }
        }
    }
    Ok(TurnOutcome::Stored(messages))
}

/// Puts the messages for one subscription about a seat that the table waits for into the outbox: that it is the
/// seat's turn if `is_new`, and the reminders that are due after `now` if the subscription wants them. Nothing if the
/// subscription is not active or for another table. Returns how many messages are new. The caller must have checked
/// that the table waits for the seat, and must commit.
///
/// Reminders that are stored and were never taken follow the deadline. One whose time has passed is due at once. It is
/// removed if the time of the next reminder, or for the last one the deadline, has passed, or there are no reminders
/// for the new deadline.
///
/// # Errors
///
/// Fails if the database does.
#[expect(clippy::too_many_arguments, reason = "all of them make up the messages")]
async fn announce(
    write: &mut SqlTransaction,
    table: &TableId,
    seat: u8,
    turn: &TableTurn,
    subscription: &Subscription,
    is_new: bool,
    limits: &NotifyLimits,
    now: u64,
) -> Result<u64, sqlx::Error> {
    let is_wanted = subscription.table.is_none_or(|only| only == *table);
    if subscription.state != SubscriptionState::Active || !is_wanted {
        return Ok(0);
    }
    let message = |event, due| NewMessage { table: Some(*table), seat, turn: turn.turn, event, due };
    let mut added = 0;
    if is_new {
        let message = message(NotifyEvent::Turn, now);
        added += u64::from(outbox::add(write, subscription, &message, limits, now).await?);
    }
    if subscription.reminders {
        let reminders = match reminder_times(turn.since, turn.deadline) {
            Some([(half, first), (tenth, second)]) => [(half, first, second), (tenth, second, turn.deadline)],
            None => [(NotifyEvent::Half, 0, 0), (NotifyEvent::Tenth, 0, 0)],
        };
        for (event, due, end) in reminders {
            let reminder = message(event, due);
            if end <= now {
                outbox::remove_reminder(write, subscription, &reminder).await?;
            } else if !outbox::move_reminder(write, subscription, &reminder).await? && due > now {
                added += u64::from(outbox::add(write, subscription, &reminder, limits, now).await?);
            }
        }
    }
    Ok(added)
}

/// Puts the reminders of a subscription that are due after `now` into the outbox, for all seats that its player
/// follows and tables wait for. Does nothing if it is not active or wants no reminders. The caller must commit.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn remind(
    write: &mut SqlTransaction,
    subscription: &Subscription,
    limits: &NotifyLimits,
    now: u64,
) -> Result<(), sqlx::Error> {
    for (followed, turn) in followed_seats(write, &subscription.identity).await? {
        if turn.waiting.has(followed.seat) {
            announce(write, &followed.table, followed.seat, &turn, subscription, false, limits, now).await?;
        }
    }
    Ok(())
}

/// Stores that a player follows a seat, or changes the label if they do already. A table that is not known is stored
/// with turn 0. If the player is new and the table waits for the seat, puts reminders for the player's subscriptions
/// into the outbox. Returns `false`, without a change, if a limit is reached: of followers of the table, of seats of
/// the player, or of tables. The caller must commit.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn follow_seat(
    write: &mut SqlTransaction,
    followed: &FollowedSeat,
    limits: &NotifyLimits,
    now: u64,
) -> Result<bool, sqlx::Error> {
    let table = &followed.table.bytes()[..];
    let counts = "SELECT (SELECT COUNT(*) FROM notify_seats WHERE table_id = $1),
        (SELECT COUNT(*) FROM notify_seats WHERE identity = $2),
        (SELECT COUNT(*) FROM notify_seats WHERE table_id = $1 AND identity = $2 AND seat = $3)";
    let row = write.row(counts, values![table, &followed.identity, followed.seat]).await?;
    let row = row.ok_or(sqlx::Error::RowNotFound)?;
    let (of_table, of_player) = (row.unsigned::<u64>(0)?, row.unsigned::<u64>(1)?);
    let is_known = row.unsigned::<u64>(2)? > 0;
    if !is_known && (of_table >= limits.followers_per_table || of_player >= limits.seats_per_player) {
        return Ok(false);
    }
    let found = get(write, &followed.table).await?;
    let turn = found.unwrap_or_default();
    if !store(write, &followed.table, turn, found.is_none(), limits, now).await? {
        return Ok(false);
    }
    let change = "INSERT INTO notify_seats (table_id, seat, identity, label) VALUES ($1, $2, $3, $4)
        ON CONFLICT (table_id, seat, identity) DO UPDATE SET label = $4";
    write.execute(change, values![table, followed.seat, &followed.identity, followed.label.as_str()]).await?;
    if !is_known && turn.waiting.has(followed.seat) {
        for subscription in subscriptions::of_player(write, &followed.identity).await? {
            announce(write, &followed.table, followed.seat, &turn, &subscription, false, limits, now).await?;
        }
    }
    Ok(true)
}

/// Stores that a player no longer follows a seat, and removes the player's messages about it that wait in the outbox.
/// Returns whether they followed it. The caller must commit.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn unfollow_seat(
    write: &mut SqlTransaction,
    identity: &PlayerKey,
    table: &TableId,
    seat: u8,
) -> Result<bool, sqlx::Error> {
    let remove = "DELETE FROM notify_seats WHERE table_id = $1 AND seat = $2 AND identity = $3";
    let removed = write.execute(remove, values![&table.bytes()[..], seat, identity]).await?;
    let messages = "DELETE FROM notify_outbox WHERE table_id = $1 AND seat = $2 AND state = 'waiting'
        AND subscription_id IN (SELECT subscription_id FROM notify_subscriptions WHERE identity = $3)";
    write.execute(messages, values![&table.bytes()[..], seat, identity]).await?;
    Ok(removed > 0)
}

/// Reads the seats that a player follows, with the turns of their tables, ordered by table and seat.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn followed_seats(
    read: &mut SqlConnection,
    identity: &PlayerKey,
) -> Result<Vec<(FollowedSeat, TableTurn)>, sqlx::Error> {
    let find = "SELECT c.table_id, c.seat, c.label, t.turn, t.waiting, t.since, t.deadline
        FROM notify_seats c JOIN notify_tables t ON t.table_id = c.table_id
        WHERE c.identity = $1 ORDER BY c.table_id, c.seat";
    let followed = |row: SqlRow| {
        let table = TableId::from_bytes(row.array(0)?);
        let followed =
            FollowedSeat { table, seat: row.unsigned(1)?, identity: *identity, label: row.text(2)? };
        Ok((followed, turn_of(&row, 3)?))
    };
    read.rows(find, values![identity]).await?.into_iter().map(followed).collect()
}
