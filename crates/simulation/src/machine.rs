//! One machine: its clock, its disk, the process that runs on it, and the person in front of it.

use crate::adapter::{Process, Start, public};
use crate::cheating::CheatPlan;
use crate::clock::DriftingClock;
use crate::disk::{AppendLog, Found};
use crate::lying_host::LyingHost;
use crate::oracle::{OracleError, Oracles};
use crate::plan::Mutant;
use crate::relay::ConnectionId;
use pentarchy_engine::{Rng, SeatSet};
use pentarchy_lobby::{SeatRequest, TableSetup};
use pentarchy_net::{Backoff, Invite, PublicIdentity, RoomPass};
use pentarchy_table::Descriptor;

/// Who uses a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// A player, or the host.
    Player,
    /// Somebody with the link who watches.
    Watcher,
    /// Somebody who wants no seat, only to disturb.
    Stranger,
}

/// A machine of a run.
pub(crate) struct Machine {
    pub(crate) role: Role,
    /// Whether it keeps to the protocol.
    pub(crate) is_honest: bool,
    pub(crate) address: u8,
    /// What it shows the relay.
    pub(crate) pass: Option<RoomPass>,
    pub(crate) secret: [u8; 32],
    pub(crate) identity: PublicIdentity,
    pub(crate) seed: [u8; 32],
    pub(crate) bots: Vec<[u8; 32]>,
    pub(crate) setup: Option<TableSetup>,
    pub(crate) cheat: Option<CheatPlan>,
    pub(crate) lying: Option<LyingHost>,
    pub(crate) clock: DriftingClock,
    pub(crate) disk: AppendLog,
    pub(crate) process: Option<Process>,
    /// Counts processes: what concerns an earlier one is void.
    pub(crate) generation: u64,
    pub(crate) connection: Option<ConnectionId>,
    /// Further connections of a stranger who takes places.
    pub(crate) squats: Vec<ConnectionId>,
    pub(crate) backoff: Backoff,
    pub(crate) is_syncing: bool,
    /// It never comes back.
    pub(crate) is_gone: bool,
    /// The seats at this machine.
    pub(crate) seats: SeatSet,
    /// The seats of honest machines at the table that this one plays.
    pub(crate) honest_seats: SeatSet,
    /// The table that the player has confirmed, as the player remembers it.
    pub(crate) confirmed: Option<Descriptor>,
    /// The table that was shown last.
    pub(crate) shown: Option<Descriptor>,
    pub(crate) rng: Rng,
}

impl Machine {
    /// Creates an honest machine with a random identity and an empty disk, on which no process runs
    /// yet. `address` is the last byte of its IP address, `pass` lets it into the room, `is_file`
    /// selects a journal file instead of a database, and `drift` a clock that is too fast or slow.
    /// The machine keeps `rng` for its own draws.
    pub(crate) fn new(
        role: Role,
        address: u8,
        pass: Option<RoomPass>,
        is_file: bool,
        mut rng: Rng,
        drift: bool,
    ) -> Self {
        let secret = random_bytes(&mut rng);
        Self {
            role,
            is_honest: true,
            address,
            pass,
            secret,
            identity: public(&secret),
            seed: random_bytes(&mut rng),
            bots: Vec::new(),
            setup: None,
            cheat: None,
            lying: None,
            clock: DriftingClock::new(&mut rng, 0, drift),
            disk: AppendLog::new(is_file),
            process: None,
            generation: 0,
            connection: None,
            squats: Vec::new(),
            backoff: Backoff::default(),
            is_syncing: false,
            is_gone: false,
            seats: SeatSet::NONE,
            honest_seats: SeatSet::NONE,
            confirmed: None,
            shown: None,
            rng,
        }
    }

    /// Returns whether this is a player's machine that follows the protocol and has not left for
    /// good. It may be stopped at the moment.
    pub(crate) fn is_honest_player(&self) -> bool {
        self.is_honest && self.role == Role::Player && !self.is_gone
    }

    /// Starts the process with what is on the disk, for the table of `invite`. Returns `false`, and marks
    /// the machine as gone, if a durable record is damaged. `number` is its index, for names and messages;
    /// `oracles` check that nothing durable is lost. `rotted` says that a durable record was damaged on
    /// purpose, so a successful load is a violation. The mutant `ForgetsItsLog` keeps only the first 8
    /// items; `PanicsAtReturn` panics if there are any. On success raises `generation`, and any earlier
    /// process is replaced.
    ///
    /// # Errors
    ///
    /// Fails if a durable item is lost or its damage was not noticed, or the process cannot start.
    pub(crate) fn boot(
        &mut self,
        number: usize,
        invite: &Invite,
        mutant: Option<Mutant>,
        oracles: &Oracles,
        rotted: bool,
    ) -> Result<bool, OracleError> {
        let before = self.disk.items().to_vec();
        let mut stored = match self.disk.load() {
            Found::Items(items) => items,
            Found::Damaged => {
                self.is_gone = true;
                return Ok(false);
            }
        };
        if rotted {
            let what = format!("machine {number} plays on with a damaged log");
            return Err(OracleError { oracle: "durability", what });
        }
        oracles.check_durability(number, &before, &stored)?;
        assert!(mutant != Some(Mutant::PanicsAtReturn) || stored.is_empty(), "machine {number} returns");
        if mutant == Some(Mutant::ForgetsItsLog) && stored.len() > 8 {
            stored.truncate(8);
        }
        let start = Start {
            invite,
            identity: self.secret,
            seed: self.seed,
            mesh_seed: random_bytes(&mut self.rng),
            name: format!("Player {number}"),
            setup: self.setup.clone(),
            bots: self.bots.clone(),
            wish: if self.role == Role::Watcher {
                SeatRequest::Watch
            } else {
                SeatRequest::Sit { seat: None, ready: true }
            },
            confirmed: self.confirmed.clone(),
            stored,
            cheat: self.cheat.as_ref().map(CheatPlan::renew),
            lying: self.lying.clone(),
        };
        let mut process = Process::start(start, &mut self.disk).map_err(|why| {
            let what = format!("machine {number} cannot come back after a crash: {why}");
            OracleError { oracle: "durability", what }
        })?;
        process.sends_before_durable = mutant == Some(Mutant::SendsBeforeDurable);
        process.posts_nothing = mutant == Some(Mutant::PostsNothing);
        self.process = Some(process);
        self.generation += 1;
        self.is_syncing = false;
        Ok(true)
    }
}

/// Draws 32 bytes from a generator, with four draws.
pub(crate) fn random_bytes(rng: &mut Rng) -> [u8; 32] {
    let mut bytes = [0; 32];
    for chunk in bytes.chunks_exact_mut(8) {
        chunk.copy_from_slice(&rng.bits().to_le_bytes());
    }
    bytes
}
