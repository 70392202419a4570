//! Takes messages out of the outbox, sends them, and stores the results. Any number of processes can do so at the same time.

use crate::{Notifier, unix_time};
use pentarchy_storage::notify::{MAX_ATTEMPTS, NotifyChannel, OutgoingMessage, SendResult};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep, timeout};
use tokio_util::sync::CancellationToken;

/// Longest time for sending a message.
const SEND_TIMEOUT: Duration = Duration::from_secs(45);
/// How often the metrics of the storage are updated.
const USAGE_INTERVAL: Duration = Duration::from_secs(30);
/// How often old rows are removed.
const EXPIRE_INTERVAL: Duration = Duration::from_secs(3600);

/// Runs all workers until `stop` is cancelled and the messages under way are sent: one for each channel, so that slow
/// webhooks delay no mail, and one that updates metrics and removes old rows. There is none for mail if the server
/// sends no mail.
pub(crate) async fn run(notifier: Arc<Notifier>, stop: CancellationToken) {
    let mut workers = JoinSet::new();
    for channel in NotifyChannel::ALL {
        let is_possible = *channel != NotifyChannel::Mail || notifier.config.mail.is_some();
        if is_possible {
            workers.spawn(work(Arc::clone(&notifier), *channel, stop.clone()));
        }
    }
    workers.spawn(sweep(notifier, stop));
    while workers.join_next().await.is_some() {}
}

/// Sends the messages of a channel, at most `NotifyConfig::parallel` at the same time, until `stop` is cancelled;
/// then waits for those under way. Looks for messages when one may be new, when one is done and at each poll. If the
/// storage fails, counts and logs it.
async fn work(notifier: Arc<Notifier>, channel: NotifyChannel, stop: CancellationToken) {
    let mut wake = notifier.wake.subscribe();
    let mut sending = JoinSet::new();
    while !stop.is_cancelled() {
        let free = notifier.config.parallel.saturating_sub(sending.len() as u32);
        let lease = notifier.config.lease.as_secs();
        wake.mark_unchanged();
        match notifier.storage.take_messages(channel, free, lease, unix_time()).await {
            Ok(taken) => {
                for message in taken {
                    sending.spawn(deliver(Arc::clone(&notifier), message));
                }
            }
            Err(error) => {
                notifier.metrics.storage_failed.inc();
                tracing::warn!(%error, channel = channel.word(), "cannot take messages");
            }
        }
        let is_full = sending.len() as u32 >= notifier.config.parallel;
        tokio::select! {
            () = stop.cancelled() => {}
            Some(_) = sending.join_next() => {}
            Ok(()) = wake.changed(), if !is_full => {}
            () = sleep(notifier.config.poll), if !is_full => {}
        }
    }
    while sending.join_next().await.is_some() {}
}

/// Sends a message that was taken, counts and logs the result, and stores it. Sending that takes longer than
/// [`SEND_TIMEOUT`] is to be retried. A message that is to be retried after [`MAX_ATTEMPTS`] counts as failed. If the
/// storage fails, tries again each second for half of the lease, so that a short failure does not send the message twice.
async fn deliver(notifier: Arc<Notifier>, message: OutgoingMessage) {
    let sent = timeout(SEND_TIMEOUT, notifier.sender.send(&notifier, &message)).await;
    let result = sent.unwrap_or_else(|_| SendResult::Retry("sending took too long".to_owned()));
    let channel = message.subscription.channel.word();
    match &result {
        SendResult::Delivered => notifier.metrics.delivered.inc(),
        SendResult::Retry(error) if message.attempts < MAX_ATTEMPTS => {
            tracing::info!(channel, error, attempts = message.attempts, "message not delivered yet");
            notifier.metrics.retried.inc()
        }
        SendResult::Retry(error) | SendResult::Rejected(error) => {
            tracing::info!(channel, error, "message not delivered");
            notifier.metrics.failed.inc()
        }
    };
    let begin = Instant::now();
    loop {
        let stored =
            notifier.storage.finish_message(message.id, message.attempts, result.clone(), unix_time()).await;
        let Err(error) = stored else { return };
        notifier.metrics.storage_failed.inc();
        tracing::warn!(%error, channel, "cannot store the result of a message");
        if begin.elapsed() > notifier.config.lease / 2 {
            return;
        }
        sleep(Duration::from_secs(1)).await;
    }
}

/// Updates the metrics of the storage every 30 seconds, and removes old rows every hour, until `stop` is cancelled.
/// Nothing is removed in the first hour, nor after an hour in which the clock was set by more than half an hour.
/// Failures to remove are counted and logged.
async fn sweep(notifier: Arc<Notifier>, stop: CancellationToken) {
    let mut ticks = interval(USAGE_INTERVAL);
    let mut last = (Instant::now(), unix_time());
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = ticks.tick() => {}
        }
        let now = unix_time();
        if let Ok(usage) = notifier.storage.notify_usage(now).await {
            notifier.metrics.tables.set(usage.tables as i64);
            notifier.metrics.subscriptions.set(usage.subscriptions as i64);
            notifier.metrics.overdue.set(usage.overdue as i64);
        }
        let passed = last.0.elapsed();
        if passed >= EXPIRE_INTERVAL {
            let shown = now.saturating_sub(last.1);
            let is_steady = shown.abs_diff(passed.as_secs()) < EXPIRE_INTERVAL.as_secs() / 2;
            last = (Instant::now(), now);
            if is_steady && let Err(error) = notifier.storage.expire_notifications(now).await {
                notifier.metrics.storage_failed.inc();
                tracing::warn!(%error, "cannot remove old notifications");
            }
        }
    }
}
