//! The numbers of soldiers that a list offers: some round ones and some useful ones. Every total can be
//! reached by repetition, and attacks in waves add up, so the choice of numbers does not affect what is
//! possible.

/// 1, 2 and 5 times powers of ten, and 3.
const ROUND: [u32; 29] = [
    1,
    2,
    3,
    5,
    10,
    20,
    50,
    100,
    200,
    500,
    1_000,
    2_000,
    5_000,
    10_000,
    20_000,
    50_000,
    100_000,
    200_000,
    500_000,
    1_000_000,
    2_000_000,
    5_000_000,
    10_000_000,
    20_000_000,
    50_000_000,
    100_000_000,
    200_000_000,
    500_000_000,
    1_000_000_000,
];
/// Maximum count: the round numbers, up to three extra ones, and the limit.
const MOST: usize = ROUND.len() + 4;

/// Some numbers from 1 to a limit, ascending: those in `numbers` before `len`.
#[derive(Clone, Copy, Debug)]
pub struct Amounts {
    numbers: [u32; MOST],
    len: usize,
    limit: u32,
}

impl Amounts {
    /// Returns the round numbers (1, 2, 3, 5, 10, 20, 50, 100, …) up to the limit, and the limit itself;
    /// empty if the limit is 0.
    #[inline]
    fn up_to(limit: u32) -> Self {
        let mut amounts = Amounts { numbers: [0; MOST], len: 0, limit };
        for n in ROUND {
            if n > limit {
                break;
            }
            amounts.numbers[amounts.len] = n;
            amounts.len += 1;
        }
        amounts.add(limit);
        amounts
    }

    /// Returns the numbers of soldiers that may be placed with this storage: round numbers (1, 2, 3, 5, 10,
    /// 20, 50, …), half of the storage, rounded down, and all of it. Empty if the storage is 0.
    #[inline]
    pub fn placing(storage: u32) -> Self {
        let mut amounts = Self::up_to(storage);
        amounts.add(storage / 2);
        amounts
    }

    /// Returns the numbers of soldiers that may march to a hex without an enemy: round numbers (1, 2, 3, 5,
    /// 10, 20, 50, …), half of `ready`, rounded down, all of them, and all but one. Empty if `ready` is 0.
    #[inline]
    pub fn marching(ready: u32) -> Self {
        let mut amounts = Self::up_to(ready);
        amounts.add(ready / 2);
        amounts.add(ready.wrapping_sub(1));
        amounts
    }

    /// Returns the numbers with one more: `defence` + 1, the fewest soldiers that overcome this defence.
    /// Unchanged if that exceeds the limit, which is the number of soldiers there are, or is among them.
    #[inline]
    pub fn against(mut self, defence: u32) -> Self {
        self.add(defence.saturating_add(1));
        self
    }

    /// Inserts a number in order. No effect if it is 0, above the limit or present, or if the list is full,
    /// which no constructor reaches.
    #[inline]
    fn add(&mut self, n: u32) {
        if n == 0 || n > self.limit {
            return;
        }
        let mut at = self.len;
        while at > 0 && self.numbers[at - 1] > n {
            at -= 1;
        }
        if at > 0 && self.numbers[at - 1] == n {
            return;
        }
        if self.len < MOST {
            self.numbers.copy_within(at..self.len, at + 1);
            self.numbers[at] = n;
            self.len += 1;
        }
    }

    /// Returns the numbers in ascending order, each once.
    #[inline]
    pub fn as_slice(&self) -> &[u32] {
        &self.numbers[..self.len]
    }

    /// Returns whether this number of soldiers is one of those offered, so that the rules accept it; 0 never
    /// is.
    #[inline]
    pub fn has(&self, n: u32) -> bool {
        self.as_slice().contains(&n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_of_the_rules() {
        assert_eq!(Amounts::placing(17).as_slice(), [1, 2, 3, 5, 8, 10, 17]);
        assert_eq!(Amounts::marching(12).against(6).as_slice(), [1, 2, 3, 5, 6, 7, 10, 11, 12]);
        assert_eq!(Amounts::marching(1).as_slice(), [1]);
        assert_eq!(Amounts::marching(1).against(0).as_slice(), [1]);
        assert_eq!(Amounts::marching(2).against(u32::MAX).as_slice(), [1, 2]);
        assert_eq!(Amounts::placing(0).as_slice(), [0; 0]);
        assert!(Amounts::marching(u32::MAX).against(7).as_slice().is_sorted());
        assert_eq!(Amounts::marching(u32::MAX).against(7).as_slice().len(), MOST);
    }
}
