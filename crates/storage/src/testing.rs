//! PostgreSQL servers for tests.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper of tests fails as a test does")]

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, query};
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::str::FromStr as _;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Where Debian and others install the programs of PostgreSQL.
const VERSIONS: &str = "/usr/lib/postgresql";
/// Longer than anything here takes, so that a test fails instead of hanging.
const PATIENCE: Duration = Duration::from_secs(120);

/// A real PostgreSQL server in a temporary folder, at a free port of this machine. It is stopped and removed
/// when it is dropped.
pub struct PostgresServer {
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
    running: Option<Child>,
}

impl PostgresServer {
    /// Creates a database cluster and starts its server. Returns `None`, and prints it, if PostgreSQL is not
    /// installed. Panics if it cannot be started.
    pub fn start() -> Option<Self> {
        let Some(programs) = find_programs() else {
            eprintln!("skipped: there is no PostgreSQL in {VERSIONS}; install the package `postgresql`");
            return None;
        };
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let unique = format!("pentarchy-postgres-{}-{}", std::process::id(), COUNT.fetch_add(1, Relaxed));
        let folder = std::env::temp_dir().join(unique);
        fs::create_dir_all(&folder).unwrap();
        if let Some(user) = unprivileged(&folder) {
            chown(&folder, Some(user), Some(user)).unwrap();
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut server = Self { programs, folder, port, running: None };
        let init = ["--auth=trust", "--username=pentarchy", "--encoding=UTF8", "--locale=C", "--no-sync"];
        let data = server.data();
        let made = server.command("initdb").args(init).arg("-D").arg(data).output().unwrap();
        assert!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));
        server.launch();
        Some(server)
    }

    /// Starts the server, for the first time or after [`PostgresServer::crash`]. Returns when it accepts connections.
    /// Panics if it cannot be started or does not accept any within two minutes.
    pub fn launch(&mut self) {
        let port = self.port.to_string();
        let mut command = self.command("postgres");
        command.arg("-D").arg(self.data()).args(["-p", &port, "-c", "listen_addresses=127.0.0.1"]);
        command.args(["-c", "unix_socket_directories=", "-c", "fsync=off", "-c", "max_connections=40"]);
        // Less memory and fewer processes: the machine may be small.
        command.args(["-c", "shared_buffers=8MB", "-c", "autovacuum=off"]);
        self.running = Some(command.stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap());
        let start = Instant::now();
        loop {
            let ready =
                self.command("pg_isready").args(["-q", "-h", "127.0.0.1", "-p", &port]).status().unwrap();
            if ready.success() {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "the server does not start");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Stops the server as a crash does: transactions that are not committed are lost, connections break. Returns when
    /// it has ended; does nothing if it is not running.
    pub fn crash(&mut self) {
        if let Some(mut child) = self.running.take() {
            let data = self.data();
            self.command("pg_ctl").args(["-m", "immediate", "-s", "stop", "-D"]).arg(data).status().ok();
            child.wait().ok();
        }
    }

    /// Creates an empty database of this name, which is not escaped, and returns its address. Panics if it exists or
    /// the server does not answer.
    pub async fn database(&self, name: &str) -> String {
        let address = |name: &str| format!("postgres://pentarchy@127.0.0.1:{}/{name}", self.port);
        let mut connection =
            PgConnectOptions::from_str(&address("postgres")).unwrap().connect().await.unwrap();
        let create = sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"));
        query(create).execute(&mut connection).await.unwrap();
        address(name)
    }

    /// Returns the folder of the cluster's data, below that of the server.
    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// Creates a command that runs a program of PostgreSQL in the folder of the server without input, as the user
    /// `nobody` if this process runs as root.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.programs.join(program));
        command.current_dir(&self.folder).stdin(Stdio::null());
        if let Some(user) = unprivileged(&self.folder) {
            command.uid(user).gid(user);
        }
        command
    }
}

impl Drop for PostgresServer {
    /// Stops the server and removes its folder.
    fn drop(&mut self) {
        self.crash();
        fs::remove_dir_all(&self.folder).ok();
    }
}

/// Returns the folder with the programs of the newest version of PostgreSQL in [`VERSIONS`] that has `initdb`; `None`
/// if there is none.
fn find_programs() -> Option<PathBuf> {
    let versions = fs::read_dir(VERSIONS).ok()?.filter_map(Result::ok).map(|entry| entry.path());
    let with_number = |path: PathBuf| Some((path.file_name()?.to_str()?.parse::<u32>().ok()?, path));
    let newest =
        versions.filter_map(with_number).filter(|(_, path)| path.join("bin/initdb").exists()).max()?;
    Some(newest.1.join("bin"))
}

/// Returns the number of the user (and group) `nobody` if this process runs as root; `None` otherwise. Tells by the
/// owner of `folder`, which this process must have created.
fn unprivileged(folder: &Path) -> Option<u32> {
    // A folder of root, or one that was given to `nobody` already, which only root can do.
    const NOBODY: u32 = 65_534;
    let owner = fs::metadata(folder).ok()?.uid();
    (owner == 0 || owner == NOBODY).then_some(NOBODY)
}
