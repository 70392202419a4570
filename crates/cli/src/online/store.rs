//! A table on disk: who one is there, and every message of the game, so that a crash loses nothing.
//!
//! The file is a line of JSON and then items, each a length (four bytes, little-endian) and so many bytes. It holds the
//! secrets of a seat: nobody but its owner may read it.

use crate::failure::{Failure, Outcome};
use pentarchy_net::SecretBytes;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// What is kept of a table besides the game. It holds secrets, so it is neither printed nor cloned.
#[derive(Serialize, Deserialize)]
pub(crate) struct Kept {
    /// The invitation.
    pub(crate) link: String,
    /// The name at the table.
    pub(crate) name: String,
    /// The secret of the identity that sat down. A game goes on with it, whatever the identity of the device is later.
    pub(crate) identity: SecretBytes,
    /// What the keys of the game are made from.
    pub(crate) seed: SecretBytes,
    /// For the host: game, seats and options.
    pub(crate) hosted: Option<(String, u8, serde_json::Value)>,
    /// For the host: what happens when a seat is gone for good; by default the game ends.
    #[serde(default)]
    pub(crate) recovery: Option<String>,
    /// For the host: the secret by which the server knows the owner of the table.
    pub(crate) owner: Option<String>,
    /// For a host that serves by itself: where it listens.
    pub(crate) serves: Option<SocketAddr>,
}

/// The file of a table, locked while this program uses it.
pub(crate) struct Store {
    path: PathBuf,
    file: File,
    dirty: bool,
}

impl Store {
    /// Opens the file of a table: what was kept and persisted, or what `new` gives. A table that another program on this
    /// machine sits at under the same name is left to it, and a file of another name is taken.
    pub(crate) fn open(
        folder: &Path,
        table: &str,
        name: &str,
        new: impl FnOnce() -> Outcome<Kept>,
    ) -> Outcome<(Self, Kept, Vec<Vec<u8>>)> {
        let unable = |path: &Path, error: std::io::Error| Failure::file("keep the game in", path, error);
        fs::create_dir_all(folder).map_err(|error| unable(folder, error))?;
        let plain: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        for n in 1..100 {
            let path = folder.join(format!("{table}-{plain}-{n}.seat"));
            let mut options = OpenOptions::new();
            options.read(true).write(true).create(true).truncate(false);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let mut file = options.open(&path).map_err(|error| unable(&path, error))?;
            if file.try_lock().is_err() {
                continue;
            }
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(|error| unable(&path, error))?;
            let mut store = Self { path, file, dirty: false };
            if let Some((kept, items, good)) = read(&bytes) {
                // What a crash cut short is overwritten.
                store.file.set_len(good as u64).map_err(|error| unable(&store.path, error))?;
                std::io::Seek::seek(&mut store.file, std::io::SeekFrom::End(0))
                    .map_err(|error| unable(&store.path, error))?;
                return Ok((store, kept, items));
            }
            // The first line is written whole before anything else: a file that has one holds the secrets of a seat.
            if bytes.contains(&b'\n') {
                let path = store.path.display();
                return Err(Failure::usage(format_args!(
                    "{path} cannot be read by this version; nothing was changed"
                ))
                .hint("use the version that wrote it, or move the file away"));
            }
            let kept = new()?;
            store.file.set_len(0).map_err(|error| unable(&store.path, error))?;
            std::io::Seek::rewind(&mut store.file).map_err(|error| unable(&store.path, error))?;
            let mut head = serde_json::to_vec(&kept).map_err(|error| unable(&store.path, error.into()))?;
            head.push(b'\n');
            store.write(&head)?;
            store.sync()?;
            return Ok((store, kept, Vec::new()));
        }
        Err(Failure::usage("a hundred programs on this machine sit at this table")
            .hint("give another --name"))
    }

    /// Appends an item.
    pub(crate) fn append(&mut self, item: &[u8]) -> Outcome {
        let mut bytes = (item.len() as u32).to_le_bytes().to_vec();
        bytes.extend_from_slice(item);
        self.write(&bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> Outcome {
        self.dirty = true;
        self.file.write_all(bytes).map_err(|error| Failure::file("keep the game in", &self.path, error))
    }

    /// Makes sure that everything is on the disk.
    pub(crate) fn sync(&mut self) -> Outcome {
        if std::mem::take(&mut self.dirty) {
            self.file.sync_data().map_err(|error| Failure::file("keep the game in", &self.path, error))?;
        }
        Ok(())
    }

    /// Forgets the table.
    pub(crate) fn forget(self) {
        fs::remove_file(&self.path).ok();
    }
}

/// What a file holds, and how much of it is whole.
fn read(bytes: &[u8]) -> Option<(Kept, Vec<Vec<u8>>, usize)> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let kept = serde_json::from_slice(&bytes[..end]).ok()?;
    let (mut items, mut at) = (Vec::new(), end + 1);
    while let Some((len, rest)) = bytes[at..].split_first_chunk::<4>() {
        let Some(item) = rest.get(..u32::from_le_bytes(*len) as usize) else { break };
        items.push(item.to_vec());
        at += 4 + item.len();
    }
    Some((kept, items, at))
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn what_was_kept_is_found_again_and_a_cut_tail_is_left_out() {
        let folder = std::env::temp_dir().join(format!("pentarchy-store-{}", std::process::id()));
        let open = |new: bool| {
            let made = Store::open(&folder, "table", "Ada Lovelace", || {
                assert!(new, "it is there already");
                Ok(kept())
            });
            made.unwrap_or_else(|failure| panic!("{failure:?}"))
        };
        let (mut store, _, items) = open(true);
        assert!(items.is_empty());
        for item in [&b"one"[..], b"", b"three"] {
            store.append(item).unwrap();
        }
        store.write(&[9, 0, 0, 0, b'c', b'u', b't']).unwrap();
        drop(store);
        let (mut store, again, items) = open(false);
        assert_eq!((*again.identity, items.len()), ([1; 32], 3));
        store.append(b"four").unwrap();
        // Somebody else at the same table takes another file.
        let (other, _, _) = open(true);
        drop(store);
        let (store, _, items) = open(false);
        assert_eq!(items, [b"one".to_vec(), vec![], b"three".to_vec(), b"four".to_vec()]);
        store.forget();
        other.forget();
        fs::remove_dir(&folder).unwrap();
    }
}
