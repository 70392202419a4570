//! The list of legal actions. It reads the Hand of the acting player and no other hidden card.

use crate::actions::{Action, Aim, Good};
use crate::cards::{Aims, Card};
use crate::state::{Task, Vires, hand};
use pentarchy_engine::{FaceSet, SeatView, Token};

impl Vires {
    /// Appends the legal actions of the player who decides or declares to `out`; nothing for other tasks.
    /// Cards are named in the order of the Hand, equal ones once. Who pays for a Block shows the first hidden
    /// HR; who pays a bill or a stake shows it too, or declares `Rest` if there is none. `own` must be the
    /// view of that player.
    #[inline(always)]
    pub(crate) fn list(&self, own: &SeatView<'_, Self>, out: &mut Vec<Action>) {
        let Some(task) = self.agenda.last() else { return };
        match *task {
            Task::Main { hr, fiat } => self.list_main(own, hr, fiat, out),
            Task::End { hr } => self.list_end(own, hr, out),
            Task::Cancel { .. } | Task::Protect(..) | Task::Challenge { .. } => {
                self.list_reactions(own, *task, out);
            }
            Task::Mine(_) => out.extend(self.hidden_hr(own).map(Action::Show)),
            Task::Pay(_) | Task::Show { .. } => {
                out.push(self.hidden_hr(own).map_or(Action::Rest, Action::Show));
            }
            Task::Offer(_) => self.list_offers(own, out),
            Task::Choose { by, from } => {
                let goods = [Good::Coin, Good::Hr].into_iter();
                out.extend(goods.filter(|&g| self.may_choose(by, from, g)).map(Action::Choose));
            }
            Task::Vote { .. } => out.extend([Good::Coin, Good::Hr].map(|g| Action::Vote(Some(g)))),
            Task::Kyc => out.extend([true, false].map(|reveal| Action::Kyc { reveal })),
            _ => {}
        }
    }

    /// Appends the actions of the main phase: plays in the order of the Hand, equal cards once, `mine` if it
    /// can be paid, and always `end`. `hr` is the number of public HR in the Hand, `fiat` whether a FIAT is
    /// public. `own` must be the view of the active player.
    #[inline]
    pub(super) fn list_main(&self, own: &SeatView<'_, Self>, hr: u8, fiat: bool, out: &mut Vec<Action>) {
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

    /// Appends `Play` with the card `t`, whose face is `card`, for each legal target; none if a card must be
    /// shown and is missing. `hr` is the number of public HR in the Hand, `fiat` whether a FIAT is public.
    /// `own` must be the view of the active player.
    #[inline]
    fn list_plays(
        &self,
        own: &SeatView<'_, Self>,
        t: Token,
        card: Card,
        hr: u8,
        fiat: bool,
        out: &mut Vec<Action>,
    ) {
        let showing = match self.must_show(card, hr, fiat) {
            None => None,
            // No card to show: the play is not legal.
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

    /// Appends the actions of the end phase: `done`, then a dismissal for each kind of card (equal cards
    /// count as one kind if they are equally public and equally barred), and FLIP with each opponent. Of the
    /// HR only one is named: the first public one, or the first of all if none is public. `hr` is the number
    /// of public HR in the Hand. `own` must be the view of the active player.
    #[inline(always)]
    pub(super) fn list_end(&self, own: &SeatView<'_, Self>, hr: u8, out: &mut Vec<Action>) {
        let mut seen = FaceSet::none();
        out.push(Action::Done);
        for (t, card) in self.hand_of(own) {
            // Of several HR the list names the first public one, or else the first of all.
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

    /// Appends `Pass`, then the legal reactions of the viewing player in `window`, in the order of the Hand:
    /// cards that fit the window and are not barred, in a challenge one per party whose naming changes the
    /// result; equal cards once. `own` must be the view of the player who is asked.
    #[inline]
    fn list_reactions(&self, own: &SeatView<'_, Self>, window: Task, out: &mut Vec<Action>) {
        out.push(Action::Pass);
        let (usable, mut seen) = (self.usable(window), FaceSet::none());
        for (card, face) in self.hand_of(own).filter(|&(_, c)| usable.has(c)) {
            if self.is_barred(card, own.seat()) || self.is_twin(own, card, face, &mut seen) {
                continue;
            }
            if let Task::Challenge { of, duel, .. } = window {
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

    /// Appends `Offer` for the cards of the viewing player's Hand, in its order, for DEX: of equal cards that
    /// are equally public and equally barred only the first; of the HR a hidden one, or a public one if none
    /// is hidden. `own` must be the view of the active player.
    fn list_offers(&self, own: &SeatView<'_, Self>, out: &mut Vec<Action>) {
        // A hidden HR is offered; a public one only if none is hidden.
        let hr = self.hidden_hr(own).or_else(|| self.open_card(own.seat(), Card::Hr));
        let mut seen = FaceSet::none();
        for (t, card) in self.hand_of(own) {
            let first = if card == Card::Hr { Some(t) == hr } else { !self.is_twin(own, t, card, &mut seen) };
            if first {
                out.push(Action::Offer(t));
            }
        }
    }

    /// Iterates over the tokens and faces of the viewing player's own Hand, in order of arrival; a card that
    /// the player has not yet seen is left out.
    #[inline(always)]
    fn hand_of<'a>(&'a self, own: &'a SeatView<'a, Self>) -> impl Iterator<Item = (Token, Card)> + 'a {
        self.tokens.iter(hand(own.seat())).filter_map(|t| own.face(t).map(|f| (t, f)))
    }

    /// Returns the first HR of the viewing player's Hand that is not public; `None` if there is none.
    #[inline]
    pub(super) fn hidden_hr(&self, own: &SeatView<'_, Self>) -> Option<Token> {
        self.tokens.iter(hand(own.seat())).find(|&t| !self.tokens.is_public(t) && own.is(t, Card::Hr))
    }

    /// Returns whether a twin of `t` comes earlier in the Hand, which the list then names alone: a card of
    /// this face that is as public and as barred as `t`; for HR, any met before. `card` must be the face of
    /// `t`. Call it for the cards in order; adds `card` to `seen`, the faces so far.
    #[inline(always)]
    fn is_twin(&self, own: &SeatView<'_, Self>, t: Token, card: Card, seen: &mut FaceSet<Card>) -> bool {
        let met = seen.has(card);
        *seen = seen.or(card.only());
        // All HR are alike here: public and hidden ones have been distinguished before.
        met && (card == Card::Hr || self.comes_earlier(own, t, card))
    }

    /// Returns whether the list of actions has an equal card already: one with this face, earlier in the viewing
    /// player's Hand than `t`, public if `t` is, and barred from use this turn if `t` is. `t` must be in that Hand.
    #[cold]
    fn comes_earlier(&self, own: &SeatView<'_, Self>, t: Token, card: Card) -> bool {
        let same = |u: Token| {
            self.tokens.is_public(u) == self.tokens.is_public(t)
                && self.is_barred(u, own.seat()) == self.is_barred(t, own.seat())
        };
        self.hand_of(own).take_while(|&(u, _)| u != t).any(|(u, c)| c == card && same(u))
    }
}
