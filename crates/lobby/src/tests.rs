//! Tables in one process: lobbies whose messages the test delivers.

mod agreement;
mod chat;
mod mail;
mod restore;
mod turns;

use super::*;
use crate::message::LOBBY;
use pentarchy_classics::{ConnectFour, Kuhn, Leduc, TicTacToe};
use pentarchy_engine::Rng;
use pentarchy_engine::any::any;
use pentarchy_keys::Entropy;
use pentarchy_ozymandias::Ozymandias;
use pentarchy_table::SessionEvent;

fn find(name: &str) -> Option<&'static dyn AnyGame> {
    let games: [&'static dyn AnyGame; 5] =
        [any::<Kuhn>(), any::<Leduc>(), any::<Ozymandias>(), any::<TicTacToe>(), any::<ConnectFour>()];
    games.into_iter().find(|game| game.info().name == name)
}

fn secret(i: u8) -> SigningSecret {
    SigningSecret::new(Entropy::new([i; 32]))
}

fn identity(i: u8) -> PublicIdentity {
    *secret(i).public().bytes()
}

fn lobby(i: u8, setup: Option<TableSetup>) -> Lobby {
    Lobby::new(
        find,
        secret(i),
        &format!("peer {i}"),
        HostTag::of(&identity(0)),
        setup,
        [50 + i; 32],
        Entropy::new([i; 32]),
    )
}

fn setup(starts_automatically: bool) -> TableSetup {
    let options = serde_json::json!({});
    TableSetup {
        game: any::<Kuhn>(),
        options,
        seats: 2,
        recovery: Recovery::End,
        stall_ms: 60_000,
        starts_automatically,
        tag: None,
    }
}

/// Peers that all reach each other. The others know peer i by its number.
struct Hub {
    peers: Vec<Lobby>,
    mail: VecDeque<(usize, usize, Vec<u8>)>,
    /// Sender and receiver of every message.
    sent: Vec<(usize, usize)>,
    disks: Vec<Vec<Vec<u8>>>,
    said: Vec<(usize, String)>,
    /// Refusals and withdrawals, by peer.
    warned: Vec<(usize, String)>,
    rng: Rng,
}

impl Hub {
    fn new(peers: Vec<Lobby>) -> Self {
        let disks = vec![Vec::new(); peers.len()];
        let mut hub = Self {
            peers,
            mail: VecDeque::new(),
            sent: vec![],
            disks,
            said: vec![],
            warned: vec![],
            rng: Rng::new(3),
        };
        for i in 0..hub.peers.len() {
            let outputs = hub.peers[i].start();
            hub.follow(i, outputs);
        }
        let count = hub.peers.len();
        for (i, j) in (0..count).flat_map(|i| (0..count).map(move |j| (i, j))) {
            if i != j {
                let up = NetEvent::PeerUp { peer: j as PeerId, identity: identity(j as u8), fresh: true };
                let outputs = hub.peers[i].handle_event(up);
                hub.follow(i, outputs);
            }
        }
        hub.deliver();
        hub
    }

    /// Carries out the outputs of a peer; players and bots choose at random.
    fn follow(&mut self, i: usize, outputs: Vec<LobbyOutput>) {
        let mut asked = Vec::new();
        for output in outputs {
            match output {
                LobbyOutput::Action(LobbyAction::Send(to, bytes))
                | LobbyOutput::Action(LobbyAction::SendBulk(to, bytes)) => {
                    self.sent.push((i, to as usize));
                    self.mail.push_back((i, to as usize, bytes));
                }
                LobbyOutput::Action(LobbyAction::Persist(bytes)) => self.disks[i].push(bytes),
                LobbyOutput::Event(LobbyEvent::Chat { name, text, .. }) => {
                    self.said.push((i, format!("{name}: {text}")));
                }
                LobbyOutput::Event(LobbyEvent::Session(SessionEvent::Chat { seat, text })) => {
                    self.said.push((i, format!("seat {seat}: {text}")));
                }
                LobbyOutput::Event(LobbyEvent::Refused(why))
                | LobbyOutput::Event(LobbyEvent::TermsChanged(why)) => self.warned.push((i, why)),
                LobbyOutput::Event(LobbyEvent::Session(SessionEvent::Choose)) => asked.push(None),
                LobbyOutput::Event(LobbyEvent::BotMustChoose(number)) => asked.push(Some(number)),
                LobbyOutput::Event(LobbyEvent::Session(
                    bad @ (SessionEvent::Broken(_) | SessionEvent::Evidence(_)),
                )) => {
                    panic!("{i}: {bad:?}")
                }
                _ => {}
            }
        }
        // Items that follow from a choice are stored after all earlier ones.
        for bot in asked {
            let peer = &mut self.peers[i];
            let session = bot.map_or_else(|| peer.session(), |number| peer.bot(number).unwrap().1);
            let text = session.unwrap().position().choose_random(&mut self.rng).unwrap();
            let outputs = match bot {
                None => peer.choose_action(&text),
                Some(number) => peer.choose_for_bot(number, &text),
            };
            self.follow(i, outputs);
        }
    }

    /// Delivers all messages.
    fn deliver(&mut self) {
        while let Some((from, to, bytes)) = self.mail.pop_front() {
            let outputs = self.peers[to].handle_event(NetEvent::Message(from as PeerId, bytes));
            self.follow(to, outputs);
        }
    }

    fn request(&mut self, i: usize, request: SeatRequest) {
        let outputs = self.peers[i].request_seat(&format!("guest {i}"), request);
        self.follow(i, outputs);
        self.deliver();
    }

    fn chairs(&self, i: usize) -> Vec<Option<(String, bool)>> {
        let chair = |chair: &Option<Chair>| chair.as_ref().map(|chair| (chair.name.clone(), chair.ready));
        self.peers[i].seating().unwrap().chairs.iter().map(chair).collect()
    }

    fn tick(&mut self) {
        for now in 1..20u64 {
            for i in 0..self.peers.len() {
                let outputs = self.peers[i].tick(now * 500);
                self.follow(i, outputs);
            }
            self.deliver();
        }
    }
}

#[test]
fn guests_request_seats_and_the_host_starts_when_all_are_ready() {
    let mut hub = Hub::new(vec![lobby(0, Some(setup(false))), lobby(1, None), lobby(2, None)]);
    hub.request(1, SeatRequest::Watch);
    hub.request(2, SeatRequest::Watch);
    assert_eq!(hub.chairs(2), [Some(("peer 0".into(), true)), None]);
    assert_eq!(hub.peers[1].seating().unwrap().watchers.len(), 2);
    // The host moves, a guest takes the seat that became free, and another guest requests it in vain.
    hub.request(0, SeatRequest::Sit { seat: Some(1), ready: false });
    hub.request(1, SeatRequest::Sit { seat: Some(0), ready: false });
    hub.request(2, SeatRequest::Sit { seat: Some(0), ready: true });
    assert_eq!(hub.chairs(1), [Some(("guest 1".into(), false)), Some(("guest 0".into(), true))]);
    assert_eq!(hub.peers[2].seating().unwrap().seat_of(&identity(2)), None);
    let fingerprints: Vec<String> = hub.peers.iter().map(|p| p.seating().unwrap().fingerprint()).collect();
    assert!(fingerprints.iter().all(|letters| *letters == fingerprints[0]));
    let outputs = hub.peers[0].start_match();
    assert!(outputs.is_empty(), "not before all are ready");
    hub.request(1, SeatRequest::Sit { seat: Some(0), ready: true });
    let outputs = hub.peers[2].send_chat("good luck");
    hub.follow(2, outputs);
    hub.deliver();
    assert!(hub.said.contains(&(0, "guest 2 (watching): good luck".into())), "{:?}", hub.said);
    let outputs = hub.peers[0].start_match();
    hub.follow(0, outputs);
    hub.deliver();
    hub.tick();
    // Two peers have played; a spectator has followed without hidden information.
    let seats: Vec<Option<u8>> = hub.peers.iter().map(|peer| peer.session().unwrap().seat()).collect();
    assert_eq!(seats, [Some(1), Some(0), None]);
    assert!(hub.peers.iter().all(Lobby::is_over));
    let heads: Vec<[u8; 32]> = hub.peers.iter().map(|peer| peer.session().unwrap().head()).collect();
    assert!(heads.iter().all(|head| *head == heads[0]));
    let is_agreement = |item: &Vec<u8>| item.first() == Some(&crate::restore::AGREED);
    assert!(hub.disks[2].iter().all(is_agreement), "a spectator stores nothing of the match");
    assert!(!hub.disks[0].is_empty());
}

#[test]
fn a_guest_who_leaves_before_the_start_frees_the_seat() {
    let mut hub = Hub::new(vec![lobby(0, Some(setup(false))), lobby(1, None)]);
    assert_eq!(hub.chairs(0)[1], Some(("peer 1".into(), true)));
    let outputs = hub.peers[0].handle_event(NetEvent::PeerDown(1));
    hub.follow(0, outputs);
    assert_eq!(hub.chairs(0)[1], None);
}

/// A bot of the host.
fn bot() -> HostedBot {
    HostedBot {
        identity: secret(9),
        name: "Sena".into(),
        level: "captain".into(),
        seed: SecretBytes::new([77; 32]),
    }
}

#[test]
fn a_table_that_bots_complete_after_the_start_of_the_lobby_starts_by_itself() {
    let mut hub = Hub::new(vec![lobby(0, Some(setup(true)))]);
    assert!(hub.peers[0].seat_bot(1, bot()));
    assert!(hub.peers[0].session().is_none());
    hub.request(0, SeatRequest::Sit { seat: Some(0), ready: true });
    hub.tick();
    assert!(hub.peers[0].is_over());
    // Not if the setup does not want it, and not before the start of the lobby.
    let mut hub = Hub::new(vec![lobby(0, Some(setup(false)))]);
    assert!(hub.peers[0].seat_bot(1, bot()));
    hub.request(0, SeatRequest::Sit { seat: Some(0), ready: true });
    assert!(hub.peers[0].session().is_none());
    let mut host = lobby(0, Some(setup(true)));
    assert!(host.seat_bot(1, bot()));
    host.request_seat("host", SeatRequest::Sit { seat: Some(0), ready: true });
    assert!(host.session().is_none());
    host.start();
    assert!(host.session().is_some());
}

#[test]
fn bots_of_the_host_are_declared_and_continue_after_a_crash() {
    let mut host = lobby(0, Some(setup(true)));
    assert!(host.seat_bot(1, bot()) && !host.seat_bot(1, bot()), "a seat is taken once");
    let mut hub = Hub::new(vec![host]);
    hub.tick();
    assert!(hub.peers[0].is_over());
    let players = &hub.peers[0].session().unwrap().descriptor().players;
    assert_eq!((players[1].host, players[0].host), (Some(0), None));
    // For every truncation of the stored items, the match ends in the same way for both.
    for cut in 1..hub.disks[0].len() {
        let mut host = lobby(0, Some(setup(true)));
        host.seat_bot(1, bot());
        let kept = hub.disks[0].len() - cut;
        host.restore(hub.disks[0][..kept].iter().cloned()).unwrap();
        let mut again = Hub::new(vec![host]);
        again.tick();
        assert!(again.peers[0].is_over(), "cut by {cut}");
        // The same holds after a second crash.
        let mut host = lobby(0, Some(setup(true)));
        host.seat_bot(1, bot());
        let disk = hub.disks[0][..kept].iter().chain(&again.disks[0]).cloned();
        host.restore(disk).unwrap();
        assert!(host.session().is_some_and(PeerSession::is_over), "cut by {cut}, then continued");
        let (_, session) = again.peers[0].bot(0).unwrap();
        assert_eq!(session.unwrap().head(), again.peers[0].session().unwrap().head());
    }
}

#[test]
fn any_peer_forwards_the_signed_start_to_late_peers() {
    let mut hub = Hub::new(vec![lobby(0, Some(setup(true))), lobby(1, None)]);
    hub.tick();
    assert!(hub.peers[1].is_over());
    // The host has left, the guest was restarted, and a spectator joins.
    let mut guest = lobby(1, None);
    guest.restore(hub.disks[1].iter().cloned()).unwrap();
    let mut watcher = lobby(2, None);
    watcher.request_seat("watcher", SeatRequest::Watch);
    let up = |i: u8| NetEvent::PeerUp { peer: i.into(), identity: identity(i), fresh: true };
    let start = |outputs: Vec<LobbyOutput>| {
        outputs.into_iter().find_map(|output| match output {
            LobbyOutput::Action(LobbyAction::Send(2, bytes)) if bytes[0] == LOBBY => Some(bytes),
            _ => None,
        })
    };
    let start = start(guest.handle_event(up(2))).unwrap();
    watcher.handle_event(up(1));
    // A start that the host has not signed is ignored.
    let mut changed = start.clone();
    let last = changed.len() - 1;
    changed[last] ^= 1;
    watcher.handle_event(NetEvent::Message(1, changed));
    assert!(watcher.session().is_none());
    watcher.handle_event(NetEvent::Message(1, start));
    assert_eq!(watcher.session().unwrap().descriptor(), hub.peers[0].session().unwrap().descriptor());
}

#[test]
fn a_guest_whose_reconnect_only_the_host_noticed_is_seated_again() {
    let mut hub = Hub::new(vec![lobby(0, Some(setup(false))), lobby(1, None)]);
    assert_eq!(hub.chairs(0)[1], Some(("peer 1".into(), true)));
    // Only the host notices that the connection was interrupted.
    for event in [NetEvent::PeerDown(1), NetEvent::PeerUp { peer: 1, identity: identity(1), fresh: false }] {
        let outputs = hub.peers[0].handle_event(event);
        hub.follow(0, outputs);
    }
    hub.deliver();
    assert_eq!(hub.chairs(0)[1], Some(("peer 1".into(), true)));
}

#[test]
fn a_match_of_a_tournament_carries_its_tag() {
    let seating =
        |i: u8, tag| lobby(i, Some(TableSetup { tag, ..setup(true) })).seating.unwrap().descriptor();
    let tagged = seating(0, Some([7; 16]));
    assert_eq!(tagged.tag(), [7; 16]);
    let plain = [0, 1].map(|i| seating(i, None));
    assert_ne!(plain[0].tag(), plain[1].tag());
    assert_eq!(tagged.nonce[..16], plain[0].nonce[..16], "the first half stays random");
}
