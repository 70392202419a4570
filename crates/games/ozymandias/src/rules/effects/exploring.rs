//! Exploration cards: they work on the sector just placed.

use crate::actions::Target;
use crate::cards::{Faction, Myth};
use crate::facts::Context;
use crate::map::{Corner, Hex};
use crate::state::{DECK, MARKET, Memo, Ozymandias, Pile, hand, tableau};
use pentarchy_engine::{RuleError, Seat, Token};

impl Ozymandias {
    /// Returns whether an exploration card of the seat would have an effect at the new sector. Crusader
    /// Fleet and Maengali's Discovery need a card in hand, the Treaty of Cheng Huang one in the market too;
    /// Spymaster Hury Thezal needs a card in the deck, the Zele Research Labs also influence for half its
    /// price. The six cards aimed at the map, market or track need a legal target. All others can always be
    /// used. Whether the seat has the card is not checked.
    pub(super) fn is_usable_exploring(&self, seat: Seat, card: Myth) -> bool {
        match card {
            Myth::CrusaderFleet | Myth::MaengalisDiscovery => !self.tokens.is_empty(hand(seat)),
            Myth::TreatyOfChengHuang => !self.tokens.is_empty(hand(seat)) && !self.tokens.is_empty(MARKET),
            Myth::ZeleResearchLabs => {
                !self.tokens.is_empty(DECK) && self.deck_price() / 2 <= self.influence(seat)
            }
            Myth::SpymasterHuryThezal => !self.tokens.is_empty(DECK),
            Myth::ThaniWanderers
            | Myth::BerserkersOfGrotl
            | Myth::PilgrimsOfChera
            | Myth::XinPilgrims
            | Myth::WreckageOfTheXyri
            | Myth::RafiasNightmare => self.has_offer(seat, card, Memo::Nothing),
            _ => true,
        }
    }

    /// Begins the effect of an exploration card at the new sector. These pay the seat at once: Jordani Scouts
    /// half of red's value and the value of the new sector; Chera's Relic half of white's value and twice that
    /// of the sector; Book of Leeches half of black's value and 1 per hand card; Blood from a Stone 4 and 1 per
    /// sector without a city, at most `stone_cap`; Quest for Ancient Earth 3 and 2 per sector of value 0, at
    /// most `quest_cap`. The Zele Research Labs take half the price of the deck and draw a card. These six emit
    /// `Influence` unless the amount is 0.
    ///
    /// All others push the choice of a target; Spymaster Hury Thezal draws a card before it. The caller has
    /// checked that the card is usable.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn begin_exploring(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        card: Myth,
    ) -> Result<(), RuleError> {
        let new = self.sectors.iter().find(|s| s.hex == self.window.hex);
        let new = new.map_or(0, |s| self.sector_value(s));
        let settings = self.settings;
        match card {
            Myth::JordaniScouts => self.gain(cx, seat, self.half(Faction::Red) + new),
            Myth::CherasRelic => self.gain(cx, seat, self.half(Faction::White) + 2 * new),
            Myth::BookOfLeeches => {
                self.gain(cx, seat, self.half(Faction::Black) + self.tokens.len(hand(seat)) as i32);
            }
            Myth::BloodFromAStone => {
                let empty = self.sectors.iter().filter(|s| self.cities_at(s.hex) == 0).count() as i32;
                self.gain(cx, seat, (4 + empty).min(settings.stone_cap.into()));
            }
            Myth::QuestForAncientEarth => {
                let barren = self.sectors.iter().filter(|s| self.sector_value(s) == 0).count() as i32;
                self.gain(cx, seat, (3 + 2 * barren).min(settings.quest_cap.into()));
            }
            Myth::ZeleResearchLabs => {
                self.gain(cx, seat, -(self.deck_price() / 2));
                self.draw(seat)?;
            }
            Myth::SpymasterHuryThezal => {
                self.ask(seat, card, Memo::Nothing)?;
                self.draw(seat)?;
            }
            _ => self.ask(seat, card, Memo::Nothing)?,
        }
        Ok(())
    }

    /// Calls `out` for each legal target of an exploration card of seat `by`, except hand cards; stacks,
    /// corners and sectors ascending. `memo` holds the first choice of a card that asks twice.
    ///
    /// Thani Wanderers: stacks whose red top city can move, then the corners of the new sector that are
    /// open to it. Berserkers of Grotl: stacks at the new or an adjacent sector that red does not rule.
    /// Pilgrims of Chera: white cards of the market, if their price can be paid. Xin Pilgrims: free corners
    /// of the new sector, if a blue city is left. Wreckage of the Xyri: other sectors with at most one
    /// city. Rafia's Nightmare: factions of the window whose value can fall. Treaty of Cheng Huang, second
    /// choice: payable cards of the market. Its choices and those of Crusader Fleet and Maengali's
    /// Discovery may be declined: `None` is the last target.
    pub(super) fn offers_exploring(&self, by: Seat, card: Myth, memo: Memo, out: &mut dyn FnMut(Target)) {
        let new = self.window.hex;
        match (card, memo) {
            (Myth::ThaniWanderers, Memo::Corner(from)) => {
                self.offer_corners(new.corners(), |c| self.is_open_to_wanderers(from, c), out);
            }
            (Myth::ThaniWanderers, _) => self.offer_piles(|p| self.can_wander(p, new), out),
            (Myth::BerserkersOfGrotl, _) => {
                let reach = |p: &Pile| {
                    let beside = |h: &Hex| self.has_sector(*h) && p.corner.touches(*h);
                    p.corner.touches(new) || new.neighbours().iter().any(beside)
                };
                self.offer_piles(|p| p.ruler() != Some(Faction::Red) && reach(p), out);
            }
            (Myth::PilgrimsOfChera, _) if self.influence(by) >= self.pilgrim_price() => {
                let white = |t: &Token| self.myth(*t).is_ok_and(|m| m.faction() == Faction::White);
                self.tokens.iter(MARKET).filter(white).for_each(|t| out(Target::Card(t)));
            }
            (Myth::XinPilgrims, _) if self.supply[Faction::Blue.index()] > 0 => {
                self.offer_corners(new.corners(), |c| self.is_free(c), out);
            }
            (Myth::WreckageOfTheXyri, _) => {
                let mut sectors = self.sectors;
                sectors.sort_unstable_by_key(|s| s.hex);
                let fits = sectors.iter().filter(|s| s.hex != new && self.cities_at(s.hex) <= 1);
                fits.for_each(|s| out(Target::Sector(s.hex)));
            }
            (Myth::RafiasNightmare, _) => {
                let high = self.window.factions.iter().filter(|f| self.markers[f.index()] > 0);
                high.for_each(|f| out(Target::Faction(f)));
            }
            (Myth::CrusaderFleet | Myth::MaengalisDiscovery, _)
            | (Myth::TreatyOfChengHuang, Memo::Nothing) => {
                out(Target::None);
            }
            (Myth::TreatyOfChengHuang, Memo::Card(shown)) => {
                let payable = |t: &Token| self.treaty_price(shown, *t).is_ok_and(|p| p <= self.influence(by));
                self.tokens.iter(MARKET).filter(payable).for_each(|t| out(Target::Card(t)));
                out(Target::None);
            }
            _ => {}
        }
    }

    /// Applies the effect of an exploration card to its target and pays the seat `by` what the options say.
    /// Thani Wanderers move a red city to the corner; Berserkers of Grotl destroy the top city; Xin Pilgrims
    /// found a blue one; the Wreckage of the Xyri removes the sector and pays twice its value more; Rafia's
    /// Nightmare lowers the faction by 1. Pilgrims of Chera take the card for their price; Crusader Fleet
    /// sells it for its value and more; Spymaster Hury Thezal puts it in the market, Maengali's Discovery in
    /// the tableau; the Treaty of Cheng Huang exchanges the shown card for it and takes the difference.
    ///
    /// For the first target of Thani Wanderers and of the Treaty only pushes the choice of the second; `memo`
    /// then holds the first. `Target::None` has no effect. Emits the facts of these changes and `Influence`.
    /// The caller has checked the target and popped the choice.
    ///
    /// # Errors
    ///
    /// Fails if there are more stacks than the map holds, a card is hidden, or the agenda is full.
    pub(super) fn finish_exploring(
        &mut self,
        cx: &mut Context<'_>,
        by: Seat,
        card: Myth,
        memo: Memo,
        target: Target,
    ) -> Result<(), RuleError> {
        let pays = self.settings.pays;
        let paid = match (card, target) {
            (Myth::ThaniWanderers, Target::Corner(corner)) => match memo {
                Memo::Corner(from) => {
                    if let Some(city) = self.lift(from) {
                        self.stack_on(corner, city)?;
                    }
                    pays.wanderers.into()
                }
                _ => return self.ask(by, card, Memo::Corner(corner)),
            },
            (Myth::BerserkersOfGrotl, Target::Corner(corner)) => {
                self.destroy_top(cx, corner);
                pays.berserkers.into()
            }
            (Myth::XinPilgrims, Target::Corner(corner)) => {
                self.found(corner, Faction::Blue)?;
                pays.pilgrims.into()
            }
            (Myth::WreckageOfTheXyri, Target::Sector(hex)) => {
                let value = self.sectors.iter().find(|s| s.hex == hex).map_or(0, |s| self.sector_value(s));
                self.remove_sector(cx, hex);
                i32::from(pays.wreckage) + 2 * value
            }
            (Myth::RafiasNightmare, Target::Faction(faction)) => {
                self.move_marker(cx, faction, self.markers[faction.index()] - 1);
                pays.nightmare.into()
            }
            (Myth::PilgrimsOfChera, Target::Card(bought)) => {
                self.tokens.put(bought, hand(by));
                -self.pilgrim_price()
            }
            (Myth::CrusaderFleet, Target::Card(sold)) => {
                let value = self.value(self.myth(sold)?.faction());
                self.sell(sold);
                value + i32::from(pays.fleet)
            }
            (Myth::SpymasterHuryThezal, Target::Card(dropped)) => {
                self.sell(dropped);
                pays.thezal.into()
            }
            (Myth::MaengalisDiscovery, Target::Card(found)) => {
                self.tokens.put(found, tableau(by));
                pays.discovery.into()
            }
            (Myth::TreatyOfChengHuang, Target::Card(chosen)) => match memo {
                Memo::Card(shown) => {
                    let price = self.treaty_price(shown, chosen)?;
                    self.tokens.put(chosen, hand(by));
                    self.sell(shown);
                    i32::from(pays.treaty) - price
                }
                _ => return self.ask(by, card, Memo::Card(chosen)),
            },
            _ => 0,
        };
        self.gain(cx, by, paid);
        Ok(())
    }

    /// Returns the price of a white card by Pilgrims of Chera: white's value less the option
    /// `pilgrim_discount`, which is at most 6, so that the price is never negative.
    fn pilgrim_price(&self) -> i32 {
        self.value(Faction::White) - i32::from(self.settings.pilgrim_discount)
    }

    /// Returns the price of taking this card for the one that was shown: the difference of their values, at
    /// least 0.
    ///
    /// # Errors
    ///
    /// Fails if a card is hidden.
    fn treaty_price(&self, shown: Token, taken: Token) -> Result<i32, RuleError> {
        Ok((self.price(taken)? - self.price(shown)?).max(0))
    }

    /// Returns whether red rules this stack, it is not at the sector `new`, and its top city could move to a
    /// corner of that sector.
    fn can_wander(&self, pile: &Pile, new: Hex) -> bool {
        pile.ruler() == Some(Faction::Red)
            && !pile.corner.touches(new)
            && new.corners().iter().any(|&c| self.is_open_to_wanderers(pile.corner, c))
    }

    /// Returns whether a red city may be put on the corner `to` once the top city of the stack at `from` is
    /// lifted off: not where red rules, and not beside another stack.
    fn is_open_to_wanderers(&self, from: Corner, to: Corner) -> bool {
        match self.pile(to) {
            Some(pile) => pile.ruler() != Some(Faction::Red),
            None => {
                let mut near = self.cities.iter().filter(|p| to.crowds(p.corner));
                near.all(|p| p.corner == from && p.height() == 1)
            }
        }
    }
}
