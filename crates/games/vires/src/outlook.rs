//! Evaluation: the chance to win, and which cards are probably left in a Hand. All numbers are fitted to the
//! ends of turns in thousands of games of Captains.

use crate::cards::Card;
use crate::state::{Task, Vires, hand};
use pentarchy_engine::{Seat, SeatView, odds};

impl Vires {
    /// Returns whether the end phase awaits an action, so that the active player has done what they wanted in
    /// this turn.
    pub(crate) fn is_turn_done(&self) -> bool {
        matches!(self.agenda.peek(), Some(Task::End { .. }))
    }

    /// Estimates the chance of `seat` to win, in thousandths, as far as the seat of `own` knows: compares the
    /// [outlooks](Self::outlook) of all players. Fitted to ends of turns; elsewhere it is less exact.
    pub(crate) fn chance(&self, own: &SeatView<'_, Self>, seat: Seat) -> i32 {
        let all = || (0..self.seats).map(Seat);
        let longest = all().map(|p| self.blocks(p)).max().unwrap_or(1);
        let near = 100 * i32::from(longest) / i32::from(self.rules.blocks.max(1));
        let others = all().filter(|&p| p != seat);
        odds(self.outlook(own, seat, near), others.map(|p| self.outlook(own, p, near)))
    }

    /// Rates the position of player `p` with what the seat of `own` knows, as input for [`odds`]; higher is
    /// better, and it can be negative. It counts points, the Chain and what is missing to complete it, the
    /// special cards and HR of the Hand (of the own one only the HR that the next Block costs; hidden cards
    /// at a mean value), an empty Hand, the modifiers of the next Block, and the wait of a player whose turn
    /// ends. `near` is the longest Chain in percent of the required length: until the end is near, points
    /// count little or negatively, because they are easily lost.
    fn outlook(&self, own: &SeatView<'_, Self>, p: Seat, near: i32) -> i32 {
        let (blocks, points) = (i32::from(self.blocks(p)), i32::from(self.score(p)));
        let chain = blocks * (600 + 5 * near) / 100 + self.end_in_sight(p, blocks, points);
        let (mut hr, mut unseen, mut cards) = (0, 0, 0);
        for t in self.tokens.iter(hand(p)) {
            match own.face(t) {
                Some(Card::Hr) => hr += 1,
                Some(card) => cards += self.held_card(card),
                None => unseen += 1,
            }
        }
        let held = if p == own.seat() {
            hr.min(i32::from(self.cost(p))) * (250 + 8 * near) / 100
        } else {
            8 * hr + unseen * (500 + 9 * near) / 100
        };
        // An empty Hand draws a card more.
        let empty = if self.cards(p) == 0 { 15 } else { 0 };
        // A player who has just had a turn waits longest for the next one.
        let waits = if p == self.active && self.is_turn_done() { 17 * near / 100 } else { 0 };
        let player = self.player(p);
        let markers = 15 * i32::from(player.reward) - 11 * i32::from(player.diff);
        points * (7 * near + 22 * near * near / 100 - 390) / 100 + chain + cards + held + empty + markers
            - waits
    }

    /// Rates how few Blocks player `p` with these `blocks` and `points` is missing: 65 if at most 1 is
    /// missing and nobody has more than 2 points more, so that the last one would win; else 22 for at most
    /// 2, 8 for 3, and 0 for more.
    fn end_in_sight(&self, p: Seat, blocks: i32, points: i32) -> i32 {
        let wins = || {
            let rivals = (0..self.seats).map(Seat).filter(|&q| q != p);
            rivals.map(|q| i32::from(self.score(q))).all(|rival| rival <= points + 2)
        };
        match i32::from(self.rules.blocks) - blocks {
            ..=1 if wins() => 65,
            ..=2 => 22,
            3 => 8,
            _ => 0,
        }
    }

    /// Returns the value of a known special card in a Hand, in [`odds`] points: 4 to 55, for PONZI 17 per
    /// opponent. HR and ballots would count 4.
    fn held_card(&self, card: Card) -> i32 {
        match card {
            Card::Ponzi => 17 * (i32::from(self.seats) - 1),
            Card::Flip => 55,
            Card::Fork => 44,
            Card::Attack51 | Card::Sat | Card::Agree => 36,
            Card::Nonce | Card::Scam | Card::Fees | Card::Dex => 30,
            Card::Margin | Card::Half | Card::Miner | Card::Hodl => 25,
            Card::TimeLock | Card::Whale | Card::Offline | Card::Strong | Card::Bull => 18,
            Card::Bot | Card::Rekt | Card::Stable | Card::Ico | Card::Bear => 11,
            Card::Test | Card::Weak | Card::Cex => 11,
            Card::Double | Card::DiffDown | Card::Dca => 7,
            _ => 4,
        }
    }

    /// Estimates, in percent, how likely player `p`, who had this card, still has it after a turn. 100 for
    /// a player in the middle of a turn, and for TEST, AGREE, STABLE, OFFLINE and DOUBLE; 90 for STRONG,
    /// WEAK, HODL, FIAT and FLIP; 65 for DCA, DIFF-- and HR; 55 for REKT, MINER and NONCE; 14 for ICO, CEX,
    /// BOT and FORK; 5 for all others, which are played as soon as they can be.
    pub(crate) fn likely_kept(&self, p: Seat, card: Card) -> u32 {
        if p == self.active && !self.is_turn_done() {
            return 100;
        }
        match card {
            Card::Test | Card::Agree | Card::Stable | Card::Offline | Card::Double => 100,
            Card::Strong | Card::Weak | Card::Hodl | Card::Fiat | Card::Flip => 90,
            Card::Dca | Card::DiffDown | Card::Hr => 65,
            Card::Rekt | Card::Miner | Card::Nonce => 55,
            Card::Ico | Card::Cex | Card::Bot | Card::Fork => 14,
            _ => 5,
        }
    }
}
