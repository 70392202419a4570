//! The machine's part in a game at this terminal: its players, and its advice.

use super::list::List;
use crate::failure::Outcome;
use crate::style::{DIM, KEY, TITLE, paint};
use pentarchy_bots::{AnyBots, AnyPlayer, Budget, Level, Spec};
use pentarchy_engine::any::BasicBot;
use pentarchy_engine::{AnyGame, AnyPosition, Rng, Seat};

/// The bots of a game.
pub(super) struct Bots {
    kinds: Option<&'static dyn AnyBots>,
    /// Those who go on thinking where they left off, by seat.
    players: Vec<Option<Box<dyn AnyPlayer>>>,
}

impl Bots {
    pub(super) fn new(game: &'static dyn AnyGame, seats: usize) -> Self {
        let kinds = pentarchy_registry::bots_of(game.info().name).ok();
        Bots { kinds, players: (0..seats).map(|_| None).collect() }
    }

    /// The canonical text of the action that this bot takes. Whoever does not think by the clock depends on
    /// the generator alone, so that the same seed gives the same game.
    pub(super) fn choose(
        &mut self,
        position: &dyn AnyPosition,
        seat: Seat,
        spec: Spec,
        rng: &mut Rng,
    ) -> Outcome<String> {
        let (kinds, plain) = match (self.kinds, spec.level) {
            (_, Level::Random) | (None, _) => (None, BasicBot::Random),
            (_, Level::Captain) => (None, BasicBot::Heuristic),
            (kinds, _) => (kinds, BasicBot::Heuristic),
        };
        let Some(kinds) = kinds else { return Ok(position.choose(plain, rng)?) };
        let new = || kinds.player(&spec.threads(cores()), rng.clone().bits());
        let chosen = if matches!((spec.level, spec.budget), (Level::Emperor, Budget::Time(_))) {
            self.players[seat.index()].get_or_insert_with(new).choose(position)?
        } else {
            kinds.player(&spec, rng.bits()).choose(position)?
        };
        let choice = position.view(seat).legal()?.swap_remove(chosen);
        Ok(choice.canonical)
    }

    /// The three best actions for whoever sees this, as lines of text.
    pub(super) fn hint(&self, view: &dyn AnyPosition, list: &List, rng: &mut Rng) -> Outcome<String> {
        let Some(kinds) = self.kinds else { return Ok(String::new()) };
        let mut out = String::new();
        for hint in kinds.hint(view, Budget::FULL, rng.bits())? {
            let Some((key, choice)) = list.key(hint.index).zip(list.get(hint.index)) else { continue };
            let (key, label) = (paint(KEY, format_args!("{key:>4}")), paint(TITLE, &choice.label));
            let value = (100.0 * hint.value).round();
            out += &format!("{key}  {label}  {value} %\n      {}\n", paint(DIM, &hint.why));
        }
        Ok(out)
    }
}

/// In how many threads a search by the clock may think.
fn cores() -> u16 {
    std::thread::available_parallelism().map_or(1, |n| n.get().min(64) as u16)
}
