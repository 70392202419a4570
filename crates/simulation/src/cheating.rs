//! Cheaters at the table: the cheats of the attack catalogue, one for each dishonest seat, alone or two
//! together.

use crate::adapter::public;
use pentarchy_engine::Rng;
use pentarchy_keys::SigningSecret;
use pentarchy_net::PeerId;
use pentarchy_table::sim::{CHEATS, Cheat, Cheater, tap};
use pentarchy_table::{Descriptor, PeerSession, Recipient};
use std::collections::BTreeMap;

/// What goes out instead of one message: to which peers, and what.
pub(crate) type Tampering = Vec<(PeerId, Vec<u8>)>;

/// What two cheaters do together. They hear what either hears.
pub const COALITIONS: &[(&str, &str, &str)] = &[
    ("two faces", "two-faced", "two-faced"),
    ("forge and vouch", "two-faced", "accuse"),
    ("expel one", "expel", "expel"),
    ("withhold together", "leave-roll", "leave-roll"),
    ("leave together", "leave", "leave"),
    ("contradictory votes", "two-tongued", "two-tongued"),
    ("refuse and accuse", "refuse-open", "expel"),
    ("false share and silence", "false-share", "silent-friend"),
    ("rewind and forge", "rewind", "forge"),
    ("bad proofs", "swap-cards", "bend-claim"),
];

/// The cheats of the seats at one machine.
pub(crate) struct CheatPlan {
    /// The secret of each seat that cheats, and how.
    seats: Vec<([u8; 32], &'static Cheat)>,
    seed: u64,
    cheaters: Vec<Cheater>,
}

impl CheatPlan {
    /// Creates a plan in which each seat with one of these secret keys cheats in the given way. The
    /// cheaters draw from streams of `seed`, and exist only after [`sit_down`](Self::sit_down).
    pub(crate) fn new(seats: Vec<([u8; 32], &'static Cheat)>, seed: u64) -> Self {
        Self { seats, seed, cheaters: Vec::new() }
    }

    /// Creates a plan with the same secrets, cheats and seed for the next process of the machine.
    /// The cheaters themselves, and how often they have cheated, are not copied.
    pub(crate) fn renew(&self) -> Self {
        Self::new(self.seats.clone(), self.seed)
    }

    /// Creates the cheaters for those seats of the table that belong to the plan's identities. Does
    /// nothing the second time. Secrets without a seat at the table are skipped.
    pub(crate) fn sit_down(&mut self, table: &Descriptor) {
        if !self.cheaters.is_empty() {
            return;
        }
        for (secret, cheat) in &self.seats {
            let identity = public(secret);
            let seat = table.players.iter().position(|player| player.identity == identity);
            let Some(seat) = seat else { continue };
            let rng = Rng::stream(self.seed, 0xbad + seat as u64);
            self.cheaters.push(Cheater::new(cheat, seat as u8, SigningSecret::from_bytes(secret), rng));
        }
    }

    /// Lets the cheater that has the seat of this session manipulate it, as its cheat needs. Call it before
    /// the session acts. Does nothing if no cheater has its seat.
    pub(crate) fn corrupt(&self, session: &mut PeerSession) {
        let own = self.cheaters.iter().find(|cheater| Some(cheater.seat()) == session.seat());
        own.into_iter().for_each(|cheater| cheater.corrupt(session));
    }

    /// Passes a session message that this machine or an accomplice received to all cheaters of this
    /// machine. `session` is the session of the machine's player.
    pub(crate) fn hear(&mut self, session: &PeerSession, bytes: &[u8]) {
        self.cheaters.iter_mut().for_each(|cheater| cheater.hear(session, bytes));
    }

    /// Returns how often the cheaters of this process have cheated, summed over all seats; 0 before they
    /// sit down.
    pub(crate) fn times(&self) -> u32 {
        self.cheaters.iter().map(Cheater::times).sum()
    }

    /// Returns the messages that this machine sends to `peers` instead of `message`. `sessions` are those of this
    /// machine, its player's first; `numbers` are the seats of the peers. The message comes back unchanged for each
    /// peer unless a cheater signed it. Returns nothing if the cheater that signed it, or the machine's player, has
    /// left. A cheater may send other messages, to other recipients of `peers`, or none.
    pub(crate) fn tamper(
        &mut self,
        sessions: &[&PeerSession],
        peers: &[PeerId],
        numbers: &BTreeMap<PeerId, u32>,
        message: &[u8],
    ) -> Tampering {
        let honest = || peers.iter().map(|&peer| (peer, message.to_vec())).collect();
        let Some(own) = sessions.first() else { return honest() };
        if self.cheaters.iter().any(|cheater| Some(cheater.seat()) == own.seat() && cheater.has_left()) {
            return Vec::new();
        }
        let table = own.descriptor();
        let Some(tapped) = tap(&table.id(), message) else { return honest() };
        let Some(cheater) = self.cheaters.iter_mut().find(|cheater| cheater.seat() == tapped.seat) else {
            return honest();
        };
        if cheater.has_left() {
            return Vec::new();
        }
        let Some(session) = sessions.iter().find(|session| session.seat() == Some(tapped.seat)) else {
            return honest();
        };
        let to = match peers {
            [one] => Recipient::Peer(numbers.get(one).copied().unwrap_or(u32::MAX)),
            _ => Recipient::All,
        };
        let instead = cheater.tamper(session, table.seats(), to, message.to_vec());
        let reach = |to: Recipient| -> Vec<PeerId> {
            match to {
                Recipient::All => peers.to_vec(),
                Recipient::Peer(number) => {
                    peers.iter().copied().filter(|peer| numbers.get(peer) == Some(&number)).collect()
                }
            }
        };
        instead
            .into_iter()
            .flat_map(|(to, bytes)| reach(to).into_iter().map(move |peer| (peer, bytes.clone())))
            .collect()
    }
}

/// Draws a cheat, with equal probability, that works with this number of seats. Cheats that need hidden faces are
/// drawn only if `hides`: the game hides faces. With `together` it draws two: in 2 of 3 cases a known coalition, else
/// any pair, possibly twice the same cheat. Returns the cheat, or the two in the order of the coalition; empty if
/// none fits.
pub(crate) fn draw_cheats(together: bool, seats: u8, hides: bool, rng: &mut Rng) -> Vec<&'static Cheat> {
    let fits = |cheat: &&Cheat| cheat.seats <= seats && (hides || !cheat.hidden);
    let any = |rng: &mut Rng| {
        let list: Vec<&'static Cheat> = CHEATS.iter().filter(|cheat| fits(cheat)).collect();
        rng.choose(&list).copied()
    };
    if !together {
        return any(rng).into_iter().collect();
    }
    let pairs: Vec<[&'static Cheat; 2]> = COALITIONS
        .iter()
        .filter_map(|(_, one, two)| Some([Cheat::find(one)?, Cheat::find(two)?]))
        .filter(|pair| pair.iter().all(&fits))
        .collect();
    match rng.choose(&pairs) {
        Some(pair) if rng.below(3) > 0 => pair.to_vec(),
        _ => [any(rng), any(rng)].into_iter().flatten().collect(),
    }
}
