//! The map generator: land, starting hexes and first owners from a 32-bit seed.
//!
//! Integers only, and every random draw at a fixed place, so that a seed gives the same map on every machine.
//! All sets are visited in reading order; every step acts on whole orbits of the map's rotation.

mod land;
mod random;
mod starts;
mod symmetry;

pub use random::SplitMix64;

use crate::map::{Cell, Cells};
use crate::options::{Options, Start};
use starts::Paths;
use symmetry::Symmetry;

/// A generated map. Both lists are indexed by seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    /// All land.
    pub land: Cells,
    /// The Home of each seat.
    pub homes: Vec<Cell>,
    /// The land of each seat, its Home included.
    pub owned: Vec<Cells>,
}

/// Generates the map of this seed: land, Homes and first owners. Equal arguments give equal maps on every
/// platform. The options must have passed their check for this number of seats.
pub fn generate(seats: u8, options: &Options, seed: u32) -> Map {
    let symmetry = Symmetry::of(seats, options.symmetry);
    let radius = u32::from(options.map_radius(seats));
    let mut rng = SplitMix64::new(seed);
    let land = land::generate(options, radius, symmetry, &mut rng);
    let paths = Paths::over(&land);
    let starts = starts::choose(&land, &paths, seats, radius, symmetry, &mut rng);
    let mut seat_of: Vec<usize> = (0..starts.len()).collect();
    rng.shuffle(&mut seat_of);
    let shares = match options.start {
        Start::Homestead => homestead(&land, &paths, &starts, u32::from(options.start_radius)),
        Start::Scattered => scattered(&land, &starts, symmetry, &mut rng),
    };
    let mut map = Map { land, homes: starts.clone(), owned: shares.clone() };
    for (start, &seat) in seat_of.iter().enumerate() {
        map.homes[seat] = starts[start];
        map.owned[seat] = shares[start];
    }
    map
}

/// Returns the share of each start, in their order: the land within `reach` steps that is nearer to it than
/// to all others, the start included. All shares are cut to the size of the smallest; the farthest hexes go
/// first, of equally far ones the last in reading order.
fn homestead(land: &Cells, paths: &Paths, starts: &[Cell], reach: u32) -> Vec<Cells> {
    let mut shares = vec![Vec::new(); starts.len()];
    for cell in land.iter() {
        let nearest = paths.nearest(starts, cell);
        if nearest.distance <= reach && nearest.starts.len() == 1 {
            shares[nearest.starts[0]].push(cell);
        }
    }
    let size = shares.iter().map(Vec::len).min().unwrap_or(0);
    for (share, &start) in shares.iter_mut().zip(starts) {
        share.sort_by_key(|&cell| (paths.distance(start, cell), cell));
        share.truncate(size);
    }
    shares.into_iter().map(Cells::from_iter).collect()
}

/// Returns the share of each start, in their order: the start itself, and an equal number of random hexes.
/// The starts are whole orbits of the symmetry one after the other. Only orbits of full size without a start
/// are distributed, one hex of each to each start of one such group; the remainder of orbits and the middle
/// stay neutral. `rng` orders the orbits and rotates each of them.
fn scattered(land: &Cells, starts: &[Cell], symmetry: Symmetry, rng: &mut SplitMix64) -> Vec<Cells> {
    let k = symmetry.order();
    let groups = starts.len() / k;
    let mut orbits: Vec<Vec<Cell>> = symmetry.orbits(land);
    orbits.retain(|orbit| orbit.len() == k && !orbit.iter().any(|cell| starts.contains(cell)));
    rng.shuffle(&mut orbits);
    orbits.truncate(orbits.len() / groups * groups);
    let mut shares: Vec<Cells> = starts.iter().map(|&start| Cells::from_iter([start])).collect();
    for (j, orbit) in orbits.iter().enumerate() {
        let shift = rng.below(k);
        for (i, &cell) in orbit.iter().enumerate() {
            shares[j % groups * k + (shift + i) % k].insert(cell);
        }
    }
    shares
}
