//! What a server stores about turns and notifications: whose turn it is, who wants to know, and messages to be sent.
//!
//! The storage knows no games: a turn and a seat are numbers. [`SqlStorage`](crate::SqlStorage) has the operations.

use crate::club::PlayerKey;
use pentarchy_net::TableId;

/// Number of seats that a table can wait for.
pub const TURN_SEATS: u8 = 32;

/// A set of seats below [`TURN_SEATS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnSeats(u32);

impl TurnSeats {
    /// Creates a set from its bits: bit i for seat i.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// Returns the bits that [`TurnSeats::from_bits`] reads.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Returns whether the seat is in the set; `false` for a seat from [`TURN_SEATS`] on.
    pub fn has(self, seat: u8) -> bool {
        1u32.checked_shl(seat.into()).is_some_and(|bit| self.0 & bit != 0)
    }

    /// Returns the seats of this set that are not in `other`.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Iterates over the seats of the set in ascending order.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..TURN_SEATS).filter(move |seat| self.has(*seat))
    }
}

impl FromIterator<u8> for TurnSeats {
    /// Collects the seats. Repeated ones count once; seats from [`TURN_SEATS`] on are left out.
    fn from_iter<I: IntoIterator<Item = u8>>(seats: I) -> Self {
        let bits = seats.into_iter().filter_map(|seat| 1u32.checked_shl(seat.into()));
        Self(bits.fold(0, |set, bit| set | bit))
    }
}

/// The identifier of a subscription.
pub type SubscriptionId = [u8; 16];
/// The secret of the links in mails to a subscriber.
pub type MailToken = [u8; 16];
/// The identifier of a message, by which its recipient recognizes it if it is sent again.
pub type MessageId = [u8; 16];

/// Whose turn it is at a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableTurn {
    /// The number of the turn; 0 before the first one.
    pub turn: u64,
    /// The seats that the table waits for; empty if it waits for nobody.
    pub waiting: TurnSeats,
    /// When the turn was announced, in seconds since 1970.
    pub since: u64,
    /// When the time of the seats runs out, in seconds since 1970; 0 if it does not.
    pub deadline: u64,
}

/// The announcement of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnNotice {
    /// The table.
    pub table: TableId,
    /// The number of the turn, from 1.
    pub turn: u64,
    /// The seats that the table waits for.
    pub waiting: TurnSeats,
    /// When their time runs out, in seconds since 1970; 0 if it does not.
    pub deadline: u64,
}

/// The result of announcing a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnOutcome {
    /// The turn is stored. This many messages were put into the outbox.
    Stored(u64),
    /// Exactly this was announced before.
    Duplicate,
    /// A later turn was announced before. Nothing has changed.
    Stale,
    /// There are as many tables as the limit allows.
    Full,
}

/// The wish of a player to know when a table waits for a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowedSeat {
    /// The table.
    pub table: TableId,
    /// The seat, below [`TURN_SEATS`].
    pub seat: u8,
    /// Who wants to know.
    pub identity: PlayerKey,
    /// How messages name the table.
    pub label: String,
}

/// A way to reach a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NotifyChannel {
    /// Mail.
    Mail,
    /// A signed request to a URL.
    Webhook,
    /// A push service of a browser.
    Push,
}

/// What a message says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NotifyEvent {
    /// The table waits for the seat.
    Turn,
    /// Half of the time has passed.
    Half,
    /// A tenth of the time is left.
    Tenth,
    /// The owner of a mail address is asked whether they want messages.
    Confirm,
    /// The player has asked for a test.
    Test,
}

/// Whether a subscription is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SubscriptionState {
    /// The owner of the mail address has not confirmed it. Nothing but the confirmation is sent.
    Unconfirmed,
    /// Messages are sent.
    Active,
    /// A message could not be delivered for good, or the owner of the mail address has stopped it.
    Stopped,
}

/// The state of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeliveryState {
    /// It is sent when it is due.
    Waiting,
    /// A worker sends it.
    Sending,
    /// It was delivered.
    Sent,
    /// It was not delivered, and is not tried again.
    Failed,
    /// It was not sent, because the table no longer waited for the seat.
    Obsolete,
}

/// Implements the words by which the variants of an enum are stored and shown.
macro_rules! stored_words {
    ($kind:ident { $($variant:ident = $word:literal),* }) => {
        impl $kind {
            /// All variants.
            pub const ALL: &[$kind] = &[$($kind::$variant),*];

            /// Returns the word by which it is stored and shown.
            pub fn word(self) -> &'static str {
                match self {
                    $($kind::$variant => $word,)*
                }
            }

            /// Returns the variant that is stored as this word, in lower case; `None` if there is no such one.
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|variant| variant.word() == word)
            }
        }
    };
}

stored_words!(NotifyChannel { Mail = "mail", Webhook = "webhook", Push = "push" });
stored_words!(NotifyEvent { Turn = "turn", Half = "half", Tenth = "tenth", Confirm = "confirm", Test = "test" });
stored_words!(SubscriptionState { Unconfirmed = "unconfirmed", Active = "active", Stopped = "stopped" });
stored_words!(DeliveryState {
    Waiting = "waiting",
    Sending = "sending",
    Sent = "sent",
    Failed = "failed",
    Obsolete = "obsolete"
});

/// A subscription to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSubscription {
    /// A fresh random identifier. Not used if the player has a subscription with this address.
    pub id: SubscriptionId,
    /// Whose it is.
    pub identity: PlayerKey,
    /// The way.
    pub channel: NotifyChannel,
    /// A mail address or a URL. The storage does not check it.
    pub address: String,
    /// The only table to tell about; `None` for all tables at which the player follows a seat.
    pub table: Option<TableId>,
    /// The key that signs requests to a webhook, or public key and secret of a browser; empty for mail. A webhook that
    /// is stored already keeps its key.
    pub secret: Vec<u8>,
    /// Whether to remind before a deadline.
    pub reminders: bool,
    /// A fresh random token. Not used if the player has a subscription with this address.
    pub token: MailToken,
}

/// A subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// Its identifier.
    pub id: SubscriptionId,
    /// Whose it is.
    pub identity: PlayerKey,
    /// The way.
    pub channel: NotifyChannel,
    /// A mail address or a URL.
    pub address: String,
    /// The only table to tell about; `None` for all tables at which the player follows a seat.
    pub table: Option<TableId>,
    /// The key that signs requests to a webhook, or public key and secret of a browser; empty for mail.
    pub secret: Vec<u8>,
    /// Whether to remind before a deadline.
    pub reminders: bool,
    /// Whether it is in use.
    pub state: SubscriptionState,
    /// Why the last message was not delivered; empty if it was.
    pub error: String,
    /// The secret of the links in mails.
    pub token: MailToken,
    /// When it was stored, in seconds since 1970.
    pub created: u64,
    /// When a message was last delivered; 0 if none was.
    pub last_sent: u64,
}

/// The result of storing a subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubscribeOutcome {
    /// It is stored as this. An unconfirmed one has a confirmation in the outbox.
    Stored(Subscription),
    /// The player has as many as the limit allows.
    TooMany,
    /// The address has as many as the limit allows, or too many confirmations were sent to it.
    AddressBusy,
    /// The server has as many as the limit allows.
    Full,
}

/// A message that a worker has taken, with all that it needs to send it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutgoingMessage {
    /// Its identifier.
    pub id: MessageId,
    /// How often it was taken, with this time.
    pub attempts: u64,
    /// What it says.
    pub event: NotifyEvent,
    /// The table; `None` for a confirmation or a test.
    pub table: Option<TableId>,
    /// The seat.
    pub seat: u8,
    /// The number of the turn.
    pub turn: u64,
    /// When the time of the seat runs out, in seconds since 1970; 0 if it does not.
    pub deadline: u64,
    /// How the player has named the table; empty for a confirmation or a test.
    pub label: String,
    /// To whom.
    pub subscription: Subscription,
}

/// The result of sending a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SendResult {
    /// The recipient's server has accepted it.
    Delivered,
    /// It may succeed later; why it did not now.
    Retry(String),
    /// It will never succeed; why. The subscription is stopped.
    Rejected(String),
}

/// A message, for its recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Its identifier.
    pub id: MessageId,
    /// The subscription.
    pub subscription: SubscriptionId,
    /// What it says.
    pub event: NotifyEvent,
    /// The table; `None` for a confirmation or a test.
    pub table: Option<TableId>,
    /// The seat.
    pub seat: u8,
    /// The number of the turn.
    pub turn: u64,
    /// Its state.
    pub state: DeliveryState,
    /// How often a worker has taken it.
    pub attempts: u64,
    /// Why it is not delivered; empty if there is no reason yet.
    pub error: String,
    /// When it last changed, in seconds since 1970.
    pub changed: u64,
}

/// The limits of what is stored about turns and notifications.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotifyLimits {
    /// Maximum tables.
    pub tables: u64,
    /// Maximum followers of seats per table.
    pub followers_per_table: u64,
    /// Maximum seats that a player follows.
    pub seats_per_player: u64,
    /// Maximum subscriptions.
    pub subscriptions: u64,
    /// Maximum subscriptions per player.
    pub subscriptions_per_player: u64,
    /// Maximum active subscriptions per mail address or URL.
    pub subscriptions_per_address: u64,
    /// Maximum confirmations per mail address within [`CONFIRM_DAYS`] days.
    pub confirmations: u64,
    /// Maximum messages per subscription within a day, without reminders.
    pub messages_per_day: u64,
}

impl Default for NotifyLimits {
    /// Returns the limits of a server on a small machine.
    fn default() -> Self {
        Self {
            tables: 100_000,
            followers_per_table: 64,
            seats_per_player: 200,
            subscriptions: 100_000,
            subscriptions_per_player: 8,
            subscriptions_per_address: 8,
            confirmations: 3,
            messages_per_day: 50,
        }
    }
}

/// Days after which a subscription that nobody has confirmed is removed, and within which confirmations to one address are
/// counted.
pub const CONFIRM_DAYS: u64 = 7;
/// Days for which messages are kept.
pub const DELIVERY_DAYS: u64 = 30;
/// Days without an announcement or a new follower after which a table is removed.
pub const TABLE_DAYS: u64 = 90;
/// Days after which a subscription is removed whose owner has made no request.
pub const SUBSCRIPTION_DAYS: u64 = 400;
/// Maximum messages that a list returns.
pub const DELIVERY_PAGE: u32 = 50;
/// How often a message is tried.
pub const MAX_ATTEMPTS: u64 = 9;

/// Returns how many seconds to wait after this many failed attempts: 1, 2, 4, … minutes, and at most six hours. All
/// [`MAX_ATTEMPTS`] attempts take about four hours.
pub fn retry_delay(attempts: u64) -> u64 {
    let minutes = 1u64 << attempts.saturating_sub(1).min(16);
    (minutes * 60).min(6 * 3600)
}

/// Returns when to remind of a deadline, in seconds since 1970: when half of the time has passed, and when a tenth is
/// left. `None` if there is no deadline, or the time is shorter than an hour.
pub fn reminder_times(since: u64, deadline: u64) -> Option<[(NotifyEvent, u64); 2]> {
    let time = deadline.checked_sub(since).filter(|time| *time >= 3600)?;
    Some([(NotifyEvent::Half, since + time / 2), (NotifyEvent::Tenth, deadline - time / 10)])
}

/// How much is stored about turns and notifications.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NotifyUsage {
    /// Tables.
    pub tables: u64,
    /// Subscriptions, in all states.
    pub subscriptions: u64,
    /// Messages that are due and not sent.
    pub overdue: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_seats_are_bits() {
        let seats: TurnSeats = [31, 0, 4, 0, 32].into_iter().collect();
        assert_eq!(seats.bits(), 1 << 31 | 1 << 4 | 1);
        assert_eq!(seats.iter().collect::<Vec<_>>(), [0, 4, 31]);
        assert!(!seats.has(32) && TurnSeats::from_bits(seats.bits()) == seats);
        assert_eq!(seats.minus(TurnSeats::from_bits(3)).iter().collect::<Vec<_>>(), [4, 31]);
    }

    #[test]
    fn reminders_are_between_the_start_and_the_deadline() {
        for (since, time) in [(0, 3600), (1_000, 86_400), (1_790_000_000, 14 * 86_400 + 7)] {
            let [(first, half), (second, tenth)] = reminder_times(since, since + time).unwrap();
            assert_eq!((first, second), (NotifyEvent::Half, NotifyEvent::Tenth));
            assert!(since < half && half < tenth && tenth < since + time);
            assert_eq!((half - since, since + time - tenth), (time / 2, time / 10));
        }
        assert_eq!(reminder_times(1_000, 0), None);
        assert_eq!(reminder_times(1_000, 1_000 + 3_599), None);
        assert_eq!(reminder_times(1_000, 10), None);
    }

    #[test]
    fn attempts_take_less_than_half_a_day() {
        let delays: Vec<u64> = (1..MAX_ATTEMPTS).map(retry_delay).collect();
        assert!(delays.is_sorted() && delays[0] == 60);
        assert!(delays.iter().sum::<u64>() < 12 * 3600);
        assert_eq!(retry_delay(u64::MAX), 6 * 3600);
    }
}
