//! A disk on which nothing more can be written.

use crate::cluster::{Running, free_port, loopback};
use crate::member::TableProgress;
use pentarchy_net::wire::{Destination, PROTOCOL, PeerFrame, RelayFrame};
use pentarchy_net::{MailCursor, MailError};
use std::fs;
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{self, Message, WebSocket};

const PATIENCE: Duration = Duration::from_secs(60);
/// Files of the server end here, in blocks of 512 bytes: room for the empty database and some packets.
const BLOCKS: &str = "1600";

/// Starts a server with its database in a folder. If `is_full`, its files cannot grow beyond [`BLOCKS`].
fn start(folder: &Path, port: u16, is_full: bool) -> Running {
    let limit = if is_full { BLOCKS } else { "unlimited" };
    // A write beyond the limit fails instead of ending the process if the signal for it is ignored.
    let script = format!("trap '' XFSZ; ulimit -f {limit}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_pentarchy-serve"), "--port", &port.to_string()]);
    command.arg("--data").arg(folder.join("data"));
    command.stderr(fs::File::create(folder.join("log")).unwrap());
    Running::start(&mut command, port)
}

/// A member of a room.
struct Visitor(WebSocket<TcpStream>);

impl Visitor {
    /// Enters the room of a table.
    fn enter(address: SocketAddr, table: &TableProgress) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let url = format!("ws://{address}/relay/{}", table.table());
        let mut request = url.into_client_request().unwrap();
        let offer = format!("{PROTOCOL}, {}", table.invite().pass().to_text());
        request.headers_mut().insert("sec-websocket-protocol", offer.parse().unwrap());
        Self(tungstenite::client(request, stream).unwrap().0)
    }

    /// Sends a frame.
    fn send(&mut self, frame: &PeerFrame<'_>) {
        self.0.send(Message::Binary(frame.to_bytes().into())).unwrap();
    }

    /// Reads frames until `wanted` maps one to something, and returns that.
    fn wait<T>(&mut self, mut wanted: impl FnMut(RelayFrame<'_>) -> Option<T>) -> T {
        loop {
            let message = self.0.read().unwrap().into_data();
            if let Some(found) = RelayFrame::parse(&message).and_then(&mut wanted) {
                return found;
            }
        }
    }

    /// Stores a packet. Returns its number, or why it is not stored.
    fn store(&mut self, sealed: &[u8]) -> Result<u32, MailError> {
        self.send(&PeerFrame::Store(sealed));
        self.wait(|frame| match frame {
            RelayFrame::Stored { at, .. } => Some(Ok(at.number)),
            RelayFrame::MailRefused { why, .. } => Some(Err(why)),
            _ => None,
        })
    }

    /// Returns the whole mailbox.
    fn fetch(&mut self) -> Vec<Vec<u8>> {
        self.send(&PeerFrame::Fetch(MailCursor::default()));
        let mut mail = Vec::new();
        self.wait(|frame| match frame {
            RelayFrame::Mail { sealed, .. } => {
                mail.push(sealed.to_vec());
                None
            }
            RelayFrame::MailEnd(_) => Some(()),
            _ => None,
        });
        mail
    }
}

#[test]
fn a_full_disk_refuses_mail_and_loses_nothing_acknowledged() {
    let folder = std::env::temp_dir().join(format!("pentarchy-full-disk-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let (port, table) = (free_port(), TableProgress::new(1));
    let server = start(&folder, port, true);
    let [mut ada, mut bob] = [0; 2].map(|_| Visitor::enter(loopback(port), &table));
    let packet = |i: u32| vec![i as u8; 40_000];
    let mut stored = Vec::new();
    let refused = loop {
        match ada.store(&packet(stored.len() as u32 + 1)) {
            Ok(number) => stored.push(number),
            Err(why) => break why,
        }
        assert!(stored.len() < 50, "the disk is not full");
    };
    assert_eq!(refused, MailError::TryLater);
    assert!(stored.len() > 3 && stored.iter().copied().eq(1..=stored.len() as u32), "{stored:?}");
    let log = fs::read_to_string(folder.join("log")).unwrap();
    let told = log.lines().find(|line| line.contains("cannot store mail")).expect("a line in the log");
    assert!(told.contains("cannot write") && told.contains("pentarchy.db"), "{told}");
    // Everything else goes on.
    ada.send(&PeerFrame::Message { to: Destination::Others, payload: b"still here" });
    bob.wait(|frame| matches!(frame, RelayFrame::Message { payload: b"still here", .. }).then_some(()));
    let all: Vec<Vec<u8>> = stored.iter().map(|i| packet(*i)).collect();
    assert!(bob.fetch() == all, "what was acknowledged can be read");
    drop(server);

    let _server = start(&folder, port, false);
    let mut ada = Visitor::enter(loopback(port), &table);
    assert!(ada.fetch() == all, "nothing is lost");
    assert_eq!(ada.store(b"space again"), Ok(stored.len() as u32 + 1));
    fs::remove_dir_all(&folder).ok();
}
