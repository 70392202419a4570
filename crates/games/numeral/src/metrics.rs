//! What the lab counts: buildings bought, soldiers owned, how the game ended.

use crate::actions::Action;
use crate::facts::Fact;
use crate::rules::EndReason;
use crate::state::{Numeral, Phase};
use crate::upgrades::Upgrade;
use pentarchy_engine::{AppliedEvent, Deed, Item, Metrics, Position, Seat, TurnId, Verb};

impl Metrics for Numeral {
    /// Returns what is counted: the buildings for sale, in the order of the list of actions. The index is the
    /// item number of a deed.
    fn items() -> Vec<Item> {
        Upgrade::FOR_SALE
            .into_iter()
            .map(|upgrade| Item::new(upgrade.name(), "Buildings", Verb::Bought))
            .collect()
    }

    /// Calls `out` with the verb `Bought` for each building that a seat bought in the event; nothing else is
    /// counted.
    fn deeds(event: &AppliedEvent<'_, Self>, out: &mut dyn FnMut(Deed)) {
        for fact in event.facts {
            let Fact::Built(seat, upgrade, _) = *fact else { continue };
            if let Some(item) = Upgrade::FOR_SALE.iter().position(|&u| u == upgrade) {
                out(Deed { seat, verb: Verb::Bought, item: item as u16 });
            }
        }
    }

    /// Calls `out` with the building that a `Build` buys, and returns `true`; for any other action returns
    /// `true` without a call, because nothing else is counted.
    fn predict_deeds(_: &Position<Self>, action: Action, out: &mut dyn FnMut(Verb, u16)) -> bool {
        if let Action::Build(upgrade) = action
            && let Some(item) = Upgrade::FOR_SALE.iter().position(|&u| u == upgrade)
        {
            out(Verb::Bought, item as u16);
        }
        true
    }

    /// Returns the soldiers and gold of a seat, its score; `None` only if they exceed 31 bits.
    fn standing(at: &Position<Self>, seat: Seat) -> Option<i32> {
        i32::try_from(at.state().board().total(seat)).ok()
    }

    /// Returns the round, and as turn twice the number of the active seat, plus 1 in the Attacking phase;
    /// never `None`.
    fn turn_id(&self) -> Option<TurnId> {
        let attacking = u32::from(self.phase() == Phase::Attacking);
        Some(TurnId { round: u32::from(self.round), turn: 2 * u32::from(self.active.0) + attacking })
    }

    /// Returns how the game ended: `by conquest`, `at the round limit` (a chosen one) or `at the cap`; `None`
    /// before the end.
    fn ending(&self) -> Option<&'static str> {
        Numeral::ending(self).map(|ending| match ending.reason {
            EndReason::Conquest => "by conquest",
            EndReason::Limit => "at the round limit",
            EndReason::Cap => "at the cap",
        })
    }

    /// Returns the part of the game that an action belongs to, for a report: `Placing` (soldiers),
    /// `Building`, `Marching`, or `Choosing a hex` (selecting, and ending the turn).
    fn phase(action: Action) -> &'static str {
        match action {
            Action::Place(_) => "Placing",
            Action::Build(_) => "Building",
            Action::March(..) => "Marching",
            Action::Select(_) | Action::Done => "Choosing a hex",
        }
    }

    /// Estimates the seconds that people take for an action: 0 for selecting a hex, 3 for ending the turn, 4
    /// for placing, building and marching. Choosing a hex and acting there are one gesture of 1.1 clicks
    /// (`e2e/numeral.mjs` measures it): one second to point and click, three to think.
    fn seconds(&self, action: Action) -> u32 {
        match action {
            Action::Select(_) => 0,
            Action::Done => 3,
            Action::Place(_) | Action::Build(_) | Action::March(..) => 4,
        }
    }
}
