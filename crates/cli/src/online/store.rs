//! A table on disk: the player's secrets, and every message of the match, so that a crash loses nothing.
//!
//! The file is a line of JSON and then the records of a [`journal`]. It holds the secrets of a seat: only its owner
//! may read it.

use crate::command_error::{CommandError, Outcome};
use pentarchy_lobby::{SecretBytes, journal};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// A stored table without the match. It holds secrets, so it has neither `Debug` nor `Clone`.
#[derive(Serialize, Deserialize)]
pub(crate) struct Kept {
    /// The invitation link.
    pub(crate) link: String,
    /// The player's name at the table.
    pub(crate) name: String,
    /// Secret key of the identity that took the seat. The match continues with it even if the identity of the
    /// device changes.
    pub(crate) identity: SecretBytes,
    /// Seed of the keys for this match.
    pub(crate) seed: SecretBytes,
    /// For the host: name of the game, number of seats and all options (a JSON object). `None` for a guest.
    pub(crate) hosted: Option<(String, u8, serde_json::Value)>,
    /// For the host: what happens when a player leaves for good, in the words of `--recovery`; by default the match
    /// ends.
    #[serde(default)]
    pub(crate) recovery: Option<String>,
    /// For the host: the secret that proves to the server who owns the table, for its list of open tables.
    pub(crate) owner: Option<String>,
    /// For a host that runs its own server: the address at which it listens.
    pub(crate) serves: Option<SocketAddr>,
    /// Version of the journal that follows. Older programs wrote none.
    #[serde(default)]
    pub(crate) journal: u8,
}

/// The current version of the journal.
pub(crate) const JOURNAL: u8 = 2;

/// A seat that was opened or created.
pub(crate) struct OpenSeat {
    /// Its file, for what follows.
    pub(crate) store: Store,
    /// The stored table.
    pub(crate) kept: Kept,
    /// The items of the journal in order; empty if the file is new.
    pub(crate) journal: Vec<Vec<u8>>,
}

/// The file of a table, locked while this program uses it.
pub(crate) struct Store {
    /// Its path, for errors and to delete it.
    path: PathBuf,
    /// The open file, with the cursor at its end.
    file: File,
    /// Number of items in the journal of the file.
    items: u32,
    /// Number of items that are known to be on the disk.
    durable: u32,
    /// Whether something was written since the last sync.
    dirty: bool,
}

/// The function that locks a file without waiting: [`File::try_lock`], or another one in tests.
type Lock = fn(&File) -> Result<(), TryLockError>;

/// A file of a seat that this program has locked.
struct LockedFile {
    path: PathBuf,
    file: File,
    /// Its content.
    bytes: Vec<u8>,
}

impl LockedFile {
    /// Opens a file for reading and writing, locks it with `lock` without waiting, and reads it. With `create` a file
    /// that does not exist is created, readable by its owner only. Returns `None` if another program has locked it, or
    /// if it does not exist and `create` is not set. The lock lasts until the file is dropped.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be opened or read, or if the file system has no locks. A new file may be left behind
    /// empty.
    fn open(path: PathBuf, create: bool, lock: Lock) -> Outcome<Option<Self>> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(create).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = match options.open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound && !create => return Ok(None),
            Err(error) => return Err(unable(&path, error)),
        };
        match lock(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            // Without a lock two programs could play one seat, and contradict each other.
            Err(TryLockError::Error(error)) => {
                return Err(CommandError::file("lock", &path, error)
                    .hint("give a folder on another file system with --data"));
            }
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|error| unable(&path, error))?;
        Ok(Some(Self { path, file, bytes }))
    }

    /// Returns whether the file has a complete first line. It is written before anything else: a file that has
    /// one holds the secrets of a seat.
    fn has_seat(&self) -> bool {
        self.bytes.contains(&b'\n')
    }

    /// Resumes the seat in this file: parses its first line and the items of its journal. An item that a crash cut
    /// short is removed from the file, and the rest is synced to the disk. Returns `None`, without a change, if the
    /// file has no complete first line or is of another player than `name`.
    ///
    /// # Errors
    ///
    /// Fails if the file is damaged or of another version (it is then unchanged), or cannot be written.
    fn resume(self, name: &str) -> Outcome<Option<OpenSeat>> {
        if !self.has_seat() {
            return Ok(None);
        }
        let shown = self.path.display();
        let Some((kept, start)) = parse_first_line(&self.bytes) else {
            let why = format_args!("{shown} cannot be read by this version; nothing was changed");
            let hint = "use the version that wrote it, or move the file away";
            return Err(CommandError::usage(why).hint(hint));
        };
        if kept.name != name {
            return Ok(None);
        }
        if kept.journal != JOURNAL {
            let why = format_args!("`{shown}` was written by another version of this program");
            let hint = "finish the game with that version, or remove the file";
            return Err(CommandError::usage(why).hint(hint));
        }
        let found = journal::recover(&self.bytes[start..])
            .map_err(|error| CommandError::usage(format_args!("`{shown}` cannot be used: {error}")))?;
        let (journal, good) = (found.items, start + found.valid_bytes);
        let items = journal.len() as u32;
        let mut store = Store { path: self.path, file: self.file, items, durable: items, dirty: false };
        // Overwrite an item that a crash cut short.
        store.file.set_len(good as u64).map_err(|error| unable(&store.path, error))?;
        store.file.seek(SeekFrom::End(0)).map_err(|error| unable(&store.path, error))?;
        // Later records state that these items are durable.
        store.file.sync_data().map_err(|error| unable(&store.path, error))?;
        Ok(Some(OpenSeat { store, kept, journal }))
    }

    /// Stores a new seat with an empty journal in this file, in place of its content, and waits until it is on the
    /// disk. Returns the open seat, which keeps the lock.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    fn create(self, kept: Kept) -> Outcome<OpenSeat> {
        let mut store = Store { path: self.path, file: self.file, items: 0, durable: 0, dirty: false };
        store.file.set_len(0).map_err(|error| unable(&store.path, error))?;
        store.file.rewind().map_err(|error| unable(&store.path, error))?;
        let mut head = serde_json::to_vec(&kept).map_err(|error| unable(&store.path, error.into()))?;
        head.push(b'\n');
        store.write(&head)?;
        store.sync()?;
        Ok(OpenSeat { store, kept, journal: Vec::new() })
    }
}

/// Creates the usage error `cannot store the match in PATH: ERROR` for a file or folder. Nothing is printed.
fn unable(path: &Path, error: std::io::Error) -> CommandError {
    CommandError::file("store the match in", path, error)
}

/// Returns whether a file holds the seat of another player than `name`. `false` if it does not exist, cannot be read,
/// or has no valid first line. The file is not locked: whose seat it is never changes.
fn is_of_another(path: &Path, name: &str) -> bool {
    let bytes = fs::read(path).unwrap_or_default();
    parse_first_line(&bytes).is_some_and(|(kept, _)| kept.name != name)
}

impl Store {
    /// Opens the file of the seat `name` at a table in `folder`, or creates it with what `new` returns, and locks it
    /// until the store is dropped. In the name of the file, `_` stands for every character of `name` that is no letter
    /// or digit, and a number from 1 to 99 follows: players whose file names would be equal have different numbers, and
    /// so have several programs that play as one name. A file without a complete first line counts as new. An item that
    /// a crash cut short is dropped. Resumes the seat of the lowest number that is not in use; only if there is none,
    /// creates one with the lowest free number. Creates the folder.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, locked or written, is damaged or of another version (it is then unchanged), if
    /// `new` fails, or if all 99 files are in use.
    pub(crate) fn open(
        folder: &Path,
        table: &str,
        name: &str,
        new: impl FnOnce() -> Outcome<Kept>,
    ) -> Outcome<OpenSeat> {
        Self::open_with(folder, table, name, File::try_lock, new)
    }

    /// Opens the file of the seat `name` at a table in `folder`, or creates it with what `new` returns, and locks it
    /// with `lock` until the store is dropped; tests replace [`File::try_lock`]. Resumes the seat of the lowest number
    /// from 1 to 99 that is not in use; only if there is none, calls `new` and creates a seat with the lowest free
    /// number. Files of other players whose file names would be equal are passed over. Creates the folder.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, locked or written, is damaged or of another version (it is then unchanged), if
    /// `new` fails, or if all 99 files are in use.
    fn open_with(
        folder: &Path,
        table: &str,
        name: &str,
        lock: Lock,
        new: impl FnOnce() -> Outcome<Kept>,
    ) -> Outcome<OpenSeat> {
        fs::create_dir_all(folder).map_err(|error| unable(folder, error))?;
        let plain: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let path = |n: u32| folder.join(format!("{table}-{plain}-{n}.seat"));
        // A seat that exists is resumed even if a lower number is free.
        for path in (1..100).map(path).filter(|path| !is_of_another(path, name)) {
            if let Some(file) = LockedFile::open(path, false, lock)?
                && let Some(seat) = file.resume(name)?
            {
                return Ok(seat);
            }
        }
        for path in (1..100).map(path) {
            if let Some(file) = LockedFile::open(path, true, lock)?
                && !file.has_seat()
            {
                return file.create(new()?);
            }
        }
        Err(CommandError::usage("99 programs on this machine have a seat at this table already")
            .hint("give another --name"))
    }

    /// Appends an item to the journal in the file, with the number of items before it that are on the disk. The item
    /// itself is on the disk only after the next [`sync`](Self::sync).
    ///
    /// # Errors
    ///
    /// Fails, and writes nothing, if the item is too long for the journal. Fails if the file cannot be written. The
    /// store must not be used any more then; [`open`](Self::open) drops an incomplete item.
    pub(crate) fn append(&mut self, item: &[u8]) -> Outcome {
        let record = journal::record(self.items, self.durable, item)
            .map_err(|error| CommandError::file("store the match in", &self.path, error))?;
        self.items += 1;
        self.write(&record)
    }

    /// Appends bytes to the file as they are, without a sync, and notes that the next [`sync`](Self::sync) has to write
    /// to the disk.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    fn write(&mut self, bytes: &[u8]) -> Outcome {
        self.dirty = true;
        self.file.write_all(bytes).map_err(|error| unable(&self.path, error))
    }

    /// Waits until everything that was written to the file is on the disk; returns at once if nothing was written since
    /// the last call. Call it before a message is sent that depends on a stored item.
    ///
    /// # Errors
    ///
    /// Fails if the system reports an error. The store must not be used any more then: a second call would not report
    /// it again.
    pub(crate) fn sync(&mut self) -> Outcome {
        if std::mem::take(&mut self.dirty) {
            self.file.sync_data().map_err(|error| unable(&self.path, error))?;
            self.durable = self.items;
        }
        Ok(())
    }

    /// Deletes the file of the table and frees its lock; errors are ignored. The seat cannot be resumed afterwards.
    pub(crate) fn forget(self) {
        fs::remove_file(&self.path).ok();
    }
}

/// Parses the first line of a file. Returns the stored table and the index at which the journal begins;
/// `None` if there is no complete line or it is malformed.
fn parse_first_line(bytes: &[u8]) -> Option<(Kept, usize)> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    Some((serde_json::from_slice(&bytes[..end]).ok()?, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the stored table of a guest called Ada, with fixed secrets and the current version of the journal.
    fn kept() -> Kept {
        Kept {
            link: "http://x/t/y#z".into(),
            name: "Ada".into(),
            identity: SecretBytes::new([1; 32]),
            seed: SecretBytes::new([2; 32]),
            hosted: None,
            recovery: None,
            owner: None,
            serves: None,
            journal: JOURNAL,
        }
    }

    #[test]
    fn what_cannot_be_read_is_an_error_and_is_not_overwritten() {
        let folder = std::env::temp_dir().join(format!("pentarchy-unreadable-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("table-Ada-1.seat");
        let open = || Store::open(&folder, "table", "Ada", || Ok(kept())).map(|_| ());
        let later = b"{\"version\":9,\"secrets\":\"of a seat\"}\nlog";
        fs::write(&path, later).unwrap();
        assert!(open().is_err());
        assert_eq!(fs::read(&path).unwrap(), later);
        // The first line was cut short by a crash: nothing was ever sent.
        fs::write(&path, &later[..10]).unwrap();
        assert!(open().is_ok());
        fs::remove_file(&path).unwrap();
        fs::remove_dir(&folder).unwrap();
    }

    #[test]
    fn a_file_system_without_locks_is_an_error_and_not_a_hundred_files() {
        let folder = std::env::temp_dir().join(format!("pentarchy-lockless-{}", std::process::id()));
        let without = |_: &File| Err(TryLockError::Error(std::io::ErrorKind::Unsupported.into()));
        let opened = Store::open_with(&folder, "table", "Ada", without, || Ok(kept()));
        let error = opened.map(|_| ()).unwrap_err();
        assert!(format!("{error:?}").contains("lock"), "{error:?}");
        assert!(fs::read_dir(&folder).unwrap().count() <= 1);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn names_that_differ_in_punctuation_or_case_have_seats_of_their_own() {
        let folder = std::env::temp_dir().join(format!("pentarchy-names-{}", std::process::id()));
        let names = ["Ada.L", "Ada-L", "Ada L", "AdaL", "Ada_L", "adaL"];
        let open = |name: &str, is_new: bool| {
            let opened = Store::open(&folder, "table", name, || {
                assert!(is_new, "`{name}` has a seat already");
                Ok(Kept { name: name.into(), ..kept() })
            });
            opened.unwrap_or_else(|failure| panic!("{failure:?}"))
        };
        for name in names {
            assert_eq!(open(name, true).kept.name, name);
        }
        for name in names.iter().rev() {
            assert_eq!(open(name, false).kept.name, *name);
        }
        // A seat is found also after one with a lower number has ended.
        open("Ada.L", false).store.forget();
        assert_eq!(open("Ada-L", false).kept.name, "Ada-L");
        // Files are still named as in version 1.
        assert!(folder.join("table-Ada_L-2.seat").is_file());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_was_kept_is_found_again_and_a_cut_tail_is_left_out() {
        let folder = std::env::temp_dir().join(format!("pentarchy-store-{}", std::process::id()));
        let open = |new: bool| {
            let made = Store::open(&folder, "table", "Ada Lovelace", || {
                assert!(new, "it is there already");
                Ok(Kept { name: "Ada Lovelace".into(), ..kept() })
            });
            made.unwrap_or_else(|failure| panic!("{failure:?}"))
        };
        let OpenSeat { mut store, journal: items, .. } = open(true);
        assert!(items.is_empty());
        for item in [&b"one"[..], b"", b"three"] {
            store.append(item).unwrap();
        }
        // A file system may have allocated more than it wrote.
        store.write(&[0; 200]).unwrap();
        drop(store);
        let OpenSeat { mut store, kept: again, journal: items } = open(false);
        assert_eq!((*again.identity, items.len()), ([1; 32], 3));
        store.append(b"four").unwrap();
        // Another player at the same table uses another file.
        let other = open(true).store;
        drop(store);
        let OpenSeat { store, journal: items, .. } = open(false);
        assert_eq!(items, [b"one".to_vec(), vec![], b"three".to_vec(), b"four".to_vec()]);
        store.forget();
        other.forget();
        // A damaged item that was synced before others is not skipped: the file is rejected.
        let mut store = open(true).store;
        for item in [&b"first"[..], b"second"] {
            store.append(item).unwrap();
            store.sync().unwrap();
        }
        let path = store.path.clone();
        drop(store);
        let mut bytes = fs::read(&path).unwrap();
        let at = bytes.windows(5).position(|part| part == b"first").unwrap();
        bytes[at] ^= 1;
        fs::write(&path, &bytes).unwrap();
        assert!(Store::open(&folder, "table", "Ada Lovelace", || Ok(kept())).is_err());
        fs::remove_file(&path).unwrap();
        fs::remove_dir(&folder).unwrap();
    }
}
