//! The source of a peer's randomness.

use pentarchy_engine::Rng;
use pentarchy_fair::Entropy;
use pentarchy_fair::primitives::Drbg;
use zeroize::Zeroizing;

/// Where this peer's randomness comes from: a secret that follows from the stored seed, and bytes of the operating system
/// that are never stored. It is good if either of them is.
#[derive(Clone, Default)]
pub(super) struct Draw {
    pub(super) seed: Zeroizing<[u8; 32]>,
    /// How much of the stream is used; after a restart it goes on elsewhere.
    pub(super) drawn: u64,
}

impl Draw {
    /// Replaces the seed by a hash of it and 32 fresh bytes of the operating system; the counter stays. Call it
    /// at the start and after every restart.
    pub(super) fn mix(&mut self, entropy: Entropy) {
        let mut mixed = Zeroizing::new([0; 32]);
        Drbg::from_parts(&[&*self.seed, &*entropy.into_bytes()], "mix").fill(&mut *mixed);
        self.seed = mixed;
    }

    /// Derives the next 32 bytes from the seed and a counter, which it advances.
    fn bytes(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        self.drawn += 1;
        Drbg::from_parts(&[&*self.seed, &self.drawn.to_le_bytes()], "draw").fill(&mut bytes);
        bytes
    }

    /// Returns fresh entropy for one cryptographic operation, different at each call.
    pub(super) fn entropy(&mut self) -> Entropy {
        Entropy::new(self.bytes())
    }

    /// Returns a generator for choices among equals, such as one of several equal cards. It has a new seed at
    /// each call, for which the counter advances. Not for cryptography.
    pub(super) fn rng(&mut self) -> Rng {
        let bytes = self.bytes();
        Rng::new(bytes.iter().fold(0u64, |sum, &b| sum.rotate_left(8) ^ u64::from(b)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testbed::Testbed;
    use super::super::{Input, Recipient, SessionOutput, SessionRequest};
    use crate::wire::Message;

    #[test]
    fn a_stored_seed_alone_determines_neither_nonces_nor_shuffles() {
        let mut played = Vec::new();
        for entropy in [1, 2] {
            let mut bed = Testbed::new("ozymandias", 3, 4);
            let (session, outputs) = bed.seat(0, [4; 32], [entropy; 32]);
            // This seat begins again with its old seed and other fresh bytes.
            (bed.sessions[0], bed.disks[0]) = (session, Vec::new());
            bed.queue.retain(|(from, _, _)| *from != 0);
            bed.absorb(0, outputs);
            bed.play(12);
            assert!(bed.sessions.iter().all(|session| session.events() >= 12));
            bed.sessions[1].record().verify(bed.game).unwrap();
            let own = |signed: &&crate::wire::Signed| signed.place.seat == 0;
            let steps = bed.sessions[1].log.steps.iter().flat_map(|step| &step.messages).filter(own).cloned();
            let keys = bed.sessions[1].opening.keys[0].as_ref().map(|(_, body)| body.clone());
            played.push((keys, steps.collect::<Vec<_>>()));
        }
        let [(keys, one), (other_keys, two)] = &played[..] else { return };
        assert_ne!(keys, other_keys, "the proofs of the keys have other nonces");
        let shuffle = |steps: &[crate::wire::Signed]| {
            let long = steps.iter().find(|signed| signed.payload.len() > 1000);
            long.map(|signed| signed.payload.clone()).unwrap()
        };
        assert_ne!(shuffle(one), shuffle(two));
    }

    #[test]
    fn after_a_crash_stored_bytes_are_sent_again_and_nothing_is_signed_twice() {
        let mut bed = Testbed::new("ozymandias", 3, 4);
        bed.play(25);
        for n in (8..bed.disks[0].len()).step_by(5) {
            let disk = bed.disks[0][..n].to_vec();
            let stored: Vec<Vec<u8>> = disk.iter().map(|item| item.to_vec()).collect();
            // Whatever is fresh: all that is sent for a place whose message is stored is that message.
            for entropy in [7, 8] {
                let mut session = bed.restored(&disk, [entropy; 32]);
                let mut sent = session.handle(Input::Tick { now_ms: 5 });
                sent.extend(session.handle(Input::Connected(1)));
                let id = session.id;
                for output in sent {
                    let SessionOutput::Request(SessionRequest::Send { bytes, to: Recipient::All }) = output
                    else {
                        continue;
                    };
                    let Ok(Message::Step(made)) = Message::decode(&id, &bytes) else { continue };
                    let places = stored.iter().filter_map(|item| match postcard::from_bytes(item) {
                        Ok(super::super::store::Stored::Message(bytes)) => Message::decode(&id, &bytes).ok(),
                        _ => None,
                    });
                    for message in places {
                        if let Message::Step(known) = message
                            && known.place == made.place
                        {
                            assert_eq!(known, made, "item {n}");
                        }
                    }
                }
            }
        }
    }
}
