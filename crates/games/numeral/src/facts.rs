//! Facts: what the rules did while they applied an event. The log is written from them.

use crate::upgrades::Upgrade;
use pentarchy_engine::{Cx, NoFace, Seat};

/// The context of the rules.
pub(crate) type Context<'a> = Cx<'a, NoFace, Fact>;

/// What a rule of Numeral Empire did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// The map of this seed was drawn.
    MapDrawn(u32),
    /// A round began.
    RoundBegan(u16),
    /// A seat got its income at the beginning of its Placing turn.
    Income {
        /// The seat.
        seat: Seat,
        /// What its land pays.
        gross: u32,
        /// The upkeep of its soldiers.
        upkeep: u32,
        /// The soldiers that died because the income did not pay the upkeep.
        deaths: u32,
        /// The gold in its Home afterwards.
        gold: u32,
    },
    /// A seat placed soldiers on a hex.
    Placed {
        /// The seat.
        seat: Seat,
        /// The number of soldiers.
        soldiers: u32,
        /// The soldiers on the hex afterwards.
        there: u32,
    },
    /// A seat built an upgrade for this price.
    Built(Seat, Upgrade, u32),
    /// Soldiers of a seat marched to a hex without an enemy.
    Marched {
        /// The seat.
        seat: Seat,
        /// The number of soldiers.
        soldiers: u32,
        /// Where they went.
        to: Destination,
    },
    /// A seat attacked a hex of another.
    Fought {
        /// The attacker.
        seat: Seat,
        /// The owner of the hex.
        enemy: Seat,
        /// The number of attackers.
        soldiers: u32,
        /// The defence of the hex, Towers included.
        defence: u32,
        /// The part of the defence that adjacent Towers gave.
        towers: u32,
        /// What the attacker captured, or the defence that is left.
        result: Result<Captured, u32>,
    },
    /// A seat lost its Home; chance picks another hex.
    HomeLost(Seat),
    /// A seat got a new Home.
    HomeMoved {
        /// The seat.
        seat: Seat,
        /// The gold in the new Home.
        gold: u32,
        /// The upgrade that the Home replaced.
        replaced: Upgrade,
    },
    /// A seat has no hex left and is out.
    Eliminated(Seat),
}

/// Where soldiers marched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Destination {
    /// A hex without an owner.
    FreeLand,
    /// The Home, which then has this gold.
    Home(u32),
    /// An own hex without soldiers.
    Empty,
    /// An own hex with soldiers.
    Army {
        /// The soldiers there before.
        there: u32,
        /// The soldiers there afterwards.
        now: u32,
    },
}

/// A captured hex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Captured {
    /// The upgrade that was on it.
    pub upgrade: Upgrade,
    /// Whether this upgrade, which is no Home, was destroyed.
    pub razed: bool,
    /// The attackers that are left.
    pub left: u32,
}
