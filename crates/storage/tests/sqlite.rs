//! The database: the same results as storage in memory, nothing acknowledged is lost, and clear errors.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper of a test fails as a test does")]

use pentarchy_net::{InviteKey, MailCursor, OwnerSecret, TableId};
use pentarchy_storage::{
    AppendOutcome, DATABASE_FILE, MailLimits, MailUsage, MemoryStorage, NewPacket, SqliteStorage, Storage,
    StorageError, StoredPacket,
};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

const LIMITS: MailLimits = MailLimits { table_bytes: 1 << 20, table_packets: 1_000, total_bytes: 1 << 30 };

/// A folder that is removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    /// Returns the path of a folder that does not exist yet.
    fn new(name: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let unique = format!("pentarchy-{name}-{}-{}", std::process::id(), COUNT.fetch_add(1, Relaxed));
        Self(std::env::temp_dir().join(unique))
    }

    fn file(&self) -> PathBuf {
        self.0.join(DATABASE_FILE)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

fn table(i: u8) -> TableId {
    OwnerSecret::new([i; 32]).proof(&InviteKey([i; 16])).table()
}

fn packet(i: u8, text: &str) -> NewPacket {
    NewPacket { table: table(i), sealed: text.as_bytes().to_vec(), new_mailbox: u64::MAX - u64::from(i) }
}

async fn append(storage: &dyn Storage, packet: NewPacket) -> AppendOutcome {
    storage.append_mail(vec![packet], LIMITS, 1_000).await.unwrap()[0]
}

/// Reads a whole mailbox in pages.
async fn read_all(storage: &dyn Storage, table: TableId) -> Vec<StoredPacket> {
    let (mut all, mut after) = (Vec::new(), MailCursor::default());
    loop {
        let page = storage.read_mail(table, after).await.unwrap();
        if page.packets.is_empty() {
            assert_eq!(all.len(), page.last as usize);
            return all;
        }
        after = MailCursor { mailbox: page.mailbox, number: page.packets.last().unwrap().number };
        all.extend(page.packets);
    }
}

/// A small generator: the tests need variety, not quality.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

#[tokio::test]
async fn the_database_gives_the_same_results_as_memory() {
    let limits = MailLimits { table_bytes: 40_000, table_packets: 90, total_bytes: 90_000 };
    for seed in 0..4 {
        let folder = Folder::new("storage-model");
        let memory = MemoryStorage::default();
        let mut file = SqliteStorage::open(&folder.0).await.unwrap();
        let numbers = &mut Numbers(seed);
        let mut now = 10_000;
        let mut seen = [false; 4];
        for step in 0..400u64 {
            match numbers.below(20) {
                0..=11 => {
                    let batch: Vec<NewPacket> = (0..1 + numbers.below(6))
                        .map(|i| {
                            let text = match numbers.below(3) {
                                0 => format!("{}", numbers.below(20)),
                                _ => format!("{step} {i} {}", "x".repeat(numbers.below(900) as usize)),
                            };
                            NewPacket {
                                new_mailbox: 1 + numbers.below(u64::MAX),
                                ..packet(numbers.below(4) as u8, &text)
                            }
                        })
                        .collect();
                    let expected = memory.append_mail(batch.clone(), limits, now).await.unwrap();
                    for outcome in &expected {
                        seen[match outcome {
                            AppendOutcome::Stored(_) => 0,
                            AppendOutcome::Duplicate(_) => 1,
                            AppendOutcome::Full => 2,
                        }] = true;
                    }
                    assert_eq!(file.append_mail(batch, limits, now).await.unwrap(), expected);
                }
                12..=16 => {
                    let table = table(numbers.below(5) as u8);
                    let page = memory.read_mail(table, MailCursor::default()).await.unwrap();
                    let mailbox = page.mailbox.wrapping_add(u64::from(numbers.below(5) == 0));
                    let after = MailCursor { mailbox, number: numbers.below(100) as u32 };
                    let expected = memory.read_mail(table, after).await.unwrap();
                    assert_eq!(file.read_mail(table, after).await.unwrap(), expected);
                }
                17 => {
                    let before = now - numbers.below(400);
                    let expected = memory.expire_mail(before, now).await.unwrap();
                    seen[3] |= expected > 0;
                    assert_eq!(file.expire_mail(before, now).await.unwrap(), expected);
                }
                18 => {
                    file.close().await.unwrap();
                    file = SqliteStorage::open(&folder.0).await.unwrap();
                }
                // The clock goes back now and then.
                _ => now = now + numbers.below(200) - numbers.below(100),
            }
            assert_eq!(file.mail_usage().await.unwrap(), memory.mail_usage().await.unwrap());
        }
        assert_eq!(seen, [true; 4], "seed {seed}: stored, duplicate, full, expired");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_ends_within_its_mailbox_while_others_store() {
    let folder = Folder::new("storage-snapshot");
    let file = std::sync::Arc::new(SqliteStorage::open(&folder.0).await.unwrap());
    append(&*file, packet(1, "first")).await;
    let writer = std::sync::Arc::clone(&file);
    let writing = tokio::spawn(async move {
        for i in 0..400 {
            append(&*writer, packet(1, &format!("{i}"))).await;
        }
    });
    let mut after = MailCursor::default();
    while !writing.is_finished() {
        let page = file.read_mail(table(1), after).await.unwrap();
        let numbers: Vec<u32> = page.packets.iter().map(|packet| packet.number).collect();
        assert!(numbers.iter().copied().eq(after.number + 1..=after.number + numbers.len() as u32));
        let number = numbers.last().copied().unwrap_or(after.number);
        assert!(number <= page.last, "packet {number} of a mailbox that ends with {}", page.last);
        after = MailCursor { mailbox: page.mailbox, number };
    }
    writing.await.unwrap();
}

/// The clock is sometimes years ahead while packets are stored, and right when mail expires.
#[tokio::test]
async fn a_clock_that_was_ahead_loses_no_mail_and_expiry_works_again() {
    const DAY: u64 = 24 * 3600;
    const LIFETIME: u64 = 90 * DAY;
    let folder = Folder::new("storage-clock");
    let file = SqliteStorage::open(&folder.0).await.unwrap();
    for storage in [&MemoryStorage::default() as &dyn Storage, &file] {
        let numbers = &mut Numbers(5);
        let mut now = 1_800_000_000;
        let mut stored = [0; 8];
        for step in 0..300 {
            now += numbers.below(3 * DAY);
            let i = numbers.below(stored.len() as u64) as u8;
            let ahead = if numbers.below(10) == 0 { numbers.below(4_000) * DAY } else { 0 };
            let batch = vec![packet(i, &format!("{step}"))];
            storage.append_mail(batch, LIMITS, now + ahead).await.unwrap();
            stored[usize::from(i)] = now;
            storage.expire_mail(now - LIFETIME, now).await.unwrap();
            for (i, at) in stored.iter().enumerate().filter(|(_, at)| **at + LIFETIME >= now) {
                let page = storage.read_mail(table(i as u8), MailCursor::default()).await.unwrap();
                assert_ne!(page.last, 0, "step {step}: mailbox {i} of {at} is lost at {now}");
            }
        }
        // A clock that is not set says nothing about the dates of mail.
        let before = storage.mail_usage().await.unwrap();
        storage.expire_mail(0, 1_000).await.unwrap();
        storage.expire_mail(now - LIFETIME, now).await.unwrap();
        assert_eq!(storage.mail_usage().await.unwrap(), before);
        now += LIFETIME + pentarchy_storage::MAX_AHEAD + 1;
        storage.expire_mail(now - LIFETIME, now).await.unwrap();
        assert_eq!(storage.mail_usage().await.unwrap(), MailUsage::default(), "all mail has expired");
    }
}

#[tokio::test]
async fn pages_are_bounded() {
    let folder = Folder::new("storage-pages");
    let file = SqliteStorage::open(&folder.0).await.unwrap();
    let limits = MailLimits { table_bytes: 1 << 30, ..LIMITS };
    for storage in [&MemoryStorage::default() as &dyn Storage, &file] {
        let large: Vec<NewPacket> = (0..5).map(|i| packet(1, &format!("{i}").repeat(200 * 1024))).collect();
        storage.append_mail(large, limits, 0).await.unwrap();
        let page = storage.read_mail(table(1), MailCursor::default()).await.unwrap();
        assert_eq!((page.packets.len(), page.last), (2, 5), "the second one fills the page");
        let small = (0..150).map(|i| packet(2, &format!("{i}"))).collect();
        storage.append_mail(small, limits, 0).await.unwrap();
        let page = storage.read_mail(table(2), MailCursor::default()).await.unwrap();
        assert_eq!((page.packets.len(), page.last), (64, 150));
        assert_eq!(read_all(storage, table(2)).await.len(), 150);
    }
}

#[tokio::test]
async fn a_failed_write_stores_nothing_and_the_next_one_succeeds() {
    let folder = Folder::new("storage-full");
    let file = SqliteStorage::open(&folder.0).await.unwrap();
    append(&file, packet(1, "first")).await;
    file.limit_pages(20).await.unwrap();
    let many: Vec<NewPacket> = (0..40).map(|i| packet(1, &format!("{i}").repeat(4_000))).collect();
    let failed = file.append_mail(many.clone(), LIMITS, 0).await;
    assert!(matches!(failed, Err(StorageError::DiskFull(_))), "{failed:?}");
    assert_eq!(file.mail_usage().await.unwrap(), MailUsage { tables: 1, packets: 1, bytes: 5 });
    // The limit was one of the connection, which is not used again.
    let outcomes = file.append_mail(many, LIMITS, 0).await.unwrap();
    let numbers = outcomes.iter().map(|outcome| match outcome {
        AppendOutcome::Stored(at) => at.number,
        other => panic!("{other:?}"),
    });
    assert!(numbers.eq(2..42));
}

#[tokio::test]
async fn a_copy_of_the_file_is_a_backup() {
    let (folder, copy) = (Folder::new("storage-original"), Folder::new("storage-copy"));
    let file = SqliteStorage::open(&folder.0).await.unwrap();
    for i in 0..10 {
        append(&file, packet(1, &format!("{i}"))).await;
    }
    file.close().await.unwrap();
    let beside: Vec<_> = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(beside, [DATABASE_FILE], "everything is in one file after a stop");
    fs::create_dir_all(&copy.0).unwrap();
    fs::copy(folder.file(), copy.file()).unwrap();
    let restored = SqliteStorage::open(&copy.0).await.unwrap();
    assert_eq!(read_all(&restored, table(1)).await.len(), 10);
}

/// Opens a folder that must not open, and returns the error.
async fn open_error(folder: &Path) -> StorageError {
    SqliteStorage::open(folder).await.err().expect("it must not open")
}

#[tokio::test]
async fn what_cannot_be_used_is_named_in_one_line() {
    let folder = Folder::new("storage-errors");
    fs::create_dir_all(&folder.0).unwrap();
    // A file where the folder should be.
    fs::write(folder.0.join("taken"), b"").unwrap();
    let error = open_error(&folder.0.join("taken")).await;
    assert!(matches!(error, StorageError::NotWritable(_)), "{error:?}");
    // A folder where the file should be.
    fs::create_dir_all(folder.0.join("folder").join(DATABASE_FILE)).unwrap();
    let error = open_error(&folder.0.join("folder")).await;
    assert!(matches!(error, StorageError::NotWritable(_)), "{error:?}");
    // Not a database.
    fs::write(folder.file(), [7; 5_000]).unwrap();
    let error = open_error(&folder.0).await;
    assert!(matches!(error, StorageError::Damaged(_)), "{error:?}");
    assert!(!error.to_string().contains('\n') && error.to_string().contains(DATABASE_FILE), "{error}");
}

#[tokio::test]
async fn damaged_pages_are_reported() {
    let folder = Folder::new("storage-damaged");
    let file = SqliteStorage::open(&folder.0).await.unwrap();
    let many = (0..200).map(|i| packet(1, &format!("{i}").repeat(300))).collect();
    file.append_mail(many, LIMITS, 0).await.unwrap();
    file.close().await.unwrap();
    let mut bytes = fs::read(folder.file()).unwrap();
    // Keep the first page, which holds the header and the schema.
    bytes[4_096..].fill(0x55);
    fs::write(folder.file(), bytes).unwrap();
    let error = open_error(&folder.0).await;
    assert!(matches!(error, StorageError::Damaged(_)), "{error:?}");
}

#[tokio::test]
async fn a_newer_database_is_not_touched() {
    let folder = Folder::new("storage-newer");
    let file = SqliteStorage::open(&folder.0).await.unwrap();
    append(&file, packet(1, "kept")).await;
    file.pretend_newer().await.unwrap();
    file.close().await.unwrap();
    let before = fs::read(folder.file()).unwrap();
    let error = open_error(&folder.0).await;
    assert!(matches!(error, StorageError::NewerSchema(_)), "{error:?}");
    assert_eq!(fs::read(folder.file()).unwrap(), before);
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_without_the_right_to_write_is_reported() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new("storage-readonly");
    SqliteStorage::open(&folder.0).await.unwrap().close().await.unwrap();
    fs::set_permissions(folder.file(), fs::Permissions::from_mode(0o400)).unwrap();
    // The superuser may write everything.
    if fs::OpenOptions::new().append(true).open(folder.file()).is_err() {
        let error = open_error(&folder.0).await;
        assert!(matches!(error, StorageError::NotWritable(_)), "{error:?}");
    }
}

const CHILD: &str = "PENTARCHY_STORAGE_CHILD";

/// The program that is killed: stores batches of packets for ever, and writes the text of each packet to standard output
/// once it is acknowledged. Does nothing unless the test below has started it.
#[tokio::test]
async fn child_that_stores_until_it_is_killed() {
    let Some(folder) = std::env::var_os(CHILD) else { return };
    let file = SqliteStorage::open(Path::new(&folder)).await.unwrap();
    let life = std::process::id();
    for round in 0.. {
        let texts: Vec<String> = (0..1 + round % 7).map(|i| format!("{life}-{round}-{i}")).collect();
        let batch = texts.iter().enumerate().map(|(i, text)| packet((i % 3) as u8, text)).collect();
        let limits =
            MailLimits { table_packets: u32::MAX, table_bytes: u64::MAX >> 1, total_bytes: u64::MAX >> 1 };
        file.append_mail(batch, limits, 0).await.unwrap();
        let mut out = std::io::stdout().lock();
        for (i, text) in texts.iter().enumerate() {
            writeln!(out, "stored {} {text}", i % 3).unwrap();
        }
        out.flush().unwrap();
    }
}

#[tokio::test]
async fn a_killed_process_loses_nothing_that_it_acknowledged() {
    let folder = Folder::new("storage-killed");
    let mut acknowledged: [Vec<String>; 3] = Default::default();
    for life in 0..12u64 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "child_that_stores_until_it_is_killed", "--nocapture"])
            .env(CHILD, &folder.0)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut note = |line: String| {
            let mut words = line.split(' ');
            if let (Some("stored"), Some(i), Some(text)) = (words.next(), words.next(), words.next()) {
                acknowledged[i.parse::<usize>().unwrap()].push(text.to_owned());
            }
        };
        for line in lines.by_ref().take(20 + 37 * life as usize) {
            note(line.unwrap());
        }
        // SIGKILL, in the middle of whatever it does.
        child.kill().unwrap();
        child.wait().unwrap();
        // What it wrote before it died counts; the last line may be cut.
        let rest: Vec<String> = lines.map_while(Result::ok).collect();
        rest.into_iter().filter(|line| line.split('-').count() == 3).for_each(&mut note);
    }
    let file = SqliteStorage::open(&folder.0).await.unwrap();
    for (i, acknowledged) in acknowledged.iter().enumerate() {
        let stored = read_all(&file, table(i as u8)).await;
        assert!(stored.iter().map(|packet| packet.number).eq(1..=stored.len() as u32), "numbers");
        let texts: Vec<String> =
            stored.into_iter().map(|packet| String::from_utf8(packet.sealed).unwrap()).collect();
        let mut unique = texts.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), texts.len(), "none twice");
        let mut rest = texts.iter();
        for text in acknowledged {
            assert!(rest.any(|stored| stored == text), "{text} is lost or out of order");
        }
        assert!(acknowledged.len() > 300, "{}", acknowledged.len());
    }
}
