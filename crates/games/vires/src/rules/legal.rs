//! The list of the player who is asked. It reads the Hand of that player and nothing else that is hidden.

use crate::actions::{Action, Aim, Good};
use crate::cards::{Aims, Card};
use crate::state::{Step, Vires, hand};
use pentarchy_engine::{FaceSet, Own, Token};

impl Vires {
    /// Fills the list of the player who decides or declares.
    #[inline(always)]
    pub(crate) fn list(&self, own: &Own<'_, Self>, out: &mut Vec<Action>) {
        let Some(step) = self.agenda.last() else { return };
        match *step {
            Step::Main { hr, fiat } => self.list_main(own, hr, fiat, out),
            Step::End { hr } => self.list_end(own, hr, out),
            Step::Cancel { .. } | Step::Protect(..) | Step::Challenge { .. } => {
                self.list_reactions(own, *step, out);
            }
            Step::Mine(_) => out.extend(self.hidden_hr(own).map(Action::Show)),
            Step::Pay(_) | Step::Show { .. } => {
                out.push(self.hidden_hr(own).map_or(Action::Rest, Action::Show));
            }
            Step::Offer(_) => self.list_offers(own, out),
            Step::Choose { by, from } => {
                let goods = [Good::Coin, Good::Hr].into_iter();
                out.extend(goods.filter(|&g| self.may_choose(by, from, g)).map(Action::Choose));
            }
            Step::Vote { .. } => out.extend([Good::Coin, Good::Hr].map(|g| Action::Vote(Some(g)))),
            Step::Kyc => out.extend([true, false].map(|reveal| Action::Kyc { reveal })),
            _ => {}
        }
    }

    #[inline]
    pub(super) fn list_main(&self, own: &Own<'_, Self>, hr: u8, fiat: bool, out: &mut Vec<Action>) {
        let (mut held, mut seen) = (0, FaceSet::none());
        for (t, card) in self.hand_of(own) {
            held += u8::from(card == Card::Hr);
            if card.is_played()
                && !self.is_barred(t, own.seat())
                && !self.is_twin(own, t, card, &mut seen)
                && self.has_use(card).is_ok()
            {
                self.list_plays(own, t, card, hr, fiat, out);
            }
        }
        if held >= self.cost(self.active) && self.minable().is_ok() {
            out.push(Action::Mine);
        }
        out.push(Action::End);
    }

    #[inline]
    fn list_plays(
        &self,
        own: &Own<'_, Self>,
        t: Token,
        card: Card,
        hr: u8,
        fiat: bool,
        out: &mut Vec<Action>,
    ) {
        let showing = match self.must_show(card, hr, fiat) {
            None => None,
            // Nothing to show: the play is not legal.
            Some(needed) => match self.hand_of(own).find(|&(_, c)| c == needed) {
                None => return,
                Some((t, _)) => Some(t),
            },
        };
        let mut list = |aim| {
            if self.has_use_with(card, aim).is_ok() {
                out.push(Action::Play { card: t, aim, showing });
            }
        };
        match card.aims() {
            Aims::Foe => self.others().for_each(|x| list(Aim::At(x))),
            Aims::Mode => [Aim::Gain, Aim::Attack].into_iter().for_each(list),
            Aims::Nothing | Aims::Party => list(Aim::Nothing),
        }
    }

    #[inline(always)]
    pub(super) fn list_end(&self, own: &Own<'_, Self>, hr: u8, out: &mut Vec<Action>) {
        let mut seen = FaceSet::none();
        out.push(Action::Done);
        for (t, card) in self.hand_of(own) {
            // Of the HR the first of the public ones if there are any, else the first of all.
            let covered = (hr > 0) & (card == Card::Hr) & !self.tokens.is_public(t);
            if covered || self.is_twin(own, t, card, &mut seen) {
                continue;
            }
            out.push(Action::Dismiss(t));
            if card == Card::Flip {
                let aims = self.others().map(Aim::At).filter(|&aim| self.playable_flip(t, aim).is_ok());
                out.extend(aims.map(|aim| Action::Play { card: t, aim, showing: None }));
            }
        }
    }

    #[inline]
    fn list_reactions(&self, own: &Own<'_, Self>, window: Step, out: &mut Vec<Action>) {
        out.push(Action::Pass);
        let (usable, mut seen) = (self.usable(window), FaceSet::none());
        for (card, face) in self.hand_of(own).filter(|&(_, c)| usable.has(c)) {
            if self.is_barred(card, own.seat()) || self.is_twin(own, card, face, &mut seen) {
                continue;
            }
            if let Step::Challenge { of, duel, .. } = window {
                for party in [Some(of), duel.then_some(self.active)].into_iter().flatten() {
                    if self.reaction(window, face, Some(party)).is_ok() {
                        out.push(Action::React { card, party: Some(party) });
                    }
                }
            } else {
                out.push(Action::React { card, party: None });
            }
        }
    }

    fn list_offers(&self, own: &Own<'_, Self>, out: &mut Vec<Action>) {
        // Of the HR a hidden one is offered, or a public one if none is hidden.
        let hr = self.hidden_hr(own).or_else(|| self.open_card(own.seat(), Card::Hr));
        let mut seen = FaceSet::none();
        for (t, card) in self.hand_of(own) {
            let first = if card == Card::Hr { Some(t) == hr } else { !self.is_twin(own, t, card, &mut seen) };
            if first {
                out.push(Action::Offer(t));
            }
        }
    }

    /// The cards of the player's own Hand.
    #[inline(always)]
    fn hand_of<'a>(&'a self, own: &'a Own<'a, Self>) -> impl Iterator<Item = (Token, Card)> + 'a {
        self.tokens.iter(hand(own.seat())).filter_map(|t| own.face(t).map(|f| (t, f)))
    }

    /// The first HR of the Hand that is not public.
    #[inline]
    pub(super) fn hidden_hr(&self, own: &Own<'_, Self>) -> Option<Token> {
        self.tokens.iter(hand(own.seat())).find(|&t| !self.tokens.is_public(t) && own.is(t, Card::Hr))
    }

    /// Whether an equal card comes earlier in the Hand: the list names the first of twins. `seen` are the
    /// faces met so far: mostly there is only one copy of a card.
    #[inline(always)]
    fn is_twin(&self, own: &Own<'_, Self>, t: Token, card: Card, seen: &mut FaceSet<Card>) -> bool {
        let met = seen.has(card);
        *seen = seen.or(card.only());
        // (HR are all alike, or have been told apart already.)
        met && (card == Card::Hr || self.comes_earlier(own, t, card))
    }

    #[cold]
    fn comes_earlier(&self, own: &Own<'_, Self>, t: Token, card: Card) -> bool {
        let same = |u: Token| {
            self.tokens.is_public(u) == self.tokens.is_public(t)
                && self.is_barred(u, own.seat()) == self.is_barred(t, own.seat())
        };
        self.hand_of(own).take_while(|&(u, _)| u != t).any(|(u, c)| c == card && same(u))
    }
}
