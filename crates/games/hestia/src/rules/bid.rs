//! The bid for the first turn, and cards that join a lead.

use crate::actions::Action;
use crate::cards::{Card, Category};
use crate::facts::{Context, Fact};
use crate::state::{Contest, H, Hestia, L, Task, discard, enemy, hand, lead, played};
use pentarchy_engine::{RuleError, Seat, SeatView, Token};

impl Hestia {
    /// Pushes the tasks of the bid: both seats bid, the leads become public, both may add cards, the bid is
    /// settled. Lenisia first.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn begin_bid(&mut self) -> Result<(), RuleError> {
        self.push_tasks(&[
            Task::Bid(L),
            Task::Bid(H),
            Task::OpenLeads,
            Task::Add(L),
            Task::Add(H),
            Task::SettleBid,
        ])
    }

    /// Checks the bid of a seat, moves the card `t` face down from its hand to its lead, emits `Bid` and pops
    /// the task.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is not in the seat's hand.
    pub(super) fn bid(&mut self, cx: &mut Context<'_>, seat: Seat, t: Token) -> Result<(), RuleError> {
        self.ensure_in_hand(t, seat)?;
        self.agenda.pop();
        self.tokens.put(t, lead(seat));
        cx.emit(move || Fact::Bid(seat, t));
        Ok(())
    }

    /// Returns the card that a seat leads with in a bid or clash; `None` if it has no lead or the card is not
    /// public.
    pub(crate) fn lead_card(&self, seat: Seat) -> Option<Card> {
        self.tokens.top(lead(seat)).and_then(|t| self.card(t).ok())
    }

    /// Returns whether a seat is asked for a card to add: its lead allows another addition, it has cards, and
    /// the lead is not blanked by a Refused Flank. It is asked even if none of its cards fits, so that the
    /// question gives nothing away.
    pub(super) fn may_add(&self, seat: Seat) -> bool {
        let most = self.lead_card(seat).map_or(0, Card::most_additions);
        self.contest.added[seat.index()] < most && !self.tokens.is_empty(hand(seat)) && !self.is_blanked(seat)
    }

    /// Appends `Add` for the cards of the hand that may join the lead, one of each kind, then always `Done`.
    /// Without a public lead only `Done`. `own` must be the view of `seat`. The number of additions is not
    /// checked.
    pub(super) fn list_additions(&self, seat: Seat, own: &SeatView<'_, Self>, out: &mut Vec<Action>) {
        if let Some(lead) = self.lead_card(seat) {
            let fits = |t: &Token| {
                own.face(*t).and_then(|f| f.card()).is_some_and(|card| lead.addition(card).is_some())
            };
            self.each_kind(own, self.tokens.iter(hand(seat)).filter(fits), &mut |t| out.push(Action::Add(t)));
        }
        out.push(Action::Done);
    }

    /// Applies an `Add` or `Done` of a seat, in a bid or a clash. `Add` moves the card, which is public by now,
    /// to the played cards, adds its worth to `contest.bonus`, counts it in `contest.added` and `battle.cards`,
    /// and emits `Added`; the task stays. `Done` pops the task `Add`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, for another action, or if the card is not in the hand, not public, or cannot
    /// join the lead. Does not check the number of additions: the task is popped when no more are allowed.
    pub(super) fn add(&mut self, cx: &mut Context<'_>, seat: Seat, act: Action) -> Result<(), RuleError> {
        match act {
            Action::Add(t) => {
                self.ensure_in_hand(t, seat)?;
                let card = self.card(t)?;
                let worth = self.lead_card(seat).and_then(|lead| lead.addition(card));
                let worth = worth.ok_or(RuleError::of("this card cannot join the lead", t))?;
                self.contest.added[seat.index()] += 1;
                self.contest.bonus[seat.index()] += worth;
                self.battle.cards[seat.index()] += 1;
                self.tokens.put(t, played(seat));
                cx.emit(move || Fact::Added(seat, t));
            }
            Action::Done => {
                self.agenda.pop();
            }
            _ => return Err(RuleError::new("add a card, or be done")),
        }
        Ok(())
    }

    /// Ends the bid and pops the task: the higher bid (value of the lead, Hannibal 4 against a Commander,
    /// plus additions) takes the first turn (`first`), Lenisia wins ties. Emits `BidSettled`, discards all
    /// cards of the bid, and pushes both turns and the end of the year.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn settle_bid(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
        self.agenda.pop();
        let score = |seat: Seat| {
            let against = self.lead_card(enemy(seat)).map(Card::category);
            let lead = match self.lead_card(seat) {
                Some(Card::Hannibal) if against == Some(Category::Commander) => 4,
                Some(card) => card.value(),
                None => 0,
            };
            lead + self.contest.bonus[seat.index()]
        };
        let scores = [score(L), score(H)];
        self.first = if scores[1] > scores[0] { H } else { L };
        cx.emit(|| Fact::BidSettled { scores, first: self.first });
        self.clear_cards();
        self.push_tasks(&[Task::Turn(self.first), Task::Turn(enemy(self.first)), Task::EndYear])
    }

    /// Discards the lead and all played cards of both seats, and resets `contest`. Hidden cards stay hidden.
    pub(super) fn clear_cards(&mut self) {
        for seat in [L, H] {
            self.tokens.put_all(lead(seat), discard(seat));
            self.tokens.put_all(played(seat), discard(seat));
        }
        self.contest = Contest::default();
    }
}
