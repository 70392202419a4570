//! The heuristic: points first, then HashRates towards the next Block, then harm to the leader.
//!
//! Ratings are roughly hundredths of a point. Ending the main phase, ending the turn and passing rate 0: an
//! action with a higher rating is taken, one with a lower rating is kept for later.

use crate::actions::{Action, Aim, Good};
use crate::cards::Card;
use crate::options::ForkReward;
use crate::state::{Case, Loss, Task, Then, Vires, hand};
use pentarchy_engine::{Heuristic, SearchHints, Seat, SeatView, Token};

/// The rating of an action that is never taken.
const NO: i32 = -1000;
/// The value of a point.
const POINT: i32 = 100;

impl Heuristic for Vires {
    /// Appends one rating per action of `list` to `out`, in its order, roughly in hundredths of a point, from
    /// what the deciding seat knows. Below 0: better not taken.
    fn rate(&self, own: &SeatView<'_, Self>, list: &[Action], out: &mut Vec<i32>) {
        let eyes = Evaluator { state: self, own, me: own.seat(), hr: self.held(own, own.seat()) };
        out.extend(list.iter().map(|&action| eyes.rate(action)));
    }

    /// Estimates the chance of `seat` to win, in thousandths, from what the deciding seat knows; meaningful
    /// at the end of a turn.
    fn evaluate(&self, own: &SeatView<'_, Self>, seat: Seat) -> i32 {
        self.chance(own, seat)
    }

    /// Returns whether the evaluation is meaningful: at the end of a turn, when its actions are done. Both
    /// parameters are ignored.
    fn settled(&self, _seat: Seat, _last: Option<Seat>) -> bool {
        self.is_turn_done()
    }

    /// Estimates, in percent, how likely `seat`, if it had this card, still holds it rather than having
    /// played it; 100 in the middle of its turn.
    fn kept(&self, seat: Seat, card: Card) -> u32 {
        self.likely_kept(seat, card)
    }

    /// Returns the settings of the search: playouts of 24 decisions that all follow the ratings, then the
    /// evaluation.
    fn search_hints() -> SearchHints {
        SearchHints { rated: 24, plies: 24, careless: 0, ..SearchHints::ADVISED }
    }
}

impl Vires {
    /// Returns the number of HR in player `p`'s Hand that the viewing seat knows of; hidden ones are not
    /// estimated.
    fn held(&self, own: &SeatView<'_, Self>, p: Seat) -> i32 {
        self.tokens.iter(hand(p)).filter(|&t| own.is(t, Card::Hr)).count() as i32
    }

    /// Estimates the number of HR in a player's Hand: the known ones, and half of the hidden cards that may
    /// be HR.
    fn guessed_hr(&self, own: &SeatView<'_, Self>, p: Seat) -> i32 {
        let halves: i32 = self
            .tokens
            .iter(hand(p))
            .map(|t| match own.face(t) {
                Some(Card::Hr) => 2,
                None if self.tokens.may_be(t, Card::Hr.only()) => 1,
                _ => 0,
            })
            .sum();
        halves / 2
    }
}

/// Rates actions with what the deciding seat knows.
struct Evaluator<'a> {
    state: &'a Vires,
    own: &'a SeatView<'a, Vires>,
    me: Seat,
    /// HR in the seat's own Hand.
    hr: i32,
}

impl Evaluator<'_> {
    /// Rates an action of the deciding seat, roughly in hundredths of a point: 0 for ending, passing and
    /// forced actions, positive if it is worth taking, `NO` if never. Does not check that it is legal.
    fn rate(&self, action: Action) -> i32 {
        match action {
            Action::Mine => self.mine(),
            Action::Play { card, aim, .. } => self.own.face(card).map_or(NO, |face| self.play(face, aim)),
            Action::Dismiss(t) => self.dismiss(t),
            Action::React { card, party } => self.own.face(card).map_or(NO, |face| self.react(face, party)),
            Action::Offer(t) => -self.own.face(t).map_or(0, |face| self.worth(face)),
            Action::Choose(good) => self.choose(good),
            Action::Vote(Some(Good::Coin)) | Action::Kyc { reveal: true } => 1,
            _ => 0,
        }
    }

    // --- what is there

    /// Iterates over all other players, by seat.
    fn foes(&self) -> impl Iterator<Item = Seat> + '_ {
        (0..self.state.seats).map(Seat).filter(|&x| x != self.me)
    }

    /// Returns the number of HR that the next Block of this seat costs.
    fn cost(&self) -> i32 {
        i32::from(self.state.cost(self.me))
    }

    /// Returns the HR that are missing for the next Block; 0 or less if it can be mined.
    fn missing(&self) -> i32 {
        self.cost() - self.hr
    }

    /// Returns whether it is this seat's turn and it has gained no Block in it.
    fn may_gain_block(&self) -> bool {
        self.me == self.state.active && !self.state.turn.gained
    }

    /// Returns whether this seat can mine a Block now: it may gain one this turn and holds the HR.
    fn can_mine(&self) -> bool {
        self.may_gain_block() && self.missing() <= 0
    }

    /// Returns whether this seat's own Hand has this card.
    fn holds(&self, card: Card) -> bool {
        self.state.tokens.iter(hand(self.me)).any(|t| self.own.is(t, card))
    }

    /// Rates how dangerous opponent `x` is: by points and Blocks, with 30 or 60 more if 2 or 1 Blocks are
    /// missing.
    fn danger(&self, x: Seat) -> i32 {
        let left = i32::from(self.state.rules.blocks) - i32::from(self.state.blocks(x));
        let near = match left {
            ..=1 => 60,
            2 => 30,
            _ => 0,
        };
        6 * i32::from(self.state.score(x)) + 3 * i32::from(self.state.blocks(x)) + near
    }

    /// Returns the danger of opponent `x` relative to the most dangerous one: 0 for that one, negative for
    /// others.
    fn behind_leader(&self, x: Seat) -> i32 {
        let most = self.foes().map(|y| self.danger(y)).max().unwrap_or(0);
        self.danger(x) - most
    }

    /// Returns whether this seat would win with one more Block that pays `coins`; `None` if that Block does
    /// not end the game. `robbed` is the opponent from whom it is taken, if any.
    fn would_end(&self, coins: i32, robbed: Option<Seat>) -> Option<bool> {
        let state = self.state;
        if state.blocks(self.me) + 1 < state.rules.blocks {
            return None;
        }
        let points = i32::from(state.score(self.me)) + 1 + coins;
        let points_of = |x: Seat| {
            let lost = if Some(x) == robbed { 1 + i32::from(state.losable(x).min(1)) } else { 0 };
            i32::from(state.score(x)) - lost
        };
        // Equal points are won by the longer Chain, and none is longer than a complete one.
        Some(self.foes().all(|x| points_of(x) <= points))
    }

    // --- the main phase

    /// Rates gaining a Block that pays `coins`: `worth` if it does not end the game, 5000 if it ends the game
    /// and wins it, `NO` if another would win. `robbed` is the opponent from whom it is taken, if any.
    fn block(&self, coins: i32, robbed: Option<Seat>, worth: i32) -> i32 {
        match self.would_end(coins, robbed) {
            Some(true) => 50 * POINT,
            Some(false) => NO,
            None => worth,
        }
    }

    /// Rates mining a Block with the Hand: 800, 5000 if it wins the game, `NO` if another would win by it.
    /// Whether it can be paid is not checked.
    fn mine(&self) -> i32 {
        let state = self.state;
        let pool = i32::from(state.pool()) + self.cost() - 1;
        self.block(i32::from(state.reward(self.me)).min(pool), None, 8 * POINT)
    }

    /// Rates playing a card with this target, in the main or the end phase, roughly in hundredths of a point;
    /// negative if it is better kept.
    fn play(&self, card: Card, aim: Aim) -> i32 {
        match aim {
            Aim::At(x) => self.attack(card, x),
            _ => self.help(card, aim),
        }
    }

    /// Rates playing a card that is not aimed at an opponent, roughly in hundredths of a point; `aim` tells
    /// the two uses of WHALE. -1 if it is better kept, and for cards without an own rating.
    fn help(&self, card: Card, aim: Aim) -> i32 {
        let state = self.state;
        let pool = i32::from(state.pool());
        // HR help immediately if they pay for a Block that would be out of reach.
        let gain = |k: i32| {
            let k = k.min(pool);
            let enables = self.may_gain_block() && self.missing() > 0 && self.missing() <= k;
            if enables { 9 * POINT } else { 4 * POINT + 20 * k }
        };
        let tuning = &state.rules.tuning;
        match card {
            Card::Bull => gain(tuning.bull.into()),
            Card::Stable => gain(tuning.stable.into()),
            Card::Whale if aim == Aim::Gain => gain(tuning.whale_gain.into()),
            Card::Whale => {
                let hurt = self.foes().filter(|&x| state.cards(x) > 0 || state.losable(x) > 0).count() as i32;
                3 * POINT + 25 * hurt
            }
            Card::Sat => 6 * POINT,
            // A Coin for an HR is a good price, unless the HR is needed for the Block of this turn.
            Card::Cex if self.can_mine() && self.missing() == 0 => -1,
            Card::Cex => 3 * POINT,
            Card::Dca => {
                let k = i32::from(tuning.dca).min(pool + 1);
                let enables = self.may_gain_block() && self.missing() > 0 && self.missing() <= k;
                if enables { 7 * POINT } else { -1 }
            }
            Card::DiffDown if self.may_gain_block() && self.missing() <= 1 => 10 * POINT,
            Card::DiffDown => -1,
            Card::Fees => 10 * POINT,
            Card::Double => {
                let paid = [Card::Fork, Card::Nonce, Card::Attack51, Card::Rekt];
                if paid.iter().any(|&c| self.holds(c) && self.wants_paid(c)) { 12 * POINT } else { -1 }
            }
            Card::Nonce => self.nonce(),
            Card::Ponzi => 5 * POINT,
            // FIAT is worth keeping for STABLE only.
            _ => -1,
        }
    }

    /// Rates playing NONCE: 800 or 900 if the HR are missing or at least 3 would be saved, -1 for a cheaper
    /// Block; far more if it wins the game, `NO` if another would win.
    fn nonce(&self) -> i32 {
        let state = self.state;
        let price = i32::from(state.price(Card::Nonce));
        let coins = i32::from(state.reward(self.me)).min(i32::from(state.pool()) + price - 1) - price;
        // Saves its HR; with a cheap Block that is not worth the Coin.
        let worth = match (self.can_mine(), self.cost()) {
            (true, ..=2) => -1,
            (true, _) => 9 * POINT,
            (false, ..=1) => -1,
            (false, _) => 8 * POINT,
        };
        self.block(coins, None, worth)
    }

    /// Returns whether the paid Action `card` would be worth playing this turn if it were free: NONCE and
    /// FORK if a Block may be gained, FORK and 51% if an opponent has 2 Blocks, any other card (REKT) if an
    /// opponent has 4 cards.
    fn wants_paid(&self, card: Card) -> bool {
        let state = self.state;
        match card {
            Card::Nonce => {
                let there = i32::from(state.pool());
                self.may_gain_block() && there >= self.cost().max(1) && self.would_end(1, None) != Some(false)
            }
            Card::Fork => self.may_gain_block() && self.foes().any(|x| state.blocks(x) >= 2),
            Card::Attack51 => self.foes().any(|x| state.blocks(x) >= 2),
            _ => self.foes().any(|x| state.cards(x) >= 4),
        }
    }

    /// Rates playing a card against opponent `x`, roughly in hundredths of a point; higher against the most
    /// dangerous one, negative if not worth it, -1 for cards that are not aimed.
    fn attack(&self, card: Card, x: Seat) -> i32 {
        let state = self.state;
        let aim = 2 * self.behind_leader(x);
        let coins = i32::from(state.losable(x));
        let guess = state.guessed_hr(self.own, x);
        let broke = state.cards(x) == 0 && coins == 0;
        let tuning = &state.rules.tuning;
        match card {
            Card::Fork => {
                let price = i32::from(state.price(card));
                let own = if state.rules.fork_reward == ForkReward::Thief { coins.min(1) } else { 0 };
                self.block(own - price, Some(x), 8 * POINT + 50 + aim)
            }
            Card::Attack51 => {
                // It costs a point to take two from the leader: not worth it if many others can do it.
                let ahead = self.danger(x) - 6 * i32::from(state.score(self.me));
                let worth = if state.price(card) == 0 { 4 * POINT } else { 2 * POINT };
                if state.seats == 2 || ahead > 0 { worth + ahead.max(0) + aim } else { -1 }
            }
            Card::Rekt => 80 * (guess - 2) + aim,
            Card::Bear => 3 * POINT + if guess + coins > 0 { 20 } else { -290 } + aim,
            Card::Scam => 5 * POINT + 40 * (guess + coins).min(2) + aim,
            Card::Margin => 4 * POINT + aim,
            Card::Bot if broke => 5 * POINT,
            Card::Bot => 1 + aim / 8,
            Card::Ico if broke => 6 * POINT,
            Card::Ico => 3 * POINT + aim / 8,
            Card::Miner => {
                let gain = guess.max(1);
                let enables = self.may_gain_block() && self.missing() > 0 && self.missing() <= gain;
                // A Coin is a point, and the target gets it.
                if enables { 6 * POINT } else { 60 * (gain - 3) + aim }
            }
            Card::Dex => {
                let junk = state
                    .tokens
                    .iter(hand(self.me))
                    .filter_map(|t| self.own.face(t))
                    .filter(|&f| f != Card::Dex)
                    .map(|f| self.worth(f))
                    .min();
                let gain = 70 * i32::from(tuning.dex).min(guess + coins + i32::from(state.pool()));
                gain + 2 * POINT - junk.unwrap_or(2 * POINT) + aim / 4
            }
            Card::DiffUp => 3 * POINT + aim,
            Card::Half => 3 * POINT + 20 + aim,
            Card::TimeLock => 3 * POINT + 10 + aim,
            Card::Oracle => 1 + i32::from(state.cards(x)),
            Card::Flip => self.flip(x),
            _ => -1,
        }
    }

    // --- the end phase

    /// Rates FLIP with opponent `x` by the expected difference of the two Hands; negative if the own one is
    /// better.
    fn flip(&self, x: Seat) -> i32 {
        let state = self.state;
        let mine: i32 = state
            .tokens
            .iter(hand(self.me))
            .filter_map(|t| self.own.face(t))
            .filter(|&f| f != Card::Flip)
            .map(|f| self.worth(f))
            .sum();
        let theirs: i32 = state
            .tokens
            .iter(hand(x))
            .map(|t| match self.own.face(t) {
                Some(face) => self.worth(face),
                None => 65,
            })
            .sum();
        theirs - mine - 60
    }

    /// Returns the value of a card in the Hand, roughly in hundredths of a point: 5 for FIAT to 200 for FORK
    /// and NONCE, 110 for cards without an own value.
    fn worth(&self, card: Card) -> i32 {
        match card {
            Card::Fiat => 5,
            Card::Oracle => 10,
            Card::Bot | Card::Double => 30,
            Card::Hr => 60,
            Card::Bear | Card::DiffUp | Card::Half | Card::TimeLock | Card::Strong | Card::Weak => 60,
            Card::Margin | Card::Ico | Card::Dca | Card::DiffDown | Card::Offline | Card::Rekt => 70,
            Card::Test | Card::Agree | Card::Hodl | Card::Cex | Card::Flip => 80,
            Card::Fork | Card::Nonce => 200,
            _ => 110,
        }
    }

    /// Rates discarding the card `t`: 1 if the whole Hand consists of FIAT, ORACLE and BOT, because an empty
    /// Hand draws a card more; else `NO`.
    fn dismiss(&self, t: Token) -> i32 {
        let junk = |f: Card| matches!(f, Card::Fiat | Card::Oracle | Card::Bot);
        let all = self.state.tokens.iter(hand(self.me)).all(|t| self.own.face(t).is_some_and(junk));
        if all && self.own.face(t).is_some_and(junk) { 1 } else { NO }
    }

    // --- reactions

    /// Rates a reaction with `card`, for `party` in a challenge, in the open window, roughly in hundredths of
    /// a point; `NO` without a window, or without a party in a challenge.
    fn react(&self, card: Card, party: Option<Seat>) -> i32 {
        match self.state.agenda.top().unwrap_or_default() {
            Task::Cancel { .. } => self.cancel(),
            Task::Protect(_, loss) => self.protect(card, loss),
            Task::Challenge { of, .. } => party.map_or(NO, |party| self.decide(card, of, party)),
            _ => NO,
        }
    }

    /// Rates TEST against the uppermost card on the agenda: 900 for a Block that ends the game for another
    /// player, 100 for an AGREE against this seat's attack, 20 to 200 or by the HR at stake for attacks on
    /// this seat, 50 for SYBIL if its Chain is longer than the mean of the others; else `NO`.
    fn cancel(&self) -> i32 {
        let state = self.state;
        let below = state.agenda.iter().rev().find_map(|task| match *task {
            Task::Effect(t, aim) => Some((t, aim, None)),
            Task::React { card, by, .. } => Some((card, Aim::Nothing, Some(by))),
            _ => None,
        });
        let Some((t, aim, by)) = below else { return NO };
        let Some(card) = state.tokens.public_face(t) else { return NO };
        if by.is_some() {
            // Worth it against a reaction to the player's own attack on a Block.
            return if state.active == self.me && card == Card::Agree { POINT } else { NO };
        }
        let p = state.active;
        let ends = state.blocks(p) + 1 >= state.rules.blocks;
        match (card, aim) {
            (Card::Fork | Card::Nonce, _) if ends && p != self.me => 9 * POINT,
            (Card::Fork | Card::Attack51, Aim::At(x)) if x == self.me => 2 * POINT,
            (Card::Rekt | Card::Miner, Aim::At(x)) if x == self.me => 60 * (self.hr - 2),
            (Card::Scam, Aim::At(x)) if x == self.me && self.hr >= 2 => 20,
            (Card::Sybil, _) => {
                let others: i32 = self.foes().map(|x| i32::from(state.blocks(x))).sum();
                let mine = i32::from(state.blocks(self.me)) * (i32::from(state.seats) - 1);
                if state.blocks(self.me) >= 2 && mine > others { 50 } else { NO }
            }
            _ => NO,
        }
    }

    /// Rates reacting with `card` to the loss `loss`: AGREE for a Block 300, another card for a Block 1, for
    /// a Coin 100; for HR by their number, negative for few.
    fn protect(&self, card: Card, loss: Loss) -> i32 {
        match (loss, card) {
            (Loss::Block, Card::Agree) => 3 * POINT,
            (Loss::Block, _) => 1,
            (Loss::Coin, _) => POINT,
            // OFFLINE protects from nothing else, HODL does.
            (Loss::Hr, _) => {
                let spare = if card == Card::Offline { 1 } else { 0 };
                20 * (self.hr_at_stake() - 2) + 10 + spare
            }
        }
    }

    /// Returns the HR that the payment below the window would cost this seat, a Coin counted as 2; 0 without
    /// one.
    fn hr_at_stake(&self) -> i32 {
        let state = self.state;
        let losable = i32::from(state.losable(self.me));
        state
            .agenda
            .iter()
            .rev()
            .find_map(|task| match *task {
                Task::Pay(bill) if matches!(bill.then, Then::Stop | Then::Miner) => Some(self.hr),
                // A Coin is worth more than an HR.
                Task::Pay(bill) => {
                    let k = i32::from(bill.left);
                    Some(k.min(self.hr) + 2 * (k - self.hr).clamp(0, losable))
                }
                _ => None,
            })
            .unwrap_or(0)
    }

    /// Rates playing STRONG or WEAK for `party` in the challenge of player `of`: positive if it wins the
    /// challenge for this seat, else `NO`, also if this seat is no party.
    fn decide(&self, card: Card, of: Seat, party: Seat) -> i32 {
        let won = (card == Card::Strong) == (party == of);
        let case = self.state.agenda.iter().rev().find_map(|task| match *task {
            Task::Verdict(case) => Some(case),
            _ => None,
        });
        let stake = match case {
            Some(Case::Stake(_, k)) => i32::from(k),
            Some(Case::Pump) => 2,
            Some(Case::Ponzi(_) | Case::Btfd(_)) => 1,
            _ => 0,
        };
        let mine = if of == self.me {
            won
        } else if self.state.active == self.me && matches!(case, Some(Case::Stake(..) | Case::Ponzi(_))) {
            !won
        } else {
            return NO;
        };
        if mine { 20 * (stake - 1) + 1 } else { NO }
    }

    /// Rates the choice of PONZI: 1 for a Coin if this seat takes, and for an HR if it gives; else 0.
    fn choose(&self, good: Good) -> i32 {
        let take = self.me == self.state.active;
        i32::from((good == Good::Coin) == take)
    }
}
