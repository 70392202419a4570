//! Connections to servers: TCP, and TLS for `https://` and `wss://` addresses.

use super::public::is_public;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{CertificateError, ClientConfig, RootCertStore};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, OnceLock};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_tungstenite::tungstenite::http::Uri;

/// Opens connections to servers. The certificate of an `https://` server must be signed by an authority that the operating
/// system trusts, or by one of [`Dialer::with_authorities`].
#[derive(Clone, Default)]
pub struct Dialer {
    authorities: Vec<CertificateDer<'static>>,
    /// Created for the first `https://` address: it reads the certificates of the system.
    tls: OnceLock<TlsConnector>,
    /// Whether only public addresses are connected.
    is_public_only: bool,
}

/// A connection to a server.
pub(super) trait Connection: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Connection for T {}

/// Why a server cannot be reached.
#[derive(Debug, thiserror::Error)]
pub enum DialError {
    /// The address is invalid.
    #[error("`{0}` is not the address of a server: it must start with http:// or https:// and a host")]
    Address(String),
    /// The connection failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The name of the server stands for an address that is not public.
    #[error("{host} has the address {address}, which is not public")]
    NotPublic {
        /// The host of the address.
        host: String,
        /// The address that was refused.
        address: IpAddr,
    },
    /// The server did not answer in time.
    #[error("the server does not answer")]
    Timeout,
    /// The PEM text contains no certificate.
    #[error("there is no certificate in PEM form (`-----BEGIN CERTIFICATE-----`)")]
    NoCertificate,
    /// A certificate cannot be used as an authority, or the TLS configuration is invalid.
    #[error("TLS cannot be set up: {0}")]
    Setup(rustls::Error),
    /// The certificate of the server was rejected.
    #[error("the certificate of {host} is not accepted: {why}")]
    Certificate {
        /// The host of the address.
        host: String,
        /// The reason, for people.
        why: String,
    },
    /// TLS failed for another reason.
    #[error("TLS with {host} failed: {error}")]
    Tls {
        /// The host of the address.
        host: String,
        /// The cause.
        error: rustls::Error,
    },
    /// The response cannot be used: it is not HTTP, or asks the client to retry later.
    #[error("{0}")]
    Answer(String),
}

impl DialError {
    /// Returns whether the certificate of the server was rejected. A retry would fail, too.
    pub fn is_certificate(&self) -> bool {
        matches!(self, Self::Certificate { .. })
    }

    /// Converts an error of the TLS handshake with `host`: to `Certificate` with a reason for people if the
    /// certificate was rejected, `Tls` for another error of TLS, and `Io` for all others.
    fn from_tls(host: &str, error: io::Error) -> Self {
        match error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
            Some(rustls::Error::InvalidCertificate(error)) => {
                Self::Certificate { host: host.to_owned(), why: certificate_text(error) }
            }
            Some(error) => Self::Tls { host: host.to_owned(), error: error.clone() },
            None => Self::Io(error),
        }
    }
}

/// Describes for people why a certificate was rejected, and what to do where that helps; in the words of the
/// TLS library if the reason is none of the usual ones.
fn certificate_text(error: &CertificateError) -> String {
    match error {
        CertificateError::NotValidForName => "it is for another name".into(),
        CertificateError::NotValidForNameContext { presented, .. } => {
            format!("it is for another name ({})", presented.join(", "))
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "it has expired".into(),
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "it is not valid yet. Is the clock of this machine right?".into()
        }
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            "no authority that this machine trusts has signed it. If you trust the one that did, name its \
             certificate with --ca FILE"
                .into()
        }
        other => other.to_string(),
    }
}

/// The target of a connection.
struct Target {
    /// Without the brackets of an IPv6 address.
    host: String,
    port: u16,
    is_secure: bool,
}

impl Target {
    /// Parses host, port and security from a URI; `None` if its scheme is not `http`, `https`, `ws` or `wss`,
    /// or it has no host. Without a port it is 443 or 80.
    fn new(uri: &Uri) -> Option<Self> {
        let is_secure = match uri.scheme_str()? {
            "http" | "ws" => false,
            "https" | "wss" => true,
            _ => return None,
        };
        let host = uri.host()?;
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let port = uri.port_u16().unwrap_or(if is_secure { 443 } else { 80 });
        (!host.is_empty()).then(|| Self { host: host.to_owned(), port, is_secure })
    }
}

impl Dialer {
    /// Creates a dialer that trusts the authorities in a PEM text in addition to those of the system, which
    /// it reads.
    ///
    /// # Errors
    ///
    /// Fails with `NoCertificate` if the text contains no certificate or is damaged as PEM, and with `Setup`
    /// if the content of a certificate is damaged or it cannot be used as an authority.
    pub fn with_authorities(pem: &[u8]) -> Result<Self, DialError> {
        let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
        let authorities = read.ok().filter(|list| !list.is_empty()).ok_or(DialError::NoCertificate)?;
        let dialer = Self { authorities, ..Self::default() };
        dialer.connector()?;
        Ok(dialer)
    }

    /// Returns the dialer changed so that it connects to public addresses only. A name is resolved once, all
    /// its addresses are checked, and one of exactly these is connected, so a name that changes its address
    /// meanwhile gains nothing.
    #[must_use]
    pub fn public_only(self) -> Self {
        Self { is_public_only: true, ..self }
    }

    /// Opens a TCP connection to a server: to the first of its addresses that accepts it. It has no timeout
    /// of its own.
    ///
    /// # Errors
    ///
    /// Fails with `NotPublic`, before anything is connected, if only public addresses are allowed and one of
    /// the server's is not, and with `Io` if the name cannot be resolved or no address accepts the
    /// connection.
    async fn connect(&self, target: &Target) -> Result<TcpStream, DialError> {
        let resolved = tokio::net::lookup_host((target.host.as_str(), target.port)).await?;
        let addresses: Vec<SocketAddr> = resolved.collect();
        if self.is_public_only
            && let Some(private) = addresses.iter().find(|address| !is_public(address.ip()))
        {
            return Err(DialError::NotPublic { host: target.host.clone(), address: private.ip() });
        }
        Ok(TcpStream::connect(&addresses[..]).await?)
    }

    /// Returns the TLS connector with the system's and the additional certificate authorities; creates it at
    /// the first call and keeps it.
    ///
    /// # Errors
    ///
    /// Fails with `Setup` if an additional authority is invalid or TLS cannot be configured.
    fn connector(&self) -> Result<TlsConnector, DialError> {
        if let Some(connector) = self.tls.get() {
            return Ok(connector.clone());
        }
        let mut roots = RootCertStore::empty();
        // Some systems have certificates that cannot be parsed; skip them.
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        for authority in &self.authorities {
            roots.add(authority.clone()).map_err(DialError::Setup)?;
        }
        let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(DialError::Setup)?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(self.tls.get_or_init(|| TlsConnector::from(Arc::new(config))).clone())
    }

    /// Opens a TCP connection to the server of an address, with TLS for `https` and `wss`. It has no timeout
    /// of its own. The first TLS connection of a dialer reads the certificates of the system.
    ///
    /// # Errors
    ///
    /// Fails with `Address` if the address has another scheme, no host, or a host that TLS cannot verify,
    /// `NotPublic` if the server's address is not allowed, `Io` if the connection fails, `Setup` if TLS
    /// cannot be configured, and `Certificate` or `Tls` if the TLS handshake fails.
    pub(super) async fn dial(&self, uri: &Uri) -> Result<Box<dyn Connection>, DialError> {
        let target = Target::new(uri).ok_or_else(|| DialError::Address(uri.to_string()))?;
        let stream = self.connect(&target).await?;
        stream.set_nodelay(true).ok();
        if !target.is_secure {
            return Ok(Box::new(stream));
        }
        let name = ServerName::try_from(target.host.clone());
        let name = name.map_err(|_| DialError::Address(uri.to_string()))?;
        let opened = self.connector()?.connect(name, stream).await;
        let stream = opened.map_err(|error| DialError::from_tls(&target.host, error))?;
        Ok(Box::new(stream))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parsed() {
        let read = |text: &str| {
            let target = Target::new(&text.parse().unwrap())?;
            Some((target.host, target.port, target.is_secure))
        };
        for (text, host, port, is_secure) in [
            ("http://a", "a", 80, false),
            ("https://a.example/b/c", "a.example", 443, true),
            ("ws://a:1/relay/x", "a", 1, false),
            ("wss://[::1]:7878/relay/x", "::1", 7878, true),
            ("https://127.0.0.1", "127.0.0.1", 443, true),
        ] {
            assert_eq!(read(text), Some((host.to_owned(), port, is_secure)), "{text}");
        }
        for text in ["/path", "ftp://a", "a:80"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn texts_without_certificates_are_rejected() {
        let damaged = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        assert!(matches!(Dialer::with_authorities(b"nothing"), Err(DialError::NoCertificate)));
        assert!(matches!(Dialer::with_authorities(damaged.as_bytes()), Err(DialError::Setup(_))));
    }
}
