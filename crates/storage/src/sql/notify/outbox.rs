//! The outbox: messages that are to be sent, each key once.
//!
//! A worker takes a message by a transaction before it sends it, and stores the result by another one. If it dies between
//! them, the message is due again after its lease: it may be sent twice then, with the same identifier, but is not lost.

use super::subscriptions::from_row;
use super::{DAY, table_bytes, table_of, word_of};
use crate::club::PlayerKey;
use crate::notify::{
    DELIVERY_PAGE, Delivery, DeliveryState, MAX_ATTEMPTS, MessageId, NotifyChannel, NotifyEvent,
    NotifyLimits, OutgoingMessage, SendResult, Subscription, SubscriptionId, SubscriptionState, retry_delay,
};
use crate::sql::{SqlConnection, SqlRow, SqlTransaction, values};
use pentarchy_net::TableId;
use sqlx::AssertSqlSafe;

/// Messages of a day beyond the limit that are stored as failed.
const SHOWN_OVER_LIMIT: u64 = 10;

/// A message to be stored, without its recipient.
pub(super) struct NewMessage {
    pub(super) table: Option<TableId>,
    pub(super) seat: u8,
    pub(super) turn: u64,
    pub(super) event: NotifyEvent,
    /// When to send it, in seconds since 1970.
    pub(super) due: u64,
}

/// Computes the identifier of a message from its key (subscription, turn, seat, event and table), so that all
/// processes agree about it.
fn message_id(message: &NewMessage, subscription: &SubscriptionId) -> MessageId {
    let mut hash = blake3::Hasher::new_derive_key("pentarchy notify message v1");
    hash.update(subscription).update(&message.turn.to_le_bytes()).update(&[message.seat]);
    hash.update(message.event.word().as_bytes()).update(&[0]).update(table_bytes(message.table.as_ref()));
    let mut id = [0; 16];
    id.copy_from_slice(&hash.finalize().as_bytes()[..16]);
    id
}

/// Puts a message into the outbox unless there is one with its key: table, seat, turn, event and subscription.
/// Returns whether a new message waits to be sent.
///
/// A day allows a number of messages per subscription, which turns and tests count for. Beyond it a few turns and
/// tests are stored as failed, for the player to see; others and reminders are not stored. Confirmations are always
/// stored. The caller must commit.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn add(
    write: &mut SqlTransaction,
    subscription: &Subscription,
    message: &NewMessage,
    limits: &NotifyLimits,
    now: u64,
) -> Result<bool, sqlx::Error> {
    let counts =
        "SELECT COUNT(*), (SELECT COUNT(*) FROM notify_outbox WHERE subscription_id = $1 AND created > $2
            AND event IN ('turn', 'test') AND state = 'failed')
        FROM notify_outbox WHERE subscription_id = $1 AND created > $2 AND event IN ('turn', 'test')";
    let row = write.row(counts, values![&subscription.id, now.saturating_sub(DAY)]).await?;
    let row = row.ok_or(sqlx::Error::RowNotFound)?;
    let (all, failed) = (row.unsigned::<u64>(0)?, row.unsigned::<u64>(1)?);
    let is_over = all - failed >= limits.messages_per_day;
    let (state, error) = match message.event {
        NotifyEvent::Turn | NotifyEvent::Test if is_over && failed < SHOWN_OVER_LIMIT => {
            (DeliveryState::Failed, format!("there were {} messages within a day", all - failed))
        }
        // Who announces many turns does not fill the storage.
        NotifyEvent::Confirm => (DeliveryState::Waiting, String::new()),
        _ if is_over => return Ok(false),
        _ => (DeliveryState::Waiting, String::new()),
    };
    let id = message_id(message, &subscription.id);
    let NewMessage { table, seat, turn, event, due } = message;
    let insert = "INSERT INTO notify_outbox (table_id, seat, turn, event, subscription_id, message_id, channel, state, due,
        attempts, error, created, changed) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $11, $11)
        ON CONFLICT (table_id, seat, turn, event, subscription_id) DO NOTHING";
    let values = values![
        table_bytes(table.as_ref()),
        *seat,
        *turn,
        event.word(),
        &subscription.id,
        &id,
        subscription.channel.word(),
        state.word(),
        *due,
        error.as_str(),
        now,
    ];
    let is_new = write.execute(insert, values).await? > 0;
    Ok(is_new && state == DeliveryState::Waiting)
}

/// Gives a reminder that is stored and was never taken the time of `message`, also beyond the messages that a day
/// allows. Returns whether there is such a reminder. The caller must commit.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn move_reminder(
    write: &mut SqlTransaction,
    subscription: &Subscription,
    message: &NewMessage,
) -> Result<bool, sqlx::Error> {
    let follow =
        "UPDATE notify_outbox SET due = $2 WHERE message_id = $1 AND attempts = 0 AND state = 'waiting'";
    let id = message_id(message, &subscription.id);
    Ok(write.execute(follow, values![&id, message.due]).await? > 0)
}

/// Removes a reminder that is stored and was never taken. The time of `message` does not matter. The caller must
/// commit.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn remove_reminder(
    write: &mut SqlTransaction,
    subscription: &Subscription,
    message: &NewMessage,
) -> Result<(), sqlx::Error> {
    let remove = "DELETE FROM notify_outbox WHERE message_id = $1 AND attempts = 0 AND state = 'waiting'";
    write.execute(remove, values![&message_id(message, &subscription.id)]).await?;
    Ok(())
}

/// Puts a test message for the active subscription `id` of a player into the outbox, which is due at `now`. Returns
/// whether it will be sent: `false` if the player has no such active subscription, there was a test in this second,
/// or as many messages as a day allows. The caller must commit.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn add_test(
    write: &mut SqlTransaction,
    identity: &PlayerKey,
    id: &SubscriptionId,
    limits: &NotifyLimits,
    now: u64,
) -> Result<bool, sqlx::Error> {
    let mine = super::subscriptions::of_player(write, identity).await?;
    let is_asked = |one: &&Subscription| one.id == *id && one.state == SubscriptionState::Active;
    let Some(subscription) = mine.iter().find(is_asked) else { return Ok(false) };
    let test = NewMessage { table: None, seat: 0, turn: now, event: NotifyEvent::Test, due: now };
    add(write, subscription, &test, limits, now).await
}

/// The rows of the outbox (`o`) of channel `$1` that are due at `$2`, or whose lease has run out, with their
/// subscriptions (`s`) and the turns of their tables (`t`). A lease that ends after `$3`, the end of one that begins now,
/// comes from a clock that was ahead.
const DUE: &str = "notify_outbox o
    JOIN notify_subscriptions s ON s.subscription_id = o.subscription_id
    LEFT JOIN notify_tables t ON t.table_id = o.table_id
    WHERE o.channel = $1 AND ((o.state = 'waiting' AND o.due <= $2)
        OR (o.state = 'sending' AND (o.due <= $2 OR o.due > $3)))";

/// The condition that a row of [`DUE`] is still to be sent: it is about the turn of its table and the table waits for
/// the seat, for a reminder only if the subscription wants reminders. A confirmation is if the subscription is
/// unconfirmed, and a test always is.
const WANTED: &str = "CASE o.event WHEN 'test' THEN 1 = 1 WHEN 'confirm' THEN s.state = 'unconfirmed'
    ELSE COALESCE(t.turn, 0) = o.turn AND ((COALESCE(t.waiting, 0) >> CAST(o.seat AS INTEGER)) & 1) = 1
        AND (o.event = 'turn' OR s.reminders <> 0) END";

/// Reads a row of the statement in [`take`] that selects messages, with the attempt that begins counted.
///
/// # Errors
///
/// Fails with a decoding error if a column has another type or value.
fn message_of(row: &SqlRow) -> Result<OutgoingMessage, sqlx::Error> {
    Ok(OutgoingMessage {
        id: row.array(0)?,
        attempts: row.unsigned::<u64>(1)? + 1,
        event: word_of(row, 2, NotifyEvent::from_word)?,
        table: table_of(row, 3)?,
        seat: row.unsigned(4)?,
        turn: row.unsigned(5)?,
        label: row.text(6)?,
        deadline: row.unsigned(7)?,
        subscription: from_row(row, 8)?,
    })
}

/// Takes at most `most` messages of a channel that are due at `now`, or whose lease has run out, out of the outbox,
/// the oldest first. Marks them as being sent until `now` + `lease`, counts the attempt, and returns them. Marks all
/// that are due but no longer wanted as obsolete. `lock` is the end of the statements, which locks the rows of the
/// outbox (`o`) where that is possible. The caller must commit.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn take(
    write: &mut SqlTransaction,
    channel: NotifyChannel,
    most: u32,
    lease: u64,
    now: u64,
    lock: &'static str,
) -> Result<Vec<OutgoingMessage>, sqlx::Error> {
    let until = now.saturating_add(lease);
    let obsolete = AssertSqlSafe(format!(
        "UPDATE notify_outbox SET state = 'obsolete', changed = $2
        WHERE message_id IN (SELECT o.message_id FROM {DUE} AND NOT ({WANTED}){lock})"
    ));
    write.execute(obsolete, values![channel.word(), now, until]).await?;
    let due = AssertSqlSafe(format!(
        "SELECT o.message_id, o.attempts, o.event, o.table_id, o.seat, o.turn,
            COALESCE((SELECT c.label FROM notify_seats c
                WHERE c.table_id = o.table_id AND c.seat = o.seat AND c.identity = s.identity), ''),
            COALESCE(t.deadline, 0),
            s.subscription_id, s.identity, s.channel, s.address, s.table_id, s.secret, s.reminders, s.state, s.error,
            s.token, s.created, s.last_sent
        FROM {DUE} AND {WANTED} ORDER BY o.due LIMIT $4{lock}"
    ));
    let rows = write.rows(due, values![channel.word(), now, until, most]).await?;
    let taken = rows.iter().map(message_of).collect::<Result<Vec<_>, _>>()?;
    for message in &taken {
        let mark = "UPDATE notify_outbox SET state = 'sending', due = $2, attempts = $3, changed = $4
            WHERE message_id = $1";
        write.execute(mark, values![&message.id, until, message.attempts, now]).await?;
    }
    Ok(taken)
}

/// Stores the result of sending a message that was taken with this number of attempts. Returns `false`, without a
/// change, if it is not being sent under this number. A delivered message clears the error of its subscription. One
/// to be retried waits for [`retry_delay`]. One that is rejected, or was tried [`MAX_ATTEMPTS`] times, is marked as
/// failed and stops its subscription. The caller must commit.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn finish(
    write: &mut SqlTransaction,
    id: &MessageId,
    attempts: u64,
    result: &SendResult,
    now: u64,
) -> Result<bool, sqlx::Error> {
    let (state, error, due) = match result {
        SendResult::Delivered => (DeliveryState::Sent, "", now),
        SendResult::Retry(error) if attempts < MAX_ATTEMPTS => {
            (DeliveryState::Waiting, error.as_str(), now.saturating_add(retry_delay(attempts)))
        }
        SendResult::Retry(error) | SendResult::Rejected(error) => {
            (DeliveryState::Failed, error.as_str(), now)
        }
    };
    let mark = "UPDATE notify_outbox SET state = $3, error = $4, due = $5, changed = $6
        WHERE message_id = $1 AND attempts = $2 AND state = 'sending'";
    if write.execute(mark, values![id, attempts, state.word(), error, due, now]).await? == 0 {
        return Ok(false);
    }
    let find = "SELECT subscription_id FROM notify_outbox WHERE message_id = $1";
    let row = write.row(find, values![id]).await?.ok_or(sqlx::Error::RowNotFound)?;
    let subscription = row.array(0)?;
    match state {
        DeliveryState::Failed => stop(write, &subscription, error, now).await?,
        DeliveryState::Sent => {
            let note =
                "UPDATE notify_subscriptions SET error = '', last_sent = $2 WHERE subscription_id = $1";
            write.execute(note, values![&subscription, now]).await?;
        }
        _ => {
            let note = "UPDATE notify_subscriptions SET error = $2 WHERE subscription_id = $1";
            write.execute(note, values![&subscription, error]).await?;
        }
    }
    Ok(true)
}

/// Marks a subscription as stopped, with the reason `why`. Removes its reminders that are not due at `now`, and marks
/// its other messages that wait as failed. Does nothing for an unknown subscription. The caller must commit.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn stop(
    write: &mut SqlTransaction,
    id: &SubscriptionId,
    why: &str,
    now: u64,
) -> Result<(), sqlx::Error> {
    let stop = "UPDATE notify_subscriptions SET state = 'stopped', error = $2 WHERE subscription_id = $1";
    write.execute(stop, values![id, why]).await?;
    // A reminder whose time has not come was not missed.
    let remove = "DELETE FROM notify_outbox WHERE subscription_id = $1 AND state = 'waiting' AND due > $2
        AND event IN ('half', 'tenth')";
    write.execute(remove, values![id, now]).await?;
    let give_up = "UPDATE notify_outbox SET state = 'failed', error = $2, changed = $3
        WHERE subscription_id = $1 AND state = 'waiting'";
    write.execute(give_up, values![id, format!("the subscription was stopped: {why}").as_str(), now]).await?;
    Ok(())
}

/// Reads the latest messages to a player in all states, the one that changed last first, at most [`DELIVERY_PAGE`].
/// Reminders that wait and are not due at `now` are left out.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn deliveries(
    read: &mut SqlConnection,
    identity: &PlayerKey,
    now: u64,
) -> Result<Vec<Delivery>, sqlx::Error> {
    let find = "SELECT o.message_id, o.subscription_id, o.event, o.table_id, o.seat, o.turn, o.state, o.attempts, o.error,
            o.changed
        FROM notify_outbox o JOIN notify_subscriptions s ON s.subscription_id = o.subscription_id
        WHERE s.identity = $1 AND (o.event NOT IN ('half', 'tenth') OR o.state <> 'waiting' OR o.due <= $2)
        ORDER BY o.changed DESC, o.message_id LIMIT $3";
    let delivery = |row: SqlRow| {
        Ok(Delivery {
            id: row.array(0)?,
            subscription: row.array(1)?,
            event: word_of(&row, 2, NotifyEvent::from_word)?,
            table: table_of(&row, 3)?,
            seat: row.unsigned(4)?,
            turn: row.unsigned(5)?,
            state: word_of(&row, 6, DeliveryState::from_word)?,
            attempts: row.unsigned(7)?,
            error: row.text(8)?,
            changed: row.unsigned(9)?,
        })
    };
    read.rows(find, values![identity, now, DELIVERY_PAGE]).await?.into_iter().map(delivery).collect()
}
