//! The state as readable data, and the positions of scenarios.

use crate::board::{Board, Hex, SEATS};
use crate::map::Cell;
use crate::state::{Numeral, Phase, Stage};
use crate::upgrades::{Prices, Upgrade};
use pentarchy_engine::Seat;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What a scenario may change in a position. Everything else stays as it is.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Differences {
    /// Whether all land becomes neutral and empty first.
    clear: bool,
    /// The round, from 1; 0 counts as 1.
    round: Option<u16>,
    /// The phase that the turn of the active player begins in.
    phase: Option<Phase>,
    /// The active seat.
    active: Option<u8>,
    /// What changes on hexes, by coordinates like `3,-1`.
    hexes: BTreeMap<String, HexDifferences>,
    /// The eliminated seats, in the order of their elimination.
    out: Option<Vec<u8>>,
}

impl Default for Differences {
    /// Returns no differences: every field keeps the value of the state.
    fn default() -> Self {
        let hexes = BTreeMap::new();
        Differences { clear: false, round: None, phase: None, active: None, hexes, out: None }
    }
}

/// What a scenario changes on a hex; `None` keeps the value. Only `ready` is 0 if it is not given, except for
/// the active player's soldiers in the Attacking phase.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HexDifferences {
    owner: Option<Owner>,
    upgrade: Option<Upgrade>,
    soldiers: Option<u32>,
    ready: Option<u32>,
}

/// A seat, or the word `neutral`.
#[derive(Clone, Copy, Deserialize)]
#[serde(untagged)]
enum Owner {
    /// The number of a seat.
    Seat(u8),
    /// The word `neutral`.
    Word(Nobody),
}

/// The word for land without an owner.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Nobody {
    /// `neutral`.
    Neutral,
}

impl Numeral {
    /// Returns the whole state as a JSON object: `round`, `last_round`, `phase`, `stage`, `selected` (the
    /// chosen hex or null), `active`, `map_seed`, `players` by seat, and `hexes`, an object by coordinates
    /// like `3,-1` with `owner` (a seat or `neutral`), `upgrade`, `soldiers` and `ready`.
    pub(crate) fn as_data(&self) -> Value {
        let hexes = self.board.land().iter().map(|cell| {
            let hex = self.board.hex(cell);
            let owner = hex.owner.map_or(json!("neutral"), |s| json!(s.0));
            let data = json!({
                "owner": owner, "upgrade": hex.upgrade, "soldiers": hex.soldiers, "ready": hex.ready,
            });
            (cell.to_string(), data)
        });
        let players: Vec<Value> = (0..self.seats).map(|s| self.player_as_data(Seat(s))).collect();
        let chosen = match self.stage {
            Stage::PlaceAt(cell) | Stage::MarchFrom(cell) => Some(cell),
            _ => None,
        };
        let stage = match self.stage {
            Stage::SeedHigh => "map-seed-high",
            Stage::SeedLow(_) => "map-seed-low",
            Stage::Place => "place",
            Stage::PlaceAt(_) => "place-at",
            Stage::March => "march",
            Stage::MarchFrom(_) => "march-from",
            Stage::HomeMoves(_) => "home-moves",
            Stage::Over => "over",
        };
        json!({
            "round": self.round,
            "last_round": self.options.last_round().0,
            "phase": self.phase(),
            "stage": stage,
            "selected": chosen,
            "active": self.active,
            "map_seed": self.map_seed,
            "players": players,
            "hexes": hexes.collect::<serde_json::Map<_, _>>(),
        })
    }

    /// Returns a player as a JSON object: `in_play`, `home` (coordinates or null), `storage`, `soldiers`
    /// (storage included), `hexes` (their number), and the income as `gross`, `maintenance` (the upkeep) and
    /// `net`.
    fn player_as_data(&self, seat: Seat) -> Value {
        let board = &self.board;
        json!({
            "in_play": self.in_play(seat),
            "home": board.home(seat),
            "storage": board.storage(seat),
            "soldiers": board.total(seat),
            "hexes": board.held(seat).len(),
            "gross": board.gross(seat),
            "maintenance": self.maintenance(seat),
            "net": i64::from(board.gross(seat)) - i64::from(self.maintenance(seat)),
        })
    }

    /// Returns a copy with the values of a scenario. `differences` must be a JSON object; all entries are
    /// optional: `clear` (all land neutral and empty first), `round`, `phase` (`placing` or `attacking`),
    /// `active` (a seat), `hexes` (by coordinates like `3,-1`, each with `owner`, `upgrade`, `soldiers` or
    /// `ready`), and `out` (a list of seats). The turn of the active player begins in the given phase,
    /// without paying income again. In the Attacking phase all soldiers of the active player are ready unless
    /// `ready` says otherwise; in the Placing phase none are. Seats without a hex are eliminated, in the
    /// order `out` or by seat.
    ///
    /// # Errors
    ///
    /// Fails if there is no map yet, a field is unknown, a value or cell is invalid, the active seat is out,
    /// or the position violates an invariant.
    pub(crate) fn with_differences(&self, differences: &Value) -> Result<Self, String> {
        let wanted: Differences =
            serde_json::from_value(differences.clone()).map_err(|e| format!("the position: {e}"))?;
        if self.map_seed.is_none() {
            return Err("there is no map yet to arrange".to_string());
        }
        let mut game = self.clone();
        game.board.sleep();
        if wanted.clear {
            game.board = Board::new(*self.board.land(), Prices::new(&self.options));
        }
        let mut ready = Vec::new();
        for (name, hex) in &wanted.hexes {
            let cell: Cell = name.parse().map_err(|e| format!("{e}"))?;
            if let Some(n) = hex.ready {
                ready.push((cell, n));
            }
            let hex = hex.over(game.board.hex(cell), game.seats)?;
            game.board.set(cell, hex).map_err(|e| format!("{cell}: {e}"))?;
        }
        game.round = wanted.round.unwrap_or(game.round).max(1);
        game.arrange_players(wanted.out)?;
        let phase = wanted.phase.unwrap_or(game.phase());
        game.active = wanted.active.map_or(game.active, Seat);
        game.turn = (0..game.seats)
            .find(|&turn| game.seat_at(game.round, phase, turn) == game.active)
            .ok_or_else(|| format!("there is no seat {}", game.active))?;
        if !game.in_play(game.active) {
            return Err(format!("seat {} is out and cannot be active", game.active));
        }
        if phase == Phase::Placing {
            game.stage = Stage::Place;
        } else {
            game.stage = Stage::March;
            game.board.wake(game.active);
        }
        for (cell, n) in ready {
            if n > game.board.soldiers(cell) {
                return Err(format!("{cell}: more soldiers are ready than there are"));
            }
            game.board.set_ready(cell, n);
        }
        game.check()?;
        Ok(game)
    }

    /// Eliminates all seats without a hex, in the given order or, without one, by seat, and puts all others
    /// back in play.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the order does not name exactly the seats without a hex, or fewer than two
    /// players have land.
    fn arrange_players(&mut self, order: Option<Vec<u8>>) -> Result<(), String> {
        let homeless = |s: &u8| self.board.held(Seat(*s)).is_empty();
        let without: Vec<u8> = (0..self.seats).filter(homeless).collect();
        let order = order.unwrap_or_else(|| without.clone());
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if sorted != without {
            return Err(format!("the seats without a hex are {without:?}, not {order:?}"));
        }
        if without.len() + 1 >= usize::from(self.seats) {
            return Err("at least two players must have land".to_string());
        }
        self.out = [0; SEATS];
        for (i, &seat) in order.iter().enumerate() {
            self.out[usize::from(seat)] = i as u8 + 1;
        }
        Ok(())
    }
}

impl HexDifferences {
    /// Returns the hex with the values that a scenario gives in place of its own; no soldier is ready.
    /// `seats` is the number of seats.
    ///
    /// # Errors
    ///
    /// Fails if the owner is no seat of the game.
    fn over(&self, hex: Hex, seats: u8) -> Result<Hex, String> {
        let owner = match self.owner {
            None => hex.owner,
            Some(Owner::Word(Nobody::Neutral)) => None,
            Some(Owner::Seat(seat)) if seat < seats => Some(Seat(seat)),
            Some(Owner::Seat(seat)) => return Err(format!("there is no seat {seat}")),
        };
        let upgrade = self.upgrade.unwrap_or(hex.upgrade);
        Ok(Hex { owner, upgrade, soldiers: self.soldiers.unwrap_or(hex.soldiers), ready: 0 })
    }
}
