//! A tournament: its terms, entries, rounds and results, as it is stored.

use super::{Pairing, PlayedRound, TableResult, TournamentRound, TournamentStanding, standings};
use data_encoding::HEXLOWER;
use pentarchy_identity::{RequestSigner, SeedShare};
use pentarchy_storage::tournament::TournamentPhase;
use serde::{Deserialize, Serialize};

/// How opponents are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentSystem {
    /// Everybody meets everybody else once, at tables of two.
    RoundRobin,
    /// In each round players with about equal points meet.
    Swiss,
}

impl TournamentSystem {
    /// Returns the word by which a system is stored and shown: `round-robin` or `swiss`.
    pub fn word(self) -> &'static str {
        match self {
            TournamentSystem::RoundRobin => "round-robin",
            TournamentSystem::Swiss => "swiss",
        }
    }
}

/// What is fixed when a tournament is created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TournamentTerms {
    /// Its name.
    pub name: String,
    /// The name of the game.
    pub game: String,
    /// All options of the game as JSON, written in full.
    pub options: String,
    /// The number of seats of a table.
    pub seats: u8,
    /// How opponents are found.
    pub system: TournamentSystem,
    /// The number of rounds of the Swiss system; 0 for a round robin, whose number follows from that of the players.
    pub rounds: u8,
    /// The time limit of the tables, in milliseconds.
    pub stall_ms: u32,
    /// The number of players with which it starts by itself; 0 if only the organiser starts it.
    pub start_players: u8,
}

/// A signed request that is kept, so that anybody can verify it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedRequest {
    /// When it was signed, in seconds since 1970.
    pub time: u64,
    /// Its body.
    pub body: String,
    /// The signature in hexadecimal digits.
    pub signature: String,
}

impl SignedRequest {
    /// Keeps a request with this body. Bytes that are no UTF-8 are replaced, which makes its signature invalid: the
    /// caller must have parsed the body.
    pub fn new(signer: &RequestSigner, body: &[u8]) -> Self {
        let body = String::from_utf8_lossy(body).into_owned();
        Self { time: signer.time, body, signature: HEXLOWER.encode(&signer.signature) }
    }
}

/// What a player sends to enter.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryRequest {
    /// The name that is shown.
    pub name: String,
    /// 32 random bytes for the seed, in hexadecimal digits.
    pub share: String,
}

/// A player who has entered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TournamentEntrant {
    /// The public key.
    #[serde(with = "hex")]
    pub identity: [u8; 32],
    /// The name that is shown.
    pub name: String,
    /// What the player has added to the seed.
    #[serde(with = "hex")]
    pub share: [u8; 32],
    /// The request.
    pub signed: SignedRequest,
}

/// The link to a table that one of its players has opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostedLink {
    /// The link. Only the players of the table may see it.
    pub link: String,
    /// The seat that has posted it.
    pub seat: u8,
    /// When it was signed.
    pub time: u64,
}

/// The result of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateResult {
    /// The rank of each seat; 0 for an absent one.
    pub ranks: Vec<u8>,
    /// The identifier of the archived game; absent for a forfeit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The request by which the organiser has declared it; absent for a game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<SignedRequest>,
}

/// A table of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateTable {
    /// The players in the order of the seats.
    pub seats: Vec<usize>,
    /// The tag that the record of its game must carry.
    #[serde(with = "hex")]
    pub tag: [u8; 16],
    /// The link to the open table, until there is a result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<HostedLink>,
    /// The result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<StateResult>,
}

/// A round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateRound {
    /// When it began.
    pub started: u64,
    /// The tables.
    pub tables: Vec<StateTable>,
    /// The players without a table.
    pub byes: Vec<usize>,
}

impl StateRound {
    /// Returns whether all tables have a result.
    pub fn is_over(&self) -> bool {
        self.tables.iter().all(|table| table.result.is_some())
    }

    /// Returns what has been played of the round, for pairings and standings: the tables that have a
    /// result, with it, and all byes.
    fn played(&self) -> PlayedRound {
        let mut played = PlayedRound {
            round: TournamentRound { tables: Vec::new(), byes: self.byes.clone() },
            results: Vec::new(),
        };
        for (table, result) in self.tables.iter().filter_map(|table| Some((table, table.result.as_ref()?))) {
            played.round.tables.push(Pairing { seats: table.seats.clone() });
            played.results.push(TableResult { ranks: result.ranks.clone() });
        }
        played
    }
}

/// A tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TournamentState {
    /// Its identifier.
    #[serde(with = "hex")]
    pub id: [u8; 32],
    /// What was fixed at the beginning.
    pub terms: TournamentTerms,
    /// The public key of the organiser.
    #[serde(with = "hex")]
    pub organiser: [u8; 32],
    /// When it was created, in seconds since 1970.
    pub created: u64,
    /// The request that created it.
    pub signed: SignedRequest,
    /// The time of the organiser's last request.
    pub organiser_time: u64,
    /// The server's share of the seed, which stays secret until the start.
    #[serde(with = "hex")]
    pub secret: [u8; 32],
    /// How far it is.
    #[serde(with = "phase_word")]
    pub phase: TournamentPhase,
    /// The players in the order in which they entered.
    pub players: Vec<TournamentEntrant>,
    /// Players who have withdrawn lately, with the times of their requests.
    #[serde(default)]
    pub withdrawn: Vec<(String, u64)>,
    /// The rounds that have begun.
    #[serde(default)]
    pub rounds: Vec<StateRound>,
}

impl TournamentState {
    /// Returns the shares of the seed of the players who have entered, with their identities, in the order
    /// of their numbers.
    pub fn shares(&self) -> Vec<SeedShare> {
        let share = |player: &TournamentEntrant| SeedShare { identity: player.identity, share: player.share };
        self.players.iter().map(share).collect()
    }

    /// Returns the seed by which pairings and seats are drawn: it follows from the server's share, the
    /// identifier of the tournament and the shares of the players. It changes with every entry until the
    /// start, and must not be published before.
    pub fn seed(&self) -> [u8; 32] {
        pentarchy_identity::tournament_seed(&self.secret, &self.id, &self.shares())
    }

    /// Returns the hash of the server's share of the seed. It is public from the creation on, so that
    /// anybody can check the share after the start.
    pub fn commitment(&self) -> [u8; 32] {
        pentarchy_identity::tournament_commitment(&self.secret)
    }

    /// Returns the number (from 0) of the player with this identity; `None` if it has not entered or has
    /// withdrawn.
    pub fn player(&self, identity: &[u8; 32]) -> Option<usize> {
        self.players.iter().position(|player| player.identity == *identity)
    }

    /// Returns how many rounds are played with the players who have entered. A round robin has one round
    /// less than players, or as many as players for an odd number. The Swiss system has as many as the
    /// terms say, at tables of two at most as many as a round robin would have, so that no pairing has to
    /// be repeated.
    pub fn planned_rounds(&self) -> usize {
        let circle = self.players.len().next_multiple_of(2).saturating_sub(1);
        match self.terms.system {
            TournamentSystem::RoundRobin => circle,
            TournamentSystem::Swiss if self.terms.seats == 2 => usize::from(self.terms.rounds).min(circle),
            TournamentSystem::Swiss => self.terms.rounds.into(),
        }
    }

    /// Returns what has been played of all rounds that have begun, in order: the tables with results, and
    /// the byes.
    pub(super) fn played_rounds(&self) -> Vec<PlayedRound> {
        self.rounds.iter().map(StateRound::played).collect()
    }

    /// Returns the standings of all players after the results that are known, the best first. Byes of the
    /// current round count.
    pub fn standings(&self) -> Vec<TournamentStanding> {
        standings(self.players.len(), self.terms.seats.into(), &self.played_rounds())
    }
}

/// Bytes as hexadecimal digits.
mod hex {
    use data_encoding::HEXLOWER;
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    /// Writes bytes as hexadecimal digits.
    pub(super) fn serialize<S: Serializer, const N: usize>(
        bytes: &[u8; N],
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.serialize_str(&HEXLOWER.encode(bytes))
    }

    /// Reads exactly `N` bytes.
    ///
    /// # Errors
    ///
    /// Fails if the text is no such number of hexadecimal digits.
    pub(super) fn deserialize<'de, D: Deserializer<'de>, const N: usize>(
        from: D,
    ) -> Result<[u8; N], D::Error> {
        let text = String::deserialize(from)?;
        let bytes = HEXLOWER.decode(text.as_bytes()).ok().and_then(|bytes| bytes.try_into().ok());
        bytes.ok_or_else(|| D::Error::custom("hexadecimal digits"))
    }
}

/// Phases as words.
mod phase_word {
    use pentarchy_storage::tournament::TournamentPhase;
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    /// Writes the word of a phase.
    pub(super) fn serialize<S: Serializer>(phase: &TournamentPhase, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(phase.word())
    }

    /// Reads a phase.
    ///
    /// # Errors
    ///
    /// Fails if there is no such phase.
    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<TournamentPhase, D::Error> {
        let word = String::deserialize(from)?;
        TournamentPhase::from_word(&word).ok_or_else(|| D::Error::custom("a phase"))
    }
}
