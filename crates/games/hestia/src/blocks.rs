//! The blocks: 62 pieces of 44 kinds, each with a full strength and a place where it is raised.

use crate::map::{CITIES, Place, at};

/// A kind of block, by its number from 0 to 43.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Unit(pub u8);

/// How many kinds there are.
pub const UNITS: usize = 44;

impl Unit {
    /// A commander of Lenisia.
    pub const RASSER: Unit = Unit(0);
    /// A commander of Lenisia.
    pub const DADRIM: Unit = Unit(1);
    /// The elites of Lenisia.
    pub const L_ELITES: Unit = Unit(2);
    /// The levies of Lenisia.
    pub const L_LEVY: Unit = Unit(3);
    /// The ships of Lenisia.
    pub const L_NAVY: Unit = Unit(4);
    /// A commander of Hathea.
    pub const AGSAND: Unit = Unit(5);
    /// A commander of Hathea.
    pub const SIGHEIR: Unit = Unit(6);
    /// The elites of Hathea.
    pub const H_ELITES: Unit = Unit(7);
    /// The levies of Hathea.
    pub const H_LEVY: Unit = Unit(8);
    /// The ships of Hathea.
    pub const H_NAVY: Unit = Unit(9);
    /// The mercenaries of Bathrad.
    pub const MERCENARY: Unit = Unit(10);

    /// Number of the first Guard; they follow in the order of `CITIES`.
    const GUARDS: u8 = 11;
    /// Number of the first Militia; they follow in the order of `CITIES`.
    const MILITIAS: u8 = 25;
    /// Number of the ships of the first port city-state; they follow in the order of `NAVAL_CITIES`.
    const NAVIES: u8 = 39;
    /// The port city-states, in the order of their ships.
    const NAVAL_CITIES: [Place; 5] = [at::FIR, at::FER, at::ILV, at::ARK, at::ARH];

    /// Returns the Guard of a city-state, by its index in `CITIES` (0 to 13; not checked).
    pub const fn guard(city: usize) -> Unit {
        Unit(Self::GUARDS + city as u8)
    }

    /// Returns the Militia of a city-state, by its index in `CITIES` (0 to 13; not checked).
    pub const fn militia(city: usize) -> Unit {
        Unit(Self::MILITIAS + city as u8)
    }

    /// Returns the ships that a city-state can raise; `None` if the place is no port city-state.
    pub fn city_navy(city: Place) -> Option<Unit> {
        let i = Self::NAVAL_CITIES.iter().position(|&c| c == city)?;
        Some(Unit(Self::NAVIES + i as u8))
    }

    /// Returns the strength at which it is raised, 1 to 4; 0 for ships, which have no strength, and for
    /// numbers of 44 and above.
    pub const fn full(self) -> u8 {
        match self.0 {
            0 | 5 => 4,
            1 | 2 | 6 | 7 | 10 => 3,
            3 | 8 | 11..25 => 2,
            25..39 => 1,
            _ => 0,
        }
    }

    /// Returns whether this kind is a ship rather than a land unit; `true` for numbers of 44 and above too.
    pub const fn is_naval(self) -> bool {
        self.full() == 0
    }

    /// Returns whether it leaves the game when destroyed: commanders and elites. All others return to the
    /// pool.
    pub const fn is_irreplaceable(self) -> bool {
        matches!(self.0, 0..=2 | 5..=7)
    }

    /// Returns whether this kind is one of the four commanders: Rasser, Dadrim, Agsand, Sigheir.
    pub const fn is_commander(self) -> bool {
        matches!(self.0, 0 | 1 | 5 | 6)
    }

    /// Returns the name of this kind of block for players: `Rasser`, `Hathea Levy`, `Bathradi Mercenaries`,
    /// or a city-state with `Guard`, `Militia` or `Navy`, like `Dontari Guard`. Numbers of 44 and above
    /// repeat the city-state navies.
    pub fn name(self) -> String {
        let city = |i: u8| CITIES[i as usize].spot().name;
        match self.0 {
            0 => "Rasser".into(),
            1 => "Dadrim".into(),
            2 => "Lenisia Elites".into(),
            3 => "Lenisia Levy".into(),
            4 => "Lenisia Navy".into(),
            5 => "Agsand".into(),
            6 => "Sigheir".into(),
            7 => "Hathea Elites".into(),
            8 => "Hathea Levy".into(),
            9 => "Hathea Navy".into(),
            10 => "Bathradi Mercenaries".into(),
            n @ 11..25 => format!("{} Guard", city(n - Self::GUARDS)),
            n @ 25..39 => format!("{} Militia", city(n - Self::MILITIAS)),
            n => format!("{} Navy", Self::NAVAL_CITIES[usize::from(n - Self::NAVIES) % 5].spot().name),
        }
    }

    /// Returns the word of the notation, without the strength: the name in lower case with hyphens, `l-` or
    /// `h-` for units of a power, like `rasser`, `h-levy`, `dontari-guard`. Each kind has its own.
    pub fn word(self) -> String {
        let name = self.name().to_lowercase().replace(' ', "-");
        let short = name.strip_prefix("lenisia-").map(|rest| format!("l-{rest}"));
        let short = short.or_else(|| name.strip_prefix("hathea-").map(|rest| format!("h-{rest}")));
        match self {
            Unit::MERCENARY => "mercenary".into(),
            _ => short.unwrap_or(name),
        }
    }

    /// Iterates over all 44 kinds in ascending order.
    pub fn all() -> impl Iterator<Item = Unit> {
        (0..UNITS as u8).map(Unit)
    }
}

/// The seat and the place of a block at the start; `None` in the pool.
pub type Stand = Option<(u8, Place)>;

/// Where the blocks of both sides stand at the start: the kind, how many, whose and where.
#[rustfmt::skip]
pub const START: [(Unit, u8, Stand); 15] = [
    (Unit::RASSER, 1, Some((0, at::KAD))),
    (Unit::DADRIM, 1, Some((0, at::KAD))),
    (Unit::L_ELITES, 2, Some((0, at::KAD))),
    (Unit::L_LEVY, 2, Some((0, at::S1))),
    (Unit::L_LEVY, 4, None),
    (Unit::L_NAVY, 1, Some((0, at::S1))),
    (Unit::L_NAVY, 2, None),
    (Unit::AGSAND, 1, Some((1, at::NHA))),
    (Unit::SIGHEIR, 1, Some((1, at::EHA))),
    (Unit::H_ELITES, 1, Some((1, at::NHA))),
    (Unit::H_ELITES, 1, Some((1, at::EHA))),
    (Unit::H_LEVY, 3, Some((1, at::DRA))),
    (Unit::H_LEVY, 3, None),
    (Unit::H_NAVY, 2, None),
    (Unit::MERCENARY, 4, None),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_62_blocks() {
        let listed: u8 = START.iter().map(|(_, n, _)| n).sum();
        assert_eq!(listed + 14 + 14 + 5, 62);
        let mut words: Vec<_> = Unit::all().map(Unit::word).collect();
        words.sort();
        words.dedup();
        assert_eq!(words.len(), UNITS);
        assert_eq!(Unit::guard(0).name(), "Corrhast Guard");
        assert_eq!(Unit::city_navy(at::FER).map(Unit::name).as_deref(), Some("Ferespar Navy"));
    }
}
