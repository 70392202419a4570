//! What is played is what a guest in a terminal has confirmed: hosts in this process change the terms or start another
//! table, over a real server.

use crate::common::folder;
use crate::online::{find, text};
use crate::running::{PATIENCE, Running};
use pentarchy_keys::{Entropy, SigningSecret};
use pentarchy_lobby::{
    HostedBot, Lobby, LobbyAction, LobbyEvent, LobbyOutput, SeatRequest, SecretBytes, TableSetup,
};
use pentarchy_net::{Dialer, HostTag, Invite, InviteKey, NativeTransport, NetEvent, OwnerSecret};
use pentarchy_server::{BackgroundServer, ServerConfig};
use pentarchy_table::{Recovery, SessionEvent};
use std::io::Read as _;
use std::process::Stdio;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// The secret key of the host.
const IDENTITY: [u8; 32] = [2; 32];

/// The host of a table, in this process.
struct Host {
    lobby: Lobby,
    setup: TableSetup,
    /// What it has heard of the others.
    heard: Vec<NetEvent>,
}

/// What the host does in addition: returns `None` to try again after the next event, else what the host sends.
type Order = Box<dyn FnMut(&mut Host) -> Option<Vec<LobbyOutput>> + Send>;

/// A table whose host runs in a thread until this value is dropped.
struct HostedTable {
    _server: BackgroundServer,
    link: String,
    orders: Sender<Order>,
}

impl HostedTable {
    /// Opens a table of a game with this number of seats at a server of its own. Its match starts as soon as all are
    /// ready if `starts_automatically` is set.
    fn open(game: &str, seats: u8, starts_automatically: bool) -> Self {
        let server = BackgroundServer::start(ServerConfig { port: 0, ..ServerConfig::default() }).unwrap();
        let invite = Invite {
            server: format!("http://{}", server.address()),
            owner: OwnerSecret::new([3; 32]).tag(),
            key: InviteKey([4; 16]),
            host: HostTag::of(SigningSecret::from_bytes(&IDENTITY).public().bytes()),
        };
        let setup = TableSetup {
            game: find(game).unwrap(),
            options: serde_json::Value::Null,
            seats,
            recovery: Recovery::End,
            stall_ms: 200_000,
            starts_automatically,
            tag: None,
        };
        let (orders, todo) = mpsc::channel::<Order>();
        let link = invite.to_string();
        std::thread::spawn(move || {
            let secret = SigningSecret::from_bytes(&IDENTITY);
            let net = NativeTransport::connect(&Dialer::default(), &invite, &secret, [8; 32]).unwrap();
            let lobby = host_lobby(setup.clone());
            let (mut host, begin) = (Host { lobby, setup, heard: Vec::new() }, Instant::now());
            let (mut outputs, mut order) = (host.lobby.start(), None);
            loop {
                while !outputs.is_empty() {
                    outputs = perform(&mut host.lobby, &net, outputs);
                }
                if order.is_none() {
                    order = match todo.recv_timeout(Duration::ZERO) {
                        Ok(order) => Some(order),
                        Err(RecvTimeoutError::Timeout) => None,
                        Err(RecvTimeoutError::Disconnected) => return,
                    };
                }
                if let Some(done) = order.as_mut().and_then(|order: &mut Order| order(&mut host)) {
                    outputs.extend(done);
                    order = None;
                }
                if let Some(event) = net.next_event(Duration::from_millis(20)) {
                    host.heard.push(event.clone());
                    outputs.extend(host.lobby.handle_event(event));
                }
                outputs.extend(host.lobby.tick(begin.elapsed().as_millis() as u64));
            }
        });
        Self { _server: server, link, orders }
    }

    /// Waits until `order` returns outputs, and sends them.
    fn order(&self, mut order: impl FnMut(&mut Host) -> Option<Vec<LobbyOutput>> + Send + 'static) {
        let (tell, done) = mpsc::channel();
        let order = move |host: &mut Host| {
            let outputs = order(host)?;
            tell.send(()).unwrap();
            Some(outputs)
        };
        self.orders.send(Box::new(order)).unwrap();
        done.recv_timeout(PATIENCE).unwrap();
    }

    /// Returns whether the match has started at the host.
    fn has_started(&self) -> bool {
        let (tell, answer) = mpsc::channel();
        self.order(move |host| {
            tell.send(host.lobby.session().is_some()).unwrap();
            Some(Vec::new())
        });
        answer.recv().unwrap()
    }

    /// Waits until a guest sits, or nobody but the host.
    fn until_guest_sits(&self, sits: bool) {
        self.order(move |host| {
            let taken = host.lobby.seating()?.players().count();
            ((taken > 1) == sits).then(Vec::new)
        });
    }
}

/// Returns the lobby of the host with this setup.
fn host_lobby(setup: TableSetup) -> Lobby {
    let identity = SigningSecret::from_bytes(&IDENTITY);
    let tag = HostTag::of(identity.public().bytes());
    Lobby::new(find, identity, "Mallory", tag, Some(setup), [7; 32], Entropy::new([8; 32]))
}

/// Sends what the lobby wants to send, and makes the first choice of the list where one is asked for. Returns the outputs
/// of that.
fn perform(lobby: &mut Lobby, net: &NativeTransport, outputs: Vec<LobbyOutput>) -> Vec<LobbyOutput> {
    let mut next = Vec::new();
    for output in outputs {
        match output {
            LobbyOutput::Action(LobbyAction::Send(peer, message)) => net.send(peer, message),
            LobbyOutput::Action(LobbyAction::SendBulk(peer, message)) => net.send_bulk(peer, message),
            LobbyOutput::Event(LobbyEvent::Session(SessionEvent::Choose)) => {
                let first = lobby.session().unwrap().position().legal().unwrap().swap_remove(0);
                next.extend(lobby.choose_action(&first.canonical));
            }
            LobbyOutput::Event(LobbyEvent::BotMustChoose(bot)) => {
                let session = lobby.bot(bot).unwrap().1.unwrap();
                let first = session.position().legal().unwrap().swap_remove(0);
                next.extend(lobby.choose_for_bot(bot, &first.canonical));
            }
            _ => {}
        }
    }
    next
}

/// Puts a bot of the host into seat 3, which changes the terms and takes the last seat.
fn seat_bot(host: &mut Host) -> Option<Vec<LobbyOutput>> {
    let bot = HostedBot {
        identity: SigningSecret::from_bytes(&[5; 32]),
        name: "Cato".into(),
        level: "random".into(),
        seed: SecretBytes::new([6; 32]),
    };
    assert!(host.lobby.seat_bot(2, bot));
    Some(host.lobby.request_seat("Mallory", SeatRequest::Sit { seat: Some(0), ready: true }))
}

/// Returns the fingerprint that the line names last.
fn fingerprint(line: &str, before: &str) -> String {
    line.rsplit_once(before).unwrap().1.chars().take(19).collect()
}

#[test]
fn a_guest_confirms_the_terms_and_again_after_every_change() {
    let data = text(&folder("consent-changes"));
    for (name, is_away) in [("Bob", false), ("Cy", true)] {
        let table = HostedTable::open("liars-dice", 3, true);
        let join = || Running::start(&["join", &table.link, "--name", name, "--data", &data]);
        let mut guest = join();
        guest.until("3 seats. Time limit: 200 s. If a player leaves: the game ends.");
        guest.until("Options: standard. Version 1 of the rules");
        guest.until("Do you accept these terms?");
        guest.types("maybe");
        guest.until("Type `yes` to accept");
        guest.types("yes");
        guest.until("You are ready.");
        if is_away {
            guest.types("quit");
            assert_eq!(guest.end(), Some(0), "{}", guest.said);
            table.until_guest_sits(false);
        }
        table.order(seat_bot);
        if is_away {
            guest = join();
        }
        guest.until("The host put a bot in seat 3. You are not ready any more.");
        guest.until("Bots: Cato in seat 3.");
        let shown = fingerprint(&guest.until("3 of 3 seats"), "Fingerprint: ");
        guest.until("Do you accept these terms?");
        table.until_guest_sits(true);
        assert!(!table.has_started(), "{}", guest.said);
        guest.types("yes");
        let started = guest.until("the same for all at the table");
        assert_eq!(fingerprint(&started, "fingerprint "), shown, "{}", guest.said);
    }
}

#[test]
fn a_guest_leaves_a_table_whose_terms_it_does_not_accept() {
    let data = text(&folder("consent-no"));
    let table = HostedTable::open("kuhn", 2, true);
    let mut guest = Running::start(&["join", &table.link, "--name", "Bob", "--data", &data]);
    guest.until("Do you accept these terms?");
    table.until_guest_sits(true);
    assert!(!table.has_started(), "{}", guest.said);
    guest.types("no");
    guest.until("Left.");
    assert_eq!(guest.end(), Some(0), "{}", guest.said);
    assert!(!table.has_started());
}

#[test]
fn terms_are_accepted_without_a_question_on_request() {
    let data = text(&folder("consent-accept"));
    let table = HostedTable::open("liars-dice", 3, true);
    let args = ["join", &table.link, "--name", "Bob", "--data", &data, "--accept"];
    let mut guest = Running::start(&args);
    guest.until("2 of 3 seats");
    table.until_guest_sits(true);
    table.order(seat_bot);
    guest.until("The host put a bot in seat 3.");
    guest.until("the same for all at the table");
    assert!(!guest.said.contains("Do you accept"), "{}", guest.said);
}

#[test]
fn a_guest_refuses_a_match_that_differs_from_what_it_confirmed() {
    let data = text(&folder("consent-other"));
    let table = HostedTable::open("kuhn", 2, false);
    let args = ["join", &table.link, "--name", "Bob", "--data", &data];
    let mut guest = Running::start_logged(&args, Stdio::piped());
    guest.until("Do you accept these terms?");
    guest.types("yes");
    guest.until("You are ready.");
    // The host signs a table with another time limit, as if the guest had agreed to that one, and sends only the start.
    table.order(|host| {
        host.lobby.seating().filter(|seating| seating.is_ready())?;
        let setup = TableSetup { stall_ms: 45_000, starts_automatically: true, ..host.setup.clone() };
        let mut other = host_lobby(setup);
        other.start();
        for event in &host.heard {
            other.handle_event(event.clone());
        }
        let peer = host.heard.iter().find_map(|event| match event {
            NetEvent::PeerUp { peer, .. } => Some(*peer),
            _ => None,
        })?;
        let agreed = other.seating()?.descriptor().id().0;
        let agreement = [&[LOBBY, AGREE], &agreed[..]].concat();
        let mut outputs = other.handle_event(NetEvent::Message(peer, agreement));
        outputs.retain(|output| {
            matches!(output, LobbyOutput::Action(LobbyAction::Send(_, bytes)) if bytes.starts_with(&[LOBBY, START]))
        });
        assert!(!outputs.is_empty(), "the host signs the start");
        Some(outputs)
    });
    assert_eq!(guest.end(), Some(2), "{}", guest.said);
    let mut why = String::new();
    guest.child.stderr.take().unwrap().read_to_string(&mut why).unwrap();
    assert!(why.contains("the host changed the time limit from 200 s to 45 s"), "{why}");
}

/// The first bytes of lobby messages: their class, and the numbers of two of them.
const LOBBY: u8 = 0;
const START: u8 = 2;
const AGREE: u8 = 4;
