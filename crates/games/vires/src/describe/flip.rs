//! The current coin flip: which player flips, and the effect of each side.

use super::{coins, hr, prompt};
use crate::cards::Card;
use crate::state::{Case, Task, Vires};
use pentarchy_engine::Seat;
use pentarchy_engine::describe::who;

/// The current coin flip. Texts write seats as `@0`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoinFlip {
    /// The card that demands the flip.
    pub card: Card,
    /// The player who flips and wins with heads.
    pub by: Seat,
    /// The challenger, who wins with tails; `None` for Events.
    pub against: Option<Seat>,
    /// The decision of STRONG or WEAK: whether `by` wins.
    pub fixed: Option<bool>,
    /// The effect of heads.
    pub heads: String,
    /// The effect of tails.
    pub tails: String,
}

impl Vires {
    /// Returns the current coin flip with the effects of both sides, from its reaction window until it is
    /// resolved; `None` if there is none, also while its stake is still to be shown.
    pub fn coin_flip(&self) -> Option<CoinFlip> {
        let case = prompt::case(self)?;
        let fixed = self.agenda.iter().rev().find_map(|task| match *task {
            Task::Challenge { fixed, .. } => Some(fixed),
            Task::Flip => Some(None),
            _ => None,
        })?;
        let (p, tuning) = (who(self.active), self.rules.tuning);
        let nothing = || "Nothing happens.".to_string();
        let (heads, tails) = match case {
            Case::Ath => (format!("Everybody gets {}.", hr(tuning.ath)), nothing()),
            Case::Atl => (nothing(), format!("Everybody loses {}.", hr(tuning.atl))),
            Case::Pump => (
                format!("The others lose {0} each. {p} gets {0}.", hr(tuning.pump)),
                format!("{p} loses {0}. The others get {0} each.", hr(tuning.pump)),
            ),
            Case::Btfd(x) => (format!("{} gets {}.", who(x), hr(tuning.btfd)), nothing()),
            Case::Stake(x, stake) => {
                (format!("{p} gives {} {}.", who(x), hr(1)), format!("{} gives {p} {}.", who(x), hr(stake)))
            }
            Case::Ponzi(x) => {
                let what = format!("{} or {}", coins(1), hr(1));
                (
                    format!("{} chooses what to give: {what}.", who(x)),
                    format!("{p} chooses what to take: {what}."),
                )
            }
        };
        let against = matches!(case, Case::Stake(..) | Case::Ponzi(_)).then_some(self.active);
        let (card, by) = (self.asks_for_flip(case), case.challenged(self.active));
        Some(CoinFlip { card, by, against, fixed, heads, tails })
    }
}
