//! Meshes around a relay in memory that is cut, slow, curious and hostile.

use super::*;
use crate::invite::OwnerSecret;
use crate::memory::Room;
use crate::secure::Handshake;
use crate::wire::FromRelay;
use pentarchy_keys::Entropy;

struct Node {
    mesh: Mesh,
    member: Option<Member>,
    heard: Vec<Output>,
    /// What went by the direct connection, by receiver.
    direct: Vec<(PeerId, Vec<u8>)>,
}

struct World {
    room: Room,
    nodes: Vec<Node>,
    now: u64,
    /// Everything that the relay has seen.
    carried: Vec<Vec<u8>>,
}

fn secret(i: u8) -> SigningSecret {
    SigningSecret::new(Entropy::new([i; 32]))
}

fn table() -> TableId {
    OwnerSecret::new([1; 32]).proof(&InviteKey([7; 16])).table()
}

fn mesh(i: u8, seed: u8, key: u8) -> Mesh {
    Mesh::new(table(), &InviteKey([key; 16]), &secret(i), [seed; 32])
}

impl World {
    fn new(n: u8) -> Self {
        let mut world = World { room: Room::default(), nodes: Vec::new(), now: 0, carried: Vec::new() };
        for i in 0..n {
            world.nodes.push(Node { mesh: mesh(i, i, 7), member: None, heard: vec![], direct: vec![] });
            world.connect(usize::from(i));
        }
        world.run();
        world
    }

    fn connect(&mut self, i: usize) {
        self.nodes[i].member = Some(self.room.enter());
    }

    fn cut(&mut self, i: usize) {
        if let Some(member) = self.nodes[i].member.take() {
            self.room.leave(member);
            self.nodes[i].mesh.relay_down();
        }
    }

    fn run(&mut self) {
        loop {
            let mut quiet = true;
            for node in &mut self.nodes {
                if let Some(member) = node.member {
                    while let Some(frame) = self.room.take(member) {
                        quiet = false;
                        node.mesh.relay_frame(&frame);
                    }
                }
                while let Some(output) = node.mesh.poll() {
                    quiet = false;
                    match output {
                        Output::Relay(frame) => {
                            self.carried.push(frame.clone());
                            if let Some(member) = node.member {
                                self.room.send(member, &frame);
                            }
                        }
                        Output::Direct(peer, packet) => node.direct.push((peer, packet)),
                        other => node.heard.push(other),
                    }
                }
            }
            if quiet {
                return;
            }
        }
    }

    fn pass(&mut self, ms: u64) {
        self.now += ms;
        for node in &mut self.nodes {
            node.mesh.tick(self.now);
        }
        self.run();
    }

    /// Waits until a peer that has entered does not wait any longer for members that are silent.
    fn settle(&mut self) {
        self.run();
        (0..20).for_each(|_| self.pass(100));
    }

    /// The number by which `i` knows `j`.
    fn peer(&self, i: usize, j: u8) -> PeerId {
        let wanted = secret(j).public();
        let known = (0..8).find(|&id| self.nodes[i].mesh.identity(id) == Some(wanted.bytes()));
        known.expect("met")
    }

    fn say(&mut self, i: usize, j: u8, text: &[u8]) {
        let peer = self.peer(i, j);
        self.nodes[i].mesh.send(peer, text);
    }

    fn messages(&mut self, i: usize) -> Vec<Vec<u8>> {
        let heard = std::mem::take(&mut self.nodes[i].heard);
        heard.into_iter().filter_map(|o| if let Output::Message(_, m) = o { Some(m) } else { None }).collect()
    }

    fn ups(&mut self, i: usize) -> Vec<bool> {
        let heard = std::mem::take(&mut self.nodes[i].heard);
        let fresh = |o| if let Output::Up { fresh, .. } = o { Some(fresh) } else { None };
        heard.into_iter().filter_map(fresh).collect()
    }
}

#[test]
fn everybody_meets_everybody() {
    let mut world = World::new(4);
    for i in 0..4 {
        assert_eq!(world.ups(i), [true; 3]);
        assert_eq!(world.nodes[i].mesh.present().count(), 3);
    }
    for (i, j) in [(0, 1), (1, 0), (3, 2)] {
        world.say(i, j, format!("from {i}").as_bytes());
        world.run();
        assert_eq!(world.messages(usize::from(j)), [format!("from {i}").into_bytes()]);
    }
    assert_eq!(world.nodes[0].mesh.path(0), Some(Path::Relay));
}

#[test]
fn the_relay_reads_nothing() {
    let mut world = World::new(2);
    world.say(0, 1, b"the queen of hearts is in my hand");
    world.run();
    assert_eq!(world.messages(1).len(), 1);
    let leaked = world.carried.iter().any(|frame| frame.windows(5).any(|five| five == b"queen"));
    assert!(!leaked);
}

#[test]
fn long_messages_and_many_of_them_arrive_in_order() {
    let mut world = World::new(2);
    let long: Vec<u8> = (0..MAX_MESSAGE).map(|i| (i / 7) as u8).collect();
    world.say(0, 1, &long);
    for i in 0..600u32 {
        world.say(0, 1, &i.to_le_bytes());
    }
    world.run();
    world.pass(100);
    let heard = world.messages(1);
    assert_eq!(heard.len(), 601);
    assert!(heard[0] == long && heard[600] == 599u32.to_le_bytes());
    world.say(0, 1, &vec![0; MAX_MESSAGE + 1]);
    world.run();
    assert!(world.messages(1).is_empty(), "too long to be sent");
}

#[test]
fn what_was_under_way_when_the_relay_went_arrives_after_it() {
    let mut world = World::new(3);
    world.say(0, 1, b"one");
    world.run();
    world.pass(100);
    assert_eq!(world.messages(1), [b"one"]);
    // Sealed and handed to a relay that drops it, and said while nobody is there.
    world.say(0, 1, b"two");
    while world.nodes[0].mesh.poll().is_some() {}
    for i in 0..3 {
        world.cut(i);
    }
    world.say(0, 1, b"three");
    world.run();
    assert!(world.nodes[0].heard.contains(&Output::Down(world.peer(0, 1))));
    world.nodes[0].heard.clear();
    world.room = Room::default();
    for i in 0..3 {
        world.connect(i);
    }
    world.run();
    assert_eq!(world.messages(1), [b"two".to_vec(), b"three".to_vec()]);
    assert_eq!(world.ups(0), [false; 2], "both are the same as before");
}

#[test]
fn a_peer_that_was_started_anew_is_fresh() {
    let mut world = World::new(2);
    world.say(0, 1, b"before");
    world.say(1, 0, b"before");
    world.run();
    world.pass(100);
    world.nodes[0].heard.clear();
    world.cut(1);
    world.say(0, 1, b"lost with the process");
    world.nodes[1] = Node { mesh: mesh(1, 99, 7), member: None, heard: vec![], direct: vec![] };
    world.connect(1);
    world.run();
    assert!(world.ups(0).contains(&true) && world.ups(1).contains(&true));
    world.say(0, 1, b"after");
    world.say(1, 0, b"after too");
    world.run();
    assert_eq!(world.messages(1), [b"after"]);
    assert_eq!(world.messages(0), [b"after too"]);
}

#[test]
fn pieces_that_are_swallowed_are_sent_again() {
    let mut world = World::new(2);
    world.say(0, 1, b"swallowed");
    while world.nodes[0].mesh.poll().is_some() {}
    world.pass(3_000);
    assert!(world.messages(1).is_empty());
    world.pass(5_000);
    assert_eq!(world.messages(1), [b"swallowed"]);
}

#[test]
fn who_has_another_key_is_nobody() {
    let mut world = World::new(2);
    let stranger = mesh(9, 9, 8);
    world.nodes.push(Node { mesh: stranger, member: None, heard: vec![], direct: vec![] });
    world.connect(2);
    world.run();
    assert_eq!(world.nodes[2].mesh.present().count(), 0);
    assert_eq!(world.nodes[0].mesh.present().count(), 1);
}

#[test]
fn a_relay_that_repeats_and_invents_changes_nothing() {
    let mut world = World::new(2);
    world.say(0, 1, b"once");
    world.run();
    assert_eq!(world.messages(1), [b"once"]);
    let sender = world.nodes[0].member.unwrap();
    let carried: Vec<Vec<u8>> = world.carried.clone();
    let intruder = world.room.enter();
    for frame in &carried {
        let (_, payload) = To::read(frame).unwrap();
        for from in [sender, intruder, Member(77)] {
            let frame = FromRelay::Message { from, payload }.to_bytes();
            world.nodes[1].mesh.relay_frame(&frame);
            let mut broken = frame.clone();
            let last = broken.len() - 1;
            broken[last] ^= 1;
            world.nodes[1].mesh.relay_frame(&broken);
        }
    }
    world.run();
    assert_eq!(world.messages(1), Vec::<Vec<u8>>::new());
    world.say(0, 1, b"still fine");
    world.run();
    world.pass(10_000);
    assert_eq!(world.messages(1), [b"still fine"]);
    assert_eq!(world.nodes[1].mesh.present().count(), 1);
}

#[test]
fn a_direct_connection_takes_over_and_falls_back() {
    let mut world = World::new(2);
    let (b, a) = (world.peer(0, 1), world.peer(1, 0));
    world.nodes[0].mesh.signal(b, b"offer");
    world.run();
    assert!(world.nodes[1].heard.contains(&Output::Signal(a, b"offer".to_vec())));
    world.nodes[0].mesh.direct_up(b);
    world.nodes[1].mesh.direct_up(a);
    assert_eq!(world.nodes[0].mesh.path(b), Some(Path::Direct));
    let before = world.carried.len();
    world.say(0, 1, b"directly");
    world.run();
    assert_eq!(world.carried.len(), before, "not by the relay");
    let (_, packet) = world.nodes[0].direct.pop().unwrap();
    world.nodes[1].mesh.direct_frame(a, &packet);
    world.run();
    assert_eq!(world.messages(1), [b"directly"]);

    // The relay goes; the direct connection stays.
    world.cut(0);
    world.run();
    assert_eq!(world.nodes[0].mesh.present().count(), 1);
    world.connect(0);
    world.run();
    // The direct connection swallows something and is given up.
    world.nodes[0].direct.clear();
    world.say(0, 1, b"swallowed");
    world.run();
    assert!(world.messages(1).is_empty());
    world.pass(20_000);
    world.pass(20_000);
    assert_eq!(world.messages(1), [b"swallowed"]);
    assert_eq!(world.nodes[0].mesh.path(b), Some(Path::Relay));
    world.nodes[1].mesh.direct_down(a);
    assert_eq!(world.nodes[1].mesh.present().count(), 1);
}

#[test]
fn what_waits_for_somebody_who_does_not_come_is_bounded() {
    let mut world = World::new(2);
    world.say(0, 1, b"x");
    world.run();
    world.pass(100);
    world.nodes[0].heard.clear();
    world.cut(1);
    world.run();
    let large = vec![7; 1 << 20];
    for _ in 0..20 {
        world.say(0, 1, &large);
    }
    world.connect(1);
    world.run();
    world.pass(100);
    assert!(world.ups(0).iter().any(|_| true));
    let heard = world.messages(1).len();
    assert!(heard < 20, "{heard}");
    world.say(0, 1, b"goes on");
    world.run();
    world.pass(100);
    assert!(world.messages(1).contains(&b"goes on".to_vec()));
}

/// First messages of handshakes by somebody without the key, from one member of the room to another.
fn flood(world: &mut World, from: Member, to: Member, count: u16) {
    let own = Credentials::new(table(), &InviteKey([0; 16]), &secret(66), Zeroizing::new([66; 32]));
    for i in 0..count {
        let mut seed = [0; 32];
        seed[..2].copy_from_slice(&i.to_le_bytes());
        let (_, first) = Handshake::initiate(&own, Zeroizing::new(seed)).unwrap();
        let payload = [&[HANDSHAKE, 1][..], &u32::from(i).to_le_bytes(), &first].concat();
        world.room.send(from, &To::One(to).frame(&payload));
    }
    world.run();
}

#[test]
fn a_guest_is_heard_after_a_flood_of_handshakes_from_one_member() {
    let mut world = World::new(1);
    let host = world.nodes[0].member.unwrap();
    let intruder = world.room.enter();
    flood(&mut world, intruder, host, 300);
    let answers = std::iter::from_fn(|| world.room.take(intruder)).count();
    assert!(answers <= 20, "the flood was answered {answers} times");
    assert!(world.nodes[0].heard.is_empty());
    world.nodes.push(Node { mesh: mesh(1, 1, 7), member: None, heard: vec![], direct: vec![] });
    world.connect(1);
    world.settle();
    assert_eq!((world.ups(0), world.ups(1)), (vec![true], vec![true]));
}

#[test]
fn a_known_peer_returns_after_a_long_flood_and_the_flooder_may_too() {
    let mut world = World::new(2);
    let host = world.nodes[0].member.unwrap();
    let intruder = world.room.enter();
    flood(&mut world, intruder, host, 5_000);
    world.cut(1);
    world.connect(1);
    world.settle();
    assert_eq!(world.nodes[0].mesh.present().count(), 1);
    world.say(0, 1, b"still here");
    world.run();
    assert_eq!(world.messages(1), [b"still here"]);
    // Even the member that has used up its budget is answered again after a while.
    while world.room.take(intruder).is_some() {}
    world.pass(5_000);
    flood(&mut world, intruder, host, 1);
    assert!(world.room.take(intruder).is_some());
}

#[test]
fn a_guest_with_many_identities_crowds_nobody_out() {
    let mut world = World::new(3);
    world.nodes[0].mesh.reserve([*secret(1).public().bytes()]);
    world.say(0, 1, b"before");
    world.run();
    world.pass(1_000);
    assert_eq!(world.messages(1), [b"before"]);
    world.cut(1);
    world.cut(2);
    world.run();
    // One member after another, all with the key.
    for i in 0..300u16 {
        let mut seed = [77; 32];
        seed[..2].copy_from_slice(&i.to_le_bytes());
        let identity = SigningSecret::new(Entropy::new(seed));
        let mut node = Node {
            mesh: Mesh::new(table(), &InviteKey([7; 16]), &identity, seed),
            member: None,
            heard: vec![],
            direct: vec![],
        };
        std::mem::swap(&mut world.nodes[2], &mut node);
        world.connect(2);
        world.run();
        world.cut(2);
    }
    assert!(world.nodes[0].mesh.peers.len() <= 256);
    world.say(0, 1, b"while away");
    world.nodes[0].heard.clear();
    world.connect(1);
    world.run();
    assert_eq!(world.messages(1), [b"while away"], "the place of a player was kept");
    assert_eq!(world.ups(0), [false], "with all it had heard");
    let last = Node { mesh: mesh(251, 251, 7), member: None, heard: vec![], direct: vec![] };
    world.nodes[2] = last;
    world.connect(2);
    world.run();
    assert_eq!(world.nodes[0].mesh.present().count(), 2, "there is room for a new guest");
}

#[test]
fn a_handshake_that_is_swallowed_is_started_again() {
    let mut world = World::new(1);
    world.nodes.push(Node { mesh: mesh(1, 1, 7), member: None, heard: vec![], direct: vec![] });
    world.connect(1);
    let member = world.nodes[1].member.unwrap();
    while let Some(frame) = world.room.take(member) {
        world.nodes[1].mesh.relay_frame(&frame);
    }
    while world.nodes[1].mesh.poll().is_some() {}
    world.pass(1_000);
    assert!(world.ups(1).is_empty());
    world.pass(2_000);
    assert_eq!((world.ups(0), world.ups(1)), (vec![true], vec![true]));
}

impl World {
    /// One more device with the identity of `i`.
    fn copy_of(&mut self, i: u8, seed: u8) -> usize {
        self.nodes.push(Node { mesh: mesh(i, seed, 7), member: None, heard: vec![], direct: vec![] });
        self.connect(self.nodes.len() - 1);
        self.run();
        self.nodes.len() - 1
    }
}

#[test]
fn a_second_device_with_the_same_identity_is_told_and_nobody_else_notices() {
    let mut world = World::new(3);
    for i in 0..3 {
        world.ups(i);
    }
    let copy = world.copy_of(1, 99);
    assert_eq!(world.nodes[copy].heard, [Output::Twin]);
    for _ in 0..100 {
        world.pass(100);
    }
    assert_eq!(world.nodes[copy].heard, [Output::Twin], "it stays silent");
    // The first device is reached as before, and nobody has seen it come or go.
    for i in 0..3 {
        assert_eq!(world.nodes[i].heard, [], "{i}");
    }
    world.say(0, 1, b"to the first device");
    world.say(1, 2, b"from the first device");
    world.run();
    assert_eq!(world.messages(1), [b"to the first device"]);
    assert_eq!(world.messages(2), [b"from the first device"]);
}

#[test]
fn when_the_first_device_has_left_the_second_one_may_come() {
    let mut world = World::new(2);
    world.cut(1);
    world.run();
    world.ups(0);
    let copy = world.copy_of(1, 99);
    assert_eq!(world.ups(copy), [true]);
    assert_eq!(world.ups(0), [true]);
    // Now the first one is the later one.
    world.nodes[1].heard.clear();
    world.connect(1);
    world.run();
    assert_eq!(world.nodes[1].heard, [Output::Twin]);
}

/// The own connection that the relay has not missed yet does not answer: it is no twin, and costs a moment only.
#[test]
fn a_lost_connection_of_ones_own_is_no_twin() {
    let mut world = World::new(2);
    let dead = world.nodes[1].member.take();
    world.nodes[1].mesh.relay_down();
    world.ups(0);
    world.nodes[1].heard.clear();
    world.connect(1);
    world.settle();
    assert_eq!(world.nodes[1].mesh.present().count(), 1);
    assert!(!world.nodes[1].heard.contains(&Output::Twin));
    world.say(0, 1, b"hello again");
    world.run();
    assert_eq!(world.messages(1), [b"hello again"]);
    assert!(dead.is_some());
}

/// The first device sleeps while the second one comes and goes: when it wakes up, it is reached again.
#[test]
fn a_device_that_slept_while_its_twin_was_there_is_reached_again() {
    let mut world = World::new(2);
    let asleep = world.nodes[1].member.take();
    let copy = world.copy_of(1, 99);
    world.settle();
    assert_eq!(world.ups(copy), [true], "nobody has answered it");
    world.cut(copy);
    world.nodes[1].member = asleep;
    world.settle();
    world.nodes[1].heard.clear();
    world.say(0, 1, b"good morning");
    world.run();
    assert_eq!(world.messages(1), [b"good morning"]);
}

/// A relay that reflects a peer's own handshake does not make it believe that it has a twin.
#[test]
fn a_reflected_handshake_is_no_twin() {
    let mut world = World::new(1);
    let me = world.nodes[0].member.unwrap();
    let mirror = world.room.enter();
    world.run();
    world.cut(0);
    world.connect(0);
    let again = world.nodes[0].member.unwrap();
    assert_ne!(me, again);
    for _ in 0..4 {
        world.run();
        while let Some(frame) = world.room.take(mirror) {
            if let Some(FromRelay::Message { payload, .. }) = FromRelay::read(&frame) {
                world.room.send(mirror, &To::One(again).frame(payload));
            }
        }
    }
    assert_eq!(world.nodes[0].heard, []);
}

#[test]
fn a_stream_recovers_from_an_old_resume_that_the_relay_delivers_late() {
    let mut world = World::new(2);
    world.say(0, 1, b"one");
    world.pass(1_000);
    assert_eq!(world.messages(1), [b"one".to_vec()]);
    // What the relay has held back names a stream that was given up since.
    let from = world.peer(1, 0);
    let old = Packet::Resume { mine: 12_345, yours: 0, next: 0 }.encode();
    world.nodes[1].mesh.opened(from, &old);
    world.run();
    world.messages(1);
    for _ in 0..10 {
        world.say(0, 1, b"two");
        world.pass(1_000);
    }
    let heard = world.messages(1);
    assert!(heard.iter().any(|message| message == b"two"), "{heard:?}");
}
