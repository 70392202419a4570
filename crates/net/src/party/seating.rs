//! Who sits where, as the host tells it to all before the game.

use crate::base32;
use crate::mesh::Identity;
use pentarchy_table::MAX_NAME;
use serde::{Deserialize, Serialize};

/// So many watchers are listed.
pub(super) const MAX_WATCHERS: usize = 32;

/// What somebody wants at a table.
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

/// Who sits where before the game begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seating {
    /// The game.
    pub game: String,
    /// The options that differ from the defaults, as JSON.
    pub options: String,
    /// After so many milliseconds of silence a seat is said to stall.
    pub stall_ms: u32,
    /// Whether a bot takes the seat of whoever is gone for good.
    pub takeover: bool,
    /// By seat: who sits there.
    pub chairs: Vec<Option<Chair>>,
    /// Who is there without a seat: identity and name.
    pub watchers: Vec<(Identity, String)>,
}

/// Somebody at a seat before the game begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chair {
    /// Who.
    pub identity: Identity,
    /// What that is called.
    pub name: String,
    /// Whether the game may begin.
    pub ready: bool,
    /// For a bot of the host: how strong it is.
    pub bot: Option<String>,
}

impl Seating {
    /// How many seats there are.
    pub fn seats(&self) -> u8 {
        self.chairs.len() as u8
    }

    /// Those who sit.
    pub fn players(&self) -> impl Iterator<Item = &Chair> {
        self.chairs.iter().flatten()
    }

    /// Where somebody sits.
    pub fn seat_of(&self, identity: &Identity) -> Option<u8> {
        let sits = |chair: &Option<Chair>| chair.as_ref().is_some_and(|chair| chair.identity == *identity);
        self.chairs.iter().position(sits).map(|seat| seat as u8)
    }

    /// What somebody is called.
    pub fn name_of(&self, identity: &Identity) -> Option<&str> {
        let sits = self.players().find(|chair| chair.identity == *identity).map(|chair| chair.name.as_str());
        sits.or_else(|| {
            self.watchers.iter().find(|(other, _)| other == identity).map(|(_, name)| name.as_str())
        })
    }

    /// Whether nothing is missing but the word of the host.
    pub fn is_ready(&self) -> bool {
        self.chairs.iter().all(|chair| chair.as_ref().is_some_and(|chair| chair.ready))
    }

    /// A few letters that are the same for all who see the same people at the same seats of the same game.
    pub fn fingerprint(&self) -> String {
        let mut hash = blake3::Hasher::new_derive_key("pentarchy seating v1");
        for text in [&self.game, &self.options] {
            hash.update(&(text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        }
        for chair in &self.chairs {
            hash.update(&chair.as_ref().map_or([0; 32], |chair| chair.identity));
        }
        base32::encode(&hash.finalize().as_bytes()[..5])
    }

    /// Whether it can be shown and counted with.
    pub(super) fn is_sane(&self) -> bool {
        let names = self.players().map(|chair| &chair.name).chain(self.watchers.iter().map(|(_, name)| name));
        (1..=8).contains(&self.chairs.len())
            && self.watchers.len() <= MAX_WATCHERS
            && names.into_iter().all(|name| *name == plain(name))
            && self.players().flat_map(|chair| &chair.bot).all(|level| *level == plain(level))
    }
}

/// A name without what would spoil a line, and not too long.
pub(super) fn plain(name: &str) -> String {
    let mut plain: String = name.chars().filter(|c| !c.is_control()).collect();
    while plain.len() > MAX_NAME {
        plain.pop();
    }
    plain
}
