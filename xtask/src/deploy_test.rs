//! `cargo xtask deploy-test`: runs the configurations of docs/deploy.md on loopback.

use std::{
    fmt::Write as _,
    fs,
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use crate::{
    task_error::{Context, Result, TaskError},
    tools,
    workspace::{PROGRAM, Workspace},
};

/// The page with the configurations.
const PAGE: &str = "docs/deploy.md";
/// Programs that are needed, and the Debian packages that have them.
const NEEDED: [(&str, &str); 5] = [
    ("nginx", "nginx-light"),
    ("caddy", "caddy"),
    ("curl", "curl"),
    ("openssl", "openssl"),
    ("/usr/lib/postgresql/*/bin/initdb", "postgresql"),
];
/// A table for the relay, and the pass that opens its room.
const TABLE: &str = "6wlj3vobt37pn6lpp7r3wwcevi";
const PASS: &str = "4ededtwyftkbtgioahqr3ogdekuu2ngehh4asaoudtr6upuhxgbq";
/// More requests than an address may make at once.
const MANY: usize = 400;
/// How long the test waits for a program to listen.
const PATIENCE: Duration = Duration::from_secs(30);

/// Run the configurations of docs/deploy.md: the services' command lines, nginx and Caddy with TLS, several processes.
///
/// Checks the page, the relay, the origin check, and that clients cannot choose the address by which they are counted.
/// Then kills one of three processes with 1,000 tables: all must be back within 10 seconds, and no stored mail may be
/// lost. Installs nginx, Caddy and PostgreSQL by apt if they are missing.
#[derive(clap::Args)]
pub(crate) struct Args {}

/// Installs missing programs, builds the program (a debug build), starts it behind nginx and then behind Caddy on free
/// loopback ports, each set up as docs/deploy.md says, and runs all checks; that of the redirect for nginx only. Prints
/// a line per check. Then runs the test of several processes. All processes are stopped at the end. Files of the test
/// stay in `deploy-test` in the target folder.
///
/// # Errors
///
/// Fails if a program is missing and cannot be installed, if the build fails, if a process does not start, or at the
/// first failed check.
pub(crate) fn run(workspace: &Workspace, _: &Args) -> Result<ExitCode> {
    install()?;
    tools::must(tools::cargo(workspace).args(["build", "-p", PROGRAM.0]))?;
    let target = workspace.metadata()?.target_directory;
    let folder = target.join("deploy-test");
    fs::create_dir_all(&folder).context("cannot make a folder for the test")?;
    let folder = fs::canonicalize(folder).context("cannot find the folder of the test")?;
    certify(&folder)?;
    let text = workspace.read(PAGE)?;
    for proxy in ["nginx", "caddy"] {
        let setup = Setup { folder: folder.clone(), ports: [0; 6].map(|_| free_port()) };
        let _server = setup.start_server(&target.join("debug").join(PROGRAM.0), &text)?;
        let _proxy = match proxy {
            "nginx" => setup.start_nginx(&text)?,
            _ => setup.start_caddy(&text)?,
        };
        for (name, check) in CHECKS.iter().filter(|(name, _)| proxy == "nginx" || *name != REDIRECT) {
            check(&setup).map_err(|trouble| TaskError::new(format!("{proxy}: {name}: {trouble}")))?;
            println!("{proxy}: {name}: ok");
        }
    }
    let mut processes = tools::cargo(workspace);
    processes.args(["test", "-p", "pentarchy-serve", "--test", "programs", "processes", "--", "--nocapture"]);
    tools::must(processes.env("PENTARCHY_DEPLOY_TEST", "1"))?;
    Ok(ExitCode::SUCCESS)
}

/// A check of one setup; it fails with what was expected and what was there instead.
type Check = fn(&Setup) -> Result<()>;

/// The name of the check that is made for nginx only.
const REDIRECT: &str = "http is redirected to https";
/// The checks with their names, in the order in which they are made.
const CHECKS: [(&str, Check); 6] = [
    ("the page comes over https with HSTS", Setup::page),
    (REDIRECT, Setup::redirect),
    ("members of a room reach each other", Setup::relay),
    ("other web sites do not reach the relay", Setup::origin),
    ("metrics are not public", Setup::metrics),
    ("clients do not choose their address", Setup::addresses),
];

/// Installs those of the programs in [`NEEDED`] that are missing by `apt-get`, with its output on the terminal; does
/// nothing if all are there.
///
/// # Errors
///
/// Fails if the installation does; the message names the packages.
fn install() -> Result<()> {
    let exists =
        |program: &str| tools::quiet(Command::new("sh").args(["-c", &format!("command -v {program}")]));
    let missing: Vec<&str> =
        NEEDED.iter().filter(|(program, _)| !exists(program)).map(|(_, package)| *package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let install = ["install", "-y", "--no-install-recommends"];
    tools::must(Command::new("apt-get").args(install).args(&missing))
        .map_err(|trouble| TaskError::new(format!("{trouble}; install {} yourself", missing.join(", "))))
}

/// Writes a self-signed certificate for localhost, valid for two days, and its key to `folder` as `cert.pem` and
/// `key.pem`. Existing files are replaced.
///
/// # Errors
///
/// Fails if openssl fails.
fn certify(folder: &Path) -> Result<()> {
    let names = "subjectAltName=DNS:localhost,IP:127.0.0.1";
    let made = tools::quiet(
        Command::new("openssl")
            .current_dir(folder)
            .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"])
            .args(["-addext", names, "-keyout", "key.pem", "-out", "cert.pem"]),
    );
    made.then_some(()).ok_or_else(|| TaskError::new("openssl makes no certificate"))
}

/// Returns a port of loopback that is free now; 0 if none is. Another program may take it at any time.
fn free_port() -> u16 {
    let bound = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    bound.map_or(0, |address| address.port())
}

/// Returns the content of the first code block of the page whose fence names exactly this language, without its fences.
///
/// # Errors
///
/// Fails if there is none.
fn block<'a>(page: &'a str, language: &str) -> Result<&'a str> {
    let fence = format!("```{language}\n");
    let found = page.split_once(&fence).and_then(|(_, rest)| rest.split_once("```"));
    found.map(|(block, _)| block).ok_or_else(|| TaskError::new(format!("{PAGE} has no block of {language}")))
}

/// Returns the text with the pairs applied one after the other: all occurrences of the first text
/// of a pair are replaced by the second.
///
/// # Errors
///
/// Fails if the first text of a pair does not occur.
fn replace(text: &str, pairs: &[(&str, &str)]) -> Result<String> {
    pairs.iter().try_fold(text.to_owned(), |text, (from, to)| {
        if text.contains(from) {
            Ok(text.replace(from, to))
        } else {
            Err(TaskError::new(format!("a block of {PAGE} has no `{from}`, which the test replaces")))
        }
    })
}

/// Checks that `holds` is true. `what` is the expectation in words, `said` what was there instead, for the error.
///
/// # Errors
///
/// Fails with both exactly if `holds` is false.
fn expect(holds: bool, what: &str, said: &str) -> Result<()> {
    if holds { Ok(()) } else { Err(TaskError::new(format!("{what}, but:\n{said}"))) }
}

/// A process that is killed when this is dropped.
struct Running(Child);

impl Drop for Running {
    /// Kills the process and waits for its end. Errors are ignored.
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// Starts a program without input and waits until it listens at a port of loopback. It is killed when the result is
/// dropped. Its output goes where the command says. Whether another program listens at the port already is not checked.
///
/// # Errors
///
/// Fails if it cannot be started, ends, or does not listen within 30 seconds.
fn start(command: &mut Command, port: u16) -> Result<Running> {
    let what = tools::typed(command);
    let child = command.stdin(Stdio::null()).spawn().context(format!("cannot start `{what}`"))?;
    let mut running = Running(child);
    let begin = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        let ended = running.0.try_wait().ok().flatten();
        if ended.is_some() || begin.elapsed() > PATIENCE {
            return Err(TaskError::new(format!("`{what}` does not listen at port {port}")));
        }
        sleep(Duration::from_millis(50));
    }
    Ok(running)
}

/// A server behind a proxy on loopback: the folder of the test and the ports.
struct Setup {
    /// The folder of all files of the test, as an absolute path.
    folder: PathBuf,
    /// Server, metrics, https, http, and two that stand for IPv6.
    ports: [u16; 6],
}

impl Setup {
    /// Returns the absolute path of the file `name` in the folder of the test, which need not exist.
    fn path(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    /// Writes a file in the folder of the test, replacing an old one, and returns its path.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    fn write(&self, name: &str, text: &str) -> Result<String> {
        fs::write(self.folder.join(name), text).context(format!("cannot write {name}"))?;
        Ok(self.path(name))
    }

    /// Starts the server `program` with the command line of the service in `page`, the text of
    /// docs/deploy.md, adapted to the ports and the folder of the test; its output goes to `server.log`.
    ///
    /// # Errors
    ///
    /// Fails if the page has no such line, or the server does not start.
    fn start_server(&self, program: &Path, page: &str) -> Result<Running> {
        let line = block(page, "ini")?.lines().find_map(|line| line.strip_prefix("ExecStart="));
        let line = line.ok_or_else(|| TaskError::new(format!("the service in {PAGE} has no ExecStart")))?;
        let [server, metrics, ..] = self.ports.map(|port| port.to_string());
        let data = self.path("data");
        let line = replace(line, &[("7878", &server), ("9090", &metrics), ("/var/lib/pentarchy", &data)])?;
        let log = fs::File::create(self.folder.join("server.log")).context("cannot write server.log")?;
        let mut server = Command::new(program);
        start(server.args(line.split_whitespace().skip(1)).stdout(Stdio::null()).stderr(log), self.ports[0])
    }

    /// Starts nginx with the first nginx block of `page`, the text of docs/deploy.md, adapted to the ports and
    /// certificate of the test, and waits until it listens at the port of https. Its files are in the folder of the
    /// test.
    ///
    /// # Errors
    ///
    /// Fails if the page has no such block or lacks a text that is replaced, or if nginx does not start.
    fn start_nginx(&self, page: &str) -> Result<Running> {
        let [server, _, https, http, https6, http6] = self.ports;
        let site = replace(
            block(page, "nginx")?,
            &[
                ("listen 443", &format!("listen 127.0.0.1:{https}")),
                ("listen [::]:443", &format!("listen 127.0.0.1:{https6}")),
                ("listen 80", &format!("listen 127.0.0.1:{http}")),
                ("listen [::]:80", &format!("listen 127.0.0.1:{http6}")),
                ("127.0.0.1:7878", &format!("127.0.0.1:{server}")),
                ("/etc/letsencrypt/live/play.example.org/fullchain.pem", &self.path("cert.pem")),
                ("/etc/letsencrypt/live/play.example.org/privkey.pem", &self.path("key.pem")),
                ("play.example.org", "localhost"),
            ],
        )?;
        let site = self.write("site.conf", &site)?;
        let mut main =
            format!("daemon off; master_process off; pid {}; events {{}} http {{", self.path("nginx.pid"));
        for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"] {
            let _ = write!(main, " {kind}_temp_path {};", self.path(kind));
        }
        let main = self.write("nginx.conf", &format!("{main} include {site}; }}\n"))?;
        start(Command::new("nginx").args(["-e", &self.path("nginx.log"), "-c", &main]), https)
    }

    /// Starts Caddy with the first Caddyfile block of `page`, the text of docs/deploy.md, adapted to the ports and
    /// certificate of the test, and waits until it listens at the port of https. Redirects from http are switched off;
    /// its output goes to `caddy.log`.
    ///
    /// # Errors
    ///
    /// Fails if the page has no such block or lacks a text that is replaced, or if Caddy does not start.
    fn start_caddy(&self, page: &str) -> Result<Running> {
        let [server, _, https, ..] = self.ports;
        let (cert, key) = (self.path("cert.pem"), self.path("key.pem"));
        // Certificates of public names need the network: the test uses its own.
        let site = format!("https://localhost:{https} {{\n    bind 127.0.0.1\n    tls {cert} {key}");
        let site = replace(
            block(page, "caddyfile")?,
            &[("play.example.org {", &site), ("127.0.0.1:7878", &format!("127.0.0.1:{server}"))],
        )?;
        let text = format!("{{\n    admin off\n    auto_https disable_redirects\n}}\n{site}");
        let file = self.write("Caddyfile", &text)?;
        let mut caddy = Command::new("caddy");
        caddy.args(["run", "--adapter", "caddyfile", "--config", &file]);
        let log = fs::File::create(self.folder.join("caddy.log")).context("cannot write caddy.log")?;
        start(
            caddy.env("XDG_DATA_HOME", &self.folder).env("XDG_CONFIG_HOME", &self.folder).stderr(log),
            https,
        )
    }

    /// Runs curl with these arguments, and with the certificate of the test as the only trusted one, and returns its
    /// standard output. Invalid UTF-8 is replaced.
    ///
    /// # Errors
    ///
    /// Fails if curl cannot be started or does not succeed within 30 seconds; not for an HTTP error.
    fn curl(&self, args: &[&str]) -> Result<String> {
        let mut curl = Command::new("curl");
        curl.args(["--silent", "--show-error", "--max-time", "30", "--cacert", &self.path("cert.pem")])
            .args(args);
        let output = curl.output().context("cannot start curl")?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let failed = String::from_utf8_lossy(&output.stderr);
        if output.status.success() { Ok(said) } else { Err(TaskError::new(format!("curl: {failed}"))) }
    }

    /// Returns the HTTPS address of a path behind the proxy; `path` begins with a slash or is empty.
    fn url(&self, path: &str) -> String {
        format!("https://localhost:{}{path}", self.ports[2])
    }

    /// Checks that the body of the page at the root is the same through the proxy as at the server, and that the
    /// response of the proxy has the headers for HSTS (one year) and the content security policy.
    ///
    /// # Errors
    ///
    /// Fails if it does not, or curl fails.
    fn page(&self) -> Result<()> {
        let direct = self.curl(&[&format!("http://127.0.0.1:{}/", self.ports[0])])?;
        let proxied = self.curl(&["--include", &self.url("/")])?;
        let (head, body) = proxied.split_once("\r\n\r\n").unwrap_or(("", ""));
        expect(body == direct, "the page is passed on unchanged", &proxied)?;
        let head = head.to_lowercase();
        for header in ["strict-transport-security: max-age=31536000", "content-security-policy: "] {
            expect(head.contains(header), &format!("the answer has {header}"), &head)?;
        }
        Ok(())
    }

    /// Checks that a request by HTTP is redirected with status 301 to the same path by HTTPS at its standard port.
    ///
    /// # Errors
    ///
    /// Fails if it is not, or curl fails.
    fn redirect(&self) -> Result<()> {
        let url = format!("http://localhost:{}/t/x", self.ports[3]);
        let said =
            self.curl(&["--output", "/dev/null", "--write-out", "%{http_code} %{redirect_url}", &url])?;
        expect(said == "301 https://localhost/t/x", "http is redirected", &said)
    }

    /// Checks that two members of a room meet through the proxy: the first is alone, both learn of each other, and a
    /// message to all reaches the second. The second one sends the `Origin` of the page, the first one none.
    ///
    /// # Errors
    ///
    /// Fails if they do not.
    fn relay(&self) -> Result<()> {
        let mut ada = Member::enter(self, None)?;
        let welcome = ada.receive()?;
        expect(welcome.first() == Some(&0) && welcome.len() == 5, "Ada is alone", &format!("{welcome:?}"))?;
        let mut bob = Member::enter(self, Some(&self.url("")))?;
        let welcome = bob.receive()?;
        expect(welcome.first() == Some(&0) && welcome.len() == 9, "Bob meets one", &format!("{welcome:?}"))?;
        let joined = ada.receive()?;
        expect(joined.first() == Some(&1), "Ada hears of Bob", &format!("{joined:?}"))?;
        ada.send(b"\xff\xff\xff\xffhello")?;
        let heard = bob.receive()?;
        expect(heard.first() == Some(&3) && heard.ends_with(b"hello"), "Bob hears Ada", &format!("{heard:?}"))
    }

    /// Checks that the relay behind the proxy refuses a WebSocket whose `Origin` is another web site with status 403.
    ///
    /// # Errors
    ///
    /// Fails if it lets it in, refuses it with another status, or the connection fails otherwise.
    fn origin(&self) -> Result<()> {
        match Member::enter(self, Some("https://evil.example")) {
            Err(trouble) => {
                expect(trouble.to_string().contains(" 403 "), "refused with 403", &trouble.to_string())
            }
            Ok(_) => Err(TaskError::new("another site was let in")),
        }
    }

    /// Checks that `/metrics` of the proxy has no metrics of the server, and that the server has them at its address
    /// for metrics.
    ///
    /// # Errors
    ///
    /// Fails if they are public or missing at that address, or curl fails.
    fn metrics(&self) -> Result<()> {
        let public = self.curl(&[&self.url("/metrics")])?;
        expect(!public.contains("pentarchy_requests"), "metrics are not behind the proxy", &public)?;
        let own = self.curl(&[&format!("http://127.0.0.1:{}/metrics", self.ports[1])])?;
        expect(own.contains("pentarchy_requests_total"), "metrics are at their own address", &own)
    }

    /// Checks that the server limits the rate by the address that the proxy sees: invented forwarded addresses work at
    /// the server itself, but not through the proxy, and another client has a rate of its own.
    ///
    /// # Errors
    ///
    /// Fails if it does not, or curl fails.
    fn addresses(&self) -> Result<()> {
        // A trusted proxy may set addresses, and each has its own rate limit: so without the check the invented
        // addresses would work.
        let direct = self.refused(&format!("http://127.0.0.1:{}/api/tables", self.ports[0]), "127.0.0.1")?;
        expect(
            direct == 0,
            "the server counts the addresses that the proxy names",
            &format!("{direct} refused"),
        )?;
        let url = self.url("/api/tables");
        let proxied = self.refused(&url, "127.0.0.1")?;
        expect(proxied > 0, "invented addresses are not counted", &format!("{proxied} of {MANY} refused"))?;
        let status =
            ["--output", "/dev/null", "--write-out", "%{http_code}", "--interface", "127.0.0.2", &url];
        let other = self.curl(&status)?;
        expect(other == "200", "another client has a rate of its own", &other)
    }

    /// Sends 400 requests for `url` from the local address `interface`, each with another invented address in
    /// `X-Forwarded-For`, and returns the number of responses with status 429: those that the rate limit rejects.
    ///
    /// # Errors
    ///
    /// Fails if curl fails.
    fn refused(&self, url: &str, interface: &str) -> Result<usize> {
        let mut config = String::new();
        for i in 0..MANY {
            let address = format!("10.9.{}.{}", i / 256, i % 256);
            let _ = writeln!(
                config,
                "url = \"{url}\"\ncacert = \"{}\"\ninterface = \"{interface}\"\nheader = \"X-Forwarded-For: {address}\"\n\
                 output = \"/dev/null\"\nwrite-out = \"%{{http_code}}\\n\"\nnext",
                self.path("cert.pem")
            );
        }
        let file = self.write("requests.curl", config.trim_end_matches("next\n"))?;
        let said = self.curl(&["--config", &file])?;
        Ok(said.lines().filter(|line| *line == "429").count())
    }
}

/// A member of a relay room, over a WebSocket with TLS by the openssl client.
struct Member {
    /// The openssl client.
    running: Running,
    /// To the server, through the client.
    to: ChildStdin,
    /// From the server, through the client.
    from: ChildStdout,
}

impl Member {
    /// Enters the room of [`TABLE`] through the proxy, as a WebSocket with the pass of the room and, if given, this
    /// `Origin` header. Blocks until the response head is there; frames of the relay are not read yet.
    ///
    /// # Errors
    ///
    /// Fails with the status line if the server rejects it, or if the connection ends.
    fn enter(setup: &Setup, origin: Option<&str>) -> Result<Self> {
        let (port, cert) = (setup.ports[2], setup.path("cert.pem"));
        // Cannot hang: the server drops a member that does not answer pings.
        let mut openssl = Command::new("openssl");
        openssl.args(["s_client", "-quiet", "-verify_return_error", "-servername", "localhost"]);
        openssl.args(["-CAfile", &cert, "-connect", &format!("127.0.0.1:{port}")]);
        openssl.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = openssl.spawn().context("cannot start openssl")?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(TaskError::new("cannot talk to openssl"));
        };
        let mut member = Self { running: Running(child), to, from };
        let origin = origin.map_or(String::new(), |origin| format!("origin: {origin}\r\n"));
        let request = format!(
            "GET /relay/{TABLE} HTTP/1.1\r\nhost: localhost:{port}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n{origin}\
             sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
             sec-websocket-protocol: pentarchy.2, {PASS}\r\n\r\n"
        );
        member.to.write_all(request.as_bytes()).context("cannot ask for the relay")?;
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.extend(member.read(1)?);
        }
        let head = String::from_utf8_lossy(&head);
        let status = head.lines().next().unwrap_or_default();
        expect(status.contains(" 101 "), "the relay opens", status)?;
        Ok(member)
    }

    /// Reads exactly this number of bytes from the connection; blocks until they are there.
    ///
    /// # Errors
    ///
    /// Fails if it ends before.
    fn read(&mut self, bytes: usize) -> Result<Vec<u8>> {
        let mut read = vec![0; bytes];
        let ended = self.running.0.try_wait().ok().flatten();
        self.from.read_exact(&mut read).context(format!("the connection ended ({ended:?})"))?;
        Ok(read)
    }

    /// Reads the payload of the next binary message; blocks until there is one, and skips other frames. A message of
    /// 126 bytes or more is misread.
    ///
    /// # Errors
    ///
    /// Fails if the connection ends.
    fn receive(&mut self) -> Result<Vec<u8>> {
        loop {
            let head = self.read(2)?;
            let payload = self.read(usize::from(head[1] & 127))?;
            if head[0] == 0x82 {
                return Ok(payload);
            }
        }
    }

    /// Sends a binary message, masked with zeros. The payload must have less than 126 bytes, which is not checked.
    ///
    /// # Errors
    ///
    /// Fails if the connection is closed.
    fn send(&mut self, payload: &[u8]) -> Result<()> {
        let frame = [&[0x82, 0x80 | payload.len() as u8, 0, 0, 0, 0], payload].concat();
        self.to.write_all(&frame).context("cannot send")
    }
}
