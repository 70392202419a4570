//! The suite that every kind of storage passes.

use crate::common::{LIMITS, Numbers, append, packet, read_all, table};
use pentarchy_net::MailCursor;
use pentarchy_storage::{
    AppendOutcome, MAX_AHEAD, MailLimits, MailUsage, MemoryStorage, NewPacket, SqlStorage, Storage,
};
use std::sync::Arc;

/// Runs random operations on a database and on storage in memory, and compares all results. `open` opens the database of
/// a seed, again and again.
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

/// Checks the size of pages.
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

/// Reads pages while another task stores packets: no packet of a page follows the end that the page names.
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

/// The clock is sometimes years ahead while packets are stored, and right when mail expires: no mail is lost, and expiry
/// works again.
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
