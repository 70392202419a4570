//! What all tests of storage share.

use pentarchy_net::{InviteKey, MailCursor, OwnerSecret, TableId};
use pentarchy_storage::{
    AppendOutcome, DATABASE_FILE, MailLimits, NewPacket, SqlStorage, Storage, StoredPacket,
};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

pub(crate) const LIMITS: MailLimits =
    MailLimits { table_bytes: 1 << 20, table_packets: 1_000, total_bytes: 1 << 30 };

/// A folder that is removed when it is dropped.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    /// Returns the path of a temporary folder that does not exist yet. What is there when this is dropped is deleted.
    pub(crate) fn new(name: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let unique = format!("pentarchy-{name}-{}-{}", std::process::id(), COUNT.fetch_add(1, Relaxed));
        Self(std::env::temp_dir().join(unique))
    }

    /// Returns the path of the SQLite database in this folder.
    pub(crate) fn file(&self) -> PathBuf {
        self.0.join(DATABASE_FILE)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// Returns the name of table `i`.
pub(crate) fn table(i: u8) -> TableId {
    OwnerSecret::new([i; 32]).proof(&InviteKey([i; 16])).table()
}

/// Returns a packet of table `i` with this text.
pub(crate) fn packet(i: u8, text: &str) -> NewPacket {
    NewPacket { table: table(i), sealed: text.as_bytes().to_vec(), new_mailbox: u64::MAX - u64::from(i) }
}

/// Stores one packet at the time 1,000 within [`LIMITS`], and returns the outcome. Panics if the storage fails.
pub(crate) async fn append(storage: &dyn Storage, packet: NewPacket) -> AppendOutcome {
    storage.append_mail(vec![packet], LIMITS, 1_000).await.unwrap()[0]
}

/// Reads the whole mailbox of a table in pages and returns its packets. Asserts that the last number is their count.
pub(crate) async fn read_all(storage: &dyn Storage, table: TableId) -> Vec<StoredPacket> {
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
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// Returns the next pseudorandom number below `n`, which must not be 0.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// Opens the SQLite database of a folder, which is created if needed. Panics if it cannot be opened.
pub(crate) async fn open(folder: &Folder) -> SqlStorage {
    SqlStorage::open_folder(&folder.0).await.unwrap()
}
