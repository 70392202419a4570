//! Defeat of players, the fall of the Empire, and the end of the game.

use crate::agenda::Task;
use crate::facts::{Context, Fact};
use crate::places::Side;
use crate::state::{Ending, Hegemony, MOST_SEATS};
use pentarchy_engine::{Node, Outcome, RuleError, Seat};

/// Who won.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Victory {
    /// The winners, by seat.
    pub winners: Vec<Seat>,
    /// The points of a winner.
    pub points: i32,
    /// The living players with as many points, by seat.
    pub leaders: Vec<Seat>,
    /// The total cost of the cards of a winner, and the highest of the other leaders, if it decided between
    /// them.
    pub tie_break: Option<(i32, i32)>,
}

impl Hegemony {
    /// Checks after the points of a battle have changed which of its sides are out: the Empire if it has no
    /// points left, and each player who has not won the battle (both after a tie) and has none. With `again`,
    /// after the Mercenaries have been paid, players are not checked. Pushes the removal of those sides, and
    /// above it a reveal of their hidden cards, which it marks. Without the option `only_one` the fall of the
    /// Empire ends the game instead. No effect without a battle.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(crate) fn reckon(&mut self, again: bool) -> Result<(), RuleError> {
        let Some(battle) = self.battle else { return Ok(()) };
        let mut fallen = 0u8;
        if battle.has(Side::EMPIRE) && self.standing && self.vp[Side::EMPIRE.index()] <= 0 {
            if !self.rules.only_one {
                return self.end(Ending::Toppled);
            }
            fallen |= 1 << Side::EMPIRE.0;
        }
        for side in [battle.attacker, battle.defender] {
            let lost = battle.victor() != Some(side);
            if !again && lost && !side.is_empire() && self.vp[side.index()] <= 0 {
                fallen |= 1 << side.0;
            }
        }
        if fallen == 0 {
            return Ok(());
        }
        let mut any = false;
        for side in (0..=Side::EMPIRE.0).map(Side).filter(|side| fallen >> side.0 & 1 != 0) {
            any |= self.mark_hidden(side);
        }
        self.push_task(Task::Bury(fallen))?;
        self.show_marked(any)
    }

    /// Marks all hidden cards of a side in all its zones, deck and hand included, so that a later task can
    /// show them. Returns whether there are any.
    fn mark_hidden(&mut self, side: Side) -> bool {
        let mut any = false;
        for zone in self.places_of(side) {
            let mut at = self.tokens.top(zone);
            while let Some(t) = at {
                at = self.tokens.below(t);
                if !self.tokens.is_public(t) {
                    self.tokens.mark(t);
                    any = true;
                }
            }
        }
        any
    }

    /// Removes the sides in `fallen`, bit `s` for seat `s` and bit 6 for the Empire, from the game: emits
    /// `Fell` for each, and moves its cards, which are public by now, to the pool discard (Partisans to the
    /// reserve). Removes a player's Scalper marks and clears Sanctions, Embargo, Gridlock and False Flags on
    /// them; the fall of the Empire clears all False Flags. Players who fall together get the same place in
    /// the order of defeats. Pushes the check for the end.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(crate) fn bury(&mut self, cx: &mut Context<'_>, fallen: u8) -> Result<(), RuleError> {
        let time = 1 + self.players.iter().map(|p| p.fell).max().unwrap_or(0);
        for side in (0..=Side::EMPIRE.0).map(Side).filter(|side| fallen >> side.0 & 1 != 0) {
            cx.emit(move || Fact::Fell(side));
            self.clear_out(side);
            let Some(seat) = side.seat() else {
                self.standing = false;
                self.players.iter_mut().for_each(|p| p.flags = 0);
                continue;
            };
            self.living.remove(seat);
            self.lift_marks(|mark| mark.by == seat);
            let player = &mut self.players[seat.index()];
            (player.sanctions, player.down, player.flags) = (0, 0, 0);
            (player.embargo, player.gridlock) = (false, false);
            player.fell = time;
        }
        self.push_task(Task::Check)
    }

    /// Ends the game with `EmpireWins` if no player is left while the Empire stands, or with `LastOne` if at
    /// most one player is left after its fall. Otherwise no effect.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(crate) fn check_end(&mut self) -> Result<(), RuleError> {
        match (self.living.len(), self.standing) {
            (0, true) => self.end(Ending::EmpireWins),
            (0 | 1, false) => self.end(Ending::LastOne),
            _ => Ok(()),
        }
    }

    /// Ends the game: sets `ending`, drops all tasks, and pushes the final ones, which show the cards of tied
    /// players. The ranking is valid after them.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(crate) fn end(&mut self, ending: Ending) -> Result<(), RuleError> {
        self.ending = Some(ending);
        self.agenda.clear();
        self.push_task(Task::Over)?;
        self.push_task(Task::Finish)
    }

    /// Marks all hidden cards of living players who are tied on points and pushes their reveal, for the
    /// tie-breaker. No effect if there are none.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(crate) fn finish(&mut self) -> Result<(), RuleError> {
        let mut any = false;
        for seat in (0..self.seats).map(Seat) {
            any |= self.is_tied(seat) && self.mark_hidden(seat.into());
        }
        self.show_marked(any)
    }

    /// Returns whether a player is alive and has as many points as another living one.
    fn is_tied(&self, seat: Seat) -> bool {
        let rival = |s: Seat| s != seat && self.living.has(s) && self.vp[s.index()] == self.vp[seat.index()];
        self.living.has(seat) && (0..self.seats).map(Seat).any(rival)
    }

    /// Returns the total cost of a side's public cards in all its zones (deck, discard pile, hand, slots), at
    /// the costs of this game, without discounts; hidden ones count 0. It breaks ties in the ranking.
    pub(crate) fn worth(&self, side: Side) -> i32 {
        self.all_cards(side).filter_map(|t| self.tokens.public_face(t)).map(|card| self.cost(card)).sum()
    }

    /// Returns the final ranking: living players by points, tied ones by the total cost of their cards; then
    /// defeated ones, the last defeated first. The scores are the points. `None` until an ending is set; ties
    /// are final only after the cards of tied players have been shown. The outcome also says if no player has
    /// won, and if the cap on rounds ended the game.
    pub(crate) fn ranking(&self) -> Option<Outcome> {
        let ending = self.ending?;
        let scores: [i32; MOST_SEATS] = std::array::from_fn(|i| self.vp[i]);
        let outcome = Outcome::by_key(&scores[..usize::from(self.seats)], |seat| {
            if !self.living.has(seat) {
                return (false, i32::from(self.players[seat.index()].fell), 0);
            }
            let worth = if self.is_tied(seat) { self.worth(seat.into()) } else { 0 };
            (true, self.vp[seat.index()], worth)
        });
        let outcome = if self.is_won(ending) { outcome } else { outcome.unwon() };
        Some(if ending == Ending::Cap { outcome.capped() } else { outcome })
    }

    /// Returns who won with how many points, which living players had as many, and the costs of cards that
    /// broke a tie between them. `None` until the game is over, and if no player has won.
    pub fn victory(&self) -> Option<Victory> {
        if self.awaited() != Node::Over {
            return None;
        }
        let winners: Vec<Seat> = self.ranking()?.winners().collect();
        let &winner = winners.first()?;
        let points = self.vp[winner.index()];
        let seats = (0..self.seats).map(Seat).filter(|&seat| self.living.has(seat));
        let leaders: Vec<Seat> = seats.filter(|seat| self.vp[seat.index()] == points).collect();
        let others = leaders.iter().filter(|seat| !winners.contains(seat));
        let most = others.map(|&seat| self.worth(seat.into())).max();
        let tie_break = most.map(|most| (self.worth(winner.into()), most));
        Some(Victory { winners, points, leaders, tie_break })
    }

    /// Returns whether an ending is the victory of a player: `Toppled` always, `LastOne` if a player is left,
    /// `Cap` unless the game is solo, `EmpireWins` never.
    fn is_won(&self, ending: Ending) -> bool {
        match ending {
            Ending::Toppled => true,
            Ending::EmpireWins => false,
            Ending::LastOne => !self.living.is_empty(),
            Ending::Cap => self.seats > 1,
        }
    }
}
