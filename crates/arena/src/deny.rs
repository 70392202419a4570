//! Restricted play: a seat that is denied one use of an item (Jaffe et al. 2012).

use crate::play::Visitor;
use pentarchy_bots::BotPlayer;
use pentarchy_engine::{AppliedEvent, Metrics, Position, Seat, Verb};

/// A use of an item that a seat may not choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Denial {
    /// The seat that is denied it.
    pub seat: Seat,
    /// The use that is denied.
    pub verb: Verb,
    /// The item, as an index into the items of the game.
    pub item: u16,
}

impl Denial {
    /// Returns whether this legal action would use the item in the denied way; it must be an action of the
    /// denied seat. Tries the action on a copy if the game does not predict it; an action that the rules
    /// reject uses nothing.
    fn is_broken_by<G: Metrics>(self, at: &Position<G>, action: G::Action) -> bool {
        let mut found = false;
        let predicted =
            G::predict_deeds(at, action, &mut |verb, item| found |= verb == self.verb && item == self.item);
        if predicted {
            return found;
        }
        let mut after = at.clone();
        let Ok((line, facts)) = after.play_facts(action) else { return false };
        let event = AppliedEvent { before: at, line: &line, facts: &facts, after: &after };
        G::deeds(&event, &mut |deed| {
            found |= deed.seat == self.seat && deed.verb == self.verb && deed.item == self.item;
        });
        found
    }
}

/// A bot that chooses among the legal actions without the denied use, unless nothing else is legal.
pub(crate) struct DeniedBot<G: Metrics> {
    /// The bot of the denied seat.
    bot: Box<dyn BotPlayer<G>>,
    /// What it may not choose.
    denial: Denial,
    /// The allowed actions of the decision at hand.
    allowed: Vec<G::Action>,
    /// Their indexes in the whole list of legal actions.
    places: Vec<usize>,
}

impl<G: Metrics> DeniedBot<G> {
    /// Wraps the bot of the denied seat, so that it makes the denied use only if no other action is legal.
    /// The denial must be that of the seat which the bot plays.
    pub(crate) fn new(bot: Box<dyn BotPlayer<G>>, denial: Denial) -> Self {
        DeniedBot { bot, denial, allowed: Vec::new(), places: Vec::new() }
    }
}

impl<G: Metrics> BotPlayer<G> for DeniedBot<G> {
    /// Returns the choice of the wrapped bot from the allowed actions, as an index into `legal`. The bot sees
    /// the whole list if no action of it is denied or all of them are. It is not asked if one action is
    /// allowed. If it returns an index outside of its list, returns the length of `legal`.
    fn choose(&mut self, view: &Position<G>, legal: &[G::Action]) -> usize {
        self.allowed.clear();
        self.places.clear();
        for (place, &action) in legal.iter().enumerate() {
            if !self.denial.is_broken_by(view, action) {
                self.allowed.push(action);
                self.places.push(place);
            }
        }
        match self.places[..] {
            [] => self.bot.choose(view, legal),
            [only] => only,
            _ if self.places.len() == legal.len() => self.bot.choose(view, legal),
            _ => {
                let chosen = self.bot.choose(view, &self.allowed);
                self.places.get(chosen).copied().unwrap_or(legal.len())
            }
        }
    }
}

/// A visitor that counts how often the denied seat had to use the item all the same.
pub(crate) struct DenialWatch {
    /// The use that is counted.
    denial: Denial,
    /// Number of decisions at which nothing else was legal.
    pub(crate) forced: u32,
}

impl DenialWatch {
    /// Creates the visitor of one game, with a count of 0.
    pub(crate) fn new(denial: Denial) -> Self {
        DenialWatch { denial, forced: 0 }
    }
}

impl<G: Metrics> Visitor<G> for DenialWatch {
    /// Counts the decision if `seat` is the denied one and the chosen action uses the item in the denied way.
    /// An index outside the list does not count.
    fn decision(&mut self, at: &Position<G>, seat: Seat, list: &[G::Action], chosen: usize) {
        let denied = seat == self.denial.seat;
        self.forced +=
            u32::from(denied && list.get(chosen).is_some_and(|&a| self.denial.is_broken_by(at, a)));
    }
}
