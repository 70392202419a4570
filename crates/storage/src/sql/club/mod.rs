//! The club in a database.

mod archive;
mod profiles;
mod ratings;
mod search;
mod tournaments;

use super::SqlStorage;
use crate::StorageFuture;
use crate::club::{
    ArchiveOutcome, ArchiveUsage, ArchivedGame, ClubProfile, ClubStorage, ExploredMove, GameQuery,
    LeaderboardQuery, NewGame, PlayerKey, PlayerRating, PlayerTotals, PositionKey, RatingMethod, RatingPoint,
    check_new_game,
};

impl ClubStorage for SqlStorage {
    /// Stores a profile unless one with the same or a later time is stored, in one transaction. Resolves to
    /// whether it is the player's profile now. Checks neither name nor signature. Fails if the database does.
    fn put_profile(&self, profile: ClubProfile) -> StorageFuture<'_, bool> {
        self.bounded(async move {
            let mut write = self.write().await?;
            let is_current = profiles::put(&mut write, profile).await?;
            write.commit().await?;
            Ok(is_current)
        })
    }

    /// Resolves to the profile of a player; `None` if there is none. Fails if the database does.
    fn profile(&self, identity: PlayerKey) -> StorageFuture<'_, Option<ClubProfile>> {
        self.bounded(async move { profiles::get(&mut self.read().await?, &identity).await })
    }

    /// Resolves to at most [`CLUB_PAGE`](crate::club::CLUB_PAGE) profiles whose name begins like this, in lower
    /// case, in the order of their names, then of their keys. Fails if the database does.
    fn find_profiles(&self, name: String) -> StorageFuture<'_, Vec<ClubProfile>> {
        self.bounded(async move { profiles::find(&mut self.read().await?, &name).await })
    }

    /// Archives a game with the ratings of its seats and its moves in one transaction, unless the game of its
    /// table is archived already or the record would exceed `most_bytes`, the capacity of the archive. It is
    /// dated `now`, or like an earlier game if that is later. Fails with `Damaged` if the game is
    /// inconsistent, without a change, and if the database does.
    fn archive<'a>(
        &'a self,
        game: NewGame,
        method: &'a dyn RatingMethod,
        most_bytes: u64,
        now: u64,
    ) -> StorageFuture<'a, ArchiveOutcome> {
        if let Err(error) = check_new_game(&game) {
            return Box::pin(std::future::ready(Err(error)));
        }
        self.bounded(async move {
            let mut write = self.write().await?;
            let outcome = archive::store(&mut write, &game, method, most_bytes, now).await?;
            write.commit().await?;
            Ok(outcome)
        })
    }

    /// Resolves to at most [`CLUB_PAGE`](crate::club::CLUB_PAGE) games that match all conditions of a search, the
    /// newest first. Fails if the database does.
    fn search(&self, query: GameQuery) -> StorageFuture<'_, Vec<ArchivedGame>> {
        self.bounded(async move { search::find(&mut self.read().await?, &query).await })
    }

    /// Resolves to the archived game whose table has the identifier `id`, without its record; `None` if it
    /// is not archived. Fails if the database does.
    fn game(&self, id: [u8; 32]) -> StorageFuture<'_, Option<ArchivedGame>> {
        self.bounded(async move { search::by_id(&mut self.read().await?, &id).await })
    }

    /// Resolves to the archived game with the smallest number above `after`, and the bytes of its signed
    /// record; `None` if there is none. Fails if the database does.
    fn next_record(&self, after: u64) -> StorageFuture<'_, Option<(ArchivedGame, Vec<u8>)>> {
        self.bounded(async move { search::next_record(&mut self.read().await?, after).await })
    }

    /// Resolves to the ratings of a player in all games and numbers of seats, those with the most games
    /// first, then by game and seats. Fails if the database does.
    fn ratings(&self, identity: PlayerKey) -> StorageFuture<'_, Vec<PlayerRating>> {
        self.bounded(async move { ratings::of_player(&mut self.read().await?, &identity).await })
    }

    /// Resolves to how many games a player has and has left; zeros for an unknown player. Fails if the
    /// database does.
    fn totals(&self, identity: PlayerKey) -> StorageFuture<'_, PlayerTotals> {
        self.bounded(async move { ratings::totals(&mut self.read().await?, &identity).await })
    }

    /// Resolves to the ratings of a player after each rated game with this number of seats whose number is
    /// below `before` (any for `None`), the newest first, at most [`CLUB_PAGE`](crate::club::CLUB_PAGE). Fails if
    /// the database does.
    fn history(
        &self,
        identity: PlayerKey,
        game: String,
        seats: u8,
        before: Option<u64>,
    ) -> StorageFuture<'_, Vec<RatingPoint>> {
        self.bounded(async move {
            ratings::history(&mut self.read().await?, &identity, &game, seats, before).await
        })
    }

    /// Resolves to at most [`CLUB_PAGE`](crate::club::CLUB_PAGE) players with the highest floors in a game, the
    /// best first and equals by their keys, after those to skip. Fails if the database does.
    fn leaderboard(&self, query: LeaderboardQuery) -> StorageFuture<'_, Vec<PlayerRating>> {
        self.bounded(async move { ratings::leaderboard(&mut self.read().await?, &query).await })
    }

    /// Replaces all ratings and their history by those that follow from the rated games, in the order of
    /// their numbers, in one transaction without a timeout. Resolves to the number of rated games. Fails if
    /// the database does, without a change.
    fn recompute_ratings<'a>(&'a self, method: &'a dyn RatingMethod) -> StorageFuture<'a, u64> {
        let recompute = async move {
            let mut write = self.write().await?;
            let games = ratings::recompute(&mut write, method).await?;
            write.commit().await?;
            Ok(games)
        };
        Box::pin(async move { recompute.await.map_err(|error| self.explain(error)) })
    }

    /// Resolves to at most [`CLUB_PAGE`](crate::club::CLUB_PAGE) moves that were played in a position, the most
    /// frequent first and equals by their texts; empty for an unknown position. Fails if the database does.
    fn explore(&self, position: PositionKey) -> StorageFuture<'_, Vec<ExploredMove>> {
        self.bounded(async move { search::explore(&mut self.read().await?, &position).await })
    }

    /// Resolves to the number of archived games and the bytes of their records. Fails if the database does.
    fn archive_usage(&self) -> StorageFuture<'_, ArchiveUsage> {
        self.bounded(async move { archive::usage(&mut self.read().await?).await })
    }
}
