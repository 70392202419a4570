//! Three processes of a server behind nginx, with the configuration of docs/deploy.md.

use crate::member::TableProgress;
use std::fmt::Write as _;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// For how long nginx does not try a process that failed.
pub(crate) const FAIL_TIMEOUT: Duration = Duration::from_secs(5);
/// Ports in the configuration.
const PORTS: [&str; 3] = ["7878", "7879", "7880"];
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/deploy.md");
/// Longer than anything here takes, so that the test fails instead of hanging.
const PATIENCE: Duration = Duration::from_secs(60);

/// Raises the limit of file descriptors of this process to what the system allows: each member needs one.
pub(crate) fn raise_descriptors() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    setrlimit(Resource::Nofile, limit).ok();
}

/// Returns the program nginx; `None` if it is not installed.
pub(crate) fn find_nginx() -> Option<PathBuf> {
    ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"]
        .map(PathBuf::from)
        .into_iter()
        .find(|path| path.exists())
}

/// Returns the content of the last code block of docs/deploy.md in a language.
fn last_block<'a>(page: &'a str, language: &str) -> &'a str {
    let (_, rest) = page.rsplit_once(&format!("```{language}\n")).expect("a block of this language");
    rest.split_once("```").unwrap().0
}

/// Returns the text with `from` replaced by `to`. Panics if it does not occur.
fn replace(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "docs/deploy.md has no `{from}`, which the test replaces");
    text.replace(from, to)
}

/// Returns a port of loopback that is free now.
pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Returns the address of a port of loopback.
pub(crate) fn loopback(port: u16) -> SocketAddr {
    (Ipv4Addr::LOCALHOST, port).into()
}

/// A process that is killed when this is dropped.
pub(crate) struct Running(Child);

impl Running {
    /// Starts a program and waits until it listens at a port. Panics if it does not.
    pub(crate) fn start(command: &mut Command, port: u16) -> Self {
        let mut running = Self(command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap());
        let start = Instant::now();
        while TcpStream::connect(loopback(port)).is_err() {
            assert_eq!(running.0.try_wait().unwrap(), None, "{command:?} has ended");
            assert!(start.elapsed() < PATIENCE, "{command:?} does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        running
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// The processes, and nginx in front of them. All are killed when this is dropped.
pub(crate) struct Cluster {
    folder: PathBuf,
    /// The command line of the service, without the program.
    service: String,
    database: String,
    processes: Vec<Option<Running>>,
    /// The ports of each process: of the server, and of its metrics.
    ports: [[u16; 2]; 3],
    proxy: u16,
    _nginx: Running,
}

impl Cluster {
    /// Starts three processes at a database, and nginx. Panics if one does not start, or docs/deploy.md lacks something.
    pub(crate) fn start(nginx: &Path, database: &str) -> Self {
        let page = fs::read_to_string(PAGE).unwrap();
        let folder = std::env::temp_dir().join(format!("pentarchy-processes-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let ports = PORTS.map(|_| [free_port(), free_port()]);
        let service = last_block(&page, "ini").lines().find_map(|line| line.strip_prefix("ExecStart="));
        let service = service.expect("the service has a command line");
        let service = service.strip_prefix("/usr/local/bin/pentarchy serve ").unwrap().to_owned();
        let proxy = free_port();
        let conf = configuration(&page, &folder, &ports, proxy);
        fs::write(folder.join("nginx.conf"), conf).unwrap();
        let mut command = Command::new(nginx);
        command.arg("-e").arg(folder.join("nginx.log")).arg("-c").arg(folder.join("nginx.conf"));
        // nginx accepts connections before the processes do, and answers them with 502.
        let nginx = Running::start(&mut command, proxy);
        let mut cluster = Self {
            folder,
            service,
            database: database.to_owned(),
            processes: PORTS.map(|_| None).into(),
            ports,
            proxy,
            _nginx: nginx,
        };
        (0..PORTS.len()).for_each(|i| cluster.restart(i));
        cluster
    }

    /// Starts a process that does not run, with the command line of the service. Returns when it listens.
    pub(crate) fn restart(&mut self, i: usize) {
        let [port, metrics] = self.ports[i].map(|port| port.to_string());
        let line = replace(&self.service, "127.0.0.1:1%i", &format!("127.0.0.1:{metrics}"));
        let line = replace(&line, "%i", &port);
        let log = self.folder.join(format!("process-{i}.log"));
        let log = fs::File::options().create(true).append(true).open(log).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_pentarchy-serve"));
        command.args(line.split_whitespace()).env("PENTARCHY_DATABASE", &self.database).stderr(log);
        self.processes[i] = Some(Running::start(&mut command, self.ports[i][0]));
    }

    /// Kills a process by SIGKILL.
    pub(crate) fn kill(&mut self, i: usize) {
        self.processes[i] = None;
    }

    /// Returns the address of nginx.
    pub(crate) fn proxy(&self) -> SocketAddr {
        loopback(self.proxy)
    }

    /// Returns the number of members of all rooms of a process, by its metrics.
    pub(crate) fn members(&self, i: usize) -> u64 {
        let text = request(loopback(self.ports[i][1]), "GET /metrics", &[], "");
        let line = text.lines().find_map(|line| line.strip_prefix("pentarchy_members "));
        line.expect("a metric").parse().unwrap()
    }

    /// Asks through nginx about tables, as pages do. nginx trusts a process that had failed when it has answered a whole
    /// request, and a room is a request that lasts.
    pub(crate) fn ask_about(&self, tables: &[Arc<TableProgress>]) {
        for table in tables {
            let answer = request(self.proxy(), &format!("GET /api/tables/{}", table.table()), &[], "");
            assert!(answer.starts_with("HTTP/1.1 "), "{answer}");
        }
    }

    /// Lists a table through nginx, and checks that every process shows it with its members, and that it can be removed.
    pub(crate) fn check_open_tables(&self, table: &TableProgress) {
        let (id, key) = (table.table(), table.invite().secret_part());
        let owner = format!("Bearer {}", table.proof().to_text());
        let body = format!(r#"{{"game":"kuhn","seats":2,"taken":1,"key":"{key}"}}"#);
        let headers = [("authorization", owner.as_str())];
        let answer = request(self.proxy(), &format!("PUT /api/tables/{id}"), &headers, &body);
        assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
        let lists = || {
            self.ports.map(|[port, _]| {
                let list = request(loopback(port), "GET /api/tables", &[], "");
                list.contains(&id.to_string()) && list.contains(r#""members":2"#)
            })
        };
        assert_eq!(lists(), [true; 3]);
        let answer = request(self.proxy(), &format!("DELETE /api/tables/{id}"), &headers, "");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert_eq!(lists(), [false; 3]);
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.processes.clear();
        // The logs explain a failure.
        if !std::thread::panicking() {
            fs::remove_dir_all(&self.folder).ok();
        }
    }
}

/// Returns the configuration of nginx: the blocks of docs/deploy.md with the ports of the test, without TLS, and with its
/// files in `folder`.
fn configuration(page: &str, folder: &Path, ports: &[[u16; 2]; 3], proxy: u16) -> String {
    let mut upstream = last_block(page, "nginx").to_owned();
    for (documented, [port, _]) in PORTS.iter().zip(ports) {
        upstream = replace(&upstream, &format!("127.0.0.1:{documented} "), &format!("127.0.0.1:{port} "));
    }
    assert!(upstream.contains(&format!("fail_timeout={}s", FAIL_TIMEOUT.as_secs())), "{upstream}");
    // Of the first configuration: how upgrades are passed on, and the location, whose address is replaced.
    let first = page.split_once("```nginx\n").unwrap().1;
    let map = &first[..first.find("server {").unwrap()];
    let location = &first[first.find("    location / {").unwrap()..];
    let location = &location[..location.find("\n    }").unwrap()];
    let location =
        replace(location, "http://127.0.0.1:7878;", "http://pentarchy;\n proxy_connect_timeout 2s;");
    let mut text = String::from("daemon off; master_process off; ");
    let _ =
        write!(text, "pid {}; events {{ worker_connections 10000; }}\nhttp {{", folder.join("pid").display());
    for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"] {
        let _ = write!(text, " {kind}_temp_path {};", folder.join(kind).display());
    }
    let _ = write!(
        text,
        "\n{map}\n{upstream}\nserver {{ listen 127.0.0.1:{proxy}; access_log off;\n{location}\n}}\n}}\n}}\n"
    );
    text
}

/// Sends a request on a connection of its own, and returns the answer. `head` is the method and the path. Panics if there
/// is none.
fn request(address: SocketAddr, head: &str, headers: &[(&str, &str)], body: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut text = format!("{head} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n");
    for (name, value) in headers {
        let _ = write!(text, "{name}: {value}\r\n");
    }
    let _ = write!(text, "content-length: {}\r\n\r\n{body}", body.len());
    stream.write_all(text.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}
