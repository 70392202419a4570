//! The bid for the first turn, and cards that join a lead.

use crate::actions::Act;
use crate::cards::{Card, Category};
use crate::state::{Contest, H, Hestia, L, Step, discard, enemy, hand, lead, played};
use pentarchy_engine::{SeatView, Rejected, Seat, Token};

impl Hestia {
    pub(super) fn begin_bid(&mut self) -> Result<(), Rejected> {
        self.then_all(&[
            Step::Bid(L),
            Step::Bid(H),
            Step::OpenLeads,
            Step::Add(L),
            Step::Add(H),
            Step::SettleBid,
        ])
    }

    pub(super) fn bid(&mut self, seat: Seat, t: Token) -> Result<(), Rejected> {
        self.ensure_in_hand(t, seat)?;
        self.agenda.pop();
        self.tokens.put(t, lead(seat));
        Ok(())
    }

    /// The lead of a seat, once it lies open.
    pub(crate) fn lead_card(&self, seat: Seat) -> Option<Card> {
        self.tokens.top(lead(seat)).and_then(|t| self.card(t).ok())
    }

    /// Whether a seat is asked for a card to add: also if none of its cards fits, so that nothing is told.
    pub(super) fn may_add(&self, seat: Seat) -> bool {
        let most = self.lead_card(seat).map_or(0, Card::most_additions);
        self.contest.added[seat.index()] < most && !self.tokens.is_empty(hand(seat)) && !self.is_blanked(seat)
    }

    pub(super) fn list_additions(&self, seat: Seat, own: &SeatView<'_, Self>, out: &mut Vec<Act>) {
        if let Some(lead) = self.lead_card(seat) {
            let fits = |t: &Token| {
                own.face(*t).and_then(|f| f.card()).is_some_and(|card| lead.addition(card).is_some())
            };
            self.each_kind(own, self.tokens.iter(hand(seat)).filter(fits), &mut |t| out.push(Act::Add(t)));
        }
        out.push(Act::Done);
    }

    pub(super) fn add(&mut self, seat: Seat, act: Act) -> Result<(), Rejected> {
        match act {
            Act::Add(t) => {
                self.ensure_in_hand(t, seat)?;
                let card = self.card(t)?;
                let worth = self.lead_card(seat).and_then(|lead| lead.addition(card));
                let worth = worth.ok_or(Rejected::of("this card cannot join the lead", t))?;
                self.contest.added[seat.index()] += 1;
                self.contest.bonus[seat.index()] += worth;
                self.battle.cards[seat.index()] += 1;
                self.tokens.put(t, played(seat));
            }
            Act::Done => {
                self.agenda.pop();
            }
            _ => return Err(Rejected::new("add a card, or be done")),
        }
        Ok(())
    }

    /// The higher bid goes first; Lenisia wins ties. All cards are spent.
    pub(super) fn settle_bid(&mut self) -> Result<(), Rejected> {
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
        self.first = if score(H) > score(L) { H } else { L };
        self.clear_cards();
        self.then_all(&[Step::Turn(self.first), Step::Turn(enemy(self.first)), Step::EndYear])
    }

    /// Leads and additions go to the discards.
    pub(super) fn clear_cards(&mut self) {
        for seat in [L, H] {
            self.tokens.put_all(lead(seat), discard(seat));
            self.tokens.put_all(played(seat), discard(seat));
        }
        self.contest = Contest::default();
    }
}
