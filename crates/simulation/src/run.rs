//! Sets up a run, executes it, and checks its result.

use crate::adapter::{History, Standpoint};
use crate::cheating::CheatPlan;
use crate::faults::{FaultCounts, FaultKind, FaultMix};
use crate::lying_host::LyingHost;
use crate::machine::{Machine, Role, random_bytes};
use crate::oracle::OracleError;
use crate::plan::{Mutant, Simulation, TablePlan};
use crate::trace::Trace;
use crate::world::{Happening, STANDSTILL, World};
use pentarchy_engine::Rng;
use pentarchy_lobby::TableSetup;
use pentarchy_net::{HostTag, Invite, InviteKey, OwnerSecret};
use pentarchy_table::Ending;
use pentarchy_table::sim::Expect;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The time limit of the tables, in milliseconds.
const STALL: u32 = 30_000;
/// Virtual milliseconds after the end of a run within which the logs of all honest machines must agree.
const SETTLING: u64 = 60_000;
/// Upper bound on the virtual time of a run after the faults stop.
const LONGEST: u64 = 3_600_000;

/// The result of a run that broke no rule.
#[derive(Clone, Debug)]
pub struct SystemReport {
    /// The name of the game.
    pub game: &'static str,
    /// The number of seats.
    pub seats: u8,
    /// Events of the honest log that got furthest.
    pub events: u32,
    /// Virtual milliseconds.
    pub millis: u64,
    /// How often each kind of fault happened.
    pub faults: FaultCounts,
    /// Evidence that honest peers found.
    pub evidence: u64,
    /// How often a seat was late.
    pub stalls: u64,
    /// Whether the honest players finished, or reached the limit of events.
    pub finished: bool,
    /// How many honest players' machines began the table.
    pub begun: usize,
    /// The hash of the trace: equal for equal runs.
    pub hash: [u8; 32],
    /// The lines of the trace, if they were asked for.
    pub trace: Vec<String>,
}

/// A run that broke a rule.
#[derive(Clone, Debug, thiserror::Error)]
#[error("after {millis} ms: {}: {}", violation.oracle, violation.what)]
pub struct SimulationError {
    /// What was broken.
    pub violation: OracleError,
    /// When, in virtual milliseconds.
    pub millis: u64,
    /// The lines of the trace, if they were asked for.
    pub trace: Vec<String>,
}

/// Returns the command line `PROGRAM simulate …` that repeats exactly this run, with its trace. `program` starts the
/// terminal client; it must be built with the same assertions. The seed must be below `u64::MAX`.
pub fn replay_command(program: &str, run: &Simulation) -> String {
    let Simulation { seed, game, mix, faults, cheat, mutant, trace: _ } = run;
    let mut again = format!("{program} simulate");
    let mut add = |text: String| again += &format!(" {text}");
    if let Some(game) = game {
        add(game.info().name.to_owned());
    }
    add(format!("--seeds {seed}..{}", seed + 1));
    if mix != "swarm" {
        add(format!("--mix {mix}"));
    }
    if let Some(kinds) = faults {
        let names: Vec<String> = kinds.iter().map(|kind| format!("{kind:?}")).collect();
        add(format!("--faults={}", names.join(",")));
    }
    if let Some(cheat) = cheat {
        add(format!("--cheat {}", cheat.name));
    }
    if let Some(mutant) = mutant {
        add(format!("--mutant {mutant:?}"));
    }
    add("--trace".to_owned());
    again
}

/// Simulates one seed from the lobby to the end, and checks all oracles. The result depends only on
/// `run`: the hash of the trace is the same each time. A run that stands still for a permitted
/// reason is no error; `finished` is `false` then.
///
/// # Errors
///
/// Fails if an oracle is violated (a bug of the system, or of the simulation). The oracle is `no panic` if the code of
/// a machine or of the relay panics, and `set-up` if the mix or the game does not exist, or the game has too few seats
/// for the cheaters.
pub fn simulate(run: &Simulation) -> Result<SystemReport, SimulationError> {
    let world = catch_panic(|| set_up(run).map_err(|what| OracleError { oracle: "set-up", what }));
    let mut world = world.map_err(|violation| SimulationError { violation, millis: 0, trace: Vec::new() })?;
    let outcome = catch_panic(|| {
        let finished = play(&mut world)?;
        judge(&world)?;
        settle(&mut world)?;
        (0..world.machines.len()).for_each(|m| world.tally(m));
        let furthest = honest(&world).map(|(_, at)| at.events).max().unwrap_or(0);
        Ok((finished, furthest))
    });
    let begun = world.machines.iter().filter(|m| m.is_honest && !m.seats.is_empty()).count();
    let (hash, trace) = world.trace.finish();
    match outcome {
        Ok((finished, furthest)) => Ok(SystemReport {
            game: world.plan.game.info().name,
            seats: world.plan.seats,
            events: furthest,
            millis: world.now,
            faults: world.counts,
            evidence: world.evidence,
            stalls: world.stalls,
            finished,
            begun,
            hash,
            trace,
        }),
        Err(violation) => Err(SimulationError { violation, millis: world.now, trace }),
    }
}

/// Calls `work` and returns its result, or an error in place of a panic.
///
/// # Errors
///
/// Fails as `work` does, or with the oracle `no panic` and the text of the panic if it panics. What it has changed
/// must not be relied on then.
fn catch_panic<T>(work: impl FnOnce() -> Result<T, OracleError>) -> Result<T, OracleError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text =
            text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message");
        Err(OracleError { oracle: "no panic", what: text.to_owned() })
    })
}

/// Draws the mix, the plan and the machines of a run, and creates its world with the first starts, ticks and faults
/// scheduled. A mix that the run forces replaces the drawn one. Machines start within 2 s and tick within 0.2 s after
/// that; the first accident is due after 0.5 s.
///
/// # Errors
///
/// Fails if the mix or the game does not exist, or the game has too few seats for the cheaters.
fn set_up(run: &Simulation) -> Result<World, String> {
    let mut rng = Rng::stream(run.seed, 0x5e7);
    let mix = run.draw_faults(&mut rng)?;
    let plan = TablePlan::draw(run, &mix, &mut rng)?;
    let drift = |rng: &mut Rng| mix.has(FaultKind::ClockDrift) && rng.below(2) == 0;
    let mut machines: Vec<Machine> = Vec::new();
    let players = plan.seats - plan.bots;
    for number in 0..players + plan.watchers {
        let role = if number < players { Role::Player } else { Role::Watcher };
        // Some households have one address.
        let address = if rng.below(4) == 0 { 1 } else { 2 + number };
        let (is_file, stream) = (rng.below(2) == 0, rng.bits());
        let drift = drift(&mut rng);
        machines.push(Machine::new(role, address, None, is_file, Rng::new(stream), drift));
    }
    let owner = OwnerSecret::new(random_bytes(&mut rng));
    let mut key = [0; 16];
    key.copy_from_slice(&random_bytes(&mut rng)[..16]);
    let host = HostTag::of(&machines[0].identity);
    let invite = Invite { server: "http://relay".into(), key: InviteKey(key), host, owner: owner.tag() };
    machines.iter_mut().for_each(|machine| machine.pass = Some(invite.pass()));
    machines[0].setup = Some(TableSetup {
        game: plan.game,
        options: serde_json::json!({}),
        seats: plan.seats,
        recovery: plan.recovery,
        stall_ms: STALL,
        starts_automatically: true,
        tag: None,
    });
    machines[0].bots = (0..plan.bots).map(|_| random_bytes(&mut rng)).collect();
    seat_adversaries(run, &plan, &mix, &invite, &mut machines, &mut rng);
    let trace = Trace::new(run.trace);
    let mut world = World::new(plan, mix, run.mutant, invite, machines, rng, trace);
    world.trace.line(
        0,
        format_args!("seed {}: {} with {}", run.seed, world.plan.game.info().name, world.plan.seats),
    );
    let kinds: Vec<FaultKind> = world.mix.kinds().collect();
    world.trace.line(0, format_args!("faults: {kinds:?}"));
    for m in 0..world.machines.len() {
        let (start, tick) = (u64::from(world.rng.below(2_000)), u64::from(world.rng.below(200)));
        world.schedule(start, Happening::Restart(m));
        world.schedule(start + tick, Happening::Tick(m));
    }
    world.schedule(500, Happening::Accident);
    world.schedule(world.mix.until, Happening::Calm);
    if world.mix.has(FaultKind::Apart) {
        let after = 2_000 + u64::from(world.rng.below(8_000));
        world.schedule(after, Happening::Visit);
    }
    if let Some(m) = world.plan.leaver {
        let after = 3_000 + u64::from(world.rng.below(20_000));
        world.schedule(after, Happening::Leave(m));
    }
    Ok(world)
}

/// Assigns the cheats of the plan to machines (that of a bot to the first bot of the host), and as the mix has them
/// makes machine 0 a lying host, the watchers dishonest (adding one if there is none), and adds a stranger with and one
/// without a pass of `invite`. The mutant `RoomWithoutPass` adds the latter, too. Marks all of them as dishonest.
fn seat_adversaries(
    run: &Simulation,
    plan: &TablePlan,
    mix: &FaultMix,
    invite: &Invite,
    machines: &mut Vec<Machine>,
    rng: &mut Rng,
) {
    for (m, cheat) in &plan.cheats {
        let mut seats = vec![(machines[*m].secret, *cheat)];
        if *m == 0
            && let (Some(bot), Some(how)) = (machines[0].bots.first(), plan.bot_cheats)
        {
            seats.push((*bot, how));
        }
        machines[*m].cheat = Some(CheatPlan::new(seats, rng.bits()));
        machines[*m].is_honest = false;
    }
    let lies =
        [FaultKind::BaitSwitch, FaultKind::TwoSeatings, FaultKind::EarlyStart].map(|kind| mix.has(kind));
    if lies.contains(&true) {
        let [switches, differs, hurries] = lies;
        let rng = Rng::new(rng.bits());
        machines[0].lying = Some(LyingHost { switches, differs, hurries, rng, done: [0; 3] });
        machines[0].is_honest = false;
    }
    if mix.has(FaultKind::FloodChat) || mix.has(FaultKind::FloodRequests) {
        if plan.watchers == 0 {
            let rng = Rng::new(rng.bits());
            machines.push(Machine::new(Role::Watcher, 90, Some(invite.pass()), true, rng, false));
        }
        machines.iter_mut().filter(|m| m.role == Role::Watcher).for_each(|m| m.is_honest = false);
    }
    let mut stranger = |pass| {
        let mut stranger = Machine::new(Role::Stranger, 99, pass, true, Rng::new(run.seed), false);
        stranger.is_honest = false;
        machines.push(stranger);
    };
    if mix.has(FaultKind::Squat) || mix.has(FaultKind::FloodHandshakes) {
        stranger(Some(invite.pass()));
    }
    if mix.has(FaultKind::NoPass) || run.mutant == Some(Mutant::RoomWithoutPass) {
        stranger(None);
    }
}

/// Iterates over the standpoints of running honest players' machines, bots included, each with the
/// index of its machine.
fn honest(world: &World) -> impl Iterator<Item = (usize, Standpoint)> + '_ {
    let players = world.machines.iter().enumerate().filter(|(_, machine)| machine.is_honest_player());
    players.flat_map(|(m, machine)| {
        machine.process.iter().flat_map(move |process| process.standings().into_iter().map(move |at| (m, at)))
    })
}

/// Executes the run until the honest players have finished, the plan's number of events is reached, or nothing happens
/// any more. Returns whether one of the first two was the case. The state is looked at every 16 happenings. Nothing
/// happens any more if the queue is empty, or if the honest sessions have not changed for [`STANDSTILL`] ms after the
/// faults stopped.
///
/// # Errors
///
/// Fails if an oracle is violated, if a table stands still without a reason, or if the run lasts too long.
fn play(world: &mut World) -> Result<bool, OracleError> {
    let (mut moved, mut last) = (0, (0u64, 0usize, 0usize));
    let mut count = 0u64;
    while let Some(happening) = world.next() {
        world.happen(happening)?;
        count += 1;
        if !count.is_multiple_of(16) {
            continue;
        }
        let sessions: Vec<Standpoint> = honest(world).map(|(_, at)| at).collect();
        let players = world.machines.iter().filter(|machine| machine.is_honest_player()).count();
        let over = sessions.iter().filter(|at| at.is_over).count();
        let furthest = sessions.iter().map(|at| at.events).max().unwrap_or(0);
        let begun = world.machines.iter().filter(|m| m.is_honest_player() && !m.seats.is_empty()).count();
        if begun >= players.max(1) && over == sessions.len() && !sessions.is_empty()
            || furthest >= world.plan.most_events
        {
            return Ok(true);
        }
        let state = (sessions.iter().map(|at| u64::from(at.events)).sum(), begun, over);
        if state != last {
            (last, moved) = (state, world.now);
        }
        if world.is_calm && world.now > moved.max(world.mix.until) + STANDSTILL {
            check_standstill(world, &sessions, begun, players)?;
            return Ok(false);
        }
        if world.now > world.mix.until + LONGEST {
            return Err(OracleError { oracle: "liveness", what: "the game does not end".into() });
        }
    }
    Ok(false)
}

/// Checks that there is a reason why nothing happens any more at a table. The caller must have checked that
/// the faults have ended and that the honest sessions have not changed for long enough. `sessions` are those
/// of the honest players' running machines; `begun` of `players` honest machines have begun. Accepted reasons:
///
/// * The host lies.
/// * No session is in progress, or the furthest one has not opened, and a player has left for good.
/// * The furthest session has not opened, or the match has started, or there are no honest players, and a
///   machine cheats.
/// * The furthest session in progress has no honest majority of the live voters.
///
/// # Errors
///
/// Fails with the oracle `liveness` if none of these reasons applies: the table should have opened,
/// progressed or ended.
fn check_standstill(
    world: &World,
    sessions: &[Standpoint],
    begun: usize,
    players: usize,
) -> Result<(), OracleError> {
    let fails = |what: String| Err(OracleError { oracle: "liveness", what });
    if !world.machines[0].is_honest && world.machines[0].lying.is_some() {
        return Ok(());
    }
    let gone = world.machines.iter().any(|machine| machine.role == Role::Player && machine.is_gone);
    let cheats = world.machines.iter().any(|machine| machine.cheat.is_some());
    let Some(at) = sessions.iter().filter(|at| !at.is_over).max_by_key(|at| (at.epoch, at.events)) else {
        // A player who left before the start keeps the match from starting. A cheater does not: sessions cheat, lobbies do
        // not. Without honest players nobody says whether it has started.
        if gone || cheats && (begun > 0 || players == 0) {
            return Ok(());
        }
        let lobby = |(m, machine): (usize, &Machine)| {
            Some(format!("; {m}: {}", machine.process.as_ref()?.describe_lobby()))
        };
        let seen: String = world.machines.iter().enumerate().filter_map(lobby).collect();
        return fails(format!("{begun} of {players} players have begun{seen}"));
    };
    if !at.is_open() {
        return if gone || cheats {
            Ok(())
        } else {
            fails(format!("the table does not open; due are {:?}", at.due))
        };
    }
    let (honest, voters) = honest_voters(world, at);
    if 2 * honest > voters {
        let (events, due, live) = (at.events, &at.due, at.live);
        return fails(format!(
            "nothing happens after event {events}; due are {due:?}, live seats {live}, {honest} of {voters} voters are honest"
        ));
    }
    Ok(())
}

/// Returns the number of voters on machines of honest players who are still there, and of all voters, at the table that
/// a session sees. A machine has one vote; bots have none.
fn honest_voters(world: &World, at: &Standpoint) -> (usize, usize) {
    // A machine has one vote. All bots are the host's, and are dropped with it.
    let plays = |machine: &&Machine| machine.seats.meets(at.live);
    let honest = world.machines.iter().filter(|machine| machine.is_honest_player()).filter(plays).count();
    let bots = world.machines.first().filter(plays).map_or(0, |_| usize::from(world.plan.bots));
    (honest, usize::from(at.live.len()) - bots)
}

/// Checks that the logs of all honest machines agree after a run. If they do not, or a machine visits alone, the faults
/// stop, and the run continues until all honest players are back and their logs agree, for [`SETTLING`] milliseconds at
/// most.
///
/// # Errors
///
/// Fails if the logs do not agree in time, or another oracle is violated meanwhile.
fn settle(world: &mut World) -> Result<(), OracleError> {
    // Where the machines are never online together, all of them come back first.
    let are_back = |world: &World| {
        let mut players = world.machines.iter().filter(|machine| machine.is_honest_player());
        players.all(|machine| machine.process.is_some())
    };
    let is_settled = |world: &World| are_back(world) && compare_logs(world).is_ok();
    if world.visitor.is_none() && compare_logs(world).is_ok() {
        return Ok(());
    }
    if !world.is_calm {
        world.calm()?;
    }
    let until = world.now + SETTLING;
    let mut count = 0u64;
    while let Some(happening) = world.next() {
        world.happen(happening)?;
        count += 1;
        if world.now > until || count.is_multiple_of(16) && is_settled(world) {
            break;
        }
    }
    compare_logs(world)
}

/// Compares the logs of the honest machines that run, watchers included. Nothing is compared where the host lies, and
/// where the honest are no majority: then nobody can drop a seat that shows different histories. Matches that ended
/// because seats were dropped, and sessions that have not opened, are not compared.
///
/// # Errors
///
/// Fails if two logs differ.
fn compare_logs(world: &World) -> Result<(), OracleError> {
    let is_lying = world.machines.iter().any(|machine| machine.lying.is_some());
    let furthest = honest(world).map(|(_, at)| at).max_by_key(|at| (at.epoch, at.events));
    let has_majority = furthest.is_some_and(|at| {
        let (honest, voters) = honest_voters(world, &at);
        2 * honest > voters
    });
    if is_lying || !has_majority {
        return Ok(());
    }
    let machines = world.machines.iter().enumerate().filter(|(_, machine)| machine.is_honest);
    let histories = machines.flat_map(|(m, machine)| {
        machine.process.iter().flat_map(move |process| process.histories().into_iter().map(move |it| (m, it)))
    });
    // A game that ended because seats were dropped keeps the log of the peer that ended it.
    let goes_on = |at: &Standpoint| at.ending.is_none_or(|ending| ending == Ending::Played);
    let compared: Vec<(usize, History)> =
        histories.filter(|(_, history)| history.at.is_open() && goes_on(&history.at)).collect();
    world.oracles.check_convergence(&compared)
}

/// Checks what must hold at the end of a run: no forbidden faces, no frames without a pass, bounded memory at the
/// relay, equal logs of matches that were played to the end, and no evidence in a run whose only fault is a harmless
/// cheat. The last is checked only if the machine of the single cheater runs and has cheated.
///
/// # Errors
///
/// Fails with the first violation.
fn judge(world: &World) -> Result<(), OracleError> {
    let fails = |oracle, what: String| Err(OracleError { oracle, what });
    for (m, machine) in world.machines.iter().enumerate() {
        // Cheaters' sessions are honest inside: what they must not know they do not know either.
        if let Some((seat, token)) = machine.process.as_ref().and_then(|process| process.forbidden_face()) {
            return fails(
                "hidden faces",
                format!("machine {m}, seat {seat:?}, knows the face of token {token}"),
            );
        }
    }
    if world.relay.leaked > 0 {
        return fails("room pass", format!("somebody without the link got {} frames", world.relay.leaked));
    }
    if world.relay.most_waiting > (4 << 20) + (1 << 20) {
        return fails("bounded memory", format!("{} bytes waited at the relay", world.relay.most_waiting));
    }
    let mut endings: Vec<_> = honest(world).filter(|(_, at)| at.is_over).collect();
    endings.retain(|(_, at)| at.ending == Some(Ending::Played));
    if let Some((first, rest)) = endings.split_first()
        && let Some((m, _)) = rest.iter().find(|(_, at)| at.head != first.1.head)
    {
        return fails("agreement", format!("machines {} and {m} ended with different logs", first.0));
    }
    let [(m, cheat)] = world.plan.cheats.as_slice() else { return Ok(()) };
    let times = world.machines[*m].process.as_ref().map_or(0, |process| process.cheated());
    let calm = world.mix.kinds().all(|kind| kind == FaultKind::Cheat);
    if times > 0 && calm && cheat.expect == Expect::Harmless && !world.oracles.convicted.is_empty() {
        return fails("no false evidence", format!("evidence of the harmless cheat `{}`", cheat.name));
    }
    Ok(())
}
