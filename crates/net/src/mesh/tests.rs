//! Meshes around a relay in memory that is interrupted, slow, curious and hostile.

mod mailbox;

use super::*;
use crate::invite::OwnerSecret;
use crate::memory::MemoryRoom;
use crate::secure::Handshake;
use crate::wire::RelayFrame;
use pentarchy_keys::Entropy;

struct Node {
    mesh: Mesh,
    member: Option<Member>,
    /// The events and signals that the mesh has emitted.
    heard: Vec<MeshOutput>,
    /// Packets for direct connections, by receiver.
    direct: Vec<(PeerId, Vec<u8>)>,
}

struct World {
    room: MemoryRoom,
    nodes: Vec<Node>,
    now: u64,
    /// All frames that the relay has carried.
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
        let mut world = World { room: MemoryRoom::default(), nodes: Vec::new(), now: 0, carried: Vec::new() };
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
            self.nodes[i].mesh.handle_relay_down();
        }
    }

    fn run(&mut self) {
        loop {
            let mut quiet = true;
            for node in &mut self.nodes {
                if let Some(member) = node.member {
                    while let Some(frame) = self.room.next_frame(member) {
                        quiet = false;
                        node.mesh.handle_relay_frame(&frame);
                    }
                }
                while let Some(output) = node.mesh.poll() {
                    quiet = false;
                    match output {
                        MeshOutput::Action(MeshAction::SendToRelay(frame)) => {
                            self.carried.push(frame.clone());
                            if let Some(member) = node.member {
                                self.room.send(member, &frame);
                            }
                        }
                        MeshOutput::Action(MeshAction::SendDirect(peer, packet)) => {
                            node.direct.push((peer, packet));
                        }
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

    /// Waits until peers that have entered show their identities.
    fn settle(&mut self) {
        self.run();
        (0..20).for_each(|_| self.pass(100));
    }

    /// Returns the number by which `i` knows `j`.
    fn peer(&self, i: usize, j: u8) -> PeerId {
        let wanted = secret(j).public();
        let known = (0..8).find(|&id| self.nodes[i].mesh.identity_of(id) == Some(wanted.bytes()));
        known.expect("met")
    }

    fn send(&mut self, i: usize, j: u8, text: &[u8]) {
        let peer = self.peer(i, j);
        self.nodes[i].mesh.send(peer, text);
    }

    fn messages(&mut self, i: usize) -> Vec<Vec<u8>> {
        let heard = std::mem::take(&mut self.nodes[i].heard);
        heard
            .into_iter()
            .filter_map(|o| if let MeshOutput::Event(NetEvent::Message(_, m)) = o { Some(m) } else { None })
            .collect()
    }

    fn ups(&mut self, i: usize) -> Vec<bool> {
        let heard = std::mem::take(&mut self.nodes[i].heard);
        let fresh =
            |o| if let MeshOutput::Event(NetEvent::PeerUp { fresh, .. }) = o { Some(fresh) } else { None };
        heard.into_iter().filter_map(fresh).collect()
    }
}

#[test]
fn all_members_authenticate_each_other() {
    let mut world = World::new(4);
    for i in 0..4 {
        assert_eq!(world.ups(i), [true; 3]);
        assert_eq!(world.nodes[i].mesh.reachable_peers().count(), 3);
    }
    for (i, j) in [(0, 1), (1, 0), (3, 2)] {
        world.send(i, j, format!("from {i}").as_bytes());
        world.run();
        assert_eq!(world.messages(usize::from(j)), [format!("from {i}").into_bytes()]);
    }
    assert_eq!(world.nodes[0].mesh.path_to(0), Some(PeerPath::Relay));
}

#[test]
fn the_relay_reads_nothing() {
    let mut world = World::new(2);
    world.send(0, 1, b"the queen of hearts is in my hand");
    world.run();
    assert_eq!(world.messages(1).len(), 1);
    let leaked = world.carried.iter().any(|frame| frame.windows(5).any(|five| five == b"queen"));
    assert!(!leaked);
}

#[test]
fn long_messages_and_many_of_them_arrive_in_order() {
    let mut world = World::new(2);
    let long: Vec<u8> = (0..MAX_MESSAGE).map(|i| (i / 7) as u8).collect();
    world.send(0, 1, &long);
    for i in 0..600u32 {
        world.send(0, 1, &i.to_le_bytes());
    }
    world.run();
    world.pass(100);
    let heard = world.messages(1);
    assert_eq!(heard.len(), 601);
    assert!(heard[0] == long && heard[600] == 599u32.to_le_bytes());
    world.send(0, 1, &vec![0; MAX_MESSAGE + 1]);
    world.run();
    assert!(world.messages(1).is_empty(), "too long to be sent");
}

#[test]
fn messages_in_flight_arrive_after_a_restart_of_the_relay() {
    let mut world = World::new(3);
    world.send(0, 1, b"one");
    world.run();
    world.pass(100);
    assert_eq!(world.messages(1), [b"one"]);
    // One message is sealed and dropped by the relay, one is sent while no peer is reachable.
    world.send(0, 1, b"two");
    while world.nodes[0].mesh.poll().is_some() {}
    for i in 0..3 {
        world.cut(i);
    }
    world.send(0, 1, b"three");
    world.run();
    assert!(world.nodes[0].heard.contains(&MeshOutput::Event(NetEvent::PeerDown(world.peer(0, 1)))));
    world.nodes[0].heard.clear();
    world.room = MemoryRoom::default();
    for i in 0..3 {
        world.connect(i);
    }
    world.run();
    assert_eq!(world.messages(1), [b"two".to_vec(), b"three".to_vec()]);
    assert_eq!(world.ups(0), [false; 2], "both are the same as before");
}

#[test]
fn a_restarted_peer_is_fresh() {
    let mut world = World::new(2);
    world.send(0, 1, b"before");
    world.send(1, 0, b"before");
    world.run();
    world.pass(100);
    world.nodes[0].heard.clear();
    world.cut(1);
    world.send(0, 1, b"lost with the process");
    world.nodes[1] = Node { mesh: mesh(1, 99, 7), member: None, heard: vec![], direct: vec![] };
    world.connect(1);
    world.run();
    assert!(world.ups(0).contains(&true) && world.ups(1).contains(&true));
    world.send(0, 1, b"after");
    world.send(1, 0, b"after too");
    world.run();
    assert_eq!(world.messages(1), [b"after"]);
    assert_eq!(world.messages(0), [b"after too"]);
}

#[test]
fn lost_pieces_are_retransmitted() {
    let mut world = World::new(2);
    world.send(0, 1, b"swallowed");
    while world.nodes[0].mesh.poll().is_some() {}
    world.pass(3_000);
    assert!(world.messages(1).is_empty());
    world.pass(5_000);
    assert_eq!(world.messages(1), [b"swallowed"]);
}

#[test]
fn a_member_with_another_key_is_not_authenticated() {
    let mut world = World::new(2);
    let stranger = mesh(9, 9, 8);
    world.nodes.push(Node { mesh: stranger, member: None, heard: vec![], direct: vec![] });
    world.connect(2);
    world.run();
    assert_eq!(world.nodes[2].mesh.reachable_peers().count(), 0);
    assert_eq!(world.nodes[0].mesh.reachable_peers().count(), 1);
}

#[test]
fn replayed_and_invented_frames_change_nothing() {
    let mut world = World::new(2);
    world.send(0, 1, b"once");
    world.run();
    assert_eq!(world.messages(1), [b"once"]);
    let sender = world.nodes[0].member.unwrap();
    let carried: Vec<Vec<u8>> = world.carried.clone();
    let intruder = world.room.enter();
    for frame in &carried {
        let (_, payload) = Destination::parse_frame(frame).unwrap();
        for from in [sender, intruder, Member(77)] {
            let frame = RelayFrame::Message { from, payload }.to_bytes();
            world.nodes[1].mesh.handle_relay_frame(&frame);
            let mut broken = frame.clone();
            let last = broken.len() - 1;
            broken[last] ^= 1;
            world.nodes[1].mesh.handle_relay_frame(&broken);
        }
    }
    world.run();
    assert_eq!(world.messages(1), Vec::<Vec<u8>>::new());
    world.send(0, 1, b"still fine");
    world.run();
    world.pass(10_000);
    assert_eq!(world.messages(1), [b"still fine"]);
    assert_eq!(world.nodes[1].mesh.reachable_peers().count(), 1);
}

#[test]
fn a_peer_that_the_relay_falsely_reports_as_gone_is_reachable_when_it_sends() {
    let mut world = World::new(3);
    world.messages(0);
    let (gone, peer) = (world.nodes[1].member.unwrap(), world.peer(0, 1));
    world.nodes[0].mesh.handle_relay_frame(&RelayFrame::Left(gone).to_bytes());
    world.run();
    assert_eq!(world.nodes[0].mesh.path_to(peer), None);
    world.send(0, 1, b"are you there");
    // Old packets prove nothing, and packets of others prove nothing about it.
    for frame in world.carried.clone() {
        let (_, payload) = Destination::parse_frame(&frame).unwrap();
        world.nodes[0].mesh.handle_relay_frame(&RelayFrame::Message { from: gone, payload }.to_bytes());
    }
    world.send(2, 0, b"hello");
    world.run();
    assert_eq!(world.nodes[0].mesh.path_to(peer), None);
    world.send(1, 0, b"I am here");
    world.run();
    assert_eq!(world.nodes[0].mesh.path_to(peer), Some(PeerPath::Relay));
    let up = NetEvent::PeerUp { peer, identity: *secret(1).public().bytes(), fresh: false };
    let came = NetEvent::Message(peer, b"I am here".to_vec());
    let heard = &world.nodes[0].heard;
    let at = |event: NetEvent| heard.iter().position(|output| *output == MeshOutput::Event(event.clone()));
    assert!(at(up.clone()).is_some() && at(up) < at(came), "{heard:?}");
    assert_eq!(world.messages(1), [b"are you there"]);
}

#[test]
fn a_direct_connection_takes_over_and_falls_back() {
    let mut world = World::new(2);
    let (b, a) = (world.peer(0, 1), world.peer(1, 0));
    world.nodes[0].mesh.send_signal(b, b"offer");
    world.run();
    assert!(
        world.nodes[1].heard.contains(&MeshOutput::Action(MeshAction::HandleSignal(a, b"offer".to_vec())))
    );
    world.nodes[0].mesh.handle_direct_up(b);
    world.nodes[1].mesh.handle_direct_up(a);
    assert_eq!(world.nodes[0].mesh.path_to(b), Some(PeerPath::Direct));
    let before = world.carried.len();
    world.send(0, 1, b"directly");
    world.run();
    assert_eq!(world.carried.len(), before, "not by the relay");
    let (_, packet) = world.nodes[0].direct.pop().unwrap();
    world.nodes[1].mesh.handle_direct_packet(a, &packet);
    world.run();
    assert_eq!(world.messages(1), [b"directly"]);

    // The relay goes; the direct connection stays.
    world.cut(0);
    world.run();
    assert_eq!(world.nodes[0].mesh.reachable_peers().count(), 1);
    world.connect(0);
    world.run();
    // The direct connection loses a packet and is given up.
    world.nodes[0].direct.clear();
    world.send(0, 1, b"swallowed");
    world.run();
    assert!(world.messages(1).is_empty());
    world.pass(20_000);
    world.pass(20_000);
    assert_eq!(world.messages(1), [b"swallowed"]);
    assert_eq!(world.nodes[0].mesh.path_to(b), Some(PeerPath::Relay));
    world.nodes[1].mesh.handle_direct_down(a);
    assert_eq!(world.nodes[1].mesh.reachable_peers().count(), 1);
}

#[test]
fn a_direct_path_that_is_given_up_without_the_relay_leaves_no_path() {
    let mut world = World::new(2);
    let b = world.peer(0, 1);
    world.nodes[0].mesh.handle_direct_up(b);
    world.cut(0);
    world.run();
    assert_eq!(world.nodes[0].mesh.path_to(b), Some(PeerPath::Direct));
    world.send(0, 1, b"swallowed");
    world.run();
    world.nodes[0].heard.clear();
    world.pass(20_000);
    world.pass(20_000);
    assert_eq!(world.nodes[0].mesh.path_to(b), None);
    assert_eq!(world.nodes[0].heard, [MeshOutput::Event(NetEvent::PeerDown(b))]);
}

#[test]
fn the_queue_for_an_absent_peer_is_bounded() {
    let mut world = World::new(2);
    world.send(0, 1, b"x");
    world.run();
    world.pass(100);
    world.nodes[0].heard.clear();
    world.cut(1);
    world.run();
    let large = vec![7; 1 << 20];
    for _ in 0..20 {
        world.send(0, 1, &large);
    }
    world.connect(1);
    world.run();
    world.pass(100);
    assert!(world.ups(0).iter().any(|_| true));
    let heard = world.messages(1).len();
    assert!(heard < 20, "{heard}");
    world.send(0, 1, b"goes on");
    world.run();
    world.pass(100);
    assert!(world.messages(1).contains(&b"goes on".to_vec()));
}

/// Sends first messages of handshakes, made without the key, from one member of the room to another.
fn flood(world: &mut World, from: Member, to: Member, count: u16) {
    let own = Credentials::new(table(), &InviteKey([0; 16]), &secret(66), Zeroizing::new([66; 32]));
    for i in 0..count {
        let mut seed = [0; 32];
        seed[..2].copy_from_slice(&i.to_le_bytes());
        let (_, first) = Handshake::initiate(&own, Zeroizing::new(seed)).unwrap();
        let payload = [&[HANDSHAKE, 1][..], &u32::from(i).to_le_bytes(), &first].concat();
        world.room.send(from, &Destination::One(to).to_frame(&payload));
    }
    world.run();
}

#[test]
fn handshakes_of_invented_members_use_bounded_memory() {
    let mut world = World::new(2);
    let first = [&[HANDSHAKE, 1][..], &7u32.to_le_bytes(), &[0; 64]].concat();
    for invented in 1_000..1_500 {
        let frame = RelayFrame::Message { from: Member(invented), payload: &first }.to_bytes();
        world.nodes[0].mesh.handle_relay_frame(&frame);
    }
    let footprint = world.nodes[0].mesh.footprint();
    assert_eq!((footprint.visitors, footprint.peers), (64, 1));
    world.run();
    world.messages(1);
    world.send(0, 1, b"still here");
    world.run();
    assert_eq!(world.messages(1), [b"still here"]);
}

#[test]
fn a_guest_connects_after_a_flood_of_handshakes_from_one_member() {
    let mut world = World::new(1);
    let host = world.nodes[0].member.unwrap();
    let intruder = world.room.enter();
    flood(&mut world, intruder, host, 300);
    let answers = std::iter::from_fn(|| world.room.next_frame(intruder)).count();
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
    assert_eq!(world.nodes[0].mesh.reachable_peers().count(), 1);
    world.send(0, 1, b"still here");
    world.run();
    assert_eq!(world.messages(1), [b"still here"]);
    // The member that has used up its budget is answered again when the budget has grown.
    while world.room.next_frame(intruder).is_some() {}
    world.pass(5_000);
    flood(&mut world, intruder, host, 1);
    assert!(world.room.next_frame(intruder).is_some());
}

#[test]
fn a_guest_with_many_identities_evicts_no_player() {
    let mut world = World::new(3);
    world.nodes[0].mesh.reserve([*secret(1).public().bytes()]);
    world.send(0, 1, b"before");
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
    world.send(0, 1, b"while away");
    world.nodes[0].heard.clear();
    world.connect(1);
    world.run();
    assert_eq!(world.messages(1), [b"while away"], "the place of a player was kept");
    assert_eq!(world.ups(0), [false], "with all it had heard");
    let last = Node { mesh: mesh(251, 251, 7), member: None, heard: vec![], direct: vec![] };
    world.nodes[2] = last;
    world.connect(2);
    world.run();
    assert_eq!(world.nodes[0].mesh.reachable_peers().count(), 2, "there is room for a new guest");
}

#[test]
fn a_lost_handshake_is_retried() {
    let mut world = World::new(1);
    world.nodes.push(Node { mesh: mesh(1, 1, 7), member: None, heard: vec![], direct: vec![] });
    world.connect(1);
    let member = world.nodes[1].member.unwrap();
    while let Some(frame) = world.room.next_frame(member) {
        world.nodes[1].mesh.handle_relay_frame(&frame);
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
fn a_second_device_with_the_same_identity_stops_and_stays_hidden() {
    let mut world = World::new(3);
    for i in 0..3 {
        world.ups(i);
    }
    let copy = world.copy_of(1, 99);
    assert_eq!(world.nodes[copy].heard, [MeshOutput::Event(NetEvent::IdentityInUse)]);
    for _ in 0..100 {
        world.pass(100);
    }
    assert_eq!(world.nodes[copy].heard, [MeshOutput::Event(NetEvent::IdentityInUse)], "it stays silent");
    // The first device is reached as before, and no peer has seen it leave or join.
    for i in 0..3 {
        assert_eq!(world.nodes[i].heard, [], "{i}");
    }
    world.send(0, 1, b"to the first device");
    world.send(1, 2, b"from the first device");
    world.run();
    assert_eq!(world.messages(1), [b"to the first device"]);
    assert_eq!(world.messages(2), [b"from the first device"]);
}

#[test]
fn a_second_device_may_join_after_the_first_has_left() {
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
    assert_eq!(world.nodes[1].heard, [MeshOutput::Event(NetEvent::IdentityInUse)]);
}

/// A device that loses the relay and finds another device in its place stops on its direct paths, too.
#[test]
fn a_device_that_finds_its_identity_in_use_sends_and_receives_nothing_directly() {
    let mut world = World::new(3);
    let (peer, back) = (world.peer(1, 0), world.peer(0, 1));
    world.nodes[1].mesh.handle_direct_up(peer);
    world.nodes[0].mesh.handle_direct_up(back);
    world.cut(1);
    world.run();
    world.copy_of(1, 99);
    world.settle();
    world.connect(1);
    world.run();
    assert!(world.nodes[1].heard.contains(&MeshOutput::Event(NetEvent::IdentityInUse)));
    // What the other side still sends on the direct path.
    world.send(0, 1, b"to the old path");
    world.run();
    let packets = std::mem::take(&mut world.nodes[0].direct);
    assert!(!packets.is_empty());
    let before = world.carried.len();
    world.nodes[1].heard.clear();
    world.nodes[1].direct.clear();
    for (_, packet) in packets {
        world.nodes[1].mesh.handle_direct_packet(peer, &packet);
    }
    world.send(1, 0, b"from the old device");
    world.nodes[1].mesh.send_bulk(peer, b"bulk");
    world.nodes[1].mesh.send_signal(peer, b"signal");
    let third = world.peer(1, 2);
    world.nodes[1].mesh.handle_direct_up(third);
    world.send(1, 2, b"to another peer");
    world.run();
    assert_eq!((&world.nodes[1].heard, &world.nodes[1].direct), (&vec![], &vec![]));
    assert_eq!(world.nodes[1].mesh.footprint().bytes, 0, "nothing waits");
    world.nodes[1].mesh.handle_direct_down(peer);
    world.run();
    assert_eq!(world.nodes[1].heard, [MeshOutput::Event(NetEvent::PeerDown(peer))]);
    assert_eq!(world.carried.len(), before, "nothing by the relay");
}

/// A connection of the same device that the relay has not dropped yet does not answer. It only costs the hold time.
#[test]
fn a_stale_connection_of_the_same_device_is_no_duplicate() {
    let mut world = World::new(2);
    let dead = world.nodes[1].member.take();
    world.nodes[1].mesh.handle_relay_down();
    world.ups(0);
    world.nodes[1].heard.clear();
    world.connect(1);
    world.settle();
    assert_eq!(world.nodes[1].mesh.reachable_peers().count(), 1);
    assert!(!world.nodes[1].heard.contains(&MeshOutput::Event(NetEvent::IdentityInUse)));
    world.send(0, 1, b"hello again");
    world.run();
    assert_eq!(world.messages(1), [b"hello again"]);
    assert!(dead.is_some());
}

/// The first device sleeps while the second one comes and goes: when it wakes up, it is reached again.
#[test]
fn a_device_that_slept_while_a_second_one_was_there_is_reached_again() {
    let mut world = World::new(2);
    let asleep = world.nodes[1].member.take();
    let copy = world.copy_of(1, 99);
    world.settle();
    assert_eq!(world.ups(copy), [true], "nobody has answered it");
    world.cut(copy);
    world.nodes[1].member = asleep;
    world.settle();
    world.nodes[1].heard.clear();
    world.send(0, 1, b"good morning");
    world.run();
    assert_eq!(world.messages(1), [b"good morning"]);
}

/// A relay that reflects a peer's own handshake does not make it stop.
#[test]
fn a_reflected_handshake_is_no_duplicate() {
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
        while let Some(frame) = world.room.next_frame(mirror) {
            if let Some(RelayFrame::Message { payload, .. }) = RelayFrame::parse(&frame) {
                world.room.send(mirror, &Destination::One(again).to_frame(payload));
            }
        }
    }
    assert_eq!(world.nodes[0].heard, []);
}

#[test]
fn a_stream_recovers_from_an_old_resume_that_the_relay_delivers_late() {
    let mut world = World::new(2);
    world.send(0, 1, b"one");
    world.pass(1_000);
    assert_eq!(world.messages(1), [b"one".to_vec()]);
    // A packet that the relay has held back names a stream that no longer exists.
    let from = world.peer(1, 0);
    let old = Packet::Resume { mine: 12_345, yours: 0, next: 0 }.encode();
    world.nodes[1].mesh.inject_packet(from, &old);
    world.run();
    world.messages(1);
    for _ in 0..10 {
        world.send(0, 1, b"two");
        world.pass(1_000);
    }
    let heard = world.messages(1);
    assert!(heard.iter().any(|message| message == b"two"), "{heard:?}");
}

/// A peer that does not know the new stream yet acknowledges the old one. That must not remove pieces of the new stream.
#[test]
fn acknowledgements_of_an_old_stream_do_not_count_for_a_new_one() {
    let mut world = World::new(2);
    for _ in 0..5 {
        world.send(0, 1, b"old stream");
        world.send(1, 0, b"answer");
        world.pass(1_000);
    }
    world.messages(1);
    let (b, a) = (world.peer(0, 1), world.peer(1, 0));
    // Node 0 starts a new stream, and a direct path swallows the packet that names it.
    world.nodes[0].mesh.handle_direct_up(b);
    let old = Packet::Resume { mine: world.nodes[1].mesh.peers[0].out.id, yours: 0, next: 0 }.encode();
    world.nodes[0].mesh.inject_packet(b, &old);
    world.send(0, 1, b"new stream");
    world.run();
    assert!(!std::mem::take(&mut world.nodes[0].direct).is_empty());
    // Node 1 still acknowledges the pieces of the old one.
    world.send(1, 0, b"answer");
    world.run();
    world.nodes[0].mesh.handle_direct_down(b);
    world.nodes[1].mesh.handle_direct_down(a);
    (0..20).for_each(|_| world.pass(1_000));
    let heard = world.messages(1);
    assert_eq!(heard, [b"new stream".to_vec()]);
}
