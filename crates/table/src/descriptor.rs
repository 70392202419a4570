//! What the players agree on before the first key is made.

use pentarchy_engine::{AnyGame, AnyPosition};
use pentarchy_fair::escrow::Threshold;
use pentarchy_fair::{GameId, VerifyKey};
use serde::{Deserialize, Serialize};

/// The longest name of a player.
pub const MAX_NAME: usize = 64;
/// The longest options, as JSON.
pub const MAX_OPTIONS: usize = 1 << 16;

/// Everything that is fixed before a game: its hash is the identifier of the game, and goes into every proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Descriptor {
    /// The version of the protocol.
    pub version: u16,
    /// The name of the game.
    pub game: String,
    /// The version of its rules.
    pub rules: u32,
    /// All options as JSON, tuning included.
    pub options: String,
    /// Who sits where.
    pub players: Vec<Player>,
    /// What happens when a seat is gone for good.
    pub recovery: Recovery,
    /// After so many milliseconds of silence a seat that is due is said to stall.
    pub stall_ms: u32,
    /// Whether the seats publish their keys after the game, so that everything hidden can be looked at.
    pub audit: bool,
    /// Drawn for this game, so that no two games have the same identifier.
    pub nonce: [u8; 32],
}

/// One seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Player {
    /// The long-term public key of whoever sits here.
    pub identity: [u8; 32],
    /// What to call him.
    pub name: String,
    /// For a bot: the seat on whose machine it runs. Its cards are known there.
    pub host: Option<u8>,
}

/// What happens when a seat is gone for good.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Recovery {
    /// The survivors sign the end of the game.
    #[default]
    End,
    /// The game goes on, and a bot plays the seat with its cards laid open. For that every seat shares its keys among
    /// the others; so many of them together open what it held. The price: they could do so behind its back.
    Escrow(u8),
}

impl Recovery {
    /// What a table does unless it was agreed otherwise: it goes on, and it takes *all* other seats to open the cards
    /// of one. Two seats cannot go on.
    pub fn usual(seats: u8) -> Self {
        if seats < 3 { Recovery::End } else { Recovery::Escrow(seats - 1) }
    }

    /// What a word means at a table with so many seats: `end`, `escrow`, or `escrow:3` for three who can go on.
    pub fn named(word: &str, seats: u8) -> Option<Self> {
        match word.split_once(':') {
            None if word == "end" => Some(Recovery::End),
            None if word == "escrow" => Some(Self::usual(seats)),
            Some(("escrow", t)) => t.parse().ok().filter(|t| (2..seats).contains(t)).map(Recovery::Escrow),
            _ => None,
        }
    }
}

/// Why a descriptor cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("this table cannot be opened: {0}")]
pub struct Unusable(pub String);

impl Descriptor {
    /// A descriptor with the usual times, checked.
    pub fn new(
        game: &'static dyn AnyGame,
        options: &serde_json::Value,
        players: Vec<Player>,
        nonce: [u8; 32],
    ) -> Result<Self, Unusable> {
        let seats = u8::try_from(players.len()).map_err(|_| Unusable("too many players".into()))?;
        let options = game.options(seats, options, &[]).map_err(|e| Unusable(e.to_string()))?;
        let descriptor = Descriptor {
            version: crate::VERSION,
            game: game.info().name.to_string(),
            rules: game.info().rules_version,
            options: options.to_string(),
            players,
            recovery: Recovery::usual(seats),
            stall_ms: 120_000,
            audit: false,
            nonce,
        };
        descriptor.start(game)?;
        Ok(descriptor)
    }

    /// How many seats there are.
    pub fn seats(&self) -> u8 {
        self.players.len() as u8
    }

    /// The canonical bytes.
    pub fn encode(&self) -> Vec<u8> {
        postcard::to_allocvec(self).unwrap_or_default()
    }

    /// Reads canonical bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self, Unusable> {
        if bytes.len() > MAX_OPTIONS + 4096 {
            return Err(Unusable("the descriptor is too long".into()));
        }
        let read: Descriptor = postcard::from_bytes(bytes).map_err(|e| Unusable(e.to_string()))?;
        if read.encode() == bytes { Ok(read) } else { Err(Unusable("the bytes are not canonical".into())) }
    }

    /// The identifier of the game.
    pub fn id(&self) -> GameId {
        GameId::of(&self.encode())
    }

    /// How many holders of shares stand in for a seat that is gone; nothing if the game ends then.
    pub(crate) fn threshold(&self) -> Option<Threshold> {
        match self.recovery {
            Recovery::End => None,
            Recovery::Escrow(t) => Threshold::new(t, self.players.len().saturating_sub(1)).ok(),
        }
    }

    /// The identity key of a seat.
    pub(crate) fn identity(&self, seat: u8) -> Result<VerifyKey, Unusable> {
        let player = self
            .players
            .get(usize::from(seat))
            .ok_or_else(|| Unusable(format!("there is no seat {seat}")))?;
        VerifyKey::decode(&player.identity).map_err(|e| Unusable(format!("seat {seat}: {e}")))
    }

    /// The first position of the game that is described, after a check of everything.
    pub(crate) fn start(&self, game: &'static dyn AnyGame) -> Result<Box<dyn AnyPosition>, Unusable> {
        let unusable = |why: String| Err(Unusable(why));
        let info = game.info();
        if self.version != crate::VERSION {
            return unusable(format!("it speaks version {} of the protocol", self.version));
        }
        if self.game != info.name || self.rules != info.rules_version {
            return unusable(format!("it is for {} with rules {}", self.game, self.rules));
        }
        if self.options.len() > MAX_OPTIONS || self.players.iter().any(|p| p.name.len() > MAX_NAME) {
            return unusable("names or options are too long".into());
        }
        for seat in 0..self.seats() {
            self.identity(seat)?;
        }
        if self.players.iter().flat_map(|p| p.host).any(|host| host >= self.seats()) {
            return unusable("a bot is hosted by a seat that does not exist".into());
        }
        if self.recovery != Recovery::End && self.threshold().is_none() {
            return unusable("its seats cannot stand in for one that is gone".into());
        }
        let options: serde_json::Value =
            serde_json::from_str(&self.options).map_err(|e| Unusable(e.to_string()))?;
        let complete = game.options(self.seats(), &options, &[]).map_err(|e| Unusable(e.to_string()))?;
        let complete = complete.to_string();
        if complete != self.options {
            return unusable("the options are not written in full".into());
        }
        game.start(self.seats(), &options).map_err(|e| Unusable(e.to_string()))
    }
}
