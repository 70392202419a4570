//! The seating: who sits where before the match, and on which terms.

use pentarchy_net::PublicIdentity;
use pentarchy_net::base32;
use pentarchy_table::{Descriptor, MAX_NAME, MAX_OPTIONS, Recovery, TablePlayer, printable};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Maximum number of listed spectators.
pub(crate) const MAX_WATCHERS: usize = 32;

/// What a player wants at a table. The order of variants is part of the wire format, and their names of the format in
/// which clients store a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SeatRequest {
    /// To watch, without a seat.
    Watch,
    /// A seat.
    Sit {
        /// The seat; none for any free seat.
        seat: Option<u8>,
        /// Whether the player is ready for the start.
        ready: bool,
    },
}

impl SeatRequest {
    /// Returns whether the player wants a seat and is ready for the start.
    pub(crate) fn is_ready(self) -> bool {
        matches!(self, SeatRequest::Sit { ready: true, .. })
    }

    /// Returns whether the player wants a seat, and that seat (or any, if none is named) is free; `false` for
    /// spectators.
    pub(crate) fn can_be_met(self, seating: &Seating) -> bool {
        match self {
            SeatRequest::Watch => false,
            SeatRequest::Sit { seat: None, .. } => seating.chairs.iter().any(Option::is_none),
            SeatRequest::Sit { seat: Some(seat), .. } => {
                matches!(seating.chairs.get(usize::from(seat)), Some(None))
            }
        }
    }
}

/// What the host offers before the match: the terms, and who sits where.
///
/// It determines the [`Descriptor`] of the match completely, so that a guest can check that the match that starts is the
/// one it has agreed to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seating {
    /// The name of the game.
    pub game: String,
    /// The version of its rules.
    pub rules: u32,
    /// The hash of the rules' data.
    pub rules_hash: [u8; 32],
    /// All options as JSON, completed with their defaults, tuning included.
    pub options: String,
    /// What happens when a player leaves for good.
    pub recovery: Recovery,
    /// The time limit: a seat that owes something and stays silent for this many milliseconds is late.
    pub stall_ms: u32,
    /// A random number, so that no two matches have the same identifier. Its last 16 bytes are the tag of
    /// the match.
    pub nonce: [u8; 32],
    /// The identity of the host, on whose machine all bots run.
    pub host: PublicIdentity,
    /// The taken chairs by seat; none for a free seat.
    pub chairs: Vec<Option<Chair>>,
    /// Spectators: identity and display name.
    pub watchers: Vec<(PublicIdentity, String)>,
}

/// A taken seat before the match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chair {
    /// The identity of the player or bot.
    pub identity: PublicIdentity,
    /// The display name.
    pub name: String,
    /// Whether the player has agreed to exactly this seating. Always `true` for the host and for bots.
    pub ready: bool,
    /// For a bot of the host: its level.
    pub bot: Option<String>,
}

impl Seating {
    /// Returns the seating that a descriptor describes, with everybody ready and no spectators. `host` is
    /// the identity of the host. The levels of bots are not known: they are called "bot".
    pub(crate) fn from_descriptor(table: &Descriptor, host: PublicIdentity) -> Self {
        let chair = |player: &TablePlayer| {
            let bot = player.host.map(|_| "bot".to_owned());
            Some(Chair { identity: player.identity, name: player.name.clone(), ready: true, bot })
        };
        Seating {
            game: table.game.clone(),
            rules: table.rules,
            rules_hash: table.rules_hash,
            options: table.options.clone(),
            recovery: table.recovery,
            stall_ms: table.stall_ms,
            nonce: table.nonce,
            host,
            chairs: table.players.iter().map(chair).collect(),
            watchers: Vec::new(),
        }
    }

    /// Returns the descriptor of a match that would start now. A free chair is a player without a name whose
    /// identity is zero. It changes with every change of the seating except readiness, spectators and the
    /// levels of bots.
    pub fn descriptor(&self) -> Descriptor {
        let host = self.seat_of(&self.host);
        let player = |chair: &Option<Chair>| match chair {
            Some(chair) => TablePlayer {
                identity: chair.identity,
                name: chair.name.clone(),
                host: chair.bot.as_ref().and(host),
            },
            None => TablePlayer { identity: [0; 32], name: String::new(), host: None },
        };
        Descriptor {
            version: pentarchy_table::VERSION,
            game: self.game.clone(),
            rules: self.rules,
            rules_hash: self.rules_hash,
            options: self.options.clone(),
            players: self.chairs.iter().map(player).collect(),
            recovery: self.recovery,
            stall_ms: self.stall_ms,
            audit: false,
            nonce: self.nonce,
        }
    }

    /// Returns the fingerprint of the table as it is now, for players to compare by voice: 16 letters and
    /// digits in groups of four. The match that starts with this seating has the same one.
    pub fn fingerprint(&self) -> String {
        fingerprint(&self.descriptor())
    }

    /// Returns the number of seats, taken or free.
    pub fn seats(&self) -> u8 {
        self.chairs.len() as u8
    }

    /// Returns the number of machines that play once all chairs are taken. The host and its bots are one
    /// machine; a free chair counts as one.
    pub fn machines(&self) -> u8 {
        self.chairs.iter().filter(|chair| chair.as_ref().is_none_or(|chair| chair.bot.is_none())).count()
            as u8
    }

    /// Iterates over the taken chairs in the order of seats.
    pub fn players(&self) -> impl Iterator<Item = &Chair> {
        self.chairs.iter().flatten()
    }

    /// Returns the seat of an identity, player or bot; `None` if it does not sit.
    pub fn seat_of(&self, identity: &PublicIdentity) -> Option<u8> {
        let sits = |chair: &Option<Chair>| chair.as_ref().is_some_and(|chair| chair.identity == *identity);
        self.chairs.iter().position(sits).map(|seat| seat as u8)
    }

    /// Returns the display name of a player, bot or spectator, which may be empty; `None` if the identity is
    /// none of them.
    pub fn name_of(&self, identity: &PublicIdentity) -> Option<&str> {
        let sits = self.players().find(|chair| chair.identity == *identity).map(|chair| chair.name.as_str());
        sits.or_else(|| {
            self.watchers.iter().find(|(other, _)| other == identity).map(|(_, name)| name.as_str())
        })
    }

    /// Returns whether an identity has a seat or is listed as a spectator.
    pub(crate) fn lists(&self, identity: &PublicIdentity) -> bool {
        self.name_of(identity).is_some()
    }

    /// Returns whether the host may start: all seats are taken and ready, and if there are bots, the host has
    /// a seat.
    pub fn is_ready(&self) -> bool {
        let has_bots = self.players().any(|chair| chair.bot.is_some());
        self.chairs.iter().all(|chair| chair.as_ref().is_some_and(|chair| chair.ready))
            && (!has_bots || self.seat_of(&self.host).is_some())
    }

    /// Returns whether a seating from another peer can be used: 1 to 8 chairs, not too many spectators,
    /// options not too long, all names clean, and no identity with two seats. It does not check the game, the
    /// options and the terms.
    pub(crate) fn is_valid(&self) -> bool {
        let names = self.players().map(|chair| &chair.name).chain(self.watchers.iter().map(|(_, name)| name));
        let identities: BTreeSet<&PublicIdentity> = self.players().map(|chair| &chair.identity).collect();
        (1..=8).contains(&self.chairs.len())
            && identities.len() == self.players().count()
            && self.watchers.len() <= MAX_WATCHERS
            && self.options.len() <= MAX_OPTIONS
            && self.game == clean_name(&self.game)
            && names.into_iter().all(|name| *name == clean_name(name))
            && self.players().flat_map(|chair| &chair.bot).all(|level| *level == clean_name(level))
    }
}

/// Returns the fingerprint of a table, for players to compare by voice: 80 bits of the identifier of the
/// match, as 16 letters and digits in groups of four, separated by spaces. It covers the whole descriptor.
pub fn fingerprint(table: &Descriptor) -> String {
    let letters = base32::encode(&table.id().0[..10]);
    let groups: Vec<&str> = (0..4).filter_map(|i| letters.get(4 * i..4 * i + 4)).collect();
    groups.join(" ")
}

/// Returns a name without control characters and directional overrides, with characters removed from the end until it
/// has at most [`MAX_NAME`] bytes. It may be empty.
pub(crate) fn clean_name(name: &str) -> String {
    let mut clean = printable(name);
    while clean.len() > MAX_NAME {
        clean.pop();
    }
    clean
}
