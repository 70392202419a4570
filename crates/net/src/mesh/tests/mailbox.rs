//! Meshes with a mailbox: posts, fetches, lost frames, lost mail.

use super::*;
use crate::mail::{MAX_POST, MailCursor, MailError, MailSealer, PostTooLongError, packet_id};
use crate::wire::PeerFrame;

impl World {
    /// Returns the mail that node `i` has got since the last call, with cursors.
    fn mail(&mut self, i: usize) -> Vec<(MailCursor, Vec<u8>)> {
        let heard = std::mem::take(&mut self.nodes[i].heard);
        let mail = heard.into_iter().filter_map(|output| match output {
            MeshOutput::Event(NetEvent::Mail { cursor, message }) => Some((cursor, message)),
            _ => None,
        });
        mail.collect()
    }

    fn texts(&mut self, i: usize) -> Vec<String> {
        self.mail(i).into_iter().map(|(_, message)| String::from_utf8(message).unwrap()).collect()
    }

    fn post(&mut self, i: usize, text: &str) {
        self.nodes[i].mesh.post(text.as_bytes()).unwrap();
        self.run();
    }

    fn fetch(&mut self, i: usize, after: MailCursor) {
        self.nodes[i].mesh.fetch_mail(after);
        self.run();
    }

    fn has_heard(&self, i: usize, event: &NetEvent) -> bool {
        self.nodes[i].heard.contains(&MeshOutput::Event(event.clone()))
    }

    /// Replaces node `i` by a new process of the same peer, which is not connected.
    fn restart(&mut self, i: usize, seed: u8) {
        self.cut(i);
        self.nodes[i] = Node { mesh: mesh(i as u8, seed, 7), member: None, heard: vec![], direct: vec![] };
    }

    /// Returns everything in the mailbox, as a new member gets it.
    fn whole_mailbox(&mut self) -> Vec<(MailCursor, Vec<u8>)> {
        self.nodes.push(Node { mesh: mesh(99, 99, 7), member: None, heard: vec![], direct: vec![] });
        let last = self.nodes.len() - 1;
        self.connect(last);
        self.fetch(last, MailCursor::default());
        let all = self.mail(last);
        self.cut(last);
        self.nodes.pop();
        all
    }
}

/// Draws a number below `n`.
fn below(random: &mut Drbg, n: u32) -> u32 {
    random.below(std::num::NonZeroU32::new(n).unwrap())
}

fn at(mailbox: u64, number: u32) -> MailCursor {
    MailCursor { mailbox, number }
}

#[test]
fn a_post_reaches_a_member_that_was_absent() {
    let mut world = World::new(1);
    assert!(!world.nodes[0].mesh.has_unsent());
    world.post(0, "one");
    world.post(0, "two");
    assert!(world.has_heard(0, &NetEvent::MailStored) && !world.nodes[0].mesh.has_unsent());
    world.cut(0);
    world.nodes.push(Node { mesh: mesh(1, 1, 7), member: None, heard: vec![], direct: vec![] });
    world.connect(1);
    world.run();
    assert!(world.mail(1).is_empty(), "nothing without a fetch");
    world.fetch(1, MailCursor::default());
    assert!(world.has_heard(1, &NetEvent::MailCaughtUp(at(1, 2))));
    assert_eq!(world.mail(1), [(at(1, 1), b"one".to_vec()), (at(1, 2), b"two".to_vec())]);
    world.fetch(1, at(1, 1));
    assert_eq!(world.texts(1), ["two"], "the rest after a cursor");
    world.fetch(1, at(77, 2));
    assert_eq!(world.texts(1), ["one", "two"], "the cursor of another mailbox");
    assert!(!world.carried.iter().any(|frame| frame.windows(3).any(|three| three == b"one")));
}

#[test]
fn new_mail_is_pushed_to_members_that_have_fetched() {
    let mut world = World::new(3);
    world.fetch(1, MailCursor::default());
    assert!(world.has_heard(1, &NetEvent::MailCaughtUp(MailCursor::default())));
    world.post(0, "now");
    assert_eq!((world.texts(0), world.texts(1), world.texts(2)), (vec![], vec!["now".into()], vec![]));
    // Its own post moves the cursor without an event.
    world.post(1, "mine");
    world.post(0, "then");
    assert_eq!(world.mail(1), [(at(1, 3), b"then".to_vec())]);
}

#[test]
fn posts_wait_for_a_connection_and_are_sent_once() {
    let mut world = World::new(2);
    world.cut(0);
    world.post(0, "later");
    world.post(0, "later");
    assert!(world.nodes[0].mesh.has_unsent());
    world.connect(0);
    world.run();
    assert!(world.has_heard(0, &NetEvent::MailStored) && !world.nodes[0].mesh.has_unsent());
    let stores = |world: &World| {
        let is_store = |frame: &&Vec<u8>| matches!(PeerFrame::parse(frame), Some(PeerFrame::Store(_)));
        world.carried.iter().filter(is_store).count()
    };
    assert_eq!(stores(&world), 1);
    world.post(0, "later");
    assert_eq!(stores(&world), 1, "stored already");
    // Another member seals the same packet. One that has fetched knows that it is stored.
    world.post(1, "later");
    assert_eq!((stores(&world), world.whole_mailbox().len()), (2, 1));
    world.restart(1, 50);
    world.connect(1);
    world.fetch(1, MailCursor::default());
    world.post(1, "later");
    assert_eq!(stores(&world), 2);
    // The mailbox is lost: what was stored can be posted again.
    world.room.lose_mail();
    world.fetch(1, at(1, 1));
    assert!(world.has_heard(1, &NetEvent::MailCaughtUp(MailCursor::default())));
    world.post(1, "later");
    assert_eq!(world.whole_mailbox(), [(at(2, 1), b"later".to_vec())]);
}

#[test]
fn unsent_messages_to_peers_are_reported() {
    let mut world = World::new(2);
    let peer = world.peer(0, 1);
    world.nodes[0].mesh.send(peer, b"");
    assert!(world.nodes[0].mesh.has_unsent(), "an empty message, too");
    world.run();
    world.pass(100);
    world.pass(600);
    assert!(!world.nodes[0].mesh.has_unsent());
    world.cut(1);
    world.run();
    world.nodes[0].mesh.send(peer, b"unreachable");
    assert!(!world.nodes[0].mesh.has_unsent());
}

#[test]
fn packets_that_do_not_open_are_counted_and_skipped() {
    let mut world = World::new(2);
    world.fetch(1, MailCursor::default());
    let intruder = world.room.enter();
    world.room.send(intruder, &PeerFrame::Store(b"garbage").to_bytes());
    let strange = InviteKey([8; 16]);
    let sealed = MailSealer::new(&table(), &strange).seal(b"another key").unwrap();
    world.room.send(intruder, &PeerFrame::Store(&sealed).to_bytes());
    world.post(0, "fine");
    assert_eq!(world.mail(1), [(at(1, 3), b"fine".to_vec())]);
    assert_eq!(world.nodes[1].mesh.damaged_mail(), 2);
}

/// Answers each post of node 0 with a refusal, and returns the number of posts.
fn refuse_posts(world: &mut World, why: MailError) -> usize {
    let mut posts = 0;
    while let Some(output) = world.nodes[0].mesh.poll() {
        match output {
            MeshOutput::Action(MeshAction::SendToRelay(frame)) => {
                if let Some(PeerFrame::Store(sealed)) = PeerFrame::parse(&frame) {
                    posts += 1;
                    let refused = RelayFrame::MailRefused { id: packet_id(sealed), why };
                    world.nodes[0].mesh.handle_relay_frame(&refused.to_bytes());
                }
            }
            other => world.nodes[0].heard.push(other),
        }
    }
    posts
}

#[test]
fn refused_posts_are_retried_or_dropped() {
    for (why, is_retried) in [
        (MailError::Full, true),
        (MailError::TryLater, true),
        (MailError::Off, false),
        (MailError::TooLarge, false),
    ] {
        let mut world = World::new(1);
        world.nodes[0].mesh.post(b"refused").unwrap();
        assert_eq!(refuse_posts(&mut world, why), 1);
        assert!(world.has_heard(0, &NetEvent::MailRefused(why)) && !world.nodes[0].mesh.has_unsent());
        world.nodes[0].mesh.tick(1_000);
        world.nodes[0].mesh.tick(30_000);
        assert_eq!(refuse_posts(&mut world, why), 0, "not yet");
        world.nodes[0].mesh.tick(31_000);
        assert_eq!(refuse_posts(&mut world, why) == 1, is_retried, "{why:?}");
    }
}

#[test]
fn lost_posts_and_fetches_are_sent_again() {
    let mut world = World::new(2);
    world.nodes[0].mesh.post(b"lost").unwrap();
    world.nodes[1].mesh.fetch_mail(MailCursor::default());
    for node in &mut world.nodes {
        while node.mesh.poll().is_some() {}
    }
    (0..4).for_each(|_| world.pass(1_000));
    assert!(world.nodes[0].mesh.has_unsent() && world.texts(1).is_empty());
    (0..4).for_each(|_| world.pass(1_000));
    assert!(!world.nodes[0].mesh.has_unsent());
    assert_eq!(world.texts(1), ["lost"]);
}

#[test]
fn the_queue_of_posts_is_bounded() {
    let mut world = World::new(1);
    world.cut(0);
    let long = |i: u8| vec![i; MAX_POST];
    (0..40).for_each(|i| world.nodes[0].mesh.post(&long(i)).unwrap());
    world.run();
    let refused = MeshOutput::Event(NetEvent::MailRefused(MailError::QueueFull));
    let dropped = world.nodes[0].heard.iter().filter(|output| **output == refused).count();
    assert_eq!((dropped, world.nodes[0].mesh.footprint().bytes), (8, 8 << 20));
    let too_long = Err(PostTooLongError { bytes: MAX_POST + 1 });
    assert_eq!(world.nodes[0].mesh.post(&[0; MAX_POST + 1]), too_long);
    world.connect(0);
    world.run();
    assert!(world.has_heard(0, &NetEvent::MailStored));
    let stored: Vec<Vec<u8>> = world.whole_mailbox().into_iter().map(|(_, message)| message).collect();
    assert_eq!(stored, (0..32).map(long).collect::<Vec<_>>(), "in order");
    assert_eq!(world.nodes[0].mesh.footprint().bytes, 0);
}

#[test]
fn a_mailbox_restored_from_a_backup_continues() {
    let mut world = World::new(2);
    world.fetch(1, MailCursor::default());
    (0..5).for_each(|i| world.post(0, &format!("{i}")));
    assert_eq!(world.texts(1).len(), 5);
    (0..2).for_each(|i| world.cut(i));
    world.room.restore_mail(2);
    (0..2).for_each(|i| world.connect(i));
    world.run();
    assert!(world.has_heard(1, &NetEvent::MailCaughtUp(at(1, 2))));
    world.post(0, "new");
    assert_eq!(world.mail(1), [(at(1, 3), b"new".to_vec())]);
}

/// A relay loses frames in both directions, members come and go and restart. Whatever was acknowledged is delivered: to each
/// member in order and once per cursor, and to a member that comes last.
#[test]
fn acknowledged_posts_survive_lost_frames_reconnects_and_restarts() {
    for seed in 0..60u8 {
        let random = &mut Drbg::new(&[seed], "mailbox test");
        let mut world = World::new(3);
        // The cursor that each member has stored, what it has got since, and what it has posted.
        let mut cursors = [MailCursor::default(); 3];
        let mut got: [Vec<(MailCursor, Vec<u8>)>; 3] = Default::default();
        let mut posted: [Vec<Vec<u8>>; 3] = Default::default();
        (0..3).for_each(|i| world.fetch(i, MailCursor::default()));
        for step in 0..120u32 {
            let i = below(random, 3) as usize;
            match below(random, 12) {
                0..=4 => {
                    // Now and then two members post the same message.
                    let message =
                        format!("message {}", if below(random, 4) == 0 { step / 2 } else { 1_000 + step });
                    world.nodes[i].mesh.post(message.as_bytes()).unwrap();
                    posted[i].push(message.into_bytes());
                }
                5 => world.cut(i),
                6 | 7 if world.nodes[i].member.is_none() => world.connect(i),
                8 => {
                    // Losing the process loses the posts that were not acknowledged; the application posts them again.
                    world.restart(i, 100 + seed);
                    world.nodes[i].mesh.fetch_mail(cursors[i]);
                    for message in &posted[i] {
                        world.nodes[i].mesh.post(message).unwrap();
                    }
                    world.connect(i);
                }
                _ => {
                    world.now += 2_000;
                    let now = world.now;
                    world.nodes.iter_mut().for_each(|node| node.mesh.tick(now));
                }
            }
            world.run_with_loss(random);
            collect(&mut world, &mut got, &mut cursors);
        }
        // Nobody notices that the last packet is lost before the next one or the next connection.
        for i in 0..3 {
            world.cut(i);
            world.connect(i);
        }
        (0..20).for_each(|_| world.pass(2_000));
        collect(&mut world, &mut got, &mut cursors);
        let all = world.whole_mailbox();
        assert!(all.iter().enumerate().all(|(i, (cursor, _))| *cursor == at(1, i as u32 + 1)), "seed {seed}");
        for i in 0..3 {
            assert!(!world.nodes[i].mesh.has_unsent(), "seed {seed}");
            let stored = |message: &Vec<u8>| all.iter().filter(|(_, other)| other == message).count();
            assert!(
                posted[i].iter().all(|message| stored(message) == 1),
                "seed {seed}: a post is lost or doubled"
            );
            assert!(got[i].is_sorted_by(|a, b| a.0.number < b.0.number), "seed {seed}: order");
            assert!(got[i].iter().all(|entry| all.contains(entry)), "seed {seed}: invented");
            let has = |entry: &(MailCursor, Vec<u8>)| got[i].contains(entry) || posted[i].contains(&entry.1);
            assert!(all.iter().all(has), "seed {seed}: member {i} lacks mail");
        }
    }
}

/// Moves the mail that arrived to the lists of the members, and stores their cursors.
fn collect(world: &mut World, got: &mut [Vec<(MailCursor, Vec<u8>)>; 3], cursors: &mut [MailCursor; 3]) {
    for i in 0..3 {
        for (cursor, message) in world.mail(i) {
            cursors[i] = cursor;
            got[i].push((cursor, message));
        }
    }
}

impl World {
    /// Passes frames on until nothing moves, and loses one of eight in each direction, but no welcome.
    fn run_with_loss(&mut self, random: &mut Drbg) {
        let mut quiet = false;
        while !quiet {
            quiet = true;
            for node in &mut self.nodes {
                while let Some(frame) = node.member.and_then(|member| self.room.next_frame(member)) {
                    quiet = false;
                    if frame[0] == 0 || below(random, 8) > 0 {
                        node.mesh.handle_relay_frame(&frame);
                    }
                }
                while let Some(output) = node.mesh.poll() {
                    quiet = false;
                    match (output, node.member) {
                        (MeshOutput::Action(MeshAction::SendToRelay(frame)), Some(member)) => {
                            if below(random, 8) > 0 {
                                self.room.send(member, &frame);
                            }
                        }
                        (output, _) => node.heard.push(output),
                    }
                }
            }
        }
    }
}
