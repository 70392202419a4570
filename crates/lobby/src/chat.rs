//! Chat: who is heard, how often, and under which name; and whom the host has removed.

use crate::seating::plain;
use crate::{Party, Seating, Step, Talk};
use pentarchy_net::{Identity, PeerId};
use pentarchy_table::{MAX_NAME, printable};
use std::collections::{BTreeMap, BTreeSet};

/// How many lines of one sender are heard at once.
const BURST: u64 = 8;
/// After a burst, one line is heard in this many milliseconds.
const LINE_MS: u64 = 1_500;
/// Marks the lines of peers without a seat.
const WATCHING: &str = " (watching)";

/// Decides which lines of chat are shown.
#[derive(Default)]
pub(crate) struct ChatFilter {
    /// By sender: when all lines that were heard are paid for, at one line in [`LINE_MS`].
    paid: BTreeMap<Identity, u64>,
    muted: BTreeSet<Identity>,
}

impl ChatFilter {
    /// Whether a line of this sender is shown now. Charges the sender for it.
    pub(crate) fn admits(&mut self, from: &Identity, now: u64) -> bool {
        if self.muted.contains(from) {
            return false;
        }
        self.paid.retain(|_, paid| *paid > now);
        let paid = self.paid.get(from).map_or(now, |paid| *paid);
        let admitted = paid <= now + LINE_MS * (BURST - 1);
        if admitted {
            self.paid.insert(*from, paid + LINE_MS);
        }
        admitted
    }
}

/// A person at the table other than the player of this peer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attendee {
    /// Who.
    pub identity: Identity,
    /// The name under which their lines are shown.
    pub name: String,
    /// Whether their lines are hidden here.
    pub is_muted: bool,
}

impl Party {
    /// Hides the lines of somebody at this peer, or shows them again. Lines that come while they are hidden are lost.
    pub fn mute(&mut self, identity: Identity, is_muted: bool) {
        if is_muted {
            self.chat_filter.muted.insert(identity);
        } else {
            self.chat_filter.muted.remove(&identity);
        }
    }

    /// The other people at the table: players, and those who watch. Bots are not among them.
    pub fn attendees(&self) -> Vec<Attendee> {
        let mine = *self.identity.public().bytes();
        let mut people: Vec<Identity> = match (&self.session, &self.seating) {
            (Some(session), _) => {
                let players = session.descriptor().players.iter().filter(|player| player.host.is_none());
                players.map(|player| player.identity).chain(self.present.values().copied()).collect()
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
        let attendee = |identity: Identity| Attendee {
            name: self.shown_name(&identity),
            is_muted: self.chat_filter.muted.contains(&identity),
            identity,
        };
        people.into_iter().map(attendee).collect()
    }

    /// The host removes a guest before the game: the seat is free again, and nothing of the guest is heard any more. The
    /// guest still has the link, and can come back with another identity.
    pub fn remove(&mut self, identity: Identity) -> Vec<Step> {
        let Some(seating) = self.seating.as_mut().filter(|_| self.setup.is_some() && self.session.is_none())
        else {
            return self.done();
        };
        let is_bot = seating.players().any(|chair| chair.identity == identity && chair.bot.is_some());
        if identity == seating.host || is_bot {
            return self.done();
        }
        self.removed.insert(identity);
        self.agreements.remove(&identity);
        seating.watchers.retain(|(other, _)| *other != identity);
        for chair in &mut seating.chairs {
            chair.take_if(|chair| chair.identity == identity);
        }
        let peers: Vec<PeerId> =
            self.present.iter().filter(|(_, other)| **other == identity).map(|(peer, _)| *peer).collect();
        peers.into_iter().for_each(|peer| self.say(peer, &Talk::Removed));
        self.tell_seats();
        self.done()
    }

    /// Whether the host has removed the peer.
    pub(crate) fn is_removed(&self, peer: PeerId) -> bool {
        self.present.get(&peer).is_some_and(|identity| self.removed.contains(identity))
    }

    /// A line that is not part of the signed log: before the game, or of somebody who watches it. Before the game only
    /// peers are heard that the seating names: the host leaves out those it has removed.
    pub(crate) fn hear_chat(&mut self, peer: PeerId, text: &str) {
        let Some(&from) = self.present.get(&peer) else { return };
        let is_listed = self.seating.as_ref().is_some_and(|seating| seating.names(&from));
        if self.removed.contains(&from) || self.session.is_none() && !is_listed {
            return;
        }
        if self.chat_filter.admits(&from, self.now) {
            self.steps.push(Step::Chat { from, name: self.shown_name(&from), text: printable(text) });
        }
    }

    /// Whether a signed line of a seat is shown.
    pub(crate) fn admits_seat(&mut self, seat: u8) -> bool {
        let players = self.session.as_ref().map(|session| &session.descriptor().players);
        let player = players.and_then(|players| players.get(usize::from(seat)));
        player.is_some_and(|player| self.chat_filter.admits(&player.identity, self.now))
    }

    /// The name of somebody as chat shows it. Who has no seat is marked, and cannot have the name of a player.
    fn shown_name(&self, identity: &Identity) -> String {
        let somebody = |name: &str| if name.is_empty() { "Somebody".to_owned() } else { name.to_owned() };
        let listed = self.seating.as_ref().and_then(|seating| seating.name_of(identity)).unwrap_or_default();
        let players: Vec<(Identity, &str)> = match (&self.session, &self.seating) {
            (Some(session), _) => {
                session.descriptor().players.iter().map(|p| (p.identity, p.name.as_str())).collect()
            }
            (None, Some(seating)) => seating.players().map(|c| (c.identity, c.name.as_str())).collect(),
            (None, None) => Vec::new(),
        };
        if let Some((_, name)) = players.iter().find(|(player, _)| player == identity) {
            return somebody(name);
        }
        let is_taken = players.iter().any(|(_, name)| letters(name) == letters(listed));
        somebody(if is_taken { "" } else { listed }) + WATCHING
    }
}

impl Seating {
    /// Whether somebody has a seat or is listed without one.
    fn names(&self, identity: &Identity) -> bool {
        self.name_of(identity).is_some()
    }

    /// The name that somebody gets who asks for `name`: with a number behind it if others have the same.
    pub(crate) fn free_name(&self, identity: &Identity, name: &str) -> String {
        let name = plain(name);
        let chairs = self.players().map(|chair| (&chair.identity, chair.name.as_str()));
        let watchers = self.watchers.iter().map(|(other, name)| (other, name.as_str()));
        let others = chairs.chain(watchers).filter(|(other, _)| *other != identity);
        let taken: BTreeSet<String> = others.map(|(_, name)| letters(name)).collect();
        let numbered = |n: u32| {
            let end = format!(" {n}");
            let mut start = name.clone();
            while start.len() + end.len() > MAX_NAME {
                start.pop();
            }
            start + &end
        };
        if name.is_empty() || !taken.contains(&letters(&name)) {
            return name;
        }
        (2..).map(numbered).find(|name| !taken.contains(&letters(name))).unwrap_or(name)
    }
}

/// What makes names equal to the eye: their letters and digits, whatever the case.
fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sender_has_a_budget() {
        let mut filter = ChatFilter::default();
        let (one, two) = ([1; 32], [2; 32]);
        let mut heard = |from, now| (0..100).filter(|_| filter.admits(&from, now)).count();
        assert_eq!(heard(one, 0), 8);
        assert_eq!((heard(two, 0), heard(one, 0)), (8, 0), "one sender takes nothing from another");
        assert_eq!(heard(one, LINE_MS), 1);
        assert_eq!(heard(one, 10 * BURST * LINE_MS), 8, "a pause earns one burst and no more");
    }
}
