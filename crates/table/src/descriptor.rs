//! The descriptor of a match: what the players agree on before the first key is created.

use pentarchy_engine::{AnyGame, AnyPosition, Seat, SeatSet};
use pentarchy_fair::escrow::Threshold;
use pentarchy_fair::{GameId, VerifyKey};
use serde::{Deserialize, Serialize};

/// The longest name of a player.
pub const MAX_NAME: usize = 64;
/// The longest options, as JSON.
pub const MAX_OPTIONS: usize = 1 << 16;

/// The shortest time limit of a table, in milliseconds.
pub const MIN_STALL_MS: u32 = 30_000;
/// The most seats of a table: sets of seats are bytes.
const MAX_TABLE_SEATS: usize = 8;

/// Everything that is fixed before a game: its hash is the identifier of the game, and goes into every proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Descriptor {
    /// The version of the protocol.
    pub version: u16,
    /// The name of the game.
    pub game: String,
    /// The version of its rules.
    pub rules: u32,
    /// The [hash](crate::rules_hash) of the rules' data. Zero in version 1 of the protocol, which did not have it.
    #[serde(default)]
    pub rules_hash: [u8; 32],
    /// All options as JSON, tuning included.
    pub options: String,
    /// Who sits where.
    pub players: Vec<TablePlayer>,
    /// What happens when a seat is dropped.
    pub recovery: Recovery,
    /// The time limit in milliseconds: a seat that owes a contribution for longer is late.
    pub stall_ms: u32,
    /// Whether the seats publish their keys after the game, so that everything hidden can be looked at.
    pub audit: bool,
    /// Random bytes that make the identifier of the game unique. At a table of a tournament the second half is its
    /// [tag](Descriptor::tag).
    pub nonce: [u8; 32],
}

/// One seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TablePlayer {
    /// The long-term public key of the player or bot.
    pub identity: [u8; 32],
    /// The name to show.
    pub name: String,
    /// For a bot: the seat on whose machine it runs. Its cards are known there.
    pub host: Option<u8>,
}

/// What happens when a seat is dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Recovery {
    /// The survivors sign the end of the game.
    #[default]
    End,
    /// The game goes on, and a bot plays the seat with its cards laid open. For that every seat shares its keys among
    /// the other machines; this many of them together open what it held. The price: they could do so behind its back.
    Escrow(u8),
}

impl Recovery {
    /// Returns escrow with a threshold of *all* other machines, or `End` for fewer than three machines: there
    /// one machine alone could read the cards of another.
    pub fn for_machines(machines: u8) -> Self {
        if machines < 3 { Recovery::End } else { Recovery::Escrow(machines - 1) }
    }

    /// Returns this recovery adapted to a table with this many machines: the threshold becomes at least 2 and
    /// at most the number of other machines, and with fewer than three machines the game ends. `End` stays
    /// `End`.
    pub fn limited_to(self, machines: u8) -> Self {
        match (self, Self::for_machines(machines)) {
            (Recovery::Escrow(t), Recovery::Escrow(most)) => Recovery::Escrow(t.clamp(2, most)),
            _ => Recovery::End,
        }
    }

    /// Parses `end`, `escrow` (as [`Recovery::for_machines`], so `End` with fewer than three machines), or
    /// `escrow:3` for a threshold of three, at a table with this many machines. Returns `None` if it is none
    /// of these, or the threshold is not from 2 to the number of other machines.
    pub fn named(word: &str, machines: u8) -> Option<Self> {
        match word.split_once(':') {
            None if word == "end" => Some(Recovery::End),
            None if word == "escrow" => Some(Self::for_machines(machines)),
            Some(("escrow", t)) => t.parse().ok().filter(|t| (2..machines).contains(t)).map(Recovery::Escrow),
            _ => None,
        }
    }
}

/// A descriptor cannot be used, for this reason. The reason may quote the descriptor; what is displayed is
/// [printable](crate::printable).
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("this table cannot be opened: {}", crate::printable(.0))]
pub struct DescriptorError(pub String);

impl Descriptor {
    /// Creates and checks a descriptor of the current protocol version, with a time limit of two minutes, the
    /// recovery of [`Recovery::for_machines`] and no audit. `options` may be partial; they are completed with
    /// the defaults. `nonce` must be random.
    ///
    /// # Errors
    ///
    /// Fails with a sentence if the options or the number of players do not fit the game, or a player is
    /// invalid.
    pub fn new(
        game: &'static dyn AnyGame,
        options: &serde_json::Value,
        players: Vec<TablePlayer>,
        nonce: [u8; 32],
    ) -> Result<Self, DescriptorError> {
        let seats = u8::try_from(players.len()).map_err(|_| DescriptorError("too many players".into()))?;
        let options = game.options(seats, options, &[]).map_err(|e| DescriptorError(e.to_string()))?;
        let mut descriptor = Descriptor {
            version: crate::VERSION,
            game: game.info().name.to_string(),
            rules: game.info().rules_version,
            rules_hash: crate::rules_hash(game),
            options: options.to_string(),
            players,
            recovery: Recovery::End,
            stall_ms: 120_000,
            audit: false,
            nonce,
        };
        descriptor.recovery = Recovery::for_machines(descriptor.machines());
        descriptor.start(game)?;
        Ok(descriptor)
    }

    /// Returns the second half of the nonce: the tag of a table of a tournament, which its club has drawn. For other
    /// tables it is random.
    pub fn tag(&self) -> [u8; 16] {
        let mut tag = [0; 16];
        tag.copy_from_slice(&self.nonce[16..]);
        tag
    }

    /// Returns the number of seats; 255 if there are more.
    pub fn seats(&self) -> u8 {
        u8::try_from(self.players.len()).unwrap_or(u8::MAX)
    }

    /// Returns the seat of the person on whose machine a seat is played: its own, or for a bot that of its
    /// host. A seat that does not exist is returned as it is.
    pub fn machine(&self, seat: u8) -> u8 {
        self.players.get(usize::from(seat)).and_then(|player| player.host).unwrap_or(seat)
    }

    /// Returns the number of machines. A person and the bots that they host are one.
    pub fn machines(&self) -> u8 {
        (0..self.seats()).filter(|&seat| self.machine(seat) == seat).count() as u8
    }

    /// Returns the seats that vote and hold shares: one for each machine, that of its person. In version 1
    /// all seats. Only the first 8 seats are considered.
    pub(crate) fn voters(&self) -> SeatSet {
        let votes = |seat: &u8| self.version < 2 || self.machine(*seat) == *seat;
        (0..self.seats().min(8)).filter(votes).map(Seat).collect()
    }

    /// Returns all seats of the machines on which these seats are played, of the first 8 seats. In version 1
    /// every seat counts as a machine, so the set is returned as it is.
    pub(crate) fn whole_machines(&self, seats: SeatSet) -> SeatSet {
        if self.version < 2 {
            return seats;
        }
        let all = || (0..self.seats().min(8)).map(Seat);
        let is_hit = |seat: Seat| {
            let machine = self.machine(seat.0);
            seats.has(seat) || all().any(|other| seats.has(other) && self.machine(other.0) == machine)
        };
        all().filter(|&seat| is_hit(seat)).collect()
    }

    /// Returns the seats that hold shares of the keys of the seat `dealer`, ascending: that of the person at
    /// each other machine. In version 1 all other seats. Only the first 8 seats are considered.
    pub(crate) fn holders(&self, dealer: u8) -> Vec<u8> {
        let holders = self.voters() - self.whole_machines(SeatSet::only(Seat(dealer)));
        holders.iter().map(|seat| seat.0).collect()
    }

    /// Returns the canonical bytes, in the format of its protocol version. [`Descriptor::decode`] reads them.
    pub fn encode(&self) -> Vec<u8> {
        let bytes = match self.version {
            1 => postcard::to_allocvec(&Version1::from(self)),
            _ => postcard::to_allocvec(self),
        };
        bytes.unwrap_or_default()
    }

    /// Reads canonical bytes. Only the format is checked, not whether the game and its options can be played.
    ///
    /// # Errors
    ///
    /// Fails with a sentence if they are longer than [`MAX_OPTIONS`] + 4096 bytes, no descriptor, not
    /// canonical, or name more than 8 seats.
    pub fn decode(bytes: &[u8]) -> Result<Self, DescriptorError> {
        if bytes.len() > MAX_OPTIONS + 4096 {
            return Err(DescriptorError("the descriptor is too long".into()));
        }
        let unreadable = |e: postcard::Error| DescriptorError(e.to_string());
        let (version, _) = postcard::take_from_bytes::<u16>(bytes).map_err(unreadable)?;
        let read = match version {
            1 => postcard::from_bytes::<Version1>(bytes).map(Descriptor::from),
            _ => postcard::from_bytes(bytes),
        };
        let read = read.map_err(unreadable)?;
        if read.players.len() > MAX_TABLE_SEATS {
            return Err(DescriptorError(too_many_seats(read.players.len())));
        }
        if read.encode() == bytes {
            Ok(read)
        } else {
            Err(DescriptorError("the bytes are not canonical".into()))
        }
    }

    /// Returns the identifier of the game: the hash of the canonical bytes. It is computed at every call.
    pub fn id(&self) -> GameId {
        GameId::of(&self.encode())
    }

    /// Returns how many holders of shares are needed to stand in for a dropped seat; `None` if the game ends
    /// when a seat is dropped, or the threshold is impossible.
    pub(crate) fn threshold(&self) -> Option<Threshold> {
        match self.recovery {
            Recovery::End => None,
            Recovery::Escrow(t) => {
                let parties = if self.version < 2 { self.seats() } else { self.machines() };
                Threshold::new(t, usize::from(parties).saturating_sub(1)).ok()
            }
        }
    }

    /// Returns the identity key of a seat.
    ///
    /// # Errors
    ///
    /// Fails with a sentence if there is no such seat, or its key is malformed.
    pub(crate) fn identity(&self, seat: u8) -> Result<VerifyKey, DescriptorError> {
        let player = self
            .players
            .get(usize::from(seat))
            .ok_or_else(|| DescriptorError(format!("there is no seat {seat}")))?;
        VerifyKey::decode(&player.identity).map_err(|e| DescriptorError(format!("seat {seat}: {e}")))
    }

    /// Checks the whole descriptor against the game and returns the first position, as an observer who knows
    /// everything sees it.
    ///
    /// # Errors
    ///
    /// Fails with a sentence if it names another protocol, game or rules than those that are here, has too
    /// many seats, an identity is malformed, something is too long, a host does not exist, the threshold is
    /// impossible, its terms are not allowed in its version, or the options are not complete and valid.
    pub(crate) fn start(&self, game: &'static dyn AnyGame) -> Result<Box<dyn AnyPosition>, DescriptorError> {
        let unusable = |why: String| Err(DescriptorError(why));
        let info = game.info();
        if !(1..=crate::VERSION).contains(&self.version) {
            return unusable(format!("it speaks version {} of the protocol", self.version));
        }
        if self.game != info.name || self.rules != info.rules_version {
            return unusable(format!("it is for {} with rules {}", self.game, self.rules));
        }
        if self.players.len() > MAX_TABLE_SEATS {
            return unusable(too_many_seats(self.players.len()));
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
        if self.version >= 2 {
            self.check_terms(game)?;
        }
        if self.recovery != Recovery::End && self.threshold().is_none() {
            return unusable("its seats cannot stand in for one that is gone".into());
        }
        let options: serde_json::Value =
            serde_json::from_str(&self.options).map_err(|e| DescriptorError(e.to_string()))?;
        let complete =
            game.options(self.seats(), &options, &[]).map_err(|e| DescriptorError(e.to_string()))?;
        let complete = complete.to_string();
        if complete != self.options {
            return unusable("the options are not written in full".into());
        }
        game.start(self.seats(), &options).map_err(|e| DescriptorError(e.to_string()))
    }

    /// Checks what version 2 requires beyond version 1.
    ///
    /// # Errors
    ///
    /// Fails with a sentence if the rules data differ, a host is a bot, the time limit is shorter than
    /// [`MIN_STALL_MS`], or the threshold does not fit the number of machines.
    fn check_terms(&self, game: &'static dyn AnyGame) -> Result<(), DescriptorError> {
        if self.rules_hash != crate::rules_hash(game) {
            let (game, rules) = (&self.game, self.rules);
            return Err(DescriptorError(format!(
                "its {game} has other cards, options or set-up than the {game} here, though both say rules {rules}: \
                 all players need the same build"
            )));
        }
        if self.players.iter().flat_map(|p| p.host).any(|host| self.machine(host) != host) {
            return Err(DescriptorError("a bot is hosted by another bot".into()));
        }
        if self.stall_ms < MIN_STALL_MS {
            let (limit, least) = (self.stall_ms, MIN_STALL_MS / 1000);
            return Err(DescriptorError(format!("its time limit of {limit} ms is shorter than {least} s")));
        }
        let machines = self.machines();
        match self.recovery {
            Recovery::Escrow(t) if !(2..machines).contains(&t) => Err(DescriptorError(format!(
                "a bot cannot take over with {t} of {machines} machines: a person and the bots that they host count \
                 as one, and it takes at least 2 of the others"
            ))),
            _ => Ok(()),
        }
    }
}

/// Returns the sentence that a table has too many seats.
fn too_many_seats(seats: usize) -> String {
    format!("a table has at most {MAX_TABLE_SEATS} seats, not {seats}")
}

/// A descriptor as version 1 of the protocol wrote it.
#[derive(Serialize, Deserialize)]
struct Version1 {
    version: u16,
    game: String,
    rules: u32,
    options: String,
    players: Vec<TablePlayer>,
    recovery: Recovery,
    stall_ms: u32,
    audit: bool,
    nonce: [u8; 32],
}

impl From<&Descriptor> for Version1 {
    /// Returns the descriptor without the hash of the rules, which version 1 does not have.
    fn from(table: &Descriptor) -> Self {
        let Descriptor {
            version,
            game,
            rules,
            rules_hash: _,
            options,
            players,
            recovery,
            stall_ms,
            audit,
            nonce,
        } = table.clone();
        Version1 { version, game, rules, options, players, recovery, stall_ms, audit, nonce }
    }
}

impl From<Version1> for Descriptor {
    /// Returns the descriptor with a zero hash of the rules.
    fn from(table: Version1) -> Self {
        let Version1 { version, game, rules, options, players, recovery, stall_ms, audit, nonce } = table;
        let rules_hash = [0; 32];
        Descriptor { version, game, rules, rules_hash, options, players, recovery, stall_ms, audit, nonce }
    }
}
