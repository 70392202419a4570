//! The outputs of a lobby: actions that the caller must carry out, and events that it may show.

use crate::seating::Seating;
use pentarchy_net::{MailCursor, PeerId, PublicIdentity};
use pentarchy_table::SessionEvent;

/// Something that the caller must do for the lobby to work.
#[derive(Clone, Debug)]
pub enum LobbyAction {
    /// Send a message to a peer.
    Send(PeerId, Vec<u8>),
    /// Send a message to a peer that lags behind, with lower priority than every other message.
    SendBulk(PeerId, Vec<u8>),
    /// Append an item to the store. It must be durable before any later `Send` or `Post` is carried out.
    Persist(Vec<u8>),
    /// Post a message to the mailbox of the table, for people who are away.
    Post(Vec<u8>),
    /// Fetch the mail after this cursor.
    FetchMail(MailCursor),
}

/// Something that has happened. The caller may show it or ignore it.
#[derive(Clone, Debug)]
pub enum LobbyEvent {
    /// The seating has changed.
    SeatingChanged(Seating),
    /// The terms differ from those that the player confirmed, for this reason. The player is no longer ready and has to
    /// [request](crate::Lobby::request_seat) the seat again.
    TermsChanged(String),
    /// The match starts: [`Lobby::session`](crate::Lobby::session) returns its session from now on.
    Started,
    /// An event of the player's session.
    Session(SessionEvent),
    /// The bot with this number must choose an action; answer with [`Lobby::choose_for_bot`](crate::Lobby::choose_for_bot).
    BotMustChoose(usize),
    /// A line of chat that is not part of the signed log: before the match, or from a spectator.
    Chat {
        /// The identity of the sender.
        from: PublicIdentity,
        /// The display name of the sender; senders without a seat are marked.
        name: String,
        /// The line, without control characters.
        text: String,
    },
    /// This peer cannot take part as its player wants, for this reason: it is removed, its identity is in
    /// use, all seats are taken, or the match or a bot cannot be started.
    Refused(String),
}

/// One output of a lobby. The order of actions counts; an event comes after the actions that preceded it.
#[derive(Clone, Debug)]
pub enum LobbyOutput {
    /// To be carried out.
    Action(LobbyAction),
    /// To be shown.
    Event(LobbyEvent),
}
