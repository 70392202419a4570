//! The rules: what is awaited, what an event does, and the steps that run off by themselves.

mod crisis;
mod effects;
mod ending;
mod market;
mod set_up;
mod turn;
mod window;

pub(crate) use set_up::set_up;

use crate::actions::Act;
use crate::cards::Thing;
use crate::state::{DECK, MARKET, Ozymandias, Step, TILE_STACK, hand};
use pentarchy_engine::{Chance, Cx, Event, Node, SeatView, Rejected, Set, Side, To, ensure};

impl Ozymandias {
    /// What is awaited: the step on top of the agenda.
    pub(crate) fn awaited(&self) -> Node {
        let show = |set| Node::Reveal { set, to: To::All, side: Side::Face };
        let tell = |set, seat| Node::Reveal { set, to: To::Seat(seat), side: Side::Face };
        match self.step() {
            Step::ShuffleTiles => Node::Chance(Chance::Shuffle { pile: TILE_STACK }),
            Step::ShuffleDeck => Node::Chance(Chance::Shuffle { pile: DECK }),
            Step::Start => Node::Chance(Chance::Pick { of: u32::from(self.seats) }),
            Step::Deal(seat) => tell(Set::Zone(hand(seat)), seat),
            Step::Show(t) => show(Set::One(t)),
            Step::ShowMarked => show(Set::Marked),
            Step::ShowMarket => show(Set::Zone(MARKET)),
            Step::Learn(t, seat) => tell(Set::One(t), seat),
            Step::Look { at, by } => tell(Set::Zone(hand(at)), by),
            Step::Mix(seat) => Node::Rearrange { set: Set::Zone(hand(seat)), by: seat },
            Step::Action | Step::Place | Step::Build(_) | Step::Prelude | Step::Sector => {
                Node::Decide(self.active)
            }
            Step::Window(place) => self.in_turn(place).map_or(Node::Over, Node::Decide),
            Step::Contribute(seat) | Step::Purchase(seat) | Step::Choose { by: seat, .. } => {
                Node::Decide(seat)
            }
            // The other steps never rest on top.
            _ => Node::Over,
        }
    }

    /// The step on top.
    pub(crate) fn step(&self) -> Step {
        self.agenda.top().unwrap_or(Step::Over)
    }

    /// What is to happen next; of several, the one pushed last comes first.
    pub(crate) fn then(&mut self, step: Step) -> Result<(), Rejected> {
        self.agenda.push(step)
    }

    /// Several steps, in the order in which they are to happen.
    pub(crate) fn then_all(&mut self, steps: &[Step]) -> Result<(), Rejected> {
        steps.iter().rev().try_for_each(|&step| self.then(step))
    }

    /// The list of the seat that decides.
    pub(crate) fn list(&self, own: &SeatView<'_, Self>, out: &mut Vec<Act>) {
        match self.step() {
            Step::Action => self.list_actions(own, out),
            Step::Place => self.frontier(&mut |hex| out.push(Act::Place(hex))),
            Step::Build(faction) => self.open_corners(faction, &mut |corner| out.push(Act::Build(corner))),
            Step::Window(_) => self.list_window(own.seat(), out),
            Step::Prelude => self.list_prelude(out),
            Step::Sector => self.list_sectors(out),
            Step::Contribute(seat) => self.list_contributions(seat, own, out),
            Step::Purchase(seat) => self.list_purchases(seat, out),
            Step::Choose { by, card, memo } => self.list_targets(by, card, memo, own, out),
            _ => {}
        }
    }

    /// Carries out an event, then runs off what awaits nothing.
    pub(crate) fn handle(&mut self, cx: &mut Cx<'_, Thing>, event: Event<Act>) -> Result<(), Rejected> {
        match (self.step(), event) {
            (Step::Action, Event::Act(act)) => self.take_action(act)?,
            (Step::Place, Event::Act(Act::Place(hex))) => self.place(hex)?,
            (Step::Build(faction), Event::Act(Act::Build(corner))) => self.build(corner, faction)?,
            (Step::Window(place), Event::Act(act)) => self.use_window(place, act)?,
            (Step::Prelude, Event::Act(act)) => self.pick_up(act)?,
            (Step::Sector, Event::Act(Act::Sector(hex))) => self.choose_sector(hex)?,
            (Step::Contribute(seat), Event::Act(act)) => self.contribute(cx, seat, act)?,
            (Step::Purchase(seat), Event::Act(act)) => self.purchase(seat, act)?,
            (Step::Choose { by, card, memo }, Event::Act(Act::Choose(target))) => {
                self.choose(by, card, memo, target)?;
            }
            (Step::Start, Event::Rolled(seat)) => self.start(seat)?,
            (Step::ShuffleTiles, Event::Done) => self.first_sector()?,
            (Step::ShuffleDeck, Event::Done) => self.deal()?,
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
                Step::OpenWindow => self.open_window()?,
                Step::Window(place) if !self.asked_in_window(place) => self.next_in_window(place)?,
                Step::Prelude if self.tokens.is_empty(crate::state::tableau(self.active)) => {
                    self.agenda.pop();
                }
                Step::AskContribution(place) => self.ask_contribution(place)?,
                Step::CrisisReveal => self.reveal_contributions()?,
                Step::RevealEffect(entry) => self.reveal_effect(entry)?,
                Step::Decide => self.decide_crisis()?,
                Step::AftermathEffect(entry) => self.aftermath_effect(entry)?,
                Step::Leave => self.leave_crisis()?,
                Step::AskPurchase(place) => self.ask_purchase(place)?,
                Step::EndTurn => self.end_turn()?,
                _ => return Ok(()),
            }
        }
    }

    /// Whether a card lies in the hand of a seat.
    pub(crate) fn ensure_in_hand(
        &self,
        t: pentarchy_engine::Token,
        seat: pentarchy_engine::Seat,
    ) -> Result<(), Rejected> {
        ensure(self.tokens.in_zone(t, hand(seat)), "this card is not in the hand")
    }
}
