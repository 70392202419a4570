//! The rules: the awaited node, the effects of events, and the tasks that need no event.

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

pub use ending::{DecidedBy, Ending};
pub(crate) use year::set_up;

use crate::actions::Action;
use crate::facts::{Context, Fact};
use crate::state::{H, Hestia, L, Task, deck, hand, land, lead, slip};
use pentarchy_engine::{Audience, Chance, Event, Node, RuleError, Seat, SeatView, Set, Side, Token, ensure};

impl Hestia {
    /// Returns the node that the task on top of the agenda waits for: a decision of its seat; the shuffle of
    /// a draw pile; a seat's look at its hand; the public reveal of the leads, the sealed choices, the land
    /// units in a battle or the marked tokens; the permutation of the marked blocks by their seat; or the
    /// roll of a die. `Over` at the end, with an empty agenda, and for tasks that never wait.
    pub(crate) fn awaited(&self) -> Node {
        let show = |set| Node::Reveal { set, to: Audience::All, side: Side::Face };
        match self.step() {
            Task::Shuffle(seat) => Node::Chance(Chance::Shuffle { pile: deck(seat) }),
            Task::Learn(seat) => {
                Node::Reveal { set: Set::Zone(hand(seat)), to: Audience::Seat(seat), side: Side::Face }
            }
            Task::OpenLeads => show(Set::Zones(lead(Seat(0)), lead(Seat(1)))),
            Task::OpenModes => show(Set::Zones(slip(Seat(0)), slip(Seat(1)))),
            Task::ShowLeads | Task::Count => show(Set::Marked),
            Task::Muster => {
                let place = self.battle.place;
                show(Set::Zones(land(place, Seat(0)), land(place, Seat(1))))
            }
            Task::Mix(seat) => Node::Rearrange { set: Set::Marked, by: seat },
            Task::Roll(..) => Node::Chance(Chance::Roll { sides: self.settings.die.into() }),
            Task::Half(seat, _)
            | Task::Bid(seat)
            | Task::Add(seat)
            | Task::Cards(seat)
            | Task::Pay(seat, _)
            | Task::Swap(seat, _)
            | Task::Orders(seat)
            | Task::Pick(seat)
            | Task::March(seat)
            | Task::ChooseBattle(seat)
            | Task::Choose(seat)
            | Task::Duty(seat)
            | Task::Loss(seat)
            | Task::Heal(seat)
            | Task::Flee(seat)
            | Task::Withdraw(seat) => Node::Decide(seat),
            // The other tasks never stay on top.
            _ => Node::Over,
        }
    }

    /// Appends the legal actions of the deciding seat to `out`; nothing if no seat decides. Of equal cards or
    /// blocks only the first is named. `Done`, `End`, `Go` or `Stop` comes last, if it is possible. `own`
    /// must be the view of that seat.
    pub(crate) fn list(&self, own: &SeatView<'_, Self>, out: &mut Vec<Action>) {
        let cards = |seat: Seat, act: fn(Token) -> Action, out: &mut Vec<Action>| {
            self.each_kind(own, self.tokens.iter(hand(seat)), &mut |t| out.push(act(t)));
        };
        match self.step() {
            Task::Half(seat, _) => cards(seat, Action::Discard, out),
            Task::Bid(seat) => cards(seat, Action::Bid, out),
            Task::Pay(seat, _) => cards(seat, Action::Pay, out),
            Task::Duty(seat) => cards(seat, Action::Fight, out),
            Task::Swap(seat, _) => {
                cards(seat, Action::Swap, out);
                out.push(Action::Done);
            }
            Task::Cards(seat) => out.extend((0..=self.most_cards(seat)).map(Action::Cards)),
            Task::Add(seat) => self.list_additions(seat, own, out),
            Task::Orders(seat) => self.list_orders(seat, out),
            Task::Pick(seat) => self.list_picks(seat, own, out),
            Task::March(seat) => self.list_march(seat, own, out),
            Task::ChooseBattle(_) => self.battlefields(&mut |place| out.push(Action::Battle(place))),
            Task::Choose(seat) => self.list_clash(seat, own, out),
            Task::Loss(seat) => {
                self.each_kind(own, self.army_in_battle(seat), &mut |t| out.push(Action::Lose(t)));
            }
            Task::Heal(seat) => self.each_kind(own, self.damaged(seat), &mut |t| out.push(Action::Heal(t))),
            Task::Flee(winner) => {
                self.flights(crate::state::enemy(winner), &mut |place| out.push(Action::Flee(place)));
            }
            Task::Withdraw(seat) => self.withdrawals(seat, &mut |place| out.push(Action::Withdraw(place))),
            _ => {}
        }
    }

    /// Checks an event against the task on top of the agenda, applies it, emits its facts, and performs tasks
    /// up to the next one that needs an event. `Done` is not checked: the engine sends it only after a
    /// shuffle, reveal or permutation that the task awaits.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the event is not awaited or not legal. Fails with a partly changed state
    /// if more tasks follow than the agenda holds.
    pub(crate) fn handle(&mut self, cx: &mut Context<'_>, event: Event<Action>) -> Result<(), RuleError> {
        match (self.step(), event) {
            (Task::Half(seat, left), Event::Act(Action::Discard(t))) => self.halve(cx, seat, left, t)?,
            (Task::Bid(seat), Event::Act(Action::Bid(t))) => self.bid(cx, seat, t)?,
            (Task::Add(seat), Event::Act(act)) => self.add(cx, seat, act)?,
            (Task::Cards(seat), Event::Act(Action::Cards(n))) => self.choose_cards(cx, seat, n)?,
            (Task::Pay(seat, left), Event::Act(Action::Pay(t))) => self.pay(cx, seat, left, t)?,
            (Task::Swap(seat, k), Event::Act(act)) => self.swap(cx, seat, k, act)?,
            (Task::Orders(seat), Event::Act(act)) => self.order(cx, seat, act)?,
            (Task::Pick(seat), Event::Act(act)) => self.pick(seat, act)?,
            (Task::March(seat), Event::Act(act)) => self.march(cx, seat, act)?,
            (Task::ChooseBattle(seat), Event::Act(Action::Battle(place))) => {
                self.choose_battle(cx, seat, place)?;
            }
            (Task::Choose(seat), Event::Act(act)) => self.choose_mode(cx, seat, act)?,
            (Task::Duty(seat), Event::Act(Action::Fight(t))) => self.fight(cx, seat, t)?,
            (Task::Loss(seat), Event::Act(Action::Lose(t))) => self.choose_loss(cx, seat, t)?,
            (Task::Heal(seat), Event::Act(Action::Heal(t))) => self.choose_heal(cx, seat, t)?,
            (Task::Flee(winner), Event::Act(Action::Flee(place))) => self.drive(cx, winner, place)?,
            (Task::Withdraw(seat), Event::Act(Action::Withdraw(place))) => self.give_way(cx, seat, place)?,
            (Task::Roll(seat, left), Event::Rolled(n)) => self.rolled(cx, seat, left, n)?,
            (Task::OpenModes, Event::Done) => self.open_modes(cx)?,
            (task, Event::Done) => {
                self.emit_shown(cx, task);
                self.agenda.pop();
            }
            _ => return Err(RuleError::new("something else is awaited")),
        }
        self.run(cx)
    }

    /// Emits what the shuffle or reveal of `task`, which is done, has made public: `BidShown` or `CardShown`
    /// for each lead, `ArmiesShown` for a battle, `BlocksShown` for the final count, `Reshuffled` after the
    /// first year. Nothing for other tasks.
    fn emit_shown(&self, cx: &mut Context<'_>, task: Task) {
        let mut leads = |fact: fn(Seat, Token) -> Fact| {
            for seat in [L, H] {
                if let Some(t) = self.tokens.top(lead(seat)) {
                    cx.emit(move || fact(seat, t));
                }
            }
        };
        match task {
            Task::OpenLeads => leads(Fact::BidShown),
            Task::ShowLeads => leads(Fact::CardShown),
            Task::Muster => {
                let (attacker, place) = (self.battle.attacker, self.battle.place);
                cx.emit(move || Fact::ArmiesShown { attacker, place });
            }
            Task::Count => cx.emit(|| Fact::BlocksShown),
            Task::Shuffle(seat) if self.year > 1 => cx.emit(move || Fact::Reshuffled(seat)),
            _ => {}
        }
    }

    /// Performs the tasks on top of the agenda until one needs an event or the game is over, and emits their
    /// facts. Questions without a choice are not asked: a bid without cards, an addition that is not
    /// possible, orders and marches in which nothing can be done, and the only block to pick, weaken or heal
    /// or the only space to retreat to.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full, or a block that a task reads is not public.
    fn run(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
        loop {
            match self.step() {
                Task::Draw(seat, n) => self.draw(cx, seat, n)?,
                Task::BeginHalf(seat) => self.begin_half(seat)?,
                Task::ExtraCard => self.extra_card()?,
                // A seat without cards does not bid.
                Task::Bid(seat) if self.tokens.is_empty(hand(seat)) => {
                    self.agenda.pop();
                }
                Task::OpenLeads
                    if self.tokens.is_empty(lead(Seat(0))) && self.tokens.is_empty(lead(Seat(1))) =>
                {
                    self.agenda.pop();
                }
                Task::Add(seat) if !self.may_add(seat) => {
                    self.agenda.pop();
                }
                Task::SettleBid => self.settle_bid(cx)?,
                Task::Turn(seat) => self.begin_turn(seat)?,
                Task::Orders(seat) if !self.has_orders(seat) => self.end_orders()?,
                Task::PrepareMix(seat, naval) => self.prepare_mix(seat, naval)?,
                Task::Pick(seat) if self.apply_forced_picks(seat)? => {}
                Task::March(seat) if !self.can_act(seat) => self.halt_army()?,
                Task::NextBattle(seat) => self.next_battle(cx, seat)?,
                Task::Clash => self.begin_clash()?,
                Task::Dice => self.throw_dice()?,
                Task::Score => self.score_clash(cx)?,
                Task::Loss(seat) if self.apply_forced_losses(cx, seat)? => {}
                Task::Heal(seat) if self.apply_forced_healing(cx, seat)? => {}
                Task::AfterClash => self.after_clash(cx)?,
                Task::Flee(winner) if self.apply_forced_retreat(cx, winner)? => {}
                Task::Withdraw(seat) if self.apply_forced_withdrawal(cx, seat)? => {}
                Task::EndBattle => self.end_battle()?,
                Task::Influence => self.resolve_influence(cx)?,
                Task::EndYear => self.end_year(cx)?,
                Task::Judge => self.judge(cx)?,
                _ => return Ok(()),
            }
        }
    }

    /// Checks that a card lies in the hand of a seat. Changes nothing.
    ///
    /// # Errors
    ///
    /// Fails if it does not.
    pub(crate) fn ensure_in_hand(&self, t: Token, seat: Seat) -> Result<(), RuleError> {
        ensure(self.tokens.in_zone(t, hand(seat)), "this card is not in the hand")
    }
}
