//! The rules: what is awaited, what an event does, and the steps that run off by themselves.

mod battle;
mod bid;
mod clash;
mod ending;
mod influence;
mod march;
mod movement;
mod rally;
mod retreat;
mod year;

pub(crate) use year::set_up;

use crate::actions::Act;
use crate::state::{Hestia, Step, deck, hand, land, lead, slip};
use pentarchy_engine::{Chance, Event, Node, SeatView, Rejected, Seat, Set, Side, To, Token, ensure};

impl Hestia {
    /// What is awaited: the step on top of the agenda.
    pub(crate) fn awaited(&self) -> Node {
        let show = |set| Node::Reveal { set, to: To::All, side: Side::Face };
        match self.step() {
            Step::Shuffle(seat) => Node::Chance(Chance::Shuffle { pile: deck(seat) }),
            Step::Learn(seat) => {
                Node::Reveal { set: Set::Zone(hand(seat)), to: To::Seat(seat), side: Side::Face }
            }
            Step::OpenLeads => show(Set::Zones(lead(Seat(0)), lead(Seat(1)))),
            Step::OpenModes => show(Set::Zones(slip(Seat(0)), slip(Seat(1)))),
            Step::ShowLeads | Step::Count => show(Set::Marked),
            Step::Muster => {
                let place = self.battle.place;
                show(Set::Zones(land(place, Seat(0)), land(place, Seat(1))))
            }
            Step::Mix(seat) => Node::Rearrange { set: Set::Marked, by: seat },
            Step::Roll(..) => Node::Chance(Chance::Roll { sides: self.settings.die.into() }),
            Step::Half(seat, _)
            | Step::Bid(seat)
            | Step::Add(seat)
            | Step::Cards(seat)
            | Step::Pay(seat, _)
            | Step::Swap(seat, _)
            | Step::Orders(seat)
            | Step::Pick(seat)
            | Step::March(seat)
            | Step::ChooseBattle(seat)
            | Step::Choose(seat)
            | Step::Duty(seat)
            | Step::Loss(seat)
            | Step::Heal(seat)
            | Step::Flee(seat)
            | Step::Withdraw(seat) => Node::Decide(seat),
            // The other steps never rest on top.
            _ => Node::Over,
        }
    }

    /// The list of the seat that decides.
    pub(crate) fn list(&self, own: &SeatView<'_, Self>, out: &mut Vec<Act>) {
        let cards = |seat: Seat, act: fn(Token) -> Act, out: &mut Vec<Act>| {
            self.each_kind(own, self.tokens.iter(hand(seat)), &mut |t| out.push(act(t)));
        };
        match self.step() {
            Step::Half(seat, _) => cards(seat, Act::Discard, out),
            Step::Bid(seat) => cards(seat, Act::Bid, out),
            Step::Pay(seat, _) => cards(seat, Act::Pay, out),
            Step::Duty(seat) => cards(seat, Act::Fight, out),
            Step::Swap(seat, _) => {
                cards(seat, Act::Swap, out);
                out.push(Act::Done);
            }
            Step::Cards(seat) => out.extend((0..=self.most_cards(seat)).map(Act::Cards)),
            Step::Add(seat) => self.list_additions(seat, own, out),
            Step::Orders(seat) => self.list_orders(seat, out),
            Step::Pick(seat) => self.list_picks(seat, own, out),
            Step::March(seat) => self.list_march(seat, own, out),
            Step::ChooseBattle(_) => self.battlefields(&mut |place| out.push(Act::Battle(place))),
            Step::Choose(seat) => self.list_clash(seat, own, out),
            Step::Loss(seat) => {
                self.each_kind(own, self.army_in_battle(seat), &mut |t| out.push(Act::Lose(t)));
            }
            Step::Heal(seat) => self.each_kind(own, self.damaged(seat), &mut |t| out.push(Act::Heal(t))),
            Step::Flee(winner) => {
                self.flights(crate::state::enemy(winner), &mut |place| out.push(Act::Flee(place)));
            }
            Step::Withdraw(seat) => self.withdrawals(seat, &mut |place| out.push(Act::Withdraw(place))),
            _ => {}
        }
    }

    /// Carries out an event, then runs off what awaits nothing.
    pub(crate) fn handle(&mut self, event: Event<Act>) -> Result<(), Rejected> {
        match (self.step(), event) {
            (Step::Half(seat, left), Event::Act(Act::Discard(t))) => self.halve(seat, left, t)?,
            (Step::Bid(seat), Event::Act(Act::Bid(t))) => self.bid(seat, t)?,
            (Step::Add(seat), Event::Act(act)) => self.add(seat, act)?,
            (Step::Cards(seat), Event::Act(Act::Cards(n))) => self.choose_cards(seat, n)?,
            (Step::Pay(seat, left), Event::Act(Act::Pay(t))) => self.pay(seat, left, t)?,
            (Step::Swap(seat, k), Event::Act(act)) => self.swap(seat, k, act)?,
            (Step::Orders(seat), Event::Act(act)) => self.order(seat, act)?,
            (Step::Pick(seat), Event::Act(act)) => self.pick(seat, act)?,
            (Step::March(seat), Event::Act(act)) => self.march(seat, act)?,
            (Step::ChooseBattle(seat), Event::Act(Act::Battle(place))) => self.choose_battle(seat, place)?,
            (Step::Choose(seat), Event::Act(act)) => self.choose_mode(seat, act)?,
            (Step::Duty(seat), Event::Act(Act::Fight(t))) => self.fight(seat, t)?,
            (Step::Loss(seat), Event::Act(Act::Lose(t))) => self.choose_loss(seat, t)?,
            (Step::Heal(seat), Event::Act(Act::Heal(t))) => self.choose_heal(seat, t)?,
            (Step::Flee(winner), Event::Act(Act::Flee(place))) => self.drive(winner, place)?,
            (Step::Withdraw(seat), Event::Act(Act::Withdraw(place))) => self.give_way(seat, place)?,
            (Step::Roll(seat, left), Event::Rolled(n)) => self.rolled(seat, left, n)?,
            (Step::OpenModes, Event::Done) => self.open_modes()?,
            (_, Event::Done) => {
                self.agenda.pop();
            }
            _ => return Err(Rejected::new("something else is awaited")),
        }
        self.run()
    }

    /// Runs the steps that await nothing.
    fn run(&mut self) -> Result<(), Rejected> {
        loop {
            match self.step() {
                Step::Draw(seat, n) => self.draw(seat, n)?,
                Step::BeginHalf(seat) => self.begin_half(seat)?,
                Step::ExtraCard => self.extra_card()?,
                // Who has no card bids nothing.
                Step::Bid(seat) if self.tokens.is_empty(hand(seat)) => {
                    self.agenda.pop();
                }
                Step::OpenLeads
                    if self.tokens.is_empty(lead(Seat(0))) && self.tokens.is_empty(lead(Seat(1))) =>
                {
                    self.agenda.pop();
                }
                Step::Add(seat) if !self.may_add(seat) => {
                    self.agenda.pop();
                }
                Step::SettleBid => self.settle_bid()?,
                Step::Turn(seat) => self.begin_turn(seat)?,
                Step::Orders(seat) if !self.has_orders(seat) => self.end_orders()?,
                Step::PrepareMix(seat, naval) => self.prepare_mix(seat, naval)?,
                Step::Pick(seat) if self.picks_by_itself(seat)? => {}
                Step::March(seat) if !self.can_act(seat) => self.halt_army()?,
                Step::NextBattle(seat) => self.next_battle(seat)?,
                Step::Clash => self.begin_clash()?,
                Step::Dice => self.throw_dice()?,
                Step::Score => self.score_clash()?,
                Step::Loss(seat) if self.loses_by_itself(seat)? => {}
                Step::Heal(seat) if self.heals_by_itself(seat)? => {}
                Step::AfterClash => self.after_clash()?,
                Step::Flee(winner) if self.flees_by_itself(winner)? => {}
                Step::Withdraw(seat) if self.withdraws_by_itself(seat)? => {}
                Step::EndBattle => self.end_battle()?,
                Step::Influence => self.resolve_influence()?,
                Step::EndYear => self.end_year()?,
                Step::Judge => self.judge()?,
                _ => return Ok(()),
            }
        }
    }

    pub(crate) fn ensure_in_hand(&self, t: Token, seat: Seat) -> Result<(), Rejected> {
        ensure(self.tokens.in_zone(t, hand(seat)), "this card is not in the hand")
    }
}
