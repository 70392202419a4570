//! The Events that are more than a challenge: BYZ., KYC, PoS, NO-COIN.

use super::{Flow, FlowResult};
use crate::cards::Card;
use crate::facts::{Context, Fact};
use crate::state::{MOST_SEATS, Task, Vires};

impl Vires {
    /// Applies NO-COIN: gives `tuning.no_coin` Coins of the Pool to each player who has the fewest, in turn
    /// order, as long as there are any. Emits `Moved`.
    pub(super) fn no_coin(&mut self, cx: &mut Context<'_>) {
        let fewest = self.ring().map(|p| self.coins(p)).min().unwrap_or(0);
        let mut poor = [false; crate::state::MOST_SEATS];
        for p in self.ring() {
            poor[p.index()] = self.coins(p) == fewest;
        }
        for p in self.ring().filter(|p| poor[p.index()]) {
            self.gain_coins(cx, p, self.rules.tuning.no_coin);
        }
    }

    /// Continues PoS with player `at`: `left` players are still to be asked. Pushes the task for the next
    /// one, and above it the request to show an HR. After the last one every player with a public HR gets
    /// `tuning.pos` HR from the Pool, in turn order, as long as there are any. The caller has popped the
    /// task. Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn pos(&mut self, cx: &mut Context<'_>, at: pentarchy_engine::Seat, left: u8) -> FlowResult {
        if let Some(rest) = left.checked_sub(1) {
            self.push_task(Task::Pos { at: self.after(at), left: rest })?;
            return self.show(at, 1);
        }
        for p in self.ring() {
            if self.open_hr(p) > 0 {
                self.gain_hr(cx, p, self.rules.tuning.pos);
            }
        }
        Ok(Flow::Go)
    }

    /// Continues BYZ. with `left` votes to come: pushes `task`, the vote of the next player, and waits; with
    /// none left pushes the count of ballot number `ballot` (from 1). The caller has popped the task. Returns
    /// `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn vote(&mut self, task: Task, left: u8, ballot: u8) -> FlowResult {
        if left > 0 {
            return self.push_and_wait(task);
        }
        self.push_task(Task::Count { ballot })?;
        Ok(Flow::Go)
    }

    /// Counts the votes of ballot number `ballot` (from 1) of BYZ. If they are public, emits `VotesCounted`;
    /// else pushes the count again and waits for the reveal. If all agree, every player gains `tuning.byz`
    /// Coins or HR, as voted, as long as the Pool has any; otherwise pushes another ballot if the options allow
    /// one. Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn count(&mut self, cx: &mut Context<'_>, ballot: u8) -> FlowResult {
        let mut votes = self.ring().map(|p| self.tokens.public_face(self.ballot(p)));
        let Some(first) = votes.next().flatten() else {
            return self.push_and_wait(Task::Count { ballot });
        };
        // All ballots become public with one reveal.
        let unanimous = votes.all(|vote| vote == Some(first));
        let again = !unanimous && ballot < self.rules.byz_ballots;
        let this = &*self;
        cx.emit(move || {
            let mut votes = [None; MOST_SEATS];
            for p in this.ring() {
                votes[p.index()] = this.tokens.public_face(this.ballot(p));
            }
            Fact::VotesCounted { votes, agreed: unanimous.then_some(first), again }
        });
        let n = self.rules.tuning.byz;
        if unanimous {
            for p in self.ring() {
                if first == Card::VoteCoin { self.gain_coins(cx, p, n) } else { self.gain_hr(cx, p, n) }
            }
        } else if again {
            self.push_task(Task::Vote { at: self.active, left: self.seats, ballot: ballot + 1 })?;
        }
        Ok(Flow::Go)
    }

    /// Applies the active player's choice for KYC, pops the task and emits `AnsweredKyc`. With `reveal`
    /// pushes the reveal of the Hand, and the rest of this turn is drawn openly. Otherwise the turn ends at
    /// once, without an end phase; drawn cards stay hidden. KYC is discarded in both cases. Returns `Wait` if
    /// an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn kyc(&mut self, cx: &mut Context<'_>, reveal: bool) -> FlowResult {
        let seat = self.active;
        cx.emit(move || Fact::AnsweredKyc { seat, reveal });
        self.pop_task()?;
        if reveal {
            self.turn.open = true;
            self.push_task(Task::ShowHand)?;
            return Ok(Flow::Go);
        }
        let discard = self.agenda.pop();
        self.skip_turn();
        self.push_task(Task::Draw(0))?;
        if let Some(task) = discard {
            self.push_task(task)?;
        }
        Ok(Flow::Go)
    }
}
