//! Cheaters: one for each row of the attack catalogue that can be tried at a table.

use crate::hash::hash;
use crate::plan::{Cell, Duty};
use crate::session::{Session, To};
use crate::wire::{Anchor, Message, Said, Saying, Signed};
use pentarchy_engine::Rng;
use pentarchy_fair::{GameId, SigningSecret};

/// What the catalogue says of a cheat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expect {
    /// Honest peers hold evidence against the cheater, and no other seat.
    Evidence,
    /// It is refused on sight and has no effect: the game goes on to its end.
    Harmless,
    /// The cheater is said to stall, and the others end the game without him.
    Stall,
    /// The table does not open, and there is evidence against the cheater.
    NotOpened,
}

/// One way to cheat.
#[derive(Clone, Copy, Debug)]
pub struct Cheat {
    /// Its name on the command line.
    pub name: &'static str,
    /// The rows of the catalogue.
    pub rows: &'static str,
    /// What the cheater does.
    pub what: &'static str,
    /// What comes of it.
    pub expect: Expect,
    /// The fewest seats with which it can be tried.
    pub seats: u8,
    /// Whether it needs hidden tokens.
    pub hidden: bool,
    way: Way,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Shuffle(Bend),
    Strip,
    ReplayOwn,
    ReplayOther,
    Dice,
    TwoFaced,
    Rewind,
    Unheld,
    Illegal,
    OutOfTurn,
    Proof,
    FalseClaim,
    Digest,
    Leave,
    LeaveRoll,
    LeaveShuffle,
    TwoKeys,
    TwoSeals,
    Garbage,
    Flood,
    Malleable,
    Forge,
    Accuse,
    CopiedKey,
    ZeroKey,
    Silent,
    TwoTongued,
    Expel,
    RefuseOpen,
    RefuseAudit,
    WrongSeal,
    FalseComplaint,
    FalseStand,
}

impl Way {
    /// Whether this is what a cheater keeps to itself.
    fn keeps(self, kind: Option<Kind>) -> bool {
        match self {
            Way::LeaveRoll => kind == Some(Kind::Dice),
            Way::LeaveShuffle => kind == Some(Kind::Mix),
            Way::RefuseOpen => kind == Some(Kind::Open),
            _ => kind == Some(Kind::Close),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bend {
    Swap,
    Double,
    Drop,
    Response,
}

/// All of them.
pub const CHEATS: &[Cheat] = &[
    cheat("swap-cards", "1", "exchanges two cards after proving a shuffle", Way::Shuffle(Bend::Swap))
        .hidden(),
    cheat("double-card", "1", "puts one card twice into a shuffled pile", Way::Shuffle(Bend::Double))
        .hidden(),
    cheat("drop-card", "1", "leaves the last card out of a shuffled pile", Way::Shuffle(Bend::Drop)).hidden(),
    cheat("bend-proof", "2, 3, 4", "changes a response of a shuffle proof", Way::Shuffle(Bend::Response))
        .hidden(),
    cheat("old-proof", "5", "sends what it sent for an earlier step", Way::ReplayOwn).hidden(),
    cheat("borrowed-proof", "5", "sends another seat's contribution as its own", Way::ReplayOther).hidden(),
    cheat("false-share", "7", "takes its lock off with a wrong share", Way::Strip).hidden(),
    cheat("copied-key", "8", "brings another seat's lock key as its own, proof and all", Way::CopiedKey)
        .expect(Expect::NotOpened),
    cheat("zero-key", "8", "brings a zero lock key", Way::ZeroKey).expect(Expect::NotOpened),
    cheat("false-dice", "15", "sends a false value for a roll", Way::Dice),
    cheat("rewind", "16", "takes its move back after sending it and makes another", Way::Rewind),
    cheat("leave-roll", "17", "keeps its part of a roll to itself", Way::LeaveRoll)
        .expect(Expect::Stall)
        .seats(3),
    cheat("leave-shuffle", "17", "keeps its part of a shuffle to itself", Way::LeaveShuffle)
        .expect(Expect::Stall)
        .seats(3)
        .hidden(),
    cheat("two-keys", "18", "sends different keys to different players", Way::TwoKeys)
        .expect(Expect::NotOpened),
    cheat("two-seals", "18", "seals different shares for different players", Way::TwoSeals)
        .expect(Expect::NotOpened)
        .seats(3),
    cheat("leave", "17c", "leaves in the middle of the game", Way::Leave).expect(Expect::Stall).seats(3),
    cheat("silent-friend", "17b", "neither confirms a stall nor brings the message", Way::Silent)
        .expect(Expect::Stall)
        .seats(5),
    cheat("two-faced", "18", "tells different players different moves", Way::TwoFaced),
    cheat("unheld-card", "20", "plays a token that is not its own", Way::Unheld).hidden(),
    cheat("false-claim", "21", "says of hidden cards what is not true, with forged proofs", Way::FalseClaim)
        .hidden(),
    cheat("bend-claim", "21, 22", "changes what it shows, seals or proves of hidden cards", Way::Proof)
        .hidden(),
    cheat("refuse-open", "23", "keeps shut what it has to open", Way::RefuseOpen)
        .expect(Expect::Stall)
        .seats(3)
        .hidden(),
    cheat("wrong-seal", "24", "seals a wrong share of its keys to a seat", Way::WrongSeal)
        .expect(Expect::NotOpened)
        .seats(3),
    cheat("false-stand-in", "24", "stands in wrongly for a seat that is gone", Way::FalseStand)
        .seats(4)
        .hidden(),
    cheat("false-complaint", "25", "complains about a share that is right", Way::FalseComplaint)
        .expect(Expect::NotOpened)
        .seats(3),
    cheat("other-rules", "26", "makes a move that the rules do not allow", Way::Illegal),
    cheat("out-of-turn", "19", "acts while another seat is to decide", Way::OutOfTurn),
    cheat("other-state", "26", "computes another state than everybody else", Way::Digest),
    cheat(
        "two-tongued",
        "34",
        "signs for some that a seat is out, and refuses it for others",
        Way::TwoTongued,
    )
    .expect(Expect::Harmless)
    .seats(4),
    cheat("expel", "27", "claims over and over that players stall who do not", Way::Expel)
        .expect(Expect::Harmless)
        .seats(3),
    cheat("garbage", "28", "sends bytes that are no messages", Way::Garbage).expect(Expect::Harmless),
    cheat("flood", "29", "repeats its messages over and over, and sends many for later places", Way::Flood)
        .expect(Expect::Harmless),
    cheat("other-signature", "30", "repeats messages with changed signatures", Way::Malleable)
        .expect(Expect::Harmless),
    cheat("refuse-audit", "32", "does not publish its keys after the game", Way::RefuseAudit)
        .expect(Expect::Stall)
        .seats(3),
    cheat("forge", "19", "sends moves in the name of others", Way::Forge).expect(Expect::Harmless),
    cheat("accuse", "19, 30", "accuses others with messages that prove nothing", Way::Accuse)
        .expect(Expect::Harmless),
];

const fn cheat(name: &'static str, rows: &'static str, what: &'static str, way: Way) -> Cheat {
    Cheat { name, rows, what, expect: Expect::Evidence, seats: 2, hidden: false, way }
}

impl Cheat {
    const fn expect(mut self, expect: Expect) -> Self {
        self.expect = expect;
        self
    }

    const fn seats(mut self, seats: u8) -> Self {
        self.seats = seats;
        self
    }

    const fn hidden(mut self) -> Self {
        self.hidden = true;
        self
    }

    /// Whether honest peers have different histories until they compare them.
    pub fn splits(&self) -> bool {
        matches!(self.way, Way::TwoFaced | Way::Rewind)
    }

    /// Whether another seat has to leave for it to be tried.
    pub fn needs_leaver(&self) -> bool {
        matches!(self.way, Way::Silent | Way::TwoTongued | Way::FalseStand)
    }

    /// Whether the seats publish their keys after the game.
    pub(super) fn needs_audit(&self) -> bool {
        self.way == Way::RefuseAudit
    }

    /// The cheat of this name.
    pub fn find(name: &str) -> Option<&'static Cheat> {
        CHEATS.iter().find(|cheat| cheat.name == name)
    }
}

/// A seat that cheats. It stands between its own [`Session`], which is honest, and the network.
pub struct Cheater {
    pub(crate) cheat: &'static Cheat,
    pub(crate) seat: u8,
    rng: Rng,
    /// It begins after so many of its own messages of the kind.
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
type Instead = Vec<(To, Vec<u8>)>;

impl Cheater {
    /// The seat that cheats.
    pub fn seat(&self) -> u8 {
        self.seat
    }

    /// How often it has cheated.
    pub fn times(&self) -> u32 {
        self.done
    }

    /// Whether it has left: it sends nothing any more.
    pub fn has_left(&self) -> bool {
        self.left
    }

    /// Lets the session of this seat prepare what its cheat needs. To be called again for a session that was restored.
    pub fn corrupt(&self, session: &mut Session) {
        session.turn_bad();
    }
}

impl Cheater {
    /// A cheater in a seat. `identity` is the key that the descriptor names for it.
    pub fn new(cheat: &'static Cheat, seat: u8, identity: SigningSecret, mut rng: Rng) -> Self {
        // What happens seldom is not let pass.
        let often = !matches!(cheat.way, Way::FalseClaim | Way::Unheld | Way::RefuseOpen | Way::RefuseAudit)
            && !cheat.needs_leaver();
        let patience = if often { rng.below(4) } else { 0 };
        let (old, heard, keys, left) = (None, Vec::new(), None, false);
        Cheater { cheat, seat, rng, patience, done: 0, old, heard, keys, identity, left }
    }

    /// Tells it a message that its session, or that of an accomplice, has received.
    pub fn hear(&mut self, session: &Session, bytes: &[u8]) {
        match Message::decode(&session.descriptor().id(), bytes) {
            Ok(Message::Step(signed)) if self.heard.len() < 64 => self.heard.push(signed),
            Ok(Message::Keys { seat, body }) if seat != self.seat => self.keys = Some(body),
            _ => {}
        }
    }

    /// Its keys, changed as it likes and signed by its own identity.
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

    /// Returns what goes out instead of a message of the session. Peers are numbered by their seats.
    pub fn tamper(&mut self, session: &Session, seats: u8, to: To, bytes: Vec<u8>) -> Instead {
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
            Message::Said(_) if self.cheat.way == Way::Silent => {
                self.done += 1;
                Vec::new()
            }
            Message::Said(Said { seat, saying: Saying::Drop { without: it, .. }, .. })
                if self.cheat.way == Way::TwoTongued && seat == self.seat =>
            {
                let Some(refusal) = session.claim(Saying::Resume(it)) else { return honest };
                self.done += 1;
                let peers = match to {
                    To::All => 0..u32::from(seats),
                    To::Peer(peer) => peer..peer + 1,
                };
                let word = |peer| if peer % 2 == 0 { bytes.clone() } else { refusal.encode(&id) };
                peers.map(|peer| (To::Peer(peer), word(peer))).collect()
            }
            _ => honest,
        }
    }

    /// Whether it is time.
    fn now(&mut self) -> bool {
        if self.patience > 0 {
            self.patience -= 1;
            return false;
        }
        self.done += 1;
        true
    }

    fn tamper_step(&mut self, session: &Session, seats: u8, to: To, signed: &Signed) -> Option<Instead> {
        let id = session.descriptor().id();
        let acts = matches!(signed.anchor, Anchor::Head(_));
        let scheme = session.scheme().cloned().unwrap_or_default();
        let kind = scheme.duty.as_ref().filter(|_| !acts).map(kind_of);
        let mut bent = signed.clone();
        let send = |signed: &Signed| vec![(to, Message::Step(signed.clone()).encode(&id))];
        let (once, way) = (self.done == 0, self.cheat.way);
        match way {
            Way::Shuffle(bend) if once && kind == Some(Kind::Mix) && self.now() => {
                let n = bent.payload.len();
                match bend {
                    Bend::Swap if n > 600 => bent.payload[..128].rotate_left(64),
                    Bend::Double if n > 600 => bent.payload.copy_within(0..64, 64),
                    Bend::Drop => bent.payload.truncate(n - 64),
                    _ => bent.payload[n - 1] ^= 1,
                }
            }
            Way::Strip if once && matches!(kind, Some(Kind::Strip | Kind::Open)) && self.now() => {
                let n = bent.payload.len();
                bent.payload[n - 64] ^= 1;
            }
            Way::ReplayOwn if once && !acts => {
                let old = self.old.clone()?;
                if old.payload.len() != bent.payload.len() || old.payload.is_empty() || !self.now() {
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
            Way::Dice if once && kind == Some(Kind::Dice) && self.now() => bent.payload[95] ^= 1,
            Way::Proof if once && acts && !bent.payload.is_empty() && self.now() => {
                let at = self.rng.below(bent.payload.len() as u32) as usize;
                bent.payload[at] ^= 1;
            }
            Way::FalseClaim if once && acts => {
                bent = scheme.lie?;
                self.done += 1;
            }
            Way::FalseStand if once && kind == Some(Kind::Stand) && self.now() => {
                let n = bent.payload.len();
                bent.payload[n - 64] ^= 1;
            }
            Way::Digest if once && acts && self.now() => {
                if let Anchor::Head(header) = &mut bent.anchor {
                    header.digest[0] ^= 1;
                }
            }
            Way::Illegal if once && acts && self.now() => {
                if let Anchor::Head(header) = &mut bent.anchor {
                    header.body = scheme.illegal.unwrap_or_else(|| "conquer everything".into());
                    bent.payload.clear();
                }
            }
            Way::Unheld if once && acts => {
                let Anchor::Head(header) = &mut bent.anchor else { return None };
                let other = scheme.unheld?;
                if !self.now() {
                    return None;
                }
                header.body = other;
            }
            Way::TwoFaced if once && acts => {
                let other = scheme.spare?;
                if !self.now() {
                    return None;
                }
                let half = |peer: u8| if peer % 2 == self.seat % 2 { signed } else { &other };
                let mut instead: Instead = (0..seats)
                    .filter(|&peer| peer != self.seat)
                    .map(|peer| (To::Peer(peer.into()), Message::Step(half(peer).clone()).encode(&id)))
                    .collect();
                if seats == 2 {
                    instead.extend(send(&other));
                    instead.extend(send(signed));
                }
                return Some(instead);
            }
            Way::Rewind if once && acts => {
                let other = scheme.spare?;
                if !self.now() {
                    return None;
                }
                let mut instead = send(signed);
                instead.extend(send(&other));
                return Some(instead);
            }
            Way::OutOfTurn if once => {
                // When this was sent, it was already another's turn.
                let uncalled = session.out_of_turn()?;
                if !self.now() {
                    return None;
                }
                let mut instead = send(signed);
                instead.extend(send(&uncalled));
                return Some(instead);
            }
            Way::Leave if signed.place.seq > 2 && self.now() => {
                self.left = true;
                return Some(Vec::new());
            }
            Way::LeaveRoll | Way::LeaveShuffle | Way::RefuseOpen | Way::RefuseAudit
                if way.keeps(kind) && self.now() =>
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

/// One message for some players and another for the rest; where there is one other player, both for them.
fn split(seat: u8, seats: u8, to: To, one: &[u8], other: &[u8]) -> Instead {
    if seats == 2 || to != To::All {
        return vec![(to, one.to_vec()), (to, other.to_vec())];
    }
    let others = (0..seats).filter(|&peer| peer != seat).enumerate();
    let word = |i: usize| if i == 0 { one.to_vec() } else { other.to_vec() };
    others.map(|(i, peer)| (To::Peer(peer.into()), word(i))).collect()
}

/// What a contribution is about, as far as a cheater cares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Dice,
    Mix,
    Strip,
    /// Strips of what it alone could read.
    Open,
    Stand,
    Close,
    Other,
}

fn kind_of(duty: &Duty) -> Kind {
    if duty.dice {
        Kind::Dice
    } else if duty.mix {
        Kind::Mix
    } else if duty.strips.iter().any(|cell| matches!(cell, Cell::Own(_))) {
        Kind::Open
    } else if !duty.stands.is_empty() {
        Kind::Stand
    } else if duty.close {
        Kind::Close
    } else if !duty.strips.is_empty() {
        Kind::Strip
    } else {
        Kind::Other
    }
}
