//! Mail for absent members, over real sockets and in a real database.

use crate::common::{Folder, PATIENCE, Peer, eventually, invite, metric, start, start_with, table};
use pentarchy_keys::{Entropy, SigningSecret};
use pentarchy_net::wire::{PeerFrame, RelayFrame};
use pentarchy_net::{
    Dialer, MAX_PACKET, MailCursor, MailError, NativeTransport, NetEvent, PacketId, packet_id,
};
use pentarchy_server::{BackgroundServer, Limits, MailboxConfig, Rate, ServerConfig};
use pentarchy_storage::{
    AppendOutcome, DatabaseLocation, MailLimits, MailPage, MailUsage, MemoryStorage, NewPacket, Storage,
    StorageError, StorageFuture,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};
use tungstenite::Message;

/// A frame about mail that does not borrow.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Got {
    Mail(MailCursor, Vec<u8>),
    Stored(MailCursor, PacketId),
    End(MailCursor),
    Refused(PacketId, MailError),
}

impl Peer {
    /// Sends a frame to the relay.
    fn put(&mut self, frame: &PeerFrame<'_>) {
        self.socket.send(Message::Binary(frame.to_bytes().into())).unwrap();
    }

    /// Waits for the next frame about mail and returns it; other frames are skipped. Panics after [`PATIENCE`].
    fn mail(&mut self) -> Got {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            let frame = self.socket.read().unwrap().into_data();
            return match RelayFrame::parse(&frame) {
                Some(RelayFrame::Mail { at, sealed }) => Got::Mail(at, sealed.to_vec()),
                Some(RelayFrame::Stored { at, id }) => Got::Stored(at, id),
                Some(RelayFrame::MailEnd(at)) => Got::End(at),
                Some(RelayFrame::MailRefused { id, why }) => Got::Refused(id, why),
                _ => continue,
            };
        }
        panic!("no mail in time")
    }

    /// Sends a packet to be stored, and returns the next frame about mail.
    fn store(&mut self, sealed: &[u8]) -> Got {
        self.put(&PeerFrame::Store(sealed));
        self.mail()
    }

    /// Fetches everything after a cursor. Returns the packets in order, and the end of the mailbox.
    fn fetch(&mut self, after: MailCursor) -> (Vec<Vec<u8>>, MailCursor) {
        self.put(&PeerFrame::Fetch(after));
        let mut all = Vec::new();
        loop {
            match self.mail() {
                Got::Mail(_, sealed) => all.push(sealed),
                Got::End(end) => return (all, end),
                other => panic!("{other:?}"),
            }
        }
    }
}

/// Starts a server that stores its mail in the database of this folder.
fn start_in(folder: &Folder) -> BackgroundServer {
    let database = Some(DatabaseLocation::Folder(folder.path().to_owned()));
    start_with(ServerConfig { mailbox: MailboxConfig::Database, database, ..ServerConfig::default() })
}

/// Returns the place in the mailbox that a frame names. Panics for a refusal.
fn place(got: &Got) -> MailCursor {
    match got {
        Got::Stored(at, _) | Got::Mail(at, _) | Got::End(at) => *at,
        Got::Refused(..) => panic!("{got:?}"),
    }
}

#[test]
fn mail_survives_its_sender_and_the_server() {
    let folder = Folder::new("mail-restart", &[]);
    let server = start_in(&folder);
    let mut alone = Peer::enter(server.address(), 1);
    let stored: Vec<Got> = (0..300u32).map(|i| alone.store(&i.to_le_bytes())).collect();
    let mailbox = place(&stored[0]).mailbox;
    for (i, got) in stored.iter().enumerate() {
        let at = MailCursor { mailbox, number: i as u32 + 1 };
        assert_eq!(*got, Got::Stored(at, packet_id(&(i as u32).to_le_bytes())));
    }
    assert_eq!(alone.store(&7u32.to_le_bytes()), stored[7], "a packet is stored once");
    drop(alone);
    server.stop();
    let server = start_in(&folder);
    let mut other = Peer::enter(server.address(), 1);
    let (all, end) = other.fetch(MailCursor::default());
    assert_eq!(all, (0..300u32).map(|i| i.to_le_bytes().to_vec()).collect::<Vec<_>>());
    assert_eq!(end, MailCursor { mailbox, number: 300 });
    assert_eq!(other.fetch(end), (vec![], end));
    let (rest, _) = other.fetch(MailCursor { mailbox, number: 290 });
    assert_eq!(rest, (290..300u32).map(|i| i.to_le_bytes().to_vec()).collect::<Vec<_>>());
    assert_eq!(other.fetch(MailCursor { mailbox: mailbox ^ 1, number: 290 }).0.len(), 300);
    let mut elsewhere = Peer::enter(server.address(), 2);
    assert_eq!(elsewhere.fetch(MailCursor::default()), (vec![], MailCursor::default()), "another table");
    let next = place(&other.store(b"next"));
    assert_eq!(next, MailCursor { mailbox, number: 301 }, "numbers continue");
    assert_eq!(metric(&server, "pentarchy_mail_stored_total"), 1);
    assert_eq!(metric(&server, "pentarchy_mail_bytes_total"), 4);
    assert_eq!(metric(&server, "pentarchy_mail_delivered_total"), 610);
}

#[test]
fn new_mail_is_pushed_only_to_members_that_have_fetched() {
    let server = start(Limits::default());
    let at = server.address();
    let (mut writer, mut old, mut reader) = (Peer::enter(at, 1), Peer::enter(at, 1), Peer::enter(at, 1));
    reader.fetch(MailCursor::default());
    for i in 0..20u8 {
        writer.store(&[i]);
        assert!(matches!(reader.mail(), Got::Mail(MailCursor { number, .. }, sealed)
            if number == u32::from(i) + 1 && sealed == [i]));
    }
    // A member that stores gets its own packets as acknowledgements only, and all numbers.
    reader.put(&PeerFrame::Store(b"own"));
    assert_eq!(place(&reader.mail()).number, 21);
    writer.store(b"after");
    assert!(matches!(reader.mail(), Got::Mail(MailCursor { number: 22, .. }, _)));
    // A client of an older version sees none of it.
    writer.send(pentarchy_net::wire::Destination::One(old.me), b"hello");
    loop {
        if let crate::common::Received::Message(from, payload) = old.receive() {
            assert_eq!((from, payload), (writer.me, b"hello".to_vec()));
            break;
        }
    }
}

/// While several members store, others fetch again and again: each sees every number once and in order.
#[test]
fn nothing_falls_between_a_fetch_and_new_mail() {
    let folder = Folder::new("mail-race", &[]);
    let server = start_in(&folder);
    let at = server.address();
    let writers: Vec<_> = (0..3u8)
        .map(|w| {
            std::thread::spawn(move || {
                let mut peer = Peer::enter(at, 1);
                for i in 0..150u8 {
                    assert!(matches!(peer.store(&[w, i]), Got::Stored(..)));
                }
            })
        })
        .collect();
    let mut readers: Vec<Peer> = (0..3).map(|_| Peer::enter(at, 1)).collect();
    for (r, reader) in readers.iter_mut().enumerate() {
        std::thread::sleep(Duration::from_millis(20 * r as u64));
        let mut last = MailCursor::default();
        reader.put(&PeerFrame::Fetch(last));
        while last.number < 450 {
            match reader.mail() {
                // A packet may come twice around the end of a fetch, but never early or out of order.
                Got::Mail(at, _) => {
                    assert!(at.number <= last.number + 1, "{at:?} after {last:?}");
                    last = MailCursor { mailbox: at.mailbox, number: last.number.max(at.number) };
                }
                Got::End(end) => assert!(end.number <= last.number, "{end:?} after {last:?}"),
                other => panic!("{other:?}"),
            }
            if last.number.is_multiple_of(100) {
                reader.put(&PeerFrame::Fetch(last));
            }
        }
    }
    writers.into_iter().for_each(|writer| writer.join().unwrap());
}

#[test]
fn a_full_mailbox_refuses_and_keeps_what_it_has() {
    let limits = Limits { mail_table_packets: 3, mail_table_bytes: 1_000, ..Limits::default() };
    let server = start(limits);
    let mut peer = Peer::enter(server.address(), 1);
    assert_eq!(place(&peer.store(b"a")).number, 1);
    assert_eq!(peer.store(&[1; 1_000]), Got::Refused(packet_id(&[1; 1_000]), MailError::Full), "bytes");
    assert_eq!(place(&peer.store(b"b")).number, 2);
    assert_eq!(place(&peer.store(b"c")).number, 3);
    assert_eq!(peer.store(b"d"), Got::Refused(packet_id(b"d"), MailError::Full), "packets");
    assert_eq!(place(&peer.store(b"b")).number, 2, "stored before");
    let (all, _) = peer.fetch(MailCursor::default());
    assert_eq!(all, [b"a", b"b", b"c"]);
    // Another table has room.
    assert_eq!(place(&Peer::enter(server.address(), 2).store(b"d")).number, 1);
    assert_eq!(metric(&server, "pentarchy_mail_refused_total"), 2);
}

#[test]
fn the_whole_storage_and_one_address_are_limited() {
    let server = start(Limits { mail_total_bytes: 100, ..Limits::default() });
    let mut peers: Vec<Peer> = (1..4).map(|i| Peer::enter(server.address(), i)).collect();
    assert!(matches!(peers[0].store(&[1; 60]), Got::Stored(..)));
    assert!(matches!(peers[1].store(&[1; 41]), Got::Refused(_, MailError::Full)));
    assert!(matches!(peers[2].store(&[1; 40]), Got::Stored(..)));

    // An address that floods is refused, whatever tables it invents.
    let server = start(Limits { mail_rate: Rate { burst: 100, per_second: 0 }, ..Limits::default() });
    let mut stored = 0;
    for i in 1..20 {
        let got = Peer::enter(server.address(), i).store(&[i; 30]);
        stored += u32::from(matches!(got, Got::Stored(..)));
        assert_eq!(i <= 4, matches!(got, Got::Stored(..)), "{got:?}");
    }
    assert_eq!(stored, 4);
}

#[test]
fn a_server_without_a_mailbox_says_so() {
    let server = start_with(ServerConfig { mailbox: MailboxConfig::Off, ..ServerConfig::default() });
    let mut peer = Peer::enter(server.address(), 1);
    assert_eq!(peer.store(b"a"), Got::Refused(packet_id(b"a"), MailError::Off));
    assert_eq!(peer.fetch(MailCursor { mailbox: 3, number: 4 }), (vec![], MailCursor::default()));
}

#[test]
fn the_largest_packet_fits_and_a_long_mailbox_is_read_in_parts() {
    let server = start(Limits::default());
    let mut peer = Peer::enter(server.address(), 1);
    for i in 0..30u8 {
        assert!(matches!(peer.store(&vec![i; MAX_PACKET]), Got::Stored(..)));
    }
    // More than the queue of a member holds.
    assert!(30 * MAX_PACKET > Limits::default().queue_bytes);
    let mut other = Peer::enter(server.address(), 1);
    let (all, end) = other.fetch(MailCursor::default());
    assert!(all.iter().enumerate().all(|(i, sealed)| *sealed == vec![i as u8; MAX_PACKET]));
    assert_eq!((all.len(), end.number), (30, 30));
}

/// Storage that fails, or answers a read late, on request.
#[derive(Default)]
struct Failing {
    inner: MemoryStorage,
    fails: AtomicBool,
    reads_late: AtomicBool,
}

impl Failing {
    /// Returns a future that fails if the storage is set to fail; `None` otherwise.
    fn check<T: Send + 'static>(&self) -> Option<StorageFuture<'_, T>> {
        let error = StorageError::Unavailable("the disk was pulled".into());
        self.fails.load(SeqCst).then(|| Box::pin(async { Err(error) }) as StorageFuture<'_, T>)
    }
}

impl Storage for Failing {
    fn append_mail(
        &self,
        batch: Vec<NewPacket>,
        limits: MailLimits,
        now: u64,
    ) -> StorageFuture<'_, Vec<AppendOutcome>> {
        self.check().unwrap_or_else(|| self.inner.append_mail(batch, limits, now))
    }

    /// Reads a page, after half a second if the storage is set to read late. The page is as it was when this was
    /// called, unless that waits.
    fn read_mail(&self, table: pentarchy_net::TableId, after: MailCursor) -> StorageFuture<'_, MailPage> {
        let page = self.inner.read_mail(table, after);
        let late = Duration::from_millis(if self.reads_late.load(SeqCst) { 500 } else { 0 });
        let page = async move {
            tokio::time::sleep(late).await;
            page.await
        };
        self.check().unwrap_or_else(|| Box::pin(page))
    }

    fn expire_mail(&self, before: u64, now: u64) -> StorageFuture<'_, u64> {
        self.check().unwrap_or_else(|| self.inner.expire_mail(before, now))
    }

    fn mail_usage(&self) -> StorageFuture<'_, MailUsage> {
        self.check().unwrap_or_else(|| self.inner.mail_usage())
    }

    fn close(&self) -> StorageFuture<'_, ()> {
        self.inner.close()
    }
}

#[test]
fn a_packet_stored_while_a_fetch_reads_is_delivered() {
    let storage = Arc::new(Failing::default());
    let mailbox = MailboxConfig::Storage(Arc::clone(&storage) as Arc<dyn Storage>);
    let server = start_with(ServerConfig { mailbox, ..ServerConfig::default() });
    let (mut writer, mut reader) = (Peer::enter(server.address(), 1), Peer::enter(server.address(), 1));
    writer.store(b"before");
    storage.reads_late.store(true, SeqCst);
    reader.put(&PeerFrame::Fetch(MailCursor::default()));
    // The storage has read the first packet when the second one is stored.
    std::thread::sleep(Duration::from_millis(100));
    writer.store(b"meanwhile");
    let got: Vec<Got> = (0..3).map(|_| reader.mail()).collect();
    let is_mail = |got: &Got, text: &[u8]| matches!(got, Got::Mail(_, sealed) if sealed == text);
    assert!(is_mail(&got[0], b"before") && is_mail(&got[1], b"meanwhile"), "{got:?}");
    assert!(matches!(got[2], Got::End(MailCursor { number: 2, .. })), "{got:?}");
}

#[test]
fn a_packet_that_finds_no_memory_is_refused_for_now() {
    let mail_rate = Rate { burst: 30, per_second: 0 };
    let server = start(Limits { mail_waiting_bytes: 10, mail_rate, ..Limits::default() });
    let mut peer = Peer::enter(server.address(), 1);
    for _ in 0..3 {
        assert!(matches!(peer.store(&[1; 11]), Got::Refused(_, MailError::TryLater)), "it costs no rate");
    }
    assert!(matches!(peer.store(&[1; 10]), Got::Stored(..)));
}

#[test]
fn a_storage_that_comes_back_is_used_again() {
    let storage = Arc::new(Failing::default());
    let mailbox = MailboxConfig::Storage(Arc::clone(&storage) as Arc<dyn Storage>);
    let limits = Limits { mail_rate: Rate { burst: 10, per_second: 0 }, ..Limits::default() };
    let server = start_with(ServerConfig { mailbox, limits, ..ServerConfig::default() });
    let mut peer = Peer::enter(server.address(), 1);
    assert!(matches!(peer.store(b"one"), Got::Stored(..)));
    storage.fails.store(true, SeqCst);
    // What is not stored does not count against the rate.
    for _ in 0..5 {
        assert_eq!(peer.store(b"two"), Got::Refused(packet_id(b"two"), MailError::TryLater));
    }
    peer.put(&PeerFrame::Fetch(MailCursor::default()));
    eventually("the failures are counted", || metric(&server, "pentarchy_mail_failed_total") >= 2);
    storage.fails.store(false, SeqCst);
    assert_eq!(place(&peer.store(b"two")).number, 2, "no end of a fetch that failed");
    assert_eq!(peer.fetch(MailCursor::default()).0, [b"one", b"two"]);
}

/// Returns the identity of player `i`: the same one in each run.
fn identity(i: u8) -> SigningSecret {
    SigningSecret::new(Entropy::new([i; 32]))
}

/// Connects player `i` to table 1 at a server, in the background.
fn transport(server: &BackgroundServer, i: u8) -> NativeTransport {
    let link = pentarchy_net::Invite { server: format!("http://{}", server.address()), ..invite(1) };
    NativeTransport::connect(&Dialer::default(), &link, &identity(i), [i; 32]).unwrap()
}

/// Waits for an event that `wanted` maps to something, and returns that; other events are dropped. Panics after
/// [`PATIENCE`].
fn wait_for<T>(transport: &NativeTransport, wanted: impl Fn(NetEvent) -> Option<T>) -> T {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Some(found) = transport.next_event(Duration::from_millis(100)).and_then(&wanted) {
            return found;
        }
    }
    panic!("not in time")
}

#[test]
fn a_move_made_alone_reaches_the_others_later() {
    let folder = Folder::new("mail-transport", &[]);
    let server = start_in(&folder);
    let ada = transport(&server, 1);
    ada.post(b"Ada moves".to_vec()).unwrap();
    ada.post(vec![7; pentarchy_net::MAX_POST]).unwrap();
    assert!(ada.has_unsent() && ada.post(vec![7; pentarchy_net::MAX_POST + 1]).is_err());
    wait_for(&ada, |event| (event == NetEvent::MailStored).then_some(()));
    eventually("everything is sent", || !ada.has_unsent());
    drop(ada);
    eventually("the room is empty", || metric(&server, "pentarchy_members") == 0);
    server.stop();

    let server = start_in(&folder);
    let bob = transport(&server, 2);
    bob.fetch_mail(MailCursor::default());
    let mail = |event| match event {
        NetEvent::Mail { cursor, message } => Some((cursor, message)),
        _ => None,
    };
    let (first, message) = wait_for(&bob, mail);
    assert_eq!((first.number, message), (1, b"Ada moves".to_vec()));
    assert_eq!(wait_for(&bob, mail).1, vec![7; pentarchy_net::MAX_POST]);
    let end = wait_for(&bob, |event| match event {
        NetEvent::MailCaughtUp(end) => Some(end),
        _ => None,
    });
    assert_eq!(end, MailCursor { number: 2, ..first });
    // The server sees neither the message nor its sender.
    let bytes = std::fs::read(folder.path().join("pentarchy.db")).unwrap();
    let wal = std::fs::read(folder.path().join("pentarchy.db-wal")).unwrap_or_default();
    let shows =
        |text: &[u8]| [&bytes, &wal].iter().any(|file| file.windows(text.len()).any(|part| part == text));
    assert!(!shows(b"Ada moves") && !shows(identity(1).public().bytes()));
    assert!(shows(table(1).bytes()), "it sees the table");
}
