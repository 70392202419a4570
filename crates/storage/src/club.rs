//! What the club stores: profiles, archived games with their signed records, ratings, and what was played where.
//!
//! The storage knows no rules: the club verifies a record before it is archived, and says what it means.

use crate::{StorageError, StorageFuture};

/// The public key of a player.
pub type PlayerKey = [u8; 32];
/// The key of a public position in the explorer.
pub type PositionKey = [u8; 16];

/// The profile of a player, which they have signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClubProfile {
    /// The public key.
    pub identity: PlayerKey,
    /// The name.
    pub name: String,
    /// When it was signed: a later profile replaces an earlier one.
    pub signed_at: u64,
    /// The signature of name and time. The storage does not check it.
    pub signature: [u8; 64],
}

/// The result of a game for one seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatResult {
    /// It won, alone or with others.
    Won,
    /// It lost.
    Lost,
    /// All seats shared the victory.
    Draw,
    /// The game was not played to its end.
    None,
}

impl SeatResult {
    /// All results.
    pub const ALL: [SeatResult; 4] = [SeatResult::Won, SeatResult::Lost, SeatResult::Draw, SeatResult::None];

    /// Returns the word by which a result is stored and shown: `won`, `lost`, `draw` or `none`.
    pub fn word(self) -> &'static str {
        match self {
            SeatResult::Won => "won",
            SeatResult::Lost => "lost",
            SeatResult::Draw => "draw",
            SeatResult::None => "none",
        }
    }

    /// Returns the result that is stored as this word, in lower case; `None` (of the option) if there is no such
    /// result.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|result| result.word() == word)
    }
}

/// A seat of an archived game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedSeat {
    /// The public key of the player or bot.
    pub identity: PlayerKey,
    /// The name that the player had in this game.
    pub name: String,
    /// The result.
    pub result: SeatResult,
    /// The rank, from 1; 0 if the game was not played to its end.
    pub rank: u8,
    /// The score.
    pub score: i64,
    /// Whether it is a bot on the machine of another seat.
    pub is_bot: bool,
    /// Whether the others dropped it before the end.
    pub has_left: bool,
}

/// What the archive says about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedGame {
    /// Its number in the archive, from 1.
    pub number: u64,
    /// The identifier of its table.
    pub id: [u8; 32],
    /// The name of the game.
    pub game: String,
    /// The version of its rules.
    pub rules: u32,
    /// How many events it has.
    pub events: u32,
    /// Whether it was played to its end. Otherwise the others have dropped a seat and ended it.
    pub is_played: bool,
    /// Why it is not rated; empty if it is.
    pub unrated: String,
    /// When it was archived.
    pub published: u64,
    /// The size of its record.
    pub bytes: u64,
    /// The seats in order.
    pub seats: Vec<ArchivedSeat>,
}

/// What was played in a public position of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// The position.
    pub position: PositionKey,
    /// The public text of the action.
    pub action: String,
    /// Whether the seat that played it won.
    pub is_won: bool,
    /// What the result was worth to that seat, in thousandths of a win.
    pub points: u32,
}

/// A game to be archived. The caller has verified its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewGame {
    /// What is known about it. The storage sets the number and the time.
    pub game: ArchivedGame,
    /// The bytes of its signed record.
    pub record: Vec<u8>,
    /// The decisions for the explorer.
    pub moves: Vec<PlayedMove>,
}

/// The result of archiving a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveOutcome {
    /// It has this number.
    Stored(u64),
    /// It was archived before, under this number. Nothing has changed.
    Duplicate(u64),
    /// It is not archived: the archive is full.
    Full,
}

/// An estimate of a player's skill, in millionths. Integers, so that it is stored exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkillEstimate {
    /// The mean.
    pub mean: i64,
    /// The standard deviation.
    pub deviation: i64,
}

impl SkillEstimate {
    /// Returns three deviations below the mean, in millionths: the skill that the player has almost certainly.
    /// Saturates.
    pub fn floor(self) -> i64 {
        self.mean.saturating_sub(self.deviation.saturating_mul(3))
    }
}

/// How ratings are computed. The storage knows no method: it keeps the order of games.
pub trait RatingMethod: Send + Sync + 'static {
    /// Returns the estimate of a player without games.
    fn initial(&self) -> SkillEstimate;

    /// Returns the estimates after a game, in the order of `before`. `before` and `ranks` have one entry per seat;
    /// ranks are from 1, and equal ones are shared. Must depend on its arguments alone.
    fn update(&self, before: &[SkillEstimate], ranks: &[u8]) -> Vec<SkillEstimate>;
}

/// The rating of a player in a game with a number of seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerRating {
    /// The player.
    pub identity: PlayerKey,
    /// The name of the profile; empty without one.
    pub name: String,
    /// The game.
    pub game: String,
    /// The number of seats.
    pub seats: u8,
    /// The estimate.
    pub estimate: SkillEstimate,
    /// How many rated games.
    pub games: u64,
    /// How many of them the player won.
    pub wins: u64,
}

/// The rating of a player after a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatingPoint {
    /// The number of the game.
    pub number: u64,
    /// When it was archived.
    pub published: u64,
    /// The estimate after it.
    pub estimate: SkillEstimate,
}

/// The number of games of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerTotals {
    /// Archived games.
    pub games: u64,
    /// Those of them that the player left.
    pub left: u64,
}

/// What was played next in a position, over all archived games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExploredMove {
    /// The public text of the action.
    pub action: String,
    /// How often it was played.
    pub games: u64,
    /// How often the seat that played it won.
    pub wins: u64,
    /// The sum of what the results were worth to that seat, in thousandths of a win.
    pub points: u64,
}

/// A search in the archive. Absent conditions hold for every game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameQuery {
    /// A player who had a seat.
    pub player: Option<PlayerKey>,
    /// The result of that player. Ignored without a player.
    pub result: Option<SeatResult>,
    /// The game.
    pub game: Option<String>,
    /// The number of seats.
    pub seats: Option<u8>,
    /// Archived at this time or later.
    pub since: Option<u64>,
    /// Archived before this time.
    pub until: Option<u64>,
    /// Only games with a smaller number: the last one of the page before.
    pub before: Option<u64>,
}

/// Which ratings a leaderboard shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaderboardQuery {
    /// The game.
    pub game: String,
    /// The number of seats.
    pub seats: u8,
    /// Minimum number of rated games.
    pub least_games: u64,
    /// How many of the best are left out: those of the pages before.
    pub skip: u32,
}

/// Maximum number of entries in a page of a search, a leaderboard or a history.
pub const CLUB_PAGE: u32 = 50;

/// The size of the archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArchiveUsage {
    /// Archived games.
    pub games: u64,
    /// Bytes of their records.
    pub bytes: u64,
}

/// The storage of the club. Times are seconds since 1970. Every operation that writes is one transaction.
pub trait ClubStorage: Send + Sync + 'static {
    /// Stores a profile in place of an earlier one of the player. Changes nothing if one with the same or a later time
    /// is stored. Resolves to whether it is the player's profile now, so also `true` for one that was stored before.
    /// Checks neither name nor signature.
    fn put_profile(&self, profile: ClubProfile) -> StorageFuture<'_, bool>;

    /// Resolves to the profile that a player has signed and the storage has; `None` if there is none.
    fn profile(&self, identity: PlayerKey) -> StorageFuture<'_, Option<ClubProfile>>;

    /// Resolves to profiles whose name begins like this, in lower case, in the order of their names in lower case (by
    /// bytes), then of their keys; at most [`CLUB_PAGE`]. All profiles begin like an empty name.
    fn find_profiles(&self, name: String) -> StorageFuture<'_, Vec<ClubProfile>>;

    /// Archives a game unless the game of its table is archived already: its record, the new ratings of its seats if it
    /// is rated, and its moves. It gets the next number. Resolves to `Full`, without a change, if its record would
    /// exceed `most_bytes`, the capacity of the archive. If `now` is before the time of an earlier game, that time
    /// counts. Fails with `Damaged` if the game is inconsistent.
    fn archive<'a>(
        &'a self,
        game: NewGame,
        method: &'a dyn RatingMethod,
        most_bytes: u64,
        now: u64,
    ) -> StorageFuture<'a, ArchiveOutcome>;

    /// Resolves to the games that match all conditions of a search, the newest (highest number) first, at most
    /// [`CLUB_PAGE`].
    fn search(&self, query: GameQuery) -> StorageFuture<'_, Vec<ArchivedGame>>;

    /// Resolves to the archived game whose table has the identifier `id`, without its record; `None` if it
    /// is not archived.
    fn game(&self, id: [u8; 32]) -> StorageFuture<'_, Option<ArchivedGame>>;

    /// Resolves to the archived game with the smallest number above `after`, and the bytes of its signed
    /// record; `None` if there is none. With 0, and then each number, it reads the whole archive in order.
    fn next_record(&self, after: u64) -> StorageFuture<'_, Option<(ArchivedGame, Vec<u8>)>>;

    /// Resolves to the ratings of a player in all games and numbers of seats, those with the most games first, then by
    /// game and seats; empty if there are none.
    fn ratings(&self, identity: PlayerKey) -> StorageFuture<'_, Vec<PlayerRating>>;

    /// Resolves to how many games a player has and has left; zeros for an unknown player. A game in which the player
    /// had two seats counts twice.
    fn totals(&self, identity: PlayerKey) -> StorageFuture<'_, PlayerTotals>;

    /// Resolves to the ratings of a player in a game with this number of seats after each rated game whose number is
    /// below `before` (any for `None`), the newest first, at most [`CLUB_PAGE`].
    fn history(
        &self,
        identity: PlayerKey,
        game: String,
        seats: u8,
        before: Option<u64>,
    ) -> StorageFuture<'_, Vec<RatingPoint>>;

    /// Resolves to the players with the highest [floors](SkillEstimate::floor) in a game, the best first and equals by
    /// their keys, after those to skip; at most [`CLUB_PAGE`].
    fn leaderboard(&self, query: LeaderboardQuery) -> StorageFuture<'_, Vec<PlayerRating>>;

    /// Replaces all ratings and their history by those that follow from the rated games of the archive, in the order of
    /// their numbers, in one transaction. Resolves to the number of rated games. Takes as long as it needs, without a
    /// timeout; nothing can be archived meanwhile.
    fn recompute_ratings<'a>(&'a self, method: &'a dyn RatingMethod) -> StorageFuture<'a, u64>;

    /// Resolves to what was played in a position, the most frequent first and equals by their texts, at most
    /// [`CLUB_PAGE`]; empty for an unknown position.
    fn explore(&self, position: PositionKey) -> StorageFuture<'_, Vec<ExploredMove>>;

    /// Resolves to the number of archived games and the bytes of their records.
    fn archive_usage(&self) -> StorageFuture<'_, ArchiveUsage>;
}

/// Checks that a game to be archived is consistent: it has 1 to 8 seats, ranks above 0 exactly if it was played to its
/// end, and the stated length of the record. The record itself is not read.
///
/// # Errors
///
/// Fails with `Damaged` if it is not: a fault of the caller.
pub(crate) fn check_new_game(new: &NewGame) -> Result<(), StorageError> {
    let seats = new.game.seats.len();
    let ranks = new.game.seats.iter().all(|seat| (seat.rank > 0) == new.game.is_played);
    if seats == 0 || seats > 8 || !ranks || new.record.len() as u64 != new.game.bytes {
        return Err(StorageError::Damaged("a game to be archived is inconsistent".into()));
    }
    Ok(())
}
