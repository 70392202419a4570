//! The bots and hints of a match at this terminal.

use super::list::List;
use crate::command_error::{CommandError, Outcome};
use crate::style::{DIM, KEY, TITLE, paint};
use pentarchy_bots::{AnyBots, AnyPlayer, Budget, Level, Spec};
use pentarchy_engine::{AnyGame, AnyPosition, Rng, Seat};
use pentarchy_registry::bots_of;

/// The bots of a match.
pub(super) struct Bots {
    /// Creates players and hints for the game.
    kinds: &'static dyn AnyBots,
    /// Bots that keep their search tree between decisions, by seat.
    players: Vec<Option<Box<dyn AnyPlayer>>>,
}

impl Bots {
    /// Creates the bots of a match of the game with this number of seats; a bot is created only when it has to choose.
    ///
    /// # Errors
    ///
    /// Fails with a failed check if the registry has no bots for the game.
    pub(super) fn new(game: &'static dyn AnyGame, seats: usize) -> Outcome<Self> {
        let kinds = bots_of(game.info().name).map_err(|e| CommandError::Check(e.to_string()))?;
        Ok(Bots { kinds, players: (0..seats).map(|_| None).collect() })
    }

    /// Returns the canonical text of the action that a bot of kind `spec` chooses for `seat`, which must decide in
    /// `position`. Plays nothing. Draws the seed of the bot from `rng`, which advances: a bot without a time limit
    /// depends on that alone, so that the same seed gives the same match. An Emperor with a time limit uses all cores,
    /// is created at its first decision and kept with its search tree; it draws its seed from a copy, and `rng` does
    /// not advance. The kind of a kept Emperor does not change with `spec`. The caller must have checked that `seat` is
    /// one of the match.
    ///
    /// # Errors
    ///
    /// Fails if no seat is to decide, the seat's actions cannot be listed, or the bot cannot choose.
    ///
    /// # Panics
    ///
    /// Panics if `seat` is no seat of the match and an Emperor with a time limit plays it.
    pub(super) fn choose(
        &mut self,
        position: &dyn AnyPosition,
        seat: Seat,
        spec: Spec,
        rng: &mut Rng,
    ) -> Outcome<String> {
        let kinds = self.kinds;
        let new = || kinds.player(&spec.threads(cores()), rng.clone().bits());
        let chosen = if matches!((spec.level, spec.budget), (Level::Emperor, Budget::Time(_))) {
            self.players[seat.index()].get_or_insert_with(new).choose(position)?
        } else {
            kinds.player(&spec, rng.bits()).choose(position)?
        };
        let choice = position.view(seat).legal()?.swap_remove(chosen);
        Ok(choice.canonical)
    }

    /// Searches for a second ([`Budget::FULL`]) and returns up to three actions for the observer of `view`, the best
    /// first, as lines of text with their numbers in `list`, their chances in whole percent and reasons. Actions that
    /// are not in `list` are left out. The seed of the search is drawn from `rng`, which advances.
    ///
    /// # Errors
    ///
    /// Fails if the observer has no decision.
    pub(super) fn hint(&self, view: &dyn AnyPosition, list: &List, rng: &mut Rng) -> Outcome<String> {
        let mut out = String::new();
        for hint in self.kinds.hint(view, Budget::FULL, rng.bits())? {
            let Some((key, choice)) = list.key(hint.index).zip(list.get(hint.index)) else { continue };
            let (key, label) = (paint(KEY, format_args!("{key:>4}")), paint(TITLE, &choice.label));
            let value = (100.0 * hint.value).round();
            out += &format!("{key}  {label}  {value} %\n      {}\n", paint(DIM, &hint.why));
        }
        Ok(out)
    }
}

/// Returns the number of threads for a search with a time limit: one per core, at most 64; 1 if the number of cores is
/// unknown.
fn cores() -> u16 {
    std::thread::available_parallelism().map_or(1, |n| n.get().min(64) as u16)
}
