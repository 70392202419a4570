//! Hostile bytes: refused with a reason, without a panic and without any effect.

use pentarchy_engine::{Rng, SeatSet};
use pentarchy_fair::{Entropy, SigningSecret};
use pentarchy_registry::find;
use pentarchy_table::{
    Descriptor, Evidence, Input, PeerSession, SessionEvent, SessionOutput, SessionRequest, TablePlayer,
    TableRecord,
};

/// Two at a table of Kuhn poker, and what they have sent: from whom, and what.
pub(crate) fn opening() -> (Vec<PeerSession>, Vec<(usize, Vec<u8>)>) {
    let game = find("kuhn").unwrap();
    let identities = [1, 2].map(|i| SigningSecret::new(Entropy::new([i; 32])));
    let player = |identity: &SigningSecret| TablePlayer {
        identity: *identity.public().bytes(),
        name: "Ada".into(),
        host: None,
    };
    let players = identities.iter().map(player).collect();
    let descriptor = Descriptor::new(game, &serde_json::json!({}), players, [9; 32]).unwrap();
    assert_eq!(Descriptor::decode(&descriptor.encode()).unwrap(), descriptor);
    let (mut sessions, mut sent) = (Vec::new(), Vec::new());
    for (seat, identity) in identities.iter().enumerate() {
        let made = PeerSession::new(
            game,
            descriptor.clone(),
            seat as u8,
            identity,
            [seat as u8; 32],
            Entropy::new([7; 32]),
        );
        let (session, outputs) = made.unwrap();
        sent.extend(sends(seat, outputs));
        sessions.push(session);
    }
    (sessions, sent)
}

pub(crate) fn sends(seat: usize, outputs: Vec<SessionOutput>) -> impl Iterator<Item = (usize, Vec<u8>)> {
    outputs.into_iter().filter_map(move |output| match output {
        SessionOutput::Request(SessionRequest::Send { bytes, .. }) => Some((seat, bytes)),
        _ => None,
    })
}

#[test]
fn every_changed_byte_is_refused_or_without_effect() {
    let (mut sessions, mut queue) = opening();
    let mut rng = Rng::new(1);
    let (mut messages, mut tried) = (0, 0);
    while !queue.is_empty() {
        let (from, bytes) = queue.remove(0);
        let to = 1 - from;
        messages += 1;
        for _ in 0..60 {
            // A peer that sends too much of this would be ignored.
            tried += 1;
            let mut changed = bytes.clone();
            match rng.below(4) {
                0 => changed.truncate(rng.below(changed.len() as u32) as usize),
                1 => changed.push(0),
                _ => {
                    let at = rng.below(changed.len() as u32) as usize;
                    changed[at] ^= 1 << rng.below(8);
                }
            }
            let (before, events) = (sessions[to].head(), sessions[to].events());
            let outputs = sessions[to].handle(Input::Message { from: 1000 + tried, bytes: &changed });
            assert!(!outputs.iter().any(|o| matches!(
                o,
                SessionOutput::Event(SessionEvent::Evidence(_) | SessionEvent::Broken(_))
            )));
            assert_eq!((sessions[to].head(), sessions[to].events()), (before, events));
        }
        let outputs = sessions[to].handle(Input::Message { from: 0, bytes: &bytes });
        queue.extend(sends(to, outputs));
        for (seat, session) in sessions.iter_mut().enumerate() {
            if let Ok(list) = session.position().legal()
                && session.due() == [seat as u8]
            {
                let text = list[0].canonical.clone();
                let outputs = session.handle(Input::Choose(&text));
                queue.extend(sends(seat, outputs));
            }
        }
    }
    assert!(messages > 8 && sessions.iter().all(PeerSession::is_over), "{messages} messages");
    let record = sessions[0].record();
    let game = find("kuhn").unwrap();
    let verdict = record.verify(game).unwrap();
    assert_eq!(verdict.signers(), SeatSet(0b11), "both have signed the end");
    // Message by message the result is equal, and bytes that are missing or left over are noticed.
    let mut verification = record.begin(game).unwrap();
    let all = verification.progress().1;
    for done in 0..all {
        assert_eq!(verification.progress(), (done, all));
        assert!(verification.step().unwrap());
    }
    assert!(!verification.step().unwrap());
    assert_eq!(verification.verdict().unwrap().public, verdict.public);
    let bytes = record.encode();
    assert!((0..bytes.len()).all(|length| TableRecord::decode(&bytes[..length]).is_err()));
    assert!(TableRecord::decode(&[&bytes[..], &[0]].concat()).is_err());
    for at in 18..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x40;
        if let Ok(changed) = TableRecord::decode(&changed) {
            assert!(changed.verify(game).is_err(), "byte {at}");
        }
        assert!(Evidence::decode(&changed).is_err());
    }
}

#[test]
fn a_session_is_restored_from_any_prefix_of_its_store() {
    let game = find("kuhn").unwrap();
    let identity = SigningSecret::new(Entropy::new([1; 32]));
    let other = SigningSecret::new(Entropy::new([2; 32]));
    let player = |identity: &SigningSecret| TablePlayer {
        identity: *identity.public().bytes(),
        name: String::new(),
        host: None,
    };
    let players = vec![player(&identity), player(&other)];
    let descriptor = Descriptor::new(game, &serde_json::json!({}), players, [9; 32]).unwrap();
    let (_, outputs) =
        PeerSession::new(game, descriptor, 0, &identity, [3; 32], Entropy::new([7; 32])).unwrap();
    let stored: Vec<Vec<u8>> = outputs
        .into_iter()
        .filter_map(|output| match output {
            SessionOutput::Request(SessionRequest::Persist(bytes)) => Some(bytes),
            _ => None,
        })
        .collect();
    let restore = |items: &[Vec<u8>]| {
        PeerSession::restore(|_| Some(game), items.iter().cloned(), Entropy::new([8; 32]))
    };
    assert!(restore(&[]).is_err());
    for n in 1..=stored.len() {
        let session = restore(&stored[..n]).unwrap();
        assert_eq!(session.seat(), Some(0));
    }
    let mut cut = stored.clone();
    cut.last_mut().unwrap().truncate(5);
    assert!(restore(&cut).is_ok());
    let mut damaged = stored;
    damaged[0].truncate(5);
    assert!(restore(&damaged).is_err());
}
