//! Turns, subscriptions and the outbox, in both databases.

use crate::common::{Folder, Numbers, open, table};
use pentarchy_net::TableId;
use pentarchy_storage::SqlStorage;
use pentarchy_storage::notify::{
    DeliveryState, FollowedSeat, MAX_ATTEMPTS, NewSubscription, NotifyChannel, NotifyEvent, NotifyLimits,
    NotifyUsage, OutgoingMessage, SendResult, SubscribeOutcome, Subscription, SubscriptionState, TurnNotice,
    TurnOutcome, TurnSeats, retry_delay,
};
use pentarchy_storage::testing::PostgresServer;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

const LIMITS: NotifyLimits = NotifyLimits {
    tables: 1_000,
    followers_per_table: 4,
    seats_per_player: 3,
    subscriptions: 1_000,
    subscriptions_per_player: 3,
    subscriptions_per_address: 2,
    confirmations: 3,
    messages_per_day: 1_000,
};
const LEASE: u64 = 100;
const DAY: u64 = 86_400;

/// Returns a subscription of player `i` to be stored, for all tables and with reminders.
fn new(i: u8, channel: NotifyChannel, address: &str) -> NewSubscription {
    let hash = |part: u8| {
        let mut bytes = [0u8; 16];
        for (k, byte) in address.bytes().enumerate() {
            bytes[k % 16] = bytes[k % 16].wrapping_mul(31).wrapping_add(byte);
        }
        bytes[0] ^= i;
        bytes[1] = part;
        bytes
    };
    NewSubscription {
        id: hash(1),
        identity: [i; 32],
        channel,
        address: address.into(),
        table: None,
        secret: vec![i; 32],
        reminders: true,
        token: hash(2),
    }
}

/// Stores a subscription that must be accepted, and returns it.
async fn subscribed(storage: &SqlStorage, new: NewSubscription, now: u64) -> Subscription {
    match storage.subscribe(new, LIMITS, now).await.unwrap() {
        SubscribeOutcome::Stored(subscription) => subscription,
        other => panic!("{other:?}"),
    }
}

/// Lets a player follow a seat of table `i`, which must be accepted.
async fn follow(storage: &SqlStorage, i: u8, seat: u8, player: u8, now: u64) {
    let seat = FollowedSeat { table: table(i), seat, identity: [player; 32], label: format!("Table {i}") };
    assert!(storage.follow_seat(seat, LIMITS, now).await.unwrap());
}

/// Announces a turn of table `i`, and returns the outcome.
async fn announce(
    storage: &SqlStorage,
    i: u8,
    turn: u64,
    waiting: u32,
    deadline: u64,
    now: u64,
) -> TurnOutcome {
    let notice = TurnNotice { table: table(i), turn, waiting: TurnSeats::from_bits(waiting), deadline };
    storage.put_turn(notice, LIMITS, now).await.unwrap()
}

/// Takes all messages of a channel that are due.
async fn take(storage: &SqlStorage, channel: NotifyChannel, now: u64) -> Vec<OutgoingMessage> {
    storage.take_messages(channel, 100, LEASE, now).await.unwrap()
}

/// Stores the result of a message, which must still belong to the caller.
async fn finish(storage: &SqlStorage, message: &OutgoingMessage, result: SendResult, now: u64) {
    assert!(storage.finish_message(message.id, message.attempts, result, now).await.unwrap());
}

/// Delivers all messages to webhooks that are due, and returns their turns and events.
async fn deliver_webhooks(storage: &SqlStorage, now: u64) -> Vec<(u64, NotifyEvent)> {
    let taken = take(storage, NotifyChannel::Webhook, now).await;
    for message in &taken {
        finish(storage, message, SendResult::Delivered, now).await;
    }
    taken.iter().map(|message| (message.turn, message.event)).collect()
}

/// The key of a message.
type Key = (Option<TableId>, u8, u64, NotifyEvent, [u8; 16]);

/// Returns the key of a message.
fn key(message: &OutgoingMessage) -> Key {
    (message.table, message.seat, message.turn, message.event, message.subscription.id)
}

/// Checks everything on an empty storage.
pub(crate) async fn check(storage: &SqlStorage) {
    turns_are_told_once_whatever_is_announced(storage).await;
    reminders_follow_the_deadline(storage).await;
    reminders_follow_an_earlier_deadline(storage).await;
    reminders_follow_beyond_the_limit_of_the_day(storage).await;
    obsolete_messages_do_not_delay_others(storage).await;
    addresses_are_confirmed_first(storage).await;
    failures_are_kept_and_stop_a_subscription(storage).await;
    limits_hold(storage).await;
    old_rows_are_removed(storage).await;
    let secret = storage.server_secret("key", [1; 32]).await.unwrap();
    assert_eq!((secret, storage.server_secret("key", [2; 32]).await.unwrap()), ([1; 32], [1; 32]));
}

/// Announces random turns of three tables in random order, again and late, while workers take messages, deliver them, fail
/// or die. Asserts that each message is delivered once, that a message is sent again only if its worker died, and that
/// each turn that a table is still at is delivered.
async fn turns_are_told_once_whatever_is_announced(storage: &SqlStorage) {
    let numbers = &mut Numbers(3);
    let mut now = 1_000_000;
    for player in 1..=2 {
        subscribed(storage, new(player, NotifyChannel::Webhook, "https://a.example/"), now).await;
        subscribed(storage, new(player, NotifyChannel::Push, &format!("https://p.example/{player}")), now)
            .await;
        for i in 0..3 {
            follow(storage, i, player, player, now).await;
        }
    }
    let mut current: BTreeMap<u8, (u64, u32)> = BTreeMap::new();
    let mut sent: HashMap<Key, u32> = HashMap::new();
    let mut deaths: HashMap<Key, u32> = HashMap::new();
    let mut delivered: HashSet<Key> = HashSet::new();
    let mut rounds = 0;
    loop {
        let is_last = rounds >= 300;
        if !is_last {
            let i = numbers.below(3) as u8;
            let (turn, waiting) = current.get(&i).copied().unwrap_or_default();
            let (new_turn, new_waiting) = match numbers.below(4) {
                0 => (turn.saturating_sub(1 + numbers.below(3)).max(1), 6),
                1 => (turn.max(1), if turn == 0 { 2 } else { waiting }),
                _ => (turn + 1, 2 << numbers.below(2)),
            };
            let outcome = announce(storage, i, new_turn, new_waiting, 0, now).await;
            match outcome {
                TurnOutcome::Stale => assert!(new_turn < turn),
                TurnOutcome::Duplicate => assert_eq!((new_turn, new_waiting), (turn, waiting)),
                TurnOutcome::Stored(_) => {
                    assert!(new_turn >= turn);
                    current.insert(i, (new_turn, new_waiting));
                }
                TurnOutcome::Full => panic!(),
            }
            let stored = storage.table_turn(table(i)).await.unwrap().unwrap();
            assert_eq!((stored.turn, stored.waiting.bits()), current.get(&i).copied().unwrap_or_default());
        }
        let mut is_idle = true;
        for channel in [NotifyChannel::Webhook, NotifyChannel::Push] {
            for message in take(storage, channel, now).await {
                is_idle = false;
                let key = key(&message);
                *sent.entry(key).or_default() += 1;
                // A message that fails too often would stop the subscription.
                match numbers.below(if is_last || message.attempts > 4 { 1 } else { 4 }) {
                    0 | 1 => {
                        finish(storage, &message, SendResult::Delivered, now).await;
                        assert!(delivered.insert(key), "{key:?} is delivered twice");
                    }
                    2 => {
                        finish(storage, &message, SendResult::Retry("busy".into()), now).await;
                        *deaths.entry(key).or_default() += 1;
                    }
                    // The worker dies, before or after sending.
                    _ => *deaths.entry(key).or_default() += 1,
                }
            }
        }
        rounds += 1;
        now += if is_last { 7 * 3600 } else { numbers.below(LEASE) };
        // Longer than all leases and pauses have passed.
        if is_idle && rounds > 302 {
            break;
        }
    }
    for (key, count) in &sent {
        let again = deaths.get(key).copied().unwrap_or_default();
        assert!(*count <= 1 + again, "{key:?} was sent {count} times, and {again} attempts failed");
    }
    for (i, (turn, waiting)) in current {
        for player in (1..=2u8).filter(|seat| TurnSeats::from_bits(waiting).has(*seat)) {
            let told = delivered.iter().filter(|(told, seat, number, event, _)| {
                (*told, *seat, *number, *event) == (Some(table(i)), player, turn, NotifyEvent::Turn)
            });
            assert_eq!(told.count(), 2, "both channels of {player} at table {i}");
        }
    }
    for player in 1..=2 {
        for subscription in storage.subscriptions([player; 32], now).await.unwrap() {
            assert!(storage.unsubscribe([player; 32], subscription.id).await.unwrap());
        }
        for i in 0..3 {
            assert!(storage.unfollow_seat([player; 32], table(i), player).await.unwrap());
        }
    }
}

/// Asserts that there are two reminders of a deadline, once each, also if it changes, and none after the turn.
async fn reminders_follow_the_deadline(storage: &SqlStorage) {
    let start = 2_000_000;
    let hook = new(5, NotifyChannel::Webhook, "https://r.example/");
    subscribed(storage, hook.clone(), start).await;
    follow(storage, 50, 0, 5, start).await;
    let told = async |now| deliver_webhooks(storage, now).await;
    assert_eq!(announce(storage, 50, 1, 1, start + 10 * DAY, start).await, TurnOutcome::Stored(3));
    assert_eq!(told(start).await, [(1, NotifyEvent::Turn)]);
    assert!(
        storage.deliveries([5; 32], start).await.unwrap().iter().all(|one| one.state == DeliveryState::Sent)
    );
    // A holiday of two days: the same turn with a later deadline.
    assert_eq!(announce(storage, 50, 1, 1, start + 12 * DAY, start + DAY).await, TurnOutcome::Stored(0));
    assert_eq!(told(start + 6 * DAY - 1).await, []);
    assert_eq!(told(start + 6 * DAY).await, [(1, NotifyEvent::Half)]);
    let tenth = start + 12 * DAY - 12 * DAY / 10;
    assert_eq!(told(tenth - 1).await, []);
    assert_eq!(told(tenth).await, [(1, NotifyEvent::Tenth)]);
    assert_eq!(told(tenth + 5 * DAY).await, [], "once each");
    // The player moves before the reminders.
    assert_eq!(announce(storage, 50, 2, 1, start + 30 * DAY, start + 20 * DAY).await, TurnOutcome::Stored(3));
    assert_eq!(told(start + 20 * DAY).await, [(2, NotifyEvent::Turn)]);
    announce(storage, 50, 3, 2, 0, start + 21 * DAY).await;
    assert_eq!(told(start + 40 * DAY).await, []);
    // A table waits when somebody subscribes: they are reminded, but not told what they see.
    announce(storage, 50, 4, 3, start + 60 * DAY, start + 40 * DAY).await;
    assert_eq!(told(start + 40 * DAY).await, [(4, NotifyEvent::Turn)]);
    follow(storage, 50, 1, 5, start + 41 * DAY).await;
    assert_eq!(told(start + 50 * DAY).await, [(4, NotifyEvent::Half); 2]);
    subscribed(storage, NewSubscription { reminders: false, ..hook }, start + 51 * DAY).await;
    assert_eq!(told(start + 59 * DAY).await, []);
    announce(storage, 50, 5, 1, start + 80 * DAY, start + 60 * DAY).await;
    assert_eq!(told(start + 79 * DAY).await, [(5, NotifyEvent::Turn)], "without reminders");
    storage.unfollow_seat([5; 32], table(50), 0).await.unwrap();
    storage.unfollow_seat([5; 32], table(50), 1).await.unwrap();
}

/// Asserts that a reminder whose time an earlier deadline moves into the past is sent at once, and is not sent if the
/// next one, or the deadline, has passed.
async fn reminders_follow_an_earlier_deadline(storage: &SqlStorage) {
    use NotifyEvent::{Half, Tenth, Turn};
    let (mut start, hook) = (10_000_000, new(16, NotifyChannel::Webhook, "https://e.example/"));
    let stored = subscribed(storage, hook, start).await;
    follow(storage, 80, 0, 16, start).await;
    // The days of the second deadline, and the reminders that are sent at once, on day 4, and later.
    let changes =
        [(6, vec![Half], vec![Tenth]), (4, vec![], vec![]), (3, vec![], vec![]), (0, vec![], vec![])];
    for (turn, (days, at_once, later)) in (1..).zip(changes) {
        let (changed, deadline) = (start + 4 * DAY, start + 10 * DAY);
        assert_eq!(announce(storage, 80, turn, 1, deadline, start).await, TurnOutcome::Stored(3));
        assert_eq!(deliver_webhooks(storage, start).await, [(turn, Turn)]);
        announce(storage, 80, turn, 1, if days > 0 { start + days * DAY } else { 0 }, changed).await;
        let of_turn = |events: Vec<_>| events.into_iter().map(|event| (turn, event)).collect::<Vec<_>>();
        assert_eq!(deliver_webhooks(storage, changed).await, of_turn(at_once), "{days} days, at once");
        let told = deliver_webhooks(storage, start + 20 * DAY).await;
        assert_eq!(told, of_turn(later), "{days} days, later");
        start += 30 * DAY;
    }
    // The tenth that is left began before the change: half of the time is not said any more.
    announce(storage, 80, 5, 1, start + 10 * DAY, start).await;
    announce(storage, 80, 5, 1, start + 4 * DAY + 3_600, start + 4 * DAY).await;
    assert_eq!(deliver_webhooks(storage, start + 4 * DAY).await, [(5, Turn), (5, Tenth)]);
    // A deadline that is removed and stated again has reminders again.
    announce(storage, 80, 6, 1, start + 10 * DAY, start + 5 * DAY).await;
    announce(storage, 80, 6, 1, 0, start + 5 * DAY).await;
    let again = announce(storage, 80, 6, 1, start + 10 * DAY, start + 5 * DAY).await;
    assert_eq!(again, TurnOutcome::Stored(2));
    // Who follows the seat late gets no reminder whose time has passed.
    announce(storage, 80, 7, 2, start + 10 * DAY, start).await;
    follow(storage, 80, 1, 16, start + 6 * DAY).await;
    assert_eq!(deliver_webhooks(storage, start + 9 * DAY).await, [(7, Tenth)]);
    assert!(storage.unsubscribe([16; 32], stored.id).await.unwrap());
}

/// Asserts that reminders that wait follow a new deadline of a subscription that has its messages of the day.
async fn reminders_follow_beyond_the_limit_of_the_day(storage: &SqlStorage) {
    let start = 10_000_000;
    let stored = subscribed(storage, new(17, NotifyChannel::Webhook, "https://d.example/"), start).await;
    follow(storage, 81, 0, 17, start).await;
    assert_eq!(announce(storage, 81, 1, 1, start + 10 * DAY, start).await, TurnOutcome::Stored(3));
    assert_eq!(deliver_webhooks(storage, start).await, [(1, NotifyEvent::Turn)]);
    let waiting = TurnSeats::from_bits(1);
    let later = TurnNotice { table: table(81), turn: 1, waiting, deadline: start + 12 * DAY };
    let few = NotifyLimits { messages_per_day: 1, ..LIMITS };
    assert_eq!(storage.put_turn(later, few, start + 60).await.unwrap(), TurnOutcome::Stored(0));
    assert_eq!(deliver_webhooks(storage, start + 6 * DAY - 1).await, []);
    assert_eq!(deliver_webhooks(storage, start + 6 * DAY).await, [(1, NotifyEvent::Half)]);
    assert!(storage.unsubscribe([17; 32], stored.id).await.unwrap());
}

/// Asserts that messages that are no longer wanted do not take the place of others that are due.
async fn obsolete_messages_do_not_delay_others(storage: &SqlStorage) {
    let now = 10_000_000;
    let stored = subscribed(storage, new(18, NotifyChannel::Webhook, "https://o.example/"), now).await;
    follow(storage, 82, 0, 18, now).await;
    for turn in 1..=5 {
        assert_eq!(announce(storage, 82, turn, 1, 0, now + turn).await, TurnOutcome::Stored(1));
    }
    let taken = storage.take_messages(NotifyChannel::Webhook, 2, LEASE, now + 5).await.unwrap();
    assert_eq!(taken.iter().map(|message| message.turn).collect::<Vec<_>>(), [5]);
    let shown = storage.deliveries([18; 32], now + 5).await.unwrap();
    let obsolete = shown.iter().filter(|one| one.state == DeliveryState::Obsolete);
    assert_eq!((shown.len(), obsolete.count()), (5, 4));
    assert!(storage.unsubscribe([18; 32], stored.id).await.unwrap());
}

/// Asserts that a mail address gets nothing but confirmations, and not many, until it is confirmed, and nothing after it is
/// stopped.
async fn addresses_are_confirmed_first(storage: &SqlStorage) {
    let now = 5_000_000;
    let mail = new(6, NotifyChannel::Mail, "ada@example.org");
    let stored = subscribed(storage, mail.clone(), now).await;
    assert_eq!(stored.state, SubscriptionState::Unconfirmed);
    follow(storage, 60, 0, 6, now).await;
    assert_eq!(announce(storage, 60, 1, 1, 0, now).await, TurnOutcome::Stored(0));
    let [confirm] = &take(storage, NotifyChannel::Mail, now).await[..] else { panic!("one mail") };
    assert_eq!((confirm.event, confirm.label.as_str()), (NotifyEvent::Confirm, ""));
    finish(storage, confirm, SendResult::Delivered, now).await;
    // Asked again, by the same or another player: at most three in a week.
    assert_eq!(subscribed(storage, mail.clone(), now + 1).await.id, stored.id);
    let other = NewSubscription { address: "ADA@example.org".into(), ..new(7, NotifyChannel::Mail, "other") };
    subscribed(storage, other.clone(), now + 2).await;
    assert_eq!(
        storage.subscribe(mail.clone(), LIMITS, now + 3).await.unwrap(),
        SubscribeOutcome::AddressBusy
    );
    assert!(storage.unsubscribe([7; 32], other.id).await.unwrap());
    assert_eq!(storage.subscribe(other, LIMITS, now + 4).await.unwrap(), SubscribeOutcome::AddressBusy);
    assert!(!storage.confirm([9; 16], LIMITS, now).await.unwrap());
    assert!(storage.confirm(stored.token, LIMITS, now + 5).await.unwrap());
    assert!(!storage.confirm(stored.token, LIMITS, now + 5).await.unwrap());
    for message in take(storage, NotifyChannel::Mail, now + 5).await {
        finish(storage, &message, SendResult::Delivered, now + 5).await;
    }
    assert_eq!(announce(storage, 60, 2, 1, 0, now + 6).await, TurnOutcome::Stored(1));
    assert!(storage.stop_subscription(stored.token, "enough".into(), now + 7).await.unwrap());
    assert_eq!(take(storage, NotifyChannel::Mail, now + 8).await, []);
    let [shown] = &storage.subscriptions([6; 32], now + 8).await.unwrap()[..] else { panic!("one") };
    assert_eq!((shown.state, shown.error.as_str()), (SubscriptionState::Stopped, "enough"));
    let failed = &storage.deliveries([6; 32], now + 8).await.unwrap()[0];
    assert_eq!((failed.turn, failed.state), (2, DeliveryState::Failed));
    // To start again it must be confirmed again.
    let again = subscribed(storage, mail, now + 8 * DAY).await;
    assert_eq!((again.id, again.state), (stored.id, SubscriptionState::Unconfirmed));
    assert!(storage.unsubscribe([6; 32], stored.id).await.unwrap());
}

/// Asserts that a message is retried with growing pauses, that its last error stops the subscription, and that a worker
/// that has lost its lease changes nothing.
async fn failures_are_kept_and_stop_a_subscription(storage: &SqlStorage) {
    let mut now = 9_000_000;
    let hook = new(8, NotifyChannel::Webhook, "https://f.example/");
    let stored = subscribed(storage, hook.clone(), now).await;
    assert!(storage.send_test([8; 32], stored.id, LIMITS, now).await.unwrap());
    assert!(!storage.send_test([8; 32], stored.id, LIMITS, now).await.unwrap(), "one in a second");
    assert!(!storage.send_test([1; 32], stored.id, LIMITS, now + 1).await.unwrap(), "of another player");
    let lost = take(storage, NotifyChannel::Webhook, now).await.remove(0);
    assert_eq!(take(storage, NotifyChannel::Webhook, now + LEASE - 1).await, []);
    now += LEASE;
    let mut message = take(storage, NotifyChannel::Webhook, now).await.remove(0);
    assert_eq!((message.id, message.attempts), (lost.id, 2));
    assert!(!storage.finish_message(lost.id, lost.attempts, SendResult::Delivered, now).await.unwrap());
    loop {
        let error = format!("attempt {}", message.attempts);
        finish(storage, &message, SendResult::Retry(error.clone()), now).await;
        let [shown] = &storage.subscriptions([8; 32], now).await.unwrap()[..] else { panic!("one") };
        assert_eq!(shown.error, error);
        if message.attempts == MAX_ATTEMPTS {
            assert_eq!(shown.state, SubscriptionState::Stopped);
            break;
        }
        let delay = retry_delay(message.attempts);
        assert_eq!(take(storage, NotifyChannel::Webhook, now + delay - 1).await, []);
        now += delay;
        message = take(storage, NotifyChannel::Webhook, now).await.remove(0);
    }
    assert!(!storage.send_test([8; 32], stored.id, LIMITS, now).await.unwrap(), "it is stopped");
    let again = subscribed(storage, NewSubscription { secret: vec![99], ..hook }, now).await;
    assert_eq!(
        (again.state, again.secret, again.error),
        (SubscriptionState::Active, vec![8; 32], String::new())
    );
    assert!(storage.send_test([8; 32], stored.id, LIMITS, now + 1).await.unwrap());
    let message = take(storage, NotifyChannel::Webhook, now + 1).await.remove(0);
    finish(storage, &message, SendResult::Rejected("gone".into()), now + 1).await;
    let states: Vec<_> = storage
        .deliveries([8; 32], now + 1)
        .await
        .unwrap()
        .iter()
        .map(|one| (one.state, one.error.clone()))
        .collect();
    assert_eq!(states[0], (DeliveryState::Failed, "gone".to_owned()));
    storage.unsubscribe([8; 32], stored.id).await.unwrap();
}

/// Asserts the limits of subscriptions, followed seats and messages.
async fn limits_hold(storage: &SqlStorage) {
    let now = 12_000_000;
    let url = |k: u8| format!("https://l.example/{k}");
    for k in 0..3 {
        subscribed(storage, new(10, NotifyChannel::Webhook, &url(k)), now).await;
    }
    let subscribe = async |i, k, limits| {
        storage.subscribe(new(i, NotifyChannel::Webhook, &url(k)), limits, now).await.unwrap()
    };
    assert_eq!(subscribe(10, 3, LIMITS).await, SubscribeOutcome::TooMany);
    assert!(matches!(subscribe(11, 0, LIMITS).await, SubscribeOutcome::Stored(_)));
    assert_eq!(subscribe(12, 0, LIMITS).await, SubscribeOutcome::AddressBusy);
    let few = NotifyLimits { subscriptions: 1, tables: 1, messages_per_day: 2, ..LIMITS };
    assert_eq!(subscribe(12, 1, few).await, SubscribeOutcome::Full);
    for i in 0..3 {
        follow(storage, 70 + i, 0, 10, now).await;
    }
    let put = async |i: u8, player: u8, limits| {
        let seat = FollowedSeat { table: table(i), seat: 0, identity: [player; 32], label: String::new() };
        storage.follow_seat(seat, limits, now).await.unwrap()
    };
    assert!(!put(73, 10, LIMITS).await, "of the player");
    assert!(put(70, 10, LIMITS).await, "again");
    for player in 11..14 {
        follow(storage, 70, 0, player, now).await;
    }
    assert!(!put(70, 14, LIMITS).await, "of the table");
    assert!(!put(74, 15, few).await, "tables");
    let notice = |turn| TurnNotice { table: table(71), turn, waiting: TurnSeats::from_bits(1), deadline: 0 };
    for turn in 1..=4 {
        let outcome = storage.put_turn(notice(turn), few, now).await.unwrap();
        assert_eq!(outcome, TurnOutcome::Stored(if turn <= 2 { 3 } else { 0 }));
    }
    // Few rows are stored, even if many turns are announced.
    for turn in 5..=40 {
        let notice = TurnNotice { deadline: now + 9 * DAY, ..notice(turn) };
        assert_eq!(storage.put_turn(notice, few, now).await.unwrap(), TurnOutcome::Stored(0));
    }
    let failed = storage.deliveries([10; 32], now).await.unwrap();
    let failed: Vec<_> = failed.iter().filter(|one| one.state == DeliveryState::Failed).collect();
    assert!(failed.len() == 30 && failed[0].error.contains("2 messages within a day"), "{failed:?}");
    assert_eq!(
        storage.put_turn(TurnNotice { table: table(75), ..notice(1) }, few, now).await.unwrap(),
        TurnOutcome::Full
    );
}

/// Asserts that everything is removed when it is old, and nothing before.
async fn old_rows_are_removed(storage: &SqlStorage) {
    let now = 12_000_000;
    storage.expire_notifications(now).await.unwrap();
    assert!(storage.table_turn(table(71)).await.unwrap().is_some());
    assert!(!storage.deliveries([10; 32], now).await.unwrap().is_empty());
    storage.expire_notifications(now + 31 * DAY).await.unwrap();
    assert!(storage.deliveries([10; 32], now).await.unwrap().is_empty());
    storage.expire_notifications(now + 91 * DAY).await.unwrap();
    assert_eq!(storage.table_turn(table(71)).await.unwrap(), None);
    assert_eq!(storage.followed_seats([10; 32]).await.unwrap(), []);
    storage.expire_notifications(now + 500 * DAY).await.unwrap();
    assert_eq!(storage.notify_usage(now).await.unwrap(), NotifyUsage::default());
}

#[tokio::test]
async fn a_file_keeps_notifications() {
    let folder = Folder::new("notify");
    check(&open(&folder).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_keeps_notifications() {
    let Some(server) = PostgresServer::start() else { return };
    check(&SqlStorage::open_postgres(&server.database("notify").await).await.unwrap()).await;
    processes_share_an_outbox(&server.database("outbox").await).await;
}

/// Asserts that two processes that take messages at the same time never get the same one, and get all of them.
async fn processes_share_an_outbox(address: &str) {
    let (first, second) = (
        SqlStorage::open_postgres(address).await.unwrap(),
        SqlStorage::open_postgres(address).await.unwrap(),
    );
    let now = 1_000_000;
    subscribed(&first, new(1, NotifyChannel::Webhook, "https://a.example/"), now).await;
    let id = new(1, NotifyChannel::Webhook, "https://a.example/").id;
    for ago in 0..60 {
        assert!(first.send_test([1; 32], id, LIMITS, now - ago).await.unwrap());
    }
    let drain = async |storage: &SqlStorage| {
        let mut taken = Vec::new();
        loop {
            let some = storage.take_messages(NotifyChannel::Webhook, 3, LEASE, now).await.unwrap();
            if some.is_empty() {
                return taken;
            }
            taken.extend(some.into_iter().map(|message| message.id));
        }
    };
    let (one, other) = tokio::join!(drain(&first), drain(&second));
    let all: BTreeSet<_> = one.iter().chain(&other).collect();
    assert_eq!((all.len(), one.len() + other.len()), (60, 60));
}
