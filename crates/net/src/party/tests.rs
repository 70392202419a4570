//! Tables in one process: parties whose messages are carried by hand.

mod agreement;
mod chat;

use super::*;
use pentarchy_classics::{Kuhn, Leduc};
use pentarchy_engine::Rng;
use pentarchy_engine::any::{BasicBot, any};
use pentarchy_fair::Entropy;

fn find(name: &str) -> Option<&'static dyn AnyGame> {
    let games: [&'static dyn AnyGame; 2] = [any::<Kuhn>(), any::<Leduc>()];
    games.into_iter().find(|game| game.info().name == name)
}

fn secret(i: u8) -> SigningSecret {
    SigningSecret::new(Entropy::new([i; 32]))
}

fn identity(i: u8) -> Identity {
    *secret(i).public().bytes()
}

fn party(i: u8, setup: Option<Setup>) -> Party {
    Party::new(
        find,
        secret(i),
        &format!("peer {i}"),
        HostTag::of(&identity(0)),
        setup,
        [50 + i; 32],
        Entropy::new([i; 32]),
    )
}

fn setup(at_once: bool) -> Setup {
    let options = serde_json::json!({});
    Setup { game: any::<Kuhn>(), options, seats: 2, recovery: Recovery::End, stall_ms: 60_000, at_once }
}

/// Peers that all reach each other; peer i is known to the others by its number.
struct Hub {
    peers: Vec<Party>,
    mail: VecDeque<(usize, usize, Vec<u8>)>,
    disks: Vec<Vec<Vec<u8>>>,
    said: Vec<(usize, String)>,
    /// Refusals and withdrawals, by peer.
    warned: Vec<(usize, String)>,
    rng: Rng,
}

impl Hub {
    fn new(peers: Vec<Party>) -> Self {
        let disks = vec![Vec::new(); peers.len()];
        let mut hub =
            Self { peers, mail: VecDeque::new(), disks, said: vec![], warned: vec![], rng: Rng::new(3) };
        for i in 0..hub.peers.len() {
            let steps = hub.peers[i].start();
            hub.follow(i, steps);
        }
        let count = hub.peers.len();
        for (i, j) in (0..count).flat_map(|i| (0..count).map(move |j| (i, j))) {
            if i != j {
                let up = Event::Up { peer: j as PeerId, identity: identity(j as u8), fresh: true };
                let steps = hub.peers[i].event(up);
                hub.follow(i, steps);
            }
        }
        hub.carry();
        hub
    }

    fn follow(&mut self, i: usize, steps: Vec<Step>) {
        let mut asked = Vec::new();
        for step in steps {
            match step {
                Step::Send(to, bytes) | Step::SendBulk(to, bytes) => {
                    self.mail.push_back((i, to as usize, bytes));
                }
                Step::Persist(bytes) => self.disks[i].push(bytes),
                Step::Chat { name, text, .. } => self.said.push((i, format!("{name}: {text}"))),
                Step::Session(Output::Chat { seat, text }) => {
                    self.said.push((i, format!("seat {seat}: {text}")));
                }
                Step::Refused(why) | Step::Changed(why) => self.warned.push((i, why)),
                Step::Session(Output::Choose) => asked.push(None),
                Step::BotChooses(number) => asked.push(Some(number)),
                Step::Session(bad @ (Output::Broken(_) | Output::Evidence(_))) => panic!("{i}: {bad:?}"),
                _ => {}
            }
        }
        // What comes of a choice is stored after all that came before it.
        for bot in asked {
            let peer = &mut self.peers[i];
            let session = bot.map_or_else(|| peer.session(), |number| peer.bot(number).unwrap().1);
            let text = session.unwrap().position().choose(BasicBot::Random, &mut self.rng).unwrap();
            let steps = match bot {
                None => peer.choose(&text),
                Some(number) => peer.bot_chooses(number, &text),
            };
            self.follow(i, steps);
        }
    }

    fn carry(&mut self) {
        while let Some((from, to, bytes)) = self.mail.pop_front() {
            let steps = self.peers[to].event(Event::Message(from as PeerId, bytes));
            self.follow(to, steps);
        }
    }

    fn wish(&mut self, i: usize, wish: Wish) {
        let steps = self.peers[i].wish(&format!("guest {i}"), wish);
        self.follow(i, steps);
        self.carry();
    }

    fn chairs(&self, i: usize) -> Vec<Option<(String, bool)>> {
        let chair = |chair: &Option<Chair>| chair.as_ref().map(|chair| (chair.name.clone(), chair.ready));
        self.peers[i].seating().unwrap().chairs.iter().map(chair).collect()
    }

    fn tick(&mut self) {
        for now in 1..20u64 {
            for i in 0..self.peers.len() {
                let steps = self.peers[i].tick(now * 500);
                self.follow(i, steps);
            }
            self.carry();
        }
    }
}

#[test]
fn guests_choose_seats_and_the_host_begins_when_all_are_ready() {
    let mut hub = Hub::new(vec![party(0, Some(setup(false))), party(1, None), party(2, None)]);
    hub.wish(1, Wish::Watch);
    hub.wish(2, Wish::Watch);
    assert_eq!(hub.chairs(2), [Some(("peer 0".into(), true)), None]);
    assert_eq!(hub.peers[1].seating().unwrap().watchers.len(), 2);
    // The host moves, a guest takes the seat that is free now, another one finds it taken.
    hub.wish(0, Wish::Sit { seat: Some(1), ready: false });
    hub.wish(1, Wish::Sit { seat: Some(0), ready: false });
    hub.wish(2, Wish::Sit { seat: Some(0), ready: true });
    assert_eq!(hub.chairs(1), [Some(("guest 1".into(), false)), Some(("guest 0".into(), true))]);
    assert_eq!(hub.peers[2].seating().unwrap().seat_of(&identity(2)), None);
    let fingerprints: Vec<String> = hub.peers.iter().map(|p| p.seating().unwrap().fingerprint()).collect();
    assert!(fingerprints.iter().all(|letters| *letters == fingerprints[0]));
    let steps = hub.peers[0].open();
    assert!(steps.is_empty(), "not before all are ready");
    hub.wish(1, Wish::Sit { seat: Some(0), ready: true });
    let steps = hub.peers[2].chat("good luck");
    hub.follow(2, steps);
    hub.carry();
    assert!(hub.said.contains(&(0, "guest 2 (watching): good luck".into())), "{:?}", hub.said);
    let steps = hub.peers[0].open();
    hub.follow(0, steps);
    hub.carry();
    hub.tick();
    // Two have played, and one has watched without knowing anything hidden.
    let seats: Vec<Option<u8>> = hub.peers.iter().map(|peer| peer.session().unwrap().seat()).collect();
    assert_eq!(seats, [Some(1), Some(0), None]);
    assert!(hub.peers.iter().all(Party::is_over));
    let heads: Vec<[u8; 32]> = hub.peers.iter().map(|peer| peer.session().unwrap().head()).collect();
    assert!(heads.iter().all(|head| *head == heads[0]));
    let is_agreement = |item: &Vec<u8>| item.first() == Some(&super::AGREED);
    assert!(hub.disks[2].iter().all(is_agreement), "a watcher stores nothing of the game");
    assert!(!hub.disks[0].is_empty());
}

#[test]
fn who_leaves_before_the_game_frees_his_seat() {
    let mut hub = Hub::new(vec![party(0, Some(setup(false))), party(1, None)]);
    assert_eq!(hub.chairs(0)[1], Some(("peer 1".into(), true)));
    let steps = hub.peers[0].event(Event::Down(1));
    hub.follow(0, steps);
    assert_eq!(hub.chairs(0)[1], None);
}

#[test]
fn bots_beside_the_host_are_declared_and_go_on_after_a_crash() {
    let bot = || Hosted {
        identity: secret(9),
        name: "Sena".into(),
        level: "captain".into(),
        seed: SecretBytes::new([77; 32]),
    };
    let mut host = party(0, Some(setup(true)));
    assert!(host.seat_bot(1, bot()) && !host.seat_bot(1, bot()), "a seat is taken once");
    let mut hub = Hub::new(vec![host]);
    hub.tick();
    assert!(hub.peers[0].is_over());
    let players = &hub.peers[0].session().unwrap().descriptor().players;
    assert_eq!((players[1].host, players[0].host), (Some(0), None));
    // Whatever is cut from the end of what was stored, the game ends in the same way for both.
    for cut in 1..hub.disks[0].len() {
        let mut host = party(0, Some(setup(true)));
        host.seat_bot(1, bot());
        let kept = hub.disks[0].len() - cut;
        host.resume(hub.disks[0][..kept].iter().cloned()).unwrap();
        let mut again = Hub::new(vec![host]);
        again.tick();
        assert!(again.peers[0].is_over(), "cut by {cut}");
        // And so it does after another crash.
        let mut host = party(0, Some(setup(true)));
        host.seat_bot(1, bot());
        let disk = hub.disks[0][..kept].iter().chain(&again.disks[0]).cloned();
        host.resume(disk).unwrap();
        assert!(host.session().is_some_and(Session::is_over), "cut by {cut}, and stored on");
        let (_, session) = again.peers[0].bot(0).unwrap();
        assert_eq!(session.unwrap().head(), again.peers[0].session().unwrap().head());
    }
}

#[test]
fn who_comes_late_is_told_what_is_played_by_anybody() {
    let mut hub = Hub::new(vec![party(0, Some(setup(true))), party(1, None)]);
    hub.tick();
    assert!(hub.peers[1].is_over());
    // The host is gone, the guest was started anew, and somebody wants to watch.
    let mut guest = party(1, None);
    guest.resume(hub.disks[1].iter().cloned()).unwrap();
    let mut watcher = party(2, None);
    watcher.wish("watcher", Wish::Watch);
    let up = |i: u8| Event::Up { peer: i.into(), identity: identity(i), fresh: true };
    let word = |steps: Vec<Step>| {
        steps.into_iter().find_map(|step| match step {
            Step::Send(2, bytes) if bytes[0] == TALK => Some(bytes),
            _ => None,
        })
    };
    let word = word(guest.event(up(2))).unwrap();
    watcher.event(up(1));
    // Nobody but the host can have said it.
    let mut changed = word.clone();
    let last = changed.len() - 1;
    changed[last] ^= 1;
    watcher.event(Event::Message(1, changed));
    assert!(watcher.session().is_none());
    watcher.event(Event::Message(1, word));
    assert_eq!(watcher.session().unwrap().descriptor(), hub.peers[0].session().unwrap().descriptor());
}

#[test]
fn a_guest_that_the_host_counted_out_and_in_again_is_seated_again() {
    let mut hub = Hub::new(vec![party(0, Some(setup(false))), party(1, None)]);
    assert_eq!(hub.chairs(0)[1], Some(("peer 1".into(), true)));
    // Only the host notices that the connection was gone.
    for event in [Event::Down(1), Event::Up { peer: 1, identity: identity(1), fresh: false }] {
        let steps = hub.peers[0].event(event);
        hub.follow(0, steps);
    }
    hub.carry();
    assert_eq!(hub.chairs(0)[1], Some(("peer 1".into(), true)));
}
