//! Positions of scenarios: a state with the values that a file gives.

use crate::cards::Faction;
use crate::map::{Corner, Hex};
use crate::state::{MAP, Ozymandias, Pile, Sector, TRACK};
use pentarchy_engine::{Seat, Stack};
use serde_json::Value;

impl Ozymandias {
    /// Returns a copy of this state with the values of a scenario: `sectors` (a list of hexes like `1,-1` for
    /// the tiles in the zone `map`), `stacks` (a table from corners to lists of factions, the bottom city
    /// first; all other stacks go), `values` (a table from factions to values on the track), `influence` (a
    /// list by seat), `active` (a seat), `turn` (turns ended). What is not named stays; the agenda is
    /// unchanged.
    ///
    /// # Errors
    ///
    /// Fails if `differences` is no table, a name is unknown, or a value is malformed or impossible.
    pub(super) fn with_differences(&self, differences: &Value) -> Result<Self, String> {
        let mut game = self.clone();
        let all = differences.as_object().ok_or("a position is a table")?;
        // Regardless of the order in the file, sectors come before the stacks that stand at them.
        if let Some(hexes) = all.get("sectors") {
            game.lay_sectors(hexes)?;
        }
        for (name, value) in all {
            match name.as_str() {
                "sectors" => {}
                "stacks" => game.raise_stacks(value)?,
                "values" => {
                    for (faction, value) in value.as_object().ok_or("`values` is a table by faction")? {
                        let faction: Faction = faction.parse().map_err(|e| format!("{e}"))?;
                        let space = TRACK.iter().position(|&v| Some(u64::from(v)) == value.as_u64());
                        let space = space.ok_or_else(|| format!("{value} is not on the track"))?;
                        game.markers[faction.index()] = space as u8;
                    }
                }
                "influence" => {
                    let given: Vec<i32> = serde_json::from_value(value.clone()).map_err(|e| e.to_string())?;
                    if given.len() != self.seats as usize {
                        return Err(format!("`influence` has {} seats, not {}", self.seats, given.len()));
                    }
                    game.influence[..given.len()].copy_from_slice(&given);
                }
                "active" => {
                    let seat =
                        value.as_u64().filter(|&s| s < self.seats.into()).ok_or("`active` is a seat")?;
                    game.active = Seat(seat as u8);
                }
                "turn" => {
                    let turn = value.as_u64().and_then(|turn| u16::try_from(turn).ok());
                    game.turn = turn.ok_or("`turn` is a number below 65536")?;
                }
                other => return Err(format!("there is no `{other}` in a position of Ozymandias")),
            }
        }
        Ok(game)
    }

    /// Replaces the sectors by the tiles of the zone `map`, in their order, at the hexes of the list. Stacks
    /// stay where they are. Whether hexes repeat or connect is not checked.
    ///
    /// # Errors
    ///
    /// Fails if the value is no list of hexes, or there are not as many hexes as tiles; after a malformed hex
    /// the sectors are partly replaced.
    fn lay_sectors(&mut self, hexes: &Value) -> Result<(), String> {
        let hexes: Vec<String> = serde_json::from_value(hexes.clone()).map_err(|e| e.to_string())?;
        if hexes.len() != self.tokens.len(MAP) {
            return Err(format!("{} sectors for {} tiles on the map", hexes.len(), self.tokens.len(MAP)));
        }
        self.sectors = Stack::new();
        for (tile, text) in self.tokens.iter(MAP).zip(&hexes) {
            let hex: Hex = text.parse().map_err(|e| format!("{e}"))?;
            self.sectors.push(Sector { hex, tile }).map_err(|e| e.to_string())?;
        }
        Ok(())
    }

    /// Replaces all stacks by those of a scenario: a table from corners (`0,1,0`) to lists of factions, the
    /// bottom city first. The supplies become what is left of each faction. That a list is not empty and a
    /// corner occurs once is not checked.
    ///
    /// # Errors
    ///
    /// Fails if the value is malformed, a corner touches no sector, or a faction has too few cities; the
    /// stacks are then partly replaced.
    fn raise_stacks(&mut self, stacks: &Value) -> Result<(), String> {
        self.cities = Stack::new();
        self.supply = [self.settings.cities; 4];
        for (text, cities) in stacks.as_object().ok_or("`stacks` is a table by corner")? {
            let corner: Corner = text.parse().map_err(|e| format!("{e}"))?;
            if self.sectors_at(corner).next().is_none() {
                return Err(format!("the corner {corner} is not on the map"));
            }
            let mut pile = Pile::at(corner);
            for name in serde_json::from_value::<Vec<String>>(cities.clone()).map_err(|e| e.to_string())? {
                let faction: Faction = name.parse().map_err(|e| format!("{e}"))?;
                let left = &mut self.supply[faction.index()];
                *left =
                    left.checked_sub(1).ok_or_else(|| format!("too few {faction} cities in the supply"))?;
                pile.put_on_top(faction);
            }
            self.cities.push(pile).map_err(|e| e.to_string())?;
        }
        self.cities.sort_unstable_by_key(|p| p.corner);
        Ok(())
    }
}
