//! `host`, `join` and `verify-page` with servers behind a TLS proxy, as docs/deploy.md recommends.

use crate::common::{Said, arg, folder, run};
use crate::online::{ask, text};
use crate::running::Running;
use pentarchy_server::{BackgroundServer, PageFiles, ServerConfig};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

/// A certificate authority that only these tests know.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

impl Authority {
    /// Creates an authority with a fresh key and a self-signed certificate.
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        Self { issuer: Issuer::new(params, key), pem }
    }

    /// Writes the certificate of the authority to `ca.pem` in a folder, and returns its path.
    fn file(&self, folder: &Path) -> PathBuf {
        let path = folder.join("ca.pem");
        std::fs::write(&path, &self.pem).unwrap();
        path
    }

    /// Starts a TLS proxy before a server, with a certificate of this authority for `name` that expires at the end of
    /// `year`.
    fn proxy(&self, name: &str, year: i32, server: SocketAddr) -> Proxy {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        params.not_before = date_time_ymd(2000, 1, 1);
        params.not_after = date_time_ymd(year, 12, 31);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        Proxy::start(certificate.der().clone(), PrivatePkcs8KeyDer::from(key.serialize_der()).into(), server)
    }
}

/// A TLS proxy on loopback; it stops when it is dropped.
struct Proxy {
    url: String,
    _runtime: tokio::runtime::Runtime,
}

impl Proxy {
    /// Starts a TLS proxy with this certificate at a free port of loopback that forwards all connections to the server
    /// at `to`. It ends when it is dropped.
    fn start(certificate: CertificateDer<'static>, key: PrivateKeyDer<'static>, to: SocketAddr) -> Self {
        let config = rustls::ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key)
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let url = format!("https://localhost:{}", listener.local_addr().unwrap().port());
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                tokio::spawn(async move {
                    // A client that refuses the certificate ends here.
                    let mut client = acceptor.accept(stream).await?;
                    let mut server = TcpStream::connect(to).await?;
                    copy_bidirectional(&mut client, &mut server).await
                });
            }
        });
        Self { url, _runtime: runtime }
    }
}

/// Starts a server at a free port of loopback. It stops when it is dropped.
fn server() -> BackgroundServer {
    BackgroundServer::start(ServerConfig { port: 0, ..ServerConfig::default() }).unwrap()
}

#[test]
fn a_host_and_a_guest_play_through_a_tls_proxy() {
    let folder = folder("tls-game");
    let (authority, server) = (Authority::new(), server());
    let proxy = authority.proxy("localhost", 2999, server.address());
    let (ca, data, record) = (text(&authority.file(&folder)), text(&folder), text(&folder.join("ada.rec")));
    let common = ["--bot", "random", "--data", &data, "--ca", &ca];
    let host = ["host", "kuhn", "--server", &proxy.url, "--name", "Ada", "--listed", "--record", &record];
    let mut host = Running::start(&[&host[..], &common].concat());
    let link = host.until("/t/");
    assert!(link.starts_with("https://localhost:"), "{link}");
    host.until("1 of 2 seats");
    // The entry in the list of open tables went through the proxy, too.
    let port = server.address().port().to_string();
    let begin = std::time::Instant::now();
    while !ask(&port, "/api/tables").contains("\"kuhn\"") {
        assert!(begin.elapsed() < crate::running::PATIENCE, "the table is not listed");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let mut guest = Running::start(&[&["join", &link, "--name", "Bob"][..], &common].concat());
    for peer in [&mut guest, &mut host] {
        peer.until("fingerprint");
        peer.until("The game is over.");
        assert_eq!(peer.end(), Some(0), "{}", peer.said);
    }
    assert_eq!(Running::start(&["verify", &record]).end(), Some(0));
}

/// Returns what `join`, `host` and `verify-page` say about the server behind a proxy, each with its name. `ca` are
/// further arguments, `page` is the page to compare with.
fn refusals(proxy: &Proxy, page: &Path, data: &str, ca: &[&str]) -> Vec<(&'static str, Said)> {
    let link = link(&proxy.url);
    let all = |args: &[&str]| run(&[args, ca].concat());
    vec![
        ("join", all(&["join", &link, "--bot", "random", "--data", data])),
        ("host", all(&["host", "kuhn", "--bot", "random", "--server", &proxy.url, "--data", data])),
        ("verify-page", all(&["verify-page", &proxy.url, "--page", arg(page)])),
    ]
}

/// Returns a link to some table at a server.
fn link(server: &str) -> String {
    use pentarchy_net::{HostTag, Invite, InviteKey, OwnerSecret};
    let (owner, key) = (OwnerSecret::new([1; 32]).tag(), InviteKey([2; 16]));
    Invite { server: server.to_owned(), owner, key, host: HostTag::of(&[3; 32]) }.to_string()
}

#[test]
fn certificates_that_are_not_accepted_are_explained() {
    let folder = folder("tls-refused");
    let (authority, stranger, server) = (Authority::new(), Authority::new(), server());
    let (ca, data) = (text(&authority.file(&folder)), text(&folder));
    let ca = ["--ca", ca.as_str()];
    let cases = [
        ("other.example", 2999, &authority, &ca[..], "it is for another name (DnsName(\"other.example\"))"),
        ("localhost", 2020, &authority, &ca[..], "it has expired"),
        ("localhost", 2999, &stranger, &ca[..], "no authority that this machine trusts has signed it"),
        ("localhost", 2999, &authority, &[], "no authority that this machine trusts has signed it"),
    ];
    std::fs::write(folder.join("index.html"), "<!doctype html>").unwrap();
    for (name, year, signer, ca, why) in cases {
        let proxy = signer.proxy(name, year, server.address());
        for (command, said) in refusals(&proxy, &folder, &data, ca) {
            assert_eq!(said.code, 2, "{command}: {}{}", said.out, said.err);
            let words = format!("the certificate of localhost is not accepted: {why}");
            assert!(said.err.contains(&words), "{command}, {words}: {}", said.err);
        }
    }
}

#[test]
fn a_self_signed_certificate_can_be_named_as_its_own_authority() {
    let folder = folder("tls-self-signed");
    std::fs::write(folder.join("index.html"), "<!doctype html>").unwrap();
    let config =
        ServerConfig { port: 0, page: PageFiles::from_folder(&folder).unwrap(), ..ServerConfig::default() };
    let server = BackgroundServer::start(config).unwrap();
    let key = KeyPair::generate().unwrap();
    let certificate =
        CertificateParams::new(vec!["localhost".to_owned()]).unwrap().self_signed(&key).unwrap();
    // Beside the folder, for the file is not part of the page.
    let ca = folder.with_extension("pem");
    std::fs::write(&ca, certificate.pem()).unwrap();
    let key = PrivatePkcs8KeyDer::from(key.serialize_der()).into();
    let proxy = Proxy::start(certificate.der().clone(), key, server.address());
    let said = run(&["verify-page", &proxy.url, "--page", arg(&folder), "--ca", arg(&ca)]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
}

#[test]
fn files_that_are_no_authority_are_refused() {
    let folder = folder("tls-no-ca");
    let (missing, wrong) = (folder.join("missing.pem"), folder.join("wrong.pem"));
    std::fs::write(&wrong, "not a certificate").unwrap();
    std::fs::write(folder.join("index.html"), "<!doctype html>").unwrap();
    for (file, why) in [(&missing, "cannot read"), (&wrong, "there is no certificate in PEM form")] {
        let said = run(&["verify-page", "https://localhost", "--page", arg(&folder), "--ca", arg(file)]);
        assert_eq!(said.code, 2);
        assert!(said.err.contains(why) && said.err.contains(arg(file)), "{}", said.err);
    }
}

#[test]
fn the_certificates_of_the_system_are_trusted() {
    let folder = folder("tls-system");
    let authority = Authority::new();
    let ca = authority.file(&folder);
    let page = folder.join("page");
    std::fs::create_dir_all(&page).unwrap();
    std::fs::write(page.join("index.html"), "<!doctype html>").unwrap();
    let config =
        ServerConfig { port: 0, page: PageFiles::from_folder(&page).unwrap(), ..ServerConfig::default() };
    let server = BackgroundServer::start(config).unwrap();
    let proxy = authority.proxy("localhost", 2999, server.address());
    let verify = |system: &Path| {
        let args = ["verify-page", &proxy.url, "--page", arg(&page)];
        // This variable says where the certificates of the system are.
        let run =
            Command::new(env!("CARGO_BIN_EXE_pentarchy")).args(args).env("SSL_CERT_FILE", system).output();
        run.unwrap().status.code()
    };
    assert_eq!(verify(&ca), Some(0));
    assert_eq!(verify(&page.join("index.html")), Some(2));
}
