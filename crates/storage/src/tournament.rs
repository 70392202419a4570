//! What the club stores of tournaments. The storage knows no rules of tournaments: a state is a text for it.

use crate::StorageFuture;
use crate::club::PlayerKey;

/// The identifier of a tournament.
pub type TournamentId = [u8; 32];
/// The tag of a table of a tournament, which the record of its game carries.
pub type TableTag = [u8; 16];

/// How far a tournament is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TournamentPhase {
    /// Players can enter.
    Open,
    /// Rounds are played.
    Running,
    /// All rounds were played.
    Finished,
    /// The organiser has ended it.
    Cancelled,
}

impl TournamentPhase {
    /// All phases.
    pub const ALL: [TournamentPhase; 4] = [
        TournamentPhase::Open,
        TournamentPhase::Running,
        TournamentPhase::Finished,
        TournamentPhase::Cancelled,
    ];

    /// Returns the word by which a phase is stored and shown: `open`, `running`, `finished` or `cancelled`.
    pub fn word(self) -> &'static str {
        match self {
            TournamentPhase::Open => "open",
            TournamentPhase::Running => "running",
            TournamentPhase::Finished => "finished",
            TournamentPhase::Cancelled => "cancelled",
        }
    }

    /// Returns the phase that is stored as this word, in lower case; `None` if there is no such phase.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|phase| phase.word() == word)
    }
}

/// A tournament to be created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTournament {
    /// Its identifier.
    pub id: TournamentId,
    /// The hash of the request that creates it.
    pub request: [u8; 32],
    /// The public key of the organiser.
    pub organiser: PlayerKey,
    /// What lists show.
    pub summary: String,
    /// Everything about it.
    pub state: String,
}

/// A stored tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTournament {
    /// Its identifier.
    pub id: TournamentId,
    /// Its number, from 1, in the order in which tournaments were created. No other tournament ever gets it.
    pub number: u64,
    /// The public key of the organiser.
    pub organiser: PlayerKey,
    /// How far it is.
    pub phase: TournamentPhase,
    /// Its version: 1 when it is created, and one more with each change.
    pub version: u64,
    /// What lists show.
    pub summary: String,
    /// Everything about it; empty in lists.
    pub state: String,
    /// When it was changed last.
    pub changed: u64,
}

/// A change of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentUpdate {
    /// Its identifier.
    pub id: TournamentId,
    /// The version that was changed.
    pub version: u64,
    /// How far it is now.
    pub phase: TournamentPhase,
    /// What lists show now.
    pub summary: String,
    /// Everything about it now.
    pub state: String,
    /// A player who has entered.
    pub entered: Option<PlayerKey>,
    /// A player who has withdrawn.
    pub withdrawn: Option<PlayerKey>,
    /// The tags of new tables. A tag that is stored already must belong to this tournament.
    pub tags: Vec<TableTag>,
}

/// How many tournaments are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TournamentLimits {
    /// Maximum number of open and running tournaments of one organiser.
    pub per_organiser: u32,
    /// Maximum number of open and running tournaments that one player has entered.
    pub per_player: u32,
    /// Maximum number of open and running tournaments.
    pub unfinished: u32,
    /// Maximum number of all tournaments.
    pub total: u32,
    /// Seconds after the last change after which an open tournament is removed, a running one no longer counts as
    /// unfinished, and a cancelled one is removed.
    pub lifetime: u64,
}

/// The result of creating a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateTournamentOutcome {
    /// It is stored.
    Stored,
    /// The request, or the identifier, was stored before. Nothing has changed.
    Duplicate,
    /// The organiser has too many unfinished ones. Nothing is stored.
    TooMany,
    /// There are too many. Nothing is stored.
    Full,
}

/// The result of changing a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateTournamentOutcome {
    /// It is stored.
    Stored,
    /// There is no such tournament, or it has another version: another request has changed it.
    Conflict,
    /// The player who enters has entered too many. Nothing has changed.
    TooMany,
}

/// Which tournaments a list shows. Absent conditions hold for every tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TournamentQuery {
    /// How far they are.
    pub phase: Option<TournamentPhase>,
    /// A player who has entered them.
    pub player: Option<PlayerKey>,
    /// Only those with a smaller number: the last one of the page before.
    pub before: Option<u64>,
}

/// The storage of tournaments. Times are seconds since 1970. Every operation that writes is one transaction. Every
/// operation fails if the database does.
pub trait TournamentStorage: Send + Sync + 'static {
    /// Stores a tournament as open, with version 1 and a number above all that were ever given. Removes open
    /// and cancelled ones that were not changed within the [lifetime](TournamentLimits::lifetime), which
    /// count for no limit. Changes nothing unless the outcome is `Stored`.
    fn create_tournament(
        &self,
        new: NewTournament,
        limits: TournamentLimits,
        now: u64,
    ) -> StorageFuture<'_, CreateTournamentOutcome>;

    /// Replaces phase, summary and state of a tournament that has the stated version, which increases by 1;
    /// stores who has entered or withdrawn and the tags of new tables. Changes nothing unless the outcome
    /// is `Stored`. The limits apply to a player who enters.
    fn update_tournament(
        &self,
        update: TournamentUpdate,
        limits: TournamentLimits,
        now: u64,
    ) -> StorageFuture<'_, UpdateTournamentOutcome>;

    /// Resolves to the tournament with this identifier, with its state; `None` if there is none.
    fn tournament(&self, id: TournamentId) -> StorageFuture<'_, Option<StoredTournament>>;

    /// Resolves to the tournaments that match all conditions without their states, the newest first, at most
    /// [`CLUB_PAGE`](crate::club::CLUB_PAGE).
    fn tournaments(&self, query: TournamentQuery) -> StorageFuture<'_, Vec<StoredTournament>>;

    /// Resolves to the tournament to which the table with this tag belongs; `None` if there is none.
    fn tournament_of_table(&self, tag: TableTag) -> StorageFuture<'_, Option<TournamentId>>;
}
