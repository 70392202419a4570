//! The kinds of faults and attacks, and the mix of them that a seed draws.

use pentarchy_engine::Rng;
use std::fmt::Debug;
use std::str::FromStr;

/// A kind of fault or attack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum FaultKind {
    /// The relay drops a frame.
    Drop,
    /// The relay holds a frame back for up to some seconds, so that later ones overtake it.
    Delay,
    /// The relay delivers a frame twice.
    Duplicate,
    /// The relay delivers an old frame again, to its receiver or to another member.
    Replay,
    /// The relay passes nothing to or from one machine for a while.
    Partition,
    /// The relay invents members and frames.
    Invent,
    /// The relay restarts and forgets all rooms.
    RelayRestart,
    /// A machine reads nothing for a while, so that its queue at the relay overflows.
    SlowReader,
    /// A direct connection between two machines carries frames past the relay.
    DirectPath,
    /// A direct connection swallows what is sent by it.
    DirectSwallow,
    /// A process ends at any instant and is started again later.
    Crash,
    /// At a crash a write that was not synced is cut short.
    TornWrite,
    /// At a crash a write that was not synced is lost.
    LostWrite,
    /// At a crash a later write that was not synced is there and an earlier one is not.
    ReorderedWrite,
    /// At a crash a write that was not synced has other bytes.
    CorruptWrite,
    /// A durable item is damaged while the machine is off.
    Rot,
    /// A clock jumps forwards.
    ClockForward,
    /// After a restart a clock shows an earlier time than before.
    ClockBack,
    /// A clock runs fast or slow.
    ClockDrift,
    /// A player leaves for good.
    Leave,
    /// A seat cheats.
    Cheat,
    /// Two seats cheat together.
    Coalition,
    /// The host starts another table than it showed.
    BaitSwitch,
    /// The host shows guests different seatings.
    TwoSeatings,
    /// The host starts before its guests are ready.
    EarlyStart,
    /// A watcher floods the table with chat.
    FloodChat,
    /// A watcher asks for the log over and over.
    FloodRequests,
    /// A stranger with the link floods everybody with handshakes.
    FloodHandshakes,
    /// A stranger with the link takes places in the relay room.
    Squat,
    /// A stranger without the link tries to enter the relay room.
    NoPass,
    /// The machines of the table are never online together: one visits after the other.
    Apart,
}

impl FromStr for FaultKind {
    type Err = String;

    /// Returns the kind of this name, for instance `TornWrite`. Case does not matter.
    ///
    /// # Errors
    ///
    /// Fails if there is no such kind; the message lists all.
    fn from_str(name: &str) -> Result<Self, String> {
        find_by_name(&Self::ALL, name)
    }
}

/// Returns the first value of `all` whose `Debug` text is `name`, without regard to case.
///
/// # Errors
///
/// Fails if there is none; the message lists the names of all.
pub(crate) fn find_by_name<T: Copy + Debug>(all: &[T], name: &str) -> Result<T, String> {
    let found = all.iter().find(|value| format!("{value:?}").eq_ignore_ascii_case(name));
    found.copied().ok_or_else(|| {
        let names: Vec<String> = all.iter().map(|value| format!("{value:?}")).collect();
        format!("there is no `{name}`; there are {}", names.join(", "))
    })
}

impl FaultKind {
    /// All kinds.
    pub const ALL: [FaultKind; 31] = [
        FaultKind::Drop,
        FaultKind::Delay,
        FaultKind::Duplicate,
        FaultKind::Replay,
        FaultKind::Partition,
        FaultKind::Invent,
        FaultKind::RelayRestart,
        FaultKind::SlowReader,
        FaultKind::DirectPath,
        FaultKind::DirectSwallow,
        FaultKind::Crash,
        FaultKind::TornWrite,
        FaultKind::LostWrite,
        FaultKind::ReorderedWrite,
        FaultKind::CorruptWrite,
        FaultKind::Rot,
        FaultKind::ClockForward,
        FaultKind::ClockBack,
        FaultKind::ClockDrift,
        FaultKind::Leave,
        FaultKind::Cheat,
        FaultKind::Coalition,
        FaultKind::BaitSwitch,
        FaultKind::TwoSeatings,
        FaultKind::EarlyStart,
        FaultKind::FloodChat,
        FaultKind::FloodRequests,
        FaultKind::FloodHandshakes,
        FaultKind::Squat,
        FaultKind::NoPass,
        FaultKind::Apart,
    ];

    /// Returns the bit mask of this kind in `FaultMix::kinds`.
    fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// How often each kind has happened.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FaultCounts([u64; FaultKind::ALL.len()]);

impl FaultCounts {
    /// Counts one more fault of a kind.
    pub fn add(&mut self, kind: FaultKind) {
        self.0[kind as usize] += 1;
    }

    /// Returns how often a kind of fault has happened.
    pub fn of(&self, kind: FaultKind) -> u64 {
        self.0[kind as usize]
    }

    /// Adds the counts of another run to these, kind by kind.
    pub fn merge(&mut self, other: &FaultCounts) {
        self.0.iter_mut().zip(other.0).for_each(|(mine, theirs)| *mine += theirs);
    }
}

/// Which kinds of faults a run has, and how often they happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FaultMix {
    kinds: u32,
    /// Of a thousand frames, each fault of the relay hits this many.
    pub(crate) frame_rate: u32,
    /// Milliseconds between two accidents (crashes, partitions, jumps of clocks), on average.
    pub(crate) accident_every: u32,
    /// Milliseconds after which the faults stop.
    pub(crate) until: u64,
}

/// The names of the mixes that can be asked for.
pub const MIXES: &[(&str, &str)] = &[
    ("swarm", "each seed draws its own mix of all kinds"),
    ("calm", "no faults and no adversaries"),
    ("relay", "a hostile relay"),
    ("storage", "crashes, torn, lost, reordered and corrupted writes, clocks that jump"),
    ("host", "a dishonest host before the start"),
    ("room", "watchers and strangers in the room"),
    ("cheat", "one cheater at the table, and a bad network"),
    ("coalition", "two cheaters who coordinate"),
    ("days", "players who are never online together, and the mailbox between them"),
];

impl FaultMix {
    /// Returns whether the mix contains a kind of fault.
    pub(crate) fn has(&self, kind: FaultKind) -> bool {
        self.kinds & kind.bit() != 0
    }

    /// Iterates over the kinds of faults of the mix, in the order of [`FaultKind::ALL`].
    pub(crate) fn kinds(&self) -> impl Iterator<Item = FaultKind> + '_ {
        FaultKind::ALL.into_iter().filter(|kind| self.has(*kind))
    }

    /// Creates a mix with exactly these kinds at high rates: 60 of 1000 frames, a fault every 1.5 s on average, until
    /// 20 s. An empty list gives a mix without faults.
    pub(crate) fn only(kinds: &[FaultKind]) -> Self {
        let kinds = kinds.iter().fold(0, |bits, kind| bits | kind.bit());
        FaultMix { kinds, frame_rate: 60, accident_every: 1_500, until: 20_000 }
    }

    /// Returns the mix with [`FaultKind::Cheat`] in place of [`FaultKind::Coalition`]; unchanged if it has
    /// no coalition.
    pub(crate) fn without_coalition(mut self) -> Self {
        if self.has(FaultKind::Coalition) {
            self.kinds = self.kinds & !FaultKind::Coalition.bit() | FaultKind::Cheat.bit();
        }
        self
    }

    /// Draws the kinds, rates and end of the faults for the mix of this name: `swarm`, `calm`, `relay`, `storage`,
    /// `host`, `room`, `cheat`, `coalition` or `days`. `None` for any other name. A mix may draw no kind at all.
    /// Advances the generator unless the name is unknown.
    pub(crate) fn draw(name: &str, rng: &mut Rng) -> Option<Self> {
        use FaultKind::*;
        let network = [Drop, Delay, Duplicate, Replay, Partition, Invent, RelayRestart, SlowReader];
        let storage = [Crash, TornWrite, LostWrite, ReorderedWrite, CorruptWrite, ClockForward, ClockBack];
        let host = [BaitSwitch, TwoSeatings, EarlyStart];
        let room = [FloodChat, FloodRequests, FloodHandshakes, Squat, NoPass];
        let mut kinds = 0;
        let mut may = |list: &[FaultKind], percent: u32, rng: &mut Rng| {
            for kind in list {
                kinds |= if rng.below(100) < percent { kind.bit() } else { 0 };
            }
        };
        match name {
            "swarm" => {
                may(&network, 30, rng);
                may(&[DirectPath, DirectSwallow], 25, rng);
                may(&storage, 35, rng);
                may(&[Rot], 5, rng);
                may(&[ClockDrift, Leave], 15, rng);
                may(&room, 20, rng);
                may(&[Apart], 15, rng);
                let adversary: &[FaultKind] = match rng.below(8) {
                    0 => &host,
                    1 | 2 => &[Cheat],
                    3 => &[Coalition],
                    _ => &[],
                };
                may(adversary, 100, rng);
            }
            "calm" => {}
            "relay" => may(&network, 60, rng),
            "storage" => {
                may(&storage, 70, rng);
                may(&[ClockDrift, Rot], 30, rng);
                may(&[Crash], 100, rng);
            }
            "host" => {
                may(&host, 60, rng);
                may(&[BaitSwitch], 100, rng);
            }
            "room" => may(&room, 80, rng),
            "cheat" => {
                may(&[Cheat], 100, rng);
                may(&network, 20, rng);
                may(&[Crash], 20, rng);
            }
            "coalition" => {
                may(&[Coalition], 100, rng);
                may(&network, 10, rng);
                may(&[Leave], 30, rng);
            }
            "days" => {
                may(&[Apart], 100, rng);
                may(&network, 15, rng);
                may(&storage, 15, rng);
            }
            _ => return None,
        }
        let frame_rate = [5, 20, 60, 150][rng.below(4) as usize];
        let accident_every = [700, 2_000, 6_000, 15_000][rng.below(4) as usize];
        let until = 5_000 + u64::from(rng.below(60_000));
        Some(FaultMix { kinds, frame_rate, accident_every, until })
    }
}
