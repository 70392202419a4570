//! Sessions that are restored from snapshots, sound and damaged.

use super::*;
use crate::session::testbed::Testbed;
use crate::session::{Input, RestoreError, SessionOutput, SessionRequest, store};
use crate::wire::Message;
use pentarchy_engine::Rng;

/// What is done, but for the snapshots: when they are due depends on those before.
fn plain(outputs: Vec<SessionOutput>) -> Vec<String> {
    let plain = |output: &SessionOutput| !matches!(output, SessionOutput::Request(SessionRequest::Persist(item)) if is_snapshot(item));
    outputs.iter().filter(|output| plain(output)).map(|output| format!("{output:?}")).collect()
}

fn without_snapshots(disk: &[Vec<u8>]) -> Vec<Vec<u8>> {
    disk.iter().filter(|item| !is_snapshot(item)).cloned().collect()
}

/// Plays a game, with all that each seat was sent.
fn played(name: &str, seats: u8, seed: u8, events: u32) -> Testbed {
    let mut bed = Testbed::new(name, seats, seed);
    bed.play(events);
    bed
}

#[test]
fn a_session_from_a_snapshot_equals_one_from_the_whole_log() {
    let mut rng = Rng::new(5);
    let mut shortened = 0;
    for (name, seats, seed) in [
        ("connect-four", 2, 1),
        ("ozymandias", 3, 2),
        ("vires", 3, 3),
        ("hegemony", 3, 4),
        ("numeral", 2, 5),
        ("hestia", 2, 6),
    ] {
        let bed = played(name, seats, seed, 110);
        for _ in 0..4 {
            let seat = rng.below(seats.into()) as usize;
            let disk = &bed.disks[seat];
            // A crash anywhere: also in the middle of a step, and of what is stored for it.
            let disk = &disk[..1 + rng.below(disk.len() as u32) as usize];
            let mut one = bed.restored(disk, [1; 32]);
            let mut two = bed.restored(&without_snapshots(disk), [1; 32]);
            assert_eq!(one.difference(&two), None, "{name}: seat {seat} after {} items", disk.len());
            assert!(!two.is_shortened());
            shortened += u32::from(one.is_shortened());
            // From here on both do the same, whatever comes.
            let mut both = |input: Input<'_>| {
                let (first, second) = (plain(one.handle(input)), plain(two.handle(input)));
                assert_eq!(first, second, "{name}: seat {seat} after {} items", disk.len());
            };
            both(Input::Tick { now_ms: 10 });
            both(Input::Connected(9));
            let others = (0..usize::from(seats)).filter(|&other| other != seat);
            let heard = others.flat_map(|other| without_snapshots(&bed.disks[other]));
            for item in heard.skip(3) {
                // What is stored of a message, after its mark and length, is what was sent.
                if let Ok(store::Stored::Message(bytes)) = postcard::from_bytes(&item) {
                    both(Input::Message { from: 9, bytes: &bytes });
                }
            }
            both(Input::Tick { now_ms: 2000 });
            assert_eq!(one.difference(&two), None, "{name}: later");
        }
    }
    assert!(shortened > 8, "only {shortened} had a snapshot");
}

#[test]
fn a_game_is_played_on_from_snapshots() {
    let mut bed = Testbed::new("ozymandias", 3, 7);
    let mut rng = Rng::new(1);
    for events in (20..400).step_by(20) {
        bed.play(events);
        let seat = rng.below(3) as usize;
        let session = bed.restored(&bed.disks[seat], [events as u8; 32]);
        assert_eq!(session.difference(&bed.sessions[seat]), None, "after {events}");
        bed.sessions[seat] = session;
        // It asks the player again.
        bed.handle(seat, Input::Tick { now_ms: 1 });
    }
    assert!(bed.sessions.iter().all(PeerSession::is_over));
    assert!(bed.sessions[0].record().verify(bed.game).unwrap().outcome.is_some());
}

#[test]
fn a_damaged_or_foreign_snapshot_is_ignored() {
    let bed = played("vires", 3, 8, 220);
    let (disk, foreign) = (&bed.disks[0], &bed.disks[1]);
    let whole = bed.restored(&without_snapshots(disk), [1; 32]);
    let places: Vec<usize> = (0..disk.len()).filter(|&i| is_snapshot(&disk[i])).collect();
    assert!(places.len() >= 2, "{} snapshots", places.len());
    assert!(bed.restored(disk, [1; 32]).is_shortened());
    let mut rng = Rng::new(3);
    for round in 0..40 {
        let mut disk = disk.clone();
        // All of them are damaged, each in its way, so that nothing is left to go on from.
        for &at in &places {
            let item = &mut disk[at];
            let n = item.len() as u32;
            match (round + at) % 4 {
                // The first and the last bytes are marks; it is known by one of them.
                0 => item[rng.below(n) as usize] ^= 1 << rng.below(8),
                1 => item.truncate(1 + rng.below(n - 1) as usize),
                2 => item.clone_from(foreign.iter().find(|item| is_snapshot(item)).unwrap()),
                _ => item.extend_from_slice(b"more"),
            }
        }
        let session = bed.restored(&disk, [1; 32]);
        assert_eq!(session.difference(&whole), None, "round {round}");
        assert!(!session.is_shortened(), "round {round}");
    }
    // One that is sound and stands in another place of the log.
    let mut moved = without_snapshots(disk);
    moved.push(disk[places[0]].clone());
    assert!(!bed.restored(&moved, [1; 32]).is_shortened());
    // Without the first, the second has nothing to continue.
    let mut lone = disk.clone();
    lone.remove(places[0]);
    let session = bed.restored(&lone, [1; 32]);
    assert_eq!(session.difference(&whole), None);
}

/// The hash that binds a snapshot to the items before it: each change keeps all counts, so nothing else could notice it
/// without verifying the contributions again.
#[test]
fn a_log_that_was_changed_before_a_snapshot_is_not_covered_by_it() {
    let bed = played("vires", 3, 8, 220);
    let (disk, game, id) = (&bed.disks[0], bed.game, bed.sessions[0].id);
    let restore = |disk: Vec<Vec<u8>>| {
        let entropy = pentarchy_fair::Entropy::new([1; 32]);
        PeerSession::restore(|_| Some(game), disk.into_iter(), entropy).map(|session| session.is_shortened())
    };
    assert_eq!(restore(disk.clone()), Ok(true));
    let first = disk.iter().position(|item| is_snapshot(item)).unwrap();
    let mut changed = 0;
    for at in 0..first {
        let Ok(store::Stored::Message(bytes)) = postcard::from_bytes(&disk[at]) else { continue };
        let Ok(Message::Step(mut signed)) = Message::decode(&id, &bytes) else { continue };
        // Long payloads are shuffles: a wrong one is found later, and is the fault of its author.
        let short = signed.payload.len() < 1000;
        let Some(byte) = signed.payload.first_mut().filter(|_| short) else { continue };
        *byte ^= 1;
        let mut disk = disk.clone();
        let bytes = Message::Step(signed).encode(&id);
        disk[at] = postcard::to_allocvec(&store::Stored::Message(bytes)).unwrap();
        assert!(matches!(restore(disk), Err(RestoreError::Unfit { .. })), "item {at}");
        changed += 1;
    }
    assert!(changed >= 8, "{changed} items were changed");
    // An item is missing.
    let mut cut = disk.clone();
    cut.remove(first - 1);
    assert!(restore(cut).is_err());
}

#[test]
fn the_store_grows_in_proportion_to_the_log() {
    let bed = played("numeral", 2, 5, 600);
    let disk = &bed.disks[0];
    let bytes = |snapshots: bool| -> usize {
        disk.iter().filter(|item| is_snapshot(item) == snapshots).map(Vec::len).sum()
    };
    let count = disk.iter().filter(|item| is_snapshot(item)).count();
    assert!(count >= 2 && bytes(true) <= bytes(false), "{count}: {} and {}", bytes(true), bytes(false));
}
