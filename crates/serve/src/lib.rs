//! The command `serve`: its arguments, its messages and its errors. The programs `pentarchy` and `pentarchy-serve` share
//! it; the server itself is `pentarchy-server`.

mod database;
#[cfg(feature = "notify")]
mod notifications;

pub use database::{DatabaseArgs, storage_error};

use anstyle::Style;
use pentarchy_net::StunServer;
use pentarchy_server::{ExtensionFactory, MailboxConfig, Origin, PageFiles, ServerConfig, ServerError};
use std::fmt::Display;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// Serve the page, the list of open tables and the relay
///
/// One program for everything: the page with the games, a list of open tables, and the relay by which players reach
/// each other where no direct way exists. It takes no part in games. For players who are away it stores sealed messages,
/// which it cannot read, in the folder --data or at --database; --mailbox off stores none. Tables continue after a restart.
///
/// It answers only this machine unless --host says otherwise. Ctrl-C stops it.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pentarchy serve                       at http://localhost:7878
  pentarchy serve --open                and open it in the browser
  pentarchy serve --host 0.0.0.0        for everybody in the network
  pentarchy serve --proxy 127.0.0.1     behind a reverse proxy on this machine
  pentarchy serve --host :: --stun stun:stun.example.org:3478
  pentarchy serve --data /var/lib/pentarchy
  pentarchy serve --database postgres://pentarchy:secret@localhost/pentarchy

Besides the page it answers /health, /api/tables (the open tables), /api/ice (the STUN servers) and /relay (WebSocket).")]
pub struct ServeArgs {
    /// The port to listen at; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 7878)]
    port: u16,

    /// The address to listen at: 0.0.0.0 or :: is every address of this machine
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,

    /// Open the page in the browser
    #[arg(long)]
    open: bool,

    /// Serve the page from this folder instead of the one inside this program
    #[arg(long, value_name = "FOLDER")]
    page: Option<PathBuf>,

    /// The address of a reverse proxy in front of this server: its X-Forwarded-For is trusted, and limits count by it;
    /// repeat it for more. The header is ignored from everybody else
    #[arg(long, value_name = "ADDRESS")]
    proxy: Vec<IpAddr>,

    /// A web site whose pages may use this server's relay and open tables, like `https://play.example.org`; repeat it for more. The
    /// page of this server and native programs always may
    #[arg(long, value_name = "URL")]
    origin: Vec<Origin>,

    /// Serve Prometheus metrics at this address, like 127.0.0.1:9090, under /metrics. Without it there are none. Keep the
    /// address private: it has no limits
    #[arg(long, value_name = "ADDRESS:PORT")]
    metrics: Option<SocketAddr>,

    /// A STUN server that helps pages in different networks to connect directly, like stun:host:3478; repeat it for
    /// more. Its operator sees the addresses of the players, so there is no default
    #[arg(long, value_name = "SERVER")]
    stun: Vec<StunServer>,

    #[command(flatten)]
    database: DatabaseArgs,

    /// Whether to store messages for players who are away
    #[arg(long, value_name = "on|off", value_enum, default_value_t = Mailbox::On, hide_possible_values = true)]
    mailbox: Mailbox,

    #[cfg(feature = "notify")]
    #[command(flatten)]
    notify: notifications::NotifyArgs,

    /// What to log to standard error: error, warn, info, debug or off, also for single parts of the program like
    /// pentarchy_server::relay=debug,warn
    #[arg(long, value_name = "LEVEL", default_value = "warn")]
    log: Targets,
}

/// Whether the server stores messages for absent players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Mailbox {
    On,
    Off,
}

/// Why the server cannot be started.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct ServeError {
    /// What went wrong, in one line.
    pub message: String,
    /// What the user can do about it.
    pub hint: Option<String>,
}

impl ServeError {
    /// Creates an error with this message and without a hint.
    pub(crate) fn new(message: impl Display) -> Self {
        ServeError { message: message.to_string(), hint: None }
    }
}

/// Runs the server until SIGINT or SIGTERM: sets up the log on standard error (unless the process has one), binds the
/// address, prints it, and opens it in a browser if asked; prints a note if that cannot be started. Serves the folder
/// of `--page`, or the page in this program; prints a note if there is none. Runs the extension, too, if there is one,
/// and notifications if the arguments ask for them. Opens the database unless the mailbox is off and there is nothing else
/// that uses it.
///
/// # Errors
///
/// Fails if the folder of `--page` cannot be read, there are too many STUN servers, the arguments of notifications are
/// incomplete or malformed, there is no folder for the database, it cannot be used, an address cannot be bound, or the
/// server cannot be started.
pub fn run(args: &ServeArgs, extension: Option<ExtensionFactory>) -> Result<(), ServeError> {
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(false);
    tracing_subscriber::registry().with(lines.with_filter(args.log.clone())).try_init().ok();
    let page = match &args.page {
        Some(folder) => {
            let failed = |error| ServeError::new(format_args!("cannot serve {}: {error}", folder.display()));
            PageFiles::from_folder(folder).map_err(failed)?
        }
        None => PageFiles::embedded(),
    };
    let built = !page.is_placeholder();
    #[cfg_attr(not(feature = "notify"), expect(unused_mut, reason = "nothing is added"))]
    let mut extensions: Vec<ExtensionFactory> = extension.into_iter().collect();
    #[cfg(feature = "notify")]
    extensions.extend(args.notify.extension()?);
    let config = ServerConfig {
        host: args.host,
        port: args.port,
        page,
        proxies: args.proxy.clone(),
        origins: args.origin.clone(),
        metrics: args.metrics,
        stun: check_stun(&args.stun)?,
        mailbox: match args.mailbox {
            Mailbox::On => MailboxConfig::Database,
            Mailbox::Off => MailboxConfig::Off,
        },
        database: match args.mailbox {
            Mailbox::Off if extensions.is_empty() => None,
            _ => Some(args.database.location()?),
        },
        extensions,
        ..ServerConfig::default()
    };
    pentarchy_server::serve(config, |address| {
        let (url, title, dim) = (url(address), Style::new().bold(), Style::new().dimmed());
        anstream::println!("Pentarchy is at {title}{url}{title:#}  {dim}(Ctrl-C stops it){dim:#}");
        if !built {
            anstream::eprintln!("The page is not in this program: `cargo xtask play` builds it.");
        }
        if args.open && !open_browser(&url) {
            anstream::eprintln!("Cannot open a browser: open {url} in one.");
        }
    })
    .map_err(|failed| startup_error(&failed))
}

/// Returns a copy of the STUN servers of the arguments. Checks only that they are not too many.
///
/// # Errors
///
/// Fails if there are more than [`StunServer::MAX`].
pub fn check_stun(stun: &[StunServer]) -> Result<Vec<StunServer>, ServeError> {
    if stun.len() > StunServer::MAX {
        let (given, most) = (stun.len(), StunServer::MAX);
        return Err(ServeError::new(format_args!("{given} STUN servers are too many: {most} at most")));
    }
    Ok(stun.to_vec())
}

/// Converts an error of the server to one with a hint for the user: the next port for an address that is taken
/// (`--port`, or `--metrics` for the address of the metrics), a port above 1024 for one that cannot be bound, and for
/// a database that cannot be used what helps against this kind of error. Other errors have no hint.
pub fn startup_error(failed: &ServerError) -> ServeError {
    let next = |address: &SocketAddr| address.port().checked_add(1).unwrap_or(7878);
    let hint = match failed {
        ServerError::Taken(address) => {
            let next = next(address);
            format!("is Pentarchy running already, at {}? Another port: --port {next}", url(*address))
        }
        ServerError::MetricsTaken(address) => {
            let other = SocketAddr::new(address.ip(), next(address));
            format!("another address for the metrics: --metrics {other}")
        }
        ServerError::Listen(..) => {
            "the port may need rights that you do not have: try one above 1024".to_owned()
        }
        ServerError::Storage(error) => return storage_error(error),
        ServerError::Start(_) => return ServeError::new(failed),
    };
    ServeError { hint: Some(hint), ..ServeError::new(failed) }
}

/// Returns the HTTP address to open in a browser on this machine: by the name `localhost` for 127.0.0.1, for ::1 and
/// for an address that means every address, otherwise by the address itself.
pub fn url(address: SocketAddr) -> String {
    // `localhost` resolves to no other loopback address, such as 127.0.0.2.
    let local = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)].contains(&address.ip());
    if local || address.ip().is_unspecified() {
        format!("http://localhost:{}", address.port())
    } else {
        format!("http://{address}")
    }
}

/// Opens an address in the browser of this machine, without waiting for it. Returns whether the program that opens it
/// was started; not whether it succeeds.
fn open_browser(url: &str) -> bool {
    let (program, args): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let quiet = || Stdio::null();
    Command::new(program).args(args).arg(url).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarchy_server::BackgroundServer;

    /// Returns a configuration at a free port of this address, which stores nothing.
    fn config(host: Ipv4Addr) -> ServerConfig {
        ServerConfig { host: host.into(), port: 0, mailbox: MailboxConfig::Off, ..ServerConfig::default() }
    }

    #[test]
    fn the_printed_address_is_one_that_is_served() {
        let at = |address: &str| url(address.parse().unwrap());
        for local in ["127.0.0.1:80", "[::1]:80", "0.0.0.0:80", "[::]:80"] {
            assert_eq!(at(local), "http://localhost:80", "{local}");
        }
        for other in ["127.0.0.2:80", "127.255.255.254:80", "192.168.1.7:80", "[2001:db8::7]:80"] {
            assert_eq!(at(other), format!("http://{other}"));
        }
    }

    #[test]
    fn a_taken_address_names_the_option_that_chose_it() {
        let server = BackgroundServer::start(config(Ipv4Addr::LOCALHOST)).unwrap();
        let taken = server.address();
        let next = taken.port().checked_add(1).unwrap_or(7878);
        let hint = |config| startup_error(&BackgroundServer::start(config).err().unwrap()).hint.unwrap();
        let page = hint(ServerConfig { port: taken.port(), ..config(Ipv4Addr::LOCALHOST) });
        assert!(page.ends_with(&format!("--port {next}")), "{page}");
        let metrics = hint(ServerConfig { metrics: Some(taken), ..config(Ipv4Addr::LOCALHOST) });
        assert!(metrics.ends_with(&format!("--metrics 127.0.0.1:{next}")), "{metrics}");
        assert!(!metrics.contains("--port"), "{metrics}");
    }
}
