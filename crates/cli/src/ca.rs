//! `--ca FILE`: an authority whose certificates are trusted beside those of the system.

use crate::failure::{Failure, Outcome};
use pentarchy_net::Dialer;
use std::path::PathBuf;

/// Which certificates of https:// servers are trusted.
#[derive(clap::Args)]
pub(crate) struct CaArg {
    /// Trust the certificate authority in this PEM file, beside those of the system
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
}

impl CaArg {
    /// What opens connections to servers.
    pub(crate) fn dialer(&self) -> Outcome<Dialer> {
        let Some(path) = &self.ca else { return Ok(Dialer::default()) };
        let pem = std::fs::read(path).map_err(|error| Failure::file("read", path, error))?;
        Dialer::with_authorities(&pem).map_err(|error| Failure::file("use", path, error))
    }
}
