//! The seating: what the host offers before the game, and who sits where.

use pentarchy_net::Identity;
use pentarchy_net::base32;
use pentarchy_table::{Descriptor, MAX_NAME, MAX_OPTIONS, Player, Recovery, printable};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Upper bound on listed watchers.
pub(crate) const MAX_WATCHERS: usize = 32;

/// What a player wants at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wish {
    /// To watch.
    Watch,
    /// A seat.
    Sit {
        /// Which; none for any that is free.
        seat: Option<u8>,
        /// Whether the game may begin.
        ready: bool,
    },
}

impl Wish {
    /// Whether the player wants a seat and has nothing against the start.
    pub(crate) fn is_ready(self) -> bool {
        matches!(self, Wish::Sit { ready: true, .. })
    }

    /// Whether the player wants a seat that is free.
    pub(crate) fn fits(self, seating: &Seating) -> bool {
        match self {
            Wish::Watch => false,
            Wish::Sit { seat: None, .. } => seating.chairs.iter().any(Option::is_none),
            Wish::Sit { seat: Some(seat), .. } => matches!(seating.chairs.get(usize::from(seat)), Some(None)),
        }
    }
}

/// Everything that the host offers before the game: the terms, and who sits where.
///
/// It determines the [`Descriptor`] of the game completely, so that a guest can check that the game that begins is the
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
    /// What happens when a seat is gone for good.
    pub recovery: Recovery,
    /// The time limit: a seat that stays silent for longer than this many milliseconds stalls.
    pub stall_ms: u32,
    /// Drawn for this table, so that no two games have the same identifier.
    pub nonce: [u8; 32],
    /// The host, on whose machine all bots run.
    pub host: Identity,
    /// By seat: who sits there.
    pub chairs: Vec<Option<Chair>>,
    /// Peers without a seat: identity and name.
    pub watchers: Vec<(Identity, String)>,
}

/// A taken seat before the game begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chair {
    /// The identity of the player or bot.
    pub identity: Identity,
    /// The name to show.
    pub name: String,
    /// Whether the player has agreed to exactly this seating.
    pub ready: bool,
    /// For a bot of the host: its level.
    pub bot: Option<String>,
}

impl Seating {
    /// The seating that a descriptor describes, with everybody ready.
    pub(crate) fn of(table: &Descriptor, host: Identity) -> Self {
        let chair = |player: &Player| {
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

    /// The descriptor of the game, if it began now. A free chair is a player without a name whose identity is zero.
    pub fn descriptor(&self) -> Descriptor {
        let host = self.seat_of(&self.host);
        let player = |chair: &Option<Chair>| match chair {
            Some(chair) => Player {
                identity: chair.identity,
                name: chair.name.clone(),
                host: chair.bot.as_ref().and(host),
            },
            None => Player { identity: [0; 32], name: String::new(), host: None },
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

    /// The fingerprint of the table as it is now; the same as that of the game, once it begins.
    pub fn fingerprint(&self) -> String {
        fingerprint(&self.descriptor())
    }

    /// The number of seats.
    pub fn seats(&self) -> u8 {
        self.chairs.len() as u8
    }

    /// How many machines play once all chairs are taken: the host and its bots are one.
    pub fn machines(&self) -> u8 {
        self.chairs.iter().filter(|chair| chair.as_ref().is_none_or(|chair| chair.bot.is_none())).count()
            as u8
    }

    /// The taken chairs, in order of seats.
    pub fn players(&self) -> impl Iterator<Item = &Chair> {
        self.chairs.iter().flatten()
    }

    /// The seat of an identity.
    pub fn seat_of(&self, identity: &Identity) -> Option<u8> {
        let sits = |chair: &Option<Chair>| chair.as_ref().is_some_and(|chair| chair.identity == *identity);
        self.chairs.iter().position(sits).map(|seat| seat as u8)
    }

    /// The name of a player or watcher.
    pub fn name_of(&self, identity: &Identity) -> Option<&str> {
        let sits = self.players().find(|chair| chair.identity == *identity).map(|chair| chair.name.as_str());
        sits.or_else(|| {
            self.watchers.iter().find(|(other, _)| other == identity).map(|(_, name)| name.as_str())
        })
    }

    /// Whether the host may start: all seats are taken and ready, and bots have their host at the table.
    pub fn is_ready(&self) -> bool {
        let has_bots = self.players().any(|chair| chair.bot.is_some());
        self.chairs.iter().all(|chair| chair.as_ref().is_some_and(|chair| chair.ready))
            && (!has_bots || self.seat_of(&self.host).is_some())
    }

    /// Whether everything is within bounds and nobody sits twice.
    pub(crate) fn is_sane(&self) -> bool {
        let names = self.players().map(|chair| &chair.name).chain(self.watchers.iter().map(|(_, name)| name));
        let identities: BTreeSet<&Identity> = self.players().map(|chair| &chair.identity).collect();
        (1..=8).contains(&self.chairs.len())
            && identities.len() == self.players().count()
            && self.watchers.len() <= MAX_WATCHERS
            && self.options.len() <= MAX_OPTIONS
            && self.game == plain(&self.game)
            && names.into_iter().all(|name| *name == plain(name))
            && self.players().flat_map(|chair| &chair.bot).all(|level| *level == plain(level))
    }
}

/// The fingerprint of a table, for players to compare by voice: 80 bits of the identifier of the game, as 16 letters and
/// digits in groups of four. It covers the whole descriptor.
pub fn fingerprint(table: &Descriptor) -> String {
    let letters = base32::encode(&table.id().0[..10]);
    let groups: Vec<&str> = (0..4).filter_map(|i| letters.get(4 * i..4 * i + 4)).collect();
    groups.join(" ")
}

/// A name without control characters and directional overrides, cut to the longest that a descriptor holds.
pub(crate) fn plain(name: &str) -> String {
    let mut plain = printable(name);
    while plain.len() > MAX_NAME {
        plain.pop();
    }
    plain
}
