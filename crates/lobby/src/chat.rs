//! Chat: rate limits, muting and display names; and the guests that the host has removed.

use crate::message::LobbyMessage;
use crate::seating::clean_name;
use crate::{Lobby, LobbyEvent, LobbyOutput, Seating};
use pentarchy_net::{PeerId, PublicIdentity};
use pentarchy_table::{MAX_CHAT, MAX_NAME, printable};
use std::collections::{BTreeMap, BTreeSet};

/// The budget of a sender: lines that are shown at once.
const BURST: u64 = 8;
/// Milliseconds after which a sender may send one more line.
const LINE_MS: u64 = 1_500;
/// Appended to the display names of senders without a seat.
const WATCHING: &str = " (watching)";

/// Splits a text into the first line of chat to send and the rest, both trimmed. The line has at most `MAX_CHAT` bytes,
/// ends between two characters, and is empty only if the text is. The rest is empty if everything fits.
pub fn split_chat(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (line, rest) = text.split_at(text.floor_char_boundary(MAX_CHAT));
    (line.trim_end(), rest.trim_start())
}

/// The rate limit of every sender, and the muted ones.
#[derive(Default)]
pub(crate) struct ChatFilter {
    /// By sender: when the budget is full again, in milliseconds. Each shown line moves it by [`LINE_MS`].
    full_at: BTreeMap<PublicIdentity, u64>,
    muted: BTreeSet<PublicIdentity>,
}

impl ChatFilter {
    /// Returns whether a line of this sender is shown at time `now` (milliseconds), and charges the
    /// sender's budget for it. The budget is [`BURST`] lines, and gains one every [`LINE_MS`]. `false` for
    /// muted senders and for those whose budget is used up; these are not charged.
    pub(crate) fn admits(&mut self, from: &PublicIdentity, now: u64) -> bool {
        if self.muted.contains(from) {
            return false;
        }
        self.full_at.retain(|_, full_at| *full_at > now);
        let full_at = self.full_at.get(from).map_or(now, |full_at| *full_at);
        let admitted = full_at <= now + LINE_MS * (BURST - 1);
        if admitted {
            self.full_at.insert(*from, full_at + LINE_MS);
        }
        admitted
    }
}

/// A person at the table other than the player of this peer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attendee {
    /// Their identity.
    pub identity: PublicIdentity,
    /// Their display name in chat.
    pub name: String,
    /// Whether this peer hides their lines.
    pub is_muted: bool,
}

impl Lobby {
    /// Mutes a sender at this peer, or unmutes them. Holds until it is changed or the process ends. Lines
    /// that arrive while the sender is muted are lost.
    pub fn set_muted(&mut self, identity: PublicIdentity, is_muted: bool) {
        if is_muted {
            self.chat_filter.muted.insert(identity);
        } else {
            self.chat_filter.muted.remove(&identity);
        }
    }

    /// Returns the other people at the table, without bots: first the players in seat order, then the
    /// spectators; during the match only spectators who are connected and whom this peer has not removed.
    /// Empty before a seating is known.
    pub fn attendees(&self) -> Vec<Attendee> {
        let mine = *self.identity.public().bytes();
        let mut people: Vec<PublicIdentity> = match (&self.session, &self.seating) {
            (Some(session), _) => {
                let players = session.descriptor().players.iter().filter(|player| player.host.is_none());
                let connected = self.present.values().filter(|identity| !self.removed.contains(*identity));
                players.map(|player| player.identity).chain(connected.copied()).collect()
            }
            (None, Some(seating)) => {
                let players = seating.players().filter(|chair| chair.bot.is_none());
                let watchers = seating.watchers.iter().map(|(identity, _)| *identity);
                players.map(|chair| chair.identity).chain(watchers).collect()
            }
            (None, None) => Vec::new(),
        };
        let mut seen = BTreeSet::from([mine]);
        people.retain(|identity| seen.insert(*identity));
        let attendee = |identity: PublicIdentity| Attendee {
            name: self.display_name(&identity),
            is_muted: self.chat_filter.muted.contains(&identity),
            identity,
        };
        people.into_iter().map(attendee).collect()
    }

    /// Removes a guest before the match, as host: frees the seat, tells the guest and all others, and until
    /// the process ends ignores further messages of the guest and sends them none. The guest need not be
    /// present. They still have the link: they can return with another identity, and watch the match through
    /// other peers, which do not know of the removal. Does nothing at a guest, after the start, and for the
    /// host itself and its bots. Returns the outputs.
    pub fn remove_guest(&mut self, identity: PublicIdentity) -> Vec<LobbyOutput> {
        let Some(seating) = self.seating.as_mut().filter(|_| self.setup.is_some() && self.session.is_none())
        else {
            return self.take_outputs();
        };
        let is_bot = seating.players().any(|chair| chair.identity == identity && chair.bot.is_some());
        if identity == seating.host || is_bot {
            return self.take_outputs();
        }
        self.removed.insert(identity);
        self.agreements.remove(&identity);
        seating.watchers.retain(|(other, _)| *other != identity);
        for chair in &mut seating.chairs {
            chair.take_if(|chair| chair.identity == identity);
        }
        let peers: Vec<PeerId> =
            self.present.iter().filter(|(_, other)| **other == identity).map(|(peer, _)| *peer).collect();
        peers.into_iter().for_each(|peer| self.send_message(peer, &LobbyMessage::Removed));
        self.broadcast_seating();
        self.take_outputs()
    }

    /// Returns whether this peer is the host and has removed the guest behind `peer`; `false` for a peer that
    /// is not present.
    pub(crate) fn is_removed(&self, peer: PeerId) -> bool {
        self.present.get(&peer).is_some_and(|identity| self.removed.contains(identity))
    }

    /// Returns the peers to which a line of chat that is not part of the signed log goes, by ascending number:
    /// before the match those that the seating lists, as guests whom the host has removed are not listed;
    /// during the match all that this peer has not removed.
    pub(crate) fn chat_peers(&self) -> Vec<PeerId> {
        let mut peers = self.welcome_peers();
        if self.session.is_none() {
            let lists = |identity| self.seating.as_ref().is_some_and(|seating| seating.lists(identity));
            peers.retain(|peer| self.present.get(peer).is_some_and(lists));
        }
        peers
    }

    /// Handles a line of chat that is not part of the signed log: before the match, or from a spectator.
    /// Emits it, without control characters, unless the sender is muted or over the rate limit. Before the
    /// match only senders that the seating lists are shown. The caller must have checked that the sender is
    /// not removed.
    pub(crate) fn receive_chat(&mut self, peer: PeerId, text: &str) {
        let Some(&from) = self.present.get(&peer) else { return };
        let is_listed = self.seating.as_ref().is_some_and(|seating| seating.lists(&from));
        if self.session.is_none() && !is_listed {
            return;
        }
        if self.chat_filter.admits(&from, self.now) {
            let name = self.display_name(&from);
            self.emit(LobbyEvent::Chat { from, name, text: printable(text) });
        }
    }

    /// Returns whether a signed line of a seat is shown now, and charges the player's budget for it. `false`
    /// before the match and for unknown seats.
    pub(crate) fn admits_chat_of_seat(&mut self, seat: u8) -> bool {
        let players = self.session.as_ref().map(|session| &session.descriptor().players);
        let player = players.and_then(|players| players.get(usize::from(seat)));
        player.is_some_and(|player| self.chat_filter.admits(&player.identity, self.now))
    }

    /// Returns the display name of a sender, "Somebody" if it is empty. Senders without a seat are marked as
    /// watching, and shown without a name if it looks like that of a player.
    fn display_name(&self, identity: &PublicIdentity) -> String {
        let or_unnamed = |name: &str| if name.is_empty() { "Somebody".to_owned() } else { name.to_owned() };
        let listed = self.seating.as_ref().and_then(|seating| seating.name_of(identity)).unwrap_or_default();
        let players: Vec<(PublicIdentity, &str)> = match (&self.session, &self.seating) {
            (Some(session), _) => {
                session.descriptor().players.iter().map(|p| (p.identity, p.name.as_str())).collect()
            }
            (None, Some(seating)) => seating.players().map(|c| (c.identity, c.name.as_str())).collect(),
            (None, None) => Vec::new(),
        };
        if let Some((_, name)) = players.iter().find(|(player, _)| player == identity) {
            return or_unnamed(name);
        }
        let is_taken = players.iter().any(|(_, name)| normalized(name) == normalized(listed));
        or_unnamed(if is_taken { "" } else { listed }) + WATCHING
    }
}

impl Seating {
    /// Returns the display name for an identity that requests `name`: cleaned and cut to `MAX_NAME` bytes.
    /// If another player or spectator has a name that looks alike, appends the lowest number from 2 on that
    /// makes it differ, and shortens the name to fit. Empty if the cleaned name is empty. Changes nothing.
    pub(crate) fn free_name(&self, identity: &PublicIdentity, name: &str) -> String {
        let name = clean_name(name);
        let chairs = self.players().map(|chair| (&chair.identity, chair.name.as_str()));
        let watchers = self.watchers.iter().map(|(other, name)| (other, name.as_str()));
        let others = chairs.chain(watchers).filter(|(other, _)| *other != identity);
        let taken: BTreeSet<String> = others.map(|(_, name)| normalized(name)).collect();
        let numbered = |n: u32| {
            let end = format!(" {n}");
            let mut start = name.clone();
            while start.len() + end.len() > MAX_NAME {
                start.pop();
            }
            start + &end
        };
        if name.is_empty() || !taken.contains(&normalized(&name)) {
            return name;
        }
        (2..).map(numbered).find(|name| !taken.contains(&normalized(name))).unwrap_or(name)
    }
}

/// Returns the letters and digits of a name, in lower case and in order. Two names look alike if these are equal.
fn normalized(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sender_has_a_budget() {
        let mut filter = ChatFilter::default();
        let (one, two) = ([1; 32], [2; 32]);
        let mut shown = |from, now| (0..100).filter(|_| filter.admits(&from, now)).count();
        assert_eq!(shown(one, 0), 8);
        assert_eq!((shown(two, 0), shown(one, 0)), (8, 0), "one sender takes nothing from another");
        assert_eq!(shown(one, LINE_MS), 1);
        assert_eq!(shown(one, 10 * BURST * LINE_MS), 8, "a pause earns one burst and no more");
    }
}
