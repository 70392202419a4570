//! `pentarchy identity`: your identity at online tables.

mod keyring;

pub(crate) use keyring::{IdentityArg, Keyring};

use crate::command_error::{CommandError, Outcome};
use crate::online::random_bytes;
use crate::style::{DIM, TITLE, paint};
use data_encoding::HEXLOWER;
use pentarchy_identity::{Crest, IdentityFile, IdentityFileError, IdentityKey, key_fingerprint, short_name};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Show, export, import or replace your identity: the key by which others recognise you
///
/// It is created when you first host or join a table, and kept in a file that only you can read. Others see its public
/// half as a short name of three words; the fingerprint is the proof. Tables use fresh keys, which the identity signs.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pentarchy identity
  pentarchy identity export me.identity --passphrase
  pentarchy identity import me.identity
  pentarchy identity new --force              start over; the old one is kept as a backup
  pentarchy join LINK --identity guest.identity   play under another identity, created if need be")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Option<Action>,

    #[command(flatten)]
    identity: IdentityArg,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Print the short name, the fingerprint and the public key
    Show {
        /// Write the picture of the identity to this file, as SVG
        #[arg(long, value_name = "FILE")]
        picture: Option<PathBuf>,
    },
    /// Write the identity to a file, to move it to another device
    Export {
        /// The file
        file: PathBuf,

        /// Encrypt it with a passphrase that is asked for
        #[arg(long, conflicts_with = "passphrase_file")]
        passphrase: bool,

        /// Encrypt it with the passphrase in the first line of this file
        #[arg(long, value_name = "FILE")]
        passphrase_file: Option<PathBuf>,

        /// Overwrite the file
        #[arg(long)]
        force: bool,
    },
    /// Use the identity in a file that was exported
    Import {
        /// The file
        file: PathBuf,

        /// Take the passphrase from the first line of this file, instead of asking for it
        #[arg(long, value_name = "FILE")]
        passphrase_file: Option<PathBuf>,

        /// Replace the identity that is there; it is kept as a backup
        #[arg(long)]
        force: bool,
    },
    /// Create a new identity
    New {
        /// Replace the identity that is there; it is kept as a backup
        #[arg(long)]
        force: bool,
    },
}

/// Runs `pentarchy identity`: shows, exports, imports or replaces the identity of this device. Without a subcommand
/// it shows it.
///
/// # Errors
///
/// Fails if there is no identity where one is needed, if one exists and `--force` is not given, if a file
/// cannot be read or written, or if a passphrase is wrong or cannot be asked for.
pub(crate) fn run(args: &Args) -> Outcome {
    let keyring = args.identity.keyring();
    match &args.action {
        None => print_identity(&keyring, None),
        Some(Action::Show { picture }) => print_identity(&keyring, picture.as_deref()),
        Some(Action::Export { file, passphrase, passphrase_file, force }) => {
            let key = keyring.load()?.ok_or_else(|| no_identity_error(&keyring))?;
            let passphrase = match (passphrase_file, passphrase) {
                (Some(file), _) => Some(first_line(file)?),
                (None, true) => Some(new_passphrase()?),
                (None, false) => None,
            };
            export(&key, file, passphrase.as_deref().map(String::as_str), *force)
        }
        Some(Action::Import { file, passphrase_file, force }) => {
            let text = keyring::read(file)?
                .ok_or_else(|| CommandError::file("read", file, "there is no such file"))?;
            let passphrase = passphrase_file.as_deref().map(first_line).transpose()?;
            let key = parse_identity(file, &text, passphrase)?;
            replace(&keyring, &key, *force, "Imported")
        }
        Some(Action::New { force }) => {
            replace(&keyring, &IdentityKey::from_bytes(random_bytes()?), *force, "Created")
        }
    }
}

/// Creates the usage error that there is no identity in the file of `keyring` yet, with a hint how to create one.
/// Whether the file exists is not checked.
fn no_identity_error(keyring: &Keyring) -> CommandError {
    CommandError::usage(format_args!("there is no identity in {} yet", keyring.path().display()))
        .hint("`pentarchy identity new` creates one, and so does the first table you host or join")
}

/// Prints short name, fingerprint, public key in hexadecimal digits, picture in words and file of the identity in
/// `keyring`, and writes the picture to the file `picture` as SVG if given. Needs no passphrase. The picture replaces
/// an existing file.
///
/// # Errors
///
/// Fails if there is no identity, its file cannot be read or does not hold one, or the picture cannot be written.
fn print_identity(keyring: &Keyring, picture: Option<&Path>) -> Outcome {
    let public = keyring.public()?.ok_or_else(|| no_identity_error(keyring))?;
    let crest = Crest::of(&public);
    anstream::println!("{}", paint(TITLE, short_name(&public)));
    anstream::println!("fingerprint  {}", key_fingerprint(&public));
    anstream::println!("public key   {}", HEXLOWER.encode(&public));
    anstream::println!("picture      {}", crest.description());
    anstream::println!("{}", paint(DIM, format_args!("kept in      {}", keyring.path().display())));
    if let Some(file) = picture {
        std::fs::write(file, crest.to_svg("crest")).map_err(|e| CommandError::file("write", file, e))?;
    }
    Ok(())
}

/// Writes the identity `key` to a file, encrypted if there is a passphrase, and prints that. With `force`,
/// deletes an existing file first.
///
/// # Errors
///
/// Fails if the file exists and `force` is not set, if it cannot be written, or if the passphrase is empty.
/// With `force`, the old file may be lost then.
fn export(key: &IdentityKey, file: &Path, passphrase: Option<&str>, force: bool) -> Outcome {
    let exported = match passphrase {
        Some(passphrase) => {
            IdentityFile::encrypted(key, passphrase, random_bytes()?).map_err(CommandError::usage)?
        }
        None => IdentityFile::plain(key),
    };
    if force {
        match std::fs::remove_file(file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(CommandError::file("overwrite", file, error));
            }
            _ => {}
        }
    }
    if !keyring::create(file, &exported.to_text())? {
        return Err(
            CommandError::file("write", file, "it exists already").hint("give --force to overwrite it")
        );
    }
    let how = if exported.is_encrypted() { "encrypted" } else { "not encrypted: keep it secret" };
    anstream::println!("Exported {} to {}, {how}.", short_name(&key.public()), file.display());
    Ok(())
}

/// Stores the identity `key` unencrypted in `keyring`; with `force` an existing one is renamed to a backup first.
/// Prints where both are. `done` is the verb of the message, e.g. `Created`.
///
/// # Errors
///
/// Fails if there is one and `force` is not set, or if the backup or the file cannot be written. If only the file
/// cannot be written, the backup is left without it.
fn replace(keyring: &Keyring, key: &IdentityKey, force: bool, done: &str) -> Outcome {
    let backup = keyring.store(key, force)?;
    let name = short_name(&key.public());
    anstream::println!("{done} {name}, kept in {}.", keyring.path().display());
    if let Some(backup) = backup {
        anstream::println!("The identity that was there is now in {}.", backup.display());
    }
    Ok(())
}

/// Parses the identity in a text that was read from `file`. Asks for the passphrase of an encrypted one on the terminal
/// if none is given. A passphrase for a file that is not encrypted is ignored.
///
/// # Errors
///
/// Fails if the text is not an identity, the passphrase is wrong, or there is no terminal to ask for it.
fn parse_identity(file: &Path, text: &str, passphrase: Option<Zeroizing<String>>) -> Outcome<IdentityKey> {
    let unusable = |error: IdentityFileError| CommandError::file("use", file, error);
    let parsed = IdentityFile::parse(text).map_err(unusable)?;
    let passphrase = match passphrase {
        None if parsed.is_encrypted() => {
            Some(read_passphrase(&format!("Passphrase of {}: ", short_name(parsed.public())))?)
        }
        given => given,
    };
    parsed.open(passphrase.as_deref().map(String::as_str)).map_err(unusable)
}

/// Prints the prompt and reads a passphrase from the terminal, without echo. It may be empty. It is wiped from memory
/// when it is dropped.
///
/// # Errors
///
/// Fails if there is no terminal or it cannot be read; the hint names `--passphrase-file`.
fn read_passphrase(prompt: &str) -> Outcome<Zeroizing<String>> {
    let asked = rpassword::prompt_password(prompt).map(Zeroizing::new);
    asked.map_err(|error| {
        CommandError::usage(format_args!("cannot ask for a passphrase: {error}"))
            .hint("without a terminal, give --passphrase-file")
    })
}

/// Asks twice for a new passphrase on the terminal, without echo, and returns it. It may be empty. It is wiped from
/// memory when it is dropped.
///
/// # Errors
///
/// Fails if the two differ, or if there is no terminal.
fn new_passphrase() -> Outcome<Zeroizing<String>> {
    let first = read_passphrase("New passphrase: ")?;
    if *read_passphrase("The same again: ")? != *first {
        return Err(CommandError::usage("the two passphrases are different; nothing was written"));
    }
    Ok(first)
}

/// Reads a file and returns the passphrase in its first line, without the line break but with its spaces; empty if the
/// file or the line is. Texts are wiped from memory when they are dropped.
///
/// # Errors
///
/// Fails if the file cannot be read as UTF-8 text.
fn first_line(file: &Path) -> Outcome<Zeroizing<String>> {
    let text = std::fs::read_to_string(file).map(Zeroizing::new);
    let text = text.map_err(|e| CommandError::file("read the passphrase in", file, e))?;
    Ok(Zeroizing::new(text.lines().next().unwrap_or_default().to_owned()))
}
