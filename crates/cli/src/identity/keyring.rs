//! The file with the identity of this device.

use super::parse_identity;
use crate::command_error::{CommandError, Outcome};
use crate::online::random_bytes;
use pentarchy_identity::{IdentityFile, IdentityKey};
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use zeroize::Zeroizing;

/// Environment variable that names the file for all commands.
const VARIABLE: &str = "PENTARCHY_IDENTITY";

/// The argument that names the identity file.
#[derive(clap::Args)]
pub(crate) struct IdentityArg {
    /// The file of your identity; it is created if it does not exist [default: PENTARCHY_IDENTITY, or a file in your
    /// configuration folder]
    #[arg(long, value_name = "FILE", global = true)]
    identity: Option<PathBuf>,
}

impl IdentityArg {
    /// Returns the file of the identity: the argument, else `PENTARCHY_IDENTITY`, else `pentarchy/identity`
    /// in `XDG_CONFIG_HOME`, in `.config` of `HOME`, or in `APPDATA`, whichever variable is set first and
    /// not empty (the working folder if none is). It need not exist; nothing is read.
    pub(crate) fn keyring(&self) -> Keyring {
        let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let config = || of("XDG_CONFIG_HOME").or_else(|| of("HOME").map(|home| home.join(".config")));
        let config = || config().or_else(|| of("APPDATA")).unwrap_or_default();
        let path = self.identity.clone().or_else(|| of(VARIABLE));
        Keyring { path: path.unwrap_or_else(|| config().join("pentarchy").join("identity")) }
    }
}

/// The file of an identity. It has the format of an export, so an exported file can be used directly.
pub(crate) struct Keyring {
    /// The path of the file, which need not exist.
    path: PathBuf,
}

impl Keyring {
    /// Returns the path of the file of the identity, which need not exist.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Loads the identity; `None` if the file does not exist. Asks for the passphrase of an encrypted one on the
    /// terminal and waits for it. Does not change the file.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or does not hold an identity, if the passphrase is wrong, or if there is no
    /// terminal to ask for it.
    pub(crate) fn load(&self) -> Outcome<Option<IdentityKey>> {
        let Some(text) = read(&self.path)? else { return Ok(None) };
        let opened = parse_identity(&self.path, &text, None);
        opened.map(Some).map_err(|failure| {
            failure.hint(
                "`pentarchy identity import FILE --force` or `new --force` replaces it and keeps a backup",
            )
        })
    }

    /// Returns the public key of the identity as its file states it; `None` if the file does not exist. Does not need
    /// the passphrase: the key of an encrypted file is not compared with its secret.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or does not hold an identity.
    pub(crate) fn public(&self) -> Outcome<Option<[u8; 32]>> {
        let Some(text) = read(&self.path)? else { return Ok(None) };
        let parsed = IdentityFile::parse(&text).map_err(|e| CommandError::file("use", &self.path, e))?;
        Ok(Some(*parsed.public()))
    }

    /// Loads the identity, and creates and stores an unencrypted one if there is none. May ask for its
    /// passphrase on the terminal. If another program creates one at the same time, that one is returned.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or created, does not hold an identity, its passphrase is wrong or
    /// cannot be asked for, or the system gives no random numbers.
    pub(crate) fn load_or_create(&self) -> Outcome<IdentityKey> {
        if let Some(key) = self.load()? {
            return Ok(key);
        }
        let key = IdentityKey::from_bytes(random_bytes()?);
        if create(&self.path, &IdentityFile::plain(&key).to_text())? {
            return Ok(key);
        }
        // Another program has created one in between.
        self.load()?.ok_or_else(|| CommandError::file("read", &self.path, "it no longer exists"))
    }

    /// Stores an identity unencrypted, readable by its owner only; creates the folder. With `force`, an
    /// existing one is first renamed to a backup, whose path is returned; `None` if there was none. If
    /// writing then fails, only the backup is left.
    ///
    /// # Errors
    ///
    /// Fails if there is one and `force` is not set, or if the backup or the file cannot be written.
    pub(crate) fn store(&self, key: &IdentityKey, force: bool) -> Outcome<Option<PathBuf>> {
        let backup = if force { self.back_up()? } else { None };
        if !create(&self.path, &IdentityFile::plain(key).to_text())? {
            let there = format!("there is an identity in {} already", self.path.display());
            return Err(CommandError::usage(there).hint("--force replaces it and keeps a backup"));
        }
        Ok(backup)
    }

    /// Renames the existing file to `NAME.backup-SECONDS` in its folder, where the seconds are those since 1970 (`-1`,
    /// `-2`, … follow if that exists), and returns that path; `None` if there is no file.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be renamed, or if there are a thousand backups of this second.
    fn back_up(&self) -> Outcome<Option<PathBuf>> {
        if !self.path.exists() {
            return Ok(None);
        }
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        for n in 0..1_000u32 {
            let mut name: OsString = self.path.file_name().unwrap_or_default().to_owned();
            name.push(if n == 0 { format!(".backup-{now}") } else { format!(".backup-{now}-{n}") });
            let backup = self.path.with_file_name(name);
            if !backup.exists() {
                fs::rename(&self.path, &backup).map_err(|e| CommandError::file("back up", &self.path, e))?;
                return Ok(Some(backup));
            }
        }
        Err(CommandError::file("back up", &self.path, "there are a thousand backups of this second"))
    }
}

/// Reads a file that is expected to hold a secret; its bytes and text are wiped from memory when they are dropped.
/// `None` if the file does not exist. Invalid UTF-8 is replaced.
///
/// # Errors
///
/// Fails if it cannot be read.
pub(super) fn read(path: &Path) -> Outcome<Option<Zeroizing<String>>> {
    match fs::read(path).map(Zeroizing::new) {
        Ok(bytes) => Ok(Some(Zeroizing::new(String::from_utf8_lossy(&bytes).into_owned()))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(CommandError::file("read", path, error)),
    }
}

/// Creates a file that only its owner can read, with the complete text, and its folder. Returns `false` and changes
/// nothing if the file exists. No reader sees a partial file, where the file system has hard links. Elsewhere the file
/// is written in place.
///
/// # Errors
///
/// Fails if the folder or the file cannot be written.
pub(super) fn create(path: &Path, text: &str) -> Outcome<bool> {
    let failed = |error| CommandError::file("write", path, error);
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut part: OsString = path.file_name().unwrap_or_default().to_owned();
    part.push(format!(".part-{}", std::process::id()));
    let part = path.with_file_name(part);
    fs::remove_file(&part).ok();
    // A hard link, not a rename: it fails if the file exists, and no reader sees a partial file.
    let linked = write_new(&part, text).and_then(|()| fs::hard_link(&part, path));
    fs::remove_file(&part).ok();
    let created = match linked {
        // Not every file system has links.
        Err(error) if error.kind() != ErrorKind::AlreadyExists => write_new(path, text),
        other => other,
    };
    match created {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(failed(error)),
    }
}

/// Writes a file that must not exist, readable by its owner only, and syncs it to the disk.
///
/// # Errors
///
/// Fails if the file exists or cannot be written; a partial file is removed.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    if written.is_err() {
        fs::remove_file(path).ok();
    }
    written
}
