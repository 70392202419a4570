//! Backups: round trips between both databases, and files that are damaged.

use crate::common::{Folder, LIMITS, Numbers, open, packet, read_all, table};
use pentarchy_storage::club::{
    ArchivedGame, ArchivedSeat, ClubProfile, ClubStorage, GameQuery, NewGame, PlayedMove, RatingMethod,
    SeatResult, SkillEstimate,
};
use pentarchy_storage::testing::PostgresServer;
use pentarchy_storage::{BackupError, SqlStorage, Storage};
use std::fs;

/// A rating method that is easy to compute: a seat gains what its rank is worth.
pub(crate) struct Steps;

impl RatingMethod for Steps {
    fn initial(&self) -> SkillEstimate {
        SkillEstimate { mean: 1_000, deviation: 100 }
    }

    /// Returns estimates that depend on those of all players, on the ranks, and on the order of games.
    fn update(&self, before: &[SkillEstimate], ranks: &[u8]) -> Vec<SkillEstimate> {
        let sum: i64 = before.iter().map(|estimate| estimate.mean).sum();
        let after = |(old, rank): (&SkillEstimate, &u8)| SkillEstimate {
            // Depends on the others and on the order of games.
            mean: old.mean + (sum - old.mean) / 10 - 50 * i64::from(*rank),
            deviation: (old.deviation - 1).max(1),
        };
        before.iter().zip(ranks).map(after).collect()
    }
}

/// Returns a game of alpha or beta, by `id`, with three of the players 0 to 5, ranked in the order in which they are
/// named. If it is not rated, the last one has left.
pub(crate) fn new_game(id: u8, players: [u8; 3], unrated: &str) -> NewGame {
    let seats = players.iter().zip(1u8..).map(|(player, rank)| ArchivedSeat {
        identity: [*player; 32],
        name: format!("Player {player}"),
        result: if rank == 1 { SeatResult::Won } else { SeatResult::Lost },
        rank,
        score: -i64::from(rank),
        is_bot: false,
        has_left: rank == 3 && !unrated.is_empty(),
    });
    let record = vec![id; 100 + usize::from(id)];
    let game = ArchivedGame {
        number: 0,
        id: [id; 32],
        game: ["alpha", "beta"][usize::from(id) % 2].into(),
        rules: 1,
        events: u32::from(id),
        is_played: true,
        unrated: unrated.into(),
        published: 0,
        bytes: record.len() as u64,
        seats: seats.collect(),
    };
    let moves = (0..id % 5).map(|i| PlayedMove {
        position: [i; 16],
        action: ["pass", "raise"][usize::from(id / 5) % 2].into(),
        is_won: id.is_multiple_of(3),
        points: u32::from(id) * 7,
    });
    NewGame { game, record, moves: moves.collect() }
}

/// Stores something of everything: mail of five tables, forty games of six players, a profile, and tournaments. Equal
/// each time.
async fn fill(storage: &SqlStorage) {
    let numbers = &mut Numbers(7);
    let batch = (0..300).map(|i| packet(numbers.below(5) as u8, &format!("{i}").repeat(50))).collect();
    storage.append_mail(batch, LIMITS, 5_000).await.unwrap();
    for id in 0..40 {
        let players = [id % 6, (id + 1 + id % 3) % 6, (id + 5) % 6];
        let unrated = if id % 7 == 0 { "why not" } else { "" };
        storage
            .archive(new_game(id, players, unrated), &Steps, 1 << 20, 9_000 + u64::from(id))
            .await
            .unwrap();
    }
    let profile = ClubProfile { identity: [1; 32], name: "Ädä".into(), signed_at: 3, signature: [9; 64] };
    storage.put_profile(profile).await.unwrap();
    crate::tournaments::fill(storage).await;
}

/// Returns everything that can be asked of a storage as text, for comparisons.
async fn contents(storage: &SqlStorage) -> String {
    let mut all = format!("{:?} {:?}", storage.mail_usage().await, storage.archive_usage().await);
    for i in 0..6u8 {
        all += &format!("{:?}", read_all(storage, table(i)).await);
        all += &format!("{:?} {:?}", storage.ratings([i; 32]).await, storage.totals([i; 32]).await);
        all += &format!("{:?} {:?}", storage.profile([i; 32]).await, storage.explore([i; 16]).await);
        all += &format!("{:?}", storage.history([i; 32], "alpha".into(), 3, None).await);
    }
    let mut after = 0;
    while let Some((game, record)) = storage.next_record(after).await.unwrap() {
        after = game.number;
        all += &format!("{game:?} {record:?}");
    }
    all += &crate::tournaments::contents(storage).await;
    all + &format!("{:?}", storage.search(GameQuery::default()).await)
}

/// Backs up `from`, restores it into `to`, and asserts that both have equal contents, now and after more is stored.
async fn move_over(from: &SqlStorage, to: &SqlStorage, folder: &Folder) {
    fs::create_dir_all(&folder.0).unwrap();
    let file = folder.0.join("backup");
    let rows = from.back_up(&file).await.unwrap();
    assert_eq!(to.restore(&file).await.unwrap(), rows);
    assert_eq!(contents(from).await, contents(to).await);
    // The next packet gets the same number in both.
    let next = [packet(1, "next")].to_vec();
    let expected = from.append_mail(next.clone(), LIMITS, 0).await.unwrap();
    assert_eq!(to.append_mail(next, LIMITS, 0).await.unwrap(), expected);
    let game = new_game(200, [1, 2, 3], "");
    let expected = from.archive(game.clone(), &Steps, 1 << 20, 0).await.unwrap();
    assert_eq!(to.archive(game, &Steps, 1 << 20, 0).await.unwrap(), expected);
    assert_eq!(contents(from).await, contents(to).await);
}

/// Asserts that restoring the backup in the folder fails in a database that is not empty, and does not change it.
async fn is_not_overwritten(to: &SqlStorage, folder: &Folder) {
    let before = contents(to).await;
    let error = to.restore(&folder.0.join("backup")).await.unwrap_err();
    assert!(matches!(error, BackupError::NotEmpty(_)), "{error:?}");
    assert_eq!(contents(to).await, before);
}

#[tokio::test]
async fn a_backup_of_sqlite_is_restored_into_sqlite() {
    let folders = [0; 3].map(|_| Folder::new("backup"));
    let (from, to) = (open(&folders[0]).await, open(&folders[1]).await);
    fill(&from).await;
    move_over(&from, &to, &folders[2]).await;
    is_not_overwritten(&to, &folders[2]).await;
}

#[tokio::test]
async fn a_backup_moves_between_sqlite_and_postgresql() {
    let Some(server) = PostgresServer::start() else { return };
    let folders = [0; 4].map(|_| Folder::new("backup-moves"));
    let address = server.database("restored").await;
    let (from, to) = (open(&folders[0]).await, SqlStorage::open_postgres(&address).await.unwrap());
    fill(&from).await;
    move_over(&from, &to, &folders[2]).await;
    is_not_overwritten(&to, &folders[2]).await;
    move_over(&to, &open(&folders[1]).await, &folders[3]).await;
}

#[tokio::test]
async fn a_damaged_backup_changes_nothing() {
    let folders = [0; 3].map(|_| Folder::new("backup-damaged"));
    let from = open(&folders[0]).await;
    fill(&from).await;
    fs::create_dir_all(&folders[2].0).unwrap();
    let file = folders[2].0.join("backup");
    from.back_up(&file).await.unwrap();
    let sound = fs::read(&file).unwrap();
    let to = open(&folders[1]).await;
    let empty = contents(&to).await;
    let numbers = &mut Numbers(3);
    let mut damaged: Vec<Vec<u8>> = (0..40)
        .map(|_| {
            let mut bytes = sound.clone();
            let at = numbers.below(bytes.len() as u64) as usize;
            bytes[at] ^= 1 << numbers.below(8);
            bytes
        })
        .collect();
    damaged.extend([0, 1, 20, 60, sound.len() / 2, sound.len() - 1].map(|len| sound[..len].to_vec()));
    damaged.push([&sound[..], b"more"].concat());
    damaged.push(b"something else that is long enough to be a backup of nothing at all".to_vec());
    for bytes in damaged {
        fs::write(&file, &bytes).unwrap();
        let error = to.restore(&file).await.unwrap_err();
        assert!(matches!(error, BackupError::Damaged(_)), "{error:?}");
    }
    assert_eq!(contents(&to).await, empty);
    fs::write(&file, &sound).unwrap();
    to.restore(&file).await.unwrap();
    assert_eq!(contents(&to).await, contents(&from).await);
}
