//! Placement of the Homes: the fairest choice by the measure of the rules.

use super::random::SplitMix64;
use super::symmetry::Symmetry;
use crate::map::{CELLS, Cell, Cells};

/// Path distances over land between all pairs of hexes.
pub(crate) struct Paths(Box<[[u8; CELLS]; CELLS]>);

/// The starts that are nearest to a hex.
pub(super) struct Nearest {
    /// Their distance in steps over land; 255 if there is no path.
    pub(super) distance: u32,
    /// Their indices, ascending.
    pub(super) starts: Vec<usize>,
}

/// The distance of hexes without a path.
const FAR: u8 = u8::MAX;

impl Paths {
    /// Computes the distances over `land` between all pairs of its hexes, by breadth-first search from each.
    pub(crate) fn over(land: &Cells) -> Self {
        let mut paths = Box::new([[FAR; CELLS]; CELLS]);
        for start in land.iter() {
            let row = &mut paths[start.index()];
            let mut reached = Cells::from_iter([start]);
            let (mut front, mut distance) = (reached, 0);
            while !front.is_empty() {
                front.iter().for_each(|c| row[c.index()] = distance);
                front = front.grown().and(land).minus(&reached);
                reached = reached.or(&front);
                distance += 1;
            }
        }
        Paths(paths)
    }

    /// Returns the distance of two hexes in steps over land; 255 if there is no path or one of them is not
    /// land.
    #[inline]
    pub(crate) fn distance(&self, a: Cell, b: Cell) -> u32 {
        u32::from(self.0[a.index()][b.index()])
    }

    /// Returns the indices of the starts that are nearest to a hex, ascending, and their distance. Without
    /// starts: none, and 255.
    pub(super) fn nearest(&self, starts: &[Cell], cell: Cell) -> Nearest {
        let distance = starts.iter().map(|&s| self.distance(s, cell)).min().unwrap_or(u32::from(FAR));
        let nearest = (0..starts.len()).filter(|&i| self.distance(starts[i], cell) == distance);
        Nearest { distance, starts: nearest.collect() }
    }
}

/// The images of a hex under the rotations of the map.
type Orbit = Vec<Cell>;

/// Chooses `seats` start hexes, orbit by orbit, with the lowest [`unfairness`] that the search finds: the
/// best of all candidates if one orbit is needed, the first of equal ones. Otherwise the best of [`TRIALS`]
/// random spread-out choices, improved by exchanges. The order is that of the choice, not of the seats.
/// `radius` is that of the map. Draws from `rng` only if several orbits are needed.
pub(super) fn choose(
    land: &Cells,
    paths: &Paths,
    seats: u8,
    radius: u32,
    symmetry: Symmetry,
    rng: &mut SplitMix64,
) -> Vec<Cell> {
    let needed = usize::from(seats) / symmetry.order();
    let candidates = candidates(land, symmetry, needed);
    let cost = |choice: &[usize]| {
        let starts: Vec<Cell> = choice.iter().flat_map(|&o| candidates[o].iter().copied()).collect();
        unfairness(land, paths, &starts, radius)
    };
    let chosen = if needed == 1 {
        (0..candidates.len()).min_by_key(|&o| cost(&[o])).into_iter().collect()
    } else {
        let mut best: Option<(i64, Vec<usize>)> = None;
        for _ in 0..TRIALS {
            let choice = spread(&candidates, paths, needed, rng);
            let cost = cost(&choice);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, choice));
            }
        }
        let (least, choice) = best.unwrap_or_default();
        improved(choice, least, candidates.len(), cost)
    };
    chosen.into_iter().flat_map(|o: usize| candidates[o].iter().copied()).collect()
}

/// Number of random spread-out choices, the best of which is then improved.
const TRIALS: u32 = 8;

/// Returns the orbits of full size in which each hex has enough land neighbours: the highest number from 6
/// down to 1 for which four times the `needed` orbits exist, else all orbits.
fn candidates(land: &Cells, symmetry: Symmetry, needed: usize) -> Vec<Orbit> {
    let mut all = symmetry.orbits(land);
    all.retain(|orbit| orbit.len() == symmetry.order());
    let with = |least: u32| all.iter().filter(move |orbit| orbit[0].around().and(land).len() >= least);
    match (1..=6).rev().find(|&least| with(least).count() >= 4 * needed) {
        Some(least) => with(least).cloned().collect(),
        None => all,
    }
}

/// Returns the indices of `needed` candidates, or of all if there are fewer: the first at random, then always
/// the one whose hexes are farthest from those chosen and from each other, by the shortest distance; of equal
/// ones the first. There must be at least one candidate. Takes one draw from `rng`.
fn spread(candidates: &[Orbit], paths: &Paths, needed: usize, rng: &mut SplitMix64) -> Vec<usize> {
    let mut choice = vec![rng.below(candidates.len())];
    while choice.len() < needed.min(candidates.len()) {
        let gap = |o: usize| {
            let others = choice.iter().chain([&o]).flat_map(|&c| &candidates[c]);
            let pairs = candidates[o].iter().flat_map(|&a| others.clone().map(move |&b| (a, b)));
            pairs.filter(|(a, b)| a != b).map(|(a, b)| paths.distance(a, b)).min().unwrap_or(0)
        };
        let mut widest: Option<(u32, usize)> = None;
        for o in (0..candidates.len()).filter(|o| !choice.contains(o)) {
            let gap = gap(o);
            if widest.is_none_or(|(most, _)| gap > most) {
                widest = Some((gap, o));
            }
        }
        match widest {
            Some((_, o)) => choice.push(o),
            None => break,
        }
    }
    choice
}

/// Returns the choice after exchanging one orbit at a time for another, until no exchange lowers the cost.
/// Positions are tried in order, and for each all numbers below `candidates` that are not chosen; each
/// improvement is kept at once. `cost` rates a choice, lower is better; `least` must be the cost of `choice`.
fn improved(
    mut choice: Vec<usize>,
    mut least: i64,
    candidates: usize,
    cost: impl Fn(&[usize]) -> i64,
) -> Vec<usize> {
    loop {
        let mut changed = false;
        for i in 0..choice.len() {
            for o in 0..candidates {
                if choice.contains(&o) {
                    continue;
                }
                let old = std::mem::replace(&mut choice[i], o);
                let new = cost(&choice);
                if new < least {
                    (least, changed) = (new, true);
                } else {
                    choice[i] = old;
                }
            }
        }
        if !changed {
            return choice;
        }
    }
}

/// Returns the cost of a choice of at most six starts; lower is fairer. For each start it counts the land
/// nearest to it, where a hex counts 60, shared by all starts at the least distance; the hexes within one
/// step that no start is nearer to; and the hexes within two steps. The cost is the range of these counts
/// over the starts, weighted 2, 120 and 60, less 240 per step between the closest two starts, of which at
/// most `radius` + 2 count.
pub(super) fn unfairness(land: &Cells, paths: &Paths, starts: &[Cell], radius: u32) -> i64 {
    let mut share = [0i64; 6];
    let mut ring = [0i64; 6];
    let mut near = [0i64; 6];
    for cell in land.iter() {
        let mut distance = [0; 6];
        let mut least = u32::MAX;
        for (d, &start) in distance.iter_mut().zip(starts) {
            *d = paths.distance(start, cell);
            least = least.min(*d);
        }
        let distance = &distance[..starts.len()];
        let sharing = distance.iter().filter(|&&d| d == least).count() as i64;
        for (i, &d) in distance.iter().enumerate() {
            near[i] += i64::from(d <= 2);
            if d == least {
                share[i] += 60 / sharing;
                ring[i] += i64::from(d <= 1);
            }
        }
    }
    let range = |of: &[i64; 6]| {
        let of = &of[..starts.len()];
        of.iter().max().unwrap_or(&0) - of.iter().min().unwrap_or(&0)
    };
    let pairs = starts.iter().enumerate().flat_map(|(i, &a)| starts[i + 1..].iter().map(move |&b| (a, b)));
    let closest = pairs.map(|(a, b)| paths.distance(a, b)).min().unwrap_or(0).min(radius + 2);
    2 * range(&share) + 120 * range(&ring) + 60 * range(&near) - 240 * i64::from(closest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::generate;
    use crate::options::{Options, Shape};

    /// Returns the cost of a generated map, and the costs of all choices that differ in one orbit.
    fn neighbours(seats: u8, options: &Options, seed: u32) -> (i64, Vec<i64>) {
        let map = generate(seats, options, seed);
        let (paths, radius) = (Paths::over(&map.land), u32::from(options.map_radius(seats)));
        let symmetry = Symmetry::of(seats, options.symmetry);
        let needed = usize::from(seats) / symmetry.order();
        let chosen: Cells = map.homes.iter().copied().collect();
        let orbits = symmetry.orbits(&chosen);
        let mut others = Vec::new();
        for i in 0..orbits.len() {
            for candidate in candidates(&map.land, symmetry, needed) {
                if !chosen.has(candidate[0]) {
                    let mut choice = orbits.clone();
                    choice[i] = candidate;
                    others.push(unfairness(&map.land, &paths, &choice.concat(), radius));
                }
            }
        }
        (unfairness(&map.land, &paths, &map.homes, radius), others)
    }

    #[test]
    fn no_single_exchange_makes_the_starts_fairer() {
        for seats in 2..=6 {
            for shape in [Shape::Island, Shape::Hexagon, Shape::Continents] {
                for symmetry in [true, false] {
                    for seed in 0..6 {
                        let options = Options { shape, symmetry, ..Options::default() };
                        let (cost, others) = neighbours(seats, &options, seed);
                        let better = others.iter().find(|&&other| other < cost);
                        assert_eq!(
                            better, None,
                            "{seats} players, {shape:?}, {symmetry}, seed {seed}: {cost}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn starts_of_one_orbit_are_exactly_even() {
        for seats in [2, 3, 6] {
            for seed in 0..40 {
                let options = Options::default();
                let map = generate(seats, &options, seed);
                let (paths, radius) = (Paths::over(&map.land), u32::from(options.map_radius(seats)));
                let cost = unfairness(&map.land, &paths, &map.homes, radius);
                // Only the reward for distance is left.
                assert!(cost % 240 == 0 && cost < 0, "{seats} players, seed {seed}: {cost}");
            }
        }
    }
}
