//! Small servers that take messages: one for mail, one for HTTP.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

/// Longer than anything here takes, so that a test fails instead of hanging.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// What a sink has received, in order.
pub(crate) struct Received<T> {
    items: Arc<(Mutex<VecDeque<T>>, Condvar)>,
}

impl<T> Clone for Received<T> {
    fn clone(&self) -> Self {
        Self { items: Arc::clone(&self.items) }
    }
}

impl<T> Received<T> {
    /// Creates an empty list.
    fn new() -> Self {
        Self { items: Arc::new((Mutex::new(VecDeque::new()), Condvar::new())) }
    }

    /// Adds an item.
    fn push(&self, item: T) {
        self.items.0.lock().unwrap().push_back(item);
        self.items.1.notify_all();
    }

    /// Waits for the next item and takes it. Panics if there is none for two minutes.
    pub(crate) fn next(&self) -> T {
        let items = self.items.0.lock().unwrap();
        let (mut items, waited) =
            self.items.1.wait_timeout_while(items, PATIENCE, |items| items.is_empty()).unwrap();
        assert!(!waited.timed_out(), "nothing was received");
        items.pop_front().unwrap()
    }

    /// Returns whether everything was taken.
    pub(crate) fn is_empty(&self) -> bool {
        self.items.0.lock().unwrap().is_empty()
    }
}

/// Accepts connections on a free port of this machine and serves each on a thread, until the process ends. Returns the
/// address.
fn listen(serve: impl Fn(TcpStream) + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let serve = Arc::new(serve);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            stream.set_read_timeout(Some(PATIENCE)).ok();
            let serve = Arc::clone(&serve);
            thread::spawn(move || serve(stream));
        }
    });
    address
}

/// A mail that was received.
pub(crate) struct ReceivedMail {
    pub(crate) to: String,
    /// Head and body, as they were sent.
    pub(crate) text: String,
}

impl ReceivedMail {
    /// Returns the value of a header, unfolded. Panics if there is none.
    pub(crate) fn header(&self, name: &str) -> String {
        let head = self.text.split("\r\n\r\n").next().unwrap().replace("\r\n ", " ");
        let line = head
            .lines()
            .find_map(|line| line.strip_prefix(&format!("{name}:")).map(|value| value.trim().to_owned()));
        line.unwrap_or_else(|| panic!("no {name} in {head}"))
    }

    /// Returns the path of the link of this action in the body, which may be encoded as quoted-printable.
    pub(crate) fn link(&self, action: &str) -> String {
        let text = self.text.replace("=\r\n", "");
        let start = text.rfind(&format!("/api/notify/{action}/")).expect("a link");
        text[start..].split_whitespace().next().unwrap().to_owned()
    }
}

/// Starts a mail server. It has no recipient whose address begins with `nobody`. Returns its address and the mails that it
/// accepts.
pub(crate) fn mail_server() -> (SocketAddr, Received<ReceivedMail>) {
    let received = Received::new();
    let mails = received.clone();
    (listen(move |stream| serve_mail(stream, &mails).unwrap_or_default()), received)
}

/// Serves one connection of SMTP. `None` if it breaks.
fn serve_mail(stream: TcpStream, mails: &Received<ReceivedMail>) -> Option<()> {
    let mut out = stream.try_clone().ok()?;
    let mut input = BufReader::new(stream);
    let mut say = |line: &str| out.write_all(format!("{line}\r\n").as_bytes()).ok();
    let mut to = String::new();
    say("220 sink")?;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            greeting if greeting.starts_with("EHLO") => say("250 sink")?,
            from if from.starts_with("MAIL") => say("250 ok")?,
            rcpt if rcpt.starts_with("RCPT TO:<nobody") => say("550 5.1.1 no such mailbox")?,
            rcpt if rcpt.starts_with("RCPT TO:<") => {
                to = rcpt["RCPT TO:<".len()..].split('>').next()?.to_owned();
                say("250 ok")?;
            }
            "DATA" => {
                say("354 go on")?;
                let mut text = String::new();
                while !text.ends_with("\r\n.\r\n") {
                    input.read_line(&mut text).ok().filter(|read| *read > 0)?;
                }
                mails.push(ReceivedMail { to: to.clone(), text });
                say("250 ok")?;
            }
            "QUIT" => return say("221 bye"),
            _ => say("500 what")?,
        }
    }
}

/// A request that was received.
pub(crate) struct ReceivedRequest {
    /// The first line and the headers, their names in lower case.
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl ReceivedRequest {
    /// Returns the value of a header. Panics if there is none.
    pub(crate) fn header(&self, name: &str) -> &str {
        let line = self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        line.unwrap_or_else(|| panic!("no {name} in {}", self.head))
    }
}

/// Starts an HTTP server. `reply` returns the status line and headers of the response to a path. Returns its address and
/// all requests.
pub(crate) fn http_server(
    reply: impl Fn(&str) -> String + Send + Sync + 'static,
) -> (SocketAddr, Received<ReceivedRequest>) {
    let received = Received::new();
    let requests = received.clone();
    (listen(move |stream| serve_http(stream, &reply, &requests).unwrap_or_default()), received)
}

/// Serves one request. `None` if the connection breaks.
fn serve_http(
    stream: TcpStream,
    reply: impl Fn(&str) -> String,
    requests: &Received<ReceivedRequest>,
) -> Option<()> {
    let mut out = stream.try_clone().ok()?;
    let mut input = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        input.read_line(&mut head).ok().filter(|read| *read > 0)?;
    }
    let path = head.split(' ').nth(1)?.to_owned();
    let lines = head.lines().map(|line| match line.split_once(": ") {
        Some((name, value)) => format!("{}: {value}", name.to_lowercase()),
        None => line.to_owned(),
    });
    let head = lines.collect::<Vec<_>>().join("\n");
    let len = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok())?;
    let mut body = vec![0; len];
    input.read_exact(&mut body).ok()?;
    requests.push(ReceivedRequest { head, body });
    let answer = format!("HTTP/1.1 {}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n", reply(&path));
    out.write_all(answer.as_bytes()).ok()
}
