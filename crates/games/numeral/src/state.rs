//! The public state, which is the whole state: nothing is hidden.

use crate::board::{Board, Hex, SEATS};
use crate::generator;
use crate::map::{Cell, Cells};
use crate::options::{AttackOrder, Options, TurnOrder};
use crate::upgrades::{Prices, Upgrade};
use pentarchy_engine::{NoFace, RuleError, Seat, Sz, Tokens};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A game of Numeral Empire.
#[derive(Clone, Debug)]
pub struct Numeral {
    /// The options, fixed during a game.
    pub(crate) options: Options,
    /// Number of players at the start.
    pub(crate) seats: u8,
    /// The map seed; `None` before it is drawn.
    pub(crate) map_seed: Option<u32>,
    /// Number of the round, from 1.
    pub(crate) round: u16,
    /// Index of the active player in the order of the phase.
    pub(crate) turn: u8,
    /// The player whose turn it is.
    pub(crate) active: Seat,
    /// What the rules wait for.
    pub(crate) stage: Stage,
    /// 0 for seats in play; else the position in the order of elimination, from 1.
    pub(crate) out: [u8; SEATS],
    /// The hexes; without land before the map exists.
    pub(crate) board: Board,
    /// Empty: the game has no cards.
    pub(crate) tokens: Tokens<NoFace, Sz<0, 0>>,
}

/// What the rules wait for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The upper half of the map seed.
    SeedHigh,
    /// The lower half of the map seed; holds the upper one.
    SeedLow(u16),
    /// The active player selects a hex to place on, or ends the turn.
    Place,
    /// The active player places or builds on this hex.
    PlaceAt(Cell),
    /// The active player selects a hex to march from, or ends the turn.
    March,
    /// The active player marches from this hex.
    MarchFrom(Cell),
    /// Chance picks where the captured Home of this seat moves.
    HomeMoves(Seat),
    /// The game is over.
    Over,
}

/// A phase of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Soldiers and buildings are placed.
    Placing,
    /// Soldiers march.
    Attacking,
}

impl Numeral {
    /// Creates a game that waits for the first half of its map seed: no land, round 1. The caller has checked
    /// seats and options.
    pub(crate) fn unmapped(seats: u8, options: Options) -> Self {
        Numeral {
            options,
            seats,
            map_seed: None,
            round: 1,
            turn: 0,
            active: Seat(0),
            stage: Stage::SeedHigh,
            out: [0; SEATS],
            board: Board::new(Cells::NONE, Prices::new(&options)),
            tokens: Tokens::new(),
        }
    }

    /// Generates the map of this seed and places the players on it: land, Homes, first soldiers and gold. A
    /// Home holds `start_storage`, and the order bonus once for each seat with a higher number; with the
    /// scattered start each other owned hex holds `scatter_garrison` soldiers, else 0. Sets `board` and
    /// `map_seed` only; the stage is left to the caller.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if a hex of the map is invalid.
    pub(crate) fn settle_map(&mut self, seed: u32) -> Result<(), RuleError> {
        let map = generator::generate(self.seats, &self.options, seed);
        let mut board = Board::new(map.land, Prices::new(&self.options));
        let garrison = match self.options.start {
            crate::options::Start::Homestead => 0,
            crate::options::Start::Scattered => u32::from(self.options.scatter_garrison),
        };
        for (s, (&home, owned)) in map.homes.iter().zip(&map.owned).enumerate() {
            let owner = Some(Seat(s as u8));
            for cell in owned.iter() {
                board.set(cell, Hex { owner, soldiers: garrison, ..Hex::default() })?;
            }
            let later = u32::from(self.seats) - 1 - s as u32;
            let soldiers = u32::from(self.options.start_storage) + self.options.bonus() * later;
            board.set(home, Hex { owner, upgrade: Upgrade::Home, soldiers, ready: 0 })?;
        }
        self.board = board;
        self.map_seed = Some(seed);
        Ok(())
    }

    /// Returns the board: owner, upgrade and soldiers of each hex; without land before the map exists.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the options that this game was created with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the number of the round, from 1; after the end that of the last one.
    pub fn round(&self) -> u16 {
        self.round
    }

    /// Returns the player whose turn it is; seat 0 before the map exists, and the last one after the end.
    pub fn active(&self) -> Seat {
        self.active
    }

    /// Returns the stage of the game: the decision or chance event that the rules wait for, or `Over`.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Returns the map seed; `None` before it is drawn.
    pub fn map_seed(&self) -> Option<u32> {
        self.map_seed
    }

    /// Returns the phase of the round: Placing while the map is drawn, Attacking once the game is over.
    pub fn phase(&self) -> Phase {
        match self.stage {
            Stage::SeedHigh | Stage::SeedLow(_) | Stage::Place | Stage::PlaceAt(_) => Phase::Placing,
            Stage::March | Stage::MarchFrom(_) | Stage::HomeMoves(_) | Stage::Over => Phase::Attacking,
        }
    }

    /// Returns whether a player is not eliminated. A player whose captured Home is about to move is in play.
    /// The seat must be below 6.
    #[inline(always)]
    pub fn in_play(&self, seat: Seat) -> bool {
        self.out[seat.index()] == 0
    }

    /// Returns the number of players that are not eliminated.
    pub fn players_left(&self) -> usize {
        self.out[..self.seats as usize].iter().filter(|&&o| o == 0).count()
    }

    /// Returns the seat at index `place` of the order of a round and phase, in play or not. Seat 0 leads in
    /// round 1; by the options the lead moves on by one seat each round or stays, and the order of the
    /// Attacking phase may be reversed. `round` counts from 1; `place` must be below the number of seats.
    pub fn seat_at(&self, round: u16, phase: Phase, place: u8) -> Seat {
        let n = self.seats;
        let lead = match self.options.turn_order {
            TurnOrder::Rotate => ((round - 1) % u16::from(n)) as u8,
            TurnOrder::Fixed => 0,
        };
        let backwards = phase == Phase::Attacking && self.options.attack_order == AttackOrder::Reversed;
        let place = if backwards { n - 1 - place } else { place };
        Seat((lead + place) % n)
    }

    /// Checks all invariants of the state: the sums of the board, that each player in play has one Home (none
    /// while it moves) and each eliminated one no hex, and that stage, turn and round fit. Without a map only
    /// that its seed is awaited. Reads only.
    ///
    /// # Errors
    ///
    /// Returns the first violated invariant in words.
    pub fn check(&self) -> Result<(), String> {
        self.board.check(self.seats)?;
        if self.map_seed.is_none() {
            let waiting = matches!(self.stage, Stage::SeedHigh | Stage::SeedLow(_));
            return ensure_holds(waiting && self.board.land().is_empty(), "there is no map yet");
        }
        let moving = match self.stage {
            Stage::HomeMoves(seat) => Some(seat),
            _ => None,
        };
        for seat in (0..self.seats).map(Seat) {
            let (home, held) = (self.board.home(seat), self.board.held(seat));
            let fits = match (self.in_play(seat), home) {
                (true, Some(_)) => moving != Some(seat),
                (true, None) => moving == Some(seat) && held.len() >= 2,
                (false, home) => home.is_none() && held.is_empty(),
            };
            ensure_holds(fits, &format!("seat {seat} has {} hexes and the Home {home:?}", held.len()))?;
        }
        self.check_turn()
    }

    /// Checks that the rest of the state fits the stage: the elimination numbers have no gaps, the round is
    /// within the limit, and only soldiers of the active player are ready, in the Attacking phase alone. A
    /// selected hex must be the active player's and usable; the turn must be that of the active player, who
    /// is in play with at least one rival. After the end only the reason is checked: one player left or the
    /// last round. The map must exist.
    ///
    /// # Errors
    ///
    /// Fails with the first invariant that is violated.
    fn check_turn(&self) -> Result<(), String> {
        let left = self.players_left();
        let mut gone: Vec<u8> = self.out.iter().copied().filter(|&o| o > 0).collect();
        gone.sort_unstable();
        ensure_holds(gone.iter().zip(1..).all(|(&o, n)| o == n), "the order of those who are out has gaps")?;
        let last = self.options.last_round().0;
        ensure_holds((1..=last).contains(&self.round), "there is no such round")?;
        let awake = self.board.awake();
        let marching = matches!(self.stage, Stage::March | Stage::MarchFrom(_) | Stage::HomeMoves(_));
        let ready = awake.minus(self.board.held(self.active)).is_empty() && (marching || awake.is_empty());
        ensure_holds(ready, "soldiers are ready who may not march")?;
        let own = self.board.held(self.active);
        let fits = match self.stage {
            Stage::SeedHigh | Stage::SeedLow(_) => false,
            Stage::Over => {
                return ensure_holds(left == 1 || self.round == last, "the game is over too early");
            }
            Stage::Place | Stage::March => true,
            Stage::PlaceAt(cell) => {
                own.has(cell)
                    && self.board.home(self.active) != Some(cell)
                    && self.board.storage(self.active) > 0
            }
            Stage::MarchFrom(cell) => awake.has(cell),
            Stage::HomeMoves(seat) => seat.0 < self.seats && seat != self.active,
        };
        let turn = self.turn < self.seats && self.seat_at(self.round, self.phase(), self.turn) == self.active;
        ensure_holds(fits && turn && left >= 2 && self.in_play(self.active), "this cannot be awaited now")
    }
}

/// Checks a condition.
///
/// # Errors
///
/// Fails with the sentence `otherwise` if `holds` is false.
fn ensure_holds(holds: bool, otherwise: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise.to_string()) }
}

/// The serialised state: the fields of [`Numeral`], the elimination numbers of its seats, and the land hexes
/// in reading order, without sums.
#[derive(Serialize, Deserialize)]
struct Data {
    seats: u8,
    options: Options,
    map_seed: Option<u32>,
    round: u16,
    turn: u8,
    active: Seat,
    stage: Stage,
    out: Vec<u8>,
    hexes: Vec<(Cell, Hex)>,
}

impl Serialize for Numeral {
    /// Writes the state with its land hexes in reading order, without the sums that can be recomputed.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Data {
            seats: self.seats,
            options: self.options,
            map_seed: self.map_seed,
            round: self.round,
            turn: self.turn,
            active: self.active,
            stage: self.stage,
            out: self.out[..self.seats as usize].to_vec(),
            hexes: self.board.land().iter().map(|cell| (cell, self.board.hex(cell))).collect(),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Numeral {
    /// Reads a state in the form that `serialize` writes, and recomputes its sums.
    ///
    /// # Errors
    ///
    /// Fails if the data are malformed, a number is out of range, the options are invalid, or an invariant of
    /// the state is violated.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        let data = Data::deserialize(deserializer)?;
        let in_range =
            (2..=SEATS).contains(&usize::from(data.seats)) && data.out.len() == data.seats as usize;
        if !in_range || data.active.0 >= data.seats || data.turn >= data.seats || data.round == 0 {
            return Err(D::Error::custom("a number is out of range"));
        }
        pentarchy_engine::options::validate(&data.options, data.seats).map_err(D::Error::custom)?;
        let land = data.hexes.iter().map(|&(cell, _)| cell).collect();
        let mut board = Board::new(land, Prices::new(&data.options));
        for (cell, hex) in data.hexes {
            board.set(cell, hex).map_err(D::Error::custom)?;
        }
        let mut out = [0; SEATS];
        out[..data.out.len()].copy_from_slice(&data.out);
        let game = Numeral {
            options: data.options,
            seats: data.seats,
            map_seed: data.map_seed,
            round: data.round,
            turn: data.turn,
            active: data.active,
            stage: data.stage,
            out,
            board,
            tokens: Tokens::new(),
        };
        game.check().map_err(D::Error::custom)?;
        Ok(game)
    }
}
