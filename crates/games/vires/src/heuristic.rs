//! The heuristic: points first, then HashRates towards the next Block, then harm to the leader.
//!
//! Ratings are roughly hundredths of a point. Ending the main phase, ending the turn and passing rate 0: an
//! action with a higher rating is taken, one with a lower rating is kept for later.

use crate::actions::{Action, Aim, Good};
use crate::cards::Card;
use crate::options::ForkReward;
use crate::state::{Case, Loss, Task, Then, Vires, hand};
use crate::weights::Weights;
use pentarchy_engine::{Heuristic, SearchHints, Seat, SeatView, Token};

/// The rating of an action that is never taken: below that of all others.
const NO: i32 = -1000;
/// The value of a point, in the unit of ratings.
const POINT: i32 = 100;

impl Heuristic for Vires {
    type Weights = Weights;

    /// Appends one rating per action of `list` to `out`, in its order, roughly in hundredths of a point, from
    /// what the deciding seat knows. Ending and passing rate 0, so that an action below 0 is better not
    /// taken.
    fn rate_with(&self, own: &SeatView<'_, Self>, weights: &Weights, list: &[Action], out: &mut Vec<i32>) {
        let (me, hr) = (own.seat(), self.held(own, own.seat()));
        let eyes = Evaluator { state: self, own, weights, me, hr };
        out.extend(list.iter().map(|&action| eyes.rate(action)));
    }

    /// Estimates the chance of `seat` to win, in thousandths, from what the viewing seat knows; fitted to the
    /// ends of turns, where [`settled`](Self::settled) is `true`.
    fn evaluate(&self, own: &SeatView<'_, Self>, seat: Seat) -> i32 {
        self.chance(own, seat)
    }

    /// Returns whether the evaluation is meaningful: at the end of a turn, when its actions are done. Both
    /// parameters are ignored.
    fn settled(&self, _seat: Seat, _last: Option<Seat>) -> bool {
        self.is_turn_done()
    }

    /// Estimates, in percent, how likely `seat`, if it had this card, still holds it rather than having
    /// played it; 100 for the active player before the end phase.
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
    /// Returns the number of HR in player `p`'s Hand that the viewing seat knows of: all in its own Hand,
    /// else the public ones. Hidden ones are not estimated.
    fn held(&self, own: &SeatView<'_, Self>, p: Seat) -> i32 {
        self.tokens.iter(hand(p)).filter(|&t| own.is(t, Card::Hr)).count() as i32
    }

    /// Estimates the number of HR in a player's Hand: the known ones, and half of the hidden cards that may
    /// be HR by public information, rounded down.
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

/// Rates actions of `me`, the deciding seat, with what it knows.
struct Evaluator<'a> {
    state: &'a Vires,
    own: &'a SeatView<'a, Vires>,
    weights: &'a Weights,
    me: Seat,
    /// HR in the seat's own Hand.
    hr: i32,
}

impl Evaluator<'_> {
    /// Rates an action of the deciding seat, roughly in hundredths of a point: positive if it is worth
    /// taking, negative if not, `NO` if never, also for an unknown card. Offering a card rates its negative
    /// worth. 1 for a vote for Coins and for showing the Hand to KYC; 0 for ending, passing, other votes and
    /// choices, and forced actions. Does not check that it is legal.
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

    /// Returns whether it is this seat's turn and it has gained no Block in it, so that it may gain one. Cost
    /// and Pool are not considered.
    fn may_gain_block(&self) -> bool {
        self.me == self.state.active && !self.state.turn.gained
    }

    /// Returns whether this seat can mine a Block now: it may gain one this turn and holds the HR. The Pool
    /// is not checked.
    fn can_mine(&self) -> bool {
        self.may_gain_block() && self.missing() <= 0
    }

    /// Returns whether this seat's own Hand has this card, cancelled ones included.
    fn holds(&self, card: Card) -> bool {
        self.state.tokens.iter(hand(self.me)).any(|t| self.own.is(t, card))
    }

    /// Rates how dangerous opponent `x` is: `danger_point` per point and `danger_block` per Block, plus
    /// `danger_last` if at most 1 Block is missing or `danger_near` if 2 are.
    fn danger(&self, x: Seat) -> i32 {
        let left = i32::from(self.state.rules.blocks) - i32::from(self.state.blocks(x));
        let near = match left {
            ..=1 => self.weights.danger_last,
            2 => self.weights.danger_near,
            _ => 0,
        };
        let w = self.weights;
        w.danger_point * i32::from(self.state.score(x))
            + w.danger_block * i32::from(self.state.blocks(x))
            + near
    }

    /// Returns the danger of opponent `x` relative to the most dangerous one: 0 for that one, negative for
    /// others.
    fn behind_leader(&self, x: Seat) -> i32 {
        let most = self.foes().map(|y| self.danger(y)).max().unwrap_or(0);
        self.danger(x) - most
    }

    /// Returns whether this seat would win with one more Block that pays `coins`, at least by the longer
    /// Chain; `None` if that Block does not end the game. `robbed` is the opponent from whom it is taken, if
    /// any: they lose a point for the Block and, if they can lose one, a Coin.
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
    /// and this seat wins, `NO` if another would win. `robbed` is the opponent from whom it is taken, if any.
    fn block(&self, coins: i32, robbed: Option<Seat>, worth: i32) -> i32 {
        match self.would_end(coins, robbed) {
            Some(true) => 50 * POINT,
            Some(false) => NO,
            None => worth,
        }
    }

    /// Rates mining a Block with the Hand: the weight `mine`, 5000 if it wins the game, `NO` if another would
    /// win by it. The Coins that it pays are limited by the Pool. Whether it can be paid is not checked.
    fn mine(&self) -> i32 {
        let state = self.state;
        let pool = i32::from(state.pool()) + self.cost() - 1;
        self.block(i32::from(state.reward(self.me)).min(pool), None, self.weights.mine)
    }

    /// Rates playing a card with this target, in the main or the end phase, roughly in hundredths of a point:
    /// by [`attack`](Self::attack) at an opponent, else by [`help`](Self::help). Negative if it is better
    /// kept.
    fn play(&self, card: Card, aim: Aim) -> i32 {
        match aim {
            Aim::At(x) => self.attack(card, x),
            _ => self.help(card, aim),
        }
    }

    /// Rates playing a card that is not aimed at an opponent, roughly in hundredths of a point; `aim` tells
    /// the two uses of WHALE. BULL, STABLE and WHALE for a gain rate `gain_enables` if their HR (as many as
    /// the Pool has) make this turn's Block possible, else `gain` plus `gain_hr` per HR. WHALE as an attack
    /// counts each opponent with a card or a Coin. The others rate their weights, DCA, DIFF-- and DOUBLE only
    /// if they pay for a Block or a paid Action this turn. -1 if the card is better kept, and for cards
    /// without an own rating.
    fn help(&self, card: Card, aim: Aim) -> i32 {
        let state = self.state;
        let (pool, w) = (i32::from(state.pool()), self.weights);
        // HR help immediately if they pay for a Block that would be out of reach.
        let gain = |k: i32| {
            let k = k.min(pool);
            let enables = self.may_gain_block() && self.missing() > 0 && self.missing() <= k;
            if enables { w.gain_enables } else { w.gain + w.gain_hr * k }
        };
        let tuning = &state.rules.tuning;
        match card {
            Card::Bull => gain(tuning.bull.into()),
            Card::Stable => gain(tuning.stable.into()),
            Card::Whale if aim == Aim::Gain => gain(tuning.whale_gain.into()),
            Card::Whale => {
                let hurt = self.foes().filter(|&x| state.cards(x) > 0 || state.losable(x) > 0).count() as i32;
                w.whale + w.whale_each * hurt
            }
            Card::Sat => w.sat,
            // A Coin for an HR is a good price, unless the HR is needed for the Block of this turn.
            Card::Cex if self.can_mine() && self.missing() == 0 => -1,
            Card::Cex => w.cex,
            Card::Dca => {
                let k = i32::from(tuning.dca).min(pool + 1);
                let enables = self.may_gain_block() && self.missing() > 0 && self.missing() <= k;
                if enables { w.dca } else { -1 }
            }
            Card::DiffDown if self.may_gain_block() && self.missing() <= 1 => w.diff_down,
            Card::DiffDown => -1,
            Card::Fees => w.fees,
            Card::Double => {
                let paid = [Card::Fork, Card::Nonce, Card::Attack51, Card::Rekt];
                if paid.iter().any(|&c| self.holds(c) && self.wants_paid(c)) { w.double } else { -1 }
            }
            Card::Nonce => self.nonce(),
            Card::Ponzi => w.ponzi,
            // FIAT is worth keeping for STABLE only.
            _ => -1,
        }
    }

    /// Rates playing NONCE: `nonce` if the seat cannot mine a Block that costs 2 HR or more, `nonce_spares`
    /// if it can but the Block costs more than `nonce_saves` HR, -1 for a cheaper Block. 5000 if the Block
    /// wins the game, `NO` if another would win by it.
    fn nonce(&self) -> i32 {
        let state = self.state;
        let price = i32::from(state.price(Card::Nonce));
        let coins = i32::from(state.reward(self.me)).min(i32::from(state.pool()) + price - 1) - price;
        // Saves its HR; with a cheap Block that is not worth the Coin.
        let worth = match (self.can_mine(), self.cost()) {
            (true, cost) if cost <= self.weights.nonce_saves => -1,
            (true, _) => self.weights.nonce_spares,
            (false, ..=1) => -1,
            (false, _) => self.weights.nonce,
        };
        self.block(coins, None, worth)
    }

    /// Returns whether the paid Action `card` would be worth playing this turn if it were free. NONCE: a
    /// Block may be gained, the Pool has its HR, and no other player wins by it. FORK: a Block may be gained
    /// and an opponent has 2 Blocks. 51%: an opponent has 2 Blocks. Any other card (REKT): an opponent has 4
    /// cards.
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

    /// Rates playing a card against opponent `x`, roughly in hundredths of a point. `d` is `aim` tenths of
    /// the danger of `x` relative to the [most dangerous](Self::behind_leader) opponent, at most 0; `g` the
    /// [guessed HR](Vires::guessed_hr) of `x`, `c` the Coins it can lose.
    ///
    /// - FORK: `fork` + `d`, or the result of a Block that ends the game.
    /// - 51%: -1 with several opponents unless the danger of `x` exceeds `attack51_own` per own point; else
    ///   `attack51` (`attack51_free` without a price) plus that excess + `d`.
    /// - REKT: `rekt_hr` per HR of `g` above `rekt_least` + `d`. BEAR: `bear` (10 if `g` and `c` are 0) +
    ///   `d`. SCAM: `scam`, and `scam_each` for at most 2 of `g` + `c`, + `d`.
    /// - MARGIN, DIFF++, HALF, T-L: their weights + `d`. BOT, ICO: their weights + `d` / 8, or others if `x`
    ///   has nothing.
    /// - MINER: `miner_enables` if `g`, at least 1, pays for this turn's Block, else `miner_hr` per HR of it
    ///   above `miner_least` + `d`.
    /// - DEX: `dex`, and `dex_each` per HR it brings, less the worth of the poorest own card, + `d` / 4.
    /// - ORACLE: `oracle` plus the cards of `x`. FLIP: by [`flip`](Self::flip). All others -1.
    fn attack(&self, card: Card, x: Seat) -> i32 {
        let state = self.state;
        let w = self.weights;
        let aim = w.aim * self.behind_leader(x) / 10;
        let coins = i32::from(state.losable(x));
        let guess = state.guessed_hr(self.own, x);
        let broke = state.cards(x) == 0 && coins == 0;
        let tuning = &state.rules.tuning;
        match card {
            Card::Fork => {
                let price = i32::from(state.price(card));
                let own = if state.rules.fork_reward == ForkReward::Thief { coins.min(1) } else { 0 };
                self.block(own - price, Some(x), w.fork + aim)
            }
            Card::Attack51 => {
                // It costs a point to take two from the leader: not worth it if many others can do it.
                let ahead = self.danger(x) - w.attack51_own * i32::from(state.score(self.me));
                let worth = if state.price(card) == 0 { w.attack51_free } else { w.attack51 };
                if state.seats == 2 || ahead > 0 { worth + ahead.max(0) + aim } else { -1 }
            }
            Card::Rekt => w.rekt_hr * (guess - w.rekt_least) + aim,
            Card::Bear => aim + if guess + coins > 0 { w.bear } else { 10 },
            Card::Scam => w.scam + w.scam_each * (guess + coins).min(2) + aim,
            Card::Margin => w.margin + aim,
            Card::Bot if broke => w.bot_broke,
            Card::Bot => w.bot + aim / 8,
            Card::Ico if broke => w.ico_broke,
            Card::Ico => w.ico + aim / 8,
            Card::Miner => {
                let gain = guess.max(1);
                let enables = self.may_gain_block() && self.missing() > 0 && self.missing() <= gain;
                // A Coin is a point, and the target gets it.
                if enables { w.miner_enables } else { w.miner_hr * (gain - w.miner_least) + aim }
            }
            Card::Dex => {
                let junk = state
                    .tokens
                    .iter(hand(self.me))
                    .filter_map(|t| self.own.face(t))
                    .filter(|&f| f != Card::Dex)
                    .map(|f| self.worth(f))
                    .min();
                let gain = w.dex_each * i32::from(tuning.dex).min(guess + coins + i32::from(state.pool()));
                gain + w.dex - junk.unwrap_or(2 * POINT) + aim / 4
            }
            Card::DiffUp => w.diff_up + aim,
            Card::Half => w.half + aim,
            Card::TimeLock => w.time_lock + aim,
            Card::Oracle => w.oracle + i32::from(state.cards(x)),
            Card::Flip => self.flip(x),
            _ => -1,
        }
    }

    // --- the end phase

    /// Rates FLIP with opponent `x`: the worth of their Hand, unknown cards at `flip_unknown` each, less that
    /// of the own one without FLIP, less `flip_cost`. Negative if the own one is better.
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
                None => self.weights.flip_unknown,
            })
            .sum();
        theirs - mine - self.weights.flip_cost
    }

    /// Returns the value of a card in the Hand, roughly in hundredths of a point: 5 for FIAT, 10 for ORACLE,
    /// for others the weight of their kind.
    fn worth(&self, card: Card) -> i32 {
        let w = self.weights;
        match card {
            Card::Fiat => 5,
            Card::Oracle => 10,
            Card::Bot | Card::Double => w.held_poor,
            Card::Hr => w.held_hr,
            Card::Bear | Card::DiffUp | Card::Half | Card::TimeLock => w.held_attack,
            Card::Strong | Card::Weak => w.held_verdict,
            Card::Margin | Card::Ico | Card::Dca | Card::DiffDown | Card::Offline | Card::Rekt => w.held_fair,
            Card::Test | Card::Agree | Card::Hodl => w.held_reaction,
            Card::Cex | Card::Flip => w.held_good,
            Card::Fork | Card::Nonce => w.held_block,
            _ => w.held_other,
        }
    }

    /// Rates discarding the card `t` at the end of the turn: 1 if the whole Hand consists of FIAT, ORACLE and
    /// BOT, because an empty Hand draws a card more; else `NO`.
    fn dismiss(&self, t: Token) -> i32 {
        let junk = |f: Card| matches!(f, Card::Fiat | Card::Oracle | Card::Bot);
        let all = self.state.tokens.iter(hand(self.me)).all(|t| self.own.face(t).is_some_and(junk));
        if all && self.own.face(t).is_some_and(junk) { 1 } else { NO }
    }

    // --- reactions

    /// Rates a reaction with `card`, for `party` in a challenge, in the window on top of the agenda, roughly
    /// in hundredths of a point; `NO` without a window, or without a party in a challenge.
    fn react(&self, card: Card, party: Option<Seat>) -> i32 {
        match self.state.agenda.top().unwrap_or_default() {
            Task::Cancel { .. } => self.cancel(),
            Task::Protect(_, loss) => self.protect(card, loss),
            Task::Challenge { of, .. } => party.map_or(NO, |party| self.decide(card, of, party)),
            _ => NO,
        }
    }

    /// Rates TEST against the uppermost card on the agenda: `test_agree` for an AGREE in this seat's own
    /// turn; `test_end` for a FORK or NONCE with which another player would complete a Chain; `test_block`
    /// for a FORK or 51% on this seat; 60 per HR above `test_hr` for a REKT or MINER on it, negative below;
    /// 20 for a SCAM on it with 2 HR or more; 50 for SYBIL if this seat has 2 Blocks and more than the mean
    /// of the others. `NO` for everything else, and without a card.
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
            return if state.active == self.me && card == Card::Agree { self.weights.test_agree } else { NO };
        }
        let p = state.active;
        let ends = state.blocks(p) + 1 >= state.rules.blocks;
        match (card, aim) {
            (Card::Fork | Card::Nonce, _) if ends && p != self.me => self.weights.test_end,
            (Card::Fork | Card::Attack51, Aim::At(x)) if x == self.me => self.weights.test_block,
            (Card::Rekt | Card::Miner, Aim::At(x)) if x == self.me => 60 * (self.hr - self.weights.test_hr),
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
    /// a Coin 100. For HR 10 plus 20 for each [at stake](Self::hr_at_stake) above `protect_hr`, negative for
    /// few, and 1 more with OFFLINE.
    fn protect(&self, card: Card, loss: Loss) -> i32 {
        match (loss, card) {
            (Loss::Block, Card::Agree) => 3 * POINT,
            (Loss::Block, _) => 1,
            (Loss::Coin, _) => POINT,
            // OFFLINE protects from nothing else, HODL does.
            (Loss::Hr, _) => {
                let spare = if card == Card::Offline { 1 } else { 0 };
                20 * (self.hr_at_stake() - self.weights.protect_hr) + 10 + spare
            }
        }
    }

    /// Returns the HR that the uppermost payment on the agenda would cost this seat: all in its Hand for REKT
    /// and MINER, else what it owes, where each Coin that must stand in counts 2. 0 without a payment.
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

    /// Rates playing STRONG or WEAK for `party` in the challenge of player `of`: 1 plus 20 for each HR at
    /// stake above `verdict_stake` (P&D counts 2, PONZI and BTFD 1, ATH and ATL 0) if it wins the challenge
    /// for this seat, the challenged or, in a duel, the active player. `NO` if it loses it, and if this seat
    /// is no party.
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
        if mine { 20 * (stake - self.weights.verdict_stake) + 1 } else { NO }
    }

    /// Rates the choice of PONZI: 1 for a Coin if this seat is the active player and takes, and for an HR if
    /// it gives; else 0.
    fn choose(&self, good: Good) -> i32 {
        let take = self.me == self.state.active;
        i32::from((good == Good::Coin) == take)
    }
}
