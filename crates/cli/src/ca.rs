//! `--ca FILE`: an additional certificate authority.

use crate::command_error::{CommandError, Outcome};
use pentarchy_net::Dialer;
use std::path::PathBuf;

/// The certificate authorities that are trusted for https:// servers.
#[derive(clap::Args)]
pub(crate) struct CaArg {
    /// Trust the certificate authority in this PEM file in addition to those of the system
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
}

impl CaArg {
    /// Returns the dialer for connections to servers. It trusts the authorities of the system, and with
    /// `--ca` those of the file in addition.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, holds no certificate, or a certificate cannot be used as an
    /// authority.
    pub(crate) fn dialer(&self) -> Outcome<Dialer> {
        let Some(path) = &self.ca else { return Ok(Dialer::default()) };
        let pem = std::fs::read(path).map_err(|error| CommandError::file("read", path, error))?;
        Dialer::with_authorities(&pem).map_err(|error| CommandError::file("use", path, error))
    }
}
