//! The file in which the identity of this device is kept.

use super::parse_identity;
use crate::command_error::{CommandError, Outcome};
use crate::online::fresh;
use pentarchy_identity::{IdentityFile, IdentityKey};
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use zeroize::Zeroizing;

/// Names the file, for all commands of a user.
const VARIABLE: &str = "PENTARCHY_IDENTITY";

/// Which identity is used.
#[derive(clap::Args)]
pub(crate) struct IdentityArg {
    /// The file of your identity; it is created if it does not exist [default: PENTARCHY_IDENTITY, or a file in your
    /// configuration folder]
    #[arg(long, value_name = "FILE", global = true)]
    identity: Option<PathBuf>,
}

impl IdentityArg {
    /// The file that is meant.
    pub(crate) fn keyring(&self) -> Keyring {
        let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let config = || of("XDG_CONFIG_HOME").or_else(|| of("HOME").map(|home| home.join(".config")));
        let config = || config().or_else(|| of("APPDATA")).unwrap_or_default();
        let path = self.identity.clone().or_else(|| of(VARIABLE));
        Keyring { path: path.unwrap_or_else(|| config().join("pentarchy").join("identity")) }
    }
}

/// The file of an identity. Its text is what is exported, so a file that was exported can be used as it is.
pub(crate) struct Keyring {
    path: PathBuf,
}

impl Keyring {
    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The identity, if there is one. An encrypted one asks for its passphrase.
    ///
    /// # Errors
    /// The file cannot be read, or holds no identity. It is left as it is.
    pub(crate) fn load(&self) -> Outcome<Option<IdentityKey>> {
        let Some(text) = read(&self.path)? else { return Ok(None) };
        let opened = parse_identity(&self.path, &text, None);
        opened.map(Some).map_err(|failure| {
            failure.hint(
                "`pentarchy identity import FILE --force` or `new --force` replaces it and keeps a backup",
            )
        })
    }

    /// The public key, if there is an identity; no passphrase is asked for.
    ///
    /// # Errors
    /// The file cannot be read, or holds no identity.
    pub(crate) fn public(&self) -> Outcome<Option<[u8; 32]>> {
        let Some(text) = read(&self.path)? else { return Ok(None) };
        let parsed = IdentityFile::parse(&text).map_err(|e| CommandError::file("use", &self.path, e))?;
        Ok(Some(*parsed.public()))
    }

    /// The identity; a new one if there is none.
    ///
    /// # Errors
    /// The file cannot be read or created, or holds no identity.
    pub(crate) fn load_or_create(&self) -> Outcome<IdentityKey> {
        if let Some(key) = self.load()? {
            return Ok(key);
        }
        let key = IdentityKey::from_bytes(fresh()?);
        if create(&self.path, &IdentityFile::plain(&key).to_text())? {
            return Ok(key);
        }
        // Another program has created one in the meantime.
        self.load()?.ok_or_else(|| CommandError::file("read", &self.path, "it has vanished"))
    }

    /// Stores an identity. With `force` the one that is there is kept as a backup, whose path is returned.
    ///
    /// # Errors
    /// There is one already, or the file cannot be written.
    pub(crate) fn store(&self, key: &IdentityKey, force: bool) -> Outcome<Option<PathBuf>> {
        let backup = if force { self.back_up()? } else { None };
        if !create(&self.path, &IdentityFile::plain(key).to_text())? {
            let there = format!("there is an identity in {} already", self.path.display());
            return Err(CommandError::usage(there).hint("--force replaces it and keeps a backup"));
        }
        Ok(backup)
    }

    /// Moves the file that is there out of the way.
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

/// The text of a file; nothing if there is no such file.
pub(super) fn read(path: &Path) -> Outcome<Option<Zeroizing<String>>> {
    match fs::read(path).map(Zeroizing::new) {
        Ok(bytes) => Ok(Some(Zeroizing::new(String::from_utf8_lossy(&bytes).into_owned()))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(CommandError::file("read", path, error)),
    }
}

/// Creates a file that only its owner can read, with all of the text or not at all; false if it exists already.
pub(super) fn create(path: &Path, text: &str) -> Outcome<bool> {
    let failed = |error| CommandError::file("write", path, error);
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut part: OsString = path.file_name().unwrap_or_default().to_owned();
    part.push(format!(".part-{}", std::process::id()));
    let part = path.with_file_name(part);
    fs::remove_file(&part).ok();
    // A link, not a move: it fails if the file exists, and nobody sees half a file.
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

/// Writes a file that must not exist, for its owner alone.
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
