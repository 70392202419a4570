//! The whole system under one seed: machines with lobby, mesh, session, storage and clock, the relay between them, and
//! adversaries everywhere. One thread, virtual time, the real code.
//!
//! A seed draws a table, a mix of faults (swarm testing) and adversaries, and everything follows from it. The
//! oracles ([`OracleError`]) check safety at every instant, and liveness after the faults stop. `docs/simulation.md`
//! describes what is simulated and how to replay a seed.

mod accidents;
mod adapter;
mod cheating;
mod clock;
mod disk;
mod faults;
mod lying_host;
mod machine;
mod oracle;
mod plan;
mod relay;
mod run;
mod trace;
mod world;

pub use cheating::COALITIONS;
pub use faults::{FaultCounts, FaultKind, MIXES};
pub use oracle::OracleError;
pub use plan::{Mutant, Simulation};
pub use run::{SimulationError, SystemReport, replay_command, simulate};
