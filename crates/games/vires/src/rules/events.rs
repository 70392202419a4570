//! The Events that are more than a challenge: BYZ., KYC, PoS, NO-COIN.

use super::{Flow, Ran};
use crate::cards::Card;
use crate::state::{Step, Vires};

impl Vires {
    /// NO-COIN: whoever has the fewest Coins gets some.
    pub(super) fn no_coin(&mut self) {
        let fewest = self.ring().map(|p| self.coins(p)).min().unwrap_or(0);
        let mut poor = [false; crate::state::MOST_SEATS];
        for p in self.ring() {
            poor[p.index()] = self.coins(p) == fewest;
        }
        for p in self.ring().filter(|p| poor[p.index()]) {
            self.gain_coins(p, self.rules.tuning.no_coin);
        }
    }

    /// PoS: everybody shows an HR, then those who did get some.
    pub(super) fn pos(&mut self, at: pentarchy_engine::Seat, left: u8) -> Ran {
        if let Some(rest) = left.checked_sub(1) {
            self.then(Step::Pos { at: self.after(at), left: rest })?;
            return self.show(at, 1);
        }
        for p in self.ring() {
            if self.open_hr(p) > 0 {
                self.gain_hr(p, self.rules.tuning.pos);
            }
        }
        Ok(Flow::Go)
    }

    /// BYZ.: one after the other votes, then the ballots are opened.
    pub(super) fn vote(&mut self, step: Step, left: u8, ballot: u8) -> Ran {
        if left > 0 {
            return self.wait(step);
        }
        self.then(Step::Count { ballot })?;
        Ok(Flow::Go)
    }

    /// BYZ.: if all agree everybody gets what was voted for; otherwise there may be another ballot.
    pub(super) fn count(&mut self, ballot: u8) -> Ran {
        let mut votes = self.ring().map(|p| self.tokens.public_face(self.ballot(p)));
        let Some(first) = votes.next().flatten() else {
            return self.wait(Step::Count { ballot });
        };
        // All ballots are opened by one revelation.
        let unanimous = votes.all(|vote| vote == Some(first));
        let n = self.rules.tuning.byz;
        if unanimous {
            for p in self.ring() {
                if first == Card::VoteCoin { self.gain_coins(p, n) } else { self.gain_hr(p, n) }
            }
        } else if ballot < self.rules.byz_ballots {
            self.then(Step::Vote { at: self.active, left: self.seats, ballot: ballot + 1 })?;
        }
        Ok(Flow::Go)
    }

    /// KYC: the drawer shows the Hand and draws openly from now on, or skips the turn.
    pub(super) fn kyc(&mut self, reveal: bool) -> Ran {
        self.drop_step()?;
        if reveal {
            self.turn.open = true;
            self.then(Step::ShowHand)?;
            return Ok(Flow::Go);
        }
        let discard = self.agenda.pop();
        self.skip_turn();
        self.then(Step::Draw(0))?;
        if let Some(step) = discard {
            self.then(step)?;
        }
        Ok(Flow::Go)
    }
}
