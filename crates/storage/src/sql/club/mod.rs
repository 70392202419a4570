//! The club in a database.

mod archive;
mod profiles;
mod ratings;
mod search;

use super::SqlStorage;
use crate::StorageFuture;
use crate::club::{
    ArchiveOutcome, ArchiveUsage, ArchivedGame, ClubProfile, ClubStorage, ExploredMove, GameQuery,
    LeaderboardQuery, NewGame, PlayerKey, PlayerRating, PlayerTotals, PositionKey, RatingMethod, RatingPoint,
    check_new_game,
};

impl ClubStorage for SqlStorage {
    fn put_profile(&self, profile: ClubProfile) -> StorageFuture<'_, bool> {
        self.bounded(async move {
            let mut write = self.write().await?;
            let is_current = profiles::put(&mut write, profile).await?;
            write.commit().await?;
            Ok(is_current)
        })
    }

    fn profile(&self, identity: PlayerKey) -> StorageFuture<'_, Option<ClubProfile>> {
        self.bounded(async move { profiles::get(&mut self.read().await?, &identity).await })
    }

    fn find_profiles(&self, name: String) -> StorageFuture<'_, Vec<ClubProfile>> {
        self.bounded(async move { profiles::find(&mut self.read().await?, &name).await })
    }

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

    fn search(&self, query: GameQuery) -> StorageFuture<'_, Vec<ArchivedGame>> {
        self.bounded(async move { search::find(&mut self.read().await?, &query).await })
    }

    fn game(&self, id: [u8; 32]) -> StorageFuture<'_, Option<ArchivedGame>> {
        self.bounded(async move { search::by_id(&mut self.read().await?, &id).await })
    }

    fn next_record(&self, after: u64) -> StorageFuture<'_, Option<(ArchivedGame, Vec<u8>)>> {
        self.bounded(async move { search::next_record(&mut self.read().await?, after).await })
    }

    fn ratings(&self, identity: PlayerKey) -> StorageFuture<'_, Vec<PlayerRating>> {
        self.bounded(async move { ratings::of_player(&mut self.read().await?, &identity).await })
    }

    fn totals(&self, identity: PlayerKey) -> StorageFuture<'_, PlayerTotals> {
        self.bounded(async move { ratings::totals(&mut self.read().await?, &identity).await })
    }

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

    fn leaderboard(&self, query: LeaderboardQuery) -> StorageFuture<'_, Vec<PlayerRating>> {
        self.bounded(async move { ratings::leaderboard(&mut self.read().await?, &query).await })
    }

    fn recompute_ratings<'a>(&'a self, method: &'a dyn RatingMethod) -> StorageFuture<'a, u64> {
        let recompute = async move {
            let mut write = self.write().await?;
            let games = ratings::recompute(&mut write, method).await?;
            write.commit().await?;
            Ok(games)
        };
        Box::pin(async move { recompute.await.map_err(|error| self.explain(error)) })
    }

    fn explore(&self, position: PositionKey) -> StorageFuture<'_, Vec<ExploredMove>> {
        self.bounded(async move { search::explore(&mut self.read().await?, &position).await })
    }

    fn archive_usage(&self) -> StorageFuture<'_, ArchiveUsage> {
        self.bounded(async move { archive::usage(&mut self.read().await?).await })
    }
}
