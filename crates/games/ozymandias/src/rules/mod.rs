//! The rules: the awaited node, the effects of events, and the tasks that need no event.

mod board;
mod crisis;
mod effects;
mod ending;
mod market;
mod set_up;
mod turn;
mod window;

pub use ending::Ending;

pub(crate) use set_up::set_up;

use crate::actions::Action;
use crate::facts::{Context, Fact, Reveal};
use crate::state::{DECK, MARKET, Ozymandias, TILE_STACK, Task, hand};
use pentarchy_engine::{Audience, Chance, Event, Node, RuleError, SeatView, Set, Side, ensure};

impl Ozymandias {
    /// Returns the node that the task on top of the agenda waits for: a decision of its seat; the shuffle of
    /// the tiles or the deck; the pick of the first seat; a seat's look at its hand, a drawn card or another
    /// hand; the public reveal of a token, the marked tokens or the market; or the permutation of a hand by
    /// its owner. `Over` at the end, with an empty agenda, and for tasks that never wait.
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

    /// Returns the task on top of the agenda; `Over` if the agenda is empty.
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

    /// Appends the legal actions of the deciding seat to `out`; nothing if no seat decides. Cards come in the
    /// order of their zone, hexes and corners ascending; `Done`, `Pass` and declining a target come last.
    /// `own` must be the view of that seat.
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
            (Task::Action, Event::Act(act)) => self.take_action(cx, act)?,
            (Task::Place, Event::Act(Action::Place(hex))) => self.place(cx, hex)?,
            (Task::Build(faction), Event::Act(Action::Build(corner))) => self.build(cx, corner, faction)?,
            (Task::Window(place), Event::Act(act)) => self.use_window(cx, place, act)?,
            (Task::Prelude, Event::Act(act)) => self.pick_up(cx, act)?,
            (Task::Sector, Event::Act(Action::Sector(hex))) => self.choose_sector(cx, hex)?,
            (Task::Contribute(seat), Event::Act(act)) => self.contribute(cx, seat, act)?,
            (Task::Purchase(seat), Event::Act(act)) => self.purchase(cx, seat, act)?,
            (Task::Choose { by, card, memo }, Event::Act(Action::Choose(target))) => {
                self.choose(cx, by, card, memo, target)?;
            }
            (Task::Start, Event::Rolled(seat)) => self.start(cx, seat)?,
            (Task::ShuffleTiles, Event::Done) => self.first_sector()?,
            (Task::ShuffleDeck, Event::Done) => self.deal()?,
            (step, Event::Done) => {
                self.report_reveal(cx, step);
                self.agenda.pop();
            }
            _ => return Err(RuleError::new("something else is awaited")),
        }
        self.run(cx)
    }

    /// Emits what the task `step` has turned up for all: `Revealed(Market)`, `Revealed(Vaults)` at the end of
    /// the game, or `ContributionRevealed` for each contribution; nothing for other tasks. Changes no state.
    fn report_reveal(&self, cx: &mut Context<'_>, step: Task) {
        match step {
            Task::ShowMarket => cx.emit(move || Fact::Revealed(Reveal::Market)),
            Task::ShowMarked if self.is_over() => cx.emit(move || Fact::Revealed(Reveal::Vaults)),
            Task::ShowMarked => {
                for it in self.crisis.order.iter() {
                    cx.emit(move || Fact::ContributionRevealed(it.holder, it.card));
                }
            }
            // Only one seat learns of deals, draws and looks.
            _ => {}
        }
    }

    /// Performs the tasks on top of the agenda until one needs an event or the game is over, and emits their
    /// facts. In a window it skips seats without a usable card, before a crisis a player without a tableau,
    /// in a crisis seats without a hand card, and at the end of the turn seats that need not buy.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full, or a card that a task reads is hidden.
    fn run(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
        loop {
            match self.step() {
                Task::OpenWindow => self.open_window()?,
                Task::Window(place) if !self.asked_in_window(place) => self.next_in_window(place)?,
                Task::Prelude if self.tokens.is_empty(crate::state::tableau(self.active)) => {
                    self.agenda.pop();
                }
                Task::AskContribution(place) => self.ask_contribution(place)?,
                Task::CrisisReveal => self.reveal_contributions(cx)?,
                Task::RevealEffect(entry) => self.reveal_effect(cx, entry)?,
                Task::Decide => self.decide_crisis(cx)?,
                Task::AftermathEffect(entry) => self.aftermath_effect(cx, entry)?,
                Task::Leave => self.leave_crisis(cx)?,
                Task::AskPurchase(place) => self.ask_purchase(cx, place)?,
                Task::EndTurn => self.end_turn(cx)?,
                _ => return Ok(()),
            }
        }
    }

    /// Checks that a card lies in the hand of a seat. Changes nothing.
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
