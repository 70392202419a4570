//! The rules: the awaited node, the effects of events, and the tasks that need no event.

mod crisis;
mod effects;
mod ending;
mod market;
mod set_up;
mod turn;
mod window;

pub(crate) use set_up::set_up;

use crate::actions::Action;
use crate::cards::Thing;
use crate::state::{DECK, MARKET, Ozymandias, TILE_STACK, Task, hand};
use pentarchy_engine::{Audience, Chance, Cx, Event, Node, RuleError, SeatView, Set, Side, ensure};

impl Ozymandias {
    /// Returns the awaited node, from the task on top of the agenda.
    pub(crate) fn awaited(&self) -> Node {
        let show = |set| Node::Reveal { set, to: Audience::All, side: Side::Face };
        let tell = |set, seat| Node::Reveal { set, to: Audience::Seat(seat), side: Side::Face };
        match self.step() {
            Task::ShuffleTiles => Node::Chance(Chance::Shuffle { pile: TILE_STACK }),
            Task::ShuffleDeck => Node::Chance(Chance::Shuffle { pile: DECK }),
            Task::Start => Node::Chance(Chance::Pick { of: u32::from(self.seats) }),
            Task::Deal(seat) => tell(Set::Zone(hand(seat)), seat),
            Task::Show(t) => show(Set::One(t)),
            Task::ShowMarked => show(Set::Marked),
            Task::ShowMarket => show(Set::Zone(MARKET)),
            Task::Learn(t, seat) => tell(Set::One(t), seat),
            Task::Look { at, by } => tell(Set::Zone(hand(at)), by),
            Task::Mix(seat) => Node::Rearrange { set: Set::Zone(hand(seat)), by: seat },
            Task::Action | Task::Place | Task::Build(_) | Task::Prelude | Task::Sector => {
                Node::Decide(self.active)
            }
            Task::Window(place) => self.in_turn(place).map_or(Node::Over, Node::Decide),
            Task::Contribute(seat) | Task::Purchase(seat) | Task::Choose { by: seat, .. } => {
                Node::Decide(seat)
            }
            // The other tasks never stay on top.
            _ => Node::Over,
        }
    }

    /// Returns the task on top of the agenda.
    pub(crate) fn step(&self) -> Task {
        self.agenda.top().unwrap_or(Task::Over)
    }

    /// Pushes a task. The task to do first is pushed last.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(crate) fn push_task(&mut self, task: Task) -> Result<(), RuleError> {
        self.agenda.push(task)
    }

    /// Pushes several tasks, given in the order in which they are to be done.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(crate) fn push_tasks(&mut self, steps: &[Task]) -> Result<(), RuleError> {
        steps.iter().rev().try_for_each(|&step| self.push_task(step))
    }

    /// Appends the legal actions of the deciding seat.
    pub(crate) fn list(&self, own: &SeatView<'_, Self>, out: &mut Vec<Action>) {
        match self.step() {
            Task::Action => self.list_actions(own, out),
            Task::Place => self.frontier(&mut |hex| out.push(Action::Place(hex))),
            Task::Build(faction) => self.open_corners(faction, &mut |corner| out.push(Action::Build(corner))),
            Task::Window(_) => self.list_window(own.seat(), out),
            Task::Prelude => self.list_prelude(out),
            Task::Sector => self.list_sectors(out),
            Task::Contribute(seat) => self.list_contributions(seat, own, out),
            Task::Purchase(seat) => self.list_purchases(seat, out),
            Task::Choose { by, card, memo } => self.list_targets(by, card, memo, own, out),
            _ => {}
        }
    }

    /// Checks an event, applies it, and performs tasks up to the next one that needs an event.
    ///
    /// # Errors
    ///
    /// Fails if the event is not awaited or not legal.
    pub(crate) fn handle(&mut self, cx: &mut Cx<'_, Thing>, event: Event<Action>) -> Result<(), RuleError> {
        match (self.step(), event) {
            (Task::Action, Event::Act(act)) => self.take_action(act)?,
            (Task::Place, Event::Act(Action::Place(hex))) => self.place(hex)?,
            (Task::Build(faction), Event::Act(Action::Build(corner))) => self.build(corner, faction)?,
            (Task::Window(place), Event::Act(act)) => self.use_window(place, act)?,
            (Task::Prelude, Event::Act(act)) => self.pick_up(act)?,
            (Task::Sector, Event::Act(Action::Sector(hex))) => self.choose_sector(hex)?,
            (Task::Contribute(seat), Event::Act(act)) => self.contribute(cx, seat, act)?,
            (Task::Purchase(seat), Event::Act(act)) => self.purchase(seat, act)?,
            (Task::Choose { by, card, memo }, Event::Act(Action::Choose(target))) => {
                self.choose(by, card, memo, target)?;
            }
            (Task::Start, Event::Rolled(seat)) => self.start(seat)?,
            (Task::ShuffleTiles, Event::Done) => self.first_sector()?,
            (Task::ShuffleDeck, Event::Done) => self.deal()?,
            (_, Event::Done) => {
                self.agenda.pop();
            }
            _ => return Err(RuleError::new("something else is awaited")),
        }
        self.run()
    }

    /// Performs tasks until one needs an event.
    ///
    /// # Errors
    ///
    /// Fails if a task cannot be performed.
    fn run(&mut self) -> Result<(), RuleError> {
        loop {
            match self.step() {
                Task::OpenWindow => self.open_window()?,
                Task::Window(place) if !self.asked_in_window(place) => self.next_in_window(place)?,
                Task::Prelude if self.tokens.is_empty(crate::state::tableau(self.active)) => {
                    self.agenda.pop();
                }
                Task::AskContribution(place) => self.ask_contribution(place)?,
                Task::CrisisReveal => self.reveal_contributions()?,
                Task::RevealEffect(entry) => self.reveal_effect(entry)?,
                Task::Decide => self.decide_crisis()?,
                Task::AftermathEffect(entry) => self.aftermath_effect(entry)?,
                Task::Leave => self.leave_crisis()?,
                Task::AskPurchase(place) => self.ask_purchase(place)?,
                Task::EndTurn => self.end_turn()?,
                _ => return Ok(()),
            }
        }
    }

    /// Checks that a card lies in the hand of a seat.
    ///
    /// # Errors
    ///
    /// Fails if it does not.
    pub(crate) fn ensure_in_hand(
        &self,
        t: pentarchy_engine::Token,
        seat: pentarchy_engine::Seat,
    ) -> Result<(), RuleError> {
        ensure(self.tokens.in_zone(t, hand(seat)), "this card is not in the hand")
    }
}
