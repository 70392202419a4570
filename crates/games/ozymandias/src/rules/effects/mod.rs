//! What the cards do: when they are usable, what they ask, what they change. One file a kind.

mod contributed;
mod expanding;
mod exploring;

use crate::actions::{Action, Target};
use crate::cards::{Faction, Factions, Kind, Myth, Thing};
use crate::facts::{Context, Fact};
use crate::map::Corner;
use crate::state::{Memo, Ozymandias, Pile, Task, hand};
use pentarchy_engine::{FaceSet, RuleError, Seat, SeatView, Token, ensure};

impl Ozymandias {
    /// Returns whether this card, in the seat's tableau, would do something in the open window; `false` for
    /// crisis cards. Whether it lies there and fits the window is not checked.
    pub(super) fn is_usable(&self, seat: Seat, card: Myth) -> bool {
        match card.kind() {
            Kind::Explore => self.is_usable_exploring(seat, card),
            Kind::Expand => self.is_usable_expanding(seat, card),
            Kind::Reveal | Kind::Aftermath => false,
        }
    }

    /// Begins the effect of a card of the seat's tableau: applies it, or pushes the choice of a target. The
    /// caller has checked that it is usable; crisis cards have no effect there.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn begin_effect(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        card: Myth,
    ) -> Result<(), RuleError> {
        match card.kind() {
            Kind::Explore => self.begin_exploring(cx, seat, card),
            Kind::Expand => self.begin_expanding(cx, seat, card),
            Kind::Reveal | Kind::Aftermath => Ok(()),
        }
    }

    /// Pushes the choice of a target for the card of seat `by`. `memo` is what the card must remember until
    /// then.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn ask(&mut self, by: Seat, card: Myth, memo: Memo) -> Result<(), RuleError> {
        self.push_task(Task::Choose { by, card, memo })
    }

    /// Returns the set of cards that may be chosen if `card` asks for a hand card: all but white ones for
    /// Crusader Fleet, those of the factions in the crisis for the Book of Changes, all for Spymaster Hury
    /// Thezal, Maengali's Discovery and Altar, and the first choice of the Treaty of Cheng Huang. `None` if
    /// it asks for another target. `memo` tells the first from the second choice.
    fn hand_choice(&self, card: Myth, memo: Memo) -> Option<FaceSet<Thing>> {
        match (card, memo) {
            (Myth::CrusaderFleet, _) => Some(Factions::ALL.without(Faction::White).cards()),
            (Myth::SpymasterHuryThezal | Myth::MaengalisDiscovery | Myth::MaengalisAltar, _)
            | (Myth::TreatyOfChengHuang, Memo::Nothing) => Some(FaceSet::all()),
            (Myth::BookOfChanges, _) => Some(self.crisis.factions.cards()),
            _ => None,
        }
    }

    /// Returns whether the hand card that is chosen now becomes public: for all cards but Maengali's Altar.
    /// `false` if no hand card is being chosen.
    pub(crate) fn choice_shows(&self) -> bool {
        match self.step() {
            Task::Choose { card, memo, .. } => {
                card != Myth::MaengalisAltar && self.hand_choice(card, memo).is_some()
            }
            _ => false,
        }
    }

    /// Calls `out` for each legal target of the card of seat `by` that follows from public information, in
    /// the order of the list of actions; hand cards are not among them. `memo` is what the card remembers, as
    /// its first target.
    fn offers(&self, by: Seat, card: Myth, memo: Memo, out: &mut dyn FnMut(Target)) {
        match card.kind() {
            Kind::Explore => self.offers_exploring(by, card, memo, out),
            Kind::Expand => self.offers_expanding(by, card, out),
            Kind::Reveal | Kind::Aftermath => self.offers_contributed(by, card, memo, out),
        }
    }

    /// Returns whether the card of seat `by` has a target by public information; declining does not count.
    /// `memo` is what the card remembers, as its first target.
    fn has_offer(&self, by: Seat, card: Myth, memo: Memo) -> bool {
        let mut any = false;
        self.offers(by, card, memo, &mut |target| any |= target != Target::None);
        any
    }

    /// Appends the legal targets of the card of seat `by`: hand cards, then the targets by public
    /// information. `memo` is what the card remembers, as its first target; `own` must be the view of `by`.
    pub(super) fn list_targets(
        &self,
        by: Seat,
        card: Myth,
        memo: Memo,
        own: &SeatView<'_, Self>,
        out: &mut Vec<Action>,
    ) {
        if let Some(set) = self.hand_choice(card, memo) {
            let cards = self.tokens.iter(hand(by)).filter(|&t| own.is_in(t, set));
            out.extend(cards.map(|t| Action::Choose(Target::Card(t))));
        }
        self.offers(by, card, memo, &mut |target| out.push(Action::Choose(target)));
    }

    /// Checks the target of the card of seat `by`, pops the task, emits `Aimed`, and applies the effect or
    /// pushes the choice of a second target. A chosen hand card must be in the hand and, except for
    /// Maengali's Altar, fit the card; any other target must be offered. `memo` is what the card remembers,
    /// as its first target.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the target is not legal or a chosen card is not in the hand or hidden; or
    /// if the effect fails.
    pub(super) fn choose(
        &mut self,
        cx: &mut Context<'_>,
        by: Seat,
        card: Myth,
        memo: Memo,
        target: Target,
    ) -> Result<(), RuleError> {
        match (self.hand_choice(card, memo), target) {
            (Some(set), Target::Card(t)) => {
                self.ensure_in_hand(t, by)?;
                // The Altar takes any card and sees none.
                if card != Myth::MaengalisAltar {
                    ensure(set.has(self.tokens.face(t)?), "this card cannot be chosen here")?;
                }
            }
            _ => {
                let mut offered = false;
                self.offers(by, card, memo, &mut |offer| offered |= offer == target);
                ensure(offered, "this cannot be chosen here")?;
            }
        }
        self.agenda.pop();
        let first = memo == Memo::Nothing && matches!(card, Myth::ThaniWanderers | Myth::TreatyOfChengHuang);
        cx.emit(move || Fact::Aimed { seat: by, card, target, first });
        match card.kind() {
            Kind::Explore => self.finish_exploring(cx, by, card, memo, target),
            Kind::Expand => self.finish_expanding(cx, by, card, target),
            Kind::Reveal | Kind::Aftermath => self.finish_contributed(cx, by, card, memo, target),
        }
    }

    /// Calls `out` with the corner of each stack that satisfies `holds`, ascending.
    fn offer_piles(&self, holds: impl Fn(&Pile) -> bool, out: &mut dyn FnMut(Target)) {
        self.cities.iter().filter(|p| holds(p)).for_each(|p| out(Target::Corner(p.corner)));
    }

    /// Calls `out` for those of the given corners that satisfy `holds`, ascending.
    fn offer_corners(
        &self,
        mut corners: [Corner; 6],
        holds: impl Fn(Corner) -> bool,
        out: &mut dyn FnMut(Target),
    ) {
        corners.sort_unstable();
        corners.into_iter().filter(|&c| holds(c)).for_each(|c| out(Target::Corner(c)));
    }

    /// Moves a card to the market, below the cards there. Pays nothing. The caller has checked that it is
    /// public and in the hand.
    fn sell(&mut self, card: Token) {
        self.tokens.put(card, crate::state::MARKET);
    }
}
