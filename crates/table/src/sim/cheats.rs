//! Cheaters: the messages of a seat that cheats in one of the ways of the catalogue.

use super::catalogue::{Bend, Cheat, Way};
use crate::hash::hash;
use crate::plan::{Cell, Duty};
use crate::session::{PeerSession, Recipient};
use crate::wire::{Anchor, Message, Signed, SignedStatement, Statement};
use pentarchy_engine::Rng;
use pentarchy_fair::{GameId, SigningSecret};

/// A seat that cheats. It stands between its own [`PeerSession`], which is honest, and the network.
pub struct Cheater {
    pub(crate) cheat: &'static Cheat,
    pub(crate) seat: u8,
    rng: Rng,
    /// How many of its own messages of the kind it sends before it begins.
    patience: u32,
    pub(crate) done: u32,
    /// What it sent before.
    old: Option<Signed>,
    /// What others sent.
    heard: Vec<Signed>,
    /// The keys of another seat.
    keys: Option<Vec<u8>>,
    /// The key that signs this seat's keys.
    identity: SigningSecret,
    /// It is gone.
    pub(crate) left: bool,
}

/// What a cheater sends instead of a message: to whom, and what.
type Instead = Vec<(Recipient, Vec<u8>)>;

impl Cheater {
    /// Returns the seat that cheats.
    pub fn seat(&self) -> u8 {
        self.seat
    }

    /// Returns how often the cheater has cheated so far.
    pub fn times(&self) -> u32 {
        self.done
    }

    /// Returns whether the cheater has left: it sends nothing any more, and its messages must not be passed
    /// on.
    pub fn has_left(&self) -> bool {
        self.left
    }

    /// Makes `session`, which must be that of this seat, remember what it owes and alternatives to its actions,
    /// from which the cheat is made. Must be called again for a session that was restored.
    pub fn corrupt(&self, session: &mut PeerSession) {
        session.turn_bad();
    }
}

impl Cheater {
    /// Creates a cheater at a seat. `identity` is the key that the descriptor names for it; `rng` decides
    /// when it cheats.
    pub fn new(cheat: &'static Cheat, seat: u8, identity: SigningSecret, mut rng: Rng) -> Self {
        // What happens seldom is not let pass.
        let often = !matches!(cheat.way, Way::FalseClaim | Way::Unheld | Way::RefuseOpen | Way::RefuseAudit)
            && !cheat.needs_leaver();
        let patience = if often { rng.below(4) } else { 0 };
        let (old, heard, keys, left) = (None, Vec::new(), None, false);
        Cheater { cheat, seat, rng, patience, done: 0, old, heard, keys, identity, left }
    }

    /// Passes a message to the cheater that its session, or that of an accomplice, has received. It keeps the
    /// first 64 contributions and the last keys of another seat for its cheats, and ignores everything else.
    /// `session` is used for the identifier of the game only.
    pub fn hear(&mut self, session: &PeerSession, bytes: &[u8]) {
        match Message::decode(&session.descriptor().id(), bytes) {
            Ok(Message::Step(signed)) if self.heard.len() < 64 => self.heard.push(signed),
            Ok(Message::Keys { seat, body }) if seat != self.seat => self.keys = Some(body),
            _ => {}
        }
    }

    /// Returns the encoded keys `body` of the cheater with a zero lock key (`ZeroKey`), or with the lock key of
    /// another seat and the proof of it (any other way), signed again by the cheater's identity; counts a cheat.
    /// `None`, without counting, while the keys to copy are not known.
    fn bad_keys(&mut self, game: &GameId, mut body: Vec<u8>) -> Option<Vec<u8>> {
        match (self.cheat.way, &self.keys) {
            (Way::ZeroKey, _) => body[32..64].fill(0),
            // The key and the proof that its true owner has made for it.
            (_, Some(other)) => {
                body[32..64].copy_from_slice(&other[32..64]);
                body[96..160].copy_from_slice(&other[96..160]);
            }
            // It waits until it has heard some.
            _ => return None,
        }
        self.done += 1;
        let end = body.len() - 64;
        let signed = hash("pentarchy seat keys v1", &[&game.0, &[self.seat], &body[..end]]);
        body[end..].copy_from_slice(&self.identity.sign(&signed));
        Some(body)
    }

    /// Returns what is sent instead of a message of the session, and to whom, in order; the message itself if
    /// the cheater does not cheat now or the message is of another seat, and nothing if it withholds it.
    /// Changes keys, sealed shares, the signature of the start, contributions or statements, by the way it
    /// cheats, and counts each cheat. A silent cheater withholds statements of all seats. `seats` is the
    /// number of seats; peers are numbered by their seats.
    pub fn tamper(&mut self, session: &PeerSession, seats: u8, to: Recipient, bytes: Vec<u8>) -> Instead {
        let id = session.descriptor().id();
        let honest = vec![(to, bytes.clone())];
        let Ok(message) = Message::decode(&id, &bytes) else { return honest };
        match message {
            Message::Keys { seat, body } if seat == self.seat => match self.cheat.way {
                Way::CopiedKey | Way::ZeroKey => {
                    let bad = self.bad_keys(&id, body).map(|body| Message::Keys { seat, body });
                    bad.into_iter().map(|message| (to, message.encode(&id))).collect()
                }
                Way::TwoKeys => {
                    let Some(other) = session.other_keys(&self.identity) else { return honest };
                    self.done += 1;
                    split(self.seat, seats, to, &bytes, &other.encode(&id))
                }
                _ => honest,
            },
            Message::Step(signed) if signed.place.seat == self.seat => {
                let instead = self.tamper_step(session, seats, to, &signed);
                self.old = Some(signed);
                instead.unwrap_or(honest)
            }
            Message::Seals(seals) if seals.seat == self.seat => match self.cheat.way {
                Way::WrongSeal => {
                    self.done += 1;
                    let mut body = seals.body;
                    // The sealed half of the last share for the last seat.
                    let at = body.len() - 96;
                    body[at] ^= 1;
                    vec![(to, Message::Seals(session.seals_of(body)).encode(&id))]
                }
                Way::TwoSeals => {
                    self.done += 1;
                    let mut body = seals.body;
                    // The same proofs, another sealed share: its holder complains, or the others see two.
                    let at = body.len() - 96;
                    body[at] ^= 1;
                    let other = Message::Seals(session.seals_of(body)).encode(&id);
                    split(self.seat, seats, to, &bytes, &other)
                }
                _ => honest,
            },
            // By now it has the shares that it complains about; and without its signature the table does not open.
            Message::Start { seat, .. } if self.cheat.way == Way::FalseComplaint && seat == self.seat => {
                let Some(complaint) = session.complaint_about((self.seat + 1) % seats) else { return honest };
                self.done += 1;
                vec![(to, Message::Complaint(complaint).encode(&id))]
            }
            Message::Statement(_) if self.cheat.way == Way::Silent => {
                self.done += 1;
                Vec::new()
            }
            Message::Statement(SignedStatement {
                seat,
                statement: Statement::Drop { proposal: it, .. },
                ..
            }) if self.cheat.way == Way::TwoTongued && seat == self.seat => {
                let Some(refusal) = session.sign_statement(Statement::Reject(it)) else { return honest };
                self.done += 1;
                let peers = match to {
                    Recipient::All => 0..u32::from(seats),
                    Recipient::Peer(peer) => peer..peer + 1,
                };
                let word = |peer| if peer % 2 == 0 { bytes.clone() } else { refusal.encode(&id) };
                peers.map(|peer| (Recipient::Peer(peer), word(peer))).collect()
            }
            _ => honest,
        }
    }

    /// Decides on an opportunity to cheat. The cheater lets as many pass as its patience says: then returns
    /// `false`. After that returns `true` and counts a cheat, at every call.
    fn takes_chance(&mut self) -> bool {
        if self.patience > 0 {
            self.patience -= 1;
            return false;
        }
        self.done += 1;
        true
    }

    /// Returns what is sent instead of a contribution `signed` of this seat to a step, and to whom, at a
    /// table with this many seats; an empty list to withhold it, `None` to send it unchanged. `to` is the
    /// recipient of the honest message. Ways that leave evidence or withhold something act once, after the
    /// contributions that the cheater lets pass; harmless ways act each time. What is changed is signed
    /// again. Counts each cheat, and notes when the cheater leaves.
    fn tamper_step(
        &mut self,
        session: &PeerSession,
        seats: u8,
        to: Recipient,
        signed: &Signed,
    ) -> Option<Instead> {
        let id = session.descriptor().id();
        let acts = matches!(signed.anchor, Anchor::Head(_));
        let scheme = session.scheme().cloned().unwrap_or_default();
        let kind = scheme.duty.as_ref().filter(|_| !acts).map(kind_of);
        let mut bent = signed.clone();
        let send = |signed: &Signed| vec![(to, Message::Step(signed.clone()).encode(&id))];
        let (once, way) = (self.done == 0, self.cheat.way);
        match way {
            Way::Shuffle(bend) if once && kind == Some(Kind::Mix) && self.takes_chance() => {
                let n = bent.payload.len();
                match bend {
                    Bend::Swap if n > 600 => bent.payload[..128].rotate_left(64),
                    Bend::Double if n > 600 => bent.payload.copy_within(0..64, 64),
                    Bend::Drop => bent.payload.truncate(n - 64),
                    _ => bent.payload[n - 1] ^= 1,
                }
            }
            Way::Strip if once && matches!(kind, Some(Kind::Strip | Kind::Open)) && self.takes_chance() => {
                let n = bent.payload.len();
                bent.payload[n - 64] ^= 1;
            }
            Way::ReplayOwn if once && !acts => {
                let old = self.old.clone()?;
                if old.payload.len() != bent.payload.len() || old.payload.is_empty() || !self.takes_chance() {
                    return None;
                }
                bent.payload = old.payload;
            }
            Way::ReplayOther if once && !acts => {
                let fits = |m: &&Signed| m.payload.len() == bent.payload.len() && !m.payload.is_empty();
                let other = self.heard.iter().rev().find(fits)?.payload.clone();
                self.done += 1;
                bent.payload = other;
            }
            Way::Dice if once && kind == Some(Kind::Dice) && self.takes_chance() => bent.payload[95] ^= 1,
            Way::Die if once => {
                let dice = scheme.duty.as_ref().filter(|_| !acts).map_or(0, |duty| duty.open_dice.len());
                if dice == 0 || !self.takes_chance() {
                    return None;
                }
                // A true value of another die of its own, or else a wrong proof.
                match dice {
                    1 => bent.payload[95] ^= 1,
                    _ => bent.payload[..96 * dice].rotate_left(96),
                }
            }
            Way::Proof if once && acts && !bent.payload.is_empty() && self.takes_chance() => {
                let at = self.rng.below(bent.payload.len() as u32) as usize;
                bent.payload[at] ^= 1;
            }
            Way::FalseClaim if once && acts => {
                bent = scheme.lie?;
                self.done += 1;
            }
            Way::FalseStand if once && kind == Some(Kind::Stand) && self.takes_chance() => {
                let n = bent.payload.len();
                bent.payload[n - 64] ^= 1;
            }
            Way::Digest if once && acts && self.takes_chance() => {
                if let Anchor::Head(header) = &mut bent.anchor {
                    header.digest[0] ^= 1;
                }
            }
            Way::Illegal if once && acts && self.takes_chance() => {
                if let Anchor::Head(header) = &mut bent.anchor {
                    header.body = scheme.illegal.unwrap_or_else(|| "conquer everything".into());
                    bent.payload.clear();
                }
            }
            Way::Unheld if once && acts => {
                let Anchor::Head(header) = &mut bent.anchor else { return None };
                let other = scheme.unheld?;
                if !self.takes_chance() {
                    return None;
                }
                header.body = other;
            }
            Way::TwoFaced if once && acts => {
                let other = scheme.spare?;
                if !self.takes_chance() {
                    return None;
                }
                let half = |peer: u8| if peer % 2 == self.seat % 2 { signed } else { &other };
                let mut instead: Instead = (0..seats)
                    .filter(|&peer| peer != self.seat)
                    .map(|peer| (Recipient::Peer(peer.into()), Message::Step(half(peer).clone()).encode(&id)))
                    .collect();
                if seats == 2 {
                    instead.extend(send(&other));
                    instead.extend(send(signed));
                }
                return Some(instead);
            }
            Way::Rewind if once && acts => {
                let other = scheme.spare?;
                if !self.takes_chance() {
                    return None;
                }
                let mut instead = send(signed);
                instead.extend(send(&other));
                return Some(instead);
            }
            Way::OutOfTurn if once => {
                // When this was sent, it was already another's turn.
                let uncalled = session.out_of_turn()?;
                if !self.takes_chance() {
                    return None;
                }
                let mut instead = send(signed);
                instead.extend(send(&uncalled));
                return Some(instead);
            }
            Way::Leave if signed.place.seq > 2 && self.takes_chance() => {
                self.left = true;
                return Some(Vec::new());
            }
            Way::LeaveRoll | Way::LeaveShuffle | Way::RefuseOpen | Way::RefuseAudit
                if way.keeps(kind) && self.takes_chance() =>
            {
                self.left = true;
                return Some(Vec::new());
            }
            Way::Garbage => {
                self.done += 1;
                let mut instead = send(signed);
                let honest = Message::Step(signed.clone()).encode(&id);
                let mut noise: Vec<u8> =
                    (0..self.rng.below(200)).map(|_| self.rng.below(256) as u8).collect();
                instead.push((to, noise.clone()));
                noise.splice(..0, honest[..9.min(honest.len())].iter().copied());
                instead.push((to, noise));
                instead.push((to, honest[..honest.len() / 2].to_vec()));
                let mut longer = honest.clone();
                longer.push(0);
                instead.push((to, longer));
                instead.push((to, vec![0; crate::MAX_MESSAGE + 1]));
                return Some(instead);
            }
            Way::Flood => {
                self.done += 1;
                let mut instead = send(signed);
                for ahead in 0..20u32 {
                    instead.extend(send(signed));
                    let mut far = signed.clone();
                    far.place.seq += 1000 + ahead;
                    session.resign(&mut far);
                    instead.extend(send(&far));
                }
                // Places that are near, of which most never come. A few times will do: each takes its time to sign.
                let near = if self.done <= 4 { 512 } else { 0 };
                for ahead in 1..=near {
                    let mut near = signed.clone();
                    near.place.seq += ahead;
                    near.place.phase = if self.done.is_multiple_of(2) { u8::MAX } else { 3 };
                    near.payload.clear();
                    session.resign(&mut near);
                    instead.extend(send(&near));
                }
                return Some(instead);
            }
            Way::Malleable => {
                self.done += 1;
                let mut instead = send(signed);
                let mut bytes = Message::Step(signed.clone()).encode(&id);
                if let Some(last) = bytes.last_mut() {
                    *last ^= 0x10;
                }
                instead.push((to, bytes));
                return Some(instead);
            }
            Way::Forge => {
                self.done += 1;
                let mut instead = send(signed);
                let mut forged = signed.clone();
                forged.place.seat = (self.seat + 1) % seats;
                session.resign(&mut forged);
                instead.extend(send(&forged));
                return Some(instead);
            }
            Way::Accuse => {
                self.done += 1;
                let mut instead = send(signed);
                if let Some(honest) = self.heard.last() {
                    let mut other = honest.clone();
                    other.payload.push(0);
                    session.resign(&mut other);
                    let pair = Message::Proof(vec![honest.clone(), other.clone()]);
                    instead.push((to, pair.encode(&id)));
                    instead.push((to, Message::Proof(vec![honest.clone(), honest.clone()]).encode(&id)));
                    instead.push((to, Message::Proof(vec![other]).encode(&id)));
                }
                return Some(instead);
            }
            Way::Expel => {
                let said = session.accusations((self.seat + 1) % seats, &mut self.rng)?;
                self.done += 1;
                let said = said.into_iter().map(|message| (to, message.encode(&id)));
                return Some(send(signed).into_iter().chain(said).collect());
            }
            _ => return None,
        }
        session.resign(&mut bent);
        Some(send(&bent))
    }
}

/// Returns what a cheater at `seat` sends instead of one message at a table with this many seats: `one` for
/// the first other player and `other` for the rest. With a single recipient `to`, or two seats, both go to
/// `to`.
fn split(seat: u8, seats: u8, to: Recipient, one: &[u8], other: &[u8]) -> Instead {
    if seats == 2 || to != Recipient::All {
        return vec![(to, one.to_vec()), (to, other.to_vec())];
    }
    let others = (0..seats).filter(|&peer| peer != seat).enumerate();
    let word = |i: usize| if i == 0 { one.to_vec() } else { other.to_vec() };
    others.map(|(i, peer)| (Recipient::Peer(peer.into()), word(i))).collect()
}

/// What a contribution is about, as far as a cheater cares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Dice,
    Mix,
    Strip,
    /// Strips and dice values of what it alone could read.
    Open,
    Stand,
    Close,
    Other,
}

/// Returns the kind of a duty by the first part of it that is not empty: dice, shuffle, own ciphertexts or
/// dice to open (`Open`), stand-ins, signature of the end, other strips; otherwise `Other`.
fn kind_of(duty: &Duty) -> Kind {
    if duty.dice {
        Kind::Dice
    } else if duty.mix {
        Kind::Mix
    } else if !duty.open_dice.is_empty() || duty.strips.iter().any(|cell| matches!(cell, Cell::Own(_))) {
        Kind::Open
    } else if !duty.stands.is_empty() || !duty.stand_dice.is_empty() {
        Kind::Stand
    } else if duty.close {
        Kind::Close
    } else if !duty.strips.is_empty() {
        Kind::Strip
    } else {
        Kind::Other
    }
}
