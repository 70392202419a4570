//! Subscriptions of players.

use super::outbox::{self, NewMessage};
use super::{DAY, table_bytes, table_of, turns, word_of};
use crate::club::PlayerKey;
use crate::notify::{
    CONFIRM_DAYS, MailToken, NewSubscription, NotifyChannel, NotifyEvent, NotifyLimits, SubscribeOutcome,
    Subscription, SubscriptionId, SubscriptionState,
};
use crate::sql::{SqlConnection, SqlRow, SqlTransaction, values};

/// Reads a subscription from 12 columns of a row, from column `first` (counted from 0) on, in the order in which the
/// statements of this module select them.
///
/// # Errors
///
/// Fails with a decoding error if a column has another type or value.
pub(super) fn from_row(row: &SqlRow, first: usize) -> Result<Subscription, sqlx::Error> {
    Ok(Subscription {
        id: row.array(first)?,
        identity: row.array(first + 1)?,
        channel: word_of(row, first + 2, NotifyChannel::from_word)?,
        address: row.text(first + 3)?,
        table: table_of(row, first + 4)?,
        secret: row.bytes(first + 5)?,
        reminders: row.integer(first + 6)? != 0,
        state: word_of(row, first + 7, SubscriptionState::from_word)?,
        error: row.text(first + 8)?,
        token: row.array(first + 9)?,
        created: row.unsigned(first + 10)?,
        last_sent: row.unsigned(first + 11)?,
    })
}

/// Creates a statement that reads subscriptions with [`from_row`], by a condition and an order.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT subscription_id, identity, channel, address, table_id, secret, reminders, state, error, token, created,
            last_sent FROM notify_subscriptions ",
            $rest
        )
    };
}

/// Reads all subscriptions of a player, the oldest first.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn of_player(
    read: &mut SqlConnection,
    identity: &PlayerKey,
) -> Result<Vec<Subscription>, sqlx::Error> {
    let find = select!("WHERE identity = $1 ORDER BY created, subscription_id");
    read.rows(find, values![identity]).await?.iter().map(|row| from_row(row, 0)).collect()
}

/// Reads the subscription with this token, in any state; `None` if there is none.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn by_token(
    read: &mut SqlConnection,
    token: &MailToken,
) -> Result<Option<Subscription>, sqlx::Error> {
    let find = select!("WHERE token = $1");
    read.row(find, values![token]).await?.map(|row| from_row(&row, 0)).transpose()
}

/// Runs a statement that selects a count, with `values` as its parameters, and returns the count.
///
/// # Errors
///
/// Fails if the database does.
async fn count(
    read: &mut SqlConnection,
    sql: &'static str,
    values: &[crate::sql::SqlValue],
) -> Result<u64, sqlx::Error> {
    read.row(sql, values).await?.ok_or(sqlx::Error::RowNotFound)?.unsigned(0)
}

/// Stores a subscription within the limits, used at `now`. One with the same player, channel, address and table is
/// brought up to date: it keeps identifier, token and, for a webhook, its key. A mail address that was not in use is
/// unconfirmed, and a confirmation is put into the outbox; otherwise the subscription is active, and reminders of the
/// turns that tables are at are put there. Stores nothing unless the outcome is `Stored`. The caller must commit.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn put(
    write: &mut SqlTransaction,
    new: &NewSubscription,
    limits: &NotifyLimits,
    now: u64,
) -> Result<SubscribeOutcome, sqlx::Error> {
    let mine = of_player(write, &new.identity).await?;
    let is_same = |old: &&Subscription| {
        (old.channel, &old.address, old.table) == (new.channel, &new.address, new.table)
    };
    let old = mine.iter().find(is_same);
    let was_active = old.is_some_and(|old| old.state == SubscriptionState::Active);
    if old.is_none() && mine.len() as u64 >= limits.subscriptions_per_player {
        return Ok(SubscribeOutcome::TooMany);
    }
    if !was_active {
        let of_address = "SELECT COUNT(*) FROM notify_subscriptions WHERE channel = $1 AND address = $2 AND state = 'active'";
        let of_address = count(write, of_address, values![new.channel.word(), new.address.as_str()]).await?;
        if of_address >= limits.subscriptions_per_address {
            return Ok(SubscribeOutcome::AddressBusy);
        }
    }
    if old.is_none()
        && count(write, "SELECT COUNT(*) FROM notify_subscriptions", &[]).await? >= limits.subscriptions
    {
        return Ok(SubscribeOutcome::Full);
    }
    let needs_confirmation = new.channel == NotifyChannel::Mail && !was_active;
    if needs_confirmation && !count_confirmation(write, &new.address, limits, now).await? {
        return Ok(SubscribeOutcome::AddressBusy);
    }
    let stored = Subscription {
        id: old.map_or(new.id, |old| old.id),
        identity: new.identity,
        channel: new.channel,
        address: new.address.clone(),
        table: new.table,
        secret: match old {
            Some(old) if new.channel == NotifyChannel::Webhook => old.secret.clone(),
            _ => new.secret.clone(),
        },
        reminders: new.reminders,
        state: if needs_confirmation { SubscriptionState::Unconfirmed } else { SubscriptionState::Active },
        error: old.filter(|_| was_active).map_or(String::new(), |old| old.error.clone()),
        token: old.map_or(new.token, |old| old.token),
        created: old.map_or(now, |old| old.created),
        last_sent: old.map_or(0, |old| old.last_sent),
    };
    store(write, &stored, now).await?;
    if needs_confirmation {
        let confirm = NewMessage { table: None, seat: 0, turn: now, event: NotifyEvent::Confirm, due: now };
        outbox::add(write, &stored, &confirm, limits, now).await?;
    } else {
        turns::remind(write, &stored, limits, now).await?;
    }
    Ok(SubscribeOutcome::Stored(stored))
}

/// Stores a subscription as used at `now`. If there is one with its identifier, replaces only secret, reminders,
/// state and error of that. The caller must commit.
///
/// # Errors
///
/// Fails if the database does.
async fn store(write: &mut SqlTransaction, subscription: &Subscription, now: u64) -> Result<(), sqlx::Error> {
    let change = "INSERT INTO notify_subscriptions (subscription_id, identity, channel, address, table_id, secret,
        reminders, state, error, token, created, last_used, last_sent)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
        ON CONFLICT (subscription_id) DO UPDATE SET secret = $6, reminders = $7, state = $8, error = $9, last_used = $12";
    let Subscription { id, identity, channel, address, table, secret, .. } = subscription;
    let Subscription { reminders, state, error, token, created, last_sent, .. } = subscription;
    let values = values![
        id,
        identity,
        channel.word(),
        address.as_str(),
        table_bytes(table.as_ref()),
        &secret[..],
        *reminders,
        state.word(),
        error.as_str(),
        token,
        *created,
        now,
        *last_sent,
    ];
    write.execute(change, values).await?;
    Ok(())
}

/// Counts one more confirmation to a mail address, by the hash of its lower case. The count starts again
/// [`CONFIRM_DAYS`] days after its first confirmation. Returns `false`, and counts nothing, if it has reached the
/// limit. The caller must commit.
///
/// # Errors
///
/// Fails if the database does.
async fn count_confirmation(
    write: &mut SqlTransaction,
    address: &str,
    limits: &NotifyLimits,
    now: u64,
) -> Result<bool, sqlx::Error> {
    let hash = blake3::derive_key("pentarchy notify address v1", address.to_lowercase().as_bytes());
    let find = "SELECT sent, since FROM notify_confirmations WHERE address = $1";
    let old = write.row(find, values![&hash]).await?;
    let old = old.map(|row| Ok::<_, sqlx::Error>((row.unsigned(0)?, row.unsigned(1)?))).transpose()?;
    let (sent, since): (u64, u64) = match old {
        Some((sent, since)) if now.saturating_sub(since) < CONFIRM_DAYS * DAY => (sent, since),
        _ => (0, now),
    };
    if sent >= limits.confirmations {
        return Ok(false);
    }
    let change = "INSERT INTO notify_confirmations (address, sent, since) VALUES ($1, $2, $3)
        ON CONFLICT (address) DO UPDATE SET sent = $2, since = $3";
    write.execute(change, values![&hash, sent + 1, since]).await?;
    Ok(true)
}

/// Makes the unconfirmed subscription with this token active, as used at `now`, and puts reminders of the turns that
/// tables are at into the outbox. Returns `false`, without a change, if there is none or it is not unconfirmed. The
/// caller must commit.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn confirm(
    write: &mut SqlTransaction,
    token: &MailToken,
    limits: &NotifyLimits,
    now: u64,
) -> Result<bool, sqlx::Error> {
    let Some(found) = by_token(write, token).await? else { return Ok(false) };
    if found.state != SubscriptionState::Unconfirmed {
        return Ok(false);
    }
    let active = Subscription { state: SubscriptionState::Active, error: String::new(), ..found };
    store(write, &active, now).await?;
    turns::remind(write, &active, limits, now).await?;
    Ok(true)
}

/// Removes the subscription with this identifier, if it is the player's, with all its messages. Returns whether there
/// was one. The caller must commit.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn remove(
    write: &mut SqlTransaction,
    identity: &PlayerKey,
    id: &SubscriptionId,
) -> Result<bool, sqlx::Error> {
    let remove = "DELETE FROM notify_subscriptions WHERE identity = $1 AND subscription_id = $2";
    let was_there = write.execute(remove, values![identity, id]).await? > 0;
    if was_there {
        write.execute("DELETE FROM notify_outbox WHERE subscription_id = $1", values![id]).await?;
    }
    Ok(was_there)
}
