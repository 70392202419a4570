//! SQLite: nothing acknowledged is lost, and errors are clear.

use crate::common::{Folder, LIMITS, append, open, packet, read_all, table};
use crate::suite;
use pentarchy_storage::{
    AppendOutcome, DATABASE_FILE, MailLimits, MailUsage, NewPacket, SqlStorage, Storage, StorageError,
};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

#[tokio::test]
async fn a_file_gives_the_same_results_as_memory() {
    let folders = [0; 4].map(|_| Folder::new("storage-model"));
    suite::gives_the_same_results_as_memory(4, async |seed| open(&folders[seed as usize]).await).await;
}

#[tokio::test]
async fn pages_are_bounded() {
    let folder = Folder::new("storage-pages");
    suite::pages_are_bounded(&open(&folder).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_ends_within_its_mailbox_while_others_store() {
    let folder = Folder::new("storage-snapshot");
    suite::pages_end_within_their_mailbox_while_others_store(open(&folder).await).await;
}

#[tokio::test]
async fn a_clock_that_was_ahead_loses_no_mail_and_expiry_works_again() {
    let folder = Folder::new("storage-clock");
    suite::a_clock_that_was_ahead_does_no_harm(&open(&folder).await).await;
}

#[tokio::test]
async fn open_tables_and_rooms_are_kept() {
    let folder = Folder::new("storage-processes");
    let file = open(&folder).await;
    suite::open_tables_are_shared(&file, &file).await;
    suite::room_openings_are_ordered(&file, &file).await;
}

#[tokio::test]
async fn a_failed_write_stores_nothing_and_the_next_one_succeeds() {
    let folder = Folder::new("storage-full");
    let file = open(&folder).await;
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
    let file = open(&folder).await;
    for i in 0..10 {
        append(&file, packet(1, &format!("{i}"))).await;
    }
    file.close().await.unwrap();
    let beside: Vec<_> = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(beside, [DATABASE_FILE], "everything is in one file after a stop");
    fs::create_dir_all(&copy.0).unwrap();
    fs::copy(folder.file(), copy.file()).unwrap();
    let restored = open(&copy).await;
    assert_eq!(read_all(&restored, table(1)).await.len(), 10);
}

/// Opens a folder that must not open, and returns the error.
async fn open_error(folder: &Path) -> StorageError {
    SqlStorage::open_folder(folder).await.err().expect("it must not open")
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
    let file = open(&folder).await;
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
    let file = open(&folder).await;
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
    open(&folder).await.close().await.unwrap();
    fs::set_permissions(folder.file(), fs::Permissions::from_mode(0o400)).unwrap();
    // The superuser may write everything.
    if fs::OpenOptions::new().append(true).open(folder.file()).is_err() {
        let error = open_error(&folder.0).await;
        assert!(matches!(error, StorageError::NotWritable(_)), "{error:?}");
    }
}

const CHILD: &str = "PENTARCHY_STORAGE_CHILD";

/// The program that is killed: stores batches of packets without end, and writes the text of each packet to standard output
/// once it is acknowledged. Does nothing unless the test below has started it.
#[tokio::test]
async fn child_that_stores_until_it_is_killed() {
    let Some(folder) = std::env::var_os(CHILD) else { return };
    let file = SqlStorage::open_folder(Path::new(&folder)).await.unwrap();
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
            .args(["--exact", "sqlite::child_that_stores_until_it_is_killed", "--nocapture"])
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
    let file = open(&folder).await;
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
