//! The N-Tuple Bandit Evolutionary Algorithm (Kunanusont et al. 2017; Lucas et al. 2018): optimisation of a noisy
//! fitness over a grid.
//!
//! A model stores the mean fitness of every value of each dimension and of every pair of values. Each step mutates the
//! current point into some neighbours and takes the one with the highest upper confidence bound of the model. Floats are
//! combined with the four basic operations and the square root only, and all random numbers come from one generator, so
//! that a seed gives the same steps on every machine.

use pentarchy_engine::Rng;
use std::collections::BTreeMap;

/// A point of the grid: the index of the value in each dimension.
pub type GridPoint = Vec<u8>;

/// Number of neighbours that compete for the next evaluation.
const NEIGHBOURS: usize = 50;
/// Weight of exploration in the confidence bound, relative to the spread of the fitness.
const EXPLORATION: f64 = 0.7;

/// Sums of the fitness of the points that share some values.
#[derive(Clone, Copy, Default, Debug)]
struct Arm {
    /// Number of evaluations.
    count: f64,
    /// Sum of their fitness.
    sum: f64,
}

/// The optimiser. Higher fitness is better.
#[derive(Clone, Debug)]
pub struct Ntbea {
    /// Number of values of each dimension, at least 1.
    sizes: Vec<u8>,
    /// The source of all random numbers.
    rng: Rng,
    /// The point to evaluate next.
    current: GridPoint,
    /// By dimension and value.
    singles: Vec<Vec<Arm>>,
    /// By pair of dimensions, the lower one first, and pair of values: index = first value × size of the second
    /// dimension + second value.
    pairs: BTreeMap<(usize, usize), Vec<Arm>>,
    /// All evaluations.
    all: Arm,
    /// Sum of the squares of the fitness of all evaluations.
    squares: f64,
    /// By point.
    seen: BTreeMap<GridPoint, Arm>,
    /// Chance of each dimension to change in a mutation, in percent.
    mutated: u32,
}

impl Ntbea {
    /// Creates the optimiser of a grid with these numbers of values per dimension (each at least 1), which starts at
    /// `start`. That must have one index per dimension and is clamped into the grid.
    pub fn new(sizes: &[u8], start: &[u8], seed: u64) -> Self {
        let sizes: Vec<u8> = sizes.iter().map(|&size| size.max(1)).collect();
        let current = sizes.iter().zip(start).map(|(&size, &at)| at.min(size - 1)).collect();
        let singles = sizes.iter().map(|&size| vec![Arm::default(); usize::from(size)]).collect();
        let mut pairs = BTreeMap::new();
        for (i, &a) in sizes.iter().enumerate() {
            for (j, &b) in sizes.iter().enumerate().skip(i + 1) {
                pairs.insert((i, j), vec![Arm::default(); usize::from(a) * usize::from(b)]);
            }
        }
        let (all, mutated) = (Arm::default(), 100 / (sizes.len() as u32).max(1));
        Ntbea {
            sizes,
            rng: Rng::new(seed),
            current,
            singles,
            pairs,
            all,
            squares: 0.0,
            seen: BTreeMap::new(),
            mutated,
        }
    }

    /// Returns this optimiser with another chance, in percent, that a mutation changes a dimension. At least one
    /// dimension always changes. The default is 100 / dimensions.
    pub fn mutating(self, percent: u32) -> Self {
        Ntbea { mutated: percent, ..self }
    }

    /// Returns the point to evaluate next. The first one is the start.
    pub fn current(&self) -> &[u8] {
        &self.current
    }

    /// Adds an evaluation of a point to the model. May be called several times for one point, and for points other
    /// than [`current`](Self::current). The point must have one index per dimension, each within the grid.
    pub fn tell(&mut self, point: &[u8], fitness: f64) {
        let add = |arm: &mut Arm| {
            arm.count += 1.0;
            arm.sum += fitness;
        };
        for (arms, &at) in self.singles.iter_mut().zip(point) {
            arms.get_mut(usize::from(at)).map(add);
        }
        for (&(i, j), arms) in &mut self.pairs {
            let at = usize::from(point[i]) * usize::from(self.sizes[j]) + usize::from(point[j]);
            arms.get_mut(at).map(add);
        }
        add(self.seen.entry(point.to_vec()).or_default());
        add(&mut self.all);
        self.squares += fitness * fitness;
    }

    /// Moves [`current`](Self::current) to the one of 50 random neighbours with the highest upper confidence bound,
    /// the first of equals.
    pub fn advance(&mut self) {
        let mut best: Option<(f64, GridPoint)> = None;
        for _ in 0..NEIGHBOURS {
            let point = self.mutated();
            let bound = self.estimate(&point) + EXPLORATION * self.spread() * self.novelty(&point);
            if best.as_ref().is_none_or(|(most, _)| bound > *most) {
                best = Some((bound, point));
            }
        }
        if let Some((_, point)) = best {
            self.current = point;
        }
    }

    /// Returns up to `count` points that were evaluated, the best by the model first; equal ones in the order of their
    /// indexes.
    pub fn ranked(&self, count: usize) -> Vec<GridPoint> {
        let mut points: Vec<(f64, &GridPoint)> = self.seen.keys().map(|p| (self.estimate(p), p)).collect();
        points.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        points.into_iter().take(count).map(|(_, point)| point.clone()).collect()
    }

    /// Returns the point with the best value of each dimension by itself, which need not have been evaluated: the
    /// value with the highest mean, drawn to the overall mean by as much as 5 evaluations. Of equals the lowest.
    pub fn assembled(&self) -> GridPoint {
        let overall = self.all.sum / self.all.count.max(1.0);
        let value = |arm: &Arm| (arm.sum + 5.0 * overall) / (arm.count + 5.0);
        let best = |arms: &Vec<Arm>| {
            let ranked =
                (0..arms.len()).max_by(|&a, &b| value(&arms[a]).total_cmp(&value(&arms[b])).then(b.cmp(&a)));
            ranked.unwrap_or(0) as u8
        };
        self.singles.iter().map(best).collect()
    }

    /// Returns a random neighbour of the current point: one dimension, and each other one with the chance of the
    /// field `mutated`, is set to the next or previous value or, one time in five, to any (also its own). Dimensions
    /// with one value stay.
    fn mutated(&mut self) -> GridPoint {
        let (mut point, n) = (self.current.clone(), self.sizes.len() as u32);
        if n == 0 {
            return point;
        }
        let always = self.rng.below(n) as usize;
        for (i, (at, &size)) in point.iter_mut().zip(&self.sizes).enumerate() {
            if size < 2 || (i != always && self.rng.below(100) >= self.mutated) {
                continue;
            }
            // At an end of the range the only neighbour is taken.
            *at = match self.rng.below(5) {
                0 => self.rng.below(size.into()) as u8,
                1 | 2 if *at + 1 < size => *at + 1,
                _ => at.checked_sub(1).unwrap_or(1),
            };
        }
        point
    }

    /// Iterates over the arms of a point of the grid: one per dimension, one per pair, and that of the whole point if
    /// it was evaluated.
    fn arms<'a>(&'a self, point: &'a [u8]) -> impl Iterator<Item = Arm> + 'a {
        let singles = self.singles.iter().zip(point).map(|(arms, &at)| arms[usize::from(at)]);
        let pairs = self.pairs.iter().map(|(&(i, j), arms)| {
            arms[usize::from(point[i]) * usize::from(self.sizes[j]) + usize::from(point[j])]
        });
        singles.chain(pairs).chain(self.seen.get(point).copied())
    }

    /// Estimates the fitness of a point: the mean of its evaluated arms, each drawn to the overall mean by one
    /// evaluation, then drawn to the mean of the point itself, the more often it was evaluated. The overall mean
    /// without any arm; 0 before the first evaluation.
    fn estimate(&self, point: &[u8]) -> f64 {
        let overall = self.all.sum / self.all.count.max(1.0);
        let (mut sum, mut count) = (0.0, 0.0);
        for arm in self.arms(point).filter(|arm| arm.count > 0.0) {
            sum += (arm.sum + overall) / (arm.count + 1.0);
            count += 1.0;
        }
        let model = if count > 0.0 { sum / count } else { overall };
        // What was seen of the point itself counts more, the more often it was evaluated.
        let own = self.seen.get(point).copied().unwrap_or_default();
        (own.sum + 2.0 * model) / (own.count + 2.0)
    }

    /// Returns how little is known of a point: the mean uncertainty of its arms, about 1 for a point without evidence.
    fn novelty(&self, point: &[u8]) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for arm in self.arms(point) {
            sum += 1.0 / (1.0 + arm.count).sqrt();
            count += 1.0;
        }
        sum / f64::max(count, 1.0)
    }

    /// Returns the standard deviation of all evaluations; 1 before the second one, 0 if all are equal.
    fn spread(&self) -> f64 {
        let n = self.all.count;
        if n < 2.0 {
            return 1.0;
        }
        let mean = self.all.sum / n;
        (self.squares / n - mean * mean).max(0.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A noisy peak at (6, 2, 4): fitness falls with the distance.
    fn noisy(point: &[u8], rng: &mut Rng) -> f64 {
        let far: i32 = point.iter().zip([6, 2, 4]).map(|(&a, b)| (i32::from(a) - b).abs()).sum();
        -f64::from(far) + f64::from(rng.below(1000)) / 250.0 - 2.0
    }

    fn search(seed: u64, steps: usize) -> (Ntbea, Vec<GridPoint>) {
        let (mut found, mut noise) = (Ntbea::new(&[9, 9, 9], &[0, 8, 0], seed), Rng::new(seed));
        let mut path = Vec::new();
        for _ in 0..steps {
            let point = found.current().to_vec();
            found.tell(&point, noisy(&point, &mut noise));
            path.push(point);
            found.advance();
        }
        (found, path)
    }

    #[test]
    fn finds_a_noisy_peak() {
        for seed in 0..5 {
            let best = search(seed, 300).0.ranked(1).remove(0);
            let far: i32 = best.iter().zip([6, 2, 4]).map(|(&a, b)| (i32::from(a) - b).abs()).sum();
            assert!(far <= 2, "seed {seed}: {best:?}");
        }
    }

    #[test]
    fn a_seed_gives_the_same_path_and_stays_in_the_grid() {
        let (_, path) = search(3, 100);
        assert_eq!(path, search(3, 100).1);
        assert_ne!(path, search(4, 100).1);
        assert_eq!(path[0], [0, 8, 0]);
        assert!(path.iter().flatten().all(|&at| at < 9));
        let mut single = Ntbea::new(&[1, 0], &[5, 5], 1);
        single.advance();
        assert_eq!(single.current(), [0, 0]);
    }
}
