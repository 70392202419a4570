//! The suite that every kind of storage passes.

use crate::common::{LIMITS, Numbers, append, packet, read_all, table};
use pentarchy_net::MailCursor;
use pentarchy_storage::{
    AppendOutcome, MAX_AHEAD, MailLimits, MailUsage, MemoryStorage, NewPacket, OpenTableRow, PutOutcome,
    SqlStorage, Storage,
};
use std::sync::Arc;

/// Runs random operations of each seed below `seeds` on a database and on storage in memory, and asserts that all
/// results are equal. `open` opens the database of a seed, again and again.
pub(crate) async fn gives_the_same_results_as_memory(seeds: u64, open: impl AsyncFn(u64) -> SqlStorage) {
    let limits = MailLimits { table_bytes: 40_000, table_packets: 90, total_bytes: 90_000 };
    for seed in 0..seeds {
        let memory = MemoryStorage::default();
        let mut file = open(seed).await;
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
                    file = open(seed).await;
                }
                // The clock goes back now and then.
                _ => now = now + numbers.below(200) - numbers.below(100),
            }
            assert_eq!(file.mail_usage().await.unwrap(), memory.mail_usage().await.unwrap());
        }
        assert_eq!(seen, [true; 4], "seed {seed}: stored, duplicate, full, expired");
    }
}

/// Asserts that pages end at their limits of bytes and packets, in memory and in this empty database.
pub(crate) async fn pages_are_bounded(database: &SqlStorage) {
    let limits = MailLimits { table_bytes: 1 << 30, ..LIMITS };
    for storage in [&MemoryStorage::default() as &dyn Storage, database] {
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

/// Reads pages while another task stores packets, and asserts that no packet of a page follows the end that the page
/// names.
pub(crate) async fn pages_end_within_their_mailbox_while_others_store(database: SqlStorage) {
    let database = Arc::new(database);
    append(&*database, packet(1, "first")).await;
    let writer = Arc::clone(&database);
    let writing = tokio::spawn(async move {
        for i in 0..400 {
            append(&*writer, packet(1, &format!("{i}"))).await;
        }
    });
    let mut after = MailCursor::default();
    while !writing.is_finished() {
        let page = database.read_mail(table(1), after).await.unwrap();
        let numbers: Vec<u32> = page.packets.iter().map(|packet| packet.number).collect();
        assert!(numbers.iter().copied().eq(after.number + 1..=after.number + numbers.len() as u32));
        let number = numbers.last().copied().unwrap_or(after.number);
        assert!(number <= page.last, "packet {number} of a mailbox that ends with {}", page.last);
        after = MailCursor { mailbox: page.mailbox, number };
    }
    writing.await.unwrap();
}

/// Stores packets while the clock is sometimes years ahead, and lets mail expire while it is right. Asserts, in memory
/// and in this empty database, that no mail is lost early and that expiry works again.
pub(crate) async fn a_clock_that_was_ahead_does_no_harm(database: &SqlStorage) {
    const DAY: u64 = 24 * 3600;
    const LIFETIME: u64 = 90 * DAY;
    for storage in [&MemoryStorage::default() as &dyn Storage, database] {
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
        now += LIFETIME + MAX_AHEAD + 1;
        storage.expire_mail(now - LIFETIME, now).await.unwrap();
        assert_eq!(storage.mail_usage().await.unwrap(), MailUsage::default(), "all mail has expired");
    }
}

/// Asserts that the list of open tables is bounded, renewed, ordered and forgotten, and that both storages, which may be
/// the same, see one list.
pub(crate) async fn open_tables_are_shared(first: &SqlStorage, second: &SqlStorage) {
    let entry = |i: u8, source: u64, listed: u64| OpenTableRow {
        table: table(i),
        source,
        game: if i.is_multiple_of(2) { "kuhn" } else { "leduc" }.into(),
        listing: format!("entry {i} of {listed}"),
        members: 1,
        listed,
        expires: listed + 10,
    };
    let put = async |storage: &SqlStorage, entry: OpenTableRow| {
        let now = entry.listed;
        storage.put_open_table(entry, 3, 2, now).await.unwrap()
    };
    let large = u64::MAX - 1;
    assert_eq!(put(first, entry(0, large, 100)).await, PutOutcome::New);
    assert_eq!(put(second, entry(1, large, 101)).await, PutOutcome::New);
    assert_eq!(put(first, entry(2, large, 101)).await, PutOutcome::TooMany);
    assert_eq!(put(first, entry(2, 2, 102)).await, PutOutcome::New);
    assert_eq!(put(second, entry(3, 3, 102)).await, PutOutcome::Full);
    let renewed = OpenTableRow { members: 5, ..entry(0, large, 105) };
    assert_eq!(put(second, renewed.clone()).await, PutOutcome::Renewed);
    let kept = OpenTableRow { listed: 100, ..renewed };
    assert_eq!(first.open_table(table(0), 114).await.unwrap(), Some(kept.clone()));
    assert_eq!(first.open_table(table(0), 115).await.unwrap(), None);
    assert_eq!(first.open_table(table(9), 105).await.unwrap(), None);
    let listed = async |game: Option<&str>, limit, now| {
        let rows = second.open_tables(game.map(str::to_owned), limit, now).await.unwrap();
        rows.iter().map(|row| row.listed).collect::<Vec<_>>()
    };
    assert_eq!(listed(None, 9, 105).await, [102, 101, 100]);
    assert_eq!(listed(Some("kuhn"), 9, 105).await, [102, 100]);
    assert_eq!(listed(None, 1, 105).await, [102]);
    assert_eq!(listed(None, 9, 111).await, [102, 100]);
    assert_eq!(first.sweep_open_tables(111).await.unwrap(), 2);
    assert!(second.remove_open_table(table(0), 114).await.unwrap());
    assert!(!first.remove_open_table(table(0), 114).await.unwrap());
    assert!(!first.remove_open_table(table(2), 112).await.unwrap(), "it has expired");
    // The clock was ahead, and is set back. One of the hosts is still there and renews its entry.
    for i in 0..2 {
        put(first, entry(i, i.into(), 9_000)).await;
    }
    assert_eq!(put(first, entry(0, 0, 200)).await, PutOutcome::Renewed);
    assert_eq!(second.open_tables(None, 9, 200).await.unwrap(), [entry(0, 0, 200)]);
}

/// Asserts that openings of rooms are read by both storages in one order, with numbers that grow.
pub(crate) async fn room_openings_are_ordered(first: &SqlStorage, second: &SqlStorage) {
    let start = first.last_room_opening().await.unwrap();
    first.open_rooms(u64::MAX, vec![table(1), table(2)]).await.unwrap();
    second.open_rooms(7, vec![table(1)]).await.unwrap();
    let openings = first.room_openings(start).await.unwrap();
    assert_eq!(openings, second.room_openings(start).await.unwrap());
    let seen: Vec<_> = openings.iter().map(|opening| (opening.table, opening.process)).collect();
    assert_eq!(seen, [(table(1), u64::MAX), (table(2), u64::MAX), (table(1), 7)]);
    assert!(openings.iter().map(|opening| opening.number).eq(start + 1..start + 4));
    assert_eq!(second.last_room_opening().await.unwrap(), start + 3);
    assert!(first.room_openings(start + 3).await.unwrap().is_empty());
}
