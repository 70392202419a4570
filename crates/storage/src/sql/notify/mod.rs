//! Turns and notifications in a database.

mod outbox;
mod subscriptions;
mod turns;

use super::{SqlRow, SqlStorage, values};
use crate::StorageFuture;
use crate::club::PlayerKey;
use crate::notify::{
    CONFIRM_DAYS, DELIVERY_DAYS, Delivery, FollowedSeat, MailToken, MessageId, NewSubscription,
    NotifyChannel, NotifyLimits, NotifyUsage, OutgoingMessage, SUBSCRIPTION_DAYS, SendResult,
    SubscribeOutcome, Subscription, SubscriptionId, TABLE_DAYS, TableTurn, TurnNotice, TurnOutcome,
};
use pentarchy_net::TableId;

/// The seconds of a day.
const DAY: u64 = 24 * 3600;

/// Returns the bytes by which a table is stored: those of its identifier, or none for no table.
fn table_bytes(table: Option<&TableId>) -> &[u8] {
    table.map_or(&[], |table| &table.bytes()[..])
}

/// Reads the table in a column; `None` if the column is empty, which stands for no table.
///
/// # Errors
///
/// Fails with a decoding error if the column holds something else.
fn table_of(row: &SqlRow, column: usize) -> Result<Option<TableId>, sqlx::Error> {
    if row.bytes(column)?.is_empty() {
        return Ok(None);
    }
    row.array(column).map(|bytes| Some(TableId::from_bytes(bytes)))
}

/// Reads the word in a column and returns the variant of an enum that `from_word` gives for it.
///
/// # Errors
///
/// Fails with a decoding error if the column has another type, or `from_word` returns `None`.
fn word_of<T>(
    row: &SqlRow,
    column: usize,
    from_word: impl FnOnce(&str) -> Option<T>,
) -> Result<T, sqlx::Error> {
    let word = row.text(column)?;
    from_word(&word).ok_or_else(|| sqlx::Error::Decode(format!("{word:?} in column {column}").into()))
}

impl SqlStorage {
    /// Stores whose turn it is at a table, and puts messages into the outbox in the same transaction. Each
    /// active subscription of each player who follows a seat that the table newly waits for gets a message,
    /// and those that want reminders get them for all seats that it waits for. A key of table, seat, turn,
    /// event and subscription has one message at most, no matter how often it is announced. Resolves to the
    /// number of new messages.
    ///
    /// Changes nothing for an earlier turn than the stored one, for an equal announcement, and for a new
    /// table beyond the limit. The same turn with other seats or another deadline replaces them: reminders
    /// that no worker has taken yet follow the new deadline. One whose time has passed by it is sent at once;
    /// it is removed if the time of the next reminder, or the deadline, has passed as well.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the storage cannot be written. Nothing was stored, unless a database failed
    /// or timed out while it committed.
    pub fn put_turn(
        &self,
        notice: TurnNotice,
        limits: NotifyLimits,
        now: u64,
    ) -> StorageFuture<'_, TurnOutcome> {
        self.bounded(async move {
            let mut write = self.write().await?;
            let outcome = turns::put(&mut write, &notice, &limits, now).await?;
            write.commit().await?;
            Ok(outcome)
        })
    }

    /// Resolves to the turn that was announced last for a table; `None` if nothing is known about it, and
    /// turn 0 if somebody follows a seat of it but no turn was announced.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the storage cannot be read.
    pub fn table_turn(&self, table: TableId) -> StorageFuture<'_, Option<TableTurn>> {
        self.bounded(async move { turns::get(&mut self.read().await?, &table).await })
    }

    /// Stores that a player wants to know when a table waits for a seat, or changes the label if they
    /// follow it already. If the table waits for the seat now, a new follower gets the reminders of this
    /// turn; a message about the turn itself is not sent, because the player is there. Counts as a use of
    /// the table at `now`. Resolves to `false`, without a change, if the table or the player has as many
    /// followed seats as the limits allow, or the table is unknown and there are as many tables.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the storage cannot be written.
    pub fn follow_seat(&self, seat: FollowedSeat, limits: NotifyLimits, now: u64) -> StorageFuture<'_, bool> {
        self.bounded(async move {
            let mut write = self.write().await?;
            let is_stored = turns::follow_seat(&mut write, &seat, &limits, now).await?;
            write.commit().await?;
            Ok(is_stored)
        })
    }

    /// Stores that a player no longer follows a seat, and removes the player's messages about it that wait
    /// in the outbox. Resolves to whether they followed it.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the storage cannot be written.
    pub fn unfollow_seat(&self, identity: PlayerKey, table: TableId, seat: u8) -> StorageFuture<'_, bool> {
        self.bounded(async move {
            let mut write = self.write().await?;
            let was_there = turns::unfollow_seat(&mut write, &identity, &table, seat).await?;
            write.commit().await?;
            Ok(was_there)
        })
    }

    /// Resolves to the seats that a player follows, each with the turn of its table (number 0 if none was
    /// announced), ordered by table and seat.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the storage cannot be read.
    pub fn followed_seats(&self, identity: PlayerKey) -> StorageFuture<'_, Vec<(FollowedSeat, TableTurn)>> {
        self.bounded(async move { turns::followed_seats(&mut self.read().await?, &identity).await })
    }

    /// Stores a subscription, or brings the one with the same player, channel, address and table up to
    /// date, which keeps its identifier and token. A mail address that is not confirmed gets a confirmation
    /// by mail, at most as many as the limits allow. A stopped subscription is in use again; a mail address
    /// must be confirmed again then. A subscription that is in use at once gets the reminders of the turns
    /// that tables are at. Stores nothing unless the outcome is `Stored`.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the storage cannot be written.
    pub fn subscribe(
        &self,
        new: NewSubscription,
        limits: NotifyLimits,
        now: u64,
    ) -> StorageFuture<'_, SubscribeOutcome> {
        self.bounded(async move {
            let mut write = self.write().await?;
            let outcome = subscriptions::put(&mut write, &new, &limits, now).await?;
            write.commit().await?;
            Ok(outcome)
        })
    }

    /// Removes the subscription with this identifier, if it is the player's, with all its messages, sent
    /// ones too. Resolves to whether there was one.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the storage cannot be written.
    pub fn unsubscribe(&self, identity: PlayerKey, id: SubscriptionId) -> StorageFuture<'_, bool> {
        self.bounded(async move {
            let mut write = self.write().await?;
            let was_there = subscriptions::remove(&mut write, &identity, &id).await?;
            write.commit().await?;
            Ok(was_there)
        })
    }

    /// Resolves to all subscriptions of a player, the oldest first, and notes that they are in use at `now`.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the storage cannot be written.
    pub fn subscriptions(&self, identity: PlayerKey, now: u64) -> StorageFuture<'_, Vec<Subscription>> {
        self.bounded(async move {
            let mut write = self.write().await?;
            let touch = "UPDATE notify_subscriptions SET last_used = $2 WHERE identity = $1";
            write.execute(touch, values![&identity, now]).await?;
            let found = subscriptions::of_player(&mut write, &identity).await?;
            write.commit().await?;
            Ok(found)
        })
    }

    /// Resolves to the subscription whose mails carry this token in their links, in any state; `None` if
    /// there is none.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the storage cannot be read.
    pub fn subscription_of(&self, token: MailToken) -> StorageFuture<'_, Option<Subscription>> {
        self.bounded(async move { subscriptions::by_token(&mut self.read().await?, &token).await })
    }

    /// Confirms the mail address of the subscription with this token, which is in use then and gets the
    /// reminders of the turns that tables are at. Resolves to `false`, without a change, if there is none,
    /// or it does not wait for a confirmation.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the storage cannot be written.
    pub fn confirm(&self, token: MailToken, limits: NotifyLimits, now: u64) -> StorageFuture<'_, bool> {
        self.bounded(async move {
            let mut write = self.write().await?;
            let is_confirmed = subscriptions::confirm(&mut write, &token, &limits, now).await?;
            write.commit().await?;
            Ok(is_confirmed)
        })
    }

    /// Stops the subscription with this token, for the reason in `why`, which its player sees. Its messages
    /// that wait are marked as failed, and reminders that are not due are removed. It does not matter
    /// whether it was in use. Resolves to whether there is one.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the storage cannot be written.
    pub fn stop_subscription(&self, token: MailToken, why: String, now: u64) -> StorageFuture<'_, bool> {
        self.bounded(async move {
            let mut write = self.write().await?;
            let found = subscriptions::by_token(&mut write, &token).await?;
            if let Some(subscription) = &found {
                outbox::stop(&mut write, &subscription.id, &why, now).await?;
            }
            write.commit().await?;
            Ok(found.is_some())
        })
    }

    /// Puts a test message for an active subscription of a player into the outbox. Resolves to whether it
    /// will be sent: `false` if the player has no such active subscription, there was a test in this
    /// second, or the subscription had as many messages as a day allows. In the last case a message marked
    /// as failed may be stored, for the player to see.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the storage cannot be written.
    pub fn send_test(
        &self,
        identity: PlayerKey,
        id: SubscriptionId,
        limits: NotifyLimits,
        now: u64,
    ) -> StorageFuture<'_, bool> {
        self.bounded(async move {
            let mut write = self.write().await?;
            let is_stored = outbox::add_test(&mut write, &identity, &id, &limits, now).await?;
            write.commit().await?;
            Ok(is_stored)
        })
    }

    /// Resolves to the latest messages of a player, the latest first, at most
    /// [`DELIVERY_PAGE`](crate::notify::DELIVERY_PAGE). Reminders that are not due at `now` are left out.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the storage cannot be read.
    pub fn deliveries(&self, identity: PlayerKey, now: u64) -> StorageFuture<'_, Vec<Delivery>> {
        self.bounded(async move { outbox::deliveries(&mut self.read().await?, &identity, now).await })
    }

    /// Takes messages of a channel that are due at `now` out of the outbox, the oldest first, at most
    /// `most`, and marks them as being sent. Nobody else gets them for `lease` seconds; after that they are
    /// due again, because the worker has died. Messages that are no longer wanted are marked as obsolete
    /// instead and do not count for `most`: those about a turn that has passed, reminders that were switched
    /// off, and confirmations of a subscription that needs none.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the storage cannot be written. Messages may have been taken if a database
    /// failed or timed out while it committed: they are due again after the lease.
    pub fn take_messages(
        &self,
        channel: NotifyChannel,
        most: u32,
        lease: u64,
        now: u64,
    ) -> StorageFuture<'_, Vec<OutgoingMessage>> {
        self.bounded(async move {
            let mut take = self.take().await?;
            let lock = if self.locks_rows() { " FOR UPDATE OF o SKIP LOCKED" } else { "" };
            let taken = outbox::take(&mut take, channel, most, lease, now, lock).await?;
            take.commit().await?;
            Ok(taken)
        })
    }

    /// Returns whether statements can lock rows: at a PostgreSQL server. An SQLite file is locked as a whole.
    fn locks_rows(&self) -> bool {
        !matches!(self.pools, super::SqlPools::Sqlite { .. })
    }

    /// Stores the result of sending a message that was taken with this number of attempts, also at its
    /// subscription. Resolves to `false`, without a change, if another worker has taken it since. A message
    /// that is to be retried is due again after [`retry_delay`](crate::notify::retry_delay). One that is
    /// rejected, or was tried [`MAX_ATTEMPTS`](crate::notify::MAX_ATTEMPTS) times, is marked as failed and
    /// stops its subscription.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the storage cannot be written. Then the message may be sent again.
    pub fn finish_message(
        &self,
        id: MessageId,
        attempts: u64,
        result: SendResult,
        now: u64,
    ) -> StorageFuture<'_, bool> {
        self.bounded(async move {
            let mut write = self.write().await?;
            let is_stored = outbox::finish(&mut write, &id, attempts, &result, now).await?;
            write.commit().await?;
            Ok(is_stored)
        })
    }

    /// Removes what is too old at `now`: messages after [`DELIVERY_DAYS`], tables with their followers and
    /// messages after [`TABLE_DAYS`] unless a deadline is to come, subscriptions after
    /// [`SUBSCRIPTION_DAYS`] without a request of their owner, unconfirmed ones and counts of confirmations
    /// after [`CONFIRM_DAYS`]. `now` must come from a clock that the caller trusts.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the storage cannot be written.
    pub fn expire_notifications(&self, now: u64) -> StorageFuture<'_, ()> {
        let days = move |days: u64| now.saturating_sub(days * DAY);
        self.bounded(async move {
            let mut write = self.write().await?;
            let old_messages = "DELETE FROM notify_outbox WHERE changed < $1 AND due < $1";
            write.execute(old_messages, values![days(DELIVERY_DAYS)]).await?;
            let old_tables = "SELECT table_id FROM notify_tables WHERE last_used < $1 AND deadline < $2";
            for row in write.rows(old_tables, values![days(TABLE_DAYS), now]).await? {
                let table = row.bytes(0)?;
                for remove in [
                    "DELETE FROM notify_seats WHERE table_id = $1",
                    "DELETE FROM notify_outbox WHERE table_id = $1",
                    "DELETE FROM notify_tables WHERE table_id = $1",
                ] {
                    write.execute(remove, values![&table[..]]).await?;
                }
            }
            let old_subscriptions = "SELECT identity, subscription_id FROM notify_subscriptions
                WHERE last_used < $1 OR (state = 'unconfirmed' AND last_used < $2)";
            let bounds = values![days(SUBSCRIPTION_DAYS), days(CONFIRM_DAYS)];
            for row in write.rows(old_subscriptions, bounds).await? {
                subscriptions::remove(&mut write, &row.array(0)?, &row.array(1)?).await?;
            }
            let old_counts = "DELETE FROM notify_confirmations WHERE since < $1";
            write.execute(old_counts, values![days(CONFIRM_DAYS)]).await?;
            write.commit().await
        })
    }

    /// Resolves to the numbers of tables, of subscriptions in all states, and of messages that are due at
    /// `now` and wait.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the storage cannot be read.
    pub fn notify_usage(&self, now: u64) -> StorageFuture<'_, NotifyUsage> {
        self.bounded(async move {
            let counts =
                "SELECT (SELECT COUNT(*) FROM notify_tables), (SELECT COUNT(*) FROM notify_subscriptions),
                (SELECT COUNT(*) FROM notify_outbox WHERE state = 'waiting' AND due <= $1)";
            let row = self.read().await?.row(counts, values![now]).await?.ok_or(sqlx::Error::RowNotFound)?;
            Ok(NotifyUsage {
                tables: row.unsigned(0)?,
                subscriptions: row.unsigned(1)?,
                overdue: row.unsigned(2)?,
            })
        })
    }

    /// Resolves to the secret of the server with this name. The first call for a name stores `fresh`, which
    /// must be random, and resolves to it; all others, in all processes, resolve to the stored bytes.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the storage cannot be written.
    pub fn server_secret<'a>(&'a self, name: &'a str, fresh: [u8; 32]) -> StorageFuture<'a, [u8; 32]> {
        self.bounded(async move {
            let mut write = self.write().await?;
            let insert =
                "INSERT INTO notify_keys (name, secret) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
            write.execute(insert, values![name, &fresh]).await?;
            let find = "SELECT secret FROM notify_keys WHERE name = $1";
            let row = write.row(find, values![name]).await?.ok_or(sqlx::Error::RowNotFound)?;
            write.commit().await?;
            row.array(0)
        })
    }
}
